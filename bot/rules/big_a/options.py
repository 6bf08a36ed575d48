"""The options of a match of Big A, and contradictions among them.

Each option is interpreted in one module of the game; the words are in ``data/options``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from bot.domain.message_ids import N_
from bot.rules.core.game import LatePolicy
from bot.rules.core.points import LENGTH_WISHES, STAKE_WISHES
from bot.rules.core.sentences import Illegal

PLAYERS = 5
ROUNDS = 22  # of the draw; the last two bring each seat's last card, face down
MAX_TICK_SECONDS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of Big A, in the order of part B of the checklist.

    The defaults are the game of the rule page. first_seat: 1 to 5. draw_checkpoints: rounds of the draw, 0 before its
    first card. tick_seconds: of a round drawn live. Raises Illegal for numbers out of bounds and for contradictions.
    """

    next_starter: Literal["first_out", "declarer", "rotate", "same"] = "first_out"
    first_starter: Literal["random", "host_choice"] = "random"
    first_seat: int = 1
    bomb_ladder: Literal["basic", "homygames"] = "basic"
    fours_capture_max: Literal[6, 7, 8] = 6
    revealed_scoring: Literal["doubled_shared", "doubled_unshared"] = "doubled_shared"
    hidden_hearts: Literal["expose_and_redeal", "redeal_unseen", "ask_after_pickup"] = "expose_and_redeal"
    self_overcall: bool = True
    forced_lone_may_reveal: bool = False
    big_ace_pair_scope: Literal["any_holder", "lone_deal_only"] = "lone_deal_only"
    ace_to_ace_sequence: bool = True
    stake: int = 0
    match_end: Literal["open", "deals", "points"] = "open"
    deals: int = 5
    target: int = 50
    draw_mode: Literal["checkpoints", "live", "sealed_once"] = "checkpoints"
    draw_checkpoints: tuple[int, ...] = (7, 14)
    tick_seconds: int = 6
    show_hand_counts: bool = True
    auto_pass: Literal["public_only", "off"] = "public_only"
    on_timeout: LatePolicy = "least"

    def __post_init__(self) -> None:
        for article, broken, sentence in CONFLICTS:
            if broken(self):
                raise Illegal(article, sentence)


def _are_rounds(rounds: tuple[int, ...]) -> bool:
    """Tell whether these are rounds in order, before the face-down cards."""
    return list(rounds) == sorted(set(rounds)) and all(0 <= number <= ROUNDS - 2 for number in rounds)


CONFLICTS: tuple[tuple[str, Callable[[Options], bool], str], ...] = (
    ("O2.2", lambda o: not 1 <= o.first_seat <= PLAYERS, N_("The first to draw has to be a seat from 1 to 5.")),
    ("O11.2", lambda o: o.deals < 1, N_("A match needs at least one hand.")),
    ("O11.3", lambda o: o.target < 1, N_("A match needs a target of at least one point.")),
    (
        "O13.1",
        lambda o: not _are_rounds(o.draw_checkpoints),
        N_("The rounds after which the draw stops must go up, from 0 to 20."),
    ),
    (
        "O14.1",
        lambda o: not 2 <= o.tick_seconds <= MAX_TICK_SECONDS,
        N_("A round of the live draw takes from 2 to 60 seconds."),
    ),
    (
        "O16.1",
        lambda o: o.auto_pass == "public_only" and not o.show_hand_counts,
        N_("Auto-pass needs the numbers of cards to be shown."),
    ),
)

WISHES: Mapping[str, Callable[[Any, Options], dict[str, Any]]] = {
    "seats": lambda _count, _options: {},
    **LENGTH_WISHES,
    **STAKE_WISHES,
}
