"""What is told of a running bot to whoever counts: what happens and how long it takes, and never who, where or which.

A bot that nobody watches has None in the place of a Watch, and is asked nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol, TypeAlias

Kind: TypeAlias = Literal["click", "form", "command", "typing"]
Progress: TypeAlias = Literal["acknowledged", "answered"]
Obstacle: TypeAlias = Literal["conflict", "connection"]
KINDS: tuple[Kind, ...] = ("click", "form", "command", "typing")
OBSTACLES: tuple[Obstacle, ...] = ("conflict", "connection")


class Watch(Protocol):
    """Counts what happens. All of it returns at once and never raises."""

    def came(self, kind: Kind) -> Callable[[Progress], None]:
        """Hear that somebody has come; return what is to be told how far they have got."""
        ...

    def played(self, game: str, by: str) -> None:
        """Hear that an action has been kept. by: who decided it, as a step says."""
        ...

    def thought(self, game: str, seconds: float) -> None:
        """Hear how long it took until house players knew what to do."""
        ...

    def late(self, seconds: float) -> None:
        """Hear how long something at a table was due when the clock came to it."""
        ...

    def retried(self, why: Obstacle) -> None:
        """Count a transaction that is begun again: it conflicted with another process's, or lost its connection."""
        ...
