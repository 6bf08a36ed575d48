"""The options of a match of The Big and the Little A, with the bounds of numbers.

Each option is interpreted in one module of the game; the words are in ``data/options``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from bot.rules.core.game import LatePolicy
from bot.rules.core.points import STAKE_WISHES
from bot.rules.core.sentences import Illegal

MOST_POINTS = 99  # the maximum price of a card


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of The Big and the Little A, in the order of part B of the checklist.

    The defaults are the original game. first_seat: 1 to the number of players. Raises Illegal for numbers out of
    bounds.
    """

    players: Literal[4, 3, 5, 6, 7, 8, 9] = 4
    hands_per_match: int = 5
    next_starter: Literal["most_total", "most_last_hand"] = "most_total"
    starter_tie: Literal["last_deal_then_clockwise", "random"] = "last_deal_then_clockwise"
    first_starter: Literal["random_dealer_left", "host_choice"] = "random_dealer_left"
    first_seat: int = 1
    joker_only_sets: Literal["fourteen", "declared", "single_only"] = "fourteen"
    round_mode: Literal["one_turn_each", "until_all_pass"] = "one_turn_each"
    unused_cards: Literal["hidden", "shown_after_deal"] = "hidden"
    joker_in_hand_points: int = 14
    little_a_in_hand_points: int = 15
    big_a_in_hand_points: int = 20
    joker_in_pile_points: int = 1
    stake: int = 0
    on_timeout: LatePolicy = "least"
    auto_pass: Literal["public_only", "off"] = "public_only"

    def __post_init__(self) -> None:
        if self.hands_per_match < 1:
            raise Illegal("O2.1", "A match needs at least one hand.")
        if not 1 <= self.first_seat <= self.players:
            raise Illegal("O5.2", "The first to lead has to be one of the seats, from 1 on.")
        for article, points in PRICES.items():
            if not 0 <= getattr(self, points) <= MOST_POINTS:
                raise Illegal(article, "A card counts from 0 to 99 points.")


PRICES: Mapping[str, str] = {
    "O9.1": "joker_in_hand_points",
    "O9.2": "little_a_in_hand_points",
    "O9.3": "big_a_in_hand_points",
    "O9.4": "joker_in_pile_points",
}

WISHES: Mapping[str, Callable[[Any, Options], dict[str, Any]]] = {
    "seats": lambda count, options: {"players": count, "first_seat": min(options.first_seat, count)},
    "hands": lambda count, _: {"hands_per_match": count},
    **STAKE_WISHES,
}
