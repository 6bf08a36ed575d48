"""What can be checked of a database on a server, also while the bot runs.

Reads only: nothing is brought up to date.
"""

from __future__ import annotations

from bot.ground.address import Server
from bot.running.checks.finding import Finding, note, ok, wrong
from bot.store.errors import StoreError
from bot.store.migrating import newest
from bot.store.server_opening import look


async def server(database: Server) -> Finding:
    """Return whether the database can be reached, and of which version it is."""
    try:
        version = await look(database)
    except StoreError as error:
        return wrong("database", str(error))
    if version is None:
        return note("database", f"it is empty yet; its tables are made at the first start: {database}")
    if version != newest():
        return note("database", f"reached, schema {version}; the next start brings it up to {newest()}: {database}")
    return ok("database", f"reached, schema {version}: {database}")
