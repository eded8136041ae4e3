"""Hidden memories do not change what a viewer is shown: no score, rank, floor, count, name, card or suggestion (P3).

A viewer asks the same before and after somebody else tells their assistant, in private, fifty things about the same
entities in the same words. There is one exception: the rarity of a word is counted over the whole full-text index, so
this part of a score changes, and with it the order of nearly equal results.
"""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import pytest

from hippograph.api.graphql import schema
from hippograph.api.graphql.context import Context
from hippograph.api.service import Service
from hippograph.api.viewer import Caller
from hippograph.graph.model import INTERNAL, ChatKind, Viewer
from hippograph.graph.people.people import Member
from hippograph.graph.rights import NO_RIGHTS
from hippograph.graph.writing.fact import Fact
from hippograph.graph.writing.recording import Turn
from tests.integration.conftest import LONG_AGO, Scene

HIDDEN, SOON = 50, timedelta(hours=1)
BY_WORDS = ("full_text", "relevance", "hebbian")
"""Parts of a score that depend on the rarity of words: `full_text`, and those that profiles combine from several."""
_FOUND = """{
  edges { cursor score relevance ranks { list rank similarity } parts { name value } node { id content score }
          outdated { reason } }
  pageInfo { hasNextPage endCursor }
  cards { entity { key canonicalName aliases } text mentions facts { id } }
}"""
_ENTITY = """{ key canonicalName aliases memories(first: 50) { nodes { id } } }"""
SHOWN = {
    "searches": f"""{{
      fused: search(query: "What do the otters of Lindenhof eat?", profile: FUSED, reinforce: false) {_FOUND}
      strength: search(query: "What do the otters of Lindenhof eat?", profile: STRENGTH, reinforce: false) {_FOUND}
      hebbian: search(query: "What do the otters of Lindenhof eat?", profile: HEBBIAN, reinforce: false) {_FOUND}
      few: search(query: "otters", first: 2, reinforce: false) {_FOUND}
      floor: search(query: "Where does Jonas Weber work?", minRelevance: 0.3, reinforce: false) {_FOUND}
      when: search(query: "What happened to the otters in March 2024?", reinforce: false) {_FOUND}
      nothing: search(query: "Who repaired the boiler?", minRelevance: 0.2, reinforce: false) {_FOUND}
      hop: search(query: "Where does the friend of Jonas Weber live?", reinforce: false) {_FOUND}
    }}""",
    "contexts": """{
      plain: context(query: "What do the otters of Lindenhof eat?", reinforce: false) {
        text tokens leftOut { reason memories { id } }
      }
      short: context(query: "otters", budget: 100, reinforce: false) { text tokens leftOut { reason memories { id } } }
    }""",
    "knowledge": f"""{{
      organization: entity(key: "organization:lindenhof") {_ENTITY}
      person: entity(key: "person:jonas_weber") {_ENTITY}
      unknown: entity(key: "organization:otterworks") {_ENTITY}
      entities(first: 100) {{ nodes {_ENTITY} }}
      suggestMerges(first: 100) {{ nodes {{ one {{ key }} other {{ key }} score }} }}
      merges(first: 100) {{ nodes {{ __typename }} }}
      lindenhof: entityCard(key: "organization:lindenhof", reinforce: false) {{
        text mentions facts {{ id }} summary {{ id }}
        relations {{ nodes {{ predicate }} }} timeline {{ nodes {{ id }} }}
      }}
      jonas: entityCard(key: "person:jonas_weber", reinforce: false) {{
        text mentions facts {{ id }} summary {{ id }}
        relations {{ nodes {{ predicate }} }} timeline {{ nodes {{ id }} }}
      }}
      timeline(key: "organization:lindenhof") {{ nodes {{ id }} }}
    }}""",
    "lists": """{
      memories(first: 100) { nodes { id content confidence score importance } pageInfo { hasNextPage endCursor } }
      memoriesAbout(query: "Jonas Weber", first: 100) { nodes { id } }
      weakFacts(first: 100, below: 1) { nodes { confidence memory { id } } }
      archive(first: 100) { nodes { memory { id } } }
      chats(first: 100) { nodes { id title } }
      sessionState { messageCount lastMessage }
      todos { nodes { content } }
      summaries { session { id } rolling { id } spine { id } }
      stats {
        memories byType { type count } entities links linksByType { type count } orphans sizeBytes pending tryingAgain
        failed waitingSessions lastConsolidated secretsRemoved
      }
    }""",
}
"""GraphQL documents of what a viewer may ask, by topic."""


async def shown(service: Service, viewer: Viewer) -> dict[str, Any]:
    """The answers to a viewer for all documents of `SHOWN`."""

    async def authenticate() -> Caller:
        return Caller(viewer, "credential")

    context = Context(service, await authenticate(), authenticate)
    answers = {}
    for part, document in SHOWN.items():
        answer = await schema.execute(document, context_value=context)
        assert answer.errors is None
        answers[part] = answer.data
    return answers


def comparable(answer: Any) -> Any:
    """An answer as it is compared: a search without the order of its results and what the rarity of words affects."""
    if not isinstance(answer, dict) or "edges" not in answer:
        return answer
    results = {}
    for edge in answer["edges"]:
        parts = {part["name"]: part["value"] for part in edge["parts"] if part["name"] not in BY_WORDS}
        others = {name: edge[name] for name in ("relevance", "ranks", "outdated", "node")}
        results[edge["node"]["id"]] = {**others, "parts": parts}
    cards = {card["entity"]["key"]: card for card in answer["cards"]}
    return {"results": results, "cards": cards, "more": answer["pageInfo"]["hasNextPage"]}


async def told_in_the_group(scene: Scene, learn: Callable[[], Awaitable[int]]) -> None:
    """Records turns in the group, and facts of Maya's; Maya may see all of it."""
    said = [
        "The otters of Lindenhof eat trout.",
        "Jonas Weber works at Lindenhof.",
        "Jonas Weber is a friend of Ada Berg.",
        "We saw the otters in March.",
        "I like the otters more than the seals.",
        "Ada Berg lives in Graz.",
    ]
    for minute, content in enumerate(said):
        await scene.say(content, by=scene.maya, at=scene.minutes(minute))
    await learn()
    mine = [Fact("I like otters", importance=2), Fact("Jonas Weber feeds the otters", about=("person:jonas_weber",))]
    await scene.service.facts.remember(Viewer(scene.maya.id), mine)


async def told_in_private(scene: Scene) -> list[str]:
    """Records memories of Ben's about the same, which Maya may not see, and returns their ids."""
    service, me = scene.service, Viewer(scene.ben.id)
    chat = await service.people.create_chat(
        INTERNAL, ChatKind.PRIVATE, "Ben and Atlas", [Member(scene.ben.id, LONG_AGO)]
    )
    words = (
        "The otters of Lindenhof eat carp, not trout.",
        "Jonas Weber works at Otterworks and no longer at Lindenhof.",
        "The otters of Lindenhof, called the Hof, bit Jonas Weber in March.",
        "Who repaired the boiler? Jonas Weber repaired the boiler.",
        "Maya Lindqvist likes the otters of Otterworks.",
    )
    turns = [
        Turn(f"{words[number % len(words)]} {number}", scene.ben.id, event_time=scene.minutes(100 + number))
        for number in range(HIDDEN - 10)
    ]
    recorded = await service.recorder.record(scene.viewer(), chat.id, turns, scene.atlas.id)
    about = ("person:jonas_weber", scene.maya.key)
    facts = [
        Fact(f"The otters know Jonas and Maya {number}", about=about, importance=3, portable=False)
        for number in range(10)
    ]
    remembered = await service.facts.remember(me, facts)
    for fact in remembered:
        await service.facts.pin(me, fact.memory_id)
        await service.facts.reinforce(me, fact.memory_id)
    return [each.memory_id for each in (*recorded, *remembered)]


@pytest.mark.timeout(600)
async def test_nothing_hidden_changes_what_is_shown(
    scene: Scene, learn: Callable[[], Awaitable[int]], clock: Any
) -> None:
    """Fifty memories that Maya may not see, and what is derived from them, change nothing that she is shown."""
    service, maya = scene.service, Viewer(scene.maya.id, rights=NO_RIGHTS)
    await told_in_the_group(scene, learn)
    await service.sessions.close(scene.viewer(), scene.group.id)
    await learn()
    clock.stop()
    now = clock()
    clock.advance(SOON)
    before = await shown(service, maya)
    assert before["searches"]["fused"]["edges"]
    assert before["lists"]["stats"]["memories"] >= 8
    clock.advance(-SOON)
    hidden = await told_in_private(scene)
    await learn()
    clock.advance(now + SOON - clock())  # the time of the first answers, so that all ages are equal
    assert {} == await service.browsing.memories(maya, hidden)
    after = await shown(service, maya)
    for part, answers in before.items():
        for field, answer in answers.items():
            assert comparable(answer) == comparable(after[part][field]), f"{part}: {field}"
