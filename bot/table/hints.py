"""Hints: the best house player's action in a player's place, with the reason.

A hint uses only the player's own view, and stays the same until the position changes. In a lesson the coach's
recommendation is the hint, so the two never contradict each other.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import NamedTuple, Protocol

from bot.ai.levels import evaluate
from bot.ai.reasons import reason
from bot.domain.ids import UserId
from bot.domain.message_ids import N_
from bot.domain.refusals import Refused
from bot.rules.core.asks import Action
from bot.rules.core.game import View
from bot.rules.core.sentences import Note
from bot.runtime.process_pool import CallFailed
from bot.runtime.workers import Workers, always
from bot.scene import Scene
from bot.store.rows import TableRow
from bot.table.core.eligibility import has_hints

log = logging.getLogger(__name__)

NO_HINTS = N_("There are no hints at this table.")
TOO_BUSY = N_("I couldn't work out a hint just now. Ask me again in a moment.")


class Advice(NamedTuple):
    """A house player's action, and the reason for it, if any."""

    action: Action
    why: Note | None


class HintTable(Protocol):
    """A table with hints for its players."""

    row: TableRow

    def scene(self, viewer: UserId | None) -> Scene:
        """Return the table as a viewer sees it."""
        ...


class Hints:
    """The hints of one table."""

    def __init__(self, table: HintTable, workers: Workers) -> None:
        self._table = table
        self._workers = workers
        self._given: dict[int, tuple[View, Advice]] = {}  # by seat: the view that it had, and the hint

    async def hint(self, user: UserId, wanted: Callable[[], bool] = always) -> Advice | None:
        """Return a house player's action in this player's place; None without a pending question.

        Raises Refused. wanted: whether the player still waits for the hint.
        """
        scene = self._table.scene(user)
        if not has_hints(self._table.row):
            raise Refused(NO_HINTS)
        if scene.view is None or scene.seat is None or not scene.view.ask:
            return None
        if scene.coach is not None:
            return Advice(scene.coach.action, scene.coach.why)
        view_and_advice = self._given.get(scene.seat)
        if view_and_advice is None or view_and_advice[0] != scene.view:
            advice = await self._advised(user, scene.view, wanted)
            if advice is None:
                return None
            view_and_advice = self._given[scene.seat] = scene.view, advice
        return view_and_advice[1]

    async def _advised(self, user: UserId, view: View, wanted: Callable[[], bool]) -> Advice | None:
        try:
            server = self._table.row.guild or None  # a solo table has none
            return await self._workers.run(user, best_advice, view, wanted=wanted, server=server)
        except CallFailed:
            log.exception("A hint in %s cannot be worked out.", view.rules.game)
            raise Refused(TOO_BUSY) from None


def best_advice(view: View) -> Advice | None:
    """Return a house player's action with this view.

    None if the house player would stay silent without a required action.
    """
    best = evaluate(view).best
    if best is None:
        return None
    why = reason(view, best)
    return Advice(best, why.note if why else None)
