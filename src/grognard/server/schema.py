"""The tables of the database, as the newest migration leaves them."""

from __future__ import annotations

import sqlalchemy as sa

metadata = sa.MetaData()

tables = sa.Table(
    "tables",
    metadata,
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("game", sa.String(40), nullable=False),
    sa.Column("rules", sa.String(20), nullable=False),
    sa.Column("data", sa.String(40), nullable=False),
    sa.Column("scenario", sa.String(40), nullable=False),
    sa.Column("options", sa.Text, nullable=False),
    # The server's secret and what has been added to it (kernel/dice.py).
    sa.Column("seed", sa.Text, nullable=False),
    sa.Column("name", sa.String(80), nullable=False),
    sa.Column("listed", sa.Boolean, nullable=False),
    sa.Column("hotseat", sa.Boolean, nullable=False),
    sa.Column("resigned", sa.String(40), nullable=False),
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("updated", sa.Float, nullable=False, index=True),
    # How often the table was changed: whoever changes it says how often it had been before, so that two
    # servers on one database cannot overwrite each other.
    sa.Column("changes", sa.Integer, nullable=False, server_default="0"),
    # How many answers the journal has, and a hash of them all. Empty for tables last written without it.
    sa.Column("chain", sa.String(32), nullable=False, server_default=""),
    sa.Column("length", sa.Integer, nullable=False, server_default="0"),
    # Where the game stands, for lists of tables. Empty for tables last written before these columns were.
    sa.Column("turn", sa.Integer),
    sa.Column("phase", sa.String(40)),
    sa.Column("actor", sa.String(40)),
    sa.Column("over", sa.Boolean, nullable=False, server_default=sa.false()),
    # The take-back that waits for an answer.
    sa.Column("asked_by", sa.String(40)),
    sa.Column("asked_to", sa.Integer),
    # Whether the computer tells its plans while the game is played.
    sa.Column("teacher", sa.Boolean, nullable=False, server_default=sa.false()),
    # The server that thinks for the table's computers, and until when nobody else may.
    sa.Column("holder", sa.String(40), nullable=False, server_default=""),
    sa.Column("held_until", sa.Float, nullable=False, server_default="0"),
    # What was published of the seed before the first roll. Empty for tables made before it was kept.
    sa.Column("promise", sa.String(64), nullable=False, server_default=""),
    # A hash of the address that the table was made from, and the side of whoever made it.
    sa.Column("maker", sa.String(32), nullable=False, server_default=""),
    sa.Column("host", sa.String(40), nullable=False, server_default=""),
    # How many seconds an answer may take (0: any), and since when one is waited for.
    sa.Column("pace", sa.Integer, nullable=False, server_default="0"),
    sa.Column("since", sa.Float, nullable=False, server_default="0"),
    # How many seconds of leave each player has, and whether it was lost time that ended the game.
    sa.Column("leave", sa.Integer, nullable=False, server_default="0"),
    sa.Column("late", sa.Boolean, nullable=False, server_default=sa.false()),
    # The table at which the same people play again.
    sa.Column("rematch", sa.String(40), nullable=False, server_default=""),
)

seats = sa.Table(
    "seats",
    metadata,
    sa.Column("table_id", sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("side", sa.String(40), primary_key=True),
    sa.Column("token", sa.String(64), nullable=False),
    sa.Column("kind", sa.String(40), nullable=False),
    sa.Column("name", sa.String(80), nullable=False),
    sa.Column("taken", sa.Boolean, nullable=False),
    # A hash of the link by which somebody may take it, once.
    sa.Column("invite", sa.String(64), nullable=False, server_default=""),
    # The account of whoever sits there, if he has one and wished it.
    sa.Column("account", sa.String(24), nullable=False, server_default="", index=True),
    # The leave that its player is on or was on last, and how many seconds of leave were taken in all.
    sa.Column("away_from", sa.Float, nullable=False, server_default="0"),
    sa.Column("away_until", sa.Float, nullable=False, server_default="0"),
    sa.Column("leave_taken", sa.Float, nullable=False, server_default="0"),
)

answers = sa.Table(
    "answers",
    metadata,
    sa.Column("table_id", sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("words", sa.Text, nullable=False),
    # Whether it was part of one order with the answer before it: they are taken back together.
    sa.Column("joined", sa.Boolean, nullable=False, server_default=sa.false()),
)

# Positions, so that a table need not be replayed from its first answer. They can all be thrown away.
snapshots = sa.Table(
    "snapshots",
    metadata,
    sa.Column("table_id", sa.ForeignKey("tables.id"), primary_key=True),
    # How many answers led to it, how many moments, and the hash of each.
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("moment", sa.Integer, nullable=False),
    sa.Column("digest", sa.String(64), nullable=False),
    sa.Column("chain", sa.String(32), nullable=False),
    # How many lines of the log came before, by who may read them, and the turn that they belong to.
    sa.Column("lines", sa.Text, nullable=False),
    # The code that wrote it. Others do not read it.
    sa.Column("edition", sa.String(32), nullable=False),
    sa.Column("state", sa.LargeBinary, nullable=False),
)

plans = sa.Table(
    "plans",
    metadata,
    sa.Column("table_id", sa.ForeignKey("tables.id"), primary_key=True),
    # The answer that was the first of the plan.
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("side", sa.String(40), nullable=False),
    sa.Column("turn", sa.Integer, nullable=False),
    sa.Column("phase", sa.String(40)),
    sa.Column("code", sa.String(80), nullable=False),
    sa.Column("facts", sa.Text, nullable=False),
)

chat = sa.Table(
    "chat",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("table_id", sa.ForeignKey("tables.id"), nullable=False, index=True),
    sa.Column("author", sa.String(80), nullable=False),
    # What the table itself tells about somebody has a code; its text is the facts.
    sa.Column("code", sa.String(20), nullable=False, server_default=""),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
)

notes = sa.Table(
    "notes",
    metadata,
    sa.Column("table_id", sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("side", sa.String(40), primary_key=True),
    sa.Column("text", sa.Text, nullable=False),
)

# What players draw on the map.
marks = sa.Table(
    "marks",
    metadata,
    sa.Column("table_id", sa.ForeignKey("tables.id"), primary_key=True),
    # Drawn by lot: names that were counted would tell how many others there are.
    sa.Column("id", sa.String(24), primary_key=True),
    sa.Column("side", sa.String(40), nullable=False),
    # The order in which a side made them.
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("kind", sa.String(8), nullable=False),
    sa.Column("hexes", sa.Text, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    # Who sees it: `me`, `players` or `all`.
    sa.Column("seen_by", sa.String(8), nullable=False),
)

editions = sa.Table(
    "editions",
    metadata,
    sa.Column("game", sa.String(40), primary_key=True),
    # The digest of the data that tables name.
    sa.Column("digest", sa.String(40), primary_key=True),
    sa.Column("files", sa.LargeBinary, nullable=False),
)

keys = sa.Table(
    "keys",
    metadata,
    sa.Column("name", sa.String(40), primary_key=True),
    sa.Column("value", sa.String(80), nullable=False),
)

accounts = sa.Table(
    "accounts",
    metadata,
    sa.Column("id", sa.String(24), primary_key=True),
    sa.Column("name", sa.String(60), nullable=False),
    # The name without what does not tell two people apart: one of a kind.
    sa.Column("known_as", sa.String(120), nullable=False, unique=True),
    # Argon2id, with its own salt and parameters.
    sa.Column("passphrase", sa.Text, nullable=False),
    sa.Column("language", sa.String(2), nullable=False),
    sa.Column("created", sa.Float, nullable=False),
)

sessions = sa.Table(
    "sessions",
    metadata,
    # A hash of what the browser keeps.
    sa.Column("token", sa.String(64), primary_key=True),
    sa.Column("account", sa.ForeignKey("accounts.id"), nullable=False, index=True),
    sa.Column("device", sa.String(120), nullable=False),
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("seen", sa.Float, nullable=False),
)

# Where somebody wants to be told that it is his move: for all seats of an account, or for one seat.
addresses = sa.Table(
    "addresses",
    metadata,
    sa.Column("id", sa.String(24), primary_key=True),
    sa.Column("kind", sa.String(8), nullable=False),
    # A mail address, or a push subscription as the browser gave it.
    sa.Column("target", sa.Text, nullable=False),
    sa.Column("language", sa.String(2), nullable=False),
    sa.Column("account", sa.String(24), nullable=False, index=True),
    sa.Column("table_id", sa.String(40), nullable=False, index=True),
    sa.Column("side", sa.String(40), nullable=False),
    sa.Column("confirmed", sa.Boolean, nullable=False),
    sa.Column("created", sa.Float, nullable=False),
    # When something was last sent there.
    sa.Column("told", sa.Float, nullable=False),
)

# Who is waited for at tables where somebody wants to be told, and since when; when he was sent a message.
waits = sa.Table(
    "waits",
    metadata,
    sa.Column("table_id", sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("side", sa.String(40), primary_key=True),
    # 0: he is not waited for.
    sa.Column("since", sa.Float, nullable=False),
    sa.Column("pushed", sa.Float, nullable=False),
    # How often the table had been changed when it was looked at, and how many answers everybody had seen.
    sa.Column("changes", sa.Integer, nullable=False),
    sa.Column("answers", sa.Integer, nullable=False),
)
