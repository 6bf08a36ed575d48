"""Whether talk has taken a board out of sight: then the board is posted again below, with the next call or redraw.

Asks Discord for a channel's latest messages, seldom and once for all tables there; needs no intent, for nothing is read
but who wrote. Knows when a board may be posted again; refuses to know how.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

import discord

from bot.delivery.boards.recent_tables import Lately
from bot.domain.ids import ChannelId, MessageId
from bot.runtime.discord_failures import UNREACHED
from bot.scene import Scene

OUT_OF_SIGHT = 12  # messages of people below a board
TABLE_PAUSE = timedelta(minutes=1)  # between two boards of a table
CHANNEL_PAUSE = timedelta(seconds=15)  # between two boards in a channel
PER_MESSAGE = timedelta(seconds=0.5)  # people write no faster than that for long
CALM = 2  # looks in a row that found nobody talking, each of which doubles the time until the next
MAX_SEARCHED = 100  # messages that are looked at: all that Discord gives at once
MAX_CHANNELS = 1000  # of which a look is remembered
PLAYING_STAGES = ("playing", "between")  # stages in which the board of a slow table stays where it is


@dataclass(slots=True)
class Look:
    """What was seen in a channel.

    people: the ids of the messages of people, at that time. posted: the last board. calm: how many looks in a row, at
    most CALM, found nothing new.
    """

    at: datetime
    people: tuple[int, ...]
    posted: datetime | None = None
    calm: int = 0

    @classmethod
    def after(cls, before: Look | None, at: datetime, people: tuple[int, ...]) -> Look:
        """Return what is seen now, after an earlier look."""
        if before is None:
            return cls(at, people)
        silent = max(people, default=0) <= max(before.people, default=0)
        return cls(at, people, before.posted, min(before.calm + 1, CALM) if silent else 0)

    def below(self, board: MessageId) -> int:
        """Return how many messages of people stood below a board."""
        return sum(message > board for message in self.people)


class Talk:
    """Finds boards out of sight.

    readable: whether the bot may read the history of a channel. busy: whether another message waits for the channel.
    """

    def __init__(
        self,
        client: discord.Client,
        now: Callable[[], datetime],
        readable: Callable[[ChannelId], bool],
        busy: Callable[[ChannelId], bool],
    ) -> None:
        self._client = client
        self._now = now
        self._readable = readable
        self._busy = busy
        self._looks: OrderedDict[ChannelId, Look] = OrderedDict()
        self._posted = Lately[datetime | None]()

    async def hides(self, scene: Scene) -> bool:
        """Tell whether the board of a scene is out of sight and may be posted again now. Never raises."""
        where, now = scene.where, self._now()
        if where.table not in self._posted:  # it is about to be posted; or the first time after a restart
            self._posted[where.table] = None
            return False
        if where.message is None or not _follows(scene) or not self._readable(where.home):
            return False
        last = self._posted[where.table]
        if (last and now - last < TABLE_PAUSE) or self._busy(where.home):
            return False
        look = await self._look(where.home, where.message)
        if look is None or (look.posted and now - look.posted < CHANNEL_PAUSE):
            return False
        return look.below(where.message) >= OUT_OF_SIGHT

    def posted(self, scene: Scene) -> None:
        """Note that a board has been posted again."""
        self._posted[scene.where.table] = now = self._now()
        if look := self._looks.get(scene.where.home):
            look.posted = now

    async def _look(self, home: ChannelId, board: MessageId) -> Look | None:
        """Look into a channel; return what was seen there before if no board can have got out of sight since.

        None where nobody has looked since the board was posted, which is not long enough ago.
        """
        before, now = self._looks.get(home), self._now()
        since, below, calm = discord.utils.snowflake_time(board), 0, 0
        if before and before.at >= since:
            since, below, calm = before.at, before.below(board), before.calm
        if now - since < PER_MESSAGE * (OUT_OF_SIGHT - below) * 2**calm or below >= OUT_OF_SIGHT:
            return before
        look = self._looks[home] = Look.after(before, now, await self._people(home))
        self._looks.move_to_end(home)
        while len(self._looks) > MAX_CHANNELS:
            self._looks.popitem(last=False)
        return look

    async def _people(self, home: ChannelId) -> tuple[int, ...]:
        """Return which of a channel's latest messages are of people, or of other bots."""
        own = self._client.user.id if self._client.user else 0
        try:
            latest = await self._client.http.logs_from(home, MAX_SEARCHED)  # as it comes: who wrote is all that is read
            return tuple(int(said["id"]) for said in latest if int(said["author"]["id"]) != own)
        except UNREACHED:
            return ()


def _follows(scene: Scene) -> bool:
    return scene.stage != "closed" and not (scene.stage in PLAYING_STAGES and scene.terms.pace.slow)
