"""``python -m tests.restart.hurried``: the bot for a Discord on which time goes by BOT_SPEED times as fast.

BOT_PATIENCE: how many times as long it may answer those it has heard when it is stopped, for machines are slow.
"""

import os
import sys

from bot import __main__, here
from bot.door import flood
from bot.running import serving, stopping
from bot.tell import boards, emoji
from bot.tell.limits import Rate, Rates

if __name__ == "__main__":
    speed, patience = (float(os.environ.get(name, "1")) for name in ("BOT_SPEED", "BOT_PATIENCE"))
    flood.CLICKS, flood.COMMANDS = int(flood.CLICKS * speed), int(flood.COMMANDS * speed)  # people are as fast
    boards.A_MOMENT /= speed  # a process is forked sooner than a bot starts
    emoji.PACE = Rate(emoji.PACE.most, emoji.PACE.seconds / speed)
    serving.Rates = lambda total: Rates(total).hurried(speed)  # type: ignore[assignment, misc, attr-defined]
    here.HEARD, here.TURNED_AWAY = here.HEARD * patience, here.TURNED_AWAY * patience
    stopping.LIMIT *= patience
    sys.exit(__main__.main())
