"""What the arrays say, and what they must not."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

from grognard.envs import TableEnv, env
from grognard.envs import environment as module
from grognard.envs.arrangement import Arrangement
from grognard.envs.observation import Observer
from grognard.kernel.table import DEAD, STATUSES, UnitView
from tests.envs.walks import GAMES, marching, position, say, walk
from tests.kernel.toy import Toy


def arrays(e: TableEnv, agent: str) -> dict[str, Any]:
    found = e.observe(agent)["observation"]
    assert isinstance(found, dict)
    return found


def mask(e: TableEnv, agent: str) -> Any:
    return e.observe(agent)["action_mask"]


def fresh_walk(e: TableEnv) -> Iterator[int]:
    """A walk through the next game of an environment, to its end."""
    e.reset()
    yield from walk(e, 1000)


def same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return all(np.array_equal(one[name], other[name]) for name in one)


@pytest.mark.parametrize("game", GAMES)
def test_units_and_planes_are_those_of_the_view(game: str) -> None:
    e = env(game, seed=6)
    e.reset()
    planes, columns = e.observer.plane_names, e.observer.unit_names
    for number in walk(e, 400):
        if number % 40:
            continue
        for side, agent in enumerate(e.game.sides):
            seen = arrays(e, agent)
            counted: dict[tuple[str, int, int], int] = {}
            for unit in e.game.table(position(e), side).units:
                row = dict(zip(columns, seen["units"][e.game.unit_index(unit["id"])].tolist(), strict=True))
                assert row[f"side:{unit['side']}"] == 1
                assert row[f"kind:{unit['kind']}"] == 1
                assert row["on-map"] == (unit["hex"] is not None)
                assert row["attack"] == unit.get("attack", 0)
                assert {badge.id for badge in e.game.badges if row[badge.id]} == set(unit["badges"])
                assert sum(row[status] for status in STATUSES) == 1
                if unit["hex"] is None:
                    continue
                at = e.observer.grid[e.game.board.cell(unit["hex"])]
                assert (row["row"], row["column"]) == at
                for what, value in (
                    ("units", 1),
                    ("steps", unit.get("steps", 0)),
                    ("attack", unit.get("attack", 0)),
                    ("defence", unit.get("defence", 0)),
                    *((badge, 1) for badge in unit["badges"]),
                    (f"kind:{unit['kind']}", 1),
                ):
                    key = (f"{unit['side']}:{what}", *at)
                    counted[key] = counted.get(key, 0) + value
            expected = np.zeros_like(seen["planes"])
            for (name, row_, column), value in counted.items():
                expected[planes.index(name), row_, column] = value
            last = planes.index("in_hand")
            assert np.array_equal(seen["planes"][:last], expected[:last])


def test_the_ground_is_that_of_the_map_and_is_shared() -> None:
    e = env("crossroads", seed=6)
    e.reset()
    terrain = arrays(e, "amber")["terrain"]
    assert arrays(e, "cobalt")["terrain"] is terrain
    with pytest.raises(ValueError, match="read-only"):
        terrain[0, 0, 0] = 1
    names, board = e.observer.terrain_names, e.game.board
    assert terrain[0].sum() == len(board.cells) == len(set(e.observer.grid.values()))
    for cell in board.cells:
        there = terrain[:, *e.observer.grid[cell]]
        info = board.info[cell]
        assert there[names.index(f"terrain:{info.terrain}")] == 1
        assert {
            n.partition(":")[2] for n, v in zip(names, there, strict=True) if v and n[:4] == "hex:"
        } == set(info.features)
        for direction, neighbour in enumerate(board.neighbours[cell]):
            if neighbour >= 0:
                assert there[names.index(f"side:river:{direction}")] == board.side_has(
                    cell, neighbour, "river"
                )


@pytest.mark.parametrize("game", GAMES)
def test_neighbours_on_the_map_are_neighbours_in_the_arrays(game: str) -> None:
    e = env(game)
    for cell in e.game.board.cells:
        row, column = e.observer.grid[cell]
        for other in e.game.board.adjacent[cell]:
            there = e.observer.grid[other]
            assert abs(there[0] - row) <= 1
            assert abs(there[1] - column) <= 1


def test_globals_say_who_is_asked_what() -> None:
    e = env("crossroads", seed=6)
    e.reset()
    for number in walk(e, 600):
        if number % 3 == 0:
            for agent in e.agents:
                told = {
                    name
                    for name, value in zip(e.observer.global_names, arrays(e, agent)["globals"], strict=True)
                    if value
                }
                decision = e.game.decision(position(e))
                assert decision is not None
                assert f"you:{agent}" in told
                assert f"asked:{e.agent_selection}" in told
                assert f"decision:{decision.name}" in told
                assert sum(name.startswith("phase:") for name in told) == 1


def test_the_hand_is_shown_to_its_owner() -> None:
    e = marching(seed=6)
    lift = next(w for w in e.words() if e.actions.spell(w)[0] == "lift")
    unit = e.actions.after((), lift)
    assert unit is not None
    e.step(lift)
    mine, theirs = arrays(e, "amber"), arrays(e, "cobalt")
    hand = e.observer.unit_names.index("in_hand")
    assert mine["units"][:, hand].nonzero()[0].tolist() == [unit[1]]
    assert not theirs["units"][:, hand].any()
    plane = mine["planes"][e.observer.plane_names.index("in_hand")]
    assert plane[e.observer.grid[position(e).where[unit[1]]]] == 1
    assert plane.sum() == 1
    left = e.observer.global_names.index("fact:points_left")
    assert mine["globals"][left] == e.game.prompt_facts(position(e))["points_left"] > 0


# Hidden information


def test_no_array_tells_what_the_other_side_keeps_secret() -> None:
    """Tokens of the other side are exchanged for others that it might have: nothing changes for a side."""
    e = env("crossroads", seed=6)
    random = Random("secrets")
    differing = 0
    for number in (number for _ in range(5) for number in fresh_walk(e)):
        if number % 6:
            continue
        true = position(e)
        for side, agent in enumerate(e.game.sides):
            before, others = e.observe(agent), arrays(e, e.game.sides[1 - side])
            e._state = e.game.imagine(true, side, random)
            after, others_after = e.observe(agent), arrays(e, e.game.sides[1 - side])
            e._state = true
            assert same(before["observation"], after["observation"])
            assert np.array_equal(before["action_mask"], after["action_mask"])
            differing += not same(others, others_after)
    assert differing > 20, "the secrets were hardly ever others"


def test_a_side_cannot_tell_which_token_the_other_lays() -> None:
    seen, own = set(), set()
    for token in range(1, 4):
        e = env("crossroads", seed=6)
        e.reset()
        assert e.agent_selection == "amber"
        say(e, "stake", f"amber-{token}")
        assert not e.observe("amber")["action_mask"].any()
        seen.add(b"".join(a.tobytes() for a in (*arrays(e, "cobalt").values(), mask(e, "cobalt"))))
        say(e, "stake", "cobalt-1")
        own.add(b"".join(a.tobytes() for a in arrays(e, "amber").values()))
    assert len(seen) == 1
    assert len(own) == 3


def test_what_is_remembered_of_one_observation_never_shows_in_another() -> None:
    """The observer keeps rows of units between calls; they must be those of a fresh one."""
    e = env("crossroads", seed=6)
    e.reset()
    for number in walk(e, 300):
        if number % 10 == 0:
            fresh = Observer(e.game, e.actions)
            for side, agent in enumerate(e.game.sides):
                said = e._said if agent == e.agent_selection else ()
                assert same(fresh.see(position(e), side, said), arrays(e, agent))
    shown: UnitView = {
        "id": e.game.unit_id(3),
        "side": "cobalt",
        "kind": "foot",
        "hex": None,
        "status": DEAD,
        "badges": [],
    }
    dead = e.observer.unit_names.index(DEAD)
    assert e.observer._counters([shown])[:, dead].nonzero()[0].tolist() == [3], (
        "units not shown leave a trace"
    )
    arrays(e, "amber")["units"][:] = 99
    assert not (arrays(e, "amber")["units"] == 99).all()


# Parts, and games that have none


@pytest.mark.parametrize("game", GAMES)
def test_everything_on_the_table_has_its_place_in_the_arrays(game: str) -> None:
    """And everything that has a place is filled some time."""
    e = env(game, seed=9, switches={"soviets_plan_ahead": True} if game == "a_victory_lost" else {})
    arrangement = Arrangement(e.game)
    found: set[str] = set()
    e.reset()
    for number in walk(e, 600):
        if number % 10 == 0:
            for side in range(2):
                shown = arrangement.show(e.game.table(position(e), side))
                assert set(shown.planes) <= set(arrangement.planes)
                assert set(shown.units) <= set(arrangement.unit_sets)
                assert set(shown.numbers) <= set(arrangement.numbers)
                found |= {*shown.planes, *shown.units, *shown.numbers}
    assert set(arrangement.unit_sets) <= found
    # Of the pieces of a pool only some are ever seen in each of its groups.
    assert {name for name in arrangement.numbers if "/" not in name} <= found


def test_planes_and_globals_show_the_parts() -> None:
    e = env("crossroads", seed=6)
    e.reset()
    state = position(e)
    cells = e.game.board.cells[4:7]
    state.redoubts = sum(1 << cell for cell in cells)
    state.nerve = -2
    state.dug = [1, 0]
    seen = arrays(e, "amber")
    plane = seen["planes"][e.observer.plane_names.index("redoubts")]
    assert [plane[e.observer.grid[cell]] for cell in cells] == [1, 1, 1]
    assert plane.sum() == 3
    numbers = dict(zip(e.observer.global_names, seen["globals"].tolist(), strict=True))
    assert (numbers["heart"], numbers["spades:amber"], numbers["spades:cobalt"]) == (-2, 0, 1)


def test_a_game_without_units_or_parts_plays_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "load_game", lambda id_, override: Toy())
    e = env("toy", seed=1)
    e.reset()
    for _ in walk(e, 500):
        for agent in e.agents:
            assert e.observation_space(agent).contains(e.observe(agent))
    assert all(e.terminations.values())
    assert sorted(e.rewards.values()) in ([-1.0, 1.0], [0.0, 0.0])
    assert e.render()
    module.parts_of.cache_clear()
