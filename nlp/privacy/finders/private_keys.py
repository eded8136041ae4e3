"""Private keys: PEM and PGP blocks, whole, cut off or in base64, and PuTTY files."""

import re
from base64 import b64decode
from collections.abc import Iterator

from hippograph.nlp.privacy.finders.spans import Span

_KEY_BEGIN = re.compile(r"-{2,5} ?BEGIN (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?(?: ?-{2,5})?")
_KEY_END = re.compile(r"-{2,5} ?END (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?(?: ?-{2,5})?")
# The body of a block that is cut off: lines of base64, headers ("Proc-Type: 4,ENCRYPTED"), line ends, also as `\n`.
_KEY_BODY = re.compile(
    r"(?:(?:\s|\\[nr]|[>|]\s)*+(?:[A-Z][A-Za-z0-9-]{2,20}: [^\n]{1,80}|[A-Za-z0-9+/=]{16,}+[^\s\w\\]*+"
    r"|=[\w+/]{4}(?!\w)|\.{3}|…))*+"
    # The last line is short, and may be cut anywhere.
    r"(?:(?:\s|\\[nr])*+(?=[A-Za-z0-9+/=]*[\d+/=])[A-Za-z0-9+/]{2,}=*+(?![\w+/]))?"
)
# The base64 before the end line of a block, in reversed text: forwards each position would be tried as its start.
_KEY_TAIL_REVERSED = re.compile(r"\s*[A-Za-z0-9+/=]{4,}(?:(?:\s|n\\){1,4}[A-Za-z0-9+/=]{16,})*")
# The lines up to "Private-MAC:", with the line ends of any system.
_PUTTY = re.compile(
    r"PuTTY-User-Key-File-\d(?:(?!PuTTY-User)[\s\S]){0,4000}?Private-Lines: ?\d+\s+"
    r"((?:[A-Za-z0-9+/=]{4,}+(?!-)\s{0,2})+)"
)
# A file that begins with "-----BEGIN", in base64, on one line or several.
_ENCODED = re.compile(r"LS0tLS1CRUdJTi[A-Za-z0-9+/]*+(?:\s{1,2}[A-Za-z0-9+/]{16,}+)*+(?:\s{1,2}[A-Za-z0-9+/]+(?==))?=*")


def private_keys(text: str, lower: str) -> Iterator[Span]:
    """Yields the private keys of a text."""
    for match in _ENCODED.finditer(text):
        begun = re.sub(r"\s", "", match[0])[:96]
        if b"PRIVATE KEY" in b64decode(begun[: len(begun) // 4 * 4]):
            yield Span(*match.span(), "private_key")
    if "private key" in lower and "--" in text:
        yield from _armored_keys(text)
    if "putty-user-key-file" in lower:
        for match in _PUTTY.finditer(text):
            yield Span(match.start(1), match.start(1) + len(match[1].rstrip()), "private_key")


def _armored_keys(text: str) -> Iterator[Span]:
    begins, ends = list(_KEY_BEGIN.finditer(text)), list(_KEY_END.finditer(text))
    at = 0  # where the last key ended
    starts = [*(match.start() for match in begins), len(text)]
    for begin, following in zip(begins, starts[1:], strict=True):
        while ends and ends[0].end() <= begin.end():
            yield from _key_without_begin(text, ends.pop(0), at)
        if ends and ends[0].start() < following:
            at = ends.pop(0).end()
        else:
            body = _KEY_BODY.match(text, begin.end(), following)
            at = body.end() if body else begin.end()
        yield Span(begin.start(), at, "private_key")
    for end in ends:
        yield from _key_without_begin(text, end, at)
        at = end.end()


def _key_without_begin(text: str, end: re.Match[str], earliest: int) -> Iterator[Span]:
    start = max(earliest, end.start() - 4000)
    if tail := _KEY_TAIL_REVERSED.match(text[start : end.start()][::-1]):
        yield Span(end.start() - tail.end(), end.end(), "private_key")
