"""The request that a retriever is given, and the ranked list that it returns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from hippograph.graph.access.parameters import request_params
from hippograph.graph.clock import Clock
from hippograph.graph.model import ChatKind, Times, Viewer
from hippograph.graph.retrieval.filters import Filters
from hippograph.graph.retrieval.query_scope import QueryScope
from hippograph.nlp.frames.frame import NOT_ASKED, AskedFrames
from hippograph.nlp.questions.answer_cues import NO_CUES, AnswerCues
from hippograph.nlp.questions.periods import Period


@dataclass(frozen=True, slots=True)
class Ranked:
    """A memory in a ranked list, and what ranking needs to know of it.

    `score` is comparable only within its list. `cosine` is the exact similarity to the query, None without a vector.
    `turn` says that it is a turn of its session, `asks` that it ends with a question, `fact` that turns may be its
    evidence, `summary` that it is the summary of a session and so repeats turns. In a group a fact from `elsewhere` is
    neither the viewer's own nor learned there. `own_score` is the viewer's reinforcement score of their own memory, 0
    for others (T5). `seeds` maps the ids of found memories whose links lead here to the strength of the link (0 to 1);
    it is empty in a list that starts from the query. `path` are the ids on the shortest path from a seed to here, both
    included.
    """

    id: str
    score: float
    cosine: float | None
    session: str | None
    turn: bool
    words: int
    asks: bool
    speaker_id: str
    by_assistant: bool
    title: str | None
    fact: bool
    elsewhere: bool
    summary: bool
    own_score: int
    seeds: Mapping[str, float] = field(default_factory=dict)
    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RankedList:
    """The beginning of a ranked list, best first, and whether there may be more behind it."""

    items: Sequence[Ranked]
    more: bool = False


EMPTY: Final = RankedList(())


@dataclass(frozen=True, slots=True)
class Request:
    """What is searched for, by whom, from where, at which times, and how deep.

    `vector` and `tokens` are the query's embedding, None without an embedder; `tokens` is also None if the model gives
    none. `present` says that both times are now, which costs less to read. A list has up to `depth` turns. `period` is
    the stretch of time that the question names, and `hops` the maximum length of a traversal. `found` is what other
    retrievers found, fused, best first, for those that go on from there. `strangers` says that the question names only
    people of whom no memory tells. `cues` are what answers to the question often hold, `asked` the kinds of facts that
    it asks for.
    """

    viewer: Viewer
    scope: QueryScope
    query: str
    vector: Sequence[float] | None
    tokens: str | None
    filters: Filters
    times: Times
    present: bool
    depth: int
    period: Period | None
    hops: int
    found: Sequence[Ranked] = ()
    strangers: bool = False
    cues: AnswerCues = NO_CUES
    asked: AskedFrames = NOT_ASKED

    @property
    def asked_about(self) -> list[str]:
        """The ids of the entities that the question is about: the viewer if it asks about them, else those it names."""
        if self.asked.of_asker:
            return [self.viewer.person_id]
        return list(dict.fromkeys([*self.scope.named, *(each.id for each in self.scope.entities)]))

    def params(self, clock: Clock) -> dict[str, object]:
        """The parameters of every statement that looks for candidates: those of the rule, the place and the filters."""
        group = self.viewer.chat_id or "" if self.scope.kind is ChatKind.GROUP else ""
        return {**request_params(self.viewer, self.times, clock), "group": group, **self.filters.params()}


class Retriever(Protocol):
    """Finds memories in one way."""

    @property
    def name(self) -> str:
        """The name of its list. Fusion looks up the weight of the list by it, and results show it."""

    async def retrieve(self, request: Request) -> RankedList:
        """The best memories that the viewer may see and that pass the filters. Raises the errors of the database."""
