"""Random games of the learning scenario end by themselves, in sound positions."""

from __future__ import annotations

from random import Random

from grognard.games.typhoon.rules.crowds import crowded
from grognard.games.typhoon.state import TyphoonState
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
