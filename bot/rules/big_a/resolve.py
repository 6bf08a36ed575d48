"""O12.3-O12.5. What comes of the answers of a window, and of what was said beforehand.

Knows the draw as it stands. Refuses to know who is asked next.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from bot.rules.big_a import orders
from bot.rules.big_a.draw import STACK, Act, possible_from, refused, shown
from bot.rules.big_a.drawn import Drawn
from bot.rules.big_a.options import PLAYERS
from bot.rules.core.asks import ORDER
from bot.rules.core.sentences import Illegal, Note
from bot.rules.variants.versions import FIRST

D = TypeVar("D", bound=Drawn)
TOO_LATE = Note("O12.4", "Your answer came to nothing: something else was shown first.")


def why_not(draw: Drawn, act: Act) -> Illegal | None:
    """Return why somebody may not show this now, or None."""
    self_overcall = draw.rules.options.self_overcall
    return refused(draw.stack, draw.declaration, act, draw.drawn, self_overcall=self_overcall)


def carried_out(draw: D) -> D:
    """Return the draw with all answers carried out in the order in which they became possible (O12.4).

    What one order makes possible for another, as an ace shown does for its twin, has its own moment among the rest.
    """
    answered = _answered(draw)
    now, done = draw._replace(told=((),) * PLAYERS), list[Act]()
    while acts := [act for act in (*answered, *_by_orders(_ordering(draw, now))) if why_not(now, act) is None]:
        done.append(min(acts, key=lambda act: _when(draw, act)))
        now = now._replace(declaration=shown(now.declaration, done[-1], draw.drawn))
    return at_once(_telling(now, (act.seat for act in answered if act not in done)))


def _ordering(before: D, now: D) -> D:
    """Return the draw whose orders are followed: as it stands; in the first version, as it was before the window."""
    return before if now.rules.version == FIRST else now


def at_once(draw: D) -> D:
    """Return the draw once all that was said beforehand has had its effect at this moment (O12.5)."""
    while not draw.declaration.closed and (acts := _by_orders(draw)):
        draw = draw._replace(declaration=shown(draw.declaration, acts[0], draw.drawn))
    return draw


def drawn_to(draw: D, drawn: int) -> D:
    """Return the draw with so many cards drawn, what was said beforehand taking effect card by card (O12.5)."""
    if not any(draw.standing):
        return draw._replace(drawn=drawn)
    now = draw
    for count in orders.moments(draw.stack, draw.drawn, drawn):
        now = at_once(now._replace(drawn=count))
    return now._replace(drawn=drawn, fresh=draw.fresh or now.declaration != draw.declaration)


def replayed(draw: D) -> D:
    """Return the whole draw over again, everybody doing as planned (O12.3)."""
    plans = tuple(codes[1:] if codes[0] == ORDER else codes for codes in draw.given)
    now = drawn_to(draw._replace(drawn=0, standing=plans, told=((),) * PLAYERS), STACK)._replace(standing=draw.standing)
    done = {(act.seat, act.suit, act.aces) for act in now.declaration.acts}
    return _telling(now, (act.seat for act in _answered(draw) if act[:3] not in done))


def _answered(draw: Drawn) -> list[Act]:
    """Return what the answers given in this window show."""
    manual = ((seat, codes[0]) for seat, codes in enumerate(draw.given) if codes and codes[0] != ORDER)
    return [act for seat, code in manual if (act := orders.act_of(code, seat, draw.declaration))]


def _by_orders(draw: Drawn) -> tuple[Act, ...]:
    codes = {seat: standing for seat, standing in enumerate(draw.standing) if standing}
    return tuple(orders.acts_ordered(draw.stack, draw.declaration, codes, draw.drawn, draw.rules.options))


def _when(draw: Drawn, act: Act) -> tuple[int, bool, int]:
    """Return when an act became possible, not before what stands; protecting is first, then it goes by turn."""
    last, first = draw.declaration.last, possible_from(draw.stack, act, draw.drawn)
    return max(first, last.drawn - 1) if last else first, not act.protect, (act.seat - draw.stack.starter) % PLAYERS


def _telling(draw: D, late: Iterable[int]) -> D:
    """Return the draw with these seats told that their answers came to nothing."""
    for seat in late:
        draw = draw._replace(told=replaced(draw.told, seat, (TOO_LATE,)))
    return draw


def replaced(by_seat: tuple[Any, ...], seat: int, new: Any) -> tuple[Any, ...]:
    """Return what belongs to the seats with that of one seat replaced."""
    return (*by_seat[:seat], new, *by_seat[seat + 1 :])
