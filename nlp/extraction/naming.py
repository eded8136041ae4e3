"""Nouns as names: which words make a name, who the possessor is, and which pronoun refers to it.

What belongs here: what the words and their parse tell. What does not: who is meant (`nlp.extraction.coreference`).
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from hippograph.nlp.names.listed import gender, is_ambiguous, is_given
from hippograph.nlp.names.parsed_name import titles_of
from hippograph.nlp.parsing.lexicon import lexicon
from hippograph.nlp.text import slug

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

SUBJECTS: Final = {"nsubj", "nsubjpass"}
TIMES: Final = {"DATE", "TIME", "CARDINAL", "ORDINAL", "MONEY", "PERCENT", "QUANTITY"}
ARTICLE: Final = re.compile(r"^(?:an?|the) ", re.IGNORECASE)
_BESIDE: Final = {"compound", "nmod", "appos"}
_WHERE: Final = {"at", "in", "from", "for", "to", "on"}
_DAYS: Final = {"yesterday", "today", "tonight", "tomorrow"}
_IN_NAMES: Final = {"&", "-", ".", "'s", "’s"} | frozenset(
    {"of", "de", "da", "di", "van", "von", "der", "la", "le", "el", "al", "the"}
)
_PRONOUNS: Final = {"female": "she", "male": "he", None: ""}
_POSSESSIVE: Final = re.compile(r"['’]s$")


def first_name(name: str) -> str:
    """The first word of a name behind titles and words without a letter (Ada for 👩 Dr. Ada Byron). The name itself if
    no word is left or only a family name behind a title (Mrs. Smith).
    """
    words = [word.rstrip(",") for word in name.split() if any(map(str.isalpha, word))]
    given = [word for word in words if word.casefold().rstrip(".") not in titles_of("all")]
    return given[0] if given and (len(given) > 1 or given == words[:1]) else name.strip()


def sentence_of(token: "Token") -> int:
    """The index of the sentence that holds a word."""
    return sum(each.end <= token.i for each in token.doc.sents)


def is_kin(token: "Token") -> bool:
    """Whether a noun names a relation between people, such as sister or boss."""
    return token.lower_ in lexicon().words["kin"] and token.pos_ == "NOUN"


def family_called(name: "Token") -> "tuple[Token, Token] | None":
    """The possessor and the family noun before a name: *my* younger *daughter* Maya; *my daughter*, Maya. None for a
    full name, and where no family noun with a possessor precedes the name.
    """
    doc, at = name.doc, name.i - 1
    if name.i + 1 < len(doc) and doc[name.i + 1].pos_ == "PROPN":
        return None
    if at > 0 and doc[at].text == "," and name.dep_ == "appos":
        at -= 1
    if at < 1 or doc[at].lower_ not in lexicon().words["family"]:
        return None
    owner = owner_before(name.sent, begin_of(name.sent, doc[at]))
    return None if owner is None else (owner, doc[at])


def begin_of(sentence: "Span", noun: "Token") -> int:
    """The index of the first word of a noun with the adjectives and nouns before it: my *younger* daughter."""
    first = noun.i
    while first > sentence.start and _belongs(noun.doc[first - 1]):
        first -= 1
    return first


def _belongs(token: "Token") -> bool:
    return token.dep_ in {"amod", "compound"} and token.pos_ != "PROPN"


def owner_before(sentence: "Span", at: int) -> "Token | None":
    """The possessor right before a phrase that begins at `at`, if there is one: *my* cousin, *Matej*'s wife."""
    before = sentence.doc[at - 1] if at > sentence.start else None
    if before is None or before.tag_ == "PRP$":
        return before
    return sentence.doc[at - 2] if before.tag_ == "POS" and at - 1 > sentence.start else None


def owner_of(token: "Token") -> "Token | None":
    """The possessor of a noun, if the parse has one."""
    return next((child for child in token.children if child.dep_ == "poss"), None)


def appositions(token: "Token") -> "Iterator[Token]":
    """Names in apposition to a noun."""
    return (child for child in token.children if child.dep_ == "appos" and child.pos_ == "PROPN")


def name_beside(token: "Token") -> "Token | None":
    """The name of the person whom a noun describes: my sister *Ana*."""
    listed = token.dep_ == "appos" and token.pos_ == "PROPN"  # Ana, Tom who is nine
    if token.dep_ in _BESIDE and token.head.pos_ == "PROPN" and not token.head.text.islower() and not listed:
        return token.head
    behind = token.nbor(1) if token.i + 1 < len(token.doc) else token
    if is_kin(token) and owner_of(token) is not None and behind.pos_ == "PROPN" and behind.text.istitle():
        return behind
    return next(appositions(token), None)


def may_be_somebody(token: "Token") -> bool:
    """Whether a word is a name that may be a person's."""
    place = token.ent_type_ in {*TIMES, "GPE", "LOC", "NORP", "LANGUAGE", "FAC", "ORG"}
    place = place or (token.dep_ == "pobj" and token.head.lower_ in _WHERE)
    return token.pos_ == "PROPN" and (not place or token.dep_ in SUBJECTS)


def names_somebody(pronoun: "Token") -> bool:
    """Whether the sentence of a pronoun has a possible person's name, or a word such as someone, before it."""
    before = pronoun.sent[: pronoun.i - pronoun.sent.start]
    return any(may_be_somebody(each) or each.lower_ in {"one", "someone", "somebody"} for each in before)


def was_named(name: str, pronoun: "Token") -> bool:
    """Whether the last word of a name occurs before a pronoun in its turn, however the parser tags it. False for a name
    that begins with an article.
    """
    said = pronoun.doc[: pronoun.i].text.casefold()
    return not ARTICLE.match(name) and name.rpartition(" ")[2].casefold() in said


def gender_of(token: "Token") -> str:
    """The pronoun for a person with this noun or name: she, he, or empty if either is possible."""
    words = lexicon().words
    if token.lower_ in words["she"] | words["he"]:
        return "she" if token.lower_ in words["she"] else "he"
    name = slug(token.text)
    # Before a family name it is no common word: Bill Grace.
    sure = token.dep_ == "compound" or not is_ambiguous(token.text)
    named = token.pos_ == "PROPN" and is_given(name) and sure
    return _PRONOUNS[gender(name)] if named else ""


def spelled_out(token: "Token") -> str:
    """The whole name that a word belongs to, with a title, and without an @ or a possessive ending."""
    span = next((ent for ent in token.doc.ents if ent.start <= token.i < ent.end), None)
    if span is not None and token.pos_ == "PROPN":
        first, last = token.i, token.i
        while first > span.start and _of_name(token.doc[first - 1]):
            first -= 1
        while last + 1 < span.end and _of_name(token.doc[last + 1]) and not _uncapitalised(token.doc[last + 1], token):
            last += 1
        while last > token.i and token.doc[last].pos_ != "PROPN":
            last -= 1
        if (
            first > 0
            and token.doc[first - 1].lower_ in lexicon().words["titles"]
            and token.doc[first - 1].text.istitle()
        ):
            first -= 1
        return _POSSESSIVE.sub("", token.doc[first : last + 1].text).lstrip("@")
    parts = [t for t in token.subtree if (t.dep_ in {"compound", "flat"} and t.pos_ == "PROPN") or t == token]
    if token.i + 1 < len(token.doc) and token.nbor(1).dep_ == "nummod" and token.nbor(1).head == token:
        parts.append(token.nbor(1))  # Dimmer 7
    between = [t for t in token.doc[parts[0].i : parts[-1].i] if t not in parts]
    if between and all(is_hyphen(t) for t in between):
        return token.doc[parts[0].i : parts[-1].i + 1].text.lstrip("@")
    return " ".join(t.text for t in parts).lstrip("@")


def is_hyphen(token: "Token") -> bool:
    """Whether a token is a hyphen that joins two words into one."""
    return token.text == "-" and not token.whitespace_ and token.i > 0 and not token.nbor(-1).whitespace_


def _uncapitalised(token: "Token", name: "Token") -> bool:
    """Whether a lower-case word is not part of a capitalised name: Mrs Vogt *rang*."""
    return token.text.islower() and token.lower_ not in _IN_NAMES and not name.text.islower()


def _of_name(token: "Token") -> bool:
    return token.lower_ not in _DAYS and (token.pos_ == "PROPN" or token.lower_ in _IN_NAMES)


def without_kin(name: str) -> str:
    """A name without a word for a relation: *Youssef* of cousin Youssef. A name of such words alone is unchanged."""
    kin = lexicon().words["kin"]
    return " ".join(word for word in name.split() if word not in kin) or name


def is_within(token: "Token", top: "Token") -> bool:
    """Whether a word below `top` is part of a relative clause, a coordination or an apposition, and so not of the noun
    phrase itself.
    """
    while token not in (top, token.head):
        if token.dep_ in {"relcl", "conj", "cc", "appos"}:
            return True
        token = token.head
    return False


def is_one_thing(subject: "Token") -> bool:
    """Whether a subject is a single thing, which he, she and they cannot refer to."""
    words = lexicon().words
    return (
        subject.tag_ == "NN"
        and not subject.text.istitle()
        and not any(subject.lower_ in words[each] for each in ("kin", "pets", "roles", "she", "he"))
    )
