"""1.0 Getting started."""

from __future__ import annotations

from grognard.games.leningrad import load
from grognard.games.leningrad.state import TO_COME
from tests.rules import rule


@rule("leningrad", "1.0")
def test_units_of_the_start_lie_on_their_hexes_and_the_others_wait_on_the_turn_track() -> None:
    game = load()
    state = game.start("campaign")
    for index, unit in enumerate(game.units):
        if unit.turn == 0:
            assert state.where[index] == unit.setup, unit.id
        else:
            assert state.where[index] == TO_COME, unit.id
            assert 1 <= unit.turn <= 12
    assert {u.turn for u in game.units if u.german} == {0, 2, 6, 10}
    assert {u.turn for u in game.units if not u.german} == {0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12}


@rule("leningrad", "1.0")
def test_the_game_opens_with_the_german_player_on_turn_one() -> None:
    game = load()
    state = game.start("campaign")
    assert state.turn == 1
    assert game.sides[game.actor(state) or 0] == "german"
