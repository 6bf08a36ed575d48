"""Finished matches to take away, many at once, and one that is checked on the spot."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from simcord import ChannelHandle
from simcord.results import InteractionResult
from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.ids import NO_GUILD, GuildId, TableId, UserId
from bot.games import GAMES
from bot.history.exports import Bundle, line_and_text
from bot.rules.matches.match_file import ExportedMatch, faults
from bot.show.kit.custom_ids import Browse
from bot.show.people.own_data import MATCHES
from bot.store import schema
from tests.interactions.clicks import send_click
from tests.interactions.slow_answers import delay_handlers
from tests.people.test_checking import run_command_line
from tests.people.test_notices import user_outside_servers
from tests.people.test_seen import backroom, finish_match, players  # noqa: F401  # fixtures
from tests.store.finished_matches import FinishedMatch, store_matches
from tests.support.law_settings import law_examples
from tests.support.world import SHORT_HANDS, World
from tests.test_exported import match

DEAL = SHORT_HANDS  # whose cards do not matter

VERIFIED = "every move was legal, the points are right"


async def export_matches(here: World, name: str, **options: Any) -> tuple[str, dict[str, bytes]]:
    """Export matches as a player: the text and the files."""
    return await reply_and_files(here, await here.people[name].slash(here.channel, "matches export", **options))


async def reply_and_files(here: World, result: InteractionResult) -> tuple[str, dict[str, bytes]]:
    """The text and the files of a reply."""
    await here.settle()
    shown = result.response or result.followups[-1]
    assert shown.ephemeral
    return shown.message.content, {file.filename: await file.read() for file in shown.message.attachments}


async def test_own_matches_are_exported_as_text_and_json_lines(
    here: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(2):
        await finish_match(here)
    told, files = await export_matches(here, "ben", which="mine")
    assert told == "2 matches, to read and as lines for `python -m bot record verify`."
    assert list(files) == ["matches.txt", "matches.jsonl"]
    found = list(ExportedMatch.from_lines(files["matches.jsonl"].decode(), GAMES))
    assert [one.players[:2] for one in found] == [("ann", "ben")] * 2
    assert files["matches.txt"].decode().startswith("# 2, 20")
    path = tmp_path / "matches.jsonl"
    path.write_bytes(files["matches.jsonl"])
    code, shown = run_command_line(capsys, f"record verify {path}")
    assert (code, shown.splitlines()[0]) == (0, "2 matches.")
    one = json.loads(files["matches.jsonl"].splitlines()[1])
    path.write_bytes(files["matches.jsonl"].splitlines()[0] + b"\n" + json.dumps(one | {"points": [0] * 4}).encode())
    code, shown = run_command_line(capsys, f"record verify {path}")
    assert (code, shown.startswith("Match 2: The points are")) == (1, True)
    assert (await export_matches(here, "dev", which="mine")) == ("There's no finished match like that yet.", {})
    assert (await export_matches(here, "ann", which="season"))[0] == "There's no such season on this server."
    await check_verification(here)


async def check_verification(here: World) -> None:
    """Check the verification of the latest and of a missing match as Dev."""
    shown = (await here.slash("dev", "matches verify")).text
    assert VERIFIED in shown
    assert "Hand 1 is open. Its seed is:" in shown or "hand 1" in shown
    assert "So nobody can change the deal once a match" in shown
    assert "no such finished match" in (await here.slash("dev", "matches verify", table="7")).text


async def test_many_matches_are_exported_as_two_files_even_if_slow(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    message, address = here.board(await finish_match(here)), str(Browse.to(MATCHES))
    quick = await reply_and_files(here, await send_click(here, here.ann, message, address))
    assert len(quick[1]) == 2
    delay_handlers(here, monkeypatch)
    assert await reply_and_files(here, await send_click(here, here.ann, message, address)) == quick


async def test_matches_of_a_hidden_channel_are_exported_to_its_viewers_only(
    here: World,
    backroom: ChannelHandle,  # noqa: F811
) -> None:
    await here.parts.servers.change(GuildId(here.guild.id), UserId(here.ann.id), "season", "monthly")
    await here.parts.seasons.end_due()
    await finish_match(here, backroom)
    await finish_match(here)
    assert (await export_matches(here, "cleo", which="season"))[0].startswith("2 matches")
    assert (await export_matches(here, "dev", which="season"))[0].startswith("1 match,")
    assert "no such finished match" in (await export_matches(here, "dev", table="1"))[0]
    assert list((await export_matches(here, "cleo", table="1"))[1]) == ["match-1.json"]
    assert "no such finished match" in (await here.slash("dev", "matches verify", table="1")).text


async def move_to_server(here: World, table: TableId, guild: GuildId) -> None:
    """Move a stored match to another server."""

    async def work(connection: AsyncConnection) -> None:
        await connection.execute(update(schema.results).filter_by(table_id=table).values(guild=guild))
        await connection.execute(update(schema.tables).filter_by(id=table).values(guild=guild))

    await here.parts.store._gate.run(work)


async def test_own_matches_of_all_servers_are_exported_at_once(here: World) -> None:
    there, _ = await finish_match(here), await finish_match(here)
    await move_to_server(here, there.id, GuildId(here.env.create_guild("Elsewhere").id))
    ann, ben, cleo = (here.people[name].user.id for name in ("ann", "ben", "cleo"))
    await store_matches(
        here.parts.store,
        [
            FinishedMatch((ann, cleo), (1, 2), guild=here.guild.id),  # of others
            FinishedMatch((ben, None), (1, 2), guild=NO_GUILD),  # played alone
        ],
    )
    assert (await export_matches(here, "ben", which="mine"))[0].startswith("1 match,")
    told, files = await export_matches(here, "ben", which="everywhere")
    assert told == "2 matches, to read and as lines for `python -m bot record verify`."
    assert len(list(ExportedMatch.from_lines(files["matches.jsonl"].decode(), GAMES))) == 2
    heads = [line for line in files["matches.txt"].decode().splitlines() if line.startswith("# ")]
    assert [head.split(",")[0] for head in heads] == ["# The Deck", "# Elsewhere"]
    alone = user_outside_servers(here, "ben")
    shown = await alone.slash("my data")
    assert shown.response is not None
    answer = await alone.click(shown.response.message, label="All my matches on all servers")
    assert await reply_and_files(here, answer) == (told, files)
    assert (await export_matches(here, "dev", which="everywhere")) == ("There's no finished match like that yet.", {})


async def test_an_old_match_is_exported_and_verified_as_before(here: World, caplog: pytest.LogCaptureFixture) -> None:
    await finish_match(here)
    before = await export_matches(here, "ann", table="1")
    checked = (await here.slash("dev", "matches verify", table="1")).text
    watched = (await here.slash("dev", "matches list", table="1")).text
    await here.advance(days=31)
    await here.parts.record_packer.pack()
    assert await here.parts.store.records.next_to_pack(TableId(0), here.parts.now()) is None
    here.bot.dispatch("person_forgotten")  # no replay is kept ready any more
    await here.settle()
    assert await export_matches(here, "ann", table="1") == before
    assert (await here.slash("dev", "matches verify", table="1")).text == checked
    assert (await here.slash("dev", "matches list", table="1")).text == watched
    with closing(sqlite3.connect(here.database_file)) as database:
        database.execute("UPDATE packs SET checksum = 'another'")
        database.commit()
    here.bot.dispatch("person_forgotten")
    for command in ("verify", "list"):
        said = (await here.slash("dev", f"matches {command}", table="1")).text
        assert said == "The moves of this match can't be read any more. The result still stands."
    assert "no such finished match" in (await export_matches(here, "ann", which="mine"))[0]
    caplog.clear()


@law_examples(10)
@given(st.lists(st.text(max_size=20), min_size=4, max_size=4))
@example(["\n", "\u2028\r\n", '"\\', "\x00\t"])
def test_exported_lines_are_read_back_for_any_player_names(names: list[str]) -> None:
    many = [replace(match(), players=tuple(names))] * 2
    bundle = Bundle()
    assert all(bundle.add(*both) for both in [line_and_text(many[0], "1")] * 2)
    assert list(ExportedMatch.from_lines(bundle.lines.decode(), GAMES)) == many


def test_a_match_that_does_not_fit_the_export_is_omitted_whole() -> None:
    full = Bundle(room=60_000)
    while full.add(*line_and_text(match(), "1")):
        pass
    assert 0 < len(full.lines) <= full.room
    assert len(full.text) <= full.room
    found = list(ExportedMatch.from_lines(full.lines.decode(), GAMES))
    assert (len(found), list(faults(found[-1]))) == (full.count, [])
