"""Normalization of informal text: the speaker's own words, spelled so that a parser trained on books can read them.

Talk that is typed fast or recognised from speech lacks apostrophes and capitals, repeats words and is full of asides.
What belongs here: text in, text out.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from hippograph.nlp.parsing.informal_words import CALENDAR
from hippograph.nlp.parsing.lexicon import lexicon, phrases
from hippograph.nlp.text import whole_characters

LONGEST_TEXT: Final = 20_000
"""Maximum number of characters of a turn that are read; a longer turn is mostly pasted text."""


def _any(name: str) -> str:
    """Returns a pattern of the phrases of a list."""
    return f"(?:{'|'.join(phrases(name))})"


# Code, URLs, descriptions of pictures, quotations and quoted lines are not the speaker's own words.
_NOT_SAID: Final = re.compile(
    r"```.*?```|`[^`\n]*`|https?://\S+|^[ \t]*>[^\n]*$|\[[^\[\]\n]*\]|\{[^{}\n]*\}|\"[^\"\n]*\"|“[^“”\n]*”",
    re.DOTALL | re.MULTILINE,
)
# Text in single quotes. The search for the end stops at the next opening quote: unclosed quotes take linear time.
_SAID_BY_OTHERS: Final = re.compile(
    r"(?:(?<=^)|(?<=[\s(—-]))'(?=[A-Z])[^'\n]+(?:(?!(?<=[\s(—-])'[A-Z])'(?=\w)[^'\n]*)*[,.!?]?'(?!\w)"
)
# A quotation is a title if it is short, begins with a capital, and does not follow a verb of saying, a comma, a colon
# or the start of a line.
_TITLE: Final = re.compile(
    r"(?<!said )(?<!says )(?<!say )(?<!like )(?<!, )(?<!: )(?<!^)[\"“](?P<title>[A-Z][^\"“”.!?\n]{1,50})[\"”]",
    re.MULTILINE,
)
_CUT_OFF: Final = re.compile(r"(?<!\w)'(cause|cos|em)\b", re.IGNORECASE)
_WITH: Final = re.compile(r"(?<![\w/])w/ ?(?=\w)")
_MARKS: Final = str.maketrans("*_~|’", "    '", "\u00ad\u200b\u200c\u2060\ufeff")  # and without what nobody sees
_EMOJI: Final = re.compile("[\u2600-\u27bf\ufe0f\u200d\U0001f000-\U0001faff]+")

# --- asides ---

_ASIDES: Final = re.compile(
    r"(?:,\s*)?\b" + _any("asides") + r"\b,?",
    re.IGNORECASE,
)
_KNOWING: Final = "".join(
    f"(?<!{word} )"
    for word in ("do", "did", "if", "so", "as", "let", "how", "that", "when", "don't", "would", "should", "will")
)
_YOU_KNOW: Final = re.compile(
    _KNOWING
    + r"(?:,\s*|(?<=\s)|^)you know\b"
    + r"(?! (?:what|who|how|if|where|when|why|him|them|it|any|nothing|that|me|everyone)\b),?",
    re.IGNORECASE,
)
# "If you ask me" after or before an opinion.
_JUDGED: Final = re.compile(
    r"^(?P<what>[^,.!?\n]{8,120}?),? (?:if you ask me|in my opinion|imo|imho|to my mind)(?=[.!,]|\s*$)",
    re.IGNORECASE | re.MULTILINE,
)
_JUDGING: Final = re.compile(
    r"(?:^|(?<=[.!?\n,] ))" + _any("judging") + r"\b,? ?",
    re.IGNORECASE | re.MULTILINE,
)
_REMINDED: Final = re.compile(
    r"(?:^|(?<=[.!?,;:\n] )|\b(?=please |pls |don't |dont |i ))(?:please |pls )?" + _any("reminded") + r"\b",
    re.IGNORECASE | re.MULTILINE,
)
_CLIPPED: Final = {"cause": "because", "cos": "because", "em": "them"}
_OPENED: Final = re.compile(
    r"(?:^|(?<=[.!?\n] ))(?:" + _any("openers") + r"\b[,:!.]* ?)+(?=\w)",
    re.IGNORECASE | re.MULTILINE,
)
_ADDRESSED: Final = re.compile(
    r"(?:^|(?<=[.!?\n] ))@[\w.-]+[,:]?\s+(?!(?:is|has|was|will|can|does|did|hates|loves|likes|\w+ed|says|said)\b)",
    re.MULTILINE,
)
_HANDLE: Final = re.compile(r"(?<![\w@./])@(\w[\w-]*(?:\.\w[\w-]*)*)")
_LETTERS: Final = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe"})
NO_HANDLES: Final[Mapping[str, str]] = MappingProxyType({})

# --- apostrophes ---

# "'s" after a name is a possessive, or short for "is" or "has"; the words after it decide.
_BETWEEN: Final = r"(?:(?:not|never|always|finally|already|only|just|also|still|really|\w+ly) )*"
_NOT_A_NAME: Final = r"(?!(?i:today|tomorrow|yesterday|tonight)')"
_AT_HOMES: Final = r"(?<!\bat my )(?<!\bat his )(?<!\bat her )(?<!\bat our )(?<!\bto my )(?<!\bfrom my )(?<!\bat )"
_AFTER_DOING: Final = _any("after_doing")
_AFTER_IS: Final = _any("after_is")
_IS: Final = re.compile(
    rf"{_AT_HOMES}(?<!\bSt )(?<!\bSt\. )\b{_NOT_A_NAME}([^\W\d_]{{2,}})'s "
    r"(?!\w+ing (?:is|was|are|were|keeps|makes|drives|has|gets|wakes|never|always)\b)"
    r"(?!(?:wedding|meeting|painting|building|training|reading|opening|christening|drawing|recording|hearing|housewarming"
    r"|screening|evening|morning|ring|spring|wing|string|ceiling|clothing|earring|hiring|ending)\b)"
    rf"(?={_BETWEEN}(?:{_AFTER_IS}\b|\w{{2,}}ing(?= {_AFTER_DOING}\b|[.,!?]|$)))"
)
_AFTER_HAS: Final = _any("after_has")
_HAS: Final = re.compile(rf"\b{_NOT_A_NAME}([^\W\d_]{{2,}})'s (?={_BETWEEN}{_AFTER_HAS}\b)")
# Apostrophes that fast typing leaves out.
_AFTER_ITS: Final = _any("after_its")
_ITS: Final = re.compile(rf"\bits (?={_AFTER_ITS}\b)", re.IGNORECASE)
_ILL: Final = re.compile(
    r"(^|[.!?,;] |\b(?:and|but|so|then|or|if|maybe) )ill (?=[a-z]{2,}\b(?! (?:man|woman)))", re.IGNORECASE
)
_KIN_IS: Final = re.compile(
    r"\b(?P<kin>mum|mom|mam|dad|sister|brother|wife|husband|son|daughter|boss|friend|mate|girlfriend|boyfriend)s "
    r"(?=(?:been|got|gone|not|finally|already|always|never|coming|going|getting|having|doing|working)\b)",
    re.IGNORECASE,
)
_WILL: Final = re.compile(
    r"\b(?!(?:we|you|he|she|it|they|that|there|this|who|what)')([^\W\d_]{2,})'ll\b", re.IGNORECASE
)
_IN_LAW: Final = re.compile(r"\b(mother|father|brother|sister|son|daughter)s?[ -]in[ -]laws?\b", re.IGNORECASE)
_IN_LAWS: Final = re.compile(r"\bin[ -]laws\b", re.IGNORECASE)

# --- words ---

_WORD: Final = re.compile(r"(?<![\w'@#/.-])[A-Za-z]+(?![\w'@/-]|[.+]\w+@|\.[a-z]{2,}\b)")
_NO_NUMBER: Final = r"(?!(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|twenty|thirty|forty|fifty|sixty)\b)"
_TWICE: Final = re.compile(rf"(?<![\w']){_NO_NUMBER}((?:[\w']+ ){{1,4}})\1+", re.IGNORECASE)
_TWICE_LAST: Final = re.compile(rf"(?<![\w']){_NO_NUMBER}([\w']+) \1\b(?!')", re.IGNORECASE)
_RESTARTED: Final = re.compile(r"\b(\w+)'(?:s|m|re|ve|d|ll) (?=\1[' ](?:s|m|re|ve|d|ll|is|has|am)\b)", re.IGNORECASE)
_NO_NAME: Final = _any("after_kin")
_SPACES: Final = re.compile(r"[ \t]{2,}")

# --- capitals ---

_I: Final = re.compile(r"(?<![\w'.])i(?=[' ,]|$)")
_CAPITAL: Final = re.compile(r"(?<=[a-z,] )(?!I\b)[A-Z](?!\w*day\b)")
_KNOWN_NAME: Final = re.compile(r"(?<=[a-z,] )[A-Z][a-zà-ÿ]{2,}\b")
_MONTH: Final = re.compile(r"\b(?:in|since|until|by|from|last|next|of|early|late|mid) (?:march|may)\b")
_CALLED: Final = re.compile(r"\b(?:called|named|name is|name's) [a-z]{3,}\b")
_AFTER_NAME: Final = _any("after_name")


def spelled(text: str, names: Iterable[str] = (), handles: Mapping[str, str] = NO_HANDLES) -> str:
    """Returns the speaker's own words in standard spelling, without quotations, asides, and repeated words. `names` are
    capitalised if the text has no capitals within sentences; `handles` are replaced by names (`handles_of`).
    """
    known = {name.casefold(): name for name in names}
    own = whole_characters(text[:LONGEST_TEXT])
    own = _NOT_SAID.sub(" ", _TITLE.sub(r"\g<title>", own)).translate(_MARKS)
    own = _CUT_OFF.sub(lambda match: f" {_CLIPPED[match[1].casefold()]}", own)
    own = _EMOJI.sub(" . ", _WITH.sub("with ", _SAID_BY_OTHERS.sub(" ", own)))
    own = _said_once(_without_asides(_IN_LAWS.sub("in-laws", _IN_LAW.sub(r"\1-in-law", own))))
    own = _subject_twice().sub(r"\g<who>", own)
    own = _RESTARTED.sub("", _ILL.sub(r"\1I'll ", _ITS.sub("it's ", _KIN_IS.sub(r"\g<kin>'s ", own))))
    own = _owned(_WILL.sub(r"\1 will", own), known)
    own = _HANDLE.sub(
        lambda match: handles.get(_plain(match[1]), match[1]),
        _ADDRESSED.sub("", _HAS.sub(r"\1 has ", _IS.sub(r"\1 is ", own))),
    )
    return _SPACES.sub(" ", _capitals(own, known))


def handles_of(names: Iterable[str]) -> dict[str, str]:
    """Maps the handles that people with these full names may have (@bjorn, @b.haugen) to their first names. A handle
    that several may have, such as a family name, is left out.
    """
    handles: dict[str, set[str]] = {}
    for name in names:
        first, *rest = name.split() or [name]
        last = rest[-1] if rest else ""
        written = {first, last, "".join(name.split()), first + last, first + last[:1], first[:1] + last} - {""}
        for handle in map(_plain, written):
            handles.setdefault(handle, set()).add(first)
    return {handle: min(firsts) for handle, firsts in handles.items() if len(firsts) == 1}


def known_names(texts: Iterable[str]) -> set[str]:
    """Returns words capitalised within sentences: names, which may be in lower case elsewhere."""
    return {match[0] for text in texts for match in _KNOWN_NAME.finditer(text[:LONGEST_TEXT])}


def _plain(handle: str) -> str:
    """Returns a handle in lower case, without accents and punctuation."""
    letters = unicodedata.normalize("NFKD", handle.casefold().translate(_LETTERS))
    return "".join(letter for letter in letters if letter.isalnum())


def _without_asides(text: str) -> str:
    judged = _JUDGING.sub("I think ", _JUDGED.sub(r"I think \g<what>", text))
    told = _YOU_KNOW.sub(", ", _ASIDES.sub(", ", _REMINDED.sub("I have to", judged)))
    return _OPENED.sub("", told.lstrip(" ,"))


def _said_once(text: str) -> str:
    spelling = lexicon().spelling
    meant = _WORD.sub(lambda match: spelling.get(match[0].casefold(), match[0]), text)
    return _TWICE_LAST.sub(r"\1", _TWICE.sub(r"\1", _SPACES.sub(" ", meant)))


def _owned(text: str, known: Mapping[str, str]) -> str:
    """Returns the text with the apostrophe that a name before a relative or a pet lacks: beths dad."""
    words = lexicon().words

    def written(found: re.Match[str]) -> str:
        owner, plain = found["owner"], found["owner"].casefold()
        name = plain.capitalize() if plain in words["names"] else known.get(plain)
        if name is None or any(plain in no_owners for no_owners in (words["times"], words["no_names"], CALENDAR)):
            return found[0]
        return f"{name if owner.islower() else owner}'s "

    return _whose().sub(written, text)


def _capitals(text: str, known: Mapping[str, str]) -> str:
    """Returns the text with names capitalised, and the word "I"."""
    known = {} if _CAPITAL.search(text) else known
    text = _CALLED.sub(_last_capital, _MONTH.sub(_last_capital, _my_sister().sub(_last_capital, _I.sub("I", text))))
    return _WORD.sub(lambda match: _capital(match[0], known), text)


def _any_of(*lists: str) -> str:
    """Returns a pattern of the words of some lists, the longest first."""
    words = lexicon().words
    return "|".join(sorted(frozenset[str]().union(*(words[name] for name in lists)), key=len, reverse=True))


@cache
def _my_sister() -> re.Pattern[str]:
    """Returns the pattern of a kinship word and the name after it: my sister thandi got."""
    return re.compile(rf"\b(?:my|his|her|our|your) (?:\w+ )?(?:{_any_of('kin')}) [a-z]{{3,}}(?= {_AFTER_NAME}\b)")


@cache
def _whose() -> re.Pattern[str]:
    """Returns the pattern of a word that ends in "s" before a relative or a pet: beths dad."""
    return re.compile(rf"\b(?P<owner>[^\W\d_]{{2,}})s (?=(?:{_any_of('kin', 'pets')})\b)", re.IGNORECASE)


@cache
def _subject_twice() -> re.Pattern[str]:
    """Returns the pattern of a person followed by a redundant pronoun: my nephew Jamie he broke."""
    return re.compile(
        r"(?P<who>(?:^|[.!?,] |\b(?:and|so|but|also|then|because|oh|um) )\s?(?:my|his|her|our|the) (?:\w+ )?"
        rf"(?:{_any_of('kin', 'roles')})(?: (?!{_NO_NAME}\b)[A-Za-z]{{3,}})?),? (?:he|she)(?=(?:'s)? [a-z])",
        re.MULTILINE | re.IGNORECASE,
    )


def _capital(word: str, known: Mapping[str, str]) -> str:
    words = lexicon().words
    if not word.islower() or word in words["no_names"]:
        return word
    return word.capitalize() if word in words["names"] else known.get(word, word)


def _last_capital(phrase: re.Match[str]) -> str:
    before, _, last = phrase[0].rpartition(" ")
    return phrase[0] if last in lexicon().words["no_names"] else f"{before} {last.capitalize()}"
