"""Who has time when: counted for those who sit there, and of nobody what they keep to themselves."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bot.ground.awake import Together, row, together
from bot.ground.day import Day, Hours
from bot.table.table import Table
from tests.people.test_slow_clocks import BERLIN, MANILA, lives
from tests.reading import Shown, private
from tests.world import World

MIDNIGHT = datetime(2026, 1, 1, 16, tzinfo=UTC)  # in Manila
TORONTO = Hours(datetime(2025, 1, 1, tzinfo=UTC), "America/Toronto", 23, 8)


def day(hours: Hours, *, shared: bool = False) -> Day:
    return Day((hours,), shared=shared)


async def who(here: World, name: str, table: Table) -> Shown:
    """Let somebody look who has time when, from behind the dots of their hand."""
    shown = await here.press_behind(name, await here.open_hand(name, table), "Who has time when")
    return private(shown)


def test_a_row_is_the_day_of_whoever_looks() -> None:
    assert row(day(MANILA), MIDNIGHT) == tuple(6 <= hour < 22 for hour in range(24))
    assert row(day(BERLIN), MIDNIGHT) == tuple(not 6 <= hour < 14 for hour in range(24))


def test_nothing_is_counted_from_which_one_person_s_day_follows() -> None:
    own, one, other = day(MANILA), day(BERLIN), day(TORONTO)
    alone = together(own, [one], MIDNIGHT)
    assert (alone.counted, alone.hidden) == (1, 1)
    assert alone.count == tuple(map(int, row(own, MIDNIGHT)))
    both = together(own, [one, other, Day()], MIDNIGHT)
    assert (both.counted, both.hidden, both.silent) == (3, 0, 1)
    rest = together(own, [one, day(TORONTO, shared=True)], MIDNIGHT)
    assert (rest.counted, rest.hidden) == (2, 1), "what is left would be the day of the one who keeps it"
    assert rest == together(own, [day(MANILA), day(TORONTO, shared=True)], MIDNIGHT)


@pytest.mark.parametrize(
    ("count", "best"),
    [
        ((1,) * 24, ((0, 24),)),
        ((2, 2, *(1,) * 20, 2, 2), ((22, 26),)),
        ((0,) * 3 + (3,) + (0,) * 4 + (3, 3) + (0,) * 14, ((8, 10), (3, 4))),
    ],
)
def test_the_best_hours_are_those_at_which_most_have_time(
    count: tuple[int, ...], best: tuple[tuple[int, int], ...]
) -> None:
    assert Together(count, 3, 0, 0).best == best


async def test_those_seated_see_how_many_have_time_by_their_own_clock(here: World) -> None:
    for name, hours in (("ann", MANILA), ("ben", BERLIN), ("cleo", TORONTO)):
        await lives(here, name, hours)
    table = await here.start_table("ben", "cleo", "dev", pace="relaxed")
    shown = await who(here, "ann", table)
    assert "All 3 have time: 20:00–22:00" in shown.text
    assert "1 has said nothing of their day." in shown.text
    assert shown.text.count("```") == 4, "all of them, and her own row"
    assert "ben" not in shown.text
    await here.bot.habits.change(here.people["ben"].id, shares_day=True)
    shown = await who(here, "ann", table)
    assert "**ben**" in shown.text
    assert "1 is not counted, for you could tell who it is." in shown.text


async def test_where_two_sit_the_other_has_to_want_it(here: World) -> None:
    await lives(here, "ann", MANILA)
    await lives(here, "ben", BERLIN)
    table = await here.start_table("ben", pace="relaxed")
    assert "Nobody else lets you see when they have time." in (await who(here, "ann", table)).text
    await here.bot.habits.change(here.people["ben"].id, shares_day=True)
    assert "All 2 have time: 14:00–22:00" in (await who(here, "ann", table)).text


async def test_who_looks_says_first_where_they_are(here: World) -> None:
    table = await here.start_table("ben", pace="relaxed")
    assert "What time is it where you are?" in (await who(here, "ann", table)).text


async def test_in_a_lobby_it_is_behind_the_dots(here: World) -> None:
    await lives(here, "ann", MANILA)
    table = await here.open_table(pace="relaxed")
    assert "Who has time when" in private(await here.press("ann", table, "Who has time when")).text
    live = await here.open_table()
    with pytest.raises(Exception, match="Who has time when"):
        await here.press("ann", live, "Who has time when")
