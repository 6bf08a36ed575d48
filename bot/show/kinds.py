"""Short names of kinds of combinations, for a button that has room for a word or two.

Knows the kinds that games share or that are well known; one that is missing here goes by its full name, or by none.
Refuses to know which cards make them.
"""

from __future__ import annotations

from bot.show.words import N_

SHORT = {
    "pair": N_("pair"),
    "triple": N_("triple"),
    "triplet": N_("triplet"),
    "straight": N_("straight"),
    "flush": N_("flush"),
    "full_house": N_("full house"),
    "quads": N_("four + one"),
    "sequence": N_("sequence"),
    "double_sequence": N_("double run"),
    "jokers_as": N_("set"),
}
