"""A table knows whether the computer explains itself there, and what the computer was trying to do."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("teacher", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_table(
        "plans",
        sa.Column("table_id", sa.String(40), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("side", sa.String(40), nullable=False),
        sa.Column("turn", sa.Integer, nullable=False),
        sa.Column("phase", sa.String(40)),
        sa.Column("code", sa.String(80), nullable=False),
        sa.Column("facts", sa.Text, nullable=False),
    )
