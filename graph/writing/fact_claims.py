"""The claim that a fact makes, and the place where it is written."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from hippograph.graph.model import EntityType, Sensitivity, SourceRole
from hippograph.graph.writing.fact import Fact, Subject, category_of, claim_key, value_of
from hippograph.graph.writing.supersession import SELF


@dataclass(frozen=True, slots=True)
class Home:
    """Where facts are written: who states them, in whose scope, in which chat they were said, for which persona.

    `owner_id` is empty for facts of a group, `chat_id` for those of a person. `space_id` is the space of what was said
    in no chat; in a chat, the chat's space holds (P7). `derived` facts were extracted from turns: their speaker need
    not take part any more, and they are at least of `least_sensitivity`. Facts written `apart` leave memories of the
    scope that the writer may not see unchanged.
    """

    speaker_id: str
    scope: str
    owner_id: str
    chat_id: str
    learned_in: str
    persona_id: str
    source_role: SourceRole
    space_id: str = ""
    derived: bool = False
    least_sensitivity: Sensitivity = Sensitivity.PUBLIC
    apart: bool = False


@dataclass(frozen=True, slots=True)
class Claim:
    """The claim of a fact: its subjects, the primary one first, its authority and its key. `closes` is the key of other
    facts that it ends or, for a confided fact, outranks (empty: none). `closed` is the value of those that it ends.
    """

    about: tuple[Subject, ...]
    authority: str
    category: str
    key: str
    closes: str = ""
    closed: str | None = None


def claim_of(fact: Fact, home: Home, known: Mapping[str, Subject]) -> Claim:
    """The claim of a fact. A fact without subjects is about its speaker, or if it is a group's about the group (W6)."""
    speaker = known[home.speaker_id]
    names = dict(zip(fact.about, fact.called, strict=False))
    meant = (replace(known[ref], name=names.get(ref) or known[ref].name) for ref in fact.about)
    about = tuple(dict.fromkeys(meant))
    if not about and not home.chat_id:
        about = (speaker,)
    of_self = set(about) == {speaker}
    primary = about[0] if about else Subject(home.chat_id, f"chat:{home.chat_id}", EntityType.CONCEPT)
    other = fact.ends[0] if fact.ends else fact.matter
    closes, closed = fact.takes_back or (claim_key(replace(fact, aspect=other), primary) if other else "", None)
    return Claim(
        about,
        authority=SELF if of_self else speaker.id,
        category=category_of(fact, primary, speaker),
        key=claim_key(fact, primary),
        closes=closes,
        closed=value_of("", fact.ends[1]) if fact.ends else closed,
    )
