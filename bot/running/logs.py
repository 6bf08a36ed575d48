"""The log: what the program writes for whoever runs it, and what must never stand in it.

Of libraries only warnings are written, whatever level was chosen: below that they write down bodies, tokens and
values. What is said of a fault between the bot and Discord is one line. Hands, seeds and the tokens of interactions
are in no message of ours; where another program's error holds them all the same, they are blotted out. Refuses to know
any game.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from copy import copy

import discord

from bot.ground.unreached import UNREACHED
from bot.store.errors import StoreError

OURS = ("bot", "cogs")
FORESEEN = (*UNREACHED, StoreError, discord.ConnectionClosed, discord.GatewayNotFound)
COMPLETING, TOO_LATE = "discord.app_commands.tree", 10062  # who logs what failed there; Discord's code
BLOT = "[not for a log]"
_RANK, _SUIT = r"(?:1[0-5]|[1-9TJQKA])", "[dchsn♦♣♥♠♢♧♡♤]\ufe0f?"
_CARD = "|".join((
    rf"{_RANK}(?:{_SUIT})", rf"(?:[♦♣♥♠♢♧♡♤]\ufe0f?|方块|方塊|梅花|红桃|红心|紅心|黑桃)`?{_RANK}", r"BJ|RJ|JK|LA|BA",
    r"<a?:\w+:\d+>", r"小王|大王|鬼牌|小A|大A",
))  # fmt: skip
_SECRET = re.compile(
    rf"(?<![^\W_])(?:{_CARD})(?:[^\w\n]{{0,6}}(?:{_CARD})){{2,}}"  # three cards in sequence
    r"|(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])"  # a seed
    r"|(?<=/)(?:webhooks|interactions)/\d+/[\w.-]{20,}",
    re.IGNORECASE,
)


class Discreet(logging.Formatter):
    """Writes a record without what is nobody's business, and without a traceback where it says nothing."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the text of a record."""
        why = _foreseen(record.exc_info[1]) if record.exc_info else None
        if why is not None:
            record = copy(record)
            record.msg, record.args = "%s: %s", (record.getMessage(), " ".join(str(why).split()) or type(why).__name__)
            record.exc_info = record.exc_text = None
        return blotted(super().format(record))


def worth_a_line(record: logging.LogRecord) -> bool:
    """Tell whether a record is to be written: not that Discord waits no more for what is offered to who types.

    That is nobody's fault and changes nothing: they have typed on, or the network was slow.
    """
    error = record.exc_info[1] if record.exc_info else None
    return not (record.name == COMPLETING and isinstance(error, discord.NotFound) and error.code == TOO_LATE)


def blotted(text: str) -> str:
    """Return a text without whole seeds, tokens of interactions, and three cards in sequence."""
    return _SECRET.sub(BLOT, text)


def _foreseen(error: BaseException | None) -> BaseException | None:
    """Return what lies behind an error where it is none of our faults: the network, Discord or the disk."""
    return next((cause for cause in _causes(error) if isinstance(cause, FORESEEN)), None)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and what it was raised from on purpose."""
    while error is not None:
        yield error
        error = getattr(error, "original", None) or error.__cause__


def write_log(level: str) -> None:
    """Write to the terminal: what the bot says from this level on, and the warnings of everybody else."""
    handler = logging.StreamHandler()
    handler.setFormatter(Discreet("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    handler.addFilter(worth_a_line)
    logging.basicConfig(handlers=[handler])
    logging.getLogger().setLevel(max(logging.WARNING, logging.getLevelName(level)))
    logging.captureWarnings(True)
    for ours in OURS:
        logging.getLogger(ours).setLevel(level)
