"""What a scenario asks of the rules, compiled from its files."""

from __future__ import annotations

from typing import NamedTuple

from grognard.board.board import bits
from grognard.files import Folder, Row, read_table
from grognard.games.stalingrad_roads.data import (
    ALL_FROZEN,
    BLIZZARD,
    CLEAR_SKY,
    OPEN,
    OVERCAST,
    RIVERS_FROZEN,
    RoadsData,
    Sky,
)
from grognard.games.stalingrad_roads.state import BOX_NAMES, IN_ITS_BOX, NOT_RECEIVED
from grognard.kernel import Scenario
from grognard.kernel.scenario import area_of

CLOUDS = {"clear": CLEAR_SKY, "overcast": OVERCAST, "blizzard": BLIZZARD}
RIVERS = {"open": OPEN, "rivers": RIVERS_FROZEN, "frozen": ALL_FROZEN}


class Setup(NamedTuple):
    """A unit at the start."""

    unit: int
    cell: int
    steps: int


class Withdrawal(NamedTuple):
    """18.1 Divisions that have to leave."""

    turn: int
    side: int
    divisions: int
    minimum_attack: int
    unit_type: str
    after_stalingrad: bool
    """Wanted as soon as both hexes of Stalingrad are Soviet (S3.15)."""


class Plan(NamedTuple):
    """One scenario, as the rules use it."""

    setup: tuple[Setup, ...]
    due: dict[int, int]
    """Turns of arrival, by unit."""
    entries: dict[int, int]
    """The hexes where arriving units enter, by unit; the STAVKA reserve if there are none."""
    cautious: frozenset[int]
    """Units that do not enter next to the enemy and go to the STAVKA reserve instead (17.1)."""
    held_entries: frozenset[int]
    """Those of them that enter on Soviet ground only."""
    retreating: frozenset[int]
    """Units that come earlier if the enemy is behind them, and reduced if late (17.2.1)."""
    area: int
    area_case: str
    fixed_weather: dict[int, Sky]
    left_out: frozenset[str]
    """Sections of the rules that are not used."""
    opening: bool
    """It begins with the major offensive of NOV III (S2.2)."""
    victory: str
    """By whose conditions it is won and lost: those of Uranus or of the campaign."""
    first: int
    frozen_hqs: int
    zone_28: bool
    bank_rule: bool
    frozen_columns: int
    """Hexes whose units do not move on the first turn (S3.7)."""
    no_reinforcements: frozenset[int]
    axis_draws: int
    """Markers that the Axis draws each turn; 0 where the approval track says (5.4.1)."""
    axis_rail: tuple[int, ...]
    superiority: int
    sources: tuple[int, int] | None
    """Stand-in sources of a small map (S1.1)."""
    pocket: int
    """Hexes whose Axis units stand for the edge of a pocket (S1.4)."""
    goal: int
    """Hexes that the Axis has to reach (S1.6)."""
    keeps_supports: bool
    """Each side has its markers for the whole game (S1.3)."""
    replacements: tuple[int, ...]
    """Replacement points of the sides, which restore units on the map only (S1.3); none: as 17.3 says."""
    offensive_turns: tuple[tuple[int, int], ...]
    """Minor offensive markers, and the turn on which they are received."""
    soviet_hexes: int
    approval: int
    manstein: int
    no_stavka: frozenset[int]
    past_half: bool
    """The Soviet half of the first turn is over (S4.1)."""
    roll_clouds: bool
    """The clouds of the first turn are rolled for (S4.5)."""
    chosen: int
    """Markers that the Soviets choose for the STAVKA box before play (S5.4)."""
    draws: tuple[tuple[int, int], ...]
    """Boxes and the markers drawn for them before play (S4.6, S5.4, S5.5)."""
    offensives: tuple[int, ...]
    """Where offensive markers are at the start: hexes, or as in the state."""
    major_west: bool
    """The major offensive of the first turn begins west of the Donets (S5.6)."""
    must_backhand: bool
    """The Axis begins with the backhand blow (S4.5)."""
    gone: tuple[tuple[int, bool], ...]
    """Units off the map at the start: whether they can be rebuilt."""
    withdrawals: tuple[Withdrawal, ...]
    upgrades: tuple[tuple[int, int, int], ...]
    """Turn, old unit, new unit (18.2)."""

    def opens(self, turn: int) -> bool:
        return self.opening and turn == self.first

    def frozen_west(self, turn: int) -> int:
        return self.frozen_columns if turn == self.first else 0


def read_plan(folder: Folder, data: RoadsData, scenario: Scenario) -> Plan:
    settings = scenario.settings
    assert settings is not None
    due, entries, offensives = _arrivals(folder, data, scenario)
    withdrawals, upgrades = _changes(folder, data, scenario)
    frozen = 0
    for name in settings.get("frozen_hqs", list, []):
        if name in ("soviet", "axis"):
            frozen |= bits(i for i, u in enumerate(data.units) if u.hq and u.axis == (name == "axis"))
        elif name in data.index:
            frozen |= 1 << data.index[name]
        else:
            raise settings.error("frozen_hqs", f"there is no unit {name!r}")
    superiority = settings.get("superiority", int)
    return Plan(
        setup=_setup(folder, data, scenario.id),
        due=due,
        entries=entries,
        cautious=_with_condition(folder, data, scenario, "otherwise STAVKA"),
        held_entries=_with_condition(folder, data, scenario, "Soviet-controlled"),
        retreating=_with_condition(folder, data, scenario, "may come earlier"),
        area=area_of(scenario, data.board) & data.land & ~_cells(data, scenario, "closed"),
        area_case=settings.get("area_case", str, "7.1"),
        fixed_weather=_weather(scenario),
        left_out=frozenset(settings.get("left_out", list, [])),
        opening=settings.get("opening", bool, False),
        victory=settings.get("conditions", str, "campaign"),
        first=scenario.first,
        frozen_hqs=frozen,
        zone_28=settings.get("zone_28", bool, True),
        bank_rule=settings.get("bank_rule", bool, True),
        frozen_columns=_west(data, settings.get("frozen_west_of", int, 0)),
        no_reinforcements=frozenset(settings.get("no_reinforcements", list, [])),
        axis_draws=settings.get("axis_draws", int, 0),
        axis_rail=tuple(settings.get("axis_rail", list, [])),
        superiority=(1 << superiority) - 1,
        sources=_stand_ins(data, scenario),
        pocket=_cells(data, scenario, "pocket"),
        goal=_goal(data, scenario),
        keeps_supports=settings.get("keeps_supports", bool, False),
        replacements=tuple(settings.get("replacements", list, [])),
        offensive_turns=offensives,
        soviet_hexes=_control(folder, data, scenario, settings.get("control", bool, False)),
        approval=settings.get("approval", int, 0),
        manstein=settings.get("manstein", int, 0),
        no_stavka=frozenset(settings.get("no_stavka", list, [])),
        past_half=settings.get("past_half", bool, False),
        roll_clouds=settings.get("roll_clouds", bool, False),
        chosen=settings.get("chosen", int, 0),
        draws=tuple((BOX_NAMES.index(box), n) for box, n in settings.get("draws", list, [])),
        offensives=_offensives(data, settings.get("offensives", list, ["box", "later", "later"])),
        major_west=settings.get("major_west", bool, False),
        must_backhand=settings.get("must_backhand", bool, False),
        gone=_gone(folder, data, scenario.id, settings.get("off_map", bool, False)),
        withdrawals=withdrawals,
        upgrades=upgrades,
    )


def _cells(data: RoadsData, scenario: Scenario, key: str) -> int:
    """Hexes that a scenario names, as a set."""
    assert scenario.settings is not None
    return bits(data.board.cell(number) for number in scenario.settings.get(key, list, []))


def _stand_ins(data: RoadsData, scenario: Scenario) -> tuple[int, int] | None:
    assert scenario.settings is not None
    given = scenario.settings.get("sources", dict, {})
    if not given:
        return None
    axis, soviet = (bits(data.board.cell(number) for number in given[side]) for side in ("axis", "soviet"))
    return axis, soviet


def _goal(data: RoadsData, scenario: Scenario) -> int:
    """The hexes between two corners."""
    assert scenario.settings is not None
    corners = scenario.settings.get("goal", list, [])
    if not corners:
        return 0
    rows, columns = zip(*((int(c[:2]), int(c[2:])) for c in corners), strict=True)
    return bits(
        cell
        for cell, info in data.board.info.items()
        if min(rows) <= int(info.number[:2]) <= max(rows)
        and min(columns) <= int(info.number[2:]) <= max(columns)
    )


def _offensives(data: RoadsData, places: list[str]) -> tuple[int, ...]:
    words = {"box": IN_ITS_BOX, "later": NOT_RECEIVED}
    return tuple(words[place] if place in words else data.board.cell(place) for place in places)


def _gone(folder: Folder, data: RoadsData, scenario: str, given: bool) -> tuple[tuple[int, bool], ...]:
    if not given:
        return ()
    columns = ("unit", "box", "provenance", "source")
    rows = read_table(folder, f"scenarios/{scenario}_off_map.csv", columns, key=("unit",))
    boxes = ("eliminated", "withdrawn", "outside")
    return tuple(
        (_unit(data, row, "unit"), row.choice("box", boxes) == "eliminated")
        for row in rows
        if row.provenance()
    )


def _control(folder: Folder, data: RoadsData, scenario: Scenario, given: bool) -> int:
    """1.10.1 The hexes under Soviet control at the start: the front of the map; or runs within rows, and what
    lies beyond the area, in the east."""
    if not given:
        return data.board.with_feature("soviet_start")
    cells = data.land & ~area_of(scenario, data.board)
    columns = ("hex_from", "hex_to", "provenance", "source")
    for row in read_table(folder, f"scenarios/{scenario.id}_control.csv", columns):
        row.provenance()
        for cell in _numbers(data, row, f"{row.text('hex_from')}-{row.text('hex_to')}"):
            cells |= 1 << cell
    return cells


def _weather(scenario: Scenario) -> dict[int, Sky]:
    settings = scenario.settings
    assert settings is not None
    given = settings.get("weather", dict)
    try:
        sky = Sky(given["condition"] == "mud", RIVERS[given["rivers"]], CLOUDS[given["clouds"]])
        return {int(given["turn"]): sky}
    except KeyError as error:
        raise settings.error("weather", f"the weather of the first turn is not complete: {error}") from None


def _west(data: RoadsData, column: int) -> int:
    return bits(c for c, info in data.board.info.items() if int(info.number[2:]) < column)


def _setup(folder: Folder, data: RoadsData, scenario: str) -> tuple[Setup, ...]:
    columns = ("unit", "hex", "steps", "provenance", "source")
    found = []
    for row in read_table(folder, f"scenarios/{scenario}_setup.csv", columns, key=("unit",)):
        unit = _unit(data, row, "unit")
        row.provenance()
        found.append(
            Setup(
                unit, data.hex(row, "hex", row.text("hex")), row.integer("steps", 1, data.units[unit].steps)
            )
        )
    sides: dict[int, bool] = {}
    for entry in found:
        axis = data.units[entry.unit].axis
        if sides.setdefault(entry.cell, axis) != axis:
            raise settings_error(folder, scenario, data, entry)
    return tuple(found)


def settings_error(folder: Folder, scenario: str, data: RoadsData, entry: Setup) -> ValueError:
    from grognard.files import DataError

    number = data.board.number(entry.cell)
    label = folder.label(f"scenarios/{scenario}_setup.csv")
    return DataError(label, None, f"hex {number} is set up with units of both sides")


def _unit(data: RoadsData, row: Row, column: str) -> int:
    found = data.index.get(row.text(column))
    if found is None:
        raise row.error(f"there is no unit {row.text(column)!r}", column)
    return found


def _arrivals(
    folder: Folder, data: RoadsData, scenario: Scenario
) -> tuple[dict[int, int], dict[int, int], tuple[tuple[int, int], ...]]:
    columns = (
        *("turn", "side", "kind", "unit", "name", "old", "entry", "hexes", "count", "minimum_attack"),
        *("unit_type", "historical", "condition", "provenance", "source"),
    )
    due: dict[int, int] = {}
    entries: dict[int, int] = {}
    offensives: list[tuple[int, int]] = []
    for row in read_table(folder, f"scenarios/{scenario.id}_arrivals.csv", columns):
        row.provenance()
        turn = row.integer("turn", 0, len(data.calendar))
        kind = row.choice("kind", ("unit", "marker", "upgrade", "withdrawal"))
        if kind == "marker":
            name = row.text("name")
            number = {"Minor offensive A": 1, "Minor offensive B": 2}.get(name)
            if number is None:
                raise row.error(f"there is no marker {name!r}", "name")
            offensives.append((number, turn))
        elif kind == "unit":
            # Turn 0: what comes of Operation Mars is not known yet (6.1.1).
            unit = _unit(data, row, "unit")
            due[unit] = turn
            cells = 0
            for number_ in _numbers(data, row, row.text("hexes", "")):
                cells |= 1 << number_
            if cells:
                entries[unit] = cells
    return due, entries, tuple(offensives)


def _with_condition(folder: Folder, data: RoadsData, scenario: Scenario, words: str) -> frozenset[int]:
    """The units of a calendar whose line sets a condition."""
    rows = read_table(folder, f"scenarios/{scenario.id}_arrivals.csv", ("unit", "condition"), more=True)
    return frozenset(_unit(data, row, "unit") for row in rows if words in row.text("condition", ""))


def _changes(
    folder: Folder, data: RoadsData, scenario: Scenario
) -> tuple[tuple[Withdrawal, ...], tuple[tuple[int, int, int], ...]]:
    """18 The withdrawals and upgrades of a calendar."""
    withdrawals, upgrades = [], []
    for row in read_table(folder, f"scenarios/{scenario.id}_arrivals.csv", ("turn", "kind"), more=True):
        turn = row.integer("turn", 0, len(data.calendar))
        if row.text("kind") == "upgrade":
            upgrades.append((turn, _unit(data, row, "old"), _unit(data, row, "unit")))
        elif row.text("kind") == "withdrawal":
            withdrawals.append(
                Withdrawal(
                    turn,
                    ("axis", "soviet").index(row.choice("side", ("axis", "soviet"))),
                    row.integer("count", 1, 50),
                    row.integer("minimum_attack", 0, 20),
                    row.text("unit_type"),
                    "Stalingrad" in row.text("condition", ""),
                )
            )
    return tuple(withdrawals), tuple(upgrades)


def _numbers(data: RoadsData, row: Row, text: str) -> list[int]:
    """Hexes written one by one, or as a range within a row of the map."""
    found = []
    for word in text.split():
        first, _, last = word.partition("-")
        if not last:
            found.append(data.hex(row, "hexes", first))
            continue
        if first[:2] != last[:2] or int(first) > int(last):
            raise row.error(f"{word!r} is no range of hexes in a row", "hexes")
        for number in range(int(first), int(last) + 1):
            cell = data.board.cell(f"{number:04d}")
            if data.land >> cell & 1:
                found.append(cell)
    return found
