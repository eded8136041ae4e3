import asyncio
from datetime import timedelta
from typing import Any

import pytest

from hippograph.graph.errors import Conflict, InvalidInput, NotAllowed, NotFound
from hippograph.graph.model import INTERNAL, ChatKind, EntityType, Viewer
from hippograph.graph.people.people import Member
from hippograph.graph.rights import ALL_RIGHTS
from hippograph.graph.writing.fact import Fact
from hippograph.nlp.names.phonetics import skeleton


async def known_by(scene: Any, key: str) -> Any:
    """Returns an entity by key, as an administrator sees it."""
    return await scene.service.browsing.entity(scene.viewer(), key)


@pytest.fixture
async def robert(scene, drain, raw) -> Any:
    """The scene with two entities of one person, Robert Hale and Bobby. Both take part in the group and have facts and
    mentions; Bobby also has a turn, and relations.
    """
    people, facts = scene.service.people, scene.service.facts
    robert = await people.create_person(INTERNAL, "Robert Hale", usernames=["rhale"])
    bobby = await people.create_person(INTERNAL, "Bobby", usernames=["bobby"])
    for person in (robert, bobby):
        await people.join_chat(scene.viewer(), scene.group.id, person.id, scene.minutes(-1000))
    await scene.say("I fixed the old bike in Graz.", by=bobby, at=scene.minutes(1))
    await scene.say("I saw @bobby and @rhale yesterday.", at=scene.minutes(2))
    await scene.say("Only @bobby came.", by=scene.ben, at=scene.minutes(3))
    maya = Viewer(scene.maya.id, scene.group.id, rights=ALL_RIGHTS)
    said = [
        Fact("Robert lives in Linz", about=(robert.key,), aspect="lives_in", value="Linz"),
        Fact("Bobby likes jazz", about=(bobby.key, scene.ben.key), fact_type="preference", aspect="music"),
        Fact("Ben met Bobby and Robert", about=(bobby.key, robert.key)),
        Fact("Robert taught Bobby", about=(robert.key, bobby.key)),
    ]
    await facts.remember(maya, said)
    scene.service.clock.advance(timedelta(hours=1))
    await facts.remember(maya, [Fact("Bobby lives in Graz", about=(bobby.key,), aspect="lives_in", value="Graz")])
    await facts.remember(
        Viewer(bobby.id, scene.group.id), [Fact("Ben plays chess", about=(scene.ben.key,))], for_chat=True
    )
    await drain()
    await raw(
        "MATCH (a:Person {id: $a}), (b:Person {id: $b}), (c:Person {id: $c}) "
        "CREATE (a)-[:RELATED_TO {predicate: 'friend_of', evidence: ['1']}]->(c), "
        "(c)-[:RELATED_TO {predicate: 'friend_of', evidence: ['2']}]->(a), "
        "(a)-[:RELATED_TO {predicate: 'knows'}]->(b), (a)-[:MAY_BE {score: 0.7, reason: 'x'}]->(b)",
        a=bobby.id,
        b=robert.id,
        c=scene.ben.id,
    )
    return scene, robert, bobby


async def test_a_merge_and_its_undoing_leave_nothing_behind(robert, raw, drain, dump) -> None:
    """Merging two people, with everything linked to them, and undoing the merge restores exactly the same graph."""
    scene, robert, bobby = robert
    before = await dump()
    assert [] == await scene.service.doctor.examine()
    merged = await scene.service.merging.merge(scene.viewer(), robert.key, bobby.key)
    assert ("Bobby" in merged.kept.aliases, {"rhale", "bobby"}) == (True, set(merged.kept.usernames))
    assert [] == await scene.service.doctor.examine()
    await drain()
    assert [] == await scene.service.doctor.examine()
    clash = set(await dump()) ^ set(before)
    assert len(clash) > 20
    undone = await scene.service.merging.unmerge(scene.viewer(), merged.merge_id)
    assert (robert.id, bobby.id) == (undone.kept.id, undone.restored.id)
    assert before == await dump()
    assert [] == await scene.service.doctor.examine()


async def test_what_was_about_the_one_is_about_the_other(robert, raw) -> None:
    """After a merge, facts, mentions, turns, memberships and relations of both belong to the kept entity. Of two facts
    with one claim key the later is live and supersedes the earlier. The merged key refers to the kept entity.
    """
    scene, robert, bobby = robert
    await scene.service.merging.merge(scene.viewer(), robert.key, bobby.key)
    rows = await raw(
        "MATCH (m:Memory) WHERE m.claim_key STARTS WITH 'person|' AND m.live_key IS NOT NULL "
        "RETURN m.content AS content, m.claim_key AS key, m.live_key CONTAINS m.claim_key AS fits"
    )
    live = {row["content"]: row["key"] for row in rows}
    assert all(row["fits"] for row in rows)
    assert "person|robert_hale|fact|lives_in" == live["Bobby lives in Graz"]
    assert "person|robert_hale|fact|music" == live["Bobby likes jazz"]
    assert "Robert lives in Linz" not in live
    [ended] = await raw(
        "MATCH (:Memory {content: 'Bobby lives in Graz'})-[:SUPERSEDES]->(m:Memory {content: 'Robert lives in Linz'}) "
        "RETURN m.valid_until < datetime('9000-01-01T00:00:00Z') AS ended"
    )
    assert ended["ended"]
    [row] = await raw(
        "MATCH (p:Person {id: $id}) RETURN "
        "COUNT { (p)<-[:STATED_BY]-() } AS stated, COUNT { (p)<-[:ABOUT]-() } AS about, "
        "COUNT { (p)<-[:MENTIONS]-(:Episodic) } AS mentions, COUNT { (p)-[:PARTICIPATES_IN]->() } AS parts, "
        "COUNT { (p)-[:RELATED_TO]-(:Entity) } AS related, COUNT { (p)-[:MAY_BE]-(:Entity) } AS likely",
        id=robert.id,
    )
    assert {"stated": 2, "about": 5, "mentions": 2, "parts": 2, "related": 2, "likely": 0} == row
    old = await known_by(scene, bobby.key)
    assert old is not None
    assert robert.id == old.id
    viewer = scene.viewer()
    [stored] = await scene.service.facts.remember(viewer, [Fact("Bobby swims", about=(bobby.key,), aspect="sport")])
    [row] = await raw("MATCH (m:Memory {id: $id}) RETURN m.claim_key AS key", id=stored.memory_id)
    assert "person|robert_hale|fact|sport" == row["key"]
    found = await scene.service.search.search(viewer, "What music does Robert Hale like?")
    assert "Bobby likes jazz" in {result.memory.content for result in found.results}


async def test_what_comes_after_a_merge_stays_unless_named_so(robert, raw, drain) -> None:
    """When a merge is undone, later mentions by a name that only the merged entity had move to it; a later fact stays
    with the kept entity.
    """
    scene, robert, bobby = robert
    merged = await scene.service.merging.merge(scene.viewer(), robert.key, bobby.key)
    scene.service.clock.advance(timedelta(minutes=1))
    by_old = await scene.say("@bobby was here again.")
    by_kept = await scene.say("@rhale was here again.")
    viewer = Viewer(scene.maya.id, scene.group.id, rights=ALL_RIGHTS)
    [fact] = await scene.service.facts.remember(viewer, [Fact("He swims", about=(bobby.key,), aspect="sport")])
    await drain()
    await scene.service.merging.unmerge(scene.viewer(), merged.merge_id)
    await drain()
    rows = await raw(
        "MATCH (m:Memory)-[:ABOUT|MENTIONS]->(e:Person) WHERE m.id IN $ids RETURN m.id AS m, e.key AS key",
        ids=[by_old.memory_id, by_kept.memory_id, fact.memory_id],
    )
    expected = {by_old.memory_id: bobby.key, by_kept.memory_id: robert.key, fact.memory_id: robert.key}
    assert expected == {row["m"]: row["key"] for row in rows}
    assert [] == await scene.service.doctor.examine()


async def test_chains_of_merges_are_taken_back_in_order(robert, raw, dump) -> None:
    """After merges of A into B and of B into C, A's key refers to C. Merges can only be undone from the last to the
    first, which restores the same graph.
    """
    scene, robert, bobby = robert
    other = await scene.service.people.create_person(INTERNAL, "Bob H.")
    await scene.service.people.join_chat(scene.viewer(), scene.group.id, other.id)
    before = await dump()
    merging, viewer = scene.service.merging, scene.viewer()
    first = await merging.merge(viewer, robert.key, bobby.key)
    second = await merging.merge(viewer, other.key, robert.key)
    assert other.id == (await known_by(scene, bobby.key)).id
    with pytest.raises(Conflict, match=second.merge_id):
        await merging.unmerge(viewer, first.merge_id)
    await merging.unmerge(viewer, second.merge_id)
    await merging.unmerge(viewer, first.merge_id)
    assert before == await dump()


async def test_a_merge_that_was_taken_back_is_gone(robert) -> None:
    """An undone merge cannot be undone again. Two entities that are merged cannot be merged a second time."""
    scene, robert, bobby = robert
    merging, viewer = scene.service.merging, scene.viewer()
    merged = await merging.merge(viewer, robert.key, bobby.key)
    with pytest.raises(InvalidInput, match="one entity already"):
        await merging.merge(viewer, robert.key, bobby.key)
    await merging.unmerge(viewer, merged.merge_id)
    with pytest.raises(NotFound):
        await merging.unmerge(viewer, merged.merge_id)


async def test_who_may_merge_whom(robert, service) -> None:
    """A viewer without rights may neither merge two other people nor undo that. Nobody with an account or memories of
    their own is merged away. Different types need a `kind`, that of the kept entity. For a viewer who may not know of
    an entity it does not exist.
    """
    scene, robert, bobby = robert
    merging, viewer = service.merging, scene.viewer()
    with pytest.raises(NotAllowed):
        await merging.merge(Viewer(scene.ben.id), robert.key, bobby.key)
    with pytest.raises(Conflict, match="keep them"):
        await merging.merge(viewer, robert.key, scene.maya.key)
    with pytest.raises(Conflict, match="account"):
        await merging.merge(viewer, robert.key, service.local_user.key)
    with pytest.raises(InvalidInput, match="which type wins"):
        await merging.merge(viewer, "place:graz", bobby.key)
    with pytest.raises(InvalidInput, match="keep the one"):
        await merging.merge(viewer, "place:graz", bobby.key, kind=EntityType.PERSON)
    stranger = await service.people.create_person(INTERNAL, "Stranger")
    with pytest.raises(NotFound):
        await merging.merge(Viewer(stranger.id, rights=ALL_RIGHTS), robert.key, "place:graz")
    merged = await merging.merge(viewer, robert.key, bobby.key)
    with pytest.raises(NotAllowed):
        await merging.unmerge(Viewer(scene.ben.id), merged.merge_id)
    with pytest.raises(NotAllowed):
        await merging.unmerge(Viewer(stranger.id), merged.merge_id)


async def test_a_wrong_type_is_merged_and_taken_back(robert, raw, dump) -> None:
    """A place is merged into a person if `kind` confirms the type, and undoing the merge restores the same graph."""
    scene, robert, _ = robert
    await scene.service.facts.remember(scene.viewer(), [Fact("Graz is loud", about=("place:graz",), aspect="noise")])
    await scene.service.enrichment.step()
    before = await dump()
    merged = await scene.service.merging.merge(scene.viewer(), robert.key, "place:graz", kind=EntityType.PERSON)
    [row] = await raw(
        "MATCH (m:Memory {content: 'Graz is loud'})-[r:ABOUT]->(p) RETURN m.claim_key AS key, r.person_id AS p"
    )
    assert {"key": "person|robert_hale|fact|noise", "p": robert.id} == row
    await scene.service.merging.unmerge(scene.viewer(), merged.merge_id)
    assert before == await dump()


@pytest.mark.parametrize("earlier", [0, 1], ids=["in step", "the clock of the slow path is late"])
async def test_what_is_named_while_merged_is_given_back(robert, raw, drain, earlier) -> None:
    """When a merge is undone, a turn linked meanwhile mentions whom its names mean: both entities, or only one. This
    also holds if the clock of the process that links is behind that of the one that merged.
    """
    scene, robert, bobby = robert
    merged = await scene.service.merging.merge(scene.viewer(), robert.key, bobby.key)
    scene.service.clock.advance(timedelta(seconds=-earlier))
    for text in ("New: @bobby and @rhale", "New: @bobby", "New: @rhale"):
        await scene.say(text, at=scene.minutes(10))
    await drain()
    query = (
        "MATCH (m:Memory)-[:MENTIONS]->(p) WHERE m.content STARTS WITH 'New: ' AND p.id IN $ids "
        "RETURN m.content AS said, collect(p.id) AS who ORDER BY said"
    )
    both = [robert.id, bobby.id]
    assert [[robert.id]] * 3 == [row["who"] for row in await raw(query, ids=both)]
    await scene.service.merging.unmerge(scene.viewer(), merged.merge_id)
    said = {row["said"]: set(row["who"]) for row in await raw(query, ids=both)}
    assert {"New: @bobby and @rhale": set(both), "New: @bobby": {bobby.id}, "New: @rhale": {robert.id}} == said
    assert [] == await scene.service.doctor.examine()


async def test_a_name_looked_up_before_a_merge_is_taken_back_means_whose_it_is(robert, raw, monkeypatch) -> None:
    """A worker that resolves names while two entities are merged, and writes after the merge was undone, links each
    name to the entity that has it. Another merge and its undoing do not change these links.
    """
    scene, robert, bobby = robert
    merged = await scene.service.merging.merge(scene.viewer(), robert.key, bobby.key)
    while await scene.service.enrichment.step():
        pass
    await scene.say("New: @bobby and @rhale", at=scene.minutes(10))
    run = scene.service.database.run

    async def late(statement: str, **params: Any) -> Any:
        if statement.startswith("enrichment/complete_memories."):
            monkeypatch.undo()
            await scene.service.merging.unmerge(scene.viewer(), merged.merge_id)
        return await run(statement, **params)

    monkeypatch.setattr(scene.service.database, "run", late)
    while await scene.service.enrichment.step():
        pass
    query = "MATCH (m:Memory)-[:MENTIONS]->(p) WHERE m.content STARTS WITH 'New: ' RETURN p.id AS who ORDER BY who"
    both = [{"who": each} for each in sorted((robert.id, bobby.id))]
    assert both == await raw(query)
    again = await scene.service.merging.merge(scene.viewer(), robert.key, bobby.key)
    await scene.service.merging.unmerge(scene.viewer(), again.merge_id)
    assert both == await raw(query)


@pytest.mark.parametrize("primary", [True, False], ids=["primary", "second"])
async def test_a_fact_about_who_is_merged_meanwhile_is_about_whom_they_became(
    robert, raw, drain, monkeypatch, primary
) -> None:
    """If a subject of a fact is merged after it was looked up and before the fact is stored, the fact is about the
    entity that it was merged into. The transaction with the old entity is not repeated.
    """
    scene, robert, bobby = robert
    transaction, repeated = scene.service.database.transaction, scene.service.database.retries["fact/create"]

    async def late(label: str, work: Any, **more: Any) -> Any:
        if label == "fact/create":
            monkeypatch.undo()
            await scene.service.merging.merge(scene.viewer(), robert.key, bobby.key)
        return await transaction(label, work, **more)

    monkeypatch.setattr(scene.service.database, "transaction", late)
    subjects = [bobby, scene.ben] if primary else [scene.ben, bobby]
    fact = Fact("They sing in a choir", about=tuple(one.key for one in subjects), aspect="choir")
    [stored] = await scene.service.facts.remember(Viewer(scene.maya.id, scene.group.id), [fact])
    assert repeated == scene.service.database.retries["fact/create"]
    [row] = await raw(
        "MATCH (m:Memory {id: $id}) RETURN m.claim_key AS key, "
        "COLLECT { MATCH (m)-[about:ABOUT]->(e) RETURN e.id ORDER BY about.primary DESC } AS about",
        id=stored.memory_id,
    )
    met = [robert if one is bobby else one for one in subjects]
    assert {"key": f"{met[0].key.replace(':', '|')}|fact|choir", "about": [one.id for one in met]} == row
    await drain()
    assert [] == await scene.service.doctor.examine()


@pytest.mark.parametrize("of_another", [True, False])
async def test_who_was_merged_remembers_nothing(robert, raw, of_another) -> None:
    """A viewer who was merged into another person stores no fact, since it would belong to nobody."""
    scene, robert, bobby = robert
    await scene.service.merging.merge(scene.viewer(), robert.key, bobby.key)
    fact = Fact("We sing in a choir", about=(scene.ben.key,) if of_another else (), aspect="choir")
    with pytest.raises(NotFound, match="merged into another"):
        await scene.service.facts.remember(Viewer(bobby.id), [fact])
    assert [] == await raw("MATCH (m:Memory {content: 'We sing in a choir'}) RETURN m.id AS id")


async def test_merging_while_names_are_found(robert, raw) -> None:
    """No mention is lost if two entities are merged and unmerged while enrichment links turns that name both."""
    scene, robert, bobby = robert
    for number in range(60):
        await scene.say(f"@bobby and @rhale, number {number}", at=scene.minutes(10 + number / 10))

    async def link() -> None:
        while await scene.service.enrichment.step():
            pass

    async def turn() -> str:
        merged = await scene.service.merging.merge(scene.viewer(), robert.key, bobby.key)
        await asyncio.sleep(0.3)
        await scene.service.merging.unmerge(scene.viewer(), merged.merge_id)
        merged = await scene.service.merging.merge(scene.viewer(), robert.key, bobby.key)
        return merged.merge_id

    _, _, merge_id = await asyncio.gather(link(), link(), turn())
    scene.service.clock.advance(timedelta(minutes=10))  # makes retries due: the two workers may have collided
    await link()
    query = (
        "MATCH (m:Memory) WHERE m.content STARTS WITH '@bobby and' "
        "RETURN count(m) AS turns, count(CASE WHEN EXISTS { (m)-[:MENTIONS]->(:Person {id: $id}) } THEN 1 END) AS found"
    )
    assert [{"turns": 60, "found": 60}] == await raw(query, id=robert.id)
    assert [] == await scene.service.doctor.examine()
    await scene.service.merging.unmerge(scene.viewer(), merge_id)
    assert [{"turns": 60, "found": 60}] == await raw(query, id=bobby.id)


# --- what is suggested ---


async def test_a_suggestion_is_seen_by_who_may_know_both(robert, raw) -> None:
    """Suggestions are listed only to viewers who may know of both entities, as of everybody with a username; likeliest
    first and in pages. A dismissed suggestion is not listed. A pair that is not suggested cannot be dismissed.
    """
    scene, robert, bobby = robert
    secret = await scene.service.people.create_person(INTERNAL, "Hidden Hale")
    await raw(
        "MATCH (a:Person {id: $a}), (b:Person {id: $b}), (c:Person {id: $c}) "
        "CREATE (c)-[:MAY_BE {score: 0.9, reason: 'y'}]->(a), (b)-[:MAY_BE {score: 0.95, reason: 'z'}]->(c)",
        a=bobby.id,
        b=robert.id,
        c=secret.id,
    )
    merging, viewer = scene.service.merging, scene.viewer()
    page = await merging.suggestions(viewer)
    assert [(bobby.id, robert.id, 0.7)] == [(s.item.one.id, s.item.other.id, s.item.score) for s in page.items]
    assert 3 == len((await merging.suggestions(Viewer(secret.id))).items)
    await scene.service.people.join_chat(viewer, scene.group.id, secret.id)
    first = await merging.suggestions(viewer, first=2)
    assert [0.95, 0.9] == [s.item.score for s in first.items]
    rest = await merging.suggestions(viewer, first=2, after=first.items[-1].cursor)
    assert ([0.7], False) == ([s.item.score for s in rest.items], rest.has_next)
    await merging.dismiss(viewer, robert.key, bobby.key)
    assert 2 == len((await merging.suggestions(viewer)).items)
    with pytest.raises(NotFound):
        await merging.dismiss(viewer, robert.key, scene.ben.key)


async def test_merging_through_graphql(robert, ask) -> None:
    """GraphQL lists suggestions, merges, unmerges and dismisses; errors are members of the union."""
    _, robert, bobby = robert
    answer = await ask("{ suggestMerges { nodes { one { key } other { key } score reason } } }")
    assert [{"one": {"key": bobby.key}, "other": {"key": robert.key}, "score": 0.7, "reason": "x"}] == (
        answer["data"]["suggestMerges"]["nodes"]
    )
    merge = (
        "mutation ($k: String!, $m: String!) { mergeEntities(input: {keep: $k, merge: $m}) "
        "{ __typename ... on MergeEntitiesPayload { mergeId entity { key aliases } } ... on Error { code message } } }"
    )
    merged = (await ask(merge, k=robert.key, m=bobby.key))["data"]["mergeEntities"]
    assert {"key": robert.key, "aliases": ["Robert", "Bobby"]} == merged["entity"]
    wrong = (await ask(merge, k=robert.key, m="person:nobody"))["data"]["mergeEntities"]
    assert "NotFoundError" == wrong["__typename"]
    unmerge = (
        "mutation ($m: ID!) { unmergeEntities(input: {mergeId: $m}) "
        "{ __typename ... on UnmergeEntitiesPayload { kept { key } restored { key } } } }"
    )
    undone = (await ask(unmerge, m=merged["mergeId"]))["data"]["unmergeEntities"]
    assert ({"key": robert.key}, {"key": bobby.key}) == (undone["kept"], undone["restored"])
    dismiss = "mutation ($a: String!, $b: String!) { dismissMerge(input: {one: $a, other: $b}) { __typename } }"
    assert (
        "DismissMergePayload" == (await ask(dismiss, a=robert.key, b=bobby.key))["data"]["dismissMerge"]["__typename"]
    )


# --- what names come to mean ---


async def entities_of(raw: Any, memory_id: str) -> set[str]:
    """Returns the keys of the entities that a memory mentions."""
    rows = await raw("MATCH (:Memory {id: $id})-[:MENTIONS]->(e:Entity) RETURN e.key AS key", id=memory_id)
    return {row["key"] for row in rows}


async def test_a_misheard_name_is_who_it_sounds_like(scene, drain, raw) -> None:
    """A misheard name is linked to the person in the chat whose name sounds like it. It becomes an alias of theirs, and
    later turns with it are linked too.
    """
    mukesh = await scene.service.people.create_person(INTERNAL, "Mukesh Sharma")
    await scene.service.people.join_chat(scene.viewer(), scene.group.id, mukesh.id, scene.minutes(-10))
    await drain()
    stored = await scene.say("Yesterday Makesh Sharma told me that he will come.", at=scene.minutes(1))
    await drain()
    assert {mukesh.key} == await entities_of(raw, stored.memory_id)
    [row] = await raw(
        "MATCH (p:Person {id: $id}) RETURN p.aliases AS aliases, size(p.names) AS names, p:Pending AS pending",
        id=mukesh.id,
    )
    assert {"aliases": ["Makesh Sharma"], "names": 2, "pending": False} == row
    again = await scene.say("Makesh Sharma was late.", at=scene.minutes(2))
    await drain()
    assert {mukesh.key} == await entities_of(raw, again.memory_id)
    assert [] == await scene.service.doctor.examine()


async def test_a_name_read_in_its_own_tongue_is_found_from_another_chat(scene, drain, raw) -> None:
    """In another chat with a common participant, a name is linked by the phonetic index even if read as English none of
    its words has the same consonant skeleton.
    """
    people = scene.service.people
    wojciech = await people.create_person(INTERNAL, "Wojciech Czajka")
    await people.join_chat(scene.viewer(), scene.group.id, wojciech.id, scene.minutes(-10))
    carl = await people.create_person(INTERNAL, "Carl Maier")
    await people.join_chat(scene.viewer(), scene.group.id, carl.id, scene.minutes(-10))
    dora = await people.create_person(INTERNAL, "Dora Lenz")
    members = [Member(p.id, scene.minutes(-10)) for p in (carl, dora)]
    elsewhere = await people.create_chat(INTERNAL, ChatKind.GROUP, "Tax office", members)
    await drain()
    await scene.say("Hello!", by=carl, at=scene.minutes(0))
    assert not {skeleton("wojciech"), skeleton("czajka")} & {skeleton("voychek"), skeleton("chaika")}
    said = await scene.say(
        "Yesterday Voychek Chaika told me that he will come.", by=carl, chat=elsewhere, at=scene.minutes(1)
    )
    await drain()
    assert {wojciech.key} == await entities_of(raw, said.memory_id)


async def test_a_namesake_among_strangers_is_somebody_else(scene, drain, raw) -> None:
    """The same full name in a chat without common participants creates another person, whose key has a suffix, and a
    merge is suggested.
    """
    people = scene.service.people
    first = await people.create_person(INTERNAL, "Anna Berger")
    await people.join_chat(scene.viewer(), scene.group.id, first.id, scene.minutes(-10))
    carl = await people.create_person(INTERNAL, "Carl Maier")
    dora = await people.create_person(INTERNAL, "Dora Lenz")
    members = [Member(p.id, scene.minutes(-10)) for p in (carl, dora)]
    elsewhere = await people.create_chat(INTERNAL, ChatKind.GROUP, "Tax office", members)
    await drain()
    here = await scene.say("Yesterday Anna Berger told me that she will come.", at=scene.minutes(1))
    there = await scene.say(
        "Yesterday Anna Berger told me that she will come.", by=carl, chat=elsewhere, at=scene.minutes(2)
    )
    await drain()
    assert {first.key} == await entities_of(raw, here.memory_id)
    [key] = await entities_of(raw, there.memory_id)
    assert key.startswith(f"{first.key}-")
    [row] = await raw("MATCH (a:Person)-[s:MAY_BE]->(b:Person) RETURN a.key AS a, b.key AS b, s.reason AS reason")
    assert {"a": key, "b": first.key, "reason": "the same name"} == row
    again = await scene.say("Anna Berger called again.", by=dora, chat=elsewhere, at=scene.minutes(3))
    await drain()
    assert {key} == await entities_of(raw, again.memory_id)


async def test_strangers_may_mean_another_place_of_the_name(scene, drain, raw) -> None:
    """In a chat without common participants an ambiguous place name (Cambridge) creates another place, and a merge is
    suggested; an unambiguous one (Paris) is linked to the known place.
    """
    people = scene.service.people
    carl = await people.create_person(INTERNAL, "Carl Maier")
    elsewhere = await people.create_chat(INTERNAL, ChatKind.GROUP, "Tax office", [Member(carl.id, scene.minutes(-10))])
    for number, place in enumerate(("Cambridge", "Paris")):
        here = await scene.say(f"I moved to {place} last week.", at=scene.minutes(10 * number + 1))
        await drain()
        there = await scene.say(
            f"I moved to {place} last week.", by=carl, chat=elsewhere, at=scene.minutes(10 * number + 2)
        )
        again = await scene.say(
            f"I still live in {place}, of course.", by=carl, chat=elsewhere, at=scene.minutes(10 * number + 3)
        )
        await drain()
        assert {f"place:{place.lower()}"} == await entities_of(raw, here.memory_id)
        [key] = await entities_of(raw, there.memory_id)
        assert (place == "Paris") == (key == "place:paris")
        assert {key} == await entities_of(raw, again.memory_id)
    [row] = await raw("MATCH (a:Place)-[s:MAY_BE]->(b:Place) RETURN a.key AS a, b.key AS b, s.reason AS reason")
    assert (True, "place:cambridge", "the same name") == (
        row["a"].startswith("place:cambridge-"),
        row["b"],
        row["reason"],
    )


async def test_a_korean_name_is_whose_it_is_read_as(scene, drain, raw) -> None:
    """A name in Latin letters is linked to the person in the same chat whose name is stored in Hangul."""
    jiwoo = await scene.service.people.create_person(INTERNAL, "김지우")
    await scene.service.people.join_chat(scene.viewer(), scene.group.id, jiwoo.id, scene.minutes(-10))
    await drain()
    said = await scene.say("Yesterday Jiwoo Kim told me that he will come.", at=scene.minutes(1))
    await drain()
    assert {jiwoo.key} == await entities_of(raw, said.memory_id)


async def test_a_name_that_was_merged_away_means_what_it_became(scene, drain, raw) -> None:
    """The name of a merged entity is linked to the entity it was merged into, by the key of the tombstone alone: the
    kept entity has no names here.
    """
    one = await scene.say("I moved from Graz to Ljubljana last week.", at=scene.minutes(1))
    await drain()
    assert {"place:graz", "place:ljubljana"} == await entities_of(raw, one.memory_id)
    await scene.service.merging.merge(scene.viewer(), "place:ljubljana", "place:graz")
    await raw("MATCH (e:Place {key: 'place:ljubljana'}) SET e.names = [], e.aliases = [], e.sounds = []")
    two = await scene.say("She still lives in Graz, I think.", at=scene.minutes(2))
    await drain()
    assert {"place:ljubljana"} == await entities_of(raw, two.memory_id)
