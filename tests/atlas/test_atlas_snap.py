"""Fitting rivers to sides and roads to hexes, on a small made-up grid of 10 km hexes."""

from __future__ import annotations

import itertools
import math

import pytest
from shapely.geometry import LineString

from grognard.atlas import AtlasError, snap
from grognard.atlas.frame import XY, Frame, Side, side_of
from grognard.hexes import distance

GRID = {
    "orientation": "flat",
    "shifted_parity": 0,
    "columns_grow": "right",
    "rows_grow": "down",
    "order": "CCRR",
    "sheets": [{"columns": [1, 10], "rows": [1, 8]}],
}
GROUND = {"projection": "+proj=lcc +lat_1=50 +lat_2=52 +lat_0=51 +lon_0=30 +units=km +ellps=WGS84"}
FRAME = Frame.from_mapping(GRID, {**GROUND, "a": 10, "b": 0, "c": 0, "d": 0, "e": 10, "f": 0})
ALL = frozenset(FRAME.sides)


def at(number: str) -> XY:
    return FRAME.centre(FRAME.parse(number))


def is_chain(sides: list[Side]) -> bool:
    """Each side shares a corner with the next, and none is used twice."""
    if len(set(sides)) != len(sides):
        return False
    corners = [set(FRAME.corners_of_side(side)) for side in sides]
    return all(one & other for one, other in itertools.pairwise(corners))


def test_a_river_becomes_one_chain_near_its_course() -> None:
    course = [at("0203"), at("0504"), at("0903")]
    chain = snap.river_chain(FRAME, course, ALL)
    assert is_chain(chain)
    assert len(chain) > 8
    line = LineString(course)
    assert all(FRAME.segment(side).distance(line) < FRAME.hex_km * 0.6 for side in chain)


def test_a_river_passes_through_forced_sides_in_order() -> None:
    forced = [FRAME.side("0304", "0305"), FRAME.side("0603", "0703")]
    chain = snap.river_chain(FRAME, [at("0203"), at("0903")], ALL, forced=forced)
    assert is_chain(chain)
    assert [side for side in chain if side in forced] == forced


def test_a_river_may_begin_with_a_forced_side() -> None:
    side = FRAME.side("0203", "0204")
    middle = FRAME.segment(side).interpolate(0.5, normalized=True)
    chain = snap.river_chain(FRAME, [(middle.x, middle.y), at("0803")], ALL, forced=[side])
    assert chain[0] == side


def rim_corners(side: Side) -> int:
    return sum(not FRAME.on_map.issuperset(corner) for corner in FRAME.corners_of_side(side))


@pytest.mark.parametrize("ending", [False, True])
@pytest.mark.parametrize("bearing", range(0, 360, 40))
def test_a_river_may_come_from_off_the_map_beside_a_forced_side(bearing: int, ending: bool) -> None:
    """Whatever side of the rim is forced and from wherever the course comes, the river begins at the rim and
    runs through that side without doubling back; and so with a river that leaves the map."""
    for side in (side for side in FRAME.sides if rim_corners(side) == 1):
        middle = FRAME.segment(side).interpolate(0.5, normalized=True)
        turn = math.radians(bearing)
        outside = (middle.x + 30 * math.cos(turn), middle.y + 30 * math.sin(turn))
        if FRAME.inside(outside):
            continue
        course = [outside, (middle.x, middle.y), at("0504")]
        chain = snap.river_chain(FRAME, course[::-1] if ending else course, ALL, forced=[side])
        assert is_chain(chain)
        assert side in chain
        assert rim_corners(chain[-1 if ending else 0]) > 0


def test_a_river_keeps_off_closed_sides() -> None:
    course = [at("0203"), at("0903")]
    usual = snap.river_chain(FRAME, course, ALL)
    closed = set(usual[3:6])
    other = snap.river_chain(FRAME, course, ALL - closed)
    assert is_chain(other)
    assert not closed & set(other)
    with pytest.raises(AtlasError, match="cannot run along"):
        snap.river_chain(FRAME, course, ALL - closed, forced=[usual[3]])


def test_a_tributary_ends_on_the_river_it_flows_into() -> None:
    main = snap.river_chain(FRAME, [at("0104"), at("1004")], ALL)
    corners = {corner for side in main for corner in FRAME.corners_of_side(side)}
    tributary = snap.river_chain(FRAME, [at("0501"), at("0503")], ALL - set(main), ends=corners)
    assert set(FRAME.corners_of_side(tributary[-1])) & corners
    assert not any(set(FRAME.corners_of_side(side)) <= corners for side in tributary)


def test_a_course_is_clipped_to_the_map() -> None:
    x, y = at("0204")
    inside = snap.clip(FRAME, [(x - 300, y), (x + 30, y)])
    assert FRAME.inside(inside[0])
    assert inside[-1] == (x + 30, y)
    with pytest.raises(AtlasError, match="off the map"):
        snap.clip(FRAME, [(x - 300, y), (x - 200, y)])


def test_a_road_is_one_chain_of_hexes_near_its_course() -> None:
    start, end = FRAME.parse("0202"), FRAME.parse("0906")
    chain = snap.hex_chain(FRAME, [at("0202"), at("0906")], start, end, lambda side: True)
    assert (chain[0], chain[-1]) == (start, end)
    assert all(distance(a, b) == 1 for a, b in itertools.pairwise(chain))
    assert len(chain) == distance(start, end) + 1


def test_a_road_goes_round_water() -> None:
    closed = {side_of(FRAME.parse("0503"), other) for other in FRAME.hexes} & ALL
    start, end = FRAME.parse("0203"), FRAME.parse("0803")
    way = [at("0203"), at("0803")]
    assert FRAME.parse("0503") in snap.hex_chain(FRAME, way, start, end, lambda side: True)
    chain = snap.hex_chain(FRAME, way, start, end, lambda side: side not in closed)
    assert FRAME.parse("0503") not in chain
    with pytest.raises(AtlasError, match="no way over land"):
        snap.hex_chain(FRAME, way, start, end, lambda side: False)


def test_roads_share_a_way_where_that_is_cheaper() -> None:
    start, end = FRAME.parse("0203"), FRAME.parse("0803")
    way = [at("0203"), at("0803")]
    used = {side_of(FRAME.parse(f"{c:02d}04"), FRAME.parse(f"{c + 1:02d}04")) for c in range(2, 8, 2)}
    used |= {side_of(FRAME.parse(f"{c:02d}04"), FRAME.parse(f"{c + 1:02d}05")) for c in range(2, 8, 2)} & ALL
    free = snap.hex_chain(FRAME, way, start, end, lambda side: True)
    shared = snap.hex_chain(FRAME, way, start, end, lambda side: True, used=used, reuse=0.05)
    pairs = {side_of(a, b) for a, b in itertools.pairwise(shared)}
    assert shared != free
    assert pairs & used


def test_pieces_of_a_line_are_joined_whatever_their_order() -> None:
    pieces = [LineString([(20, 0), (30, 0)]), LineString([(10, 0), (0, 0)]), LineString([(12, 0), (19, 0)])]
    coords = list(snap.join(pieces).coords)
    assert coords in (
        [(float(x), 0.0) for x in (0, 10, 12, 19, 20, 30)],
        [(float(x), 0.0) for x in (30, 20, 19, 12, 10, 0)],
    )


def test_a_line_is_cut_and_turned_between_its_neighbours() -> None:
    line = LineString([(0, 0), (10, 0), (20, 0)])
    assert snap.part_between(line, (15, 1), (5, 1)) == [(15.0, 0.0), (10.0, 0.0), (5.0, 0.0)]
    assert snap.part_between(line, None, (1, 0)) == [(20.0, 0.0), (10.0, 0.0), (1.0, 0.0)]
    assert snap.part_between(line, (19, 0), None) == [(19.0, 0.0), (10.0, 0.0), (0.0, 0.0)]
    assert snap.part_between(line, None, None) == [(0.0, 0.0), (10.0, 0.0), (20.0, 0.0)]


def test_a_line_with_one_neighbour_in_its_middle_is_refused() -> None:
    """Either half may be meant: a guess once turned the Don round."""
    line = LineString([(0, 0), (20, 0)])
    for before, after in (((12.0, 1.0), None), (None, (8.0, 1.0))):
        with pytest.raises(AtlasError, match="on one side only"):
            snap.part_between(line, before, after)


def test_the_water_that_a_river_ends_in_says_which_way_it_runs() -> None:
    line = LineString([(0, 0), (20, 0)])
    west, east = LineString([(-3, -9), (-3, 9)]), LineString([(23, -9), (23, 9)])
    assert snap.part_between(line, (12, 1), None, mouth=west) == [(12.0, 0.0), (0.0, 0.0)]
    assert snap.part_between(line, (12, 1), None, mouth=east) == [(12.0, 0.0), (20.0, 0.0)]
    assert snap.part_between(line, None, (12, 1), source=west) == [(0.0, 0.0), (12.0, 0.0)]
    assert snap.part_between(line, None, (12, 1), source=east) == [(20.0, 0.0), (12.0, 0.0)]
    assert snap.part_between(line, None, None, mouth=west) == [(20.0, 0.0), (0.0, 0.0)]
    assert snap.part_between(line, None, None, source=east) == [(20.0, 0.0), (0.0, 0.0)]
