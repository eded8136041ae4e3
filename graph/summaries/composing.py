"""What a summary of talk says: sentences taken from its sources, in sections (S3–S5).

Pure: sources in, a draft out. A section holds what was extracted, and is absent where nothing was.
"""

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Final

from hippograph.graph.database import Row
from hippograph.graph.summaries.centrality import centrality, diverse, similarities
from hippograph.graph.summaries.summary_memory import as_sentence
from hippograph.graph.zones import UTC_ZONE
from hippograph.nlp.attachments import own_words
from hippograph.nlp.emotion import tone
from hippograph.nlp.extraction.todos import FoundTodo, find_todos
from hippograph.nlp.questions.coverage import content_words
from hippograph.nlp.splitting import split_text

LONGEST_SENTENCE: Final = 240
MOST_SENTENCES: Final = 5
MOST_CHARACTERS: Final = 600
"""Of a rolling summary."""
_FEWEST_WORDS: Final = 4
_WORD: Final = re.compile(r"\w+")
_PER_IMPORTANCE: Final = 0.15
_PER_EMOTION: Final = 0.2
_ALIKE: Final = 0.8
"""Two sentences that share so much of their words say the same."""
_HALF_LIFE: Final = 8
"""Of a rolling summary: so many turns before the last a turn weighs half."""


class SummaryKind(StrEnum):
    """Of what a summary is: a session, the latest talk of a scope and a persona, or all that is known of a person."""

    SESSION = "session"
    ROLLING = "rolling"
    SPINE = "spine"


class SummarySection(StrEnum):
    """What a sentence of a summary is there for."""

    ONE_LINER = "one_liner"
    WHAT_MATTERED = "what_mattered"
    OPEN_LOOPS = "open_loops"
    COMMITMENTS = "commitments"
    LATEST = "latest"
    PROFILE = "profile"
    PROJECTS = "projects"
    PEOPLE = "people"


_TO_DO: Final = (SummarySection.COMMITMENTS, SummarySection.OPEN_LOOPS)


@dataclass(frozen=True, slots=True)
class TalkSource:
    """A turn or a fact of which a summary can be made. A fact knows in which turns it was `found_in` and whether the
    owner of the scope said it (`by_owner`), a turn whether a person said it (`by_user`); `vector` is its embedding,
    `people` the ids of persons whom it names or is about, and of who said it.
    """

    id: str
    content: str
    kind: str
    category: str
    fact_type: str
    speaker_name: str | None
    event_time: datetime
    event_until: datetime
    sensitivity: str
    emotion: float
    by_user: bool
    turn: bool
    importance: int
    found_in: tuple[str, ...] = ()
    vector: Sequence[float] | None = None
    people: tuple[str, ...] = ()
    by_owner: bool = False
    time_zone: str = UTC_ZONE

    @property
    def sentence(self) -> str:
        """Its words in one line behind who said it, but for a fact of the owner's; of a long one the beginning."""
        named = self.turn or not self.by_owner
        return as_sentence(split_text(self.content, LONGEST_SENTENCE)[0], self.speaker_name if named else None)

    @property
    def sources(self) -> tuple[str, ...]:
        """What says so: itself, and of a fact the turns that it was found in."""
        return (self.id, *self.found_in)


@dataclass(frozen=True, slots=True)
class SummarySentence:
    """A sentence of a summary, and the ids of the memories that say so."""

    section: SummarySection
    text: str
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """What a summary is to say. `people` are the ids of persons whom its sources name or quote; `tone` may be empty."""

    sentences: tuple[SummarySentence, ...]
    people: tuple[str, ...] = ()
    tone: str = ""

    @property
    def sources(self) -> list[str]:
        """The ids of all that it is made of, in order."""
        return sorted({source for sentence in self.sentences for source in sentence.sources})


_Todos = Sequence[tuple[TalkSource, FoundTodo]]


def said_once(texts: Sequence[str]) -> list[bool]:
    """Which of some sentences say something that none before them does."""
    kept, found = list[frozenset[str]](), list[bool]()
    for text in texts:
        words = frozenset(_WORD.findall(text.casefold()))
        found.append(not any(len(words & other) >= _ALIKE * len(words | other) for other in kept))
        kept += [words] if found[-1] else []
    return found


def in_one_section(sentences: Sequence[SummarySentence]) -> tuple[SummarySentence, ...]:
    """Sentences without those that say again what another section says, or the same one: what somebody promised or left
    open is said there. The one line at the top is of the rest.
    """
    ordered = sorted(sentences, key=lambda each: each.section not in _TO_DO)
    ordered = [each for each in ordered if each.section is not SummarySection.ONE_LINER]
    once = said_once([each.text for each in ordered])
    kept = {id(each) for each, first in zip(ordered, once, strict=True) if first}
    return tuple(each for each in sentences if each.section is SummarySection.ONE_LINER or id(each) in kept)


def talk_source(row: Row) -> TalkSource:
    """A source from a row of `summary/…_sources`."""
    return TalkSource(
        id=row["id"],
        content=own_words(row["content"]) if row["attached"] else row["content"],
        kind=row["kind"],
        category=row["category"],
        fact_type=row.get("fact_type") or "fact",
        speaker_name=row["speaker_name"] or None,
        event_time=row["event_time"],
        event_until=row["event_until"],
        time_zone=row["time_zone"],
        sensitivity=row["sensitivity"],
        emotion=row["emotion_intensity"] or 0.0,
        by_user=row["by_user"],
        turn=row["turn"],
        importance=row["importance"],
        found_in=tuple(row["found_in"]),
        vector=row["vector"],
        people=tuple(row["people"]),
        by_owner=row["by_owner"],
    )


def session_draft(sources: Sequence[TalkSource]) -> Draft:
    """What a session was about: what mattered in it, with the most central sentence first of all as one line, what was
    left open, and what people took upon themselves.
    """
    told = _weightiest(sources, [1.0] * len(sources))
    one_liner = [SummarySentence(SummarySection.ONE_LINER, one.sentence, one.sources) for one in told[:1]]
    mattered = [SummarySentence(SummarySection.WHAT_MATTERED, one.sentence, one.sources) for one in _in_time(told)]
    todos = [
        (source, todo)
        for source in sources
        if source.turn and source.by_user
        for todo in find_todos(source.content, source.event_time)
    ]
    sentences = (*one_liner, *mattered, *_left_open(sources, todos), *_promised(todos))
    return _draft(sources, in_one_section(sentences))


def rolling_draft(sources: Sequence[TalkSource]) -> Draft:
    """What was said lately, the later the weightier, in at most 600 characters."""
    turns = [source.id for source in sources if source.turn]
    age = {turn: len(turns) - place - 1 for place, turn in enumerate(turns)}
    recency = [
        0.5 ** (min((age[turn] for turn in (source.id, *source.found_in) if turn in age), default=0) / _HALF_LIFE)
        for source in sources
    ]
    chosen, length = list[TalkSource](), 0
    for one in _weightiest(sources, recency, most=2 * MOST_SENTENCES):
        if length + len(one.sentence) + 1 <= MOST_CHARACTERS + 1:
            chosen.append(one)
            length += len(one.sentence) + 1
    return _draft(
        sources, [SummarySentence(SummarySection.LATEST, one.sentence, one.sources) for one in _in_time(chosen)]
    )


def spine_draft(sources: Sequence[TalkSource], now: datetime) -> Draft:
    """What is known of a person: who they are, what they work on, whom they know, and what is open or to come. The
    sources come weightiest first.
    """
    sections: dict[SummarySection, list[TalkSource]] = {}
    for source in sources:
        held = sections.setdefault(_spine_section(source, now), [])
        if len(held) < MOST_SENTENCES and source.sentence not in {other.sentence for other in held}:
            held.append(source)
    order = (SummarySection.PROFILE, SummarySection.PROJECTS, SummarySection.PEOPLE, SummarySection.OPEN_LOOPS)
    return _draft(
        sources,
        [SummarySentence(section, one.sentence, one.sources) for section in order for one in sections.get(section, ())],
    )


def _spine_section(source: TalkSource, now: datetime) -> SummarySection:
    if source.kind == "task" or source.fact_type == "friction" or (source.kind == "event" and source.event_until > now):
        return SummarySection.OPEN_LOOPS
    return {"people": SummarySection.PEOPLE, "project": SummarySection.PROJECTS}.get(
        source.category, SummarySection.PROFILE
    )


def _weightiest(
    sources: Sequence[TalkSource], recency: Sequence[float], most: int = MOST_SENTENCES
) -> list[TalkSource]:
    """What says most of what the talk was about, each different from the others, the weightiest first.

    A turn is as important as the facts that were found in it, and they are not told beside it.
    """
    facts: dict[str, list[TalkSource]] = {source.id: [] for source in sources if source.turn}
    for source in sources:
        for turn in facts.keys() & set(source.found_in):
            facts[turn].append(source)
    places = [place for place, source in enumerate(sources) if _worth_telling(source, facts.keys())]
    candidates = [_about(sources[place], facts.get(sources[place].id, ())) for place in places]
    alike = similarities([one.content for one in candidates], [one.vector for one in candidates])
    weights = [
        recency[place] * (central + _PER_EMOTION * one.emotion + _PER_IMPORTANCE * one.importance)
        for place, one, central in zip(places, candidates, centrality(alike), strict=True)
    ]
    return [candidates[place] for place in diverse(weights, alike, most)]


def _worth_telling(source: TalkSource, turns: Set[str]) -> bool:
    """Whether a source tells something by itself: a turn of a person, or a fact that was found in none of the turns."""
    if source.turn:
        return source.by_user and len(source.content.split()) >= _FEWEST_WORDS
    return turns.isdisjoint(source.found_in)


def _about(source: TalkSource, facts: Sequence[TalkSource]) -> TalkSource:
    """The source; a turn in which facts were found with the part of it that says the weightiest, and as important."""
    if not source.turn:
        return source
    if not facts:
        return replace(source, importance=0)
    weightiest = max(facts, key=lambda fact: fact.importance)
    words = content_words(weightiest.content)
    parts = split_text(source.content, LONGEST_SENTENCE)
    part = max(parts, key=lambda each: len(words & content_words(each)))
    return replace(source, content=part, importance=weightiest.importance)


def _left_open(sources: Sequence[TalkSource], todos: _Todos) -> Iterable[SummarySentence]:
    """What people still have to do or wait for, and the question at the end that nobody answered."""
    yield from _todo_sentences(todos, "thread", SummarySection.OPEN_LOOPS)
    last = next((source for source in reversed(sources) if source.turn), None)
    if last and last.by_user and last.content.rstrip().endswith("?"):
        yield SummarySentence(SummarySection.OPEN_LOOPS, last.sentence, (last.id,))


def _promised(todos: _Todos) -> Iterable[SummarySentence]:
    return _todo_sentences(todos, "commitment", SummarySection.COMMITMENTS)


def _todo_sentences(todos: _Todos, kind: str, section: SummarySection) -> list[SummarySentence]:
    found = [
        SummarySentence(section, as_sentence(todo.sentence, source.speaker_name), (source.id,))
        for source, todo in todos
        if todo.kind == kind
    ]
    return found[-MOST_SENTENCES:]


def _draft(sources: Sequence[TalkSource], sentences: Iterable[SummarySentence]) -> Draft:
    """A draft with the people and the tone of what it is made of."""
    sentences = tuple(sentences)
    used = {source for sentence in sentences for source in sentence.sources}
    made_of = [source for source in sources if source.id in used]
    people = sorted({person for source in made_of for person in source.people})
    return Draft(sentences, tuple(people), tone([source.content for source in made_of if source.turn]))


def _in_time(sources: Iterable[TalkSource]) -> list[TalkSource]:
    return sorted(sources, key=lambda source: (source.event_time, source.id))
