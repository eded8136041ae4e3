"""Credentials in HTTP headers, URLs, login pairs and command lines, recognized by form alone."""

import re
from collections.abc import Iterator

from hippograph.nlp.privacy.finders.spans import Span
from hippograph.nlp.privacy.finders.values import REFERENCE, is_blank, is_mixed, trimmed_value

_BEARER = re.compile(r"\bBearer\s{1,3}([A-Za-z0-9._~+/=-]{12,4000})", re.IGNORECASE)
_HEADER = re.compile(
    r"""\b(?:(?:Proxy-)?Authorization["']?\s?[:=]\s?["']?(?:(?:Basic|Bearer|Token|Digest|ApiKey|Negotiate|Bot
        |AWS4-\S{1,30})\s)?
        |X-(?:Api-Key|Auth-Token|Access-Token|Vault-Token|Amz-Security-Token|Goog-Api-Key)["']?\s?:\s?["']?
        |Api-Key["']?\s?:\s?["']?
        |(?:Set-)?Cookie:\s?[^\s=;]{0,30}(?:sess|sid|auth|token)[^\s=;]{0,30}=)
        ([A-Za-z0-9._~+/=%:|-]{6,4000})""",
    re.IGNORECASE | re.VERBOSE,
)
_ADDRESS = re.compile(r"""://([^\s/:@"'<>]{0,100}):([^\s/"'`<>]{1,200})@(?=[\w\[$.{-])""", re.IGNORECASE)
_LOGIN_PAIR = re.compile(r"[\w.+-]{1,64}@[\w.-]{3,100}(?:\s[/|:]\s|[|:])([^\s\"'`,/]{6,100})")
_TOKEN_ADDRESS = re.compile(r"https?://([\w-]{20,255})@(?=\w)")
_TEMPLATE = re.compile(r"\$|<|\{|%[\w-]+%$|\*{2,}|\.{3}|…|x{3,}$|\[|--", re.IGNORECASE)
_CURL_USER = re.compile(r"""\s(?:-u|--user)[ =]["']?[^\s:"']{1,60}:([^\s"']{3,100})""")
_MYSQL = re.compile(r"""\bmysql(?:dump|admin)?\b[^\n|;]{0,120}? -p["']?([^\s"'-][^\s"']{2,60})""")
_SSHPASS = re.compile(
    r"""\b(?:(?:sshpass|docker login|az login|twine upload)\b[^\n|;]{0,120}? -p[ =]?"""
    r"""|redis-cli\b[^\n|;]{0,120}? -a[ =]?"""
    r"""|(?:docker login|redis-cli|az login|mysql|twine upload)\b[^\n|;]{0,120}? --pass(?:word)?[ =])"""
    r"""["']?([^\s"'-][^\s"']{2,100})"""
)


def header_credentials(text: str, lower: str) -> Iterator[Span]:
    """Yields tokens in HTTP headers."""
    if "bearer" in lower:
        for match in _BEARER.finditer(text):
            if _DIGIT.search(match[1]) and not is_blank(match[1]):
                yield Span(match.start(1), match.start(1) + len(match[1].rstrip(".")), "token")
    if any(word in lower for word in ("authorization", "x-", "api-key", "cookie:")):
        for match in _HEADER.finditer(text):
            if is_mixed(match[1]) or (len(match[1]) >= 16 and not match[1].islower()):
                yield Span(match.start(1), match.start(1) + len(match[1].rstrip(".")), "token")


def address_credentials(text: str, _lower: str) -> Iterator[Span]:
    """Yields passwords and tokens in URLs, after an email address, and in command lines."""
    if "://" in text:
        yield from (
            Span(*match.span(2), "password") for match in _ADDRESS.finditer(text) if not _TEMPLATE.match(match[2])
        )
        yield from (Span(*match.span(1), "token") for match in _TOKEN_ADDRESS.finditer(text) if is_mixed(match[1]))
    if "@" in text:
        yield from _login_pairs(text)
    if " -" in text:
        for pattern in (_CURL_USER, _MYSQL, _SSHPASS):
            found = (match for match in pattern.finditer(text) if not _TEMPLATE.match(match[1]))
            yield from (Span(*match.span(1), "password") for match in found)


def _login_pairs(text: str) -> Iterator[Span]:
    for match in _LOGIN_PAIR.finditer(text):
        value = trimmed_value(match[1], cut=False)
        if is_mixed(value) and not REFERENCE.match(value):
            yield Span(match.start(1), match.start(1) + len(value), "password")


_DIGIT = re.compile(r"\d")
