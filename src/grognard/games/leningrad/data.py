"""Leningrad's counters and tables, read from its files and checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from grognard.files import HALVES, DataError, Folder, Provenance, Row
from grognard.mechanics.books import MapData
from grognard.mechanics.dice import D6
from grognard.mechanics.movement import Costs
from grognard.mechanics.odds import CombatTable
from grognard.mechanics.zones import open_sides

KINDS = ("armour", "mechanised", "infantry")
RESULTS = frozenset(
    {"-/E", "-/2", "-/1", "1/1", "1/2", "2/1", "2/2", "1/-", "2/-", "E/-"}
)  # 9.5: defender's share first


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


NUMBERS = (
    *("stacking", "overrun_cost", "disengage_mobile", "disengage_other", "disengage_stack", "supply_range"),
    *("fort_radius", "forts_per_turn", "fort_factor", "river_factor", "interdiction_factor"),
    *("regenerations", "surprise_turn"),
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


class LeningradData(MapData):
    """Everything that does not change during a game."""

    water = ("sea", "lake")
    needed = NUMBERS

    def __init__(self, folder: Folder) -> None:
        super().__init__(folder)
        columns = ("id", "pool", "kind", "attack", "defence", "count")
        self.untried = [self._strength(row) for row in self.table("untried", *columns)]
        self.units = self._units()
        self.crt = CombatTable(folder, "tables/crt.csv", D6, RESULTS)
        shifts = {row.text("id"): row for row in self.table("shifts", "id", "columns", "case")}
        self.need("tables/shifts.csv", "shift", SHIFTS, shifts)
        self.shifts = {i: (row.integer("columns", -9, 9), row.text("case")) for i, row in shifts.items()}
        self.markers: dict[tuple[str, int], int] = {}
        for row in self.table("markers", "marker", "turn", "count", keys=2):
            key = (row.choice("marker", ("fort", "air")), row.integer("turn", 1, len(self.calendar)))
            self.markers[key] = row.integer("count", 1, 20)
        self.victory = self.lines("victory", VICTORY_LINES, -1000, 1000)
        self._terrain_costs()
        self.crossing = open_sides(self.board, *self.water)
        self.roads = self.board.side_masks("road")
        self.land = self.board.everywhere & ~self.board.with_terrain(*self.water)

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
        rows = self.table(
            *("units", "id", "side", "name_en", "name_fr", "kind", "corps", "size", "strength", "reduced"),
            *("movement", "setup", "turn", "entry", "surprise"),
        )
        units = [self._unit(row) for row in rows]
        for pool in ("armour", "infantry"):
            counters = sum(s.number for s in self.untried if s.pool == pool)
            needed = sum(1 for u in units if not u.german and u.kind == pool)
            if counters != needed:
                wrong = f"the {pool} pool has {counters} strengths for {needed} units"
                raise DataError(self.folder.label("tables/untried.csv"), None, wrong)
        return self.first_side_first(units, rows, {u.id: u.german for u in units})

    def _unit(self, row: Row) -> Unit:
        german = row.choice("side", ("german", "soviet")) == "german"
        turn = row.integer("turn", 0, len(self.calendar), default=0)
        setup = self.hex(row, row.text("setup")) if turn == 0 else -1
        entries = tuple(self.hex(row, word) for word in row.words("entry"))
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

    def _terrain_costs(self) -> None:
        """4.9 compiled: what entering each hex costs, by the two classes of the chart."""
        rows = self.terrain(("town", "soviet_city", "road"), "infantry", "mobile")
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
