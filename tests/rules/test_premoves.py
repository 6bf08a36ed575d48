"""When a premove ends because of something that its owner would want to know."""

from __future__ import annotations

from bot.rules.core.cards import cards
from bot.rules.core.premoves import EndedPremove, Premove, PremoveEnd, PremoveOrigin, evaluate
from tests.rules.tien_len_positions import after, table

HANDS = ("2s 6s 6c 6d 6h 3h 4h 8d", "5s 5c 5d 5h 4s 8c 9s Ts", "2c 7d Th 9c")


def test_a_pass_until_something_changes_ends_with_a_bomb_of_the_same_kind_in_a_later_trick() -> None:
    bombed = after(table(*HANDS), "2s", "5s 5c 5d 5h")
    order = Premove("until", made=PremoveOrigin.of(bombed.view(2)))
    assert not isinstance(evaluate(order, bombed.view(2)), EndedPremove)
    again = after(bombed, "-", "-", "4s", "2c", "6s 6c 6d 6h")
    assert evaluate(order, again.view(2)) == EndedPremove(PremoveEnd("bomb", 0, cards("6s 6c 6d 6h")))


def test_a_pass_until_something_changes_lasts_for_equal_leads() -> None:
    led = after(table("3h 4h 9h Th", "5s 8c 9s Ts Js", "7d 9c"), "3h")
    order = Premove("until", made=PremoveOrigin.of(led.view(2)))
    assert not isinstance(evaluate(order, after(led, "5s", "-", "-", "8c").view(2)), EndedPremove)
