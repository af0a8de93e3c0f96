"""Judgement learnt from play: the fit finds what decides games, and a kill changes nothing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest

from grognard.kernel.registry import load_game
from grognard.lab import tune as lab_tune
from grognard.lab.batch import BatchError
from grognard.lab.fit import chance, fit, solve
from grognard.lab.tune import Fit, fit_page, fitted, tune

GAME = "crossroads"


def test_equations_are_solved() -> None:
    assert solve([[0.0, 2.0], [3.0, 1.0]], [4.0, 5.0]) == pytest.approx([1.0, 2.0])


def test_weights_that_made_the_outcomes_are_found_again() -> None:
    random = Random("fit")
    true = [0.3, 1.5, -0.7]
    rows = [[1.0, random.uniform(-2, 2), random.uniform(-2, 2)] for _ in range(4000)]
    outcomes = [float(random.random() < chance(true, row)) for row in rows]
    found = fit(rows, outcomes, [1.0] * len(rows), [0.0] * 3, [0.01] * 3)
    assert found == pytest.approx(true, abs=0.15)
    stiff = fit(rows, outcomes, [1.0] * len(rows), [0.0] * 3, [1e6] * 3)
    assert stiff == pytest.approx([0.0] * 3, abs=0.01)


def invented(games: int) -> list[dict[str, Any]]:
    """Games decided by material and by battles, ground being worth nothing."""
    random = Random("invented")
    parts = []
    for _ in range(games):
        terms = [
            [{name: random.gauss(10, 2) for name in ("material", "battles", "ground")} for _ in range(2)]
            for _ in range(4)
        ]
        lead = sum(both[0][n] - both[1][n] for both in terms for n in ("material", "battles")) / 4
        parts.append({"won": float(random.random() < chance([0.6], [lead])), "terms": terms})
    return parts


def test_a_term_that_decides_nothing_counts_for_less() -> None:
    found = fitted(invented(300), ("red", "blue"))
    for side in ("red", "blue"):
        assert found.weights[side]["ground"] < 0.7 < found.weights[side]["battles"]
    assert found.after < found.before
    assert sum(count for _, _, count in found.bins) == 60 * 4


def folder_of(tmp_path: Path, name: str) -> Path:
    return tmp_path / name


def test_killed_and_resumed_gives_the_same_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = tune(folder_of(tmp_path, "whole"), GAME, 6, "s")
    play = lab_tune.positions

    def dies(game: Any, seed: str) -> dict[str, Any]:
        if seed.endswith("-3"):
            raise KeyboardInterrupt
        return play(game, seed)

    broken = folder_of(tmp_path, "broken")
    monkeypatch.setattr(lab_tune, "positions", dies)
    with pytest.raises(KeyboardInterrupt):
        tune(broken, GAME, 6, "s")
    monkeypatch.setattr(lab_tune, "positions", play)
    assert len(list((broken / "parts").glob("*.json"))) == 3
    told: list[tuple[int, int]] = []
    again = tune(broken, GAME, 6, "s", progress=lambda done, of: told.append((done, of)))
    assert told == [(3, 6), (4, 6), (5, 6), (6, 6)]
    assert again == whole
    for name in ("weights.json", f"own/{GAME}/doctrine.toml"):
        assert (broken / name).read_text() == (folder_of(tmp_path, "whole") / name).read_text()


GO = """
import sys
from pathlib import Path
from grognard.lab.tune import tune
tune(Path(sys.argv[1]), sys.argv[2], 400, "s")
"""


def test_killed_without_warning_and_resumed_gives_the_same_weights(tmp_path: Path) -> None:
    """The process is ended by a signal that it cannot answer, in the middle of its games."""
    whole = tune(folder_of(tmp_path, "whole"), GAME, 8, "s")
    broken = folder_of(tmp_path, "broken")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    process = subprocess.Popen([sys.executable, "-c", GO, str(broken), GAME], env=environment)
    try:
        while len(list(broken.glob("parts/*.json"))) < 3:
            assert process.poll() is None
            time.sleep(0.005)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == -signal.SIGKILL
    assert not (broken / "weights.json").exists()
    again = tune(broken, GAME, 8, "s")
    assert again == whole
    for name in ("weights.json", f"own/{GAME}/doctrine.toml"):
        assert (broken / name).read_text() == (folder_of(tmp_path, "whole") / name).read_text()


def test_another_seed_is_another_folder(tmp_path: Path) -> None:
    tune(tmp_path, GAME, 1, "s")
    with pytest.raises(BatchError, match="another seed"):
        tune(tmp_path, GAME, 1, "t")


def test_the_page_shows_the_fit_in_both_languages() -> None:
    found = Fit({"amber": {"ground": 1.7}, "cobalt": {"ground": 0.5}}, 5, 60, 0.612, 0.55, [(0.4, 0.5, 12)])
    pages = {language: fit_page(found, load_game(GAME), language) for language in ("en", "fr")}
    assert "0.612" in pages["en"]
    assert "0,612" in pages["fr"]
    assert all("ground" in page for page in pages.values())
    assert pages["en"] != pages["fr"]
    assert json.dumps(found._asdict())
