"""`bench answers`: how much of the evidence a search finds with and without routing by the intent of the question."""

import random
from collections import defaultdict
from typing import Final

from benchmarks.environment import Report, Row
from benchmarks.quality.metrics import mean, measures
from benchmarks.quality.retrieval import bring_in
from hippograph.api.service import Service
from hippograph.graph.writing.dialogue_file import DialogueFile
from hippograph.nlp.questions.intent import Intent

DEPTH: Final = 25
_RESAMPLES: Final = 2_000
_SEED: Final = 7


async def measure(service: Service, file: str, content: DialogueFile, report: Report) -> list[Row]:
    """Returns recall@10 and MRR by category, with and without routing by intent, the 95 % bootstrap interval of the
    difference in recall (percentile method, Efron, 1979), and the share of questions whose intent is their category.
    """
    asked = await bring_in(service, file, content, report)
    rows: dict[str, list[tuple[dict[str, float], dict[str, float], bool]]] = defaultdict(list)
    for number, question in enumerate(asked.questions, start=1):
        viewer = asked.viewer(service, question)
        scores, intents = [], []
        for intent in (None, Intent.GENERAL):
            page = await service.search.search(viewer, question.text, first=DEPTH, intent=intent)
            found = [asked.stands_for[result.memory.id] for result in page.results]
            scores.append(measures(found, question.evidence))
            intents.append(page.analysis.intent)
        for category in ("all", question.category):
            rows[category].append((scores[0], scores[1], intents[0] == question.category))
        report(number, len(asked.questions), f"{file}: asking")
    return [_row(category, of) for category, of in rows.items()]


def _row(category: str, of: list[tuple[dict[str, float], dict[str, float], bool]]) -> Row:
    routed, plain = mean([each[0] for each in of]), mean([each[1] for each in of])
    low, high = _interval([one["recall@10"] - other["recall@10"] for one, other, _ in of])
    return Row(
        category,
        {
            "questions": len(of),
            "recall@10": routed["recall@10"],
            "without routing": plain["recall@10"],
            "difference from": low,
            "to": high,
            "MRR": routed["mrr"],
            "MRR without": plain["mrr"],
            "intent right": sum(right for _, _, right in of) / len(of),
        },
    )


def _interval(differences: list[float]) -> tuple[float, float]:
    chance = random.Random(_SEED)  # noqa: S311  # it resamples, and keeps nothing secret
    means = sorted(sum(chance.choices(differences, k=len(differences))) / len(differences) for _ in range(_RESAMPLES))
    return means[int(0.025 * _RESAMPLES)], means[int(0.975 * _RESAMPLES) - 1]
