"""Checks a store: replays each unfinished match from its record, and recomputes each result.

All data follows from the records. Changes nothing.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime

from bot.domain.ids import TableId
from bot.history.record_upkeep import totals
from bot.runtime.progress import stage
from bot.runtime.store_address import Address
from bot.store.errors import RecordDamaged, RecordDeleted, StoreError
from bot.store.store import Store
from bot.table.answers import match_of
from bot.table.core.eligibility import score_of

RESULTS_PER_QUERY = 500  # results per query
GONE = "its plays are no longer kept"


async def check_store(database: Address, say: Callable[[str], None]) -> None:
    """Print the number of correct tables and results. Raises StoreError with all faults."""
    store = await Store.open(database, lambda: datetime.now(UTC))
    try:
        wrong = [*await _unfinished(store, say), *await _results(store, say)]
    finally:
        await store.close()
    if wrong:
        raise StoreError(f"{len(wrong)} of them are not as they should be:\n" + "\n".join(wrong))


async def _unfinished(store: Store, say: Callable[[str], None]) -> list[str]:
    tables, wrong = await store.tables.open_tables(), list[str]()
    with stage("playing open tables again", len(tables), "tables") as reach:
        for number, table in enumerate(tables, 1):
            if fault := await _fault_of(store, table):
                wrong.append(f"Table {table}: {fault}")
            reach(number)
    say(f"Open tables: {len(tables)}, {len(tables) - len(wrong)} of them can go on.")
    return wrong


async def _results(store: Store, say: Callable[[str], None]) -> list[str]:
    right, gone, wrong = 0, 0, list[str]()
    with stage("reckoning results anew", await store.results.count_all(), "matches") as reach:
        async for table in _every_result(store):
            match await _result_of(store, table):
                case "":
                    right += 1
                case fault if fault is GONE:
                    gone += 1
                case fault:
                    wrong.append(f"Result of table {table}: {fault}")
            reach(right + gone + len(wrong))
    say(f"Results: {right} come out as they are kept; of {gone} more the plays are no longer kept.")
    return wrong


async def _every_result(store: Store) -> AsyncIterator[TableId]:
    last = TableId(0)
    while found := await store.results.finished_after(last, RESULTS_PER_QUERY):
        for last in found:
            yield last


async def _fault_of(store: Store, table: TableId) -> str:
    """Return the fault that keeps a table from resuming, or ""."""
    try:
        row = await store.tables.load(table)
        if row is not None and row.phase == "playing":
            await match_of(row)
    except Exception as error:  # noqa: BLE001  # a damaged record can raise anything
        return f"its record cannot be played again ({type(error).__name__})"
    return ""


async def _result_of(store: Store, table: TableId) -> str:
    """Return the fault of a result, or ""."""
    try:
        row, finished = await store.tables.load(table), await store.results.finished(table)
        match = await match_of(row) if row else None
    except RecordDeleted:
        return GONE
    except RecordDamaged as error:
        return str(error)
    except Exception as error:  # noqa: BLE001  # a damaged record can raise anything
        return f"its record cannot be played again ({type(error).__name__})"
    if match is None or finished is None:
        return "there is no record of it"
    score = score_of(match)
    return "" if (score.points, score.nets) == totals(finished) else "its record says something else"
