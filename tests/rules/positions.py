"""Short ways to say where a hand of Big Two stands and what is tried there.

Knows the notation of cards and the public interface of the game. A "-" is a pass.
"""

from functools import reduce
from typing import Any

import pytest

from bot.rules.big_two import BigTwo, Options
from bot.rules.big_two.play import BigTwoGame
from bot.rules.cards import card, cards
from bot.rules.game import Action, Combo, Illegal, Pass, Play, Result

FILLER = "3c 8s"  # keeps a seat from going out


def table(
    *held: str, turn: int = 0, dealer: int = 0, cut: str = "Ad", must: str | None = None, **options: Any
) -> BigTwoGame:
    """Return a hand in progress: each seat's cards, whose lead it is, and the options that differ."""
    rules = BigTwo(Options(**options))
    hands = tuple(rules.sort(cards(each)) for each in held)
    return BigTwoGame(rules, hands, turn, 0, card("Ad"), card(must) if must else None)


def action(text: str) -> Action:
    """Return a play, or with "-" a pass."""
    return Pass() if text == "-" else Play(cards(text))


def after(game: BigTwoGame, *moves: str) -> BigTwoGame:
    """Return the game after these moves, each by the seat whose turn it is."""
    return reduce(lambda now, text: now.act(now.turn, action(text)), moves, game)


def refusal(game: BigTwoGame, text: str, seat: int | None = None) -> Illegal:
    """Return why this cannot be done."""
    with pytest.raises(Illegal) as caught:
        game.act(game.turn if seat is None else seat, action(text))
    return caught.value


def lying(top: str, hand: str) -> BigTwoGame:
    """Return the game in which seat 1, holding these cards and more, has to beat what lies there."""
    return after(table(f"{top} {FILLER}", f"{hand} {FILLER}", FILLER, FILLER), top)


def beats(tried: str, top: str) -> bool:
    """Tell whether the one may be put on the other, as the game itself decides."""
    game = lying(top, tried)
    try:
        after(game, tried)
    except Illegal:
        return False
    return True


def climbs(*ladder: str) -> bool:
    """Tell whether of these plays, lowest first, each beats all before it and none after it."""
    return all(beats(high, low) == (place < at) for at, high in enumerate(ladder) for place, low in enumerate(ladder))


def named(text: str) -> Combo | None:
    """Return what these cards are in the standard game."""
    return BigTwo().classify(cards(text))


def kind(text: str) -> str | None:
    """Return the name of what these cards are."""
    combo = named(text)
    return combo.kind if combo else None


def result(game: BigTwoGame) -> Result:
    """Return how the hand ended."""
    assert game.result is not None
    return game.result


def nets(ended: Result) -> tuple[int, ...]:
    """Return what each seat receives, less what it pays."""
    kept = [0 for _ in ended.left]
    for payer, payee, amount in ended.payments:
        kept[payer] -= amount
        kept[payee] += amount
    return tuple(kept)
