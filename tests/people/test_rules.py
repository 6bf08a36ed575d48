"""Reading the rules: /learn rules, /learn compare, and the buttons of the book."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from simcord import UserHandle
from simcord.results import InteractionResult

from bot.domain.house_rules import ChannelDefault, HouseRules, Owner
from bot.games import GAMES
from tests.support.message_text import ParsedMessage, private_reply
from tests.support.world import World, world

PRESETS = GAMES["big_two"].presets
FLUSH, HEARTS = "9s 7s 6s 5s 3s", "2h Jh 9h 6h 4h"
HIGHER = "Which is higher?"


async def press_verb(here: World, name: str, shown: InteractionResult, verb: str, at: int = 0) -> InteractionResult:
    """Press the button with a verb on a rule page."""
    assert shown.response is not None
    message = shown.response.message
    addresses = [
        address for address, _ in ParsedMessage.of(message).buttons.values() if address.startswith(f"bv:{verb}:")
    ]
    result = await here.people[name].click(message, custom_id=addresses[at])
    await here.settle()
    return result


async def fill_form(here: World, name: str, form: InteractionResult, **values: str) -> InteractionResult:
    """Fill in a form and send it."""
    result = await here.people[name].submit_modal(form, values)
    await here.settle()
    return result


async def choose_in_page(here: World, shown: InteractionResult, value: str) -> None:
    """Select a value in the only select of a rule page as Ann."""
    assert shown.response is not None
    (target,) = private_reply(shown).selects
    await here.ann.select(shown.response.message, [value], custom_id=target)
    await here.settle()


def next_disabled(shown: InteractionResult) -> bool:
    """Whether this is the last page; the second button turns on."""
    return list(private_reply(shown).buttons.values())[1][1]


# Leafing


async def test_rule_pages_turn_both_ways(here: World) -> None:
    opened = await here.ann.slash(here.channel, "learn rules")
    first = private_reply(opened)
    assert first.text.startswith("## Big Two\n**Big Two**: Standard\n`B2:std`")
    assert first.buttons["Previous"][1]
    await press_verb(here, "ann", opened, "rules", 1)
    second = private_reply(opened)
    assert "**1.1 " in second.text
    assert not second.buttons["Previous"][1]
    await press_verb(here, "ann", opened, "rules", 0)
    assert private_reply(opened) == first
    ((_, sections),) = first.selects.items()
    await choose_in_page(here, opened, sections[-1])
    assert f"**{sections[-1].replace('-', '.')} " in private_reply(opened).text


async def test_pages_can_be_turned_and_a_form_sent_after_a_restart(here: World) -> None:
    opened = await here.ann.slash(here.channel, "learn rules", rules="B2:hk+straights=ace_low,stake=17")
    await press_verb(here, "ann", opened, "rules", 1)
    before = private_reply(opened).text
    assert "Hong Kong, but " in before
    form = await press_verb(here, "ann", opened, "search")
    await here.restart()
    await press_verb(here, "ann", opened, "rules", 1)
    await press_verb(here, "ann", opened, "rules", 0)
    assert private_reply(opened).text == before
    assert "stake=17" in before
    await fill_form(here, "ann", form, words="flush")
    assert "**C10.2 " in private_reply(opened).text


async def test_old_custom_ids_open_a_page_and_unknown_rules_are_refused(here: World) -> None:
    opened = await here.ann.slash(here.channel, "learn rules")
    for address in ("bv:rules:big_two:0:4-10", "bv:rules:big_two:0:3", "bv:rules:big_two:pagat:C999-9"):
        await here.forge(here.ann, opened, address)
        assert "Standard" in private_reply(opened).text
    answer = await here.forge(here.ann, opened, "bv:rules:big_two:-0000-77:4-10")
    assert "Use /learn rules to open the rules again" in private_reply(answer).text


# Whose rules


async def test_in_a_thread_the_rules_of_its_table_are_shown(tmp_path: Path) -> None:
    async with world(tmp_path, threads=True) as here:
        table = await here.start_table(preset="hk")
        assert table.row.home != here.channel.id
        assert "table 1**: Hong Kong" in (await here.slash("dev", "learn rules", here.channel_of(table))).text
        await here.open_table("ben", preset="pusoy_dos")
        assert "table 1**: Hong Kong" in (await here.slash("dev", "learn rules", here.channel_of(table))).text


async def test_rules_of_ones_own_table_precede_the_newest_table(here: World) -> None:
    first = await here.open_table(rules="B2:hk+stake=5")
    assert "**Big Two, table 1**: Hong Kong, but stake" in (await here.slash("dev", "learn rules")).text
    opened = await here.press("cleo", first, "Rules")
    assert "**Big Two, table 1**: Hong Kong" in private_reply(opened).text
    await press_verb(here, "cleo", opened, "rules", 1)
    assert "table 1**: Hong Kong" in private_reply(opened).text
    await here.open_table("ben", preset="pusoy_dos")
    assert "table 1**: Hong Kong" in (await here.slash("ann", "learn rules")).text
    assert "table 2**: Pusoy Dos" in (await here.slash("dev", "learn rules")).text
    assert "table 1**: Hong Kong" in (await here.slash("dev", "learn rules", table=first.id)).text
    assert "**Big Two**: Standard" in (await here.slash("dev", "learn rules", preset="std")).text
    offered = await here.people["dev"].autocomplete(here.channel, "learn rules", "table", "")
    assert first.id in [choice["value"] for choice in offered]
    other = here.guild.create_text_channel("other")
    assert "**Big Two**: Standard" in (await here.slash("dev", "learn rules", other)).text


async def test_rules_are_shown_for_tables_of_this_server_or_ones_own_only(here: World) -> None:
    table = await here.open_table(preset="hk")
    elsewhere = here.env.create_guild("Elsewhere")
    lounge = elsewhere.create_text_channel("lounge")
    dev, ann = elsewhere.add_member(here.people["dev"].user), elsewhere.add_member(here.ann.user)
    assert "no such table" in private_reply(await dev.slash(lounge, "learn rules", table=table.id)).text
    assert "Hong Kong" in private_reply(await ann.slash(lounge, "learn rules", table=table.id)).text
    alone = UserHandle(here.env, here.env.backend.users[here.ann.id])
    await alone.send_dm("Hello")
    assert "table 1**: Hong Kong" in private_reply(await alone.slash("learn rules")).text


async def test_the_rules_of_the_channel_default_are_shown(here: World) -> None:
    now = here.env.now()
    kept = ChannelDefault(
        guild=here.guild.id,
        channel=here.channel.id,
        name="",
        game="big_two",
        preset="hong_kong",
        options={"stake": 9},
        by=here.ann.id,
        at=now,
    )
    await here.parts.store.house_rules.set_channel_default(kept)
    assert "Hong Kong, but stake" in (await here.slash("dev", "learn rules")).text
    assert "**Big Two**: Standard" in (await here.slash("dev", "learn rules", preset="std")).text


async def test_the_rules_of_a_table_begin_with_its_pace(here: World) -> None:
    table = await here.open_table(pace="relaxed")
    opened = private_reply(await here.press_on("ann", await here.press("ann", table, "Rules…"), "Rules"))
    assert opened.text.startswith("-# Play whenever you have a moment. Your clock stops while you sleep.")
    assert "## Big Two" in opened.text


async def test_house_rules_are_shown_by_name(here: World) -> None:
    mine = Owner("person", here.ann.id)
    kept = HouseRules(
        owner=mine,
        name="Friday",
        game="big_two",
        preset="hong_kong",
        options={"stake": 9},
        by=here.ann.id,
        at=here.env.now(),
    )
    await here.parts.store.house_rules.save(kept)
    assert "Hong Kong, but stake" in (await here.slash("ann", "learn rules", preset="friday")).text
    offered = await here.ann.autocomplete(here.channel, "learn rules", "preset", "frid")
    assert len(offered) == 1
    assert (
        "no house rules and no preset called friday" in (await here.slash("ben", "learn rules", preset="friday")).text
    )


async def test_unknown_rules_are_refused_with_a_reason(here: World) -> None:
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"preset": "nothing"}, "no preset called nothing"),
        ({"rules": "B2:hk+stake=many"}, "stake can't be many"),
        ({"rules": "B2:hk+stake=-1"}, "stake"),
        ({"rules": "B2:std+players=3"}, "The pack doesn't divide evenly"),
        ({"preset": "hk", "rules": "B2:hk"}, "preset, rule code or table"),
        ({"table": 999}, "That table is gone."),
    ]
    for options, why in wrong:
        assert why in (await here.slash("dev", "learn rules", **options)).text, options


async def test_a_game_is_taught_in_five_steps(here: World) -> None:
    shown = await here.ann.slash(here.channel, "learn how", game="big_two")
    assert private_reply(shown).text.startswith("### Big Two · 1 of 5")
    await here.press_on("ann", shown, "Nobody yet")
    assert "✗ It's over as soon as" in private_reply(shown).text
    await here.press_on("ann", shown, "Ann does")
    assert "✓ Ann has no cards left" in private_reply(shown).text
    assert list(private_reply(shown).buttons) == ["✓ Ann does", "You do", "Nobody yet", "Back", "Next"]
    for number in (2, 3, 4, 5):
        await here.press_on("ann", shown, "Next")
        assert f"Big Two · {number} of 5" in private_reply(shown).text
    await here.press_on("ann", shown, "Next")
    assert "You'll pick up the rest as you play" in private_reply(shown).text
    await here.press_on("ann", shown, "Again")
    assert "1 of 5" in private_reply(shown).text


async def test_the_last_lesson_page_opens_a_table_and_invalid_pages_are_harmless(here: World) -> None:
    shown = await here.ann.slash(here.channel, "learn how", game="big_a")
    for address in ("bv:how:big_a:0:99:-", "bv:how:big_a:0:0:7", "bv:how:big_a:0:-5:0"):
        assert "Big A" in private_reply(await here.forge(here.ann, shown, address)).text
    last = await here.forge(here.ann, shown, "bv:how:big_a:0:5:-")
    await here.press_on("ann", last, "Open a new table")
    (table,) = await here.parts.store.tables.open_tables()
    assert (await here.parts.tables.get(table)).row.game == "big_a"


async def test_the_how_to_play_page_replaces_the_hand(here: World) -> None:
    table = await here.start_table("ben")
    shown = await here.open_hand("ann", table)
    await here.press_on("ann", shown, "⋯")
    await here.press_on("ann", shown, "How to play")
    assert "Big Two · 1 of 5" in private_reply(shown).text
    await here.press_on("ann", shown, "Next")
    await here.press_on("ann", shown, "Back to my cards")
    assert "Your 13 cards" in private_reply(shown).text


# Articles and searching


async def test_rules_open_at_an_article_or_at_their_start(here: World) -> None:
    for article in ("4.10", "(4.10)", " 4.10 ", "A4.10"):
        assert "**4.10 " in (await here.slash("dev", "learn rules", article=article)).text
    opened = await here.slash("dev", "learn rules", article="99.1")
    assert opened.text.startswith("These rules have no article 99.1. They start here:\n")
    assert opened.buttons["Previous"][1]


async def test_an_article_of_this_table_opens_even_if_it_does_not_apply(here: World) -> None:
    table = await here.open_table(preset="hk")
    ways: list[dict[str, Any]] = [{"article": "4.10"}, {"search": "4.10"}]
    for how in ways:
        told = (await here.slash("dev", "learn rules", **how)).text
        assert told.startswith("4.10 (Flush) doesn't apply here")
        assert "See C10.2 instead." in told
        assert "**C10.2 " in told
    opened = await here.ann.slash(here.channel, "learn rules")
    before = private_reply(opened).text
    beside = await here.forge(here.ann, opened, f"bv:article:big_two:{table.id}:C10-2")
    assert "**C10.2 " in private_reply(beside).text
    assert private_reply(opened).text == before
    assert "table 1**: Hong Kong" in await compare_plays(here, FLUSH, HEARTS)


async def test_a_search_by_command_lists_and_opens_articles(here: World) -> None:
    opened = await here.ann.slash(here.channel, "learn rules", search="FLUSH suit", preset="hk")
    told = private_reply(opened)
    assert "## Found: FLUSH suit" in told.text
    assert "**C10.2 " in told.text
    assert "**4.10 " not in told.text
    ((_, hits),) = told.selects.items()
    assert hits[0] == "C10-2"
    await choose_in_page(here, opened, "C10-2")
    assert "### 4 " in private_reply(opened).text
    assert "Hong Kong" in private_reply(opened).text


async def test_a_search_by_button_lists_articles(here: World) -> None:
    opened = await here.ann.slash(here.channel, "learn rules")
    await fill_form(here, "ann", await press_verb(here, "ann", opened, "search"), words="straight flush")
    assert "**4.13 Straight flush**" in private_reply(opened).text
    await fill_form(here, "ann", await press_verb(here, "ann", opened, "search"), words="zzz")
    assert "No article has the words zzz." in private_reply(opened).text
    assert "**Sections**" in private_reply(opened).text
    await fill_form(here, "ann", await press_verb(here, "ann", opened, "search"), words="6.1")
    assert "**6.1 " in private_reply(opened).text


# Which is higher


async def compare_plays(here: World, first: str, second: str, **how: Any) -> str:
    return (await here.slash("dev", "learn compare", first=first, second=second, **how)).text


async def test_comparisons_depend_on_the_rules(here: World) -> None:
    standard = await compare_plays(here, FLUSH, HEARTS)
    assert "A flush of spades `3♠\ufe0e`" in standard
    assert "beats a flush of hearts" in standard
    assert "(4.10)" in standard
    assert "**4.10 Flush**" in standard
    hong_kong = await compare_plays(here, FLUSH, HEARTS, preset="hk")
    assert "A flush of hearts" in hong_kong
    assert "(C10.2)" in hong_kong


ANSWERS = [
    ("9s9d", "9h 9c", "A pair of 9s `9♢` `9♠\ufe0e` beats a pair of 9s"),
    ("9h 9c", "♠9♦9", "A pair of 9s `9♢` `9♠\ufe0e` beats a pair of 9s"),
    ("3D", "10h", "`10♡` beats `3♢`"),
    ("3d 4c 5h 6s 7d", "4d 5d 6d 8d 9d", "A flush of diamonds"),
    ("3d", "4d 4c", "Neither beats the other."),
    ("9s 9d", "9s 9c", "Neither beats the other."),
    ("3d 4d", "5d", "isn't a pair. A pair is two cards of the same rank. (4.3)"),
    ("5d", "3d 4d", "isn't a pair. A pair is two cards of the same rank. (4.3)"),
    ("3d 3d", "5d", "There's only one `3♢` in the pack. (2.4)"),
    ("zz", "5d", "I can't read zz as a card."),
    ("3d", "15s", "I can't read 15s as a card."),
]


async def test_a_comparison_answers_in_both_directions(here: World) -> None:
    for first, second, answer in ANSWERS:
        assert answer in await compare_plays(here, first, second), (first, second)


async def test_bare_ranks_are_compared_if_suits_do_not_matter(here: World) -> None:
    assert "beats" in await compare_plays(here, "qqqaa", "kkk22")
    for first, second in (("a", "ah"), ("qq", "qq"), ("3 5 7 9 j", "45678")):
        assert (await compare_plays(here, first, second)).startswith("Which is higher depends on the suits here.")
    assert "I can't read qqqx as a card." in await compare_plays(here, "qqqx", "kkk22")


async def test_tiles_are_compared_in_presets_with_tiles(here: World) -> None:
    told = await compare_plays(here, "15s", "1d", preset="lectio_tiles")
    assert re.search("beats", told)
    assert "Write cards like" in await compare_plays(here, "Ks", "1d", preset="lectio_tiles")


async def test_plays_are_compared_by_button(here: World) -> None:
    opened = await here.ann.slash(here.channel, "learn rules", preset="hk")
    await fill_form(here, "ann", await press_verb(here, "ann", opened, "higher"), first=FLUSH, second=HEARTS)
    assert "(C10.2)" in private_reply(opened).text
    await press_verb(here, "ann", opened, "rules")
    assert "### 4 " in private_reply(opened).text
    assert "**C10.2 " in private_reply(opened).text
    refused = await fill_form(here, "ann", await press_verb(here, "ann", opened, "higher"), first="zz", second="3d")
    assert "I can't read zz as a card." in private_reply(refused).text
    assert "**C10.2 " in private_reply(opened).text


async def test_comparisons_are_private(here: World) -> None:
    for command, how in (("learn rules", {}), ("learn compare", {"first": FLUSH, "second": HEARTS})):
        result = await here.ann.slash(here.channel, command, **how)
        assert result.response is not None
        assert result.response.ephemeral
    assert [each for each in here.channel.history() if not each.flags.ephemeral] == []


async def test_rules_are_shown_in_the_language_of_the_reader(here: World) -> None:
    here.locales["ann"] = "zh-CN"
    told = private_reply(await here.ann.slash(here.channel, "learn rules", article="4.10"))
    assert re.search("[\u4e00-\u9fff]", told.text)
    assert all(re.search("[\u4e00-\u9fff]", label) for label in told.buttons)
