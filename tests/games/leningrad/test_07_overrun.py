"""7.0 Overrun."""

from __future__ import annotations

import pytest

from tests.games.leningrad.battles import give, overrun
from tests.games.leningrad.table import Table
from tests.rules import rule

# 1-pz (6) against a defence of 1 on clear ground: 6-1, left 2 for the overrun, right 1 for armour: 5-1.
#   die 1: 1/1   die 2: 2/1   die 3, 4: 1/-   die 5, 6: 2/-
WEAK = {"10-rd": "inf-1-1"}
# 1-inf (4) against a defence of 3: 1-1, left 2: 1-3.   die 1, 2: -/E   die 3 to 5: -/2   die 6: 1/2
FIRM = {"10-rd": "inf-2-3"}


def panzer(**how: object) -> Table:
    """1-pz in hand in 1510, next to a weak division in 1509."""
    how.setdefault("strengths", WEAK)
    table = Table("german-movement", {"1-pz": "1510", "10-rd": "1509"}, **how)  # type: ignore[arg-type]
    return table.do("pick 1-pz")


# 7.0


@rule("leningrad", "7.0")
def test_a_unit_overruns_moves_on_and_overruns_again() -> None:
    where = {"1-pz": "1511", "10-rd": "1509", "90-rd": "1506"}
    table = Table("german-movement", where, strengths={"10-rd": "inf-1-1", "90-rd": "inf-0-1"})
    table.do("pick 1-pz", "step 1510", "overrun 1509", "roll 3", "lose 10-rd", "advance 1-pz 1509")
    assert table.left("1-pz") == 8 - 1 - 3
    table.do("step 1508")
    assert table.left("1-pz") == 3
    table.do("step 1507")
    assert table.asked == "pick-unit"  # two points left in an enemy zone: nothing it could do
    table = Table(
        "german-movement", {**where, "90-rd": "1507"}, strengths={"10-rd": "inf-1-1", "90-rd": "inf-0-1"}
    )
    table.do("pick 1-pz", "step 1510", "overrun 1509", "roll 3", "lose 10-rd", "advance 1-pz 1509")
    table.do("step 1508", "overrun 1507", "roll 3", "lose 90-rd", "advance 1-pz 1507")
    assert (table.where("1-pz"), table.left("1-pz")) == ("1507", 0)


@rule("leningrad", "7.0")
def test_soviet_units_overrun_as_well() -> None:
    table = Table("soviet-movement", {"28-td": "1510", "1-inf": "1509"}, strengths={"28-td": "arm-6-4"})
    table.do("pick 28-td", "overrun 1509")
    assert table.odds()[:3] == (6, 4, 0)
    assert table.shifts() == {"overrun": -2, "attacker-armour": 1}


@rule("leningrad", "7.0")
@pytest.mark.parametrize(
    ("hex_", "sides"),
    [("1508", {}), ("1609", {}), ("1509", {"1509/1510": "lake"}), ("1509", {"1509/1510": "sea"})],
)
def test_only_an_adjacent_enemy_is_overrun_and_not_over_water(hex_: str, sides: dict[str, str]) -> None:
    where = {"1-pz": "1510", "10-rd": "1508", "90-rd": "1509"}
    table = Table("german-movement", where, sides=sides).do("pick 1-pz")
    wrong = ("nobody-to-overrun", "7.0") if hex_ == "1609" else ("not-in-contact", "7.0")
    assert table.refused(f"overrun {hex_}") == wrong
    assert table.offered("overrun") == (set() if sides else {"1509"})


@rule("leningrad", "7.0", "14.1")
def test_untried_defenders_are_revealed_once_the_overrun_is_announced() -> None:
    table = panzer(strengths={}).do("overrun 1509")
    assert (table.asked, table.actor) == ("reveal", "chance")
    line = [s.id for s in table.game.data.untried].index("inf-1-1")
    table.do(f"reveal 10-rd {line}")
    assert table.asked == "roll-die"
    assert table.odds().defence == 1


@rule("leningrad", "7.0", "13.0")
def test_air_units_support_an_overrun() -> None:
    table = panzer(air=1).do("overrun 1509")
    assert table.asked == "commit-air"
    assert table.do("commit 1").shifts()["attacker-air"] == 1


@rule("leningrad", "7.0", "17.1")
def test_the_soviets_do_not_overrun_on_turn_one() -> None:
    table = Table("soviet-movement", {"28-td": "1510", "1-inf": "1509"}, turn=1).do("pick 28-td")
    assert table.refused("overrun 1509") == ("surprised-overrun", "17.1")
    german = Table("german-movement", {"1-pz": "1510", "10-rd": "1509"}, turn=1).do("pick 1-pz")
    assert german.refusal("overrun 1509") is None


# 7.1


@rule("leningrad", "7.1")
def test_an_overrun_is_resolved_two_columns_to_the_left() -> None:
    table = Table("german-movement", {"1-inf": "1510", "10-rd": "1509"}, strengths=FIRM)
    table.do("pick 1-inf", "overrun 1509")
    assert table.shifts() == {"overrun": -2}
    assert (table.odds().initial, table.odds().final) == (0, -2)
    attack = Table("german-combat", {"1-inf": "1510", "10-rd": "1509"}, strengths=FIRM)
    assert attack.do("target 1509", "join 1-inf", "fight").shifts() == {}


@rule("leningrad", "7.1")
def test_a_soviet_overrun_is_resolved_two_columns_to_the_left_as_well() -> None:
    units = {"28-td": "1510", "1-inf": "1509"}
    table = Table("soviet-movement", units, strengths={"28-td": "mech-4-3"}).do("pick 28-td", "overrun 1509")
    assert table.shifts() == {"overrun": -2}
    assert table.odds().final == table.odds().initial - 2


@rule("leningrad", "7.1", "9.6")
def test_the_other_shifts_apply_to_an_overrun_too() -> None:
    table = panzer(terrain={"1509": "marsh"}, sides={"1509/1510": "river"}, forts=["1509"]).do("overrun 1509")
    assert table.shifts() == {"overrun": -2, "defender-terrain": -1, "fort": -1, "river": -1}


# 7.2


@rule("leningrad", "7.2")
def test_a_unit_disengages_and_then_overruns() -> None:
    where = {"1-pz": "1510", "1-inf": "1510", "10-rd": "1509", "90-rd": "1513"}
    table = Table("german-movement", where).do("pick 1-pz", "step 1511", "step 1512")
    assert table.left("1-pz") == 8 - 3 - 1
    assert table.refusal("overrun 1513") is None


@rule("leningrad", "7.2")
def test_a_unit_overruns_and_then_disengages() -> None:
    where = {"1-pz": "1510", "1-inf": "1510", "10-rd": "1509"}
    table = Table("german-movement", where, strengths={"10-rd": "inf-4-5"})
    table.do("pick 1-pz", "overrun 1509", "roll 4")  # 1-1, left 1: 1-2, -/1
    table.do("lose 1-pz", "step 1511")
    assert table.left("1-pz") == 8 - 3 - 3


# 7.3


@rule("leningrad", "7.3")
@pytest.mark.parametrize(
    ("terrain", "sides", "forts"),
    [
        ("clear", {}, []),
        ("marsh", {"1509/1510": "river"}, []),
        ("hill", {}, ["1509"]),
        ("clear+town", {"1509/1510": "road"}, []),
    ],
)
def test_an_overrun_costs_three_points_whatever_the_terrain(
    terrain: str, sides: dict[str, str], forts: list[str]
) -> None:
    table = panzer(terrain={"1509": terrain}, sides=sides, forts=forts, strengths={"10-rd": "inf-0-1"})
    table.do("overrun 1509")
    assert table.left("1-pz") == 8 - 3


@rule("leningrad", "7.3")
def test_the_advance_after_an_overrun_costs_nothing_more() -> None:
    table = panzer().do("overrun 1509", "roll 3", "lose 10-rd", "advance 1-pz 1509")
    assert table.left("1-pz") == 8 - 3


@rule("leningrad", "7.3")
def test_every_unit_of_the_stack_pays_and_must_have_three_points() -> None:
    stack = {"1-pz": "1513", "1-inf": "1513"}
    table = Table("german-movement", {**stack, "10-rd": "1509"}).do("pick 1-pz", "add 1-inf")
    table.do("step 1512", "step 1511", "step 1510")
    assert table.refusal("overrun 1509") is None
    assert table.do("overrun 1509").left("1-inf") == 0
    farther = Table("german-movement", {**stack, "10-rd": "1508"}).do("pick 1-pz", "add 1-inf")
    farther.do("step 1512", "step 1511", "step 1510", "step 1509")
    assert farther.refused("overrun 1508") == ("overrun-points", "7.3")
    assert farther.offered("overrun") == set()
    assert farther.do("drop 1-inf").refusal("overrun 1508") is None


# 7.4


@rule("leningrad", "7.4")
def test_up_to_three_units_that_began_together_overrun_together() -> None:
    stack = dict.fromkeys(("1-pz", "6-pz", "36-mot"), "1511")
    table = Table("german-movement", {**stack, "10-rd": "1509"}, strengths=WEAK)
    table.do("pick 1-pz", "add 6-pz", "add 36-mot", "step 1510", "overrun 1509")
    assert table.odds().attack == 16
    assert [table.left(u) for u in stack] == [4, 4, 4]


@rule("leningrad", "7.4")
def test_units_that_meet_on_the_way_do_not_overrun_together() -> None:
    table = Table("german-movement", {"1-pz": "1511", "6-pz": "1510", "10-rd": "1509"}, strengths=WEAK)
    table.do("pick 1-pz", "step 1510")
    assert table.refused("add 6-pz") == ("cannot-join", "4.5")
    table.do("overrun 1509")
    assert table.battle().attackers == (table.game.unit_index("1-pz"),)
    assert table.odds().attack == 6


@rule("leningrad", "7.4")
def test_a_unit_set_down_takes_no_part() -> None:
    stack = dict.fromkeys(("1-pz", "6-pz"), "1511")
    table = Table("german-movement", {**stack, "10-rd": "1509"}, strengths=WEAK)
    table.do("pick 1-pz", "add 6-pz", "step 1510", "drop 6-pz", "overrun 1509", "roll 3", "lose 10-rd")
    assert table.refused("advance 6-pz 1509")[1] == "10.9"
    table.do("advance 1-pz 1509", "halt", "take 6-pz")
    assert table.left("6-pz") == 7


@rule("leningrad", "7.4")
def test_after_the_overrun_units_go_their_own_ways() -> None:
    stack = dict.fromkeys(("1-pz", "6-pz", "36-mot"), "1510")
    table = Table("german-movement", {**stack, "10-rd": "1509"}, strengths=WEAK)
    table.do("pick 1-pz", "add 6-pz", "add 36-mot", "overrun 1509", "roll 6")
    table.do("advance 1-pz 1509", "advance 6-pz 1509", "hold")
    assert table.offered("take") == set(stack)
    table.do("take 1-pz", "step 1508", "halt", "take 6-pz", "step 1409", "halt")
    table.do("take 36-mot", "step 1511", "halt")
    assert [table.where(u) for u in stack] == ["1508", "1409", "1511"]
    assert [table.left(u) for u in stack] == [4, 4, 4]


@rule("leningrad", "4.5", "7.0", "7.4")
@pytest.mark.parametrize("order", ["1-pz 6-pz 36-mot", "6-pz 1-pz 36-mot", "36-mot 6-pz 1-pz"])
def test_after_an_overrun_those_who_stand_together_go_on_as_a_stack(order: str) -> None:
    """Whoever was picked up first: 1 Pz advances alone, the two others overrun together elsewhere."""
    first, *others = order.split()
    both = {"10-rd": "inf-1-1", "90-rd": "inf-1-1"}
    stack = dict.fromkeys(("1-pz", "6-pz", "36-mot"), "1510")
    table = Table("german-movement", {**stack, "10-rd": "1509", "90-rd": "1410"}, strengths=both)
    table.do(f"pick {first}", *(f"add {u}" for u in others))
    overrun(table, "1509").do("advance 1-pz 1509")
    table.do("hold", "take 6-pz")
    assert table.offered("add") == {"36-mot"}
    table.do("add 36-mot", "overrun 1410")
    assert table.battle().attackers == tuple(table.game.unit_index(u) for u in ("6-pz", "36-mot"))
    give(table, "E/-").do("advance 6-pz 1410", "advance 36-mot 1410", "halt", "take 1-pz", "step 1508")
    assert [table.where(u) for u in stack] == ["1508", "1410", "1410"]


@rule("leningrad", "4.5", "7.4")
@pytest.mark.parametrize("result", ["-/E", "-/1"])
def test_those_set_down_go_on_when_the_overrunning_unit_is_lost_or_has_retreated(result: str) -> None:
    stack = dict.fromkeys(("1-pz", "6-pz"), "1511")
    table = Table("german-movement", {**stack, "10-rd": "1509"}, strengths=WEAK)
    table.do("pick 1-pz", "add 6-pz", "step 1510", "drop 6-pz")
    overrun(table, "1509", result)
    if result == "-/1":
        table.do("retreat")
        table.do(f"fall-back {min(table.offered('fall-back'))}")
    assert table.options == {"take 6-pz", "halt"}


@rule("leningrad", "7.4")
def test_no_hex_is_being_overrun_once_the_overrun_is_over() -> None:
    for advancing in ("1-pz", "1-pz 6-pz"):
        stack = dict.fromkeys(("1-pz", "6-pz"), "1510")
        table = Table("german-movement", {**stack, "10-rd": "1509"}, strengths=WEAK)
        overrun(table.do("pick 1-pz", "add 6-pz"), "1509")
        table.do(*(f"advance {unit} 1509" for unit in advancing.split()))
        if table.asked == "advance":
            table.do("hold")
        assert table.state.local.target == -1


@rule("leningrad", "4.5", "7.7")
def test_units_that_lose_steps_in_an_overrun_that_fails_stay_together() -> None:
    stack = dict.fromkeys(("1-pz", "6-pz"), "1510")
    table = Table("german-movement", {**stack, "10-rd": "1509"}, strengths={"10-rd": "inf-4-5"})
    table.do("pick 1-pz", "add 6-pz", "overrun 1509")
    give(table, "-/1").do("lose 1-pz")
    assert table.asked == "move-stack"
    assert table.offered("drop") == {"1-pz", "6-pz"}
    assert table.offered("overrun") == {"1509"}


@rule("leningrad", "7.4", "16.1")
def test_reinforcements_that_entered_as_a_stack_do_not_overrun_together() -> None:
    """Ruling: they did not begin the phase in one hex."""
    table = Table("german-movement", {"10-rd": "2212"}, turn=10, to_come=["12-pz", "20-mot"])
    table.do("enter 12-pz 2213", "add 20-mot")
    assert table.refused("overrun 2212") == ("overrun-together", "7.4")
    assert table.offered("overrun") == set()
    alone = Table("german-movement", {"10-rd": "2212"}, turn=10, to_come=["12-pz", "20-mot"])
    assert alone.do("enter 12-pz 2213").refusal("overrun 2212") is None


# 7.5


@rule("leningrad", "7.5")
def test_an_overrun_strikes_every_unit_of_the_hex_and_no_other() -> None:
    where = {"10-rd": "1509", "90-rd": "1509", "125-rd": "1509", "48-rd": "1609"}
    strengths = dict.fromkeys(where, "inf-1-2")
    table = Table("german-movement", {"1-pz": "1510", **where}, strengths=strengths)
    table.do("pick 1-pz", "overrun 1509")
    assert table.odds().defence == 6
    assert {table.game.unit_id(u) for u in table.battle().defenders} == {"10-rd", "90-rd", "125-rd"}


@rule("leningrad", "7.5")
def test_the_same_units_are_overrun_again_and_again() -> None:
    where = {"1-pz": "1510", "6-pz": "1609", "10-rd": "1509"}
    table = Table("german-movement", where, strengths={"10-rd": "inf-4-5"})
    table.do("pick 1-pz", "overrun 1509", "roll 4", "lose 1-pz")  # 1-2: -/1
    assert table.left("1-pz") == 5
    table.do("overrun 1509", "roll 4", "retreat")  # reduced: 1-2, left 1: 1-3, -/2
    table.do("fall-back 1-pz 1511", "fall-back 1-pz 1512")
    table.do("pick 6-pz", "overrun 1509")
    assert len(table.events("overrun")) == 3


@rule("leningrad", "7.5", "8.4")
def test_a_unit_that_retreated_from_one_overrun_fights_in_full_in_the_next() -> None:
    """Ruling: 8.4 speaks of the Combat Phase."""
    where = {
        "1-pz": "1510",
        "6-pz": "1506",
        "10-rd": "1509",
        "90-rd": "1508",
        "1-inf": "1409",
        "11-inf": "1609",
    }
    table = Table("german-movement", where, strengths={"10-rd": "inf-1-1", "90-rd": "inf-1-2"})
    table.do(
        "pick 1-pz", "overrun 1509", "roll 3", "retreat", "fall-back 10-rd 1508", "advance 1-pz 1509", "halt"
    )
    table.do("pick 6-pz", "step 1507", "overrun 1508")
    assert table.odds().defence == 1 + 2
    assert table.battle().bystanders == ()


@rule("leningrad", "7.5", "8.2")
def test_an_overrun_does_not_count_as_the_attack_of_the_combat_phase() -> None:
    table = Table("german-movement", {"1-pz": "1510", "10-rd": "1509"}, strengths={"10-rd": "inf-4-5"})
    table.do("pick 1-pz", "overrun 1509", "roll 4", "lose 1-pz", "halt", "end")
    table.do("target 1509", "join 1-pz", "fight")
    assert table.asked == "roll-die"


# 7.6


@rule("leningrad", "7.6")
def test_after_a_success_one_unit_at_least_must_advance() -> None:
    stack = dict.fromkeys(("1-pz", "6-pz"), "1510")
    table = Table("german-movement", {**stack, "10-rd": "1509"}, strengths=WEAK)
    table.do("pick 1-pz", "add 6-pz", "overrun 1509", "roll 6")
    assert table.where("10-rd") == "dead"  # 12-1, left 2, right 1: E/-
    assert table.refused("hold") == ("must-advance", "7.6")
    assert table.options == {"advance 1-pz 1509", "advance 6-pz 1509"}
    table.do("advance 6-pz 1509")
    table.do("hold")
    assert (table.where("1-pz"), table.where("6-pz")) == ("1510", "1509")


@rule("leningrad", "7.6")
def test_an_overrun_succeeds_when_the_defenders_retreat() -> None:
    table = panzer().do("overrun 1509", "roll 3", "retreat", "fall-back 10-rd 1508")
    assert table.refused("hold") == ("must-advance", "7.6")
    assert table.do("advance 1-pz 1509").left("1-pz") == 5


@rule("leningrad", "7.6")
@pytest.mark.parametrize("defender", [["lose 10-rd"], ["retreat", "fall-back 10-rd 1508"]])
def test_after_a_success_the_attackers_share_is_paid_in_steps(defender: list[str]) -> None:
    """Ruling: somebody has to advance, so nobody may retreat."""
    table = panzer().do("overrun 1509", "roll 1", *defender)  # 1/1
    assert (table.asked, table.actor) == ("lose-or-retreat", "german")
    assert table.refused("retreat") == ("overrun-succeeded", "7.6")
    table.do("lose 1-pz", "advance 1-pz 1509")
    assert (table.steps("1-pz"), table.where("1-pz")) == (1, "1509")


@rule("leningrad", "7.6")
def test_nobody_advances_when_the_last_attacker_is_lost() -> None:
    table = panzer(reduced=["1-pz"]).do("overrun 1509", "roll 5")  # 3-1, left 1: 2-1, 2/1
    table.do("lose 10-rd", "lose 1-pz")
    assert (table.where("1-pz"), table.where("10-rd")) == ("dead", "dead")
    assert table.asked == "pick-unit"


@rule("leningrad", "7.6")
def test_units_that_advance_may_move_on_with_the_points_they_have_left() -> None:
    table = panzer().do("overrun 1509", "roll 3", "lose 10-rd", "advance 1-pz 1509")
    table.do(*(f"step 15{row:02}" for row in range(8, 3, -1)))
    assert (table.where("1-pz"), table.left("1-pz")) == ("1504", 0)


# 7.7


@rule("leningrad", "7.7")
def test_an_overrun_fails_while_one_defender_remains() -> None:
    where = {"1-pz": "1510", "10-rd": "1509", "90-rd": "1509"}
    table = Table("german-movement", where, strengths={"10-rd": "inf-1-1", "90-rd": "inf-0-1"})
    table.do("pick 1-pz", "overrun 1509", "roll 4", "lose 10-rd")  # 3-1, left 1: 2-1, 1/1
    assert table.refusal("retreat") is None  # the attacker has his free choice
    table.do("lose 1-pz")
    assert table.asked == "move-stack"  # no advance
    assert (table.where("1-pz"), table.where("90-rd")) == ("1510", "1509")


@rule("leningrad", "7.7")
def test_units_that_stand_after_a_failure_go_on_moving() -> None:
    table = panzer(strengths={"10-rd": "inf-4-5"}).do("overrun 1509", "roll 4", "lose 1-pz")
    assert (table.asked, table.left("1-pz")) == ("move-stack", 5)
    assert table.refusal("overrun 1509") is None


@rule("leningrad", "7.7")
def test_units_that_retreat_after_a_failure_are_done_for_the_phase() -> None:
    table = panzer(strengths={"10-rd": "inf-4-5"}).do(
        "overrun 1509", "roll 4", "retreat", "fall-back 1-pz 1511"
    )
    assert table.asked == "pick-unit"
    assert table.refused("pick 1-pz") == ("moved-already", "4.5")


@rule("leningrad", "7.7", "10.2")
def test_a_stack_may_lose_a_step_and_retreat_and_is_then_done() -> None:
    stack = dict.fromkeys(("1-inf", "11-inf"), "1510")
    table = Table("german-movement", {**stack, "10-rd": "1509"}, strengths={"10-rd": "inf-4-5"})
    table.do("pick 1-inf", "add 11-inf", "overrun 1509", "roll 5")  # 1-1, left 2: 1-3, -/2
    table.do("lose 1-inf", "retreat", "fall-back 1-inf 1511", "fall-back 11-inf 1610")
    assert table.offered("pick") == set()


@rule("leningrad", "7.7")
def test_a_failure_may_destroy_the_overrunning_units() -> None:
    table = Table("german-movement", {"1-inf": "1510", "10-rd": "1509"}, strengths=FIRM)
    table.do("pick 1-inf", "overrun 1509", "roll 1")  # 1-3: -/E
    assert table.where("1-inf") == "dead"
    assert table.asked == "pick-unit"


@rule("leningrad", "7.7")
@pytest.mark.parametrize("way_out", [["retreat", "fall-back 1-pz 1511"], ["lose 1-pz", "lose 1-pz"]])
def test_defenders_never_advance_after_an_overrun(way_out: list[str]) -> None:
    table = panzer(strengths={"10-rd": "inf-4-5"}).do(
        "overrun 1509", f"roll {3 if 'lose' in way_out[0] else 4}"
    )
    table.do(*way_out)  # 1-2: die 3 is -/2, die 4 is -/1
    assert (table.asked, table.actor) == ("pick-unit", "german")
    assert table.where("10-rd") == "1509"


@rule("leningrad", "7.7", "8.0")
def test_against_a_regular_attack_the_same_defenders_might_advance() -> None:
    table = Table("german-combat", {"1-inf": "1510", "10-rd": "1509"}, strengths=FIRM)
    table.do("target 1509", "join 1-inf", "fight", "roll 2", "retreat", "fall-back 1-inf 1511")  # 1-1: -/1
    assert (table.asked, table.actor) == ("advance", "soviet")
