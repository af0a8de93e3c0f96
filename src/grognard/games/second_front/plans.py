"""The scenarios: who stands where, which hexes are in play, who arrives, what decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from grognard.board import Board
from grognard.board.board import bits, each
from grognard.files import Folder, read_table
from grognard.games.second_front.books import LAND, STARTS, books, charts, on_map, owners
from grognard.games.second_front.places import begins_at
from grognard.games.second_front.rules.ground import dry_land
from grognard.games.second_front.rules.pools import PARTS
from grognard.games.second_front.rules.theatres import theatre_of
from grognard.games.second_front.rules.weather import CLEAR, ZONES
from grognard.games.second_front.rules.works import neutral
from grognard.games.second_front.state import Pool
from grognard.games.second_front.units import SIDES, Unit
from grognard.kernel import Scenario
from grognard.mechanics.counters import land_hex

CADRE = "cadre"
BY_BOOK = "books"
"""A set-up that is the orders of battle's own."""


class Placed(NamedTuple):
    unit: int
    cell: int
    reduced: bool


class Arrival(NamedTuple):
    unit: int
    turn: int
    cells: int
    """Where it may be placed, if its side owns the hex, as a set (40A2)."""


class Plan(NamedTuple):
    """A scenario as the rules need it."""

    area: int
    ground: tuple[int, int]
    """The hexes of the area in theatres that each side controls: nobody goes elsewhere (3F)."""
    setup: tuple[Placed, ...]
    arrivals: tuple[Arrival, ...]
    allied: int
    """Hexes that are Allied at the start, besides those that units give them."""
    sources: tuple[int, int]
    """Hexes beyond the area that are full sources of each side."""
    ferries: tuple[int, int]
    """Ports of the area that a ferry joins to such a source: regular sources of who owns them."""
    at_sea: tuple[bool, bool]
    """To whom history gave the sea."""
    theatres: tuple[tuple[str, ...], tuple[str, ...]]
    """The theatres that each side controls (3F)."""
    monthly: tuple[Mapping[str, Sequence[float]], Mapping[str, Sequence[float]]]
    """What reaches the area from elsewhere on the first turn of a month, by force: infantry, armour,
    resource and naval repair points."""
    duties: tuple[str, ...]
    """The events that have happened of the chart of Allied garrisons (37E1)."""
    garrisons: tuple[tuple[int, str], ...]
    """Units that begin in the boxes of garrisons (37E)."""
    governments: tuple[tuple[str, int, int], ...]
    """Nation, side and hex of governments in the area (37G)."""
    seas: tuple[str, ...]
    """The seas of the area (36C)."""
    stocks: tuple[tuple[int, int, int], ...]
    """Hex, side and resource points at the start."""
    pools: tuple[Pool, ...]
    """What forces have at the start (40B1)."""
    forts: int
    """Hexes with forts at the start (37B1)."""
    sky: tuple[str, ...]
    """The weather of the turn before the first (36B)."""
    deliveries: tuple[tuple[int, int, int], ...]
    """Side, hex and supply points that ships bring in each initial phase of the side, as long as it owns the
    hex (12C3a): what the player of the sea would do, whose rules are to come."""
    leaving: tuple[tuple[int, int], ...]
    """Units that are sequestered for a theatre out of play, and the turn of it (40A1)."""
    capacity: tuple[tuple[str, int, int], ...]
    places: Mapping[int, int]
    """What hexes are worth to the Allies at the end."""
    needed: Mapping[str, int]
    """With how much the Allies win, by level, the highest first."""


def read_plan(folder: Folder, board: Board, units: Sequence[Unit], scenario: Scenario) -> Plan:
    settings = scenario.settings
    assert settings is not None
    index = {unit.id: number for number, unit in enumerate(units)}
    districts = settings.get("districts", list)
    outside = bits(board.cell(number) for number in settings.get("outside", list, []))
    land = board.with_feature(*(f"district_{name}" for name in districts)) & dry_land(board)
    area = land & ~outside & ~bits(cell for cell in board.cells if neutral(board, cell))
    start = settings.get("start", str, "")
    by_book = settings.get("setup", str, "") == BY_BOOK
    if by_book:
        setup = _setup_of_books(board, index, start, area)
    else:
        setup = _setup_of_table(folder, board, index, scenario.id)
    arrivals = []
    for row in read_table(
        folder,
        f"scenarios/{scenario.id}_arrivals.csv",
        ("unit", "turn", "hexes", "provenance", "source"),
        ("unit",),
    ):
        row.provenance()
        cells = bits(land_hex(board, row, number, ("sea", "lake")) for number in row.text("hexes").split("|"))
        arrivals.append(Arrival(index[row.choice("unit", sorted(index))], row.integer("turn", 1, 45), cells))
    sources = settings.get("sources", dict)
    seas = settings.get("at_sea", list)
    ferries = settings.get("ferries", dict, {})
    theatres, monthly = settings.get("theatres", dict, {}), settings.get("monthly", dict, {})
    column = STARTS[start]
    capacity = tuple(
        (str(row["network"]), _whole(row[f"axis_{column}"]), _whole(row[f"allied_{column}"]))
        for row in charts()["rail_capacity"].records
        if row["network"] in settings.get("networks", list)
    )
    controlled = tuple(theatres.get("axis", [])), tuple(theatres.get("allied", []))
    return Plan(
        area,
        (_within(board, area, 0, controlled[0]), _within(board, area, 1, controlled[1])),
        tuple(setup),
        tuple(arrivals),
        _allied_at(board, start) if by_book else _cells(board, settings.get("allied", list)),
        (_cells(board, sources["axis"]), _cells(board, sources["allied"])),
        (_cells(board, ferries.get("axis", [])), _cells(board, ferries.get("allied", []))),
        (SIDES[0] in seas, SIDES[1] in seas),
        controlled,
        (monthly.get("axis", {}), monthly.get("allied", {})),
        tuple(settings.get("duties", list, [])),
        _garrisons(units, districts, start),
        tuple(
            (nation, SIDES.index(side), board.cell(number))
            for nation, (side, number) in settings.get("governments", dict, {}).items()
        ),
        tuple(settings.get("seas", list, [])),
        tuple(
            (board.cell(number), side, points)
            for side, name in enumerate(("axis", "allied"))
            for number, points in settings.get("stocks", dict, {}).get(name, {}).items()
        ),
        tuple(
            Pool(force, *(points * PARTS for points in held))
            for force, held in sorted(settings.get("pools", dict, {}).items())
        ),
        _cells(board, settings.get("forts", list, [])),
        tuple(settings.get("sky", list, [CLEAR] * len(ZONES))),
        tuple(
            (SIDES.index(side), board.cell(number), points)
            for side, hexes in settings.get("deliveries", dict, {}).items()
            for number, points in hexes.items()
        ),
        tuple(
            (index[unit], int(turn))
            for turn, leaving in settings.get("leaving", dict, {}).items()
            for unit in leaving
        ),
        capacity,
        {board.cell(number): points for number, points in settings.get("places", dict).items()},
        settings.get("needed", dict),
    )


def _setup_of_table(folder: Folder, board: Board, index: Mapping[str, int], scenario: str) -> list[Placed]:
    setup = []
    for row in read_table(
        folder, f"scenarios/{scenario}_setup.csv", ("unit", "hex", "side", "provenance", "source"), ("unit",)
    ):
        number = index[row.choice("unit", sorted(index))]
        cell = land_hex(board, row, row.text("hex"), ("sea", "lake"))
        row.provenance()
        setup.append(Placed(number, cell, row.choice("side", ("full", CADRE)) == CADRE))
    return setup


def _setup_of_books(board: Board, index: Mapping[str, int], start: str, area: int) -> list[Placed]:
    """Whoever stands in the area in the orders of battle of a start date, at full strength."""
    return [
        Placed(index[str(unit["id"])], board.cell(number), False)
        for side in SIDES
        for number, unit in on_map(start, side)
        if area >> board.cell(number) & 1
    ]


def _allied_at(board: Board, start: str) -> int:
    """3D: the hexes that the orders of battle give the Allies on a start date."""
    return bits(board.cell(number) for number, owner in owners(start).items() if owner == "Allied")


def _within(board: Board, area: int, side: int, theatres: Sequence[str]) -> int:
    """3F: the hexes of the area that lie in the theatres of a side."""
    return bits(cell for cell in each(area) if not theatres or theatre_of(board, cell, side) in theatres)


def _garrisons(units: Sequence[Unit], districts: Sequence[str], start: str) -> tuple[tuple[int, str], ...]:
    """37E: who begins in the boxes of garrisons whose districts are in play."""
    if not start:
        return ()
    joined = {
        f"box:{row['id']}": str(row["id"])
        for row in charts()["boxes"].records
        if row["kind"] == "garrison"
        and any(f"district_{name}" in str(row["joins"] or "").split("|") for name in districts)
    }
    found = []
    for number, unit in enumerate(units):
        record = books()[LAND[SIDES[unit.side]]].find(unit.id)
        place = begins_at(start, record)
        if place in joined:
            found.append((number, joined[place]))
    return tuple(found)


def _cells(board: Board, numbers: Sequence[str]) -> int:
    return bits(board.cell(number) for number in numbers)


def _whole(value: object) -> int:
    assert isinstance(value, int)
    return value
