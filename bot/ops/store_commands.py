"""Commands on a store: copy, back up, restore, check, upgrade, and recount."""

from __future__ import annotations

import argparse
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from bot.club.leaderboards import Leaderboards
from bot.club.ledger import Ledgers
from bot.domain.ids import TableId
from bot.domain.server_settings import ServerSettings
from bot.history.record_upkeep import totals
from bot.runtime.progress import interruptible, stage
from bot.runtime.store_address import Address, DatabaseServer, is_server
from bot.settings import Settings
from bot.store.copies.restoration import restore_backup
from bot.store.copies.transfer import back_up, copy_store
from bot.store.errors import RecordDamaged, RecordDeleted, StoreError
from bot.store.store import Store
from bot.table.core.eligibility import score_of
from bot.table.fact_lookup import match_of

OURS, OTHER = "BIGGER_DATABASE", "BIGGER_OTHER_DATABASE"
NO_ADDRESSES = "An address can contain a password: write it into .env as {name}, and use {name} here."
COPY_STOPPED = (
    "Stopped. What was copied so far is kept in {target}, which no bot opens yet. Run the same command again, and the "
    "copy continues where it stopped."
)
NO_BACKUP = "Stopped. No backup was made, and nothing else has changed. Run the same command again for a backup."
NOT_CHECKED = "Stopped. A check changes nothing. Run the same command again to start over."
NOT_SET = "{name} is not set."
Say = Callable[[str], None]
Reader = TypeVar("Reader", bound=argparse.ArgumentParser)
Todo = Callable[[Settings, argparse.Namespace, Say], Awaitable[None]]


def words(commands: argparse._SubParsersAction[Reader]) -> Reader:
    """Add the command to a parser; return the command's own parser."""
    about = "copy, back up, restore, check or upgrade the database"
    store = commands.add_parser("store", help=about, description=about)
    todo = store.add_subparsers(title="what to do", metavar="", dest="todo", required=True)
    named = f"a file, or {OURS} or {OTHER}"
    about = "copy everything into an empty database of either kind; an interrupted copy resumes"
    copied = todo.add_parser("copy", help=about, description=about)
    copied.add_argument("source", metavar="FROM", help=named)
    copied.add_argument("target", metavar="TO", help=named)
    about = "write a backup into the folder backups; the bot may be running"
    todo.add_parser("backup", help=about, description=about)
    about = "replace the database by a backup, after backing it up; stop the bot first"
    restored = todo.add_parser("restore", help=about, description=about)
    restored.add_argument("file", type=Path, help="the backup")
    about = "begin a new list of deletions, if the list that belongs to the backup is lost"
    restored.add_argument("--new-list", action="store_true", help=about)
    about = "replay every unfinished match and compute every result again; stop the bot first"
    todo.add_parser("check", help=about, description=about)
    about = "migrate the database to this version, as the bot does at its start; stop the bot first"
    todo.add_parser("upgrade", help=about, description=about)
    return store


async def run(settings: Settings, args: argparse.Namespace, say: Say) -> None:
    """Run the command. Raises StoreError."""
    await TODO[args.todo](settings, args, say)


async def _copy(settings: Settings, args: argparse.Namespace, say: Say) -> None:
    source, target = (named(settings, name) for name in (args.source, args.target))
    with interruptible(COPY_STOPPED.format(target=target)):
        await copy_store(source, target, datetime.now(UTC), say)
    say(f"Everything is in {target}, the same as in {source}.")


async def _backup(settings: Settings, _args: argparse.Namespace, say: Say) -> None:
    with interruptible(NO_BACKUP):
        say(f"Backed up: {await back_up(settings.database, settings.copied, datetime.now(UTC))}")


async def _restore(settings: Settings, args: argparse.Namespace, say: Say) -> None:
    about = args.file, settings.database, settings.copied, datetime.now(UTC)
    await restore_backup(*about, say, new_list=args.new_list)
    say(f"{args.file.name} is put back. Deletions that were asked for since are done again at the next start.")


async def _check(settings: Settings, _args: argparse.Namespace, say: Say) -> None:
    with interruptible(NOT_CHECKED):
        await check_store(settings.database, say)


async def _upgrade(settings: Settings, _args: argparse.Namespace, say: Say) -> None:
    await (await Store.open(settings.database, lambda: datetime.now(UTC))).close()
    say("The database is up to date.")


TODO: dict[str, Todo] = {
    "copy": _copy,
    "backup": _backup,
    "restore": _restore,
    "check": _check,
    "upgrade": _upgrade,
}


def named(settings: Settings, name: str) -> Address:
    """Return the address for a name. Raises StoreError for an unset name."""
    if is_server(name):
        raise StoreError(NO_ADDRESSES.format(name=OTHER))
    path = Path(os.path.expanduser(name)).absolute()  # noqa: PTH111  # Path.expanduser raises for an unknown user
    address: Address | None = {OURS: settings.database, OTHER: settings.other_database}.get(name, path)
    if address is None:
        raise StoreError(NOT_SET.format(name=name))
    return address if isinstance(address, DatabaseServer) else address.absolute()


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
        raise StoreError(f"{len(wrong)} of them aren't as they should be:\n" + "\n".join(wrong))


async def _unfinished(store: Store, say: Callable[[str], None]) -> list[str]:
    tables, wrong = await store.tables.open_tables(), list[str]()
    with stage("playing open tables again", len(tables), "tables") as reach:
        for number, table in enumerate(tables, 1):
            if fault := await _fault_of(store, table):
                wrong.append(f"Table {table}: {fault}")
            reach(number)
    say(f"Open tables: {len(tables)}, {len(tables) - len(wrong)} of them can continue.")
    return wrong


async def _results(store: Store, say: Callable[[str], None]) -> list[str]:
    right, gone, wrong = 0, 0, list[str]()
    with stage("computing results again", await store.results.count_all(), "matches") as reach:
        async for table in _every_result(store):
            match await _result_of(store, table):
                case "":
                    right += 1
                case fault if fault is GONE:
                    gone += 1
                case fault:
                    wrong.append(f"Result of table {table}: {fault}")
            reach(right + gone + len(wrong))
    say(f"Results: {right} come out as stored; {gone} more can't be checked, because their plays are gone.")
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
        return f"its record can't be played again ({type(error).__name__})"
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
        return f"its record can't be played again ({type(error).__name__})"
    if match is None or finished is None:
        return "there is no record of it"
    score = score_of(match)
    return "" if (score.points, score.nets) == totals(finished) else "its record says something else"


STOPPED = (
    "Stopped. What was computed so far is kept, and the bot computes the rest when someone asks for it. Run the "
    "same command again to have all of it done now."
)


async def recounting(database: Address, say: Callable[[str], None]) -> None:
    """Recompute all leaderboards and ledgers. Raises StoreError, also if the bot is running."""
    store = await Store.open(database, lambda: datetime.now(UTC))
    try:
        with interruptible(STOPPED):
            await _recount(store, say)
    finally:
        await store.close()


async def _recount(store: Store, say: Callable[[str], None]) -> None:
    kept = await store.servers.settings()
    chosen = {guild: ServerSettings.read(values) for guild, values in kept.items()}
    say(f"Recomputed: {await Leaderboards(store, chosen).recount()} leaderboards.")
    say(f"Added up again: {await Ledgers(store).recount()} ledgers.")
