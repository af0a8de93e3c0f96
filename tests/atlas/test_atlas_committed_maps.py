"""The committed maps are what the atlas makes of the overlays, byte for byte, each time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from grognard.atlas import AtlasError, build, overlay
from grognard.atlas.__main__ import needed_files
from grognard.atlas.build import GAMES
from grognard.atlas.geodata import datasets, locate

FILES = ("map.toml", "hexes.csv", "sides.csv")


@pytest.fixture(scope="module")
def geodata() -> Path:
    try:
        return locate(None)
    except AtlasError as error:
        pytest.skip(str(error))


BIG = ("second_front", "typhoon")
"""Minutes of work each: built when GROGNARD_LONG is set."""


@pytest.mark.parametrize("game_id", overlay.games())
def test_the_committed_map_is_what_the_atlas_makes(game_id: str, geodata: Path, tmp_path: Path) -> None:
    if game_id in BIG and not os.environ.get("GROGNARD_LONG"):
        pytest.skip("takes long; GROGNARD_LONG=yes builds it")
    build(game_id, geodata, tmp_path)
    for file in FILES:
        made = (tmp_path / file).read_bytes()
        assert made == (GAMES / game_id / "map" / file).read_bytes(), f"{file} is not what is committed"


def test_another_process_with_another_hash_seed_makes_the_same_map(geodata: Path, tmp_path: Path) -> None:
    """Sets must never decide an order: Python shuffles them anew in each process."""
    command = [sys.executable, "-m", "grognard.atlas", "build", "leningrad"]
    for seed in ("1", "2"):
        out = tmp_path / seed
        subprocess.run(
            [*command, "--geodata", str(geodata), "--out", str(out)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
        )
    for file in FILES:
        assert (tmp_path / "1" / file).read_bytes() == (tmp_path / "2" / file).read_bytes()


def test_the_list_of_datasets_holds_what_the_maps_need_and_no_more() -> None:
    assert {file for game_id in overlay.games() for file in needed_files(game_id)} == set(datasets())
