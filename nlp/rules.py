"""The rules of `extraction.toml`: which clauses are worth remembering, and as what.

What belongs here: reading the file, and whether a clause fits a rule. What does not: who is meant, how it is worded.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from nlp.clauses import Clause
from nlp.dates import Dated
from nlp.wording import FIRST, IT, SECOND

if TYPE_CHECKING:
    from spacy.tokens import Token

Rule = dict[str, Any]
_Parts = dict[str, frozenset[str]]
"""The words that stand with a verb, by what they are to it."""

_FILE: Final = Path(__file__).with_name("extraction.toml")
_PARTS: Final = ("object", "complement", "doing", "to", "quality", "with")
_LISTS: Final = frozenset(
    {
        "verbs",
        "not_verbs",
        "has",
        "not_has",
        "subject",
        "subject_has",
        "not_subject",
        *_PARTS,
        *(f"not_{part}" for part in _PARTS),
    }
)
_LEMMAS: Final = {"hat": "hate", "'ve": "have", "’ve": "have", "'s": "be", "’s": "be", "'m": "be", "’m": "be"}
_SINCE: Final = re.compile(
    r"\bsince\b|\bfor (?:(?:the )?(?:last|past) )?(?:\w+ ){0,2}(?:years?|months?|weeks?|days?|ages|decades?|ever)\b"
)
_DOERS: Final = (
    "er",
    "or",
    "ist",
    "ian",
    "eer",
    "man",
    "woman",
    "ant",
    "ess",
    "ee",
    "ctic",
    "oholic",
    "aholic",
    "mate",
)
_NOTIONS: Final = ("tion", "sion", "ment", "ness", "ity", "ance", "ence", "ism", "ship", "dom", "hood", "ability")
_ENDS: Final = {".", "!", "?", "…", "...", ";"}
_WITH_OBJECT: Final = {"do", "make", "have", "get", "take", "visit", "upgrade", "try", "buy", "find", "bring", "use"}
_LEAVING: Final = {"run", "go", "leave", "head", "hurry"}
_TAKING: Final = {"take", "bring", "make", "give", "buy", "put", "send", "find", "get"}
_FAR: Final = 14
"""So many words before a clause one may look for its condition."""
_THINKS: Final = {"name": "thinks", "kind": "opinion", "confidence": 0.8}
_ANCHORS: Final = {"GPE", "LOC", "FAC", "ORG", "PERSON", "EVENT", "WORK_OF_ART", "PRODUCT"}


@dataclass(frozen=True, slots=True)
class Rules:
    """What the file says: lists of words by name, spellings, the rules in their order, words that tell aspects and
    relations, and questions that make a statement with their answer.
    """

    words: dict[str, frozenset[str]]
    spelling: dict[str, str]
    rules: tuple[Rule, ...]
    aspects: dict[str, dict[str, frozenset[str]]]
    beside: dict[str, str]
    questions: tuple[dict[str, Any], ...]


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
    return Rules(words, told["spelling"], filled, aspects, told["relations"], tuple(told["question"]))


def _filled(rule: Rule, words: dict[str, frozenset[str]]) -> Rule:
    def listed(value: Any) -> Any:
        if not isinstance(value, str):
            return value
        return frozenset(each for word in value.split() for each in words.get(word, (word,)))

    return {key: listed(value) if key in _LISTS else value for key, value in rule.items()}


def unsure(clause: Clause) -> str:
    """Why a clause says nothing that is so; empty when it does."""
    words = rules().words
    if clause.subject is None and not clause.implied:
        return "a command"
    if (
        clause.subject is not None
        and clause.head.tag_ in {"VBG", "VBN"}
        and clause.head.lower_ != "been"
        and not clause.auxiliaries
        and (clause.head.dep_ == "ROOT" or clause.subject.head == clause.head)
    ):
        return "not a fact"
    if clause.subject is not None and (clause.subject.i > clause.head.i or _disagree(clause.subject, clause)):
        return "not a fact"
    if clause.subject is not None and any(token.lower_ in SECOND for token in clause.subject.subtree):
        return "about the one spoken to"
    hedged = any(child.lower_ in words["hedges"] for child in clause.head.subtree)
    if hedged or _conditional(clause):
        return "not a fact"
    if clause.asked or _supposed(clause):
        return "not a fact"
    above = clause.under
    if above is not None and (
        lemma(above.head) not in words["telling"] | words["judging"] or above.negated or _conditional(above)
    ):
        return "not a fact"
    return ""


def _supposed(clause: Clause) -> bool:
    """Whether it was said to hold if something else does, or to be hoped for, in the sentence that it was cut from."""
    words, doc, first = rules().words, clause.head.doc, min(token.i for token in clause.words)
    for token in reversed(doc[max(0, first - _FAR) : first]):
        if token.text in _ENDS or "\n" in token.text:
            return False
        if token.lower_ in words["supposing"] and not clause.past:
            return token.i == 0 or token.nbor(-1).lower_ not in words["knowing"]
        if token.lower_ in words["hoping"] and token.dep_ == "acomp":
            return True
    return False


def _disagree(subject: "Token", clause: Clause) -> bool:
    """Whether verb and subject do not go together, so that the parse is wrong."""
    if subject.text.istitle() and subject.tag_ == "NNS" and clause.head.tag_ == "VBZ":
        return False  # a name: Lars
    tensed = [token.lower_ for token in (clause.head, *clause.auxiliaries)]
    several = any(token.dep_ == "conj" for token in subject.subtree)
    if subject.tag_ == "NNS" and not any(child.dep_ == "nummod" for child in subject.children):
        return "is" in tensed or "has" in tensed
    return subject.tag_ == "NN" and "are" in tensed and not several


def judged(clause: Clause) -> bool:
    """Whether a clause says what somebody thinks."""
    return clause.under is not None and lemma(clause.under.head) in rules().words["judging"]


def fitting(clause: Clause, about: str, when: Dated) -> Rule | None:
    """The first rule that a clause fits, about a person or a thing; what somebody thinks is an opinion in any case."""
    words, subject = rules().words, clause.subject
    vague = subject is not None and (subject.lower_ in words["vague"] or subject.dep_ == "expl")
    if vague or clause.cut_short:
        return None
    if judged(clause):
        return _THINKS if _judges(clause) and (subject is None or subject.lower_ not in IT) else None
    said, parts = {"about": about, **_said(clause, when)}, _parts(clause)
    if about == "thing" and subject is not None and subject.pos_ == "NOUN" and _anything(subject):
        return None
    if _general_truth(clause) or _in_reply(clause):
        return None
    if about == "person" and subject is not None and not clause.past and _whoever(subject):
        return None
    if _hollow(clause) or (
        clause.main.lemma_ in {"have", "get"}
        and (_has_but_a_notion(clause) or (not when.timed and _has_what_was_spoken_of(clause)))
    ):
        return None
    verbs = {lemma(clause.main), clause.main.lower_}
    found = next((rule for rule in rules().rules if about and _fits(rule, subject, verbs, said, parts)), None)
    return None if found is not None and found["name"] == "judged" and _praises(clause, parts) else found


def _general(noun: "Token") -> bool:
    """Whether a noun is nothing in particular, or clear only to who was there: the feeling, cooking."""
    told = [
        child
        for child in noun.children
        if child.dep_ in {"poss", "compound", "prep", "relcl", "nummod", "appos", "amod"}
    ]
    return noun.pos_ == "NOUN" and not told


def _anything(noun: "Token") -> bool:
    """Whether it is no thing in particular, but any of its kind: slugs, traps."""
    return noun.tag_ == "NNS" and not any(noun.children)


def _hollow(clause: Clause) -> bool:
    """Whether it does not say what is done: has to do, needs to choose one, to each other."""
    last = clause.main
    while inner := _inner(last):
        last = inner
    objects = [child for child in last.children if child.dep_ == "dobj"]
    behind = [noun for child in last.children if child.dep_ == "prep" for noun in child.children]
    if lemma(last) in _TAKING and clause.head == last and not _taken(last):
        return True  # a trip we took
    if lemma(last) in _LEAVING and not any(child.dep_ != "aux" for child in last.rights):
        return True
    if last != clause.main and lemma(last) in _WITH_OBJECT and not objects:
        return True
    return any(_unsaid(each) for each in [*objects, *behind])


def _taken(verb: "Token") -> bool:
    """Whether it is said what is taken, or what comes of it."""
    return any(
        child.dep_ in {"dobj", "obj", "xcomp", "ccomp", "prt", "auxpass", "dative", "acomp"} for child in verb.children
    )


def _general_truth(clause: Clause) -> bool:
    """Whether it is so of everybody: we all have our dreams."""
    subject = clause.subject
    return subject is not None and subject.lower_ == "we" and any(t.lower_ == "all" for t in clause.words[:3])


def _in_reply(clause: Clause) -> bool:
    """Whether somebody likes but what was just said or shown: I love the leaves."""
    if lemma(clause.head) not in {"love", "like", "enjoy"}:
        return False
    noun = next((child for child in clause.head.children if child.dep_ == "dobj"), None)
    if noun is None or noun.pos_ != "NOUN" or noun.lower_ in rules().words["general"]:
        return False
    told = any(child.dep_ in {"relcl", "prep", "acl", "poss"} for child in noun.children)
    return not told and any(child.lower_ == "the" for child in noun.children)


def _inner(verb: "Token") -> "Token | None":
    """The verb that stands with another: wants to visit, is thinking of upgrading."""
    children = [*verb.children, *(noun for child in verb.children if child.dep_ == "prep" for noun in child.children)]
    return next((each for each in children if each.dep_ in {"xcomp", "pcomp"} and each.pos_ == "VERB"), None)


def _unsaid(token: "Token") -> bool:
    """Whether an object says nothing of what it is."""
    if token.lower_.endswith(("self", "selves")) or any(each.lower_ == "each" for each in token.subtree):
        return True  # each other's backs
    return token.lower_ in {"one", "some", "any", "something", "anything", "that", "this", "what"} and not any(
        token.children
    )


def _has_but_a_notion(clause: Clause) -> bool:
    """Whether what one has is nothing that one can touch, hold or suffer from: confidence, a commitment."""
    words = rules().words
    return any(
        child.dep_ == "dobj" and child.lemma_.lower().endswith(_NOTIONS) and child.lemma_.lower() not in words["solid"]
        for child in clause.main.children
    )


def _has_what_was_spoken_of(clause: Clause) -> bool:
    """Whether what one has is clear only to who was there: the buttons, not the flu."""
    noun = next((child for child in clause.main.children if child.dep_ == "dobj" and child.pos_ == "NOUN"), None)
    if noun is None or clause.past or noun.lower_ in rules().words["caught"]:
        return False
    return any(child.lower_ == "the" for child in noun.children)


def _whoever(subject: "Token") -> bool:
    """Whether a subject is nobody in particular: a mentor."""
    told = any(child.dep_ in {"relcl", "prep", "appos", "acl"} for child in subject.children)
    return not told and any(child.lower_ in {"a", "an", "any"} for child in subject.children)


def _praises(clause: Clause, parts: _Parts) -> bool:
    """Whether it is but praise in passing: that is great, how lovely!"""
    words = rules().words
    bare = clause.subject is None or clause.subject.pos_ == "PRON" or _general(clause.subject)
    if clause.future:
        return True
    if clause.subject is not None and (clause.subject.lower_ in IT or clause.subject.tag_ == "VBG"):
        return True
    praise = not (parts["quality"] & words["judgement"]) - words["praise"]
    return praise and (bare or clause.head.sent.text.rstrip().endswith("!"))


def _judges(clause: Clause) -> bool:
    """Whether what somebody thinks is a judgement, and no guess at a fact."""
    words = rules().words
    if clause.future or lemma(clause.head) in words["judging"] or any(_laughs(token) for token in clause.head.sent):
        return False
    judging = any(t.lower_ in words["judgement"] or t.tag_ in {"JJR", "JJS", "RBR", "RBS"} for t in clause.words)
    weighing = any(t.lower_ in {"too", "so", "worth", "should", "must", "enough"} for t in clause.words)
    adjective = any(c.dep_ == "acomp" and c.lower_ not in words["passing"] for c in clause.head.children)
    return judging or weighing or adjective


def _laughs(token: "Token") -> bool:
    return token.lower_ in {"lol", "lmao", "jk", "rofl"} or token.lower_.startswith(("haha", "hehe"))


def lemma(token: "Token") -> str:
    """spaCy's lemma, where it is right."""
    return _LEMMAS.get(token.lemma_, token.lemma_)


def _conditional(clause: Clause) -> bool:
    rather = any(token.lower_ == "rather" for token in clause.words)
    urged = clause.modal in {"should", "ought"} and judged(clause)
    return (clause.modal in rules().words["modals"] and not (rather or urged)) or clause.conditions


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
        "often": often(clause),
        "progressive": clause.head.tag_ == "VBG",
        "ongoing": clause.ongoing,
        "perfect": clause.perfect,
        "lasting": _SINCE.search(" ".join(token.lower_ for token in clause.words)) is not None,
        "number": any(token.like_num or token.ent_type_ == "MONEY" for token in clause.words),
        "anchored": when.timed or _anchored(clause),
        "grounded": when.timed or _anchored(clause) or _definite(clause),
        "self": clause.implied or (clause.subject is not None and clause.subject.lower_ in FIRST),
        "ours": clause.subject is not None and clause.subject.lower_ == "we",
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


def often(clause: Clause) -> bool:
    """Whether it is so again and again: usually, every second Monday, at weekends."""
    words = rules().words
    for at, token in enumerate(clause.words):
        if token.lower_ in {"every", "each"}:
            if any(each.lower_ in words["times"] for each in clause.words[at + 1 : at + 4]):
                return True
        elif token.lower_ in words["often"] and not _named_or_counted(token):
            return True
    return False


def _named_or_counted(token: "Token") -> bool:
    """Whether it is part of a name (Boogie Nights), or so many of them (two weekends later)."""
    named = token.text.istitle() and token.ent_type_ not in {"", "DATE", "TIME"}
    return named or (token.tag_ == "NNS" and any(child.dep_ == "nummod" for child in token.children))


def _definite(clause: Clause) -> bool:
    """Whether it happens to something in particular: the rent, her voice; or at or from it: off the frame."""
    objects = [child for child in clause.main.children if child.dep_ in {"dobj", "nsubjpass"}]
    objects += [noun for child in clause.main.children if child.dep_ == "prep" for noun in child.children]
    return any(child.dep_ == "poss" or child.lower_ == "the" for each in objects for child in each.children)


def _stands_with(rule: Rule, parts: _Parts) -> bool:
    for name in _PARTS:
        if name in rule and not (parts[name] if rule[name] is True else parts[name] & set(rule[name])):
            return False
        unwanted = rule.get(f"not_{name}", ())
        if parts[name] if unwanted is True else parts[name] & set(unwanted):
            return False
    if parts["has"] & set(rule.get("not_has", ())):
        return False
    if "has" in rule and not parts["has"] & set(rule["has"]):
        return False
    return "any_of" not in rule or any(parts[name] for name in rule["any_of"])


def _subject_fits(rule: Rule, subject: "Token | None") -> bool:
    within = {token.lower_ for token in subject.subtree} if subject is not None else set()
    head = subject.lower_ if subject is not None else ""
    return (
        ("subject_has" not in rule or bool(within & set(rule["subject_has"])))
        and ("subject" not in rule or head in rule["subject"])
        and head not in rule.get("not_subject", ())
    )


def _tag(token: "Token") -> str:
    """spaCy's tag; an amount of money is no mere number."""
    return "MONEY" if token.ent_type_ == "MONEY" else token.tag_


def _quality(clause: Clause) -> frozenset[str]:
    """All words that say what somebody or something is: the best part, allergic to nuts, forty."""
    heads = [c for c in clause.head.children if c.dep_ in {"attr", "acomp", "oprd"}]
    words = [t for head in heads for t in head.subtree if t in clause.words or t == head]
    tags = {t.tag_ for t in words if t.tag_ in {"JJS", "RBS", "JJR", "CD"}} | {
        t.ent_type_ for t in words if t.ent_type_
    }
    return frozenset([*(t.lower_ for t in words), *(t.lemma_.lower() for t in words), *tags, *_ends(heads)])


def _ends(heads: "list[Token]") -> Iterator[str]:
    """What a noun ends with, which tells who does something: -er, -ist."""
    return (f"-{end}" for head in heads if head.pos_ == "NOUN" for end in _DOERS if head.lower_.endswith(end))


def _parts(clause: Clause) -> _Parts:
    """The words that stand with the verb, in their own form and as lemmas."""

    def of(*deps: str) -> frozenset[str]:
        return frozenset(word for c in children if c.dep_ in deps for word in (c.lemma_, c.lower_, _tag(c)))

    children = [*clause.head.children, *(clause.main.children if clause.main != clause.head else ())]
    be = lemma(clause.main) == "be"
    return {
        "object": of("dobj", "obj"),
        "complement": of("attr", "acomp", "oprd", *(("advmod", "prt") if be else ())),
        "doing": of("xcomp"),
        "to": of("prep", "agent"),
        "passive": of("auxpass"),
        "time": of("npadvmod", "advmod"),
        "clause": of("ccomp"),
        "quality": _quality(clause),
        "with": frozenset(t.lower_ for t in clause.words if t.dep_ == "pobj"),
        "has": frozenset(token.lower_ for token in clause.words),
    }
