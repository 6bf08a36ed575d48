"""The pseudo-language, spoken to a person who presses all there is: nothing is told them that was never translated."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import discord
import pytest
from simcord import SetupError
from simcord.components import walk_components
from simcord.results import InteractionResult, ResponseMessage

from bot.ai.plain import plain_action
from bot.domain.chairs import Level
from bot.domain.languages import LANGUAGES
from bot.games import GAMES
from bot.table.core.chairs import HOUSE_NAMES
from bot.table.core.commands import FillSeats, Start
from bot.table.table import Table
from tests.support.languages import PSEUDO, Kind, is_cut, is_pseudo, speak_pseudo, untranslated
from tests.support.world import World, world

BUTTON, MENU, INPUT = 2, 3, 4
LOOKS = 3  # of her turns at every so manieth
PRESSES = 60  # at one moment
TYPED = "zz"  # into every form
READ = {
    "content": Kind.TEXT,
    "label": Kind.OPTION,
    "description": Kind.DESCRIPTION,
    "placeholder": Kind.PLACEHOLDER,
    "title": Kind.TITLE,
}
FRENCH = PSEUDO.locales[0]
# What ends a lobby, a match, a menu or what is kept: these are pressed when all else has been.
LAST = ("play_now", "start", "leave", "leave_now", "cancel", "close_now", "delete", "stop", "rule_done")

NUMBER, GAME_OF_STANDINGS = re.compile(r"\d+"), re.compile(r"(standings_by:)\w+")  # of each a single one is pressed
WAYS_BACK, RETURNS = ("menu", "rule_menu"), 5  # pressed that often, once nothing else is new


class ButtonPresser:
    """A player who presses one of every kind of button that they find, and chooses one of every kind of option."""

    def __init__(self, here: World, name: str) -> None:
        self.here, self.person = here, here.people[name]
        self.pressed = Counter[str]()
        self.found = list[tuple[int, int]]()  # messages by channel and number, the latest last

    async def say(self, command: str, **options: Any) -> None:
        """Use a command, and press what its answer offers."""
        await self._take_in(await self.person.slash(self.here.channel, command, **options))
        await self.press_all()

    async def look_at(self, table: Table) -> None:
        """Press what there is on a table's board and in the hand."""
        board = self.here.board(await self.here.reload(table))
        self.found.append((board.channel.id, board.id))
        await self.say("hand")

    async def press_all(self) -> None:
        """Press every button of the found messages and of the resulting ones, the latest first."""
        most = self.pressed.total() + PRESSES
        while self.found and self.pressed.total() < most:
            channel, number = self.found[-1]
            message = self.here.env.backend.messages.get(channel, {}).get(number)
            if message is None or not (new := sorted(self._new(message.components))):
                self.found.pop()
                continue
            _, kind, address, value = new[0]
            self.pressed[kind] += 1
            await self._use(ResponseMessage(self.here.env, message), address, value)

    def _new(self, components: Any) -> Iterator[tuple[int, str, str, str | None]]:
        """Yield buttons not pressed so far: how late it is pressed, its kind, address and value."""
        for part in walk_components(components):
            if part.get("type") in (BUTTON, MENU) and part.get("custom_id") and not part.get("disabled"):
                address = part["custom_id"]
                for value in [each["value"] for each in part["options"]] if part["type"] == MENU else [None]:
                    kind = GAME_OF_STANDINGS.sub(r"\1@", NUMBER.sub("#", f"{address} {value}"))
                    parts = set(address.split(":"))
                    if self.pressed[kind] < (RETURNS if parts & set(WAYS_BACK) else 1):
                        yield 2 if parts & set(LAST) else bool(self.pressed[kind]), kind, address, value

    async def _use(self, message: ResponseMessage, address: str, value: str | None) -> None:
        self.here.pulse.at += 1
        try:
            if value is None:
                await self._take_in(await self.person.click(message, custom_id=address))
            else:
                await self._take_in(await self.person.select(message, [value], custom_id=address))
        except SetupError:  # what it was on has changed meanwhile
            return

    async def _take_in(self, result: InteractionResult) -> None:
        """Take in an answer, and fill in the form that it may be."""
        await self.here.settle()
        if result.modal is not None:
            inputs = [part for part in walk_components(result.modal["components"]) if part.get("type") == INPUT]
            typed = {part["custom_id"]: TYPED for part in inputs}
            await self._take_in(await self.person.submit_modal(result, typed))
        for each in (result.response, *result.followups):
            if each is not None:
                self.found.append((each.channel_id, each.id))


def sent_lines(here: World) -> set[tuple[Kind, str]]:
    """Return every line sent by the bot, except its command registrations."""
    sent = (each for each in here.env.http_requests if "/applications/" not in each.path)
    return {line for request in sent for line in readable_lines(request.json)}


def readable_lines(part: Any) -> Iterator[tuple[Kind, str]]:
    """Yield the lines that people read in what was sent."""
    if isinstance(part, list):
        for each in part:
            yield from readable_lines(each)
    elif isinstance(part, dict):
        for name, each in part.items():
            kind = Kind.BUTTON if name == "label" and part.get("type") == BUTTON else READ.get(name)
            if isinstance(each, str) and kind:
                yield from ((kind, line) for line in each.splitlines())
            else:
                yield from readable_lines(each)


@pytest.fixture
async def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    """A server whose people all read the pseudo-language."""
    with speak_pseudo(monkeypatch):
        async with world(tmp_path, locale=FRENCH) as made:
            made.locales.update(dict.fromkeys(made.people, FRENCH))
            yield made


def check(here: World) -> None:
    """Fail if the bot sent untranslated or truncated text."""
    names = (
        *here.people,
        *HOUSE_NAMES,
        *(each.name for each in LANGUAGES),
        "The Deck",
        "cards",
        "gg",
        "Algiers",
        TYPED,
    )
    said = sent_lines(here)
    assert any(is_pseudo(line) for _, line in said)
    assert [line for kind, line in said if untranslated(kind, line, names)] == []
    assert [line for kind, line in said if is_cut(kind, line)] == []


@pytest.mark.rotates(len(GAMES))
@pytest.mark.parametrize("game", GAMES)
async def test_every_answer_at_a_table_is_translated(here: World, game: str) -> None:
    reader = ButtonPresser(here, "ann")
    await reader.look_at(await here.open_table(game=game))
    table = await here.open_table(game=game, hands=1)
    await table.do(FillSeats(here.ann.id, Level.EASY))
    await table.do(Start(here.ann.id, None, table.row.edition))
    await here.settle()
    turns = 0
    while table.stage == "playing":
        turns += 1
        if turns % LOOKS == 1:
            await reader.look_at(table)
        view = table.scene(here.ann.id).view
        if view is not None and view.ask and (action := plain_action(view)):
            await here.act_directly(here.ann.id, table, action)
    await reader.look_at(table)
    assert table.stage == "over"
    assert reader.pressed.total() > PRESSES
    check(here)


COMMANDS = (
    "desk",
    "learn rules",
    "learn how",
    "learn daily",
    "learn puzzles",
    "learn practice",
    "learn lesson",
    "standings",
    "matches list",
    "matches ledger",
    "bigger help",
    "bigger about",
    "my choices",
    "my clock",
    "my profile",
    "my data",
    "houserules list",
    "houserules here",
)


@pytest.mark.rotates(2)
@pytest.mark.parametrize("part", range(2))
async def test_every_answer_elsewhere_is_translated(here: World, part: int) -> None:
    reader = ButtonPresser(here, "ann")
    for command in COMMANDS[part::2]:
        await reader.say(command)
    pressed = reader.pressed.total()
    if part:
        here.arrive("boss", here.guild.create_role("Boss", permissions=discord.Permissions(manage_guild=True)))
        here.locales["boss"] = FRENCH
        boss = ButtonPresser(here, "boss")
        await boss.say("bigger settings")
        pressed += boss.pressed.total()
    assert pressed > PRESSES / 3
    check(here)
