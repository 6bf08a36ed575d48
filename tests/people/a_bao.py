"""Tàihé A Bāo at a table of people: how four begin to bid, how they pass, and how one of them calls for a card.

Chooses the seed only; the tests decide what to check.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from simcord.results import InteractionResult

from bot.table.table import Table
from tests.people.positions import act_in_notation
from tests.support.message_text import private_reply
from tests.support.world import World

# A seed: ann starts, for she has the four of hearts, and the ace of spades; cleo has the king of clubs, which makes
# ann's third king, dev the three other aces.
ANN_STARTS = "10"
NAMES = ("ann", "ben", "cleo", "dev")
OTHERS = NAMES[1:]
ROUND_1 = "Round 1: playing solo now is worth 5."
ROUND_2 = "Round 2: a call plays for 1."


async def start_bidding(here: World, rules: str = "AB:std", **options: Any) -> Table:
    """Start a match of four persons at its bidding."""
    here.deal = ANN_STARTS
    return await here.start_table(*OTHERS, rules=rules, **options)


async def pass_on_board(here: World, table: Table, *names: str) -> None:
    """Pass on the board for each of these players."""
    for name in names:
        await here.press(name, table, "Pass")


async def play_single_call(here: World, rules: str = "AB:simple+match=deals,deals=1") -> Table:
    """Play a hand in which only ann calls."""
    table = await call_king(here, rules)
    await act_in_notation(here, table, "give 4c", "ann")
    await act_in_notation(here, table, "pass", *OTHERS)
    return table


async def start_second_round(here: World, rules: str = "AB:std", **options: Any) -> Table:
    """Start a match in which all have passed in the first round."""
    table = await start_bidding(here, rules, **options)
    await act_in_notation(here, table, "choose pass", *NAMES)
    assert ROUND_2 in here.read_board(table).text
    return table


async def call_king(here: World, rules: str = "AB:std") -> Table:
    """Have ann call the king of clubs from cleo in the second round, and owe a card in return."""
    table = await start_second_round(here, rules)
    await act_in_notation(here, table, "name Kc", "ann")
    return table


def plain_text(shown: InteractionResult) -> str:
    """The text of a private reply without code marks around cards."""
    return private_reply(shown).text.replace("`", "")


def board_text(here: World, table: Table) -> str:
    """The text of the board without code marks around cards."""
    return here.read_board(table).text.replace("`", "")


def latest_actions(table: Table, count: int) -> Sequence[tuple[int, str, str]]:
    """The latest actions: seat, action, and who acted."""
    return [(step.seat, step.action, step.by) for step in table.row.steps[-count:]]
