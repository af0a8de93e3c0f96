"""40 Replacements."""

from __future__ import annotations

from fractions import Fraction

import pytest

from grognard.games.second_front.rules.replacements import (
    Cost,
    cadre_cost,
    cost,
    disbanded,
    limits,
    may_rebuild,
    never_replaced,
    production,
    rebuild_cost,
    special,
    within_limits,
)
from grognard.games.second_front.units import CM
from tests.games.second_front.field import allied, piece, unit
from tests.rules import rule

HALF = Fraction(1, 2)


@rule("second_front", "40", "40B", "40B1a")
def test_a_point_of_attack_costs_a_point() -> None:
    """The example: a division of 7-6 on its cadre side of 3-6 takes 4 to rebuild."""
    division = unit("7-6", cadre="3-6")
    assert rebuild_cost(division) == Cost(Fraction(0), Fraction(4))
    assert cost(division).infantry == 7 and cadre_cost(division).infantry == 3
    assert cost(unit("0-2-5", "construction_engineer", "III")).infantry == 2, "by its defence"
    assert cost(unit("0-0-8", "hq_division", "HQ")).infantry == 1


@rule("second_front", "40B1a")
def test_motors_cost_armour_points() -> None:
    """The examples: a panzer brigade of 6-10 takes 5 and 1, a panzer battalion of 4-2-10 takes 4; a panzer
    division of 14-10 over a cadre of 6-8 is worth 5 and 3."""
    assert cost(unit("6-10", "tank", "X")) == Cost(Fraction(5), Fraction(1))
    assert cost(unit("4-2-10", "tank", "II")) == Cost(Fraction(4), Fraction(0))
    assert rebuild_cost(unit("14-10", "panzer_division", cadre="6-8")) == Cost(Fraction(5), Fraction(3))
    assert cost(allied("5-3-10", "tank", "X").unit) == Cost(Fraction(5), Fraction(0)), "a US armoured brigade"
    assert cost(unit("0-0-10", "hq_division", "HQ", klass=CM)) == Cost(HALF, HALF)
    assert cost(allied("3-6", "mixed", "X").unit) == Cost(Fraction(1), Fraction(2))


@rule("second_front", "40B1a")
def test_a_cadre_is_rebuilt_in_a_supplied_city_out_of_enemy_zones() -> None:
    assert may_rebuild(True, True, False, False)
    for changed in ((False, True, False, False), (True, False, False, False), (True, True, True, False)):
        assert not may_rebuild(*changed)
    assert not may_rebuild(True, True, False, True)


@rule("second_front", "40B1")
def test_lost_cities_lower_what_a_district_produces() -> None:
    assert production(Fraction(4), 5, 0) == 4 and production(Fraction(4), 5, 2) == 3
    assert production(Fraction(1), 5, 4) == 0 and production(Fraction(4), 2, 2) == 0, "none without a city"


@rule("second_front", "40B2", "40B3")
@pytest.mark.parametrize(
    ("type_", "axis", "allies"),
    [
        ("combat_engineer", {"engineer": 2}, {"engineer": 2}),
        ("assault_engineer", {"engineer": 2}, {"engineer": 2}),
        ("flame_tank", {"specialised armour": 2}, {"specialised armour": 2}),
        ("rocket", {"artillery": 2}, {}),
        ("amphibious_tank", {}, {"amphibious": 2}),
        ("parachute", {"airborne": 6}, {"airborne": 6}),
        ("para_commando", {"airborne": 6, "commando": 6}, {"airborne": 6, "commando": 6}),
        ("infantry", {}, {}),
    ],
)
def test_some_kinds_are_replaced_slowly(type_: str, axis: dict[str, int], allies: dict[str, int]) -> None:
    assert limits(piece("1-6", type_, "II")) == axis
    assert limits(allied("1-6", type_, "II", nation="British")) == allies


@rule("second_front", "40B2", "40B3")
def test_a_unit_counts_in_every_kind_it_belongs_to() -> None:
    """The example: a battalion of para commandos is half a RE of airborne troops and of commandos."""
    battalion = piece("1-6", "para_commando", "II")
    assert within_limits(battalion, {"airborne": HALF})
    assert not within_limits(battalion, {"airborne": HALF, "commando": Fraction(1)})
    assert not within_limits(piece("6-6", "parachute"), {}), "a division of paratroops is left to its parts"


@rule("second_front", "40B2", "40B3")
def test_some_are_never_replaced() -> None:
    assert never_replaced(unit("0-4-0", "port_fortification", "X")) and never_replaced(
        unit("1-6", "high_mountain", "II")
    )
    assert never_replaced(allied("1-6", "marine_commando", "II").unit), "American"
    assert not never_replaced(allied("1-6", "marine_commando", "II", nation="British").unit)


@rule("second_front", "40B4")
def test_losses_give_back_infantry() -> None:
    german, tanks = unit("8-6", cadre="3-6"), unit("12-10", "panzer_division")
    american = allied("10-8").unit
    found = special(
        [(german, True, False), (tanks, False, False), (american, False, False), (american, False, True)]
    )
    assert found == {"German": Fraction(5 + 12, 4), "American": Fraction(10, 5)}
    assert special([(unit("0-5-0", "port_fortification", "X"), False, False)]) == {"German": Fraction(2, 4)}


@rule("second_front", "40D", "40D1")
def test_disbanding_gives_back_what_a_unit_costs_and_the_british_a_little_more() -> None:
    assert disbanded(piece("6-6")).infantry == 6
    assert disbanded(allied("8-8", nation="British")).infantry == 8 + 3
    assert disbanded(allied("8-8", nation="British", cadre="3-8", reduced=True)).infantry == 3 + 1
    assert disbanded(allied("0-0-8", "hq_division", "HQ", nation="British")).infantry == 1
