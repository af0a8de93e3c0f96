"""6.0 Disengagement."""

from __future__ import annotations

import pytest

from tests.games.leningrad.table import Table
from tests.rules import rule

PAIR = {"1-pz": "1510", "1-inf": "1510"}
ENEMY = {"10-rd": "1509"}


# 6.0


@rule("leningrad", "6.0")
def test_the_surcharge_comes_on_top_of_the_terrain() -> None:
    for ground, side, price in (
        ("clear", "", 1),
        ("marsh", "", 2),
        ("marsh", "river", 4),
        ("marsh", "road", 0.5),
    ):
        table = Table(
            "german-movement",
            {**PAIR, **ENEMY},
            terrain={"1511": ground},
            sides={"1510/1511": side} if side else {},
        )
        assert table.do("pick 1-pz", "step 1511").left("1-pz") == 8 - price - 2


@rule("leningrad", "6.0")
def test_a_unit_outside_enemy_zones_pays_no_surcharge() -> None:
    table = Table("german-movement", {**PAIR, "10-rd": "1508"}).do("pick 1-pz", "step 1511")
    assert table.left("1-pz") == 7


@rule("leningrad", "6.0")
def test_two_units_may_disengage_together_each_paying() -> None:
    table = Table("german-movement", {**PAIR, "36-mot": "1510", **ENEMY})
    table.do("pick 1-pz", "add 1-inf", "step 1511")
    assert (table.left("1-pz"), table.left("1-inf")) == (8 - 3, 6 - 4)
    assert table.where("36-mot") == "1510"


@rule("leningrad", "6.0")
def test_three_units_never_disengage_together() -> None:
    crowd = dict.fromkeys(("1-pz", "6-pz", "36-mot", "8-pz"), "0112")  # only the set-up has a fourth to stay
    table = Table("german-movement", {**crowd, "10-rd": "0111"}, turn=1)
    table.do("pick 1-pz", "add 6-pz", "add 36-mot")
    assert table.refused("step 0212") == ("disengage-stack", "6.0")
    assert table.offered("step") == set()
    assert table.do("drop 36-mot", "step 0212").where("6-pz") == "0212"


@rule("leningrad", "6.0")
def test_the_price_must_be_within_the_points_left() -> None:
    where = {"1-pz": "1512", "1-inf": "1510", **ENEMY}
    table = Table("german-movement", where, terrain={"1511": "marsh", "1510": "hill"})
    table.do("pick 1-pz", "step 1511", "step 1510")
    assert table.left("1-pz") == 8 - 2 - 2
    table.do("step 1511")
    assert table.left("1-pz") == 0  # exactly
    poorer = Table("german-movement", {**where, "1-pz": "1513"}, terrain={"1511": "marsh", "1510": "hill"})
    poorer.do("pick 1-pz", "step 1512", "step 1511", "step 1510")
    assert poorer.left("1-pz") == 3
    assert poorer.refused("step 1511") == ("too-dear", "4.1")


# 6.1


@rule("leningrad", "6.1")
@pytest.mark.parametrize("unit", ["1-pz", "36-mot"])
def test_german_armour_and_mechanised_units_pay_two(unit: str) -> None:
    table = Table("german-movement", {unit: "1510", "1-inf": "1510", **ENEMY})
    assert table.do(f"pick {unit}", "step 1511").left(unit) == 8 - 1 - 2


@rule("leningrad", "6.1")
@pytest.mark.parametrize("unit", ["1-pz", "36-mot"])
def test_they_disengage_at_any_time_and_pay_each_time(unit: str) -> None:
    where = {unit: "1510", "1-inf": "1510", "11-inf": "1512", "10-rd": "1509", "90-rd": "1513"}
    table = Table("german-movement", where)
    table.do(f"pick {unit}", "step 1511")  # out of the first zone: 3
    table.do("step 1512")  # into the second: 1
    assert table.left(unit) == 4
    table.do("step 1511")  # and out of it: 3
    assert table.left(unit) == 1
    assert table.where(unit) == "1511"


# 6.2


@rule("leningrad", "6.2")
@pytest.mark.parametrize(
    ("unit", "friend", "enemy", "allowance"),
    [("1-inf", "1-pz", "10-rd", 6), ("10-rd", "90-rd", "1-inf", 5), ("28-td", "90-rd", "1-inf", 8)],
)
def test_german_infantry_and_all_soviet_units_pay_three(
    unit: str, friend: str, enemy: str, allowance: int
) -> None:
    phase = "german-movement" if unit == "1-inf" else "soviet-movement"
    table = Table(phase, {unit: "1510", friend: "1510", enemy: "1509"})
    assert table.do(f"pick {unit}", "step 1511").left(unit) == allowance - 1 - 3


@rule("leningrad", "6.2")
@pytest.mark.parametrize("revealed", ["arm-2-2", "mech-4-3"])
def test_revealed_soviet_armour_still_pays_three(revealed: str) -> None:
    where = {"28-td": "1510", "90-rd": "1510", "1-inf": "1509"}
    table = Table("soviet-movement", where, strengths={"28-td": revealed})
    assert table.do("pick 28-td", "step 1511").left("28-td") == 8 - 1 - 3


@rule("leningrad", "6.2")
@pytest.mark.parametrize(("unit", "enemy"), [("1-inf", "10-rd"), ("10-rd", "1-pz"), ("28-td", "1-pz")])
def test_they_disengage_only_from_the_hex_where_they_began(unit: str, enemy: str) -> None:
    german = unit == "1-inf"
    friend = "11-inf" if german else "90-rd"
    where = {unit: "1511", friend: "1510", enemy: "1509"}
    table = Table("german-movement" if german else "soviet-movement", where, sides={"1510/1511": "road"})
    table.do(f"pick {unit}", "step 1510")
    assert table.refused("step 1511") == ("disengage-first", "6.2")
    assert table.offered("step") == set()


@rule("leningrad", "6.2")
def test_after_disengaging_they_may_move_on_with_what_is_left() -> None:
    table = Table("german-movement", {**PAIR, **ENEMY}).do(
        "pick 1-inf", "step 1511", "step 1512", "step 1513"
    )
    assert table.where("1-inf") == "1513"
    assert table.left("1-inf") == 0


@rule("leningrad", "6.2", "7.2")
def test_an_overrun_that_leaves_them_where_they_began_does_not_bar_them() -> None:
    """Ruling: 6.2 asks from which hex a unit leaves, not when."""
    tanks = dict.fromkeys(("28-td", "2-td", "5-td"), "1510")
    strengths = {"28-td": "arm-6-4", "2-td": "arm-5-3", "5-td": "arm-4-3"}
    table = Table("soviet-movement", {**tanks, "1-inf": "1509"}, strengths=strengths)
    table.do("pick 28-td", "add 2-td", "add 5-td", "overrun 1509", "roll 6")  # 3-1, left 2, right 1: 1/-
    table.do("lose 1-inf")
    assert table.left("28-td") == 5
    assert table.refused("step 1511") == ("disengage-stack", "6.0")
    table.do("drop 5-td", "step 1511")
    assert (table.where("28-td"), table.where("2-td")) == ("1511", "1511")
    assert table.left("28-td") == 5 - 1 - 3


@rule("leningrad", "6.2", "13.4")
def test_after_such_an_overrun_the_first_hex_out_of_an_interdicted_one_is_still_dear() -> None:
    tanks = dict.fromkeys(("28-td", "2-td", "5-td"), "1510")
    strengths = {"28-td": "arm-6-4", "2-td": "arm-5-3", "5-td": "arm-4-3"}
    table = Table("soviet-movement", {**tanks, "1-inf": "1509"}, strengths=strengths, interdicted=["1510"])
    table.do("pick 28-td", "add 2-td", "add 5-td", "overrun 1509", "roll 6", "lose 1-inf")
    table.do("drop 2-td", "drop 5-td", "step 1511")
    assert table.left("28-td") == 8 - 3 - (2 * 1 + 3)


@rule("leningrad", "6.2")
def test_a_unit_that_has_come_back_to_its_first_hex_does_not_disengage_from_it() -> None:
    """Ruling: it is in the middle of its move."""
    where = {"28-td": "1510", "90-rd": "1510", "1-inf": "1509"}
    table = Table("soviet-movement", where, sides={"1510/1511": "road"})
    table.do("pick 28-td", "step 1511", "step 1510")
    assert table.left("28-td") == 8 - 3.5 - 0.5
    assert table.refused("step 1511") == ("disengage-first", "6.2")


# 6.3


@rule("leningrad", "6.3")
@pytest.mark.parametrize("unit", ["1-pz", "1-inf"])
def test_a_lone_unit_does_not_disengage(unit: str) -> None:
    table = Table("german-movement", {unit: "1510", **ENEMY}).do(f"pick {unit}")
    assert table.refused("step 1511") == ("nobody-stays", "6.3")
    assert table.offered("step") == set()


@rule("leningrad", "6.3")
def test_a_stack_of_two_does_not_disengage_whole() -> None:
    table = Table("german-movement", {**PAIR, **ENEMY}).do("pick 1-pz", "add 1-inf")
    assert table.refused("step 1511") == ("nobody-stays", "6.3")
    table.do("drop 1-inf", "step 1511")
    assert table.where("1-inf") == "1510"


@rule("leningrad", "6.3")
def test_a_fort_is_nobody_who_could_stay() -> None:
    table = Table("soviet-movement", {"10-rd": "1510", "1-inf": "1509"}, forts=["1510"]).do("pick 10-rd")
    assert table.refused("step 1511") == ("nobody-stays", "6.3")


@rule("leningrad", "6.3")
def test_a_friend_in_another_hex_is_not_enough() -> None:
    table = Table("german-movement", {"1-pz": "1510", "1-inf": "1511", **ENEMY}).do("pick 1-pz")
    assert table.refused("step 1511") == ("nobody-stays", "6.3")


@rule("leningrad", "6.3")
def test_two_leave_a_fourth_moves_up_and_the_third_leaves() -> None:
    """The book's own example."""
    where = {"1-inf": "1510", "11-inf": "1510", "21-inf": "1510", "61-inf": "1511"}
    table = Table("german-movement", {**where, **ENEMY})
    table.do("pick 1-inf", "add 11-inf", "step 1511", "step 1512", "halt")
    assert table.refusal("pick 21-inf") is None
    assert Table("german-movement", {"21-inf": "1510", **ENEMY}).do("pick 21-inf").offered("step") == set()
    table.do("pick 61-inf", "step 1510", "halt")
    table.do("pick 21-inf", "step 1511", "halt")
    assert [table.where(u) for u in where] == ["1512", "1512", "1511", "1510"]


# 6.4


@rule("leningrad", "6.4")
@pytest.mark.parametrize(("unit", "enemy"), [("1-pz", "10-rd"), ("1-inf", "10-rd"), ("28-td", "21-inf")])
def test_no_unit_disengages_into_another_enemy_zone(unit: str, enemy: str) -> None:
    german = enemy == "10-rd"
    friend, phase = ("11-inf", "german-movement") if german else ("90-rd", "soviet-movement")
    table = Table(phase, {unit: "1510", friend: "1510", enemy: "1509"}).do(f"pick {unit}")
    for still_next_to_the_enemy in ("1409", "1609"):
        assert table.refused(f"step {still_next_to_the_enemy}") == ("zone-to-zone", "6.4")
    assert table.offered("step") == {"1410", "1511", "1610"}


@rule("leningrad", "6.4")
def test_the_zone_of_another_enemy_counts_as_much() -> None:
    table = Table("german-movement", {**PAIR, **ENEMY, "90-rd": "1512"}).do("pick 1-pz")
    assert table.refused("step 1511") == ("zone-to-zone", "6.4")
    assert table.offered("step") == {"1410", "1610"}


@rule("leningrad", "6.4")
def test_a_friend_in_the_next_hex_does_not_help() -> None:
    table = Table("german-movement", {**PAIR, "11-inf": "1609", **ENEMY}).do("pick 1-pz")
    assert table.refused("step 1609") == ("zone-to-zone", "6.4")


@rule("leningrad", "6.4")
def test_a_unit_that_has_disengaged_may_go_on_into_an_enemy_zone() -> None:
    table = Table("german-movement", {**PAIR, **ENEMY, "90-rd": "1513"})
    table.do("pick 1-pz", "step 1511", "step 1512")
    assert table.where("1-pz") == "1512"
