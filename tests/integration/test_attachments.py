"""Attachments of turns: search by their words, their display, and the rules of the turn, which apply to them too."""

import json
from typing import Any

import pytest

from hippograph.api.global_ids import global_id
from hippograph.graph.checks import MAX_ATTACHMENTS
from hippograph.graph.errors import Conflict, InvalidInput
from hippograph.graph.model import INTERNAL, Viewer
from hippograph.graph.transfer.forgetting import Selection
from hippograph.graph.writing.dialogue_file import DialogueFile, FileDialogue, FileTurn
from hippograph.nlp.attachments import Attachment, AttachmentKind
from tests.integration.conftest import LONG_AGO, NOON
from tests.integration.test_long_texts import NEEDLE, QUESTION, long_text
from tests.integration.test_memory_page import visitor
from tests.integration.test_secrets import SECRET

PHOTO = Attachment(AttachmentKind.PHOTO, "IMG_2041.jpg", "the hut at sunset", None, "https://a.example/hut.jpg")
LEASE = Attachment(AttachmentKind.FILE, "tenancy_agreement.pdf", text="I live in Tromsø.\nI promise to keep no llama.")
SAID = """Look at this
[photo: IMG_2041.jpg] the hut at sunset
[file: tenancy_agreement.pdf]
> I live in Tromsø.
> I promise to keep no llama."""


@pytest.fixture
async def said(scene) -> str:
    """The id of a turn with two attachments, by Maya in her private chat; a turn without any follows it."""
    stored = await scene.say("Look at this", chat=scene.private, at=scene.minutes(0), attachments=(PHOTO, LEASE))
    await scene.say("The tram is late.", chat=scene.private, at=scene.minutes(1))
    return stored.memory_id


async def everything(raw) -> str:
    """Returns all labels, types and properties of nodes and relationships, as one JSON text."""
    nodes = await raw("MATCH (n) WHERE NOT n:__Neo4jMigration RETURN labels(n) AS labels, properties(n) AS all")
    edges = await raw("MATCH ()-[r]->() RETURN type(r) AS type, properties(r) AS all")
    return json.dumps([nodes, edges], default=str, ensure_ascii=False)


async def found(scene, query: str, viewer: Viewer | None = None) -> list[str]:
    """Returns the ids of the results of a search, by default of Maya's in her private chat."""
    page = await scene.service.search.search(viewer or scene.viewer(scene.maya, scene.private), query)
    return [each.memory.id for each in page.results]


@pytest.mark.parametrize("query", ["IMG_2041", "sunset", "tenancy agreement", "llama"])
async def test_it_is_found_by_its_words(scene, said, query: str) -> None:
    """A turn is found by the name of a file, the words in that name, a caption and a text, without any enrichment."""
    assert said == (await found(scene, query))[0]


@pytest.mark.embedding_ranked
async def test_it_is_found_by_its_meaning(scene, said, drain) -> None:
    """A turn is found by the meaning of a caption, since its embedding covers the attachments."""
    await drain()
    assert said == (await found(scene, "a picture of the cabin in the evening"))[0]


async def test_what_is_found_shows_the_turn(scene, said, drain) -> None:
    """A loaded turn has the marks in its content and the attachments as given; a context shows it on one line."""
    await drain()
    viewer = scene.viewer(scene.maya, scene.private)
    memory = (await scene.service.memories.load(viewer, [said]))[said]
    assert (SAID, (PHOTO, LEASE)) == (memory.content, memory.attachments)
    context = await scene.service.contexts.context(viewer, "Where is the hut?")
    assert "Look at this [photo: IMG_2041.jpg] the hut at sunset [file: tenancy_agreement.pdf]" in context.text


async def test_nobody_else_finds_it(scene, said, drain) -> None:
    """A viewer who may not see the turn does not find it by its attachments."""
    await drain()
    assert [] == await found(scene, "sunset llama", Viewer(scene.ben.id))
    assert [] == await found(scene, "sunset llama", scene.viewer(scene.ben))


async def test_a_text_in_it_is_as_private_as_it_sounds(scene, raw) -> None:
    """A sensitive text in an attachment makes the turn sensitive."""
    letter = Attachment(AttachmentKind.FILE, "letter.pdf", text="The biopsy shows that the tumour is malignant.")
    await scene.say("Look", attachments=(letter,))
    [row] = await raw("MATCH (m:Episodic) RETURN m.sensitivity AS sensitivity")
    assert "sensitive" == row["sensitivity"]


async def test_a_long_text_is_found_to_its_end(scene, drain) -> None:
    """A long text in an attachment is found by its parts; the result and a context quote the matching part behind the
    mark of the file.
    """
    read = Attachment(AttachmentKind.FILE, "minutes.pdf", text=long_text(1.0))
    stored = await scene.say("The minutes", chat=scene.private, at=scene.minutes(0), attachments=(read,))
    await drain()
    page = await scene.service.search.search(scene.viewer(scene.maya, scene.private), QUESTION)
    assert stored.memory_id == page.results[0].memory.id
    assert NEEDLE in page.results[0].passage.text
    assert page.results[0].excerpt.startswith("… [file: minutes.pdf] > ")
    context = await scene.service.contexts.context(scene.viewer(scene.maya, scene.private), QUESTION)
    assert ": … [file: minutes.pdf] > " in context.text


async def test_a_caption_is_said_and_a_text_is_not(scene, learn, raw) -> None:
    """Facts, todos and summaries are made from words and captions, not from the text that was read in a file."""
    lease = Attachment(AttachmentKind.FILE, "lease.pdf", "I live in Bergen.", LEASE.text)
    await scene.say("I work as a carpenter.", chat=scene.private, at=scene.minutes(0), attachments=(lease,))
    await scene.service.sessions.close(scene.viewer(scene.maya, scene.private), scene.private.id, None)
    await learn()
    while await scene.service.summaries.step() + await scene.service.talk_summaries.step():
        pass
    rows = await raw("MATCH (n:Memory|Todo) WHERE NOT n:Episodic RETURN n.content AS content")
    made = " ".join(row["content"] for row in rows)
    assert [True, True, False, False] == [word in made for word in ("Bergen", "carpenter", "Tromsø", "llama")]


async def test_an_attachment_alone_is_a_turn(scene) -> None:
    """A turn may have an attachment and no words; its content is then the mark."""
    stored = await scene.say(" ", attachments=(Attachment(AttachmentKind.AUDIO),))
    loaded = await scene.service.memories.load(scene.viewer(), [stored.memory_id])
    assert "[audio]" == loaded[stored.memory_id].content


async def test_another_address_is_another_turn(scene, said) -> None:
    """A retried write with the same key and attachments returns the stored turn; another address is a conflict."""
    once = {"idempotency_key": "k", "at": NOON, "chat": scene.private}
    first = await scene.say("Look", attachments=(PHOTO,), **once)
    again = await scene.say("Look", attachments=(PHOTO,), **once)
    assert (first.memory_id, True) == (again.memory_id, again.repeated)
    moved = Attachment(PHOTO.kind, PHOTO.name, PHOTO.caption, None, "https://b.example/hut.jpg")
    with pytest.raises(Conflict):
        await scene.say("Look", attachments=(moved,), **once)


async def test_there_is_a_bound_to_it(scene) -> None:
    """A turn has at most 20 attachments, and their texts count towards the maximum length of a message."""
    one, most = Attachment(AttachmentKind.PHOTO), scene.service.recorder.max_characters
    await scene.say("", attachments=(one,) * MAX_ATTACHMENTS)
    with pytest.raises(InvalidInput, match="at most 20"):
        await scene.say("", attachments=(one,) * (MAX_ATTACHMENTS + 1))
    half = Attachment(AttachmentKind.FILE, text="x" * (most // 2))
    with pytest.raises(InvalidInput, match="are allowed"):
        await scene.say("", attachments=(half, half))


async def test_no_part_of_it_keeps_a_secret(scene, raw) -> None:
    """Secrets are removed from the words, the name, the caption, the text and the address, and counted."""
    address = f"https://a.example/x?token={SECRET}"
    kept = Attachment(AttachmentKind.FILE, f"{SECRET}.pdf", f"key {SECRET}", f"one\n{SECRET}\ntwo", address)
    stored = await scene.say(f"It is {SECRET}", attachments=(kept,))
    assert SECRET not in await everything(raw)
    assert 5 == stored.secrets_removed
    [memory] = (await scene.service.memories.load(scene.viewer(), [stored.memory_id])).values()
    assert "It is [secret removed]\n[file: [secret removed].pdf] key [secret removed]" in memory.content
    assert "https://a.example/x?token=[secret removed]" == memory.attachments[0].address


@pytest.mark.parametrize(
    ("words", "kept", "content"),
    [
        (
            "The code for the safe is:",
            Attachment(AttachmentKind.PHOTO, caption="48215993"),
            "The code for the safe is:\n[photo] [secret removed]",
        ),
        (
            "Look",
            Attachment(AttachmentKind.FILE, "wifi_password.txt", text="Sunflower92x"),
            "Look\n[file: wifi_password.txt]\n> [secret removed]",
        ),
        (
            "",
            Attachment(AttachmentKind.FILE, "a.txt", "wifi password", "Sunflower92x"),
            "[file: a.txt] wifi password\n> [secret removed]",
        ),
        (
            "The wifi password is below",
            Attachment(AttachmentKind.PHOTO, "IMG_2041.jpg", "the hut at sunset", "Welcome"),
            "The wifi password is below\n[photo: IMG_2041.jpg] the hut at sunset\n> Welcome",
        ),
    ],
)
async def test_what_is_announced_is_a_secret(scene, words: str, kept: Attachment, content: str) -> None:
    """A secret is also removed if another part announces it: the words, the file name or the caption before it. A text
    that is no secret stays.
    """
    stored = await scene.say(words, attachments=(kept,))
    [memory] = (await scene.service.memories.load(scene.viewer(), [stored.memory_id])).values()
    assert (content, content.count("[secret removed]")) == (memory.content, stored.secrets_removed)


async def test_what_is_announced_is_a_secret_in_another_part(scene, raw) -> None:
    """An announced secret is also removed if a long turn is split on import and the file comes in the next part."""
    most = scene.service.recorder.max_characters
    words = "walk on " * (most // 8 - 5) + "The code for the safe is:"
    turn = FileTurn("t", "Ann", words, NOON, attachments=[Attachment(AttachmentKind.PHOTO, "a.jpg", "48215993")])
    imported = await scene.service.importer.run(
        scene.service.viewer(), "file", DialogueFile([FileDialogue("d", [turn])]), me="Ann"
    )
    assert (2, 1) == (imported.recorded, imported.secrets_removed)
    assert "48215993" not in await everything(raw)


async def test_an_export_of_a_person_has_it(scene, said) -> None:
    """The export of a person has the marks in the content of a turn, and the addresses beside it."""
    held = (await scene.service.person_export.export(Viewer(scene.maya.id), scene.maya.id))["memories"]
    [turn] = [each for each in held if each["id"] == said]
    assert (SAID, [PHOTO.address, ""]) == (turn["content"], turn["attachments"])


async def test_a_purge_leaves_nothing_of_it(scene, said, drain, raw) -> None:
    """A forgotten turn is not found by its attachments, and a purged one leaves none of their words in the graph."""
    await drain()
    viewer = scene.viewer(scene.maya, scene.private)
    await scene.service.facts.forget(viewer, said)
    assert said not in await found(scene, "sunset llama")
    acts = scene.service.forgettings
    plan = await acts.plan(Viewer(scene.maya.id), Selection(ids=(said,)))
    await acts.purge(Viewer(scene.maya.id), plan.id)
    await acts.finished(Viewer(scene.maya.id), plan.id)
    left = await everything(raw)
    assert [] == [word for word in ("IMG_2041", "sunset", "tenancy", "llama", "a.example") if word in left]


async def test_an_erased_person_is_named_in_none_of_it(scene, drain, raw) -> None:
    """Erasing a person removes their name from the attachments of others' turns: from file names, captions, texts and
    addresses. The marks stay readable.
    """
    people = scene.service.people
    her = await people.create_person(INTERNAL, "Wilhelmina Quackenbush")
    await people.join_chat(scene.viewer(), scene.group.id, her.id, since=LONG_AGO)
    cv = Attachment(
        AttachmentKind.FILE,
        "wilhelmina_quackenbush_cv.pdf",
        "of Wilhelmina Quackenbush",
        "Curriculum\nWilhelmina Quackenbush",
        "file:///home/wilhelmina_quackenbush/cv.pdf",
    )
    stored = await scene.say("Look, Maya Lindqvist", by=scene.ben, attachments=(cv, PHOTO))
    await drain()
    await scene.service.erasures.erase(INTERNAL, her.id)
    left = (await everything(raw)).casefold()
    assert ("wilhelmina" in left, "quackenbush" in left) == (False, False)
    [memory] = (await scene.service.memories.load(scene.viewer(), [stored.memory_id])).values()
    gone = "[name removed]"
    address = f"file:///home/{gone}/cv.pdf"
    assert (
        Attachment(AttachmentKind.FILE, f"{gone}_cv.pdf", f"of {gone}", f"Curriculum\n{gone}", address),
        PHOTO,
    ) == memory.attachments


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("Wilhelmina Quackenbush", "Wilhelmina%20Quackenbush"),
        ("Jürgen Quäckenbusch", "J%C3%BCrgen+Qu%C3%A4ckenbusch"),
        ("Östen Quäckenbusch", "%C3%96sten%5FQu%C3%A4ckenbusch"),
    ],
)
async def test_an_erased_person_is_named_in_no_address(scene, drain, name: str, written: str) -> None:
    """Erasing a person removes their name, however it is encoded, from attached addresses and from the words."""
    people = scene.service.people
    them = await people.create_person(INTERNAL, name)
    await people.join_chat(scene.viewer(), scene.group.id, them.id, since=LONG_AGO)
    address = "https://a.example/a%20b/{}.pdf"
    cv = Attachment(AttachmentKind.FILE, f"{name}.pdf", address=address.format(written))
    stored = await scene.say(
        f"Look, Maya Lindqvist: {cv.address} and https://a.example/x%20y", by=scene.ben, attachments=(cv, PHOTO)
    )
    await drain()
    await scene.service.erasures.erase(INTERNAL, them.id)
    [memory] = (await scene.service.memories.load(scene.viewer(), [stored.memory_id])).values()
    gone = "https://a.example/a b/[name removed].pdf"
    assert ([gone, PHOTO.address], True) == (
        [each.address for each in memory.attachments],
        memory.content.startswith(f"Look, Maya Lindqvist: {gone} and https://a.example/x%20y\n"),
    )


async def test_a_long_attachment_is_imported_in_parts(scene, raw) -> None:
    """A turn with too many or too long attachments is imported in parts without loss; importing it again adds none."""
    most = scene.service.recorder.max_characters
    text = "\n".join(f"line {number}" for number in range(most // 4))
    many = [Attachment(AttachmentKind.FILE, "long.txt", "read it", text), *[Attachment(AttachmentKind.PHOTO)] * 30]
    turn = FileTurn("t", "Ann", "Here", NOON, attachments=many)
    content = DialogueFile([FileDialogue("d", [turn])])
    viewer = scene.service.viewer()
    imported = await scene.service.importer.run(viewer, "file", content, me="Ann")
    assert (1, 0) == (imported.split, len(imported.refused))
    again = await scene.service.importer.run(viewer, "file", content, me="Ann")
    assert (0, imported.recorded) == (again.recorded, again.repeated)
    ids = [row["id"] for row in await raw("MATCH (m:Episodic) RETURN m.id AS id ORDER BY m.turn")]
    loaded = await scene.service.memories.load(Viewer(scene.me, imported.chats["d"]), ids)
    parts = [each for one in ids for each in loaded[one].attachments]
    assert text == "\n".join(each.text for each in parts if each.text)
    assert (30, "read it") == (sum(each.kind is AttachmentKind.PHOTO for each in parts), parts[0].caption)


@pytest.mark.parametrize("name", ["label.csv", "labels.csv"])
async def test_a_column_of_digits_is_imported(scene, name: str) -> None:
    """A text of lines of one character, which grows most when it is quoted, is imported and no part is refused."""
    column = Attachment(AttachmentKind.FILE, name, text="\n".join("7" * scene.service.recorder.max_characters))
    turn = FileTurn("t", "Ann", "", NOON, attachments=[column])
    content = DialogueFile([FileDialogue("d", [turn])])
    imported = await scene.service.importer.run(scene.service.viewer(), "file", content, me="Ann", leave_out=True)
    assert ([], imported.recorded) == (imported.refused, len(imported.memories["d"]))
    assert imported.recorded


async def test_no_text_is_stored_without_its_beginning(scene, raw) -> None:
    """If the first part of a turn is refused, since it was imported before without its file, so are the other parts."""
    text = "\n".join(f"line {number}" for number in range(scene.service.recorder.max_characters // 4))
    viewer, importer = scene.service.viewer(), scene.service.importer
    bare, other = FileTurn("t", "Ann", "Here", NOON), FileTurn("u", "Ann", "And there", NOON)
    await importer.run(viewer, "file", DialogueFile([FileDialogue("d", [bare])]), me="Ann")
    whole = FileTurn("t", "Ann", "Here", NOON, attachments=[Attachment(AttachmentKind.FILE, "long.txt", text=text)])
    content = DialogueFile([FileDialogue("d", [whole, other])])
    imported = await importer.run(viewer, "file", content, me="Ann", leave_out=True)
    assert [row["c"] for row in await raw("MATCH (m:Episodic) RETURN m.content AS c ORDER BY m.turn")] == [
        "Here",
        "And there",
    ]
    assert ("t", "its first part was refused") == (imported.refused[0].turn, imported.refused[1].reason)
    assert (1, {"u"}) == (imported.recorded, set(imported.memories["d"]))


RECORD = """
mutation Record($input: RecordMessageInput!) {
  recordMessage(input: $input) {
    ... on RecordMessagePayload { memory { content attachments { kind name caption text address } } }
    ... on Error { code message }
  }
}"""


async def test_it_comes_in_and_out_by_graphql(ask, scene) -> None:
    """GraphQL returns a recorded attachment as given and in the content; an address with `javascript:` is refused."""
    photo = {"kind": "PHOTO", "name": "IMG_2041.jpg", "caption": "the hut", "address": "https://a.example/hut.jpg"}
    asked: dict[str, Any] = {"chatId": global_id("Chat", scene.group.id), "content": "", "attachments": [photo]}
    answer = (await ask(RECORD, input=asked))["data"]["recordMessage"]
    told = {"content": "[photo: IMG_2041.jpg] the hut", "attachments": [{**photo, "text": None}]}
    assert {"memory": told} == answer
    wrong = await ask(RECORD, input={**asked, "attachments": [{"kind": "FILE", "address": "javascript:alert(1)"}]})
    assert "INVALID_INPUT" == wrong["data"]["recordMessage"]["code"]


async def test_the_page_shows_it_escaped(scene, drain) -> None:
    """`/memory` shows the name of a file as escaped text, and does not contain its address."""
    hostile = Attachment(AttachmentKind.PHOTO, "<img src=x>.jpg", "the hut", None, "https://a.example/hut.jpg")
    stored = await scene.say("Look", by=scene.service.local_user, attachments=(hostile,))
    await drain()
    async with visitor(scene.service) as page:
        for path in (f"/memory?q=hut&chat={scene.group.id}", f"/memory/item/{stored.memory_id}"):
            shown = (await page.get(path)).text
            assert "[photo: &lt;img src=x&gt;.jpg] the hut" in shown
            assert ("<img" in shown, "a.example" in shown) == (False, False)
