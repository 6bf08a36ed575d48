"""A blank migrated database, created once a process and copied for each world.

A closed store is a single file. tests/store and tests/kill test that the bot creates it.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.store.store import Store


def create_blank_database(path: Path) -> None:
    """Create a blank database unless the file exists."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_blank_bytes())


@cache
def _blank_bytes() -> bytes:
    with TemporaryDirectory() as folder, ThreadPoolExecutor(1) as beside_the_loop:
        path = Path(folder) / "blank.db"
        beside_the_loop.submit(asyncio.run, _create(path)).result()
        return path.read_bytes()


async def _create(path: Path) -> None:
    await (await Store.open(path, lambda: datetime.now(UTC))).close()
