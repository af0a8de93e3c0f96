"""What a table promises: every throw weighed, an owner's own results among them."""

from __future__ import annotations

from pathlib import Path

import pytest

from grognard.files import Folder
from grognard.games.listing import game_folder
from grognard.mechanics.battles import ResultTables, totals


def one_die(folder: Path) -> None:
    (folder / "tables").mkdir(parents=True)
    rows = "\n".join(f"{die},{'AE' if die == 6 else '-'}" for die in range(1, 7))
    (folder / "tables/crt.csv").write_text(f"die,1-1\n{rows}\n", encoding="utf-8")


def test_a_promise_weighs_every_throw(tmp_path: Path) -> None:
    """One die, and Crossroads' two added up."""
    one_die(tmp_path)
    one = ResultTables(Folder(tmp_path)).chances("crt", "1-1", [6])
    assert one == {"-": pytest.approx(5 / 6), "AE": pytest.approx(1 / 6)}
    two = ResultTables(game_folder("crossroads")).chances("crt", "1-2", [6, 6])
    assert two["AE"] == pytest.approx(3 / 36)
    assert sum(two.values()) == pytest.approx(1)


def test_an_owners_results_count(tmp_path: Path) -> None:
    one_die(tmp_path / "printed")
    (tmp_path / "own/tables").mkdir(parents=True)
    (tmp_path / "own/tables/crt.csv").write_text("die,1-1\n5,AE\n", encoding="utf-8")
    found = ResultTables(Folder(tmp_path / "printed", tmp_path / "own")).chances("crt", "1-1", [6])
    assert found == {"-": pytest.approx(4 / 6), "AE": pytest.approx(2 / 6)}


def test_dice_that_add_up() -> None:
    assert totals([6, 6])[7] == pytest.approx(6 / 36)
    assert totals([10]) == {face: pytest.approx(0.1) for face in range(1, 11)}
