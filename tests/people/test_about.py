"""What the bot says of itself: /bigger help and /bigger about."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.games import GAMES
from bot.show.kit.words import Words
from bot.show.server.about import ANSWERS, answer, help_page, short_rules
from bot.version import version
from tests.support.message_text import private_reply
from tests.support.scenes import check_limits, texts, words_of_every_language
from tests.support.world import World, world

BOTH = ("How do I play a card?", "My table is stuck")


async def test_the_help_page_links_to_every_game_and_topic(here: World) -> None:
    opened = await here.ann.slash(here.channel, "bigger help")
    first = private_reply(opened)
    assert "Friends press Join; Play now fills the table" in first.text
    assert list(first.buttons) == [*(game.title for game in GAMES.values()), *BOTH]
    for label, expected in (
        ("Big A", "your partner is the player with its twin"),
        (BOTH[0], "Tap your cards, then the green button to play"),
        (BOTH[1], "`/hand` opens"),
    ):
        await here.press_on("ann", opened, label)
        assert expected.casefold() in private_reply(opened).text.casefold()
        await here.press_on("ann", opened, "Back")
        assert private_reply(opened) == first
    await here.press_on("ann", opened, "Big Two")
    await here.press_on("ann", opened, "All the rules")
    assert "## Big Two" in private_reply(opened).text
    assert "**Sections**" in private_reply(opened).text
    for address in ("bv:help_game:whist", "bv:help_topic:weather"):  # buttons of a game and a topic that are no more
        gone = await here.forge(here.ann, opened, address)
        assert private_reply(gone).text == "This button has expired. Open this again with /bigger help."


async def test_the_about_page_names_operator_contact_and_version(tmp_path: Path) -> None:
    links: dict[str, Any] = {f"{name}_link": f"https://a.test/{name}" for name in ("privacy", "terms", "source")}
    async with world(tmp_path, operator="Ann's *club*", contact="ann@a.test", **links) as here:
        await here.open_table()
        said = await here.slash("ann", "bigger about")
        assert f"Bigger, version {version()}" in said.text
        for part in ("Started <t:", "On 1 server", "1 open table", "Run by Ann's", "Contact: ann@a.test"):
            assert part in said.text
        assert "*club*" not in said.text
        targets = {label: target for label, (target, _) in said.buttons.items()}
        assert targets == {name.title(): f"https://a.test/{name}" for name in ("privacy", "terms", "source")}


async def test_the_about_page_omits_settings_that_are_not_set(here: World) -> None:
    shown = await here.ann.slash(here.channel, "bigger about")
    said = private_reply(shown)
    assert list(said.buttons) == ["Privacy", "Terms"], "which it has in any case"
    assert "Run by" not in said.text
    assert "What is kept, and why" in private_reply(await here.press_on("ann", shown, "Privacy")).text


@pytest.mark.parametrize("w", words_of_every_language())
def test_help_pages_keep_within_discord_limits(w: Words) -> None:
    for view in (
        help_page(w),
        *(short_rules(game, w) for game in GAMES.values()),
        *(answer(key, w) for key in ANSWERS),
    ):
        check_limits(view.secret)
        assert len(texts(view.secret)) < 1500, "nobody reads more"
