"""When a hand ends, and when the match does: what every player sees, the next hand, and what stays."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

from simcord.results import InteractionResult

from bot.games import GAMES
from bot.rules.core.cards import cards
from bot.rules.matches.match_file import ExportedMatch, faults
from bot.show.kit.card_symbols import symbols
from bot.store.rows import NewTable, TableChange
from bot.table.table import Table
from tests.support.message_text import private_reply
from tests.support.world import DRAGON, INSTANT_RULES, SHORT_HANDS, World

DEAL = SHORT_HANDS  # whose cards do not matter


async def play_first_hand(here: World, *others: str, **options: Any) -> Table:
    """Play one hand to its end."""
    table = await here.start_table(*others, **options)
    await here.play_hand(table)
    return table


async def finish_match(here: World, *others: str, by: str = "ann", **options: Any) -> Table:
    """Play a match of one hand."""
    table = await here.start_table(*others, by=by, hands=1, **options)
    await here.play_hand(table)
    assert table.stage == "over"
    return table


async def test_the_end_of_a_hand_shows_all_cards_the_score_and_few_payments(here: World) -> None:
    table = await play_first_hand(here, "ben", hands=3, stake=2)
    assert table.match is not None
    result = table.match.game.result
    assert result is not None
    said = here.read_board(table).text.replace("`", "")
    names = [f"{chair.name} 🤖" if chair.house else chair.name for chair in table.row.chairs]
    assert f"**{names[result.order[0]]}** goes out with" in said
    for name, left, points in zip(names, result.left, result.points, strict=True):
        assert (f"-# **{name}** · {symbols(left)}" in said) is bool(left)
        assert f"**{name}** · {points}\n" in said
    assert "Low score wins." in said
    assert {"Check this deal", "Settle up"} <= here.read_board(table).buttons.keys()
    owed = list(table.scene(None).tally.nets)
    settling = private_reply(await here.press("ann", table, "Settle up")).text
    assert settling.startswith("### To settle so far\n")
    for payer, dues in re.findall(r"^(.+) owes (.+)$", settling, re.MULTILINE):
        for payee, amount in re.findall(r"(\w+(?: 🤖)?) (\d+)", dues):
            owed[names.index(payer)] += int(amount)
            owed[names.index(payee)] -= int(amount)
    assert [owed[chair.seat] for chair in table.row.chairs if not chair.house] == [0, 0]


async def test_the_private_hand_shows_the_points_and_the_next_hand_is_dealt_when_all_are_ready(
    here: World,
) -> None:
    table = await play_first_hand(here, "ben", hands=3)
    assert table.match is not None
    for name, points in zip(("ann", "ben"), table.match.totals, strict=False):
        brought = f"{points} point" if points == 1 else f"{points} points"
        lost = f"wins the hand. You: {brought}"
        shown = private_reply(await here.open_hand(name, table)).text
        assert ("# You won the hand!\n" if points == 0 else lost) in shown
    assert "Waiting for ann and ben." in here.read_board(table).text
    await here.press("ann", table, "Ready")
    assert "Waiting for ben." in here.read_board(table).text
    assert private_reply(await here.press("ann", table, "Ready")).text.startswith(
        "You're ready. Waiting for the others."
    )
    assert table.stage == "between"
    opened = await here.open_hand("ben", table)
    assert "Ready for the next hand?" in private_reply(opened).text
    dealt = private_reply(await here.press_on("ben", opened, "Ready"))
    assert (await here.reload(table)).stage == "playing"
    assert "Hand 2 of 3" in here.read_board(table).text
    assert "Your 13 cards" in dealt.text


async def test_two_people_are_ready_at_once(here: World) -> None:
    table = await play_first_hand(here, "ben", hands=3)
    await here.click_at_once([("ann", "Ready"), ("ben", "Ready")], here.board(table))
    assert table.stage == "playing"


async def test_a_single_player_gets_the_next_hand_automatically_and_pays_nothing_without_a_stake(
    here: World,
) -> None:
    table = await play_first_hand(here, hands=3, stake=0)
    assert table.stage == "between"
    assert "Settle up" not in here.read_board(table).buttons
    assert "Next hand <t:" in here.read_board(table).text
    assert "or when you press Ready." in private_reply(await here.open_hand("ann", table)).text
    await here.advance(seconds=13)
    assert (await here.reload(table)).stage == "playing"


async def test_the_end_of_a_match_has_places_a_replay_and_a_leaderboard_entry(here: World) -> None:
    table = await finish_match(here, "ben")
    said = here.read_board(table).text
    places = table.scene(None).tally.places
    winners = [chair.name for chair in table.row.chairs if places[chair.seat] == 1]
    assert f"### {winners[0]}" in said
    assert "wins the match" in said
    assert all(medal in said for medal in "🥇🥈")
    assert list(here.read_board(table).buttons) == ["Rematch", "Replay", "Settle up", "Rules", "Check this deal"]
    refused = await here.slash("ann", "turn", move="3d", table=table.id)
    assert "There's no match at this table right now" in refused.text
    assert f"move 0 of {table.state.ply}" in private_reply(await here.press("ben", table, "Replay")).text
    mine = (await here.slash("ann", "standings")).text
    assert "The Deck" in mine
    assert "**ann** (you)" in mine
    assert "**ben**" in mine
    assert "Mei" not in mine
    theirs = (await here.slash("dev", "standings")).text
    assert "**ann** · " in theirs
    assert "(you)" not in theirs
    elsewhere = here.env.create_guild("Elsewhere")
    lounge = elsewhere.create_text_channel("lounge")
    there = private_reply(await elsewhere.add_member(here.ann.user).slash(lounge, "standings")).text
    assert "**ann**" not in there


async def test_a_rematch_has_the_same_rules_and_starts_with_the_last_player(here: World) -> None:
    first = await here.finish_instantly("ben", rules=f"{INSTANT_RULES},stake=3", pace="slow")
    answer = await here.press("ben", first, "Rematch")
    assert "You're in: seat" in private_reply(answer).text
    (number,) = await here.parts.store.tables.open_tables()
    again = await here.parts.tables.get(number)
    assert [(chair.seat, chair.name) for chair in again.row.chairs] == [(1, "ben"), (2, "Mei"), (3, "Otto")]
    said = here.read_board(again).text
    for part in ("**ben** (host)", "1 hand", "Relaxed: 1 day a move", "stake 3"):
        assert part in said
    await here.press("ann", again, "Join")
    assert again.stage == "playing", "it begins with the last of those who played"
    assert [chair.name for chair in again.row.chairs] == ["ann", "ben", "Mei", "Otto"], "where they sat"


async def test_a_rematch_with_house_players_is_dealt_at_once_into_the_same_hand(here: World) -> None:
    here.deal, usual = DRAGON, here.deal
    first = await here.start_table(rules="B2:hk")
    mine = await here.press("ann", first, "End the match")
    await here.press_on("ann", mine, "End the match")
    assert first.stage == "over"
    here.deal = usual
    await here.press_on("ann", mine, "Rematch")
    (number,) = await here.parts.store.tables.open_tables()
    again = await here.parts.tables.get(number)
    assert again.stage == "playing"
    assert [chair.name for chair in again.row.chairs] == [chair.name for chair in first.row.chairs]
    assert "Big Two, table 2" in private_reply(mine).text
    assert "Your 13 cards" in private_reply(mine).text
    await here.press_on("ann", await here.press_on("ann", mine, "Hint"), "Hint")
    assert "play these" in private_reply(mine).text


async def test_a_rematch_gathers_all_who_agree_and_starts_without_the_others(
    here: World,
) -> None:
    first = await here.finish_instantly("ben", "cleo", "dev")
    await here.click_at_once([("ann", "Rematch"), ("ben", "Rematch")], here.board(first))
    await here.restart()
    await here.press("cleo", first, "Rematch")
    (number,) = await here.parts.store.tables.open_tables()
    again = await here.parts.tables.get(number)
    assert sorted(chair.name for chair in again.row.chairs) == ["ann", "ben", "cleo"]
    assert private_reply(await here.press("cleo", first, "Rematch")).text == "You're already at this table."
    assert again.stage == "lobby"
    await here.press(here.name_of(again.row.host), again, "Play now")
    assert [chair.user is None for chair in again.row.chairs] == [False, False, False, True]


async def open_first_match(here: World, name: str) -> InteractionResult:
    """Open the first match of the history as a player."""
    listing = await here.people[name].slash(here.channel, "matches list")
    ((target, matches),) = private_reply(listing).selects.items()
    assert listing.response is not None
    result = await here.people[name].select(listing.response.message, [matches[0]], custom_id=target)
    await here.settle()
    return result


async def test_history_steps_through_a_match_also_after_a_restart(here: World) -> None:
    table = await here.start_table(hands=2)
    await here.play_hand(table)
    await here.press("ann", table, "Ready")
    await here.play_hand(table)
    playback = await open_first_match(here, "dev")  # a player who is on this server
    assert f"move 0 of {table.state.ply}" in private_reply(playback).text
    assert private_reply(playback).buttons["◀"][1]
    await here.restart()
    step = private_reply(await here.press_on("dev", playback, "Move ▶")).text
    assert f"move 1 of {table.state.ply}" in step
    assert symbols(cards(table.row.steps[0].action)) in step.replace("`", "")
    assert "move 0" in private_reply(await here.press_on("dev", playback, "◀")).text
    last = private_reply(await here.press_on("dev", playback, "⏭"))
    assert f"move {table.state.ply} of {table.state.ply}" in last.text
    assert last.buttons["Move ▶"][1]
    ((target, values),) = last.selects.items()
    hands = [value for value in values if value.startswith("h")]
    assert len(hands) == 2
    assert playback.response is not None
    await here.people["dev"].select(playback.response.message, [hands[1]], custom_id=target)
    await here.settle()
    assert "Hand 2" in private_reply(playback).text
    assert "move 0" in private_reply(await here.press_on("dev", playback, "⏮")).text


def linked_matches(listing: InteractionResult) -> list[str]:
    """Return the matches linked on this page."""
    (matches,) = private_reply(listing).selects.values()
    return list(matches)


async def repeat_match(here: World, table: Table, count: int) -> None:
    """Store further copies of a match, each a minute later."""
    row, store = table.row, here.parts.store
    (match,) = await store.results.history(row.guild, 1, 0)
    for minutes in range(1, count + 1):
        finished = match.outcome.finished + timedelta(minutes=minutes)
        new = NewTable(
            row.guild, row.channel, row.host, row.game, row.preset, row.options, row.seats, row.seed, row.pace, finished
        )
        over = TableChange(steps=row.steps, phase="over", outcome=replace(match.outcome, finished=finished))
        await store.tables.save((await store.tables.add(new, row.chairs, None)).id, over)


async def test_every_finished_match_can_be_reached_by_paging(here: World) -> None:
    await repeat_match(here, await here.finish_instantly(), 11)
    listing = await here.people["ann"].slash(here.channel, "matches list")
    said = private_reply(listing).text
    assert said.index("table 12") < said.index("table 11"), "the latest first"
    seen = linked_matches(listing)
    for _ in range(2):
        await here.press_on("ann", listing, "Next")
        seen += linked_matches(listing)
    assert seen == [str(number) for number in range(12, 0, -1)]
    assert private_reply(listing).buttons["Next"][1]
    await here.press_on("ann", listing, "Previous")
    assert linked_matches(listing) == ["7", "6", "5", "4", "3"]


async def test_history_shows_nothing_of_running_matches_or_of_other_servers(here: World) -> None:
    await here.finish_instantly()
    playback, table = await open_first_match(here, "ann"), await here.start_table()
    assert "table 2" not in (await here.slash("ann", "matches list")).text
    running = private_reply(playback).buttons["Move ▶"][0].replace("replay:1:", f"replay:{table.id}:")
    assert private_reply(await here.forge(here.ann, playback, running)).text == "There's no such finished match here."
    elsewhere = here.env.create_guild("Elsewhere")
    channel, actor = elsewhere.create_text_channel("lounge"), elsewhere.add_member(here.ann.user)
    assert "table 1" not in private_reply(await actor.slash(channel, "matches list")).text
    answer = await here.forge(actor, await actor.slash(channel, "learn rules"), "bv:replay:1:1:on")
    assert private_reply(answer).text == "There's no such finished match here."


async def test_an_exported_match_can_be_verified_by_anyone(here: World) -> None:
    await finish_match(here, "ben")
    given = await here.people["ann"].slash(here.channel, "matches export")
    await here.settle()
    first = await here.press_in_menu("dev", await open_first_match(here, "dev"), "As a file")
    for result in (given, first):
        shown = result.response or result.followups[-1]
        assert shown.ephemeral
        assert "`python -m bot record verify`" in shown.message.content
        (file,) = shown.message.attachments
        assert file.filename == "match-1.json"
        found = ExportedMatch.from_json((await file.read()).decode(), GAMES)
        assert found.players[:2] == ("ann", "ben")
        assert list(faults(found)) == []
