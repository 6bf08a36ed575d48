"""Seasons: how one ends, what the channel reads of it, and what stays."""

from __future__ import annotations

from datetime import timedelta

from bot.domain.ids import AccessChannel, ChannelId, GuildId, UserId
from bot.domain.results import DetailedScore, HandScore
from bot.rules.matches.achievements import VERSION
from bot.show.server.standings import SEASON
from bot.store.rows import Moderation
from tests.people.test_server_settings import boss, open_settings
from tests.store.finished_matches import FinishedMatch, store_matches
from tests.store.sample_tables import NOON
from tests.support.message_text import ParsedMessage, private_reply
from tests.support.world import Person, World

__all__ = ["boss"]


async def finish_matches(here: World, *places: tuple[int, int], **more: int) -> None:
    """Store matches of Ann and Ben that have just finished."""
    ann, ben = (here.people[name].user.id for name in ("ann", "ben"))
    now = round((here.parts.now() - NOON) / timedelta(minutes=1))
    place = AccessChannel(ChannelId(here.channel.id))
    await store_matches(
        here.parts.store,
        [
            FinishedMatch((ann, ben), each, now - len(places) + at, guild=here.guild.id, place=place)
            for at, each in enumerate(places)
        ],
    )


async def choose_seasons(here: World, kind: str) -> None:
    """Set the kind of seasons and update them."""
    await here.parts.servers.change(here.bot.get_guild(here.guild.id).id, here.owner, "season", kind)  # type: ignore[union-attr,arg-type]
    await here.parts.seasons.end_due()


def channel_posts(here: World) -> list[str]:
    """Return the texts in the channel, oldest first."""
    return [ParsedMessage.of(message).text for message in here.channel.history() if not message.flags.ephemeral]


async def test_a_monthly_season_ends_with_one_post(here: World) -> None:
    await choose_seasons(here, "monthly")
    await here.advance(days=1)
    await finish_matches(here, (1, 2), (1, 2), (1, 2), (2, 1), (1, 2))
    await here.advance(days=31)
    told = [text for text in channel_posts(here) if "Season 1 is over" in text]
    assert len(told) == 1
    assert "🥇 **P" in told[0]
    assert "won 3 matches in a row." in told[0]
    assert "played the most: 5 matches." in told[0]
    await here.restart()
    await here.advance(hours=2)
    assert len([text for text in channel_posts(here) if "Season 1 is over" in text]) == 1
    await here.advance(days=31)
    assert not [text for text in channel_posts(here) if "Season 2 is over" in text], "nobody has played in it"


async def test_1_1_a_season_end_whose_response_was_lost_is_announced_once(here: World) -> None:
    await choose_seasons(here, "monthly")
    await here.advance(days=1)
    await finish_matches(here, (1, 2), (2, 1))
    here.env.lose_answers("POST", "/channels/{channel_id}/messages")
    await here.advance(days=31)
    await here.advance(hours=2)
    (told,) = [text for text in channel_posts(here) if "Season 1 is over" in text]
    assert not [sign for sign in "🔥💣🎢🃏" if sign in told], "nobody did what would be told"
    assert not await here.parts.store.outbox.keys()


async def test_each_season_starts_from_zero_and_past_seasons_stay(here: World) -> None:
    await choose_seasons(here, "monthly")
    await here.advance(days=1)
    await finish_matches(here, (1, 2), (1, 2))
    await here.advance(days=31)
    ann = here.people["ann"].user.id
    opened = await here.people["ann"].slash(here.channel, "standings")
    target = next(target for target in private_reply(opened).selects if SEASON in target)
    assert private_reply(opened).selects[target] == ("all", "2", "1")
    assert opened.response is not None
    now = await here.people["ann"].select(opened.response.message, ["2"], custom_id=target)
    assert "This season" in private_reply(now).text
    assert "No rated matches here yet." in private_reply(now).text
    first = await here.people["ann"].select(opened.response.message, ["1"], custom_id=target)
    assert "Season 1" in private_reply(first).text
    assert f"🥇 **P{ann}** (you)" in private_reply(first).text
    before = private_reply(first).text
    await finish_matches(here, (2, 1), (2, 1), (2, 1))
    again = await here.people["ann"].select(opened.response.message, ["1"], custom_id=target)
    assert private_reply(again).text == before
    await here.parts.store.deletions.forget_person(UserId(ann))
    left = await here.people["ben"].slash(here.channel, "standings")
    assert f"P{ann}" not in private_reply(left).text


async def test_a_manual_season_ends_at_the_owners_request(here: World, boss: Person) -> None:
    await choose_seasons(here, "hand")
    opened = await open_settings(here, boss)
    assert opened.opened.response is not None
    nobody = await boss.click(opened.opened.response.message, label="End the season now")
    assert "so it continues" in private_reply(nobody).text
    await here.advance(minutes=20)
    await finish_matches(here, (1, 2))
    await boss.click(opened.opened.response.message, label="End the season now")
    await here.settle()
    assert [text for text in channel_posts(here) if "Season 1 is over" in text]
    seasons = await here.parts.seasons.known(here.bot.get_guild(here.guild.id).id)  # type: ignore[union-attr,arg-type]
    assert [(one.number, one.ends is None) for one in seasons] == [(2, True), (1, False)]


async def test_a_season_post_that_failed_is_retried(here: World) -> None:
    await choose_seasons(here, "hand")
    await here.advance(minutes=20)
    await finish_matches(here, (1, 2))
    await here.set_bot_permissions(here.channel, send_messages=False)
    await here.parts.seasons.end_now(here.bot.get_guild(here.guild.id).id)  # type: ignore[union-attr,arg-type]
    assert not [text for text in channel_posts(here) if "Season 1 is over" in text]
    await here.set_bot_permissions(here.channel, send_messages=True)
    await here.advance(hours=2)
    assert len([text for text in channel_posts(here) if "Season 1 is over" in text]) == 1


async def test_a_season_without_matches_is_not_announced(here: World) -> None:
    for kind in ("none", "monthly"):
        await choose_seasons(here, kind)
        await here.advance(days=40)
        assert not [text for text in channel_posts(here) if "is over" in text]


def comeback_score(first: int, *codes: tuple[int, str, int]) -> DetailedScore:
    """Return the score of a match of four hands won by Ann after a deficit at half time."""
    hands = [HandScore((2, 1), (points, 0), (0, 0)) for points in (first, 0, -first, -1)]
    return DetailedScore(tuple(hands), deeds=codes, version=VERSION)


async def test_the_season_post_names_bombs_and_the_comeback(here: World) -> None:
    await choose_seasons(here, "monthly")
    await here.advance(days=1)
    await finish_matches(here, (1, 2), (1, 2), (2, 1), (1, 2), (1, 2))
    tables = [one.table for one in await here.parts.store.results.history(GuildId(here.guild.id), 9, 0)]
    await here.parts.store.results.keep_score(tables[0], comeback_score(30, (0, "comeback", 1), (0, "bombs:", 2)))
    await here.parts.store.results.keep_score(
        tables[1], comeback_score(45, (0, "comeback", 1), (0, "bombs:", 2), (1, "bombs:", 3))
    )
    await here.parts.store.results.keep_score(tables[2], comeback_score(90, (0, "comeback", 1), (1, "bombs:", 9)))
    done = Moderation(here.parts.now(), here.owner, "annul", reason="a test")
    assert await here.parts.store.moderations.judge(tables[2], done, annulled=True)
    await here.advance(days=31)
    told = next(text for text in channel_posts(here) if "Season 1 is over" in text)
    ann, ben = (f"P{here.people[name].user.id}" for name in ("ann", "ben"))
    assert f"💣 {ann} played the most bombs: 4." in told
    assert f"🎢 {ann} made the comeback of the season: last at half time, 45 points behind, and still won." in told
    assert "played the most: 4 matches" not in told, "that is not often"
    assert f"🔥 {ann} won 4 matches in a row." in told
    assert f"💣 {ben}" not in told
    assert await here.parts.store.moderations.judge(tables[1], done, annulled=True)
    after = await read_first_season(here)
    assert "45 points behind" in after, "how a season ended stays"
    assert f"💣 {ann} played the most bombs: 4." in after


async def test_the_season_post_omits_players_who_left_the_server(here: World) -> None:
    await choose_seasons(here, "monthly")
    await here.advance(days=1)
    await finish_matches(here, (2, 1), (2, 1), (2, 1))
    await here.advance(days=31)
    assert "🔥" in await read_first_season(here)
    here.guild.remove_member(here.people["ben"])
    await here.advance(hours=1)  # until then it is known that he was there
    assert "🔥" not in await read_first_season(here)


async def read_first_season(here: World) -> str:
    """Return what Ann reads in /standings of the first season."""
    opened = await here.people["ann"].slash(here.channel, "standings")
    target = next(target for target in private_reply(opened).selects if SEASON in target)
    assert opened.response is not None
    return private_reply(await here.people["ann"].select(opened.response.message, ["1"], custom_id=target)).text
