"""Where a beaten unit may fall back to."""

from __future__ import annotations

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from grognard.mechanics.retreat import farther_hexes, vacant_first
from tests.mechanics.boards import small_board

BOARD = small_board(6, 6)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(BOARD.cells), st.sets(st.sampled_from(BOARD.cells), min_size=1, max_size=3))
def test_a_retreat_leads_away_from_the_nearest_enemy(here: int, foes: set[int]) -> None:
    assume(here not in foes)
    found = farther_hexes(BOARD, here, foes, lambda a, b: b % 5 != 0)
    near = min(BOARD.distance(here, foe) for foe in foes)
    for there in BOARD.cells:
        away = min(BOARD.distance(there, foe) for foe in foes) > near
        assert (there in found) == (BOARD.distance(here, there) == 1 and away and there % 5 != 0)


@given(st.lists(st.integers(0, 60), unique=True), st.sets(st.integers(0, 60)))
def test_empty_hexes_come_first(hexes: list[int], held: set[int]) -> None:
    found = vacant_first(hexes, sum(1 << h for h in held))
    empty = [h for h in hexes if h not in held]
    assert found == (empty or hexes)
