"""Answers that take longer than Discord waits: everything is done, but too late for an answer at once."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bot.interactions import answers
from bot.interactions.answers import Reply
from bot.interactions.visit import Visit, Work
from tests.support.world import World

STALL_SECONDS = 0.03  # simulated seconds; every player's patience is made shorter than that


def delayed(work: Work) -> Work:
    """Return what does the same, too late for an answer at once."""

    async def late(visit: Visit) -> Reply:
        await asyncio.sleep(STALL_SECONDS)
        return await work(visit)

    return late


def delay_handlers(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Delay every handler beyond the time limit of a response."""
    monkeypatch.setattr(answers, "ACKNOWLEDGE_AFTER", STALL_SECONDS / 3)
    monkeypatch.setattr(answers, "FORM_PATIENCE", STALL_SECONDS / 2)
    for name in ("handlers", "forms"):
        known = getattr(here.parts.dispatcher, name)
        slow = {key: replace(handler, work=delayed(handler.work)) for key, handler in known.items()}
        monkeypatch.setattr(here.parts.dispatcher, name, slow)
