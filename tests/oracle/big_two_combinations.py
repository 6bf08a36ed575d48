"""Big Two's combinations under every option, read straight off the rules by trying every set of cards: slow and plain.

Covers combinations, their order, and the plays of a hand under these options. Does not cover turns, scores, the deal,
the bot, and every clever way of finding a play.

A card is a rank and a suit, "3d", or as a tile "15s". Options are a plain mapping of names to values, see STANDARD.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from functools import cache, lru_cache
from itertools import combinations
from operator import itemgetter
from typing import Any

Options = Mapping[str, Any]
Run = tuple[str, ...]  # five ranks in the order of the sequence, its top card last

STANDARD: Options = {
    "deck": "cards52",
    "suit_order": "dchs",
    "straight_scheme": "ace_low",
    "promoted_two_decides": True,
    "flush_rank": "suit_first",
    "five_order": "standard",
    "triples": True,
    "flushes": True,
    "quads_form": "kicker",
    "sf_form": "five",
    "bare_suited_run": "demote",
    "full_house_beats_straight": True,
    "honours_beat": "five_card",
    "honours_out_of_turn": False,
    "one_card_rule": "pay_all",
    "last_card_ban": "none",
}

# What cards are depends on these.
TELLING = (
    "deck",
    "suit_order",
    "straight_scheme",
    "triples",
    "flushes",
    "quads_form",
    "sf_form",
    "bare_suited_run",
    "five_order",
)
_telling = itemgetter(*TELLING)

# What the presets change of these. All others are the standard game as far as combinations go.
PRESETS: Mapping[str, Options] = {
    "pagat": {},
    "denexa": {"five_order": "royal_separate", "one_card_rule": "none"},
    "hong_kong": {"straight_scheme": "hong_kong", "flush_rank": "top_card", "last_card_ban": "any_two"},
    "hong_kong_boehnker": {"straight_scheme": "jqka2_top_no_low", "flush_rank": "top_card"},
    "pusoy_dos": {"suit_order": "cshd", "one_card_rule": "none"},
    "indonesia": {"straight_scheme": "indonesia_suit_of_two", "one_card_rule": "none"},
    "taiwan": {"one_card_rule": "none"},
    "taiwan_bridge_suits": {"suit_order": "cdhs"},
    "taiwan_latta": {"triples": False, "flushes": False, "sf_form": "plus_two", "honours_beat": "any"},
    "singapore": {"triples": False, "flushes": False},
    "da_lao_er": {
        "flushes": False,
        "full_house_beats_straight": False,
        "honours_beat": "any",
        "honours_out_of_turn": True,
    },
    "lukang": {"honours_beat": "any"},
    "lectio_tiles": {
        "deck": "tiles60",
        "straight_scheme": "hong_kong",
        "flush_rank": "all_ranks",
        "one_card_rule": "none",
    },
    "three_player": {},
    "three_player_draw": {},
    "two_player": {},
}

# Low to high, everywhere but in straights: the ace (or one) and the two are the highest.
DECKS = {"cards52": [*"3456789TJQKA2"], "tiles60": [str(number) for number in (*range(3, 16), 1, 2)]}
# The low runs and the one with the two at the top; the runs between, from the three up to the ace, are the same in all.
LOW_ACE, LOW_TWO, HIGH_TWO, MIDDLE, ROUND = "A2345", "23456", "JQKA2", "M", "W"
SCHEMES = {  # low to high
    "ace_low": [LOW_ACE, LOW_TWO, MIDDLE],
    "a2345_top": [LOW_TWO, MIDDLE, LOW_ACE],
    "23456_top_a2345_second": [MIDDLE, LOW_ACE, LOW_TWO],
    "23456_top_a2345_low": [LOW_ACE, MIDDLE, LOW_TWO],
    "no_a2345": [LOW_TWO, MIDDLE],
    "jqka2_top_23456_low": [LOW_TWO, MIDDLE, HIGH_TWO],
    "jqka2_top_23456_second": [MIDDLE, LOW_TWO, HIGH_TWO],
    "jqka2_top_no_low": [MIDDLE, HIGH_TWO],
    "indonesia_suit_of_two": [MIDDLE, LOW_ACE, LOW_TWO],  # the last two are one level
    "hong_kong": [MIDDLE, LOW_TWO, LOW_ACE],
    "wrap": [ROUND, LOW_ACE, LOW_TWO, MIDDLE, HIGH_TWO],
}
LADDER = ["single", "pair", "triple", "quads_bare", "straight", "flush", "full_house"]  # low to high; then honours
HONOURS = {
    "standard": ["quads", "straight_flush", "sf_plus_two"],
    "royal_separate": ["quads", "straight_flush", "sf_plus_two", "royal_flush", "royal_plus_two"],
    "royal_only_beats_quads": ["straight_flush", "sf_plus_two", "quads", "royal_flush", "royal_plus_two"],
}
SIZES = {"five": (1, 2, 3, 4, 5), "plus_two": (1, 2, 3, 4, 5, 7)}


def given(changes: Options) -> Options:
    """Return the options of the preset named among the changes, if any, with the other changes."""
    changed = {**STANDARD, **PRESETS[changes.get("preset", "pagat")], **changes}
    return {name: changed[name] for name in STANDARD}


def pack(options: Options) -> list[str]:
    """List all cards, low to high as single cards."""
    return list(_pack(options["deck"], options["suit_order"]))


@cache
def _pack(deck: str, suit_order: str) -> dict[str, None]:
    return dict.fromkeys(rank + suit for rank in DECKS[deck] for suit in suit_order)


def straights(options: Options) -> list[Run]:
    """List the runs that are straights, low to high."""
    return _straights(options["deck"], options["straight_scheme"])


@cache
def _straights(deck: str, scheme: str) -> list[Run]:
    ranks = DECKS[deck]
    one, two = ranks[-2:]
    up_to_ace = ranks[:-1]
    runs = {
        LOW_ACE: [(one, two, *ranks[:3])],
        LOW_TWO: [(two, *ranks[:4])],
        HIGH_TWO: [tuple(ranks[-5:])],
        ROUND: [(*ranks[-4:], ranks[0]), (*ranks[-3:], *ranks[:2])],
        MIDDLE: [tuple(up_to_ace[start : start + 5]) for start in range(len(up_to_ace) - 4)],
    }
    return [run for name in SCHEMES[scheme] for run in runs[name]]


def classify(cards: Collection[str], options: Options = STANDARD) -> str | None:
    """Name the combination the cards make, or None. A card not in the pack raises ValueError."""
    return _classify(tuple(cards), _telling(options))


@lru_cache(maxsize=1 << 15)
def _classify(cards: tuple[str, ...], chosen: tuple[Any, ...]) -> str | None:
    options = dict(zip(TELLING, chosen, strict=True))
    if not set(cards) <= _pack(options["deck"], options["suit_order"]).keys():
        raise ValueError(f"not cards: {cards!r}")
    if len(set(cards)) != len(cards):
        return None
    shape = _shape(cards)
    if shape == (1, 1, 1, 1, 1):
        return _five_ranks(cards, options)
    if len(cards) == 7:
        return _seven(cards, options)
    return {
        (1,): "single",
        (2,): "pair",
        (3,): "triple" if options["triples"] else None,
        (4,): "quads_bare" if options["quads_form"] in ("bare", "both") else None,
        (2, 3): "full_house",
        (1, 4): "quads" if options["quads_form"] in ("kicker", "both") else None,
    }.get(shape)


def beats(challenger: Collection[str], table: Collection[str], options: Options = STANDARD) -> bool:
    """Tell whether the challenger may be put on the table.

    Both are combinations of one family, and the challenger is the better one.

    False if equal, which two plays of one deal never are.
    """
    mine, theirs = classify(challenger, options), classify(table, options)
    if mine is None or theirs is None:
        return False
    if mine == theirs:
        return _key(challenger, mine, options) > _key(table, theirs, options)
    if "quads_bare" in (mine, theirs):
        return False  # four alike without a fifth card are apart from all others, honour hands too
    if {mine, theirs} == {"straight", "full_house"} and not options["full_house_beats_straight"]:
        return False
    bomb = options["honours_beat"] == "any" and _is_honour(challenger, options)
    return (bomb or len(challenger) == len(table)) and _place(mine, options) > _place(theirs, options)


def plays(
    hand: Collection[str],
    top: Collection[str] | None,
    options: Options = STANDARD,
    must: str | None = None,
    *,
    forced: bool = False,
    out_of_turn: bool = False,
) -> set[frozenset[str]]:
    """List every set of cards of the hand that may be played on the top (None: led).

    Passing is not among them. must: the card that this lead has to contain. forced: the next to act has one card, which
    matters where the options force the highest single. out_of_turn: it is another's turn.
    """
    if len(set(hand)) != len(hand):
        raise ValueError(f"a card twice in one hand: {hand!r}")
    legal = {
        frozenset(cards)
        for size in SIZES[options["sf_form"]]
        for cards in combinations(hand, size)
        if (classify(cards, options) if top is None else beats(cards, top, options))
    }
    if out_of_turn:
        may = top is not None and options["honours_out_of_turn"]
        return {cards for cards in legal if may and _is_honour(cards, options)}
    if must is not None:  # goes before the duty to play the highest single
        return {cards for cards in legal if must in cards}
    duty = forced and options["one_card_rule"] == "forced"
    return {
        cards
        for cards in legal
        if not (_barred(cards, hand, options) or (duty and len(cards) == 1 and _highest(hand, options) not in cards))
    }


def may_pass(
    hand: Collection[str], top: Collection[str] | None, options: Options = STANDARD, *, forced: bool = False
) -> bool:
    """Tell whether the player in turn may pass; forced as for the plays."""
    if top is None:
        return _barred(hand, hand, options)  # a leader plays, unless the one card left cannot be played
    if not forced or options["one_card_rule"] != "forced" or classify(top, options) != "single":
        return True
    return frozenset([_highest(hand, options)]) not in plays(hand, top, options)


def worth(cards: Collection[str], options: Options = STANDARD) -> tuple[Any, ...]:
    """Give how large and strong a combination is, to tell which of two is the larger.

    The cards, the kind, the key.
    """
    kind = classify(cards, options)
    if kind is None:
        raise ValueError(f"no combination: {cards!r}")
    return len(cards), _place(kind, options), _key(cards, kind, options)


def loser_group(hand: Collection[str], options: Options = STANDARD) -> frozenset[str]:
    """Find the largest combination a hand contains.

    Of the most cards, and of those the strongest.
    """
    return max(plays(hand, None, {**options, "last_card_ban": "none"}), key=lambda cards: worth(cards, options))


def loser(hands: list[list[str]], winner: int, options: Options = STANDARD) -> int:
    """Tell the seat that lost: with most cards left.

    Where several have as many, the one with the least group.
    """
    most = max(len(hand) for seat, hand in enumerate(hands) if seat != winner)
    tied = [seat for seat, hand in enumerate(hands) if seat != winner and len(hand) == most]
    return min(tied, key=lambda seat: worth(loser_group(hands[seat], options), options))


def _is_honour(cards: Collection[str], options: Options) -> bool:
    """Tell whether the cards are quads with an odd card or a straight flush, however that is played."""
    return classify(cards, options) in HONOURS[options["five_order"]]


def _rank(card: str) -> str:
    return card[:-1]


def _suit(card: str) -> str:
    return card[-1]


def _shape(cards: Collection[str]) -> tuple[int, ...]:
    """Count the cards of each rank there is, fewest first."""
    return tuple(sorted(Counter(_rank(card) for card in cards).values()))


def _five_ranks(cards: Collection[str], options: Options) -> str | None:
    """Name what five cards of five ranks are."""
    ranks = {_rank(card) for card in cards}
    in_sequence = any(ranks == set(run) for run in straights(options))
    one_suit = len({_suit(card) for card in cards}) == 1
    if not one_suit:
        return "straight" if in_sequence else None
    flush = "flush" if options["flushes"] else None
    if not in_sequence:
        return flush
    if options["sf_form"] == "five":
        return "royal_flush" if _has_royal(cards, options) else "straight_flush"
    return flush or "straight" if options["bare_suited_run"] == "demote" else None


def _seven(cards: Collection[str], options: Options) -> str | None:
    """Name what seven cards are: a straight flush with any two more, in rules that allow it."""
    if options["sf_form"] != "plus_two" or not _suited_runs(cards, options):
        return None
    return "royal_plus_two" if _has_royal(cards, options) else "sf_plus_two"


def _suited_runs(cards: Collection[str], options: Options) -> list[list[str]]:
    """List the straight flushes among the cards, each in the order of its sequence."""
    held = set(cards)
    return [
        list(run)
        for run in _in_suits(options["deck"], options["straight_scheme"], options["suit_order"])
        if held.issuperset(run)
    ]


@cache
def _in_suits(deck: str, scheme: str, suit_order: str) -> list[Run]:
    return [tuple(rank + suit for rank in run) for run in _straights(deck, scheme) for suit in suit_order]


def _has_royal(cards: Collection[str], options: Options) -> bool:
    """Tell whether there is a straight flush up to the ace, and that is a kind of its own."""
    royal = DECKS[options["deck"]][-6:-1]
    return options["five_order"] != "standard" and any(
        {rank + suit for rank in royal} <= set(cards) for suit in options["suit_order"]
    )


def _place(kind: str, options: Options) -> int:
    """Tell how high a kind of combination stands."""
    return (LADDER + HONOURS[options["five_order"]]).index(kind)


def _key(cards: Collection[str], kind: str, options: Options) -> tuple[int, ...]:
    """Give what tells two combinations of one kind apart, the more important first, the higher the better."""
    ranks = DECKS[options["deck"]]
    by_count = Counter(_rank(card) for card in cards).most_common()
    suit = max(options["suit_order"].index(_suit(card)) for card in cards)
    if kind in ("single", "pair"):
        return ranks.index(by_count[0][0]), suit
    if kind in ("triple", "full_house", "quads", "quads_bare"):
        return (ranks.index(by_count[0][0]),)
    if kind == "flush":
        downward = sorted((ranks.index(_rank(card)) for card in cards), reverse=True)
        return {
            "suit_first": (suit, downward[0]),
            "top_card": (downward[0], suit),
            "all_ranks": (*downward, suit),
        }[options["flush_rank"]]
    if kind in ("straight", "straight_flush"):
        return _run_key(cards, options)
    runs = _suited_runs(cards, options)  # seven cards, or the royal flush: the suit tells royals apart
    if kind.startswith("royal"):
        return (max(options["suit_order"].index(_suit(run[0])) for run in runs if _has_royal(run, options)),)
    return max(_run_key(run, options) for run in runs)


def _run_key(cards: Collection[str], options: Options) -> tuple[int, int]:
    """Give the place of five cards in sequence among the runs, and the suit of the card that decides between equals."""
    runs = straights(options)
    ranks = DECKS[options["deck"]]
    two, ace_high = ranks[-1], tuple(ranks[-6:-1])
    [at] = [at for at, run in enumerate(runs) if set(run) == {_rank(card) for card in cards}]
    promoted = two in runs[at] and at > runs.index(ace_high)
    indonesian = options["straight_scheme"] == "indonesia_suit_of_two"
    decides = two if promoted and (indonesian or options["promoted_two_decides"]) else runs[at][-1]
    [suit] = [_suit(card) for card in cards if _rank(card) == decides]
    return len(runs) if promoted and indonesian else at, options["suit_order"].index(suit)


def _highest(hand: Collection[str], options: Options) -> str:
    return max(hand, key=pack(options).index)


def _barred(cards: Collection[str], hand: Collection[str], options: Options) -> bool:
    """Tell whether these cards are a forbidden last single card: a two, or the highest."""
    if len(hand) != 1 or set(cards) != set(hand):
        return False
    barred = {"none": [], "highest_two": pack(options)[-1:], "any_two": pack(options)[-4:]}
    return set(cards) <= set(barred[options["last_card_ban"]])
