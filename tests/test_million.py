"""What the million is measured on: really played matches, stored by the bot."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest

from bot.domain.ids import TableId
from bot.games import GAMES
from bot.history.record_upkeep import PACK_AFTER
from bot.rules.matches.record import Record
from bot.store.schema.columns import EPOCH, MICROSECOND
from bot.table.core.eligibility import score_of, standings_of
from bot.table.fact_lookup import match_of
from tests.bench.million import END, build_store, time_pages
from tests.bench.reseated_matches import GUILD, Seating, reseated_rows, write_matches
from tests.golden.play import golden_path

MATCHES, SERVERS = 8, 2
RECORDED = ("big_two", "taiwan"), ("big_little_a", "short"), ("tien_len", "simple")


@cache
def three() -> list[Record]:
    """Return matches of three games."""
    kept = [golden_path(*each).read_text(encoding="utf-8") for each in RECORDED]
    return [Record.from_json(each, GAMES) for each in kept]


async def test_every_generated_match_is_valid_and_ends_like_its_record(tmp_path: Path) -> None:
    made = await build_store(tmp_path / "full.db", MATCHES, SERVERS, three())
    packed = 0
    for number in range(1, MATCHES + 1):
        table = TableId(number)
        row, ended = await made.store.tables.load(table), await made.store.results.finished(table)
        assert row
        assert ended
        match = await match_of(row)
        assert match
        assert match.over
        assert ended.outcome.standings == standings_of(match, row.chairs)
        assert await made.store.results.score(table) == score_of(match)
        assert {one.user for one in ended.outcome.standings} <= {None, *made.people[row.guild]}
        assert row.steps[-1].at == ended.outcome.finished <= END
        packed += ended.outcome.finished < END - PACK_AFTER
    with closing(sqlite3.connect(tmp_path / "full.db")) as database:
        assert database.execute("SELECT count(*) FROM packs").fetchone() == (packed,)
        assert not database.execute("PRAGMA foreign_key_check").fetchall()
    assert 0 < packed < MATCHES
    assert all(len(took) == 1 for took in (await time_pages(made, 1)).values()), "each page is drawn"
    await made.store.close()


async def test_generated_rows_equal_the_rows_written_by_the_bot() -> None:
    for number, match in enumerate(await write_matches(three()), 1):
        ended = EPOCH + match.finished * MICROSECOND
        same = Seating(number, GUILD, number, {user: user for user in match.places}, ended)
        assert dict(reseated_rows(match, same, packed=True)) == match.packed
        assert dict(reseated_rows(match, same, packed=False)) == match.loose


async def test_a_complete_store_is_reused_and_a_different_one_refused(tmp_path: Path) -> None:
    found = three()[:1]
    for _ in range(2):
        full = await build_store(tmp_path / "full.db", 5, 1, found)
        assert await full.store.results.count(next(iter(full.people))) == 5
        await full.store.close()
    with pytest.raises(ValueError, match="5 matches"):
        await build_store(tmp_path / "full.db", 6, 1, found)
