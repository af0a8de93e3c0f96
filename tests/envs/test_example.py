"""The example of docs/research.md runs. That it learns is measured there, not tested."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "examples" / "train_small.py"


def test_the_example_trains_and_measures() -> None:
    done = subprocess.run(
        [sys.executable, str(EXAMPLE), "--games", "16", "--test-games", "2"],
        capture_output=True,
        text=True,
        check=True,
    )
    lines = done.stdout.splitlines()
    assert lines[0] == "Training on 16 games of one turn:"
    assert [line.split()[0] for line in lines if "±" in line] == ["random", "peaceful", "learnt"]
