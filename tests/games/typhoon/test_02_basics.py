"""2, 3.2, 3.3.3, 5.1, 6.2, 7.3, 7.4, 13.0, 14.1 What the game is made of, and how it begins."""

from __future__ import annotations

import pytest

from grognard.board.board import bits
from grognard.games.typhoon.data import NO_STEPS
from grognard.games.typhoon.rules.ground import sources, zone
from grognard.games.typhoon.rules.weather import Sky
from grognard.games.typhoon.rules.weather_phase import RollWeather
from grognard.games.typhoon.state import AXIS, SOVIET
from grognard.kernel import Event
from tests.games.typhoon.table import Table, real_game
from tests.rules import rule

INF, INF2, INF3, PANZER, RECON, TRUCK = (
    *("g-251-inf", "g-102-inf", "g-256-inf"),
    *("g-6-pz-pzr-11", "g-6-pz-aa-57", "g-supply-truck-1"),
)
RIFLE, HQ, SKI = "s-126-rd", "s-22a", "s-1-ski-bn"


@rule("typhoon", "2.1")
def test_the_sheets_overlap_and_a_hex_has_a_number_on_each() -> None:
    board = real_game().board
    assert board.cell("N4820") == board.cell("M1020"), "the last column of N is the first of M"
    assert board.cell("M2053") == board.cell("P4201"), "the last row of M is the first of P"
    learning, campaign = (real_game().outlines[id_] for id_ in ("learning", "campaign"))
    assert campaign.area == board.everywhere and learning.area.bit_count() == 270


@rule("typhoon", "2.3", "2.3.1")
def test_counters_show_attack_or_support_defence_and_movement() -> None:
    counters = real_game().counters("en")
    assert counters[INF]["faces"] == [["9", "9", "7"], ["5", "5", "7"]]
    assert counters["g-harko-2"]["faces"][0] == ["5", "1", "8"], "of artillery the support"
    assert counters[RECON]["faces"] == [["1", "2", "12"]], "one step has one face"


@rule("typhoon", "2.5.1")
def test_hexes_behind_a_side_s_units_are_its_own() -> None:
    game = real_game()
    state = game.set_up("yelets", {})
    held = state.soviet_hexes
    assert not held >> game.board.cell("P1007") & 1, "the west edge"
    assert held >> game.board.cell("P7015") & 1, "the east edge"
    for side in (AXIS, SOVIET):
        own = bits(c for c in game.board.cells if state.fighters(side, c))
        assert (held & own == own) == (side == SOVIET)


@rule("typhoon", "2.6.1", "2.6.2")
def test_the_die_has_ten_faces_and_some_turns_add_to_it() -> None:
    faces = [action[1] for action, weight in RollWeather().weights(None, None)]  # type: ignore[arg-type]
    assert faces == list(range(1, 11))
    table = Table("weather", {}, turn=29, weather="frost").do("sky 8")
    assert table.state.sky == Sky("snow", storm=True), "eight and one is nine (the book's example of 5.1.6)"


@rule("typhoon", "3.2", "3.2.2")
def test_what_is_too_much_at_the_end_of_a_phase_is_lost() -> None:
    table = Table("axis-movement", {INF: "1510", INF2: "1510", INF3: "1509", TRUCK: "1510"})
    table.do(f"pick {INF3}", "step 1510", "halt", "end")
    assert table.asked == "lose-excess" and table.offered("discard") == {INF, INF2, INF3}
    assert table.refused(f"discard {TRUCK}") == ("not-in-crowd", "3.2.2")
    table.do(f"discard {INF2}")
    assert table.where(INF2) == "eliminated" and table.asked != "lose-excess"


@rule("typhoon", "3.2.2", "8.1.1")
def test_whoever_is_lost_so_has_no_part_in_an_attack_that_he_declared() -> None:
    where = {INF: "1510", INF2: "1510", INF3: "1509", RIFLE: "1511", HQ: "1513"}
    table = Table("axis-movement", where).move(INF3, "1510")
    table.attack("1511", INF, INF2).do("end", f"discard {INF2}")
    assert table.state.attacks[0].attackers == (table.unit(INF),)
    table.to_combat().do("fight 1511")


@rule("typhoon", "3.3.3", "3.3.4")
@pytest.mark.parametrize(("weather", "crosses"), [("dry", False), ("snow", True)])
def test_weather_changes_where_zones_go(weather: str, crosses: bool) -> None:
    table = Table("axis-movement", {RIFLE: "1510"}, sides={"1509/1510": "lake"}, weather=weather)
    assert bool(zone(table.game, table.state, SOVIET) >> table.cell("1509") & 1) == crosses


@rule("typhoon", "5.1")
def test_the_weather_is_given_or_rolled_and_holds_everywhere() -> None:
    log: list[Event] = []
    state = real_game().start("learning", log=log)
    assert state.turn == 3 and state.sky == Sky("dry")
    assert [e.kind for e in log[:2]] == ["turn", "weather-given"], "no die is thrown"
    table = Table("weather", {}, turn=12).do("sky 1")
    assert table.events("weather-rolled")[0]["die"] == 1
    assert table.asked != "roll-weather"


@rule("typhoon", "6.2", "6.2.1")
def test_soviet_sources_are_major_cities_they_hold_and_the_east() -> None:
    table = Table("soviet-movement", {}, scenario="whole", soviet_hexes=["M2928"])
    found = table.hexes(sources(table.game, table.state, SOVIET))
    assert {"M2928", "M4813", "P7014", "P4634"} <= found
    assert "M2927" not in found and "N2047" not in found, "major cities that the Axis holds"
    lost = Table("soviet-movement", {INF: "P7014"}, scenario="whole", soviet_hexes=["M2928"])
    assert "P7014" not in lost.hexes(sources(lost.game, lost.state, SOVIET)), "an enemy stands there"


@rule("typhoon", "7.3", "7.4")
@pytest.mark.parametrize(("weather", "left"), [("dry", 5), ("rain", 4), ("snow", 4)])
def test_terrain_costs_by_the_weather(weather: str, left: int) -> None:
    table = Table("axis-movement", {INF: "1510"}, hexes={"1511": "woods"}, weather=weather)
    table.do(f"pick {INF}", "step 1511")
    assert table.left == left


@rule("typhoon", "13.0")
def test_special_units_have_one_step_and_most_no_zone() -> None:
    for unit in real_game().units:
        if unit.kind in ("hq", "armoured_train") or unit.special in ("siege", "naval"):
            assert unit.steps == 1 and not unit.zone, unit.id
            assert unit.stacking == 0 or unit.special == "naval", unit.id
        assert unit.kind not in NO_STEPS or unit.steps == 0


@rule("typhoon", "14.1", "14.1.7")
def test_a_reinforcement_pays_for_its_first_hex() -> None:
    table = Table(
        "axis-movement", {}, scenario="learning", turn=4, to_come={"g-3-pz-sr-394": 4, "g-3-pz-aa-1": 6}
    )
    assert table.refused("enter g-3-pz-aa-1 P4220") == ("not-due", "14.1.1")
    assert table.refused("enter g-3-pz-sr-394 P4515") == ("not-an-entry", "14.1.2")
    table.do("enter g-3-pz-sr-394 P4220")
    assert table.where("g-3-pz-sr-394") == "P4220" and table.left < 9
    table.do("halt")
    assert table.in_set(table.state.arrived) == {"g-3-pz-sr-394"}


@rule("typhoon", "7.6.5")
def test_reinforcements_may_enter_by_rail_within_the_capacity() -> None:
    rails = {f"15{row:02d}/15{row + 1:02d}": "rail" for row in range(1, 12)}
    gauge = [f"15{row:02d}" for row in range(1, 13)]
    due = {INF: (4, "w", "1501"), INF2: (4, "w", "1501")}
    table = Table("axis-movement", {}, sides=rails, axis_rail=gauge, rail=4, due=due)
    assert table.refused(f"rail-in {INF} 1601") == ("no-railway", "7.6.5")
    table.do(f"rail-in {INF} 1501", "detrain 1508")
    assert table.where(INF) == "1508" and table.state.rail_left[0] == 0
    assert table.refused(f"rail-in {INF2} 1501") == ("no-rail-capacity", "7.6.3")
    table.do(f"enter {INF2} 1501")
