"""The sentences of the public facts, and the options that require more than the basic facts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

FACTS = {
    "dealer": "{value} dealt this hand.",
    "cut": "The cut showed {value}.",
    "draws": "Drawn for the deal: {value}.",
    "clockwise": "This hand goes clockwise.",
    "anticlockwise": "This hand goes anticlockwise.",
    "extra": "The extra card is {value}.",
    "giving": "{value} waits for a card from the winner.",
    "taker": "{value} took the extra card.",
    "low": "The lowest card dealt is {value}.",
    "lead": "{value} starts because of the hand before.",
    "starter": "{value} made the first play.",
    "chips": "Chips: {value}.",
    "stock": "Cards to draw: {value}.",
    "reshuffles": "Times the stock was shuffled anew: {value}.",
    "announced": "Announced: {value}.",
    "specials": "Specials not beaten: {value}.",
    "out": "Out already: {value}.",
}
OPENING = frozenset(("dealer", "cut", "draws", "low", "lead"))
LOUD: Mapping[str, tuple[Any, ...]] = {  # options with more public facts than dealer and cut
    "direction": ("alternate",),
    "dealer": ("round_draw",),
    "extra_card": ("face_up", "face_down"),
    "starter": ("first_low_then_winner", "first_low_then_loser", "rounds"),
    "exchange": ("loser_highest_for_any",),
    "bands_for": ("starter_only", "starter_below_13"),
    "draw_on_pass": ("one", "combo_size"),
    "announce_at": ((1,), (1, 2)),
    "end": ("play_on",),
    "scoring": ("indonesia",),
    "match_end": ("chips_or_deals",),
}
