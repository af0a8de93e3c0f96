"""Positions are kept now and then, every change of a table is counted, and a table has one server that thinks
for its computers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("changes", sa.Integer, nullable=False, server_default="0"))
    op.add_column("tables", sa.Column("chain", sa.String(32), nullable=False, server_default=""))
    op.add_column("tables", sa.Column("holder", sa.String(40), nullable=False, server_default=""))
    op.add_column("tables", sa.Column("held_until", sa.Float, nullable=False, server_default="0"))
    op.create_table(
        "snapshots",
        sa.Column("table_id", sa.String(40), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("moment", sa.Integer, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("chain", sa.String(32), nullable=False),
        sa.Column("lines", sa.Text, nullable=False),
        sa.Column("edition", sa.String(32), nullable=False),
        sa.Column("state", sa.LargeBinary, nullable=False),
    )
