"""Time zones: the day of a turn is in the speaker's zone (of the message, the account, the chat or the setting), the
day of a question in the viewer's.
"""

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import available_timezones

import pytest

from hippograph.api.graphql.nodes import global_id
from hippograph.graph.errors import InvalidInput, NotFound
from hippograph.graph.model import EventPrecision, Times, Viewer
from hippograph.graph.people.todos import TodoStanding
from hippograph.graph.writing.dialogue_file import DialogueFile, FileDialogue, FileTurn
from hippograph.graph.writing.fact import Fact
from hippograph.graph.writing.recording import Turn
from hippograph.graph.zones import checked_zone
from hippograph.nlp.questions.intent import Intent
from tests.integration.conftest import work_off

SAN_FRANCISCO, TOKYO = "America/Los_Angeles", "Asia/Tokyo"
EVENING = datetime(2026, 5, 3, 3, tzinfo=UTC)
"""20:00 on 2 May in San Francisco, noon of 3 May in Tokyo."""


async def zone_of(scene: Any, person: Any, zone: str | None, chat: Any = None) -> None:
    """Sets the time zone of a person's account, or of a chat if one is given."""
    await scene.service.people.set_time_zone(Viewer(person.id), zone, chat and chat.id)


def at(clock: Any, moment: datetime) -> None:
    """Sets the clock to a moment, from which it runs on."""
    clock.advance(moment - clock())


async def heading(raw: Any, memory_id: str) -> str:
    """Returns the heading of a turn, which is searched besides its text: its speaker and its local day."""
    [row] = await raw("MATCH (m:Memory {id: $id}) RETURN m.heading AS heading", id=memory_id)
    return str(row["heading"])


@pytest.mark.parametrize(
    ("message", "account", "chat", "day"),
    [
        (None, None, None, 3),
        (None, None, SAN_FRANCISCO, 2),
        (None, SAN_FRANCISCO, TOKYO, 2),
        (None, TOKYO, SAN_FRANCISCO, 3),
        (TOKYO, SAN_FRANCISCO, SAN_FRANCISCO, 3),
        (SAN_FRANCISCO, TOKYO, TOKYO, 2),
    ],
)
async def test_the_day_of_a_turn_is_where_it_was_said(
    scene, raw, message: str | None, account: str | None, chat: str | None, day: int
) -> None:
    """The day of a turn is in the zone of the message, else of the account, else of the chat, else of the setting."""
    await zone_of(scene, scene.maya, account)
    await zone_of(scene, scene.maya, chat, scene.private)
    turn = await scene.say("Mahlzeit", at=EVENING, chat=scene.private, time_zone=message)
    assert f"Maya Lindqvist {day} May 2026" == await heading(raw, turn.memory_id)
    [found] = (await scene.service.memories.load(Viewer(scene.maya.id), [turn.memory_id])).values()
    zone = message or account or chat
    assert (EVENING, zone) == (found.event_time, found.time_zone)


async def test_what_the_assistant_says_is_said_where_the_person_is(scene, raw) -> None:
    """The day of an assistant's turn in a private chat is in the zone of the chat's person."""
    await zone_of(scene, scene.maya, SAN_FRANCISCO)
    turn = Turn("Good evening!", None, event_time=EVENING)
    viewer = scene.viewer(scene.maya, scene.private)
    [stored] = await scene.service.recorder.record(viewer, scene.private.id, [turn], scene.atlas.id)
    assert "Atlas 2 May 2026" == await heading(raw, stored.memory_id)


@pytest.mark.parametrize(
    ("said", "zone", "words", "day"),
    [
        (EVENING, SAN_FRANCISCO, "My driving test is tomorrow.", datetime(2026, 5, 3, tzinfo=UTC)),
        (EVENING, TOKYO, "My driving test is tomorrow.", datetime(2026, 5, 4, tzinfo=UTC)),
        # A Friday evening in San Francisco: Saturday is tomorrow.
        (datetime(2026, 5, 2, 4, tzinfo=UTC), SAN_FRANCISCO, "My driving test is on Saturday.",
         datetime(2026, 5, 2, tzinfo=UTC)),
        # The end of a month, and of a year.
        (datetime(2026, 5, 1, 5, tzinfo=UTC), SAN_FRANCISCO, "My driving test is tomorrow.",
         datetime(2026, 5, 1, tzinfo=UTC)),
        (datetime(2025, 12, 31, 16, tzinfo=UTC), TOKYO, "My driving test is tomorrow.",
         datetime(2026, 1, 2, tzinfo=UTC)),
        # The repeated hour of the night in which clocks go back, and the evening before they go forward.
        (datetime(2026, 11, 1, 9, 30, tzinfo=UTC), SAN_FRANCISCO, "My driving test is tomorrow.",
         datetime(2026, 11, 2, tzinfo=UTC)),
        (datetime(2026, 3, 8, 7, 30, tzinfo=UTC), SAN_FRANCISCO, "My driving test is tomorrow.",
         datetime(2026, 3, 8, tzinfo=UTC)),
    ],
)  # fmt: skip
async def test_a_day_that_is_named_is_the_speakers(
    scene, raw, said: datetime, zone: str, words: str, day: datetime
) -> None:
    """A day named in a turn is resolved in the speaker's zone; facts and todos store it as a date without a zone."""
    await scene.say(words, at=said, chat=scene.private, time_zone=zone)
    await work_off(scene.service)
    [fact] = await raw("MATCH (m:Semantic {frame: 'plan'}) RETURN m.event_time AS day, m.event_precision AS how")
    assert {"day": day, "how": "day"} == fact
    [todo] = await raw("MATCH (t:Todo) RETURN t.due_at AS due, t.due_until AS until")
    assert {"due": day, "until": day + timedelta(days=1, microseconds=-1)} == todo


async def asked(scene: Any, viewer: Viewer, at: datetime, question: str) -> list[str]:
    """Returns the contents of the results found by the period that a question names, if it is asked at a moment."""
    page = await scene.service.search.search(
        viewer, question, intent=Intent.WHEN, times=Times(at, scene.service.clock())
    )
    return [result.memory.content for result in page.results if "period" in result.hits]


@pytest.mark.parametrize(
    ("zone", "asked_at", "found"),
    [
        # The evening of 2 May in San Francisco is 3 May in Tokyo.
        (SAN_FRANCISCO, datetime(2026, 5, 3, 18, tzinfo=UTC), True),
        (TOKYO, datetime(2026, 5, 3, 18, tzinfo=UTC), True),
        (SAN_FRANCISCO, datetime(2026, 5, 4, 8, tzinfo=UTC), False),
        (TOKYO, datetime(2026, 5, 4, 8, tzinfo=UTC), True),
        (TOKYO, datetime(2026, 5, 3, 14, tzinfo=UTC), False),
        ("UTC", datetime(2026, 5, 3, 18, tzinfo=UTC), False),
    ],
)
async def test_yesterday_is_the_askers(scene, zone: str, asked_at: datetime, found: bool) -> None:
    """The word "yesterday" in a question is resolved in the asker's zone, whatever the zone of the turn."""
    turn = "I bought the blue kettle at the market."
    await scene.say(turn, at=EVENING, chat=scene.private, time_zone=SAN_FRANCISCO)
    await scene.service.enrichment.step()
    await zone_of(scene, scene.maya, zone)
    viewer = scene.viewer(scene.maya, scene.private)
    assert found == (turn in await asked(scene, viewer, asked_at, "What did I buy at the market yesterday?"))


async def test_a_date_is_found_by_its_day_alone(scene) -> None:
    """A date has no zone: a question about one day, asked west of Greenwich, does not also find the next day."""
    await zone_of(scene, scene.maya, SAN_FRANCISCO)
    viewer = Viewer(scene.maya.id)
    for day in (1, 2, 3):
        fact = Fact(
            f"The market was on {day} May",
            event_time=datetime(2026, 5, day, tzinfo=UTC),
            event_precision=EventPrecision.DAY,
        )
        await scene.service.facts.remember(viewer, [fact])
    await scene.service.enrichment.step()
    there = await asked(scene, viewer, datetime(2026, 5, 3, 18, tzinfo=UTC), "When was the market yesterday?")
    assert ["The market was on 2 May"] == there


async def test_what_is_remembered_goes_by_the_zone_of_who_says_so(scene, clock) -> None:
    """A relative day in a remembered fact is resolved in the zone of the account that remembers it."""
    at(clock, EVENING)
    await zone_of(scene, scene.maya, SAN_FRANCISCO)
    [done] = await scene.service.facts.remember(Viewer(scene.maya.id), [Fact("I moved to Graz yesterday")])
    [found] = (await scene.service.memories.load(Viewer(scene.maya.id), [done.memory_id])).values()
    assert (datetime(2026, 5, 1, tzinfo=UTC), EventPrecision.DAY) == (found.event_time, found.event_precision)


async def test_a_todo_is_due_as_long_as_its_day_lasts_there(scene, clock) -> None:
    """The todo of an appointment is due from midnight to midnight of its day in the person's zone; after that it is no
    longer listed.
    """
    at(clock, datetime(2026, 5, 2, 20, tzinfo=UTC))
    await zone_of(scene, scene.maya, SAN_FRANCISCO)
    viewer = Viewer(scene.maya.id)
    await scene.say("My driving test is on 3 May.", at=clock(), chat=scene.private)
    await work_off(scene.service)
    for now, standing in (
        (datetime(2026, 5, 3, 6, 59, tzinfo=UTC), [TodoStanding.UPCOMING]),
        (datetime(2026, 5, 3, 7, 1, tzinfo=UTC), [TodoStanding.DUE]),
        (datetime(2026, 5, 4, 6, 59, tzinfo=UTC), [TodoStanding.DUE]),
        (datetime(2026, 5, 4, 7, 1, tzinfo=UTC), []),
    ):
        at(clock, now)
        assert standing == [listed.item.standing for listed in (await scene.service.todos.all(viewer)).items]


async def test_only_who_takes_part_says_the_zone_of_a_chat(scene) -> None:
    """Only participants may set the zone of a chat; for others it is not found. Unknown zones are refused."""
    with pytest.raises(NotFound):
        await zone_of(scene, scene.ben, TOKYO, scene.private)
    with pytest.raises(InvalidInput, match="is no time zone"):
        await zone_of(scene, scene.maya, "Mars/Base")
    with pytest.raises(InvalidInput, match="is no time zone"):
        await scene.say("Hello", time_zone="Mars/Base")


async def test_neo4j_knows_every_zone_that_may_be_named(raw) -> None:
    """Neo4j, which computes the day of a turn, knows every zone that `checked_zone` accepts."""
    names = [name for name in available_timezones() if "/" in name]
    assert names == [checked_zone(name) for name in names]
    [row] = await raw(
        "UNWIND $names AS name RETURN count(datetime({datetime: datetime(), timezone: name})) AS known", names=names
    )
    assert len(names) == row["known"]


SET = """
mutation Set($zone: String, $chat: ID) {
  setTimeZone(input: {timeZone: $zone, chatId: $chat}) {
    ... on SetTimeZonePayload { timeZone }
    ... on InvalidInputError { message }
    ... on NotFoundError { message }
  }
}
"""
RECORD = """
mutation Record($chat: ID!, $at: DateTime, $zone: String) {
  recordMessage(input: {chatId: $chat, content: "Mahlzeit", eventTime: $at, timeZone: $zone}) {
    ... on RecordMessagePayload { memory { timeZone eventTime } }
    ... on InvalidInputError { message }
  }
}
"""


async def test_zones_are_set_and_told_over_graphql(scene, ask) -> None:
    """GraphQL sets and returns the zones of the viewer, of a chat and of a message, and refuses unknown ones. The
    viewer's own zone takes precedence over the chat's.
    """
    chat = global_id("Chat", scene.group.id)
    told = """query Told($chat: ID!) {
      viewer { here: timeZone(chatId: $chat) alone: timeZone }
      node(id: $chat) { ... on Chat { timeZone } }
    }"""
    assert {"timeZone": TOKYO} == (await ask(SET, zone=TOKYO, chat=chat))["data"]["setTimeZone"]
    expected = {"viewer": {"here": TOKYO, "alone": "UTC"}, "node": {"timeZone": TOKYO}}
    assert expected == (await ask(told, chat=chat))["data"]
    await ask(SET, zone=SAN_FRANCISCO)
    assert {"here": SAN_FRANCISCO, "alone": SAN_FRANCISCO} == (await ask(told, chat=chat))["data"]["viewer"]
    assert "is no time zone" in (await ask(SET, zone="EST"))["data"]["setTimeZone"]["message"]
    await ask(SET)
    assert {"timeZone": "UTC"} == (await ask(SET, chat=chat))["data"]["setTimeZone"]
    said = (await ask(RECORD, chat=chat, at=EVENING.isoformat(), zone="Europe/Vienna"))["data"]["recordMessage"]
    assert "Europe/Vienna" == said["memory"]["timeZone"]
    assert "is no time zone" in (await ask(RECORD, chat=chat, zone="EST"))["data"]["recordMessage"]["message"]


async def test_times_in_filters_are_the_viewers(scene, ask) -> None:
    """Days without an offset in a filter are in the viewer's zone; moments with an offset are taken as they are."""
    await zone_of(scene, scene.service.local_user, SAN_FRANCISCO)
    await scene.say("Mahlzeit", at=EVENING, by=scene.service.local_user)
    document = """query Mine($after: String, $before: String) {
      memories(filter: {after: $after, before: $before}) { nodes { content } }
    }"""
    for after, before, found in (
        ("2026-05-02", "2026-05-03", True),
        ("2026-05-03", "2026-05-04", False),
        ("2026-05-03T03:00Z", "2026-05-03T03:01Z", True),
    ):
        nodes = (await ask(document, after=after, before=before))["data"]["memories"]["nodes"]
        assert found == ({"content": "Mahlzeit"} in nodes)


@pytest.mark.parametrize("whose", ["account", "chat"])
async def test_days_of_a_timeline_are_the_viewers(scene, ask, whose: str) -> None:
    """Days that bound a timeline are in the viewer's zone, that of the account or else of the chat. Moments are
    compared with them, and dates with their dates; so they are too with moments that are given with an offset.
    """
    me, chat = scene.service.local_user, global_id("Chat", scene.group.id)
    await zone_of(scene, me, SAN_FRANCISCO, scene.group if whose == "chat" else None)
    await scene.say("Mahlzeit", at=EVENING, by=me)
    for day in (1, 2, 3):
        fact = Fact(f"On {day} May", event_time=datetime(2026, 5, day, tzinfo=UTC), about=(me.key,))
        await scene.service.facts.remember(scene.viewer(), [fact], for_chat=True)
    document = """query Mine($key: String, $chat: ID, $since: String, $until: String) {
      timeline(key: $key, chatId: $chat, since: $since, until: $until) { nodes { content } }
    }"""
    for since, until in (("2026-05-02", "2026-05-03"), ("2026-05-02T00:00-07:00", "2026-05-03T07:00Z")):
        of_chat = (await ask(document, chat=chat, since=since, until=until))["data"]["timeline"]["nodes"]
        assert ["On 2 May", "Mahlzeit"] == [node["content"] for node in of_chat]
        of_me = (await ask(document, key=me.key, chat=chat, since=since, until=until))["data"]["timeline"]["nodes"]
        assert ["On 2 May"] == [node["content"] for node in of_me]
    wrong = await ask(document, chat=chat, since="some day")
    assert "is no time" in wrong["errors"][0]["message"]


async def test_what_is_imported_was_said_where_it_is_told(scene, raw) -> None:
    """The zone given for an import applies to the turns of its file."""
    said = [FileTurn("t1", "Ann", "Mahlzeit", EVENING)]
    content = DialogueFile([FileDialogue("d1", said)])
    await scene.service.importer.run(scene.service.viewer(), "file", content, time_zone=SAN_FRANCISCO)
    [turn] = await raw("MATCH (m:Episodic) RETURN m.heading AS heading, m.time_zone AS zone")
    assert {"heading": "Ann 2 May 2026", "zone": SAN_FRANCISCO} == turn


async def test_an_agent_says_where_its_user_is(scene, agent, raw) -> None:
    """The zone that an agent gives to `record_turns` is stored with the turns; an unknown one is refused."""
    turns = [{"role": "user", "content": "Mahlzeit", "time": EVENING.isoformat()}]
    await agent.call("record_turns", turns=turns, chat="Farm", time_zone=SAN_FRANCISCO)
    [turn] = await raw("MATCH (m:Episodic) RETURN m.time_zone AS zone")
    assert {"zone": SAN_FRANCISCO} == turn
    refused = await agent.refused("record_turns", turns=turns, chat="Farm", time_zone="EST")
    assert "is no time zone" in refused


async def test_moments_are_shown_by_the_readers_clock(scene, client) -> None:
    """Contexts and pages show when a turn was said in the reader's zone, whatever the zone of the turn."""
    await scene.say("I bought the blue kettle at the market.", at=EVENING, time_zone=TOKYO)
    await scene.service.enrichment.step()
    me = scene.viewer()
    await zone_of(scene, scene.service.local_user, SAN_FRANCISCO)
    context = await scene.service.contexts.context(me, "Who bought the blue kettle at the market?")
    assert "Maya Lindqvist, 2 May 2026" in context.text
    shown = (await client.get("/memory", params={"q": "blue kettle", "chat": scene.group.id})).text
    assert "2 May 2026, 20:00" in shown
