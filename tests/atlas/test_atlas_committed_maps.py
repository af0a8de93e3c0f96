"""The committed maps are what the atlas makes of the overlays, byte for byte, each time."""

from __future__ import annotations

from pathlib import Path

import pytest

from grognard.atlas import AtlasError, build, overlay
from grognard.atlas.__main__ import needed_files
from grognard.atlas.build import GAMES
from grognard.atlas.geodata import catalogue, locate

FILES = ("map.toml", "hexes.csv", "sides.csv")


@pytest.fixture(scope="module")
def geodata() -> Path:
    try:
        return locate(None)
    except AtlasError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("game_id", overlay.games())
def test_the_committed_map_is_what_the_atlas_makes(game_id: str, geodata: Path, tmp_path: Path) -> None:
    build(game_id, geodata, tmp_path / "one")
    build(game_id, geodata, tmp_path / "two")
    for file in FILES:
        made = (tmp_path / "one" / file).read_bytes()
        assert made == (tmp_path / "two" / file).read_bytes(), f"{file} differs between two builds"
        assert made == (GAMES / game_id / "map" / file).read_bytes(), f"{file} is not what is committed"


@pytest.mark.parametrize("game_id", overlay.games())
def test_every_geodata_file_is_in_the_catalogue(game_id: str) -> None:
    assert set(needed_files(game_id)) <= set(catalogue())
