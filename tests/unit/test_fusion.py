from collections.abc import Mapping
from math import sqrt

import pytest

from hippograph.graph.retrieval.fusion import (
    CONTEXT,
    FULL_TEXT,
    LATE_INTERACTION,
    TITLE_HOP,
    VECTOR,
    Candidate,
    ContextSettings,
    Fused,
    Hit,
    Link,
    collapse_evidence,
    context_fusion,
    deeper,
    reciprocal_rank_fusion,
)


def candidate(name: str, text: tuple[int, float] | None = None, vector: int | None = None, **more: object) -> Candidate:
    """A candidate with its places in the lists."""
    hits = {}
    if text:
        hits[FULL_TEXT] = Hit(*text)
    if vector:
        hits[VECTOR] = Hit(vector, 0.0)
    return Candidate(name, hits, **more)  # type: ignore[arg-type]


# --- each thing once ---


def test_the_summary_of_a_session_gives_way_to_its_turns() -> None:
    """One that stands before the turns of its session, or alone, stays; so does what sums up other things."""
    pool = [
        Candidate("said", session="a", turn=1),
        Candidate("sum of a", session="a", summary=True),
        Candidate("sum of b", session="b", summary=True),
        Candidate("said later", session="b", turn=1),
        Candidate("sum of c", session="c", summary=True),
        Candidate("profile", summary=True),
    ]
    ranking = [Fused(each.id, -float(place), {}, {}) for place, each in enumerate(pool)]
    kept = [item.id for item in collapse_evidence(ranking, pool)]
    assert ["said", "sum of b", "said later", "sum of c", "profile"] == kept


# --- reciprocal rank fusion ---


def test_rrf_by_hand() -> None:
    """Two lists written out by hand give the sums of one over k plus rank, best first."""
    lists = {"a": {"x": 1, "y": 3}, "b": {"x": 2}, "c": {"y": 1}, "d": {"x": 3, "y": 2}}
    pool = [Candidate(name, {n: Hit(rank, 0.0) for n, rank in hits.items()}) for name, hits in lists.items()]
    fused = reciprocal_rank_fusion(pool, k=60, weights={})
    expected = [
        ("a", 1 / 61 + 1 / 63),
        ("d", 1 / 63 + 1 / 62),
        ("c", 1 / 61),
        ("b", 1 / 62),
    ]
    assert [(name, pytest.approx(score)) for name, score in expected] == [(item.id, item.score) for item in fused]


def test_rrf_weighs_lists() -> None:
    """A list counts by its weight, and one without a weight counts 1."""
    pool = [Candidate("a", {"x": Hit(1, 0.0)}), Candidate("b", {"y": Hit(1, 0.0)})]
    fused = reciprocal_rank_fusion(pool, k=1, weights={"x": 0.5})
    assert [("b", 0.5), ("a", 0.25)] == [(item.id, item.score) for item in fused]
    assert [{"y": 0.5}, {"x": 0.25}] == [dict(item.parts) for item in fused]


def test_equal_scores_go_by_id() -> None:
    """Where scores are equal the ids decide, so that pages stay as they are."""
    pool = [Candidate(name, {"x": Hit(1, 0.0)}) for name in "cab"]
    assert ["a", "b", "c"] == [item.id for item in reciprocal_rank_fusion(pool, k=60, weights={})]


# --- context fusion ---

PLAIN = ContextSettings(
    weights={FULL_TEXT: 2.0, VECTOR: 1.0}, asker_bonus=10.0, share=0.5, decay=0.5, reach=2, half_words=10.0, power=1.0
)


def test_nothing_gives_nothing() -> None:
    """Without candidates there is no ranking."""
    assert [] == context_fusion([])
    assert [] == reciprocal_rank_fusion([], k=60, weights={})


def test_scores_are_standardised() -> None:
    """What is no turn scores its weighted BM25 and its cosine, each by mean and deviation of what the lists hold."""
    pool = [candidate("a", (1, 6.0), 2, cosine=0.2), candidate("b", None, 1, cosine=0.8)]
    scores = {item.id: item.score for item in context_fusion(pool, settings=PLAIN)}
    assert {"a": pytest.approx(2.0 - 1.0), "b": pytest.approx(-2.0 + 1.0)} == scores


def test_without_spread_a_list_says_nothing() -> None:
    """When all have the same score nothing is divided by zero, and the list makes no difference."""
    pool = [candidate(name, (1, 3.0), 1, cosine=0.5) for name in "ab"]
    assert [("a", 0.0), ("b", 0.0)] == [(item.id, item.score) for item in context_fusion(pool)]


def test_a_list_without_spread_shows_no_score_of_its_own() -> None:
    """Where what was said has equal scores, or is one turn alone, its facts show no raw BM25 either."""

    def shown(turns: list[str], bm25: float) -> Mapping[str, float]:
        pool = [candidate(name, (1, 0.1), 1, cosine=0.1, turn=n) for n, name in enumerate(turns)]
        pool.append(candidate("f", (1, bm25), 2, cosine=0.9, evidence=("t",)))
        return next(item.parts for item in context_fusion(pool) if item.id == "f")

    assert {FULL_TEXT: 0.0, VECTOR: 0.0, LATE_INTERACTION: 0.0} == shown(["t", "u"], 7.5)
    assert shown(["t"], 7.5) == pytest.approx(shown(["t"], 75.0))


def test_without_vectors_the_words_decide() -> None:
    """Without any cosine the order is that of BM25."""
    pool = [candidate("a", (2, 1.0)), candidate("b", (1, 5.0)), candidate("c", (3, 0.5))]
    fused = context_fusion(pool)
    assert ["b", "a", "c"] == [item.id for item in fused]
    assert {0.0} == {item.parts[VECTOR] for item in fused}


def test_without_a_vector_yet_the_words_decide() -> None:
    """What has no cosine beside others that have one counts there as by its words."""
    pool = [candidate("a", None, 1, cosine=0.6), candidate("b", (2, 1.0), 2, cosine=0.4), candidate("new", (1, 5.0))]
    fused = {item.id: item.parts for item in context_fusion(pool, settings=PLAIN)}
    assert pytest.approx(2 * fused["new"][VECTOR]) == fused["new"][FULL_TEXT]
    assert (1.0, -1.0) == (pytest.approx(fused["a"][VECTOR]), pytest.approx(fused["b"][VECTOR]))


def test_the_asker_is_preferred() -> None:
    """Of two that are equal the one that the asker said comes first."""
    pool = [candidate("a", (1, 1.0)), candidate("b", (2, 1.0), by_asker=True)]
    assert [("b", 10.0), ("a", 0.0)] == [(item.id, item.score) for item in context_fusion(pool, settings=PLAIN)]


@pytest.mark.parametrize(
    ("more", "parts"),
    [
        ({"words": 12}, {}),
        ({"words": 3}, {"short": -1.5}),
        ({"words": 12, "by_named": True}, {"speaker": 0.5}),
        ({"words": 6, "by_named": True, "asks": True}, {"speaker": 0.5, "asks": -0.5, "short": -1.0}),
    ],
)
def test_a_turn_has_a_form(more: dict[str, object], parts: dict[str, float]) -> None:
    """A turn by whom the question names gains; one that asks, and one of a few words, lose."""
    [fused] = context_fusion([candidate("a", (1, 1.0), session="s", turn=1, **more)])
    form = {name: value for name, value in fused.parts.items() if name in ("speaker", "asks", "short")}
    assert pytest.approx(parts) == form
    assert pytest.approx(sum(fused.parts.values())) == fused.score


@pytest.mark.parametrize("by_assistant", [True, False])
def test_what_is_said_to_a_question_gains(by_assistant: bool) -> None:
    """Half of what a question matches goes to the turn right behind it, unless the assistant says that."""
    pool = [
        candidate("question", (1, 9.0), session="s", turn=1, words=12, asks=True),
        candidate("answer", (2, 1.0), session="s", turn=2, words=12, by_assistant=by_assistant),
        candidate("next", (3, 1.0), session="s", turn=3, words=12),
        candidate("another", (4, 1.0), session="t", turn=2, words=12),
    ]
    fused = {item.id: item for item in context_fusion(pool)}
    gains = {name: item.parts["answers"] for name, item in fused.items() if "answers" in item.parts}
    assert ({} if by_assistant else {"answer": pytest.approx(0.5 * fused["question"].own)}) == gains


def test_what_is_no_turn_has_no_form() -> None:
    """Of facts and of what was read out neither length nor speaker counts."""
    [fused] = context_fusion([candidate("a", (1, 1.0), words=2, by_named=True, asks=True)])
    assert {"speaker", "asks", "short"}.isdisjoint(fused.parts)


def test_a_turn_takes_up_what_is_said_around_it() -> None:
    """A turn adds what its neighbours score, gated by the words between, and what no list holds counts as absent."""
    pool = [
        candidate("a", (1, 4.0), session="s", turn=1, words=10),
        candidate("b", (2, 0.0), session="s", turn=2, words=10),
    ]
    fused = {item.id: item for item in context_fusion(pool, settings=PLAIN)}
    own = {"a": 2.0, "b": -2.0}
    nobody = PLAIN.absent / 2 + 0.5 / 3 * PLAIN.absent
    for turn, other in ("ab", "ba"):
        beside = own[other] / 2 + 0.5 / 3 * PLAIN.absent
        assert pytest.approx(0.5 * (beside + nobody)) == fused[turn].parts["context"]


def test_another_session_is_no_context() -> None:
    """The same number in another session is no neighbour."""
    together = [candidate("a", (1, 4.0), session="s", turn=1, words=1), candidate("b", None, 1, session="s", turn=2)]
    apart = [together[0], candidate("b", None, 1, session="t", turn=2)]
    near, far = (
        {item.id: item.parts["context"] for item in context_fusion(pool, settings=PLAIN)} for pool in (together, apart)
    )
    assert near["b"] > far["b"]


def test_long_turns_stand_for_themselves() -> None:
    """The more words a turn has, the less it takes up from around it."""
    gains = []
    for words in (1, 10, 1000):
        pool = [
            candidate("a", (1, 9.0), session="s", turn=1, words=1),
            candidate("b", None, 1, session="s", turn=2, words=words),
        ]
        gains.append(next(abs(item.parts["context"]) for item in context_fusion(pool) if item.id == "b"))
    assert sorted(gains, reverse=True) == gains
    assert gains[-1] < 0.01 < gains[0]


def test_any_list_counts_by_its_weight() -> None:
    """A list counts by the weight of its name, like the full-text list; one without a weight counts nothing."""
    pool = [Candidate("a", {"x": Hit(1, 3.0), "y": Hit(1, 9.0)}), Candidate("b", {"x": Hit(2, 1.0)})]
    fused = context_fusion(pool, ContextSettings(weights={"x": 0.5}))
    assert [("a", {"x": 0.5}), ("b", {"x": -0.5})] == [(item.id, dict(item.parts)) for item in fused]


# --- links ---


def linked(*sources: str, name: str = "linked", **more: object) -> Candidate:
    """A candidate that these link to by their words."""
    return Candidate(name, links={TITLE_HOP: Link(1, dict.fromkeys(sources, 1.0))}, **more)  # type: ignore[arg-type]


def test_a_link_brings_in_what_no_list_holds() -> None:
    """What the best results link to is ranked, with half of their score; what nothing links to is not."""
    pool = [
        candidate("a", (1, 9.0)),
        candidate("b", (2, 1.0)),
        linked("a"),
        linked(name="unlinked"),
    ]
    fused = {item.id: item for item in context_fusion(pool)}
    assert {"a", "b", "linked"} == set(fused)
    assert pytest.approx(0.5 * fused["a"].score) == fused["linked"].parts[TITLE_HOP]
    assert {} == dict(fused["linked"].hits)


def test_a_bad_result_leads_nowhere() -> None:
    """A result that scores below zero passes nothing on, and one outside the first few neither."""
    pool = [candidate("a", (1, 9.0)), candidate("b", (2, 1.0)), linked("b")]
    assert {"a", "b"} == {item.id for item in context_fusion(pool)}
    many = [candidate(f"m{n}", (n, 20.0 - n)) for n in range(1, 15)]
    for place, expected in ((5, True), (6, False)):
        found = {item.id for item in context_fusion([*many, linked(f"m{place}")])}
        assert expected == ("linked" in found)


def test_the_best_link_counts_once() -> None:
    """What several results link to takes the best of them, and no result gains from itself."""
    pool = [
        candidate("a", (1, 9.0), links={TITLE_HOP: Link(1, {"a": 1.0})}),
        candidate("b", (2, 8.0)),
        candidate("c", (3, 1.0)),
        linked("a", "b"),
    ]
    fused = {item.id: item for item in context_fusion(pool)}
    assert pytest.approx(0.5 * fused["a"].score) == fused["linked"].parts[TITLE_HOP]
    assert TITLE_HOP not in fused["a"].parts


def test_standardising_uses_what_the_lists_hold() -> None:
    """What only a link leads to changes no mean and no deviation."""
    pool = [candidate("a", (1, 9.0), 1, cosine=0.9), candidate("b", (2, 1.0), 2, cosine=0.1)]
    alone = {item.id: item.score for item in context_fusion(pool)}
    joined = {item.id: item.score for item in context_fusion([*pool, linked("a", cosine=0.99)])}
    assert alone == {name: joined[name] for name in alone}
    spread = sqrt(((9 - 5) ** 2 + (1 - 5) ** 2) / 2)
    assert pytest.approx(0.45 * 4 / spread + 1.3) == alone["a"]


# --- facts beside the turns they were found in ---


def fact(name: str, *found_in: str, own: float = 0.0, asked: bool = False) -> tuple[Fused, Candidate]:
    """A fact found in turns (or without any a turn), as it is ranked and as it was found."""
    return Fused(name, own, {}, {VECTOR: own}), Candidate(name, evidence=found_in, asked=asked)


def said(*ranked: tuple[Fused, Candidate]) -> str:
    """What is left, in order; each with the score of its place."""
    ranking = [item.plus("rest", 9.0 - place - item.score) for place, (item, _) in enumerate(ranked)]
    scores = {item.id: item.score for item in ranking}
    kept = collapse_evidence(ranking, [found for _, found in ranked])
    assert [item.score for item in kept] == sorted((item.score for item in kept), reverse=True)
    assert {item.score for item in kept} <= set(scores.values())
    assert [sum(item.parts.values()) for item in kept] == [item.score for item in kept]
    return "".join(item.id for item in kept)


def test_a_fact_gives_way_to_its_turn() -> None:
    """The turn keeps its place; what was found in no turn that is ranked stands for itself."""
    a, t = fact("a"), fact("t", own=2.0)
    assert "at" == said(a, fact("f", "t", own=1.0), t)
    assert "at" == said(fact("f", "t", own=1.0), a, t)
    assert "fa" == said(fact("f", "t"), a)
    assert "fga" == said(fact("f", "x"), fact("g", "x"), a)


def test_a_fact_that_matches_better_stands_in_its_turns_place() -> None:
    """The best of several; once, when it was found in several turns."""
    a, t, u = fact("a"), fact("t"), fact("u")
    assert "af" == said(a, t, fact("f", "t", own=1.0))
    assert "fua" == said(fact("f", "t", "u", own=1.0), t, u, a)
    assert "ga" == said(fact("f", "t", own=1.0), t, a, fact("g", "t", own=2.0))


def test_a_fact_that_is_asked_for_stands_in_its_turns_place() -> None:
    """Also where its turn matches better, and before other facts of the turn."""
    a, t = fact("a"), fact("t", own=2.0)
    assert "af" == said(a, fact("f", "t", own=1.0, asked=True), t, fact("g", "t", own=3.0))


def test_the_part_turn_is_what_the_turn_scores_beyond_its_fact() -> None:
    """A fact in its turn's place has the turn's score: its own parts, and the rest as one more."""
    turn, words = fact("t")[0].plus("context", 3.0), fact("f", "t", own=1.0)
    [stands] = collapse_evidence([turn, words[0]], [Candidate("t"), words[1]])
    assert Fused("f", 3.0, {}, {VECTOR: 1.0, "turn": 2.0}) == stands


# --- pools behind each other ---


def test_a_deeper_pool_stands_behind() -> None:
    """What a deeper pool adds comes behind, by one part that all of it shares; what is behind stays as it is."""
    first, second = [fact("a", own=5.0)[0], fact("b", own=2.0)[0]], [fact("c", own=4.0)[0], fact("d", own=1.0)[0]]
    moved = deeper(first, second)
    assert ["c", "d"] == [item.id for item in moved]
    assert [pytest.approx(-2.0), pytest.approx(-2.0)] == [item.parts["depth"] for item in moved]
    assert moved[0].score < first[-1].score
    assert second[1:] == deeper(first, second[1:])
    assert second == deeper([], second)
    assert [] == deeper(first, [])


# --- facts ---


def test_facts_lift_the_turns_they_were_found_in() -> None:
    """By a share of the best of them, which is shown as a part; below its own score ranks a fact whose turn is none of
    the candidates, and one without a turn that the viewer may see stands for itself.
    """
    turns = [
        candidate(n, vector=1, cosine=c, turn=i, session="s") for i, (n, c) in enumerate([("t", 0.5), ("u", 0.4)], 1)
    ]
    found = candidate("f", vector=2, cosine=0.6, evidence=("u",))
    lone = candidate("g", vector=3, cosine=0.6, evidence=("elsewhere",))
    before = {item.id: item.score for item in context_fusion(turns)}
    after = {item.id: item for item in context_fusion([*turns, found, lone])}
    assert before["t"] == after["t"].score
    assert after["u"].score == pytest.approx(before["u"] + CONTEXT.facts * after["f"].own)
    assert after["u"].parts["facts"] > 0
    assert after["g"].score == pytest.approx(after["g"].own - CONTEXT.alone)
    best = context_fusion([*turns, candidate("h", vector=1, cosine=0.6)])[0]
    assert ("h", {FULL_TEXT, VECTOR, LATE_INTERACTION}) == (best.id, set(best.parts))


def test_words_that_answers_hold_add_the_bonus() -> None:
    """To what holds them."""
    pool = [candidate("a", (1, 1.0)), candidate("b", (1, 1.0), cued=True)]
    scores = {item.id: item.score for item in context_fusion(pool, ContextSettings(cue_bonus=0.7))}
    assert pytest.approx(0.7) == scores["b"] - scores["a"]


def test_a_fact_that_is_asked_for_has_its_bonus() -> None:
    """It adds to what it matches by itself, and so to the turn that it was found in."""
    pool = [candidate("a", (1, 1.0)), candidate("b", (1, 1.0), asked=True)]
    fused = {item.id: item for item in context_fusion(pool, ContextSettings(asked_bonus=1.5))}
    assert pytest.approx(1.5) == fused["b"].score - fused["a"].score
    assert {"asked"} == set(fused["b"].parts) - set(fused["a"].parts)


# --- late interaction ---


def test_late_interaction_counts_like_a_list() -> None:
    """It adds the standardised similarity of words; what was not compared has that of its cosine."""
    compared = {"a": 0.9, "b": 0.1}
    pool = [candidate(name, vector=1, cosine=0.5, late_interaction=late) for name, late in compared.items()]
    fused = {item.id: item.parts for item in context_fusion(pool)}
    assert {"a": 1.0, "b": -1.0} == {name: pytest.approx(parts[LATE_INTERACTION]) for name, parts in fused.items()}
    pool = [candidate("a", vector=1, cosine=0.9), candidate("b", vector=2, cosine=0.1)]
    fused = {item.id: item.parts for item in context_fusion(pool)}
    assert {"a": 1.0, "b": -1.0} == {name: pytest.approx(parts[LATE_INTERACTION]) for name, parts in fused.items()}


# --- facts from elsewhere ---


def test_a_fact_from_elsewhere_passes_what_was_said_here_only_by_far() -> None:
    """It ranks below its own score, and what was said here is standardised as if it were not there."""
    here = [candidate(name, vector=1, cosine=cosine) for name, cosine in (("t", 0.5), ("u", 0.4), ("v", 0.3))]
    alone = {item.id: item.score for item in context_fusion(here)}
    near, far = (candidate(name, vector=1, cosine=c, elsewhere=True) for name, c in (("f", 0.6), ("g", 0.95)))
    ranked = context_fusion([*here, near, far])
    assert ["g", "t", "u", "v", "f"] == [item.id for item in ranked]
    assert alone == {item.id: item.score for item in ranked if item.id in alone}
    assert {-CONTEXT.elsewhere} == {item.parts["elsewhere"] for item in ranked if item.id in "fg"}
