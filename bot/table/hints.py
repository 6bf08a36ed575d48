"""One table that tells people what a house player would do in their place, and why, where it is not left to them.

Whoever asks sees what the best house player of the game would do who knows no more than they do; asked again before
anything has happened, it is the same. Refuses to know how any of it is said.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import NamedTuple

from bot.ground.ids import UserId
from bot.ground.pool import Failed
from bot.ground.refused import Refused
from bot.ground.workers import always
from bot.house.evaluation import evaluate
from bot.house.reasons import reason
from bot.rules.actions import Action
from bot.rules.game import View
from bot.rules.sentences import Note
from bot.store.rows import TableRow
from bot.table.core.fair import gives_hints
from bot.table.core.play import PlayingTable
from bot.table.environment import Around

log = logging.getLogger(__name__)

NO_HINTS = "There are no hints at this table."
TOO_BUSY = "I couldn't work out a hint just now. Ask me again in a moment."


class Advice(NamedTuple):
    """What a house player would do, and what is true of it that speaks for it, if anything is."""

    action: Action
    why: Note | None


class HintingTable(PlayingTable):
    """A table as far as it gives hints."""

    def __init__(self, row: TableRow, around: Around) -> None:
        super().__init__(row, around)
        self._advice: dict[int, tuple[View, Advice]] = {}  # by seat, what it saw when it asked, and what was said then

    async def hint(self, user: UserId, wanted: Callable[[], bool] = always) -> Advice | None:
        """Return what a house player would do in this person's place, None where nothing is asked. Raises Refused.

        wanted: whether they still wait for it.
        """
        scene = self.scene(user)
        if not gives_hints(self.row):
            raise Refused(NO_HINTS)
        if scene.view is None or scene.seat is None or not scene.view.ask:
            return None
        known = self._advice.get(scene.seat)
        if known is None or known[0] != scene.view:
            advice = await self._advised(user, scene.view, wanted)
            if advice is None:
                return None
            known = self._advice[scene.seat] = scene.view, advice
        return known[1]

    async def _advised(self, user: UserId, view: View, wanted: Callable[[], bool]) -> Advice | None:
        try:
            return await self._around.workers.run(user, advised, view, wanted=wanted)
        except Failed:
            log.exception("A hint in %s cannot be worked out.", view.rules.game)
            raise Refused(TOO_BUSY) from None


def advised(view: View) -> Advice | None:
    """Return what a house player would do with this view; None where it need not act and had better not."""
    best = evaluate(view).best
    if best is None:
        return None
    why = reason(view, best)
    return Advice(best, why.note if why else None)
