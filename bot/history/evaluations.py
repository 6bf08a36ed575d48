"""Evaluations of single decisions, for hints and reviews: made by a worker, and deterministic for a view.

Access rights live elsewhere.
"""

from __future__ import annotations

import logging

from bot.ai.evaluation import Evaluation, evaluate
from bot.rules.core.actions import Action
from bot.rules.core.game import View
from bot.runtime.process_pool import CallFailed
from bot.runtime.workers import WorkerTurn

log = logging.getLogger(__name__)


async def evaluate_decision(turn: WorkerTurn, view: View, done: Action) -> Evaluation | None:
    """Return the evaluation of an action with this view; log a failure and return None. Raises Refused."""
    try:
        return await turn.call(evaluate, view, done)
    except CallFailed:
        log.exception("A decision in %s cannot be evaluated.", view.rules.game)
        return None
