"""Which boards get a picture, and its file: drawn beside the loop, once for what it shows.

Knows where Discord has just refused one; refuses to know what is drawn, and how a board is sent.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta
from http import HTTPStatus
from io import BytesIO
from typing import NamedTuple

import discord

from bot.delivery.boards.recent_tables import Lately
from bot.domain.ids import TableId
from bot.scene import PublicScene
from bot.show.kit.words import Words
from bot.show.pictures.picture import Picture
from bot.show.table.table_picture import picture

PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 2, 5, 15, 60))  # after each failure in a row
AT_ONCE = 2  # drawn beside the loop, so that threads are left for house players
NOT_ALLOWED = 50013
TROUBLED = (HTTPStatus.BAD_REQUEST, HTTPStatus.REQUEST_ENTITY_TOO_LARGE)


class NotDrawn(Exception):
    """A picture could not be drawn: a fault of the program or of the machine it runs on."""


class Failed(NamedTuple):
    """Pictures of a table failed so often in a row, the last one then."""

    times: int
    at: datetime

    @property
    def pause(self) -> timedelta:
        """How long none is tried."""
        return PAUSES[min(self.times, len(PAUSES)) - 1]


class Pictures:
    """wanted: whether pictures may be shown at a scene's place, and are wanted there. now: the time."""

    def __init__(self, wanted: Callable[[PublicScene], bool], now: Callable[[], datetime]) -> None:
        self._wanted = wanted
        self._now = now
        self._failed = Lately[Failed]()
        self._drawing = asyncio.Semaphore(AT_ONCE)

    def of(self, scene: PublicScene, w: Words) -> Picture | None:
        """Return the picture that a board shows now, None where it says all in text."""
        failed = self._failed.get(scene.where.table)
        if failed is not None and self._now() - failed.at < failed.pause:
            return None
        return picture(scene, w) if self._wanted(scene) else None

    def shown(self, table: TableId) -> None:
        """Take note that a picture of a table has got there."""
        self._failed.pop(table, None)

    def failed(self, table: TableId, error: Exception) -> timedelta | None:
        """Take note of an error at a board with a picture.

        Return how long none is tried now, None where it was not the picture's error.
        """
        if isinstance(error, discord.HTTPException) and error.status not in TROUBLED and error.code != NOT_ALLOWED:
            return None
        before = self._failed.get(table)
        failed = self._failed[table] = Failed(before.times + 1 if before else 1, self._now())
        return failed.pause

    async def files(self, shown: Picture | None) -> list[discord.File]:
        """Return what is uploaded with a board: its picture, or nothing. Raises NotDrawn."""
        if shown is None:
            return []
        try:
            async with self._drawing:
                drawn = await asyncio.to_thread(shown.png)
        except Exception as error:
            raise NotDrawn(str(error)) from error
        return [discord.File(BytesIO(drawn), shown.name)]
