"""17.3.1 The plan of the Axis lies face down: whichever it is, the Soviets and the spectators receive the
same bytes, by every door and over the socket, until it is shown."""

from __future__ import annotations

from pathlib import Path
from random import Random

from grognard.games.typhoon.state import AXIS, HITLER, HOEPNER, PLAN_MARKERS, SOVIET, VON_BOCK
from tests.games.typhoon.table import real_game
from tests.rules import rule
from tests.server.test_twins import common, twins


@rule("typhoon", "17.3.1")
def test_the_server_tells_nobody_which_plan_is_in_force(tmp_path: Path) -> None:
    game, random = real_game(), Random(17)
    with twins(game, tmp_path, tmp_path, SOVIET, led=("learning", ())) as (one, two):
        for twin, plan in ((one, HITLER), (two, VON_BOCK)):
            state = twin.room.match.state.clone()
            state.plan, state.plan_known = plan, False
            twin.replace(state)
        played = 0
        for _ in range(6):
            assert one.told(every_door=not played) == two.told(every_door=not played)
            found = common(
                game, one.room.match.state, two.room.match.state, random, plain=True, onlooker=SOVIET
            )
            if found is None:
                break
            for twin in (one, two):
                twin.play(*found)
            played += 1
        assert played >= 1
        assert one.room.match.state.plan != two.room.match.state.plan


@rule("typhoon", "17.3.1")
def test_in_the_campaign_nothing_that_the_soviets_see_tells_the_plan() -> None:
    game = real_game()
    first = game.start("campaign")
    game.settle(first, "plan")
    first.turn, first.plan_known = 22, False
    seen = []
    for plan in (HITLER, VON_BOCK, HOEPNER):
        state = first.clone()
        state.plan = plan
        seen.append((game.table(state, SOVIET), game.table(state, None), game.prompt_facts(state, SOVIET)))
        assert game.table(state, AXIS) != game.table(state, SOVIET)
    assert seen[0] == seen[1] == seen[2]
    for state in (first.clone() for _ in range(2)):
        state.plan_known = True
        assert game.table(state, SOVIET) != seen[0][0]


@rule("typhoon", "17.3.2")
def test_what_the_soviets_imagine_does_not_follow_the_plan() -> None:
    game = real_game()
    state = game.start("campaign")
    game.settle(state, "plan")
    state.plan_known = False
    drawn = []
    for plan in (HITLER, HOEPNER):
        state.plan = plan
        drawn.append([game.imagine(state, SOVIET, Random(seed)).plan for seed in range(40)])
    assert drawn[0] == drawn[1]
    assert set(drawn[0]) == set(PLAN_MARKERS)
    assert all(game.imagine(state, AXIS, Random(seed)).plan == HOEPNER for seed in range(5))
