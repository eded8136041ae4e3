"""The GraphQL schema that clients build on: the committed file, and the rules for all of its parts."""

from enum import StrEnum
from pathlib import Path

import pytest
from graphql import (
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLInterfaceType,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLScalarType,
    GraphQLUnionType,
    build_schema,
    get_named_type,
    parse,
    validate,
)

from hippograph.api.graphql import schema
from hippograph.api.graphql.vocabulary import FactType, MemoryCategory, MemoryKind, MemorySource, MemoryStatus
from hippograph.graph.model import CATEGORIES, KINDS
from hippograph.graph.retrieval.filters import MEMORY_SOURCES, STATUSES
from hippograph.graph.writing.fact import FACT_TYPES


def _built() -> dict[str, object]:
    return dict(build_schema(schema.as_str()).type_map)


def _mutations() -> GraphQLObjectType:
    mutation = build_schema(schema.as_str()).mutation_type
    assert mutation is not None
    return mutation


def test_the_python_client_has_every_enum_and_input(root: Path) -> None:
    """The generated types of the Python client have every enum, enum value and input of the schema. They are written
    anew by `python generate.py` in `clients/python`.
    """
    types = root / "clients" / "python" / "hippograph_client" / "types"
    there = "".join((types / name).read_text("utf-8") for name in ("enums.py", "input_types.py"))
    wanted = {
        name: [f"class {name}(", *(f"    {value} =" for value in getattr(each, "values", ()))]
        for name, each in _built().items()
        if isinstance(each, GraphQLEnumType | GraphQLInputObjectType) and not name.startswith("__")
    }
    assert {} == {name: lines for name, lines in wanted.items() if not all(line in there for line in lines)}
    assert len(wanted) > 50


def test_committed_schema_is_the_one_in_the_code(root: Path) -> None:
    """`schema.graphql` is the schema of the code; `scripts/export_schema.py` writes it anew."""
    assert schema.as_str() + "\n" == (root / "schema.graphql").read_text("utf-8")


def test_every_mutation_may_be_null() -> None:
    """Every mutation is nullable, so that an unexpected error of one leaves the answers of the others."""
    assert [] == [name for name, field in _mutations().fields.items() if isinstance(field.type, GraphQLNonNull)]


def test_every_query_may_be_null() -> None:
    """Every query is nullable, so that a bad argument of one leaves the answers of the others."""
    query = build_schema(schema.as_str()).query_type
    assert query is not None
    assert [] == [name for name, field in query.fields.items() if isinstance(field.type, GraphQLNonNull)]


def test_every_mutation_answers_typed_errors() -> None:
    """The result of each mutation is a union of one payload and types that implement `Error`."""
    for name, field in _mutations().fields.items():
        union = get_named_type(field.type)
        assert isinstance(union, GraphQLUnionType), name
        payloads = [kind.name for kind in union.types if "Error" not in {i.name for i in kind.interfaces}]
        assert 1 == len(payloads), name
        assert payloads[0].endswith("Payload")


def test_every_list_that_is_paged_is_a_connection() -> None:
    """Every field that takes `first` takes `after` too and returns edges, nodes and `pageInfo`; `first` has a default,
    except in a search.
    """
    for kind in schema._schema.type_map.values():
        if not isinstance(kind, GraphQLObjectType):
            continue
        for name, field in kind.fields.items():
            if "first" in field.args:
                paged = get_named_type(field.type)
                assert isinstance(paged, GraphQLObjectType)
                assert {"edges", "nodes", "pageInfo"} <= set(paged.fields), f"{kind.name}.{name}"
                by_question = name == "search" and field.args["first"].default_value is None
                assert by_question or isinstance(field.args["first"].default_value, int)
                assert "after" in field.args


def test_what_the_graph_holds_are_nodes() -> None:
    """The types that implement `Node` are memories, chats, sessions, spaces, personas and every kind of entity."""
    built = build_schema(schema.as_str())
    node = built.type_map["Node"]
    assert isinstance(node, GraphQLInterfaceType)
    nodes = {kind.name for kind in built.get_possible_types(node)}
    entities = {"Person", "Project", "Organization", "Place", "Concept", "Tool"}
    assert {"Memory", "Chat", "Session", "Space", "Persona", *entities} == nodes


def test_every_type_is_described() -> None:
    """Every object and interface type has a description, which GraphiQL shows."""
    silent = [
        name
        for name, kind in _built().items()
        if isinstance(kind, GraphQLObjectType | GraphQLInterfaceType)
        and not name.startswith("__")
        and not kind.description
    ]
    assert [] == silent


def test_every_field_argument_and_value_is_described() -> None:
    """Every field, argument, input field and enum value has a description, which editors show during completion."""
    silent = []
    for kind in _built().values():
        if getattr(kind, "name", "").startswith("__"):
            continue
        if isinstance(kind, GraphQLEnumType):
            silent += [f"{kind.name}.{name}" for name, value in kind.values.items() if not value.description]
        if isinstance(kind, GraphQLObjectType | GraphQLInterfaceType | GraphQLInputObjectType):
            silent += [f"{kind.name}.{name}" for name, field in kind.fields.items() if not field.description]
        if isinstance(kind, GraphQLObjectType | GraphQLInterfaceType):
            silent += [
                f"{kind.name}.{name}({argument})"
                for name, field in kind.fields.items()
                for argument, meant in field.args.items()
                if not meant.description
            ]
    assert [] == silent


def test_a_scalar_of_ours_says_where_it_is_specified() -> None:
    """`DateTime` has a URL of its specification, by which code generators tell what it is."""
    scalar = _built()["DateTime"]
    assert isinstance(scalar, GraphQLScalarType)
    assert scalar.specified_by_url


def test_the_starter_of_graphiql_fits_the_schema(root: Path) -> None:
    """The query with which GraphiQL opens is valid."""
    script = (root / "api/static/graphiql/console.js").read_text("utf-8")
    starter = script.partition("DEFAULT_QUERY = `")[2].partition("`;")[0]
    assert [] == validate(build_schema(schema.as_str()), parse(starter))


@pytest.mark.parametrize(
    ("words", "choices"),
    [
        (MemoryKind, KINDS),
        (MemoryCategory, CATEGORIES),
        (FactType, FACT_TYPES),
        (MemorySource, MEMORY_SOURCES),
        (MemoryStatus, STATUSES),
    ],
)
def test_an_enum_has_the_words_of_the_domain(words: type[StrEnum], choices: tuple[str, ...]) -> None:
    """The values of an enum are exactly those that the graph may hold."""
    assert set(choices) == {each.value for each in words}


def test_no_raw_score_of_the_words_is_shown() -> None:
    """A reason has list, rank and similarity alone: a BM25 score depends on texts that the viewer may not see."""
    reason = _built()["Reason"]
    assert isinstance(reason, GraphQLObjectType)
    assert {"list", "rank", "similarity"} == set(reason.fields)


def test_connections_are_relays(root: Path) -> None:
    """`PageInfo`, connections, edges, `node` and `nodes` have the fields and types of Relay's specifications."""
    built = build_schema(schema.as_str())
    page = built.type_map["PageInfo"]
    assert isinstance(page, GraphQLObjectType)
    shape = {name: str(field.type) for name, field in page.fields.items()}
    flags, cursors = dict.fromkeys(["hasNextPage", "hasPreviousPage"], "Boolean!"), ["startCursor", "endCursor"]
    assert flags | dict.fromkeys(cursors, "String") == shape
    for name, kind in built.type_map.items():
        if name.endswith("Connection") and isinstance(kind, GraphQLObjectType):
            assert "PageInfo!" == str(kind.fields["pageInfo"].type)
            edge = get_named_type(kind.fields["edges"].type)
            assert isinstance(edge, GraphQLObjectType)
            assert edge.name.endswith("Edge")
            assert "String!" == str(edge.fields["cursor"].type)
            assert not str(edge.fields["node"].type).startswith("[")
    query = built.query_type
    assert query is not None
    assert ("Node", "ID!") == (str(query.fields["node"].type), str(query.fields["node"].args["id"].type))
    assert ("[Node]", "[ID!]!") == (str(query.fields["nodes"].type), str(query.fields["nodes"].args["ids"].type))
