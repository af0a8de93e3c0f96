"""36 Weather: five conditions in four zones, thrown for once a turn, some of them remembered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple

from grognard.board import Board
from grognard.games.second_front.books import charts

CLEAR, MUD, FROST, WINTER, SNOW = "clear", "mud", "frost", "winter", "snow"
CONDITIONS = (CLEAR, MUD, FROST, WINTER, SNOW)
"""From the best to the worst (36A2)."""
LETTERS = {"C": CLEAR, "M": MUD, "F": FROST, "W": WINTER, "S": SNOW}
NO_CHANGE = "N"
SEAS = {"C": "calm", "R": "rough", "S": "storm"}
ZONES = ("c", "d", "e", "f")
"""36A1."""
BAD = frozenset({MUD, FROST, WINTER, SNOW})
COLD = frozenset({FROST, WINTER, SNOW})

FULL_AEC, REDUCED_AEC, NO_AEC = 0, 1, 2
"""How far armour effects are reduced; the larger is the worse."""


class Sky(NamedTuple):
    """The condition of each zone."""

    c: str = CLEAR
    d: str = CLEAR
    e: str = CLEAR
    f: str = CLEAR

    def of(self, zone: str) -> str:
        return self[ZONES.index(zone)]


def throw(month: str, die: int, before: Sky) -> Sky:
    """36B: one die for all zones. `month` is a turn without its year: Nov I."""
    chart = charts()["weather_land"]
    found = []
    for zone, last in zip(ZONES, before, strict=True):
        letter = str(chart.find(zone.upper(), month, die)["condition"])
        found.append(last if letter == NO_CHANGE else LETTERS[letter])
    return Sky(*found)


def sea_state(month: str, sea: str, die: int) -> str:
    """36C: calm, rough or storm; the die is changed by the sea and stays between 1 and 6."""
    changed = charts()["weather_sea_modifiers"].find(sea)["modifier"]
    assert isinstance(changed, int)
    letter = charts()["weather_sea"].find(month, max(1, min(6, die + changed)))["condition"]
    return SEAS[str(letter)]


@cache
def skies(board: Board, sky: Sky) -> Mapping[int, tuple[str, str]]:
    """The condition of every hex, and the zone that it has it from (36D)."""
    return {cell: (condition(board, cell, sky), zone_of(board, cell, sky)) for cell in board.cells}


def zones_of(board: Board, cell: int) -> tuple[str, ...]:
    """The zones of a hex: two, if it lies between them (36D)."""
    features = board.info[cell].features
    return tuple(zone for zone in ZONES if f"weather_{zone}" in features)


def worst(conditions: Iterable[str]) -> str:
    return max(conditions, key=CONDITIONS.index)


def condition(board: Board, cell: int, sky: Sky) -> str:
    """36D: that of the hex entered or attacked, the worse of two zones."""
    return worst(sky.of(zone) for zone in zones_of(board, cell) or ZONES[:1])


def zone_of(board: Board, cell: int, sky: Sky) -> str:
    """The zone whose condition a hex has."""
    zones = zones_of(board, cell) or ZONES[:1]
    return max(zones, key=lambda zone: CONDITIONS.index(sky.of(zone)))


def die_modifier(weather: str) -> int:
    """36B: on every attack."""
    chart = charts()["ground_crt_modifiers"]
    if weather == MUD:
        found = chart.find("mud")["value"]
    elif weather in (WINTER, SNOW):
        found = chart.find("winter_or_snow")["value"]
    else:
        return 0
    assert isinstance(found, int)
    return found


def armour_effects(weather: str) -> int:
    """36B: barred in mud, reduced in winter and snow. Antitank effects never change (ruling on 10C)."""
    if weather == MUD:
        return NO_AEC
    return REDUCED_AEC if weather in (WINTER, SNOW) else FULL_AEC
