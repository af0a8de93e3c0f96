"""What the adviser says is what the rules do."""

from __future__ import annotations

from grognard.board.board import bits
from grognard.games.typhoon.advice import TyphoonAdviser
from grognard.games.typhoon.rules.eligible import allowance
from grognard.games.typhoon.rules.reach import ORDINARY, within_reach
from grognard.kernel import Refusal
from grognard.kernel.advice import Forecast
from grognard.mechanics.supposing import Supposes
from tests.games.typhoon.table import Table, real_game

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


def told(table: Table, target: str, *units: str) -> Forecast | Refusal:
    adviser = TyphoonAdviser(table.game)
    return adviser.what_if(table.state, table.cell(target), [table.unit(unit) for unit in units], {})


def test_who_could_come_and_what_it_would_promise() -> None:
    units = {INF: "1506", INF2: "1410", PANZER: "2015", RIFLE: "1510", "s-133-rd": "1712"}
    table = Table("soviet-movement", units)
    adviser, before = TyphoonAdviser(table.game), table.state.fingerprint()
    assert isinstance(adviser, Supposes)
    near = adviser.approaches(table.state, table.cell("1510"))
    assert near[table.unit(INF2)] == table.cell("1410"), "who is next to it stays"
    assert near.keys() >= {table.unit(INF), table.unit(INF2)}
    assert table.cell("1510") in table.game.board.adjacent[near[table.unit(INF)]]
    alone, both = told(table, "1510", INF), told(table, "1510", INF, INF2)
    assert isinstance(alone, Forecast) and isinstance(both, Forecast)
    assert both.attack[0][0] == 2 * alone.attack[0][0] == 18
    nobody, guns = told(table, "1510"), told(table, "1510", "g-harko-2")
    assert isinstance(nobody, Refusal) and nobody.code == "no-attackers"
    assert isinstance(guns, Refusal) and (guns.code, guns.case) == ("not-next-to-target", "8.1.3")
    assert adviser.approaches(table.state, table.cell("2601")) == {}
    assert table.state.fingerprint() == before


def test_a_hex_is_not_overfilled_by_those_who_could_come() -> None:
    crowd = dict.fromkeys(("g-251-inf", "g-102-inf"), "1506")
    table = Table("axis-movement", {**crowd, "g-256-inf": "1505", "g-6-inf": "1405", RIFLE: "1510"})
    adviser = TyphoonAdviser(table.game)
    places = list(adviser.approaches(table.state, table.cell("1510")).values())
    assert len(places) >= 3 and max(map(places.count, places)) <= 2, "ten points of stacking"


def test_strengths_as_printed_and_as_they_count() -> None:
    table = Table("axis-movement", {INF: "1510", RIFLE: "1514"}, steps={INF: 2})
    adviser = TyphoonAdviser(table.game)
    attack, defence = adviser.strengths(table.state, table.unit(INF))
    assert (attack.printed, attack.counted, defence.printed, defence.counted) == (9, 5, 9, 5)


def test_the_quick_reach_is_the_reach_of_the_rules_but_for_what_it_leaves_out() -> None:
    game = real_game()
    state = game.start("learning")
    game.settle(state, "reach")
    while (decision := game.decision(state)) is not None and decision.name != "pick-unit":
        game.apply(state, game.options(state)[-1])
        game.settle(state, "reach")
    for option in game.options(state):
        if option[0] == "pick":
            ways = TyphoonAdviser(game).reach(state, [option[1]])
            assert not isinstance(ways, Refusal)
            quick = within_reach(game, state, option[1], allowance(game, state, option[1], ORDINARY))
            assert not quick & ~bits(ways), game.units[option[1]].id
            extra = bits(ways) & ~quick
            assert not extra & ~game.contacts[state.where[option[1]]], "only the first hex"
