"""Quotations: sentences that fill a frame, kept word for word because their slots are not certain.

What belongs here: which words of a sentence are quoted, whom they are about, and whether they can be understood alone.
What does not: their confidence (`nlp.frames.extractor`), and frames that are told from slots (`nlp.frames.filling`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hippograph.nlp.extraction.assertion import doubted, is_denied_by_noun, is_supposed
from hippograph.nlp.extraction.coreference import People
from hippograph.nlp.extraction.naming import TIMES, appositions
from hippograph.nlp.frames.filling import (
    Parts,
    aged,
    is_addressed,
    is_not_now,
    is_passing,
    likeliest,
    log_odds,
)
from hippograph.nlp.frames.frame import TO_ASSISTANT, WHO, Frame, load_frames
from hippograph.nlp.frames.tagger import frame_labels, slot_labels
from hippograph.nlp.names.listed import is_given, is_place
from hippograph.nlp.names.normalization import words_of
from hippograph.nlp.names.parsed_name import titles_of
from hippograph.nlp.parsing.clauses import Clause, asks, clause_of
from hippograph.nlp.parsing.informal_words import CALENDAR
from hippograph.nlp.parsing.lexicon import lemma
from hippograph.nlp.parsing.wording import FIRST, IT, REFERRING, SECOND, THIRD

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

LEAST_FRAME: Final = 0.3
"""Minimum probability of a frame for its sentence to be quoted."""
_LIKELY: Final = 0.5
LONGEST: Final = 22
"""Maximum number of tokens of a quotation; of a longer sentence only the clause is quoted."""
SHORTEST: Final = 3
"""Minimum number of tokens of a quotation."""
_THINGS: Final = ("a thing", "a thing of theirs")
_NOBODY: Final = (*_THINGS, "nobody")
_OF_SOMEBODY: Final = frozenset({"age", "birthday"})
"""The frames that are quoted only if the words say who: not "born on 30 August"."""
_LEADING: Final = frozenset({"so", "ok", "okay", "well", "also", "anyway", "then", "oh", "yes", "no", "because"})
_LEADS: Final = frozenset({"from", "to"})
_OWNED: Final = ("relation", "role")
"""The slots that hold what somebody is to another person."""
_WORD: Final = 3
"""A quotation needs a word of at least this many letters."""
_LITTLE: Final = 2
"""Maximum number of words behind "say" for which a quotation says too little."""
_UNFINISHED: Final = {"CC", "DT", "HYPH", "IN", "PRP$", "TO", "VB", "VBG"}
_GOING_ON: Final = {"CC", "IN", "``"}
_RELATIVE: Final = {"WDT", "WP"}
_NO_PERSON: Final = TIMES | {"GPE", "LOC", "FAC"}
"""spaCy's labels of names that no pronoun for a person refers to."""
_SMALL: Final = {"CCONJ", "INTJ", "PUNCT", "SPACE"}


@dataclass(frozen=True, slots=True)
class Quotation:
    """Words that fill a frame. `about` names whom they are about. `meant` is a pronoun in them and the name to put
    behind it, None without such a pronoun. `evidence` holds the features of the confidence, by name.
    """

    frame: Frame
    words: "Span"
    about: str
    meant: "tuple[Token, str] | None"
    clause: Clause | None
    sentence: "Span"
    evidence: Mapping[str, float]


def quotations(people: People, turn: int, parts: Parts) -> Iterator[Quotation]:
    """Yields the sentences of a turn once for each frame that they fill, the most probable frame first, whatever the
    confidence. Leaves out questions, suppositions, and sentences that refer to something that they do not name.
    """
    for place, sentence in enumerate(parts.sentences):
        numbers = (-parts.frames[place]).argsort(kind="stable").tolist()
        likely = [number for number in numbers if parts.frames[place, number] >= LEAST_FRAME]
        if not likely or asks(sentence):
            continue
        for number in likely:
            found = _quotation(people, turn, parts, place, number)
            if found is not None:
                yield found


def _quotation(people: People, turn: int, parts: Parts, place: int, number: int) -> Quotation | None:
    frame, probability = load_frames()[frame_labels()[number]], float(parts.frames[place, number])
    if not frame.quoted:
        return None
    sentence, clauses = parts.sentences[place], parts.clauses[place]
    main, fills = likeliest(frame, frame.main, parts, sentence)
    if fills < _LIKELY and any(map(is_addressed, sentence)):
        return None  # the tagger may have taken the person addressed for the filler
    clause = clause_of(main, clauses)
    words = _quoted(sentence, clause)
    if is_not_now(frame, main, clause) or (frame.lasting and is_passing(main, clause)) or _is_on_the_way(frame, main):
        return None
    if (
        words is None
        or _says_little(words)
        or (frame.name == "doctor" and not _names_owner(words))
        or (frame.name == "dislike" and clause is not None and lemma(clause.main) == "want")
        or is_supposed(main)
        or is_denied_by_noun(main)
        or (clause and (clause.conditions or clause.hedged or doubted(clause)))
    ):
        return None
    meant = list(_meant(people, turn, words, clauses, frame))
    if None in meant:
        return None
    about, sort = _about(people, turn, clause, _who(frame, parts, sentence, main), frame)
    if not about or (frame.name in _OF_SOMEBODY and sort in _NOBODY):
        return None
    evidence = {"frame": log_odds(probability), f"about {sort}": 1.0}
    return Quotation(frame, words, about, next(iter(meant), None), clause, sentence, evidence)


def _is_on_the_way(frame: Frame, place: "Token") -> bool:
    """Whether a place is no home but the start or end of a journey, or where somebody calls from: he slept from Bovec
    to Graz. With a verb of moving, the place was a home.
    """
    if frame.name != "home" or place.dep_ != "pobj" or place.head.lower_ not in _LEADS:
        return False
    verb = next((each for each in place.ancestors if each.pos_ == "VERB"), None)
    if verb is None or lemma(verb) in {said.verb for said in frame.said}:
        return False
    return any(each.lower_ == "from" and each.i <= place.head.i for each in verb.subtree)


def _quoted(sentence: "Span", clause: Clause | None) -> "Span | None":
    """Returns the words of a sentence to quote, without introductory words: all of it, or only the clause if it is
    longer than `LONGEST` tokens. None for a sentence that the parse cuts short, and for too few or too many tokens.
    """
    words = [] if _is_cut(sentence) else without_edges(_without_loose_end(sentence))
    if len(words) > LONGEST and clause is not None:
        words = without_edges(list(sentence.doc[clause.words[0].i : clause.words[-1].i + 1]))
    return sentence.doc[words[0].i : words[-1].i + 1] if SHORTEST <= len(words) <= LONGEST else None


def _says_little(words: "Span") -> bool:
    """Whether words only tell that somebody said a word or two (my mum says thyroid), or are sounds (wi mm-mm)."""
    if not any(len(token) >= _WORD and token.is_alpha for token in words):
        return True
    said = next((token for token in words if token.lemma_ == "say" and token.pos_ == "VERB"), None)
    return said is not None and sum(not token.is_punct for token in words.doc[said.i + 1 : words.end]) <= _LITTLE


def _names_owner(words: "Span") -> bool:
    """Whether words say whose doctor it is: my physio says that I'm fine; not: the neurologist says that."""
    return any(token.lower_ in FIRST or token.tag_ == "PRP$" or token.dep_ == "poss" for token in words)


def _is_cut(sentence: "Span") -> bool:
    """Whether the parse cuts a sentence in the middle of a phrase: going there to meet | a beagle-ish one; him | and
    Priya are having a baby.
    """
    subject, last = sentence[min(1, len(sentence) - 1)], sentence[-1]
    if sentence[0].tag_ == "CC" and subject.tag_ == "NNP" and subject.dep_ == "nsubj" and not subject.conjuncts:
        verb = subject.head
        if any(each.tag_ == "VBP" for each in (verb, *(child for child in verb.children if child.dep_ == "aux"))):
            return True
    if last.tag_ not in _UNFINISHED or sentence.end == len(sentence.doc):
        return False
    return last.nbor(1).is_lower or last.nbor(1).is_quote


def _without_loose_end(sentence: "Span") -> "list[Token]":
    """Returns the words of a sentence without an end that belongs to the next one, if the parse cuts in the middle: I
    turn 53 in March (which I mention | so you don't sing), papa turns 70 (and Ana | and I will surprise him).
    """
    words = list(sentence)
    goes_on = sentence.end < len(sentence.doc) and sentence.doc[sentence.end].tag_ in _GOING_ON
    if not goes_on or words[-1].is_punct or words[-1].is_space:
        return words
    comma = next((place for place in range(len(words) - 1, 0, -1) if _joins(words[place])), None)
    if comma is None:
        return words
    tail = words[comma + 1 :]
    says = any(token.dep_ in {"nsubj", "nsubjpass"} and token.head in tail for token in tail)
    return words[:comma] if not says or (tail and tail[0].tag_ in _RELATIVE) else words


def _joins(token: "Token") -> bool:
    """Whether a token joins two parts of a sentence: a comma, or a conjunction such as "and"."""
    return token.text == "," or token.tag_ == "CC"


def without_edges(words: "list[Token]") -> "list[Token]":
    """Returns words without introductory ones, and without punctuation and conjunctions at the end."""
    while words and (words[0].pos_ in _SMALL or words[0].lower_ in _LEADING) and not _denies(words):
        words.pop(0)
    unclosed = sum((token.text == "(") - (token.text == ")") for token in words)
    while words and (words[-1].pos_ in {"PUNCT", "SPACE", "CCONJ"} or _dangles(words)):
        if words[-1].text == ")" and unclosed >= 0:
            break  # it closes a bracket within the words
        unclosed += (words[-1].text == ")") - (words[-1].text == "(")
        words.pop()
    return words


def _dangles(words: "Sequence[Token]") -> bool:
    """Whether a "no" behind a comma has lost what it denies, or only asks: no lists, no "great question"."""
    return words[-1].lower_ == "no" and len(words) > 1 and words[-2].text == ","


def _denies(words: "Sequence[Token]") -> bool:
    """Whether a leading "no" denies what follows (no nuts at all), and is not an answer."""
    return words[0].lower_ == "no" and len(words) > 1 and not words[1].is_punct


def _meant(
    people: People, turn: int, words: "Span", clauses: Sequence[Clause], frame: Frame
) -> "Iterator[tuple[Token, str] | None]":
    """Yields each pronoun that the words themselves do not explain, with the name it stands for; None for one that
    cannot be resolved.
    """
    named = False
    for token in words:
        word = token.lower_
        named = named or (token.pos_ == "PROPN" and token.ent_type_ not in _NO_PERSON) or people.is_person(token)
        refers = word in REFERRING and token.pos_ in {"PRON", "ADJ", "NOUN"}
        if refers or (word in IT and token.dep_ != "expl") or (word in SECOND and frame.name not in TO_ASSISTANT):
            yield None
        elif word in THIRD and not named:
            name = people.surely(turn, token, clause_of(token, clauses))
            yield (token, name) if name and _is_known(people, name) else None
            named = True


def _who(frame: Frame, parts: Parts, sentence: "Span", main: "Token") -> "Token | None":
    """Returns the word that most probably says whom a sentence is about: Dr. Feld has put *me* on levothyroxine.

    For a relationship it is the owner: *Matej*'s wife Nika. For somebody's relative it is the relative: my *aunt* has
    the shop. In a subordinate clause that says when or why, only the speaker counts: retired in May, before Marisol
    kills me.
    """
    for slot in _OWNED if frame.inward else ():
        if slot in frame.slots:
            owned, _ = likeliest(frame, (slot,), parts, sentence)
            if owner := next((child for child in owned.children if child.dep_ == "poss"), None):
                return owner
    if (frame.name, WHO) not in slot_labels():
        return None
    word, probability = likeliest(frame, (WHO,), parts, sentence)
    if frame.name in _OF_SOMEBODY:
        word = aged(word)
    elif word.tag_ == "PRP$" and word.lower_ in FIRST and parts.probability(frame, WHO, word.head) >= _LIKELY:
        word = word.head  # of my aunt Meena
    over = {main, *main.ancestors}
    aside = any(each.dep_ == "advcl" and each not in over for each in (word, *word.ancestors))
    return word if probability >= _LIKELY and (word.lower_ in FIRST or not aside) else None


def _about(people: People, turn: int, clause: Clause | None, who: "Token | None", frame: Frame) -> tuple[str, str]:
    """Returns whom a clause is about, and the sort of evidence for it: from the word `who` of the tagger, else from the
    subject. Both are empty for the person addressed, and for a first name that several share.
    """
    subject = who if who is not None else None if clause is None or clause.fragment else clause.subject
    if frame.name == "instruction":
        return people.speaker(turn), "who speaks"
    if subject is None:
        return people.speaker(turn), "nobody"
    if subject.lower_ in FIRST:
        return people.speaker(turn), "who speaks"
    if is_addressed(subject):
        return "", ""
    if people.is_somebody(subject) and subject.lower_ not in IT | SECOND:
        name = people.name(turn, subject, clause)
        if name and _is_named(people, name) and people.entity(name).type == "Person":
            return name, "another"
        if name is None and any(people.is_shared(each.text) for each in (subject, *appositions(subject))):
            return "", ""
    own = any(child.lower_ in FIRST and child.tag_ == "PRP$" for child in subject.children)
    return people.speaker(turn), _THINGS[own]


def _is_named(people: People, name: str) -> bool:
    """Whether a name is a proper name, and not that of a place."""
    return people.is_named(name) and not is_place(tuple(words_of(name)))


def _is_known(people: People, name: str) -> bool:
    """Whether a name surely means a person: a participant, kin, a name with a title, or a known given name."""
    first, *rest = words_of(name)
    return _is_named(people, name) and (
        people.takes_part(name)
        or "'s " in name
        or (bool(rest) and first in titles_of("all"))
        or (is_given(first) and name.casefold() not in CALENDAR)
    )
