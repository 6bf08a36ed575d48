"""A finished match as it is kept: sittings by ply, rules, results of hands, and the ending.

Every other fact follows. Matches of older versions are held to it as well: on copies of databases that were played on,
with unfinished matches and open lobbies.
"""

from __future__ import annotations

import sqlite3
from bisect import bisect
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from bot.domain.ids import TableId, UserId
from bot.domain.results import DetailedScore, FinishedMatch, HandScore, MatchEnding, MatchOutcome, SeatResult, Sitting
from bot.games import GAMES
from bot.history.record_upkeep import MatchRescorer
from bot.rules.core.game import Result
from bot.rules.variants.ruleset import Ruleset
from bot.store.engine.deletion_ledger import ledger_path
from bot.store.errors import StoreError
from bot.store.rows import TableChange
from bot.store.store import Store
from bot.table.core.commands import Leave, TakeBack
from bot.table.core.eligibility import MIN_PERSONS, score_of
from tests.store.evening import finish_match, play_moves
from tests.store.released_databases import GUILD, IDS, KEPT, NEWER, copy_migrated, copy_released, copy_scored
from tests.store.sample_tables import CHAIRS, NOON, STEP, add_table, load_table, now
from tests.support.occurrences import columns_containing
from tests.support.totals import matches_and_wins
from tests.support.world import World

pytestmark = pytest.mark.usefixtures("in_place")
PLAYED = (KEPT, NEWER)
BEN = IDS[NEWER][2]
MATCHES = """
    SELECT results.table_id, tables.number, tables.game, tables.preset, results.hands
    FROM results JOIN tables ON tables.id = results.table_id ORDER BY results.finished DESC, results.table_id DESC
"""
STANDINGS = 'SELECT table_id, seat, "user", name, house, place, points, net FROM standings ORDER BY table_id, seat'
LEADERS = """
    SELECT "user", count(*), sum(place = 1 AND NOT "left")
    FROM standings JOIN results ON results.table_id = standings.table_id
    WHERE counts AND NOT hidden AND "user" IS NOT NULL GROUP BY "user"
"""


def rows(path: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as database:
        return database.execute(query).fetchall()


async def scored(path: Path) -> Store:
    """Open a database like the present bot, and compute the scores of old hands."""
    store = await Store.open(path, now)
    await MatchRescorer(store, pause=0).score()
    return store


@pytest_asyncio.fixture(params=PLAYED, ids=lambda kept: kept.stem)
async def played(request: pytest.FixtureRequest, path: Path) -> AsyncIterator[Store]:
    store = await Store.open(copy_scored(path, request.param), now)
    yield store
    await store.close()


# Old figures


@pytest.mark.parametrize("kept", PLAYED, ids=lambda kept: kept.stem)
async def test_the_migration_keeps_figures_of_finished_matches(path: Path, kept: Path) -> None:
    copy_released(path, kept=kept)
    matches, standings = rows(path, MATCHES), rows(path, STANDINGS)
    store = await Store.open(copy_scored(path, kept), now)
    found = await store.results.history(GUILD, 99, 0)
    assert [(each.table, each.number, each.game, each.preset, each.outcome.hands) for each in found] == matches
    assert standings == [
        (each.table, one.seat, one.user, one.name, one.house, one.place, one.points, one.net)
        for each in sorted(found, key=lambda each: each.table)
        for one in each.outcome.standings
    ]
    for each in found:
        assert each.options == (await load_table(store, each.table)).options
    await store.close()


async def test_the_migration_keeps_the_leaderboard(path: Path) -> None:
    copy_released(path, kept=NEWER)
    before = rows(path, LEADERS)
    store = await Store.open(copy_scored(path, NEWER), now)
    assert sorted((user, *line) for user, line in (await matches_and_wins(store, GUILD)).items()) == before
    await store.close()


# All figures once more, out of sittings and hands alone


def persons(sittings: Sequence[Sitting]) -> dict[int, int | None]:
    """Return the persons who sat there from the first card on, by seat."""
    return {one.seat: one.user for one in sittings if one.ply == 0 and not one.house}


def leavers(sittings: Sequence[Sitting]) -> set[int]:
    """Return the seats of persons that a house player had in the end."""
    last = {one.seat: one for one in sittings}
    return {seat for seat in persons(sittings) if last[seat].house}


def places(match: FinishedMatch, score: DetailedScore, left: set[int]) -> list[int]:
    """Return the place of each seat by its scores."""
    hands = tuple(Result((), (), hand.points) for hand in score.hands)
    ranking = Ruleset.of(GAMES[match.game], match.preset, match.options).rules.ranking(hands)
    order = [(seat in left, rank) for seat, rank in enumerate(ranking)]
    return [1 + sum(other < mine for other in order) for mine in order]


def nets(score: DetailedScore) -> tuple[int, ...]:
    """Return what each seat receives in all by the payments."""
    received = Counter(dict.fromkeys(range(len(score.points)), 0))
    for payer, payee, units in score.payments:
        received.update({payer: -units, payee: units})
    return tuple(received[seat] for seat in sorted(received))


async def test_every_fact_of_a_match_follows_from_its_hands_and_sittings(
    played: Store, request: pytest.FixtureRequest
) -> None:
    older = request.node.callspec.params["played"] == KEPT  # a player who left did not come last then
    matches, wins, found = Counter[int](), Counter[int](), await played.results.history(GUILD, 99, 0)
    for match in found:
        score, sat = await played.results.score(match.table), await played.results.sittings(match.table)
        assert score is not None
        who, left, ended = persons(sat), leavers(sat), match.outcome
        assert len(score.hands) == ended.hands
        assert ended.counts == (len(who) >= MIN_PERSONS and ended.ended != "moderator")
        derived = zip(places(match, score, set() if older else left), score.points, nets(score), strict=True)
        assert [(one.place, one.points, one.net) for one in ended.standings] == list(derived)
        assert nets(score) == score.nets
        assert [(one.user, one.left) for one in ended.standings] == [
            (who.get(seat), seat in left) for seat in range(len(ended.standings))
        ]
        if ended.counts and not ended.place.hidden:
            matches.update(user for user in who.values() if user)
            wins.update(one.user for one in ended.standings if one.place == 1 and not one.left and one.user)
    assert await matches_and_wins(played, GUILD) == {user: (count, wins[user]) for user, count in matches.items()}
    assert len(found) >= 3


async def test_every_move_belongs_to_the_seated_player(played: Store) -> None:
    """This includes unfinished matches. Actions of the clock belong to no player."""
    checked = 0
    for table in map(TableId, range(1, 20)):
        row = await played.tables.load(table)
        for seat in range(row.seats if row and row.steps else 0):
            sat = [one for one in await played.results.sittings(table) if one.seat == seat]
            for step in (step for step in row.steps if step.seat == seat and step.by != "clock"):  # type: ignore[union-attr]
                sitting = sat[bisect([one.ply for one in sat], step.ply) - 1]
                assert sitting.house == (step.by == "house")
                checked += 1
    assert checked > 400


async def test_missing_hand_scores_are_computed_once(played: Store) -> None:
    assert await played.results.unscored(TableId(0), 99) == ()
    before = [await played.results.score(match.table) for match in await played.results.history(GUILD, 99, 0)]
    await MatchRescorer(played, pause=0).score()
    other = DetailedScore((HandScore((1,), (0,), (0,)),))
    for table in (TableId(99), *(match.table for match in await played.results.history(GUILD, 99, 0))):
        await played.results.keep_score(table, other)
    assert [await played.results.score(match.table) for match in await played.results.history(GUILD, 99, 0)] == before


IN_SEAT = "table_id = {table} AND seat = 1"  # where Ben left at ply 10 and stayed away
LATER = f"ply = (SELECT max(ply) FROM actions WHERE {IN_SEAT} AND ply < (SELECT max(ply) FROM actions WHERE {IN_SEAT}))"
OLDER: dict[str, tuple[str, list[tuple[int, int | None, str]]]] = {  # what is changed, and who sat there; -1: later on
    "as it was": ("SELECT 1", [(0, BEN, ""), (10, None, "left")]),
    "the clock is nobody": (
        f"UPDATE actions SET by = 'clock' WHERE {IN_SEAT} AND {LATER}",
        [(0, BEN, ""), (10, None, "left")],
    ),
    "deleted after leaving": (
        f"UPDATE chairs SET user = NULL WHERE {IN_SEAT}",
        [(0, None, ""), (10, None, "left")],
    ),
    "deleted after coming back": (
        f"UPDATE chairs SET user = NULL, house = 0, away = '' WHERE {IN_SEAT}",
        [(0, None, ""), (10, None, "")],
    ),
    "back for a move": (
        f"UPDATE actions SET by = 'person' WHERE {IN_SEAT} AND {LATER}",
        [(0, BEN, ""), (10, None, ""), (-1, BEN, ""), (-1, None, "left")],
    ),
}


async def test_sittings_of_an_older_match_come_from_its_moves(path: Path) -> None:
    numbers = {how: 100 + number for number, how in enumerate(OLDER)}
    with closing(sqlite3.connect(copy_released(path, kept=NEWER))) as database, database:
        for how, number in numbers.items():
            copy_table(database, 3, number)
            database.execute(OLDER[how][0].format(table=number))
    store = await Store.open(path, now)
    for how, (_, expected) in OLDER.items():
        sat = [one for one in await store.results.sittings(TableId(numbers[how])) if one.seat == 1][: len(expected)]
        assert [(one.ply if one.ply <= 10 else -1, one.user, one.away) for one in sat] == expected, how
    await store.close()


def copy_table(database: sqlite3.Connection, table: int, number: int) -> None:
    """Copy a table with its chairs and moves; its number on its server becomes that of the copy, too."""
    for name, key in (("tables", "id"), ("chairs", "table_id"), ("actions", "table_id")):
        columns = [f'"{row[1]}"' for row in database.execute(f"PRAGMA table_info({name})")]
        values = [str(number) if column in (f'"{key}"', '"number"') else column for column in columns]
        database.execute(
            f"INSERT INTO {name} ({', '.join(columns)}) SELECT {', '.join(values)} FROM {name} WHERE {key} = {table}"
        )


async def test_lobbies_and_running_matches_have_no_result(path: Path) -> None:
    store = await Store.open(copy_scored(path, NEWER), now)
    phases = {number: (await load_table(store, number)).phase for number in map(TableId, range(1, 17))}
    assert set(phases.values()) == {"lobby", "playing", "over", "closed"}
    for number, phase in phases.items():
        assert (await store.results.finished(number) is not None) == (phase == "over")
        assert (await store.results.score(number) is not None) == (phase == "over")
        assert bool(await store.results.sittings(number)) == (phase in ("playing", "over"))
    await store.close()


async def test_a_running_bot_computes_missing_scores(here: World) -> None:
    await here.stop()
    copy_migrated(here.database_file, NEWER)
    await here.start()
    await here.advance(seconds=61)
    for _ in range(100):
        if not await here.parts.store.results.unscored(TableId(0), 1):
            break
        await here.settle()
    assert await here.parts.store.results.unscored(TableId(0), 1) == ()
    assert await here.parts.store.results.score(TableId(2)) is not None


@pytest.mark.parametrize(
    ("spoiled", "said"),
    [
        ("UPDATE actions SET action = '2s 2h' WHERE table_id = 4 AND ply = 0", "cannot be played out again"),
        ("UPDATE standings SET points = points + 1 WHERE table_id = 4", "says something else than its result"),
    ],
)
async def test_inconsistent_matches_are_left_unchanged(
    path: Path, spoiled: str, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    with closing(sqlite3.connect(copy_migrated(path))) as database, database:
        database.execute(spoiled)
    store = await Store.open(path, now)
    before = await store.results.history(GUILD, 99, 0)
    await MatchRescorer(store, pause=0).score()
    assert f"The record of table 4 {said}" in caplog.text
    assert [await store.results.score(number) is None for number in map(TableId, (1, 4, 6))] == [False, True, False]
    assert await store.results.history(GUILD, 99, 0) == before
    await store.close()


async def test_missing_scores_are_computed_later_after_a_store_error(path: Path) -> None:
    store = await Store.open(copy_migrated(path), now)
    old = MatchRescorer(store, pause=0)
    with closing(sqlite3.connect(path)) as other:
        other.execute("ALTER TABLE results RENAME TO elsewhere")
        await old.score()  # says so in the log
        other.execute("ALTER TABLE elsewhere RENAME TO results")
    assert await store.results.unscored(TableId(0), 99) == (1, 4, 6)
    assert await store.results.unscored(TableId(1), 1) == (4,)
    await store.close()


# Deletion

DELETED = UserId(IDS[NEWER][1])


def nameless(sittings: Sequence[Sitting]) -> list[Sitting]:
    return [replace(one, user=None) if one.user == DELETED else one for one in sittings]


async def test_deletion_anonymizes_sittings_and_keeps_figures_of_others(path: Path) -> None:
    store = await Store.open(copy_scored(path, NEWER), now)
    numbers = [match.table for match in await store.results.history(GUILD, 99, 0)]
    assert "sittings.user" in columns_containing(path, str(DELETED))
    scores = [await store.results.score(number) for number in numbers]
    sat = [await store.results.sittings(number) for number in numbers]
    lines = await matches_and_wins(store, GUILD)
    await store.deletions.forget_person(DELETED)
    assert columns_containing(path, str(DELETED)) == []
    assert [await store.results.score(number) for number in numbers] == scores
    assert [list(await store.results.sittings(number)) for number in numbers] == [nameless(each) for each in sat]
    del lines[DELETED]
    assert await matches_and_wins(store, GUILD) == lines
    await store.close()


async def test_restoring_an_older_copy_updates_scores_and_repeats_deletions(path: Path) -> None:
    """The list of deletions is newer than the copy, which has no sittings yet."""
    store = await Store.open(copy_scored(path, NEWER), now)
    await store.deletions.forget_person(DELETED)
    await store.close()
    ledger = ledger_path(path).read_bytes()
    copy_released(path, kept=NEWER)
    ledger_path(path).write_bytes(ledger)
    assert columns_containing(path, str(DELETED))
    store = await scored(path)
    await store.deletions.carry_out()
    assert columns_containing(path, str(DELETED)) == []
    assert await store.results.sittings(TableId(2)) != ()
    await store.close()


# Matches of today


async def test_leaving_and_returning_are_stored_with_the_ply(here: World) -> None:
    table, ben = await here.start_table("ben", "cleo", hands=1), here.people["ben"].id
    ann, cleo = here.ann.id, here.people["cleo"].id
    await table.do(Leave(cleo))
    await table.do(TakeBack(cleo))  # nothing has happened meanwhile
    await play_moves(here, table, 2)
    left = table.state.ply
    await table.do(Leave(ben))
    await play_moves(here, table, 2)
    await here.settle()
    back = table.state.ply
    await table.do(TakeBack(ben))
    await table.do(Leave(cleo))
    gone = table.state.ply
    await finish_match(here, table)
    assert await here.parts.store.results.sittings(table.id) == (
        Sitting(0, 0, ann, house=False),
        Sitting(1, 0, ben, house=False),
        Sitting(1, left, None, house=True, away="left"),
        Sitting(1, back, ben, house=False),
        Sitting(2, 0, cleo, house=False),
        Sitting(2, gone, None, house=True, away="left"),
        Sitting(3, 0, None, house=True),
    )
    assert 0 < left < back <= gone < table.state.ply
    assert table.match is not None
    score = await here.parts.store.results.score(table.id)
    assert score == score_of(table.match)
    assert (score.points, score.payments) == (table.match.totals, tuple(sorted(table.match.payments)))


async def test_late_and_removed_players_are_stored_as_such(here: World) -> None:
    table = await here.start_table("ben", hands=1)
    for _ in range(6):
        await here.advance(seconds=121)
    away = {one.seat: one.away for one in await here.parts.store.results.sittings(table.id) if one.house}
    assert away == {0: "late", 1: "late", 2: "", 3: ""}
    assert table.row.chairs[0].away == "late"


async def test_a_player_deleted_during_a_match_has_an_anonymous_sitting(here: World) -> None:
    table, ben = await here.start_table("ben", hands=1), here.people["ben"].id
    await play_moves(here, table, 2)
    assert ben in {one.user for one in await here.parts.store.results.sittings(table.id)}
    told = await here.parts.store.person_data(ben)
    assert [(row["seat"], row["ply"], row["user"]) for row in told["sittings"]] == [(1, 0, ben)]
    await here.settle()  # house players have the seats behind them
    gone = table.state.ply
    await here.parts.retention.forget_person(ben)
    await finish_match(here, table)
    sat = await here.parts.store.results.sittings(table.id)
    assert [one for one in sat if one.seat == 1] == [
        Sitting(1, 0, None, house=False),
        Sitting(1, gone, None, house=True, away="left"),
    ]
    match = await here.parts.store.results.finished(table.id)
    assert match is not None
    assert (match.outcome.counts, match.outcome.standings[1].left) == (True, True)


@pytest.mark.both_databases("updates by subqueries")
async def test_deleting_a_player_who_left_adds_no_second_departure(store: Store) -> None:
    table = await add_table(store)
    await store.tables.save(table, TableChange(phase="playing", steps=(STEP,)))
    assert CHAIRS[2].house
    assert CHAIRS[2].user is not None
    await store.deletions.forget_person(CHAIRS[2].user)
    assert await store.results.sittings(table) == ()


@pytest.mark.both_databases("foreign key and its error")
async def test_a_score_is_stored_with_its_result_or_not_at_all(store: Store) -> None:
    table = await add_table(store)
    score = DetailedScore((HandScore((1, None, 2), (0, 3, 1), (4, -5, 1)),) * 2, ((1, 0, 8), (1, 2, 2)))
    standing = SeatResult(seat=0, user=UserId(101), name="Ann", house=False, place=1, points=0, net=8)
    ends = TableChange(phase="over", outcome=MatchOutcome(2, NOON, (standing,)), score=score)
    await store.tables.save(table, TableChange(steps=(STEP,)))
    with pytest.raises(Exception, match="taken"):
        await store.tables.save(table, replace(ends, steps=(STEP,)))
    assert (await store.results.score(table), await store.results.finished(table)) == (None, None)
    await store.tables.save(table, ends)
    assert await store.results.score(table) == score
    assert (score.points, score.nets) == ((0, 6, 2), (8, -10, 2))
    with pytest.raises(StoreError):
        await store.tables.save(TableId(99), ends)


@pytest.mark.parametrize("ended", ["itself", "agreed", "silence", "moderator", "stopped"])
async def test_the_ending_and_rules_of_a_match_are_stored(store: Store, ended: MatchEnding) -> None:
    table = await add_table(store)
    await store.tables.save(table, TableChange(preset="hong_kong", options={"stake": 5}, chairs=CHAIRS))
    await store.tables.save(table, TableChange(phase="over", outcome=MatchOutcome(1, NOON, (), ended=ended)))
    found = await store.results.finished(table)
    assert found == FinishedMatch(
        table=table,
        number=1,
        game="big_two",
        preset="hong_kong",
        outcome=MatchOutcome(1, NOON, (), ended=ended),
        options={"stake": 5},
    )
