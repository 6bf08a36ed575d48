"""Connecting to a real PostgreSQL: TLS, several hosts, files that an address names, and poolers."""

from __future__ import annotations

import asyncio
import shutil
import ssl
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from struct import Struct
from typing import Any

import asyncpg
import pytest

from bot.ops.checks.machine import server as checked
from bot.runtime.store_address import DatabaseServer
from bot.store.errors import DatabaseUnavailable, StoreError
from bot.store.postgres import connection as server_connecting
from bot.store.postgres.connection import SETTINGS, connect
from bot.store.postgres.opening import read_server_revision
from bot.store.store import Store
from tests.store.sample_tables import now, open_refusal
from tests.support.postgres import create_empty_database, drop_database

HEAD = Struct("!ll")
SSL_REQUEST = 80877103  # the code by which a client asks for TLS
NAME = "games.example"


@pytest.fixture
def database() -> Iterator[DatabaseServer]:
    """An empty database on a real server, which listens on a socket and has no TLS."""
    made = create_empty_database()
    yield made
    drop_database(made)


def folder_of(database: DatabaseServer) -> str:
    """Return the folder of the server's socket."""
    [(folder, _)] = database.connection_string.hosts
    assert folder is not None
    return folder


def told(database: DatabaseServer, host: str, query: str = "") -> DatabaseServer:
    """Return the address of a database by another way to its server."""
    return DatabaseServer(f"postgresql://postgres@{host}/{database.name}?{query}")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate of localhost, signed by itself, with its key beside it."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed here")
    path = tmp_path_factory.mktemp("tls") / "server.pem"
    key = path.with_suffix(".key")
    words = f"req -x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -subj /CN={NAME} -days 2"
    names = ("-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(path))
    subprocess.run(["openssl", *words.split(), *names], check=True, capture_output=True)
    return path


@asynccontextmanager
async def way_to(database: DatabaseServer, certificate: Path | None = None) -> AsyncIterator[tuple[int, list[str]]]:
    """Give the port of a proxy before a server, and a list of how each client has come in.

    certificate: of the proxy, which takes no client without TLS then.
    """
    seen = list[str]()

    async def pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while part := await reader.read(65536):
                writer.write(part)
        writer.close()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        first = await reader.readexactly(HEAD.size)
        if HEAD.unpack(first)[1] == SSL_REQUEST:
            if certificate is None:
                seen.append("refused")
                writer.write(b"N")
                first = b""
            else:
                seen.append("tls")
                context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
                context.load_cert_chain(certificate, certificate.with_suffix(".key"))
                writer.write(b"S")
                try:
                    await writer.start_tls(context)
                except OSError:
                    return
                first = b""
        elif certificate is not None:
            seen.append("refused")
            writer.close()
            return
        within, out = await asyncio.open_unix_connection(f"{folder_of(database)}/.s.PGSQL.5432")
        out.write(first)
        await asyncio.gather(pipe(reader, out), pipe(within, writer))

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as listening:
        yield listening.sockets[0].getsockname()[1], seen


async def said_of(server: DatabaseServer) -> str:
    """Return the message about an unavailable database; "" for an available one."""
    try:
        await read_server_revision(server)
    except StoreError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    ("query", "without_tls", "with_tls"),
    [
        ("sslmode=disable", "", "can't be reached"),
        ("sslmode=allow", "", ""),
        ("", "", ""),
        ("sslmode=prefer", "", ""),
        ("ssl=true", "has no TLS", ""),
        ("sslmode=require", "has no TLS", ""),
        ("sslmode=require&sslrootcert={own}", "has no TLS", ""),
        ("sslmode=verify-ca&sslrootcert={own}", "has no TLS", ""),
        ("sslmode=verify-full&sslrootcert={own}", "has no TLS", ""),
        ("sslmode=verify-full&sslrootcert=system", "has no TLS", "no secure connection"),
        ("sslmode=verify-full", "root.crt", "root.crt"),
        ("sslmode=verify-full&sslrootcert=/no/where.pem", "named by sslrootcert in", "named by sslrootcert in"),
        ("sslmode=require&sslcert={own}&sslkey=/no/where.key", "named by sslkey in", "named by sslkey in"),
        ("sslmode=verify-full&sslrootcert={page}", "no secure connection", "no secure connection"),
    ],
)
async def test_42_1_1_each_sslmode_behaves_like_libpq(
    query: str,
    without_tls: str,
    with_tls: str,
    database: DatabaseServer,
    certificate: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HOME", str(certificate.parent))  # there may be a ~/.postgresql/root.crt
    query = query.format(own=certificate, page=Path(__file__))
    for expected, its_certificate in ((without_tls, None), (with_tls, certificate)):
        async with way_to(database, its_certificate) as (port, seen):
            said = await said_of(told(database, f"localhost:{port}", query))
            assert (expected in said) if expected else (said == ""), said
            assert its_certificate is None or expected or seen[-1] == "tls"


async def test_42_1_1_a_certificate_for_another_name_is_reported(database: DatabaseServer, certificate: Path) -> None:
    async with way_to(database, certificate) as (port, _):
        said = await said_of(told(database, f"127.0.0.1:{port}", f"sslmode=verify-full&sslrootcert={certificate}"))
        assert "IP address mismatch" in said
        assert "sslrootcert" in said
        assert not await said_of(told(database, f"127.0.0.1:{port}", f"sslmode=verify-ca&sslrootcert={certificate}"))


async def test_42_1_1_parameters_of_the_address_reach_the_server(database: DatabaseServer) -> None:
    query = f"host={folder_of(database)}&application_name=my%20cards&options=-c%20statement_timeout%3D61s"
    connection = await connect(told(database, "", query))
    try:
        asked = ("application_name", "statement_timeout", *SETTINGS)
        found = [await connection.fetchval("SELECT current_setting($1)", name) for name in asked]
        assert found[:2] == ["my cards", "61s"]
        assert found[2:] == ["1min", "1min"]  # as the tests set them
    finally:
        await connection.close()


async def test_42_1_1_the_first_responding_host_is_used_and_preferred(
    database: DatabaseServer,
) -> None:
    asked = list[asyncio.StreamWriter]()

    async def hear(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(writer)  # and say nothing

    async with await asyncio.start_server(hear, "127.0.0.1", 0) as silent:
        ports = f"{silent.sockets[0].getsockname()[1]},5432"
        server = told(database, "", f"host=127.0.0.1,{folder_of(database)}&port={ports}&connect_timeout=1")
        store = await Store.open(server, now)
        await asyncio.gather(*(store.notes.recall("count") for _ in range(3)))
        await store.close()
        assert len(asked) == 1, "the silent host was asked again"
        for writer in asked:
            writer.close()


async def test_42_1_1_a_read_only_host_is_skipped_and_reported_as_transient(
    database: DatabaseServer,
) -> None:
    connection = await asyncpg.connect(database.reveal())
    await connection.execute(f'ALTER DATABASE "{database.name}" SET default_transaction_read_only = on')
    await connection.close()
    server = told(database, "", f"host={folder_of(database)}&target_session_attrs=read-write")
    with pytest.raises(DatabaseUnavailable, match="accepts writes at the moment"):
        await read_server_revision(server)


async def test_42_1_1_an_ineffective_parameter_is_reported_at_the_start_and_by_check(
    database: DatabaseServer, caplog: pytest.LogCaptureFixture
) -> None:
    server = told(database, "", f"host={folder_of(database)}&channel_binding=require")
    await (await Store.open(server, now)).close()
    assert "channel_binding in the address has no effect" in caplog.text
    first, *_ = await checked(server)
    assert (first.verdict, first.what) == ("note", "address")
    assert first.said.startswith("channel_binding in the address has no effect")


class Lent:
    """A connection by a pooler in transaction mode: all clients have the same process of the server."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    async def close(self) -> None:
        """Leave it to the next client."""

    def terminate(self) -> None:
        """Leave it to the next client."""


async def test_42_1_1_a_pooler_in_transaction_mode_is_refused_before_anything_is_locked(
    database: DatabaseServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    pooled = told(database, "", f"host={folder_of(database)}&application_name=pooled")
    connection = await asyncpg.connect(database.reveal())

    async def lend(_server: DatabaseServer, **_options: Any) -> Lent:
        return Lent(connection)

    monkeypatch.setattr(server_connecting, "_open", lend)
    try:
        assert "leads to a pooler in transaction mode" in await open_refusal(pooled)
        mine = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()"
        assert await connection.fetchval(mine) == 0
        assert await connection.fetchval("SHOW lock_timeout") == "0", "what a pooler lends to others is left as it is"
    finally:
        await connection.close()


async def test_42_1_1_a_pooler_that_refuses_a_parameter_is_reported() -> None:
    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1024)
        body = b"SFATAL\0C08P01\0Munsupported startup parameter: options\0\0"
        writer.write(b"E" + Struct("!l").pack(len(body) + 4) + body)
        writer.close()

    async with await asyncio.start_server(refuse, "127.0.0.1", 0) as listening:
        port = listening.sockets[0].getsockname()[1]
        said = await said_of(
            DatabaseServer(f"postgresql://ann@127.0.0.1:{port}/games?sslmode=disable&options=-c%20jit%3Doff")
        )
        assert said.endswith("remove options from the address.")
