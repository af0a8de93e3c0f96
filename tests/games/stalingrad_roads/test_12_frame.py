"""6, 12, 15, 16 Operation Mars, shortage, approval and Manstein."""

from __future__ import annotations

import pytest

from grognard.games.stalingrad_roads.rules.approval import (
    approve,
    dismiss,
    fall_of_approval,
    prestige,
    settle_demand,
)
from grognard.games.stalingrad_roads.rules.fortress import end_soviet_turn
from grognard.games.stalingrad_roads.rules.mars import mars_goes_on
from grognard.games.stalingrad_roads.rules.shortage import begin_test, note_hq_move
from grognard.games.stalingrad_roads.state import STAVKA
from grognard.kernel import RETURN
from tests.games.stalingrad_roads.table import AXIS, SOVIET, Table
from tests.games.stalingrad_roads.test_10_fortress import RING
from tests.rules import rule

UNITS = {"hq-don": "1831", "s-45": "1631", "g-44": "1630", "hq-6a": "1333"}


@rule("stalingrad_roads", "6.1", "6.1.1")
def test_mars_moves_by_dice_and_markers() -> None:
    table = Table("mars", UNITS, turn=2, held={"stavka": ["s-vvs", "s-aa", "s-aa"]})
    assert table.asked == "spend-on-mars"
    table.do("spend s-vvs stavka", "spend s-aa stavka", "roll-mars 4 4")
    assert table.state.mars == 1  # 8 and 2: one box to the right
    plain = Table("mars", UNITS, turn=2).do("roll-mars 1 1")
    assert plain.state.mars == -2


@rule("stalingrad_roads", "6.1.2", "6.1.3", "17.2.4")
def test_mars_ends() -> None:
    table = Table("mars", UNITS, turn=3)
    table.state.mars = 2
    approval = table.state.approval
    table.do("roll-mars 6 6")
    assert (table.state.mars, table.state.mars_over) == (3, True)
    assert table.state.approval == approval - 1
    assert table.state.due[table.unit("s-8g")] == 6
    late = Table("mars", UNITS, turn=6)
    assert late.asked != "roll-mars"
    assert mars_goes_on(table.game, table.state) == RETURN, "it has broken through"
    table.state.mars_over = False
    assert mars_goes_on(table.game, table.state) is None
    last = Table("mars", UNITS, turn=5)
    last.state.mars = -1
    last.do("roll-mars 3 4")
    assert last.state.due[last.unit("g-78")] == 6


@rule("stalingrad_roads", "12.1", "4.5.4")
def test_every_move_of_a_soviet_hq_brings_a_shortage() -> None:
    table = Table("soviet-movement", UNITS)
    for kind in ("s-shortage", "s-shortage-test"):
        table.state.pool[table.game.support_index[kind]] = 0
    road = next(
        s
        for s in sorted(table.do("pick hq-don").offered("step"))
        if table.game.data.on_way >> table.cell(s) & 1
    )
    table.do(f"step {road}", "halt")
    assert (table.in_pool("s-shortage-test"), table.in_pool("s-shortage")) == (1, 0)
    note_hq_move(table.game, table.state)
    assert (table.in_pool("s-shortage-test"), table.in_pool("s-shortage")) == (1, 1)
    uranus = Table("soviet-movement", UNITS, scenario="uranus")
    note_hq_move(uranus.game, uranus.state)
    assert uranus.in_pool("s-shortage-test") == 0


@rule("stalingrad_roads", "12.2")
def test_shortages_are_good_for_nothing() -> None:
    table = Table("soviet-supports", UNITS, held={"stavka": ["s-shortage"]})
    while table.actor == "chance":
        table.do(sorted(table.options)[0])
    while table.asked != "deploy-markers":
        table.do(sorted(table.options)[0])
    assert table.refused("take s-shortage stavka") == ("not-deployed", "5.5.1")
    assert table.game.support_index["s-shortage"] not in table.game.spendable(table.state, 0)
    pooled = table.in_pool("s-shortage")
    table.do("shed s-shortage stavka")
    assert table.in_pool("s-shortage") == pooled + 1


@rule("stalingrad_roads", "12.3")
def test_the_test_of_shortage() -> None:
    held = ["s-shortage-test", "s-shortage", "s-shortage", "s-vvs"]
    table = Table("soviet-supports", UNITS, held={"stavka": held}, turn=2)
    table.do("acquire 1 1", "draw s-aa")
    # Two shortages and two real markers: both go.
    assert table.asked == "forfeit"
    table.do("forfeit s-vvs", "forfeit s-aa")
    assert "s-shortage" not in table.held("stavka")
    hungry = Table("soviet-supports", UNITS, held={"stavka": held[:3]}, turn=2)
    hungry.do("acquire 1 1", "draw s-shortage")
    assert hungry.asked == "starve"
    assert hungry.actor == "axis"
    assert hungry.refused("starve 1831") == ("not-to-starve", "12.3")
    hungry.do("starve 1631")
    assert hungry.state.unsupplied >> hungry.unit("s-45") & 1
    for shortages, owed, starving in ((1, 1, 0), (2, 2, 0), (4, 2, 2)):
        box = ["s-shortage-test", "s-vvs", "s-aa", *["s-shortage"] * shortages]
        counted = Table("soviet-combat", UNITS, held={"stavka": box})
        assert begin_test(counted.game, counted.state, STAVKA) == (STAVKA, owed, starving)


@rule("stalingrad_roads", "5.5.7", "1.5.3")
def test_stalin_and_discord() -> None:
    table = Table("axis-supports", UNITS).do("draw a-discord", "draw a-hoth", "draw a-hollidt")
    approval = table.state.approval
    table.do("politics 3")
    assert table.state.approval == approval - 1
    stalin = Table("soviet-supports", UNITS, held={"stavka": ["s-stalin"]}, turn=2).do(
        "acquire 1 1", "draw s-aa"
    )
    stalin.do("politics 2")
    assert stalin.state.stalin
    for attacked, kept in ((False, 1), (True, 3)):
        wanted = Table("soviet-combat", UNITS, held={"stavka": ["s-vvs", "s-aa", "s-raid"]})
        wanted.state.stalin, wanted.state.good_attack = True, attacked
        end_soviet_turn(wanted.game, wanted.state)
        assert len(wanted.held("stavka")) == kept


@rule("stalingrad_roads", "15.1", "15.1.2", "15.2.1")
@pytest.mark.parametrize(
    ("turn", "soviet", "fall"),
    [(3, ("1334",), 2), (3, ("1334", "1434"), 3), (8, ("1334", "1434"), 1), (8, ("1334",), 0)],
)
def test_approval_falls_with_stalingrad(turn: int, soviet: tuple[str, ...], fall: int) -> None:
    units = dict(zip(("s-45", "s-95"), soviet, strict=False))
    table = Table("axis-combat", units | {"hq-6a": "0901"}, turn=turn)
    before = table.state.approval
    fall_of_approval(table.game, table.state)
    assert table.state.approval == before - fall


@rule("stalingrad_roads", "15.2.1")
@pytest.mark.parametrize(
    ("units", "unsupplied", "fall"),
    [
        ({"g-71": "1334", "g-79": "1434"}, ("g-71", "g-79"), 1),
        ({"g-71": "1334", "g-79": "1434"}, ("g-71",), 0),
        ({"g-71": "1334"}, ("g-71",), 0),
        ({"g-71": "1334", "g-79": "1434"}, (), 0),
    ],
)
def test_approval_falls_while_both_hexes_of_the_city_are_cut_off(
    units: dict[str, str], unsupplied: tuple[str, ...], fall: int
) -> None:
    for pocket, lost in ((RING, fall), ({}, 0)):
        table = Table("axis-combat", units | pocket, unsupplied=unsupplied)
        before = table.state.approval
        fall_of_approval(table.game, table.state)
        assert table.state.approval == before - lost


@rule("stalingrad_roads", "15.2.2")
def test_approval_rises_with_armoured_attacks() -> None:
    units = {
        "g-14-pz": "1628",
        "g-16-pz": "1628",
        "g-24-pz": "1628",
        "s-45": "1529",
        "hq-6a": "1333",
        "g-71": "1430",
    }
    table = Table("axis-combat", units, enclosed=["g-71"], fortress="1430", level=8)
    before = table.state.approval
    table.attack("1529", "g-14-pz", "g-16-pz", "g-24-pz").do("armoured", "finish", "roll 6 6")
    while table.asked != "choose-target":
        advances = sorted(option for option in table.options if option.startswith("advance"))
        table.do(advances[0] if advances else sorted(table.options)[0])
    assert table.state.occupied[AXIS] >> table.cell("1529") & 1
    assert table.state.approval == before + 1


@rule("stalingrad_roads", "15.2.2")
def test_strategic_hexes() -> None:
    from grognard.games.stalingrad_roads.rules.approval import worth

    game = Table("axis-combat", UNITS).game
    cell = game.board.cell
    assert [worth(game, cell(n), SOVIET) for n in ("1331", "1125", "2108", "1334", "1628")] == [1, 1, 2, 0, 0]
    assert worth(game, cell("1334"), AXIS) == 1


@rule("stalingrad_roads", "15.3", "16.2.3")
def test_a_second_crisis_costs_prestige_and_demands_are_settled() -> None:
    table = Table("axis-combat", UNITS)
    game, state = table.game, table.state
    state.approval, state.manstein = 1, 4
    approve(game, state, -1, "15.2.1")
    assert state.crisis
    state.crisis, state.crisis_rolled, state.approval = False, True, 1
    approve(game, state, -1, "15.2.1")
    assert (state.crisis, state.manstein) == (False, 3)
    state.demand, state.armoured_attacks = (2, 1), 2
    settle_demand(game, state)
    assert (state.manstein, state.demand) == (4, (0, 0))
    state.demand, state.armoured_attacks = (2, 1), 1
    settle_demand(game, state)
    assert state.manstein == 4


@rule("stalingrad_roads", "16.1", "16.2", "16.2.2", "16.2.4")
def test_manstein_shields_and_is_dismissed() -> None:
    table = Table("axis-combat", UNITS)
    game, state = table.game, table.state
    state.approval, state.manstein = 1, 4
    assert game.axis_supports(state) == 2
    prestige(game, state, -4, "16.2.3")
    dismiss(game, state)
    assert (state.dismissed, state.approval) == (True, 3)
    approve(game, state, -1, "15.2.1")
    assert state.approval == 3
