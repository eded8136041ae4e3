"""Finds facts that repeat an earlier one in other words, and folds them into it (W5).

Equal words under one key are found when a fact is written (`graph.writing.supersession`). Similar facts are found here
by their vectors, once these are made. Facts with an aspect are distinguished by their keys and are not compared here.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from hippograph.graph.database import Database
from hippograph.graph.retrieval.filters import day
from hippograph.nlp.text import decisive_words

LEAST_COSINE: Final = 0.95


async def fold_repetitions(database: Database, slot: str, ids: Sequence[str], now: datetime) -> int:
    """Folds each of these facts that repeats an earlier one into it. Returns how many.

    The earlier fact is confirmed by the repetition. The later one is retired as `folded`, and the earlier one is linked
    to it as superseding it.
    """
    found = await database.run(f"enrichment/repetitions.{slot}", ids=list(ids), least=LEAST_COSINE, now=now)
    rows = [
        {"id": row["id"], "into": row["into"]} for row in found if repeats(row["content"], row["earlier"], row["names"])
    ]
    if not rows:
        return 0
    return len(await database.run("enrichment/fold", rows=rows, day=day(now), now=now))


def repeats(text: str, earlier: str, names: Iterable[Iterable[str]]) -> bool:
    """Returns whether two texts with nearly equal vectors mean the same.

    Vectors hardly distinguish six from seven, before from after, or who gave whom. So the numbers and decisive words
    must be equal, and the entities must be named in the same order. `names` are the names of each entity.
    """
    every = [list(each) for each in names]
    return decisive_words(text) == decisive_words(earlier) and _order(text, every) == _order(earlier, every)


def _order(text: str, names: Sequence[Sequence[str]]) -> list[int]:
    """The indexes of the entities that a text names, by a name or its first word, in the order of first mention."""
    folded = text.casefold()
    forms = [{form.casefold() for name in each for form in (name, name.split()[0])} for each in names]
    places = {
        number: min((place for form in each if (place := folded.find(form)) >= 0), default=-1)
        for number, each in enumerate(forms)
    }
    return sorted((number for number, place in places.items() if place >= 0), key=lambda number: places[number])
