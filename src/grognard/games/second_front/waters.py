"""The seas: where ships may pass (27B5), and which waters are dangerous to a side at the start (34F)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from grognard.games.second_front.books import board, owners

PORTS = ("port_great", "port_major", "port_standard", "port_minor")
ROUTES = frozenset({"sea", "strait", "sea_route"})
"""Sides between two coastal hexes along which a ship may pass."""
GREATER_GERMANY = ("country_germany", "country_denmark")
NORTHERN_ROW = 20
"""Mediterranean ports on or north of this row of sheets 26 and 27 make danger zones (34F)."""

NEAR_GERMANY, NEAR_MEDITERRANEAN, NEAR_ALLIES, ALLIED_SEAS = 5, 3, 9, 5


def is_water(cell: int) -> bool:
    """Whether a hex is sea, whole or in part."""
    info = board().info[cell]
    return info.terrain == "sea" or "coastal" in info.features


@cache
def steps(cell: int) -> tuple[int, ...]:
    """27B5: where a ship may go next, owners apart: over open water, and along coasts that have a route."""
    ground = board()
    found = []
    for other in ground.adjacent[cell]:
        if not is_water(other):
            continue
        open_sea = "sea" in (ground.info[cell].terrain, ground.info[other].terrain)
        side = ground.sides.get((min(cell, other), max(cell, other)), {})
        if open_sea or ROUTES & side.keys():
            found.append(other)
    return tuple(found)


def within(ports: Iterable[int], most: int) -> set[int]:
    """The waters at most so many hexes from one of these ports, by natural sea routes. A hex whose waters do
    not join within it is entered but not passed."""
    found = {port for port in ports if is_water(port)}
    edge = set(found)
    for _ in range(most):
        passed = {cell for cell in edge if "split_water" not in board().info[cell].features}
        edge = {there for cell in passed for there in steps(cell)} - found
        found |= edge
    return found


def danger(start: str, side: str) -> set[int]:
    """The danger zone of a side when a scenario begins."""
    ground = board()
    owner = owners(start)
    mine: dict[str, list[int]] = {"Axis": [], "Allied": [], "neutral": []}
    for cell in ground.cells:
        if ground.info[cell].features & set(PORTS):
            mine[owner[ground.number(cell)]].append(cell)
    if side == "Axis":
        return within(mine["Allied"], NEAR_ALLIES)
    german = [cell for cell in mine["Axis"] if ground.info[cell].features & set(GREATER_GERMANY)]
    southern = [cell for cell in mine["Axis"] if _northern_mediterranean(cell)]
    found = within(german, NEAR_GERMANY) | within(southern, NEAR_MEDITERRANEAN)
    if start == "Jul I 43":
        found |= {
            cell for cell in ground.cells if "adriatic" in ground.info[cell].features and is_water(cell)
        }
    return found - within(mine["Allied"], ALLIED_SEAS)


def _northern_mediterranean(cell: int) -> bool:
    sheet, _, number = board().number(cell).partition(":")
    in_sea = "sea_mediterranean" in board().info[cell].features
    return in_sea and (sheet in ("16A", "17A") or int(number[:2]) <= NORTHERN_ROW)


@cache
def danger_zones(start: str) -> dict[str, frozenset[int]]:
    """By side."""
    return {side: frozenset(danger(start, side)) for side in ("Allied", "Axis")}
