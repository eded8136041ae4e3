"""Distances of many words at once, in numpy, and lower bounds of them (`nlp.names.phonetics.distance`)."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Final

import numpy as np

from hippograph.nlp.names.phonetics import (
    INITIAL_WEIGHT,
    consonants_of,
    deletion_cost,
    heard_as,
    sounds_of,
    substitution_cost,
    total_cost,
)

_CACHED: Final = 20_000
_PHONES: Final = "abdefghiklmnoprstuvwyzCJNSTZ"
_OTHER: Final = len(_PHONES)
WIDTH: Final = _OTHER + 1
LONGEST: Final = 64
Numbers = np.ndarray[Any, np.dtype[np.float32]]
Codes = np.ndarray[Any, np.dtype[np.int8 | np.int64]]


def lower_bounds(ones: Numbers, others: Numbers) -> Numbers:
    """What it costs at least to turn each of the ones into each of the others: what each of its sounds costs beside
    those of the other, the other way round too.
    """
    forth = ones[:, : 2 * WIDTH] @ others[:, 2 * WIDTH : -1].T
    back = ones[:, 2 * WIDTH : -1] @ others[:, : 2 * WIDTH].T
    return np.asarray(np.maximum(forth, back))


def alignment_costs(ones: Codes, lengths: Codes, others: Codes, their_lengths: Codes) -> Numbers:
    """What it costs to turn one sound after the other into the other word's, pair by pair
    (`nlp.names.phonetics.distance`).
    """
    pairs, width = len(ones), int(their_lengths.max(initial=0))
    if not pairs:
        return np.empty(0, np.float32)
    lost = _deletion_costs()[others[:, :width]]
    lost[:, 0] *= INITIAL_WEIGHT
    added = np.concatenate([np.zeros((pairs, 1), np.float32), np.cumsum(lost, axis=1)], axis=1)
    least = added
    for row in range(int(lengths.max())):
        mine, first = ones[:, row], 1.0 if row else INITIAL_WEIGHT
        taken = _substitution_costs()[mine[:, np.newaxis], others[:, :width]]
        taken[:, 0] *= first
        following = least + (_deletion_costs()[mine] * first)[:, np.newaxis]
        following[:, 1:] = np.minimum(following[:, 1:], least[:, :-1] + taken)
        # Then whatever of the other word is lost, from any place on.
        following = added + np.minimum.accumulate(following - added, axis=1)
        least = np.where((row < lengths)[:, np.newaxis], following, least)
    costs: Numbers = least[np.arange(pairs), their_lengths]
    costs[np.maximum(lengths, their_lengths) == LONGEST] = 0.0  # they may be longer
    return costs


@dataclass(frozen=True, slots=True)
class Coded:
    """Forms of a word, a row each: in numbers (`_numbered`), as codes of their phones, how many these are, and without
    vowels.
    """

    numbers: Numbers
    codes: Codes
    lengths: Codes
    skeletons: np.ndarray[Any, np.dtype[np.object_]]


@dataclass(frozen=True, slots=True)
class _Forms:
    """How a word may be heard, and how it may be read."""

    heard: Coded
    read: Coded


@lru_cache(_CACHED)
def coded_forms(unit: str) -> _Forms:
    """Of words said in one breath, and written as one."""
    ways = {unit, unit.replace(" ", "")}
    return _Forms(
        _coded({form for each in ways for form in heard_as(each)}),
        _coded({form for each in ways for form in sounds_of(each)}),
    )


def _coded(forms: set[str]) -> Coded:
    codes = np.zeros((len(forms), LONGEST), np.int8)
    for row, form in enumerate(forms):
        codes[row, : min(len(form), LONGEST)] = [_place(phone) for phone in form[:LONGEST]]
    lengths = np.array([min(len(form), LONGEST) for form in forms], np.int64)
    return Coded(
        np.stack([_numbered([form]) for form in forms]), codes, lengths, np.array([*map(consonants_of, forms)], object)
    )


@lru_cache(_CACHED)
def to_numbers(unit: str) -> Numbers:
    """What a word may sound like, in numbers."""
    ways = {unit, unit.replace(" ", "")}
    return _numbered({form for each in ways for form in (*heard_as(each), *sounds_of(each))})


def _numbered(forms: Collection[str]) -> Numbers:
    """How often each phone is there at least, and what each of another word costs beside these at least, once for the
    rest of a word and once for its first phone; and how much there is at most.
    """
    counts = np.min([_counts(form) for form in forms], axis=0)
    costs = np.min([_costs(form) for form in forms], axis=0)
    made: Numbers = np.concatenate([counts, costs, [max(map(total_cost, forms))]]).astype(np.float32)
    return made


def _place(phone: str) -> int:
    return _PHONES.find(phone) if phone in _PHONES else _OTHER


@lru_cache(_CACHED)
def _counts(heard: str) -> Numbers:
    counts = np.zeros(2 * WIDTH, np.float32)
    for place, phone in enumerate(heard):
        counts[_place(phone) + (WIDTH if place == 0 else 0)] += 1
    return counts


@lru_cache(_CACHED)
def _costs(heard: str) -> Numbers:
    """What each phone costs at least beside these: it is not heard, or taken for one of them."""
    table = _substitution_costs()
    places = [_place(phone) for phone in heard]
    rest = np.minimum(_deletion_costs(), table[:, places].min(axis=1))
    first = np.minimum(INITIAL_WEIGHT * _deletion_costs(), INITIAL_WEIGHT * table[:, places[0]])
    if len(places) > 1:
        first = np.minimum(first, table[:, places[1:]].min(axis=1))
    costs: Numbers = np.concatenate([rest, first]) - np.float32(1e-5)
    return costs


@cache
def _deletion_costs() -> Numbers:
    return np.array([*map(deletion_cost, _PHONES), 0.0], np.float32)


@cache
def _substitution_costs() -> Numbers:
    table = np.zeros((WIDTH, WIDTH), np.float32)
    for row, one in enumerate(_PHONES):
        for column, other in enumerate(_PHONES):
            table[row, column] = substitution_cost(one, other)
    return table
