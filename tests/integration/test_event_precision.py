"""Event times with their precision, and filters that match overlapping intervals (M2)."""

from datetime import UTC, datetime
from typing import Any

import pytest

from hippograph.graph.model import EventPrecision, Viewer
from hippograph.graph.retrieval.filters import Filters
from hippograph.graph.writing.fact import Fact

WED = Fact(
    "Maya got married",
    event_time=datetime(2019, 5, 17, 9, tzinfo=UTC),
    event_precision=EventPrecision.MONTH,
    valid_from=datetime(2019, 5, 1, tzinfo=UTC),
)


@pytest.fixture
async def wedding(scene, drain) -> str:
    """The id of a fact of May 2019 that has its vector."""
    [told] = await scene.service.facts.remember(Viewer(scene.maya.id), [WED])
    await drain()
    return str(told.memory_id)


async def found(scene: Any, query: str, **times: datetime) -> list[str]:
    """The ids of what Maya finds, filtered by time."""
    page = await scene.service.search.search(Viewer(scene.maya.id), query, filters=Filters(**times))
    return [result.memory.id for result in page.results]


@pytest.mark.parametrize("query", ["Maya married", "the bride"], ids=["words", "meaning"])
@pytest.mark.parametrize(
    ("after", "before", "overlaps"),
    [
        ((2019, 5, 20), (2019, 5, 21), True),
        ((2019, 5, 31), (2020, 1, 1), True),
        ((2019, 1, 1), (2019, 5, 2), True),
        ((2019, 6, 1), (2020, 1, 1), False),
        ((2019, 1, 1), (2019, 5, 1), False),
    ],
)
async def test_a_month_passes_when_some_of_it_lies_between(scene, wedding, query, after, before, overlaps) -> None:
    """A fact dated to a month is found if the month overlaps the filter, by words and by vector."""
    times = {"after": datetime(*after, tzinfo=UTC), "before": datetime(*before, tzinfo=UTC)}
    assert [wedding] * overlaps == await found(scene, query, **times)


async def test_the_time_is_the_start_of_its_stretch(scene, wedding, ask) -> None:
    """A fact given as of a moment in a month is dated to the start of that month, and keeps the precision."""
    memory = (await scene.service.browsing.memories(Viewer(scene.maya.id), [wedding]))[wedding]
    assert (datetime(2019, 5, 1, tzinfo=UTC), EventPrecision.MONTH) == (memory.event_time, memory.event_precision)


async def test_talk_keeps_what_was_said(scene, learn, raw) -> None:
    """A fact from talk has the precision of its date: a day lasts to its end, a month starts on its first day."""
    await scene.say("I moved to Graz in March 2021. My exam is on 5 June 2024.", at=scene.minutes(0))
    await learn()
    rows = await raw(
        "MATCH (m:Semantic) WHERE m.event_precision <> 'minute' "
        "RETURN m.event_precision AS how, m.event_time AS time, m.event_until AS until ORDER BY time"
    )
    days = datetime(2024, 6, 5, tzinfo=UTC), datetime(2024, 6, 5, 23, 59, 59, 999999, tzinfo=UTC)
    assert {"how": "day", "time": days[0], "until": days[1]} in rows
    assert all(row["how"] == "day" or row["time"].day == 1 for row in rows)
