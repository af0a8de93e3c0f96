"""40A3, 41, 42 The scenario: who stands where, who arrives, who wins."""

from __future__ import annotations

from grognard.board.board import each
from grognard.games.second_front.game import load
from grognard.games.second_front.rules.position import overfull, remove
from grognard.games.second_front.rules.victory import held, penalties
from grognard.games.second_front.state import DECIDED, FrontState, Pool
from grognard.games.second_front.units import ALLIED, AXIS
from tests.games.second_front.table import Table
from tests.rules import rule

PALERMO, MESSINA, CATANIA, LICATA = "26:3530", "26:3823", "26:4025", "26:4326"
US1, US3, US9, GB5, HG = "US-inf-XX-1", "US-inf-XX-3", "US-inf-XX-9", "GB-inf-XX-5", "SF-G-FJ-HG"


@rule("second_front", "41", "41A")
def test_every_scenario_begins_with_a_legal_position() -> None:
    game = load()
    for scenario in game.scenarios:
        state = game.set_up(scenario, {})
        state.scenario = scenario
        plan = game.plan(state)
        assert state.turn == game.scenarios[scenario].first and len(plan.setup) > 40
        assert not state.occupied[AXIS] & state.occupied[ALLIED], "nobody with the enemy"
        for side in (AXIS, ALLIED):
            assert state.occupied[side] & ~plan.area == 0 and state.occupied[side] & ~state.owned[side] == 0
            assert overfull(game, state, side) == []
        assert {placed.unit for placed in plan.setup} == {
            unit for cell in each(state.occupied[AXIS] | state.occupied[ALLIED]) for unit in state.stack(cell)
        }
        assert state.resources == plan.stocks, "what is in stock lies on the map"


@rule("second_front", "40A3", "40A")
def test_allied_arrivals_come_to_ports_that_operate() -> None:
    table = Table("initial", ALLIED, {US1: LICATA, US3: CATANIA}, turn=3, allied=[LICATA, CATANIA])
    assert table.asked == "place-arrival" and LICATA in {o.split()[1] for o in table.offered("arrive")}
    assert table.refused(f"arrive {US9} {PALERMO}") == ("not-its-place", "40A3"), "not one\u2019s own"

    def wrecked(state: FrontState) -> None:
        state.wrecked = 1 << load().board.cell(LICATA)

    shut = Table(
        "initial", ALLIED, {US1: LICATA, US3: CATANIA}, turn=3, allied=[LICATA, CATANIA], before=wrecked
    )
    assert shut.refused(f"arrive {US9} {LICATA}") == ("not-its-place", "40A3")
    shut.do(f"arrive {US9} {CATANIA}")


@rule("second_front", "42")
def test_the_allies_count_places_that_are_theirs_and_not_isolated() -> None:
    table = Table("combat", ALLIED, {US1: PALERMO, US3: CATANIA, HG: MESSINA}, allied=[PALERMO, CATANIA])
    state = table.state
    state.open_land = state.owned
    assert held(table.game, state) >= 6
    before = held(table.game, state)
    state.open_land = state.owned[AXIS], state.owned[ALLIED] & ~(1 << table.cell(PALERMO))
    assert held(table.game, state) == before - 3, "an isolated city counts nothing"


@rule("second_front", "42")
def test_losses_that_cannot_be_replaced_cost_points() -> None:
    """Two American divisions of 9 and 8 points to be had: 10 of net loss are one point, 11 are two."""
    table = Table("combat", ALLIED, {US1: PALERMO, US3: CATANIA, GB5: LICATA, HG: MESSINA})
    state = table.state
    remove(table.game, state, table.unit(US1), "9C")
    remove(table.game, state, table.unit(US3), "9C")
    state.pools = (Pool("American", infantry=8 * 20),)
    assert penalties(table.game, state) == {"American": 1}
    state.pools = (Pool("American", infantry=7 * 20),)
    assert penalties(table.game, state) == {"American": 2}
    state.reduced |= 1 << table.unit(GB5)
    assert penalties(table.game, state) == {"American": 2, "British": 1}
    state.reduced |= 1 << table.unit(HG)
    assert penalties(table.game, state) == {"American": 2, "British": 1}, "the Axis counts nothing"


@rule("second_front", "42")
def test_the_levels_of_victory() -> None:
    game = load()
    state = game.set_up("sicily", {})
    state.scenario, state.ending = "sicily", DECIDED
    area = game.plan(state).area
    state.owned = state.open_land = (0, area)
    best = game.outcome(state)
    assert best is not None and (best.winner, best.level) == (ALLIED, "decisive")
    state.open_land = (0, area & ~(1 << game.board.cell(MESSINA)))
    less = game.outcome(state)
    assert less is not None and (less.winner, less.level) == (ALLIED, "marginal")
    state.owned = (area, 0)
    none = game.outcome(state)
    assert none is not None and none.winner == AXIS
