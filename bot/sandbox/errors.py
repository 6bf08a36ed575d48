"""Shows errors of the bot on the terminal that would otherwise go unnoticed.

SimCord catches the errors of the bot's tasks for tests, so asyncio never reports them. Errors logged by the bot's own
handlers are not repeated.
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
"""Seconds that the bot's own handlers have to log an error first."""


class _Heard(logging.Handler):
    """Remembers logged errors, with their causes."""

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
    """Log each error caught by SimCord and logged by no handler of the bot, until cancelled."""
    heard = _Heard()
    logging.getLogger().addHandler(heard)
    printed = 0
    try:
        while True:
            await asyncio.sleep(LOOK_EVERY)
            caught = env.errors_since(printed)
            if caught:
                await asyncio.sleep(GRACE)
                _tell([error for error in caught if not isinstance(error, AppCommandError)], heard)
                printed += len(caught)
    finally:
        logging.getLogger().removeHandler(heard)


def _tell(caught: list[BaseException], heard: _Heard) -> None:
    """Log the errors not logged so far.

    A refused command is answered by the bot's own command tree.
    """
    for error in caught:
        if not any(one is other for one in _chain(error) for other in heard.errors):
            log.error("The bot raised %s outside its own handlers", type(error).__name__, exc_info=error)
