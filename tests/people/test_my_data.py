"""/my data: a person sees all that is kept about them, and has it deleted; and who runs the bot is named."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import discord
import pytest
import pytest_asyncio
from simcord.results import InteractionResult

from bot.ground.house_rules import Owner
from bot.ground.ids import MessageId, TableId
from bot.people.retention import KEPT
from bot.show.layout import TEXT_LIMIT
from bot.show.policies import Operator, Policy, filled, text
from bot.show.words import LANGUAGES, words
from bot.store.meaning import meanings
from bot.store.rows import Ping
from bot.store.schema import metadata
from bot.table.kept import Moderator
from tests.everywhere import bytes_with, holders, rows_with
from tests.people.big_a import five, nothing
from tests.reading import Shown
from tests.tallied import won
from tests.world import World, world

RUN_BY: dict[str, Any] = {
    "operator": "The Card Club",
    "contact": "club@example.org",
    "privacy_link": "https://example.org/privacy",
}


@pytest_asyncio.fixture
async def here(tmp_path: Path) -> AsyncIterator[World]:
    async with world(tmp_path, deal="a seed to keep", **RUN_BY) as made:
        yield made


async def asked(here: World, name: str) -> InteractionResult:
    result = await here.people[name].slash(here.channel, "my data")
    await here.settle()
    return result


async def pressed(here: World, name: str, *labels: str) -> InteractionResult:
    """Let somebody ask for their data and press these buttons, one after the other."""
    result = await asked(here, name)
    for label in labels:
        result = await here.press_on(name, result, label)
    return result


def said(result: InteractionResult) -> str:
    """What somebody reads, who alone sees it."""
    shown = result.response or result.followups[-1]
    assert shown.ephemeral
    return Shown.of(shown.message).text


def file_of(result: InteractionResult) -> dict[str, Any]:
    """The file somebody gets."""
    shown = result.response
    assert shown is not None
    assert shown.ephemeral
    [attached] = shown.message.attachments
    assert attached.filename.endswith(".json")
    return dict(json.loads(files[attached.filename]))


files: dict[str, bytes] = {}


@pytest.fixture(autouse=True)
def kept_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what is uploaded: of a file the simulated Discord keeps no more than the name."""
    made = discord.File.__init__

    def noted(self: discord.File, data: Any, name: str, **more: Any) -> None:
        files[name] = data.getvalue()
        made(self, data, name, **more)

    monkeypatch.setattr(discord.File, "__init__", noted)


async def lived(here: World) -> None:
    """Let Ben leave traces everywhere."""
    ben = here.people["ben"].id
    for _ in range(2):
        await here.play_hand(await here.start_table("ben", "cleo", hands=1))
    table = await here.start_table("ben", by="cleo")
    shown = await here.open_hand("ben", table)
    view = table.scene(ben).view
    assert view is not None
    await here.pick("ben", shown, str(view.hand[0]))
    await here.open_table("ben")
    await here.bot.habits.change(ben, by_suit=True, locale="zh-CN")
    await here.people["ben"].slash(here.channel, "houserules save", name="Bens", rules="B2:hk")
    await here.bot.store.add_pings([Ping(table.id, ben, here.channel.id, MessageId(77))])
    await here.bot.store.remember(f"something of {ben}", "x")
    await here.bot.puzzles.answer(ben, "big_two", here.bot.puzzles.week, 0, 0)
    await here.bot.servers.change(here.guild.id, ben, "slow", False)
    await here.settle()


async def test_everything_is_shown_in_a_file_to_whoever_asks_alone(here: World) -> None:
    await lived(here)
    ben, ann = str(here.people["ben"].id), str(here.ann.id)
    result = await pressed(here, "ben", "Show me all of it")
    assert "all that I keep about you" in said(result)
    data = file_of(result)
    assert {"tables", "chairs", "standings", "pings", "habits", "notes", "house_rules", "server_changes"} <= data.keys()
    assert ben in json.dumps(data)
    assert ann not in json.dumps(data)
    assert not {"ann", "cleo"} & set(json.dumps(data).replace('"', " ").split())
    rows = [row for number in map(TableId, range(1, 5)) if (row := await here.bot.store.load(number))]
    assert not any(row.seed.removeprefix("chain:") in json.dumps(data) for row in rows)
    seats = {(row.id, chair.seat) for row in rows for chair in row.chairs if str(chair.user) == ben}
    assert len(data["moves"]) == sum((row.id, step.seat) in seats for row in rows for step in row.steps)


async def test_nobody_learns_from_their_data_how_many_have_answered_in_secret(here: World) -> None:
    async def kept(name: str) -> dict[str, Any]:
        return await here.bot.store.person_data(here.people[name].id)

    table = await five(here)
    await nothing(here, table, "cleo", "cleo")
    host, before = await kept("ann"), (await kept("cleo"))["moves"]
    await here.later(seconds=2)
    await nothing(here, table, "ben", "dev")
    assert await kept("ann") == host
    await nothing(here, table, "cleo")
    numbers = [{name: each for name, each in move.items() if name != "at"} for move in (await kept("cleo"))["moves"]]
    assert numbers == [numbers[0]] * (len(before) + 1)


async def test_after_deletion_no_table_file_or_memory_holds_the_person(here: World) -> None:
    await lived(here)
    ben, folder = here.people["ben"].id, here.file.parent
    persons = {f"{table.name}.{c.name}" for table in metadata.sorted_tables for c, _ in meanings(table, "person")}
    before = set(rows_with(here.file, str(ben)))
    assert len(before & persons) >= 6, before
    parts = here.bot.tables, here.bot.telling, here.bot.habits, here.bot.servers, *here.bot.cogs.values()
    memory = {type(part).__name__: part for part in parts}  # at once: each leads to all the others
    assert holders(memory, ben)
    others = await won(here.bot.store, here.guild.id)
    question = await pressed(here, "ben", "Delete all of it")
    assert "Nobody can undo this" in said(question)
    assert set(rows_with(here.file, str(ben))) == before, "nothing happens before the answer"
    done = await here.press_on("ben", question, "Yes, delete all of it")
    assert "It is deleted" in said(done)
    await here.settle()
    assert rows_with(here.file, str(ben)) == []
    assert [where for where in rows_with(here.file, "ben") if ".name" in where] == []
    assert holders(memory, ben) == []
    after = await won(here.bot.store, here.guild.id)
    assert after == {user: line for user, line in others.items() if user != ben}
    await here.stop()
    assert bytes_with(folder, ben) == []


async def test_whoever_is_deleted_may_begin_anew(here: World) -> None:
    table = await here.start_table("ben")
    await pressed(here, "ben", "Delete all of it", "Yes, delete all of it")
    assert "1 entry" in said(await asked(here, "ben"))  # the mark of a seat, until the match ends
    await (await here.again(table)).call_off(Moderator(here.people["dev"].id, "dev"))
    assert "0 entries" in said(await asked(here, "ben"))
    assert await here.bot.store.house_rules(Owner("person", here.people["ben"].id)) == ()
    table = await here.open_table("ben")
    await here.restart()
    assert (await here.again(table)).row.host == here.people["ben"].id


async def test_the_policies_name_who_runs_the_bot(here: World) -> None:
    privacy = await pressed(here, "ann", "Privacy")
    assert "run by The Card Club" in said(privacy)
    assert "club@example.org" in said(privacy)
    terms = await pressed(here, "ann", "Terms")
    assert "run by The Card Club" in said(terms)
    assert "Nobody plays for money here" in said(terms)


@pytest.mark.parametrize("locale", LANGUAGES)
@pytest.mark.parametrize("which", ["PRIVACY", "TERMS"])
def test_a_policy_is_whole_in_every_language_and_fits_a_message(which: Policy, locale: str) -> None:
    w = words(locale)
    told = filled(which, locale, Operator("x" * 100, "y" * 100), w)
    assert "{" not in told
    assert told.count("x" * 100) == told.count("y" * 100) == 1
    assert len(told) <= TEXT_LIMIT
    assert "`/my data`" in told
    assert "{" not in filled(which, locale, Operator(), w)
    if which == "PRIVACY":
        assert told.count(str(KEPT.days)) >= 2
        assert text(which, locale).count("\n## ") == text(which, "en").count("\n## ")
