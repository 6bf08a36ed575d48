"""What the browser tests stand on: a Chromium, and the sandbox served on a free port.

Where Playwright or a Chromium is missing, the tests that ask for one are skipped and say so.
"""

from __future__ import annotations

import asyncio
import os
import shutil
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
from tests.moments.opening import open_at, read

if TYPE_CHECKING:
    from playwright.async_api import Browser

    from tests.browser.page import SandboxPage

Build = Callable[[Callable[[], datetime]], commands.AutoShardedBot]
Announce = Callable[[str], None]
Open = Callable[..., Awaitable["SandboxPage"]]
At = Callable[..., Awaitable[str]]
Opened = Callable[[Callable[[Announce], Awaitable[None]]], Awaitable[str]]

CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
QUIET = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip


def chromium(bundled: str) -> str | None:
    """Find a Chromium: the one named in CHROMIUM, one on the path, or Playwright's own."""
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, CHROMIUMS)), None)
    return found or (bundled if Path(bundled).exists() else None)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """Start a headless Chromium for all tests of this process; they run in one event loop therefore."""
    playwright = pytest.importorskip("playwright.async_api")
    async with playwright.async_playwright() as driver:
        executable = chromium(driver.chromium.executable_path)
        if executable is None:
            pytest.skip("no Chromium: install one or run `playwright install chromium`")
        started = await driver.chromium.launch(executable_path=executable, args=list(QUIET))
        try:
            yield started
        finally:
            await started.close()


@pytest_asyncio.fixture(loop_scope="session")
async def opened() -> AsyncIterator[Opened]:
    """Give a function that opens a sandbox, which is told where to announce itself, and tells the page's address."""
    async with AsyncExitStack() as stack:

        async def start(opening: Callable[[Announce], Awaitable[None]]) -> str:
            lines: asyncio.Queue[str] = asyncio.Queue()
            serving = asyncio.ensure_future(opening(lines.put_nowait))
            stack.push_async_callback(_end, serving)
            first = asyncio.create_task(lines.get())
            await asyncio.wait([serving, first], return_when=asyncio.FIRST_COMPLETED)
            if serving.done():
                first.cancel()
                await serving
            return (await first).split()[-1]

        yield start


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


async def _end(serving: asyncio.Future[None]) -> None:
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)


@pytest_asyncio.fixture(loop_scope="session")
async def look(browser: Browser) -> AsyncIterator[Open]:
    """Give a function that opens the sandbox's address in a new tab as a viewer: `await look(address, "Ben")`."""
    from tests.browser.page import SandboxPage

    async def opened(address: str, viewer: str | None = None) -> SandboxPage:
        return await SandboxPage.open(browser, address, viewer)

    yield opened
    for context in browser.contexts:
        await context.close()
