"""The bot with a sampling profiler over CPU time, and the evaluation of its samples.

Runs as the bot of tests.bench.evening. The first SIGUSR2 starts to count, the second writes how often each stack was
seen: "loop" or "beside", then the functions, outermost first. C code that releases Python's lock in other threads is
sampled less often than it runs.
"""

from __future__ import annotations

import os
import runpy
import signal
import sys
import threading
from collections import Counter
from pathlib import Path
from types import FrameType

SAMPLE_INTERVAL = 0.002  # CPU seconds
SAMPLES_VARIABLE = "SAMPLES_INTO"  # environment variable with the file
TOP = f"{Path(__file__).parents[2]}/"
TOPICS = {
    "hands drawn in answer to clicks": ("cogs/common/hand_replies.py:hand",),
    "hands drawn as others play": ("bot/delivery/panels/hand_panels.py",),
    "hands sent as others play": ("OpenHands._change",),
    "answers sent": ("bot/interactions/private_replies.py",),
    "boards drawn": ("RenderedBoard.of", "Pictures.of"),
    "boards sent": ("Boards._put",),
    "looks for talk": ("bot/delivery/boards/channel_activity.py",),
    "moves: rules, clocks, the database": ("bot/table/", "bot/store/", "sqlalchemy", "aiosqlite"),
    "other things that are told": ("bot/delivery/",),
    "the door: guards, picks, handlers": ("bot/interactions/", "cogs/"),
    "clicks received and read": ("discord/gateway.py", "discord/state.py"),
    "HTTP": ("aiohttp",),
    "all else": ("",),
}  # of the loop: the first topic with one of its paths in the stack
THREAD_TOPICS = {
    "pictures beside the loop": ("bot/show/pictures/",),
    "the database and all else beside the loop": ("",),
}
WAITING_FILES = ("selectors.py", "threading.py", "queue.py", "thread.py")  # files of waiting threads


class Sampler:
    """Counts stacks."""

    def __init__(self, into: Path) -> None:
        self._into = into
        self._seen = Counter[str]()
        self._counting = False

    def switch(self, *_: object) -> None:
        """Start to count, or write the counts."""
        self._counting = not self._counting
        signal.setitimer(signal.ITIMER_PROF, *((SAMPLE_INTERVAL, SAMPLE_INTERVAL) if self._counting else (0, 0)))
        if not self._counting:
            part = self._into.with_suffix(".part")
            part.write_text("".join(f"{stack} {times}\n" for stack, times in self._seen.most_common()))
            part.rename(self._into)

    def sample(self, _number: int, frame: FrameType | None) -> None:
        """Count the present stack: of the loop, or of another thread if the loop waits."""
        if frame is None:
            return
        if not _is_waiting(frame):
            self._seen[_stack("loop", frame)] += 1
            return
        own = threading.get_ident()
        busy = [each for thread, each in sys._current_frames().items() if thread != own and not _is_waiting(each)]
        for each in busy[:1]:
            self._seen[_stack("beside", each)] += 1


def _is_waiting(frame: FrameType) -> bool:
    return frame.f_code.co_filename.endswith(WAITING_FILES)


def _stack(name: str, frame: FrameType | None) -> str:
    """Return a stack in one line without spaces."""
    found = list[str]()
    while frame is not None:
        code = frame.f_code
        file = code.co_filename.removeprefix(TOP).rpartition("site-packages/")[2].rpartition("lib/python3.11/")[2]
        found.append(f"{file}:{code.co_qualname}".replace(" ", "").replace(";", ""))
        frame = frame.f_back
    return ";".join((name, *reversed(found)))


def shares(samples: Path) -> dict[str, float]:
    """Return the share of each topic in all samples, largest first."""
    found = Counter[str]()
    for line in samples.read_text().splitlines():
        stack, _, times = line.rpartition(" ")
        topics = TOPICS if stack.startswith("loop") else THREAD_TOPICS
        found[next(topic for topic, signs in topics.items() if any(sign in stack for sign in signs))] += int(times)
    return {topic: times / found.total() for topic, times in found.most_common()}


def main() -> None:
    """Run the bot."""
    sampler = Sampler(Path(os.environ[SAMPLES_VARIABLE]))
    signal.signal(signal.SIGUSR2, sampler.switch)
    signal.signal(signal.SIGPROF, sampler.sample)
    runpy.run_module("bot", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
