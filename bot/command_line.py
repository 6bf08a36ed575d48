"""The command line: what can be said after ``python -m bot``, and what its exit code means.

Knows the words and the codes. Refuses to know how anything is done.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import NoReturn

from bot import sandbox, serving
from bot.settings import Settings, SettingsError
from bot.stopping import Stop
from bot.store.rows import StoreError
from bot.verify import Untrue, verify

ENV_FILE = Path(__file__).parents[1] / ".env"
DONE, PASSING, WRONG = 0, 1, 2
ABOUT = "Bigger, card games on Discord. Without a word it serves: with a token Discord, without one the sandbox."
CODES = """exit codes:
  0  stopped, by a signal or the sandbox's own button
  1  trouble that may pass by itself, such as no network: start again later; for `verify`, that something is not so
  2  something to put right first: a setting, the token, the database, the command line"""


class Parser(argparse.ArgumentParser):
    """Says in a sentence what is not understood."""

    def error(self, message: str) -> NoReturn:
        """End with that sentence and exit code 2."""
        self.exit(WRONG, f"{message[:1].upper()}{message[1:]}. `python -m bot --help` lists what can be said.\n")


def parser() -> argparse.ArgumentParser:
    """Return what reads the command line."""
    made = Parser(
        prog="python -m bot", description=ABOUT, epilog=CODES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("command", nargs="?", metavar="command", help=f"one of: {', '.join(COMMANDS)}")
    made.add_argument("words", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    return made


def serve(stop: Stop, words: Sequence[str]) -> int:
    """Serve until told to stop."""
    if words:
        parser().error(f"serve takes nothing more, but there is {' '.join(words)!r}")
    settings = Settings.load(os.environ, ENV_FILE)
    serving.write_log(settings.log_level)
    stop.run(serving.serve(settings))
    return DONE


def check_deal(_stop: Stop, words: Sequence[str]) -> int:
    """Check an opened deal, and print its cards."""
    made = Parser(prog="python -m bot verify", description="Check an opened deal, and deal its cards again.")
    made.add_argument("code", help="the rule code of the table, such as B2:std")
    made.add_argument("hand", type=int, help="which hand of the match, from 1")
    made.add_argument("seed", help="its seed, as it was opened")
    made.add_argument("commitment", help="the number that was shown before the first card")
    made.add_argument("--dealer", type=int, help="whoever dealt or drew first, by the order on the board, from 1")
    made.add_argument("--alone", action="store_true", help="for older matches: the number was for this hand alone")
    print(verify(**vars(made.parse_args(words))))  # noqa: T201  # the terminal is this program's screen
    return DONE


COMMANDS = {"serve": serve, "verify": check_deal}


def run(words: Sequence[str], stop: Stop) -> int:
    """Do what these words say; return the exit code."""
    reader = parser()
    said = reader.parse_args(words)
    command = COMMANDS.get(said.command or "serve")
    if command is None:
        reader.error(unknown(said.command))
    try:
        return command(stop, said.words)
    except Untrue as untrue:
        print(untrue, file=sys.stderr)  # noqa: T201
        return PASSING
    except (SettingsError, StoreError, sandbox.CannotServe, serving.CannotStart) as error:
        print(error, file=sys.stderr)  # noqa: T201  # the terminal is this program's screen
        return PASSING if isinstance(error, serving.CannotStart) and error.passing else WRONG


def unknown(word: str) -> str:
    """Say that there is no such command, and which may have been meant."""
    meant = get_close_matches(word.lower(), COMMANDS, n=1)
    return f"Bigger knows no command {word!r}" + (f"; did you mean {meant[0]}?" if meant else "")
