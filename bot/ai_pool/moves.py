"""What is done on seats that nobody plays: by house players, for whoever is late, and where nothing is to be decided.

Pure but for the log: from a match, or a view of it, to actions. Refuses to know tables and time.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from hashlib import sha256
from random import Random
from typing import TypeAlias

from bot.ground.level import Level
from bot.house.levels import choose
from bot.house.packed.search import never
from bot.rules.actions import Action, Choose, Give, Name, Pass, Play, Ready
from bot.rules.asks import Ask, ChooseAsk, GiveAsk, NameAsk, PlayAsk
from bot.rules.game import View
from bot.rules.match import Match

Done: TypeAlias = tuple[int, Action]  # who did what

log = logging.getLogger(__name__)


def dice(seed: str, seat: int, ply: int) -> str:
    """Return what the dice of a house player follow from: always the same at the same place of the same match.

    seed: of the match, of which nothing can be told by it.
    """
    return sha256(f"house player {seed} {seat} {ply}".encode()).hexdigest()


def wish(view: View, level: Level = Level.PLAIN, thrown: str = "", late: Callable[[], bool] = never) -> Action | None:
    """Return what a house player does, or the least there is where it fails, so that no table stands still for it.

    thrown: what its dice follow from; without, what is even is settled always alike. late: as ``choose`` has it.
    """
    try:
        return choose(level, view, Random(thrown) if thrown else None, late)  # noqa: S311  # it is to come again
    except Exception:
        log.exception("A house player of %s does not know what to do.", view.rules.game)
        return least(view) if view.seat in view.awaited else None


def in_secret(match: Match, seat: int, action: Action) -> Match | None:
    """Return the match in which a seat has to act once more before others see anything; None where they see it now.

    So jokers are played whose names are asked for (O6.2 of The Big and the Little A).
    """
    after = match.act(seat, action)
    again = after.moment == match.moment and not match.game.secrecy.together and seat in after.awaited
    return after if again else None


def completed(match: Match, seat: int, done: tuple[Done, ...]) -> tuple[Done, ...]:
    """Return what a house player has decided so far, with plain actions up to the first that all can see."""
    now: Match | None = match
    for _, action in done:
        now = in_secret(now, seat, action) if now else None
    while now is not None and seat in now.awaited:
        view = now.view(seat)
        action = wish(view) or least(view)
        done, now = (*done, (seat, action)), in_secret(now, seat, action)
    return done


def least(view: View) -> Action:
    """Return what is done for somebody who is late: pass, or where that cannot be, the least there is."""
    match view.ask:
        case GiveAsk(count=count) as ask:
            return Give(ask.givable(view.hand)[:count])
        case ChooseAsk(answers=answers):
            return Choose((answers[0].code,))
        case NameAsk(cards=cards, may_pass=may_pass):
            return Pass() if may_pass else Name(cards[0])
    passing = not isinstance(view.ask, PlayAsk) or view.ask.may_pass
    return Pass() if passing else Play(view.plays.first(1)[0].cards)


def passes_openly(match: Match) -> int | None:
    """Return who alone may act and can, as everybody sees from the number of their cards, only pass; None for nobody.

    Passing by themselves tells nothing of them, so that nobody has to wait for it.
    """
    view = match.view(None)
    if view.result or view.trick.top is None or len(view.to_act) > 1 or not view.rules.counted:
        return None
    [seat] = view.to_act
    if not view.rules.beyond(view.counts[seat], view.trick.top):
        return None
    ask = match.game.ask(seat)
    return seat if isinstance(ask, PlayAsk) and ask.may_pass and not ask.draws else None


def can_only_pass(view: View) -> bool:
    """Tell whether there is nothing to decide: somebody may pass, and can do nothing else."""
    return isinstance(view.ask, PlayAsk) and view.ask.may_pass and view.seat in view.awaited and not view.plays


def nothing_to_decide(ask: Ask | None) -> bool:
    """Tell whether whoever is asked this in words could answer one thing only, so that it can be answered for them."""
    return isinstance(ask, ChooseAsk) and ask.idle and not ask.given


def hand_to_the_end(match: Match) -> tuple[Match, tuple[Done, ...]]:
    """Let house players play a hand to its end on all seats, the next one where this is over; return what they did."""
    done, hands = list[Done](), len(match.results)
    while not match.over and len(match.results) == hands:
        for seat, action in _round(match):
            before, match = match, match.act(seat, action)
            done.append((seat, action))
            if match.moment != before.moment:
                break
    return match, tuple(done)


def _round(match: Match) -> Iterator[Done]:
    """Yield what those do for whom the match waits; the first of it that all can see makes the rest void."""
    for seat in sorted(match.awaited):
        view = match.view(seat)
        yield seat, Ready() if match.game.result else wish(view) or least(view)
