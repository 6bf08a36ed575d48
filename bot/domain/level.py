"""How well a house player plays. Refuses to know how it comes to that, and which games know which levels."""

from __future__ import annotations

from enum import StrEnum


class Level(StrEnum):
    """As plainly as house players always did; as a relaxed friend, as one who plays weekly, as well as the house can.

    PLAIN is how seats are kept for people who are away, and how games are played that know no other.
    """

    PLAIN = ""
    KIND = "kind"
    GOOD = "good"
    STRONG = "strong"
