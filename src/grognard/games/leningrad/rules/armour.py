"""12.0 Armour: panzer corps that fight whole, and armoured units."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from grognard.games.leningrad.state import GERMAN, LeningradState

if TYPE_CHECKING:
    from grognard.games.leningrad.game import Leningrad


def corps_involved(game: Leningrad, state: LeningradState, units: Sequence[int]) -> int:
    """12.1 How many panzer corps have all their units here, alive, in one hex and in the fight."""
    whole = [corps for corps in game.corps if set(corps) <= set(units)]
    return sum(len({state.where[u] for u in corps}) == 1 for corps in whole)


def armoured(game: Leningrad, state: LeningradState, unit: int) -> bool:
    """12.2 Armoured, not mechanised. A Soviet unit is what its revealed side says (14.2)."""
    if game.side(unit) == GERMAN:
        return game.units[unit].kind == "armour"
    return game.data.untried[state.rating[unit] - 1].kind == "armour"
