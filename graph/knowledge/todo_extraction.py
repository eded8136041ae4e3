"""Extracts todos from talk: what people promise, plan, leave open, do regularly or are bothered by, and what they say
is done.

Promises, plans and habits are facts of their frames, frictions facts of that type. Commitments in passing ("I'll send
you the report"), which are not worth a fact, are found by phrases (`nlp.extraction.todos`). A sentence makes one todo;
an appointment `passes`: it need not be closed once its day is over. `graph.people.todos` shows todos and closes them by
hand.
"""

from collections.abc import Sequence
from typing import Final

from hippograph.graph.clock import Clock
from hippograph.graph.database import Database, Row
from hippograph.graph.ids import derived_id, new_id
from hippograph.graph.knowledge.transcript import Transcript, TranscriptTurn
from hippograph.graph.model import EventPrecision
from hippograph.graph.stretches import ended
from hippograph.nlp.extraction.todos import (
    FoundTodo,
    find_completions,
    find_deed,
    find_todos,
    in_one_line,
    is_over_with_its_day,
)
from hippograph.nlp.text import normalise

_KEY: Final = "todo"
_PROMISE: Final = "promise"
_COMMITTING: Final = (_PROMISE, "plan")
"""The frames of what somebody is going to do."""


class TodoExtraction:
    """Extracts the todos of a session. Repeating it changes nothing."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def extract(self, session_id: str, persona_id: str, transcript: Transcript) -> None:
        """Writes the todos found in the turns of participants, and closes those that they say are done."""
        people = {person.id for person in transcript.participants}
        turns = [turn for turn in transcript.turns if turn.speaker_id in people and not turn.title]
        facts = await self._database.run("todo/found_facts", session=session_id)
        rows = [
            _row(turn, todo, persona_id, session_id) for turn in turns for todo in find_todos(turn.content, turn.said)
        ]
        said = {turn.id: turn for turn in turns}
        rows += [
            _fact_row(fact, said[fact["turn"]]) for fact in facts if fact["turn"] in said and not _is_told(fact, rows)
        ]
        now = self._clock()
        if rows:
            await self._database.run("todo/write_found", rows=rows, now=now)
        done = [
            {"turn": turn.id, "verbs": sorted(each.verbs), "words": sorted(each.words)}
            for turn in turns
            for each in find_completions(turn.content)
        ]
        if done:
            await self._database.run("todo/close_done", rows=done, now=now)


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
        "due_until": None if todo.due is None else ended(todo.due, EventPrecision(todo.precision)),
        "verb": todo.verb,
        "words": sorted(todo.words),
        "said_at": turn.event_time,
        "passes": False,
    }


def _is_told(fact: Row, rows: Sequence[Row]) -> bool:
    """Returns whether a todo found by a phrase of the same turn covers a promise or plan already."""
    words = normalise(fact["words"])
    return fact["frame"] in _COMMITTING and any(
        row["source"] == fact["turn"] and normalise(row["content"]) in words for row in rows
    )


def _fact_row(fact: Row, turn: TranscriptTurn) -> Row:
    """The todo of a fact that was found in a turn. A promise is valid as long as the turn that states it, any other
    todo as long as the fact. A habit or a friction has no deed that a turn could report done.
    """
    common = {
        "id": new_id(),
        "person": fact["person"],
        "persona": fact["persona"],
        "session": fact["session"],
        "said_at": turn.event_time,
    }
    if fact["frame"] not in _COMMITTING:
        bare: Row = {"due_at": None, "due_until": None, "verb": None, "words": [], "passes": False}
        key = derived_id(_KEY, fact["id"])
        return {**common, **bare, "source": fact["id"], "key": key, "kind": fact["kind"], "content": fact["content"]}
    sentence = in_one_line(fact["words"])
    verb, words = find_deed(sentence)
    dated = fact["event_precision"] != EventPrecision.MINUTE and fact["event_time"].date() >= turn.said.date()
    return {
        **common,
        "source": fact["turn"] if fact["frame"] == _PROMISE else fact["id"],
        "key": derived_id(_KEY, fact["turn"], normalise(sentence)),
        "kind": "commitment",
        "content": sentence,
        "due_at": fact["event_time"] if dated else None,
        "due_until": fact["event_until"] if dated else None,
        "verb": verb,
        "words": sorted(words),
        "passes": fact["frame"] != _PROMISE and is_over_with_its_day(sentence),
    }
