"""Starts a Chromium, and a sandbox with its page."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.async_api import Browser

START_TIMEOUT = 60.0  # seconds for Chromium to start
Announce = Callable[[str], None]
Opening = Callable[[Announce], Awaitable[None]]

CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


class NoBrowser(Exception):
    """No browser was found; `str` is a message with a remedy."""


def chromium(bundled: str) -> str | None:
    """Return a Chromium: the one named in CHROMIUM, one on the path, or Playwright's own."""
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, CHROMIUMS)), None)
    return found or (bundled if Path(bundled).exists() else None)


@asynccontextmanager
async def browsing() -> AsyncIterator[Browser]:
    """Start a headless Chromium. Raises NoBrowser."""
    try:
        from playwright.async_api import async_playwright
    except ImportError as error:
        raise NoBrowser("no Playwright: `make check` installs it") from error
    async with async_playwright() as driver:
        executable = chromium(driver.chromium.executable_path)
        if executable is None:
            raise NoBrowser("no Chromium: install one or run `playwright install chromium`")
        started = await driver.chromium.launch(
            executable_path=executable, args=list(CHROMIUM_FLAGS), timeout=START_TIMEOUT * 1000
        )
        try:
            yield started
        finally:
            await started.close()


@asynccontextmanager
async def served(opening: Opening) -> AsyncIterator[str]:
    """Serve a sandbox within the block; yield the address of its page."""
    lines: asyncio.Queue[str] = asyncio.Queue()
    serving = asyncio.ensure_future(opening(lines.put_nowait))
    first = asyncio.create_task(lines.get())
    try:
        await asyncio.wait([serving, first], return_when=asyncio.FIRST_COMPLETED)
        if serving.done():
            await serving
        yield (await first).split()[-1]
    finally:
        first.cancel()
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
