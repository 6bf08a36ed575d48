"""The events and durations that a bot reports to its monitoring; never users, servers or tables.

A bot without monitoring has None instead of a Watch.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol, TypeAlias

Kind: TypeAlias = Literal["click", "form", "command", "typing"]
Progress: TypeAlias = Literal["acknowledged", "answered"]
Obstacle: TypeAlias = Literal["conflict", "connection"]
KINDS: tuple[Kind, ...] = ("click", "form", "command", "typing")
OBSTACLES: tuple[Obstacle, ...] = ("conflict", "connection")


class MetricsRecorder(Protocol):
    """Counts events. All methods return at once and never raise."""

    def came(self, kind: Kind) -> Callable[[Progress], None]:
        """Count an interaction; return the callback for its progress."""
        ...

    def played(self, game: str, by: str) -> None:
        """Count a saved action. by: who decided the action, as in the step."""
        ...

    def thought(self, game: str, seconds: float) -> None:
        """Record the time that house players took to decide."""
        ...

    def late(self, seconds: float) -> None:
        """Record the delay between a table's deadline and its handling by the clock."""
        ...

    def retried(self, why: Obstacle) -> None:
        """Count a repeated transaction, after a conflict with another process or a lost connection."""
        ...
