"""Opens the sandbox at a moment of a match: `python -m tests.moments b2 end-of-hand`. Lists moments without arguments.

The table is stored in a temporary database unless a file is given.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.ops.logs import write_log
from bot.ops.serving import say
from bot.ops.shutdown import SignalHandler
from bot.rules.core.sentences import Illegal
from bot.rules.variants.ruleset import BadCode
from bot.sandbox import CannotServe
from bot.sandbox.live import PEOPLE
from bot.settings import Settings
from bot.show.kit.words import words as translated
from tests.moments.arrival import NotReached
from tests.moments.opening import UnknownMoment, describe_all, open_at, parse_request

USAGE_ERROR = 2  # exit code


def argument_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = argparse.ArgumentParser(prog="python -m tests.moments", description="The sandbox at a moment of a match.")
    made.add_argument("game", nargs="?", help="a game, such as b2, or a rule code, such as B2:hk")
    made.add_argument("moment", nargs="?", default="first-play", help="which moment; first-play unless told")
    made.add_argument("--people", type=int, choices=range(1, len(PEOPLE) + 1), default=1, help="how many people play")
    made.add_argument("--hands", type=int, help="how many hands the match has")
    made.add_argument("--port", type=int, default=Settings().sandbox_port, help="of the page; 0 takes any free one")
    made.add_argument("--database", type=Path, help="a file to keep the table in, which is not there yet")
    return made


def main(words: Sequence[str], stop: SignalHandler) -> int:
    """Run the command line; return the exit code. stop: ends the sandbox on a signal."""
    said = argument_parser().parse_args(words)
    if said.game is None:
        say(describe_all())
        return 0
    try:
        wanted = parse_request(said.game, said.moment, said.hands, said.people)
        write_log("WARNING")
        with nullcontext(said.database) if said.database else temporary_database() as database:
            stop.run(open_at(wanted, said.port, database, say))
    except (BadCode, Illegal) as error:
        return print_error(translated("en-US")(error.sentence, **error.values).replace("\\", ""))  # without Markdown
    except (UnknownMoment, NotReached, CannotServe) as error:
        return print_error(str(error))
    return 0


@contextmanager
def temporary_database() -> Iterator[Path]:
    """Yield a path for a database, deleted at the end."""
    with TemporaryDirectory() as folder:
        yield Path(folder) / "games.db"


def print_error(sentence: str) -> int:
    """Print an error; return the exit code."""
    print(sentence, file=sys.stderr)
    return USAGE_ERROR


if __name__ == "__main__":
    to_stop = SignalHandler()
    to_stop.listen()
    sys.exit(main(sys.argv[1:], to_stop))
