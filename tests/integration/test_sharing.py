"""Facts shared with a group: the group gets a copy of the words until it is taken back, and learns nothing else."""

from io import StringIO
from typing import Any

import pytest

from hippograph.api.global_ids import global_id
from hippograph.graph.errors import InvalidInput, NotAllowed, NotFound
from hippograph.graph.model import INTERNAL, NO_END, Chat, ChatKind, Sensitivity, Viewer
from hippograph.graph.people.people import Member
from hippograph.graph.transfer.exports.graph_export import GraphExport
from hippograph.graph.transfer.exports.graph_seen import seen_by
from hippograph.graph.transfer.forgetting import Selection
from hippograph.graph.writing.fact import Fact
from tests.integration.conftest import LONG_AGO, Scene, work_off

WORDS = "I am allergic to peanuts"
COPIES = (
    "MATCH (copy:Memory {chat_id: $group}) WHERE copy.retired_at.year = 9999 AND copy.content = $words "
    "RETURN copy.id AS id, copy.sensitivity AS sensitivity, copy.portable AS portable, copy.speaker_id AS speaker, "
    "COUNT { (copy)-[:DERIVED_FROM]->() } AS sources"
)


class Sharing:
    """A private fact of Maya's, the turn that is its evidence, and the viewers Maya and Ben."""

    def __init__(self, scene: Scene, raw: Any, memory_id: str, turn: Any) -> None:
        self.scene, self.service, self.raw = scene, scene.service, raw
        self.id, self.turn = memory_id, turn
        self.maya, self.ben = Viewer(scene.maya.id), Viewer(scene.ben.id)

    async def share(self) -> str:
        """Shares the fact with the group, and returns the id of the copy."""
        return (await self.service.facts.share(self.maya, self.id, self.scene.group.id)).memory_id

    async def copies(self, words: str = WORDS) -> list[dict[str, Any]]:
        """The current memories of the group with these words."""
        found: list[dict[str, Any]] = await self.raw(COPIES, group=self.scene.group.id, words=words)
        return found

    async def found(self, viewer: Viewer, query: str = "peanuts", chat: Chat | None = None) -> list[str]:
        """The ids of the results with the words `WORDS` of a search in a chat, by default the group."""
        chat = chat or self.scene.group
        page = await self.service.search.search(viewer.at(chat.id), query, first=20)
        return [result.memory.id for result in page.results if result.memory.content == WORDS]

    @property
    def hidden(self) -> tuple[str, ...]:
        """Ids and texts that nobody but Maya may see."""
        chat = self.scene.private.id
        return self.id, self.turn.memory_id, self.turn.session_id, chat, "secret-tag", "migration", "Doctor says"


@pytest.fixture
async def sharing(scene: Scene, raw: Any) -> Sharing:
    """A sensitive fact with everything that a fact can have besides its words."""
    turn = await scene.say("Doctor says I may not eat them any more", chat=scene.private, at=scene.minutes(0))
    fact = Fact(
        WORDS,
        sensitivity=Sensitivity.SENSITIVE,
        tags=("secret-tag",),
        evidence=(turn.memory_id,),
        source="migration",
        narrative="secret-tag",
        attributes={"from": "secret-tag"},
        importance=3,
    )
    [stored] = await scene.service.facts.remember(Viewer(scene.maya.id, scene.private.id), [fact])
    await work_off(scene.service)
    return Sharing(scene, raw, stored.memory_id, turn)


async def test_the_group_has_the_words_as_their_givers(sharing: Sharing) -> None:
    """The copy is stated by Maya, as private as the original, and not portable. Sharing again returns the same copy."""
    copy = await sharing.share()
    [found] = await sharing.copies()
    assert {**found, "id": copy, "sources": 1} == found
    assert (Sensitivity.SENSITIVE, False, sharing.scene.maya.id) == (
        found["sensitivity"],
        found["portable"],
        found["speaker"],
    )
    again = await sharing.service.facts.share(sharing.maya, sharing.id, sharing.scene.group.id)
    assert (copy, True) == (again.memory_id, again.confirmed)
    await work_off(sharing.service)
    assert [copy] == await sharing.found(sharing.ben)
    assert 1 == len(await sharing.found(sharing.maya))  # the original and its copy are one result


async def test_nobody_else_is_told_more_than_the_words(sharing: Sharing, tmp_path: Any) -> None:
    """Nothing that Ben reads or exports reveals the original, its turn, session, tags or source, and his number of
    `DERIVED_FROM` links does not change.
    """
    before = await sharing.service.stats.counts(sharing.ben)
    copy = await sharing.share()
    await work_off(sharing.service)
    service, here = sharing.service, sharing.ben.at(sharing.scene.group.id)
    read = [
        (await service.search.search(here, "allergic to peanuts", first=20)).results,
        await service.contexts.context(here, "allergic to peanuts"),
        await service.explaining.explain(sharing.ben, copy),
        await service.memories.held(sharing.ben, copy),
        await service.cards.cards(here, [sharing.scene.maya.key]),
        await service.cards.relations(here, {sharing.scene.maya.key: None}),
        await service.timelines.of_chat(here, sharing.scene.group.id, first=50),
        await service.browsing.memories_about(here, query="peanuts"),
        await service.person_export.export(sharing.ben, sharing.scene.ben.id),
    ]
    text = "\n".join(map(repr, read))
    assert copy in text
    assert [] == [word for word in sharing.hidden if word in text]
    exported = StringIO()
    scope = seen_by(sharing.scene.ben, service.clock)
    await GraphExport(service.database, service.clock, "1.0").write(exported, scope, folder=tmp_path)
    assert copy in exported.getvalue()
    assert [] == [word for word in sharing.hidden if word in exported.getvalue()]
    after = await service.stats.counts(sharing.ben)
    assert before.links_by_type.get("DERIVED_FROM") == after.links_by_type.get("DERIVED_FROM")
    told = await service.memories.held(sharing.maya, sharing.id)
    mine = await service.memories.held(sharing.ben, copy)
    assert mine.event_time > told.event_time  # the copy does not reveal when Maya was told
    assert [] == list((await service.explaining.explain(sharing.ben, copy)).shares)


async def _purged(sharing: Sharing) -> None:
    acts = sharing.service.forgettings
    plan = await acts.plan(sharing.maya, Selection(ids=(sharing.id,)))
    await acts.purge(sharing.maya, plan.id)
    await acts.finished(sharing.maya, plan.id)


async def _erased(sharing: Sharing) -> None:
    await sharing.service.erasures.erase(sharing.maya, sharing.scene.maya.id)


ENDINGS = {
    "unshare": lambda s: s.service.facts.unshare(s.maya, s.id),
    "unshare from the group": lambda s: s.service.facts.unshare(s.maya, s.id, s.scene.group.id),
    "forget": lambda s: s.service.facts.forget(s.maya, s.id),
    "correct": lambda s: s.service.facts.correct(s.maya, s.id, "I am allergic to walnuts"),
    "update": lambda s: s.service.facts.update(s.maya, s.id, "I am allergic to walnuts"),
    "purge": _purged,
    "erase": _erased,
}


@pytest.mark.parametrize("ending", ENDINGS.values(), ids=ENDINGS.keys())
async def test_what_is_taken_back_or_stands_no_more_is_gone(sharing: Sharing, ending: Any) -> None:
    """The copy, even if pinned, is gone once it is taken back, or the original is forgotten, corrected, reworded,
    purged or erased. New words are not shared by themselves.
    """
    copy = await sharing.share()
    await sharing.service.facts.pin(sharing.maya, copy)
    await ending(sharing)
    assert [] == await sharing.copies()
    assert [] == await sharing.copies("I am allergic to walnuts")
    assert [] == await sharing.found(sharing.ben)
    await work_off(sharing.service)
    assert [] == await sharing.service.doctor.examine()


async def test_of_what_is_deleted_no_copy_is_left(sharing: Sharing) -> None:
    """Purging a memory deletes all of its copies, also one that was taken back before."""
    await sharing.share()
    await sharing.service.facts.unshare(sharing.maya, sharing.id)
    await sharing.share()
    await _purged(sharing)
    rows = await sharing.raw("MATCH (m:Memory) WHERE m.content CONTAINS 'peanuts' RETURN m.id AS id")
    assert [] == rows


async def test_a_new_value_takes_the_copy_of_the_old_one_back(sharing: Sharing) -> None:
    """A new value of the same aspect retires the copy of the old one. It is not shared by itself, and the old value can
    no longer be shared.
    """
    facts, group = sharing.service.facts, sharing.scene.group.id
    [graz] = await facts.remember(sharing.maya, [Fact("I live in Graz", aspect="lives_in", value="Graz")])
    await facts.share(sharing.maya, graz.memory_id, group)
    assert 1 == len(await sharing.copies("I live in Graz"))
    [linz] = await facts.remember(sharing.maya, [Fact("I live in Linz", aspect="lives_in", value="Linz")])
    assert [] == await sharing.copies("I live in Graz")
    await facts.share(sharing.maya, linz.memory_id, group)
    assert 1 == len(await sharing.copies("I live in Linz"))
    with pytest.raises(InvalidInput, match="holds no longer"):
        await facts.share(sharing.maya, graz.memory_id, group)


async def test_what_is_forgotten_together_comes_back_together(sharing: Sharing) -> None:
    """A plan of forgetting counts the copy of a memory, carrying it out retires the copy, and undoing restores it."""
    acts = sharing.service.forgettings
    await sharing.share()
    plan = await acts.plan(sharing.maya, Selection(ids=(sharing.id,)))
    assert 1 == plan.counts["found_in_them"]
    await acts.carry_out(sharing.maya, plan.id)
    await acts.finished(sharing.maya, plan.id)
    assert [] == await sharing.copies()
    await acts.undo(sharing.maya, plan.id)
    await acts.finished(sharing.maya, plan.id)
    assert 1 == len(await sharing.copies())


async def _forget(sharing: Sharing, *ids: str) -> str:
    """Plans and carries out the forgetting of memories, and returns the plan's id."""
    acts = sharing.service.forgettings
    plan = await acts.plan(sharing.maya, Selection(ids=ids))
    await acts.carry_out(sharing.maya, plan.id)
    await acts.finished(sharing.maya, plan.id)
    return plan.id


@pytest.mark.parametrize(
    ("ending", "both"),
    [("unshare", False), ("forget", False), ("correct", False), ("update", False), ("unshare", True)],
)
async def test_what_was_taken_back_comes_back_with_no_act(sharing: Sharing, ending: str, both: bool) -> None:
    """Undoing the forgetting of a copy, alone or with the original, does not restore it if it was taken back since."""
    acts = sharing.service.forgettings
    copy = await sharing.share()
    act = await _forget(sharing, copy)
    if both:
        await acts.undo(sharing.maya, act)
        await acts.finished(sharing.maya, act)
        act = await _forget(sharing, sharing.id, copy)
    await ENDINGS[ending](sharing)
    await acts.undo(sharing.maya, act)
    await acts.finished(sharing.maya, act)
    assert [] == await sharing.copies()


async def test_what_was_folded_and_taken_back_is_not_unfolded(sharing: Sharing, raw: Any) -> None:
    """A copy that was folded into an earlier fact of Maya's in the group cannot be unfolded after it was taken back."""
    facts, service = sharing.service.facts, sharing.service
    maya = sharing.maya.at(sharing.scene.group.id)
    [before] = await facts.remember(
        maya, [Fact("Peanuts make me ill", sensitivity=Sensitivity.SENSITIVE, portable=False)], for_chat=True
    )
    copy = await sharing.share()
    rows = [{"id": copy, "into": before.memory_id}]
    now = service.clock()
    folded = await service.database.run("enrichment/fold", rows=rows, day="2024-03-04", now=now, no_end=NO_END)
    assert [copy] == [row["folded"] for row in folded]
    await facts.unshare(sharing.maya, sharing.id)
    with pytest.raises(NotFound):
        await facts.unfold(sharing.ben, copy)
    assert [] == await sharing.copies()


async def test_what_was_archived_is_taken_back(sharing: Sharing, raw: Any) -> None:
    """The copy of an archived memory can be taken back."""
    await sharing.share()
    await raw("MATCH (m:Memory {id: $id}) SET m.status = 'archived' REMOVE m.live_key", id=sharing.id)
    assert 1 == await sharing.service.facts.unshare(sharing.maya, sharing.id)
    assert [] == await sharing.copies()


async def test_what_was_said_in_the_group_is_read_anew_there(sharing: Sharing, learn: Any) -> None:
    """If Maya also said the fact in the group, taking the copy back retires its private wording, and the fact is
    extracted anew from what she said there. Purging the original then deletes the copy.
    """
    facts, group, scene = sharing.service.facts, sharing.scene.group.id, sharing.scene
    private = "I live in Graz since I left Tom"
    [graz] = await facts.remember(sharing.maya, [Fact(private, aspect="lives_in", value="Graz")])
    copy = (await facts.share(sharing.maya, graz.memory_id, group)).memory_id
    said = await scene.say("I live in Graz.", at=sharing.service.clock())
    await sharing.service.consolidation.ask(sharing.maya.at(group), said.session_id)
    await learn()
    assert [2] == [each["sources"] for each in await sharing.copies(private)]
    assert 1 == await facts.unshare(sharing.maya, graz.memory_id)
    assert [] == await sharing.copies(private)
    await learn()
    left = await sharing.raw(
        "MATCH (m:Memory {chat_id: $group, value_key: 'graz'}) WHERE m.retired_at.year = 9999 "
        "RETURN m.content AS content",
        group=group,
    )
    assert 1 == len(left)
    assert "Tom" not in left[0]["content"]
    await ENDINGS["purge"](Sharing(scene, sharing.raw, graz.memory_id, said))
    assert [] == await sharing.raw("MATCH (m:Memory {id: $id}) RETURN m.id AS id", id=copy)


async def test_what_the_group_knew_before_is_no_copy(sharing: Sharing) -> None:
    """If the group itself knows the fact, sharing makes no copy, and `unshare` retires nothing."""
    fact = Fact(WORDS, sensitivity=Sensitivity.SENSITIVE)
    [known] = await sharing.service.facts.remember(sharing.maya.at(sharing.scene.group.id), [fact], for_chat=True)
    shared = await sharing.service.facts.share(sharing.maya, sharing.id, sharing.scene.group.id)
    assert (known.memory_id, True) == (shared.memory_id, shared.confirmed)
    assert 0 == await sharing.service.facts.unshare(sharing.maya, sharing.id)
    assert 1 == len(await sharing.copies())


async def test_what_is_hidden_in_the_group_is_not_shared_instead(sharing: Sharing, scene: Scene, raw: Any) -> None:
    """A fact of Ben's with the same words that Maya may not see in the group is left unchanged by sharing and
    unsharing, and Maya's copy is another memory.
    """
    facts, words = sharing.service.facts, "Ida likes green tea"
    ida = await sharing.service.people.create_person(INTERNAL, "Ida Holm", user_id="ida")
    about = {"about": (ida.key,)}
    [mine] = await facts.remember(sharing.maya, [Fact(words, sensitivity=Sensitivity.PUBLIC, portable=True, **about)])
    [hidden] = await facts.remember(
        sharing.ben.at(scene.group.id), [Fact(words, sensitivity=Sensitivity.SENSITIVE, **about)], for_chat=True
    )
    query = "MATCH (m:Memory {id: $id}) RETURN properties(m) AS all, COUNT { (m)-[:DERIVED_FROM]->() } AS sources"
    before = await raw(query, id=hidden.memory_id)
    with pytest.raises(NotFound):
        await sharing.service.explaining.explain(sharing.maya, hidden.memory_id)
    shared = await facts.share(sharing.maya, mine.memory_id, scene.group.id)
    assert (False, True) == (shared.confirmed, shared.memory_id != hidden.memory_id)
    assert before == await raw(query, id=hidden.memory_id)
    again = await facts.share(sharing.maya, mine.memory_id, scene.group.id)
    assert (shared.memory_id, True) == (again.memory_id, again.confirmed)
    assert 1 == await facts.unshare(sharing.maya, mine.memory_id)
    assert before == await raw(query, id=hidden.memory_id)


async def test_what_another_says_instead_follows_from_nothing_private(sharing: Sharing) -> None:
    """Ben's correction of the copy is not derived from the original, and stays when the original is forgotten."""
    copy = await sharing.share()
    made = await sharing.service.facts.correct(sharing.ben, copy, "Maya is allergic to hazelnuts")
    [row] = await sharing.copies("Maya is allergic to hazelnuts")
    assert {**row, "id": made, "sources": 0} == row
    await sharing.service.facts.forget(sharing.maya, sharing.id)
    assert 1 == len(await sharing.copies("Maya is allergic to hazelnuts"))


async def test_who_left_takes_it_back(sharing: Sharing) -> None:
    """A person who left the group can take the copy back, but does not see the group's title and cannot share there."""
    await sharing.share()
    await sharing.service.people.leave_chat(sharing.maya, sharing.scene.group.id, sharing.scene.maya.id)
    [share] = (await sharing.service.explaining.explain(sharing.maya, sharing.id)).shares
    assert (sharing.scene.group.id, None) == (share.chat_id, share.title)
    with pytest.raises(NotFound):
        await sharing.share()
    assert 1 == await sharing.service.facts.unshare(sharing.maya, sharing.id)
    assert [] == await sharing.copies()


async def test_what_fades_of_ones_own_stays_in_the_group(sharing: Sharing, raw: Any) -> None:
    """The copy stays in the group when the original fades, and can still be taken back."""
    await sharing.share()
    await raw(
        "MATCH (m:Memory {id: $id}) SET m.retired_at = datetime(), m.retired_by = 'faded' REMOVE m.live_key",
        id=sharing.id,
    )
    assert 1 == len(await sharing.copies())
    assert 1 == await sharing.service.facts.unshare(sharing.maya, sharing.id)
    assert [] == await sharing.copies()


async def test_others_share_nothing_and_take_nothing_back(sharing: Sharing, scene: Scene) -> None:
    """Sharing and unsharing raise `NotFound` for a memory that the viewer may not see, and `NotAllowed` for one of
    another person or of the group.
    """
    facts = sharing.service.facts
    [public] = await facts.remember(sharing.maya, [Fact("I like tea", sensitivity=Sensitivity.PUBLIC)])
    with pytest.raises(NotFound):
        await facts.share(sharing.ben, sharing.id, scene.group.id)
    with pytest.raises(NotFound):
        await facts.unshare(sharing.ben, sharing.id)
    for viewer, memory_id in ((sharing.ben, public.memory_id), (sharing.maya, await sharing.share())):
        with pytest.raises(NotAllowed):
            await facts.share(viewer, memory_id, scene.group.id)
        with pytest.raises(NotAllowed):
            await facts.unshare(viewer, memory_id)
    assert 1 == len(await sharing.copies())


async def test_what_cannot_be_shared_says_why(sharing: Sharing, scene: Scene) -> None:
    """`InvalidInput` gives the reason for a turn, a confidence, a fact that nobody in the group would see, and a group
    without other members. A private chat and a group of others are `NotFound`. No copy is made.
    """
    facts, people, maya = sharing.service.facts, sharing.service.people, sharing.maya
    alone = await people.create_chat(INTERNAL, ChatKind.GROUP, "Nobody yet", [Member(scene.maya.id, LONG_AGO)])
    theirs = await people.create_chat(INTERNAL, ChatKind.GROUP, "Theirs", [Member(scene.ben.id, LONG_AGO)])
    ida = await people.create_person(INTERNAL, "Ida Holm", user_id="ida")
    stored = await facts.remember(
        maya,
        [
            Fact("Don't tell Ben that I am leaving"),
            Fact("Ida looks for a new job", about=(ida.key,), sensitivity=Sensitivity.PERSONAL),
        ],
    )
    confided, of_ida = [each.memory_id for each in stored]
    for memory_id, chat, why in (
        (sharing.turn.memory_id, scene.group, "a turn stays"),
        (confided, scene.group, "kept from somebody"),
        (of_ida, scene.group, "nobody would see it"),
        (sharing.id, alone, "nobody else takes part"),
    ):
        with pytest.raises(InvalidInput, match=why):
            await facts.share(maya, memory_id, chat.id)
    for chat in (scene.private, theirs):
        with pytest.raises(NotFound):
            await facts.share(maya, sharing.id, chat.id)
    assert [] == await sharing.raw("MATCH (m:Memory) WHERE m.chat_id <> '' RETURN m.content AS content")


async def test_only_whom_the_group_knows_is_told_of(sharing: Sharing, scene: Scene, raw: Any) -> None:
    """The copy does not reveal who a fact is about if its words do not name them and the group does not know them."""
    facts = sharing.service.facts
    boss = await sharing.service.people.create_person(sharing.maya, "Karl Maier")
    fact = Fact("My boss is on leave", about=(boss.key,), aspect="absent", sensitivity=Sensitivity.PUBLIC)
    [stored] = await facts.remember(sharing.maya, [fact])
    copy = (await facts.share(sharing.maya, stored.memory_id, scene.group.id)).memory_id
    await work_off(sharing.service)
    explained = await sharing.service.explaining.explain(sharing.ben, copy)
    assert "Karl" not in repr(explained)
    assert "karl" not in repr(explained)


async def test_a_space_keeps_what_is_of_it(sharing: Sharing, scene: Scene, raw: Any) -> None:
    """A fact of a space can be shared only with groups of that space. The copy of a fact of no space moves with the
    group.
    """
    facts, spaces = sharing.service.facts, sharing.service.spaces
    alpha = await spaces.create(sharing.maya, "Alpha", chat_id=scene.group.id)
    own = await spaces.create(sharing.maya, "Mine")
    await spaces.move_memory(sharing.maya, sharing.id, own.id)
    with pytest.raises(InvalidInput, match="belongs to a space"):
        await sharing.share()
    await spaces.move_memory(sharing.maya, sharing.id, None)
    copy = await sharing.share()
    await spaces.move_chat(sharing.maya, scene.group.id, alpha.id)
    await spaces.finish_moves()
    [row] = await raw("MATCH (m:Memory {id: $id}) RETURN m.space_id AS space", id=copy)
    assert alpha.id == row["space"]
    assert [copy] == await sharing.found(sharing.ben)
    await facts.unshare(sharing.maya, sharing.id)
    assert [] == await sharing.copies()
    await spaces.move_memory(sharing.maya, sharing.id, alpha.id)
    await sharing.share()
    assert 1 == len(await sharing.copies())


async def test_what_is_folded_is_still_taken_back(sharing: Sharing, raw: Any) -> None:
    """After the original was folded into another fact of Maya's, the copy is taken back through that fact."""
    facts, service = sharing.service.facts, sharing.service
    await sharing.share()
    [other] = await facts.remember(
        sharing.maya, [Fact("Peanuts make me ill, I am allergic", sensitivity=Sensitivity.SENSITIVE)]
    )
    await raw("MATCH (m:Memory {id: $id}) SET m.portable = $same.portable", id=other.memory_id, same={"portable": True})
    rows = [{"id": sharing.id, "into": other.memory_id}]
    now = service.clock()
    folded = await service.database.run("enrichment/fold", rows=rows, day="2024-03-04", now=now, no_end=NO_END)
    assert [sharing.id] == [row["folded"] for row in folded]
    assert 1 == await facts.unshare(sharing.maya, other.memory_id)
    assert [] == await sharing.copies()


async def test_over_graphql_and_on_the_page(scene: Scene, ask: Any, client: Any) -> None:
    """A fact is shared, shown as shared and taken back through GraphQL and on its page."""
    [stored] = await scene.service.facts.remember(scene.service.viewer(), [Fact(WORDS)])
    memory, chat = global_id("Memory", stored.memory_id), global_id("Chat", scene.group.id)
    share = (
        "mutation ($memory: ID!, $chat: ID!) { shareMemory(input: {memoryId: $memory, chatId: $chat}) "
        "{ ... on RememberFactPayload { confirmed memory { content speakerName } } } }"
    )
    made = (await ask(share, memory=memory, chat=chat))["data"]["shareMemory"]
    assert {"confirmed": False, "memory": {"content": WORDS, "speakerName": made["memory"]["speakerName"]}} == made
    shares = "query ($id: ID!) { explain(memoryId: $id) { shares { chat { title } } } }"
    told = (await ask(shares, id=memory))["data"]["explain"]["shares"]
    assert [{"chat": {"title": "Friday Table"}}] == told
    page = (await client.get(f"/memory/item/{stored.memory_id}")).text
    assert "Take it back" in page
    ours = {"headers": {"sec-fetch-site": "same-origin"}, "data": {"group": scene.group.id}}
    gone = await client.post(f"/memory/item/{stored.memory_id}/unshare", **ours)
    assert "Take it back" not in (await client.get(gone.headers["location"])).text
    again = await client.post(f"/memory/item/{stored.memory_id}/share", **ours)
    assert "The group knows these words" in (await client.get(again.headers["location"])).text
    back = "mutation ($id: ID!) { unshareMemory(input: {memoryId: $id}) { ... on FactPayload { memory { content } } } }"
    assert WORDS == (await ask(back, id=memory))["data"]["unshareMemory"]["memory"]["content"]
    assert [] == (await ask(shares, id=memory))["data"]["explain"]["shares"]
