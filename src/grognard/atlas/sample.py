"""Reading the ground under each hex and side off the geodata."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from shapely import make_valid
from shapely.geometry import MultiPolygon, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union
from shapely.prepared import prep

from grognard.atlas.frame import Frame, Side
from grognard.atlas.geodata import Geodata
from grognard.hexes import Axial


@dataclass(frozen=True)
class Water:
    """Land and lakes in kilometres, cut to the map and its surroundings."""

    dry: BaseGeometry
    lakes: BaseGeometry
    land: BaseGeometry


@dataclass(frozen=True)
class Shares:
    """How much of a hex (or of the strip along a side) is dry land, lake and sea; they add up to 1."""

    dry: float
    lake: float
    sea: float


@dataclass(frozen=True)
class Relief:
    """Heights under a hex, in metres."""

    mean: float
    relief: float


def water(frame: Frame, geodata: Geodata, settings: Mapping[str, Any]) -> Water:
    """Land and period lakes: those that the file marks as later than the game's year are ignored."""
    window = frame.area.buffer(2 * frame.hex_km)
    land = unary_union(
        [
            polygon.intersection(window)
            for file in _files(settings["land"])
            for shape in geodata.shapes(file)
            for polygon in _polygons(frame.to_km(shape.geometry))
        ]
    )
    ignored = set(settings.get("ignore_lake_status", ["drop", "replace"]))
    smallest = float(settings.get("smallest_lake_km2", 0.0))
    lakes = unary_union(
        [
            polygon.intersection(window)
            for file in _files(settings.get("lakes", []))
            for shape in geodata.shapes(file)
            if shape.properties.get("status", "keep") not in ignored
            for polygon in _polygons(frame.to_km(shape.geometry))
            if polygon.area >= smallest
        ]
    ).intersection(land)
    return Water(dry=land.difference(lakes), lakes=lakes, land=land)


def shares(ground: BaseGeometry, water: Water) -> Shares:
    whole = ground.area
    dry = ground.intersection(water.dry).area / whole
    lake = ground.intersection(water.lakes).area / whole
    return Shares(dry=dry, lake=lake, sea=max(0.0, 1.0 - dry - lake))


def hex_shares(frame: Frame, water: Water) -> dict[Axial, Shares]:
    dry_land = prep(water.dry)
    found = {}
    for hex_ in frame.hexes:
        polygon = frame.polygon(hex_)
        if dry_land.contains(polygon):
            found[hex_] = Shares(1.0, 0.0, 0.0)
        else:
            found[hex_] = shares(polygon, water)
    return found


def side_shares(frame: Frame, sides: Iterable[Side], water: Water, half_width: float) -> dict[Side, Shares]:
    """The strip along each side, so many hex widths to either hand."""
    dry_land = prep(water.dry)
    found = {}
    for side in sides:
        strip = frame.segment(side).buffer(half_width * frame.hex_km, cap_style="flat")
        if dry_land.contains(strip):
            found[side] = Shares(1.0, 0.0, 0.0)
        else:
            found[side] = shares(strip, water)
    return found


def inside(frame: Frame, area: BaseGeometry, share: float) -> list[Axial]:
    """The hexes that have at least this share of their ground inside the area."""
    prepared = prep(area)
    found = []
    for hex_ in frame.hexes:
        polygon = frame.polygon(hex_)
        if prepared.intersects(polygon) and polygon.intersection(area).area >= share * polygon.area:
            found.append(hex_)
    return found


def relief(frame: Frame, geodata: Geodata, file: str) -> dict[Axial, Relief]:
    heights: dict[Axial, list[float]] = defaultdict(list)
    for lon, lat, metres in geodata.heights(file):
        hex_ = frame.hex_at(frame.km(lon, lat))
        if hex_ in frame.on_map:
            heights[hex_].append(metres)
    return {
        hex_: Relief(sum(values) / len(values), max(values) - min(values)) for hex_, values in heights.items()
    }


def polygons_of(frame: Frame, geodata: Geodata, file: str, names: Iterable[str]) -> BaseGeometry:
    wanted = set(names)
    return unary_union(
        [
            polygon
            for shape in geodata.shapes(file)
            if not wanted or shape.name in wanted
            for polygon in _polygons(frame.to_km(shape.geometry))
        ]
    )


def _polygons(geometry: BaseGeometry) -> list[BaseGeometry]:
    valid = geometry if geometry.is_valid else make_valid(geometry)
    parts = getattr(valid, "geoms", [valid])
    return [part for part in parts if isinstance(part, Polygon | MultiPolygon)]


def _files(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else list(value)
