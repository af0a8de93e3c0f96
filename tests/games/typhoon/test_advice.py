"""What the adviser says is what the rules do."""

from __future__ import annotations

from grognard.games.typhoon.advice import TyphoonAdviser
from grognard.kernel import Refusal
from tests.games.typhoon.table import Table

INF, INF2, PANZER, RIFLE = "g-251-inf", "g-102-inf", "g-6-pz-pzr-11", "s-126-rd"
GROUND = {"1511": "woods", "1512": "hills", "1410": "marsh", "1611": "city"}


def test_reach_is_where_units_can_walk() -> None:
    table = Table("axis-movement", {INF: "1510", RIFLE: "1514"}, hexes=GROUND)
    adviser = TyphoonAdviser(table.game)
    found = adviser.reach(table.state, [table.unit(INF)])
    assert not isinstance(found, Refusal) and len(found) > 40
    for cell in (table.cell("1513"), table.cell("1611"), table.cell("1504")):
        walked = Table("axis-movement", {INF: "1510", RIFLE: "1514"}, hexes=GROUND).do(f"pick {INF}")
        for hex_ in found[cell].cells[:-1]:
            walked.do(f"step {walked.game.board.number(hex_)}")
        walked.do(f"step {walked.game.board.number(cell)}")
        if walked.asked == "move-units":
            assert walked.state.local.left == found[cell].points_left
    assert table.cell("1515") not in found, "behind the zone"


def test_a_forecast_has_the_odds_and_the_chances_of_the_table() -> None:
    table = Table("axis-movement", {INF: "1509", INF2: "1410", RIFLE: "1510"}, hexes={"1510": "woods"})
    adviser = TyphoonAdviser(table.game)
    found = adviser.forecast(table.state, [table.cell("1510")], [table.unit(INF), table.unit(INF2)], {})
    assert not isinstance(found, Refusal)
    assert found.columns == (("3-1", 1.0),)
    assert [(s.code, s.columns) for s in found.shifts] == [("woods", 1)]
    assert abs(sum(chance for _, chance in found.results) - 1) < 1e-9
    refused = adviser.forecast(table.state, [table.cell("1512")], [table.unit(INF)], {})
    assert isinstance(refused, Refusal) and refused.code == "nobody-to-attack"


def test_supply_has_its_line() -> None:
    table = Table("axis-movement", {INF: "1508", INF2: "1520"}, sources=(["1503"], ["3020"]))
    adviser = TyphoonAdviser(table.game)
    found = adviser.supply(table.state, table.unit(INF))
    assert found.supplied and [table.game.board.number(c) for c in found.line][-1] == "1503"
    assert len(found.line) == 5
    assert not adviser.supply(table.state, table.unit(INF2)).supplied
