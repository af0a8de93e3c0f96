"""The grid laid over the ground."""

from __future__ import annotations

import math

import pytest
from shapely.geometry import Point

from grognard.atlas import AtlasError
from grognard.atlas.frame import Frame

LCC = "+proj=lcc +lat_1=56 +lat_2=60 +lat_0=58 +lon_0=26.5 +ellps=WGS84 +units=km"


def small_frame(orientation: str, parity: int, rows_grow: str = "down") -> Frame:
    grid = {
        "orientation": orientation,
        "shifted_parity": parity,
        "columns_grow": "right",
        "rows_grow": rows_grow,
        "order": "CCRR",
        "sheets": [{"columns": [1, 8], "rows": [1, 6]}],
    }
    # Turned by a right angle plus a bit, so that a mistake in one axis cannot hide behind the other.
    turn = math.radians(105)
    a, d = 10 * math.cos(turn), 10 * math.sin(turn)
    return Frame.from_mapping(grid, {"projection": LCC, "a": a, "b": -d, "c": 5, "d": d, "e": a, "f": -7})


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
@pytest.mark.parametrize("parity", [0, 1])
@pytest.mark.parametrize("rows_grow", ["down", "up"])
def test_a_hex_holds_its_own_ground(orientation: str, parity: int, rows_grow: str) -> None:
    frame = small_frame(orientation, parity, rows_grow)
    for hex_ in frame.hexes:
        assert frame.hex_at(frame.centre(hex_)) == hex_
        polygon = frame.polygon(hex_)
        assert polygon.contains(Point(frame.centre(hex_)))
        assert polygon.area == pytest.approx(100 * math.sqrt(3) / 2)


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_a_side_is_what_two_hexes_share(orientation: str) -> None:
    frame = small_frame(orientation, 0)
    for side in frame.sides:
        first, second = (frame.polygon(hex_) for hex_ in side)
        shared = frame.segment(side)
        assert shared.length == pytest.approx(10 / math.sqrt(3))
        assert first.distance(shared.interpolate(0.5, normalized=True)) < 1e-6
        assert second.distance(shared.interpolate(0.5, normalized=True)) < 1e-6


def test_each_corner_joins_at_most_three_sides() -> None:
    frame = small_frame("flat", 0)
    count: dict[object, int] = {}
    for side in frame.sides:
        for corner in frame.corners_of_side(side):
            count[corner] = count.get(corner, 0) + 1
    assert max(count.values()) == 3


def test_degrees_and_kilometres_agree() -> None:
    frame = small_frame("flat", 0)
    lon, lat = frame.degrees(frame.km(27.5, 58.5))
    assert lon == pytest.approx(27.5)
    assert lat == pytest.approx(58.5)


def test_mistakes_are_refused_by_name() -> None:
    frame = small_frame("flat", 0)
    with pytest.raises(AtlasError, match="9999"):
        frame.parse("9999")
    with pytest.raises(AtlasError, match="0101 and 0303 are not neighbours"):
        frame.side("0101", "0303")
