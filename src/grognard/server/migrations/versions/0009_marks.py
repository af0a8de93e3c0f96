"""What players draw on the map."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "marks",
        sa.Column("table_id", sa.String(40), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("id", sa.String(24), primary_key=True),
        sa.Column("side", sa.String(40), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("hexes", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("seen_by", sa.String(8), nullable=False),
    )
