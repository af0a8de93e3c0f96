"""A Victory Lost's counters, chits and tables, read from its files and checked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from grognard.files import HALVES, DataError, Folder, Provenance, Row
from grognard.mechanics.books import MapData
from grognard.mechanics.dice import D6
from grognard.mechanics.movement import Costs
from grognard.mechanics.odds import CombatTable, halved_rung
from grognard.mechanics.pieces import NOBODY, NOWHERE
from grognard.mechanics.zones import open_sides

NATIONS = ("german", "italian", "hungarian", "romanian", "soviet")
KINDS = ("panzer", "motorised", "infantry", "mountain", "cavalry", "security", "hq")
SIDES = ("axis", "soviet")
IMPASSABLE = ("sea", "lake", "impassable")

RESULTS = frozenset(
    {"-", *(f"A{n}" for n in "1234"), *(a + b for a, b in product(("", *"1234"), ("", "DR", "DR2")) if a + b)}
)  # 9.4.1

NUMBERS = (
    *("stacking", "zone_in", "zone_out", "river_cost", "soviet_pool", "soviet_selection"),
    *("pocket_turns", "reposition_distance", "administrative_bonus", "late_first_panzer_army"),
)
VICTORY_LINES = (
    *("city", "german-mechanised", "german-other", "soviet-mechanised", "german-mechanised-aid"),
    "sudden-death",
)


@dataclass(frozen=True, slots=True)
class Unit:
    """A counter, as printed."""

    id: str
    axis: bool
    nation: str
    names: dict[str, str]
    kind: str
    mechanised: bool
    size: str
    attack: int
    defence: int
    movement: int
    """In halves of a point."""
    steps: int
    reduced_attack: int
    reduced_defence: int
    radius: int
    """Command radius of an HQ (2.3.2)."""
    setup: int
    """Hex at the start, or -1."""
    turn: int
    """Turn of arrival; 0 for units on the map at the start."""
    box: bool
    """It arrives in its army's entry box (11.2), not by rail."""
    provenance: Provenance

    @property
    def hq(self) -> bool:
        return self.kind == "hq"


@dataclass(frozen=True, slots=True)
class Chit:
    """A command chit (2.4)."""

    id: str
    axis: bool
    hq: int
    """The HQ it activates; -1 for STAVKA and Manstein."""
    turn: int
    """When a Manstein chit arrives."""
    historical: bool
    """One of the five that Stalin chose (3.0)."""
    provenance: Provenance


class Victory(NamedTuple):
    """How a scenario is won (14.0), and where it is fought."""

    lines: Mapping[str, int]
    """What cities and the dead are worth, and the leads that decide."""
    cities: int
    """The hexes of the victory cities, as a set."""
    area: int
    """The hexes that units may enter, as a set. Lines of supply and command radii are not bound by it."""


class Result(NamedTuple):
    """9.4.1 What a cell of the combat table says."""

    attacker: int
    """Steps that the attackers lose."""
    defender: int
    """Steps that the defenders lose."""
    retreat: int
    """Hexes that the defenders retreat."""


def read_result(cell: str) -> Result:
    """9.4.1 A cell in numbers: 3DR2 costs the defender three steps and a retreat of two hexes."""
    if cell.startswith("A"):
        return Result(int(cell[1:]), 0, 0)
    found = re.fullmatch(r"([1-4])?(DR2?)?", cell)
    if found is None:
        return Result(0, 0, 0)
    return Result(0, int(found[1] or 0), {None: 0, "DR": 1, "DR2": 2}[found[2]])


class VictoryData(MapData):
    """Everything that does not change during a game."""

    water = IMPASSABLE
    needed = NUMBERS

    def __init__(self, folder: Folder) -> None:
        super().__init__(folder)
        self.axis_chits = self._axis_chits()
        self.units = self._units()
        self.chits = self._chits()
        self.crt = CombatTable(folder, "tables/crt.csv", D6, RESULTS, halved_rung)
        self.victory = self.lines("victory", VICTORY_LINES, 0, 1000)
        self._ground()

    def _axis_chits(self) -> dict[int, int]:
        """7.1.2 How many chits the Axis puts into the cup, by turn."""
        rows = self.table("turns", "turn", "first_day", "last_day", "axis_chits")
        return {row.integer("turn"): row.integer("axis_chits", 1, 20) for row in rows}

    def _units(self) -> list[Unit]:
        rows = self.table(
            *("units", "id", "side", "nation", "name_en", "name_fr", "kind", "mechanised", "size", "attack"),
            *("defence", "movement", "reduced_attack", "reduced_defence", "radius", "setup", "turn", "entry"),
        )
        units = [self._unit(row) for row in rows]
        ordered = self.first_side_first(units, rows, {u.id: u.axis for u in units})
        height = Counter[tuple[int, bool]]()
        for unit, row in zip(units, rows, strict=True):
            height[unit.setup, unit.hq] += unit.setup >= 0
            if height[unit.setup, unit.hq] > (1 if unit.hq else self.numbers["stacking"]):
                raise row.error(f"hex {row.text('setup')} is set up with too many units")
        return ordered

    def _unit(self, row: Row) -> Unit:
        axis = row.choice("side", SIDES) == "axis"
        nation = row.choice("nation", NATIONS)
        if axis == (nation == "soviet"):
            raise row.error(f"a unit of the {row.text('side')} side is not {nation}", "nation")
        turn = row.integer("turn", 0, len(self.calendar), default=0)
        entry = row.choice("entry", ("rail", "box", ""), default="")
        if bool(turn) != bool(entry):
            raise row.error("a unit that arrives later, and no other, needs a way of entry (rail or box)")
        kind = row.choice("kind", KINDS)
        mechanised = row.choice("mechanised", ("yes", ""), default="") == "yes"
        hq = kind == "hq"
        attack = 0 if hq else row.integer("attack", 0, 50)
        defence = 0 if hq else row.integer("defence", 0, 50)
        if not mechanised and attack != defence:
            raise row.error("a unit that is not mechanised has one combat strength (2.2.2)")
        two_sided = bool(row.text("reduced_attack", ""))
        return Unit(
            id=row.text("id"),
            axis=axis,
            nation=nation,
            names={"en": row.text("name_en"), "fr": row.text("name_fr")},
            kind=kind,
            mechanised=mechanised,
            size=row.text("size", ""),
            attack=attack,
            defence=defence,
            movement=row.points("movement", HALVES, high=50),
            steps=0 if hq else 2 if two_sided else 1,
            reduced_attack=row.integer("reduced_attack", 0, 50) if two_sided else 0,
            reduced_defence=row.integer("reduced_defence", 0, 50) if two_sided else 0,
            radius=row.integer("radius", 1, 20) if hq else 0,
            setup=self.hex(row, row.text("setup")) if turn == 0 else NOWHERE,
            turn=turn,
            box=entry == "box",
            provenance=row.provenance(),
        )

    def _chits(self) -> list[Chit]:
        index = {u.id: i for i, u in enumerate(self.units)}
        found = []
        for row in self.table("chits", "id", "side", "hq", "turn", "historical"):
            axis = row.choice("side", SIDES) == "axis"
            name = row.text("hq", "")
            hq = index.get(name, NOBODY)
            if name and (hq < 0 or not self.units[hq].hq or self.units[hq].axis != axis):
                raise row.error(f"{name!r} is not an HQ of this side", "hq")
            found.append(
                Chit(
                    row.text("id"),
                    axis,
                    hq,
                    row.integer("turn", 0, len(self.calendar), default=0),
                    row.choice("historical", ("yes", ""), default="") == "yes",
                    row.provenance(),
                )
            )
        chits = [c.hq for c in found if c.hq >= 0]
        hqs = {i: unit.id for i, unit in enumerate(self.units) if unit.hq}
        wrong = [f"{id_} should have one chit (2.4)" for i, id_ in hqs.items() if chits.count(i) != 1]
        if sum(c.hq < 0 and not c.axis for c in found) != 1:
            wrong.append("there should be one STAVKA chit (2.4)")
        if sum(c.historical for c in found) != self.numbers["soviet_pool"]:
            wrong.append("the historical choice is not complete (3.0)")
        if wrong:
            raise DataError(self.folder.label("tables/chits.csv"), None, wrong[0])
        return found

    def _ground(self) -> None:
        """The terrain chart compiled (8.1.2, 8.1.3): costs of entering, rivers, bridges, shelter."""
        rows, board = self.terrain(("victory_city", "road"), "cost", "shift"), self.board
        self.shifts = {name: row.integer("shift", -9, 0) for name, row in rows.items()}
        cost = {name: rows[name].points("cost", HALVES, high=10) for name in [*self.on_map, "road"]}
        for name, points in cost.items():
            if not points:
                raise rows[name].error("entering a hex costs something", "cost")
        self.road_cost = cost["road"]
        river = 2 * self.numbers["river_cost"]
        self.land = board.everywhere & ~board.with_terrain(*IMPASSABLE)
        self.plain_cost = {c: cost[i.terrain] for c, i in board.info.items() if i.terrain not in IMPASSABLE}
        """The cost of a hex by itself, as for a unit that enters the map there (11.2.2)."""
        self.passable = open_sides(board, *IMPASSABLE)
        """For each direction, the hexes whose side there units, zones and lines may cross at all."""
        self.major: dict[tuple[int, int], bool] = {}
        """Major-river sides in both orders, and whether they are bridged (2.1.3)."""
        self.rivers: set[tuple[int, int]] = set()
        """Every river side, minor or major, in both orders."""
        for (a, b), features in board.sides.items():
            bridged = not features.keys().isdisjoint(("road", "rail", "bridge"))
            if "major_river" in features:
                self.major[a, b] = self.major[b, a] = bridged
            if "river" in features or "major_river" in features:
                self.rivers |= {(a, b), (b, a)}
        direction = {step: d for d, step in enumerate(board.steps)}
        fords = [0] * 6
        bridges = [0] * 6
        for (a, b), bridged in self.major.items():
            (bridges if bridged else fords)[direction[b - a]] |= 1 << a
        self.fords = tuple(m & p for m, p in zip(fords, self.passable, strict=True))
        """Sides of major rivers without a bridge, that may be crossed at all."""
        self.major_sides = tuple(m | n for m, n in zip(self.fords, bridges, strict=True))
        """Sides of major rivers, bridged or not."""
        self.on_bank = 0
        """Hexes next to a major river (9.5.6)."""
        for a, _ in self.major:
            self.on_bank |= 1 << a
        self.dry = tuple(p & ~m for m, p in zip(fords, self.passable, strict=True))
        """Sides that supply lines may cross (10.1.2): passable, and no major river without a bridge."""
        self.rails = board.side_masks("rail")
        self.roads = board.side_masks("road")
        self.on_road = 0
        for mask in self.roads:
            self.on_road |= mask

        def enter(a: int, b: int) -> int | None:
            if not self.passable[direction[b - a]] >> a & 1:
                return None
            features = board.sides.get((a, b) if a < b else (b, a), {})
            bridged = not features.keys().isdisjoint(("road", "rail", "bridge"))
            return self.plain_cost[b] + (river if "river" in features and not bridged else 0)

        self.costs = Costs(board, enter)
        self.dry_costs = self.costs.only(self.dry)
        """The steps of ordinary movement (8.1.2)."""
        self.ford_costs = self.costs.only(self.fords)
        """The steps over a major river without a bridge: the first of a move, and its last (8.1.3)."""
        roads = tuple(r & p for r, p in zip(self.roads, self.passable, strict=True))
        self.road_costs = Costs(
            board, lambda a, b: self.road_cost if roads[direction[b - a]] >> a & 1 else None
        )
        """The steps of strategic movement (8.3.1)."""
        self.pocket = board.with_feature("pocket")
        self.cities = board.with_feature("victory_city")
        self.sources = (board.with_feature("supply_axis"), board.with_feature("supply_soviet"))
        self.boxes = (board.with_feature("entry_box_1pza"), board.with_feature("entry_box_28a"))
