"""Attachments of a message, written into its text: after the words, a mark for each attachment with its caption, and
below the mark the text that was read in it, quoted.

    Look at this
    [photo: IMG_2041.jpg] the hut at sunset
    [file: lease.pdf]
    > Tenants may keep a cat.

So every operation on the text (search, removal of names, deletion) covers the attachments too. What belongs here:
writing and reading such texts. What does not: what may be stored (`graph.checks`).
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Final

from hippograph.nlp.privacy.finders.spans import REMOVED

_ROUND: Final = str.maketrans("[]", "()")
_LONGEST_NAMES: Final = 400
"""Maximum length of the words from file names, in characters; they precede each part of a text when it is embedded."""
_WORD: Final = re.compile(r"[^\W_]+")
_LINE_END: Final = re.compile(r"\r\n?|\n")


class AttachmentKind(StrEnum):
    """The kind of an attachment."""

    PHOTO = "photo"
    VIDEO = "video"
    AUDIO = "audio"
    FILE = "file"


@dataclass(frozen=True, slots=True)
class Attachment:
    """An attachment: the name of the file, what its sender wrote below it (`caption`), the `text` that was read in it,
    and where it is (`address`).
    """

    kind: AttachmentKind
    name: str | None = None
    caption: str | None = None
    text: str | None = None
    address: str | None = None


# In a name, only `REMOVED` has square brackets.
_HEAD: Final = rf"\[(?P<kind>{'|'.join(AttachmentKind)})(?:: (?P<name>(?:[^\[\]\n]|\[[^\[\]\n]*\])+))?\]"
_MARK: Final = re.compile(rf"(?P<head>{_HEAD})(?: (?P<caption>.+))?")
_CAPTIONED: Final = re.compile(rf"^{_HEAD} (?=\S)", re.MULTILINE)
_READ: Final = re.compile(rf"^(?P<mark>{_HEAD}.*)(?:\n>.*)+", re.MULTILINE)


def in_one_line(text: str) -> str:
    """Collapses white space, so that a caption or a name fits on one line."""
    return " ".join(text.split())


def markable(name: str) -> str:
    """A file name that a mark can hold: on one line, with round brackets for square ones except in `REMOVED`."""
    return REMOVED.join(part.translate(_ROUND) for part in in_one_line(name).split(REMOVED))


def with_attachments(words: str, attachments: Iterable[Attachment]) -> str:
    """The words of a message and a mark for each attachment. Names must be `markable`, captions on one line."""
    return "\n".join(filter(None, [words, *(line for each in attachments for line in _lines(each))]))


def _lines(attachment: Attachment) -> Iterable[str]:
    named = f": {attachment.name}" if attachment.name else ""
    yield f"[{attachment.kind}{named}]{f' {attachment.caption}' if attachment.caption else ''}"
    if attachment.text:
        yield from (f"> {line}".rstrip() for line in _LINE_END.split(attachment.text))


def attachments_in(text: str, addresses: Sequence[str]) -> tuple[Attachment, ...]:
    """Reads the attachments from the marks at the end of a text, one for each address; an address may be empty."""
    lines, found = text.split("\n"), list[Attachment]()
    for address in reversed(addresses):
        below = len(lines)
        while below and lines[below - 1].startswith(">"):
            below -= 1
        read = "\n".join(line[1:].removeprefix(" ") for line in lines[below:]) or None
        mark = _MARK.fullmatch(lines[below - 1]) if below else None
        kind = AttachmentKind(mark["kind"]) if mark else AttachmentKind.FILE
        name, caption = (mark["name"], mark["caption"]) if mark else (None, None)
        found.append(Attachment(kind, name, caption, read, address or None))
        del lines[below - 1 if mark else below :]
    return tuple(reversed(found))


def mark_of(text: str, place: int) -> str | None:
    """The mark, without caption, of the file whose quoted text contains character `place`; None outside such text."""
    end, start = len(text), text.rfind("\n", 0, place) + 1
    quoted = text.startswith(">", start)
    while start and text.startswith(">", start):
        end = start - 1
        start = text.rfind("\n", 0, end) + 1
    mark = _MARK.fullmatch(text, start, end) if quoted else None
    return mark["head"] if mark else None


def own_words(text: str) -> str:
    """The words and captions of a message's sender, without the text that was read in files. The mark of an attachment
    without a caption stays, and so does what the sender quotes. The text is returned unchanged if nothing else is left.
    """
    return _CAPTIONED.sub("", _READ.sub(r"\g<mark>", text)).strip() or text


def words_of_names(attachments: Iterable[Attachment]) -> str:
    """The words in file names, without extensions; a full-text index takes `tax_return.pdf` for one word."""
    stems = [PurePosixPath(each.name).stem for each in attachments if each.name]
    words = " ".join(dict.fromkeys(word for stem in stems for word in _WORD.findall(stem)))
    return words[:_LONGEST_NAMES]
