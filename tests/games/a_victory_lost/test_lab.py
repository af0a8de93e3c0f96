"""A Victory Lost in the laboratory: the report knows its turns and its columns."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="the lab is an extra: pip install 'grognard[lab]'")

from grognard.games.listing import game_folder
from grognard.kernel.registry import load_game
from grognard.lab.report import Report
from grognard.lab.run import run_batch
from grognard.mechanics.battles import ResultTables


def test_every_column_is_named_as_in_the_table() -> None:
    """9.3.2 The last column is that of 10-1 and more, and its heading says so."""
    game: Any = load_game("a_victory_lost")
    crt = game.data.crt
    found = [game.render_fact("odds", column, "") for column in crt.columns]
    assert found == crt.headings == ResultTables(game_folder("a_victory_lost")).headings("crt")[1:-2]


def test_the_report_has_its_turns_events_and_columns(tmp_path: Path) -> None:
    page = Report(run_batch(tmp_path / "b", "a_victory_lost", 2, ["random", "random"], "tests"), "fr").page()
    assert re.findall(r'data-turn="(\d+)"', page) == [str(turn) for turn in range(10)]
    assert "Reprise de Kharkov" in page
    assert "1.5-1" in page
