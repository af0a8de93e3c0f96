"""Composite orders: a whole march, attack or overrun in one."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.kernel import IllegalActionError, Match
from grognard.kernel.registry import load_game
from tests.games.leningrad.table import Table


@pytest.fixture
def match() -> Match[Any]:
    return Match(load_game("leningrad"), "campaign", {}, "orders")


def give(match: Match[Any], **order: Any) -> None:
    reason = match.order(match.game.actor(match.state) or 0, order)
    assert reason is None, match.game.explain(reason, "en")


def written(match: Match[Any], since: int) -> list[str]:
    return [" ".join(match.game.encode(answer.action)) for answer in match.journal[since:]]


def first_stack(match: Match[Any]) -> tuple[list[str], dict[int, Any]]:
    """Two units that stand together and can go somewhere together."""
    game, state = match.game, match.state
    assert game.adviser is not None
    for action in game.options(state):
        if action[0] != "pick":
            continue
        here = state.where[action[1]]
        others = [u for u in range(len(game.units)) if state.where[u] == here and u != action[1]]
        if others:
            ways = game.adviser.reach(state.clone(), [action[1], others[0]])
            if isinstance(ways, dict) and ways:
                return [game.unit_id(action[1]), game.unit_id(others[0])], ways
    raise AssertionError("nobody stands together")


def test_a_march_is_one_order_and_one_step_to_take_back(match: Match[Any]) -> None:
    units, ways = first_stack(match)
    way = max(ways.values(), key=lambda w: len(w.cells))
    begun = len(match.journal)
    path = [match.game.board.number(cell) for cell in way.cells]
    give(match, order="move", units=units, path=path)
    words = written(match, begun)
    assert words[0] == f"pick {units[0]}"
    assert words[1] == f"add {units[1]}"
    assert [word for word in words if word.startswith("step")] == [f"step {hex_}" for hex_ in path]
    assert match.undo()
    assert len(match.journal) == begun


FIELD = {"1-inf": "1512", "11-inf": "1512", "10-rd": "1511", "90-rd": "1611"}
STRENGTHS = {"10-rd": "inf-2-3", "90-rd": "inf-2-3"}


def carry_out(table: Table, **order: Any) -> list[str]:
    """Carry out an order up to the first die; what it came to."""
    said = []
    for action in table.game.expand(table.state, order):
        assert table.game.refuse(table.state, action) is None
        said.append(" ".join(table.game.encode(action)))
        table.game.apply(table.state, action)
    return said


def test_an_attack_is_one_order_and_brings_its_aircraft() -> None:
    table = Table("german-combat", FIELD, strengths=STRENGTHS, air=1)
    said = carry_out(
        table, order="attack", targets=["1511", "1611"], units=["1-inf", "11-inf"], extras={"air": 1}
    )
    assert said == ["target 1511", "join 1-inf", "join 11-inf", "also 1611", "fight", "commit 1"]


def test_without_a_word_about_aircraft_the_question_is_asked() -> None:
    table = Table("german-combat", FIELD, strengths=STRENGTHS, air=1)
    assert carry_out(table, order="attack", targets=["1511"], units=["1-inf"])[-1] == "fight"
    assert table.asked == "commit-air"


def test_with_a_stack_in_hand_an_attack_is_an_overrun() -> None:
    table = Table("german-movement", FIELD, strengths=STRENGTHS, air=1).do("pick 1-inf")
    said = carry_out(table, order="attack", targets=["1511"], units=["1-inf"], extras={"air": 0})
    assert said == ["overrun 1511", "commit 0"]


def test_extras_that_there_are_not_are_refused(match: Match[Any]) -> None:
    unit = match.game.unit_id(0)
    for extras in ({"gas": 1}, {"air": -1}, {"air": "two"}, ["air"]):
        order = {"order": "attack", "targets": ["0101"], "units": [unit], "extras": extras}
        with pytest.raises(IllegalActionError):
            list(match.game.expand(match.state, order))
