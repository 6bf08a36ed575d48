"""Connections to a PostgreSQL server: translates an address into options of asyncpg.

Handles TLS, several hosts, and poolers. Independent of the purpose of a connection.
"""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import quote, urlencode

import asyncpg

from bot.paths import in_project
from bot.runtime.store_address import FILES, SYSTEM, ConnectionString, DatabaseServer, Host
from bot.store.errors import StoreError

TIMEOUT: Final = 2.0  # seconds for connecting, unless the address sets a timeout
STATEMENT_TIMEOUT: Final = 30.0  # seconds per statement
NAME: Final = "bigger"  # the connection's name in the server's list
# Set once a connection is open: a pooler refuses most parameters of a connection's start.
SETTINGS: Final = {
    "lock_timeout": "2000",  # milliseconds
    "idle_in_transaction_session_timeout": "5000",  # milliseconds; a stuck transaction must not block others
}
POOLED = (
    "The address of the database {name} leads to a pooler in transaction mode, behind which the bot can't hold the "
    "lock that keeps a second bot out. Use the direct address of the server, or a pooler in session mode. "
    "Nothing was changed."
)
NO_FILE = "The file {path}, named by {key} in the address of the database {name}, can't be read ({why})."
_direct: Final = set[DatabaseServer]()  # servers known to be without a pooler in transaction mode
_answered: Final = dict[
    DatabaseServer, Host
]()  # the host of the last success is tried first: a dead one costs its timeout


async def connect(server: DatabaseServer) -> Any:
    """Connect to the first host of a server that answers and satisfies the address.

    Raises StoreError for a pooler in transaction mode and for an unreadable file named by the address, and passes
    on errors of the driver and the system.
    """
    if server not in _direct:
        await _check_pooler(server)
        _direct.add(server)
    connection = await _open(server)
    try:
        await connection.execute("; ".join(f"SET {name} = '{value}'" for name, value in SETTINGS.items()))
    except BaseException:
        connection.terminate()
        raise
    return connection


async def _check_pooler(server: DatabaseServer) -> None:
    """Raise StoreError if two open connections share a server process.

    They do behind a pooler in transaction mode.
    """
    opened, processes = list[Any](), set[int]()
    try:
        for _ in range(2):
            opened.append(await _open(server, statement_cache_size=0))  # leave no prepared statement in a pooler
            async with opened[-1].transaction():
                processes.add(await opened[-1].fetchval("SELECT pg_backend_pid()"))
        for connection in opened:
            await connection.close()
    finally:
        for connection in opened:
            connection.terminate()
    if len(processes) == 1:
        raise StoreError(POOLED.format(name=server))


async def _open(server: DatabaseServer, **more: Any) -> Any:
    """Connect to the first host that answers; like in libpq, each host has the full timeout."""
    string = server.connection_string
    options = _options(server, string)
    hosts = sorted(string.hosts, key=lambda host: host != _answered.get(server))
    for host in hosts:
        try:
            connection = await _open_host(host, **options, **more)
        except (OSError, asyncpg.CannotConnectNowError, asyncpg.TargetServerAttributeNotMatched):
            if host == hosts[-1]:
                raise
        else:
            _answered[server] = host
            return connection
    raise AssertionError(hosts)


async def _open_host(host: Host, **options: Any) -> Any:
    name, port = host
    return await asyncpg.connect(host=name, port=port, **options)


def _options(server: DatabaseServer, string: ConnectionString) -> dict[str, Any]:
    """Return the driver's options except the host. libpq's TLS parameters go through a DSN."""
    files = dict(_files(server, string))
    tls = {**string.tls, **{key: path for key, path in files.items() if key in string.tls}}
    asked = {"application_name": string.application_name or NAME, "options": string.options}
    options: dict[str, Any] = {
        "user": string.user,
        "password": string.password,
        "database": string.database,
        "passfile": files.get("passfile"),
        "timeout": string.timeout or TIMEOUT,
        "command_timeout": STATEMENT_TIMEOUT,
        "server_settings": {name: value for name, value in asked.items() if value},
        "target_session_attrs": string.target_session_attrs,
    }
    if tls.get("sslrootcert") == SYSTEM:
        options["ssl"] = _system_trust(tls)
    if tls:
        options["dsn"] = f"postgresql://?{urlencode(tls, quote_via=quote)}"
    return options


def _files(server: DatabaseServer, string: ConnectionString) -> Iterator[tuple[str, str]]:
    """Yield the absolute path of each file named by the address.

    Raises StoreError for an unreadable one.
    """
    for key in FILES:
        named = string.passfile if key == "passfile" else string.tls.get(key)
        if not named or named == SYSTEM:
            continue
        path = in_project(named)
        try:
            path.open("rb").close()
        except OSError as error:
            raise StoreError(NO_FILE.format(path=path, key=key, name=server, why=error.strerror)) from error
        yield key, str(path)


def _system_trust(tls: dict[str, str]) -> ssl.SSLContext:
    """Return a TLS context that trusts the system's certificates, and checks the host name."""
    context = ssl.create_default_context()
    context.set_alpn_protocols(["postgresql"])
    if "sslcert" in tls:
        context.load_cert_chain(tls["sslcert"], tls.get("sslkey"), lambda: tls.get("sslpassword", ""))
    return context
