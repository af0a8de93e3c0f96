"""9C to 9F, 9J Results: losses, cadres, retreats."""

from __future__ import annotations

from fractions import Fraction

import pytest

from grognard.board import Board
from grognard.games.second_front.rules.losses import ATTACKER, DEFENDER, NOTHING, Ledger, Toll, printed, tolls
from grognard.games.second_front.rules.retreat import Grade, Surroundings, after, reduced, ways
from grognard.games.second_front.units import Piece
from tests.games.second_front.field import CLEAR_SKY, allied, cells, field, numbers, piece
from tests.rules import rule


@rule("second_front", "9C")
@pytest.mark.parametrize(
    ("result", "attacker", "defender"),
    [
        ("AE", Toll(Fraction(15), True, True), NOTHING),
        ("AH", Toll(Fraction(15, 2), False, True), NOTHING),
        ("AR", Toll(Fraction(0), False, True), NOTHING),
        ("AS", NOTHING, NOTHING),
        ("DR", NOTHING, Toll(Fraction(0), False, True)),
        ("DH", NOTHING, Toll(Fraction(3), False, True)),
        ("DE", NOTHING, Toll(Fraction(6), True, True)),
        ("HX", Toll(Fraction(3)), Toll(Fraction(6), True, True)),
        ("EX", Toll(Fraction(6)), Toll(Fraction(6), True, True)),
    ],
)
def test_what_each_result_takes(result: str, attacker: Toll, defender: Toll) -> None:
    """With the examples of the rule: 15 attack 6."""
    assert tolls(result, 15, 6) == (attacker, defender)


@rule("second_front", "9C")
def test_the_weaker_side_of_an_exchange_is_eliminated_the_defender_in_a_tie() -> None:
    assert tolls("EX", 5, 8) == (Toll(Fraction(5), True, True), Toll(Fraction(5)))
    assert tolls("HX", 5, 8)[1].loss == Fraction(5, 2)
    assert tolls("EX", 7, 7)[DEFENDER].everything and not tolls("EX", 7, 7)[ATTACKER].everything


@rule("second_front", "9D")
def test_losses_are_printed_strength() -> None:
    gun = piece("3-2-8", "rocket", "III", hungry=3)
    assert printed([gun], ATTACKER) == 3 and printed([gun], DEFENDER) == 2


@rule("second_front", "9E")
def test_a_division_becomes_a_cadre_and_counts_in_full() -> None:
    """The example: a division of 8 with a cadre of 3 is a loss of 8."""
    division = piece(cadre="3-6")
    ledger = Ledger(DEFENDER, Toll(Fraction(8)), (division,), (False,)).losing(0)
    assert ledger.settled and ledger.of(ledger.lost) == 8
    cadre = reduced(division)
    assert cadre is not None and cadre.face == (3, 3, 6) and cadre.re == 1
    assert reduced(cadre) is None and reduced(piece(size="X")) is None


@rule("second_front", "9C")
def test_the_owner_chooses_until_the_losses_are_met() -> None:
    units = (allied("9-8"), allied("3-8", size="X"), allied("0-1-6", "construction_engineer", "III"))
    ledger = Ledger(ATTACKER, Toll(Fraction(6)), units, (False,) * 3)
    assert ledger.choices == [0, 1], "a unit without attack strength is no loss"
    assert not ledger.losing(1).settled and ledger.losing(0).settled
    assert ledger.losing(1).losing(0).settled
    everything = Ledger(ATTACKER, Toll(Fraction(12), True), units, (False,) * 3)
    assert everything.choices == [0, 1, 2] and not everything.losing(0).losing(1).settled


@rule("second_front", "9J", "10H")
def test_those_whose_ability_was_used_bear_half_of_the_losses() -> None:
    """The example: of 8 points lost 4 are the armour's."""
    units = (allied("8-8"), allied("4-3-10", "tank", "X"), allied("4-3-10", "tank", "X"))
    ledger = Ledger(ATTACKER, Toll(Fraction(8)), units, (False, True, True))
    assert ledger.choices == [1, 2]
    assert ledger.losing(1).choices == [0, 2], "the other half is anybody's"
    small = Ledger(
        ATTACKER, Toll(Fraction(8)), (allied("8-8"), allied("1-3-10", "tank", "II")), (False, True)
    )
    assert small.choices == [1] and small.losing(1).choices == [0], "if possible"


# 9F1


def surroundings(
    board: Board, enemies: int = 0, zone: int = 0, stacks: dict[int, list[Piece]] | None = None
) -> Surroundings:
    held = stacks or {}
    friends = sum(1 << cell for cell in held)
    return Surroundings(board, CLEAR_SKY, enemies, zone, friends, lambda cell: held.get(cell, []))


def retreats(around: Surroundings, who: Piece, passed: int = 0) -> tuple[set[str], set[Grade]]:
    found = ways(around, who, around.board.cell("0505"), passed)
    return numbers(around.board, [way.cell for way in found]), {way.grade for way in found}


@rule("second_front", "9F", "9F1")
def test_a_retreat_shuns_enemies_then_crowds() -> None:
    board = field()
    everywhere = {board.number(cell) for cell in board.adjacent[board.cell("0505")]}
    assert retreats(surroundings(board), piece()) == (everywhere, {Grade.FREE})
    full = [piece(), piece(), piece()]
    west = board.cell("0506")
    others = everywhere - {"0506"}
    assert retreats(surroundings(board, stacks={west: full}), piece()) == (others, {Grade.FREE})
    zone = cells(board, *others)
    assert retreats(surroundings(board, zone=zone, stacks={west: full}), piece()) == ({"0506"}, {Grade.FULL})
    assert retreats(surroundings(board, cells(board, "0506"), zone), piece()) == (others, {Grade.ENEMY_ZONE})


@rule("second_front", "9F1")
def test_an_enemy_zone_costs_the_division_and_no_way_at_all_the_cadre_too() -> None:
    board = field()
    around = cells(board, *(board.number(cell) for cell in board.adjacent[board.cell("0505")]))
    division = piece(cadre="3-6")
    way = ways(surroundings(board, zone=around), division, board.cell("0505"))[0]
    left = after(division, way)
    assert left is not None and left.reduced
    assert after(left, way) is None and after(piece(size="X"), way) is None
    assert ways(surroundings(board, around), division, board.cell("0505")) == []
    island = field({}, {f"0505/{number}": "sea" for number in numbers(board, around)})
    assert ways(surroundings(island), division, island.cell("0505")) == []


@rule("second_front", "9F1")
def test_german_motors_ignore_zones_among_friends() -> None:
    board = field()
    around = cells(board, *(board.number(cell) for cell in board.adjacent[board.cell("0505")]))
    friends = {board.cell("0506"): [piece(size="X")]}
    seen = surroundings(board, zone=around, stacks=friends)
    assert retreats(seen, piece(type_="panzer_division")) == ({"0506"}, {Grade.FREE})
    for other in (piece(), piece(type_="panzer_division", nation="Italian"), allied(type_="panzer_division")):
        assert retreats(seen, other)[1] == {Grade.ENEMY_ZONE}


@rule("second_front", "9F1", "8B")
def test_a_crowded_retreat_goes_on_and_not_back() -> None:
    board = field()
    passed = cells(board, "0506")
    assert "0506" not in retreats(surroundings(board), piece(), passed)[0]


@rule("second_front", "14F", "14F2")
def test_a_unit_that_cannot_move_cannot_retreat() -> None:
    assert ways(surroundings(field()), piece("1-2-0", "coastal", "X"), field().cell("0505")) == []
