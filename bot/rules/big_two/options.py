"""The options of a match of Big Two, and contradictions among them.

Each option is interpreted in one module of the game; the words are in ``data/options``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from bot.domain.message_ids import N_
from bot.rules.core.points import STAKE_WISHES
from bot.rules.core.sentences import Illegal

Table: TypeAlias = tuple[tuple[int, int], ...]

PACK = {"cards52": 52, "tiles60": 60}
SUITS = 4
POSITIVE = ("pusoy_dos", "places")  # scoring schemes with positive points (C35, C36)
# The changes for another number of players, if a preset cannot simply be dealt to them (C38, C39, C44).
SEATS: Mapping[int, dict[str, Any]] = {
    2: {"hand_size": 17, "extra_card": "none", "exchange": "none", "dragon": "off", "draw_on_pass": "none"},
    3: {"hand_size": 17, "extra_card": "face_up", "dragon": "off", "draw_on_pass": "none"},
    4: {"hand_size": "all", "extra_card": "none", "exchange": "none", "draw_on_pass": "none"},
    5: {
        "deck": "tiles60",
        "hand_size": 12,
        "extra_card": "none",
        "exchange": "none",
        "dragon": "off",
        "draw_on_pass": "none",
    },
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of Big Two, in the order of part C of the rule page.

    The defaults are the standard game. A Table is a tuple of (minimum number of cards, points a card). A custom
    ``value_scale`` has the points of each rank, lowest first. ``stake`` is the number of units a point. Raises Illegal
    for numbers out of bounds and for contradictions (C47); the possible values are defined by the sheet.
    """

    # The table
    players: Literal[4, 3, 2, 5] = 4
    deck: Literal["cards52", "tiles60"] = "cards52"
    suit_order: Literal["dchs", "cshd", "cdhs"] = "dchs"
    direction: Literal["anticlockwise", "clockwise", "alternate"] = "anticlockwise"
    alternate_first: Literal["anticlockwise", "clockwise"] = "anticlockwise"
    # The deal and the start
    hand_size: Literal["all", 12, 13, 17, 21] = "all"
    extra_card: Literal["none", "face_up", "face_down"] = "none"
    first_card: Literal["cut", "next_player"] = "cut"
    dealer: Literal["winner", "loser", "rotate", "round_draw"] = "winner"
    starter: Literal["low_card", "first_low_then_winner", "first_low_then_loser", "rounds"] = "low_card"
    round_deals: int = 10
    low_card_in_first_play: bool = True
    exchange: Literal["none", "loser_highest_for_any"] = "none"
    pile: Literal["face_down", "face_up"] = "face_down"
    # The combinations
    triples: bool = True
    flushes: bool = True
    quads_form: Literal["kicker", "bare", "both"] = "kicker"
    sf_form: Literal["five", "plus_two"] = "five"
    bare_suited_run: Literal["demote", "illegal"] = "demote"
    straight_scheme: Literal[
        "ace_low",
        "a2345_top",
        "23456_top_a2345_second",
        "23456_top_a2345_low",
        "no_a2345",
        "jqka2_top_23456_low",
        "jqka2_top_23456_second",
        "jqka2_top_no_low",
        "indonesia_suit_of_two",
        "hong_kong",
        "wrap",
    ] = "ace_low"
    promoted_two_decides: bool = True
    flush_rank: Literal["suit_first", "top_card", "all_ranks"] = "suit_first"
    five_order: Literal["standard", "royal_separate", "royal_only_beats_quads"] = "standard"
    full_house_beats_straight: bool = True
    honours_beat: Literal["five_card", "any"] = "five_card"
    # The play
    honours_out_of_turn: bool = False
    dragon: Literal["off", "wins_deal"] = "off"
    pass_rule: Literal["may_return", "locked", "locked_beat_own"] = "may_return"
    announce_at: tuple[int, ...] = ()
    one_card_rule: Literal["pay_all", "none", "forced"] = "pay_all"
    pay_all_test: Literal["causal", "breach"] = "causal"
    pay_all_basis: Literal["points", "to_winner"] = "points"
    last_card_ban: Literal["none", "highest_two", "any_two"] = "none"
    end: Literal["first_out", "play_on"] = "first_out"
    draw_on_pass: Literal["none", "one", "combo_size"] = "none"
    stock_exhausted: Literal["no_draw", "reshuffle"] = "no_draw"
    reshuffles: int = 3
    # Scoring
    scoring: Literal["cards", "card_values", "indonesia", "taiwan_loser", "pusoy_dos", "places"] = "cards"
    bands: Literal["std", "flat", "harsh", "double8", "double8_10", "gamesky"] | Table = "std"
    bands_for: Literal["all", "starter_only", "starter_below_13"] = "all"
    two_in_hand_doubles: bool = False
    final_twos_double: bool = False
    value_scale: Literal["court", "ladder"] | tuple[int, ...] = "court"
    value_double_at: Literal[10] | None = 10
    indonesia_finish: Literal["add", "replace"] = "add"
    places_points: tuple[int, ...] = (5, 3, 1, 0)
    settlement: Literal["pairwise", "winner_only", "difference_banded", "loser_pays", "none"] = "pairwise"
    diff_bands: Table = ((1, 1), (9, 2), (12, 3))
    # The match
    stake: int = 1
    match_end: Literal["open", "target", "deals", "chips_or_deals"] = "open"
    target: int = 100
    deals: int = 5
    chips: int = 149
    match_tie: Literal["shared", "extra_deal"] = "shared"

    def __post_init__(self) -> None:
        for article, broken, sentence in CONFLICTS:
            if broken(self):
                raise Illegal(article, sentence)

    @property
    def dealt(self) -> int:
        """The number of cards dealt to each player (C38.1)."""
        return PACK[self.deck] // self.players if self.hand_size == "all" else self.hand_size

    @property
    def undealt(self) -> int:
        """The number of undealt cards; the extra card counts as dealt (C39, C41)."""
        return PACK[self.deck] - self.dealt * self.players - (self.extra_card != "none")

    @property
    def paid_places(self) -> tuple[int, ...]:
        """The points for each place, first to last: fewer players take the last entries (C36.1)."""
        return self.places_points[-self.players :]

    @property
    def positive(self) -> bool:
        """Whether more points are better."""
        return self.scoring in POSITIVE

    @property
    def scale_fits(self) -> bool:
        """Whether the values of cards are a named scale, or one entry for each rank (C33.6)."""
        return isinstance(self.value_scale, str) or len(self.value_scale) * SUITS == PACK[self.deck]


def _is_table(table: Any) -> bool:
    """Tell whether this is a table of bands: from one card, rising, no negative points."""
    if isinstance(table, str) or not table or table[0][0] != 1:
        return False
    starts = [start for start, _ in table]
    return starts == sorted(set(starts)) and all(points >= 0 for _, points in table)


NO_TABLE = N_("A table of points starts at one card and goes up, like 1:1 10:2 13:3.")
CONFLICTS: tuple[tuple[str, Callable[[Options], bool], str], ...] = (
    ("C46.1", lambda o: o.stake < 0, N_("A stake can't be negative.")),
    ("C45.5", lambda o: o.deals < 1, N_("A match needs at least one hand.")),
    ("C45.4", lambda o: o.target < 1, N_("A match needs a target of at least one point.")),
    ("C7.1", lambda o: o.round_deals < 1, N_("A round needs at least one hand.")),
    ("C44.5", lambda o: o.chips < 1, N_("Everyone needs at least one chip to start.")),
    (
        "C21.1",
        lambda o: o.announce_at not in ((), (1,), (1, 2)),
        N_("Announce one card, or both two and one, or nothing."),
    ),
    ("C27.1", lambda o: o.bands not in BANDS and not _is_table(o.bands), NO_TABLE),
    ("C32.1", lambda o: not _is_table(o.diff_bands), NO_TABLE),
    (
        "C33.6",
        lambda o: not o.scale_fits,
        N_("Your own scale needs a number for every rank: thirteen for cards, fifteen for tiles."),
    ),
    (
        "C36.1",
        lambda o: o.scoring == "places" and len(o.places_points) < o.players,
        N_("Every place needs points."),
    ),
    ("C38.1", lambda o: o.undealt < 0, N_("There aren't enough cards for hands that big.")),
    (
        "C38.1",
        lambda o: o.hand_size == "all" and o.undealt > 0,
        N_("The pack doesn't divide evenly: set the size of the hands."),
    ),
    (
        "C39.1",
        lambda o: o.extra_card != "none" and (o.players, o.dealt) != (3, 17),
        N_("The extra card only works with three players and 17 cards each."),
    ),
    (
        "C40.1",
        lambda o: o.exchange != "none" and o.players != 3,
        N_("The exchange with the loser only works with three players."),
    ),
    (
        "C41.1",
        lambda o: o.draw_on_pass != "none" and o.undealt < 1,
        N_("To draw on a pass, some cards must stay undealt."),
    ),
    ("C18.1", lambda o: o.dragon != "off" and o.dealt != 13, N_("A dragon needs hands of 13 cards.")),
    (
        "C36.1",
        lambda o: o.scoring == "places" and o.end != "play_on",
        N_("Points for places only work if everyone plays on until only one player has cards."),
    ),
    (
        "C34.1",
        lambda o: (o.scoring == "taiwan_loser") != (o.settlement == "loser_pays"),
        N_("If one loser pays, the scoring has to pick one loser too, and the other way around."),
    ),
    (
        "C31.1",
        lambda o: o.settlement in ("winner_only", "difference_banded") and o.positive,
        N_("Paying by cards left doesn't work with a scoring where more points are better."),
    ),
)

BANDS: Mapping[Any, Table] = {  # C27: from this number of remaining cards on, points a card
    "std": ((1, 1), (10, 2), (13, 3)),
    "flat": ((1, 1),),
    "harsh": ((1, 1), (8, 2), (10, 3), (13, 4)),
    "double8": ((1, 1), (8, 2)),
    "double8_10": ((1, 1), (8, 2), (10, 4)),
    "gamesky": ((1, 1), (11, 2)),
}


def seated(players: int, options: Options) -> dict[str, Any]:
    """Return the changes of options for a number of players.

    The number alone, and SEATS if the options cannot simply be dealt. Playing on ends for two players where it decides
    nothing.
    """
    if players == options.players:
        return {}
    changes: dict[str, Any] = {"players": players}
    if players == 2 and (options.end, options.scoring == "places") == ("play_on", False):  # playing on decides nothing
        changes["end"] = "first_out"
    try:
        Options(**{**_plain(options), **changes})
    except Illegal:
        changes |= SEATS[players]
        if changes.get("deck", options.deck) != options.deck and not isinstance(options.value_scale, str):
            changes["value_scale"] = "court"  # a custom scale fits the ranks of its own deck only
    return changes


def _plain(options: Options) -> dict[str, Any]:
    return {name: getattr(options, name) for name in Options.__slots__}


WISHES: Mapping[str, Callable[[Any, Options], dict[str, Any]]] = {
    "seats": seated,
    "hands": lambda count, _: {"match_end": "deals", "deals": count},
    "target": lambda points, _: {"match_end": "target", "target": points},
    **STAKE_WISHES,
}
