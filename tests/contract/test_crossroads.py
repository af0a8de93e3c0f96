"""The contract on Crossroads: sealed wagers, a window that can be waived, boxes, carriers, two dice."""

from __future__ import annotations

from crossroads import load
from tests.contract.checks import check_game


def test_the_contract() -> None:
    check_game(load(), seeds=range(6), every=10, derived=("side_units", "at", "occupied"))
