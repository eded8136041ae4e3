"""Tools of the OpenAI Agents SDK over the real service, called by an agent whose model follows a script."""

import json
from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import pytest
from agents import Agent, Model, ModelResponse, Runner, Usage, set_tracing_disabled
from hippograph_client import AsyncHippograph
from hippograph_openai_agents import hippograph_tools
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

set_tracing_disabled(True)  # runs are told nobody


class Scripted(Model):
    """A model that calls one tool, and answers with what the tool said."""

    def __init__(self, tool: str, **arguments: str) -> None:
        self._call = tool, json.dumps(arguments)

    async def get_response(self, system_instructions: str | None, input: Any, *args: Any, **more: Any) -> ModelResponse:
        """The call, or the answer."""
        told = [each for each in input if each.get("type") == "function_call_output"] if isinstance(input, list) else []
        output: Any
        if told:
            text = ResponseOutputText(text=told[-1]["output"], type="output_text", annotations=[])
            output = ResponseOutputMessage(
                id=uuid4().hex, content=[text], role="assistant", status="completed", type="message"
            )
        else:
            name, arguments = self._call
            output = ResponseFunctionToolCall(call_id=uuid4().hex, name=name, arguments=arguments, type="function_call")
        return ModelResponse(output=[output], usage=Usage(), response_id=None)

    def stream_response(self, *args: Any, **more: Any) -> AsyncIterator[Any]:
        """Nothing here asks for it."""
        raise NotImplementedError


@pytest.fixture
async def memory(place: dict[str, str]) -> AsyncIterator[AsyncHippograph]:
    """A new user's memory."""
    async with AsyncHippograph(**place, persona="Atlas") as memory:
        yield memory


async def run(memory: AsyncHippograph, tool: str, **arguments: str) -> str:
    """What an agent answers whose model calls this tool."""
    agent = Agent("Atlas", tools=list(hippograph_tools(memory)), model=Scripted(tool, **arguments))
    return str((await Runner.run(agent, "Hello")).final_output)


async def test_an_agent_keeps_finds_and_forgets(memory: AsyncHippograph) -> None:
    """A fact that one run kept is found by the next ones, until one forgets it."""
    kept = await run(memory, "remember_fact", fact="My sister Lena lives in Trieste.")
    assert kept.endswith("It is kept.")
    assert (await run(memory, "remember_fact", fact="My sister Lena lives in Trieste.")).endswith(
        "It was known already."
    )
    assert "Trieste" in await run(memory, "get_context", question="Where does Lena live?")
    found = await run(memory, "search_memory", query="Lena")
    assert found.endswith("My sister Lena lives in Trieste.")
    assert "It is forgotten." == await run(memory, "forget", memory_id=found.partition("]")[0].removeprefix("[id:"))
    assert "Nothing was found." == await run(memory, "search_memory", query="Lena")


async def test_a_refusal_is_told_to_the_model(memory: AsyncHippograph) -> None:
    """What the service refuses is an answer with its code, and ends no run."""
    assert (await run(memory, "remember_fact", fact=" ")).startswith("INVALID_INPUT: ")


async def test_tools_say_what_they_are(memory: AsyncHippograph) -> None:
    """A model is told each tool's purpose and its argument's."""
    tools = {each.name: each for each in hippograph_tools(memory)}
    assert {"get_context", "search_memory", "remember_fact", "forget"} == set(tools)
    assert "before you answer" in tools["get_context"].description
    assert "in their words" in tools["get_context"].params_json_schema["properties"]["question"]["description"]


def test_the_documented_lines(documented: Any) -> None:
    """What docs/how-to/clients.md shows works as it stands there but for the address and the key."""
    assert 4 == len(documented("hippograph_openai_agents")["agent"].tools)
