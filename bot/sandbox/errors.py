"""What the bot raised and nobody told: the terminal must show it.

Knows that SimCord catches what a bot's task raises, for a test to look at, so that asyncio never complains of it.
Refuses to know: what to do about an error. Errors the bot's own handlers have logged are not told twice.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Iterator

from discord.app_commands import AppCommandError
from simcord import Env

log = logging.getLogger(__name__)

LOOK_EVERY = 0.5
REMEMBERED = 200
GRACE = 0.3
"""Seconds the bot's own handlers have to log an error before it is told here."""


class _Heard(logging.Handler):
    """Remembers the errors that were logged, with what they wrap."""

    def __init__(self) -> None:
        super().__init__()
        self.errors: deque[BaseException] = deque(maxlen=REMEMBERED)

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info:
            self.errors.extend(_chain(record.exc_info[1]))


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


async def tell_errors(env: Env) -> None:
    """Log every error that SimCord caught and no handler of the bot logged, until cancelled."""
    heard = _Heard()
    logging.getLogger().addHandler(heard)
    told = 0
    try:
        while True:
            await asyncio.sleep(LOOK_EVERY)
            caught = env.errors_since(told)
            if caught:
                await asyncio.sleep(GRACE)
                _tell([error for error in caught if not isinstance(error, AppCommandError)], heard)
                told += len(caught)
    finally:
        logging.getLogger().removeHandler(heard)


def _tell(caught: list[BaseException], heard: _Heard) -> None:
    """Log what was not heard. A command's refusal belongs to the bot's own command tree, which answers it."""
    for error in caught:
        if not any(one is other for one in _chain(error) for other in heard.errors):
            log.error("The bot raised %s outside its own handlers", type(error).__name__, exc_info=error)
