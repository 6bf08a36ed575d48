"""What can be chosen about a match of Big Two, and the named presets.

Knows the choices and which of them contradict each other; the meaning of each is read in one place elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from bot.rules.game import Illegal

PRESET_NAMES = {"pagat": "Standard game"}
OPTION_WORDS = {
    ("stake", None): "stake {value} a point",
    ("stake", 0): "no stake, for points only",
    ("one_card_rule", "none"): "without the precaution rule",
    ("one_card_rule", "pay_all"): "with the precaution rule",
    ("pay_all_test", "breach"): "every breach of the precaution rule pays",
    ("pay_all_test", "causal"): "a breach of the precaution rule pays if it mattered",
    ("pay_all_basis", "to_winner"): "who breaks the precaution rule pays the winner alone",
    ("pay_all_basis", "points"): "who breaks the precaution rule takes all points",
}

WISHES: Mapping[str, Callable[[Any], dict[str, Any]]] = {
    "hands": lambda count: {"match_end": "deals", "deals": count},
    "target": lambda points: {"match_end": "target", "target": points},
    "stake": lambda money: {"stake": money},
    "precaution": lambda wanted: {"one_card_rule": "pay_all" if wanted else "none"},
}


@dataclass(frozen=True, slots=True)
class Options:
    """The options of Big Two, each with the article it belongs to; the defaults are the standard game.

    stake: money for a point, 0 for points only (7.5). one_card_rule: the precaution rule of money play (8.1).
    pay_all_test: whether a breach counts only if it let the player out (8.5). pay_all_basis: what the offender
    pays (8.4). match_end: after ``deals`` hands, or when a total has reached ``target`` (7.3).
    """

    stake: int = 1
    one_card_rule: Literal["pay_all", "none"] = "pay_all"
    pay_all_test: Literal["causal", "breach"] = "causal"
    pay_all_basis: Literal["points", "to_winner"] = "points"
    match_end: Literal["deals", "target"] = "deals"
    deals: int = 5
    target: int = 100

    def __post_init__(self) -> None:
        if self.stake < 0:
            raise Illegal("7.5", "A stake cannot be less than nothing, but {stake} is.", stake=self.stake)
        if self.deals < 1:
            raise Illegal("7.3", "A match has at least one hand, not {deals}.", deals=self.deals)
        if self.target < 1:
            raise Illegal("7.3", "A match is played to at least one point, not {target}.", target=self.target)
