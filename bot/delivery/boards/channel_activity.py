"""Decides when channel messages have pushed a board out of sight.

The next ping or redraw then posts the board again. Asks Discord for a channel's latest messages, rarely and once for
all tables in the channel. Needs no intent: only the authors of the messages are read. Posting the board is not done
here.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

import discord

from bot.delivery.boards.recent_tables import RecentTables
from bot.domain.ids import ChannelId, MessageId
from bot.runtime.discord_requests import UNREACHED
from bot.scene import Scene

OUT_OF_SIGHT = 12  # messages of users below a board
TABLE_PAUSE = timedelta(minutes=1)  # between two posts of a table's board
CHANNEL_PAUSE = timedelta(seconds=15)  # between two posts of boards in a channel
PER_MESSAGE = timedelta(seconds=0.5)  # the fastest lasting rate of messages
CALM = 2  # consecutive looks without new messages: each doubles the time until the next look
MAX_SEARCHED = 100  # the most messages that Discord returns at once
MAX_CHANNELS = 1000  # channels whose latest snapshot is remembered
PLAYING_STAGES = ("playing", "between")  # stages in which a slow table's board never moves


@dataclass(slots=True)
class ChannelSnapshot:
    """The result of a look at a channel's latest messages.

    people: the ids of users' messages at that time. posted: the time of the last board. calm: the number of consecutive
    looks without a new message, at most CALM.
    """

    at: datetime
    people: tuple[int, ...]
    posted: datetime | None = None
    calm: int = 0

    @classmethod
    def after(cls, before: ChannelSnapshot | None, at: datetime, people: tuple[int, ...]) -> ChannelSnapshot:
        """Return a new snapshot with what carries over from an earlier one."""
        if before is None:
            return cls(at, people)
        silent = max(people, default=0) <= max(before.people, default=0)
        return cls(at, people, before.posted, min(before.calm + 1, CALM) if silent else 0)

    def below(self, board: MessageId) -> int:
        """Return the number of users' messages below a board."""
        return sum(message > board for message in self.people)


class ChannelActivity:
    """Finds boards pushed out of sight.

    may_read: whether the bot may read a channel's history. busy: whether another message waits for the channel.
    """

    def __init__(
        self,
        client: discord.Client,
        now: Callable[[], datetime],
        may_read: Callable[[ChannelId], bool],
        busy: Callable[[ChannelId], bool],
    ) -> None:
        self._client = client
        self._now = now
        self._may_read = may_read
        self._busy = busy
        self._snapshots: OrderedDict[ChannelId, ChannelSnapshot] = OrderedDict()
        self._posted = RecentTables[datetime | None]()

    async def may_repost(self, scene: Scene) -> bool:
        """Tell whether a scene's board is out of sight and may be posted again now. Never raises."""
        where, now = scene.where, self._now()
        if where.table not in self._posted:  # the board is about to be posted, or the bot has restarted
            self._posted[where.table] = None
            return False
        if where.message is None or not _follows(scene) or not self._may_read(where.home):
            return False
        last = self._posted[where.table]
        if (last and now - last < TABLE_PAUSE) or self._busy(where.home):
            return False
        snapshot = await self._fetch(where.home, where.message)
        if snapshot is None or (snapshot.posted and now - snapshot.posted < CHANNEL_PAUSE):
            return False
        return snapshot.below(where.message) >= OUT_OF_SIGHT

    def posted(self, scene: Scene) -> None:
        """Record that a board was posted again."""
        self._posted[scene.where.table] = now = self._now()
        if snapshot := self._snapshots.get(scene.where.home):
            snapshot.posted = now

    async def _fetch(self, home: ChannelId, board: MessageId) -> ChannelSnapshot | None:
        """Return a new snapshot of a channel, or the earlier one if that suffices.

        The earlier snapshot suffices if too few messages can have come since, or if it shows enough of them already.
        Returns None if no snapshot exists and the board was posted too recently.
        """
        before, now = self._snapshots.get(home), self._now()
        since, below, calm = discord.utils.snowflake_time(board), 0, 0
        if before and before.at >= since:
            since, below, calm = before.at, before.below(board), before.calm
        if now - since < PER_MESSAGE * (OUT_OF_SIGHT - below) * 2**calm or below >= OUT_OF_SIGHT:
            return before
        snapshot = self._snapshots[home] = ChannelSnapshot.after(before, now, await self._people(home))
        self._snapshots.move_to_end(home)
        while len(self._snapshots) > MAX_CHANNELS:
            self._snapshots.popitem(last=False)
        return snapshot

    async def _people(self, home: ChannelId) -> tuple[int, ...]:
        """Return the ids of the channel's latest messages by users or other bots."""
        own = self._client.user.id if self._client.user else 0
        try:
            latest = await self._client.http.logs_from(home, MAX_SEARCHED)  # raw payloads: only the authors are read
            return tuple(int(message["id"]) for message in latest if int(message["author"]["id"]) != own)
        except UNREACHED:
            return ()


def _follows(scene: Scene) -> bool:
    return scene.stage != "closed" and not (scene.stage in PLAYING_STAGES and scene.terms.pace.slow)
