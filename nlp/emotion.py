"""Emotional intensity of a text: how strong an emotion is, regardless of which.

VADER rates words and emoticons (C. J. Hutto and E. Gilbert: VADER, a parsimonious rule-based model for sentiment
analysis of social media text, ICWSM 2014). How a text is written, such as exclamation marks and emoji, adds to that.
VADER's words are English; in other languages only the way of writing counts.
"""

import re
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

LONGEST_TEXT: Final = 4_000
"""Maximum number of characters read; a feeling shows before that."""

_QUIET: Final = 0.4
_TELLING: Final = 0.2
_OWN_QUIET: Final = 0.2
_SPAN: Final = 0.6
_LIFE: Final = 0.45
_EXCLAMATION: Final = 0.12
_CAPITALS: Final = 0.2
_LENGTHENED: Final = 0.2
_SWEARING: Final = 0.3
_FACE: Final = 0.2

# Words that VADER rates, but that in talk are politeness, name a topic, or state a liking without emotion.
_UNFELT_WORDS: Final = """
thanks thank thx ty please pls welcome ok okay yes yep yeah sure well fine lol lmao rofl lmfao haha hahaha heh cool nice
good great perfect greetings cheers congrats congratulations luck wish hope hopefully sorry like likes liked liking
interested interesting useful helpful help helps agree agreed matter matters no care share shared sharing want play
played playing friend friends party shares clear smart solid special secure security safe true trust free save saved
number easy kill kills killed killing fresh clean support supports supported supporting value values top energy
energetic fraud crime criminal war wars murder murdered joke jokes brutal poor hero fire fired demand fight alert alarm
strong problem problems error errors fail failed fails failing failure broken broke lost miss missed leave pay wrong
hard lazy better lucky pretty peace warm warmly bright natural
"""
_UNFELT: Final = frozenset(_UNFELT_WORDS.split())
# Of a thing these words express a taste, of a person a feeling. Here they get a taste's rating; `_MOMENTOUS` matches
# those of persons by the word that follows.
_TASTE: Final = dict.fromkeys(["love", "loves", "loved", "enjoy", "enjoys", "enjoyed", "favorite", "favourite"], 1.4)
# A part ends at punctuation or after 140 characters: VADER sums over the words, in time quadratic in the length.
_PART: Final = re.compile(r"[^.!?,;\n]{1,140}[.!?]{0,9}")
_OWN: Final = re.compile(r"\b(?:i|i?m|my|me|we|our|us|myself)\b", re.IGNORECASE)
_MOMENTOUS: Final = re.compile(
    r"\b(?:passed away|(?:love|miss) (?:you|u|him|her|them)\b|funeral|miscarriage|stillborn"
    r"|broke up with|(?:left|dumped) me|got (?:engaged|married|divorced|fired|laid off|the job|in!)"
    r"|(?:having|expecting|had) a baby|can(?:no|['’]?)t (?:stop (?:crying|shaking|smiling)|believe|breathe)"
    r"|in tears|over the moon|panic attack|freaking out|lost (?:my|our) (?:mum|mom|dad|mother|father|baby|job))",
    re.IGNORECASE,
)
_SHOUTED: Final = re.compile(
    r"(?<![\w@#/.-])(?:A{2,}H+|ALWAYS|AMAZING|AWESOME|BEST|BAD|EVER|EVERY|FINALLY|GOOD|GREAT|HATE|HAPPY|LOVE|MUCH|NEVER"
    r"|NO|NOT|OMG|OH|REALLY|SAD|SICK|SO|SUCH|TOO|VERY|WON|WORST|WOW|WTF|WHY|YAY|YES|YOU)(?![\w@/-])"
    r"|(?:\b[A-Z]{2,}\b\W+){2,}[A-Z]{2,}\b"
)
_STRETCHED: Final = re.compile(r"([a-z])\1{2,}(?<!w{3})", re.IGNORECASE)
_SWEAR_WORD: Final = re.compile(
    r"\b(?:\w*fuck\w*|(?:bull|holy )?shit\w*|goddamn|damn(?:it|ed)?|wtf|ffs|omfg|bloody hell|asshole\w*|bastards?"
    r"|bitch\w*|crap(?:py)?|piss(?:ed)? off)\b",
    re.IGNORECASE,
)
_FELT: Final = re.compile("[😍😖😠😡😢😣😤😥😨😩😫😭😰😱🙌🤩🤬🤯🥰🥳🥺❤💔💕💖🎉]")


def intensity(text: str) -> float:
    """Returns the emotional intensity of a text: 0 for a plain fact or small talk, towards 1 for an outburst.

    It is that of the most emotional part of a sentence: `1 − (1 − v)·(1 − a)`, where v is the valence of the words and
    a the arousal in how they are written. v is the absolute value of VADER's compound score minus 0.4, or minus 0.2 in
    the first person, divided by 0.6 and clipped to 0 to 1. It is at least 0.45 for what moves anybody (a death, a love,
    an engagement) and for an emoji of a strong feeling. a combines, in the same way, 0.12 for each of up to three
    exclamation marks, 0.2 each for shouted words, lengthened words and such an emoji, and 0.3 for swearing; it is
    halved where v is 0.
    """
    return max((_of(match[0]) for match in _PART.finditer(text[:LONGEST_TEXT])), default=0.0)


def tone(texts: Iterable[str]) -> str:
    """Returns the tone of a talk: `positive`, `negative` or `mixed`; empty if nothing in it is emotional.

    Parts of sentences with an `intensity` above 0.2 count, each by the sign of VADER's compound score.
    """
    parts = [match[0] for text in texts for match in _PART.finditer(text[:LONGEST_TEXT])]
    felt = [_analyzer().polarity_scores(part)["compound"] for part in parts if _of(part) > _TELLING]
    signs = {"positive" if compound > 0 else "negative" for compound in felt if compound}
    return "mixed" if len(signs) > 1 else next(iter(signs), "")


def _of(part: str) -> float:
    if not any(character.isalnum() or ord(character) > 0x2000 for character in part):
        return 0.0
    compound: float = abs(_analyzer().polarity_scores(part)["compound"])
    quiet = _OWN_QUIET if _OWN.search(part) else _QUIET
    valence = min(1.0, max(0.0, (compound - quiet) / _SPAN))
    if _MOMENTOUS.search(part) or _FELT.search(part):
        valence = max(valence, _LIFE)
    arousal = _arousal(part)
    return 1 - (1 - valence) * (1 - (arousal if valence else arousal / 2))


def _arousal(part: str) -> float:
    calm = (1 - _EXCLAMATION) ** min(3, part.count("!"))
    for pattern, weight in _CUES:
        if pattern.search(part):
            calm *= 1 - weight
    return 1 - calm


_CUES: Final = (
    (_SHOUTED, _CAPITALS),
    (_STRETCHED, _LENGTHENED),
    (_SWEAR_WORD, _SWEARING),
    (_FELT, _FACE),
)


@cache
def _analyzer() -> "SentimentIntensityAnalyzer":
    """VADER without the unfelt words. Its lexicon takes 20 ms to read, so it is loaded on first use."""
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    analyzer = SentimentIntensityAnalyzer()
    for word in _UNFELT:
        analyzer.lexicon.pop(word, None)
    analyzer.lexicon.update(_TASTE)
    analyzer.emojis.clear()  # VADER would rate each word of "smiling face with open mouth"
    return analyzer
