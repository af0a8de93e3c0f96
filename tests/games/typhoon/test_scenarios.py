"""Typhoon!: the six scenarios. Who stands where, who comes when, and that it all is legal on the map."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date
from functools import cache
from itertools import pairwise, product

import pytest

from grognard.files import DataError
from grognard.games.typhoon import data
from grognard.games.typhoon.game import load
from grognard.games.typhoon.rules import stacking
from tests.rules import rule

COUNTS = {
    "learning": (10, 9),
    "northern_pincer": (80, 67),
    "yelets": (35, 36),
    "both_pincers": (132, 115),
    "vyazma_bryansk": (161, 168),
    "campaign": (171, 181),
}
"""Counters of the Axis and of the Soviets that begin on the map."""


@rule("typhoon", "18.0")
def test_there_are_six_scenarios_in_their_order() -> None:
    orders = [data.scenario(id_).settings.get("order", int) for id_ in data.SCENARIOS]
    assert orders == [1, 2, 3, 4, 5, 6]
    numbers = [data.scenario(id_).settings.get("number", str) for id_ in data.SCENARIOS]
    assert numbers == ["L", "1", "2", "3", "4", "5"]


@pytest.mark.parametrize("id_", data.SCENARIOS)
def test_a_set_up_is_whole(id_: str) -> None:
    found = data.scenario(id_)
    sides = Counter(data.units()[placed.unit].side for placed in found.setup)
    assert (sides["axis"], sides["soviet"]) == COUNTS[id_]
    assert len({placed.unit for placed in found.setup}) == len(found.setup)


@rule("typhoon", "3.2.1")
@pytest.mark.parametrize("id_", data.SCENARIOS)
def test_stacks_are_legal_and_sides_apart(id_: str) -> None:
    stacks: dict[tuple[int, str], list[data.Unit]] = {}
    for placed in data.scenario(id_).setup:
        unit = data.units()[placed.unit]
        stacks.setdefault((placed.cell, unit.side), []).append(unit)
    assert all(sum(unit.stacking for unit in stack) <= 10 for stack in stacks.values())
    assert not any((cell, "soviet") in stacks for cell, side in stacks if side == "axis")


def test_an_illegal_stack_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    found = data.scenario("learning")
    heap = tuple(placed._replace(cell=found.setup[0].cell) for placed in found.setup)
    crowded = found._replace(setup=heap)
    monkeypatch.setattr(stacking, "scenario", lambda _: crowded)
    with pytest.raises(DataError, match=r"points of stacking.*both sides"):
        load()


@pytest.mark.parametrize("id_", data.SCENARIOS)
def test_counters_stand_where_they_may_be(id_: str) -> None:
    """On land and on a sheet in play; what moves by motor not in a marsh, a train on its rails (13.3.1)."""
    board = data.board()
    sheets = set(data.scenario(id_).settings.get("sheets", list))
    rails = {cell for side, found in board.sides.items() if "rail" in found for cell in side}
    for placed in data.scenario(id_).setup:
        unit, info = data.units()[placed.unit], board.info[placed.cell]
        assert info.terrain != "lake", placed.unit
        assert not (unit.mover == "motor" and info.terrain in ("marsh", "pond")), placed.unit
        assert unit.kind != "armoured_train" or placed.cell in rails, placed.unit
        assert sheets_of()[placed.cell] & sheets, (placed.unit, info.number)


@cache
def sheets_of() -> dict[int, set[str]]:
    """The sheets on which each hex is printed."""
    found: dict[int, set[str]] = {}
    for sheet in data.board().numbering.sheets:
        for column, row in product(sheet.columns, sheet.rows):
            if sheet.holds(column, row):
                cell = data.board().cell(f"{sheet.name}{column:02d}{row:02d}")
                found.setdefault(cell, set()).add(sheet.name)
    return found


@pytest.mark.parametrize("id_", data.SCENARIOS)
def test_nobody_arrives_who_is_there_already(id_: str) -> None:
    found = data.scenario(id_)
    there = {placed.unit for placed in found.setup}
    assert there.isdisjoint(arrival.unit for arrival in found.arrivals)
    only = {"w": "axis", "e": "soviet", "ec": "soviet", "M": "soviet", "MG": "soviet", "eM": "soviet"}
    for arrival in found.arrivals:
        side = data.units()[arrival.unit].side
        assert only.get(arrival.code, side) == side, arrival.unit


@rule("typhoon", "14.1.5")
def test_nine_special_armies_come_between_turns_29_and_32() -> None:
    groups = data.scenario("campaign").settings.data["special_reserve"]
    armies = [entry for entry in groups if not entry["group"].endswith("ski_pool")]
    assert len(armies) == 9
    assert {entry["turn"] for entry in armies} == {29, 30, 31, 32}
    listed = {arrival.group for arrival in data.scenario("campaign").arrivals}
    assert {entry["group"] for entry in groups} <= listed


@rule("typhoon", "17.1")
def test_thirty_points_are_a_marginal_victory_of_the_axis_in_the_campaign() -> None:
    assert data.scenario("campaign").settings.data["levels"]["axis_marginal"] == 30
    for id_ in data.SCENARIOS[1:]:
        levels = data.scenario(id_).settings.data["levels"]
        order = [
            levels[name]
            for name in (
                "axis_decisive",
                "axis_substantial",
                "axis_marginal",
                "soviet_substantial_below",
                "soviet_decisive_below",
            )
        ]
        assert order == sorted(order, reverse=True), id_


@pytest.mark.parametrize("id_", data.SCENARIOS)
def test_railheads_stand_on_railways(id_: str) -> None:
    board = data.board()
    rails = {cell for side, found in board.sides.items() if "rail" in found for cell in side}
    for head in data.scenario(id_).settings.data.get("railheads", []):
        assert board.cell(head["hex"]) in rails, head["line"]


@pytest.mark.parametrize("id_", ["northern_pincer", "both_pincers"])
def test_sources_on_the_sheet_of_moscow_are_railways_or_main_roads_of_an_edge(id_: str) -> None:
    board = data.board()
    net = {
        c
        for side, found in board.sides.items()
        if found.keys() & {"rail", "main_road", "motorway"}
        for c in side
    }
    for number in data.scenario(id_).settings.data["supply"]["axis_sources"]:
        assert board.cell(number) in net, number
        assert number[:3] == "N48" or number[3:] in ("52", "53"), number


@pytest.mark.parametrize("id_", data.SCENARIOS)
def test_special_rules_are_known(id_: str) -> None:
    known = {record["id"] for record in data.charts()["special_rules"].records}
    assert set(data.scenario(id_).settings.get("special_rules", list)) <= known


@pytest.mark.parametrize("id_", data.SCENARIOS)
def test_who_holds_a_place_is_who_stands_there(id_: str) -> None:
    """2.5.1"""
    found = data.scenario(id_)
    for placed in found.setup:
        unit = data.units()[placed.unit]
        if unit.kind not in data.NO_STEPS and placed.cell in found.control:
            assert found.control[placed.cell] == unit.side, placed.unit


def test_turns_follow_one_another() -> None:
    days = [
        (date.fromisoformat(str(t["first_day"])), date.fromisoformat(str(t["last_day"])))
        for t in data.charts()["turns"].records
    ]
    for (_, last), (first, _) in pairwise(days):
        assert (first - last).days == 1


@pytest.mark.parametrize("name", data.SCENARIOS)
def test_the_levels_of_victory_are_told_in_both_languages(name: str) -> None:
    said = data.scenario(name).settings.data
    levels = [said["levels"].get(f"axis_{level}") for level in ("marginal", "substantial", "decisive")]
    below = [said["levels"].get(f"soviet_{level}_below") for level in ("substantial", "decisive")]
    wanted = [n for n in (*levels, *below) if n is not None]
    for text in (said["victory"]["en"], said["victory"]["fr"]):
        first = text.split(".")[0]
        assert [int(n) for n in re.findall(r"-?\d+", first)] == wanted, text
