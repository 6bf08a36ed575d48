"""Failures of requests to Discord: a refusal, a long rate limit, or no response."""

from __future__ import annotations

from http import HTTPStatus

import aiohttp
import discord

# To be caught wherever a lost message does no harm to a table. OSError includes TimeoutError. discord.py raises
# RateLimited, which is no HTTPException, instead of sleeping for longer than MAX_WAIT.
UNREACHED: tuple[type[Exception], ...] = (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError)
MAX_WAIT = 30.0  # the longest wait of a request for a rate limit in seconds: discord.py's minimum


def may_pass(error: Exception) -> bool:
    """Tell whether the same request may succeed later: after a rate limit, a fault of Discord, or no response."""
    if not isinstance(error, discord.HTTPException):
        return True
    return error.status == HTTPStatus.TOO_MANY_REQUESTS or error.status >= HTTPStatus.INTERNAL_SERVER_ERROR
