"""13.6.2, 15.1.2, 16.2.2 and the special rules of the scenarios that go by dates."""

from __future__ import annotations

import pytest

from grognard.board.board import bits
from grognard.games.typhoon.rules.calendar import close_turn, free_attacked, open_turn, waiting
from grognard.games.typhoon.rules.entry import hexes_of_code
from grognard.games.typhoon.rules.movement import why_not_train
from grognard.games.typhoon.rules.preparations import why_not_load
from grognard.games.typhoon.rules.supply_phase import receive_points
from grognard.games.typhoon.state import AXIS, SOVIET
from grognard.mechanics.pieces import members
from tests.games.typhoon.sky import AirTable
from tests.games.typhoon.table import real_game
from tests.rules import rule


@rule("typhoon", "13.6.2")
def test_garrisons_of_the_line_are_released_by_date() -> None:
    game = real_game()
    state = game.set_up("campaign", {})
    posts = {p.unit: p.status for p in game.outlines["campaign"].setup}
    line = bits(game.unit_index(u) for u, status in posts.items() if status == "line_garrison")
    others = bits(game.unit_index(u) for u, status in posts.items() if status == "city_garrison")
    assert line and state.garrison & line == line
    state.turn = 2
    open_turn(game, state)
    assert state.garrison & line == line
    state.turn = 3
    open_turn(game, state)
    assert not state.garrison & line and state.garrison & others == others


@rule("typhoon", "15.1.2")
def test_the_axis_receives_infantry_points_by_the_calendar() -> None:
    table = AirTable()
    for turn, points in ((3, 0), (4, 1), (5, 2)):
        table.state.turn = turn
        open_turn(table.game, table.state)
        assert table.state.replacements == [points, 0], "they are saved"


@rule("typhoon", "18.0")
def test_on_turn_1_guderian_and_the_bryansk_front_act_alone() -> None:
    game = real_game()
    state = game.set_up("vyazma_bryansk", {})
    state.turn = 1
    open_turn(game, state)
    assert not state.held >> game.unit_index("g-3-pz-pzr-6") & 1
    assert state.held >> game.unit_index("g-251-inf") & 1
    bryansk = next(n for n, u in enumerate(game.units) if u.formation == "13A / Bryansk Front")
    western = next(n for n, u in enumerate(game.units) if u.formation == "22A / Western Front")
    assert not state.held >> bryansk & 1 and state.held >> western & 1
    state.turn = 2
    open_turn(game, state)
    assert not state.held


@rule("typhoon", "18.0")
def test_who_waits_on_turn_1_goes_neither_by_rail_nor_by_air() -> None:
    game = real_game()
    state = game.set_up("vyazma_bryansk", {})
    state.turn, state.active = 1, SOVIET
    open_turn(game, state)
    train = next(u for u in members(game.trains & state.held) if state.where[u] >= 0)
    hq = next(u for u in members(game.hqs & state.held) if state.where[u] >= 0)
    state.transports = [0, 1]
    for reason in (why_not_train(game, state, train), why_not_load(game, state, SOVIET, hq)):
        assert reason is not None and (reason.code, reason.case) == ("held", "18.0")
    state.turn = 2
    open_turn(game, state)
    assert why_not_train(game, state, train) is None
    found = why_not_load(game, state, SOVIET, hq)
    assert found is None or found.code == "no-airfield"


@rule("typhoon", "18.0")
def test_army_group_north_waits_until_turn_6_or_until_it_is_attacked() -> None:
    game = real_game()
    state = game.set_up("campaign", {})
    north = [game.unit_index(p.unit) for p in game.outlines["campaign"].setup if p.status == "held_north"]
    state.turn = 5
    assert waiting(game, state) == bits(north)
    free_attacked(state, 1 << north[0])
    assert waiting(game, state) == bits(north[1:])
    state.turn = 6
    assert not waiting(game, state)


def evening(taken: bool, present: bool) -> AirTable:
    """A turn in which the Axis has perhaps taken Kalinin, with two attacks owed."""
    table = AirTable("", units={"g-251-inf": "M1115"} if present else {}, turn=25)
    state, city = table.state, table.cells("M1115")
    state.soviet_hexes |= city
    open_turn(table.game, state)
    if taken:
        state.soviet_hexes &= ~city
    state.obligatory, state.points = 2, 0
    close_turn(table.game, state)
    return table


@rule("typhoon", "16.2", "16.2.2")
@pytest.mark.parametrize(
    ("taken", "present", "points"), [(True, True, 4), (True, False, 0), (False, True, 0), (False, False, 0)]
)
def test_attacks_owed_become_two_points_each(taken: bool, present: bool, points: int) -> None:
    state = evening(taken, present).state
    assert (state.points, state.obligatory) == (points, 0 if points else 2)


@rule("typhoon", "17.2.3")
@pytest.mark.parametrize(
    ("turn", "units", "held", "points"),
    [
        (20, {}, True, -2),
        (20, {"g-251-inf": "M2428"}, True, -1),
        (20, {}, False, 0),
        (19, {}, True, 0),
    ],
)
def test_the_parade_on_red_square(turn: int, units: dict[str, str], held: bool, points: int) -> None:
    table = AirTable("", units=units, turn=turn)
    table.state.soviet_hexes |= table.game.moscow
    if not held:
        table.state.soviet_hexes &= ~table.cells("M2928")
    table.state.points = 0
    close_turn(table.game, table.state)
    assert table.state.points == points


@rule("typhoon", "14.3.2", "6.5.1")
def test_in_a_panic_moscow_sends_no_supply() -> None:
    table = AirTable("", units={"s-22a": "M2928"}, turn=10)
    receive_points(table.game, table.state)
    calm = sum(table.state.supply_due[SOVIET:])
    table.state.panic = 2
    receive_points(table.game, table.state)
    assert sum(table.state.supply_due[SOVIET:]) == calm - 1
    assert table.state.supply_due[AXIS] > 0


@rule("typhoon", "14.3.2")
def test_in_the_first_panic_no_garrison_comes_to_moscow() -> None:
    table = AirTable()
    game, state = table.game, table.state
    state.soviet_hexes |= game.moscow
    for panic, open_ in ((0, True), (1, False), (2, True)):
        state.panic = panic
        assert bool(hexes_of_code(game, state, SOVIET, "MG")) is open_
    state.panic = 1
    assert hexes_of_code(game, state, SOVIET, "M"), "others may come"
