"""``python -m tests.restart.hurried``: the bot for a Discord on which time goes by BOT_SPEED times as fast."""

import os
import sys

from bot import __main__
from bot.door import flood
from bot.running import serving
from bot.tell import boards, emoji
from bot.tell.limits import Rate, Rates

if __name__ == "__main__":
    speed = float(os.environ["BOT_SPEED"])
    flood.CLICKS, flood.COMMANDS = int(flood.CLICKS * speed), int(flood.COMMANDS * speed)  # people are as fast
    boards.A_MOMENT /= speed  # a process is forked sooner than a bot starts
    emoji.PACE = Rate(emoji.PACE.most, emoji.PACE.seconds / speed)
    serving.Rates = lambda total: Rates(total).hurried(speed)  # type: ignore[assignment, misc, attr-defined]
    sys.exit(__main__.main())
