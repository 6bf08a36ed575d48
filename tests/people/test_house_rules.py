"""House rules under a name, one's own and the server's, and what a channel plays by default."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import discord
import pytest
from simcord import UserHandle
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle
from simcord.results import InteractionResult

from bot.club.saved_rules import RulesCaller, StartingRules, starting_rules
from bot.domain.house_rules import HOUSE_RULES_EACH, ChannelDefault, HouseRules, Owner
from bot.domain.refusals import Refused
from bot.games import GAMES
from bot.rules.core.sentences import Illegal
from bot.rules.variants.registration import FIRST
from bot.rules.variants.ruleset import Ruleset
from tests.support.message_text import ParsedMessage, private_reply
from tests.support.world import World, world

HONG_KONG = "B2:hk+stake=5"
HONG_KONG_RULES = Ruleset.of(GAMES["big_two"], "hong_kong", {"stake": 5})
STANDARD = Ruleset.of(GAMES["big_two"], "pagat")


def add_admin(here: World, **rights: bool) -> MemberActor:
    """A user who may manage the server."""
    role = here.guild.create_role("Boss", permissions=discord.Permissions(**rights))
    return here.arrive("boss", role)


async def use_command(
    here: World, who: str, command: str, /, channel: ChannelHandle | None = None, **options: Any
) -> ParsedMessage:
    """Send a command as a player; return the private reply."""
    answer = private_reply(await here.people[who].slash(channel or here.channel, command, **options))
    await here.settle()
    return answer


async def save_rules(
    here: World, name: str = "Friday", rules: str = HONG_KONG, who: str = "ann", **options: Any
) -> ParsedMessage:
    return await use_command(here, who, "houserules save", name=name, rules=rules, **options)


async def save_for_server(here: World, who: MemberActor, name: str, rules: str = HONG_KONG) -> ParsedMessage:
    answer = private_reply(
        await who.slash(here.channel, "houserules save", name=name, rules=rules, **{"for": "server"})
    )
    await here.settle()
    return answer


async def autocompletions(here: World, who: str, command: str, option: str, typed: str = "") -> dict[str, str]:
    choices = await here.people[who].autocomplete(here.channel, command, option, typed)
    return {choice["name"]: choice["value"] for choice in choices}


def command_place(here: World, who: str) -> RulesCaller:
    return RulesCaller(here.people[who].id, here.guild.id, here.channel.id)


# One's own


async def test_saved_rules_are_listed_and_shown_in_words_and_as_a_code(here: World) -> None:
    nothing = await use_command(here, "ann", "houserules list")
    assert nothing.text.count("None yet. /houserules save keeps rules under a name.") == 2
    assert nothing.selects == {}
    saved = await save_rules(here)
    assert saved.text.startswith("Friday is saved.\n## Friday\n-# Your own house rules, on every server")
    shown = (await use_command(here, "ann", "houserules show", name="friday")).text
    assert shown in saved.text
    assert "**Big Two · Hong Kong**\n-# Changes from the preset:\n- " in shown
    assert f"`{HONG_KONG}`" in shown
    assert f"Saved by <@{here.ann.id}>" in shown
    assert "No changes from the preset." in (await save_rules(here, "Plain", "Hong Kong")).text
    assert f"`{HONG_KONG}`" in (await save_rules(here, "Again", "Friday")).text
    here.locales["ann"] = "zh-CN"
    assert "一" <= (await use_command(here, "ann", "houserules show", name="Friday")).text.split("**")[1][0] <= "龥"


async def test_all_house_rules_are_listed_and_opened_from_there(here: World) -> None:
    chief = add_admin(here, manage_guild=True)
    await save_rules(here)
    await save_rules(here, "Alone", who="ben")
    await save_for_server(here, chief, "Ours", "taiwan")
    opened = await here.ann.slash(here.channel, "houserules list")
    shown = private_reply(opened)
    assert "Your own house rules, on every server\nFriday" in shown.text
    assert "House rules of The Deck\nOurs" in shown.text
    assert "Alone" not in shown.text
    assert list(shown.selects.values()) == [("Friday",), ("Ours",)]
    for target, (name,) in shown.selects.items():
        assert f"## {name}" in private_reply(await choose_value(here, opened, target, name)).text


async def choose_value(here: World, shown: InteractionResult, target: str, value: str) -> InteractionResult:
    assert shown.response is not None
    result = await here.ann.select(shown.response.message, [value], custom_id=target)
    await here.settle()
    return result


async def test_rename_and_delete(here: World) -> None:
    await save_rules(here)
    await save_rules(here, "Sunday")
    assert (await use_command(here, "ann", "houserules rename", name="friday", to="FRIDAY")).text == (
        "Friday is now called FRIDAY."
    )
    taken = await use_command(here, "ann", "houserules rename", name="Friday", to="sunday")
    assert taken.text == "There are already house rules called sunday. Choose another name."
    gone = await use_command(here, "ann", "houserules delete", name="FRIDAY")
    assert gone.text.startswith("FRIDAY is deleted. Here's what it was, in case you want it back.\n## FRIDAY")
    assert f"`{HONG_KONG}`" in gone.text
    again = "There are no house rules called Friday. /houserules list shows what there is."
    for command in ("show", "delete"):
        assert (await use_command(here, "ann", f"houserules {command}", name="Friday")).text == again
    assert (await use_command(here, "ann", "houserules rename", name="Friday", to="X")).text == again
    assert "Sunday" in (await use_command(here, "ann", "houserules list")).text


async def test_saving_under_a_taken_name_needs_the_replace_option(here: World) -> None:
    await save_rules(here)
    refused = await save_rules(here, "FRIDAY", "taiwan")
    assert refused.text.startswith("There are already house rules called FRIDAY. Use the option replace")
    assert HONG_KONG in (await use_command(here, "ann", "houserules show", name="Friday")).text
    assert "Taiwan" in (await save_rules(here, "FRIDAY", "taiwan", replace=True)).text
    assert list(await autocompletions(here, "ann", "houserules show", "name")) == ["FRIDAY (yours)"]


async def test_invalid_names_are_refused(here: World) -> None:
    wrong = (
        ("x" * 33, "A name can have 32 characters, and this one has 33."),
        ("   ", "House rules need a readable name."),
        ("\u200b\u202e", "House rules need a readable name."),
        ("me:Friday", "A name can't have a colon, or it would look like a rule code."),
        ("B2\N{FULLWIDTH COLON}hk", "A name can't have a colon, or it would look like a rule code."),
    )
    for name, why in wrong:
        assert (await save_rules(here, name)).text == why
    await save_rules(here)
    for name, why in wrong:
        assert (await use_command(here, "ann", "houserules rename", name="Friday", to=name)).text == why
    assert list(await autocompletions(here, "ann", "houserules show", "name")) == ["Friday (yours)"]


async def test_invisible_characters_are_removed_from_names_which_neither_format_nor_ping(here: World) -> None:
    await save_rules(here, "  Late \n night\u202e  ")
    assert list((await autocompletions(here, "ann", "houserules show", "name")).values()) == ["me:Late night"]
    assert (await save_rules(here, "x" * 32)).text.startswith("x" * 32)
    for name in ("**Fri*day**", "@everyone", "`x`", "# Title", "||x||", "大老二", "👨‍👩‍👧"):
        shown = (await save_rules(here, name)).text
        assert not any(mark in shown for mark in ("**Fri", "@everyone", "`x`", "||x||"))
        assert f"{name} (yours)" in await autocompletions(here, "ann", "houserules show", "name")
        assert name in private_reply(await here.ann.slash(here.channel, "houserules list")).selects["bv:house_rules:me"]
        assert (await use_command(here, "ann", "houserules delete", name=f"me:{name}")).text.count("is deleted") == 1


async def test_rules_that_cannot_be_read_or_played_are_not_saved(here: World) -> None:
    for rules, why in (
        ("B2:hk+stake=lots", "stake can't be lots"),
        ("B2:nowhere", "has no preset nowhere"),
        ("Thursday", "There are no house rules and no preset called Thursday, and it isn't a rule code like"),
        ("me:Thursday", "There are no house rules and no preset called Thursday"),
        ("B2:hk+players=3", "The pack doesn't divide evenly"),
    ):
        assert why in (await save_rules(here, "Friday", rules)).text
    assert await autocompletions(here, "ann", "houserules show", "name") == {}


async def test_the_number_of_house_rules_is_limited_to_a_select(here: World) -> None:
    for number in range(HOUSE_RULES_EACH):
        name = f"{number:02}" + "*" * 30  # as long as can be, with markup taken away
        await store_house_rules(here, name)
        await store_house_rules(here, name, owner=Owner("server", here.guild.id))
    assert (await save_rules(here)).text == "There's room for 25 house rules. Delete some that nobody plays."
    listed = private_reply(await here.ann.slash(here.channel, "houserules list"))
    assert [len(values) for values in listed.selects.values()] == [HOUSE_RULES_EACH] * 2
    assert len(await autocompletions(here, "ann", "houserules here", "rules")) == 25


async def test_rules_longer_than_a_screen_are_cut_but_their_code_is_whole(here: World) -> None:
    bands = [[1, 1], *([10**8 + each, 10**8] for each in range(45))]
    await store_house_rules(here, "Long", options={"bands": bands, "diff_bands": bands})
    shown = (await use_command(here, "ann", "houserules show", name="Long")).text
    code = Ruleset.of(GAMES["big_two"], "hong_kong", {"bands": bands, "diff_bands": bands}, FIRST).code
    assert f"-# 1 more\n`{code}`" in shown
    assert len(shown) <= 4000
    assert "bands has at most 9 parts" in (await save_rules(here, "Longer", code)).text


async def store_house_rules(here: World, name: str, **changed: Any) -> None:
    """Put house rules into the store as another version might have done."""
    kept = HouseRules(
        owner=Owner("person", here.ann.id),
        name=name,
        game="big_two",
        preset="hong_kong",
        options={"stake": 5},
        by=here.ann.id,
        at=here.env.now(),
    )
    await here.parts.store.house_rules.save(replace(kept, **changed))


async def test_names_and_presets_are_offered_without_case_accents_and_spaces(here: World) -> None:
    await save_rules(here)
    await save_rules(here, "Café Königin")
    both = await autocompletions(here, "ann", "houserules save", "rules")
    assert both["Friday (yours)"] == "me:Friday"
    assert both["Big Two · Hong Kong"] == "B2:hk"
    assert await autocompletions(here, "ann", "houserules save", "rules", "fri") == {"Friday (yours)": "me:Friday"}
    assert "Friday (yours)" not in await autocompletions(here, "ben", "houserules save", "rules")
    for typed in ("cafe", "  KONIGIN ", "café k"):
        assert list((await autocompletions(here, "ann", "houserules show", "name", typed)).values()) == [
            "me:Café Königin"
        ]
    assert await autocompletions(here, "ann", "houserules show", "name", "kafe") == {}
    every = ["AB:std@3", "AB:three@3", "AB:five@3", "AB:no_aces@3", "AB:sharp@3", "AB:simple@3"]
    for here.locales["ann"] in ("en-GB", "zh-CN"):
        for typed in ("taihe", "Tàihé A Bāo", " A BAO ", "泰和A包"):
            assert list((await autocompletions(here, "ann", "houserules save", "rules", typed)).values()) == every, (
                typed
            )


async def test_house_rules_survive_a_restart(here: World) -> None:
    await save_rules(here)
    await use_command(here, "ann", "houserules list")
    opened = await here.ann.slash(here.channel, "houserules list")
    await here.restart()
    assert HONG_KONG in (await use_command(here, "ann", "houserules show", name="Friday")).text
    assert "## Friday" in private_reply(await choose_value(here, opened, "bv:house_rules:me", "Friday")).text


# The server's


async def test_only_server_admins_change_its_house_rules(here: World) -> None:
    chief = add_admin(here, manage_guild=True)
    saved = await save_for_server(here, chief, "Ours")
    assert "House rules of The Deck" in saved.text
    no = "Only members who can manage the server can change its house rules. You can save rules of your own."
    assert (await save_for_server(here, here.ann, "Mine")).text == no
    assert (await use_command(here, "ann", "houserules rename", name="Ours", to="Mine")).text == no
    assert (await use_command(here, "ann", "houserules delete", name="Ours")).text == no
    assert list(await autocompletions(here, "ann", "houserules show", "name")) == ["Ours (of the server)"]
    await chief.slash(here.channel, "houserules rename", name="Ours", to="All of ours")
    await here.settle()
    assert HONG_KONG in (await use_command(here, "ann", "houserules show", name="all of ours")).text
    await chief.slash(here.channel, "houserules delete", name="server:All of ours")
    await here.settle()
    assert await autocompletions(here, "ann", "houserules show", "name") == {}


async def test_own_house_rules_take_precedence_over_the_servers_of_the_same_name(here: World) -> None:
    chief = add_admin(here, manage_guild=True)
    await save_for_server(here, chief, "Friday", "taiwan")
    await save_rules(here)
    assert await autocompletions(here, "ann", "houserules show", "name") == {
        "Friday (yours)": "me:Friday",
        "Friday (of the server)": "server:Friday",
    }
    assert "Hong Kong" in (await use_command(here, "ann", "houserules show", name="Friday")).text
    assert "Taiwan" in (await use_command(here, "ann", "houserules show", name="server:friday")).text
    assert "Taiwan" in (await use_command(here, "ben", "houserules show", name="Friday")).text
    assert (
        "There are no house rules called Friday."
        in (await use_command(here, "ben", "houserules show", name="me:Friday")).text
    )


async def test_own_house_rules_work_everywhere_and_a_servers_only_there(here: World) -> None:
    await save_for_server(here, add_admin(here, manage_guild=True), "Ours")
    await save_rules(here)
    elsewhere = here.env.create_guild("Elsewhere")
    lounge = elsewhere.create_text_channel("lounge")
    ann_there = elsewhere.add_member(here.ann.user)
    listed = private_reply(await ann_there.slash(lounge, "houserules list")).text
    assert "Friday" in listed
    assert "House rules of Elsewhere\nNone yet" in listed
    assert HONG_KONG in private_reply(await ann_there.slash(lounge, "houserules show", name="Friday")).text
    assert (
        "There are no house rules" in private_reply(await ann_there.slash(lounge, "houserules show", name="Ours")).text
    )
    ann = UserHandle(here.env, here.env.backend.users[here.ann.id])
    await ann.send_dm("Hello")
    alone = private_reply(await ann.slash("houserules list"))
    assert list(alone.selects.values()) == [("Friday",)]
    assert "House rules of" not in alone.text
    assert HONG_KONG in private_reply(await ann.slash("houserules show", name="Friday")).text
    refused = await ann.slash("houserules save", name="x", rules="hk", **{"for": "server"})
    assert private_reply(refused).text == "This only works on a server."


# Rules of another version


async def test_unreadable_house_rules_are_marked_as_unreadable(here: World) -> None:
    """What can't be read is in tests/test_saved_rules.py."""
    await store_house_rules(here, "Old", options={"renamed": 1})
    opened = private_reply(await here.ann.slash(here.channel, "houserules list"))
    assert "Old" in opened.text
    shown = (await use_command(here, "ann", "houserules show", name="Old")).text
    assert "the game's options have changed since they" in shown
    refused = await use_command(here, "ann", "houserules save", name="New", rules="Old")
    assert refused.text.startswith("The house rules Old can't be read any more")
    await use_command(here, "ann", "houserules rename", name="Old", to="Older")
    assert (await use_command(here, "ann", "houserules delete", name="Older")).text.startswith("Older is deleted.")


async def test_an_unreadable_channel_default_is_reported(here: World) -> None:
    old = ChannelDefault(
        guild=here.guild.id,
        channel=here.channel.id,
        name="Old",
        game="big_two",
        preset="hong_kong",
        options={"renamed": 1},
        by=here.ann.id,
        at=here.env.now(),
    )
    await here.parts.store.house_rules.set_channel_default(old)
    assert "the game's options have changed since they" in (await use_command(here, "ann", "houserules here")).text
    with pytest.raises(Refused, match="This channel's default rules can't be read"):
        await starting_rules(here.parts.store.house_rules, command_place(here, "ann"))
    assert await starting_rules(here.parts.store.house_rules, command_place(here, "ann"), "pagat") == StartingRules(
        STANDARD
    )


# What a channel plays by default


async def test_only_channel_admins_set_and_clear_its_default(here: World) -> None:
    chief = add_admin(here, manage_channels=True)
    none = f"No default set for <#{here.channel.id}>. /deal opens Big Two · "
    no = "Only members who can manage this channel or the server can change its default game."
    assert (await use_command(here, "ann", "houserules here", rules="hk")).text == no
    assert (await use_command(here, "ann", "houserules here")).text.startswith(none)
    await chief.slash(here.channel, "houserules save", name="Friday", rules=HONG_KONG)
    answer = private_reply(await chief.slash(here.channel, "houserules here", rules="Friday")).text
    assert answer.startswith("From now on, /deal starts with these rules here.")
    await chief.slash(here.channel, "houserules delete", name="Friday")
    await here.settle()
    await here.restart()
    assert (await use_command(here, "ann", "houserules here", clear=True)).text == no
    shown = (await use_command(here, "ann", "houserules here")).text
    assert "**Friday**" in shown
    assert f"`{HONG_KONG}`" in shown
    other = here.guild.create_text_channel("other")
    assert "No default set for" in (await use_command(here, "ann", "houserules here", other)).text
    cleared = private_reply(await chief.slash(here.channel, "houserules here", clear=True)).text
    assert cleared == f"<#{here.channel.id}> has no default any more."
    assert (await use_command(here, "ann", "houserules here")).text.startswith(none)
    chief = here.arrive("chief", here.guild.create_role("Chief", permissions=discord.Permissions(manage_guild=True)))
    assert "Hong Kong" in private_reply(await chief.slash(here.channel, "houserules here", rules="hk")).text


async def test_a_thread_has_the_default_of_its_channel(tmp_path: Path) -> None:
    async with world(tmp_path, threads=True) as here:
        chief = add_admin(here, manage_channels=True)
        await chief.slash(here.channel, "houserules here", rules="hk")
        await here.settle()
        channel = here.bot.get_channel(here.channel.id)
        assert isinstance(channel, discord.TextChannel)
        await channel.create_thread(name="talk", type=discord.ChannelType.public_thread)
        (thread,) = here.channel.threads
        assert "Hong Kong" in (await use_command(here, "ann", "houserules here", thread)).text
        cleared = private_reply(await chief.slash(thread, "houserules here", clear=True)).text
        assert cleared == f"<#{here.channel.id}> has no default any more."


# What a table starts from


@pytest.mark.parametrize(
    "name",
    [
        "Friday 3\N{EN DASH}2",
        "A\N{MINUS SIGN}B",
        "\N{MAN}\N{ZERO WIDTH JOINER}\N{WOMAN}\N{ZERO WIDTH JOINER}\N{GIRL} family",
        "\u0645\u06cc\N{ZERO WIDTH NON-JOINER}\u062e\u0648\u0627\u0647\u0645",
    ],
)
async def test_rules_start_by_a_name_with_a_dash_or_a_joiner_as_it_was_saved(here: World, name: str) -> None:
    place, shelves = command_place(here, "ann"), here.parts.store.house_rules
    await save_rules(here, name)
    (offered,) = (await autocompletions(here, "ann", "houserules show", "name")).values()
    for typed in (name, offered, f" {name}\N{ZERO WIDTH SPACE}"):
        assert await starting_rules(shelves, place, typed) == StartingRules(HONG_KONG_RULES, name)


async def test_rules_start_by_a_name_whose_hyphen_a_keyboard_made_a_dash(here: World) -> None:
    place, shelves = command_place(here, "ann"), here.parts.store.house_rules
    await save_rules(here, "Friday 3-2")
    friday = StartingRules(HONG_KONG_RULES, "Friday 3-2")
    assert await starting_rules(shelves, place, "Friday 3\N{EN DASH}2") == friday


async def test_an_explicit_option_precedes_the_channel_default_and_the_first_preset(here: World) -> None:
    place, store = command_place(here, "ann"), here.parts.store
    assert (
        await starting_rules(store.house_rules, place)
        == await starting_rules(store.house_rules, place, " ", "big_two")
        == StartingRules(STANDARD)
    )
    await add_admin(here, manage_channels=True).slash(here.channel, "houserules here", rules="taiwan")
    await save_rules(here)
    taiwan, friday = StartingRules(Ruleset.of(GAMES["big_two"], "taiwan")), StartingRules(HONG_KONG_RULES, "Friday")
    assert (
        await starting_rules(store.house_rules, place)
        == await starting_rules(store.house_rules, place, game="big_two")
        == taiwan
    )
    assert (
        await starting_rules(store.house_rules, place, "friday")
        == await starting_rules(store.house_rules, place, "me:Friday")
        == friday
    )
    assert await starting_rules(store.house_rules, place, HONG_KONG) == StartingRules(HONG_KONG_RULES)
    assert await starting_rules(store.house_rules, place, "hong kong", "big_two") == StartingRules(
        Ruleset.of(GAMES["big_two"], "hong_kong")
    )
    assert await starting_rules(store.house_rules, command_place(here, "ben"), None) == taiwan
    with pytest.raises(Refused):
        await starting_rules(store.house_rules, command_place(here, "ben"), "Friday")
    with pytest.raises(Illegal):
        await starting_rules(store.house_rules, place, "B2:hk+players=3")
