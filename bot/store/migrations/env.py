"""Alembic's entry point: migrates through an open connection, in a caller's transaction.

The caller turns its async connection into this synchronous one by ``run_sync``.
"""

from __future__ import annotations

from alembic import context

context.configure(
    connection=context.config.attributes["connection"],
    transactional_ddl=True,  # supported by SQLite too: a failed step leaves nothing behind
    render_as_batch=True,
    on_version_apply=lambda **_: context.config.attributes["on_step"](1),
)
with context.begin_transaction():
    context.run_migrations()
