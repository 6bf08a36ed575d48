"""The CPU time of a process, as reported by the system, so that other programs disturb little."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple


class CpuTime(NamedTuple):
    """CPU seconds. loop: of the event loop's thread; beside: of the threads that draw and of the database's."""

    loop: float = 0.0
    beside: float = 0.0

    @property
    def all(self) -> float:
        """The sum."""
        return self.loop + self.beside

    def since(self, before: CpuTime, times: int = 1) -> CpuTime:
        """Return the time since an earlier measurement, divided by ``times``."""
        return CpuTime((self.loop - before.loop) / times, (self.beside - before.beside) / times)


NO_TIME = CpuTime()


def cpu_time(pid: int) -> CpuTime:
    """Return the CPU time of a process so far."""
    threads = {int(task.name): _thread_seconds(task) for task in Path(f"/proc/{pid}/task").iterdir()}
    return CpuTime(threads[pid], sum(threads.values()) - threads[pid])


def _thread_seconds(task: Path) -> float:
    return int((task / "schedstat").read_text().split()[0]) / 1e9
