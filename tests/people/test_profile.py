"""How a player plays: their figures, two people head to head, and who does not show them."""

from __future__ import annotations

from dataclasses import replace

import discord
import pytest
from simcord.results import InteractionResult

from bot.domain.ids import GuildId, UserId
from bot.domain.preferences import Preferences
from bot.domain.rating import VISIBLE_CHANNELS
from bot.domain.results import DetailedScore
from bot.rules.matches.achievements import VERSION
from bot.store.rows import Moderation
from tests.store.finished_matches import FinishedMatch, store_matches
from tests.support.message_text import private_reply, walk_components
from tests.support.world import World

MATCHES = ((1, 2), (1, 2), (2, 1), (1, 2), (1, 2), (1, 2), (2, 1))


@pytest.fixture
async def played(here: World) -> World:
    """A server on which Ann and Ben have played, and Cleo once."""
    ann, ben, cleo = (here.people[name].user.id for name in ("ann", "ben", "cleo"))
    guild = here.guild.id
    at = round((here.parts.now().timestamp() - 1_772_366_400) / 60) - 20_000
    matches = [
        FinishedMatch((ann, ben), places, at + 60 * number, guild=guild) for number, places in enumerate(MATCHES)
    ]
    await store_matches(
        here.parts.store,
        [
            *matches,
            FinishedMatch((ann, ben, cleo), (2, 1, 2), at + 900, guild=guild),
            FinishedMatch((cleo, ann), (1, 2), at + 960, "tien_len", guild, "south"),
        ],
    )
    await here.set_bot_permissions(here.channel, attach_files=True)
    return here


def picture_description(result: InteractionResult) -> str:
    """Return what the picture of a profile says in words."""
    shown = result.response or result.followups[-1]
    galleries = [
        item for item in walk_components(shown.message.components) if isinstance(item, discord.MediaGalleryComponent)
    ]
    return "\n".join(item.description or "" for gallery in galleries for item in gallery.items)


async def open_profile(here: World, name: str, *, of: str | None = None) -> InteractionResult:
    """Open a profile."""
    options = {"person": here.people[of].user} if of else {}
    result = await here.people[name].slash(here.channel, "my profile", **options)
    await here.settle()
    return result


async def test_the_own_profile_has_figures_a_picture_and_other_games(played: World) -> None:
    result = await open_profile(played, "ann")
    read = picture_description(result)
    assert "Big Two · The Deck" in read
    assert "won: 5 / 8" in read
    assert "won in a row: 3" in read
    assert "hands: 40" in read
    card = await played.press_on("ann", result, "As a picture")
    shown = card.response or card.followups[-1]
    assert shown.ephemeral
    assert len(shown.message.attachments) == 1
    assert "won: 5 / 8" in shown.message.content
    result = await open_profile(played, "ann")
    target = next(target for target in private_reply(result).selects if target.startswith("bv:profile:"))
    assert result.response is not None
    again = await played.people["ann"].select(result.response.message, ["tien_len"], custom_id=target)
    assert "won: 0 / 1" in picture_description(again)


async def test_two_people_head_to_head(played: World) -> None:
    result = await open_profile(played, "cleo", of="ann")
    shown = private_reply(result)
    target = next(target for target in shown.selects if "versus" in target)
    assert result.response is not None
    ben = played.people["ben"]
    again = await played.people["cleo"].select(result.response.message, [ben], custom_id=target)
    assert "have met in 8 matches · **5 : 3**" in private_reply(again).text


async def test_a_user_without_matches_is_told_how_to_start(played: World) -> None:
    assert "You haven't finished a rated match here yet." in private_reply(await open_profile(played, "dev")).text
    assert (
        "They haven't finished a rated match here yet"
        in private_reply(await open_profile(played, "ann", of="dev")).text
    )


async def test_a_hidden_profile_is_visible_to_its_owner_only(played: World) -> None:
    ann = UserId(played.people["ann"].user.id)
    await played.parts.preferences.change(ann, unlisted=True)
    assert "They've hidden their profile." in private_reply(await open_profile(played, "ben", of="ann")).text
    assert "5 / 8" in picture_description(await open_profile(played, "ann"))
    assert replace(Preferences(), unlisted=True) == await played.parts.preferences.of(ann)
    standing = (await played.slash("ben", "standings")).text
    assert "(you)" in standing
    assert f"P{ann}" not in standing


async def test_playing_style_is_summed_by_game_without_annulled_matches(played: World) -> None:
    guild, ann = GuildId(played.guild.id), UserId(played.people["ann"].user.id)
    tables = [one.table for one in await played.parts.store.results.history(guild, 20, 0) if one.game == "big_two"][:2]
    counts = (
        ("bombs:", 2),
        ("hands:", 5),
        ("left:", 16),
        ("out:single", 3),
        ("play:pair", 6),
        ("play:straight", 3),
        ("take:pair", 3),
        ("take:straight", 1),
    )
    score = DetailedScore((), deeds=tuple((0, code, times) for code, times in counts), version=VERSION)
    for table in tables:
        await played.parts.store.results.keep_score(table, score)
    await played.parts.store.results.keep_score(tables[0], score)
    read = private_reply(await open_profile(played, "ann")).text
    assert "Plays most: pairs · Wins most tricks with: pairs (6 of 12) · 4 bombs" in read
    assert "Goes out first most often after leading: singles (6 of 6) · 3.2 cards left on average" in read
    assert "play" not in str(await played.parts.store.leaderboards.done(guild, VISIBLE_CHANNELS, ann))
    assert "Plays most" not in private_reply(await open_profile(played, "cleo")).text
    done = Moderation(played.parts.now(), played.owner, "annul", reason="a test")
    assert await played.parts.store.moderations.judge(tables[0], done, annulled=True)
    read = private_reply(await open_profile(played, "ann")).text
    assert "2 bombs" in read
    await played.parts.preferences.change(ann, unlisted=True)
    assert "bombs" not in private_reply(await open_profile(played, "ben", of="ann")).text
