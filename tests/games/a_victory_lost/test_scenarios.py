"""The scenarios: the campaign as the rulebook has it, and our own short one on a part of the map."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from grognard.board.board import each
from grognard.games.a_victory_lost.rules.pocket import usable_ground
from grognard.games.a_victory_lost.rules.supply import supplied_hexes
from grognard.games.a_victory_lost.rules.victory import enter_hex, verdict
from grognard.games.a_victory_lost.state import AXIS, DEAD, ON_POINTS, SOVIET, VictoryState
from grognard.lab import play_game
from tests.games.a_victory_lost.table import real_game
from tests.rules import rule

GAME = real_game()
SHORT = "little_saturn"


def cell(number: str) -> int:
    return GAME.board.cell(number)


def names(cells: int) -> list[str]:
    return [GAME.board.number(c) for c in each(cells)]


def test_the_campaign_comes_first_and_both_are_named_in_both_languages() -> None:
    assert list(GAME.scenarios) == ["campaign", SHORT]
    for scenario in GAME.scenarios.values():
        for texts in (scenario.names, scenario.about):
            assert set(texts) == {"en", "fr"}
            assert texts["en"] != texts["fr"]


@rule("a_victory_lost", "14.0.1")
def test_the_campaign_has_the_five_cities_of_the_map() -> None:
    state = GAME.start("campaign")
    assert GAME.cities(state) == GAME.data.cities
    assert GAME.cities(state).bit_count() == 5
    assert state.points == [25, 0]


@rule("a_victory_lost", "3.0")
def test_only_the_units_of_the_area_take_part() -> None:
    state = GAME.start(SHORT)
    area = GAME.area(SHORT)
    for unit, place in enumerate(state.where):
        setup = GAME.units[unit].setup
        inside = setup >= 0 and bool(area >> setup & 1) and GAME.units[unit].id != "hq-6a"
        assert place == (setup if inside else DEAD)
        assert bool(state.steps[unit]) is (inside and not GAME.units[unit].hq)
    assert 50 <= sum(place >= 0 for place in state.where) <= 65


def test_whom_a_scenario_leaves_out_is_not_shown_as_lost() -> None:
    state = GAME.start(SHORT)
    statuses = Counter(unit["status"] for unit in GAME.table(state, None).units)
    assert statuses["dead"] == 0 and statuses["off-map"] > statuses["on-map"]
    fallen = next(unit for unit, place in enumerate(state.where) if place >= 0)
    state.place(fallen, DEAD)
    shown = {unit["id"]: unit["status"] for unit in GAME.table(state, None).units}
    assert shown[GAME.units[fallen].id] == "dead"


def test_the_area_is_a_part_of_the_map_around_the_cities() -> None:
    state = GAME.start(SHORT)
    assert names(GAME.cities(state)) == ["3519", "3722", "3926", "4532", "4830"]
    area = GAME.area(SHORT)
    assert not GAME.cities(state) & ~area
    assert area >> cell("3513") & 1
    assert area >> cell("5334") & 1
    assert not area >> cell("3413") & 1
    assert not area >> cell("5335") & 1


def test_units_stay_in_the_area_but_supply_lines_leave_it() -> None:
    state = GAME.start(SHORT)
    area = GAME.area(SHORT)
    assert not usable_ground(GAME, state) & ~area
    for side in (AXIS, SOVIET):
        # No source lies in the area: whoever is in supply has a line out of it.
        assert not GAME.data.sources[side] & area
        assert supplied_hexes(GAME, state, side) & state.occupied[side] & area


def test_every_chit_of_an_hq_on_the_map_is_used_and_nothing_is_chosen() -> None:
    state = GAME.start(SHORT)
    chits = {GAME.chits[c].id for c in each(state.pool[AXIS] | state.pool[SOVIET])}
    assert chits == {f"chit-{hq}" for hq in ("hollidt", "it8a", "r3a", "1gda", "3gda", "5tka", "stavka")}
    decision = GAME.decision(state)
    assert decision is not None
    assert decision.name == "special-combat"


def test_a_city_changes_hands_for_its_points() -> None:
    state = GAME.start(SHORT)
    enter_hex(GAME, state, GAME.unit_index("su-24tk"), cell("4532"))
    assert state.points == [20, 5]
    enter_hex(GAME, state, GAME.unit_index("su-24tk"), cell("3440"))  # Rostov counts in the campaign only
    assert state.points == [20, 5]


@rule("a_victory_lost", "14.0.2")
@pytest.mark.parametrize(("lead", "winner"), [(30, SOVIET), (29, AXIS), (0, AXIS), (40, SOVIET), (-30, AXIS)])
def test_the_soviets_need_a_lead(lead: int, winner: int) -> None:
    state: VictoryState = GAME.start(SHORT)
    state.points = [10, 10 + lead]
    state.ending = ON_POINTS
    result = verdict(GAME, state)
    assert (result.winner, result.level) == (winner, f"{GAME.sides[winner]}-points")


@rule("a_victory_lost", "14.0.2")
def test_equal_points_are_a_draw_in_the_campaign() -> None:
    state: VictoryState = GAME.start("campaign")
    state.points = [10, 10]
    state.ending = ON_POINTS
    assert verdict(GAME, state).winner is None


@pytest.mark.parametrize("players", [("random", "random"), ("greedy", "greedy"), ("regular", "regular")])
def test_the_short_scenario_ends_by_itself_after_its_last_turn(players: tuple[str, str]) -> None:
    result = play_game(GAME, "short", players, SHORT)
    assert result.turns == 3
    assert result.winner in GAME.sides


def test_nobody_leaves_the_area_in_a_random_game() -> None:
    state = GAME.start(SHORT)
    area = GAME.area(SHORT)
    random = Random(7)
    GAME.settle(state, "area")
    while GAME.actor(state) is not None:
        GAME.apply(state, random.choice(GAME.options(state)))
        assert not (state.occupied[AXIS] | state.occupied[SOVIET]) & ~area
        GAME.settle(state, "area")


def test_the_words_about_victory_have_the_numbers_of_the_table() -> None:
    scenario = GAME.scenarios[SHORT]
    for text in scenario.victory.values():
        for line in ("city", "soviet-lead"):
            assert str(scenario.points[line]) in text
        assert "{" not in text
