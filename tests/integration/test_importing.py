import asyncio
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from hippograph.api.service import Service
from hippograph.graph.errors import HippographError, InvalidInput, NotFound
from hippograph.graph.model import INTERNAL, ChatKind, Viewer
from hippograph.graph.rights import ALL_RIGHTS
from hippograph.graph.writing.dialogue_file import (
    DialogueFile,
    FileDialogue,
    FileMember,
    FilePassage,
    FilePerson,
    FileTurn,
)
from hippograph.graph.writing.importing import BATCH, chat_id

DEMO_EVIDENCE = {
    "Why did we push back the Soča trip?": ["g27"],
    "When did Jonas adopt Biscuit?": ["g23"],
    "Who interviewed me at Brightwater?": ["m6"],
}
"""The ids of the turns that answer each demo question: the evidence of q1, q3 and q15 of the file, in other words."""
START = datetime(2024, 3, 4, 12, tzinfo=UTC)


def dialogue(turns: int = 6, **more: Any) -> FileDialogue:
    """A dialogue in which Ann and Bob take turns, a minute apart."""
    said = [
        FileTurn(f"t{n}", ("Ann", "Bob")[n % 2], f"words number {n}", START + timedelta(minutes=n))
        for n in range(turns)
    ]
    return FileDialogue(**{"id": "d1", "turns": said, **more})


async def sizes(raw: Any) -> dict[str, int]:
    """The numbers of nodes and of relationships in the graph."""
    [row] = await raw("RETURN COUNT { () } AS nodes, COUNT { ()-[]->() } AS relationships")
    return row


async def test_a_file_twice_is_stored_once(service: Service, raw) -> None:
    """The second import of a file stores nothing, and returns the same chats and memories."""
    content = DialogueFile([dialogue(title="Two people", participants=[FileMember("Ann"), FileMember("Bob")])])
    first = await service.importer.run(service.viewer(), "file", content)
    before = await sizes(raw)
    second = await service.importer.run(service.viewer(), "file", content)
    assert (6, 0, 0, 6) == (first.recorded, first.repeated, second.recorded, second.repeated)
    assert (first.chats, first.memories) == (second.chats, second.memories)
    assert before == await sizes(raw)


async def test_secrets_in_names_are_left_out(service: Service, raw) -> None:
    """A secret in a title or a name of a file is removed, and the turns are imported."""
    secret = "gh" + "p_a8Fk2LmQ9xZr4TnWa8Fk2LmQ9xZr4TnWa8Fk"
    said = [FileTurn("t1", f"Ann {secret}", "Hello", START), FileTurn("t2", f"Atlas {secret}", "Hello", START)]
    content = DialogueFile([FileDialogue("d1", said, title=f"Keys {secret}", persona=f"Atlas {secret}")])
    assert 2 == (await service.importer.run(service.viewer(), "file", content)).recorded
    names = "MATCH (n:Person|Persona|Chat) WHERE n.id <> $me RETURN coalesce(n.canonical_name, n.name, n.title) AS name"
    rows = await raw(f"{names} ORDER BY name", me=service.local_user.id)
    assert [f"{what} [secret removed]" for what in ("Ann", "Atlas", "Keys")] == [row["name"] for row in rows]


async def test_two_imports_at_once_store_it_once(service: Service, raw) -> None:
    """A file that two concurrent calls import is stored once."""
    content = DialogueFile([dialogue(60)])
    both = await asyncio.gather(*(service.importer.run(service.viewer(), "file", content) for _ in range(2)))
    assert (60, 60) == (sum(one.recorded for one in both), sum(one.repeated for one in both))
    assert [{"n": 60}] == await raw("MATCH (m:Memory) RETURN count(m) AS n")
    assert [] == await service.doctor.examine()


async def test_an_import_broken_off_goes_on(service: Service, raw) -> None:
    """An import that was cancelled midway is completed by the next one, without duplicates or gaps in the chain."""
    content, told = DialogueFile([dialogue(2 * BATCH + 50)]), []

    def break_off(done: int, total: int, *_: str) -> None:
        told.append((done, total))
        running.cancel()

    running = asyncio.ensure_future(service.importer.run(service.viewer(), "file", content, progress=break_off))
    with pytest.raises(asyncio.CancelledError):
        await running
    [row] = await raw("MATCH (m:Memory) RETURN count(m) AS n")
    assert [(BATCH, 2 * BATCH + 50)] == told
    assert BATCH <= row["n"] < 2 * BATCH + 50
    again = await service.importer.run(service.viewer(), "file", content)
    assert (2 * BATCH + 50 - row["n"], row["n"]) == (again.recorded, again.repeated)
    [session] = await raw("MATCH (s:Session) RETURN s.turn_count AS turns")
    assert 2 * BATCH + 50 == session["turns"]
    assert [] == await service.doctor.examine()


async def test_progress_is_told_to_the_end(service: Service) -> None:
    """Progress counts the turns of all dialogues, up to their total."""
    told: list[tuple[int, int]] = []
    content = DialogueFile([dialogue(3), dialogue(4, id="d2")])
    await service.importer.run(
        service.viewer(), "file", content, progress=lambda done, total, *_: told.append((done, total))
    )
    assert [(3, 7), (7, 7)] == told


async def test_a_speaker_who_is_no_participant_is_refused(service: Service, raw) -> None:
    """A file with a speaker who is not among the listed participants, even in its last dialogue, writes nothing."""
    before = await sizes(raw)
    good, bad = dialogue(), dialogue(id="d2", participants=[FileMember("Ann")])
    with pytest.raises(InvalidInput, match=r"d2.*'Bob'.*'t1'"):
        await service.importer.run(service.viewer(), "file", DialogueFile([good, bad]))
    assert before == await sizes(raw)


async def test_several_people_in_a_private_dialogue_are_refused(service: Service, raw) -> None:
    """The error names the dialogue and the people, and nothing is written, not even the dialogues before it."""
    before = await sizes(raw)
    good, bad = dialogue(), dialogue(id="d2", kind=ChatKind.PRIVATE)
    with pytest.raises(InvalidInput, match=r"d2.*Ann, Bob.*group"):
        await service.importer.run(service.viewer(), "file", DialogueFile([good, bad]))
    assert before == await sizes(raw)


async def test_blank_turns_are_left_out_and_counted(service: Service, raw) -> None:
    """Turns without text, which transcripts have, are left out and counted; the others are stored in one chain."""
    silence = FileTurn("silence", "Ann", " \n", START)
    imported = await service.importer.run(service.viewer(), "file", DialogueFile([dialogue(turns=2)]))
    again = await service.importer.run(
        service.viewer(), "file", DialogueFile([FileDialogue("d1", [silence, *dialogue(turns=3).turns])])
    )
    assert (0, 1) == (imported.blank, again.blank)
    assert (1, 2) == (again.recorded, again.repeated)
    assert [] == await service.doctor.examine()


async def test_a_bad_turn_stores_no_turn_of_its_batch(service: Service, raw) -> None:
    """A control character, a time in the future or the same id for two turns is a typed error, and no turn of the batch
    is stored.
    """
    good = dialogue().turns
    bad = [
        FileTurn("bad", "Ann", "a \x00 in the words", START),
        FileTurn("bad", "Ann", "words", datetime.now(UTC) + timedelta(days=9)),
        FileTurn("t0", "Ann", "other words", START),
    ]
    for number, turn in enumerate(bad):
        content = DialogueFile([FileDialogue("d", [*good, turn])])
        with pytest.raises(HippographError):
            await service.importer.run(service.viewer(), f"file {number}", content)
    assert [{"n": 0}] == await raw("MATCH (m:Memory) RETURN count(m) AS n")


async def test_persona_people_and_the_viewer_find_their_places(service: Service, raw) -> None:
    """The assistant's turns are stated by its persona and those of `me` by the viewer; a username is stored with its
    person, and each stretch of participation is kept.
    """
    file = {
        "people": [{"name": "Bob", "username": "bobby"}],
        "dialogues": [
            {
                "id": "d1",
                "kind": "group",
                "persona": "Atlas",
                "participants": [
                    {"name": "Ann"},
                    {"name": "Bob", "since": "2024-03-04T12:00:00Z", "until": "2024-03-05T00:00:00Z"},
                    {"name": "Bob", "since": "2024-03-06T00:00:00Z"},
                ],
                "turns": [
                    {"id": "a", "speaker": "Ann", "text": "hi", "time": "2024-03-04T12:00:00Z"},
                    {"id": "b", "speaker": "Bob", "text": "ho", "time": "2024-03-04T12:01:00Z"},
                    {"id": "c", "speaker": "Atlas", "text": "hello", "time": "2024-03-04T12:02:00Z"},
                ],
            }
        ],
    }
    content = TypeAdapter(DialogueFile).validate_python(file)
    imported = await service.importer.run(service.viewer(), "file", content, me="Ann")
    assert chat_id(service.viewer(), "file", "d1") == imported.chats["d1"]
    rows = await raw(
        "MATCH (m:Memory)-[:STATED_BY]->(s) RETURN coalesce(s.name, s.canonical_name) AS who ORDER BY m.turn"
    )
    assert [service.local_user.canonical_name, "Bob", "Atlas"] == [row["who"] for row in rows]
    rows = await raw("MATCH (p:Person {canonical_name: 'Bob'})-[part:PARTICIPATES_IN]->() RETURN p.usernames AS names")
    assert [{"names": ["bobby"]}] * 2 == rows


async def speakers(raw: Any) -> dict[str, str]:
    """The ids of the speakers, by the text of their turns."""
    return {
        row["said"]: row["id"]
        for row in await raw("MATCH (m:Memory)-[:STATED_BY]->(p:Person) RETURN m.content AS said, p.id AS id")
    }


def one_turn(name: str, text: str) -> FileDialogue:
    """A dialogue of one turn."""
    return FileDialogue("d1", [FileTurn("t1", name, text, START)])


async def test_people_of_a_file_are_its_own(service: Service, raw) -> None:
    """People of different files who have the same name, or the viewer's, are separate people, also after a second
    import; they are suggested for merging.
    """
    mine = service.local_user.canonical_name
    files = {"one": ("Sam", "first"), "two": ("Sam", "second"), "three": (mine, "third")}
    for _ in range(2):
        for file, said in files.items():
            await service.importer.run(service.viewer(), file, DialogueFile([one_turn(*said)]))
    found = await speakers(raw)
    assert 4 == len({*found.values(), service.local_user.id})
    suggested = (await service.merging.suggestions(service.viewer())).items
    expected = {frozenset((found["first"], found["second"])), frozenset((found["third"], service.local_user.id))}
    assert expected == {frozenset((each.item.one.id, each.item.other.id)) for each in suggested}


async def test_a_username_joins_people_of_files(service: Service, raw) -> None:
    """A person with a username in the file is whoever has it here, whatever their name; without one they are new."""
    known = await service.people.create_person(INTERNAL, "Samuel Ortiz", usernames=["sam"])
    people = [FilePerson("Sam", "@Sam")]
    await service.importer.run(service.viewer(), "one", DialogueFile([one_turn("Sam", "first")], people=people))
    await service.importer.run(service.viewer(), "two", DialogueFile([one_turn("Sam", "second")]))
    found = await speakers(raw)
    assert known.id == found["first"] != found["second"]


async def test_a_mapping_joins_people_of_files(service: Service, raw) -> None:
    """A mapped name is the person it is mapped to; a name unknown in the file or here is refused before any write."""
    known = await service.people.create_person(INTERNAL, "Samuel Ortiz", usernames=["sam"])
    content, before = DialogueFile([one_turn("Sam", "first")]), await sizes(raw)
    for mapping, error in (({"Sam": "@nobody"}, NotFound), ({"Tom": "@sam"}, InvalidInput)):
        with pytest.raises(error):
            await service.importer.run(service.viewer(), "one", content, mapping=mapping)
    assert before == await sizes(raw)
    await service.importer.run(service.viewer(), "one", content, mapping={"Sam": "@sam"})
    assert {"first": known.id} == await speakers(raw)


async def test_who_was_merged_stays_so(service: Service, raw) -> None:
    """Turns of a person who was merged into another are that person's when the file is imported again."""
    known = await service.people.create_person(service.viewer(), "Samuel Ortiz", usernames=["sam"])
    await service.importer.run(service.viewer(), "one", DialogueFile([one_turn("Sam", "first")]))
    await service.merging.merge(service.viewer(), known.id, (await speakers(raw))["first"])
    grown = one_turn("Sam", "first")
    grown.turns.append(FileTurn("t2", "Sam", "second", START))
    again = await service.importer.run(service.viewer(), "one", DialogueFile([grown]))
    assert (1, 1) == (again.recorded, again.repeated)
    assert {"first": known.id, "second": known.id} == await speakers(raw)


async def test_two_accounts_import_one_file(service: Service) -> None:
    """Files of the same name that two accounts import become separate chats."""
    ben = await service.people.create_person(INTERNAL, "Ben Okafor")
    content = DialogueFile([one_turn("Sam", "first")])
    mine = await service.importer.run(service.viewer(), "file", content)
    bens = await service.importer.run(Viewer(ben.id, rights=ALL_RIGHTS), "file", content)
    assert mine.chats["d1"] != bens.chats["d1"]
    assert (1, 1) == (mine.recorded, bens.recorded)


async def test_a_long_text_becomes_parts(service: Service, raw) -> None:
    """A text over the limit becomes consecutive turns tagged as parts; a second import stores nothing twice."""
    limit = service.settings.max_message_characters
    paragraph = "The quick brown fox jumps over the lazy dog. " * 100
    text = "\n\n".join([paragraph.strip()] * (5 * limit // (2 * len(paragraph))))
    assert len(text) > 2 * limit
    turns = [
        FileTurn("before", "Ann", "short", START),
        FileTurn("long", "Ann", text, START + timedelta(minutes=1)),
        FileTurn("after", "Bob", "short too", START + timedelta(minutes=2)),
    ]
    content = DialogueFile([FileDialogue("d1", turns)], passages=[FilePassage("p1", "Fox", text)])
    first, second = [await service.importer.run(service.viewer(), "file", content) for _ in range(2)]
    assert (8, 2, 0, 8) == (first.recorded, first.split, second.recorded, second.repeated)
    rows = await raw(
        "MATCH (m:Memory {learned_in: $chat})-[:STATED_BY]->(p) "
        "RETURN m.content AS text, m.tags AS tags, m.session_id AS session, p.canonical_name AS who, "
        "m.event_time AS at ORDER BY m.turn",
        chat=first.chats["d1"],
    )
    parts = rows[1:-1]
    assert [[f"part {number} of 3"] for number in (1, 2, 3)] == [row["tags"] for row in parts]
    assert text == "\n\n".join(row["text"] for row in parts)
    assert {("Ann", turns[1].time)} == {(row["who"], row["at"]) for row in parts}
    assert 1 == len({row["session"] for row in rows})
    assert [] == await service.doctor.examine()


async def test_a_secret_is_not_cut_in_two(service: Service, raw) -> None:
    """A secret at the place where a long text is split is removed and counted."""
    limit, secret = service.settings.max_message_characters, "AKIAIOSFODNN7EXAMPLE"
    text = "x" * (limit - 10) + " " + secret + " and more " + "y" * limit
    imported = await service.importer.run(service.viewer(), "file", DialogueFile([one_turn("Ann", text)]))
    assert 1 == imported.secrets_removed
    texts = [row["text"] for row in await raw("MATCH (m:Memory) RETURN m.content AS text")]
    assert not any(secret[:8] in each for each in texts)


async def test_passages_are_a_chat_of_the_viewers(service: Service) -> None:
    """Passages are stored in one chat, each in its own session, and are found by their words and titles."""
    passages = [FilePassage("p1", "Graz", "A city on the Mur."), FilePassage("p2", "Mur", "A river in Austria.")]
    imported = await service.importer.run(service.viewer(), "wiki", DialogueFile(passages=passages))
    [chat] = imported.chats.values()
    page = await service.search.search(service.viewer(chat), "city Mur")
    assert {"A city on the Mur.", "A river in Austria."} == {result.memory.content for result in page.results}
    assert 2 == len({result.memory.session_id for result in page.results})


@pytest.fixture
async def sample(service: Service, root: Path, drain) -> tuple[dict[str, Any], Any, Viewer]:
    """The sample file, the result of its import for Maya, and Maya as the viewer; all vectors are there."""
    text = (root / "examples/sample.json").read_text("utf-8")
    maya = await service.people.create_person(INTERNAL, "Maya Lindqvist", usernames=["maya"])
    viewer = Viewer(maya.id, rights=ALL_RIGHTS)
    content = TypeAdapter(DialogueFile).validate_json(text)
    imported = await service.importer.run(viewer, "sample", content, me="Maya Lindqvist")
    await drain()
    return json.loads(text), imported, viewer


@pytest.mark.embedding_ranked
async def test_the_sample_is_there_and_answers(service: Service, sample, raw) -> None:
    """The sample's chats, members and persona are stored, and each demo question finds its evidence first."""
    file, imported, viewer = sample
    rows = await raw("MATCH (c:Chat) RETURN c.id AS id, c.kind AS kind, c.title AS title")
    expected = {(imported.chats[d["id"]], d["kind"], d["title"]) for d in file["dialogues"]}
    assert expected == {(row["id"], row["kind"], row["title"]) for row in rows}
    assert {ChatKind.GROUP, ChatKind.PRIVATE} == {row["kind"] for row in rows}
    for told in file["dialogues"]:
        parts = "MATCH (p)-[part:PARTICIPATES_IN]->(:Chat {id: $id}) RETURN p.canonical_name AS name ORDER BY name"
        rows = await raw(parts, id=imported.chats[told["id"]])
        expected = sorted(member["name"] for member in told["participants"] if member["name"] != told.get("persona"))
        assert expected == [row["name"] for row in rows]
    assert [{"name": "Atlas"}] == await raw("MATCH (p:Persona) RETURN p.name AS name")
    assert sum(len(d["turns"]) for d in file["dialogues"]) == imported.recorded
    assert [] == await service.doctor.examine()

    atlas = await service.people.create_persona(INTERNAL, "Atlas")
    for demo in file["demo"]:
        me = Viewer(viewer.person_id, imported.chats[demo["dialogue"]], atlas.id)
        page = await service.search.search(me, demo["question"], first=3)
        turns = {memory: turn for turn, memory in imported.memories[demo["dialogue"]].items()}
        assert turns[page.results[0].memory.id] in DEMO_EVIDENCE[demo["question"]], demo["question"]


@pytest.mark.embedding_ranked
async def test_what_must_not_travel_does_not(service: Service, sample) -> None:
    """What Priya told Atlas in private is found by her, but not by Maya, neither in her own chats nor outside any;
    Priya's chat does not exist for Maya.
    """
    _, imported, viewer = sample
    atlas = await service.people.create_persona(INTERNAL, "Atlas")
    priya = await service.people.called(Viewer(viewer.person_id, rights=ALL_RIGHTS), "@priya")
    secret = set(next(memories for name, memories in imported.memories.items() if name.startswith("priya")).values())
    question = "What did Priya's blood test show?"
    own = [chat for name, chat in imported.chats.items() if not name.startswith("priya")]
    for chat in (None, *own):
        page = await service.search.search(Viewer(viewer.person_id, chat, atlas.id), question, first=100)
        assert set() == secret & {result.memory.id for result in page.results}
    [hers] = set(imported.chats.values()) - set(own)
    with pytest.raises(NotFound):
        await service.search.search(Viewer(viewer.person_id, hers, atlas.id), question)
    page = await service.search.search(Viewer(priya.id, None, atlas.id), question, first=3)
    assert secret & {result.memory.id for result in page.results}


async def test_turns_of_a_file_tell_what_they_belong_to(service, drain) -> None:
    """The tags, narrative, task, source and attributes of a turn in a file are stored in its memory."""
    belongs = {"narrative": "winter", "task": "heating", "source": "tool_result", "attributes": {"sensor": 7}}
    turn = FileTurn("1", "Ada", "The boiler shows 61 degrees", START, tags=["house"], **belongs)
    imported = await service.importer.run(service.viewer(), "house", DialogueFile([FileDialogue("one", [turn])]))
    await drain()
    memory_id = imported.memories["one"]["1"]
    found = (await service.browsing.memories(service.viewer(), [memory_id]))[memory_id]
    assert {"tags": ("house",), **belongs} == {name: getattr(found, name) for name in ("tags", *belongs)}
