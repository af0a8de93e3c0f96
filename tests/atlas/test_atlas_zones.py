"""Owners by town and border, zones by area, districts by the nearest town, coasts, and ways of two ranks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grognard.atlas import AtlasError
from tests.atlas.test_atlas_build import SETTINGS, Maker

MORE = """
[sampling]
land = "land.geojson"
lakes = ["lakes.geojson"]
coast = "coastal"
route = "sea_route"
route_min_sea = 0.1
lake_min_land = 0.3
[[sampling.seeds]]
file = "towns.csv"
column = "country"
borders = "borders.geojson"
[sampling.seeds.gives]
AA = "country_a"
BB = "country_b"
[areas]
everywhere = ["cold", "warm"]
at_sea = ["ocean"]
[snapping]
ranks = [["rail_high", "rail_low"]]
"""
WORDS = """
coastal = { en = "Coast", fr = "Côte", kind = "hex" }
country_a = { en = "A", fr = "A", kind = "hex", group = "country" }
country_b = { en = "B", fr = "B", kind = "hex", group = "country" }
district_n = { en = "N", fr = "N", kind = "hex", group = "district" }
district_s = { en = "S", fr = "S", kind = "hex", group = "district" }
cold = { en = "Cold", fr = "Froid", kind = "hex", group = "weather" }
warm = { en = "Warm", fr = "Chaud", kind = "hex", group = "weather" }
ocean = { en = "Ocean", fr = "Océan", kind = "hex", group = "sea" }
sea_route = { en = "Route", fr = "Route", kind = "side" }
rail_high = { en = "Main", fr = "Grande ligne", kind = "side", draw = "rail" }
rail_low = { en = "Branch", fr = "Petite ligne", kind = "side", draw = "rail" }
[sampling]"""


@pytest.fixture
def maker(tmp_path: Path) -> Maker:
    """The small map with zones: a border along x = 45 km, one town on either side of it."""
    made = Maker(tmp_path)
    head, _, _ = SETTINGS.partition("[sampling]")
    settings = head + WORDS.replace("[sampling]", MORE.split("[sampling]", 1)[0]) + "[sampling]"
    settings += MORE.split("[sampling]", 1)[1]
    (made.overlay / "atlas.toml").write_text(settings, encoding="utf-8")
    rows = ["name,country,lat,lon,population"]
    for name, country, x in (("Aville", "AA", 25), ("Bburg", "BB", 52)):
        lon, lat = made.frame.degrees((x, -30))
        rows.append(f"{name},{country},{lat},{lon},9000")
    (made.geodata / "towns.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    line = [made.frame.degrees((45, y)) for y in (-200, 200)]
    border = {"type": "Feature", "properties": {}, "geometry": {"type": "LineString", "coordinates": line}}
    text = json.dumps({"type": "FeatureCollection", "features": [border]})
    (made.geodata / "borders.geojson").write_text(text, encoding="utf-8")
    return made


def features(row: dict[str, str]) -> set[str]:
    return set(row["features"].split("|")) - {""}


def test_a_hex_belongs_to_the_nearest_town_on_its_side_of_the_border(maker: Maker, tmp_path: Path) -> None:
    hexes, _ = maker.build(tmp_path / "out")
    # 0403 lies at 34.6 km, nearer to Bburg's side of the middle but on Aville's side of the border.
    assert "country_a" in features(hexes["0403"])
    assert "country_b" in features(hexes["0603"]) and "country_b" in features(hexes["0803"])
    assert not any("country" in word for word in features(hexes["0101"])), "water belongs to nobody"
    for row in hexes.values():
        assert len(features(row) & {"country_a", "country_b"}) == (row["terrain"] != "sea")


def test_zones_of_a_group_replace_each_other_and_may_cover_water(maker: Maker, tmp_path: Path) -> None:
    def ring(*box: float) -> str:
        return ";".join(f"{lon:.4f} {lat:.4f}" for lon, lat in maker.box(*box)[:4])

    maker.write(
        "areas",
        f"warm,all,{ring(-50, -100, 200, 50)},found,all",
        f"cold,north,{ring(-50, -30, 200, 50)},found,north",
        f"ocean,sea,{ring(-50, -100, 200, 50)},found,sea",
    )
    hexes, _ = maker.build(tmp_path / "out")
    assert "cold" in features(hexes["0101"]) and "warm" not in features(hexes["0101"])
    assert "warm" in features(hexes["0106"]) and "warm" in features(hexes["0806"])
    assert "ocean" in features(hexes["0103"]), "open sea"
    assert "ocean" in features(hexes["0203"]) and "coastal" in features(hexes["0203"])
    assert "ocean" not in features(hexes["0503"])


def test_districts_share_a_country_out_by_the_nearest_town(maker: Maker, tmp_path: Path) -> None:
    north, south = (maker.frame.degrees((30, y)) for y in (-15, -55))
    (maker.overlay / "districts.csv").write_text(
        "feature,within,towns,provenance,source\n"
        f"district_n,country_a,{north[0]} {north[1]},reconstructed,by hand\n"
        f"district_s,country_a,Southtown,reconstructed,by hand\n",
        encoding="utf-8",
    )
    maker.write("places", f"Southtown,Sudville,,{south[1]},{south[0]},,found,atlas")
    hexes, _ = maker.build(tmp_path / "out")
    assert "district_n" in features(hexes["0301"]) and "district_s" in features(hexes["0306"])
    assert not features(hexes["0703"]) & {"district_n", "district_s"}, "another country"
    maker.write("hexes", "0301,,-district_n|+district_s,,,reconstructed,a single hex wins")
    hexes, _ = maker.build(tmp_path / "again")
    assert features(hexes["0301"]) & {"district_n", "district_s"} == {"district_s"}


def test_coasts_have_routes_between_them(maker: Maker, tmp_path: Path) -> None:
    # The shore runs through the middle of column 02 and of the sides between its hexes.
    maker.polygons("land", [(maker.box(17, -200, 200, 200), {})])
    hexes, sides = maker.build(tmp_path / "out")
    coast = {number for number, row in hexes.items() if "coastal" in features(row)}
    assert coast and all(hexes[number]["terrain"] == "clear" for number in coast)
    routes = [(a, b) for a, b, feature in sides if feature == "sea_route"]
    assert routes and all({a, b} <= coast for a, b in routes)


def test_a_lake_may_need_less_water_than_the_sea(maker: Maker, tmp_path: Path) -> None:
    # Three quarters of 0503.
    maker.polygons("lakes", [(maker.box(36, -34, 50.5, -26.8), {"status": "keep"})])
    hexes, _ = maker.build(tmp_path / "out")
    assert hexes["0503"]["terrain"] == "lake"


def test_of_two_ways_on_one_side_the_better_stays(maker: Maker, tmp_path: Path) -> None:
    maker.write(
        "lines",
        "rail_low,,,@0402;@0502;@0602;@0702,found,branch",
        "rail_high,,,@0502;@0602,found,main",
    )
    _, sides = maker.build(tmp_path / "out")
    kinds = {(a, b): feature for a, b, feature in sides if feature.startswith("rail")}
    assert kinds == {
        ("0402", "0502"): "rail_low",
        ("0502", "0602"): "rail_high",
        ("0602", "0702"): "rail_low",
    }


def test_every_faulty_line_is_named_at_once(maker: Maker, tmp_path: Path) -> None:
    maker.write("lines", "rail_low,,,Nowhere;@0502,found,x", "river,Lost,Perdue,@0502;~Nile,found,x")
    with pytest.raises(AtlasError) as caught:
        maker.build(tmp_path / "out")
    assert "Lost" in str(caught.value) and "Nowhere" in str(caught.value)


def test_a_district_without_towns_is_refused(maker: Maker, tmp_path: Path) -> None:
    (maker.overlay / "districts.csv").write_text(
        "feature,within,towns,provenance,source\ndistrict_n,country_a,,reconstructed,by hand\n",
        encoding="utf-8",
    )
    with pytest.raises(AtlasError, match="has no town"):
        maker.build(tmp_path / "out")
