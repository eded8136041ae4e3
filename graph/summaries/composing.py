"""Drafts of summaries of talk: sentences taken from the sources, in sections (S3–S5).

Pure functions from sources to a draft. A section without sentences is absent.
"""

import re
from collections.abc import Iterable, Mapping, Sequence, Set
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
"""Maximum length of a rolling summary, and of that of an entity."""
_FEWEST_WORDS: Final = 4
_WORD: Final = re.compile(r"\w+")
_PER_IMPORTANCE: Final = 0.15
_PER_EMOTION: Final = 0.2
_ALIKE: Final = 0.8
"""Minimum share of common words, of all words of two sentences, at which both say the same."""
_HALF_LIFE: Final = 8
"""Age at which the weight of a turn in a rolling summary is half that of the last turn, in turns."""


class SummaryKind(StrEnum):
    """Subject of a summary: a session, the latest talk of a scope and a persona, or all that is known of a person."""

    SESSION = "session"
    ROLLING = "rolling"
    SPINE = "spine"


class SummarySection(StrEnum):
    """Section of a summary."""

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
    """A turn or a fact from which a summary can be made.

    `found_in` are the ids of the turns in which a fact was found. `by_owner` says whether the owner of the scope said
    it, `by_user` whether a person and not the assistant did. `vector` is its embedding. `people` are the ids of the
    persons whom it names or is about, and of its speaker.
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
        """The content in one line, cut if long, after the name of the speaker. Facts of the owner, and those found in
        turns, which say themselves who said them if that matters, have no name.
        """
        named = self.turn or not (self.by_owner or self.found_in)
        return as_sentence(split_text(self.content, LONGEST_SENTENCE)[0], self.speaker_name if named else None)

    @property
    def sources(self) -> tuple[str, ...]:
        """Its id, and for a fact the ids of the turns in which it was found."""
        return (self.id, *self.found_in)


@dataclass(frozen=True, slots=True)
class SummarySentence:
    """A sentence of a summary, and the ids of the memories that it rests on."""

    section: SummarySection
    text: str
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """Contents of a summary. `people` are the ids of persons whom its sources name or quote; `tone` may be empty."""

    sentences: tuple[SummarySentence, ...]
    people: tuple[str, ...] = ()
    tone: str = ""

    @property
    def sources(self) -> list[str]:
        """The ids of all its sources, sorted."""
        return sorted({source for sentence in self.sentences for source in sentence.sources})

    def in_one_text(self, speakers: Mapping[str, str | None]) -> str:
        """Returns the sentences without the one-liner and without repetitions. A name before words that somebody said
        is left out behind other words of theirs. `speakers` maps each source to the name of its speaker.
        """
        said, last = list[str](), None
        shown = (each for each in self.sentences if each.section is not SummarySection.ONE_LINER)
        for each in {each.text: each for each in shown}.values():
            name = f"{speakers.get(each.sources[0])}: "
            said.append(each.text.removeprefix(name) if name == last else each.text)
            last = name if each.text.startswith(name) else None
        return " ".join(said)


_Todos = Sequence[tuple[TalkSource, FoundTodo]]


def said_once(texts: Sequence[str]) -> list[bool]:
    """Returns for each sentence whether it is new: False if it says the same as an earlier one (`_ALIKE`)."""
    kept, found = list[frozenset[str]](), list[bool]()
    for text in texts:
        words = frozenset(_WORD.findall(text.casefold()))
        found.append(not any(len(words & other) >= _ALIKE * len(words | other) for other in kept))
        kept += [words] if found[-1] else []
    return found


def in_one_section(sentences: Sequence[SummarySentence]) -> tuple[SummarySentence, ...]:
    """Returns the sentences without repetitions, within and across sections. Of two that say the same, one of the
    commitments or open loops stays. The one-liner is exempt, since it is taken from another section.
    """
    ordered = sorted(sentences, key=lambda each: each.section not in _TO_DO)
    ordered = [each for each in ordered if each.section is not SummarySection.ONE_LINER]
    once = said_once([each.text for each in ordered])
    kept = {id(each) for each, first in zip(ordered, once, strict=True) if first}
    return tuple(each for each in sentences if each.section is SummarySection.ONE_LINER or id(each) in kept)


def talk_source(row: Row) -> TalkSource:
    """Returns the source in a row of `summary/…_sources`."""
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
    """Returns the draft for a session: the weightiest sentence as one-liner, what mattered in order of time, what was
    left open, and what people promised.
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
    """Returns the draft of a rolling summary, at most 600 characters long; later turns weigh more."""
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
    """Returns the draft on a person: who they are, what they work on, whom they know, and what is open or to come.
    `sources` are ordered by weight, the weightiest first.
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
    """Returns up to `most` sources that are central to the talk and differ from each other, in the order of choice.

    A turn is as important as the most important fact found in it; facts found in one of the turns are no candidates.
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
    """Whether a source is a candidate: a turn of a person, unless very short, or a fact found in none of the turns."""
    if source.turn:
        return source.by_user and len(source.content.split()) >= _FEWEST_WORDS
    return turns.isdisjoint(source.found_in)


def _about(source: TalkSource, facts: Sequence[TalkSource]) -> TalkSource:
    """Returns the source as a candidate. A turn gets the importance of the most important of its `facts`, and is cut to
    the part that shares most words with it; without facts its importance is 0. A fact is returned unchanged.
    """
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
    """Yields what people still have to do or wait for, and a question of a person that ends the last turn."""
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
    """Returns a draft of these sentences, with the people and the tone of their sources."""
    sentences = tuple(sentences)
    used = {source for sentence in sentences for source in sentence.sources}
    made_of = [source for source in sources if source.id in used]
    people = sorted({person for source in made_of for person in source.people})
    return Draft(sentences, tuple(people), tone([source.content for source in made_of if source.turn]))


def _in_time(sources: Iterable[TalkSource]) -> list[TalkSource]:
    return sorted(sources, key=lambda source: (source.event_time, source.id))
