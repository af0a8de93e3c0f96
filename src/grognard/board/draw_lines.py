"""Rivers along hexsides; roads, railways, bridges and ferries across them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from grognard.board import draw_symbols as symbols
from grognard.board import vocabulary
from grognard.board.draw_canvas import Canvas, Pair, SideFact
from grognard.board.draw_curves import (
    Key,
    Point,
    chains,
    key,
    mix,
    river_controls,
    sampled,
    shaken,
    spline,
    spline_knots,
    through,
)
from grognard.board.draw_ground import beyond_edge
from grognard.board.draw_labels import Rectangle
from grognard.hexes import Axial, distance, neighbour


def runs(words: Sequence[str]) -> list[tuple[str, int, int]]:
    """Stretches of equal words: the word, where it starts, where the next starts."""
    out: list[tuple[str, int, int]] = []
    for i, word in enumerate(words):
        if out and out[-1][0] == word:
            out[-1] = word, out[-1][1], i + 1
        else:
            out.append((word, i, i + 1))
    return out


def draw_rivers(canvas: Canvas) -> None:
    where: dict[Key, Point] = {}
    facts: dict[tuple[Key, Key], SideFact] = {}
    pairs: dict[tuple[Key, Key], Pair] = {}
    for pair, fact in canvas.sides(*canvas.of_kind("river", "canal")).items():
        p, q = canvas.side(*pair)
        edge = min(key(p), key(q)), max(key(p), key(q))
        where[key(p)], where[key(q)] = p, q
        facts[edge], pairs[edge] = fact, pair

    def fact_of(a: Key, b: Key) -> SideFact:
        return facts[min(a, b), max(a, b)]

    def suits(a: Key, node: Key, b: Key) -> float:
        one, other = fact_of(a, node), fact_of(node, b)
        same_name = one.ident != "" and one.ident == other.ident
        return (4.0 if same_name else 0.0) + (1.0 if one.feature == other.feature else 0.0)

    met = Counter(node for edge in facts for node in edge)
    straits = {
        key(end)
        for pair in canvas.sides(*canvas.of_kind("water", "strait", "causeway"))
        for end in canvas.side(*pair)
    }
    joined = {node for node, count in met.items() if count > 1} | straits
    waiting = sorted(chains(facts, suits), key=lambda line: (-len(line), line))
    passed: dict[Key, Point] = {}
    while waiting:
        # A tributary ends on the drawn course of the river that it joins, so that river comes first.
        inner = {node for line in waiting for node in line[1:-1]}
        line = next((x for x in waiting if x[0] not in inner and x[-1] not in inner), waiting[0])
        waiting.remove(line)
        points = [where[node] for node in line]
        head, tail = _run_out(canvas, points[0]), _run_out(canvas, points[-1])
        points[0] = passed.get(line[0], points[0])
        points[-1] = passed.get(line[-1], points[-1])
        control = river_controls([*head, *points, *tail])
        knots = spline_knots(control)
        lead = len(head)
        for i, node in enumerate(line):
            passed.setdefault(node, knots[2 * (i + lead)])
        along = [fact_of(a, b) for a, b in pairwise(line)]
        for i, (a, b) in enumerate(pairwise(line)):
            canvas.crossings[pairs[min(a, b), max(a, b)]] = knots[2 * (i + lead) + 1]
        free = [not run_out and node not in joined for run_out, node in ((head, line[0]), (tail, line[-1]))]
        classes = [fact.feature for fact in along]
        if free[0] and len(classes) > 2:
            classes[0] += " source"
        if free[1] and len(classes) > 2:
            classes[-1] += " source"
        for feature, low, high in runs(classes):
            first = 2 * (low + lead) if low else 0
            last = 2 * (high + lead) if high < len(along) else None
            commands = spline(control, first, last)
            canvas.add("river", symbols.path(f"stream {feature}", commands))
            canvas.lines.append((sampled(commands), 0.12))
        for ident, low, high in runs([fact.ident for fact in along]):
            if ident:
                canvas.courses.append((along[low], knots[2 * (low + lead) : 2 * (high + lead) + 1]))


def _run_out(canvas: Canvas, corner: Point) -> list[Point]:
    """Where a river that ends at a shore or at the map's edge goes on."""
    around = canvas.at_corner.get(key(corner), [])
    wet = [h for h in around if canvas.is_wet(h)]
    if wet:
        return [mix(corner, canvas.centre(wet[0]), 0.55)]
    outside = beyond_edge(canvas, corner)
    return [outside] if outside else []


def draw_ways(canvas: Canvas) -> None:
    roads, rails = canvas.sides(*canvas.of_kind("road")), canvas.sides(*canvas.of_kind("rail"))
    over: dict[Pair, list[tuple[Point, Point]]] = {}
    _network(canvas, roads, rails, "road", -0.05, over)
    _network(canvas, rails, roads, "rail", 0.085, over)
    _bridges(canvas, over)
    dykes = [(mix(*canvas.side(a, b), 0.5), (a, b)) for a, b in canvas.sides(*canvas.of_kind("causeway"))]
    for middle, (a, b) in dykes:
        run = canvas.centre(b)[0] - canvas.centre(a)[0], canvas.centre(b)[1] - canvas.centre(a)[1]
        rails_ = symbols.bridge(middle, (run[0] / math.hypot(*run), run[1] / math.hypot(*run)), 0.075, 0.16)
        canvas.add("crossing", symbols.strokes("causeway", rails_))
    for a, b in canvas.sides(*canvas.of_kind("ferry")):
        start, end = (
            mix(canvas.centre(a), canvas.centre(b), 0.2),
            mix(canvas.centre(a), canvas.centre(b), 0.8),
        )
        if canvas.is_wet(a) or canvas.is_wet(b):
            start, end = canvas.centre(a), canvas.centre(b)
        middle = canvas.crossings.get((a, b), mix(start, end, 0.5))
        canvas.add("crossing", symbols.path("ferry", through([start, middle, end])))
        canvas.add("crossing", symbols.polygons("boat", [symbols.boat(middle)]))


def _network(
    canvas: Canvas,
    edges: dict[Pair, SideFact],
    other: dict[Pair, SideFact],
    kind: str,
    spread: float,
    over: dict[Pair, list[tuple[Point, Point]]],
) -> None:
    """Roads or railways: through lines between hex centres. Where the other kind of way takes the same
    hexes, both step a little aside so that each can be seen. `over` collects where they cross rivers, and
    in which direction."""

    def suits(a: Axial, node: Axial, b: Axial) -> float:
        one, two = edges[min(a, node), max(a, node)], edges[min(node, b), max(node, b)]
        same = 2.0 if one.ident and one.ident == two.ident else 0.0
        straight_on = 1.5 if (a.q + b.q, a.r + b.r) == (2 * node.q, 2 * node.r) else 0.0
        gentle = 1.0 if canvas.board.distance(canvas.here[a], canvas.here[b]) == 2 else 0.0
        return same + straight_on + gentle + (0.5 if one.feature == two.feature else 0.0)

    lines = sorted(chains(edges, suits), key=lambda line: (-len(line), line))
    shared = {h for edge in other for h in edge}
    nodes: dict[Axial, Point] = {}
    for line in lines:
        for i, hex_ in enumerate(line):
            if hex_ not in nodes:
                around = canvas.centre(line[max(i - 1, 0)]), canvas.centre(line[min(i + 1, len(line) - 1)])
                at = canvas.centre(hex_)
                if canvas.rank(hex_) == 0:
                    at = _beside(at, *around, spread) if hex_ in shared else at
                    at = shaken(at, 0.05, kind)
                nodes[hex_] = at
    for line in lines:
        points, classes = [nodes[line[0]]], []
        for a, b in pairwise(line):
            pair = min(a, b), max(a, b)
            middle = mix(canvas.centre(a), canvas.centre(b), 0.5)
            wet = canvas.crossings.get(pair)
            middle = wet if wet is not None else shaken(middle, 0.04, kind)
            if pair in other:
                middle = _beside(middle, canvas.centre(a), canvas.centre(b), spread)
            if wet is not None:
                back, ahead = sorted((points[-1], nodes[b]))
                over.setdefault(pair, []).append((middle, (ahead[0] - back[0], ahead[1] - back[1])))
            points += [middle, nodes[b]]
            classes.append(edges[pair].feature)
        for feature, low, high in runs(classes):
            stretch = points[2 * low : 2 * high + 1]
            if low == 0:
                stretch = [*reversed(_off_map(canvas, line[0], line[1])), *stretch]
            if high == len(classes):
                stretch = [*stretch, *_off_map(canvas, line[-1], line[-2])]
            commands = through(stretch)
            if kind == "road":
                canvas.add("road-casing", symbols.path(f"casing {feature}", commands))
                canvas.add("road", symbols.path(f"way {feature}", commands))
            else:
                big = " rank2" if vocabulary.rank(canvas.board.settings, feature) > 1 else ""
                canvas.add(
                    "rail", symbols.path(f"track{big}", commands), symbols.path(f"ties{big}", commands)
                )
            canvas.lines.append((sampled(commands), 0.06))


def _off_map(canvas: Canvas, last: Axial, before: Axial) -> list[Point]:
    """A way that stops in an open hex at the map's edge goes on beyond it, as straight as it can."""
    if canvas.rank(last) and not any(f.startswith("entry") for f in canvas.features(last)):
        return []
    goal = Axial(2 * last.q - before.q, 2 * last.r - before.r)
    off = [n for d in range(6) if (n := neighbour(last, d)) not in canvas.here and not canvas.is_wet(n)]
    off = [n for n in off if distance(n, goal) <= 1]
    if not off:
        return []
    best = min(off, key=lambda h: (distance(h, goal), h))
    return [
        mix(canvas.centre(last), canvas.centre(best), 0.5),
        mix(canvas.centre(last), canvas.centre(best), 0.9),
    ]


def _beside(at: Point, back: Point, ahead: Point, by: float) -> Point:
    """A little to one side of a line, the same side whichever way it was walked."""
    dx, dy = ahead[0] - back[0], ahead[1] - back[1]
    if dx < -1e-9 or (abs(dx) < 1e-9 and dy < 0):
        dx, dy = -dx, -dy
    length = math.hypot(dx, dy) or 1.0
    return at[0] - dy / length * by, at[1] + dx / length * by


def _bridges(canvas: Canvas, over: dict[Pair, list[tuple[Point, Point]]]) -> None:
    """A bridge where a way crosses a river; one wide enough for both where road and railway do. A map that
    declares bridges has only those."""
    declared = "bridge" in canvas.board.settings.get("features", {})
    bridges = canvas.sides("bridge")
    for pair, ways in sorted(over.items()):
        if declared and pair not in bridges:
            continue
        count = len(ways)
        x, y = sum(at[0] for at, _ in ways) / count, sum(at[1] for at, _ in ways) / count
        dx, dy = sum(run[0] for _, run in ways), sum(run[1] for _, run in ways)
        length = math.hypot(dx, dy) or 1.0
        apart = math.dist(ways[0][0], ways[-1][0]) / 2
        rails = symbols.bridge((x, y), (dx / length, dy / length), 0.04 + apart)
        canvas.add("crossing", symbols.strokes("bridge", rails))
        canvas.signs.append((Rectangle(x, y, x, y).grown(0.1), 30.0))
