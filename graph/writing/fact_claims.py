"""What a fact claims, and where it is written."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from hippograph.graph.model import EntityType, Sensitivity, SourceRole
from hippograph.graph.writing.fact import Fact, Subject, category_of, claim_key, value_of
from hippograph.graph.writing.supersession import SELF


@dataclass(frozen=True, slots=True)
class Home:
    """Where facts are written: by whom, in whose scope, said where, for which persona. `derived` are facts that were
    found in talk: whoever said it need not be there any more. What was said there is at least of `least_sensitivity`.
    `space_id` is the space of what was said in no chat; in a chat it is the chat's (P7). What is written `apart` stands
    beside what of the scope who writes may not see, and changes nothing of it.
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
    """What a fact claims: about whom, on whose authority, under which key; `closes` is the key of what it ends, or in
    whose place it stands though it has another, and `closed` the value of what it ends.
    """

    about: tuple[Subject, ...]
    authority: str
    category: str
    key: str
    closes: str = ""
    closed: str | None = None


def claim_of(fact: Fact, home: Home, known: Mapping[str, Subject]) -> Claim:
    """What somebody says of nobody else is about themselves, or as a group's fact about the group (W6)."""
    speaker = known[home.speaker_id]
    about = tuple(dict.fromkeys(known[ref] for ref in fact.about))
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
