from datetime import timedelta

import pytest

from hippograph.graph.errors import InvalidInput
from hippograph.graph.model import NO_END, MemoryType, Sensitivity, SourceRole, Times, Viewer


async def test_a_memory_is_read_as_it_was_told(scene) -> None:
    """A recorded turn is loaded with all of its properties; those that it lacks are None."""
    stored = await scene.say("The bread is warm.", at=scene.minutes(0), tags=("food",))
    memory = (await scene.service.memories.load(scene.viewer(), [stored.memory_id]))[stored.memory_id]
    expected = (MemoryType.EPISODIC, "The bread is warm.", scene.maya.id, "Maya Lindqvist", SourceRole.USER)
    assert expected == (memory.type, memory.content, memory.speaker_id, memory.speaker_name, memory.source_role)
    assert (scene.group.id, scene.group.id, None, None) == (
        memory.chat_id,
        memory.learned_in,
        memory.owner_id,
        memory.persona_id,
    )
    assert (scene.minutes(0), scene.minutes(0), None) == (memory.event_time, memory.valid_from, memory.valid_until)
    assert (("food",), Sensitivity.PUBLIC, True, 1.0, 1, None, None) == (
        memory.tags,
        memory.sensitivity,
        memory.portable,
        memory.confidence,
        memory.importance,
        memory.kind,
        memory.category,
    )
    assert memory.pending


async def test_the_names_in_a_memory_come_with_it(scene, drain) -> None:
    """After enrichment a memory has the keys of the entities that it names, sorted."""
    stored = await scene.say("Tell @ben that we go to Ljubljana on Friday.")
    await drain()
    memory = (await scene.service.memories.load(scene.viewer(), [stored.memory_id]))[stored.memory_id]
    assert (("person:ben_okafor", "place:ljubljana"), False) == (memory.entity_keys, memory.pending)


async def test_what_is_hidden_and_what_does_not_exist_are_alike(scene) -> None:
    """Hidden and unknown ids are both left out of the result; an id that is given twice is in it once."""
    shown = await scene.say("for all")
    hidden = await scene.say("for Maya", chat=scene.private)
    wanted = [shown.memory_id, hidden.memory_id, "0" * 32, shown.memory_id, "", "a\x00b"]
    ben = Viewer(scene.ben.id, scene.group.id)
    assert [shown.memory_id] == list(await scene.service.memories.load(ben, wanted))
    assert {} == await scene.service.memories.load(Viewer("nobody", scene.group.id), wanted)
    assert {} == await scene.service.memories.load(ben, [])


async def test_an_id_that_is_no_text_is_invalid(scene) -> None:
    """Half a surrogate pair in an id raises `InvalidInput`."""
    with pytest.raises(InvalidInput):
        await scene.service.memories.load(scene.viewer(), ["a\ud83d"])


async def test_an_end_is_shown_when_it_is_known(scene, raw) -> None:
    """A memory with a known end is loaded with it for a time before the end, and not loaded for a later one. Without an
    end `valid_until` is None.
    """
    stored = await scene.say("I live in Graz.", at=scene.minutes(0))
    day, now = timedelta(days=1), scene.service.clock()
    await raw("MATCH (m:Memory) SET m.valid_until = $until, m.ended_at = $known", until=now - day, known=now)

    async def read(as_of, known_at):
        found = await scene.service.memories.load(scene.viewer(), [stored.memory_id], Times(as_of, known_at))
        return [memory.valid_until for memory in found.values()]

    assert [] == await read(now, now + day)
    assert [now - day] == await read(now - 2 * day, now + day)
    await raw("MATCH (m:Memory) SET m.valid_until = $no_end, m.ended_at = $no_end", no_end=NO_END)
    assert [None] == await read(now, now + day)
