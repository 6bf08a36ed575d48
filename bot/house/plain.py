"""A plain house player."""

from __future__ import annotations

import random

from bot.rules.game import Action, Pass, Play, View


def choose(view: View, rng: random.Random | None = None) -> Action:
    """Return the weakest legal play, or a pass."""
    first = view.plays.first(1)
    return Play(first[0].cards) if first else Pass()
