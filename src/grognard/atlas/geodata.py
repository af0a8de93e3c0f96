"""The geodata folder: what the atlas needs from it, and how its files are read.

The files are public and large compared with what they give, so they stay out of the repository; what is
known about each (source, licence, how to make it again) stands in geodata.toml beside this module.
"""

from __future__ import annotations

import csv
import json
import os
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shapely.geometry import LineString, shape
from shapely.geometry.base import BaseGeometry

from grognard.atlas.errors import AtlasError

ENVIRONMENT = "GROGNARD_GEODATA"


def locate(given: Path | None) -> Path:
    """The geodata folder: the one given, or the one that the environment names."""
    folder = given or (Path(os.environ[ENVIRONMENT]) if os.environ.get(ENVIRONMENT) else None)
    if folder is None:
        raise AtlasError(f"no geodata folder: give --geodata DIR or set {ENVIRONMENT}")
    if not folder.is_dir():
        raise AtlasError(f"the geodata folder {folder} does not exist")
    return folder


@dataclass(frozen=True)
class Dataset:
    """What is known of one geodata file."""

    file: str
    content: str
    source: str
    licence: str
    get: str


def datasets() -> dict[str, Dataset]:
    data = tomllib.loads((Path(__file__).parent / "geodata.toml").read_text(encoding="utf-8"))
    return {entry["file"]: Dataset(**entry) for entry in data["files"]}


@dataclass(frozen=True)
class Shape:
    """One geodata feature, in degrees."""

    geometry: BaseGeometry
    properties: dict[str, Any]

    @property
    def name(self) -> str:
        """The corrected name where somebody gave one, else the name of the source."""
        return str(self.properties.get("name_guess") or self.properties.get("name") or "")


class Geodata:
    """A folder of geodata, each file read once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._shapes: dict[str, list[Shape]] = {}

    def shapes(self, file: str) -> list[Shape]:
        if file not in self._shapes:
            data = json.loads(self._path(file).read_text(encoding="utf-8"))
            self._shapes[file] = [
                Shape(shape(feature["geometry"]), dict(feature.get("properties") or {}))
                for feature in data["features"]
            ]
        return self._shapes[file]

    def lines(self, file: str, name: str) -> list[LineString]:
        """Every line of that name, in the file's order."""
        found: list[LineString] = []
        for item in self.shapes(file):
            if item.name == name:
                parts = getattr(item.geometry, "geoms", [item.geometry])
                found.extend(part for part in parts if isinstance(part, LineString))
        if not found:
            raise AtlasError(f"{file} has no line named {name!r}")
        return found

    def table(self, file: str) -> list[dict[str, str]]:
        with self._path(file).open(encoding="utf-8", newline="") as stream:
            return list(csv.DictReader(stream))

    def heights(self, file: str) -> list[tuple[float, float, float]]:
        """The points of a height grid: longitude, latitude, metres."""
        data = json.loads(self._path(file).read_text(encoding="utf-8"))
        step, lon0, lat0 = float(data["step_deg"]), float(data["lon0"]), float(data["lat0"])
        return [
            (lon0 + step * column, lat0 - step * row, float(metres))
            for row, line in enumerate(data["rows"])
            for column, metres in enumerate(line)
        ]

    def _path(self, file: str) -> Path:
        path = self.folder / file
        if not path.is_file():
            raise AtlasError(f"the geodata folder lacks {file}: see `python -m grognard.atlas geodata`")
        return path
