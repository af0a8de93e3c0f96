"""Ground, water, areas, barriers and the grid."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from grognard.board import draw_symbols as symbols
from grognard.board import vocabulary
from grognard.board.draw_canvas import Canvas, area, straight
from grognard.board.draw_curves import (
    Command,
    Key,
    Point,
    chains,
    key,
    mix,
    noise,
    outlines,
    river_controls,
    round_loop,
    round_shape,
    sampled,
    side,
    spline,
    spline_knots,
)
from grognard.board.draw_labels import Rectangle
from grognard.board.draw_symbols import TEXTURES
from grognard.board.loading import WATER
from grognard.hexes import Axial, neighbour


def region(canvas: Canvas, hexes: Collection[Axial], relax: float) -> list[Command]:
    """The rounded outline of some hexes, as one path."""
    return [command for loop in outlines(hexes, canvas.flat) for command in round_loop(loop, relax)]


def draw_ground(canvas: Canvas) -> None:
    canvas.add("ground", symbols.polygons("ground", [corners_of(canvas.frame)]))
    cover: dict[str, set[Axial]] = {}
    for hex_, ground in canvas.terrain.items():
        if ground not in WATER and ground != "clear":
            cover.setdefault(ground, set()).add(hex_)
    for hex_ in canvas.here:
        for feature in canvas.features(hex_):
            if feature in TEXTURES:
                cover.setdefault(feature, set()).add(hex_)
    order = sorted(cover)
    for place, ground in enumerate(order):
        hexes = cover[ground]
        # What is drawn on top, water last, rounds its corners: letting this tint run under it leaves no
        # white sliver between them.
        above = set().union(*(cover[later] for later in order[place + 1 :]))
        under = {n for h in hexes for d in range(6) if (n := neighbour(h, d)) in above or canvas.is_wet(n)}
        canvas.add("ground", symbols.path(f"tint {ground}", region(canvas, hexes | under, 0.2)))
        texture = TEXTURES.get(ground)
        if texture is not None:
            shown = canvas.frame.grown(0.5)
            for hex_ in sorted(h for h in hexes if shown.holds(canvas.centre(h))):
                room = symbols.TOWN_CLEAR[canvas.rank(hex_)][0] if canvas.rank(hex_) else 0.0
                canvas.add("texture", *texture(canvas.centre(hex_), canvas.flat, room))


def draw_water(canvas: Canvas) -> None:
    # Straits and causeways are arms of the sea with a way across.
    crossed = canvas.of_kind("strait", "causeway")
    for kind in sorted(WATER):
        hexes = {hex_ for hex_, ground in canvas.terrain.items() if ground == kind}
        shapes = [region(canvas, hexes, 0.35)] if hexes else []
        shapes += _narrows(canvas, kind, *(crossed if kind == "sea" else ()))
        for shape in shapes:
            canvas.add("coast", symbols.path("shore", shape))
            canvas.add("water", symbols.path(f"water {kind}", shape))
            canvas.lines.append((sampled(shape), 0.05))


def _narrows(canvas: Canvas, kind: str, *more: str) -> list[list[Command]]:
    """All-water sides between two land hexes: arms of water, broad where they leave the open water and
    thin where they end. The coast line is drawn under all water, so an arm opens into it without a seam."""
    edges: dict[tuple[Key, Key], str] = {}
    where: dict[Key, Point] = {}
    for a, b in canvas.sides(kind, *more):
        if not canvas.is_wet(a) and not canvas.is_wet(b):
            p, q = canvas.side(a, b)
            where[key(p)], where[key(q)] = p, q
            edges[min(key(p), key(q)), max(key(p), key(q))] = kind
    if not edges:
        return []
    met: dict[Key, int] = {}
    for a_key, b_key in edges:
        met[a_key] = met.get(a_key, 0) + 1
        met[b_key] = met.get(b_key, 0) + 1
    shapes = []
    for line in chains(edges, lambda _a, _n, _b: 1.0):
        points = [where[k] for k in line]
        opens = [_opens(canvas, points[0]), _opens(canvas, points[-1])]
        ends = [
            0.13 if o else 0.1 if met[k] > 1 else 0.035
            for o, k in zip(opens, (line[0], line[-1]), strict=True)
        ]
        full = [*([opens[0]] if opens[0] else []), *points, *([opens[1]] if opens[1] else [])]
        shapes.append(_arm(spline_knots(river_controls(full, 0.2, 0.05)), ends))
    return shapes


def _opens(canvas: Canvas, corner: Point) -> Point | None:
    """Somewhere in the open water that touches this corner, or off the map's edge."""
    around = canvas.at_corner.get(key(corner), [])
    wet = [h for h in around if canvas.is_wet(h)]
    if wet:
        return mix(corner, canvas.centre(wet[0]), 0.5)
    # An arm of water runs out of the frame: its round end would look like a shore.
    return beyond_edge(canvas, corner, 4.0)


def beyond_edge(canvas: Canvas, corner: Point, reach: float = 1.5) -> Point | None:
    """A point straight out from a corner of the map's rim."""
    around = canvas.at_corner.get(key(corner), [])
    inner = [canvas.centre(h) for h in around if h in canvas.here]
    if not inner or len(inner) == len(around):
        return None
    x, y = sum(p[0] for p in inner) / len(inner), sum(p[1] for p in inner) / len(inner)
    return corner[0] + (corner[0] - x) * reach, corner[1] + (corner[1] - y) * reach


def _arm(spine: Sequence[Point], ends: Sequence[float]) -> list[Command]:
    left, right = [], []
    count = len(spine) - 1
    for i, p in enumerate(spine):
        a, b = spine[max(0, i - 1)], spine[min(count, i + 1)]
        length = math.dist(a, b) or 1.0
        nx, ny = -(b[1] - a[1]) / length, (b[0] - a[0]) / length
        t = i / count
        half = ends[0] * (1 - t) + ends[1] * t + 0.07 * math.sin(math.pi * t)
        left.append((p[0] + nx * half * (1 + 0.2 * noise(*p, "left")), p[1] + ny * half))
        right.append((p[0] - nx * half, p[1] - ny * half * (1 + 0.2 * noise(*p, "right"))))
    return round_shape([*left, *reversed(right)])


def draw_areas(canvas: Canvas) -> None:
    for feature in sorted({f for hex_ in canvas.here for f in canvas.features(hex_)}):
        if canvas.drawn_as(feature) == "area":
            hexes = {h for h in canvas.here if feature in canvas.features(h)}
            # Let it run off the map: its outline is not the map's edge.
            outside = {n for h in hexes for d in range(6) if (n := neighbour(h, d)) not in canvas.here}
            shape = region(canvas, hexes | outside, 0.2)
            canvas.add("area", *area(canvas.board, feature, shape))


def draw_barriers(canvas: Canvas) -> None:
    for feature in canvas.of_kind("barrier", "rampart"):
        lines = [canvas.side(a, b) for a, b in canvas.sides(feature)]
        if lines:
            canvas.add("barrier", symbols.strokes(f"barrier {feature}", lines))
            if vocabulary.kind(canvas.board.settings, feature) == "rampart":
                canvas.add(
                    "barrier", symbols.strokes("rampart-teeth", [t for line in lines for t in _teeth(*line)])
                )
    for feature in canvas.of_kind("ridge"):
        rank = vocabulary.rank(canvas.board.settings, feature)
        sides = [canvas.side(a, b) for a, b in canvas.sides(feature)]
        if sides:
            canvas.add("barrier", *symbols.ridge(sides, rank))
    for feature in canvas.of_kind("strait"):
        ends = [(canvas.centre(a), canvas.centre(b)) for a, b in canvas.sides(feature)]
        if ends:
            lines = [(mix(a, b, 0.3), mix(a, b, 0.7)) for a, b in ends]
            canvas.add("barrier", symbols.strokes("strait", lines))


def _teeth(a: Point, b: Point) -> list[tuple[Point, Point]]:
    """Short strokes across a line."""
    length = math.dist(a, b) or 1.0
    nx, ny = -(b[1] - a[1]) / length * 0.05, (b[0] - a[0]) / length * 0.05
    middle = [mix(a, b, k / 6) for k in range(1, 6)]
    return [((x - nx, y - ny), (x + nx, y + ny)) for x, y in middle]


def draw_zones(canvas: Canvas) -> None:
    """Lines between the zones of each zoning that map.toml wants to see, the lesser first."""
    wanted = canvas.board.settings.get("groups", {})
    for group, words in sorted(
        vocabulary.groups(canvas.board.settings).items(), key=lambda g: wanted.get(g[0], {}).get("rank", 0)
    ):
        if group not in wanted or "mark" in wanted[group]:
            continue
        zone = {hex_: next(iter(canvas.features(hex_) & set(words)), "") for hex_ in canvas.here}
        edges: dict[tuple[Key, Key], str] = {}
        where: dict[Key, Point] = {}
        for hex_ in sorted(canvas.here):
            for direction in range(6):
                other = neighbour(hex_, direction)
                if (
                    other in zone
                    and hex_ < other
                    and zone[hex_] != zone[other]
                    and zone[hex_]
                    and zone[other]
                ):
                    p, q = side(hex_, direction, canvas.flat)
                    where[key(p)], where[key(q)] = p, q
                    edges[min(key(p), key(q)), max(key(p), key(q))] = group
        for line in chains(edges, lambda _a, _n, _b: 1.0):
            control = river_controls([where[k] for k in line], 0.2, 0.0)
            canvas.add(
                "zone", symbols.path(f"zone {group} rank{wanted[group].get('rank', 1)}", spline(control))
            )


def draw_grid(canvas: Canvas) -> None:
    lines: list[Sequence[Point]] = []
    for hex_ in sorted(canvas.here):
        for direction in range(6):
            other = neighbour(hex_, direction)
            if other not in canvas.here or hex_ < other:
                lines.append(side(hex_, direction, canvas.flat))
    canvas.add("grid", symbols.strokes("grid", lines))
    edge: list[Command] = []
    for loop in outlines(canvas.here.keys(), canvas.flat):
        edge.extend(straight(loop))
    around = straight(corners_of(canvas.frame.grown(0.1)))
    canvas.add("veil", symbols.path("veil", [*around, *edge]), symbols.path("edge", edge))


def corners_of(box: Rectangle) -> list[Point]:
    return [(box.left, box.top), (box.right, box.top), (box.right, box.bottom), (box.left, box.bottom)]
