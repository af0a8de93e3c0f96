"""Our own maps drawn: nothing that matters is hidden, and every river says its name."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import grognard.games
from grognard.board import Board, load_board
from grognard.board.draw_curves import sampled
from grognard.board.draw_labels import Rectangle, text_box, text_width
from grognard.board.drawing import Scene, draw
from grognard.files import Folder
from grognard.hexes.geometry import centre

GAMES = Path(grognard.games.__file__).parent
MAPS = ("leningrad", "a_victory_lost", "stalingrad_roads")
BOLD = ("rank3", "rank4")


@cache
def board(game: str) -> Board:
    return load_board(Folder(GAMES / game / "map"))


@cache
def scene(game: str, language: str) -> Scene:
    return draw(board(game), language)


def items(game: str, language: str, layer: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = next(
        x["items"] for x in scene(game, language)["layers"] if x["name"] == layer
    )
    return found


def name_boxes(game: str, language: str) -> dict[str, Rectangle]:
    """Where the names of places stand."""
    boxes = {}
    for item in items(game, language, "name"):
        style, words = str(item["class"]), str(item["text"])
        if style.startswith("place"):
            x, y, size = (float(str(item[key])) for key in ("x", "y", "size"))
            face = "bold" if style.endswith(BOLD) else "regular"
            boxes[words] = text_box(x, y, text_width(words, size, face), size, str(item["anchor"]))
    return boxes


def share(one: Rectangle, other: Rectangle) -> float:
    """How much of the second box the first one covers."""
    return one.overlap(other) / ((other.right - other.left) * (other.bottom - other.top))


@pytest.mark.parametrize("game", MAPS)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_river_is_named(game: str, language: str) -> None:
    written = {str(item["text"]) for item in items(game, language, "water-name")}
    rivers = {
        found[feature].names[language]
        for found in board(game).sides.values()
        for feature in ("river", "major_river")
        if feature in found
    }
    assert rivers <= written


def test_a_long_river_is_named_more_than_once() -> None:
    written = [str(item["text"]) for item in items("a_victory_lost", "en", "water-name")]
    assert written.count("Don") >= 4


@pytest.mark.parametrize("game", MAPS)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_place_is_named_and_no_name_covers_another(game: str, language: str) -> None:
    boxes = name_boxes(game, language)
    named = {
        info.names[language] for info in board(game).info.values() if info.names and info.terrain != "lake"
    }
    assert named <= boxes.keys() | {str(i["text"]) for i in items(game, language, "water-name")}
    for words, box in boxes.items():
        for other, there in boxes.items():
            assert words == other or share(box, there) < 0.08, (words, other)


@pytest.mark.parametrize("game", MAPS)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_no_name_hides_a_star_or_a_supply_source(game: str, language: str) -> None:
    for item in items(game, language, "mark"):
        shapes = item.get("polygons") or []
        assert isinstance(shapes, list)
        for shape in shapes:
            xs, ys = [p[0] for p in shape], [p[1] for p in shape]
            sign = Rectangle(min(xs), min(ys), max(xs), max(ys))
            for words, box in name_boxes(game, language).items():
                assert share(box, sign) < 0.35, words


@pytest.mark.parametrize("game", MAPS)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_no_name_hides_another_town(game: str, language: str) -> None:
    """A name may touch the outskirts of a neighbour, not stand on it."""
    map_ = board(game)
    towns = {
        info.names[language]: centre(map_.axial(cell), map_.numbering.flat)
        for cell, info in map_.info.items()
        if info.names and info.terrain not in ("sea", "lake")
    }
    for words, box in name_boxes(game, language).items():
        hidden = [other for other, at in towns.items() if other != words and box.holds(at)]
        assert not hidden, (words, hidden)


def test_a_river_keeps_its_width_where_it_flows_into_a_strait() -> None:
    """The Velikaya ends on the narrow arm of Lake Peipus: that end is a mouth, not a source."""
    leningrad = board("leningrad")
    x, y = centre(leningrad.axial(leningrad.cell("1809")), leningrad.numbering.flat)
    thin = [
        point
        for item in next(x for x in scene("leningrad", "en")["layers"] if x["name"] == "river")["items"]
        if item["class"].endswith("source")
        for point in sampled(item["commands"])
    ]
    assert thin
    assert not any(abs(px - x) < 1 and abs(py - y) < 1 for px, py in thin)
