"""The signs of the map: textures of the ground, houses, marks. Each is geometry with a style class."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from grognard.board.draw_curves import Command, Point, noise, round_shape
from grognard.hexes.geometry import HALF_SQRT3

Item = dict[str, Any]
"""One thing to draw, ready for JSON. `kind` says what else it holds: `path` has commands, `polygons` lists of
points, `strokes` open lines, `dots` circles (x, y, radius), `text` a text and where it stands: at x and y,
turned by `angle` degrees, or `along` a path. `move` (x, y, factor) says where a sample of the legend goes."""


def path(style: str, commands: Sequence[Command], **more: Any) -> Item:
    return {"kind": "path", "class": style, "commands": [list(c) for c in commands], **more}


def polygons(style: str, shapes: Iterable[Sequence[Point]], **more: Any) -> Item:
    return {"kind": "polygons", "class": style, "polygons": [[list(p) for p in s] for s in shapes], **more}


def strokes(style: str, lines: Iterable[Sequence[Point]], **more: Any) -> Item:
    return {"kind": "strokes", "class": style, "lines": [[list(p) for p in line] for line in lines], **more}


def dots(style: str, circles: Iterable[tuple[float, float, float]], **more: Any) -> Item:
    return {"kind": "dots", "class": style, "dots": [list(c) for c in circles], **more}


def text(
    style: str, words: str, x: float, y: float, size: float, anchor: str = "middle", **more: Any
) -> Item:
    return {
        "kind": "text",
        "class": style,
        "text": words,
        "x": x,
        "y": y,
        "size": size,
        "anchor": anchor,
        **more,
    }


# Ground -------------------------------------------------------------------------------------------------


def _scatter(at: Point, flat: bool, pitch: float, margin: float, salt: str, room: float) -> list[Point]:
    """A shaken lattice of points inside one hex, the same for that hex every time. `room` is the radius
    left free for a town."""
    out = []
    rows = math.ceil(0.6 / (pitch * HALF_SQRT3))
    for j in range(-rows, rows + 1):
        for i in range(-rows - 1, rows + 2):
            x = (i + (0.5 if j % 2 else 0.0)) * pitch
            y = j * pitch * HALF_SQRT3
            px, py = at[0] + x, at[1] + y
            x += 0.33 * pitch * noise(px, py, salt + "x")
            y += 0.33 * pitch * noise(px, py, salt + "y")
            if _inside(x, y, flat, 0.5 - margin) and math.hypot(x, y) >= room:
                out.append((at[0] + x, at[1] + y))
    return sorted(out, key=lambda p: (p[1], p[0]))


def _inside(x: float, y: float, flat: bool, apothem: float) -> bool:
    if not flat:
        x, y = y, x
    return abs(y) <= apothem and abs(x) * HALF_SQRT3 + abs(y) / 2 <= apothem


def trees(at: Point, flat: bool, room: float = 0.0) -> list[Item]:
    points = _scatter(at, flat, 0.235, 0.07, "tree", room)
    crowns = [(x, y, 0.043 + 0.012 * noise(x, y, "crown")) for x, y in points]
    shade = [
        [(x - r * 0.9, y + r * 0.5), (x - r * 0.2, y + r), (x + r * 0.6, y + r * 0.8), (x + r, y + r * 0.2)]
        for x, y, r in crowns
    ]
    return [dots("tree", crowns), strokes("tree-shade", shade)]


def reeds(at: Point, flat: bool, room: float = 0.0) -> list[Item]:
    lines: list[list[Point]] = []
    for x, y in _scatter(at, flat, 0.245, 0.1, "reed", room):
        half = 0.07 + 0.02 * noise(x, y, "reed")
        lines.append([(x - half, y), (x + half, y)])
        if noise(x, y, "tuft") > -0.35:
            for lean in (-0.03, 0.0, 0.03):
                lines.append([(x + lean * 0.6, y - 0.015), (x + lean * 1.5, y - 0.062 + abs(lean) * 0.5)])
        if noise(x, y, "second") > 0.1:
            lines.append([(x - half * 0.4, y + 0.04), (x + half * 0.8, y + 0.04)])
    return [strokes("reed", lines)]


def hachures(at: Point, flat: bool, room: float = 0.0) -> list[Item]:
    """Hills: short strokes down the slope from a few crests."""
    lines: list[list[Point]] = []
    for x, y in _scatter(at, flat, 0.36, 0.11, "hill", room):
        wide = 0.12 + 0.025 * noise(x, y, "wide")
        for k in range(7):
            t = k / 6 * 2 - 1
            top = (x + t * wide, y - 0.055 * (1 - t * t))
            length = 0.05 + 0.035 * (1 - abs(t))
            lines.append([top, (top[0] + t * 0.055, top[1] + length)])
    return [strokes("hachure", lines)]


def crags(at: Point, flat: bool, room: float = 0.0) -> list[Item]:
    """Rough and broken ground: gully edges with teeth on one side."""
    lines: list[list[Point]] = []
    for x, y in _scatter(at, flat, 0.33, 0.12, "crag", room):
        turn = 0.9 * noise(x, y, "turn")
        c, s = math.cos(turn), math.sin(turn)

        def turned(u: float, v: float, x: float = x, y: float = y, c: float = c, s: float = s) -> Point:
            return x + u * c - v * s, y + u * s + v * c

        edge = [turned(-0.11, 0.02), turned(-0.03, -0.03), turned(0.05, -0.02), turned(0.11, 0.03)]
        lines.append(edge)
        for k in range(5):
            u = -0.085 + k * 0.042
            v = -0.028 + 6 * (u * u) * 0.6
            lines.append([turned(u, v), turned(u + 0.008, v + 0.06)])
    return [strokes("crag", lines)]


def peaks(at: Point, flat: bool, room: float = 0.0) -> list[Item]:
    """Mountains: summits with one side in shade."""
    outline: list[list[Point]] = []
    shade: list[list[Point]] = []
    for x, y in _scatter(at, flat, 0.37, 0.12, "peak", room):
        high = 0.15 + 0.03 * noise(x, y, "high")
        wide = 0.12 + 0.02 * noise(x, y, "foot")
        top, left, right = (x, y - high * 0.6), (x - wide, y + high * 0.4), (x + wide, y + high * 0.4)
        outline.append([left, top, right])
        shade.append([top, right, (x + wide * 0.25, y + high * 0.4), (x + wide * 0.1, y - high * 0.1)])
    return [polygons("peak-shade", shade), strokes("peak", outline)]


def dense_trees(at: Point, flat: bool, room: float = 0.0) -> list[Item]:
    points = _scatter(at, flat, 0.185, 0.06, "tree", room)
    crowns = [(x, y, 0.043 + 0.012 * noise(x, y, "crown")) for x, y in points]
    return [dots("tree deep", crowns)]


def sparse_trees(at: Point, flat: bool, room: float = 0.0) -> list[Item]:
    points = _scatter(at, flat, 0.33, 0.1, "tree", room)
    return [dots("tree", [(x, y, 0.04) for x, y in points])]


def wooded_crags(at: Point, flat: bool, room: float = 0.0) -> list[Item]:
    return [*crags(at, flat, room), *sparse_trees(at, flat, room)]


def wooded_reeds(at: Point, flat: bool, room: float = 0.0) -> list[Item]:
    return [*reeds(at, flat, room), *sparse_trees(at, flat, room)]


def hedges(at: Point, flat: bool, room: float = 0.0) -> list[Item]:
    """Small fields between hedgerows."""
    lines: list[list[Point]] = []
    for x, y in _scatter(at, flat, 0.2, 0.06, "hedge", room):
        turn = 1.57 * (noise(x, y, "across") > 0) + 0.3 * noise(x, y, "turn")
        dx, dy = 0.075 * math.cos(turn), 0.075 * math.sin(turn)
        lines.append([(x - dx, y - dy), (x + dx, y + dy)])
    return [strokes("hedge", lines)]


def ditches(at: Point, flat: bool, room: float = 0.0) -> list[Item]:
    """Land cut up by canals: a grid of short straight waters."""
    lines: list[list[Point]] = []
    for k in (-0.3, -0.1, 0.1, 0.3):
        reach = 0.42 - abs(k) * 0.5
        for low, high in ((-reach, -max(room, 0.03)), (max(room, 0.03), reach)):
            if high > low:
                lines.append([(at[0] + low, at[1] + k), (at[0] + high, at[1] + k)])
                lines.append([(at[0] + k, at[1] + low), (at[0] + k, at[1] + high)])
    return [strokes("ditch", lines)]


def pools(at: Point, flat: bool, room: float = 0.0) -> list[Item]:
    """Ponds: small sheets of still water among a few reeds."""
    shapes: list[list[Point]] = []
    for x, y in _scatter(at, flat, 0.3, 0.1, "pool", room):
        wide, high = 0.09 + 0.03 * noise(x, y, "wide"), 0.045 + 0.015 * noise(x, y, "high")
        turns = [2 * math.pi * k / 10 for k in range(10)]
        shapes.append([(x + wide * math.cos(t), y + high * math.sin(t)) for t in turns])
    return [polygons("pool", shapes)]


def salt(at: Point, flat: bool, room: float = 0.0) -> list[Item]:
    points = _scatter(at, flat, 0.16, 0.06, "salt", room)
    return [dots("salt", [(x, y, 0.014) for x, y in points])]


TEXTURES = {
    "woods": trees,
    "forest": dense_trees,
    "marsh": reeds,
    "swamp": reeds,
    "wooded_swamp": wooded_reeds,
    "hill": hachures,
    "hills": hachures,
    "mountain": peaks,
    "rough": crags,
    "wooded_rough": wooded_crags,
    "bocage": hedges,
    "intensive_canal": ditches,
    "prohibited": salt,
    "pond": pools,
}


def ridge(sides: Sequence[tuple[Point, Point]], rank: int) -> list[Item]:
    """A crest along hexsides: a line with triangles on it, filled where nobody can pass."""
    shapes: list[list[Point]] = []
    for a, b in sides:
        length = math.dist(a, b) or 1.0
        ux, uy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
        for share in (0.2, 0.5, 0.8):
            x, y = a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share
            half, high = 0.075, 0.11
            nx, ny = (uy, -ux) if -ux < 0 or (ux == 0 and uy > 0) else (-uy, ux)
            shapes.append(
                [
                    (x - ux * half, y - uy * half),
                    (x + nx * high, y + ny * high),
                    (x + ux * half, y + uy * half),
                ]
            )
    return [strokes(f"ridge rank{rank}", sides), polygons(f"ridge-peak rank{rank}", shapes)]


# Houses -------------------------------------------------------------------------------------------------

_PLANS = {
    # rank: (half the number of lots along and across, spacing, size of a block, share of lots built on)
    1: (2, 1, 0.070, 0.052, 0.55),
    2: (3, 2, 0.074, 0.058, 0.66),
    3: (4, 3, 0.074, 0.061, 0.82),
    4: (5, 4, 0.080, 0.069, 0.94),
    5: (5, 5, 0.088, 0.078, 1.0),
}
TOWN_CLEAR = {
    0: (0.09, 0.08),
    1: (0.16, 0.11),
    2: (0.25, 0.19),
    3: (0.34, 0.28),
    4: (0.45, 0.38),
    5: (0.5, 0.46),
}
"""Half width and height that a place of each rank keeps free of names."""


def _streets(at: Point) -> float:
    """Which way a town's streets run: never far from level, so that names sit well beside it."""
    return 0.42 * noise(*at, "streets")


def _ragged(at: Point, angle: float, salt: str) -> float:
    """How far a town reaches in a direction, as a share: smooth round the compass, different each town."""
    return 1.0 + sum(
        0.13 * noise(at[0], at[1] + k, salt) * math.cos(k * angle + 3 * noise(at[0] + k, at[1], salt))
        for k in (2, 3, 5)
    )


def houses(at: Point, rank: int) -> Item:
    """A place as blocks between streets: their number and how close they stand tell its rank."""
    along, across, spacing, block, built = _PLANS[rank]
    turn = _streets(at)
    c, s = math.cos(turn), math.sin(turn)
    shapes = []
    for j in range(-across, across + 1):
        # Cross streets run through between two avenues, but not from one quarter to the next.
        slide = spacing * 0.45 * noise(at[0], at[1] + j // 3, "slide")
        for i in range(-along, along + 1):
            lot = at[0] + i * 0.1, at[1] + j * 0.1
            u = i * spacing * 1.02 + slide + 0.022 * ((i + 40) // 3 - 13)
            v = j * spacing * 0.98 + 0.02 * ((j + 40) // 3 - 13)
            reach = math.hypot(u / (along + 0.2), v / (across + 0.2)) / spacing
            edge = _ragged(at, math.atan2(v, u), "town")
            chance = (noise(*lot, "lot") + 1) / 2
            if reach > edge or (chance > built and reach > 0.35):
                continue
            long = block * (0.5 + 0.1 * noise(*lot, "long"))
            short = block * (0.47 + 0.1 * noise(*lot, "short"))
            shapes.append(
                [
                    (at[0] + (u + du) * c - (v + dv) * s, at[1] + (u + du) * s + (v + dv) * c)
                    for du, dv in ((-long, -short), (long, -short), (long, short), (-long, short))
                ]
            )
    return polygons(f"block rank{rank}", shapes)


def built_up(at: Point, rank: int) -> Item:
    """The tint under a city's blocks."""
    along, across, spacing, _, _ = _PLANS[rank]
    turn = _streets(at)
    ring = []
    for k in range(24):
        angle = 2 * math.pi * k / 24
        r = _ragged(at, angle, "town") * 1.06
        u, v = r * (along + 0.6) * spacing * math.cos(angle), r * (across + 0.6) * spacing * math.sin(angle)
        ring.append(
            (at[0] + u * math.cos(turn) - v * math.sin(turn), at[1] + u * math.sin(turn) + v * math.cos(turn))
        )
    return path("built-up", round_shape(ring))


# Marks --------------------------------------------------------------------------------------------------


MARKS = ("supply", "entry", "victory", "strategic", "airfield")
"""How the names of features begin that have a mark of their own below."""
SIGNS = ("port", "fortress", "bunker", "cliffs")
"""Kinds of feature that have a sign of their own below, whatever their names."""


def sign(kind: str, rank: int, x: float, y: float, size: float = 0.1) -> list[Item]:
    """The sign of a port, fortress, line of bunkers or cliff; of a port, the bigger the more rings."""
    if kind == "port":
        return _anchor(rank, x, y, size)
    if kind == "fortress":
        points = [
            (
                x + size * (1.25 if k % 2 == 0 else 0.72) * math.sin(math.pi * k / 6),
                y - size * (1.25 if k % 2 == 0 else 0.72) * math.cos(math.pi * k / 6),
            )
            for k in range(12)
        ]
        return [polygons("fortress", [points])]
    if kind == "bunker":
        roof = [(x - size, y + 0.55 * size), (x - 0.7 * size, y - 0.5 * size)]
        shape = [*roof, (x + 0.7 * size, y - 0.5 * size), (x + size, y + 0.55 * size)]
        slit = [[(x - 0.45 * size, y), (x + 0.45 * size, y)]]
        return [polygons(f"bunker rank{rank}", [shape]), strokes("bunker-slit", slit)]
    teeth = [
        [(x + u * size, y - 0.5 * size), (x + (u + 0.12) * size, y + 0.5 * size)]
        for u in (-1.0, -0.5, 0.0, 0.5, 1.0)
    ]
    edge = [[(x - 1.2 * size, y - 0.5 * size), (x + 1.2 * size, y - 0.5 * size)]]
    return [strokes("cliffs", [*edge, *teeth])]


def _anchor(rank: int, x: float, y: float, size: float) -> list[Item]:
    s = size * (0.8 + 0.11 * rank)
    lines: list[list[Point]] = [
        [(x, y - 0.5 * s), (x, y + 0.75 * s)],
        [(x - 0.36 * s, y - 0.2 * s), (x + 0.36 * s, y - 0.2 * s)],
        [(x - 0.66 * s, y + 0.2 * s), (x - 0.4 * s, y + 0.62 * s), (x, y + 0.78 * s)],
        [(x + 0.66 * s, y + 0.2 * s), (x + 0.4 * s, y + 0.62 * s), (x, y + 0.78 * s)],
    ]
    rings = [_circle(f"port rank{rank}", x, y, s * 1.15)]
    if rank >= 4:
        rings.insert(0, _circle("port outer", x, y, s * 1.42))
    return [
        *rings,
        _circle(f"port-anchor rank{rank}", x, y - 0.68 * s, s * 0.2),
        strokes(f"port-anchor rank{rank}", lines),
    ]


def _circle(style: str, x: float, y: float, r: float) -> Item:
    return dots(style, [(x, y, r)])


def _drum(style: str, x: float, y: float, s: float) -> list[Item]:
    """A fuel drum, the sign of supply."""
    w, h, dip = 0.72 * s, 1.0 * s, 0.5 * s
    lid: list[Command] = [
        ["M", x - w, y - h + dip / 2],
        ["Q", x, y - h - dip / 2, x + w, y - h + dip / 2],
        ["Q", x, y - h + dip * 1.5, x - w, y - h + dip / 2],
        ["Z"],
    ]
    body: list[Command] = [
        ["M", x - w, y - h + dip / 2],
        ["L", x - w, y + h - dip / 2],
        ["Q", x, y + h + dip / 2, x + w, y + h - dip / 2],
        ["L", x + w, y - h + dip / 2],
    ]
    hoop: list[Command] = [["M", x - w, y + 0.1 * h], ["Q", x, y + 0.1 * h + dip, x + w, y + 0.1 * h]]
    return [path(style, [*lid, *body, *hoop])]


def star(x: float, y: float, r: float) -> list[Point]:
    return [
        (
            x + r * (1.0 if k % 2 == 0 else 0.42) * math.sin(math.pi * k / 5),
            y - r * (1.0 if k % 2 == 0 else 0.42) * math.cos(math.pi * k / 5),
        )
        for k in range(10)
    ]


def _square(x: float, y: float, r: float) -> list[Point]:
    return [(x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)]


def _badge(side: str, x: float, y: float, r: float) -> list[Item]:
    if side.startswith("first"):
        return [polygons(f"badge {side}", [_square(x, y, r * 0.92)])]
    return [_circle(f"badge {side}", x, y, r)]


def arrow(x: float, y: float, towards: Point, size: float, side: str) -> list[Item]:
    """An entry: a broad arrow, notched for one camp, so that grey print tells them apart."""
    ux, uy = towards
    length = math.hypot(ux, uy) or 1.0
    ux, uy = ux / length, uy / length
    half = [(-1.0, 0.36), (0.05, 0.36), (0.05, 0.85)]
    outline = [*half, (1.0, 0.0), *((u, -v) for u, v in reversed(half))]
    if side == "first":
        outline.append((-0.62, 0.0))
    shape = [(x + size * (u * ux - v * uy), y + size * (u * uy + v * ux)) for u, v in outline]
    return [polygons(f"arrow {side}", [shape])]


def mark(
    feature: str,
    x: float,
    y: float,
    size: float = 0.1,
    towards: Point = (1.0, 0.0),
    side: str = "neutral",
) -> list[Item]:
    """The sign of a hex feature that is not ground and not a place. Shapes and not only colours tell the
    camps apart (`vocabulary.camp`)."""
    if feature.startswith("supply"):
        # A source that opens only later in the game is drawn in outline.
        look = f"{side} late" if feature.endswith("_late") else side
        return [*_badge(look, x, y, size), *_drum(f"drum {look}", x, y, size * 0.52)]
    if feature.startswith("entry"):
        return arrow(x, y, towards, size * 1.15, side)
    if feature.startswith("victory"):
        return [polygons("star", [star(x, y, size * 1.15)])]
    if feature == "strategic":
        return [polygons("star red", [star(x, y, size * 1.15)])]
    if feature == "airfield":
        wings = [
            [(x, y - 0.6 * size), (x, y + 0.6 * size)],
            [(x - 0.62 * size, y - 0.12 * size), (x + 0.62 * size, y - 0.12 * size)],
            [(x - 0.25 * size, y + 0.45 * size), (x + 0.25 * size, y + 0.45 * size)],
        ]
        return [_circle("airfield", x, y, size), strokes("airfield-plane", wings)]
    return [polygons("diamond", [[(x, y - size), (x + size, y), (x, y + size), (x - size, y)]])]


def boat(at: Point, size: float = 0.09) -> list[Point]:
    x, y = at
    return [
        (x - size, y - 0.15 * size),
        (x + size, y - 0.15 * size),
        (x + 0.65 * size, y + 0.5 * size),
        (x - 0.65 * size, y + 0.5 * size),
    ]


def bridge(
    at: Point, heading: Point, half_width: float = 0.04, half_length: float = 0.08
) -> list[list[Point]]:
    """The two parapets of a bridge that leads in a direction (a vector of length 1)."""
    ux, uy = heading

    def spot(u: float, v: float) -> Point:
        return at[0] + u * ux - v * uy, at[1] + u * uy + v * ux

    flare_u, flare_v = half_length * 1.4, half_width + half_length * 0.28
    return [
        [
            spot(-flare_u, w * flare_v),
            spot(-half_length, w * half_width),
            spot(half_length, w * half_width),
            spot(flare_u, w * flare_v),
        ]
        for w in (-1, 1)
    ]
