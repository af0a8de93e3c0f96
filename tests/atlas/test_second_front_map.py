"""Second Front: the sheets, the places that everybody knows, banks of rivers, coasts, zones and districts."""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from pathlib import Path

import pytest

from grognard.board import vocabulary
from grognard.board.board import bits, each
from tests.atlas import walks

GAME = "second_front"
KNOWN = walks.rows(Path(__file__).parent / "data" / "second_front_hexes.csv")
NAMED = walks.rows(walks.GAMES / GAME / "map" / "named.csv")
CITIES = ("major_city_full", "major_city_partial", "dot_city", "reference_city", "point_city")
PORTS = ("port_great", "port_major", "port_standard", "port_minor")
SEAS = {"sea_atlantic", "sea_baltic", "sea_mediterranean"}

board = functools.partial(walks.board_of, GAME)


def features(number: str) -> frozenset[str]:
    return board().info[board().cell(number)].features


@functools.cache
def groups() -> dict[str, tuple[str, ...]]:
    return vocabulary.groups(board().settings)


def zone(cell: int, group: str) -> str:
    found = board().info[cell].features & set(groups()[group])
    assert len(found) <= 1, (board().number(cell), found)
    return next(iter(found), "")


# The sheets


def test_four_sheets_of_33_by_51_share_a_row_and_a_column() -> None:
    assert len(board().cells) == 65 * 101 == 6565
    for one, other in (
        ("16A:2533", "17A:2501"),
        ("16A:5117", "26:0117"),
        ("17A:5109", "27:0109"),
        ("26:2533", "27:2501"),
        ("16A:5133", "27:0101"),
    ):
        assert board().cell(one) == board().cell(other)
    # 41A: 16A lies over all, 17A and 26 over 27.
    assert board().number(board().cell("27:0101")) == "16A:5133"
    assert board().number(board().cell("27:2501")) == "26:2533"


def test_columns_are_counted_from_the_east_and_even_rows_stand_further_west() -> None:
    cell = board().cell
    for pair in ("1521 1520", "1520 1519", "1519 1619", "1619 1618", "2323 2422", "2422 2522", "0421 0522"):
        a, b = pair.split()
        assert cell(f"17A:{b}") in board().adjacent[cell(f"17A:{a}")]


# Places that everybody knows


@pytest.mark.parametrize("row", KNOWN, ids=lambda row: row["name"])
def test_a_well_known_hex(row: dict[str, str]) -> None:
    cell = board().cell(row["hex"])
    info = board().info[cell]
    assert info.names.get("en") == row["name"]
    assert info.terrain == row["terrain"]
    assert set(row["features"].split("|")) <= info.features
    assert zone(cell, "district") == f"district_{row['district']}"
    assert zone(cell, "weather") == f"weather_{row['weather']}"
    steps = walks.way_steps(board(), walks.RAILS)
    cities = walks.places(board())
    for name in filter(None, row["next_by_rail"].split("|")):
        goal = cities[name]
        length = walks.distances([cell], steps)
        assert goal in length, name
        assert length[goal] <= board().distance(cell, goal) * 1.6 + 2, f"a detour to {name}"
    if row["across"]:
        other, what = row["across"].split(" ", 1)
        found = board().sides[tuple(sorted((cell, board().cell(other))))]  # type: ignore[index]
        assert what in found or what in {side.names.get("en") for side in found.values()}


def test_the_table_knows_fifty_hexes_and_more() -> None:
    assert len({row["hex"] for row in KNOWN}) == len(KNOWN) >= 50


BANKS = {
    "Rhine": (
        "Aachen|Cologne|Bonn|Koblenz|Mainz|Worms|Strasbourg|Colmar|Krefeld|Venlo|Nijmegen|Kleve",
        "Düsseldorf|Wesel|Wiesbaden|Frankfurt|Mannheim|Karlsruhe|Offenburg|Freiburg|Arnhem|Utrecht",
        (7, 31),
    ),
    "Elbe": (
        "Magdeburg|Hanover|Dessau|Stendal|Lüneburg|Torgau|Leipzig|Cuxhaven",
        "Wittenberge|Wittenberg|Hamburg|Lübeck|Schwerin|Brandenburg|Brunsbüttel",
        (5, 27),
    ),
    "Loire": ("Orléans|Blois|Angers|Nantes|Le Mans", "Tours|Saumur|Bourges|Poitiers|Cholet", (10, 24)),
    "Seine": ("Rouen|Le Havre|Amiens", "Évreux|Caen|Chartres|Lisieux", (8, 16)),
    "Rhône": ("Nîmes|Privas|Montpellier", "Valence|Montélimar|Avignon|Arles|Marseille", (36, 50)),
}
"""Towns on the left and on the right of a river, and the rows between which it is a barrier."""


def test_ingolstadt_stands_north_of_the_danube() -> None:
    north, south = walks.places(board())["Ingolstadt"], board().cell("16A:3314")
    assert board().side_has(north, south, "river")
    assert board().axial(north).r < board().axial(south).r


@pytest.mark.parametrize("river", BANKS)
def test_towns_stand_on_their_bank(river: str) -> None:
    one, other, (first, last) = BANKS[river]
    cities = walks.places(board())
    dry = walks.dry_steps(board())
    barred = set(walks.sides_of(board(), walks.RIVERS, river))

    def row(cell: int) -> int:
        return board().axial(cell).r

    def steps(cell: int) -> list[int]:
        return [
            there
            for there in dry(cell)
            if first <= row(there) <= last and (min(cell, there), max(cell, there)) not in barred
        ]

    start = cities[one.split("|")[0]]
    reached = walks.distances([start], steps)
    assert {name for name in one.split("|") if cities[name] not in reached} == set()
    assert {name for name in other.split("|") if cities[name] in reached} == set()


# Coasts and seas


def test_every_water_has_its_sea_zone_and_the_zones_do_not_touch_by_sea() -> None:
    for cell, info in board().info.items():
        if info.terrain == "sea" or "coastal" in info.features:
            assert zone(cell, "sea_zone") in SEAS, info.number
        elif "adriatic" not in info.features:
            assert not info.features & SEAS, info.number
    sea = [cell for cell, info in board().info.items() if info.terrain == "sea"]
    for cell in sea:
        for other in board().adjacent[cell]:
            if board().info[other].terrain == "sea":
                assert zone(cell, "sea_zone") == zone(other, "sea_zone"), board().number(cell)


def sea_steps(cell: int) -> list[int]:
    """27B5: where a ship may go next, owners apart: over open water, and along coasts that have a route."""
    found = []
    for other in board().adjacent[cell]:
        kinds = {board().info[c].terrain == "sea" for c in (cell, other)}
        there = board().info[other]
        if there.terrain != "sea" and "coastal" not in there.features:
            continue
        if True in kinds or walks.on_side(board(), cell, other) & {"sea", "strait", "sea_route"}:
            found.append(other)
    return found


@pytest.mark.parametrize("name", sorted(SEAS))
def test_a_ship_can_reach_all_water_of_its_sea(name: str) -> None:
    water = {c for c in each(board().with_feature(name)) if board().info[c].terrain == "sea"}
    reached = walks.distances(
        [min(water)], lambda c: [o for o in sea_steps(c) if name in board().info[o].features]
    )
    assert sorted(board().number(c) for c in water - reached.keys()) == []


def test_ships_cannot_pass_where_the_book_says_so() -> None:
    """27B5, 37A1."""
    cell = board().cell
    assert cell("17A:0522") not in sea_steps(cell("17A:0421"))
    assert cell("26:2214") not in sea_steps(cell("26:2115"))
    assert cell("16A:0826") not in sea_steps(cell("16A:0827"))
    assert cell("17A:2522") in sea_steps(cell("17A:2422"))


def test_ports_lie_on_the_sea_or_are_inland_ones_on_a_river_or_canal() -> None:
    for cell, info in board().info.items():
        if info.features & set(PORTS):
            assert len(info.features & set(PORTS)) == 1, info.number
            assert info.names, info.number
            if "coastal" not in info.features:
                assert "port_inland" in info.features, info.number
            if "port_inland" in info.features and "coastal" not in info.features:
                wet = {f for other in board().adjacent[cell] for f in walks.on_side(board(), cell, other)}
                near = any("coastal" in board().info[other].features for other in board().adjacent[cell])
                assert wet & {"river", "major_river", "canal"} or near, info.number


def test_a_beach_is_any_coast_but_a_mountain() -> None:
    """30B: what the rules need for beaches stands on the map."""
    beaches = [i for i in board().info.values() if "coastal" in i.features and i.terrain != "mountain"]
    assert len(beaches) > 500
    assert "coastal" in features("17A:0911") or "coastal" in features("17A:0910")
    assert {"coastal"} <= features("26:1825") & features("26:2521") & features("26:4130")


def test_the_polders_of_flevoland_are_water_and_later_dams_are_gone() -> None:
    assert board().info[board().cell("16A:0620")].terrain == "lake"
    assert board().info[board().cell("16A:0721")].terrain == "lake"
    # The Afsluitdijk was there; the dams of the Delta Plan were not.
    assert walks.on_side(board(), board().cell("16A:0419"), board().cell("16A:0420")) >= {"causeway", "road"}
    assert len(walks.sides_of(board(), ["causeway"])) == 3


def test_ways_over_water_are_causeways_or_ferries() -> None:
    """37A1, 37A2."""
    for side in walks.sides_of(board(), ["causeway"]):
        assert walks.on_side(board(), *side) & set(walks.WAYS)
    ferries = walks.sides_of(board(), ["rail_ferry"])
    by_name = Counter(board().sides[side]["rail_ferry"].names["en"] for side in ferries)
    assert len(by_name) == 5
    for name in by_name:
        mine = [side for side in ferries if board().sides[side]["rail_ferry"].names["en"] == name]
        met = Counter(itertools.chain(*mine))
        ends = [cell for cell, count in met.items() if count == 1]
        assert len(ends) == 2
        for cell in met:
            assert (board().info[cell].terrain != "sea") == (cell in ends), name


def test_the_kiel_canal_joins_two_seas_between_its_two_ports() -> None:
    """34A2."""
    canal = walks.sides_of(board(), ["canal"], "Kiel Canal")
    touched = set(itertools.chain(*canal))
    assert {board().cell("16A:0509"), board().cell("16A:0606")} <= touched
    ends = Counter(corner for side in canal for corner in walks.corners(board(), *side))
    mouths = [corner for corner, count in ends.items() if count == 1]
    assert len(mouths) == 2
    found = set()
    for corner in mouths:
        assert walks.is_mouth(board(), corner, "sea")
        for hex_ in corner:
            cell = board().cell(board().numbering.number(hex_))
            if board().info[cell].terrain == "sea":
                found.add(zone(cell, "sea_zone"))
    assert found == {"sea_atlantic", "sea_baltic"}


# Zones


def test_every_land_hex_has_one_country_one_district_and_every_hex_one_weather_zone() -> None:
    for cell, info in board().info.items():
        assert zone(cell, "weather"), info.number
        if walks.is_land(board(), cell):
            assert zone(cell, "country") and zone(cell, "district"), info.number
        else:
            assert not zone(cell, "country"), info.number


BORDER_TOWNS = {
    "netherlands": "Enschede|Venlo|Maastricht|Nijmegen|Groningen",
    "belgium": "Arlon|Bastogne|Saint-Vith|Liège|Tournai",
    "france": "Longwy|Wissembourg|Strasbourg|Mulhouse|Menton|Lille|Bayonne|Perpignan|Briançon",
    "germany": "Aachen|Flensburg|Trier|Saarbrücken|Freiburg|Konstanz|Passau|Prague|Vienna|Villach|Innsbruck",
    "switzerland": "Geneva|Basel|Bellinzona|Lausanne",
    "italy": "Trieste|Fiume|Pola|Zara|Gorizia|Bolzano|Tarvisio|Sanremo|Susa|Domodossola|Lampedusa",
    "yugoslavia": "Ljubljana|Marburg an der Drau|Zagreb|Split",
    "hungary": "Sopron|Szombathely",
    "denmark": "Haderslev|Odense",
    "luxembourg": "Luxembourg",
    "spain": "San Sebastián|Gerona",
    "tunisia": "Tabarka|Tozeur",
    "algeria": "La Calle|Tébessa",
}


@pytest.mark.parametrize("country", BORDER_TOWNS)
def test_towns_by_a_border_stand_on_their_side_of_it(country: str) -> None:
    cities = walks.places(board())
    found = {name: zone(cities[name], "country") for name in BORDER_TOWNS[country].split("|")}
    assert found == dict.fromkeys(found, f"country_{country}")


def test_the_westwall_is_german_and_the_maginot_line_french() -> None:
    for cell in each(board().with_feature("westwall")):
        assert zone(cell, "country") == "country_germany", board().number(cell)
    for cell in each(board().with_feature("maginot")):
        assert zone(cell, "country") == "country_france", board().number(cell)


def test_annexed_land_is_foreign_by_its_border_of_1939_and_german_by_its_district() -> None:
    """3E1."""
    annexed = {
        ("country_france", "district_wk_v"),
        ("country_france", "district_wk_xii"),
        ("country_luxembourg", "district_wk_xii"),
        ("country_belgium", "district_wk_vi"),
        ("country_yugoslavia", "district_wk_xviii"),
    }
    found = {(zone(c, "country"), zone(c, "district")) for c in board().cells if zone(c, "country")}
    german = {pair for pair in found if pair[1].startswith("district_wk_")}
    assert {pair for pair in german if pair[0] != "country_germany"} == annexed


def test_districts_hang_together() -> None:
    """Each is one piece of land, islands apart; none is lost."""
    for district in groups()["district"]:
        cells = list(each(board().with_feature(district)))
        assert cells, district
        largest, left = 0, bits(cells)
        while left:
            piece = left & -left
            while (more := (board().spread(piece) | piece) & left) != piece:
                piece = more
            largest = max(largest, piece.bit_count())
            left &= ~piece
        assert largest >= 0.6 * len(cells) or district == "district_zara", district


def test_weather_gets_milder_to_the_south() -> None:
    """36A1: C within D, D north of E, E north of F."""
    order = "cdef"
    for cell in board().cells:
        for other in board().adjacent[cell]:
            here, there = zone(cell, "weather")[-1], zone(other, "weather")[-1]
            assert abs(order.index(here) - order.index(there)) <= 1, board().number(cell)
    for number in ("27:0431", "27:0331", "27:0231", "27:0132"):
        around = {zone(c, "weather") for c in each(board().within([board().cell(number)], 1))}
        assert around == {"weather_d", "weather_e"}, "the published errata run line D through here"


def test_entries_stand_on_the_edge_in_the_water() -> None:
    for cell, info in board().info.items():
        if any(feature.startswith("entry_") for feature in info.features):
            assert walks.on_edge(board(), cell) and not walks.is_land(board(), cell), info.number


# Towns


def test_a_hex_has_one_class_of_city() -> None:
    for info in board().info.values():
        assert len(info.features & set(CITIES)) <= 1, info.number


def test_victory_cities_and_bases_south_of_rome_are_as_many_as_a_report_counted() -> None:
    """Five naval bases, five dot cities, two hexes of major cities: south of Rome and on the islands."""
    south = {"campania", "puglia", "lucania", "calabria", "sicilia", "sardegna"}
    cells = [c for c in board().cells if zone(c, "district").removeprefix("district_") in {*south, "corsica"}]
    found = Counter(f for c in cells for f in board().info[c].features)
    assert found["dot_city"] == 5
    assert found["major_city_partial"] + found["major_city_full"] == 2
    assert found["port_major"] + found["port_great"] == 5


def test_paris_is_one_full_hex_and_three_partial_ones() -> None:
    """3E2. All of them hang together, as those of every city of several hexes do."""
    found = [i for i in board().info.values() if i.names.get("en") == "Paris"]
    assert Counter(f for i in found for f in i.features if f in CITIES) == {
        "major_city_full": 1,
        "major_city_partial": 3,
    }
    for name in ("Paris", "Ruhr", "London", "Berlin", "Vienna"):
        own = bits(c for c, info in board().info.items() if info.names.get("en") == name)
        piece = own & -own
        while (more := (board().spread(piece) | piece) & own) != piece:
            piece = more
        assert piece == own, name


VOCABULARY = {
    # terrain
    "clear": 2434, "bocage": 15, "woods": 74, "forest": 34, "rough": 924, "wooded_rough": 139, "swamp": 12,
    "mountain": 387, "intensive_canal": 30, "prohibited": 22, "sea": 2490, "lake": 4,
    # on the coast
    "coastal": 580, "cliffs": 17, "restricted_water": 2, "split_water": 1,
    # towns, ports, works
    "major_city_full": 9, "major_city_partial": 35, "dot_city": 125, "reference_city": 274, "point_city": 177,
    "port_great": 17, "port_major": 35, "port_standard": 49, "port_minor": 105, "port_inland": 16,
    "port_artificial": 4, "airfield": 206, "fortress": 15, "westwall": 18, "maginot": 9,
}  # fmt: skip
SIDES = {
    "river": 1750, "major_river": 270, "canal": 64, "strait": 13, "causeway": 3, "fortified": 14,
    "mountain_side": 76, "high_mountain": 70, "rail_ferry": 14, "road": 424,
}  # fmt: skip


def test_the_whole_vocabulary_is_on_the_map() -> None:
    """The counts are those that were looked at, tile by tile; who changes the map looks again."""
    hexes = Counter(f for info in board().info.values() for f in (*info.features, info.terrain))
    assert {name: hexes[name] for name in VOCABULARY} == VOCABULARY
    sides = Counter(f for found in board().sides.values() for f in found)
    assert {name: sides[name] for name in SIDES} == SIDES
    assert sides["rail_high"] > 1000 and sides["rail_low"] > 900
    for group, count in (("weather", 4), ("district", 67), ("country", 18), ("sea_zone", 3), ("entry", 7)):
        assert len({zone(cell, group) for cell in board().cells} - {""}) == count, group


WITHOUT_RAILWAY = {
    "Chur": "narrow gauge only",
    "Pécs": "its line runs east of the map",
    "Banja Luka": "narrow gauge only",
    "Zara": "no railway until 1966",
    "Cetinje": "none",
    "Shkodër": "Albania had no railways",
    "Tirana": "Albania had no railways",
    "Durrës": "Albania had no railways",
    "Vlorë": "Albania had no railways",
    "Ioannina": "none",
    "Patras": "narrow gauge only",
    "Matera": "narrow gauge only",
    "Nuoro": "narrow gauge only",
    "Palma": "narrow gauge only",
}
"""Cities that had no railway of use in 1943, and why."""


def test_every_city_is_on_the_railways_of_1943_or_had_none() -> None:
    without = {
        info.names["en"]
        for cell, info in board().info.items()
        if info.features & set(CITIES[:4])
        and not any(walks.on_side(board(), cell, o) & set(walks.RAILS) for o in board().adjacent[cell])
    }
    assert without == set(WITHOUT_RAILWAY)


# The rulebook


BOOK = {
    "2": "16A:1825",
    "3E2": "17A:1604 16A:1418",
    "3E4": "16A:0414 26:0829 26:0830",
    "7A5": "17A:1612 17A:1608",
    "20E": "17A:1010",
    "27B5": "26:2115 26:2214 26:3807 26:3806 26:3805 17A:0522 17A:0421",
    "28": "17A:2421 17A:2422 17A:2323 17A:2522 17A:1521 17A:1520 17A:1519 17A:1619 17A:1618",
    "30A5": "17A:0122 17A:0121 17A:0120 17A:0119 17A:0118 17A:0117 17A:0116",
    "34A2": "16A:0509 16A:0606",
    "34F": "26:3310 26:3307",
    "34J": "26:3823 26:3822 26:3923",
    "37A1": "16A:0827 16A:0826 16A:0825",
    "37A4": "16A:0623 16A:0922 16A:1122 16A:0417",
    "38B": "26:1625",
    "41B3": "26:2422",
    "37E": "26:4025",
    "37E1": "26:4731",
}
"""Every hex that the rulebook numbers, two misprints put right (28:3806 is 26:3806, 2923 is 3923),
and Valletta, which it names."""


@pytest.mark.parametrize("case", BOOK)
def test_something_is_known_and_checked_of_every_hex_of_the_book(case: str) -> None:
    known = {number for row in NAMED for number in row["hex"].split("/")}
    assert set(BOOK[case].split()) <= known


def test_what_can_be_flooded_massively_is_what_the_book_says() -> None:
    """37A4: a canal hex of the Netherlands, on the coast or beside a river or canal."""

    def may_be_flooded(number: str) -> bool:
        cell = board().cell(number)
        info = board().info[cell]
        wet = {f for other in board().adjacent[cell] for f in walks.on_side(board(), cell, other)}
        return (
            info.terrain == "intensive_canal"
            and zone(cell, "country") == "country_netherlands"
            and ("coastal" in info.features or bool(wet & {"river", "major_river", "canal"}))
        )

    assert [may_be_flooded(n) for n in ("16A:0623", "16A:0922", "16A:1122", "16A:0417")] == [
        True,
        True,
        False,
        False,
    ]
