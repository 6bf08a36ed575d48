"""Seasons that end while the bot is stopped, and seasons that are switched off, on, or to another length."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import discord

from bot.domain.ids import AccessChannel, ChannelId
from tests.people.test_server_seasons import choose_seasons, finish_matches, read_first_season
from tests.people.test_server_settings import boss, open_settings
from tests.store.finished_matches import FinishedMatch, store_matches
from tests.store.sample_tables import NOON
from tests.support.message_text import ParsedMessage, private_reply
from tests.support.world import Person, World

__all__ = ["boss"]
JANUARY, FEBRUARY, MARCH, APRIL, MAY = (datetime(2031, month, 1, tzinfo=UTC) for month in range(1, 6))
DAY = timedelta(days=1)


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


async def store_matches_at(here: World, moment: datetime, *places: tuple[int, int], **more: str) -> None:
    """Store matches of Ann and Ben that ended around a moment, a minute apart."""
    ann, ben = (here.people[name].id for name in ("ann", "ben"))
    minute, place = round((moment - NOON) / timedelta(minutes=1)), AccessChannel(ChannelId(here.channel.id))
    await store_matches(
        here.parts.store,
        [
            FinishedMatch((ann, ben), each, minute + at, guild=here.guild.id, place=place, **more)  # type: ignore[arg-type]
            for at, each in enumerate(places)
        ],
    )


def season_posts(here: World) -> list[discord.Message]:
    """Return the posts about seasons in the channel, oldest first."""
    return [message for message in here.channel.history() if "is over" in ParsedMessage.of(message).text]


async def stored_seasons(here: World) -> list[tuple[int, datetime, datetime | None]]:
    """Return all seasons, the latest first."""
    return [(one.number, one.begins, one.ends) for one in await here.parts.seasons.known(here.guild.id)]


async def test_2_9_a_stop_across_two_season_ends_closes_two_seasons(here: World) -> None:
    await advance_to(here, JANUARY)
    await choose_seasons(here, "monthly")
    began = (await stored_seasons(here))[0][1]
    await advance_to(here, JANUARY + 10 * DAY)
    await finish_matches(here, (1, 2), (1, 2))
    await stop_between(here, JANUARY + 19 * DAY, MARCH + DAY)
    assert await stored_seasons(here) == [(3, MARCH, APRIL), (2, FEBRUARY, MARCH), (1, began, FEBRUARY)]
    (post,) = season_posts(here)
    said = ParsedMessage.of(post).text
    assert "Season 1 is over" in said
    assert f"{discord.utils.format_dt(began, 'd')} – {discord.utils.format_dt(FEBRUARY, 'd')}" in said
    assert "29 days late" in said
    assert post.flags.suppress_notifications
    assert not post.mentions


async def test_2_9_a_season_end_during_a_short_stop_is_posted_late_for_every_game(here: World) -> None:
    await advance_to(here, JANUARY)
    await choose_seasons(here, "quarterly")
    await store_matches_at(here, JANUARY + 10 * DAY, (1, 2))
    await store_matches_at(here, MARCH + 10 * DAY, (2, 1), game="tien_len", preset="south")
    await stop_between(here, APRIL - timedelta(minutes=20), APRIL + timedelta(minutes=39))
    (post,) = season_posts(here)
    said = ParsedMessage.of(post).text
    assert "this comes 40 minutes late" in said or "this comes 39 minutes late" in said
    assert "**Big Two**" in said
    assert "**Tiến Lên**" in said
    assert post.flags.suppress_notifications


async def test_2_9_a_match_after_a_season_end_does_not_count_for_it(here: World) -> None:
    await advance_to(here, JANUARY)
    await choose_seasons(here, "monthly")
    await store_matches_at(here, JANUARY + DAY, (1, 2), (1, 2))
    await store_matches_at(here, FEBRUARY + DAY, (2, 1), (2, 1), (2, 1))
    await here.pass_time_without_bot(seconds=(FEBRUARY + 2 * DAY - here.env.now()).total_seconds())
    before = await read_first_season(here)
    await here.parts.seasons.end_due()
    await here.settle()
    assert f"🥇 **P{here.ann.id}** (you)" in await read_first_season(here)
    assert await read_first_season(here) == before, "the screen says so before it is written down, too"
    (finalist, _) = await here.parts.store.seasons.finalists(here.guild.id, 1)
    assert finalist.player.tally is not None
    assert finalist.player.tally.matches == 2


async def test_2_9_of_several_seasons_ended_in_a_stop_the_last_is_announced(here: World) -> None:
    await advance_to(here, JANUARY)
    await choose_seasons(here, "monthly")
    await store_matches_at(here, JANUARY + 10 * DAY, (1, 2))
    await store_matches_at(here, FEBRUARY + 10 * DAY, (2, 1))
    await stop_between(here, JANUARY + 19 * DAY, MARCH + DAY)
    (post,) = season_posts(here)
    assert "Season 2 is over" in ParsedMessage.of(post).text
    assert "1 day late" in ParsedMessage.of(post).text
    assert "Season 1" in await read_first_season(here), "the earlier one stands in /standings"


async def test_2_9_a_season_end_older_than_31_days_is_not_announced(here: World) -> None:
    await advance_to(here, JANUARY)
    await choose_seasons(here, "monthly")
    await store_matches_at(here, JANUARY + 10 * DAY, (1, 2))
    await stop_between(here, JANUARY + 19 * DAY, FEBRUARY + 32 * DAY)
    assert season_posts(here) == []
    assert [one.number for one in await here.parts.seasons.known(here.guild.id)] == [3, 2, 1]
    assert f"🥇 **P{here.ann.id}** (you)" in await read_first_season(here)
    assert await here.parts.store.seasons.unannounced() == ()


async def test_2_9_switching_seasons_off_ends_the_current_one_and_on_starts_another(here: World, boss: Person) -> None:
    await advance_to(here, JANUARY)
    await choose_seasons(here, "monthly")
    began = (await stored_seasons(here))[0][1]
    await advance_to(here, FEBRUARY + 9 * DAY)
    await finish_matches(here, (1, 2))
    read = await (await open_settings(here, boss)).choose("season", "none")
    off = here.parts.now()
    assert "Seasons are off now" in private_reply(read).text
    (post,) = season_posts(here)
    assert "Season 2 is over" in ParsedMessage.of(post).text
    assert "everyone begins at the same rating" not in ParsedMessage.of(post).text
    assert not post.flags.suppress_notifications
    await advance_to(here, MARCH + 10 * DAY)
    await finish_matches(here, (2, 1), (2, 1))
    await advance_to(here, MAY + 3 * DAY)
    await (await open_settings(here, boss)).choose("season", "monthly")
    on, june = here.parts.now(), datetime(2031, 6, 1, tzinfo=UTC)
    assert [number for number, _, _ in await stored_seasons(here)] == [3, 2, 1]
    running, second, first = await stored_seasons(here)
    assert abs(running[1] - on) < timedelta(seconds=5)
    assert running[2] == june
    assert (second[1], first[1:]) == (FEBRUARY, (began, FEBRUARY))
    assert second[2] is not None
    assert abs(second[2] - off) < timedelta(seconds=5)
    await advance_to(here, june)
    assert len(season_posts(here)) == 1, "nobody has played in the third"


async def test_2_9_changing_the_length_ends_the_season_and_an_empty_one_is_not_announced(
    here: World, boss: Person
) -> None:
    await advance_to(here, JANUARY)
    await choose_seasons(here, "monthly")
    read = await (await open_settings(here, boss)).choose("season", "none")
    assert private_reply(read).text.startswith("## Settings for "), "no season is said to be over above the menu"
    await (await open_settings(here, boss)).choose("season", "monthly")
    await advance_to(here, JANUARY + 9 * DAY)
    assert season_posts(here) == []
    await finish_matches(here, (1, 2))
    await (await open_settings(here, boss)).choose("season", "quarterly")
    running, first = await stored_seasons(here)
    assert (running[0], running[2]) == (2, APRIL)
    assert first[2] == running[1]
    assert ["Season 1 is over" in ParsedMessage.of(post).text for post in season_posts(here)] == [True]
    assert "everyone begins at the same rating" in ParsedMessage.of(season_posts(here)[0]).text
    await (await open_settings(here, boss)).choose("season", "hand")
    assert (await stored_seasons(here))[0][2] is None


async def test_2_9_a_season_end_missed_by_a_stop_is_recorded_at_its_original_time(here: World) -> None:
    await advance_to(here, JANUARY)
    await choose_seasons(here, "hand")
    await advance_to(here, JANUARY + 9 * DAY)
    await finish_matches(here, (1, 2))
    await here.parts.servers.change(here.guild.id, here.owner, "season", "none")
    off = here.parts.now()
    await here.restart()
    await here.advance(minutes=1)
    ((number, _, ends),) = await stored_seasons(here)
    assert (number, ends) == (1, off)
    assert len(season_posts(here)) == 1


async def test_2_9_a_stop_before_the_season_post_posts_it_once_with_a_sound(here: World) -> None:
    await advance_to(here, JANUARY)
    await choose_seasons(here, "monthly")
    await store_matches_at(here, JANUARY + 10 * DAY, (1, 2), (1, 2))
    here.env.lose_answers("POST", "/channels/{channel_id}/messages")
    await advance_to(here, FEBRUARY)
    (post,) = season_posts(here)
    assert "late" not in ParsedMessage.of(post).text
    assert not post.flags.suppress_notifications
    await stop_between(here, here.parts.now(), FEBRUARY + 3 * DAY)
    assert len(season_posts(here)) == 1, "it was there, though nobody had heard so, and says no other lateness now"
    assert "late" not in ParsedMessage.of(season_posts(here)[0]).text
    assert await here.parts.store.seasons.unannounced() == ()
    assert not await here.parts.store.outbox.keys()


async def test_2_9_changing_to_a_time_zone_past_the_month_ends_the_season(here: World) -> None:
    await advance_to(here, JANUARY)
    await choose_seasons(here, "monthly")
    await advance_to(here, FEBRUARY - timedelta(hours=5))
    await finish_matches(here, (1, 2))
    await here.parts.servers.change(here.guild.id, here.owner, "zone", "Asia/Taipei")
    moved = here.parts.now()
    await here.parts.seasons.end_due()
    await here.settle()
    running, first = await stored_seasons(here)
    assert (running[1:], first[2]) == ((moved, MARCH - timedelta(hours=8)), moved)
    assert len(season_posts(here)) == 1
