"""Single conditions of the rules: each test fails if one of them is turned round."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.stalingrad_roads.rules.approval import RollCrisis
from grognard.games.stalingrad_roads.rules.combat import ChooseTarget, DefendWith, has_brigade
from grognard.games.stalingrad_roads.rules.ground import take
from grognard.games.stalingrad_roads.rules.losses import Fallen, RaiseKampfgruppe, alive, kampfgruppen
from grognard.games.stalingrad_roads.rules.movement import ORDINARY, Move, open_steps
from grognard.games.stalingrad_roads.rules.offensives import worth_an_offensive
from grognard.games.stalingrad_roads.rules.reach import flood
from grognard.games.stalingrad_roads.rules.reinforcements import can_receive
from grognard.games.stalingrad_roads.rules.stavka import Release, released
from grognard.games.stalingrad_roads.rules.supply import judge_units, lose_outside_fortress
from grognard.games.stalingrad_roads.state import AXIS, DEAD, GOING_ON, SOVIET, SUDDEN
from tests.games.stalingrad_roads.table import Table, real_game
from tests.rules import rule

HQS = {"hq-south-west": "1928", "hq-6a": "1333"}
POCKET = {"g-71": "1334", "g-79": "1333", "s-45": "1434", "s-4-mk": "1233", "hq-stalingrad": "1235"}


def in_the_pocket(phase: str, **more: Any) -> Table:
    units = POCKET | {"s-13-mk": "1233"}
    return Table(phase, units, enclosed=["g-71", "g-79"], fortress="1333", level=8, **more)


# Movement


@rule("stalingrad_roads", "12.1")
def test_only_the_moves_of_hqs_bring_shortages() -> None:
    table = Table("soviet-movement", HQS | {"s-45": "1628", "hq-don": "1831", "s-64": "1831"})
    for kind in ("s-shortage", "s-shortage-test"):
        table.state.pool[table.game.support_index[kind]] = 0
    step = sorted(table.do("pick s-45").offered("step"))[0]
    table.do(f"step {step}", "halt")
    assert table.events("shortage") == []


@rule("stalingrad_roads", "3.2.2", "7.1.4")
def test_in_mud_only_dry_sides_lead_next_to_the_enemy() -> None:
    """By steps and by whole moves alike, for both sides."""
    for phase, mover, enemy in (
        ("axis-movement", "g-44", "s-45"),
        ("soviet-movement", "s-45", "g-44"),
    ):
        dry = wet = 0
        for start, there in (("1628", "1529"), ("1730", "1729")):
            table = Table(phase, HQS | {mover: start, enemy: there}, mud=True)
            move = Move((table.unit(mover),), 8, ORDINARY, start=table.cell(start))
            mine, side = table.cell(start), table.state.side(table.unit(mover))
            steps = set(open_steps(table.game, table.state, move))
            reached = flood(table.game, table.state, move).cells
            near = table.game.board.spread(1 << table.cell(there))
            for cell in table.game.board.adjacent[mine]:
                if not near >> cell & 1 or cell == table.cell(there):
                    continue
                watered = (mine, cell) in table.game.data.water_side
                bridged = (mine, cell) in table.game.data.bridged
                if watered and not bridged:
                    wet += 1
                    assert cell not in steps
                elif cell in steps:
                    dry += 1
                    assert reached >> cell & 1
            assert side in (AXIS, SOVIET)
        assert dry


@rule("stalingrad_roads", "9.2.1", "7.1.1")
def test_marked_units_of_a_hex_move_on_together() -> None:
    units = HQS | {"s-4-tk": "1628", "s-51g": "1628", "s-45": "1628", "r-5": "1429"}
    table = Table("soviet-exploitation", units, exploiting=["s-4-tk", "s-51g"]).do("pick s-4-tk")
    assert table.offered("gather") == {"s-51g"}
    assert table.refused("gather s-45") == ("not-exploiting", "9.2.1")


# Combat


@rule("stalingrad_roads", "8.3.1")
def test_nobody_attacks_when_the_game_is_over() -> None:
    table = Table("soviet-combat", HQS | {"s-45": "1628", "r-5": "1529"})
    assert table.asked == "choose-target"
    for ending in (GOING_ON, SUDDEN):
        table.state.ending = ending
        assert ChooseTarget().pending(table.game, table.state) == (ending == GOING_ON)


@rule("stalingrad_roads", "8.5.2", "5.5.4")
def test_the_defender_answers_with_his_own_markers() -> None:
    units = HQS | {"s-4-tk": "1628", "s-1-tk": "1628", "g-44": "1529"}
    table = Table("soviet-combat", units, laid=[("a-luftwaffe", "1529")])
    table.attack("1529", "s-4-tk", "s-1-tk")
    assert table.asked == "defend-with"
    assert table.actor == "axis"
    assert table.refused("answer a-rudel") == ("not-callable", "5.5.4")
    table.do("answer a-luftwaffe")
    axis = Table("axis-combat", {"g-14-pz": "1529", "hq-6a": "1333", "s-45": "1628"})
    assert DefendWith().actor(axis.game, axis.state) == SOVIET


@rule("stalingrad_roads", "10.4.3")
def test_of_two_events_in_a_fight_one_strengthens_and_one_is_for_rats() -> None:
    flights = [("unit_resistance", "1333"), ("hube", "1333"), ("rattenkrieg", "1333")]
    table = in_the_pocket("soviet-combat", flights=flights).attack("1333", "s-4-mk", "s-13-mk")
    assert table.offered("fly") == {"unit_resistance", "hube", "rattenkrieg"}
    table.do("fly hube")
    assert table.offered("fly") <= {"rattenkrieg"}
    other = in_the_pocket("soviet-combat", flights=flights).attack("1333", "s-4-mk", "s-13-mk")
    other.do("fly unit_resistance")
    assert other.offered("fly") == {"rattenkrieg"}
    other.do("fly rattenkrieg")
    assert other.offered("fly") == set()
    last = in_the_pocket("soviet-combat", flights=flights).attack("1333", "s-4-mk", "s-13-mk")
    last.do("fly rattenkrieg")
    assert last.offered("fly") == {"unit_resistance", "hube"}


@rule("stalingrad_roads", "8.6.2", "5.5")
def test_a_tank_brigade_counts_as_armour_and_guns_do_not() -> None:
    units = HQS | {"s-45": "1628", "s-64": "1628", "r-5": "1529"}
    for support, count in (("s-tank-brigade", 1), ("s-katyusha", 0)):
        table = Table("soviet-combat", units, attached={support: "s-45"})
        assert has_brigade(table.game, table.state, (table.unit("s-45"), table.unit("s-64"))) == count


@rule("stalingrad_roads", "10.2.5")
def test_only_an_attack_next_to_the_enclosed_can_break_the_ring() -> None:
    units = {"g-71": "1334", "g-79": "1434", "g-14-pz": "1332", "g-24-pz": "1332", "hq-4pza": "1032"}
    for target, near in (("1333", True), ("1331", False)):
        table = Table(
            "axis-combat",
            units | {"s-45": target, "hq-stalingrad": "1235"},
            enclosed=["g-71", "g-79"],
            fortress="1334",
            level=8,
            rivers=2,
        )
        table.attack(target, "g-14-pz", "g-24-pz")
        assert table.state.ring_broken == near


@rule("stalingrad_roads", "8.15")
def test_the_dead_are_not_among_those_left() -> None:
    table = Table("soviet-combat", HQS | {"s-45": "1628", "s-64": "1628", "r-5": "1529"})
    both = (table.unit("s-45"), table.unit("s-64"))
    assert alive(table.state, both) == list(both)
    table.state.place(both[0], -1)
    assert alive(table.state, both) == [both[1]]


@rule("stalingrad_roads", "8.15.1", "8.15.8")
def test_no_kampfgruppe_is_offered_when_the_last_one_has_been_taken() -> None:
    """Two elite divisions may die at one stroke, and one Kampfgruppe be left."""
    table = Table("soviet-combat", HQS | {"g-100": "1529", "s-45": "1628"})
    unit = table.unit("g-100")
    table.state.place(unit, DEAD)
    table.state.push("kampfgruppe", Fallen(unit, table.cell("1529")))
    left = kampfgruppen(table.game, table.state, unit)
    assert left
    for kg in left:
        assert RaiseKampfgruppe().pending(table.game, table.state)
        table.state.place(kg, DEAD)
    assert not RaiseKampfgruppe().pending(table.game, table.state)


@rule("stalingrad_roads", "5.5.7")
def test_where_a_surprise_attack_may_begin() -> None:
    units = {"s-4-mk": "1034", "r-18": "0933", "r-1": "1033", "s-45": "1134", "hq-stalingrad": "1235"}
    table = Table("soviet-supports", units, turn=1, scenario="uranus")
    for support in ("s-surprise", *["s-artillery-3"] * 2, *["s-artillery-2"] * 3, *["s-katyusha"] * 2):
        table.do(f"choose {support}")
    while table.asked == "choose-supports-soviet" or (table.asked or "").startswith("choose-supports"):
        table.do(sorted(table.options)[0])
    table.do("take s-surprise major", "attach s-4-mk")
    assert "approach 0933" not in table.options
    assert "approach 1033" not in table.options
    assert table.refused("approach 1033") == ("enemy-there", "7.1.7")
    table.do("keep")
    assert table.asked == "surprise-target"
    assert table.refused("target 1134") == ("nobody-to-attack", "5.5.7")
    assert table.refusal("pass") is None
    table.do("pass")
    assert table.asked != "surprise-target"


# Supply


@rule("stalingrad_roads", "10.2.3")
def test_the_enclosed_die_outside_the_zone_in_their_own_supply_phase_alone() -> None:
    for active, dies in ((SOVIET, False), (AXIS, True)):
        table = Table(
            "axis-movement",
            {"g-71": "1334", "g-79": "1434", "g-44": "1529", "s-45": "1232"},
            enclosed=["g-71", "g-79", "g-44"],
            fortress="1334",
            level=8,
        )
        table.state.active = active
        lose_outside_fortress(table.game, table.state)
        assert (table.where("g-44") != "1529") == dies


@rule("stalingrad_roads", "4.3", "4.4.1")
def test_whoever_is_supplied_again_loses_either_marker() -> None:
    table = Table("axis-movement", {"g-44": "1332", "hq-6a": "1329", "s-45": "1928"}, enclosed=["g-44"])
    table.state.unsupplied = table.state.enclosed
    judge_units(table.game, table.state)
    assert table.in_set(table.state.enclosed | table.state.unsupplied) == set()


# Politics


@rule("stalingrad_roads", "15.3")
def test_the_attacks_of_a_demand_are_counted_from_the_crisis_on() -> None:
    table = Table("axis-movement", {"g-44": "1409", "hq-lanz": "1409", "s-45": "1335"})
    table.state.crisis, table.state.armoured_attacks = True, 3
    RollCrisis().apply(table.game, table.state, AXIS, ("crisis", 3, 4))
    assert table.state.demand[0] == 2
    assert table.state.armoured_attacks == 0


@rule("stalingrad_roads", "6.1.1")
def test_mars_shows_its_dice_and_may_cost_the_axis_a_marker() -> None:
    units = {"hq-don": "1831", "s-45": "1631", "g-44": "1630", "hq-6a": "1333"}
    for mars, roll, left in ((1, "roll-mars 4 5", 1), (0, "roll-mars 4 5", 2), (0, "roll-mars 2 5", 2)):
        table = Table("mars", units, turn=2, held={"available": ["a-rudel", "a-goering"]})
        table.state.mars = mars
        table.do(roll)
        assert len(table.held("available")) == left
        assert table.events("mars-rolled")[-1]["dice"] == tuple(map(int, roll.split()[1:]))


@rule("stalingrad_roads", "3.1.1", "3.1.2")
def test_the_weather_that_was_rolled_is_told_with_its_dice() -> None:
    table = Table("weather", {"s-45": "1631", "g-44": "1630"}, turn=5)
    while table.asked != "roll-weather":
        table.do(sorted(table.options)[0])
    table.do(sorted(table.options)[0])
    (told,) = table.events("weather-rolled")
    assert len(told["dice"]) == 2
    assert told["word_ground"] in ("mud", "snow")


# Reserves


@rule("stalingrad_roads", "11.1.2")
def test_open_country_is_no_place_for_an_offensive() -> None:
    game = real_game()
    found = {
        n for n in ("1125", "1628", "1927") if worth_an_offensive(game.data, game.board, game.board.cell(n))
    }
    assert "1125" in found
    assert len(found) < 3


@rule("stalingrad_roads", "17.3.14")
def test_who_is_marked_as_unsupplied_receives_nobody() -> None:
    units = {"g-44": "1411", "g-71": "1411", "hq-lanz": "1409", "s-45": "1335"}
    for marked in ((), ("g-44",)):
        for kind in ("unsupplied", "enclosed"):
            table = Table("axis-movement", units, **{kind: marked})  # type: ignore[arg-type]
            able = [u for u in ("g-44", "g-71") if can_receive(table.game, table.state, table.unit(u))]
            assert able == [u for u in ("g-44", "g-71") if u not in marked]


@rule("stalingrad_roads", "13.1.1")
@pytest.mark.parametrize(("die", "bonus"), [(6, 0), (6, 1), (6, 4)])
def test_the_table_of_releases_ends_at_six(die: int, bonus: int) -> None:
    table = Table("stavka-reserve", {"hq-voronezh": "2618", "g-44": "2617"}, turn=4, reserve=["s-6"])
    front = table.unit("hq-voronezh")
    most = table.game.data.stavka["release_6"]
    release = Release(fronts=(-1,), front=front, bonus=bonus)
    assert released(table.game, table.state, release, die) == most


@rule("stalingrad_roads", "11.4.2")
def test_three_exchanges_and_no_fourth() -> None:
    units = {"s-45": "0619", "g-44": "0518", "hq-stalingrad": "0022", "hq-lanz": "0901"}
    held = {"stavka": ["s-vvs"] * 4 + ["s-aa"] * 4 + ["s-artillery-2"] * 3}
    table = Table("offensives", units, turn=11, held=held, rivers=2)
    table.state.soviet_hexes |= table.game.data.stalingrad
    while "launch 0518" not in table.options:
        table.do("pass")
    table.do("launch 0518")
    for kind in ("s-vvs", "s-vvs", "s-aa"):
        table.do(f"give {kind}", f"give {kind}", "obtain s-surprise")
    assert table.offered("give") == set()


@rule("stalingrad_roads", "S4.8")
def test_a_new_major_city_ends_the_backhand_blow_and_one_held_before_does_not() -> None:
    game = real_game()
    plan_state = game.start("backhand")
    begun = game.plan(plan_state).soviet_hexes
    majors = [
        c for c in game.board.cells if game.data.major_cities >> c & 1 and game.plan(plan_state).area >> c & 1
    ]
    held = [c for c in majors if begun >> c & 1]
    new = [c for c in majors if not begun >> c & 1 and not game.data.stalingrad >> c & 1]
    assert held and new
    for cell, over in ((held[0], False), (new[0], True)):
        state = game.start("backhand")
        state.soviet_hexes &= ~(1 << cell)
        take(game, state, SOVIET, cell)
        assert (state.ending == SUDDEN) == over
