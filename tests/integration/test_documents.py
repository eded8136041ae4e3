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
    """Returns a function that imports a folder with these documents, given as `name=text`, and only these."""

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
        done.gone = await importer.gone(asks, found.name, found.there)
        if prune:
            done.pruned = await importer.prune(asks, found.name, done.gone)
        return done

    return do


async def believed(raw, label: str = "Episodic") -> dict[str, str]:
    """Returns the ids of the memories that are not retired, by their contents."""
    rows = await raw(f"MATCH (m:{label}) WHERE m.retired_at = $no_end RETURN m.content AS c, m.id AS id", no_end=NO_END)
    return {row["c"]: row["id"] for row in rows}


async def test_a_document_becomes_memories(bring, service, raw) -> None:
    """Each paragraph and list item becomes a turn of the viewer's own, with headings, document name and source."""
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
    """Importing the same documents again changes nothing in the graph."""
    await bring(plan=FIRST, garden="Tomatoes want water.")
    before = await dump()
    done = await bring(plan=FIRST, garden="Tomatoes want water.")
    assert [Replaced("garden.md", repeated=1), Replaced("plan.md", repeated=3)] == done.documents
    assert before == await dump()


async def test_a_changed_document_replaces_what_changed(bring, service, raw, learn) -> None:
    """Unchanged pieces keep their ids; changed ones are replaced, and facts known from the old alone are retired."""
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
    """No facts are extracted from a document by default. With `own_words` its pieces are replaced, each stored once."""
    await bring(plan=FIRST)
    await learn()
    assert {} == await believed(raw, "Semantic")
    assert [Replaced("plan.md", recorded=3, retired=3)] == (await bring(plan=FIRST, own_words=True)).documents
    assert 3 == len(await believed(raw))


async def test_words_that_come_back_are_believed_again(bring, service, raw, learn) -> None:
    """Pieces that were retired are restored, each once, when the document has its earlier text again."""
    for text in (FIRST, SECOND, FIRST, SECOND, FIRST):
        done = await bring(plan=text)
        await learn()
    assert [Replaced("plan.md", recorded=2, repeated=1, retired=2)] == done.documents
    assert {"I live in Graz.", "Kim plays the oboe.", "Buy rye flour."} == (await believed(raw)).keys()
    assert [] == await service.doctor.examine()


async def test_what_was_forgotten_by_hand_stays_forgotten(bring, service, raw) -> None:
    """A piece that was forgotten by hand stays forgotten when its document is imported again."""
    await bring(plan=FIRST)
    await service.facts.forget(service.viewer(), (await believed(raw))["Buy rye flour."])
    assert [Replaced("plan.md", repeated=3)] == (await bring(plan=FIRST)).documents
    assert "Buy rye flour." not in await believed(raw)


async def test_what_was_purged_does_not_come_back(bring, service, raw) -> None:
    """Purged pieces, also those that were retired before, are imported again only with `bring_back`."""
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
    """A document that is missing is reported, and retired only with `prune`; later imports do not report it."""
    await bring(plan=FIRST, garden="Tomatoes want water.")
    done = await bring(plan=FIRST)
    assert ["garden.md"] == done.gone
    assert "Tomatoes want water." in await believed(raw)
    done = await bring(plan=FIRST, prune=True)
    assert (["garden.md"], ["garden.md"]) == (done.gone, done.pruned)
    assert {"I live in Graz.", "Kim plays the oboe.", "Buy rye flour."} == (await believed(raw)).keys()
    assert [] == (await bring(plan=FIRST)).gone


async def test_documents_that_were_moved_to_a_space_stay_there(bring, service, raw) -> None:
    """After a chat of documents was moved to another space, an import within the first space adds to it there."""
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
    """Documents imported into a group belong to it and do not end its session. Members' documents of the same name are
    separate.
    """
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
    """A turn that somebody says in the session of a document stays when the document's pieces are retired."""
    await bring(scene.viewer(), plan=FIRST)
    [row] = await raw("MATCH (s:Session) RETURN s.id AS id")
    await scene.say("That is a fine plan.", session_id=row["id"])
    done = await bring(scene.viewer(), plan="")
    assert [Replaced("plan.md", retired=3)] == done.documents
    assert ["That is a fine plan."] == list(await believed(raw))


async def test_who_left_a_group_retires_nothing_there(bring, scene, raw) -> None:
    """Documents that a former member imported belong to the group; they cannot prune them, and are told so."""
    ben = Viewer(scene.ben.id, scene.group.id, rights=ALL_RIGHTS)
    await bring(ben, plan=FIRST)
    await scene.service.people.leave_chat(ben, scene.group.id, scene.ben.id)
    importer = scene.service.document_importer
    gone = await importer.gone(ben, "notes", [])
    assert (["plan.md"], []) == (gone, await importer.prune(ben, "notes", gone))
    assert 3 == len(await believed(raw))


async def test_talk_after_documents_is_a_session_of_its_own(bring, scene) -> None:
    """Turns right after an import are in one session, without the document's pieces."""
    await bring(scene.viewer(), plan=FIRST)
    said = [await scene.say(words) for words in ("Soup is at eight.", "Bring bread.")]
    assert 1 == len({one.session_id for one in said})
    turns = await scene.service.browsing.session_turns(scene.viewer(), said[0].session_id)
    assert 2 == len(turns.items)


async def test_an_import_broken_off_leaves_a_document_as_it_was(bring, service, raw, dump) -> None:
    """A document is replaced in one commit: a cancelled import changes nothing, and can be repeated."""
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
    """A document with too many pieces or too long a name is refused, and reported; the others are imported."""
    long = Document("long.md", tuple(Statement(f"line {n}", (), None, "") for n in range(MOST_PIECES + 1)))
    nameless = Document(f"{'deep/' * 60}a.md", (Statement("word", (), None, ""),))
    short = Document("short.md", (Statement("word", (), None, ""),))
    done = await service.document_importer.run(service.viewer(), "notes", [long, nameless, short])
    assert ["short.md"] == [one.name for one in done.documents]
    assert [long.name, nameless.name] == [one.place for one in done.refused]


async def test_a_secret_in_a_document_is_taken_out(bring, dump) -> None:
    """A secret is removed from the text, headings and name of a document, which is recognised when imported again."""
    secret = "gh" + "p_a8Fk2LmQ9xZr4TnWa8Fk2LmQ9xZr4TnWa8Fk"
    for recorded in (1, 0):
        [one] = (await bring(**{secret: f"# {secret}\n\nThe key is {secret}."})).documents
        assert ("[secret removed].md", recorded, 1 - recorded, 1) == (
            one.name, one.recorded, one.repeated, one.secrets_removed,
        )  # fmt: skip
    assert secret not in str(await dump())


async def test_a_document_called_after_a_day_is_of_that_day(bring, service, raw) -> None:
    """A document named after a date has that day as its event day, whatever the time zone of the viewer."""
    await service.people.set_time_zone(service.viewer(), "America/Los_Angeles")
    await bring(**{"2024-03-01": "Rain."})
    assert [{"day": "20240301"}] == await raw("MATCH (m:Episodic) RETURN m.event_day AS day")
