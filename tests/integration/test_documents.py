import asyncio
from typing import Any

import pytest

from hippograph.api.service import Service
from hippograph.graph.model import NO_END, Viewer
from hippograph.graph.rights import ALL_RIGHTS
from hippograph.graph.transfer.documents import MOST_PIECES, Replaced
from hippograph.graph.transfer.forgetting import Selection
from hippograph.graph.transfer.formats.container import open_container
from hippograph.graph.transfer.formats.documents import read
from hippograph.graph.transfer.formats.reading import Document, ReadOptions, Statement
from tests.neo4j_servers import driver_of

FIRST = "# Plans\n\nI live in Graz.\n\n- Kim plays the oboe.\n- Buy rye flour.\n"
SECOND = "# Plans\n\nI live in Linz.\n\n- Kim plays the oboe.\n- Buy spelt flour.\n"


@pytest.fixture
def bring(service: Service, tmp_path):
    """Imports a folder of documents, given by their names and texts."""

    async def do(viewer: Viewer | None = None, *, prune: bool = False, **texts: Any) -> Any:
        options = {name: texts.pop(name, False) for name in ("bring_back", "own_words")}
        folder = tmp_path / "notes"
        folder.mkdir(exist_ok=True)
        for old in folder.iterdir():
            old.unlink()
        for name, text in texts.items():
            (folder / f"{name}.md").write_text(text)
        found = read(open_container(folder), ReadOptions(service.clock()))
        importer, asks = service.document_importer, viewer or service.viewer()
        done = await importer.run(asks, found.name, found.documents, **options)
        done.gone = await importer.gone(asks, found.name, found.there, prune=prune)
        return done

    return do


async def believed(raw, label: str = "Episodic") -> dict[str, str]:
    """What is believed, by its words, and its ids."""
    rows = await raw(f"MATCH (m:{label}) WHERE m.retired_at = $no_end RETURN m.content AS c, m.id AS id", no_end=NO_END)
    return {row["c"]: row["id"] for row in rows}


async def test_a_document_becomes_memories(bring, service, raw) -> None:
    """Each paragraph and list item is one, with its headings, its document and where it came from; personal."""
    done = await bring(plan=FIRST)
    assert [Replaced("plan.md", recorded=3)] == done.documents
    rows = await raw(
        "MATCH (m:Episodic) RETURN DISTINCT m.source AS source, m.tags AS tags, m.narrative_id AS document, "
        "m.title AS title, m.owner_id AS owner"
    )
    expected = {"source": "migration", "tags": ["Plans"], "document": "plan.md", "title": "plan"}
    assert [expected | {"owner": service.local_user.id}] == rows
    found = await service.search.search(service.viewer(), "Who plays the oboe?", first=1)
    assert ["Kim plays the oboe."] == [result.memory.content for result in found.results]


async def test_a_document_twice_is_stored_once(bring, dump) -> None:
    """The second import changes nothing."""
    await bring(plan=FIRST, garden="Tomatoes want water.")
    before = await dump()
    done = await bring(plan=FIRST, garden="Tomatoes want water.")
    assert [Replaced("garden.md", repeated=1), Replaced("plan.md", repeated=3)] == done.documents
    assert before == await dump()


async def test_a_changed_document_replaces_what_changed(bring, service, raw, learn) -> None:
    """What did not change keeps its id; the rest is retired with what was found in it alone, and the new is there."""
    await bring(plan=FIRST, own_words=True)
    await learn()
    before, facts = await believed(raw), await believed(raw, "Semantic")
    assert any("Graz" in fact for fact in facts)
    done = await bring(plan=SECOND, own_words=True)
    assert [Replaced("plan.md", recorded=2, repeated=1, retired=2)] == done.documents
    await learn()
    after, facts = await believed(raw), await believed(raw, "Semantic")
    assert {"I live in Linz.", "Kim plays the oboe.", "Buy spelt flour."} == after.keys()
    assert before["Kim plays the oboe."] == after["Kim plays the oboe."]
    assert [False, True] == [any(town in fact for fact in facts) for town in ("Graz", "Linz")]
    assert [] == await service.doctor.examine()


async def test_what_nobody_said_makes_no_fact(bring, raw, learn) -> None:
    """A document is read out; told to be one's own words, each piece is there once all the same."""
    await bring(plan=FIRST)
    await learn()
    assert {} == await believed(raw, "Semantic")
    assert [Replaced("plan.md", recorded=3, retired=3)] == (await bring(plan=FIRST, own_words=True)).documents
    assert 3 == len(await believed(raw))


async def test_words_that_come_back_are_believed_again(bring, service, raw, learn) -> None:
    """A document that is as it was before says what it said."""
    for text in (FIRST, SECOND, FIRST, SECOND, FIRST):
        done = await bring(plan=text)
        await learn()
    assert [Replaced("plan.md", recorded=2, repeated=1, retired=2)] == done.documents
    assert {"I live in Graz.", "Kim plays the oboe.", "Buy rye flour."} == (await believed(raw)).keys()
    assert [] == await service.doctor.examine()


async def test_what_was_forgotten_by_hand_stays_forgotten(bring, service, raw) -> None:
    """Also when the document is imported again."""
    await bring(plan=FIRST)
    await service.facts.forget(service.viewer(), (await believed(raw))["Buy rye flour."])
    assert [Replaced("plan.md", repeated=3)] == (await bring(plan=FIRST)).documents
    assert "Buy rye flour." not in await believed(raw)


async def test_what_was_purged_does_not_come_back(bring, service, raw) -> None:
    """What is there, and what the document did not hold any more, until it is to be brought back."""
    await bring(plan=FIRST)
    await bring(plan=SECOND)
    ids = await raw("MATCH (m:Episodic) WHERE NOT m.content CONTAINS 'spelt' RETURN collect(m.id) AS ids")
    plan = await service.forgettings.plan(service.viewer(), Selection(ids=tuple(ids[0]["ids"])))
    await service.forgettings.purge(service.viewer(), plan.id)
    await service.forgettings.finished(service.viewer(), plan.id)
    assert [Replaced("plan.md", retired=1, purged=3)] == (await bring(plan=FIRST)).documents
    assert {} == await believed(raw)
    assert [Replaced("plan.md", recorded=3)] == (await bring(plan=FIRST, bring_back=True)).documents


async def test_what_is_gone_is_retired_when_asked_for(bring, raw) -> None:
    """A file that is not there is told; another import knows nothing of it."""
    await bring(plan=FIRST, garden="Tomatoes want water.")
    done = await bring(plan=FIRST)
    assert ["garden.md"] == done.gone
    assert "Tomatoes want water." in await believed(raw)
    assert ["garden.md"] == (await bring(plan=FIRST, prune=True)).gone
    assert {"I live in Graz.", "Kim plays the oboe.", "Buy rye flour."} == (await believed(raw)).keys()
    assert [] == (await bring(plan=FIRST)).gone


async def test_documents_that_were_moved_to_a_space_stay_there(bring, service, raw) -> None:
    """An import within the space they first came into moves nothing back, and what is new goes where the rest is."""
    mine = service.viewer()
    first, second = [await service.spaces.create(mine, name) for name in ("Garden", "Kitchen")]
    await bring(mine.within(first.id), plan=FIRST)
    [chat] = await raw("MATCH (c:Chat {space_id: $space}) RETURN c.id AS id", space=first.id)
    await service.spaces.move_chat(mine, chat["id"], second.id)
    await bring(mine.within(first.id), plan=SECOND)
    rows = await raw(
        "MATCH (m:Episodic) WHERE m.retired_at = $no_end RETURN DISTINCT m.space_id AS space", no_end=NO_END
    )
    assert [{"space": second.id}] == rows


async def test_documents_of_a_group(bring, scene, raw) -> None:
    """They are the group's, and end no session of it; who imports the like replaces nothing of another's."""
    me, ben = scene.viewer(), Viewer(scene.ben.id, scene.group.id, rights=ALL_RIGHTS)
    said = [await scene.say("Soup is at eight.")]
    await bring(me, plan=FIRST)
    await bring(ben, plan=SECOND)
    said.append(await scene.say("Bring bread."))
    assert 1 == len({one.session_id for one in said})
    rows = await raw("MATCH (m:Episodic) RETURN DISTINCT m.chat_id AS chat, m.owner_id AS owner")
    assert [{"chat": scene.group.id, "owner": ""}] == [{**row, "owner": row["owner"] or ""} for row in rows]
    assert {"I live in Graz.", "I live in Linz."} < (await believed(raw)).keys()
    assert [Replaced("plan.md", recorded=2, repeated=1, retired=2)] == (await bring(me, plan=SECOND)).documents
    rows = await raw("MATCH (m:Episodic {content: 'I live in Linz.'}) RETURN count(m) AS n")
    assert [{"n": 2}] == rows


async def test_what_others_say_in_the_session_of_a_document_stays(bring, scene, raw) -> None:
    """It is none of its pieces, whatever becomes of these."""
    await bring(scene.viewer(), plan=FIRST)
    [row] = await raw("MATCH (s:Session) RETURN s.id AS id")
    await scene.say("That is a fine plan.", session_id=row["id"])
    done = await bring(scene.viewer(), plan="")
    assert [Replaced("plan.md", retired=3)] == done.documents
    assert ["That is a fine plan."] == list(await believed(raw))


async def test_who_left_a_group_retires_nothing_there(bring, scene, raw) -> None:
    """What they imported is the group's."""
    ben = Viewer(scene.ben.id, scene.group.id, rights=ALL_RIGHTS)
    await bring(ben, plan=FIRST)
    await scene.service.people.leave_chat(ben, scene.group.id, scene.ben.id)
    await scene.service.document_importer.gone(ben, "notes", [], prune=True)
    assert 3 == len(await believed(raw))


async def test_talk_after_documents_is_a_session_of_its_own(bring, scene) -> None:
    """What is said right after an import joins no document."""
    await bring(scene.viewer(), plan=FIRST)
    said = [await scene.say(words) for words in ("Soup is at eight.", "Bring bread.")]
    assert 1 == len({one.session_id for one in said})
    turns = await scene.service.browsing.session_turns(scene.viewer(), said[0].session_id)
    assert 2 == len(turns.items)


async def test_an_import_broken_off_leaves_a_document_as_it_was(bring, service, raw, dump) -> None:
    """What is new and what is old change in one commit: an end in the middle changes nothing."""
    await bring(plan=FIRST)
    before = await dump()
    async with (
        driver_of(service.connection) as driver,
        driver.session() as session,
        await session.begin_transaction() as transaction,
    ):
        await transaction.run("MATCH (m:Episodic {content: 'I live in Graz.'}) SET m.lock = datetime()")
        running = asyncio.ensure_future(bring(plan=SECOND))
        await asyncio.sleep(1)
        assert not running.done()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        await transaction.rollback()
    assert before == await dump()
    assert [Replaced("plan.md", recorded=2, repeated=1, retired=2)] == (await bring(plan=SECOND)).documents


async def test_a_document_that_is_too_long_costs_itself_alone(service) -> None:
    """It is named, and others come in."""
    long = Document("long.md", tuple(Statement(f"line {n}", (), None, "") for n in range(MOST_PIECES + 1)))
    nameless = Document(f"{'deep/' * 60}a.md", (Statement("word", (), None, ""),))
    short = Document("short.md", (Statement("word", (), None, ""),))
    done = await service.document_importer.run(service.viewer(), "notes", [long, nameless, short])
    assert ["short.md"] == [one.name for one in done.documents]
    assert [long.name, nameless.name] == [one.place for one in done.refused]


async def test_a_secret_in_a_document_is_taken_out(bring, dump) -> None:
    """Of its words, its headings and its name; imported again it is known."""
    secret = "gh" + "p_a8Fk2LmQ9xZr4TnWa8Fk2LmQ9xZr4TnWa8Fk"
    for recorded in (1, 0):
        [one] = (await bring(**{secret: f"# {secret}\n\nThe key is {secret}."})).documents
        assert ("[secret removed].md", recorded, 1 - recorded, 1) == (
            one.name, one.recorded, one.repeated, one.secrets_removed,
        )  # fmt: skip
    assert secret not in str(await dump())


async def test_a_document_called_after_a_day_is_of_that_day(bring, service, raw) -> None:
    """A date is of no zone: where its writer lives does not move it."""
    await service.people.set_time_zone(service.viewer(), "America/Los_Angeles")
    await bring(**{"2024-03-01": "Rain."})
    assert [{"day": "20240301"}] == await raw("MATCH (m:Episodic) RETURN m.event_day AS day")
