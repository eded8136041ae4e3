"""Rules about text that need no model: validation, slugs, and full-text queries that are safe from injection.

Pure functions. What does not belong here: what a text means, and where it is stored.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from hippograph.nlp.errors import BadText

MOST_WORDS = 64
MOST_TERMS = 192
LONGEST_WORD = 100

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_FINAL_STOPS = " .!…。"
_SEPARATORS = re.compile(r"[\s_]+")
_URL = re.compile(r"\b(?:[a-z][a-z0-9+.-]{1,15}://|www\.|mailto:)\S*", re.IGNORECASE)
# One of these between two letters or digits is part of a word, as in Lucene's tokenizer: don't, 3.5, node.js.
_INNER = "'’."
_REPEATED = re.compile(rf"[{_INNER}]{{2,}}")
_HANGUL = re.compile(r"[\uac00-\ud7a3]{2,}")
# Han and Hiragana: written without spaces; Lucene's standard tokenizer makes each character a token.
_UNSPACED = re.compile(r"([\u3005-\u3007\u3041-\u309f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+)")
_SPACELESS = r"\u0e00-\u0eff\u3040-\u309f\u3400-\u4dbf\u4e00-\u9fff"
WORD_BEGIN: Final = rf"(?:(?<![^\W_])|(?<=[{_SPACELESS}])|(?=[{_SPACELESS}]))"
"""Pattern of a place where a word may begin: not behind a letter or digit, but for scripts without spaces (我和Ana)."""
WORD_END: Final = rf"(?:(?![^\W_])|(?=[{_SPACELESS}])|(?<=[{_SPACELESS}\uac00-\ud7a3]))"
"""Pattern of the place where a word may end; as `WORD_BEGIN`, and in Hangul before particles."""
_WORD = re.compile(r"\w+")
_POSSESSIVE = re.compile(r"['’]s?\W*$")
_LONGEST_CALLED = 200
_HANDLE = re.compile(r"(?<!\w)@[\w.-]*\w")
_MOST_MARKS = 30
_LONGEST_LIGATURE = "\N{ARABIC LIGATURE SALLALLAHOU ALAYHE WASALLAM}"
# A possible run of combining marks. Of letters only the two half-width ones that become marks count.
_MARKS = re.compile(rf"(?:[^\w\s\x00-\u02ff]|[\uff9e\uff9f]){{{_MOST_MARKS + 1},}}")
_FIRST_PERSON = re.compile(r"\b(?:I|me|my|mine|myself|we|us|our|ours)\b", re.IGNORECASE)
_SHORT_NAME = 3
_MOST_WORDS_OF_A_NAME = 6
_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
# Small words on which the meaning depends: number, negation, time, modality, person, direction.
_DECISIVE_WORDS = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion half
quarter third first second fourth fifth once twice double
no not never none nobody nothing neither nor without hardly barely cannot except unless
before after until since from above below over under out off down
more less most least only all few many always often sometimes seldom rarely
was were will would used may might must should could
monday tuesday wednesday thursday friday saturday sunday january february march april june july august september
october november december today yesterday tomorrow morning noon afternoon evening night
he she his her him they them left right
"""
_DECISIVE = frozenset(_DECISIVE_WORDS.split())
_NEGATED = ("n't", "n’t")
_FIELD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class _Table(dict[int, str]):
    """A table for `str.translate` that computes the replacement of a character when it is first seen."""

    def __init__(self, kept: str, spaces: str, otherwise: str) -> None:
        super().__init__()
        self._kept, self._spaces, self._otherwise = kept, spaces, otherwise

    def __missing__(self, code: int) -> str:
        character = chr(code)
        category = unicodedata.category(character)
        if category[0] in "LNM" or character in self._kept:
            result = character
        elif category[0] == "Z" or category == "Pd" or character in self._spaces:
            result = " "
        else:
            result = self._otherwise
        self[code] = result
        return result


_LONGEST_NAME = 4_000
_SLUG = _Table(kept="_", spaces="\t\n\r\v\f\x1c\x1d\x1e\x1f\x85", otherwise="")
_WORDS = _Table(kept="_'’.", spaces="", otherwise=" ")


def check_text(text: str, *, limit: int) -> str:
    """Returns the text without white space around it, otherwise unchanged, if it may be stored.

    Raises BadText if it is blank, longer than `limit` characters, or has control characters (other than tabs and line
    ends) or lone surrogates, which UTF-8 cannot encode.
    """
    stripped = text.strip()
    if len(stripped) > limit:
        raise BadText(f"The text has {len(stripped):,} characters; {limit:,} are allowed. Shorten or split it.")
    if found := _CONTROL.search(text):
        raise BadText(
            f"The text has the control character U+{ord(found[0]):04X} at position {found.start()}. Remove it."
        )
    if found := _SURROGATE.search(text):
        raise BadText(
            f"The text has half of a surrogate pair, U+{ord(found[0]):04X}, at position {found.start()}: "
            "it was cut in the middle of a character or decoded wrongly. Send valid Unicode."
        )
    if not any(unicodedata.category(character)[0] not in "ZC" for character in stripped):
        raise BadText("The text is empty. Send at least one visible character.")
    return stripped


def whole_characters(text: str) -> str:
    """Returns the text with a question mark for each lone surrogate, which no model accepts; its length is kept."""
    return text.encode("utf-8", "replace").decode()


def normalise(text: str) -> str:
    """Returns the form in which two statements are compared: NFKC, case folded, single spaces, no final stops.

    Other punctuation counts: "I know C" and "I know C++", "at 5%" and "at $5" are not the same.
    """
    return " ".join(_folded(text).replace("’", "'").split()).rstrip(_FINAL_STOPS)


def slug(name: str) -> str:
    """Returns a name as part of a key: NFKC, lower case, letters of any script, `_` for spaces and hyphens, no other
    punctuation.

    "" if it has no letter or digit. Names that differ only in punctuation have the same slug ("C", "C++"). Only the
    first 4,000 characters are read.
    """
    folded = _folded(name[:_LONGEST_NAME])
    kept = folded.translate(_SLUG)
    return _SEPARATORS.sub("_", kept if kept == folded else _folded(kept)).strip("_")


def full_text_words(query: str) -> list[str]:
    """Returns the words of a query worth searching for: in order, without duplicates, at most 64.

    URLs are dropped, hyphens split, special characters removed, and words of one letter or over 100 characters dropped.
    Han and Hiragana are cut into overlapping pairs of characters, which match whether the index holds single characters
    (Lucene's standard tokenizer) or pairs (its `cjk` analyzer).
    """
    words: dict[str, str] = {}
    terms = 0
    for word in _words(query):
        if word.casefold() in words or not _worth_finding(word):
            continue
        terms += _most_terms(word)
        if len(words) == MOST_WORDS or terms > MOST_TERMS:
            break
        words[word.casefold()] = word
    return list(words.values())


def full_text_query(words: Iterable[str], fields: Sequence[str]) -> str | None:
    """Returns a Lucene query for any of the words in any of the fields: `content:("w1" "w2") heading:("w1" "w2")`.

    Each word is quoted, so that it is matched literally and nothing in it is an operator. A Korean word is also matched
    by its first two letters, since particles are attached to its end ("서울", "서울에서"). Returns None without words
    or fields, since Lucene accepts no empty group. Put the query in parentheses before requiring it or joining it to
    other clauses. Raises ValueError for a field that is not an identifier.
    """
    quoted = " ".join(_quoted(word) for word in words if word.strip())
    if wrong := [field for field in fields if not _FIELD.fullmatch(field)]:
        raise ValueError(f"These are no names of fields: {', '.join(wrong)}.")
    if not quoted or not fields:
        return None
    return " ".join(f"{field}:({quoted})" for field in fields)


def _folded(text: str) -> str:
    """Returns the text in NFKC and case folded, repeated once if NFKC or folding would change the result again. Of a
    run of combining marks thirty are kept (as in Unicode's stream-safe text, UAX 15), since ordering them takes time
    quadratic in their number.
    """
    if text.isascii():
        return text.casefold()
    text = _nfkc(_MARKS.sub(_few_marks, text))
    for _ in range(2):
        folded = text.casefold()
        if folded == text:
            break
        text = _nfkc(folded)
    return text


def _nfkc(text: str) -> str:
    """Returns the text in NFKC, but keeps U+FDFA: it expands to 18 characters, and a text of it would grow as much."""
    return _LONGEST_LIGATURE.join(unicodedata.normalize("NFKC", part) for part in text.split(_LONGEST_LIGATURE))


def _few_marks(run: re.Match[str]) -> str:
    """Returns a run of marks with at most thirty adjacent combining ones."""
    kept, marks = [], 0
    for character in run[0]:
        marks = marks + 1 if unicodedata.combining(unicodedata.normalize("NFKD", character)[0]) else 0
        if marks <= _MOST_MARKS:
            kept.append(character)
    return "".join(kept)


def _words(query: str) -> Iterator[str]:
    for chunk in _URL.sub(" ", query).translate(_WORDS).split():
        for piece in _REPEATED.split(chunk):
            for run in _UNSPACED.split(piece):
                if _UNSPACED.fullmatch(run) and len(run) > 1:
                    yield from (first + second for first, second in pairwise(run))
                else:
                    yield run.strip(_INNER)


def _worth_finding(word: str) -> bool:
    """Returns whether a word has more than one letter, or is a number or a Han or Hiragana character. A letter and its
    accents count as one. Words over 100 characters are not worth finding.
    """
    if len(word) > LONGEST_WORD or not any(character.isalnum() for character in word):
        return False
    return len(unicodedata.normalize("NFC", word)) > 1 or word.isdigit() or bool(_UNSPACED.fullmatch(word))


def _most_terms(word: str) -> int:
    """Returns the maximum number of terms that an analyzer makes of a word, which count towards Lucene's clause limit:
    up to one per character in scripts without spaces, else one per word.
    """
    return 1 if max(word) < "\u0e00" else len(word)


def _quoted(word: str) -> str:
    escaped = word.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}" {word[:2]}*' if _HANGUL.fullmatch(word) else f'"{escaped}"'


def names_in(text: str) -> set[str]:
    """Returns the slugs of possible names in a text: every run of up to six words whose first and last word begin with
    a capital or a digit. Most are no names; the caller looks up which of them are known.
    """
    words = _WORD.findall(text)
    named = [word[0].isupper() or word[0].isdigit() for word in words]
    slugs = [slug(word) for word in words]
    found = set()
    for start in range(len(words)):
        for end in range(start, min(start + _MOST_WORDS_OF_A_NAME, len(words))):
            # A single word of up to three letters is hardly ever a name.
            if named[start] and named[end] and (end > start or len(words[start]) > _SHORT_NAME):
                found.add("_".join(filter(None, slugs[start : end + 1])))
    return found - {""}


def called_in(text: str) -> list[str]:
    """Returns what somebody may be called in a text: every run of up to three of its first 64 words, in any case, the
    first 64 @handles, and a short text as a whole. Words are also taken as they are written (O'Brien, Node.js). Most
    are no names; the caller looks up which of them are known.
    """
    words = [word[:LONGEST_WORD] for word in _WORD.findall(text)[:MOST_WORDS]]
    written = [word[:LONGEST_WORD] for word in text.split()[:MOST_WORDS]]
    bare = [_POSSESSIVE.sub("", word) for word in written]
    runs = [
        " ".join(each[start : start + length])
        for each in (words, written, bare)
        for start in range(len(each))
        for length in (1, 2, 3)
    ]
    whole = [text] if len(text) <= _LONGEST_CALLED else []
    found = [run for run in (*runs, *whole) if slug(run)]
    return list(dict.fromkeys([*found, *_HANDLE.findall(text)[:MOST_WORDS]]))


def in_first_person(question: str) -> bool:
    """Returns whether an English question is about the asker."""
    return bool(_FIRST_PERSON.search(question))


def decisive_words(text: str) -> list[str]:
    """Returns the numbers of a text and its decisive small English words, sorted; "n't" counts as `not`."""
    words = re.findall(r"[\w'’]+", _NUMBER.sub(" ", text.casefold()))
    found = ["not" if word.endswith(_NEGATED) else word for word in words]
    return sorted([*_NUMBER.findall(text), *(word for word in found if word in _DECISIVE)])


def without_names(words: Sequence[str], names: Iterable[str]) -> list[str]:
    """Returns the words without those of the names whose words (of two letters or more) are all among them."""
    there = {_bare(word) for word in words}
    named: set[str] = set()
    for name in names:
        parts = {part for part in map(_bare, _WORD.findall(name)) if len(part) > 1}
        if parts <= there:
            named |= parts
    return [word for word in words if _bare(word) not in named]


def _bare(word: str) -> str:
    """Returns the form in which a word is compared: case folded, without a possessive."""
    return re.sub(r"['’]s$", "", word.casefold())
