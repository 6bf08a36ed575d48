"""Servers on which Discord will fail, with and without threads; no error may ever reach the bot's log as a surprise."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from bot.delivery.boards import boards
from tests.support.world import ANN_LEADS, World, world


@pytest.fixture
def deal(request: pytest.FixtureRequest) -> str:
    """Return which cards are dealt: a file of tests may say so by DEAL."""
    return str(getattr(request.module, "DEAL", ANN_LEADS))


@pytest_asyncio.fixture
async def here(tmp_path: Path, deal: str) -> AsyncIterator[World]:
    """Give a server as elsewhere."""
    async with world(tmp_path, deal=deal) as made:
        yield made


@pytest_asyncio.fixture
async def roomy(tmp_path: Path, deal: str) -> AsyncIterator[World]:
    """Give a server on which the bot may open threads."""
    async with world(tmp_path, threads=True, deal=deal) as made:
        yield made


@pytest.fixture(autouse=True)
def no_real_second_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a board be tried again so late that only wait() gets there."""
    monkeypatch.setattr(boards, "RETRIES", (10.0, 30.0, 60.0))


@pytest.fixture(autouse=True)
def nothing_unforeseen(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Fail where an error of Discord ended in a traceback: each has its own sentence in the log."""
    yield
    records = [each for when in ("setup", "call") for each in caplog.get_records(when)]
    ours = [each for each in records if each.name.startswith(("bot", "cogs", "asyncio"))]
    assert not [each.getMessage() for each in ours if each.exc_info or each.levelno > logging.ERROR]
