"""Deletions are noted first: no reader finds the person from then on. The rows follow in pieces, also after a stop."""

from __future__ import annotations

import inspect
import shutil
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from itertools import product
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from sqlalchemy import Column, update

from bot.domain.chairs import Chair
from bot.domain.debts import LedgerScope
from bot.domain.effects import EFFECT_KINDS, Announcement, Invitation, users_named_in
from bot.domain.house_rules import Owner
from bot.domain.ids import ALL_SHARDS, ChannelId, GuildId, PlayerId, TableId, UserId
from bot.domain.names import REMOVED_ID
from bot.domain.operator_notice import STORED_KEY, BannedKind, OperatorCommand, OperatorState
from bot.domain.pace import Pace
from bot.domain.preferences import Preferences
from bot.domain.rating import Leaderboard, RankedPlayer
from bot.domain.refusals import Refused
from bot.domain.results import ResultFilter, ResultsViewer
from bot.domain.seasons import Season
from bot.store.engine.erasures import WORKER_TIMEOUT, Erasure
from bot.store.engine.repository import Repository
from bot.store.erasure.deletions import Deletions
from bot.store.erasure.personal_rows import PERSONS
from bot.store.rows import Moderation, TableChange
from bot.store.schema import metadata, tables
from bot.store.schema.columns import meanings
from bot.store.store import Store
from tests.store.filled_rows import NUMBER, fill
from tests.store.finished_matches import FinishedMatch, store_matches
from tests.store.sample_tables import GUILD, NEW_TABLE, NOON, add_table, load_table, now
from tests.support.occurrences import columns_containing, files_containing

pytestmark = pytest.mark.usefixtures("in_place")
LATER = {
    f"{held.table.name}.{held.column.name}": UserId(4_242_424_242_424_242_000 + number)
    for number, held in enumerate(PERSONS)
    if not held.meaning.at_once
}
EVERYBODY = tuple(LATER.values())
OTHER = UserId(9_191_919_191_919_191_919)
# Readers that say nothing but whether something is kept, or has been deleted: by mark.
OF_DELETIONS = {"is_kept", "is_ongoing", "forgotten", "deleted_since", "load_ongoing"}
# Columns by which a reader finds rows, or counts them, and which none returns.
CONDITIONS = {"invited.by", "answers.user", "parts.user", "moderations_named.user"}


def is_reader(method: Any) -> bool:
    """Tell whether a method of the store or of a repository reads, and writes nothing."""
    if method.__code__.co_name == "reading":  # made by `read` or `read_share`
        return True
    source = inspect.getsource(method)
    return "_gate.read(" in source and "_gate.run(" not in source


def readers(store: Store) -> dict[str, Any]:
    """Return all readers of a store, by the name of their repository and their own."""
    named = {"store": store, **{name: part for name, part in vars(store).items() if isinstance(part, Repository)}}
    return {
        f"{name}.{method}": reader
        for name, part in named.items()
        for method, reader in inspect.getmembers(part, inspect.iscoroutinefunction)
        if is_reader(reader) and method not in OF_DELETIONS
    }


SEASON = Season(NUMBER, NOON - timedelta(days=1), NOON + timedelta(days=1))
ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "user": tuple(LATER[f"{table}.user"] for table in ("answers", "parts", "tries")),
    "host": (LATER["tables.host"],),
    "other": (OTHER,),
    "users": (EVERYBODY,),
    "others": (EVERYBODY,),
    "wanted": ([PlayerId(1)],),
    "last": ({PlayerId(1): TableId(1)},),
    "reader": (None, ResultsViewer(OTHER, frozenset({ChannelId(NUMBER)}))),
    "sought": (ResultFilter(), ResultFilter(user=LATER["standings.user"])),
    "owner": (Owner("server", GuildId(NUMBER)), Owner("person", OTHER)),
    "leaderboard": (Leaderboard(GuildId(NUMBER), "x", ChannelId(NUMBER)),),
    "book": (LedgerScope(GuildId(NUMBER), ChannelId(NUMBER)),),
    "over": (SEASON,),
    "table": (TableId(1),),
    "after": (TableId(0),),
    "number": (1, NUMBER),
    "guild": (GuildId(NUMBER),),
    "channel": (ChannelId(NUMBER),),
    "under": (ChannelId(NUMBER),),
    "pace": (Pace.read("none"),),
    "share": (None,),
    "shards": (ALL_SHARDS,),
    "version": (0,),
    "limit": (NUMBER,),
    "offset": (0,),
    "first": (0,),
    "end": (NUMBER,),
    "include_hidden": (True,),
    "live": (True, False),
    "day": (NOON.date(),),
    "week": (NOON.date(),),
    "moment": (NOON - timedelta(days=1),),
    "begins": (SEASON.begins,),
    "ends": (SEASON.ends,),
    "now": (NOON,),
    "before": (NOON + timedelta(days=1),),
    "way": (None,),
}
TEXTS = {"game", "code", "name", "mark", "key"}
REFUSED = {
    "seasons.ranked_between",
    "leaderboards.compute_entries",
    "debts.tabs",
}  # they reckon what players have, whom they know by no id


def ways_to_ask(name: str, reader: Any) -> Iterator[dict[str, Any]]:
    """Yield the arguments with which a reader is asked."""
    wanted = list(inspect.signature(reader).parameters)
    if reader.__code__.co_name == "reading" and "share" in wanted:
        wanted.remove("share")  # the repository says it
    choices = list[tuple[Any, ...]]()
    for parameter in wanted:
        if parameter in TEXTS:
            choices.append(("x",))
        elif parameter == "since":
            choices.append((NOON.date(),) if name == "puzzles.games_answered" else (NOON - timedelta(days=1),))
        elif (name, parameter) == ("leaderboards.names", "wanted"):
            choices.append(([RankedPlayer(PlayerId(1), OTHER, TableId(1))],))
        else:
            choices.append(ARGUMENTS[parameter])
    for values in product(*choices):
        yield dict(zip(wanted, values, strict=True))


async def told(store: Store) -> str:
    """Return all query results, for any argument."""
    found = []
    for name, reader in readers(store).items():
        if name in REFUSED:
            continue
        for arguments in ways_to_ask(name, reader):
            answer = await reader(**arguments)
            if name == "people.work_schedules":  # it answers for every player it is asked about
                answer = {user: day for user, day in answer.items() if day.hours or day.vacations}
            found.append(f"{name} {answer!r}")
    return "\n".join(found)


def whose(column: Column[Any]) -> UserId:
    """Return the person in a column: another one in each of which the rows are deleted in pieces."""
    return LATER.get(f"{column.table.name}.{column.name}", OTHER)


def called(column: Column[Any]) -> str:
    """Return the name in a column: that of the person in the column beside."""
    beside = [meaning.of for found, meaning in meanings(column.table, "name") if found is column]
    return f"<{column.table.name}.{beside[0]}>" if beside else ""


@pytest.mark.both_databases("every reader asks the server once")
async def test_1_2_no_query_returns_a_user_with_a_recorded_deletion(store: Store) -> None:
    await fill(store, whose, called)
    before = await told(store)
    by_id = {column for column, user in LATER.items() if str(user) in before}
    assert LATER.keys() - by_id <= CONDITIONS, "each column is read by somebody, so that this test sees it"
    for user in EVERYBODY:
        await store.deletions.note(user)
    after = await told(store)
    lines = after.splitlines()
    assert [(column, line) for column, user in LATER.items() for line in lines if str(user) in line] == []
    assert [column for column in LATER if f"<{column}>" in after] == []
    assert str(OTHER) in after


def test_1_2_every_column_with_a_user_id_has_an_index() -> None:
    for table, column in ((held.table, held.column) for held in PERSONS):
        first = [next(iter(index.columns)) for index in table.indexes]
        first += [next(iter(table.primary_key.columns)), *(each for each in table.columns if each.unique)]
        if table.name == "house_rules" and column.name == "owner":
            continue  # its key begins with the kind of the owner
        assert column in first, column


@pytest.mark.parametrize("table", metadata.sorted_tables, ids=lambda table: table.name)
def test_1_2_texts_that_may_name_a_user_have_a_table_of_names(table: Any) -> None:
    if list(meanings(table, "text")):
        assert f"{table.name}_named" in metadata.tables


# In pieces

ANN, BEN = UserId(4_242_424_242_424_242_424), UserId(5_353_535_353_535_353_535)
MATCHES = 15


async def played(store: Store) -> None:
    """Store matches of Ann and Ben at tables of Ann's."""
    matches = [FinishedMatch((ANN, BEN, None, None), (1, 2, 3, 4), minute) for minute in range(MATCHES)]
    await store_matches(store, matches)
    await store._gate.run(lambda wire: wire.execute(update(tables).values(phase="over", host=ANN)))


async def nameless(store: Store, user: UserId) -> bool:
    """Tell whether a person stands in no match, and in their place a player without a name."""
    matches = await store.results.history(GUILD, MATCHES, 0)
    assert len(matches) == MATCHES
    seats = [match.outcome.standings[0] for match in matches]
    return {(seat.user, seat.name) for seat in seats} == {(None, "👤 1")} and user not in [seat.user for seat in seats]


async def test_1_2_rows_are_deleted_in_batches_across_a_stop(path: Path) -> None:
    store = await Store.open(path, now)
    await played(store)
    await store.deletions.note(ANN)
    assert await nameless(store, ANN)
    store.deletions._pieces.most = 10
    before = len(columns_containing(path, str(ANN)))  # columns: the id, and the name beside it
    await store.deletions.delete_some()
    assert 0 < before - len(columns_containing(path, str(ANN))) <= 2 * 10
    assert await store.deletions.is_ongoing(ANN)
    await store.close()
    store = await Store.open(path, now)
    await store.deletions.load_ongoing()
    assert await store.deletions.is_ongoing(ANN)
    assert await nameless(store, ANN)
    await store.deletions.carry_out()
    assert not await store.deletions.is_ongoing(ANN)
    assert columns_containing(path, str(ANN)) == []
    assert await nameless(store, ANN)
    assert (await store.results.history(GUILD, 1, 0))[0].outcome.standings[1].user == BEN
    await store.close()
    assert files_containing(path.parent, ANN) == []


async def test_1_2_a_deletion_is_completed_in_a_copy_made_before_its_last_batch(path: Path, tmp_path: Path) -> None:
    store = await Store.open(path, now)
    await played(store)
    await store.deletions.note(ANN)
    store.deletions._pieces.most = 10
    await store.deletions.delete_some()
    assert await store.deletions.is_ongoing(ANN)
    await store.close()
    shutil.copy(path, tmp_path / "copy")
    store = await Store.open(path, now)
    await store.deletions.carry_out()
    await store.people.save_preferences(ANN, Preferences(by_suit=True))  # Ann plays again
    await store.close()
    shutil.copy(tmp_path / "copy", path)
    store = await Store.open(path, now)
    assert await nameless(store, ANN)
    await store.deletions.carry_out()
    assert columns_containing(path, str(ANN)) == []
    await store.close()


@pytest.mark.both_databases("processes delete at the same time")
async def test_1_2_another_process_continues_a_stopped_deletion(store: Store) -> None:
    await played(store)
    gate, ledger, clock = store._gate, store._deletions.ledger, [NOON]
    deletions = Deletions(ledger, lambda: clock[0])
    first, second = 7, 8
    await gate.run(deletions.note, "person", ANN, first)
    assert await gate.run(deletions.delete_some, second, 10) is None, "the first is at it"
    assert await gate.run(deletions.delete_some, first, 10) is not None
    clock[0] += WORKER_TIMEOUT + timedelta(seconds=1)
    assert await gate.run(deletions.delete_some, second, 10) is not None
    assert await gate.run(deletions.delete_some, first, 10) is None
    while await gate.run(deletions.delete_some, second, 100) is not None:
        pass
    assert not await store.deletions.is_kept(ANN)


async def test_1_2_a_user_without_rows_has_none_to_delete(path: Path) -> None:
    store = await Store.open(path, now)
    await played(store)
    assert await store.deletions.is_kept(ANN)
    assert not await store.deletions.is_kept(UserId(6_464_646_464_646_464_646))
    await store.close()


async def test_1_2_a_deletion_is_recorded_once(store: Store) -> None:
    await played(store)
    await store.deletions.note(ANN)
    forgotten = store._gate.forgotten
    assert await store.deletions.note(ANN) == ()
    assert store._gate.forgotten == forgotten


@pytest.mark.both_databases("the list of deletions is a table there")
async def test_1_2_a_click_before_the_deletion_takes_no_seat_after_it(store: Store) -> None:
    table = (await store.tables.add(NEW_TABLE, (Chair(0, BEN, "Ben"),), None)).id
    await store.people.save_preferences(ANN, Preferences(by_suit=True))
    await played(store)
    await store.deletions.note(ANN)
    await store.deletions.load_ongoing()
    assert store._gate.erasing == {Erasure("person", ANN)}
    joined = (Chair(0, BEN, "Ben"), Chair(1, ANN, "Ann"))
    with pytest.raises(Refused, match="being deleted"):
        await store.tables.save(table, TableChange(chairs=joined))
    with pytest.raises(Refused, match="being deleted"):
        await store.tables.add(replace(NEW_TABLE, host=ANN), (Chair(0, ANN, "Ann"),), None)
    assert (await load_table(store, table)).chairs == (Chair(0, BEN, "Ben"),)
    await store.deletions.carry_out()
    await store.tables.save(table, TableChange(chairs=joined))
    assert (await load_table(store, table)).chairs == joined, "after that Ann is a new person"


# Texts


@pytest.mark.both_databases("texts are searched with LIKE")
async def test_2_5_operator_records_stay_without_the_user_id(store: Store) -> None:
    banned: tuple[BannedKind, str] = ("person", store.deletions.mark(ANN))
    ban, announcement = OperatorCommand("ban", who=banned), OperatorCommand("announce", f"<@{ANN}> won")
    await store.notes.remember(
        STORED_KEY, str(OperatorState().ordered(ban, NOON, "here").ordered(announcement, NOON, "here"))
    )
    await store.notes.remember("of another", f"{ANN}0 and {BEN}")
    await store.deletions.forget_person(ANN)
    known = OperatorState.read(await store.notes.recall(STORED_KEY))
    assert known.banned == {banned}
    assert known.notice.text == f"<@{REMOVED_ID}> won"
    assert [deed.what.split()[0] for deed in known.done] == ["ban", "announce"]
    assert str(ANN) not in str(known)
    assert await store.notes.recall("of another") == f"{ANN}0 and {BEN}"


async def test_1_2_a_reason_that_names_a_deleted_user_stays_without_the_name(store: Store) -> None:
    table = await add_table(store)
    done = Moderation(NOON, BEN, "annulled", None, reason=f"<@{ANN}> held my phone")
    await store.tables.save(table, TableChange(moderation=done))
    await store.deletions.forget_person(ANN)
    (kept,) = await store.moderations.of_table(table)
    assert (kept.by, kept.reason) == (BEN, f"<@{REMOVED_ID}> held my phone")


def test_1_2_every_effect_lists_the_users_it_names() -> None:
    said = Announcement(
        "{name} left", values={"name": "Ann"}, users=(ANN,), reason=f"as <@{BEN}> said", called=(UserId(7),)
    )
    assert users_named_in(said) == {ANN, BEN, 7}
    assert users_named_in(Invitation(ANN, (BEN,))) == {ANN, BEN}
    for kind in EFFECT_KINDS.values():
        for name, hint in get_type_hints(kind).items():
            assert "UserId" not in str(hint) or hint in (UserId, tuple[UserId, ...]), (kind, name)
