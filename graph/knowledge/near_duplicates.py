"""Facts that say in other words what was said before: which these are, and how they become one (W5).

Equal words under one key are found when a fact is written (`graph.writing.supersession`); what only a vector tells is
found here, once it was made. Facts with an aspect are told apart by their keys and never come here.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from hippograph.graph.database import Database
from hippograph.graph.retrieval.filters import day
from hippograph.nlp.text import decisive_words

LEAST_COSINE: Final = 0.95


async def fold_repetitions(database: Database, slot: str, ids: Sequence[str], now: datetime) -> int:
    """Folds those of these facts that repeat an earlier one into it; how many.

    The earlier one is said again; the later one is retired as `folded` and stays to be seen behind it.
    """
    found = await database.run(f"enrichment/repetitions.{slot}", ids=list(ids), least=LEAST_COSINE, now=now)
    rows = [
        {"id": row["id"], "into": row["into"]} for row in found if repeats(row["content"], row["earlier"], row["names"])
    ]
    if not rows:
        return 0
    return len(await database.run("enrichment/fold", rows=rows, day=day(now), now=now))


def repeats(text: str, earlier: str, names: Iterable[Iterable[str]]) -> bool:
    """Whether a text that means nearly the same as an earlier one means the same.

    A vector hardly tells six from seven, before from after, or who gave whom: numbers and small words on which the
    meaning turns have to be equal, and whoever is named, by one of their names, stands in the same order.
    """
    every = [list(each) for each in names]
    return decisive_words(text) == decisive_words(earlier) and _order(text, every) == _order(earlier, every)


def _order(text: str, names: Sequence[Sequence[str]]) -> list[int]:
    """Which of these are named in a text, by a name or its first word, in the order in which they first are."""
    folded = text.casefold()
    forms = [{form.casefold() for name in each for form in (name, name.split()[0])} for each in names]
    places = {
        number: min((place for form in each if (place := folded.find(form)) >= 0), default=-1)
        for number, each in enumerate(forms)
    }
    return sorted((number for number, place in places.items() if place >= 0), key=lambda number: places[number])
