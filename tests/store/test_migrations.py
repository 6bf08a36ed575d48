"""Migrations: copied first, all or nothing, and nothing is lost."""

# ruff: noqa: ASYNC240 - a test may wait for its own small files

from __future__ import annotations

from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from bot.store import opening
from bot.store.rows import Change, Deadline, Ping, StoreError, TableRow
from bot.store.schema import metadata
from bot.store.store import Store
from tests.store.given import ANN, CHANNEL, NOON, STEP, a_table, loaded, now, refusal


async def test_the_migrations_make_the_schema_that_is_used(store: Store) -> None:
    connection = store._gate.connection
    assert await connection.run_sync(lambda c: compare_metadata(MigrationContext.configure(c), metadata)) == []


def a_step_more(tmp_path: Path, body: str) -> Path:
    """The migrations of a next version, which has one step more."""
    scripts = tmp_path / "next"
    copytree(opening.SCRIPTS, scripts, ignore=ignore_patterns("__pycache__"))
    head = "from alembic import op\nimport sqlalchemy as sa\nrevision, down_revision = '0002', '0001'\n"
    (scripts / "versions" / "r0002_next.py").write_text(f"{head}def upgrade():\n    {body}\n")
    return scripts


WIDER = "with op.batch_alter_table('tables') as t: t.add_column(sa.Column('mood', sa.Text))"
REBUILT = "with op.batch_alter_table('tables', recreate='always') as t: t.drop_constraint('ck_tables_pace')"
FAILING = f"{WIDER}\n    op.execute('DELETE FROM notes')\n    op.execute('SELECT nonsense')"
TORN = "op.execute('DELETE FROM tables')"


@pytest.mark.parametrize("body", [WIDER, REBUILT])
async def test_a_migration_copies_first_and_loses_nothing(
    tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch, body: str
) -> None:
    before = await an_older_database(path)
    monkeypatch.setattr(opening, "SCRIPTS", a_step_more(tmp_path, body))
    store = await Store.open(path, now)
    assert await store.load(1) == before
    with pytest.raises(StoreError):
        await store.add_ping(Ping(99, ANN, CHANNEL, 1))  # foreign keys are watched again
    await store.close()
    copies = list((tmp_path / "backups").iterdir())
    assert [copy.name for copy in copies] == ["bigger-20260301T120000Z-0001.db"]
    monkeypatch.undo()
    assert "newer version of the bot (schema 0002)" in await refusal(path)
    store = await Store.open(copies[0], now)
    assert await store.load(1) == before
    await store.close()


@pytest.mark.parametrize("body", [FAILING, TORN])
async def test_a_migration_that_fails_changes_nothing(
    tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch, body: str
) -> None:
    before = await an_older_database(path)
    content = path.read_bytes()
    monkeypatch.setattr(opening, "SCRIPTS", a_step_more(tmp_path, body))
    assert str(path) in await refusal(path)
    monkeypatch.undo()
    assert path.read_bytes() == content
    store = await Store.open(path, now)
    assert await store.load(1) == before
    await store.close()


async def test_without_a_place_for_the_copy_nothing_is_migrated(
    tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await an_older_database(path)
    content = path.read_bytes()
    (tmp_path / "backups").touch()
    monkeypatch.setattr(opening, "SCRIPTS", a_step_more(tmp_path, WIDER))
    assert f"no copy of it can be put into {tmp_path / 'backups'}" in await refusal(path)
    assert path.read_bytes() == content


async def an_older_database(path: Path) -> TableRow:
    store = await Store.open(path, now)
    table = await a_table(store, Deadline(NOON))
    await store.save(table, Change(steps=(STEP,)))
    row = await loaded(store, table)
    await store.close()
    return row
