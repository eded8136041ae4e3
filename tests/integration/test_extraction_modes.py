"""Which statements are extracted, by the mode of a chat or an import, and by the speaker (W4)."""

from typing import Any

import pytest

from hippograph.api.graphql.nodes import global_id
from hippograph.graph.errors import NotFound
from hippograph.graph.model import ExtractionMode, Viewer
from hippograph.graph.writing.dialogue_file import DialogueFile, FileDialogue, FileTurn
from hippograph.graph.writing.recording import Turn

FACTS = "MATCH (m:Semantic) RETURN m.content AS content ORDER BY content"
SAID = "Lars works at Siemens. I live in Graz."


async def facts(raw: Any) -> list[str]:
    """The texts of all extracted facts."""
    return [row["content"] for row in await raw(FACTS)]


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        (ExtractionMode.ALL, ["Lars works at Siemens", "Maya lives in Graz"]),
        (ExtractionMode.FIRST_PERSON, ["Maya lives in Graz"]),
        (ExtractionMode.OFF, []),
    ],
)
async def test_a_chat_says_what_is_extracted(scene, learn, raw, mode: ExtractionMode, expected: list[str]) -> None:
    """The extraction mode of a chat decides whether all statements, those of people about themselves, or none are
    extracted. No session is left waiting.
    """
    await scene.service.people.set_extraction(scene.viewer(), scene.group.id, mode)
    await scene.say(SAID)
    await scene.service.sessions.close(scene.viewer(), scene.group.id)
    await learn()
    assert expected == await facts(raw)
    assert 0 == (await scene.service.consolidation.progress()).waiting


async def test_an_import_says_so_for_its_chats(scene, learn, raw) -> None:
    """The extraction mode of an import applies to its chats, except to a dialogue that has its own in the file."""
    turns = [FileTurn("1", "Maya", SAID, scene.minutes(0))]
    content = DialogueFile(
        [FileDialogue("standup", turns), FileDialogue("letters", turns, extraction=ExtractionMode.OFF)]
    )
    await scene.service.importer.run(scene.viewer(), "meetings", content, extraction=ExtractionMode.FIRST_PERSON)
    await learn()
    assert ["Maya lives in Graz"] == await facts(raw)


SET = """
mutation Set($chat: ID!, $mode: ExtractionMode!) {
  setExtraction(input: {chatId: $chat, extraction: $mode}) {
    ... on SetExtractionPayload { chat { extraction } }
    ... on NotFoundError { message }
  }
}
"""


async def test_who_takes_part_may_say_so(ask, scene) -> None:
    """A participant can set the extraction mode of a chat over GraphQL. For a chat of others there is `NotFound`."""
    answer = await ask(SET, chat=global_id("Chat", scene.group.id), mode="FIRST_PERSON")
    assert {"chat": {"extraction": "FIRST_PERSON"}} == answer["data"]["setExtraction"]
    with pytest.raises(NotFound):
        await scene.service.people.set_extraction(Viewer(scene.ben.id), scene.private.id, ExtractionMode.OFF)


async def test_what_the_assistant_says_makes_no_entity(scene, learn, raw) -> None:
    """A turn of the assistant creates no entities; it is linked to known ones."""
    await scene.say("Lars Berg works at Siemens.", chat=scene.private, at=scene.minutes(0))
    await learn()
    before = await raw("MATCH (e:Entity) RETURN count(e) AS n")
    advice = "Angela Merkel went to Berlin for that. I would ask Lars Berg about it."
    turn = Turn(advice, None, event_time=scene.minutes(1))
    await scene.service.recorder.record(scene.viewer(), scene.private.id, [turn], scene.atlas.id)
    await learn()
    assert before == await raw("MATCH (e:Entity) RETURN count(e) AS n")
    assert {"key": "person:lars_berg"} in await raw(
        "MATCH (m:Episodic {source_role: 'assistant'})-[:MENTIONS]->(e) RETURN DISTINCT e.key AS key"
    )
