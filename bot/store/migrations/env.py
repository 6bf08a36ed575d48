"""What Alembic runs to migrate: it gets an open connection, inside a transaction that its giver ends.

Knows nothing of files or addresses; the async connection is turned into this one by ``run_sync``.
"""

from __future__ import annotations

from alembic import context

context.configure(
    connection=context.config.attributes["connection"],
    transactional_ddl=True,  # SQLite can; so a step that fails leaves nothing behind
    render_as_batch=True,
    on_version_apply=lambda **_: context.config.attributes["on_step"](1),
)
with context.begin_transaction():
    context.run_migrations()
