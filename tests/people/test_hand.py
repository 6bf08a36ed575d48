"""The private hand: opened with a button, never stale, and everything needed to play in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from simcord.results import InteractionResult

from bot.domain.refusals import TooLate
from bot.rules.core.cards import cards
from bot.table.table import Table
from tests.support.message_text import Shown, private
from tests.support.world import MANY_PLAYS, OUTSIDE, SHORT_HANDS, World, world

BACK = "Back to my cards"
ANNS = "`3♢` `3♣︎` `4♢` `7♠︎` `8♣︎` `8♠︎` `9♢` `9♣︎` `9♡` `J♢` `K♡` `A♡` `A♠︎`"
PAIR = "Play 3\u20093"  # what the button says that plays her two 3s
BY_SUIT = "`3♢` `4♢` `9♢` `J♢` `3♣︎` `8♣︎` `9♣︎` `9♡` `K♡` `A♡` `7♠︎` `8♠︎` `A♠︎`"


def listed(shown: Shown) -> tuple[str, ...]:
    """The legal plays that a hand lists."""
    return next((values for target, values in shown.selects.items() if ":play" in target), ())


def play_button(shown: Shown) -> str:
    """What the button says that plays the chosen cards."""
    return next(label for label, (address, _) in shown.buttons.items() if ":play:" in address)


async def test_the_hand_names_its_server_and_table_and_links_back(here: World) -> None:
    table = await here.start_table()
    shown = private(await here.open_hand("ann", table))
    board = f"https://discord.com/channels/{here.guild.id}/{table.row.home}/{table.row.message}"
    assert f"[Big Two, table 1]({board}) · The Deck" in shown.text
    assert "Your turn" in shown.text
    assert "The first play must include `3♢`." in shown.text
    assert ANNS in shown.text


async def test_picked_cards_are_recognised(here: World) -> None:
    table = await here.start_table("ben")
    opened = await here.open_hand("ann", table)
    pair = private(await here.pick("ann", opened, "3d", "3c"))
    assert "✓ You can lead a pair of 3s." in pair.text
    assert pair.buttons[PAIR] == (f"bg:{table.id}:play:0", False)
    full = private(await here.pick("ann", opened, "3d", "3c", "9d", "9c", "9h"))
    assert "✓ You can lead a full house of 9s." in full.text
    nothing = private(await here.pick("ann", opened))
    assert "Pick the cards you want to play." in nothing.text
    assert nothing.buttons["Play"][1]


async def test_what_cannot_lead_is_explained_with_the_article(here: World) -> None:
    table = await here.start_table("ben")
    for picked, why in (
        (("3d", "8s"), "`3♢` `8♠︎` isn't a pair. A pair is two cards of the same rank."),
        (("3d", "3c", "4d", "7s"), "**4.1 "),
        (("8c", "8s"), "`3♢`"),  # the first play has to contain it
    ):
        shown = await here.pick("ann", await here.open_hand("ann", table), *picked)
        assert "✗" in private(shown).text
        assert why in private(await here.press_on("ann", shown, "Why not?")).text


async def test_what_does_not_beat_the_pile_is_explained_with_the_article(here: World) -> None:
    table = await here.start_table("ben")
    await here.play("ann", table, cards("3d 3c"))
    opened = await here.open_hand("ben", table)
    beats = private(await here.pick("ben", opened, "5d", "5c"))
    assert "✓ A pair of 5s beats a pair of 3s." in beats.text
    half = private(await here.pick("ben", opened, "5d"))
    assert "1 of 2 for a pair of 5s." in half.text
    assert half.buttons["Play"][1], "half-way is not wrong"
    await here.pick("ben", opened, "Ad")
    assert "✗" not in private(opened).text
    await here.play("ben", table, cards("Ad Ac"))
    while here.turn(table) != "ann":
        await here.pass_("ben", table)
    lower = await here.pick("ann", await here.open_hand("ann", table), "8c", "8s")
    assert "✗ A pair of 8s doesn't beat" in private(lower).text
    assert "**4.3 " in private(await here.press_on("ann", lower, "Why not?")).text


async def test_few_legal_plays_stand_ready_weakest_first_and_are_played_with_one_tap(here: World) -> None:
    table = await here.start_table("ben")
    opened = await here.open_hand("ann", table)
    assert list(private(opened).buttons)[-3:-1] == ["3♢", "pair of 3s"], "a full house has no room beside them"
    played = private(await here.press_on("ann", opened, "pair of 3s"))
    assert "Your 11 cards" in played.text
    assert not any("♢" in label for label in private(await here.open_hand("cleo", table)).buttons), "not cleo's turn"


async def test_a_play_that_stood_ready_for_an_earlier_moment_is_too_late(here: World) -> None:
    table = await here.start_table("ben", pace="none")
    opened = await forgotten(here, table)
    await here.press_on("ann", await here.open_hand("ann", table), "3♢")
    late = private(await here.press_on("ann", opened, "pair of 3s"))
    assert TooLate().sentence in late.text
    assert "Your 12 cards" in late.text


async def forgotten(here: World, table: Table) -> InteractionResult:
    """Let Ann open her hand, and wait until Discord forbids edits of it."""
    opened = await here.open_hand("ann", table)
    await here.later(minutes=16)
    return opened


async def test_more_plays_than_stand_ready_are_listed(here: World) -> None:
    table = await here.start_table("ben", "cleo", "dev")
    await here.play("ann", table, cards("3d"))
    opened = private(await here.open_hand("ben", table))
    ready = [label for label, (address, _) in opened.buttons.items() if ":offer" in address]
    assert len(ready) == 3
    behind = private(await here.press_on("ben", await here.open_hand("ben", table), "⋯"))
    assert len(listed(behind)) > 3
    chosen = private(await here.pick_play("ben", await here.open_hand("ben", table), listed(behind)[4]))
    assert "✓ " in chosen.text, "what is chosen there is picked, not played"


async def test_of_many_plays_that_can_be_led_the_weakest_of_each_kind_is_listed_and_stands_ready(
    tmp_path: Path,
) -> None:
    async with world(tmp_path, deal=MANY_PLAYS) as here:
        table = await here.start_table()
        opened = await here.open_hand("ann", table)
        ready = [label for label, (target, _) in private(opened).buttons.items() if ":offer:" in target]
        assert ready == ["3♢", "A–5 straight"]
        assert listed(private(await here.press_on("ann", opened, "⋯"))) == ("3d", "Ad2d3d4c5c", "3d6d8d9dTd")


async def test_play(here: World) -> None:
    table = await here.start_table("ben")
    opened = await here.open_hand("ann", table)
    await here.pick("ann", opened, "3d", "3c")
    played = private(await here.press_on("ann", opened, PAIR))
    assert "Your 11 cards" in played.text
    assert "`3♣︎` `4♢`" not in played.text
    assert "**ann** played a pair of 3s:\n## `3♢` `3♣︎`" in here.read(table).text
    assert here.turn(table) == "ben"


async def test_pass(here: World) -> None:
    table = await here.start_table("ben", "cleo", "dev")
    await here.play("ann", table, cards("3d 3c"))
    opened = await here.open_hand("ben", table)
    passed = private(await here.press_on("ben", opened, "Pass"))
    assert "Your 13 cards" in passed.text
    assert here.turn(table) == "cleo"
    await here.press("cleo", table, "Pass")  # the board has one as well
    assert here.turn(table) == "dev"
    assert "Passed: ben and cleo" in here.read(table).text
    assert private(await here.press("ben", table, "Pass")).text == "It's dev's turn."


async def test_the_order_of_cards_is_remembered_also_after_a_restart(here: World) -> None:
    table = await here.start_table("ben")
    opened = await here.open_hand("ann", table)
    assert ANNS in private(opened).text
    sorted_now = private(await here.press_behind("ann", opened, "Settings", "☐ Sort by suit", BACK))
    assert BY_SUIT in sorted_now.text
    await here.restart()
    table = await here.again(table)
    afterwards = await here.open_hand("ann", table)
    assert BY_SUIT in private(afterwards).text
    assert "`3♡` `4♣︎` `5♢`" in private(await here.open_hand("ben", table)).text  # only hers
    by_rank = await here.press_behind("ann", afterwards, "Settings", "☑\ufe0e Sort by suit", BACK)
    assert ANNS in private(by_rank).text


async def test_refresh_keeps_the_choice_and_shows_how_it_stands(here: World) -> None:
    table = await here.start_table("ben", pace="none")
    opened = await here.open_hand("ben", table)
    await here.pick("ben", opened, "5d", "5c")
    await here.later(minutes=20)  # too late for the bot to refresh it by itself
    await here.play("ann", table, cards("3d 3c"))
    assert "**ann** to play" in private(opened).text
    fresh = private(await here.press_behind("ben", opened, "Back to my cards"))
    assert "Your turn" in fresh.text
    assert "✓ A pair of 5s beats a pair of 3s." in fresh.text


async def test_a_late_click_is_told_kindly_and_sees_how_it_stands(here: World) -> None:
    table = await here.start_table("ben", pace="none")
    opened = await here.open_hand("ann", table)
    await here.pick("ann", opened, "3d", "3c")
    await here.later(minutes=16)
    await here.play("ann", table, cards("3d"))
    late = private(await here.press_on("ann", opened, PAIR))
    assert "The game has moved on since that button was shown. This is how it stands now." in late.text
    assert "Your 12 cards" in late.text
    assert (await here.again(table)).state.ply == 1


async def test_a_double_click_counts_once(here: World) -> None:
    table = await here.start_table("ben")
    opened = await here.open_hand("ann", table)
    picked = await here.pick("ann", opened, "3d")
    assert picked.response is not None
    await here.click_at_once([("ann", play_button(private(picked)))] * 2, picked.response.message)
    assert table.state.ply == 1
    row = await here.parts.store.tables.load(table.id)
    assert row is not None
    assert [step.action for step in row.steps] == ["3d"]
    assert "Your 12 cards" in private(picked).text


async def test_who_does_not_sit_there_sees_no_hand(here: World) -> None:
    table = await here.start_table("ben")
    assert private(await here.open_hand("dev", table)).text.startswith(OUTSIDE)
    assert private(await here.press("dev", table, "Leave")).text.startswith(OUTSIDE)


@pytest.mark.parametrize("restarted", [False, True])
async def test_a_hand_days_later(here: World, restarted: bool) -> None:
    table = await here.start_table("ben", pace="none")
    opened = await here.open_hand("ann", table)
    await here.pick("ann", opened, "3d", "3c")
    await here.later(days=3)
    if restarted:
        await here.restart()
    table = await here.again(table)  # meanwhile the bot has put it out of its memory
    assert ANNS in private(await here.open_hand("ann", table)).text
    await here.press_on("ann", opened, PAIR)  # the buttons of the old one as well
    assert "Your 11 cards" in private(opened).text
    assert here.turn(table) == "ben"


async def test_an_open_hand_refreshes_itself_when_the_turn_comes(here: World) -> None:
    table = await here.start_table("ben")
    opened = await here.open_hand("ben", table)
    assert "**ann** to play" in private(opened).text
    await here.play("ann", table, cards("3d 3c"))
    assert "Your turn" in private(opened).text
    assert {"pair of 5s", "A\u2009A"} < set(private(opened).buttons)


async def test_a_new_hand_is_shown_to_everybody_whose_hand_is_open(here: World) -> None:
    here.deal = SHORT_HANDS
    table = await here.start_table("ben", hands=2)
    opened = {name: await here.open_hand(name, table) for name in ("ann", "ben")}
    await here.play_hand(table)
    assert all("Ready for the next hand?" in private(hand).text for hand in opened.values())
    for name in opened:
        await here.press(name, table, "Ready")
    assert all("Your 13 cards" in private(hand).text for hand in opened.values())
    assert not any("Ready" in private(hand).buttons for hand in opened.values())


async def test_a_hand_is_refreshed_though_its_answer_is_slow(here: World) -> None:
    table = await here.start_table()
    opened = await here.open_hand("ann", table)
    picked = await here.pick("ann", opened, "3d", "3c")
    here.env.slow_answers(0.3)
    await here.press_on("ann", picked, PAIR)
    assert table.state.ply > 1
    assert "Your turn" in private(opened).text
    assert "Your 11 cards" in private(opened).text


async def test_a_late_ready_is_told_kindly(here: World) -> None:
    table = await here.start_table(hands=2)
    await here.play_hand(table)
    board = here.board(table)
    await here.press("ann", table, "Ready")
    assert "The game has moved on" in private(await here.click_stale("ann", board, "Ready")).text
    assert private(await here.click_stale("dev", board, "Ready")).text.startswith(OUTSIDE)


async def test_of_two_clicks_in_two_browsers_one_counts(here: World) -> None:
    table = await here.start_table("ben", pace="none")
    one = await here.open_hand("ann", table)
    await here.pick("ann", one, "3d", "3c")
    await here.later(minutes=16)
    other = await here.open_hand("ann", table)
    single = await here.pick("ann", other, "3d")
    await here.press_on("ann", single, play_button(private(single)))
    late = private(await here.press_on("ann", one, PAIR))
    assert "The game has moved on" in late.text
    assert (await here.again(table)).state.ply == 1
    assert "Queue 3♣\ufe0e" in private(one).buttons, "what is left of what was picked"


async def test_the_last_trick(here: World) -> None:
    table = await here.start_table("ben", "cleo", "dev")
    await here.play("ann", table, cards("3d 3c"))
    await here.play("ben", table, cards("Ad Ac"))
    for name in ("cleo", "dev", "ann"):
        await here.pass_(name, table)
    shown = private(await here.press("dev", table, "Last trick")).text
    assert "ann: a pair of 3s" in shown
    assert "ben: a pair of aces" in shown
    assert shown.index("cleo passes") < shown.index("ann passes")


async def test_the_rules_of_a_table(here: World) -> None:
    table: Table = await here.start_table()
    assert "Big Two" in private(await here.press("ben", table, "Rules")).text
