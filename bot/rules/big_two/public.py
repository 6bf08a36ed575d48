"""6.9. The public facts of a hand, besides the cards on the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from bot.rules.big_two.dealt import first_facts
from bot.rules.big_two.state import BigTwoState
from bot.rules.core.sentences import Of, Seat
from bot.rules.core.trick import Move

Fact = tuple[str, Any]


def facts_of(game: BigTwoState) -> tuple[Fact, ...]:
    """Return the public facts in display order."""
    return (*first_facts(game.dealt), *_of_the_deal(game), *_of_the_play(game))


def _of_the_deal(game: BigTwoState) -> Iterator[Fact]:
    o, dealt, progress = game.rules.options, game.dealt, game.progress
    if dealt.draws:
        yield "draws", dealt.draws
    if o.direction == "alternate":
        yield "anticlockwise" if dealt.step == 1 else "clockwise", None
    if dealt.extra and o.extra_card == "face_up":
        yield "extra", dealt.extra
    for name, seat in (("giving", progress.giving), ("taker", progress.taker), ("lead", dealt.lead)):
        if seat is not None:
            yield name, Seat(seat)
    if progress.low and game.stock:
        yield "low", progress.low
    if dealt.chips:
        yield "chips", _each(enumerate(dealt.chips))


def _of_the_play(game: BigTwoState) -> Iterator[Fact]:
    o, progress = game.rules.options, game.progress
    if o.bands_for != "all" and (game.tricks or game.trick.moves):
        yield "starter", Seat(progress.starter)
    if o.draw_on_pass != "none":
        yield "stock", len(game.stock)
    if progress.reshuffles:
        yield "reshuffles", progress.reshuffles
    counts = enumerate(map(len, game.hands))
    if o.announce_at and (few := [(seat, count) for seat, count in counts if count in o.announce_at]):
        yield "announced", _each(few)
    if progress.specials:
        yield "specials", tuple(Move(seat, combo) for seat, combo in progress.specials)
    if progress.out and o.end == "play_on":
        yield "out", tuple(map(Seat, progress.out))


def _each(numbers: Iterable[tuple[int, int]]) -> tuple[Of, ...]:
    return tuple(Of(Seat(seat), number) for seat, number in numbers)
