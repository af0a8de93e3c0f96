"""From a board to a scene: what to draw, where and in which style, without saying how.

A scene is plain data (dicts, lists, numbers, strings), ready for JSON. The SVG and PNG pictures are made from
it, and so is the page. One unit is the width of a hex across its flat sides; x grows to the right and y
downwards. A scene has a `box` (the whole sheet), a `frame` (the map proper), `hexes` (one entry a hex, for
whoever points at them) and `layers`, to be drawn in their order. Each layer has a `name`, a list of `items`
(see draw_symbols) and `clip`, which is true where drawing stops at the frame. Style classes are those of
map.css, whose lengths are hundredths of a hex.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from grognard.board import draw_legend
from grognard.board import draw_symbols as symbols
from grognard.board.board import Board
from grognard.board.draw_curves import (
    Command,
    Key,
    Point,
    chains,
    key,
    mix,
    outlines,
    river_controls,
    round_loop,
    sampled,
    shaken,
    side,
    spline,
    spline_knots,
    through,
)
from grognard.board.draw_labels import Box, Clutter, boxes_along, place, text_box, text_width
from grognard.board.draw_symbols import TEXTURES, TOWN_CLEAR, TOWN_RANKS, Item
from grognard.board.loading import WATER
from grognard.hexes import DIRECTIONS, Axial, neighbour, vertices
from grognard.hexes.geometry import centre

Scene = dict[str, Any]

LAYERS = (
    "paper",
    "ground",
    "texture",
    "coast",
    "river",
    "water",
    "area",
    "barrier",
    "grid",
    "veil",
    "road-casing",
    "road",
    "rail",
    "crossing",
    "town",
    "number",
    "mark",
    "water-name",
    "name",
    "frame",
    "title",
    "legend",
)
UNCLIPPED = frozenset({"paper", "frame", "title", "legend"})
RIVERS = ("river", "major_river")
ROADS = ("road", "main_road")
RAILS = ("rail",)
AREAS = frozenset({"east_prussia", "pocket"})
NAME_SIZES = {0: 0.20, 1: 0.20, 2: 0.235, 3: 0.285, 4: 0.34}


@dataclass(frozen=True)
class Options:
    """What the reader wants to see."""

    numbers: bool = True
    names: bool = True
    furniture: bool = True
    """Title, legend, scale and north arrow: wanted on paper, not on the page."""


@dataclass
class _Sheet:
    """What the steps of drawing share."""

    board: Board
    language: str
    options: Options
    flat: bool
    terrain: dict[Axial, str]
    """The map's own hexes and a margin of guessed ones, so that coasts run out of the frame."""
    here: dict[Axial, int]
    at_corner: dict[Key, list[Axial]]
    frame: Box
    layers: dict[str, list[Item]] = field(default_factory=lambda: {name: [] for name in LAYERS})
    lines: list[tuple[list[Point], float]] = field(default_factory=list)
    """Points of drawn lines with the price that a name pays for lying on them."""
    signs: list[tuple[Box, float]] = field(default_factory=list)
    crossings: dict[tuple[Axial, Axial], Point] = field(default_factory=dict)
    """Where the drawn river passes the middle of each side that it rules."""
    courses: list[tuple[str, list[Point], str]] = field(default_factory=list)
    """Named rivers: name, points in order, class."""

    def add(self, layer: str, *items: Item) -> None:
        self.layers[layer].extend(items)

    def centre(self, hex_: Axial) -> Point:
        return centre(hex_, self.flat)

    def sides(self, *features: str) -> dict[tuple[Axial, Axial], tuple[str, str, str]]:
        """Sides with one of these features: the feature, an identity of its name and its shown name."""
        found = {}
        for (a, b), here in sorted(self.board.sides.items()):
            for feature in features:
                if feature in here:
                    pair = sorted((self.board.axial(a), self.board.axial(b)))
                    names = here[feature].names
                    ident = names.get("en") or names.get("fr") or ""
                    found[pair[0], pair[1]] = feature, ident, names.get(self.language) or ident
        return found

    def rank(self, hex_: Axial) -> int:
        cell = self.here.get(hex_)
        if cell is None:
            return 0
        return max((TOWN_RANKS.get(f, 0) for f in self.board.info[cell].features), default=0)


def draw(board: Board, language: str = "en", options: Options | None = None) -> Scene:
    """The scene of a map."""
    sheet = _prepare(board, language, options or Options())
    _ground(sheet)
    _rivers(sheet)
    _water(sheet)
    _areas(sheet)
    _barriers(sheet)
    _grid(sheet)
    _ways(sheet)
    _towns(sheet)
    _marks(sheet)
    _numbers(sheet)
    if sheet.options.names:
        _names(sheet)
    box = sheet.frame.grown(0.35)
    sheet.add("frame", symbols.polygons("neat-line", [_corners(sheet.frame)]))
    if sheet.options.furniture:
        box = draw_legend.furnish(board, language, sheet.frame, sheet.layers)
    sheet.add("paper", symbols.polygons("paper", [_corners(box)]))
    return {
        "schema": 1,
        "unit": "hex width across flats",
        "language": language,
        "title": title(board, language),
        "flat": sheet.flat,
        "box": list(box),
        "frame": list(sheet.frame),
        "hexes": [
            {
                "hex": board.number(cell),
                "centre": list(sheet.centre(board.axial(cell))),
                "terrain": board.info[cell].terrain,
                "features": sorted(board.info[cell].features),
                "name": board.name(cell, language),
            }
            for cell in board.cells
        ],
        "layers": [
            {"name": name, "clip": name not in UNCLIPPED, "items": sheet.layers[name]} for name in LAYERS
        ],
    }


def title(board: Board, language: str) -> str:
    return str(board.settings.get(f"title_{language}") or board.settings.get("title_en") or "")


def _corners(box: Box) -> list[Point]:
    return [(box.left, box.top), (box.right, box.top), (box.right, box.bottom), (box.left, box.bottom)]


def _prepare(board: Board, language: str, options: Options) -> _Sheet:
    flat = board.numbering.flat
    here = {board.axial(cell): cell for cell in board.cells}
    terrain = {hex_: board.info[cell].terrain for hex_, cell in here.items()}
    corners = [corner for hex_ in here for corner in vertices(hex_, flat)]
    frame = Box(
        min(x for x, _ in corners),
        min(y for _, y in corners),
        max(x for x, _ in corners),
        max(y for _, y in corners),
    )
    for _ in range(2):
        margin: dict[Axial, Counter[str]] = {}
        for hex_, ground in terrain.items():
            for direction in range(6):
                outer = neighbour(hex_, direction)
                if outer not in terrain:
                    margin.setdefault(outer, Counter())[ground] += 1
        for hex_, votes in sorted(margin.items()):
            terrain[hex_] = min(votes, key=lambda ground: (-votes[ground], ground))
    at_corner: dict[Key, list[Axial]] = {}
    for hex_ in sorted(terrain):
        for corner in vertices(hex_, flat):
            at_corner.setdefault(key(corner), []).append(hex_)
    return _Sheet(board, language, options, flat, terrain, here, at_corner, frame)


# Ground and water ---------------------------------------------------------------------------------------


def _region(sheet: _Sheet, hexes: set[Axial]) -> list[Command]:
    return [command for loop in outlines(hexes, sheet.flat) for command in round_loop(loop)]


def _ground(sheet: _Sheet) -> None:
    cover: dict[str, set[Axial]] = {}
    for hex_, ground in sheet.terrain.items():
        if ground not in WATER:
            cover.setdefault(ground, set()).add(hex_)
    for hex_, cell in sheet.here.items():
        for feature in sheet.board.info[cell].features & {"woods", "forest"}:
            cover.setdefault(feature, set()).add(hex_)
    water = {hex_ for hex_, ground in sheet.terrain.items() if ground in WATER}
    for ground, hexes in sorted(cover.items()):
        if ground == "clear":
            continue
        # Water is drawn on top: letting the tint run under it leaves no white sliver along the shore.
        wet = {n for h in hexes for d in range(6) if (n := neighbour(h, d)) in water}
        sheet.add("ground", symbols.path(f"tint {ground}", _region(sheet, hexes | wet)))
        texture = TEXTURES.get(ground)
        if texture is not None:
            for hex_ in sorted(hexes):
                sheet.add("texture", *texture(sheet.centre(hex_), sheet.flat))


def _water(sheet: _Sheet) -> None:
    for kind in sorted(WATER):
        hexes = {hex_ for hex_, ground in sheet.terrain.items() if ground == kind}
        if hexes:
            shore = _region(sheet, hexes)
            sheet.add("coast", symbols.path("shore", shore))
            sheet.add("water", symbols.path(f"water {kind}", shore))
            sheet.lines.append((sampled(shore), 0.05))
        for commands in _straits(sheet, kind):
            sheet.add("coast", symbols.path("strait-shore", commands))
            sheet.add("water", symbols.path(f"strait {kind}", commands))


def _straits(sheet: _Sheet, kind: str) -> list[list[Command]]:
    """All-water sides between two land hexes: narrows that join the open water at their ends."""
    edges: dict[tuple[Key, Key], str] = {}
    where: dict[Key, Point] = {}
    for (a, b), _ in sheet.sides(kind).items():
        if sheet.terrain[a] in WATER or sheet.terrain[b] in WATER:
            continue
        p, q = side(a, DIRECTIONS.index(Axial(b.q - a.q, b.r - a.r)), sheet.flat)
        where[key(p)], where[key(q)] = p, q
        edges[min(key(p), key(q)), max(key(p), key(q))] = kind
    out = []
    for line in chains(edges, lambda _a, _n, _b: 1.0):
        points = _with_run_out(sheet, [where[k] for k in line])
        if len(points) == 2:
            points.insert(1, mix(points[0], points[1], 0.5))
        out.append(spline(river_controls(points, 0.2, 0.04)))
    return out


def _with_run_out(sheet: _Sheet, points: list[Point]) -> list[Point]:
    """A line of corners, prolonged into the water or off the map where it ends at one of them."""

    def beyond(corner: Point) -> list[Point]:
        around = sheet.at_corner.get(key(corner), [])
        wet = [h for h in around if sheet.terrain[h] in WATER]
        if wet:
            return [mix(corner, sheet.centre(wet[0]), 0.55)]
        if any(h not in sheet.here for h in around):
            inner = [sheet.centre(h) for h in around if h in sheet.here]
            x, y = sum(p[0] for p in inner) / len(inner), sum(p[1] for p in inner) / len(inner)
            return [(corner[0] + (corner[0] - x) * 0.8, corner[1] + (corner[1] - y) * 0.8)]
        return []

    return [*beyond(points[0]), *points, *beyond(points[-1])]


def _rivers(sheet: _Sheet) -> None:
    where: dict[Key, Point] = {}
    edges: dict[tuple[Key, Key], str] = {}
    facts: dict[tuple[Key, Key], tuple[str, str, str]] = {}
    pairs: dict[tuple[Key, Key], tuple[Axial, Axial]] = {}
    for (a, b), fact in sheet.sides(*RIVERS).items():
        p, q = side(a, DIRECTIONS.index(Axial(b.q - a.q, b.r - a.r)), sheet.flat)
        edge = min(key(p), key(q)), max(key(p), key(q))
        where[key(p)], where[key(q)] = p, q
        edges[edge], facts[edge], pairs[edge] = fact[0], fact, (a, b)

    def fact_of(a: Key, b: Key) -> tuple[str, str, str]:
        return facts[min(a, b), max(a, b)]

    def suits(a: Key, node: Key, b: Key) -> float:
        one, other = fact_of(a, node), fact_of(node, b)
        return (4.0 if one[1] and one[1] == other[1] else 0.0) + (1.0 if one[0] == other[0] else 0.0)

    waiting = sorted(chains(edges, suits), key=lambda line: (-len(line), line))
    passed: dict[Key, Point] = {}
    while waiting:
        # A tributary ends on the drawn course of the river that it joins, so that one comes first.
        inner = {node for line in waiting for node in line[1:-1]}
        ready = next((x for x in waiting if x[0] not in inner and x[-1] not in inner), waiting[0])
        waiting.remove(ready)
        points = [where[k] for k in ready]
        start = passed.get(ready[0])
        end = passed.get(ready[-1])
        full = _with_run_out(sheet, points)
        lead = 1 if full[0] != points[0] else 0
        if start is not None and not lead:
            full[0] = start
        if end is not None and full[-1] == points[-1]:
            full[-1] = end
        control = river_controls(full)
        knots = spline_knots(control)
        for i, node in enumerate(ready):
            passed.setdefault(node, knots[2 * (i + lead)])
        classes = [fact_of(a, b)[0] for a, b in zip(ready, ready[1:], strict=False)]
        for i, (a, b) in enumerate(zip(ready, ready[1:], strict=False)):
            sheet.crossings[pairs[min(a, b), max(a, b)]] = knots[2 * (i + lead) + 1]
        for feature, low, high in _runs(classes):
            first = 2 * (low + lead) if low else 0
            last = 2 * (high + lead) if high < len(classes) else None
            commands = spline(control, first, last)
            sheet.add("river", symbols.path(f"stream {feature}", commands))
            sheet.lines.append((sampled(commands), 0.12))
        names = [fact_of(a, b) for a, b in zip(ready, ready[1:], strict=False)]
        for name, low, high in _runs([n[2] for n in names]):
            if name:
                course = knots[2 * (low + lead) : 2 * (high + lead) + 1]
                sheet.courses.append((name, course, names[low][0]))


def _runs(words: Sequence[str]) -> list[tuple[str, int, int]]:
    """Stretches of equal words: the word, where it starts, where the next starts."""
    out: list[tuple[str, int, int]] = []
    for i, word in enumerate(words):
        if out and out[-1][0] == word:
            out[-1] = word, out[-1][1], i + 1
        else:
            out.append((word, i, i + 1))
    return out


# Lines between hexes ------------------------------------------------------------------------------------


def _drawn_as(sheet: _Sheet, feature: str) -> str:
    """How a hex feature is drawn: map.toml may say so, and the usual ones are known."""
    declared = sheet.board.settings.get("features", {}).get(feature, {}).get("draw")
    if declared:
        return str(declared)
    if feature in TOWN_RANKS:
        return "town"
    if feature in TEXTURES:
        return "ground"
    return "area" if feature in AREAS else "mark"


def _areas(sheet: _Sheet) -> None:
    words = sorted({f for cell in sheet.board.cells for f in sheet.board.info[cell].features})
    for feature in words:
        if _drawn_as(sheet, feature) == "area":
            hexes = {h for h, cell in sheet.here.items() if feature in sheet.board.info[cell].features}
            outside = {n for h in hexes for d in range(6) if (n := neighbour(h, d)) not in sheet.here}
            commands = _region(sheet, hexes | outside)
            sheet.add("area", symbols.path(f"area {feature}", commands))
            sheet.add("area", symbols.path(f"area-line {feature}", commands))


def _barriers(sheet: _Sheet) -> None:
    for feature in ("impassable", "border", "fortified"):
        for (a, b), _ in sheet.sides(feature).items():
            p, q = side(a, DIRECTIONS.index(Axial(b.q - a.q, b.r - a.r)), sheet.flat)
            sheet.add("barrier", symbols.strokes(f"barrier {feature}", [[p, q]]))


def _grid(sheet: _Sheet) -> None:
    lines: list[Sequence[Point]] = []
    for hex_ in sorted(sheet.here):
        for direction in range(6):
            other = neighbour(hex_, direction)
            if other not in sheet.here or hex_ < other:
                lines.append(side(hex_, direction, sheet.flat))
    sheet.add("grid", symbols.strokes("grid", lines))
    outline: list[Command] = []
    for loop in outlines(sheet.here.keys(), sheet.flat):
        outline.append(["M", *loop[0]])
        outline.extend(["L", *p] for p in loop[1:])
        outline.append(["Z"])
    around = _corners(sheet.frame.grown(0.1))
    hole: list[Command] = [["M", *around[0]], *(["L", *p] for p in around[1:]), ["Z"]]
    sheet.add("veil", symbols.path("veil", [*hole, *outline]), symbols.path("edge", outline))


def _ways(sheet: _Sheet) -> None:
    roads, rails = sheet.sides(*ROADS), sheet.sides(*RAILS)
    bridges_are_said = "bridge" in sheet.board.settings.get("features", {})
    bridges = sheet.sides("bridge")
    for edges, other, kind in ((roads, rails, "road"), (rails, roads, "rail")):
        shared = {h for edge in other for h in edge} & {h for edge in edges for h in edge}
        spread = 0.085 if kind == "rail" else -0.05

        def suits(a: Axial, node: Axial, b: Axial, edges: Mapping[Any, tuple[str, str, str]] = edges) -> float:
            one, two = edges[min(a, node), max(a, node)], edges[min(node, b), max(node, b)]
            turn = sheet.board.distance(sheet.here[a], sheet.here[b])  # 2 straight on or nearly, 1 sharp
            straight = (a.q + b.q == 2 * node.q) and (a.r + b.r == 2 * node.r)
            same = 2.0 if one[1] and one[1] == two[1] else 0.0
            return same + (1.5 if straight else 0.0) + turn + (0.5 if one[0] == two[0] else 0.0) - 1.0

        lines = sorted(chains({e: f[0] for e, f in edges.items()}, suits), key=lambda x: (-len(x), x))
        nodes: dict[Axial, Point] = {}
        for line in lines:
            for i, hex_ in enumerate(line):
                if hex_ in nodes:
                    continue
                at = sheet.centre(hex_)
                if sheet.rank(hex_):
                    nodes[hex_] = at
                    continue
                ahead = sheet.centre(line[min(i + 1, len(line) - 1)])
                back = sheet.centre(line[max(i - 1, 0)])
                moved = _beside(at, back, ahead, spread) if hex_ in shared else at
                nodes[hex_] = shaken(moved, 0.05, kind)
        for line in lines:
            points, classes = [nodes[line[0]]], []
            for a, b in zip(line, line[1:], strict=False):
                pair = min(a, b), max(a, b)
                middle = mix(sheet.centre(a), sheet.centre(b), 0.5)
                wet = sheet.crossings.get(pair)
                middle = wet if wet is not None else shaken(middle, 0.04, kind)
                if pair in other:
                    middle = _beside(middle, sheet.centre(a), sheet.centre(b), spread)
                points += [middle, nodes[b]]
                classes.append(edges[pair][0])
                if wet is not None and (pair in bridges or not bridges_are_said):
                    heading = points[-3], points[-1]
                    sheet.add("crossing", *_bridge(middle, heading, kind))
            for feature, low, high in _runs(classes):
                commands = through(points[2 * low : 2 * high + 1])
                if kind == "road":
                    sheet.add("road-casing", symbols.path(f"casing {feature}", commands))
                    sheet.add("road", symbols.path(f"way {feature}", commands))
                else:
                    sheet.add("rail", symbols.path("track", commands), symbols.path("ties", commands))
                sheet.lines.append((sampled(commands), 0.06))
    for (a, b), _ in sheet.sides("ferry").items():
        line = [mix(sheet.centre(a), sheet.centre(b), 0.2), mix(sheet.centre(a), sheet.centre(b), 0.8)]
        middle = sheet.crossings.get((a, b), mix(line[0], line[1], 0.5))
        sheet.add("crossing", symbols.path("ferry", through([line[0], middle, line[1]])))
        sheet.add("crossing", symbols.polygons("boat", [symbols.boat(middle)]))


def _beside(at: Point, back: Point, ahead: Point, by: float) -> Point:
    """A little to one side of a line, the same side whichever way it was walked."""
    dx, dy = ahead[0] - back[0], ahead[1] - back[1]
    if dx < -1e-9 or (abs(dx) < 1e-9 and dy < 0):
        dx, dy = -dx, -dy
    length = math.hypot(dx, dy) or 1.0
    return at[0] - dy / length * by, at[1] + dx / length * by


def _bridge(at: Point, heading: tuple[Point, Point], kind: str) -> list[Item]:
    dx, dy = heading[1][0] - heading[0][0], heading[1][1] - heading[0][1]
    length = math.hypot(dx, dy) or 1.0
    ux, uy = dx / length, dy / length

    def spot(u: float, v: float) -> Point:
        return at[0] + u * ux - v * uy, at[1] + u * uy + v * ux

    rails = [
        [spot(-0.125, w * 0.075), spot(-0.09, w * 0.048), spot(0.09, w * 0.048), spot(0.125, w * 0.075)]
        for w in (-1, 1)
    ]
    return [symbols.strokes(f"bridge {kind}", rails)]


# Places -------------------------------------------------------------------------------------------------


def _towns(sheet: _Sheet) -> None:
    for hex_ in sorted(sheet.here):
        rank = sheet.rank(hex_)
        if not rank:
            continue
        at = sheet.centre(hex_)
        if rank >= 3:
            sheet.add("town", symbols.built_up(at, rank))
        sheet.add("town", symbols.houses(at, rank))
        wide, high = TOWN_CLEAR[rank]
        sheet.signs.append((Box(at[0] - wide, at[1] - high, at[0] + wide, at[1] + high), 60.0))


def _outward(sheet: _Sheet, hex_: Axial) -> Point:
    x, y = sheet.centre(hex_)
    off = [sheet.centre(n) for d in range(6) if (n := neighbour(hex_, d)) not in sheet.here]
    dx, dy = sum(p[0] - x for p in off), sum(p[1] - y for p in off)
    length = math.hypot(dx, dy)
    return (dx / length, dy / length) if length > 0.1 else (0.0, 0.0)


def _marks(sheet: _Sheet) -> None:
    for hex_, cell in sorted(sheet.here.items()):
        features = sorted(sheet.board.info[cell].features)
        words = [f for f in features if _drawn_as(sheet, f) == "mark" or f.startswith("victory")]
        x, y = sheet.centre(hex_)
        slots = [(0.30, -0.2), (-0.30, -0.2), (0.30, 0.24), (-0.30, 0.24), (0.0, 0.36)]
        entries = [f for f in words if f.startswith("entry")]
        out = _outward(sheet, hex_)
        for i, feature in enumerate(entries):
            across = (i - (len(entries) - 1) / 2) * 0.3
            mx, my = x + out[0] * 0.3 - out[1] * across, y + out[1] * 0.3 + out[0] * across
            towards = (-out[0], -out[1]) if out != (0.0, 0.0) else (1.0, 0.0)
            sheet.add("mark", *symbols.mark(feature, mx, my, 0.11, towards))
            sheet.signs.append((Box(mx - 0.13, my - 0.13, mx + 0.13, my + 0.13), 40.0))
            slots = [s for s in slots if math.hypot(x + s[0] - mx, y + s[1] - my) > 0.24]
        for feature, (dx, dy) in zip([f for f in words if f not in entries], slots, strict=False):
            sheet.add("mark", *symbols.mark(feature, x + dx, y + dy))
            box = Box(x + dx - 0.11, y + dy - 0.11, x + dx + 0.11, y + dy + 0.11)
            sheet.signs.append((box, 60.0))


def _numbers(sheet: _Sheet) -> None:
    size = 0.115
    for hex_, cell in sorted(sheet.here.items(), key=lambda pair: pair[1]):
        x, y = sheet.centre(hex_)
        base = y - 0.365 if sheet.flat else y - 0.37
        number = sheet.board.number(cell)
        wet = " wet" if sheet.terrain[hex_] in WATER else ""
        if sheet.options.numbers:
            sheet.add("number", symbols.text(f"number{wet}", number, x, base, size))
            box = text_box(x, base, text_width(number, size), size, "middle")
            sheet.signs.append((box, 12.0))


# Names --------------------------------------------------------------------------------------------------


def _names(sheet: _Sheet) -> None:
    clutter = Clutter(sheet.frame.grown(-0.04))
    for points, price in sheet.lines:
        clutter.add_points(points, price)
    for box, price in sheet.signs:
        clutter.add_box(box, price)
    fixed = _fixed_names(sheet, clutter)
    _place_names(sheet, clutter)
    _river_names(sheet, clutter, fixed)


def _fixed_names(sheet: _Sheet, clutter: Clutter) -> set[str]:
    """The names that the map's maker put where they are."""
    shown = set()
    for label in sheet.board.settings.get("labels", ()):
        words = str(label.get(sheet.language) or label.get("en") or "")
        cx, cy = sheet.centre(sheet.board.axial(sheet.board.cell(str(label["hex"]))))
        x, y = cx + float(label.get("dx", 0.0)), cy + float(label.get("dy", 0.0))
        size, angle = float(label.get("size", 0.32)), float(label.get("angle", 0.0))
        kind = str(label.get("kind", "region"))
        layer = "water-name" if kind == "water" else "name"
        y += size * 0.25
        sheet.add(layer, symbols.text(f"label {kind}", words, x, y, size, "middle", angle=angle))
        width = text_width(words, size, "italic" if kind == "water" else "regular", 0.12)
        steps = max(2, round(width / (size * 0.6)))
        turn = math.radians(angle)
        spine = [
            (x + math.cos(turn) * (i / steps - 0.5) * width, y - size * 0.25 + math.sin(turn) * (i / steps - 0.5) * width)
            for i in range(steps + 1)
        ]
        for box in boxes_along(spine, size * 0.45):
            clutter.add_box(box, 60.0)
        shown.add(words)
    return shown


def _place_names(sheet: _Sheet, clutter: Clutter) -> None:
    wanted: list[tuple[int, str, list[Axial]]] = []
    taken: set[Axial] = set()
    for hex_, cell in sorted(sheet.here.items(), key=lambda pair: pair[1]):
        name = sheet.board.name(cell, sheet.language) or sheet.board.name(cell, "en")
        if not name or hex_ in taken:
            continue
        group = _same_name(sheet, hex_, name)
        taken |= set(group)
        wanted.append((max(sheet.rank(h) for h in group), name, group))
    for rank, name, group in sorted(wanted, key=lambda w: (-w[0], w[2][0])):
        centres = [sheet.centre(h) for h in group]
        x, y = sum(p[0] for p in centres) / len(group), sum(p[1] for p in centres) / len(group)
        wet = all(sheet.terrain[h] in WATER for h in group)
        face = "italic" if wet else "bold" if rank >= 3 else "regular"
        size = NAME_SIZES[rank]
        width = text_width(name, size, face)
        clear = TOWN_CLEAR[rank]
        if len(group) > 1:
            half_wide = max(abs(p[0] - x) for p in centres) + clear[0]
            half_high = max(abs(p[1] - y) for p in centres) + clear[1]
            clear = half_wide, half_high
        found = place(clutter, (x, y), clear, width, size)
        style = "place water" if wet else f"place rank{rank}"
        layer = "water-name" if wet else "name"
        sheet.add(layer, symbols.text(style, name, found.x, found.y, size, found.anchor))
        clutter.add_box(found.box.grown(0.02), 150.0)


def _same_name(sheet: _Sheet, start: Axial, name: str) -> list[Axial]:
    """The hexes of one place: neighbours that share its name."""
    group, edge = {start}, [start]
    while edge:
        hex_ = edge.pop()
        for direction in range(6):
            other = neighbour(hex_, direction)
            cell = sheet.here.get(other)
            if cell is not None and other not in group:
                theirs = sheet.board.name(cell, sheet.language) or sheet.board.name(cell, "en")
                if theirs == name:
                    group.add(other)
                    edge.append(other)
    return sorted(group)


def _river_names(sheet: _Sheet, clutter: Clutter, shown: Iterable[str]) -> None:
    done = set(shown)
    for name, course, feature in sorted(sheet.courses, key=lambda c: (c[2], -len(c[1]), c[0])):
        if name in done:
            continue
        size = 0.2 if feature == "major_river" else 0.17
        width = text_width(name, size, "italic", 0.04) * 1.04
        best: tuple[float, list[Point]] | None = None
        for offset in (-0.1, 0.1 + size * 0.55):
            for baseline in _stretches(course, width, offset):
                price = sum(clutter.price(box) for box in boxes_along(baseline[1], size * 0.4))
                cost = price + 6 * baseline[0]
                if best is None or cost < best[0] - 1e-9:
                    best = cost, baseline[2]
        if best is None or best[0] > 14:
            continue
        done.add(name)
        line = best[1]
        words = symbols.text(f"along {feature}", name, 0.0, 0.0, size, "middle", along=through(line))
        sheet.add("water-name", words)
        for box in boxes_along(line, size * 0.5):
            clutter.add_box(box, 60.0)


def _stretches(
    course: Sequence[Point], width: float, offset: float
) -> Iterable[tuple[float, list[Point], list[Point]]]:
    """Places along a river for a name: how crooked, the middle of its letters, and its base line."""
    for start in range(0, len(course) - 2):
        stretch, length = [course[start]], 0.0
        for p in course[start + 1 :]:
            length += math.dist(stretch[-1], p)
            stretch.append(p)
            if length >= width * 1.08:
                break
        if length < width * 1.02 or len(stretch) < 3:
            return
        if stretch[0][0] > stretch[-1][0]:
            stretch.reverse()
        for _ in range(3):
            stretch = [
                p if i in (0, len(stretch) - 1) else mix(p, mix(stretch[i - 1], stretch[i + 1], 0.5), 0.6)
                for i, p in enumerate(stretch)
            ]
        chord = math.dist(stretch[0], stretch[-1])
        steep = abs(stretch[-1][1] - stretch[0][1]) / (chord or 1.0)
        crooked = max(0.0, length / (chord or 0.01) - 1.0) + 0.25 * steep**3
        base, middle = [], []
        for i, p in enumerate(stretch):
            a, b = stretch[max(0, i - 1)], stretch[min(len(stretch) - 1, i + 1)]
            run = math.dist(a, b) or 1.0
            nx, ny = -(b[1] - a[1]) / run, (b[0] - a[0]) / run
            base.append((p[0] + nx * offset, p[1] + ny * offset))
            middle.append((p[0] + nx * (offset - 0.05), p[1] + ny * (offset - 0.05)))
        yield crooked, middle, base
