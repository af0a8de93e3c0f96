"""What the dice of a table are made of: the server's secret, promised before anybody gave a share; a share of
each player, given after the promise was seen; and how often dice that were seen have been taken back.

A seed is the secret and, added to it, `@n:word=value`: from answer n on this is part of what is hashed. So a
journal and its seed are all that is needed to roll every die again.
"""

from __future__ import annotations

import re
from typing import Any

from grognard.kernel import commitment
from grognard.server.store import TableRow

_ADDED = re.compile(r"@(\d+):([\w-]+)=([\w-]+)")
AGAIN = "again"
NO_PROMISE = "-"
"""Instead of a promise, at a table that goes on from another one's middle: its seed is that one's secret."""


def entropy(seed: str) -> dict[str, str]:
    """The shares that are in a seed, by side."""
    return {word: value for _, word, value in _ADDED.findall(seed) if word not in (AGAIN, "branch")}


def take_backs(seed: str) -> int:
    """How often dice that may have been seen were taken back."""
    return max((int(value) for _, word, value in _ADDED.findall(seed) if word == AGAIN), default=0)


def with_share(seed: str, length: int, side: str, share: str) -> str:
    """A seed with a player's share, for the dice after so many answers."""
    return f"{seed}@{length}:{side}={share}"


def rolled_anew(seed: str, length: int) -> str:
    """A seed for other dice after so many answers than it would have given. Those before are the same."""
    again = take_backs(seed) + 1
    kept = [
        (min(int(at), length), word, value)
        for at, word, value in _ADDED.findall(seed)
        # An earlier take-back to here or later is part of what was taken back; its number is not used again.
        if word != AGAIN or int(at) < length
    ]
    added = [*kept, (length, AGAIN, str(again))]
    return _ADDED.sub("", seed) + "".join(f"@{at}:{word}={value}" for at, word, value in added)


def promise_of(row: TableRow) -> str:
    """What was published before the first roll, as it was published then. Of tables made before it was kept,
    what it must have been."""
    return row.promise or commitment(row.seed)


def published(row: TableRow) -> bool:
    """Whether the seed of a table is published when its game is over."""
    return row.promise != NO_PROMISE


def dice(row: TableRow) -> dict[str, Any]:
    """What everybody may know of a table's dice before the end."""
    return {"shares": entropy(row.seed), "take_backs": take_backs(row.seed)}
