"""The store as far as finished matches go.

Knows what may be asked of them; refuses to know the statements. Every call may raise StoreError.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from bot.domain.debts import Debt, Debtor, Notebook, Tab, Word
from bot.domain.effects import Pending
from bot.domain.ids import ChannelId, GuildId, PlayerId, TableId, UserId
from bot.domain.pace import Pace
from bot.domain.rating import Climber, Course, Entered, Ladder, Met, Ranked
from bot.domain.results import EVERY, Finished, Reader, Score, Sitting, Sought
from bot.domain.seasons import Finalist, Season
from bot.domain.server_settings import SettingChange
from bot.runtime.progress import Reach
from bot.store.engine.gate import Gate
from bot.store.repositories import (
    balances,
    debts,
    deeds,
    ladders,
    meetings,
    outbox,
    outcomes,
    profiles,
    results,
    seasons,
    sittings,
)
from bot.store.repositories.balances import Sum
from bot.store.repositories.ladders import Way


class Results:
    """What is kept of finished matches. They are written with the last change of their tables."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate

    async def result_channels(self, guild: GuildId) -> tuple[ChannelId, ...]:
        """Give the channels in which matches of a guild ended, the latest first, see Place."""
        return await self._gate.read(results.channels, guild)

    async def history(
        self, guild: GuildId | None, limit: int, offset: int, *, reader: Reader | None = None, sought: Sought = EVERY
    ) -> tuple[Finished, ...]:
        """Give finished matches that are sought, the latest first; without a guild those of all servers.

        reader: only those that this person may look at.
        """
        return await self._gate.read(results.history, guild, limit, offset, reader, sought)

    async def history_count(
        self, guild: GuildId | None, *, reader: Reader | None = None, sought: Sought = EVERY
    ) -> int:
        """Count finished matches, as above."""
        return await self._gate.read(results.count, guild, reader, sought)

    async def first_finished(self, guild: GuildId) -> datetime | None:
        """Give when the first match of a guild ended; None where none has."""
        return await self._gate.read(results.first, guild)

    async def finished(self, table: TableId) -> Finished | None:
        """Give a finished match; None for a table that has no result."""
        return await self._gate.read(results.finished, table)

    async def lasting(self, guild: GuildId, game: str, pace: Pace) -> timedelta | None:
        """Give how long a hand took at this pace, in the middle of the latest matches; None for fewer than five."""
        return await self._gate.read(results.lasting, guild, game, pace)

    async def score(self, table: TableId) -> Score | None:
        """Give what each hand of a finished match came to; None where that is not known (yet), see ``unscored``."""
        return await self._gate.read(outcomes.score_of, table)

    async def sittings(self, table: TableId) -> tuple[Sitting, ...]:
        """Give who acted for which seat from which ply on, by seat and ply; of matches that go on as well."""
        return await self._gate.read(sittings.of_table, table)

    async def unscored(self, after: TableId, limit: int, version: int = 0) -> tuple[TableId, ...]:
        """Give finished matches, from a table's number on, that an older version has written without a score.

        Also those that have not been looked at by this version of the rules for achievements.
        """
        return await self._gate.read(outcomes.unscored, after, limit, version)

    async def finished_after(self, table: TableId, limit: int) -> tuple[TableId, ...]:
        """Give the next finished matches, by the numbers of their tables."""
        return await self._gate.read(outcomes.after, table, limit)

    async def count_finished(self) -> int:
        """Count the finished matches."""
        return await self._gate.read(outcomes.count)

    async def keep_score(self, table: TableId, score: Score) -> None:
        """Keep what each hand came to of a match that an older version has written; nothing where that is known."""
        await self._gate.run(outcomes.keep_score, table, score)

    # Seasons

    async def season_servers(self) -> frozenset[GuildId]:
        """Return the servers that have ever chosen seasons."""
        return await self._gate.read(seasons.servers)

    async def season_choices(self, guild: GuildId) -> tuple[SettingChange, ...]:
        """Return all that a server has chosen for its seasons, oldest first."""
        return await self._gate.read(seasons.choices, guild)

    async def seasons(self, guild: GuildId) -> tuple[Season, ...]:
        """Give a server's seasons that have ended, the latest first."""
        return await self._gate.read(seasons.ended, guild)

    async def end_season(self, guild: GuildId, over: Season, last: Sequence[Finalist]) -> None:
        """Keep for ever how a season has ended."""
        await self._gate.run(seasons.end, guild, over, last)

    async def untold_seasons(self) -> tuple[tuple[GuildId, Season], ...]:
        """Give which seasons have ended without anybody having been told."""
        return await self._gate.read(seasons.untold)

    async def note_season_told(self, guild: GuildId, number: int) -> None:
        """Remember that people have been told how a season ended."""
        await self._gate.run(seasons.note_told, guild, number)

    async def finalists(self, guild: GuildId, number: int) -> tuple[Finalist, ...]:
        """Give how a season ended, of people who want to be seen, by game and place."""
        return await self._gate.read(seasons.of_season, guild, number)

    async def done_in(self, ladder: Ladder, over: Season, code: str, *, hidden_too: bool) -> Mapping[PlayerId, int]:
        """Add up how often each person did something in the matches of a season."""
        return await self._gate.read(deeds.done, ladder, over, code, hidden_too)

    async def behind_in(self, ladder: Ladder, over: Season, code: str, *, hidden_too: bool) -> Mapping[PlayerId, int]:
        """Give by how many points at most each person was behind at half time in a match where they did this."""
        return await self._gate.read(deeds.behind, ladder, over, code, hidden_too)

    async def ranked_between(self, ladder: Ladder, way: Way, begins: datetime, ends: datetime) -> tuple[Ranked, ...]:
        """Give the matches of a ladder that ended in this time, in the order in which they did."""
        return await self._gate.read(seasons.matches, ladder, way, begins, ends)

    async def listed(self, wanted: Iterable[PlayerId]) -> Mapping[PlayerId, UserId]:
        """Give who these players are, of those who want to be seen."""
        return await self._gate.read(seasons.listed, wanted)

    async def last_open_channel(self, guild: GuildId, ends: datetime) -> ChannelId:
        """Give in which channel, seen by everybody, a match has ended last before then; OPEN where none has."""
        return await self._gate.read(seasons.last_place, guild, ends)

    # Ratings, which are made of the above

    async def reckon(self, ladder: Ladder, way: Way, heard: Reach = lambda _matches: None) -> None:
        """Bring a ladder up to date. The store is free while matches are reckoned, and between some and the next.

        heard: hears of how many matches, some at a time.
        """
        while True:
            read = await self._gate.read(ladders.batch, ladder, way)
            if not read.found and read.up_to is not None:
                return
            made = await way.reckon(read.before, read.found, read.known)
            kept = await self._gate.run(ladders.keep_batch, ladder, way, read, made)
            heard(len(read.found) if kept else 0)
            if kept and len(read.found) < ladders.AT_ONCE:
                return

    async def clear_ladders(self) -> Mapping[Ladder, int]:
        """Delete whatever has been reckoned; return all the ladders there are, and how many matches each may have."""
        return await self._gate.run(ladders.clear_all)

    async def climbers(self, ladder: Ladder) -> tuple[Climber, ...]:
        """Give who stands on a ladder, as far as it has been reckoned, in no order: persons who want to be seen."""
        return await self._gate.read(ladders.climbers, ladder)

    async def tallied(self, ladder: Ladder) -> tuple[Climber, ...]:
        """Give what their matches add up to, of the same people; of all games where the ladder names none."""
        return await self._gate.read(ladders.tallied, ladder)

    async def reliable(self, ladder: Ladder) -> tuple[Climber, ...]:
        """Give how often people have acted in time of late, of the same people; without a game as above."""
        return await self._gate.read(ladders.reliable, ladder)

    async def entered(self, guild: GuildId, channel: ChannelId, user: UserId) -> Entered | None:
        """Give what somebody's matches meant to them on a server, as far as it has been reckoned; None without any."""
        return await self._gate.read(profiles.entered, guild, channel, user)

    async def done(self, guild: GuildId, channel: ChannelId, user: UserId) -> Mapping[str, int]:
        """Count what somebody did in their matches that is worth an achievement, by code."""
        return await self._gate.read(profiles.done, guild, channel, user)

    async def played(self, guild: GuildId, channel: ChannelId, user: UserId, game: str) -> Mapping[str, int]:
        """Add up how somebody played a game in their matches, by code."""
        return await self._gate.read(profiles.played, guild, channel, user, game)

    async def met(self, guild: GuildId, channel: ChannelId, user: UserId, other: UserId) -> Met:
        """Give how often two people have met, and who came before whom."""
        return await self._gate.read(profiles.met, guild, channel, user, other)

    async def meetings(
        self, guild: GuildId, moment: datetime
    ) -> tuple[tuple[dict[PlayerId, bool], ...], dict[PlayerId, UserId]]:
        """Give of each match that counts since then whether each person in it left, and who these are."""
        return await self._gate.read(meetings.since, guild, moment)

    # Debts

    async def tabs(self, book: Notebook, way: Sum) -> Mapping[PlayerId, Tab]:
        """Give what each in a ledger is to get or owes, brought up to date before."""
        while await self._gate.run(balances.bring_up, book, way):
            pass
        return await self._gate.read(balances.tabs, book)

    async def clear_ledgers(self) -> tuple[Notebook, ...]:
        """Delete whatever debts have been added up; return all the ledgers there are."""
        return await self._gate.run(balances.clear_all)

    async def debtors(self, last: Mapping[PlayerId, TableId | None]) -> dict[PlayerId, Debtor]:
        """Give who these players are, as they were called in the match that is given for each; nameless without."""
        return await self._gate.read(debts.debtors, last)

    async def words(self, book: Notebook) -> tuple[Word, ...]:
        """Give what people have said of what they owe, oldest first."""
        return await self._gate.read(debts.words, book)

    async def say_settled(
        self, book: Notebook, debt: Debt, by: PlayerId, now: datetime, *, alone: bool, effects: Iterable[Pending] = ()
    ) -> bool:
        """Keep that a debt is settled, as one of two people says; tell whether nothing was still open between them.

        alone: the other was deleted, so that nobody has to agree. effects: how the other is told.
        """
        return await self._gate.run(outbox.followed_by(effects, balances.say), book, debt, by, now, alone=alone)

    async def agree_settled(self, word: int, who: PlayerId, now: datetime) -> bool:
        """Keep that the other says so as well; tell whether there was something to agree to."""
        return await self._gate.run(balances.agree, word, who, now)

    async def take_back_settled(self, word: int, who: PlayerId) -> bool:
        """Forget what somebody has said, unless the other has agreed; tell whether it was still there."""
        return await self._gate.run(debts.take_back, word, who)

    async def unanswered(self, user: UserId) -> tuple[Notebook, ...]:
        """Give the notebooks in which another says that something is settled with somebody who has not answered."""
        return await self._gate.read(debts.unanswered, user)

    async def player_of(self, user: UserId) -> PlayerId | None:
        """Give as which player a person's results are kept, None where they have none."""
        return await self._gate.read(debts.player_of, user)

    async def names(self, wanted: Iterable[Climber]) -> Mapping[UserId, str]:
        """Give what people were called in a match of theirs."""
        return await self._gate.read(ladders.names, wanted)

    async def courses(
        self, ladder: Ladder, wanted: Iterable[PlayerId], limit: int, since: datetime
    ) -> Mapping[PlayerId, Course]:
        """Give what people's latest matches made of their ratings, and how they stood at that moment."""
        return await self._gate.read(ladders.courses, ladder, wanted, limit, since)
