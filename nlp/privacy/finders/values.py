"""Recognises values that may be secrets: words of no language, phrases in quotes, numbers."""

import re

from hippograph.nlp.privacy.finders.spans import WORDS


def is_blank(value: str) -> bool:
    """Returns whether a value is a placeholder: `ghp_xxxxxxxx`, `sk-…`, `****`."""
    tail = value[-12:]
    return len(set(tail.lower())) <= 2 and not tail.isdigit()


_DIGIT = re.compile(r"\d")
# Opening quotes and marks of emphasis, each with its closing one.
_OPENING = {pair[0]: pair[1] for pair in ('""', "''", "``", "“”", "„“", "””", "«»", "‘’", "「」", "**", "__")}
TOKEN = re.compile(r"[^\s,\"`<>，。；、「」“”]{1,512}")
PAIR = re.compile(
    r"""["'`]?(?:(?:with|as|using|are|is|und|and)\s+)?["'`]?([\w.@+-]{2,60})["'`]?(?:\s?[/:|]\s?|\s+(?:and"""
    r"""|und)\s+)(?!/)["'`]?([^\s"'`,]{3,100})""",
    re.IGNORECASE,
)
UNIT = re.compile(
    r"[^\S\r\n]*-?(?:char\w*|digits?|letters?|symbols?|bits?|bytes?|words?|lines\b|long|days?|months?|weeks?|years?|hours?"
    r"|minutes?|times|attempts?|tries|people|users?|of\b|or\ (?:more|fewer)|zeichen|stellen|tage|caracteres"
    r"|caractères|символ\w*|%)(?!\w*\s?[:=])",
    re.IGNORECASE | re.VERBOSE,
)
_PLAIN = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
CLAUSE_END = re.compile(
    r"""["'”’»)\]*|`]*(?:$|[.!?;,)…](?:\s|$)|\s*[\n(]|\s+[-–—(:;]|\s+(?:and|but|so|btw|if|please|pls|thanks"""
    r"""|thx|in\ case|by\ the\ way|lol|ok|okay|right|correct|is\ that|und|aber|bitte|then|when|because|don['’]t"""
    r"""|for|on|until|or)\b)""",
    re.IGNORECASE,
)
CLAUSE = re.compile(r"[^\n.,;:!?()\"“”]{1,120}")
CUT = re.compile(
    r"\s+(?:and|but|so|btw|if|please|pls|thanks|thx|in\ case|by\ the\ way|und|aber|bitte|then|because|for|don['’]t"
    r"|- )(?:\s|$)",
    re.IGNORECASE,
)
INFLECTED = re.compile(r".{2,}(?:ed|(?<!k)ing|able|ible|[^f]ly|less|ful|ive|ous|tion|ations|ment)$")
_TECHNICAL = re.compile(
    r"""(?:1password|o?auth2?(?:\.0)?|sha-?\d+|md5|bcrypt|argon2\w*|pbkdf2|base\d\d|utf-?\d+|[24]fa|mfa|wpa[23]?\w*
        |x\.?509|https?(?:/?\d)?|ed25519|[rhe]s\d{3}|p-?256
        |aes[-_]?\d*\w*|pkcs\S*|k8s|ec2|s3|ipv[46]|i18n|l10n|log4j|web[23]|b2[bc]|h2|v\d+(?:[.-]\w{1,5})*|\d+(?:st|nd|rd|th|h
        |d|s|ms|x|k|kb|mb|gb|am|pm|bit|min|%)|(?:python|java|php|perl|node|vue|angular|postgres|neo4j|windows|win
        |ubuntu|ios|android)[\d.]*
        |\d+-(?:char\w*|digit|day|letter|bit|month|minute|hour|week|year|word|byte|step|factor|hop|d)\w*|\w+\.(?:py
        |js|ts|md|txt|json|ya?ml|env|kdbx|go|rs|java|toml|ini|cfg|html?|php|pem|csv|pdf|docx?|com|org|net|io)
        |\d{4}-\d\d-\d\d\S*|\d{1,2}[./]\d{1,2}(?:[./]\d{2,4})?|\d{1,2}:\d\d(?::\d\d)?\w*|[€$£]\d\S*|\d+[.,]\d+\w*
        |q[1-4]|covid-?19|gpt-?\w*|rfc\d+|cve-\S+|llama[\d.-]*|claude[\d.-]*|4k|l?\d{1,2})""",
    re.IGNORECASE | re.VERBOSE,
)
REFERENCE = re.compile(
    r"""[$%<{(\[\\@~]|https?://|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*[(\[]|(?:os|process|env|self|this|config"""
    r"""|settings|args|req|request|user|data|ctx|vault|secrets|var|local|module)\.[A-Za-z_]"""
    r"""|(?:[\w.]*_)?(?:my|your|the|dein|new|old|db|user|current|confirm|raw|plain)?[-_]?(?:pass(?:word|wd"""
    r"""|phrase)?|secret|token|pwd|pw|api_?key)s?(?:[-_]?(?:here|hash|env|var|file|name|field))?$|\.{2,}|…"""
    r"""|\*+\W*$|[xX•●_·-]{3,}$|\|""",
    re.IGNORECASE,
)
CODE_VALUE = re.compile(
    r"(?:[A-Z]{1,3}-)?(?:\d{4}[ -]\d{4}|\d{3}[ -]\d{3,4}|\d{1,2}(?:-\d{1,2}){2,4}|\d{2}[ -]\d{2}|\d{4,8})(?!\d"
    r"|[.,:/-]\d|\s?(?:%|€|USD))(?:[#*](?!\w))?"
    r"|(?=[a-z]{0,5}\d)[a-z\d]{4,6}(?:-(?=[a-z]{0,5}\d)[a-z\d]{4,6}){1,4}(?![\w-])|(?=[A-Z\d-]{0,14}\d)(?:[A-Z\d]{4,8}"
    r"|[A-Z\d]{3,8}(?:-[A-Z\d]{3,8}){1,3})(?![\w-])"
)
PIN_VALUE = re.compile(r"(?:\d{4,8}|\d{2}[ -]\d{2}|\d{3}[ -]\d{3})(?![\w]|[.,:/-]\d)")
CARD_CODE_VALUE = re.compile(r"\d{3,4}(?![\w]|[.,:/-]\d)")
_STOP = frozenset(WORDS["stop_words"].split())
_ARTICLES = {"a", "an", "my", "the"}
_Found = tuple[int, int] | None


def value_at(text: str, at: int, *, strong: bool, plain: bool) -> _Found:
    """Returns the span of the password at a position, None if there is none. After a `strong` link (`:`, `=`) a value
    may look less like a password than after "is". With `plain` it may consist of ordinary words, or else stand in
    brackets.
    """
    if quoted := quoted_at(text, at):
        value = text[quoted[0] : quoted[1]]
        said = (plain or strong) and len(value) >= 3
        good = (said or is_mixed(value)) and not (is_prose(value) and (" " in value or not is_mixed(value)))
        return quoted if good and not REFERENCE.match(value) and not _TECHNICAL.fullmatch(value) else None
    if plain and text.startswith("(", at):
        return value_at(text, at + 1, strong=False, plain=False)
    token = TOKEN.match(text, at)
    if not token or REFERENCE.match(token[0]):
        return None
    value = trimmed_value(token[0], cut=text[at - 1 : at] == "=" or "=" in text[max(0, at - 2) : at])
    end = at + len(value)
    if not value or REFERENCE.match(value) or UNIT.match(text, end):
        return None
    if is_mixed(value) or (value.isdigit() and len(value) >= 4 and (plain or strong)):
        return at, end
    if strong and not _PLAIN.fullmatch(value):
        return (at, end) if len(value) >= 5 and not _TECHNICAL.fullmatch(value) else None
    return _plain_words(text, at, end, strong=strong) if plain else None


def _plain_words(text: str, at: int, end: int, *, strong: bool) -> _Found:
    """Returns the span of a password of ordinary words; None for words that describe a password."""
    word = text[at:end]
    if not _PLAIN.fullmatch(word) or is_prose(word):
        return None
    if CLAUSE_END.match(text, end):
        return (at, end) if len(word) >= 4 and (strong or not INFLECTED.match(word.lower())) else None
    clause = CLAUSE.match(text, at)
    words = CUT.split(clause[0], maxsplit=1)[0].rstrip() if clause else ""
    least = 2 if strong else 3
    if least <= len(words.split()) <= 8 and words.islower() and not is_prose(words) and not INFLECTED.match(word):
        return at, at + len(words)
    return None


def quoted_at(text: str, at: int) -> _Found:
    """Returns the span of the text in the quotes or marks of emphasis that open at a position."""
    for opening in ("```", "**", "||"):
        if text.startswith(opening, at):
            end = text.find(opening, at + len(opening), at + 160)
            return _inner(text, at + len(opening), end) if end > 0 else None
    closing = _OPENING.get(text[at : at + 1])
    if closing is None:
        return None
    marks = "“”" if closing in "“”" else closing
    end = min((found for mark in marks if (found := text.find(mark, at + 1, at + 160)) >= 0), default=-1)
    return _inner(text, at + 1, end) if end > at + 1 and "\n" not in text[at:end] else None


def _inner(text: str, start: int, end: int) -> _Found:
    """Returns the span without a second pair of marks, and without a full stop or comma at its end."""
    return quoted_at(text, start) or ((start, end - 1) if text[end - 1] in ".," else (start, end))


def trimmed_value(token: str, *, cut: bool) -> str:
    """Returns a token without punctuation at its end; with `cut`, without what follows it in code or an address too."""
    if cut:
        token = re.split(r"[&;']", token, maxsplit=1)[0]
    value = token.rstrip(".;:?'’”»*|)]}\\/" if "(" not in token else ".;:?'’”»*|]}\\")
    return value.rstrip("!.") if value.endswith("!") and not _DIGIT.search(value) else value


def is_mixed(value: str) -> bool:
    """Returns whether a word belongs to no language: it mixes letters, digits and signs."""
    if len(value) < 5 or _TECHNICAL.fullmatch(value) or is_blank(value):
        return False
    letters, digits = any(map(str.isalpha, value)), any(map(str.isdigit, value))
    signs = sum(value.count(sign) for sign in "@#$%^&*!+=~_?")
    return (letters and digits) or (signs > 0 and letters and not value.isidentifier()) or (digits and signs > 1)


def is_prose(value: str) -> bool:
    """Returns whether words describe a secret rather than being one: one of up to three, or two of more, are common."""
    words = value.lower().replace("’", "'").split()
    if len(words) > 3:  # a passphrase may hold a common word: "correct horse battery staple"
        return sum(word in _STOP for word in words[words[0] in _ARTICLES :]) > 1
    return any(word.split("'")[0] in _STOP or word.split("-")[0] in _STOP for word in words)
