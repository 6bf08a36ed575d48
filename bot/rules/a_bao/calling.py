"""5. The cards that can be called or given back, and the reasons against others.

Decided from the bidder's hand, the pack and the calls; other hands remain hidden.
"""

from __future__ import annotations

from bot.rules.a_bao.groups import BINDING
from bot.rules.a_bao.rules import ABaoRules
from bot.rules.a_bao.state import Bid
from bot.rules.core.cards import Card, Cards, Rank
from bot.rules.core.sentences import Illegal, Note

ACES_STAY = Note("5.9", "You can't give back an ace.")
BOUND_STAYS = Note("5.10", "The four of hearts decided who starts, so you can't give it back.")
NOT_BACK = Note("O11.1", "You can't give back the card you just got.")


def nameable(rules: ABaoRules, bid: Bid, hand: Cards) -> Cards:
    """Return the cards that a bidder with this hand can call, weakest first."""
    return tuple(card for card in rules.pack if why_not(rules, bid, hand, card) is None)


def why_not(rules: ABaoRules, bid: Bid, hand: Cards, wanted: Card) -> Illegal | None:
    """Return the reason why a card cannot be called, or None (5.5-5.8, 5.16, O4)."""
    if wanted not in rules.pack:
        return Illegal("5.16", "{card} isn't in this pack.", card=wanted)
    if wanted in hand:
        return Illegal("5.5", "You have {card} yourself.", card=wanted)
    if wanted.rank is Rank.ACE:
        return Illegal("5.6", "You can't call an ace.")
    if bid.bound and wanted is BINDING:
        return Illegal("5.7", "The four of hearts decided who starts, so you can't call it.")
    return _recalled(rules, bid, hand, wanted)


def _recalled(rules: ABaoRules, bid: Bid, hand: Cards, wanted: Card) -> Illegal | None:
    """Return the reason why an already called card cannot be called again, or None (O4)."""
    recall = rules.options.recall
    if recall == "allowed" or all(call.card is not wanted for call in bid.calls):
        return None
    if recall == "forbidden":
        return Illegal("O4.1", "{card} was already called.", card=wanted)
    if sum(held.rank is wanted.rank for held in hand) == len(set(rules.suits)) - 1:
        return None
    return Illegal(
        "O4.3", "{card} was already called; only the player with the other three can call it again.", card=wanted
    )


def barred(rules: ABaoRules, bid: Bid, hand: Cards) -> tuple[tuple[Card, Note], ...]:
    """5.9, 5.10, O11.1: return the cards that must not be given back, with the reasons."""
    got = bid.calls[-1].card
    return tuple((held, why) for held in hand if (why := _stays(rules, bid, held, got)))


def _stays(rules: ABaoRules, bid: Bid, held: Card, got: Card) -> Note | None:
    if held.rank is Rank.ACE:
        return ACES_STAY
    if bid.bound and held is BINDING:
        return BOUND_STAYS
    return NOT_BACK if held is got and not rules.options.may_return_called_card else None
