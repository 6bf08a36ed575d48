"""What the browser tests stand on: a Chromium, and the sandbox served on a free port.

Where Playwright or a Chromium is missing, the tests that ask for one are skipped and say so.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio
from discord.ext import commands

from bot.sandbox import serve
from tests.blank import blank
from tests.browser.opening import NoBrowser, Opening, browsing, served
from tests.moments.opening import open_at, read

if TYPE_CHECKING:
    from playwright.async_api import Browser

    from tests.browser.page import SandboxPage

Build = Callable[[Callable[[], datetime]], commands.AutoShardedBot]
Open = Callable[..., Awaitable["SandboxPage"]]
At = Callable[..., Awaitable[str]]
Opened = Callable[[Opening], Awaitable[str]]


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """Start a headless Chromium for all tests of this process; they run in one event loop therefore."""
    try:
        async with browsing() as started:
            yield started
    except NoBrowser as error:
        pytest.skip(str(error))


@pytest_asyncio.fixture(loop_scope="session")
async def opened() -> AsyncIterator[Opened]:
    """Give a function that opens a sandbox, which is told where to announce itself, and tells the page's address."""
    async with AsyncExitStack() as stack:
        yield lambda opening: stack.enter_async_context(served(opening))


@pytest.fixture
def sandbox(opened: Opened) -> Callable[[Build], Awaitable[str]]:
    """Give a function that serves a bot in the sandbox on a free port and tells the page's address."""
    return lambda build: opened(lambda announce: serve(build, port=0, announce=announce))


@pytest.fixture
def at(opened: Opened, tmp_path: Path) -> At:
    """Give a function that opens the sandbox at a moment of a match: `await at("b2", "end-of-hand")`."""

    def start(*words: Any, **more: Any) -> Awaitable[str]:
        blank(tmp_path / "games.db")
        return opened(lambda announce: open_at(read(*words, **more), 0, tmp_path / "games.db", announce))

    return start


@pytest_asyncio.fixture(loop_scope="session")
async def look(browser: Browser) -> AsyncIterator[Open]:
    """Give a function that opens the sandbox's address in a new tab as a viewer: `await look(address, "Ben")`."""
    from tests.browser.page import SandboxPage

    async def opened(address: str, viewer: str | None = None) -> SandboxPage:
        return await SandboxPage.open(browser, address, viewer)

    yield opened
    for context in browser.contexts:
        await context.close()
