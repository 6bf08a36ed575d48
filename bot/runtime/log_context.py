"""On whose account something goes on, for the log: the interaction that it answers, and the table that it is about.

A task that is begun on its way inherits it, so that a fault far behind a click can be traced to it; once the click is
answered it counts no more, for a timer that was set by the way may go off much later.
"""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass

from bot.domain.ids import TableId


@dataclass(slots=True)
class Cause:
    """What something is done for: an interaction, a table or both. over: whether that is done."""

    interaction: int | None = None
    table: TableId | None = None
    over: bool = False


# Where nothing is known, None: also for what a task does for nobody in particular, whatever it was begun on the way of.
CAUSE: ContextVar[Cause | None] = ContextVar("cause", default=None)
