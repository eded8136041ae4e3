"""What was found in a talk, on its way into the graph: which facts it makes, about whom, where they belong (W3, M11).

What belongs here: plain values, from the rows of a talk and the statements found in it. What does not: when talks are
read, and what becomes of what was found before (`graph.knowledge.consolidation`).
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from graph.database import Row
from graph.ids import new_id
from graph.knowledge.entity_linking import mentions
from graph.model import ChatKind, EntityType, MemoryType, Sensitivity, SourceRole
from graph.people.people import name_token
from graph.writing.fact import Fact, Subject, text_key
from graph.writing.fact_writer import Home
from nlp.emotion import intensity
from nlp.extraction.causes import Cause, Told
from nlp.extraction.coreference import first_name
from nlp.extraction.statements import Said, Statement
from nlp.extraction.statements import Subject as Named
from nlp.names.recognition import Name
from nlp.text import normalise

# Of what a statement is: the type of its memory, its kind, which says how long it lasts (T3), and its fact type.
_SORTS: Final = {
    "fact": (MemoryType.SEMANTIC, "knowledge", "fact"),
    "preference": (MemoryType.SEMANTIC, "preference", "preference"),
    "relationship": (MemoryType.SEMANTIC, "relationship", "relationship"),
    "friction": (MemoryType.SEMANTIC, "knowledge", "friction"),
    "habit": (MemoryType.SEMANTIC, "knowledge", "habit"),
    "event": (MemoryType.SEMANTIC, "event", "fact"),
    "plan": (MemoryType.SEMANTIC, "task", "fact"),
    "procedure": (MemoryType.PROCEDURAL, "knowledge", "fact"),
    "opinion": (MemoryType.OPINION, "knowledge", "preference"),
}

Turns = Sequence[tuple[Row, list[Statement]]]
"""Turns with what was found in each."""

Names = Mapping[Named, Row]
"""Whom and what statements are about, with their names as the graph looks for them."""


@dataclass(frozen=True, slots=True)
class Transcript:
    """What was said in a session, as far as it was read: the row of `consolidation/transcript`, its turns as the
    extractor takes them, and the full names of who takes part.
    """

    row: Row
    said: tuple[Said, ...]
    participants: tuple[str, ...]

    @property
    def turns(self) -> Sequence[Row]:
        """The turns in order."""
        turns: Sequence[Row] = self.row["turns"]
        return turns

    @property
    def whole(self) -> bool:
        """Whether it is the whole session."""
        return bool(self.row["whole"])

    def words(self, told: Told) -> str:
        """The words that are meant."""
        return told.words or self.said[told.turn].text

    def person(self, name: str, speaker_id: str) -> Row | None:
        """Who takes part under this full name, rather the speaker than a namesake."""
        so_called = [each for each in self.row["participants"] if each["canonical_name"] == name]
        return next((each for each in so_called if each["id"] == speaker_id), so_called[0] if so_called else None)


class ExtractionBatch:
    """Some turns of a talk with their statements, on the way into the graph."""

    def __init__(self, talk: Transcript, turns: Turns, links: Sequence[tuple[Cause, float]]) -> None:
        self.talk = talk
        self.turns = turns
        self.memories: dict[tuple[str, str], str | None] = {}
        """Which memory holds what was found in a turn, by the turn and the words; None when it holds no more."""
        self.known: dict[str, Subject] = {}
        self._links = links
        self._entities: Mapping[Named, Subject] = {}

    def know(self, entities: Mapping[Named, Subject]) -> None:
        """Which entities the names of the statements mean."""
        self._entities = entities
        people = [
            Subject(row["id"], row["key"], EntityType.PERSON, row["canonical_name"])
            for row in self.talk.row["participants"]
        ]
        self.known = {subject.id: subject for subject in (*people, *entities.values())}

    def facts(self, source: str) -> dict[str, list[tuple[tuple[str, str], Fact]]]:
        """What is not known yet, by who said it: each with its turn and its words."""
        found: dict[str, list[tuple[tuple[str, str], Fact]]] = defaultdict(list)
        for turn, statement in self._statements():
            key = (turn["id"], text_key(statement.content))
            if key not in self.memories:
                self.memories[key] = None
                found[turn["speaker_id"]].append((key, self._fact(turn, statement, source)))
        return found

    def relations(self) -> list[Row]:
        """What entities are to each other, each with the memory that says so."""
        rows = []
        for turn, statement in self._statements():
            memory = self.memories.get((turn["id"], text_key(statement.content)))
            related = statement.relation
            if related is None or memory is None:
                continue
            source, target = self._entity(turn, related.source), self._entity(turn, related.target)
            if source and target and source != target:
                row = {"source": source, "target": target, "predicate": related.predicate, "memory": memory}
                rows.append({**row, "id": new_id(), "confidence": statement.confidence})
        return rows

    def causes(self) -> list[Row]:
        """Which memories caused which: what was found in a turn, or the turn itself."""
        here = {turn["id"] for turn, _ in self.turns}
        rows = []
        for link, confidence in self._links:
            effect = self.talk.turns[link.effect.turn]
            if effect["id"] in here or self.talk.turns[link.cause.turn]["id"] in here:
                ends = [self._meant(link.cause), self._meant(link.effect)]
                if all(ends) and ends[0] != ends[1]:
                    named = {"predicate": link.connective, "confidence": confidence, "evidence": [effect["id"]]}
                    rows.append({"cause": ends[0], "effect": ends[1], **named})
        return rows

    def _statements(self) -> Iterator[tuple[Row, Statement]]:
        return ((turn, statement) for turn, statements in self.turns for statement in statements)

    def _meant(self, told: Told) -> str | None:
        """The memory that holds these words of a turn best: at least half of its own words are among them."""
        turn = self.talk.turns[told.turn]
        if not told.words:
            return str(turn["id"])
        words = set(normalise(told.words).split())
        best: tuple[float, str | None] = (0.5, None)
        for each, statements in self.turns:
            for statement in statements if each["id"] == turn["id"] else ():
                own = set(normalise(statement.content).split())
                share = len(own & words) / len(own)
                if share >= best[0]:
                    best = (share, self.memories.get((turn["id"], text_key(statement.content))))
        return best[1]

    def _fact(self, turn: Row, statement: Statement, source: str) -> Fact:
        memory_type, kind, fact_type = _SORTS[statement.kind]
        about = [self._entity(turn, subject) for subject in statement.subjects]
        dated = statement.event_time is not None
        related = statement.relation
        return Fact(
            statement.content,
            about=tuple(dict.fromkeys(each for each in about if each)),
            kind="event" if dated and kind == "task" else kind,
            type=memory_type,
            fact_type=fact_type,
            aspect=statement.aspect,
            value=related.target.name if related and statement.aspect else None,
            sensitivity=Sensitivity(statement.sensitivity) if statement.sensitivity else None,
            importance=statement.importance,
            confidence=statement.confidence,
            event_time=statement.event_time or turn["event_time"],
            evidence=(turn["id"],),
            source=source,
            said_at=turn["event_time"],
            learned_at=turn["created_at"],
            emotion=intensity(turn["content"]),
        )

    def _entity(self, turn: Row, subject: Named) -> str | None:
        """The id of whom or what is meant; None for a thing without a name of its own."""
        person = self.talk.person(subject.name, turn["speaker_id"])
        if person is not None:
            return str(person["id"])
        known = self._entities.get(subject)
        return known.id if known else None


def names_in(talk: Transcript, turns: Turns) -> Names:
    """Whom and what the statements are about, but for who takes part, with their names as the graph looks for them: one
    row for all that go by the same name.
    """
    rows: dict[tuple[str, str], Row] = {}
    named: dict[Named, Row] = {}
    for turn, statements in turns:
        said = {
            subject: Name(_in_full(talk, subject.name), subject.type, 0, 0)
            for subject in chain.from_iterable(map(_named, statements))
            if not talk.person(subject.name, turn["speaker_id"])
        }
        for row in mentions(list(dict.fromkeys(said.values())), talk.row["chat"]["id"]):
            rows.setdefault((row["type"], row["token"]), {**row, "turn": turn["id"], "number": len(rows)})
        for subject, name in said.items():
            if found := rows.get((name.type.lower(), name_token(name.text))):  # none when it has no letter
                named[subject] = found
    return named


def rows_of(names: Names) -> list[Row]:
    """The rows of the names, each once."""
    return list({row["number"]: row for row in names.values()}.values())


def _in_full(talk: Transcript, name: str) -> str:
    """A name as one tells it from others: "Ingrid's brother" by the full name of one who takes part."""
    whose, apostrophe, what = name.partition("'s ")
    full = [each for each in talk.participants if first_name(each).casefold() == whose.casefold()]
    return f"{full[0]}'s {what}" if apostrophe and len(full) == 1 else name


def transcript_of(row: Row) -> Transcript:
    """The talk of a row of `consolidation/transcript`."""
    names = {person["id"]: person["canonical_name"] for person in row["participants"]}
    said = tuple(
        # What was read out is nobody's word.
        Said(None if turn["title"] else names.get(turn["speaker_id"]), turn["event_time"], turn["content"])
        for turn in row["turns"]
    )
    return Transcript(row, said, tuple(names.values()))


def home_of(chat: Row, speaker: str, private: Sensitivity) -> Home:
    """Where what somebody said in a chat belongs: in private to that person, in a group to the chat (W3). What was said
    in private is at least as `private`.
    """
    group = chat["kind"] == ChatKind.GROUP
    return Home(
        speaker_id=speaker,
        scope=chat["scope"],
        owner_id="" if group else chat["owner_id"],
        chat_id=chat["id"] if group else "",
        learned_in=chat["id"],
        persona_id="",
        source_role=SourceRole.USER,
        derived=True,
        least_sensitivity=Sensitivity.PUBLIC if group else private,
    )


def _named(statement: Statement) -> Iterator[Named]:
    """Whom and what a statement is about or relates, of things only those that have a name."""
    ends = (statement.relation.source, statement.relation.target) if statement.relation else ()
    return (each for each in (*statement.subjects, *ends) if each.type != "Concept" or any(map(str.isupper, each.name)))
