"""Where the hands of a match begin, kept beside its record: any of them is played out without those before it.

It follows from the record alone and may be lost: then the whole match is played out once more. Refuses to be a proof of
anything, and to know where it is kept.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import pairwise

from bot.rules.core.game import Result
from bot.rules.core.plain_data import plain, restored
from bot.rules.matches.match import Match, Opening

VERSION = 1  # how openings are written, and what of the rules they depend on
LONG = 5_000  # actions; a match of fewer is played out while nobody notices


@dataclass(frozen=True)
class Openings:
    """A match that has been played out up to an action. ply: which. last: the last step that everybody can see.

    begun: where each deal begins. results: what each hand came to that is over.
    """

    ply: int
    last: int
    begun: tuple[Opening, ...]
    results: tuple[Result, ...]

    @classmethod
    def of(cls, match: Match) -> Openings:
        """Return those of a match from its first card on; what goes on in the middle of a hand, nobody is shown."""
        ended = [after.step - 1 for before, after in pairwise(match.openings) if after.number > before.number]
        last = match.moment if match.game.result else max(ended, default=0)
        return cls(match.ply, last, match.openings, match.results)

    def written(self) -> str:
        """Return all of it as text."""
        return json.dumps([VERSION, self.ply, self.last, self.begun, plain(self.results)], separators=(",", ":"))

    @classmethod
    def read(cls, text: str) -> Openings | None:
        """Return what :meth:`written` has given; None where another version has written it."""
        version, *parts = json.loads(text)
        if version != VERSION:
            return None
        ply, last, begun, results = parts
        return cls(ply, last, tuple(Opening(*each) for each in begun), restored(results))


def kept_of(match: Match) -> str:
    """Return what is to be kept of a match that is over: nothing of a short one."""
    return Openings.of(match).written() if match.ply >= LONG else ""
