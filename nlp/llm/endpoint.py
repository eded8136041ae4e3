"""A large language model behind an OpenAI-compatible endpoint: one question, one JSON object as the answer.

What belongs here: how it is asked, for how long, how often, and every way in which it can fail. What does not: what it
is asked (`nlp.llm.extractor`), and whether the answer is true.

The client takes most of a second to import, so it is imported when an endpoint is made and not before.
"""

import asyncio
import json
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import from_json

from hippograph.nlp.errors import LlmFailed

if TYPE_CHECKING:
    from httpx2 import Response
    from openai.types.chat.completion_create_params import ResponseFormat

MOST_BYTES: Final = 2_000_000
"""No answer to what we ask is longer; of a longer one no more than this is ever held."""

Clock = Callable[[], datetime]
"""Gives the present moment, in UTC."""

_HOUR: Final = timedelta(hours=1)
_NO_KEY: Final = "none"
_THOUGHT: Final = "</think>"


class Budget:
    """So many calls in any hour, as far as this process makes them."""

    def __init__(self, calls: int, clock: Clock) -> None:
        self._calls = calls
        self._clock = clock
        self._made: deque[datetime] = deque()

    def afford(self, calls: int) -> None:
        """Raises LlmFailed when so many calls cannot be made now; nothing is spent."""
        now = self._clock()
        while self._made and now - self._made[0] >= _HOUR:
            self._made.popleft()
        if len(self._made) + calls > self._calls:
            raise LlmFailed("budget")

    def spend(self) -> None:
        """Counts one call. Raises LlmFailed when none is left."""
        self.afford(1)
        self._made.append(self._clock())


class Endpoint:
    """Where a model is asked. One call at a time or several; nothing is asked twice."""

    def __init__(
        self, base_url: str, model: str, *, api_key: str | None, timeout_s: float, calls_per_hour: int, clock: Clock
    ) -> None:
        """`base_url` is what comes before `/chat/completions`; `timeout_s` is for a call from its start to its end."""
        import openai

        self._client = openai.AsyncOpenAI(
            base_url=base_url,
            api_key=api_key or _NO_KEY,
            max_retries=0,
            timeout=timeout_s,
            # Whom else on this machine the client works for is no business of the endpoint.
            default_headers={"OpenAI-Organization": openai.omit, "OpenAI-Project": openai.omit},  # type: ignore[dict-item]
            http_client=openai.DefaultAsyncHttpxClient(event_hooks={"response": [_refuse_errors]}),
        )
        self._model = model
        self._timeout_s = timeout_s
        self.budget = Budget(calls_per_hour, clock)

    async def ask(self, instructions: str, data: object, form: type[BaseModel]) -> dict[str, Any]:
        """The answer to what `instructions` ask about `data`: an object of JSON, which `form` was asked to describe.

        The instructions go as the system's message and the data, as JSON, as the user's. An endpoint may ignore the
        form: whoever asks validates. Raises LlmFailed.
        """
        self.budget.spend()
        body = await self._body(instructions, json.dumps(data, ensure_ascii=False), form)
        return _object(_content(body))

    async def close(self) -> None:
        """Lets go of its connections."""
        await self._client.close()

    async def _body(self, instructions: str, data: str, form: type[BaseModel]) -> bytes:
        body = bytearray()
        # The client's own limit is for each step: what trickles in would never reach it.
        with _explained():
            async with (
                asyncio.timeout(self._timeout_s),
                self._client.chat.completions.with_streaming_response.create(
                    model=self._model,
                    messages=[
                        {"role": "system", "content": instructions},
                        {"role": "user", "content": data.encode("utf-8", "replace").decode("utf-8")},
                    ],
                    response_format=_format(form),
                ) as response,
            ):
                async for chunk in response.iter_bytes():
                    body += chunk
                    if len(body) > MOST_BYTES:
                        raise LlmFailed("too large")
        return bytes(body)


async def _refuse_errors(response: "Response") -> None:
    """Ends a call whose status says that it failed, before anything of its body is read, and one that is redirected:
    what people say goes nowhere else than to the address that is set.
    """
    if not response.is_success:
        raise LlmFailed(f"status {response.status_code}")


@contextmanager
def _explained() -> Iterator[None]:
    """Whatever goes wrong on the way becomes our one error."""
    import httpx2
    import openai

    try:
        yield
    except (TimeoutError, openai.APITimeoutError) as error:
        raise LlmFailed("timeout") from error
    except (openai.OpenAIError, httpx2.HTTPError) as error:
        if isinstance(error.__cause__, LlmFailed):
            raise error.__cause__ from None
        raise LlmFailed("connection") from error


def _format(form: type[BaseModel]) -> "ResponseFormat":
    from openai import pydantic_function_tool

    schema = pydantic_function_tool(form)["function"]["parameters"]
    return {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": schema}}


class _Message(BaseModel):
    content: str | None = None
    refusal: str | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


class _Completion(BaseModel):
    """As much of a completion as is needed: not all endpoints send all of it."""

    model_config = ConfigDict(strict=True)

    choices: list[_Choice]


def _content(body: bytes) -> str:
    """What the model said. Raises LlmFailed."""
    try:
        choices = _Completion.model_validate_json(body).choices
    except ValidationError as error:
        malformed = any(each["type"] == "json_invalid" for each in error.errors(include_input=False))
        raise LlmFailed("not json" if malformed else "wrong shape") from None
    if not choices:
        raise LlmFailed("wrong shape")
    if choices[0].message.refusal or choices[0].finish_reason == "content_filter":
        raise LlmFailed("refused")
    return choices[0].message.content or ""


def _object(content: str) -> dict[str, Any]:
    """The object that an answer is, or that stands in its prose. Raises LlmFailed."""
    content = content.rpartition(_THOUGHT)[2]
    try:
        found = from_json(content[content.find("{") : content.rfind("}") + 1])
    except ValueError:
        raise LlmFailed("not json") from None
    if not isinstance(found, dict):
        raise LlmFailed("not json")
    return found
