"""Nothing a person does may end in an error in the log, whatever the person gets to read."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.support.world import ANN_LEADS, World, world


@pytest.fixture(autouse=True)
def nothing_fails(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Fail where the bot has logged an error."""
    yield
    failed = [each for when in ("setup", "call") for each in caplog.get_records(when) if each.levelno >= logging.ERROR]
    assert not failed, [each.getMessage() for each in failed]


@pytest_asyncio.fixture
async def here(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[World]:
    """Give a server as elsewhere; a file of tests may say by DEAL which cards are dealt there."""
    async with world(tmp_path, deal=getattr(request.module, "DEAL", ANN_LEADS)) as made:
        yield made
