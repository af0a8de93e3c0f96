"""What any game must do, and a few hundred random games."""

from __future__ import annotations

from random import Random

from grognard.games.a_victory_lost.state import IN_BOX, LIFTED, VictoryState
from tests.contract import check_game
from tests.games.a_victory_lost.table import real_game

DERIVED = ("side_units", "axis_units", "hqs", "at", "occupied", "fighters", "zone_cache", "supply_cache")


def test_the_contract() -> None:
    check_game(real_game(), seeds=range(2), every=150, derived=DERIVED)


def play(seed: int, options: dict[str, bool]) -> VictoryState:
    game = real_game()
    state = game.start("campaign", options)
    game.settle(state, str(seed))
    random = Random(seed)
    while game.actor(state) is not None:
        choices = game.options(state)
        assert choices
        game.apply(state, random.choice(choices))
        game.settle(state, str(seed))
    return state


def check_sound(state: VictoryState) -> None:
    """What holds in every position between activations."""
    game = real_game()
    for unit, cell in enumerate(state.where):
        assert cell >= 0 or cell in (-1, -2, IN_BOX)
        assert cell != LIFTED
        if cell >= 0 and not game.units[unit].hq:
            assert state.steps[unit] >= 1
    for units in state.at.values():
        assert (units & ~state.hqs).bit_count() <= 2
        assert (units & state.hqs).bit_count() <= 1
        assert not (units & game.units_of[0] and units & game.units_of[1])
    assert not state.displaced


def test_random_games_end_in_sound_positions() -> None:
    every = dict.fromkeys(real_game().scenarios["campaign"].options, True)
    for seed in range(24):
        state = play(seed, every if seed % 2 else {})
        check_sound(state)
        assert real_game().outcome(state) is not None


def test_the_same_seed_gives_the_same_game() -> None:
    assert play(5, {}).fingerprint() == play(5, {}).fingerprint()
