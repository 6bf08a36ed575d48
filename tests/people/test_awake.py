"""Who has time when: counted for the players of a table, without their private hours."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.working_hours import CommonHours, Hours, WorkSchedule, common_hours, hourly_availability
from bot.table.table import Table
from tests.people.test_slow_clocks import BERLIN, MANILA, set_working_hours
from tests.support.law_settings import law_examples
from tests.support.message_text import ParsedMessage, private_reply
from tests.support.world import World

MIDNIGHT = datetime(2026, 1, 1, 16, tzinfo=UTC)  # in Manila
TORONTO = Hours(datetime(2025, 1, 1, tzinfo=UTC), "America/Toronto", bed=23, night=8)


def schedule(hours: Hours, *, shared: bool = False) -> WorkSchedule:
    return WorkSchedule((hours,), shared=shared)


async def open_availability(here: World, name: str, table: Table) -> ParsedMessage:
    """Open the availability screen from the menu of a player's hand."""
    shown = await here.press_in_menu(name, await here.open_hand(name, table), "Who's free when")
    return private_reply(shown)


def test_hours_are_shown_in_the_time_zone_of_the_viewer() -> None:
    assert hourly_availability(schedule(MANILA), MIDNIGHT) == tuple(6 <= hour < 22 for hour in range(24))
    assert hourly_availability(schedule(BERLIN), MIDNIGHT) == tuple(not 6 <= hour < 14 for hour in range(24))


HOURS = st.builds(
    Hours,
    st.just(MANILA.since),
    st.sampled_from(("Asia/Manila", "America/Toronto", "UTC")),
    bed=st.integers(0, 23),
    night=st.sampled_from((0, 6, 8, 12)),
)


@law_examples(30)
@given(st.lists(st.tuples(HOURS, HOURS), max_size=4), st.lists(HOURS, max_size=3))
def test_no_count_depends_on_hidden_working_hours(hidden: list[tuple[Hours, Hours]], shared: list[Hours]) -> None:
    """However many there are, and also for a viewer who saw earlier figures."""
    own, seen = schedule(MANILA), [schedule(hours, shared=True) for hours in shared]
    before, otherwise = (common_hours(own, [schedule(hours[at]) for hours in hidden] + seen, MIDNIGHT) for at in (0, 1))
    assert before == otherwise
    assert (before.counted, before.hidden) == (1 + len(shared), len(hidden))
    assert before.count == tuple(
        map(sum, zip(*(hourly_availability(one, MIDNIGHT) for one in (own, *seen)), strict=True))
    )


def test_a_player_without_working_hours_is_not_counted() -> None:
    found = common_hours(schedule(MANILA), [schedule(BERLIN, shared=True), schedule(TORONTO), WorkSchedule()], MIDNIGHT)
    assert (found.counted, found.hidden, found.silent) == (2, 1, 1)


@pytest.mark.parametrize(
    ("count", "best"),
    [
        ((1,) * 24, ((0, 24),)),
        ((2, 2, *(1,) * 20, 2, 2), ((22, 26),)),
        ((0,) * 3 + (3,) + (0,) * 4 + (3, 3) + (0,) * 14, ((8, 10), (3, 4))),
    ],
)
def test_the_best_hours_are_when_most_players_are_available(
    count: tuple[int, ...], best: tuple[tuple[int, int], ...]
) -> None:
    assert CommonHours(count, 3, 0, 0).best == best


async def test_seated_players_see_availability_in_their_own_time_zone(here: World) -> None:
    for name, hours in (("ann", MANILA), ("ben", BERLIN), ("cleo", TORONTO)):
        await set_working_hours(here, name, hours)
    table = await here.start_table("ben", "cleo", "dev", pace="relaxed")
    shown = await open_availability(here, "ann", table)
    assert "2 people keep their hours private. 1 person hasn't set any hours." in shown.text
    assert shown.text.count("```") == 2, "her own row"
    for name in ("ben", "cleo"):
        await here.parts.preferences.change(here.people[name].id, shares_day=True)
    shown = await open_availability(here, "ann", table)
    assert "All 3 are free: 20:00–22:00" in shown.text
    assert shown.text.count("```") == 8, "all of them, and a row of each"
    assert "**ben**" in shown.text


async def test_a_viewer_sets_a_time_zone_first_and_one_opponent_must_share_theirs(here: World) -> None:
    table = await here.start_table("ben", pace="relaxed")
    assert "What time is it where you are?" in (await open_availability(here, "ann", table)).text
    await set_working_hours(here, "ann", MANILA)
    await set_working_hours(here, "ben", BERLIN)
    assert "Nobody else shares their hours." in (await open_availability(here, "ann", table)).text
    await here.parts.preferences.change(here.people["ben"].id, shares_day=True)
    assert "All 2 are free: 14:00–22:00" in (await open_availability(here, "ann", table)).text


async def test_a_slow_lobby_offers_availability_in_its_menu(here: World) -> None:
    await set_working_hours(here, "ann", MANILA)
    table = await here.open_table(pace="relaxed")
    assert "Who's free when" in private_reply(await here.press("ann", table, "Who's free when")).text
    live = await here.open_table()
    with pytest.raises(Exception, match="Who's free when"):
        await here.press("ann", live, "Who's free when")
