"""The Big and the Little A for house players: roll-outs, positions, and its strategy.

Roll-outs use the weights of plain players. The stay chance of a set is found once for all imagined hands. A player
looks at its own hand, the number of cards of the others and open cards.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cached_property
from math import exp, prod
from typing import Final, NamedTuple, TypeAlias

from bot.ai.engine.reading import MOST_PLAYS
from bot.ai.engine.rollout import Rollout
from bot.ai.engine.search import ordered
from bot.ai.engine.strategy import PlainPolicy, Strategy
from bot.ai.games.big_little_a_hand import JOKERS, BigLittleAHand, in_a_round
from bot.ai.games.big_little_a_reading import BigLittleAReading
from bot.ai.games.big_little_a_worth import BIG, LITTLE, TASTE, TOP, Rivals, Worth
from bot.rules.big_little_a.groups import HIGHEST
from bot.rules.big_little_a.play import BigLittleAGame
from bot.rules.core.asks import Action, Play, PlayAsk
from bot.rules.core.game import View

MAX_HAND_CARDS = 40  # cards in a hand
ANY = 13  # and of one power

Part: TypeAlias = tuple[int, int]  # so many cards of one power


class SetTables(NamedTuple):
    """What was found once for all worlds.

    stay_chance: for each size, strength and number of seats from 0 to 1 how likely a set is to stay on top. turns: what
    so many cards of each power cost to be laid down, in points. shares: of its points that a card will cost, by the
    fewest cards that another holds. early: what it is worth to lead a set now, by size and power.
    """

    stay_chance: Sequence[Sequence[Sequence[float]]]
    turns: Sequence[Sequence[float]]
    shares: Sequence[float]
    early: Sequence[Sequence[float]]


def tables(view: View) -> SetTables:
    """Return the estimates for sets, by the cards that a seat sees."""
    rivals = Rivals(view, TASTE.share, TASTE.jokers)
    others = tuple(rivals.seats)
    worth = Worth(
        view.rules.options, lambda size, power: rivals.unbeaten(size, power, others), 0.0, TASTE, grip=False, feared=0
    )
    stays = [[rivals.unbeaten(size, strength, others) for strength in range(HIGHEST + 1)] for size in range(ANY)]
    shares = [TASTE.left + (1 - TASTE.left) * exp(-max(0, fewest - 1) / TASTE.fade) for fewest in range(MAX_HAND_CARDS)]
    return SetTables(
        [[[one ** (seats / len(others)) for seats in range(len(others) + 1)] for one in row] for row in stays],
        [[TASTE.tempo * worth.turns(power, count) for count in range(ANY)] for power in range(JOKERS + 1)],
        shares,
        [[_early(size, power) for power in range(JOKERS + 1)] for size in range(ANY)],
    )


def _early(size: int, power: int) -> float:
    """Return the bonus for leading a set that can hardly follow later: low, and of many cards."""
    return TASTE.early * (1 - TASTE.rare ** (size - 1) * power / HIGHEST)


class BigLittleAPlayer:
    """How every seat plays an imagined hand. known: what is the same in all imagined hands."""

    def __init__(self, known: SetTables) -> None:
        self._known = known

    def copy(self) -> BigLittleAPlayer:
        """Return the player itself, which has no plan."""
        return self

    def played(self, here: BigLittleAHand, code: Part) -> None:
        """Do nothing: there is no plan."""

    replan = played

    def chosen(self, here: BigLittleAHand) -> Part | None:
        """Return what the seat on turn plays, None to pass."""
        if here.led:
            return self._laid(here)
        return self._follow(here) if here.size else self._lead(here)

    # Normal rounds

    def _share(self, here: BigLittleAHand) -> float:
        """Return the share of its points that a card will cost in the end."""
        turn = here.turn
        return self._known.shares[min([size for seat, size in enumerate(here.sizes) if seat != turn])]

    def _lead(self, here: BigLittleAHand) -> Part:
        held, mean = here.hands[here.turn], 0
        for power in (LITTLE, BIG):
            if held[power]:
                if here.free(power):
                    return 1, power
                mean += 1
        stay_chance = self._known.stay_chance
        parts = [(held[power], power) for power in range(1, TOP + 1) if held[power]]
        parts += [(1, JOKERS)] * held[JOKERS]
        stands = [0.0] * mean + sorted([stay_chance[size][power][-1] for size, power in parts])
        if prod(stands[1:]) >= TASTE.sure and mean < 2:
            return max(parts, key=lambda part: stay_chance[part[0]][part[1]][-1])
        early, share, seats = self._known.early, self._share(here), len(here.hands) - 1
        worth = [(self._worth(here, part, share, seats) + early[part[0]][part[1]], part) for part in parts]
        return max(worth)[1]

    def _follow(self, here: BigLittleAHand) -> Part | None:
        held, size, least = here.hands[here.turn], here.size, here.strength
        parts = [(size, power) for power in range(least + 1, TOP + 1) if held[power] >= size]
        if size == 1 and held[JOKERS] and least < HIGHEST:
            parts.append((1, JOKERS))
        if not parts or size == here.sizes[here.turn]:
            return parts[0] if parts else None
        seats = len(here.hands) - 1 - (here.moves if here.once else 0)
        share = self._share(here)
        worth, part = max([(self._worth(here, part, share, seats), part) for part in parts])
        return part if worth >= 0 else None

    def _worth(self, here: BigLittleAHand, part: Part, share: float, seats: int) -> float:
        """Return the points that a play saves, and those of winning the round times its chance."""
        (size, power), held = part, here.hands[here.turn][part[1]]
        turns = self._known.turns[power]
        saved = turns[held] - turns[held - size] + share * size * here.prices[power]
        won = self._known.stay_chance[size][power][seats]
        if won < 0.02:  # hardly worth a look
            return saved
        taken = here.prices[LITTLE if here.lying > 1 else BIG] if here.lying else 0
        return saved + won * (self._next(here, power, share) - taken)

    def _next(self, here: BigLittleAHand, but: int, share: float) -> float:
        """Return what having the lead saves once a set of this power is gone."""
        held, prices, turns = here.hands[here.turn], here.prices, self._known.turns
        if held[LITTLE] or held[BIG]:
            return TASTE.rid * max(prices[LITTLE] if held[LITTLE] else 0, prices[BIG] if held[BIG] else 0)
        best = 0.0
        for power in range(1, TOP + 1):
            count = held[power]
            if count and power != but:
                best = max(best, turns[power][count] + share * count * prices[power])
        return TASTE.worth * best

    # A rounds

    def _laid(self, here: BigLittleAHand) -> Part | None:
        """Return the card below the top whose loss helps most, else the lowest card."""
        held, top, turns = here.hands[here.turn], here.strength, self._known.turns
        powers = [power for power in range(1, JOKERS + 1) if held[power]]
        if not powers:
            return None
        below = [power for power in powers if in_a_round(power) <= top]
        if not below:
            return 1, powers[0]
        share, prices = self._share(here), here.prices
        saved = [(turns[at][held[at]] - turns[at][held[at] - 1] + share * prices[at], at) for at in below]
        return 1, max(saved)[1]


class BigLittleAPosition:
    """A decision of a seat."""

    def __init__(self, view: View) -> None:
        self._view = view

    @cached_property
    def _player(self) -> BigLittleAPlayer:
        return BigLittleAPlayer(tables(self._view))

    def imagine(self, rng: random.Random) -> Rollout:
        """Return a whole hand that the seat can imagine."""
        game = self._view.rules.imagine(self._view, rng)
        assert isinstance(game, BigLittleAGame)
        return Rollout(BigLittleAHand.of(game), [self._player] * len(game.hands))

    def candidates(self, planned: Action) -> list[Action]:
        """Return the plays to try, the cheapest first; a name of jokers is not tried."""
        view = self._view
        if not isinstance(view.ask, PlayAsk):
            return [planned]
        plays = sorted(view.plays.first(MOST_PLAYS), key=BigLittleAReading.of(view).cost)
        return ordered(view, planned, [Play(combo.cards) for combo in plays])


STRATEGY: Final = Strategy(PlainPolicy(read=BigLittleAReading.of), position=BigLittleAPosition)
