"""Typhoon!: how the sheets join, what the book says of hexes, banks of rivers, roads, sources and lines."""

from __future__ import annotations

import functools
import itertools
from collections import Counter

import pytest

from tests.atlas import walks

GAME = "typhoon"
NAMED = walks.rows(walks.GAMES / GAME / "map" / "named.csv")
TOWNS = ("village", "city", "major_city")
NETS = ("rail", "main_road", "motorway")
"""What makes a hex of the edge a source of supply (6.2)."""

board = functools.partial(walks.board_of, GAME)


def cell(number: str) -> int:
    return board().cell(number)


def features(number: str) -> frozenset[str]:
    return board().info[cell(number)].features


def place(here: int) -> tuple[int, int]:
    """Column and row on the common grid, which is that of sheet N."""
    number = board().number(here)
    column, row = {"N": (0, 0), "M": (38, 0), "P": (16, 52)}[number[0]]
    return int(number[1:3]) + column, int(number[3:]) + row


def on_net(here: int) -> bool:
    return any(walks.on_side(board(), here, other) & set(NETS) for other in board().adjacent[here])


# The sheets


def test_the_sheets_share_a_column_and_rows() -> None:
    """2.1, with N2553 that 7.3.5 lets the players draw."""
    assert len(board().cells) == 6057
    for one, other in (("N4820", "M1020"), ("N4801", "M1001"), ("N2653", "P1001"), ("M3053", "P5201")):
        assert cell(one) == cell(other)
    assert board().number(cell("M1020")) == "N4820"
    assert board().number(cell("P5201")) == "M3053"


def test_odd_columns_stand_lower_and_lack_their_last_row() -> None:
    for sheet, last in (("N", 53), ("M", 53), ("P", 34)):
        for column in (11, 17, 23):
            with pytest.raises(ValueError, match="no hex"):
                cell(f"{sheet}{column}{last}")
    assert cell("P2333") in board().adjacent[cell("P2434")]


def test_only_one_hex_joins_smolensk_to_roslavl_by_road_and_rail() -> None:
    """7.1.6, 7.3.5"""
    ends = {cell("N2552"), cell("N2453"), cell("P1001"), cell("P1002")}
    assert set(board().adjacent[cell("N2553")]) == ends
    for feature in ("main_road", "rail"):
        without = {side for side in walks.sides_of(board(), [feature]) if cell("N2553") in side}
        assert {n for side in without for n in side} == {cell("N2453"), cell("N2553"), cell("P1002")}


# The rulebook


BOOK = {
    "6.2.1": "P4434",
    "6.2.2": "N1016 P2333 P2434 P4034",
    "7.1.6": "N2453 P1002",
    "7.3.5": "N2453 N2553 P1002",
    "14.1.3b": "P1733 P2333",
    "14.1.4b": "P4434",
}
"""Every hex that the rulebook names with its sheet."""


@pytest.mark.parametrize("case", BOOK)
def test_something_is_known_and_checked_of_every_hex_of_the_book(case: str) -> None:
    known = {number for row in NAMED if row["case"] == case for number in row["hex"].split("/")}
    assert set(BOOK[case].split()) <= known


def test_the_example_of_overruns_holds_on_every_sheet() -> None:
    """7.8.2d: from 1117 one moves to 1116 to overrun 1216, or would move to 1217."""
    for sheet in "NMP":
        start, over, goal, near = (cell(f"{sheet}{n}") for n in ("1117", "1116", "1216", "1217"))
        assert {over, near} <= set(board().adjacent[start])
        assert goal in board().adjacent[over] and goal not in board().adjacent[start]


def test_sources_of_supply_are_the_edges_of_the_book() -> None:
    """6.2.1, 6.2.2; the west edge of N by ruling"""
    axis, soviet = set(), set()
    for here in board().cells:
        column, row = place(here)
        west = (column == 10 and row <= 53) or (column == 26 and row >= 53)
        south_end = row == (86 if column % 2 == 0 else 85)
        if west and on_net(here):
            axis.add(here)
        if on_net(here) and (column == 86 or (south_end and column >= place(cell("P4434"))[0])):
            soviet.add(here)
        if "major_city" in board().info[here].features:
            soviet.add(here)
    assert walks.with_feature(board(), "supply_axis") == axis | {cell("P2333"), cell("P2434")}
    assert walks.with_feature(board(), "supply_soviet") == soviet
    assert walks.with_feature(board(), "supply_axis_late") == {cell("N1016"), cell("P4034")}
    assert len(axis) >= 10 and len(soviet) >= 20


def test_moscow_has_five_hexes_and_other_major_cities_one() -> None:
    found = Counter(board().info[c].names["en"] for c in sorted(walks.with_feature(board(), "major_city")))
    assert found == {"Moscow": 5, "Tula": 1, "Kalinin": 1, "Smolensk": 1}


def test_a_hex_has_one_class_of_town_and_towns_have_no_woods() -> None:
    for info in board().info.values():
        assert len(info.features & set(TOWNS)) <= 1, info.number
        if info.features & {"city", "major_city"}:
            assert "woods" not in info.features and info.terrain == "clear", info.number
        if info.terrain in ("marsh", "pond", "lake"):
            assert "woods" not in info.features, info.number


def test_red_stars_stand_on_villages() -> None:
    """16.2.2: cities are victory places without one."""
    stars = walks.with_feature(board(), "strategic")
    assert len(stars) == 13
    assert all("village" in board().info[c].features for c in stars)


# Rivers


BANKS = {
    "Volga": (
        "Kalinin|Klin|Konakovo|Kalyazin|Taldom|Zubtsov|Sychevka",
        "Kimry|Torzhok|Likhoslavl|Bezhetsk|Kashin|Selizharovo|Mednoye",
    ),
    "Oka": (
        "Kaluga|Tarusa|Serpukhov|Kolomna|Belev|Kozelsk|Maloyaroslavets|Moscow",
        "Kashira|Tula|Mtsensk|Zaraysk|Likhvin|Venev|Plavsk",
    ),
    "Desna": ("Bryansk|Trubchevsk|Pochep|Novgorod-Seversky|Roslavl|Zhukovka", "Karachev|Navlya|Sevsk|Yampol"),
    "Western Dvina": ("Toropets|Staraya Toropa", "Bely|Nelidovo|Demidov|Smolensk"),
}
"""Towns on one bank and on the other of a river that parts the map."""


@pytest.mark.parametrize("river", BANKS)
def test_towns_stand_on_their_bank(river: str) -> None:
    one, other = BANKS[river]
    towns = walks.places(board()) | {"Moscow": cell("M2928")}
    barred = set(walks.sides_of(board(), walks.RIVERS, river))
    dry = walks.dry_steps(board())

    def steps(here: int) -> list[int]:
        return [there for there in dry(here) if (min(here, there), max(here, there)) not in barred]

    near = walks.distances([towns[one.split("|")[0]]], steps)
    far = walks.distances([towns[other.split("|")[0]]], steps)

    def nearer(name: str) -> bool:
        """A river that rises on the map can be walked round: the shorter way tells the bank."""
        return near.get(towns[name], 999) < far.get(towns[name], 999)

    assert {name for name in one.split("|") if not nearer(name)} == set()
    assert {name for name in other.split("|") if nearer(name)} == set()


def test_major_rivers_are_the_five_that_armies_needed_bridges_for() -> None:
    names = {found["major_river"].names["en"] for found in board().sides.values() if "major_river" in found}
    assert names == {"Volga", "Oka", "Dnieper", "Desna", "Western Dvina"}


def test_a_bridge_is_where_a_way_crosses_a_river_and_nowhere_else() -> None:
    """7.3.8, 7.3.9"""
    for side, found in board().sides.items():
        way = found.keys() & {"motorway", "main_road", "road", "rail"}
        wet = found.keys() & {"river", "major_river"}
        assert ("bridge" in found) == bool(way and wet), [board().number(c) for c in side]
    over = [s for s, found in board().sides.items() if {"bridge", "major_river"} <= found.keys()]
    assert len(over) < 0.25 * len(walks.sides_of(board(), ["major_river"]))


# Roads


def test_a_side_has_one_class_of_road() -> None:
    for found in board().sides.values():
        assert len(found.keys() & {"motorway", "main_road", "road"}) <= 1


def test_the_motorway_runs_from_the_west_edge_to_moscow_without_a_gap() -> None:
    steps = walks.way_steps(board(), ["motorway"])
    length = walks.distances([cell("M2828")], steps)
    west = [c for c in length if place(c)[0] == 10]
    assert len(west) == 1
    assert length[west[0]] <= 1.25 * board().distance(west[0], cell("M2828"))


def test_every_town_lies_on_a_road_or_a_railway() -> None:
    ways = {c for side in walks.sides_of(board(), ["motorway", "main_road", "road", "rail"]) for c in side}
    towns = {c for c, info in board().info.items() if info.features & set(TOWNS)}
    assert sorted(board().info[c].names["en"] for c in towns - ways) == []


def test_all_railways_and_all_main_roads_are_one_net_each() -> None:
    for kinds in (["rail"], ["main_road", "motorway"]):
        cells = {c for side in walks.sides_of(board(), kinds) for c in side}
        reached = walks.distances([min(cells)], walks.way_steps(board(), kinds))
        assert cells - reached.keys() == set(), [board().number(c) for c in cells - reached.keys()]


# Fortified lines


def test_fortified_sides_point_out_of_a_hex_of_their_line() -> None:
    """12.2.1: one of the two hexes holds the line; its sides look away from Moscow."""
    sides = walks.sides_of(board(), ["fortified"])
    holders = set()
    for a, b in sides:
        inside = [c for c in (a, b) if "fortified_line" in board().info[c].features]
        assert len(inside) == 1, (board().number(a), board().number(b))
        (outside,) = {a, b} - set(inside)
        assert place(outside)[0] <= place(inside[0])[0] + 1
        holders.add(inside[0])
    assert holders == walks.with_feature(board(), "fortified_line")


@pytest.mark.parametrize("line", ["Vyazma line", "Mozhaisk line", "Moscow defence zone"])
def test_a_fortified_line_has_no_gap(line: str) -> None:
    held = set(itertools.chain(*walks.sides_of(board(), ["fortified"], line)))
    held &= walks.with_feature(board(), "fortified_line")
    reached = walks.distances([min(held)], lambda c: [o for o in board().adjacent[c] if o in held])
    assert held == reached.keys()
    assert len(held) >= 20
