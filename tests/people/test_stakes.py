"""What is promised when the first card is dealt, and holds whatever is chosen later: stakes, and which ladder it is."""

from __future__ import annotations

import discord
import pytest
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.domain.debts import LedgerScope
from bot.domain.ids import UserId
from bot.domain.rating import ALL_GUILDS, Leaderboard
from bot.table.table import Table
from tests.people.test_ledger import read_ledger
from tests.people.test_presence import VIEW, create_hidden_channel, set_roles
from tests.people.test_server_settings import open_settings
from tests.support.message_text import private_reply
from tests.support.totals import matches_and_wins
from tests.support.world import SHORT_DUEL, Person, World

STAKES = "stake 5"
OTHERS = ("slow", "leaderboard", "mirror", "threads", "pictures")


@pytest.fixture
def boss(here: World) -> Person:
    """A player who may manage the server."""
    return here.arrive("boss", here.guild.create_role("Boss", permissions=discord.Permissions(manage_guild=True)))


async def switch_stakes(here: World, boss: Person, *, stakes: bool) -> None:
    """Turn stakes on or off, as a manager does."""
    await (await open_settings(here, boss)).choose("switches", *OTHERS, *(["stakes"] if stakes else []))


async def stored_debts(here: World) -> list[int]:
    """Return what is owed on the server."""
    account = await here.parts.ledgers.account(LedgerScope(here.guild.id), UserId(here.ann.id))
    return [debt.units for debt in account.debts]


async def owed_units(here: World, table: Table) -> int:
    """Return what the loser of a finished match of two owes by its score."""
    score = await here.parts.store.results.score(table.id)
    assert score is not None
    ((_, _, lost),) = score.payments
    return lost


async def test_2_2_stakes_disabled_during_a_match_are_still_owed(here: World, boss: Person) -> None:
    here.deal = SHORT_DUEL
    table = await here.start_table("ben", seats=2, hands=1, stake=5)
    await switch_stakes(here, boss, stakes=False)
    assert STAKES in private_reply(await here.press("ann", table, "Rules")).text
    await here.restart()
    table = await here.reload(table)
    assert STAKES in private_reply(await here.press("ann", table, "Rules")).text
    await here.play_hand(table)
    assert "Settle up" in here.read_board(table).buttons
    assert await stored_debts(here) == [await owed_units(here, table)]
    assert f"**{await owed_units(here, table)}**" in await read_ledger(here, "ann")
    await here.press_on("ann", await here.people["ann"].slash(here.channel, "matches ledger"), "Settled")
    desk = private_reply(await here.people["ben"].slash(here.channel, "desk")).text
    assert "someone says your debt is settled" in desk
    opened = await here.people["ben"].slash(here.channel, "matches ledger")
    await here.press_on("ben", opened, "Yes, settled")
    assert await stored_debts(here) == []


async def test_3_4_stakes_reach_every_game(here: World) -> None:
    table = await here.start_table("ben", seats=2, hands=1, stake=5, game="tien_len")
    await here.play_hand(table)
    score = await here.parts.store.results.score(table.id)
    assert score is not None
    [hand] = score.hands
    assert hand.nets == tuple(5 * points for points in hand.points)
    assert await stored_debts(here) == [max(hand.nets)]


async def test_2_2_stakes_enabled_during_a_match_are_not_owed(here: World, boss: Person) -> None:
    here.deal = SHORT_DUEL
    await switch_stakes(here, boss, stakes=False)
    table = await here.start_table("ben", seats=2, hands=1)
    await switch_stakes(here, boss, stakes=True)
    assert "stake 1" not in private_reply(await here.press("ann", table, "Rules")).text
    await here.play_hand(table)
    assert "Settle up" not in here.read_board(table).buttons
    assert await stored_debts(here) == []
    ladder = Leaderboard(here.guild.id, "big_two")
    await here.parts.leaderboards.update(ladder)
    tallied = await here.parts.store.leaderboards.totals(ladder)
    assert [one.tally and one.tally.units for one in tallied] == [0, 0], "what was played for nothing has won no units"


async def hide_channel(here: World, table: Table) -> None:
    """Hide the channel of the tables from every player but Ann and Ben."""
    for person in (here.ann.id, here.people["ben"].id, here.env.backend.bot_user.id):
        may = Overwrite(target_id=person, type=OverwriteType.MEMBER, allow=VIEW)
        here.env.backend.set_overwrite(here.channel.id, may)
    here.env.backend.set_overwrite(here.channel.id, Overwrite(here.guild.id, OverwriteType.ROLE, deny=VIEW))
    await here.advance(minutes=2)
    assert (await here.parts.presence.place(table.row.guild, table.row.home)).hidden


async def test_2_2_a_match_stays_on_the_leaderboard_of_its_start(here: World) -> None:
    here.deal = SHORT_DUEL
    table = await here.start_table("ben", seats=2, hands=1)
    await hide_channel(here, table)
    backroom = create_hidden_channel(here, role := here.guild.create_role("insiders"))
    for name in ("ann", "ben"):
        set_roles(here, name, role)
    moved = (await here.slash("ann", "table move", backroom, table=table.id)).text
    assert "A match that's under way can't move between a" in moved
    await here.play_hand(table)
    assert len(await matches_and_wins(here.parts.store, here.guild.id)) == 2


async def test_2_2_the_global_rating_choice_is_fixed_at_the_start(here: World) -> None:
    here.deal = SHORT_DUEL
    ann, ben = UserId(here.ann.id), UserId(here.people["ben"].id)
    await here.parts.preferences.change(ann, everywhere=True)
    table = await here.start_table("ben", seats=2, hands=1)
    await here.parts.preferences.change(ann, everywhere=False)
    await here.parts.preferences.change(ben, everywhere=True)
    await here.play_hand(table)
    await here.parts.preferences.change(ann, everywhere=True)
    ladder = Leaderboard(ALL_GUILDS, "big_two")
    await here.parts.leaderboards.update(ladder)
    assert [one.user for one in await here.parts.store.leaderboards.totals(ladder)] == [ann]
