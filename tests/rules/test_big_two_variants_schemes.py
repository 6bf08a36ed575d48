"""The rule page of Big Two, an article at a time: the other ways to score a hand (C34-C37)."""

import pytest

from bot.rules.big_two import BigTwo, Options
from bot.rules.big_two.play import BigTwoGame
from bot.rules.core.game import Result
from bot.rules.core.sentences import Illegal, Note
from tests.rules.page_articles import under
from tests.rules.positions import after, finished, nets, result, table

# Taiwan: one loser


def losing(game: BigTwo, *left: str) -> int:
    """Return who loses the hand that seat 0 wins, as points, payments and the note under it all say."""
    over = finished(game, "", *left, last="4s")
    [note] = over.notes
    [loser] = [seat for seat, each in enumerate(over.points) if each]
    assert (note.article, dict(note.values)) == ("C34.2", {"seat": loser})
    assert over.payments == ((loser, 0, game.options.stake),)
    return loser


def test_c34_1_one_loser() -> None:
    game = under("C34.1", "taiwan", stake=7)
    over = finished(game, "", "2s 2h 2c As", "4d 5d 6d", "3d 3c 3h 3s 4c", last="4s")
    assert over.points == (0, 0, 0, 1)
    assert nets(over) == (7, 0, 0, -7)
    for wrong in ({"scoring": "taiwan_loser"}, {"settlement": "loser_pays"}):
        with pytest.raises(Illegal) as caught:
            Options(**wrong)  # type: ignore[arg-type]
        assert caught.value.article == "C34.1"


def test_c34_2_who_the_loser_is() -> None:
    game = under("C34.2", "taiwan", stake=7)
    assert losing(game, "2s 2h 2c As", "4d 5d 6d", "3d 3c 3h 3s 4c") == 3  # an honour hand, before any two
    assert losing(game, "7d 7c 7h 7s 3d", "6d 6c 6h 6s 2s", "Ad Ac") == 1  # the higher one
    assert losing(game, "7d 7c 7h 7s 3d", "4h 5h 6h 7h 8h", "Ad Ac") == 2
    assert losing(game, "2d", "As Ah Ks Qs 3d", "Kd Kc") == 1  # the highest two or ace
    assert losing(game, "Ah", "Ad Ac 3h 4h 5h", "Kd Kc") == 1
    assert losing(game, "5d 6d 9s", "5c 6c", "Kd Kc") == 1  # most cards
    assert losing(game, "5d 6d 9s", "5c 6c Ts", "Kd Kc") == 2  # and the highest card among those who have most


def test_c34_2_the_honour_hand_is_the_one_that_may_be_played_here() -> None:
    game = under("C34.2", "taiwan", sf_form="plus_two")
    assert losing(game, "4h 5h 6h 7h 8h", "Ad", "Kd") == 2  # five cards are not enough
    assert losing(game, "4h 5h 6h 7h 8h 3d 3c", "2s", "7d 7c 6c 7s 3h") == 1
    quads_higher = under("C34.2", "taiwan", five_order="royal_only_beats_quads")
    assert losing(quads_higher, "7d 7c 7h 7s 3d", "4h 5h 6h 7h 8h", "2s") == 1
    diamonds_high = under("C34.2", "taiwan", suit_order="cshd")
    assert losing(diamonds_high, "2s", "2d", "2h Kd Kc") == 2


def test_c34_3_four_without_a_card() -> None:
    for form in ("kicker", "both"):
        game = under("C34.3", "taiwan", quads_form=form)
        assert losing(game, "3d 3c 3h 3s", "Kd Ks", "As") == 3
        assert losing(game, "3d 3c 3h 3s 4d", "Kd Ks", "As") == 1


# The Philippines: points for winning


@pytest.mark.parametrize(
    ("last", "worth"),
    [
        ("Ad", 1),
        ("4d 5c 6d 7d 8d", 1),
        ("2d", 2),
        ("6d 5c 4h 3s 2d", 2),
        ("2d 2c", 4),
        ("9d 9h 9s 2d 2c", 4),
        ("2d 2c 2s 9d 9h", 8),
        ("2d 2c 2h 2s 7c", 16),
    ],
)
def test_c35_1_points_for_winning(last: str, worth: int) -> None:
    over = finished(under("C35.1", "pusoy_dos"), "", "3d 4c", "2h", "Kd Kc", last=last)
    assert (over.points, over.notes) == ((worth, 0, 0, 0), ())
    assert nets(over) == (3 * worth, -worth, -worth, -worth)


# Points for places


def places(*held: str, of: BigTwo) -> Result:
    """Return the result when seat 0 leads a low card, seat 1 goes out on it, and so on round the table."""
    game = table(*held, of=of)
    while game.result is None:
        play = next(iter(game.view(game.turn).plays), None)
        game = after(game, str(play).split(" ", 1)[1] if play else "-")
    return game.result


def test_c36_1_points_for_places() -> None:
    game = under("C36.1", scoring="places", end="play_on")
    over = places("4d 5d", "9d", "8d Td", "Kd", of=game)
    assert over.order[0] == 1
    assert sorted(over.order) == [0, 1, 2, 3]
    assert [over.points[seat] for seat in over.order] == [5, 3, 1, 0]
    assert [nets(over)[seat] for seat in over.order] == [11, 3, -5, -9]


def test_c36_1_fewer_players_and_a_list_of_your_own() -> None:
    three = under("C36.1", "three_player", scoring="places", end="play_on")
    over = places("4d 5d", "9d", "8d Td", of=three)
    assert [over.points[seat] for seat in over.order] == [3, 1, 0]
    two = under("C36.1", "two_player", scoring="places", end="play_on")
    assert places("4d 5d", "9d", of=two).points == (0, 1)
    five = under("C36.1", "lectio_tiles", scoring="places", end="play_on", places_points=(4, 3, 2, 1, 0))
    over = places("4d 5d", "9d", "8d 10d", "13d", "14d", of=five)
    assert [over.points[seat] for seat in over.order] == [4, 3, 2, 1, 0]
    for own in ((10, 6, 3, -1), (3, 2, 1, 0), (3, 1, 0, 0)):
        game = under("C36.1", scoring="places", end="play_on", places_points=own)
        over = places("4d 5d", "9d", "8d Td", "Kd", of=game)
        assert tuple(over.points[seat] for seat in over.order) == own
    for wrong in ({"places_points": (3, 1, 0), "end": "play_on"}, {"end": "first_out"}):
        with pytest.raises(Illegal) as caught:
            Options(scoring="places", **wrong)
        assert caught.value.article == "C36.1"


# Indonesia


FOUR_SEVENS, FOUR_TWOS = "7d 7c 7h 7s 8d", "2d 2c 2h 2s 7c"
SUITED, WITH_TWO = "8d 9d Td Jd Qd", "2d 3d 4d 5d 6d"


def indonesia(number: str, **options: object) -> BigTwo:
    """Return the Indonesian game played anticlockwise, so that the seats act in the order of their numbers."""
    return under(number, "indonesia", direction="anticlockwise", **options)


def unbeaten(special: str, game: BigTwo) -> BigTwoGame:
    """Return the hand after seat 2 led unbeaten and closed the trick."""
    held = table("Ks", "3d 4d 5c", f"{special} 3c 4c", "3h", turn=2, of=game)
    return after(held, special, "-", "-", "-", "-")


def specials(over: Result) -> list[tuple[int, int]]:
    """Return who has how many points for a special group, as the notes tell."""
    return [_special(note) for note in over.notes]


def _special(note: Note) -> tuple[int, int]:
    values = dict(note.values)
    assert note.article == "C37.1"
    return values["seat"], values["points"]


@pytest.mark.parametrize(("special", "worth"), [(FOUR_SEVENS, -20), (SUITED, -40), (FOUR_TWOS, -80)])
def test_c37_1_special_groups(special: str, worth: int) -> None:
    over = result(after(unbeaten(special, indonesia("C37.1")), "3c", "-", "Ks"))
    assert over.points == (-5, 3, 1 + worth, 1)
    assert specials(over) == [(2, worth)]


def test_c37_1_beaten_or_not_played_they_count_for_nothing() -> None:
    game = indonesia("C37.1")
    beaten = table(f"{FOUR_SEVENS} 9c 9h", f"{SUITED} 3s", "3c 4c", "3h", of=game)
    over = result(after(beaten, FOUR_SEVENS, SUITED, "-", "-", "-", "-", "3s"))
    assert over.points == (2, -45, 2, 1)
    assert specials(over) == [(1, -40)]
    by_itself = table(f"{FOUR_SEVENS} {SUITED} 9c 9h", "3d 4d", "3c 4c", "Kh", of=game)
    over = result(after(by_itself, FOUR_SEVENS, "-", "-", "-", SUITED, "-", "9c", "-", "-", "Kh"))
    assert over.points == (1 - 40, 2, 2, -5)
    assert specials(over) == [(0, -40)]
    kept = finished(game, "", FOUR_TWOS, "3c", "3h")
    assert (kept.points, kept.notes) == ((-5, 21, 1, 1), ())


@pytest.mark.parametrize(("special", "worth"), [(FOUR_SEVENS, -40), (SUITED, -80), (FOUR_TWOS, -160)])
def test_c37_2_a_special_group_at_the_end(special: str, worth: int) -> None:
    over = finished(indonesia("C37.2", indonesia_finish="replace"), "", "3c 4c", "3h", "3s", last=special)
    assert over.points == (worth, 2, 1, 1)
    assert specials(over) == [(0, worth)]


@pytest.mark.parametrize(
    ("last", "worth"),
    [("As", -5), ("Ks Kh", -5), ("4d 5c 6d 7d 8d", -5), ("2s", -10), ("2h 2s", -20), ("2d 3c 4d 5d 6d", -10)],
)
@pytest.mark.parametrize("finish", ["add", "replace"])
def test_c37_3_the_last_play(last: str, worth: int, finish: str) -> None:
    over = finished(indonesia("C37.3", indonesia_finish=finish), "", "3c 4c", "3h", "3s", last=last)
    assert (over.points, over.notes) == ((worth, 2, 1, 1), ())
    assert nets(over) == (4 - 3 * worth, worth - 4, worth, worth)


@pytest.mark.parametrize(
    ("last", "special", "both"), [(FOUR_SEVENS, -40, -45), (FOUR_TWOS, -160, -200), (WITH_TWO, -80, -90)]
)
def test_c37_4_both_together(last: str, special: int, both: int) -> None:
    over = finished(indonesia("C37.4"), "", "3c 4c", "3h", "3s", last=last)
    assert over.points == (both, 2, 1, 1)
    assert specials(over) == [(0, special)]


@pytest.mark.parametrize(("last", "special"), [(FOUR_SEVENS, -40), (FOUR_TWOS, -160), (WITH_TWO, -80)])
def test_c37_7_only_one_of_them(last: str, special: int) -> None:
    game = indonesia("C37.7", indonesia_finish="replace")
    assert finished(game, "", "3c 4c", "3h", "3s", last=last).points == (special, 2, 1, 1)
    earlier = result(after(unbeaten(FOUR_SEVENS, game), "3c", "-", "Ks"))
    assert earlier.points == (-5, 3, -19, 1)  # a last play that is none counts as ever


TEN = "3d 4d 5d 6d 7d 8d 9d Td Jd Qd"


def test_c37_5_the_others() -> None:
    game = indonesia("C37.5")
    assert finished(game, "", "3s 4s 2c", TEN, f"{TEN} Kd").points == (-5, 7, 10, 22)
    assert finished(game, "", f"{TEN} Kd 2d", f"{TEN} Kd 2d 2s", f"{TEN} Kd Ad 3c").points == (-5, 32, 63, 39)


def test_c37_6_what_is_multiplied() -> None:
    game = indonesia("C37.6", players=3, hand_size=17)
    led = after(table("Ks", "3s", f"{FOUR_SEVENS} 3c {TEN}", turn=2, of=game), FOUR_SEVENS, "-", "-", "-", "3c")
    over = result(after(led, "Ks"))
    assert over.points == (-5, 1, 10 - 20)
    more = after(table("Ks", "3s", f"{FOUR_SEVENS} 3c {TEN} 2s", turn=2, of=game), FOUR_SEVENS, "-", "-", "-", "3c")
    assert result(after(more, "Ks")).points == (-5, 1, 2 * 15 - 20)
