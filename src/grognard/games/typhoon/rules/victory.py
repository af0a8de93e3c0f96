"""17.1, 17.2 Victory: points of places, of losses and of what was done, and the level they reach."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import NamedTuple

from grognard.games.typhoon.data import Unit, board, charts, numbers, scenario, units
from grognard.games.typhoon.rules.plans import NAMES, steps_for_a_point

LEVELS = ("axis_decisive", "axis_substantial", "axis_marginal")
"""From the best of the Axis down; below the last the Soviets win (17.1)."""


class Worth(NamedTuple):
    """A place of victory, in the column of a plan (17.2.1)."""

    cell: int
    side: str
    """Who must hold it for the points to count."""
    points: int


@cache
def places(scenario_id: str, plan: str) -> tuple[Worth, ...]:
    """17.2.1, 17.3.1: the places of a scenario; in the campaign those of the plan's column."""
    return tuple(
        Worth(board().cell(str(record["hex"])), str(record["held_by"]), int(str(record["points"])))
        for record in charts()["victory_places"].records
        if record["scenario"] == scenario_id and record["plan"] in ("all", plan)
    )


def place_points(scenario_id: str, plan: int, occupied: Mapping[str, int]) -> int:
    """17.2.1: the points of places where a land unit of the right side stands at the end."""
    worth = places(scenario_id, NAMES[plan])
    return sum(place.points for place in worth if occupied[place.side] >> place.cell & 1)


def counts_as_heavy(unit: Unit) -> bool:
    """17.2.2: the steps that cost points are those of armour and artillery."""
    return unit.armour or unit.kind == "artillery"


def division_of(unit: Unit) -> str:
    """9.2.3, 17.2.2: the Panzer or motorised division to which a German unit belongs; nothing for others."""
    name = unit.formation.split(" / ")[0]
    return name if name.endswith((" Pz Div", " Mot Div")) or name == "SS Reich" else ""


@cache
def divisions() -> Mapping[str, tuple[str, ...]]:
    """The Panzer and motorised divisions and their elements."""
    found: dict[str, list[str]] = {}
    for unit in units().values():
        if division_of(unit):
            found.setdefault(division_of(unit), []).append(unit.id)
    return {name: tuple(elements) for name, elements in found.items()}


class Losses(NamedTuple):
    """17.2.2: what the campaign has cost."""

    headquarters: int
    """Soviet headquarters ever lost, even if they came back."""
    soviet_steps: int
    axis_steps: int
    divisions: int
    """German Panzer and motorised divisions of which nothing is left."""


def loss_points(losses: Losses, plan: int) -> int:
    """17.2.2: fractions count."""
    value: Callable[[str], int] = _event_value
    per = numbers()["soviet_steps"]
    return (
        losses.headquarters * value("soviet_hq")
        + -(-losses.soviet_steps // per) * value("eight_soviet_steps")
        + -(-losses.axis_steps // steps_for_a_point(plan)) * value("five_axis_steps")
        + losses.divisions * value("division_lost")
    )


def _event_value(event: str) -> int:
    return event_points("campaign", event)


def event_points(scenario_id: str, event: str) -> int:
    """17.2.3: what an event or a choice is worth in a scenario; nothing where it does not count."""
    for record in charts()["victory_events"].records:
        if record["scenario"] == scenario_id and record["event"] == event:
            return int(str(record["points"]))
    return 0


def steps_lost(
    members: Iterable[tuple[Unit, int, bool]], wanted: Callable[[Unit], bool] = counts_as_heavy
) -> int:
    """17.2.2: steps lost by units on the map and in the cadre and eliminated boxes. Each comes with its steps
    left and whether it counts at all: withdrawn units and those still to come do not."""
    return sum(unit.steps - left for unit, left, counts in members if counts and wanted(unit))


def level(scenario_id: str, points: int) -> tuple[str, str]:
    """17.1: who has won, and how well."""
    lines = scenario(scenario_id).settings.data["levels"]
    for name in LEVELS:
        if name in lines and points >= int(lines[name]):
            side, how = name.split("_")
            return side, how
    for how in ("decisive", "substantial"):
        below = lines.get(f"soviet_{how}_below")
        if below is not None and points < int(below):
            return "soviet", how
    return "soviet", "marginal"
