"""The declarations of plain players in Big A: whether a seat shows an ace, or both, and plays with fewer partners."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from bot.ai.games.big_a_reading import BigAReading
from bot.rules.big_a.draw import ace
from bot.rules.big_a.orders import NOTHING, REVEAL
from bot.rules.core.actions import Choose
from bot.rules.core.asks import Answer, ChooseAsk
from bot.rules.core.cards import Suit
from bot.rules.core.game import View

# The turns that so many cards take as a rule: first more with every card, then fewer, for they begin to go together.
USUAL, FROM, FEWER = 2.9, 10, 0.13
# By how many turns a hand has to be better than that to play with a partner, alone, or with a partner for more points.
STRONG, ALONE, DOUBLED = 0.2, 2.0, 1.1
NEVER = float("inf")
NEARLY_ALL = 20  # cards of which a hand is known well enough to play alone


def answer(view: View, ask: ChooseAsk) -> Choose | None:
    """Return the boldest answer the hand is strong enough for, or None where the seat has given one."""
    if ask.given:
        return None
    offered = [
        (_needed(view, kind, suit), reply.code, suit) for reply in ask.answers for kind, suit in _read(view, reply)
    ]
    worth = {suit: strength(view, suit) for needed, _, suit in offered if needed < NEVER}
    wished = [(needed, code) for needed, code, suit in offered if needed <= worth.get(suit, -NEVER)]
    return Choose((max(wished)[1] if wished else NOTHING,))


def _read(view: View, reply: Answer) -> Iterator[tuple[str, Suit]]:
    """Yield what an answer shows, if anything, and of which suit."""
    kind, _, suit = reply.code.partition(":")
    if kind != NOTHING:
        yield kind, Suit(suit) if suit else _shown(view)


def _needed(view: View, kind: str, big: Suit) -> float:
    """Return how strong a hand has to be for this."""
    if view.hand.count(ace(big)) > 1:
        return ALONE if len(view.hand) >= NEARLY_ALL else NEVER
    return DOUBLED if kind == REVEAL else STRONG


def _shown(view: View) -> Suit:
    """Return the suit that was shown last, or has to be shown."""
    acts = dict(view.facts).get("shown")
    return acts[-1].amount[0].suit if acts else Suit.HEARTS


def strength(view: View, big: Suit) -> float:
    """Return how many turns better than usual the cards seen so far are with these Big Aces."""
    usual = USUAL - FEWER * max(0, len(view.hand) - FROM)
    rules = view.rules.in_force(big)  # type: ignore[attr-defined]
    return usual - BigAReading.of(replace(view, rules=rules, hand=rules.sort(view.hand))).turns()
