import asyncio
import re
from datetime import datetime, timedelta, timezone

import pytest

from hippograph.api.service import Service
from hippograph.graph.errors import Conflict, InvalidInput, NotAllowed, NotFound
from hippograph.graph.ids import new_id
from hippograph.graph.model import INTERNAL, ChatKind, Viewer
from hippograph.graph.people.people import Member


async def test_the_key_of_a_namesake_does_not_number_them(service: Service) -> None:
    """Keys of namesakes, and of people for whom nobody vouches, end in random characters, not in a number."""
    people = [await service.people.create_person(INTERNAL, "John Smith") for _ in range(3)]
    people += [await service.people.create_person(INTERNAL, "Ada Kim", self_given=True)]
    first, *others = [person.key for person in people]
    assert "person:john_smith" == first
    assert all(re.fullmatch(r"person:(john_smith|ada_kim)-[0-9a-f]{6}", key) for key in others)
    assert 4 == len({person.id for person in people}) == len({first, *others})


async def test_namesakes_at_once_get_keys_of_their_own(service: Service) -> None:
    """Twelve people of one name, created at once, get twelve keys."""
    people = await asyncio.gather(*(service.people.create_person(INTERNAL, "John Smith") for _ in range(12)))
    assert 12 == len({person.key for person in people})


async def test_one_account_is_one_person(service: Service) -> None:
    """Concurrent requests with one account create one person, whatever names they give."""
    people = await asyncio.gather(
        *(service.people.create_person(INTERNAL, f"John {number}", user_id="john@example.org") for number in range(8))
    )
    assert 1 == len({person.id for person in people})


async def test_a_given_id_gives_who_is_there(service: Service) -> None:
    """An existing id returns its person with the new usernames added; a new id makes a person, even for a namesake."""
    namesake, given = await service.people.create_person(INTERNAL, "Zoë Müller"), new_id()
    first = await service.people.create_person(INTERNAL, "zoë  müller", person_id=given)
    again = await service.people.create_person(INTERNAL, "Zoë", person_id=given, usernames=["@zoe"])
    assert (given, ("zoe",)) == (again.id, again.usernames)
    assert namesake.id != first.id == again.id


async def test_names_of_any_script_make_keys(service: Service) -> None:
    """Keys keep the letters of any script."""
    names = {"Мария Иванова": "person:мария_иванова", "山田太郎": "person:山田太郎", "Jean-Luc": "person:jean_luc"}
    assert list(names.values()) == [(await service.people.create_person(INTERNAL, name)).key for name in names]


async def test_a_name_without_letters_is_refused(service: Service, raw) -> None:
    """A name without a letter or digit, with invalid characters, or too long is refused and creates nobody."""
    before = await raw("MATCH (p:Person) RETURN count(p) AS people")
    for name in ("", "  ", "!?", "🎂", "a\x00b", "a\ud83d", "x" * 201):
        with pytest.raises(InvalidInput):
            await service.people.create_person(INTERNAL, name)
    assert before == await raw("MATCH (p:Person) RETURN count(p) AS people")


async def test_a_taken_username_is_refused(service: Service, raw) -> None:
    """A username that somebody has, in any case and with or without @, is refused, and the person is not created."""
    await service.people.create_person(INTERNAL, "Bob One", usernames=["@Bob"])
    for taken in ("bob", "@BOB"):
        with pytest.raises(Conflict, match="bob"):
            await service.people.create_person(INTERNAL, "Bob Two", usernames=["fresh", taken])
    assert [{"people": 0}] == await raw("MATCH (p:Person {canonical_name: 'Bob Two'}) RETURN count(p) AS people")


async def test_one_username_at_once_is_one_persons(service: Service) -> None:
    """Of six people created at once with one username, one gets it and five are refused."""
    answers = await asyncio.gather(
        *(service.people.create_person(INTERNAL, f"Person {n}", usernames=["bob"]) for n in range(6)),
        return_exceptions=True,
    )
    assert 5 == sum(isinstance(answer, Conflict) for answer in answers)


async def test_a_username_is_one_word(service: Service) -> None:
    """A username that is empty or has a space is refused."""
    for username in ("", "@", "two words"):
        with pytest.raises(InvalidInput):
            await service.people.create_person(INTERNAL, "Bob", usernames=[username])


async def test_a_persona_is_its_name(service: Service) -> None:
    """Concurrent requests with one name create one persona, whose name is stripped."""
    personas = await asyncio.gather(*(service.people.create_persona(INTERNAL, " Atlas ") for _ in range(6)))
    assert {("Atlas", personas[0].id)} == {(persona.name, persona.id) for persona in personas}


async def test_a_chat_is_its_id(service: Service, raw) -> None:
    """Concurrent requests with one chat id create one chat, with the title and members of the first of them."""
    me = Member(service.local_user.id)
    chats = await asyncio.gather(
        *(
            service.people.create_chat(INTERNAL, ChatKind.GROUP, f"Title {n}", [me], chat_id="our-chat")
            for n in range(6)
        )
    )
    assert {("our-chat", chats[0].title)} == {(chat.id, chat.title) for chat in chats}
    assert [{"n": 1}] == await raw("MATCH ()-[p:PARTICIPATES_IN]->(:Chat {id: 'our-chat'}) RETURN count(p) AS n")


async def test_a_private_chat_is_found_by_its_title(scene) -> None:
    """With `once`, concurrent requests with one title return one private chat of the person: not another person's, nor
    a group. For a group `once` is refused.
    """
    create, me, ben = scene.service.people.create_chat, Member(scene.me), Member(scene.ben.id)
    his = await create(INTERNAL, ChatKind.PRIVATE, "Diary", [ben])
    group = await create(INTERNAL, ChatKind.GROUP, "Diary", [me])
    asked = [create(INTERNAL, ChatKind.PRIVATE, " Diary ", [me], once=True) for _ in range(6)]
    [mine] = {chat.id for chat in await asyncio.gather(*asked)}
    assert mine not in (his.id, group.id)
    another = await create(INTERNAL, ChatKind.PRIVATE, "Diary", [me])
    assert mine not in (another.id, (await create(INTERNAL, ChatKind.PRIVATE, "Journal", [me], once=True)).id)
    assert mine == (await create(INTERNAL, ChatKind.PRIVATE, "Diary", [me], once=True)).id
    with pytest.raises(InvalidInput, match="only a private chat"):
        await create(INTERNAL, ChatKind.GROUP, "Diary", [me], once=True)


async def test_a_private_chat_has_one_person(scene) -> None:
    """A private chat with two people is refused, and nobody can join or leave one."""
    people = scene.service.people
    with pytest.raises(InvalidInput, match="private chat"):
        await people.create_chat(INTERNAL, ChatKind.PRIVATE, "Us", [Member(scene.maya.id), Member(scene.ben.id)])
    with pytest.raises(InvalidInput, match="private chat"):
        await people.join_chat(scene.viewer(), scene.private.id, scene.ben.id)
    with pytest.raises(InvalidInput, match="private chat"):
        await people.leave_chat(scene.viewer(), scene.private.id, scene.maya.id)


@pytest.mark.parametrize("kind", ChatKind)
async def test_a_chat_needs_somebody(scene, raw, kind) -> None:
    """A chat in which nobody takes part is refused."""
    before = await raw("MATCH (c:Chat) RETURN count(c) AS chats")
    with pytest.raises(InvalidInput, match="people"):
        await scene.service.people.create_chat(INTERNAL, kind, "Us", [])
    assert before == await raw("MATCH (c:Chat) RETURN count(c) AS chats")


async def test_nobody_takes_part_twice_at_a_time(scene, raw) -> None:
    """A person may have periods one after the other in a chat; overlapping and empty periods are refused."""
    create, day = scene.service.people.create_chat, timedelta(days=1)
    start = scene.minutes(0)
    for wrong in (
        [Member(scene.ben.id), Member(scene.maya.id), Member(scene.ben.id)],
        [Member(scene.ben.id, start, start + 2 * day), Member(scene.ben.id, start + day)],
        [Member(scene.ben.id, start, start)],
    ):
        with pytest.raises(InvalidInput, match="person"):
            await create(INTERNAL, ChatKind.GROUP, "Us", wrong)
    stretches = [Member(scene.ben.id, start + day), Member(scene.ben.id, start, start + day)]
    chat = await create(INTERNAL, ChatKind.GROUP, "Us", stretches)
    assert [{"n": 2}] == await raw("MATCH ()-[p:PARTICIPATES_IN]->(:Chat {id: $id}) RETURN count(p) AS n", id=chat.id)


async def test_a_chat_needs_people_who_exist(scene, raw) -> None:
    """A chat with an unknown person or a blank title is refused and not created."""
    before = await raw("MATCH (c:Chat) RETURN count(c) AS chats")
    with pytest.raises(NotFound, match="nobody-1"):
        await scene.service.people.create_chat(
            INTERNAL, ChatKind.GROUP, "Us", [Member(scene.maya.id), Member("nobody-1")]
        )
    with pytest.raises(InvalidInput):
        await scene.service.people.create_chat(INTERNAL, ChatKind.GROUP, " ", [Member(scene.maya.id)])
    assert before == await raw("MATCH (c:Chat) RETURN count(c) AS chats")


async def test_joining_twice_is_joining_once(scene, raw) -> None:
    """Concurrent requests to add one person to a chat give one membership."""
    people, eve = scene.service.people, await scene.service.people.create_person(INTERNAL, "Eve")
    parts = await asyncio.gather(*(people.join_chat(scene.viewer(), scene.group.id, eve.id) for _ in range(6)))
    assert 1 == len({part.id for part in parts})
    assert [{"n": 1}] == await raw("MATCH (:Person {id: $id})-[p:PARTICIPATES_IN]->() RETURN count(p) AS n", id=eve.id)


async def test_joining_needs_a_chat_and_a_person(scene) -> None:
    """Joining raises `NotFound` for an unknown chat or person, and for a chat in which the viewer takes no part."""
    people, eve = scene.service.people, await scene.service.people.create_person(INTERNAL, "Eve")
    with pytest.raises(NotFound, match="chat"):
        await people.join_chat(scene.viewer(), "nowhere", eve.id)
    with pytest.raises(NotFound, match="person"):
        await people.join_chat(scene.viewer(), scene.group.id, "nobody-1")
    with pytest.raises(NotFound, match="chat"):
        await people.join_chat(Viewer(eve.id), scene.group.id, eve.id)


async def test_leaving_and_coming_back_are_two_stretches(scene, clock, raw) -> None:
    """Leaving ends a period, joining again begins another; in between, the person does not see the group's memories."""
    people, stored = scene.service.people, await scene.say("The code is 1234.")
    ben = Viewer(scene.ben.id, scene.group.id)

    async def seen() -> bool:
        return stored.memory_id in await scene.service.memories.load(ben, [stored.memory_id])

    assert await seen()
    left = await people.leave_chat(ben, scene.group.id, scene.ben.id)
    assert left.until is not None
    assert not await seen()
    with pytest.raises(NotFound):
        await people.leave_chat(scene.viewer(), scene.group.id, scene.ben.id)
    clock.advance(timedelta(days=2))
    back = await people.join_chat(scene.viewer(), scene.group.id, scene.ben.id)
    assert (None, True) == (back.until, back.id != left.id)
    assert await seen()
    rows = await raw("MATCH (:Person {id: $id})-[p:PARTICIPATES_IN]->() RETURN count(p) AS n", id=scene.ben.id)
    assert [{"n": 2}] == rows


async def test_a_planned_end_can_be_moved(scene, clock) -> None:
    """A planned end can be moved, also to now; joining again removes it."""
    people, ben, day = scene.service.people, Viewer(scene.ben.id, scene.group.id), timedelta(days=1)
    soon = clock() + day
    planned = await people.leave_chat(ben, scene.group.id, scene.ben.id, soon)
    assert soon == planned.until
    stays = await people.join_chat(scene.viewer(), scene.group.id, scene.ben.id)
    assert (planned.id, None) == (stays.id, stays.until)
    await people.leave_chat(ben, scene.group.id, scene.ben.id, soon)
    later = await people.leave_chat(ben, scene.group.id, scene.ben.id, soon + day)
    assert (planned.id, soon + day) == (later.id, later.until)
    left = await people.leave_chat(ben, scene.group.id, scene.ben.id)
    assert planned.id == left.id
    assert left.until is not None
    assert left.until <= clock()
    with pytest.raises(NotFound):
        await people.leave_chat(scene.viewer(), scene.group.id, scene.ben.id)


async def test_who_was_to_come_later_may_come_now(scene, clock, raw) -> None:
    """Joining before a planned start moves the start to now, and adds no second membership."""
    people, eve = scene.service.people, await scene.service.people.create_person(INTERNAL, "Eve")
    later = await people.join_chat(scene.viewer(), scene.group.id, eve.id, clock() + timedelta(days=9))
    now = await people.join_chat(scene.viewer(), scene.group.id, eve.id)
    assert (later.id, True) == (now.id, now.since <= clock())
    assert [{"n": 1}] == await raw("MATCH (:Person {id: $id})-[p:PARTICIPATES_IN]->() RETURN count(p) AS n", id=eve.id)


async def test_only_an_administrator_says_since_when(scene, clock) -> None:
    """Only an administrator may give `since`, because what was said from then on becomes disclosable to the person."""
    people, eve = scene.service.people, await scene.service.people.create_person(INTERNAL, "Eve")
    told = await scene.say("The code word is walnut.")
    maya, long_ago = Viewer(scene.maya.id, scene.group.id), clock() - timedelta(days=9)
    with pytest.raises(NotAllowed, match="since"):
        await people.join_chat(maya, scene.group.id, eve.id, long_ago)
    with pytest.raises(NotAllowed, match="since"):
        await people.create_chat(maya, ChatKind.GROUP, "Ours", [Member(scene.maya.id), Member(eve.id, long_ago)])
    joined = await people.join_chat(maya, scene.group.id, eve.id)
    assert joined.since >= clock() - timedelta(minutes=5)
    alone = Viewer(eve.id)
    assert {} == await scene.service.memories.load(alone, [told.memory_id])
    back = await people.join_chat(scene.viewer(), scene.group.id, eve.id, long_ago)
    assert (joined.id, long_ago) == (back.id, back.since)


async def test_only_an_administrator_takes_others_out(scene) -> None:
    """Ending another person's membership is refused, except for an administrator."""
    with pytest.raises(NotAllowed):
        await scene.service.people.leave_chat(Viewer(scene.ben.id), scene.group.id, scene.maya.id)
    await scene.service.people.leave_chat(scene.viewer(), scene.group.id, scene.maya.id)


async def test_times_need_an_offset_and_a_calendar(scene) -> None:
    """Times of memberships without an offset, or before the year 1 in UTC, are refused."""
    eve = await scene.service.people.create_person(INTERNAL, "Eve")
    naive = datetime(2024, 1, 1)  # noqa: DTZ001  # what is refused
    for moment in (naive, datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=5)))):
        with pytest.raises(InvalidInput, match="time"):
            await scene.service.people.join_chat(scene.viewer(), scene.group.id, eve.id, moment)
        with pytest.raises(InvalidInput, match="time"):
            await scene.service.people.leave_chat(scene.viewer(), scene.group.id, scene.ben.id, moment)
        with pytest.raises(InvalidInput, match="time"):
            await scene.service.people.create_chat(INTERNAL, ChatKind.GROUP, "Us", [Member(scene.ben.id, moment)])


# --- permissions (P4) ---


async def test_only_an_administrator_makes_what_is_for_others(scene) -> None:
    """A person may create people, and chats of their own; only an administrator may give ids and accounts, create
    personas and others' chats, and find people by name.
    """
    people, maya = scene.service.people, Viewer(scene.maya.id)
    assert (await people.create_person(maya, "Rui")).key.startswith("person:rui-")
    own = await people.create_chat(maya, ChatKind.GROUP, "Ours", [Member(scene.maya.id), Member(scene.ben.id)])
    assert "Ours" == own.title
    for refused in (
        people.create_person(maya, "Ben Okafor", person_id=scene.ben.id),
        people.create_person(maya, "Maya", user_id="maya@example.org"),
        people.create_persona(maya, "Iris"),
        people.create_chat(maya, ChatKind.GROUP, "Theirs", [Member(scene.ben.id)]),
        people.create_chat(maya, ChatKind.GROUP, "Ours", [Member(scene.maya.id)], chat_id=scene.private.id),
        people.called(maya, "@ben"),
    ):
        with pytest.raises(NotAllowed):
            await refused


async def test_somebody_is_found_by_what_they_are_called(scene) -> None:
    """An administrator finds a person by name or @username. An unknown name is an error, and so is a name of
    several people, whose error lists them.
    """
    called = scene.service.people.called
    assert scene.ben.id == (await called(scene.viewer(), "@ben")).id == (await called(scene.viewer(), "ben okafor")).id
    with pytest.raises(NotFound):
        await called(scene.viewer(), "@nobody")
    other = await scene.service.people.create_person(INTERNAL, "Ben Okafor")
    for name in ("Ben Okafor", "ben"):
        with pytest.raises(InvalidInput, match=rf"Ben Okafor \({scene.ben.key}\).*Ben Okafor \({other.key}\)"):
            await called(scene.viewer(), name)


async def test_a_first_name_is_enough_where_it_fits_one(scene) -> None:
    """A first name finds a person; among several, vouched names are preferred, then the one whose whole name it is."""
    people, called = scene.service.people, scene.service.people.called
    assert scene.maya.id == (await called(scene.viewer(), "maya")).id
    await people.create_person(Viewer(scene.ben.id), "Maya Fischer")
    assert scene.maya.id == (await called(scene.viewer(), "Maya")).id
    whole = await people.create_person(INTERNAL, "Maya")
    assert whole.id == (await called(scene.viewer(), "Maya")).id


# --- names ---


def _drawn(person) -> tuple[str, tuple[str, ...]]:
    return person.canonical_name, person.aliases


async def test_a_person_gets_another_name(scene, raw, drain) -> None:
    """A renamed person has the new name, the former one as an alias, and the same key; both names find them. Enrichment
    computes the sound keys again.
    """
    people = scene.service.people
    renamed = await people.rename(Viewer(scene.maya.id), scene.maya.id, "Maya Bergström")
    assert ("Maya Bergström", ("Maya Lindqvist",), scene.maya.key) == (*_drawn(renamed), renamed.key)
    for name in ("Maya Bergström", "maya lindqvist", "@maya"):
        assert scene.maya.id == (await people.called(scene.viewer(), name)).id
    before = "MATCH (p:Person {id: $id}) RETURN p.sounds AS sounds, p:Pending AS pending"
    [waiting] = await raw(before, id=scene.maya.id)
    await drain()
    [done] = await raw(before, id=scene.maya.id)
    assert (True, False) == (waiting["pending"], done["pending"])
    assert waiting["sounds"] != done["sounds"]
    back = await people.rename(Viewer(scene.maya.id), scene.maya.id, "Maya Lindqvist")
    assert ("Maya Lindqvist", ("Maya Bergström",)) == _drawn(back)


async def test_the_same_name_again_changes_nothing(scene, raw) -> None:
    """Giving a person a name that they have adds no alias and queues no work."""
    people, ben = scene.service.people, Viewer(scene.ben.id)
    await people.add_alias(ben, scene.ben.id, "Benno")
    await scene.service.enrichment.step()
    for again in ("Benno", "Ben Okafor"):
        assert ("Ben Okafor", ("Benno",)) == _drawn(await people.add_alias(ben, scene.ben.id, again))
    assert ("Ben Okafor", ("Benno",)) == _drawn(await people.rename(ben, scene.ben.id, "Ben Okafor"))
    assert [{"n": 0}] == await raw("MATCH (p:Person:Pending) RETURN count(p) AS n")


async def test_linking_finds_a_new_alias(scene, drain, raw) -> None:
    """A mention of a new alias is linked to that person and creates nobody."""
    await scene.service.people.add_alias(Viewer(scene.ben.id), scene.ben.id, "Zoltan Kowalski")
    said = await scene.say("Zoltan Kowalski told me about the harbour.")
    await drain()
    named = "MATCH (:Memory {id: $id})-[:MENTIONS]->(e:Person) RETURN e.key AS key"
    assert [{"key": scene.ben.key}] == await raw(named, id=said.memory_id)


async def test_who_may_name_a_person(scene, raw) -> None:
    """A person may be named by their creator, themselves and administrators. Others who know them are refused; those
    who do not know them get `NotFound`. Then nothing changes.
    """
    people = scene.service.people
    rui = await people.create_person(Viewer(scene.maya.id), "Rui Costa")
    for viewer in (Viewer(scene.maya.id), Viewer(rui.id), scene.viewer()):
        if viewer.rights.admin:
            await people.join_chat(viewer, scene.group.id, rui.id)
        await people.add_alias(viewer, rui.id, f"Rui of {viewer.person_id}")
    before = await raw("MATCH (p:Person) RETURN p.canonical_name AS name, p.aliases AS aliases ORDER BY p.id")
    for changed in (
        people.rename(Viewer(scene.ben.id), rui.id, "X"),
        people.add_alias(Viewer(scene.ben.id), rui.id, "X"),
    ):
        with pytest.raises(NotAllowed):
            await changed
    stranger = await people.create_person(INTERNAL, "Stranger")
    for viewer, whom in ((Viewer(stranger.id), rui.id), (scene.viewer(), "nobody-1")):
        with pytest.raises(NotFound, match="there is no person"):
            await people.rename(viewer, whom, "X")
        with pytest.raises(NotFound, match="there is no person"):
            await people.add_alias(viewer, whom, "X")
    after = await raw(
        "MATCH (p:Person) WHERE p.id <> $new RETURN p.canonical_name AS name, p.aliases AS aliases ORDER BY p.id",
        new=stranger.id,
    )
    assert before == after


async def test_no_name_is_a_username(scene) -> None:
    """A name or alias that is written like a username does not take the @username from the person who has it."""
    people = scene.service.people
    await people.create_person(INTERNAL, "@ben")
    await people.add_alias(scene.viewer(), scene.maya.id, "@ben")
    assert scene.ben.id == (await people.called(scene.viewer(), "@ben")).id


async def test_bad_names_are_refused(scene) -> None:
    """Names and aliases without a letter, with invalid characters, too long or with a secret are refused, and so is the
    101st alias.
    """
    people = scene.service.people
    for name in ("", "!?", "a\x00b", "x" * 201, "password: hunter22"):
        with pytest.raises(InvalidInput):
            await people.rename(scene.viewer(), scene.ben.id, name)
        with pytest.raises(InvalidInput):
            await people.add_alias(scene.viewer(), scene.ben.id, name)
    for number in range(100):
        await people.add_alias(scene.viewer(), scene.ben.id, f"Ben the {number}th")
    with pytest.raises(InvalidInput, match="100"):
        await people.add_alias(scene.viewer(), scene.ben.id, "Ben the last")
