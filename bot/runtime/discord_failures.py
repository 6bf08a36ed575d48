"""What can go wrong between the bot and Discord while something is sent: a refusal, a long rate limit, no answer."""

from __future__ import annotations

from http import HTTPStatus

import aiohttp
import discord

# To be caught wherever a message may get lost without harm to a table. OSError includes a TimeoutError. RateLimited,
# which is no HTTPException, is what discord.py raises rather than sleep for longer than MAX_WAIT.
UNREACHED: tuple[type[Exception], ...] = (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError)
MAX_WAIT = 30.0  # seconds for which a request waits for a rate limit: the least that discord.py allows


def may_pass(error: Exception) -> bool:
    """Tell whether the same request may succeed later: it is limited, Discord has a fault, or nobody answers."""
    if not isinstance(error, discord.HTTPException):
        return True
    return error.status == HTTPStatus.TOO_MANY_REQUESTS or error.status >= HTTPStatus.INTERNAL_SERVER_ERROR
