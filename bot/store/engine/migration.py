"""The schema of a database, and its migrations.

Knows Alembic; refuses to know the meaning of tables, and the kind of database.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect

from bot.runtime.progress import adding, stage
from bot.runtime.store_address import Address
from bot.store.errors import StoreError

SCRIPTS = Path(__file__).parents[1] / "migrations"
FOREIGN = "{name} is a database of some other program. Nothing was changed; choose another one."
VERSION_TABLE = "alembic_version"  # Alembic's table with the revision
UNFINISHED_TABLE = "unfinished_copy"  # a table that exists until a copy is complete
HALF = "{name} is an unfinished copy. Say `python -m bot store copy` again, and it continues where it stopped."
NEWER = (
    "The database {name} was written by a newer version of the bot (schema {revision}). Nothing was changed. "
    "Install that version again, or put a copy from the backups folder in its place."
)


@cache
def steps_in(folder: Path) -> ScriptDirectory:
    """Read the migration scripts, once per process."""
    return ScriptDirectory.from_config(config_of(folder))


def newest_revision() -> str:
    """Return the newest revision of this version of the bot."""
    return str(steps_in(SCRIPTS).get_current_head())


def known_revisions() -> frozenset[str]:
    """Return every revision known to this version."""
    return frozenset(script.revision for script in steps_in(SCRIPTS).walk_revisions())


def config_of(folder: Path) -> Config:
    """Return Alembic's configuration for a folder of scripts."""
    config = Config()
    config.set_main_option("script_location", str(folder).replace("%", "%%"))
    return config


def read_revision(connection: Connection, name: Address, *, include_unfinished: bool = False) -> str | None:
    """Return the revision of the database, None for an empty one.

    Raises StoreError for a foreign or newer database, and for an unfinished copy unless ``include_unfinished``.
    """
    heads = MigrationContext.configure(connection).get_current_heads()
    tables = inspect(connection).get_table_names()
    connection.rollback()
    current = heads[0] if len(heads) == 1 else None
    if UNFINISHED_TABLE in tables and not include_unfinished:
        raise StoreError(HALF.format(name=name))
    if current is None and tables:
        raise StoreError(FOREIGN.format(name=name))
    if current is not None and current not in known_revisions():
        raise StoreError(NEWER.format(name=name, revision=current))
    return current


def upgrade(connection: Connection) -> None:
    """Run the missing migrations in the open transaction of ``connection``."""
    config = config_of(SCRIPTS)
    config.attributes["connection"] = connection
    current = MigrationContext.configure(connection).get_current_revision()
    missing = len(list(steps_in(SCRIPTS).iterate_revisions("head", current or "base")))
    with stage("updating the database", missing, "steps") as reach:
        config.attributes["on_step"] = adding(reach)
        command.upgrade(config, "head")
