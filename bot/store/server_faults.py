"""What an error of a PostgreSQL server means, in a sentence for whoever runs the bot.

Knows the states that SQL gives its errors; refuses to know which statement failed, so that no seed gets into a message.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import asyncpg
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as NoConnection

from bot.ground.address import Server

AWAY = "The database {name} cannot be reached ({error}). Nothing is lost; it is tried again with every step."
REFUSED = "The database server does not let the bot in ({error}). Look at the user and the password in BIGGER_DATABASE."
NONE = "There is no database {name} yet. Make one on the server: CREATE DATABASE."
NO_RIGHT = "The bot's user may not do this in the database {name} ({error}). Make it the owner of that database."
CROWDED = "The database server has no room for another connection. Let it have more (max_connections), or end some."
FULL = "The disk of the database server is full: nothing more can be kept in {name}. Nothing was half written."
BUSY = "Too many wrote into {name} at the same moment. Nothing of this was written; try again."
UNKNOWN = "The connection to {name} was lost while something was being kept. What is kept is looked up again."
OTHER = "The database {name} refused an operation ({error}). Nothing of it was written."

SERIALIZATION, DEADLOCK, UNIQUE, LOCKED = "40001", "40P01", "23505", "55P03"
# Another transaction stood in the way, and nothing was written. LOCKED: a lock was waited for too long.
CONFLICTS: Final = frozenset({SERIALIZATION, DEADLOCK, LOCKED})
# Where two transactions add the same row, the server may tell the second of the row before it tells of the first.
AGAIN: Final = CONFLICTS | {UNIQUE}
SENTENCES: Final[Mapping[str, str]] = {
    "28P01": REFUSED,
    "28000": REFUSED,
    "3D000": NONE,
    "42501": NO_RIGHT,
    "53300": CROWDED,
    "53100": FULL,
    SERIALIZATION: BUSY,
    DEADLOCK: BUSY,
    LOCKED: BUSY,
}
GOING = ("08", "57P")  # connections lost, and a server that stops or starts
# All that the driver and the system may raise where a database is used, or cannot be.
UNREACHED: Final = (DBAPIError, NoConnection, asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError)


def state_of(error: BaseException) -> str:
    """Return the five characters by which SQL tells errors apart; "" where there are none."""
    found = error.orig if isinstance(error, DBAPIError) else error
    return str(getattr(found, "sqlstate", None) or "")


def is_lost(error: BaseException) -> bool:
    """Tell whether an error means that there is no connection (any longer)."""
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return True
    away = isinstance(error, (NoConnection, OSError, TimeoutError, asyncpg.InterfaceError))
    return away or state_of(error).startswith(GOING)


def sentence(server: Server, error: BaseException) -> str:
    """Say what an ``error`` of the driver or the system means for a database."""
    said = AWAY if is_lost(error) else SENTENCES.get(state_of(error), OTHER)
    return said.format(name=server, error=_kind(error))


def _kind(error: BaseException) -> str:
    """Name an error without repeating what it says, which may hold what was to be written."""
    found = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(found, OSError) and found.strerror:
        return found.strerror
    rule = getattr(getattr(found, "__cause__", None), "constraint_name", None)  # which was broken, not by what
    return " ".join(filter(None, (state_of(error) or type(found).__name__, rule)))
