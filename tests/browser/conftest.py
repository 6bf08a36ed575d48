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
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio
from discord.ext import commands

from bot.sandbox import serve

if TYPE_CHECKING:
    from playwright.async_api import Browser

    from tests.browser.page import SandboxPage

Build = Callable[[Callable[[], datetime]], commands.AutoShardedBot]
Open = Callable[..., Awaitable["SandboxPage"]]

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
async def sandbox() -> AsyncIterator[Callable[[Build], Awaitable[str]]]:
    """Give a function that serves a bot in the sandbox on a free port and tells the page's address."""
    async with AsyncExitStack() as stack:

        async def start(build: Build) -> str:
            lines: asyncio.Queue[str] = asyncio.Queue()
            serving = asyncio.create_task(serve(build, port=0, announce=lines.put_nowait))
            stack.push_async_callback(_end, serving)
            first = asyncio.create_task(lines.get())
            await asyncio.wait([serving, first], return_when=asyncio.FIRST_COMPLETED)
            if serving.done():
                first.cancel()
                await serving
            return (await first).split()[-1]

        yield start


async def _end(serving: asyncio.Task[None]) -> None:
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
