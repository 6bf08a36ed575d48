"""Worlds of the games that are packed, and what a seat can do that is tried out in them.

Knows one View. Refuses to know how a world is played.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

from bot.house import a_bao_calling as calling
from bot.house import plain
from bot.house.worlds.codes import bits
from bot.house.worlds.minds import Judges
from bot.house.worlds.packed_games import PACKED
from bot.house.worlds.packed_tricks import PackedTricks
from bot.house.worlds.search import World
from bot.house.worlds.tricks import Playing
from bot.rules.actions import Action, Choose, Name, Play
from bot.rules.asks import ChooseAsk, NameAsk, PlayAsk
from bot.rules.game import View
from bot.rules.sentences import Illegal

CALLS: Final = 3  # that are tried


class Bidding:
    """A whole hand of Tàihé A Bāo that a seat can imagine, before it is played: all bid as plain ones do.

    What their hands are worth is looked up, as in the play.
    """

    def __init__(self, game: Any, judges: Judges) -> None:
        self._game, self._judges = game, judges
        answer = partial(calling.answer, reckons=self._reckons)
        name = partial(calling.name, reckons=self._reckons)
        give = partial(calling.give, reckons=self._reckons)
        self._minds = {"a_bao": plain.Mind(answer, name, give)}

    def _reckons(self, _: View) -> calling.Turns:
        codes, judge = self._judges.codes, self._judges.of_anybody
        return lambda cards: judge.plan(codes.hand(cards)).cost

    def outcome(self, action: Action, seat: int) -> float:
        """Return by how much a seat comes out better than the table where it does this now."""
        game = self._game.act(seat, action)
        while game.result is None:
            asked = min(game.awaited)
            view = game.view(asked)
            if isinstance(view.ask, PlayAsk):
                hand = PACKED[view.rules.game].tricks(game)
                Playing(hand, self._judges).to_the_end(hand)
                return ahead(hand.points(), seat)
            game = game.act(asked, plain.choose(view, minds=self._minds))
        return ahead(game.result.points, seat)


def ahead(points: Any, seat: int) -> float:
    """Return by how much a seat comes out better than the table."""
    return float(points[seat] - sum(points) / len(points))


def worlds(view: View) -> Callable[[random.Random], World]:
    """Return how worlds are made that a seat can imagine."""
    judges, rules = Judges(view), view.rules

    def world(rng: random.Random) -> World:
        game = rules.imagine(view, rng)
        in_play = isinstance(view.ask, PlayAsk)
        return Playing(PACKED[rules.game].tricks(game), judges) if in_play else Bidding(game, judges)

    return world


def bids(view: View) -> list[Action]:
    """Return what a seat can say in the bidding of Tàihé A Bāo, of calls those that help the hand most."""
    match view.ask:
        case ChooseAsk(answers=answers):
            return [Choose((answer.code,)) for answer in answers]
        case NameAsk() as ask:
            return [Name(card) for card in calling.wanted(view, ask)[:CALLS]]
    return []


def plays(view: View) -> list[Action]:
    """Return what a seat can play, what leaves the best hand first; nothing where it is asked for anything else.

    Of what is alike in all that matters there is one.
    """
    return [*_plays(view)] if isinstance(view.ask, PlayAsk) else []


def _plays(view: View) -> Iterator[Action]:
    seat = view.seat or 0
    hand: PackedTricks = PACKED[view.rules.game].tricks(view.rules.imagine(view, random.Random(0)))
    codes, judge = hand.codes, Judges(view).of(seat, hand.allies(seat))
    hand.turn = seat
    rests = {code: codes.left(hand.hands[seat], code) for code in bits(hand.legal())}
    cost = {code: judge.plan(rest).cost for code, rest in rests.items()}
    for code in sorted(cost, key=cost.__getitem__):
        try:
            yield Play(view.plays.verify(codes.cards(codes.takes[code], view.hand)).cards)
        except Illegal:
            continue  # by what a packed hand leaves out
