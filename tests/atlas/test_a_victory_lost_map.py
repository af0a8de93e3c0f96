"""A Victory Lost: places, rivers and ways on their ground, and what the rulebook says of its map.

The rulebook names no hex, so what can be held against it is what it says of the map's parts (supply
sources, bridges, boxes, the pocket); the rest is held against the ground and against history.
"""

from __future__ import annotations

import csv
import itertools
import math
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable
from functools import cache
from pathlib import Path

import pytest
from tests.rules import rule

from grognard.atlas import overlay
from grognard.atlas.frame import Frame
from grognard.board import Board, load_board
from grognard.files import Folder
from grognard.hexes import Axial, neighbour

GAME = "a_victory_lost"
OVERLAY = overlay.FOLDER / GAME
MAP = Path(__file__).parents[2] / "src" / "grognard" / "games" / GAME / "map"
WATER = {"sea", "lake"}
VICTORY_CITIES = {"Kharkov", "Rostov", "Stalino", "Dnepropetrovsk", "Zaporozhye"}

Corner = frozenset[Axial]
Side = tuple[int, int]


@cache
def board() -> Board:
    return load_board(Folder(MAP))


@cache
def frame() -> Frame:
    return Frame.from_mapping(board().settings["grid"], board().settings["georeference"])


@cache
def places() -> dict[str, int]:
    return {info.names["en"]: cell for cell, info in board().info.items() if "en" in info.names}


def with_feature(feature: str) -> set[int]:
    return {cell for cell, info in board().info.items() if feature in info.features}


def is_land(cell: int) -> bool:
    return board().info[cell].terrain not in WATER


def on_edge(cell: int) -> bool:
    return len(board().adjacent[cell]) < 6


def sides_of(features: Collection[str], name: str | None = None) -> list[Side]:
    return [
        side
        for side, found in board().sides.items()
        if any(f in found and (name is None or found[f].names.get("en") == name) for f in features)
    ]


def has(a: int, b: int, *features: str) -> bool:
    return any(board().side_has(a, b, feature) for feature in features)


def corners(a: int, b: int) -> tuple[Corner, Corner]:
    """The two ends of a side: each lies between its two hexes and one of the two next to both."""
    one, other = board().axial(a), board().axial(b)
    first, second = sorted({neighbour(one, d) for d in range(6)} & {neighbour(other, d) for d in range(6)})
    return frozenset((one, other, first)), frozenset((one, other, second))


def steps_along(feature: str) -> Callable[[int], Iterable[int]]:
    links: dict[int, set[int]] = defaultdict(set)
    for a, b in sides_of([feature]):
        links[a].add(b)
        links[b].add(a)
    return lambda cell: links[cell]


def steps_of_supply(cell: int) -> list[int]:
    """10.1.2 on an empty map: no water, no impassable side, no major river without a bridge."""
    return [
        other
        for other in board().adjacent[cell]
        if is_land(other)
        and not has(cell, other, "sea", "lake")
        and (not has(cell, other, "major_river") or has(cell, other, "bridge"))
    ]


def distances(
    starts: Iterable[int], steps: Callable[[int], Iterable[int]], closed: Collection[int] = ()
) -> dict[int, int]:
    """How many hexes to each that can be reached."""
    found = dict.fromkeys(starts, 0)
    queue = deque(found)
    while queue:
        here = queue.popleft()
        for other in steps(here):
            if other not in found and other not in closed:
                found[other] = found[here] + 1
                queue.append(other)
    return found


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
    def by_land(cell: int) -> list[int]:
        return [o for o in board().adjacent[cell] if is_land(o) and not has(cell, o, "sea", "lake")]

    reached = distances([places()["Kharkov"]], by_land)
    assert {board().number(c) for c in board().cells if is_land(c) and c not in reached} == set()


def test_ways_keep_to_the_land() -> None:
    for a, b in sides_of(["road", "rail"]):
        assert is_land(a) and is_land(b)
        assert not has(a, b, "sea", "lake")


@pytest.mark.parametrize("feature", ["road", "rail"])
def test_a_way_ends_in_a_town_or_at_the_edge(feature: str) -> None:
    steps = steps_along(feature)
    for cell in {cell for side in sides_of([feature]) for cell in side}:
        if len(set(steps(cell))) == 1:
            assert on_edge(cell) or board().info[cell].names, board().number(cell)


# The rivers: what each ends in, and towns that its hexes must touch.

RIVERS = {
    "Don": ("sea", "Voronezh|Korotoyak|Svoboda (Liski)|Verkhny Mamon|Serafimovich|Kalach|Rostov"),
    "Dnieper": ("edge", "Dnepropetrovsk|Zaporozhye"),
    "Volga": ("edge", "Dubovka|Stalingrad|Krasnoarmeysk|Raygorod"),
    "Donets": ("Don", "Belgorod|Chuguyev|Izyum|Lisichansk|Voroshilovgrad|Kamensk|Belaya Kalitva"),
    "Oskol": ("Donets", "Stary Oskol|Novy Oskol|Dvurechnaya|Kupyansk|Izyum"),
    "Chir": ("Don", "Bokovskaya|Chernyshevskaya|Oblivskaya|Surovikino"),
    "Mius": ("sea", "Krasny Luch|Matveyev Kurgan|Taganrog"),
    "Krynka": ("Mius", "Ilovaysk"),
    "Kalmius": ("sea", "Mariupol"),
    "Aidar": ("Donets", "Rovenki|Starobelsk"),
    "Derkul": ("Donets", ""),
    "Kalitva": ("Donets", "Belaya Kalitva"),
    "Bystraya": ("Donets", "Milyutinskaya"),
    "Sal": ("Don", "Remontnaya|Remontnoye"),
    "Manych": ("Don", "Manychskaya|Proletarskaya"),
    "Yeya": ("sea", "Kushchevskaya"),
    "Vorskla": ("edge", "Akhtyrka|Poltava"),
    "Psel": ("edge", "Oboyan|Sumy"),
    "Seim": ("edge", "Kursk|Lgov|Rylsk"),
    "Khoper": ("Don", "Balashov|Povorino|Novokhopersk|Uryupinsk"),
    "Medveditsa": ("Don", "Krasny Yar|Mikhailovka"),
    "Ilovlya": ("Don", "Ilovlya"),
    "Bityug": ("Don", "Anna|Bobrov"),
    "Voronezh": ("Don", "Voronezh"),
    "Tikhaya Sosna": ("Don", "Alekseyevka|Ostrogozhsk|Korotoyak"),
    "Black Kalitva": ("Don", "Rossosh|Novaya Kalitva"),
    "Tolucheyevka": ("Don", "Kalach (Voronezh)"),
    "Samara": ("Dnieper", "Pavlograd|Novomoskovsk"),
    "Volchya": ("Samara", "Pokrovskoye|Pavlograd"),
    "Orel": ("edge", "Pereshchepino"),
    "Myshkova": ("Don", ""),
    "Aksai Yesaulovsky": ("Don", "Potemkinskaya"),
    "Aksai Kurmoyarsky": ("Don", "Kotelnikovo"),
}
CLASSES = ("river", "major_river")


@pytest.mark.parametrize("name", RIVERS)
def test_a_river_is_one_chain_to_its_mouth(name: str) -> None:
    mouth, towns = RIVERS[name]
    sides = sides_of(CLASSES, name)
    meeting: dict[Corner, set[Side]] = defaultdict(set)
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
    assert any(_is_mouth(corner, mouth) for corner in ends), f"no end on {mouth}"
    touched = {cell for side in sides for cell in side}
    for town in filter(None, towns.split("|")):
        assert places()[town] in touched, town


def _is_mouth(corner: Corner, mouth: str) -> bool:
    on_map = [hex_ for hex_ in corner if hex_ in frame().on_map]
    if mouth == "edge":
        return len(on_map) < 3
    if mouth != "sea":
        return any(corner in corners(*side) for side in sides_of(CLASSES, mouth))
    cells = [board().cell(board().numbering.number(hex_)) for hex_ in on_map]
    return any(board().info[c].terrain == "sea" for c in cells) or any(
        has(a, b, "sea") for a, b in itertools.combinations(cells, 2)
    )


def test_every_river_is_in_the_list() -> None:
    assert {
        found[feature].names.get("en")
        for found in board().sides.values()
        for feature in CLASSES
        if feature in found
    } == set(RIVERS)


def test_the_great_rivers_are_major_and_the_donets_from_the_oskol_down() -> None:
    major = {
        found["major_river"].names.get("en") for found in board().sides.values() if "major_river" in found
    }
    assert major == {"Don", "Dnieper", "Volga", "Donets", "Manych"}
    for name in ("Don", "Dnieper", "Volga"):
        assert not sides_of(["river"], name)
    upper = {corner for side in sides_of(["river"], "Donets") for corner in corners(*side)}
    lower = {corner for side in sides_of(["major_river"], "Donets") for corner in corners(*side)}
    assert len(upper & lower) == 1
    for town, feature in (("Belgorod", "river"), ("Chuguyev", "river"), ("Kamensk", "major_river")):
        cell = places()[town]
        assert any(cell in side for side in sides_of([feature], "Donets")), town


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
    wet = set(sides_of(CLASSES, river))

    def dry_shod(cell: int) -> list[int]:
        return [
            other
            for other in board().adjacent[cell]
            if is_land(other)
            and not has(cell, other, "sea")
            and (min(cell, other), max(cell, other)) not in wet
        ]

    one, other = (distances([places()[towns.split("|")[0]]], dry_shod) for towns in (this_bank, that_bank))
    assert not one.keys() & other.keys(), "the river does not part its banks"
    for town in this_bank.split("|"):
        assert places()[town] in one, town
    for town in that_bank.split("|"):
        assert places()[town] in other, town


def test_no_bridge_over_the_volga() -> None:
    assert not set(sides_of(CLASSES, "Volga")) & set(sides_of(["bridge"]))


# History's connections


def _connections() -> list[dict[str, str]]:
    with (OVERLAY / "connections.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


@pytest.mark.parametrize("row", _connections(), ids=lambda row: f"{row['feature']}-{row['from']}-{row['to']}")
def test_history_s_connections_can_be_walked(row: dict[str, str]) -> None:
    """From each place to the next along the way, with no detour of more than half as far again."""
    steps = steps_along(row["feature"])
    names = [row["from"], *filter(None, row["via"].split("|")), row["to"]]
    for start, end in itertools.pairwise(names):
        length = distances([places()[start]], steps)
        assert places()[end] in length, f"{start} and {end} are not joined"
        straight = board().distance(places()[start], places()[end])
        assert length[places()[end]] <= straight * 1.5 + 1, f"{start} to {end} is a detour"


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
    assert sides_of(["sea"]) and sides_of(["lake"])


@rule(GAME, "2.1.3")
def test_a_bridge_is_a_river_side_with_a_road_or_railway() -> None:
    crossed = set(sides_of(CLASSES)) & set(sides_of(["road", "rail"]))
    assert set(sides_of(["bridge"])) == crossed


@rule(GAME, "2.1.2")
@pytest.mark.parametrize("feature", ["supply_axis", "supply_soviet"])
def test_supply_sources_lie_on_the_edge_of_the_map_on_a_way(feature: str) -> None:
    sources = with_feature(feature)
    ways = {cell for side in sides_of(["rail", "road"]) for cell in side}
    assert len(sources) >= 4
    for cell in sources:
        assert on_edge(cell) and is_land(cell) and cell in ways, board().number(cell)
    assert not with_feature("supply_axis") & with_feature("supply_soviet")


@rule(GAME, "11.1.1")
def test_railways_lead_from_the_sources_to_every_victory_city() -> None:
    steps = steps_along("rail")
    for feature in ("supply_axis", "supply_soviet"):
        reached = distances(with_feature(feature), steps)
        for city in VICTORY_CITIES:
            assert places()[city] in reached, (feature, city)
    for cell in with_feature("supply_axis"):
        assert places()["Kharkov"] in distances([cell], steps), board().number(cell)


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
                "|Verkhne-Kumskaya|Abganerovo|Aksai|Maly Derbety|Krasnoarmeysk"
            ),
        ),
    ],
)
def test_armies_can_be_supplied_where_they_begin(feature: str, towns: str) -> None:
    """With the pocket closed (13.0), each side's starting ground has a line to a source."""
    reached = distances(with_feature(feature), steps_of_supply, closed=with_feature("pocket"))
    for town in towns.split("|"):
        assert places()[town] in reached, town


@rule(GAME, "13.0")
def test_the_pocket_is_one_piece_around_stalingrad() -> None:
    pocket = with_feature("pocket")
    assert places()["Stalingrad"] in pocket
    inside = distances([places()["Stalingrad"]], lambda c: [o for o in board().adjacent[c] if o in pocket])
    assert set(inside) == pocket
    assert not any(on_edge(cell) for cell in pocket)
    assert any(has(*side, "major_river") for side in board().sides if len(set(side) & pocket) == 1)
    for outside in ("Kalach", "Sovetsky", "Krasnoarmeysk", "Dubovka"):
        assert places()[outside] not in pocket


@rule(GAME, "13.0")
def test_the_pocket_closes_the_railways_of_stalingrad() -> None:
    """Only through it do Soviet trains reach the line to Kotelnikovo from the east of the Don."""
    steps = steps_along("rail")
    pocket = with_feature("pocket")
    west_of_don = {places()[town] for town in ("Rostov", "Likhaya")}
    sources = with_feature("supply_soviet")
    for town in ("Krasnoarmeysk", "Abganerovo", "Kotelnikovo"):
        there = distances([places()[town]], steps, closed=west_of_don)
        assert there.keys() & sources, town
        shut = distances([places()[town]], steps, closed=west_of_don | pocket)
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
    assert box & {cell for side in sides_of(["road"]) for cell in side}


def test_the_caucasus_box_lies_west_of_the_steppe_box() -> None:
    west, east = (
        {int(board().number(cell)[:2]) for cell in with_feature(feature)}
        for feature in ("entry_box_1pza", "entry_box_28a")
    )
    assert max(west) < min(east)
