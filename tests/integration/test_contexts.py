"""Contexts of prompts as the service assembles them, weak facts, the archive, and statistics (R8, R10, R12)."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from hippograph.api.graphql.nodes import global_id
from hippograph.graph.context.assembly import ALWAYS_TOKENS, ContextAssembly
from hippograph.graph.context.composing import LeftOut, Reason, Section
from hippograph.graph.context.fence import NOTICE
from hippograph.graph.errors import InvalidInput
from hippograph.graph.ids import token
from hippograph.graph.model import Sensitivity, Times, Viewer
from hippograph.graph.retention.confidence import decayed_confidence
from hippograph.graph.retrieval.filters import Filters
from hippograph.graph.upkeep.upkeep import GC
from hippograph.graph.writing.fact import Fact
from tests.integration.conftest import work_off


async def remember(scene: Any, who: Any, content: str, **more: Any) -> str:
    """Stores one fact of a person's own, and returns the id of its memory."""
    [stored] = await scene.service.facts.remember(Viewer(who.id), [Fact(content, **more)])
    return str(stored.memory_id)


async def archive(raw: Any, memory_id: str) -> None:
    """Archives a memory as upkeep does: sets its label, its status, and the facet of its status."""
    await raw(
        "MATCH (m:Memory {id: $id}) SET m:Archived, m.status = 'archived', "
        "m.facets = [one IN m.facets WHERE one <> $active] + $archived",
        id=memory_id,
        active=token("status", "active"),
        archived=token("status", "archived"),
    )


async def test_a_context_has_what_always_stands_there_then_what_was_found(scene) -> None:
    """A context begins with state and pinned facts; facts that were found follow, with their turns. Each has its id in
    brackets, except state.
    """
    viewer = Viewer(scene.maya.id)
    await scene.service.states.set_state(viewer, "preferred_address", "Ms Lindqvist")
    pinned = await remember(scene, scene.maya, "Maya is allergic to nuts", importance=0)
    await scene.service.facts.pin(viewer, pinned)
    said = await scene.say("I have always loved otters", at=scene.minutes(0), chat=scene.private)
    turn = said.memory_id
    fact = await remember(scene, scene.maya, "Maya loves otters", evidence=(turn,))
    found = await scene.service.contexts.context(viewer, "What does Maya love?")
    assert found.always == (
        f"{NOTICE}\n<memories>\n"
        f"## About you\n- preferred_address: Ms Lindqvist\n\n"
        f"## Always remembered\n- Maya is allergic to nuts [id:{pinned}]\n</memories>"
    )
    assert found.text.endswith("\n</memories>")
    assert found.text.startswith(found.always)
    assert (
        f"- Maya loves otters [id:{fact}]\n  > Maya Lindqvist, 4 March 2024: I have always loved otters [id:{turn}]"
        in found.text
    )
    reasons = {entry.piece.memory_ids: entry.piece.reason for entry in found.entries if entry.piece.memory_ids}
    assert (Reason.PINNED, Reason.FOUND, Reason.SOURCE) == (reasons[pinned,], reasons[fact,], reasons[turn,])


async def test_the_question_changes_nothing_in_what_always_stands_there(scene) -> None:
    """The standing part, with which a context begins, is the same for every question."""
    viewer = Viewer(scene.maya.id)
    for number in range(3):
        await scene.service.facts.pin(viewer, await remember(scene, scene.maya, f"Maya likes number {number}"))
    contexts = [await scene.service.contexts.context(viewer, words) for words in ("What does Maya like?", "number 2")]
    assert 1 == len({found.always for found in contexts})
    assert all(found.text.startswith(found.always) for found in contexts)


async def test_tokens_are_those_of_the_embedder(scene) -> None:
    """The size of a context is counted by the embedding model's tokenizer, and the results found keep to the budget."""
    viewer, embedder = Viewer(scene.maya.id), scene.service.embedder
    for number in range(12):
        await remember(scene, scene.maya, f"Maya saw otter number {number} at the river, and was delighted by it")
    for budget in (0, 60, 200):
        found = await scene.service.contexts.context(viewer, "otters at the river", budget=budget)
        assert found.tokens == embedder.count_tokens(found.text) <= budget
        assert LeftOut.BUDGET in {omission.why for omission in found.left_out}


async def test_what_always_stands_there_is_capped(scene) -> None:
    """Long pinned facts take at most `ALWAYS_TOKENS`, 1000 tokens; those that do not fit are reported as left out."""
    viewer = Viewer(scene.maya.id)
    for number in range(5):
        pinned = await remember(scene, scene.maya, f"Number {number}: " + "otters and rivers " * 100)
        await scene.service.facts.pin(viewer, pinned)
    found = await scene.service.contexts.context(viewer, "rivers", budget=0)
    assert 0 < found.tokens <= ALWAYS_TOKENS
    assert {Section.PINNED} <= {omission.piece.section for omission in found.left_out}


async def test_nothing_is_told_twice(scene) -> None:
    """A pinned fact that the search finds too is in the context once; its repetition is reported as left out."""
    viewer = Viewer(scene.maya.id)
    pinned = await remember(scene, scene.maya, "Maya loves otters", importance=3)
    await scene.service.facts.pin(viewer, pinned)
    found = await scene.service.contexts.context(viewer, "Who loves otters?")
    assert 1 == found.text.count(pinned)
    assert LeftOut.REPEATED in {omission.why for omission in found.left_out}


async def test_without_matches_nothing_is_there(scene) -> None:
    """A graph without memories gives an empty context, without headings."""
    found = await scene.service.contexts.context(Viewer(scene.maya.id), "zebrafinch")
    assert ("", 0, ()) == (found.text, found.tokens, found.entries)


@pytest.mark.embedding_ranked
async def test_what_nothing_answers_finds_nothing(scene, drain) -> None:
    """If no memory is relevant to the question, the results are left out, and the pinned fact stays."""
    viewer = Viewer(scene.maya.id)
    await remember(scene, scene.maya, "Maya loves otters", importance=3)
    pinned = await remember(scene, scene.maya, "Maya lives in Lisbon")
    await scene.service.facts.pin(viewer, pinned)
    await drain()
    nothing = await scene.service.contexts.context(viewer, "zebrafinch qwertzuiop")
    something = await scene.service.contexts.context(viewer, "What does Maya love?")
    assert {pinned} == {one for entry in nothing.entries for one in entry.piece.memory_ids}
    assert {LeftOut.IRRELEVANT} == {omission.why for omission in nothing.left_out}
    assert "otters" in something.text


@pytest.mark.parametrize("name", ["Melanie", "melanie"])
async def test_of_somebody_of_whom_nothing_tells_nothing_is_found(scene, drain, name) -> None:
    """A question about somebody is answered only if a memory that the viewer may see, at the times of the read, names
    them; "Mel" names Melanie.
    """
    viewer, question = Viewer(scene.maya.id), f"Does {name} love otters?"

    async def found(times: Times | None = None) -> tuple[bool, bool]:
        page = await scene.service.search.search(viewer, question, times=times)
        least = await scene.service.search.search(viewer, question, times=times, min_relevance=page.floor)
        context = await scene.service.contexts.context(viewer, question, times=times)
        assert bool(context.entries) is bool(least.results)
        return page.results[0].relevance > page.floor, bool(context.entries)

    await remember(scene, scene.maya, "Maya loves otters")
    assert (False, False) == await found()
    await remember(scene, scene.ben, "Melanie loves otters", sensitivity=Sensitivity.SENSITIVE)
    await drain()
    assert (False, False) == await found()
    moment = scene.service.clock()
    await remember(scene, scene.maya, "Mel was here, my cousin")
    assert (True, True) == await found()
    assert (False, False) == await found(Times(moment, moment))


async def test_hidden_memories_change_nothing(scene) -> None:
    """A fact that the viewer may not see changes neither the text of a context, nor its size, nor what is left out."""
    viewer = Viewer(scene.maya.id, scene.group.id)
    await remember(scene, scene.maya, "Maya loves otters", importance=2)
    before = await scene.service.contexts.context(viewer, "Who loves otters?")
    hidden = await remember(scene, scene.ben, "Ben secretly loves otters", sensitivity=Sensitivity.SENSITIVE)
    await scene.service.facts.pin(Viewer(scene.ben.id), hidden)
    after = await scene.service.contexts.context(viewer, "Who loves otters?")
    assert (before.text, before.tokens, before.left_out) == (after.text, after.tokens, after.left_out)


async def test_the_budget_follows_from_the_question(scene) -> None:
    """The budget is 1000 tokens for a simple question and 3000 for a complex one. A configured budget replaces both,
    and one that is given replaces that; a negative one is refused.
    """
    service, viewer = scene.service, Viewer(scene.maya.id)
    simple = await service.contexts.context(viewer, "otters?")
    complex_ = await service.contexts.context(viewer, "Compare otters and beavers, and say which of them swims better")
    assert (1000, 3000) == (simple.budget, complex_.budget)
    fixed = ContextAssembly(
        service.database, service.clock, service.search, count=len, executor=None, fixed_budget=1234
    )
    assert 1234 == (await fixed.context(viewer, "otters?")).budget
    assert 77 == (await fixed.context(viewer, "otters?", budget=77)).budget
    with pytest.raises(InvalidInput, match="a budget is"):
        await service.contexts.context(viewer, "otters?", budget=-1)


async def test_weak_facts_come_weakest_first_with_their_day(scene, clock) -> None:
    """Facts that were not used for 30 days are weak: they are listed weakest first, with the confidence of T2's
    formula and the time when they fade. A confirmed fact is not listed, and a pinned one never fades.
    """
    viewer, start = Viewer(scene.maya.id), clock()
    ids = [
        await remember(scene, scene.maya, f"Maya said {number}", confidence=confidence)
        for number, confidence in enumerate((0.9, 0.5, 0.6))
    ]
    await scene.service.facts.confirm(viewer, await remember(scene, scene.maya, "Maya is certain"))
    await scene.service.facts.pin(viewer, ids[2])
    assert [] == (await scene.service.weak_facts.weak(viewer)).items
    clock.advance(timedelta(days=30))
    seen, after = [], None
    while True:
        page = await scene.service.weak_facts.weak(viewer, first=1, after=after)
        seen += [listed.item for listed in page.items]
        if not page.has_next:
            break
        after = page.items[-1].cursor
    assert [ids[1], ids[2], ids[0]] == [weak.memory.id for weak in seen]
    assert [pytest.approx(decayed_confidence(c, 0.1, 30), rel=1e-3) for c in (0.5, 0.6, 0.9)] == [
        weak.confidence for weak in seen
    ]
    assert None is seen[1].fades_at
    left = (seen[0].fades_at - start).total_seconds() / 86_400
    assert pytest.approx(0.05, rel=1e-3) == decayed_confidence(0.5, 0.1, left)


async def test_an_archived_memory_is_found_by_the_archive_alone(scene, raw) -> None:
    """An archived memory is in no search, card, count or context, and cannot be loaded by its id. The archive's search
    finds it by its words, for its owner; the ordinary search refuses to filter for archived memories.
    """
    viewer = Viewer(scene.maya.id)
    gone = await remember(scene, scene.maya, "Maya once kept otters", importance=3)
    kept = await remember(scene, scene.maya, "Maya keeps otters")
    await archive(raw, gone)
    service = scene.service
    assert [kept] == [result.memory.id for result in (await service.search.search(viewer, "otters")).results]
    assert {kept} == set(await service.browsing.memories(viewer, [gone, kept]))
    assert [] == await service.cards.of_found(viewer, [gone, kept])
    assert 1 == (await service.stats.counts(viewer)).memories
    assert gone not in (await service.contexts.context(viewer, "otters")).memories
    found = await service.archive.search(viewer, "otters")
    assert [(gone, "archived")] == [(listed.item.id, listed.item.status) for listed in found.items]
    assert [] == (await service.archive.search(Viewer(scene.ben.id), "otters")).items
    with pytest.raises(InvalidInput, match="archive"):
        await service.search.search(viewer, "otters", filters=Filters(statuses=("archived",)))


async def test_the_archive_is_read_page_by_page(scene, raw) -> None:
    """Every archived match comes once when the matches are read in pages of two."""
    viewer, ids = Viewer(scene.maya.id), []
    for number in range(5):
        ids.append(await remember(scene, scene.maya, f"Otter {number}" + " and otter" * number))
        await archive(raw, ids[-1])
    seen, after = [], None
    while True:
        page = await scene.service.archive.search(viewer, "otter", first=2, after=after)
        seen += [listed.item.id for listed in page.items]
        if not page.has_next:
            break
        after = page.items[-1].cursor
    assert (5, set(ids)) == (len(seen), set(seen))


async def test_the_search_of_the_archive_goes_on_after_what_was_restored(scene, raw) -> None:
    """If the last memory of a page is restored, the next page begins anew and leaves out nothing. If another is
    restored, the next page goes on after the last one.
    """
    viewer, ids = Viewer(scene.maya.id), []
    for number in range(5):
        ids.append(await remember(scene, scene.maya, f"Otter {number}"))
        await archive(raw, ids[-1])
    search = scene.service.archive.search
    page = await search(viewer, "otter", first=2)
    first, last = [listed.item.id for listed in page.items]
    await scene.service.archive.restore(viewer, first)
    rest = await search(viewer, "otter", first=2, after=page.items[-1].cursor)
    assert {last}.isdisjoint(listed.item.id for listed in rest.items)
    assert (2, True) == (len(rest.items), rest.has_next)
    await scene.service.archive.restore(viewer, last)
    anew = await search(viewer, "otter", after=page.items[-1].cursor)
    assert (set(ids) - {first, last}, False) == ({listed.item.id for listed in anew.items}, anew.has_next)


async def test_stats_count_links_orphans_and_size(scene, drain) -> None:
    """A turn that names no entity is an orphan once it is enriched; the size counts texts, vectors and
    token vectors.
    """
    await scene.say("hm", at=scene.minutes(0), chat=scene.private)
    await scene.say("well", at=scene.minutes(1), chat=scene.private)
    viewer = Viewer(scene.maya.id)
    before = await scene.service.stats.counts(viewer)
    assert (0, 1, 6, 1, None) == (
        before.orphans,
        before.links,
        before.size_bytes,
        before.waiting_sessions,
        before.last_consolidated,
    )
    await drain()
    after = await scene.service.stats.counts(viewer)
    # One byte per character, 16 bytes of token vectors per character, and two vectors of 8 bytes per dimension.
    size = 6 + 6 * 16 + 2 * 8 * scene.service.embedder.dimensions
    assert (2, 1, size) == (after.orphans, after.links, after.size_bytes)


async def test_stats_count_links_by_type(scene, drain, ask) -> None:
    """Links are counted by type, and only those of memories that the viewer may see."""
    for minute in range(2):
        await scene.say("Lisbon is sunny", by=scene.service.local_user, at=scene.minutes(minute))
    await scene.say("Lisbon is grey", at=scene.minutes(3), chat=scene.private)
    await drain()
    answer = await ask("{ stats { links linksByType { type count } } }")
    expected = [{"type": "MENTIONS", "count": 2}, {"type": "TEMPORAL", "count": 1}]
    assert {"links": 3, "linksByType": expected} == answer["data"]["stats"]


async def test_stats_tell_when_upkeep_last_ran(scene, ask) -> None:
    """`lastMaintenance` is the end of the last run of upkeep, and null before the first."""
    assert {"lastMaintenance": None} == (await ask("{ stats { lastMaintenance } }"))["data"]["stats"]
    [run] = await scene.service.upkeep.run(GC)
    answer = await ask("{ stats { lastMaintenance } }")
    assert run.ended_at == datetime.fromisoformat(answer["data"]["stats"]["lastMaintenance"])


async def test_context_is_asked_for_in_graphql(scene, ask) -> None:
    """`context`, `weakFacts`, `archiveSearch` and `stats` answer without errors; a context names the memories of its
    entries and the reasons of what it left out.
    """
    me = scene.service.local_user
    memory_id = await remember(scene, me, "Tester loves otters", importance=2)
    answer = await ask(
        """
        { context(query: "Who loves otters?", budget: 500) {
            text always tokens budget analysis { intent }
            entries { section reason detail text tokens memories { id } }
            leftOut { section reason leftOut memories { id } }
          }
          weakFacts { nodes { confidence fadesAt memory { id } } }
          archiveSearch(query: "otters") { nodes { id } }
          stats { links orphans sizeBytes waitingSessions lastMaintenance }
        }
        """
    )
    assert "errors" not in answer, answer
    found = answer["data"]["context"]
    [entry] = found["entries"]
    assert ("FACTS", "CARD", [{"id": global_id("Memory", memory_id)}]) == (
        entry["section"],
        entry["reason"],
        entry["memories"],
    )
    assert [("FOUND", "REPEATED")] == [(one["reason"], one["leftOut"]) for one in found["leftOut"]]


async def test_what_always_stands_there_has_all_its_parts(scene) -> None:
    """The standing part has blocks, state, summaries and open todos in this order, with their reasons; that of
    somebody else is empty.
    """
    viewer = Viewer(scene.maya.id)
    await scene.service.blocks.write(viewer, "active_context", "Packing for Lisbon")
    await scene.service.states.set_state(viewer, "nickname", "Mo")
    for minute, words in enumerate(
        ("I'll book the train to Lisbon", "I moved to Porto in May", "We sail", "It is fun")
    ):
        await scene.say(words, at=scene.minutes(minute), chat=scene.private)
    await work_off(scene.service)
    found = await scene.service.contexts.context(viewer, "zebrafinch qwertzuiop")
    headings = [line for line in found.always.split("\n") if line.startswith("## ")]
    assert ["## Working memory", "## About you", "## Lately", "## Open"] == headings
    assert "- active context: Packing for Lisbon" in found.always
    assert "- commitment: I'll book the train to Lisbon" in found.always
    reasons = {entry.piece.reason for entry in found.entries}
    assert {Reason.BLOCK, Reason.STATE, Reason.SUMMARY, Reason.TODO} <= reasons
    others = await scene.service.contexts.context(Viewer(scene.ben.id), "zebrafinch qwertzuiop")
    assert "" == others.always


async def test_in_a_group_stands_only_what_is_marked_for_groups(scene) -> None:
    """In a group, the standing part has the blocks and state values that are marked for groups, and the preferred
    address (P6). A new value of a state is unmarked unless the mark is given; appending to a block keeps its mark.
    """
    viewer, blocks, states = Viewer(scene.maya.id), scene.service.blocks, scene.service.states
    await blocks.write(viewer, "user_model", "Takes sertraline")
    await blocks.write(viewer, "table_rules", "No phones at dinner", for_groups=True)
    await states.set_state(viewer, "preferred_address", "Ms Lindqvist")
    await states.set_state(viewer, "mood", "low")
    await states.set_state(viewer, "team", "the Reds", for_groups=True)

    async def told(place: Viewer) -> str:
        context = await scene.service.contexts.context(place, "zebrafinch qwertzuiop")
        return str(context.always)

    private, shared = ("Takes sertraline", "mood: low"), ("No phones", "Ms Lindqvist", "team: the Reds")
    in_group, alone = await told(viewer.at(scene.group.id)), await told(viewer)
    assert all(words in alone for words in (*private, *shared))
    assert all(words in in_group for words in shared)
    assert not any(words in in_group for words in private)

    await blocks.append(viewer, "table_rules", "No politics")
    await states.set_state(viewer, "team", "the Blues")
    later = await told(viewer.at(scene.group.id))
    assert "No politics" in later
    assert "team" not in later
    await states.set_state(viewer, "team", "the Blues", for_groups=True)
    assert "team: the Blues" in await told(viewer.at(scene.group.id))

    [rules] = [one for one in await blocks.all(viewer) if one.name == "table_rules"]
    await blocks.write(viewer, "table_rules", rules.content, for_groups=False, version=rules.version)
    await states.set_state(viewer, "team", "the Blues", for_groups=False)
    last = await told(viewer.at(scene.group.id))
    assert not any(words in last for words in ("No politics", "team: the Blues"))
    moment = scene.service.clock()
    earlier = await scene.service.contexts.context(
        viewer.at(scene.group.id), "zebrafinch qwertzuiop", times=Times(moment - timedelta(seconds=1), moment)
    )
    assert "team" not in earlier.always
    assert {"team": "the Blues"}.items() <= {one.key: one.value for one in await states.current(viewer)}.items()
