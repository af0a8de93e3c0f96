"""Which answers were one order, so that they are taken back together after a restart too."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("answers", sa.Column("joined", sa.Boolean, nullable=False, server_default=sa.false()))
