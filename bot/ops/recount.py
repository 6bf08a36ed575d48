"""``python -m bot recount``: recomputes ratings and ledgers from finished matches."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from bot.club.leaderboards import Leaderboards
from bot.club.ledger import Ledgers
from bot.domain.server_settings import ServerSettings
from bot.runtime.progress import interruptible
from bot.runtime.store_address import Address
from bot.store.store import Store

STOPPED = (
    "Stopped. What was reckoned so far is kept, and the bot reckons the rest where somebody asks for it. Say the same "
    "again to have all of it done now."
)


async def recounting(database: Address, say: Callable[[str], None]) -> None:
    """Recompute all ladders and ledgers. Raises StoreError, also if the bot is running."""
    store = await Store.open(database, lambda: datetime.now(UTC))
    try:
        with interruptible(STOPPED):
            await _recount(store, say)
    finally:
        await store.close()


async def _recount(store: Store, say: Callable[[str], None]) -> None:
    kept = await store.servers.settings()
    chosen = {guild: ServerSettings.read(values) for guild, values in kept.items()}
    say(f"Reckoned anew: {await Leaderboards(store, chosen).recount()} ladders.")
    say(f"Added up anew: {await Ledgers(store).recount()} ledgers.")
