"""The beginnings of the deals of a match, stored beside the record: each deal is replayable without earlier ones.

Openings are a cache, derived from the record alone; without them the whole match is replayed once more. They prove
nothing. Refuses to know where they are stored.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import pairwise

from bot.rules.core.game import Result
from bot.rules.core.plain_data import from_plain, to_plain
from bot.rules.matches.match import Match, Opening

VERSION = 1  # of the format, and of the rules that openings depend on
MIN_STORED_PLIES = 5_000  # actions; a shorter match is replayed without a noticeable delay


@dataclass(frozen=True)
class Openings:
    """A match replayed up to the action ``ply``. last: the last public step.

    begun: the beginning of each deal. results: of the finished hands.
    """

    ply: int
    last: int
    begun: tuple[Opening, ...]
    results: tuple[Result, ...]

    @classmethod
    def of(cls, match: Match) -> Openings:
        """Return the openings of a match played from its first card; ``last`` excludes a hand in progress."""
        ended = [after.step - 1 for before, after in pairwise(match.openings) if after.number > before.number]
        last = match.moment if match.game.result else max(ended, default=0)
        return cls(match.ply, last, match.openings, match.results)

    def written(self) -> str:
        """Return the openings as text."""
        return json.dumps([VERSION, self.ply, self.last, self.begun, to_plain(self.results)], separators=(",", ":"))

    @classmethod
    def read(cls, text: str) -> Openings | None:
        """Parse the text of :meth:`written`; None if it is of another version."""
        version, *parts = json.loads(text)
        if version != VERSION:
            return None
        ply, last, begun, results = parts
        return cls(ply, last, tuple(Opening(*each) for each in begun), from_plain(results))


def stored_openings(match: Match) -> str:
    """Return the text to store for a finished match; empty for a short match."""
    return Openings.of(match).written() if match.ply >= MIN_STORED_PLIES else ""
