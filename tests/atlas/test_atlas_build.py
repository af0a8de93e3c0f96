"""Drafting a whole small map from made-up ground and overlays: who wins over whom."""

from __future__ import annotations

import csv
import json
import tomllib
from pathlib import Path

import pytest

from grognard.atlas import AtlasError, overlay
from grognard.atlas.build import draft
from grognard.atlas.frame import Frame
from grognard.atlas.geodata import Geodata
from grognard.atlas.writing import write_map

Cells = dict[str, str]

SETTINGS = """
title_en = "Small"
title_fr = "Petite"
[grid]
orientation = "flat"
shifted_parity = 0
columns_grow = "right"
rows_grow = "down"
order = "CCRR"
[[grid.sheets]]
columns = [1, 8]
rows = [1, 6]
[georeference]
projection = "+proj=lcc +lat_1=50 +lat_2=52 +lat_0=51 +lon_0=30 +units=km +ellps=WGS84"
a = 10.0
b = 0.0
c = 0.0
d = 0.0
e = 10.0
f = 0.0
[terrains]
clear = { en = "Clear", fr = "Clair" }
marsh = { en = "Marsh", fr = "Marais" }
sea = { en = "Sea", fr = "Mer" }
lake = { en = "Lake", fr = "Lac" }
[features]
town = { en = "Town", fr = "Ville", kind = "hex" }
river = { en = "River", fr = "Rivière", kind = "side" }
road = { en = "Road", fr = "Route", kind = "side" }
bridge = { en = "Bridge", fr = "Pont", kind = "side" }
sea = { en = "Sea", fr = "Mer", kind = "side" }
lake = { en = "Lake", fr = "Lac", kind = "side" }
[sampling]
land = "land.geojson"
lakes = ["lakes.geojson"]
[bridges]
feature = "bridge"
over = ["river"]
by = ["road"]
"""
HEADERS = {
    "places": "name_en,name_fr,kind,lat,lon,hex,provenance,source",
    "lines": "feature,name_en,name_fr,course,provenance,source",
    "areas": "terrain_or_feature,name,polygon,provenance,source",
    "hexes": "hex,terrain,features,name_en,name_fr,provenance,source",
    "sides": "a,b,feature,name_en,name_fr,provenance,source",
}


class Maker:
    """A folder of overlays and one of geodata; the sea lies west of the middle of column 02."""

    def __init__(self, folder: Path) -> None:
        self.overlay = folder / "overlay"
        self.geodata = folder / "geodata"
        self.overlay.mkdir()
        self.geodata.mkdir()
        (self.overlay / "atlas.toml").write_text(SETTINGS, encoding="utf-8")
        settings = overlay.read(self.overlay).settings
        self.frame = Frame.from_mapping(settings["grid"], settings["georeference"])
        self.polygons("land", [(self.box(14, -200, 200, 200), {})])
        self.polygons("lakes", [])

    def box(self, west: float, south: float, east: float, north: float) -> list[tuple[float, float]]:
        corners = [(west, south), (east, south), (east, north), (west, north), (west, south)]
        return [self.frame.degrees(corner) for corner in corners]

    def polygons(self, name: str, items: list[tuple[list[tuple[float, float]], dict[str, str]]]) -> None:
        features = [
            {
                "type": "Feature",
                "properties": properties,
                "geometry": {"type": "Polygon", "coordinates": [ring]},
            }
            for ring, properties in items
        ]
        text = json.dumps({"type": "FeatureCollection", "features": features})
        (self.geodata / f"{name}.geojson").write_text(text, encoding="utf-8")

    def write(self, name: str, *rows: str) -> None:
        text = "\n".join([HEADERS[name], *rows]) + "\n"
        (self.overlay / f"{name}.csv").write_text(text, encoding="utf-8")

    def build(
        self, out: Path
    ) -> tuple[dict[str, dict[str, str]], dict[tuple[str, str, str], dict[str, str]]]:
        content = overlay.read(self.overlay)
        write_map(draft(content, Geodata(self.geodata)), content.settings, out)
        with (out / "hexes.csv").open(encoding="utf-8", newline="") as stream:
            hexes = {row["hex"]: row for row in csv.DictReader(stream)}
        with (out / "sides.csv").open(encoding="utf-8", newline="") as stream:
            sides = {(row["a"], row["b"], row["feature"]): row for row in csv.DictReader(stream)}
        return hexes, sides


@pytest.fixture
def maker(tmp_path: Path) -> Maker:
    return Maker(tmp_path)


def test_land_and_sea_are_sampled(maker: Maker, tmp_path: Path) -> None:
    hexes, sides = maker.build(tmp_path / "out")
    assert len(hexes) == 48
    assert {number for number, row in hexes.items() if row["terrain"] == "sea"} == {
        f"01{row:02d}" for row in range(1, 7)
    }
    assert hexes["0503"]["terrain"] == "clear"
    assert hexes["0503"]["provenance"] == "found"
    assert not sides


def test_a_lake_between_land_hexes_closes_their_side(maker: Maker, tmp_path: Path) -> None:
    # The side between 0503 and 0504 runs from x = 40.4 to 46.2 at y = -35.
    maker.polygons("lakes", [(maker.box(38, -38, 48, -32), {"status": "keep"})])
    hexes, sides = maker.build(tmp_path / "out")
    assert hexes["0503"]["terrain"] == hexes["0504"]["terrain"] == "clear"
    assert set(sides) == {("0503", "0504", "lake")}


def test_a_reservoir_of_later_years_is_ignored(maker: Maker, tmp_path: Path) -> None:
    maker.polygons("lakes", [(maker.box(30, -60, 60, -10), {"status": "drop"})])
    hexes, sides = maker.build(tmp_path / "out")
    assert hexes["0503"]["terrain"] == "clear"
    assert not sides


def test_single_hexes_win_over_areas_and_places_over_the_ground(maker: Maker, tmp_path: Path) -> None:
    ring = ";".join(f"{lon:.4f} {lat:.4f}" for lon, lat in maker.box(30, -60, 60, -10)[:4])
    maker.write("areas", f"marsh,Bog,{ring},found,seen")
    maker.write("places", "Town,Ville,town,51,30,0504,rulebook,1.1")
    maker.write("hexes", "0503,clear,+town,Dry,Sec,reconstructed,hand", "0101,clear,,,,rulebook,2.2")
    hexes, _ = maker.build(tmp_path / "out")
    assert hexes["0504"]["terrain"] == "marsh"
    assert (hexes["0504"]["name_fr"], hexes["0504"]["features"]) == ("Ville", "town")
    assert hexes["0504"]["provenance"] == "found", "the book names the town, not the ground"
    assert hexes["0504"]["source"] == "Natural Earth, sampled; seen; 1.1"
    assert (hexes["0503"]["terrain"], hexes["0503"]["name_en"]) == ("clear", "Dry")
    assert hexes["0101"]["terrain"] == "clear"


def test_lines_bridges_and_sides(maker: Maker, tmp_path: Path) -> None:
    maker.write("places", "East,Est,town,,,0704,found,x", "West,Ouest,town,,,0304,found,x")
    maker.write(
        "lines",
        "road,High road,Route,West;East,found,x",
        "river,Long,Longue,^0401/0501;^0403/0504;@0506,found,x",
    )
    maker.write("sides", "0304,0404,-road,,,reconstructed,washed away", "0203,0204,river,Brook,Ru,found,x")
    _, sides = maker.build(tmp_path / "out")
    names = {key: row["name_en"] for key, row in sides.items() if key[2] == "river"}
    assert names["0401", "0501", "river"] == names["0403", "0504", "river"] == "Long"
    assert names["0203", "0204", "river"] == "Brook"
    roads = {key[:2] for key in sides if key[2] == "road"}
    assert roads
    assert ("0304", "0404") not in roads
    assert {key[:2] for key in sides if key[2] == "bridge"} == roads & {k[:2] for k in names}


@pytest.mark.parametrize(
    ("name", "row", "message"),
    [
        ("places", "Atlantis,,town,,,0103,found,x", "Atlantis falls in 0103, which is water"),
        ("hexes", "0503,lava,,,,found,x", "the terrain 'lava' is not in"),
        ("hexes", "0503,,+castle,,,found,x", "'castle' is not a hex feature"),
        ("hexes", "0503,,,,,guessed,x", "line 2: provenance 'guessed'"),
        ("sides", "0503,0505,river,,,found,x", "0503 and 0505 are not neighbours"),
        ("lines", "road,R,R,Nowhere;@0503,found,x", "road 'R': 'Nowhere' is no place"),
        ("lines", "road,R,R,@0103;@0503,found,x", "road 'R': 0103 is water"),
        ("lines", "river,R,R,@0303;@0503;~Styx,found,x", "no river named 'Styx'"),
    ],
)
def test_mistakes_are_refused_by_name(
    maker: Maker, tmp_path: Path, name: str, row: str, message: str
) -> None:
    maker.write(name, row)
    with pytest.raises(AtlasError, match=message):
        maker.build(tmp_path / "out")


def test_a_map_is_written_the_same_way_twice(maker: Maker, tmp_path: Path) -> None:
    maker.write("lines", "river,Long,Longue,@0301;@0506,found,x", "road,High,Haute,@0304;@0704,found,x")
    maker.build(tmp_path / "one")
    maker.build(tmp_path / "two")
    for file in ("map.toml", "hexes.csv", "sides.csv"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


def test_the_map_file_keeps_what_the_map_needs(maker: Maker, tmp_path: Path) -> None:
    maker.build(tmp_path / "out")
    written = tomllib.loads((tmp_path / "out" / "map.toml").read_text(encoding="utf-8"))
    settings = tomllib.loads(SETTINGS)
    assert "sampling" not in written
    for key in ("title_en", "title_fr", "grid", "georeference", "terrains", "features"):
        assert written[key] == settings[key]
