"""1-3. Stairs: singles and pairs of one pack, ten cards each; the first player without cards wins the hand."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, NamedTuple

from bot.domain.message_ids import N_
from bot.rules.core.asks import Action, PlayAsk
from bot.rules.core.cards import SUITS, Cards, pack, shuffled, without
from bot.rules.core.game import NO_SECRECY, LatePolicy, Result, Secrecy, View
from bot.rules.core.imagination import fill_hands, known_hands, unseen_cards
from bot.rules.core.legality import ClimbingRules, Combinations, LegalPlays
from bot.rules.core.patterns import CombinationRow, sets
from bot.rules.core.points import LENGTH_WISHES, MostPointsWin
from bot.rules.core.sentences import CombinationName, Illegal, Seat
from bot.rules.core.shapes import CombinationTable
from bot.rules.core.trick import EMPTY, Combo, Trick
from bot.rules.core.turns import Articles, Turns, lead_refusal, play_ask, play_or_pass, trick_view
from bot.rules.variants import option_sheet
from bot.rules.variants.registration import GameData, RegisteredGame

RANKS, EACH = "23456789TJQKA", 10
POWER = {held: RANKS.index(held.rank) * 4 + SUITS.index(held.suit) for held in pack()}
PACK: Cards = tuple(sorted(POWER, key=POWER.__getitem__))
WISHES = {"seats": lambda count, _: {"players": count}, **LENGTH_WISHES}
COMBINATIONS = {
    "single": CombinationName(N_("the {rank} of {suit}"), N_("singles")),
    "pair": CombinationName(N_("a pair of {rank}s"), N_("pairs"), N_("pair of {rank}s")),
}


@dataclass(frozen=True, slots=True)
class Options:
    """The choices; the defaults equal the first preset."""

    players: Literal[4, 3, 2] = 4
    match_end: Literal["open", "deals", "points"] = "open"
    deals: int = 5
    target: int = 20


class Groups(Combinations):
    """1.2, 1.3: the combinations, and their order."""

    def above(self, row: CombinationRow, top: Combo) -> int | None:
        return top.strength if row.key == (top.kind, len(top.cards)) else None

    def article(self, tried: Combo, top: Combo) -> str:
        return "2.1"

    def not_held(self, missing: Cards) -> Illegal:
        return Illegal("2.1", "You don't have {cards}.", cards=missing)

    def no_combination(self, tried: Cards) -> Illegal:
        return Illegal("1.2", "{cards} can't be played together.", cards=tried)

    def not_higher(self, tried: Combo, top: Combo) -> Illegal:
        return Illegal("2.1", "{tried} doesn't beat {top}, which is higher.", tried=tried, top=top)


ROWS = (
    CombinationRow(kind, 0, sets(range(13), size, scale=4), step=1) for size, kind in enumerate(("single", "pair"), 1)
)
GROUPS = Groups(
    CombinationTable(ROWS, POWER, {held: power // 4 for held, power in POWER.items()}, suits=SUITS, alike=False)
)


@dataclass(frozen=True)
class Stairs(ClimbingRules, MostPointsWin):
    """The game under these options: how its hands are dealt, imagined and called."""

    options: Options = field(default_factory=Options)
    groups: Groups = field(init=False, default=GROUPS, compare=False, repr=False)
    game: ClassVar[str] = "stairs"
    names: ClassVar[Mapping[str, CombinationName]] = COMBINATIONS
    facts: ClassVar[Mapping[str, str]] = {"starter": N_("{value} leads first.")}
    opening: ClassVar[frozenset[str]] = frozenset(("starter",))
    pack: ClassVar[Cards] = PACK
    late_policy: ClassVar[LatePolicy] = "least"
    end_article: ClassVar[str] = "2.2"
    open_pile: ClassVar[bool] = False
    counted: ClassVar[bool] = True

    def deal(self, rng: random.Random, dealer: int, past: tuple[Result, ...] = ()) -> StairsGame:
        order = tuple(shuffled(PACK, rng))
        hands = tuple(self.sort(order[seat * EACH : (seat + 1) * EACH]) for seat in range(self.players))
        return StairsGame(self, hands, order[self.players * EACH :], dealer, dealer)

    def next_dealer(self, dealer: int, past: tuple[Result, ...]) -> int:
        return past[-1].order[0]

    def imagine(self, view: View, rng: random.Random) -> StairsGame:
        pool = shuffled(list(unseen_cards(view).elements()), rng)
        hands, facts = fill_hands(known_hands(view), view.counts, pool, self.sort), dict(view.facts)
        turn, starter = next(iter(view.awaited), 0), int(facts["starter"])
        return StairsGame(self, hands, tuple(pool), starter, turn, view.trick, view.tricks, view.result)


class StairsGame(NamedTuple):
    """2. One hand in progress, a value; ``view`` and ``act`` are its interface."""

    rules: Stairs
    hands: tuple[Cards, ...]
    hidden_cards: Cards
    dealer: int
    turn: int
    trick: Trick = EMPTY
    tricks: tuple[Trick, ...] = ()
    result: Result | None = None
    secrecy: Secrecy = NO_SECRECY

    @property
    def awaited(self) -> frozenset[int]:
        return frozenset({self.turn}) if self.result is None else frozenset()

    @property
    def to_act(self) -> frozenset[int]:
        return self.awaited

    @property
    def turns(self) -> Turns:
        return Turns(self.rules.players, Articles("2.1", "2.1", "2.1"), holds="trick")

    def view(self, seat: int | None) -> View:
        return trick_view(self, seat, (("starter", Seat(self.dealer)),))

    def ask(self, seat: int) -> PlayAsk:
        return play_ask(self)

    def act(self, seat: int, action: Action) -> StairsGame:
        return play_or_pass(self, seat, action)

    def plays_of(self, seat: int) -> LegalPlays[Any]:
        return LegalPlays(self.rules.groups, self.hands[seat], self.trick.top)

    def why_no_pass(self, seat: int) -> Illegal | None:
        return lead_refusal(self)

    def passed(self, seat: int) -> StairsGame:
        return self._replace(trick=self.trick.passed(seat)).advance(seat)

    def played(self, seat: int, combo: Combo) -> StairsGame:
        hand = without(self.hands[seat], combo.cards)
        hands = (*self.hands[:seat], hand, *self.hands[seat + 1 :])
        now = self._replace(hands=hands, trick=self.trick.played(seat, combo))
        return now.advance(seat) if hand else now.ended(seat)

    def advance(self, seat: int) -> StairsGame:
        following = self.turns.following(self.trick, seat, self.hands)
        if following is not None:
            return self._replace(turn=following)
        assert self.trick.owner is not None
        return self._replace(trick=EMPTY, tricks=(*self.tricks, self.trick), turn=self.trick.owner)

    def ended(self, winner: int) -> StairsGame:
        """2.2, 3.1: the winner gets a point for each card that the others hold."""
        left = tuple(map(len, self.hands))
        points = tuple(sum(left) if seat == winner else -count for seat, count in enumerate(left))
        return self._replace(result=Result((winner,), self.hands, points))


def registered(data: GameData) -> RegisteredGame:
    """Return the game with its presets and option sheet."""
    return RegisteredGame(
        name="stairs",
        title=N_("Stairs"),
        line=N_("singles and pairs; 2 to 4 players, about 3 minutes a hand"),
        blurb=N_("Singles and pairs. Two to four players; about three minutes a hand."),
        art="3s",
        seats=(2, 3, 4),
        minutes=3,
        slow_days=2.0,
        combinations=COMBINATIONS,
        defaults=Options,
        make=Stairs,
        wishes=WISHES,
        presets=data.presets,
        sheet=option_sheet.parse_sheet("stairs", Options, data.options),
    )
