"""``python -m tests.standin.keeper <path>``: opens a database, remembers something in it, and keeps it open."""

import asyncio
import sys
from datetime import UTC, datetime
from pathlib import Path

from bot.store.store import Store


async def keep(path: Path) -> None:
    """Open it, and do not close it."""
    store = await Store.open(path, lambda: datetime.now(UTC))
    await store.notes.remember("who", "the first")
    print("ready")
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(keep(Path(sys.argv[1])))
