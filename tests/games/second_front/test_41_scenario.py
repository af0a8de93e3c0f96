"""40A3, 41, 42 The scenario: who stands where, who arrives, who wins."""

from __future__ import annotations

import re

from grognard.board.board import each
from grognard.games.second_front.books import on_map, owners
from grognard.games.second_front.game import load
from grognard.games.second_front.rules.pools import pool
from grognard.games.second_front.rules.position import overfull, remove, settle_ownership
from grognard.games.second_front.rules.rebuilding import withdrawals
from grognard.games.second_front.rules.upkeep import check_supply, receive_supply, supplied
from grognard.games.second_front.rules.victory import held, penalties
from grognard.games.second_front.state import DECIDED, FrontState, Pool
from grognard.games.second_front.units import ALLIED, AXIS, SIDES
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
    assert less is not None and (less.winner, less.level) == (ALLIED, "marginal"), "ten points without it"
    state.open_land = (0, area & ~(1 << game.board.cell(MESSINA) | 1 << game.board.cell(CATANIA)))
    less = game.outcome(state)
    assert less is not None and less.winner == AXIS
    state.owned = (area, 0)
    none = game.outcome(state)
    assert none is not None and none.winner == AXIS


@rule("second_front", "42")
def test_what_is_said_of_victory_is_what_is_counted() -> None:
    """The points of every place and of every level, in both languages."""
    game = load()
    for plan in ("sicily", "gustav"):
        needed, places = game.plans[plan].needed, game.plans[plan].places
        for text in game.scenarios[plan].victory.values():
            counted, levels = re.findall(r"\d+", text.split(".")[0]), re.findall(r"\d+", text.split(".")[-2])
            assert sorted({int(n) for n in counted}) == sorted(set(places.values()))
            assert [int(n) for n in levels] == [needed["decisive"], needed["marginal"]]


ROME, NAPLES, ANZIO, CASSINO = "26:1625", "26:2422", "26:1825", "26:2022"
US36, FJ01 = "US-inf-XX-36", "SF-G-FJ-01"


@rule("second_front", "41B", "3D")
def test_gustav_to_rome_begins_as_the_orders_of_battle_have_it() -> None:
    """Who stands in the area on Apr I 44 stands there, and nobody else; the books say whose the ground is."""
    game = load()
    state = game.start("gustav")
    area = game.plan(state).area
    for side, name in enumerate(SIDES):
        expected = {
            (str(unit["id"]), number)
            for number, unit in on_map("Apr I 44", name)
            if area >> game.board.cell(number) & 1
        }
        here = {
            (game.units[unit].id, game.board.number(state.where[unit]))
            for cell in each(state.occupied[side])
            for unit in state.stack(cell)
        }
        assert here == expected and len(here) > 60
    held = owners("Apr I 44")
    for number, owner in ((ANZIO, ALLIED), (NAPLES, ALLIED), (CASSINO, AXIS), (ROME, AXIS)):
        assert held[number] == SIDES[owner] and state.owned[owner] >> game.board.cell(number) & 1
    assert {name: (axis, allied) for name, axis, allied in state.capacity} == {"Metropolitan Italy": (30, 10)}
    assert state.forts >> game.board.cell(CASSINO) & 1, "the line has forts"
    assert pool(state, "American").infantry > 0, "and forces have points in hand"


@rule("second_front", "36B")
def test_the_weather_of_the_turn_before_is_remembered_at_the_start() -> None:
    game = load()
    assert game.set_up("gustav", {}).sky[1] == "mud", "zone D had mud in Mar II 44 (41B)"
    assert game.set_up("sicily", {}).sky == ("clear",) * 4


@rule("second_front", "12C3a", "12C2")
def test_ships_feed_the_beachhead_what_its_port_cannot() -> None:
    """28 RE stand at Anzio and beside it; the minor port feeds 15 of them."""
    game = load()
    state = game.start("gustav")
    game.settle(state, "supply")
    beach = [u for n in (ANZIO, "26:1925") for u in state.stack(game.board.cell(n))]
    assert sum(game.units[u].re for u in beach) == 28
    assert all(state.fed >> u & 1 for u in beach), "nobody there starves on the first turn"
    by_port = supplied(game, state, ALLIED)
    assert 0 < sum(game.units[u].re for u in beach if by_port >> u & 1) <= 15
    state.stores = ()
    check_supply(game, state)
    assert not all(state.fed >> u & 1 for u in beach), "without the ships some do"


@rule("second_front", "12C3a")
def test_a_delivery_comes_in_each_initial_phase_of_its_side_while_it_owns_the_hex() -> None:
    game = load()
    state = game.start("gustav")
    state.stores, state.active = (), ALLIED
    receive_supply(game, state)
    assert list(state.stores) == [(ALLIED, game.board.cell(ANZIO), 16, 2)]
    state.stores, state.active = (), AXIS
    receive_supply(game, state)
    assert not state.stores
    state.active = ALLIED
    state.owned = (
        state.owned[AXIS] | 1 << game.board.cell(ANZIO),
        state.owned[ALLIED] & ~(1 << game.board.cell(ANZIO)),
    )
    receive_supply(game, state)
    assert not state.stores, "not into a hex of the enemy"


@rule("second_front", "12C3a")
def test_delivered_supply_is_lost_with_its_hex() -> None:
    game = load()
    state = game.start("gustav")
    cell = game.board.cell(ANZIO)
    assert state.stores
    for unit in list(state.stack(cell)):
        state.place(unit, -1)
    state.place(game.unit_index(HG), cell)
    settle_ownership(game, state)
    assert state.owned[AXIS] >> cell & 1 and state.stores == ()


@rule("second_front", "40A1", "40A3")
def test_divisions_are_sequestered_for_southern_france_on_their_turn() -> None:
    game = load()
    state = game.start("gustav")
    state.active, state.turn = ALLIED, 24
    assert game.unit_index(US36) not in withdrawals(game, state)
    state.turn = 25
    assert game.unit_index(US36) in withdrawals(game, state)
    state.active = AXIS
    assert game.unit_index(FJ01) not in withdrawals(game, state)
