"""The atlas from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from grognard.atlas.__main__ import main, needed_files
from grognard.atlas.geodata import ENVIRONMENT


def test_the_list_of_geodata_says_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "land_east.geojson").write_text("{}", encoding="utf-8")
    assert main(["geodata", "--dir", str(tmp_path)]) == 1
    printed = capsys.readouterr().out
    assert "present  land_east.geojson" in printed
    assert "MISSING  lakes_east.geojson" in printed
    assert "Natural Earth" in printed
    assert "public domain" in printed


def test_a_map_needs_the_files_that_its_overlays_name() -> None:
    assert {"land_east.geojson", "lakes_east.geojson", "rivers_east.geojson"} <= set(
        needed_files("leningrad")
    )


def test_without_geodata_nothing_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv(ENVIRONMENT, raising=False)
    assert main(["build", "leningrad", "--out", str(tmp_path / "out")]) == 2
    assert ENVIRONMENT in capsys.readouterr().err
    assert main(["build", "leningrad", "--geodata", str(tmp_path), "--out", str(tmp_path / "out")]) == 2
    assert "lacks" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_map_without_overlays_is_refused_with_the_list_of_maps(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["build", "atlantis", "--geodata", str(tmp_path), "--out", str(tmp_path / "out")]) == 2
    assert "leningrad" in capsys.readouterr().err
