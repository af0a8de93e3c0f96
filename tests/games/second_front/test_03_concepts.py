"""3 Basic concepts: sizes, classes, fractions, who owns a hex."""

from __future__ import annotations

from fractions import Fraction

from grognard.games.second_front.books import board, books
from grognard.games.second_front.rules.theatres import theatre_of
from grognard.games.second_front.rules.zones import owned, owner_nation, zones
from grognard.games.second_front.units import (
    ALLIED,
    ARTILLERY,
    AXIS,
    CM,
    NEUTRAL,
    NON_MOTORISED,
    NONE,
    SIDES,
    Piece,
    units,
)
from tests.games.second_front.field import CLEAR_SKY, allied, field, numbers, piece, unit
from tests.rules import rule


@rule("second_front", "3A", "3A1")
def test_divisions_are_divisional_and_cadres_and_headquarters_are_not() -> None:
    assert piece().divisional
    assert not piece(cadre="3-6", reduced=True).divisional
    assert not piece("0-0-8", "hq_division", "HQ").divisional
    assert not any(piece(size=size).divisional for size in ("X", "III", "II"))


@rule("second_front", "3A2")
def test_three_classes() -> None:
    assert unit().klass == NON_MOTORISED and unit(type_="rocket").klass == ARTILLERY
    assert unit(type_="tank").klass == CM
    assert unit(type_="heavy_aa").klass == unit(type_="antitank").klass == NON_MOTORISED, "no artillery"
    motorised = unit("1-2-10", "antitank", "II", klass=CM)
    assert motorised.klass == CM and motorised.wheels
    assert units()["SF-G-AA-S1"].wheels and not units()["SF-G-FJ-HG"].wheels


@rule("second_front", "3A3")
def test_regimental_equivalents() -> None:
    sizes = {size: piece(size=size).re for size in ("XX", "X", "III", "II")}
    assert sizes == {"XX": 3, "X": 1, "III": 1, "II": Fraction(1, 2)}
    assert piece(cadre="3-6", reduced=True).re == 1
    assert piece("0-0-8", "hq_division", "HQ").re == 1
    points = units()["SF-I-PA-01"]
    assert points.type == "positional_aa" and points.re == Fraction(3, 2), (
        "half a RE for each of three points"
    )


@rule("second_front", "3A3")
def test_cavalry_and_motors_count_double_in_trains_and_ships() -> None:
    assert piece("2-10", "tank", "X").transport_re == 2, "the example of the rule"
    assert piece("2-8", "cavalry", "X").transport_re == 2
    assert piece(size="X").transport_re == 1 and piece("2-3-8", "artillery", "X").transport_re == 1
    assert piece("2-10", "tank", "X").re == 1, "for transport alone"


@rule("second_front", "3A4")
def test_heavy_equipment_comes_with_the_type_with_wheels_and_with_support() -> None:
    assert piece("2-10", "tank", "II").heavy and piece().heavy and piece("3-8*", size="X").heavy
    assert not piece("3-8", size="X").heavy
    assert piece("3-10", "combat_engineer", "II", klass=CM).heavy
    assert not piece("3-10", "combat_engineer", "II").heavy


@rule("second_front", "3B", "3B1", "3B2")
def test_every_nation_stands_on_its_side() -> None:
    """Italians are in both books: under arms with the Axis, and with the Allies after the surrender."""
    nations = [{u.nation for u in units().values() if u.side == side} for side in (AXIS, ALLIED)]
    assert nations[AXIS] == {"German", "Italian", "RSI", "Other Axis"}
    assert {"American", "British", "French", "Polish", "Brazilian", "Italian"} <= nations[ALLIED]
    assert nations[AXIS] & nations[ALLIED] == {"Italian"}
    for name, side in zip(SIDES, (AXIS, ALLIED), strict=True):
        rows = books()[f"{name.lower()}_land"].records
        assert len(rows) == sum(u.side == side for u in units().values())


@rule("second_front", "14D")
def test_headquarters_have_no_strength_are_neutral_and_support() -> None:
    for found in units().values():
        if found.headquarters:
            assert found.face[:2] == (0, 0) and found.re == 1, found.id
            assert found.ratings == (NEUTRAL, NEUTRAL, NEUTRAL)
            assert Piece(found).supports and Piece(found).heavy and not Piece(found).divisional


@rule("second_front", "14E", "14E2")
def test_wheels_make_a_unit_motorised_and_what_it_cannot_do_neutral() -> None:
    plain, wheeled = unit("1-10", "heavy_aa", "II"), unit("1-10", "heavy_aa", "II", klass=CM)
    assert plain.ratings[0] == NONE and wheeled.ratings[0] == NEUTRAL
    assert plain.ratings[2] == wheeled.ratings[2], "what it can do stays"


# 3D


def owners(
    before: tuple[int, int], axis: dict[int, list[Piece]], allies: dict[int, list[Piece]]
) -> tuple[set[str], set[str]]:
    plain = field()
    seen = tuple(zones(plain, stacks, CLEAR_SKY).all for stacks in (axis, allies))
    occupied = tuple(sum(1 << cell for cell in stacks) for stacks in (axis, allies))
    found = owned(before, (occupied[0], occupied[1]), (seen[0], seen[1]), plain.everywhere)
    return numbers(plain, found[0]), numbers(plain, found[1])


@rule("second_front", "3D")
def test_a_hex_belongs_to_the_last_who_stood_there_or_controlled_it_alone() -> None:
    plain = field()
    middle, far = plain.cell("0505"), plain.cell("0507")
    everything = plain.everywhere
    axis, allies = owners((everything, 0), {}, {middle: [allied()]})
    assert allies == {"0505", *(plain.number(c) for c in plain.adjacent[middle])}
    assert not axis & allies and len(axis) + len(allies) == 81
    # a brigade takes the hex where it stands and no other
    assert owners((everything, 0), {}, {middle: [allied(size="X")]})[1] == {"0505"}
    # a zone is contested where the enemy has one too: the owner before stays
    axis, allies = owners((everything, 0), {far: [piece()]}, {middle: [allied()]})
    shared = {plain.number(c) for c in set(plain.adjacent[middle]) & set(plain.adjacent[far])}
    assert shared and shared <= axis
    assert shared <= owners((0, everything), {far: [piece()]}, {middle: [allied()]})[1]
    # an occupied hex is nobody else's
    assert "0506" in owners((0, 0), {plain.cell("0506"): [piece(size="X")]}, {middle: [allied()]})[0]


@rule("second_front", "3D")
def test_axis_ground_in_italy_and_corsica_is_italian_until_the_surrender() -> None:
    ground = board()
    palermo, paris = ground.cell("26:3530"), ground.cell("17A:1604")
    corsica = next(c for c in ground.cells if "district_corsica" in ground.info[c].features)
    assert (
        owner_nation(ground, palermo, AXIS, False) == owner_nation(ground, corsica, AXIS, False) == "Italian"
    )
    assert owner_nation(ground, paris, AXIS, False) == "German"
    assert owner_nation(ground, palermo, AXIS, True) == owner_nation(ground, corsica, AXIS, True) == "German"
    assert owner_nation(ground, palermo, ALLIED, False) == "Allied"


@rule("second_front", "3E", "3E2", "3E3", "3E4")
def test_the_geography_of_the_book_is_that_of_the_map() -> None:
    ground = board()

    def at(number: str) -> frozenset[str]:
        return ground.info[ground.cell(number)].features

    assert "major_city_full" in at("17A:1604") and "major_city_full" in at("16A:1418")
    around_paris = ground.adjacent[ground.cell("17A:1604")]
    assert sum("major_city_partial" in ground.info[c].features for c in around_paris) == 3
    assert "district_wk_x" in at("16A:0414") and "district_toscana" in at("26:0829")
    for cell in ground.cells:
        if ground.info[cell].terrain not in ("sea", "lake"):
            districts = [f for f in ground.info[cell].features if f.startswith("district_")]
            assert len(districts) == 1, ground.number(cell)


@rule("second_front", "3E1", "3F")
def test_terms_and_theatres() -> None:
    ground = board()

    def theatre(number: str, side: int) -> str | None:
        return theatre_of(ground, ground.cell(number), side)

    palermo, paris, corsica = "26:3530", "17A:1604", _first("district_corsica")
    assert theatre(palermo, AXIS) == "South" and theatre(palermo, ALLIED) == "MTO"
    assert theatre(paris, AXIS) == "West" and theatre(paris, ALLIED) == "ETO"
    assert theatre(corsica, AXIS) == "South" and theatre(corsica, ALLIED) == "MTO", "not metropolitan France"
    assert theatre(_first("district_wk_x"), AXIS) == "Greater Germany"
    assert theatre(_first("district_wk_x"), ALLIED) == "ETO"
    assert (
        theatre(_first("country_hungary"), AXIS) == "South-East"
        and theatre(_first("country_hungary"), ALLIED) is None
    )
    assert (
        theatre(_first("country_tunisia"), ALLIED) == "MTO"
        and theatre(_first("district_denmark"), AXIS) == "Greater Germany"
    )


def _first(feature: str) -> str:
    ground = board()
    return next(ground.number(cell) for cell in ground.cells if feature in ground.info[cell].features)
