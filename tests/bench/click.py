"""Which of our functions one click on Play calls: python -m tests.bench.click

Four people play Big Two in SimCord, the board shows a picture, and only the clicking player's hand is open. Counted
are the calls of functions in bot/ and cogs/ from the click until all messages are sent, except for drawing in other
threads. A resumed coroutine is not counted again, and comprehensions are not counted. Requests are printed separately.
After a few clicks that fill caches, the click with the median number of calls is shown.
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
from tests.bench.discord import FourPlayers
from tests.bench.requests import kind
from tests.support.world import World, world

CLICKS, WARM_UP_CLICKS = 9, 3
GOAL, MAX_CALLS = (
    530,
    830,
)  # the goal, and the limit that holds now (hands name the remaining cards, plates the last play)
TOP = Path(__file__).parents[2]
OUR_FOLDERS = tuple(f"{TOP / name}/" for name in ("bot", "cogs"))
SUSPENDABLE = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
COUNTED_CONSTRUCTORS = {made.__init__.__code__: made.__name__ for made in (View, Scene, PublicScene)}


@dataclass
class ClickProfile:
    """What one click caused: calls of our functions, objects built, requests sent."""

    calls: Counter[CodeType] = field(default_factory=Counter)
    built: Counter[str] = field(default_factory=Counter)
    sent: Counter[str] = field(default_factory=Counter)
    _suspended: set[FrameType] = field(default_factory=set)  # referenced, so that no new frame can have their id

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        """Count a call event of the interpreter, unless it resumes a generator or coroutine."""
        if event != "call" or frame in self._suspended:
            return
        code = frame.f_code
        if code in COUNTED_CONSTRUCTORS:
            self.built[COUNTED_CONSTRUCTORS[code]] += 1
        elif code.co_filename.startswith(OUR_FOLDERS) and not code.co_name.endswith(("comp>", "expr>")):
            self.calls[code] += 1
            if code.co_flags & SUSPENDABLE:
                self._suspended.add(frame)

    def calls_by_package(self) -> Counter[str]:
        """Return the calls by package; modules outside packages count for themselves."""
        found = Counter[str]()
        for code, times in self.calls.items():
            top, *below = Path(code.co_filename).relative_to(TOP).parts
            found["/".join((top, *below[:1])) if top == "bot" else top] += times
        return found


@contextmanager
def recording() -> Iterator[ClickProfile]:
    """Profile the calls within the block."""
    profile = ClickProfile()
    sys.setprofile(profile)
    try:
        yield profile
    finally:
        sys.setprofile(None)


async def click(players: FourPlayers) -> ClickProfile:
    """Let the player on turn select cards; return the profile of the click on Play."""
    name, play = await players.select_play(await players.advance_to_turn())
    players.close_other_hands(name)
    sent = players.here.env.backend.http_requests
    before = len(sent)
    with recording() as profile:
        await play()
    profile.sent.update(f"{each.method} {kind(each.path)}" for each in sent[before:])
    return profile


async def measure_clicks(here: World, count: int = CLICKS) -> list[ClickProfile]:
    """Return the profiles of several clicks on Play, fewest calls first."""
    players = FourPlayers(here, await here.start_table("ben", "cleo", "dev", hands=100))
    for _ in range(WARM_UP_CLICKS):
        await click(players)
    return sorted([await click(players) for _ in range(count)], key=lambda profile: profile.calls.total())


async def main() -> None:
    """Print calls by package, built objects, and requests of the median click."""
    with tempfile.TemporaryDirectory() as folder:
        async with world(Path(folder), pictures=True) as here:
            profiles = await measure_clicks(here)
    profile = profiles[CLICKS // 2]
    for package, times in profile.calls_by_package().most_common():
        print(f"{package:24}{times:6}")
    least, most = profiles[0].calls.total(), profiles[-1].calls.total()
    print(f"{'in all':24}{profile.calls.total():6}  ({least} to {most}; the goal is {GOAL})")
    for title, counted in (("built", profile.built), ("sent", profile.sent)):
        print(f"{title}: {', '.join(f'{name} {times}' for name, times in counted.most_common())}")
    if "-v" in sys.argv:
        for code, times in profile.calls.most_common():
            print(f"{times:6} {Path(code.co_filename).relative_to(TOP)} {code.co_qualname}")


if __name__ == "__main__":
    asyncio.run(main())
