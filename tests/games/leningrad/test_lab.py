"""Leningrad in the laboratory: what is written down of its games agrees with its tables."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="the lab is an extra: pip install 'grognard[lab]'")

from grognard.kernel.registry import load_game
from grognard.lab.history import first_day, turn_of
from grognard.lab.run import run_batch
from grognard.lab.tables import read
from grognard.lab.tune import Fit, as_toml


def test_combats_follow_the_table(tmp_path: Path) -> None:
    game: Any = load_game("leningrad")
    crt = game.data.crt
    names = {game.render_fact("odds", column, "en"): column for column in crt.columns}
    batch = run_batch(tmp_path / "batch", "leningrad", 4, ["random", "random"], "tests")
    combats = read(batch.folder, "combats").to_pylist()
    assert len(combats) > 100
    for line in combats:
        assert crt.result(names[line["odds"]], line["die"]) == line["result"]
        assert line["attackers"] and line["defenders"] and 1 <= line["turn"] <= 12


def test_a_turn_is_a_week() -> None:
    game = load_game("leningrad")
    assert turn_of(game, date(1941, 6, 22)) == 1
    assert turn_of(game, date(1941, 6, 28)) == 1
    assert turn_of(game, date(1941, 6, 29)) == 2
    assert first_day(game, 12) == date(1941, 9, 7)


def test_the_weights_can_be_laid_over_a_game(tmp_path: Path) -> None:
    found = Fit({"german": {"ground": 1.7}, "soviet": {"places": 0.5}}, 5, 60, 0.6, 0.55, [(0.4, 0.5, 12)])
    head = {"player": "regular", "seed": "s", "doctrine": "d", "program": "p"}
    own = tmp_path / "leningrad"
    own.mkdir()
    (own / "doctrine.toml").write_text(as_toml(found, head), encoding="utf-8")
    game: Any = load_game("leningrad", tmp_path)
    state = game.start("campaign")
    game.settle(state, "weights")
    plain: Any = load_game("leningrad").doctrine
    for side in (0, 1):
        before, after = plain.terms(state, side), game.doctrine.terms(state, side)
        for name, value in before.items():
            weight = {(0, "ground"): 1.7, (1, "places"): 0.5}.get((side, name), 1.0)
            assert after[name] == pytest.approx(weight * value)
