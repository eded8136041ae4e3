"""Given names that the tagger does not know. At the beginning of a sentence a capital tells nothing, but what follows
may: "Nils is a baker" and "Grace lives in Oslo" speak of people, "Rent is due" does not. Behind kin it tells enough:
"my flatmate Dorji climbs".

What belongs here: telling a name by what is said of it, before the parser and the name finder read the text.
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
# What people alone do, or nearly so, when their name stands without an article.
_PERSONAL: Final = frozenset(phrases("personal"))
_FEWEST_BEFORE: Final = 2
_BEING: Final = {"is", "was"}
_NO_NAMES: Final = frozenset(phrases("no_people"))


@Language.component(PIPE)
def names_at_the_start(doc: "Doc") -> "Doc":
    """Tags such a name as one, and marks it as a person."""
    found = [token for token in doc if _of_kin(token) or (_begins(token) and _named(token))]
    for token in found:
        token.tag_ = "NNP"
    doc.set_ents([Span(doc, token.i, token.i + 1, "PERSON") for token in found], default="unmodified")
    return doc


def _of_kin(token: "Token") -> bool:
    """Whether a word with a capital stands behind what somebody is to somebody."""
    if token.i < _FEWEST_BEFORE or not token.text.istitle() or token.tag_ not in _MAY_BE_A_NAME:
        return False
    kin, whose = token.nbor(-1), token.doc[max(0, token.i - 4) : token.i - 1]
    known = kin.text.islower() and kin.lower_ in lexicon().words["kin"]
    return known and any(each.tag_ in {"PRP$", "POS"} for each in whose) and token.lower_ not in CALENDAR


def _begins(token: "Token") -> bool:
    return token.text.istitle() and (token.i == 0 or token.nbor(-1).text in _ENDS or "\n" in token.nbor(-1).text)


def _named(token: "Token") -> bool:
    """Whether what follows a word tells that it is somebody's name."""
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
    """Whether only people are so: allergic, a baker."""
    words = lexicon().words
    if not complement:
        return False
    said = [each for each in complement if each.lower_ not in {"a", "an", "my", "our", "the"}]
    known = words["kin"] | words["roles"] | words["occupations"] | words["states"]
    return bool(said) and (said[0].lower_ in known or said[0].lower_ in words["human"])


def _disagrees(token: "Token", verb: "Token") -> bool:
    """Whether a word is taken for a plural, and its verb is none: Lars is, Mads has."""
    return token.tag_ == "NNS" and verb.lower_ in {"is", "has", "was"} and token.lower_ not in lexicon().words["times"]
