"""Composite orders: a whole march, attack or overrun in one."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.kernel import IllegalActionError, Match
from grognard.kernel.registry import load_game


@pytest.fixture
def match() -> Match[Any]:
    return Match(load_game("leningrad"), "campaign", {}, "orders")


def give(match: Match[Any], **order: Any) -> None:
    reason = match.order(match.game.actor(match.state) or 0, order)
    assert reason is None, match.game.explain(reason, "en")


def written(match: Match[Any], since: int) -> list[str]:
    return [" ".join(match.game.encode(action)) for action in match.journal[since:]]


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


def test_an_attack_is_one_order_and_brings_its_aircraft(match: Match[Any]) -> None:
    game = match.game
    while (decision := game.decision(match.state)) is None or decision.name != "choose-target":
        actor = game.actor(match.state)
        assert actor is not None
        options = game.options(match.state)
        onward = [a for a in options if a[0] in ("end", "halt")]
        assert match.act(actor, onward[0] if onward else options[0]) is None
        if game.turn(match.state) > 1:
            raise AssertionError("nobody could be attacked")
    target = next(action for action in game.options(match.state) if action[0] == "target")
    trial = match.state.clone()
    game.apply(trial, target)
    joining = [game.unit_id(action[1]) for action in game.options(trial) if action[0] == "join"]
    begun = len(match.journal)
    order = {"order": "attack", "targets": [game.board.number(target[1])], "units": joining}
    give(match, **order, extras={"air": 1})
    words = written(match, begun)
    assert words[: len(joining) + 2] == [
        f"target {game.board.number(target[1])}",
        *(f"join {unit}" for unit in joining),
        "fight",
    ]
    assert "commit 1" in words


def test_extras_that_there_are_not_are_refused(match: Match[Any]) -> None:
    unit = match.game.unit_id(0)
    for extras in ({"gas": 1}, {"air": -1}, {"air": "two"}, ["air"]):
        order = {"order": "attack", "targets": ["0101"], "units": [unit], "extras": extras}
        with pytest.raises(IllegalActionError):
            list(match.game.expand(match.state, order))
