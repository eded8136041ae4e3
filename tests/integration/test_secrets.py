"""No interface stores a secret (W8); every text argument of every mutation in the schema is tested."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from typing import Any

import pytest
from graphql import (
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLInputType,
    GraphQLList,
    GraphQLScalarType,
    get_nullable_type,
)

from hippograph.api.graphql import schema
from hippograph.api.graphql.nodes import global_id
from hippograph.api.service import Service
from hippograph.api.startup import open_service
from hippograph.graph.errors import InvalidInput
from hippograph.graph.model import INTERNAL, ChatKind, Viewer
from hippograph.graph.people.people import Member
from hippograph.graph.people.todos import TodoKind
from hippograph.graph.transfer.forgetting import Selection
from hippograph.graph.writing.fact import Fact
from hippograph.graph.writing.recording import Turn

# Only characters that a slug keeps, so that keys and slugs made from the secret contain it too.
SECRET = "gh" + "p_a8fk2lmq9xzr4tnwa8fk2lmq9xzr4tnwa8fk"
HELD = """
MATCH (n) UNWIND keys(n) AS key
WITH key, labels(n) AS of,
     CASE WHEN n[key] IS :: LIST<STRING NOT NULL> THEN n[key] ELSE [toStringOrNull(n[key])] END AS found
WHERE any(text IN found WHERE toLower(text) CONTAINS $secret)
RETURN of, key
UNION
MATCH ()-[r]->() UNWIND keys(r) AS key WITH key, [type(r)] AS of, toStringOrNull(r[key]) AS found
WHERE toLower(found) CONTAINS $secret
RETURN of, key
"""
FACT = {"content": "Ben plays chess", "tags": ["games"], "aspect": "plays", "value": "chess", "category": "PEOPLE"}

FILE = {"kind": "FILE", "name": "a.pdf"}


def _mutations() -> dict[str, Any]:
    mutation = schema._schema.mutation_type
    assert mutation is not None
    return dict(mutation.fields)


def _texts(kind: GraphQLInputType, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yields the paths within an argument at which it takes any text."""
    kind = get_nullable_type(kind)
    if isinstance(kind, GraphQLList):
        yield from _texts(kind.of_type, (*path, 0))
    elif isinstance(kind, GraphQLInputObjectType):
        for name, field in kind.fields.items():
            yield from _texts(field.type, (*path, name))
    elif isinstance(kind, GraphQLScalarType) and kind.name in {"String", "ID"}:
        yield path
    else:
        assert isinstance(kind, GraphQLEnumType | GraphQLScalarType)


DOORS = [
    (name, path) for name, field in _mutations().items() for arg in field.args.values() for path in _texts(arg.type)
]


def _with(value: Any, path: tuple[str | int, ...], text: str) -> Any:
    """Returns the value with a text set at a path in it."""
    if not path:
        return text
    step, *rest = path
    if step == 0:
        return [_with(value[0] if value else {}, tuple(rest), text)]
    return {**(value or {}), step: _with((value or {}).get(step), tuple(rest), text)}


async def _ask(ask: Callable[..., Awaitable[dict[str, Any]]], name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    kind = _mutations()[name].args["input"].type
    document = (
        f"mutation M($input: {kind}) {{ {name}(input: $input) {{ __typename ... on Error {{ code message }} }} }}"
    )
    return await ask(document, input=given)


@pytest.fixture
async def inputs(scene) -> dict[str, dict[str, Any]]:
    """A valid input for each mutation that has arguments, by its name."""
    service = scene.service
    chat, ben = global_id("Chat", scene.group.id), global_id("Person", scene.ben.id)
    atlas = global_id("Persona", scene.atlas.id)
    said = (await scene.say("I came home late.")).memory_id
    turn = global_id("Memory", said)
    facts = await _facts(scene)
    other = await service.people.create_person(INTERNAL, "Benedict Okafor")
    third = await service.people.create_person(INTERNAL, "Bennett Okafor")
    await service.people.join_chat(scene.viewer(), scene.group.id, other.id)
    await service.people.join_chat(scene.viewer(), scene.group.id, third.id)
    merged = await service.merging.merge(scene.viewer(), scene.ben.id, other.id)
    loaded = (await service.browsing.memories(scene.viewer(), [said]))[said]
    word = {"memoryId": facts[0]}
    mine = Viewer(scene.me, None, scene.atlas.id)
    await service.blocks.write(mine, "notes", "tea")
    await service.blocks.write(mine, "old", "news")
    todo = await service.todos.add(mine, TodoKind.COMMITMENT, "Water the plants")
    gone = await service.people.create_person(INTERNAL, "Gerd Gone")
    left = await service.people.create_person(INTERNAL, "Lena Left", user_id="lena@example")
    await service.people.add_alias(Viewer(left.id), left.id, "Ferry Harbour")
    await scene.say("Ferry Harbour is lovely in May.")
    await service.erasures.erase(Viewer(left.id), left.id)
    host = await service.people.create_person(INTERNAL, "Hugo Host", user_id="hugo@example")
    members = [Member(host.id), Member(scene.me)]
    asked = await service.people.create_chat(Viewer(host.id), ChatKind.GROUP, "Hikers", members)
    [undecided] = await service.erasures.undecided(INTERNAL)
    planned = await _planned(scene)
    spaces = [await service.spaces.create(scene.viewer(), name) for name in ("One", "Two")]
    spaces.append(await service.spaces.create(scene.viewer(), "Three", chat_id=scene.group.id))
    spaces = [global_id("Space", each.id) for each in spaces]
    return {
        "recordMessage": {
            "chatId": chat,
            "content": "Hello there",
            "speakerId": ben,
            "personaId": atlas,
            "sessionId": "a word",
            "idempotencyKey": "k-1",
            "tags": ["one"],
            "attachments": [FILE],
        },
        "rememberFact": {"fact": {**FACT, "about": [scene.ben.key], "evidenceIds": [turn]}, "chatId": chat},
        "recordMessages": {
            "chatId": chat,
            "personaId": atlas,
            "messages": [
                {
                    "content": "Hello there",
                    "speakerId": ben,
                    "sessionId": "a word",
                    "idempotencyKey": "k-2",
                    "tags": ["one"],
                    "attachments": [FILE],
                }
            ],
        },
        "rememberFacts": {"facts": [{**FACT, "about": [scene.ben.key]}], "chatId": chat},
        "seedProfile": {"facts": [FACT]},
        "correctFact": {"memoryId": facts[1], "content": "I play go"},
        "updateMemory": {**word, "content": "I drink green tea"},
        "confirmFact": word,
        "pin": word,
        "unpin": word,
        "forget": {"memoryId": facts[2]},
        "reinforce": word,
        "demote": word,
        "setSensitivity": {**word, "sensitivity": "PERSONAL"},
        "setPortable": {**word, "portable": False},
        "updateUserState": {"key": "mood", "value": "calm", "personaId": atlas},
        "createChat": {"kind": "GROUP", "title": "Us", "participants": [{"personId": ben}]},
        "joinChat": {"chatId": chat, "personId": ben},
        "leaveChat": {"chatId": chat, "personId": ben},
        "acceptInvitation": {"chatId": chat},
        "declineInvitation": {"chatId": global_id("Chat", asked.id)},
        "closeSession": {"chatId": chat},
        "consolidateSession": {"sessionId": global_id("Session", loaded.session_id)},
        "createPerson": {"name": "Rui", "usernames": ["rui"]},
        "updatePerson": {"personId": ben, "name": "Ben O."},
        "addAlias": {"personId": ben, "alias": "Benno"},
        "mergeEntities": {"keep": scene.maya.key, "merge": third.key},
        "unmergeEntities": {"mergeId": merged.merge_id},
        "dismissMerge": {"one": scene.ben.key, "other": scene.maya.key},
        "createPersona": {"name": "Iris"},
        "createSpace": {"name": "Alpha"},
        "renameSpace": {"spaceId": spaces[0], "name": "Beta"},
        "deleteSpace": {"spaceId": spaces[1]},
        "setChatSpace": {"chatId": chat, "spaceId": spaces[2]},
        "moveMemory": {**word, "spaceId": spaces[0]},
        "setExtraction": {"chatId": chat, "extraction": "FIRST_PERSON"},
        "setTimeZone": {"timeZone": "Europe/Vienna", "chatId": chat},
        "writeBlock": {
            "name": "notes",
            "content": "tea",
            "description": "What I drink",
            "version": 1,
            "personaId": atlas,
        },
        "appendToBlock": {"name": "notes", "text": "milk", "personaId": atlas},
        "replaceInBlock": {"name": "notes", "old": "tea", "new": "coffee", "personaId": atlas},
        "deleteBlock": {"name": "old", "personaId": atlas},
        "addTodo": {"content": "Call Ana", "personaId": atlas},
        "setTodoStatus": {"todoId": global_id("Todo", todo.id), "status": "DONE"},
        "summarizeSession": {"sessionId": global_id("Session", loaded.session_id)},
        "restoreMemory": word,
        "unfoldMemory": word,
        "shareMemory": {"memoryId": facts[3], "chatId": chat},
        "unshareMemory": {"memoryId": facts[3], "chatId": chat},
        "runUpkeep": {"steps": ["expire"]},
        "decideErasure": {"id": undecided.id, "confirm": True},
        "erasePerson": {"personId": global_id("Person", gone.id)},
        "planForgetting": {"memoryIds": [facts[2]]},
        "carryOutForgetting": {"id": planned[0]},
        "undoForgetting": {"id": planned[1]},
        "purgeForgotten": {"id": planned[2]},
    }


async def _planned(scene) -> list[str]:
    """Returns the ids of three acts of forgetting of the viewer; the second was carried out."""
    acts, viewer = scene.service.forgettings, scene.service.viewer()
    plans = [await acts.plan(viewer, Selection(chats=(scene.private.id,))) for _ in range(3)]
    await acts.carry_out(viewer, plans[1].id)
    await acts.finished(viewer, plans[1].id)
    return [global_id("Forgetting", plan.id) for plan in plans]


async def _facts(scene) -> list[str]:
    """Returns the ids of four facts of the viewer."""
    facts = [Fact(content) for content in ("I drink tea", "I play chess", "I own a boat", "I like the sea")]
    stored = await scene.service.facts.remember(scene.service.viewer(), facts)
    return [global_id("Memory", one.memory_id) for one in stored]


async def test_every_door_is_tried(ask, inputs) -> None:
    """`inputs` has every mutation with arguments, so a new one must be added, and all but three accept their input."""
    assert {name for name, field in _mutations().items() if field.args} == set(inputs)
    refused = {}
    for name, given in inputs.items():
        answer = await _ask(ask, name, given)
        kind = (answer.get("data") or {}).get(name, {}).get("__typename", "")
        if not kind.endswith("Payload"):
            refused[name] = answer
    # These are refused for lack of a suggested merge, and of an archived or folded memory, whatever their texts.
    assert {"dismissMerge", "restoreMemory", "unfoldMemory"} == set(refused), refused


async def test_no_argument_takes_a_secret(ask, inputs, raw) -> None:
    """A secret in any text of any mutation is not stored. Names, titles, keys and session ids with one are refused
    without repeating it; an aspect is refused too.
    """
    await raw("CREATE (:Probe {one: $secret, many: ['a', $secret]})", secret=SECRET)
    assert ["many", "one"] == sorted(row["key"] for row in await raw(HELD, secret=SECRET))
    await raw("MATCH (p:Probe) DELETE p")
    answers = {}
    for name, path in DOORS:
        answer = await _ask(ask, name, _with(inputs[name], path, SECRET))
        answers[name, path] = answer
        assert [] == await raw(HELD, secret=SECRET), (name, path, answer)
    explicit = [("createPerson", "name"), ("createPersona", "name"), ("createChat", "title"), ("addAlias", "alias")]
    explicit += [("updatePerson", "name"), ("updateUserState", "key"), ("recordMessage", "sessionId")]
    for name, argument in explicit:
        refused = answers[name, (argument,)]["data"][name]
        assert ("InvalidInputError", True) == (refused["__typename"], "secret" in refused["message"])
        assert SECRET not in refused["message"]
    aspect = answers["rememberFact", ("fact", "aspect")]["data"]["rememberFact"]
    assert ("InvalidInputError", True) == (aspect["__typename"], "secret" in aspect["message"])


IBAN = "GB82WEST12345698765432"


@pytest.fixture
async def strict(scene, settings) -> AsyncIterator[Service]:
    """A service on the same graph that treats identifiers as secrets."""
    asked = {"redact_identifiers": True, "embedding_model": "none", "ner_model": "none"}
    async with open_service(settings.model_copy(update=asked), clock=scene.service.clock) as opened:
        yield opened


async def test_identifiers_are_refused_where_the_operator_says_so(scene, strict, raw) -> None:
    """With `redact_identifiers`, facts, states and names with an IBAN are refused, and it is removed from turns;
    without, it is stored.
    """
    viewer = scene.viewer(scene.maya)
    text = f"my account is {IBAN}"
    [told] = await strict.recorder.record(viewer, scene.private.id, [Turn(text, scene.maya.id)], scene.atlas.id)
    assert 1 == told.secrets_removed
    doors = [
        strict.facts.remember(viewer, [Fact(text)]),
        strict.states.set_state(viewer, "account", IBAN),
        strict.people.create_person(INTERNAL, IBAN),
        strict.people.create_persona(INTERNAL, IBAN),
    ]
    for door in doors:
        with pytest.raises(InvalidInput, match="bank account"):
            await door
    assert [] == await raw(HELD, secret=IBAN.lower())
    await scene.service.facts.remember(viewer, [Fact(text)])
    assert [] != await raw(HELD, secret=IBAN.lower())
