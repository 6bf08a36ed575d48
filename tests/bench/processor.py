"""For how long a process has been on a processor, as the system tells it, so that other programs disturb little."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple


class Spent(NamedTuple):
    """Seconds on a processor. loop: of the thread that serves; beside: of those that draw, and of the database's."""

    loop: float = 0.0
    beside: float = 0.0

    @property
    def all(self) -> float:
        """Both."""
        return self.loop + self.beside

    def since(self, before: Spent, times: int = 1) -> Spent:
        """Return what was spent after an earlier moment, for each of so many."""
        return Spent((self.loop - before.loop) / times, (self.beside - before.beside) / times)


NOTHING = Spent()


def spent(pid: int) -> Spent:
    """Return for how long a process has been on a processor."""
    threads = {int(task.name): _seconds(task) for task in Path(f"/proc/{pid}/task").iterdir()}
    return Spent(threads[pid], sum(threads.values()) - threads[pid])


def _seconds(task: Path) -> float:
    return int((task / "schedstat").read_text().split()[0]) / 1e9
