"""What is written down for the operator, also when something fails: no hand, no seed, no token."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.members.preferences import PreferenceCache
from bot.settings import Settings, Token
from bot.show.hand.selection import CardSelection
from bot.show.kit.custom_ids import Verb
from bot.table.core.state import record_of
from bot.table.table import Table
from tests.secrecy.card_search import cards_in_text
from tests.secrecy.play_through import Plan, Players, open_planned_table
from tests.secrecy.secret_facts import hidden_deals, secret_cards
from tests.secrecy.whole_matches import TOKEN, logged
from tests.support.former_custom_ids import former_custom_id
from tests.support.scenes import matches
from tests.support.world import World, world

SEED = "fedcba9876543210" * 4


def check(text: str, table: Table) -> None:
    """Check that a log or repr contains no secret of the table."""
    assert TOKEN not in text
    assert SEED not in text
    assert not [deal for deal in hidden_deals(table) if deal in text]
    assert not set(cards_in_text(text)) & secret_cards(table, None)


def spoil(here: World, command: str) -> None:
    """Change the database behind the bot's back."""
    with closing(sqlite3.connect(here.database_file, timeout=60)) as other:
        other.execute(command)
        other.commit()


@pytest.mark.parametrize("spoiled", ["actions", "habits", "pings", "tables", "chairs"])
async def test_the_log_of_a_failing_store_contains_no_secret(tmp_path: Path, spoiled: str) -> None:
    event = "UPDATE" if spoiled == "tables" else "INSERT"
    with logged() as log:
        async with world(tmp_path, deal=SEED, token=Token(TOKEN)) as here:
            plan = Plan("failing", ("ben",))
            table = await open_planned_table(here, plan)
            if spoiled == "pings":
                await Players(here, table, plan).go_on()  # the host has seen the cards, so nobody calls her
            spoil(here, f"CREATE TRIGGER no BEFORE {event} ON {spoiled} BEGIN SELECT RAISE(FAIL, 'broken'); END")
            await here.env.advance_time(60)  # long enough for a player who comes next to be pinged
            players, turn = Players(here, table, plan), here.current_player(table)
            await players.look_around("dev" if spoiled == "pings" else "ann")
            await players.go_on()
            await here.leave("ben", table)
            check(log.getvalue(), table)
            spoil(here, "DROP TRIGGER no")
            if here.current_player(table) == turn:
                await players.go_on()
            await here.env.advance_time(80)
            assert here.current_player(table) is not None
            assert table.state.ply > 0
            check(log.getvalue(), table)
            assert sum("<@" in said for said in here.channel_texts(table)) <= 1, (
                "a ping that is not remembered is taken back"
            )
    assert "refused an operation" in log.getvalue()


async def test_the_log_of_a_failing_handler_contains_no_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(_self: PreferenceCache, _user: int) -> None:
        raise RuntimeError("something nobody thought of")

    with logged() as log:
        async with world(tmp_path, deal=SEED, token=Token(TOKEN)) as here:
            table = await open_planned_table(here, Plan("failing"))
            monkeypatch.setattr(PreferenceCache, "of", broken)
            for command, options in (("hand", {}), ("turn", {"move": "3d"}), ("turn", {"move": "pass"})):
                await here.ann.slash(here.channel, command, table=table.id, **options)
            await here.press("ann", table, "My hand")
            check(log.getvalue(), table)
    assert "something nobody thought of" in log.getvalue()


async def test_no_object_reveals_a_secret_when_logged(tmp_path: Path) -> None:
    async with world(tmp_path, deal=SEED, token=Token(TOKEN)) as here:
        table = await open_planned_table(here, Plan("shown"))
        match = table.match
        assert match is not None
        view = match.view(0)
        things: list[Any] = [
            table,
            table.row,
            record_of(table.row),
            match,
            match.game,
            view,
            view.plays,
            table.scene(here.ann.id),
            here.parts.settings,
            here.parts.settings.token,
            here.bot,
            here.parts.tables,
            here.parts.clock,
            here.parts.delivery,
            CardSelection(view, asked=view.hand, by_suit=False),
        ]
        for thing in things:
            for text in (repr(thing), str(thing), f"{thing}"):
                check(text, table)


def test_the_error_for_an_invalid_custom_id_hides_its_contents() -> None:
    held = next(matches())[0].view(0).hand
    with pytest.raises(ValueError, match="copies of a card") as raised:
        former_custom_id(10**18, 10**8, Verb.PLAY, held * 9)
    assert not list(cards_in_text(str(raised.value)))


def test_settings_hide_the_token() -> None:
    assert TOKEN not in repr(replace(Settings(), token=Token(TOKEN)))
