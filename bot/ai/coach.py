"""The coach of a lesson.

A plain, explainable recommendation with its reason, and a concept at the right moment.

The coach recommends what a planning house player without a search does, unless the lesson's sheet knows better: a
newcomer can follow each of its reasons.
"""

from __future__ import annotations

from collections.abc import Collection

from bot.ai.coach_reasons import LOOKED_AT, plain_reason
from bot.ai.levels import planned_action
from bot.rules.coaching.moments import A_CARDS, MOMENTS
from bot.rules.coaching.sheet import CoachSheet, CoachTurn
from bot.rules.core.asks import Action, Name, Pass, Play
from bot.rules.core.game import View
from bot.rules.core.sentences import Note


def coach_turn(view: View, sheet: CoachSheet, said: Collection[str] = ()) -> CoachTurn | None:
    """Return the coach's turn for the seat of a view; None where the seat need not act.

    said: the concepts of earlier turns.
    """
    action = _advised(view, sheet)
    if action is None:
        return None
    return CoachTurn(action, _why(view, action, sheet), _concept(view, action, sheet, said))


def new_concept(view: View, sheet: CoachSheet, said: Collection[str]) -> str | None:
    """Return the concept of ``coach_turn`` alone, in less time."""
    action = _advised(view, sheet)
    return _concept(view, action, sheet, said) if action else None


def _advised(view: View, sheet: CoachSheet) -> Action | None:
    """Return the recommended action: what the plan says, or what the sheet says in its place."""
    action = planned_action(view) if view.ask else None
    if isinstance(action, Pass):
        action = _second_to_last(view) or action
    if action is None or not any(all(MOMENTS[name](view, action) for name in when) for when in sheet.lose):
        return action
    return Pass() if view.trick.top else _lowest_lead(view) or action


def _second_to_last(view: View) -> Play | None:
    """Return the highest play that leaves a single one; None without any, and on an ally."""
    if view.trick.top is None or MOMENTS["ally_on_top"](view, Pass()):
        return None
    plays = (Play(combo.cards) for combo in view.plays.first(LOOKED_AT))
    last = [play for play in plays if MOMENTS["nearly_out"](view, play) and not MOMENTS["capture"](view, play)]
    return last[-1] if last else None


def _lowest_lead(view: View) -> Play | None:
    """Return the lead of the lowest card, which others will beat."""
    singles = (play for play in view.plays.first(len(view.hand)) if len(play.cards) == 1)
    return next((Play(play.cards) for play in singles if play.head.rank not in A_CARDS), None)


def _concept(view: View, action: Action, sheet: CoachSheet, said: Collection[str]) -> str | None:
    """Return the first new concept that fits; none with the last play of a hand."""
    if MOMENTS["last_play"](view, action):
        return None
    return next((one.text for one in sheet.once if one.text not in said and one.fits(view, action)), None)


def _why(view: View, action: Action, sheet: CoachSheet) -> Note | None:
    """Return the reason for an action: from the lesson, or else a general one."""
    if isinstance(action, Name) and (completes := plain_reason(view, action)):
        return completes
    own = next((one.text for one in sheet.reasons if one.fits(view, action)), None)
    if own is not None and not MOMENTS["last_play"](view, action):
        return Note("", own)
    return plain_reason(view, action)
