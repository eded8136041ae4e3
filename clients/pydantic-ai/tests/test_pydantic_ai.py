"""Tools of Pydantic AI over the real service, called by an agent whose model follows a script."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from hippograph_client import AsyncHippograph
from hippograph_pydantic_ai import hippograph_toolset
from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

Agent.instrument_all(False)  # runs are told nobody


@pytest.fixture
async def memory(place: dict[str, str]) -> AsyncIterator[AsyncHippograph]:
    """A new user's memory."""
    async with AsyncHippograph(**place, persona="Atlas") as memory:
        yield memory


async def run(memory: AsyncHippograph, tool: str, **arguments: str) -> str:
    """What an agent answers whose model calls this tool, and answers with what the tool said."""

    def scripted(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        assert tool in [each.name for each in info.function_tools]
        told = [part.content for part in messages[-1].parts if isinstance(part, ToolReturnPart)]
        return ModelResponse([TextPart(str(told[0])) if told else ToolCallPart(tool, arguments)])

    agent = Agent(FunctionModel(scripted), toolsets=[hippograph_toolset(memory)])
    return (await agent.run("Hello")).output


async def test_an_agent_keeps_finds_and_forgets(memory: AsyncHippograph) -> None:
    """A fact that one run kept is found by the next ones, until one forgets it."""
    assert (await run(memory, "remember_fact", fact="My sister Lena lives in Trieste.")).endswith("It is kept.")
    assert "Trieste" in await run(memory, "get_context", question="Where does Lena live?")
    found = await run(memory, "search_memory", query="Lena")
    assert found.endswith("My sister Lena lives in Trieste.")
    assert "It is forgotten." == await run(memory, "forget", memory_id=found.partition("]")[0].removeprefix("[id:"))
    assert "Nothing was found." == await run(memory, "search_memory", query="Lena")


async def test_a_refusal_is_told_to_the_model(memory: AsyncHippograph) -> None:
    """What the service refuses is an answer with its code, and ends no run."""
    assert (await run(memory, "forget", memory_id="0" * 32)).startswith("NOT_FOUND: ")


def test_the_documented_lines(documented: Any) -> None:
    """What docs/how-to/clients.md shows works as it stands there but for the address and the key."""
    assert 2 == len(documented("hippograph_pydantic_ai")["agent"].toolsets)
