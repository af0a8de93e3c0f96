"""Points in halves, quarters and twelfths."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grognard.files.scale import HALVES, WHOLE, Scale

TWELFTHS = Scale(12)


@pytest.mark.parametrize(
    ("scale", "amount", "text"),
    [
        (HALVES, 0, "0"),
        (HALVES, 1, "½"),
        (HALVES, 5, "2½"),
        (HALVES, -3, "-1½"),
        (WHOLE, 7, "7"),
        (TWELFTHS, 4, "⅓"),
        (TWELFTHS, 21, "1¾"),
        (TWELFTHS, 17, "1 5/12"),
        (TWELFTHS, 5, "5/12"),
    ],
)
def test_points_as_players_write_them(scale: Scale, amount: int, text: str) -> None:
    assert scale.text(amount) == text


@pytest.mark.parametrize(
    ("scale", "text", "amount"),
    [
        (HALVES, "2", 4),
        (HALVES, "1/2", 1),
        (HALVES, "1 1/2", 3),
        (TWELFTHS, "1/3", 4),
        (TWELFTHS, "2 1/4", 27),
    ],
)
def test_points_as_data_files_write_them(scale: Scale, text: str, amount: int) -> None:
    assert scale.read(text) == amount


@pytest.mark.parametrize("text", ["", "half", "1/0", "1 1", "-1", "1/3", "1/2 1", "11/2"])
def test_what_is_no_number_of_halves_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        HALVES.read(text)


@given(st.integers(0, 10_000), st.sampled_from([1, 2, 4, 12]))
def test_a_number_is_the_amount_in_points(amount: int, parts: int) -> None:
    scale = Scale(parts)
    assert scale.number(amount) * parts == pytest.approx(amount)
