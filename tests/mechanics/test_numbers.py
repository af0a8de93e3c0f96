"""Numbers of a rulebook: within a byte, unless they say otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

from grognard.files import DataError, Folder
from grognard.mechanics.numbers import Numbers


def numbers(folder: Path, *rows: str, columns: str = "id,value,provenance,source") -> Numbers:
    (folder / "numbers.csv").write_text("\n".join((columns, *rows)) + "\n")
    return Numbers(Folder(folder), "numbers.csv")


def test_a_number_is_at_most_250(tmp_path: Path) -> None:
    assert numbers(tmp_path, "range,250,rulebook,11.0")["range"] == 250
    with pytest.raises(DataError, match="between 0 and 250"):
        numbers(tmp_path, "range,251,rulebook,11.0")


def test_a_number_with_bounds_of_its_own_may_be_larger_or_negative(tmp_path: Path) -> None:
    columns = "id,value,low,high,provenance,source"
    found = numbers(
        tmp_path,
        "production,3000,0,9999,rulebook,40",
        "penalty,-12,-50,0,rulebook,41",
        "range,7,,,rulebook,12",
        columns=columns,
    )
    assert found == {"production": 3000, "penalty": -12, "range": 7}
    with pytest.raises(DataError, match="between 0 and 9999"):
        numbers(tmp_path, "production,10000,0,9999,rulebook,40", columns=columns)
    with pytest.raises(DataError, match="between 0 and 250"):
        numbers(tmp_path, "range,300,,,rulebook,12", columns=columns)
