"""Stalingrad Roads: every fact of the rulebook's geography, the rivers, and the ways that history used.

What the book says of single hexes and sides stands in the map's named.csv, which `grognard check` reads. What
takes a computation stands in facts.csv beside the overlays, one a line; each kind is one function below.
"""

from __future__ import annotations

import functools
import heapq
import itertools
from collections.abc import Callable, Collection
from functools import cache

import pytest

from grognard.atlas import overlay
from tests.atlas import walks
from tests.atlas.walks import RIVERS, WATER, WAYS

GAME = "stalingrad_roads"
FACTS = walks.rows(overlay.FOLDER / GAME / "facts.csv")
NAMED = walks.rows(walks.GAMES / GAME / "map" / "named.csv")
BUILT_UP = {"village", "city", "major_city"}
NORTH_OF_THE_DONETS = {"26": 10, "27": 10}
"""5.3.5 carries the line of the Donets on to the map's edge: these columns of rows 26 and 27 are not west."""

Check = Callable[[list[str], str], None]

board = functools.partial(walks.board_of, GAME)


def cell(number: str) -> int:
    return board().cell(number)


def features(number: str) -> frozenset[str]:
    return board().info[cell(number)].features


def on_side(a: int, b: int) -> set[str]:
    return walks.on_side(board(), a, b)


def river_name(a: int, b: int) -> str:
    found = board().sides.get((min(a, b), max(a, b)), {})
    return next((found[f].names.get("en", "") for f in RIVERS if f in found), "")


def is_land(here: int) -> bool:
    return walks.is_land(board(), here)


def reach(start: int, may_cross: Callable[[int, int], bool]) -> set[int]:
    dry = walks.dry_steps(board())
    return set(walks.distances([start], lambda here: [o for o in dry(here) if may_cross(here, o)]))


def command_distance(
    start: int, end: int, blocked: Collection[int] = (), frozen: bool = False, by_road: bool = False
) -> float:
    """1.2: hexes from a headquarters to a unit, never over an open major river without a bridge."""
    best: dict[int, float] = {}
    queue: list[tuple[float, int]] = [(0.0, start)]
    while queue:
        spent, here = heapq.heappop(queue)
        if here in best:
            continue
        best[here] = spent
        if here == end:
            return spent
        for other in board().adjacent[here]:
            there = on_side(here, other)
            way = bool(there & set(WAYS))
            if other in blocked or not is_land(other) or (there & WATER):
                continue
            if "major_river" in there and not way and "ferry" not in there and not frozen:
                continue
            heapq.heappush(queue, (spent + (0.5 if by_road and way else 1.0), other))
    raise AssertionError("no way at all")


# One function for each kind of fact


def built_up(hexes: list[str], fact: str) -> None:
    for number in hexes:
        assert features(number) & BUILT_UP, number


def distant(hexes: list[str], fact: str) -> None:
    assert board().distance(cell(hexes[0]), cell(hexes[1])) == int(fact)


def closer(hexes: list[str], fact: str) -> None:
    new, old, goal = map(cell, hexes)
    assert board().distance(new, goal) < board().distance(old, goal)


def not_closer(hexes: list[str], fact: str) -> None:
    new, old, goal = map(cell, hexes)
    assert board().distance(new, goal) >= board().distance(old, goal)


def bridge_or_open(hexes: list[str], fact: str) -> None:
    found = on_side(*map(cell, hexes))
    assert fact not in found or "bridge" in found


def way(hexes: list[str], fact: str) -> None:
    assert on_side(*map(cell, hexes)) & set(fact.split("|"))


def on_way(hexes: list[str], fact: str) -> None:
    for number in hexes:
        here = cell(number)
        assert any(on_side(here, other) & set(fact.split("|")) for other in board().adjacent[here]), number


def march(hexes: list[str], fact: str) -> None:
    """7.1.9: half a point a hex along the road, whatever the ground, but a whole one in open marsh."""
    assert _march_cost(hexes) <= float(fact)


def march_beyond(hexes: list[str], fact: str) -> None:
    assert _march_cost(hexes[:-1]) <= float(fact) < _march_cost(hexes)


def _march_cost(hexes: list[str]) -> float:
    total = 0.0
    for a, b in itertools.pairwise(hexes):
        assert on_side(cell(a), cell(b)) & set(WAYS), f"no road from {a} to {b}"
        total += 1.0 if board().info[cell(b)].terrain == "marsh" else 0.5
    return total


def south_of(hexes: list[str], fact: str) -> None:
    assert cell(hexes[0]) in board().adjacent[cell(hexes[1])]
    assert int(hexes[0][:2]) == int(hexes[1][:2]) - 1


def separated(hexes: list[str], fact: str) -> None:
    start, end = map(cell, hexes)
    assert end not in reach(start, lambda a, b: river_name(a, b) != fact)


def command(hexes: list[str], fact: str) -> None:
    said = dict(part.strip().rsplit(" ", 1) for part in fact.split(";")[1:])
    blocked = {cell(number) for number in fact.split(";")[0].split()[1:]}
    start, end = map(cell, hexes)
    assert command_distance(start, end, blocked) == int(said["open water"])
    assert command_distance(start, end, blocked, frozen=True) == int(said["frozen"])


def command_by_road(hexes: list[str], fact: str) -> None:
    start, end = map(cell, hexes)
    blocked = {cell("1511"), cell("1613")}
    assert command_distance(start, end, blocked, by_road=True) <= int(fact.split()[-1])


def supplied_city(hexes: list[str], fact: str) -> None:
    feature, source = fact.split(" to ")
    start = cell(hexes[0])
    assert features(hexes[0]) & {"city", "major_city"}
    sources = [c for c, info in board().info.items() if source in info.features]
    assert walks.distances([start], walks.way_steps(board(), [feature])).keys() & set(sources)


def offensive_site(hexes: list[str], fact: str) -> None:
    """11.1.2: a junction in a city or village, or a way or ferry over a major river."""
    for number in hexes:
        here = cell(number)
        around = [on_side(here, other) for other in board().adjacent[here]]
        rails = sum("rail" in found for found in around)
        roads = sum("road" in found for found in around)
        junction = bool(features(number) & BUILT_UP) and (rails >= 3 or (rails >= 1 and roads >= 1))
        crossing = any("major_river" in found and found & {*WAYS, "ferry"} for found in around)
        assert junction or crossing, number


def near_stalingrad(hexes: list[str], fact: str) -> None:
    for number in hexes:
        assert min(board().distance(cell(number), cell(s)) for s in ("1334", "1434")) <= 1


def river_touches(hexes: list[str], fact: str) -> None:
    here = cell(hexes[0])
    assert any(river_name(here, other) == fact for other in board().adjacent[here])


def river_begins(hexes: list[str], fact: str) -> None:
    here = board().axial(cell(hexes[0]))
    assert any(here in corner for corner in walks.river_ends(board(), fact))


@cache
def west_of_the_donets() -> frozenset[int]:
    """5.3.5: this side of the Donets, of the Don below it, and of 2610 and 2710."""

    def may_cross(a: int, b: int) -> bool:
        number = board().number(b)
        barred = int(number[2:]) >= NORTH_OF_THE_DONETS.get(number[:2], 99)
        return not barred and river_name(a, b) not in ("Donets", "Don")

    return frozenset(reach(cell("1101"), may_cross))


def west_of_donets(hexes: list[str], fact: str) -> None:
    for number in hexes:
        assert cell(number) in west_of_the_donets(), number


def east_of_donets(hexes: list[str], fact: str) -> None:
    for number in hexes:
        assert cell(number) not in west_of_the_donets(), number


def strategic(hexes: list[str], fact: str) -> None:
    for number in hexes:
        assert features(number) & {"strategic", "city", "major_city"}, number


def from_column(hexes: list[str], fact: str) -> None:
    assert all(int(number[2:]) >= int(fact) for number in hexes)


def west_edge(hexes: list[str], fact: str) -> None:
    assert all(len(board().adjacent[cell(n)]) < 6 and n.endswith("01") for n in hexes)


def row_is_edge(hexes: list[str], fact: str) -> None:
    for here, info in board().info.items():
        if info.number.startswith(hexes[0]):
            assert len(board().adjacent[here]) < 6


def banks(hexes: list[str], fact: str) -> None:
    """Two areas never touch except across the river between them; the Chir's source leaves one gap."""
    one, other, river = fact.split()
    gaps = {
        (board().number(a), board().number(b))
        for a in board().cells
        for b in board().adjacent[a]
        if one in board().info[a].features and other in board().info[b].features and river_name(a, b) != river
    }
    assert all(int(a[:2]) >= 17 for a, _ in gaps), gaps
    assert not any({one, other} <= info.features for info in board().info.values())


def river_is_there(hexes: list[str], fact: str) -> None:
    assert walks.sides_of(board(), RIVERS, fact)


def somewhere(hexes: list[str], fact: str) -> None:
    assert any(fact in info.features for info in board().info.values())


def on_some_side(hexes: list[str], fact: str) -> None:
    assert any(fact in found for found in board().sides.values())


def city_named(hexes: list[str], fact: str) -> None:
    found = [info for info in board().info.values() if info.names.get("en") == fact]
    assert len(found) == 1 and "city" in found[0].features


def enough_major_cities(hexes: list[str], fact: str) -> None:
    found = [
        info.number
        for info in board().info.values()
        if "major_city" in info.features and int(info.number[2:]) <= 25
    ]
    assert len(found) >= int(fact.split()[0])


KINDS: dict[str, Check] = {
    "at_least_major_cities": enough_major_cities,
    "banks": banks,
    "bridge_or_open": bridge_or_open,
    "built_up": built_up,
    "city_named": city_named,
    "closer": closer,
    "command": command,
    "command_by_road": command_by_road,
    "distance": distant,
    "east_of_donets": east_of_donets,
    "feature_on_side": on_some_side,
    "feature_somewhere": somewhere,
    "from_column": from_column,
    "march": march,
    "march_beyond": march_beyond,
    "not_closer": not_closer,
    "offensive_site": offensive_site,
    "on_way": on_way,
    "river": river_is_there,
    "river_begins": river_begins,
    "river_touches": river_touches,
    "row_is_edge": row_is_edge,
    "separated": separated,
    "south_of": south_of,
    "strategic": strategic,
    "supplied_city": supplied_city,
    "way": way,
    "west_edge": west_edge,
    "west_of_donets": west_of_donets,
    "within_1_of_stalingrad": near_stalingrad,
}


@pytest.mark.parametrize("row", FACTS, ids=lambda r: f"{r['case']}-{r['kind']}-{r['hexes']}-{r['fact']}")
def test_a_fact_of_the_rulebook_holds(row: dict[str, str]) -> None:
    KINDS[row["kind"]](row["hexes"].split(), row["fact"])


BOOK = {
    "example 1": "1409 1410 1411 1412 1413 1414 1511 1514 1515 1613 1614",
    "1.8.1": "2109",
    "1.8.3": "1334 1434 1335 1435",
    "1.8.4": "0414 0834 0835",
    "example 2": "1701 1803 1901",
    "5.3.5": "2510 2610 2710",
    "example 3": "0518 2108 1333",
    "example 4": "1927 1827 1727",
    "examples 5 and 6": "1628 1333 1530 1728 1627 1629 1529 1324 1630 1730 1430",
    "example 7": "2111 2110 2213 2112 2212",
    "example 8": "1330",
    "10.3.5": "1333 1433",
    "example 10": "1232",
    "scenario II": "1335 1435 1334 1434 1333 1433 1129 1624 1125 1023 0729",
    "scenario III": "0022 1701 1901 2301 2601 0001 0201 0401 0501 0701 0801 0901 1101 1301 1401",
}
"""Every hex that the rulebook numbers."""
PLACES = {
    "Stalingrad": "1334 1434",
    "Rostov": "0518",
    "Kharkov": "2108",
    "Kalach": "1331",
    "Pitomnik": "1333",
    "Gumrak": "1433",
    "Nizhne-Chirskaya": "1129",
    "Bokovskaya": "1624",
    "Morozovsk": "1125",
    "Tatsinskaya": "1023",
    "Kotelnikovo": "0729",
}
"""Every hex that it names; of Kalach only that the examples march there over the Don."""


@pytest.mark.parametrize("case", BOOK)
def test_something_is_known_and_checked_of_every_hex_of_the_book(case: str) -> None:
    known = {number for row in NAMED for number in row["hex"].split("/")}
    known |= {number for row in FACTS for number in [*row["hexes"].split(), *row["fact"].split()]}
    assert set(BOOK[case].split()) <= known


@pytest.mark.parametrize("name", PLACES)
def test_a_place_of_the_book_stands_in_its_hexes_and_the_check_knows(name: str) -> None:
    found = {info.number for info in board().info.values() if info.names.get("en") == name}
    assert found == set(PLACES[name].split())
    assert found == {row["hex"] for row in NAMED if (row["kind"], row["value"]) == ("name", name)}


# Rivers


def test_major_rivers_are_the_four_of_the_rules() -> None:
    names = {
        found["major_river"].names.get("en") for found in board().sides.values() if "major_river" in found
    }
    assert names == {"Don", "Donets", "Dnieper", "Volga"}


# Ways


def test_supply_sources_lie_on_a_way() -> None:
    for here, info in board().info.items():
        if any(feature.startswith("supply_") for feature in info.features):
            assert any(on_side(here, other) & set(WAYS) for other in board().adjacent[here]), info.number


def test_axis_rails_lead_to_a_supply_source() -> None:
    for city in ("2108", "0518", "1125", "1334", "0912"):
        supplied_city([city], "rail to supply_axis")


def test_ways_bridge_what_they_cross() -> None:
    for found in board().sides.values():
        if not found.keys().isdisjoint(WAYS):
            assert ("bridge" in found) == (not found.keys().isdisjoint(RIVERS))


def test_no_way_ends_in_the_open() -> None:
    """A road or railway ends in a place, at the map's edge, or where it meets the other kind."""
    for here in walks.loose_ends(board(), WAYS):
        info = board().info[here]
        assert info.features & BUILT_UP or walks.on_edge(board(), here), info.number


def test_no_named_place_is_counted_twice() -> None:
    names = [info.names.get("en") for info in board().info.values() if info.names.get("en")]
    assert {name for name in names if names.count(name) > 1} == {"Stalingrad"}
