"""The summary of a person's stored data: counted, and read in pages between which others write."""

from __future__ import annotations

import asyncio
import random
from datetime import timedelta
from pathlib import Path
from typing import get_args

import pytest
from sqlalchemy import insert

from bot.domain.ids import UserId
from bot.domain.refusals import Refused
from bot.domain.results import Sitting
from bot.history.record_upkeep import RecordPacker
from bot.store.erasure import own_data
from bot.store.rows import Decider, MatchStep, TableChange
from bot.store.schema import habits, lessons
from bot.store.store import Store
from tests.store.released_databases import IDS, KEPT, NEWER, copy_migrated
from tests.store.sample_tables import ANN, BEN, GUILD, NOON, add_table, now

pytestmark = pytest.mark.usefixtures("in_place")
MANY = 5 * own_data.ROWS
LATER = NOON + timedelta(days=40)


async def lessons_of(store: Store, user: UserId, count: int = MANY) -> None:
    """Store a number of rows about a person."""
    rows = [{"user": user, "guild": GUILD, "game": f"game {number}"} for number in range(count)]
    await store._gate.run(lambda connection: connection.execute(insert(lessons), rows))


@pytest.mark.both_databases("counts over unions")
async def test_1_1_the_summary_counts_rows_without_reading_them(store: Store) -> None:
    await lessons_of(store, ANN)
    await lessons_of(store, BEN, 7)
    table = await add_table(store)
    sat = (Sitting(0, 0, ANN, house=False),)
    await store.tables.save(table, TableChange(phase="playing", sittings=sat))
    data = await store.person_data(ANN)
    assert await store.own_data(ANN).count() == (sum(map(len, data.values())), 1)
    assert data.keys() >= {"tables", "chairs", "outbox", "lessons", "sittings"}
    assert await store.own_data(BEN).count() == (7 + 1, 0)
    assert await store.own_data(UserId(7)).count() == (0, 0)


@pytest.mark.both_databases("isolation")
async def test_1_1_other_writes_run_between_two_pages(store: Store) -> None:
    await lessons_of(store, ANN)
    pages = 0
    async for _ in store.own_data(ANN).pages():
        pages += 1
        async with asyncio.timeout(60):  # which a page that holds the store up to the next one never ends
            await store.notes.remember("said", "between")
    assert pages >= MANY // own_data.ROWS


async def test_1_1_paging_stops_at_a_deletion(store: Store) -> None:
    await lessons_of(store, ANN)
    pages = store.own_data(ANN).pages()
    assert (await anext(pages)).name == "lessons"
    await store.deletions.forget_person(ANN)
    await store.people.save_preferences(ANN, await store.people.preferences(BEN))  # they play again
    with pytest.raises(Refused, match="Your data was deleted in the meantime, so"):
        await anext(pages)
    assert [page.name async for page in store.own_data(ANN).pages()] == [habits.name]


async def test_1_1_a_deletion_after_the_last_page_is_noticed(store: Store) -> None:
    await lessons_of(store, ANN, 1)
    pages = store.own_data(ANN).pages()
    assert (await anext(pages)).name == "lessons"
    await store.deletions.forget_person(ANN)
    with pytest.raises(Refused):
        await anext(pages)


@pytest.mark.rotates(2)
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("kept", [KEPT, NEWER], ids=lambda kept: kept.stem)
async def test_pages_of_any_size_have_the_same_contents(
    path: Path, kept: Path, monkeypatch: pytest.MonkeyPatch, *, packed: bool
) -> None:
    copy_migrated(path, kept)
    store = await Store.open(path, now)
    if packed:
        await RecordPacker(store, lambda: LATER, {}, pause=0).pack()
    for user in map(UserId, IDS[kept][1:3]):
        whole = await store.person_data(user)
        with monkeypatch.context() as small:
            for name, size in (("ROWS", 3), ("SOURCES", 2), ("SITTINGS", 1)):
                small.setattr(own_data, name, size)
            small.setattr(own_data, "SITTINGS_FROM", own_data.SITTINGS_FROM.limit(1))
            assert await store.person_data(user) == whole
        assert len(whole["moves"]) > own_data.ROWS / 4
    await store.close()


async def moves(store: Store, user: UserId) -> list[tuple[int, int, int]]:
    """The moves that a person is told: table, seat, ply."""
    told = (await store.person_data(user)).get("moves", [])
    return [(move["table_id"], move["seat"], move["ply"]) for move in told]


@pytest.mark.both_databases("bytes, and rows that one row stands for")
async def test_2_4_a_move_belongs_to_the_player_of_the_seat_at_that_time(store: Store) -> None:
    rng, deciders = random.Random("sittings"), get_args(Decider)
    expected = dict[UserId, list[tuple[int, int, int]]]({ANN: [], BEN: []})
    for _ in range(12):
        table = await add_table(store)
        acting = [[rng.choice([ANN, BEN, None])] * 30, [rng.choice([ANN, BEN, None])] * 30]
        for seat, ply in ((rng.randrange(2), rng.randrange(1, 30)) for _ in range(rng.randrange(5))):
            acting[seat][ply:] = [rng.choice([ANN, BEN, None])] * (30 - ply)
        steps = tuple(
            MatchStep(ply, rng.randrange(2), "pass", rng.choice(deciders), NOON + timedelta(seconds=ply))
            for ply in range(30)
        )
        sat = tuple(
            Sitting(seat, ply, user, house=user is None)
            for seat, users in enumerate(acting)
            for ply, user in enumerate(users)
            if ply == 0 or user != users[ply - 1]
        )
        await store.tables.save(table, TableChange(phase="closed", steps=steps, sittings=sat))
        for seat, users in enumerate(acting):
            for step in steps:
                user = users[step.ply]
                if step.seat == seat and user is not None and step.by not in ("house", "given"):
                    expected[user].append((table, seat, step.ply))
    for user, own in expected.items():
        assert own
        assert await moves(store, user) == own
    await RecordPacker(store, lambda: LATER, {}, pause=0).pack()
    for user, own in expected.items():
        assert await moves(store, user) == own
