"""Bank accounts and national numbers: private, but secrets only if the operator configures it."""

import re
from collections.abc import Callable, Iterator
from typing import Final

from stdnum import iban
from stdnum.be import nn
from stdnum.br import cpf
from stdnum.ch import ssn as ahv
from stdnum.de import idnr
from stdnum.dk import cpr
from stdnum.es import dni, nie
from stdnum.fi import hetu
from stdnum.fr import nir
from stdnum.in_ import aadhaar
from stdnum.it import codicefiscale
from stdnum.nl import bsn
from stdnum.no import fodselsnummer
from stdnum.pl import pesel
from stdnum.ru import inn
from stdnum.se import personnummer
from stdnum.us import ssn

from hippograph.nlp.privacy.finders.spans import Span

Check = Callable[[str], bool]

_IBAN: Final = re.compile(r"(?<!\w)[A-Za-z]{2}\d{2}(?:[ -]?[A-Za-z0-9]){11,30}(?!\w)")
_NINO: Final = re.compile(
    r"(?<!\w)(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d\d ?\d\d ?\d\d ?[A-D](?!\w)", re.IGNORECASE
)
_BY_FORM: Final[tuple[tuple[re.Pattern[str], Check], ...]] = (
    (re.compile(r"(?<![\w-])\d{3}-\d{2}-\d{4}(?![\w-])"), ssn.is_valid),
    (re.compile(r"(?<!\w)[12] ?\d\d ?\d\d ?\d[\dAB] ?\d{3} ?\d{3} ?\d\d(?!\w)"), nir.is_valid),
    (re.compile(r"(?<!\w)\d{8}-?[A-Z](?!\w)"), dni.is_valid),
    (re.compile(r"(?<!\w)[XYZ]-?\d{7}-?[A-Z](?!\w)"), nie.is_valid),
    (re.compile(r"(?<!\w)[A-Za-z]{6}\w{2}[A-Za-z]\w{2}[A-Za-z]\w{3}[A-Za-z](?!\w)"), codicefiscale.is_valid),
    (re.compile(r"(?<!\w)\d{6}[-+A-FYXWVU]\d{3}[0-9A-FHJ-NPR-Y](?!\w)"), hetu.is_valid),
    (re.compile(r"(?<!\d)756[. ]?\d{4}[. ]?\d{4}[. ]?\d\d(?!\d)"), ahv.is_valid),
    (re.compile(r"(?<!\w)\d{3}\.\d{3}\.\d{3}-\d\d(?!\w)"), cpf.is_valid),
)
"""Numbers with a distinctive form, and the check of their check digits."""

_NAMED: Final[tuple[tuple[re.Pattern[str], Check], ...]] = tuple(
    (
        re.compile(
            rf"\b(?:{names})(?: (?:number|no\.?|nummer|nr\.?))?(?: (?:is|ist|är|er|to))?[:#]? ?$", re.IGNORECASE
        ),
        check,
    )
    for names, check in (
        ("social security|ssn", ssn.is_valid),
        ("bsn|burgerservice", bsn.is_valid),
        ("steuer-?id(?:entifikations)?", idnr.is_valid),
        ("pesel", pesel.is_valid),
        ("personnummer|personal (?:code|id(?:entity)?)", personnummer.is_valid),
        ("fødselsnummer|fodselsnummer|personnummer", fodselsnummer.is_valid),
        ("cpr", cpr.is_valid),
        ("aadhaar|aadhar", aadhaar.is_valid),
        ("cpf", cpf.is_valid),
        ("rijksregister|numéro national|national register", nn.is_valid),
        ("инн", inn.is_valid),
    )
)
"""Names of numbers, right before the number, and the check of its check digits."""

_DIGITS: Final = re.compile(r"(?<![\w.,+/#-])\d(?:[ .-]?\d){8,12}(?!\w)")


def identifiers(text: str, _lower: str) -> Iterator[Span]:
    """Yields the IBANs and national numbers of a text whose form and check digits are right.

    A bare run of digits counts only if the words before it name it ("my PESEL is …").
    """
    for match in _IBAN.finditer(text):
        if end := _end_of_iban(match[0]):
            yield Span(match.start(), match.start() + end, "bank_account")
    for match in _NINO.finditer(text):
        yield Span(*match.span(), "national_number")
    for form, is_valid in _BY_FORM:
        yield from (Span(*match.span(), "national_number") for match in form.finditer(text) if is_valid(match[0]))
    for match in _DIGITS.finditer(text):
        before = text[max(0, match.start() - 50) : match.start()]
        if any(is_valid(match[0]) for named, is_valid in _NAMED if named.search(before)):
            yield Span(*match.span(), "national_number")


def _end_of_iban(found: str) -> int:
    """Returns the length of the IBAN that `found` begins with, since words may follow it; 0 without one."""
    ends = [at for at in range(15, len(found) + 1) if at == len(found) or not found[at].isalnum()]
    return next((at for at in reversed(ends) if iban.is_valid(found[:at])), 0)
