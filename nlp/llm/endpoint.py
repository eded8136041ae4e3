"""A large language model behind an OpenAI-compatible endpoint: one question, one JSON object as the answer.

What belongs here: the request, its timeout, and all its failures. What does not: the prompts (the other modules of this
package), and whether an answer is true.

The client takes most of a second to import, so it is imported only when an endpoint is made.
"""

import asyncio
import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import from_json

from hippograph.nlp.errors import LlmFailed
from hippograph.nlp.llm.uses import Ledger, Outcome, Use
from hippograph.nlp.text import whole_characters

if TYPE_CHECKING:
    from httpx2 import Response
    from openai.types.chat.completion_create_params import ResponseFormat

MOST_BYTES: Final = 2_000_000
"""Maximum size of a response in bytes; reading stops there, and the call fails as `too large`."""

_NO_KEY: Final = "none"
_THOUGHT: Final = "</think>"
_OPENING: Final = re.compile(r'\{\s*["}]')
"""The beginning of a JSON object; prose may have other braces before it."""
_OUTCOMES: Final = {
    "timeout": Outcome.TIMED_OUT,
    "refused": Outcome.REFUSED,
    "not json": Outcome.INVALID,
    "wrong shape": Outcome.INVALID,
    "too large": Outcome.INVALID,
}

Answer = TypeVar("Answer")
Form = TypeVar("Form", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Question(Generic[Answer]):
    """What a model is asked for a `use`. `instructions` is the system message, `form` the schema of the answer, `read`
    its parser. `read` raises LlmFailed for an answer of another form, since an endpoint may ignore the schema.
    """

    use: Use
    instructions: str
    form: type[BaseModel]
    read: Callable[[dict[str, Any]], Answer]


class Endpoint:
    """A client of one model. Calls may run concurrently; nothing is retried."""

    def __init__(self, base_url: str, model: str, *, api_key: str | None, timeout_s: float, ledger: Ledger) -> None:
        """`base_url` is what comes before `/chat/completions`; `timeout_s` limits a whole call, in seconds."""
        import openai

        self._client = openai.AsyncOpenAI(
            base_url=base_url,
            api_key=api_key or _NO_KEY,
            max_retries=0,
            timeout=timeout_s,
            # The endpoint must not learn the organization and project in this machine's environment.
            default_headers={"OpenAI-Organization": openai.omit, "OpenAI-Project": openai.omit},  # type: ignore[dict-item]
            http_client=openai.DefaultAsyncHttpxClient(event_hooks={"response": [_refuse_errors]}),
        )
        self._model = model
        self._timeout_s = timeout_s
        self._ledger = ledger

    async def ask(self, question: Question[Answer], data: Sequence[object]) -> list[Answer]:
        """Asks a question about each item of `data` in turn, and returns the answers in that order. Nothing is asked
        unless the budget covers all calls.

        The instructions are the system message; the item, as JSON, is the user message. Raises LlmFailed for the first
        call that fails; answers received before it are lost.
        """
        if not data:
            return []
        await self._ledger.spend(question.use, len(data))
        return [await self._answer(question, each) for each in data]

    async def close(self) -> None:
        """Closes its connections."""
        await self._client.close()

    async def _answer(self, question: Question[Answer], data: object) -> Answer:
        try:
            body = await self._body(question, json.dumps(data, ensure_ascii=False))
            answer = question.read(_object(_content(body)))
        except LlmFailed as error:
            await self._ledger.note(question.use, _OUTCOMES.get(error.reason, Outcome.FAILED), error.reason)
            raise
        await self._ledger.note(question.use, Outcome.ANSWERED)
        return answer

    async def _body(self, question: Question[Any], data: str) -> bytes:
        body = bytearray()
        # The client's own timeout is for each step; a response that trickles in would never reach it.
        with _explained():
            async with (
                asyncio.timeout(self._timeout_s),
                self._client.chat.completions.with_streaming_response.create(
                    model=self._model,
                    messages=[
                        {"role": "system", "content": question.instructions},
                        {"role": "user", "content": whole_characters(data)},
                    ],
                    response_format=_format(question),
                ) as response,
            ):
                async for chunk in response.iter_bytes():
                    body += chunk
                    if len(body) > MOST_BYTES:
                        raise LlmFailed("too large")
        return bytes(body)


async def _refuse_errors(response: "Response") -> None:
    """Raises LlmFailed for an error status before the body is read, and for a redirect: what people say is sent to the
    configured address only.
    """
    if not response.is_success:
        raise LlmFailed(f"status {response.status_code}")


@contextmanager
def _explained() -> Iterator[None]:
    """Raises LlmFailed for a timeout and for any error of the client or the connection."""
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


def _format(question: Question[Any]) -> "ResponseFormat":
    from openai import pydantic_function_tool

    schema = pydantic_function_tool(question.form)["function"]["parameters"]
    return {"type": "json_schema", "json_schema": {"name": question.use.value, "strict": True, "schema": schema}}


class _Message(BaseModel):
    content: str | None = None
    refusal: str | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


class _Completion(BaseModel):
    """The fields of a completion that are needed; not all endpoints send the others."""

    model_config = ConfigDict(strict=True)

    choices: list[_Choice]


def _content(body: bytes) -> str:
    """Returns the text of a completion. Raises LlmFailed for a malformed response or a refusal."""
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
    """Returns the JSON object in an answer, also in prose or behind reasoning. Raises LlmFailed if there is none."""
    content = content.rpartition(_THOUGHT)[2]
    opening = _OPENING.search(content)
    try:
        found: dict[str, Any] = from_json(content[opening.start() if opening else 0 : content.rfind("}") + 1])
    except ValueError:
        raise LlmFailed("not json") from None
    return found  # JSON that ends with a brace is an object


def listed(answer: dict[str, Any], key: str) -> list[Any]:
    """Returns the list under a key of an answer. Raises LlmFailed if it is missing or no list."""
    found = answer.get(key)
    if not isinstance(found, list):
        raise LlmFailed("wrong shape")
    return found


def validated(form: type[Form], value: Any) -> Form | None:
    """Returns a value of an answer in its form; None if it does not fit."""
    try:
        return form.model_validate(value)
    except ValidationError:
        return None


def all_validated(form: type[Form], values: Sequence[Any]) -> list[Form]:
    """Returns the values of an answer that fit a form. Raises LlmFailed if there are values and none fits."""
    found = [each for value in values if (each := validated(form, value)) is not None]
    if values and not found:
        raise LlmFailed("wrong shape")
    return found
