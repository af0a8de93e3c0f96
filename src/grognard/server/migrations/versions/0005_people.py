"""Invitations that are used once, who made a table, the promise of its dice, how long an answer may take, the
data that tables were made with, and the server's own keys."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for column in (
        sa.Column("promise", sa.String(64), nullable=False, server_default=""),
        sa.Column("maker", sa.String(32), nullable=False, server_default=""),
        sa.Column("host", sa.String(40), nullable=False, server_default=""),
        sa.Column("pace", sa.Integer, nullable=False, server_default="0"),
        sa.Column("since", sa.Float, nullable=False, server_default="0"),
    ):
        op.add_column("tables", column)
    op.execute("UPDATE tables SET since = updated")
    if op.get_bind().dialect.name == "postgresql":
        # What is added to a seed (shares of the players, take-backs) makes it longer; SQLite does not mind.
        op.alter_column("tables", "seed", type_=sa.Text)
    op.add_column("seats", sa.Column("invite", sa.String(64), nullable=False, server_default=""))
    op.create_table(
        "editions",
        sa.Column("game", sa.String(40), primary_key=True),
        sa.Column("digest", sa.String(40), primary_key=True),
        sa.Column("files", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "keys",
        sa.Column("name", sa.String(40), primary_key=True),
        sa.Column("value", sa.String(80), nullable=False),
    )
