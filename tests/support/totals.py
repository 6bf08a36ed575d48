"""Totals of finished matches, as in /standings."""

from __future__ import annotations

from dataclasses import replace

from bot.club.leaderboards import Leaderboards
from bot.domain.ids import ChannelId, GuildId, UserId
from bot.domain.rating import VISIBLE_CHANNELS, Leaderboard
from bot.domain.server_settings import ServerSettings
from bot.games import GAMES
from bot.store.store import Store


async def matches_and_wins(
    store: Store, guild: int, game: str = "", *, channel: int = VISIBLE_CHANNELS, include_hidden: bool = False
) -> dict[UserId, tuple[int, int]]:
    """Return the counted matches and the wins of each person."""
    ladder = Leaderboard(GuildId(guild), game, ChannelId(channel))
    ladders = Leaderboards(store, {ladder.guild: ServerSettings(hidden_count=include_hidden)})
    for name in GAMES:
        await ladders.update(replace(ladder, game=name))
    found = await store.leaderboards.totals(ladder)
    return {one.user: (one.tally.matches, one.tally.wins) for one in found if one.tally}
