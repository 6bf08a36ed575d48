"""Evaluations of decisions, for hints and reviews: a worker makes them, always the same for the same view.

Refuses to know who may ask for one.
"""

from __future__ import annotations

import logging

from bot.ground.pool import Failed
from bot.ground.workers import Turn
from bot.house.evaluation import Evaluation, evaluate
from bot.rules.actions import Action
from bot.rules.game import View

log = logging.getLogger(__name__)


async def evaluate_decision(turn: Turn, view: View, done: Action) -> Evaluation | None:
    """Return the evaluation of what was done with this view; None, and logged, where that failed. Raises Refused."""
    try:
        return await turn.call(evaluate, view, done)
    except Failed:
        log.exception("A decision in %s cannot be evaluated.", view.rules.game)
        return None
