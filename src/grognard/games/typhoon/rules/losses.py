"""8.5 Losses: steps, one by one, and the boxes to which lost units go."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from grognard.games.typhoon.rules.ground import lose_supply
from grognard.games.typhoon.state import CADRE, ELIMINATED, SUBSTITUTES, TyphoonState
from grognard.kernel import AGAIN, RETURN, Flow, Refusal, Verb, refusal
from grognard.mechanics.choices import OwnersChoice

if TYPE_CHECKING:
    from grognard.games.typhoon.game import Typhoon


class Losses(NamedTuple):
    """Steps that some units owe between them."""

    units: tuple[int, ...]
    owed: int
    first: tuple[tuple[int, ...], ...] = ()
    """Those who must take the first steps, one group after the other (9.3, 12.3.1)."""
    last: tuple[int, ...] = ()
    """Those who take theirs when nobody else is left (13.5.2)."""
    case: str = "8.5.1"
    overrun: bool = False
    """8.5.4 In an overrun a unit of one step is eliminated, not a cadre."""


def remove(game: Typhoon, state: TyphoonState, unit: int, place: int, case: str) -> None:
    """8.5.4 A unit leaves the map for one of the boxes. 15.3.4 Substitute regiments can be used again."""
    cell = state.where[unit]
    if game.supplies >> unit & 1:
        lose_supply(state, unit, "6.5.3")
        return
    if game.hqs >> unit & 1:
        state.hqs_lost += 1
    state.set_steps(unit, 0)
    state.place(unit, SUBSTITUTES if game.substitutes >> unit & 1 else place)
    gone = ~(1 << unit)
    for name in ("emergency", "unsupplied", "garrison", "refitting", "overrun", "activated"):
        setattr(state, name, getattr(state, name) & gone)
    state.emit("to-cadre" if place == CADRE else "eliminated", case, unit=unit, hex=cell)


def lose_step(game: Typhoon, state: TyphoonState, unit: int, case: str, overrun: bool = False) -> None:
    """8.5.3, 8.5.4 A unit loses a step; the last makes it a cadre, but for one-step units in an overrun."""
    if state.steps[unit] > 1:
        state.set_steps(unit, state.steps[unit] - 1)
        state.emit("reduced", case, unit=unit, hex=state.where[unit])
        return
    out = overrun and game.units[unit].steps == 1
    remove(game, state, unit, ELIMINATED if out else CADRE, case)


def able_to_lose(game: Typhoon, state: TyphoonState, losses: Losses) -> list[int]:
    """Who may take the next step."""
    living = [u for u in losses.units if state.where[u] >= 0 and state.steps[u] > 0]
    for group in losses.first:
        if found := [u for u in group if u in living]:
            return found
    return [u for u in living if u not in losses.last] or living


def after_loss(losses: Losses, unit: int) -> Losses:
    """A group that has taken its first step need not take another."""
    rest = list(losses.first)
    for n, group in enumerate(rest):
        if unit in group:
            del rest[: n + 1]
            break
    return losses._replace(owed=losses.owed - 1, first=tuple(rest))


def settle_losses(game: Typhoon, state: TyphoonState) -> Flow:
    """Where there is nothing to choose, nobody is asked."""
    losses: Losses | None = state.local
    if losses is None or losses.owed <= 0:
        return RETURN
    able = able_to_lose(game, state, losses)
    if not able:
        return RETURN
    everybody = sum(state.steps[u] for u in losses.units if state.where[u] >= 0)
    if len(able) > 1 and losses.owed < everybody:
        return None
    state.local = after_loss(losses, able[0])
    lose_step(game, state, able[0], losses.case, losses.overrun)
    return AGAIN


class LoseStep(OwnersChoice["Typhoon", TyphoonState]):
    """8.5.1 The owner takes the steps from the force, not from each unit."""

    name = "lose-step"
    case = "8.5.1"
    verbs = {"lose": Verb(("unit",))}

    def able(self, game: Typhoon, state: TyphoonState) -> list[int]:
        return able_to_lose(game, state, state.local)

    def why_not(self, game: Typhoon, state: TyphoonState, unit: int) -> Refusal:
        losses: Losses = state.local
        if unit not in losses.units or state.where[unit] < 0 or not state.steps[unit]:
            return refusal("not-affected", "8.5.1", unit=unit)
        if unit in losses.last:
            return refusal("nkvd-last", "13.5.2", unit=unit)
        case = "12.3.1" if any(game.engineers >> u & 1 for u in losses.first[0]) else "9.3.1"
        return refusal("first-loss", case, unit=unit)

    def take(self, game: Typhoon, state: TyphoonState, unit: int) -> Flow:
        losses: Losses = state.local
        state.local = after_loss(losses, unit)
        lose_step(game, state, unit, losses.case, losses.overrun)
        return "settle"


def alive(state: TyphoonState, units: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(unit for unit in units if state.where[unit] >= 0)
