"""Distances, rings, corners: facts of any hexagonal grid."""

from __future__ import annotations

import math
from collections import deque

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grognard.hexes import DIRECTIONS, Axial, distance, neighbour, ring, vertices
from grognard.hexes.geometry import FLAT_NAMES, POINTY_NAMES, centre, opposite

hexes = st.builds(Axial, st.integers(-40, 40), st.integers(-40, 40))


@given(hexes)
def test_the_six_neighbours_are_different_and_one_hex_away(here: Axial) -> None:
    around = {neighbour(here, d) for d in range(6)}
    assert len(around) == 6
    assert here not in around
    assert all(distance(here, there) == 1 for there in around)


@given(hexes, st.integers(0, 5))
def test_the_opposite_direction_leads_back(here: Axial, direction: int) -> None:
    assert neighbour(neighbour(here, direction), opposite(direction)) == here


def test_distance_is_the_length_of_the_shortest_walk() -> None:
    start = Axial(0, 0)
    steps = {start: 0}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        if steps[here] == 6:
            continue
        for direction in range(6):
            there = neighbour(here, direction)
            if there not in steps:
                steps[there] = steps[here] + 1
                queue.append(there)
    assert all(distance(start, there) == walked for there, walked in steps.items())
    for radius in range(7):
        assert sorted(ring(start, radius)) == sorted(h for h, walked in steps.items() if walked == radius)


@given(hexes, hexes, hexes)
def test_distance_is_a_metric(a: Axial, b: Axial, c: Axial) -> None:
    assert distance(a, b) == distance(b, a)
    assert (distance(a, b) == 0) == (a == b)
    assert distance(a, c) <= distance(a, b) + distance(b, c)


@given(hexes, st.integers(1, 8))
def test_a_ring_is_walked_from_neighbour_to_neighbour(here: Axial, radius: int) -> None:
    found = list(ring(here, radius))
    assert len(found) == len(set(found)) == 6 * radius
    assert all(distance(here, h) == radius for h in found)
    assert all(distance(a, b) == 1 for a, b in zip(found, [*found[1:], found[0]], strict=True))


@pytest.mark.parametrize("flat", [True, False])
@given(here=hexes)
def test_the_side_towards_a_neighbour_runs_between_the_corners_of_that_direction(
    flat: bool, here: Axial
) -> None:
    corners = vertices(here, flat)
    for direction in range(6):
        there = neighbour(here, direction)
        start, end = corners[direction], corners[(direction + 1) % 6]
        (ax, ay), (bx, by) = centre(here, flat), centre(there, flat)
        middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
        assert middle == pytest.approx(((ax + bx) / 2, (ay + by) / 2))
        assert math.dist((ax, ay), (bx, by)) == pytest.approx(1)
        assert math.dist(start, end) == pytest.approx(1 / math.sqrt(3))
        back = opposite(direction)
        theirs = vertices(there, flat)
        assert start == pytest.approx(theirs[(back + 1) % 6])
        assert end == pytest.approx(theirs[back])


@pytest.mark.parametrize("flat", [True, False])
def test_directions_lie_where_their_names_say(flat: bool) -> None:
    names = FLAT_NAMES if flat else POINTY_NAMES
    for name, step in zip(names, DIRECTIONS, strict=True):
        x, y = centre(step, flat)
        assert ("N" in name) == (y < -0.1)  # y grows downwards
        assert ("S" in name) == (y > 0.1)
        assert ("E" in name) == (x > 0.1)
        assert ("W" in name) == (x < -0.1)
