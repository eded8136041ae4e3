"""The client against the real service: what is said and known, errors, retries, and a talk over five sessions."""

import asyncio
import re
import time
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.request import Request, urlopen

import pytest
from hippograph_client import (
    AsyncHippograph,
    AttachmentInput,
    AttachmentKind,
    Conflict,
    FactInput,
    Hippograph,
    InvalidInput,
    MemoryType,
    Message,
    NotAllowed,
    NotFound,
    SearchFilter,
    ServiceError,
    TodoStatus,
    Unauthenticated,
    Unreachable,
)


@pytest.fixture
def memory(place: dict[str, str]) -> Iterator[Hippograph]:
    """A new user's memory."""
    with Hippograph(**place, chat="Everyday", persona="Atlas") as memory:
        yield memory


@pytest.fixture
async def waiting(place: dict[str, str]) -> AsyncIterator[AsyncHippograph]:
    """The same, asynchronously."""
    async with AsyncHippograph(**place, chat="Everyday", persona="Atlas") as memory:
        yield memory


def eventually(what: Callable[[], object]) -> None:
    """What is so at last: what is written is found once its vector is there."""
    deadline = time.monotonic() + 60
    while not what():
        assert time.monotonic() < deadline
        time.sleep(0.5)


# --- what is said and known ---


def test_facts_are_kept_and_found(memory: Hippograph) -> None:
    """A fact is found by its words; told again it is the same memory, corrected another, forgotten none."""
    [kept] = memory.remember("My sister Lena lives in Trieste.")
    assert not kept.confirmed
    [again] = memory.remember("My sister Lena lives in Trieste.")
    assert (kept.memory_id, True) == (again.memory_id, again.confirmed)
    [found] = memory.search("Where does Lena live?")
    assert ("My sister Lena lives in Trieste.", kept.memory_id) == (found.memory.content, found.memory.id)
    assert "Trieste" in memory.context("Where does Lena live?").text
    corrected = memory.correct(kept.memory_id, "My sister Lena lives in Udine.")
    assert corrected
    assert ["My sister Lena lives in Udine."] == [each.memory.content for each in memory.search("Lena")]
    memory.forget(corrected.id)
    assert [] == memory.search("Lena")


def test_facts_say_more_than_words(memory: Hippograph) -> None:
    """Kinds, tags and attributes come back, filters narrow, many are kept in order, and single ones are weighed."""
    facts = [FactInput(content=f"Box {number} holds cables.", tags=["boxes"]) for number in range(101)]
    facts[100] = FactInput(content="Box 100 holds lamps.", tags=["lamps"], importance=2, attributes={"shelf": 7})
    kept = memory.remember(*facts)
    assert 101 == len({each.memory_id for each in kept})
    [lamps] = memory.memories(filter=SearchFilter(tags=["lamps"]))
    assert (kept[100].memory_id, 2, {"shelf": 7}) == (lamps.id, lamps.importance, lamps.attributes)
    assert 100 == len(list(memory.memories(filter=SearchFilter(tags=["boxes"]))))
    assert 3 == memory.reinforce(lamps.id)
    assert 2 == memory.demote(lamps.id)
    pinned, confirmed = memory.pin(lamps.id), memory.confirm(lamps.id)
    assert pinned
    assert confirmed
    assert pinned.pinned
    unpinned = memory.unpin(lamps.id)
    assert unpinned
    assert not unpinned.pinned
    updated = memory.update(lamps.id, tags=["lights"])
    assert updated
    assert ["lights"] == updated.tags


def test_messages_have_attachments(memory: Hippograph) -> None:
    """What was sent along is given, told again, and found by its words."""
    photo = AttachmentInput(kind=AttachmentKind.PHOTO, name="IMG_2041.jpg", caption="the hut at sunset")
    [kept] = memory.record(Message("user", "", attachments=[photo]))
    [found] = memory.search("the sunset")
    assert (kept.memory_id, "[photo: IMG_2041.jpg] the hut at sunset") == (found.memory.id, found.memory.content)
    assert [("IMG_2041.jpg", None)] == [(each.name, each.text) for each in found.memory.attachments]


def test_a_talk_is_recorded_once(memory: Hippograph) -> None:
    """Both sides of a talk are kept in order, under their ids once; a closed session has a summary."""
    now = datetime.now(UTC)  # what is older ends by itself
    said = [
        Message("user", "I have to call the vet about Nanny tomorrow.", id="1", time=now - timedelta(minutes=1)),
        Message("assistant", "I will remind you.", id="2", time=now),
    ]
    first = memory.record(*said)
    assert [False, False] == [each.repeated for each in first]
    again = memory.record(*said)
    assert [(each.memory_id, True) for each in first] == [(each.memory_id, each.repeated) for each in again]
    with pytest.raises(Conflict):
        memory.record(Message("user", "I have to call nobody.", id="1"))
    roles = {each.content: each.speaker_name for each in memory.memories()}
    assert "Atlas" == roles["I will remind you."]
    summary = memory.close_session()
    assert summary
    assert "vet" in summary.content
    assert memory.close_session() is None


def test_a_chat_is_found_by_its_title(place: dict[str, str], memory: Hippograph) -> None:
    """Another client of the user's talks on in the chat of a title; `at` goes to another over the same connection."""
    memory.record(Message("user", "I keep goats.", id="1"))
    with Hippograph(**place, chat="Everyday", persona="Atlas") as other:
        [same] = other.record(Message("user", "I keep goats.", id="1"))
        [elsewhere] = other.at(chat="Work").record(Message("user", "I keep goats.", id="1"))
    assert (True, False) == (same.repeated, elsewhere.repeated)
    document = "query($first: Int!) { chats(first: $first) { nodes { title } } }"
    titles = {each["title"] for each in memory.execute(document, first=10)["chats"]["nodes"]}
    assert {"Everyday", "Work"} == titles


def test_working_memory(memory: Hippograph) -> None:
    """Blocks are written over the version that was read, todos done, and the user's state set."""
    block = memory.write_block("active_context", "packing")
    with pytest.raises(Conflict):
        memory.write_block("active_context", "resting")
    assert 2 == memory.write_block("active_context", "resting", version=block.version).version
    assert "resting\nreading" == memory.append_to_block("active_context", "reading").content
    assert ["active_context"] == [each.name for each in memory.blocks()]
    assert "reading" in memory.context("What am I doing?").text
    assert memory.delete_block("active_context")
    assert memory.block("active_context") is None
    todo = memory.add_todo("Call the vet", due_at=datetime(2030, 1, 1, tzinfo=UTC))
    assert [todo.id] == [each.id for each in memory.todos()]
    assert TodoStatus.DONE == memory.set_todo(todo.id, TodoStatus.DONE).status
    assert [] == list(memory.todos())
    assert [todo.id] == [each.id for each in memory.todos(TodoStatus.DONE)]
    memory.set_state("preferred_address", "Captain")
    assert {"preferred_address": "Captain"} == {each.key: each.value for each in memory.states()}


def test_a_card_tells_what_is_known(memory: Hippograph, account: str) -> None:
    """A card has the facts of a person; of whom nobody knows there is none."""
    memory.remember(FactInput(content="I live in Trieste.", importance=2))
    card = memory.card(f"person:{account.replace('-', '_')}")
    assert card
    assert ["I live in Trieste."] == [each.content for each in card.facts]
    assert memory.card("person:nobody_at_all") is None
    assert 1 == memory.statistics().memories


async def test_the_async_client_does_the_same(waiting: AsyncHippograph) -> None:
    """Remembering, recording, searching and reading pages, with many requests at once."""
    await asyncio.gather(*(waiting.remember(f"Shelf {number} is full.") for number in range(5)))
    said = "I keep two goats, Nanny and Billy."
    [recorded] = await waiting.record(Message("user", said))
    kept = {each.content: each.id async for each in waiting.memories()}  # and facts that were found meanwhile
    assert recorded.memory_id == kept[said]
    assert {f"Shelf {number} is full." for number in range(5)} < kept.keys()
    found = await waiting.search("goats")  # a fact that was found in what was said may stand in its place
    assert "two goats" in found[0].memory.content
    context = await waiting.context("Which goats do I keep?", budget=400)
    assert "Nanny" in context.text
    assert context.tokens <= 400


# --- errors ---


def test_errors_have_a_class_for_each_code(served: Any, place: dict[str, str], memory: Hippograph) -> None:
    """What the service refuses is raised with its code and its message."""
    with pytest.raises(InvalidInput) as wrong:
        memory.remember(FactInput(content=" "))
    assert ("INVALID_INPUT", "facts.content") == (wrong.value.code, wrong.value.field)
    assert wrong.value.message
    with pytest.raises(NotFound) as missing:
        memory.forget("0" * 32)
    assert "NOT_FOUND" == missing.value.code
    with pytest.raises(NotFound):
        list(memory.at(chat_id="0" * 32).search("goats"))
    with pytest.raises(ValueError, match="in which chat"):
        Hippograph(**place).record(Message("user", "Hello"))
    with Hippograph(served.url, token="hippo_none") as stranger, pytest.raises(Unauthenticated):
        stranger.search("goats")
    with pytest.raises(ServiceError) as unknown:
        memory.execute("{ nothing }")
    assert "GRAPHQL_VALIDATION_FAILED" == unknown.value.code


def test_a_key_of_a_person_acts_for_nobody_else(served: Any, account: str) -> None:
    """Without the right to act for others a token is refused."""
    token = served.token_of(account)
    with Hippograph(served.url, token=token, user="another") as memory, pytest.raises(NotAllowed):
        memory.statistics()


# --- retries ---


class Flaky(ThreadingHTTPServer):
    """Passes requests on to the service, and loses the answers of the first `losing` of them."""

    daemon_threads = True

    def __init__(self, url: str) -> None:
        super().__init__(("127.0.0.1", 0), _Passing)
        self.service = url
        self.losing = 0
        self.passed = 0

    @property
    def url(self) -> str:
        """Where it answers."""
        return f"http://127.0.0.1:{self.server_port}"


class _Passing(BaseHTTPRequestHandler):
    server: Flaky

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        headers = {name: value for name, value in self.headers.items() if name not in ("Host", "Accept-Encoding")}
        with urlopen(Request(self.server.service + self.path, body, headers)) as answer:
            given = answer.read()
        self.server.passed += 1
        if self.server.losing:
            self.server.losing -= 1
            self.close_connection = True
            return
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(given)))
        self.end_headers()
        self.wfile.write(given)

    def log_message(self, *args: object) -> None:
        """Says nothing."""


@pytest.fixture
def flaky(served: Any) -> Iterator[Flaky]:
    """A way to the service on which answers get lost."""
    with Flaky(served.url) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def test_a_lost_answer_is_asked_for_again(flaky: Flaky, place: dict[str, str]) -> None:
    """Of a message whose answer was lost there is one memory; a todo, which would be there twice, is not sent again."""
    with Hippograph(**{**place, "url": flaky.url}, chat="Everyday") as memory:
        assert 0 == memory.statistics().memories
        memory.record(Message("user", "Hello."))
        flaky.losing = 2
        [recorded] = memory.record(Message("user", "I keep goats."))
        assert recorded.repeated
        turns = memory.memories(filter=SearchFilter(types=[MemoryType.EPISODIC]))
        assert ["I keep goats.", "Hello."] == [each.content for each in turns]
        flaky.losing, before = 1, flaky.passed
        with pytest.raises(Unreachable):
            memory.add_todo("Call the vet")
        assert before + 1 == flaky.passed
        flaky.losing = 9
        with pytest.raises(Unreachable):
            memory.statistics()
        flaky.losing = 0


def test_nothing_there_is_unreachable(place: dict[str, str]) -> None:
    """Where no service is the error says so, after the retries that were asked for."""
    with Hippograph("http://127.0.0.1:9", retries=1) as memory, pytest.raises(Unreachable, match="did not answer"):
        memory.add_todo("Call the vet")


# --- over weeks ---


def test_a_newcomers_questions_are_answered_over_restarts(
    served: Any, place: dict[str, str], newcomer: dict[str, Any]
) -> None:
    """What was recorded in five sessions, with restarts, answers twenty questions in contexts of 2,000 tokens."""
    there = {**place, "chat": "Everyday", "persona": "Atlas"}
    for number, session in enumerate(newcomer["sessions"]):
        with Hippograph(**there) as memory:
            said = [
                Message(each["role"], each["content"], id=each["time"], time=datetime.fromisoformat(each["time"]))
                for each in session
            ]
            memory.record(*said, session=f"session {number}")
            assert memory.close_session()
        if number % 2:
            served.restart()
    with Hippograph(**there) as memory:
        eventually(lambda: not ((now := memory.statistics()).pending or now.waiting_sessions))
        missed = []
        for question, expected in newcomer["questions"]:
            context = memory.context(question, budget=2_000)
            assert context.tokens <= 2_000
            if not re.search(expected, context.text):
                missed.append(question)
        assert [] == missed


def test_the_documented_lines(documented: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """What docs/how-to/clients.md shows works as it stands there but for the address and the key."""
    documented("hippograph_client")
    printed = capsys.readouterr().out
    assert "My sister Lena lives in Trieste." in printed
    assert "Porto" in printed
