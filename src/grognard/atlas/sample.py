"""Reading the ground under each hex and side off the geodata."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shapely import STRtree, make_valid
from shapely.geometry import LineString, MultiPolygon, Point, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union
from shapely.prepared import prep

from grognard.atlas.frame import XY, Frame, Side
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
    as_rivers = set(settings.get("lakes_as_rivers", []))
    lakes = unary_union(
        [
            polygon.intersection(window)
            for file in _files(settings.get("lakes", []))
            for shape in geodata.shapes(file)
            if shape.properties.get("status", "keep") not in ignored and shape.name not in as_rivers
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


SEED_CANDIDATES = 12
"""How many of the nearest towns are asked whether a border lies between them and a point."""
SEED_REACH = 3
"""Towns further away than so many hexes are only asked where nearer ones are few."""


def owners(
    frame: Frame, geodata: Geodata, rule: Mapping[str, Any], hexes: Sequence[Axial], ground: Water | None
) -> dict[Axial, str]:
    """Whose land each hex is: points of the hex belong to the nearest town that no border line cuts off from
    them, and the most points win. `gives` says what each owner's mark becomes; others are left out."""
    gives: Mapping[str, str] = rule["gives"]
    reach = frame.area.buffer(4 * frame.hex_km).envelope
    towns: list[tuple[XY, str]] = []
    for row in geodata.table(rule["file"]):
        xy = frame.km(float(row["lon"]), float(row["lat"]))
        if row[rule["column"]] in gives and reach.covers(Point(xy)):
            towns.append((xy, gives[row[rule["column"]]]))
    nearby = STRtree([Point(xy) for xy, _ in towns])
    pieces = [
        part
        for shape in geodata.shapes(rule["borders"])
        for part in getattr(frame.to_km(shape.geometry), "geoms", [frame.to_km(shape.geometry)])
    ]
    borders = STRtree(pieces)
    land = prep(ground.land) if ground is not None else None

    def owner(xy: XY) -> str:
        reach = SEED_REACH * frame.hex_km
        near = nearby.query(Point(xy), predicate="dwithin", distance=reach)
        chosen = near if len(near) >= SEED_CANDIDATES else range(len(towns))
        ordered = sorted((round(math.dist(xy, towns[k][0]), 6), int(k)) for k in chosen)[:SEED_CANDIDATES]
        for _, k in ordered:
            if not len(borders.query(LineString([xy, towns[k][0]]), predicate="intersects")):
                return towns[k][1]
        return towns[ordered[0][1]][1]

    found = {}
    for hex_ in hexes:
        middle = frame.centre(hex_)
        points = [
            middle,
            *(_between(middle, corner, 0.6) for corner in frame.polygon(hex_).exterior.coords[:6]),
        ]
        dry = [xy for xy in points if land is None or land.contains(Point(xy))] or [middle]
        if not len(borders.query(frame.polygon(hex_), predicate="intersects")):
            found[hex_] = owner(dry[0])
            continue
        votes = Counter(owner(xy) for xy in dry)
        first = owner(dry[0])
        found[hex_] = min(votes, key=lambda name: (-votes[name], name != first, name))
    return found


def _between(a: Sequence[float], b: Sequence[float], share: float) -> XY:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


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
