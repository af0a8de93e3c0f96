"""A table knows the length of its journal, where it stands, and the take-back waiting for an answer."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for column in (
        sa.Column("length", sa.Integer, nullable=False, server_default="0"),
        sa.Column("turn", sa.Integer),
        sa.Column("phase", sa.String(40)),
        sa.Column("actor", sa.String(40)),
        sa.Column("over", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("asked_by", sa.String(40)),
        sa.Column("asked_to", sa.Integer),
    ):
        op.add_column("tables", column)
    op.execute("UPDATE tables SET length = (SELECT count(*) FROM answers WHERE answers.table_id = tables.id)")
