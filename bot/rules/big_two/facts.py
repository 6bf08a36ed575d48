"""The sentences of the public facts, and the options that require more than the basic facts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.domain.message_ids import N_

FACTS = {
    "dealer": N_("{value} dealt this hand."),
    "cut": N_("The cut showed {value}."),
    "draws": N_("Drawn for the deal: {value}."),
    "clockwise": N_("This hand goes clockwise."),
    "anticlockwise": N_("This hand goes anticlockwise."),
    "extra": N_("The extra card is {value}."),
    "giving": N_("{value} waits for a card from the winner."),
    "taker": N_("{value} took the extra card."),
    "low": N_("The lowest card dealt is {value}."),
    "lead": N_("{value} starts because of the hand before."),
    "starter": N_("{value} made the first play."),
    "chips": N_("Chips: {value}."),
    "stock": N_("Cards to draw: {value}."),
    "reshuffles": N_("Times the stock was shuffled anew: {value}."),
    "announced": N_("Announced: {value}."),
    "specials": N_("Specials not beaten: {value}."),
    "out": N_("Out already: {value}."),
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
