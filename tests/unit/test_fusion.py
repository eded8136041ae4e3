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
    """Returns a candidate: `text` is its rank and score in the full-text list, `vector` its rank in the vector list."""
    hits = {}
    if text:
        hits[FULL_TEXT] = Hit(*text)
    if vector:
        hits[VECTOR] = Hit(vector, 0.0)
    return Candidate(name, hits, **more)  # type: ignore[arg-type]


# --- collapsing duplicates ---


def test_the_summary_of_a_session_gives_way_to_its_turns() -> None:
    """The summary of a session is dropped if a turn of that session ranks before it. A summary before its turns,
    without turns, or of no session is kept.
    """
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
    """The score is the sum of 1 / (k + rank) over the lists of a candidate, best first, as computed by hand."""
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
    """A list counts with its weight; a list without one has weight 1."""
    pool = [Candidate("a", {"x": Hit(1, 0.0)}), Candidate("b", {"y": Hit(1, 0.0)})]
    fused = reciprocal_rank_fusion(pool, k=1, weights={"x": 0.5})
    assert [("b", 0.5), ("a", 0.25)] == [(item.id, item.score) for item in fused]
    assert [{"y": 0.5}, {"x": 0.25}] == [dict(item.parts) for item in fused]


def test_equal_scores_go_by_id() -> None:
    """Candidates with equal scores are sorted by id, so that pages are stable."""
    pool = [Candidate(name, {"x": Hit(1, 0.0)}) for name in "cab"]
    assert ["a", "b", "c"] == [item.id for item in reciprocal_rank_fusion(pool, k=60, weights={})]


# --- context fusion ---

PLAIN = ContextSettings(
    weights={FULL_TEXT: 2.0, VECTOR: 1.0}, asker_bonus=10.0, share=0.5, decay=0.5, reach=2, half_words=10.0, power=1.0
)


def test_nothing_gives_nothing() -> None:
    """Without candidates both methods return an empty ranking."""
    assert [] == context_fusion([])
    assert [] == reciprocal_rank_fusion([], k=60, weights={})


def test_scores_are_standardised() -> None:
    """The score of a memory that is no turn is the weighted sum of its standardised BM25 score and cosine."""
    pool = [candidate("a", (1, 6.0), 2, cosine=0.2), candidate("b", None, 1, cosine=0.8)]
    scores = {item.id: item.score for item in context_fusion(pool, settings=PLAIN)}
    assert {"a": pytest.approx(2.0 - 1.0), "b": pytest.approx(-2.0 + 1.0)} == scores


def test_without_spread_a_list_says_nothing() -> None:
    """A list whose scores are all equal adds 0, without a division by zero."""
    pool = [candidate(name, (1, 3.0), 1, cosine=0.5) for name in "ab"]
    assert [("a", 0.0), ("b", 0.0)] == [(item.id, item.score) for item in context_fusion(pool)]


def test_a_list_without_spread_shows_no_score_of_its_own() -> None:
    """If the turns have equal scores, a fact found in one scores 0 in each list. With a single turn, the fact's parts
    do not depend on the scale of its BM25 score.
    """

    def shown(turns: list[str], bm25: float) -> Mapping[str, float]:
        pool = [candidate(name, (1, 0.1), 1, cosine=0.1, turn=n) for n, name in enumerate(turns)]
        pool.append(candidate("f", (1, bm25), 2, cosine=0.9, evidence=("t",)))
        return next(item.parts for item in context_fusion(pool) if item.id == "f")

    assert {FULL_TEXT: 0.0, VECTOR: 0.0, LATE_INTERACTION: 0.0} == shown(["t", "u"], 7.5)
    assert shown(["t"], 7.5) == pytest.approx(shown(["t"], 75.0))


def test_without_vectors_the_words_decide() -> None:
    """Without any cosine, candidates are ordered by BM25 and their vector part is 0."""
    pool = [candidate("a", (2, 1.0)), candidate("b", (1, 5.0)), candidate("c", (3, 0.5))]
    fused = context_fusion(pool)
    assert ["b", "a", "c"] == [item.id for item in fused]
    assert {0.0} == {item.parts[VECTOR] for item in fused}


def test_without_a_vector_yet_the_words_decide() -> None:
    """A candidate without a cosine, among others with one, gets the z of its BM25 score for the vector list too, and
    does not change the z of the others.
    """
    pool = [candidate("a", None, 1, cosine=0.6), candidate("b", (2, 1.0), 2, cosine=0.4), candidate("new", (1, 5.0))]
    fused = {item.id: item.parts for item in context_fusion(pool, settings=PLAIN)}
    assert pytest.approx(2 * fused["new"][VECTOR]) == fused["new"][FULL_TEXT]
    assert (1.0, -1.0) == (pytest.approx(fused["a"][VECTOR]), pytest.approx(fused["b"][VECTOR]))


def test_the_asker_is_preferred() -> None:
    """Of two equal candidates, the one whose speaker asks the question ranks first, by the bonus for it."""
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
    """A turn gains if the question names its speaker, and loses if it asks a question or has few words."""
    [fused] = context_fusion([candidate("a", (1, 1.0), session="s", turn=1, **more)])
    form = {name: value for name, value in fused.parts.items() if name in ("speaker", "asks", "short")}
    assert pytest.approx(parts) == form
    assert pytest.approx(sum(fused.parts.values())) == fused.score


@pytest.mark.parametrize("by_assistant", [True, False])
def test_what_is_said_to_a_question_gains(by_assistant: bool) -> None:
    """The turn right after a question gains half of the question's own score, unless the assistant is its speaker."""
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
    """Length, speaker and questions do not count for a candidate that is no turn."""
    [fused] = context_fusion([candidate("a", (1, 1.0), words=2, by_named=True, asks=True)])
    assert {"speaker", "asks", "short"}.isdisjoint(fused.parts)


def test_a_turn_takes_up_what_is_said_around_it() -> None:
    """A turn gains from its neighbours' own scores, gated by the number of words; positions without a candidate count
    as `absent`.
    """
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
    """A turn of another session is no neighbour, whatever its position."""
    together = [candidate("a", (1, 4.0), session="s", turn=1, words=1), candidate("b", None, 1, session="s", turn=2)]
    apart = [together[0], candidate("b", None, 1, session="t", turn=2)]
    near, far = (
        {item.id: item.parts["context"] for item in context_fusion(pool, settings=PLAIN)} for pool in (together, apart)
    )
    assert near["b"] > far["b"]


def test_long_turns_stand_for_themselves() -> None:
    """The more words a turn has, the less it gains from the turns around it."""
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
    """Any list counts with the weight of its name; a list without a weight does not count."""
    pool = [Candidate("a", {"x": Hit(1, 3.0), "y": Hit(1, 9.0)}), Candidate("b", {"x": Hit(2, 1.0)})]
    fused = context_fusion(pool, ContextSettings(weights={"x": 0.5}))
    assert [("a", {"x": 0.5}), ("b", {"x": -0.5})] == [(item.id, dict(item.parts)) for item in fused]


# --- links ---


def linked(*sources: str, name: str = "linked", **more: object) -> Candidate:
    """Returns a candidate in no list, to which `sources` link by their words."""
    return Candidate(name, links={TITLE_HOP: Link(1, dict.fromkeys(sources, 1.0))}, **more)  # type: ignore[arg-type]


def test_a_link_brings_in_what_no_list_holds() -> None:
    """A candidate in no list is ranked if a top result links to it, with half of that result's score; else it is left
    out.
    """
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
    """Links from a result with a negative score, or from one that ranks sixth or lower, bring in nothing."""
    pool = [candidate("a", (1, 9.0)), candidate("b", (2, 1.0)), linked("b")]
    assert {"a", "b"} == {item.id for item in context_fusion(pool)}
    many = [candidate(f"m{n}", (n, 20.0 - n)) for n in range(1, 15)]
    for place, expected in ((5, True), (6, False)):
        found = {item.id for item in context_fusion([*many, linked(f"m{place}")])}
        assert expected == ("linked" in found)


def test_the_best_link_counts_once() -> None:
    """Of several links to a candidate only the best counts, and no result gains from a link to itself."""
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
    """A candidate that only links lead to does not change the mean and deviation, nor the scores of the others."""
    pool = [candidate("a", (1, 9.0), 1, cosine=0.9), candidate("b", (2, 1.0), 2, cosine=0.1)]
    alone = {item.id: item.score for item in context_fusion(pool)}
    joined = {item.id: item.score for item in context_fusion([*pool, linked("a", cosine=0.99)])}
    assert alone == {name: joined[name] for name in alone}
    spread = sqrt(((9 - 5) ** 2 + (1 - 5) ** 2) / 2)
    assert pytest.approx(0.45 * 4 / spread + 1.3) == alone["a"]


# --- facts and their evidence ---


def fact(name: str, *found_in: str, own: float = 0.0, asked: bool = False) -> tuple[Fused, Candidate]:
    """Returns a fact with the turns `found_in` as evidence, or without any a turn: as ranked, and as a candidate."""
    return Fused(name, own, {}, {VECTOR: own}), Candidate(name, evidence=found_in, asked=asked)


def said(*ranked: tuple[Fused, Candidate]) -> str:
    """Ranks the items in the order given, collapses duplicates, and returns the ids that remain, in order. Asserts that
    scores descend, come from the given ranking, and equal the sums of their parts.
    """
    ranking = [item.plus("rest", 9.0 - place - item.score) for place, (item, _) in enumerate(ranked)]
    scores = {item.id: item.score for item in ranking}
    kept = collapse_evidence(ranking, [found for _, found in ranked])
    assert [item.score for item in kept] == sorted((item.score for item in kept), reverse=True)
    assert {item.score for item in kept} <= set(scores.values())
    assert [sum(item.parts.values()) for item in kept] == [item.score for item in kept]
    return "".join(item.id for item in kept)


def test_a_fact_gives_way_to_its_turn() -> None:
    """A fact that matches worse than its turn is dropped, and the turn keeps its place. Facts whose turn is not
    ranked are kept.
    """
    a, t = fact("a"), fact("t", own=2.0)
    assert "at" == said(a, fact("f", "t", own=1.0), t)
    assert "at" == said(fact("f", "t", own=1.0), a, t)
    assert "fa" == said(fact("f", "t"), a)
    assert "fga" == said(fact("f", "x"), fact("g", "x"), a)


def test_a_fact_that_matches_better_stands_in_its_turns_place() -> None:
    """The best fact that matches better than its turn takes its place; a fact found in several turns appears once."""
    a, t, u = fact("a"), fact("t"), fact("u")
    assert "af" == said(a, t, fact("f", "t", own=1.0))
    assert "fua" == said(fact("f", "t", "u", own=1.0), t, u, a)
    assert "ga" == said(fact("f", "t", own=1.0), t, a, fact("g", "t", own=2.0))


def test_a_fact_that_is_asked_for_stands_in_its_turns_place() -> None:
    """A fact that answers the question takes its turn's place even if the turn or another fact of it matches better."""
    a, t = fact("a"), fact("t", own=2.0)
    assert "af" == said(a, fact("f", "t", own=1.0, asked=True), t, fact("g", "t", own=3.0))


def test_the_part_turn_is_what_the_turn_scores_beyond_its_fact() -> None:
    """A fact in its turn's place has the turn's score; the part `turn` is the difference to its own parts."""
    turn, words = fact("t")[0].plus("context", 3.0), fact("f", "t", own=1.0)
    [stands] = collapse_evidence([turn, words[0]], [Candidate("t"), words[1]])
    assert Fused("f", 3.0, {}, {VECTOR: 1.0, "turn": 2.0}) == stands


# --- deeper pools ---


def test_a_deeper_pool_stands_behind() -> None:
    """A deeper pool is moved behind the ranking by the same part `depth` for all its items; a pool that is behind
    already is unchanged.
    """
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
    """A turn gains a share of its fact's own score, as the part `facts`. A fact whose turn is no candidate ranks
    below its own score; a fact without evidence keeps it.
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
    """A candidate that holds words which answers often hold gains the bonus for cues."""
    pool = [candidate("a", (1, 1.0)), candidate("b", (1, 1.0), cued=True)]
    scores = {item.id: item.score for item in context_fusion(pool, ContextSettings(cue_bonus=0.7))}
    assert pytest.approx(0.7) == scores["b"] - scores["a"]


def test_a_fact_that_is_asked_for_has_its_bonus() -> None:
    """A fact that the question asks for gains the bonus, as the part `asked`, and so does the turn it was found in."""
    pool = [candidate("a", (1, 1.0)), candidate("b", (1, 1.0), asked=True)]
    fused = {item.id: item for item in context_fusion(pool, ContextSettings(asked_bonus=1.5))}
    assert pytest.approx(1.5) == fused["b"].score - fused["a"].score
    assert {"asked"} == set(fused["b"].parts) - set(fused["a"].parts)
    pool = [candidate("t", (1, 1.0)), candidate("u", (1, 1.0)), candidate("f", (1, 1.0), evidence=("t",), asked=True)]
    fused = {item.id: item for item in context_fusion(pool, ContextSettings(asked_bonus=1.5))}
    assert {"t": 1.5, "f": 1.5} == {name: item.parts["asked"] for name, item in fused.items() if "asked" in item.parts}


# --- late interaction ---


def test_late_interaction_counts_like_a_list() -> None:
    """Late interaction adds its standardised similarity; without a comparison, the z of the cosine counts instead."""
    compared = {"a": 0.9, "b": 0.1}
    pool = [candidate(name, vector=1, cosine=0.5, late_interaction=late) for name, late in compared.items()]
    fused = {item.id: item.parts for item in context_fusion(pool)}
    assert {"a": 1.0, "b": -1.0} == {name: pytest.approx(parts[LATE_INTERACTION]) for name, parts in fused.items()}
    pool = [candidate("a", vector=1, cosine=0.9), candidate("b", vector=2, cosine=0.1)]
    fused = {item.id: item.parts for item in context_fusion(pool)}
    assert {"a": 1.0, "b": -1.0} == {name: pytest.approx(parts[LATE_INTERACTION]) for name, parts in fused.items()}


# --- facts from elsewhere ---


def test_a_fact_from_elsewhere_passes_what_was_said_here_only_by_far() -> None:
    """A fact from elsewhere loses the constant `elsewhere`, so it passes local memories only if it matches far
    better. It does not change the scores of local memories.
    """
    here = [candidate(name, vector=1, cosine=cosine) for name, cosine in (("t", 0.5), ("u", 0.4), ("v", 0.3))]
    alone = {item.id: item.score for item in context_fusion(here)}
    near, far = (candidate(name, vector=1, cosine=c, elsewhere=True) for name, c in (("f", 0.6), ("g", 0.95)))
    ranked = context_fusion([*here, near, far])
    assert ["g", "t", "u", "v", "f"] == [item.id for item in ranked]
    assert alone == {item.id: item.score for item in ranked if item.id in alone}
    assert {-CONTEXT.elsewhere} == {item.parts["elsewhere"] for item in ranked if item.id in "fg"}
