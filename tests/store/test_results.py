"""What has ended: the leaderboard and the history of a server."""

from __future__ import annotations

from typing import Any

from bot.store.rows import Change, Line, Outcome, Standing
from bot.store.store import Store
from tests.store.given import ANN, BEN, CAT, GUILD, MINUTE, NOON, a_table


async def ended(store: Store, hands: int, *standings: Standing, minutes: int = 0, **new: Any) -> int:
    table = await a_table(store, **new)
    outcome = Outcome(hands, NOON + minutes * MINUTE, standings)
    await store.save(table, Change(phase="over", outcome=outcome))
    return table


def ends(seat: int, user: int | None, place: int, points: int, *, house: bool = False, name: str = "") -> Standing:
    return Standing(seat, user, name or f"#{user}", house, place, points, net=-points)


async def test_the_leaderboard_adds_up_persons_and_sorts_them(store: Store) -> None:
    await ended(store, 2, ends(0, ANN, 1, 0, name="Anna"), ends(1, BEN, 2, 6), ends(2, None, 3, 20, house=True))
    await ended(store, 1, ends(0, ANN, 2, 8, name="Ann"), ends(1, BEN, 1, 1), minutes=5)
    await ended(store, 4, ends(0, CAT, 1, 0, house=True), ends(1, ANN, 2, 9, name="Older"), minutes=-5)
    await ended(store, 1, ends(0, CAT, 1, 5), game="big_a", minutes=1)
    await ended(store, 1, ends(0, ANN, 1, 0), guild=5)
    ann, ben = Line(ANN, "Ann", 3, 1, 17, 7), Line(BEN, f"#{BEN}", 2, 1, 7, 3)
    assert await store.leaderboard(GUILD, None) == (Line(CAT, f"#{CAT}", 2, 1, 5, 5), ben, ann)
    assert await store.leaderboard(GUILD, "big_two") == (ben, ann, Line(CAT, f"#{CAT}", 1, 0, 0, 4))
    assert await store.leaderboard(6, None) == ()


async def test_equal_lines_go_to_whom_played_more(store: Store) -> None:
    await ended(store, 1, ends(0, ANN, 2, 4), ends(1, BEN, 2, 4))
    await ended(store, 1, ends(0, BEN, 2, 4))
    await ended(store, 0, ends(0, CAT, 2, 0))  # no hand was played to its end
    assert [line.user for line in await store.leaderboard(GUILD, None)] == [CAT, BEN, ANN]


async def test_history_is_paged_from_the_latest(store: Store) -> None:
    ids = [await ended(store, 1, ends(1, None, 2, 3, house=True), ends(0, ANN, 1, 0), minutes=n) for n in range(5)]
    await ended(store, 1, ends(0, ANN, 1, 0), guild=5)
    assert [match.table for match in await store.history(GUILD, 2, 0)] == [ids[4], ids[3]]
    assert [match.number for match in await store.history(GUILD, 9, 3)] == [2, 1]
    assert [s.seat for s in (await store.history(GUILD, 1, 0))[0].outcome.standings] == [0, 1]
    assert await store.history_count(GUILD) == 5
    assert (await store.history_count(6), await store.history(6, 5, 0)) == (0, ())
