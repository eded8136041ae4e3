"""Cues: the words that announce a secret, and what else they may mean."""

import re

from hippograph.nlp.privacy.finders.spans import WORDS


def _cue(pattern: str) -> re.Pattern[str]:
    """Returns a pattern of cues that no letter follows; `^` in it marks the start of a word (after `_` too)."""
    begun = pattern.replace("^", r"(?<![^\W_])")
    return re.compile(rf"(?:{begun})(?![^\W\d_])", re.IGNORECASE | re.VERBOSE)


_OTHER_PASSWORDS = "kennwort, contraseña, contrasena, mot de passe, wachtwoord, hasło, lösenord, salasana"
# Patterns of cues, by letters that are looked for first. The name of the matching group is the kind of secret.
CUES: dict[str, re.Pattern[str]] = {
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
    **dict.fromkeys(("otp", "totp"), _cue("(?P<code>^t?otp)")),
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
VERIFYING = tuple(WORDS["verifying"])
BOOKED = tuple(WORDS["booked"])
_NOT_WORD = re.compile(r"[\W_]+")
# Words before a code or a key that make it a secret, and of which kind.
_OF_WIFI = re.compile(r"(?:wi-?fi|wlan|wpa[23]?|network|router|hotspot)[ _-]$")
_OF_CARD = re.compile(r"card[ ](?:verification|security)[ ]$|(?:credit|debit|bank|payment)[ -]?card[ ]$")
_CODES = tuple(f" {word}" for word in WORDS["codes"])
OTHER_PINS = re.compile(r"\b(?:bowling|rolling|safety|enamel|lapel|tie|hat|hair|drawing|push|cotter|firing)[ -]$")
OF_BOOKING = re.compile(r"(?:confirmation|access|entry|reset)[ _-]$")
_CODES_OF = re.compile(r" (?:de|подтверждения|из|доступа)\b", re.IGNORECASE)
_KEYS = ("api", "secret", "access", *(f" {word}" for word in WORDS["keys"].split()))
_NAMED_KEY = re.compile(r"[A-Z]_$")
OTHER_THINGS = frozenset(WORDS["other_things"].split())
_NEXT_WORD = re.compile(r"[ _-]{0,2}([a-z]{2,16})(?![^\W_])", re.IGNORECASE)
OTHER_CODES = tuple(f" {word}" for word in WORDS["other_codes"].split())


def is_other_thing(text: str, at: int) -> bool:
    """Whether the next word turns the cue into something else, as in "password manager"."""
    word = _NEXT_WORD.match(text, at)
    return word is not None and word[1].lower() in OTHER_THINGS


def meaning_of(text: str, cue: re.Match[str]) -> str:
    """Returns what kind of secret a cue announces, empty if none. For "code" and "key" the words before it decide."""
    name = cue.lastgroup or ""
    if name not in {"any_code", "key"}:
        return name
    before = text[max(0, cue.start() - 24) : cue.start()].lower()
    if _OF_WIFI.search(before):
        return "password"
    if name == "any_code":
        if _OF_CARD.search(before):
            return "card_code"
        return "code" if spaced_words(before).endswith(_CODES) or _CODES_OF.search(cue[0]) else _alone(name, before)
    return (
        "token"
        if spaced_words(before).endswith(_KEYS) or _NAMED_KEY.search(text[: cue.start()][-2:])
        else _alone(name, before)
    )


def spaced_words(text: str) -> str:
    """Returns the words of a text with one space before each."""
    return " " + " ".join(_NOT_WORD.split(text)).strip()


def has_near(words: tuple[str, ...], text: str, cue: re.Match[str], before: int, after: int) -> bool:
    """Whether one of the words is at most `before` characters before a cue or `after` characters after it."""
    around = f" {text[max(0, cue.start() - before) : cue.end() + after].lower()} "
    return any(word in around for word in words)


def _alone(name: str, before: str) -> str:
    """Returns `name`, or an empty string if the cue is the end of another word, as in "monkey" or "barcode"."""
    return "" if before[-1:].isalnum() else name
