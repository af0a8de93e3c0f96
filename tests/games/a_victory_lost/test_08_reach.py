"""8.0 One reach: what advice promises and planners search is what steps by the rules can do, and no less."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import pytest

from grognard.board.board import each
from grognard.games.a_victory_lost import AVictoryLost
from grognard.games.a_victory_lost.rules.movement import after_step, price_of_step
from grognard.games.a_victory_lost.rules.reach import Move, take_up, way_to, whole_moves, within_reach
from grognard.games.a_victory_lost.rules.stacking import has_room
from grognard.games.a_victory_lost.state import SOVIET, VictoryState
from grognard.kernel import Refusal
from tests.games.a_victory_lost.table import Table, real_game
from tests.rules import rule

GAME = real_game()
BANKS = sorted({a for (a, b), bridged in GAME.data.major.items() if not bridged and GAME.data.land >> a & 1})
"""Every hex with a side of a major river that has no bridge."""


def stepped(game: AVictoryLost, state: VictoryState, move: Move) -> dict[int, int]:
    """Every hex where a unit in hand can end its move, with the most points it can have left there: all
    sequences of steps, priced one by one."""
    start = state.where[move.unit]
    seen = {(start, move)}
    paths = [(start, move)]
    found: dict[int, int] = {}
    while paths:
        here, moving = paths.pop()
        found[here] = max(found.get(here, 0), moving.left)
        for there in game.board.adjacent[here]:
            price = price_of_step(game, state, moving, here, there)
            if not isinstance(price, Refusal):
                onward = (there, after_step(game, state, moving, here, there, price))
                if onward not in seen:
                    seen.add(onward)
                    paths.append(onward)
    del found[start]
    return {cell: left for cell, left in found.items() if has_room(game, state, move.unit, cell)}


def check(game: AVictoryLost, state: VictoryState, move: Move | None, unit: int) -> int:
    """Advice equals steps both ways; every way advised can be gone and leaves what it says."""
    assert game.adviser is not None
    advised = game.adviser.reach(state, (unit,))
    assert not isinstance(advised, Refusal)
    expected = stepped(game, state, move or take_up(game, state, unit, march=False))
    assert {cell: way.points_left for cell, way in advised.items()} == expected
    for goal, way in advised.items():
        here, moving = state.where[unit], move or take_up(game, state, unit, march=False)
        for there in way.cells:
            price = price_of_step(game, state, moving, here, there)
            assert not isinstance(price, Refusal)
            here, moving = there, after_step(game, state, moving, here, there, price)
        assert (here, moving.left) == (goal, way.points_left)
    return len(advised)


def check_planner(game: AVictoryLost, state: VictoryState, unit: int) -> None:
    """The planner's hexes are those of ordinary and of strategic movement together."""
    everything = {state.where[unit]}
    for march in (False, True):
        if not march or game.refuse(state, ("march", unit)) is None:
            everything |= stepped(game, state, take_up(game, state, unit, march)).keys()
    open_ = {cell for cell in each(within_reach(game, state, unit)) if has_room(game, state, unit, cell)}
    assert open_ | {state.where[unit]} == everything


def soviets_move(units: Iterable[tuple[int, int]]) -> VictoryState:
    """A position on the real map in a Soviet movement sequence."""
    ids = {GAME.units[unit].id: GAME.board.number(cell) for unit, cell in units}
    return Table("soviet-movement", ids, game=GAME, turn=6).state


@rule("a_victory_lost", "12.1", "8.1.4")
def test_a_lone_hq_bars_the_way_of_hqs_only() -> None:
    table = Table("axis-movement", {"ge-6pz": "1008", "hq-4pza": "1007", "hq-51a": "1208"})
    for unit in ("ge-6pz", "hq-4pza"):
        mover, goal = table.game.unit_index(unit), table.game.board.cell("1208")
        check(table.game, table.state, None, mover)
        check_planner(table.game, table.state, mover)
        assert (within_reach(table.game, table.state, mover) >> goal & 1) == (unit == "ge-6pz")


@rule("a_victory_lost", "8.1.3")
@pytest.mark.parametrize("id_", ["su-3gtk", "su-1"])
def test_a_river_hides_nothing_from_any_bank_of_the_map(id_: str) -> None:
    """A crossing that must stop and the bridge into the same hex: for every hex of every bank."""
    assert len(BANKS) > 300
    unit = GAME.unit_index(id_)
    far = GAME.unit_index("ge-385")
    total = 0
    for cell in BANKS:
        away = next(c for c in each(GAME.data.land) if GAME.board.distance(c, cell) > 20)
        state = soviets_move([(unit, cell), (far, away)])
        total += check(GAME, state, None, unit)
    assert total > 30 * len(BANKS)


@rule("a_victory_lost", "8.1.2", "8.1.3", "8.2.1", "8.2.2")
def test_a_river_hides_nothing_among_enemies() -> None:
    """The same with enemies about, whose zones close bridges and make steps dear."""
    random = Random("banks")
    foes = [u for u in each(GAME.units_of[0]) if not GAME.units[u].hq]
    unit = GAME.unit_index("su-3gtk")
    for cell in BANKS:
        near = [c for c in each(GAME.board.within((cell,), 5) & GAME.data.land) if c != cell]
        chosen = random.sample(near, min(5, len(near)))
        state = soviets_move([(unit, cell), *zip(foes, chosen, strict=False)])
        check(GAME, state, None, unit)
        check_planner(GAME, state, unit)


@rule("a_victory_lost", "5.0.4", "8.1.2", "8.2.1", "8.3.1", "15.0.1")
@pytest.mark.parametrize("aid", [False, True])
def test_advice_is_what_steps_can_do_all_through_random_games(aid: bool) -> None:
    options = dict.fromkeys(GAME.scenarios["campaign"].options, aid)
    state = GAME.start("campaign", options)
    seed = f"reach/{aid}"
    GAME.settle(state, seed)
    random = Random(seed)
    hexes = moves = 0
    while (decision := GAME.decision(state)) is not None and state.turn <= 4:
        offered = GAME.options(state)
        if random.random() < 0.3:
            if decision.name == "move-unit":
                moves += 1
                hexes += check(GAME, state, state.local, state.local.unit)
            elif decision.name == "pick-unit":
                picks = [a[1] for a in offered if a[0] == "pick"]
                if picks:
                    unit = random.choice(picks)
                    hexes += check(GAME, state, None, unit)
                    check_planner(GAME, state, unit)
        busy = [a for a in offered if a != ("end",)]  # a sequence goes on for a while
        GAME.apply(state, random.choice(busy if busy and random.random() < 0.9 else offered))
        GAME.settle(state, seed)
    assert moves > 50
    assert hexes > 2000


@rule("a_victory_lost", "8.0", "8.1.4")
def test_whole_moves_are_those_of_each_unit_on_the_map() -> None:
    """In the midst of a random game: whoever shares a hex and points with another of his sort is asked about
    once, and nobody's move is taken for another's."""
    random = Random("whole moves")
    state: VictoryState = GAME.start("campaign")
    GAME.settle(state, "whole moves")
    for _ in range(400):
        GAME.apply(state, random.choice(GAME.options(state)))
        GAME.settle(state, "whole moves")
    for side in range(2):
        found = whole_moves(GAME, state, side)
        mine = [u for u in range(len(GAME.units)) if GAME.side(u) == side]
        assert sorted(found) == [u for u in mine if state.where[u] >= 0]
        assert any(state.where[u] < 0 for u in mine)
        for unit, cells in found.items():
            assert cells == within_reach(GAME, state, unit)
        assert {GAME.units[u].hq for u in found} == {False, True}


@rule("a_victory_lost", "11.2.2")
@pytest.mark.parametrize("aid", [(), ("administrative_movement",)])
@pytest.mark.parametrize("enemy", ["1913", "1715"])
def test_the_way_out_of_a_box_is_what_steps_can_do(enemy: str, aid: tuple[str, ...]) -> None:
    """A planner's ways onto the map by the gates, in the fields and by road, are all that there are. The road
    leads farther than the fields; from 1715 the enemy's zone covers one of the two gates."""
    road = {f"{a:02}16/{a + 1:02}16": "road" for a in range(17, 24)}
    boxed = ["hq-28a", *(u.id for u in GAME.units if u.box and not u.axis and not u.hq)]
    table = Table("soviet-movement", {"ge-385": enemy}, sides=road, in_box=boxed, options=aid)
    game, state = table.game, table.state
    for unit in each(game.box_units & game.units_of[SOVIET]):
        expected: set[int] = set()
        for action in game.options(state):
            if action[0] in ("enter", "march-in") and action[1] == unit:
                trial = state.clone()
                game.apply(trial, action)
                if has_room(game, trial, unit, action[2]):
                    expected.add(action[2])
                if trial.frames[-1][0] == "move":
                    expected |= stepped(game, trial, trial.local).keys()
        found = {c for c in each(within_reach(game, state, unit)) if has_room(game, state, unit, c)}
        assert found == expected
        assert len(found) > 5
        for cell in found:
            script = way_to(game, state, unit, cell)
            assert script is not None
            trial = state.clone()
            for action in script:
                if action == ("halt",) and trial.frames[-1][0] != "move":
                    break
                assert game.refuse(trial, action) is None
                game.apply(trial, action)
            assert trial.where[unit] == cell


@rule("a_victory_lost", "8.2.1", "6.0.1")
def test_an_hq_is_not_held_by_a_zone_that_is_gone() -> None:
    """The same hexes are occupied, but by an HQ alone, which has no zone."""
    found = []
    for company in ({"su-91": "1008"}, {}):
        table = Table("axis-movement", {"hq-4pza": "0908", "hq-51a": "1008", **company})
        advised = table.game.adviser.reach(table.state, (table.unit("hq-4pza"),))  # type: ignore[union-attr]
        assert not isinstance(advised, Refusal)
        found.append({cell: way.points_left for cell, way in advised.items()})
        assert found[-1] == stepped(
            table.game, table.state, take_up(table.game, table.state, table.unit("hq-4pza"), march=False)
        )
    assert found[0] != found[1]


@rule("a_victory_lost", "12.1", "2.3.1")
def test_an_hq_goes_round_an_enemy_hq_that_has_come_where_none_was() -> None:
    """The enemy's zones are the same, since HQs have none; where one may go is not."""
    found = []
    for units in ({"hq-4pza": "0908"}, {"hq-4pza": "0908", "hq-51a": "1008"}):
        table = Table("axis-movement", units)
        reached = within_reach(table.game, table.state, table.unit("hq-4pza"))
        found.append(reached >> table.game.board.cell("1008") & 1)
    assert found == [1, 0]
