"""The strength of house players. The algorithms, and the levels of each game, live elsewhere."""

from __future__ import annotations

from enum import StrEnum


class Level(StrEnum):
    """A house player's strength: plain, a relaxed friend, a weekly player, or the strongest.

    PLAIN is for seats of absent players, and for games without other levels.
    """

    PLAIN = ""
    KIND = "kind"
    GOOD = "good"
    STRONG = "strong"
