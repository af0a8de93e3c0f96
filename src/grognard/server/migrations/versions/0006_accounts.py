"""Accounts, their sessions and seats; where people want to be told that it is their move, and whom a table
waits for."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("seats", sa.Column("account", sa.String(24), nullable=False, server_default=""))
    op.create_index("ix_seats_account", "seats", ["account"])
    op.create_table(
        "accounts",
        sa.Column("id", sa.String(24), primary_key=True),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("known_as", sa.String(120), nullable=False, unique=True),
        sa.Column("passphrase", sa.Text, nullable=False),
        sa.Column("language", sa.String(2), nullable=False),
        sa.Column("created", sa.Float, nullable=False),
    )
    op.create_table(
        "sessions",
        sa.Column("token", sa.String(64), primary_key=True),
        sa.Column("account", sa.String(24), sa.ForeignKey("accounts.id"), nullable=False, index=True),
        sa.Column("device", sa.String(120), nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("seen", sa.Float, nullable=False),
    )
    op.create_table(
        "addresses",
        sa.Column("id", sa.String(24), primary_key=True),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("target", sa.Text, nullable=False),
        sa.Column("language", sa.String(2), nullable=False),
        sa.Column("account", sa.String(24), nullable=False, index=True),
        sa.Column("table_id", sa.String(40), nullable=False, index=True),
        sa.Column("side", sa.String(40), nullable=False),
        sa.Column("confirmed", sa.Boolean, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("told", sa.Float, nullable=False),
    )
    op.create_table(
        "waits",
        sa.Column("table_id", sa.String(40), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("side", sa.String(40), primary_key=True),
        sa.Column("since", sa.Float, nullable=False),
        sa.Column("pushed", sa.Float, nullable=False),
        sa.Column("changes", sa.Integer, nullable=False),
        sa.Column("answers", sa.Integer, nullable=False),
    )
