"""11 Air power: readiness, missions, air combat, anti-aircraft fire, interdiction, close air support.

Here are the numbers of the air war, as functions of what takes part. Who is asked when stands in missions.py
and dogfight.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

from grognard.board import Board
from grognard.board.board import bits
from grognard.games.typhoon.data import BOXES, SIDES, Unit, charts, numbers
from grognard.games.typhoon.derived import Flyer
from grognard.games.typhoon.rules.weather import Sky
from grognard.games.typhoon.state import AIR_DAMAGED, AIR_DESTROYED, AIR_FLOWN, AIR_READY, AXIS, SOVIET

RESULTS = {"none": None, "abort": AIR_FLOWN, "damaged": AIR_DAMAGED, "destroyed": AIR_DESTROYED}
"""Where a result of fire sends an air unit (11.2.3e, 11.3.3)."""


NOBODY = -1


# 11.1 Readiness


def readiness_modifier(side: int, sky: Sky) -> int:
    """11.1.3: what weather adds to a die of readiness; the lines add up."""
    rows = [sky.weather]
    if sky.storm:
        rows.append("storm")
    if sky.weather == "arctic" and side == AXIS:
        rows.append("arctic_axis")
    chart = charts()["air_readiness_modifiers"]
    return sum(int(str(chart.find(row)["modifier"])) for row in rows)


def before_readiness(box: int, sky: Sky) -> int:
    """11.1.4: where a unit begins the readiness phase. A storm grounds those that were ready."""
    return AIR_FLOWN if sky.storm and box == AIR_READY else box


def rolls_for_readiness(unit: Flyer, box: int) -> bool:
    """11.1.3: units that have flown or are damaged roll; decoys never do."""
    return unit.kind != "decoy" and box in (AIR_FLOWN, AIR_DAMAGED)


def readied(side: int, box: int, die: int, sky: Sky) -> int:
    """11.1.3: the box of a unit after its die: one up if the roll is low enough."""
    row = charts()["air_readiness"].find(SIDES[side], BOXES[box])
    if die + readiness_modifier(side, sky) > int(str(row["at_most"])):
        return box
    return BOXES.index(str(row["to_box"]))


# 11.1 Missions


def why_not_support(unit: Flyer, box: int, laid: int) -> str | None:
    """11.1.5, 11.1.6: why an air unit may not be laid for close air support, or None."""
    if box != AIR_READY:
        return "not-ready"
    return "mission-full" if laid >= numbers()["air_mission_limit"] else None


def why_not_interdict(unit: Flyer, box: int, laid: int) -> str | None:
    """11.1.6, 11.4: only the Axis interdicts, with any kind of unit (11.4.1a)."""
    if unit.side != AXIS:
        return "axis-interdicts"
    return why_not_support(unit, box, laid)


def why_not_oppose(unit: Flyer, box: int, laid: int) -> str | None:
    """11.1.6, 11.4.1b: only Soviet fighters oppose interdiction. A decoy may lie among them (ruling)."""
    if unit.side != SOVIET or unit.kind == "bomber":
        return "fighters-oppose"
    return why_not_support(unit, box, laid)


@cache
def moscow(board: Board) -> int:
    """The hexes of Moscow."""
    return bits(cell for cell in board.cells if board.name(cell, "en") == "Moscow")


@cache
def near_moscow(board: Board) -> int:
    """13.7.2: where Moscow's air defence corps may fly."""
    cells = [cell for cell in board.cells if moscow(board) >> cell & 1]
    return board.within(cells, numbers()["moscow_air_radius"])


def in_range(board: Board, unit: Flyer, cell: int, released: bool) -> bool:
    """11.1.7: a mission may be anywhere; that of Moscow's air defence, until released, near the city."""
    return not unit.moscow or released or bool(near_moscow(board) >> cell & 1)


# 11.2 Air combat


class Initiative(NamedTuple):
    """11.2.3a: what the die of initiative said."""

    side: int
    """Who forms the pairs; -1 if there is no combat."""
    local: bool = False
    """He has a local tactical advantage (11.2.3f)."""


def initiative(die: int) -> Initiative:
    result = str(charts()["air_initiative"].find(die)["initiative"])
    if result == "bombers_pass":
        return Initiative(NOBODY)
    return Initiative(SIDES.index(result.removesuffix("_local")), result.endswith("_local"))


def fires(unit: Flyer) -> bool:
    """11.2.2a: only fighters fire."""
    return unit.kind == "fighter"


def may_hold_fire(unit: Flyer, interdicting: bool) -> bool:
    """11.2.2c: a fighter that could still fly its mission may keep its bombs and not fire. The Axis' own may
    always do so when they interdict (11.4.1a)."""
    return fires(unit) and (unit.support > 0 or (interdicting and unit.side == AXIS))


def fire(firer: Flyer, target: Flyer, die: int) -> int | None:
    """11.2.2b: the box to which one shot sends its target; None if it misses."""
    difference = max(-4, min(4, firer.combat - target.combat))
    return RESULTS[str(charts()["air_combat"].find(die, difference)["result"])]


def worst(results: Iterable[int | None]) -> int | None:
    """11.2.3d: all shots count together: of several hits on a unit the worst."""
    return max((box for box in results if box is not None), default=None)


def may_target(target: Flyer, fighters_free: bool) -> bool:
    """11.2.3c: bombers may be attacked when every enemy fighter is engaged. A decoy is no target."""
    return target.kind == "fighter" or (target.kind == "bomber" and not fighters_free)


def flies_on(unit: Flyer, fired: bool, interdicting: bool) -> bool:
    """11.2.3g: whether a unit may go on with its mission: not if it fired, not with nothing to drop."""
    return not fired and carries(unit, interdicting) > 0


# 11.3 Anti-aircraft fire


def fires_at_aircraft(unit: Unit, zone: bool) -> bool:
    """11.3.2: who is eligible: no Soviet unit below a division but HQs and anti-aircraft; no Axis unit with
    a No ZOC band. Supply units do not fire (ruling)."""
    if unit.size == "supply":
        return False
    if unit.side == "soviet":
        return unit.division or unit.kind in ("hq", "antiaircraft")
    return zone


def aa_modifier(units: Sequence[Unit], target: Flyer, major_city: bool, sky: Sky) -> int:
    """11.3.3: the modifiers below the table, for the eligible units in and around the mission hex."""
    lines = {
        "aa_unit": any(unit.kind == "antiaircraft" for unit in units),
        "major_city": major_city,
        "small_units": not any(unit.division for unit in units),
        "bad_weather": sky.weather in ("rain", "snow", "arctic"),
        "low_flyer": target.low,
    }
    chart = charts()["aa_fire_modifiers"]
    return sum(int(str(chart.find(line)["value"])) for line, applies in lines.items() if applies)


def aa_fire(die: int, modifier: int) -> int | None:
    """11.3.3: the box to which anti-aircraft fire sends an air unit; None without effect."""
    return RESULTS[str(charts()["aa_fire"].find(max(-2, min(12, die + modifier)))["result"])]


# 11.4 Interdiction, 11.5 Close air support


def carries(unit: Flyer, interdicting: bool) -> int:
    """11.4.1a: the value of a unit for its mission: on interdiction at least one, decoys apart."""
    if unit.kind == "decoy":
        return 0
    return max(unit.support, 1) if interdicting and unit.side == AXIS else unit.support


def command_radius(level: int) -> int:
    """11.4.3c, 13.1.1: how far a Soviet headquarters commands under so much interdiction."""
    return numbers()["command_radius"] - min(level, numbers()["interdiction_limit"])


def rail_price(level: int) -> int:
    """11.4.3a: what a hex costs of rail movement; more zones make it no dearer."""
    return numbers()["interdicted_rail_cost"] if level else 1


def support_modifier(attacking: Iterable[Flyer], defending: Iterable[Flyer]) -> int:
    """11.5.3: what air units that got through do to the die of a combat."""
    help_ = sum(carries(unit, False) for unit in defending)
    return help_ - sum(carries(unit, False) for unit in attacking)


# 11.6 Air transport


def may_be_flown(unit: Unit) -> bool:
    """11.6.1: mobile supply, Koch, Soviet headquarters and the airborne brigades."""
    return unit.kind in ("supply_truck", "supply_wagon", "hq") or unit.special == "air_transport"


def has_airfield(board: Board, cell: int, sky: Sky, engineer: bool) -> bool:
    """11.6.2, 11.6.4: aircraft land in villages and cities; in rain in a village only where engineers are."""
    features = board.info[cell].features
    if not features.isdisjoint({"city", "major_city"}):
        return True
    return "village" in features and (engineer or sky.in_hex("woods" in features) != "rain")
