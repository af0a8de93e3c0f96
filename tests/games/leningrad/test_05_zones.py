"""5.0 Zones of control."""

from __future__ import annotations

import pytest

from grognard.board.board import each
from grognard.games.leningrad.state import GERMAN, SOVIET
from grognard.mechanics.control import zone
from tests.games.leningrad.table import Table
from tests.rules import rule

AROUND_1510 = {"1509", "1511", "1409", "1410", "1609", "1610"}


def controlled(table: Table, side: int) -> set[str]:
    return {table.game.board.number(cell) for cell in each(zone(table.game, table.state, side))}


@rule("leningrad", "5.0")
@pytest.mark.parametrize(("unit", "side"), [("1-inf", GERMAN), ("1-pz", GERMAN), ("10-rd", SOVIET)])
def test_a_unit_controls_the_six_hexes_round_it(unit: str, side: int) -> None:
    table = Table("german-movement", {unit: "1510"})
    assert controlled(table, side) == AROUND_1510
    assert controlled(table, 1 - side) == set()


@rule("leningrad", "5.0")
@pytest.mark.parametrize("ground", ["clear", "marsh", "hill", "clear+town", "clear+soviet_city"])
@pytest.mark.parametrize("side", ["", "river", "road", "river+road"])
def test_zones_reach_into_every_terrain_and_across_rivers(ground: str, side: str) -> None:
    sides = {"1509/1510": side} if side else {}
    table = Table(
        "german-movement", {"1-inf": "1609", "10-rd": "1510"}, terrain={"1509": ground}, sides=sides
    )
    assert "1509" in controlled(table, SOVIET)


@rule("leningrad", "5.0")
@pytest.mark.parametrize("water", ["sea", "lake"])
def test_zones_do_not_cross_a_side_that_is_all_sea_or_all_lake(water: str) -> None:
    table = Table("german-movement", {"10-rd": "1510"}, sides={"1509/1510": water, "1410/1510": water})
    assert controlled(table, SOVIET) == AROUND_1510 - {"1509", "1410"}


@rule("leningrad", "5.0")
@pytest.mark.parametrize("water", ["sea", "lake"])
def test_zones_do_not_cover_hexes_of_water(water: str) -> None:
    table = Table("german-movement", {"10-rd": "1510"}, terrain={"1509": water})
    assert controlled(table, SOVIET) == AROUND_1510 - {"1509"}


@rule("leningrad", "5.0", "4.7")
def test_zones_inhibit_movement_but_not_over_water() -> None:
    where = {"1-inf": "1408", "10-rd": "1510"}
    on_land = Table("german-movement", where).do("pick 1-inf", "step 1509")
    assert on_land.offered("step") == set()
    over_water = Table("german-movement", where, sides={"1509/1510": "lake"}).do("pick 1-inf", "step 1509")
    assert "1508" in over_water.offered("step")
    assert over_water.left("1-inf") == 5


@rule("leningrad", "5.0", "10.7")
def test_zones_hinder_retreat() -> None:
    where = {"1-pz": "1510", "10-rd": "1509", "1-inf": "1607"}  # 1-inf controls 1508 and 1608
    table = Table("german-combat", where, strengths={"10-rd": "inf-1-1"})
    table.do("target 1509", "join 1-pz", "fight", "roll 1", "retreat")
    assert table.offered("fall-back") == {"10-rd 1408"}


@rule("leningrad", "5.0", "11.3")
def test_zones_cut_supply_lines() -> None:
    def shifts(germans: dict[str, str]) -> dict[str, int]:
        table = Table("german-combat", {"10-rd": "1608", **germans}, strengths={"10-rd": "inf-1-1"})
        return table.do("target 1608", "join 1-inf", "fight").shifts()

    assert "defender-unsupplied" not in shifts({"1-inf": "1607"})
    both_ends = {"1-inf": "1607", "11-inf": "1609"}  # together they control all six hexes round 1608
    assert shifts(both_ends)["defender-unsupplied"] == 2


@rule("leningrad", "5.0", "8.1")
def test_zones_are_mutual_so_that_each_side_may_attack_the_other() -> None:
    where = {"1-inf": "1510", "10-rd": "1509"}
    assert Table("german-combat", where).offered("target") == {"1509"}
    assert Table("soviet-combat", where).offered("target") == {"1510"}
    table = Table("german-combat", where)
    assert "1509" in controlled(table, GERMAN)
    assert "1510" in controlled(table, SOVIET)


@rule("leningrad", "5.0", "6.1")
def test_several_zones_in_a_hex_do_no_more_than_one() -> None:
    def price_of_leaving(*enemies: str) -> float:
        where = dict(zip(("10-rd", "90-rd", "125-rd"), enemies, strict=False))
        table = Table("german-movement", {"1-pz": "1510", "1-inf": "1510", **where})
        return 8 - table.do("pick 1-pz", "step 1511").left("1-pz")

    assert price_of_leaving("1509") == price_of_leaving("1509", "1409", "1609") == 3


@rule("leningrad", "5.0")
def test_a_zone_vanishes_with_its_unit_and_moves_with_it() -> None:
    table = Table("soviet-movement", {"10-rd": "1510", "90-rd": "1510"})
    table.do("pick 10-rd", "step 1509")
    assert controlled(table, SOVIET) >= AROUND_1510 | {"1508", "1408", "1608"}
    table.do("halt", "pick 90-rd", "step 1509")
    assert "1511" not in controlled(table, SOVIET)
    table.state.kill(table.game.unit_index("10-rd"))
    assert controlled(table, SOVIET)
    table.state.kill(table.game.unit_index("90-rd"))
    assert not controlled(table, SOVIET)
