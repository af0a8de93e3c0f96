"""The drawn map: a scene of plain data, an SVG and a PNG of it, always the same for the same board."""

from __future__ import annotations

import json
import math
import struct
import zlib
from collections.abc import Iterator
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from grognard.board import Board, load_board
from grognard.board.draw_curves import chains, noise, outlines, sampled
from grognard.board.draw_labels import Clutter, Rectangle, place, text_box, text_width
from grognard.board.draw_places import stretches
from grognard.board.drawing import Options, Scene, draw
from grognard.board.svg import render_png, render_svg
from grognard.files import Folder
from grognard.hexes import Axial, ring, vertices
from grognard.hexes.geometry import centre

COLUMNS, ROWS = 8, 6
SETTINGS = """
title_en = "Trial sheet"
title_fr = "Feuille d’essai"
[grid]
orientation = "{orientation}"
shifted_parity = 0
columns_grow = "right"
rows_grow = "down"
order = "CCRR"
[[grid.sheets]]
columns = [1, 8]
rows = [1, 6]
[georeference]
hex_km = 12.5
up_bearing = 30.0
[terrains]
clear = {{ en = "Clear ground", fr = "Terrain dégagé" }}
woods = {{ en = "Woods", fr = "Bois" }}
marsh = {{ en = "Marsh", fr = "Marais" }}
hill = {{ en = "Hill", fr = "Colline" }}
sea = {{ en = "Sea", fr = "Mer" }}
[features]
town = {{ kind = "hex", en = "Town", fr = "Ville" }}
major_city = {{ kind = "hex", en = "Great city", fr = "Métropole" }}
village = {{ kind = "hex", en = "Village", fr = "Bourg" }}
supply_axis = {{ kind = "hex", en = "Axis supply", fr = "Ravitaillement de l’Axe" }}
secret_zone = {{ kind = "hex", en = "A zone of the rules", fr = "Une zone des règles" }}
river = {{ kind = "side", en = "River", fr = "Rivière" }}
major_river = {{ kind = "side", en = "Great river", fr = "Fleuve" }}
road = {{ kind = "side", en = "Road", fr = "Route" }}
rail = {{ kind = "side", en = "Railway", fr = "Voie ferrée" }}
sea = {{ kind = "side", en = "Strait", fr = "Détroit" }}
[[labels]]
kind = "water"
en = "Cold Sea"
fr = "Mer froide"
hex = "0101"
"""
TERRAIN = {
    "0101": "sea",
    "0102": "sea",
    "0201": "sea",
    "0301": "sea",
    "0404": "woods",
    "0405": "woods",
    "0604": "marsh",
    "0704": "hill",
}
PLACES = {
    "0303": ("town", "Narva", "Narva"),
    "0503": ("major_city", "Leningrad", "Léningrad"),
    "0603": ("major_city", "Leningrad", "Léningrad"),
    "0305": ("village", "Luga", "Louga"),
    "0706": ("secret_zone|supply_axis", "", ""),
}


def write_map(folder: Path, orientation: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "map.toml").write_text(SETTINGS.format(orientation=orientation), encoding="utf-8")
    lines = ["hex,terrain,features,name_en,name_fr,provenance,source"]
    for column in range(1, COLUMNS + 1):
        for row in range(1, ROWS + 1):
            number = f"{column:02d}{row:02d}"
            features, english, french = PLACES.get(number, ("", "", ""))
            terrain = TERRAIN.get(number, "clear")
            lines.append(f"{number},{terrain},{features},{english},{french},reconstructed,test")
    (folder / "hexes.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    sides = [
        ("0303", "0304", "river", "Luga", "Louga"),
        ("0304", "0403", "river", "Luga", "Louga"),
        ("0403", "0404", "major_river", "Luga", "Louga"),
        ("0303", "0403", "road", "", ""),
        ("0403", "0503", "road", "", ""),
        ("0304", "0305", "rail", "", ""),
        ("0303", "0304", "rail", "", ""),
    ]
    if orientation == "flat":
        sides.append(("0202", "0203", "sea", "", ""))
    rows = ["a,b,feature,name_en,name_fr,provenance,source"]
    rows += [f"{a},{b},{f},{en},{fr},reconstructed,test" for a, b, f, en, fr in sides]
    (folder / "sides.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return folder


@pytest.fixture(params=["flat", "pointy"])
def board(request: pytest.FixtureRequest, tmp_path: Path) -> Board:
    return loaded(tmp_path, request.param)


def loaded(tmp_path: Path, orientation: str) -> Board:
    return load_board(Folder(write_map(tmp_path / orientation, orientation)))


@pytest.fixture
def flat_board(tmp_path: Path) -> Board:
    return loaded(tmp_path, "flat")


def layer(scene: Scene, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = next(x["items"] for x in scene["layers"] if x["name"] == name)
    return found


def texts(scene: Scene, *names: str) -> list[str]:
    return [item["text"] for name in names for item in layer(scene, name) if item["kind"] == "text"]


def numbers_in(value: Any) -> Iterator[float]:
    if isinstance(value, dict):
        for inner in value.values():
            yield from numbers_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from numbers_in(inner)
    elif isinstance(value, float | int):
        yield float(value)


def nearest(points: list[tuple[float, float]], to: tuple[float, float]) -> float:
    return min(math.dist(p, to) for p in points)


def at(board: Board, number: str) -> tuple[float, float]:
    return centre(board.axial(board.cell(number)), board.numbering.flat)


def shared_corners(board: Board, a: str, b: str) -> list[tuple[float, float]]:
    flat = board.numbering.flat
    one = vertices(board.axial(board.cell(a)), flat)
    other = vertices(board.axial(board.cell(b)), flat)
    return [p for p in one if min(math.dist(p, q) for q in other) < 1e-6]


def test_the_scene_is_plain_data_without_odd_numbers(board: Board) -> None:
    scene = draw(board, "en")
    assert json.loads(json.dumps(scene)) == scene
    assert all(math.isfinite(n) for n in numbers_in(scene))
    assert len(scene["hexes"]) == COLUMNS * ROWS


def test_drawing_twice_gives_the_same_bytes(board: Board, tmp_path: Path) -> None:
    orientation = "flat" if board.numbering.flat else "pointy"
    again = load_board(Folder(write_map(tmp_path / "again", orientation)))
    assert render_svg(board, "fr") == render_svg(again, "fr")
    assert render_png(board, "fr", 400) == render_png(again, "fr", 400)


def test_the_svg_is_well_formed_and_carries_its_letters(board: Board) -> None:
    svg = render_svg(board, "en")
    root = ElementTree.fromstring(svg)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "nan" not in svg.split("</style>")[1].lower()
    assert svg.count("@font-face") == 3
    names = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(names) == len(set(names))


def test_a_river_passes_near_both_corners_of_each_side_it_rules(board: Board) -> None:
    scene = draw(board)
    points = [p for item in layer(scene, "river") for p in sampled(item["commands"], 12)]
    for a, b in (("0303", "0304"), ("0304", "0403"), ("0403", "0404")):
        corners = shared_corners(board, a, b)
        assert len(corners) == 2
        for corner in corners:
            assert nearest(points, corner) < 0.2
        middle = (corners[0][0] + corners[1][0]) / 2, (corners[0][1] + corners[1][1]) / 2
        assert nearest(points, middle) < 0.15


def test_a_river_that_grows_is_drawn_in_both_widths_without_a_gap(flat_board: Board) -> None:
    items = layer(draw(flat_board), "river")
    streams = {item["class"].split()[1] for item in items}
    assert streams == {"river", "major_river"}
    ends = [(sampled(i["commands"])[0], sampled(i["commands"])[-1]) for i in items]
    for number, one in enumerate(ends):
        others = [p for k, pair in enumerate(ends) if k != number for p in pair]
        assert min(nearest(others, one[0]), nearest(others, one[1])) < 1e-3


def test_a_road_passes_through_its_towns_and_crosses_the_right_side(board: Board) -> None:
    points = [p for item in layer(draw(board), "road") for p in sampled(item["commands"], 12)]
    assert nearest(points, at(board, "0303")) < 1e-3
    assert nearest(points, at(board, "0503")) < 1e-3
    corners = shared_corners(board, "0403", "0503")
    middle = (corners[0][0] + corners[1][0]) / 2, (corners[0][1] + corners[1][1]) / 2
    assert nearest(points, middle) < 0.2


def test_a_way_over_a_river_gets_a_bridge_on_the_drawn_river(flat_board: Board) -> None:
    scene = draw(flat_board)
    river = [p for item in layer(scene, "river") for p in sampled(item["commands"], 12)]
    bridges = [item for item in layer(scene, "crossing") if item["class"].startswith("bridge")]
    assert len(bridges) == 1
    spots = [p for line in bridges[0]["lines"] for p in line]
    x, y = sum(p[0] for p in spots) / len(spots), sum(p[1] for p in spots) / len(spots)
    assert nearest(river, (x, y)) < 0.05


def test_the_coast_is_round_and_keeps_near_the_hexes(flat_board: Board) -> None:
    shore = layer(draw(flat_board), "coast")
    assert {command[0] for item in shore for command in item["commands"]} == {"M", "Q", "Z"}
    points = [p for item in shore for p in sampled(item["commands"], 6)]
    for corner in shared_corners(flat_board, "0201", "0202"):
        assert nearest(points, corner) < 0.3


def test_an_all_sea_side_between_land_hexes_is_water(flat_board: Board) -> None:
    corners = shared_corners(flat_board, "0202", "0203")
    middle = (corners[0][0] + corners[1][0]) / 2, (corners[0][1] + corners[1][1]) / 2
    waters = [sampled(i["commands"], 6) for i in layer(draw(flat_board), "water")]
    assert any(inside(middle, shape) for shape in waters)


def inside(p: tuple[float, float], shape: list[tuple[float, float]]) -> bool:
    odd = False
    for a, b in zip(shape, [*shape[1:], shape[0]], strict=True):
        if (a[1] > p[1]) != (b[1] > p[1]) and p[0] < (b[0] - a[0]) * (p[1] - a[1]) / (b[1] - a[1]) + a[0]:
            odd = not odd
    return odd


def test_each_language_shows_its_own_names_and_legend(board: Board) -> None:
    english, french = draw(board, "en"), draw(board, "fr")
    assert "Leningrad" in texts(english, "name")
    assert "Léningrad" in texts(french, "name")
    assert "Luga" in texts(english, "name")
    assert "Louga" in texts(french, "name")
    assert texts(english, "water-name")[0] == "Cold Sea"
    assert texts(french, "water-name")[0] == "Mer froide"
    assert "Great river" in texts(english, "legend")
    assert "Fleuve" in texts(french, "legend")
    assert "1 hex = 12.5 km" in texts(english, "title")
    assert "1 hexagone = 12,5 km" in texts(french, "title")
    assert render_svg(board, "en") != render_svg(board, "fr")


def test_a_place_of_two_hexes_is_named_once(board: Board) -> None:
    assert texts(draw(board), "name").count("Leningrad") == 1


def test_a_zone_that_only_rules_speak_of_is_not_drawn(board: Board) -> None:
    scene = draw(board)
    assert "A zone of the rules" not in texts(scene, "legend")
    assert "Axis supply" in texts(scene, "legend")


def test_bigger_places_have_more_houses(board: Board) -> None:
    blocks = {
        item["class"]: len(item["polygons"])
        for item in layer(draw(board), "town")
        if item["kind"] == "polygons"
    }
    assert blocks["block rank1"] < blocks["block rank2"] < blocks["block rank4"]


def test_numbers_names_and_furniture_can_be_left_out(board: Board) -> None:
    bare = draw(board, "en", Options(numbers=False, names=False, furniture=False))
    for name in ("number", "name", "water-name", "title", "legend"):
        assert layer(bare, name) == []
    full = draw(board)
    assert sorted(texts(full, "number")) == sorted(board.number(c) for c in board.cells)


def test_names_do_not_cover_each_other(board: Board) -> None:
    boxes = [
        text_box(i["x"], i["y"], text_width(i["text"], i["size"]), i["size"], i["anchor"])
        for i in layer(draw(board), "name")
    ]
    for number, one in enumerate(boxes):
        assert all(one.overlap(other) == 0 for other in boxes[number + 1 :])


def test_a_name_goes_where_there_is_room() -> None:
    clutter = Clutter(Rectangle(0, 0, 10, 10))
    free = place(clutter, (5, 5), (0.2, 0.2), 1.0, 0.25)
    assert free.anchor == "start"
    clutter.add_box(Rectangle(5.2, 4, 8, 6), 100)
    assert place(clutter, (5, 5), (0.2, 0.2), 1.0, 0.25).box.overlap(Rectangle(5.2, 4, 8, 6)) < 0.1
    at_edge = place(Clutter(Rectangle(0, 0, 10, 10)), (9.8, 5), (0.2, 0.2), 1.0, 0.25)
    assert at_edge.box.right <= 10


def test_the_north_arrow_turns_against_the_bearing_of_the_top(board: Board) -> None:
    dark = next(i for i in layer(draw(board), "title") if i["class"] == "north dark")
    tip, _, notch = dark["polygons"][0]
    turn = math.degrees(math.atan2(tip[0] - notch[0], notch[1] - tip[1]))
    assert turn == pytest.approx(-30.0, abs=0.1)


def test_the_png_decodes_with_the_asked_width_and_shows_letters(board: Board) -> None:
    scene = draw(board)
    left, top, right, bottom = scene["box"]
    width, height, rows = decoded(render_png(board, "en", 640))
    assert width == 640
    assert height == pytest.approx(640 * (bottom - top) / (right - left), abs=2)
    assert len(rows) == height * (1 + width * 4)
    nameless = render_png(board, "en", 640, Options(names=False))
    assert decoded(nameless)[2] != rows


def decoded(png: bytes) -> tuple[int, int, bytes]:
    """Width, height and filtered pixel rows of an eight-bit RGBA picture."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    width, height, depth, colour = struct.unpack(">IIBB", png[16:26])
    assert (depth, colour) == (8, 6)
    data, place_ = b"", 8
    while place_ < len(png):
        length, kind = struct.unpack(">I4s", png[place_ : place_ + 8])
        if kind == b"IDAT":
            data += png[place_ + 8 : place_ + 8 + length]
        place_ += 12 + length
    return width, height, zlib.decompress(data)


def test_outlines_go_round_islands_and_holes() -> None:
    around = set(ring(Axial(0, 0), 1))
    loops = outlines(around, flat=True)
    assert sorted(len(loop) for loop in loops) == [6, 18]
    assert [len(loop) for loop in outlines({Axial(0, 0), Axial(5, 5)}, flat=False)] == [6, 6]


def test_chains_cover_every_edge_once() -> None:
    a, b, c, d, e = (Axial(i, 0) for i in range(5))
    edges = {(a, b): "", (b, c): "", (c, d): "", (b, e): ""}
    lines = chains(edges, lambda x, node, y: 1.0 if e not in (x, y) else 0.5)
    walked = [(min(x, y), max(x, y)) for line in lines for x, y in pairwise(line)]
    assert sorted(walked) == sorted(edges)
    assert max(len(line) for line in lines) == 4
    loop = {(a, b): "", (b, c): "", (a, c): ""}
    assert len(chains(loop, lambda _x, _n, _y: 1.0)) == 1


def test_noise_stays_in_its_range_and_keeps_its_word() -> None:
    values = [noise(x / 7, x / 3, "t") for x in range(500)]
    assert all(-1 <= v < 1 for v in values)
    assert abs(sum(values) / len(values)) < 0.2
    assert noise(1.0, 2.0, "t") == noise(1.0, 2.0, "t") != noise(1.0, 2.0, "u")


def test_letter_widths_are_those_of_the_shipped_faces() -> None:
    fonts = pytest.importorskip("fontTools.ttLib")
    folder = files("grognard.board") / "fonts"
    said = json.loads((folder / "metrics.json").read_text(encoding="utf-8"))
    for face, widths in said.items():
        font = fonts.TTFont(str(folder / f"alegreya-map-{face}.ttf"))
        glyphs = font.getBestCmap()
        assert widths == {chr(c): font["hmtx"][glyph][0] for c, glyph in glyphs.items()}
        assert set("éèêëàâçîïôùûœŒÉ’ēūāžšīļņģķ0123456789") <= set(widths)


@pytest.mark.parametrize("offset", [-0.1, 0.2])
def test_the_name_of_a_river_keeps_its_letters_on_the_inner_side_of_a_bend(offset: float) -> None:
    bend = [(math.cos(k * math.pi / 12) * 0.6, math.sin(k * math.pi / 12) * 0.6) for k in range(25)]
    found = list(stretches(bend, 0.8, offset))
    assert found
    for _, _, base in found:
        assert sum(math.dist(a, b) for a, b in pairwise(base)) >= 0.8
