"""Typhoon!'s counters, charts and set-ups, read from its files and checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from grognard.board import Board, load_board
from grognard.files import Folder, Provenance, Row, Settings, read_settings, read_table
from grognard.files.schema import Record, Table, read_tables
from grognard.hexes import UnknownHexError

FOLDER = Path(__file__).parent
SIDES = ("axis", "soviet")
WEATHERS = ("dry", "rain", "frost", "snow", "arctic")
SCENARIOS = ("learning", "northern_pincer", "yelets", "both_pincers", "vyazma_bryansk", "campaign")
STATUSES = (
    *("detached", "held_north", "supply_1", "supply_2"),
    *("city_garrison", "line_garrison", "moscow_garrison", "mozhaisk_garrison"),
)
BOXES = ("ready", "flown", "damaged", "destroyed")
"""Of the air operations sheet (11.1.2)."""
NO_STEPS = ("supply_truck", "supply_wagon")
"""6.5.3: a supply unit is no step of combat."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A counter of the land war, as printed (2.4)."""

    id: str
    side: str
    names: dict[str, str]
    kind: str
    size: str
    formation: str
    attack: int
    support: int
    """Of artillery alone (10.1)."""
    defence: int
    movement: int
    reduced_attack: int
    reduced_support: int
    reduced_defence: int
    steps: int
    """8.5.2; 0 for supply units."""
    stacking: int
    mover: str
    """Whose prices it pays: foot, motor (7.3.4) or rail (13.3)."""
    motorised: bool
    armour: bool
    zone: bool
    zone_reduced: bool
    """3.3.1: some lose their zone with their strength."""
    guards: bool
    nkvd: bool
    range: int
    special: str
    command: int
    """13.1.2: of Soviet headquarters."""
    provenance: Provenance

    @property
    def division(self) -> bool:
        return self.size == "div"


class Placed(NamedTuple):
    """A line of a set-up."""

    unit: str
    cell: int
    steps: int
    status: str


class Arrival(NamedTuple):
    turn: int
    unit: str
    code: str
    cell: int | None
    """Where it enters, if the sheet says so (14.1.3, 14.1.4)."""
    group: str
    """The reserve that it belongs to (14.4); nothing for the others."""


class Scenario(NamedTuple):
    id: str
    settings: Settings
    first: int
    last: int
    setup: tuple[Placed, ...]
    arrivals: tuple[Arrival, ...]
    air: Mapping[str, str]
    """Air units and the boxes they begin in."""
    control: Mapping[int, str]
    """Who holds each place at the start (2.5.1)."""
    withdrawals: Mapping[str, int]
    """Units that leave, and on which turn (14.2)."""


@cache
def charts() -> Mapping[str, Table]:
    return read_tables(Folder(FOLDER / "tables"))


@cache
def board() -> Board:
    return load_board(Folder(FOLDER / "map"))


@cache
def numbers() -> Mapping[str, int]:
    """The single numbers of the rules, by name."""
    return {str(record["id"]): _integer(record, "value") for record in charts()["numbers"].records}


@cache
def units() -> Mapping[str, Unit]:
    found = (_unit(record) for record in charts()["units"].records)
    return {unit.id: unit for unit in found}


def steps_of(defence: int, reduced: bool) -> int:
    """8.5.2: how many steps a unit has, by its printed defence and whether it has a second side."""
    if defence >= numbers()["steps_four"]:
        return 4
    if defence >= numbers()["steps_three"]:
        return 3
    return 2 if reduced else 1


def _integer(record: Record, column: str) -> int:
    value = record[column]
    if not isinstance(value, int):
        raise record.row.error(f"{column} should be a whole number")
    return value


def _unit(record: Record) -> Unit:
    def number(column: str) -> int:
        return 0 if record[column] is None else _integer(record, column)

    def text(column: str) -> str:
        return str(record[column] or "")

    unit = Unit(
        id=text("id"),
        side=text("side"),
        names={"en": text("name_en"), "fr": text("name_fr")},
        kind=text("kind"),
        size=text("size"),
        formation=text("formation"),
        attack=number("attack"),
        support=number("support"),
        defence=number("defence"),
        movement=number("movement"),
        reduced_attack=number("reduced_attack"),
        reduced_support=number("reduced_support"),
        reduced_defence=number("reduced_defence"),
        steps=number("steps"),
        stacking=number("stacking"),
        mover=text("mover"),
        motorised=text("motorised") == "yes",
        armour=text("armour") == "yes",
        zone=text("zone") == "yes",
        zone_reduced=text("zone_reduced") == "yes",
        guards=text("guards") == "yes",
        nkvd=text("nkvd") == "yes",
        range=number("range"),
        special=text("special"),
        command=number("command"),
        provenance=record.provenance,
    )
    wanted = 0 if unit.kind in NO_STEPS else steps_of(unit.defence, record["reduced_defence"] is not None)
    if unit.steps != wanted:
        raise record.row.error(f"{unit.id} should have {wanted} steps by its printed defence (8.5.2)")
    return unit


# Scenarios


@cache
def scenario(id_: str) -> Scenario:
    folder = Folder(FOLDER / "scenarios")
    settings = read_settings(folder, f"{id_}.toml")
    first, last = settings.get("from", int), settings.get("to", int)
    lines = _rows(folder, f"{id_}_setup.csv", ("unit", "hex", "steps", "status"))
    setup = tuple(_placed(row) for row in lines)
    flyers = tuple(str(record["id"]) for record in charts()["air_units"].records)
    return Scenario(
        id_,
        settings,
        first,
        last,
        setup,
        arrivals=tuple(_arrival(record, first, last) for record in _of(id_, "arrivals")),
        air={
            row.choice("unit", flyers): row.choice("box", BOXES)
            for row in _rows(folder, f"{id_}_air.csv", ("unit", "box"))
        },
        control={
            _cell(row): row.choice("side", SIDES)
            for row in _rows(folder, f"{id_}_control.csv", ("hex", "side"))
        },
        withdrawals={str(record["unit"]): _integer(record, "turn") for record in _of(id_, "withdrawals")},
    )


def _of(scenario_id: str, table: str) -> list[Record]:
    """The rows of a chart that are about one scenario."""
    return [record for record in charts()[table].records if record["scenario"] == scenario_id]


def _arrival(record: Record, first: int, last: int) -> Arrival:
    turn = _integer(record, "turn")
    if not first <= turn <= last:
        raise record.row.error(f"the scenario has no turn {turn}")
    hex_ = record["hex"]
    cell = _cell(record.row) if hex_ else None
    return Arrival(turn, str(record["unit"]), str(record["code"]), cell, str(record["group"] or ""))


def _rows(folder: Folder, name: str, columns: tuple[str, ...]) -> Iterator[Row]:
    """The lines of a file beside a scenario."""
    key = ("unit",) if "unit" in columns else ("hex",)
    for row in read_table(folder, name, (*columns, "provenance", "source"), key):
        row.provenance()
        yield row


def _cell(row: Row) -> int:
    try:
        return board().cell(row.text("hex"))
    except UnknownHexError as error:
        raise row.error(str(error)) from None


def _placed(row: Row) -> Placed:
    unit = units()[row.choice("unit", tuple(units()))]
    steps = row.integer("steps", 0, 4) if row.text("steps", "") else 0
    if steps > unit.steps or (unit.steps and not steps):
        raise row.error(f"{unit.id} has {unit.steps} steps at most")
    status = row.choice("status", STATUSES) if row.text("status", "") else ""
    return Placed(unit.id, _cell(row), steps, status)


def begins_at(start: str, record: Record) -> str | None:
    """For the exhibit: the hex or the box where a counter begins a scenario; None if it is not there."""
    found, unit = scenario(start), str(record["id"])
    if unit in found.air:
        return f"box:air_{found.air[unit]}"
    cells = {placed.unit: placed.cell for placed in found.setup}
    return board().number(cells[unit]) if unit in cells else None
