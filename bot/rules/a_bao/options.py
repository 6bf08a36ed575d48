"""The options of a match of Tàihé A Bāo, with the bounds of numbers.

Each option is interpreted in one module of the game; the words are in ``data/options``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from bot.rules.core.game import LatePolicy
from bot.rules.core.points import LENGTH_WISHES, STAKE_WISHES
from bot.rules.core.sentences import Illegal


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of Tàihé A Bāo, in the order of part B of the checklist.

    The defaults are the game for four. Raises Illegal for numbers out of bounds.
    """

    players: Literal[4, 3, 5] = 4
    aces: bool = True
    recall: Literal["forbidden", "allowed", "complete_four"] = "forbidden"
    starter_rule: Literal["result", "four_of_hearts"] = "result"
    starter_must_call: bool = False
    single_caller_wins: bool = False
    scoring: Literal["callers", "simplified"] = "callers"
    double_shutout: bool = False
    double_lead_only: bool = False
    may_return_called_card: bool = True
    three_kings_top: bool = False
    stake: int = 0
    match_end: Literal["open", "deals", "points"] = "open"
    deals: int = 5
    target: int = 50
    first_round_mode: Literal["sealed", "sequential"] = "sealed"
    on_timeout: LatePolicy = "least"
    auto_pass: Literal["public_only", "off"] = "public_only"

    def __post_init__(self) -> None:
        if self.deals < 1:
            raise Illegal("O13.2", "A match needs at least one hand.")
        if self.target < 1:
            raise Illegal("O13.3", "A match needs a target of at least one point.")


WISHES: Mapping[str, Callable[[Any, Options], dict[str, Any]]] = {
    "seats": lambda count, _: {"players": count},
    **LENGTH_WISHES,
    **STAKE_WISHES,
}
