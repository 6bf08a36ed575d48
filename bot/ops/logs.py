"""The log for the operator, without secrets, each repeated message written once."""

from __future__ import annotations

import json
import logging
import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import nullcontext
from copy import copy
from dataclasses import dataclass
from datetime import UTC, datetime
from time import monotonic
from typing import Any, TextIO

import discord

from bot.runtime.discord_requests import UNREACHED
from bot.runtime.metrics import CAUSE, Cause
from bot.store.errors import StoreError

OURS = ("bot", "cogs")
FORESEEN = (*UNREACHED, StoreError, discord.ConnectionClosed, discord.GatewayNotFound)
COMPLETING, TOO_LATE = "discord.app_commands.tree", 10062  # the logger of failed autocompletions; Discord's error code
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


class RedactingFormatter(logging.Formatter):
    """Formats a record without secrets, and without a useless traceback."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the text of a record."""
        return redacted(super().format(_plain(record)))


class JsonFormatter(RedactingFormatter):
    """Formats a record as an object: at, level, name, said.

    Also table, interaction, report and trace, if known. An interaction is a string, because its id exceeds the integers
    of many programs.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the text of a record."""
        record, cause = _plain(record), CAUSE.get()
        about = cause if cause is not None and not cause.over else Cause()
        fields: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "name": record.name,
            "said": redacted(record.getMessage()),
            "table": _table_of(record) or about.table,
            "interaction": about.interaction and str(about.interaction),
            "report": getattr(record, "report", None),
            "trace": record.exc_info and redacted(self.formatException(record.exc_info)),
        }
        return json.dumps({name: value for name, value in fields.items() if value}, ensure_ascii=False)


def _plain(record: logging.LogRecord) -> logging.LogRecord:
    """Return a record without a useless traceback.

    The error's text follows the message instead.
    """
    why = _foreseen(record.exc_info[1]) if record.exc_info else None
    if why is None:
        return record
    record = copy(record)
    record.msg, record.args = "%s: %s", (record.getMessage(), " ".join(str(why).split()) or type(why).__name__)
    record.exc_info = record.exc_text = None
    return record


def _table_of(record: logging.LogRecord) -> int | None:
    """Return the table named in a message of the bot: the argument after the word "table"."""
    if not isinstance(record.args, tuple) or not (found := TABLE.search(str(record.msg))):
        return None
    named = record.args[found.string[: found.start()].count("%")]
    return named if isinstance(named, int) else None


class _Terminal(logging.StreamHandler[TextIO]):
    """Writes to standard error, equal messages once a minute."""

    def __init__(self) -> None:
        super().__init__()
        self.repeats = RepeatFilter(self._written)

    def _written(self, record: logging.LogRecord) -> None:
        with self.lock or nullcontext():
            self.emit(record)

    def close(self) -> None:
        """Write the pending counts of repeated messages."""
        self.repeats.tell(all_=True)
        super().close()


def worth_a_line(record: logging.LogRecord) -> bool:
    """Tell whether to write a record: not an autocompletion for which Discord no longer waits.

    Such an autocompletion is no fault: the user has typed on, or the network was slow.
    """
    error = record.exc_info[1] if record.exc_info else None
    return not (record.name == COMPLETING and isinstance(error, discord.NotFound) and error.code == TOO_LATE)


def redacted(text: str) -> str:
    """Return a text without whole seeds, tokens of interactions, and three cards in sequence."""
    return _SECRET.sub(BLOT, text)


def _foreseen(error: BaseException | None) -> BaseException | None:
    """Return the cause of an error if outside of the program: network, Discord or disk."""
    return next((cause for cause in _causes(error) if isinstance(cause, FORESEEN)), None)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and its explicit causes."""
    while error is not None:
        yield error
        error = getattr(error, "original", None) or error.__cause__


def write_log(level: str, form: str = "text") -> None:
    """Write the log to the terminal.

    The log has the bot's messages from a level on, and the warnings of libraries. form: text or json.
    """
    handler = _Terminal()
    handler.setFormatter(JsonFormatter() if form == "json" else RedactingFormatter(LINE))
    handler.addFilter(worth_a_line)
    handler.addFilter(handler.repeats)
    logging.basicConfig(handlers=[handler])
    logging.getLogger().setLevel(max(logging.WARNING, logging.getLevelName(level)))
    logging.captureWarnings(True)
    for ours in OURS:
        logging.getLogger(ours).setLevel(level)


MINUTE = 60.0  # seconds
MORE = " (%d more within a minute)"


@dataclass(slots=True)
class LoggedMessage:
    """A written message. more: the number of its repetitions since then."""

    record: logging.LogRecord
    at: float
    more: int = 0


class RepeatFilter(logging.Filter):
    """Lets one of equal messages pass per minute. write: writes the summaries of the others."""

    def __init__(self, write: Callable[[logging.LogRecord], None], now: Callable[[], float] = monotonic) -> None:
        super().__init__()
        self._write, self._now = write, now
        self._logged: OrderedDict[Hashable, LoggedMessage] = OrderedDict()
        self._lock = threading.RLock()
        self._timer: threading.Timer | None = None

    def filter(self, record: logging.LogRecord) -> bool:
        """Tell whether a message is new; count a repeated message."""
        error = type(record.exc_info[1]) if record.exc_info else None
        same = record.name, record.levelno, record.getMessage(), error
        with self._lock:
            self.tell()
            if logged := self._logged.get(same):
                logged.more += 1
                self._come_back()
                return False
            self._logged[same] = LoggedMessage(record, self._now())
            return True

    def tell(self, *, all_: bool = False) -> None:
        """Write the counts of messages whose minute is over, or of all.

        These messages are new afterwards.
        """
        with self._lock:
            while self._logged and (all_ or next(iter(self._logged.values())).at <= self._now() - MINUTE):
                _, logged = self._logged.popitem(last=False)
                if logged.more:
                    self._write(_summed(logged))

    def _come_back(self) -> None:
        """Start a timer for the counts, in case no further message is logged."""
        if self._timer is None or not self._timer.is_alive():
            self._timer = threading.Timer(MINUTE + 1, self.tell)
            self._timer.daemon = True
            self._timer.start()


def _summed(logged: LoggedMessage) -> logging.LogRecord:
    """Return a message with its count, built from the original parts.

    So the table of the message is still recognized.
    """
    record, args = copy(logged.record), logged.record.args
    whole = isinstance(args, tuple) and bool(args)
    record.msg = f"{record.msg if whole else record.getMessage().replace('%', '%%')}{MORE}"
    record.args = (*(args if whole and isinstance(args, tuple) else ()), logged.more)
    record.exc_info = record.exc_text = record.stack_info = None
    return record
