"""Short ways to say where a hand of Tiến Lên stands, and what is done there.

A move is what the seat on turn plays, "-" for a pass; "2: 5s 5h ..." is what seat 2 plays, in turn or not. Covers the
public interface of the game.
"""

from functools import reduce
from random import Random
from typing import Any

import pytest

from bot.games import GAMES
from bot.rules.core.asks import Pass, Play
from bot.rules.core.cards import cards, write
from bot.rules.core.game import Result
from bot.rules.core.sentences import Illegal
from bot.rules.core.trick import Combo, Move, Trick
from bot.rules.matches.match import Match
from bot.rules.tien_len import TienLen
from bot.rules.tien_len.play import TienLenGame

SMALL = ("3s", "3c", "3d", "3h")  # what each seat has played before
MANY = "4s 6c 8d Th Qs"  # cards that matter little


def rules(preset: str = "south", **options: Any) -> TienLen:
    """Return Tiến Lên under a preset with some options changed."""
    found = GAMES["tien_len"].rules(preset, **options)
    assert isinstance(found, TienLen)
    return found


def named(text: str, of: TienLen | None = None) -> Combo | None:
    """Return what these cards are."""
    return (of or rules()).classify(cards(text))


def kind(text: str, **options: Any) -> str | None:
    """Return the name of what these cards are."""
    combo = named(text, rules(**options))
    return combo.kind if combo else None


# A hand in play


def table(*hands: str, turn: int = 0, idle: tuple[int, ...] = (), **options: Any) -> TienLenGame:
    """Return a hand in play, as many seats as hands, whose lead it is. idle: who has not played a card."""
    game = rules(**{"players": len(hands)} | options)
    moves = [Move(seat, named(SMALL[seat])) for seat in range(game.players) if seat not in idle]
    tricks = (Trick(tuple(moves)),) if moves else ()
    return TienLenGame(game, tuple(game.sort(cards(each)) for each in hands), (), turn, turn, tricks=tricks)


def begun(*hands: str, first: bool = True, **options: Any) -> TienLenGame:
    """Return a hand as it begins with these cards: the first of a match, or one that seat 0 leads."""
    game = rules(**{"players": len(hands)} | options)
    return game.begun(tuple(game.sort(cards(each)) for each in hands), (), 0, first=first)


def moved(game: TienLenGame, text: str) -> TienLenGame:
    """Return the hand after a move."""
    seat, _, played = text.rpartition(":")
    after_it = game.act(int(seat or game.turn), Pass() if played.strip() == "-" else Play(cards(played)))
    assert isinstance(after_it, TienLenGame)
    return after_it


def after(game: TienLenGame, *moves: str) -> TienLenGame:
    """Return the hand after these moves."""
    return reduce(moved, moves, game)


def refusal(game: TienLenGame, text: str) -> Illegal:
    """Return why a move is not allowed."""
    with pytest.raises(Illegal) as caught:
        moved(game, text)
    assert "{" not in str(caught.value)
    return caught.value


def why_not(game: TienLenGame, text: str) -> str:
    """Return the article that forbids a move."""
    return refusal(game, text).article


def lying(top: str, hand: str = "", **options: Any) -> TienLenGame:
    """Return the game in which seat 1, with these cards and one more, faces seat 0's lead."""
    odd = next(each for each in ("3c", "3d", "3h") if each not in f"{top} {hand}")
    return after(table(f"{top} 3s", f"{hand} {odd}", MANY, "Kc Kd", **options), top)


def beats(tried: str, top: str, **options: Any) -> bool:
    """Tell whether one play beats the other."""
    try:
        after(lying(top, tried, **options), tried)
    except Illegal:
        return False
    return True


def not_on(tried: str, top: str, **options: Any) -> str:
    """Return the article that forbids to put the one on the other."""
    return why_not(lying(top, tried, **options), tried)


def not_led(tried: str, **options: Any) -> str:
    """Return the article that forbids to lead this."""
    return why_not(table(f"{tried} 3s", MANY, "Kc Kd", **options), tried)


def up(ranks: str, count: int = 2, suits: str = "scdh") -> str:
    """Return a number of cards of each rank."""
    return " ".join(f"{rank}{suit}" for rank in ranks for suit in suits[:count])


# How it ends


def result(game: TienLenGame) -> Result:
    """Return how the hand ended."""
    assert game.result is not None
    return game.result


def points(game: TienLenGame) -> list[int]:
    """Return the points of each seat."""
    return list(result(game).points)


def said(game: TienLenGame) -> list[str]:
    """Return the articles of what is told at the end, in order."""
    return [note.article for note in result(game).notes]


def fact(game: TienLenGame, name: str) -> Any:
    """Return a public fact of a hand, None if unknown."""
    return dict(game.view(None).facts).get(name)


def next_hand(game: TienLenGame) -> TienLenGame:
    """Return the hand after this one."""
    after_it = Match(game.rules, seed="seed", game=game, results=(result(game),)).next_hand().game
    assert isinstance(after_it, TienLenGame)
    return after_it


def dealt(seed: str, **options: Any) -> TienLenGame:
    """Return the first hand of a match as it is dealt."""
    return rules(**options).deal(Random(seed), 0)


def held(game: TienLenGame) -> list[str]:
    """Return the cards of each seat."""
    return [write(each) for each in game.hands]
