"""Makes attachments of messages from what exports say of them: file names, extensions and MIME types."""

import re
from pathlib import PurePosixPath
from typing import Any, Final

from hippograph.graph.checks import MAX_CAPTION, MAX_NAME, checked_address
from hippograph.graph.errors import InvalidInput
from hippograph.graph.transfer.formats.json_values import list_of, text_of
from hippograph.graph.transfer.formats.reading import one_line
from hippograph.nlp.attachments import Attachment, AttachmentKind, in_one_line
from hippograph.nlp.privacy.secrets import redact

_ENDINGS: Final = {
    AttachmentKind.PHOTO: ".jpg .jpeg .png .webp .heic .gif .bmp .svg .tif .tiff",
    AttachmentKind.VIDEO: ".mp4 .mov .3gp .mkv .webm .avi .m4v",
    AttachmentKind.AUDIO: ".opus .ogg .oga .m4a .mp3 .aac .wav .amr .flac",
}
_TYPES: Final = {"image": AttachmentKind.PHOTO, "video": AttachmentKind.VIDEO, "audio": AttachmentKind.AUDIO}


_ACROSS: Final = 256
"""Number of characters after a cut that are searched for secrets too, to find a secret that the cut would split."""
_UNSTORABLE: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]")
"""Characters that stored texts must not contain, such as form feeds in the text of a PDF."""


def attached(
    name: str = "",
    *,
    kind: AttachmentKind | None = None,
    mime: str = "",
    caption: str = "",
    text: str = "",
    address: str = "",
) -> Attachment:
    """An attachment that can be stored: name and caption are cut to their limits, an invalid address is dropped.

    Without `kind`, the MIME type decides, or else the extension of the name.
    """
    return Attachment(
        kind or _TYPES.get(mime.partition("/")[0]) or _by_name(name),
        one_line(_to_cut(name, MAX_NAME)) or None,
        in_one_line(_to_cut(_UNSTORABLE.sub(" ", caption), MAX_CAPTION))[:MAX_CAPTION] or None,
        _UNSTORABLE.sub(" ", text).strip() or None,
        _address(address),
    )


def _to_cut(text: str, limit: int) -> str:
    """The text for the caller to cut. If it is longer than the limit, secrets are removed from it, because a secret
    that is cut through is not recognised any more.
    """
    return redact(text[: limit + _ACROSS], identifiers=True)[0] if len(text) > limit else text


def given(value: Any) -> list[Attachment]:
    """The attachments of an object from JSON: objects with `kind`, `name`, `caption`, `text` and `address`."""
    parts = ("name", "caption", "text", "address")
    return [
        attached(kind=_KINDS.get(text_of(each, "kind")), **{part: text_of(each, part) for part in parts})
        for each in list_of(value, "attachments")
        if isinstance(each, dict)
    ]


_KINDS: Final = {kind.value: kind for kind in AttachmentKind}


def _by_name(name: str) -> AttachmentKind:
    ending = PurePosixPath(name).suffix.lower()
    return next((kind for kind, some in _ENDINGS.items() if ending and ending in some.split()), AttachmentKind.FILE)


def _address(address: str) -> str | None:
    try:
        return checked_address(address) if address else None
    except InvalidInput:
        return None
