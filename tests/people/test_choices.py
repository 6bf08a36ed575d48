"""A person's own choices: /my choices."""

from __future__ import annotations

import pytest

from bot.ground.habits import Habits
from bot.show.choices import choices
from bot.show.words import Words
from tests.reading import private
from tests.scenes import check_limits, every_voice
from tests.world import World


async def test_sorting_and_direct_messages_are_chosen_in_one_place(here: World) -> None:
    table = await here.start_table("ben")
    opened = await here.ann.slash(here.channel, "my choices")
    await here.press_on("ann", opened, "Sort by suit")
    assert "Your cards are sorted by suit." in private(opened).text
    await here.press_on("ann", opened, "Send me my hand by direct message")
    assert "Your hand comes by direct message" in private(opened).text
    habits = await here.bot.habits.of(here.ann.id)
    assert (habits.by_suit, habits.mirror, habits.locale) == (True, True, "en-US")
    behind = await here.press_on("ann", await here.open_hand("ann", table), "⋯")
    assert "Sort by rank" in private(behind).buttons
    await here.restart()
    again = await here.ann.slash(here.channel, "my choices")
    for label in ("Sort by rank", "No more direct messages"):
        await here.press_on("ann", again, label)
    assert "I send you no direct messages." in private(again).text
    habits = await here.bot.habits.of(here.ann.id)
    assert (habits.by_suit, habits.mirror) == (False, False)


@pytest.mark.parametrize("w", every_voice())
def test_the_screen_is_within_the_limits_of_discord(w: Words) -> None:
    for habits in (Habits(), Habits(by_suit=True, mirror=True)):
        check_limits(choices(habits, w).secret)
