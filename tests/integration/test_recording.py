import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from hippograph.api.service import Service
from hippograph.graph.errors import Conflict, InvalidInput, NotAllowed, NotFound
from hippograph.graph.model import INTERNAL, NO_END, Chat, ChatKind, SourceRole
from hippograph.graph.people.people import Member
from hippograph.graph.rights import NO_RIGHTS
from hippograph.graph.writing.recording import Recorder, Turn
from tests.neo4j_servers import driver_of

LONG_AGO = datetime(2024, 1, 1, tzinfo=UTC)

Raw = Callable[..., Awaitable[list[dict[str, Any]]]]


async def chain(raw: Raw, session_id: str) -> list[str]:
    """Returns the contents of the turns of a session, in the order of its TEMPORAL chain."""
    rows = await raw(
        "MATCH (head:Episodic)-[:IN_SESSION]->(s:Session {id: $id}) "
        "WHERE NOT EXISTS { (head)<-[:TEMPORAL]-(:Memory {session_id: $id}) } "
        "MATCH path = (head)-[:TEMPORAL*0..]->(last:Memory {session_id: $id}) "
        "WHERE NOT EXISTS { (last)-[:TEMPORAL]->(:Memory {session_id: $id}) } "
        "RETURN [m IN nodes(path) | m.content] AS contents",
        id=session_id,
    )
    [row] = rows
    return row["contents"]


async def sizes(raw: Raw) -> dict[str, int]:
    """Returns the numbers of nodes and relationships in the graph."""
    [row] = await raw("RETURN COUNT { () } AS nodes, COUNT { ()-[]->() } AS relationships")
    return row


async def sessions(raw: Raw) -> list[dict[str, Any]]:
    """Returns all sessions, ordered by their start."""
    rows = await raw("MATCH (s:Session) RETURN s {.*} AS session ORDER BY s.started_at")
    return [row["session"] for row in rows]


# --- what is stored ---


async def test_a_turn_is_stored_with_speaker_chat_and_session(scene, raw) -> None:
    """A recorded turn is an episodic, pending memory of its chat, linked to its speaker and to an open session."""
    stored = await scene.say("The bread is from the Kornblume.", at=scene.minutes(0), tags=("food",))
    [row] = await raw(
        "MATCH (m:Memory:Episodic:Pending)-[:STATED_BY]->(p), (m)-[:LEARNED_IN]->(c), (m)-[:IN_SESSION]->(s), "
        "(s)-[:IN_CHAT]->(c) RETURN m {.*} AS m, p.id AS speaker, c.id AS chat, s {.*} AS s"
    )
    memory = row["m"]
    assert (scene.maya.id, scene.group.id) == (row["speaker"], row["chat"])
    assert (stored.memory_id, stored.session_id) == (memory["id"], row["s"]["id"])
    assert not stored.repeated
    assert "The bread is from the Kornblume." == memory["content"]
    assert ("", scene.group.id, scene.group.id) == (memory["owner_id"], memory["chat_id"], memory["learned_in"])
    assert ("Maya Lindqvist", "Maya Lindqvist 4 March 2024") == (memory["speaker_name"], memory["heading"])
    assert ("20240304", ["food"], 1) == (memory["event_day"], memory["tags"], memory["turn"])
    assert (scene.minutes(0), scene.minutes(0), NO_END) == (
        row["s"]["started_at"],
        row["s"]["last_activity_at"],
        row["s"]["ended_at"],
    )


async def test_a_private_turn_belongs_to_its_person(scene, raw) -> None:
    """Turns of a private chat are owned by its person, whether the person or the assistant said them."""
    turns = [Turn("I never told anyone.", scene.maya.id), Turn("It stays between us.", None)]
    await scene.service.recorder.record(scene.viewer(), scene.private.id, turns, scene.atlas.id)
    rows = await raw(
        "MATCH (m:Memory) RETURN m.owner_id AS owner, m.chat_id AS chat, m.scope AS scope, m.learned_in AS at"
    )
    assert [{"owner": scene.maya.id, "chat": "", "scope": scene.maya.id, "at": scene.private.id}] * 2 == rows


async def test_the_assistants_turn_is_stated_by_its_persona(scene, raw) -> None:
    """A turn of the assistant is linked to the persona as its speaker, has the assistant's role, and is in a session
    with that persona.
    """
    turns = [Turn("Shall I take notes?", None)]
    [stored] = await scene.service.recorder.record(scene.viewer(), scene.group.id, turns, scene.atlas.id)
    [row] = await raw(
        "MATCH (m:Memory {id: $id})-[:STATED_BY]->(p:Persona), (m)-[:IN_SESSION]->(s)-[:WITH_PERSONA]->(p) "
        "RETURN p.id AS persona, m.source_role AS role, m.persona_id AS of, m.speaker_name AS name",
        id=stored.memory_id,
    )
    expected = {"persona": scene.atlas.id, "role": SourceRole.ASSISTANT.value, "of": scene.atlas.id, "name": "Atlas"}
    assert expected == row


async def test_the_assistant_needs_a_persona(scene) -> None:
    """A turn without a speaker is the assistant's; without a persona it is refused."""
    with pytest.raises(InvalidInput, match="needs a speaker"):
        await scene.service.recorder.record(scene.viewer(), scene.group.id, [Turn("Who am I?", None)])


@pytest.mark.parametrize(
    "text",
    [
        "مرحبا، كيف حالك اليوم؟",
        "שלום עולם, הלחם מוכן",
        "the cake 🎂👩‍👩‍👧‍👦 was huge 🇦🇹",
        "e\u0301te\u0301 and été",
        "line one\nline two\ttabbed",
        "寿司が好きです",
        "\u202eright to left override\u202c",
    ],
)
async def test_any_script_is_stored_and_found(scene, text) -> None:
    """Right-to-left text, emoji, accents and scripts without spaces are stored unchanged and found by search."""
    stored = await scene.say(text)
    page = await scene.service.search.search(scene.viewer(), text)
    assert [(stored.memory_id, text)] == [(result.memory.id, result.memory.content) for result in page.results]


async def test_white_space_around_a_text_is_no_part_of_it(scene) -> None:
    """White space around a text is removed before it is stored."""
    stored = await scene.say("  bread \n")
    loaded = await scene.service.memories.load(scene.viewer(), [stored.memory_id])
    assert "bread" == loaded[stored.memory_id].content


async def test_a_tag_is_stored_as_it_is_looked_for(scene, raw) -> None:
    """White space around a tag is removed, in the stored tags and in the index tokens."""
    await scene.say("one", tags=(" food ",))
    await scene.say("two", tags=("food",))
    rows = await raw("MATCH (m:Memory) RETURN m.tags AS tags")
    assert [["food"], ["food"]] == [row["tags"] for row in rows]
    [row] = await raw(
        "MATCH (a:Memory {content: 'one'}), (b:Memory {content: 'two'}) RETURN a.facets = b.facets AS equal"
    )
    assert row["equal"]


# --- the chain ---


async def test_many_at_once_make_one_unbroken_chain(scene, raw) -> None:
    """Turns recorded by 16 concurrent tasks in one chat form one open session, with consecutive turn numbers and one
    chain in the order of event time.
    """
    tasks, each = 16, 12

    async def talk(number: int) -> None:
        for message in range(each):
            await scene.say(f"{number}-{message}", by=(scene.maya, scene.ben)[number % 2])

    await asyncio.gather(*(talk(number) for number in range(tasks)))
    [session] = await sessions(raw)
    turns = await raw("MATCH (m:Episodic) RETURN m.content AS content, m.turn AS turn ORDER BY m.event_time, m.turn")
    assert tasks * each == session["turn_count"]
    assert NO_END == session["ended_at"]
    assert list(range(1, tasks * each + 1)) == sorted(turn["turn"] for turn in turns)
    assert [turn["content"] for turn in turns] == await chain(raw, session["id"])
    assert [] == await scene.service.doctor.examine()


async def test_batches_at_once_stay_together(scene, raw) -> None:
    """Batches recorded concurrently form one chain, in which the turns of each batch stay together and in order."""

    async def talk(number: int) -> None:
        at = scene.minutes(number / 100)
        turns = [Turn(f"{number}-{message}", scene.maya.id, event_time=at) for message in range(20)]
        await scene.service.recorder.record(scene.viewer(), scene.group.id, turns)

    await asyncio.gather(*(talk(number) for number in range(8)))
    [session] = await sessions(raw)
    expected = [f"{number}-{message}" for number in range(8) for message in range(20)]
    assert expected == await chain(raw, session["id"])


async def test_chats_and_personas_have_chains_of_their_own(scene, raw) -> None:
    """Each pair of chat and persona has its own session and chain."""
    record = scene.service.recorder.record
    for turn in range(2):
        at = scene.minutes(turn)
        await record(scene.viewer(), scene.group.id, [Turn(f"plain {turn}", scene.maya.id, at)])
        await record(scene.viewer(), scene.group.id, [Turn(f"atlas {turn}", scene.maya.id, at)], scene.atlas.id)
        await record(scene.viewer(), scene.private.id, [Turn(f"private {turn}", scene.maya.id, at)])
    found = [await chain(raw, session["id"]) for session in await sessions(raw)]
    assert [["atlas 0", "atlas 1"], ["plain 0", "plain 1"], ["private 0", "private 1"]] == sorted(found)


async def test_a_late_turn_goes_to_its_place(scene, raw) -> None:
    """A turn that arrives late is placed in the chain by its event time, and may move the start of its session back."""
    for minute in (0, 10, 20):
        await scene.say(f"minute {minute}", at=scene.minutes(minute))
    await scene.say("minute 15", at=scene.minutes(15))
    late = await scene.say("minute -5", at=scene.minutes(-5))
    expected = ["minute -5", "minute 0", "minute 10", "minute 15", "minute 20"]
    assert expected == await chain(raw, late.session_id)
    [session] = await sessions(raw)
    assert (scene.minutes(-5), scene.minutes(20)) == (session["started_at"], session["last_activity_at"])
    assert [] == await scene.service.doctor.examine()


async def test_turns_of_one_moment_keep_their_arrival(scene, raw) -> None:
    """Turns with the same event time keep the order of their arrival."""
    for number in range(5):
        stored = await scene.say(f"{number}", at=scene.minutes(0))
    assert ["0", "1", "2", "3", "4"] == await chain(raw, stored.session_id)


async def test_half_an_hour_of_silence_ends_a_session(scene, raw) -> None:
    """A gap between event times of exactly the idle time continues the session; a longer one ends it and begins
    another.
    """
    first = await scene.say("a", at=scene.minutes(0))
    second = await scene.say("b", at=scene.minutes(30))
    third = await scene.say("c", at=scene.minutes(61))
    assert first.session_id == second.session_id != third.session_id
    before, after = await sessions(raw)
    assert (scene.minutes(30), "idle") == (before["ended_at"], before["closed_by"])
    assert NO_END == after["ended_at"]


async def test_a_late_turn_joins_the_session_its_time_falls_in(scene, raw) -> None:
    """A late turn joins the earlier session that ended less than the idle time before it, and moves its end."""
    first = await scene.say("morning", at=scene.minutes(0))
    second = await scene.say("evening", at=scene.minutes(300))
    inside = await scene.say("still morning", at=scene.minutes(20))
    assert first.session_id == inside.session_id
    assert ["morning", "still morning"] == await chain(raw, first.session_id)
    morning, evening = await sessions(raw)
    assert (scene.minutes(20), scene.minutes(20)) == (morning["last_activity_at"], morning["ended_at"])
    assert (second.session_id, NO_END) == (evening["id"], evening["ended_at"])


async def test_a_late_turn_outside_every_session_joins_the_open_one(scene, raw) -> None:
    """A late turn joins the open session if no session covers its event time (S3)."""
    await scene.say("morning", at=scene.minutes(0))
    evening = await scene.say("evening", at=scene.minutes(300))
    between = await scene.say("noon", at=scene.minutes(150))
    assert evening.session_id == between.session_id
    assert ["noon", "evening"] == await chain(raw, evening.session_id)
    assert [] == await scene.service.doctor.examine()


async def test_a_word_names_one_session(scene, raw) -> None:
    """Turns with the same session name given by the caller, or with its id, share one session, whatever the gap."""
    one = await scene.say("a", at=scene.minutes(0), session_id="meeting-7")
    two = await scene.say("b", at=scene.minutes(500), session_id="meeting-7")
    by_id = await scene.say("c", at=scene.minutes(600), session_id=one.session_id)
    assert one.session_id == two.session_id == by_id.session_id != "meeting-7"
    assert ["a", "b", "c"] == await chain(raw, one.session_id)


async def test_sessions_imported_out_of_order_leave_the_open_one_alone(scene, raw) -> None:
    """A named session that is older than the open one is stored as ended, and the open one stays open."""
    today = await scene.say("today", at=scene.minutes(0), session_id="today")
    last_week = await scene.say("last week", at=scene.minutes(-10_000), session_id="last-week")
    ends = {session["id"]: session["ended_at"] for session in await sessions(raw)}
    assert {today.session_id: NO_END, last_week.session_id: scene.minutes(-10_000)} == ends


async def test_a_word_is_ones_own_in_each_chat_and_with_each_persona(scene, raw) -> None:
    """A session name in another chat or with another persona begins another session. The id of another chat's session
    is treated as a name, so it does not reveal that session.
    """
    ours = await scene.say("a", session_id="morning")
    theirs = await scene.say("b", session_id="morning", chat=scene.private)
    by_id = await scene.say("c", session_id=ours.session_id, chat=scene.private)
    turns = [Turn("d", scene.maya.id, session_id="morning")]
    [atlas] = await scene.service.recorder.record(scene.viewer(), scene.group.id, turns, scene.atlas.id)
    assert 4 == len({stored.session_id for stored in (ours, theirs, by_id, atlas)})
    assert ["a"] == await chain(raw, ours.session_id)
    again = await scene.say("e", session_id=ours.session_id, chat=scene.private)
    assert by_id.session_id == again.session_id
    assert [] == await scene.service.doctor.examine()


async def test_a_session_of_before_is_found_by_its_word(scene, raw) -> None:
    """A session of an older graph, whose id is the caller's name for it, is found by that name in its own chat only."""
    stored = await scene.say("a", session_id="morning")
    await raw("MATCH (s:Session) SET s.id = 'morning' REMOVE s.word_key")
    await raw("MATCH (m:Memory) SET m.session_id = 'morning'")
    again = await scene.say("b", session_id="morning")
    assert "morning" == again.session_id
    elsewhere = await scene.say("c", session_id="morning", chat=scene.private)
    assert elsewhere.session_id not in ("morning", stored.session_id)


# --- many at once ---


async def test_turns_of_many_tasks_share_transactions(scene, raw) -> None:
    """Single turns recorded at the same time in 16 chats are committed in fewer than 8 transactions."""
    chats = await chats_of(scene, 16)
    await asyncio.gather(*(scene.say("at once", chat=chat) for chat in chats))
    [row] = await raw(
        "MATCH (c:Chat)<-[:LEARNED_IN]-(m) RETURN count(m) AS turns, count(DISTINCT c.lock) AS transactions"
    )
    assert 16 == row["turns"]
    assert row["transactions"] < 8


async def test_errors_stay_with_whom_they_belong_to(scene, raw) -> None:
    """Of single turns recorded at the same time, each invalid one raises its own error and all others are stored."""
    await scene.say("once", at=scene.minutes(0), idempotency_key="key")
    record, viewer = scene.service.recorder.record, scene.viewer()
    mine = [Turn("words", scene.maya.id)]
    answers = await asyncio.gather(
        *(scene.say(f"good {number}", at=scene.minutes(1)) for number in range(3)),
        scene.say("twice", at=scene.minutes(0), idempotency_key="key"),
        scene.say("I am not here", by=scene.ben, chat=scene.private),
        record(viewer, "0" * 32, mine),
        record(viewer, "a\ud83db", mine),
        record(viewer, scene.group.id, mine, "0" * 32),
        *(scene.say(f"good {number}", at=scene.minutes(1)) for number in range(3, 6)),
        return_exceptions=True,
    )
    kinds = ["Conflict", "NotFound", "NotFound", "InvalidInput", "NotFound"]
    assert ["Recorded"] * 3 + kinds + ["Recorded"] * 3 == [type(answer).__name__ for answer in answers]
    [session] = await sessions(raw)
    assert {"once", *(f"good {number}" for number in range(6))} == set(await chain(raw, session["id"]))


async def test_callers_do_not_share_what_they_may(scene, raw) -> None:
    """Turns recorded at the same time by callers with different rights are each checked with their caller's rights."""
    ben, maya = scene.viewer(scene.ben, rights=NO_RIGHTS), scene.viewer(scene.maya, rights=NO_RIGHTS)
    record, private = scene.service.recorder.record, scene.private.id
    answers = await asyncio.gather(
        *(scene.say(f"trusted {number}", chat=scene.private) for number in range(4)),
        *(record(maya, private, [Turn(f"mine {number}", scene.maya.id)]) for number in range(4)),
        *(record(ben, private, [Turn(f"not mine {number}", scene.ben.id)]) for number in range(4)),
        return_exceptions=True,
    )
    assert [NotFound] * 4 == [type(answer) for answer in answers[8:]]
    [row] = await raw("MATCH (m:Memory) RETURN count(m) AS turns")
    assert 8 == row["turns"]


async def test_a_chat_that_is_held_up_holds_up_no_other(scene) -> None:
    """While a transaction holds the lock of one chat, turns that arrive together with its turns are stored in other
    chats.
    """
    held, *free = await chats_of(scene, 8)
    async with driver_of(scene.service.connection) as driver:
        async with driver.session() as session, await session.begin_transaction() as transaction:
            await (await transaction.run("MATCH (c:Chat {id: $id}) SET c.lock = 'mine'", id=held.id)).consume()
            waiting = [asyncio.create_task(scene.say("held", chat=held)) for _ in range(2)]
            said = [asyncio.create_task(scene.say("free", chat=chat)) for chat in (held, *free)]
            await asyncio.gather(*said[1:])
            assert not any(task.done() for task in (*waiting, said[0]))
            await transaction.commit()
        await asyncio.gather(*waiting, *said)


async def test_two_processes_write_in_the_same_chats(scene, raw) -> None:
    """Two recorders, as in two processes, write to the same chats: no turn is lost and no chain forks."""
    settings, chats = scene.service.settings, await chats_of(scene, 4)
    other = Recorder(
        scene.service.database,
        scene.service.clock,
        session_idle=settings.session_idle,
        max_characters=settings.max_message_characters,
        clock_skew=settings.clock_skew,
    )
    await asyncio.gather(
        *(
            recorder.record(scene.viewer(), chat.id, [Turn(f"{name} {number}", scene.maya.id)])
            for number in range(10)
            for name, recorder, order in (("one", scene.service.recorder, chats), ("two", other, chats[::-1]))
            for chat in order
        )
    )
    found = [await chain(raw, session["id"]) for session in await sessions(raw)]
    assert [20] * 4 == [len(turns) for turns in found]
    assert [] == await scene.service.doctor.examine()


async def chats_of(scene: Any, count: int) -> list[Chat]:
    """Creates and returns this many groups of Maya and the local user."""
    members = [Member(scene.maya.id, LONG_AGO), Member(scene.service.local_user.id, LONG_AGO)]
    people = scene.service.people
    return [await people.create_chat(INTERNAL, ChatKind.GROUP, f"group {n}", members) for n in range(count)]


# --- once, all or nothing ---


async def test_one_key_gives_one_memory(scene, raw) -> None:
    """32 identical requests from 8 tasks store one memory; all get its ids, and one is not marked as repeated."""

    async def attempt() -> list[tuple[str, str, bool]]:
        stored = [await scene.say("once", at=scene.minutes(0), idempotency_key="key") for _ in range(30 // 8 + 1)]
        return [(one.memory_id, one.session_id, one.repeated) for one in stored]

    answers = [answer for answers in await asyncio.gather(*(attempt() for _ in range(8))) for answer in answers]
    [memory] = await raw("MATCH (m:Memory) RETURN m.id AS id, m.session_id AS session")
    assert {(memory["id"], memory["session"])} == {(memory_id, session) for memory_id, session, _ in answers}
    assert 1 == sum(not repeated for *_, repeated in answers)


async def test_many_keys_from_many_tasks_are_stored_once_each(scene, raw) -> None:
    """Eight tasks that all send the same 30 idempotency keys store 30 memories in one chain."""

    async def send() -> None:
        for number in range(30):
            await scene.say(f"message {number}", at=scene.minutes(number / 10), idempotency_key=f"k{number}")

    await asyncio.gather(*(send() for _ in range(8)))
    [session] = await sessions(raw)
    assert [f"message {number}" for number in range(30)] == await chain(raw, session["id"])


@pytest.mark.parametrize(
    "other",
    [{"content": "twice"}, {"at": timedelta(minutes=1)}, {"tags": ("new",)}, {"session_id": "other"}, {"by": "ben"}],
    ids=lambda other: next(iter(other)),
)
async def test_one_key_with_another_turn_is_a_conflict(scene, raw, other) -> None:
    """A used idempotency key with another text, time, tags, session or speaker is refused, and nothing is stored."""
    await scene.say("once", at=scene.minutes(0), idempotency_key="key")
    before = await sizes(raw)
    changed = {"content": "once", "at": scene.minutes(0), **other}
    if isinstance(changed["at"], timedelta):
        changed["at"] = scene.minutes(0) + changed["at"]
    if "by" in changed:
        changed["by"] = scene.ben
    with pytest.raises(Conflict, match="'key'"):
        await scene.say(changed.pop("content"), idempotency_key="key", **changed)
    assert before == await sizes(raw)


async def test_a_key_counts_for_one_chat_and_one_caller(scene, raw) -> None:
    """The same idempotency key in another chat, or from another caller, does not make a turn a repetition."""
    await scene.say("in the group", idempotency_key="key")
    await scene.say("in private", idempotency_key="key", chat=scene.private)
    turns = [Turn("by Maya herself", scene.maya.id, idempotency_key="key")]
    await scene.service.recorder.record(scene.viewer(scene.maya, rights=NO_RIGHTS), scene.group.id, turns)
    [row] = await raw("MATCH (m:Memory) RETURN count(m) AS memories")
    assert 3 == row["memories"]


async def test_a_key_twice_in_one_batch_is_one_turn(scene, raw) -> None:
    """A turn that occurs twice in a batch with the same idempotency key is stored once."""
    turns = [Turn("once", scene.maya.id, scene.minutes(0), idempotency_key="key")] * 2
    first, second = await scene.service.recorder.record(scene.viewer(), scene.group.id, turns)
    assert (first.memory_id, False, True) == (second.memory_id, first.repeated, second.repeated)


async def test_one_bad_turn_takes_the_batch_back(scene, raw) -> None:
    """A batch with one refused turn is rolled back: no nodes or relationships remain, and sessions are unchanged."""
    await scene.say("before", at=scene.minutes(0))
    before, [session] = await sizes(raw), await sessions(raw)
    turns = [
        Turn("one", scene.maya.id, scene.minutes(100)),
        Turn("two", scene.ben.id, scene.minutes(200)),
        Turn("three", "0" * 32, scene.minutes(300)),
    ]
    with pytest.raises(NotFound, match="nobody called"):
        await scene.service.recorder.record(scene.viewer(), scene.group.id, turns)
    assert before == await sizes(raw)
    assert [session] == await sessions(raw)


# --- who may ---


async def test_somebody_else_may_not_speak_for_one(scene, raw) -> None:
    """A member without the right to record may not record words of others or of the assistant."""
    before, ben = await sizes(raw), scene.viewer(scene.ben, rights=NO_RIGHTS)
    for speaker in (scene.maya.id, None):
        with pytest.raises(NotAllowed):
            await scene.service.recorder.record(ben, scene.group.id, [Turn("words", speaker)], scene.atlas.id)
    assert before == await sizes(raw)


async def test_a_member_records_their_own_words(scene) -> None:
    """A member without the right to record may record their own words."""
    turns = [Turn("my own words", scene.ben.id)]
    [stored] = await scene.service.recorder.record(scene.viewer(scene.ben, rights=NO_RIGHTS), scene.group.id, turns)
    assert not stored.repeated


async def test_an_outsider_cannot_tell_a_chat_from_none(scene) -> None:
    """A caller who takes no part in a chat gets the same error as for a chat that does not exist."""
    messages = []
    for chat in (scene.private.id, "0" * 32):
        with pytest.raises(NotFound) as caught:
            await scene.service.recorder.record(
                scene.viewer(scene.ben, rights=NO_RIGHTS), chat, [Turn("hello?", scene.ben.id)]
            )
        messages.append(str(caught.value).replace(chat, "…"))
    assert messages[0] == messages[1]


async def test_a_speaker_takes_part(scene, raw) -> None:
    """A turn of a speaker who never took part in the chat is refused."""
    before = await sizes(raw)
    with pytest.raises(NotFound, match="nobody called"):
        await scene.say("I am not here", by=scene.ben, chat=scene.private)
    assert before == await sizes(raw)


async def test_what_was_said_while_somebody_took_part_can_come_later(service: Service) -> None:
    """A turn of a former participant is stored if its event time is before they left, and refused if it is after."""
    gone = await service.people.create_person(INTERNAL, "Gone Person")
    here = service.local_user
    start, end = datetime(2024, 1, 1, tzinfo=UTC), datetime(2024, 2, 1, tzinfo=UTC)
    chat = await service.people.create_chat(
        INTERNAL, ChatKind.GROUP, "Old times", [Member(here.id, start), Member(gone.id, start, end)]
    )
    old = [Turn("I was here", gone.id, end - timedelta(days=1))]
    [stored] = await service.recorder.record(service.viewer(), chat.id, old)
    assert not stored.repeated
    with pytest.raises(NotFound, match="nobody called"):
        await service.recorder.record(service.viewer(), chat.id, [Turn("am I?", gone.id, end + timedelta(days=1))])


# --- bad input ---

BAD_TEXTS = ["", " \n\t ", "\u200b\u2060", "a" * 100_000, "a\x00b", "a\ud83db", "a\x1bb"]
A_DAY = timedelta(days=1)


@pytest.mark.parametrize("field", ["content", "session_id", "idempotency_key", "title", "tags"])
async def test_a_bad_text_is_refused_and_nothing_written(scene, raw, field) -> None:
    """Empty, overlong and malformed texts raise `InvalidInput` in every field; a valid turn before them in the batch is
    not stored either.
    """
    before = await sizes(raw)
    for text in BAD_TEXTS:
        fields: dict[str, Any] = {"content": "words", field: (text,) if field == "tags" else text}
        turns = [Turn("good", scene.maya.id), Turn(speaker_id=scene.maya.id, **fields)]
        with pytest.raises(InvalidInput):
            await scene.service.recorder.record(scene.viewer(), scene.group.id, turns)
    assert before == await sizes(raw)


@pytest.mark.parametrize(
    "moment",
    [
        datetime(2024, 1, 1),  # noqa: DTZ001  # what is refused
        datetime.now(UTC) + 2 * A_DAY,
        datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC),
        datetime(9999, 12, 31, 23, 59, 59, tzinfo=timezone(timedelta(hours=-12))),
        datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14))),
    ],
    ids=["naive", "day after tomorrow", "end of time", "beyond the end of time", "before the beginning of time"],
)
async def test_an_impossible_time_is_refused(scene, raw, moment) -> None:
    """Event times without an offset, in the future or outside the range of UTC `datetime` raise `InvalidInput`."""
    before = await sizes(raw)
    with pytest.raises(InvalidInput, match="time"):
        await scene.say("words", at=moment)
    assert before == await sizes(raw)


async def test_a_clock_that_runs_ahead_is_forgiven(scene) -> None:
    """A turn with an event time a few minutes ahead of the server's clock is stored and visible at once."""
    stored = await scene.say("from the future", at=scene.service.clock() + timedelta(minutes=4))
    assert [stored.memory_id] == list(await scene.service.memories.load(scene.viewer(), [stored.memory_id]))


async def test_another_offset_is_the_same_moment(scene) -> None:
    """Event times with any offset are stored in UTC."""
    vienna = timezone(timedelta(hours=1))
    stored = await scene.say("mahlzeit", at=datetime(2024, 3, 4, 13, tzinfo=vienna))
    loaded = await scene.service.memories.load(scene.viewer(), [stored.memory_id])
    assert (scene.minutes(0), UTC) == (loaded[stored.memory_id].event_time, loaded[stored.memory_id].event_time.tzinfo)


async def test_unknown_ids_are_not_found_and_nothing_written(scene, raw) -> None:
    """An unknown or malformed id of a chat, speaker or persona raises a typed error, and nothing is written."""
    before, record = await sizes(raw), scene.service.recorder.record
    known = [Turn("words", scene.maya.id)]
    for unknown in ("0" * 32, "no id at all", "' OR 1=1 //", "a\ud83db", "a\x00b"):
        with pytest.raises((NotFound, InvalidInput)):
            await record(scene.viewer(), unknown, known)
        with pytest.raises((NotFound, InvalidInput)):
            await record(scene.viewer(), scene.group.id, [Turn("words", unknown)])
        with pytest.raises((NotFound, InvalidInput)):
            await record(scene.viewer(), scene.group.id, known, unknown)
    assert before == await sizes(raw)


async def test_no_turns_are_nothing(scene, raw) -> None:
    """Recording an empty batch returns an empty list and changes nothing."""
    before = await sizes(raw)
    assert [] == await scene.service.recorder.record(scene.viewer(), scene.group.id, [])
    assert before == await sizes(raw)
