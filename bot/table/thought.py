"""What house players are asked, and who thinks about it: off the event loop, whoever it is.

Knows that easy players need no time worth mentioning. Refuses to know tables, and how the others come by theirs.
"""

from __future__ import annotations

import asyncio
from random import Random
from typing import NamedTuple, Protocol

from bot.ground.level import Level
from bot.house.levels import Weighed, weigh
from bot.rules.actions import Action
from bot.rules.game import View
from bot.table.house_seats import wish


class Thought(NamedTuple):
    """What is asked of a house player. dice: what its dice follow from, "" for none."""

    view: View
    level: Level = Level.PLAIN
    dice: str = ""


class Thinking(Protocol):
    """Whoever thinks for house players."""

    async def wish(self, thought: Thought) -> Action | None:
        """Return what a house player does; None where it need not do anything and rather does not. Never raises."""
        ...

    async def weigh(self, thought: Thought, done: Action) -> Weighed | None:
        """Return what a house player does, held against what was done; None where nobody can tell. Never raises."""
        ...


class AtOnce:
    """Thinks in a thread: as long as it takes, and in the way of all else if it takes long."""

    async def wish(self, thought: Thought) -> Action | None:
        """Return what a house player does, as :class:`Thinking` has it."""
        return await asyncio.to_thread(wish, *thought)

    async def weigh(self, thought: Thought, done: Action) -> Weighed | None:
        """Return what a house player does, held against what was done."""
        dice = Random(thought.dice)  # noqa: S311  # it is to come again
        return await asyncio.to_thread(weigh, thought.level, thought.view, done, dice)
