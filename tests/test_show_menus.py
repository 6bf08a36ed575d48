"""Degradation of a redrawn message without room for its open menus."""

from __future__ import annotations

import pytest
from discord import ui

from bot.domain.ids import TableId
from bot.show.kit.custom_ids import Press, Verb
from bot.show.kit.layout import MAX_COMPONENTS, MAX_OPTIONS, TEXT_LIMIT, Accent, button, option, row, screen, select
from bot.show.kit.open_menus import Menus, chosen_way_back, keep_menus, menus_of_view
from tests.support.scenes import EN, check_limits, selects, texts

TABLE = TableId(7)
WAY_BACK = "bg:7:refresh"
CHANGED = "Your options here have changed."
BEFORE: Menus = {str(Press(TABLE, Verb.PREMOVE_MENU, at=1, part=number)): ("pass 1",) for number in range(4)}


def test_a_menu_keeps_what_it_offers_and_leads_back_last_of_all() -> None:
    address = next(iter(BEFORE))
    for values in (("pass 1",), ("pass 2", "on 0")):
        before: Menus = {address: ("pass 1",)}
        for _ in range(2):
            menu = select(Press.read(address), "…", [option(value, value) for value in values])
            shown = keep_menus(screen(Accent.YOURS, "Hand", menu), before, TABLE, EN)
            (kept,) = selects(shown)
            assert [each.value for each in kept.options] == [*values, WAY_BACK]
            assert (CHANGED in texts(shown)) is (values != before[address])
            assert menus_of_view(shown) == {address: values}
            check_limits(shown)
            before = menus_of_view(shown)


def test_an_empty_menu_keeps_only_the_way_back() -> None:
    shown = keep_menus(screen(Accent.YOURS, "Hand"), BEFORE, TABLE, EN)
    assert menus_of_view(shown) == dict.fromkeys(BEFORE, ())
    assert all([each.value for each in menu.options] == [WAY_BACK] for menu in selects(shown))
    assert texts(shown).count(CHANGED) == 1
    check_limits(shown)


def test_the_way_back_replaces_the_last_option_of_a_full_menu() -> None:
    address = next(iter(BEFORE))
    menu = select(Press.read(address), "…", [option(str(value), str(value)) for value in range(MAX_OPTIONS)])
    shown = keep_menus(screen(Accent.YOURS, menu), BEFORE, TABLE, EN)
    kept = next(each for each in selects(shown) if each.custom_id == address)
    assert [each.value for each in kept.options] == [*map(str, range(MAX_OPTIONS - 1)), WAY_BACK]
    check_limits(shown)


@pytest.mark.parametrize("rows", range(7))
def test_the_last_button_rows_are_dropped_beyond_the_component_limit(rows: int) -> None:
    buttons = [
        row(*(button("x", Press(TABLE, Verb.CARD, at=1, part=5 * at + one)) for one in range(5))) for at in range(rows)
    ]
    shown = keep_menus(screen(Accent.YOURS, "Hand", *buttons), BEFORE, TABLE, EN)
    assert menus_of_view(shown).keys() == BEFORE.keys()
    check_limits(shown)
    there = [item for item in shown.walk_children() if isinstance(item, ui.Button)]
    room = MAX_COMPONENTS - 3 - 2 * len(BEFORE)  # beside the frame and two texts
    assert len(there) == 5 * min(rows, room // 6)


def test_the_line_is_dropped_beyond_the_text_limit() -> None:
    for length in (TEXT_LIMIT - 5, TEXT_LIMIT):
        shown = keep_menus(screen(Accent.YOURS, "x" * length), BEFORE, TABLE, EN)
        assert CHANGED not in texts(shown)
        assert menus_of_view(shown).keys() == BEFORE.keys()
        check_limits(shown)


def test_the_way_back_is_distinguished_from_other_values() -> None:
    assert chosen_way_back(["3d", WAY_BACK]) == WAY_BACK
    for other in ("3d", "bg:7:play:1", "", "refresh", "pass 1"):
        assert chosen_way_back([other]) is None
