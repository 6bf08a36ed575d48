"""1-3, 5 and 7: Big Two as a whole, under one set of options.

Knows the deal, what an onlooker may infer, and how hands make a match.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from bot.rules.big_two.groups import NAMES, Groups, groups
from bot.rules.big_two.options import Options
from bot.rules.big_two.play import PLAYERS, BigTwoGame, BigTwoPlays
from bot.rules.big_two.score import Breach, breach
from bot.rules.cards import Card, Cards, card, pack, shuffled
from bot.rules.game import Combo, Result, View

VALUES = "A23456789TJQK"  # 5.5: what a shown card counts, from 1
START = card("3d")  # 6.1
FACTS = {"dealer": "{value} dealt this hand.", "cut": "The cut showed {value}."}


def first_seat(dealer: int, cut: Card, players: int = PLAYERS) -> int:
    """Return the seat that gets the first card: count from the dealer up to the shown rank (5.5)."""
    return (dealer + VALUES.index(cut.rank)) % players


@dataclass(frozen=True, slots=True)
class BigTwo:
    """Big Two under these options."""

    options: Options = field(default_factory=Options)

    game: ClassVar[str] = "big_two"
    end_article: ClassVar[str] = "6.10"
    players: ClassVar[int] = PLAYERS
    names: ClassVar[Mapping[str, str]] = NAMES
    facts: ClassVar[Mapping[str, str]] = FACTS

    @property
    def groups(self) -> Groups:
        """The combinations these options allow."""
        return groups()

    # 5. The deal

    def deal(self, rng: random.Random, dealer: int) -> BigTwoGame:
        """Shuffle, cut, and deal one card at a time; whoever holds the three of diamonds starts (5.3-5.7, 6.1)."""
        order = shuffled(pack(), rng)
        cut = order[rng.randrange(len(order))]
        first = first_seat(dealer, cut)
        hands = tuple(
            self.sort(tuple(order[(seat - first) % self.players :: self.players])) for seat in range(self.players)
        )
        return self.resume(hands, dealer, cut)

    def resume(self, hands: tuple[Cards, ...], dealer: int, cut: Card) -> BigTwoGame:
        """Return the hand that begins with these cards, each seat's in any order."""
        turn = next(seat for seat, held in enumerate(hands) if START in held)
        return BigTwoGame(self, tuple(map(self.sort, hands)), turn, dealer, cut, START)

    # What may be known

    def imagine(self, view: View, rng: random.Random) -> BigTwoGame:
        """Return some whole game in which the view's seat could be: its ``view(seat)`` equals the view."""
        facts = dict(view.facts)
        turn = next(iter(view.to_act), view.result.order[0] if view.result else 0)
        hands = view.result.left if view.result else self._imagined_hands(view, turn, rng)
        return BigTwoGame(
            self, hands, turn, facts["dealer"], facts["cut"], view.must,
            view.trick, view.tricks, self._last_breach(view, hands), view.result,
        )  # fmt: skip

    def _imagined_hands(self, view: View, turn: int, rng: random.Random) -> tuple[Cards, ...]:
        """Spread the unseen cards over the others; a compulsory card is with whoever has to play it (6.1)."""
        seen = {held for trick in (*view.tricks, view.trick) for move in trick.moves if move.combo
                for held in move.combo.cards}  # fmt: skip
        known = {view.seat: view.hand} if view.seat is not None else {}
        promised: dict[int, Cards] = {turn: (view.must,)} if view.must and turn not in known else {}
        gone = seen.union(*known.values(), *promised.values())
        unseen = shuffled([held for held in pack() if held not in gone], rng)
        hands = []
        for seat, count in enumerate(view.counts):
            start = known.get(seat, promised.get(seat, ()))
            hands.append(self.sort((*start, *(unseen.pop() for _ in range(count - len(start))))))
        return tuple(hands)

    def _last_breach(self, view: View, hands: tuple[Cards, ...]) -> Breach | None:
        """Return the breach of the last step as it would be with these hands (8.1)."""
        trick = view.trick if view.trick.moves else next(iter(view.tricks[-1:]), view.trick)
        if not trick.moves or view.result:
            return None
        *before, last = trick.moves
        if len(hands[(last.seat + 1) % self.players]) != 1:
            return None
        top = next((move.combo for move in reversed(before) if move.combo), None)
        held = self.sort((*hands[last.seat], *(last.combo.cards if last.combo else ())))
        return breach(self.groups, last.seat, held, top, last.combo)

    def plays(self, view: View) -> BigTwoPlays:
        """Return the legal plays of the view's seat; none where it is not asked."""
        return BigTwoPlays(self.groups, view.hand if view.ask else (), view.trick.top, view.must)

    def classify(self, played: Cards) -> Combo | None:
        """Return the combination these cards make, or None."""
        return self.groups.classify(played)

    def sort(self, held: Cards, *, by_suit: bool = False) -> Cards:
        """Return the cards weakest first, or suit by suit (5.8)."""
        by_power = self.groups.sort(held)
        return tuple(sorted(by_power, key=lambda each: "dchs".index(each.suit))) if by_suit else by_power

    # 7. The match

    @property
    def hands(self) -> int | None:
        """How many hands the match has, or None where a score ends it."""
        return self.options.deals if self.options.match_end == "deals" else None

    @property
    def target(self) -> int | None:
        """The score that ends the match, or None where a number of hands does."""
        return self.options.target if self.options.match_end == "target" else None

    def first_dealer(self, rng: random.Random) -> int:
        """Return who deals the first hand: anybody may (5.2)."""
        return rng.randrange(self.players)

    def next_dealer(self, dealer: int, result: Result) -> int:  # noqa: ARG002  # the standard game asks only who won
        """Return who deals after this hand: its winner (5.2)."""
        return result.order[0]

    def is_over(self, results: tuple[Result, ...]) -> bool:
        """Tell whether the match ends with the last of these hands (7.3)."""
        if self.target is None:
            return len(results) >= self.options.deals
        totals = map(sum, zip(*(result.points for result in results), strict=True))
        return bool(results) and max(totals) >= self.target

    def ranking(self, totals: tuple[int, ...]) -> tuple[int, ...]:
        """Return a number for each seat, the lowest being the best: its penalty points (3.1, 7.3)."""
        return totals
