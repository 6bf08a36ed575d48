"""Fixtures of the browser tests: a Chromium, and the sandbox served on a free port.

Without Playwright or a Chromium these tests are skipped with a message.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio
from discord.ext import commands

from bot.client import Bigger
from bot.launch import Launch
from bot.runtime.workers import Workers
from bot.sandbox import serve
from bot.settings import Settings
from tests.browser.opening import NoBrowser, Opening, browsing, served
from tests.moments.opening import open_at, parse_request
from tests.support.blank_database import create_blank_database
from tests.support.inline_database import without_threads
from tests.support.threads import ThreadWorkers

if TYPE_CHECKING:
    from playwright.async_api import Browser

    from tests.browser.page import SandboxPage

Build = Callable[[Callable[[], datetime]], commands.AutoShardedBot]
Open = Callable[..., Awaitable["SandboxPage"]]
At = Callable[..., Awaitable[str]]
Opened = Callable[[Opening], Awaitable[str]]
Real = Callable[[], AbstractAsyncContextManager[str]]

SEED = "7"  # of the matches of `real`


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """Start a headless Chromium for all tests of this process, which therefore share one event loop."""
    try:
        async with browsing() as started:
            yield started
    except NoBrowser as error:
        pytest.skip(f"there is no browser here: {error}")


@pytest_asyncio.fixture(loop_scope="session")
async def opened() -> AsyncIterator[Opened]:
    """A function that serves a sandbox and returns the address of its page."""
    async with AsyncExitStack() as stack:
        yield lambda opening: stack.enter_async_context(served(opening))


@pytest.fixture
def sandbox(opened: Opened) -> Callable[[Build], Awaitable[str]]:
    """A function that serves a bot in the sandbox on a free port and returns the address of the page."""
    return lambda build: opened(lambda announce: serve(build, port=0, announce=announce))


@pytest.fixture
def at(opened: Opened, tmp_path: Path) -> At:
    """A function that serves the sandbox at a moment of a match: `await at("b2", "end-of-hand")`."""
    database, workers = tmp_path / "games.db", Workers(caller=ThreadWorkers())

    async def start(*words: Any, **more: Any) -> str:
        create_blank_database(database)
        with without_threads():
            return await opened(lambda announce: open_at(parse_request(*words, **more), 0, database, announce, workers))

    return start


@pytest.fixture
def real(tmp_path: Path) -> Real:
    """A function that serves the sandbox with the bot, each time on the same database."""
    settings = Settings(database=tmp_path / "games.db", house_delay_seconds=0)

    def build(now: Callable[[], datetime]) -> Bigger:
        bot = Bigger(Launch(settings=settings, now=now, seed=lambda: SEED))
        bot.launch.workers = Workers(caller=ThreadWorkers())
        return bot

    @asynccontextmanager
    async def opening() -> AsyncIterator[str]:
        create_blank_database(tmp_path / "games.db")
        with without_threads():
            stack = AsyncExitStack()
            address = await stack.enter_async_context(served(lambda announce: serve(build, port=0, announce=announce)))
        async with stack:
            yield address

    return opening


@pytest_asyncio.fixture(loop_scope="session")
async def look(browser: Browser) -> AsyncIterator[Open]:
    """A function that opens the sandbox's address in a new tab as a viewer: `await look(address, "Ben")`."""
    from tests.browser.page import SandboxPage

    async def opened(address: str, viewer: str | None = None, **window: Any) -> SandboxPage:
        return await SandboxPage.open(browser, address, viewer, **window)

    yield opened
    for context in browser.contexts:
        await context.close()
