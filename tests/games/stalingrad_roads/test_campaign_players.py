"""What planners know of the campaign: where fronts lead, who dies outside the fortress, Manstein's needs."""

from __future__ import annotations

import pytest

from grognard.games.stalingrad_roads.staff.answers import Troops
from grognard.games.stalingrad_roads.staff.arms import Arms
from grognard.games.stalingrad_roads.staff.doctrine import RoadsDoctrine
from grognard.games.stalingrad_roads.staff.plan import RoadsPlan
from grognard.games.stalingrad_roads.state import AXIS, SOVIET
from tests.games.stalingrad_roads.table import Table, real_game
from tests.games.stalingrad_roads.test_staff import taught_of
from tests.rules import rule

GAME = "stalingrad_roads"


def test_each_front_leads_to_a_place_of_its_own() -> None:
    game = real_game()
    doctrine = game.doctrine
    assert isinstance(doctrine, RoadsDoctrine)
    state = game.start("campaign")
    view = doctrine.view(state, SOVIET)
    way, cell = view.lore.way, game.board.cell
    hq = game.unit_index("hq-voronezh")
    assert view.post(hq, cell("2618")) == way(view.wet, cell("2616"))[cell("2618")]
    state.soviet_hexes |= 1 << cell("2616") | 1 << cell("2513")
    later = doctrine.view(state, SOVIET)
    assert later.post(hq, cell("2618")) == way(later.wet, cell("2213"))[cell("2618")]
    for places in doctrine.numbers["fronts"]["campaign"].values():
        assert all(game.data.city >> cell(number) & 1 for number in places)
    uranus = doctrine.view(game.start("uranus"), SOVIET)
    assert uranus.post(hq, cell("1831")) == uranus.goal(cell("1831"))


@rule(GAME, "10.2.3")
def test_the_enclosed_stay_where_the_fortress_reaches_even_if_the_enemy_comes_between() -> None:
    """A division that the enemy can cut off from the marker dies in the next supply phase."""
    units = {"g-44": "1531", "g-71": "1334", "g-79": "1434", "s-4-tk": "1630", "s-45": "1331"}
    table = Table("axis-movement", units, enclosed=["g-44", "g-71", "g-79"], fortress="1333", level=11)
    view = taught_of(table).view(table.state, AXIS)
    assert [view.astray(table.cell(number)) for number in ("1334", "1531", "1729")] == [
        0.0,
        view.common["cut_in"],
        1.0,
    ]
    plan = taught_of(table).plan_movement(table.state, AXIS)
    assert isinstance(plan, RoadsPlan)
    stack, away = plan.units.index(table.unit("g-44")), table.cell("1729")
    enclosed = plan.stand(stack, away)
    table.state.enclosed = 0
    lost = view.common["stray"] * view.weight(table.unit("g-44"), 2)
    assert plan.stand(stack, away) - enclosed == pytest.approx(lost)
    free = Table("axis-movement", units | {"hq-6a": "1129"})
    assert taught_of(free).view(free.state, AXIS).astray(free.cell("1729")) == 0.0


@rule(GAME, "15.3")
@pytest.mark.parametrize(
    ("demand", "done", "armoured"), [((2, 1), 1, True), ((2, 1), 2, False), ((2, -1), 0, False)]
)
def test_what_a_crisis_demands_is_done(demand: tuple[int, int], done: int, armoured: bool) -> None:
    """At odds at which nobody would call it an armoured attack otherwise."""
    units = {"g-14-pz": "1628", "g-29-mot": "1628", "s-45": "1529", "s-64": "1529", "hq-6a": "1333"}
    table = Table("axis-combat", units, rivers=2).attack("1529", "g-14-pz", "g-29-mot")
    assert table.asked == "declare-attack"
    doctrine = taught_of(table)
    table.state.demand, table.state.armoured_attacks = demand, done
    view = doctrine.view(table.state, AXIS)
    view.common = {**view.common, "armoured": 99.0}
    answer = Troops(doctrine).declare(view, table.game.options(table.state, AXIS))
    assert (answer == ("armoured",)) == armoured


@rule(GAME, "16.3.2")
def test_manstein_strikes_before_the_crisis_that_would_dismiss_him() -> None:
    table = Table("backhand", {"hq-lanz": "1901", "g-44": "1901", "s-45": "2310"}, turn=8)
    doctrine = taught_of(table)
    for manstein, approval, answer in ((1, 2, "backhand"), (1, 6, "pass"), (3, 2, "pass")):
        table.state.manstein, table.state.approval = manstein, approval
        view = doctrine.view(table.state, AXIS)
        assert Arms(doctrine).backhand(view, [("backhand",), ("pass",)]) == (answer,)


@rule(GAME, "13.1.1")
def test_units_are_released_where_few_are() -> None:
    """Of two fronts in cities alike, the one with an army about it waits."""
    units = {"hq-voronezh": "2616", "hq-south-west": "1420", "g-44": "0518"}
    crowd = {"s-45": "1420", "s-64": "1420", "s-1-tk": "1521", "s-26-tk": "1521"}
    worth = []
    for more in ({}, crowd):
        table = Table("stavka-reserve", units | more, turn=4, reserve=["s-6", "s-78"])
        doctrine = taught_of(table)
        view = doctrine.view(table.state, SOVIET)
        view.numbers = {**view.numbers, "front_crowd": 0.3}
        worth.append(Arms(doctrine).front(view, ("choose-front", table.unit("hq-south-west"))))
    assert worth[0] - worth[1] == pytest.approx(4 * 0.3)
