"""11.6, 13.2, 15.2.1, 15.3: what is done before units move, and regiments that join their division again."""

from __future__ import annotations

import pytest

from grognard.games.typhoon.rules import pontoons
from grognard.games.typhoon.rules.weather import Sky
from grognard.games.typhoon.state import AXIS, SOVIET, SUBSTITUTES, TO_COME, Pontoon
from tests.games.typhoon.ground import ground
from tests.games.typhoon.sky import AirTable
from tests.rules import rule

HQ = "s-22a"


def preparing(side: int, units: dict[str, str] | None = None, **more: object) -> AirTable:
    """The start of a movement phase."""
    sky = more.pop("sky", None)
    assert sky is None or isinstance(sky, Sky)
    table = AirTable("", units=units or {}, active=side, sky=sky)
    everywhere = table.game.board.everywhere
    table.state.soviet_hexes = everywhere if side == SOVIET else 0
    for name, value in more.items():
        setattr(table.state, name, value)
    return table.begin("preparations")


# 13.2 Pontoons


@rule("typhoon", "13.2.1", "13.2.2", "13.2.3")
def test_where_a_pontoon_may_lie() -> None:
    board = ground({}, {"1203/1303": "river", "1204/1304": "major_river"})
    west, east, south, away = (board.cell(number) for number in ("1203", "1303", "1204", "1305"))
    why = pontoons.why_not_place
    assert why(board, west, east, True, True, []) is None
    assert why(board, south, board.cell("1304"), True, True, []) is None
    assert why(board, west, away, True, True, []) == "no-river"
    assert why(board, west, east, False, True, []) == "pontoon-unsupplied"
    assert why(board, west, east, True, False, []) == "pontoon-no-hq"
    assert why(board, west, east, True, True, [south]) is None
    assert why(board, west, east, True, True, [south, away]) == "pontoons-used"


def river(table: AirTable, near: str) -> tuple[str, str]:
    """A side that a pontoon could bridge, near a hex."""
    board = table.game.board
    here = board.cell(near)
    cell, there = min(pontoons.crossings(board), key=lambda pair: board.distance(here, pair[0]))
    return board.number(cell), board.number(there)


@rule("typhoon", "13.2", "13.2.2", "13.2.3")
def test_two_pontoons_a_sheet_are_laid_and_taken_up_again_later() -> None:
    table = preparing(AXIS)
    assert table.asked == "prepare"
    sheet = [option for option in sorted(table.offered("lay-pontoon")) if option.startswith("P")]
    first, second, third = sheet[0], sheet[40], sheet[80]
    table.do(f"lay-pontoon {first}", f"lay-pontoon {second}")
    assert table.refused(f"lay-pontoon {third}") == ("pontoons-used", "13.2.3")
    assert not [option for option in table.offered("lay-pontoon") if option.startswith("P")]
    assert [option for option in table.offered("lay-pontoon") if option.startswith("M")], "on another sheet"
    hex_ = first.split()[0]
    assert table.refused(f"lift {hex_}") == ("no-pontoon", "13.2.2"), "it stays for this phase"
    table.do("end")
    table.begin("preparations").do(f"lift {hex_}")
    assert len(table.state.pontoons) == 1


@rule("typhoon", "13.2.2")
def test_soviet_pontoons_need_a_headquarters() -> None:
    table = AirTable("", units={HQ: "N3029"}, active=SOVIET)
    cell, there = river(table, "N3029")
    far = river(table, "P5010")
    table = preparing(SOVIET, {HQ: cell})
    assert f"{cell} {there}" in table.offered("lay-pontoon")
    assert table.refused(f"lay-pontoon {far[0]} {far[1]}") == ("pontoon-no-hq", "13.2.2")


@rule("typhoon", "13.2.4")
def test_a_pontoon_goes_when_an_enemy_enters() -> None:
    from grognard.games.typhoon.rules.ground import enter

    table = AirTable("", units={"g-251-inf": "N3029"})
    game, state = table.game, table.state
    cell = game.board.cell("N3030")
    elsewhere, beyond = game.board.cell("N3035"), game.board.cell("N3036")
    kept: tuple[Pontoon, ...] = (
        Pontoon(AXIS, cell, beyond),
        Pontoon(AXIS, elsewhere, beyond),
        Pontoon(SOVIET, elsewhere, beyond),
    )
    state.pontoons = (*kept, Pontoon(SOVIET, cell, game.board.cell("N3031")))
    enter(game, state, game.unit_index("g-251-inf"), cell)
    assert state.pontoons == kept


# 11.6 Air transport


def village(table: AirTable, nth: int = 0) -> str:
    game = table.game
    cells = [c for c in game.board.cells if game.villages >> c & 1 and game.board.number(c)[0] == "M"]
    return game.board.number(cells[nth])


@rule("typhoon", "11.6", "11.6.2", "11.6.3")
def test_a_headquarters_is_flown_from_one_place_to_another_and_moves_no_more() -> None:
    here, there = village(AirTable()), village(AirTable(), 5)
    table = preparing(SOVIET, {HQ: here}, transports=[0, 1])
    assert table.refused(f"airlift {HQ} N3030")[1] == "11.6.2"
    table.do(f"airlift {HQ} {there}")
    unit = table.game.unit_index(HQ)
    assert table.state.where[unit] == table.game.board.cell(there)
    assert table.state.moved >> unit & 1 and table.state.transports == [0, 0]
    assert table.state.marched >> unit & 1, "nor by road or rail"
    spent = preparing(SOVIET, {HQ: here}, transports=[0, 0])
    assert spent.refused(f"airlift {HQ} {there}") == ("no-transports", "11.6.3")
    field = preparing(SOVIET, {HQ: "N3030"}, transports=[0, 1])
    assert field.refused(f"airlift {HQ} {there}") == ("no-airfield", "11.6.2")


@rule("typhoon", "11.6.1")
def test_only_some_units_go_by_air_and_no_depots() -> None:
    here, there = village(AirTable()), village(AirTable(), 5)
    table = preparing(AXIS, {"g-251-inf": here}, transports=[1, 0])
    assert table.refused(f"airlift g-251-inf {there}") == ("not-by-air", "11.6.1")
    truck = next(u.id for u in table.game.units if u.kind == "supply_truck" and u.side == "axis")
    one = preparing(AXIS, {truck: here}, transports=[1, 0])
    assert f"{truck} {there}" in one.offered("airlift")
    two = AirTable("", units={truck: here})
    two.state.steps[two.game.unit_index(truck)] = 2
    two.state.transports, two.state.soviet_hexes = [1, 0], 0
    two.begin("preparations")
    assert two.refused(f"airlift {truck} {there}") == ("not-by-air", "11.6.1")


@rule("typhoon", "11.6.2")
def test_koch_comes_from_off_the_map() -> None:
    there = village(AirTable(), 5)
    table = AirTable("", turn=20)
    unit = table.game.unit_index("g-koch")
    table.state.place(unit, TO_COME)
    table.state.due[unit], table.state.steps[unit] = 15, 2
    table.state.transports, table.state.soviet_hexes = [1, 0], 0
    table.begin("preparations").do(f"airlift g-koch {there}")
    assert table.state.where[unit] == table.game.board.cell(there)
    assert table.state.arrived >> unit & 1


@rule("typhoon", "11.6.4")
@pytest.mark.parametrize(("weather", "code"), [("rain", "no-airfield"), ("dry", "landing-interdicted")])
def test_where_nothing_is_landed(weather: str, code: str) -> None:
    here, there = "M2928", village(AirTable(), 5)
    table = AirTable("", units={HQ: here}, active=SOVIET, sky=Sky(weather))
    state = table.state
    state.transports, state.soviet_hexes = [0, 1], table.game.board.everywhere
    if weather == "dry":
        state.interdicted = (table.game.board.cell(there),)
    table.begin("preparations")
    assert table.refused(f"airlift {HQ} {there}")[0] == code


# 15.2.1 Units named for replacements


def tired(**more: object) -> AirTable:
    table = AirTable("", units={"g-251-inf": "N3029"})
    unit = table.game.unit_index("g-251-inf")
    table.state.steps[unit] = 2
    table.state.replacements = [1, 0]
    for name, value in more.items():
        setattr(table.state, name, value)
    return table.begin("preparations")


@rule("typhoon", "15.2.1")
def test_who_may_be_named_for_a_replacement() -> None:
    table = tired().do("refit g-251-inf")
    bit = 1 << table.game.unit_index("g-251-inf")
    assert table.state.refitting == bit
    assert table.refused("refit g-251-inf") == ("refitting-already", "15.2.1")
    assert tired(unsupplied=bit).refused("refit g-251-inf") == ("refit-unsupplied", "15.2.1")
    assert tired(fought=bit).refused("refit g-251-inf") == ("refit-busy", "15.2.1")
    assert tired(replacements=[0, 0]).refused("refit g-251-inf") == ("no-replacements", "15.1.1")
    full = AirTable("", units={"g-251-inf": "N3029"}).begin("preparations")
    assert full.refused("refit g-251-inf") == ("full-strength", "15.2.1")
    enemy = next(u.id for u in table.game.units if u.side == "soviet" and u.division)
    near = AirTable("", units={"g-251-inf": "N3029", enemy: "N3030"})
    near.state.steps[near.game.unit_index("g-251-inf")] = 2
    near.state.replacements = [1, 0]
    near.begin("preparations")
    assert near.refused("refit g-251-inf") == ("refit-in-zone", "15.2.1")


# 15.3 Substitute regiments


@rule("typhoon", "15.3", "15.3.1", "15.3.2")
def test_a_division_detaches_regiments_and_keeps_a_step() -> None:
    table = AirTable("", units={"g-251-inf": "N3029"})
    game, state = table.game, table.state
    for unit in range(len(game.units)):
        if game.substitutes >> unit & 1:
            state.place(unit, SUBSTITUTES)
    division = game.unit_index("g-251-inf")
    state.emergency = 1 << division
    table.begin("preparations").do("detach g-251-inf", "detach g-251-inf", "detach g-251-inf")
    assert state.steps[division] == 1
    regiments = state.own(AXIS, game.board.cell("N3029")) & game.substitutes
    assert regiments.bit_count() == 3 and state.emergency & regiments == regiments
    assert table.refused("detach g-251-inf") == ("last-step-stays", "15.3.2")
    assert table.refused("detach g-3-pz-pzr-6")[0] == "detaches-nothing"


@rule("typhoon", "15.3.4")
def test_the_counters_are_a_limit() -> None:
    table = AirTable("", units={"g-251-inf": "N3029"}).begin("preparations")
    assert table.refused("detach g-251-inf") == ("no-regiments-left", "15.3.4")


@rule("typhoon", "15.3.3")
def test_a_regiment_joins_any_division_in_its_hex_and_brings_its_hunger() -> None:
    units = {"g-251-inf": "N3029", "g-substitute-regt-1": "N3029", "g-102-inf": "N3029"}
    table = AirTable("", units=units)
    game, state = table.game, table.state
    division, regiment = game.unit_index("g-251-inf"), game.unit_index("g-substitute-regt-1")
    state.steps[division] = 2
    state.unsupplied, state.emergency = 1 << regiment, 1 << division
    table.begin("regrouping")
    assert table.refused("rejoin g-substitute-regt-1 g-102-inf") == ("full-strength", "15.3.3")
    assert table.refused("rejoin g-102-inf g-251-inf") == ("no-substitute", "15.3.3")
    table.do("rejoin g-substitute-regt-1 g-251-inf")
    assert state.steps[division] == 3 and state.where[regiment] == SUBSTITUTES
    assert state.unsupplied == 1 << division and state.emergency == 0
    apart = AirTable("", units={"g-251-inf": "N3029", "g-substitute-regt-1": "N3030"})
    apart.state.steps[division] = 2
    assert apart.begin("regrouping").asked is None
