"""Checks of a database on a server, possible while the bot runs.

Reads only: the schema is not upgraded.
"""

from __future__ import annotations

from bot.ops.checks.finding import CheckResult, note, ok, wrong
from bot.runtime.connection_string import warnings
from bot.runtime.store_address import DatabaseServer
from bot.store.engine.migration import newest_revision
from bot.store.errors import StoreError
from bot.store.postgres.opening import other_users, read_server_revision

OTHERS = (
    "other users of that server may connect to it: {names}. They can read nothing, but they can hold a lock for which "
    "every bot waits. Say there: REVOKE CONNECT ON DATABASE ... FROM PUBLIC"
)


async def server(database: DatabaseServer) -> list[CheckResult]:
    """Return the findings about the address, the database and its users."""
    unused = [note("address", said) for said in warnings(database.connection_string)]
    users = await others(database)
    return [*unused, await reached(database), *([users] if users else [])]


async def reached(database: DatabaseServer) -> CheckResult:
    """Return the finding about the connection and the schema's version."""
    try:
        version = await read_server_revision(database)
    except StoreError as error:
        return wrong("database", str(error))
    if version is None:
        return note("database", f"it is empty yet; its tables are made at the first start: {database}")
    if version != newest_revision():
        return note(
            "database", f"reached, schema {version}; the next start brings it up to {newest_revision()}: {database}"
        )
    return ok("database", f"reached, schema {version}: {database}")


async def others(database: DatabaseServer) -> CheckResult | None:
    """Return the finding about other users with access; None if there are none, or without a connection."""
    try:
        names = await other_users(database)
    except StoreError:
        return None
    return note("database users", OTHERS.format(names=", ".join(names))) if names else None
