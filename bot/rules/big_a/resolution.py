"""2.16-2.20 and O12. The state of a draw, the resolution of a window, and the first lead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

from bot.rules.big_a import declarations
from bot.rules.big_a.declarations import (
    MAX_SHOWN_ACES,
    STACK_SIZE,
    AceAct,
    Declaration,
    ShownAces,
    Stack,
    ace,
    act_refusal,
    declare,
    possible_from,
)
from bot.rules.big_a.options import PLAYERS
from bot.rules.big_a.play import BigAGame
from bot.rules.big_a.rules import BigARules
from bot.rules.big_a.score import Sides
from bot.rules.core.asks import ORDER
from bot.rules.core.cards import Cards
from bot.rules.core.sentences import Illegal, Note, Of, Seat
from bot.rules.variants.registration import FIRST

WindowKind: TypeAlias = Literal["round", "last", "reveal"]
Codes: TypeAlias = tuple[str, ...]


class DrawState(NamedTuple):
    """A hand while its cards are drawn.

    drawn: the number of cards drawn; the last five are face down until picked up. kind: of the open window. given: the
    answers in the window, by seat. standing: the standing orders, by seat. private_notes: by seat. redealt: the
    face-down cards of void deals, if shown. fresh: whether an ace was shown at the last step. sealed: the number of
    secret answers.
    """

    rules: BigARules
    stack: Stack
    luck: int
    drawn: int = 0
    kind: WindowKind = "round"
    declaration: Declaration = Declaration()
    given: tuple[Codes, ...] = ((),) * PLAYERS
    standing: tuple[Codes, ...] = ((),) * PLAYERS
    private_notes: tuple[tuple[Note, ...], ...] = ((),) * PLAYERS
    redealt: tuple[Cards, ...] = ()
    fresh: bool = False
    sealed: int = 0

    def __repr__(self) -> str:
        """Return the progress of the draw, without cards, to keep them out of logs."""
        return f"<BigADraw drawn={self.drawn} kind={self.kind}>"


D = TypeVar("D", bound=DrawState)
TOO_LATE = Note("O12.4", "Too late: something else was shown first.")


def why_not(draw: DrawState, act: AceAct) -> Illegal | None:
    """Return the refusal of an act, or None."""
    self_overcall = draw.rules.options.self_overcall
    return act_refusal(draw.stack, draw.declaration, act, draw.drawn, self_overcall=self_overcall)


def carry_out_answers(draw: D) -> D:
    """Return the draw with the answers carried out, by the time they became possible (O12.4).

    An order made possible by another act, as an exposed ace enables its twin, is carried out at its own moment among
    them.
    """
    answered = _answered(draw)
    now, done = draw._replace(private_notes=((),) * PLAYERS), list[AceAct]()
    while acts := [act for act in (*answered, *_by_orders(_ordering(draw, now))) if why_not(now, act) is None]:
        done.append(min(acts, key=lambda act: _when(draw, act)))
        now = now._replace(declaration=declare(now.declaration, done[-1], draw.drawn))
    return apply_standing_orders(_with_late_notice(now, (act.seat for act in answered if act not in done)))


def _ordering(before: D, now: D) -> D:
    """Return the draw whose orders apply: the present one.

    In the first version of the rules, the draw before the window.
    """
    return before if now.rules.version == FIRST else now


def apply_standing_orders(draw: D) -> D:
    """Return the draw after every standing order has taken effect at this moment (O12.5)."""
    while not draw.declaration.closed and (acts := _by_orders(draw)):
        draw = draw._replace(declaration=declare(draw.declaration, acts[0], draw.drawn))
    return draw


def drawn_to(draw: D, drawn: int) -> D:
    """Return the draw with ``drawn`` cards drawn; standing orders act card by card (O12.5)."""
    if not any(draw.standing):
        return draw._replace(drawn=drawn)
    now = draw
    for count in declarations.moments(draw.stack, draw.drawn, drawn):
        now = apply_standing_orders(now._replace(drawn=count))
    return now._replace(drawn=drawn, fresh=draw.fresh or now.declaration != draw.declaration)


def replayed(draw: D) -> D:
    """Return the whole draw played back from the plans of all seats (O12.3)."""
    plans = tuple(codes[1:] if codes[0] == ORDER else codes for codes in draw.given)
    now = drawn_to(draw._replace(drawn=0, standing=plans, private_notes=((),) * PLAYERS), STACK_SIZE)._replace(
        standing=draw.standing
    )
    done = {(act.seat, act.suit, act.aces) for act in now.declaration.acts}
    return _with_late_notice(now, (act.seat for act in _answered(draw) if act[:3] not in done))


def _answered(draw: DrawState) -> list[AceAct]:
    """Return the acts of the answers in this window."""
    manual = ((seat, codes[0]) for seat, codes in enumerate(draw.given) if codes and codes[0] != ORDER)
    return [act for seat, code in manual if (act := declarations.act_of(code, seat, draw.declaration))]


def _by_orders(draw: DrawState) -> tuple[AceAct, ...]:
    codes = {seat: standing for seat, standing in enumerate(draw.standing) if standing}
    return tuple(declarations.sealed_order(draw.stack, draw.declaration, codes, draw.drawn, options=draw.rules.options))


def _when(draw: DrawState, act: AceAct) -> tuple[int, bool, int]:
    """Return a sort key of an act: its first possible moment, protection first, turn order.

    The moment is at least that of the valid act.
    """
    last, first = draw.declaration.last, possible_from(draw.stack, act, draw.drawn)
    return max(first, last.drawn - 1) if last else first, not act.protect, (act.seat - draw.stack.starter) % PLAYERS


def _with_late_notice(draw: D, late: Iterable[int]) -> D:
    """Return the draw with these seats notified of an unsuccessful answer."""
    for seat in late:
        draw = draw._replace(private_notes=replaced(draw.private_notes, seat, (TOO_LATE,)))
    return draw


def replaced(by_seat: tuple[Any, ...], seat: int, new: Any) -> tuple[Any, ...]:
    """Return a tuple by seat with the value of one seat replaced."""
    return (*by_seat[:seat], new, *by_seat[seat + 1 :])


Fact = tuple[str, Any]


def facts_of_draw(draw: DrawState) -> Iterator[Fact]:
    """Yield the public facts of a draw in progress."""
    yield "starter", Seat(draw.stack.starter)
    yield from _redealt(draw)
    yield from _shown(draw)


def _redealt(draw: DrawState) -> Iterator[Fact]:
    for seen in draw.redealt:
        yield ("redealt", seen) if seen else ("unseen", None)


def _shown(draw: DrawState) -> Iterator[Fact]:
    declaration = draw.declaration
    if declaration.forced and declaration.last:
        yield "forced_late" if declaration.late else "forced", Seat(declaration.last.seat)
    elif declaration.acts:
        yield "shown", tuple(map(_each, declaration.acts))


def _each(act: ShownAces) -> Of:
    return Of(Seat(act.seat), (ace(act.suit),) * act.aces)


def sides_of(draw: DrawState, revealed: int | None = None) -> Sides:
    """Return the sides after picking up the last cards."""
    last = draw.declaration.last
    assert last
    holders = [seat for seat in range(PLAYERS) if ace(last.suit) in draw.stack.whole(seat)]
    partner = next((seat for seat in holders if seat != last.seat), None)
    both = revealed is not None or last.aces == MAX_SHOWN_ACES
    return Sides(last.seat, last.suit, partner, both, both)


def begun(draw: DrawState, revealed: int | None = None) -> BigAGame:
    """Return the hand before its first lead.

    revealed: the seat that showed the other Big Ace (2.17).
    """
    sides = sides_of(draw, revealed)
    twin, rules = ace(sides.suit), draw.rules.in_force(sides.suit)
    hands = tuple(rules.sort(draw.stack.whole(seat)) for seat in range(PLAYERS))
    shown = {(act.seat, ace(act.suit)): act.aces for act in draw.declaration.acts}  # the last act shows most
    known = [pair for pair, count in shown.items() for _ in range(count)]
    known += [(revealed, twin)] if revealed is not None else []
    lead = sides.declarer if sides.known_partner is None else sides.known_partner
    facts = [("starter", Seat(draw.stack.starter)), *_redealt(draw), *_shown(draw)]
    if revealed is not None:
        facts.append(("revealed", (Of(Seat(revealed), (twin,)),)))
    return BigAGame(rules, sides, tuple(facts), hands, lead, known=tuple(known), private_notes=draw.private_notes)
