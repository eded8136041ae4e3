"""Entity linking (W7): decides whether a mention refers to an entity, without access to the graph.

How mentions are resolved against the entities of the graph is in `graph.knowledge.entity_resolution.mentions`.
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
"""The score of a name that sounds the same."""


class Outcome(StrEnum):
    """Whether a mention refers to an entity."""

    SAME = "same"
    UNCERTAIN = "uncertain"
    """Needs review: a merge is suggested."""
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in a text, with the type that the recognizer gave it and its chat. `company` has the names of the others
    who are named or take part there, `people` the ids of those among them that are known. `alone` is the id of the
    speaker if nobody else takes part.
    """

    text: str
    type: EntityType
    chat: str = ""
    company: frozenset[str] = frozenset()
    people: frozenset[str] = frozenset()
    alone: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entity that a mention may refer to. `names` are its own name and then its aliases, `chats` those where it
    comes up; `company` and `people` are the names and ids of others there.

    `claims` are a person's names and @usernames that nobody else vouches for (P6). A claim refers to them only for a
    speaker who has `met` them. A `member` has an account or takes part in chats.
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
        """The candidate without its claims, None if nothing is left. Usernames serve as names if no name is left."""
        if not self.claims:
            return self
        names = tuple(name for name in self.names if name not in self.claims)
        usernames = tuple(name for name in self.usernames if f"@{name}" not in self.claims)
        if not names and not usernames:
            return None
        return replace(self, names=names or usernames, usernames=usernames, claims=frozenset())


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a mention refers to an entity, with a score (0 to 1) and the reason.

    `by_name` says that it is the entity's own name or an alias, `lasting` that it is worth keeping as an alias. Of
    several entities, the one of the lowest `rank` is the likeliest.
    """

    outcome: Outcome
    score: float = 0.0
    reason: str = ""
    by_name: bool = False
    lasting: bool = False
    rank: tuple[int, int, float] = (0, 0, 0.0)


_OTHER: Final = Verdict(Outcome.OTHER)


class _Context(IntEnum):
    """How the context of a mention relates to where an entity came up before, the nearest first."""

    CHAT = 0
    """In the same chat."""
    COMPANY = 1
    """In another chat, with somebody in common."""
    UNKNOWN = 2
    """In another chat; the company of one of the two is unknown."""
    STRANGERS = 3
    """In another chat, with nobody in common."""


_OUTCOMES: Final = {
    Needs.NOTHING: (Outcome.SAME, Outcome.SAME, Outcome.SAME, Outcome.SAME),
    Needs.NO_STRANGERS: (Outcome.SAME, Outcome.SAME, Outcome.SAME, Outcome.UNCERTAIN),
    Needs.COMPANY_OR_REVIEW: (Outcome.SAME, Outcome.SAME, Outcome.UNCERTAIN, Outcome.UNCERTAIN),
    Needs.COMPANY: (Outcome.SAME, Outcome.SAME, Outcome.UNCERTAIN, Outcome.OTHER),
    Needs.CHAT: (Outcome.SAME, Outcome.UNCERTAIN, Outcome.OTHER, Outcome.OTHER),
    Needs.REVIEW: (Outcome.UNCERTAIN, Outcome.UNCERTAIN, Outcome.OTHER, Outcome.OTHER),
}
"""The outcome by needed evidence, for each context in the order of `_Context`."""


def decide(mention: Mention, candidate: Candidate) -> Verdict:
    """Decides whether a mention refers to an entity: first by the words, then by the chat and company.

    Equal names refer to the same entity. If several entities may have the name (people; some projects, companies and
    places), they do not where there is nobody in common. A short form needs the same chat; a similar sound needs the
    chat or somebody in common. An entity of another type is mostly another one, except under exactly its name
    (`_of_other_types`). A match by a claim alone is for review, unless the speaker has met the person.
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
    """Returns the sort key of a match, likeliest first. The words count before the context; for a person's name of one
    word, the context counts first. `behind` ranks matches of another type after the rest.
    """
    there, words = int(context), int(alike.needs) + behind
    first_name = mention.type is EntityType.PERSON and len(words_of(mention.text)) == 1
    return (there, words, -alike.score) if first_name else (words, there, -alike.score)


def _outcome(needs: Needs, context: _Context, mention: Mention, candidate: Candidate) -> Outcome:
    """Returns the outcome for the needed evidence and the context.

    A short form of a person's name in another chat may mean somebody else, and then facts would be shown to the wrong
    person. This does not apply to things, nor to a person whom the speaker met in a chat and names when alone with the
    assistant: facts told there stay there (P1).
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
    """Returns the verdict for an entity of another type than the mention's.

    In one chat, a name refers to one entity, whatever type the recognizer gives it from turn to turn; so does a short
    form of a person's name. A name that only sounds alike may be another's. In other chats, only a thing with exactly
    the name and with company in common matches, ranked after all entities of the mention's own type.
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
    """Returns the names of an entity that have the same words as a mention."""
    words = words_of(mention.text)
    return [name for name in candidate.names if words_of(name) == words]


def _same_thing(mention: Mention, candidate: Candidate) -> bool:
    """Whether a thing has exactly the name of a mention of another type. False for names that may mean something else:
    common words, lower-case spellings of a capitalized name, places, and for a mention of a person given names.
    """
    words, same = words_of(mention.text), _exactly(mention, candidate)
    if candidate.type is EntityType.PERSON or not same or all(map(is_ambiguous, words)):
        return False
    if mention.text.islower() and not any(map(str.islower, same)):
        return False
    return not is_place(words) and not (mention.type is EntityType.PERSON and is_given(words[0]))


def heard_matters(text: str, one: EntityType, other: EntityType) -> bool:
    """Whether a name may refer to an entity that only sounds alike, by the types of the two: always if they are equal,
    else not if one is a person, nor, for a single word, a concept or place.
    """
    types, one_word = {one, other}, len(words_of(text)) == 1
    return one is other or not (
        EntityType.PERSON in types or (one_word and types & {EntityType.CONCEPT, EntityType.PLACE})
    )


def _beside_others(outcome: Outcome, mention: Mention, candidate: Candidate, alike: Likeness) -> Outcome:
    """Lowers the outcome for a person because of who else is present. It is OTHER if the name fits one of the others
    better, or if the person is there by another name: a text with Hannah and Anna Weiss speaks of two people. It is
    UNCERTAIN if the name fits one of the others equally well.
    """
    if candidate.type is not EntityType.PERSON or outcome is Outcome.OTHER:
        return outcome
    words, others = set(words_of(mention.text)), set(mention.company) - {mention.text}
    for name in sorted(others):
        itself = likeness(name, candidate.names, candidate.type.value, candidate.usernames)
        tells = len(words) > 1 or len(words_of(name)) > 1  # a first name alone may be somebody else's
        named = itself.named or (itself.score and not itself.heard and tells)
        if named and words < set(words_of(name)):
            others.remove(name)  # the same person in full: Maya, and Maya Lindqvist
        elif named and name.startswith("@") == mention.text.startswith("@"):
            return Outcome.OTHER
    there = others if candidate.chats - {mention.chat} else others | candidate.company
    fits = [likeness(mention.text, (name,), candidate.type.value) for name in there]
    best = max(((-one.needs, one.score) for one in fits if one.score), default=None)
    if best is None or best < (-alike.needs, alike.score):
        return outcome
    return Outcome.UNCERTAIN if best == (-alike.needs, alike.score) else Outcome.OTHER
