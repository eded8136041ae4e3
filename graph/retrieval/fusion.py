"""Fusion of any number of ranked lists, known by name, into one ranking. Pure functions: no database, no model.

There are two methods. `rrf` is Reciprocal Rank Fusion. `context`, the default, was measured to be better on every file
(BENCHMARKS.md). It adds standardised scores, so that margins count and not only ranks; it lets a short turn gain from
the turns around it; and it follows the names in the best documents to the documents about them.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import sqrt
from typing import Final, Literal

Fusion = Literal["context", "rrf"]

FULL_TEXT: Final = "full_text"
VECTOR: Final = "vector"
LATE_INTERACTION: Final = "late_interaction"
TITLE_HOP: Final = "title_hop"
CAUSAL: Final = "causal"
TEMPORAL: Final = "temporal"
ENTITY: Final = "entity"
CO_RECALLED: Final = "co_recalled"
PERIOD: Final = "period"
ASKED: Final = "asked"
LISTS: Final = (FULL_TEXT, VECTOR, ENTITY, PERIOD, CAUSAL, TEMPORAL)
"""The lists whose weights the setting `rrf_weights` multiplies, in both methods of fusion."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory in one list: its rank, from 1 on, and the list's own score, comparable only inside that list."""

    rank: int
    score: float


@dataclass(frozen=True, slots=True)
class Link:
    """The links of one kind that lead to a memory. `rank` is its rank in the list of that kind, from 1 on. `seeds` maps
    the id of each candidate from which they lead to the strength of the link, 0 to 1. `path` is the shortest path from
    one of these, by ids.
    """

    rank: int
    seeds: Mapping[str, float]
    path: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory to be ranked, with what ranking may know of it.

    `hits` are by list; they are empty for a memory that only links lead to. `links` are by kind.
    `cosine` is the exact similarity to the query, whichever list the memory is in; None without a vector.
    `late_interaction` is the similarity of the token vectors (`nlp.embedding.late_interaction`); None if not compared.
    `turn` is the position among the turns of its session that the viewer may see; None for what is no turn.
    `by_asker`: the question is in the first person and the viewer is the speaker. `by_named`: the question names the
    speaker. `by_assistant`: the assistant is the speaker. `asks`: the text ends with a question.
    `cued`: it holds what answers to such a question often hold. `asked`: it is a fact of a frame that the question asks
    for, about a subject of the question. `of_another_kind`: it is a fact of another frame.
    `evidence` are the turns that a fact was extracted from and the viewer may see. `summary`: it is the summary of a
    session, which repeats what turns say. `elsewhere`: in a group, it is a fact that is neither the viewer's own nor
    learned there. `own_score` is the reinforcement score if the viewer owns the memory, else 0 (T5).
    """

    id: str
    hits: Mapping[str, Hit] = field(default_factory=dict)
    cosine: float | None = None
    late_interaction: float | None = None
    session: str | None = None
    turn: int | None = None
    words: int = 0
    by_asker: bool = False
    by_named: bool = False
    by_assistant: bool = False
    asks: bool = False
    cued: bool = False
    asked: bool = False
    of_another_kind: bool = False
    evidence: Sequence[str] = ()
    summary: bool = False
    elsewhere: bool = False
    own_score: int = 0
    links: Mapping[str, Link] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Fused:
    """A memory in the fused ranking. `score` is the sum of `parts`. `hits` are its ranks in the lists, `links` those
    that led to it, and `cosine` is the exact similarity to the query, None without a vector.
    """

    id: str
    score: float
    hits: Mapping[str, Hit]
    parts: Mapping[str, float]
    links: Mapping[str, Link] = field(default_factory=dict)
    cosine: float | None = None

    @classmethod
    def of(cls, candidate: Candidate, parts: Mapping[str, float]) -> "Fused":
        """The candidate with the sum of these parts as its score."""
        return cls(candidate.id, sum(parts.values()), candidate.hits, parts, candidate.links, candidate.cosine)

    def plus(self, name: str, value: float) -> "Fused":
        """A copy with one more part, by which the score changes."""
        parts = {**self.parts, name: value}
        return replace(self, score=sum(parts.values()), parts=parts)

    @property
    def own(self) -> float:
        """The score of its own match: full text, vector, late interaction, and the bonus for what is asked for."""
        return sum(self.parts.get(name, 0.0) for name in (FULL_TEXT, VECTOR, LATE_INTERACTION, ASKED))


Fuse = Callable[[Sequence[Candidate]], list[Fused]]
"""A method of fusion: takes candidates and returns a ranking, best first."""


@dataclass(frozen=True, slots=True)
class ContextSettings:
    """The constants of `context_fusion`, tuned on the development files; the optima are flat (BENCHMARKS.md).

    `weights` are those of the lists, `link_weights` those of the kinds of links, both by name. Lists and links without
    a weight do not count. For the other constants see the formula of `context_fusion`.
    """

    weights: Mapping[str, float] = field(default_factory=lambda: {FULL_TEXT: 0.45, VECTOR: 0.3, LATE_INTERACTION: 1.0})
    link_weights: Mapping[str, float] = field(default_factory=lambda: {TITLE_HOP: 0.5})
    asker_bonus: float = 2.0
    cue_bonus: float = 1.0
    asked_bonus: float = 2.0
    named_bonus: float = 0.5
    asking: float = 0.5
    answering: float = 0.5
    short: float = 2.0
    few_words: int = 12
    share: float = 0.3
    decay: float = 0.8
    reach: int = 4
    half_words: float = 100.0
    power: float = 3.0
    absent: float = -0.5
    seeds: int = 5
    facts: float = 0.3
    alone: float = 6.0
    elsewhere: float = 6.0


CONTEXT: Final = ContextSettings()
_NO_SPREAD: Final = 1e-9
APART: Final = 1e-9
"""Difference of scores that places a memory right before or behind another."""


def reciprocal_rank_fusion(candidates: Iterable[Candidate], *, k: int, weights: Mapping[str, float]) -> list[Fused]:
    """Best first: `score = Σ weight / (k + rank)` over the lists that hold a memory (Cormack et al., SIGIR 2009).

    A list without a weight has weight 1. The memories that links of one kind lead to are a list like any other.
    """
    fused = []
    for candidate in candidates:
        places = {name: hit.rank for name, hit in candidate.hits.items()}
        places |= {name: link.rank for name, link in candidate.links.items()}
        parts = {name: weights.get(name, 1.0) / (k + rank) for name, rank in places.items()}
        fused.append(Fused.of(candidate, parts))
    return in_order(fused)


def context_fusion(candidates: Sequence[Candidate], settings: ContextSettings = CONTEXT) -> list[Fused]:
    """Best first, `score = own + context + form + links + facts`.

        own(t)     = Σ weight · z(score in the list) + asker_bonus, if `by_asker`, + cue_bonus, if `cued`,
                     + asked_bonus, if `asked` or the evidence of what is
        context(t) = share · Σ decay^(d-1) / (1 + (w / half_words)^power) · own(u)
        form(t)    = named_bonus, if `by_named`, - asking, if `asks`, - short · max(0, 1 - w / few_words)
                     + answering · the positive own(u) of a turn u right before t that asks
        links(t)   = Σ weight · the greatest positive strength · score of the first `seeds` results that link to t
        facts(t)   = facts · the greatest positive own(f) of the facts f found in t, unless `of_another_kind`

    Standardised scores: z is taken over the candidates that a list holds, without summaries and without facts that
    have evidence or come from elsewhere. The vector list's score is the cosine; a memory without a vector gets the z of
    its full-text score instead. Late interaction counts like a list; a memory that was not compared gets the z of its
    cosine instead. In other lists a missing score is 0.

    Context: the sum is over the turns u of the session, before and after t, at distance d = 1 … reach. w counts the
    words of t and of the turns between. For a position without a candidate own(u) is `absent`, also before the first
    turn and after the last. Positions count only turns that the viewer may see, so that hidden turns change no score.
    The words act as a gate: short turns gain from the turns around them, long ones do not.

    Form, of turns only: turns that ask or have only a word or two seldom answer a question. A reply to a question like
    the viewer's often does, unless the assistant gives it: it repeats what its user knows.

    Links and facts: a candidate that no list holds is ranked only if a link leads to it. A fact whose evidence is no
    candidate, and the summary of a session, rank `alone` below their own score: facts are shorter than turns, match
    better, and would displace turns that match themselves. A fact without evidence, for instance because the viewer may
    not see it, keeps its score. A fact from elsewhere ranks `elsewhere` below its own score, so that it passes local
    memories only if it matches that much better.
    """
    parts = _own(candidates, settings)
    own = {memory_id: sum(part.values()) for memory_id, part in parts.items()}
    turns = {(c.session, c.turn): c for c in candidates if c.turn is not None}
    usual = sum(c.words for c in turns.values()) / len(turns) if turns else 0.0
    for turn in turns.values():
        sides = (_side(turn, step, turns, own, usual, settings) for step in (-1, 1))
        parts[turn.id] |= {"context": settings.share * sum(sides), **_form(turn, turns, own, settings)}
    listed = {c.id: sum(parts[c.id].values()) for c in candidates if c.hits}
    gains = _gains(candidates, listed, settings)
    for memory_id, gained in gains.items():
        parts[memory_id].update(gained)
    for candidate in candidates:
        found_in = [turn_id for turn_id in candidate.evidence if turn_id in listed]
        for turn_id in () if candidate.of_another_kind else found_in:
            gain = settings.facts * max(0.0, own[candidate.id])
            parts[turn_id]["facts"] = max(gain, parts[turn_id].get("facts", 0.0))
        if candidate.elsewhere:
            parts[candidate.id]["elsewhere"] = -settings.elsewhere
        elif candidate.summary or (candidate.evidence and not found_in):
            parts[candidate.id]["alone"] = -settings.alone
    return in_order(Fused.of(c, parts[c.id]) for c in candidates if c.hits or c.id in gains)


def collapse_evidence(ranking: Sequence[Fused], candidates: Iterable[Candidate]) -> list[Fused]:
    """The ranking without duplicates. A fact is dropped if a turn that it was found in is ranked. The summary of a
    session is dropped if another memory of that session ranks before it.

    The best fact found in a turn takes the turn's place if it answers what is asked or its own match is better, and it
    is not `of_another_kind`. It gets the turn's score: the difference is its part `turn`.
    """
    candidates = list(candidates)
    answers = {c.id for c in candidates if c.asked}
    others = {c.id for c in candidates if c.of_another_kind}
    ranked = {item.id: item for item in ranking}
    evidence = {c.id: [turn for turn in c.evidence if turn in ranked] for c in candidates if c.id in ranked}
    found: dict[str, list[Fused]] = {}
    for item in ranking:
        for turn in evidence[item.id]:
            found.setdefault(turn, []).append(item)
    sessions = {c.id: c.session for c in candidates if c.session}
    summaries = {c.id for c in candidates if c.summary}
    told: set[str] = set()
    kept: dict[str, Fused] = {}
    for item in ranking:
        session = sessions.get(item.id)
        if session and item.id not in summaries:
            told.add(session)
        if not evidence[item.id] and not (item.id in summaries and session in told):
            facts = (fact for fact in found.get(item.id, ()) if fact.id not in kept and fact.id not in others)
            best = max(facts, key=lambda fact: (fact.id in answers, fact.own), default=item)
            stands = best.id in answers or best.own > item.own
            shown = best.plus("turn", item.score - best.score) if stands else item
            kept[shown.id] = shown
    return in_order(kept.values())


def deeper(ranking: Sequence[Fused], pool: Sequence[Fused]) -> list[Fused]:
    """The new memories of a deeper pool, moved behind the ranking of the pools before it by the part `depth`.

    `pool` holds what is new in that pool, best first.
    """
    if not ranking or not pool:
        return list(pool)
    gap = ranking[-1].score - pool[0].score
    return list(pool) if gap > 0 else [item.plus("depth", gap - APART) for item in pool]


def _own(candidates: Sequence[Candidate], settings: ContextSettings) -> dict[str, dict[str, float]]:
    listed = [c for c in candidates if c.hits]
    # Facts repeat what turns say, so mean and deviation are taken without them.
    turns = [c for c in listed if not (c.evidence or c.summary or c.elsewhere)]
    spread = turns if len(turns) > 1 else listed
    spreads = {
        name: _Spread.of([score for c in spread if (score := _score(c, name)) is not None]) for name in settings.weights
    }

    asked = {memory_id for c in candidates if c.asked for memory_id in (c.id, *c.evidence)}

    def z(candidate: Candidate, name: str) -> float:
        score = _score(candidate, name)
        if score is not None:
            return spreads[name].z(score)
        if name == LATE_INTERACTION:
            return z(candidate, VECTOR)
        return z(candidate, FULL_TEXT) if spreads[name].says_something else 0.0

    return {
        c.id: {
            **{name: weight * z(c, name) for name, weight in settings.weights.items()},
            **({"asker": settings.asker_bonus} if c.by_asker else {}),
            **({"cue": settings.cue_bonus} if c.cued else {}),
            **({ASKED: settings.asked_bonus} if c.id in asked else {}),
        }
        for c in candidates
    }


def _score(candidate: Candidate, name: str) -> float | None:
    """The score in a list; None without a vector for the cosine, or without a comparison of token vectors."""
    if name == VECTOR:
        return candidate.cosine
    if name == LATE_INTERACTION:
        return candidate.late_interaction
    hit = candidate.hits.get(name)
    return hit.score if hit else 0.0


def _side(
    turn: Candidate,
    step: int,
    turns: Mapping[tuple[str | None, int], Candidate],
    own: Mapping[str, float],
    usual: float,
    settings: ContextSettings,
) -> float:
    """What the turns before (`step` -1) or after (1) a turn add to it."""
    assert turn.turn is not None
    total, words = 0.0, float(turn.words)
    for distance in range(1, settings.reach + 1):
        other = turns.get((turn.session, turn.turn + step * distance))
        gate = 1 + (words / settings.half_words) ** settings.power
        total += settings.decay ** (distance - 1) / gate * (own[other.id] if other else settings.absent)
        words += other.words if other else usual
    return total


def _form(
    turn: Candidate,
    turns: Mapping[tuple[str | None, int], Candidate],
    own: Mapping[str, float],
    settings: ContextSettings,
) -> dict[str, float]:
    """What a turn gains by its speaker and by following a question, and loses by asking and by being short."""
    assert turn.turn is not None
    before = turns.get((turn.session, turn.turn - 1))
    asked = max(0.0, own[before.id]) if before and before.asks and not turn.by_assistant else 0.0
    lacking = settings.short * max(0.0, 1 - turn.words / settings.few_words)
    return {
        **({"speaker": settings.named_bonus} if turn.by_named else {}),
        **({"answers": settings.answering * asked} if asked else {}),
        **({"asks": -settings.asking} if turn.asks else {}),
        **({"short": -lacking} if lacking else {}),
    }


def _gains(
    candidates: Iterable[Candidate], scores: Mapping[str, float], settings: ContextSettings
) -> dict[str, dict[str, float]]:
    """What the links from the best results add, by candidate and kind; of each kind only the best link counts."""
    best = sorted(scores, key=lambda memory_id: (-scores[memory_id], memory_id))[: settings.seeds]
    seeds = {memory_id: scores[memory_id] for memory_id in best if scores[memory_id] > 0}
    gains: dict[str, dict[str, float]] = {}
    for candidate in candidates:
        for name, link in candidate.links.items():
            leading = [
                strength * seeds[seed]
                for seed, strength in link.seeds.items()
                if seed in seeds and seed != candidate.id
            ]
            if leading and name in settings.link_weights:
                gains.setdefault(candidate.id, {})[name] = settings.link_weights[name] * max(leading)
    return gains


@dataclass(frozen=True, slots=True)
class _Spread:
    """Mean and population standard deviation of a list's scores. Without any spread every z is 0; a deviation of 1
    instead would let raw scores through.
    """

    mean: float
    deviation: float

    @classmethod
    def of(cls, values: Sequence[float]) -> "_Spread":
        if not values:
            return cls(0.0, 0.0)
        mean = sum(values) / len(values)
        return cls(mean, sqrt(sum((value - mean) ** 2 for value in values) / len(values)))

    @property
    def says_something(self) -> bool:
        """Whether there is any spread, beyond what rounding of the mean makes of equal scores."""
        return self.deviation > _NO_SPREAD

    def z(self, value: float) -> float:
        return (value - self.mean) / self.deviation if self.says_something else 0.0


def in_order(fused: Iterable[Fused]) -> list[Fused]:
    """Sorts by descending score, then by id, so that the same lists give the same order."""
    return sorted(fused, key=lambda item: (-item.score, item.id))
