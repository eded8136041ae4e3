"""Periods that questions name."""

from datetime import UTC, date, datetime

import pytest

from hippograph.nlp.questions.periods import EARLIEST, LATEST, find_period

NOW = datetime(2026, 11, 22, 15, 30, tzinfo=UTC)  # a Sunday
PERIODS = [
    ("what did I do on Friday, 13 March 2026", "2026-03-13", "2026-03-14"),
    ("who came on Monday May 5", "2026-05-05", "2026-05-06"),
    ("what did I say a couple of weeks ago", "2026-11-02", "2026-11-09"),
    ("where was I between March and May 2025", "2025-03-01", "2025-06-01"),
    ("where was I from May 3 to May 10, 2024", "2024-05-03", "2024-05-11"),
    ("what did I do yesterday", "2026-11-21", "2026-11-22"),
    ("what happened the day before yesterday", "2026-11-20", "2026-11-21"),
    ("who called last night", "2026-11-21", "2026-11-22"),
    ("what did we talk about last week", "2026-11-09", "2026-11-16"),
    ("what is planned this week", "2026-11-16", "2026-11-23"),
    ("plans for next week", "2026-11-23", "2026-11-30"),
    ("who came last weekend", "2026-11-14", "2026-11-16"),
    ("what did I buy last month", "2026-10-01", "2026-11-01"),
    ("where was I last year", "2025-01-01", "2026-01-01"),
    ("what happened last spring", "2026-03-01", "2026-06-01"),
    ("trips in the summer of 2024", "2024-06-01", "2024-09-01"),
    ("what did we do last autumn", "2025-09-01", "2025-12-01"),
    ("what did we do in winter", "2025-12-01", "2026-03-01"),
    ("who visited in May", "2026-05-01", "2026-06-01"),
    ("who visited in december", "2025-12-01", "2026-01-01"),
    ("what was I reading in March 2023", "2023-03-01", "2023-04-01"),
    ("what happened in 2019", "2019-01-01", "2020-01-01"),
    ("what did I say two weeks ago", "2026-11-02", "2026-11-09"),
    ("who did I meet three days ago", "2026-11-19", "2026-11-20"),
    ("where did I live a year ago", "2025-01-01", "2026-01-01"),
    ("where did I live half a year ago", "2026-05-01", "2026-06-01"),
    ("what did I say half a month ago", "2026-11-02", "2026-11-09"),
    ("what did I say half a day ago, or yesterday", "2026-11-21", "2026-11-22"),
    ("where did I live twenty-five years ago", "2001-01-01", "2002-01-01"),
    ("where did I live twenty one years ago", "2005-01-01", "2006-01-01"),
    ("where did I live seventeen years ago", "2009-01-01", "2010-01-01"),
    ("where have I lived in the last thirty-two years", "1994-11-22", "2026-11-23"),
    ("where was I last year and two months ago", "2025-01-01", "2026-01-01"),
    ("где я жил двадцать пять лет назад", "2001-01-01", "2002-01-01"),
    ("где я жил двадцать два года назад", "2004-01-01", "2005-01-01"),
    ("где я жил пятнадцать лет назад", "2011-01-01", "2012-01-01"),
    ("что я делал пять недель назад", "2026-10-12", "2026-10-19"),
    ("где я жил год назад", "2025-01-01", "2026-01-01"),
    ("где я жил полгода назад", "2026-05-01", "2026-06-01"),
    ("what has changed in the last two months", "2026-09-22", "2026-11-23"),
    ("what did Tom say on Friday", "2026-11-20", "2026-11-21"),
    ("what have I read in the past week", "2026-11-15", "2026-11-23"),
    ("what have I read in the past year", "2025-11-22", "2026-11-23"),
    ("what do we do this December", "2026-12-01", "2027-01-01"),
    ("what is planned for this winter", "2026-12-01", "2027-03-01"),
    ("where were we this summer", "2026-06-01", "2026-09-01"),
    ("what did we do in the fall", "2026-09-01", "2026-12-01"),
    ("what did we do spring 2024", "2024-03-01", "2024-06-01"),
    ("plans for the coming weekend", "2026-11-28", "2026-11-30"),
    ("meeting on June 5, 2019", "2019-06-05", "2019-06-06"),
    ("what was on the 5th of June", "2026-06-05", "2026-06-06"),
    ("notes of 2026-02-28", "2026-02-28", "2026-03-01"),
    ("what have I done since March", "2026-03-01", "9999-01-01"),
    ("where did she live before 2020", "0001-01-01", "2020-01-01"),
    ("what came after last summer", "2026-09-01", "9999-01-01"),
    ("between March and May", "2026-03-01", "2026-06-01"),
    ("from 2021 to 2023", "2021-01-01", "2024-01-01"),
    ("что было вчера", "2026-11-21", "2026-11-22"),
    ("о чём мы говорили на прошлой неделе", "2026-11-09", "2026-11-16"),
    ("куда мы ездили прошлым летом", "2026-06-01", "2026-09-01"),
    ("что случилось в мае", "2026-05-01", "2026-06-01"),
    ("где я жил в 2019 году", "2019-01-01", "2020-01-01"),
    ("что я делал две недели назад", "2026-11-02", "2026-11-09"),
    ("кто приезжал в прошлом месяце", "2026-10-01", "2026-11-01"),
    ("что изменилось за последние три месяца", "2026-08-22", "2026-11-23"),
    ("что было весной 2025 года", "2025-03-01", "2025-06-01"),
    ("с кем я встречался в пятницу", "2026-11-20", "2026-11-21"),
    ("что изменилось за последний год", "2025-11-22", "2026-11-23"),
    ("где я жил с 2021 по 2023 год", "2021-01-01", "2024-01-01"),
    ("что было до марта", "0001-01-01", "2026-03-01"),
]
NONE = [
    "why did Anna leave",
    "what may be wrong with the car",
    "did they march through the town",
    "what happened after the wedding",
    "when did I fall off my bike",
    "where does the river spring",
    "who wrote 1984 pages",
    "what was on 31 June",
    "what did I say half an hour ago",
    "what did I say half a week ago",
    "where did I live a half year ago",
    "where did I live a half-year ago",
    "where did I live one and a half years ago",
    "где я жил полтора года назад",
    "where did I live 1.5 years ago",
    "where did I live 1,5 year ago",
    "where did I live ½ year ago",
    "where did I live 10 000 years ago",
    "where did I live a quarter of a year ago",
    "where did I live a quarter year ago",
    "where did I live a hundred and five years ago",
    "where did I live a year and two months ago",
    "сколько лет назад я переехал",
    "где я жил сто пять лет назад",
    "где я жил четверть года назад",
    "где я жил год и два месяца назад",
    "почему мы переехали",
    "",
]


@pytest.mark.parametrize(("question", "start", "end"), PERIODS)
def test_period_is_found(question, start, end):
    """The period of a question begins and ends on the expected days."""
    period = find_period(question, NOW)
    assert (date.fromisoformat(start), date.fromisoformat(end)) == (period.start.date(), period.end.date())


@pytest.mark.parametrize("question", NONE)
def test_no_period(question):
    """A question that names no period has none."""
    assert find_period(question, NOW) is None


def test_open_ends():
    """A period with one bound is open at the other end."""
    assert LATEST == find_period("since March", NOW).end
    assert EARLIEST == find_period("before March", NOW).start
