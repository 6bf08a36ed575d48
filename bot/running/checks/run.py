"""Runs all checks in order and says each line as it is found.

Knows what to skip without a token. Refuses to know what is checked.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from bot.running.checks.discord import discords
from bot.running.checks.finding import Finding
from bot.running.checks.machine import machine
from bot.settings import Settings


async def check(settings: Settings, env_file: Path, say: Callable[[str], None]) -> bool:
    """Check everything that can be; tell whether nothing is wrong."""
    good = True

    def told(finding: Finding) -> bool:
        say(str(finding))
        return finding.verdict != "wrong"

    for finding in machine(settings, env_file):
        good &= told(finding)
    if not settings.sandbox:
        async for finding in discords(settings):
            good &= told(finding)
    return good
