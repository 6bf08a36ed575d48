"""The options of a match of Tiến Lên.

Each option is interpreted in one module of the game. The words, the bounds of numbers and forbidden combinations are in
``data/options``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from bot.rules.core.points import LENGTH_WISHES, STAKE_WISHES


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of Tiến Lên, in the order of the rule page; by default the southern game."""

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
    one_colour: bool = False
    four_triples: bool = False
    two_fours: bool = False
    triples_in_row: bool = False
    scoring: Literal["places", "cards", "winner"] = "places"
    winner_units: int = 1
    last_three_doubles: bool = False
    chop_pay: bool = True
    chop_chain: Literal["last", "each"] = "last"
    rotten: bool = True
    frozen: bool = True
    one_card_rule: Literal["none", "pay_all"] = "none"
    stake: int = 0
    match_end: Literal["open", "deals", "points"] = "open"
    deals: int = 5
    target: int = 20


WISHES: Mapping[str, Callable[[Any, Options], dict[str, Any]]] = {
    "seats": lambda count, _: {"players": count},
    **LENGTH_WISHES,
    **STAKE_WISHES,
}
