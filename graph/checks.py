"""Validation of input before anything is written: texts, attachments, addresses, times. Failures are `InvalidInput`."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

from hippograph.graph.errors import Conflict, InvalidInput, NotAllowed, NotFound
from hippograph.graph.model import NO_END
from hippograph.nlp.attachments import Attachment, in_one_line, markable
from hippograph.nlp.errors import BadText
from hippograph.nlp.privacy.secrets import find_secrets
from hippograph.nlp.text import check_text

MAX_NAME = 200
"""Maximum length of a name, a title, an id or a key from a caller, in characters."""

MAX_ATTRIBUTES = 4000
"""Maximum length of the attributes of a memory as JSON, in characters."""

MAX_ATTACHMENTS = 20
"""Maximum number of attachments of one message."""

MAX_FILE_NAME = 255
MAX_CAPTION = 2_000
MAX_ADDRESS = 2_048
"""Maximum lengths of the name, the caption and the address of an attachment, in characters."""

_SCHEMES = ("http", "https", "file")


@contextmanager
def numbered(what: str, number: int, of: int) -> Iterator[None]:
    """Prefixes an error with the item that it is about, such as "turn 3 of 5: …", if there are several."""
    try:
        yield
    except (InvalidInput, NotFound, NotAllowed, Conflict) as error:
        if of > 1:
            error.args = (f"{what} {number} of {of}: {error}",)
        raise


def checked_text(text: str, *, limit: int = MAX_NAME) -> str:
    """The text without surrounding white space. Raises `InvalidInput` if it is empty, too long, not valid Unicode, or
    has control characters.
    """
    try:
        return check_text(text, limit=limit)
    except BadText as error:
        raise InvalidInput(str(error), value=text) from error


def checked_key(key: str, *, limit: int) -> str:
    """A key in its stored form: case folded, without surrounding white space. Raises `InvalidInput`."""
    return checked_text(checked_text(key, limit=limit).casefold(), limit=limit)


def refuse_secrets(*texts: str, identifiers: bool = False) -> None:
    """Raises `InvalidInput` if a text has a secret or, with `identifiers`, an identifier. The message omits it (W8)."""
    for text in texts:
        if found := find_secrets(text, identifiers=identifiers):
            kinds = ", ".join(sorted({span.kind.replace("_", " ") for span in found}))
            raise InvalidInput(
                f"this holds a secret ({kinds}), which a memory never keeps: take it out and try again", value=text
            )


def checked_attributes(attributes: object, *, identifiers: bool = False) -> str:
    """A caller's attributes as JSON text, `{}` for None. Raises `InvalidInput` if they are not a JSON object, have more
    than `MAX_ATTRIBUTES` characters as JSON, or hold a secret (W8).
    """
    if attributes is None:
        return "{}"
    if not isinstance(attributes, Mapping):
        raise InvalidInput('attributes are an object of JSON, such as {"ticket": 7}', value=attributes)
    try:
        text = json.dumps(attributes, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(f"attributes are an object of JSON: {error}") from error
    if len(text) > MAX_ATTRIBUTES:
        raise InvalidInput(f"attributes have at most {MAX_ATTRIBUTES} characters as JSON; these have {len(text)}")
    return checked_name(text, identifiers=identifiers, limit=MAX_ATTRIBUTES)


def checked_name(text: str, *, identifiers: bool = False, limit: int = MAX_NAME) -> str:
    """As `checked_text`, for what is stored verbatim: a name, a title, a key. Also raises `InvalidInput` for a secret
    (W8); the length is checked first, which bounds that scan.
    """
    text = checked_text(text, limit=limit)
    refuse_secrets(text, identifiers=identifiers)
    return text


def checked_attachment(given: Attachment, *, limit: int) -> Attachment:
    """An attachment in its stored form; a blank name, caption or text becomes None. Raises `InvalidInput` if one of
    these is too long (the text: longer than `limit`) or the address is invalid.
    """
    name, caption, text = (
        value if value and value.strip() else None for value in (given.name, given.caption, given.text)
    )
    return Attachment(
        given.kind,
        markable(checked_text(name, limit=MAX_FILE_NAME)) if name else None,
        in_one_line(checked_text(caption, limit=MAX_CAPTION)) if caption else None,
        checked_text(text, limit=limit) if text else None,
        checked_address(given.address) if given.address else None,
    )


def checked_address(address: str) -> str:
    """A web or file address, which is never fetched. Raises `InvalidInput` if it is malformed or too long."""
    address = checked_text(address, limit=MAX_ADDRESS)
    try:
        parts = urlsplit(address)
    except ValueError:
        parts = urlsplit("")
    place = parts.path if parts.scheme == "file" else parts.netloc
    if parts.scheme not in _SCHEMES or not place or len(address.split()) > 1:
        raise InvalidInput(f"an address begins with {', '.join(f'{each}://' for each in _SCHEMES)}", value=address)
    return address


def checked_moment(moment: datetime, *, not_after: datetime | None = None) -> datetime:
    """The time in UTC, at most `NO_END`. Raises `InvalidInput` if it has no offset, is after `not_after`, or is outside
    the years 1 to 9999 in UTC.
    """
    if moment.tzinfo is None:
        raise InvalidInput(
            f"the time {moment.isoformat()} has no offset: write {moment.isoformat()}Z if it is UTC", value=moment
        )
    if not_after is not None and moment > not_after:
        raise InvalidInput(
            f"the time {moment.isoformat()} lies in the future; give the time at which it happened", value=moment
        )
    try:
        return min(moment.astimezone(UTC), NO_END)
    except OverflowError as error:
        raise InvalidInput(
            f"the time {moment.isoformat()} lies outside the calendar of the years 1 to 9999", value=moment
        ) from error


def moment_after(moment: datetime, lapse: timedelta) -> datetime:
    """The time `lapse` after `moment`, at most `NO_END`."""
    try:
        return min(moment + lapse, NO_END)
    except OverflowError:
        return NO_END
