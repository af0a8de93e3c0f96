"""The little statistics that the lab needs, without a library."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

Z95 = 1.959963984540054
"""The normal deviate that leaves 2.5 % on either side."""


class Interval(NamedTuple):
    low: float
    high: float


def wilson(hits: int, trials: int, z: float = Z95) -> Interval:
    """The Wilson score interval of a proportion: honest near 0 and 1 and with few trials."""
    if not trials:
        return Interval(0.0, 1.0)
    share = hits / trials
    centre = share + z * z / (2 * trials)
    spread = z * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    # Rounding must not leave the ends a hair inside: 0 of n includes 0.
    low = 0.0 if hits == 0 else max(0.0, (centre - spread) / scale)
    high = 1.0 if hits == trials else min(1.0, (centre + spread) / scale)
    return Interval(low, high)


class Rate(NamedTuple):
    hits: int
    trials: int
    share: float
    interval: Interval


def rate(hits: int, trials: int) -> Rate:
    return Rate(hits, trials, hits / trials if trials else 0.0, wilson(hits, trials))


def newcombe(hits_a: int, trials_a: int, hits_b: int, trials_b: int) -> Interval:
    """The interval of the difference b - a of two proportions, from their Wilson intervals."""
    a, b = hits_a / trials_a, hits_b / trials_b
    wide_a, wide_b = wilson(hits_a, trials_a), wilson(hits_b, trials_b)
    down = math.hypot(b - wide_b.low, wide_a.high - a)
    up = math.hypot(wide_b.high - b, a - wide_a.low)
    return Interval(b - a - down, b - a + up)


def fisher(hits_a: int, trials_a: int, hits_b: int, trials_b: int) -> float:
    """Fisher's exact test of two proportions, two-sided: exact with few games, too, and at 0 or 100 %."""
    hits, trials = hits_a + hits_b, trials_a + trials_b

    def log_chance(k: int) -> float:
        return _log_choose(trials_a, k) + _log_choose(trials_b, hits - k) - _log_choose(trials, hits)

    here = log_chance(hits_a)
    low, high = max(0, hits - trials_b), min(hits, trials_a)
    chances = [log_chance(k) for k in range(low, high + 1)]
    return min(1.0, sum(math.exp(one) for one in chances if one <= here + 1e-9))


def _log_choose(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


class ChiSquare(NamedTuple):
    value: float
    freedom: int
    p: float


def chi_square(observed: Sequence[int], chances: Sequence[float]) -> ChiSquare:
    """Whether counts fit chances that were fixed beforehand."""
    total = sum(observed)
    value = sum((o - total * c) ** 2 / (total * c) for o, c in zip(observed, chances, strict=True))
    freedom = len(observed) - 1
    return ChiSquare(value, freedom, chi_square_tail(value, freedom))


def chi_square_tail(value: float, freedom: int) -> float:
    """The chance of so large a chi-square or a larger one: the upper incomplete gamma function."""
    if freedom <= 0 or value <= 0:
        return 1.0
    a, x = freedom / 2, value / 2
    front = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        step = a
        while abs(term) > abs(total) * 1e-15:
            step += 1
            term *= x / step
            total += term
        return max(0.0, 1 - front * total)
    # The continued fraction, by Lentz's method.
    tiny = 1e-300
    b = x + 1 - a
    c, d = 1 / tiny, 1 / b
    h = d
    for i in range(1, 10_000):
        an = -i * (i - a)
        b += 2
        d = 1 / (an * d + b or tiny)
        c = b + an / c or tiny
        h *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return min(1.0, front * h)


class MeanDifference(NamedTuple):
    difference: float
    interval: Interval
    p: float


def permutation(a: Sequence[float], b: Sequence[float], rounds: int = 10_000) -> MeanDifference:
    """Whether the mean of b differs from that of a: how often chance alone, dealing the same values to two
    heaps, makes as large a difference. The interval is Welch's. Equal data give equal answers."""
    difference = mean(b) - mean(a)
    interval = _welch(a, b, difference)
    random = Random("permutation")
    pooled = [*a, *b]
    total, count = sum(pooled), len(a)
    extreme = 0
    for _ in range(rounds):
        part = sum(random.sample(pooled, count))
        if abs((total - part) / len(b) - part / count) >= abs(difference) - 1e-9:
            extreme += 1
    # The deal that was found counts as one: a test by chance never says "impossible".
    return MeanDifference(difference, interval, (extreme + 1) / (rounds + 1))


def _welch(a: Sequence[float], b: Sequence[float], difference: float) -> Interval:
    if min(len(a), len(b)) < 2:
        return Interval(-math.inf, math.inf)
    error = math.sqrt(variance(a) / len(a) + variance(b) / len(b))
    return Interval(difference - Z95 * error, difference + Z95 * error)


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def variance(values: Sequence[float]) -> float:
    centre = mean(values)
    return sum((value - centre) ** 2 for value in values) / (len(values) - 1)


def quantile(values: Sequence[float], share: float) -> float:
    """Between the two nearest of the sorted values."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """The p-values of several questions asked at once, raised so that one answer by luck does not pass."""
    raised: dict[str, float] = {}
    worst = 0.0
    for place, (name, p) in enumerate(sorted(p_values.items(), key=lambda item: item[1])):
        worst = max(worst, min(1.0, p * (len(p_values) - place)))
        raised[name] = worst
    return raised
