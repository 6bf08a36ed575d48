"""The arguments of a run of the bot.

They include the child processes and rate limits, which outlast the parts.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from random import Random

import aiohttp

from bot.ai_pool.pool import MovePool
from bot.delivery.outbox.discord_limits import RateLimiter, Rates
from bot.delivery.outbox.write_queue import trace_responses
from bot.runtime.metrics import MetricsRecorder
from bot.runtime.store_address import DatabaseServer
from bot.runtime.workers import Workers
from bot.settings import Settings
from bot.sharding.handover import AgreedTime
from bot.table.registry import new_seed


@dataclass(kw_only=True)
class Launch:
    """The arguments of a run of the bot.

    now: the time. seed: makes the secret seed of each match. rates: the rate limits of requests; None for a simulated
    Discord. pulse: seconds of a clock for flood limits. watch: counts events for the metrics, if any.
    """

    settings: Settings
    now: Callable[[], datetime]
    seed: Callable[[], str] = new_seed
    rates: Rates | None = None
    pulse: Callable[[], float] = time.monotonic
    watch: MetricsRecorder | None = None
    workers: Workers = field(default_factory=Workers)
    move_pool: MovePool = field(default_factory=MovePool)
    random: Random = field(default_factory=Random)  # jitter of the delays between attempts
    limits: RateLimiter = field(init=False)
    trace: aiohttp.TraceConfig = field(init=False)  # of every request to Discord

    def __post_init__(self) -> None:
        self.limits = RateLimiter(self.rates, self.random, time.monotonic())
        self.trace = trace_responses(self.limits, time.monotonic)
        if isinstance(self.settings.database, DatabaseServer):
            self.now = AgreedTime(self.now)

    async def close(self) -> None:
        """End the child processes."""
        self.workers.stop()
        await self.move_pool.close()
        await self.workers.ended()
