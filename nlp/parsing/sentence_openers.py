"""Given names that the part-of-speech tagger does not know.

At the beginning of a sentence a capital shows nothing, but the words that follow may: "Nils is a baker" and "Grace
lives in Oslo" are about people, "Rent is due" is not. After a kinship word a capital is enough: "my flatmate Dorji
climbs".

What belongs here: recognizing a name by what is said of it, before the parser and the name finder read the text.
"""

from typing import TYPE_CHECKING, Final

from spacy.language import Language
from spacy.tokens import Span

from hippograph.nlp.parsing.informal_words import CALENDAR, INTERJECTIONS, NOBODY
from hippograph.nlp.parsing.lexicon import lexicon, phrases
from hippograph.nlp.parsing.wording import PARENTS

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token


PIPE: Final = "names_at_the_start"

_MAY_BE_A_NAME: Final = {"NN", "NNS", "NNP", "NNPS", "JJ", "FW"}
_ENDS: Final = {".", "!", "?", "…", "..."}
# Verbs whose subject, without an article, is nearly always a person.
_PERSONAL: Final = frozenset(phrases("personal"))
_FEWEST_BEFORE: Final = 2
_BEING: Final = {"is", "was"}
_NO_NAMES: Final = frozenset(phrases("no_people"))


@Language.component(PIPE)
def names_at_the_start(doc: "Doc") -> "Doc":
    """Tags such names as proper nouns, and adds them to the entities as persons."""
    found = [token for token in doc if _of_kin(token) or (_begins(token) and _named(token))]
    for token in found:
        token.tag_ = "NNP"
    doc.set_ents([Span(doc, token.i, token.i + 1, "PERSON") for token in found], default="unmodified")
    return doc


def _of_kin(token: "Token") -> bool:
    """Whether a capitalised word follows a kinship word that has a possessive."""
    if token.i < _FEWEST_BEFORE or not token.text.istitle() or token.tag_ not in _MAY_BE_A_NAME:
        return False
    kin, whose = token.nbor(-1), token.doc[max(0, token.i - 4) : token.i - 1]
    known = kin.text.islower() and kin.lower_ in lexicon().words["kin"]
    return known and any(each.tag_ in {"PRP$", "POS"} for each in whose) and token.lower_ not in CALENDAR


def _begins(token: "Token") -> bool:
    return token.text.istitle() and (token.i == 0 or token.nbor(-1).text in _ENDS or "\n" in token.nbor(-1).text)


def _named(token: "Token") -> bool:
    """Whether the words after a word show that it is a person's name."""
    words, doc = lexicon().words, token.doc
    if token.tag_ not in _MAY_BE_A_NAME or len(token) < 3 or token.lower_ in _NO_NAMES | NOBODY | CALENDAR:
        return False
    if token.lower_ in INTERJECTIONS | PARENTS or any(token.lower_ in words[each] for each in ("kin", "pets", "roles")):
        return False
    following = [each for each in doc[token.i + 1 : token.i + 6] if each.tag_ != "RB"]
    if not following or (token.tag_ == "NNS" and token.lower_.rstrip("s") in words["times"]):
        return False
    verb, *rest = following
    if verb.tag_ not in {"VBZ", "VBD", "NNS"}:
        return False
    return verb.lower_ in _PERSONAL or (verb.lower_ in _BEING and _somebody(rest)) or _disagrees(token, verb)


def _somebody(complement: "list[Token]") -> bool:
    """Whether a complement is said of people only: allergic, a baker."""
    words = lexicon().words
    if not complement:
        return False
    said = [each for each in complement if each.lower_ not in {"a", "an", "my", "our", "the"}]
    known = words["kin"] | words["roles"] | words["occupations"] | words["states"]
    return bool(said) and (said[0].lower_ in known or said[0].lower_ in words["human"])


def _disagrees(token: "Token", verb: "Token") -> bool:
    """Whether a word is tagged as a plural, but its verb is singular: Lars is, Mads has."""
    return token.tag_ == "NNS" and verb.lower_ in {"is", "has", "was"} and token.lower_ not in lexicon().words["times"]
