"""Which tables of a database in a file are read from end to end: it reports each query before answering."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.schema import metadata
from bot.store.sqlite.opening import FileGate
from bot.store.store import Store

SentStatements = list[tuple[str, Any]]


@contextmanager
def record_statements(store: Store) -> Iterator[SentStatements]:
    """Yield a list that collects every statement sent to a database."""
    sent, connection = SentStatements(), raw_connection(store).sync_connection

    def note(_connection: Any, _cursor: Any, statement: str, values: Any, *_: Any) -> None:
        sent.append((statement, values))

    event.listen(connection, "before_cursor_execute", note)
    yield sent
    event.remove(connection, "before_cursor_execute", note)


async def fully_scanned_tables(store: Store, sent: SentStatements) -> list[str]:
    """Return the tables that are read from end to end by these queries."""
    plans = [await raw_connection(store).exec_driver_sql(f"EXPLAIN QUERY PLAN {one}", values) for one, values in sent]
    steps = [row.detail.split() for plan in plans for row in plan]
    await raw_connection(store).rollback()
    return [step[1] for step in steps if step[0] == "SCAN" and step[1] in metadata.tables]


def raw_connection(store: Store) -> AsyncConnection:
    """Return the one connection to a file."""
    assert isinstance(store._gate, FileGate)
    return store._gate.connection
