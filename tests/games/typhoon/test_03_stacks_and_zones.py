"""3.2 Stacking and 3.3 zones of control."""

from __future__ import annotations

import pytest

from grognard.board import Board
from grognard.board.board import bits, each
from grognard.games.typhoon import data
from grognard.games.typhoon.data import Unit
from grognard.games.typhoon.rules.stacking import excess, weight
from grognard.games.typhoon.rules.weather import Sky
from grognard.games.typhoon.rules.zones import UnitState, shut_for_retreat, shut_for_supply
from tests.games.typhoon.ground import ground
from tests.games.typhoon.zones import zone_of
from tests.rules import rule

DRY, SNOW, FROST = Sky("dry"), Sky("snow"), Sky("frost")


def unit(id_: str) -> Unit:
    return data.units()[id_]


def zone(board: Board, sky: Sky = DRY, **stacks: list[UnitState]) -> set[str]:
    """The hexes in the zones of stacks: h1203=[...]."""
    placed = {board.cell(name.removeprefix("h")): stack for name, stack in stacks.items()}
    return {board.number(cell) for cell in each(zone_of(board, placed, sky))}


def around(board: Board, number: str) -> set[str]:
    return {number, *(board.number(cell) for cell in board.adjacent[board.cell(number)])}


DIVISION, REGIMENT, BATTALION = "g-251-inf", "g-6-pz-pzr-11", "g-6-pz-aa-57"
RIFLES, HQ, GUNS, TRUCKS = "s-126-rd", "s-22a", "s-392-gun-regt", "s-supply-truck-1"


@rule("typhoon", "3.2.1", "3.2.2")
def test_ten_points_may_end_a_phase_together() -> None:
    panzer_division = [unit(f"g-6-pz-{part}") for part in ("pzr-11", "sr-4", "sr-114", "aa-57")]
    assert weight(panzer_division) == 7 and excess(panzer_division) == 0
    two = [unit(DIVISION), unit("g-102-inf")]
    assert weight(two) == 8 and excess([*two, unit(REGIMENT)]) == 0
    assert excess([*two, unit(REGIMENT), unit(BATTALION)]) == 1
    army = [unit(RIFLES), unit("s-133-rd"), unit("s-174-rd"), unit("s-127-tbde")]
    assert weight(army) == 10 and excess(army) == 0 and excess([*army, unit(GUNS)]) == 1


@rule("typhoon", "3.2.3")
def test_headquarters_and_supply_stack_without_limit() -> None:
    full = [unit(RIFLES), unit("s-133-rd"), unit("s-174-rd")]
    assert excess([*full, unit(HQ), unit("s-29a"), unit(TRUCKS)]) == 0


@rule("typhoon", "3.3", "3.3.2")
def test_a_zone_is_the_hex_and_the_six_around() -> None:
    board = ground()
    assert zone(board, h1303=[UnitState(unit(DIVISION))]) == around(board, "1303")


@rule("typhoon", "3.3.1", "3.3.2")
def test_a_unit_with_a_band_controls_its_hex_alone_unless_a_companion_has_a_zone() -> None:
    board = ground()
    assert not unit(BATTALION).zone
    assert zone(board, h1303=[UnitState(unit(BATTALION))]) == {"1303"}
    both = [UnitState(unit(BATTALION)), UnitState(unit(DIVISION))]
    assert zone(board, h1303=both) == around(board, "1303")


@rule("typhoon", "3.3.1")
def test_some_lose_their_zone_with_their_strength() -> None:
    losing = next(u for u in data.units().values() if u.zone and not u.zone_reduced)
    board = ground()
    assert len(zone(board, h1303=[UnitState(losing)])) > 1
    assert zone(board, h1303=[UnitState(losing, reduced=True)]) == {"1303"}
    assert len(zone(board, h1303=[UnitState(unit(DIVISION), reduced=True)])) == 7


@rule("typhoon", "3.3.1")
def test_companions_lend_their_legs_to_a_zone() -> None:
    """All combat units of the hex have a zone then: one on foot carries it into the marsh."""
    board = ground({"1302": "marsh"})
    tanks = UnitState(unit(REGIMENT))
    assert "1302" not in zone(board, h1303=[tanks])
    assert "1302" in zone(board, h1303=[tanks, UnitState(unit("g-pi-r-413"))])


@rule("typhoon", "3.3.4")
def test_no_zone_goes_where_its_unit_may_not() -> None:
    board = ground({"1302": "marsh"}, {"1303/1304": "lake", "1303/1403": "major_river"})
    on_foot = zone(board, h1303=[UnitState(unit(DIVISION))])
    assert "1302" in on_foot and "1304" not in on_foot and "1403" in on_foot
    assert "1304" in zone(board, SNOW, h1303=[UnitState(unit(DIVISION))]), "ice bears"
    assert "1302" in zone(board, FROST, h1303=[UnitState(unit(REGIMENT))]), "so does a frozen marsh"


@rule("typhoon", "3.3.4")
def test_no_zone_goes_into_a_major_city_but_its_garrison_holds_it() -> None:
    board = ground({"1302": "major_city", "1304": "city"})
    outside = zone(board, h1303=[UnitState(unit(DIVISION))])
    assert "1302" not in outside and "1304" in outside
    assert zone(board, h1302=[UnitState(unit(RIFLES))]) == around(board, "1302")


@rule("typhoon", "3.3.5", "3.3.6")
def test_units_of_the_other_side_change_nothing() -> None:
    board = ground()
    axis = zone(board, h1303=[UnitState(unit(DIVISION))])
    soviet = zone(board, h1302=[UnitState(unit(RIFLES))])
    assert {"1302", "1303"} <= axis & soviet


@rule("typhoon", "6.1.5", "8.6.2")
def test_friends_undo_a_zone_for_supply_and_for_retreat_alone() -> None:
    board = ground()
    enemy = zone_of(board, {board.cell("1303"): [UnitState(unit(RIFLES))]}, DRY)
    units = bits([board.cell("1302")])
    own = zone_of(board, {board.cell("1302"): [UnitState(unit(BATTALION))]}, DRY)
    assert not shut_for_supply(enemy, units, own) & units
    assert shut_for_supply(enemy, units, own) == enemy & ~units
    wide = zone_of(board, {board.cell("1302"): [UnitState(unit(DIVISION))]}, DRY)
    assert not shut_for_supply(enemy, units, wide) & wide, "a zone is enough for supply"
    assert shut_for_retreat(enemy, units) & wide, "and not for a retreat"


@rule("typhoon", "3.3.7")
def test_units_that_were_overrun_have_no_zone() -> None:
    board = ground()
    assert zone(board, h1303=[UnitState(unit(RIFLES), overrun=True)]) == {"1303"}
    others = [UnitState(unit(RIFLES), overrun=True), UnitState(unit("s-133-rd"))]
    assert zone(board, h1303=others) == around(board, "1303")


@rule("typhoon", "6.5.3")
@pytest.mark.parametrize("sky", [DRY, SNOW])
def test_supply_units_control_nothing(sky: Sky) -> None:
    assert zone(ground(), sky, h1303=[UnitState(unit(TRUCKS))]) == set()


@rule("typhoon", "3.2.1")
def test_what_each_kind_of_unit_counts() -> None:
    """The ruling on 3.2.1."""
    for each_unit in data.units().values():
        nothing = each_unit.kind in ("hq", "armoured_train", *data.NO_STEPS) or each_unit.special == "siege"
        divisions = {("axis", "infantry"): 4, ("soviet", "cavalry"): 2, ("soviet", "armour"): 2}
        if nothing:
            wanted = 0
        elif each_unit.division:
            wanted = divisions.get((each_unit.side, each_unit.kind), 3)
        elif each_unit.size == "bde":
            wanted = 2 if each_unit.side == "axis" or each_unit.kind == "infantry" else 1
        else:
            wanted = 2 if each_unit.kind in ("armour", "motorised") and each_unit.size == "regt" else 1
        assert each_unit.stacking == wanted, each_unit.id
