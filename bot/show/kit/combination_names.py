"""Names of kinds of combinations: a short one for the label of a button, and the plural.

Lists the kinds shared by several games or widely known; a missing kind goes by its full name, or by none.
"""

from __future__ import annotations

from bot.domain.message_ids import N_

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

MANY = {
    "single": N_("singles"),
    "pair": N_("pairs"),
    "triple": N_("triples"),
    "triplet": N_("triplets"),
    "three": N_("threes of a kind"),
    "top_three": N_("top threes"),
    "four": N_("fours of a kind"),
    "quads_bare": N_("fours of a kind"),
    "quads": N_("fours with a card"),
    "five": N_("fives of a kind"),
    "six": N_("sixes of a kind"),
    "seven": N_("sevens of a kind"),
    "eight": N_("eights of a kind"),
    "nine": N_("nines of a kind"),
    "ten": N_("tens of a kind"),
    "eleven": N_("elevens of a kind"),
    "twelve": N_("twelves of a kind"),
    "straight": N_("straights"),
    "flush": N_("flushes"),
    "full_house": N_("full houses"),
    "straight_flush": N_("straight flushes"),
    "royal_flush": N_("royal flushes"),
    "sf_plus_two": N_("straight flushes with two cards"),
    "royal_plus_two": N_("royal flushes with two cards"),
    "sequence": N_("sequences"),
    "double_sequence": N_("double sequences"),
    "joker": N_("single jokers"),
    "jokers": N_("sets of jokers"),
    "jokers_as": N_("jokers as other cards"),
    "little_a": N_("the little a"),
    "big_a": N_("the Big A"),
    "big_ace": N_("the Big Ace"),
    "big_ace_pair": N_("the pair of Big Aces"),
    "two_jokers": N_("two jokers"),
    "three_jokers": N_("three jokers"),
    "four_jokers": N_("all four jokers"),
    "triplet_sequence": N_("three triplets in a row"),
    "quad_triplet_sequence": N_("four triplets in a row"),
    "quint_triplet_sequence": N_("five triplets in a row"),
    "fake_eight": N_("fake eights"),
    "false_ten": N_("false tens"),
    "false_twelve": N_("false twelves"),
    "false_fourteen": N_("false fourteens"),
}
