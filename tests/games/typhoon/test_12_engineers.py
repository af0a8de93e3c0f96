"""12, 15.2 The engineer phase: works, lines, railways and replacements on the table."""

from __future__ import annotations

from itertools import pairwise

import pytest

from grognard.board.board import bits
from grognard.games.typhoon.rules import engineers, railways
from grognard.games.typhoon.rules.railways import Track
from grognard.games.typhoon.rules.weather import Sky
from grognard.games.typhoon.state import (
    ACTIVE,
    AXIS,
    CADRE,
    COMPROMISE,
    ELIMINATED,
    HITLER,
    HOEPNER,
    SOVIET,
    VON_BOCK,
    Head,
)
from tests.games.typhoon.ground import ground
from tests.games.typhoon.sky import AirTable
from tests.games.typhoon.table import Table, real_game
from tests.rules import rule

DRY = Sky("dry")


def first(table: AirTable, side: str, kind: str) -> str:
    return next(u.id for u in table.game.units if u.side == side and u.kind == kind)


PIONEER = first(AirTable(), "axis", "engineer")
SAPPER = first(AirTable(), "soviet", "engineer")
RIFLES = next(u.id for u in AirTable().game.units if u.side == "soviet" and u.division and not u.nkvd)


def works(side: int, units: dict[str, str], **more: object) -> AirTable:
    """The engineer phase of a side."""
    table = AirTable("", units=units, active=side, turn=10)
    for name, value in more.items():
        setattr(table.state, name, value)
    return table.begin("engineer-phase")


# 12.1 Strongpoints


@rule("typhoon", "12.1", "12.1.1", "12.1.2", "12.1.6")
def test_the_soviets_begin_strongpoints_in_supplied_hexes_as_the_table_allows() -> None:
    table = works(SOVIET, {"g-251-inf": "N1010"}, strongpoints=1)
    assert table.refused("fortify N1010") == ("site-unsupplied", "12.1.1")
    table.do("fortify M3010")
    assert table.state.works[SOVIET] == table.cells("M3010") and not table.state.forts[SOVIET]
    assert table.state.strongpoints == 0 and table.asked is None, "no more are allowed"
    table.state.active = SOVIET
    table.begin("engineer-phase")
    assert table.state.forts[SOVIET] == table.cells("M3010") and not table.state.works[SOVIET]


@rule("typhoon", "12.1.1")
@pytest.mark.parametrize(("kind", "side"), [(kind, side) for kind in ("forts", "works") for side in (0, 1)])
def test_a_hex_has_one_strongpoint(kind: str, side: int) -> None:
    table = works(SOVIET, {}, strongpoints=1)
    assert "M3010" in table.offered("fortify")
    getattr(table.state, kind)[side] = table.cells("M3010")
    assert "M3010" not in table.offered("fortify")
    assert table.refused("fortify M3010") == ("strongpoint-there", "12.1.1")


@rule("typhoon", "12.1.6")
def test_a_strongpoint_is_not_finished_out_of_supply(monkeypatch: pytest.MonkeyPatch) -> None:
    table = AirTable("", active=SOVIET)
    table.state.works = [0, table.cells("N2010")]
    monkeypatch.setattr(engineers, "supplied_hexes", lambda game, state, side: 0)
    table.begin("engineer-phase")
    assert table.state.works[SOVIET] and not table.state.forts[SOVIET]


@rule("typhoon", "12.3.2")
def test_a_soviet_engineer_places_it_finished_unless_it_has_fought() -> None:
    table = works(SOVIET, {SAPPER: "M3010"}, strongpoints=1).do("fortify M3010")
    assert table.state.forts[SOVIET] == table.cells("M3010")
    fought = AirTable("", units={SAPPER: "M3010"}, active=SOVIET)
    fought.state.strongpoints = 1
    fought.state.fought = 1 << fought.game.unit_index(SAPPER)
    fought.begin("engineer-phase").do("fortify M3010")
    assert fought.state.works[SOVIET] and not fought.state.forts[SOVIET]
    marched = AirTable("", units={SAPPER: "M3010"}, active=SOVIET)
    marched.state.strongpoints = 1
    marched.state.marched = 1 << marched.game.unit_index(SAPPER)
    marched.begin("engineer-phase").do("fortify M3010")
    assert marched.state.works[SOVIET]


@rule("typhoon", "12.1.4")
def test_after_an_arctic_turn_the_soviets_need_an_engineer() -> None:
    table = works(SOVIET, {SAPPER: "M3010"}, strongpoints=2, arctic_seen=True)
    assert table.offered("fortify") == {"M3010"}
    assert table.refused("fortify M3011") == ("frozen-ground", "12.1.4")


@rule("typhoon", "12.1.3", "12.3.3", "17.3.4")
def test_the_axis_needs_an_engineer_and_a_plan_to_begin_and_an_engineer_to_finish() -> None:
    table = works(AXIS, {PIONEER: "P1305"}, conversion=8)
    assert table.refused("fortify P1305") == ("plan-forbids-strongpoints", "12.1.3")
    table = works(AXIS, {PIONEER: "P1305"}, plan=HITLER, conversion=8)
    assert table.refused("fortify P1306") == ("no-engineer-there", "12.1.3")
    table.do("fortify P1305")
    assert table.refused("fortify P1305") == ("strongpoint-there", "12.1.1")
    state = table.state
    assert state.works[AXIS] == table.cells("P1305")
    here = state.clone()
    here.frames, here.log = [], []
    table.state = here
    table.begin("engineer-phase")
    assert here.forts[AXIS] == table.cells("P1305")
    gone = state.clone()
    gone.frames, gone.log = [], []
    gone.place(table.game.unit_index(PIONEER), table.game.board.cell("P1306"))
    table.state = gone
    table.begin("engineer-phase")
    assert not gone.forts[AXIS] and gone.works[AXIS]


@rule("typhoon", "17.3.4", "17.3.6", "12.1.3")
@pytest.mark.parametrize(
    ("plan", "allowed"), [(COMPROMISE, False), (HITLER, True), (VON_BOCK, False), (HOEPNER, True)]
)
def test_two_plans_let_the_axis_dig_in_the_campaign(plan: int, allowed: bool) -> None:
    table = works(AXIS, {PIONEER: "P1305"}, plan=plan, conversion=8)
    assert table.offered("fortify") == ({"P1305"} if allowed else set())
    if allowed:
        assert table.do("fortify P1305").state.works[AXIS] == table.cells("P1305")
    else:
        assert table.refused("fortify P1305") == ("plan-forbids-strongpoints", "12.1.3")


@rule("typhoon", "12.1.9")
def test_one_under_construction_goes_when_an_enemy_passes_a_finished_one_stays() -> None:
    site = {"1509": "soviet"}
    table = Table("axis-movement", {"g-251-inf": "1508"}, works=site).move("g-251-inf", "1509")
    assert not table.state.works[SOVIET]
    table = Table("axis-movement", {"g-251-inf": "1508"}, forts=site).move("g-251-inf", "1509")
    assert table.state.forts[SOVIET], "it falls in the engineer phase"


@rule("typhoon", "12.1.9")
@pytest.mark.parametrize(("unit", "falls"), [("g-251-inf", True), (PIONEER, True), ("g-ss-kav-bde", False)])
def test_who_destroys_a_strongpoint(unit: str, falls: bool) -> None:
    table = AirTable("", units={unit: "M3010"})
    table.state.forts = [0, table.cells("M3010")]
    table.begin("engineer-phase")
    assert (table.state.forts[SOVIET] == 0) is falls
    own = AirTable("", units={"g-251-inf": "M3010"})
    own.state.forts = [own.cells("M3010"), 0]
    own.begin("engineer-phase")
    assert own.state.forts[AXIS], "one's own stands"


@rule("typhoon", "12.1.9", "12.2.3")
def test_three_elements_of_a_panzer_division_are_a_division() -> None:
    elements = ("g-3-pz-pzr-6", "g-3-pz-sr-3", "g-3-pz-sr-394")
    table = AirTable("", units=dict.fromkeys(elements, "M3010"))
    table.state.forts = [0, table.cells("M3010")]
    table.begin("engineer-phase")
    assert not table.state.forts[SOVIET]
    two = AirTable("", units=dict.fromkeys(elements[:2], "M3010"))
    two.state.forts = [0, two.cells("M3010")]
    two.begin("engineer-phase")
    assert two.state.forts[SOVIET]


# 12.2 Fortified lines


@rule("typhoon", "12.2", "12.2.3", "12.2.4")
def test_a_line_falls_to_engineers_to_a_storm_or_by_declaration() -> None:
    line = "M2230"
    assert not works(AXIS, {}).state.broken_lines
    assert works(AXIS, {PIONEER: line}).state.broken_lines == AirTable().cells(line)
    stormed = AirTable("", units={"g-ss-kav-bde": line})
    stormed.state.stormed = stormed.cells(line)
    stormed.begin("engineer-phase")
    assert stormed.state.broken_lines == stormed.cells(line)
    left = AirTable()
    left.state.stormed = left.cells(line)
    left.begin("engineer-phase")
    assert not left.state.broken_lines, "nobody advanced into it"
    table = works(AXIS, {"g-251-inf": line, "g-ss-kav-bde": "M2231"}, conversion=8)
    assert table.refused("raze M2231") == ("no-division-there", "12.2.3")
    assert table.refused("raze M3010") == ("no-line-there", "12.2.3")
    table.do(f"raze {line}")
    assert table.state.broken_lines == table.cells(line)
    assert table.refused(f"raze {line}") == ("no-line-there", "12.2.3")


# 12.4 Railways


def line_of(*numbers: str) -> dict[str, str]:
    return {f"{a}/{b}": "rail" for a, b in pairwise(numbers)}


STRAIGHT = line_of("1204", "1304", "1403", "1503")


def track(**more: int) -> Track:
    board = ground({}, STRAIGHT)
    everywhere = board.everywhere
    found = Track(
        axis=1 << board.cell("1204"), cuts=0, net=everywhere, supplied=everywhere, shut=0, fortified=0
    )
    return found._replace(**more)


@rule("typhoon", "12.4.3", "12.4.2")
def test_what_stops_a_conversion() -> None:
    board = ground({}, STRAIGHT)
    head, here = Head(board.cell("1204"), 0), board.cell("1304")

    def why(found: Track, cell: str = "1304", points: int = 8) -> str | None:
        return railways.why_not_convert(board, found, [head], board.cell(cell), DRY, 5, points)

    assert why(track()) is None
    assert why(track(), "1403") == "not-at-railhead"
    assert why(track(), "1206") == "no-railway"
    assert why(track(net=0)) == "not-at-railhead", "the net must work"
    assert why(track(supplied=0)) == "rail-unsupplied"
    assert why(track(shut=1 << here)) == "rail-in-zone"
    assert why(track(fortified=1 << here)) == "rail-fortified"
    assert why(track(), points=0) == "no-points-left"
    assert why(track(axis=1 << here)) == "converted-already"
    far = board.cell("1503")
    assert why(track(axis=1 << far, cuts=1 << far), "1503") is None, "a cut is repaired anywhere"


@rule("typhoon", "12.4.3")
@pytest.mark.parametrize(
    ("words", "weather", "cost"),
    [
        ("", "dry", 1),
        ("", "frost", 1),
        ("marsh", "dry", 2),
        ("pond", "frost", 2),
        ("", "rain", 2),
        ("", "snow", 2),
        ("", "arctic", 2),
        ("marsh", "rain", 2),
    ],
)
def test_what_a_hex_costs(words: str, weather: str, cost: int) -> None:
    board = ground({"1304": words}, STRAIGHT)
    assert railways.conversion_cost(board, board.cell("1304"), Sky(weather)) == cost


@rule("typhoon", "12.4.4")
def test_four_points_a_turn_for_one_railhead() -> None:
    board = ground({}, STRAIGHT)
    cell = board.cell("1304")
    spent = Head(board.cell("1204"), 0, 4)
    assert railways.why_not_convert(board, track(), [spent], cell, DRY, 5, 8) == "railhead-spent"
    three = spent._replace(spent=3)
    assert railways.why_not_convert(board, track(), [three], cell, DRY, 5, 8) is None
    assert railways.why_not_convert(board, track(), [three], cell, Sky("rain"), 5, 8) == "railhead-spent"


@rule("typhoon", "12.4.5")
def test_a_railhead_moves_and_at_a_junction_there_are_as_many_as_lines_going_on() -> None:
    fork = {**STRAIGHT, **line_of("1304", "1305", "1306")}
    board = ground({}, fork)
    start = Head(board.cell("1204"), 0, 1)
    straight = railways.advance_head(ground({}, STRAIGHT), [start], start, board.cell("1304"), 0, 5, 1)
    assert straight == (Head(board.cell("1304"), 0, 2, board.cell("1204")),)
    split = railways.advance_head(board, [start], start, board.cell("1304"), 1 << board.cell("1204"), 5, 1)
    assert [(head.cell, head.since) for head in split] == [(board.cell("1304"), 5)] * 2
    here = 1 << board.cell("1304")
    why = railways.why_not_convert
    assert why(board, track(axis=here), split, board.cell("1305"), DRY, 5, 8) == "railhead-new"
    assert why(board, track(axis=here), split, board.cell("1305"), DRY, 6, 8) is None


@rule("typhoon", "12.4.7")
def test_a_railhead_goes_back_before_a_soviet_engineer() -> None:
    board = ground({}, STRAIGHT)
    head = Head(board.cell("1403"), 0, 2, board.cell("1304"))
    axis = bits(board.cell(number) for number in ("1204", "1304"))
    found = railways.heads_after_soviets(board, [head], board.cell("1403"), axis, 7)
    assert [(h.cell, h.since) for h in found] == [(board.cell("1304"), 7)]
    other = railways.heads_after_soviets(board, [head], board.cell("1204"), axis, 7)
    assert other == (head,)


@rule("typhoon", "12.4.1", "12.4.3", "12.4.5")
def test_the_axis_converts_from_the_railheads_of_the_scenario() -> None:
    table = works(AXIS, {}, conversion=8)
    state = table.state
    head = table.game.board.cell("N2246")
    assert head in {h.cell for h in state.heads} and state.axis_rail >> head & 1
    offered = table.offered("convert")
    near = {table.game.board.number(c) for c in railways.lines(table.game.board)[head]} & offered
    assert near
    number = sorted(near)[0]
    before = state.conversion
    table.do(f"convert {number}")
    assert state.axis_rail & table.cells(number) and state.conversion == before - 1
    assert head not in {h.cell for h in state.heads}


@rule("typhoon", "18.0", "12.4.3")
def test_no_railway_is_converted_beyond_the_edge_of_a_scenario() -> None:
    """A railhead at the edge of the play area: the next hex of its line is not offered."""
    game, engineer, edges = real_game(), engineers.Engineer(), 0
    for scenario in game.scenarios:
        state = game.start(scenario)
        state.conversion, state.active, state.local = 8, AXIS, engineers.Engineering()
        outside = ~game.outline(state).area
        edges += any(
            outside >> there & 1 for h in state.heads for there in railways.lines(game.board)[h.cell]
        )
        for action in engineer.options(game, state, AXIS):
            assert engineer.refuse(game, state, AXIS, action) is None, (scenario, action)
    assert edges, "a line goes on beyond the edge"


@rule("typhoon", "12.5", "12.5.1", "12.5.2", "12.4.6")
def test_soviet_units_cut_converted_hexes_and_the_axis_repairs_them() -> None:
    table = works(SOVIET, {RIFLES: "N2246"})
    assert table.offered("cut") == {"N2246"}
    assert table.refused("cut P1305") == ("nobody-to-cut", "12.5.1")
    assert table.refused("cut M3010") == ("nothing-to-cut", "12.5.1")
    table.do("cut N2246")
    assert table.state.cuts == table.cells("N2246")
    again = works(AXIS, {}, cuts=table.cells("N2246"), conversion=8)
    assert again.refused("cut N2246") == ("axis-cuts-nothing", "12.5.2")
    again.do("convert N2246")
    assert again.state.cuts == 0 and again.state.conversion == 7
    assert again.state.axis_rail & again.cells("N2246")


@rule("typhoon", "12.4.7", "12.4.2")
def test_a_soviet_engineer_converts_the_hex_it_is_in() -> None:
    table = works(SOVIET, {SAPPER: "N2246"})
    lone = table.refused("convert P1305")
    assert lone == ("no-engineer-there", "12.4.7")
    assert table.offered("convert") == {"N2246"}
    table.do("convert N2246")
    assert not table.state.axis_rail & table.cells("N2246")
    assert table.game.board.cell("N2246") not in {head.cell for head in table.state.heads}
    busy = AirTable("", units={SAPPER: "N2246"}, active=SOVIET)
    busy.state.fought = 1 << busy.game.unit_index(SAPPER)
    busy.begin("engineer-phase")
    assert "convert N2246" not in busy.options


# 15.2 Replacements


@rule("typhoon", "15.0", "15.2", "15.2.1", "15.1.3")
def test_a_unit_named_before_regains_one_step_for_a_point() -> None:
    table = AirTable("", units={"g-251-inf": "P1305"})
    unit = table.game.unit_index("g-251-inf")
    table.state.steps[unit], table.state.refitting = 2, 1 << unit
    table.state.replacements = [3, 0]
    table.state.conversion = 0
    table.begin("engineer-phase").do("end")
    assert table.asked == "spend-replacements"
    table.do("restore g-251-inf")
    assert table.state.steps[unit] == 3 and table.state.replacements == [2, 0]
    assert "restore g-251-inf" not in table.options, "one step a turn"


@rule("typhoon", "15.2.1")
def test_who_has_the_enemy_beside_him_in_the_end_receives_nothing() -> None:
    for foe, reason in (("P1306", ("refit-in-zone", "15.2.1")), ("P1312", None)):
        table = AirTable("", units={"g-251-inf": "P1305", RIFLES: foe})
        unit = table.game.unit_index("g-251-inf")
        table.state.steps[unit], table.state.refitting = 2, 1 << unit
        table.state.replacements = [3, 0]
        table.state.conversion = 0
        table.state.place(table.game.unit_index("g-102-inf"), CADRE)
        table.begin("engineer-phase").do("end")
        if reason is None:
            assert "restore g-251-inf" in table.options
        else:
            assert table.refused("restore g-251-inf") == reason


def spending(side: int, place: int, unit: str, **more: object) -> AirTable:
    table = AirTable("", active=side)
    table.state.place(table.game.unit_index(unit), place)
    for name, value in more.items():
        setattr(table.state, name, value)
    table.state.conversion = table.state.strongpoints = 0
    table.begin("engineer-phase")
    return table.do("end") if side == AXIS else table


@rule("typhoon", "15.2.2", "15.1.3")
def test_a_cadre_comes_back_with_a_step_as_a_reinforcement() -> None:
    table = spending(AXIS, CADRE, "g-251-inf", replacements=[1, 0])
    table.do("rally g-251-inf")
    unit = table.game.unit_index("g-251-inf")
    assert table.state.where[unit] == ACTIVE and table.state.steps[unit] == 1
    assert table.state.replacements == [0, 0]
    mot = spending(AXIS, CADRE, "g-3-pz-sr-3", replacements=[1, 0])
    assert mot.asked is None, "motorised infantry costs two"
    rich = spending(AXIS, CADRE, "g-3-pz-sr-3", replacements=[2, 0]).do("rally g-3-pz-sr-3")
    assert rich.state.replacements == [0, 0]


@rule("typhoon", "15.2.2")
def test_soviet_cadres_may_come_back_in_a_supplied_city_one_a_turn() -> None:
    table = spending(
        SOVIET, CADRE, RIFLES, replacements=[0, 5], soviet_hexes=AirTable().game.board.everywhere
    )
    assert f"raise {RIFLES} M2928" in table.options
    assert table.refused(f"raise {RIFLES} M3010") == ("not-raised-there", "15.2.2")
    table.do(f"raise {RIFLES} M2928")
    unit = table.game.unit_index(RIFLES)
    assert table.state.where[unit] == table.game.board.cell("M2928") and table.state.steps[unit] == 1


@rule("typhoon", "15.2.2")
def test_one_cadre_comes_back_in_a_city_whoever_else_has_come_there() -> None:
    table = AirTable("", active=SOVIET)
    state, game = table.state, table.game
    cadres = [u.id for u in game.units if u.side == "soviet" and u.kind == "infantry" and u.division][:3]
    for id_ in cadres[:2]:
        state.place(game.unit_index(id_), CADRE)
    state.soviet_hexes, state.replacements = game.board.everywhere, [0, 5]
    new = game.unit_index(cadres[2])
    state.place(new, game.board.cell("M2928"))
    state.steps[new], state.arrived = 1, 1 << new
    state.strongpoints = 0
    table.begin("engineer-phase")
    table.do(f"raise {cadres[0]} M2928")
    assert table.refused(f"raise {cadres[1]} M2928") == ("not-raised-there", "15.2.2")
    assert f"raise {cadres[1]} M3028" in table.options


@rule("typhoon", "15.2.3")
def test_an_eliminated_unit_becomes_a_cadre_and_no_more_this_turn() -> None:
    table = spending(AXIS, ELIMINATED, "g-251-inf", replacements=[3, 0])
    assert table.refused("rally g-251-inf") == ("cannot-replace", "15.2.2")
    table.do("rescue g-251-inf")
    assert table.state.where[table.game.unit_index("g-251-inf")] == CADRE
    assert table.state.replacements == [2, 0] and table.asked is None


@rule("typhoon", "15.1.4")
def test_armour_and_guns_need_points_of_type_a() -> None:
    tanks = next(u.id for u in AirTable().game.units if u.side == "soviet" and u.kind == "armour")
    assert spending(SOVIET, CADRE, tanks, replacements=[0, 9]).asked is None
    table = spending(SOVIET, CADRE, tanks, armour_steps=1).do(f"rally {tanks}")
    assert table.state.armour_steps == 0
    axis = spending(AXIS, CADRE, "g-3-pz-pzr-6", replacements=[9, 0], armour_steps=1)
    assert axis.asked is None, "15.1.2: the Axis gets infantry points alone"


@rule("typhoon", "14.3.6")
def test_the_step_of_event_n_is_for_the_nkvd_and_then_for_the_guards() -> None:
    game = AirTable().game
    police = next(u.id for u in game.units if u.nkvd and u.steps)
    guards = next(u.id for u in game.units if u.guards and u.division)
    rockets = next(u.id for u in game.units if u.guards and u.special == "rocket")
    assert spending(SOVIET, CADRE, police, guard_steps=1).do(f"rally {police}").state.guard_steps == 0
    assert spending(SOVIET, CADRE, guards, guard_steps=1).asked == "spend-replacements"
    assert spending(SOVIET, CADRE, rockets, guard_steps=1).asked is None
    both = AirTable("", active=SOVIET)
    for name in (police, guards):
        both.state.place(game.unit_index(name), CADRE)
    both.state.guard_steps = 1
    both.begin("engineer-phase")
    assert both.offered("rally") == {police}, "the NKVD first"


# 13.4, 17.4.4 by ruling


def besieged(gun_at: str, truck_at: str = "M2531", **more: object) -> tuple[AirTable, str, str]:
    game = AirTable().game
    gun = next(u.id for u in game.units if u.special == "siege")
    truck = next(u.id for u in game.units if u.kind == "supply_truck" and u.side == "axis")
    table = AirTable("", units={gun: gun_at, truck: truck_at}, turn=30)
    table.state.soviet_hexes |= game.moscow
    for name, value in more.items():
        setattr(table.state, name, value)
    return table.begin("engineer-phase"), gun, truck


@rule("typhoon", "13.4", "17.2.3")
def test_a_siege_battery_shells_moscow_for_a_supply_point() -> None:
    table, gun, truck = besieged("M2629")
    points = table.state.points
    table.do(f"shell {gun} {truck}")
    assert table.state.points == points + 1 and table.state.shelled == 1
    assert table.state.where[table.game.unit_index(truck)] < 0, "the point is spent"
    assert table.refused(f"shell {gun} {truck}")[0] == "shelled-enough"
    far, gun, truck = besieged("M2529")
    assert far.refused(f"shell {gun} {truck}")[0] == "cannot-shell"
    often, gun, truck = besieged("M2629", shelled=3)
    assert often.refused(f"shell {gun} {truck}")[0] == "shelled-enough"
    dry, gun, truck = besieged("M2629", truck_at="N3029")
    assert dry.refused(f"shell {gun} {truck}")[0] == "shelling-needs-supply"
