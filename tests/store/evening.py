"""An evening of four people, played on the bot as it is, and the database that it leaves, as SQL.

`python -m tests.store.evening FILE` writes it. What an older version has left lies in `kept/`, named by its schema:
before a change of the schema another one is made, so that the next version is held to it (released.py, test_played.py).
"""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from contextlib import closing
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

import discord
from simcord.builders import ChannelHandle

from bot.ai.plain import plain_action
from bot.domain.house_rules import ChannelDefault, HouseRules, Owner
from bot.domain.ids import ChannelId, GuildId, UserId
from bot.domain.preferences import Preferences
from bot.paths import DATA
from bot.rules.core.asks import Ready, Stop
from bot.table.core.commands import Act, ChangeRules, EndMatch, Expel, Leave, PlayDuplicate, Ring, TakeBack
from bot.table.core.state import Moderator
from bot.table.table import Table
from tests.people.test_presence import create_hidden_channel, set_roles
from tests.support.world import World, world

PUZZLES = DATA / "puzzles"
ALL = ("ben", "cleo", "dev")
OUTSIDER = Moderator(UserId(1456074443980809999), "Mo")


async def play_moves(here: World, table: Table, most: int = 10_000) -> None:
    """Act for every person like a house player. most: limit of actions; None for the whole hand."""
    for _ in range(most):
        await here.settle()
        acting = (chair for chair in table.row.chairs if table.match and chair.seat in table.match.awaited)
        chair = next((chair for chair in acting if not chair.house), None)
        if table.stage != "playing" or table.match is None or chair is None or chair.user is None:
            return
        action = plain_action(table.match.view(chair.seat))
        assert action is not None
        await here.act_directly(chair.user, table, action)


async def finish_match(here: World, table: Table) -> Table:
    """Play a match to its end."""
    await play_moves(here, table)
    while table.stage == "between":
        for chair in table.row.chairs:
            if chair.user and not chair.house and table.stage == "between":
                await here.act_directly(chair.user, table, Ready())
        await play_moves(here, table)
    assert table.stage == "over"
    return table


async def finished_matches(here: World, backroom: ChannelHandle) -> None:
    """Matches that are over: with people who went and came back, in secret, ended by all, by a moderator, alone."""
    who = {name: person.id for name, person in here.people.items()}
    table = await here.start_table("ben", "cleo", rules="B2:std+match_end=deals,deals=2", stake=5)
    await play_moves(here, table, 6)
    await table.do(Leave(who["cleo"]))
    await play_moves(here, table, 5)
    await table.do(TakeBack(who["cleo"]))
    await finish_match(here, table)
    table = await here.start_table(*ALL, game="big_little_a", hands=3)
    await play_moves(here, table, 9)
    await table.do(Leave(who["ben"]))
    await finish_match(here, table)
    table = await here.open_table("ann", backroom, rules="AB:std", hands=2)
    for name in ("ben", "dev"):
        await here.press(name, table, "Join")
    while len(table.row.chairs) < table.row.seats:
        await here.press("ann", table, "Add a bot")
    await here.press("ann", table, "Start")
    await finish_match(here, table)
    await finish_match(here, await here.start_table(*ALL, game="big_a", hands=1))
    await finish_match(here, await here.start_table(game="big_two", preset="pagat", hands=1))
    table = await here.start_table("ben", rules="B2:hk")
    await play_moves(here, table)
    for name in ("ann", "ben"):
        await table.do(Act(who[name], Stop()))
    assert (table.stage, table.row.ended) == ("over", "agreed")
    table = await here.start_table(*ALL, rules="B2:std+match_end=deals,deals=2", stake=1)
    await play_moves(here, table)
    await table.do(Expel(OUTSIDER, 2, "cleo"))
    await table.do(EndMatch(OUTSIDER))


async def open_tables(here: World) -> None:
    """Matches that go on, in every game and in various straits, and lobbies."""
    who = {name: person.id for name, person in here.people.items()}
    table = await here.start_table("ben", game="big_two", pace="slow")
    await play_moves(here, table, 7)
    await table.do(Leave(who["ben"]))
    table = await here.start_table(*ALL, rules="BA:quick")
    await play_moves(here, table, 4)
    await play_moves(here, await here.start_table("cleo", rules="AB:std"), 1)
    table = await here.start_table("dev", game="big_little_a", hands=2)
    await play_moves(here, table, 20)
    table = await here.start_table("ben", "cleo", rules="B2:std+match_end=deals,deals=3")
    await play_moves(here, table)
    lobby = await here.open_table(game="big_a")
    await here.press("ben", lobby, "Join")
    lobby = await here.open_table(rules="B2:std", pace="none")
    await here.press("cleo", lobby, "Join")
    await here.press("ann", lobby, "Add a bot")
    closed = await here.open_table("dev")
    await closed.do(Leave(who["dev"]))


async def stored_changes(here: World, backroom: ChannelHandle) -> None:
    """Whatever is stored as a change of a preset, in the two games of which a default has changed once."""
    ann, now = here.ann.id, here.parts.now()
    for owner in (Owner("server", here.guild.id), Owner("person", ann)):
        for name, game, options in (
            ("Bao", "a_bao", {}),
            ("Bao back", "a_bao", {"may_return_called_card": True}),
            ("Bao must", "a_bao", {"starter_must_call": True}),
            ("Big", "big_a", {}),
            ("Big lone", "big_a", {"big_ace_pair_scope": "lone_deal_only"}),
        ):
            await here.parts.store.house_rules.save(
                HouseRules(owner=owner, name=name, game=game, preset="standard", options=options, by=ann, at=now)
            )
    server, channel = GuildId(here.guild.id), ChannelId(backroom.id)
    await here.parts.store.house_rules.set_channel_default(
        ChannelDefault(
            guild=server, channel=channel, name="Bao", game="a_bao", preset="standard", options={}, by=ann, at=now
        )
    )
    for rules in ("AB:std+must_call=true", "AB:std+return=true", "BA:std", "BA:quick+big_pair=lone_deal_only"):
        await play_moves(here, await here.start_table(*ALL, rules=rules), 9)
    await finish_match(here, await here.start_table(*ALL, rules="AB:std+return=true,match=deals,hands=1"))
    lobby = await here.open_table(rules="AB:std")
    await here.press("ben", lobby, "Join")
    await lobby.do(ChangeRules(ann, lambda rules: rules.but(starter_must_call=True)))
    await (await here.open_table(game="a_bao", seats=3, hands=2)).do(PlayDuplicate(ann))
    (puzzle, *_) = (PUZZLES / "a_bao.jsonl").read_text(encoding="utf-8").splitlines()
    await here.parts.store.puzzles.keep("a_bao", date(2026, 1, 5), [puzzle])


async def play_late_match(here: World) -> None:
    """A match in which a player is late again and again, and in the end every player has gone."""
    table = await here.start_table("ben", rules="B2:std", pace="live")
    await play_moves(here, table, 3)
    for _ in range(8):
        await here.pass_time_without_bot(seconds=121)
        await table.do(Ring())
        await here.settle()


async def play_evening(here: World) -> None:
    """Play it all."""
    role = here.guild.create_role("Friends", permissions=discord.Permissions())
    backroom = create_hidden_channel(here, role)
    for name in ("ann", "ben", "dev"):
        set_roles(here, name, role)
    store, ann = here.parts.store, here.ann.id
    await play_late_match(here)
    await finished_matches(here, backroom)
    await here.advance(days=1, hours=1)  # then a player who was removed may sit down again
    await open_tables(here)
    await stored_changes(here, backroom)
    await store.people.save_preferences(here.people["ben"].id, Preferences(by_suit=True, mirror=True, locale="en-US"))
    for owner, name in ((Owner("server", here.guild.id), "Friday"), (Owner("person", ann), "Mine")):
        await store.house_rules.save(
            HouseRules(
                owner=owner,
                name=name,
                game="big_two",
                preset="hong_kong",
                options={"deals": 3, "match_end": "deals"},
                by=ann,
                at=here.parts.now(),
            )
        )


def main(target: Path) -> None:
    """Play, and write what is kept."""
    with TemporaryDirectory() as folder:
        asyncio.run(played(Path(folder)))
        with closing(sqlite3.connect(Path(folder) / "bigger.db")) as database:
            target.write_text("\n".join(database.iterdump()) + "\n", encoding="utf-8")


async def played(folder: Path) -> None:
    """Play on a server of its own, whose database is kept in this folder."""
    async with world(folder) as here:
        await play_evening(here)
        await here.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
