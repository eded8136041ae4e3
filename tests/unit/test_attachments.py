"""Attachments as written into the text of a message, and the validation of what is stored of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippograph.graph.checks import MAX_ADDRESS, MAX_CAPTION, MAX_FILE_NAME, checked_attachment
from hippograph.graph.errors import InvalidInput
from hippograph.nlp.attachments import (
    Attachment,
    AttachmentKind,
    attachments_in,
    in_one_line,
    mark_of,
    own_words,
    with_attachments,
    words_of_names,
)

PHOTO = Attachment(AttachmentKind.PHOTO, "IMG_2041.jpg", "the hut at sunset")
LEASE = Attachment(
    AttachmentKind.FILE, "lease_2026.pdf", text="Tenants may keep a cat.\n\n> No dogs.", address="file:///a"
)
SAID = """Look
[photo: IMG_2041.jpg] the hut at sunset
[file: lease_2026.pdf]
> Tenants may keep a cat.
>
> > No dogs."""

names = st.text(st.characters(exclude_categories=["C", "Z"], exclude_characters="[]"), min_size=1)
lines = st.text(st.characters(exclude_categories=["C", "Z"], include_characters=" >[]"), min_size=1)
texts = st.lists(lines.map(str.strip), min_size=1).map("\n".join).map(str.strip)
attachments = st.builds(
    Attachment,
    st.sampled_from(AttachmentKind),
    st.none() | names,
    st.none() | lines.map(in_one_line).filter(bool),
    st.none() | texts.filter(bool),
    st.none() | st.just("https://a.example/b"),
)


def test_marks_stand_behind_the_words() -> None:
    """A text has a mark with its caption for each attachment, and below it, quoted, the text that was read in it."""
    assert SAID == with_attachments("Look", [PHOTO, LEASE])


@given(texts, st.lists(attachments, max_size=4))
def test_what_is_written_is_read(words: str, some: list[Attachment]) -> None:
    """Reading a text returns the attachments that were written into it, whatever its words look like."""
    assert tuple(some) == attachments_in(with_attachments(words, some), [each.address or "" for each in some])


@pytest.mark.parametrize("removed", ["[name removed]", "[secret removed]"])
def test_what_was_removed_from_a_name_is_part_of_it(removed: str) -> None:
    """A file name may hold the placeholder of a removed name or secret, which has square brackets itself."""
    [found] = attachments_in(f"Look\n[file: {removed}_cv.pdf] by {removed}", [""])
    assert (f"{removed}_cv.pdf", f"by {removed}") == (found.name, found.caption)


def test_an_attachment_without_its_mark_is_still_one() -> None:
    """An address whose mark was removed from the text is read as a file of which nothing else is known."""
    assert (Attachment(AttachmentKind.FILE),) == attachments_in("Look", [""])


@pytest.mark.parametrize(
    ("text", "within", "mark"),
    [
        (SAID, "Tenants", "[file: lease_2026.pdf]"),
        (SAID, "No dogs", "[file: lease_2026.pdf]"),
        (SAID, "> No dogs", "[file: lease_2026.pdf]"),
        (SAID, "the hut", None),
        (SAID, "Look", None),
        ("Look\n[photo] at it\n> a\n> b\n[audio]\n> c", "b", "[photo]"),
        ("Look\n[photo] at it\n> a\n> b\n[audio]\n> c", "c", "[audio]"),
        ("He said:\n> I promise.\n[file: a.txt]", "promise", None),
        ("> I promise.\n[file: a.txt]", "promise", None),
        ("[file: a.txt]\n> I promise.", "promise", "[file: a.txt]"),
    ],
)
def test_a_place_in_a_file_is_told_by_its_mark(text: str, within: str, mark: str | None) -> None:
    """For a place in the quoted text of a file, the mark above it is returned; for the sender's own words and
    quotations, None.
    """
    assert mark == mark_of(text, text.index(within))


def test_captions_are_words_and_texts_are_not() -> None:
    """The sender's own words are the text and the captions; an attachment without a caption keeps its mark."""
    assert "Look\nthe hut at sunset\n[file: lease_2026.pdf]" == own_words(SAID)
    assert "He said:\n> I promise.\n[file: a.txt]\nsee" == own_words("He said:\n> I promise.\n[file: a.txt]\n> b\nsee")


def test_the_words_of_names_are_told_apart() -> None:
    """File names are split into words without repetition and without extensions; a full-text index would take each for
    one word.
    """
    assert "IMG 2041 lease 2026" == words_of_names([PHOTO, LEASE, PHOTO, Attachment(AttachmentKind.AUDIO)])


def test_what_is_stored_stands_in_one_line() -> None:
    """Names and captions are put on one line, brackets in names become round, and a blank text becomes None."""
    given_ = Attachment(AttachmentKind.FILE, " [a]\nb ", "one\n two", " \n", "https://a.example/x?y=[z]")
    stored = checked_attachment(given_, limit=100)
    assert Attachment(AttachmentKind.FILE, "(a) b", "one two", None, "https://a.example/x?y=[z]") == stored


@pytest.mark.parametrize(
    "given_",
    [
        Attachment(AttachmentKind.FILE, "x" * (MAX_FILE_NAME + 1)),
        Attachment(AttachmentKind.FILE, caption="x" * (MAX_CAPTION + 1)),
        Attachment(AttachmentKind.FILE, text="x" * 101),
        Attachment(AttachmentKind.FILE, text="a\x00b"),
        Attachment(AttachmentKind.FILE, address=f"https://a.example/{'x' * MAX_ADDRESS}"),
        *(
            Attachment(AttachmentKind.FILE, address=each)
            for each in ("javascript:alert(1)", "ftp://a.example", "lease.pdf", "https://", "https://a b", "http://[a")
        ),
    ],
)
def test_what_cannot_be_stored_is_refused(given_: Attachment) -> None:
    """Too long a name, caption, text or address, a control character, and an invalid address raise `InvalidInput`."""
    with pytest.raises(InvalidInput):
        checked_attachment(given_, limit=100)
