"""Brings a table to a moment: opens and fills it by the buttons of the lobby, and plays through the table itself."""

from __future__ import annotations

import asyncio

import discord

from bot.ai.plain import timeout_action
from bot.ai_pool.moves import choose_action
from bot.client import Bigger
from bot.domain.chairs import Level
from bot.domain.ids import UserId
from bot.games import GAMES
from bot.rules.core.asks import Action, Ready
from bot.rules.variants.ruleset import read_code
from bot.sandbox.live import World
from bot.table.core.commands import Act, FillSeats
from bot.table.table import Table
from tests.moments.moments import Moment
from tests.moments.search import waits_for_ann
from tests.support.message_text import ParsedMessage

HOUSE_TIMEOUT = 60.0  # seconds for an action of a house player
POLL_INTERVAL = 0.02  # seconds between two checks for an action of a house player


class NotReached(Exception):
    """The table did not reach the moment; `str` is a sentence with the reason."""


async def bring_to_moment(bot: Bigger, world: World, moment: Moment, code: str, hands: int, people: int = 1) -> Table:
    """Open a table by this rule code as Ann, seat people and house players, play to the moment, and open all hands.

    Raises NotReached.
    """
    if moment.lesson:
        return await bring_to_lesson_moment(bot, world, moment, code)
    table = await open_table(bot, world, code, hands)
    if moment.full:
        await fill(world, table, people)
        await bot.parts.delivery.settled()
    if moment.reached is not None:
        await press(world, 0, "Start")
        with world.channel._env._bot_scope():  # so that advancing time fires the bot's timers
            await play_on(table, moment)
        await bot.parts.delivery.settled()
        for seat in range(people if table.stage == "playing" else 0):
            await press(world, seat, "My hand")
    return table


async def bring_to_lesson_moment(bot: Bigger, world: World, moment: Moment, code: str) -> Table:
    """Start the lesson of a rule code's game as Ann, and play as the coach says."""
    ann, (game, *_) = world.people[0], read_code(code, GAMES)
    await ann.slash(world.channel, "learn lesson", game=game.name)
    tables = await bot.parts.store.tables.seated(UserId(ann.id))
    table = await bot.parts.tables.get(next(row.id for row in tables if row.solo == "lesson"))
    with world.channel._env._bot_scope():
        await play_on(table, moment)
    await bot.parts.delivery.settled()
    return table


async def open_table(bot: Bigger, world: World, code: str, hands: int) -> Table:
    """Open a table as Ann, at a relaxed pace. Raises NotReached."""
    answer = await world.people[0].slash(world.channel, "deal", rules=code, hands=hands, pace="relaxed hints")
    tables = await bot.parts.store.tables.open_tables()
    if not tables:
        said = answer.followups[-1] if answer.followups else answer.response
        raise NotReached(ParsedMessage.of(said.message).text if said else "The table could not be opened.")
    await bot.parts.delivery.settled()
    return await bot.parts.tables.get(max(tables))


async def fill(world: World, table: Table, people: int) -> None:
    """Let people join, and fill the other seats with house players."""
    for seat in range(1, people):
        await press(world, seat, "Join")
    await table.do(FillSeats(table.row.host, Level.PLAIN))


async def press(world: World, person: int, label: str) -> None:
    """Press a button of the board."""
    await world.people[person].click(board(world, label), label=label)


def board(world: World, label: str) -> discord.Message:
    """Return the lowest message in the channel with this button."""
    return next(message for message in reversed(world.channel.history()) if label in ParsedMessage.of(message).buttons)


async def play_on(table: Table, moment: Moment) -> None:
    """Play until the table reaches the moment. Raises NotReached."""
    assert moment.reached is not None
    while True:
        await table.wait_until_idle(HOUSE_TIMEOUT)
        match = table.match
        assert match is not None
        if waits_for_ann(match) and moment.reached(match):
            return
        if match.over:
            raise NotReached("By this seed the match ended before that moment came.")
        await act(table)


async def act(table: Table) -> None:
    """Act for the first awaited person as a plain house player, or as the coach says.

    If only house players are awaited, wait a moment.
    """
    assert table.match is not None
    match = table.match
    user = next((user for seat in sorted(match.awaited) if (user := table.row.chairs[seat].user) is not None), None)
    if user is None:
        await asyncio.sleep(POLL_INTERVAL)
        return
    view = table.scene(user).view
    assert view is not None
    coach = table.scene(user).coach
    action: Action | None = Ready() if match.game.result else coach.action if coach else choose_action(view)
    await table.do(Act(user, action or timeout_action(view)))
