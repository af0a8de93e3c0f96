"""Alembic's way in: the connection comes from the store, never from a file."""

from __future__ import annotations

from alembic import context

from grognard.server.schema import metadata

connection = context.config.attributes["connection"]
# All or nothing on both databases: SQLite can do it too once transactions are begun by hand (see the store).
context.configure(connection=connection, target_metadata=metadata, transactional_ddl=True)
with context.begin_transaction():
    context.run_migrations()
