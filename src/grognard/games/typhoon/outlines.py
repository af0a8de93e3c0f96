"""What a scenario says, as the rules ask for it: units by number, hexes as sets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import Any, NamedTuple

from grognard.board import Board
from grognard.board.board import bits
from grognard.games.typhoon.data import BOXES, Placed, Unit, charts, scenario
from grognard.games.typhoon.state import AXIS, SOVIET
from grognard.mechanics.movement import line_to

LATER = 10
"""The turn from which the second of two numbers of a scenario holds (see its `source`)."""
GARRISONS = ("city_garrison", "line_garrison", "moscow_garrison", "mozhaisk_garrison")


class Due(NamedTuple):
    """A reinforcement (14.1)."""

    turn: int
    code: str
    cell: int
    """Where it enters; -1 if its code alone says so."""
    group: str


class Reserve(NamedTuple):
    """A group of reserves (14.1.5, 14.1.6, 14.4)."""

    group: str
    kind: str
    """special, armour or axis."""
    turn: int
    points: int


class Outline(NamedTuple):
    id: str
    first: int
    last: int
    area: int
    """The hexes in play."""
    setup: tuple[Placed, ...]
    due: Mapping[int, Due]
    air: Mapping[int, int]
    """Air units and the boxes they begin in."""
    soviet_hexes: int
    withdrawals: Mapping[str, tuple[int, int]]
    """By unit: the turn, and the points that keeping it costs (14.2)."""
    moscow_garrison: int
    """13.6.4 Units of it, on the map or to come, as a set."""
    north: int
    """17.4.2 by ruling: units of Army Group North and of the North-West Front, as a set."""
    special: frozenset[str]
    weather: tuple[str, ...]
    """That of the first turns, where it is given (5.1.2)."""
    capacity: tuple[tuple[int, ...], tuple[int, ...]]
    """7.6.3 Rail capacity of each side: always, or first and later."""
    conversion: int
    sources: tuple[int, int]
    """6.2.1, 6.2.2 Hexes that are sources from the start."""
    lgov: int
    """6.2.2 The source of the Axis that opens later; -1 if it does not."""
    axis_points: Mapping[str, int]
    """6.5.1 Supply points of the Axis a turn, by weather."""
    soviet_points: tuple[tuple[int, int], ...]
    """Those of the Soviets, from some turns on."""
    transports: tuple[int, int]
    replacements: tuple[int, int]
    """15.1.2 Infantry points of the Axis a turn, first and from some turn on."""
    railheads: tuple[int, ...]
    axis_rail: int
    reserves: tuple[Reserve, ...]
    levels: Mapping[str, int]
    places: tuple[tuple[int, str, int, int], ...]
    """17.2.1 Hexes, the plan under which they count (or all), for whose holding, and the points."""
    events: Mapping[tuple[str, str], int]
    """17.2.2, 17.2.3 Points of what happens, by event and plan."""

    def rail_capacity(self, side: int, turn: int) -> int:
        numbers = self.capacity[side]
        return numbers[-1] if turn >= LATER else numbers[0]

    def supply_points(self, side: int, turn: int, weather: str) -> int:
        """6.5.1 What a side receives on a turn."""
        if side == AXIS:
            return self.axis_points[weather]
        return max((since, points) for since, points in self.soviet_points if since <= turn)[1]

    def event(self, name: str, plan: str) -> int:
        return self.events.get((name, "all"), 0) + self.events.get((name, plan), 0)


@cache
def sheet_cells(board: Board, sheet: str) -> frozenset[int]:
    """The hexes printed on a sheet."""
    return frozenset(board.cell(f"{sheet}{c:02d}{r:02d}") for c, r in _printed(board, sheet))


def _printed(board: Board, sheet: str) -> Iterator[tuple[int, int]]:
    for part in board.numbering.sheets:
        if part.name == sheet:
            yield from (pair for pair in product(part.columns, part.rows) if part.holds(*pair))


def printed_cells(board: Board, sheet: str) -> Iterator[tuple[int, int, int]]:
    """The hexes of a sheet with the columns and rows that are printed on it."""
    for column, row in _printed(board, sheet):
        yield board.cell(f"{sheet}{column:02d}{row:02d}"), column, row


def _area(board: Board, said: Mapping[str, Any]) -> int:
    if "area" not in said:
        return bits(c for sheet in said["sheets"] for c in sheet_cells(board, sheet))
    first, last = said["area"]
    low, high = (int(first[1:3]), int(first[3:])), (int(last[1:3]), int(last[3:]))
    return bits(
        board.cell(f"{first[0]}{c:02d}{r:02d}")
        for c, r in _printed(board, first[0])
        if low[0] <= c <= high[0] and low[1] <= r <= high[1]
    )


def _sources(board: Board, said: Any, feature: str, area: int) -> int:
    """6.2 The hexes that the scenario names, or those that the map shows."""
    if said == "map":
        return board.with_feature(feature) & area
    return bits(board.cell(number) for number in said) & area


def _held(board: Board, area: int, setup: Sequence[Placed], sides: Mapping[str, int], control: Any) -> int:
    """2.5.1 Hexes behind the Soviet units: each goes with the nearest unit or place, by steps from both."""
    found = [0, 0]
    for placed in setup:
        found[sides[placed.unit]] |= 1 << placed.cell
    for cell, side in control.items():
        if not (found[AXIS] | found[SOVIET]) >> cell & 1:
            found[SOVIET if side == "soviet" else AXIS] |= 1 << cell
    while True:
        free = area & ~(found[AXIS] | found[SOVIET])
        soviet = board.spread(found[SOVIET]) & free
        axis = board.spread(found[AXIS]) & free & ~soviet
        if not soviet | axis:
            return found[SOVIET]
        found[SOVIET] |= soviet
        found[AXIS] |= axis


def _converted(board: Board, heads: Sequence[int], sources: int, ours: int) -> int:
    """12.4.5a The railways behind the railheads of the set-up."""
    rails = board.side_masks("rail")
    found = 0
    for head in heads:
        line = line_to(board, rails, head, sources, ours)
        found |= bits((head, *(line or ())))
    return found


def read_outline(id_: str, board: Board, units: Sequence[Unit], flyers: Sequence[str]) -> Outline:
    found = scenario(id_)
    said = found.settings.data
    index = {unit.id: n for n, unit in enumerate(units)}
    sides = {unit.id: AXIS if unit.side == "axis" else SOVIET for unit in units}
    area = _area(board, said)
    soviet_hexes = _held(board, area, found.setup, sides, found.control)
    supply, rail = said["supply"], said["rail"]
    axis_sources = _sources(board, supply["axis_sources"], "supply_axis", area)
    special = frozenset(said["special_rules"])
    if "S5_16TH_ARMY" in special:
        axis_sources |= 1 << board.cell("N1016")
    heads = tuple(board.cell(head["hex"]) for head in said.get("railheads", ()))
    kept = {r["unit"]: r for r in charts()["withdrawals"].records if r["scenario"] == id_}
    return Outline(
        id=id_,
        first=found.first,
        last=found.last,
        area=area,
        setup=found.setup,
        due={
            index[a.unit]: Due(a.turn, a.code, -1 if a.cell is None else a.cell, a.group)
            for a in found.arrivals
        },
        air={flyers.index(unit): BOXES.index(box) for unit, box in found.air.items()},
        soviet_hexes=soviet_hexes,
        withdrawals={
            str(unit): (turn, int(str(kept[unit]["points_if_refused"])))
            for unit, turn in found.withdrawals.items()
        },
        moscow_garrison=bits(
            (
                *(index[p.unit] for p in found.setup if p.status == "moscow_garrison"),
                *(index[a.unit] for a in found.arrivals if a.code == "MG"),
            )
        ),
        north=bits(index[p.unit] for p in found.setup if p.status == "held_north"),
        special=special,
        weather=tuple(said.get("first_weather", ())),
        capacity=(tuple(rail["axis_capacity"]), tuple(rail["soviet_capacity"])),
        conversion=rail["conversion_points"],
        sources=(axis_sources, _sources(board, supply["soviet_sources"], "supply_soviet", area)),
        lgov=board.cell("P4034") if "LGOV" in special else -1,
        axis_points={
            str(r["weather"]): int(str(r["points"]))
            for r in charts()["axis_supply"].records
            if r["scenario"] == id_
        },
        soviet_points=tuple(
            (int(str(r["from_turn"])), int(str(r["points"])))
            for r in charts()["soviet_supply"].records
            if r["scenario"] == id_
        ),
        transports=(supply["air_transport_axis"], supply["air_transport_soviet"]),
        replacements=tuple(supply["axis_infantry_replacements"]),
        railheads=heads,
        axis_rail=_converted(board, heads, axis_sources, area & ~soviet_hexes),
        reserves=tuple(
            Reserve(entry["group"], kind, entry["turn"], entry["points"])
            for kind in ("special", "armour", "axis")
            for entry in said.get(f"{kind}_reserve", ())
        ),
        levels={name: n for name, n in said["levels"].items() if isinstance(n, int)},
        places=tuple(
            (
                board.cell(str(r["hex"])),
                str(r["plan"]),
                SOVIET if r["held_by"] == "soviet" else AXIS,
                int(str(r["points"])),
            )
            for r in charts()["victory_places"].records
            if r["scenario"] == id_
        ),
        events={
            (str(r["event"]), str(r["plan"])): int(str(r["points"]))
            for r in charts()["victory_events"].records
            if r["scenario"] == id_
        },
    )
