"""The rule page of Big Two, an article at a time: the straights, and the role of twos and aces (C9)."""

from itertools import pairwise

import pytest

from bot.rules.big_two import BigTwo
from bot.rules.core.cards import pack
from tests.rules.page_articles import forbids_on, forbids_to_lead, under
from tests.rules.positions import beats, climbs, kind, table

PLAIN = "34567 45678 56789 6789T 789TJ 89TJQ 9TJQK TJQKA"
WITH_TWO = ("A2345", "23456", "JQKA2", "QKA23", "KA234")
TILES = "3-4-5-6-7 4-5-6-7-8 5-6-7-8-9 6-7-8-9-10 7-8-9-10-11 8-9-10-11-12 9-10-11-12-13 10-11-12-13-14 11-12-13-14-15"


def mixed(run: str, suits: str = "sdcdc") -> str:
    """Return a straight of these ranks with these suits: A2345, or of tiles 15-1-2-3-4."""
    ranks = run.split("-") if "-" in run else run
    return " ".join(rank + suit for rank, suit in zip(ranks, suits, strict=True))


def check(game: BigTwo, listed: str, article: str, besides: str = "") -> None:
    """Hold the straights against the list, lowest first, and the article of a refusal; besides: as high as another."""
    runs = listed.split()
    assert climbs(*map(mixed, runs), of=game)
    suited = [mixed(run, "sssss" if at % 2 else "ddddd") for at, run in enumerate(runs)]
    assert {kind(each, game) for each in suited} == {"straight_flush"}
    assert climbs(*suited, of=game)
    assert {forbids_on(mixed(low), mixed(high), game) for low, high in pairwise(runs)} == {article}
    assert forbids_on(suited[0], suited[-1], game) in {article, "4.13"}
    assert all(kind(mixed(run), game) == ("straight" if run in (*runs, besides) else None) for run in WITH_TWO)
    assert climbs("4s 5s 6s 7s 8h", "5d 6d 7c 8d 9d", of=game)


def test_c9_1_ten_straights() -> None:
    game = under("C9.1", straight_scheme="ace_low")
    check(game, f"A2345 23456 {PLAIN}", "4.7")
    whole = table(" ".join(map(str, pack())), *["3c 4c"] * 3, of=game).view(0).plays
    ranks = {frozenset(each.rank for each in combo.cards) for combo in whole if combo.kind == "straight"}
    assert len(ranks) == 10


def test_c9_2_ace_to_five_on_top() -> None:
    check(under("C9.2", straight_scheme="a2345_top"), f"23456 {PLAIN} A2345", "C9.2")


def test_c9_3_two_to_six_on_top_then_ace_to_five() -> None:
    check(under("C9.3", straight_scheme="23456_top_a2345_second"), f"{PLAIN} A2345 23456", "C9.3")


def test_c9_4_two_to_six_on_top_ace_to_five_at_the_bottom() -> None:
    check(under("C9.4", straight_scheme="23456_top_a2345_low"), f"A2345 {PLAIN} 23456", "C9.4")


def test_c9_5_no_ace_to_five() -> None:
    game = under("C9.5", straight_scheme="no_a2345")
    check(game, f"23456 {PLAIN}", "C9.5")
    assert forbids_to_lead("Ad 2c 3h 4s 5d", game) == "4.9"


def test_c9_6_jack_to_two_on_top() -> None:
    game = under("C9.6", straight_scheme="jqka2_top_23456_low")
    check(game, f"23456 {PLAIN} JQKA2", "C9.6")
    assert forbids_to_lead("Ad 2c 3h 4s 5d", game) == "4.9"


def test_c9_7_jack_to_two_on_top_then_two_to_six() -> None:
    game = under("C9.7", straight_scheme="jqka2_top_23456_second")
    check(game, f"{PLAIN} 23456 JQKA2", "C9.7")
    assert forbids_to_lead("Ad 2c 3h 4s 5d", game) == "4.9"


def test_c9_8_twos_and_threes_never_meet() -> None:
    game = under("C9.8", "hong_kong_boehnker")
    check(game, f"{PLAIN} JQKA2", "C9.8")
    assert {forbids_to_lead(text, game) for text in ("Ad 2c 3h 4s 5d", "2d 3c 4h 5s 6d")} == {"4.9"}


def test_c9_9_the_suit_of_the_two() -> None:
    game = under("C9.9", "indonesia")
    check(game, f"{PLAIN} A2345", "C9.9", besides="23456")
    check(game, f"{PLAIN} 23456", "C9.9", besides="A2345")
    assert climbs("Th Js Qs Ks As", "Ah 2c 3s 4s 5s", "2h 3d 4d 5d 6c", "Ad 2s 3d 4c 5d", of=game)
    assert climbs("2c 3s 4s 5h 6s", "Ad 2h 3c 4d 5d", of=game)
    assert climbs("Ts Js Qs Ks As", "Ac 2c 3c 4c 5c", "2h 3h 4h 5h 6h", "As 2s 3s 4s 5s", of=game)
    assert forbids_on("As 2c 3h 4s 5s", "2h 3d 4d 5d 6c", game) == "C9.9"
    assert forbids_on("As 2c 3h 4s 5s", "Ad 2h 3d 4d 5c", game) == "C9.9"
    assert kind("Jd Qc Kh As 2d", game) is None


def test_c9_10_ace_to_five_then_two_to_six() -> None:
    check(under("C9.10", "hong_kong"), f"{PLAIN} 23456 A2345", "C9.10")


SIX = ("6c 5h 4s 3s 2s", "6h 5d 4c 3d 2c")  # the higher six, the lower two
FIVE = ("5c 4h 3s 2s As", "5h 4d 3c 2c Ad")
BY_THE_SIX, BY_THE_FIVE = (SIX, "23456"), (FIVE, "A2345")


@pytest.mark.parametrize(("low", "high"), [SIX, FIVE])
def test_c9_13_at_the_low_end(low: str, high: str) -> None:
    game = under("C9.13", straight_scheme="ace_low")
    assert climbs(low, high, of=game)
    assert forbids_on(low, high, game) == "4.8"


@pytest.mark.parametrize("promoted", [True, False])
def test_c9_14_at_the_low_end(promoted: bool) -> None:
    game = under("C9.14", straight_scheme="23456_top_a2345_low", promoted_two_decides=promoted)
    assert climbs(*FIVE, of=game)
    assert forbids_on(*FIVE, game) == "4.8"


@pytest.mark.parametrize("scheme", ["a2345_top", "no_a2345", "jqka2_top_23456_low"])
def test_c9_18_at_the_low_end(scheme: str) -> None:
    game = under("C9.18", straight_scheme=scheme)
    assert climbs(*SIX, of=game)
    assert forbids_on(*SIX, game) == "4.8"


PROMOTED = [
    ("a2345_top", "A2345"),
    ("23456_top_a2345_second", "A2345"),
    ("23456_top_a2345_second", "23456"),
    ("23456_top_a2345_low", "23456"),
    ("jqka2_top_23456_low", "JQKA2"),
    ("jqka2_top_23456_second", "23456"),
    ("jqka2_top_23456_second", "JQKA2"),
    ("jqka2_top_no_low", "JQKA2"),
    ("hong_kong", "A2345"),
    ("hong_kong", "23456"),
]


@pytest.mark.parametrize(("scheme", "run"), PROMOTED)
def test_c9_11_where_the_two_decides(scheme: str, run: str) -> None:
    game = under("C9.11", straight_scheme=scheme)
    with_heart = mixed(run, "".join("h" if rank == "2" else "d" for rank in run))
    with_club = mixed(run, "".join("c" if rank == "2" else "s" for rank in run))
    assert climbs(with_club, with_heart, of=game)
    at_the_top = run == "JQKA2"  # where the two is the top of the sequence anyway
    assert forbids_on(with_club, with_heart, game) == ("4.8" if at_the_top else "C9.11")


@pytest.mark.parametrize(("scheme", "run"), [each for each in PROMOTED if each[1] != "JQKA2"])
def test_c9_15_the_two_never_decides_at_the_low_end(scheme: str, run: str) -> None:
    game = under("C9.15", straight_scheme=scheme, promoted_two_decides=False)
    low, high = FIVE if run == "A2345" else SIX
    assert climbs(low, high, of=game)
    assert forbids_on(low, high, game) == "4.8"
    assert beats(low, "Th Js Qs Ks As", game)  # it is as high as ever


ROUND_THE_CORNER = ("Qd Kc Ah 2s 3d", "Kd Ac 2h 3s 4d")
LOW_TWO = (
    "ace_low",
    "a2345_top",
    "23456_top_a2345_second",
    "23456_top_a2345_low",
    "no_a2345",
    "indonesia_suit_of_two",
    "hong_kong",
)


@pytest.mark.parametrize("scheme", LOW_TWO)
def test_c9_16_an_ace_never_stands_in_the_middle(scheme: str) -> None:
    game = under("C9.16", straight_scheme=scheme)
    for text in ("Jd Qc Kh As 2d", *ROUND_THE_CORNER):
        assert kind(text, game) is None
        assert forbids_to_lead(text, game) == "4.9"


@pytest.mark.parametrize("scheme", ["jqka2_top_23456_low", "jqka2_top_23456_second", "jqka2_top_no_low"])
def test_c9_17_above_the_ace_the_two_is_the_end(scheme: str) -> None:
    game = under("C9.17", straight_scheme=scheme)
    assert kind("Jd Qc Kh As 2d", game) == "straight"
    for text in ROUND_THE_CORNER:
        assert kind(text, game) is None
        assert forbids_to_lead(text, game) == "4.9"


ROUND = f"QKA23 KA234 A2345 23456 {PLAIN} JQKA2"


def test_c9_20_round_the_corner() -> None:
    game = under("C9.20", straight_scheme="wrap")
    check(game, ROUND, "C9.20")
    assert beats("3d 4c 5h 6s 7d", "Kd Ac 2h 3s 4d", game), "K-A-2-3-4 is as high as its four"


def test_c9_21_thirteen_straights() -> None:
    game = under("C9.21", straight_scheme="wrap")
    whole = table(" ".join(map(str, pack())), *["3c 4c"] * 3, of=game).view(0).plays
    found = {frozenset(each.rank for each in combo.cards) for combo in whole if combo.kind == "straight"}
    assert found == {frozenset(run) for run in ROUND.split()}
    assert len(found) == 13


@pytest.mark.parametrize("run", ["KA234", "QKA23", "JQKA2", "A2345"])
def test_c9_22_at_the_upper_end(run: str) -> None:
    game = under("C9.22", straight_scheme="wrap")
    low, high = (mixed(run, suits) for suits in ("ssssh", "ddchs"))
    assert climbs(low, high, of=game)
    assert forbids_on(low, high, game) == "4.8"


def test_c9_20_under_the_royal_flush() -> None:
    game = under("C9.20", straight_scheme="wrap", five_order="royal_separate")
    assert climbs(mixed("KA234", "sssss"), mixed("JQKA2", "ddddd"), mixed("TJQKA", "ddddd"), of=game)


def test_c9_12_one_suit_without_a_straight() -> None:
    for text, scheme in (
        ("2d Ad Kd Qd Jd", "ace_low"),
        ("As 2s 3s 4s 5s", "no_a2345"),
        ("2h 3h 4h 5h 6h", "jqka2_top_no_low"),
    ):
        game = under("C9.12", straight_scheme=scheme)
        assert kind(text, game) == "flush"
        assert beats("3d 3c 3h 4d 4c", text, game)
    assert forbids_on("2d Ad Kd Qd Jd", "3c 5c 6c 7c 8c", under("C9.12")) == "4.10"


# Tiles


def test_c44_3_straights_of_tiles() -> None:
    for scheme in ("hong_kong", "ace_low", "jqka2_top_no_low"):
        game = under("C44.3", "lectio_tiles", straight_scheme=scheme)
        assert climbs(*map(mixed, [*TILES.split(), "12-13-14-15-1"]), of=game)
    assert forbids_on("11s 12s 13d 14d 15h", "12d 13c 14h 15s 1d", under("C44.3", "lectio_tiles")) == "C9.10"


def test_c44_13_twelve_straights() -> None:
    game = under("C44.13", "lectio_tiles")
    runs = [*TILES.split(), "12-13-14-15-1", "2-3-4-5-6", "1-2-3-4-5"]
    assert len(runs) == 12
    assert climbs(*map(mixed, runs), of=game)
    assert climbs(*(mixed(run, "ddddd") for run in runs), of=game)
    assert forbids_on("2s 3s 4d 5h 6s", "1d 2c 3h 4s 5d", game) == "C9.10"


def test_c44_14_fifteen_straights_round_the_corner() -> None:
    game = under("C44.14", "lectio_tiles", straight_scheme="wrap")
    low = ["14-15-1-2-3", "15-1-2-3-4", "1-2-3-4-5", "2-3-4-5-6"]
    runs = [*low, *TILES.split(), "12-13-14-15-1", "13-14-15-1-2"]
    assert len(runs) == 15
    assert climbs(*map(mixed, runs), of=game)


def test_c44_8_reading_the_names_of_straights() -> None:
    low = under("C44.8", "lectio_tiles", straight_scheme="ace_low")
    assert climbs(*map(mixed, ["1-2-3-4-5", "2-3-4-5-6", *TILES.split(), "12-13-14-15-1"]), of=low)
    high = under("C44.8", "lectio_tiles", straight_scheme="jqka2_top_no_low")
    assert climbs(*map(mixed, [*TILES.split(), "12-13-14-15-1", "13-14-15-1-2"]), of=high)
    assert kind(mixed("1-2-3-4-5"), high) is kind(mixed("2-3-4-5-6"), high) is None
    middle = under("C44.8", "lectio_tiles", straight_scheme="indonesia_suit_of_two")
    assert climbs(mixed("12-13-14-15-1"), "1s 2c 3h 4s 5s", "2h 3d 4d 5d 6c", "1d 2s 3d 4d 5c", of=middle)


def test_c44_9_a_one_never_stands_in_the_middle() -> None:
    for scheme in ("hong_kong", "ace_low", "no_a2345", "indonesia_suit_of_two"):
        game = under("C44.9", "lectio_tiles", straight_scheme=scheme)
        for run in ("13-14-15-1-2", "14-15-1-2-3", "15-1-2-3-4"):
            assert kind(mixed(run), game) is None
            assert forbids_to_lead(mixed(run), game) == "4.9"
