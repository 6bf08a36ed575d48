"""Short ways to say where a hand of The Big and the Little A stands, and what is done there.

Cards are written as one says them: "5" to "13" are numbers, "J" is a joker, "a" and "A" are the A cards; "-" is a pass,
"as 7" is what jokers alone stand for. Uses the public interface of the game.
"""

from functools import reduce
from random import Random
from typing import Any

import pytest

from bot.games import GAMES
from bot.rules.big_little_a import BigLittleA
from bot.rules.big_little_a.play import BigLittleAGame
from bot.rules.big_little_a.score import Pile
from bot.rules.big_little_a.state import ACardHolder, ACardState
from bot.rules.core.asks import Action, Name, NameAsk, Pass, Play, PlayAsk, Ready
from bot.rules.core.cards import Card, Cards, card, cards
from bot.rules.core.game import Result
from bot.rules.core.sentences import Illegal
from bot.rules.core.trick import Combo
from bot.rules.matches.match import Match

EXACT = {"J": "JK", "a": "LA", "A": "BA"}
SAID = {exact: said for said, exact in EXACT.items()}
LITTLE_A, BIG_A = card("LA"), card("BA")
LATER = 5  # a round in which both A cards have been given out, and neither is barred
TAKEN = {"a": 1, "A": 2}  # in which round


def rules(preset: str = "standard", **options: Any) -> BigLittleA:
    """Return The Big and the Little A under a preset with some options changed."""
    found = GAMES["big_little_a"].rules(preset, **options)
    assert isinstance(found, BigLittleA)
    return found


def asking(preset: str = "standard", **options: Any) -> BigLittleA:
    """Return The Big and the Little A without automatic passes."""
    return rules(preset, **{"auto_pass": "off", **options})


# Cards


def held(text: str) -> Cards:
    """Return the cards that are said, "5 5 J a"."""
    return cards(" ".join(EXACT.get(each, f"{each}n") for each in text.split()))


def said(some: Cards) -> str:
    """Say these cards, the inverse of held."""
    return " ".join(SAID.get(str(each), str(each.rank)) for each in some)


def named(text: str, of: BigLittleA | None = None) -> Combo | None:
    """Return what these cards are."""
    return (of or rules()).classify(held(text))


def kind(text: str, of: BigLittleA | None = None) -> str | None:
    """Return the name of what these cards are."""
    combo = named(text, of)
    return combo.kind if combo else None


# A hand in play


def table(
    *hands: str,
    of: BigLittleA | None = None,
    turn: int = 0,
    number: int = LATER,
    taken: dict[str, int] = TAKEN,
    pile: tuple[int, str] | None = None,
    unused: str = "",
    **options: Any,
) -> BigLittleAGame:
    """Return a hand in play, in a round of this number that has yet to be led: each seat's cards, and whose lead it is.

    There are as many seats as hands. taken: in which round the A cards in hands were; pile: before whom the little-a
    trick lies; unused: cards that nobody was dealt.
    """
    game = of or rules(players=len(hands), **options)
    assert game.players == len(hands)
    sorted_hands = tuple(game.sort(held(each)) for each in hands)
    lying = (LITTLE_A, BIG_A)[min(number, 3) - 1 :]
    little, big = (_holder(sorted_hands, each, taken) for each in "aA")
    middle = ACardState(lying, little, big, Pile(pile[0], game.sort(held(pile[1]))) if pile else None)
    return BigLittleAGame(game, sorted_hands, held(unused), turn, turn, number, middle)


def _holder(hands: tuple[Cards, ...], name: str, taken: dict[str, int]) -> ACardHolder | None:
    """Return who holds an A card, since that round."""
    [each] = held(name)
    return next((ACardHolder(seat, taken[name]) for seat, hand in enumerate(hands) if each in hand), None)


def action(text: str) -> Action:
    """Return what a text says: "-", "as 7", or the cards that are played."""
    if text.startswith("as "):
        return Name(*held(text.removeprefix("as ")))
    return Pass() if text == "-" else Play(held(text))


def after(game: BigLittleAGame, *moves: str) -> BigLittleAGame:
    """Return the hand after these moves, each by the seat on turn."""
    return reduce(lambda now, text: now.act(now.turn, action(text)), moves, game)


def seat_by_seat(game: BigLittleAGame, *moves: tuple[int, str]) -> BigLittleAGame:
    """Return the hand after these moves, each by the seat that is said."""
    return reduce(lambda now, move: now.act(move[0], action(move[1])), moves, game)


def refusal(game: BigLittleAGame, tried: str | Action, seat: int | None = None) -> Illegal:
    """Return why this cannot be done."""
    with pytest.raises(Illegal) as caught:
        game.act(game.turn if seat is None else seat, action(tried) if isinstance(tried, str) else tried)
    assert "{" not in str(caught.value)
    return caught.value


def why_not(game: BigLittleAGame, tried: str, seat: int | None = None) -> str:
    """Return the article that forbids this."""
    return refusal(game, tried, seat).article


def allowed(game: BigLittleAGame, tried: str, seat: int | None = None) -> bool:
    """Tell whether a seat, by default the one on turn, may do this."""
    try:
        game.act(game.turn if seat is None else seat, action(tried))
    except Illegal:
        return False
    return True


def lying(top: str, hand: str = "", of: BigLittleA | None = None) -> BigLittleAGame:
    """Return the hand in which seat 1, holding these cards and a one, has to raise what seat 0 has led."""
    moves = [each.strip() for each in top.split(",")]  # "J J, as 7"
    return after(table(f"{moves[0]} 1", f"{hand} 1", "1 1", of=of or asking(players=3)), *moves)


def beats(tried: str, top: str, of: BigLittleA | None = None) -> bool:
    """Tell whether one play beats the other."""
    return allowed(lying(top, tried, of), tried)


def climbs(*ladder: str, of: BigLittleA | None = None) -> bool:
    """Tell whether of these plays, lowest first, each beats all before it and none after it, nor itself."""
    return all(
        beats(high, low, of) == (place < at) for at, high in enumerate(ladder) for place, low in enumerate(ladder)
    )


def not_on(tried: str, top: str, of: BigLittleA | None = None) -> str:
    """Return the article that forbids to put the one on the other."""
    return why_not(lying(top, tried, of), tried)


# What can be seen of it


def winners(game: BigLittleAGame) -> list[int]:
    """Return the winner of each round so far."""
    return [trick.owner for trick in game.tricks if trick.owner is not None]


def counts(game: BigLittleAGame) -> list[int]:
    """Return how many cards each seat holds."""
    return list(game.view(None).counts)


def hand_of(game: BigLittleAGame, seat: int) -> str:
    """Say the cards that a seat holds."""
    return said(game.view(seat).hand)


def fact(game: BigLittleAGame, name: str) -> Any:
    """Return a public fact of a hand, None if unknown."""
    return dict(game.view(None).facts).get(name)


def pile(game: BigLittleAGame) -> tuple[int, str] | None:
    """Return before whom the little-a trick lies, and its cards."""
    lies = fact(game, "pile")
    return (int(lies[0].seat), said(lies[0].amount)) if lies else None


def asked(game: BigLittleAGame) -> PlayAsk:
    """Return how the seat on turn is asked to play."""
    ask = game.view(game.turn).ask
    assert isinstance(ask, PlayAsk)
    return ask


def can_name(game: BigLittleAGame) -> str:
    """Return the possible names of the awaited seat's jokers, empty without a question."""
    ask = game.view(game.turn).ask
    return said(ask.cards) if isinstance(ask, NameAsk) else ""


def offers(game: BigLittleAGame) -> list[str]:
    """Return the offered plays of the awaited seat, weakest first, with "-" for a legal pass."""
    view = game.view(game.turn)
    passes = isinstance(view.ask, PlayAsk) and view.ask.may_pass
    return [said(combo.cards) for combo in view.plays] + ["-"] * passes


# How it ends


def result(game: BigLittleAGame) -> Result:
    """Return how the hand ended."""
    assert game.result is not None
    return game.result


def ended(*left: str, of: BigLittleA | None = None, **position: Any) -> BigLittleAGame:
    """Return a hand that is over: seat 0 has played its last card, a joker, and these are left in the other hands."""
    game = after(table("J", *left, of=of, **position), "J")
    while game.result is None:
        game = after(game, "-")
    return game


def points(*left: str, **position: Any) -> list[int]:
    """Return the points of each seat in such a hand."""
    return list(result(ended(*left, **position)).points)


def scored(*points: int) -> Result:
    """Return the result of a hand with these points, of irrelevant cards."""
    order = sorted(range(len(points)), key=points.__getitem__)
    return Result(tuple(order), ((),) * len(points), points)


def between(of: BigLittleA, *hands: tuple[int, ...], starter: int = 0) -> Match:
    """Return the match after hands with these points, in the last of which this seat led first."""
    results = tuple(scored(*each) for each in hands)
    last = table(*["5"] * of.players, of=of, turn=starter)._replace(result=results[-1])
    return Match(of, seed="seed", game=last, results=results)


def next_hand(match: Match) -> BigLittleAGame:
    """Return the hand that is dealt once every player is ready."""
    dealt = reduce(lambda now, seat: now.act(seat, Ready()), range(match.rules.players), match).game
    assert isinstance(dealt, BigLittleAGame)
    return dealt


def deal(seed: str, of: BigLittleA | None = None, dealer: int = 0) -> BigLittleAGame:
    """Return a hand as it is dealt."""
    return (of or rules()).deal(Random(seed), dealer)


def of_kind(text: str) -> Card:
    """Return the one card that is said."""
    [each] = held(text)
    return each
