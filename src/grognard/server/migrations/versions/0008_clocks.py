"""Holidays and lost time in games by correspondence, the table of a rematch, and what the table itself says
among the words of people."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("leave", sa.Integer, nullable=False, server_default="0"))
    op.add_column("tables", sa.Column("late", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("tables", sa.Column("rematch", sa.String(40), nullable=False, server_default=""))
    op.add_column("seats", sa.Column("away_from", sa.Float, nullable=False, server_default="0"))
    op.add_column("seats", sa.Column("away_until", sa.Float, nullable=False, server_default="0"))
    op.add_column("seats", sa.Column("leave_taken", sa.Float, nullable=False, server_default="0"))
    op.add_column("chat", sa.Column("code", sa.String(20), nullable=False, server_default=""))
