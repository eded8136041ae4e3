"""Frames filled by plain sentences, as the parse alone finds them: *in November I start at Brightwater*.

The sentence patterns are in `frames.toml`. What belongs here: which words fill which slots of a frame, and which word
says of whom. What does not: who that is (`nlp.frames.filling`).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from hippograph.nlp.extraction.assertion import doubted, is_supposed
from hippograph.nlp.extraction.coreference import People
from hippograph.nlp.extraction.naming import is_kin
from hippograph.nlp.frames.frame import KIND, WHO, YEARS, Construction, Frame, load_frames
from hippograph.nlp.frames.spans import whole_phrase
from hippograph.nlp.parsing.clauses import Clause, asks, conditional
from hippograph.nlp.parsing.lexicon import lemma, lexicon
from hippograph.nlp.parsing.wording import FIRST, THIRD

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

_FITTING: Final = {
    "place": {"GPE", "LOC", "FAC"},
    "organization": {"ORG", "FAC", "GPE", "PRODUCT", ""},
    "person": {"PERSON", "GPE", ""},
    "tool": {"PRODUCT", "ORG", ""},
}
"""spaCy's labels of the names that may fill a slot of each type; a type that is not listed takes any."""
_FITTING_FRAMES: Final = {"member": {"ORG", "FAC"}}
"""The same for frames that accept fewer labels."""
_RANKS: Final = frozenset({"junior", "senior", "head", "chief", "freelance", "trainee", "qualified", "assistant"})
_DOING: Final = {"xcomp", "pcomp"}
_TAKEN_FOR: Final = {"advmod", "oprd"}
"""Dependency labels that the parser gives to a language: I speak *Turkish*."""
_STUFF: Final = frozenset({"allergens", "foods"})
"""Lists of the lexicon whose plurals are also said in the singular: egg."""
_DEFINITE: Final = {"det", "poss", "nummod", "relcl", "acl", "appos", "predet"}
_BECAUSE: Final = frozenset({"because", "since", "cos", "as"})
_ONLY: Final = frozenset({"just", "only", "merely", "always", "really"})
_NOT_OF_KIND: Final = {"PRON", "DET", "PUNCT", "SPACE"}
_SEVERAL: Final = frozenset({"we", "they"})
_ARTICLES: Final = {"skill": {"the"}, "sale": {"my", "our", "the", "a"}}
"""Determiners and possessives allowed before a noun of a word list, by frame; elsewhere a and an."""
MOST_OF_KIND: Final = 5
"""Maximum length of a kind phrase or an amount, in words."""
COMPLEMENTS: Final = {"pobj", "dobj", "attr", "acomp"}
CALLED: Final = frozenset({"called", "named"})
_JUST_SAID: Final = 20
"""Number of words before *I'm at …* that are searched for a mention of work."""
_HAPPENS: Final = frozenset(
    {"move", "relocate", "settle", "start", "marry", "get", "adopt", "buy", "sell", "die", "pass", "divorce", "break"}
    | {"split", "fly", "go", "travel", "turn", "grow", "bear", "diagnose", "switch", "migrate", "join", "qualify"}
    | {"enrol", "enroll"}
)
"""Verbs for events; all others are for states."""
_GOING_ON: Final = frozenset({"live", "work", "study", "suffer", "take"})
"""Verbs for states that may be progressive: I'm living in Rome, but not: I'm having two kids."""
STATES: Final = frozenset({"be", "live", "work", "study"})
"""Verbs whose past tense says that the state has ended: I was a midwife."""
_PASSIVE: Final = frozenset({"bear", "diagnose", "base", "obsess"})
_COUPLES: Final = frozenset({"marry", "divorce"})
_EVER_SINCE: Final = frozenset({"since", "for"})
_UNSAID: Final = frozenset({"longer", "anymore", "dream", "nightmare"})
_NO_MORE: Final = ("no longer", "any longer", "any more", "anymore")
_CAN: Final = frozenset({"can", "ca"})
_POINTING: Final = frozenset({"here", "there"})
_ENDS: Final = frozenset({"until", "till"})
_RELATIVE: Final = frozenset({"last", "next", "this", "tomorrow", "yesterday", "today", "ago"})
_LASTING: Final = frozenset({"every", "each", "for", "all"})
_PLAIN: Final = frozenset({"nsubj", "punct", "cc", "conj", "intj", "mark"})
_ORIGIN: Final = frozenset({"from", "originally"})
_DAYS: Final = ("since", "day", "start")


@dataclass(frozen=True, slots=True)
class Constructed:
    """A frame found in the parse: the words that fill its slots, the word for whom it is about, and the clause that
    says so, if one does.
    """

    frame: Frame
    about: "Token"
    clause: Clause | None
    slots: "dict[str, Span]"


def plain_sentences(people: People, clauses: Sequence[Clause]) -> Iterator[Constructed]:
    """Yields the frames that the clauses of a sentence fill for their subjects by the constructions of `frames.toml`,
    including states that have ended. Clauses that are supposed or doubted are left out, and denied ones unless the
    construction is a denial.
    """
    for clause in clauses:
        verb, subject = clause.main, clause.subject
        if subject is None or not _is_somebody(subject) or not is_plain(clause):
            continue
        for frame, said in _by_verb().get(lemma(verb), ()):
            ended = _is_over(clause) and "until" in frame.slots
            if said.denied != (clause.negated and not ended) or not (ended or _is_so(clause)):
                continue
            if said.unable and not clause.modal:
                continue
            for slots in _slots(clause, frame, said, people):
                if frame.complete({WHO: subject, **slots}):
                    yield Constructed(frame, subject, clause, slots)


def is_plain(clause: Clause) -> bool:
    """Whether a clause is stated, and not hedged, doubted, supposed or part of a condition."""
    verb = clause.main
    return not (clause.hedged or doubted(clause) or is_supposed(verb) or conditional(verb, behind=True))


def _is_so(clause: Clause) -> bool:
    """Whether a clause says that something is or was so. False with a modal verb other than *can't* (can't stand), and
    with words such as *anymore* or *dream*.
    """
    if any(word.lower_ in _UNSAID for word in clause.words):
        return False
    return not clause.modal or (clause.modal in _CAN and clause.negated)


def _is_over(clause: Clause) -> bool:
    """Whether a clause says that a state has ended: I no longer work, I don't work there any more."""
    said = no_more(clause.words)
    denied = clause.negated or said == "no longer"
    return bool(said) and denied and not (clause.modal or clause.future or lemma(clause.main) in _HAPPENS)


def no_more(words: "Iterable[Token]") -> str:
    """The phrase of `_NO_MORE` that is in the words; empty without one, and for *any more than*."""
    text = " ".join(word.lower_ for word in words)
    return next((each for each in _NO_MORE if each in text and f"{each} than" not in text), "")


def is_dead(subject: "Token") -> bool:
    """Whether the sentence says that its subject died: my dog *Rex* died, passed away, is dead. False if it is doubted,
    denied, supposed or asked.
    """
    verb = subject.head
    beside = {child.lower_ for child in verb.children}
    said = [("be", {"dead"}), *((each.verb, set(each.words)) for each in load_frames()["death"].said)]
    dies = any(lemma(verb) == name and words <= beside for name, words in said) and verb.tag_ != "VBG"
    unsure = any(child.tag_ == "MD" or child.dep_ == "neg" for child in verb.children)
    unsure = unsure or conditional(verb) or is_supposed(verb) or not beside.isdisjoint(lexicon().words["hedges"])
    unsure = unsure or asks(verb.sent) or any(lemma(word) in _UNSAID for word in verb.sent)
    return subject.dep_ == "nsubj" and dies and not unsure


def _holds(frame: Frame, clause: Clause, days: "Sequence[Span]") -> bool:
    """Whether the tense of a clause allows the frame to be filled. An event counts if it is past, or if it is to come
    on a given day and the frame has `ahead`. A state counts while it lasts, or after it has ended if the frame has a
    slot `until`.
    """
    verb = clause.main
    going_on = verb.tag_ == "VBG" and not clause.future
    if lemma(verb) in _HAPPENS:
        if (clause.past or clause.perfect) and not going_on:
            return True
        return frame.ahead and bool(days) and not clause.past
    if clause.future or (going_on and (clause.past or lemma(verb) not in _GOING_ON)):
        return False
    if clause.perfect:
        return any(word.lower_ in _EVER_SINCE for word in clause.words)
    return not clause.past or (lemma(verb) in STATES and "until" in frame.slots)


def _fits(frame: Frame, subject: "Token", clause: Clause, days: "Sequence[Span]") -> bool:
    """Whether a clause fits the frame and the voice of its verb: *my mother comes from Kassel*, but not with *on
    Monday*.
    """
    verb = clause.main
    undergone = subject.dep_ == "nsubjpass"
    if undergone is not (lemma(verb) in _PASSIVE) and not (undergone and lemma(verb) in _COUPLES):
        return False
    match frame.name:
        case "age":
            return subject.lower_ not in _SEVERAL and verb.dep_ != "advcl" and not (lemma(verb) == "turn" and days)
        case "death":
            return subject.lower_ not in FIRST and all(map(_is_of_a_death, verb.children))
        case "marriage":
            return not (undergone and clause.past) or any(each.lemma_ == "get" for each in clause.auxiliaries)
        case "origin" if lemma(verb) in {"be", "come"}:
            beside = (child for child in verb.children if child.dep_ not in _PLAIN and child.lower_ not in _ORIGIN)
            return verb.tag_ in {"VBZ", "VBP"} and not any(beside)
        case "owns" | "purchase" | "sale":
            return not any(word.lower_ in _POINTING for word in clause.words)
        case "trip":
            return not clause.often
    return True


def _is_of_a_death(child: "Token") -> bool:
    """Whether a dependent of a verb may belong to a death: in May, of cancer; not laughing, not in my dream."""
    if child.dep_ == "prep":
        return all(each.ent_type_ == "DATE" or each.lower_ in lexicon().words["conditions"] for each in child.children)
    return child.dep_ not in {"xcomp", "advcl", "dobj", "ccomp"}


@cache
def _by_verb() -> dict[str, list[tuple[Frame, Construction]]]:
    found: dict[str, list[tuple[Frame, Construction]]] = {}
    for frame in load_frames().values():
        for said in frame.said:
            found.setdefault(said.verb, []).append((frame, said))
    return found


def _is_somebody(subject: "Token") -> bool:
    """Whether a subject is certainly a person: a personal pronoun, a name without an article, a single kin noun."""
    if subject.pos_ == "PRON":
        return subject.lower_ in FIRST | THIRD and not subject.lower_.endswith(("self", "selves"))
    called = subject.pos_ == "PROPN" and not any(child.dep_ == "det" for child in subject.children)
    return not subject.conjuncts and (is_kin(subject) or called)


def _slots(clause: Clause, frame: Frame, said: Construction, people: People) -> "list[dict[str, Span]]":
    """The slots that a clause fills by a construction, with the day that it names, once for each filler. Empty if it
    does not match the construction, or does not fit the frame.
    """
    days = _days(clause.main)
    if clause.subject is None or not _holds(frame, clause, days) or not _fits(frame, clause.subject, clause, days):
        return []
    return [{**slots, **_since(frame, days)} for slots in _filled(clause.main, frame, said, people)]


def _filled(verb: "Token", frame: Frame, said: Construction, people: People) -> "Iterator[dict[str, Span]]":
    """Yields the slots of a construction, once for each filler; those of one without a slot are empty."""
    if not said.slot:
        beside = {child.lower_ for child in verb.children if child.dep_ in COMPLEMENTS | {"prt", "auxpass"}}
        rest = any(
            child.dep_ in {"dobj", "attr", "acomp"} and child.lower_ not in said.words for child in verb.children
        )
        if beside.issuperset(said.words) and not rest:
            yield {}
        return
    if said.words == ("at",) and lemma(verb) == "be" and not _speaks_of_work(verb):
        return
    for words in _fillers(verb, frame, said, people):
        if frame.beside is None or frame.beside[1] != said.slot:
            yield {said.slot: words}
        elif by_noun().get(words.root.lemma_.lower(), (frame,))[0] is frame:  # else another frame says more of it
            name = _named(words.root) if words.root.tag_ != "NNS" else None  # two kids, Tom and Mia
            yield {said.slot: words} | ({frame.beside[2]: name} if name is not None else {})


def _speaks_of_work(verb: "Token") -> bool:
    """Whether *be at* a place means to work there, by the words before it: I don't work there any more, I'm at …"""
    before = verb.doc[max(0, verb.i - _JUST_SAID) : verb.i]
    return any(lemma(word) == "work" for word in before) and bool(no_more(before))


def _fillers(verb: "Token", frame: Frame, said: Construction, people: People) -> "list[Span]":
    """The words that fill the slot of a construction: several if they are joined and the frame holds several values
    (I speak Turkish and German). Empty if one of them does not fit.
    """
    governor = verb
    if said.words:
        *between, last = said.words
        beside = {child.lower_ for child in verb.children}
        if not beside.issuperset(between):
            return []
        heads = [verb, *(child for child in verb.children if child.lower_ in between)]
        found = [child for head in heads for child in head.children if child.lower_ == last and child.dep_ == "prep"]
        others = (child for child in verb.children if child.dep_ in {"dobj", "attr"} and child.lower_ not in between)
        if len(found) != 1 or any(others):
            return []
        governor = found[0]
    complements = COMPLEMENTS | _DOING if said.among == KIND else COMPLEMENTS
    if frame.name == "language":
        complements = COMPLEMENTS | _TAKEN_FOR
    noun = next((child for child in governor.children if child.dep_ in complements and child.i > governor.i), None)
    if noun is None:
        return []
    nouns = [noun, *noun.conjuncts]
    if len(nouns) > 1 and not _may_be_several(nouns, frame, said):
        return []
    fillers = [_filler_of(each, governor, verb, frame, said, people) for each in nouns]
    return [each for each in fillers if each is not None] if None not in fillers else []


def _may_be_several(nouns: "Sequence[Token]", frame: Frame, said: Construction) -> bool:
    """Whether joined nouns fill the slot one by one; things of a kind stay one phrase (fish and chips)."""
    children = [child for each in nouns for child in each.children]
    joined = {child.lower_ for child in children if child.dep_ == "cc"}
    either = {"and", "or", "nor"} if said.denied or said.unable else {"and"}
    parted = any(
        child.dep_ in {"neg", "poss"} or is_kin(child) for child in children
    )  # and not French, my brother drums
    if not frame.identity or said.among in {KIND, YEARS} or parted:
        return False
    return (
        bool(joined)
        and joined <= either
        and not any(each.lower_ == "not" for each in nouns[0].doc[nouns[0].i : nouns[-1].i])
    )


def _filler_of(
    noun: "Token", governor: "Token", verb: "Token", frame: Frame, said: Construction, people: People
) -> "Span | None":
    """The words of a noun, if it may fill the slot of a construction."""
    if said.among is None:
        return _name(noun, frame, said, people)
    if said.among == YEARS:
        return _years(noun)
    if said.among == KIND:
        return None if any(_limits(child, governor) for child in verb.children) else kind_phrase(noun)
    return _listed(noun, said.among, frame)


def _listed(noun: "Token", among: str, frame: Frame) -> "Span | None":
    """A noun or an adjective of a word list, with its compounds and modifiers: a bus driver. None if it is not in the
    list, or has a determiner or an adjective that does not fit: a bad driver.
    """
    if any(each.tag_ == "PRP$" for head in (noun, noun.head) for prep in _preps(head) for each in prep.subtree):
        return None
    several = noun.tag_ == "NNS" and any(child.dep_ == "nummod" for child in noun.children)
    known = lexicon().words[among]
    stuff = among in _STUFF and not any(child.dep_ == "det" for child in noun.children)
    forms = {noun.lower_, *([noun.lemma_.lower()] if several else ()), *([f"{noun.lower_}s"] if stuff else ())}
    if known.isdisjoint(forms):
        return None
    judged = [
        child
        for child in noun.children
        if (child.dep_ == "amod" and child.lower_ not in _RANKS)
        or (child.dep_ in {"det", "poss"} and child.lower_ not in _ARTICLES.get(frame.name, {"a", "an"}))
    ]
    parts = {"amod", "compound", "nummod"} if several else {"amod", "compound"}
    first = min((child.i for child in noun.children if child.dep_ in parts), default=noun.i)
    return None if judged else noun.doc[first : noun.i + 1]


def _limits(child: "Token", governor: "Token") -> bool:
    """Whether a dependent of a verb limits what it says: when they bark, in the evening, just."""
    if child.dep_ == "advcl":
        return not any(each.lower_ in _BECAUSE for each in child.children)
    return child.lower_ in _ONLY or (child.dep_ == "prep" and child != governor)


def _named(noun: "Token") -> "Span | None":
    """The name given to a noun: a dog called *Miso*; a dog, *Miso*."""
    verb = next((child for child in noun.children if child.dep_ == "acl" and child.lower_ in CALLED), None)
    beside = (child for child in noun.children if child.dep_ == "appos") if verb is None else verb.children
    name = next((child for child in beside if is_capitalised(child)), None)
    return None if name is None else name.doc[name.left_edge.i : name.i + 1]


def _preps(head: "Token") -> "list[Token]":
    return [child for child in head.children if child.dep_ == "prep" and child.lower_ in {"in", "on"}]


def kind_phrase(noun: "Token") -> "Span | None":
    """The phrase of a noun for things of a kind, or of an activity: raw fish, swimming in lakes. None if it is
    definite, names a person or a time, or has more than `MOST_OF_KIND` words.
    """
    words = list(noun.subtree)
    if noun.ent_type_ in {"PERSON", "DATE", "TIME"} or (
        noun.pos_ not in {"NOUN", "PROPN"} and not (noun.tag_ == "VBG" and noun.dep_ in _DOING)
    ):
        return None
    if len(words) > MOST_OF_KIND or any(child.dep_ in _DEFINITE for child in noun.children):
        return None
    if any(word.pos_ in _NOT_OF_KIND or word.tag_ == "PRP$" or word.dep_ == "neg" for word in words):
        return None
    return noun.doc[words[0].i : words[-1].i + 1] if words[-1].i - words[0].i == len(words) - 1 else None


def _years(noun: "Token") -> "Span | None":
    """The words for an age: *34*; *eight months* old. None for any other number."""
    doc = noun.doc
    if noun.lower_ == "old":
        unit = next((child for child in noun.children if child.dep_ == "npadvmod"), None)
        count = None if unit is None else next((child for child in unit.children if child.dep_ == "nummod"), None)
        if unit is None or count is None:
            return None
        if unit.lemma_ not in {"year", "month"}:
            return None
        return doc[count.left_edge.i : unit.i if unit.lemma_ == "year" else unit.i + 1]
    ends = noun.i + 1 == noun.sent.end or noun.nbor(1).is_punct or noun.nbor(1).pos_ == "CCONJ"
    alone = (
        noun.tag_ == "CD"
        and noun.lower_ != "one"
        and ends
        and all(child.dep_ in {"punct", "cc"} for child in noun.children)
    )
    return doc[noun.i : noun.i + 1] if alone and not any(mark in noun.text for mark in ".:,/%-") else None


def _name(noun: "Token", frame: Frame, said: Construction, people: People) -> "Span | None":
    """The whole name that a noun belongs to; None if it is no name or may not fill the slot."""
    fits = _FITTING_FRAMES.get(frame.name) or _FITTING.get(frame.slots[said.slot])
    if (
        not is_capitalised(noun)
        or (noun.tag_ == "NNPS" and not noun.ent_type_)
        or (fits is not None and noun.ent_type_ not in fits)
    ):
        return None
    if frame.slots[said.slot] == "organization" and people.is_person(noun):
        return None
    first, last = whole_phrase(noun.sent, noun.i, noun.i)
    return noun.doc[first : last + 1]


def _days(verb: "Token") -> "list[Span]":
    """The dates that depend on a verb, without durations and frequencies."""
    return [
        each
        for each in verb.sent.ents
        if each.label_ == "DATE"
        and not is_kin(each.root.head)  # my daughter May
        and verb in (each.root.head, each.root.head.head)
        and _LASTING.isdisjoint(token.lower_ for token in each)
        and (any(token.text[:1].isupper() or token.lower_ in _RELATIVE for token in each) or each.text.isdecimal())
    ]


def _since(frame: Frame, days: "Sequence[Span]") -> "dict[str, Span]":
    """The slot for the start or the end of what is told, if exactly one date is given and the frame has such a slot."""
    if len(days) != 1:
        return {}
    slots = ("until",) if days[0].root.head.lower_ in _ENDS else _DAYS
    slot = next((each for each in slots if each in frame.slots), None)
    return {slot: days[0]} if slot is not None else {}


@cache
def by_noun() -> dict[str, tuple[Frame, str, str]]:
    """Maps each noun of the lists in `beside` to its frame, the slot of the noun, and the slot of the name. For a noun
    of several lists it is the frame with the shortest list.
    """
    lists, found = lexicon().words, dict[str, tuple[Frame, str, str]]()
    frames = [(each, *each.beside) for each in load_frames().values() if each.beside]
    for frame, nouns, relation, name in sorted(frames, key=lambda each: -len(lists[each[1]])):
        found |= dict.fromkeys(lists[nouns], (frame, relation, name))
    return found


def is_capitalised(token: "Token") -> bool:
    """Whether a word is a proper noun with a capital."""
    return token.pos_ == "PROPN" and token.text[:1].isupper()
