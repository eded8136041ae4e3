"""A large language model behind an OpenAI-compatible endpoint: one question, one JSON object as the answer.

What belongs here: how it is asked, for how long, and every way in which it can fail. What does not: what it is asked
(the other modules of this package), and whether the answer is true.

The client takes most of a second to import, so it is imported when an endpoint is made and not before.
"""

import asyncio
import json
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
"""No answer to what we ask is longer; of a longer one no more than this is ever held."""

_NO_KEY: Final = "none"
_THOUGHT: Final = "</think>"
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
    """What a model is asked for a `use`: the `instructions`, the `form` of its answer, and how that is read. `read`
    raises LlmFailed for another answer: an endpoint may ignore the form.
    """

    use: Use
    instructions: str
    form: type[BaseModel]
    read: Callable[[dict[str, Any]], Answer]


class Endpoint:
    """Where a model is asked. One call at a time or several; nothing is asked twice."""

    def __init__(self, base_url: str, model: str, *, api_key: str | None, timeout_s: float, ledger: Ledger) -> None:
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
        self._ledger = ledger

    async def ask(self, question: Question[Answer], data: Sequence[object]) -> list[Answer]:
        """The answers to a question about each of some data, one after the other. Nothing is asked unless the budget
        holds all of it.

        The instructions go as the system's message and the data, as JSON, as the user's. Raises LlmFailed for the first
        that fails; what was answered before is gone.
        """
        if not data:
            return []
        await self._ledger.spend(question.use, len(data))
        return [await self._answer(question, each) for each in data]

    async def close(self) -> None:
        """Lets go of its connections."""
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
        # The client's own limit is for each step: what trickles in would never reach it.
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


def listed(answer: dict[str, Any], key: str) -> list[Any]:
    """The list that an answer was to hold. Raises LlmFailed."""
    found = answer.get(key)
    if not isinstance(found, list):
        raise LlmFailed("wrong shape")
    return found


def validated(form: type[Form], value: Any) -> Form | None:
    """Something of an answer as what it was to be; None where it is not."""
    try:
        return form.model_validate(value)
    except ValidationError:
        return None


def all_validated(form: type[Form], values: Sequence[Any]) -> list[Form]:
    """What of some of an answer is what it was to be. Raises LlmFailed when nothing is."""
    found = [each for value in values if (each := validated(form, value)) is not None]
    if values and not found:
        raise LlmFailed("wrong shape")
    return found
