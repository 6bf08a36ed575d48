"""A person's own choices: /my choices."""

from __future__ import annotations

from typing import Any

import pytest
from simcord.results import InteractionResult

from bot.domain.preferences import Preferences
from bot.rules.core.cards import cards
from bot.show.kit.words import Words
from bot.show.people.card_preferences import settings
from bot.show.people.preferences import choices
from bot.table.table import Table
from tests.support.message_text import picked, private_reply
from tests.support.scenes import check_limits, match_after, scene, words_of_every_language
from tests.support.world import World


async def test_sorting_and_direct_messages_are_chosen_on_one_screen(here: World) -> None:
    table = await here.start_table("ben")
    opened = await here.ann.slash(here.channel, "my choices")
    for choice in ("Sort by suit", "Hand by DM"):
        await here.press_on("ann", opened, f"☐ {choice}")
        assert f"☑\ufe0e {choice}" in private_reply(opened).buttons
    preferences = await here.parts.preferences.of(here.ann.id)
    assert (preferences.by_suit, preferences.mirror, preferences.locale) == (True, True, "en-US")
    behind = await here.press_in_menu("ann", await here.open_hand("ann", table), "Settings")
    assert "☑\ufe0e Sort by suit" in private_reply(behind).buttons
    await here.restart()
    again = await here.ann.slash(here.channel, "my choices")
    for choice in ("Sort by suit", "Hand by DM"):
        await here.press_on("ann", again, f"☑\ufe0e {choice}")
        assert f"☐ {choice}" in private_reply(again).buttons
    preferences = await here.parts.preferences.of(here.ann.id)
    assert (preferences.by_suit, preferences.mirror) == (False, False)


@pytest.mark.parametrize("w", words_of_every_language())
def test_the_screen_keeps_within_discord_limits(w: Words) -> None:
    for preferences in (Preferences(), Preferences(by_suit=True, mirror=True)):
        check_limits(choices(preferences, w).secret)
        check_limits(settings(scene(match_after(), 0, 1), preferences, w).secret)


async def test_cards_look_as_their_owner_likes_them(here: World) -> None:
    await here.draw_cards()
    table = await here.start_table("ben")
    panel, bens = await here.open_hand("ann", table), await here.open_hand("ben", table)
    assert "<:bg1_3d_four:" in private_reply(panel).text
    await here.press_in_menu("ann", panel, "Settings", "☐ Text only")
    assert "<:" not in private_reply(panel).text, "one sees at once how that looks"
    plain = private_reply(await here.press_on("ann", panel, "Back to my cards"))
    assert "`3♢`" in plain.text
    assert "<:" not in plain.text
    assert "# `" not in plain.text
    large = await here.press_in_menu("ann", panel, "Settings", "☐ Big cards", "Back to my cards")
    assert "\n## `3♢` `3♣︎`" in private_reply(large).text
    await here.press_in_menu("ann", panel, "Settings", "☑\ufe0e Text only", "☐ Two colors", "Back to my cards")
    assert "\n# <:bg1_3d:" in private_reply(panel).text
    assert "<:bg1_9h:" in private_reply(panel).text, "red stays red"
    await here.pick("ann", panel, "3d")
    assert "<:bg1_3d_up:" in private_reply(panel).text
    await here.play("ann", table, cards("3d 3c"))
    assert "<:bg1_3d_four:" in private_reply(bens).text, "to others nothing changes"


async def test_a_user_who_never_chose_suit_colours_is_informed_once(here: World) -> None:
    await here.draw_cards()
    for name in ("ann", "ben"):
        await here.parts.preferences.change(here.people[name].id, suit_colours="untold")
    table = await here.start_table("ben")
    hand = await here.open_hand("ann", table)
    told = private_reply(hand)
    assert "-# Suits now have four colors." in told.text
    assert list(told.buttons)[-1] == "Two colors"
    hand = await here.open_hand("ann", table)
    assert "Two colors" in private_reply(hand).buttons, "until they have clicked there"
    await here.pick("ann", hand, "3d")
    assert "Two colors" not in private_reply(hand).buttons
    assert "Two colors" not in private_reply(await here.open_hand("ann", table)).buttons
    bens = await here.open_hand("ben", table)
    assert "☑\ufe0e Two colors" in private_reply(await here.press_on("ben", bens, "Two colors")).buttons
    assert "<:bg1_ad:" in private_reply(await here.press_on("ben", bens, "Back to my cards")).text
    for address, colours in (("four_colours:1", "four"), ("four_colours", "two"), ("four_colours", "four")):
        await here.forge(here.people["ben"], bens, f"bg:{table.id}:{address}")  # as buttons of earlier releases say
        assert (await here.parts.preferences.of(here.people["ben"].id)).suit_colours == colours


async def test_an_old_choices_screen_still_sets_four_colours_and_the_rest_has_expired(
    here: World,
) -> None:
    opened = await here.ann.slash(here.channel, "my choices")
    for wanted, colours in ((1, "four"), (0, "two")):
        shown = private_reply(await here.forge(here.ann, opened, f"bv:my_choice:four_colours:{wanted}"))
        assert ("☑\ufe0e Two colors" in shown.buttons) == (colours == "two")
        assert (await here.parts.preferences.of(here.ann.id)).suit_colours == colours
    for address in ("bv:my_choice:suit", "bv:my_choice:locale:1", "bv:my_choice:large:2"):
        assert "That choice has expired." in private_reply(await here.forge(here.ann, opened, address)).text


async def start_with_confirmation(here: World, **options: Any) -> tuple[Table, InteractionResult]:
    """Start a match of Ann, who confirms each play; return the table and her hand."""
    await here.parts.preferences.change(here.ann.id, confirm=True)
    table = await here.start_table("ben", **options)
    return table, await here.open_hand("ann", table)


def button_purposes(shown: InteractionResult) -> list[str]:
    """Return what each button is for, in order: Play, and the question in its place, are the same."""
    addresses = (
        address.split(":")[2] for address, _ in private_reply(shown).buttons.values() if address.startswith("bg:")
    )
    return ["play" if verb == "sure" else verb for verb in addresses]


async def test_confirming_a_play_takes_a_second_tap_on_the_same_cards(here: World) -> None:
    table, panel = await start_with_confirmation(here, pace="none")
    await here.pick("ann", panel, "3d")
    await here.press_on("ann", panel, "Play 3♢")
    await here.pick("ann", panel, "3d", "3c")
    assert "Sure?" not in private_reply(panel).buttons, "the question goes with what it was asked about"
    await here.pick("ann", panel, "4d")
    wrong = await here.press_on("ann", panel, "Why not?")
    assert "Sure?" not in private_reply(wrong).buttons, "what cannot be played is not asked about"
    await here.press_on("ann", panel, "Back to my cards")
    await here.pick("ann", panel, "3d", "3c")
    before = button_purposes(panel)
    asked = private_reply(await here.press_on("ann", panel, "Play 3\u20093"))
    assert asked.buttons["Sure?"] == (f"bg:{table.id}:sure:0", False)
    assert button_purposes(panel) == before, "nothing has moved"
    assert here.current_player(table) == "ann"
    assert "✓ You can lead a pair of 3s." in asked.text
    played = private_reply(await here.press_on("ann", panel, "Sure?"))
    assert "Your 11 cards" in played.text
    assert here.current_player(table) == "ben"


async def test_with_confirmation_a_ready_play_is_picked_first(here: World) -> None:
    table, panel = await start_with_confirmation(here)
    before = button_purposes(panel)
    await here.press_on("ann", panel, "pair of 3s")
    assert here.current_player(table) == "ann"
    assert panel.response
    assert picked(panel.response.message, table.ruleset.rules.pack) == cards("3d 3c")
    assert button_purposes(panel) == before
    await here.restart()
    await here.press_on("ann", panel, "Sure?")
    assert here.current_player(await here.reload(table)) == "ben"
