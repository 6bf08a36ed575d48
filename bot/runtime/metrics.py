"""Events and durations for the monitoring, and the cause of work for the log."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from bot.domain.ids import TableId

Kind: TypeAlias = Literal["click", "form", "command", "typing"]
Progress: TypeAlias = Literal["acknowledged", "answered"]
Obstacle: TypeAlias = Literal["conflict", "connection"]
KINDS: tuple[Kind, ...] = ("click", "form", "command", "typing")
OBSTACLES: tuple[Obstacle, ...] = ("conflict", "connection")


class MetricsRecorder(Protocol):
    """Counts events. All methods return at once and never raise."""

    def count_interaction(self, kind: Kind) -> Callable[[Progress], None]:
        """Count an interaction; return the callback for its progress."""
        ...

    def count_action(self, game: str, by: str) -> None:
        """Count a saved action. by: who decided the action, as in the step."""
        ...

    def record_decision_time(self, game: str, seconds: float) -> None:
        """Record the time that house players took to decide."""
        ...

    def record_delay(self, seconds: float) -> None:
        """Record the delay between a table's deadline and its handling by the clock."""
        ...

    def count_retry(self, why: Obstacle) -> None:
        """Count a repeated transaction, after a conflict or a lost connection."""
        ...


@dataclass(slots=True)
class Cause:
    """The cause of work: an interaction, a table or both.

    over: whether the answer is complete.
    """

    interaction: int | None = None
    table: TableId | None = None
    over: bool = False


# None if unknown, and for shared tasks that work for no single cause, wherever they were started.
CAUSE: ContextVar[Cause | None] = ContextVar("cause", default=None)
