"""What can go wrong between the bot and Discord while something is sent: Discord says no, or nobody answers."""

from __future__ import annotations

import aiohttp
import discord

# To be caught wherever a message may get lost without harm to a table. OSError includes a TimeoutError.
UNREACHED: tuple[type[Exception], ...] = (discord.HTTPException, aiohttp.ClientError, OSError)
