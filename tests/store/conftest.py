"""A place for a database, in a file and on a server, and one that is open.

A test that takes ``address`` or ``store`` runs on a file, and on a server as well only where the server may answer
otherwise: ``@pytest.mark.both_databases("why")``. With ``--turn=all``, as in ``make soak``, and where it is named on
the command line, each runs on both. A test without the mark executes no statement on a server that no marked one
executes.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from bot.runtime.store_address import Address, DatabaseServer
from bot.store.postgres import connection, opening
from bot.store.postgres.connection import SETTINGS
from bot.store.store import Store
from tests.store.sample_tables import now
from tests.support.blank_database import create_blank_database
from tests.support.inline_database import without_threads
from tests.support.postgres import borrow_database, return_database
from tests.support.rotation import ALL, turn_of

HERE = Path(__file__).parent
A_MINUTE = 60.0  # seconds


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out on a server what is not marked, but for the run of all turns."""
    left = {item for item in items if on_a_server(item) and not item.get_closest_marker("both_databases")}
    for item in left:
        item.add_marker(pytest.mark.rotates(1))  # so that the run of all turns finds it
    if turn_of(config) == ALL or any("::" in arg for arg in config.args):
        return
    config.hook.pytest_deselected(items=[item for item in items if item in left])
    items[:] = [item for item in items if item not in left]


def on_a_server(item: pytest.Item) -> bool:
    """Tell whether this is the case of a test of the store on a server."""
    chosen = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
    return item.path.parent == HERE and chosen.get("address") == "server"


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Raise the timeouts of a database server: no other test depends on its speed."""
    monkeypatch.setattr(connection, "TIMEOUT", A_MINUTE)
    monkeypatch.setattr(opening, "RECONNECT_SECONDS", A_MINUTE)
    monkeypatch.setattr(opening, "CONFLICT_SECONDS", A_MINUTE)
    for limit in ("lock_timeout", "idle_in_transaction_session_timeout"):
        monkeypatch.setitem(SETTINGS, limit, f"{A_MINUTE:.0f}s")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Where a database may lie: there is none."""
    return tmp_path / "bigger.db"


@pytest.fixture
def path(place: Path) -> Path:
    """A blank database in a file."""
    create_blank_database(place)
    return place


@pytest.fixture(params=["file", "server"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Address]:
    """A blank database, in a file or on a server."""
    if request.param == "file":
        create_blank_database(tmp_path / "bigger.db")
        yield tmp_path / "bigger.db"
    else:
        database = borrow_database()
        yield database
        return_database(database)


@pytest.fixture
def server() -> Iterator[DatabaseServer]:
    """A blank database on a server."""
    database = borrow_database()
    yield database
    return_database(database)


@pytest.fixture
def in_place() -> Iterator[None]:
    """Run databases in files in the calling thread, for tests with many unrelated writes."""
    with without_threads():
        yield


@pytest.fixture
async def store(address: Address) -> AsyncIterator[Store]:
    store = await Store.open(address, now)
    yield store
    await store.close()
