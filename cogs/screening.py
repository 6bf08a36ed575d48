"""Showing a match, step by step, to whoever may look at it: the one way there for every click and command.

Of one that goes on only hands are shown that are over, and only where its table gives hints.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace

from bot.client import Bigger
from bot.door.costly import priced
from bot.door.private import PrivateMessage
from bot.door.reply import Reply
from bot.door.visit import Visit
from bot.ground.ids import NOWHERE, TableId
from bot.ground.refused import Refused
from bot.ground.results import Reader
from bot.history.replays import Films, Reel
from bot.rules.film import Shot
from bot.rules.openings import Openings
from bot.show.pictures.picture import Picture
from bot.show.pictures.seen import picture
from bot.show.replay import Filmed, Frame, replay
from bot.store.errors import Gone
from bot.table.core.fair import gives_hints
from cogs.judging import judged_of

NO_MATCH = "There is no such finished match here."


class Screening:
    """Matches, and who may look at them."""

    def __init__(self, bot: Bigger) -> None:
        self._bot = bot
        self.films = Films(lambda: bot.store, bot.workers)

    async def reader(self, visit: Visit) -> Reader:
        """Return who looks, with the channels they see now among those that matches were played in."""
        guild, user, presence = visit.server, visit.user, self._bot.presence
        return Reader(user, await presence.seen(guild, await self._bot.store.result_channels(guild), user))

    async def may_watch(self, visit: Visit, table: TableId) -> bool:
        """Tell whether somebody sat in a finished match, or sees now where it was played, and may know its deals."""
        user, store = visit.user, self._bot.store
        match = await store.finished(table)
        if match is None or not await store.may_know(user, table):
            return False
        if user in {standing.user for standing in match.outcome.standings}:
            return True
        for deals in (self._bot.day_deals, self._bot.duplicates):
            if await deals.may_watch(user, visit.guild, table):
                return True
        where = match.outcome.place.channel
        return where != NOWHERE and await self._bot.presence.may_see(visit.server, where, user)

    async def _finished(self, visit: Visit, table: TableId) -> Reel | None:
        """Return a finished match that may be watched. Raises Gone, also where its film is still at hand.

        Nothing is replayed before it is known that the viewer may watch it: else guessed codes would cost the bot much.
        """
        if not await self.may_watch(visit, table):
            return None
        if self.films.has(table):
            reel = await self.films.of(table, visit.guild)
        else:
            async with priced(self._bot.workers, visit):
                reel = await self.films.of(table, visit.guild)
        if reel is None:
            return None
        match = await self._bot.store.finished(table)
        if match is not None and match.gone:
            raise Gone(f"What was played at table {table} is no longer kept.")
        return reel

    async def _so_far(self, visit: Visit, number: TableId) -> Reel | None:
        """Return what is over of a match that goes on, where hints are given, for whoever sees its table and deals."""
        head = await self._bot.store.head(number)
        if head is None or not (head[0].phase == "playing" and gives_hints(head[0])):
            return None
        table = await self._bot.tables.get(number)
        known = await self._bot.admission.looks_at(visit.interaction, table)
        if not known or not await self._bot.store.may_know(visit.user, number):
            return None
        return await self.films.so_far(table.row, Openings.of(table.match)) if table.row.open and table.match else None

    async def shot(self, visit: Visit, table: TableId, step: int) -> tuple[Reel, Shot]:
        """Return a step of a finished match that may be watched, the nearest there is. Raises Refused."""
        return await _at(await self._finished(visit, table), step)

    async def opened(self, visit: Visit, table: TableId, step: int) -> tuple[Reel, Shot]:
        """Return the same, also of what is over of a match that goes on. Raises Refused."""
        return await _at(await self._finished(visit, table) or await self._so_far(visit, table), step)

    async def show(
        self, visit: Visit, table: TableId, step: int, at: PrivateMessage | None = None, seat: int | None = None
    ) -> Reply:
        """Show a step. seat: from whose seat; with all hands open without."""
        reel, shot = await self.opened(visit, table, step)
        row, judged = reel.row, await judged_of(self._bot, visit, table)
        filmed = Filmed(row.id, row.number, row.game, row.chairs, reel.film, judged, goes_on=reel.goes_on)
        drawn = await self._picture(visit, reel, shot)
        seat = seat if seat in range(shot.match.rules.players) else None
        screen = replay(filmed, Frame(shot, await reel.shots(shot.match.deal - 1), seat, drawn), visit.w)
        if drawn:
            screen = replace(screen, files=((drawn.name, await asyncio.to_thread(drawn.png)),))
        return Reply(view=screen, at=at)

    async def _picture(self, visit: Visit, reel: Reel, shot: Shot) -> Picture | None:
        """Return the table as a picture, None for whoever reads text alone, and where no files may be sent."""
        plain = (await self._bot.habits.of(visit.user)).text_only
        if plain or not visit.interaction.app_permissions.attach_files:
            return None
        return picture(reel.scene(shot), visit.w)


async def _at(reel: Reel | None, step: int) -> tuple[Reel, Shot]:
    """Return a match and one of its steps. Raises Refused where there is nothing to see."""
    if reel is None:
        raise Refused(NO_MATCH)
    try:
        return reel, await reel.shot(step)
    except LookupError as nothing:
        raise Refused(NO_MATCH) from nothing
