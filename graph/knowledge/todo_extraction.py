"""Todos out of talk: what people promise, leave open, do again and again or are bothered by, and what they say is done.

What is said is told by `nlp.extraction.todos`; how a todo is shown and closed by hand is `graph.people.todos`.
"""

from datetime import datetime
from typing import Final

from hippograph.graph.clock import Clock
from hippograph.graph.database import Database, Row
from hippograph.graph.ids import derived_id, new_id
from hippograph.graph.knowledge.transcript import Transcript, TranscriptTurn
from hippograph.graph.model import NO_END, EventPrecision
from hippograph.graph.stretches import ended
from hippograph.nlp.extraction.todos import FoundTodo, find_completions, find_todos
from hippograph.nlp.text import normalise

_KEY: Final = "todo"


class TodoExtraction:
    """Finds the todos of a session. Doing so again changes nothing."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def extract(self, session_id: str, persona_id: str, transcript: Transcript) -> None:
        """Writes the todos that people name in a transcript, and closes those that they say are done."""
        people = {person.id for person in transcript.participants}
        turns = [turn for turn in transcript.turns if turn.speaker_id in people and not turn.title]
        facts = await self._database.run("todo/found_facts", session=session_id, no_end=NO_END)
        rows = [
            _row(turn, todo, persona_id, session_id)
            for turn in turns
            for todo in find_todos(turn.content, turn.event_time)
        ]
        now = self._clock()
        if rows or facts:
            await self._database.run("todo/write_found", rows=[*rows, *map(_fact_row, facts)], now=now, no_end=NO_END)
        done = [
            {"turn": turn.id, "verbs": sorted(each.verbs), "words": sorted(each.words)}
            for turn in turns
            for each in find_completions(turn.content)
        ]
        if done:
            await self._database.run("todo/close_done", rows=done, now=now, no_end=NO_END)


def _row(turn: TranscriptTurn, todo: FoundTodo, persona_id: str, session_id: str) -> Row:
    return {
        "source": turn.id,
        "person": turn.speaker_id,
        "persona": persona_id,
        "session": session_id,
        "key": derived_id(_KEY, turn.id, normalise(todo.sentence)),
        "id": new_id(),
        "kind": todo.kind,
        "content": todo.sentence,
        "due_at": todo.due,
        "due_until": _until(todo.due, todo),
        "verb": todo.verb,
        "words": sorted(todo.words),
    }


def _until(due: datetime | None, todo: FoundTodo) -> datetime | None:
    return None if due is None else ended(due, EventPrecision(todo.precision))


def _fact_row(fact: Row) -> Row:
    """A habit or a friction, which has no deed that could be done."""
    bare: Row = {"due_at": None, "due_until": None, "verb": None, "words": []}
    return {**fact, **bare, "key": derived_id(_KEY, fact["source"]), "id": new_id()}
