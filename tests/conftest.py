"""Fixtures every test may use."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from tests.support import card_reprs, law_settings  # noqa: F401  # a profile for hypothesis, and what pytest shows

if TYPE_CHECKING:
    from tests.support.world import World

pytest_plugins = ("pytester", "tests.support.quick_tests", "tests.support.rotation", "tests.support.test_order")
# Some bots run in processes of their own, which load all again: what has been compiled once is kept.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
os.umask(0o077)  # as the program does
gc.disable()  # until all is collected: it stays
gc.set_threshold(20_000, 10, 10)  # a simulated world is much that refers to much: looked through seldom


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip on Windows what cannot be there."""
    for item in items if sys.platform == "win32" else ():
        if mark := item.get_closest_marker("posix"):
            item.add_marker(pytest.mark.skip(reason=f"not on Windows: {mark.args[0]}"))


def pytest_collection_finish() -> None:
    """Leave what has been imported and collected out of every later search for garbage: it stays to the end."""
    gc.collect()
    gc.freeze()
    gc.enable()


def pytest_sessionfinish() -> None:
    """Stop the PostgreSQL server shared by this run's processes, after the last use."""
    if postgres := sys.modules.get("tests.support.postgres"):
        postgres.release_server()


@pytest_asyncio.fixture
async def here(tmp_path: Path) -> AsyncIterator[World]:
    """Give a server on which the bot serves one channel and may open no threads."""
    from tests.support.world import world  # only where one is asked for: it loads the whole bot

    async with world(tmp_path) as made:
        yield made
