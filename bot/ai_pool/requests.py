"""What house players are asked, and who thinks about it: off the event loop, whoever it is.

Knows that easy players need no time worth mentioning. Refuses to know tables, and how the others come by theirs.
"""

from __future__ import annotations

import asyncio
from typing import NamedTuple, Protocol

from bot.ai_pool.moves import choose_action
from bot.ai_pool.worker import late_after
from bot.ground.level import Level
from bot.house.packed.search import never
from bot.rules.actions import Action
from bot.rules.game import View


class MoveRequest(NamedTuple):
    """What is asked of a house player.

    dice: what its dice follow from, "" for none. seconds: within which the answer is wanted, with the best action found
    by then; None where the thinker may take its usual time.
    """

    view: View
    level: Level = Level.PLAIN
    dice: str = ""
    seconds: float | None = None


class MoveChooser(Protocol):
    """Whoever thinks for house players."""

    async def choose(self, request: MoveRequest) -> Action | None:
        """Return what a house player does; None where it need not do anything and rather does not. Never raises."""
        ...


class ThreadChooser:
    """Thinks in a thread: within the time of the request, and in the way of all else if that is long."""

    async def choose(self, request: MoveRequest) -> Action | None:
        """Return what a house player does, as :class:`MoveChooser` has it."""
        view, level, dice, seconds = request
        return await asyncio.to_thread(
            choose_action, view, level, dice, never if seconds is None else late_after(seconds)
        )
