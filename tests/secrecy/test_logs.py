"""The log on bad days: a match of each game at DEBUG with everything failing in turn, and all that could be written.

Knows what must never stand in a log: a whole seed, and three cards of a hand in sequence, however they are written.
"""

from __future__ import annotations

import dataclasses
import gc
import logging
import re
from collections.abc import Callable, Collection, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import aiohttp
import discord
import pytest
from discord.ext import commands

from bot.members.preferences import PreferenceCache
from bot.ops.logs import RedactingFormatter, redacted
from bot.rules.core.cards import Card, pack, write
from bot.rules.matches.match import Match
from bot.settings import Token
from bot.show.kit.card_symbols import Faces
from bot.show.rulebook.articles import Article, Book, Section
from bot.store.errors import StoreError
from bot.table.core.state import record_of
from bot.table.environment import Environment
from bot.table.table import Table
from tests.secrecy.card_search import cards_in_text
from tests.secrecy.play_through import Plan, Players, open_planned_table
from tests.secrecy.secret_facts import hidden_deals
from tests.secrecy.test_silence import SEED, spoil
from tests.secrecy.whole_matches import TOKEN, logged
from tests.support.card_reprs import DISCREET_REPR
from tests.support.scenes import words_of_every_language
from tests.support.world import World, world

CODES = ("B2:pagat", "BA:std", "AB:std", "LA:std+players=4")
HEALED = 130.0  # seconds after which everything that failed has been tried again


def runs(text: str) -> set[tuple[Card, ...]]:
    """Return the cards of each line of a text, in their order, where there are three or more."""
    found = (tuple(cards_in_text(line)) for line in set(text.splitlines()))
    return {each for each in found if len(each) > 2}


def in_sequence(run: tuple[Card, ...], hand: Collection[Card]) -> bool:
    """Tell whether three cards of a hand stand one after the other."""
    return any(set(run[at : at + 3]) <= set(hand) for at in range(len(run) - 2))


def positions(table: Table) -> list[Match]:
    return list(record_of(table.row).positions())


def tell_nothing(text: str, table: Table) -> None:
    """Hold a text against all that was ever secret at a table."""
    assert TOKEN not in text
    assert table.row.seed.removeprefix("chain:") not in text
    assert not [deal for deal in hidden_deals(table) if deal in text]
    dealt = {frozenset(match.view(seat).hand) for match in positions(table) for seat in range(match.rules.players)}
    found = [line for line in set(text.splitlines()) for run in runs(line) for hand in dealt if in_sequence(run, hand)]
    assert not found, (runs(found[0]), found[0])


# Faults


def discord_fails(here: World, _: pytest.MonkeyPatch) -> None:
    here.env.inject_error("*", "/channels/*", status=503, times=None)


def messages_are_gone(here: World, _: pytest.MonkeyPatch) -> None:
    here.env.inject_error("*", "/webhooks/*", status=404, code=10008, times=None)


def connections_drop(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    async def dropped(*_: Any, **__: Any) -> Any:
        raise aiohttp.ServerDisconnectedError

    monkeypatch.setattr(here.bot.http, "request", dropped)


def the_store_fails(here: World, _: pytest.MonkeyPatch) -> None:
    spoil(here, "CREATE TRIGGER no BEFORE INSERT ON actions BEGIN SELECT RAISE(FAIL, 'broken'); END")


def a_handler_fails(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: Any) -> Any:
        (number,) = await here.parts.store.tables.open_tables()
        table = await here.parts.tables.get(number)
        hand = table.scene(here.ann.id).view.hand  # type: ignore[union-attr]
        raise RuntimeError(hand, write(hand), table.row.seed, "nobody thought of this")

    monkeypatch.setattr(PreferenceCache, "of", broken)


FAULTS: tuple[Callable[[World, pytest.MonkeyPatch], None], ...] = (
    a_handler_fails,
    discord_fails,
    messages_are_gone,
    connections_drop,
    the_store_fails,
)


async def on_a_bad_day(here: World, table: Table, fault: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Open screens and try to play as Ann during a failure, then restore."""
    with monkeypatch.context() as patch:
        fault(here, patch)
        hand = table.scene(here.ann.id).view.hand  # type: ignore[union-attr]
        for command, options in (("hand", {}), ("turn", {"move": write(hand[:3])}), ("turn", {"move": "pass"})):
            await here.ann.slash(here.channel, command, table=table.id, **options)
        await here.env.advance_time(20)
    here.env.backend.faults.clear()
    spoil(here, "DROP TRIGGER IF EXISTS no")
    await here.env.advance_time(HEALED)


@pytest.mark.rotates(4)
@pytest.mark.parametrize("code", CODES)
async def test_logs_of_a_match_with_errors_reveal_nothing(
    tmp_path: Path, code: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    with logged(formatter=RedactingFormatter()) as log:
        async with world(tmp_path, deal=SEED, token=Token(TOKEN), check_errors=False) as here:
            plan = Plan("faults", options={"rules": code, "pace": "none"})
            players = Players(here, await open_planned_table(here, plan), plan)
            for fault in FAULTS:
                await on_a_bad_day(here, players.table, fault, monkeypatch)
                players.table = await here.reload(players.table)
                if players.table.stage != "over":
                    await players.go_on()
            players.table = await here.reload(players.table)
            while players.table.stage == "playing":
                await players.go_on()
            tell_nothing(log.getvalue() + "".join(capfd.readouterr()), players.table)
    said = log.getvalue()
    assert said.count("Traceback") == said.count("\nRuntimeError: ") > 0, "nothing else is worth a traceback"


def foreseen() -> Iterator[Exception]:
    """Yield passing by itself, as discord.py and asyncio report it to a logger."""
    yield aiohttp.ServerDisconnectedError()
    yield TimeoutError()
    yield StoreError("The disk is full.")
    answer: Any = type("Answer", (), {"status": 404, "reason": "Not Found"})
    yield discord.NotFound(answer, {"code": 10008, "message": "Unknown\nMessage"})
    yield discord.DiscordServerError(answer, "bad gateway")
    yield commands.ExtensionFailed("x", ConnectionResetError())


@pytest.mark.parametrize("error", [*foreseen()], ids=lambda error: type(error).__name__)
def test_a_transient_error_is_one_log_line(error: Exception) -> None:
    with logged(formatter=RedactingFormatter()) as log:
        logging.getLogger("discord.client").error("Ignoring an exception in %s", "on_ready", exc_info=error)
    assert len(log.getvalue().splitlines()) == 1
    assert "Traceback" not in log.getvalue()
    assert "Ignoring an exception in on_ready: " in log.getvalue()


def test_an_own_bug_keeps_its_traceback() -> None:
    try:
        raise ValueError(write(pack()[:5]))  # noqa: TRY301  # it is the fault
    except ValueError:
        with logged(formatter=RedactingFormatter()) as log:
            logging.getLogger("bot").exception("Something")
    assert "Traceback" in log.getvalue()
    assert "ValueError" in log.getvalue()
    assert not runs(log.getvalue())


def test_logs_redact_hands_in_every_notation_and_face() -> None:
    hand = pack()[3:9]
    for w in words_of_every_language():
        for text in (w.faces.show(hand), write(hand), str(hand), write(hand).replace(" ", ""), str([*map(str, hand)])):
            assert any(in_sequence(run, hand) for run in runs(text)), "the test can fail"
            assert not runs(redacted(f"what {text} is this"))
    assert redacted("f" * 64) != "f" * 64
    assert redacted("12 tables, 3 servers, 250 ms, edition 1.2.3") == "12 tables, 3 servers, 250 ms, edition 1.2.3"


@pytest.mark.parametrize(
    "loud", ["discord.http", "discord.gateway", "aiosqlite", "sqlalchemy.engine", "simcord", "aiohttp"]
)
def test_libraries_that_log_request_bodies_are_silenced(loud: str) -> None:
    with logged("DEBUG") as log:
        logging.getLogger(loud).info("a body")
        logging.getLogger("bot.anything").debug("a step")
    assert log.getvalue() == "a step\n"


# What can be written of anything that lives


def ours(thing: object) -> bool:
    """Tell whether this is a dataclass or a named tuple of the program."""
    kind = type(thing)
    if kind in (Card, Faces, Article, Section, Book, Environment, type):
        return False  # one card alone is no hand, all that there are are none, and words and rules are printed
    return str(kind.__module__).startswith(("bot.", "cogs.")) and (
        dataclasses.is_dataclass(kind) or hasattr(kind, "_fields")
    )


@pytest.mark.rotates(4)
@pytest.mark.parametrize("code", CODES)
async def test_no_repr_shows_a_hand_or_a_seed(tmp_path: Path, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Card, "__repr__", DISCREET_REPR)
    before = gc.get_objects()  # of other tests; held, so that no number among them is given again
    others = {id(thing) for thing in before}
    async with world(tmp_path, deal=sha256(code.encode()).hexdigest(), token=Token(TOKEN)) as here:
        plan = Plan("alive", options={"rules": code, "pace": "none"})
        players = Players(here, await open_planned_table(here, plan), plan)
        await players.look_around("ann")
        for _ in range(3):
            if players.table.stage == "playing":
                await players.go_on()
        table, kinds, texts = players.table, set[str](), set[str]()
        kept = [
            record_of(table.row),
            *(match.view(seat) for match in positions(table) for seat in range(match.rules.players)),
        ]
        for thing in (each for each in gc.get_objects() if id(each) not in others and ours(each)):
            kinds.add(type(thing).__name__)
            texts.add(repr(thing))
            if "__str__" not in vars(type(thing)):  # a combination and a refusal are told in words, on purpose
                texts |= {str(thing), f"{thing}"}
        assert kept
        assert {"Match", "View", "Scene", "TableRow", "Record"} <= kinds
        tell_nothing(re.sub(r"0x[0-9a-f]+", "", "\n".join(texts)), table)
