"""What any game must do, and random games of Uranus."""

from __future__ import annotations

from random import Random

from grognard.envs.arrangement import Arrangement
from grognard.games.stalingrad_roads.rules.stacking import too_many
from grognard.games.stalingrad_roads.state import RoadsState
from tests.contract import check_game
from tests.games.stalingrad_roads.table import real_game

DERIVED = ("side_units", "axis_units", "hqs", "at", "occupied", "afoot")


def test_the_contract() -> None:
    check_game(real_game(), seeds=range(1), every=300, derived=DERIVED)


def test_whatever_lies_on_a_table_has_a_row_in_the_arrays() -> None:
    """Weather, supports, planes: their written names are those that the game counts."""
    game = real_game()
    rows = Arrangement(game)
    assert len(rows.numbers) < 1000
    for scenario in game.scenarios:
        state = game.start(scenario)
        game.settle(state, "rows")
        for side in range(2):
            shown = rows.show(game.table(state, side))
            assert shown.numbers.keys() <= {*rows.numbers} and shown.planes.keys() <= {*rows.planes}
    assert game.piece_name("mud", "fr") != "mud"


def play(seed: int) -> RoadsState:
    game = real_game()
    state = game.start("uranus")
    game.settle(state, str(seed))
    random = Random(seed)
    while game.actor(state) is not None:
        choices = game.options(state)
        assert choices
        game.apply(state, random.choice(choices))
        game.settle(state, str(seed))
    return state


def check_sound(state: RoadsState) -> None:
    """What holds at the end of a turn."""
    game = real_game()
    for unit, cell in enumerate(state.where):
        if cell >= 0:
            assert state.steps[unit] >= 1
            assert game.plan(state).area >> cell & 1
    for cell, units in state.at.items():
        assert not (units & game.units_of[0] and units & game.units_of[1]) or cell < 0
        assert cell < 0 or not too_many(game, units)
    # No marker is lost or made.
    for kind, support in enumerate(game.supports):
        boxes = sum(game.held(state, kind, box) for box in range(5))
        on_map = sum(
            marker.kind == kind and (marker.unit >= 0 or marker.cell >= 0) for marker in state.markers
        )
        if support.sort == "alarm":
            on_map += sum(
                game.units[u].kind == "alarm" and state.where[u] >= 0 for u in range(game.axis_units)
            )
        arrived = sum(number for turn, number in support.arrivals if 1 < turn <= state.turn)
        total = state.pool[kind] + boxes + state.played[kind] + on_map
        assert total in (support.start["uranus"], support.start["uranus"] + arrived), support.id


def test_random_games_end_in_sound_positions() -> None:
    for seed in range(6):
        state = play(seed)
        check_sound(state)
        assert real_game().outcome(state) is not None


def test_the_same_seed_gives_the_same_game() -> None:
    assert play(2).fingerprint() == play(2).fingerprint()


def test_the_soviets_choose_their_first_markers_once() -> None:
    game = real_game()
    state, random, asked = game.start("uranus"), Random("once"), 0
    game.settle(state, "once")
    before = ""
    while state.turn < 2:
        decision = game.decision(state)
        assert decision is not None
        asked += decision.name == "choose-supports-soviet" and before != decision.name
        before = decision.name
        game.apply(state, random.choice(game.options(state)))
        game.settle(state, "once")
    assert asked == 1
