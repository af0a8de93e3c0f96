"""Numbers of hexes: what the rulebooks say of them, and that every one leads to its hex and back."""

from __future__ import annotations

import math
import tomllib
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import grognard.games
from grognard.hexes import Axial, Numbering, UnknownHexError, distance, vertices
from tests.hexes.grids import COUNTS, GRIDS, numbering

GAMES = sorted(GRIDS)

# Hexes that a rulebook says, or shows in an example, to touch one another, one after the other.
PATHS = [
    ("leningrad", "2505 2604 2605 2505"),
    ("leningrad", "2705 2604 2605 2705"),
    ("leningrad", "0101 0102 0202 0102 0103"),
    ("a_victory_lost", "0202 0102 0103 0203 0303 0302 0201"),
    ("stalingrad_roads", "1410 1411 1412 1413 1414 1515 1614"),
    ("stalingrad_roads", "1413 1514 1614"),
    ("stalingrad_roads", "1628 1728"),
    ("stalingrad_roads", "1627 1628 1629 1630"),
    ("stalingrad_roads", "1628 1529"),
    ("stalingrad_roads", "1629 1530 1430"),
    ("stalingrad_roads", "1629 1730"),
    ("stalingrad_roads", "2111 2112 2212"),
    ("stalingrad_roads", "1927 1827 1727"),
    ("stalingrad_roads", "1333 1334 1434 1433 1333"),
    ("typhoon", "N1117 N1116 N1216"),
    ("typhoon", "N1117 N1217"),
    ("typhoon", "P2333 P2434"),
    ("typhoon", "P1002 P1001 N2552 N2453"),
    ("second_front", "17A:1521 17A:1520 17A:1519 17A:1619 17A:1618"),
    ("second_front", "17A:1520 17A:1619"),
    ("second_front", "26:2115 26:2214"),
    ("second_front", "17A:0522 17A:0421"),
    ("second_front", "26:2323 26:2422 26:2522"),
    ("second_front", "26:3823 26:3923"),
    ("second_front", "26:3807 26:3806 26:3805"),
    ("second_front", "16A:1033 17A:1002"),
    ("second_front", "16A:5110 26:0210"),
]

# Hexes that must not touch, for the example that names them to make sense.
APART = [
    ("leningrad", "2505", "2705", 2),
    ("typhoon", "N1117", "N1216", 2),
    ("typhoon", "N2453", "P1002", 2),
    ("stalingrad_roads", "1414", "1614", 2),
    ("stalingrad_roads", "1410", "1614", 5),
    ("stalingrad_roads", "1628", "1430", 3),
    ("second_front", "17A:1618", "17A:1520", 2),
]


@pytest.mark.parametrize(("game", "path"), PATHS)
def test_hexes_that_a_rulebook_calls_neighbours_are(game: str, path: str) -> None:
    hexes = [numbering(game).parse(number) for number in path.split()]
    assert [distance(a, b) for a, b in pairwise(hexes)] == [1] * (len(hexes) - 1)


@pytest.mark.parametrize(("game", "one", "other", "expected"), APART)
def test_hexes_that_an_example_keeps_apart_are(game: str, one: str, other: str, expected: int) -> None:
    grid = numbering(game)
    assert distance(grid.parse(one), grid.parse(other)) == expected


def _ends(grid: Numbering, pair: str) -> set[tuple[float, float]]:
    """Both ends of the side between two hexes."""
    a, b = (
        {(round(x, 6), round(y, 6)) for x, y in vertices(grid.parse(number), grid.flat)}
        for number in pair.split("/")
    )
    return a & b


def test_the_lower_loire_runs_along_hexsides_end_to_end() -> None:
    grid = numbering("second_front")
    course = ["17A:1520/17A:1519", "17A:1519/17A:1619", "17A:1618/17A:1619"]
    ends = [_ends(grid, side) for side in course]
    assert all(len(pair) == 2 for pair in ends)
    assert len(ends[0] & ends[1]) == 1
    assert len(ends[1] & ends[2]) == 1
    assert not ends[0] & ends[1] & ends[2]


@pytest.mark.parametrize(
    ("game", "one", "other"),
    [
        ("typhoon", "N2653", "P1001"),
        ("typhoon", "N4820", "M1020"),
        ("second_front", "16A:0533", "17A:0501"),
        ("second_front", "16A:5107", "26:0107"),
        ("second_front", "16A:5133", "27:0101"),
        ("second_front", "17A:5120", "27:0120"),
    ],
)
def test_a_hex_on_two_sheets_has_two_numbers_and_the_first_sheet_names_it(
    game: str, one: str, other: str
) -> None:
    grid = numbering(game)
    assert grid.parse(one) == grid.parse(other)
    assert grid.number(grid.parse(other)) == one


@pytest.mark.parametrize(
    ("game", "number"),
    [
        ("leningrad", "0100"),
        ("leningrad", "3001"),
        ("leningrad", "0114"),
        ("leningrad", "114"),
        ("leningrad", "00908"),
        ("leningrad", "0908 "),
        ("leningrad", "0908\n"),
        ("leningrad", ""),
        ("leningrad", "٠٩٠٨"),  # digits, but nobody printed them
        ("leningrad", "N0908"),
        ("stalingrad_roads", "2801"),
        ("stalingrad_roads", "0036"),
        ("stalingrad_roads", "1000"),
        ("typhoon", "1117"),
        ("typhoon", "N2553"),  # named by the rulebook, printed on neither sheet
        ("typhoon", "P1734"),
        ("typhoon", "P0901"),
        ("typhoon", "n1117"),
        ("typhoon", "Q1117"),
        ("second_front", "16A1234"),
        ("second_front", "16A:0034"),
        ("second_front", "28:3806"),  # a misprint of the rulebook
    ],
)
def test_a_number_that_is_not_on_the_map_is_refused(game: str, number: str) -> None:
    with pytest.raises(UnknownHexError) as caught:
        numbering(game).parse(number)
    assert caught.value.number == number


def test_a_hex_beyond_the_edge_has_no_number() -> None:
    grid = numbering("leningrad")
    beyond = Axial(30, 0)
    assert beyond not in grid
    with pytest.raises(UnknownHexError):
        grid.number(beyond)


def test_the_south_edge_of_typhoon_is_ragged() -> None:
    grid = numbering("typhoon")
    for number in ("P1733", "P2333", "P2434", "P4034", "P4434"):
        assert grid.number(grid.parse(number)) == number


@pytest.mark.parametrize("game", GAMES)
def test_every_hex_has_its_number_and_every_number_its_hex(game: str) -> None:
    grid = numbering(game)
    hexes = list(grid.hexes())
    assert len(hexes) == len(set(hexes)) == COUNTS[game]
    numbers = [grid.number(h) for h in hexes]
    assert len(set(numbers)) == len(numbers)
    assert [grid.parse(number) for number in numbers] == hexes
    assert all(h in grid for h in hexes)


@pytest.mark.parametrize("game", GAMES)
def test_neighbours_are_one_apart_in_the_georeferenced_plane(game: str) -> None:
    """The plane is computed from columns and rows by its published formula, not from our coordinates."""
    grid, settings = numbering(game), GRIDS[game]
    right = 1 if settings["columns_grow"] == "right" else -1
    up = 1 if settings["rows_grow"] == "up" else -1
    parity = settings["shifted_parity"]
    plane: dict[Axial, tuple[float, float]] = {}
    for sheet in grid.sheets:
        for c in sheet.columns:
            for r in sheet.rows:
                if not sheet.holds(c, r):
                    continue
                pair = f"{c:02d}{r:02d}" if grid.column_first else f"{r:02d}{c:02d}"
                number = (sheet.name + grid.separator if sheet.name else "") + pair
                column, row = c + sheet.column_offset, r + sheet.row_offset
                if grid.flat:
                    u = right * column * math.sqrt(3) / 2
                    v = up * (row + (0.5 if column % 2 == parity else 0))
                else:
                    u = right * (column + (0.5 if row % 2 == parity else 0))
                    v = up * row * math.sqrt(3) / 2
                hex_ = grid.parse(number)
                plane[hex_] = (u, v)
                assert grid.plane(hex_) == pytest.approx((u, v))
    for hex_, (u, v) in plane.items():
        for step in range(6):
            other = _step(hex_, step)
            if other in plane:
                assert math.dist((u, v), plane[other]) == pytest.approx(1)


def _step(hex_: Axial, step: int) -> Axial:
    q, r = ((0, -1), (-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1))[step]
    return Axial(hex_.q + q, hex_.r + r)


MAPS = sorted(Path(grognard.games.__file__).parent.glob("*/map/map.toml"))


@pytest.mark.parametrize("file", MAPS, ids=lambda file: str(file.parts[-3]))
def test_the_numbers_of_a_committed_map_are_those_of_its_rulebook(file: Path) -> None:
    grid = Numbering.from_mapping(tomllib.loads(file.read_text(encoding="utf-8"))["grid"])
    hexes = list(grid.hexes())
    assert [grid.parse(grid.number(h)) for h in hexes] == hexes
    # A Victory Lost prints no numbers: the size of its grid is ours to choose.
    if file.parts[-3] != "a_victory_lost":
        # A hex that the book lets players draw (Typhoon! 7.3.5) is a sheet of its own.
        printed = tuple(sheet for sheet in grid.sheets if len(sheet.columns) * len(sheet.rows) > 1)
        assert replace(grid, sheets=printed) == numbering(file.parts[-3])


@pytest.mark.parametrize(
    "change",
    [
        {"orientation": "round"},
        {"shifted_parity": 2},
        {"shifted_parity": True},
        {"columns_grow": "rigth"},
        {"rows_grow": "south"},
        {"order": "CRCR"},
        {"sheets": [{"columns": [1, 100], "rows": [1, 13]}]},
        {"sheets": [{"columns": [9, 1], "rows": [1, 13]}]},
        {"sheets": [{"columns": [1, 9], "rows": [1]}]},
        {"sheets": [{"columns": [1, 9], "rows": [1, 9], "row_offset": 0.5}]},
    ],
)
def test_a_grid_with_a_wrong_setting_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(change)) + "|sheet"):
        Numbering.from_mapping({**GRIDS["leningrad"], **change})


@pytest.mark.parametrize("key", ["orientation", "shifted_parity", "columns_grow", "order", "sheets"])
def test_a_grid_with_a_setting_missing_is_refused(key: str) -> None:
    with pytest.raises(KeyError, match=key):
        Numbering.from_mapping({k: v for k, v in GRIDS["leningrad"].items() if k != key})
