"""2.16-2.20. From the draw to the first lead, and the public facts of the draw."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bot.rules.big_a.draw import MAX_SHOWN_ACES, ShownAces, ace
from bot.rules.big_a.drawn import DrawState
from bot.rules.big_a.options import PLAYERS
from bot.rules.big_a.play import BigAGame
from bot.rules.big_a.sides import Sides
from bot.rules.core.sentences import Of, Seat

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
    """Return the hand before its first lead. revealed: the seat that showed the other Big Ace (2.17)."""
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
