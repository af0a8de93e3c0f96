"""Dice that anybody can check.

Draw number n of a game is a hash of the game's seed and n. The seed's own hash can be published when the
game starts (a commitment) and the seed when it ends: then anyone, in any language with SHA-256, can verify
every roll. No generator has a state to save, and the same seed gives the same dice on every machine.
"""

from __future__ import annotations

import re
from hashlib import sha256

_ADDED = re.compile(r"@(\d+):([\w=-]+)")
"""What has been added to a seed since: from which answer on it counts, and what it is."""


def below(seed: str, draw: int, sides: int) -> int:
    """Draw number `draw`: a whole number from 0 up to, not including, `sides`, all equally likely."""
    limit = (1 << 64) - (1 << 64) % sides
    retry = 0
    while True:
        text = f"{seed}/{draw}" if not retry else f"{seed}/{draw}/{retry}"
        value = int.from_bytes(sha256(text.encode()).digest()[:8], "big")
        if value < limit:
            return value % sides
        retry += 1


def seed_at(seed: str, length: int) -> str:
    """The seed of a die that is rolled after so many answers: with all that had been added by then. At -1
    it is the seed as it was promised."""
    return _ADDED.sub(lambda added: added[0] if int(added[1]) <= length else "", seed)


def commitment(seed: str) -> str:
    """What is published before the first roll."""
    return sha256(f"commit/{seed_at(seed, -1)}".encode()).hexdigest()
