"""Changing the rules of a lobby by its menu, and agreeing to them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import pytest
from simcord.results import InteractionResult

from bot.games import GAMES
from bot.rules.big_two import BigTwo
from bot.rules.variants.ruleset import Ruleset, is_possible, read_code
from bot.show.kit.custom_ids import Browse, Press, Verb
from bot.show.kit.layout import DOTS
from bot.show.kit.words import words
from bot.show.lobby.options import group_page, menu, option_page, typed, written
from bot.show.table.board import board
from bot.table.table import Table
from tests.support.message_text import ParsedMessage, private_reply
from tests.support.scenes import (
    CHAIRS,
    check_limits,
    custom_ids,
    drawn_view,
    lobby,
    scene_for_seat,
    selects,
    texts,
    with_changes,
    words_of_every_language,
)
from tests.support.world import NOT_SEATED, World

SHEET = GAMES["big_two"].sheet
PLAIN = GAMES["big_two"].set_up("pagat")
NOT_THE_HOST = "Only the host"


CHOSEN = ("whom", "kind", "away", "late")  # in forms, several side by side


@dataclass
class Menu:
    """The menu as it stands on a player's screen. shown: the answer that showed it."""

    here: World
    name: str
    shown: InteractionResult

    @property
    def screen(self) -> ParsedMessage:
        return private_reply(self.shown)

    @property
    def text(self) -> str:
        return self.screen.text

    async def press(self, label: str) -> ParsedMessage:
        """Press a button; the menu changes."""
        self.shown = await self.here.press_on(self.name, self.shown, label)
        return self.screen

    async def choose(self, verb: str, value: str) -> ParsedMessage:
        """Choose in the select with this verb; the menu changes."""
        self.shown = await self.choosing(verb, value)
        return self.screen

    async def choosing(self, verb: str, value: str) -> InteractionResult:
        """Choose in the select with this verb; the answer may be another message."""
        assert self.shown.response is not None
        (target,) = (each for each in self.screen.selects if verb in each.split(":")[1:3])
        chosen = await self.here.people[self.name].select(self.shown.response.message, [value], custom_id=target)
        await self.here.settle()
        return chosen

    async def fill(self, label: str, **typed: str) -> ParsedMessage:
        """Press a button that opens a form, and send the form filled in."""
        form = await self.here.press_on(self.name, self.shown, label)
        return await self.submit(form, **typed)

    async def submit(self, form: InteractionResult, **typed: str) -> ParsedMessage:
        """Send a form filled in."""
        values: dict[str, Any] = {
            "for" if name == "whom" else name: text.split() if name in CHOSEN else text for name, text in typed.items()
        }
        answered = await self.here.people[self.name].submit_modal(form, values)
        await self.here.settle()
        if private_reply(answered).selects:
            self.shown = answered
        return private_reply(answered)

    async def to(self, option: str) -> ParsedMessage:
        """Go to the page of an option from the first page."""
        await self.choose("rule_group", SHEET.options[option].group)
        return await self.choose("rule_option", option)

    async def typing(self, option: str) -> InteractionResult:
        """Open the form for a value, by a button as it may still stand for an option without effect."""
        return await self.here.forge(self.here.people[self.name], self.shown, f"bv:rule_type:1:{option}")

    async def set(self, option: str, value: str) -> ParsedMessage:
        """Set an option from the first page, and go back there."""
        await self.to(option)
        await self.choose("rule_set", f"{option}={value}")
        return await self.back()

    async def back(self) -> ParsedMessage:
        """Go back from the page of an option to the first page."""
        await self.press("Back")
        return await self.press("Back")


async def open_options(here: World, table: Table, name: str = "ann") -> Menu:
    """Open the menu of a table as a player."""
    return Menu(here, name, await here.press(name, table, "Rules…"))


async def open_lobby_menu(here: World, table: Table, name: str = "ann") -> Menu:
    """Open the menu of a lobby as a player."""
    return Menu(here, name, await here.press(name, table, DOTS))


async def fill_table(here: World, *people: str, **options: Any) -> Table:
    """A full table of Ann's with these people and house players."""
    table = await here.open_table(**options)
    for name in people:
        await here.sit_down(name, table)
    await here.fill_up("ann", table)
    return table


def most_changed_rules(preset: str) -> Ruleset:
    """Rules that differ from their preset in as many options as go together."""
    rules = Ruleset.of(GAMES["big_two"], preset)
    for option in [*SHEET.options.values()] * 2:
        others = (choice.value for choice in option.choices if choice.value != rules.value(option.name))
        fitting = (value for value in others if is_possible(lambda: rules.but(**{option.name: value})))  # noqa: B023
        if option.name not in rules.changes and (value := next(fitting, None)) is not None:
            rules = rules.but(**{option.name: value})
    return rules


# By the menu


async def test_an_option_can_be_found_read_and_changed(here: World) -> None:
    table = await here.open_table(preset="hk")
    menu = await open_options(here, table)
    assert "Rules of Big Two, table 1" in menu.text
    assert "**Hong Kong**" in menu.text
    (groups,) = (values for target, values in menu.screen.selects.items() if "rule_group" in target)
    assert groups == ("table", "deal", "combinations", "play", "scoring", "match")  # as on the rule page
    page = await menu.choose("rule_group", "combinations")
    assert SHEET.options["straight_scheme"].text not in page.text, "each is explained when it is chosen"
    page = await menu.choose("rule_option", "straight_scheme")
    assert SHEET.options["straight_scheme"].text in page.text
    assert "Same as in the preset." in page.text
    article = private_reply(await here.press_on("ann", menu.shown, "Article C9.10"))  # Hong Kong's own article
    assert "**C9.10" in article.text
    assert SHEET.options["straight_scheme"].text in menu.text, "the article stands beside the menu"
    page = await menu.choose("rule_set", "straight_scheme=ace_low")
    assert "Now: **A-2-3-4-5 is the lowest straight and 10-J-Q-K-A the best**" in page.text
    assert "Preset: " in page.text
    assert "`B2:hk+straights=ace_low`" in here.read_board(table).text
    await menu.press("Back to preset")
    assert "`B2:hk`" in here.read_board(table).text
    assert f"## {SHEET.groups['combinations']}" in (await menu.press("Back")).text
    assert "## Rules of Big Two, table 1" in (await menu.press("Back")).text


def test_every_group_and_option_has_its_page() -> None:
    rules, w = scene_for_seat(0, lobby(BigTwo(PLAIN), CHAIRS)), words("en-US")
    for group in SHEET.groups:
        (listed,) = selects(group_page(rules, group, w))
        there = [option.name for option in SHEET.group(group) if option.applies.holds(PLAIN)]
        assert [each.value for each in listed.options] == there, "those that have an effect"
        for option in SHEET.group(group):
            page = option_page(rules, option.name, w)
            number = texts(page).partition("Article ")[2].partition("\n")[0]
            assert number in (option.article, option.cite(getattr(PLAIN, option.name)))
            assert option.text in texts(page)
            assert any(each.startswith("bv:article:big_two:") for each in custom_ids(page))
            assert str(Browse.to("rule_group", rules.where.table, group)) in custom_ids(page), "the way back"
            (choices,) = selects(page)
            assert [each.value for each in choices.options] == [
                f"{option.name}={choice.code}" for choice in option.choices
            ]


async def test_the_preset_can_be_switched_and_the_menu_leads_back_to_the_lobby(here: World) -> None:
    table = await here.open_table()
    menu = await open_options(here, table)
    await menu.choose("rule_preset", "singapore")
    assert "`B2:sg`" in here.read_board(table).text
    assert "Switching presets resets your changes." not in menu.text
    await menu.set("stake", "0")
    assert "`B2:sg+stake=0`" in here.read_board(table).text
    assert "Switching presets resets your changes." in menu.text
    await menu.press("More…")
    await menu.press("Back to preset")
    assert menu.screen.buttons["Back to preset"][1]
    assert "`B2:sg`" in here.read_board(table).text
    menu = await open_options(here, table)
    assert "You're the host, seat" in (await menu.press("Back")).text
    menu = await open_options(here, table)
    assert menu.shown.response is not None
    shown = menu.shown.response
    await here.press_on("ann", menu.shown, "Done")
    assert shown.id not in here.env.backend.messages[shown.channel_id]


async def test_an_option_without_effect_is_hidden_unless_it_can_be_reset(here: World) -> None:
    table = await here.open_table(rules="B2:std+match=target,target=250")
    menu = await open_options(here, table)
    target = SHEET.options["target"]
    await menu.set("match_end", "open")
    assert "This has no effect under these rules." in (await menu.to("target")).text
    assert f"⚠️ This has no effect under these rules: Target score ({target.article})." in here.read_board(table).text

    await menu.press("Back to preset")
    page = await menu.press("Back")
    assert not any("target" in values for values in page.selects.values())


def test_unusual_rules_are_marked_on_the_board() -> None:
    rules = Ruleset.of(*read_code("B2:std+quads=bare,honours=any", GAMES))
    said = texts(board(with_changes(lobby(rules.rules, CHAIRS[:1]), changes=rules.changes), words("en-US")))
    assert "⚠️ Four of a kind without a fifth card isn't an honor hand" in said


@pytest.mark.rotates(3)
@pytest.mark.parametrize("preset", ["pagat", "indonesia", "lectio_tiles"])
def test_rules_with_most_options_changed_fit_every_screen(preset: str) -> None:
    rules = most_changed_rules(preset)
    assert len(rules.changes) > 40
    scene = with_changes(lobby(rules.rules, CHAIRS[:1]), preset=preset, changes=rules.changes)
    mine, read = scene_for_seat(0, scene), texts(board(scene, words("en-US")))
    assert f"`{rules.code}`" in read
    assert re.search(r", but \d\d rules differ\n", read)
    for w in words_of_every_language():
        check_limits(board(scene, w))
        for screen in (menu(mine, w), *(group_page(mine, group, w) for group in SHEET.groups)):
            check_limits(screen)


# Conflicts


async def test_a_conflicting_option_is_refused_with_its_article_and_a_valid_combination_offered(here: World) -> None:
    table = await here.open_table()
    menu = await open_options(here, table)
    await menu.to("scoring")
    page = await menu.choose("rule_set", "scoring=places")
    assert "✗ Points for places only work if everyone plays on until only one player has cards." in page.text
    assert "`B2:std`" in here.read_board(table).text  # nothing has changed
    (offers,) = (values for target, values in page.selects.items() if target.endswith(":both"))
    assert offers == ("scoring=places,end=play_on",)
    assert menu.shown.response is not None
    both = next(target for target in page.selects if target.endswith(":both"))
    await here.ann.select(menu.shown.response.message, [*offers], custom_id=both)
    await here.settle()
    assert "`B2:std+play_on=play_on,scoring=places`" in here.read_board(table).text
    menu = await open_options(here, await here.open_table())
    await menu.to("bands")
    page = await menu.fill("Something else…", value="5:1 2:3")
    assert "✗ A table of points starts at one card" in page.text
    assert len(page.selects) == 1, "nothing single mends it"


@pytest.mark.parametrize(("length", "offered"), [(100, True), (101, False)])
def test_a_valid_combination_is_offered_if_its_custom_id_fits(length: int, offered: bool) -> None:
    scene, with_it = scene_for_seat(0, lobby(BigTwo(PLAIN), CHAIRS)), {"end": "play_on"}
    digits = length - len(written({"bands": ((1, 1),), **with_it}, scene))
    change = {"bands": ((10**digits, 1),)}
    assert len(written({**change, **with_it}, scene)) == length
    page = drawn_view(option_page(scene, "bands", words("en"), notice="Not alone.", wanted=change, offers=[with_it]))
    assert any(each.endswith(":both") for each in custom_ids(page)) == offered


# Forms


TYPED = [
    ("target", "250", "target=250"),
    ("bands", "1:1 6:2, 13:5", "bands=1:1;6:2;13:5"),
    ("places_points", "9-4-2-0", "places=9.4.2.0"),
    ("places_points", "9/4/2/0", "places=9.4.2.0"),
    ("value_scale", "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 50, 98, 99", "values=0.1.2.3.4.5.6.7.8.9.50.98.99"),
    ("stake", " 7 ", "stake=7"),
]
WRONG = [
    ("stake", "much", "much doesn't work here. Use a whole number from 0 to "),
    ("target", "-3", "-3 doesn't work here. Use a whole number from 1 to "),
    (
        "bands",
        "1-1",
        "1-1 doesn't work here. Write points per card, by how many are left, such as 1:1 10:2 13:3.",
    ),
    ("places_points", "a lot", "a lot doesn't work here. Use numbers with a slash between them"),
    ("value_scale", "1 2 3", "✗ Your own scale needs a number for every rank: thirteen for cards"),
    ("value_scale", "100 " * 13, "✗ At a new table, values has at most 15 parts, each from 0 to 99."),
    ("bands", "5:1 2:3", "✗ A table of points starts at one card and goes up, like 1:1 10:2 13:3."),
]


@pytest.mark.parametrize(("option", "value", "code"), TYPED)
def test_a_value_is_typed_with_any_separators(option: str, value: str, code: str) -> None:
    here = scene_for_seat(0, lobby(BigTwo(PLAIN), CHAIRS))
    assert Ruleset.of(GAMES["big_two"], "pagat", {option: typed(value, option, here)}).code == f"B2:std+{code}"


async def test_a_value_is_typed_in_a_form_and_an_invalid_one_explained(here: World) -> None:
    table = await here.open_table()
    menu = await open_options(here, table)
    page = await menu.submit(await menu.typing("target"), value="250")
    assert SHEET.options["target"].title in page.text
    assert "`B2:std+target=250`" in here.read_board(table).text
    await menu.press("Back to preset")
    await menu.back()
    for option, value, why in WRONG:
        page = await menu.submit(await menu.typing(option), value=value)
        assert why in page.text, (option, value)
        await menu.back()
    assert "`B2:std`" in here.read_board(table).text


async def test_a_rule_code_is_entered_and_rules_are_saved_under_a_name_and_played_again(here: World) -> None:
    table = await here.open_table()
    menu = await open_options(here, table)
    await menu.press("More…")
    page = await menu.fill("Enter a rule code…", rule_code="B2:hk+stake=5")
    assert "**Hong Kong**, but stake 5" in page.text
    assert "`B2:hk+stake=5`" in here.read_board(table).text
    wrong = await menu.fill("Enter a rule code…", rule_code="B2:hk+stake=lots")
    assert wrong.text.startswith("stake can't be lots")
    assert "`B2:hk+stake=5`" in here.read_board(table).text
    saved = await menu.fill("Save these rules…", name="Friday", whom="me")
    assert "Friday is saved." in saved.text
    refused = await menu.fill("Save these rules…", name="Friday", whom="server")
    assert "Only members who can manage the server can" in refused.text
    await menu.fill("Enter a rule code…", rule_code="B2:hk+stake=6")
    taken = await menu.fill("Save these rules…", name="friday", whom="me")
    assert taken.text.startswith("There are already house rules called friday.")
    again = await here.open_table(preset="Friday")
    assert "`B2:hk+stake=5`" in here.read_board(again).text


# Who may


async def test_only_the_host_changes_rules(here: World) -> None:
    table = await fill_table(here, "ben")
    behind = await here.press("ben", table, DOTS)
    assert "Rules…" not in private_reply(behind).buttons
    forged = await here.forge(here.people["ben"], behind, str(Press(table.id, Verb.CHANGE)))
    assert private_reply(forged).text.startswith(NOT_THE_HOST)
    assert "can do that.\n**Big Two, table 1**\nYou're in: seat 2 of 4" in private_reply(forged).text
    menu = await open_options(here, table)
    await here.press("ann", table, "Leave")  # and her menu stays open
    assert private_reply(await menu.choosing("rule_preset", "singapore")).text.startswith(NOT_THE_HOST)
    assert "You're not at this table yet." in menu.text
    own = await open_options(here, table, "ben")
    await own.choose("rule_preset", "lukang")
    assert "`B2:lukang`" in here.read_board(table).text


async def test_an_options_menu_changes_nothing_after_the_start(here: World) -> None:
    table = await fill_table(here)
    menu = await open_options(here, table)
    await menu.to("stake")
    form = await here.press_on("ann", menu.shown, "Something else…")
    await here.press("ann", table, "Start")
    shown = await menu.choosing("rule_set", "stake=0")
    assert private_reply(shown).text.startswith("The match has begun. Here's the table now.\n**Big Two, table 1**")
    assert "Last trick" in private_reply(shown).buttons
    assert (await menu.submit(form, value="7")).text.startswith("The match has begun.")
    assert table.scene(None).terms.changes == {}


async def test_an_option_value_of_another_version_is_refused(here: World) -> None:
    table = await here.open_table()
    menu = await open_options(here, table)
    await menu.to("stake")
    assert menu.shown.response is not None
    stored = here.env.backend.get_message(menu.shown.response.channel_id, menu.shown.response.id)
    target = str(Browse.to("rule_set", "1", "stake"))
    for value in ("nonsense=3", "stake=nonsense", "3"):
        select = {"type": 3, "custom_id": target, "options": [{"label": "old", "value": value}]}
        stored.components = [{"type": 1, "components": [select]}]
        answer = await here.ann.select(menu.shown.response, [value], custom_id=target)
        assert private_reply(answer).text.startswith("That choice is gone. Here's the table now.\n**Big Two"), value


async def test_a_restart_in_the_middle_loses_nothing(here: World) -> None:
    table = await fill_table(here, "ben")
    menu = await open_options(here, table)
    await menu.to("stake")
    form = await here.press_on("ann", menu.shown, "Something else…")
    await here.restart()
    page = await menu.submit(form, value="7")
    assert "Now: **stake 7**" in page.text
    await here.restart()
    await menu.back()
    table = await here.reload(table)
    assert "`B2:std+stake=7`" in here.read_board(table).text
    assert "**ben**: hasn't agreed to these rules yet" in here.read_board(table).text
    await here.advance(seconds=2)
    await here.press("ben", table, "Ready")
    assert "**ben**: ready" in here.read_board(table).text
    assert (await here.parts.store.tables.load(table.id)) == table.row


# Agreeing


async def test_a_changed_option_is_shown_and_needs_every_agreement_again(here: World) -> None:
    table = await fill_table(here, "ben", "cleo")
    said = here.read_board(table)
    assert (
        "**ben**: ready\n3\\. **cleo**: ready\n4\\. **Mei 🤖**: easy\nEveryone's here: the host can start." in said.text
    )
    assert "Ready" not in said.buttons
    menu = await open_options(here, table)
    await menu.set("stake", "0")
    said = here.read_board(table)
    assert "**ben**: hasn't agreed to these rules yet" in said.text
    assert "Press Ready to agree: ben and cleo." in said.text
    refused = private_reply(await here.press("ann", table, "Start"))
    assert refused.text == (
        "These players haven't agreed to the rules yet: ben and cleo. Wait until they press Ready, or remove them."
    )
    assert private_reply(await here.press("dev", table, "Ready")).text.startswith(NOT_SEATED)
    await here.advance(seconds=2)
    await here.press("ben", table, "Ready")
    assert "**ben**: ready" in here.read_board(table).text
    await here.press("cleo", table, "Ready")
    await here.press("ann", table, "Start")
    assert table.stage == "playing"


async def test_an_agreement_covers_only_rules_on_the_clicked_board(here: World) -> None:
    table = await fill_table(here, "ben")
    menu = await open_options(here, table)
    await menu.set("stake", "0")
    seen = here.board(table)
    await menu.set("stake", "5")
    for name, label in (("ben", "Ready"), ("ann", "Start")):
        late = private_reply(await here.click_stale(name, seen, label))
        assert late.text.startswith("The rules have changed since that button was shown.")
    assert table.stage == "lobby"
    assert "**ben**: hasn't agreed to these rules yet" in here.read_board(table).text


async def test_joining_agrees_to_the_rules_on_the_clicked_board(here: World) -> None:
    table = await here.open_table()
    seen = here.board(table)
    await (await open_options(here, table)).set("stake", "0")
    await here.advance(seconds=2)
    shown = await here.click_stale("ben", seen, "Join")
    assert private_reply(shown).text.startswith("The rules have changed since that button was shown.")
    await here.press("cleo", table, "Join")
    said = here.read_board(table).text
    assert "**ben**" not in said
    assert "**cleo**: ready" in said
    await here.press_on("ben", shown, "Agree and join")
    assert "**ben**: ready" in here.read_board(table).text


async def test_players_are_pinged_once_for_several_changes(here: World) -> None:
    table = await fill_table(here, "ben", "cleo")
    await here.advance(minutes=1)  # they look elsewhere
    menu = await open_options(here, table)
    for value in ("0", "5", "10"):
        await menu.set("stake", value)
    assert here.channel_texts(table) == []  # perhaps they look by themselves
    await here.advance(seconds=9)
    called = here.channel_texts(table)
    assert len(called) == 2
    for name in ("ben", "cleo"):
        (mine,) = (each for each in called if each.startswith(f"<@{here.people[name].id}>, the rules have changed."))
        assert "[Big Two, table 1](" in mine
    await here.advance(seconds=2)
    await here.press("ben", table, "Ready")
    (left,) = here.channel_texts(table)
    assert left.startswith(f"<@{here.people['cleo'].id}>")
    await here.press("cleo", table, "Leave")
    assert here.channel_texts(table) == []


async def test_a_player_who_just_joined_is_not_pinged_at_once(here: World) -> None:
    table = await fill_table(here, "ben")
    await (await open_options(here, table)).set("stake", "0")
    assert here.channel_texts(table) == []
    await here.advance(minutes=1)
    (called,) = here.channel_texts(table)
    assert called.startswith(f"<@{here.people['ben'].id}>")
