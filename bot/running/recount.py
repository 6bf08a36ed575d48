"""Reckoning anew what follows from finished matches: ratings and all that is added up. Refuses to know how."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from bot.club.leaderboards import Leaderboards
from bot.club.ledger import Ledgers
from bot.ground.address import Address
from bot.ground.server_settings import ServerSettings
from bot.store.store import Store


async def recounting(database: Address, say: Callable[[str], None]) -> None:
    """Write the books anew. Raises StoreError, also while the bot runs."""
    store = await Store.open(database, lambda: datetime.now(UTC))
    try:
        kept = await store.server_settings()
        chosen = {guild: ServerSettings.read(values) for guild, values in kept.items()}
        say(f"Reckoned anew: {await Leaderboards(store, chosen).recount()} ladders.")
        say(f"Added up anew: {await Ledgers(store).recount()} ledgers.")
    finally:
        await store.close()
