"""Blocks of working memory: access, versions, and concurrent writers (S2)."""

import asyncio
from typing import Any

import pytest

from hippograph.api.graphql.nodes import global_id
from hippograph.graph.errors import Conflict, InvalidInput, NotFound
from hippograph.graph.ids import new_id
from hippograph.graph.model import INTERNAL, Viewer
from hippograph.graph.people.blocks import MAX_NAME, MOST_BLOCKS

WRITE = """
mutation Write($name: String!, $content: String!, $version: Int, $persona: ID) {
  writeBlock(input: {name: $name, content: $content, version: $version, personaId: $persona}) {
    __typename
    ... on BlockPayload { block { name content version persona { name } } }
    ... on Error { code message }
    ... on InvalidInputError { field }
  }
}
"""


async def held(service: Any, viewer: Viewer) -> dict[str, str]:
    """Returns the contents of the viewer's blocks by name."""
    return {block.name: block.content for block in await service.blocks.all(viewer)}


async def test_a_block_is_written_read_and_listed(service, viewer, raw) -> None:
    """A block's name ignores case and surrounding spaces. Its first version is 1, and it belongs to its person."""
    written = await service.blocks.write(viewer, " User_Model ", "Likes tea", description="Who they are")
    assert 1 == written.version
    assert written == await service.blocks.read(viewer, "USER_MODEL")
    await service.blocks.write(viewer, "active_context", "Packing")
    assert {"active_context": "Packing", "user_model": "Likes tea"} == await held(service, viewer)
    assert [{"of": viewer.person_id}] == await raw("MATCH (:Block {name: 'user_model'})-[:OF]->(p) RETURN p.id AS of")


async def test_a_block_is_written_over_only_by_who_read_it(service, viewer) -> None:
    """Overwriting a block without its version, or with another one, raises `Conflict` and changes nothing."""
    first = await service.blocks.write(viewer, "notes", "one")
    second = await service.blocks.write(viewer, "notes", "two", version=first.version)
    for version in (None, first.version, second.version + 1):
        with pytest.raises(Conflict, match="version"):
            await service.blocks.write(viewer, "notes", "three", version=version)
    assert {"notes": "two"} == await held(service, viewer)


async def test_the_same_write_again_changes_nothing(service, viewer) -> None:
    """A write that would change nothing returns the block as it is, whatever version it gives."""
    first = await service.blocks.write(viewer, "notes", "one", description="Notes")
    assert first == await service.blocks.write(viewer, "notes", "one")
    assert first == await service.blocks.write(viewer, "notes", "one", description="Notes", version=7)


async def test_what_a_block_held_is_kept(service, viewer, raw) -> None:
    """Overwriting a block keeps the version before it."""
    await service.blocks.write(viewer, "notes", "one")
    await service.blocks.write(viewer, "notes", "two", version=1)
    assert [{"version": 1, "content": "one"}] == await raw(
        "MATCH (:Block)-[:HAS_VERSION]->(v) RETURN v.version AS version, v.content AS content"
    )


async def test_writers_at_once_lose_nothing(service, viewer) -> None:
    """Of twenty concurrent appends and a replacement, none is lost."""
    await service.blocks.write(viewer, "notes", "begin")
    lines = [f"line {number}" for number in range(20)]
    await asyncio.gather(
        *(service.blocks.append(viewer, "notes", line) for line in lines),
        service.blocks.replace(viewer, "notes", "begin", "start"),
    )
    block = await service.blocks.read(viewer, "notes")
    assert ["start", *sorted(lines)] == [block.content.split("\n")[0], *sorted(block.content.split("\n")[1:])]
    assert 22 == block.version


async def test_of_writers_of_one_version_one_wins(service, viewer) -> None:
    """Of ten concurrent writes that give the same version, one succeeds and nine raise `Conflict`."""
    await service.blocks.write(viewer, "notes", "begin")
    results = await asyncio.gather(
        *(service.blocks.write(viewer, "notes", f"mine {number}", version=1) for number in range(10)),
        return_exceptions=True,
    )
    assert 9 == sum(isinstance(result, Conflict) for result in results)
    assert 2 == (await service.blocks.read(viewer, "notes")).version


async def test_of_writers_of_a_new_block_one_wins(service, viewer) -> None:
    """Of ten concurrent writes of a new block, one succeeds and nine raise `Conflict`."""
    results = await asyncio.gather(
        *(service.blocks.write(viewer, "notes", f"mine {number}") for number in range(10)), return_exceptions=True
    )
    assert 9 == sum(isinstance(result, Conflict) for result in results)


async def test_words_are_replaced_where_they_stand_once(service, viewer) -> None:
    """Replacing words that are missing raises `Conflict`; words that are empty or occur twice, `InvalidInput`. An empty
    replacement removes the words.
    """
    await service.blocks.write(viewer, "notes", "tea and tea and milk")
    with pytest.raises(Conflict):
        await service.blocks.replace(viewer, "notes", "coffee", "tea")
    for old in ("tea", ""):
        with pytest.raises(InvalidInput):
            await service.blocks.replace(viewer, "notes", old, "coffee")
    await service.blocks.replace(viewer, "notes", " and milk", "")
    assert {"notes": "tea and tea"} == await held(service, viewer)
    with pytest.raises(NotFound):
        await service.blocks.replace(viewer, "other", "tea", "coffee")


async def test_a_deleted_block_is_gone_and_its_name_free(service, viewer) -> None:
    """Deleting returns the block, or None if there is none, and a new block of that name begins at version 1. Deleting
    another version than the present one raises `Conflict`.
    """
    await service.blocks.write(viewer, "notes", "one")
    with pytest.raises(Conflict):
        await service.blocks.delete(viewer, "notes", version=2)
    assert "one" == (await service.blocks.delete(viewer, "notes", version=1)).content
    assert None is await service.blocks.delete(viewer, "notes")
    assert None is await service.blocks.read(viewer, "notes")
    assert 1 == (await service.blocks.write(viewer, "notes", "two")).version


async def test_blocks_are_of_one_person_and_one_persona(service, scene) -> None:
    """Blocks of the same name are separate for each person and persona, and for a person without a persona."""
    people = service.people
    other = await people.create_persona(INTERNAL, "Other")
    places = [
        Viewer(scene.maya.id),
        Viewer(scene.maya.id, None, scene.atlas.id),
        Viewer(scene.maya.id, None, other.id),
        Viewer(scene.ben.id, None, scene.atlas.id),
    ]
    for number, viewer in enumerate(places):
        await service.blocks.write(viewer, "notes", str(number))
    await service.blocks.delete(places[3], "notes")
    assert ["0", "1", "2", None] == [(await held(service, viewer)).get("notes") for viewer in places]


async def test_secrets_and_bad_texts_are_refused(service, viewer) -> None:
    """Secrets, also those that a replacement completes, and empty or overlong texts and names are refused. Nothing is
    written, and the error does not repeat the secret.
    """
    secret = "my password is hunter2hunter2"
    await service.blocks.write(viewer, "notes", "my password is")
    refused = [
        service.blocks.write(viewer, "more", secret),
        service.blocks.write(viewer, "more", "text", description=secret),
        service.blocks.append(viewer, "notes", secret),
        service.blocks.replace(viewer, "notes", "is", "is hunter2hunter2"),
        service.blocks.replace(viewer, "notes", "my password is", ""),
        service.blocks.write(viewer, "more", " "),
        service.blocks.write(viewer, "more", "x" * 4001),
        service.blocks.append(viewer, "notes", "x" * 3999),
        service.blocks.write(viewer, "", "text"),
        service.blocks.write(viewer, "x" * (MAX_NAME + 1), "text"),
    ]
    for write in refused:
        with pytest.raises(InvalidInput) as refusal:
            await write
        assert "hunter2" not in str(refusal.value)
    assert {"notes": "my password is"} == await held(service, viewer)


async def test_there_are_only_so_many_blocks(service, viewer) -> None:
    """A new block above `MOST_BLOCKS` is refused; existing ones can still be written."""
    for number in range(MOST_BLOCKS):
        await service.blocks.write(viewer, f"b{number}", "text")
    with pytest.raises(InvalidInput, match="100 blocks"):
        await service.blocks.append(viewer, "one more", "text")
    await service.blocks.append(viewer, "b7", "more")


async def test_an_unknown_persona_is_not_found(service, viewer) -> None:
    """Reading or writing blocks for an unknown persona raises `NotFound`."""
    nobody = viewer.at(None, new_id())
    with pytest.raises(NotFound):
        await service.blocks.all(nobody)
    with pytest.raises(NotFound):
        await service.blocks.write(nobody, "notes", "text")


async def test_blocks_in_graphql(scene, ask) -> None:
    """In GraphQL, blocks can be written, read, appended to, changed and deleted; conflicts and invalid input are
    results of their own.
    """
    persona = global_id("Persona", scene.atlas.id)
    written = await ask(WRITE, name="Notes", content="one", persona=persona)
    assert {"name": "notes", "content": "one", "version": 1, "persona": {"name": "Atlas"}} == (
        written["data"]["writeBlock"]["block"]
    )
    again = (await ask(WRITE, name="notes", content="two", persona=persona))["data"]["writeBlock"]
    assert ("ConflictError", "CONFLICT") == (again["__typename"], again["code"])
    long = (await ask(WRITE, name="x" * 101, content="two"))["data"]["writeBlock"]
    assert ("InvalidInputError", "name") == (long["__typename"], long["field"])
    await ask(
        'mutation($p: ID) { appendToBlock(input: {name: "notes", text: "two", personaId: $p}) { __typename } }',
        p=persona,
    )
    await ask(
        'mutation($p: ID) { replaceInBlock(input: {name: "notes", old: "one", new: "zero", personaId: $p}) '
        "{ __typename } }",
        p=persona,
    )
    read = 'query($p: ID) { block(name: "notes", personaId: $p) { content version } blocks { name } }'
    assert {"block": {"content": "zero\ntwo", "version": 3}, "blocks": []} == (await ask(read, p=persona))["data"]
    gone = await ask(
        'mutation($p: ID) { deleteBlock(input: {name: "notes", personaId: $p}) '
        "{ ... on DeleteBlockPayload { block { version } } } }",
        p=persona,
    )
    assert {"version": 3} == gone["data"]["deleteBlock"]["block"]
