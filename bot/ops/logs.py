"""The log: what the program writes for whoever runs it, and what must never stand in it.

Of libraries only warnings are written, whatever level was chosen: below that they write down bodies, tokens and
values. What is said of a fault between the bot and Discord is one line. Hands, seeds and the tokens of interactions
are in no message of ours; where another program's error holds them all the same, they are blotted out. It is written
for people, or as an object a line for programs. Refuses to know any game.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from contextlib import nullcontext
from copy import copy
from datetime import UTC, datetime
from typing import Any, TextIO

import discord

from bot.ops.repeated_messages import Repeats
from bot.runtime.discord_failures import UNREACHED
from bot.runtime.log_context import CAUSE, Cause
from bot.store.errors import StoreError

OURS = ("bot", "cogs")
FORESEEN = (*UNREACHED, StoreError, discord.ConnectionClosed, discord.GatewayNotFound)
COMPLETING, TOO_LATE = "discord.app_commands.tree", 10062  # who logs what failed there; Discord's code
BLOT = "[not for a log]"
LINE = "%(asctime)s %(levelname)s %(name)s: %(message)s"
TABLE = re.compile(r"[Tt]able (?=%[sd])")
_RANK, _SUIT = r"(?:1[0-5]|[1-9TJQKA])", "[dchsn♦♣♥♠♢♧♡♤]\ufe0f?"
_CARD = "|".join(
    (
        rf"{_RANK}(?:{_SUIT})",
        rf"(?:[♦♣♥♠♢♧♡♤]\ufe0f?|方块|方塊|梅花|红桃|红心|紅心|黑桃)`?{_RANK}",
        r"BJ|RJ|JK|LA|BA",
        r"<a?:\w+:\d+>",
        r"小王|大王|鬼牌|小A|大A",
    )
)
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
        return blotted(super().format(_plain(record)))


class Structured(Discreet):
    """Writes a record as an object: at, level, name, said; where they are known table, interaction, report, trace.

    An interaction is a text, for its number is longer than many programs read one.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the text of a record."""
        record, cause = _plain(record), CAUSE.get()
        about = cause if cause is not None and not cause.over else Cause()
        said: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "name": record.name,
            "said": blotted(record.getMessage()),
            "table": _table_of(record) or about.table,
            "interaction": about.interaction and str(about.interaction),
            "report": getattr(record, "report", None),
            "trace": record.exc_info and blotted(self.formatException(record.exc_info)),
        }
        return json.dumps({name: value for name, value in said.items() if value}, ensure_ascii=False)


def _plain(record: logging.LogRecord) -> logging.LogRecord:
    """Return a record without a traceback where it says nothing: with what went wrong behind what is said."""
    why = _foreseen(record.exc_info[1]) if record.exc_info else None
    if why is None:
        return record
    record = copy(record)
    record.msg, record.args = "%s: %s", (record.getMessage(), " ".join(str(why).split()) or type(why).__name__)
    record.exc_info = record.exc_text = None
    return record


def _table_of(record: logging.LogRecord) -> int | None:
    """Return the table that a message of ours names: the number behind the word."""
    if not isinstance(record.args, tuple) or not (found := TABLE.search(str(record.msg))):
        return None
    named = record.args[found.string[: found.start()].count("%")]
    return named if isinstance(named, int) else None


class _Terminal(logging.StreamHandler[TextIO]):
    """Writes to standard error, what is the same once a minute."""

    def __init__(self) -> None:
        super().__init__()
        self.repeats = Repeats(self._written)

    def _written(self, record: logging.LogRecord) -> None:
        with self.lock or nullcontext():
            self.emit(record)

    def close(self) -> None:
        """Say what has not been said yet."""
        self.repeats.tell(all_=True)
        super().close()


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


def write_log(level: str, form: str = "text") -> None:
    """Write to the terminal: what the bot says from this level on, and the warnings of everybody else.

    form: text or json.
    """
    handler = _Terminal()
    handler.setFormatter(Structured() if form == "json" else Discreet(LINE))
    handler.addFilter(worth_a_line)
    handler.addFilter(handler.repeats)
    logging.basicConfig(handlers=[handler])
    logging.getLogger().setLevel(max(logging.WARNING, logging.getLevelName(level)))
    logging.captureWarnings(True)
    for ours in OURS:
        logging.getLogger(ours).setLevel(level)
