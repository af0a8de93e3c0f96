"""Small batches, played once for all tests that only read them."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="the lab is an extra: pip install 'grognard[lab]'")

from grognard.lab.run import Batch, run_batch


@pytest.fixture(scope="session")
def crossroads(tmp_path_factory: pytest.TempPathFactory) -> Batch:
    folder = tmp_path_factory.mktemp("lab") / "crossroads"
    return run_batch(folder, "crossroads", 12, ["random", "random"], "tests")


@pytest.fixture(scope="session")
def victory(tmp_path_factory: pytest.TempPathFactory) -> Batch:
    folder = tmp_path_factory.mktemp("lab") / "victory"
    return run_batch(folder, "a_victory_lost", 3, ["random", "random"], "tests")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "batch"
