"""6 Movement: reach, the hex that is always possible, administrative movement; 13 overruns."""

from __future__ import annotations

from grognard.board import Board
from grognard.games.second_front.rules.ground import POINT
from grognard.games.second_front.rules.movement import (
    Terrain,
    administrative_ground,
    allowance,
    ground,
    may_exploit,
    overrun,
    overrun_cost,
    overrun_odds,
    reachable,
)
from grognard.games.second_front.rules.strength import Attacker, Target
from grognard.games.second_front.rules.zones import Zones, zones
from grognard.games.second_front.units import Piece
from grognard.mechanics.movement import reach
from tests.games.second_front.field import CLEAR_SKY, allied, cells, field, numbers, piece
from tests.rules import rule

TURN = "Jul II 43"
DIVISION = allied("8-3")


def terrain(board: Board, enemies: dict[str, list[Piece]] | None = None, owned: int | None = None) -> Terrain:
    stacks = {board.cell(number): stack for number, stack in (enemies or {}).items()}
    held = sum(1 << cell for cell in stacks)
    own = board.everywhere if owned is None else owned
    return Terrain(board, CLEAR_SKY, held, zones(board, stacks, CLEAR_SKY), own, board.everywhere)


@rule("second_front", "6")
def test_a_unit_goes_as_far_as_its_points_and_not_into_enemies() -> None:
    board = field()
    found = reachable(terrain(board), DIVISION, board.cell("0505"), allowance(DIVISION))
    assert found.cells == board.within([board.cell("0505")], 3)
    blocked = terrain(board, {"0506": [piece(size="X")]})
    assert not reachable(blocked, DIVISION, board.cell("0505"), 6).cells >> board.cell("0506") & 1


@rule("second_front", "6", "6A")
def test_leaving_an_enemy_zone_costs_more() -> None:
    board = field()
    near = ground(terrain(board, {"0507": [piece()]}), DIVISION)
    here, away = board.cell("0506"), board.cell("0505")
    assert near.price(here, away) == 3 * POINT, "one for the hex, two for the zone"
    assert near.price(away, here) == 1 * POINT, "nothing to enter it"


@rule("second_front", "4A4", "6")
def test_motors_alone_exploit() -> None:
    assert may_exploit(allied(type_="panzer_division")) and may_exploit(
        allied("1-10", "heavy_aa", "II", klass="c/m")
    )
    assert not may_exploit(allied()) and not may_exploit(allied("3-4-8", "artillery", "III"))
    assert not may_exploit(allied(type_="mixed")), "a mixed unit has no motors (14I)"


@rule("second_front", "6B")
def test_administrative_movement_keeps_away_from_enemies_and_their_ground() -> None:
    board = field()
    own = board.everywhere & ~cells(board, "0405")
    seen = terrain(board, {"0509": [piece(size="X")]}, own)
    found = reach(administrative_ground(seen, DIVISION), {board.cell("0505"): 0}, allowance(DIVISION)).cells
    assert "0507" in numbers(board, found) and not {"0508", "0405"} & numbers(board, found)
    far = reach(
        administrative_ground(terrain(board), DIVISION), {board.cell("0505"): 0}, allowance(DIVISION)
    ).cells
    assert far == board.within([board.cell("0505")], 6), "twice as far"


# 13


def odds(attackers: list[Piece], defenders: list[Piece], hex_: str = "clear") -> int | None:
    board = field({"0505": hex_})
    at = Target(board, board.cell("0505"), CLEAR_SKY)
    return overrun_odds(at, [Attacker(each, board.cell("0504")) for each in attackers], defenders)


@rule("second_front", "13")
def test_an_overrun_needs_ten_to_one() -> None:
    assert odds([allied("10-8")], [piece("0-1-2*", size="X")]) == 10
    assert odds([allied("9-8")], [piece("0-1-2*", size="X")]) is None
    assert odds([allied("5-8")], [piece("0-1-2", size="X")]) == 10, "support counts"
    tanks = allied("10-10", "panzer_division")
    assert odds([tanks], [piece("0-1-2*", size="X")], "swamp") is None, "and so does terrain"


@rule("second_front", "13")
def test_units_without_defence_are_overrun_at_twelve_to_one() -> None:
    headquarters = [piece("0-0-8", "hq_division", "HQ")]
    assert odds([allied("1-8", size="II")], headquarters) == 12
    assert odds([allied("0-1-8", size="X")], headquarters) is None


@rule("second_front", "13")
def test_what_an_overrun_costs() -> None:
    tanks, infantry = allied("10-10", "panzer_division"), allied("10-8")
    assert [overrun_cost(tanks, n) for n in (10, 11, 12, 30)] == [3 * POINT, 3 * POINT, 2 * POINT, 2 * POINT]
    assert [overrun_cost(infantry, n) for n in (10, 12)] == [4 * POINT, 3 * POINT]


@rule("second_front", "13", "8B")
def test_each_unit_pays_terrain_the_zones_of_others_and_the_overrun() -> None:
    board = field({"0505": "rough"})
    weak, strong = [piece("1-2", cadre="1-2")], {"0403": [piece()]}
    seen = terrain(board, {"0505": weak, **strong})
    at = Target(board, board.cell("0505"), CLEAR_SKY)
    others = terrain(board, strong).enemy_zones
    infantry = allied("10-8")
    found = overrun(seen, others, at, board.cell("0504"), [infantry], weak)
    assert found is not None and found.odds == 10
    assert found.costs == ((2 + 2 + 4) * POINT,), "rough, the zone of the other division, 10:1"
    calm = overrun(seen, Zones(), at, board.cell("0504"), [infantry], weak)
    assert calm is not None and calm.costs == ((2 + 4) * POINT,), "the overrun have no zone"
    four = [allied("10-8")] * 4
    assert overrun(seen, others, at, board.cell("0504"), four, weak) is None, "the limit of the hex holds"


@rule("second_front", "13", "7B")
def test_an_overrun_may_follow_a_road() -> None:
    board = field({"0505": "mountain"}, {"0504/0505": "road"})
    weak = [piece("1-2")]
    at = Target(board, board.cell("0505"), CLEAR_SKY)
    found = overrun(terrain(board, {"0505": weak}), Zones(), at, board.cell("0504"), [allied("10-8")], weak)
    assert found is not None and found.costs == ((1 + 4) * POINT,)
