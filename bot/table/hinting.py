"""One table that tells people what a house player would do in their place, and why, where it is not left to them.

Whoever asks sees what the best house player of the game would do who knows no more than they do; asked again before
anything has happened, it is the same. Refuses to know how any of it is said.
"""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from bot.ground.ids import UserId
from bot.ground.level import Level
from bot.ground.refused import Refused
from bot.house.levels import at
from bot.house.reasons import reason
from bot.rules.actions import Action
from bot.rules.game import View
from bot.rules.sentences import Note
from bot.store.rows import TableRow
from bot.table.around import Around
from bot.table.fair import gives_hints
from bot.table.house_seats import dice
from bot.table.playing import PlayingTable
from bot.table.thought import Thought

NO_HINTS = "There are no hints at this table."


class Advice(NamedTuple):
    """What a house player would do, and what is true of it that speaks for it, if anything is."""

    action: Action
    why: Note | None


class HintingTable(PlayingTable):
    """A table as far as it gives hints."""

    def __init__(self, row: TableRow, around: Around) -> None:
        super().__init__(row, around)
        self._advice: dict[int, tuple[View, Advice]] = {}  # by seat, what it saw when it asked, and what was said then

    async def hint(self, user: UserId) -> Advice | None:
        """Return what a house player would do in this person's place, None where nothing is asked. Raises Refused."""
        scene = self.scene(user)
        if not gives_hints(self.row):
            raise Refused(NO_HINTS)
        if scene.view is None or scene.seat is None or not scene.view.ask:
            return None
        known = self._advice.get(scene.seat)
        if known is None or known[0] != scene.view:
            advice = await self._advised(scene.view, scene.seat)
            if advice is None:
                return None
            known = self._advice[scene.seat] = scene.view, advice
        return known[1]

    async def _advised(self, view: View, seat: int) -> Advice | None:
        thought = Thought(view, at(Level.STRONG, view.rules), dice(self.row.seed, seat, self.ply))
        action = await self._around.thinking.wish(thought)
        if action is None:
            return None
        why = await asyncio.to_thread(reason, view, action)
        return Advice(action, why.note if why else None)
