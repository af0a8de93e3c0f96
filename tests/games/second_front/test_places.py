"""Second Front: the boxes beside the map are places like the hexes, and joined as the rules have them."""

from __future__ import annotations

from collections import Counter

import pytest

from grognard.files.schema import Record
from grognard.games.second_front.books import STARTS, board, books, charts
from grognard.games.second_front.places import (
    EAST_EDGE,
    FORCES,
    begins,
    begins_at,
    hexes,
    links,
    places,
    voyage,
)
from grognard.mechanics.pieces import status
from tests.rules import rule


def counters() -> list[Record]:
    return [unit for name in FORCES for unit in books()[name].records]


def test_every_box_is_a_place_that_can_be_written_and_read() -> None:
    space = places()
    for box in charts()["boxes"].records:
        place = space.read(f"box:{box['id']}")
        assert space.exists(place) and status(place) == "in-box"
        assert space.write(place) == f"box:{box['id']}"
        for district in str(box["joins"] or "").split("|"):
            assert not district or hexes(district), box["id"]
    with pytest.raises(KeyError):
        space.read("box:atlantis")


@pytest.mark.parametrize("start", STARTS)
def test_every_counter_in_play_begins_in_one_place(start: str) -> None:
    found = Counter[str]()
    for unit in counters():
        place = begins(start, unit)
        if place is not None:
            assert places().exists(place)
            found[status(place)] += 1
    assert (
        found
        == {
            "Jul I 43": {"on-map": 490, "in-box": 806},
            "Apr I 44": {"on-map": 577, "in-box": 855},
        }[start]
    )


def test_where_some_begin() -> None:
    by_id = {unit["id"]: unit for unit in counters()}
    assert begins_at("Jul I 43", by_id["US-inf-XX-1"]) == "box:north_africa"
    assert begins_at("Apr I 44", by_id["US-inf-XX-1"]) == "box:england"
    assert begins_at("Jul I 43", by_id["SF-G-INF-044"]) == "16A:1226"
    assert begins_at("Jul I 43", by_id["US-inf-XX-2"]) is None
    assert begins_at("Jul I 43", by_id["AIR-RAE-Spit5-1"]) == "box:hangar_england"


def test_garrisons_are_kept_in_the_box_of_their_district() -> None:
    """37E."""
    for unit in books()["axis_land"].records:
        if unit["jul43_status"] == "garrison":
            box = begins_at("Jul I 43", unit)
            assert box is not None
            name = str(unit["garrison"]).split(" (")[0]
            assert charts()["boxes"].find(box.removeprefix("box:"))["name_en"] == f"Garrison: {name}"


def test_a_text_that_is_no_place_is_refused() -> None:
    unit = Record(
        row=books()["axis_air"].records[0].row,
        values={"id": "X", "jul43_area": "Atlantis"},
        provenance=books()["axis_air"].records[0].provenance,
    )
    with pytest.raises(KeyError, match="Atlantis"):
        begins("Jul I 43", unit)


# Links


def test_every_link_ends_at_a_box_a_port_or_hexes() -> None:
    ports = {str(port["place"]) for port in charts()["offmap_ports"].records}
    boxes = set(places().boxes)
    for link in links():
        assert link.start in ports | boxes, link
        assert link.end in ports | boxes or hexes(link.end), link
        assert (link.sea_hexes is not None) == (link.by == "sea"), link


@rule("second_front", "30A5")
def test_liverpool_is_26_hexes_of_sea_from_its_entry_hexes() -> None:
    assert voyage("Liverpool")["17A:0116-0122"] == 26
    entries = [board().number(cell) for cell in hexes("17A:0116-0122")]
    assert entries == [f"17A:01{column}" for column in range(16, 23)]


@rule("second_front", "30A5")
def test_entry_hexes_are_those_that_the_map_marks() -> None:
    marked = {
        cell
        for cell, info in board().info.items()
        if any(feature.startswith("entry_") for feature in info.features)
    }
    assert {cell for link in links() if link.by == "sea" for cell in hexes(link.end)} == marked


@rule("second_front", "34A1")
def test_only_gibraltar_joins_the_atlantic_to_the_mediterranean() -> None:
    way = voyage("Liverpool")
    assert way["Gibraltar"] == 18 + 30 + 50 and way["Oran"] == way["Gibraltar"] + 21
    assert "Tripoli" not in way and "Oslo" not in way  # those are reached over the map


@rule("second_front", "3E5")
def test_the_boxes_of_england_and_north_africa_join_their_land_on_the_map() -> None:
    joined = {(link.start, link.end) for link in links() if link.by == "initial phase"}
    assert joined == {
        ("england", "district_england"),
        ("north_africa", "district_algeria"),
        ("north_africa", "district_tunisia"),
    }


@rule("second_front", "40A2")
def test_who_comes_from_the_east_enters_by_the_edge_of_germany() -> None:
    edge = hexes(EAST_EDGE)
    assert edge and all(board().number(cell).endswith("01") for cell in edge)
    assert ("east", EAST_EDGE) in {(link.start, link.end) for link in links()}
