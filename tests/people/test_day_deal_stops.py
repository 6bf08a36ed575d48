"""The deal of the day where a day ends while the bot is stopped: players who had begun may finish for an hour."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from tests.people.test_day_deal import BEGIN, ask, begin, daily, play_on, play_out
from tests.support.message_text import Shown, private
from tests.support.world import World

__all__ = ["daily"]
GO_ON, MIDNIGHT = "Keep playing", datetime(2026, 1, 10, tzinfo=UTC)  # of the 9th
YESTERDAY = (MIDNIGHT - timedelta(days=1)).date()


async def until(here: World, moment: datetime) -> None:
    """Let time go by up to a moment."""
    await here.later(seconds=(moment - here.parts.now()).total_seconds())


async def stopped(here: World, begins: datetime, ends: datetime) -> None:
    """Let the bot be stopped meanwhile."""
    await until(here, begins)
    await here.stop()
    await here.later_without_bot(seconds=(ends - here.env.now()).total_seconds())
    await here.start()
    await here.later(minutes=1)


async def over_midnight(here: World) -> None:
    """Let the bot be stopped from ten minutes before midnight to twenty minutes after."""
    await stopped(here, MIDNIGHT - timedelta(minutes=10), MIDNIGHT + timedelta(minutes=20))


async def day_before(here: World, name: str) -> Shown:
    """Return what a player reads of the day before."""
    return private(await here.press_on(name, await ask(here, name), "Day before"))


async def forged_begin(here: World, name: str) -> str:
    """Let a player send a click that would go on with the deal of the day before; return what they read."""
    address = f"bv:day_begin:{YESTERDAY.isoformat()}"
    return private(await here.forge(here.people[name], await ask(here, name), address)).text


async def test_2_9_a_try_interrupted_by_a_stop_may_finish_within_an_hour_and_counts(
    daily: World,
) -> None:
    await until(daily, MIDNIGHT - timedelta(hours=1))
    _, table = await begin(daily, "ann")
    await over_midnight(daily)
    other = await play_out(daily, "ann")
    assert other.id != table.id, "the deal of today can be played meanwhile"
    today = await ask(daily, "ann")
    assert f"you can still finish the deal of {YESTERDAY}" in private(today).text
    shown = await daily.press_on("ann", today, f"Finish {YESTERDAY}")
    assert "Deal of the day: " in private(shown).text
    await play_on(daily, "ann", table)
    read = await day_before(daily, "ann")
    assert "You: place" in read.text
    assert "1 person has played it." in read.text
    assert await daily.parts.store.daily_deals.days_tried(daily.ann.id) == (MIDNIGHT.date(), YESTERDAY)
    today = await ask(daily, "ann")
    assert "you can still finish" not in private(today).text
    assert "2 days in a row" in private(today).text
    await until(daily, MIDNIGHT + timedelta(days=1, hours=1))
    assert "🟢🟢⚪" in private(await ask(daily, "ann")).text
    await until(daily, MIDNIGHT + timedelta(days=2))
    assert "days in a row" not in private(await ask(daily, "ann")).text


async def test_2_9_the_sheet_of_a_day_waits_for_interrupted_tries(daily: World) -> None:
    await until(daily, MIDNIGHT - timedelta(hours=1))
    finished = await play_out(daily, "ben")
    await begin(daily, "ann")
    await over_midnight(daily)
    watch = f"bv:replay:{finished.id}:0"
    for name in ("ann", "cleo"):
        read = await day_before(daily, name)
        assert "ben" not in read.text
        assert not read.selects
        seen = await daily.forge(daily.people[name], await ask(daily, name), watch)
        assert "no such finished match" in private(seen).text
    assert "Someone may still be finishing it, so scores" in (await day_before(daily, "cleo")).text
    assert "ben" in (await day_before(daily, "ben")).text
    for name in ("ben", "cleo"):
        await nobody_begins_a_day_that_is_over(daily, name)
    await until(daily, MIDNIGHT + timedelta(minutes=79))
    assert "ben" not in (await day_before(daily, "cleo")).text
    await until(daily, MIDNIGHT + timedelta(minutes=80))
    for name in ("ann", "cleo"):
        assert "ben" in (await day_before(daily, name)).text


async def nobody_begins_a_day_that_is_over(here: World, name: str) -> None:
    """Check that a player who had not begun the day before, or has finished it, cannot begin it."""
    read = await day_before(here, name)
    assert not {BEGIN, GO_ON} & read.buttons.keys()
    await forged_begin(here, name)
    assert not [row for row in await here.parts.store.tables.seated(here.people[name].id) if row.open]
    assert await here.parts.store.daily_deals.try_of(here.people[name].id, MIDNIGHT.date()) is None


async def test_2_9_an_interrupted_try_is_closed_uncounted_after_the_hour(daily: World) -> None:
    await until(daily, MIDNIGHT - timedelta(hours=1))
    _, table = await begin(daily, "ann")
    await over_midnight(daily)
    assert GO_ON in (await day_before(daily, "ann")).buttons
    await until(daily, MIDNIGHT + timedelta(minutes=79))
    assert (await daily.again(table)).row.open
    await until(daily, MIDNIGHT + timedelta(minutes=80))
    assert (await daily.again(table)).row.phase == "closed"
    assert GO_ON not in (await day_before(daily, "ann")).buttons
    assert "You didn't finish this one." in await forged_begin(daily, "ann")
    assert await daily.parts.store.daily_deals.days_tried(daily.ann.id) == ()


async def test_2_9_without_a_stop_the_deal_of_a_day_closes_at_midnight(daily: World) -> None:
    await until(daily, MIDNIGHT - timedelta(minutes=30))
    _, table = await begin(daily, "ann")
    await until(daily, MIDNIGHT - timedelta(seconds=30))
    assert (await daily.again(table)).row.open
    await until(daily, MIDNIGHT + timedelta(seconds=1))
    assert (await daily.again(table)).row.phase == "closed"
    assert BEGIN in private(await ask(daily, "ann")).buttons
