"""Which boards get a picture, and its file: drawn beside the loop, once for what it shows.

Knows where Discord has just refused one; refuses to know what is drawn, and how a board is sent.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta
from http import HTTPStatus
from io import BytesIO

import discord

from bot.ground.ids import TableId
from bot.scene.scene import PublicScene
from bot.show.pictures.seen import Picture, picture
from bot.show.words import Words
from bot.tell.lately import Lately

PAUSE = timedelta(minutes=1)  # after a refused picture, until the next one is tried
NOT_ALLOWED = 50013
TROUBLED = (HTTPStatus.BAD_REQUEST, HTTPStatus.REQUEST_ENTITY_TOO_LARGE)


class Pictures:
    """wanted: whether pictures may be shown at a scene's place, and are wanted there. now: the time."""

    def __init__(self, wanted: Callable[[PublicScene], bool], now: Callable[[], datetime]) -> None:
        self._wanted = wanted
        self._now = now
        self._refused = Lately[datetime]()

    def of(self, scene: PublicScene, w: Words) -> Picture | None:
        """Return the picture that a board shows now, None where it says all in text."""
        refused = self._refused.get(scene.where.table)
        if refused is not None and self._now() - refused < PAUSE:
            return None
        return picture(scene, w) if self._wanted(scene) else None

    def is_refused(self, table: TableId, error: discord.HTTPException) -> bool:
        """Take note of an error with which a board with a picture was refused; tell whether it may be the picture's."""
        if error.status not in TROUBLED and error.code != NOT_ALLOWED:
            return False
        self._refused[table] = self._now()
        return True


async def files(shown: Picture | None) -> list[discord.File]:
    """Return what is uploaded with a board: its picture, or nothing."""
    return [discord.File(BytesIO(await asyncio.to_thread(shown.png)), shown.name)] if shown else []
