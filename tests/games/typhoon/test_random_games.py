"""Random games of the learning scenario end by themselves, in sound positions."""

from __future__ import annotations

from random import Random

from grognard.board.board import bits
from grognard.games.typhoon.rules.crowds import crowded
from grognard.games.typhoon.rules.ground import allowed, stack_zone, zone
from grognard.games.typhoon.rules.weather import Sky
from grognard.games.typhoon.state import AXIS, SOVIET, TyphoonState
from grognard.mechanics.pieces import members
from tests.games.typhoon.table import real_game


def play(seed: int, scenario: str = "learning") -> TyphoonState:
    game = real_game()
    state = game.start(scenario)
    game.settle(state, str(seed))
    random = Random(seed)
    while game.actor(state) is not None:
        choices = game.options(state)
        assert choices
        action = random.choice(choices)
        assert game.refuse(state, action) is None, action
        game.apply(state, action)
        game.settle(state, str(seed))
    return state


def check_remembered(state: TyphoonState) -> None:
    """What a position remembers is what it would work out anew."""
    game = real_game()
    fresh = state.clone()
    fresh.zones, fresh.stale, fresh.around, fresh.traced = [None, None], [0, 0], {}, {}
    for side in (AXIS, SOVIET):
        assert zone(game, state, side) == zone(game, fresh, side)
        assert allowed(game, state, side) == allowed(game, fresh, side)
    for (side, cell), known in state.around.items():
        assert known == stack_zone(game, fresh, side, cell)
    assert state.present == bits(unit for unit, place in enumerate(state.where) if place >= 0)


def test_zones_are_kept_in_step_with_stacks() -> None:
    game, random = real_game(), Random(3)
    for scenario in ("yelets", "vyazma_bryansk"):
        state = game.start(scenario)
        game.settle(state, scenario)
        for number in range(600):
            game.apply(state, random.choice(game.options(state)))
            game.settle(state, scenario)
            if number % 8 == 0:
                check_remembered(state)
        for unit in members(state.present & ~state.others):
            state.mark_overrun(1 << unit)
            check_remembered(state)
            state.clear_overrun()
            check_remembered(state)
            state.set_steps(unit, 1)
            check_remembered(state)
        state.set_sky(Sky("snow"))
        check_remembered(state)


def check_sound(state: TyphoonState) -> None:
    game = real_game()
    for unit, cell in enumerate(state.where):
        if cell >= 0:
            assert 1 <= state.steps[unit] <= max(2, game.units[unit].steps)
            assert game.outline(state).area >> cell & 1
    for cell, units in state.at.items():
        assert cell < 0 or not (units & game.units_of[0] and units & game.units_of[1])
    assert not crowded(game, state)


def test_random_games_end_in_sound_positions() -> None:
    for seed in range(2):
        state = play(seed)
        check_sound(state)
        assert real_game().outcome(state) is not None


def test_the_same_seed_gives_the_same_game() -> None:
    assert play(7).fingerprint() == play(7).fingerprint()
