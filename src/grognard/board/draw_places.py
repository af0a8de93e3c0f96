"""Towns, marks, hex numbers and names."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

from grognard.board import draw_symbols as symbols
from grognard.board import vocabulary
from grognard.board.draw_canvas import Canvas, SideFact
from grognard.board.draw_curves import Point, mix, through
from grognard.board.draw_labels import Clutter, Rectangle, boxes_along, place, text_box, text_width
from grognard.board.draw_symbols import TOWN_CLEAR
from grognard.hexes import Axial, neighbour

NAME_SIZES = {0: 0.20, 1: 0.20, 2: 0.235, 3: 0.285, 4: 0.34, 5: 0.38}
NUMBER_SIZE = 0.115
MARK_PRICE, HOUSE_PRICE = 240.0, 120.0
"""What it costs a name to hide a mark that matters in play, and the houses of a town."""
NAME_EVERY = 24
"""A long river is named again after so many sides."""
LABEL_SPACING, ALONG_SPACING = 0.12, 0.04
"""Letter spacing of regions and of rivers, in ems, as in map.css."""


def draw_towns(canvas: Canvas) -> None:
    for hex_ in sorted(canvas.here):
        rank = canvas.rank(hex_)
        if not rank:
            continue
        at = canvas.centre(hex_)
        if rank >= 3:
            canvas.add("town", symbols.built_up(at, rank))
        canvas.add("town", symbols.houses(at, rank))
        wide, high = TOWN_CLEAR[rank]
        canvas.signs.append((Rectangle(at[0] - wide, at[1] - high, at[0] + wide, at[1] + high), HOUSE_PRICE))


def _outward(canvas: Canvas, hex_: Axial) -> Point | None:
    """From a hex at the map's edge, the way off the map."""
    x, y = canvas.centre(hex_)
    off = [canvas.centre(n) for d in range(6) if (n := neighbour(hex_, d)) not in canvas.here]
    dx, dy = sum(p[0] - x for p in off), sum(p[1] - y for p in off)
    length = math.hypot(dx, dy)
    return (dx / length, dy / length) if length > 0.1 else None


def draw_marks(canvas: Canvas) -> None:
    for hex_ in sorted(canvas.here):
        features = sorted(canvas.features(hex_))
        words = [f for f in features if canvas.drawn_as(f) in ("mark", "sign") or f.startswith("victory")]
        x, y = canvas.centre(hex_)
        slots = [(0.30, -0.2), (-0.30, -0.2), (0.30, 0.24), (-0.30, 0.24), (0.0, 0.36)]
        entries = [f for f in words if f.startswith("entry")]
        out = _outward(canvas, hex_)
        ox, oy = out or (0.0, 0.9)
        for i, feature in enumerate(entries):
            across = (i - (len(entries) - 1) / 2) * 0.3
            # At the top of a hex the arrow stands beside the number.
            across -= 0.25 if oy < -0.7 else 0.0
            mx, my = x + ox * 0.3 - oy * across, y + oy * 0.3 + ox * across
            whose = vocabulary.camp(canvas.board.settings, feature)
            canvas.add("mark", *symbols.mark(feature, mx, my, 0.11 * canvas.letters, (-ox, -oy), whose))
            canvas.signs.append((Rectangle(mx - 0.13, my - 0.13, mx + 0.13, my + 0.13), MARK_PRICE))
            slots = [s for s in slots if math.hypot(x + s[0] - mx, y + s[1] - my) > 0.24]
        for feature, (dx, dy) in zip([f for f in words if f not in entries], slots, strict=False):
            size = 0.1 * canvas.letters
            if canvas.drawn_as(feature) == "sign":
                kind = vocabulary.kind(canvas.board.settings, feature)
                rank = vocabulary.rank(canvas.board.settings, feature)
                canvas.add("mark", *symbols.sign(kind, rank, x + dx, y + dy, size))
            else:
                whose = vocabulary.camp(canvas.board.settings, feature)
                canvas.add("mark", *symbols.mark(feature, x + dx, y + dy, size, side=whose))
            box = Rectangle(x + dx - 0.11, y + dy - 0.11, x + dx + 0.11, y + dy + 0.11)
            canvas.signs.append((box, MARK_PRICE))


def draw_numbers(canvas: Canvas) -> None:
    if not canvas.options.numbers:
        return
    for cell in canvas.board.cells:
        hex_ = canvas.board.axial(cell)
        x, y = canvas.centre(hex_)
        # On a map of several sheets the number stands alone: the sheet is known by where one looks.
        base, number = (
            y - 0.365,
            canvas.board.number(cell).rpartition(canvas.board.numbering.separator or " ")[2],
        )
        style = "number wet" if canvas.is_wet(hex_) else "number"
        size = NUMBER_SIZE * canvas.letters
        canvas.add("number", symbols.text(style, number, x, base, size))
        box = text_box(x, base, text_width(number, size), size, "middle")
        canvas.signs.append((box, 14.0))


# Names --------------------------------------------------------------------------------------------------


def draw_names(canvas: Canvas) -> None:
    if not canvas.options.names:
        return
    clutter = Clutter(canvas.frame.grown(-0.04))
    for points, price in canvas.lines:
        clutter.add_points(points, price)
    for box, price in canvas.signs:
        clutter.add_box(box, price)
    fixed = _fixed_names(canvas, clutter)
    _place_names(canvas, clutter)
    _river_names(canvas, clutter, fixed)


def _fixed_names(canvas: Canvas, clutter: Clutter) -> set[str]:
    """The names that the map's maker put where they are."""
    shown = set()
    for label in canvas.board.settings.get("labels", ()):
        words = str(label.get(canvas.language) or label.get("en") or "")
        cx, cy = canvas.centre(canvas.board.axial(canvas.board.cell(str(label["hex"]))))
        x, y = cx + float(label.get("dx", 0.0)), cy + float(label.get("dy", 0.0))
        size, angle = float(label.get("size", 0.32)), float(label.get("angle", 0.0))
        kind = str(label.get("kind", "region"))
        layer = "water-name" if kind == "water" else "name"
        # The letters turn about the point that was given, which is the middle of the text.
        turn = math.radians(angle)
        drop = size * 0.25
        bx, by = x - math.sin(turn) * drop, y + math.cos(turn) * drop
        canvas.add(layer, symbols.text(f"label {kind}", words, bx, by, size, angle=angle))
        width = text_width(words, size, "italic" if kind == "water" else "regular", LABEL_SPACING)
        steps = max(2, round(width / (size * 0.6)))
        spine = [
            (x + math.cos(turn) * (i / steps - 0.5) * width, y + math.sin(turn) * (i / steps - 0.5) * width)
            for i in range(steps + 1)
        ]
        for box in boxes_along(spine, size * 0.45):
            clutter.add_box(box, 60.0)
        shown.add(words)
    return shown


def _shown_name(canvas: Canvas, hex_: Axial) -> str:
    cell = canvas.here.get(hex_)
    if cell is None:
        return ""
    return canvas.board.name(cell, canvas.language) or canvas.board.name(cell, "en")


def _place_names(canvas: Canvas, clutter: Clutter) -> None:
    wanted: list[tuple[int, str, list[Axial]]] = []
    taken: set[Axial] = set()
    for cell in canvas.board.cells:
        hex_ = canvas.board.axial(cell)
        name = _shown_name(canvas, hex_)
        if name and hex_ not in taken:
            group = _same_name(canvas, hex_, name)
            taken |= set(group)
            wanted.append((max(canvas.rank(h) for h in group), name, group))
    for rank, name, group in sorted(wanted, key=lambda w: (-w[0], w[2][0])):
        centres = [canvas.centre(h) for h in group]
        x, y = sum(p[0] for p in centres) / len(group), sum(p[1] for p in centres) / len(group)
        wet = all(canvas.is_wet(h) for h in group)
        face = "italic" if wet else "bold" if rank >= 3 else "regular"
        size = NAME_SIZES[rank] * canvas.letters
        wide, high = TOWN_CLEAR[rank]
        clear = max(abs(p[0] - x) for p in centres) + wide, max(abs(p[1] - y) for p in centres) + high
        found = place(clutter, (x, y), clear, text_width(name, size, face), size)
        style, layer = ("place water", "water-name") if wet else (f"place rank{rank}", "name")
        canvas.add(layer, symbols.text(style, name, found.x, found.y, size, found.anchor))
        # Two names side by side need more than a letter's space, or they read as one.
        left, top, right, bottom = found.box.grown(0.02)
        clutter.add_box(Rectangle(left - 0.4 * size, top, right + 0.4 * size, bottom), 150.0)


def _same_name(canvas: Canvas, start: Axial, name: str) -> list[Axial]:
    """The hexes of one place: neighbours that share its name."""
    group, edge = {start}, [start]
    while edge:
        hex_ = edge.pop()
        for direction in range(6):
            other = neighbour(hex_, direction)
            if other not in group and _shown_name(canvas, other) == name:
                group.add(other)
                edge.append(other)
    return sorted(group)


def _river_names(canvas: Canvas, clutter: Clutter, shown: Iterable[str]) -> None:
    """Each river's name where it can best be read, more than once along a long one."""
    done = set(shown)
    for fact, course in sorted(canvas.courses, key=lambda c: (c[0].feature, -len(c[1]), c[0].ident)):
        sides = len(course) // 2
        if fact.name in done and sides < NAME_EVERY:
            continue
        pieces = 1 + sides // NAME_EVERY
        for piece in range(pieces):
            low, high = len(course) * piece // pieces, len(course) * (piece + 1) // pieces
            if _name_along(canvas, clutter, fact, course[low:high]):
                done.add(fact.name)


def _name_along(canvas: Canvas, clutter: Clutter, fact: SideFact, course: Sequence[Point]) -> bool:
    """Write a river's name along a stretch of it, if there is room."""
    size = (0.2 if fact.feature == "major_river" else 0.17) * canvas.letters
    width = text_width(fact.name, size, "italic", ALONG_SPACING) * 1.04
    best: tuple[float, list[Point]] | None = None
    for offset in (-0.1, 0.1 + size * 0.55):
        for crooked, letters, base in stretches(course, width, offset):
            price = sum(clutter.price(box) for box in boxes_along(letters, size * 0.4))
            cost = price + 6 * crooked
            if best is None or cost < best[0] - 1e-9:
                best = cost, base
    if best is None or best[0] > 14:
        return False
    style = f"along {fact.feature}"
    canvas.add("water-name", symbols.text(style, fact.name, 0.0, 0.0, size, along=through(best[1])))
    for box in boxes_along(best[1], size * 0.5):
        clutter.add_box(box, 60.0)
    return True


def stretches(
    course: Sequence[Point], width: float, offset: float
) -> Iterable[tuple[float, list[Point], list[Point]]]:
    """Places along a river for a name: how crooked, the middle of its letters, and its base line. On the
    inner side of a bend the base line is shorter than the river: the name may need a longer stretch."""
    for start in range(len(course) - 2):
        for slack in (1.08, 1.3, 1.6):
            stretch, length = _stretch(course, start, width * slack)
            if length < width * 1.02 or len(stretch) < 3:
                return
            chord = math.dist(stretch[0], stretch[-1]) or 0.01
            steep = abs(stretch[-1][1] - stretch[0][1]) / chord
            crooked = max(0.0, length / chord - 1.0) + 0.25 * steep**3
            base, middle = [], []
            for i, p in enumerate(stretch):
                a, b = stretch[max(0, i - 1)], stretch[min(len(stretch) - 1, i + 1)]
                run = math.dist(a, b) or 1.0
                nx, ny = -(b[1] - a[1]) / run, (b[0] - a[0]) / run
                base.append((p[0] + nx * offset, p[1] + ny * offset))
                middle.append((p[0] + nx * (offset - 0.05), p[1] + ny * (offset - 0.05)))
            if sum(math.dist(a, b) for a, b in pairwise(base)) >= width:
                yield crooked, middle, base
                break


def _stretch(course: Sequence[Point], start: int, wanted: float) -> tuple[list[Point], float]:
    """A stretch of a river from one of its points, as long as wanted if it goes on so far, from left to right
    and smoothed; and how long it was before."""
    stretch, length = [course[start]], 0.0
    for p in course[start + 1 :]:
        length += math.dist(stretch[-1], p)
        stretch.append(p)
        # A short name still needs three points: two have no bend to follow.
        if length >= wanted and len(stretch) > 2:
            break
    if stretch[0][0] > stretch[-1][0]:
        stretch.reverse()
    for _ in range(3):
        stretch = [
            p if i in (0, len(stretch) - 1) else mix(p, mix(stretch[i - 1], stretch[i + 1], 0.5), 0.6)
            for i, p in enumerate(stretch)
        ]
    return stretch, length
