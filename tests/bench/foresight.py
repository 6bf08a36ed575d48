"""The premoves of a house player that leaves its table.

A premove made here equals the player's later choice, as far as the present view tells. Uses one View, without tables
or time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from bot.ai.plain import plain_action
from bot.rules.core.asks import Action, Pass, Play, PlayAsk
from bot.rules.core.cards import Cards, without
from bot.rules.core.game import View
from bot.rules.core.imagination import unseen_cards
from bot.rules.core.premoves import PremoveKind
from bot.rules.core.sentences import Illegal
from bot.rules.core.trick import EMPTY, Combo

MAX_TOPS = 10  # plays of others to consider
MAX_COMBINATIONS = 60  # combinations of unseen cards from which these are chosen


class Premove(NamedTuple):
    """A premove, as a table takes it."""

    kind: PremoveKind
    plays: tuple[Cards, ...] = ()


def possible_premoves(view: View) -> Iterator[Premove]:
    """Yield the premoves possible while another player is to act; none outside a trick."""
    if view.phase_note or view.result or view.trick.top is None or view.seat is None:
        return
    yield Premove("on")
    tops = list(_tops(view))
    later = [_view_with_top(view, top) for top in tops]
    wanted = [plain_action(then) for then in later]
    if not wanted or not isinstance(wanted[0], Pass | Play):
        return
    if isinstance(wanted[0], Pass):
        yield Premove("pass")
    else:
        yield _first_legal(wanted, later) or _beats_up_to(wanted, tops)
    if view.trick.owner == view.seat:
        yield from _next_lead(view, None)
    elif isinstance(wanted[0], Play):
        yield from _next_lead(view, view.rules.classify(wanted[0].cards))


def _tops(view: View) -> Iterator[Combo]:
    """Yield the possible tops at this seat's turn, lowest first: the present top, or higher plays."""
    top, owner = view.trick.top, view.trick.owner
    assert top is not None
    if owner != view.seat:
        yield top
    others = replace(view, hand=view.rules.sort(tuple(unseen_cards(view).elements())), ask=PlayAsk(may_pass=True))
    above = [
        combo
        for combo in islice(others.plays, MAX_COMBINATIONS)
        if len(combo.cards) == len(top.cards) < _unknown_count(view, _seat_with_most_unknown(view))
    ]
    different = list({(combo.level, combo.strength): combo for combo in above}.values())
    step = max(1, len(different) // MAX_TOPS)
    yield from different[::step]


def _view_with_top(view: View, top: Combo) -> View:
    """Return the view of this seat at its turn with this top."""
    if view.trick.top is not top:
        view = _after(view, _seat_with_most_unknown(view), top)
    return _on_turn(view, may_pass=True)


def _seat_with_most_unknown(view: View) -> int:
    """Return the other seat with most unknown cards."""
    return max(
        (seat for seat in range(len(view.counts)) if seat != view.seat), key=lambda seat: _unknown_count(view, seat)
    )


def _unknown_count(view: View, seat: int) -> int:
    return view.counts[seat] - sum(owner == seat for owner, _ in view.known)


def _first_legal(wanted: Sequence[Action | None], later: Sequence[View]) -> Premove | None:
    """Return a premove for the first legal play of a list, or a pass if legal plays are unwanted."""
    plays = list(dict.fromkeys(action.cards for action in wanted if isinstance(action, Play)))
    for action, then in zip(wanted, later, strict=True):
        first = next((cards for cards in plays if _fits(cards, then)), None)
        if action != (Play(first) if first else Pass()):
            return None
    return Premove("list", tuple(plays))


def _fits(cards: Cards, view: View) -> bool:
    try:
        view.plays.verify(cards)
    except Illegal:
        return False
    return True


def _beats_up_to(wanted: Sequence[Action | None], tops: Sequence[Combo]) -> Premove:
    """Return a premove for the first play, up to the given top."""
    same = next((at for at, action in enumerate(wanted) if action != wanted[0]), len(wanted))
    assert isinstance(wanted[0], Play)
    return Premove("if", (tops[same - 1].cards, wanted[0].cards))


def _next_lead(view: View, combo: Combo | None) -> Iterator[Premove]:
    """Yield the leads of this player after winning the trick, with this play if given."""
    assert view.seat is not None
    won = _after(view, view.seat, combo) if combo else view
    if won.hand:
        action = plain_action(_on_turn(replace(won, trick=EMPTY, tricks=(*won.tricks, won.trick)), may_pass=False))
        if isinstance(action, Play):
            yield Premove("lead", (action.cards,))


def _after(view: View, seat: int, combo: Combo) -> View:
    """Return the view after a player has played this."""
    counts = (count - len(combo.cards) * (other == seat) for other, count in enumerate(view.counts))
    hand = without(view.hand, combo.cards) if seat == view.seat else view.hand
    return replace(view, hand=hand, trick=view.trick.played(seat, combo), counts=tuple(counts))


def _on_turn(view: View, *, may_pass: bool) -> View:
    """Return the view of a seat whose turn has come."""
    assert view.seat is not None
    mine = frozenset((view.seat,))
    return replace(view, ask=PlayAsk(may_pass=may_pass), to_act=mine, awaited=mine)
