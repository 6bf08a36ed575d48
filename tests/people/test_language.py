"""Languages: every player reads their own in private, and a server reads its own in public."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bot.domain.chairs import Level
from bot.rules.core.cards import cards
from bot.show.kit.layout import DOTS
from bot.table.core.commands import FillSeats
from bot.table.table import Table
from tests.support.languages import LOCALES
from tests.support.message_text import ParsedMessage, private_reply
from tests.support.world import World, world

CHINESE = re.compile(r"[\u4e00-\u9fff]")


async def test_private_answers_and_hands_use_the_language_of_their_reader(here: World) -> None:
    here.locales["ben"] = "zh-CN"
    table = await here.start_table("ben")
    hand = await here.open_hand("ben", table)
    mine, theirs = private_reply(await here.open_hand("ann", table)), private_reply(hand)
    assert not CHINESE.search(mine.text)
    assert CHINESE.search(theirs.text)
    assert all(CHINESE.search(label) for label in theirs.buttons if label != "⋯" and not label[0].isdigit())
    assert not CHINESE.search(here.read_board(table).text)
    await here.play("ann", table, cards("3d 3c"))
    assert private_reply(hand).text != theirs.text
    assert CHINESE.search(private_reply(hand).text)
    assert CHINESE.search((await here.slash("ben", "turn", move="zz")).text)
    assert CHINESE.search((await here.slash("ben", "learn rules", article="4.10")).text)


async def press_verb(here: World, name: str, table: Table, verb: str) -> None:
    """Press the button with a verb on a board."""
    board = here.board(table)
    (address,) = (address for address, _ in ParsedMessage.of(board).buttons.values() if address.split(":")[2] == verb)
    await here.people[name].click(board, custom_id=address)
    await here.settle()


async def test_public_messages_use_the_language_of_the_server(tmp_path: Path) -> None:
    async with world(tmp_path, locale="zh-CN") as here:
        table = await here.open_table()
        assert all(CHINESE.search(label) for label in here.read_board(table).buttons if label != DOTS)
        await press_verb(here, "ben", table, "join")
        await table.do(FillSeats(here.ann.id, Level.EASY))
        await here.settle()
        await press_verb(here, "ann", table, "start")
        assert CHINESE.search(here.read_board(table).text)
        await here.advance(minutes=1)
        await here.play("ann", table, cards("3d 3c"))
        await here.leave("ben")
        assert here.channel_texts(table)
        assert all(CHINESE.search(said) for said in here.channel_texts(table))
        assert not CHINESE.search(private_reply(await here.ann.slash(here.channel, "hand")).text)  # she reads English


def described_texts(options: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Everything that carries a description or the name of a choice."""
    for option in options:
        yield option
        yield from described_texts(option.get("options") or [])


async def test_commands_are_described_in_every_language_with_english_as_fallback(here: World) -> None:
    commands = list(here.env.backend.commands[None].values())
    assert len(commands) >= 9
    for each in described_texts(commands):
        assert each["description"]
        assert not CHINESE.search(each["description"])
        assert CHINESE.search(each["description_localizations"]["zh-CN"])
        assert set(each["description_localizations"]) == set(LOCALES[1:])  # English is there already
        assert not each.get("name_localizations")  # so that people can tell each other what to type
    for locale in ("de", "ja", "pt-BR"):
        here.locales["ann"] = locale
        assert "You're not at any table." in (await here.slash("ann", "desk")).text, locale
