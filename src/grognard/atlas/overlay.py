"""The hand overlays of one map: what a person decided, kept in text files beside the code.

atlas.toml   grid, georeference, titles, vocabulary, labels, sampling and snapping settings
places.csv   towns and other named places
lines.csv    rivers, roads and railways, as courses to be snapped to the grid
areas.csv    polygons of terrain
districts.csv  what the hexes of a wider area are shared out to, by the nearest town
hexes.csv    values of single hexes; they win over everything sampled
sides.csv    values of single sides; they win likewise
"""

from __future__ import annotations

import csv
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grognard.atlas.errors import AtlasError

FOLDER = Path(__file__).parent / "overlays"
PROVENANCES = ("rulebook", "found", "reconstructed")


@dataclass(frozen=True)
class Place:
    name_en: str
    name_fr: str
    kind: str
    lat: float | None
    lon: float | None
    hex: str
    provenance: str
    source: str


@dataclass(frozen=True)
class DrawnLine:
    feature: str
    name_en: str
    name_fr: str
    course: tuple[str, ...]
    provenance: str
    source: str


@dataclass(frozen=True)
class Area:
    gives: str
    name: str
    polygon: tuple[tuple[float, float], ...]
    provenance: str
    source: str


@dataclass(frozen=True)
class District:
    gives: str
    within: str
    """Only hexes that have this feature are shared out."""
    towns: tuple[str, ...]
    provenance: str
    source: str


@dataclass(frozen=True)
class HexValue:
    hex: str
    terrain: str
    features: tuple[str, ...]
    """Each is `+feature` or `-feature`."""
    name_en: str
    name_fr: str
    provenance: str
    source: str


@dataclass(frozen=True)
class SideValue:
    a: str
    b: str
    feature: str
    remove: bool
    name_en: str
    name_fr: str
    provenance: str
    source: str


@dataclass(frozen=True)
class Overlay:
    settings: dict[str, Any]
    places: tuple[Place, ...]
    lines: tuple[DrawnLine, ...]
    areas: tuple[Area, ...]
    districts: tuple[District, ...]
    hexes: tuple[HexValue, ...]
    sides: tuple[SideValue, ...]


def games() -> list[str]:
    """The maps that have overlays."""
    return sorted(path.parent.name for path in FOLDER.glob("*/atlas.toml"))


def read(folder: Path) -> Overlay:
    """Read the overlays of one map; only atlas.toml must be there."""
    settings_file = folder / "atlas.toml"
    if not settings_file.is_file():
        if not games():
            raise AtlasError("the overlays are not installed with the package: use a clone of the sources")
        raise AtlasError(f"no overlay named {folder.name!r}; there are: {', '.join(games())}")
    return Overlay(
        settings=tomllib.loads(settings_file.read_text(encoding="utf-8")),
        places=tuple(_place(row) for row in _rows(folder / "places.csv")),
        lines=tuple(_line(row) for row in _rows(folder / "lines.csv")),
        areas=tuple(_area(row) for row in _rows(folder / "areas.csv")),
        districts=tuple(_district(row) for row in _rows(folder / "districts.csv")),
        hexes=tuple(_hex(row) for row in _rows(folder / "hexes.csv")),
        sides=tuple(_side(row) for row in _rows(folder / "sides.csv")),
    )


def _rows(path: Path) -> list[dict[str, str]]:
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as stream:
        reader = csv.DictReader(stream)
        rows = []
        for row in reader:
            if None in row or None in row.values():
                raise AtlasError(f"{path.name} line {reader.line_num}: wrong number of cells")
            cells = {key: value.strip() for key, value in row.items()}
            if cells["provenance"] not in PROVENANCES:
                raise AtlasError(
                    f"{path.name} line {reader.line_num}: provenance {cells['provenance']!r} "
                    f"is none of {', '.join(PROVENANCES)}"
                )
            rows.append(cells)
        return rows


def _place(row: dict[str, str]) -> Place:
    if not row.get("hex") and not (row["lat"] and row["lon"]):
        raise AtlasError(f"the place {row['name_en']!r} has neither a hex nor coordinates")
    return Place(
        row["name_en"],
        row["name_fr"],
        row["kind"],
        float(row["lat"]) if row["lat"] else None,
        float(row["lon"]) if row["lon"] else None,
        row.get("hex", ""),
        row["provenance"],
        row["source"],
    )


def _line(row: dict[str, str]) -> DrawnLine:
    course = tuple(item.strip() for item in row["course"].split(";") if item.strip())
    if not course:
        raise AtlasError(f"the {row['feature']} {row['name_en']!r} has no course")
    return DrawnLine(row["feature"], row["name_en"], row["name_fr"], course, row["provenance"], row["source"])


def _area(row: dict[str, str]) -> Area:
    points = []
    for item in row["polygon"].split(";"):
        lon, lat = item.split()
        points.append((float(lon), float(lat)))
    if len(points) < 3:
        raise AtlasError(f"the area {row['name']!r} has fewer than three points")
    return Area(row["terrain_or_feature"], row["name"], tuple(points), row["provenance"], row["source"])


def _district(row: dict[str, str]) -> District:
    towns = tuple(town.strip() for town in row["towns"].split(";") if town.strip())
    if not towns:
        raise AtlasError(f"the district {row['feature']!r} has no town")
    return District(row["feature"], row["within"], towns, row["provenance"], row["source"])


def _hex(row: dict[str, str]) -> HexValue:
    features = tuple(
        item if item[0] in "+-" else f"+{item}"
        for item in (part.strip() for part in row["features"].split("|"))
        if item
    )
    return HexValue(
        row["hex"],
        row["terrain"],
        features,
        row["name_en"],
        row["name_fr"],
        row["provenance"],
        row["source"],
    )


def _side(row: dict[str, str]) -> SideValue:
    feature = row["feature"]
    return SideValue(
        row["a"],
        row["b"],
        feature.removeprefix("-"),
        feature.startswith("-"),
        row["name_en"],
        row["name_fr"],
        row["provenance"],
        row["source"],
    )
