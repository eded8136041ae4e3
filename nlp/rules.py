"""The rules of `extraction.toml`: which clauses are worth remembering, and as what.

What belongs here: reading the file, and whether a clause fits a rule. What does not: who is meant, how it is worded.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from nlp.clauses import Clause
from nlp.dates import Dated
from nlp.wording import FIRST, SECOND

if TYPE_CHECKING:
    from spacy.tokens import Token

Rule = dict[str, Any]
_Parts = dict[str, frozenset[str]]
"""The words that stand with a verb, by what they are to it."""

_FILE: Final = Path(__file__).with_name("extraction.toml")
_PARTS: Final = ("object", "complement", "doing", "to")
_LISTS: Final = frozenset({*_PARTS, *(f"not_{part}" for part in _PARTS)})
_LEMMAS: Final = {"hat": "hate", "'ve": "have", "’ve": "have", "'s": "be", "’s": "be", "'m": "be", "’m": "be"}
_THINKS: Final = {"name": "thinks", "kind": "opinion", "confidence": 0.8}
_ANCHORS: Final = {"GPE", "LOC", "FAC", "ORG", "PERSON", "EVENT", "WORK_OF_ART", "PRODUCT"}


@dataclass(frozen=True, slots=True)
class Rules:
    """What the file says: lists of words by name, spellings, the rules in their order, and words that tell aspects
    and relations.
    """

    words: dict[str, frozenset[str]]
    spelling: dict[str, str]
    rules: tuple[Rule, ...]
    aspects: dict[str, dict[str, frozenset[str]]]
    beside: dict[str, str]


@cache
def rules() -> Rules:
    """Read once. A rule that names a list of words has it in the name's place."""
    told = tomllib.loads(_FILE.read_text("utf-8"))
    words = {name: frozenset(listed.split()) for name, listed in told["words"].items()}
    aspects = {
        table: {name: frozenset(listed.split()) for name, listed in each.items()}
        for table, each in told["aspects"].items()
    }
    filled = tuple(_filled(rule, words) for rule in told["rule"])
    return Rules(words, told["spelling"], filled, aspects, told["relations"])


def _filled(rule: Rule, words: dict[str, frozenset[str]]) -> Rule:
    return {key: words[value] if key in _LISTS and isinstance(value, str) else value for key, value in rule.items()}


def unsure(clause: Clause) -> str:
    """Why a clause says nothing that is so; empty when it does."""
    words = rules().words
    if clause.subject is None and not clause.implied:
        return "a command"
    if clause.subject is not None and clause.subject.lower_ in SECOND:
        return "about the one spoken to"
    hedged = any(child.lower_ in words["hedges"] for child in clause.head.subtree)
    if hedged or _conditional(clause):
        return "not a fact"
    above = clause.under
    if above is not None and (
        lemma(above.head) not in words["telling"] | words["judging"] or above.negated or _conditional(above)
    ):
        return "not a fact"
    return ""


def judged(clause: Clause) -> bool:
    """Whether a clause says what somebody thinks."""
    return clause.under is not None and lemma(clause.under.head) in rules().words["judging"]


def fitting(clause: Clause, about: str, when: Dated) -> Rule | None:
    """The first rule that a clause fits, about a person or a thing; what somebody thinks is an opinion in any case."""
    words, subject = rules().words, clause.subject
    if subject is not None and (subject.lower_ in words["vague"] or subject.dep_ == "expl"):
        return None
    if judged(clause):
        return None if lemma(clause.head) in words["judging"] else _THINKS
    said, parts = {"about": about, **_said(clause, when)}, _parts(clause)
    verbs = {lemma(clause.head), clause.head.lower_}
    return next((rule for rule in rules().rules if about and _fits(rule, subject, verbs, said, parts)), None)


def lemma(token: "Token") -> str:
    """spaCy's lemma, where it is right."""
    return _LEMMAS.get(token.lemma_, token.lemma_)


def _conditional(clause: Clause) -> bool:
    return clause.modal in rules().words["modals"] or clause.conditions


def _fits(rule: Rule, subject: "Token | None", verbs: set[str], said: dict[str, Any], parts: _Parts) -> bool:
    if verbs & rules().words["empty"] if rule["verbs"] is True else not verbs & set(rule["verbs"]):
        return False
    if verbs & set(rule.get("not_verbs", ())):
        return False
    asked = all(rule[name] == found for name, found in said.items() if name in rule)
    return asked and _stands_with(rule, parts) and _subject_fits(rule, subject)


def _said(clause: Clause, when: Dated) -> dict[str, Any]:
    """What a rule may ask of a clause besides its words."""
    return {
        "tense": _tense(clause, when),
        "negated": clause.negated,
        "timed": when.timed,
        "often": any(token.lower_ in rules().words["often"] for token in clause.words),
        "progressive": clause.head.tag_ == "VBG",
        "ongoing": clause.ongoing,
        "anchored": when.timed or _anchored(clause),
        "self": clause.implied or (clause.subject is not None and clause.subject.lower_ in FIRST),
        "can": any(token.lower_ in {"can", "ca"} for token in clause.auxiliaries),
    }


def _tense(clause: Clause, when: Dated) -> str:
    if clause.past and not _has_got(clause):
        return "past"
    return "future" if clause.future or (clause.head.tag_ == "VBG" and when.timed) else "present"


def _has_got(clause: Clause) -> bool:
    """Whether somebody has got something, which is to have it."""
    return clause.head.lower_ == "got" and any(token.lemma_ in {"have", "'ve", "’ve"} for token in clause.auxiliaries)


def _anchored(clause: Clause) -> bool:
    """Whether somebody or something is named besides the subject."""
    return any(
        token.ent_type_ in _ANCHORS and token != clause.subject and token.dep_ not in {"nsubj", "compound", "appos"}
        for token in clause.words
    )


def _stands_with(rule: Rule, parts: _Parts) -> bool:
    for name in _PARTS:
        if name in rule and not (parts[name] if rule[name] is True else parts[name] & set(rule[name])):
            return False
        if parts[name] & set(rule.get(f"not_{name}", ())):
            return False
    return "any_of" not in rule or any(parts[name] for name in rule["any_of"])


def _subject_fits(rule: Rule, subject: "Token | None") -> bool:
    within = {token.lower_ for token in subject.subtree} if subject is not None else set()
    head = subject.lower_ if subject is not None else ""
    return ("subject_has" not in rule or bool(within & set(rule["subject_has"]))) and (
        "subject" not in rule or head in rule["subject"]
    )


def _parts(clause: Clause) -> _Parts:
    """The words that stand with the verb, in their own form and as lemmas."""

    def of(*deps: str) -> frozenset[str]:
        return frozenset(word for c in clause.head.children if c.dep_ in deps for word in (c.lemma_, c.lower_))

    be = lemma(clause.head) == "be"
    return {
        "object": of("dobj", "obj"),
        "complement": of("attr", "acomp", "oprd", *(("advmod", "prt") if be else ())),
        "doing": of("xcomp"),
        "to": of("prep", "agent"),
        "passive": of("auxpass"),
        "time": of("npadvmod", "advmod"),
    }
