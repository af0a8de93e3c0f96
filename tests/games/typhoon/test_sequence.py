"""4.0 The sequence of play, and positions that can be copied and written."""

from __future__ import annotations

from grognard.games.typhoon.rules.sequence import PROCEDURES
from tests.games.typhoon.table import real_game
from tests.rules import rule


@rule("typhoon", "4.0")
def test_the_turn_is_asymmetric() -> None:
    """The Axis moves, interdicts, lets the Soviets react, fights, moves what is motorised; the Soviets move
    what is motorised or activated first, then fight, then move."""
    labels = list(PROCEDURES["game-turn"].steps)
    assert labels == [
        *("begin", "weather", "supply", "soviet-table", "readiness"),
        *("axis-movement", "interdiction", "soviet-reaction", "axis-combat", "axis-motorised"),
        *("axis-engineers", "soviet-motorised", "axis-reaction", "soviet-combat", "soviet-movement"),
        *("soviet-engineers", "surrender", "end"),
    ]


def test_a_position_can_be_copied() -> None:
    game = real_game()
    for scenario in game.scenarios:
        state = game.start(scenario)
        copy = state.clone()
        assert copy.fingerprint() == state.fingerprint()
        copy.set_steps(0, copy.steps[0] + 1)
        assert copy.fingerprint() != state.fingerprint()


@rule("typhoon", "3.1.1", "3.1.2")
def test_units_begin_where_the_scenario_says() -> None:
    game = real_game()
    state = game.set_up("learning", {})
    outline = game.outlines["learning"]
    for placed in outline.setup:
        assert state.where[game.unit_index(placed.unit)] == placed.cell
    late = game.unit_index("s-9-gds-mortar")
    assert state.where[late] < 0 and state.due[late] == 5
