import io
import json
import zipfile
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippograph.graph.checks import MAX_CAPTION, MAX_NAME
from hippograph.graph.errors import InvalidInput
from hippograph.graph.model import ChatKind
from hippograph.graph.transfer.formats.attachments import attached
from hippograph.graph.transfer.formats.chats.whatsapp_dates import Stamp, infer_order
from hippograph.graph.transfer.formats.container import MAX_FILE, MAX_MEMBERS, open_container
from hippograph.graph.transfer.formats.detection import read_export
from hippograph.graph.transfer.formats.preview import preview
from hippograph.graph.transfer.formats.reading import DateOrder, Format, Names, Reading, ReadOptions
from hippograph.graph.writing.dialogue_file import DialogueFile, FileDialogue, FileMember, FileTurn, check
from hippograph.nlp.attachments import Attachment, AttachmentKind, with_attachments

NOW = datetime(2026, 11, 1, tzinfo=UTC)
OPTIONS = ReadOptions(NOW, UTC)
Read = Callable[..., Reading]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Writes a file (a string as it is, any other value as JSON) and returns what `read_export` reads from it."""

    def written(name: str, content: Any, options: ReadOptions = OPTIONS) -> Reading:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
        found = read_export(path, options)
        assert found is not None
        return found

    return written


def said(reading: Reading) -> list[tuple[str, str]]:
    """The speaker and the text of each turn, over all chats."""
    return [(turn.speaker, turn.text) for dialogue in reading.content.dialogues for turn in dialogue.turns]


def sent(reading: Reading) -> list[tuple[str, list[str]]]:
    """The text and the attachment marks of each turn that has attachments."""
    turns = [turn for dialogue in reading.content.dialogues for turn in dialogue.turns if turn.attachments]
    return [(turn.text, with_attachments("", turn.attachments).split("\n")) for turn in turns]


def reasons(reading: Reading) -> dict[str, str]:
    """The reason of each skipped item, by its place."""
    return {skipped.place: skipped.reason for skipped in reading.skipped}


def node(key: str, parent: str | None, role: str, text: Any, at: float | None = 0.0, **more: Any) -> dict[str, Any]:
    """A node of a ChatGPT conversation, as exported; `at` is its time in seconds, None for a message without a time."""
    parts = [text] if isinstance(text, str) else text
    content = {"content_type": more.pop("kind", "text"), "parts": parts}
    message = {
        "id": key,
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": None if at is None else 1_700_000_000 + at,
        "content": content,
        "status": "finished_successfully",
        "metadata": {},
        "recipient": "all",
        **more,
    }
    return {"id": key, "message": message, "parent": parent, "children": []}


def conversation(*nodes: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A ChatGPT conversation, whose `current_node` is the last of these nodes."""
    root = {"id": "root", "message": None, "parent": None, "children": []}
    mapping = {each["id"]: each for each in (root, *nodes)}
    return {
        "title": "Bread",
        "create_time": 1_700_000_000.5,
        "update_time": 1_700_000_900.0,
        "mapping": mapping,
        "current_node": nodes[-1]["id"],
        "conversation_id": "c1",
    } | more


def test_chatgpt_takes_the_branch_that_was_seen_last(read: Read) -> None:
    """Only the branch shown last is imported, as a private chat; messages on other branches are reported as skipped."""
    talk = conversation(
        node("s", "root", "system", "", None),
        node("q1", "s", "user", "How long does rye rise?", 1),
        node("a1", "q1", "assistant", "An hour.", 2),
        node("q2", "s", "user", "How long does wheat rise?", 3),
        node("a2", "q2", "assistant", "Two hours.", 4),
        node("a3", "q2", "assistant", "Ninety minutes.", 5),
    )
    found = read("conversations.json", [talk])
    assert [("User", "How long does wheat rise?"), ("ChatGPT", "Ninety minutes.")] == said(found)
    left = {place.split()[-1] for place, reason in reasons(found).items() if "branch" in reason}
    assert {"q1", "a1", "a2"} == left
    [chat] = found.content.dialogues
    assert ("c1", "Bread", ChatKind.PRIVATE, "ChatGPT", "User") == (
        chat.id,
        chat.title,
        chat.kind,
        chat.persona,
        found.me,
    )


def test_chatgpt_leaves_out_what_is_no_talk(read: Read) -> None:
    """Tool calls, their results, reasoning and hidden messages are skipped; pictures and files become attachments."""
    asset = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://x"}
    spoken = {"content_type": "audio_transcription", "text": "And with seeds?", "direction": "in"}
    talk = conversation(
        node("1", "root", "user", [asset, "What is on this?"], 1, kind="multimodal_text"),
        node("2", "1", "assistant", [], 2, kind="thoughts"),
        node("3", "2", "assistant", "search('rye')", 3, recipient="browser"),
        node("4", "3", "tool", "a page", 4),
        node("5", "4", "assistant", "Rye.\ue200cite\ue202turn0search1\ue201 Well【4†source】.", 5),
        node("6", "5", "user", "hidden", 6, metadata={"is_visually_hidden_from_conversation": True}),
        node("7", "6", "user", [spoken, {"content_type": "real_time_user_audio_video_asset_pointer"}], None,
             kind="multimodal_text"),
        node("8", "7", "assistant", [asset], 8, kind="multimodal_text"),
        node("9", "8", "user", [asset, "And this?"], 9, kind="multimodal_text", metadata={"attachments": [
            {"id": "x", "name": "crumb.heic", "mime_type": "image/heic", "size": 9, "width": 4, "height": 3},
            {"id": "y", "name": "recipe", "mimeType": "application/pdf"}]}),
    )  # fmt: skip
    found = read("conversations.json", [talk, None, {"mapping": {}}])
    assert [
        ("User", "What is on this?"),
        ("ChatGPT", "Rye. Well."),
        ("User", "And with seeds?"),
        ("ChatGPT", ""),
        ("User", "And this?"),
    ] == said(found)
    assert [
        ("What is on this?", ["[photo]"]),
        ("", ["[photo]"]),
        ("And this?", ["[photo: crumb.heic]", "[file: recipe]"]),
    ] == sent(found)
    # A message without a time gets that of the message before it.
    assert found.content.dialogues[0].turns[1].time < found.content.dialogues[0].turns[2].time
    assert "no conversation" == reasons(found)["conversations.json, conversation 2"]


@pytest.mark.parametrize("current", [None, "gone", "8"])
def test_chatgpt_without_a_current_node_takes_the_newest(read: Read, current: str | None) -> None:
    """A conversation whose `current_node` is missing or unknown is read along the branch of its newest message, and to
    its end if its parents form a cycle.
    """
    nodes = [
        node("7", "8", "user", "Hello", 1),
        node("8", "7", "assistant", "Good day", 3),
        node("9", "7", "assistant", "Hm", 2),
    ]
    found = read("conversations.json", [conversation(*nodes, current_node=current)])
    assert [("User", "Hello"), ("ChatGPT", "Good day")] == said(found)


def test_chatgpt_in_several_files_of_a_zip(tmp_path: Path) -> None:
    """All numbered conversation files of a zip, as exported for a large account, are read; other files are ignored."""
    first, second = (conversation(node("1", "root", "user", text), conversation_id=text) for text in ("one", "two"))
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
        archive.writestr("conversations-000.json", json.dumps([first]))
        archive.writestr("conversations-001.json", json.dumps([second]))
        archive.writestr("user.json", json.dumps({"id": "user-1"}))
        archive.writestr("chat.html", "<html>")
    found = read_export(tmp_path / "export.zip", OPTIONS)
    assert found is not None
    assert (Format.CHATGPT, ["one", "two"]) == (found.format, [chat.id for chat in found.content.dialogues])


def claude_message(key: str, sender: str, text: str, minute: int, **more: Any) -> dict[str, Any]:
    """A message of Claude, as exported."""
    at = f"2025-03-04T12:{minute:02}:00.123456Z"
    return {"uuid": key, "text": text, "sender": sender, "created_at": at, "updated_at": at, "files": []} | more


def test_claude_reads_blocks_of_text(read: Read) -> None:
    """The text of a message is read from its text blocks, or from `text` in older exports, which have no blocks. Texts
    and files become attachments.
    """
    blocks = [
        {"type": "thinking", "thinking": "hm"},
        {"type": "text", "text": "Two hours."},
        {"type": "tool_use", "name": "search", "input": {}},
        {"type": "text", "text": "At 26 degrees."},
    ]
    unsupported = "Two hours.\n```\nThis block is not supported on your current device yet.\n```\nAt 26 degrees."
    messages = [
        claude_message("m1", "human", "How long does wheat rise?", 0),
        claude_message("m2", "assistant", unsupported, 1, content=blocks),
        claude_message(
            "m3",
            "human",
            "",
            2,
            attachments=[
                {"file_name": "rye.txt", "file_size": 9, "file_type": "txt", "extracted_content": "Rye\r\n\x0crises."},
                {"file_name": "", "file_type": "txt", "extracted_content": "pasted"},
            ],
            files=[{"file_name": "rye.txt"}, {"file_name": "loaf.png"}],
        ),
        claude_message("m4", "assistant", "x", 3, created_at="never"),
        claude_message("m5", "system", "x", 4),
        claude_message("m6", "human", " ", 5),
    ]
    talk = {"uuid": "c1", "name": "", "created_at": "2025-03-04T12:00:00Z", "chat_messages": messages}
    found = read("conversations.json", [talk, {"uuid": "c2", "name": "empty", "chat_messages": []}, {"uuid": "c3"}])
    assert [("User", "How long does wheat rise?"), ("Claude", "Two hours.\n\nAt 26 degrees."), ("User", "")] == said(
        found
    )
    marks = ["[file: rye.txt]", "> Rye", ">  rises.", "[file]", "> pasted", "[photo: loaf.png]"]
    assert [("", marks)] == sent(found)
    assert [("c1", "Claude")] == [(chat.id, chat.title) for chat in found.content.dialogues]
    assert {
        "conversations.json, conversation 1, message 4": "it has no time",
        "conversations.json, conversation 1, message 5": "neither of the user nor of Claude",
        "conversations.json, conversation 1, message 6": "no text: a call of a tool, or nothing",
        "conversations.json, conversation 3": "no conversation",
    } == reasons(found)


def test_claude_takes_the_last_branch_where_it_is_told(read: Read) -> None:
    """If the messages have parents, an answer that was generated again replaces the first one."""
    root = "00000000-0000-4000-8000-000000000000"
    messages = [
        claude_message("m1", "human", "How long?", 0, parent_message_uuid=root),
        claude_message("m2", "assistant", "An hour.", 1, parent_message_uuid="m1"),
        claude_message("m3", "assistant", "Two hours.", 2, parent_message_uuid="m1"),
    ]
    found = read("conversations.json", [{"uuid": "c1", "name": "Rye", "chat_messages": messages}])
    assert [("User", "How long?"), ("Claude", "Two hours.")] == said(found)


IN_APRIL = datetime(2021, 4, 3, 21, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    "head",
    [
        "03/04/2021, 21:05 - ",  # English (UK), Android
        "03/04/2021, 9:05 pm - ",
        "3/4/21 21:05 - ",
        "03.04.21, 21:05 - ",  # German
        "[03.04.21, 21:05:00] ",  # German, iOS
        "\u200e[03/04/2021, 9:05:00\u202fPM] ",  # English, iOS 17
        "3/4/2021, 9:05 p.\u00a0m. - ",  # Spanish
        "03-04-2021 21:05 - ",  # Dutch
        "03/04/2021 à 21:05 - ",  # French
        "3.4.2021 klo 21.05 - ",  # Finnish
        "03/04/21 21.05 - ",  # Indonesian
        "2021-04-03, 9:05 p.m. - ",  # English (Canada)
        "2021/04/03, 21:05 - ",  # English (South Africa)
        "2021-04-03 kl. 21:05 - ",  # Swedish
        "[2021/4/3 下午9:05:00] ",  # Chinese, iOS
        "2021. 4. 3. 오후 9:05 - ",  # Korean
        "[٣/٤/٢٠٢١، ٩:٠٥:٠٠ م] ",  # Arabic
        "3/4/2564 21:05 - ",  # Thai: Buddhist years
        "03/04/2021 21:05:00: ",  # iOS, before 2017
    ],
)
def test_whatsapp_reads_the_dates_of_many_regions(read: Read, head: str) -> None:
    """Dates are read in the formats of many regions; a day above 12 determines the order of day and month."""
    later = head.replace("03", "23", 1).replace("3", "23", 1) if "03" not in head else head.replace("03", "23", 1)
    found = read("WhatsApp Chat with Ann.txt", f"{head}Ann: Hello\n{head}Ben: Good day\n{later}Ann: Bye\n")
    assert [("Ann", "Hello"), ("Ben", "Good day"), ("Ann", "Bye")] == said(found)
    assert IN_APRIL == found.content.dialogues[0].turns[0].time
    assert "Ann" == found.content.dialogues[0].title


def test_whatsapp_reads_american_dates(read: Read) -> None:
    """A date that is valid only with the month first determines the order of all dates, without a note."""
    found = read("chat.txt", "4/3/21, 9:05 PM - Ann: Hello\n12/31/21, 12:00 AM - Ben: Goodbye\n")
    assert [IN_APRIL, datetime(2021, 12, 31, tzinfo=UTC)] == [turn.time for turn in found.content.dialogues[0].turns]
    assert () == found.notes


def test_whatsapp_tells_when_dates_can_be_read_in_two_ways(read: Read) -> None:
    """If no date determines the order, day first is assumed and noted; a given order is followed without a note."""
    text = "3/4/21, 21:05 - Ann: Hello\n"
    assert (IN_APRIL, 1) == ((found := read("chat.txt", text)).content.dialogues[0].turns[0].time, len(found.notes))
    found = read("chat.txt", text, ReadOptions(NOW, UTC, DateOrder.MDY))
    assert (datetime(2021, 3, 4, 21, 5, tzinfo=UTC), 0) == (
        found.content.dialogues[0].turns[0].time,
        len(found.notes),
    )


def test_whatsapp_times_are_of_the_zone(read: Read) -> None:
    """WhatsApp times are local times in the zone of the options."""
    found = read("chat.txt", "13/4/21, 21:05 - Ann: Hello\n", ReadOptions(NOW, timezone(timedelta(hours=2))))
    assert datetime(2021, 4, 13, 19, 5, tzinfo=UTC) == found.content.dialogues[0].turns[0].time


WHATSAPP = """\ufeff13/04/2021, 09:00 - Messages and calls are end-to-end encrypted. Tap to learn more.
13/04/2021, 09:00 - Ann B. created group "Trip: Soča"
13/04/2021, 09:01 - Ann B. changed the subject from "Trip: Soča" to "Trip"
13/04/2021, 09:02 - Ann B.: Who drives?
It is four hours.

12/04/2021 was too early.
13/04/2021, 09:03 - +49 170 1234567: <Media omitted>
13/04/2021, 09:04 - +49 170 1234567: IMG-20210413-WA0001.jpg (file attached)
My car: it has five seats
13/04/2021, 09:05 - Ben: This message was deleted
13/04/2021, 09:06 - Ben: I'll drive. <This message was edited>
13/04/2021, 09:07 - 🌸: ok
13/04/2021, 09:08 - ~\u202fCara: @\u2068Ben\u2069 thanks
13/04/2021, 09:09 - Ben added Dora
13/04/2021, 09:10 - Ben: ok
13/04/2021, 09:10 - Ben: ok
13/04/2021, 09:10 - Ben: Ann changed the subject to football again
31/02/2021, 09:10 - Ben: no such day
13/04/2021, 09:11 - Ben: a \x01 mark
"""


def test_whatsapp_takes_the_words_of_people_alone(read: Read) -> None:
    """Messages may span lines, and media become attachments. Messages of WhatsApp itself, deleted ones and invalid
    ones are skipped, with their line numbers.
    """
    found = read("WhatsApp Chat with Trip (1).txt", WHATSAPP)
    assert [
        ("Ann B.", "Who drives?\nIt is four hours.\n\n12/04/2021 was too early."),
        ("+49 170 1234567", ""),
        ("+49 170 1234567", "My car: it has five seats"),
        ("Ben", "I'll drive."),
        ("Unnamed 🌸", "ok"),
        ("Cara", "@Ben thanks"),
        ("Ben", "ok"),
        ("Ben", "ok"),
        ("Ben", "Ann changed the subject to football again"),
    ] == said(found)
    assert [("", ["[file]"]), ("My car: it has five seats", ["[photo: IMG-20210413-WA0001.jpg]"])] == sent(found)
    assert ("Trip", "whatsapp Trip") == (found.content.dialogues[0].title, found.name)
    told = reasons(found)
    assert ["line 1", "line 2", "line 3", "line 11", "line 15", "line 19", "line 20"] == list(told)
    assert "deleted by its sender" == told["line 11"]
    assert "there is no such day: 31/02/2021, 09:10" == told["line 19"]
    assert "control" in told["line 20"]


def test_whatsapp_lines_before_the_first_message(read: Read) -> None:
    """Lines without a time before the first message are skipped; a message may begin on the line after its sender."""
    found = read("chat.txt", "Exported\n\n13/04/2021, 09:02 - Ann:\nWho drives?\n")
    assert [("Ann", "Who drives?")] == said(found)
    assert {"line 1": "before the first message"} == reasons(found)


def test_whatsapp_ids_stay_when_the_chat_goes_on(read: Read) -> None:
    """A later export of a chat gives the earlier messages the same ids; equal messages have different ids."""
    first = read("chat.txt", WHATSAPP).content.dialogues[0].turns
    longer = read("chat.txt", WHATSAPP + "14/04/2021, 09:00 - Ben: ok\n").content.dialogues[0].turns
    assert [turn.id for turn in first] == [turn.id for turn in longer[:-1]]
    assert len(longer) == len({turn.id for turn in longer})


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Mensagem apagada", None),
        ("Du hast diese Nachricht gelöscht.", None),
        ("Se eliminó este mensaje.", None),
        ("Das Bild: <Medien ausgeschlossen> kam nicht an", "Das Bild: <Medien ausgeschlossen> kam nicht an"),
        ("Oui <Ce message a été modifié>", "Oui"),
        ("https://example.org/a: b", "https://example.org/a: b"),
    ],
)
def test_whatsapp_knows_its_own_words_in_several_languages(read: Read, text: str, kept: str | None) -> None:
    """Placeholders of deleted messages and marks of edits are recognised in several languages; other texts are kept."""
    found = read("chat.txt", f"[13.04.21, 09:00:00] Ann: Hallo\n[13.04.21, 09:01:00] Ann: {text}\n")
    assert [("Ann", "Hallo"), *([("Ann", kept)] if kept else [])] == said(found)


@pytest.mark.parametrize(
    ("text", "words", "mark"),
    [
        ("‎Bild weggelassen", "", "[photo]"),
        ("<Medien ausgeschlossen>", "", "[file]"),
        ("‎<Anhang: 00000012-PHOTO-2021-04-13.jpg>", "", "[photo: 00000012-PHOTO-2021-04-13.jpg]"),
        ("PTT-20250328-WA0014.opus (archivo adjunto)", "", "[audio: PTT-20250328-WA0014.opus]"),
        ("VID-1.mp4 (fichier joint)\nLe lac", "Le lac", "[video: VID-1.mp4]"),
        ("Le lac\n‎vidéo absente", "Le lac", "[video]"),
        ("‎lease.pdf • ‎12 pages ‎<attached: 00000005-lease.pdf>", "", "[file: 00000005-lease.pdf]"),
        ("null", "", "[file]"),
    ],
)
def test_whatsapp_names_what_was_sent_along(read: Read, text: str, words: str, mark: str) -> None:
    """Attached files and placeholders of omitted ones become attachments, in several languages; the placeholder or the
    ending of the file determines the kind.
    """
    found = read("chat.txt", f"[13.04.21, 09:00:00] Ann: Hallo\n[13.04.21, 09:01:00] Ann: {text}\n")
    assert [(words, [mark])] == sent(found)


@pytest.mark.parametrize(
    "text", ["I wrote null\nnull", "a <note: b.jpg>", "the hut <attached: b.jpg>", "image omitted, sorry"]
)
def test_whatsapp_keeps_words_that_look_like_files(read: Read, text: str) -> None:
    """A text that only resembles a file or a placeholder is kept unchanged, without an attachment."""
    found = read("chat.txt", f"[13.04.21, 09:00:00] Ann: {text}\n")
    assert [("Ann", text)] == said(found)
    assert [] == sent(found)


days = st.dates(date(2009, 6, 1), date(2026, 6, 30))


def stamp(day: date, order: DateOrder, *, digits: int = 4) -> Stamp:
    """The stamp of a day written in this order, with this number of digits of the year."""
    parts = {"d": day.day, "m": day.month, "y": day.year % 10**digits}
    first, second, third = (parts[part] for part in order.value)
    return Stamp((first, second, third), 4 if first > 31 else 2, "/", 12, 0, 0, False)


@given(st.lists(days, min_size=1, max_size=40), st.sampled_from([DateOrder.DMY, DateOrder.MDY]))
def test_a_day_beyond_the_twelfth_tells_day_from_month(some: list[date], order: DateOrder) -> None:
    """With four-digit years, one date with a day above 12 determines the order of day and month."""
    written = [stamp(day, order) for day in [*sorted(some), date(2026, 10, 31)]]
    assert (order, True) == infer_order(written)


@given(days, st.sampled_from(DateOrder))
def test_days_one_after_the_other_tell_their_order(first: date, order: DateOrder) -> None:
    """In any order of day, month and year, 62 consecutive days are read as written, even with two-digit years."""
    chain = [first + timedelta(days=number) for number in range(62)]
    written = [stamp(day, order, digits=2) for day in chain]
    found, _ = infer_order(written)
    assert chain == [moment.date() for one in written if (moment := one.read(found))]


def telegram_message(key: int, text: Any, **more: Any) -> dict[str, Any]:
    """A message of Telegram, as exported."""
    at = datetime(2024, 5, 1, 12, key % 60, tzinfo=UTC)
    return {
        "id": key,
        "type": "message",
        "date": f"{at:%Y-%m-%dT%H:%M:%S}",
        "date_unixtime": str(int(at.timestamp())),
        "from": "Ann",
        "from_id": "user1",
        "text": text,
        "text_entities": [],
    } | more


def test_telegram_reads_an_account(read: Read) -> None:
    """Styled texts are joined, deleted accounts and namesakes get names of their own, media become attachments, and the
    exporting person is known with their username.
    """
    messages = [
        telegram_message(1, "Hello"),
        telegram_message(2, ["See ", {"type": "bold", "text": "this"}, {"type": "link", "text": "https://a.example"}]),
        telegram_message(3, "", photo="photos/1.jpg", width=4, height=3),
        telegram_message(4, "A caption", photo="(File not included. Change data exporting settings to download.)"),
        {"id": 5, "type": "service", "date": "2024-05-01T12:05:00", "actor": "Ann", "action": "pin_message"},
        telegram_message(6, "who was I?", **{"from": None, "from_id": "user99"}),
        telegram_message(7, "another Ann", from_id="user2"),
        telegram_message(8, "News", forwarded_from="A channel"),
        telegram_message(9, "", file="stickers/s.webp", media_type="sticker", sticker_emoji="👍"),
        telegram_message(11, "", file="files/1.bin", file_name="Lease [2].pdf", mime_type="application/pdf"),
        telegram_message(12, "", file="voice/a.ogg", media_type="voice_message", mime_type="audio/ogg"),
        telegram_message(13, "", location_information={"latitude": 1, "longitude": 2}),
        telegram_message(14, "when?", date_unixtime="", date="soon"),
        telegram_message(10, "me", **{"from": "Ben Ode", "from_id": "user7"}),
    ]
    export = {
        "about": "Here is the data you requested.",
        "personal_information": {"user_id": 7, "first_name": "Ben", "last_name": "Ode", "username": "@benode"},
        "chats": {
            "list": [
                {"name": "Bakers", "type": "private_supergroup", "id": 4455, "messages": messages},
                {"name": "Empty", "type": "private_group", "id": 1, "messages": []},
            ]
        },
    }
    found = read("result.json", export)
    assert [
        ("Ann", "Hello"),
        ("Ann", "See thishttps://a.example"),
        ("Ann", ""),
        ("Ann", "A caption"),
        ("Deleted account user99", "who was I?"),
        ("Ann (user2)", "another Ann"),
        ("Ann", "Forwarded from A channel: News"),
        ("Ann", ""),
        ("Ben Ode", "me"),
        ("Ann", ""),
        ("Ann", ""),
    ] == said(found)
    assert [
        ("", ["[photo: 1.jpg]"]),
        ("A caption", ["[photo]"]),
        ("", ["[photo: s.webp]"]),
        ("", ["[file: Lease [2].pdf]"]),
        ("", ["[audio: a.ogg]"]),
    ] == sent(found)
    assert "Ben Ode" == found.me
    assert ["Bakers"] == [chat.title for chat in found.content.dialogues]
    assert {("Ben Ode", "@benode", "user7"), ("Ann (user2)", None, "user2")} <= {
        (person.name, person.username, person.id) for person in found.content.people
    }
    assert {
        "Bakers, message 5": "no message: pin message",
        "Bakers, message 13": "no text: location",
        "Bakers, message 14": "it has no time",
    } == reasons(found)


def test_telegram_reads_one_chat(read: Read) -> None:
    """An export of one chat names no exporting person; a time without `date_unixtime` is in the zone of the options."""
    message = telegram_message(1, "Hello")
    del message["date_unixtime"]
    chat = {"name": None, "type": "personal_chat", "id": 8, "messages": [message]}
    found = read("result.json", chat, ReadOptions(NOW, timezone(timedelta(hours=2))))
    assert (None, datetime(2024, 5, 1, 10, 1, tzinfo=UTC)) == (found.me, found.content.dialogues[0].turns[0].time)


@pytest.fixture
def slack(tmp_path: Path) -> Path:
    """A folder as Slack exports it, with one damaged file."""
    ann = {"id": "U1", "team_id": "T1", "name": "ann", "profile": {"real_name": "Ann B.", "display_name": "annie"}}
    bot = {"id": "U9", "team_id": "T1", "name": "bot", "is_bot": True}
    days = {
        "2024-05-01": [
            {"type": "message", "user": "U1", "text": "Hi <@U2> &amp; <!here>, see <https://a.example|the page>",
             "ts": "1714564800.000100", "thread_ts": "1714564800.000100", "reply_count": 1},
            {"type": "message", "subtype": "channel_join", "user": "U2", "text": "joined", "ts": "1714564801.000100"},
            {"type": "message", "subtype": "bot_message", "bot_id": "B1", "text": "build", "ts": "1714564802.000100"},
            {"type": "message", "user": "U9", "text": "beep", "ts": "1714564803.000100"},
        ],
        "2024-05-02": [
            {"type": "message", "user": "U2", "text": "In <#C1|general>: a &lt; b", "ts": "1714651200.000100",
             "thread_ts": "1714564800.000100", "user_profile": {"real_name": "Ben", "name": "ben"}},
            {"type": "message", "user": "U1", "text": "", "files": [
                {"id": "F1", "name": "a.pdf", "title": "The lease", "mimetype": "application/pdf",
                 "url_private": "https://files.slack.com/files-pri/T1-F1/a.pdf", "preview": "Tenants may"},
                {"id": "F2", "mode": "tombstone"},
            ], "ts": "1714651201.000100"},
            {"type": "message", "user": "U1", "text": " ", "ts": "1714651202.000100"},
            {"type": "message", "user": "U1", "text": "when?"},
            "damaged",
        ],
    }  # fmt: skip
    root = tmp_path / "Slack export"
    (root / "general").mkdir(parents=True)
    (root / "users.json").write_text(json.dumps([ann, bot]))
    (root / "channels.json").write_text(json.dumps([{"id": "C1", "name": "general", "members": ["U1", "U2"]}]))
    for day, messages in days.items():
        (root / "general" / f"{day}.json").write_text(json.dumps(messages))
    (root / "general" / "2024-05-03.json").write_text("{ damaged")
    return root


def zipped(folder: Path, *, inside: str = "") -> Path:
    """Zips the JSON files of a folder; `inside` is a prefix of their paths in the zip."""
    target = folder.with_suffix(".zip")
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in folder.rglob("*.json"):
            archive.write(file, f"{inside}{file.relative_to(folder).as_posix()}")
    return target


@pytest.mark.parametrize("form", ["folder", "zip", "zip with a folder"])
def test_slack_reads_channels_and_threads(slack: Path, form: str) -> None:
    """References become names and threads become sessions; bots, events and a damaged file of a day are skipped."""
    path = slack if form == "folder" else zipped(slack, inside="export/" if form.endswith("folder") else "")
    found = read_export(path, OPTIONS)
    assert found is not None
    assert [
        ("Ann B.", "Hi @U2 & @here, see the page (https://a.example)"),
        ("Ben", "In #general: a < b"),
        ("Ann B.", ""),
    ] == said(found)
    assert [("", ["[file: a.pdf] The lease", "> Tenants may", "[file]"])] == sent(found)
    [chat] = found.content.dialogues
    assert ("slack T1", "C1", "#general") == (found.name, chat.id, chat.title)
    assert "https://files.slack.com/files-pri/T1-F1/a.pdf" == chat.turns[2].attachments[0].address
    assert {"thread 1714564800.000100", None} == {turn.session for turn in chat.turns}
    assert {("Ann B.", "ann", "U1"), ("Ben", "ben", "U2")} == {
        (person.name, person.username, person.id) for person in found.content.people
    }
    why = sorted(reasons(found).values())
    assert [True, True] == [any(text in reason for reason in why) for text in ("no JSON", "channel join")]
    assert {"of a bot", "no message: bot message", "no text", "it has no time"} < set(why)


MEMORIES = """---
name: memories
---
# People

- Ben likes tea
  with milk
- Ann:
  - lives in Graz
  - [x] runs
1. Numbered

## Work

She works
at Fernhill.

<!-- a comment -->
***
```
make test
```
# Places
Graz
"""


def test_markdown_is_a_memory_an_item_or_paragraph(read: Read) -> None:
    """Each list item or paragraph becomes a memory, with its headings, the introduction of its list, and its line."""
    found = read("MEMORY.md", MEMORIES)
    assert [
        ("Ben likes tea\nwith milk", ("People",), 6),
        ("Ann: lives in Graz", ("People",), 9),
        ("Ann: runs", ("People",), 10),
        ("Numbered", ("People",), 11),
        ("She works\nat Fernhill.", ("People", "Work"), 15),
        ("make test", ("People", "Work"), 20),
        ("Graz", ("Places",), 24),
    ] == [(one.text.strip(), one.headings, int(one.place.split()[-1])) for one in found.statements]


def test_documents_are_recognised_where_no_memories_are(tmp_path: Path) -> None:
    """Markdown and plain text are read as documents, in paragraphs and items; hidden files are ignored. In a folder
    `memory`, or if that format is given, Markdown is read as memories.
    """
    texts = {
        "a.md": "# Tea\n\n- rye\n- oats",
        "b/c.txt": "  one\ntwo\n \nthree\n",
        ".git/d.md": "x",
        ".app/e.json": "{}",
    }
    for name, text in texts.items():
        (tmp_path / "notes" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "notes" / name).write_text(text)
    found = read_export(tmp_path / "notes", OPTIONS)
    assert found is not None
    assert (Format.DOCUMENTS, "notes", ("a.md", "b/c.txt")) == (found.format, found.name, found.there)
    pieces = {one.name: [(piece.text, piece.headings, piece.place) for piece in one.pieces] for one in found.documents}
    assert {
        "a.md": [("rye", ("Tea",), "a.md, line 3"), ("oats", ("Tea",), "a.md, line 4")],
        "b/c.txt": [("one\ntwo", (), "b/c.txt, line 1"), ("three", (), "b/c.txt, line 4")],
    } == pieces
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "2024-03-01.md").write_text("- a")
    for place in (tmp_path / "memory", tmp_path / "memory" / "2024-03-01.md"):
        kept = read_export(place, OPTIONS)
        assert kept is not None
        assert (Format.MARKDOWN, ["a"]) == (kept.format, [one.text for one in kept.statements])
    given = read_export(tmp_path / "notes", OPTIONS, Format.MARKDOWN)
    assert given is not None
    assert ["rye", "oats"] == [one.text for one in given.statements if one.place.startswith("a.md")]


def test_a_document_that_cannot_be_read_is_there(tmp_path: Path) -> None:
    """A document that is not UTF-8 is skipped as damaged, but listed in `there`, so it does not count as deleted."""
    (tmp_path / "a.md").write_bytes(b"caf\xe9")
    (tmp_path / "b.md").write_text("word")
    found = read_export(tmp_path, OPTIONS)
    assert found is not None
    assert (("a.md", "b.md"), ["b.md"]) == (found.there, [one.name for one in found.documents])
    assert [("a.md", True)] == [(one.place, one.damaged) for one in found.skipped]


def test_markdown_of_a_folder_with_days(tmp_path: Path) -> None:
    """`MEMORY.md` and `memory/*.md` are read, and no other file; a date as file name is the day of the memories."""
    (tmp_path / "memory").mkdir()
    for name, text in (("MEMORY.md", "- a"), ("memory/2024-03-01.md", "- b"), ("memory/x.md", "c"), ("README.md", "d")):
        (tmp_path / name).write_text(text)
    found = read_export(tmp_path, OPTIONS)
    assert found is not None
    assert {("a", None), ("b", datetime(2024, 3, 1, tzinfo=UTC)), ("c", None)} == {
        (one.text, one.day) for one in found.statements
    }


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("broken.json", "{ no", "no JSON"),
        ("list.json", "[1, 2]", "none of the formats"),
        ("number.json", f"[{'9' * 5_000}]", "a number that is too long"),
        ("nested.json", "[" * 100_000, "nested too deeply"),
        ("page.html", "<html>", "none of the formats"),
    ],
)
def test_what_no_reader_knows_is_refused(read: Read, name: str, content: str, why: str) -> None:
    """A file is refused with an error that says whether its format is unknown or its JSON invalid."""
    with pytest.raises(InvalidInput, match=why):
        read(name, content)


@pytest.mark.parametrize(
    ("name", "start"), [("result.json", '["caf'), ("WhatsApp Chat with Ann.txt", "13/04/2021, 09:02 - Ann: caf")]
)
def test_what_is_not_utf_8_is_refused(tmp_path: Path, name: str, start: str) -> None:
    """A file in another encoding is refused with the position of the first wrong byte."""
    (tmp_path / name).write_bytes(f"{start}é".encode("latin-1"))
    with pytest.raises(InvalidInput, match=f"{name} is no UTF-8 text: byte {len(start)}"):
        read_export(tmp_path / name, OPTIONS)


def test_a_folder_without_exports_is_refused(tmp_path: Path) -> None:
    """A folder in which no file can be imported is refused."""
    (tmp_path / "photo.jpg").write_bytes(b"")
    with pytest.raises(InvalidInput, match="holds no file to import"):
        read_export(tmp_path, OPTIONS)


@pytest.mark.parametrize("kind", [Format.WHATSAPP, Format.SLACK])
def test_a_format_that_is_given_must_fit(tmp_path: Path, kind: Format) -> None:
    """A file that is no export of the format given is refused with the name of that format."""
    (tmp_path / "result.json").write_text("[]")
    with pytest.raises(InvalidInput, match=f"is no export of {kind.value}"):
        read_export(tmp_path / "result.json", OPTIONS, kind)


def test_our_own_dialogues_are_left_to_their_reader(tmp_path: Path, root: Path) -> None:
    """For a file of dialogues, which have a reader of their own, `read_export` returns None."""
    assert read_export(root / "examples" / "sample.json", OPTIONS) is None


@pytest.mark.parametrize("name", ["../evil.json", "/etc/evil.json", "a/../../evil.json", "..\\evil.json"])
def test_a_zip_leads_nowhere_else(tmp_path: Path, name: str) -> None:
    """A zip with a path that leads out of it is refused, although nothing is ever unpacked to disk."""
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(name, "[]")
    with pytest.raises(InvalidInput, match="leads out of it"):
        open_container(tmp_path / "a.zip")


def test_a_zip_bomb_is_refused(tmp_path: Path) -> None:
    """A file that unpacks to a thousand times its size is refused before it is unpacked."""
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", " " * 5_000_000)
    with pytest.raises(InvalidInput, match="zip bomb"):
        open_container(tmp_path / "a.zip")


def test_a_zip_that_lies_about_a_size_gives_no_more(tmp_path: Path) -> None:
    """A zip member that is larger than its declared size is refused."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", " " * 5_000_000)
    size = (5_000_000).to_bytes(4, "little")
    (tmp_path / "a.zip").write_bytes(packed.getvalue().replace(size, (1000).to_bytes(4, "little")))
    with pytest.raises(InvalidInput, match="cannot be read"):
        read_export(tmp_path / "a.zip", OPTIONS)


def test_a_damaged_zip_is_refused(tmp_path: Path) -> None:
    """A zip member whose bytes were changed is refused."""
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("conversations.json", json.dumps([conversation(node("1", "root", "user", "Hello"))]))
    path.write_bytes(path.read_bytes().replace(b"Hello", b"Jello"))
    with pytest.raises(InvalidInput, match="cannot be read"):
        read_export(path, OPTIONS)


@pytest.mark.parametrize("packed", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_damaged_member_is_refused(tmp_path: Path, packed: int) -> None:
    """A zip member that cannot be unpacked is refused, however it is packed."""
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", packed) as archive:
        archive.writestr("conversations.json", "[]" + " " * 100)
        [member] = archive.infolist()
    whole, start = path.read_bytes(), len(member.FileHeader())
    path.write_bytes(whole[:start] + b"\xff" * member.compress_size + whole[start + member.compress_size :])
    with pytest.raises(InvalidInput, match=r"conversations.json of a.zip cannot be read"):
        read_export(path, OPTIONS)


@pytest.mark.parametrize(("listed", "damaged"), [(b"PK\x01\x02", b"PK\x01\x03"), ("ä".encode(), b"\xff\xff")])
def test_a_zip_with_a_damaged_list_is_refused(tmp_path: Path, listed: bytes, damaged: bytes) -> None:
    """A zip is refused if its list of members is damaged, or a name in it."""
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("ä.json", "[]")
    path.write_bytes(path.read_bytes().replace(listed, damaged))
    with pytest.raises(InvalidInput, match=r"a.zip is no zip that can be read"):
        read_export(path, OPTIONS)


@pytest.mark.parametrize(
    ("listed", "why"),
    [
        ({"flag_bits": 1}, "0.json of a.zip is encrypted"),
        ({"file_size": MAX_FILE + 1}, "0.json of a.zip is larger than 1024 MiB"),
        ({"file_size": MAX_FILE, "compress_size": MAX_FILE}, "a.zip holds more than 4096 MiB of text"),
        ({"external_attr": 0o120777 << 16}, "leads out of it"),
    ],
)
def test_what_a_zip_lists_is_checked(tmp_path: Path, listed: dict[str, int], why: str) -> None:
    """A zip is refused by what its list says of its members, before any is read: encrypted, too large, or a link."""
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        for number in range(5):
            archive.writestr(f"{number}.json", "[]")
        for member in archive.infolist():
            for field, value in listed.items():
                setattr(member, field, value)
    with pytest.raises(InvalidInput, match=why):
        open_container(tmp_path / "a.zip")


def test_a_member_without_a_name_is_ignored(tmp_path: Path) -> None:
    """A zip member without a name is ignored, like one that is no export."""
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a.json", "[]")
        archive.writestr("b.json", "[]")
        archive.infolist()[0].filename = ""
    assert ["b.json"] == list(open_container(tmp_path / "a.zip").files)


def test_a_zip_of_too_many_files_is_refused(tmp_path: Path) -> None:
    """A zip that lists more files than are read is refused, whatever the files are."""
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a.jpg", "")
        archive.filelist *= MAX_MEMBERS + 1
    with pytest.raises(InvalidInput, match=f"holds {MAX_MEMBERS + 1} files; up to {MAX_MEMBERS} are read"):
        open_container(tmp_path / "a.zip")


def test_a_file_that_is_too_large_is_refused(tmp_path: Path) -> None:
    """A file larger than the limit is refused before it is read."""
    with (tmp_path / "a.json").open("wb") as file:
        file.truncate(MAX_FILE + 1)  # takes no room on disk
    with pytest.raises(InvalidInput, match=r"a.json is larger than 1024 MiB"):
        read_export(tmp_path / "a.json", OPTIONS)


def test_a_link_in_a_folder_is_not_followed(tmp_path: Path) -> None:
    """A symbolic link to a file outside the folder is ignored."""
    (tmp_path / "memory").mkdir()
    (tmp_path / "secret.md").write_text("secret")
    (tmp_path / "memory" / "a.md").symlink_to(tmp_path / "secret.md")
    assert {} == open_container(tmp_path / "memory").files


def test_what_lies_in_the_future_is_skipped(read: Read) -> None:
    """A message with a time in the future is skipped, and the others are read: the clock of a phone may be wrong."""
    found = read("chat.txt", "13.04.21, 09:00 - Ann: Hello\n13.04.31, 09:00 - Ann: Later\n")
    assert ([("Ann", "Hello")], {"line 2": "its time lies in the future"}) == (said(found), reasons(found))


def test_names_of_accounts_are_their_own() -> None:
    """Namesakes get their account id added, an account keeps its first name, and an empty name becomes the id."""
    names = Names()
    given_names = [names.of(*each) for each in (("u1", "Ann"), ("u2", "ann"), ("u1", "Anna"), ("u3", ""), ("u4", "🌸"))]
    assert ["Ann", "ann (u2)", "Ann", "Unnamed u3", "Unnamed 🌸"] == given_names


def test_a_preview_counts(read: Read) -> None:
    """A preview has the number of turns, the people and chats, and the skipped items counted by reason."""
    found = preview(read("WhatsApp Chat with Trip.txt", WHATSAPP))
    assert (9, ("+49 170 1234567", "Ann B.", "Ben", "Cara", "Unnamed 🌸")) == (found.turns, found.people)
    assert (4, "words of WhatsApp itself") == (found.skipped[0].count, found.skipped[0].reason)
    assert [("Trip", 9)] == [(chat.title, chat.turns) for chat in found.chats]


def dialogue(*speakers: str, participants: tuple[str, ...] = (), **more: Any) -> DialogueFile:
    """A file with one dialogue, in which each of the speakers says one thing."""
    turns = [FileTurn(str(number), name, "Tea?", NOW) for number, name in enumerate(speakers)]
    return DialogueFile([FileDialogue("d", turns, participants=[FileMember(name) for name in participants], **more)])


@pytest.mark.parametrize(
    ("content", "mapping", "why"),
    [
        (DialogueFile(), {}, "the file holds nothing to import"),
        (dialogue("Ann", "Ben", participants=("Ann",)), {}, "'Ben' speaks in turn '1' but is no participant"),
        (dialogue("Ann", "Ben", kind=ChatKind.PRIVATE), {}, "it is private, .* and has Ann, Ben: make it a group"),
        (dialogue("Ann", "Ben", kind=ChatKind.PRIVATE, persona="Ben"), {}, None),
        (dialogue("Ann", "Ann B.", kind=ChatKind.PRIVATE), {"Ann B.": "Ann"}, None),
        (dialogue("Ann", "Ben", participants=("Ann",), persona="Ben"), {}, None),
        (dialogue("Ann", "Ben"), {}, None),
    ],
)
def test_dialogues_are_checked(content: DialogueFile, mapping: dict[str, str], why: str | None) -> None:
    """A file with nothing in it, a speaker who takes no part, and several people in a private talk are refused."""
    if why is None:
        check(content, mapping)
        return
    with pytest.raises(InvalidInput, match=why):
        check(content, mapping)


# --- exports of other memory systems, and JSON lines ---


def json_lines(*values: Any) -> str:
    """The values as JSON, one per line; strings are kept as they are."""
    return "\n".join(value if isinstance(value, str) else json.dumps(value) for value in values)


def test_lines_are_turns_and_facts(read: Read) -> None:
    """A chat with an assistant is private, with the user as its participant; any other is a group. Facts have their
    validity, day and tags.
    """
    found = read(
        "mine.jsonl",
        json_lines(
            {"role": "user", "content": "Hello", "time": "2026-05-03T18:00:00+02:00", "id": "a", "session": "s"},
            {"role": "assistant", "content": "Hi!", "time": 1_777_824_060, "chat": "mine"},
            {"chat": "Club", "speaker": "Ann", "text": "Tea?", "time": "2026-05-03T20:00", "tags": ["drink"]},
            {"chat": "Club", "speaker": "Ben", "text": "Yes.", "time": "2026-05-03T20:01", "task": "t"},
            "",
            {"fact": "I live in Graz", "since": "2020-01-01", "until": "2024-06-30T12:00:00Z", "tags": ["home"]},
            {"fact": "I saw an otter", "day": "2026-04-02"},
        ),
    )
    mine, club = found.content.dialogues
    assert (Format.JSONL, "User") == (found.format, found.me)
    assert (ChatKind.PRIVATE, "Assistant", ["User"]) == (mine.kind, mine.persona, [m.name for m in mine.participants])
    assert [("User", "Hello"), ("Assistant", "Hi!"), ("Ann", "Tea?"), ("Ben", "Yes.")] == said(found)
    assert (datetime(2026, 5, 3, 16, tzinfo=UTC), "a", "s") == (
        mine.turns[0].time,
        mine.turns[0].id,
        mine.turns[0].session,
    )
    assert (ChatKind.GROUP, None, ["drink"], "t") == (club.kind, club.persona, club.turns[0].tags, club.turns[1].task)
    home, otter = found.statements
    assert (datetime(2020, 1, 1, tzinfo=UTC), datetime(2024, 6, 30, 12, tzinfo=UTC)) == (home.since, home.until)
    assert ("I live in Graz", ("home",), None) == (home.text, home.headings, home.day)
    assert (datetime(2026, 4, 2, tzinfo=UTC), None) == (otter.day, otter.since)


@pytest.mark.parametrize(
    ("time", "year"),
    [("20260503", 2026), ("1777824060", 2026), (1_777_824_060_000, 2026), ("1777824060.5", 2026), (60, 1970)],
)
def test_a_time_is_a_day_or_a_number_of_seconds(read: Read, time: object, year: int) -> None:
    """A text of eight digits is a day in ISO form. A number from 1e11 on is of milliseconds."""
    found = read("mine.jsonl", json_lines({"speaker": "Ann", "text": "Tea?", "time": time}))
    assert year == found.content.dialogues[0].turns[0].time.year


def test_no_cut_goes_through_a_secret() -> None:
    """Secrets are removed from names and captions that are too long, before these are cut to their limits."""
    secret = f"ghp_{'a1B2' * 9}"
    found = attached("x" * (MAX_NAME - 11) + f" {secret}", caption="so " * (MAX_CAPTION // 3 - 3) + secret)
    assert found.name is not None
    assert found.caption is not None
    assert ("ghp_" in found.name, "ghp_" in found.caption) == (False, False)
    assert (True, True) == (len(found.name) <= MAX_NAME, len(found.caption) <= MAX_CAPTION)


def test_a_line_has_attachments(read: Read) -> None:
    """Turns with and without text have attachments with all documented fields; an invalid address is left out."""
    whole = {
        "kind": "file",
        "name": "a.pdf",
        "caption": "see\nhere",
        "text": "Cats may stay.",
        "address": "file:///a.pdf",
    }
    at = {"speaker": "Ann", "time": "2026-05-03T18:00:00Z"}
    found = read(
        "some.jsonl",
        json_lines(
            {**at, "text": "Look", "attachments": [whole, {"name": "b.png", "address": "b.png"}, "none"]},
            {**at, "attachments": [{"kind": "video"}], "id": "2"},
        ),
    )
    first, second = found.content.dialogues[0].turns
    assert [
        Attachment(AttachmentKind.FILE, "a.pdf", "see here", "Cats may stay.", "file:///a.pdf"),
        Attachment(AttachmentKind.PHOTO, "b.png"),
    ] == first.attachments
    assert ("", [Attachment(AttachmentKind.VIDEO)]) == (second.text, second.attachments)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ({"text": "x", "time": "2026-05-03T18:00:00Z"}, "nobody said it"),
        ({"text": "x", "speaker": "Ann"}, "it has no `time`"),
        ({"text": "x", "speaker": "Ann", "time": "soon"}, "it has no `time`"),
        ({"text": "x", "speaker": "Ann", "time": "2026-05-03T18:00:00Z", "source": "radio"}, "'radio' is no `source`"),
        ({"words": "x"}, "neither a turn"),
        ([1], "neither a turn"),
        ('{"text": ', "is no JSON"),
    ],
)
def test_a_line_that_is_neither_is_told(read: Read, line: Any, reason: str) -> None:
    """An invalid line is skipped with its number and a reason, the others are read; invalid JSON counts as damaged."""
    good = {"text": "Hello", "speaker": "Ann", "time": "2026-05-03T18:00:00Z"}
    found = read("some.ndjson", json_lines(good, line))
    assert [("Ann", "Hello")] == said(found)
    [skipped] = found.skipped
    assert ("some.ndjson, line 2", reason in skipped.reason) == (skipped.place, True)
    assert isinstance(line, str) == skipped.damaged


def test_sessions_of_claude_code(read: Read) -> None:
    """Sessions of a project are one private chat; tools, talk between agents, summaries and commands are skipped."""
    at = {"sessionId": "s-1", "cwd": "/home/ann/otters", "timestamp": "2026-05-03T18:00:00.000Z"}
    found = read(
        "5f1c.jsonl",
        json_lines(
            {"type": "summary", "summary": "Otters", "leafUuid": "c"},
            {"type": "user", "uuid": "a", "message": {"role": "user", "content": "We deploy on Fridays."}, **at},
            {
                "type": "assistant",
                "uuid": "b",
                "message": {"content": [{"type": "text", "text": "Noted."}, {"type": "tool_use", "name": "Bash"}]},
                **at,
            },
            {"type": "user", "uuid": "c", "message": {"content": [{"type": "tool_result", "content": "ok"}]}, **at},
            {"type": "user", "uuid": "d", "message": {"content": "<command-name>/clear</command-name>"}, **at},
            {"type": "user", "uuid": "e", "isSidechain": True, "message": {"content": "Look at tests"}, **at},
            {"type": "user", "uuid": "f", "isCompactSummary": True, "message": {"content": "Said so far"}, **at},
            {"type": "user", "message": {"content": "Without an id"}, **at},
            {"type": "user", "uuid": "h", "message": {"content": "When?"}, **at, "timestamp": None},
            {
                "type": "assistant",
                "uuid": "g",
                "message": {"content": [{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "Done."}]},
                **at,
                "cwd": "/home/ann/otters/src",
            },
        ),
    )
    [chat] = found.content.dialogues
    assert (Format.CLAUDE_CODE, "User", "otters", "Claude Code") == (found.format, found.me, chat.title, chat.persona)
    assert [("User", "We deploy on Fridays."), ("Claude Code", "Noted."), ("Claude Code", "Done.")] == said(found)
    assert ["s-1"] * 3 == [turn.session for turn in chat.turns]
    assert [
        *["no text: a call of a tool, or its answer"] * 2,
        *["not said by you, nor to you"] * 2,
        "it has no id",
        "it has no time",
    ] == [each.reason for each in found.skipped]


def test_what_tools_answered_claude_code_is_read_where_that_is_set(read: Read) -> None:
    """Tool results are skipped by default. With `tools` they are turns of the agent with a source of their own, cut
    to 4,000 characters.
    """
    line = {"type": "user", "sessionId": "s-1", "timestamp": "2026-05-03T18:00:00.000Z"}
    blocks = [{"type": "tool_result", "content": [{"type": "text", "text": "otter " * 1_000}]}]
    lines = json_lines({**line, "uuid": "a", "message": {"content": blocks}})
    assert [] == said(read("5f1c.jsonl", lines))
    [chat] = read("5f1c.jsonl", lines, ReadOptions(NOW, UTC, tools=True)).content.dialogues
    assert [("Claude Code", "tool_result", 4_000)] == [
        (turn.speaker, turn.source, len(turn.text)) for turn in chat.turns
    ]


def test_answers_of_tools_are_cut_one_by_one_and_not_through_a_secret(read: Read) -> None:
    """Each tool result is cut by itself, and secrets are removed before, since a partial one is not recognised."""
    secret = "ghp_" + "x7Qm2Vt9Lk4Rw8Zb3Nc6Hd1Jf5Gs0Py2Ua7Ie"
    before = "otter " * 665
    answers = [f"{before}{secret} " + "seal " * 1_000, "walrus " * 1_000]
    blocks = [{"type": "tool_result", "content": answer} for answer in answers]
    line = {"type": "user", "sessionId": "s-1", "timestamp": "2026-05-03T18:00:00.000Z", "uuid": "a"}
    lines = json_lines({**line, "message": {"content": blocks}})
    [chat] = read("5f1c.jsonl", lines, ReadOptions(NOW, UTC, tools=True)).content.dialogues
    [turn] = chat.turns
    first, second = turn.text.split("\n\n")
    assert (f"{before}[secret re", 4_000) == (first, len(second))


def test_memories_of_mem0(read: Read) -> None:
    """A memory of mem0 becomes a fact that is valid from its creation, with its categories as tags."""
    one = {"id": "1", "memory": "Likes tea", "user_id": "ann", "categories": ["food"], "hash": "x", "metadata": None}
    found = read("mem0.json", {"results": [{**one, "created_at": "2026-05-03T18:00:00-07:00"}, {**one, "memory": " "}]})
    [fact] = found.statements
    assert ("Likes tea", ("food",), datetime(2026, 5, 4, 1, tzinfo=UTC)) == (fact.text, fact.headings, fact.since)
    assert {"mem0.json, memory 2": "no text"} == reasons(found)
    assert Format.MEM0 == found.format


def test_memories_of_mem0_are_of_one_user(read: Read) -> None:
    """Memories of several users are refused unless `me` is one of them; then those of the others are skipped."""
    several = [{"id": str(n), "memory": f"Fact {n}", "user_id": user} for n, user in enumerate(("ann", "ben"))]
    with pytest.raises(InvalidInput, match="--me which you are: ann, ben"):
        read("mem0.json", several)
    found = read("mem0.json", several, ReadOptions(NOW, UTC, me="ben"))
    assert (["Fact 1"], "ben") == ([each.text for each in found.statements], found.me)
    assert {"mem0.json, memory 1": "of another user"} == reasons(found)


def test_edges_of_zep_and_graphiti(read: Read) -> None:
    """A fact is valid from `valid_at` to `invalid_at` or `expired_at`; one that ends before it begins is skipped."""
    edge = {"uuid": "e", "name": "LIVES_IN", "source_node_uuid": "n1", "target_node_uuid": "n2", "episodes": []}
    then, later = "2024-01-01T00:00:00Z", "2025-01-01T00:00:00+00:00"
    found = read(
        "edges.json",
        {
            "edges": [
                {**edge, "fact": "Ann lives in Graz", "valid_at": then, "invalid_at": later, "expired_at": None},
                {**edge, "fact": "Ann has a dog", "valid_at": None, "invalid_at": None, "expired_at": later},
                {**edge, "fact": "Ann sails", "valid_at": later, "invalid_at": then},
                {**edge, "fact": ""},
            ]
        },
    )
    until = datetime(2025, 1, 1, tzinfo=UTC)
    assert [
        ("Ann lives in Graz", datetime(2024, 1, 1, tzinfo=UTC), until),
        ("Ann has a dog", None, until),
    ] == [(each.text, each.since, each.until) for each in found.statements]
    assert ["it ended before it began", "no text"] == [each.reason for each in found.skipped]


def test_an_agent_file_of_letta(read: Read) -> None:
    """Messages are read, however wrapped, and lines of blocks become facts; the block about the agent is skipped."""
    at = {"created_at": "2026-05-03T18:00:00Z"}
    call = {"id": "x", "type": "function", "function": {"name": "send_message", "arguments": '{"message": "Hi Ann!"}'}}
    packed = '{"type": "user_message", "message": "Hello", "time": "2026-05-03"}'
    messages = [
        {"id": "m1", "role": "system", "content": [{"type": "text", "text": "You are Sam."}], **at},
        {"id": "m2", "role": "user", "content": [{"type": "text", "text": packed}], **at},
        {
            "id": "m3",
            "role": "assistant",
            "content": [{"type": "text", "text": "thinking"}],
            "tool_calls": [call],
            **at,
        },
        {"id": "m4", "role": "user", "content": [{"type": "text", "text": '{"type": "heartbeat"}'}], **at},
        {"id": "m5", "role": "assistant", "content": "Bye.", **at},
        {"id": "m6", "role": "user", "content": "When?"},
    ]
    blocks = [{"label": "human", "value": "Name: Ann\n- Likes tea\n\n"}, {"label": "persona", "value": "I am Sam."}]
    found = read("sam.af", {"agents": [{"id": "agent-1", "name": "Sam", "messages": messages}], "blocks": blocks})
    [chat] = found.content.dialogues
    assert (Format.LETTA, "User", "Sam", ChatKind.PRIVATE) == (found.format, found.me, chat.persona, chat.kind)
    assert [("User", "Hello"), ("Sam", "Hi Ann!"), ("Sam", "Bye.")] == said(found)
    assert [("Name: Ann", ("human",)), ("Likes tea", ("human",))] == [(s.text, s.headings) for s in found.statements]
    assert [
        "neither of the user nor of the agent",
        "no text: a call of a tool, or an event",
        "it has no time",
        "it tells of the agent",
    ] == [each.reason for each in found.skipped]
    older = read("old.json", {"name": "Sam", "core_memory": blocks[:1], "messages": messages[1:2]})
    assert [("User", "Hello")] == said(older)
    assert ["Name: Ann", "Likes tea"] == [each.text for each in older.statements]
