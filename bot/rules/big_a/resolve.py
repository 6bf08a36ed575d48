"""O12.3-O12.5. The resolution of a window: answers and standing orders become acts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from bot.rules.big_a import orders
from bot.rules.big_a.draw import STACK_SIZE, AceAct, act_refusal, declare, possible_from
from bot.rules.big_a.drawn import DrawState
from bot.rules.big_a.options import PLAYERS
from bot.rules.core.asks import ORDER
from bot.rules.core.sentences import Illegal, Note
from bot.rules.variants.versions import FIRST

D = TypeVar("D", bound=DrawState)
TOO_LATE = Note("O12.4", "Your answer came to nothing: something else was shown first.")


def why_not(draw: DrawState, act: AceAct) -> Illegal | None:
    """Return the refusal of an act, or None."""
    self_overcall = draw.rules.options.self_overcall
    return act_refusal(draw.stack, draw.declaration, act, draw.drawn, self_overcall=self_overcall)


def carried_out(draw: D) -> D:
    """Return the draw with the answers carried out in the order in which they became possible (O12.4).

    An order made possible by another act, as an exposed ace enables its twin, is carried out at its own moment among
    them.
    """
    answered = _answered(draw)
    now, done = draw._replace(private_notes=((),) * PLAYERS), list[AceAct]()
    while acts := [act for act in (*answered, *_by_orders(_ordering(draw, now))) if why_not(now, act) is None]:
        done.append(min(acts, key=lambda act: _when(draw, act)))
        now = now._replace(declaration=declare(now.declaration, done[-1], draw.drawn))
    return at_once(_telling(now, (act.seat for act in answered if act not in done)))


def _ordering(before: D, now: D) -> D:
    """Return the draw whose orders apply: the present one; in the first version, the draw before the window."""
    return before if now.rules.version == FIRST else now


def at_once(draw: D) -> D:
    """Return the draw after every standing order has taken effect at this moment (O12.5)."""
    while not draw.declaration.closed and (acts := _by_orders(draw)):
        draw = draw._replace(declaration=declare(draw.declaration, acts[0], draw.drawn))
    return draw


def drawn_to(draw: D, drawn: int) -> D:
    """Return the draw with ``drawn`` cards drawn, standing orders taking effect card by card (O12.5)."""
    if not any(draw.standing):
        return draw._replace(drawn=drawn)
    now = draw
    for count in orders.moments(draw.stack, draw.drawn, drawn):
        now = at_once(now._replace(drawn=count))
    return now._replace(drawn=drawn, fresh=draw.fresh or now.declaration != draw.declaration)


def replayed(draw: D) -> D:
    """Return the whole draw played back from the plans of all seats (O12.3)."""
    plans = tuple(codes[1:] if codes[0] == ORDER else codes for codes in draw.given)
    now = drawn_to(draw._replace(drawn=0, standing=plans, private_notes=((),) * PLAYERS), STACK_SIZE)._replace(
        standing=draw.standing
    )
    done = {(act.seat, act.suit, act.aces) for act in now.declaration.acts}
    return _telling(now, (act.seat for act in _answered(draw) if act[:3] not in done))


def _answered(draw: DrawState) -> list[AceAct]:
    """Return the acts of the answers in this window."""
    manual = ((seat, codes[0]) for seat, codes in enumerate(draw.given) if codes and codes[0] != ORDER)
    return [act for seat, code in manual if (act := orders.act_of(code, seat, draw.declaration))]


def _by_orders(draw: DrawState) -> tuple[AceAct, ...]:
    codes = {seat: standing for seat, standing in enumerate(draw.standing) if standing}
    return tuple(orders.acts_ordered(draw.stack, draw.declaration, codes, draw.drawn, options=draw.rules.options))


def _when(draw: DrawState, act: AceAct) -> tuple[int, bool, int]:
    """Return a sort key of an act: its first possible moment, protection before others, turn order.

    The moment is at least that of the valid act.
    """
    last, first = draw.declaration.last, possible_from(draw.stack, act, draw.drawn)
    return max(first, last.drawn - 1) if last else first, not act.protect, (act.seat - draw.stack.starter) % PLAYERS


def _telling(draw: D, late: Iterable[int]) -> D:
    """Return the draw with these seats notified of an unsuccessful answer."""
    for seat in late:
        draw = draw._replace(private_notes=replaced(draw.private_notes, seat, (TOO_LATE,)))
    return draw


def replaced(by_seat: tuple[Any, ...], seat: int, new: Any) -> tuple[Any, ...]:
    """Return a tuple by seat with the value of one seat replaced."""
    return (*by_seat[:seat], new, *by_seat[seat + 1 :])
