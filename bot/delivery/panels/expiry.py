"""Expiry of idle panels: each says so while edits are still possible.

Discord permits edits of a private message for fifteen minutes after the last click; afterwards the panel would show an
old state for ever. One timer, for the next panel. The content of panels is made elsewhere.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from datetime import datetime
from typing import Any

from bot.delivery.panels.open_hands import OpenHand, OpenHands
from bot.show.kit.layout import PrivateScreen


class PanelExpiry:
    """Marks idle panels as expired. asleep: draws an expired panel. soon: runs a coroutine in the background."""

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
        """Start the timer for the next expiry, unless it runs: a newly clicked panel expires after all others."""
        if self._timer is None and (at := self._hands.next_expiry) is not None:
            delay = max((at - self._now()).total_seconds(), 0.0)
            self._timer = asyncio.get_running_loop().call_later(delay, self._ring)

    async def expire_all_except(self, spared: Callable[[OpenHand], bool]) -> None:
        """Mark all panels except the spared ones as expired: this run ends, and the next run will know none of them."""
        expiring = (hand for hand in self._hands.active() if not spared(hand))
        await asyncio.gather(*(self._hands.expire(hand, self._asleep(hand)) for hand in expiring))

    def stop(self) -> None:
        """Cancel the timer."""
        if self._timer:
            self._timer.cancel()

    def _ring(self) -> None:
        self._timer = None
        self._soon(self._expire_due())

    async def _expire_due(self) -> None:
        for hand in self._hands.expiring():
            await self._hands.expire(hand, self._asleep(hand))
        self.watch()
