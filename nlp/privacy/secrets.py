"""Finds the secrets of a text, and removes them.

What belongs here: one search with all of `nlp.privacy.finders`. They find keys, passwords, tokens, one-time codes, PINs
and card numbers, by form or by the words around them. With `identifiers`, bank accounts and national numbers too.
What does not: private data that gives no access (addresses, phone numbers), which `nlp.privacy.sensitivity` labels; and
strings that only look random (UUIDs, commit hashes, order numbers), unless the text says that they are a key.

The text is searched as a reader sees it (`nlp.privacy.disguises`), whatever characters are used. A search runs on each
recorded message, so it takes time linear in the text: a rule is tried only where a word or sign that it needs occurs,
and looks no further than a bounded distance.
"""

import re
from collections.abc import Callable, Iterator

from hippograph.nlp.privacy.disguises import views
from hippograph.nlp.privacy.finders.announced import announced_secrets
from hippograph.nlp.privacy.finders.cards import card_numbers
from hippograph.nlp.privacy.finders.credentials import address_credentials, header_credentials
from hippograph.nlp.privacy.finders.identifiers import identifiers as private_identifiers
from hippograph.nlp.privacy.finders.named_after import named_after
from hippograph.nlp.privacy.finders.private_keys import private_keys
from hippograph.nlp.privacy.finders.seed_phrases import seed_phrases
from hippograph.nlp.privacy.finders.spans import REMOVED, Span
from hippograph.nlp.privacy.finders.tokens import vendor_tokens

_ROUNDS = 8


def find_secrets(text: str, *, identifiers: bool = False) -> list[Span]:
    """Returns the secrets of a text, in order, without overlaps. `identifiers` includes IBANs and national numbers.

    A removal can reveal another secret, so the search is repeated on the rest of the text until it finds none, at most
    eight times.
    """
    spans = _scan(text, identifiers)
    for _ in range(_ROUNDS if spans else 0):
        more = [_moved_back(span, spans) for span in _scan(_without(text, spans), identifiers)]
        if not more:
            break
        spans = sorted([*spans, *more], key=lambda span: span.start)
    return spans


def redact(text: str, *, identifiers: bool = False) -> tuple[str, int]:
    """Returns the text with `[secret removed]` in place of each secret, and the number of secrets."""
    return redact_behind("", text, identifiers=identifiers)


def redact_behind(before: str, text: str, *, identifiers: bool = False) -> tuple[str, int]:
    """Like `redact`, for a text that follows `before`: what that announces ("the code is:") is a secret too."""
    start = len(before)
    found = find_secrets(before + text, identifiers=identifiers)
    spans = [Span(max(0, each.start - start), each.end - start, each.kind) for each in found if each.end > start]
    return _without(text, spans), len(spans)


def _scan(text: str, identifiers: bool) -> list[Span]:
    """Searches once. Overlapping secrets are merged; the placeholders of earlier removals are left out."""
    found = sorted(
        (
            Span(*view.located(span.start, span.end), span.kind)
            for view in views(text)
            for span in _found(view.text, identifiers)
            if span.end > span.start
        ),
        key=lambda span: (span.start, -span.end),
    )
    united: list[Span] = []
    for span in found:
        if united and span.start < united[-1].end:
            united[-1] = Span(united[-1].start, max(united[-1].end, span.end), united[-1].kind)
        else:
            united.append(span)
    return [part for span in united for part in _around_removed(text, span)] if REMOVED in text else united


def _found(text: str, identifiers: bool) -> Iterator[Span]:
    lower = text.lower()
    if len(lower) != len(text):  # "İ" in lower case is two characters
        lower = "".join(character.lower()[0] for character in text)
    for finder in (*_FINDERS, private_identifiers) if identifiers else _FINDERS:
        yield from finder(text, lower)


def _around_removed(text: str, span: Span) -> Iterator[Span]:
    """Yields the parts of a span outside the placeholders of earlier removals."""
    at = span.start
    for match in re.compile(re.escape(REMOVED)).finditer(text, max(0, at - len(REMOVED) + 1)):
        if match.start() >= span.end:
            break
        if text[at : match.start()].strip():
            yield Span(at, match.start(), span.kind)
        at = match.end()
    if at < span.end and text[at : span.end].strip():
        yield Span(at, span.end, span.kind)


def _without(text: str, spans: list[Span]) -> str:
    kept, at = [], 0
    for span in spans:
        kept.append(text[at : span.start])
        at = span.end
    return REMOVED.join([*kept, text[at:]])


def _moved_back(span: Span, removed: list[Span]) -> Span:
    """Converts a span of the text without `removed` to a span of the text itself."""
    shift = 0
    for earlier in removed:
        if earlier.start + shift >= span.start:
            break
        shift += len(REMOVED) - (earlier.end - earlier.start)
    return Span(span.start - shift, span.end - shift, span.kind)


_FINDERS: tuple[Callable[[str, str], Iterator[Span]], ...] = (
    private_keys,
    card_numbers,
    vendor_tokens,
    header_credentials,
    address_credentials,
    seed_phrases,
    announced_secrets,
    named_after,
)
