"""How far stacks get at once (rules/reach.py) is how far they get step by step."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from grognard.board.board import bits, each
from grognard.games.leningrad import Leningrad
from grognard.games.leningrad.rules.disengagement import held
from grognard.games.leningrad.rules.reach import (
    budget,
    flood,
    full_hexes,
    way_to,
    whole_moves,
    with_points_left,
    within_reach,
)
from grognard.games.leningrad.state import LeningradState, members
from grognard.kernel import Refusal
from grognard.kernel.advice import Way
from grognard.kernel.registry import load_game
from grognard.mechanics.control import zone
from grognard.mechanics.movement import Ground, reach
from tests.games.leningrad.battles import water_round
from tests.games.leningrad.table import Table
from tests.games.leningrad.test_oracle import TIMES, strewn
from tests.rules import rule

Units = tuple[int, ...]


def alike(table: Table, random: Random) -> Iterator[Units]:
    """Stacks of units that move alike, one in each hex of the side that moves."""
    game, state = table.game, table.state
    for cell in each(state.occupied[state.active]):
        here = members(state.at[cell])
        first = random.choice(here)
        same = [
            u
            for u in here
            if game.costs[u] is game.costs[first]
            and game.movement[u] == game.movement[first]
            and game.disengages_freely[u] == game.disengages_freely[first]
        ]
        yield tuple(sorted(random.sample(same, random.randint(1, min(3, len(same))))))


def step_by_step(game: Leningrad, state: LeningradState, units: Units) -> tuple[dict[int, Way], set[int]]:
    """What single steps reach, and which of it through an enemy zone, where only German mobile units do not
    stop for good (6.1): nobody plans such a march."""
    assert game.adviser is not None
    ways = game.adviser.reach(state, units)
    assert not isinstance(ways, Refusal)
    enemy_zone = zone(game, state, 1 - state.active)
    through = {goal for goal, way in ways.items() if any(enemy_zone >> c & 1 for c in way.cells[:-1])}
    assert not through or game.disengages_freely[units[0]]
    return ways, through


def cheapest(game: Leningrad, state: LeningradState, units: Units, full: int) -> dict[int, int]:
    """The price of every hex that the floods hold."""
    found: dict[int, int] = {}
    for _, price, layers in flood(game, state, units, full):
        for spent, layer in enumerate(layers, price):
            for cell in each(layer):
                found[cell] = min(spent, found.get(cell, spent))
    return found


def compare(game: Leningrad, state: LeningradState, units: Units) -> int:
    here, full = state.where[units[0]], full_hexes(game, state, units)
    found = set(each(within_reach(game, state, units, full)))
    ways, through = step_by_step(game, state, units)
    if held(game, state, units, here) and state.height(here) <= len(units):  # 6.3
        assert not ways
        assert not any(way_to(game, state, units, goal) for goal in found)
        return 0
    assert set(ways) - through <= found <= set(ways)
    prices = cheapest(game, state, units, full)
    points = budget(game, state, units)
    for goal in found - through:
        left = ways[goal].points_left
        assert prices.get(goal, points) == points - left
        walked = state.clone()
        if not walked.doing("move"):
            for verb, unit in zip(("pick", "add", "add"), units, strict=False):
                game.apply(walked, (verb, unit))
        for cell in way_to(game, state, units, goal) or ():
            assert game.refuse(walked, ("step", cell)) is None
            game.apply(walked, ("step", cell))
        assert {walked.where[u] for u in units} == {goal}
        assert min(walked.left[u] for u in units) == left
    for cell in each(game.contact[here]):
        if cell not in ways:
            assert way_to(game, state, units, cell) is None
    return len(found)


@rule("leningrad", "4.1", "4.3", "4.4", "4.6", "4.7", "6.0", "6.1", "6.3", "6.4", "11.1", "13.4", "15.2")
@pytest.mark.parametrize("phase", ["german-movement", "soviet-movement"])
def test_stacks_about_to_move(phase: str) -> None:
    seen = 0
    for number in range(6 * TIMES):
        random = Random(f"about to move {phase} {number}")
        table = strewn(random, phase)
        if table.game.soviets_surprised(table.state, table.state.active):
            table.state.turn = 2
        for units in alike(table, random):
            seen += compare(table.game, table.state, units)
    assert seen > 100


@rule("leningrad", "4.1", "4.3", "4.7", "6.1", "6.2")
@pytest.mark.parametrize("phase", ["german-movement", "soviet-movement"])
def test_stacks_on_their_way(phase: str) -> None:
    seen = 0
    for number in range(6 * TIMES):
        random = Random(f"on their way {phase} {number}")
        table = strewn(random, phase)
        if table.game.soviets_surprised(table.state, table.state.active):
            table.state.turn = 2
        start = table.state
        for units in alike(table, random):
            table.state = start.clone()
            for verb, unit in zip(("pick", "add", "add"), units, strict=False):
                table.game.apply(table.state, (verb, unit))
            steps = sorted(table.offered("step"))
            if not steps:
                continue
            table.do(f"step {random.choice(steps)}")
            if table.asked == "move-stack":
                seen += compare(table.game, table.state, units)
    assert seen > 50


@rule("leningrad", "7.3")
@pytest.mark.parametrize("phase", ["german-movement", "soviet-movement"])
def test_hexes_reached_with_points_to_spare(phase: str) -> None:
    for number in range(3 * TIMES):
        random = Random(f"to spare {phase} {number}")
        table = strewn(random, phase)
        game, state = table.game, table.state
        for units in alike(table, random):
            compare_points_left(game, state, units)


def compare_points_left(game: Leningrad, state: LeningradState, units: Units) -> None:
    here, points = state.where[units[0]], budget(game, state, units)
    in_zone = zone(game, state, 1 - state.active) >> here & 1
    prices = {} if in_zone else cheapest(game, state, units, full_hexes(game, state, units))
    prices[here] = 0
    for price in range(points + 2):
        wanted = {cell for cell, spent in prices.items() if points - spent >= price}
        assert set(each(with_points_left(game, state, units, price))) == wanted


@rule("leningrad", "7.3", "13.4")
@pytest.mark.parametrize("interdicted", [("1511",), ("1511", "1511"), ("1510",), ()])
def test_who_leaves_a_hex_under_interdiction_has_fewer_points_to_spare(interdicted: tuple[str, ...]) -> None:
    table = Table("soviet-movement", {"28-td": "1511"}, interdicted=interdicted)
    compare_points_left(table.game, table.state, of(table, "28-td"))


@rule("leningrad", "4.1")
def test_whole_moves_are_those_of_units_that_have_not_moved() -> None:
    for number in range(3 * TIMES):
        table = strewn(Random(f"whole moves {number}"), "german-movement")
        game, state = table.game, table.state
        rested = state.clone()
        moving = min(state.at[next(iter(each(state.occupied[0])))].bit_length() - 1, state.germans - 1)
        state.moved = state.departed = state.stopped = state.done = 1 << moving
        for side in range(2):
            found = whole_moves(game, state, side)
            assert set(found) == {u for u in each(game.units_of[side]) if state.where[u] >= 0}
            for unit, cells in found.items():
                assert cells == within_reach(game, rested, (unit,), 0)
        assert state.moved == 1 << moving


# One by one


def of(table: Table, *ids: str) -> Units:
    return tuple(table.game.unit_index(id_) for id_ in ids)


def in_reach(table: Table, *ids: str) -> int:
    """How many hexes some units reach, if both opinions agree."""
    return compare(table.game, table.state, of(table, *ids))


@rule("leningrad", "4.3")
def test_the_way_to_a_hex_next_door_that_is_too_dear_begins_the_phase_or_is_none() -> None:
    shores = {**water_round("1509", but="1510"), "1509/1510": "river"}
    for start, found in (("1510", True), ("1511", False)):
        table = Table(
            "german-movement", {"1-inf": start}, terrain={"1509": "marsh"}, sides=shores, forts=["1509"]
        )
        table.do("pick 1-inf")
        if not found:
            table.do("step 1510")
        way = way_to(table.game, table.state, of(table, "1-inf"), table.game.board.cell("1509"))
        assert (way is not None) == found == ("1509" in table.offered("step"))


@rule("leningrad", "4.1", "16.0")
def test_who_is_still_to_come_has_no_move_yet() -> None:
    table = Table("soviet-movement", {"10-rd": "1511"}, turn=7, to_come=["245-rd"])
    assert set(whole_moves(table.game, table.state, 1)) == set(of(table, "10-rd"))


@rule("leningrad", "4.5")
def test_the_slowest_of_a_stack_decides() -> None:
    table = Table("german-movement", {"1-pz": "1507", "1-inf": "1507"})
    assert in_reach(table, "1-pz") > in_reach(table, "1-pz", "1-inf") == in_reach(table, "1-inf") == 6 * 7 * 3


@rule("leningrad", "6.0", "6.1", "6.2")
def test_the_dearest_disengagement_of_a_stack_decides() -> None:
    stack = dict.fromkeys(("1-pz", "1-inf", "11-inf"), "1510")
    table = Table("german-movement", {**stack, "10-rd": "1509"})
    assert in_reach(table, "1-pz") > in_reach(table, "1-pz", "1-inf") == in_reach(table, "1-inf") > 0


@rule("leningrad", "6.0")
def test_no_more_than_two_are_led_out_of_a_zone_together() -> None:
    crowd = dict.fromkeys(("1-pz", "6-pz", "36-mot", "8-pz"), "0112")
    table = Table("german-movement", {**crowd, "10-rd": "0111"}, turn=1)
    assert in_reach(table, "1-pz", "6-pz") == in_reach(table, "1-pz") > 0
    assert in_reach(table, "1-pz", "6-pz", "36-mot") == 0


@rule("leningrad", "6.2")
@pytest.mark.parametrize("stack", [("1-inf",), ("1-pz", "1-inf"), ("1-inf", "1-pz")])
def test_who_has_come_into_a_zone_is_led_out_of_it_only_if_everybody_may_go(stack: tuple[str, ...]) -> None:
    where = {**dict.fromkeys(stack, "1511"), "11-inf": "1510", "10-rd": "1509"}
    table = Table("german-movement", where).do(f"pick {stack[0]}", *(f"add {u}" for u in stack[1:]))
    assert in_reach(table.do("step 1510"), *stack) == 0
    free = Table("german-movement", {"1-pz": "1511", "11-inf": "1510", "10-rd": "1509"}).do("pick 1-pz")
    assert in_reach(free.do("step 1510"), "1-pz") > 0


@rule("leningrad", "6.0", "15.2")
def test_a_fort_behind_a_zone_is_dear() -> None:
    where = {"1-pz": "1510", "1-inf": "1510", "10-rd": "1509"}
    plain = in_reach(Table("german-movement", where), "1-pz")
    assert in_reach(Table("german-movement", where, forts=["1410", "1511", "1610"]), "1-pz") < plain


@rule("leningrad", "13.4", "4.3")
def test_out_of_a_hex_under_two_air_units_one_hex_is_always_in_reach() -> None:
    swamp = dict.fromkeys(("1409", "1410", "1509", "1511", "1609", "1610"), "marsh")
    table = Table("soviet-movement", {"10-rd": "1510"}, terrain=swamp, interdicted=["1510", "1510"])
    assert in_reach(table, "10-rd") == 6


@rule("leningrad", "4.3", "11.1")
def test_a_hex_that_is_too_dear_is_in_reach_as_the_first_one() -> None:
    """Without supply two points: a marsh behind a river costs four."""
    where = {"10-rd": "1510", "90-rd": "1510"}
    behind = dict.fromkeys(("1509/1510", "1510/1511"), "river")
    swamp = {"1509": "marsh", "1511": "marsh", "1409": "marsh"}
    table = Table("soviet-movement", where, terrain=swamp, sides=behind, supply_range=0)
    goals = {table.game.board.cell(number) for number in swamp}
    assert goals <= set(each(within_reach(table.game, table.state, of(table, "10-rd"), 0)))
    assert in_reach(table, "10-rd") == in_reach(table, "10-rd", "90-rd")


@rule("leningrad", "13.3", "13.4")
def test_from_one_interdicted_hex_into_another() -> None:
    for shot in (["1510", "1511"], ["1510", "1510"], ["1511", "1511"], ["1511", "1410"]):
        assert in_reach(Table("soviet-movement", {"10-rd": "1510"}, interdicted=shot), "10-rd") >= 18


@rule("leningrad", "4.3", "13.4")
def test_who_has_fought_where_it_began_pays_in_full_for_its_first_hex() -> None:
    tanks = dict.fromkeys(("28-td", "2-td", "5-td"), "1510")
    table = Table(
        "soviet-movement",
        {**tanks, "1-inf": "1509"},
        strengths={"28-td": "arm-6-4", "2-td": "arm-5-3", "5-td": "arm-4-3"},
        interdicted=["1510"],
        terrain={"1511": "marsh"},
    )
    table.do("pick 28-td", "add 2-td", "add 5-td", "overrun 1509", "roll 6", "lose 1-inf")
    table.do("drop 2-td", "drop 5-td")
    assert in_reach(table, "28-td") == 2  # 1410 and 1610: twice one point, and three


@rule("leningrad", "4.6", "13.4")
def test_the_first_hex_of_a_march_may_be_passed_again() -> None:
    """Out of a hex under interdiction: along the road and back, then into the marsh, is 1 + 0.5 + 2; straight
    into the marsh 4. Three stand in the hex at first, two when the third comes back."""
    where = dict.fromkeys(("28-td", "2-td", "5-td"), "1510")
    rivers = dict.fromkeys(("1410/1511", "1411/1511", "1511/1512", "1511/1611", "1511/1610"), "river")
    table = Table(
        "soviet-movement",
        where,
        terrain={"1511": "marsh"},
        sides={**rivers, "1410/1510": "road"},
        interdicted=["1510"],
    )
    in_reach(table, "28-td")
    goal = table.game.board.cell("1511")
    way = way_to(table.game, table.state, of(table, "28-td"), goal) or ()
    assert [table.game.board.number(cell) for cell in way] == ["1410", "1510", "1511"]


@rule("leningrad", "13.4")
def test_who_has_come_into_an_interdicted_hex_leaves_it_at_the_plain_price() -> None:
    table = Table("soviet-movement", {"28-td": "1511"}, interdicted=["1510"]).do("pick 28-td", "step 1510")
    assert in_reach(table, "28-td") > 30


@rule("leningrad", "4.1")
def test_even_unopposed_the_infantry_needs_what_history_took() -> None:
    """Why the first cities fall late (docs/calibration.md): with no Soviet on the map and all in supply the
    divisions on foot come to the Dvina on turn 2, to Pskov on turn 3, to the Luga on turn 4."""
    game = load_game("leningrad")
    assert isinstance(game, Leningrad)
    fresh = game.start("campaign")
    places = {"riga": ["0908"], "pskov": ["1809"], "luga": ["2304", "2305", "2306", "2307"], "mga": ["2706"]}

    def turns(kind: str) -> list[int]:
        units = [u for u in members(game.units_of[0]) if game.units[u].kind == kind and fresh.where[u] >= 0]
        there, found, turn = bits(fresh.where[u] for u in units), dict[str, int](), 0
        while len(found) < len(places):
            turn += 1
            for cell in each(there):
                ground = Ground(game.costs[units[0]], game.data.land)
                there |= reach(ground, {cell: 0}, game.movement[units[0]]).cells
            for place, hexes in places.items():
                if there & bits(game.board.cell(h) for h in hexes):
                    found.setdefault(place, turn)
        return [found[place] for place in places]

    assert turns("infantry") == [2, 3, 4, 5]
    assert turns("armour") == [1, 2, 2, 2]
