"""7.8 Overruns: motorised stacks that drive the enemy out of their way while they move."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from grognard.games.typhoon.data import charts
from grognard.games.typhoon.rules.costs import cost_of
from grognard.games.typhoon.rules.declaring import drop_void
from grognard.games.typhoon.rules.ground import enter, intact_forts, stack_zone, zone
from grognard.games.typhoon.rules.hand import Move
from grognard.games.typhoon.rules.losses import Losses
from grognard.games.typhoon.rules.reach import MOTORISED, ORDINARY, base_price
from grognard.games.typhoon.rules.retreat import Retreat
from grognard.games.typhoon.rules.stacking import excess
from grognard.games.typhoon.rules.strength import attack_of, defence_of, support_of
from grognard.games.typhoon.state import TyphoonState
from grognard.kernel import Action, Flow, Refusal, Return, Verb, refusal
from grognard.mechanics.dice import D10, Throw
from grognard.mechanics.pieces import members

if TYPE_CHECKING:
    from grognard.games.typhoon.game import Typhoon

FAILS, RETREATS = "fails", "retreat"


class Overrun(NamedTuple):
    """An overrun in progress."""

    units: tuple[int, ...]
    target: int
    defenders: tuple[int, ...]
    result: str = ""


def defence(game: Typhoon, state: TyphoonState, side: int, cell: int) -> int:
    """7.8.2a, 7.8.2f, 10.2.2 Guns among others use their support; alone their defence."""
    here = state.fighters(side, cell)
    troops = here & ~game.guns
    if not troops:
        return sum(defence_of(game, state, unit) for unit in members(here))
    line = sum(defence_of(game, state, unit) for unit in members(troops))
    guns = sum(
        support_of(game, state, unit)
        for unit in members(here & game.guns)
        if not (state.unsupplied | state.overrun) >> unit & 1 and game.units[unit].special != "siege"
    )
    return line + min(line, guns)


def ratio(game: Typhoon, state: TyphoonState, units: tuple[int, ...], cell: int) -> Fraction:
    own = sum(attack_of(game, state, unit) for unit in units)
    other = defence(game, state, 1 - state.side(units[0]), cell)
    return Fraction(own, other) if other else Fraction(99)


def price(game: Typhoon, state: TyphoonState, unit: int, here: int, there: int) -> int:
    """7.8.3b One point for the overrun, and the terrain; the zone in the hex costs nothing."""
    base = base_price(game, state, unit, here, there)
    return base + cost_of("overrun", "motor", state.sky.weather)[1] if base else 0


def zones_from(game: Typhoon, state: TyphoonState, side: int, cell: int) -> int:
    """The enemy hexes whose zones reach a hex, as a set."""
    found = 0
    for there in game.board.adjacent[cell]:
        if state.fighters(1 - side, there) and stack_zone(game, state, 1 - side, there) >> cell & 1:
            found |= 1 << there
    return found


def why_not_overrun(game: Typhoon, state: TyphoonState, move: Move, cell: int) -> Refusal | None:
    """7.8.1, 7.8.2, 7.8.3b"""
    side, here = state.side(move.units[0]), state.where[move.units[0]]
    if cell not in game.board.adjacent[here] or not state.fighters(1 - side, cell):
        return refusal("nobody-to-overrun", "7.8.5", hex=cell)
    if move.mode not in (ORDINARY, MOTORISED):
        return refusal("overrun-when", "7.8", hex=cell)
    if move.stopped and not move.lefts[0]:
        return refusal("overrun-spent", "7.8.3", hex=cell)
    reason = _why_not_units(game, state, move)
    if reason is not None:
        return reason
    reason = _why_not_ground(game, state, side, here, cell)
    if reason is not None:
        return reason
    held_by = zones_from(game, state, side, here)
    if held_by.bit_count() > 1:
        return refusal("overrun-zones", "7.8.2", hex=here)
    if move.stopped and held_by & ~(1 << cell):
        return refusal("overrun-held", "7.8.3", hex=here)
    if ratio(game, state, move.units, cell) < game.numbers["overrun_odds"]:
        return refusal("overrun-odds", "7.8.2", hex=cell)
    for unit, left in zip(move.units, move.lefts, strict=True):
        cost = price(game, state, unit, here, cell)
        if not cost or cost > left:
            return refusal("too-far", "7.8.3", unit=unit, hex=cell, points=cost, points_left=left)
    return None


def _why_not_units(game: Typhoon, state: TyphoonState, move: Move) -> Refusal | None:
    for unit in move.units:
        if not game.units[unit].motorised:
            return refusal("overrun-motorised", "7.8.1", unit=unit)
        if game.guns >> unit & 1:
            return refusal("overrun-no-guns", "7.8.2", unit=unit)
        if state.unsupplied >> unit & 1:
            return refusal("overrun-unsupplied", "7.8.2", unit=unit)
    if excess([game.units[unit] for unit in move.units]):
        return refusal("overrun-stack", "7.8.1", unit=move.units[0])
    return None


def _why_not_ground(game: Typhoon, state: TyphoonState, side: int, here: int, cell: int) -> Refusal | None:
    """7.8.2b, 7.8.2c"""
    board, sky = game.board, state.sky
    if sky.weather == "rain" or (sky.weather == "snow" and sky.storm):
        return refusal("overrun-weather", "7.8.2", hex=cell)
    shut = game.cities | game.major_cities | intact_forts(game, state, 1 - side)
    if shut >> cell & 1 or board.info[cell].terrain in ("marsh", "pond"):
        return refusal("overrun-terrain", "7.8.2", hex=cell)
    frozen = sky.weather in ("snow", "arctic")
    if board.side_has(here, cell, "major_river") or (board.side_has(here, cell, "lake") and not frozen):
        return refusal("overrun-terrain", "7.8.2", hex=cell)
    return None


def modifier(game: Typhoon, state: TyphoonState, overrun: Overrun) -> int:
    """7.8.3d, 7.8.3e, 7.8.4d What is added to the die, three at most either way."""
    chart, cell = charts()["overrun_modifiers"], overrun.target

    def value(name: str) -> int:
        return int(str(chart.find(name)["value"]))

    odds = ratio(game, state, overrun.units, cell)
    total = value("odds_10") if odds >= 10 else value("odds_8") if odds >= 8 else 0
    if any(state.overrun >> unit & 1 for unit in overrun.defenders):
        total += value("overrun_before")
    if (game.woods | game.hills) >> cell & 1:
        total += value("woods_or_hills")
    if game.board.side_has(state.where[overrun.units[0]], cell, "river"):
        total += value("river")
    if any((game.armour | game.guns) >> unit & 1 for unit in overrun.defenders):
        total += value("armour_or_guns")
    limit = game.numbers["modifier_limit"]
    return max(-limit, min(limit, total))


def begin_overrun(game: Typhoon, state: TyphoonState) -> Overrun:
    """7.8.3b Those in hand pay, whatever the die says."""
    move: Move = state.local
    here, side = state.where[move.units[0]], state.side(move.units[0])
    lefts = tuple(
        left - price(game, state, unit, here, move.target)
        for unit, left in zip(move.units, move.lefts, strict=True)
    )
    state.local = move._replace(lefts=lefts, fresh=False)
    found = tuple(members(state.fighters(1 - side, move.target)))
    state.emit("overrun", "7.8", units=move.units, units_target=found, hex=move.target)
    return Overrun(move.units, move.target, found)


class RollOverrun(Throw["Typhoon", TyphoonState]):
    name = "roll-overrun"
    case = "7.8.3"
    verbs = {"charge": Verb(("number",))}
    dice = D10

    def apply(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Flow:
        overrun: Overrun = state.local
        change = modifier(game, state, overrun)
        die = max(-2, min(13, action[1] + change))
        result = str(charts()["overrun"].find(die)["result"])
        state.local = overrun._replace(result=result)
        state.emit("overrun-rolled", "7.8.3", die=action[1], n=die, word_result=f"overrun-{result}")
        return None


def overrun_losses(game: Typhoon, state: TyphoonState) -> Losses | None:
    """7.8.3f"""
    overrun: Overrun = state.local
    if overrun.result in (FAILS, RETREATS):
        return None
    return Losses(overrun.defenders, 1, case="7.8.3", overrun=True)


def overrun_retreat(game: Typhoon, state: TyphoonState) -> Retreat | None:
    """7.8.3f Two hexes, by the phasing player, through no enemy zone."""
    overrun: Overrun = state.local
    if overrun.result == FAILS:
        return None
    side = state.side(overrun.units[0])
    going = tuple(members(state.own(1 - side, overrun.target)))
    if not going:
        return None
    return Retreat(going, game.numbers["retreat_hexes"], side, zones=False, overrun=True)


def end_overrun(game: Typhoon, state: TyphoonState) -> Flow:
    overrun: Overrun = state.local
    return Return(overrun.result != FAILS)


def after_overrun(game: Typhoon, state: TyphoonState, done: object) -> Flow:
    """7.8.3g, 7.8.3h Those who have overrun stand in the hex and go on, unless another enemy's zone holds
    them; who has failed moves no more."""
    move: Move = state.local
    if not done:
        state.local = move._replace(stopped=True, lefts=(0,) * len(move.units), target=-1)
        return "hand"
    here = state.where[move.units[0]]
    for unit in move.units:
        enter(game, state, unit, move.target)
    state.emit("moved", "7.8.3", units=move.units, hex_from=here, hex=move.target)
    drop_void(state)
    held = bool(zone(game, state, 1 - state.side(move.units[0])) >> move.target & 1)
    state.local = move._replace(stopped=held, target=-1)
    return "hand"
