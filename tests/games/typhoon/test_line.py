"""The line between the armies: what matters that it is barred, what opens if it goes, who goes where."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy

import pytest

from grognard.games.typhoon.rules.ground import supplied_hexes, zone
from grognard.games.typhoon.rules.surrender import in_danger
from grognard.games.typhoon.staff.doctrine import TyphoonDoctrine
from grognard.games.typhoon.staff.line import Barred, errands, ring, yielding
from grognard.games.typhoon.staff.outlook import Outlook
from grognard.games.typhoon.staff.plan import TyphoonPlan
from grognard.games.typhoon.state import AXIS, SOVIET
from tests.games.typhoon.table import Table, real_game
from tests.games.typhoon.test_06_points import POCKET
from tests.games.typhoon.test_staff import doctrine
from tests.rules import rule

INF, INF2, INF3, PANZER = "g-251-inf", "g-102-inf", "g-256-inf", "g-6-pz-pzr-11"
RIFLE, RIFLE2 = "s-126-rd", "s-133-rd"


def seen(side: int, units: Mapping[str, str], places: Mapping[str, int]) -> tuple[Table, Outlook]:
    """What a side knows of a position in which some places, all Soviet as yet, are worth points."""
    table = Table("axis-movement", units, soviet_hexes=places)
    game = table.game = copy(table.game)
    worth = tuple((table.cell(hex_), "all", AXIS, points) for hex_, points in places.items())
    game.outlines = {**game.outlines, "field": game.outlines["field"]._replace(places=worth)}
    found = TyphoonDoctrine(game, doctrine().numbers).view(table.state, side)
    assert isinstance(found, Outlook)
    return table, found


def test_it_matters_most_to_bar_the_shortest_way_near_the_enemy() -> None:
    table, view = seen(SOVIET, {INF: "1503", RIFLE: "1510"}, {"1516": 2})
    weights = {hex_: view.our_line.weights.get(table.cell(hex_), 0.0) for hex_ in ("1506", "2106", "1515")}
    assert weights["1506"] == pytest.approx(1.0)
    assert weights["2106"] < weights["1506"] / 2, "six hexes off the way"
    assert 0 < weights["1515"] < weights["1506"], "far behind"


def test_two_ways_matter_as_much_as_the_places_to_which_they_lead() -> None:
    units = {INF: "1203", INF2: "2803", RIFLE: "1210", RIFLE2: "2810"}
    table, view = seen(SOVIET, units, {"1216": 1, "2816": 4})
    weights = view.our_line.weights
    assert weights[table.cell("1206")] == pytest.approx(0.25, abs=0.02)
    assert weights[table.cell("2806")] == pytest.approx(1.0)


def test_a_hex_that_is_barred_counts_once() -> None:
    def worth(*held: str) -> float:
        units = {INF: "1503", **dict(zip((RIFLE, RIFLE2), held, strict=False))}
        _, view = seen(SOVIET, units, {"1516": 2})
        return view.our_line.term(TyphoonPlan(view, ()), 1.0).afresh()

    assert worth("1507") > worth("1517")
    assert 0 < worth("1507", "1707") - worth("1507") < worth("1707")
    assert worth("1507", "1507") == worth("1507")


@rule("typhoon", "3.3.1")
def test_who_has_no_zone_bars_nothing_as_the_rules_say() -> None:
    """Headquarters apart, every unit of the game, alone: what a plan thinks that it bars is its zone."""
    game, bars = real_game(), set[bool]()
    for unit in range(0, game.axis_units, 7):
        counter = game.units[unit]
        if counter.mover == "rail" or game.supplies >> unit & 1:
            continue
        table, view = seen(AXIS, {counter.id: "1503", RIFLE: "1510"}, {})
        plan = TyphoonPlan(view, ())
        here, there = table.cell("1503"), table.cell("1504")
        barred = Barred(plan, "front", {here: [0]}, [1.0]).afresh() > 0
        assert barred == bool(zone(table.game, table.state, AXIS) >> there & 1), counter.id
        bars.add(barred)
    assert bars == {True, False}


def test_a_plan_bars_the_way_and_a_beginner_goes_to_the_place() -> None:
    """Two divisions in a place ahead of which nobody stands."""
    units = {INF: "1503", INF2: "1303", RIFLE: "1511", RIFLE2: "1511"}
    table, view = seen(SOVIET, units, {"1514": 4})
    table.state.active = SOVIET
    choices = [[table.cell("1511"), table.cell("1508")], [table.cell("1511")]]
    movers = [table.unit(RIFLE), table.unit(RIFLE2)]
    expert = TyphoonPlan(view, movers, choices)
    expert.open(choices, {}, 0, expert.valued(), [view.our_line.term(expert, 5.0)])
    plain = TyphoonDoctrine(table.game, doctrine().numbers).simple.view(table.state, SOVIET)
    novice = TyphoonPlan(plain, movers, choices)
    assert expert.gain(0, table.cell("1508")) > novice.gain(0, table.cell("1508"))
    expert.put(0, table.cell("1508"))
    assert expert.worth() == pytest.approx(expert.afresh(), abs=1e-6)


@rule("typhoon", "6.4.1", "6.4.3")
def test_who_may_give_up_is_who_the_rules_throw_a_die_for() -> None:
    """Where a zone of ours reaches the pocket, and nowhere else, the plan counts on it."""
    for units in (POCKET, {RIFLE: "1510", INF: "1509"}, {**POCKET, "s-1-gds-rd": "1510"}):
        table = Table("surrender", units, sources=(["1001"], ["3020"]), unsupplied=[RIFLE])
        plan = TyphoonPlan(TyphoonDoctrine(table.game, doctrine().numbers).view(table.state, AXIS), ())
        counted = yielding(plan)
        assert bool(counted.brings) == bool(in_danger(table.game, table.state)), units
        assert (counted.afresh() > 0) == bool(counted.brings)


@rule("typhoon", "6.1.5")
def test_a_ring_is_closed_where_a_zone_bars_the_way_home() -> None:
    """One more panzer division on the way out counts; where the enemy's own zone undoes ours it does not."""
    units = {RIFLE: "1510", INF: "1410", PANZER: "1505", INF2: "1610"}
    table = Table("axis-movement", units, sources=(["1001"], ["1520"]))
    view = TyphoonDoctrine(table.game, doctrine().numbers).view(table.state, AXIS)
    plan = TyphoonPlan(view, [table.unit(PANZER)])
    bars = ring(plan, 1 << table.unit(PANZER)).brings
    assert table.cell("1514") in bars and table.cell("1515") in bars
    assert table.cell("1506") not in bars, "nobody goes home that way"
    for cell in bars:
        if not view.zones >> cell & 1 and cell != table.cell("1510"):
            trial = table.state.clone()
            trial.place(table.unit(PANZER), cell)
            assert zone(table.game, trial, AXIS) & ~zone(table.game, trial, SOVIET), "it bars something"


@rule("typhoon", "6.1.5", "6.3.2")
def test_what_is_charged_for_supply_is_what_the_rules_say() -> None:
    """Nothing where a route leads, less where only zones of the enemy stop one, all where none would lead."""
    game = real_game()
    state = game.start("campaign")
    depth = doctrine().view(state, AXIS).depth
    unstopped = state.clone()
    unstopped.zones[SOVIET] = 0
    fed, beyond = supplied_hexes(game, state, AXIS), supplied_hexes(game, unstopped, AXIS)
    assert fed & ~beyond == 0 and beyond & ~fed
    for cell in range(game.board.size):
        expected = 0.0 if fed >> cell & 1 else depth[cell] if 0 < depth[cell] < 1 else 1.0
        assert depth[cell] == expected and (depth[cell] < 1) == bool(beyond >> cell & 1)


def test_who_bars_a_way_alone_is_worth_most_to_drive_out() -> None:
    units = {PANZER: "1505", INF: "2505", RIFLE: "1508", RIFLE2: "2508"}
    table, view = seen(AXIS, units, {"1516": 4, "2516": 1})
    holes = view.their_line.holes
    alone, aside = (holes[table.cell(hex_)] for hex_ in ("1508", "2508"))
    assert alone > aside > 0
    shared, other = seen(AXIS, {**units, RIFLE2: "1708"}, {"1516": 4, "2516": 1})
    assert other.their_line.holes[shared.cell("1508")] < alone, "another bars some of the same hexes"
    assert view.prize(table.cell("1508")) > view.prize(table.cell("2508"))
    view.plain = True
    assert view.prize(table.cell("1508")) == view.prize(table.cell("2508")), "beginners do not see it"


def test_everybody_goes_for_a_place_and_a_garrison_calls_for_more() -> None:
    units = {INF: "1503", INF3: "1403", INF2: "2503", RIFLE: "1516", RIFLE2: "1516"}
    table, view = seen(AXIS, units, {"1516": 4, "2516": 4})
    view.common = {**view.common, "errand": 9.0}
    found = view.errands
    assert found[table.unit(INF2)] == table.cell("2516"), "nobody is there: the nearest is enough"
    assert found[table.unit(INF)] == found[table.unit(INF3)] == table.cell("1516"), (
        "two divisions stand there"
    )
    table.state.place(table.unit(RIFLE), table.cell("2516"))
    table.state.place(table.unit(RIFLE2), table.cell("2516"))
    then = Outlook(view.lore, table.state, AXIS)
    then.common = view.common
    again = errands(then)
    assert again[table.unit(INF)] == table.cell("1516") and again[table.unit(INF3)] == table.cell("2516")


def test_who_comes_from_the_rear_goes_to_where_a_way_is_to_be_barred() -> None:
    table, view = seen(SOVIET, {INF: "1503", RIFLE: "1510", RIFLE2: "2019"}, {"1516": 2, "2618": 1})
    muster = view.our_line.muster
    assert muster[table.cell("1508")] == 0
    assert muster[table.cell("2019")] > muster[table.cell("2015")] > 0


def test_nothing_is_barred_where_nobody_comes() -> None:
    game = real_game()
    state = game.start("learning")
    for unit in range(game.axis_units):
        state.place(unit, -9)
    view = doctrine().view(state, SOVIET)
    assert view.our_line.weights == {} and set(view.our_line.muster) == {99.0}


def test_the_axis_bars_the_ways_to_its_roads_from_home() -> None:
    """It holds no place yet, but whoever cuts the roads from home starves it."""
    units = {INF: "1512", INF2: "1712", RIFLE: "1516"}
    table, view = seen(AXIS, units, {"1518": 4})
    game = table.game
    home = 1 << table.cell("1503")
    game.outlines = {**game.outlines, "field": game.outlines["field"]._replace(sources=(home, home))}
    weights = view.our_line.weights
    assert weights[table.cell("1510")] == pytest.approx(view.common["lifeline"], rel=0.01)
    assert weights[table.cell("1510")] > weights.get(table.cell("2510"), 0.0)


def test_soviets_go_to_take_a_place_back_only_if_enough_are_near() -> None:
    scouts = "g-6-pz-aa-57"
    units = {scouts: "1510", RIFLE: "1512", RIFLE2: "1513", "s-312-rd": "1414", "s-316-rd": "1413"}
    table, _ = seen(SOVIET, units, {"2818": 1, "1510": 1})
    table.state.soviet_hexes &= ~(1 << table.cell("1510"))
    going = TyphoonDoctrine(table.game, doctrine().numbers).view(table.state, SOVIET).errands
    assert set(going.values()) == {table.cell("1510")} and table.unit(RIFLE) in going
    table.state.place(table.unit("s-316-rd"), table.cell("2810"))
    table.state.place(table.unit("s-312-rd"), table.cell("2811"))
    assert TyphoonDoctrine(table.game, doctrine().numbers).view(table.state, SOVIET).errands == {}
