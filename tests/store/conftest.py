"""A place for a database, in a file and on a server, and one that is open."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from bot.ground.address import Address
from bot.store.store import Store
from tests.blank import blank
from tests.in_place import without_threads
from tests.postgres import a_server_database, give_back
from tests.store.given import now


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "bigger.db"


@pytest.fixture(params=["file", "server"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Address]:
    """A blank database, once in a file and once on a server."""
    if request.param == "file":
        blank(tmp_path / "bigger.db")
        yield tmp_path / "bigger.db"
    else:
        database = a_server_database()
        yield database
        give_back(database)


@pytest.fixture
def in_place() -> Iterator[None]:
    """Let databases in files work in the thread that asks: for tests that write much, and not about how it is done."""
    with without_threads():
        yield


@pytest.fixture
async def store(address: Address) -> AsyncIterator[Store]:
    store = await Store.open(address, now)
    yield store
    await store.close()
