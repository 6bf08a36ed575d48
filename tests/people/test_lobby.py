"""From the wish to play until the first card."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

from simcord.results import InteractionResult

from bot.domain.house_rules import ChannelDefault
from bot.domain.pace import NO_CLOCK, Pace
from bot.show.kit.custom_ids import Press, Verb
from bot.show.kit.layout import DOTS
from bot.store.rows import TableRow
from bot.table.core.commands import ChangePace, PlayDuplicate
from bot.table.table import Table
from tests.interactions.clicks import send_click
from tests.people.test_clock import discord_timestamp
from tests.people.test_options import open_lobby_menu
from tests.support.message_text import ParsedMessage, private_reply
from tests.support.world import World, world


def seated_names(table: Table) -> list[str]:
    """Who sits at a table, in order."""
    return [chair.name for chair in table.row.chairs]


async def stored_table(here: World, table: Table) -> TableRow:
    """The table as the store has it."""
    row = await here.parts.store.tables.load(table.id)
    assert row is not None
    return row


async def test_play_without_options_opens_the_standard_game(here: World) -> None:
    answer = await here.slash("ann", "deal")
    assert answer.text.startswith("**New to Big Two?**")
    (number,) = await here.parts.store.tables.open_tables()
    table = await here.parts.tables.get(number)
    said = here.read_board(table).text
    assert "Big Two, table 1" in said
    assert "**Standard**\n-# The basic game for four" in said
    assert "\n4 players · until everyone agrees to end it · stake 1 · Live: 2 minutes a move\n`B2:std`\n" in said
    assert "**ann** (host)" in said
    assert said.count("free") == 4  # three seats, and the sentence about them
    assert list(here.read_board(table).buttons) == ["Join", "Play now", "Invite", DOTS]


async def test_a_table_opens_with_the_given_options_or_rule_code(here: World) -> None:
    options: dict[str, Any] = {
        "game": "big_two",
        "preset": "pagat",
        "seats": 4,
        "target": 30,
        "pace": "slow",
        "stake": 0,
    }
    said = here.read_board(await here.open_table(**options)).text
    assert " · until someone has 30 points · Relaxed: 1 day a move" in said
    assert "**Standard**, but no stake" in said
    assert "`B2:std+stake=0,match=target,target=30`" in said
    three = await here.open_table(preset="singapore", seats=3)
    assert three.row.seats == 3
    assert "`B2:sg+players=3,hand=17,extra=face_up`" in here.read_board(three).text, "what goes with three players"
    said = here.read_board(await here.open_table(rules=" b2: HK + straights = ace_low, stake=5 ")).text
    assert "**Hong Kong**, but A-2-3-4-5 is the lowest straight and 10-J-Q-K-A the best, stake 5\n" in said
    assert "`B2:hk+straights=ace_low,stake=5`" in said


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"hands": 3, "target": 50}, "Choose either a number of hands or a target score, not both."),
    ({"preset": "hk", "rules": "B2:std"}, "Choose either a preset or a rule code, not both."),
    (
        {"preset": "nonsense"},
        (
            "There are no house rules and no preset called nonsense, and it isn't a rule code like "
            "B2:hk+straights=ace\\_low,stake=5."
        ),
    ),
    ({"seats": 6}, "This game needs 2, 3, 4, and 5 players, not 6."),
    ({"rules": "B2:hk+colour=red"}, "Big Two has no option colour. Did you mean honours?"),
    (
        {"rules": "B2:std+scoring=places"},
        "Points for places only work if everyone plays on until only one player has cards.",
    ),
]


async def test_unplayable_options_are_refused(here: World) -> None:
    for options, why in REFUSED:
        assert (await here.slash("ann", "deal", **options)).text == why
        assert not await here.parts.store.tables.open_tables(), options


async def test_people_join_and_leave_until_the_last_one_closes_the_table(here: World) -> None:
    table = await here.open_table()
    joined = await here.press("ben", table, "Join")
    assert "You're in: seat 2 of 4." in private_reply(joined).text
    assert "**ben**" in here.read_board(table).text
    again = private_reply(await here.press("ben", table, "Join"))
    assert again.text == "**Big Two, table 1**\nYou're in: seat 2 of 4, ready."
    await here.press("ben", table, "Leave")
    assert seated_names(table) == ["ann"]
    assert "ben" not in here.read_board(table).text
    await here.press("ann", table, "Add a bot")
    await here.press("ben", table, "Join")
    await here.press("ann", table, "Leave")
    assert "**ben** (host)" in here.read_board(table).text
    await here.press("ben", table, "Add a bot")  # the new host may
    await here.press("ben", table, "Leave")
    assert table.stage == "closed"
    assert "This table is closed." in here.read_board(table).text
    assert not here.read_board(table).buttons
    assert not await here.parts.store.tables.open_tables()


async def test_a_full_table_refuses_further_players(here: World) -> None:
    table = await here.open_table()
    seen_earlier = here.board(table)
    await here.fill_up("ann", table)
    assert private_reply(await here.press("ann", table, DOTS)).buttons["Add a bot"][1]
    for refused in (await here.click_stale("ben", seen_earlier, "Join"), await here.press("ben", table, "Join")):
        shown = private_reply(refused)
        assert shown.text.startswith("You're not at **Big Two, table 1**, and all seats are taken.")
        assert list(shown.buttons) == ["+1", "Watch", "Tell me when a table opens here"]


async def test_the_lobby_menu_offers_each_viewer_their_actions(here: World) -> None:
    table = await here.open_table()
    await here.press("ben", table, "Join")
    host, guest, stranger = [private_reply(await here.press(name, table, DOTS)) for name in ("ann", "ben", "cleo")]
    assert host.text.endswith("You're the host, seat 1 of 4.")
    assert list(host.buttons) == [
        "Rules…",
        "Add a bot",
        "Remove…",
        "Repost the board",
        "Same deals…",
        "Cut the cards",
        "Leave",
        "Close this table",
    ]
    assert list(guest.buttons) == ["Rules", "Leave", "Cut the cards", "Repost the board"]
    assert stranger.text.endswith("You're not at this table yet.")
    assert list(stranger.buttons) == ["Rules", "Join", "Watch", "Tell me when a table opens here"]


async def test_the_host_chooses_length_and_pace_in_the_menu(here: World) -> None:
    table = await here.open_table(rules="B2:std+stake=5", pace="live nohints")
    await here.press("ben", table, "Join")
    behind = await open_lobby_menu(here, table)
    await behind.choose("length", "five")
    assert "4 players · 5 hands" in here.read_board(table).text
    assert table.ruleset.value("stake") == 5
    assert "**ben**: hasn't agreed to these rules yet" in here.read_board(table).text
    await behind.choose("length", "target")
    assert "until someone has 100 points" in here.read_board(table).text
    assert "no effect" not in here.read_board(table).text, "nothing is left of five hands"
    await behind.choose("pace", "daily")
    assert table.row.pace == Pace("daily", hints=False), "only the times are another"
    assert "You're the host, seat" in behind.text
    await table.do(PlayDuplicate(here.ann.id))
    menus = [address.split(":")[2] for address in private_reply(await here.press("ann", table, DOTS)).selects]
    assert (Verb.LENGTH in menus, Verb.PACE in menus) == (False, True), "the same deals keep their length"


async def test_only_the_host_runs_the_lobby(here: World) -> None:
    table = await here.open_table(seats=2)
    await here.press("ben", table, "Join")
    behind = await here.press("ben", table, DOTS)
    assert not private_reply(behind).selects
    assert behind.response is not None
    for verb, value in ((Verb.LENGTH, "five"), (Verb.PACE, "daily")):
        forged = await send_click(
            here, here.people["ben"], behind.response.message, str(Press(table.id, verb)), [value]
        )
        assert private_reply(forged).text.startswith("Only the host can do that."), verb
    for verb in (Verb.ADD, Verb.REMOVE, Verb.START, Verb.CANCEL, Verb.CHANGE):
        forged = await here.forge(here.people["ben"], behind, str(Press(table.id, verb, at=1)))
        assert private_reply(forged).text.startswith("Only the host can do that."), verb
    assert (table.stage, seated_names(table)) == ("lobby", ["ann", "ben"])
    assert (table.row.pace, table.row.edition) == (Pace("live"), 1)


async def test_a_stale_menu_shows_the_present_table_or_how_to_open_another(here: World) -> None:
    table = await here.open_table()
    await here.press("ben", table, "Join")
    seen = await open_lobby_menu(here, table)
    await here.press("ann", table, "Play now")
    shown = await seen.press("Add a bot")
    assert shown.text.startswith("The match has begun. Here's the table now.\n**Big Two, table 1**")
    assert list(shown.buttons) == ["Last trick", "Rules", "Check this deal", "Leave", "Repost the board"]
    other = await here.open_table()
    seen = await open_lobby_menu(here, other)
    await here.press("ann", other, "Close this table")
    shown = private_reply(await seen.choosing("length", "five"))
    assert shown.text == "This table is closed. /deal opens a new one."


async def test_removing_a_player_never_removes_the_next_owner_of_the_seat(here: World) -> None:
    table = await here.open_table()
    await here.press("ben", table, "Join")
    await here.press("ann", table, "Add a bot")
    asked = await here.press("ann", table, "Remove…")
    assert "Who should leave Big Two, table 1?" in private_reply(asked).text
    ((target, seats),) = private_reply(asked).selects.items()
    assert seats == ("1:ben", "2:Mei")  # never the host's own
    assert asked.response is not None
    await here.press("ben", table, "Leave")
    await here.press("cleo", table, "Join")
    await here.ann.select(asked.response.message, ["1:ben"], custom_id=target)
    assert seated_names(table) == ["ann", "cleo", "Mei"]
    asked = await here.press("ann", table, "Remove…")
    assert asked.response is not None
    await here.ann.select(asked.response.message, ["1:cleo"], custom_id=target)
    await here.settle()
    assert seated_names(table) == ["ann", "Mei"]


async def test_an_abandoned_lobby_closes_itself_and_says_so(tmp_path: Path) -> None:
    async with world(tmp_path, lobby_minutes=10) as here:
        table = await here.open_table()
        await here.advance(minutes=6)
        await here.press("ben", table, "Join")  # a player is there: the time restarts
        await here.advance(minutes=6)
        assert table.stage == "lobby"
        await here.advance(minutes=5)
        assert (await here.reload(table)).stage == "closed"
        assert "This table is closed." in here.read_board(table).text
        assert here.channel_texts(table) == ["Nobody started Big Two, table 1 in time, so it's closed."]
        assert (await stored_table(here, table)).phase == "closed"


async def test_a_slow_lobby_reminds_its_host_once_a_day_before_it_closes(here: World) -> None:
    table = await here.open_table(pace="daily")
    for _ in range(2):
        assert here.channel_texts(table) == []
        await here.advance(days=1)
    (reminder,) = here.channel_texts(table)
    assert reminder.startswith(f"<@{here.ann.id}>, [Big Two, table 1](https://discord.com/channels/")
    assert reminder.endswith(
        f" still waits for 3 more players. It closes {discord_timestamp(here.clock() + timedelta(days=1))}."
    )
    (call,) = (each for each in here.channel_of(table).history() if each.content == reminder)
    assert [user.id for user in call.mentions] == [here.ann.id]
    terms = await here.people["ben"].click(call, label="Join")
    await here.press_on("ben", terms, "Agree and join")
    assert seated_names(await here.reload(table)) == ["ann", "ben"]
    for _ in range(2):
        await here.advance(days=1)
        assert here.channel_texts(table) == [reminder], "nobody is reminded twice"
    await here.advance(days=1)
    assert (await here.reload(table)).stage == "closed"
    assert here.channel_texts(table) == ["Nobody started Big Two, table 1 in time, so it's closed."]


async def test_the_host_of_a_full_slow_lobby_is_reminded_to_start(here: World) -> None:
    table = await here.open_table(pace="relaxed")
    await here.fill_up("ann", table)
    await here.advance(days=2)
    (call,) = (each for each in here.channel_of(table).history() if each.content)
    assert " is full: press Start. It closes " in call.content
    await here.ann.click(call, label="Start")
    await here.settle()
    table = await here.reload(table)
    assert (table.stage, here.channel_texts(table)) == ("playing", [])


async def test_several_tables_in_a_channel_and_a_person_at_several(here: World) -> None:
    first = await here.open_table()
    second = await here.open_table("ben")
    third = await here.open_table("cleo")
    for table in (second, third):
        await here.press("ann", table, "Join")
    assert [table.row.number for table in (first, second, third)] == [1, 2, 3]
    assert [seated_names(table) for table in (first, second, third)] == [["ann"], ["ben", "ann"], ["cleo", "ann"]]
    mine = (await here.slash("ann", "desk")).text
    assert all(f"Big Two, table {number}" in mine for number in (1, 2, 3))


async def test_a_user_whose_interaction_fails_gets_no_seat_and_opens_no_table(here: World) -> None:
    here.env.inject_error("POST", "/interactions/*/callback", status=404, code=10062, times=5)
    await here.ann.slash(here.channel, "deal")
    await here.settle()
    here.env.backend.faults.clear()
    assert not await here.parts.store.tables.open_tables()
    table = await here.open_table()
    for status, code in ((404, 10062), (403, 50001), (500, 0)):
        here.env.inject_error("POST", "/interactions/*/callback", status=status, code=code, times=5)
        await here.press("ben", table, "Join")
        here.env.backend.faults.clear()
        assert seated_names(table) == ["ann"], status
        assert "ben" not in here.read_board(table).text, status
    await here.press("ben", table, "Join")  # nothing is held against them
    assert seated_names(table) == ["ann", "ben"]


async def test_a_match_gets_a_thread_of_its_own(tmp_path: Path) -> None:
    async with world(tmp_path, threads=True) as here:
        table = await here.open_table()
        lobby = here.board(table)
        for name in ("ben", "cleo"):
            await here.press(name, table, "Join")
        await here.press("ann", table, "Add a bot")
        await here.press("ann", table, "Start")
        (thread,) = here.channel.threads
        assert thread.name == "Big Two, table 1"
        assert table.row.home == thread.id
        assert here.current_player(table) == "ann"
        assert "**ann**'s turn" in here.read_board(table).text
        sign = next(each for each in here.channel.history() if each.id == lobby.id)
        assert ParsedMessage.of(sign).text == f"Big Two, table 1 is being played in <#{thread.id}>."
        assert not ParsedMessage.of(sign).buttons
        added = {here.people[name].id for name in ("ann", "ben", "cleo")}
        edits = [each for each in here.env.http_requests if each.path.startswith(f"/channels/{thread.id}/messages/")]
        (mentioned,) = (json["allowed_mentions"] for each in edits if (json := each.json) and "content" in json)
        assert set(mentioned["users"]) == added  # by an edit, which brings people in and calls nobody
        assert not here.requests("PUT", "/channels/*/thread-members/*")


async def test_a_refused_thread_leaves_the_match_in_the_channel(tmp_path: Path) -> None:
    async with world(tmp_path, threads=True) as here:
        here.env.inject_error("POST", "/channels/*/messages/*/threads", status=403, code=50013)
        table = await here.start_table()
        assert table.row.home == here.channel.id
        assert "**ann**'s turn" in here.read_board(table).text


async def test_two_clicks_on_start_deal_once(here: World) -> None:
    table = await here.open_table()
    for _ in range(2):
        await here.press("ann", table, "Add a bot")
    free = here.board(table)
    await here.press("ann", table, "Add a bot")
    full = here.board(table)
    await here.press("ann", table, "Start")
    assert private_reply(await here.click_stale("ann", full, "Start")).text == "This match has already started."
    assert "and the match has started" in private_reply(await here.click_stale("ben", free, "Join")).text
    assert table.state.ply == 0


async def test_a_channel_has_its_default_and_a_player_their_own_house_rules(here: World) -> None:
    default = ChannelDefault(
        guild=here.guild.id,
        channel=here.channel.id,
        name="",
        game="big_two",
        preset="hong_kong",
        options={"stake": 5},
        by=here.ann.id,
        at=here.env.now(),
    )
    await here.parts.store.house_rules.set_channel_default(default)
    table = await here.open_table(hands=3)
    assert "`B2:hk+stake=5,match=deals,hands=3`" in here.read_board(table).text
    other = await here.open_table(preset="Singapore")
    assert "`B2:sg`" in here.read_board(other).text
    await here.ann.slash(here.channel, "houserules save", name="Friday", rules="B2:hk+stake=5")
    (offered,) = await here.ann.autocomplete(here.channel, "deal", "preset", "frid")
    assert "**Hong Kong**, but stake 5" in here.read_board(await here.open_table(preset=offered["value"])).text
    assert (await here.slash("ben", "deal", preset="Friday")).text.startswith("There are no house rules")  # Ann's own


async def test_play_now_fills_up_with_house_players_and_shows_the_host_their_hand(here: World) -> None:
    table = await here.open_table()
    assert "Play now" in here.read_board(table).buttons
    assert "Start" not in here.read_board(table).buttons
    shown = await here.press("ann", table, "Play now")
    assert table.stage == "playing"
    assert [chair.house for chair in table.row.chairs] == [False, True, True, True]
    assert "### Your turn" in private_reply(shown).text
    played = private_reply(await here.press_on("ann", shown, "pair of 3s"))
    assert "Your 11 cards" in played.text


async def test_play_now_is_for_the_host_and_waits_for_all_agreements(here: World) -> None:
    table = await here.open_table()
    await here.press("ben", table, "Join")
    assert "Only the host can do that." in private_reply(await here.press("ben", table, "Play now")).text
    await table.do(ChangePace(here.ann.id, NO_CLOCK))
    await here.settle()
    refused = private_reply(await here.press("ann", table, "Play now"))
    assert "ben" in refused.text
    assert table.stage == "lobby"
    assert len(table.row.chairs) == 2, "nobody is seated where nothing begins"
    await here.advance(seconds=2)
    await here.press("ben", table, "Ready")
    await here.press("ann", table, "Play now")
    assert [chair.name for chair in table.row.chairs][:2] == ["ann", "ben"]
    assert (table.stage, table.row.counts) == ("playing", True)


# Closing a table


async def ask_to_close(here: World, table: Table, by: str = "ann") -> InteractionResult:
    """Press Close this table in the menu as the host, or forge the click."""
    behind = await here.people[by].click(here.board(table), label=DOTS)
    return await here.press_on(by, behind, "Close this table")


async def test_2_6_closing_a_shared_table_needs_confirmation_and_notifies_the_others(here: World) -> None:
    table = await here.open_table()
    for name in ("ben", "cleo"):
        await here.press(name, table, "Join")
    asked = await ask_to_close(here, table)
    assert table.stage == "lobby"
    assert (
        "Close Big Two, table 1? ben and cleo are here too, lose their seats, and will be told"
        in private_reply(asked).text
    )
    assert list(private_reply(asked).buttons) == ["Close this table", "Keep it open"]
    told = here.channel_texts(table)
    shut = await here.press_on("ann", asked, "Close this table")
    assert (await here.reload(table)).stage == "closed"
    assert "This table is closed." in private_reply(shut).text
    (news,) = [each for each in here.channel_of(table).history() if each.content not in told and each.content]
    ben, cleo = (here.people[name].id for name in ("ben", "cleo"))
    assert news.content == f"<@{ben}> and <@{cleo}>: ann closed Big Two, table 1 before it started."
    assert {user.id for user in news.mentions} == {ben, cleo}


async def test_2_6_a_table_can_be_kept_open_at_the_confirmation(here: World) -> None:
    table = await here.open_table()
    await here.press("ben", table, "Join")
    asked = await ask_to_close(here, table)
    assert "ben is here too, loses the seat, and will be told" in private_reply(asked).text
    back = await here.press_on("ann", asked, "Keep it open")
    assert table.stage == "lobby"
    assert "You're the host, seat" in private_reply(back).text
    asked = await here.people["ann"].slash(here.channel, "table cancel")
    assert "ben is here too" in private_reply(asked).text
    assert table.stage == "lobby"
    await here.press_on("ann", asked, "Close this table")
    assert (await here.reload(table)).stage == "closed"
    assert here.channel_texts(table)[-1].endswith(": ann closed Big Two, table 1 before it started.")


async def test_2_6_a_table_with_one_person_closes_without_confirmation(here: World) -> None:
    table = await here.open_table()
    await here.press("ann", table, "Add a bot")
    told = here.channel_texts(table)
    shut = await ask_to_close(here, table)
    assert "This table is closed." in private_reply(shut).text
    assert table.stage == "closed"
    assert here.channel_texts(table) == told, "nobody is to be told"


async def test_2_6_a_late_answer_closes_nothing(here: World) -> None:
    for meanwhile, said, stage in (
        ("started", "The match has begun. Here's the table now.", "playing"),
        ("left", "Only the host can do that.", "lobby"),
        ("closed", "This table is closed.", "closed"),
    ):
        table = await here.open_table(seats=2)
        await here.press("ben", table, "Join")
        asked = await ask_to_close(here, table)
        if meanwhile == "started":
            await here.press("ann", table, "Start")
        else:
            await here.leave("ann", table)
        if meanwhile == "closed":
            await here.leave("ben", table)
        assert said in private_reply(await here.press_on("ann", asked, "Close this table")).text
        assert table.stage == stage


async def test_2_6_replacing_a_table_by_a_duplicate_notifies_its_players(here: World) -> None:
    table = await here.open_table()
    await here.press("ben", table, "Join")
    behind = await here.people["ann"].click(here.board(table), label=DOTS)
    asked = await here.press_on("ann", behind, "Same deals…")
    await here.press_on("ann", asked, "Everyone alone")
    assert f"<@{here.people['ben'].id}>: ann closed Big Two, table 1 before it started." in here.channel_texts(table)
