"""Reading exported matches from files, and checking them. Refuses to know any running bot."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bot.games import GAMES
from bot.rules.exported import Exported, Unreadable, faults
from bot.running.verify import Untrue

LARGEST = 20_000_000  # bytes
AS_IT_SAYS = (
    "All is as it says: every action was allowed, the points are right, and the cards follow from the commitment."
)
NOT_SAID = "What this does not show: who saw which cards. Whoever runs a bot can see every hand."


def exported(path: Path) -> Exported:
    """Return a match from a file. Raises Untrue with what is wrong with the file."""
    try:
        if path.stat().st_size > LARGEST:
            raise Untrue(f"{path} is too large for a match.")
        return Exported.from_json(path.read_text(encoding="utf-8"), GAMES)
    except OSError as error:
        raise Untrue(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise Untrue(f"{path} is no text.") from error
    except Unreadable as error:
        raise Untrue(f"{path}: {error}") from error


def checked(found: Exported) -> Iterator[str]:
    """Yield that a match is as it says. Raises Untrue with what is not."""
    wrong = list(faults(found))
    if wrong:
        raise Untrue("\n".join(wrong))
    yield AS_IT_SAYS
    yield NOT_SAID
