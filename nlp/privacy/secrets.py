"""Secrets in a text: where they are, and the text without them.

What belongs here: keys, passwords, tokens, one-time codes, PINs and card numbers, by form or by what is said of them.
What does not: data that is private without opening a door (IBANs, addresses, phone numbers), which
`nlp.privacy.sensitivity` labels; and things that only look random (UUIDs, hashes of commits, order numbers), unless
they are said to be a key.

The text is searched as it reads (`nlp.privacy.disguises`), whatever it is written with.

Runs on each recorded message: a rule is tried when a word or a sign it needs is there, looks no further than a bounded
distance, and so takes time linear in the text. Formats of vendors come from detect-secrets, of which only the rules for
fixed forms are used, as patterns: its search drops part of a token (`findall` with groups), its keyword and entropy
rules are made for code and take half of a conversation for secrets, and some of its patterns are not linear.
"""

import math
import re
import tomllib
from base64 import b64decode
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Literal

from stdnum import luhn

from nlp.privacy.disguises import views

Kind = Literal["card", "code", "password", "pin", "private_key", "seed_phrase", "token"]

REMOVED = "[secret removed]"
_ROUNDS = 8
_WORDS = tomllib.loads(Path(__file__).with_name("secrets.toml").read_text("utf-8"))


@dataclass(frozen=True, slots=True)
class Span:
    """A secret in a text, from `start` up to `end` (in characters, `end` excluded)."""

    start: int
    end: int
    kind: Kind


def find_secrets(text: str) -> list[Span]:
    """The secrets of a text, in order, none overlapping.

    What is left when they are removed has no secret: a removal can bring another to light, so the search is repeated.
    """
    spans = _scan(text)
    for _ in range(_ROUNDS if spans else 0):
        more = [_moved_back(span, spans) for span in _scan(_without(text, spans))]
        if not more:
            break
        spans = sorted([*spans, *more], key=lambda span: span.start)
    return spans


def redact(text: str) -> tuple[str, int]:
    """The text with `[secret removed]` in place of each secret, and how many there were."""
    spans = find_secrets(text)
    return _without(text, spans), len(spans)


def _scan(text: str) -> list[Span]:
    """One search, with overlaps united and earlier removals left alone."""
    found = sorted(
        (
            Span(*view.located(span.start, span.end), span.kind)
            for view in views(text)
            for span in _found(view.text)
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


def _found(text: str) -> Iterator[Span]:
    lower = text.lower()
    if len(lower) != len(text):  # "İ" becomes two characters
        lower = "".join(character.lower()[0] for character in text)
    for finder in _FINDERS:
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


# --- Private keys -----------------------------------------------------------------------------------------------------

_KEY_BEGIN = re.compile(r"-{2,5} ?BEGIN (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?(?: ?-{2,5})?")
_KEY_END = re.compile(r"-{2,5} ?END (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?(?: ?-{2,5})?")
# What a block cut off consists of: base64 in lines, headers ("Proc-Type: 4,ENCRYPTED"), line ends, also as `\n`.
_KEY_BODY = re.compile(
    r"(?:(?:\s|\\[nr]|[>|]\s)*+(?:[A-Z][A-Za-z0-9-]{2,20}: [^\n]{1,80}|[A-Za-z0-9+/=]{16,}+[^\s\w\\]*+"
    r"|=[\w+/]{4}(?!\w)|\.{3}|…))*+"
    # The last line is short, and may be cut anywhere.
    r"(?:(?:\s|\\[nr])*+(?=[A-Za-z0-9+/=]*[\d+/=])[A-Za-z0-9+/]{2,}=*+(?![\w+/]))?"
)
_KEY_TAIL = re.compile(r"(?:[A-Za-z0-9+/=]{16,}(?:\s|\\n){1,4})*[A-Za-z0-9+/=]{4,}\s*$")
_PUTTY = re.compile(r"PuTTY-User-Key-File-\d[\s\S]{0,4000}?Private-Lines: ?\d+\s+((?:[A-Za-z0-9+/=]{4,}\s?)+)")


# A file that begins with dashes and BEGIN, in base64; in lines, or in one.
_ENCODED = re.compile(r"LS0tLS1CRUdJTi[A-Za-z0-9+/]*+(?:\s{1,2}[A-Za-z0-9+/]{16,}+)*+(?:\s{1,2}[A-Za-z0-9+/]+(?==))?=*")


def _private_keys(text: str, lower: str) -> Iterator[Span]:
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
    if tail := _KEY_TAIL.search(text[start : end.start()]):
        yield Span(start + tail.start(), end.end(), "private_key")


# --- Card numbers -----------------------------------------------------------------------------------------------------

_DIGITS = re.compile(r"(?<![\w.,+/#-])\d(?:[ \u00a0.-]?\d){12,22}(?!\w|-\w)")
_ISSUERS = (
    # First digits (ISO/IEC 7812) and the lengths issued: Visa, Mastercard, American Express, Discover, Diners, JCB,
    # UnionPay, Maestro, Mir, RuPay.
    (re.compile(r"4"), {13, 16, 19}),
    (re.compile(r"5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720"), {16}),
    (re.compile(r"3[47]"), {15}),
    (re.compile(r"6011|64[4-9]|65"), {16, 19}),
    (re.compile(r"30[0-5]|309|3[689]"), {14, 16}),
    (re.compile(r"352[89]|35[3-8]"), {16, 19}),
    (re.compile(r"62|81"), {16, 17, 18, 19}),
    (re.compile(r"50(?:18|20|38)|5[678]|6304|67"), {16, 17, 18, 19}),
    (re.compile(r"220[0-4]"), {16, 19}),
    (re.compile(r"508|60[0-9]{2}|82"), {16}),
)
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


def _cards(text: str, _lower: str) -> Iterator[Span]:
    for match in _DIGITS.finditer(text):
        before = text[max(0, match.start() - 40) : match.start()]
        around = before + text[match.end() : match.end() + 30]
        end = _end_of_card(match[0], bool(_CARD_WORD.search(around)), bool(_PAY_WORD.search(before)))
        if end and not (_OTHER_NUMBER.search(before) and match[0][:end].isdigit()):
            yield Span(match.start(), match.start() + end, "card")
            if after := _AFTER_CARD.match(text, match.start() + end):
                yield Span(*after.span(1), "code")


def _end_of_card(digits: str, said: bool, sure: bool) -> int:
    """Where a card's number ends that begins where the digits do: an expiry date or a code may follow it."""
    ends = [at for at in range(13, len(digits) + 1) if at == len(digits) or not digits[at].isdigit()]
    for at in reversed(ends):
        number = re.sub(r"\D", "", digits[:at])
        if not _GROUPED.fullmatch(digits[:at]):
            continue
        if (_is_issued(number, said) and luhn.is_valid(number)) or (sure and len(number) in {15, 16}):
            return at
    return 0


def _is_issued(number: str, said: bool) -> bool:
    """Whether an issuer has such numbers. Those of 13 and of 19 digits are rare, and bar codes or ids if not said."""
    return (said or len(number) not in {13, 19}) and any(
        len(number) in lengths and prefix.match(number) for prefix, lengths in _ISSUERS
    )


# --- Tokens of vendors ------------------------------------------------------------------------------------------------

_LONG = re.compile(r"[A-Za-z0-9_+/=.~:-]{16}")
# What a token has in it, and its pattern. Beginnings that vendors gave their tokens so that they can be found.
_TOKENS = r"""
    gh          gh[pousr]_[A-Za-z0-9]{20,255}
    github_pat_ github_pat_\w{22,255}
    gl          gl(?:pat|dt|ft|soat|rt|rtr|cbt|ptt|agent|imt|oas|ffct)-[\w.-]{15,299}\w
    xox         xox[abceoprs](?:\.xox[bp])?-[A-Za-z0-9-]{10,255}
    xapp-       xapp-\d-[A-Za-z0-9-]{10,255}
    hooks.slack (?:https?://)?hooks\.slack\.com/(?:services|workflows|triggers)/[\w/+-]{20,255}
    /webhooks/  https://(?:\w{1,9}\.)?discord(?:app)?\.com/api/webhooks/\d{15,22}/[\w-]{30,99}
    k_          [sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,255}
    sk_         sk_[0-9a-f]{32,64}
    whsec_      whsec_[A-Za-z0-9+/=]{16,99}
    sk-         sk-(?=[\w-]{0,60}\d)[\w-]{16,255}
    AIza        AIza[\w-]{30,40}
    GOCSPX-     GOCSPX-[\w-]{20,40}
    ya29.       ya29\.[\w-]{20,500}
    1//0        1//0[\w-]{30,200}
    SG.         SG\.[\w-]{10,32}\.[\w-]{16,64}
    npm_        npm_[A-Za-z0-9]{30,40}
    pypi-Ag     pypi-Ag[\w-]{30,500}
    :           \d{8,10}:[A-Za-z0-9_-]{33,36}
    .           [MNO][\w-]{22,27}\.[\w-]{6}\.[\w-]{25,45}
    eyJ         eyJ[\w-]{8,4000}\.(?:[\w-]{4,8000}(?:\.[\w-]{0,2000})?|…|\.{2,3})
    hf_         hf_[A-Za-z0-9]{30,40}
    api_org_    api_org_[A-Za-z0-9]{30,40}
    _v1_        do[opr]_v1_[0-9a-f]{40,64}
    dapi        dapi[0-9a-f]{32}(?:-\d)?
    shp         shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}
    sq0         sq0(?:atp|csp|idp)-[\w-]{22,60}
    EAAA        EAAA[\w-]{50,99}
    key-        key-[0-9a-f]{32}
    lin_api_    lin_api_\w{32,60}
    ntn_        ntn_[A-Za-z0-9]{40,60}
    secret_     secret_[A-Za-z0-9]{43}
    figd_       figd_[\w-]{30,60}
    dckr_       dckr_(?:pat|oat)_[\w-]{20,60}
    hv          hv[sb]\.[\w-]{20,300}
    pul-        pul-[0-9a-f]{40}
    gl          gl(?:sa|c)_[A-Za-z0-9+/=_]{32,400}
    NRAK-       NRAK-[A-Z0-9]{27}
    rubygems_   rubygems_[0-9a-f]{48}
    PMAK-       PMAK-[0-9a-f]{24}-[0-9a-f]{34}
    sntry       sntry[su]_[\w+/=-]{40,400}
    pscale_     pscale_(?:tkn|oauth|pw)_[\w=.-]{30,64}
    r8_         r8_[A-Za-z0-9]{37}
    gsk_        gsk_[A-Za-z0-9]{40,60}
    xai-        xai-[A-Za-z0-9]{40,99}
    pplx-       pplx-[A-Za-z0-9]{40,60}
    tvly-       tvly-[\w-]{20,60}
    nvapi-      nvapi-[\w-]{40,99}
    lsv2_       lsv2_(?:pt|sk)_[0-9a-f_]{32,60}
    AGE-SECRET  AGE-SECRET-KEY-(?:PQ-)?1[0-9A-Z]{20,4000}
    age-secret  age-secret-key-(?:pq-)?1[0-9a-z]{20,4000}
    sbp_        sbp_[0-9a-f]{40}
    sb_secret_  sb_secret_[\w-]{20,60}
    tfp_        tfp_[\w.=-]{40,70}
    atlasv1     [A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}
    ATATT3      ATATT3[\w=-]{50,255}
    ATBB        ATBB[A-Za-z0-9]{20,40}
    AKC         AKC[a-z][A-Za-z0-9]{10,80}
    LTAI        LTAI[A-Za-z0-9]{16,24}
    sib-        x(?:key|smtp)sib-[0-9a-f]{64}-[A-Za-z0-9]{16}
    rdme_       rdme_[a-z0-9]{70}
    CLOJARS_    CLOJARS_[a-z0-9]{60}
    fm          fm[12][ar]?_[A-Za-z0-9+/]{50,999}={0,3}
    fo1_        fo1_[\w-]{43}
    oy2         oy2[a-z0-9]{43}
    ops_        ops_eyJ[A-Za-z0-9+/]{100,4000}={0,3}
    A3-         A3-[A-Z0-9]{6}-[A-Z0-9]{6}(?:-?[A-Z0-9]{5}){4}
    AC          AC[0-9a-f]{32}
    SK          SK[0-9a-f]{32}
    prv         [xyz]prv[A-Za-z0-9]{100,112}
    dt0c01.     dt0c01\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{64}
    HRKU-       HRKU-[\w-]{30,70}
    re_         re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,30}
    phx_        phx_[A-Za-z0-9]{40,60}
    sk.eyJ      sk\.eyJ[\w-]{20,200}\.[\w-]{15,60}
    amzn.       amzn\.mws\.[0-9a-f-]{36}
    tskey-      tskey-[a-z]{3,9}-[\w-]{10,80}
    dp.         dp\.[a-z]{2,5}\.[\w.-]{30,60}
    Q~          \w{3}\dQ~[\w~.-]{31,34}
    bkua_       bkua_[0-9a-f]{40}
    _mmk        [A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk
    shippo_     shippo_(?:live|test)_[0-9a-f]{40}
    duffel_     duffel_(?:live|test)_[\w=-]{43}
    wpat        [A-Za-z]{3,9}_pat_[A-Za-z0-9_]{22,99}
    _gitlab_se  (?<=_gitlab_session=)[0-9a-z]{32}
    sha256~     sha256~[\w-]{43}
"""
# Those of the library with a fixed form, and what a text must have for them.
_LIBRARY = {
    "aws.AWSKeyDetector": ("AKIA", "ASIA", "ABIA", "ACCA"),
    "azure_storage_key.AzureStorageKeyDetector": ("AccountKey=",),
    "discord.DiscordBotTokenDetector": (".",),
    "github_token.GitHubTokenDetector": ("gh",),
    "gitlab_token.GitLabTokenDetector": ("gl", "GR1348941"),
    "mailchimp.MailchimpDetector": ("-us",),
    "pypi_token.PypiTokenDetector": ("pypi-",),
    "sendgrid.SendGridDetector": ("SG.",),
    "slack.SlackDetector": ("xox", "hooks.slack"),
    "square_oauth.SquareOAuthDetector": ("sq0",),
    "stripe.StripeDetector": ("k_live_",),
    "telegram_token.TelegramBotTokenDetector": (":",),
}
_AWS_SECRET = re.compile(
    r"(?<![\w+/=])(?=[A-Za-z+/]*\d)(?=[a-z0-9+/]*[A-Z])(?=[A-Z0-9+/]*[a-z])[A-Za-z0-9+/]{40}(?![\w+/=])"
)
_AWS_WORD = re.compile(r"AKIA|ASIA|aws|amazon|(?i:secret[ _]?(?:access)?[ _]?key)")
_HEX = re.compile(r"[0-9a-fA-F]+")
_SORTS = ("[a-z]", "[A-Z]", r"\d", "[+/]")
# Of 40 random characters of base64 two in a hundred have less of one of these; words, paths and names in code have.
_LEAST_BITS = 4.2
_LEAST_CHANGES = 16
_LEAST_OTHERS = 3


@cache
def _token_rules() -> list[tuple[str, re.Pattern[str]]]:
    """Made when first needed: the library takes a while to import."""
    from importlib import import_module

    rules = []
    for line in _TOKENS.strip().splitlines():
        hint, pattern = line.split()
        rules.append((hint, re.compile(rf"(?<![A-Za-z0-9])(?:{pattern})(?![A-Za-z0-9])")))
    for name, hints in _LIBRARY.items():
        module, plugin = name.split(".")
        patterns: list[re.Pattern[str]] = getattr(import_module(f"detect_secrets.plugins.{module}"), plugin).denylist
        bounded = [
            re.compile(rf"(?<![A-Za-z0-9])(?:{found.pattern})(?![A-Za-z0-9])", found.flags) for found in patterns
        ]
        rules += [(hint, pattern) for hint in hints for pattern in bounded]
    return rules


def _tokens(text: str, _lower: str) -> Iterator[Span]:
    if not _LONG.search(text):
        return
    for hint, pattern in _token_rules():
        if hint in text:
            yield from (Span(*_valued(match), "token") for match in pattern.finditer(text) if not _is_blank(match[0]))
    said = bool(_AWS_WORD.search(text))
    for found in _AWS_SECRET.finditer(text):
        if not _HEX.fullmatch(found[0]) and (said or _is_random(found[0])):
            yield Span(*found.span(), "token")


def _is_random(value: str) -> bool:
    """Whether the characters of a value are as various, and their sorts as mixed, as only chance makes them."""
    bits = -sum(times / len(value) * math.log2(times / len(value)) for times in Counter(value).values())
    sorts = [next(number for number, sort in enumerate(_SORTS) if re.match(sort, letter)) for letter in value]
    changes, others = sum(one != other for one, other in pairwise(sorts)), sum(not letter.isalpha() for letter in value)
    return bits >= _LEAST_BITS and changes >= _LEAST_CHANGES and others >= _LEAST_OTHERS


def _valued(match: re.Match[str]) -> tuple[int, int]:
    """Of a name and its value, the value alone."""
    named = match[0].startswith("AccountKey=")
    return match.start() + len("AccountKey=") * named, match.end()


def _is_blank(value: str) -> bool:
    """Whether a value stands for one that was left out: `ghp_xxxxxxxx`, `sk-…`, `****`."""
    tail = value[-12:]
    return len(set(tail.lower())) <= 2 and not tail.isdigit()


# --- Headers, and addresses with a password ---------------------------------------------------------------------------

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
    r"""\b(?:sshpass|docker login|redis-cli|az login|mysql|psql|twine upload)\b[^\n|;]{0,120}? (?:-p|-a"
    r"|--pass)[ =]?["']?([^\s"'-][^\s"']{2,100})"""
)


def _headers(text: str, lower: str) -> Iterator[Span]:
    if "bearer" in lower:
        for match in _BEARER.finditer(text):
            if _DIGIT.search(match[1]) and not _is_blank(match[1]):
                yield Span(match.start(1), match.start(1) + len(match[1].rstrip(".")), "token")
    if any(word in lower for word in ("authorization", "x-", "api-key", "cookie:")):
        for match in _HEADER.finditer(text):
            if _mixed(match[1]) or (len(match[1]) >= 16 and not match[1].islower()):
                yield Span(match.start(1), match.start(1) + len(match[1].rstrip(".")), "token")


def _addresses(text: str, _lower: str) -> Iterator[Span]:
    if "://" in text:
        yield from (
            Span(*match.span(2), "password") for match in _ADDRESS.finditer(text) if not _TEMPLATE.match(match[2])
        )
        yield from (Span(*match.span(1), "token") for match in _TOKEN_ADDRESS.finditer(text) if _mixed(match[1]))
    if "@" in text:
        yield from _login_pairs(text)
    if " -" in text:
        for pattern in (_CURL_USER, _MYSQL, _SSHPASS):
            found = (match for match in pattern.finditer(text) if not _TEMPLATE.match(match[1]))
            yield from (Span(*match.span(1), "password") for match in found)


def _login_pairs(text: str) -> Iterator[Span]:
    for match in _LOGIN_PAIR.finditer(text):
        value = _trimmed(match[1], cut=False)
        if _mixed(value) and not _REFERENCE.match(value):
            yield Span(match.start(1), match.start(1) + len(value), "password")


# --- Said to be a secret ----------------------------------------------------------------------------------------------

_DIGIT = re.compile(r"\d")


def _cue(pattern: str) -> re.Pattern[str]:
    """A pattern of words that end where they end; `^` in it is where a word begins (after `_` too)."""
    begun = pattern.replace("^", r"(?<![^\W_])")
    return re.compile(rf"(?:{begun})(?![^\W\d_])", re.IGNORECASE | re.VERBOSE)


_OTHER_PASSWORDS = "kennwort, contraseña, contrasena, mot de passe, wachtwoord, hasło, lösenord, salasana"
# What a secret is called, by letters that are looked for first. Which of them it is, is the name of the group.
_CUES: dict[str, re.Pattern[str]] = {
    "pass": _cue(
        r"""(?P<phrase>pass[ -]?phrases?|passsatz)
        |(?P<password>passwords?|passwd|passwort|passwörter|passw|pass[ -]?code)
        |(?P<pass>^pass(?=["']?\s?[:=]|\ (?!\S{0,60}[@,])\S{2,60}[!\#$%&*+]))"""
    ),
    **dict.fromkeys(("pwd", "pw", "psw", "pword"), _cue("(?P<password>^(?:pwd?|psw|pswd|pword))")),
    **dict.fromkeys(("mdp", "senha", "şifre", "parola"), _cue("(?P<password>^(?:mdp|senha|şifre|parola))")),
    **{
        word: _cue(rf"(?P<password>{re.escape(word)})")
        for word in _OTHER_PASSWORDS.split(", ")
    },
    "парол": _cue("(?P<password>парол(?:[ьяюе]м?|и))"),
    **{word: re.compile(f"(?P<cjk>{word})") for word in ("密码", "密碼", "パスワード", "비밀번호", "暗証番号")},
    "cred": _cue("(?P<login>^(?:credentials?|creds))"),
    "zugangsdaten": _cue("(?P<login>zugangsdaten)"),
    "log": _cue(r"(?P<login>^(?:log-?in|log(?:ged)?\ in))"),
    "sign": _cue(r"(?P<login>^sign\ in)"),
    "user": _cue(r"(?P<login>^user(?:name)?\ ?/\ ?pass(?:word)?)"),
    "cv": _cue("(?P<card_code>^cv[vc]2?)"),
    "csc": _cue("(?P<card_code>^csc)"),
    "prüfnummer": _cue("(?P<card_code>prüfnummer)"),
    "pin": _cue("(?P<pin>^pin(?:[ -]?(?:code|number|nummer))?)"),
    "geheim": _cue("(?P<pin>geheim(?:zahl|nummer))"),
    "пин": _cue("(?P<pin>^пин(?:[ -]?код)?)"),
    "code": _cue(r"(?P<any_code>codes?(?:\ de\ (?:vérification|sécurité))?)"),
    "código": _cue(r"(?P<any_code>códigos?(?:\ de\ (?:verificación|seguridad|acceso))?)"),
    "код": _cue(r"(?P<any_code>^код(?:\ (?:подтверждения|из\ смс|доступа))?)"),
    "combination": _cue("(?P<any_code>combination)"),
    "combo": _cue("(?P<any_code>combo)"),
    "otp": _cue("(?P<code>^t?otp)"),
    "tan": re.compile(r"(?P<code>(?<![^\W_])TAN)(?![^\W\d_])"),
    "token": _cue("(?P<token>tokens?)"),
    "secret": _cue("(?P<token>secrets?)"),
    "jwt": _cue("(?P<token>^jwt)"),
    "ключ": _cue("(?P<token>ключ)"),
    "schlüssel": _cue("(?P<token>schlüssel)"),
    "clave": _cue("(?P<token>^clave)"),
    "clé": _cue("(?P<token>^clé)"),
    "key": _cue("(?P<key>keys?)"),
    "sig": _cue("(?P<key>^(?:signature|sig))"),
}  # fmt: skip
_NOT_WORD = re.compile(r"[\W_]+")
# What stands before a code or a key, and makes it one.
_OF_WIFI = re.compile(r"(?:wi-?fi|wlan|wpa[23]?|network|router|hotspot)[ _-]$")
_OF_CARD = re.compile(r"card[ ](?:verification|security)[ ]$")
_CODE_WORDS = """
    verification, one time, onetime, 2fa, two factor, mfa, otp, login, log in, signin, sign in, auth, authentication,
    authorization, authenticator, security, access, sms, activation, unlock, door, gate, alarm, garage, entry, lockbox,
    lock box, lock, safe, keypad, locker, padlock, recovery, backup, rescue, reset, device, screen, phone, vault,
    entrance, shed, storage, verify, confirmation, bestätigungs, sicherheits, tür, einmal, zugangs, freischalt, tor
"""
_CODES = tuple(f" {word.strip()}" for word in _CODE_WORDS.split(","))
_OF_BOOKING = re.compile(r"(?:confirmation|access|entry|reset)[ _-]$")
_CODES_OF = re.compile(r" (?:de|подтверждения|из|доступа)\b", re.IGNORECASE)
_KEY_WORDS = """
    api access auth authentication private refresh session app application signing encryption master service account
    admin bot client webhook deploy license licence product activation recovery storage shared subscription secret
    integration hmac root csrf jwt
"""
_KEYS = ("api", "secret", "access", *(f" {word}" for word in _KEY_WORDS.split()))
_NAMED_KEY = re.compile(r"[A-Z]_$")

# What makes of a cue another thing, if it follows at once.
_OTHER_WORDS = """
    reset resets manager managers policy policies length field fields generator hash hashes hashing hint hints prompt
    strength rule rules rotation expiry expiration page form protected protection less file files requirement
    requirements change changes changed screen box input link links email attempt attempts count counts type types limit
    limits limiter bucket budget usage based stuffing spray spraying cracking vault database store storage pair pairs
    name names column id ids size url uri path dir request endpoint schema validation validator auth authentication
    login sharing leak leaks breach security system per review base word words note notes santa agent garden sauce
    ingredient holder board stone point points takeaway finding findings question questions metric metrics result
    results learning learnings
"""
_OTHER_THINGS = frozenset(_OTHER_WORDS.split())
_NEXT_WORD = re.compile(r"[ _-]{0,2}([a-z]{2,16})(?![^\W_])", re.IGNORECASE)
_WORD = r"[^\s,;:!?=\"“„«`]{0,39}[^\s.,;:!?=\"“„«`]"
_IS = r"(?:is|are|was|were|ist|lautet|lauten|war|es|est|é|è|are|be|будет|это|to\ be|becomes)(?!\w)"
_FILLER = (
    r"(?:now|still|just|currently|actually|literally|simply|also|always|basically|again|probably|set\ to|as\ follows"
    r"|following|called|jetzt|immer\ noch|noch|immer|weiterhin|einfach|nun|теперь|ahora|maintenant|apparently"
    r"|btw|obviously|indeed|exactly|really|so|the\ same\ as\ before|there|this|it's)"
)
_JOINED = rf"""
    \s{{0,3}}(?P<sign>:=|=>|->|→|⇒|=|:|：|\|)[*]{{0,2}}(?:\s*{_IS})?
    |(?P<says>\s+lautet)
    |(?P<is>(?:(?:\s+(?:has\ been|have\ been|had\ been|was|is|got|just|will\ be|should\ be|would\ be|'ll\ be|now
        |simply))?
            \s+(?:changed|set|reset|rotated|updated|switched)\s+to)
        |['’]s(?!\w)|\s+(?:will|should|would|used\ to)\s+be(?!\w)|\s+{_IS}|(?:は|是|为))
    |(?P<dash>\s+[-–—](?=\s)|\s*[-–—]\s+)
"""
_REST = rf"(?:\s*(?:,\s*)?{_FILLER}(?!\w))*(?P<sign2>\s*:)?"
_SPACE = r"[ \t\u00a0]*\n?[ \t]*"
# How a value is joined to its name: at once, after some words ("for the printer is"), by a new sentence, or by nothing.
_LINKS = tuple(
    re.compile(pattern, re.IGNORECASE | re.VERBOSE)
    for pattern in (
        rf"""["'`*\]_]{{0,3}}(?:\s?\([^()\n]{{1,40}}\))?(?P<gap>(?!))?(?:(?:{_JOINED}){_REST}
            |(?P<asked>[?？]+\s+(?:(?:A|answer)\s?:\s?)?(?:(?:it['’]?s|it\ is|that['’]s|yes,?|sure,?|yep,?)\s+){{0,3}})
            |(?P<later>[.!,]?\s+(?:it['’]?s|it\ is|es\ ist|das\ ist|that['’]s)(?:\s+{_FILLER}(?!\w))*)
            )(?P<beside>(?!))?{_SPACE}""",
        rf"""["'`*\]_]{{0,3}}(?P<gap>(?:\s+{_WORD}){{1,8}}?)(?:{_JOINED}){_REST}
            (?P<asked>(?!))?(?P<later>(?!))?(?P<beside>(?!))?{_SPACE}""",
        rf"(?P<beside>\s)(?P<gap>(?!))?(?P<sign>(?!))?(?P<sign2>(?!))?(?P<says>(?!))?(?P<dash>(?!))?(?P<asked>(?!))?(?P<later>(?!))?{_SPACE}",
    )
)
_CHANGED = re.compile(
    r"\b(?:chang|set|reset|updat|rotat|switch|mak|made|pick|chose|geänder|änder)\w*\s+(?:\S+\s+){0,4}$", re.IGNORECASE
)
_CHANGED_TO = re.compile(rf"(?:\s+{_WORD}){{0,6}}?\s+(?:to|as|auf)\s+(?:be\s+)?", re.IGNORECASE)
_PREPOSITION = re.compile(
    r"\s+(?:for|of|to|on|at|in|from|here|you|we|i|für|zum|zur|vom|beim|im|am|von|de|del|du|da|do|para|pour|от"
    r"|для|к|на|over|there|that|which)\b",
    re.IGNORECASE,
)
# Quotes, and signs that set off: each with what closes it.
_OPENING = {pair[0]: pair[1] for pair in ('""', "''", "``", "“”", "„“", "«»", "‘’", "「」", "**", "__")}
_TOKEN = re.compile(r"[^\s,\"`<>，。；、「」“”]{1,512}")
_PAIR = re.compile(
    r"""["'`]?(?:(?:with|as|using|are|is|und|and)\s+)?["'`]?([\w.@+-]{2,60})["'`]?(?:\s?[/:|]\s?|\s+(?:and"
    r"|und)\s+)(?!/)["'`]?([^\s"'`,]{3,100})""",
    re.IGNORECASE,
)
_UNIT = re.compile(
    r"\s*-?(?:char\w*|digits?|letters?|symbols?|bits?|bytes?|words?|long|days?|months?|weeks?|years?|hours?"
    r"|minutes?|times|attempts?|tries|people|users?|of\b|or\ (?:more|fewer)|zeichen|stellen|tage|caracteres"
    r"|caractères|символ\w*|%)",
    re.IGNORECASE | re.VERBOSE,
)
_PLAIN = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_CLAUSE_END = re.compile(
    r"""["'”’»)\]*|`]*(?:$|[.!?;,)…](?:\s|$)|\s*[\n(]|\s+[-–—(:;]|\s+(?:and|but|so|btw|if|please|pls|thanks"
    r"|thx|in\ case|by\ the\ way|lol|ok|okay|right|correct|is\ that|und|aber|bitte|then|when|because|don['’]t"
    r"|for|on|until|or)\b)"""
)
_CLAUSE = re.compile(r"[^\n.,;:!?()\"“”]{1,120}")
_CUT = re.compile(
    r"\s+(?:and|but|so|btw|if|please|pls|thanks|in\ case|by\ the\ way|und|aber|bitte|then|because|for|don['’]t"
    r"|- )(?:\s|$)",
    re.IGNORECASE,
)
_INFLECTED = re.compile(r".{2,}(?:ed|(?<!k)ing|able|ible|[^f]ly|less|ful|ive|ous|tion|ations|ment)$")
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
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
_REFERENCE = re.compile(
    r"""[$%<{(\[\\@~]|https?://|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*[(\[]|(?:os|process|env|self|this|config"
    r"|settings|args|req|request|user|data|ctx|vault|secrets|var|local|module)\.[A-Za-z_]"""
    r"""|(?:[\w.]*_)?(?:my|your|the|dein|new|old|db|user|current|confirm|raw|plain)?[-_]?(?:pass(?:word|wd"
    r"|phrase)?|secret|token|pwd|pw|api_?key)s?(?:[-_]?(?:here|hash|env|var|file|name|field))?$|\.{2,}|…"
    r"|\*+\W*$|[xX•●_·-]{3,}$|\|""",
    re.IGNORECASE,
)
_CODE_VALUE = re.compile(
    r"(?:[A-Z]{1,3}-)?(?:\d{4}[ -]\d{4}|\d{3}[ -]\d{3,4}|\d{1,2}(?:-\d{1,2}){2,4}|\d{2}[ -]\d{2}|\d{4,8})(?!\d"
    r"|[.,:/-]\d|\s?(?:%|€|USD))(?:[#*](?!\w))?"
    r"|(?=[a-z]*\d)[a-z\d]{4,6}(?:-(?=[a-z]*\d)[a-z\d]{4,6}){1,4}(?![\w-])|(?=[A-Z\d-]{0,14}\d)(?:[A-Z\d]{4,8}"
    r"|[A-Z\d]{3,8}(?:-[A-Z\d]{3,8}){1,3})(?![\w-])"
)
_PIN_VALUE = re.compile(r"(?:\d{4,8}|\d{2}[ -]\d{2}|\d{3}[ -]\d{3})(?![\w]|[.,:/-]\d)")
_ASIDE = re.compile(r"\s+(?:for|of|to)(?:\s+[^\s,.;:!?]{1,30}){1,5},\s(\d{4,6})(?![\w]|[.,:/-]\d)")
_CARD_CODE_VALUE = re.compile(r"\d{3,4}(?![\w]|[.,:/-]\d)")
_VERIFYING = (
    "verif", "log in", "log-in", "login", "logging in", "logged in", "log on", "sign in", "sign-in", "signing in",
    "authent", " 2fa", " otp", "one-time", "one time", " sms", "texted", "text message", "security", "expires in",
    "expire in", "valid for ", "t share", "not share", "never share", "bestätig", "anmeld", "einmal", "подтвер", " смс",
    "verificaci", "vérification", "whatsapp", "unlock", "get in", " door", " gate", " alarm", "lockbox", "keypad",
    " safe ", "locker", "padlock", "came in", "just got", "garage",
)  # fmt: skip
_OTHER_CODE_WORDS = """
    error exit status return response http zip postal post area country dial dialing dialling promo promotion
    promotional discount coupon voucher referral gift color colour product source qr bar item booking order airport
    currency language tax morse sort bank swift stock course fault vin sku building fire dress penal hs icd reservation
    tracking flight invite meeting zoom class room pin machine byte op key hash diagnostic event race subject unit
"""
_OTHER_CODES = tuple(f" {word}" for word in _OTHER_CODE_WORDS.split())
_BOOKED = (
    "booked", "booking", " order", "flight", "hotel", "reserv", "airline", "airbnb", " ticket", "deliver", "postal",
    "parcel", " package", "shipment", "tracking", "check-in", "checkin", "restaurant", "gpio", "arduino", "raspberry",
    " header", "connector", "solder", "breadboard", "esp32", "delhi", "mumbai", " pune", "bangalore", "bengaluru",
    "chennai", "kolkata", "hyderabad", "address", " india", " zip",
)  # fmt: skip
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
_BEFORE = re.compile(r"""(?:^|[\s"'`“*(:>])(?P<value>[^\s"'`“”*,;:?()<>]{3,64})["'`”*]{0,2}[,.]?$""")
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

_STOP_WORDS = """
    a about above absent acceptable accepted according actually after again against all almost alphanumeric already
    also always am an and another any anymore anyone anything anyway apparent are around as ask asked at available
    away awful back bad based basically be because been before being below best better between big blank broken but by
    can cannot case changed characters clear clearly client close common company complete completely complex compliant
    compromised confidential consistent correct could current dead default definitely different difficult do does
    doesn don done down due during each easy either empty encrypted enough even every everything exactly exposed extra
    fairly false fine first for forever forgotten found free from fully gone good great guessable had hard has hashed
    have having he held here hidden hint history hopefully horrible how i if important impossible in inactive
    incorrect independent insecure inside instead insufficient internal into invalid irrelevant is it its just kept
    kind known last later leaked least like likely locked long longer lost lower lowercase mandatory many may maybe me
    mentioned met min minimum mine missing mixed more most mostly much must my n/a necessary needed never new next
    nice no nobody nonexistent none not nothing now null obsolete obvious of off okay ok old on once one online only
    open optional or other our ours out outdated over own part per perfect plain plaintext please plus policy possible
    pretty private probably problem protected public quite random rather ready really recommended redundant relevant
    required reset right rotated safe same saved secret secure see sensitive sent separate set several shared short
    should shown simple simply since so some somehow someone something sometimes somewhere soon sort still stolen
    strict stored strong stronger stupid such sufficient super supposed sure tbd temporary terrible than that the
    their them then there these they thing this those though three through thrown to today together tomorrow tonight
    too top totally tough tricky true two type unclear under undefined unique unknown unless until up uppercase urgent
    used useless user usually valid very via visible was way weak weaker well were what whatever when where whether
    which while who whoever whose why wifi will with within without worse worst would written wrong yes yesterday yet
    you your yours bool boolean bytes float int integer number object string str text varchar check contact enter
    forgot forget get give go got keep let look make need reuse send tell try use want write read email abgelaufen
    falsch vergessen leer lang kurz sicher unsicher nötig notwendig erforderlich geheim weg neu alt gleich zu nicht
    kein ein eine der die das im hier da dort schon noch sehr ganz gut schlecht richtig ungültig gültig es la el un
    una muy demasiado que incorrecta obligatoria trop oublié obligatoire le les une des pas неверный не был слишком
    забыт обязателен где как какой нужен сменить everywhere nowhere behind beyond bound redacted removed encryption
    security authentication login question questions practices tips advice rules requirements options managers hygiene
    family everyone people us him her months weeks days hours years minutes month week year day dumb silly trivial
    ancient cursed fun funny cool boring weird strange odd annoying lame crap garbage trash bullshit painful dangerous
    risky serious legit personal special specific
"""
_STOP = frozenset(_STOP_WORDS.split())

_ARTICLES = {"a", "an", "my", "the"}

_NOT_PASSWORDS = frozenset(_WORDS["not_passwords"].split())
_BARE_WORD = re.compile(r"\s{1,3}([^\W\d_]{4,30})(?![\w-])")
# What stands before a password that is given: nothing, an account, or a word for entering it.
_GIVEN = re.compile(
    r"(?:^|[\n.;,:!?(]\s*|\b(?:use|used|using|with|enter|entered|type|typed|try|(?:user|username|login|account)\s+\S+)\s+)"
    r"(?:(?:the|my|our|your|his|her|their|this|same|new|old|wi-?fi|wlan|guest|admin|root|router)\s+){0,3}$",
    re.IGNORECASE,
)

_Found = tuple[int, int] | None


def _said(text: str, lower: str) -> Iterator[Span]:
    for letters, pattern in _CUES.items():
        at = lower.find(letters)
        while at >= 0:
            cue = pattern.match(text, at)
            if cue and not text.startswith(REMOVED, at - 1) and (found := _taken(text, cue)):
                yield found
            at = lower.find(letters, at + 1)


def _taken(text: str, cue: re.Match[str]) -> Span | None:
    name = _named(text, cue)
    if not name or (name not in {"code", "card_code"} and _is_other_thing(text, cue.end())):
        return None
    kind, take = _TAKERS[name]
    found = take(text, cue)
    return Span(*found, kind) if found else None


def _is_other_thing(text: str, at: int) -> bool:
    """Whether the next word makes of a password a password manager, and so on."""
    word = _NEXT_WORD.match(text, at)
    return word is not None and word[1].lower() in _OTHER_THINGS


def _named(text: str, cue: re.Match[str]) -> str:
    """What is meant by a code or a key: that depends on what stands before it."""
    name = cue.lastgroup or ""
    if name not in {"any_code", "key"}:
        return name
    before = text[max(0, cue.start() - 24) : cue.start()].lower()
    if _OF_WIFI.search(before):
        return "password"
    if name == "any_code":
        if _OF_CARD.search(before):
            return "card_code"
        return "code" if _words_of(before).endswith(_CODES) or _CODES_OF.search(cue[0]) else _alone(name, before)
    return (
        "token"
        if _words_of(before).endswith(_KEYS) or _NAMED_KEY.search(text[: cue.start()][-2:])
        else _alone(name, before)
    )


def _words_of(text: str) -> str:
    """The words of a text with one space before each."""
    return " " + " ".join(_NOT_WORD.split(text)).strip()


def _has(words: tuple[str, ...], text: str, cue: re.Match[str], before: int, after: int) -> bool:
    """Whether one of the words is near a cue."""
    around = f" {text[max(0, cue.start() - before) : cue.end() + after].lower()} "
    return any(word in around for word in words)


def _alone(name: str, before: str) -> str:
    """Not the end of another word, as in "monkey" or "barcode"."""
    return "" if before[-1:].isalnum() else name


def _said_after(text: str, lower: str) -> Iterator[Span]:
    """The secret first, and then what it is: "hunter2 is my password"; or what it is for: "enter 4821 to unlock"."""
    if any(letters in lower for letters in _WHATS):
        for link in _IS_MY.finditer(text):
            if (what := _WHAT.match(text, link.end())) and (
                value := _BEFORE.search(text[max(0, link.start() - 70) : link.start()])
            ):
                yield from _reversed(text, link, value, what)
    if any(verb in lower for verb in ("enter", "use ", "typ", "submit", "gib ", "введите")):
        for number in _ENTERED.finditer(text):
            if _ENTER.search(text[max(0, number.start() - 24) : number.start()]) and _TO_VERIFY.match(
                text, number.end()
            ):
                yield Span(*number.span(), "code")


def _reversed(text: str, link: re.Match[str], value: re.Match[str], what: re.Match[str]) -> Iterator[Span]:
    start = link.start() - len(value.string) + value.start("value")
    word, name = value["value"].rstrip("."), what["what"].lower()
    if _CODED.search(name):
        lead = _HALF.search(text[max(0, start - 5) : start]) if len(word) in {3, 4} and word.isdigit() else None
        said = text[link.start() : what.end()]
        if (
            (lead or _CODE_VALUE.fullmatch(word))
            and not any(word in said.lower() for word in _BOOKED)
            and not _words_of(said[: -len(name)].lower()).endswith(_OTHER_CODES)
        ):
            yield Span(start - (len(lead[0]) if lead else 0), start + len(word), "code")
    elif _mixed(word) and not _REFERENCE.match(word):
        yield Span(start, start + len(word), "token" if name.endswith(("key", "token")) else "password")


def _linked(text: str, at: int) -> re.Match[str] | None:
    near, far, beside = _LINKS
    return near.match(text, at) or far.match(text, at) or beside.match(text, at)


def _take_password(text: str, cue: re.Match[str]) -> _Found:
    changed = _CHANGED.search(text[max(0, cue.start() - 60) : cue.start()])
    if changed and (to := _CHANGED_TO.match(text, cue.end())):
        found = _value(text, to.end(), strong=False, plain=True)
        if found:
            return found
    return _after_link(text, cue, plain=not cue[0].lower().endswith("words")) or _take_bare(text, cue)


def _take_bare(text: str, cue: re.Match[str]) -> _Found:
    """A plain word right after "password", where somebody gives one: "use the password swordfish"."""
    word = _BARE_WORD.match(text, cue.end())
    if (
        not word
        or not cue[0].lower().endswith("word")
        or not _GIVEN.search(text[max(0, cue.start() - 80) : cue.start()])
    ):
        return None
    said = word[1].lower()
    common = said in _NOT_PASSWORDS or said in _OTHER_THINGS or _is_prose(said) or _INFLECTED.match(said)
    return None if common or not _CLAUSE_END.match(text, word.end()) else word.span(1)


def _after_link(text: str, cue: re.Match[str], *, plain: bool) -> _Found:
    link = _linked(text, cue.end())
    if not link:
        return None
    gap = link["gap"] or ""
    strong = bool(link["sign"] or link["says"] or link["sign2"])
    near = not gap or bool(_PREPOSITION.match(gap))
    if strong and not near:
        if link["sign"] != ":" or len(gap.split()) > 2 or not _OTHER_THINGS.isdisjoint(gap.lower().split()):
            return None
        strong = False
    allowed = plain and near and not (link["asked"] or link["later"] or link["dash"]) and link["beside"] is None
    found = _value(text, link.end(), strong=strong, plain=allowed)
    return found or (_beside(text, cue) if gap or link["dash"] else None)


def _beside(text: str, cue: re.Match[str]) -> _Found:
    """A value right after the cue, with nothing between."""
    space = re.compile(r"\s+").match(text, cue.end())
    return _value(text, space.end(), strong=False, plain=False) if space else None


def _take_phrase(text: str, cue: re.Match[str]) -> _Found:
    link = _linked(text, cue.end())
    if (
        link
        and link["beside"] is None
        and not link["asked"]
        and not (link["gap"] and not _PREPOSITION.match(link["gap"]))
    ):
        quoted = _quoted(text, link.end())
        if quoted:
            return quoted if not _is_prose(text[quoted[0] : quoted[1]]) else None
        clause = _CLAUSE.match(text, link.end())
        if clause:
            words = _CUT.split(clause[0], maxsplit=1)[0].rstrip()
            if 2 <= len(words.split()) <= 12 and not _is_prose(words) and _DIGIT.search(words) is None:
                return clause.start(), clause.start() + len(words)
    return _after_link(text, cue, plain=True)


def _value(text: str, at: int, *, strong: bool, plain: bool) -> _Found:
    """The password that stands at a place, if one does. A `strong` link needs less of it than a mere "is"."""
    if quoted := _quoted(text, at):
        value = text[quoted[0] : quoted[1]]
        said = (plain or strong) and len(value) >= 3
        good = (said or _mixed(value)) and not (_is_prose(value) and (" " in value or not _mixed(value)))
        return quoted if good and not _REFERENCE.match(value) and not _TECHNICAL.fullmatch(value) else None
    token = _TOKEN.match(text, at)
    if not token or _REFERENCE.match(token[0]):
        return None
    value = _trimmed(token[0], cut=text[at - 1 : at] == "=" or "=" in text[max(0, at - 2) : at])
    end = at + len(value)
    if not value or _REFERENCE.match(value) or _UNIT.match(text, end):
        return None
    if _mixed(value) or (value.isdigit() and len(value) >= 4 and (plain or strong)):
        return at, end
    if strong and not _PLAIN.fullmatch(value):
        return (at, end) if len(value) >= 5 and not _TECHNICAL.fullmatch(value) else None
    return _plain_words(text, at, end, strong=strong) if plain else None


def _plain_words(text: str, at: int, end: int, *, strong: bool) -> _Found:
    """A word or words as a password: only such as are not said of passwords."""
    word = text[at:end]
    if not _PLAIN.fullmatch(word) or _is_prose(word):
        return None
    if _CLAUSE_END.match(text, end):
        return (at, end) if len(word) >= 4 and (strong or not _INFLECTED.match(word.lower())) else None
    clause = _CLAUSE.match(text, at)
    words = _CUT.split(clause[0], maxsplit=1)[0].rstrip() if clause else ""
    least = 2 if strong else 3
    if least <= len(words.split()) <= 8 and words.islower() and not _is_prose(words) and not _INFLECTED.match(word):
        return at, at + len(words)
    return None


def _quoted(text: str, at: int) -> _Found:
    """What is in quotes at a place, or in marks that set it off."""
    for opening in ("```", "**", "||"):
        if text.startswith(opening, at):
            end = text.find(opening, at + len(opening), at + 160)
            return _inner(text, at + len(opening), end) if end > 0 else None
    closing = _OPENING.get(text[at : at + 1])
    if closing is None:
        return None
    end = text.find(closing, at + 1, at + 160)
    if end < 0 and closing == "“":
        end = text.find("”", at + 1, at + 160)
    return _inner(text, at + 1, end) if end > at + 1 and "\n" not in text[at:end] else None


def _inner(text: str, start: int, end: int) -> _Found:
    """Without a second pair of marks, and without the stop of a sentence that was put inside."""
    return _quoted(text, start) or ((start, end - 1) if text[end - 1] in ".," else (start, end))


def _trimmed(token: str, *, cut: bool) -> str:
    """Without what follows it in a line of code or an address, and without the marks of the sentence around it."""
    if cut:
        token = re.split(r"[&;']", token, maxsplit=1)[0]
    value = token.rstrip(".;:?'’”»*|)]}\\/" if "(" not in token else ".;:?'’”»*|]}\\")
    for sign in ("!",):
        if value.endswith(sign) and not _DIGIT.search(value):
            value = value.rstrip(sign + ".")
    return value


def _mixed(value: str) -> bool:
    """Whether a word is none of any language: letters with digits or signs among them."""
    if len(value) < 5 or _TECHNICAL.fullmatch(value) or _is_blank(value):
        return False
    letters, digits = any(map(str.isalpha, value)), any(map(str.isdigit, value))
    signs = sum(value.count(sign) for sign in "@#$%^&*!+=~_?")
    return (letters and digits) or (signs > 0 and letters and not value.isidentifier()) or (digits and signs > 1)


def _is_prose(value: str) -> bool:
    """Whether words are said of a secret and are none: one of them is a common one."""
    words = value.lower().replace("’", "'").split()
    if len(words) > 3:  # "correct horse battery staple": common words alone do not tell
        return sum(word in _STOP for word in words[words[0] in _ARTICLES :]) > 1
    return any(word.split("'")[0] in _STOP or word.split("-")[0] in _STOP for word in words)


def _take_pass(text: str, cue: re.Match[str]) -> _Found:
    return _after_link(text, cue, plain=False)


def _take_login(text: str, cue: re.Match[str]) -> _Found:
    link = _linked(text, cue.end())
    if not link:
        return None
    start = link.end()
    for at in {cue.end() + 1, start}:
        pair = _PAIR.match(text, at)
        if pair and not _REFERENCE.match(pair[2]) and not pair[1].lower().startswith("http"):
            value = _trimmed(pair[2], cut=False)
            if _mixed(value):
                return pair.start(2), pair.start(2) + len(value)
    return None


def _number(text: str, cue: re.Match[str], pattern: re.Pattern[str]) -> _Found:
    """A number that is linked to the cue, or stands right after it."""
    link = _linked(text, cue.end())
    at = link.end() if link else cue.end()
    for place in (at, _skip_space(text, cue.end())):
        place += len(re.compile(r"[\"'`*“#„]{0,2}").match(text, place)[0])  # type: ignore[index]
        if (match := pattern.match(text, place)) and not _UNIT.match(text, match.end()):
            return match.span()
    return None


def _skip_space(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t":
        at += 1
    return at


def _take_pin(text: str, cue: re.Match[str]) -> _Found:
    if _has(_BOOKED, text, cue, 60, 60):
        return None
    aside = _ASIDE.match(text, cue.end())
    return _number(text, cue, _PIN_VALUE) or (aside.span(1) if aside else None)


def _take_card_code(text: str, cue: re.Match[str]) -> _Found:
    return _number(text, cue, _CARD_CODE_VALUE)


def _take_code(text: str, cue: re.Match[str]) -> _Found:
    before = text[max(0, cue.start() - 16) : cue.start()].lower()
    if _OF_BOOKING.search(before) and _has(_BOOKED, text, cue, 60, 60):
        return None
    found = _number(text, cue, _CODE_VALUE)
    return found or (_number(text, cue, _CARD_CODE_VALUE) if before.endswith("security ") else None)


def _take_any_code(text: str, cue: re.Match[str]) -> _Found:
    if _words_of(text[max(0, cue.start() - 24) : cue.start()].lower()).endswith(_OTHER_CODES):
        return None
    if not _has(_VERIFYING, text, cue, 100, 120) or _has(_BOOKED, text, cue, 100, 120):
        return None
    return _number(text, cue, _CODE_VALUE)


def _take_token(text: str, cue: re.Match[str]) -> _Found:
    return _key_value(text, cue, least=8 if "secret" not in cue[0].lower() else 6)


def _take_key(text: str, cue: re.Match[str]) -> _Found:
    link = _linked(text, cue.end())
    if not link or link["beside"] is not None or (link["gap"] and not _PREPOSITION.match(link["gap"])):
        return None
    found = _key_value(text, cue, least=16)
    if not found or sum(map(str.isdigit, text[found[0] : found[1]])) < 3 or _UUID.fullmatch(text, *found):
        return None
    return found


def _key_value(text: str, cue: re.Match[str], *, least: int) -> _Found:
    found = _after_link(text, cue, plain=False)
    if not found:
        return None
    value = text[found[0] : found[1]]
    if len(value) < least or " " in value or value.isdigit():
        return None
    parts = re.split(r"[_.:/]", value)
    named = len(parts) > 1 and all(part.isalpha() or part.isdigit() or len(part) < 3 for part in parts)
    return found if _mixed(value) and not named and not value.startswith(("/", "./")) else None


_Taker = Callable[[str, re.Match[str]], _Found]
_TAKERS: dict[str, tuple[Kind, _Taker]] = {
    "phrase": ("password", _take_phrase),
    "password": ("password", _take_password),
    "cjk": ("password", _take_password),
    "pass": ("password", _take_pass),
    "login": ("password", _take_login),
    "card_code": ("code", _take_card_code),
    "pin": ("pin", _take_pin),
    "code": ("code", _take_code),
    "any_code": ("code", _take_any_code),
    "token": ("token", _take_token),
    "key": ("token", _take_key),
}


# --- Seed phrases -----------------------------------------------------------------------------------------------------

_SEED_CUE = re.compile(
    r"(?:seed|recovery|mnemonic|backup|wallet|secret recovery)[ -]?(?:phrase|words|seed|mnemonic|backup)"
    r"|mnemonic|seed|(?:12|24|twelve|twenty-four)[ -]words?",
    re.IGNORECASE,
)
_SEED_START = re.compile(
    r"[^\n:]{0,80}?(?::|=|\bis\b|\bare\b|->|\n)[\s\"'`“*]*(?=(?:\d{1,2}[.)]? ?)?[a-z]{3,8}(?![a-z]))"
)
_SEED_WORD = re.compile(r"(?:\d{1,2}[.):]?\s?)?([a-z]{3,8})(?![\w'’])")
_SEED_GAP = re.compile(r"\s*[,;|\n]?\s*(?:[-•]\s)?")
# In none of the 2,048 words of BIP-39, and in most sentences.
_NOT_SEED_WORDS = """
    and the for please thanks dont don but not you your are was were has have had this with from they them our his her
    its written write down never safely store stored paper lose lost anyone share
"""
_NOT_SEED = frozenset(_NOT_SEED_WORDS.split())


def _seed_phrases(text: str, lower: str) -> Iterator[Span]:
    if not any(word in lower for word in ("seed", "phrase", "mnemonic", "words", "wallet")):
        return
    at = 0
    for cue in _SEED_CUE.finditer(text):
        if cue.start() < at or not (start := _SEED_START.match(text, cue.end())):
            continue
        ends = _ends_of_words(text, start.end())
        if count := next(
            (n for n in (24, *([len(ends)] if len(ends) in {12, 15, 18, 21} else ()), 12) if len(ends) >= n), 0
        ):
            at = ends[count - 1]
            yield Span(start.end(), at, "seed_phrase")


def _ends_of_words(text: str, at: int) -> list[int]:
    """Where each of up to 24 words ends that could be of a seed phrase."""
    ends: list[int] = []
    while len(ends) < 24 and (word := _SEED_WORD.match(text, at)) and word[1] not in _NOT_SEED:
        ends.append(word.end())
        gap = _SEED_GAP.match(text, word.end())
        at = gap.end() if gap else word.end()
    return ends


_Finder = Callable[[str, str], Iterator[Span]]
_FINDERS: tuple[_Finder, ...] = (
    _private_keys,
    _cards,
    _tokens,
    _headers,
    _addresses,
    _seed_phrases,
    _said,
    _said_after,
)
