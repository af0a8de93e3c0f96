"""The adviser's reach is what stepping by the rules reaches: no hex less, no hex more, by legal ways."""

from __future__ import annotations

from random import Random

import pytest

from grognard.games.leningrad import Leningrad
from grognard.games.leningrad.state import LeningradState
from grognard.kernel import Refusal
from tests.games.leningrad import oracle
from tests.games.leningrad.table import Table
from tests.games.leningrad.test_oracle import TIMES, real_game, strewn
from tests.rules import rule


def by_stepping(game: Leningrad, state: LeningradState, units: tuple[int, ...]) -> set[int]:
    """Every hex that the stack in hand can stand on, found by making every legal step from everywhere."""
    start = state.where[units[0]]
    seen, reached, todo = set(), set(), [state.clone()]
    while todo:
        here = todo.pop()
        key = (here.where[units[0]], *(here.left[u] for u in units))
        if key in seen or here.frames[-1][0] != "move":
            continue
        seen.add(key)
        for action in game.options(here):
            if action[0] == "step":
                onward = here.clone()
                game.apply(onward, action)
                reached.add(action[1])
                todo.append(onward)
    return reached - {start}


def compare(table: Table) -> int:
    game, state = table.game, table.state
    units: tuple[int, ...] = state.local.units
    assert game.adviser is not None
    found = game.adviser.reach(state, units)
    assert not isinstance(found, Refusal)
    assert set(found) == by_stepping(game, state, units)
    for cell, way in Random(len(found)).sample(sorted(found.items()), min(8, len(found))):
        walk = Table.__new__(Table)
        walk.game, walk.state = game, state.clone()
        for hex_ in way.cells:
            walk.do(f"step {game.board.number(hex_)}")
        assert walk.state.where[units[0]] == cell
        assert min(walk.state.left[u] for u in units) == way.points_left
    return len(found)


def take_up(table: Table, random: Random) -> bool:
    picks = sorted(table.offered("pick"))
    if not picks:
        return False
    table.do(f"pick {random.choice(picks)}")
    mates = sorted(table.offered("add"))
    for mate in random.sample(mates, random.randint(0, min(2, len(mates)))):
        table.do(f"add {mate}")
    return True


@rule("leningrad", "4.1", "4.3", "6.0", "13.4", "17.2")
@pytest.mark.parametrize("phase", ["german-movement", "soviet-movement"])
def test_the_reach_of_stacks_among_enemies(phase: str) -> None:
    seen = 0
    for number in range(12 * TIMES):
        random = Random(f"reach {phase} {number}")
        table = strewn(random, phase)
        if take_up(table, random):
            seen += compare(table)
    assert seen > 40


@rule("leningrad", "4.1", "4.2", "4.9")
@pytest.mark.parametrize("unit", ["1-pz", "1-inf", "28-td", "10-rd"])
def test_the_reach_from_many_hexes(unit: str) -> None:
    """Alone on the map, so that the ground decides; a German and a Soviet unit far away feel no zone."""
    phase = "german-movement" if unit in oracle.GERMANS else "soviet-movement"
    dry = sorted(hex_ for hex_, ground in oracle.GROUND.items() if ground not in ("sea", "lake"))
    step = max(1, 40 // TIMES)
    for start in dry[len(unit) % step :: step]:
        compare(Table(phase, {unit: start}, game=real_game(), turn=3).do(f"pick {unit}"))


@rule("leningrad", "4.5")
def test_the_reach_of_a_stack_whose_units_have_come_by_different_ways() -> None:
    """Armour that has made a detour may have fewer points than the infantry it takes along again."""
    dry = sorted(hex_ for hex_, ground in oracle.GROUND.items() if ground not in ("sea", "lake"))
    compared = 0
    for number in range(12 * TIMES):
        random = Random(f"detour {number}")
        table = Table(
            "german-movement", dict.fromkeys(("1-pz", "1-inf"), random.choice(dry)), game=real_game()
        )
        table.do("pick 1-pz", "add 1-inf")
        if not table.offered("step"):
            continue
        table.do(f"step {random.choice(sorted(table.offered('step')))}", "drop 1-inf")
        here = table.where("1-pz")
        for _ in range(random.choice([1, 2])):
            away = sorted(table.offered("step"))
            if away and table.left("1-pz") >= 5:
                table.do(f"step {random.choice(away)}")
                if f"step {here}" in table.options:
                    table.do(f"step {here}")
        if table.where("1-pz") == here and "add 1-inf" in table.options:
            compare(table.do("add 1-inf"))
            compared += 1
    assert compared > 4
