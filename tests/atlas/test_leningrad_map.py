"""Leningrad: the hexes of the rulebook, its barriers, and the roads that its supply runs on."""

from __future__ import annotations

import functools
import heapq
from pathlib import Path

import pytest

from tests.atlas import walks
from tests.rules import rule

GAME = "leningrad"
DATA = Path(__file__).parent / "data"
MAP = walks.GAMES / GAME / "map"
BOOK = walks.rows(DATA / "leningrad_rulebook_hexes.csv")

board = functools.partial(walks.board_of, GAME)


def cell(number: str) -> int:
    return board().cell(number)


@pytest.mark.parametrize("row", BOOK, ids=lambda row: row["hex"])
def test_the_rulebook_finds_its_hexes(row: dict[str, str]) -> None:
    info = board().info[cell(row["hex"])]
    assert info.terrain not in walks.WATER
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
    city = {cell(number) for number in ("2505", "2604", "2605", "2705")}
    links = sum(len(city & set(board().adjacent[here])) for here in city) // 2
    assert links == 5


def test_the_check_knows_every_hex_of_the_rulebook() -> None:
    """named.csv, which `grognard check` reads, says at least what the book's list here says."""
    known = {(row["hex"], row["kind"], row["value"]) for row in walks.rows(MAP / "named.csv")}
    numbers = {row["hex"] for row in walks.rows(MAP / "named.csv")}
    for row in BOOK:
        assert row["hex"] in numbers
        if row["name_en"]:
            assert (row["hex"], "name", row["name_en"]) in known
        for feature in filter(None, row["features"].split("|")):
            # Which cities are Soviet ones is our reading, not the book's word.
            if feature != "soviet_city":
                assert (row["hex"], "feature", feature) in known, (row["hex"], feature)


def test_no_line_claims_the_rulebook_for_what_the_book_does_not_say() -> None:
    """Provenance is per fact: the book's facts stand in named.csv; a line of hexes.csv whose terrain, town or
    other feature the book does not give is not the book's, though the book names the hex."""
    known = {(row["hex"], row["kind"], row["value"]) for row in walks.rows(MAP / "named.csv")}
    for row in walks.rows(MAP / "hexes.csv"):
        facts = {(row["hex"], "terrain", row["terrain"])}
        facts |= {(row["hex"], "feature", f) for f in filter(None, row["features"].split("|"))}
        if row["provenance"] == "rulebook":
            assert facts <= known, row["hex"]


@pytest.mark.parametrize(
    ("number", "provenance"),
    [
        ("2213", "reconstructed"),  # marsh by hand
        ("2713", "found"),  # hills from the elevation model
        *[(number, "reconstructed") for number in ("0111", "0205", "1113", "2204", "2906")],  # which town
        ("2501", "found"),  # Vyborg
        ("0908", "reconstructed"),  # that Riga is a Soviet city: ruling on 9.6
    ],
)
def test_terrain_and_towns_of_hexes_that_the_book_only_names_are_not_the_books(
    number: str, provenance: str
) -> None:
    assert board().info[cell(number)].provenance.kind.value == provenance


# Water


def test_peipus_and_velikaya_are_one_barrier() -> None:
    shore = walks.corners_of(board(), walks.sides_of(board(), ["lake"], "Lake Peipus"))
    river = walks.corners_of(board(), walks.sides_of(board(), ["river"], "Velikaya"))
    assert shore & river


@pytest.mark.parametrize("name", ["2604", "2705"])
def test_the_neva_guards_the_victory_hexes(name: str) -> None:
    river = set(walks.sides_of(board(), ["river"], "Neva"))
    here = cell(name)
    for other in map(cell, ("2505", "2605")):
        if other in board().adjacent[here]:
            assert tuple(sorted((here, other))) in river


def test_the_mainland_is_one_and_only_the_islands_are_apart() -> None:
    mainland = walks.distances([cell("2605")], walks.dry_steps(board()))
    apart = {
        board().number(here)
        for here in board().cells
        if walks.is_land(board(), here) and here not in mainland
    }
    assert apart == {"0802", "0902", "1001", "1002", "1101", "1102"}


# Supply runs on roads (11.0)


@rule(GAME, "11.0", "11.5")
@pytest.mark.parametrize("feature", ["supply_german", "supply_soviet", "entry_german", "entry_soviet"])
def test_supply_sources_and_entries_are_on_one_road_network(feature: str) -> None:
    network = walks.distances([cell("0111")], walks.way_steps(board(), ["road"]))
    off = {board().number(here) for here in walks.with_feature(board(), feature) if here not in network}
    assert off == ({"2701"} if feature == "entry_soviet" else set())


@rule(GAME, "11.0", "11.5")
@pytest.mark.parametrize("feature", ["supply_german", "supply_soviet"])
def test_each_source_alone_is_on_the_roads(feature: str) -> None:
    """Were all other sources lost, one would still carry supply over the whole network."""
    steps = walks.way_steps(board(), ["road"])
    everything = {here for side in walks.sides_of(board(), ["road"]) for here in side}
    for source in walks.with_feature(board(), feature):
        assert set(walks.distances([source], steps)) == everything, board().number(source)


COSTS = {"clear": 2, "marsh": 4, "hill": 4}
"""Half movement points to enter (4.9), as the mechanised go."""


def supplied() -> set[int]:
    """Hexes within five points of the road network, by the cheapest way, on a map without enemies."""
    roads = {here for side in walks.sides_of(board(), ["road"]) for here in side}
    best = dict.fromkeys(roads, 0)
    queue = [(0, here) for here in sorted(roads)]
    while queue:
        spent, here = heapq.heappop(queue)
        for other in walks.dry_steps(board())(here):
            # A line is traced from the unit to the road: each hex entered is paid for, the unit's own is not.
            price = (
                1
                if board().info[here].features & {"town", "soviet_city"}
                else COSTS[board().info[here].terrain]
            )
            price *= 2 if board().side_has(here, other, "river") else 1
            total = spent + price
            if total <= 10 and total < best.get(other, 11):
                best[other] = total
                heapq.heappush(queue, (total, other))
    return set(best)


@rule(GAME, "11.0")
def test_only_the_islands_are_out_of_supply_s_reach() -> None:
    here = supplied()
    out = {board().number(c) for c in board().cells if walks.is_land(board(), c) and c not in here}
    assert out == {"0802", "0902", "1001", "1002", "1101", "1102"}


@rule(GAME, "16.4")
def test_units_can_march_from_the_north_edge_to_leningrad() -> None:
    """The entries on the north edge are land, and open towards the city."""
    steps = walks.dry_steps(board())
    for number in ("2301", "2401", "2501", "2601", "2701", "2801"):
        assert walks.is_land(board(), cell(number)), number
        length = walks.distances([cell(number)], steps)
        assert cell("2604") in length, number
        assert length[cell("2604")] <= board().distance(cell(number), cell("2604")) + 2, number


@rule(GAME, "16.0")
def test_reinforcements_enter_from_the_edge() -> None:
    for feature in ("entry_german", "entry_soviet"):
        for here in walks.with_feature(board(), feature):
            assert walks.on_edge(board(), here), board().number(here)
