"""Logistic regression, small enough to be read: a few numbers, fitted by Newton's steps, the same on every
machine."""

from __future__ import annotations

import math
from collections.abc import Sequence

STEPS = 25


def chance(weights: Sequence[float], row: Sequence[float]) -> float:
    """The logistic function of a weighted sum."""
    total = sum(w * x for w, x in zip(weights, row, strict=True))
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))


def fit(
    rows: Sequence[Sequence[float]],
    outcomes: Sequence[float],
    counts: Sequence[float],
    prior: Sequence[float],
    stiffness: Sequence[float],
) -> list[float]:
    """The weights by which the outcomes (0 to 1) are likeliest. `counts` is how much each row counts; leaving
    the prior costs the square of the distance times the stiffness."""
    weights = list(prior)
    size = len(weights)
    for _ in range(STEPS):
        slope = [s * (p - w) for s, p, w in zip(stiffness, prior, weights, strict=True)]
        curve = [[stiffness[i] if i == j else 0.0 for j in range(size)] for i in range(size)]
        for row, outcome, count in zip(rows, outcomes, counts, strict=True):
            expected = chance(weights, row)
            error, spread = count * (outcome - expected), count * max(1e-6, expected * (1 - expected))
            for i, x in enumerate(row):
                slope[i] += error * x
                line, weight = curve[i], spread * x
                for j, y in enumerate(row):
                    line[j] += weight * y
        step = solve(curve, slope)
        weights = [w + s for w, s in zip(weights, step, strict=True)]
        if max(map(abs, step)) < 1e-9:
            break
    return weights


def solve(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Linear equations, by elimination with the largest pivot."""
    rows = [[*line, value] for line, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for column in range(size):
        pivot = max(range(column, size), key=lambda n: abs(rows[n][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for n in range(size):
            if n != column and rows[n][column]:
                factor = rows[n][column] / rows[column][column]
                rows[n] = [a - factor * b for a, b in zip(rows[n], rows[column], strict=True)]
    return [rows[n][size] / rows[n][n] for n in range(size)]


def loss(
    weights: Sequence[float],
    rows: Sequence[Sequence[float]],
    outcomes: Sequence[float],
    counts: Sequence[float],
) -> float:
    """How badly outcomes are foretold on the average: 0.69 is tossing a coin, 0 is knowing."""
    total = 0.0
    for row, outcome, count in zip(rows, outcomes, counts, strict=True):
        p = chance(weights, row)
        total -= count * (outcome * math.log(p) + (1 - outcome) * math.log(1 - p))
    return total / sum(counts)
