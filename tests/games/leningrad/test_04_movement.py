"""4.0 Movement."""

from __future__ import annotations

import pytest

from grognard.games.leningrad import load
from grognard.kernel import Refusal, refusal
from tests.games.leningrad.battles import attack, overrun, road
from tests.games.leningrad.table import Table
from tests.rules import rule

AROUND_1510 = {"1509", "1511", "1409", "1410", "1609", "1610"}


def alone(unit: str, hex_: str = "1510", **how: object) -> Table:
    """One unit in hand on an otherwise empty map."""
    phase = "soviet-movement" if unit.endswith(("rd", "td")) else "german-movement"
    return Table(phase, {unit: hex_}, **how).do(f"pick {unit}")  # type: ignore[arg-type]


# 4.0


@rule("leningrad", "4.0")
def test_each_player_moves_his_own_units_in_his_own_movement_phase() -> None:
    where = {"1-inf": "1510", "10-rd": "2003"}
    german, soviet = Table("german-movement", where), Table("soviet-movement", where)
    assert (german.offered("pick"), soviet.offered("pick")) == ({"1-inf"}, {"10-rd"})
    assert german.refused("pick 10-rd") == ("not-yours", "4.0")
    assert soviet.refused("pick 1-inf") == ("not-yours", "4.0")
    for phase in ("german-combat", "soviet-combat"):
        assert Table(phase, where).refused("pick 1-inf")[0] == "not-now"


@rule("leningrad", "4.0")
def test_units_off_the_map_are_not_moved() -> None:
    table = Table("german-movement", {"1-inf": "1510"})
    assert table.refused("pick 11-inf") == ("not-on-map", "4.0")


@rule("leningrad", "4.0")
def test_a_unit_may_go_in_any_direction_and_change_it_from_hex_to_hex() -> None:
    table = alone("1-inf")
    assert table.offered("step") == AROUND_1510
    table.do("step 1509", "step 1609", "step 1610", "step 1511", "step 1410", "step 1510")
    assert table.where("1-inf") == "1510"


@rule("leningrad", "4.0")
def test_there_is_no_ordinary_combat_in_the_movement_phase_but_overruns() -> None:
    table = Table("german-movement", {"1-inf": "1510", "10-rd": "1509"})
    assert table.refused("target 1509")[0] == "not-now"
    table.do("pick 1-inf")
    assert table.refused("target 1509")[0] == "not-now"
    assert table.offered("overrun") == {"1509"}


@rule("leningrad", "4.0")
def test_the_phase_lasts_until_the_player_says_it_is_over() -> None:
    table = alone("1-inf").do("step 1509", "halt")
    assert table.turn_phase == "german-movement"
    assert table.options == {"end"}
    assert table.do("end").turn_phase == "german-combat"


POSITIONS = {
    "lone unit": ("german-movement", {"1-inf": "1510"}, ["pick 1-inf"]),
    "edge": ("german-movement", {"1-inf": "0101"}, ["pick 1-inf"]),
    "in contact": ("german-movement", {"1-pz": "1510", "1-inf": "1510", "10-rd": "1509"}, ["pick 1-pz"]),
    "stack in contact": (
        "german-movement",
        {"1-pz": "1510", "1-inf": "1510", "36-mot": "1510", "10-rd": "1509", "90-rd": "1611"},
        ["pick 1-pz", "add 1-inf"],
    ),
    "moved into contact": (
        "german-movement",
        {"1-pz": "1512", "1-inf": "1510", "10-rd": "1509"},
        ["pick 1-pz", "step 1511", "step 1510"],
    ),
    "crowd": (
        "soviet-movement",
        {
            "10-rd": "1510",
            "90-rd": "1510",
            "125-rd": "1509",
            "48-rd": "1509",
            "5-rd": "1609",
            "1-inf": "1512",
        },
        ["pick 10-rd", "add 90-rd"],
    ),
    "set down": (
        "german-movement",
        {"1-pz": "1510", "1-inf": "1510", "10-rd": "1504"},
        ["pick 1-pz", "add 1-inf", "step 1509", "drop 1-inf", "step 1508"],
    ),
}


@rule("leningrad", "4.0")
@pytest.mark.parametrize("position", POSITIONS)
def test_what_is_on_offer_is_exactly_what_is_not_refused(position: str) -> None:
    phase, units, actions = POSITIONS[position]
    sides = {"1510/1610": "lake", "1409/1510": "river", "1509/1510": "road"}
    table = Table(phase, units, sides=sides, terrain={"1609": "marsh", "1410": "hill"}).do(*actions)
    decision = table.game.decision(table.state)
    assert decision is not None
    asked: list[str] = []
    for verb, (kinds, _) in decision.verbs.items():
        if kinds == ():
            asked.append(verb)
        elif kinds == ("hex",):
            asked += [f"{verb} {table.game.board.number(cell)}" for cell in table.game.board.cells]
        else:
            asked += [f"{verb} {unit.id}" for unit in table.game.units]
    assert {text for text in asked if table.refusal(text) is None} == table.options


# 4.1


@rule("leningrad", "4.1", "4.2", "4.9")
def test_a_unit_pays_for_the_terrain_it_enters() -> None:
    table = Table("german-movement", {"1-inf": "0512"}, terrain={"0612": "marsh"}, turn=3)
    table.do("pick 1-inf", "step 0612")
    assert table.left("1-inf") == 6 - 2


@rule("leningrad", "4.1")
def test_a_unit_never_spends_more_than_it_has_left() -> None:
    table = alone("1-inf", "1513", terrain={"1507": "marsh"})
    table.do("step 1512", "step 1511", "step 1510", "step 1509", "step 1508")
    assert table.left("1-inf") == 1
    assert table.refused("step 1507") == ("too-dear", "4.1")
    assert "1507" not in table.offered("step")
    assert table.refusal("step 1608") is None


@rule("leningrad", "4.1")
def test_a_unit_need_not_use_its_allowance_and_saves_nothing_for_later() -> None:
    table = alone("1-inf").do("step 1509", "halt")
    assert table.left("1-inf") == 5
    assert table.refused("pick 1-inf") == ("moved-already", "4.5")
    table.do("end")
    while table.turn_phase != "german-movement":
        table.do("end")
    assert table.left("1-inf") == 0
    assert table.do("pick 1-inf").left("1-inf") == 6


@rule("leningrad", "4.1", "4.5")
def test_points_are_not_lent_from_one_unit_of_a_stack_to_another() -> None:
    table = Table("german-movement", {"1-pz": "1513", "1-inf": "1513"}).do("pick 1-pz", "add 1-inf")
    table.do(*(f"step 15{row:02}" for row in range(12, 6, -1)))
    assert (table.left("1-pz"), table.left("1-inf")) == (2, 0)
    assert table.refused("step 1506") == ("too-dear", "4.1")


# 4.2, 4.9: the chart


@rule("leningrad", "4.9", "4.2", "2.2")
@pytest.mark.parametrize(
    ("ground", "side", "infantry", "mobile"),
    [
        ("clear", "", 1, 1),
        ("clear", "road", 1, 0.5),
        ("clear+town", "", 1, 0.5),
        ("clear+soviet_city", "", 1, 0.5),
        ("marsh", "", 2, 2),
        ("hill", "", 2, 2),
        ("clear", "river", 2, 2),
        ("clear+town", "river", 2, 1),
        ("clear+soviet_city", "river", 2, 1),
        ("marsh", "river", 4, 4),  # note 2 of the chart
        ("hill", "river", 4, 4),
        ("marsh", "road", 1, 0.5),
        ("hill", "road", 1, 0.5),
        ("clear+village", "", 1, 1),
        ("marsh+village", "", 2, 2),
        ("clear+woods", "", 1, 1),
        ("marsh+town", "", 1, 0.5),
    ],
)
@pytest.mark.parametrize("unit", ["1-inf", "10-rd", "1-pz", "36-mot", "28-td"])
def test_the_price_of_a_hex(unit: str, ground: str, side: str, infantry: float, mobile: float) -> None:
    sides = {"1509/1510": side} if side else {}
    table = alone(unit, terrain={"1509": ground}, sides=sides)
    before = table.left(unit)
    table.do("step 1509")
    assert before - table.left(unit) == (infantry if unit in ("1-inf", "10-rd") else mobile)


@rule("leningrad", "4.2")
def test_a_road_does_not_help_a_unit_that_enters_by_another_side() -> None:
    roads = {"1508/1509": "road", "1509/1609": "road"}
    table = alone("1-pz", terrain={"1509": "marsh"}, sides=roads).do("step 1509")
    assert table.left("1-pz") == 8 - 2
    assert table.do("step 1508").left("1-pz") == 8 - 2 - 0.5


@rule("leningrad", "4.2")
def test_a_bridge_gives_the_road_rate_without_doubling() -> None:
    """Ruling: the road rate replaces the whole price."""
    table = alone("1-pz", terrain={"1509": "marsh"}, sides={"1509/1510": "river+road"}).do("step 1509")
    assert table.left("1-pz") == 8 - 0.5
    table = alone("1-inf", terrain={"1509": "marsh"}, sides={"1509/1510": "river+road"}).do("step 1509")
    assert table.left("1-inf") == 6 - 1


@rule("leningrad", "4.2", "4.9")
def test_the_price_depends_on_the_hex_entered_and_not_on_the_one_left() -> None:
    table = alone("1-inf", terrain={"1510": "marsh"}).do("step 1509")
    assert table.left("1-inf") == 6 - 1


@rule("leningrad", "4.9", "15.2")
def test_an_empty_fort_doubles_the_price_for_germans_only() -> None:
    assert alone("1-inf", forts=["1509"]).do("step 1509").left("1-inf") == 6 - 2
    assert alone("10-rd", forts=["1509"]).do("step 1509").left("10-rd") == 5 - 1
    marsh = alone("1-inf", forts=["1509"], terrain={"1509": "marsh"}).do("step 1509")
    assert marsh.left("1-inf") == 6 - 4


@rule("leningrad", "4.9")
@pytest.mark.parametrize("water", ["sea", "lake"])
def test_a_side_that_is_all_water_is_never_crossed(water: str) -> None:
    table = alone("1-pz", sides={"1509/1510": water})
    assert table.refused("step 1509") == ("water-side", "4.9")
    assert table.offered("step") == AROUND_1510 - {"1509"}


@rule("leningrad", "4.9")
@pytest.mark.parametrize("water", ["sea", "lake"])
def test_a_hex_of_water_is_never_entered(water: str) -> None:
    table = alone("1-pz", terrain={"1509": water})
    assert table.refused("step 1509") == ("water-side", "4.9")


@rule("leningrad", "4.9")
def test_a_hex_of_the_real_map_is_a_town_or_a_soviet_city_but_not_both() -> None:
    """Ruling: two lines of the chart name two kinds of hex."""
    game = load()
    assert not game.board.with_feature("town") & game.soviet_cities
    assert game.soviet_cities & game.leningrad_set == game.leningrad_set


# 4.3: the minimum move


@rule("leningrad", "4.3")
def test_a_unit_may_always_go_one_hex_for_all_its_points() -> None:
    table = alone("1-inf", terrain={"1509": "marsh"}, sides={"1509/1510": "river"}, forts=["1509"])
    # 2 for marsh, doubled twice: 8
    assert table.do("step 1509").left("1-inf") == 0
    assert (table.where("1-inf"), table.asked) == ("1509", "pick-unit")


@rule("leningrad", "4.3")
def test_the_minimum_move_is_made_only_from_the_hex_where_the_phase_began() -> None:
    table = alone("1-inf", "1511", terrain={"1509": "marsh"}, sides={"1509/1510": "river"}, forts=["1509"])
    table.do("step 1510")
    assert table.refused("step 1509") == ("too-dear", "4.1")


@rule("leningrad", "4.5")
def test_a_unit_told_to_stay_has_had_its_move() -> None:
    table = Table("german-movement", {"1-inf": "1511", "11-inf": "1511"}).do("pick 1-inf", "halt")
    assert table.refused("pick 1-inf") == ("moved-already", "4.5")
    assert table.do("pick 11-inf").refused("add 1-inf") == ("cannot-join", "4.5")


@rule("leningrad", "4.3", "11.1")
def test_a_unit_out_of_supply_pays_its_halved_allowance_for_the_minimum_move() -> None:
    table = alone("10-rd", terrain={"1509": "marsh"}, sides={"1509/1510": "river"}, supply_range=0)
    assert table.left("10-rd") == 2
    assert table.do("step 1509").where("10-rd") == "1509"
    assert table.left("10-rd") == 0


@rule("leningrad", "4.3", "4.9")
def test_the_minimum_move_does_not_cross_water() -> None:
    table = alone("10-rd", sides={"1509/1510": "lake"}, supply_range=0)
    assert table.refused("step 1509") == ("water-side", "4.9")


@rule("leningrad", "4.3", "6.2")
def test_the_minimum_move_may_be_a_disengagement() -> None:
    """Ruling: 2 points are left out of supply, and leaving would cost 4."""
    table = Table("soviet-movement", {"10-rd": "1510", "90-rd": "1510", "1-inf": "1509"}, supply_range=0)
    table.do("pick 10-rd")
    assert table.left("10-rd") == 2
    assert table.do("step 1511").left("10-rd") == 0


@rule("leningrad", "4.3", "6.3", "6.4")
def test_the_minimum_move_must_still_leave_a_friend_and_avoid_enemy_zones() -> None:
    table = Table("soviet-movement", {"10-rd": "1510", "1-inf": "1509"}, supply_range=0).do("pick 10-rd")
    assert table.refused("step 1511") == ("nobody-stays", "6.3")
    table = Table("soviet-movement", {"10-rd": "1510", "90-rd": "1510", "1-inf": "1509"}, supply_range=0)
    table.do("pick 10-rd")
    assert table.refused("step 1609") == ("zone-to-zone", "6.4")


@rule("leningrad", "4.3", "7.3")
def test_the_minimum_move_is_never_an_overrun() -> None:
    """Ruling: two points do not buy an overrun."""
    table = Table("soviet-movement", {"10-rd": "1510", "1-inf": "1509"}, supply_range=0).do("pick 10-rd")
    assert table.refused("overrun 1509") == ("overrun-points", "7.3")


@rule("leningrad", "4.3")
def test_points_spent_on_an_overrun_rule_out_the_minimum_move() -> None:
    stack = dict.fromkeys(("1-inf", "11-inf", "21-inf"), "1510")
    table = Table("german-movement", {**stack, "10-rd": "1509"}, strengths={"10-rd": "inf-4-5"})
    table.do("pick 1-inf", "add 11-inf", "overrun 1509", "roll 5")  # 1-1, left 2: 1-3, -/2
    table.do("lose 1-inf", "lose 11-inf", "drop 11-inf")
    assert table.left("1-inf") == 6 - 3
    assert table.refused("step 1511") == ("too-dear", "4.1")  # 1 and 3 to disengage


# 4.4


@rule("leningrad", "4.4")
def test_a_hex_with_an_enemy_unit_is_neither_entered_nor_crossed() -> None:
    for mover, enemy in (("1-pz", "10-rd"), ("28-td", "1-inf")):
        phase = "german-movement" if mover == "1-pz" else "soviet-movement"
        table = Table(phase, {mover: "1510", enemy: "1509"}).do(f"pick {mover}")
        assert table.refused("step 1509") == ("enemy-there", "4.4")
        assert "1509" not in table.offered("step")


# 4.5: stacks


@rule("leningrad", "4.5")
def test_up_to_three_units_of_one_hex_move_together() -> None:
    table = Table("german-movement", {"1-pz": "1510", "6-pz": "1510", "36-mot": "1510"})
    table.do("pick 1-pz", "add 6-pz", "add 36-mot", "step 1509", "halt")
    assert {table.where(u) for u in ("1-pz", "6-pz", "36-mot")} == {"1509"}
    for unit in ("1-pz", "6-pz", "36-mot"):
        assert table.refused(f"pick {unit}") == ("moved-already", "4.5")


@rule("leningrad", "4.5", "4.6")
def test_no_more_than_three_move_together_even_out_of_the_german_set_up() -> None:
    four = dict.fromkeys(("1-pz", "6-pz", "36-mot", "8-pz"), "0112")
    table = Table("german-movement", four, turn=1).do("pick 1-pz", "add 6-pz", "add 36-mot")
    assert table.refused("add 8-pz") == ("stack-of-three", "4.5")
    assert table.offered("add") == set()


@rule("leningrad", "4.5")
def test_units_of_different_hexes_do_not_move_together() -> None:
    table = Table("german-movement", {"1-pz": "1510", "6-pz": "1509"}).do("pick 1-pz")
    assert table.refused("add 6-pz") == ("cannot-join", "4.5")
    table.do("step 1509")
    assert table.refused("add 6-pz") == ("cannot-join", "4.5")
    assert table.offered("add") == set()


@rule("leningrad", "4.5")
def test_a_unit_that_arrived_in_this_phase_does_not_leave_with_those_it_found() -> None:
    table = Table("german-movement", {"1-pz": "1510", "6-pz": "1509"})
    table.do("pick 1-pz", "step 1509", "halt", "pick 6-pz")
    assert table.refused("add 1-pz") == ("cannot-join", "4.5")


@rule("leningrad", "4.5")
def test_an_enemy_is_refused_as_one_and_not_as_a_fourth_unit() -> None:
    units = {"1-pz": "1510", "6-pz": "1510", "36-mot": "1510", "10-rd": "1509"}
    table = Table("german-movement", units).do("pick 1-pz", "add 6-pz", "add 36-mot")
    assert table.refused("add 10-rd") == ("cannot-join", "4.5")


@rule("leningrad", "4.5")
def test_only_ones_own_units_join_a_stack_and_only_once() -> None:
    table = Table("german-movement", {"1-pz": "1510", "6-pz": "1510", "10-rd": "1509"}).do("pick 1-pz")
    assert table.refused("add 10-rd") == ("cannot-join", "4.5")
    assert table.refused("add 1-pz") == ("cannot-join", "4.5")


@rule("leningrad", "4.5")
def test_each_unit_of_a_stack_pays_its_own_price() -> None:
    """Ruling: on a road armour pays a half and infantry one."""
    table = Table("german-movement", {"1-pz": "1510", "1-inf": "1510"}, sides={"1509/1510": "road"})
    table.do("pick 1-pz", "add 1-inf", "step 1509")
    assert (table.left("1-pz"), table.left("1-inf")) == (7.5, 5)


@rule("leningrad", "4.5")
@pytest.mark.parametrize("order", ["1-pz 1-inf", "1-inf 1-pz"])
def test_a_stack_stops_with_its_slowest_unit_and_the_others_may_go_on_without_it(order: str) -> None:
    first, second = order.split()
    table = Table("german-movement", {"1-pz": "1513", "1-inf": "1513"}).do(f"pick {first}", f"add {second}")
    table.do(*(f"step 15{row:02}" for row in range(12, 6, -1)))
    assert table.offered("step") == set()
    table.do("drop 1-inf", "step 1506", "step 1505")
    assert (table.where("1-pz"), table.where("1-inf")) == ("1505", "1507")


@rule("leningrad", "4.5")
def test_a_unit_that_parts_keeps_its_points_and_may_go_on_by_itself() -> None:
    """Ruling: while the move of its stack is in progress."""
    table = Table("german-movement", {"1-pz": "1510", "6-pz": "1510"})
    table.do("pick 1-pz", "add 6-pz", "step 1509", "drop 6-pz", "step 1508", "halt")
    assert table.options == {"take 6-pz", "halt"}
    table.do("take 6-pz")
    assert table.left("6-pz") == 7
    table.do("step 1609", "halt")
    assert (table.where("1-pz"), table.where("6-pz")) == ("1508", "1609")


@rule("leningrad", "4.5")
def test_a_unit_that_parted_is_done_once_its_stack_is_set_down_for_good() -> None:
    table = Table("german-movement", {"1-pz": "1510", "6-pz": "1510", "8-pz": "1512"})
    table.do("pick 1-pz", "add 6-pz", "step 1509", "drop 6-pz", "halt", "halt", "pick 8-pz", "halt")
    assert table.refused("pick 6-pz") == ("moved-already", "4.5")


@rule("leningrad", "4.5")
def test_a_unit_in_hand_must_be_set_down_before_one_set_aside_is_taken() -> None:
    table = Table("german-movement", {"1-pz": "1510", "6-pz": "1510"})
    table.do("pick 1-pz", "add 6-pz", "step 1509", "drop 6-pz")
    assert table.refused("take 6-pz") == ("hand-first", "4.5")
    table.do("halt")
    assert table.refused("take 1-pz") == ("not-set-aside", "4.5")
    assert table.refused("step 1508") == ("nothing-in-hand", "4.5")


@rule("leningrad", "4.5")
def test_the_last_unit_of_a_stack_is_not_dropped_but_halted() -> None:
    table = alone("1-pz").do("step 1509")
    assert table.refused("drop 1-pz") == ("nothing-to-drop", "4.5")
    assert table.refusal("drop 1-pz") == refusal("nothing-to-drop", "4.5", unit=table.game.unit_index("1-pz"))


@rule("leningrad", "4.1", "4.5")
def test_a_unit_with_half_a_point_left_may_still_take_a_road() -> None:
    table = alone("1-pz", "1513", sides=road("1513", "1512") | road("1505", "1504"))
    table.do(*(f"step 15{row:02}" for row in range(12, 4, -1)))
    assert table.left("1-pz") == 0.5
    assert table.options == {"step 1504", "halt"}
    assert table.do("step 1504").left("1-pz") == 0
    assert table.asked == "pick-unit"  # nothing is left to ask
    assert table.refused("pick 1-pz") == ("moved-already", "4.5")


@rule("leningrad", "4.5")
def test_only_a_unit_in_hand_is_set_down() -> None:
    table = Table("german-movement", {"1-pz": "1510", "6-pz": "1510", "8-pz": "1512"})
    table.do("pick 1-pz", "add 6-pz")
    assert table.refused("drop 8-pz") == ("not-in-hand", "4.5")
    assert table.do("step 1509").refused("drop 8-pz") == ("not-in-hand", "4.5")
    assert table.do("drop 6-pz").refused("drop 6-pz") == ("not-in-hand", "4.5")


@rule("leningrad", "4.5")
def test_a_unit_may_leave_the_stack_before_the_stack_has_moved() -> None:
    """A stack for which no hex has room must be able to part."""
    pairs = {"125-rd": "1006", "48-rd": "1006", "5-rd": "0906", "33-rd": "0906", "23-rd": "1106"}
    pairs |= {"126-rd": "1106", "10-rd": "1005", "90-rd": "1005", "1-pz": "1013"}
    table = Table("soviet-movement", pairs, turn=1).do("pick 10-rd", "add 90-rd")
    assert table.offered("step") == set()
    assert table.refused("halt") == ("must-go-on", "17.2")
    table.do("drop 90-rd")
    assert table.refused("add 90-rd") == ("just-set-down", "4.5")
    assert table.do("step 1006").where("10-rd") == "1006"


@rule("leningrad", "4.5")
def test_units_set_down_together_go_on_together() -> None:
    stack = dict.fromkeys(("1-pz", "6-pz", "36-mot"), "1510")
    table = Table("german-movement", stack).do("pick 1-pz", "add 6-pz", "add 36-mot", "step 1509")
    table.do("drop 6-pz", "drop 36-mot", "step 1508", "halt", "take 36-mot")
    assert table.offered("add") == {"6-pz"}
    table.do("add 6-pz", "step 1409", "halt")
    assert [table.where(u) for u in stack] == ["1508", "1409", "1409"]
    assert [table.left(u) for u in stack] == [6, 6, 6]


@rule("leningrad", "4.5")
def test_units_that_stand_apart_do_not_go_on_together() -> None:
    stack = dict.fromkeys(("1-pz", "6-pz", "36-mot"), "1510")
    table = Table("german-movement", stack).do("pick 1-pz", "add 6-pz", "add 36-mot", "step 1509")
    table.do("drop 6-pz", "step 1508", "drop 36-mot", "step 1507", "halt", "take 36-mot")
    assert table.offered("add") == set()
    assert table.refused("add 6-pz") == ("cannot-join", "4.5")


@rule("leningrad", "4.5")
def test_a_stack_that_comes_back_takes_along_whom_it_set_down() -> None:
    """Ruling: they began the phase in the same hex, and nothing else is asked."""
    table = Table("german-movement", {"1-pz": "1510", "6-pz": "1510"})
    table.do("pick 1-pz", "add 6-pz", "step 1509", "drop 6-pz")
    assert table.refused("add 6-pz") == ("just-set-down", "4.5")
    table.do("step 1508", "step 1509", "add 6-pz", "step 1609")
    assert [table.where(u) for u in ("1-pz", "6-pz")] == ["1609", "1609"]
    assert [table.left(u) for u in ("1-pz", "6-pz")] == [4, 6]


@rule("leningrad", "4.5")
def test_units_set_down_do_not_make_a_stack_of_four() -> None:
    four = dict.fromkeys(("1-pz", "6-pz", "36-mot", "8-pz"), "1510")
    table = Table("german-movement", four, turn=1).do("pick 1-pz", "add 6-pz", "add 36-mot", "step 1509")
    table.do("drop 1-pz", "step 1508", "step 1509", "add 1-pz")
    assert table.refused("add 8-pz") == ("cannot-join", "4.5")


@rule("leningrad", "4.5", "11.0")
def test_a_unit_put_back_before_it_moved_is_picked_up_later_with_the_supply_of_that_moment() -> None:
    """11 Inf is out of supply when it is added, and in supply when it begins to move."""
    units = {"1-inf": "1110", "11-inf": "1110", "10-rd": "1010", "1-pz": "0111"}
    sides = road("0111", "0211", "0311", "0411", "0511", "0611", "0711", "0811", "0911", "1010", "1110")
    table = Table("german-movement", units, sides=sides, supply_range=1, strengths={"10-rd": "inf-0-1"})
    table.do("pick 1-inf", "add 11-inf")
    assert table.left("11-inf") == 3
    table.do("drop 11-inf")
    overrun(table, "1010").do("advance 1-inf 1010", "halt", "pick 11-inf")
    assert table.left("11-inf") == 6
    table.do("step 1111", "step 1112", "step 1113")
    assert table.left("11-inf") == 3


@rule("leningrad", "4.5")
def test_a_unit_that_was_put_back_unmoved_has_not_had_its_move() -> None:
    table = Table("german-movement", {"1-pz": "1510", "6-pz": "1510"})
    table.do("pick 1-pz", "add 6-pz", "drop 1-pz", "step 1509", "halt")
    assert table.refusal("pick 1-pz") is None
    assert table.refused("pick 6-pz") == ("moved-already", "4.5")


@rule("leningrad", "4.5", "17.2")
def test_a_unit_set_down_on_the_way_still_owes_its_march_on_turn_one() -> None:
    table = Table("soviet-movement", {"10-rd": "1005", "90-rd": "1005", "1-pz": "1009"}, turn=1)
    table.do("pick 10-rd", "add 90-rd", "step 1006", "drop 90-rd", "step 1007", "step 1008", "halt")
    assert table.refused("halt") == ("must-go-on", "17.2")
    table.do("take 90-rd")
    assert table.refusal("step 1007") is None


# 4.6: stacking


FULL = {"11-inf": "1509", "21-inf": "1509", "61-inf": "1509"}


@rule("leningrad", "4.6")
def test_a_fourth_unit_does_not_enter_a_hex_not_even_in_passing() -> None:
    table = Table("german-movement", {"1-inf": "1510", **FULL}).do("pick 1-inf")
    assert table.refused("step 1509") == ("stacking", "4.6")
    assert "1509" not in table.offered("step")


@rule("leningrad", "4.6")
def test_a_third_unit_enters_a_hex_of_two_but_a_stack_of_two_does_not() -> None:
    two = {"11-inf": "1509", "21-inf": "1509"}
    single = Table("german-movement", {"1-inf": "1510", **two}).do("pick 1-inf", "step 1509")
    assert single.state.height(single.game.board.cell("1509")) == 3
    pair = Table("german-movement", {"1-inf": "1510", "61-inf": "1510", **two})
    pair.do("pick 1-inf", "add 61-inf")
    assert pair.refused("step 1509") == ("stacking", "4.6")


@rule("leningrad", "4.6")
def test_the_limit_binds_soviet_units_alike() -> None:
    full = {"90-rd": "1509", "125-rd": "1509", "48-rd": "1509"}
    table = Table("soviet-movement", {"10-rd": "1510", **full}).do("pick 10-rd")
    assert table.refused("step 1509") == ("stacking", "4.6")


@rule("leningrad", "4.6")
def test_no_more_than_three_advance_into_a_hex() -> None:
    four = {"1-inf": "1510", "11-inf": "1510", "21-inf": "1609", "61-inf": "1609"}
    table = Table("german-combat", {**four, "10-rd": "1509"}, strengths={"10-rd": "inf-0-1"})
    table.do("target 1509", *(f"join {u}" for u in four), "fight", "roll 6")  # 16-1: E/-
    table.do("advance 1-inf 1509", "advance 11-inf 1509", "advance 21-inf 1509")
    assert table.asked == "choose-target"
    assert table.where("61-inf") == "1609"


@rule("leningrad", "4.6", "10.7")
def test_a_retreat_does_not_enter_a_full_hex() -> None:
    behind = {"90-rd": "1508", "125-rd": "1508", "48-rd": "1508"}
    table = Table(
        "german-combat", {"1-pz": "1510", "10-rd": "1509", **behind}, strengths={"10-rd": "inf-1-1"}
    )
    table.do("target 1509", "join 1-pz", "fight", "roll 1", "retreat")  # 7-1: 1/-
    assert table.refused("fall-back 10-rd 1508")[1] == "10.7"
    assert table.offered("fall-back") == {"10-rd 1408", "10-rd 1608"}


SET_UP = dict.fromkeys(("1-pz", "6-pz", "36-mot", "8-pz", "3-mot"), "0112")


@rule("leningrad", "4.6")
def test_the_german_set_up_may_exceed_the_limit() -> None:
    game = load()
    state = game.start("campaign")
    assert max(state.height(cell) for cell in game.board.cells) > 3
    crowded = {game.board.number(c) for c in game.board.cells if state.height(c) > 3}
    assert crowded <= {"0111", "0112", "0113"}


@rule("leningrad", "4.6")
def test_units_that_leave_the_set_up_respect_the_limit_as_they_go() -> None:
    table = Table("german-movement", {**SET_UP, **dict.fromkeys(FULL, "0212")}, turn=1).do("pick 1-pz")
    assert table.refused("step 0212") == ("stacking", "4.6")


@rule("leningrad", "4.6")
def test_the_soviet_player_destroys_what_exceeds_the_limit_after_the_first_german_move() -> None:
    """Ruling: at the end of the German Movement Phase of turn 1."""
    table = Table("german-movement", {**SET_UP, "1-inf": "0111"}, turn=1).do("end")
    assert (table.asked, table.actor) == ("destroy-excess", "soviet")
    assert table.offered("destroy") == set(SET_UP)
    assert table.refused("destroy 1-inf") == ("not-overstacked", "4.6")
    assert table.refusal("destroy 1-inf") == refusal(
        "not-overstacked", "4.6", unit=table.game.unit_index("1-inf")
    )
    table.do("destroy 8-pz", "destroy 1-pz")
    assert table.turn_phase == "german-combat"
    cell = table.game.board.cell("0112")
    assert table.events("excess-destroyed") == [
        {"unit": table.game.unit_index(unit), "hex": cell} for unit in ("8-pz", "1-pz")
    ]
    assert [u for u in SET_UP if table.where(u) == "dead"] == ["1-pz", "8-pz"]


@rule("leningrad", "4.6")
def test_nothing_is_destroyed_when_the_set_up_has_been_thinned_out() -> None:
    table = Table("german-movement", SET_UP, turn=1)
    table.do("pick 1-pz", "add 6-pz", "step 0212", "halt", "end")
    assert table.turn_phase == "german-combat"
    assert all(table.where(u) != "dead" for u in SET_UP)


@rule("leningrad", "4.6", "16.2")
def test_a_reinforcement_does_not_enter_a_full_hex() -> None:
    full = dict.fromkeys(("1-inf", "11-inf", "21-inf"), "0112")
    table = Table("german-movement", full, turn=2, to_come=["58-inf"])
    assert table.offered("enter") == {"58-inf 0111", "58-inf 0113"}


# 4.7: stopping


@rule("leningrad", "4.7")
@pytest.mark.parametrize("unit", ["1-inf", "1-pz", "36-mot"])
def test_a_unit_stops_when_it_enters_an_enemy_zone(unit: str) -> None:
    table = Table("german-movement", {unit: "1511", "10-rd": "1508"}).do(f"pick {unit}", "step 1510")
    table.do("step 1509")
    assert table.offered("step") == set()
    assert table.left(unit) > 1


@rule("leningrad", "4.7")
@pytest.mark.parametrize("unit", ["10-rd", "28-td"])
def test_soviet_units_stop_in_german_zones_alike(unit: str) -> None:
    table = Table("soviet-movement", {unit: "1510", "1-inf": "1508"}).do(f"pick {unit}", "step 1509")
    assert table.offered("step") == set()
    assert table.refusal("step 1510") is not None


@rule("leningrad", "4.7")
def test_a_friend_in_the_hex_does_not_lift_the_zone() -> None:
    table = Table("german-movement", {"1-inf": "1510", "11-inf": "1509", "10-rd": "1508"})
    table.do("pick 1-inf", "step 1509")
    assert table.offered("step") == set()
    assert table.refused("step 1510") == ("disengage-first", "6.2")


@rule("leningrad", "4.7")
def test_a_friend_in_the_next_hex_does_not_lift_its_zone_either() -> None:
    table = Table(
        "german-movement",
        {"1-pz": "1510", "6-pz": "1509", "11-inf": "1609", "10-rd": "1508", "90-rd": "1608"},
    )
    table.do("pick 1-pz", "step 1509")
    assert table.refused("step 1609") == ("zone-to-zone", "6.4")


@rule("leningrad", "4.7", "6.1")
def test_a_unit_that_stopped_may_escape_by_disengaging() -> None:
    table = Table("german-movement", {"1-pz": "1510", "11-inf": "1509", "10-rd": "1508"})
    table.do("pick 1-pz", "step 1509", "step 1510")
    assert table.left("1-pz") == 8 - 1 - (1 + 2)


@rule("leningrad", "4.7", "7.0")
def test_a_unit_that_stopped_may_escape_by_overrunning() -> None:
    table = Table("german-movement", {"1-pz": "1510", "10-rd": "1508"}, strengths={"10-rd": "inf-0-1"})
    table.do("pick 1-pz", "step 1509", "overrun 1508", "roll 6")  # 6-1, left 2, right 1: 5-1, 2/-
    table.do("lose 10-rd", "advance 1-pz 1508", "step 1507")
    assert table.where("1-pz") == "1507"


@rule("leningrad", "4.7", "6.2")
def test_who_has_stopped_in_a_zone_does_not_go_on_when_a_companions_overrun_removes_it() -> None:
    """Ruling: the stop is the unit's own."""
    units = {"1-inf": "1010", "11-inf": "1010", "10-rd": "1210"}
    table = Table("german-movement", units, strengths={"10-rd": "inf-0-1"})
    table.do("pick 1-inf", "add 11-inf", "step 1110", "drop 11-inf")
    overrun(table, "1210")
    table.do("advance 1-inf 1210", "halt", "take 11-inf")
    assert table.offered("step") == set()
    assert table.refused("step 1109") == ("stopped", "4.7")


@rule("leningrad", "4.7", "7.0")
def test_who_began_in_a_zone_has_not_stopped_there_and_is_free_once_it_is_gone() -> None:
    """It overruns in vain and stays where it began; then a companion's overrun removes the zone."""
    units = {"1-inf": "1010", "11-inf": "1010", "10-rd": "1011"}
    table = Table("german-movement", units, strengths={"10-rd": "inf-0-1"})
    overrun(table.do("pick 1-inf", "add 11-inf"), "1011", "-/1").do("lose 1-inf", "drop 11-inf")
    overrun(table, "1011").do("advance 1-inf 1011", "halt", "take 11-inf", "step 1009")
    assert table.left("11-inf") == 6 - 3 - 1


@rule("leningrad", "4.7", "6.1", "6.3")
def test_german_mobile_units_that_have_stopped_go_on_by_disengaging_though_the_zone_is_gone() -> None:
    stack = dict.fromkeys(("1-pz", "6-pz", "36-mot"), "1010")
    table = Table("german-movement", {**stack, "10-rd": "1210"}, strengths={"10-rd": "inf-0-1"})
    table.do("pick 1-pz", "add 6-pz", "add 36-mot", "step 1110", "drop 6-pz", "drop 36-mot")
    overrun(table, "1210").do("advance 1-pz 1210", "halt", "take 6-pz", "step 1109")
    assert table.left("6-pz") == 8 - 1 - 1 - 2
    assert table.do("step 1108").left("6-pz") == 3  # it is free now
    table.do("halt", "take 36-mot")
    assert table.refused("step 1109") == ("nobody-stays", "6.3")


@rule("leningrad", "4.7", "7.0")
def test_a_successful_overrun_frees_those_who_made_it_wherever_they_stand() -> None:
    units = {"1-inf": "1010", "11-inf": "1010", "10-rd": "1210"}
    table = Table("german-movement", units, strengths={"10-rd": "inf-0-1"})
    table.do("pick 1-inf", "add 11-inf", "step 1110")
    overrun(table, "1210").do("advance 1-inf 1210", "hold")
    table.do("take 11-inf", "step 1109")
    assert table.left("11-inf") == 6 - 1 - 3 - 1
    assert table.do("halt", "take 1-inf", "step 1209").left("1-inf") == 1


@rule("leningrad", "4.7", "7.0")
def test_a_successful_overrun_does_not_free_from_the_zone_of_another_unit() -> None:
    """11 Inf overran 1210 but is also next to 1109, which its companion then overruns without it."""
    units = {"1-inf": "1010", "11-inf": "1010", "10-rd": "1210", "90-rd": "1209"}
    weak = {"10-rd": "inf-0-1", "90-rd": "inf-0-1"}
    table = Table("german-movement", {**units, "36-mot": "1010"}, strengths=weak)
    table.do("pick 36-mot", "add 11-inf", "step 1110")
    overrun(table, "1210").do("advance 36-mot 1210", "hold")
    assert table.do("take 36-mot").offered("overrun") == {"1209"}
    overrun(table, "1209").do("advance 36-mot 1209", "halt", "take 11-inf")
    assert table.refused("step 1111") == ("stopped", "4.7")


@rule("leningrad", "4.7")
def test_a_unit_that_began_in_a_zone_has_not_stopped_in_it() -> None:
    units = {"1-inf": "1110", "11-inf": "1110", "10-rd": "1210"}
    table = Table("german-movement", units, strengths={"10-rd": "inf-0-1"})
    table.do("pick 1-inf")
    overrun(table, "1210").do("advance 1-inf 1210", "halt", "pick 11-inf", "step 1109")
    assert table.left("11-inf") == 5


@rule("leningrad", "4.7", "16.2")
def test_a_reinforcement_that_entered_a_zone_has_stopped_there() -> None:
    table = Table(
        "german-movement",
        {"10-rd": "2212"},
        turn=10,
        to_come=["12-pz", "20-mot"],
        strengths={"10-rd": "inf-0-1"},
    )
    table.do("enter 12-pz 2213", "add 20-mot", "drop 20-mot")
    overrun(table, "2212").do("advance 12-pz 2212")
    table.do("halt", "take 20-mot")
    assert table.refused("step 2313") == ("nobody-stays", "6.3")


# 4.8: the edge of the map


@rule("leningrad", "4.8")
def test_no_unit_leaves_the_map() -> None:
    table = alone("1-inf", "0101")
    assert table.offered("step") == {"0102", "0201"}
    for beyond in ("0100", "0001", "3001"):
        found = table.game.decode(["step", beyond])
        assert isinstance(found, Refusal)
        assert found.code == "unknown-hex"


@rule("leningrad", "4.8", "10.7")
def test_a_unit_that_would_retreat_off_the_map_is_eliminated() -> None:
    units, shore = {"1-pz": "1503", "10-rd": "1502"}, {"1401": "lake", "1601": "lake"}
    table = Table("german-combat", units, terrain=shore, strengths={"10-rd": "inf-1-1"})
    attack(table, "1502", "1-pz", "2/-").do("retreat")
    assert table.offered("fall-back") == {"10-rd 1501"}
    table.do("fall-back 10-rd 1501")
    assert table.where("10-rd") == "dead"


@rule("leningrad", "4.8", "10.7")
def test_at_the_edge_retreat_is_no_choice() -> None:
    table = Table("german-combat", {"1-pz": "1502", "10-rd": "1501"}, strengths={"10-rd": "inf-1-1"})
    table.do("target 1501", "join 1-pz", "fight", "roll 1")
    assert table.refused("retreat") == ("nowhere-safe", "10.7")
    assert table.do("lose 10-rd").where("10-rd") == "dead"


@rule("leningrad", "4.6")
@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_first_german_movement_is_warned_of_hexes_that_are_too_full(language: str) -> None:
    game = load()
    state = game.start("campaign")
    assert "0111" in game.prompt(state, language)
    assert "(4.6)" in game.prompt(state, language)
    later = Table("german-movement", {"1-inf": "0512"}, turn=2)
    assert "(4.6)" not in later.game.prompt(later.state, language)
