"""The places of the game: the hexes of the map and the boxes beside it, how the boxes are joined to the map
and to each other (3E5, 23I, 30A5, 37E, 40A2), and where every counter begins."""

from __future__ import annotations

import re
from functools import cache
from heapq import heappop, heappush
from typing import NamedTuple

from grognard.files.schema import Record
from grognard.games.second_front.books import STARTS, board, books, charts
from grognard.mechanics.pieces import Places

FORCES = ("axis_land", "allied_land", "axis_air", "allied_air", "axis_naval", "allied_naval")
"""The books whose rows are counters, or lines of equal counters."""
KEPT = {"forming": "box:forming", "counter pool": "box:counters"}
"""Where the set-up states put a counter that are no garrison."""
EAST_EDGE = "east edge of Germany"


class Link(NamedTuple):
    """A way from a box, or from a port off the map, to another or to hexes of the map."""

    start: str
    end: str
    sea_hexes: int | None
    """How many hexes of sea a ship counts (30A5)."""
    by: str


@cache
def places() -> Places:
    """The place space: hexes, boxes, and aboard any counter."""
    boxes = [str(box["id"]) for box in charts()["boxes"].records]
    return Places(board(), boxes, [str(unit["id"]) for name in FORCES for unit in books()[name].records])


@cache
def links() -> tuple[Link, ...]:
    found = []
    for row in charts()["offmap_links"].records:
        hexes = row["sea_hexes"]
        assert hexes is None or isinstance(hexes, int)
        found.append(Link(str(row["from"]), str(row["to"]), hexes, str(row["by"])))
    return tuple(found)


def hexes(end: str) -> list[int]:
    """The cells that an end of a link means: entry hexes (`17A:0116-0122`), a district, the east edge of
    Germany; none if it is a box or a port."""
    ground = board()
    if entry := re.fullmatch(r"(\w+):(\d\d)(\d\d)(?:-(\d\d)(\d\d))?", end):
        sheet, row, column, last_row, last_column = entry.groups()
        return [
            ground.cell(f"{sheet}:{r:02}{c:02}")
            for r in range(int(row), int(last_row or row) + 1)
            for c in range(int(column), int(last_column or column) + 1)
        ]
    if end == EAST_EDGE:
        return [
            cell
            for cell in ground.cells
            if _is_east(cell) and "country_germany" in ground.info[cell].features
        ]
    if end.startswith("district_"):
        return [cell for cell in ground.cells if end in ground.info[cell].features]
    return []


def _is_east(cell: int) -> bool:
    """Columns are counted from the east: the first column of the eastern sheets is the edge."""
    return bool(re.fullmatch(r"(16A|26):\d\d01", board().number(cell)))


def voyage(port: str) -> dict[str, int]:
    """How many hexes of sea from a port off the map to each box, other port and range of entry hexes, by the
    shortest way over the links (30A5)."""
    ways: dict[str, list[tuple[str, int]]] = {}
    for link in links():
        if link.sea_hexes is not None:
            ways.setdefault(link.start, []).append((link.end, link.sea_hexes))
            if not hexes(link.end):
                ways.setdefault(link.end, []).append((link.start, link.sea_hexes))
    found: dict[str, int] = {}
    queue = [(0, port)]
    while queue:
        gone, here = heappop(queue)
        if here not in found:
            found[here] = gone
            for there, length in ways.get(here, ()):
                heappush(queue, (gone + length, there))
    return found


def begins(start: str, unit: Record) -> int | None:
    """The place where a counter begins; None if it is not in play yet."""
    columns = STARTS[start]
    state = unit.values.get(f"{columns}_status")
    if state in KEPT:
        return places().read(KEPT[str(state)])
    hex_, text = unit.values.get(f"{columns}_hex"), unit.values.get(f"{columns}_place")
    area = unit.values.get(f"{columns}_area")
    if state == "garrison":
        return places().read(f"box:{_garrison(str(unit['garrison']))}")
    if hex_:
        return places().read(str(hex_))
    if not (text or area):
        return None
    theatre = unit.values.get(f"{columns}_theatre")
    named = books()["places"].by_key
    row = named.get((text or area, theatre)) or named.get((text or area, None))
    if row is None:
        raise KeyError(f"{unit['id']} begins at {text or area}, which is no place")
    return places().read(str(row["place"]))


def begins_at(start: str, unit: Record) -> str | None:
    """The same by its name: a hex number, `box:england`."""
    place = begins(start, unit)
    return None if place is None else places().write(place)


def _garrison(name: str) -> str:
    """The box of the Axis garrison of a district (37E)."""
    return "garrison_" + name.split(" (")[0].lower().replace(" ", "_").replace("-", "_")
