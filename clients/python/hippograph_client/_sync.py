"""The client. `_sync.py` is made of this file by `generate.py`."""

import time
import random
from collections.abc import Iterator, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from types import TracebackType
from typing import Any, Final, Self, TypeVar
from uuid import uuid4

import httpx
from pydantic import BaseModel

from hippograph_client import operations
from hippograph_client.errors import HippographError, ServiceError, Unavailable, Unreachable, error_in
from hippograph_client.messages import Message
from hippograph_client.types import (
    AddTodoInput,
    AppendToBlockInput,
    Block,
    Card,
    ChatKind,
    CloseSessionInput,
    CreateChatInput,
    CreatePersonaInput,
    DeleteBlockInput,
    FactInput,
    ForgetInput,
    Found,
    Memory,
    MemoryInput,
    MessageInput,
    PromptContext,
    Recorded,
    RecordMessagesInput,
    Remembered,
    RememberFactsInput,
    SearchFilter,
    Session,
    SetTodoStatusInput,
    State,
    Statistics,
    SummarizeSessionInput,
    Summary,
    Todo,
    TodoKind,
    TodoStatus,
    UpdateUserStateInput,
    WordsInput,
    WriteBlockInput,
)

_T = TypeVar("_T")

LOCAL: Final = "http://127.0.0.1:8000"
MOST_AT_ONCE: Final = 100
"""Messages or facts that the service takes in one request."""

_PAGE: Final = 100
_FIRST_WAIT_S: Final = 0.2
_LONGEST_WAIT_S: Final = 10.0
_BOOKMARK: Final = "Hippograph-Bookmark"


class Transport:
    """Sends a document and gives its one field, or raises. What fails is tried again where that is harmless."""

    def __init__(self, url: str, headers: dict[str, str], timeout_s: float, retries: int) -> None:
        self._http = httpx.Client(base_url=url, headers=headers, timeout=timeout_s)
        self._retries = retries
        self._bookmark: dict[str, str] = {}

    def call(self, document: str, variables: dict[str, Any], *, repeatable: bool) -> Any:
        """The value of the document's first field. What is not `repeatable` is sent again only when it was surely not
        carried out.
        """
        [value] = (self.execute(document, variables, repeatable=repeatable)).values()
        return value

    def execute(self, document: str, variables: dict[str, Any], *, repeatable: bool) -> dict[str, Any]:
        """The values of the document's fields, by name."""
        body = {"query": document, "variables": {name: _plain(value) for name, value in variables.items()}}
        tries = 0
        while True:
            try:
                return self._once(body)
            except (Unavailable, Unreachable) as error:
                sent = isinstance(error, Unreachable) and not isinstance(error.__cause__, _NOT_SENT)
                if tries >= self._retries or (sent and not repeatable):
                    raise
                time.sleep(max(_wait_s(error), random.uniform(0.5, 1) * _FIRST_WAIT_S * 2**tries))
                tries += 1

    def _once(self, body: dict[str, Any]) -> dict[str, Any]:
        headers = {"Accept": "application/graphql-response+json", **self._bookmark}
        try:
            response = self._http.post("/graphql", json=body, headers=headers)
        except httpx.TransportError as error:
            reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            raise Unreachable(f"{self._http.base_url} did not answer ({reason})", code="UNREACHABLE") from error
        if _BOOKMARK in response.headers:
            self._bookmark = {_BOOKMARK: response.headers[_BOOKMARK]}
        return _data(response)

    def close(self) -> None:
        """Ends its connections."""
        self._http.close()


_NOT_SENT: Final = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)


def _data(response: httpx.Response) -> dict[str, Any]:
    """The data of an answer. Raises the error in it."""
    try:
        answer = response.json()
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        kind = Unreachable if response.status_code in (502, 504) else ServiceError
        raise kind(f"the answer is no JSON (status {response.status_code})", code="NO_JSON")
    if error := error_in(answer):
        if isinstance(error, Unavailable):
            error.retry_after_s = float(response.headers.get("Retry-After", 0))
        raise error
    data: dict[str, Any] = answer["data"]
    return data


def _wait_s(error: HippographError) -> float:
    wait_s = error.retry_after_s if isinstance(error, Unavailable) else 0.0
    return min(wait_s, _LONGEST_WAIT_S)


def _plain(value: Any) -> Any:
    """A value as JSON has it."""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True, exclude_unset=True)
    if isinstance(value, datetime):
        return value.isoformat()
    return list(value) if isinstance(value, tuple) else value


@dataclass(frozen=True, slots=True)
class Place:
    """Where a client talks: a private chat by its title, or any chat by its id, and the persona that answers there."""

    chat: str | None = None
    chat_id: str | None = None
    persona: str | None = None
    persona_id: str | None = None


class Hippograph:
    """A memory, on behalf of one user, in one chat and for one persona or in none.

    `token` is an API key or a signed token; a service for its one local user needs none. `user` is the account on whose
    behalf a token that may act for others asks. `chat` is the title of a private chat of the user's, which is begun
    where there is none, `chat_id` the id of any chat. `persona` is the name of the one that answers. `timeout_s` is
    how long one try may take, in seconds, and `retries` how many more there are: of what the service surely did
    not do, and of what may be done twice. All methods raise `HippographError`.
    """

    def __init__(
        self,
        url: str = LOCAL,
        *,
        token: str | None = None,
        user: str | None = None,
        chat: str | None = None,
        chat_id: str | None = None,
        persona: str | None = None,
        timeout_s: float = 30.0,
        retries: int = 3,
    ) -> None:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        if user:
            headers["Hippograph-User"] = user
        self._transport = Transport(url, headers, timeout_s, retries)
        self._place = Place(chat=chat, chat_id=chat_id, persona=persona)

    def at(self, *, chat: str | None = None, chat_id: str | None = None, persona: str | None = None) -> Self:
        """The same memory elsewhere, over the same connection; where no persona is named, for the same one."""
        there = Place(chat=chat, chat_id=chat_id, persona=persona)
        if persona is None:
            there = replace(there, persona=self._place.persona, persona_id=self._place.persona_id)
        moved = object.__new__(type(self))
        moved._transport, moved._place = self._transport, there
        return moved

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the connections, of those clients too that `at` gave."""
        self._transport.close()

    # --- what is said ---

    def record(self, *messages: Message, session: str | None = None) -> list[Recorded]:
        """Keeps what was said in the chat, in its order, so that it is learned from. `session` is a word of the
        caller's own for the stretch of talk; without it the messages' times tell.
        """
        chat_id, persona_id = self._chat_id(), self._persona_id()
        said = [
            MessageInput(
                content=each.content,
                as_assistant=each.role == "assistant",
                speaker_id=each.speaker_id,
                event_time=each.time,
                session_id=session,
                idempotency_key=each.id or uuid4().hex,  # so that a second try is harmless
                attachments=list(each.attachments) or None,
            )
            for each in messages
        ]
        kept: list[Recorded] = []
        for part in _parts(said):
            given = RecordMessagesInput(chat_id=chat_id, persona_id=persona_id, messages=part)
            answer = self._call(operations.RECORD, input=given)
            kept += [Recorded.model_validate(each) for each in answer["messages"]]
        return kept

    def close_session(self) -> Summary | None:
        """Ends the open session of the chat and gives its summary: before a model's window is compacted, or when the
        talk is over. None when no session is open.
        """
        given = CloseSessionInput(chat_id=self._chat_id(), persona_id=self._persona_id())
        answer = self._call(operations.CLOSE_SESSION, input=given)
        if answer["session"] is None:
            return None
        ended = Session.model_validate(answer["session"])
        made = self._call(operations.SUMMARIZE_SESSION, input=SummarizeSessionInput(session_id=ended.id))
        return Summary.model_validate(made["summary"]) if made["summary"] else None

    # --- what is known ---

    def search(
        self,
        query: str,
        *,
        first: int | None = None,
        filter: SearchFilter | None = None,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        reinforce: bool = True,
    ) -> list[Found]:
        """Single memories for a question or keywords, the best first. With `reinforce` they count as recalled."""
        times = {"asOf": as_of, "knownAt": known_at}
        answer = self._call(
            operations.SEARCH,
            query=query,
            first=first,
            filter=filter,
            reinforce=reinforce,
            **times,
            **self._here(),
        )
        return [Found.model_validate(edge) for edge in answer["edges"]]

    def context(
        self,
        query: str,
        *,
        budget: int | None = None,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        reinforce: bool = True,
    ) -> PromptContext:
        """What belongs into a prompt for this question, as Markdown, in at most `budget` tokens."""
        times = {"asOf": as_of, "knownAt": known_at}
        answer = self._call(
            operations.CONTEXT, query=query, total=budget, reinforce=reinforce, **times, **self._here()
        )
        return PromptContext.model_validate(answer)

    def card(self, key: str, *, reinforce: bool = True) -> Card | None:
        """What is known of a person or thing, by its key (`person:ben`); None where the user knows of none."""
        answer = self._call(operations.CARD, key=key, reinforce=reinforce, **self._here())
        return Card.model_validate(answer) if answer else None

    def memories(
        self, *, filter: SearchFilter | None = None, as_of: datetime | None = None, known_at: datetime | None = None
    ) -> Iterator[Memory]:
        """All that the user may see, the newest first, narrowed; read page by page."""
        times = {"asOf": as_of, "knownAt": known_at}
        for node in self._pages(operations.MEMORIES, filter=filter, **times):
            yield Memory.model_validate(node)

    def remember(self, *facts: str | FactInput) -> list[Remembered]:
        """Keeps facts: statements that stand for themselves, of the user without `about`. Told again they are surer."""
        here = self._here()
        given = [FactInput(content=each) if isinstance(each, str) else each for each in facts]
        kept: list[Remembered] = []
        for part in _parts(given):
            told = RememberFactsInput(facts=part, chat_id=here["chatId"], persona_id=here["personaId"])
            answer = self._call(operations.REMEMBER, input=told)
            kept += [Remembered.model_validate(each) for each in answer["facts"]]
        return kept

    def correct(self, memory_id: str, content: str, *, value: str | None = None) -> Memory | None:
        """Puts another fact in the place of one that never was so."""
        given = WordsInput(memory_id=memory_id, content=content, value=value)
        answer = self._call_once(operations.CORRECT, input=given)
        return Memory.model_validate(answer["memory"]) if answer["memory"] else None

    def update(
        self, memory_id: str, content: str | None = None, *, tags: Sequence[str] | None = None
    ) -> Memory | None:
        """Words a memory otherwise, or gives it other tags; the wording before is kept in its history."""
        given = WordsInput(memory_id=memory_id, content=content, tags=None if tags is None else list(tags))
        return self._memory(operations.UPDATE, given)

    def confirm(self, memory_id: str) -> Memory | None:
        """Says that a fact is so: it does not fade any more."""
        return self._memory(operations.CONFIRM, MemoryInput(memory_id=memory_id))

    def pin(self, memory_id: str) -> Memory | None:
        """Lets a memory stand in every context."""
        return self._memory(operations.PIN, MemoryInput(memory_id=memory_id))

    def unpin(self, memory_id: str) -> Memory | None:
        """Takes that back."""
        return self._memory(operations.UNPIN, MemoryInput(memory_id=memory_id))

    def forget(self, memory_id: str, *, with_sources: bool = False) -> None:
        """Forgets a memory; `with_sources` also the turns in which nothing else was found."""
        given = ForgetInput(memory_id=memory_id, with_sources=with_sources)
        self._call(operations.FORGET, input=given)

    def reinforce(self, memory_id: str) -> int:
        """Says that a memory served; its score for the user."""
        answer = self._call_once(operations.REINFORCE, input=MemoryInput(memory_id=memory_id))
        return int(answer["score"])

    def demote(self, memory_id: str) -> int:
        """Says that a memory misled; its score for the user."""
        answer = self._call_once(operations.DEMOTE, input=MemoryInput(memory_id=memory_id))
        return int(answer["score"])

    # --- working memory, todos, state ---

    def blocks(self) -> list[Block]:
        """The blocks of the user and the persona, by name."""
        answer = self._call(operations.BLOCKS, personaId=self._persona_id())
        return [Block.model_validate(each) for each in answer]

    def block(self, name: str) -> Block | None:
        """The block of a name; None when there is none."""
        answer = self._call(operations.BLOCK, name=name, personaId=self._persona_id())
        return Block.model_validate(answer) if answer else None

    def write_block(
        self, name: str, content: str, *, version: int | None = None, description: str | None = None
    ) -> Block:
        """Writes a block over the `version` that was read; without it there must be none. Raises `Conflict`."""
        given = WriteBlockInput(
            name=name, content=content, version=version, description=description, persona_id=self._persona_id()
        )
        return self._block(operations.WRITE_BLOCK, given)

    def append_to_block(self, name: str, text: str) -> Block:
        """Adds a line to a block, which is made where there is none."""
        given = AppendToBlockInput(name=name, text=text, persona_id=self._persona_id())
        return self._block(operations.APPEND_TO_BLOCK, given)

    def delete_block(self, name: str, *, version: int | None = None) -> Block | None:
        """Deletes a block, of the `version` that was read or of any; as it last was, None when there was none."""
        given = DeleteBlockInput(name=name, version=version, persona_id=self._persona_id())
        answer = self._call_once(operations.DELETE_BLOCK, input=given)
        return Block.model_validate(answer["block"]) if answer["block"] else None

    def todos(
        self, *statuses: TodoStatus, kinds: Sequence[TodoKind] = (), overdue: bool = False
    ) -> Iterator[Todo]:
        """The user's todos of these statuses and kinds, without any the open ones of all kinds."""
        wanted = {"statuses": statuses or None, "kinds": tuple(kinds) or None, "overdue": overdue}
        for node in self._pages(operations.TODOS, personaId=self._persona_id(), **wanted):
            yield Todo.model_validate(node)

    def add_todo(
        self, content: str, *, kind: TodoKind = TodoKind.COMMITMENT, due_at: datetime | None = None
    ) -> Todo:
        """Sets a todo; `due_at` at midnight is that day."""
        given = AddTodoInput(content=content, kind=kind, due_at=due_at, persona_id=self._persona_id())
        answer = self._call_once(operations.ADD_TODO, input=given)
        return Todo.model_validate(answer["todo"])

    def set_todo(self, todo_id: str, status: TodoStatus) -> Todo:
        """Says that a todo is done, dropped, or open again."""
        answer = self._call(operations.SET_TODO_STATUS, input=SetTodoStatusInput(todo_id=todo_id, status=status))
        return Todo.model_validate(answer["todo"])

    def states(self) -> list[State]:
        """What the user is called, and any other key of their state, as it is now."""
        answer = self._call(operations.STATES, personaId=self._persona_id())
        return [State.model_validate(each) for each in answer]

    def set_state(self, key: str, value: str) -> State:
        """Sets a key of the user's state, from now on: `preferred_address`, or any other."""
        given = UpdateUserStateInput(key=key, value=value, persona_id=self._persona_id())
        answer = self._call(operations.SET_STATE, input=given)
        return State.model_validate(answer["userState"])

    def statistics(self) -> Statistics:
        """How much there is, and how much waits to be worked out."""
        return Statistics.model_validate(self._call(operations.STATISTICS))

    def execute(self, document: str, /, *, repeatable: bool = False, **variables: object) -> dict[str, Any]:
        """What any other document of GraphQL answers: the values of its fields, by name. One that is `repeatable` is
        sent again when it may have been carried out already.
        """
        return self._transport.execute(document, variables, repeatable=repeatable)

    # --- how ---

    def _call(self, document: str, **variables: object) -> Any:
        return self._transport.call(document, variables, repeatable=True)

    def _call_once(self, document: str, **variables: object) -> Any:
        return self._transport.call(document, variables, repeatable=False)

    def _memory(self, document: str, given: BaseModel) -> Memory | None:
        answer = self._call(document, input=given)
        return Memory.model_validate(answer["memory"]) if answer["memory"] else None

    def _block(self, document: str, given: BaseModel) -> Block:
        return Block.model_validate((self._call_once(document, input=given))["block"])

    def _pages(self, document: str, **variables: object) -> Iterator[Any]:
        after: str | None = None
        while True:
            page = self._call(document, first=_PAGE, after=after, **variables)
            for node in page["nodes"]:
                yield node
            if not page["pageInfo"]["hasNextPage"]:
                return
            after = page["pageInfo"]["endCursor"]

    def _here(self) -> dict[str, str | None]:
        place = self._place
        chat_id = self._chat_id() if place.chat or place.chat_id else None
        return {"chatId": chat_id, "personaId": self._persona_id()}

    def _chat_id(self) -> str:
        if self._place.chat_id is None:
            if self._place.chat is None:
                raise ValueError("say in which chat: Hippograph(chat=…) or at(chat=…)")
            given = CreateChatInput(kind=ChatKind.PRIVATE, title=self._place.chat, once=True)
            made = self._call(operations.CREATE_CHAT, input=given)
            self._place = replace(self._place, chat_id=made["chat"]["id"])
        assert self._place.chat_id is not None
        return self._place.chat_id

    def _persona_id(self) -> str | None:
        if self._place.persona_id is None and (name := self._place.persona):
            found = self._call(operations.PERSONA, name=name)
            if found is None:
                made = self._call(operations.CREATE_PERSONA, input=CreatePersonaInput(name=name))
                found = made["persona"]
            self._place = replace(self._place, persona_id=found["id"])
        return self._place.persona_id


def _parts(items: list[_T]) -> Iterable[list[_T]]:
    return (items[start : start + MOST_AT_ONCE] for start in range(0, len(items), MOST_AT_ONCE))
