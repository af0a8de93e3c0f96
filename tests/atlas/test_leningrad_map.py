"""Leningrad: the hexes of the rulebook, the rivers, and the ways that history used."""

from __future__ import annotations

import csv
import itertools
from collections import defaultdict, deque
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

from grognard.board import Board, load_board
from grognard.files import Folder
from grognard.hexes import Axial, neighbour

DATA = Path(__file__).parent / "data"
MAP = Path(__file__).parents[2] / "src" / "grognard" / "games" / "leningrad" / "map"
WATER = {"sea", "lake"}

Corner = frozenset[Axial]


def rows(name: str) -> list[dict[str, str]]:
    with (DATA / name).open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


@cache
def board() -> Board:
    return load_board(Folder(MAP))


def corners(a: int, b: int) -> tuple[Corner, Corner]:
    """The two ends of a side: each lies between its two hexes and one of the two next to both."""
    one, other = board().axial(a), board().axial(b)
    around = {neighbour(one, d) for d in range(6)} & {neighbour(other, d) for d in range(6)}
    first, second = sorted(around)
    return frozenset((one, other, first)), frozenset((one, other, second))


def sides_of(feature: str, name: str | None = None) -> list[tuple[int, int]]:
    return [
        side
        for side, found in board().sides.items()
        if feature in found and (name is None or found[feature].names.get("en") == name)
    ]


def reach(start: int, links: dict[int, set[int]]) -> set[int]:
    seen, queue = {start}, deque([start])
    while queue:
        for other in links[queue.popleft()] - seen:
            seen.add(other)
            queue.append(other)
    return seen


def graph(sides: Iterable[tuple[int, int]]) -> dict[int, set[int]]:
    links: dict[int, set[int]] = defaultdict(set)
    for a, b in sides:
        links[a].add(b)
        links[b].add(a)
    return links


def is_land(cell: int) -> bool:
    return board().info[cell].terrain not in WATER


@pytest.mark.parametrize("row", rows("leningrad_rulebook_hexes.csv"), ids=lambda row: row["hex"])
def test_the_rulebook_finds_its_hexes(row: dict[str, str]) -> None:
    info = board().info[board().cell(row["hex"])]
    assert info.terrain not in WATER
    assert set(filter(None, row["features"].split("|"))) <= info.features
    if row["name_en"]:
        assert info.names["en"] == row["name_en"]


@pytest.mark.parametrize(
    ("feature", "hexes"),
    [
        ("east_prussia", "0111 0112 0113"),
        ("supply_german", "0111 0112 0113"),
        ("supply_soviet", "0908 1601 2505 2604 2605 2705 2713 2906 2908"),
        ("victory", "2604 2705"),
        ("entry_german", "0111 0112 0113 2213"),
        ("entry_soviet", "1113 2301 2401 2501 2601 2701 2713 2801 2906 2908"),
    ],
)
def test_no_other_hex_has_the_rulebook_s_features(feature: str, hexes: str) -> None:
    found = {info.number for info in board().info.values() if feature in info.features}
    assert found == set(hexes.split())


def test_leningrad_is_four_hexes_that_touch() -> None:
    cells = {board().cell(number) for number in ("2505", "2604", "2605", "2705")}
    links = sum(len(cells & set(board().adjacent[cell])) for cell in cells) // 2
    assert links == 5


@pytest.mark.parametrize("row", rows("leningrad_rivers.csv"), ids=lambda row: row["name_en"])
def test_a_river_is_one_chain_to_its_mouth(row: dict[str, str]) -> None:
    sides = sides_of("river", row["name_en"])
    assert sides, "the river is not on the map"
    meeting: dict[Corner, set[tuple[int, int]]] = defaultdict(set)
    for side in sides:
        for corner in corners(*side):
            meeting[corner].add(side)
    assert max(len(found) for found in meeting.values()) == 2, "the river forks"
    ends = [corner for corner, found in meeting.items() if len(found) == 1]
    assert len(ends) == 2, "the river is broken"
    seen, queue = {sides[0]}, deque([sides[0]])
    while queue:
        for corner in corners(*queue.popleft()):
            for other in meeting[corner] - seen:
                seen.add(other)
                queue.append(other)
    assert len(seen) == len(sides), "the river is in pieces"
    assert any(_is_mouth(corner, row["mouth"]) for corner in ends), f"no end on {row['mouth']}"
    touched = {board().number(cell) for side in sides for cell in side}
    assert set(row["past"].split("|")) <= touched


def _is_mouth(corner: Corner, mouth: str) -> bool:
    on_map = [hex_ for hex_ in corner if hex_ in board().numbering]
    if mouth == "edge":
        return len(on_map) < 3
    cells = [board().cell(board().numbering.number(hex_)) for hex_ in on_map]
    if any(board().info[cell].terrain == mouth for cell in cells):
        return True
    return any(board().side_has(a, b, mouth) for a in cells for b in cells if a != b)


def test_every_river_is_in_the_list() -> None:
    names = {found["river"].names.get("en") for found in board().sides.values() if "river" in found}
    assert names == {row["name_en"] for row in rows("leningrad_rivers.csv")}


def test_peipus_and_velikaya_are_one_barrier() -> None:
    shore = {corner for side in sides_of("lake", "Lake Peipus") for corner in corners(*side)}
    river = {corner for side in sides_of("river", "Velikaya") for corner in corners(*side)}
    assert shore & river


@pytest.mark.parametrize("name", ["2604", "2705"])
def test_the_neva_guards_the_victory_hexes(name: str) -> None:
    river = set(sides_of("river", "Neva"))
    cell = board().cell(name)
    south = [board().cell(number) for number in ("2505", "2605")]
    for other in south:
        if other in board().adjacent[cell]:
            assert tuple(sorted((cell, other))) in river


@pytest.mark.parametrize(
    "row", rows("leningrad_connections.csv"), ids=lambda row: f"{row['kind']}-{row['places']}"
)
def test_history_s_connections_can_be_walked(row: dict[str, str]) -> None:
    """From each place to the next along the way, with no detour of more than half as far again."""
    links = graph(sides_of(row["kind"]))
    cells = {info.names.get("en"): cell for cell, info in reversed(board().info.items())}
    places = [
        board().cell("2605") if name == "Leningrad" else cells[name] for name in row["places"].split("|")
    ]
    for start, end in itertools.pairwise(places):
        length = {start: 0}
        queue = deque([start])
        while queue:
            here = queue.popleft()
            for other in links[here]:
                if other not in length:
                    length[other] = length[here] + 1
                    queue.append(other)
        assert end in length, f"{board().number(start)} and {board().number(end)} are not joined"
        assert length[end] <= board().distance(start, end) * 1.5 + 1


def test_supply_sources_and_entries_are_on_one_road_network() -> None:
    links = graph(sides_of("road"))
    network = reach(board().cell("0111"), links)
    for number in [
        "0112",
        "0113",
        "0908",
        "1601",
        "2505",
        "2604",
        "2605",
        "2705",
        "2713",
        "2906",
        "2908",
        "1113",
        "2213",
        "2501",
        "2601",
        "2301",
        "2401",
        "2801",
    ]:
        assert board().cell(number) in network, number


def test_roads_and_railways_keep_to_the_land() -> None:
    for feature in ("road", "rail"):
        for a, b in sides_of(feature):
            assert is_land(a) and is_land(b)
            assert not board().side_has(a, b, "sea") and not board().side_has(a, b, "lake")


def test_towns_stand_on_land() -> None:
    for cell, info in board().info.items():
        if info.features & {"town", "soviet_city", "village"}:
            assert is_land(cell), info.number
            assert info.names.get("en") and info.names.get("fr"), info.number


def test_the_mainland_is_one_and_only_the_islands_are_apart() -> None:
    links = graph(
        (a, b)
        for a in board().cells
        for b in board().adjacent[a]
        if is_land(a)
        and is_land(b)
        and not board().side_has(a, b, "sea")
        and not board().side_has(a, b, "lake")
    )
    mainland = reach(board().cell("2605"), links)
    apart = {board().number(cell) for cell in board().cells if is_land(cell) and cell not in mainland}
    assert apart == {"0802", "0902", "1001", "1002", "1101", "1102"}
