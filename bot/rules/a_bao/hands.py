"""2 and 3. The beginning of a hand: dealt, or imagined to match a seat's view."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from bot.rules.a_bao.bidding import BACK, FIRST, ABaoBidding, dealt
from bot.rules.a_bao.play import ABaoGame
from bot.rules.a_bao.rules import ABaoRules
from bot.rules.a_bao.state import Bid, Called, Known, Seen
from bot.rules.core.asks import ChooseAsk
from bot.rules.core.cards import Cards, shuffled
from bot.rules.core.game import Result, View
from bot.rules.core.imagination import fill_hands, known_hands, unseen_cards


class ABao(ABaoRules):
    """The complete rules of Tàihé A Bāo, with dealing and determinization."""

    def deal(self, rng: random.Random, dealer: int, past: tuple[Result, ...] = ()) -> ABaoBidding:
        """Shuffle and deal.

        dealer: the starter, unless the four of hearts decides, as in the first hand.
        """
        order = tuple(shuffled(self.pack, rng))
        return dealt(self, order, rng.getrandbits(64), dealer if past else None)

    def imagine(self, view: View, rng: random.Random) -> ABaoBidding | ABaoGame:
        """Return a random game consistent with the view: its ``view(seat)`` equals the view."""
        return imagine(self, view, rng)


Facts = Mapping[str, Any]

BEGAN = ("bound", "starter", "bound_before", "starter_before", "started")


def imagine(rules: ABaoRules, view: View, rng: random.Random) -> ABaoBidding | ABaoGame:
    """Return a random hand consistent with the view: its ``view(seat)`` equals the view."""
    facts = dict(view.facts)
    hands, known, bid = _spread(rules, view, rng), _known(view, facts), _bid(facts)
    if view.phase_note:
        given = view.ask.given if isinstance(view.ask, ChooseAsk) else ()
        return ABaoBidding(
            rules,
            bid,
            hands,
            rng.getrandbits(64),
            view.phase_note.sentence != FIRST,
            tuple(map(int, facts.get("passed", ()))),
            _given(rules, view, facts, given),
            view.phase_note.sentence == BACK,
            known,
            _of(view, view.private_notes),
        )
    return ABaoGame(
        rules,
        bid,
        hands,
        next(iter(view.awaited), bid.declarer or 0),
        _plays(view),
        view.trick,
        view.tricks,
        known,
        _of(view, view.private_notes),
        view.result,
    )


def _of(view: View, own: tuple[Any, ...]) -> tuple[tuple[Any, ...], ...]:
    """Return the viewer's own values in a tuple by seat; empty for the other seats."""
    return tuple(own if seat == view.seat else () for seat in range(len(view.counts)))


def _given(rules: ABaoRules, view: View, facts: Facts, own: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Return the answers of the first round: the viewer's own and the public ones."""
    heard = facts.get("passed", ()) if view.phase_note and view.phase_note.sentence == FIRST else ()
    return tuple(
        own if seat == view.seat and own else ("pass",) if seat in heard else () for seat in range(rules.players)
    )


def _bid(facts: Facts) -> Bid:
    calls = (Called(int(call.seat), call.amount[0], int(call.giver)) for call in facts.get("called", ()))
    bound, starter = next((name.startswith("bound"), facts[name]) for name in BEGAN if name in facts)
    declarer = facts.get("declarer")
    return Bid(
        int(starter),
        bound,
        facts.get("thrown", 0),
        tuple(calls),
        declarer if declarer is None else int(declarer),
    )


def _known(view: View, facts: Facts) -> Known:
    """Return the publicly known cards and the cards known to the viewer only."""
    public = {
        (int(holding.seat), card) for holding in facts.get("held", facts.get("seen", ())) for card in holding.amount
    }
    private = (pair for pair in view.known if pair not in public)
    return Known((*(Seen(*pair) for pair in public), *(Seen(*pair, view.seat) for pair in private)))


def _plays(view: View) -> tuple[int, ...]:
    moves = [move for trick in (*view.tricks, view.trick) for move in trick.moves if move.combo]
    return tuple(sum(move.seat == seat for move in moves) for seat in range(len(view.counts)))


def _spread(rules: ABaoRules, view: View, rng: random.Random) -> tuple[Cards, ...]:
    """Deal the unseen cards to the other hands."""
    return fill_hands(known_hands(view), view.counts, shuffled(list(unseen_cards(view).elements()), rng), rules.sort)
