"""The log as its reader has it: a line an event, for people or for programs; repeats; and the word both sides know."""

from __future__ import annotations

import io
import json
import logging
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from typing import Any

import pytest

from bot.interactions.dispatcher import LETTERS, new_report
from bot.members.preferences import PreferenceCache
from bot.ops.logs import MINUTE, JsonFormatter, RepeatFilter, redacted
from bot.show.kit.words import words
from bot.store.errors import StoreError
from tests.standin.fork_server import run_program
from tests.standin.realm import SEVERAL_WAITS
from tests.support.languages import LOCALES
from tests.support.message_text import private_reply
from tests.support.world import World
from tests.test_arrows import SOURCES

pytestmark = pytest.mark.timeout(SEVERAL_WAITS)
OURS = logging.getLogger("bot")


@contextmanager
def structured() -> Iterator[io.StringIO]:
    """Capture log records in JSON."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(JsonFormatter())
    OURS.addHandler(handler)
    try:
        yield written
    finally:
        OURS.removeHandler(handler)


def lines(written: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in written.getvalue().splitlines()]


def spoil(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every request of a player fail."""

    async def broken(*_: Any) -> Any:
        raise RuntimeError("nobody thought of this")

    monkeypatch.setattr(PreferenceCache, "of", broken)


# The word that both sides know


@pytest.mark.parametrize("locale", LOCALES)
async def test_an_error_code_is_shown_to_the_player_and_logged(
    here: World, monkeypatch: pytest.MonkeyPatch, locale: str
) -> None:
    here.locales["ann"] = locale
    table = await here.open_table("ann")
    with structured() as written, monkeypatch.context() as patch:
        spoil(patch)
        clicked = private_reply(await here.press("ann", table, "My hand")).text if table.match else ""
        clicked = clicked or private_reply(await here.people["ann"].click(here.board(table), label="Join")).text
        typed = (await here.slash("ann", "desk")).text
    for said, logged, about in zip((clicked, typed), lines(written), (table.id, None), strict=True):
        assert (
            f"-# {words(locale)('If it happens again, tell the person who runs me: {report}', report=logged['report'])}"
            in said
        )
        assert re.fullmatch(f"[{LETTERS}]{{4}}", logged["report"])
        assert (logged["level"], logged["name"]) == ("ERROR", "bot.interactions.dispatcher")
        assert logged["said"] == f"Report {logged['report']}: an interaction failed"
        assert "RuntimeError: nobody thought of this" in logged["trace"]
        assert logged["interaction"].isdigit()
        assert logged.get("table") in (about, None)
    assert "ann" not in written.getvalue()


async def test_the_error_of_a_click_names_its_table(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await here.start_table("ben")
    with structured() as written, monkeypatch.context() as patch:
        patch.setattr(type(table), "scene", lambda *_: 1 / 0)
        await here.people["ann"].click(here.board(table), label="My hand")
    (logged,) = lines(written)
    assert logged["table"] == table.id


def test_error_codes_are_numerous_and_readable() -> None:
    made = {new_report() for _ in range(300)}
    assert len(made) > 290
    assert not set("".join(made)) & set("01ILOU5S") - set("5SU")


# A line for programs


def test_a_named_table_is_a_structured_log_field() -> None:
    with structured() as written:
        OURS.warning("The %s of table %s failed: %s", "board", 7, StoreError("The disk is full."))
        OURS.warning("Somebody is gone from server %s: a house player takes a seat at table %s", 9_000, 8)
        OURS.warning("The chair is on the table")
    found = lines(written)
    assert [each.get("table") for each in found] == [7, 8, None]
    assert found[0]["said"] == "The board of table 7 failed: The disk is full."
    assert set(found[2]) == {"at", "level", "name", "said"}


def test_log_messages_write_table_before_its_number() -> None:
    calls = [
        (path.name, call)
        for path in SOURCES
        for call in re.findall(r"log\.\w+\(\s*\"[^)]*?\)", path.read_text("utf-8"))
    ]
    of_tables = [
        (name, call) for name, call in calls if re.search(r"(where\.table|table\.id|\btable\b|self\.id)\s*[,)]", call)
    ]
    assert len(of_tables) > 20
    assert [each for each in of_tables if not re.search(r"[Tt]able %s", each[1])] == []


async def test_a_late_failure_is_not_attributed_to_a_click(here: World) -> None:
    await here.start_table("ben", "cleo", "dev")
    with structured() as written:
        here.parts.clock.timed_tasks = (Broken(),)
        await here.advance(seconds=130)
    found = lines(written)
    assert {each["said"] for each in found} == {"The clock stumbled; it goes on"}
    assert not [each for each in found if "interaction" in each or "table" in each]


class Broken:
    """A bell that cannot be rung."""

    async def next(self) -> None:
        return None

    async def ring(self) -> None:
        raise RuntimeError


def test_no_card_reaches_the_structured_log() -> None:
    with structured() as written:
        try:
            raise ValueError("3d 4c 5h")  # noqa: TRY301  # it is the fault
        except ValueError:
            OURS.exception("He held %s", "3d 4c 5h 6s")
    assert "3d" not in written.getvalue()
    assert lines(written)[0]["said"] == "He held [not for a log]"


async def starting(*words_: str, **settings: str) -> list[str]:
    """Return the log of a start that stops at once."""
    code, told = await run_program("tests.standin.log_command", *words_, env={**os.environ, **settings})
    assert code == 0
    return told.splitlines()


@pytest.mark.parametrize(
    ("words_", "settings"),
    [
        (("--log-format", "json"), {}),
        (("serve", "--log-format", "json"), {"BIGGER_LOG_FORMAT": "text"}),
        ((), {"BIGGER_LOG_FORMAT": "json"}),
    ],
)
async def test_structured_logs_are_chosen_by_argument_or_setting(
    words_: tuple[str, ...], settings: dict[str, str]
) -> None:
    (line,) = await starting(*words_, **settings)
    assert json.loads(line)["table"] == 3


async def test_the_default_log_format_is_plain_text() -> None:
    (line,) = await starting()
    assert line.endswith("INFO bot: Table 3")


# Repeats


class Time:
    """A clock that stands still."""

    at = 0.0

    def __call__(self) -> float:
        return self.at


def test_repeated_log_lines_are_counted() -> None:
    time, written = Time(), list[str]()
    repeats = RepeatFilter(lambda record: written.append(record.getMessage()), time)

    def say(sentence: str, *args: object, error: Exception | None = None) -> None:
        about = (type(error), error, None) if error else None
        record = logging.LogRecord("bot", logging.WARNING, "", 0, sentence, args, about)
        if repeats.filter(record):
            written.append(record.getMessage())

    for _ in range(3):
        say("The board of table %s failed", 1)
    say("The board of table %s failed", 2)
    say("The board of table %s failed", 1, error=ValueError())
    assert written == ["The board of table 1 failed", "The board of table 2 failed", "The board of table 1 failed"]
    time.at += MINUTE
    say("Something else")
    assert written[3:] == ["The board of table 1 failed (2 more within a minute)", "Something else"]
    say("The board of table %s failed", 1)
    assert written[5:] == ["The board of table 1 failed"], "a minute later it is new"
    say("Something else")
    repeats.tell(all_=True)
    assert written[6:] == ["Something else (1 more within a minute)"], "nothing is lost at the end"


def test_the_count_of_repeats_names_the_same_table() -> None:
    written = list[str]()
    repeats = RepeatFilter(lambda record: written.append(JsonFormatter().format(record)))
    for sentence, args in (("The board of table %s failed: 100%%", (7,)), ("All 100% of it", ())):
        for _ in range(2):
            repeats.filter(logging.LogRecord("bot", logging.WARNING, "", 0, sentence, args, None))
    repeats.tell(all_=True)
    first, second = map(json.loads, written)
    assert (first["said"], first["table"]) == ("The board of table 7 failed: 100% (1 more within a minute)", 7)
    assert second["said"] == "All 100% of it (1 more within a minute)"


def test_no_error_code_is_redacted_as_cards() -> None:
    """One code in 230 was: "9H2S: an" reads as three cards, "an" being an ace with a suit of its own."""
    lines = [f"Report {code}{code}: an interaction failed" for code in map("".join, product(LETTERS, repeat=2))]
    assert [line for line in lines if redacted(line) != line] == []
    assert redacted("Report 9H2S: an interaction failed") == "Report [not for a log] interaction failed"
