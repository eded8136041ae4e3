"""The examples work: the page of examples/web, built with npm and used in Chromium, and the documented Python code."""

import asyncio
import os
import re
import shutil
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.async_api import Page, WebSocket, expect
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from hippograph.api.service import Service
from hippograph.api.viewer import Credentials
from hippograph.graph.model import Viewer
from hippograph.graph.writing.fact import Fact
from tests.browser import PATIENCE_S, needs_chromium, opened_page
from tests.conftest import free_port

NODE = shutil.which("node")
NPM = shutil.which("npm")
UNREACHABLE = ("ENOTFOUND", "ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "EAI_AGAIN", "ENETUNREACH", "ERR_SOCKET_TIMEOUT")
RETRIES = ("--fetch-retries=2", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000")
TALK = (
    "We cancelled the picnic with Ben.",
    "Rain was forecast.",
    "A storm came in from the sea.",
)
CAUSES = """
UNWIND range(1, size($said) - 1) AS i
MATCH (cause:Memory {content: $said[i]}), (effect:Memory {content: $said[i - 1]})
CREATE (cause)-[:CAUSAL {created_at: datetime('2024-01-01T00:00:00Z'), confidence: 0.7}]->(effect)
"""
"""Links each turn of the talk to the turn before it, as its cause."""

needs_npm = pytest.mark.skipif(
    not (NODE and NPM), reason="NOT BUILT: Node and npm are not installed, so examples/web was not tried"
)
expect.set_options(timeout=1000 * PATIENCE_S)


@dataclass(frozen=True)
class Example:
    """A copy of examples/web, installed in a folder of its own."""

    folder: Path

    async def npm(self, *words: str, **settings: str) -> str:
        """Runs npm and returns its output; an error of npm fails the test with that output."""
        ended, told = await self.tried(*words, **settings)
        assert 0 == ended, told
        return told

    async def tried(self, *words: str, **settings: str) -> tuple[int, str]:
        """Runs npm and returns its exit code and output."""
        assert NPM
        process = await asyncio.create_subprocess_exec(
            NPM,
            *words,
            cwd=self.folder,
            env={**os.environ, **settings},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        out, _ = await process.communicate()
        assert process.returncode is not None
        return process.returncode, out.decode()

    @asynccontextmanager
    async def served(self, port: int, service: str, *words: str) -> AsyncIterator[str]:
        """Serves the built page with Vite and yields its address."""
        assert NODE
        command = ["node_modules/vite/bin/vite.js", "preview", "--host", "127.0.0.1", "--port", str(port), *words]
        process = await asyncio.create_subprocess_exec(
            NODE,
            *command,
            "--strictPort",
            cwd=self.folder,
            env={**os.environ, "HIPPOGRAPH_URL": service},
            stdout=asyncio.subprocess.DEVNULL,
        )
        try:
            async with asyncio.timeout(PATIENCE_S), httpx.AsyncClient() as client:
                while not await _answers(client, f"http://127.0.0.1:{port}/"):
                    assert process.returncode is None, "vite preview ended"
                    await asyncio.sleep(0.1)
            yield f"http://127.0.0.1:{port}"
        finally:
            with suppress(ProcessLookupError):
                process.terminate()
            await process.wait()


async def _answers(client: httpx.AsyncClient, address: str) -> bool:
    try:
        return (await client.get(address)).is_success
    except httpx.TransportError:
        return False


@pytest.fixture(scope="module")
async def example(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Example:
    """Returns the page, installed by its lock file, with code generated from the committed schema, and type-checked."""
    copied = tmp_path_factory.mktemp("example")
    made = shutil.ignore_patterns("node_modules", "dist", "gql")
    shutil.copytree(root / "examples/web", copied / "examples/web", ignore=made)
    shutil.copy(root / "schema.graphql", copied)
    found = Example(copied / "examples/web")
    ended, told = await found.tried("ci", *RETRIES)
    if ended and any(code in told for code in UNREACHABLE):
        pytest.skip("NOT BUILT: the npm registry cannot be reached, so examples/web was not tried")
    assert 0 == ended, told
    await found.npm("run", "generate")
    await found.npm("run", "check")
    return found


@pytest.fixture
def guarded(service: Service) -> Service:
    """Returns the service with credentials required."""
    return replace(service, authenticator=Credentials(service.people, service.api_keys, None))


@pytest.fixture
async def ada(guarded: Service) -> str:
    """Returns the id of a person with an account."""
    return await guarded.people.with_account("ada", "Ada Byron")


@pytest.fixture
async def key(guarded: Service, ada: str) -> str:
    """Returns an API key of Ada."""
    return (await guarded.api_keys.create("ada", "a browser"))[1]


@pytest.fixture
async def page() -> AsyncIterator[Page]:
    """Yields a page of a browser."""
    async with opened_page() as page:
        yield page


class Heard:
    """The addresses that a page requests, and the frames that it receives over WebSockets."""

    def __init__(self, page: Page) -> None:
        self.addresses: list[str] = []
        self.frames: list[str] = []
        page.on("request", lambda request: self.addresses.append(request.url))
        page.on("websocket", self._listen)

    def _listen(self, opened: WebSocket) -> None:
        self.addresses.append(opened.url)
        opened.on("framereceived", lambda frame: self.frames.append(str(frame)))

    def elsewhere(self, *origins: str) -> list[str]:
        """Returns the requested addresses of other origins than these."""
        return [one for one in self.addresses if not one.startswith(origins) and not one.startswith("data:")]

    async def by_socket(self, words: str) -> None:
        """Waits until a memory with these words has come over a WebSocket."""
        async with asyncio.timeout(PATIENCE_S):
            while not any("memoryAdded" in frame and words in frame for frame in self.frames):  # noqa: ASYNC110
                await asyncio.sleep(0.05)


async def sign_in(page: Page, key: str) -> None:
    """Signs in with the keyboard alone."""
    await page.get_by_label("API key").fill(key)
    await page.keyboard.press("Enter")


async def make_chat(page: Page) -> None:
    """Creates the first chat and waits until the page offers it."""
    await page.get_by_label("Title of a new chat").fill("First hour")
    await page.get_by_role("button", name="Make chat").click()
    await expect(page.get_by_label("Talk in")).to_contain_text("First hour (private)")


async def say(page: Page, words: str) -> None:
    """Records a turn and waits until the page says so."""
    await page.get_by_label("What you say").fill(words)
    await page.get_by_role("button", name="Record").click()
    await expect(page.get_by_label("What you say")).to_be_empty()
    await expect(page.get_by_text("Recorded.")).to_be_visible()


async def followed(service: Service) -> None:
    """Waits until somebody is subscribed to new memories."""
    async with asyncio.timeout(PATIENCE_S):
        while not service.feed.followers:  # noqa: ASYNC110
            await asyncio.sleep(0.05)


@needs_npm
@needs_chromium
async def test_the_page(
    example: Example,
    page: Page,
    guarded: Service,
    serving: Any,
    drain: Callable[[], Awaitable[int]],
    raw: Any,
    ada: str,
    key: str,
) -> None:
    """A user signs in, records, searches, sees a causal path and opens a card. New memories appear, also after a
    restart of the service. The page requests nothing from other origins.
    """
    await example.npm("run", "build")
    heard, port = Heard(page), free_port()
    at = f"http://127.0.0.1:{port}"
    async with example.served(free_port(), at) as origin:
        async with serving(guarded, port):
            await refuses_pages_of_others(origin)
            await page.goto(origin)
            await sign_in(page, "hippo_wrong")
            await expect(page.get_by_role("alert")).to_contain_text("not known")
            await sign_in(page, key)
            await expect(page.get_by_text("Signed in as Ada Byron")).to_be_visible()
            await make_chat(page)
            await followed(guarded)

            news = page.get_by_role("region", name="New memories")
            for words in TALK:
                await say(page, words)
                await expect(news).to_contain_text(words)
                await heard.by_socket(words)
            await drain()
            await raw(CAUSES, said=list(TALK))
            await look_why(page)
            await remember(page)
            await look_at_card(page)
        await expect(news).to_contain_text("the service is away")
        await guarded.facts.remember(Viewer(ada), [Fact("The kettle was on while nobody listened.")])
        async with serving(guarded, port):
            await expect(news).to_contain_text("while nobody listened")
            await followed(guarded)
            await guarded.facts.remember(Viewer(ada), [Fact("The tea is ready.")])
            await expect(news).to_contain_text("The tea is ready.")
            await heard.by_socket("The tea is ready.")
    assert [] == heard.elsewhere(origin, origin.replace("http", "ws"))


async def refuses_pages_of_others(origin: str) -> None:
    """Asserts that the proxy refuses foreign origins, on WebSockets too; the service sees only the proxy's origin."""
    foreign = {"origin": "http://evil.example"}
    async with httpx.AsyncClient() as client:
        answer = await client.post(f"{origin}/graphql", json={"query": "{ __typename }"}, headers=foreign)
    assert 404 == answer.status_code
    with pytest.raises(InvalidStatus):
        await connect(f"{origin.replace('http', 'ws')}/graphql", additional_headers=foreign)


async def look_why(page: Page) -> None:
    """Asks a why question, and expects a path from the effect to its cause."""
    await page.get_by_label("Your question").fill("Why did we cancel the picnic, and what else came of it?")
    await page.keyboard.press("Enter")
    results = page.get_by_role("region", name="Search")
    await expect(results).to_contain_text("Read as a why question")
    await expect(results).to_contain_text("by its words")
    lists = await results.get_by_role("list", name="The way to it, by cause and effect").all()
    ways = [await each.get_by_role("listitem").all_inner_texts() for each in lists]
    assert any([TALK[1], TALK[2]] == way[-2:] for way in ways), ways


async def remember(page: Page) -> None:
    """Remembers a fact about an unknown person, which is refused with a message, and then one about a known person."""
    await page.get_by_label("The fact").fill("Ben plays the cello in a string quartet.")
    await page.get_by_label("About").fill("person:nobody")
    await page.get_by_label("Significant").check()
    await page.get_by_role("button", name="Remember").click()
    await expect(page.get_by_role("alert")).to_contain_text("person:nobody")
    await page.get_by_label("About").fill("person:ben")
    await page.get_by_role("button", name="Remember").click()
    await expect(page.get_by_text("Remembered.")).to_be_visible()


async def look_at_card(page: Page) -> None:
    """Opens the card of a person whom a search result names."""
    await page.get_by_role("region", name="Search").get_by_role("button", name="Ben", exact=True).first.click()
    card = page.get_by_role("region", name="Ben", exact=True)
    await expect(card).to_contain_text("person:ben")
    await expect(card).to_contain_text("Ben plays the cello")


@needs_npm
@needs_chromium
async def test_a_page_of_an_allowed_origin(
    example: Example, page: Page, guarded: Service, serving: Any, key: str
) -> None:
    """A page of an allowed origin uses the service directly, without a proxy."""
    heard, port = Heard(page), free_port()
    allowed = guarded.settings.model_copy(update={"allowed_origins": (f"http://127.0.0.1:{port}",)})
    async with serving(replace(guarded, settings=allowed)) as address:
        await example.npm("run", "build", "--", "--outDir", "apart", VITE_SERVICE=f"http://{address}/graphql")
        async with example.served(port, "http://127.0.0.1:9", "--outDir", "apart") as origin:
            await page.goto(origin)
            await sign_in(page, key)
            await make_chat(page)
            await followed(guarded)
            await say(page, "The door is open.")
            await expect(page.get_by_role("region", name="New memories")).to_contain_text("The door is open.")
            await heard.by_socket("The door is open.")
    assert [] == heard.elsewhere(origin, f"http://{address}/graphql", f"ws://{address}/graphql")


async def test_the_lines_of_python(root: Path, guarded: Service, serving: Any, key: str) -> None:
    """The documented Python code remembers a fact and finds it; only the address and the key are replaced."""
    pytest.importorskip(
        "gql", reason="NOT RUN: gql is not installed, so the lines of docs/how-to/clients.md were not tried"
    )
    [lines] = re.findall(
        r"```python\n(from gql.+?)```", (root / "docs/how-to/clients.md").read_text("utf-8"), re.DOTALL
    )
    async with serving(guarded) as address:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            lines.replace("127.0.0.1:8000", address).replace("hippo_…", key),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        out, errors = await process.communicate()
    assert 0 == process.returncode, errors.decode()
    remembered, found = out.decode().splitlines()
    assert "memoryId" in remembered
    assert found.endswith("My sister Lena lives in Trieste.")


def test_the_lock_names_no_registry(root: Path) -> None:
    """The files of npm name no registry, so that packages come from the one npm is configured for."""
    for file in ("package.json", "package-lock.json", ".npmrc"):
        text = (root / "examples/web" / file).read_text("utf-8")
        assert '"resolved"' not in text
        assert "registry." not in text
