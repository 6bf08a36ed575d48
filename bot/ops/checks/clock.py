"""Checks this machine's clock against the time in Discord's responses.

Uses the Date header, which is accurate to the second.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from types import SimpleNamespace

import aiohttp

from bot.ops.checks.finding import CheckResult, note, ok, wrong

NOTABLE, HARMFUL = timedelta(seconds=5), timedelta(minutes=1)
MEND = "Let it be set by the network: timedatectl set-ntp true"


class ClockCheck:
    """Records the time in responses. trace: for the session that sends the requests."""

    def __init__(self) -> None:
        self._ahead: timedelta | None = None
        self.trace = aiohttp.TraceConfig()
        self.trace.on_request_end.append(self._heard)

    async def _heard(
        self, _session: aiohttp.ClientSession, _context: SimpleNamespace, params: aiohttp.TraceRequestEndParams
    ) -> None:
        if said := params.response.headers.get("Date"):
            self._ahead = datetime.now(UTC) - parsedate_to_datetime(said)

    @property
    def finding(self) -> CheckResult | None:
        """The state of the clock; None without a response."""
        return None if self._ahead is None else clock(self._ahead)


def clock(ahead: timedelta) -> CheckResult:
    """Return the finding for a clock ahead of Discord's by a span, negative for behind."""
    off, way = abs(ahead), "ahead of" if ahead > timedelta() else "behind"
    if off < NOTABLE:
        return ok("clock", "it goes as Discord's does")
    said = f"it goes {off.total_seconds():,.0f} s {way} Discord's. {MEND}"
    return wrong("clock", said) if off >= HARMFUL else note("clock", said)
