"""Servers with injected Discord errors, with and without threads; no error may end in an unexpected log record."""

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
    """Return the cards to deal: DEAL of the test module, or the default."""
    return str(getattr(request.module, "DEAL", ANN_LEADS))


@pytest_asyncio.fixture
async def here(tmp_path: Path, deal: str) -> AsyncIterator[World]:
    """Yield a server without threads."""
    async with world(tmp_path, deal=deal) as made:
        yield made


@pytest_asyncio.fixture
async def threaded(tmp_path: Path, deal: str) -> AsyncIterator[World]:
    """Yield a server on which the bot may open threads."""
    async with world(tmp_path, threads=True, deal=deal) as made:
        yield made


@pytest.fixture(autouse=True)
def retries_in_simulated_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Delay retries of boards so long that only wait() reaches them."""
    monkeypatch.setattr(boards, "RETRIES", (10.0, 30.0, 60.0))


@pytest.fixture(autouse=True)
def no_unexpected_errors(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Fail if an error of Discord ended in a traceback: the log has a sentence for each."""
    yield
    records = [each for when in ("setup", "call") for each in caplog.get_records(when)]
    ours = [each for each in records if each.name.startswith(("bot", "cogs", "asyncio"))]
    assert not [each.getMessage() for each in ours if each.exc_info or each.levelno > logging.ERROR]
