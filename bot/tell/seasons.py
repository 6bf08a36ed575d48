"""Tells a channel how a season of its server ended, once. Refuses to know when one ends, and where it is told."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from bot.ground.ids import ChannelId, GuildId, UserId
from bot.ground.outgoing import season_key
from bot.ground.season import Finalist, Moment, Season
from bot.ground.unreached import UNREACHED
from bot.show.season import Ended, podiums, season
from bot.show.words import Words
from bot.tell.boards import Places
from bot.tell.limits import channel
from bot.tell.outbox import Outbox, screen_message
from bot.tell.queue import Queue

log = logging.getLogger(__name__)


class SeasonTeller:
    """words: of what all on a server read. pictured: whether pictures may stand in a channel of it."""

    def __init__(
        self,
        places: Places,
        queue: Queue,
        outbox: Outbox,
        words: Callable[[GuildId], Words],
        pictured: Callable[[GuildId, ChannelId], bool],
    ) -> None:
        self._places = places
        self._queue = queue
        self._outbox = outbox
        self._words = words
        self._pictured = pictured

    async def tell(
        self,
        guild: GuildId,
        home: ChannelId,
        over: Season,
        last: Sequence[Finalist],
        names: Mapping[UserId, str],
        moments: Sequence[Moment],
    ) -> bool:
        """Tell it; return whether it stands there. Whoever notes that ends it in the outbox. Raises StoreError."""
        ended, w = Ended(over, last, names, self._places.server(guild), moments), self._words(guild)
        pictures = podiums(ended, w) if self._pictured(guild, home) else []
        drawn = [(one.name, await asyncio.to_thread(one.png)) for one in pictures]
        where = self._places.client.get_partial_messageable(home)
        shown = screen_message("season", guild, where, season(ended, pictures, w), self._places.delivery, *drawn)
        message = replace(shown, key=season_key(guild, over.number))
        try:
            await self._queue.do(channel(home), partial(self._outbox.send, message))
        except UNREACHED as error:
            log.warning("Channel %s could not be told how a season ended: %s", home, error)
            return False
        return True
