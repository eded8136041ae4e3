"""The LangGraph store and memory over the real service."""

import re
import time
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest
from hippograph_client import AsyncHippograph, Hippograph, Message
from hippograph_langgraph import HippographMemory, HippographStore
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.store.base import BaseStore, InvalidNamespaceError

NOTES = ("users", "ada", "notes")


@pytest.fixture
def memory(place: dict[str, str]) -> Iterator[Hippograph]:
    """A new user's memory."""
    with Hippograph(**place) as memory:
        yield memory


@pytest.fixture
def store(memory: Hippograph) -> HippographStore:
    """A new user's store."""
    return HippographStore(memory)


def settled(memory: Hippograph) -> None:
    """All that was written is found by its meaning too."""
    deadline = time.monotonic() + 120
    while (now := memory.statistics()).pending or now.waiting_sessions:
        assert time.monotonic() < deadline
        time.sleep(0.5)


# --- the store ---


def test_an_item_is_put_got_and_deleted(store: HippographStore) -> None:
    """A key has what was put last, in its own namespace alone; deleted it has nothing."""
    assert store.get(NOTES, "a") is None
    store.put(NOTES, "a", {"text": "Tea, please!", "count": 1})
    store.put(NOTES, "A", {"text": "Coffee"})
    store.put(("users", "ada"), "a", {"text": "Water"})
    item = store.get(NOTES, "a")
    assert item
    assert ({"text": "Tea, please!", "count": 1}, "a", NOTES) == (item.value, item.key, item.namespace)
    store.put(NOTES, "a", {"text": "tea please", "count": 1})
    replaced = store.get(NOTES, "a")
    assert replaced
    assert {"text": "tea please", "count": 1} == replaced.value
    assert replaced.updated_at >= item.updated_at
    store.delete(NOTES, "a")
    store.delete(NOTES, "a")
    assert store.get(NOTES, "a") is None
    others = store.get(NOTES, "A"), store.get(("users", "ada"), "a")
    assert [{"text": "Coffee"}, {"text": "Water"}] == [other and other.value for other in others]


def test_a_search_narrows_by_namespace_and_values(store: HippographStore) -> None:
    """Prefixes, filters with comparisons, limits and offsets narrow what is found; else the newest come first."""
    for number in range(5):
        value = {"text": f"Note {number}", "number": number, "more": {"even": number % 2 == 0}}
        store.put((*NOTES, "2026"), f"n{number}", value)
    store.put(("users", "adam"), "x", {"text": "Note of another", "number": 9})

    def found(*prefix: str, **more: Any) -> list[int]:
        return [each.value["number"] for each in store.search(prefix, **more)]

    assert [4, 3, 2, 1, 0] == found("users", "ada")
    assert [9, 4, 3, 2, 1, 0] == found()
    assert [3, 2] == found("users", "ada", limit=2, offset=1)
    assert [4, 2, 0] == found(filter={"more": {"even": True}})
    assert [3, 2] == found(filter={"number": {"$gt": 1, "$lte": 3}})
    assert [3] == found(filter={"number": {"$ne": 4, "$gte": 3, "$lt": 9}, "text": "Note 3"})
    assert [] == found(filter={"absent": {"$gt": 1}})


def test_a_question_finds_by_meaning(memory: Hippograph, store: HippographStore) -> None:
    """The best answer comes first, with its score; `index` says by which words an item is found."""
    store.put(NOTES, "pet", {"text": "The dog is called Biscuit and limps."})
    store.put(NOTES, "tea", {"text": "Peppermint tea in the evening."}, index=False)
    store.put(NOTES, "car", {"text": "hidden words", "about": {"make": "A blue Volvo"}}, index=["about.make"])
    settled(memory)
    [first, *_] = store.search(("users",), query="What is the pet's name?")
    assert "pet" == first.key
    assert first.score
    assert "car" == store.search(("users",), query="Volvo")[0].key
    assert "tea" not in [each.key for each in store.search(("users",), query="peppermint") if each.score == 1]


def test_namespaces_are_listed(store: HippographStore) -> None:
    """By prefix and suffix with wildcards, cut at a depth, in pages."""
    for namespace in (("a", "b", "c"), ("a", "b", "d", "e"), ("a", "c", "f"), ("z",)):
        store.put(namespace, "k", {"n": 1})
    assert [("a", "b", "c"), ("a", "b", "d")] == store.list_namespaces(prefix=("a", "b"), max_depth=3)
    assert [("a", "c", "f")] == store.list_namespaces(suffix=("*", "f"))
    assert [("a", "b", "d", "e"), ("a", "c", "f")] == store.list_namespaces(limit=2, offset=1)


def test_an_item_of_a_lifetime_ends(store: HippographStore) -> None:
    """An item with a `ttl` is there until it is over, one without for good."""
    store.put(NOTES, "short", {"text": "Gone soon"}, ttl=1 / 30)
    store.put(NOTES, "long", {"text": "Stays"})
    assert store.get(NOTES, "short")
    time.sleep(3)
    assert store.get(NOTES, "short") is None
    assert store.get(NOTES, "long")


def test_what_langgraph_refuses_is_refused(store: HippographStore) -> None:
    """Empty namespaces and labels with dots are none."""
    for wrong in ((), ("a.b",), ("",)):
        with pytest.raises(InvalidNamespaceError):
            store.put(wrong, "k", {"n": 1})


async def test_a_graph_uses_the_store(store: HippographStore) -> None:
    """A node of a compiled graph puts and finds, asynchronously."""

    async def keep(state: MessagesState, *, store: BaseStore) -> dict[str, Any]:
        await store.aput(NOTES, "city", {"text": "Lives in Porto"})
        found = await store.asearch(NOTES, query="Porto")
        return {"messages": [AIMessage(found[0].value["text"])]}

    builder = StateGraph(MessagesState)
    builder.add_node("keep", keep)
    builder.add_edge(START, "keep")
    graph = builder.compile(store=store)
    told = await graph.ainvoke({"messages": [HumanMessage("Where do I live?")]})
    assert "Lives in Porto" == told["messages"][-1].text


# --- over weeks ---


def test_the_store_answers_a_newcomers_questions(served: Any, memory: Hippograph, newcomer: dict[str, Any]) -> None:
    """What was put in five sessions, with restarts, answers twenty questions by ten items each."""
    store = HippographStore(memory)
    for number, session in enumerate(newcomer["sessions"]):
        for said in session:
            store.put(("memories", f"session {number}"), said["time"], {"text": said["content"], "role": said["role"]})
        if number % 2:
            served.restart()
    settled(memory)
    missed = []
    for question, expected in newcomer["questions"]:
        context = "\n".join(each.value["text"] for each in store.search(("memories",), query=question, limit=10))
        assert len(context) <= 2_000  # characters; tokens are fewer
        if not re.search(expected, context):
            missed.append(question)
    assert [] == missed


class WithContext(MessagesState):
    """A talk, and what belongs into its next answer."""

    context: list[SystemMessage]


def answer(state: WithContext) -> dict[str, Any]:
    """A model that repeats what it was given."""
    return {"messages": [AIMessage("\n".join(each.text for each in state["context"]) or "Nothing.")]}


async def test_a_thread_is_remembered(served: Any, place: dict[str, str], newcomer: dict[str, Any]) -> None:
    """A graph that recalls before its model and records after answers from what its thread said, twenty questions."""
    async with AsyncHippograph(**place, persona="Atlas") as memory:
        kept = HippographMemory(memory)
        builder = StateGraph(WithContext)
        for name, node in (("recall", kept.recall), ("answer", answer), ("record", kept.record)):
            builder.add_node(name, node)
        for edge in ((START, "recall"), ("recall", "answer"), ("answer", "record"), ("record", END)):
            builder.add_edge(*edge)
        graph = builder.compile()
        thread = {"configurable": {"thread_id": "Everyday"}}
        there = memory.at(chat="Everyday")
        for number, session in enumerate(newcomer["sessions"]):
            said = [
                Message(each["role"], each["content"], id=each["time"], time=datetime.fromisoformat(each["time"]))
                for each in session
            ]
            await there.record(*said)
            await there.close_session()
            if number == 2:
                served.restart()
        with Hippograph(**place) as looked:
            settled(looked)
        missed = []
        for question, expected in newcomer["questions"]:
            found = await kept.recall({"messages": [HumanMessage(question)]}, thread)
            if not re.search(expected, "\n".join(each.text for each in found["context"])):
                missed.append(question)
        assert [] == missed
        said = await graph.ainvoke({"messages": [HumanMessage("My parrot is called Rio.", id="1")]}, thread)
        assert (await graph.ainvoke({"messages": said["messages"]}, thread))["messages"]
        asked = await graph.ainvoke({"messages": [HumanMessage("What is my parrot called?")]}, thread)
        assert "Rio" in asked["messages"][-1].text
        own = [each async for each in there.memories() if each.content == "My parrot is called Rio."]
        assert 1 == len(own)


def test_the_documented_lines(documented: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """What docs/how-to/clients.md shows works as it stands there but for the address and the key."""
    assert {"recall", "record"} <= set(documented("hippograph_langgraph")["builder"].nodes)
    assert "Peppermint tea in the evening." in capsys.readouterr().out
