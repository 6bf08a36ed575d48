"""Fixtures every test may use."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from tests.world import World, world


@pytest_asyncio.fixture
async def here(tmp_path: Path) -> AsyncIterator[World]:
    """Give a server on which the bot serves one channel and may open no threads."""
    async with world(tmp_path) as made:
        yield made
