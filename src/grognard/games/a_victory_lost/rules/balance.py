"""15.0 Help for the side that needs it: options of the scenario, all of them off by default."""

from __future__ import annotations

from grognard.games.a_victory_lost.state import VictoryState

OPTIONS = (
    "panzer_points",
    "administrative_movement",
    "late_first_panzer_army",
    "early_manstein",
    "soviets_plan_ahead",
    "axis_first_chit",
)


def option(state: VictoryState, name: str) -> bool:
    """Whether a balance option is in force."""
    return bool(state.options >> OPTIONS.index(name) & 1)
