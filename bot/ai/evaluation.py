"""The evaluation of a decision: what a hint recommends, and what a review measures an action against.

Hints, reviews and puzzles ask this one function, so a review never criticises the action that a hint recommended. The
dice follow from the view alone, and the number of imagined worlds is fixed: the same view gets the same evaluation in
every process, on every machine and under any load. Refuses to know the time, the seed of a match and hidden cards.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from hashlib import sha256
from typing import Final, NamedTuple

from bot.ai import levels
from bot.domain.level import Level
from bot.rules.core.actions import Action, Pass, Play
from bot.rules.core.cards import write
from bot.rules.core.game import View
from bot.rules.core.trick import Trick
from bot.rules.matches.review import is_equivalent

ADVISER: Final = Level.STRONG  # or the best level that a game knows below it
MISTAKE: Final = 0.5  # points: a smaller loss is hardly worth a word


class Evaluation(NamedTuple):
    """The recommended action, and the expected loss of the action that was done instead.

    best: None where the seat need not act and had better not. loss: points per hand, 0 for what is as good as the best,
    None where the level recommends another action without counting points.
    """

    best: Action | None
    loss: float | None = 0.0

    @property
    def is_mistake(self) -> bool:
        """Whether a review may criticise what was done."""
        return self.loss is None or self.loss >= MISTAKE


def evaluate(view: View, done: Action | None = None) -> Evaluation:
    """Return the evaluation of the seat's decision. done: the action to measure, None for the recommendation alone."""
    level, dice = levels.nearest_level(ADVISER, view.rules), _dice(view)
    best = levels.choose(level, view, random.Random(dice))  # it has to come again
    if not (isinstance(best, Play | Pass) and isinstance(done, Play | Pass)) or is_equivalent(view, best, done):
        return Evaluation(best)
    gain = levels.gained(level, view, best, done, random.Random(dice))  # the worlds in which the best was found
    return Evaluation(best, None if gain is None else max(0.0, gain))


def _dice(view: View) -> str:
    """Return the text that the dice follow from.

    Only facts of this hand, so that a practice hand which resumes a match gets the evaluation of that match.
    """
    told = (view.rules.game, view.seat, write(view.hand), view.counts, *map(_trick, (*view.tricks, view.trick)))
    return sha256(f"evaluation {told}".encode()).hexdigest()


def _trick(trick: Trick) -> str:
    return " ".join(_moves(trick))


def _moves(trick: Trick) -> Iterator[str]:
    for seat, combo, taken in trick.moves:
        yield f"{seat}:{write(combo.cards) if combo else ''}:{write(taken)}"
