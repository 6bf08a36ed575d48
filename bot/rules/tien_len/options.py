"""What can be chosen about a match of Tiến Lên.

Knows the names and values of the options; the meaning of each is read in one place elsewhere. Their words, the bounds
of numbers and what cannot be combined stand in ``data/options``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from bot.rules.points import LENGTHS


@dataclass(frozen=True, slots=True)
class Options:
    """The options of Tiến Lên, in the order of its page; the defaults are the southern game."""

    players: Literal[4, 3, 2] = 4
    first_play: Literal["lowest_card", "any"] = "lowest_card"
    later_lead: Literal["winner", "lowest_card"] = "winner"
    direction: Literal["clockwise", "counter"] = "clockwise"
    sequence_suit: Literal["any", "same"] = "any"
    double_sequences: bool = True
    same_look: bool = False
    chops: Literal["full", "four_of_a_kind", "none"] = "full"
    quads_on_two_pair: bool = True
    out_of_turn_four_pairs: bool = False
    after_pass: Literal["out", "may_return"] = "out"
    inherit: Literal["next", "all_asked_again"] = "next"
    play_on: Literal["all", "first"] = "all"
    last_card_two: bool = True
    instant: Literal["south", "few", "none"] = "south"
    scoring: Literal["places", "cards"] = "places"
    chop_pay: bool = True
    rotten: bool = True
    frozen: bool = True
    match_end: Literal["open", "deals", "points"] = "open"
    deals: int = 5
    target: int = 20


WISHES: Mapping[str, Callable[[Any, Options], dict[str, Any]]] = {
    "seats": lambda count, _: {"players": count},
    **LENGTHS,
}
