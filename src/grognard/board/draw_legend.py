"""What surrounds the map on paper: title, legend, scale and north arrow."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from grognard.board import draw_symbols as symbols
from grognard.board import vocabulary
from grognard.board.board import Board
from grognard.board.draw_canvas import area, drawn_as
from grognard.board.draw_curves import Command, Point, round_loop, round_shape, through
from grognard.board.draw_labels import Rectangle, text_width
from grognard.board.draw_symbols import TEXTURES, Item
from grognard.hexes import Axial, vertices

WORDS = {
    "en": {"scale": "1 hex = {km} km", "north": "N", "legend": "Legend"},
    "fr": {"scale": "1 hexagone = {km} km", "north": "N", "legend": "Légende"},
}


def furnish(board: Board, language: str, frame: Rectangle, layers: Mapping[str, list[Item]]) -> Rectangle:
    """Draw round the frame and return the whole canvas. Everything grows with the map, so that a printed
    sheet of any map has the same look."""
    k = max(0.6, (frame.right - frame.left) / 30)
    margin = 0.5 * k
    _title(board, language, frame, k, layers["title"])
    bottom = _legend(board, language, frame, k, layers["legend"])
    credit = str(board.settings.get(f"credit_{language}") or board.settings.get("credit_en") or "")
    if credit:
        layers["legend"].append(symbols.text("credit", credit, frame.right, bottom + 0.2 * k, 0.2 * k, "end"))
    return Rectangle(frame.left - margin, frame.top - 1.6 * k, frame.right + margin, bottom + 0.35 * k)


def title(board: Board, language: str) -> str:
    return str(board.settings.get(f"title_{language}") or board.settings.get("title_en") or "")


def _number(value: float, language: str) -> str:
    shown = f"{value:.0f}" if value >= 20 else f"{value:.1f}".removesuffix(".0")
    return shown.replace(".", ",") if language == "fr" else shown


def _title(board: Board, language: str, frame: Rectangle, k: float, out: list[Item]) -> None:
    name = title(board, language)
    base = frame.top - 0.42 * k
    ground: Mapping[str, Any] = board.settings.get("georeference", {})
    right = frame.right - 0.45 * k
    out.extend(_north(right, frame.top - 0.72 * k, 0.46 * k, float(ground.get("up_bearing", 0.0)), language))
    hex_km = float(ground.get("hex_km", 0.0))
    if hex_km > 0:
        right = _scale(hex_km, right - 1.0 * k, base, k, language, out)
    room = right - 0.8 * k - frame.left
    size = min(0.8 * k, 0.8 * k * room / text_width(name, 0.8 * k, "bold")) if name else 0.0
    out.append(symbols.text("title", name, frame.left + 0.05 * k, base, size, "start"))


def _north(x: float, y: float, size: float, up_bearing: float, language: str) -> list[Item]:
    """The top of the sheet looks towards `up_bearing` (degrees clockwise from north)."""
    turn = math.radians(-up_bearing)
    c, s = math.cos(turn), math.sin(turn)

    def spot(u: float, v: float) -> Point:
        return x + size * (u * c - v * s), y + size * (u * s + v * c)

    halves = [[spot(0, -1), spot(0.36, 0.75), spot(0, 0.42)], [spot(0, -1), spot(-0.36, 0.75), spot(0, 0.42)]]
    tip = spot(0.0, -1.28)
    letter = symbols.text("north-letter", WORDS[language]["north"], tip[0], tip[1] + 0.1 * size, 0.62 * size)
    return [symbols.polygons("north dark", [halves[0]]), symbols.polygons("north light", [halves[1]]), letter]


def _scale(hex_km: float, right: float, base: float, k: float, language: str, out: list[Item]) -> float:
    """Draws the bar and says where it begins."""
    step = min((s for s in (5, 10, 20, 25, 50, 100, 200) if s / hex_km >= 1.2 * k), default=200)
    length = step / hex_km
    left = right - 2 * length
    top = base - 0.16 * k
    for i in range(4):
        a, b = left + i * length / 2, left + (i + 1) * length / 2
        bar = [(a, top), (b, top), (b, top + 0.11 * k), (a, top + 0.11 * k)]
        out.append(symbols.polygons("scale dark" if i % 2 == 0 else "scale light", [bar]))
    for i in range(3):
        shown = f"{i * step} km" if i == 2 else str(i * step)
        out.append(symbols.text("scale-number", shown, left + i * length, top - 0.09 * k, 0.26 * k))
    words = WORDS[language]["scale"].format(km=_number(hex_km, language))
    out.append(symbols.text("scale-words", words, left + length, top + 0.37 * k, 0.26 * k))
    return left


def _entries(board: Board) -> list[tuple[str, str]]:
    """What the map uses of its vocabulary, in the order in which map.toml declares it."""
    terrains = {info.terrain for info in board.info.values()}
    on_hexes = {f for info in board.info.values() for f in info.features}
    on_sides = {f for found in board.sides.values() for f in found}
    entries = [("terrain", t) for t in board.settings.get("terrains", {}) if t in terrains]
    for feature, said in board.settings.get("features", {}).items():
        if feature in terrains or said.get("group") in board.settings.get("groups", {}):
            continue
        if said.get("kind") == "hex" and feature in on_hexes and drawn_as(board, feature) != "none":
            entries.append(("hex", feature))
        elif said.get("kind") == "side" and feature in on_sides and drawn_as(board, feature) != "none":
            entries.append(("side", feature))
    return entries + [("zone", group) for group in board.settings.get("groups", {})]


def legend_entries(board: Board, language: str) -> list[tuple[str, str, str]]:
    """What the map uses of its vocabulary: what it is (terrain, hex, side, zone), its word, and its name."""
    tables = {"terrain": board.settings.get("terrains", {}), "zone": board.settings.get("groups", {})}
    features = board.settings.get("features", {})
    return [
        (kind, word, str(said.get(language) or said.get("en") or word))
        for kind, word in _entries(board)
        for said in (tables.get(kind, features)[word],)
    ]


def _legend(board: Board, language: str, frame: Rectangle, k: float, out: list[Item]) -> float:
    entries = legend_entries(board, language)
    size, wide, high = 0.3 * k, 1.0 * k, 0.84 * k
    words = [name for _, _, name in entries]
    room = frame.right - frame.left
    fixed = wide + 0.5 * k
    columns = _columns([fixed + text_width(w, size) for w in words], room)
    gap = (room - sum(width for _, width in columns)) / max(1, len(columns) - 1) if len(columns) > 1 else 0.0
    top, rows = frame.bottom + 0.35 * k, max((len(column) for column, _ in columns), default=0)
    left = frame.left
    for column, width in columns:
        for row, index in enumerate(column):
            kind, word, _ = entries[index]
            x, y = left + wide / 2, top + row * high + high / 2
            out.extend(swatch(board, kind, word, x, y, 0.72 * k))
            words_at = left + wide + 0.1 * k
            out.append(symbols.text("legend-text", words[index], words_at, y + size * 0.3, size, "start"))
        left += width + gap
    return top + rows * high


def _columns(widths: list[float], room: float) -> list[tuple[list[int], float]]:
    """Share entries out among as many columns as find room, each as wide as its longest entry."""
    count = len(widths)
    for wanted in range(count, 0, -1):
        rows = math.ceil(count / wanted)
        columns = [list(range(i, min(i + rows, count))) for i in range(0, count, rows)]
        sized = [(column, max(widths[i] for i in column)) for column in columns]
        if sum(width for _, width in sized) <= room or wanted == 1:
            return sized
    return []


def swatch(board: Board, kind: str, word: str, x: float, y: float, scale: float) -> list[Item]:
    flat = board.numbering.flat
    items: list[Item] = []
    corners = [(cx, cy) for cx, cy in vertices(Axial(0, 0), flat)]
    if kind == "terrain" or word in TEXTURES:
        wet = word in ("sea", "lake")
        items.append(symbols.polygons(f"water {word}" if wet else f"tint {word}", [corners]))
        texture = TEXTURES.get(word)
        items.extend(texture((0.0, 0.0), flat) if texture else [])
        items.append(symbols.polygons("swatch-edge", [corners]))
    elif kind == "zone" and "mark" in board.settings["groups"][word]:
        items.extend(symbols.mark(str(board.settings["groups"][word]["mark"]), 0.0, 0.0, 0.22, (1.0, 0.0)))
    elif kind == "zone":
        line: list[Command] = [["M", -0.48, 0.0], ["L", 0.48, 0.0]]
        rank = board.settings["groups"][word].get("rank", 1)
        items.append(symbols.path(f"zone {word} rank{rank}", line))
    elif kind == "hex" and vocabulary.kind(board.settings, word) == "town":
        rank = vocabulary.rank(board.settings, word)
        if rank >= 3:
            items.append(symbols.built_up((0.0, 0.0), rank))
        items.append(symbols.houses((0.0, 0.0), rank))
        if word.startswith("victory"):
            items.extend(symbols.mark(word, 0.3, -0.2))
    elif kind == "hex":
        if drawn_as(board, word) == "area":
            loop = round_loop([(cx * 0.9, cy * 0.8) for cx, cy in corners], 0.1, 0.0)
            items += area(board, word, loop)
        elif drawn_as(board, word) == "sign":
            looks = vocabulary.kind(board.settings, word)
            items.extend(symbols.sign(looks, vocabulary.rank(board.settings, word), 0.0, 0.0, 0.22))
        else:
            whose = vocabulary.camp(board.settings, word)
            items.extend(symbols.mark(word, 0.0, 0.0, 0.22, (1.0, 0.0), whose))
    else:
        items.extend(_line(board, word))
    return [_moved(item, x, y, scale) for item in items]


def _line(board: Board, word: str) -> list[Item]:
    kind, rank = vocabulary.kind(board.settings, word), vocabulary.rank(board.settings, word)
    wave: list[Command] = through([(-0.5, 0.06), (-0.2, -0.07), (0.15, 0.06), (0.5, -0.06)])
    if kind in ("river", "canal"):
        return [symbols.path(f"stream {word}", wave)]
    if kind == "water":
        arm = round_shape([(-0.5, 0.0), (-0.2, 0.12), (0.2, 0.07), (0.5, 0.02), (0.2, -0.07), (-0.2, -0.09)])
        return [symbols.path("shore", arm), symbols.path(f"water {word}", arm)]
    if kind == "road":
        return [symbols.path(f"casing {word}", wave), symbols.path(f"way {word}", wave)]
    if kind == "rail":
        big = " rank2" if rank > 1 else ""
        return [symbols.path(f"track{big}", wave), symbols.path(f"ties{big}", wave)]
    straight: list[Command] = [["M", -0.45, 0.0], ["L", 0.45, 0.0]]
    if kind == "rampart":
        teeth = [[(x, -0.07), (x, 0.07)] for x in (-0.3, -0.15, 0.0, 0.15, 0.3)]
        wall = symbols.strokes(f"barrier {word}", [[(-0.45, 0.0), (0.45, 0.0)]])
        return [wall, symbols.strokes("rampart-teeth", teeth)]
    if kind == "ridge":
        return symbols.ridge([((-0.45, 0.05), (0.45, 0.05))], rank)
    if kind == "strait":
        return [symbols.strokes("strait", [[(-0.45, 0.0), (0.45, 0.0)]])]
    if kind == "causeway":
        return [symbols.strokes("causeway", symbols.bridge((0.0, 0.0), (1.0, 0.0), 0.09, 0.25))]
    if kind == "bridge":
        river: list[Command] = through([(0.05, -0.4), (-0.04, -0.1), (0.04, 0.1), (-0.03, 0.4)])
        return [
            symbols.path("stream river", river),
            symbols.path("casing road", straight),
            symbols.path("way road", straight),
            symbols.strokes("bridge", symbols.bridge((0.0, 0.0), (1.0, 0.0), 0.06, 0.13)),
        ]
    if kind == "ferry":
        return [symbols.path("ferry", straight), symbols.polygons("boat", [symbols.boat((0.0, 0.0))])]
    return [symbols.strokes(f"barrier {word}", [[(-0.45, 0.0), (0.45, 0.0)]])]


def _moved(item: Item, x: float, y: float, scale: float) -> Item:
    """The item as a swatch: moved, and scaled together with its pen."""
    return {**item, "move": [x, y, scale]}
