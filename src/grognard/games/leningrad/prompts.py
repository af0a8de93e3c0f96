"""What Leningrad's questions say: which sentence, and who and what is in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from grognard.games.leningrad.rules.battle import Battle
from grognard.games.leningrad.rules.combat import Attack
from grognard.games.leningrad.rules.movement import MovingStack
from grognard.games.leningrad.rules.results import SufferedResult
from grognard.games.leningrad.state import LeningradState

if TYPE_CHECKING:
    from grognard.games.leningrad.game import Leningrad


def special_prompt(game: Leningrad, state: LeningradState) -> tuple[str, dict[str, Any]] | None:
    """The sentence of a question in a situation of its own, and its facts; None if it is the usual one."""
    stack = state.top(MovingStack)
    if stack is not None and not stack.units:
        return "take-up", {}
    crowded = _crowded_hexes(game, state)
    if crowded and game.actor(state) == state.active:
        return "pick-unit-crowded", {**prompt_facts(game, state), "hexes": crowded}
    return None


def _crowded_hexes(game: Leningrad, state: LeningradState) -> tuple[int, ...]:
    """4.6 While the first German units are picked: hexes where somebody will be destroyed if he stays."""
    if state.turn != 1 or not state.doing("movement") or state.path()[-1][1] != "pick":
        return ()
    return tuple(c for c in sorted(state.at) if state.height(c) > game.stacking)


def prompt_facts(game: Leningrad, state: LeningradState) -> dict[str, Any]:
    """Who is asked about what: the stack in hand, the battle in progress."""
    facts: dict[str, Any] = {"turn": state.turn, "word_side": game.sides[state.active]}
    local = state.local if not state.over else None
    if isinstance(local, MovingStack) and local.units:
        facts |= {
            "units": local.units,
            "hex": state.where[local.units[0]],
            "points_left": min(state.left[u] for u in local.units),
        }
    if isinstance(local, SufferedResult):
        facts |= {"owed": local.owed, "units": tuple(u for u in local.units if state.on_map(u))}
    if isinstance(local, Attack) and local.targets:
        facts |= {"hexes": local.targets, "units": local.attackers}
    if isinstance(local, Battle):
        facts |= {"hexes": local.targets, "units": local.attackers}
    facts |= {"air_ready": state.air_ready, "forts_ready": state.forts_ready}
    return facts
