"""/my data: a person sees all stored data and deletes it; the operator is named."""

from __future__ import annotations

import asyncio
import io
import json
import random
import zipfile
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import discord
import pytest
import pytest_asyncio
from simcord.results import InteractionResult

from bot.domain.house_rules import Owner
from bot.domain.ids import MessageId, TableId
from bot.domain.operator_notice import OperatorCommand
from bot.history.record_upkeep import RecordPacker
from bot.members.retention import RETENTION_PERIOD
from bot.show.kit.layout import TEXT_LIMIT
from bot.show.kit.words import words
from bot.show.people import own_data
from bot.show.people.own_data import OwnFile, TooLarge
from bot.show.server.about import Operator, Policy, filled, text
from bot.store.engine.deletion_ledger import ledger_path
from bot.store.erasure.own_data import DataPage, OwnData
from bot.store.rows import Ping
from bot.store.schema import metadata
from bot.store.schema.columns import meanings
from bot.table.core.commands import CallOff
from bot.table.core.state import Moderator
from bot.table.table import Table
from cogs.people.own_data import FILES, WRITING
from tests.people.big_a import show_nothing, start_draw
from tests.people.test_moderators import remove_player
from tests.people.test_presence import set_roles
from tests.people.test_sitting_in import offer_own_seat
from tests.support.languages import CODES
from tests.support.message_text import ParsedMessage
from tests.support.occurrences import columns_containing, files_containing, find_references, iterate_references
from tests.support.totals import matches_and_wins
from tests.support.world import SETTLE_TIMEOUT, SHORT_HANDS, World, world

RUN_BY: dict[str, Any] = {
    "operator": "The Card Club",
    "contact": "club@example.org",
    "privacy_link": "https://example.org/privacy",
}


@pytest_asyncio.fixture
async def here(tmp_path: Path) -> AsyncIterator[World]:
    async with world(tmp_path, deal="a seed to keep", **RUN_BY) as made:
        yield made


async def open_my_data(here: World, name: str) -> InteractionResult:
    result = await here.people[name].slash(here.channel, "my data")
    await here.settle()
    return result


async def press_my_data(here: World, name: str, *labels: str) -> InteractionResult:
    """Open /my data and press buttons in turn."""
    result = await open_my_data(here, name)
    for label in labels:
        result = await here.press_on(name, result, label)
    return result


def reply_text(result: InteractionResult) -> str:
    """The text of a private reply."""
    shown = result.response or result.followups[-1]
    assert shown.ephemeral
    return ParsedMessage.of(shown.message).text


def uploaded_file(result: InteractionResult) -> dict[str, Any]:
    """The file a player gets."""
    shown = result.response
    assert shown is not None
    assert shown.ephemeral
    [attached] = shown.message.attachments
    return read_file(attached.filename, files[attached.filename])


def read_file(name: str, body: bytes) -> dict[str, Any]:
    """The content of an uploaded file."""
    if name.endswith(".zip"):
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            (entry,) = archive.namelist()
            return read_file(entry, archive.read(entry))
    assert name.endswith(".json")
    return dict(json.loads(body))


files: dict[str, bytes] = {}


@pytest.fixture(autouse=True)
def kept_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what is uploaded: of a file the simulated Discord keeps no more than the name."""
    files.clear()
    made = discord.File.__init__

    def noted(self: discord.File, data: Any, name: str, **more: Any) -> None:
        files[name] = data.getvalue()
        made(self, data, name, **more)

    monkeypatch.setattr(discord.File, "__init__", noted)


async def leave_traces(here: World) -> None:
    """Create rows about Ben in as many tables as possible."""
    here.deal = SHORT_HANDS
    ben = here.people["ben"].id
    await here.play_hand(await here.start_table("ben", "cleo", hands=1))
    table = await here.start_table("ben", by="cleo")
    shown = await here.open_hand("ben", table)
    view = table.scene(ben).view
    assert view is not None
    await here.pick("ben", shown, str(view.hand[0]))
    await here.open_table("ben")
    await here.parts.preferences.change(ben, by_suit=True, locale="zh-CN")
    await here.people["ben"].slash(here.channel, "houserules save", name="Bens", rules="B2:hk")
    await here.parts.store.pings.add([Ping(table.id, ben, here.channel.id, MessageId(77))])
    await here.parts.store.notes.remember("something", f"of {ben}")
    await here.parts.puzzles.answer(ben, "big_two", here.parts.puzzles.week, 0, choice=0)
    await here.parts.servers.change(here.guild.id, ben, "slow", False)
    await here.settle()


async def test_a_user_gets_all_their_data_in_a_private_file(here: World) -> None:
    await leave_traces(here)
    ben, ann = str(here.people["ben"].id), str(here.ann.id)
    result = await press_my_data(here, "ben", "Show me everything")
    assert "Here's everything I store about you" in reply_text(result)
    data = uploaded_file(result)
    assert {"tables", "chairs", "standings", "pings", "habits", "notes", "house_rules", "server_changes"} <= data.keys()
    assert ben in json.dumps(data)
    assert ann not in json.dumps(data)
    assert not {"ann", "cleo"} & set(json.dumps(data).replace('"', " ").split())
    rows = [row for number in map(TableId, range(1, 5)) if (row := await here.parts.store.tables.load(number))]
    assert not any(row.seed.removeprefix("chain:") in json.dumps(data) for row in rows)
    seats = {(row.id, chair.seat) for row in rows for chair in row.chairs if str(chair.user) == ben}
    assert len(data["moves"]) == sum((row.id, step.seat) in seats for row in rows for step in row.steps)


async def test_own_data_do_not_reveal_secret_answers_of_others(here: World) -> None:
    async def kept(name: str) -> dict[str, Any]:
        return await here.parts.store.person_data(here.people[name].id)

    table = await start_draw(here)
    await show_nothing(here, table, "cleo", "cleo")
    host, before = await kept("ann"), (await kept("cleo"))["moves"]
    await here.advance(seconds=2)
    await show_nothing(here, table, "ben", "dev")
    assert await kept("ann") == host
    await show_nothing(here, table, "cleo")
    numbers = [{name: each for name, each in move.items() if name != "at"} for move in (await kept("cleo"))["moves"]]
    assert numbers == [numbers[0]] * (len(before) + 1)


async def test_1_1_data_files_are_limited_to_three_a_day_with_the_time_of_the_next(here: World) -> None:
    await here.parts.preferences.change(here.people["ben"].id, by_suit=True)
    await here.parts.preferences.change(here.ann.id, by_suit=True)
    for _ in range(FILES.most):
        assert uploaded_file(await press_my_data(here, "ben", "Show me everything"))
    refused = reply_text(await press_my_data(here, "ben", "Show me everything"))
    assert refused.startswith("You've had 3 files today. You can have the next one <t:")
    assert "You've had 3 files today. Next one: <t:" in reply_text(await open_my_data(here, "ben"))
    await here.parts.retention.forget_person(here.people["ben"].id)
    await here.settle()  # the last rows are deleted in the background
    assert "Next one: <t:" in reply_text(await open_my_data(here, "ben"))
    assert uploaded_file(await press_my_data(here, "ann", "Show me everything"))
    await here.advance(hours=25)
    assert "files today" not in reply_text(await open_my_data(here, "ben"))
    assert uploaded_file(await press_my_data(here, "ben", "Show me everything"))


class HeldPages:
    """Holds a page back while another player's are written."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.reached, self.let_go = asyncio.Event(), asyncio.Event()
        real = OwnData.pages

        async def pages(data: OwnData) -> AsyncIterator[DataPage]:
            async for page in real(data):
                self.reached.set()
                await self.let_go.wait()
                yield page

        monkeypatch.setattr(OwnData, "pages", pages)


async def test_1_1_my_data_answers_while_one_file_is_written(here: World) -> None:
    await here.parts.preferences.change(here.people["ben"].id, by_suit=True)
    await here.parts.preferences.change(here.ann.id, by_suit=True)
    async with here.parts.store.limits.holding(WRITING, here.people["ben"].id):
        again = await open_my_data(here, "ben")
        assert "Writing your file..." in reply_text(again)
        refused = reply_text(await here.press_on("ben", again, "Show me everything"))
        assert refused == "Your file is already being written. Please wait for it."
        assert "In matches you played with others, you become" in reply_text(
            await here.press_on("ben", again, "Delete everything")
        )
        assert uploaded_file(await press_my_data(here, "ann", "Show me everything"))
    assert "Writing your file" not in reply_text(await open_my_data(here, "ben"))
    for _ in range(FILES.most):
        assert uploaded_file(await press_my_data(here, "ben", "Show me everything"))


async def test_1_1_a_file_that_times_out_is_cancelled_and_does_not_count(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await here.parts.preferences.change(here.people["ben"].id, by_suit=True)
    monkeypatch.setattr("cogs.people.own_data.TOKEN_LIFETIME", timedelta(seconds=-1))
    for _ in range(FILES.most + 1):
        assert "Many people are asking for their data, so" in reply_text(
            await press_my_data(here, "ben", "Show me everything")
        )


async def test_1_1_a_file_that_does_not_reach_its_reader_does_not_count(here: World) -> None:
    await here.parts.preferences.change(here.people["ben"].id, by_suit=True)
    for _ in range(FILES.most + 1):
        shown = await open_my_data(here, "ben")
        here.env.inject_error("POST", "/interactions/*/callback", status=404, code=10062, times=1)
        await here.press_on("ben", shown, "Show me everything")
        await here.settle()
    assert not here.env.backend.faults
    assert uploaded_file(await press_my_data(here, "ben", "Show me everything"))


async def test_1_1_data_deleted_while_the_file_is_written_are_not_sent(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await here.parts.preferences.change(here.people["ben"].id, by_suit=True)
    shown, held = await open_my_data(here, "ben"), HeldPages(monkeypatch)
    assert shown.response is not None
    here.send_clicks([("ben", shown.response.message, "Show me everything")])
    async with asyncio.timeout(SETTLE_TIMEOUT):
        await held.reached.wait()
    await here.parts.store.deletions.forget_person(here.people["ben"].id)
    held.let_go.set()
    before = set(files)
    await here.settle()
    assert set(files) == before == set()


def test_1_1_a_large_file_is_compressed_and_a_larger_one_split(monkeypatch: pytest.MonkeyPatch) -> None:
    noise, at = random.Random("noise"), datetime(2026, 3, 1, tzinfo=UTC)
    rows = [{"number": number, "at": at, "said": noise.randbytes(999).hex()} for number in range(50)]

    def written(limit: int) -> tuple[tuple[str, bytes], ...]:
        file = OwnFile(limit + own_data.SLACK)
        for name in ("one", "two", "two", "three"):
            file.add(name, rows)
        return file.close()

    plain = written(10**6)
    assert [name for name, _ in plain] == ["what-bigger-keeps-about-me.json"]
    whole = read_file(*plain[0])
    assert [(name, len(each)) for name, each in whole.items()] == [("one", 50), ("two", 100), ("three", 50)]
    monkeypatch.setattr(own_data, "PLAIN", 2000)
    [archive] = written(10**6)
    assert archive[0] == "what-bigger-keeps-about-me.zip"
    assert read_file(*archive) == whole
    parts = written(200)
    assert [name for name, _ in parts][:2] == ["what-bigger-keeps-about-me-1.zip", "what-bigger-keeps-about-me-2.zip"]
    told = [(name, row["number"]) for part in parts for name, each in read_file(*part).items() for row in each]
    assert told == [(name, row["number"]) for name, each in whole.items() for row in each]
    monkeypatch.setattr(own_data, "MAX_FILES", 1)
    with pytest.raises(TooLarge):
        written(200)
    empty = OwnFile(10**6)
    assert read_file(*empty.close()[0]) == {}


WAYS_TO_LOSE_SEAT = ("leaves", "is removed", "is late", "gives the seat away", "is deleted")


async def lose_seat(here: World, table: Table, way: str) -> None:
    """End Ben's part at a table in one of several ways."""
    match way:
        case "leaves":
            await here.leave("ben", table)
        case "is removed":
            await remove_player(here, table, "ben")
        case "is late":
            while not table.row.chairs[1].house:
                if here.current_player(table) == "ann":
                    await here.act("ann", table)
                else:
                    await here.advance(seconds=121)
        case "gives the seat away":
            await offer_own_seat(here, table, "ben")
            await here.press("cleo", table, "Take over for ben")
        case _:
            await here.parts.retention.forget_person(here.people["ben"].id)


@pytest.mark.parametrize("way", WAYS_TO_LOSE_SEAT)
async def test_2_4_own_data_omit_actions_of_others_in_the_seat(here: World, way: str) -> None:
    set_roles(here, "dev", here.guild.create_role("Trusted", permissions=discord.Permissions(manage_messages=True)))
    table, ben = await here.start_table("ben", hands=2), here.people["ben"].id

    async def told() -> list[tuple[int, int]]:
        rows = (await here.parts.store.person_data(ben)).get("moves", [])
        return [(row["table_id"], row["ply"]) for row in rows]

    for _ in range(3):
        await here.act("ben" if here.current_player(table) == "ben" else "ann", table)
    await lose_seat(here, table, way)
    table = await here.reload(table)
    own = [step.ply for step in table.row.steps if step.seat == 1 and step.by != "house"]
    while not any(step.seat == 1 and step.ply not in own for step in table.row.steps):
        await here.act(here.current_player(table) or "", table)
    expected = [] if way == "is deleted" else [(table.id, ply) for ply in own]
    if table.row.phase == "playing" and expected:
        await (await here.reload(table)).do(CallOff(Moderator(here.people["dev"].id, "dev")))
    assert await told() == expected
    await RecordPacker(here.parts.store, lambda: here.env.now() + timedelta(days=40), {}, pause=0).pack()
    assert await told() == expected


async def test_after_deletion_no_table_file_or_memory_holds_the_person(here: World) -> None:
    await leave_traces(here)
    ben, folder = here.people["ben"].id, here.database_file.parent
    persons = {f"{table.name}.{c.name}" for table in metadata.sorted_tables for c, _ in meanings(table, "person")}
    before = set(columns_containing(here.database_file, str(ben)))
    assert len(before & persons) >= 6, before
    parts = here.parts.tables, here.parts.delivery, here.parts.preferences, here.parts.servers, *here.bot.cogs.values()
    memory = {type(part).__name__: part for part in parts}  # at once: each leads to all the others
    assert next(iterate_references(memory, ben), None)
    others = await matches_and_wins(here.parts.store, here.guild.id)
    question = await press_my_data(here, "ben", "Delete everything")
    assert "In matches you played with others, you become" in reply_text(question)
    assert set(columns_containing(here.database_file, str(ben))) == before, "nothing happens before the answer"
    done = await here.press_on("ben", question, "Yes, delete everything")
    assert "Deleted" in reply_text(done)
    await here.settle()
    assert columns_containing(here.database_file, str(ben)) == []
    assert [where for where in columns_containing(here.database_file, "ben") if ".name" in where] == []
    assert find_references(memory, ben) == []
    after = await matches_and_wins(here.parts.store, here.guild.id)
    assert after == {user: line for user, line in others.items() if user != ben}
    await here.stop()
    assert files_containing(folder, ben) == []


async def test_a_deleted_user_may_start_again(here: World) -> None:
    table = await here.start_table("ben")
    await press_my_data(here, "ben", "Delete everything", "Yes, delete everything")
    assert "2 entries" in reply_text(
        await open_my_data(here, "ben")
    )  # the mark of a seat, until the match ends, and of a deletion
    await (await here.reload(table)).do(CallOff(Moderator(here.people["dev"].id, "dev")))
    assert "1 entry" in reply_text(await open_my_data(here, "ben"))
    assert await here.parts.store.house_rules.of_owner(Owner("person", here.people["ben"].id)) == ()
    table = await here.open_table("ben")
    await here.restart()
    assert (await here.reload(table)).row.host == here.people["ben"].id


# While a deletion is carried out

BEING_DELETED = "Your data is being deleted. Try again in a few minutes."
NOTHING = "There's nothing left about you to delete."


async def delete(here: World, name: str) -> str:
    """Delete all data of a user; return the reply."""
    done = reply_text(await press_my_data(here, name, "Delete everything", "Yes, delete everything"))
    await here.settle()
    return done


async def test_1_2_a_user_without_data_is_offered_no_deletion(here: World) -> None:
    for _ in range(5):
        assert NOTHING in await delete(here, "dev")
    assert len(ledger_path(here.database_file).read_text().splitlines()) == 1, "the key, and no deletion"
    assert columns_containing(here.database_file, here.parts.store.deletions.mark(here.people["dev"].id)) == [], (
        "no use of a limit is written"
    )


async def test_1_2_at_most_three_deletions_an_hour(here: World) -> None:
    ben = here.people["ben"].id
    for _ in range(3):
        await here.parts.preferences.change(ben, by_suit=True)
        assert "Deleted" in await delete(here, "ben")
    await here.parts.preferences.change(ben, by_suit=True)
    assert "You've deleted your data 3 times in an hour." in await delete(here, "ben")
    assert (await here.parts.store.people.preferences(ben)).by_suit
    await here.advance(hours=1, seconds=1)
    assert "Deleted" in await delete(here, "ben")
    assert not (await here.parts.store.people.preferences(ben)).by_suit


async def test_1_2_all_input_waits_until_the_last_row_is_deleted(here: World) -> None:
    table = await here.start_table("ben", "cleo")
    ben = here.people["ben"].id
    data = await press_my_data(here, "ben", "Delete everything")
    await here.parts.store.deletions.note(ben)  # and nobody has deleted a row
    for answer in (
        await here.press("ben", table, "My hand"),
        await here.press_on("ben", data, "Yes, delete everything"),
        await here.people["ben"].slash(here.channel, "my data"),
        await here.people["ben"].slash(here.channel, "deal"),
    ):
        assert reply_text(answer) == BEING_DELETED
    assert await here.people["ben"].autocomplete(here.channel, "deal", "preset", "") == []
    assert await here.ann.autocomplete(here.channel, "deal", "preset", "") != []
    await here.restart()
    assert reply_text(await here.people["ben"].slash(here.channel, "my data")) == BEING_DELETED
    await here.advance(minutes=1, seconds=1)
    assert "What I store about you" in reply_text(await here.people["ben"].slash(here.channel, "my data"))
    assert columns_containing(here.database_file, str(ben)) == []
    assert (await here.open_table("ben")).row.host == ben


async def test_1_2_deleting_the_host_closes_the_lobby_and_notifies_its_players(here: World) -> None:
    table = await here.open_table("ben")
    await here.press("ann", table, "Join")
    joined = await here.open_table("cleo")
    await here.press("ben", joined, "Join")
    await delete(here, "ben")
    table, joined = await here.reload(table), await here.reload(joined)
    assert table.row.phase == "closed"
    assert any("The host of Big Two, table 1 left, so it's closed." in text for text in here.channel_texts(table))
    assert (joined.row.phase, [chair.user for chair in joined.row.chairs]) == ("lobby", [here.people["cleo"].id])
    assert "ben" not in here.read_board(joined).text


async def test_1_2_seats_are_house_players_in_the_transaction_that_notes_the_deletion(here: World) -> None:
    table = await here.start_table("ben", "cleo")
    await here.parts.store.deletions.note(here.people["ben"].id)
    row = await here.parts.store.tables.load(table.id)
    assert row is not None
    chair = row.chairs[1]
    assert (chair.user, chair.name, chair.house, chair.away) == (None, "👤 2", True, "left")


async def test_2_5_deleting_data_does_not_lift_a_ban(here: World) -> None:
    ben, ann = here.people["ben"].id, here.ann.id
    await here.parts.preferences.change(ben, by_suit=True)
    for who in (ben, ann):
        await here.parts.decisions.order(
            OperatorCommand("ban", who=("person", here.parts.store.deletions.mark(who))), "here"
        )
    await here.parts.decisions.order(OperatorCommand("announce", f"<@{ben}> is not served"), "here")
    assert "Deleted" in await delete(here, "ben")
    await here.restart()
    assert here.parts.decisions.is_banned("person", ben)
    assert here.parts.decisions.is_banned("person", ann)
    assert here.parts.decisions.known.notice.text == "<@…> is not served"
    assert "still shows what's stored about you and" in reply_text(await here.people["ben"].slash(here.channel, "deal"))


async def test_the_policies_name_the_operator(here: World) -> None:
    privacy = await press_my_data(here, "ann", "Privacy")
    assert "run by The Card Club" in reply_text(privacy)
    assert "club@example.org" in reply_text(privacy)
    terms = await press_my_data(here, "ann", "Terms")
    assert "run by The Card Club" in reply_text(terms)
    assert "Nobody plays for money here" in reply_text(terms)


@pytest.mark.parametrize("locale", CODES)
@pytest.mark.parametrize("which", ["PRIVACY", "TERMS"])
def test_a_policy_is_whole_in_every_language_and_fits_a_message(which: Policy, locale: str) -> None:
    w = words(locale)
    told = filled(which, locale, Operator(name="x" * 100, contact="y" * 100), w)
    assert "{" not in told
    assert told.count("x" * 100) == told.count("y" * 100) == 1
    assert len(told) <= TEXT_LIMIT
    assert "`/my data`" in told
    assert "{" not in filled(which, locale, Operator(), w)
    if which == "PRIVACY":
        assert told.count(str(RETENTION_PERIOD.days)) >= 2
        assert text(which, locale).count("\n## ") == text(which, "en").count("\n## ")
