"""What has ended: the history of a server."""

from __future__ import annotations

from typing import Any

import pytest

from bot.domain.ids import AccessChannel, ChannelId, GuildId, TableId, UserId
from bot.domain.pace import LIVE, RELAXED
from bot.domain.results import MatchOutcome, ResultsViewer, SeatResult
from bot.store.rows import TableChange
from bot.store.store import Store
from tests.store.sample_tables import ANN, BEN, CAT, GUILD, MINUTE, NOON, STEP, add_table


async def ended(store: Store, hands: int, *standings: SeatResult, minutes: int = 0, **new: Any) -> TableId:
    table = await add_table(store, **new)
    outcome = MatchOutcome(hands, NOON + minutes * MINUTE, standings)
    await store.tables.save(table, TableChange(phase="over", outcome=outcome))
    return table


def ends(seat: int, user: UserId | None, place: int, points: int, *, house: bool = False, name: str = "") -> SeatResult:
    left = house and user is not None
    return SeatResult(
        seat=seat, user=user, name=name or f"#{user}", house=house, place=place, points=points, net=-points, left=left
    )


@pytest.mark.both_databases("order and limits")
async def test_history_is_paged_from_the_latest(store: Store) -> None:
    ids = [await ended(store, 1, ends(1, None, 2, 3, house=True), ends(0, ANN, 1, 0), minutes=n) for n in range(5)]
    await ended(store, 1, ends(0, ANN, 1, 0), guild=5)
    assert [match.table for match in await store.results.history(GUILD, 2, 0)] == [ids[4], ids[3]]
    assert [match.number for match in await store.results.history(GUILD, 9, 3)] == [2, 1]
    assert [s.seat for s in (await store.results.history(GUILD, 1, 0))[0].outcome.standings] == [0, 1]
    assert await store.results.count(GUILD) == 5
    assert (await store.results.count(GuildId(6)), await store.results.history(GuildId(6), 5, 0)) == (0, ())


async def at(store: Store, place: AccessChannel, *standings: SeatResult, minutes: int = 0) -> TableId:
    """End a match there."""
    table = await add_table(store)
    outcome = MatchOutcome(1, NOON + minutes * MINUTE, standings, place=place)
    await store.tables.save(table, TableChange(phase="over", outcome=outcome))
    return table


async def test_the_history_of_a_viewer_has_visible_and_own_matches(store: Store) -> None:
    everywhere = [
        AccessChannel(ChannelId(1)),
        AccessChannel(ChannelId(2), hidden=True),
        AccessChannel(ChannelId(3), hidden=True),
        AccessChannel(ChannelId(2), hidden=True),
        AccessChannel(ChannelId(1)),
    ]
    ids = [await at(store, place, ends(0, ANN, 1, 0), minutes=n) for n, place in enumerate(everywhere)]
    sat = await at(store, AccessChannel(ChannelId(4), hidden=True), ends(0, BEN, 1, 0), minutes=9)
    ben = ResultsViewer(BEN, frozenset(map(ChannelId, (1, 2))))
    assert [each.table for each in await store.results.history(GUILD, 9, 0, reader=ben)] == [
        sat,
        ids[4],
        ids[3],
        ids[1],
        ids[0],
    ]
    assert [each.table for each in await store.results.history(GUILD, 2, 2, reader=ben)] == [ids[3], ids[1]], (
        "pages have no gaps"
    )
    assert await store.results.count(GUILD, reader=ben) == 5
    assert await store.results.count(GUILD, reader=ResultsViewer(CAT, frozenset())) == 0
    assert await store.results.channels(GUILD) == (4, 1, 2, 3)
    found = [await store.results.finished(each) for each in (ids[1], sat, TableId(99))]
    assert [ended and ended.outcome.place.channel for ended in found] == [2, 4, None]
    assert (await store.results.history(GUILD, 1, 0))[0].outcome.place == AccessChannel(ChannelId(4), hidden=True)


async def test_the_estimated_duration_is_the_median_of_five_matches(store: Store) -> None:
    for hours in (1, 2, 4, 40):
        await timed(store, hours)
    await timed(store, 3, pace=LIVE)
    await timed(store, 3, guild=5)
    assert await store.results.hand_duration(GUILD, "big_two", RELAXED) is None
    await timed(store, 3)
    assert await store.results.hand_duration(GUILD, "big_two", RELAXED) == 90 * MINUTE, "of two hands each"
    assert await store.results.hand_duration(GUILD, "tien_len", RELAXED) is None


async def timed(store: Store, hours: int, **new: Any) -> None:
    """End a match of two hands, so long after its first card."""
    table = await add_table(store, **{"pace": RELAXED} | new)
    await store.tables.save(table, TableChange(steps=(STEP,)))
    outcome = MatchOutcome(2, NOON + hours * 60 * MINUTE, (ends(0, ANN, 1, 0),))
    await store.tables.save(table, TableChange(phase="over", outcome=outcome))
