"""What one click on Play goes through in our own code: python -m tests.bench.click

Four people play Big Two in SimCord, the board shows a picture, and only the clicking player's hand is open. Counted
is every function of bot/ and cogs/ that is called from the click until all is told, but for what is drawn beside the
loop. One that goes on after waiting is not called again, and a comprehension is no function. The requests are printed
apart. What is looked up the first time is kept for the second, so a few clicks go before; after that the click in the
middle is shown.
"""

from __future__ import annotations

import asyncio
import inspect
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from bot.rules.core.game import View
from bot.scene import PublicScene, Scene
from tests.bench.discord import Group
from tests.bench.requests import kind
from tests.support.world import World, world

CLICKS, WARM = 9, 3
GOAL, MOST = 530, 830  # what is aimed at, and what holds (a hand names the cards left of all, a plate its last play)
TOP = Path(__file__).parents[2]
OURS = tuple(f"{TOP / name}/" for name in ("bot", "cogs"))
LATER = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
BUILT = {made.__init__.__code__: made.__name__ for made in (View, Scene, PublicScene)}


@dataclass
class Walk:
    """What one click went through: calls of our functions, objects built, requests sent."""

    calls: Counter[CodeType] = field(default_factory=Counter)
    built: Counter[str] = field(default_factory=Counter)
    sent: Counter[str] = field(default_factory=Counter)
    _begun: set[FrameType] = field(default_factory=set)  # kept, so that no other frame is taken for one of them

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        """Take what the interpreter tells: a call, or that a generator or a coroutine goes on."""
        if event != "call" or frame in self._begun:
            return
        code = frame.f_code
        if code in BUILT:
            self.built[BUILT[code]] += 1
        elif code.co_filename.startswith(OURS) and not code.co_name.endswith(("comp>", "expr>")):
            self.calls[code] += 1
            if code.co_flags & LATER:
                self._begun.add(frame)

    def rooms(self) -> Counter[str]:
        """Return the calls in each room; a module beside the rooms stands for itself."""
        found = Counter[str]()
        for code, times in self.calls.items():
            top, *below = Path(code.co_filename).relative_to(TOP).parts
            found["/".join((top, *below[:1])) if top == "bot" else top] += times
        return found


@contextmanager
def walked() -> Iterator[Walk]:
    """Take note of what is gone through meanwhile."""
    walk = Walk()
    sys.setprofile(walk)
    try:
        yield walk
    finally:
        sys.setprofile(None)


async def click(group: Group) -> Walk:
    """Let the player on turn choose cards, and return what their click on Play goes through."""
    name, play = await group.play(await group.ready())
    group.look_away(name)
    sent = group.here.env.backend.http_requests
    before = len(sent)
    with walked() as walk:
        await play()
    walk.sent.update(f"{each.method} {kind(each.path)}" for each in sent[before:])
    return walk


async def clicks(here: World, count: int = CLICKS) -> list[Walk]:
    """Return what so many clicks on Play go through, the lightest first."""
    group = Group(here, await here.start_table("ben", "cleo", "dev", hands=100))
    for _ in range(WARM):
        await click(group)
    return sorted([await click(group) for _ in range(count)], key=lambda walk: walk.calls.total())


async def main() -> None:
    """Print the calls by room, what was built, and the requests."""
    with tempfile.TemporaryDirectory() as folder:
        async with world(Path(folder), pictures=True) as here:
            walks = await clicks(here)
    walk = walks[CLICKS // 2]
    for room, times in walk.rooms().most_common():
        print(f"{room:24}{times:6}")
    least, most = walks[0].calls.total(), walks[-1].calls.total()
    print(f"{'in all':24}{walk.calls.total():6}  ({least} to {most}; the goal is {GOAL})")
    for told, counted in (("built", walk.built), ("sent", walk.sent)):
        print(f"{told}: {', '.join(f'{name} {times}' for name, times in counted.most_common())}")
    if "-v" in sys.argv:
        for code, times in walk.calls.most_common():
            print(f"{times:6} {Path(code.co_filename).relative_to(TOP)} {code.co_qualname}")


if __name__ == "__main__":
    asyncio.run(main())
