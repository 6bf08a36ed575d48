"""The cause of work, for the log: the interaction that the work answers, and its table.

A task inherits the cause at its start, so a fault far behind a click can be traced to the click; the cause ends once
the click is answered, since a timer set meanwhile may fire much later.
"""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass

from bot.domain.ids import TableId


@dataclass(slots=True)
class Cause:
    """The cause of work: an interaction, a table or both. over: whether the answer is complete."""

    interaction: int | None = None
    table: TableId | None = None
    over: bool = False


# None if unknown, and for shared tasks that work for no single cause, wherever they were started.
CAUSE: ContextVar[Cause | None] = ContextVar("cause", default=None)
