"""Announces the result of a server's season in a channel, once.

When a season ends and in which channel the result is announced is decided elsewhere.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from bot.delivery.boards.boards import BoardContext
from bot.delivery.outbox.discord_limits import channel
from bot.delivery.outbox.outbox import Outbox, screen_message
from bot.delivery.outbox.write_queue import WriteQueue
from bot.domain.effects import season_key
from bot.domain.ids import ChannelId, GuildId
from bot.domain.seasons import SeasonResult
from bot.runtime.discord_failures import UNREACHED
from bot.show.contests.season import heading, podiums, season
from bot.show.kit.layout import begins_with
from bot.show.kit.words import Words

log = logging.getLogger(__name__)


class SeasonAnnouncer:
    """Posts podiums. words: a server's language. pictured: tells whether a channel of a server permits pictures."""

    def __init__(
        self,
        *,
        places: BoardContext,
        queue: WriteQueue,
        outbox: Outbox,
        words: Callable[[GuildId], Words],
        pictured: Callable[[GuildId, ChannelId], bool],
    ) -> None:
        self._places = places
        self._queue = queue
        self._outbox = outbox
        self._words = words
        self._pictured = pictured

    async def tell(self, guild: GuildId, home: ChannelId, podium: SeasonResult) -> bool:
        """Post a podium, without a sound if late; return whether the message exists.

        Raises StoreError. The caller that records the post also ends its outbox entry.
        """
        w, server = self._words(guild), self._places.server(guild)
        pictures = podiums(podium, server, w) if self._pictured(guild, home) else []
        drawn = [(one.name, await asyncio.to_thread(one.png)) for one in pictures]
        where = self._places.client.get_partial_messageable(home)
        shown, silent = season(podium, pictures, w), podium.late is not None
        made = screen_message("season", guild, where, shown, self._places.delivery, *drawn, silent=silent)
        head = heading(podium.season, w)  # the other text may differ at a later try
        message = replace(made, key=season_key(guild, podium.season.number), is_it=partial(begins_with, text=head))
        try:
            await self._queue.do(channel(home), partial(self._outbox.send, message))
        except UNREACHED as error:
            log.warning("Channel %s could not be told how a season ended: %s", home, error)
            return False
        return True
