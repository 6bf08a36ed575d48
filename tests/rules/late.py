"""Who is late at a table of four people with a clock, and what becomes of them.

Knows how a table gets to a moment at which somebody is waited for, and what the store has of it when their time is up.
Refuses to know which article promises what.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from bot.games import GAMES
from bot.rules.cards import card, cards
from bot.rules.code import write_code
from bot.rules.match import Match
from bot.store.rows import TableRow
from bot.table.core.commands import TakeBack
from bot.table.table import Table
from tests.people import a_bao
from tests.people.positions import meanly, play_till
from tests.world import World, world

MOVE, ANSWERS = 121, 61  # seconds after which somebody is late; where all are asked at once they have half the time
PAIRS = "62"  # a seed of The Big and the Little A: ann leads and has two sixes, ben has two jokers
MEAN = "1177"  # another: where all play meanly, cleo has a one and a joker in an A round

Moment: TypeAlias = Callable[..., Awaitable[Table]]
Fate: TypeAlias = Callable[[World, Table], Awaitable[None]]


def at_a_table(fate: Fate, moment: Moment, **options: Any) -> None:
    """Let somebody be late at a table of its own, for a test that is no coroutine."""

    async def play(folder: Path) -> None:
        async with world(folder) as here:
            await fate(here, await moment(here, **options))

    with TemporaryDirectory() as folder:
        asyncio.run(play(Path(folder)))


# What the store has


async def kept(here: World, table: Table) -> TableRow:
    """Return a table as the store has it."""
    row = await here.bot.store.load(table.id)
    assert row is not None
    return row


async def latest(here: World, table: Table) -> tuple[int, str, str]:
    """Return the latest action: seat, action, and who acted."""
    step = (await kept(here, table)).steps[-1]
    return step.seat, step.action, step.by


def waited_for(table: Table) -> int:
    """Return the one seat that is waited for."""
    assert table.match is not None
    (seat,) = table.match.awaited
    return seat


# What becomes of whoever is late


async def least(here: World, table: Table) -> tuple[int, str]:
    """Let the time run out; return the seat and what was done for it, by the clock."""
    late, before = waited_for(table), await kept(here, table)
    await here.later(seconds=MOVE)
    row, (seat, action, by) = await kept(here, table), await latest(here, table)
    assert (row.phase, len(row.steps), seat, by) == ("playing", len(before.steps) + 1, late, "clock")
    assert not any(chair.house for chair in row.chairs)
    return seat, action


async def replaced(here: World, table: Table) -> None:
    """Let the time run out: a house player has the seat, and plays on in it till its owner is back."""
    late, before = waited_for(table), await kept(here, table)
    await here.later(seconds=MOVE)
    row = await kept(here, table)
    assert (row.phase, [chair.seat for chair in row.chairs if chair.house]) == ("playing", [late])
    new = [(step.seat, step.by) for step in row.steps[len(before.steps) :]]
    assert new
    assert set(new) == {(late, "house")}  # nothing was done by the clock
    user = row.chairs[late].user
    assert user is not None
    await table.do(TakeBack(user))
    assert not any(chair.house for chair in (await kept(here, table)).chairs)


async def unfinished(here: World, table: Table) -> None:
    """Let the time run out: the match has ended there, and nobody has won it."""
    before = await kept(here, table)
    await here.later(seconds=MOVE)
    row = await kept(here, table)
    assert (row.phase, row.steps, row.deadline) == ("closed", before.steps, None)
    assert not any("wins" in said for said in (*here.talk(table), here.read(table).text))
    assert any("so the match ends unfinished" in said for said in here.talk(table))


async def all_pass(here: World, table: Table) -> None:
    """Let the time run out where all are asked at once: all have passed, and nothing else comes of it."""
    before = await kept(here, table)
    await here.later(seconds=ANSWERS)
    row = await kept(here, table)
    assert row.phase == "playing"
    assert [(step.action, step.by) for step in row.steps[len(before.steps) :]] == [("choose pass", "clock")] * 4
    assert not any(chair.house or chair.misses for chair in row.chairs)


# Tàihé A Bāo: ann starts


async def first_round(here: World, **options: Any) -> Table:
    """Let four be asked whether they declare."""
    return await a_bao.four(here, write_code(GAMES["a_bao"], "standard", options))


async def calling(here: World, **options: Any) -> Table:
    """Let ann be asked for a call."""
    return await a_bao.second_round(here, write_code(GAMES["a_bao"], "standard", options))


async def giving(here: World, **options: Any) -> Table:
    """Let ann be asked for the card she gives back for the four of diamonds."""
    table = await calling(here, **options)
    await here.slash("ann", "turn", move="4d")
    return table


async def leading(here: World, **options: Any) -> Table:
    """Let ann be asked for the first lead."""
    table = await giving(here, **options)
    await here.slash("ann", "turn", move="4c")
    await a_bao.passing(here, table, *a_bao.OTHERS)
    return table


async def following(here: World, **options: Any) -> Table:
    """Let ben be asked to beat a card or to pass."""
    table = await leading(here, **options)
    await here.play("ann", table, cards("4d"))
    return table


# The Big and the Little A: ann leads


async def first_lead(here: World, **options: Any) -> Table:
    """Let ann be asked for the first lead."""
    here.deal = PAIRS
    preset = "named_jokers" if options.pop("naming", False) else "standard"
    return await here.start_table(*a_bao.OTHERS, rules=write_code(GAMES["big_little_a"], preset, options))


async def raising(here: World, **options: Any) -> Table:
    """Let ben be asked to raise two sixes or to pass."""
    table = await first_lead(here, **options)
    await here.play("ann", table, cards("6n 6n"))
    return table


async def naming(here: World, **options: Any) -> Table:
    """Let ben be asked what two jokers stand for that he has put on two sixes."""
    table = await raising(here, naming=True, **options)
    await here.play("ben", table, cards("JK JK"))
    return table


async def in_an_a_round(here: World, **options: Any) -> Table:
    """Let cleo, who has a one and a joker, be asked for her card in an A round."""
    here.deal = MEAN
    table = await here.start_table(*a_bao.OTHERS, rules=write_code(GAMES["big_little_a"], "standard", options))
    await play_till(here, table, has_a_choice, meanly)
    return table


def has_a_choice(match: Match) -> bool:
    """Tell whether whoever is waited for has a one and a joker, in an A round."""
    view = match.view(min(match.awaited))
    led = [move.combo.kind for move in view.trick.moves[:1] if move.combo]
    return led in (["little_a"], ["big_a"]) and {card("1n"), card("JK")} <= set(view.hand)


# Big A


async def drawn(here: World, **options: Any) -> Table:
    """Let five draw, none of whom shows an ace of their own accord; one of them is asked for the first lead."""
    here.arrive("eve")
    table = await here.start_table(*a_bao.OTHERS, "eve", rules=write_code(GAMES["big_a"], "standard", options))
    while (match := table.match) and match.game.secrecy.together:
        await here.later(seconds=ANSWERS)
    return table
