"""The deal of the day where a day ends while the bot is stopped: players who had begun may finish for an hour."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from tests.people.test_day_deal import BEGIN, begin_try, daily, finish_deal, finish_try, open_daily_screen
from tests.support.message_text import ParsedMessage, private_reply
from tests.support.world import World

__all__ = ["daily"]
GO_ON, MIDNIGHT = "Keep playing", datetime(2026, 1, 10, tzinfo=UTC)  # of the 9th
YESTERDAY = (MIDNIGHT - timedelta(days=1)).date()


async def advance_to(here: World, moment: datetime) -> None:
    """Advance the time to a moment."""
    await here.advance(seconds=(moment - here.parts.now()).total_seconds())


async def stop_between(here: World, begins: datetime, ends: datetime) -> None:
    """Stop the bot between two moments."""
    await advance_to(here, begins)
    await here.stop()
    await here.pass_time_without_bot(seconds=(ends - here.env.now()).total_seconds())
    await here.start()
    await here.advance(minutes=1)


async def stop_over_midnight(here: World) -> None:
    """Stop the bot from ten minutes before midnight to twenty minutes after."""
    await stop_between(here, MIDNIGHT - timedelta(minutes=10), MIDNIGHT + timedelta(minutes=20))


async def read_day_before(here: World, name: str) -> ParsedMessage:
    """Return the screen of the day before."""
    return private_reply(await here.press_on(name, await open_daily_screen(here, name), "Day before"))


async def forged_begin(here: World, name: str) -> str:
    """Forge a click that resumes the deal of the day before; return the reply."""
    address = f"bv:day_begin:{YESTERDAY.isoformat()}"
    return private_reply(await here.forge(here.people[name], await open_daily_screen(here, name), address)).text


async def test_2_9_a_try_interrupted_by_a_stop_may_finish_within_an_hour_and_counts(
    daily: World,
) -> None:
    await advance_to(daily, MIDNIGHT - timedelta(hours=1))
    _, table = await begin_try(daily, "ann")
    await stop_over_midnight(daily)
    other = await finish_try(daily, "ann")
    assert other.id != table.id, "the deal of today can be played meanwhile"
    today = await open_daily_screen(daily, "ann")
    assert f"you can still finish the deal of {YESTERDAY}" in private_reply(today).text
    shown = await daily.press_on("ann", today, f"Finish {YESTERDAY}")
    assert "Deal of the day: " in private_reply(shown).text
    await finish_deal(daily, "ann", table)
    read = await read_day_before(daily, "ann")
    assert "You: place" in read.text
    assert "1 person has played it." in read.text
    assert await daily.parts.store.daily_deals.days_tried(daily.ann.id) == (MIDNIGHT.date(), YESTERDAY)
    today = await open_daily_screen(daily, "ann")
    assert "you can still finish" not in private_reply(today).text
    assert "2 days in a row" in private_reply(today).text
    await advance_to(daily, MIDNIGHT + timedelta(days=1, hours=1))
    assert "🟢🟢⚪" in private_reply(await open_daily_screen(daily, "ann")).text
    await advance_to(daily, MIDNIGHT + timedelta(days=2))
    assert "days in a row" not in private_reply(await open_daily_screen(daily, "ann")).text


async def test_2_9_the_sheet_of_a_day_waits_for_interrupted_tries(daily: World) -> None:
    await advance_to(daily, MIDNIGHT - timedelta(hours=1))
    finished = await finish_try(daily, "ben")
    await begin_try(daily, "ann")
    await stop_over_midnight(daily)
    watch = f"bv:replay:{finished.id}:0"
    for name in ("ann", "cleo"):
        read = await read_day_before(daily, name)
        assert "ben" not in read.text
        assert not read.selects
        seen = await daily.forge(daily.people[name], await open_daily_screen(daily, name), watch)
        assert "no such finished match" in private_reply(seen).text
    assert "Someone may still be finishing it, so scores" in (await read_day_before(daily, "cleo")).text
    assert "ben" in (await read_day_before(daily, "ben")).text
    for name in ("ben", "cleo"):
        await check_past_day_is_closed(daily, name)
    await advance_to(daily, MIDNIGHT + timedelta(minutes=79))
    assert "ben" not in (await read_day_before(daily, "cleo")).text
    await advance_to(daily, MIDNIGHT + timedelta(minutes=80))
    for name in ("ann", "cleo"):
        assert "ben" in (await read_day_before(daily, name)).text


async def check_past_day_is_closed(here: World, name: str) -> None:
    """Check that a player who had not begun the day before, or has finished it, cannot begin it."""
    read = await read_day_before(here, name)
    assert not {BEGIN, GO_ON} & read.buttons.keys()
    await forged_begin(here, name)
    assert not [row for row in await here.parts.store.tables.seated(here.people[name].id) if row.open]
    assert await here.parts.store.daily_deals.try_of(here.people[name].id, MIDNIGHT.date()) is None


async def test_2_9_an_interrupted_try_is_closed_uncounted_after_the_hour(daily: World) -> None:
    await advance_to(daily, MIDNIGHT - timedelta(hours=1))
    _, table = await begin_try(daily, "ann")
    await stop_over_midnight(daily)
    assert GO_ON in (await read_day_before(daily, "ann")).buttons
    await advance_to(daily, MIDNIGHT + timedelta(minutes=79))
    assert (await daily.reload(table)).row.open
    await advance_to(daily, MIDNIGHT + timedelta(minutes=80))
    assert (await daily.reload(table)).row.phase == "closed"
    assert GO_ON not in (await read_day_before(daily, "ann")).buttons
    assert "You didn't finish this one." in await forged_begin(daily, "ann")
    assert await daily.parts.store.daily_deals.days_tried(daily.ann.id) == ()


async def test_2_9_without_a_stop_the_deal_of_a_day_closes_at_midnight(daily: World) -> None:
    await advance_to(daily, MIDNIGHT - timedelta(minutes=30))
    _, table = await begin_try(daily, "ann")
    await advance_to(daily, MIDNIGHT - timedelta(seconds=30))
    assert (await daily.reload(table)).row.open
    await advance_to(daily, MIDNIGHT + timedelta(seconds=1))
    assert (await daily.reload(table)).row.phase == "closed"
    assert BEGIN in private_reply(await open_daily_screen(daily, "ann")).buttons
