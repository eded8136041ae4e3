"""What a statement must have to stand alone: each gate is one rule on its form, with the reason it is counted by.

What belongs here: form. What does not: whether it is so (`nlp.extraction.assertion`), and whether it is worth it
(`nlp.extraction.relevance`).
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from nlp.extraction.coreference import People
from nlp.extraction.reading import Piece
from nlp.parsing.clauses import Clause, auxiliaries
from nlp.parsing.lexicon import lexicon, phrases
from nlp.parsing.wording import IT, SAME, THIRD

if TYPE_CHECKING:
    from spacy.tokens import Token

_FINITE: Final = {"VBZ", "VBP", "VBD", "MD"}
_OPEN: Final = {"IN", "TO", "DT", "PRP$", "CC", "WDT", "WP", "WRB", "PDT"}
_WHOLE: Final = {"all", "both"}
_PARTICLES: Final = {"prt", "advmod"}
_NEGATIONS: Final = {"no", "not", "n't", "n’t", "nt", "never", "nobody", "nothing", "none", "neither", "nor", "hardly"}
_MYSELF: Final = {"myself", "ourselves", "yourself"}
_DEICTIC: Final = {"here", "there"}
_ONE: Final = {"one", "ones"}
_SAYING: Final = {"say", "ask", "tell"}
_HOW: Final = {"home", "abroad", "away", "back", "well", "fine", "better", "badly", "great"}

_AMOUNTS: Final = {"DATE", "TIME", "MONEY", "PERCENT", "QUANTITY"}
_NUMBERED: Final = {"dobj", "oprd", "npadvmod", "advmod"}
_COSTING: Final = {"earn", "pay", "cost", "charge", "weigh", "owe", "measure"}
_MEASURES: Final = {"lot", "bit", "while", "little", "ton"}
_LOOSE: Final = {"appos", "dep", "npadvmod"}
_BESIDES: Final = {"else", "last time", "this time", "that time"}
_TOGETHER: Final = {"meet", "talk", "chat", "split", "separate", "argue"}
_TOLD_APART: Final = {"det", "poss", "nummod", "relcl", "prep"}
_ENDS: Final = {".", "!", "?", "…", "..."}
_STOPS: Final = {",", ".", "!", "?", ";", ":"}
_COMPLETING: Final = {"dobj", "attr", "acomp", "xcomp", "ccomp", "dative", "oprd", "agent", "nsubjpass", "auxpass"}
_DEPENDENT: Final = {"aux", "auxpass", "relcl", "advcl", "ccomp"}
_MOST_SPOKEN: Final = 12
_NEAR: Final = 4
"""Among so many words at the beginning the subject stands."""
_MALFORMED: Final = re.compile(r"[a-z)]{2}[.!?] [A-Z]|\bI\. [A-Z]|\b([A-Z]\w+) \1\b")
_IS: Final = re.compile(r"^(?P<one>.+?) (?:is|are|was|were) (?P=one)$", re.IGNORECASE)
_YEAR: Final = re.compile(r"\bin ((?:19|20)\d\d)\b")


@dataclass(frozen=True, slots=True)
class Candidate:
    """What was made of a piece: its `content` in the third person, and the name of whom it is about."""

    piece: Piece
    content: str
    subject: str
    people: People

    @property
    def clause(self) -> Clause:
        """The clause it says."""
        return self.piece.clause

    @property
    def named(self) -> "Token | None":
        """The subject of the clause."""
        return self.piece.clause.subject


Gate = Callable[[Candidate], bool]


def objection(made: Candidate) -> str:
    """Why a candidate does not stand alone; empty when it does."""
    return next((reason for reason, fails in _GATES if fails(made)), "")


def _fragment(made: Candidate) -> bool:
    """No clause; one in which only the parser misses a verb is none either."""
    near = " ".join(made.content.split()[:_NEAR])
    clause = made.subject in near and any(token.tag_ in _FINITE for token in made.piece.words)
    return made.clause.fragment and not clause


def _no_subject(made: Candidate) -> bool:
    """No subject: studies to be a dentist; or one that stands for nothing: one is from Herat."""
    if made.clause.fragment or made.clause.implied:
        return False
    begins = made.piece.words[0].tag_ in _FINITE and not made.content.startswith(made.subject)
    if made.named is None or begins:
        return True
    if made.named.dep_ == "expl":
        return made.piece.when.day is None
    vague = made.named.lower_ in lexicon().words["vague"]
    return vague and not any(child.dep_ in {*_TOLD_APART, "compound", "amod"} for child in made.named.children)


def _left_out(made: Candidate) -> bool:
    """The subject is left out where it need not be who speaks: in answer to a question, or behind another clause."""
    if not made.clause.implied:
        return False
    start, doc = made.piece.sentence.start, made.piece.sentence.doc
    behind = start > 0 and doc[start - 1].text not in _ENDS and "\n" not in doc[start - 1].text
    asked = start == 0 and made.people.asked(made.piece.turn - 1)
    return behind or asked or made.clause.head.lower_ in SAME


def _no_verb(made: Candidate) -> bool:
    """No finite verb: Tamsin doing the ridge."""
    head, above = made.clause.head, made.clause.head.head
    if made.clause.fragment or made.clause.implied or head.tag_ in _FINITE or auxiliaries(head):
        return False
    shared = auxiliaries(above) or above.lemma_ == "be" or above.tag_ in _FINITE
    return not (head.dep_ == "conj" and shared)


def _cut_short(made: Candidate) -> bool:
    """Ends in a word that asks for another one."""
    last = [token for token in made.piece.words if not token.is_punct][-1]
    if last.lower_ in {"to", "not"} or (last.lemma_ == "be" and last.dep_ not in {"aux", "auxpass"}):
        return True
    whole = last.dep_ in _PARTICLES or last.lower_ in _WHOLE or (last.dep_ == "prep" and any(last.children))
    return last.tag_ in _OPEN and not whole


def _incomplete(made: Candidate) -> bool:
    """A verb without what it needs: she starts in September, he takes over; or an age of nobody knows when."""
    verb = made.clause.main
    while (inner := next((each for each in verb.children if each.dep_ == "xcomp"), None)) is not None:
        verb = inner
    if verb.lemma_ == "be":
        age = [each for each in verb.children if each.dep_ in {"attr", "acomp"}]
        return made.clause.past and any(all(part.like_num or part.is_punct for part in each.subtree) for each in age)
    return verb.lemma_ in phrases("needing") and not any(_completes(child) for child in verb.children)


def _completes(child: "Token") -> bool:
    """Whether a word says what a verb is done to, or where; a time does not."""
    if child.dep_ == "prep":
        return not all(each.ent_type_ in {"DATE", "TIME"} for each in child.children)
    return child.dep_ in _COMPLETING or child.lower_ in _HOW


def _joins_nothing(made: Candidate) -> bool:
    """Has a word that joins what is missing: has paths and by working."""
    places = {token.i for token in made.piece.words}
    joining = [token for token in made.piece.words if token.dep_ == "cc" and token.i + 1 < len(token.doc)]
    return any(token.i + 1 not in places or _begins_anew(token) for token in joining)


def _begins_anew(joining: "Token") -> bool:
    """Whether a joining word leads to another clause than its own: paths, and by working."""
    joined = any(child.dep_ == "conj" and child.i > joining.i for child in joining.head.children)
    return not joined and joining.nbor(1).tag_ in {"IN", "TO", "WRB", "WP"}


def _uncertain_pronoun(made: Candidate) -> bool:
    """A pronoun of the third person that more than one person fits, or that stands for a thing."""
    words = {token.i: token for token in made.piece.words}
    if made.named is not None:
        words[made.named.i] = made.named
    return any(
        not made.people.certain(made.piece.turn, token, made.clause)
        for token in words.values()
        if token.lower_ in THIRD | IT and token.dep_ != "expl"
    )


def _of_another(made: Candidate) -> bool:
    """About somebody else than the pronoun that is its subject stands for."""
    named = made.named
    if named is None or named.lower_ not in THIRD:
        return False
    meant = made.people.who(made.piece.turn, named, made.clause)
    return meant not in {made.subject, None} and not made.people.is_one_of(made.piece.turn, named, made.subject)


def _company(made: Candidate) -> bool:
    """We, said among many, or one of us: nobody can tell who."""
    if any(token.lower_ == "us" and token.head.lower_ == "of" for token in made.piece.words):
        return True
    return made.people.many and made.named is not None and made.named.lower_ == "we"


def _only_says(made: Candidate) -> bool:
    """Tells only that somebody said something: she says 340 thousand."""
    return made.clause.head.lemma_ in _SAYING and not made.clause.fragment


def _each_other(made: Candidate) -> bool:
    """What several do with each other, said of one of them: we met in Graz."""
    head = made.clause.head
    if made.named is None or made.named.lower_ != "we" or head.lemma_ not in _TOGETHER:
        return False
    return not any(child.dep_ in {"dobj", "auxpass"} or child.lower_ == "with" for child in head.children)


def _said_of_itself(made: Candidate) -> bool:
    """Myself, where the name would stand twice; or a name that is said to be itself: Lien is Lien."""
    return _IS.match(made.content) is not None or any(token.lower_ in _MYSELF for token in made.piece.words)


def _run_together(made: Candidate) -> bool:
    """More than one clause in talk without commas and stops: my thumbs are frozen its minus nine."""
    if any(token.text in _STOPS for token in made.piece.sentence.doc):
        return False
    finite = sum(token.tag_ in _FINITE and token.dep_ not in _DEPENDENT for token in made.piece.words)
    return finite > 1 or len(made.piece.words) > _MOST_SPOKEN


def _pointing(made: Candidate) -> bool:
    """A place that only those who are there know: he works there."""
    last = [token for token in made.piece.words if not token.is_punct][-1]
    return last.lower_ in _DEICTIC and last.dep_ != "expl"


def _vague(made: Candidate) -> bool:
    """One, ones, where a noun should be: sold the old ones."""
    return any(token.lower_ in _ONE and (token.dep_ == "dobj" or token.tag_ != "CD") for token in made.piece.words)


def _uncounted(made: Candidate) -> bool:
    """A number of nobody knows what: ate six, is on 34."""
    verbs = {made.clause.head, made.clause.main}
    return any(
        token.tag_ == "CD"
        and (token.text.isdigit() or token.text.isalpha())
        and token.lower_ not in _ONE
        and token.head.lemma_ not in _COSTING
        and token.ent_type_ not in _AMOUNTS
        and not any(child.pos_ in {"NOUN", "PROPN", "SYM"} or child.tag_ == "CC" for child in token.children)
        and (
            (token.dep_ in _NUMBERED and token.head in verbs)
            or (token.dep_ == "pobj" and token.head.lower_ == "on" and token.head.head in verbs)
        )
        for token in made.piece.words
    )


def _pointed_out(made: Candidate) -> bool:
    """About what only those who are there know: nothing else, last time."""
    content = f" {made.content.lower()} "
    return any(f" {each} " in content for each in _BESIDES)


def _dangling(made: Candidate) -> bool:
    """Ends in a noun that belongs to nothing before it: came with the clippers the idiot; ends in: I think."""
    if made.content.endswith((" thinks", " thinks so", " guesses", " believes")):
        return True
    words = [token for token in made.piece.words if not token.is_punct]
    last = words[-1]
    while last.dep_ in {"compound", "amod", "pobj", "prep", "det"} and last.head in words:
        last = last.head
    if last.dep_ not in _LOOSE or last.pos_ not in {"NOUN", "PROPN"} or last.ent_type_ in _AMOUNTS:
        return False
    if last.lower_ in _MEASURES | lexicon().words["times"] or last.text[0].isdigit():
        return False
    first = last.left_edge
    titled = last.dep_ == "appos" and last.pos_ == "PROPN" and first.i > 0 and first.nbor(-1).pos_ in {"NOUN", "PROPN"}
    loose = first.i > 0 and first.nbor(-1) in words and not first.nbor(-1).is_punct
    return loose and not titled and first.lower_ in {"the", "a", "an", "my", "his", "her"}


def _lost_negation(made: Candidate) -> bool:
    """A word that denies stands within it or is bound to it, and is not among its words."""
    places = {token.i for token in made.piece.words}
    lost = [t for t in made.piece.sentence if t.lower_ in _NEGATIONS and t.i not in places and t.dep_ != "intj"]
    return any(min(places) < t.i < max(places) or (t.dep_ == "neg" and t.head.i in places) for t in lost)


def _malformed(made: Candidate) -> bool:
    """A subject that is no name and no noun phrase: Olamide's sister's; or a stop, or a name twice, in its midst."""
    return made.subject.endswith(("'s", "’s")) or _MALFORMED.search(made.content) is not None


def _two_years(made: Candidate) -> bool:
    """Two years of one thing: moved in 2019 in 2025."""
    return len(set(_YEAR.findall(made.content))) > 1


def _unnamed(made: Candidate) -> bool:
    """About a thing that is not even told from others by an article: meeting room is Baltic, parking is 12 dollars."""
    noun = made.named
    if noun is None or noun.pos_ != "NOUN" or made.clause.fragment or made.piece.when.day is not None:
        return False
    somebody = made.people.entity(made.subject).type == "Person" or made.clause.head.lemma_ != "be"
    return not somebody and not any(child.dep_ in _TOLD_APART for child in noun.children)


_GATES: Final[tuple[tuple[str, Gate], ...]] = (
    ("a fragment", _fragment),
    ("no subject", _no_subject),
    ("no subject", _left_out),
    ("no verb", _no_verb),
    ("cut short", _cut_short),
    ("cut short", _incomplete),
    ("cut short", _joins_nothing),
    ("run together", _run_together),
    ("an uncertain pronoun", _uncertain_pronoun),
    ("an uncertain pronoun", _of_another),
    ("nobody can tell who", _company),
    ("nobody can tell who", _each_other),
    ("only said", _only_says),
    ("said of itself", _said_of_itself),
    ("nobody can tell where", _pointing),
    ("nobody can tell what", _vague),
    ("nobody can tell what", _unnamed),
    ("nobody can tell what", _uncounted),
    ("nobody can tell what", _pointed_out),
    ("a lost negation", _lost_negation),
    ("malformed", _malformed),
    ("malformed", _two_years),
    ("malformed", _dangling),
)
