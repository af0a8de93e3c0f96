"""Stalingrad Roads' counters, markers and tables, read from its files and checked."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import NamedTuple

from grognard.board import Board, load_board
from grognard.board.board import bits
from grognard.files import HALVES, DataError, Folder, Provenance, Row, read_table
from grognard.hexes import UnknownHexError
from grognard.kernel.scenario import read_calendar
from grognard.mechanics.dice import TWO_D6
from grognard.mechanics.movement import Costs, connected
from grognard.mechanics.numbers import Numbers
from grognard.mechanics.odds import CombatTable
from grognard.mechanics.zones import open_sides

NATIONS = ("german", "italian", "hungarian", "romanian", "soviet")
KINDS = (
    *("panzer", "motorised", "infantry", "mountain", "cavalry", "security", "hq"),
    *("kg-armour", "kg-infantry", "alarm"),
)
SIDES = ("axis", "soviet")
IMPASSABLE = ("sea", "lake")
ARMOURED = ("panzer", "motorised", "kg-armour")

LOSSES = frozenset({"-", *(f"A{n}" for n in "123"), *(f"D{n}" for n in "1234")})
TACTICAL = ("-", "AR", "Eng", "D1", "E", "E2", "E3")
DEFENSIVE = ("-", "R", "F", "S", "Eng", "DR", "DR2", "DR3")
CELL = re.compile(r"(-|(?:A[123])?(?:D[1-4])?)/(-|AR|Eng|D1|E[23]?)/(-|R|F|S|Eng|DR[23]?)")

OPEN, RIVERS_FROZEN, ALL_FROZEN, MUD = range(4)
"""How the water is: nothing frozen, rivers, great rivers too (3.4); mud: rivers count as great (3.2.2)."""
WATERS = (OPEN, RIVERS_FROZEN, ALL_FROZEN, MUD)

CLEAR_SKY, OVERCAST, BLIZZARD = range(3)

DATA_FILES = (
    *(
        "game.toml",
        "tables/units.csv",
        "tables/turns.csv",
        "tables/terrain.csv",
        "tables/crt.csv",
        "tables/weather.csv",
        "tables/numbers.csv",
    ),
    *(
        "tables/supports.csv",
        "tables/acquisition.csv",
        "tables/ju52.csv",
        "tables/fortress.csv",
        "tables/airlift.csv",
        "tables/airlift_modifiers.csv",
    ),
    *(
        "tables/stavka.csv",
        "tables/sources.csv",
        "tables/approval_track.csv",
        "tables/okh_crisis.csv",
        "tables/mars_track.csv",
    ),
    *("map/map.toml", "map/hexes.csv", "map/sides.csv"),
)


@dataclass(frozen=True, slots=True)
class Unit:
    """A counter, as printed (1.1)."""

    id: str
    axis: bool
    nation: str
    names: dict[str, str]
    kind: str
    size: str
    division: str
    """The division whose element it is (1.1.5); empty for whole divisions."""
    elite: bool
    black: bool
    """Its attack factor stands on black (1.1.6)."""
    mixed: bool
    """On black and white."""
    attack: int
    defence: int
    movement: int
    """In whole points."""
    steps: int
    reduced_attack: int
    reduced_defence: int
    radius: int
    """Command radius of an HQ (1.2.1)."""
    provenance: Provenance

    @property
    def hq(self) -> bool:
        return self.kind == "hq"

    @property
    def armoured(self) -> bool:
        """1.1.4 A vehicle on the counter."""
        return self.kind in ARMOURED

    @property
    def kampfgruppe(self) -> bool:
        return self.kind in ("kg-armour", "kg-infantry")

    @property
    def allied(self) -> bool:
        """An ally of Germany (1.7)."""
        return self.nation in ("italian", "hungarian", "romanian")


class Support(NamedTuple):
    """A sort of support marker (1.5): all of one sort are alike."""

    id: str
    side: int
    names: Mapping[str, str]
    sort: str
    """Two of one sort do not work together in a combat (5.5.4)."""
    copies: int
    offensive: bool
    """Marked O: only within reach of an offensive (5.5.6)."""
    forced: bool
    """White circle: must be played on the turn it is drawn (1.5.3)."""
    generic: bool
    leader: bool
    air: bool
    placement: str
    uses: tuple[str, ...]
    shift: int
    attack: int
    defence: int
    effects: tuple[str, ...]
    stays: bool
    start: Mapping[str, int]
    """How many are in the pool when a scenario begins."""
    arrivals: tuple[tuple[int, int], ...]
    """Turns on which more come into the pool, and how many."""
    provenance: Provenance


class Plane(NamedTuple):
    """An event on the back of a Ju 52 marker (10.4.3)."""

    id: str
    names: Mapping[str, str]
    copies: int
    once: bool
    provenance: Provenance


class Sky(NamedTuple):
    """A result of the weather table (3.5)."""

    mud: bool
    rivers: int
    clouds: int


class Supplies(NamedTuple):
    """10.3.2 What a level of supply of the fortress leaves to its units."""

    attack: str
    defence: str
    movement: str


class Crisis(NamedTuple):
    """A row of the table of crises at OKH (15.3)."""

    manstein: int
    approval: int
    attacks: int
    reward: int
    effect: str


class Front(NamedTuple):
    """A box of the track of Operation Mars (6.1)."""

    key: str
    names: Mapping[str, str]
    effect: str
    units: tuple[tuple[int, int], ...]
    """Units that come if the marker ends here, with their turns."""


class Cell(NamedTuple):
    """A cell of the combat table (8.7): losses and what each side does."""

    attacker: int
    defender: int
    tactical: str
    defensive: str


@cache
def read_cell(text: str) -> Cell:
    losses, tactical, defensive = text.split("/")
    a, d = re.search(r"A(\d)", losses), re.search(r"D(\d)", losses)
    return Cell(int(a[1]) if a else 0, int(d[1]) if d else 0, tactical, defensive)


class Ground(NamedTuple):
    """What the terrain chart says of a hex (8.10.2): points, and what results become."""

    defence: int
    results: Mapping[str, str]


class RoadsData:
    """Everything that does not change during a game."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self.board: Board = load_board(folder.sub("map"))
        self.numbers = Numbers(folder, "tables/numbers.csv")
        self.stavka = Numbers(folder, "tables/stavka.csv")
        self.airlift_modifiers = Numbers(folder, "tables/airlift_modifiers.csv")
        self.calendar = read_calendar(folder)
        self.turn_names: dict[int, str] = {}
        self.weather_column: dict[int, str] = {}
        columns = ("turn", "first_day", "last_day", "name", "weather", "provenance", "source")
        for row in read_table(folder, "tables/turns.csv", columns, key=("turn",)):
            number = row.integer("turn")
            self.turn_names[number] = row.text("name")
            self.weather_column[number] = row.text("weather", "")
            row.provenance()
        self.turn_of = {name: number for number, name in self.turn_names.items()}
        self.units = self._units()
        self.index = {u.id: i for i, u in enumerate(self.units)}
        self.supports = self._supports()
        self.planes = self._planes()
        self.crt = self._crt()
        self.weather = self._weather()
        self.acquisition = self._acquisition()
        self.fortress = self._fortress()
        self.airlift = {
            row.integer("roll", 0, 8): (row.integer("change", -2, 1), row.integer("planes", 0, 15))
            for row in read_table(
                folder,
                "tables/airlift.csv",
                ("roll", "change", "planes", "provenance", "source"),
                key=("roll",),
            )
            if row.provenance()
        }
        self.approval = {
            row.integer("box", 0, 8): (
                row.integer("supports", 0, 9),
                row.integer("replacement_points", 0, 9),
            )
            for row in read_table(
                folder,
                "tables/approval_track.csv",
                ("box", "supports", "replacement_points", "note", "provenance", "source"),
                key=("box",),
            )
            if row.provenance()
        }
        self.crises = self._crises()
        self.mars, self.mars_rolls = self._mars()
        self._ground()
        self._sources()
        self.digest = folder.digest(DATA_FILES)

    def _need(self, file: str, what: str, names: Iterable[str], found: Collection[str]) -> None:
        for name in names:
            if name not in found:
                raise DataError(self.folder.label(file), None, f"the {what} {name!r} is missing")

    # Counters and markers

    def _units(self) -> list[Unit]:
        columns = (
            *("id", "side", "nation", "name_en", "name_fr", "kind", "size", "division", "elite", "armour"),
            *("attack", "defence", "movement", "reduced_attack", "reduced_defence", "radius"),
            *("provenance", "source"),
        )
        units = [self._unit(row) for row in read_table(self.folder, "tables/units.csv", columns, key=("id",))]
        # Axis first: a unit's side is then a comparison.
        return [u for u in units if u.axis] + [u for u in units if not u.axis]

    def _unit(self, row: Row) -> Unit:
        axis = row.choice("side", SIDES) == "axis"
        nation = row.choice("nation", NATIONS)
        if axis == (nation == "soviet"):
            raise row.error(f"a unit of the {row.text('side')} side is not {nation}", "nation")
        kind = row.choice("kind", KINDS)
        armour = row.choice("armour", ("black", "mixed", ""), default="")
        two_sided = bool(row.text("reduced_defence", ""))
        if kind in ("hq", "alarm", "kg-infantry") and two_sided:
            raise row.error("such a unit has one step only (1.3.2, 8.15.7)", "reduced_defence")
        return Unit(
            id=row.text("id"),
            axis=axis,
            nation=nation,
            names={"en": row.text("name_en"), "fr": row.text("name_fr")},
            kind=kind,
            size=row.text("size", ""),
            division=row.text("division", ""),
            elite=row.choice("elite", ("yes", ""), default="") == "yes",
            black=armour == "black",
            mixed=armour == "mixed",
            attack=row.integer("attack", 0, 20),
            defence=row.integer("defence", 1, 20),
            movement=row.integer("movement", 1, 10),
            steps=2 if two_sided else 1,
            reduced_attack=row.integer("reduced_attack", 0, 20) if two_sided else 0,
            reduced_defence=row.integer("reduced_defence", 1, 20) if two_sided else 0,
            radius=row.integer("radius", 1, 20) if kind == "hq" else 0,
            provenance=row.provenance(),
        )

    def _supports(self) -> list[Support]:
        starts = ("uranus", "campaign", "backhand", "gallop", "wintergewitter")
        columns = (
            *("id", "side", "name_en", "name_fr", "count", "class", "o_flag", "white_circle"),
            *("generic_allowed", "leader", "air", "placement", "associated", "use", "attack_shift"),
            *("attack_points", "defence_points", "effect", "stays", "note_en"),
            *(f"start_{s}" for s in starts),
            *("arrives", "provenance", "source"),
        )
        found = []
        for row in read_table(self.folder, "tables/supports.csv", columns, key=("id",)):
            arrivals = []
            for word in row.words("arrives", ";"):
                name, _, number = word.partition(":")
                if name not in self.turn_of or not number.isdigit():
                    raise row.error(f"{word!r} is no turn and number", "arrives")
                arrivals.append((self.turn_of[name], int(number)))
            count = row.integer("count", 1, 20)
            start = {s: row.integer(f"start_{s}", 0, count) for s in starts}
            found.append(
                Support(
                    id=row.text("id"),
                    side=SIDES.index(row.choice("side", SIDES)),
                    names={"en": row.text("name_en"), "fr": row.text("name_fr")},
                    sort=row.text("class"),
                    copies=count,
                    offensive=_yes(row, "o_flag"),
                    forced=_yes(row, "white_circle"),
                    generic=_yes(row, "generic_allowed"),
                    leader=_yes(row, "leader"),
                    air=_yes(row, "air"),
                    placement=row.choice("placement", ("stack", "hex", "box", "hq")),
                    uses=row.words("use"),
                    shift=row.integer("attack_shift", 0, 3),
                    attack=row.integer("attack_points", 0, 9),
                    defence=row.integer("defence_points", 0, 9),
                    effects=row.words("effect"),
                    stays=_yes(row, "stays"),
                    start=start,
                    arrivals=tuple(arrivals),
                    provenance=row.provenance(),
                )
            )
        return found

    def _planes(self) -> list[Plane]:
        columns = (
            *("id", "name_en", "name_fr", "count", "when", "target", "effect", "removed_after_use"),
            *("fortress_level_change", "provenance", "source"),
        )
        return [
            Plane(
                row.text("id"),
                {"en": row.text("name_en"), "fr": row.text("name_fr")},
                row.integer("count", 1, 15),
                _yes(row, "removed_after_use"),
                row.provenance(),
            )
            for row in read_table(self.folder, "tables/ju52.csv", columns, key=("id",))
        ]

    # Tables

    def _crt(self) -> CombatTable:
        texts = self.folder.text("tables/crt.csv") + (self.folder.override_text("tables/crt.csv") or "")
        cells = frozenset(w for w in re.split(r"[,\n]", texts) if CELL.fullmatch(w))
        return CombatTable(self.folder, "tables/crt.csv", TWO_D6, cells)

    def _weather(self) -> dict[str, dict[int, Sky]]:
        rows = read_table(
            self.folder, "tables/weather.csv", ("die", "provenance", "source"), key=("die",), more=True
        )
        found: dict[str, dict[int, Sky]] = {}
        for row in rows:
            row.provenance()
            for column in row.cells:
                if column in ("die", "provenance", "source"):
                    continue
                parts = re.fullmatch(r"(N|N/rg|N/FG|B)-(CD|CC|Bz)", row.text(column))
                if parts is None:
                    raise row.error(f"{row.text(column)!r} is no weather such as N/rg-CD", column)
                rivers = {"N/rg": RIVERS_FROZEN, "N/FG": ALL_FROZEN}.get(parts[1], OPEN)
                clouds = {"CD": CLEAR_SKY, "CC": OVERCAST, "Bz": BLIZZARD}[parts[2]]
                found.setdefault(column, {})[row.integer("die", 2, 12)] = Sky(parts[1] == "B", rivers, clouds)
        self._need("tables/weather.csv", "column", {c for c in self.weather_column.values() if c}, found)
        return found

    def _acquisition(self) -> dict[int, tuple[int, int]]:
        """5.3.2 By roll: markers for the STAVKA box, and for a minor offensive."""
        columns = ("roll", "stavka", "minor", "provenance", "source")
        rows = read_table(self.folder, "tables/acquisition.csv", columns, key=("roll",))
        return {
            row.integer("roll", 2, 12): (row.integer("stavka", 0, 9), row.integer("minor", 0, 9))
            for row in rows
            if row.provenance()
        }

    def _fortress(self) -> dict[int, Supplies]:
        columns = ("level", "attack", "defence", "movement", "provenance", "source")
        return {
            row.integer("level", 1, 11): Supplies(
                row.choice("attack", ("half", "one", "stack", "none")),
                row.choice("defence", ("full", "half", "one")),
                row.choice("movement", ("half", "point", "hex", "three")),
            )
            for row in read_table(self.folder, "tables/fortress.csv", columns, key=("level",))
            if row.provenance()
        }

    def _mars(self) -> tuple[dict[int, Front], dict[int, int]]:
        columns = (
            *("kind", "key", "position", "name_en", "name_fr", "effect", "units", "provenance", "source"),
        )
        boxes: dict[int, Front] = {}
        rolls: dict[int, int] = {}
        effects = ("none", "approval_up", "approval_down", "soviet_support", "axis_support", "move")
        for row in read_table(self.folder, "tables/mars_track.csv", columns, key=("kind", "key")):
            row.provenance()
            position = row.integer("position", -3, 3)
            if row.choice("kind", ("box", "roll")) == "roll":
                rolls[row.integer("key", 2, 12)] = position
                continue
            units = []
            for word in row.words("units", " "):
                id_, _, turn = word.partition(":")
                if id_ not in self.index or not turn.isdigit():
                    raise row.error(f"{word!r} is no unit and turn", "units")
                units.append((self.index[id_], int(turn)))
            names = {"en": row.text("name_en"), "fr": row.text("name_fr")}
            boxes[position] = Front(row.text("key"), names, row.choice("effect", effects), tuple(units))
        return boxes, rolls

    def _crises(self) -> dict[int, Crisis]:
        columns = (
            *("roll", "manstein", "approval_to", "armoured_attacks", "manstein_if_demand", "other", "note"),
            *("provenance", "source"),
        )
        return {
            row.integer("roll", 2, 12): Crisis(
                row.integer("manstein", -3, 3),
                row.integer("approval_to", 1, 8),
                row.integer("armoured_attacks", 0, 9),
                row.integer("manstein_if_demand", -3, 3),
                row.choice("other", ("none", "city_units_frozen", "no_rail_points", "hq_no_withdrawal")),
            )
            for row in read_table(self.folder, "tables/okh_crisis.csv", columns, key=("roll",))
            if row.provenance()
        }

    def hex(self, row: Row, column: str, number: str) -> int:
        try:
            cell = self.board.cell(number)
        except UnknownHexError as error:
            raise row.error(str(error), column) from None
        if self.board.info[cell].terrain in IMPASSABLE:
            raise row.error(f"hex {number} is water", column)
        return cell

    def _sources(self) -> None:
        """4.2.1 The sources of each side, with the turn from which they are active."""
        board = self.board
        self.late_sources: dict[int, int] = {}
        columns = ("hex", "turn", "provenance", "source")
        for row in read_table(self.folder, "tables/sources.csv", columns, key=("hex",)):
            cell = self.hex(row, "hex", row.text("hex"))
            if "supply_soviet_late" not in board.info[cell].features:
                raise row.error("the map has no late Soviet source there", "hex")
            self.late_sources[cell] = row.integer("turn", 1, len(self.calendar))
            row.provenance()
        late = board.with_feature("supply_soviet_late")
        if late != bits(self.late_sources):
            raise DataError(self.folder.label("tables/sources.csv"), None, "a late source has no turn")
        self.axis_sources, always = board.with_feature("supply_axis"), board.with_feature("supply_soviet")
        self.soviet_sources = [
            always | bits(cell for cell, turn in self.late_sources.items() if turn <= now)
            for now in range(len(self.calendar) + 2)
        ]
        """By turn."""

    # The terrain chart, compiled

    def _ground(self) -> None:
        columns = (
            *("id", "cost", "road", "defence", "attack", "E", "E2", "E3", "S", "DR", "DR2", "DR3"),
            *("provenance", "source"),
        )
        rows = {r.text("id"): r for r in read_table(self.folder, "tables/terrain.csv", columns, key=("id",))}
        self.terrain_provenance = {name: row.provenance() for name, row in rows.items()}
        wanted = (
            *("clear", "forest", "marsh", "village", "city", "major_city", "river", "river_frozen"),
            *("major_river", "major_river_frozen", "ferry"),
        )
        self._need("tables/terrain.csv", "terrain", wanted, rows)
        self.defence_points = {name: row.integer("defence", 0, 9) for name, row in rows.items()}
        self.results: dict[str, dict[str, str]] = {}
        for name in ("clear", "forest", "marsh", "city", "major_city", "major_river"):
            self.results[name] = {
                code: rows[name].choice(code, (*TACTICAL, *DEFENSIVE))
                for code in ("E", "E2", "E3", "S", "DR", "DR2", "DR3")
            }
        kinds = ("clear", "forest", "marsh", "city", "major_city")
        self.cost = {name: rows[name].points("cost", HALVES, high=10) for name in kinds}
        self.road_cost = {name: rows[name].points("road", HALVES, high=10) for name in kinds}
        self.plus = {
            name: self._surcharge(rows[name])
            for name in ("river", "river_frozen", "major_river_frozen", "ferry")
        }
        self._sides()

    @staticmethod
    def _surcharge(row: Row) -> int:
        text = row.text("cost")
        if re.fullmatch(r"\+[0-9]", text) is None:
            raise row.error("a side adds whole points, such as +1", "cost")
        return 2 * int(text)

    def kind_of(self, cell: int, water: int) -> str:
        """The predominant terrain of a hex (1.8.1): a city, or the ground; frozen marsh is forest (3.4)."""
        info = self.board.info[cell]
        for built in ("major_city", "city"):
            if built in info.features:
                return built
        return "forest" if info.terrain == "marsh" and water == ALL_FROZEN else info.terrain

    def _sides(self) -> None:
        board = self.board
        self.land = board.everywhere & ~board.with_terrain(*IMPASSABLE)
        self.passable = open_sides(board, *IMPASSABLE)
        """For each direction, the hexes whose side there units and lines may cross at all."""
        self.roads, self.rails = board.side_masks("road"), board.side_masks("rail")
        self.ways = tuple(a | b for a, b in zip(self.roads, self.rails, strict=True))
        self.on_way = self.on_rail = 0
        for way, rail in zip(self.ways, self.rails, strict=True):
            self.on_way |= way
            self.on_rail |= rail
        self.direction = {step: d for d, step in enumerate(board.steps)}
        self.water_side: dict[tuple[int, int], str] = {}
        """Sides along water, in both orders: river or major_river."""
        self.bridged: set[tuple[int, int]] = set()
        self.ferries: set[tuple[int, int]] = set()
        for (a, b), features in board.sides.items():
            both = ((a, b), (b, a))
            for kind in ("river", "major_river"):
                if kind in features:
                    self.water_side |= dict.fromkeys(both, kind)
            if not features.keys().isdisjoint(("road", "rail", "bridge")):
                self.bridged |= set(both)
            if "ferry" in features:
                self.ferries |= set(both)
        self.by_water = bits(a for a, _ in self.water_side)
        self.lines = tuple(self._lines(water) for water in WATERS)
        """By water: the sides that lines and command cross (1.2.4), as masks by direction."""
        self.costs = tuple(Costs(board, partial(self._enter, water)) for water in WATERS)
        """By water: what steps cost, those over open great rivers without a bridge left out."""
        self.fords = tuple(self._fords(water) for water in WATERS)
        """By water: sides that only a whole move crosses, as masks by direction."""
        self.city = board.with_feature("city", "major_city")
        self.major_cities = board.with_feature("major_city")
        self.stalingrad = bits((board.cell("1334"), board.cell("1434")))
        self.bank = board.with_feature("stalingrad_bank")
        self.zone_28 = board.with_feature("zone_28_army")
        self.airfields = board.with_feature("airfield")
        self.stars = board.with_feature("strategic")
        self.edge_row = bits(c for c, info in board.info.items() if info.number.startswith("00"))
        line = self.numbers["opening_line"]
        self.north = bits(c for c, info in board.info.items() if int(info.number[:2]) >= line)
        """S2.6 The hexes that count as north when guns are shared out."""
        self.behind_the_don = self._between(26, 27, 1, 16)
        """17.2.1 Where Soviet units hurry the retreat of the 2nd Army."""
        self.north_west = self._between(27, 27, 1, 5)
        """17.2.1 Its way in when its own hexes are blocked."""
        self.east_of_don = self._east_of_don()
        self.west_of_donets = self._west_of_donets()

    def barrier(self, a: int, b: int, water: int) -> bool:
        """Whether a side is an open great river; in mud any river is (3.2.2)."""
        kind = self.water_side.get((a, b))
        if kind == "major_river":
            return water != ALL_FROZEN
        return kind == "river" and water == MUD

    def _lines(self, water: int) -> tuple[int, ...]:
        masks = list(self.passable)
        for a, b in self.water_side:
            if self.barrier(a, b, water) and (a, b) not in self.bridged and (a, b) not in self.ferries:
                masks[self.direction[b - a]] &= ~(1 << a)
        return tuple(masks)

    def _fords(self, water: int) -> tuple[int, ...]:
        return tuple(p & ~line for p, line in zip(self.passable, self._lines(water), strict=True))

    def plain_cost(self, cell: int, water: int) -> int:
        """What entering a hex costs by its ground alone, in halves."""
        return self.cost[self.kind_of(cell, water)]

    def _enter(self, water: int, a: int, b: int) -> int | None:
        """7.1.4, 7.1.9, 7.4 The cost of a step in halves; None for what only a whole move can do."""
        if not self.passable[self.direction[b - a]] >> a & 1:
            return None
        kind = self.kind_of(b, water)
        if self.ways[self.direction[b - a]] >> a & 1:
            return self.road_cost[kind]
        price = self.cost[kind]
        side = self.water_side.get((a, b))
        if side is None or (a, b) in self.bridged:
            return price
        if self.barrier(a, b, water):
            return price + self.plus["ferry"] if (a, b) in self.ferries else None
        if side == "major_river":
            return price + self.plus["major_river_frozen"]
        return price + self.plus["river" if water == OPEN else "river_frozen"]

    def _flood(self, start: str, shut: Collection[tuple[int, int]], allowed: int) -> int:
        """The hexes to which one comes from a hex without crossing some sides."""
        links = list(self.passable)
        for a, b in shut:
            links[self.direction[b - a]] &= ~(1 << a)
        return connected(self.board, links, 1 << self.board.cell(start), allowed)

    def _named_river(self, name: str) -> set[tuple[int, int]]:
        found = set()
        for (a, b), features in self.board.sides.items():
            for kind in ("river", "major_river"):
                if kind in features and features[kind].names.get("en") == name:
                    found |= {(a, b), (b, a)}
        return found

    def _between(self, low: int, high: int, left: int, right: int) -> int:
        """The land hexes of some rows and columns."""
        return self.land & bits(
            cell
            for cell, info in self.board.info.items()
            if low <= int(info.number[:2]) <= high and left <= int(info.number[2:]) <= right
        )

    def _east_of_don(self) -> int:
        """4.5.2 East of the Don, south of row 14 and on it."""
        rows = self.numbers["guns_line"]
        south = bits(c for c, info in self.board.info.items() if int(info.number[:2]) <= rows)
        self.whole_east = self._flood("1333", self._named_river("Don"), self.land)
        return self.whole_east & south

    def _west_of_donets(self) -> int:
        """5.3.5 West of the Donets, which runs from 2510 to Rostov, and of 2610 and 2710 (excluded)."""
        beyond = bits(
            cell
            for cell, info in self.board.info.items()
            if int(info.number[:2]) >= 25 and int(info.number[2:]) >= 10
        )
        rivers = self._named_river("Donets") | self._named_river("Don")
        return self._flood("2108", rivers, self.land & ~beyond)


def _yes(row: Row, column: str) -> bool:
    return row.choice(column, ("yes", "no")) == "yes"
