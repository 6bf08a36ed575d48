"""Minds of good house players: as the plain ones, less the mistakes that were found in those.

Plain ones stay as they are, for they stand in for people, and whoever has met them can compare. Refuses to know how a
game is played.
"""

from __future__ import annotations

from collections.abc import Mapping

from bot.ai.games.big_a import TASTE as BIG_A
from bot.ai.games.big_a import BigAReading
from bot.ai.plain import MINDS, Mind

ENDING = BIG_A._replace(ending=0.6)  # it let an ally's play be where it could have gone out with the next lead

MENDED: Mapping[str, Mind] = {
    **MINDS,
    "big_a": MINDS["big_a"]._replace(read=lambda view, rng: BigAReading.of(view, rng, ENDING)),
}
