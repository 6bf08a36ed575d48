"""Inviting people to a lobby: who is called, how often, refusals, and blocks."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from simcord.results import InteractionResult

from bot.domain.refusals import Refused
from bot.members.requests import InvitationPolicy
from bot.show.kit.layout import DOTS
from bot.table.core.commands import CloseLobby
from bot.table.table import Table
from tests.people.test_presence import create_hidden_channel, set_roles
from tests.support.message_text import ParsedMessage, private_reply
from tests.support.world import NOT_SEATED, World


async def invite(here: World, table: Table, *whom: Any, by: str = "ann", verb: str = "call") -> InteractionResult:
    """Invite users or a role to a lobby."""
    return await choose_users(here, by, await here.press(by, table, "Invite"), f":{verb}", whom)


async def choose_users(here: World, name: str, shown: InteractionResult, verb: str, whom: Any) -> InteractionResult:
    """Select users or a role in a private message."""
    (target,) = (each for each in private_reply(shown).selects if each.endswith(verb))
    assert shown.response is not None
    result = await here.people[name].select(shown.response.message, list(whom), custom_id=target)
    await here.settle()
    return result


async def toggle_block(here: World, name: str, whom: str) -> str:
    """Block a user, or remove the block."""
    own = await here.people[name].slash(here.channel, "my choices")
    return private_reply(await choose_users(here, name, own, "my_apart", [here.people[whom]])).text


def invitations(here: World, table: Table) -> list[str]:
    """The texts in the table's channel beside the board."""
    return [text for text in here.channel_texts(table) if "invites you" in text]


async def test_invited_users_are_pinged_once_and_the_ping_is_deleted_at_the_start(here: World) -> None:
    table = await here.open_table()
    told = private_reply(await invite(here, table, here.people["ben"], here.people["cleo"]))
    ben, cleo = (f"<@{here.people[name].id}>" for name in ("ben", "cleo"))
    assert told.text == f"I pinged {ben} and {cleo}."
    (call,) = invitations(here, table)
    assert call.startswith(f"{ben} {cleo}, **ann** invites you to [Big Two, table 1]")
    (sent,) = (
        json
        for each in here.env.http_requests
        if isinstance(json := each.json, dict) and "invites" in str(json.get("content"))
    )
    assert set(sent["allowed_mentions"]["users"]) == {here.people[name].id for name in ("ben", "cleo")}
    assert not sent["allowed_mentions"].get("parse")
    await here.press("ben", table, "Join")
    again = private_reply(await here.press("ben", table, "Invite")).text
    assert again == "This table has pinged people already, and it only does that once."
    assert invitations(here, table), "it stands while the table waits"
    await here.restart()
    table = await here.reload(table)
    await here.press("ann", table, "Play now")
    assert not invitations(here, table)


async def test_an_invitation_in_flight_is_deleted_if_the_lobby_closes(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, request = await here.open_table(), here.bot.http.request

    async def closed_meanwhile(route: Any, **how: Any) -> Any:
        sent = await request(route, **how)
        if "invites you" in str(how):
            await table.do(CloseLobby(here.ann.id))
            await here.parts.delivery._screen_updates.settled()
            await here.parts.delivery._ping_updates.settled()
        return sent

    monkeypatch.setattr(here.bot.http, "request", closed_meanwhile)
    await invite(here, table, here.people["ben"])
    assert table.row.phase == "closed"
    assert not invitations(here, table)


async def test_a_declined_invitation_is_shown_to_the_host_only(here: World) -> None:
    table = await here.open_table()
    await here.press("cleo", table, "Join")
    await invite(here, table, here.people["ben"])
    (call,) = (each for each in here.channel_of(table).history() if "invites you" in each.content)
    assert list(ParsedMessage.of(call).buttons) == ["Join", "Not this time"]
    uncalled = await here.people["dev"].click(call, label="Not this time")
    assert private_reply(uncalled).text == "You weren't asked, so there's nothing to turn down."
    said, board = len(here.channel_texts(table)), here.read_board(table)
    assert (
        private_reply(await here.people["ben"].click(call, label="Not this time")).text == "OK. Only the host sees it."
    )
    await here.settle()
    assert (len(here.channel_texts(table)), here.read_board(table)) == (said, board), "nobody else is told"
    ben = f"<@{here.people['ben'].id}>"
    assert f"Can't make it: {ben}." in private_reply(await here.press("ann", table, DOTS)).text
    assert "Not this time" not in private_reply(await here.press("cleo", table, DOTS)).text
    await here.press("ben", table, "Join")
    assert "Not this time" not in private_reply(await here.press("ann", table, DOTS)).text, "ben has come after all"


async def test_a_closing_lobby_deletes_its_invitation(here: World) -> None:
    for end in ("Close this table", "Leave"):
        table = await here.open_table()
        await invite(here, table, here.people["ben"])
        await here.press("ann", table, end)
        assert not invitations(here, table), end


async def test_a_user_without_invitations_is_not_pinged_and_no_reason_is_given(here: World) -> None:
    own = await here.people["ben"].slash(here.channel, "my choices")
    assert "Nobody can invite you." in private_reply(await here.press_on("ben", own, "No invitations")).text
    assert "won't meet at a table from now on" in await toggle_block(here, "cleo", "ann")
    table = await here.open_table()
    nobody = private_reply(await invite(here, table, here.people["ben"], here.people["cleo"], here.ann)).text
    assert nobody.startswith("I didn't ping anyone: they're at the table already, can't see this")
    told = private_reply(await invite(here, table, here.people["ben"], here.people["dev"])).text
    ben, dev = (f"<@{here.people[name].id}>" for name in ("ben", "dev"))
    assert told == f"I pinged {dev}.\nNot pinged, because they can't come or don't want pings: {ben}."
    assert ben not in invitations(here, table)[0]
    assert private_reply(await here.press("cleo", table, "Invite")).text.startswith(NOT_SEATED), "only players invite"
    role = here.guild.create_role("players")
    set_roles(here, "ann", role)
    secret = await here.open_table(channel=create_hidden_channel(here, role))
    unseen = private_reply(await invite(here, secret, here.people["dev"])).text
    assert "they're at the table already, can't see this" in unseen


async def test_inviters_and_invitees_have_three_invitations_a_day(here: World) -> None:
    parts, ben = here.parts, here.people["ben"]
    inviting = InvitationPolicy(parts.store, parts.preferences, parts.presence, parts.now)
    for _ in range(3):
        await inviting.invite_people(await here.open_table(), here.ann.id, [ben.id])
    table = await here.open_table()
    assert "You've pinged people for 3 tables today" in private_reply(await here.press("ann", table, "Invite")).text
    other = await here.open_table("cleo")
    told = private_reply(await invite(here, other, ben, by="cleo")).text
    assert "they're at the table already, can't see this" in told
    await here.advance(hours=25)
    other = await here.open_table("cleo")
    assert "I pinged <@" in private_reply(await invite(here, other, ben, by="cleo")).text


async def test_1_2_of_simultaneous_invitations_only_the_sent_one_counts(here: World) -> None:
    table, bot, ben = await here.open_table(), here.bot, here.people["ben"].id
    inviting = InvitationPolicy(bot.parts.store, bot.parts.preferences, bot.parts.presence, bot.parts.now)
    made = await asyncio.gather(
        *(inviting.invite_people(table, here.ann.id, [ben]) for _ in range(3)), return_exceptions=True
    )
    assert [isinstance(one, Refused) for one in made].count(False) == 1
    for name in ("cleo", "dev"):
        told = private_reply(await invite(here, await here.open_table(name), here.people["ben"], by=name)).text
        assert "I pinged <@" in told, "that is the second and the third call of ben's day"


async def test_a_role_is_pinged_only_if_the_inviter_may_mention_it(here: World) -> None:
    plain, friends = here.guild.create_role("plain"), here.guild.create_role("friends", mentionable=True)
    table = await here.open_table()
    await here.press("ben", table, "Join")
    for role in (plain, here.guild.default_role):
        refused = private_reply(await invite(here, table, role, by="ben", verb="call_role")).text
        assert refused == "That role can't be mentioned here. Choose another, or pick people by name."
    told = private_reply(await invite(here, table, friends, by="ben", verb="call_role")).text
    assert told == f"I pinged <@&{friends.id}>."
    (call,) = invitations(here, table)
    assert call.startswith(f"<@&{friends.id}>, **ben** invites you")


async def test_users_who_block_each_other_are_not_seated_together(here: World) -> None:
    assert "won't meet at a table from now on" in await toggle_block(here, "ben", "ann")
    table = await here.open_table()
    refused = private_reply(await here.press("ben", table, "Join")).text
    assert refused.startswith("Someone here is on your don't-play-with list")
    other = await here.open_table("ben")
    refused = private_reply(await here.press("ann", other, "Join")).text
    assert refused == "There's no seat for you at this table. Find another one, or open your own with /deal."
    await here.press("cleo", table, "Join")
    assert "can play together again" in await toggle_block(here, "ben", "ann")
    await here.press("ben", table, "Join")
    assert [chair.name for chair in table.row.chairs] == ["ann", "cleo", "ben"]


async def test_a_block_list_is_private_and_deleted_with_its_owner(here: World) -> None:
    ann, ben = (here.people[name].id for name in ("ann", "ben"))
    await here.parts.store.social.toggle_block(ben, ann)
    assert (await here.parts.store.person_data(ben))["apart"] == [{"user": ben}]
    assert "apart" not in await here.parts.store.person_data(ann)
    await here.parts.store.deletions.forget_person(ben)
    assert await here.parts.store.social.count_blocks(ben) == 0
