"""Secrets in a text: where they are, and the text without them.

What belongs here: one search with all of `nlp.privacy.finders`. They find keys, passwords, tokens, one-time codes, PINs
and card numbers, by form or by what is said of them. With `identifiers` bank accounts and national numbers too.
What does not: other data that is private without opening a door (addresses, phone numbers), which
`nlp.privacy.sensitivity` labels; and things that only look random (UUIDs, hashes of commits, order numbers), unless
they are said to be a key.

The text is searched as it reads (`nlp.privacy.disguises`), whatever it is written with. A search runs on each recorded
message: a rule is tried when a word or a sign it needs is there, looks no further than a bounded distance, and so takes
time linear in the text.
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
    """The secrets of a text, in order, none overlapping. `identifiers` counts IBANs and national numbers.

    What is left when they are removed has no secret: a removal can bring another to light, so the search is repeated.
    """
    spans = _scan(text, identifiers)
    for _ in range(_ROUNDS if spans else 0):
        more = [_moved_back(span, spans) for span in _scan(_without(text, spans), identifiers)]
        if not more:
            break
        spans = sorted([*spans, *more], key=lambda span: span.start)
    return spans


def redact(text: str, *, identifiers: bool = False) -> tuple[str, int]:
    """The text with `[secret removed]` in place of each secret, and how many there were."""
    return redact_behind("", text, identifiers=identifiers)


def redact_behind(before: str, text: str, *, identifiers: bool = False) -> tuple[str, int]:
    """As `redact`, of a text that is read behind another: what `before` announces ("the code is:") is a secret too."""
    start = len(before)
    found = find_secrets(before + text, identifiers=identifiers)
    spans = [Span(max(0, each.start - start), each.end - start, each.kind) for each in found if each.end > start]
    return _without(text, spans), len(spans)


def _scan(text: str, identifiers: bool) -> list[Span]:
    """One search, with overlaps united and earlier removals left alone."""
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
    if len(lower) != len(text):  # "İ" becomes two characters
        lower = "".join(character.lower()[0] for character in text)
    for finder in (*_FINDERS, private_identifiers) if identifiers else _FINDERS:
        yield from finder(text, lower)


def _around_removed(text: str, span: Span) -> Iterator[Span]:
    """What of a span is not part of an earlier removal."""
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
    """A span of the text without `removed`, as a span of the text itself."""
    shift = 0
    for earlier in removed:
        if earlier.start - shift >= span.start:
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
