"""The private hand: opened with a button, never stale, and everything needed to play in it."""

from __future__ import annotations

from typing import Any, TypeGuard

from discord import ui
from simcord.results import InteractionResult

from bot.domain.refusals import TooLate
from bot.rules.core.cards import cards
from bot.show.hand.hand import hand
from bot.show.hand.panel import hand_menu
from bot.table.table import Table
from tests.people.positions import record_until
from tests.support.message_text import ParsedMessage, private_reply
from tests.support.scenes import EN, scene, selects
from tests.support.world import MANY_PLAYS, NOT_SEATED, SHORT_HANDS, World

BACK = "Back to my cards"
ANNS = "`3♢` `3♣︎` `4♢` `7♠︎` `8♣︎` `8♠︎` `9♢` `9♣︎` `9♡` `J♢` `K♡` `A♡` `A♠︎`"
PAIR = "Play 3\u20093"  # what the button says that plays her two 3s
BY_SUIT = "`3♢` `4♢` `9♢` `J♢` `3♣︎` `8♣︎` `9♣︎` `9♡` `K♡` `A♡` `7♠︎` `8♠︎` `A♠︎`"


def listed_plays(shown: ParsedMessage) -> tuple[str, ...]:
    """The legal plays that a hand lists."""
    return next((values for target, values in shown.selects.items() if ":play" in target), ())


def play_label(shown: ParsedMessage) -> str:
    """What the button says that plays the chosen cards."""
    return next(label for label, (address, _) in shown.buttons.items() if ":play:" in address)


async def test_picked_cards_are_recognised_and_played(here: World) -> None:
    table = await here.start_table("ben")
    opened = await here.open_hand("ann", table)
    shown = private_reply(opened)
    board = f"https://discord.com/channels/{here.guild.id}/{table.row.home}/{table.row.message}"
    assert f"[Big Two, table 1]({board}) · The Deck" in shown.text
    assert "Your turn" in shown.text
    assert "The first play must include `3♢`." in shown.text
    assert ANNS in shown.text
    assert list(shown.buttons)[-3:-1] == ["3♢", "pair of 3s"], "a full house has no room beside them"
    full = private_reply(await here.pick("ann", opened, "3d", "3c", "9d", "9c", "9h"))
    assert "✓ You can lead a full house of 9s." in full.text
    nothing = private_reply(await here.pick("ann", opened))
    assert "Pick the cards you want to play." in nothing.text
    assert nothing.buttons["Play"][1]
    pair = private_reply(await here.pick("ann", opened, "3d", "3c"))
    assert "✓ You can lead a pair of 3s." in pair.text
    assert pair.buttons[PAIR] == (f"bg:{table.id}:play:0", False)
    played = private_reply(await here.press_on("ann", opened, PAIR))
    assert "Your 11 cards" in played.text
    assert "`3♣︎` `4♢`" not in played.text
    assert "**ann** played a pair of 3s:\n## `3♢` `3♣︎`" in here.read_board(table).text
    assert here.current_player(table) == "ben"


async def test_an_illegal_lead_or_a_weaker_play_is_explained_with_the_article(here: World) -> None:
    table = await here.start_table("ben")
    shown = await here.pick("ann", await here.open_hand("ann", table), "3d", "3c", "4d", "7s")
    assert "✗" in private_reply(shown).text
    assert "**4.1 " in private_reply(await here.press_on("ann", shown, "Why not?")).text
    shown = await here.pick("ann", await here.open_hand("ann", table), "8c", "8s")
    assert "`3♢`" in private_reply(await here.press_on("ann", shown, "Why not?")).text, (
        "the first play has to contain it"
    )
    await here.play_directly("ann", table, "3d 3c")
    opened = await here.open_hand("ben", table)
    half = private_reply(await here.pick("ben", opened, "5d"))
    assert "1 of 2 for a pair of 5s." in half.text
    assert half.buttons["Play"][1], "half-way is not wrong"
    beats = private_reply(await here.pick("ben", opened, "5d", "5c"))
    assert "✓ A pair of 5s beats a pair of 3s." in beats.text
    await here.play_directly("ben", table, "Ad Ac")
    while here.current_player(table) != "ann":
        await here.play_directly("ben", table)
    lower = await here.pick("ann", await here.open_hand("ann", table), "8c", "8s")
    assert "✗ A pair of 8s doesn't beat" in private_reply(lower).text
    assert "**4.3 " in private_reply(await here.press_on("ann", lower, "Why not?")).text


async def test_a_ready_play_is_played_with_one_tap_but_not_at_a_later_moment(here: World) -> None:
    table = await here.start_table("ben", "cleo", pace="none")
    stale = await open_uneditable_hand(here, table)
    bens = await here.open_hand("ben", table)
    assert "**ann**'s turn" in private_reply(bens).text
    played = private_reply(await here.press_on("ann", await here.open_hand("ann", table), "pair of 3s"))
    assert "Your 11 cards" in played.text
    assert "Your turn" in private_reply(bens).text, "an open hand refreshes itself when the turn comes"
    assert {"two 5s", "two As"} < set(private_reply(bens).buttons)
    assert not any("♢" in label for label in private_reply(await here.open_hand("cleo", table)).buttons), (
        "not cleo's turn"
    )
    late = private_reply(await here.press_on("ann", stale, "3♢"))
    assert TooLate().sentence in late.text
    assert "Your 11 cards" in late.text


async def open_uneditable_hand(here: World, table: Table) -> InteractionResult:
    """Open Ann's hand, and wait until its token has expired."""
    opened = await here.open_hand("ann", table)
    await here.advance(minutes=16)
    return opened


async def test_plays_without_a_ready_button_are_listed(here: World) -> None:
    table = await here.start_table("ben", "cleo", "dev")
    await here.play("ann", table, cards("3d"))
    opened = private_reply(await here.open_hand("ben", table))
    ready = [label for label, (address, _) in opened.buttons.items() if ":offer" in address]
    assert len(ready) == 3
    behind = private_reply(await here.press_on("ben", await here.open_hand("ben", table), "⋯"))
    assert len(listed_plays(behind)) > 3
    chosen = private_reply(await here.pick_play("ben", await here.open_hand("ben", table), listed_plays(behind)[4]))
    assert "✓ " in chosen.text, "what is chosen there is picked, not played"


def test_of_many_possible_leads_the_weakest_of_each_kind_is_offered() -> None:
    led = scene(record_until(lambda _: True, "B2:std", MANY_PLAYS).replay(), 0, 0)
    ready = [item.label for item in hand(led, EN, where="Here").secret.walk_children() if is_ready_play(item)]
    assert ready == ["3♢", "A–5 straight"]
    (plays,) = (each for each in selects(hand_menu(led, EN)) if ":play" in each.custom_id)
    assert [each.value for each in plays.options] == ["3d", "Ad2d3d4c5c", "3d6d8d9dTd"]


def is_ready_play(item: object) -> TypeGuard[ui.Button[Any]]:
    """Tell whether an item of a hand is a play that stands ready."""
    return isinstance(item, ui.Button) and ":offer:" in (item.custom_id or "")


async def test_pass_and_look_at_the_last_trick(here: World) -> None:
    table = await here.start_table("ben", "cleo", "dev")
    await here.play_directly("ann", table, "3d 3c")
    opened = await here.open_hand("ben", table)
    passed = private_reply(await here.press_on("ben", opened, "Pass"))
    assert "Your 13 cards" in passed.text
    assert here.current_player(table) == "cleo"
    await here.press("cleo", table, "Pass")  # the board has one as well
    assert here.current_player(table) == "dev"
    assert "Passed: ben and cleo" in here.read_board(table).text
    assert private_reply(await here.press("ben", table, "Pass")).text == "It's dev's turn."
    await here.play_directly("dev", table)
    await here.play_directly("ann", table, "4d")
    shown = private_reply(await here.press("dev", table, "Last trick")).text
    assert "ann: a pair of 3s" in shown
    assert shown.index("cleo passes") < shown.index("You passed")
    assert "Big Two" in private_reply(await here.press("ben", table, "Rules")).text
    here.arrive("eve")
    for label in ("My hand", "Leave"):
        assert private_reply(await here.press("eve", table, label)).text.startswith(NOT_SEATED)


async def test_the_sort_order_is_remembered_after_a_restart(here: World) -> None:
    table = await here.start_table("ben")
    opened = await here.open_hand("ann", table)
    assert ANNS in private_reply(opened).text
    sorted_now = private_reply(await here.press_in_menu("ann", opened, "Settings", "☐ Sort by suit", BACK))
    assert BY_SUIT in sorted_now.text
    await here.restart()
    table = await here.reload(table)
    afterwards = await here.open_hand("ann", table)
    assert BY_SUIT in private_reply(afterwards).text
    assert "`3♡` `4♣︎` `5♢`" in private_reply(await here.open_hand("ben", table)).text  # only hers
    by_rank = await here.press_in_menu("ann", afterwards, "Settings", "☑\ufe0e Sort by suit", BACK)
    assert ANNS in private_reply(by_rank).text


async def test_refresh_keeps_the_selection_and_shows_the_present_state(here: World) -> None:
    table = await here.start_table("ben", pace="none")
    opened = await here.open_hand("ben", table)
    await here.pick("ben", opened, "5d", "5c")
    await here.advance(minutes=20)  # too late for the bot to refresh it by itself
    await here.play("ann", table, cards("3d 3c"))
    assert "**ann**'s turn" in private_reply(opened).text
    fresh = private_reply(await here.press_in_menu("ben", opened, "Back to my cards"))
    assert "Your turn" in fresh.text
    assert "✓ A pair of 5s beats a pair of 3s." in fresh.text


async def test_a_double_click_counts_once(here: World) -> None:
    table = await here.start_table("ben")
    opened = await here.open_hand("ann", table)
    picked = await here.pick("ann", opened, "3d")
    assert picked.response is not None
    await here.click_at_once([("ann", play_label(private_reply(picked)))] * 2, picked.response.message)
    assert table.state.ply == 1
    row = await here.parts.store.tables.load(table.id)
    assert row is not None
    assert [step.action for step in row.steps] == ["3d"]
    assert "Your 12 cards" in private_reply(picked).text


async def test_a_hand_days_later_and_after_a_restart(here: World) -> None:
    table = await here.start_table("ben", pace="none")
    opened = await here.open_hand("ann", table)
    await here.pick("ann", opened, "3d")
    await here.advance(days=3)
    table = await here.reload(table)  # meanwhile the bot has put it out of its memory
    assert ANNS in private_reply(await here.open_hand("ann", table)).text
    await here.pick("ann", opened, "3d", "3c")  # the buttons of the old one as well
    assert "✓ You can lead a pair of 3s." in private_reply(opened).text
    await here.restart()
    await here.press_on("ann", opened, PAIR)
    assert "Your 11 cards" in private_reply(opened).text
    assert here.current_player(await here.reload(table)) == "ben"


async def test_a_new_hand_replaces_every_open_hand(here: World) -> None:
    here.deal = SHORT_HANDS
    table = await here.start_table("ben", hands=2)
    await here.play_hand(table)
    opened = {name: await here.open_hand(name, table) for name in ("ann", "ben")}
    assert all("Ready for the next hand?" in private_reply(hand).text for hand in opened.values())
    board = here.board(table)
    for name in opened:
        await here.press(name, table, "Ready")
    assert all("Your 13 cards" in private_reply(hand).text for hand in opened.values())
    assert not any("Ready" in private_reply(hand).buttons for hand in opened.values())
    assert "The game has moved on" in private_reply(await here.click_stale("ann", board, "Ready")).text
    assert private_reply(await here.click_stale("dev", board, "Ready")).text.startswith(NOT_SEATED)


async def test_a_hand_is_refreshed_though_its_answer_is_slow(here: World) -> None:
    table = await here.start_table()
    opened = await here.open_hand("ann", table)
    picked = await here.pick("ann", opened, "3d", "3c")
    here.env.slow_answers(0.3)
    await here.press_on("ann", picked, PAIR)
    assert table.state.ply > 1
    assert "Your turn" in private_reply(opened).text
    assert "Your 11 cards" in private_reply(opened).text


async def test_one_of_two_clicks_in_two_browsers_counts(here: World) -> None:
    table = await here.start_table("ben", pace="none")
    one = await here.open_hand("ann", table)
    await here.pick("ann", one, "3d", "3c")
    await here.advance(minutes=16)
    other = await here.open_hand("ann", table)
    single = await here.pick("ann", other, "3d")
    await here.press_on("ann", single, play_label(private_reply(single)))
    late = private_reply(await here.press_on("ann", one, PAIR))
    assert "The game has moved on since that button was shown. This is how it stands now." in late.text
    assert "Your 12 cards" in late.text
    assert (await here.reload(table)).state.ply == 1
    assert "Queue 3♣\ufe0e" in private_reply(one).buttons, "what is left of what was picked"
