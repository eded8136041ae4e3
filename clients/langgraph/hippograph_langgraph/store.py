"""A LangGraph store: each item is a fact of the user's, found by its words and kept until it is deleted or replaced."""

import asyncio
import json
import operator
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from itertools import islice
from typing import Any, Final
from uuid import UUID

from hippograph_client import FactInput, Hippograph, Memory, SearchFilter
from langgraph.store.base import (
    BaseStore,
    GetOp,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    get_text_at_path,
)

_MOST_FOUND: Final = 100
_COMPARISONS: Final = {
    "$eq": operator.eq,
    "$ne": operator.ne,
    "$gt": operator.gt,
    "$gte": operator.ge,
    "$lt": operator.lt,
    "$lte": operator.le,
}


class HippographStore(BaseStore):
    """Items of one user. `memory` says whose, and for which persona; `index` which fields are an item's words: paths
    as in LangGraph. Without it they are the texts of its value.

    An item is found by its words at once, by its meaning a moment after. A put replaces what the key had, in one step;
    what it had is kept as past. `ttl` counts from the put. A value has at most 4,000 characters as JSON. A `query`
    finds among the best hundred; `list_namespaces` reads all items. Items have the time of their last put.
    """

    supports_ttl = True

    def __init__(self, memory: Hippograph, *, index: list[str] | None = None) -> None:
        self._memory = memory
        self._index = index

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """The results of operations, in their order."""
        return [self._done(op) for op in ops]

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """The same, in a thread."""
        return await asyncio.to_thread(self.batch, list(ops))

    def _done(self, op: Op) -> Result:
        match op:
            case GetOp():
                return next((_item(each) for each in self._known(op.namespace, op.key)), None)
            case PutOp(value=None):
                for each in self._known(op.namespace, op.key):
                    self._memory.forget(each.id)
                return None
            case PutOp():
                self._put(op)
                return None
            case SearchOp():
                return self._found(op)
            case ListNamespacesOp():
                return self._namespaces(op)
        raise TypeError(f"this store knows no operation {type(op).__name__}")

    def _known(self, namespace: tuple[str, ...], key: str) -> Iterator[Memory]:
        return self._memory.memories(filter=SearchFilter(tags=[_key_tag(namespace, key)]))

    def _put(self, op: PutOp) -> None:
        assert op.value is not None
        path = ".".join(op.namespace)
        paths = self._index if op.index is None else op.index
        content = _words(op.value, paths) if paths is not False else ""
        prefixes = (op.namespace[:size] for size in range(len(op.namespace) + 1))
        fact = FactInput(
            content=content or f"{path} {op.key}",
            aspect=f"item {_digest(op.namespace, op.key)}",
            value=_digest(op.value),
            tags=[*map(_prefix_tag, prefixes), _key_tag(op.namespace, op.key)],
            attributes={"namespace": list(op.namespace), "key": op.key, "value": dict(op.value)},
            ttl_seconds=None if op.ttl is None else round(op.ttl * 60),
        )
        [kept] = self._memory.remember(fact)
        if op.ttl is None:
            self._memory.confirm(kept.memory_id)

    def _found(self, op: SearchOp) -> list[SearchItem]:
        tagged = SearchFilter(tags=[_prefix_tag(op.namespace_prefix)])
        if op.query:
            hits = self._memory.search(op.query, first=_MOST_FOUND, filter=tagged)
            found = (_item(each.memory, each.relevance) for each in hits)
        else:
            found = (_item(each) for each in self._memory.memories(filter=tagged))
        matching = (each for each in found if _matches(each.value, op.filter or {}))
        return list(islice(matching, op.offset, op.offset + op.limit))

    def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        items = (_item(each) for each in self._memory.memories(filter=SearchFilter(tags=[_prefix_tag(())])))
        found = {each.namespace for each in items}
        wanted = {one[: op.max_depth] for one in found if all(_under(one, each) for each in op.match_conditions or ())}
        return sorted(wanted)[op.offset : op.offset + op.limit]


def _prefix_tag(namespace: tuple[str, ...]) -> str:
    return f"store:{'.'.join(namespace)}"


def _key_tag(namespace: tuple[str, ...], key: str) -> str:
    return f"item:{_digest(namespace, key)}"


def _digest(*parts: object) -> str:
    """What stands for a key or a value, in the form of a UUID."""
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False)
    return str(UUID(bytes=sha256(text.encode()).digest()[:16]))


def _words(value: Mapping[str, Any], paths: list[str] | None) -> str:
    if paths is None:
        texts = [each for each in value.values() if isinstance(each, str)]
    else:
        texts = [text for path in paths for text in get_text_at_path(dict(value), path)]
    return "\n".join(texts) or json.dumps(dict(value), ensure_ascii=False)


def _item(memory: Memory, score: float | None = None) -> SearchItem:
    kept = memory.attributes
    namespace, at = tuple(kept["namespace"]), memory.created_at
    return SearchItem(namespace, kept["key"], kept["value"], created_at=at, updated_at=at, score=score)


def _matches(value: Any, wanted: Any) -> bool:
    if not isinstance(wanted, dict):
        return bool(value == wanted)
    if wanted and all(name in _COMPARISONS for name in wanted):
        return all(value is not None and _COMPARISONS[name](value, other) for name, other in wanted.items())
    return isinstance(value, dict) and all(_matches(value.get(name), other) for name, other in wanted.items())


def _under(namespace: tuple[str, ...], condition: MatchCondition) -> bool:
    path = condition.path
    part = namespace[: len(path)] if condition.match_type == "prefix" else namespace[-len(path) :]
    return len(part) == len(path) and all(wanted in ("*", each) for each, wanted in zip(part, path, strict=True))
