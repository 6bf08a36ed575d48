"""2. The beginning of a hand: dealt, or imagined to match a seat's view."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bot.rules.big_little_a.groups import DEAL, DEALT, in_order
from bot.rules.big_little_a.play import BigLittleAGame
from bot.rules.big_little_a.rules import BigLittleARules
from bot.rules.big_little_a.score import Pile
from bot.rules.big_little_a.state import ACardHolder, ACardState
from bot.rules.core.asks import NameAsk
from bot.rules.core.cards import Cards, shuffled
from bot.rules.core.game import Result, View
from bot.rules.core.imagination import fill_hands, known_hands, unseen_cards


class BigLittleA(BigLittleARules):
    """The complete rules of The Big and the Little A, with dealing and determinization."""

    def deal(self, rng: random.Random, dealer: int, past: tuple[Result, ...] = ()) -> BigLittleAGame:
        """Shuffle and deal; the seat after the dealer leads.

        If a random choice breaks ties, a random seat among the tied ones leads (O4.2).
        """
        order, (size, _) = tuple(shuffled(DEALT, rng)), DEAL[self.players]
        hands = tuple(in_order(order[seat * size : (seat + 1) * size]) for seat in range(self.players))
        starter = (dealer + 1) % self.players
        if past and self.options.starter_tie == "random":
            tied = self.most(past)
            starter = tied[rng.randrange(len(tied))]
        return BigLittleAGame(self, hands, order[size * self.players :], starter, starter)

    def imagine(self, view: View, rng: random.Random) -> BigLittleAGame:
        """Return a random game consistent with the view: its ``view(seat)`` equals the view."""
        return imagine(replace(self, a_round=False), view, rng)


Facts = Mapping[str, Any]


def imagine(rules: BigLittleARules, view: View, rng: random.Random) -> BigLittleAGame:
    """Return a random hand consistent with the view: its ``view(seat)`` equals the view."""
    facts = dict(view.facts)
    middle = _middle(facts)
    hands, unused = _spread(view, middle, rng)
    naming = view.ask.about if isinstance(view.ask, NameAsk) else ()
    turn = next(iter(view.awaited), view.tricks[-1].owner if view.tricks else 0) or 0
    return BigLittleAGame(
        rules,
        hands,
        unused,
        int(facts["starter"]),
        turn,
        facts["round"],
        middle,
        view.trick,
        view.tricks,
        naming,
        view.result,
    )


def _middle(facts: Facts) -> ACardState:
    little, big = (_held(facts, name) for name in ("little", "big"))
    known = tuple((int(holding.seat), card) for holding in facts.get("held", ()) for card in holding.amount)
    pile = next((Pile(int(lying.seat), lying.amount) for lying in facts.get("pile", ())), None)
    return ACardState(facts.get("middle", ()), little, big, pile, known)


def _held(facts: Facts, name: str) -> ACardHolder | None:
    return ACardHolder(int(facts[name]), facts[f"{name}_since"]) if name in facts else None


def _spread(view: View, middle: ACardState, rng: random.Random) -> tuple[tuple[Cards, ...], Cards]:
    """Deal the unseen cards to the other hands; return the hands and the undealt cards."""
    pool = shuffled(list((unseen_cards(view) - Counter(middle.lying)).elements()), rng)
    hands = fill_hands(known_hands(view), view.counts, pool, in_order)
    return hands, tuple(pool)
