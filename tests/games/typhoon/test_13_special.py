"""11.4.4, 12.1.5, 12.1.7, 13.3 to 13.7, 14.1, 14.4: special units and arrivals."""

from __future__ import annotations

import pytest

from grognard.board.board import bits, each
from grognard.games.typhoon.data import charts
from grognard.games.typhoon.rules import railways
from grognard.games.typhoon.rules.command import area, commanded, radius
from grognard.games.typhoon.rules.costs import POINT
from grognard.games.typhoon.rules.declaring import can_reach
from grognard.games.typhoon.rules.entry import entry_hexes, hexes_of_code, why_not_enter
from grognard.games.typhoon.rules.ground import supplied_hexes, zone
from grognard.games.typhoon.rules.movement import rail_hexes
from grognard.games.typhoon.rules.reach import ORDINARY, base_price, extra_price
from grognard.games.typhoon.rules.reaction import must_stand
from grognard.games.typhoon.state import AXIS, GONE, SOVIET, TO_COME, Declared
from grognard.kernel.agenda import advance
from tests.games.typhoon.sky import AirTable
from tests.games.typhoon.table import Table
from tests.rules import rule


@rule("typhoon", "11.4.4")
def test_interdiction_changes_no_route_of_supply() -> None:
    table = AirTable()
    before = supplied_hexes(table.game, table.state, SOVIET)
    table.state.interdicted = tuple(table.game.board.cell(number) for number in ("M2928", "M3010", "N4030"))
    table.state.traced.clear()
    assert supplied_hexes(table.game, table.state, SOVIET) == before


@rule("typhoon", "12.1.5")
def test_there_is_no_limit_to_strongpoints_on_the_map() -> None:
    counters = next(r for r in charts()["markers"].records if r["id"] == "m-strongpoint")
    table = AirTable("", active=SOVIET)
    many = [c for c in table.game.board.cells if table.game.board.number(c)[0] == "M"][
        : int(str(counters["count"]))
    ]
    table.state.forts = [0, bits(many)]
    table.state.strongpoints = 1
    table.begin("engineer-phase")
    assert table.offered("fortify"), "more than there are counters"


@rule("typhoon", "12.1.7")
def test_a_finished_enemy_strongpoint_costs_a_point_to_enter() -> None:
    table = AirTable("", units={"g-251-inf": "N3029"})
    game, state = table.game, table.state
    unit, there = game.unit_index("g-251-inf"), game.board.cell("N3030")
    state.works = [0, table.cells("N3030")]
    assert extra_price(game, state, unit, there, ORDINARY) == 0, "one under construction costs nothing"
    state.forts = [0, table.cells("N3030")]
    assert extra_price(game, state, unit, there, ORDINARY) == POINT
    state.forts = [table.cells("N3030"), 0]
    assert extra_price(game, state, unit, there, ORDINARY) == 0, "one's own"


# 13.1 Headquarters


@rule("typhoon", "13.1.1", "13.1", "11.4.3")
def test_a_headquarters_commands_four_hexes_whatever_lies_between_less_under_interdiction() -> None:
    table = AirTable("", units={"s-22a": "N3029", "g-251-inf": "N3030"})
    game, state = table.game, table.state
    hq = game.unit_index("s-22a")
    assert area(game, state, hq) == game.board.within((state.where[hq],), 4)
    cell = game.board.cell("N3029")
    state.interdicted = (cell,)
    assert radius(game, state, hq) == 3
    state.interdicted = (cell, game.board.cell("N3030"), game.board.cell("N3028"))
    assert radius(game, state, hq) == 2, "two at most"


@rule("typhoon", "14.1.9")
def test_a_headquarters_off_the_map_commands_nothing() -> None:
    table = AirTable()
    table.state.place(table.game.unit_index("s-22a"), TO_COME)
    assert commanded(table.game, table.state) == 0


# 13.3 Armoured trains


TRAIN = next(u.id for u in AirTable().game.units if u.kind == "armoured_train")


def station(table: AirTable, nth: int = 40) -> int:
    """A railway hex far in the Soviet rear."""
    game = table.game
    return [c for c in game.board.cells if game.on_rail >> c & 1 and game.board.number(c)[0] == "M"][nth]


@rule("typhoon", "13.3.1", "13.3")
def test_an_armoured_train_goes_48_hexes_on_rails_and_into_a_zone_no_farther() -> None:
    table = AirTable("", active=SOVIET)
    game, state = table.game, table.state
    train = game.unit_index(TRAIN)
    start = station(table)
    state.place(train, start)
    state.axis_rail, state.heads = 0, ()
    free = rail_hexes(game, state, train)
    assert free and not free & ~game.on_rail
    assert max(game.board.distance(start, c) for c in each(free)) <= 48
    tracks = railways.lines(game.board)
    first, second = next(
        (a, b) for a in tracks[start] for b in tracks[a] if game.board.distance(start, b) == 2
    )
    enemy = game.unit_index("g-251-inf")
    state.place(enemy, second)
    state.set_steps(enemy, 4)
    reached, shut = rail_hexes(game, state, train), zone(game, state, AXIS)
    assert shut >> first & 1 and reached >> first & 1 and not reached >> second & 1
    for cell in each(reached):
        before = [c for c in tracks[cell] if (reached | 1 << start) >> c & 1]
        assert any(c == start or not shut >> c & 1 for c in before), "through a zone"
    state.place(enemy, GONE)
    state.interdicted = (start,)
    assert rail_hexes(game, state, train).bit_count() < free.bit_count(), "11.4.3a"


@rule("typhoon", "13.3.2")
def test_an_armoured_train_attacks_along_its_rails_and_is_no_armour() -> None:
    table = AirTable("", active=SOVIET)
    game = table.game
    train = game.unit_index(TRAIN)
    assert not game.armour >> train & 1 and game.units[train].steps == 1
    cell = station(table)
    table.state.place(train, cell)
    for there in game.board.adjacent[cell]:
        assert can_reach(game, table.state, train, there) is game.board.side_has(cell, there, "rail")


@rule("typhoon", "13.4.3", "13.4")
def test_siege_guns_pay_a_point_on_any_road() -> None:
    table = AirTable()
    game, state = table.game, table.state
    gun = next(n for n, u in enumerate(game.units) if u.special == "siege")
    division = game.unit_index("g-3-pz-pzr-6")
    a, b = next(side for side, found in game.board.sides.items() if "motorway" in found)
    assert base_price(game, state, division, a, b) < POINT == base_price(game, state, gun, a, b)


# 13.5 NKVD


@rule("typhoon", "13.5.2", "13.5")
def test_the_nkvd_does_not_retreat_from_a_place() -> None:
    table = AirTable("", active=AXIS)
    game, state = table.game, table.state
    police = next(n for n, u in enumerate(game.units) if u.nkvd and u.steps)
    town = next(c for c in game.board.cells if game.villages >> c & 1)
    state.place(police, town)
    assert must_stand(game, state, Declared((town,), ()))
    field = next(c for c in game.board.adjacent[town] if not (game.villages | game.cities) >> c & 1)
    state.place(police, field)
    assert not must_stand(game, state, Declared((field,), ()))


# 14.1 Reinforcements


def coming(unit: str, turn: int, due: int) -> AirTable:
    table = AirTable("", turn=turn)
    n = table.game.unit_index(unit)
    table.state.active = table.state.side(n)
    table.state.place(n, TO_COME)
    table.state.due[n] = due
    return table


@rule("typhoon", "14.0", "14.1", "14.1.1", "14.4.3")
def test_a_reinforcement_comes_on_its_turn_or_later_without_any_result() -> None:
    game = AirTable().game
    unit, due = next(
        (u, d)
        for u, d in game.outlines["campaign"].due.items()
        if d.code == "w" and not d.group and d.cell < 0
    )
    id_ = game.units[unit].id
    early = coming(id_, due.turn - 1, due.turn)
    cell = next(c for c in each(entry_hexes(early.game, early.state, unit)))
    reason = why_not_enter(early.game, early.state, unit, cell)
    assert reason is not None and (reason.code, reason.case) == ("not-due", "14.1.1")
    for turn in (due.turn, due.turn + 5):
        later = coming(id_, turn, due.turn)
        cells = each(entry_hexes(later.game, later.state, unit))
        assert any(why_not_enter(later.game, later.state, unit, c) is None for c in cells)


@rule("typhoon", "14.1.2", "14.1.3", "14.1.4")
@pytest.mark.parametrize(
    ("side", "code", "inside", "outside"),
    [
        (AXIS, "w", "N1010", "N1110"),
        (AXIS, "s", "P2333", "P2433"),
        (SOVIET, "e", "M4810", "M4710"),
        (SOVIET, "s", "P5034", "P4034"),
        (SOVIET, "M", "M2928", "M1115"),
        (SOVIET, "MG", "M3028", "M2528"),
    ],
)
def test_the_codes_of_arrival(side: int, code: str, inside: str, outside: str) -> None:
    table = AirTable()
    table.state.soviet_hexes = table.game.board.everywhere if side == SOVIET else 0
    found = hexes_of_code(table.game, table.state, side, code)
    assert found & table.cells(inside) and not found & table.cells(outside)


@rule("typhoon", "14.1.3", "14.1.4")
def test_a_hex_on_the_sheet_means_that_hex_or_one_adjacent() -> None:
    table = AirTable()
    cell = table.game.board.cell("P4220")
    found = hexes_of_code(table.game, table.state, AXIS, "w", cell)
    assert found == 1 << cell | table.game.contacts[cell]


@rule("typhoon", "14.1.4")
def test_moscow_receives_what_is_marked_m_only_while_it_is_soviet() -> None:
    table = AirTable()
    table.state.soviet_hexes = table.game.moscow & ~table.cells("M2928")
    found = hexes_of_code(table.game, table.state, SOVIET, "M")
    assert found == table.state.soviet_hexes


RING = ("g-251-inf", "g-102-inf", "g-256-inf", "g-6-inf", "g-26-inf", "g-110-inf")


@rule("typhoon", "14.1.4", "15.2.2")
@pytest.mark.parametrize("closed", [True, False])
def test_an_encircled_city_feeds_who_is_in_it_and_receives_nobody(closed: bool) -> None:
    board = Table("axis-movement", {}).game.board
    city = board.cell("1510")
    corners = [board.number(city + 3 * step) for step in board.steps]
    ring = dict(zip(RING, corners, strict=True))
    if not closed:
        ring.popitem()
    field = {
        "hexes": {"1510": "major_city"},
        "sides": {"1510/1511": "rail", "1511/1512": "rail"},
        "sources": (["1001"], ["1510", board.number(city + 5 * board.steps[-1])]),
        "soviet_hexes": ["1510"],
    }
    rifle, other, third = "s-126-rd", "s-133-rd", "s-174-rd"
    coming = Table("soviet-movement", ring, due={rifle: (5, "c", "1510")}, **field)  # type: ignore[arg-type]
    assert (f"{rifle} 1510" in coming.offered("enter")) is not closed
    raising = Table("turn", ring | {other: "1510"}, cadre=[third], **field)  # type: ignore[arg-type]
    state = raising.state
    state.replacements, state.active, state.strongpoints = [0, 3], SOVIET, 0
    state.frames = []
    state.push("engineer-phase")
    advance(raising.game.procedures, raising.game, state)
    assert (f"raise {third} 1510" in raising.options) is not closed
    assert supplied_hexes(raising.game, state, SOVIET) >> city & 1
