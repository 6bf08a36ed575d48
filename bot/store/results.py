"""The store as far as finished matches go.

Knows what may be asked of them; refuses to know the statements. Every call may raise StoreError.
"""

from __future__ import annotations

from datetime import timedelta

from bot.ground.ids import ChannelId, GuildId, TableId
from bot.ground.pace import Pace
from bot.ground.results import Finished, Line, Reader, Score, Sitting
from bot.store import archive, outcomes, sittings
from bot.store.gate import Gate


class Results:
    """What is kept of finished matches. They are written with the last change of their tables."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate

    async def leaderboard(
        self, guild: GuildId, game: str | None, *, channel: ChannelId | None = None, hidden_too: bool = False
    ) -> tuple[Line, ...]:
        """Give a line for each person, of matches that count: most wins first, then fewest matches.

        A match that somebody left counts as one of theirs, never as a win. channel: only what was played there while
        it was hidden from everybody. hidden_too: of a server, what was played in hidden channels as well.
        """
        return await self._gate.run(archive.leaderboard, guild, game, channel, hidden_too=hidden_too)

    async def result_channels(self, guild: GuildId) -> tuple[ChannelId, ...]:
        """Give the channels in which matches of a guild ended, the latest first, see Place."""
        return await self._gate.run(archive.channels, guild)

    async def history(
        self, guild: GuildId, limit: int, offset: int, *, reader: Reader | None = None
    ) -> tuple[Finished, ...]:
        """Give finished matches, the latest first. reader: only those that this person may look at."""
        return await self._gate.run(archive.history, guild, limit, offset, reader)

    async def history_count(self, guild: GuildId, *, reader: Reader | None = None) -> int:
        """Count the finished matches of a guild, as above."""
        return await self._gate.run(archive.count, guild, reader)

    async def finished(self, table: TableId) -> Finished | None:
        """Give a finished match; None for a table that has no result."""
        return await self._gate.run(archive.finished, table)

    async def lasting(self, guild: GuildId, game: str, pace: Pace) -> timedelta | None:
        """Give how long a hand took at this pace, in the middle of the latest matches; None for fewer than five."""
        return await self._gate.run(archive.lasting, guild, game, pace)

    async def score(self, table: TableId) -> Score | None:
        """Give what each hand of a finished match came to; None where that is not known (yet), see ``unscored``."""
        return await self._gate.run(outcomes.score_of, table)

    async def sittings(self, table: TableId) -> tuple[Sitting, ...]:
        """Give who acted for which seat from which ply on, by seat and ply; of matches that go on as well."""
        return await self._gate.run(sittings.of_table, table)

    async def unscored(self, after: TableId, limit: int) -> tuple[TableId, ...]:
        """Give finished matches, from a table's number on, that an older version has written without a score."""
        return await self._gate.run(outcomes.unscored, after, limit)

    async def keep_score(self, table: TableId, score: Score) -> None:
        """Keep what each hand came to of a match that an older version has written; nothing where that is known."""
        await self._gate.run(outcomes.keep_score, table, score)
