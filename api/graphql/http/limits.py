"""Limits on what one request may ask for, and a cache of parsed and validated documents.

Length, tokens, depth, aliases, selections, repeated fields and fragments depend only on the document. They are checked
before validation, because validation compares fields of the same name pairwise. The number of nodes also depends on
the variables and is computed before each execution, by GitHub's rule: a connection counts its `first`, times the
`first` of the connections around it. A search or an export reads far more than it returns, and counts additional nodes
(`COSTS`). Each fragment is measured once, so that measuring takes no longer than parsing. Strawberry's own limiters
measure a fragment at each spread, which takes exponential time for a hundred fragments that each spread the next
twice; and they do not count nodes.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any, Final

from graphql import (
    DocumentNode,
    ExecutionResult,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    GraphQLField,
    GraphQLNamedType,
    GraphQLSchema,
    InlineFragmentNode,
    IntValueNode,
    ListValueNode,
    OperationDefinitionNode,
    SelectionNode,
    SelectionSetNode,
    VariableNode,
    get_named_type,
    get_operation_ast,
    parse,
    specified_rules,
    value_from_ast_untyped,
)
from strawberry.extensions import SchemaExtension
from strawberry.schema.schema import validate_document
from strawberry.types.graphql import OperationType

from hippograph.api.graphql.errors import LIMIT_EXCEEDED
from hippograph.graph.paging import MAX_PAGE

MAX_CHARACTERS: Final = 100_000
MAX_TOKENS: Final = 2_000
MAX_SELECTIONS: Final = 500
MAX_REPEATED: Final = 50
MAX_FRAGMENTS: Final = 50
MAX_DEPTH: Final = 16
MAX_ALIASES: Final = 30
MAX_NODES: Final = 10_000
CACHED_DOCUMENTS: Final = 256
COSTS: Final = {"search": 900, "context": 900, "archiveSearch": 900, "exportPerson": 5_000}
"""Nodes that a field of Query counts in addition to those it returns; up to ten searches fit in a request."""


def _excess(document: DocumentNode) -> list[GraphQLError]:
    """Returns one error for each limit that a document exceeds."""
    depths, inner = _Depths(document), [d.selection_set for d in document.definitions if hasattr(d, "selection_set")]
    selected = [node for each in inner for node in _selected(each)]
    deepest = max((depths.of(d.selection_set) for d in _operations(document)), default=0)
    found = (
        ("is nested", deepest, MAX_DEPTH, "levels deep"),
        ("has", sum(getattr(node, "alias", None) is not None for node in selected), MAX_ALIASES, "aliases"),
        ("has", len(selected), MAX_SELECTIONS, "selections"),
        ("has", sum(map(_repeated_in, inner)), MAX_REPEATED, "fields that their selection has already"),
        ("has", len(_fragments(document)), MAX_FRAGMENTS, "fragments"),
    )
    return [
        _refused(f"the document {verb} {count:,} {unit}; {allowed:,} are allowed")
        for verb, count, allowed, unit in found
        if count > allowed
    ]


def _refused(message: str) -> GraphQLError:
    return GraphQLError(message, extensions={"code": LIMIT_EXCEEDED})


class Limits(SchemaExtension):
    """Refuses documents and operations above the limits, and reports in `extensions` how many nodes one may return.

    It also parses and validates, with a cache. This is one extension instead of four, because each extension costs
    every request some 10 µs.
    """

    _nodes = 0

    def on_parse(self) -> Iterator[None]:
        """Sets the document and its errors; if it cannot be parsed, Strawberry parses it and reports the error."""
        context = self.execution_context
        context.parse_options["max_tokens"] = MAX_TOKENS
        if len(context.query or "") > MAX_CHARACTERS:
            raise _refused(f"the document has more than {MAX_CHARACTERS:,} characters: send values as variables")
        with suppress(GraphQLError):
            context.graphql_document, errors = _read(context.schema._schema, context.query or "")
            # Without an operation name, Strawberry would run the first of several operations.
            unnamed = context._provided_operation_name is None and len(_operations(context.graphql_document)) > 1
            context.pre_execution_errors = [*errors, *([_unnamed()] if unnamed else [])]
        yield

    def on_execute(self) -> Iterator[None]:
        """Counts nodes before execution. Setting a result prevents the execution."""
        context = self.execution_context
        assert context.graphql_document is not None
        self._nodes = count_nodes(
            context.schema._schema, context.graphql_document, context.operation_name, context.variables or {}
        )
        if self._nodes > MAX_NODES:
            error = _refused(f"this asks for up to {self._nodes:,} nodes; {MAX_NODES:,} are allowed: lower a `first`")
            if context.operation_type is OperationType.SUBSCRIPTION:
                raise error  # a subscription has no single result to set
            context.result = ExecutionResult(data=None, errors=[error])
        yield

    def get_results(self) -> dict[str, Any]:
        """Returns the entry `cost` of `extensions`; nothing if no nodes were counted."""
        return {"cost": {"nodes": self._nodes, "limit": MAX_NODES}} if self._nodes else {}


def _unnamed() -> GraphQLError:
    message = "the document has several operations: say by `operationName` which one is to run"
    return GraphQLError(message, extensions={"code": "OPERATION_NAME_MISSING"})


@lru_cache(maxsize=CACHED_DOCUMENTS)
def _read(schema: GraphQLSchema, query: str) -> tuple[DocumentNode, tuple[GraphQLError, ...]]:
    document = parse(query, max_tokens=MAX_TOKENS)
    return document, tuple(_excess(document) or validate_document(schema, document, specified_rules))


cached_documents: Final = _read.cache_info
"""Statistics of the document cache: hits, misses, and sizes."""


def is_subscription(schema: GraphQLSchema, query: str, operation_name: str | None) -> bool:
    """Returns whether the operation to run is a subscription; False if parsing fails or the name is ambiguous."""
    with suppress(GraphQLError):
        operation = get_operation_ast(_read(schema, query)[0], operation_name)
        return operation is not None and operation.operation.value == OperationType.SUBSCRIPTION.value
    return False


def count_nodes(
    schema: GraphQLSchema, document: DocumentNode, operation_name: str | None, variables: Mapping[str, Any]
) -> int:
    """Returns how many nodes an operation may return: the sum over its connections of the product of nested `first`,
    plus the `COSTS` of its fields.
    """
    for definition in _operations(document):
        if operation_name is None or (definition.name and definition.name.value == operation_name):
            root = schema.get_root_type(definition.operation)
            given = {**_defaults(definition), **variables}
            return _Nodes(schema, document, given).of(definition.selection_set, root)
    return 0


class _Depths:
    """Measures the depth of selections, in nested fields. The result for each fragment is cached."""

    def __init__(self, document: DocumentNode) -> None:
        self._fragments = _fragments(document)
        self._known: dict[str, int] = {}

    def of(self, selections: SelectionSetNode) -> int:
        return max(map(self._of_one, selections.selections), default=0)

    def _of_one(self, node: object) -> int:
        if isinstance(node, FragmentSpreadNode):
            name = node.name.value
            if name not in self._known and name in self._fragments:
                self._known[name] = 0  # validation rejects fragments that spread themselves
                self._known[name] = self.of(self._fragments[name].selection_set)
            return self._known.get(name, 0)
        inner = getattr(node, "selection_set", None)
        return int(isinstance(node, FieldNode)) + (self.of(inner) if inner else 0)


class _Nodes:
    """Counts the nodes that selections may return for one parent object. The result for each fragment is cached."""

    def __init__(self, schema: GraphQLSchema, document: DocumentNode, variables: Mapping[str, Any]) -> None:
        self._schema = schema
        self._fragments = _fragments(document)
        self._variables = variables
        self._known: dict[str, int] = {}

    def of(self, selections: SelectionSetNode, parent: GraphQLNamedType | None) -> int:
        return sum(self._of_one(node, parent) for node in selections.selections)

    def _of_one(self, node: Any, parent: GraphQLNamedType | None) -> int:
        if isinstance(node, FieldNode):
            return self._of_field(node, parent)
        if isinstance(node, FragmentSpreadNode):
            name = node.name.value
            if name not in self._known:
                self._known[name] = self._of_fragment(self._fragments[name], parent)
            return self._known[name]
        return self._of_fragment(node, parent)

    def _of_fragment(self, node: Any, parent: GraphQLNamedType | None) -> int:
        on = self._schema.get_type(node.type_condition.name.value) if node.type_condition else parent
        return self.of(node.selection_set, on)

    def _of_field(self, node: FieldNode, parent: GraphQLNamedType | None) -> int:
        field: GraphQLField | None = getattr(parent, "fields", {}).get(node.name.value)
        if field is None:
            return 0
        below = self.of(node.selection_set, get_named_type(field.type)) if node.selection_set else 0
        times = self._times(node, field)
        cost = COSTS.get(node.name.value, 0) if parent is self._schema.query_type else 0
        return cost + (below if times is None else times * (1 + below))

    def _times(self, node: FieldNode, field: GraphQLField) -> int | None:
        """Returns the number of nodes of a field itself: its `first` or the number of its `ids`, or None."""
        if "first" in field.args:
            given = self._argument(node, "first", field.args["first"].default_value)
            return min(max(given, 0), MAX_PAGE) if isinstance(given, int) else MAX_PAGE
        if "ids" in field.args:
            given = self._argument(node, "ids", [])
            return len(given) if isinstance(given, list) else MAX_PAGE
        return None

    def _argument(self, node: FieldNode, name: str, default: Any) -> Any:
        for argument in node.arguments or ():
            if argument.name.value == name:
                value = argument.value
                if isinstance(value, VariableNode):
                    return self._variables.get(value.name.value, default)
                if isinstance(value, IntValueNode):
                    return int(value.value)
                return list(value.values) if isinstance(value, ListValueNode) else None
        return default


def _operations(document: DocumentNode) -> list[OperationDefinitionNode]:
    return [d for d in document.definitions if isinstance(d, OperationDefinitionNode)]


def _defaults(operation: OperationDefinitionNode) -> dict[str, Any]:
    """Returns the default values of the variables of an operation."""
    return {
        each.variable.name.value: value_from_ast_untyped(each.default_value)
        for each in operation.variable_definitions or ()
        if each.default_value is not None
    }


def _fragments(document: DocumentNode) -> dict[str, FragmentDefinitionNode]:
    return {d.name.value: d for d in document.definitions if isinstance(d, FragmentDefinitionNode)}


def _selected(selections: SelectionSetNode | None) -> Iterator[SelectionNode]:
    """Yields the selections at all levels; spreads of named fragments are not followed."""
    for node in selections.selections if selections else ():
        yield node
        yield from _selected(getattr(node, "selection_set", None))


def _repeated_in(selections: SelectionSetNode | None) -> int:
    """Returns how many fields, at all levels, have the response name of an earlier field of the same selection."""
    if selections is None:
        return 0
    fields = list(_merged(selections))
    names = {(node.alias or node.name).value for node in fields}
    return len(fields) - len(names) + sum(_repeated_in(node.selection_set) for node in fields)


def _merged(selections: SelectionSetNode) -> Iterator[FieldNode]:
    """Yields the fields of a selection, including those of inline fragments."""
    for node in selections.selections:
        if isinstance(node, FieldNode):
            yield node
        elif isinstance(node, InlineFragmentNode):
            yield from _merged(node.selection_set)
