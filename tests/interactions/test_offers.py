"""Autocompletion passes the dispatcher like other input, and a failure offers nothing."""

from __future__ import annotations

import logging
import sqlite3
from contextlib import closing

import pytest
from discord.app_commands import Command

from bot.interactions.autocompletion import MAX_CHOICE_LENGTH, MAX_CHOICES, by_name, choice, matching
from bot.ops.logs import worth_a_line
from tests.support.world import World

OURS = "offering.<locals>.offer"


@pytest.mark.parametrize(("status", "code", "written"), [(404, 10062, False), (400, 50035, True)])
async def test_late_autocompletions_are_not_logged(
    here: World, caplog: pytest.LogCaptureFixture, status: int, code: int, *, written: bool
) -> None:
    here.env.inject_error("POST", "/interactions/*/callback", status=status, code=code, times=1)
    assert await here.ann.autocomplete(here.channel, "hand", "table", "") == []
    (failed,) = [each for each in caplog.records if each.levelno >= logging.ERROR]
    assert worth_a_line(failed) is written
    caplog.clear()  # this one was meant to be


async def test_every_autocompletion_makes_a_visit(here: World) -> None:
    commands = [each for each in here.bot.tree.walk_commands() if isinstance(each, Command)]
    asked = {
        f"{command.qualified_name} {name}": getattr(parameter.autocomplete, "__qualname__", "")
        for command in commands
        for name, parameter in command._params.items()
        if parameter.autocomplete
    }
    assert {"turn move", "turn table", "deal game", "table remove player", "houserules show name"} <= set(asked)
    assert set(asked.values()) == {OURS}


async def test_refused_autocompletions_offer_nothing(here: World) -> None:
    assert await here.ann.autocomplete(here.channel, "turn", "move", "3") == []
    assert await here.people["ben"].autocomplete(here.channel, "table remove", "player", "a") == []


async def test_a_failing_store_offers_nothing_and_logs_one_line(here: World, caplog: pytest.LogCaptureFixture) -> None:
    await here.start_table("ben")
    with closing(sqlite3.connect(here.database_file)) as other:
        other.execute("ALTER TABLE tables RENAME TO elsewhere")
    assert await here.ann.autocomplete(here.channel, "hand", "table", "") == []
    (failed,) = [each for each in caplog.records if each.levelno >= logging.ERROR]
    assert failed.getMessage().startswith("Nothing could be offered: ")
    assert failed.exc_info is None
    caplog.clear()  # this one was meant to be


def test_a_choice_is_truncated_and_found_by_its_label() -> None:
    assert len(choice("x" * (MAX_CHOICE_LENGTH + 1), 1).name) == MAX_CHOICE_LENGTH
    both = [choice("Tàihé", "ab:std"), choice("Big Two", "b2:hk")]
    assert [each.value for each in matching("taihe", both)] == ["ab:std"]
    assert [each.value for each in matching("b2", both)] == ["b2:hk"]
    assert by_name("b2", both) == []
    assert MAX_CHOICES == 25
