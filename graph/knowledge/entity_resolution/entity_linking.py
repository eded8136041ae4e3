"""Entity linking (W7): whether a mention means an entity, decided without the graph.

How mentions are resolved among the entities of the graph is in `graph.knowledge.entity_resolution.mentions`.
"""

from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum
from typing import Final

from hippograph.graph.model import EntityType
from hippograph.nlp.names.listed import is_ambiguous, is_given, is_place
from hippograph.nlp.names.matching.likeness import Likeness, Needs
from hippograph.nlp.names.matching.matcher import likeness
from hippograph.nlp.names.normalization import words_of

_SURELY: Final = 0.95
"""The score of what sounds the same."""


class Outcome(StrEnum):
    """What a mention and an entity are to each other."""

    SAME = "same"
    UNCERTAIN = "uncertain"
    """Somebody has to look at it: a merge is suggested."""
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Mention:
    """A name as a text says it: the type that a recogniser gave it, in which chat, and who else is named or takes part
    there: by their names (`company`), and by the ids of those that are known (`people`). `alone` is the id of who
    speaks where nobody else takes part.
    """

    text: str
    type: EntityType
    chat: str = ""
    company: frozenset[str] = frozenset()
    people: frozenset[str] = frozenset()
    alone: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entity that may be meant: its own name and then its aliases, in which chats it comes up, and among whom, by
    their names and by their ids.

    `claims` are a person's names and @usernames that nobody vouches for (P6). By a claim they are meant only for
    somebody who has `met` them. A `member` has an account or takes part in chats.
    """

    id: str
    type: EntityType
    names: tuple[str, ...]
    usernames: tuple[str, ...] = ()
    chats: frozenset[str] = frozenset()
    company: frozenset[str] = frozenset()
    people: frozenset[str] = frozenset()
    claims: frozenset[str] = frozenset()
    member: bool = False
    met: bool = False

    @property
    def by_others_word(self) -> "Candidate | None":
        """The same by the names that are no claims, by usernames where there is no other; None when there is none."""
        if not self.claims:
            return self
        names = tuple(name for name in self.names if name not in self.claims)
        usernames = tuple(name for name in self.usernames if f"@{name}" not in self.claims)
        if not names and not usernames:
            return None
        return replace(self, names=names or usernames, usernames=usernames, claims=frozenset())


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a mention means an entity, how sure that is (0 to 1), and why.

    `by_name` when it is the entity's own name, or an alias; `lasting` when it is worth keeping as one. Of several that
    a mention may mean, the one of the least `rank` is likelier.
    """

    outcome: Outcome
    score: float = 0.0
    reason: str = ""
    by_name: bool = False
    lasting: bool = False
    rank: tuple[int, int, float] = (0, 0, 0.0)


_OTHER: Final = Verdict(Outcome.OTHER)


class _Context(IntEnum):
    """How a mention stands to where an entity was met before, the nearest first."""

    CHAT = 0
    """In the same chat."""
    COMPANY = 1
    """Elsewhere, with somebody in common."""
    UNKNOWN = 2
    """Elsewhere, where nobody is known."""
    STRANGERS = 3
    """Among others."""


_OUTCOMES: Final = {
    Needs.NOTHING: (Outcome.SAME, Outcome.SAME, Outcome.SAME, Outcome.SAME),
    Needs.NO_STRANGERS: (Outcome.SAME, Outcome.SAME, Outcome.SAME, Outcome.UNCERTAIN),
    Needs.COMPANY_OR_REVIEW: (Outcome.SAME, Outcome.SAME, Outcome.UNCERTAIN, Outcome.UNCERTAIN),
    Needs.COMPANY: (Outcome.SAME, Outcome.SAME, Outcome.UNCERTAIN, Outcome.OTHER),
    Needs.CHAT: (Outcome.SAME, Outcome.UNCERTAIN, Outcome.OTHER, Outcome.OTHER),
    Needs.REVIEW: (Outcome.UNCERTAIN, Outcome.UNCERTAIN, Outcome.OTHER, Outcome.OTHER),
}
"""In each context, in the order of `_Context`."""


def decide(mention: Mention, candidate: Candidate) -> Verdict:
    """Whether a mention means an entity: first what its words say, then whether chat and company bear it out.

    Names that are the same mean the same, but for those that several may have (people, projects, some places) where
    nobody in common is; a short form needs the chat, what sounds alike the chat or somebody in common. Another type is
    mostly another thing, but for exactly the name of one (`_of_other_types`). What fits by a claim alone is for review.
    """
    trusted = candidate.by_others_word
    verdict = _judged(mention, trusted) if trusted else _OTHER
    if verdict.outcome is Outcome.SAME or not candidate.claims:
        return verdict
    claimed = _judged(mention, replace(candidate, member=False))
    if candidate.met:
        return claimed
    return verdict if claimed.outcome is Outcome.OTHER else Verdict(Outcome.UNCERTAIN, claimed.score, claimed.reason)


def _judged(mention: Mention, candidate: Candidate) -> Verdict:
    alike = likeness(mention.text, candidate.names, candidate.type.value, candidate.usernames)
    if not alike.score:
        return _OTHER
    context = _context(mention, candidate)
    if mention.type is not candidate.type:
        return _of_other_types(mention, candidate, alike, context)
    outcome = _outcome(alike.needs, context, mention, candidate)
    if not alike.named:
        outcome = _beside_others(outcome, mention, candidate, alike)
    return Verdict(
        outcome,
        alike.score,
        alike.reason,
        by_name=alike.named,
        lasting=alike.lasting,
        rank=_rank(mention, alike, context),
    )


def _rank(mention: Mention, alike: Likeness, context: _Context, *, behind: int = 0) -> tuple[int, int, float]:
    """A name in full counts before where it is said; of a person's first name it is the other way round. `behind` puts
    what is taken for another sort of thing behind the rest.
    """
    there, words = int(context), int(alike.needs) + behind
    first_name = mention.type is EntityType.PERSON and len(words_of(mention.text)) == 1
    return (there, words, -alike.score) if first_name else (words, there, -alike.score)


def _outcome(needs: Needs, context: _Context, mention: Mention, candidate: Candidate) -> Outcome:
    """What follows from how far the words and the chat agree.

    A short form of a person's name, used in another chat, may mean somebody else, and then facts would be shown to the
    wrong person. A thing does no harm, nor does a person whom the speaker met in a chat and names when alone with the
    assistant: what is told there stays there (P1).
    """
    if needs is Needs.CHAT and context is _Context.COMPANY:
        met = candidate.member and mention.alone in candidate.people
        harmless = candidate.type is not EntityType.PERSON or met
        return Outcome.SAME if harmless else _OUTCOMES[needs][context]
    return _OUTCOMES[needs][context]


def _context(mention: Mention, candidate: Candidate) -> _Context:
    if mention.chat and mention.chat in candidate.chats:
        return _Context.CHAT
    if not mention.company or not candidate.company:
        return _Context.UNKNOWN
    return _Context.COMPANY if mention.people & candidate.people else _Context.STRANGERS


def _of_other_types(mention: Mention, candidate: Candidate, alike: Likeness, context: _Context) -> Verdict:
    """In one chat one name is one entity, whatever sort of thing the recogniser takes it for from turn to turn; so is a
    short form of somebody's. What only sounds like it may be another. Elsewhere it is the thing that goes by exactly
    the name among people whom one knows, behind all of the mention's own type.
    """
    reason = f"{alike.reason} of another type"
    if context is _Context.COMPANY and _same_thing(mention, candidate):
        return Verdict(Outcome.SAME, alike.score, reason, by_name=True, rank=(len(Needs), int(context), -alike.score))
    if context is not _Context.CHAT:
        return _OTHER
    somebody = candidate.type is EntityType.PERSON and alike.needs <= Needs.CHAT and not alike.heard
    if somebody or alike.named or _exactly(mention, candidate):
        return Verdict(Outcome.SAME, alike.score, reason, rank=_rank(mention, alike, context, behind=len(Needs)))
    if not alike.heard or not heard_matters(mention.text, mention.type, candidate.type):
        return _OTHER
    sure = alike.score >= _SURELY and len(words_of(mention.text)) > 1
    return Verdict(
        Outcome.SAME if sure else Outcome.UNCERTAIN, alike.score, reason, rank=_rank(mention, alike, context)
    )


def _exactly(mention: Mention, candidate: Candidate) -> list[str]:
    """The names of an entity that have the same words as a mention."""
    words = words_of(mention.text)
    return [name for name in candidate.names if words_of(name) == words]


def _same_thing(mention: Mention, candidate: Candidate) -> bool:
    """Whether a thing goes by exactly the name of a mention that is taken for another sort of thing, or for somebody. A
    common word may mean something else, and so may one in small letters and what lists know as a place's or people's.
    """
    words, same = words_of(mention.text), _exactly(mention, candidate)
    if candidate.type is EntityType.PERSON or not same or all(map(is_ambiguous, words)):
        return False
    if mention.text.islower() and not any(map(str.islower, same)):
        return False
    return not is_place(words) and not (mention.type is EntityType.PERSON and is_given(words[0]))


def heard_matters(text: str, one: EntityType, other: EntityType) -> bool:
    """Whether what only sounds like the name of something of another type may be it."""
    types, one_word = {one, other}, len(words_of(text)) == 1
    return one is other or not (
        EntityType.PERSON in types or (one_word and types & {EntityType.CONCEPT, EntityType.PLACE})
    )


def _beside_others(outcome: Outcome, mention: Mention, candidate: Candidate, alike: Likeness) -> Outcome:
    """The same in the light of who else is there: somebody whom the name fits better, or as well; or the entity itself,
    by another name: who speaks of Hannah and Anna Weiss speaks of two.
    """
    if candidate.type is not EntityType.PERSON or outcome is Outcome.OTHER:
        return outcome
    words, others = set(words_of(mention.text)), set(mention.company) - {mention.text}
    for name in sorted(others):
        itself = likeness(name, candidate.names, candidate.type.value, candidate.usernames)
        tells = len(words) > 1 or len(words_of(name)) > 1  # a first name alone may be another's
        named = itself.named or (itself.score and not itself.heard and tells)
        if named and words < set(words_of(name)):
            others.remove(name)  # Maya, of whom the same text speaks as Maya Lindqvist
        elif named and name.startswith("@") == mention.text.startswith("@"):
            return Outcome.OTHER
    there = others if candidate.chats - {mention.chat} else others | candidate.company
    fits = [likeness(mention.text, (name,), candidate.type.value) for name in there]
    best = max(((-one.needs, one.score) for one in fits if one.score), default=None)
    if best is None or best < (-alike.needs, alike.score):
        return outcome
    return Outcome.UNCERTAIN if best == (-alike.needs, alike.score) else Outcome.OTHER
