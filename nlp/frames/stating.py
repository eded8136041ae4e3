"""Conversion of a filled frame to a statement: told from its slots, or quoted.

What belongs here: subjects, relation and the properties that the frame gives. What does not: how the sentence is worded
(`nlp.frames.telling`), and whether it is true.
"""

from collections.abc import Collection
from typing import Final

from hippograph.nlp.dates import Dated
from hippograph.nlp.extraction.statements import DATED, Relation, Statement, Subject
from hippograph.nlp.frames.frame import Frame, SlotType
from hippograph.nlp.frames.telling import Told
from hippograph.nlp.names.recognition import EntityType
from hippograph.nlp.text import slug

TYPES: Final[dict[SlotType, EntityType]] = {
    "person": "Person",
    "place": "Place",
    "organization": "Organization",
    "project": "Project",
    "tool": "Tool",
}
"""The entity type of each type of slot; other slots name a Concept."""


def stated(frame: Frame, told: Told, subject: Subject, named: Collection[str], quotation: str) -> Statement:
    """Returns the statement of a frame that is told from its slots. `named` are the slots that hold a name, `quotation`
    the words it was extracted from. The caller sets the confidence, which is 0 here.
    """
    related = _relation(frame, told, subject, named)
    between = related is not None and frame.kind == "relationship"
    subjects = (related.source, related.target) if related and between else (subject,)
    return Statement(
        told.content,
        subjects,
        frame.kind,
        confidence=0.0,
        aspect=told.aspect,
        importance=frame.importance,
        event_time=told.when.start,
        relation=related,
        sensitivity=_label(frame),
        event_precision=told.when.precision,
        quotation=quotation,
        value=told.value,
        frame=frame.name,
        ends=told.ends,
    )


def stated_in_words(frame: Frame, content: str, subject: Subject, when: Dated, quotation: str) -> Statement:
    """Returns the statement of a quoted frame. The caller sets the confidence, which is 0 here."""
    dated = frame.kind in DATED
    return Statement(
        content,
        (subject,),
        frame.kind,
        confidence=0.0,
        importance=frame.importance,
        event_time=when.start if dated else None,
        sensitivity=_label(frame),
        event_precision=when.precision if dated else "day",
        quotation=quotation,
        frame=frame.name,
    )


def _label(frame: Frame) -> str | None:
    return None if frame.label == "public" else frame.label


def _relation(frame: Frame, told: Told, subject: Subject, named: Collection[str]) -> Relation | None:
    """Returns the relation to the named entity in the edge's slot; None without one, or if the frame has ended."""
    if frame.edge is None or told.ends:
        return None
    predicate, slot = frame.edge
    if slot not in told.slots or slot not in named:
        return None
    other = Subject(told.slots[slot], TYPES.get(frame.slots[slot], "Concept"))
    if not frame.inward:
        return Relation(subject, predicate, other)
    return Relation(other, slug(predicate.format(**told.slots)), subject)
