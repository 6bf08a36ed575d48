"""Reading exported matches from files, and checking them. Refuses to know any running bot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from bot.games import GAMES
from bot.rules.exported import Exported, Unreadable, faults, story
from bot.running.verify import Untrue

LARGEST = 20_000_000  # bytes
AS_IT_SAYS = (
    "All is as it says: every action was allowed, the points are right, and the cards follow from the commitment."
)
NOT_SAID = (
    "What this does not show: that whoever runs the bot did not choose the cards, and who saw which. They can read "
    "every word of a cut and see every hand."
)


def exported(path: Path) -> list[Exported]:
    """Return the matches of a file, one or many. Raises Untrue with what is wrong with the file."""
    try:
        if path.stat().st_size > LARGEST:
            raise Untrue(f"{path} is too large for matches.")
        return list(Exported.from_lines(path.read_text(encoding="utf-8"), GAMES))
    except OSError as error:
        raise Untrue(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise Untrue(f"{path} is no text.") from error
    except Unreadable as error:
        raise Untrue(f"{path}: {error}") from error


def checked(found: Sequence[Exported]) -> Iterator[str]:
    """Yield that matches are as they say. Raises Untrue with what is not."""
    several = len(found) > 1
    named = ((f"Match {number}: " if several else "", one) for number, one in enumerate(found, 1))
    wrong = [f"{name}{fault}" for name, one in named for fault in faults(one)]
    if wrong:
        raise Untrue("\n".join(wrong))
    if several:
        yield f"{len(found)} matches."
    yield AS_IT_SAYS
    yield NOT_SAID


def told(found: Sequence[Exported]) -> Iterator[str]:
    """Yield matches in words."""
    for number, one in enumerate(found, 1):
        if len(found) > 1:
            yield f"# {number}"
        yield from story(one)
