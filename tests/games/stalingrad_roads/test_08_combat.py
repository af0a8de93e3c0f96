"""8 Combat."""

from __future__ import annotations

from itertools import pairwise

import pytest

from grognard.board.board import bits, each
from grognard.games.stalingrad_roads.rules.combat import block
from grognard.games.stalingrad_roads.rules.command import sources
from grognard.games.stalingrad_roads.rules.movement import REACTION, Move
from grognard.games.stalingrad_roads.rules.retreat import Retreat, open_hexes, retreat_stages
from grognard.games.stalingrad_roads.state import AXIS, SOVIET
from grognard.kernel.agenda import advance
from grognard.mechanics.odds import whole_odds
from tests.games.stalingrad_roads.table import Table, whole_game
from tests.rules import rule

BASE = {"hq-south-west": "1928", "hq-6a": "1333"}
"""Attackers in 1628 against 1529, clear ground."""


def fight(units: dict[str, str], *attackers: str, **more: object) -> Table:
    table = Table("soviet-combat", BASE | units, **more)  # type: ignore[arg-type]
    return table.attack("1529", *attackers)


@rule("stalingrad_roads", "8.1", "8.1.1", "8.1.2", "8.1.3", "8.1.4", "8.1.7", "8.3", "8.3.1", "8.3.4")
def test_who_may_attack() -> None:
    table = Table("soviet-combat", BASE | {"s-45": "1628", "s-95": "1628", "r-5": "1529", "s-138": "1330"})
    assert "end" in table.options
    assert table.refused("target 1628") == ("nobody-to-attack", "8.1.1")
    assert table.refused("target 1333") == ("nobody-can-attack", "8.1.1")
    table.do("target 1529")
    assert table.refused("join s-138") == ("not-next-to-target", "8.1.1")
    assert table.refused("join r-5") == ("not-yours", "8.3.1")
    assert table.refused("fight") == ("no-attackers", "8.3.1")
    table.do("join s-45")
    assert table.refused("join s-45") == ("joined-already", "8.1.9")
    table.do("cancel")
    assert table.asked == "choose-target"
    table.do("end")
    assert table.asked != "choose-target"


@rule("stalingrad_roads", "8.1.5", "8.1.6", "8.1.8", "8.1.9", "8.1.10", "8.1.11", "8.3.2", "8.3.3")
def test_each_hex_and_each_unit_once() -> None:
    units = {"s-45": "1628", "s-95": "1628", "s-138": "1429", "r-5": "1529", "r-6": "1529", "r-9": "1627"}
    table = Table("soviet-combat", BASE | units, reduced=[])
    table.do("target 1529")
    assert table.refused("join hq-south-west") == ("hq-does-not-attack", "8.3.3")
    table.do("join s-45", "join s-138", "fight")
    battle = table.battle()
    assert {table.game.units[u].id for u in battle.defenders} == {"r-5", "r-6"}
    table.do("roll 2 5")
    while table.asked != "choose-target":
        table.do(sorted(table.options)[-1])
    assert table.refused("target 1529") == ("attacked-already", "8.1.8")
    table.do("target 1627")
    assert table.refused("join s-45") == ("fought-already", "8.1.9")
    assert "s-95" in table.offered("join")


@rule("stalingrad_roads", "8.1.12")
def test_allies_do_not_attack_together() -> None:
    units = {"i-3cel": "1628", "r-5": "1429", "g-44": "1429", "s-45": "1529", "hq-6a": "1333"}
    table = Table("axis-combat", units)
    table.do("target 1529", "join i-3cel", "join g-44")
    assert table.refused("join r-5") == ("allies-apart", "8.1.12")


@rule("stalingrad_roads", "8.4", "8.4.1", "8.4.2", "8.4.3")
def test_the_defender_is_judged_when_attacked() -> None:
    table = Table(
        "soviet-combat", {"s-45": "1628", "s-1-tk": "1628", "g-44": "1529", "hq-south-west": "1928"}
    )
    table.attack("1529", "s-45", "s-1-tk")
    assert table.in_set(table.state.unsupplied) == {"g-44"}
    assert table.odds("1529", "s-45", "s-1-tk").defence == 3
    # An HQ commands though it has no line itself.
    cut_off = {"hq-6a": "1430", "g-44": "1529", "s-45": "1628", "s-1-tk": "1628"}
    commanded = Table("soviet-combat", cut_off).attack("1529", "s-45", "s-1-tk")
    assert commanded.state.unsupplied == 0


@rule("stalingrad_roads", "8.5", "8.5.1", "8.5.4", "8.5.5")
@pytest.mark.parametrize(("attack", "defence", "odds"), [(35, 10, 2), (10, 35, -3), (34, 4, 7), (10, 10, 0)])
def test_the_ratio_is_rounded_for_the_defender(attack: int, defence: int, odds: int) -> None:
    assert whole_odds(attack, defence) == odds


@rule("stalingrad_roads", "8.5.6", "8.5.7", "8.5.8")
def test_shifts_and_columns_beyond_the_table() -> None:
    units = {"s-45": "1628", "g-44": "1529", "g-71": "1529"}
    table = Table("soviet-combat", BASE | units)
    assert table.odds("1529", "s-45").final == -5
    table.do("target 1529", "join s-45")
    assert table.refused("fight") == ("odds-too-low", "8.5.8")
    helped = Table(
        "soviet-combat",
        BASE | units | {"s-95": "1628"},
        attached={"s-artillery-2": "s-45", "s-katyusha": "s-45"},
    )
    odds = helped.odds("1529", "s-45", "s-95")
    assert (odds.initial, odds.final) == (-2, 0)
    # Two of one class do not add up.
    twice = Table("soviet-combat", BASE | units, attached={"s-artillery-2": "s-45", "s-artillery-3": "s-45"})
    assert twice.odds("1529", "s-45").final == -4


@rule("stalingrad_roads", "8.5.2", "8.5.3")
def test_terrain_and_water_in_the_ratio() -> None:
    table = Table(
        "soviet-combat", {"s-1-tk": "1434", "s-45": "1434", "g-44": "1333", "g-71": "1332", "g-79": "1629"}
    )
    assert table.odds("1333", "s-1-tk").defence == 6
    village = Table("soviet-combat", {"s-1-tk": "1628", "g-44": "1629"})
    assert village.odds("1629", "s-1-tk").defence == 7
    city = Table("soviet-combat", {"s-1-tk": "1024", "g-44": "1023"})
    assert city.odds("1023", "s-1-tk").defence == 8
    major = Table("soviet-combat", {"s-1-tk": "1333", "g-44": "1334"})
    assert major.odds("1334", "s-1-tk").defence == 9
    over = {"s-1-tk": "1730", "s-26-tk": "1730", "g-44": "1629"}
    river = Table("soviet-combat", over)
    assert river.odds("1629", "s-1-tk", "s-26-tk").attack == 7
    assert river.odds("1629", "s-1-tk").attack == 4
    frozen = Table("soviet-combat", over, rivers=2)
    assert frozen.odds("1629", "s-1-tk", "s-26-tk").attack == 14
    assert frozen.odds("1629", "s-1-tk", "s-26-tk").defence == 9


@rule("stalingrad_roads", "8.6.3")
def test_what_an_armoured_attack_takes() -> None:
    one = fight({"s-1-tk": "1628", "s-45": "1628", "g-44": "1529"}, "s-1-tk", "s-45")
    assert "armoured" not in one.options
    two = fight({"s-1-tk": "1628", "s-26-tk": "1628", "g-44": "1529"}, "s-1-tk", "s-26-tk")
    assert "armoured" in two.options
    mixed = fight({"s-1-tk": "1628", "s-8-kk": "1628", "g-44": "1529"}, "s-1-tk", "s-8-kk")
    assert "armoured" in mixed.options
    horses = fight({"s-3-gkk": "1628", "s-8-kk": "1628", "g-44": "1529"}, "s-3-gkk", "s-8-kk")
    assert horses.refused("armoured") == ("not-enough-armour", "8.6.3")


@rule("stalingrad_roads", "8.7", "8.7.1", "8.7.2", "8.7.3", "8.7.4", "8.7.5", "8.7.6", "8.2.2", "8.2.3")
def test_a_roll_is_read_in_its_column() -> None:
    table = fight({"s-1-tk": "1628", "s-26-tk": "1628", "r-5": "1529", "r-6": "1529"}, "s-1-tk", "s-26-tk")
    assert table.battle().odds == 1
    table.do("finish", "roll 3 5")
    battle = table.battle()
    assert (battle.attacker_losses, battle.defender_losses, battle.defensive) == (0, 1, "S")


@rule("stalingrad_roads", "8.7.7", "8.10.1")
def test_attrition_then_attacker_then_defender() -> None:
    table = fight({"s-1-tk": "1628", "s-26-tk": "1628", "r-5": "1529", "r-6": "1529"}, "s-1-tk", "s-26-tk")
    table.do("finish", "roll 2 2")
    # 2/1, a 4: A1, AR, R
    assert table.asked == "lose-step"
    table.do("lose s-1-tk")
    assert table.asked == "stand-or-retreat"
    table.do("stand")
    table.do("lose s-26-tk", "lose s-26-tk")
    assert table.where("s-26-tk") == "dead"


@rule("stalingrad_roads", "8.10.3", "8.7.8")
def test_the_blocks_of_the_table() -> None:
    game = whole_game()
    from grognard.games.stalingrad_roads.rules.combat import Battle

    def at(odds: int, roll: int, part: int = 0) -> set[str]:
        return set(block(game, Battle(0, (), (), 0, (), odds=odds, roll=roll), part))

    assert at(5, 3) == {"D1", "E"}
    assert at(5, 6) == {"E", "E2"}
    assert at(3, 8) == {"E"}


@rule("stalingrad_roads", "8.8", "8.8.2")
def test_everybody_takes_one_step_before_anybody_takes_two() -> None:
    units = {"s-1-tk": "1628", "s-26-tk": "1628", "s-45": "1628", "r-5": "1529", "r-6": "1529", "r-9": "1529"}
    table = fight(units, "s-1-tk", "s-26-tk", "s-45", superiority=0)
    table.do("finish", "roll 1 1")
    assert table.asked == "lose-step"
    table.do("lose s-45")
    assert table.refused("lose s-45") == ("others-first", "8.8.2")
    table.do("lose s-1-tk")
    assert [table.steps(u) for u in ("s-45", "s-1-tk", "s-26-tk")] == [1, 1, 2]


@rule("stalingrad_roads", "8.8.2")
def test_an_hq_dies_last() -> None:
    table = Table("soviet-combat", {"s-1-tk": "1628", "s-26-tk": "1628", "r-5": "1529", "hq-3rum": "1529"})
    table.attack("1529", "s-1-tk", "s-26-tk").do("finish", "roll 6 4", "lose s-1-tk")
    assert table.where("r-5") == "dead"
    assert table.where("hq-3rum") != "dead"


@rule("stalingrad_roads", "8.8.3", "8.13.2")
def test_a_hex_emptied_by_attrition_may_be_entered() -> None:
    table = fight({"s-1-tk": "1628", "s-26-tk": "1628", "r-5": "1529"}, "s-1-tk", "s-26-tk", reduced=["r-5"])
    table.do("armoured", "roll 2 2")
    assert table.where("r-5") == "dead"
    assert table.asked == "advance-unit"
    table.do("advance s-1-tk 1529", "hold")
    assert table.where("s-1-tk") == "1529"


@rule("stalingrad_roads", "8.9", "8.9.1", "14.1")
@pytest.mark.parametrize(
    ("superiority", "losses", "rescue"), [(0, 1, False), (1, 1, True), (2, 2, False), (3, 2, True)]
)
def test_superiority_against_a_soviet_attack(superiority: int, losses: int, rescue: bool) -> None:
    units = {"s-1-tk": "1628", "s-26-tk": "1628", "s-45": "1628", "g-44": "1529"}
    table = fight(units, "s-1-tk", "s-26-tk", "s-45", superiority=superiority).do("finish", "roll 1 5")
    assert (table.battle().attacker_losses, table.battle().rescue) == (losses, rescue)


@rule("stalingrad_roads", "14.1")
@pytest.mark.parametrize(("superiority", "level", "losses"), [(0, 2, 1), (4, 3, 1), (8, 2, 0), (12, 3, 0)])
def test_superiority_in_a_german_attack(superiority: int, level: int, losses: int) -> None:
    units = {"g-14-pz": "1628", "g-16-pz": "1628", "g-24-pz": "1628", "s-45": "1529", "hq-6a": "1333"}
    units |= {"hq-south-west": "1928"}
    table = Table("axis-combat", units, superiority=superiority, rivers=2)
    table.attack("1529", "g-14-pz", "g-16-pz", "g-24-pz").do("armoured", "finish", "roll 4 4")
    battle = table.battle()
    assert (battle.exploitation, battle.attacker_losses) == (level, losses)
    allied = Table(
        "axis-combat", units | {"r-5": "1628", "g-24-pz": "0901"}, superiority=superiority, rivers=2
    )
    allied.attack("1529", "g-14-pz", "g-16-pz", "r-5").do("armoured", "finish", "roll 4 4")
    assert (allied.battle().exploitation, allied.battle().attacker_losses) == (1, 1)


@rule("stalingrad_roads", "8.10", "8.10.2")
def test_terrain_changes_results() -> None:
    data = whole_game().data
    assert data.results["forest"]["S"] == "-"
    assert data.results["forest"]["DR"] == "S"
    assert data.results["marsh"]["E3"] == "-"
    table = Table("soviet-combat", {"s-1-tk": "2212", "s-26-tk": "2212", "s-4-tk": "2212", "r-5": "2213"})
    table.attack("2213", "s-1-tk", "s-26-tk", "s-4-tk").do("finish", "roll 3 4")
    # 4/1, a 7: D1, E, DR; the city takes E away, and DR becomes S; weak allies give an E again (8.11)
    assert (table.battle().exploitation, table.battle().defensive) == (1, "S")


@rule("stalingrad_roads", "8.10.4")
def test_across_a_great_river_the_defender_chooses_what_counts() -> None:
    units = {
        "s-1-tk": "1730",
        "s-26-tk": "1730",
        "s-4-tk": "1730",
        "r-5": "1629",
        "r-6": "1629",
        "hq-6a": "1333",
    }
    table = Table("soviet-combat", units, superiority=0)
    table.attack("1629", "s-1-tk", "s-26-tk", "s-4-tk")
    table.do("finish", "roll 4 6")
    assert table.asked == "river-or-hex"
    assert table.actor == "axis"
    ground = Table("soviet-combat", units, superiority=0)
    ground.attack("1629", "s-1-tk", "s-26-tk", "s-4-tk").do("finish", "roll 4 6", "by-hex")
    table.do("by-river")
    assert table.battle().exploitation < ground.battle().exploitation


@rule("stalingrad_roads", "8.11", "8.11.1")
def test_weak_allies_give_an_e() -> None:
    units = {"s-1-tk": "1628", "s-26-tk": "1628", "s-4-tk": "1628", "r-5": "1529", "r-6": "1529"}
    strong = fight(units, "s-1-tk", "s-26-tk", "s-4-tk").do("finish", "roll 3 4")
    weak = fight(units, "s-1-tk", "s-26-tk", "s-4-tk", reduced=["r-5"])
    weak.do("finish", "roll 3 4")
    # Four steps: in 3/1 a 7 is an E, and no more. Three steps: in 5/1 a 7 is an E, and one more.
    assert (strong.battle().odds, strong.battle().exploitation) == (2, 1)
    assert (weak.battle().odds, weak.battle().exploitation) == (4, 2)
    german = fight(units | {"g-44": "1529"}, "s-1-tk", "s-26-tk", "s-4-tk", reduced=["r-5"])
    assert not german.battle().allied
    assert weak.battle().allied


@rule("stalingrad_roads", "8.12.3", "8.12.4", "8.12.8", "8.12.9")
def test_all_retreat_and_defend_weakly_if_attacked_again() -> None:
    units = {
        "s-1-tk": "1628",
        "s-26-tk": "1628",
        "s-4-tk": "1628",
        "g-44": "1529",
        "g-71": "1529",
        "s-45": "1429",
    }
    table = fight(units, "s-1-tk", "s-26-tk", "s-4-tk", superiority=0)
    table.do("armoured", "roll 5 5")
    while table.asked == "lose-step":
        table.do(sorted(table.options)[0])
    assert table.asked == "fall-back"
    assert table.refused("stay") == ("must-retreat", "8.12.3")
    while table.asked == "fall-back":
        table.do(sorted(table.options)[0])
    for unit in ("g-44", "g-71"):
        assert table.where(unit) != "1529"
        assert table.state.retreated >> table.unit(unit) & 1
    from grognard.games.stalingrad_roads.rules.odds import defence_strength

    assert defence_strength(table.game, table.state, [table.unit("g-44"), table.unit("g-71")]) == 2


@rule("stalingrad_roads", "8.12.5", "8.12.7", "8.12.10")
def test_who_cannot_retreat_dies() -> None:
    ring = dict(
        zip(
            ("s-1-tk", "s-26-tk", "s-45", "s-95", "s-138", "s-13g"),
            ("1628", "1528", "1428", "1429", "1530", "1629"),
            strict=True,
        )
    )
    table = Table("soviet-combat", BASE | ring | {"g-44": "1529"}, superiority=0)
    table.attack("1529", *ring).do("armoured", "finish", "roll 2 2")
    while table.asked in ("lose-step", "declare-defence"):
        table.do(sorted(table.options)[0])
    assert table.where("g-44") == "dead"
    assert table.events("trapped")
    pontoon = {"s-1-tk": "1135", "s-26-tk": "1135", "hq-6a": "1235", "g-44": "1235"}
    stuck = Table("soviet-combat", pontoon, pontoons={"hq-6a": "1135"}, rivers=2)
    stuck.attack("1235", "s-1-tk", "s-26-tk").do("armoured", "roll 4 6", "retreat")
    assert stuck.where("hq-6a") == "dead"
    assert stuck.asked == "fall-back"


@rule("stalingrad_roads", "8.5.3")
def test_who_has_no_attack_factor_attacks_nobody() -> None:
    table = Table("axis-combat", {"alarm-1": "1529", "hq-hollidt": "1429", "s-45": "1628"})
    assert table.refused("target 1628") == ("no-attack-factor", "8.5.3")
    helped = Table("axis-combat", {"alarm-1": "1529", "g-44": "1529", "hq-hollidt": "1429", "s-45": "1628"})
    assert "target 1628" in helped.options


@rule("stalingrad_roads", "8.13", "8.13.1")
def test_the_defender_advances_when_all_attackers_have_gone() -> None:
    table = fight(
        {"s-1-tk": "1628", "s-45": "1628", "g-44": "1529", "g-71": "1529"}, "s-1-tk", "s-45", superiority=0
    )
    table.do("roll 3 3")
    while table.asked == "lose-step":
        table.do(sorted(table.options)[0])
    assert table.asked == "stand-or-retreat"
    table.do("retreat")
    while table.asked == "fall-back":
        table.do(sorted(table.options)[0])
    while table.asked == "react-with":
        table.do("pass")
    assert table.asked == "advance-unit"
    assert table.actor == "axis"
    table.do("advance g-44 1628")
    assert table.where("g-44") == "1628"


@rule("stalingrad_roads", "8.15", "8.15.1", "8.15.2", "8.15.3", "8.15.4", "8.15.9")
def test_kampfgruppen_of_armour() -> None:
    units = {"s-1-tk": "1628", "s-26-tk": "1628", "s-4-tk": "1628", "g-14-pz": "1529"}
    table = fight(units, "s-1-tk", "s-26-tk", "s-4-tk", reduced=["g-14-pz"], superiority=0)
    table.do("armoured", "pass", "roll 3 3", "lose s-1-tk")
    assert table.asked == "raise-kampfgruppe"
    assert table.where("g-14-pz") == "dead"
    table.do("raise")
    assert table.offered("form") == {f"kg-pz-{n}" for n in range(1, 7)}
    table.do("form kg-pz-2")
    assert table.steps("kg-pz-2") == 2
    elements = {"s-1-tk": "1628", "s-26-tk": "1628", "s-4-tk": "1628", "7-pz-1": "1529", "7-pz-2": "1331"}
    first = fight(elements, "s-1-tk", "s-26-tk", "s-4-tk", reduced=["7-pz-1"], superiority=0)
    first.do("armoured", "pass", "roll 3 3", "lose s-1-tk")
    assert first.asked != "raise-kampfgruppe"  # another element is on the map


@rule("stalingrad_roads", "8.15.5", "8.15.6", "8.15.7")
def test_kampfgruppen_of_infantry() -> None:
    units = {"s-1-tk": "1628", "s-26-tk": "1628", "s-4-tk": "1628", "g-100": "1529"}
    table = fight(units, "s-1-tk", "s-26-tk", "s-4-tk", reduced=["g-100"], superiority=0)
    table.do("armoured", "pass", "roll 3 3", "lose s-1-tk", "raise")
    assert table.offered("form") == {"kg-inf-1"}
    table.do("form kg-inf-1")
    assert (table.where("kg-inf-1"), table.where("g-100")) == ("1529", "dead")
    plain = fight(units | {"g-100": "0901", "g-44": "1529"}, "s-1-tk", "s-26-tk", "s-4-tk", reduced=["g-44"])
    plain.do("armoured", "roll 3 4")
    assert plain.asked != "raise-kampfgruppe"


@rule("stalingrad_roads", "8.10.1", "8.10.5")
def test_on_an_f_staying_is_free_and_going_costs_a_step() -> None:
    units = {"s-1-tk": "1628", "s-26-tk": "1628", "g-44": "1529", "g-71": "1529"}
    for choice, asked in (("stand", "choose-target"), ("retreat", "lose-step")):
        table = fight(units, "s-1-tk", "s-26-tk", superiority=0)
        table.do("finish", "roll 4 4", "lose s-1-tk", "lose g-44")
        # 1/1, an 8: A1D1, F
        assert (table.asked, table.battle().defensive) == ("hold-or-retreat", "F")
        table.do(choice)
        assert table.asked == asked
        assert table.steps("g-44") + table.steps("g-71") == 3
    table.do("lose g-71")
    assert (table.asked, table.steps("g-71")) == ("fall-back", 1)


@rule("stalingrad_roads", "8.12.5")
def test_towards_which_hq_one_retreats() -> None:
    def third(table: Table, unit: str) -> set[str]:
        walker = table.unit(unit)
        stages = dict(retreat_stages(table.game, table.state, Retreat((walker,), 2, ()), walker))
        return table.hexes(bits(stages[3]))

    # Two HQs equally near: towards either.
    two = Table("soviet-combat", {"g-44": "1529", "hq-6a": "1526", "hq-4pza": "1532"})
    assert {"1528", "1530"} <= third(two, "g-44") < set(around(two, "1529"))
    one = Table("soviet-combat", {"g-44": "1529", "hq-6a": "1526", "hq-4pza": "1533"})
    assert "1528" in third(one, "g-44")
    assert "1530" not in third(one, "g-44")
    # An HQ goes towards the nearest source; those with it are not bound to.
    stack = Table("soviet-combat", {"g-44": "1529", "hq-6a": "1529"})
    ends = each(sources(stack.game, stack.state, AXIS))
    distance = stack.game.board.distance
    least = min(distance(stack.cell("1529"), end) for end in ends)
    nearer = {c for c in around(stack, "1529") if min(distance(stack.cell(c), end) for end in ends) < least}
    assert third(stack, "hq-6a") == nearer
    assert third(stack, "g-44") == set(around(stack, "1529"))
    # Once it has gone they go after it.
    gone = Table("soviet-combat", {"g-44": "1529", "hq-6a": "1530"})
    assert third(gone, "g-44") == {"1530"}


def around(table: Table, number: str) -> list[str]:
    return [table.game.board.number(cell) for cell in table.game.board.adjacent[table.cell(number)]]


@rule("stalingrad_roads", "S2.13")
def test_nobody_retreats_into_the_zone_of_the_28th_army() -> None:
    for scenario, barred in (("uranus", True), ("whole", False)):
        game = whole_game()
        inside = game.data.zone_28 & game.data.land
        area = game.plan(Table("soviet-combat", {}, scenario="uranus").state).area
        edge = next(c for c in each(game.board.spread(inside) & area & game.data.land & ~game.data.zone_28))
        table = Table("soviet-combat", {"s-34g": game.board.number(edge)}, scenario=scenario)
        unit = table.unit("s-34g")
        cells = bits(open_hexes(game, table.state, Retreat((unit,), 1, ()), unit))
        assert cells
        assert bool(cells & game.data.zone_28) != barred


@rule("stalingrad_roads", "8.10.2", "8.10")
def test_an_hq_reacts_and_great_rivers_are_closed_to_reaction() -> None:
    table = fight({"s-1-tk": "1628", "s-45": "1628", "g-44": "1529", "hq-4pza": "1430"}, "s-1-tk", "s-45")
    table.do("roll 2 2")
    while table.asked in ("lose-step", "stand-or-retreat"):
        table.do("stand" if "stand" in table.options else sorted(table.options)[0])
    assert "hq-4pza" in table.offered("react")
    river = Table("soviet-movement", BASE | {"s-4-tk": "1730"})
    river.state.push("move", Move((river.unit("s-4-tk"),), 4, REACTION))
    advance(river.game.procedures, river.game, river.state)
    assert river.refused("step 1629") == ("river-closed", "9.2.4")
    river.do("step 1829")
    assert river.where("s-4-tk") == "1829"


@rule("stalingrad_roads", "8.10.1", "4.4.3")
def test_reaction() -> None:
    units = {"s-1-tk": "1628", "s-45": "1628", "g-44": "1529", "g-14-pz": "1430", "g-71": "1629"}
    table = fight(units, "s-1-tk", "s-45", superiority=0)
    table.do("roll 2 2")
    while table.asked in ("lose-step", "stand-or-retreat"):
        table.do("stand" if "stand" in table.options else sorted(table.options)[0])
    assert table.asked == "react-with"
    assert table.offered("react") == {"g-14-pz"}
    assert table.refused("react g-71") == ("reacts-next-to-enemy", "8.10")
    table.do("react g-14-pz")
    assert table.left == 2
    table.do("step 1330")
    assert table.where("g-14-pz") == "1330"
    # With nobody who could, nobody is asked.
    alone = fight({"s-1-tk": "1628", "s-45": "1628", "g-44": "1529"}, "s-1-tk", "s-45", superiority=0)
    alone.do("roll 2 2")
    while alone.asked in ("lose-step", "stand-or-retreat"):
        alone.do("stand" if "stand" in alone.options else sorted(alone.options)[0])
    assert alone.asked == "choose-target"


@rule("stalingrad_roads", "8.12.5")
def test_the_priorities_are_numbered() -> None:
    table = Table("soviet-combat", BASE | {"s-45": "1628", "g-44": "1529"})
    unit = table.unit("g-44")
    stages = retreat_stages(table.game, table.state, Retreat((unit,), 1, (table.cell("1628"),)), unit)
    assert [number for number, _ in stages] == [1, 2, 3, 4, 5, 6]
    for (_, before), (_, after) in pairwise(stages):
        assert after and set(after) <= set(before)


def test_sides() -> None:
    assert (AXIS, SOVIET) == (0, 1)
