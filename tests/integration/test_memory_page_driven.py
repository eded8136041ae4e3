"""The pages of /memory in a real browser: by keyboard, without scripts, at a phone's width, in light and dark (A4)."""

import itertools
import json
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, BrowserContext, Page, expect

from hippograph.api.viewer import Credentials
from hippograph.graph.ids import new_id
from hippograph.graph.model import INTERNAL, ChatKind, Viewer
from hippograph.graph.people.people import Member
from hippograph.graph.writing.fact import Fact
from tests.browser import PATIENCE_S, needs_chromium, opened_browser

AXE = (Path(__file__).parents[1] / "axe" / "axe.min.js").read_text("utf-8")
SERIOUS = """async () => {
  const found = await axe.run(document, { resultTypes: ["violations"] });
  return found.violations.filter((one) => ["serious", "critical"].includes(one.impact))
    .map((one) => `${one.id}: ${one.nodes.map((node) => node.html + " " + node.failureSummary).join(" | ")}`);
}"""
LOOK = "() => [innerWidth, matchMedia('(prefers-color-scheme: dark)').matches]"
SIDEWAYS = "() => document.documentElement.scrollWidth > document.documentElement.clientWidth"
FOCUSED = """() => {
  const element = document.activeElement;
  return [(element.labels?.[0] ?? element).textContent.trim(), getComputedStyle(element).outlineStyle];
}"""
HOSTILE = '<script>window.hit = 1</script><img src=x onerror="window.hit = 1"> \u202edesrever ' + "w" * 300

expect.set_options(timeout=1000 * PATIENCE_S)
pytestmark = needs_chromium


@pytest.fixture(scope="module")
async def chromium() -> AsyncIterator[Browser]:
    """Yields the browser that the tests of this module share."""
    async with opened_browser() as browser:
        yield browser


@pytest.fixture
async def told(scene: Any, clock: Any, drain: Any) -> dict[str, str]:
    """Fills the graph with something for each page. Returns the ids of three memories, and Ben's key."""
    facts, people, me = scene.service.facts, scene.service.people, scene.service.viewer()
    turn = await scene.say("Ben has moved to Graz, he loves it.", by=scene.maya)
    for place, day in (("Linz", 3), ("Graz", 20)):
        moment = datetime(2024, 5, day, tzinfo=UTC)
        fact = Fact(f"I live in {place}", aspect="lives_in", value=place, event_time=moment, valid_from=moment)
        [home] = await facts.remember(me, [fact])
    [weak] = await facts.remember(me, [Fact("I own a kayak", confidence=0.5)])
    clock.advance(timedelta(days=30))
    [tea] = await facts.remember(me, [Fact("Ben and I prefer green tea", about=(scene.ben.key, scene.me))])
    await facts.remember(me, [Fact(HOSTILE, about=(scene.ben.key,), importance=3, evidence=(turn.memory_id,))])
    await people.create_person(me, "Robin Hale")
    await people.create_person(me, "Robin Hale", person_id=new_id())
    members = [Member(scene.maya.id), Member(scene.me)]
    await people.create_chat(Viewer(scene.maya.id), ChatKind.GROUP, HOSTILE[:100], members)
    await drain()
    return {"tea": tea.memory_id, "weak": weak.memory_id, "home": home.memory_id, "ben": scene.ben.key}


def paths(told: dict[str, str]) -> list[str]:
    """Returns addresses that cover every page."""
    return [
        "/memory",
        "/memory?q=green+tea",
        "/memory?q=qqqq",
        "/memory/me",
        "/memory/me?show=all",
        "/memory/people",
        f"/memory/entity?key={told['ben']}",
        "/memory/timeline",
        "/memory/weak",
        "/memory/merges",
        "/memory/invitations",
        "/memory/forgotten",
        f"/memory/item/{told['tea']}",
        f"/memory/item/{told['home']}",
        "/memory/sign-in",
        "/memory/nowhere",
    ]


async def _opened(chromium: Browser, **more: Any) -> tuple[BrowserContext, Page, list[str]]:
    """Opens an empty page. The list collects script errors, violations of the content security policy, and requests to
    other hosts.
    """
    context = await chromium.new_context(**more)
    context.set_default_timeout(1000 * PATIENCE_S)
    page, wrong = await context.new_page(), list[str]()
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on(
        "console", lambda message: wrong.append(message.text) if "Content Security Policy" in message.text else None
    )
    page.on("request", lambda asked: None if "//127.0.0.1:" in asked.url else wrong.append(asked.url))
    return context, page, wrong


async def _look(page: Page, width: int, scheme: Any) -> None:
    """Gives the page a width and a color scheme."""
    await page.set_viewport_size({"width": width, "height": 800})
    await page.emulate_media(color_scheme=scheme)


async def test_everybody_can_read_and_use_every_page(
    told: dict[str, str], chromium: Browser, serving: Any, scene: Any
) -> None:
    """With all details of a page open, axe reports no serious or critical violation and the page does not scroll
    sideways, at the widths of a phone and of a desk, in light and in dark, also if a page is loaded at a desk and then
    shrunk. No injected script runs, and no other host is contacted.
    """
    looks = list(itertools.product((360, 1280), ("light", "dark")))
    visits = [*((path, looks) for path in paths(told)), (f"/memory/item/{told['tea']}", looks[::-1])]
    async with serving(scene.service) as host:
        context, page, wrong = await _opened(chromium, reduced_motion="reduce")
        for path, in_turn in visits:
            await _look(page, *in_turn[0])
            await page.goto(f"http://{host}{path}", wait_until="networkidle")
            await page.evaluate("() => document.querySelectorAll('details').forEach((each) => { each.open = true; })")
            await page.evaluate(AXE)
            for width, scheme in in_turn:
                await _look(page, width, scheme)
                assert [width, scheme == "dark"] == await page.evaluate(LOOK)
                assert (path, width, scheme, False) == (path, width, scheme, await page.evaluate(SIDEWAYS))
                assert (path, width, scheme, []) == (path, width, scheme, await page.evaluate(SERIOUS))
            assert None is await page.evaluate("() => window.hit ?? null")
        await context.close()
    assert [] == wrong


async def test_a_memory_is_found_and_forgotten_by_keyboard(
    told: dict[str, str], chromium: Browser, serving: Any, scene: Any
) -> None:
    """A memory is searched, opened and forgotten with the keyboard alone, and what has the focus has an outline."""
    async with serving(scene.service) as host:
        context, page, _ = await _opened(chromium)
        await page.goto(f"http://{host}/memory")

        async def tab_to(name: str, prefix: bool = False) -> None:
            for _ in range(60):
                await page.keyboard.press("Tab")
                label, outline = await page.evaluate(FOCUSED)
                if label == name or (prefix and label.startswith(name)):
                    assert "none" != outline
                    return
            raise AssertionError(f"no Tab leads to {name!r}")

        await tab_to("A question or words")
        await page.keyboard.type("green tea")
        await page.keyboard.press("Enter")
        await expect(page.locator("#results")).to_have_text("Results")
        await tab_to("Ben and I prefer green tea", prefix=True)
        await page.keyboard.press("Enter")
        await expect(page.locator("h1")).to_have_text("Ben and I prefer green tea")
        await tab_to("Forget")
        await page.keyboard.press("Enter")
        await tab_to("Forget it")
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("status")).to_contain_text("Forgotten.")
        assert "q=green+tea" in page.url
        await expect(page.locator("main")).not_to_contain_text("prefer green tea")
        await context.close()
    assert None is await scene.service.memories.held(scene.service.viewer(), told["tea"])


@pytest.mark.parametrize(
    ("button", "told_so", "taking_part"), [("Accept", "You take part.", 1), ("Decline", "Declined.", 0)]
)
async def test_an_invitation_is_answered_with_a_button(
    told: dict[str, str], chromium: Browser, serving: Any, scene: Any, button: str, told_so: str, taking_part: int
) -> None:
    """The menu leads to an invitation, which a button accepts or declines; then no invitation is left."""
    async with serving(scene.service) as host:
        context, page, wrong = await _opened(chromium)
        await page.goto(f"http://{host}/memory")
        await page.get_by_role("link", name="Invitations").click()
        await page.get_by_role("button", name=button).click()
        await expect(page.get_by_role("status")).to_have_text(told_so)
        await expect(page.locator("main")).to_contain_text("No group invites you.")
        await context.close()
    assert [] == wrong
    chats = await scene.service.browsing.chats(scene.service.viewer())
    assert taking_part == sum(listed.item.title.startswith("<script>") for listed in chats.items)


async def test_the_first_tab_skips_to_the_content(
    told: dict[str, str], chromium: Browser, serving: Any, scene: Any
) -> None:
    """The first Tab leads to a link that moves the focus past the menu to the content."""
    async with serving(scene.service) as host:
        context, page, _ = await _opened(chromium)
        await page.goto(f"http://{host}/memory/people")
        await page.keyboard.press("Tab")
        await expect(page.locator(":focus")).to_have_text("Skip to the content")
        await page.keyboard.press("Enter")
        assert "main" == await page.evaluate("() => document.activeElement.id")
        await context.close()


async def test_the_list_follows_the_slider(told: dict[str, str], chromium: Browser, serving: Any, scene: Any) -> None:
    """A slider that is moved to its start shows what was valid on that day, without a new page. It names the day, and
    the address keeps it over a reload.
    """
    async with serving(scene.service) as host:
        context, page, _ = await _opened(chromium)
        await page.goto(f"http://{host}/memory/timeline")
        await page.evaluate("() => { window.same = true; }")
        await expect(page.locator("#moments")).to_contain_text("I live in Graz")
        await page.get_by_role("slider").focus()
        await page.keyboard.press("Home")
        await expect(page.locator("#moments")).to_contain_text("I live in Linz")
        await expect(page.locator("#moments")).not_to_contain_text("I live in Graz")
        await expect(page.get_by_role("slider")).to_have_attribute("aria-valuetext", "3 May 2024")
        await expect(page).to_have_url(re.compile(r"day=\d+"))
        assert await page.evaluate("() => window.same")
        await page.reload()
        await expect(page.locator("#chosen")).to_have_text("3 May 2024")
        await expect(page.locator("#moments")).not_to_contain_text("I live in Graz")
        await context.close()


async def test_the_graph_is_drawn(told: dict[str, str], chromium: Browser, serving: Any, scene: Any) -> None:
    """All nodes of the graph are drawn on a canvas, and no other host is contacted."""
    async with serving(scene.service) as host:
        context, page, wrong = await _opened(chromium)
        await page.goto(f"http://{host}/memory/item/{told['tea']}")
        drawn = page.locator("[data-drawn]")
        await expect(drawn).to_be_visible()
        graph = json.loads(await drawn.get_attribute("data-graph") or "")
        assert str(len(graph["nodes"])) == await drawn.get_attribute("data-drawn")
        assert 0 < await page.locator(".canvas canvas").count()
        await context.close()
    assert [] == wrong


async def test_everything_works_without_scripts(
    told: dict[str, str], chromium: Browser, serving: Any, scene: Any
) -> None:
    """Without JavaScript a user can search, open, pin and correct a memory, and choose a day; only the drawing is
    hidden.
    """
    async with serving(scene.service) as host:
        context, page, _ = await _opened(chromium, java_script_enabled=False)
        await page.goto(f"http://{host}/memory")
        await page.get_by_label("A question or words").fill("green tea")
        await page.get_by_role("button", name="Search").click()
        await page.get_by_role("link", name="Ben and I prefer green tea").first.click()
        await expect(page.locator(".drawing")).to_be_hidden()
        await expect(page.locator(".ties").first).to_contain_text("Ben Okafor")
        await page.get_by_role("button", name="Pin").click()
        await expect(page.get_by_role("status")).to_contain_text("Pinned.")
        await page.locator("summary", has_text="Correct").click()
        await page.get_by_label("What is true instead").fill("Ben and I prefer black tea")
        await page.get_by_role("button", name="Save the correction").click()
        await expect(page.locator("h1")).to_have_text("Ben and I prefer black tea")
        day = datetime(2024, 5, 10, tzinfo=UTC).toordinal()
        await page.goto(f"http://{host}/memory/timeline?day={day}")
        await expect(page.locator("#chosen")).to_have_text("10 May 2024")
        await page.get_by_role("button", name="Show").click()
        await expect(page.locator("#moments")).to_contain_text("I live in Linz")
        await context.close()


async def test_one_signs_in_and_out(chromium: Browser, serving: Any, scene: Any) -> None:
    """A user signs in with an API key, which no script can read; a wrong key is refused. After signing out, the pages
    ask for the key again.
    """
    service = scene.service
    await service.people.create_person(INTERNAL, "Maya", user_id="maya", person_id=scene.maya.id)
    await service.facts.remember(Viewer(scene.maya.id), [Fact("Maya collects clocks", about=(scene.maya.key,))])
    key = (await service.api_keys.create("maya", "a test"))[1]
    guarded = replace(service, authenticator=Credentials(service.people, service.api_keys, None))
    async with serving(guarded) as host:
        context, page, _ = await _opened(chromium)
        await page.goto(f"http://{host}/memory/me")
        await page.get_by_label("Your API key").fill("hippo_wrong")
        await page.get_by_role("button", name="Sign in").click()
        await expect(page.get_by_role("alert")).to_contain_text("opens nothing")
        await page.get_by_label("Your API key").fill(key)
        await page.get_by_role("button", name="Sign in").click()
        await expect(page.locator("main")).to_contain_text("Maya collects clocks")
        assert "" == await page.evaluate("() => document.cookie")
        await page.get_by_role("button", name="Sign out").click()
        await expect(page.locator("h1")).to_have_text("Sign in to your memory")
        await page.goto(f"http://{host}/memory/me")
        await expect(page.get_by_label("Your API key")).to_be_visible()
        await context.close()


async def test_a_page_of_another_site_changes_nothing(
    told: dict[str, str], chromium: Browser, serving: Any, scene: Any
) -> None:
    """A form that a page of another origin submits in a real browser is refused, and the memory stays."""
    async with serving(scene.service) as host, serving(scene.service) as other:
        context, page, _ = await _opened(chromium, bypass_csp=True)
        await page.goto(f"http://{other}/memory")
        action = f"http://{host}/memory/item/{told['tea']}/forget"
        async with page.expect_response(action) as refused:
            await page.evaluate(
                "(action) => { const form = document.createElement('form'); form.method = 'post'; form.action = action;"
                " document.body.append(form); form.submit(); }",
                action,
            )
        assert 403 == (await refused.value).status
        await context.close()
    assert await scene.service.memories.held(scene.service.viewer(), told["tea"])
