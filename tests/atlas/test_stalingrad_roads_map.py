"""Stalingrad Roads: every fact of the rulebook's geography, the rivers, and the ways that history used.

The facts stand in facts.csv beside the overlays, one a line; each kind of fact is one function below.
"""

from __future__ import annotations

import csv
import heapq
import itertools
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable
from functools import cache
from pathlib import Path

import pytest

from grognard.atlas import overlay
from grognard.board import Board, load_board
from grognard.files import Folder
from grognard.hexes import Axial, neighbour

OVERLAY = overlay.FOLDER / "stalingrad_roads"
MAP = Path(__file__).parents[2] / "src" / "grognard" / "games" / "stalingrad_roads" / "map"
WATER = {"sea", "lake"}
WAYS = ("road", "rail")
RIVERS = ("river", "major_river")
BUILT_UP = {"village", "city", "major_city"}
NORTH_OF_THE_DONETS = {"26": 10, "27": 10}
"""5.3.5 carries the line of the Donets on to the map's edge: these columns of rows 26 and 27 are not west."""

Corner = frozenset[Axial]
Check = Callable[[list[str], str], None]


def rows(name: str) -> list[dict[str, str]]:
    with (OVERLAY / name).open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


@cache
def board() -> Board:
    return load_board(Folder(MAP))


def cell(number: str) -> int:
    return board().cell(number)


def features(number: str) -> frozenset[str]:
    return board().info[cell(number)].features


def on_side(a: int, b: int) -> set[str]:
    return set(board().sides.get((min(a, b), max(a, b)), {}))


def river_name(a: int, b: int) -> str:
    found = board().sides.get((min(a, b), max(a, b)), {})
    return next((found[f].names.get("en", "") for f in RIVERS if f in found), "")


def is_land(here: int) -> bool:
    return board().info[here].terrain not in WATER


def reach(start: int, may_cross: Callable[[int, int], bool]) -> set[int]:
    seen, queue = {start}, deque([start])
    while queue:
        here = queue.popleft()
        for other in board().adjacent[here]:
            dry_side = is_land(other) and not on_side(here, other) & WATER
            if other not in seen and dry_side and may_cross(here, other):
                seen.add(other)
                queue.append(other)
    return seen


def walk(start: int, end: int, links: Collection[str]) -> int | None:
    """Steps from one hex to the other along sides that carry one of the features."""
    length, queue = {start: 0}, deque([start])
    while queue:
        here = queue.popleft()
        if here == end:
            return length[here]
        for other in board().adjacent[here]:
            if other not in length and on_side(here, other) & set(links):
                length[other] = length[here] + 1
                queue.append(other)
    return None


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


def named(hexes: list[str], fact: str) -> None:
    for number in hexes:
        assert board().info[cell(number)].names.get("en", "").startswith(fact), number


def has_feature(hexes: list[str], fact: str) -> None:
    for number in hexes:
        assert fact in features(number), number


def lacks_feature(hexes: list[str], fact: str) -> None:
    for number in hexes:
        assert fact not in features(number), number


def has_terrain(hexes: list[str], fact: str) -> None:
    for number in hexes:
        assert board().info[cell(number)].terrain == fact, number


def dry(hexes: list[str], fact: str) -> None:
    for number in hexes:
        assert is_land(cell(number)), number


def built_up(hexes: list[str], fact: str) -> None:
    for number in hexes:
        assert features(number) & BUILT_UP, number


def touching(hexes: list[str], fact: str) -> None:
    for a, b in itertools.pairwise(hexes):
        assert cell(b) in board().adjacent[cell(a)], f"{a} and {b}"


def apart(hexes: list[str], fact: str) -> None:
    assert cell(hexes[1]) not in board().adjacent[cell(hexes[0])]


def distant(hexes: list[str], fact: str) -> None:
    assert board().distance(cell(hexes[0]), cell(hexes[1])) == int(fact)


def closer(hexes: list[str], fact: str) -> None:
    new, old, goal = map(cell, hexes)
    assert board().distance(new, goal) < board().distance(old, goal)


def not_closer(hexes: list[str], fact: str) -> None:
    new, old, goal = map(cell, hexes)
    assert board().distance(new, goal) >= board().distance(old, goal)


def side(hexes: list[str], fact: str) -> None:
    feature, _, without = fact.partition(" without ")
    found = on_side(*map(cell, hexes))
    assert feature in found
    if without:
        assert without not in found and not found & {*WAYS, "ferry"}


def no_side_between(hexes: list[str], fact: str) -> None:
    for a, b in itertools.pairwise(hexes):
        assert fact not in on_side(cell(a), cell(b)), f"{a}/{b}"


def bridge_or_open(hexes: list[str], fact: str) -> None:
    found = on_side(*map(cell, hexes))
    assert fact not in found or "bridge" in found


def bridge(hexes: list[str], fact: str) -> None:
    found = on_side(*map(cell, hexes))
    assert {fact, "bridge"} <= found and found & set(WAYS)


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
    assert any(walk(start, end, {feature}) is not None for end in sources)


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
    assert any(here in corner for corner in river_ends(fact))


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
    assert river_sides(fact)


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
    "adjacent": touching,
    "at_least_major_cities": enough_major_cities,
    "banks": banks,
    "bridge": bridge,
    "bridge_or_open": bridge_or_open,
    "built_up": built_up,
    "city_named": city_named,
    "closer": closer,
    "command": command,
    "command_by_road": command_by_road,
    "distance": distant,
    "east_of_donets": east_of_donets,
    "feature": has_feature,
    "feature_on_side": on_some_side,
    "feature_somewhere": somewhere,
    "from_column": from_column,
    "land": dry,
    "march": march,
    "march_beyond": march_beyond,
    "name": named,
    "no_feature": lacks_feature,
    "not_adjacent": apart,
    "not_closer": not_closer,
    "offensive_site": offensive_site,
    "on_way": on_way,
    "open": no_side_between,
    "path": touching,
    "river": river_is_there,
    "river_begins": river_begins,
    "river_touches": river_touches,
    "row_is_edge": row_is_edge,
    "separated": separated,
    "side": side,
    "south_of": south_of,
    "strategic": strategic,
    "supplied_city": supplied_city,
    "terrain": has_terrain,
    "way": way,
    "west_edge": west_edge,
    "west_of_donets": west_of_donets,
    "within_1_of_stalingrad": near_stalingrad,
}


@pytest.mark.parametrize(
    "row", rows("facts.csv"), ids=lambda r: f"{r['case']}-{r['kind']}-{r['hexes']}-{r['fact']}"
)
def test_a_fact_of_the_rulebook_holds(row: dict[str, str]) -> None:
    KINDS[row["kind"]](row["hexes"].split(), row["fact"])


# Rivers


def river_sides(name: str) -> list[tuple[int, int]]:
    return [pair for pair in board().sides if river_name(*pair) == name]


def corners(a: int, b: int) -> tuple[Corner, Corner]:
    one, other = board().axial(a), board().axial(b)
    around = {neighbour(one, d) for d in range(6)} & {neighbour(other, d) for d in range(6)}
    first, second = sorted(around)
    return frozenset((one, other, first)), frozenset((one, other, second))


def meetings(sides: Iterable[tuple[int, int]]) -> dict[Corner, set[tuple[int, int]]]:
    found: dict[Corner, set[tuple[int, int]]] = defaultdict(set)
    for pair in sides:
        for corner in corners(*pair):
            found[corner].add(pair)
    return found


def river_ends(name: str) -> list[Corner]:
    return [corner for corner, pairs in meetings(river_sides(name)).items() if len(pairs) == 1]


MOUTHS = {
    "Don": "sea",
    "Volga": "edge",
    "Dnieper": "edge",
    "Donets": "Don",
    "Chir": "Don",
    "Oskol": "Donets",
    "Aidar": "Donets",
    "Derkul": "Donets",
    "Kalitva": "Donets",
    "Bystraya": "Donets",
    "Khoper": "Don",
    "Medveditsa": "Don",
    "Ilovlya": "Don",
    "Bityug": "Don",
    "Tikhaya Sosna": "Don",
    "Chornaya Kalitva": "Don",
    "Tolucheyevka": "Don",
    "Buzuluk": "Khoper",
    "Myshkova": "Don",
    "Aksai Yesaulovsky": "Don",
    "Aksai Kurmoyarsky": "Don",
    "Sal": "Don",
    "Manych": "Don",
    "Mius": "sea",
    "Kalmius": "sea",
    "Molochnaya": "sea",
    "Yeya": "sea",
    "Psel": "edge",
    "Vorskla": "edge",
    "Orel": "edge",
    "Samara": "Dnieper",
    "Volchya": "Samara",
}


@pytest.mark.parametrize("name", MOUTHS)
def test_a_river_is_one_chain_to_its_mouth(name: str) -> None:
    sides = river_sides(name)
    meeting = meetings(sides)
    assert max(len(pairs) for pairs in meeting.values()) == 2, "the river forks"
    ends = river_ends(name)
    assert len(ends) == 2, "the river is broken"
    seen, queue = {sides[0]}, deque([sides[0]])
    while queue:
        for corner in corners(*queue.popleft()):
            for other in meeting[corner] - seen:
                seen.add(other)
                queue.append(other)
    assert len(seen) == len(sides), "the river is in pieces"
    assert any(_is_mouth(corner, MOUTHS[name]) for corner in ends), f"no end at {MOUTHS[name]}"


def _is_mouth(corner: Corner, mouth: str) -> bool:
    on_map = [hex_ for hex_ in corner if hex_ in board().numbering]
    if mouth == "edge":
        return len(on_map) < 3
    cells = [cell(board().numbering.number(hex_)) for hex_ in on_map]
    if mouth == "sea":
        return any(board().info[c].terrain == "sea" for c in cells) or any(
            "sea" in on_side(a, b) for a in cells for b in cells if a != b
        )
    return corner in meetings(river_sides(mouth))


def test_every_river_is_in_the_list() -> None:
    assert {river_name(*pair) for pair in board().sides} - {""} == set(MOUTHS)


def test_major_rivers_are_the_four_of_the_rules() -> None:
    names = {
        found["major_river"].names.get("en") for found in board().sides.values() if "major_river" in found
    }
    assert names == {"Don", "Donets", "Dnieper", "Volga"}


# Ways


@pytest.mark.parametrize(
    "row", rows("connections.csv"), ids=lambda r: f"{r['feature']}-{r['from']}-{r['to']}"
)
def test_history_s_connections_can_be_walked(row: dict[str, str]) -> None:
    """From each place to the next along the way, with no detour of more than half as far again."""
    places = {info.names.get("en"): here for here, info in reversed(board().info.items())}
    links = {"rail"} if row["feature"] == "rail" else set(WAYS)
    stops = [row["from"], *filter(None, row["via"].split(";")), row["to"]]
    for start, end in itertools.pairwise(stops):
        length = walk(places[start], places[end], links)
        assert length is not None, f"{start} and {end} are not joined"
        assert length <= board().distance(places[start], places[end]) * 1.5 + 1, f"{start} to {end}"


def test_supply_sources_lie_on_a_way() -> None:
    for here, info in board().info.items():
        if any(feature.startswith("supply_") for feature in info.features):
            assert any(on_side(here, other) & set(WAYS) for other in board().adjacent[here]), info.number


def test_axis_rails_lead_to_a_supply_source() -> None:
    for city in ("2108", "0518", "1125", "1334", "0912"):
        supplied_city([city], "rail to supply_axis")


def test_ways_keep_to_the_land_and_bridge_what_they_cross() -> None:
    for (a, b), found in board().sides.items():
        if not found.keys().isdisjoint(WAYS):
            assert is_land(a) and is_land(b)
            assert found.keys().isdisjoint(WATER)
            assert ("bridge" in found) == (not found.keys().isdisjoint(RIVERS))


def test_no_way_ends_in_the_open() -> None:
    """A road or railway ends in a place, at the map's edge, or where it meets the other kind."""
    for here, info in board().info.items():
        ends = [other for other in board().adjacent[here] if on_side(here, other) & set(WAYS)]
        if len(ends) == 1:
            assert info.features & BUILT_UP or len(board().adjacent[here]) < 6, info.number


def test_places_stand_on_land_and_have_both_names() -> None:
    for here, info in board().info.items():
        if info.features & {*BUILT_UP, "airfield"}:
            assert is_land(here), info.number
            assert info.names.get("en") and info.names.get("fr"), info.number


def test_no_named_place_is_counted_twice() -> None:
    names = [info.names.get("en") for info in board().info.values() if info.names.get("en")]
    assert {name for name in names if names.count(name) > 1} == {"Stalingrad"}
