"""Whose turn it is: pings that come and go, and a board that does not flicker."""

from __future__ import annotations

from typing import Any

import pytest

from bot.rules.core.asks import Play
from bot.rules.core.cards import cards
from bot.table.core.commands import Act
from bot.table.table import Table
from tests.support.message_text import private_reply
from tests.support.world import SHORT_HANDS, World

SEND = ("POST", "/channels/*/messages")
EDIT = ("PATCH", "/channels/*/messages/*")
DELETE = ("DELETE", "/channels/*/messages/*")
PING_SECONDS = 9.5  # seconds of a turn after which a player who has not clicked has been called


async def start_four_players(here: World, **options: Any) -> Table:
    """Start a match of four persons, a minute after their last click."""
    table = await here.start_table("ben", "cleo", "dev", **options)
    await here.advance(minutes=1)
    return table


def pinged_users(here: World, table: Table) -> list[list[int]]:
    """Whom each ping mentions, oldest first."""
    return [[user.id for user in each.mentions] for each in here.channel_of(table).history() if each.mentions]


async def test_a_ping_names_exactly_the_awaited_player_and_is_deleted_after_the_act(here: World) -> None:
    table = await start_four_players(here, pace="none")
    ben, cleo = here.people["ben"].id, here.people["cleo"].id
    await here.play("ann", table, cards("3d 3c"))
    await here.advance(seconds=PING_SECONDS)
    assert pinged_users(here, table) == [[ben]]
    (said,) = here.channel_texts(table)
    assert said.startswith(f"<@{ben}>, your turn: [Big Two, table 1](https://discord.com/channels/")
    (*_, sent) = (
        each.json for each in here.env.http_requests if (each.method, each.path[-9:]) == ("POST", "/messages")
    )
    assert sent is not None
    assert sent["allowed_mentions"]["users"] == [ben]
    assert not sent["allowed_mentions"].get("parse")
    await here.play("ben", table, cards("5d 5c"))
    assert pinged_users(here, table) == []
    await here.advance(seconds=PING_SECONDS)
    assert pinged_users(here, table) == [[cleo]]
    await here.pass_("cleo", table)
    await here.advance(seconds=PING_SECONDS)
    assert len(pinged_users(here, table)) == 1
    assert await here.parts.store.pings.of_table(table.id)


@pytest.mark.rotates(3)
@pytest.mark.parametrize("pace", ["live", "slow", "none"])
async def test_an_inactive_player_is_pinged_8_to_10_seconds_into_the_turn(here: World, pace: str) -> None:
    table = await here.start_table("ben", "cleo", "dev", pace=pace)
    assert pinged_users(here, table) == []  # Ann has just pressed Start
    await here.press("ben", table, "Rules")  # before his turn
    await here.play("ann", table, cards("3d 3c"))
    edits = here.requests(*EDIT)
    await here.advance(seconds=8)
    assert pinged_users(here, table) == []
    await here.advance(seconds=2)
    assert pinged_users(here, table) == [[here.people["ben"].id]]
    sent = here.requests(*SEND)
    await here.advance(minutes=1)
    assert len(pinged_users(here, table)) == 1
    assert here.requests(*SEND) == sent
    assert here.requests(*EDIT) == edits


async def test_an_active_player_is_not_pinged(here: World) -> None:
    table = await here.start_table("ben", "cleo", "dev")
    await here.play("ann", table, cards("3d 3c"))
    await here.advance(seconds=7)
    await here.press("ben", table, "Rules")  # he is there
    await here.advance(seconds=112)
    assert pinged_users(here, table) == []  # not even when his time runs out
    assert here.current_player(table) == "ben"
    await here.pass_("ben", table)
    await here.play("cleo", table, cards("3d 4d"))  # which she may not
    await here.advance(seconds=60)
    assert (pinged_users(here, table), here.current_player(table)) == ([], "cleo")
    await here.pass_("cleo", table)
    await here.advance(seconds=7)
    await here.press("dev", table, "My hand")
    await here.advance(seconds=60)
    assert (pinged_users(here, table), here.current_player(table)) == ([], "dev")


async def test_an_open_hand_does_not_prevent_a_ping(here: World) -> None:
    table = await start_four_players(here, pace="none")
    opened = {name: await here.open_hand(name, table) for name in ("ben", "cleo")}
    await here.advance(seconds=1)
    for turn, name in (("ann", "ben"), ("ben", "cleo")):
        await here.play_directly(turn, table, {"ann": "3d 3c", "ben": "5d 5c"}[turn])
        assert "Your turn" in private_reply(opened[name]).text  # an edit, which notifies nobody
        await here.advance(seconds=PING_SECONDS)
        assert pinged_users(here, table) == [[here.people[name].id]]
        await here.advance(minutes=5)


async def test_a_player_is_pinged_again_at_the_next_turn(here: World) -> None:
    table = await here.start_table("ben", pace="none")
    await here.advance(seconds=PING_SECONDS)
    (first,) = here.channel_texts(table)
    while here.current_player(table) == "ann":
        await here.act("ann", table)
    assert here.current_player(table) == "ben"
    assert here.channel_texts(table) == []
    while here.current_player(table) == "ben":
        await here.act("ben", table)
    await here.advance(seconds=PING_SECONDS)
    assert here.channel_texts(table) == [first]


async def test_a_ping_whose_id_could_not_be_stored_is_still_deleted(
    here: World, caplog: pytest.LogCaptureFixture
) -> None:
    """What is not stored would never be deleted: the outbox knows its nonce until it is."""
    table = await start_four_players(here, pace="none")
    await here.play("ann", table, cards("3d 3c"))
    await execute_sql(here, "CREATE TRIGGER full BEFORE INSERT ON pings BEGIN SELECT RAISE(ABORT, 'no room'); END")
    sent = here.requests(*SEND)
    await here.advance(seconds=PING_SECONDS)
    assert here.requests(*SEND) == sent + 1
    assert pinged_users(here, table) == [[here.people["ben"].id]]
    assert f"of table {table.id} failed" in caplog.text
    caplog.clear()
    await execute_sql(here, "DROP TRIGGER full")
    await here.advance(seconds=11)
    assert pinged_users(here, table) == [[here.people["ben"].id]]
    assert len(await here.parts.store.pings.of_table(table.id)) == 1
    await here.advance(minutes=1)
    assert len(pinged_users(here, table)) == 1, "once"
    await here.play("ben", table, cards("5d 5c"))
    assert pinged_users(here, table) == []


async def execute_sql(here: World, statement: str) -> None:
    """Execute SQL on the database."""
    await here.parts.store._gate.run(lambda connection: connection.exec_driver_sql(statement))


async def test_pings_are_silent_in_quiet_hours(here: World) -> None:
    table = await here.start_table("ben", pace="none")
    hour = here.env.now().hour
    await here.parts.servers.change(here.guild.id, here.ann.id, "zone", "UTC")
    await here.parts.servers.change(here.guild.id, here.ann.id, "quiet", (hour, (hour + 2) % 24))
    await here.advance(seconds=PING_SECONDS)
    (call,) = [each for each in here.channel_of(table).history() if each.mentions]
    assert call.flags.silent
    await here.advance(hours=3)
    await here.act("ann", table)
    await here.advance(seconds=PING_SECONDS)
    (call,) = [each for each in here.channel_of(table).history() if each.mentions]
    assert not call.flags.silent


async def test_downtime_neither_sends_nor_repeats_pings(here: World) -> None:
    table = await here.start_table("ben", "cleo", "dev", pace="none")
    await here.play("ann", table, cards("3d 3c"))
    await here.advance(seconds=5)
    await here.restart()
    await here.advance(seconds=PING_SECONDS)
    assert pinged_users(here, table) == [[here.people["ben"].id]]
    await here.restart()
    await here.advance(minutes=5)
    assert pinged_users(here, table) == [[here.people["ben"].id]]
    assert here.requests(*SEND) == 2  # the board, and the one call
    table = await here.reload(table)
    await here.pass_("ben", table)
    assert pinged_users(here, table) == [], "a call of before a restart goes as well"
    await here.advance(seconds=PING_SECONDS)
    assert pinged_users(here, table) == [[here.people["cleo"].id]]


async def test_no_ping_for_single_players_house_players_or_between_hands(here: World) -> None:
    here.deal = SHORT_HANDS
    table = await here.start_table(pace="none")
    await here.advance(minutes=2)
    assert (here.current_player(table), here.channel_texts(table)) == ("ann", [])
    await here.play_hand(table)
    assert table.stage == "between"
    assert pinged_users(here, table) == []


async def test_the_ping_is_deleted_with_the_table(here: World) -> None:
    table = await here.start_table("ben", seats=2, pace="none")
    await here.play("ann", table, cards("3d 3c"))
    await here.advance(seconds=PING_SECONDS)
    assert pinged_users(here, table)
    for name in ("ben", "ann"):
        await here.leave(name)
    assert pinged_users(here, table) == []


async def test_a_trick_against_house_players_takes_two_edits_at_most(here: World) -> None:
    table = await here.start_table(hands=1)
    await here.open_hand("ann", table)
    for _ in range(3):
        assert here.current_player(table) == "ann"
        await here.advance(seconds=40)
        before = {what: here.requests(*what) for what in (SEND, EDIT, DELETE)}
        ply = table.state.ply
        await here.act("ann", table)
        assert table.state.ply > ply
        assert here.requests(*EDIT) - before[EDIT] <= 2
        assert here.requests(*SEND) == before[SEND]
        assert here.requests(*DELETE) == before[DELETE]


async def test_board_edits_are_coalesced(here: World) -> None:
    table = await here.open_table()
    here.env.slow_edits(0.2)
    before = here.requests(*EDIT)
    await here.click_at_once([(name, "Join") for name in ("ben", "cleo", "dev")], here.board(table))
    assert len(table.row.chairs) == 4
    assert here.requests(*EDIT) - before <= 2
    assert all(f"**{name}**" in here.read_board(table).text for name in ("ben", "cleo", "dev"))


async def test_a_ping_sent_too_late_is_deleted_at_once(here: World) -> None:
    """A player acts just as they are pinged: nothing else happens that would take the call away."""
    table = await here.start_table("ben", "cleo", "dev", pace="slow")
    request, acted = here.bot.http.request, list[str]()

    async def meanwhile(route: Any, **how: Any) -> Any:
        sent = await request(route, **how)
        if route.method == "POST" and ", your turn: [" in str(how.get("json")) and not acted:
            acted.append("ann")
            await table.do(Act(here.ann.id, Play(cards("3d 3c"))))
        return sent

    here.bot.http.request = meanwhile  # type: ignore[method-assign]
    await here.advance(seconds=PING_SECONDS)
    assert acted
    assert here.current_player(table) == "ben"
    assert not any(str(here.ann.id) in said for said in here.channel_texts(table))


async def test_a_ping_that_could_not_be_deleted_is_deleted_later(here: World) -> None:
    table = await start_four_players(here, pace="none")
    await here.play("ann", table, cards("3d 3c"))
    await here.advance(seconds=PING_SECONDS)
    here.env.inject_error(*DELETE, status=503, times=2)
    await here.play("ben", table, cards("5d 5c"))
    assert len(here.channel_texts(table)) == 1
    await here.advance(minutes=3)
    (cleos,) = here.channel_texts(table)
    assert str(here.people["cleo"].id) in cleos


async def test_a_ping_is_deleted_when_the_clock_acts(here: World) -> None:
    table = await start_four_players(here)
    await here.play("ann", table, cards("3d 3c"))
    await here.advance(seconds=PING_SECONDS)
    assert pinged_users(here, table) == [[here.people["ben"].id]]
    await here.advance(minutes=2)
    assert here.current_player(table) == "cleo"
    assert [here.people["ben"].id] not in pinged_users(here, table)
