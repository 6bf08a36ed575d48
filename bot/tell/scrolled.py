"""Whether a board has scrolled out of sight because people talk: then it is posted again where they do.

Asks Discord for what came after the board, seldom and only at a live table; needs no intent, for nothing is read but
who wrote. Refuses to know how a board is posted.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import discord

from bot.ground.ids import ChannelId
from bot.ground.unreached import UNREACHED
from bot.scene import Scene
from bot.tell.lately import Lately

TALK = 12  # messages of others below a board that take it out of sight on a phone
ASKING = timedelta(minutes=1)  # between two looks at a table
POSTING = timedelta(minutes=5)  # between two boards


class Scrolled:
    """Looks for boards out of sight. readable: whether the bot may read there what was written before."""

    def __init__(
        self, client: discord.Client, now: Callable[[], datetime], readable: Callable[[ChannelId], bool]
    ) -> None:
        self._client = client
        self._now = now
        self._readable = readable
        self._asked = Lately[datetime]()
        self._seen = Lately[int]()

    async def away(self, scene: Scene) -> bool:
        """Tell whether the board of a table at which a hand is played should stand further below. Never raises."""
        where, now = scene.where, self._now()
        if scene.stage != "playing" or scene.terms.pace.kind != "live" or where.message is None:
            return False
        if now - discord.utils.snowflake_time(where.message) < POSTING or not self._readable(where.home):
            return False
        before, self._seen[where.table] = self._seen.get(where.table, scene.moment), scene.moment
        if scene.moment == before:  # nobody has played; so it is for every table after a restart
            return False
        if (asked := self._asked.get(where.table)) is not None and now - asked < ASKING:
            return False
        self._asked[where.table] = now
        return await self._talk(where.home, where.message) >= TALK

    async def _talk(self, home: int, board: int) -> int:
        """Return how many messages of others stand below a board, as far as that matters."""
        channel = self._client.get_partial_messageable(home)
        try:
            after = [said.author async for said in channel.history(limit=TALK + 1, after=discord.Object(board))]
        except UNREACHED:
            return 0
        return sum(author != self._client.user for author in after)
