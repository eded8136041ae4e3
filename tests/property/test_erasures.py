"""Random talk among people, then the erasure of one of them. A hostile person removes nothing from others' texts, and
an honest one is named nowhere in the chats where they spoke.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from hippograph.api.service import Service
from hippograph.graph.jobs.wipe import wipe
from hippograph.graph.model import INTERNAL, ChatKind, Person, Viewer
from hippograph.graph.people.people import Member
from hippograph.graph.rights import ALL_RIGHTS
from hippograph.graph.writing.fact import Fact
from hippograph.graph.writing.recording import Turn
from tests.neo4j_servers import driver_of

WORLDS: Final = max(3, settings().max_examples // 16)
START: Final = datetime(2024, 1, 1, tzinfo=UTC)
VOUCHED: Final = "Malvina Crowe"
SHARED, ELSEWHERE, PRIVATE = range(3)
"""Indexes of the chats: of all three people, of the two others, and the private one of one of the others."""
NAMES: Final = [
    "Trieste Harbour",
    "Will",
    "Ben",
    "Ben Okafor",
    "Ada",
    "Mina",
    "Coffee",
    "Graz",
    "Rose Garden",
    "Siemens",
]
PATTERNS: Final = [
    "My sister moved to {}.",
    "{} will come on Friday, will you?",
    "I had coffee with {} in Graz.",
    "{} and Ben went to Lisbon with me.",
    "Did {} say so? I think {} did.",
    "{}",
]
NAMED: Final = re.compile(r"(?i)malvina[\W_]crowe|malvina")
TEXTS: Final = """
MATCH (n:Memory|Chat|Block|UserState)
WHERE NOT coalesce(n.speaker_id, n.person_id, '') = $gone AND (NOT n:Memory OR n:Episodic OR n.source = 'agent')
RETURN n.id AS id, coalesce(n.content, n.title, n.value) AS text
"""

THERE: Final = """
MATCH (n:Memory|Chat) WHERE n.id = $chat OR n.learned_in = $chat
RETURN n.id AS id, coalesce(n.content, n.title) AS text
"""

names = st.sampled_from([*NAMES, *NAMES, VOUCHED, "Malvina"])
texts = st.builds(lambda pattern, *some: pattern.format(*some), st.sampled_from(PATTERNS), names, names)
tellings = st.lists(
    st.tuples(st.sampled_from(["turn", "turn", "fact", "block", "state"]), st.integers(0, 1), st.integers(0, 2), texts),
    min_size=2,
    max_size=10,
)


@dataclass(frozen=True)
class World:
    """The person who is erased, whose name somebody else gave, the two others, and the ids of the chats."""

    gone: Person
    others: list[Person]
    chats: list[str]


async def _world(service: Service, told: list[tuple[str, int, int, str]], aliases: list[str], title: str) -> World:
    await wipe(service.database, service.local_user.id)
    people = service.people
    gone = await people.create_person(INTERNAL, VOUCHED, user_id="malvina")
    others = [await people.create_person(INTERNAL, name) for name in ("Ben Okafor", "Ada Byron")]
    chats = []
    for kind, there in ((ChatKind.GROUP, [gone, *others]), (ChatKind.GROUP, others), (ChatKind.PRIVATE, others[:1])):
        members = [Member(person.id, START) for person in there]
        chats.append((await people.create_chat(INTERNAL, kind, f"{title} {len(chats)}", members)).id)
    for alias in aliases:
        await people.add_alias(Viewer(gone.id), gone.id, alias)
    world = World(gone, others, chats)
    await service.recorder.record(
        Viewer(gone.id, rights=ALL_RIGHTS), chats[SHARED], [Turn("I like rowing.", gone.id, event_time=START)]
    )
    for number, each in enumerate(told):
        await _tell(service, world, number, *each)
    while await service.enrichment.step():
        pass
    return world


async def _tell(service: Service, world: World, number: int, how: str, who: int, where: int, text: str) -> None:
    speaker = world.others[0] if where == PRIVATE else world.others[who]
    viewer = Viewer(speaker.id, world.chats[where], rights=ALL_RIGHTS)
    if how == "turn":
        turn = Turn(text, speaker.id, event_time=START + timedelta(minutes=number))
        await service.recorder.record(viewer, world.chats[where], [turn])
    elif how == "fact":
        await service.facts.remember(viewer, [Fact(f"{number}: {text}")], for_chat=where != PRIVATE)
    elif how == "block":
        await service.blocks.write(Viewer(speaker.id), f"block {number}", text)
    else:
        await service.states.set_state(Viewer(speaker.id), f"state {number}", text)


async def _rows(service: Service, statement: str, **params: object) -> list[tuple[str, str]]:
    """Ids and texts, read without the rules of visibility."""
    async with driver_of(service.connection) as driver:
        records, _, _ = await driver.execute_query(statement, params)
        return [(record["id"], record["text"]) for record in records]


async def _texts(service: Service, gone: str) -> Mapping[str, str]:
    return dict(await _rows(service, TEXTS, gone=gone))


@settings(
    max_examples=WORLDS,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(told=tellings, aliases=st.lists(st.sampled_from(NAMES), max_size=4, unique=True), title=st.sampled_from(NAMES))
async def test_who_is_erased_by_their_own_word_takes_nothing_from_others(
    shared_service: Service, told: list[tuple[str, int, int, str]], aliases: list[str], title: str
) -> None:
    """Whatever aliases a person gave themselves, their own erasure changes others' texts only by removing the name that
    somebody else vouched for. Texts without that name stay as they are.
    """
    world = await _world(shared_service, told, aliases, title)
    before = await _texts(shared_service, world.gone.id)
    await shared_service.erasures.erase(Viewer(world.gone.id), world.gone.id)
    after = await _texts(shared_service, world.gone.id)
    for place, text in before.items():
        if not NAMED.search(text):
            assert text == after.get(place)
        elif place in after and after[place] != text:
            assert NAMED.sub("[name removed]", text) == after[place]


@settings(
    max_examples=WORLDS,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(told=tellings, title=st.sampled_from([*NAMES, VOUCHED]))
async def test_who_is_honest_is_named_nowhere_where_they_spoke(
    shared_service: Service, told: list[tuple[str, int, int, str]], title: str
) -> None:
    """After a person without aliases erased themselves, neither the texts nor the title of a chat where they spoke name
    them. Once an administrator has confirmed what was undecided, their full name is in no text.
    """
    service = shared_service
    world = await _world(service, told, [], title)
    shared = world.chats[SHARED]
    await service.erasures.erase(Viewer(world.gone.id), world.gone.id)
    there = await _rows(service, THERE, chat=shared)
    assert [] == [text for _, text in there if NAMED.search(text)]
    for waiting in await service.erasures.undecided(INTERNAL):
        await service.erasures.decide(INTERNAL, waiting.id, confirm=True)
    assert [] == [text for text in (await _texts(service, world.gone.id)).values() if VOUCHED in text]
