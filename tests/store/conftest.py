"""A place for a database, and one that is open."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store.store import Store
from tests.blank import blank
from tests.store.given import now


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "bigger.db"


@pytest.fixture
async def store(path: Path) -> AsyncIterator[Store]:
    blank(path)
    store = await Store.open(path, now)
    yield store
    await store.close()
