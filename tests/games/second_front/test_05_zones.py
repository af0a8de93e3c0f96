"""5 Zones of control and 6A what it takes to leave them."""

from __future__ import annotations

from grognard.games.second_front.rules.ground import POINT
from grognard.games.second_front.rules.zones import toll, tolls, zones
from tests.games.second_front.field import CLEAR_SKY, MUDDY, allied, around, cells, field, numbers, piece
from tests.rules import rule


@rule("second_front", "5")
def test_divisions_control_the_six_hexes_around_and_others_nothing() -> None:
    plain = field()
    here = plain.cell("0505")
    assert numbers(plain, zones(plain, {here: [piece()]}, CLEAR_SKY).full) == around(plain, "0505")
    small = [piece(size="X"), piece(cadre="3-6", reduced=True), piece("0-0-8", "hq_division", "HQ")]
    assert zones(plain, {here: small}, CLEAR_SKY).all == 0


@rule("second_front", "5")
def test_no_zone_goes_where_its_unit_may_not() -> None:
    board = field({"0504": "sea"}, {"0505/0506": "high_mountain", "0505/0405": "sea"})
    here = board.cell("0505")
    on_foot = numbers(board, zones(board, {here: [piece()]}, CLEAR_SKY).all)
    assert not on_foot & {"0504", "0506", "0405"} and len(on_foot) == 3
    climbing = numbers(board, zones(board, {here: [piece(type_="mountain")]}, CLEAR_SKY).all)
    assert climbing == on_foot | {"0506"}


@rule("second_front", "5", "12D")
def test_a_zone_is_reduced_from_the_second_turn_without_supply() -> None:
    plain = field()
    here = plain.cell("0505")
    assert zones(plain, {here: [piece(hungry=1)]}, CLEAR_SKY).reduced == 0
    weak = zones(plain, {here: [piece(hungry=2)]}, CLEAR_SKY)
    assert weak.full == 0 and numbers(plain, weak.reduced) == around(plain, "0505")
    both = zones(plain, {here: [piece(hungry=2), piece()]}, CLEAR_SKY)
    assert both.reduced == 0 and numbers(plain, both.full) == around(plain, "0505")


@rule("second_front", "5")
def test_a_zone_can_be_lost_for_a_time() -> None:
    plain = field()
    moving = piece(id_="moving")
    stacks = {plain.cell("0505"): [moving]}
    assert zones(plain, stacks, CLEAR_SKY, frozenset({"moving"})).all == 0
    assert zones(plain, stacks, CLEAR_SKY).all


@rule("second_front", "6A")
def test_leaving_a_zone_has_a_price_by_class_weather_and_kind_of_zone() -> None:
    infantry, tanks, guns = allied(), allied(type_="panzer_division"), allied("3-4-8", "artillery", "III")
    assert toll(infantry, False, "clear") == 2 * POINT and toll(tanks, False, "frost") == 3 * POINT
    assert toll(guns, False, "mud") == toll(tanks, False, "snow") == 4 * POINT
    assert toll(infantry, True, "clear") == 1 * POINT and toll(tanks, True, "winter") == 3 * POINT


@rule("second_front", "6A")
def test_the_price_is_paid_once_however_many_zones() -> None:
    plain = field()
    stacks = {plain.cell("0505"): [piece(), piece()], plain.cell("0507"): [piece(hungry=2)]}
    priced = {
        points: found for found, points in tolls(plain, allied(), zones(plain, stacks, CLEAR_SKY), CLEAR_SKY)
    }
    assert priced[2 * POINT] & cells(plain, "0506") and not priced[1 * POINT] & cells(plain, "0506")
    assert sorted(priced) == [1 * POINT, 2 * POINT]
    muddy = tolls(plain, allied(), zones(plain, stacks, CLEAR_SKY), MUDDY)
    assert sorted(points for _, points in muddy) == [2 * POINT, 3 * POINT]
