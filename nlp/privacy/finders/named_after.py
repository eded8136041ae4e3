"""Secrets that precede their name or purpose: "hunter2 is my password", "enter 4821 to unlock"."""

import re
from collections.abc import Iterator

from hippograph.nlp.privacy.finders.cues import BOOKED, OTHER_CODES, spaced_words
from hippograph.nlp.privacy.finders.spans import Span
from hippograph.nlp.privacy.finders.values import CODE_VALUE, REFERENCE, is_mixed

_IS_MY = re.compile(
    r"""\s(?:is|as|was|that['’]s|ist|als|—|-|=|est|es|как)\s+(?:(?:still|now|jetzt)\s+)?
        (?:my|your|the|our|his|her|their|mein|dein|das|ihr|der|unser|a|mi|tu|ваш|мой|mon|votre)\s+""",
    re.IGNORECASE | re.VERBOSE,
)
_WHATS = ("pass", "kennwort", "pw", "contraseña", "пароль", "code", "pin", "otp", "tan", "cvv", "cvc", "token", "key")
_WHAT = re.compile(
    r"""(?:[\w'’-]{1,20}\s+){0,4}?(?P<what>passw\w+|kennwort|pw|passphrase|contraseña|mot\ de\ passe|пароль|\w*code
        |pin|otp|tan|cvv|cvc
        |token|(?:(?:api|secret|access)\ )?key)\b(?!\s+(?:manager|policy|length|hint|reset|word))""",
    re.IGNORECASE | re.VERBOSE,
)
_CODED = re.compile(r"code$|pin$|otp$|tan$|cvv$|cvc$")
_BEFORE = re.compile(r"""(?:^|[\s"'`“*(:>])(?P<value>[^\s"'`“”*,;:?()<>]{3,64})["'`“”*]{0,2}[,.]?$""")
_HALF = re.compile(r"(?<![\w.,+/#-])\d{3,4}[ ]$")
_ENTERED = re.compile(r"(?<![\w.,+/#-])(?:\d{4,8}|\d{3}[ -]\d{3})(?![\w-])")
_ENTER = re.compile(
    r"\b(?:enter|use|type|typing|submit|gib|введите)\s+(?:the\s+)?(?:code\s+|pin\s+)?[\"'`]?$", re.IGNORECASE
)
_TO_VERIFY = re.compile(
    r"[\"'`]?\s+(?:to|when|for|at|as|on|in)\s+(?:[\w-]+\s+){0,3}?"
    r"(?:verif\w*|confirm\w*|log(?:ging)?|sign(?:ing)?|authenticat\w*|unlock\w*|open\w*|prompted|activate"
    r"|disarm|door|gate|your code|login)\b",
    re.IGNORECASE,
)


def named_after(text: str, lower: str) -> Iterator[Span]:
    """Yields secrets before their name ("hunter2 is my password") or their purpose ("enter 4821 to unlock")."""
    if any(letters in lower for letters in _WHATS):
        for link in _IS_MY.finditer(text):
            if (what := _WHAT.match(text, link.end())) and (
                value := _BEFORE.search(text[max(0, link.start() - 70) : link.start()])
            ):
                yield from _value_first(text, link, value, what)
    if any(verb in lower for verb in ("enter", "use ", "typ", "submit", "gib ", "введите")):
        for number in _ENTERED.finditer(text):
            if _ENTER.search(text[max(0, number.start() - 24) : number.start()]) and _TO_VERIFY.match(
                text, number.end()
            ):
                yield Span(*number.span(), "code")


def _value_first(text: str, link: re.Match[str], value: re.Match[str], what: re.Match[str]) -> Iterator[Span]:
    start = link.start() - len(value.string) + value.start("value")
    word, name = value["value"].rstrip("."), what["what"].lower()
    if _CODED.search(name):
        lead = _HALF.search(text[max(0, start - 5) : start]) if len(word) in {3, 4} and word.isdigit() else None
        said = text[link.start() : what.end()]
        if (
            (lead or CODE_VALUE.fullmatch(word))
            and not any(word in said.lower() for word in BOOKED)
            and not spaced_words(said[: -len(name)].lower()).endswith(OTHER_CODES)
        ):
            yield Span(start - (len(lead[0]) if lead else 0), start + len(word), "code")
    elif is_mixed(word) and not REFERENCE.match(word):
        yield Span(start, start + len(word), "token" if name.endswith(("key", "token")) else "password")
