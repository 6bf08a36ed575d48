"""Panels that nobody has touched for a while: each says that it sleeps while it can still be changed.

Discord lets a private message be changed for a quarter of an hour after the last click on it; then it would show for
ever how things stood. One timer, for whichever is next. Refuses to know what is on a panel.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from datetime import datetime
from typing import Any

from bot.delivery.panels.open_hands import OpenHand, OpenHands
from bot.show.kit.layout import PrivateScreen


class Naps:
    """Puts panels to sleep. asleep: draws one that sleeps. soon: does something beside all else."""

    def __init__(
        self,
        hands: OpenHands,
        now: Callable[[], datetime],
        asleep: Callable[[OpenHand], PrivateScreen],
        soon: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        self._hands = hands
        self._now = now
        self._asleep = asleep
        self._soon = soon
        self._timer: asyncio.TimerHandle | None = None

    def watch(self) -> None:
        """Be there when the next panel falls asleep; one that has just been clicked on does so after all others."""
        if self._timer is None and (at := self._hands.next_nap) is not None:
            delay = max((at - self._now()).total_seconds(), 0.0)
            self._timer = asyncio.get_running_loop().call_later(delay, self._ring)

    async def all_but(self, spared: Callable[[OpenHand], bool]) -> None:
        """Put them to sleep at once, but for those that are spared: this run ends, and the next knows none of them."""
        tired = (hand for hand in self._hands.awake() if not spared(hand))
        await asyncio.gather(*(self._hands.rest(hand, self._asleep(hand)) for hand in tired))

    def stop(self) -> None:
        """Let them lie."""
        if self._timer:
            self._timer.cancel()

    def _ring(self) -> None:
        self._timer = None
        self._soon(self._nap())

    async def _nap(self) -> None:
        for hand in self._hands.tired():
            await self._hands.rest(hand, self._asleep(hand))
        self.watch()
