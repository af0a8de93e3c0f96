"""A Victory Lost in the laboratory: the report knows its turns and its columns."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="the lab is an extra: pip install 'grognard[lab]'")

from grognard.lab.report import Report
from grognard.lab.run import run_batch


def test_the_report_has_its_turns_events_and_columns(tmp_path: Path) -> None:
    page = Report(run_batch(tmp_path / "b", "a_victory_lost", 2, ["random", "random"], "tests"), "fr").page()
    assert re.findall(r'data-turn="(\d+)"', page) == [str(turn) for turn in range(10)]
    assert "Reprise de Kharkov" in page
    assert "1.5-1" in page
