"""A Victory Lost: places, rivers and ways on their ground, and what the rulebook says of its map.

The rulebook names no hex, so what can be held against it is what it says of the map's parts (supply
sources, bridges, boxes, the pocket); the rest is held against the ground and against history.
"""

from __future__ import annotations

import functools
import math
from functools import cache

import pytest

from grognard.atlas import overlay
from grognard.atlas.frame import Frame
from tests.atlas import walks
from tests.rules import rule

GAME = "a_victory_lost"
OVERLAY = overlay.FOLDER / GAME
VICTORY_CITIES = {"Kharkov", "Rostov", "Stalino", "Dnepropetrovsk", "Zaporozhye"}

board = functools.partial(walks.board_of, GAME)


@cache
def frame() -> Frame:
    return Frame.from_mapping(board().settings["grid"], board().settings["georeference"])


@cache
def places() -> dict[str, int]:
    return walks.places(board())


def with_feature(feature: str) -> set[int]:
    return walks.with_feature(board(), feature)


def is_land(cell: int) -> bool:
    return walks.is_land(board(), cell)


def on_edge(cell: int) -> bool:
    return walks.on_edge(board(), cell)


def has(a: int, b: int, *features: str) -> bool:
    return not walks.on_side(board(), a, b).isdisjoint(features)


def steps_of_supply(cell: int) -> list[int]:
    """10.1.2 on an empty map: no water, no impassable side, no major river without a bridge."""
    return [
        other
        for other in walks.dry_steps(board())(cell)
        if not has(cell, other, "major_river") or has(cell, other, "bridge")
    ]


# The ground


@pytest.mark.parametrize(
    "place", [p for p in overlay.read(OVERLAY).places if p.kind], ids=lambda place: place.name_en
)
def test_a_town_stands_in_the_hex_of_its_coordinates(place: overlay.Place) -> None:
    cell = places()[place.name_en]
    assert place.lon is not None and place.lat is not None
    ground = frame().km(place.lon, place.lat)
    if place.hex:
        # A town at the very edge, given the nearest hex by hand.
        assert math.dist(ground, frame().centre(board().axial(cell))) < 0.75 * frame().hex_km
    else:
        assert frame().hex_at(ground) == board().axial(cell)
    assert place.kind in board().info[cell].features
    assert board().name(cell, "fr") == place.name_fr
    assert is_land(cell)


def test_all_land_hangs_together() -> None:
    reached = walks.distances([places()["Kharkov"]], walks.dry_steps(board()))
    assert {board().number(c) for c in board().cells if is_land(c) and c not in reached} == set()


@pytest.mark.parametrize("feature", ["road", "rail"])
def test_a_way_ends_in_a_town_or_at_the_edge(feature: str) -> None:
    for cell in walks.loose_ends(board(), [feature]):
        assert on_edge(cell) or board().info[cell].names, board().number(cell)


# The rivers


def test_the_great_rivers_are_major_and_the_donets_from_the_oskol_down() -> None:
    major = {
        found["major_river"].names.get("en") for found in board().sides.values() if "major_river" in found
    }
    assert major == {"Don", "Dnieper", "Volga", "Donets", "Manych"}
    for name in ("Don", "Dnieper", "Volga"):
        assert not walks.sides_of(board(), ["river"], name)
    upper, lower = (
        walks.corners_of(board(), walks.sides_of(board(), [feature], "Donets"))
        for feature in ("river", "major_river")
    )
    assert len(upper & lower) == 1
    for town, feature in (("Belgorod", "river"), ("Chuguyev", "river"), ("Kamensk", "major_river")):
        cell = places()[town]
        assert any(cell in side for side in walks.sides_of(board(), [feature], "Donets")), town


@pytest.mark.parametrize(
    ("river", "this_bank", "that_bank"),
    [
        (
            "Don",
            (
                "Korotoyak|Ostrogozhsk|Novaya Kalitva|Boguchar|Serafimovich|Kletskaya|Surovikino"
                "|Nizhne-Chirskaya|Tsimlyanskaya|Konstantinovskaya|Razdorskaya|Novocherkassk|Rostov"
            ),
            (
                "Voronezh|Svoboda (Liski)|Pavlovsk|Verkhny Mamon|Kazanskaya|Veshenskaya|Ilovlya|Kalach"
                "|Rychkovsky|Potemkinskaya|Semikarakorskaya|Bagayevskaya|Manychskaya|Bataysk|Azov"
            ),
        ),
        ("Dnieper", "Dnepropetrovsk|Dneprodzerzhinsk", "Novomoskovsk|Zaporozhye|Vasilyevka|Poltava"),
    ],
)
def test_towns_stand_on_their_own_bank(river: str, this_bank: str, that_bank: str) -> None:
    wet = set(walks.sides_of(board(), walks.RIVERS, river))

    def dry_shod(cell: int) -> list[int]:
        return [
            other
            for other in board().adjacent[cell]
            if is_land(other)
            and not has(cell, other, "sea")
            and (min(cell, other), max(cell, other)) not in wet
        ]

    one, other = (
        walks.distances([places()[towns.split("|")[0]]], dry_shod) for towns in (this_bank, that_bank)
    )
    assert not one.keys() & other.keys(), "the river does not part its banks"
    for town in this_bank.split("|"):
        assert places()[town] in one, town
    for town in that_bank.split("|"):
        assert places()[town] in other, town


def test_no_bridge_over_the_volga() -> None:
    assert not set(walks.sides_of(board(), walks.RIVERS, "Volga")) & set(walks.sides_of(board(), ["bridge"]))


# What the rulebook says of its map


@rule(GAME, "14.0.1")
def test_five_victory_cities() -> None:
    assert {board().name(cell, "en") for cell in with_feature("victory_city")} == VICTORY_CITIES


@rule(GAME, "9.3.3")
def test_a_victory_city_in_rough_ground() -> None:
    assert any(board().info[cell].terrain == "rough" for cell in with_feature("victory_city"))


@rule(GAME, "6.0.1", "8.1.5")
def test_there_is_water_and_there_are_impassable_sides() -> None:
    assert any(not is_land(cell) for cell in board().cells)
    assert walks.sides_of(board(), ["sea"]) and walks.sides_of(board(), ["lake"])


@rule(GAME, "2.1.3")
def test_a_bridge_is_a_river_side_with_a_road_or_railway() -> None:
    crossed = set(walks.sides_of(board(), walks.RIVERS)) & set(walks.sides_of(board(), ["road", "rail"]))
    assert set(walks.sides_of(board(), ["bridge"])) == crossed


@rule(GAME, "2.1.2")
@pytest.mark.parametrize("feature", ["supply_axis", "supply_soviet"])
def test_supply_sources_lie_on_the_edge_of_the_map_on_a_way(feature: str) -> None:
    sources = with_feature(feature)
    ways = {cell for side in walks.sides_of(board(), ["rail", "road"]) for cell in side}
    assert len(sources) >= 4
    for cell in sources:
        assert on_edge(cell) and is_land(cell) and cell in ways, board().number(cell)
    assert not with_feature("supply_axis") & with_feature("supply_soviet")


@rule(GAME, "11.1.1")
def test_railways_lead_from_the_sources_to_every_victory_city() -> None:
    steps = walks.way_steps(board(), ["rail"])
    for feature in ("supply_axis", "supply_soviet"):
        reached = walks.distances(with_feature(feature), steps)
        for city in VICTORY_CITIES:
            assert places()[city] in reached, (feature, city)
    for cell in with_feature("supply_axis"):
        assert places()["Kharkov"] in walks.distances([cell], steps), board().number(cell)


@rule(GAME, "10.1.2")
@pytest.mark.parametrize(
    ("feature", "towns"),
    [
        (
            "supply_axis",
            (
                "Kotelnikovo|Morozovsk|Bokovskaya|Millerovo|Kantemirovka|Boguchar|Rossosh|Ostrogozhsk"
                "|Alekseyevka|Nizhne-Chirskaya|Zimovniki|Salsk|Sadovoye"
            ),
        ),
        (
            "supply_soviet",
            (
                "Voronezh|Svoboda (Liski)|Verkhny Mamon|Kazanskaya|Serafimovich|Kletskaya|Surovikino|Kalach"
                "|Verkhne-Kumskaya|Abganerovo|Aksai|Malye Derbety|Krasnoarmeysk"
            ),
        ),
    ],
)
def test_armies_can_be_supplied_where_they_begin(feature: str, towns: str) -> None:
    """With the pocket closed (13.0), each side's starting ground has a line to a source."""
    reached = walks.distances(with_feature(feature), steps_of_supply, closed=with_feature("pocket"))
    for town in towns.split("|"):
        assert places()[town] in reached, town


@rule(GAME, "13.0")
def test_the_pocket_is_one_piece_around_stalingrad() -> None:
    pocket = with_feature("pocket")
    assert places()["Stalingrad"] in pocket
    inside = walks.distances(
        [places()["Stalingrad"]], lambda c: [o for o in board().adjacent[c] if o in pocket]
    )
    assert set(inside) == pocket
    assert not any(on_edge(cell) for cell in pocket)
    assert any(has(*side, "major_river") for side in board().sides if len(set(side) & pocket) == 1)
    for outside in ("Kalach", "Sovetsky", "Krasnoarmeysk", "Dubovka"):
        assert places()[outside] not in pocket


@rule(GAME, "13.0")
def test_the_pocket_closes_the_railways_of_stalingrad() -> None:
    """Only through it do Soviet trains reach the line to Kotelnikovo from the east of the Don."""
    steps = walks.way_steps(board(), ["rail"])
    pocket = with_feature("pocket")
    west_of_don = {places()[town] for town in ("Rostov", "Likhaya")}
    sources = with_feature("supply_soviet")
    for town in ("Krasnoarmeysk", "Abganerovo", "Kotelnikovo"):
        there = walks.distances([places()[town]], steps, closed=west_of_don)
        assert there.keys() & sources, town
        shut = walks.distances([places()[town]], steps, closed=west_of_don | pocket)
        assert not shut.keys() & sources, town


@rule(GAME, "11.2.1", "11.2.2")
@pytest.mark.parametrize("feature", ["entry_box_1pza", "entry_box_28a"])
def test_an_entry_box_touches_one_stretch_of_the_south_edge_with_a_road(feature: str) -> None:
    box = with_feature(feature)
    last_row = max(board().number(cell)[2:] for cell in board().cells)
    assert {board().number(cell)[2:] for cell in box} == {last_row}
    columns = sorted(int(board().number(cell)[:2]) for cell in box)
    assert columns == list(range(columns[0], columns[-1] + 1))
    assert all(is_land(cell) for cell in box)
    assert box & {cell for side in walks.sides_of(board(), ["road"]) for cell in side}


def test_the_caucasus_box_lies_west_of_the_steppe_box() -> None:
    west, east = (
        {int(board().number(cell)[:2]) for cell in with_feature(feature)}
        for feature in ("entry_box_1pza", "entry_box_28a")
    )
    assert max(west) < min(east)


@rule(GAME, "11.1.1")
def test_reinforcements_can_reach_every_railway_of_the_map() -> None:
    """On an empty map no piece of railway is cut off from either side's sources."""
    steps = walks.way_steps(board(), ["rail"])
    railways = {cell for side in walks.sides_of(board(), ["rail"]) for cell in side}
    for feature in ("supply_axis", "supply_soviet"):
        assert set(walks.distances(with_feature(feature) & railways, steps)) == railways


@rule(GAME, "11.1.1")
def test_every_source_but_that_of_the_28th_army_is_on_a_railway() -> None:
    railways = {cell for side in walks.sides_of(board(), ["rail"]) for cell in side}
    assert with_feature("supply_axis") <= railways
    roads_only = with_feature("supply_soviet") - railways
    assert {board().name(cell, "en") for cell in roads_only} == {"Raygorod"}


@rule(GAME, "11.2.2", "10.1.2")
@pytest.mark.parametrize(("box", "goal"), [("entry_box_1pza", "Rostov"), ("entry_box_28a", "Zimovniki")])
def test_every_hex_of_a_box_leads_to_the_front(box: str, goal: str) -> None:
    reached = walks.distances([places()[goal]], steps_of_supply)
    assert with_feature(box) <= reached.keys()
