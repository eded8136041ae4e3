"""Sentence boundaries in talk without punctuation: spoken, or typed fast, one clause after the other.

spaCy's parser takes a run of clauses for one sentence and attaches them to each other at random. It parses them well if
told beforehand where each begins.

What belongs here: boundaries, by the tags of words alone. What does not: the meaning of clauses.
"""

from typing import TYPE_CHECKING, Final, cast

from spacy.language import Language

from hippograph.nlp.parsing import sentence_openers as openers
from hippograph.nlp.parsing.informal_words import INTERJECTIONS
from hippograph.nlp.parsing.lexicon import lexicon, phrases
from hippograph.nlp.questions.periods import MONTHS

if TYPE_CHECKING:
    from spacy.tokenizer import Tokenizer
    from spacy.tokens import Doc, Token


PIPE: Final = "run_on_sentences"

_ENDS: Final = {".", "!", "?", "…", "...", "..", "!!", "??", "?!", "!?"}
_FINITE: Final = {"VBD", "VBZ", "VBP", "MD"}
_PRONOUNS: Final = {"i", "he", "she", "we", "they", "it", "you"}
_POINTING: Final = {"that", "this", "there", "these", "those"}
_NOUNS: Final = {"NN", "NNS", "NNP", "NNPS"}
_BEFORE_NOUNS: Final = {"DT", "PRP$", "JJ", "JJR", "JJS", "CD", "VBN", "VBG", "POS", *_NOUNS}
_JOINING: Final = {"and", "but", "so", "then", "plus"}
_BE: Final = {"is", "'s", "’s", "am", "'m", "’m", "are", "'re", "’re", "was", "were"}
_TO: Final = {"have", "has", "had", "need", "needs", "want", "wants", "used", "'m", "'re", "'s"}
_COMMAS: Final = {",", ";", ":", "-", "–", "—", "--"}
_TAKING: Final = {"VBZ", "VBP", "VBD", "MD", "WP", "WP$", "WRB", "WDT"}
_BETWEEN: Final = {"RB", "RBR", "UH"}
# Words that govern the clause after them, so that no sentence begins there.
_GOVERNING: Final = frozenset(phrases("governing"))
_CONDITIONS: Final = frozenset(phrases("conditions"))
_SUPPOSING: Final = frozenset(phrases("supposing"))
_SAYING: Final = frozenset(phrases("saying"))
_FEELING: Final = frozenset(phrases("feeling"))
_OF_TIME: Final = frozenset(phrases("of_time"))
_ASKING: Final = frozenset(phrases("asking"))
_AFTER_JOINING: Final = {"then", "so", "now", "also", "anyway", "yeah"}
_NO_NOUNS: Final = INTERJECTIONS | frozenset(phrases("no_nouns"))
_UNLESS: Final = {"if", "unless"}
_AUXILIARIES: Final = frozenset(phrases("auxiliaries"))
_INVITING: Final = {"can", "could", "would", "will"}
_WONDERING: Final = {"wonder", "wondering"}
_REASONS: Final = {"since", "as", "because", "although", "though"}
_LETTING: Final = {"say", "let", "assuming", "what"}
_SUBJECTS: Final = {"PRP", "EX", "DT", "PRP$", "NNP"}
_MONTHS: Final = frozenset(word for month in MONTHS for word in (month, month[:3])) | {"sept"}
_LONGEST_DAY: Final = len("31st")
_TAG: Final = 2
"""Number of words of a tag question, without "not": isn't it, can you."""
_LONGEST_SUBJECT: Final = 6
_LONGEST_ADJUNCT: Final = 6


@Language.component(PIPE)
def run_on_sentences(doc: "Doc") -> "Doc":
    """Marks beginnings of sentences, which the parser keeps; leaves other tokens to it. Runs after the tagger."""
    start = 0
    for i in range(1, len(doc)):
        token, before = doc[i], doc[i - 1]
        if _goes_on(before, token):
            token.is_sent_start = False
        elif before.text in _ENDS or "\n" in before.text:
            start = i
            if "\n" in before.text:
                token.is_sent_start = True
        elif _question_begins(doc, start, i) or _may_begin(doc, start, i):
            start = i if _comma(before) or token.lower_ in _AUXILIARIES else _with_adjunct(doc, start, i)
            doc[start].is_sent_start = True
    return doc


def add_to(language: "Language") -> None:
    """Adds the components before the parser, and makes kinship words with a hyphen single tokens."""
    language.add_pipe(PIPE, before="parser")
    language.add_pipe(openers.PIPE, before="parser")
    tokenizer = cast("Tokenizer", language.tokenizer)
    for word in lexicon().words["kin"]:
        if "-" in word:
            for form in (word, word.capitalize()):
                tokenizer.add_special_case(form, [{"ORTH": form}])


def _may_begin(doc: "Doc", start: int, i: int) -> bool:
    """Whether a sentence begins at token `i`, after another one without a full stop."""
    joined = doc[i].lower_ in _JOINING and i + 1 < len(doc)
    subject = i + 1 if joined else i
    if joined and doc[subject].lower_ in _AFTER_JOINING:
        subject += 1
    if joined and subject < len(doc) and doc[subject].lower_ in _CONDITIONS:
        subject += 1
    verb = _verb_of(doc, subject)
    before = doc[i - 1]
    if joined and doc[i].lower_ == "so" and doc[i + 1].tag_ in {"WP", "WRB", "VB"}:
        return _has_clause(doc, start, i)
    if _comma(before) and doc[i].tag_ == "VBD" and _is_whole(doc, i):
        return _has_clause(doc, start, i) and not _opens(doc, start, i) and not _question(doc, start, i)
    if verb is None or (before.text == ":" and doc[start].lower_ not in {"to", "for"}):
        return verb is not None
    if not _has_clause(doc, start, i) or _question(doc, start, i) or _opens(doc, start, i):
        return False
    if joined and ({token.lower_ for token in doc[start:i]} & _SUPPOSING or _as_object(doc, start, i)):
        return False
    return joined or _comma(before) or _fresh(doc, i, verb)


def _goes_on(before: "Token", token: "Token") -> bool:
    """Whether a token belongs to the one before: within a word (thirty-one), and the month behind its day (9 oct)."""
    if before.text == "-":
        joined = before.i > 0 and not before.whitespace_ and not before.nbor(-1).whitespace_
        return joined and token.tag_ not in {"PRP", "PRP$"}
    says_more = token.i + 1 < len(token.doc) and token.nbor(1).tag_ in _FINITE
    day = before.text[:1].isdigit() and len(before) <= _LONGEST_DAY
    return token.lower_ in _MONTHS and day and not says_more


def _comma(token: "Token") -> bool:
    """Whether a token is punctuation that may separate clauses; a hyphen within a word is not."""
    return token.text in _COMMAS and not (token.text == "-" and not token.whitespace_)


def _question_begins(doc: "Doc", start: int, i: int) -> bool:
    """Whether a question begins at token `i`, after a statement: I'm 42, can you help me? A supposition is no such
    statement: it stays in one sentence with its question.
    """
    joined = doc[i].lower_ in _JOINING and i + 1 < len(doc)
    words = _rest(doc, i + joined)
    if not _asks(words, doc[i - 1], behind=joined or _comma(doc[i - 1])) or not _says_something(doc, start, i):
        return False
    said = [token.lower_ for token in doc[start:i]]
    supposed = said[0] in _LETTING or not _SUPPOSING.isdisjoint(said)
    return not supposed and (said[0] in _REASONS or not _opens(doc, start, i)) and not _question(doc, start, i)


def _says_something(doc: "Doc", start: int, i: int) -> bool:
    """Whether a clause precedes token `i`, possibly one without a subject."""
    return _has_clause(doc, start, i) or (i - start > 1 and doc[start].tag_ in {"VBD", "VBG", "VBN"})


def _rest(doc: "Doc", i: int) -> "list[Token]":
    """Returns the tokens from `i` to the end of the sentence, including the one that ends it."""
    end = next((t.i for t in doc[i:] if t.text in _ENDS or "\n" in t.text), len(doc))
    return list(doc[i : end + 1])


def _asks(words: "list[Token]", before: "Token", *, behind: bool) -> bool:
    """Whether some words are a question: can you, how do I, any tips. A question tag (isn't it?) is none: it belongs to
    the words before it. `behind` says whether a comma or a joining word comes before.
    """
    said = [each for each in words if not each.is_punct and each.lower_ not in {"n't", "n’t", "not"}]
    if not said or (len(said) == 1 and not behind):
        return False
    if behind and any(each.lower_ in _WONDERING for each in said[:4]):
        return True
    if said[0].lower_ in _INVITING and len(said) > _TAG and said[1].lower_ == "you":
        return behind or before.lower_ not in _GOVERNING | {"nor", "neither", "so"}
    return behind and "?" in words[-1].text and _interrogative(said)


def _interrogative(words: "list[Token]") -> bool:
    """Whether words before a question mark have the form of a question."""
    if words[0].lower_ in _AUXILIARIES:
        return len(words) > _TAG and words[1].tag_ in _SUBJECTS
    if words[0].tag_ in {"WP", "WRB", "WDT", "WP$"}:
        return _inverted(words)
    return words[0].lower_ in {"any", "if", "when"} or (len(words) == 1 and words[0].tag_ == "NNS")


def _inverted(words: "list[Token]") -> bool:
    """Whether a question word opens a question, not a relative clause: what should I do, but not which is nice."""
    helper = next((at for at, each in enumerate(words[1:6], 1) if each.lower_ in _AUXILIARIES), None)
    if helper is None or helper + 1 >= len(words):
        return words[0].lower_ in {"how", "what"}
    subject = words[helper + 1].tag_ in _SUBJECTS | {"NN", "NNS"}
    return subject or (helper > 1 and words[0].lower_ in {"which", "what", "how"})


def _with_adjunct(doc: "Doc", start: int, i: int) -> int:
    """Returns the beginning of a sentence with the adjunct before its subject at `i`, if any: from June I am free."""
    for j in range(i - 1, max(start, i - _LONGEST_ADJUNCT), -1):
        if _finite(doc[j]) or doc[j].tag_[:2] == "VB":
            break
        if doc[j].text in _COMMAS and j + 1 < i:
            return i if doc[j + 1].tag_ == "CD" else j + 1
        if doc[j].lower_ in {"and", "but", "so"} and j + 1 < i and doc[j + 1].tag_ in {"IN", "RB"}:
            return j
    return i


def _verb_of(doc: "Doc", i: int) -> int | None:
    """Returns the index of the finite verb whose subject begins at `i`, None if no subject does."""
    if i >= len(doc):
        return None
    token = doc[i]
    pointing = token.lower_ in _POINTING and token.tag_ in {"DT", "EX"}
    if pointing or (token.lower_ in _PRONOUNS and token.tag_ == "PRP"):
        j = _past_adverbs(doc, i + 1)
        return j if j < len(doc) and _finite(doc[j]) else None
    if token.tag_ not in {"DT", "PRP$", "NNP", "NNPS", "NNS", "NN", "CD"} or token.lower_ in _NO_NOUNS:
        return None
    j, noun = i, False
    while j < len(doc) and j - i < _LONGEST_SUBJECT and doc[j].tag_ in _BEFORE_NOUNS:
        if noun and doc[j].tag_ in {"DT", "PRP$"}:
            return None
        noun = noun or doc[j].tag_ in _NOUNS
        j += 1
    j = _past_adverbs(doc, j)
    return j if noun and j < len(doc) and doc[j].tag_ in _FINITE else None


def _past_adverbs(doc: "Doc", i: int) -> int:
    while i < len(doc) and doc[i].tag_ in _BETWEEN:
        i += 1
    return i


def _finite(token: "Token") -> bool:
    return token.tag_ in _FINITE or token.lower_ in {"'s", "’s", "been", "'d", "’d", "'ll"}


def _has_clause(doc: "Doc", start: int, i: int) -> bool:
    """Whether the tokens from `start` up to `i` contain a whole clause."""
    return any(_finite(token) for token in doc[start:i]) and i - start > 1


def _question(doc: "Doc", start: int, i: int) -> bool:
    """Whether the sentence that begins at `start` is a question."""
    if doc[start].lower_ not in _ASKING:
        return False
    end = next((token for token in doc[i:] if token.text in _ENDS), None)
    return end is None or "?" in end.text


def _opens(doc: "Doc", start: int, i: int) -> bool:
    """Whether the words before `i` are only a subordinate clause of what begins there: when I came home, he left."""
    first = next((token for token in doc[start:i] if token.lower_ not in _JOINING and token.tag_ != "UH"), None)
    if first is None or first.lower_ not in _CONDITIONS:
        first = next((token for token in doc[start:i] if token.lower_ in _UNLESS), None)
    if first is None:
        return False
    verb = _verb_of(doc, first.i + 1)
    inner = range((first.i + 1 if verb is None else verb) + 1, i)
    return not any(_verb_of(doc, j) is not None and doc[j - 1].lower_ not in _GOVERNING for j in inner)


def _as_object(doc: "Doc", start: int, i: int) -> bool:
    """Whether "and" joins two subjects after a verb of saying: I heard Tom and Lea split up."""
    if doc[i].lower_ != "and" or doc[i + 1].lower_ in _PRONOUNS or i - 2 < start:
        return False
    return doc[i - 2].lower_ in _SAYING or doc[i - 1].lower_ in _SAYING


def _fresh(doc: "Doc", i: int, verb: int) -> bool:
    """Whether a new clause begins at `i`, although neither a comma nor a joining word precedes."""
    before = doc[i - 1]
    if before.lower_ in _GOVERNING or before.lower_ in _FEELING or before.tag_ in _TAKING:
        return False
    if before.tag_ in {"IN", "TO", "DT", "PRP$", "CC", "POS", "UH", "-LRB-", "``"} or before.lower_ in _SAYING:
        return False
    if before.tag_ in {"NN", "NNS", "NNP", "PRP"} and any(t.lower_ in _SAYING for t in doc[max(0, i - 3) : i]):
        return False
    if any(t.lower_ == "so" for t in doc[max(0, i - 3) : i - 1]):
        return False
    pronoun = doc[i].lower_ in _PRONOUNS | _POINTING
    if before.tag_ in {"NN", "NNS"} or before.lower_ in {"everything", "anything", "all", "something", "nothing"}:
        dated = i > 1 and doc[i - 2].lower_ in {"next", "last", "this", "every", "each"}
        return (dated or before.lower_ not in _OF_TIME) and (
            _is_whole(doc, verb) if pronoun else doc[i].tag_ in {"PRP$", "DT"}
        )
    if before.tag_ in {"VB", "VBN", "VBG"}:
        return pronoun and _is_whole(doc, verb)
    return pronoun or (doc[i].tag_ in {"PRP$", "DT", "NNP"} and before.tag_ not in _BEFORE_NOUNS - {"NNP", "CD"})


def _is_whole(doc: "Doc", verb: int) -> bool:
    """Whether a verb has its own object or complement. The verb of a relative clause has none: the guy I met."""
    j = verb + 1
    while j < len(doc) and (doc[j].tag_ in _BETWEEN or doc[j].tag_ in {"VB", "VBN", "VBG"}):
        j += 1
    if j + 1 < len(doc) and doc[j].tag_ == "IN" and doc[verb].lower_ in _BE:
        return doc[j + 1].tag_ in {"DT", "PRP$", "NNP", "NN", "NNS", "CD"}
    if j < len(doc) and doc[j].tag_ == "TO":
        return doc[verb].lower_ in _TO
    return j < len(doc) and doc[j].tag_ in {"DT", "PRP$", "CD", "PRP", "JJ", "NNP", "NNS", "NN"}
