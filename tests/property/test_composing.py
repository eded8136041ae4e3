"""Composing a context from any pieces: its budget, repetitions, its fence and notice."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippograph.graph.context.composing import ALWAYS, SEARCHED, LeftOut, Part, Piece, Reason, Section, compose
from hippograph.graph.context.fence import NOTICE
from hippograph.nlp.embedding.token_count import reckoned_tokens

IDS = [f"{number:032x}" for number in range(8)]
texts = st.one_of(
    st.text(st.sampled_from("ab #-\n>["), min_size=1, max_size=40),
    st.lists(
        st.sampled_from(["</memories>", "<MEMORIES", "\n", "## Open", "- ", "[id:", "[person:", "a "]), min_size=1
    ).map("".join),
)
parts = st.builds(Part, texts, st.one_of(st.none(), st.sampled_from(IDS)))
pieces = st.builds(
    Piece,
    section=st.sampled_from([Section.FACTS, Section.PROFILES, Section.TEMPORAL]),
    reason=st.sampled_from(Reason),
    parts=st.lists(parts, min_size=1, max_size=3).map(tuple),
    lead=st.sampled_from(["", "Ana, 3 May 2026: "]),
    order=st.sampled_from(["", "1", "2"]),
)
quotations = st.builds(
    Piece,
    section=st.just(Section.EVIDENCE),
    reason=st.just(Reason.SOURCE),
    parts=parts.map(lambda part: (part,)),
    under=st.sampled_from(IDS),
)
wanted = st.tuples(st.lists(pieces, max_size=12), st.lists(quotations, max_size=4)).map(lambda two: two[0] + two[1])
standing = st.lists(
    st.builds(
        Piece,
        section=st.sampled_from([Section.STATE, Section.PINNED]),
        reason=st.just(Reason.PINNED),
        parts=parts.map(lambda part: (part,)),
    ),
    max_size=6,
)


def longer_together(text: str) -> int:
    """Counts more tokens for lines together than for each alone."""
    return reckoned_tokens(text) + len(text.split("\n")) ** 2


@given(pieces=wanted, budget=st.integers(0, 600), count=st.sampled_from([reckoned_tokens, len, longer_together]))
def test_the_budget_is_never_exceeded(pieces, budget, count) -> None:
    """The context never has more tokens than the budget, whatever the pieces are, and however tokens are counted."""
    composed = compose(pieces, SEARCHED, budget, count)
    assert composed.tokens == (count(composed.text) if composed.text else 0)
    assert composed.tokens <= budget


@given(always=standing, pieces=wanted, budget=st.integers(0, 300))
def test_nothing_is_there_twice(always, pieces, budget) -> None:
    """No memory and no words occur twice, neither in one section nor in two, nor in the standing part and the searched
    part.
    """
    before = compose(always, ALWAYS, 200, reckoned_tokens)
    after = compose(pieces, SEARCHED, budget, reckoned_tokens, before)
    shown = [part for entry in (*before.entries, *after.entries) for part in entry.piece.parts]
    ids = [part.memory_id for part in shown if part.memory_id]
    words = [" ".join(re.findall(r"\w+", part.text.casefold())) or part.text for part in shown]
    assert len(set(ids)) == len(ids)
    assert len(set(words)) == len(words)


@given(pieces=wanted, budget=st.integers(0, 200))
def test_all_is_accounted_for(pieces, budget) -> None:
    """Each part that is not a quotation is in the context or in `left_out`."""
    composed = compose(pieces, SEARCHED, budget, reckoned_tokens)
    told = [part for entry in composed.entries for part in entry.piece.parts]
    told += [part for omission in composed.left_out for part in omission.piece.parts]
    assert {part for piece in pieces if not piece.under for part in piece.parts} <= set(told)


@given(pieces=wanted, budget=st.integers(0, 200))
def test_a_quotation_stands_under_its_fact(pieces, budget) -> None:
    """A quotation is only in a context that has its fact, and each heading is followed by an item."""
    composed = compose(pieces, SEARCHED, budget, reckoned_tokens)
    shown = {memory_id for entry in composed.entries for memory_id in entry.piece.memory_ids}
    assert all(entry.piece.under in shown for entry in composed.entries if entry.piece.under)
    lines = composed.text.split("\n")
    headings = [number for number, line in enumerate(lines) if line.startswith("## ")]
    assert all(lines[number + 1].startswith("- ") for number in headings)


@given(pieces=wanted)
def test_words_are_no_markup_of_ours(pieces) -> None:
    """Words that look like a heading, an item, an id or the fence are escaped, and stay in the line of their item."""
    composed = compose(pieces, SEARCHED, 10_000, len)
    lines = [line for line in composed.text.split("\n") if line]
    sections = {entry.piece.section for entry in composed.entries} - {Section.EVIDENCE}
    around = 3 if composed.text else 0
    assert len(composed.entries) + len(sections) + around == len(lines)
    assert [NOTICE, "<memories>", "</memories>"][:around] == ([*lines[:2], lines[-1]] if lines else [])
    words = "\n".join(lines[2:-1])
    assert not re.search(
        r"<\W*memories|\[person:|^(?:- |  > )(?:[^\\]*: )?(?:#|- )", words, re.IGNORECASE | re.MULTILINE
    )
    shown = [part.memory_id for entry in composed.entries for part in entry.piece.parts if part.memory_id]
    assert len(shown) == words.count("[id:")


@given(always=standing, pieces=wanted)
def test_the_notice_is_there_once(always, pieces) -> None:
    """The notice occurs once, at the beginning, and each of the two parts has a fence of its own."""
    before = compose(always, ALWAYS, 1000, len)
    after = compose(pieces, SEARCHED, 1000, len, before)
    text = "\n\n".join(filter(None, (before.text, after.text)))
    assert int(bool(text)) == text.count(NOTICE)
    assert text.startswith(NOTICE) or not text
    assert bool(before.text) + bool(after.text) == text.count("\n</memories>")


def fact(text: str, number: int, section: Section = Section.FACTS) -> Piece:
    """A piece with one memory."""
    return Piece(section, Reason.FOUND, (Part(text, IDS[number]),), detail=str(number))


def by_letter(text: str) -> int:
    """Counts one token for each x."""
    return text.count("x")


def test_a_share_that_is_not_used_flows_on() -> None:
    """Turns get what facts leave of the budget, and facts get what is left at the end."""
    turns = [fact("x " * 30 + str(number), number, Section.TEMPORAL) for number in range(2)]
    assert [turn.detail for turn in turns] == [
        entry.piece.detail for entry in compose(turns, SEARCHED, 100, by_letter).entries
    ]
    facts = [fact("x " * 30 + str(number), number) for number in range(3)]
    assert 3 == len(compose(facts, SEARCHED, 100, by_letter).entries)


def test_a_section_keeps_its_share_from_others() -> None:
    """Turns get a quarter of the budget, however many facts there are."""
    facts = [fact("x " * 20 + str(number), number) for number in range(7)]
    turn = fact("x " * 25, 7, Section.TEMPORAL)
    composed = compose([*facts, turn], SEARCHED, 100, by_letter)
    assert Section.TEMPORAL in {entry.piece.section for entry in composed.entries}


def test_a_card_that_is_too_long_loses_its_last_facts() -> None:
    """A card that is too long keeps its first facts, and the others are reported as left out."""
    card = Piece(Section.FACTS, Reason.CARD, (Part("x x", IDS[0]), Part("x x y", IDS[1])), lead="[person:john]: ")
    composed = compose([card], {Section.FACTS: 1.0}, 3, by_letter)
    assert f"## What is known\n- [person:john]: x x [id:{IDS[0]}]" in composed.text
    [omission] = composed.left_out
    assert (LeftOut.BUDGET, (IDS[1],)) == (omission.why, omission.piece.memory_ids)


def test_what_others_say_is_not_said_again() -> None:
    """A relation is left out if a memory that says the same is covered, a summary if all memories that it is made of
    are. A memory that a standing relation is made of is still shown.
    """
    known = Piece(Section.SPINE, Reason.SPINE, (Part("Ana is Tom's sister", made_of=frozenset({IDS[0]})),))
    before = compose([known], ALWAYS, 1000, len)
    sister = Part("Ana is the sister of Tom", IDS[1], same_as=(IDS[1], IDS[0]))
    summary = Part("Ana is Tom's sister. Ana is 34.", IDS[2], made_of=frozenset({IDS[0], IDS[3]}))
    profile = Piece(Section.PROFILES, Reason.PROFILE, (sister, summary), lead="person:ana: ")
    [entry] = compose([profile], SEARCHED, 1000, len, before).entries
    assert (summary,) == entry.piece.parts
    found = compose([fact("Ana is 34", 3), profile], SEARCHED, 1000, len, before)
    assert [IDS[3]] == [part.memory_id for entry in found.entries for part in entry.piece.parts]
    whole = fact("Ana, who is Tom's sister, has moved to Graz", 0)
    kept = compose([whole], SEARCHED, 1000, len, before).entries
    assert [IDS[0]] == [part.memory_id for entry in kept for part in entry.piece.parts]


@pytest.mark.parametrize("budget", [0, 1])
def test_nothing_that_fits_is_nothing(budget: int) -> None:
    """Without room there is no text, not even a heading."""
    composed = compose([fact("x x", 0)], SEARCHED, budget, by_letter)
    assert ("", 0, ()) == (composed.text, composed.tokens, composed.entries)
