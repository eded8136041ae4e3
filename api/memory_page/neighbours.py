"""The graph around a memory or an entity, for the drawing and for the list beside it, as far as the viewer may see it.

Everything is read by the methods that the pages and GraphQL read by: what is hidden is no node, no link and no count.
"""

from asyncio import gather
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

from hippograph.api.memory_page.visits import HOME, Visit
from hippograph.api.memory_page.wording import predicate
from hippograph.api.printable import beginning
from hippograph.graph.model import Entity, Memory
from hippograph.graph.reading.explanation import Explanation, Step

_ENTITIES: Final = 8
_BESIDE: Final = 4
_RELATIONS: Final = 20
_MEMORIES: Final = 12
"""How many of each sort are drawn, so that a drawing stays readable."""


@dataclass(frozen=True, slots=True)
class Node:
    """A memory or an entity: its kind (`memory`, or the type of the entity), its words, and its page."""

    id: str
    kind: str
    text: str
    href: str

    @property
    def label(self) -> str:
        """The beginning of its words."""
        return beginning(self.text)


@dataclass(frozen=True, slots=True)
class Link:
    """That one node is something to another."""

    source: Node
    word: str
    target: Node


@dataclass(slots=True)
class Neighbourhood:
    """What is around one node, in the order in which it was found: itself first."""

    visit: Visit
    nodes: dict[str, Node] = field(default_factory=dict)
    links: dict[tuple[str, str, str], Link] = field(default_factory=dict)

    def link(self, source: Node, word: str, target: Node) -> None:
        """Adds a link, once."""
        if source.id != target.id:
            self.links.setdefault((source.id, word, target.id), Link(source, word, target))

    def memory(self, found: Memory | Step) -> Node:
        """The node of a memory."""
        memory_id = found.id if isinstance(found, Memory) else found.memory_id
        return self._node(memory_id, "memory", found.content, self.visit.url(f"{HOME}/item/{memory_id}"))

    def entity(self, found: Entity) -> Node:
        """The node of an entity."""
        href = self.visit.url(f"{HOME}/entity", key=found.key)
        return self._node(found.id, found.type.value, found.canonical_name, href)

    def as_json(self) -> dict[str, Any]:
        """What the drawing is made of; the first node is the one in the middle."""
        return {
            "nodes": [
                {"id": node.id, "kind": node.kind, "label": node.label, "href": node.href}
                for node in self.nodes.values()
            ],
            "links": [
                {"source": link.source.id, "label": link.word, "target": link.target.id} for link in self.links.values()
            ],
        }

    def _node(self, node_id: str, kind: str, text: str, href: str) -> Node:
        return self.nodes.setdefault(node_id, Node(node_id, kind, text, href))


async def around_memory(visit: Visit, found: Memory | None, explanation: Explanation, memory_id: str) -> Neighbourhood:
    """What is around a memory: what it names, what it follows from, what it replaced, what speaks against it, and what
    else is known of what it names. `found` is None for one that is not believed any more.
    """
    around = Neighbourhood(visit)
    itself = next(step for step in explanation.chain if step.memory_id == memory_id)
    middle = around.memory(found or itself)
    for before, after in pairwise(explanation.chain):
        around.link(around.memory(before), "then", around.memory(after))
    for source in explanation.sources:
        around.link(middle, "found in", around.memory(source))
    for other in explanation.contradictions:
        around.link(middle, "contradicts", around.memory(other))
    entities = await _named(visit, [found] if found else [])
    for entity in entities:
        around.link(middle, "names", around.entity(entity))
    await _add_relations(around, entities, strangers=False)
    latest = await gather(*(_latest(visit, entity, _BESIDE) for entity in entities))
    for entity, some in zip(entities, latest, strict=True):
        for beside in some:
            around.link(around.memory(beside), "names", around.entity(entity))
    return around


async def around_entity(visit: Visit, entity: Entity) -> Neighbourhood:
    """What is around an entity: what others are to it, the latest that names it, and who or what else that names."""
    around = Neighbourhood(visit)
    middle = around.entity(entity)
    await _add_relations(around, [entity], strangers=True)
    memories = await _latest(visit, entity, _MEMORIES)
    for memory in memories:
        around.link(around.memory(memory), "names", middle)
    others = {each.key: each for each in await _named(visit, memories)}
    for memory in memories:
        for key in memory.entity_keys:
            if key in others:
                around.link(around.memory(memory), "names", around.entity(others[key]))
    return around


async def _named(visit: Visit, memories: Sequence[Memory]) -> list[Entity]:
    """What some memories name, in their order."""
    keys = list(dict.fromkeys(key for memory in memories for key in memory.entity_keys))[:_ENTITIES]
    known = await visit.service.browsing.entities_by(visit.viewer, keys)
    return [known[key] for key in keys if key in known]


async def _latest(visit: Visit, entity: Entity, count: int) -> Sequence[Memory]:
    page = await visit.service.browsing.entity_memories(visit.viewer, entity.id, first=count)
    return [listed.item for listed in page.items]


async def _add_relations(around: Neighbourhood, entities: Sequence[Entity], *, strangers: bool) -> None:
    """Adds what the entities are to each other, and with `strangers` to those that are not there yet."""
    places: dict[str, str | None] = {entity.key: None for entity in entities}
    if not places:
        return
    found = await around.visit.service.cards.relations(around.visit.viewer, places, first=_RELATIONS)
    for listed in (each for page in found.values() for each in page.items):
        one, other = listed.item.source, listed.item.target
        if strangers or (one.id in around.nodes and other.id in around.nodes):
            around.link(around.entity(one), predicate(listed.item.predicate), around.entity(other))
