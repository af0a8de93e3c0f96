"""Small drawings for the report: SVG and HTML made by hand, without a library and without scripts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import NamedTuple

from grognard.lab.statistics import Rate
from grognard.lab.summary import Band

WIDTH, HEIGHT = 360, 210
LEFT, RIGHT, TOP, BOTTOM = 38, 10, 12, 30
"""The margins of a chart. It is drawn at about the size at which a telephone shows it, so that letters stay
letters."""


class Scale(NamedTuple):
    """From values to places along an axis."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        span = self.high - self.low or 1.0
        return self.start + (value - self.low) / span * (self.end - self.start)


def ticks(low: float, high: float, wanted: int = 4) -> list[float]:
    """Round numbers across a range."""
    span = high - low or 1.0
    raw = span / wanted
    power = 10 ** math.floor(math.log10(raw))
    # Counts want whole numbers: a quarter only of tens and more.
    rungs = (1, 2, 2.5, 5, 10) if power >= 10 else (1, 2, 5, 10)
    step = max(1, next(power * m for m in rungs if power * m >= raw))
    first = math.ceil(low / step) * step
    return [first + step * n for n in range(int((high - first) / step + 1e-9) + 1)]


def number(value: float) -> str:
    """A short number for a drawing: no more decimals than it needs."""
    return f"{value:.1f}".removesuffix(".0").replace("-", "−")


def band_chart(
    series: Mapping[int, Sequence[tuple[int, Band]]], title: str, x_word: str, language: str
) -> str:
    """Lines with bands, one for each side (by its place, which is also its colour)."""
    every = [(turn, band) for line in series.values() for turn, band in line]
    if not every:
        return ""
    low = min(0.0, *(band.low for _, band in every))
    high = max(1.0, *(band.high for _, band in every))
    last = max(turn for turn, _ in every)
    x = Scale(0, max(last, 1), LEFT, WIDTH - RIGHT)
    y = Scale(low, high, HEIGHT - BOTTOM, TOP)
    parts = [_frame(title), _grid(y, ticks(low, high), language)]
    for turn in range(0, last + 1, 1 if last <= 12 else 2):
        parts.append(f'<text class="tick" x="{x(turn):.1f}" y="{HEIGHT - 12}">{turn}</text>')
    parts.append(f'<text class="axis" x="{WIDTH - RIGHT}" y="{HEIGHT - 1}">{escape(x_word)}</text>')
    for side, line in series.items():
        there = [f"{x(t):.1f},{y(b.high):.1f}" for t, b in line]
        back = [f"{x(t):.1f},{y(b.low):.1f}" for t, b in reversed(line)]
        parts.append(f'<polygon class="band side{side}" points="{" ".join(there + back)}"/>')
    for side, line in series.items():
        points = " ".join(f"{x(t):.1f},{y(b.median):.1f}" for t, b in line)
        parts.append(f'<polyline class="line side{side}" points="{points}"/>')
    return _svg(parts)


def histogram(heaps: Sequence[tuple[str, Sequence[int]]], title: str, language: str) -> str:
    """How many values fall where. Heaps (a style and its values) are piled up on each other."""
    values = [value for _, heap in heaps for value in heap]
    low, high = min(*values, 0), max(*values, 0)
    width = max(1, math.ceil((high - low + 1) / 24))
    bins = [(style, Counter(math.floor(value / width) for value in heap)) for style, heap in heaps]
    total = sum((counts for _, counts in bins), Counter[int]())
    first, last = math.floor(low / width), math.floor(high / width)
    x = Scale(first * width, (last + 1) * width, LEFT, WIDTH - RIGHT)
    y = Scale(0, max(total.values()), HEIGHT - BOTTOM, TOP)
    parts = [_frame(title), _grid(y, ticks(0, y.high), language)]
    for place in sorted(total):
        left, right = x(place * width), x((place + 1) * width)
        floor = 0
        for style, counts in bins:
            if count := counts[place]:
                box = f'x="{left + 0.6:.1f}" width="{max(0.8, right - left - 1.2):.1f}"'
                top, bottom = y(floor + count), y(floor)
                parts.append(f'<rect class="bar {style}" {box} y="{top:.1f}" height="{bottom - top:.1f}"/>')
                floor += count
    for tick in ticks(x.low, x.high, 6):
        parts.append(f'<text class="tick" x="{x(tick):.1f}" y="{HEIGHT - 12}">{number(tick)}</text>')
    return _svg(parts)


def _svg(parts: Iterable[str]) -> str:
    return f'<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">{"".join(parts)}</svg>'


def _frame(title: str) -> str:
    return f"<title>{escape(title)}</title>"


def _grid(y: Scale, values: Iterable[float], language: str) -> str:
    parts = []
    for value in values:
        parts.append(
            f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(value):.1f}" y2="{y(value):.1f}"/>'
        )
        shown = number(value).replace(".", "," if language == "fr" else ".")
        parts.append(f'<text class="value" x="{LEFT - 5}" y="{y(value) + 3.5:.1f}">{shown}</text>')
    return "".join(parts)


def rate_bar(found: Rate, side: str = "") -> str:
    """A share as a bar, with its interval as a thin line over it."""
    low, high = found.interval
    return (
        f'<span class="track"><i class="fill {side}" style="width:{100 * found.share:.1f}%"></i>'
        f'<i class="interval" style="left:{100 * low:.1f}%;width:{100 * (high - low):.1f}%"></i></span>'
    )
