"""A fake language model server for tests, which can also violate the protocol."""

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from hippograph.nlp.errors import LlmFailed
from hippograph.nlp.llm.uses import Outcome, Use

Request = dict[str, Any]
Answering = Callable[[Request, asyncio.StreamWriter], Awaitable[None]]


class Server:
    """A server that answers with `answering` and keeps all requests."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.answering: Answering = says({"findings": []})
        self.port = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answers the requests of a connection until the client closes it."""
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                line, *lines = head.decode().strip().split("\r\n")
                headers = dict(each.lower().split(": ", 1) for each in lines)
                body = json.loads(await reader.readexactly(int(headers["content-length"])))
                self.requests.append({"line": line, "headers": headers, **body})
                await self.answering(self.requests[-1], writer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    def data(self, number: int = -1) -> dict[str, Any]:
        """The data in a request to the model, by default in the last one."""
        told: dict[str, Any] = json.loads(self.requests[number]["messages"][1]["content"])
        return told


def http(body: bytes, status: str = "200 OK", *, length: int | None = None, headers: str = "") -> bytes:
    """An HTTP response; `length` can give a wrong content length."""
    length = len(body) if length is None else length
    return (
        f"HTTP/1.1 {status}\r\ncontent-type: application/json\r\n{headers}content-length: {length}\r\n\r\n".encode()
        + body
    )


def sends(raw: bytes) -> Answering:
    """Answers each request with these bytes and closes the connection."""

    async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(raw)
        await writer.drain()
        writer.close()

    return answer


def completion(content: str | None, **message: Any) -> bytes:
    """The JSON body of a chat completion with this content."""
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content, **message}}
    return json.dumps({"id": "1", "object": "chat.completion", "created": 1, "choices": [choice]}).encode()


def says(answer: object) -> Answering:
    """Answers each request with a completion of this text; anything but a string is sent as JSON."""
    return sends(http(completion(answer if isinstance(answer, str) else json.dumps(answer))))


def answers(by_use: Mapping[Use, Callable[[dict[str, Any]], object]]) -> Answering:
    """Answers a request by the function for its use, called with the data of the request."""

    async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
        use = Use(request["response_format"]["json_schema"]["name"])
        told = json.loads(request["messages"][1]["content"])
        await says(by_use[use](told))(request, writer)

    return answer


class Tally:
    """A ledger in memory that allows a number of calls in all."""

    def __init__(self, most: int = 100) -> None:
        self.left = most
        self.outcomes: Counter[tuple[Use, Outcome]] = Counter()

    async def spend(self, use: Use, calls: int) -> None:
        """Charges calls. Raises `LlmFailed` if fewer are left."""
        if calls > self.left:
            raise LlmFailed("budget")
        self.left -= calls

    async def note(self, use: Use, outcome: Outcome, reason: str = "") -> None:
        """Counts an outcome."""
        self.outcomes[use, outcome] += 1
