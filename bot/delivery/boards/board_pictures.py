"""Decides which boards get a picture, and renders the file in a thread.

Remembers the tables whose picture Discord refused a short time ago. Drawing itself and sending live elsewhere.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta
from http import HTTPStatus
from io import BytesIO
from typing import NamedTuple

import discord

from bot.delivery.boards.recent_tables import RecentTables
from bot.domain.ids import TableId
from bot.scene import PublicScene
from bot.show.kit.words import Words
from bot.show.pictures.canvas import Picture
from bot.show.table.table_picture import picture

PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 2, 5, 15, 60))  # the pause after each consecutive failure
MAX_DRAWING = 2  # pictures drawn in threads at a time: leaves threads to house players
NOT_ALLOWED = 50013
TROUBLED = (HTTPStatus.BAD_REQUEST, HTTPStatus.REQUEST_ENTITY_TOO_LARGE)


class NotDrawn(Exception):
    """Drawing a picture failed: a fault of the program or of its machine."""


class PictureFailures(NamedTuple):
    """The number of a table's consecutive picture failures, and the time of the latest."""

    times: int
    at: datetime

    @property
    def pause(self) -> timedelta:
        """The time until the next picture of the table is tried."""
        return PAUSES[min(self.times, len(PAUSES)) - 1]


class Pictures:
    """The pictures of all boards.

    wanted: tells whether a scene's channel permits pictures and its server wants them. now: the current time.
    """

    def __init__(self, wanted: Callable[[PublicScene], bool], now: Callable[[], datetime]) -> None:
        self._wanted = wanted
        self._now = now
        self._failed = RecentTables[PictureFailures]()
        self._drawing = asyncio.Semaphore(MAX_DRAWING)

    def of(self, scene: PublicScene, w: Words) -> Picture | None:
        """Return the picture for a board; None for a board in text alone."""
        failed = self._failed.get(scene.where.table)
        if failed is not None and self._now() - failed.at < failed.pause:
            return None
        return picture(scene, w) if self._wanted(scene) else None

    def shown(self, table: TableId) -> None:
        """Record that a picture of a table was sent, which resets its failures."""
        self._failed.pop(table, None)

    def failed(self, table: TableId, error: Exception) -> timedelta | None:
        """Record a failed board with a picture; return the pause before the next picture.

        Returns None if the picture did not cause the error.
        """
        if isinstance(error, discord.HTTPException) and error.status not in TROUBLED and error.code != NOT_ALLOWED:
            return None
        before = self._failed.get(table)
        failed = self._failed[table] = PictureFailures(before.times + 1 if before else 1, self._now())
        return failed.pause

    async def files(self, shown: Picture | None) -> list[discord.File]:
        """Return the files to upload with a board: the picture, or none. Raises NotDrawn."""
        if shown is None:
            return []
        try:
            async with self._drawing:
                drawn = await asyncio.to_thread(shown.png)
        except Exception as error:
            raise NotDrawn(str(error)) from error
        return [discord.File(BytesIO(drawn), shown.name)]
