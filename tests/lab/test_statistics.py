"""The lab's statistics against values from textbooks and exact counts."""

from __future__ import annotations

from itertools import combinations
from math import comb, isclose
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grognard.lab.statistics import (
    chi_square,
    chi_square_tail,
    fisher,
    holm,
    mean,
    newcombe,
    permutation,
    quantile,
    wilson,
)


@pytest.mark.parametrize(
    ("hits", "trials", "low", "high"),
    [(0, 10, 0.0, 0.2775), (8, 10, 0.4902, 0.9433), (50, 100, 0.4038, 0.5962), (10, 10, 0.7225, 1.0)],
)
def test_wilson(hits: int, trials: int, low: float, high: float) -> None:
    found = wilson(hits, trials)
    assert found.low == pytest.approx(low, abs=1e-4)
    assert found.high == pytest.approx(high, abs=1e-4)


@given(st.integers(1, 400), st.data())
def test_wilson_holds_the_share(trials: int, data: st.DataObject) -> None:
    hits = data.draw(st.integers(0, trials))
    low, high = wilson(hits, trials)
    assert 0 <= low <= hits / trials <= high <= 1


def test_newcombe() -> None:
    # Newcombe 1998, method 10, example (a): 56 of 70 against 48 of 80.
    low, high = newcombe(48, 80, 56, 70)
    assert (low, high) == pytest.approx((0.0524, 0.3339), abs=1e-4)


@given(st.integers(1, 9), st.integers(1, 9), st.data())
def test_fisher_is_exact(trials_a: int, trials_b: int, data: st.DataObject) -> None:
    a, b = data.draw(st.integers(0, trials_a)), data.draw(st.integers(0, trials_b))
    ways = {
        k: comb(trials_a, k) * comb(trials_b, a + b - k) for k in range(a + b + 1) if a + b - k <= trials_b
    }
    rare = sum(number for number in ways.values() if number <= ways[a])
    assert isclose(fisher(a, trials_a, b, trials_b), rare / sum(ways.values()), rel_tol=1e-6)


@pytest.mark.parametrize(
    ("value", "freedom", "p"),
    [(3.841, 1, 0.05), (11.070, 5, 0.05), (15.086, 5, 0.01), (1.145, 5, 0.95), (101.879, 80, 0.05)],
)
def test_chi_square_tail(value: float, freedom: int, p: float) -> None:
    assert chi_square_tail(value, freedom) == pytest.approx(p, abs=2e-4)


def test_chi_square_of_a_die() -> None:
    assert chi_square([10, 10, 10, 10, 10, 10], [1 / 6] * 6).p == pytest.approx(1.0)
    assert chi_square([30, 10, 5, 5, 5, 5], [1 / 6] * 6).p < 0.001


def test_permutation_agrees_with_all_deals() -> None:
    a, b = [1.0, 2.0, 3.0, 4.0], [3.0, 5.0, 6.0, 8.0]
    pooled = [*a, *b]
    found = abs(mean(b) - mean(a))
    deals = [abs((sum(pooled) - sum(part)) / 4 - sum(part) / 4) for part in combinations(pooled, 4)]
    exact = sum(deal >= found - 1e-9 for deal in deals) / len(deals)
    assert permutation(a, b).p == pytest.approx(exact, abs=0.015)


def test_permutation_is_not_fooled_often() -> None:
    random = Random("no difference")
    fooled = 0
    for _ in range(60):
        a, b = ([random.gauss(0, 10) for _ in range(25)] for _ in "ab")
        fooled += permutation(a, b, rounds=400).p < 0.05
    assert fooled <= 8  # three are expected


def test_holm() -> None:
    assert holm({"a": 0.01, "b": 0.04}) == {"a": 0.02, "b": 0.04}
    assert holm({"a": 0.04, "b": 0.03}) == {"b": 0.06, "a": 0.06}


def test_quantile() -> None:
    assert quantile([3, 1, 2], 0.5) == 2
    assert quantile([1, 2], 0.5) == 1.5
    assert quantile([7], 0.9) == 7
