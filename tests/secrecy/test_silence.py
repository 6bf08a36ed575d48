"""What is written down for whoever runs the bot, also when something fails: no hand, no seed, no token."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from bot.habits import RememberedHabits
from bot.rules.match import Match
from bot.settings import Settings, Token
from bot.show.ids import Press, Verb
from bot.show.picking import Choice
from bot.store.rows import Step, TableRow
from bot.table.around import Around
from bot.table.table import Table
from tests.scenes import CHAIRS, NOW, matches
from tests.secrecy.cards_in import cards_in_text
from tests.secrecy.hidden import hidden_deals, secret_cards
from tests.secrecy.play_through import Plan, Players, sit_down
from tests.secrecy.whole_matches import TOKEN, logged
from tests.world import World, world

SEED = "fedcba9876543210" * 4


def check(text: str, table: Table) -> None:
    """Hold a log, or a repr, against all that nobody but a player may know."""
    assert TOKEN not in text
    assert SEED not in text
    assert not [deal for deal in hidden_deals(table) if deal in text]
    assert not set(cards_in_text(text)) & secret_cards(table, None)


def spoil(here: World, command: str) -> None:
    """Change the database behind the bot's back."""
    with closing(sqlite3.connect(here.settings.database, timeout=5)) as other:
        other.execute(command)
        other.commit()


@pytest.mark.parametrize("spoiled", ["actions", "habits", "pings", "tables", "chairs"])
async def test_the_log_of_a_failing_store_tells_nothing(tmp_path: Path, spoiled: str) -> None:
    event = "UPDATE" if spoiled == "tables" else "INSERT"
    with logged() as log:
        async with world(tmp_path, deal=SEED, token=Token(TOKEN)) as here:
            plan = Plan("failing", ("ben",))
            table = await sit_down(here, plan)
            spoil(here, f"CREATE TRIGGER no BEFORE {event} ON {spoiled} BEGIN SELECT RAISE(FAIL, 'broken'); END")
            await here.env.advance_time(60)  # long enough for whoever comes next to be pinged
            players, turn = Players(here, table, plan), here.turn(table)
            await players.look_around("dev" if spoiled == "pings" else "ann")
            await players.go_on()
            await here.people["ben"].slash(here.channel, "leave", table=table.id)
            check(log.getvalue(), table)
            spoil(here, "DROP TRIGGER no")
            if here.turn(table) == turn:
                await players.go_on()
            await here.env.advance_time(80)
            assert here.turn(table) is not None
            assert table.ply > 0
            check(log.getvalue(), table)
            assert sum("<@" in said for said in here.talk(table)) <= 1, "a ping that is not remembered is taken back"
    assert "refused an operation" in log.getvalue()


async def test_the_log_of_a_failing_handler_tells_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(_self: RememberedHabits, _user: int) -> None:
        raise RuntimeError("something nobody thought of")

    monkeypatch.setattr(RememberedHabits, "of", broken)
    with logged() as log:
        async with world(tmp_path, deal=SEED, token=Token(TOKEN)) as here:
            table = await sit_down(here, Plan("failing"))
            for command, options in (("hand", {}), ("cards", {"cards": "3d"}), ("pass", {})):
                await here.ann.slash(here.channel, command, table=table.id, **options)
            await here.press("ann", table, "My hand")
            check(log.getvalue(), table)
    assert "something nobody thought of" in log.getvalue()


async def test_nothing_shows_a_secret_when_it_is_written_into_a_log(tmp_path: Path) -> None:
    async with world(tmp_path, deal=SEED, token=Token(TOKEN)) as here:
        table = await sit_down(here, Plan("shown"))
        match = table.match
        assert match is not None
        view = match.view(0)
        things: list[Any] = [
            table, table.row, table.record, match, match.game, view, view.plays, table.scene(here.ann.id),
            here.bot.settings, here.bot.settings.token, here.bot, here.bot.tables, here.bot.clock, here.bot.telling,
            Choice(view, view.hand, by_suit=False),
        ]  # fmt: skip
        for thing in things:
            for text in (repr(thing), str(thing), f"{thing}"):
                check(text, table)


def test_an_address_that_is_too_long_does_not_say_what_is_in_it() -> None:
    held = next(matches())[0].view(0).hand
    with pytest.raises(ValueError, match="too long") as raised:
        str(Press(10**18, 10**8, Verb.PLAY, held * 8))
    assert not list(cards_in_text(str(raised.value)))


def test_settings_hide_the_token() -> None:
    assert TOKEN not in repr(replace(Settings(), token=Token(TOKEN)))


# The same in every world that a viewer thinks possible


def test_a_scene_is_the_same_in_every_deal_its_viewer_thinks_possible() -> None:
    rng = random.Random("elsewhere")
    for match, steps in list(matches("indifferent"))[::3]:
        for viewer in (None, 0, 1, 2, 3):
            other = replace(match, game=match.rules.imagine(match.view(viewer), rng))
            user = None if viewer is None else 900 + viewer
            assert _table(match, len(steps)).scene(user) == _table(other, len(steps)).scene(user)


def _table(match: Match, ply: int) -> Table:
    """Return a table at which this match is being played."""

    steps = tuple(Step(each, 0, "pass", "person", NOW) for each in range(ply))
    row = TableRow(
        id=7, number=3, guild=1, channel=2, home=2, message=4, host=900, game="big_two", preset="pagat",
        options={"deals": 2}, seats=4, seed=match.seed, pace="none", phase="over" if match.over else "playing",
        created=NOW, chairs=CHAIRS, steps=steps,
    )  # fmt: skip
    silent = cast(Any, None)  # a scene needs nobody to tell and nothing to remember with
    table = Table(row, Around(silent, silent, lambda: NOW, silent))
    table.match = match
    return table
