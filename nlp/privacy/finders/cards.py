"""Card numbers, by issuer, length and check digit, and the security codes after them."""

import re
from collections.abc import Iterator

from stdnum import luhn

from hippograph.nlp.privacy.finders.spans import WORDS, Span

_DIGITS = re.compile(r"(?<![\w.,+/#-])\d(?:[ \u00a0.-]?\d){12,22}(?!\w|-\w)")
_ISSUERS = [(re.compile(prefix), set(lengths)) for prefix, lengths in WORDS["issuers"]]
_GROUPED = re.compile(
    r"\d{13,19}|\d{4}(\D)\d{4}\1\d{4}\1\d{4}(?:\1\d{3})?|\d{4}(\D)\d{6}\2\d{4,5}|\d{4}(\D)\d{4}\3\d{5}"
)
_CARD_WORD = re.compile(r"card|visa|amex|american express|debit|\bcc\b|karte|tarjeta|carte|карт", re.IGNORECASE)
_PAY_WORD = re.compile(
    r"(?:credit|debit|bank|visa|master|amex|kredit|debit)[ -]?(?:card|karte)?(?: (?:number|no\.?|nummer|#))?"
    r"(?: (?:is|ist))?[:#]? ?$|\bcard (?:number|no\.?)(?: is)?[:#]? ?$",
    re.IGNORECASE,
)
_OTHER_NUMBER = re.compile(
    r"\b(?:order|tracking|invoice|ticket|reference|ref|imei|case|shipment|parcel|barcode|ean|upc|gtin|sku|serial|isbn|"
    r"snowflake|timestamp|id|library|loyalty|membership|student|bestell\w*|rechnungs\w*)"
    r"(?:[ -](?:card|number|no\.?|nummer|nr\.?|id|code))*(?: is| was|:)? ?#?$",
    re.IGNORECASE,
)
_AFTER_CARD = re.compile(
    r"[\s,;|]{1,3}(?:exp\w*\.?:? ?|valid (?:thru|until) )?(?:0[1-9]"
    r"|1[0-2]) ?[/-] ?(?:20)?\d\d[\s,;|]{1,3}(\d{3,4})(?![\w/.-])",
    re.I,
)


def card_numbers(text: str, _lower: str) -> Iterator[Span]:
    """Yields the card numbers of a text, and the security codes right after them."""
    for match in _DIGITS.finditer(text):
        before = text[max(0, match.start() - 40) : match.start()]
        around = before + text[match.end() : match.end() + 30]
        end = _end_of_card(match[0], bool(_CARD_WORD.search(around)), bool(_PAY_WORD.search(before)))
        if end and not (_OTHER_NUMBER.search(before) and match[0][:end].isdigit()):
            yield Span(match.start(), match.start() + end, "card")
            if after := _AFTER_CARD.match(text, match.start() + end):
                yield Span(*after.span(1), "code")


def _end_of_card(digits: str, said: bool, sure: bool) -> int:
    """Returns the length of the card number that `digits` begin with, before an expiry date or a code; 0 without one.

    `said` is whether a card is mentioned nearby; after a word for paying (`sure`), 15 or 16 digits need no valid check
    digit.
    """
    ends = [at for at in range(13, len(digits) + 1) if at == len(digits) or not digits[at].isdigit()]
    for at in reversed(ends):
        number = re.sub(r"\D", "", digits[:at])
        if not _GROUPED.fullmatch(digits[:at]):
            continue
        if (_is_issued(number, said) and luhn.is_valid(number)) or (sure and len(number) in {15, 16}):
            return at
    return 0


def _is_issued(number: str, said: bool) -> bool:
    """Whether an issuer has such numbers. Without mention of a card, those of 13 and 19 digits are bar codes or ids."""
    return (said or len(number) not in {13, 19}) and any(
        len(number) in lengths and prefix.match(number) for prefix, lengths in _ISSUERS
    )
