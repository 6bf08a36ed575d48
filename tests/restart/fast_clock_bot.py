"""``python -m tests.restart.fast_clock_bot``: the bot for a Discord whose limits are BOT_SPEED times as fast.

BOT_PATIENCE: the factor for the timeouts of a stop, for slow machines.
"""

import os
import sys

from bot import __main__, lifecycle
from bot.delivery import emoji
from bot.delivery.boards import boards
from bot.delivery.outbox.discord_limits import Rate, Rates
from bot.interactions import flood_limits
from bot.ops import serving, shutdown

if __name__ == "__main__":
    speed, patience = (float(os.environ.get(name, "1")) for name in ("BOT_SPEED", "BOT_PATIENCE"))
    flood_limits.CLICKS, flood_limits.COMMANDS = (
        int(flood_limits.CLICKS * speed),
        int(flood_limits.COMMANDS * speed),
    )  # players are as fast
    boards.MAX_REQUEST_TIME /= speed  # a forked process starts faster than a bot
    emoji.UPLOAD_RATE = Rate(emoji.UPLOAD_RATE.most, emoji.UPLOAD_RATE.seconds / speed)
    serving.Rates = lambda total: Rates(total).hurried(speed)  # type: ignore[assignment, misc, attr-defined]
    lifecycle.VISITS_TIMEOUT, lifecycle.REFUSALS_TIMEOUT = (
        lifecycle.VISITS_TIMEOUT * patience,
        lifecycle.REFUSALS_TIMEOUT * patience,
    )
    shutdown.MAX_SHUTDOWN_SECONDS *= patience
    sys.exit(__main__.main())
