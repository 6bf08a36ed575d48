"""Section 8 of the rule page of Big Two, an article at a time: the precaution rule and who pays for all."""

from typing import Any

from bot.rules.core.game import Result
from tests.rules.positions import after, nets, result, table

THREE = "3c 3h 3s"
TEN = "4c 4h 4s 5c 5h 5s 6c 6h 6s 7c"


def ended(hand: str, last: str, *moves: str, top: str = "", **options: Any) -> Result:
    """Return the result after these moves, by which seat 1 goes out with its only card.

    Seat 0 is the one to take care: it leads, or with a ``top`` seat 3 has led that.
    """
    game = table(hand, last, THREE, f"{TEN} {top}", turn=3 if top else 0, **options)
    found = result(after(game, *([top] if top else []), *moves))
    assert found.order == (1,)
    return found


def charged(hand: str, last: str, *moves: str, top: str = "", **options: Any) -> bool:
    """Tell whether seat 0 pays for all."""
    found = ended(hand, last, *moves, top=top, **options)
    assert bool(found.notes) == (found.points[2:] == (0, 0))
    return bool(found.notes)


def test_8_1_when_to_take_care() -> None:
    assert charged("4d 9s Kd", "Qs", "-", "Qs", top="8h")
    assert not charged("4d 9s Kd", "Qs", "-", "Qs", top="8h", stake=0)
    assert not charged("4d 9s Kd", "Qs", "-", "Qs", top="8h", one_card_rule="none")
    # only the very next player counts: here seat 2 goes out, and it was seat 1 who sat before it
    over = result(after(table("9s Kd", "3c 4c", "Qs", "8h Th", turn=3), "8h", "-", "-", "Qs"))
    assert over.points == (2, 2, 0, 1)
    # unless a player is skipped: here seat 1 has passed for good, and seat 2 has come down to one card
    held = ("4d 9s Kd", "Qc Qs", "6d Jd", "3d 8h 2d")
    skipped = table(*held, turn=3, pass_rule="locked")
    assert result(after(skipped, "3d", "4d", "-", "6d", "8h", "9s", "Jd")).points == (4, 0, 0, 0)
    waiting = table(*held, turn=3)
    assert result(after(waiting, "3d", "4d", "-", "6d", "8h", "9s", "-", "Jd")).points == (0, 4, 0, 0)


def test_8_2_beating_a_single() -> None:
    assert charged("4d 9s Kd", "Qs", "9s", "Qs", top="8h")
    assert charged("4d 9s Kd", "Qs", "-", "Qs", top="8h")
    assert not charged("4d 9s Kd", "As", "Kd", "As", top="8h", pay_all_test="breach")
    assert not charged("4d 9s Kd", "2s", "-", "2s", top="As", pay_all_test="breach")


def test_8_3_leading() -> None:
    assert charged("4d 4c Kd", "As", "Kd", "As")  # a pair could have been led
    assert charged("4d 9s Kd", "Qs", "9s", "Qs")  # not the highest
    assert not charged("4d 9s Kd", "As", "Kd", "As", pay_all_test="breach")
    pair_led = after(table("4d 4c 9d", "As", "5c 5h 6c", f"{TEN}"), "4d 4c", "-", "-", "-", "9d")
    assert result(pair_led).order == (0,)


def test_8_4_paying_for_everybody() -> None:
    ten, nine = "4d 5d 6d 7d 8d 9d Td Jd Qd Kd", "3s 4s 5s 6s 7s 8s 9s Ts Js 3d"

    def passed(**options: Any) -> Result:
        return result(after(table(ten, "Qs", "3c 4c 5c", f"{nine} 8h", turn=3, **options), "8h", "-", "Qs"))

    assert passed().points == (43, 0, 0, 0)
    assert [note.article for note in passed().notes] == ["8.4"]
    assert nets(passed(stake=2)) == (-258, 86, 86, 86)
    assert nets(passed(stake=2, pay_all_basis="to_winner")) == (-86, 86, 0, 0)
    careful = result(after(table(ten, "Qs", "3c 4c 5c", f"{nine} 8h", turn=3), "8h", "Jd", "Qs"))
    assert careful.points == (9 + 3 + 20, 0, 0, 0)  # the jack was not the highest, and the king would have stopped it


def test_8_5_only_if_it_mattered() -> None:
    assert charged("4d 9s Kd", "Qs", "-", "Qs", top="8h")
    assert not charged("4d 9s Kd", "As", "-", "As", top="8h")
    assert charged("4d 9s Kd", "Qs", "-", "Qs", top="8h", pay_all_test="breach")
    assert charged("4d 9s Kd", "As", "-", "As", top="8h", pay_all_test="breach")
    assert charged("4d 4c Kd", "2s", "Kd", "2s")  # leading a pair would have stopped even the highest card


def test_8_6_when_you_are_free() -> None:
    pairs = table("9d 9c Kd", "8d 8c Qs", THREE, TEN, turn=1, pay_all_test="breach")
    assert result(after(pairs, "8d 8c", "-", "-", "-", "Qs")).notes == ()
    two_left = table("4d 9s Kd", "Qs Ah", THREE, f"{TEN} 8h", turn=3, pay_all_test="breach")
    assert result(after(two_left, "8h", "-", "Qs", "-", "-", "Kd", "Ah")).notes == ()  # free at first, then careful
    assert result(after(two_left, "8h", "-", "Qs", "-", "-", "-", "Ah")).notes != ()


def test_8_7_passing_the_lead_away() -> None:
    game = table("4d Kd", "8h 3d", THREE, TEN, turn=1)
    over = result(after(game, "8h", "-", "-", "-", "3d"))
    assert over.points == (2 + 3 + 20, 0, 0, 0)
    assert not result(after(table("4d 7d", "8h 3d", THREE, TEN, turn=1), "8h", "-", "-", "-", "3d")).notes


def test_8_8_no_bigger_play_is_ever_demanded() -> None:
    quads = "4d 4c 4h 4s 9d Ks"
    assert not charged(quads, "As", "Ks", "As", top="8h", pay_all_test="breach")


def test_8_9_it_never_forbids_a_play() -> None:
    careless = table("4d 4c Kd", "As", THREE, TEN)
    assert [str(combo.head) for combo in careless.view(0).plays] == ["4d", "4c", "Kd", "4c"]
    assert after(careless, "4d").turn == 1
    followed = after(table("4d 9s Kd", "Qs", THREE, f"{TEN} 8h", turn=3), "8h")
    assert after(followed, "-").turn == after(followed, "9s").turn == 1
