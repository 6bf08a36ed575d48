"""Requests for house moves, and the interface to answer them off the event loop.

Easy house players need no measurable time.
"""

from __future__ import annotations

import asyncio
from typing import NamedTuple, Protocol

from bot.ai.engine.search import never
from bot.ai_pool.moves import choose_action
from bot.ai_pool.worker import late_after
from bot.domain.level import Level
from bot.rules.core.actions import Action
from bot.rules.core.game import View


class MoveRequest(NamedTuple):
    """A request for a house player's move.

    dice: the random seed, "" for none. seconds: the time limit for the best action found; None for the usual time.
    """

    view: View
    level: Level = Level.PLAIN
    dice: str = ""
    seconds: float | None = None


class MoveChooser(Protocol):
    """Chooses moves for house players."""

    async def choose(self, request: MoveRequest) -> Action | None:
        """Return a house player's action; None to stay silent without a required action. Never raises."""
        ...


class ThreadChooser:
    """Chooses in a thread, within the request's time limit; a long decision slows down everything else."""

    async def choose(self, request: MoveRequest) -> Action | None:
        """Return a house player's action, as in :class:`MoveChooser`."""
        view, level, dice, seconds = request
        return await asyncio.to_thread(
            choose_action, view, level, dice, never if seconds is None else late_after(seconds)
        )
