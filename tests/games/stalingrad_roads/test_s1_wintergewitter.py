"""Scenario I, Wintergewitter: a small scenario of our own to learn the game with."""

from __future__ import annotations

from random import Random

import pytest

from grognard.board.board import bits, each
from grognard.games.stalingrad_roads.rules.command import led_areas, sources, supplied_units
from grognard.games.stalingrad_roads.rules.reinforcements import free_divisions
from grognard.games.stalingrad_roads.rules.victory import relieved, verdict
from grognard.games.stalingrad_roads.state import AVAILABLE, AXIS, MAJOR, ON_POINTS, SOVIET, RoadsState
from tests.games.stalingrad_roads.table import Table, real_game
from tests.rules import rule

WINTER = "wintergewitter"


def begin() -> RoadsState:
    game = real_game()
    state = game.start(WINTER)
    game.settle(state, "winter")
    return state


@rule("stalingrad_roads", "S1.1")
def test_nobody_leaves_the_small_map() -> None:
    table = Table("axis-movement", {"hq-4pza": "0729", "6-pz-1": "0627", "g-29-mot": "1232"}, scenario=WINTER)
    table.do("pick 6-pz-1")
    assert table.refused("step 0527") == ("outside-area", "S1.1")
    assert table.refused("step 0626") == ("outside-area", "S1.1")
    soviets = Table(
        "soviet-movement",
        {"hq-stalingrad": "1033", "s-29": "1234", "s-15g": "1234", "s-38": "1234"},
        scenario=WINTER,
    )
    assert soviets.do("pick s-29").refused("step 1334") == ("outside-area", "S1.1")


@rule("stalingrad_roads", "S1.1")
def test_everybody_is_supplied_from_the_sources_of_the_small_map() -> None:
    game, state = real_game(), begin()
    for side, numbers in ((AXIS, ("0628", "1127")), (SOVIET, ("1230", "1034"))):
        assert sources(game, state, side) == bits(map(game.board.cell, numbers))
        units = bits(u for u in each(game.units_of[side] & ~game.hqs) if state.where[u] >= 0)
        pocket = bits(u for c in each(game.plan(state).pocket) for u in each(state.at[c]))
        assert supplied_units(game, state, side, units) & ~pocket == units & ~pocket
        assert len(led_areas(game, state, side)) == (2 if side == AXIS else 1)


@rule("stalingrad_roads", "S1.2")
def test_the_axis_begins_and_ends() -> None:
    game, state = real_game(), begin()
    assert (state.turn, state.active) == (4, AXIS)
    random = Random("halves")
    halves: list[tuple[int, int]] = []
    while game.actor(state) is not None:
        if not halves or halves[-1] != (state.turn, state.active):
            halves.append((state.turn, state.active))
        options = game.options(state)
        end = next((o for o in options if o[0] in ("end", "pass", "put-back")), None)
        game.apply(state, end or random.choice(options))
        game.settle(state, "halves")
    assert halves == [(4, AXIS), (5, SOVIET), (5, AXIS), (6, SOVIET), (6, AXIS)]


@rule("stalingrad_roads", "S1.3")
def test_supports_are_kept_for_the_whole_game() -> None:
    game, state = real_game(), begin()
    assert game.in_box(state, AVAILABLE) == 4
    assert game.in_box(state, MAJOR) == 2
    assert not any(state.pool)
    gun = game.support_index["a-artillery-2"]
    panzer = game.unit_index("6-pz-1")
    game.apply(state, ("take", gun, AVAILABLE))
    game.apply(state, ("attach", panzer))
    assert game.in_box(state, AVAILABLE) == 3
    while (state.turn, state.active) != (5, AXIS) or state.doing("placing"):
        options = game.options(state)
        game.apply(state, next((o for o in options if o[0] in ("end", "pass", "put-back")), options[0]))
        game.settle(state, "kept")
    assert game.in_box(state, AVAILABLE) == 4
    assert game.axis_supports(state) == 0


@rule("stalingrad_roads", "S1.3")
def test_what_the_small_scenario_leaves_out() -> None:
    table = Table(
        "axis-movement",
        {"hq-4pza": "0729", "6-pz-1": "0628"},
        scenario=WINTER,
        held={"available": ["a-hoth"]},
    )
    assert table.asked == "pick-unit"
    assert table.refused("march 6-pz-1") == ("march-left-out", "S1.3")
    # Guns cost nothing more east of the Don, and go anywhere.
    guns = Table("soviet-supports", {"hq-stalingrad": "1033", "s-15g": "1033"}, scenario=WINTER)
    guns.do("take s-artillery-3 major", "attach s-15g")
    assert guns.asked == "deploy-markers"


@rule("stalingrad_roads", "S1.3", "17.2.3")
def test_replacements_of_the_small_scenario() -> None:
    game, state = real_game(), begin()
    assert [game.replacement_points(state, side) for side in (AXIS, SOVIET)] == [0, 0]
    state.turn = 5
    assert [game.replacement_points(state, side) for side in (AXIS, SOVIET)] == [1, 2]
    table = Table(
        "soviet-reinforcements",
        {"hq-stalingrad": "1033", "s-29": "1033", "hq-4pza": "0729"},
        turn=5,
        scenario=WINTER,
        reduced=["s-29"],
        dead=["s-38"],
    )
    assert table.refused("rebuild s-38") == ("restores-only", "S1.3")
    assert table.do("rebuild s-29").steps("s-29") == 2
    # Stalingrad is not fought over here: nobody is owed a division for it.
    axis = Table("axis-reinforcements", {"hq-4pza": "0729"}, turn=5, scenario=WINTER, dead=["g-297"])
    axis.state.soviet_hexes |= axis.game.data.stalingrad
    assert free_divisions(axis.game, axis.state) == []


POCKET = {"g-29-mot": "1232", "g-297": "1233", "hq-4pza": "0729"}


@rule("stalingrad_roads", "S1.4")
def test_the_pocket_neither_moves_nor_starves() -> None:
    table = Table("axis-supply", POCKET, scenario=WINTER)
    assert not table.in_set(table.state.unsupplied)
    table = Table("axis-movement", POCKET, scenario=WINTER)
    assert table.refused("pick g-29-mot") == ("pocket-stays", "S1.4")


@rule("stalingrad_roads", "S1.4")
def test_nobody_attacks_the_pocket() -> None:
    table = Table("soviet-combat", {**POCKET, "s-29": "1132", "hq-stalingrad": "1033"}, scenario=WINTER)
    assert table.refused("target 1232") == ("pocket-quiet", "S1.4")


@rule("stalingrad_roads", "S1.4")
def test_the_pocket_joins_when_relief_is_near() -> None:
    units = {**POCKET, "s-29": "1132", "hq-stalingrad": "1033", "g-336": "1031"}
    alone = Table("axis-combat", units, scenario=WINTER)
    alone.do("target 1132")
    assert alone.refused("join g-29-mot") == ("pocket-waits", "S1.4")
    near = Table("axis-combat", {**units, "6-pz-3": "1131"}, scenario=WINTER)
    near.do("target 1132", "join g-29-mot")
    before = near.odds("1132", "6-pz-3").attack
    assert near.odds("1132", "6-pz-3", "g-29-mot").attack == before + 1


@rule("stalingrad_roads", "S1.4")
def test_the_pocket_does_not_follow_a_victory() -> None:
    units = {**POCKET, "s-29": "1132", "hq-stalingrad": "1033", "6-pz-3": "1131", "6-pz-2": "1131"}
    table = Table("axis-combat", units, scenario=WINTER, reduced=["s-29"])
    table.attack("1132", "g-29-mot", "6-pz-3", "6-pz-2")
    while table.asked != "advance-unit":
        table.do(next(o for o in ("finish", "pass", "roll 6 6") if o.split()[0] in _verbs(table)))
    assert table.refused("advance g-29-mot 1132") == ("pocket-stays", "S1.4")
    assert "6-pz-3 1132" in table.offered("advance")


def _verbs(table: Table) -> set[str]:
    return {option.split()[0] for option in table.options}


@rule("stalingrad_roads", "S1.5")
def test_the_ring_stays() -> None:
    units = {**POCKET, "hq-stalingrad": "1033", "s-29": "1132", "s-204": "1132"}
    table = Table("soviet-movement", units, scenario=WINTER)
    assert table.refused("pick s-29") == ("secures-pocket", "10.2.4")
    three = Table("soviet-movement", {**units, "s-38": "1132"}, scenario=WINTER)
    three.do("pick s-29", "step 1032", "halt")
    assert three.refused("pick s-204") == ("secures-pocket", "10.2.4")


@rule("stalingrad_roads", "S1.6")
def test_relief_wins_at_once() -> None:
    units = {**POCKET, "6-pz-1": "1132", "hq-stalingrad": "1033"}
    table = Table("axis-end", units, scenario=WINTER, turn=4)
    assert table.state.over
    assert verdict(table.game, table.state).level == "axis-decisive"
    infantry = Table(
        "axis-end", {**POCKET, "g-336": "1132", "hq-stalingrad": "1033"}, scenario=WINTER, turn=4
    )
    assert not relieved(infantry.game, infantry.state)
    nobody_commands = {id_: hex_ for id_, hex_ in units.items() if id_ != "hq-4pza"}
    cut_off = Table("axis-end", nobody_commands, scenario=WINTER, turn=4)
    assert not relieved(cut_off.game, cut_off.state)


@rule("stalingrad_roads", "S1.6")
@pytest.mark.parametrize(
    ("units", "kotelnikovo", "level"),
    [
        ({"6-pz-1": "0829"}, True, "soviet-decisive"),
        ({"6-pz-1": "1131"}, False, "axis-minor"),
        ({"r-2": "1131"}, False, "soviet-minor"),
        ({"6-pz-1": "0931"}, False, "soviet-minor"),
    ],
)
def test_victory_at_the_end(units: dict[str, str], kotelnikovo: bool, level: str) -> None:
    table = Table("axis-combat", {**POCKET, **units}, scenario=WINTER, turn=6)
    table.state.ending = ON_POINTS
    if kotelnikovo:
        table.state.soviet_hexes |= 1 << table.cell("0729")
    assert verdict(table.game, table.state).level == level
