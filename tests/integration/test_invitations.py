"""Invitations to groups: a person who has an account takes part once they accept (P6)."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from hippograph.api.graphql import schema
from hippograph.api.graphql.context import Context
from hippograph.api.graphql.nodes import global_id
from hippograph.api.service import Service
from hippograph.api.viewer import Caller
from hippograph.graph.errors import NotFound
from hippograph.graph.model import INTERNAL, Chat, ChatKind, Invitation, Membership, Person, Sensitivity, Viewer
from hippograph.graph.people.people import Member
from hippograph.graph.rights import Rights
from hippograph.graph.writing.fact import Fact
from tests.integration.conftest import Scene

PARTS = """
MATCH (p:Person {id: $id})-[part:PARTICIPATES_IN|INVITED_TO]->(c:Chat {id: $chat})
RETURN type(part) AS kind, part.until.year < 9999 AS ended ORDER BY part.created_at
"""


@pytest.fixture
async def alice(scene: Scene) -> Person:
    """A person with an account and a public fact about them."""
    alice = await scene.service.people.create_person(INTERNAL, "Alice Ng", usernames=["alice"], user_id="alice@example")
    me = Viewer(alice.id)
    await scene.service.facts.remember(
        me, [Fact("Alice keeps bees", about=(alice.key,), sensitivity=Sensitivity.PUBLIC)]
    )
    return alice


@pytest.fixture
async def mallory(scene: Scene) -> Person:
    """A person with an account and no rights over others."""
    return await scene.service.people.create_person(INTERNAL, "Mallory", user_id="mallory@example")


async def group_of(scene: Scene, maker: Person, *others: Person, title: str = "Bees") -> Chat:
    """Creates a group as `maker`, with the others as members."""
    members = [Member(person.id) for person in (maker, *others)]
    return await scene.service.people.create_chat(Viewer(maker.id), ChatKind.GROUP, title, members)


async def part_of(raw: Any, person: Person, chat: Chat) -> list[str]:
    """Returns the types of the relationships from a person to a chat, in the order of creation."""
    return [row["kind"] for row in await raw(PARTS, id=person.id, chat=chat.id)]


# --- people added to a group without their consent ---


@pytest.mark.parametrize("added", [False, True])
async def test_a_group_by_force_tells_nothing(scene: Scene, alice: Person, mallory: Person, *, added: bool) -> None:
    """Alice, whom Mallory added to a group when creating it or later, does not count as present there. Searches in the
    group find no facts about her, personal facts about her are not disclosed in it, and she sees nothing of the group.
    """
    service, mine = scene.service, Viewer(mallory.id)
    chat = await group_of(scene, mallory, *([] if added else [alice]))
    if added:
        await service.people.join_chat(mine, chat.id, alice.id)
    here = mine.at(chat.id)
    personal = Fact("Alice looks for a new job", about=(alice.key,), sensitivity=Sensitivity.PERSONAL)
    about_ben = Fact("Ben owes Mallory money", about=(scene.ben.key,), sensitivity=Sensitivity.PUBLIC)
    [told] = await service.facts.remember(here, [personal], for_chat=True)
    [of_ben] = await service.facts.remember(here, [about_ben], for_chat=True)
    found = await service.search.search(here, "bees", first=20)
    assert [] == [result.memory.content for result in found.results]
    assert {} == await service.memories.load(here, [told.memory_id])
    cards = await service.cards.cards(here, [alice.key])
    assert "job" not in str(cards)
    for viewer in (Viewer(alice.id), Viewer(alice.id).at(chat.id)):
        assert {} == await service.memories.load(viewer, [of_ben.memory_id])
        assert {} == await service.browsing.memories(viewer, [of_ben.memory_id])
    assert [] == [listed.item.id for listed in (await service.browsing.chats(Viewer(alice.id))).items]


async def test_who_is_added_is_invited_once(scene: Scene, alice: Person, mallory: Person, raw: Any) -> None:
    """A person with an account who is added to a group, when it is created or later, is invited. Adding them again
    returns the first invitation, whoever adds them. Invitations are listed page by page, the latest first.
    """
    people, chat = scene.service.people, await group_of(scene, mallory)
    first = await people.join_chat(Viewer(mallory.id), chat.id, alice.id)
    await people.join_chat(scene.viewer(), chat.id, scene.ben.id)
    assert first == await people.join_chat(Viewer(scene.ben.id), chat.id, alice.id)
    assert isinstance(first, Invitation)
    assert (mallory.id, "Bees", chat.id) == (first.invited_by, first.title, first.chat_id)
    made = await people.create_chat(Viewer(mallory.id), ChatKind.GROUP, "Wasps", [Member(mallory.id), Member(alice.id)])
    assert (alice.id,) == made.invited
    assert ["INVITED_TO"] == await part_of(raw, alice, chat)
    listed = await scene.service.invitations.all(Viewer(alice.id), first=1)
    assert ("Wasps", True) == (listed.items[0].item.title, listed.has_next)
    rest = await scene.service.invitations.all(Viewer(alice.id), after=listed.items[0].cursor)
    assert [first] == [each.item for each in rest.items]
    assert [] == (await scene.service.invitations.all(Viewer(mallory.id))).items


async def test_who_is_invited_is_no_participant(scene: Scene, alice: Person, mallory: Person) -> None:
    """An invited person is not listed among the participants of a group, and cannot list them."""
    chat, seen = await group_of(scene, mallory, alice), scene.service.browsing
    parts = await seen.participants(Viewer(mallory.id), [chat.id])
    assert [mallory.id] == [part.person.id for part in parts[chat.id]]
    assert {} == await seen.participants(Viewer(alice.id), [chat.id])


async def test_accepting_begins_now(scene: Scene, alice: Person, mallory: Person, clock: Any) -> None:
    """Accepting begins a membership now and deletes the invitation; accepting again changes nothing. As for everybody
    who joins later, memories from before are visible in the group but not in private.
    """
    service, chat, me = scene.service, await group_of(scene, mallory, alice), Viewer(alice.id)
    fact = Fact("Ben owes Mallory money", about=(scene.ben.key,), sensitivity=Sensitivity.PUBLIC)
    [before] = await service.facts.remember(Viewer(mallory.id, chat.id), [fact], for_chat=True)
    clock.advance(timedelta(hours=1))
    part = await service.invitations.accept(me, chat.id)
    assert (part, chat.id) == (await service.invitations.accept(me, chat.id), part.chat_id)
    assert part.until is None
    assert part.since >= clock() - timedelta(minutes=1)
    assert {} == await service.memories.load(me, [before.memory_id])
    assert [before.memory_id] == list(await service.memories.load(me.at(chat.id), [before.memory_id]))
    assert [] == (await service.invitations.all(me)).items


async def test_declining_leaves_nothing(scene: Scene, alice: Person, mallory: Person, raw: Any) -> None:
    """Declining deletes the invitation, which can then neither be declined nor accepted. Only the invited person can
    decline it. They can be invited again.
    """
    service, chat, me = scene.service, await group_of(scene, mallory, alice), Viewer(alice.id)
    for other in (Viewer(mallory.id), Viewer(scene.ben.id)):
        with pytest.raises(NotFound):
            await service.invitations.decline(other, chat.id)
    await service.invitations.decline(me, chat.id)
    assert [] == await part_of(raw, alice, chat)
    for again in (service.invitations.decline, service.invitations.accept):
        with pytest.raises(NotFound):
            await again(me, chat.id)
    await service.people.join_chat(Viewer(mallory.id), chat.id, alice.id)
    assert ["INVITED_TO"] == await part_of(raw, alice, chat)


async def test_nobody_accepts_what_is_no_invitation(scene: Scene, alice: Person, mallory: Person) -> None:
    """Accepting fails with the same message for a group or private chat of others and for an unknown id."""
    chat, told = await group_of(scene, mallory), []
    for place in (chat.id, scene.private.id, "0" * 32):
        with pytest.raises(NotFound) as refused:
            await scene.service.invitations.accept(Viewer(alice.id), place)
        told.append(str(refused.value).replace(place, "…"))
    assert 1 == len(set(told))


@pytest.mark.parametrize("end", [timedelta(days=1), None])
async def test_an_invitation_keeps_the_planned_end(
    scene: Scene, alice: Person, mallory: Person, clock: Any, end
) -> None:
    """A planned end of a membership is kept by the invitation; once it has passed, the invitation is not valid."""
    until = clock() + end if end else None
    members = [Member(mallory.id), Member(alice.id, until=until)]
    chats = [
        await scene.service.people.create_chat(Viewer(mallory.id), ChatKind.GROUP, title, members) for title in "ab"
    ]
    part = await scene.service.invitations.accept(Viewer(alice.id), chats[0].id)
    assert until == part.until
    clock.advance(timedelta(days=2))
    left = [each.item.chat_id for each in (await scene.service.invitations.all(Viewer(alice.id))).items]
    assert ([] if end else [chats[1].id]) == left
    if end:
        with pytest.raises(NotFound):
            await scene.service.invitations.accept(Viewer(alice.id), chats[1].id)


# --- who may add others without an invitation ---


@pytest.mark.parametrize(
    ("rights", "at_once"),
    [
        (Rights(), False),
        (Rights(acts_for=("*",)), False),
        (Rights(records=("elsewhere",)), False),
        (Rights(records=("*",)), True),
        (Rights(admin=True), True),
    ],
)
async def test_trusted_services_add_at_once(
    scene: Scene, alice: Person, mallory: Person, raw: Any, *, rights: Rights, at_once: bool
) -> None:
    """A viewer who is an administrator or may record in the chat adds a person with an account at once, which deletes
    their invitation; any other viewer invites them.
    """
    viewer, chat = Viewer(mallory.id, rights=rights), await group_of(scene, mallory, alice)
    joined = await scene.service.people.join_chat(viewer, chat.id, alice.id)
    assert at_once == isinstance(joined, Membership)
    assert ["PARTICIPATES_IN" if at_once else "INVITED_TO"] == await part_of(raw, alice, chat)
    made = await scene.service.people.create_chat(viewer, ChatKind.GROUP, "b", [Member(mallory.id), Member(alice.id)])
    assert (() if at_once else (alice.id,)) == made.invited
    assert ["PARTICIPATES_IN" if at_once else "INVITED_TO"] == await part_of(raw, alice, made)


async def test_who_records_in_one_chat_adds_there(scene: Scene, alice: Person, mallory: Person) -> None:
    """A viewer who may record in one chat adds a person at once there, and only invites them to another chat."""
    one, other = await group_of(scene, mallory), await group_of(scene, mallory)
    viewer = Viewer(mallory.id, rights=Rights(records=(one.id,)))
    assert isinstance(await scene.service.people.join_chat(viewer, one.id, alice.id), Membership)
    assert isinstance(await scene.service.people.join_chat(viewer, other.id, alice.id), Invitation)


async def test_who_takes_part_stays_as_they_are(scene: Scene, alice: Person, mallory: Person, clock: Any) -> None:
    """Adding a participant who has an account changes nothing: another member cannot remove the end that they planned
    for themselves. Joining themselves removes it.
    """
    people, chat, me = scene.service.people, await group_of(scene, mallory, alice), Viewer(alice.id)
    part = await scene.service.invitations.accept(me, chat.id)
    assert part == await people.join_chat(Viewer(mallory.id), chat.id, alice.id)
    planned = await people.leave_chat(me, chat.id, alice.id, clock() + timedelta(days=1))
    assert planned == await people.join_chat(Viewer(mallory.id), chat.id, alice.id)
    assert part == await people.join_chat(me, chat.id, alice.id)


async def test_graphql_tells_an_invitation_from_a_membership(ask: Any, service: Service) -> None:
    """GraphQL lists the viewer's invitations with the inviter. Accepting one returns a membership, which has `since`
    but no `invitedAt`.
    """
    zoe = await service.people.create_person(INTERNAL, "Zoe", user_id="zoe@example")
    hers = await service.people.create_chat(
        Viewer(zoe.id), ChatKind.GROUP, "Zoe's", [Member(zoe.id), Member(service.local_user.id)]
    )
    chat = global_id("Chat", hers.id)
    [invitation] = (await ask("{ invitations { nodes { chatId title invitedBy { id } } } }"))["data"]["invitations"][
        "nodes"
    ]
    assert {"chatId": chat, "title": "Zoe's", "invitedBy": {"id": global_id("Person", zoe.id)}} == invitation
    accept = "mutation A($chat: ID!) { acceptInvitation(input: {chatId: $chat}) { ... on MembershipPayload { %s } } }"
    shown = (await ask(accept % "since invitedAt chat { title }", chat=chat))["data"]["acceptInvitation"]
    assert (True, None, "Zoe's") == (bool(shown["since"]), shown["invitedAt"], shown["chat"]["title"])


async def test_an_invitation_is_told_to_whoever_adds(scene: Scene, alice: Person, mallory: Person) -> None:
    """In GraphQL, `createChat` returns who was invited, and `joinChat` returns `invitedAt` without `since`, to a caller
    who has no rights over others.
    """
    caller = Caller(Viewer(mallory.id), "credential")

    async def authenticate() -> Caller:
        return caller

    async def ask(query: str) -> Any:
        answer = await schema.execute(query, context_value=Context(scene.service, caller, authenticate))
        assert answer.errors is None
        assert answer.data is not None
        return answer.data

    ids = [global_id("Person", one.id) for one in (mallory, alice)]
    people = ", ".join(f'{{personId: "{one}"}}' for one in ids)
    create = f'createChat(input: {{kind: GROUP, title: "Us", participants: [{people}]}})'
    made = await ask(f"mutation {{ {create} {{ ... on CreateChatPayload {{ chat {{ id }} invited {{ id }} }} }} }}")
    assert [{"id": ids[1]}] == made["createChat"]["invited"]
    join = f'joinChat(input: {{chatId: "{made["createChat"]["chat"]["id"]}", personId: "{ids[1]}"}})'
    joined = await ask(f"mutation {{ {join} {{ ... on MembershipPayload {{ since until invitedAt }} }} }}")
    assert (None, None, True) == tuple(
        value if name != "invitedAt" else bool(value) for name, value in joined["joinChat"].items()
    )


# --- leaving and coming back ---


async def test_who_left_comes_back_by_themselves(
    scene: Scene, alice: Person, mallory: Person, clock: Any, raw: Any
) -> None:
    """A person who left a group can come back without an invitation, also after declining one. Others only invite them
    again.
    """
    service, me = scene.service, Viewer(alice.id)
    chat = await group_of(scene, mallory, alice)
    first = await service.invitations.accept(me, chat.id)
    await service.people.leave_chat(me, chat.id, alice.id)
    clock.advance(timedelta(days=1))
    back = await service.invitations.accept(me, chat.id)
    assert first.id != back.id
    await service.people.leave_chat(me, chat.id, alice.id)
    clock.advance(timedelta(days=1))
    assert isinstance(await service.people.join_chat(Viewer(mallory.id), chat.id, alice.id), Invitation)
    await service.invitations.decline(me, chat.id)
    await service.invitations.accept(me, chat.id)
    assert ["PARTICIPATES_IN"] * 3 == await part_of(raw, alice, chat)


async def test_who_was_taken_out_does_not_come_back_alone(
    scene: Scene, alice: Person, mallory: Person, clock: Any
) -> None:
    """A person whom an administrator removed cannot come back by themselves, even if they had left before or planned
    to. They take part again after a new invitation, or if an administrator adds them.
    """
    service, me = scene.service, Viewer(alice.id)
    chat = await group_of(scene, mallory, alice)
    await service.invitations.accept(me, chat.id)
    await service.people.leave_chat(me, chat.id, alice.id)
    await service.invitations.accept(me, chat.id)
    await service.people.leave_chat(me, chat.id, alice.id, clock() + timedelta(days=1))
    await service.people.leave_chat(scene.viewer(), chat.id, alice.id)
    clock.advance(timedelta(days=1))
    with pytest.raises(NotFound):
        await service.invitations.accept(me, chat.id)
    await service.people.join_chat(Viewer(mallory.id), chat.id, alice.id)
    await service.invitations.accept(me, chat.id)
    await service.people.leave_chat(scene.viewer(), chat.id, alice.id)
    assert isinstance(await service.people.join_chat(scene.viewer(), chat.id, alice.id), Membership)


# --- accounts that come later ---


@pytest.fixture
async def anna(scene: Scene) -> Person:
    """A person without an account."""
    return await scene.service.people.create_person(INTERNAL, "Anna", usernames=["anna"])


async def test_accepting_begins_with_an_account(scene: Scene, anna: Person, mallory: Person, raw: Any) -> None:
    """A person without an account takes part at once. When they get one, memberships that a member gave them become
    invitations, or nothing if they had ended; those that a trusted service gave or confirmed stay.
    """
    service, people = scene.service, scene.service.people
    by_member, by_service = await group_of(scene, mallory, anna), await group_of(scene, mallory)
    later, asked_twice = await group_of(scene, mallory), await group_of(scene, mallory, anna)
    await people.join_chat(Viewer(mallory.id), later.id, anna.id)
    await people.join_chat(scene.viewer(), by_service.id, anna.id)
    await people.join_chat(scene.viewer(), asked_twice.id, anna.id)
    ended = await group_of(scene, mallory, anna)
    await people.leave_chat(scene.viewer(), ended.id, anna.id)
    chats = (by_member, later, by_service, asked_twice, ended)
    assert [["PARTICIPATES_IN"]] * 5 == [await part_of(raw, anna, chat) for chat in chats]
    fact = Fact("Ben owes Mallory money", about=(scene.ben.key,), sensitivity=Sensitivity.PUBLIC)
    [told] = await service.facts.remember(Viewer(mallory.id, by_member.id), [fact], for_chat=True)
    await people.create_person(INTERNAL, "Anna", person_id=anna.id, user_id="anna@example")
    expected = [["INVITED_TO"], ["INVITED_TO"], ["PARTICIPATES_IN"], ["PARTICIPATES_IN"], []]
    assert expected == [await part_of(raw, anna, chat) for chat in chats]
    assert {} == await service.memories.load(Viewer(anna.id), [told.memory_id])
    listed = [each.item for each in (await service.invitations.all(Viewer(anna.id))).items]
    assert {(by_member.id, mallory.id), (later.id, mallory.id)} == {(one.chat_id, one.invited_by) for one in listed}
    assert [] == await service.doctor.examine()


async def test_accepting_begins_with_a_merge_into_an_account(
    scene: Scene, anna: Person, alice: Person, mallory: Person, raw: Any, dump: Any
) -> None:
    """If a person is merged into one with an account, memberships that a member gave become invitations, and those that
    a service gave are moved. Undoing the merge restores the graph, except that an invitation accepted meanwhile stays.
    """
    service, people = scene.service, scene.service.people
    by_member, by_service, both = [await group_of(scene, mallory, title=title) for title in "abc"]
    for chat in (by_member, both):
        await people.join_chat(Viewer(mallory.id), chat.id, anna.id)
    await people.join_chat(scene.viewer(), by_service.id, anna.id)
    await people.join_chat(scene.viewer(), both.id, alice.id)
    before = await dump()
    merged = await service.merging.merge(scene.viewer(), alice.key, anna.key)
    chats = (by_member, by_service, both)
    expected = [["INVITED_TO"], ["PARTICIPATES_IN"], ["PARTICIPATES_IN"]]
    assert expected == [await part_of(raw, alice, chat) for chat in chats]
    assert [] == await service.doctor.examine()
    await service.merging.unmerge(scene.viewer(), merged.merge_id)
    assert before == await dump()
    again = await service.merging.merge(scene.viewer(), alice.key, anna.key)
    await service.invitations.accept(Viewer(alice.id), by_member.id)
    await service.merging.unmerge(scene.viewer(), again.merge_id)
    assert [["PARTICIPATES_IN"], [], ["PARTICIPATES_IN"]] == [await part_of(raw, alice, chat) for chat in chats]
    assert [["PARTICIPATES_IN"]] * 3 == [await part_of(raw, anna, chat) for chat in chats]


async def test_a_member_who_extends_a_part_is_noted(
    scene: Scene, anna: Person, mallory: Person, clock: Any, raw: Any
) -> None:
    """A membership that a service gave becomes an invitation with an account only if a member removed its planned end;
    adding the person again without such an end changes nothing.
    """
    people, chat = scene.service.people, await group_of(scene, mallory)
    await people.join_chat(scene.viewer(), chat.id, anna.id)
    await people.join_chat(Viewer(mallory.id), chat.id, anna.id)
    other = await group_of(scene, mallory)
    await people.join_chat(scene.viewer(), other.id, anna.id)
    await people.leave_chat(scene.viewer(), other.id, anna.id, clock() + timedelta(days=1))
    await people.join_chat(Viewer(mallory.id), other.id, anna.id)
    await people.create_person(INTERNAL, "Anna", person_id=anna.id, user_id="anna@example")
    assert [["PARTICIPATES_IN"], ["INVITED_TO"]] == [await part_of(raw, anna, each) for each in (chat, other)]


async def test_an_account_and_an_addition_at_once(scene: Scene, mallory: Person, raw: Any) -> None:
    """If a person is added by a member and gets an account at the same time, they are invited in either order."""
    people = scene.service.people
    for number in range(8):
        chat = await group_of(scene, mallory)
        made = await people.create_person(INTERNAL, f"Person {number}")
        await asyncio.gather(
            people.join_chat(Viewer(mallory.id), chat.id, made.id),
            people.create_person(INTERNAL, made.canonical_name, person_id=made.id, user_id=f"{number}@example"),
        )
        assert ["INVITED_TO"] == await part_of(raw, made, chat)


# --- exports and erasures ---


async def test_an_export_of_a_person_tells_of_invitations(scene: Scene, alice: Person, mallory: Person) -> None:
    """The export of a person lists their invitations with title and id of the group, and not among their chats."""
    chat = await group_of(scene, mallory, alice)
    own = await scene.service.person_export.export(Viewer(alice.id), alice.id)
    assert [("Bees", chat.id)] == [(one["title"], one["id"]) for one in own["invitations"]]
    assert [] == own["chats"]


async def test_an_erasure_takes_invitations(scene: Scene, alice: Person, mallory: Person, raw: Any) -> None:
    """Erasing a person deletes the invitations they received. People whom they invited or added stay invited, without
    an inviter.
    """
    service = scene.service
    anna = await service.people.create_person(INTERNAL, "Anna", usernames=["anna"])
    chat = await group_of(scene, mallory, alice, anna)
    await service.erasures.erase(INTERNAL, mallory.id)
    [left] = (await service.invitations.all(Viewer(alice.id))).items
    assert left.item.invited_by is None
    await service.people.create_person(INTERNAL, "Anna", person_id=anna.id, user_id="anna@example")
    assert ["INVITED_TO"] == await part_of(raw, anna, chat)
    receipt = await service.erasures.erase(INTERNAL, alice.id)
    assert 1 == receipt.counts["memberships"]
    assert [] == await raw("MATCH ()-[asked:INVITED_TO]->() WHERE startNode(asked).id = $id RETURN asked", id=alice.id)
