"""What any game must do, on a random game of each scenario."""

from __future__ import annotations

from grognard.games.second_front.game import load
from tests.contract import check_game


def test_the_contract() -> None:
    check_game(load(), seeds=range(1), every=500, derived=("side_units", "at", "occupied", "known_zones"))
