"""Which rules of Big Two a packed hand can be played by, and what of them it asks at every step.

Knows options. Refuses to know a hand.
"""

from __future__ import annotations

from functools import lru_cache

from bot.ai.games.big_two_codes import codes
from bot.rules.big_two.options import BANDS
from bot.rules.big_two.rules import BigTwoRules
from bot.rules.big_two.score import of_band
from bot.rules.core.game import Rules


def supports(rules: Rules) -> bool:
    """Tell whether hands under these rules can be packed; others are played by the readable rules alone.

    Not: straight flushes of seven cards, plays out of turn, kinds of five cards that do not go on each other, drawing
    on a pass, being forced to play the highest card, and going on after somebody is out.
    """
    if not isinstance(rules, BigTwoRules):
        return False
    o = rules.options
    plain = o.full_house_beats_straight and not o.honours_out_of_turn and o.one_card_rule != "forced"
    return plain and (o.sf_form, o.draw_on_pass, o.end) == ("five", "none", "first_out")


class Law:
    """What of some rules concerns a hand.

    bits: each card. following: for each seat who comes after it, itself last, by direction. worth: what so many cards
    left cost, None where their number does not say it; dear: what each of so many costs. barred: cards that cannot be
    the last one alone. any_honours: whether honour hands go on any number of cards. locks: whether a pass holds till
    the next lead. beats_own: whether who played last may go on alone.
    """

    def __init__(self, rules: BigTwoRules) -> None:
        seats, turns = range(rules.options.players), rules.turns[1]
        self.rules = rules
        self.codes = codes(rules.groups)
        self.bits = tuple(1 << at for at in range(len(rules.pack)))
        self.following = {
            step: tuple(tuple((seat + step * ahead) % len(seats) for ahead in (*seats[1:], 0)) for seat in seats)
            for step in (1, -1)
        }
        self.worth = _worth(rules)
        self.dear = [1.0, *(worth / count for count, worth in enumerate(self.worth or ()) if count)]
        self.dear += [1.0] * (len(rules.pack) - len(self.dear))
        self.barred = sum(self.bits[rules.barred :])
        self.any_honours = rules.options.honours_beat == "any"
        self.locks, self.beats_own = turns.holds == "trick", turns.beats_own
        self.precaution, self.causal = rules.precaution, rules.options.pay_all_test == "causal"

    def stuck(self, hand: int) -> bool:
        """Tell whether a hand is one card that may not be the last."""
        return not hand & (hand - 1) and hand & self.barred != 0


def _worth(rules: BigTwoRules) -> tuple[int, ...] | None:
    o = rules.options
    if o.scoring != "cards" or o.two_in_hand_doubles or o.final_twos_double or o.bands_for != "all":
        return None
    bands = BANDS[o.bands] if isinstance(o.bands, str) else o.bands
    if o.settlement == "difference_banded":  # C32.1: only the difference has bands
        bands = BANDS["flat"]
    return tuple(count * of_band(bands, count) for count in range(len(rules.pack)))


@lru_cache(maxsize=64)
def law(rules: BigTwoRules) -> Law:
    """Return the law of these rules, made once."""
    return Law(rules)
