"""What any game must do, on the learning scenario."""

from __future__ import annotations

from copy import copy

from tests.contract import check_game
from tests.games.typhoon.table import real_game

FIXED = ("side_units", "axis_units", "others")
REMEMBERED = ("at", "occupied", "present", "zones", "stale", "around", "traced")


def test_the_contract() -> None:
    game = copy(real_game())
    game.scenarios = {"learning": game.scenarios["learning"]}
    check_game(game, seeds=range(1), every=250, derived=(*FIXED, *REMEMBERED))
