"""The graph around a memory or an entity, for the drawing and the list beside it, as far as the viewer may see it.

It is read through the same methods as the pages and GraphQL, so hidden memories and entities are not in it.
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
"""Maximum numbers that keep a drawing readable: of entities; of memories of each entity around a memory; of relations
of each entity; and of memories around an entity.
"""


@dataclass(frozen=True, slots=True)
class Node:
    """A memory or an entity. `kind` is `memory`, or the type of the entity; `text` the content or the name; `href` the
    address of its page.
    """

    id: str
    kind: str
    text: str
    href: str

    @property
    def label(self) -> str:
        """The beginning of its text."""
        return beginning(self.text)


@dataclass(frozen=True, slots=True)
class Link:
    """A directed link between two nodes; `word` says how they are linked."""

    source: Node
    word: str
    target: Node


@dataclass(slots=True)
class Neighbourhood:
    """The nodes and links around one node, in the order in which they were found; that node is first."""

    visit: Visit
    nodes: dict[str, Node] = field(default_factory=dict)
    links: dict[tuple[str, str, str], Link] = field(default_factory=dict)

    def link(self, source: Node, word: str, target: Node) -> None:
        """Adds a link, unless it exists or both ends are the same node."""
        if source.id != target.id:
            self.links.setdefault((source.id, word, target.id), Link(source, word, target))

    def memory(self, found: Memory | Step) -> Node:
        """Returns the node of a memory, which is added if it is new."""
        memory_id = found.id if isinstance(found, Memory) else found.memory_id
        return self._node(memory_id, "memory", found.content, self.visit.url(f"{HOME}/item/{memory_id}"))

    def entity(self, found: Entity) -> Node:
        """Returns the node of an entity, which is added if it is new."""
        href = self.visit.url(f"{HOME}/entity", key=found.key)
        return self._node(found.id, found.type.value, found.canonical_name, href)

    def as_json(self) -> dict[str, Any]:
        """The data of the drawing, for JSON; the first node is the one in the middle."""
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
    """The graph around a memory: the entities that it names, its sources, the memories that it superseded or that
    superseded it, those that contradict it, and the latest memories that name the same entities. `found` is None for a
    memory that is no longer believed; then no entities are shown.
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
    """The graph around an entity: its relations, the latest memories that name it, and other entities named there."""
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
    """The entities that some memories name, in their order; up to `_ENTITIES`."""
    keys = list(dict.fromkeys(key for memory in memories for key in memory.entity_keys))[:_ENTITIES]
    known = await visit.service.browsing.entities_by(visit.viewer, keys)
    return [known[key] for key in keys if key in known]


async def _latest(visit: Visit, entity: Entity, count: int) -> Sequence[Memory]:
    page = await visit.service.browsing.entity_memories(visit.viewer, entity.id, first=count)
    return [listed.item for listed in page.items]


async def _add_relations(around: Neighbourhood, entities: Sequence[Entity], *, strangers: bool) -> None:
    """Adds the relations of entities; without `strangers` only those of which both ends are nodes already."""
    places: dict[str, str | None] = {entity.key: None for entity in entities}
    if not places:
        return
    found = await around.visit.service.cards.relations(around.visit.viewer, places, first=_RELATIONS)
    for listed in (each for page in found.values() for each in page.items):
        one, other = listed.item.source, listed.item.target
        if strangers or (one.id in around.nodes and other.id in around.nodes):
            around.link(around.entity(one), predicate(listed.item.predicate), around.entity(other))
