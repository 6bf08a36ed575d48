"""``python -m tests.standin.keeper <path>``: opens a database, writes a note, and leaves the database open."""

import asyncio
import sys
from datetime import UTC, datetime
from pathlib import Path

from bot.store.store import Store


async def hold_open(path: Path) -> None:
    """Open the database and wait for ever."""
    store = await Store.open(path, lambda: datetime.now(UTC))
    await store.notes.remember("who", "the first")
    print("ready")
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(hold_open(Path(sys.argv[1])))
