"""Leningrad's counters and tables, read from its files and checked."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from grognard.board import Board, load_board
from grognard.files import HALVES, DataError, Folder, Provenance, Row, read_table
from grognard.kernel.scenario import read_calendar
from grognard.mechanics.counters import land_hex
from grognard.mechanics.dice import D6
from grognard.mechanics.movement import Costs
from grognard.mechanics.numbers import Numbers
from grognard.mechanics.odds import CombatTable
from grognard.mechanics.zones import open_sides

KINDS = ("armour", "mechanised", "infantry")
RESULTS = frozenset(
    {"-/E", "-/2", "-/1", "1/1", "1/2", "2/1", "2/2", "1/-", "2/-", "E/-"}
)  # 9.5: defender's share first

DATA_FILES = (
    "game.toml",
    "tables/units.csv",
    "tables/untried.csv",
    "tables/terrain.csv",
    "tables/crt.csv",
    "tables/shifts.csv",
    "tables/numbers.csv",
    "tables/turns.csv",
    "tables/markers.csv",
    "tables/victory.csv",
    "map/map.toml",
    "map/hexes.csv",
    "map/sides.csv",
)


@dataclass(frozen=True, slots=True)
class Unit:
    """A counter, as printed."""

    id: str
    german: bool
    names: dict[str, str]
    kind: str
    """armour, mechanised or infantry; for an untried Soviet unit only the pool it draws from (14.2)."""
    corps: str
    """Panzer corps (12.1), or nothing."""
    size: str
    strength: int
    reduced: int
    movement: int
    """In halves of a point."""
    setup: int
    """Hex at the start, or -1."""
    turn: int
    """Turn of entry; 0 for units on the map at the start."""
    entries: tuple[int, ...]
    """Hexes where it may enter."""
    surprise: bool
    """One of the six whose entry on turn 7 surprises the Germans (17.4)."""
    provenance: Provenance


class Strength(NamedTuple):
    """One line of the untried table: what some of the Soviet counters say on their other side."""

    id: str
    pool: str
    kind: str
    attack: int
    defence: int
    number: int
    provenance: Provenance


class Victory(NamedTuple):
    """How a scenario is won (18.0)."""

    lines: Mapping[str, int]
    """What German losses are worth to the Soviets (18.1), and the levels of victory (18.3)."""
    objectives: Mapping[int, int]
    """Hexes that are worth points to the Germans who hold them (18.2)."""
    goals: tuple[int, ...]
    """Those worth most: where the Germans want to go."""


class VictoryLine(NamedTuple):
    id: str
    points: int
    provenance: Provenance


NUMBERS = (
    "stacking",
    "overrun_cost",
    "disengage_mobile",
    "disengage_other",
    "disengage_stack",
    "supply_range",
    "fort_radius",
    "forts_per_turn",
    "fort_factor",
    "river_factor",
    "interdiction_factor",
    "regenerations",
    "surprise_turn",
)


SHIFTS = (
    *("overrun", "attacker-unsupplied", "defender-terrain", "fort", "river", "defender-armour"),
    *("soviet-city", "defender-corps", "defender-air", "attacker-armour", "attacker-corps"),
    *("attacker-air", "defender-unsupplied", "surprise"),
)
VICTORY_LINES = (
    *("mechanised-reduced", "armour-reduced", "mechanised-eliminated", "armour-eliminated"),
    *("leningrad-hex", "german-strategic", "german-tactical", "soviet-tactical"),
)


class LeningradData:
    """Everything that does not change during a game."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self.board: Board = load_board(folder.sub("map"))
        self.numbers = Numbers(folder, "tables/numbers.csv")
        self._need("tables/numbers.csv", "number", NUMBERS, self.numbers)
        self.calendar = read_calendar(folder)
        self.untried = [self._strength(row) for row in self._untried_rows()]
        self.units = self._units()
        self.crt = CombatTable(folder, "tables/crt.csv", D6, RESULTS)
        self.shifts: dict[str, tuple[int, str]] = {}
        self.shift_provenance: dict[str, Provenance] = {}
        for row in read_table(
            folder, "tables/shifts.csv", ("id", "columns", "case", "provenance", "source"), key=("id",)
        ):
            self.shifts[row.text("id")] = (row.integer("columns", -9, 9), row.text("case"))
            self.shift_provenance[row.text("id")] = row.provenance()
        self._need("tables/shifts.csv", "shift", SHIFTS, self.shifts)
        self.markers: dict[tuple[str, int], int] = {}
        self.marker_provenance: dict[tuple[str, int], Provenance] = {}
        for row in read_table(
            folder,
            "tables/markers.csv",
            ("marker", "turn", "count", "provenance", "source"),
            key=("marker", "turn"),
        ):
            key = (row.choice("marker", ("fort", "air")), row.integer("turn", 1, len(self.calendar)))
            self.markers[key] = row.integer("count", 1, 20)
            self.marker_provenance[key] = row.provenance()
        self.victory = {
            row.text("id"): VictoryLine(row.text("id"), row.integer("points", -1000, 1000), row.provenance())
            for row in read_table(
                folder, "tables/victory.csv", ("id", "points", "provenance", "source"), key=("id",)
            )
        }
        self._need("tables/victory.csv", "line", VICTORY_LINES, self.victory)
        self._terrain_costs()
        self.crossing = open_sides(self.board, "sea", "lake")
        self.roads = self.board.side_masks("road")
        self.land = self.board.everywhere & ~self.board.with_terrain("sea", "lake")
        self.digest = folder.digest(DATA_FILES)

    def _need(self, file: str, what: str, names: Iterable[str], found: Collection[str]) -> None:
        for name in names:
            if name not in found:
                raise DataError(self.folder.label(file), None, f"the {what} {name!r} is missing")

    def _untried_rows(self) -> list[Row]:
        columns = ("id", "pool", "kind", "attack", "defence", "count", "provenance", "source")
        return read_table(self.folder, "tables/untried.csv", columns, key=("id",))

    def _strength(self, row: Row) -> Strength:
        return Strength(
            row.text("id"),
            row.choice("pool", ("armour", "infantry")),
            row.choice("kind", KINDS),
            row.integer("attack", 0, 20),
            row.integer("defence", 0, 20),
            row.integer("count", 0, 60),
            row.provenance(),
        )

    def _units(self) -> list[Unit]:
        columns = (
            *("id", "side", "name_en", "name_fr", "kind", "corps", "size", "strength", "reduced"),
            *("movement", "setup", "turn", "entry", "surprise", "provenance", "source"),
        )
        rows = read_table(self.folder, "tables/units.csv", columns, key=("id",))
        units = [self._unit(row) for row in rows]
        sides = {unit.setup: unit.german for unit in units}
        for unit, row in zip(units, rows, strict=True):
            if unit.setup >= 0 and sides[unit.setup] != unit.german:
                raise row.error(f"hex {row.text('setup')} is set up with units of both sides")
        for pool in ("armour", "infantry"):
            counters = sum(s.number for s in self.untried if s.pool == pool)
            needed = sum(1 for u in units if not u.german and u.kind == pool)
            if counters != needed:
                raise DataError(
                    self.folder.label("tables/untried.csv"),
                    None,
                    f"the {pool} pool has {counters} strengths for {needed} units",
                )
        # Germans first: a unit's side is then a comparison.
        return [u for u in units if u.german] + [u for u in units if not u.german]

    def _unit(self, row: Row) -> Unit:
        german = row.choice("side", ("german", "soviet")) == "german"
        turn = row.integer("turn", 0, len(self.calendar), default=0)
        setup = self._hex(row, row.text("setup")) if turn == 0 else -1
        entries = tuple(self._hex(row, word) for word in row.words("entry"))
        if turn and not entries:
            raise row.error("a unit that arrives later needs an entry hex")
        kind = row.choice("kind", KINDS)
        if not german and kind == "mechanised":
            raise row.error("a Soviet unit draws from the armour or the infantry pool (14.2)")
        return Unit(
            id=row.text("id"),
            german=german,
            names={"en": row.text("name_en"), "fr": row.text("name_fr")},
            kind=kind,
            corps=row.text("corps", ""),
            size=row.text("size", ""),
            strength=row.integer("strength", 1, 50) if german else 0,
            reduced=row.integer("reduced", 1, 50) if german else 0,
            movement=row.points("movement", HALVES),
            setup=setup,
            turn=turn,
            entries=entries,
            surprise=row.choice("surprise", ("yes", ""), default="") == "yes",
            provenance=row.provenance(),
        )

    def _hex(self, row: Row, number: str) -> int:
        return land_hex(self.board, row, number, ("sea", "lake"))

    def _terrain_costs(self) -> None:
        """4.9 compiled: what entering each hex costs, by the two classes of the chart."""
        columns = ("id", "infantry", "mobile", "provenance", "source")
        rows = {r.text("id"): r for r in read_table(self.folder, "tables/terrain.csv", columns, key=("id",))}
        self.terrain_provenance = {name: row.provenance() for name, row in rows.items()}
        on_map = {info.terrain for info in self.board.info.values()} - {"sea", "lake"}
        self._need("tables/terrain.csv", "terrain", [*sorted(on_map), "town", "soviet_city", "road"], rows)
        board, river = self.board, self.numbers["river_factor"]
        self.plain_cost: dict[str, dict[int, int]] = {}
        """The cost of a hex by itself, as for a reinforcement that enters the map there (16.1)."""
        self.costs: dict[str, Costs] = {}
        for name in ("infantry", "mobile"):
            price = {key: row.points(name, HALVES, high=10) for key, row in rows.items()}
            for key, row in rows.items():
                if not price[key]:
                    raise row.error(f"column {name!r}: entering a hex costs something", name)
            plain: dict[int, int] = {}
            for cell, info in board.info.items():
                if info.terrain in ("sea", "lake"):
                    continue
                built_up = next((f for f in ("soviet_city", "town") if f in info.features), None)
                plain[cell] = price[built_up or info.terrain]
            self.plain_cost[name] = plain

            def enter(a: int, b: int, plain: dict[int, int] = plain, road: int = price["road"]) -> int | None:
                sides = board.sides.get((a, b) if a < b else (b, a), {})
                if a not in plain or b not in plain or "sea" in sides or "lake" in sides:
                    return None
                if "road" in sides:
                    return road
                return plain[b] * (river if "river" in sides else 1)

            self.costs[name] = Costs(board, enter)
