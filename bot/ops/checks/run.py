"""Runs all checks in order, and prints each finding at once.

Decides which checks to skip without a token, and which run only for the doctor.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from pathlib import Path

from bot.ops.checks.discord import ClockCheck, discords
from bot.ops.checks.finding import CheckResult
from bot.ops.checks.machine import machine, server, versions
from bot.ops.checks.running_bot import running
from bot.runtime.store_address import DatabaseServer
from bot.settings import Settings


async def check(settings: Settings, env_file: Path, say: Callable[[str], None], *, thorough: bool = False) -> bool:
    """Run all checks; tell whether none is wrong.

    thorough: also run the checks of interest only after a malfunction.
    """
    good, clock = True, ClockCheck()
    async for finding in _found(settings, env_file, clock, thorough=thorough):
        say(str(finding))
        good &= finding.verdict != "wrong"
    return good


async def _found(
    settings: Settings, env_file: Path, clock: ClockCheck, *, thorough: bool
) -> AsyncIterator[CheckResult]:
    for finding in machine(settings, env_file):
        yield finding
    if isinstance(settings.database, DatabaseServer):
        for finding in await server(settings.database):
            yield finding
    if thorough:
        async for finding in running(settings, datetime.now(UTC)):
            yield finding
        for finding in versions():
            yield finding
    if not settings.sandbox:
        async for finding in discords(settings, clock.trace):
            yield finding
    if thorough and clock.finding:
        yield clock.finding
