"""`bench retrieval`: how much of the evidence a search finds, for files of questions with known evidence."""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from benchmarks.environment import Report, empty
from benchmarks.quality.metrics import mean, measures, session_recall
from hippograph.api.composition import search_of
from hippograph.api.service import Service
from hippograph.graph.model import Viewer
from hippograph.graph.retrieval.fusion import TITLE_HOP
from hippograph.graph.retrieval.ranking import RankingProfile
from hippograph.graph.retrieval.search import Page, Search
from hippograph.graph.writing.dialogue_file import PASSAGES, DialogueFile
from hippograph.nlp.questions.intent import Intent

DEPTH: Final = 25
SESSIONS_AT: Final = (1, 3, 5)
BUDGETS: Final = (1_000, 3_000)
"""Token budgets of contexts for search results."""
ALL: Final = "all"
AS_SET: Final = "as set"
_ASKER: Final = "user"
"""The speaker who is imported as the local user: the user in talks with an assistant. Other files have none."""


@dataclass(frozen=True, slots=True)
class Measured:
    """The mean metrics, each from 0 to 1, over the questions of one category of a file (`all`: every question), asked
    in one way.
    """

    file: str
    way: str
    category: str
    questions: int
    measures: dict[str, float]


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a file. `evidence` are the turns or passages that answer it, by `turn_key`. `asker` is the name of
    a participant of the dialogue, None for the local user.
    """

    text: str
    category: str
    dialogue: str
    evidence: frozenset[str]
    asker: str | None


@dataclass(frozen=True, slots=True)
class BroughtIn:
    """An imported file. `chats` are the ids of the chats, by dialogue. `stands_for` are the turns or passages that a
    memory stands for, by its id. `sessions` are the sessions of turns; a passage is a session by itself. Turns and
    passages are given by `turn_key`. `members` are the ids of participants, by chat and name.
    """

    chats: dict[str, str]
    questions: list[Question]
    stands_for: dict[str, Sequence[str]]
    sessions: dict[str, str]
    members: dict[tuple[str, str], str]

    def viewer(self, service: Service, question: Question) -> Viewer:
        """Returns the asker of a question, in its chat."""
        chat = self.chats[question.dialogue]
        if question.asker is None:
            return service.viewer(chat)
        return Viewer(self.members[chat, question.asker], chat)


Ask = Callable[[Viewer, str], Awaitable[Page]]


async def measure(
    service: Service,
    file: str,
    content: DialogueFile,
    report: Report,
    *,
    compare: bool = False,
    contexts: bool = False,
) -> list[Measured]:
    """Imports a file into the emptied graph and asks its questions, each as its asker in the chat of its dialogue.

    Questions go through the service call that GraphQL uses. With `compare` each question is asked in other ways too:
    with each other ranking profile, without routing by intent, and without the hop over titles. With `contexts` the
    rows of the search as set also have, for each of `BUDGETS`, the share of the evidence that a context contains, and
    the share of questions for which it contains all.
    """
    asked = await bring_in(service, file, content, report)
    ways = {AS_SET: _asking(service.search), **(_other_ways(service) if compare else {})}
    rows: dict[tuple[str, str], list[dict[str, float]]] = defaultdict(list)
    for number, question in enumerate(asked.questions, start=1):
        viewer = asked.viewer(service, question)
        for way, ask in ways.items():
            page = await ask(viewer, question.text)
            ranking = [asked.stands_for[result.memory.id] for result in page.results]
            scores = measures(ranking, question.evidence)
            for k in SESSIONS_AT:
                scores[f"session_recall@{k}"] = session_recall(ranking, question.evidence, asked.sessions, k)
            if contexts and way == AS_SET:
                scores |= await _in_contexts(service, viewer, question, asked)
            rows[way, ALL].append(scores)
            rows[way, question.category].append(scores)
        report(number, len(asked.questions), f"{file}: asking")
    return [Measured(file, way, category, len(of), mean(of)) for (way, category), of in rows.items()]


async def _in_contexts(service: Service, viewer: Viewer, question: Question, asked: BroughtIn) -> dict[str, float]:
    """Returns the share of a question's evidence in its context, and 1 if that is all, else 0, for each budget."""
    scores = {}
    for budget in BUDGETS:
        context = await service.contexts.context(viewer, question.text, budget=budget)
        held = {memory for entry in context.entries for memory in entry.piece.memory_ids}
        stands = {turn for memory in held for turn in asked.stands_for.get(memory, ())}
        scores[f"context@{budget}"] = len(question.evidence & stands) / len(question.evidence)
        scores[f"all@{budget}"] = float(question.evidence <= stands)
    return scores


def _asking(search: Search, **how: Any) -> Ask:
    async def ask(viewer: Viewer, query: str) -> Page:
        return await search.search(viewer, query, first=DEPTH, **how)

    return ask


def _other_ways(service: Service) -> Mapping[str, Ask]:
    ways = {
        f"profile {each}": _asking(service.search, profile=each)
        for each in RankingProfile
        if each is not RankingProfile.FUSED
    }
    ways["no route"] = _asking(service.search, intent=Intent.GENERAL)
    ways["no title hop"] = _asking(_search_with(service, {TITLE_HOP: 0.0}))
    return ways


def _search_with(service: Service, link_weights: Mapping[str, float]) -> Search:
    """Returns the service's search with other weights of links."""
    return search_of(
        service.settings,
        service.database,
        service.clock,
        embedder=service.embedder,
        slot=service.slot,
        executor=None,
        link_weights=link_weights,
    )


async def bring_in(service: Service, file: str, content: DialogueFile, report: Report) -> BroughtIn:
    """Empties the graph, imports a file and runs its jobs. A fact stands for its evidence."""
    await empty(service)
    imported = await service.importer.run(
        service.viewer(),
        file,
        content,
        me=_ASKER,
        progress=lambda done, total, _: report(done, total, f"{file}: importing"),
    )
    await service.runner.work_until_idle(lambda done, total, _: report(done, total, f"{file}: making searchable"))
    turns = {
        memory: turn_key(dialogue, turn)
        for dialogue, memories in imported.memories.items()
        for turn, memory in memories.items()
    }
    stands_for: dict[str, Sequence[str]] = {memory: [turn] for memory, turn in turns.items()}
    for row in await service.database.run("bench/evidence"):
        stands_for[row["id"]] = [turns[turn] for turn in row["turns"]]
    sessions = {turn: turn for turn in turns.values()} | {
        turn_key(dialogue.id, turn.id): f"{dialogue.id} {turn.session}"
        for dialogue in content.dialogues
        for turn in dialogue.turns
    }
    members = {(row["chat"], row["name"]): row["id"] for row in await service.database.run("bench/members")}
    return BroughtIn(imported.chats, list(_questions(content)), stands_for, sessions, members)


def _questions(content: DialogueFile) -> Iterator[Question]:
    for dialogue in content.dialogues:
        first = next((member.name for member in dialogue.participants), None)
        yield from _of(dialogue.questions, dialogue.id, first)
    yield from _of(content.questions, PASSAGES, None)


def _of(questions: list[dict[str, Any]], dialogue: str, asker: str | None) -> Iterator[Question]:
    """Yields the questions with evidence; `asker` is the default asker."""
    for question in questions:
        if question["evidence"]:
            evidence = frozenset(turn_key(dialogue, turn) for turn in question["evidence"])
            category = question.get("category", "none")
            yield Question(question["text"], category, dialogue, evidence, question.get("asker", asker))


def turn_key(dialogue: str, turn: str) -> str:
    """Returns a key of a turn that is unique in a file; ids of turns are unique only in their dialogue."""
    return f"{dialogue} {turn}"
