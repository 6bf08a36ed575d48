"""Error messages of a PostgreSQL server, as sentences for the operator.

Maps SQLSTATE codes. A sentence never holds the failed statement, which might contain a seed.
"""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from typing import Final

import asyncpg
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as NoConnection

from bot.runtime.store_address import DatabaseServer
from bot.store.errors import DatabaseUnavailable, StoreError
from bot.store.postgres.connection import POOLED

AWAY = "The database {name} can't be reached ({error}). Nothing is lost; the bot keeps trying."
REFUSED = "The database server won't let the bot in ({error}). Check the user, the password and sslmode in its address."
UNTRUSTED = (
    "There's no secure connection to the database {name} ({error}). Check sslmode, sslrootcert, sslcert and sslkey "
    "in its address."
)
NO_TLS = "The server of the database {name} has no TLS. Switch it on there; within one machine sslmode=disable will do."
UNUSABLE = "The address of the database {name} can't be used: {error}."
NOT_WRITABLE = "No server of the database {name} accepts writes at the moment (target_session_attrs)."
STRANGE = (
    "What answers for the database {name} isn't a PostgreSQL server, or it's a pooler that refuses the address "
    "(08P01). Check the host and the port, and remove options from the address."
)
NONE = "There's no database {name} yet. Make one on the server: CREATE DATABASE."
NO_RIGHT = "The bot's user may not do this in the database {name} ({error}). Make it the owner of that database."
CROWDED = "The database server has no room for another connection. Raise max_connections, or end some."
FULL = "The disk of the database server is full: nothing more can be stored in {name}. Nothing was half written."
BUSY = "Too many programs wrote to {name} at the same moment. None of this was written; try again."
UNKNOWN = "The connection to {name} was lost while something was being stored. The bot checks what was stored."
OTHER = "The database {name} refused an operation ({error}). None of it was written."

SERIALIZATION, DEADLOCK, UNIQUE, LOCKED = "40001", "40P01", "23505", "55P03"
# Conflicts with another transaction: nothing was written. LOCKED: the wait for a lock timed out.
CONFLICTS: Final = frozenset({SERIALIZATION, DEADLOCK, LOCKED})
# After two inserts of one row, the server may report the duplicate before the conflict.
RETRIED_STATES: Final = CONFLICTS | {UNIQUE}
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
    "08P01": STRANGE,
    "26000": POOLED,  # a prepared statement is gone, or its name belongs to another client
    "42P05": POOLED,
}
LOST_CONNECTION_STATES = ("08", "57P")  # lost connections, and a server during its start or stop
# The errors of the driver and the system while a database is used or unreachable.
DATABASE_ERRORS: Final = (
    DBAPIError,
    NoConnection,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    OSError,
    TimeoutError,
)
LOST_TLS_ERRORS = (ssl.SSLEOFError, ssl.SSLZeroReturnError, ssl.SSLSyscallError)  # errors of a lost TLS connection
TEMPORARY_STATES = {"53300", "53100"}  # states that may end without a restart of the bot


def _driven(error: BaseException) -> BaseException:
    """Return the driver's or the system's error inside an error of SQLAlchemy."""
    found = error.orig if isinstance(error, DBAPIError) and error.orig else error
    cause = found.__cause__
    drivers = asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError
    return cause if isinstance(cause, drivers) else found


def state_of(error: BaseException) -> str:
    """Return the SQLSTATE code of an error; "" without one."""
    return str(getattr(_driven(error), "sqlstate", None) or "")


def is_lost(error: BaseException) -> bool:
    """Tell whether an error means a missing or lost connection."""
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return True
    found = _driven(error)
    if isinstance(found, asyncpg.ClientConfigurationError) or _is_untrusted(found):
        return False
    kinds = (NoConnection, OSError, TimeoutError, asyncpg.InterfaceError, asyncpg.TargetServerAttributeNotMatched)
    return isinstance(found, kinds) or (
        state_of(error).startswith(LOST_CONNECTION_STATES) and state_of(error) not in SENTENCES
    )


def _is_untrusted(found: BaseException) -> bool:
    """Tell whether the TLS handshake failed."""
    return (isinstance(found, ssl.SSLError) and not isinstance(found, LOST_TLS_ERRORS)) or _is_without_tls(found)


def _is_without_tls(found: BaseException) -> bool:
    return type(found) is ConnectionError and "rejected SSL upgrade" in str(found)  # without an error class of its own


def store_error(server: DatabaseServer, error: BaseException) -> StoreError:
    """Return the StoreError for an error of the driver or the system.

    A temporary error becomes DatabaseUnavailable.
    """
    return (DatabaseUnavailable if is_lost(error) or state_of(error) in TEMPORARY_STATES else StoreError)(
        sentence(server, error)
    )


def sentence(server: DatabaseServer, error: BaseException) -> str:
    """Return the sentence for an ``error`` of the driver or the system."""
    return _sentence(error).format(name=server, error=_kind(error))


def _sentence(error: BaseException) -> str:
    found = _driven(error)
    if isinstance(found, asyncpg.ClientConfigurationError):
        return UNUSABLE
    if isinstance(found, asyncpg.TargetServerAttributeNotMatched):
        return NOT_WRITABLE
    if _is_untrusted(found):
        return NO_TLS if _is_without_tls(found) else UNTRUSTED
    return AWAY if is_lost(error) else SENTENCES.get(state_of(error), OTHER)


def _kind(error: BaseException) -> str:
    """Name an error without its message, which may contain values of the statement."""
    found = _driven(error)
    if isinstance(found, ssl.SSLCertVerificationError):
        return found.verify_message
    if isinstance(found, ssl.SSLError):
        return found.reason or type(found).__name__
    if isinstance(found, asyncpg.ClientConfigurationError):
        return str(found).partition("\n")[0].rstrip(".")  # contains the address alone
    if isinstance(found, OSError) and found.strerror:
        return found.strerror
    rule = getattr(found, "constraint_name", None)  # the violated constraint, without the values
    return " ".join(filter(None, (state_of(error) or type(found).__name__, rule)))
