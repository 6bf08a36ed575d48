"""The command line of ``python -m bot``, and its exit codes.

The commands are carried out elsewhere.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NoReturn

from bot.ops import serving, store_commands
from bot.ops.checks.run import check as run_checks
from bot.ops.logs import write_log
from bot.ops.notices import Refusal, upkeep
from bot.ops.notices import add_words as upkeep_words
from bot.ops.shutdown import SignalHandler
from bot.ops.store_commands import recounting
from bot.ops.terminal import drop_output, shown, write_any_text
from bot.ops.verification import CheckFailed, checked, describe_matches, exported, verify
from bot.paths import ROOT
from bot.runtime.progress import PROGRESS
from bot.settings import LOG_FORMATS, Settings, SettingsError, unknown_names
from bot.store.errors import DatabaseUnavailable, Fenced, StoreError

log = logging.getLogger(__name__)

ENV_FILE = ROOT / ".env"
DONE, PASSING, WRONG = 0, 1, 2
ABOUT = "Bigger, card games on Discord. Without a command: serve Discord, or the sandbox if there is no token."
CODES = """exit codes:
  0  stopped, by a signal or by the button of the sandbox
  1  a temporary problem, such as no network: start again later; check, doctor and verify: a problem was found;
     store and recount: interrupted
  2  something to fix first: a setting, the token, the database, the command line"""


class Parser(argparse.ArgumentParser):
    """Reports errors as a sentence."""

    def error(self, message: str) -> NoReturn:
        """Exit with a sentence and exit code 2."""
        sentence = f"{message[:1].upper()}{message[1:]}{'' if message.endswith('?') else '.'}"
        self.exit(WRONG, f"{sentence} `python -m bot --help` lists the commands.\n")


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = Parser(
        prog="python -m bot", description=ABOUT, epilog=CODES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.set_defaults(run=serve)
    subcommands = made.add_subparsers(title="commands", metavar="", dest="command")
    serving_ = subcommands.add_parser("serve", help="serve until stopped, as without a command")
    serving_.set_defaults(run=serve)
    for reader in (made, serving_):
        about = "the format of the log; overrides BIGGER_LOG_FORMAT"
        reader.add_argument("--log-format", choices=LOG_FORMATS, default=argparse.SUPPRESS, help=about)
    about = "check settings, database and Discord; one line each, with what to do about a problem"
    subcommands.add_parser("check", help=about, description=about).set_defaults(run=check)
    about = "check more when something does not work: the running bot, the clock, the installed versions"
    subcommands.add_parser("doctor", help=about, description=about).set_defaults(run=doctor)
    upkeep_words(subcommands).set_defaults(run=run_upkeep)
    about = "compute again what follows from finished matches, such as ratings; stop the bot first"
    subcommands.add_parser("recount", help=about, description=about).set_defaults(run=recount)
    store_commands.words(subcommands).set_defaults(run=store)
    about = "read an exported match (show) or check it (verify): rules, points, places, cards"
    record = subcommands.add_parser("record", help=about, description=about)
    record.set_defaults(run=read_record)
    record.add_argument("what", choices=("show", "verify"), help="print the match, or check it")
    record.add_argument("file", type=Path, help="a file from /matches export")
    about = "check an opened deal and deal its cards again"
    verified = subcommands.add_parser("verify", help=about, description=about)
    verified.set_defaults(run=check_deal)
    verified.add_argument("code", help="the rule code of the table, such as B2:std")
    verified.add_argument("hand", type=int, help="the number of the hand in the match, from 1")
    verified.add_argument("seed", help="the opened seed of the hand")
    verified.add_argument("commitment", help="the commitment shown before the first card")
    verified.add_argument("--dealer", type=int, help="who dealt or drew first, by the order on the board, from 1")
    verified.add_argument(
        "--alone", action="store_true", help="for older matches: the commitment covers this hand alone"
    )
    verified.add_argument("--cut", default="", help="the combined words of the players, if the cards were cut")
    verified.add_argument("--each", action="store_true", help="for deals played at several tables")
    return made


def serve(stop: SignalHandler, args: argparse.Namespace) -> int:
    """Serve until a signal."""
    settings = Settings.load(os.environ, ENV_FILE)
    write_log(settings.log_level, getattr(args, "log_format", settings.log_format))
    for sentence in unknown_names(ENV_FILE):
        log.warning(sentence)
    with followed(stop):
        stop.run(serving.serve(settings))
    return DONE


@contextmanager
def followed(stop: SignalHandler) -> Iterator[None]:
    """Show the progress of long work, and the saved results if the work is interrupted."""
    progress = shown()
    token = PROGRESS.set(progress)

    def leave() -> None:
        progress.close()
        if progress.farewell:
            print(progress.farewell, file=sys.stderr, flush=True)

    stop.farewell = leave
    try:
        yield
    finally:
        progress.close()
        PROGRESS.reset(token)


def _whole(stop: SignalHandler, work: Coroutine[Any, Any, None]) -> int:
    """Run work that is useful only if completed; an interruption changes the exit code."""
    write_log("ERROR")
    stop.code = PASSING
    with followed(stop):
        stop.run(work)
    return PASSING if stop.asked else DONE


def check(stop: SignalHandler, _args: argparse.Namespace) -> int:
    """Print the state of the installation."""
    return _checked(stop, thorough=False)


def doctor(stop: SignalHandler, _args: argparse.Namespace) -> int:
    """Print the state of the installation, with more checks for finding a fault."""
    return _checked(stop, thorough=True)


def _checked(stop: SignalHandler, *, thorough: bool) -> int:
    settings, good = Settings.load(os.environ, ENV_FILE), [False]
    write_log("ERROR")

    async def work() -> None:
        good[0] = await run_checks(settings, ENV_FILE, serving.say, thorough=thorough)

    stop.run(work())
    return DONE if good[0] or stop.asked else PASSING


def recount(stop: SignalHandler, _args: argparse.Namespace) -> int:
    """Recompute all data derived from finished matches."""
    return _whole(stop, recounting(Settings.load(os.environ, ENV_FILE).database, serving.say))


def store(stop: SignalHandler, args: argparse.Namespace) -> int:
    """Run a command on the store."""
    return _whole(stop, store_commands.run(Settings.load(os.environ, ENV_FILE), args, serving.say))


def read_record(_stop: SignalHandler, args: argparse.Namespace) -> int:
    """Print an exported match, or check the match."""
    found = exported(args.file)
    for line in describe_matches(found) if args.what == "show" else checked(found):
        serving.say(line)
    return DONE


def check_deal(_stop: SignalHandler, args: argparse.Namespace) -> int:
    """Check an opened deal, and print its cards."""
    about = args.code, args.hand, args.seed, args.commitment
    serving.say(verify(*about, dealer=args.dealer, alone=args.alone, cut=args.cut, each=args.each))
    return DONE


def run_upkeep(stop: SignalHandler, args: argparse.Namespace) -> int:
    """Change the operator's decisions for all users."""
    stop.run(upkeep(Settings.load(os.environ, ENV_FILE).database, args, serving.say))
    return DONE


COMMANDS = ("serve", "check", "doctor", "upkeep", "recount", "store", "record", "verify")


def run(words: Sequence[str], stop: SignalHandler) -> int:
    """Run a command line; return the exit code."""
    reader = parser()
    if words and not words[0].startswith("-") and words[0] not in COMMANDS:
        reader.error(unknown(words[0]))
    write_any_text()
    args = reader.parse_args(words)
    try:
        code = int(args.run(stop, args))
        sys.stdout.flush()
    except BrokenPipeError:
        drop_output()
        return DONE
    except CheckFailed as untrue:
        print(untrue, file=sys.stderr)
        return PASSING
    except (SettingsError, StoreError, Refusal, serving.CannotStart) as error:
        print(error, file=sys.stderr)  # a command prints its errors
        passing = isinstance(error, (DatabaseUnavailable, Fenced)) or (
            isinstance(error, serving.CannotStart) and error.passing
        )
        return PASSING if passing else WRONG
    return code


def unknown(word: str) -> str:
    """Return the sentence about an unknown command, with the most similar command."""
    meant = get_close_matches(word.lower(), COMMANDS, n=1)
    return f"Bigger knows no command {word!r}" + (f"; did you mean {meant[0]}?" if meant else "")
