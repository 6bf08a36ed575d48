"""Short ways to say where a hand of Big Two stands and what is tried there.

In the notation of cards, through the public interface of the game. A "-" is a pass.
"""

from functools import reduce
from typing import Any

import pytest

from bot.games import GAMES
from bot.rules.big_two import BigTwo, Options
from bot.rules.big_two.play import BigTwoGame
from bot.rules.big_two.rules import step
from bot.rules.big_two.state import Dealt, HandProgress
from bot.rules.core.asks import Action, Pass, Play
from bot.rules.core.cards import card, cards
from bot.rules.core.game import Result
from bot.rules.core.sentences import Illegal
from bot.rules.core.trick import Combo
from bot.rules.matches.match import Match

FILLER = "3c 8s"  # keeps a seat from going out


def rules(preset: str = "pagat", **options: Any) -> BigTwo:
    """Return Big Two under a preset with some options changed."""
    found = GAMES["big_two"].rules(preset, **options)
    assert isinstance(found, BigTwo)
    return found


def table(  # a position has many sides
    *held: str,
    turn: int = 0,
    must: str | None = None,
    stock: str = "",
    number: int = 1,
    of: BigTwo | None = None,
    chips: tuple[int, ...] = (),
    **options: Any,
) -> BigTwoGame:
    """Return a hand in progress: each seat's cards, whose lead it is, and the options that differ."""
    game = of or BigTwo(Options(**options))
    hands = tuple(game.sort(cards(each)) for each in held)
    dealt = Dealt(0, step(game.options, number), card("Ad") if game.options.deck == "cards52" else None, (), chips)
    return BigTwoGame(game, dealt, hands, turn, card(must) if must else None, HandProgress(turn), cards(stock))


def action(text: str) -> Action:
    """Return a play, or with "-" a pass."""
    return Pass() if text == "-" else Play(cards(text))


def after(game: BigTwoGame, *moves: str) -> BigTwoGame:
    """Return the game after these moves, each by the seat on turn."""
    return reduce(lambda now, text: now.act(now.turn, action(text)), moves, game)


def refusal(game: BigTwoGame, text: str, seat: int | None = None) -> Illegal:
    """Return why this cannot be done."""
    with pytest.raises(Illegal) as caught:
        game.act(game.turn if seat is None else seat, action(text))
    return caught.value


def lying(top: str, hand: str, of: BigTwo | None = None) -> BigTwoGame:
    """Return the game in which the next seat, holding these cards and more, has to beat what lies there."""
    here = of or BigTwo()
    filler = FILLER if here.options.deck == "cards52" else "3c 9s"
    held = [f"{filler} 9h"] * here.players
    turn = step(here.options, 1) % here.players
    held[0], held[turn] = f"{top} {filler}", f"{hand} {filler}"
    return after(table(*held, of=here), top)


def beats(tried: str, top: str, of: BigTwo | None = None) -> bool:
    """Tell whether the game accepts one play on another."""
    game = lying(top, tried, of)
    try:
        after(game, tried)
    except Illegal:
        return False
    return True


def climbs(*ladder: str, of: BigTwo | None = None) -> bool:
    """Tell whether of these plays, lowest first, each beats all before it and none after it."""
    return all(
        beats(high, low, of) == (place < at) for at, high in enumerate(ladder) for place, low in enumerate(ladder)
    )


def named(text: str, of: BigTwo | None = None) -> Combo | None:
    """Return what these cards are."""
    return (of or BigTwo()).classify(cards(text))


def kind(text: str, of: BigTwo | None = None) -> str | None:
    """Return the name of what these cards are."""
    combo = named(text, of)
    return combo.kind if combo else None


def result(game: BigTwoGame) -> Result:
    """Return how the hand ended."""
    assert game.result is not None
    return game.result


def won(of: BigTwo, *left: str, last: str = "As") -> BigTwoGame:
    """Return a hand that is over: the seat without cards led its last one, the others hold the given cards."""
    winner = left.index("")
    return after(table(*(held or last for held in left), turn=winner, of=of), last)


def finished(of: BigTwo, *left: str, last: str = "As") -> Result:
    """Return how such a hand ended."""
    return result(won(of, *left, last=last))


def between(of: BigTwo, *hands: BigTwoGame) -> Match:
    """Return the match after these finished hands."""
    return Match(of, seed="seed", game=hands[-1], results=tuple(map(result, hands)))


def nets(ended: Result) -> tuple[int, ...]:
    """Return each seat's income minus its payments."""
    kept = [0 for _ in ended.left]
    for payer, payee, amount in ended.payments:
        kept[payer] -= amount
        kept[payee] += amount
    return tuple(kept)
