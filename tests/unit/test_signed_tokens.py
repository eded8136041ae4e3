import json
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from structlog.testing import capture_logs

from hippograph.api.global_ids import global_id
from hippograph.api.signed_tokens import Claims, SignedTokens
from hippograph.graph.errors import InvalidInput, Unauthenticated
from hippograph.graph.rights import NO_RIGHTS, Rights

ED, OTHER, RSA = (
    ed25519.Ed25519PrivateKey.generate(),
    ed25519.Ed25519PrivateKey.generate(),
    rsa.generate_private_key(public_exponent=65537, key_size=2048),
)
GOOD: dict[str, Any] = {"sub": "maya", "aud": "hippograph", "iss": "door", "exp": 4_000_000_000}


def _jwk(key: Any, kid: str) -> dict[str, Any]:
    algorithm = jwt.algorithms.OKPAlgorithm if key is not RSA else jwt.algorithms.RSAAlgorithm
    made: dict[str, Any] = algorithm.to_jwk(key.public_key(), as_dict=True)
    return made | {"kid": kid, "alg": "RS256" if key is RSA else "EdDSA"}


def _write(file: Path, **keys: Any) -> None:
    file.write_text(json.dumps({"keys": [_jwk(key, kid) for kid, key in keys.items()]}))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file with a key set of two keys."""
    found = tmp_path / "keys.json"
    _write(found, ed=ED, rsa=RSA)
    return found


def _tokens(file: Path, algorithms: tuple[str, ...] = ("EdDSA", "RS256")) -> SignedTokens:
    return SignedTokens(file, algorithms=list(algorithms), audience="hippograph", issuer="door")


def _signed(claims: dict[str, Any], key: Any = ED, kid: str | None = "ed", algorithm: str = "EdDSA") -> str:
    return jwt.encode(claims, key, algorithm=algorithm, headers={"kid": kid} if kid else {})


def test_a_token_says_whose_it_is(file: Path) -> None:
    """A token signed by a key of the set gives an account, a name, and the accounts for which it may act."""
    assert Claims("maya", None, False, NO_RIGHTS) == _tokens(file).claims(_signed(GOOD))
    named = GOOD | {"name": "Maya", "acts_for": ["ben"]}
    assert Claims("maya", "Maya", False, Rights(acts_for=("ben",))) == _tokens(file).claims(
        _signed(named, RSA, "rsa", "RS256")
    )
    assert ("*",) == _tokens(file).claims(_signed(GOOD | {"acts_for": "*"})).rights.acts_for


def test_a_token_says_what_it_may(file: Path) -> None:
    """Each right is a claim of its own; chats and the persona are given by their global ids."""
    chat, persona = "1" * 32, "2" * 32
    claims = {"records": [global_id("Chat", chat)], "speaks_as": global_id("Persona", persona), "admin": True}
    assert Rights((), (chat,), persona, True) == _tokens(file).claims(_signed(GOOD | claims)).rights
    assert Rights(records=("*",)) == _tokens(file).claims(_signed(GOOD | {"records": "*"})).rights


def test_a_name_is_vouched_for_by_the_claim_that_the_operator_named(file: Path) -> None:
    """The claim `vouched_name` gives a vouched name, which replaces `name`. If it is missing or no text, `name` is
    used and is not vouched.
    """
    tokens = SignedTokens(file, algorithms=["EdDSA"], audience="hippograph", issuer="door", vouched_name="legal_name")
    named = GOOD | {"name": "Trieste Harbour"}
    assert Claims("maya", "Trieste Harbour", False, NO_RIGHTS) == tokens.claims(_signed(named))
    assert Claims("maya", "Maya Tan", True, NO_RIGHTS) == tokens.claims(_signed(named | {"legal_name": "Maya Tan"}))
    assert Claims("maya", "Trieste Harbour", False, NO_RIGHTS) == tokens.claims(_signed(named | {"legal_name": 7}))


def _without(name: str) -> dict[str, Any]:
    return {key: value for key, value in GOOD.items() if key != name}


PUBLIC = RSA.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
FORGED = {
    "expired": _signed(GOOD | {"exp": int(time.time()) - 60}),
    "not yet": _signed(GOOD | {"nbf": 4_000_000_000}),
    "for another service": _signed(GOOD | {"aud": "elsewhere"}),
    "from another issuer": _signed(GOOD | {"iss": "elsewhere"}),
    "for no audience": _signed(_without("aud")),
    "without an end": _signed(_without("exp")),
    "of nobody": _signed(_without("sub")),
    "of an account that is no text": _signed(GOOD | {"sub": 7}),
    "of an empty account": _signed(GOOD | {"sub": " "}),
    "with a broken signature": _signed(GOOD) + "x",
    "signed by another key": _signed(GOOD, OTHER),
    "of an unknown key": _signed(GOOD, ED, "gone"),
    "of no key": _signed(GOOD, ED, None),
    "unsigned": jwt.encode(GOOD, None, algorithm="none", headers={"kid": "ed"}),
    "acting for what is no account": _signed(GOOD | {"acts_for": [1]}),
    "recording in what is no chat": _signed(GOOD | {"records": ["the kitchen"]}),
    "recording in chats that are no list": _signed(GOOD | {"records": {"chat": True}}),
    "speaking as what is no persona": _signed(GOOD | {"speaks_as": "Atlas"}),
    "speaking as several": _signed(GOOD | {"speaks_as": ["0" * 32]}),
    "administering by a word": _signed(GOOD | {"admin": "false"}),
    "no token": "a.b.c",
    "empty": "",
    "endless": "a" * 100_000,
}


@pytest.mark.parametrize("token", FORGED.values(), ids=FORGED.keys())
def test_what_is_not_valid_is_refused(file: Path, token: str) -> None:
    """An invalid token raises `Unauthenticated`, whatever is wrong with it."""
    with pytest.raises(Unauthenticated):
        _tokens(file).claims(token)


def test_the_public_key_is_no_shared_secret(tmp_path: Path) -> None:
    """A token signed with the public key as an HMAC secret is refused, even if HS256 is allowed."""
    file = tmp_path / "keys.json"
    _write(file, rsa=RSA)
    header, claims, _ = _signed(GOOD, "x" * 64, "rsa", "HS256").split(".")
    import base64
    import hmac

    signature = hmac.new(PUBLIC, f"{header}.{claims}".encode(), "sha256").digest()
    forged = f"{header}.{claims}.{base64.urlsafe_b64encode(signature).rstrip(b'=').decode()}"
    for algorithms in (("RS256",), ("RS256", "HS256")):
        with pytest.raises(Unauthenticated):
            _tokens(file, algorithms).claims(forged)


def test_the_algorithm_is_pinned(file: Path) -> None:
    """A token signed by a key of the set is refused if its algorithm is not allowed."""
    with pytest.raises(Unauthenticated):
        _tokens(file, ("EdDSA",)).claims(_signed(GOOD, RSA, "rsa", "RS256"))


def test_keys_rotate(file: Path) -> None:
    """After the file changes, tokens of new keys are accepted and those of old keys are refused. A single key needs
    no id.
    """
    tokens, old = _tokens(file), _signed(GOOD)
    assert "maya" == tokens.claims(old).account
    _write(file, new=OTHER)
    assert "maya" == tokens.claims(_signed(GOOD, OTHER, "new")).account
    assert "maya" == tokens.claims(_signed(GOOD, OTHER, None)).account
    with pytest.raises(Unauthenticated):
        tokens.claims(old)


@pytest.mark.parametrize("damage", [Path.unlink, lambda file: file.write_text("[")])
def test_keys_that_cannot_be_read_hold_for_a_day(file: Path, damage: Callable[[Path], object]) -> None:
    """If the file of keys cannot be read, its last keys are used for a day. Then all tokens are refused, which is
    logged, until it can be read again.
    """
    moment, token = datetime(2026, 5, 3, tzinfo=UTC), _signed(GOOD)
    tokens = SignedTokens(file, algorithms=["EdDSA"], audience="hippograph", issuer="door", clock=lambda: moment)
    keys = file.read_text()
    damage(file)
    moment += timedelta(hours=24)
    assert "maya" == tokens.claims(token).account
    moment += timedelta(seconds=1)
    with capture_logs() as lines, pytest.raises(Unauthenticated):
        tokens.claims(token)
    assert ["critical"] == [line["log_level"] for line in lines]
    file.write_text(keys)
    assert "maya" == tokens.claims(token).account


@pytest.mark.parametrize("text", ["", "{}", '{"keys": [{"kty": "no"}]}', "[]"])
def test_a_file_without_keys_ends_the_start(tmp_path: Path, text: str) -> None:
    """A file that is missing or holds no keys raises an error that names it."""
    file = tmp_path / "keys.json"
    file.write_text(text)
    with pytest.raises(InvalidInput, match=r"keys\.json is no JSON Web Key Set"):
        _tokens(file)
    with pytest.raises(InvalidInput, match="missing"):
        _tokens(tmp_path / "missing")


def test_a_broken_file_leaves_the_keys_as_they_were(file: Path) -> None:
    """The last keys stay in use after the file was broken or removed, so that a failed rotation locks nobody out."""
    tokens = _tokens(file)
    file.write_text("{")
    assert "maya" == tokens.claims(_signed(GOOD)).account
    file.unlink()
    assert "maya" == tokens.claims(_signed(GOOD)).account
