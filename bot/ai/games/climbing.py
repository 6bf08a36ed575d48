"""What a seat can do in a game that is packed, and the worlds in which it tries that out.

Knows one View. Refuses to know how a world is played.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from typing import Any, Final

from bot.ai import plain
from bot.ai.engine.codes import bits
from bot.ai.engine.hand import PackedTricks
from bot.ai.engine.rollout import Playing
from bot.ai.engine.search import World
from bot.ai.games import a_bao_bidding as calling
from bot.ai.games.judges import Judges
from bot.ai.games.packing import PACKED
from bot.rules.core.actions import Action, Choose, Name, Play
from bot.rules.core.asks import ChooseAsk, NameAsk, PlayAsk
from bot.rules.core.game import View
from bot.rules.core.sentences import Illegal

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


class Climbing:
    """What a seat sees that is to try things out, and what it can do."""

    def __init__(self, view: View) -> None:
        self._view = view

    @cached_property
    def _judges(self) -> Judges:
        """What all seats think, as this one sees it."""
        return Judges(self._view)

    def world(self, rng: random.Random) -> World:
        """Return some whole hand that the seat can imagine."""
        view = self._view
        game = view.rules.imagine(view, rng)
        if isinstance(view.ask, PlayAsk):
            return Playing(PACKED[view.rules.game].tricks(game), self._judges)
        return Bidding(game, self._judges)

    def bids(self) -> Sequence[Action]:
        """Return what can be said before the play, as far as that is tried out."""
        return ()

    def plays(self) -> Sequence[Action]:
        """Return what can be played, what leaves the best hand first; of what is alike in all that matters one."""
        return [*self._found()]

    def _found(self) -> Iterator[Action]:
        view, codes = self._view, self._judges.codes
        hand: PackedTricks = PACKED[view.rules.game].tricks(view.rules.imagine(view, random.Random(0)))
        mine, judge = hand.hands[hand.turn], self._judges.of(hand.turn, hand.allies(hand.turn))
        rests = ((code, codes.left(mine, code)) for code in bits(hand.legal()))
        cost = {code: judge.plan(rest).cost for code, rest in rests}
        for code in sorted(cost, key=cost.__getitem__):
            try:
                yield Play(view.plays.verify(codes.cards(codes.takes[code], view.hand)).cards)
            except Illegal:
                continue  # by what a packed hand leaves out


class ABaoClimbing(Climbing):
    """The same in Tàihé A Bāo, where bids are tried as well."""

    def bids(self) -> Sequence[Action]:
        """Return what can be said, of calls those that help the hand most."""
        match self._view.ask:
            case ChooseAsk(answers=answers):
                return [Choose((answer.code,)) for answer in answers]
            case NameAsk() as ask:
                return [Name(card) for card in calling.wanted(self._view, ask)[:CALLS]]
        return ()
