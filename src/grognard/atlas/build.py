"""Drafting a map folder: sample the ground, lay the overlays over it, snap the lines, write.

The order decides who wins. Sampled terrain comes first, then areas, places and single hexes; water sides
are read off the ground between hexes that ended up as land; rivers are laid along sides, roads across
them; single sides come last.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from shapely.geometry import LineString, MultiPoint, Polygon
from shapely.geometry.base import BaseGeometry

from grognard.atlas import overlay as overlays
from grognard.atlas import sample, snap
from grognard.atlas.errors import AtlasError
from grognard.atlas.frame import XY, Corner, Frame, Side
from grognard.atlas.geodata import Geodata
from grognard.atlas.overlay import Area, DrawnLine, Overlay, Place
from grognard.atlas.writing import write_map
from grognard.hexes import Axial

GAMES = Path(__file__).parents[1] / "games"


@dataclass
class Credit:
    """Where a line comes from: the provenance of the last value laid, and every source once.

    A line about one fact is the rulebook's once the rulebook says it. A hex has several: that the rulebook
    names it as a source of supply does not make its terrain the rulebook's. What the book does say of a hex
    stands in named.csv, fact by fact.
    """

    one_fact: bool
    provenance: str = ""
    sources: list[str] = field(default_factory=list)

    def add(self, provenance: str, source: str) -> None:
        keeps = self.provenance == "rulebook" if self.one_fact else provenance == "rulebook"
        if not (keeps and self.provenance):
            self.provenance = provenance
        if source and source not in self.sources:
            self.sources.append(source)

    @property
    def source(self) -> str:
        return "; ".join(self.sources)


@dataclass
class HexDraft:
    terrain: str
    features: set[str] = field(default_factory=set)
    name_en: str = ""
    name_fr: str = ""
    credit: Credit = field(default_factory=lambda: Credit(one_fact=False))


@dataclass
class SideDraft:
    name_en: str = ""
    name_fr: str = ""
    credit: Credit = field(default_factory=lambda: Credit(one_fact=True))


@dataclass
class Draft:
    frame: Frame
    hexes: dict[Axial, HexDraft]
    sides: dict[tuple[Side, str], SideDraft]
    water_terrains: frozenset[str]
    ground: dict[Axial, sample.Shares] = field(default_factory=dict)
    """How much of each hex is dry land, lake and sea."""
    coast: str = ""
    """The feature of land hexes that have some sea, if the map has one."""
    shores: dict[str, set[Corner]] = field(default_factory=dict)
    """The corners on each kind of shore, once the water is laid."""

    def is_water(self, hex_: Axial) -> bool:
        return self.hexes[hex_].terrain in self.water_terrains

    def with_feature(self, features: Collection[str]) -> set[Side]:
        return {side for side, feature in self.sides if feature in features}

    def add_side(
        self, side: Side, feature: str, name_en: str, name_fr: str, provenance: str, source: str
    ) -> None:
        entry = self.sides.setdefault((side, feature), SideDraft())
        if name_en and not entry.name_en:
            entry.name_en, entry.name_fr = name_en, name_fr or name_en
        entry.credit.add(provenance, source)


def build(game_id: str, geodata: Path, out: Path) -> None:
    """Draft the map of a game into a folder: map.toml, hexes.csv, sides.csv."""
    overlay = overlays.read(overlays.FOLDER / game_id)
    write_map(draft(overlay, Geodata(geodata)), overlay.settings, out)


def draft(overlay: Overlay, geodata: Geodata) -> Draft:
    """The whole map, in memory."""
    settings = overlay.settings
    frame = Frame.from_mapping(settings["grid"], settings["georeference"])
    sampling: Mapping[str, Any] = settings.get("sampling", {})
    ground = sample.water(frame, geodata, sampling) if "land" in sampling else None
    result = _sampled(frame, geodata, settings, ground)
    zones = {name for name, table in settings.get("features", {}).items() if "group" in table}
    _lay_areas(result, overlay, [area for area in overlay.areas if area.gives not in zones])
    _lay_places(result, overlay)
    _lay_hexes(result, overlay)
    _refuse_places_in_water(result, overlay)
    if ground is not None:
        _lay_coast(result, sampling)
    _lay_owners(result, geodata, settings, ground)
    _lay_areas(result, overlay, [area for area in overlay.areas if area.gives in zones])
    _lay_districts(result, overlay)
    # Once more, so that a zone can be changed by hand.
    _lay_hexes(result, overlay)
    if ground is not None:
        _lay_water_sides(result, ground, sampling)
    blocking = set(settings.get("snapping", {}).get("blocking", ["sea", "lake", "impassable"]))
    _lay_sides(result, overlay, only=blocking)
    _lay_lines(result, overlay, geodata, blocking)
    _drop_lesser_ways(result, settings.get("snapping", {}).get("ranks", []))
    _lay_sides(result, overlay)
    _lay_bridges(result, settings.get("bridges", {}))
    # Once more, so that a bridge can be removed by hand.
    _lay_sides(result, overlay)
    _check_vocabulary(result, settings)
    return result


# Hexes


def _sampled(
    frame: Frame, geodata: Geodata, settings: Mapping[str, Any], ground: sample.Water | None
) -> Draft:
    sampling = settings.get("sampling", {})
    sea, lake = sampling.get("sea_terrain", "sea"), sampling.get("lake_terrain", "lake")
    default = sampling.get("default_terrain", "clear")
    source = sampling.get("source", "Natural Earth, sampled")
    shares = (
        sample.hex_shares(frame, ground)
        if ground is not None
        else {hex_: sample.Shares(1.0, 0.0, 0.0) for hex_ in frame.hexes}
    )
    min_land = float(sampling.get("min_land", 0.1))
    lake_min_land = float(sampling.get("lake_min_land", min_land))
    hexes = {}
    for hex_ in frame.hexes:
        here = shares[hex_]
        wet, least = (sea, min_land) if here.sea >= here.lake else (lake, lake_min_land)
        entry = HexDraft(default if here.dry >= least else wet)
        entry.credit.add("found", source)
        hexes[hex_] = entry
    result = Draft(frame, hexes, {}, frozenset((sea, lake)), shares, str(sampling.get("coast", "")))
    for rule in sampling.get("polygons", []):
        area = sample.polygons_of(frame, geodata, rule["file"], rule.get("names", []))
        found = sample.inside(frame, area, float(rule.get("share", 0.5)))
        _give_all(result, found, settings, rule, rule["file"])
    reliefs: dict[str, dict[Axial, sample.Relief]] = {}
    for rule in sampling.get("elevation", []):
        if rule["file"] not in reliefs:
            reliefs[rule["file"]] = sample.relief(frame, geodata, rule["file"])
        heights = reliefs[rule["file"]]
        found = [
            hex_
            for hex_ in frame.hexes
            if hex_ in heights
            and heights[hex_].mean >= float(rule.get("min_mean", -1e9))
            and heights[hex_].relief >= float(rule.get("min_relief", -1e9))
        ]
        _give_all(result, found, settings, rule, rule["file"])
    for rule in sampling.get("table", []):
        found = [
            frame.parse(str(rule.get("number", "{hex}")).format_map(row))
            for row in geodata.table(rule["file"])
            if row[rule["column"]] and float(row[rule["column"]]) >= float(rule["at_least"])
        ]
        _give_all(result, found, settings, rule, rule["file"])
    return result


def _give_all(
    result: Draft, hexes: list[Axial], settings: Mapping[str, Any], rule: Mapping[str, Any], file: str
) -> None:
    only_on = rule.get("only_on", [])
    for hex_ in hexes:
        entry = result.hexes[hex_]
        if not result.is_water(hex_) and (not only_on or entry.terrain in only_on):
            _give(
                entry,
                rule["gives"],
                settings,
                str(rule.get("provenance", "found")),
                str(rule.get("source", f"{file}, sampled")),
            )


def _give(entry: HexDraft, gives: str, settings: Mapping[str, Any], provenance: str, source: str) -> None:
    """A terrain replaces the one before; a feature is added, in place of the others of its group."""
    if gives in settings["terrains"]:
        entry.terrain = gives
        entry.features -= set(settings["terrains"][gives].get("without", ()))
    else:
        _add_feature(entry, gives, settings)
    entry.credit.add(provenance, source)


def _add_feature(entry: HexDraft, feature: str, settings: Mapping[str, Any]) -> None:
    words = settings.get("features", {})
    group = words.get(feature, {}).get("group")
    if group:
        entry.features -= {f for f in entry.features if words.get(f, {}).get("group") == group}
    entry.features.add(feature)


def _lay_areas(result: Draft, overlay: Overlay, areas: Iterable[Area]) -> None:
    frame = result.frame
    rules: Mapping[str, Any] = overlay.settings.get("areas", {})
    share = float(rules.get("share", 0.5))
    sea = overlay.settings.get("sampling", {}).get("sea_terrain", "sea")
    for area in areas:
        polygon = Polygon([frame.km(lon, lat) for lon, lat in area.polygon])
        if not polygon.is_valid:
            raise AtlasError(f"the outline of the area {area.name!r} crosses itself")
        for hex_ in sample.inside(frame, polygon, share):
            if area.gives in rules.get("at_sea", []):
                entry = result.hexes[hex_]
                meant = entry.terrain == sea or result.coast in entry.features
            else:
                meant = area.gives in rules.get("everywhere", []) or not result.is_water(hex_)
            if meant:
                source = area.source or f"hand overlay: {area.name}"
                _give(result.hexes[hex_], area.gives, overlay.settings, area.provenance, source)


def _lay_owners(
    result: Draft, geodata: Geodata, settings: Mapping[str, Any], ground: sample.Water | None
) -> None:
    """Whose land it is, by the towns around."""
    land = [hex_ for hex_ in result.frame.hexes if not result.is_water(hex_)]
    for rule in settings.get("sampling", {}).get("seeds", []):
        for hex_, gives in sample.owners(result.frame, geodata, rule, land, ground).items():
            source = str(rule.get("source", f"{rule['file']}, sampled"))
            _give(result.hexes[hex_], gives, settings, "found", source)


def _lay_districts(result: Draft, overlay: Overlay) -> None:
    """Each hex of a wider area goes to the district of the nearest town."""
    frame = result.frame
    places = {place.name_en: place for place in reversed(overlay.places)}
    for within in sorted({district.within for district in overlay.districts}):
        seeds = []
        for district in overlay.districts:
            if district.within == within:
                for town in district.towns:
                    place = places.get(town)
                    if place is not None and place.lon is not None and place.lat is not None:
                        seeds.append((frame.km(place.lon, place.lat), district))
                    else:
                        seeds.append((_station(frame, places, town).xy, district))
        for entry_hex, entry in result.hexes.items():
            if within in entry.features:
                here = frame.centre(entry_hex)
                _, _, best = min(
                    (round(math.dist(here, xy), 6), place, district)
                    for place, (xy, district) in enumerate(seeds)
                )
                _give(entry, best.gives, overlay.settings, best.provenance, best.source)


def _lay_coast(result: Draft, sampling: Mapping[str, Any]) -> None:
    """Land with some sea in the hex, if the map speaks of it."""
    if not result.coast:
        return
    least = float(sampling.get("coast_min_sea", 0.04))
    for hex_, shares in result.ground.items():
        if not result.is_water(hex_) and shares.sea >= least:
            result.hexes[hex_].features.add(result.coast)


def _place_hex(frame: Frame, place: Place) -> Axial | None:
    """The hex of a place: the one given, else the one it lies in; none if that is off the map."""
    if place.hex:
        return frame.parse(place.hex)
    assert place.lon is not None and place.lat is not None
    hex_ = frame.hex_at(frame.km(place.lon, place.lat))
    return hex_ if hex_ in frame.on_map else None


def _lay_places(result: Draft, overlay: Overlay) -> None:
    for place in overlay.places:
        hex_ = _place_hex(result.frame, place)
        if hex_ is None:
            continue
        entry = result.hexes[hex_]
        if place.kind:
            entry.features.add(place.kind)
            if not entry.name_en:
                entry.name_en, entry.name_fr = place.name_en, place.name_fr or place.name_en
            entry.credit.add(place.provenance, place.source)


def _lay_hexes(result: Draft, overlay: Overlay) -> None:
    for value in overlay.hexes:
        entry = result.hexes[result.frame.parse(value.hex)]
        if value.terrain:
            if value.terrain in result.water_terrains and entry.terrain not in result.water_terrains:
                entry.features.clear()
            entry.terrain = value.terrain
        for change in value.features:
            if change[0] == "+":
                _add_feature(entry, change[1:], overlay.settings)
            else:
                entry.features.discard(change[1:])
        if value.name_en:
            entry.name_en, entry.name_fr = value.name_en, value.name_fr or value.name_en
        entry.credit.add(value.provenance, value.source)


def _refuse_places_in_water(result: Draft, overlay: Overlay) -> None:
    for place in overlay.places:
        hex_ = _place_hex(result.frame, place)
        if hex_ is not None and place.kind and result.is_water(hex_):
            raise AtlasError(
                f"{place.name_en} falls in {result.frame.number(hex_)}, which is water: "
                "give the place a hex, or make that hex land in hexes.csv"
            )


# Sides


def _lay_water_sides(result: Draft, ground: sample.Water, sampling: Mapping[str, Any]) -> None:
    """Sides with no land link. Only those between two land hexes say anything: nobody enters water."""
    frame = result.frame
    land_sides = [s for s in frame.sides if not (result.is_water(s[0]) or result.is_water(s[1]))]
    strips = sample.side_shares(frame, land_sides, ground, float(sampling.get("side_strip", 0.06)))
    limit = float(sampling.get("side_min_dry", 0.1))
    source = str(sampling.get("source", "Natural Earth, sampled"))
    for side, here in strips.items():
        if here.dry < limit:
            feature = (
                sampling.get("sea_side", "sea")
                if here.sea >= here.lake
                else sampling.get("lake_side", "lake")
            )
            result.add_side(side, str(feature), "", "", "found", source)
        elif (
            "route" in sampling
            and here.sea >= float(sampling.get("route_min_sea", 0.1))
            and all(result.coast in result.hexes[hex_].features for hex_ in side)
        ):
            result.add_side(side, str(sampling["route"]), "", "", "found", source)


def _lay_sides(result: Draft, overlay: Overlay, only: Collection[str] | None = None) -> None:
    for value in overlay.sides:
        if only is not None and value.feature not in only:
            continue
        side = result.frame.side(value.a, value.b)
        if value.remove:
            result.sides.pop((side, value.feature), None)
            continue
        result.add_side(side, value.feature, value.name_en, value.name_fr, value.provenance, value.source)
        if value.name_en:
            entry = result.sides[side, value.feature]
            entry.name_en, entry.name_fr = value.name_en, value.name_fr or value.name_en


def _drop_lesser_ways(result: Draft, ranks: Iterable[Sequence[str]]) -> None:
    """Where ways of one list share a side, only the first of the list stays."""
    for order in ranks:
        for place, better in enumerate(order):
            for side in result.with_feature([better]):
                for lesser in order[place + 1 :]:
                    result.sides.pop((side, lesser), None)


def _lay_bridges(result: Draft, bridges: Mapping[str, Any]) -> None:
    """A bridge wherever a road or railway crosses a river, if the map draws bridges."""
    if not bridges:
        return
    source = str(bridges.get("source", "road or railway over the river"))
    rivers = result.with_feature(bridges["over"])
    for side in sorted(rivers & result.with_feature(bridges["by"])):
        result.add_side(side, str(bridges["feature"]), "", "", "reconstructed", source)


# Lines


@dataclass
class Station:
    """One stop of a course: a point, and perhaps a hex or a side that the line must use."""

    xy: XY
    hex: Axial | None = None
    side: Side | None = None


@dataclass
class Course:
    stations: list[Station]
    begins_at: str = ""
    ends_at: str = ""

    @property
    def points(self) -> list[XY]:
        return [station.xy for station in self.stations]


def _lay_lines(result: Draft, overlay: Overlay, geodata: Geodata, blocking: Collection[str]) -> None:
    snapping = overlay.settings.get("snapping", {})
    along = set(snapping.get("along", ["river", "major_river"]))
    faults = []
    # Rivers first whatever the file's order, since tributaries and bridges refer to them.
    for line in sorted(overlay.lines, key=lambda line: line.feature not in along):
        try:
            course = _course(result, overlay, geodata, line, along)
            if line.feature in along:
                _lay_river(result, line, course, along, blocking, snapping)
            else:
                _lay_road(result, line, course, blocking, snapping)
        except AtlasError as error:
            faults.append(f"{line.feature} {line.name_en or ';'.join(line.course)!r}: {error}")
    if faults:
        raise AtlasError("\natlas: ".join(faults))


def _course(
    result: Draft, overlay: Overlay, geodata: Geodata, line: DrawnLine, along: Collection[str]
) -> Course:
    """Turn the items of a course into stations; lines of the geodata run between their neighbours."""
    frame = result.frame
    items = list(line.course)
    begins_at = items.pop(0)[1:] if items[0].startswith("~") else ""
    ends_at = items.pop()[1:] if items and items[-1].startswith("~") else ""
    places = {place.name_en: place for place in reversed(overlay.places)}
    parsed: list[Station | LineString] = []
    for item in items:
        if item.startswith("geo:"):
            file, _, name = item[4:].partition("/")
            lines = [frame.to_km(piece) for piece in geodata.lines(f"{file}.geojson", name)]
            parsed.append(snap.join([piece for piece in lines if isinstance(piece, LineString)]))
        else:
            parsed.append(_station(frame, places, item))
    drawn = any(not isinstance(part, Station) for part in parsed)
    source, mouth = (_waterline(result, name, along) if drawn else None for name in (begins_at, ends_at))
    stations: list[Station] = []
    for index, part in enumerate(parsed):
        if isinstance(part, Station):
            stations.append(part)
            continue
        before = stations[-1].xy if stations else None
        after = next((p.xy for p in parsed[index + 1 :] if isinstance(p, Station)), None)
        stations += [Station(xy) for xy in snap.part_between(part, before, after, source=source, mouth=mouth)]
    if not stations:
        raise AtlasError("the course has no point")
    return Course(stations, begins_at, ends_at)


def _station(frame: Frame, places: Mapping[str, Place], item: str) -> Station:
    if item.startswith("@"):
        hex_ = frame.parse(item[1:])
        return Station(frame.centre(hex_), hex=hex_)
    if item.startswith("^"):
        a, _, b = item[1:].partition("/")
        side = frame.side(a, b)
        middle = frame.segment(side).interpolate(0.5, normalized=True)
        return Station((float(middle.x), float(middle.y)), side=side)
    if item in places:
        place = places[item]
        place_hex = _place_hex(frame, place)
        if place.lon is None or place.lat is None or (place.hex and place_hex is not None):
            assert place_hex is not None
            return Station(frame.centre(place_hex), hex=place_hex)
        return Station(frame.km(place.lon, place.lat), hex=place_hex)
    try:
        lon, lat = (float(part) for part in item.split())
    except ValueError:
        raise AtlasError(f"{item!r} is no place of places.csv, hex, side or point") from None
    return Station(frame.km(lon, lat))


def _lay_river(
    result: Draft,
    line: DrawnLine,
    course: Course,
    along: Collection[str],
    blocking: Collection[str],
    snapping: Mapping[str, Any],
) -> None:
    frame = result.frame
    taken = result.with_feature({*along, *blocking})
    allowed = [
        side
        for side in _sides_near(frame, course.points)
        if side not in taken and not result.is_water(side[0]) and not result.is_water(side[1])
    ]
    chain = snap.river_chain(
        frame,
        course.points,
        frozenset(allowed),
        forced=[station.side for station in course.stations if station.side is not None],
        starts=_anchor(result, course.begins_at, along),
        ends=_anchor(result, course.ends_at, along),
        pull=float(snapping.get("river_pull", snap.RIVER_PULL)),
    )
    for side in chain:
        result.add_side(side, line.feature, line.name_en, line.name_fr, line.provenance, line.source)


ELBOW_ROOM = 8
"""A river stays within so many hexes of the rectangle round its course."""


def _sides_near(frame: Frame, points: Sequence[XY]) -> list[Side]:
    room = ELBOW_ROOM * frame.hex_km
    left, right = min(x for x, _ in points) - room, max(x for x, _ in points) + room
    low, high = min(y for _, y in points) - room, max(y for _, y in points) + room
    return [side for side, (x, y) in frame.middles.items() if left <= x <= right and low <= y <= high]


def _anchor(result: Draft, name: str, along: Collection[str]) -> set[Corner] | None:
    """The corners where a river may begin or end: on a shore, or on another river laid before."""
    if not name:
        return None
    frame = result.frame
    if name in ("water", *result.water_terrains):
        if name not in result.shores:
            result.shores[name] = _shore(result, name)
        return result.shores[name]
    found = {
        corner
        for (side, feature), entry in result.sides.items()
        if feature in along and entry.name_en == name
        for corner in frame.corners_of_side(side)
    }
    if not found:
        raise AtlasError(f"no river named {name!r} is laid before this one")
    return found


def _shore(result: Draft, name: str) -> set[Corner]:
    frame = result.frame
    wet = {
        hex_
        for hex_ in frame.hexes
        if result.is_water(hex_) and name in ("water", result.hexes[hex_].terrain)
    }
    corners = {c for s in frame.sides if not wet.isdisjoint(s) for c in frame.corners_of_side(s)}
    shores = set(result.water_terrains) if name == "water" else {name}
    return corners | {c for s in result.with_feature(shores) for c in frame.corners_of_side(s)}


def _waterline(result: Draft, name: str, along: Collection[str]) -> BaseGeometry | None:
    """The corners where a river may begin or end, as a shape to measure distances from."""
    corners = _anchor(result, name, along)
    if not corners:
        return None
    return MultiPoint(np.array([result.frame.corner(corner) for corner in sorted(corners)]))


def _lay_road(
    result: Draft, line: DrawnLine, course: Course, blocking: Collection[str], snapping: Mapping[str, Any]
) -> None:
    frame = result.frame
    closed = result.with_feature(blocking)

    def passable(side: Side) -> bool:
        return side not in closed and not result.is_water(side[0]) and not result.is_water(side[1])

    for station in course.stations:
        if station.hex is not None and result.is_water(station.hex):
            raise AtlasError(f"{frame.number(station.hex)} is water")
    same = result.with_feature({line.feature})
    rivers = result.with_feature(snapping.get("along", ["river", "major_river"]))
    for start, end, points in _legs(result, course):
        chain = snap.hex_chain(
            frame,
            points,
            start,
            end,
            passable,
            pull=float(snapping.get("road_pull", snap.ROAD_PULL)),
            used=same,
            reuse=float(snapping.get("reuse", 0.9)),
            rivers=rivers,
            crossing=float(snapping.get("crossing", 0.0)),
        )
        for a, b in itertools.pairwise(chain):
            side = (a, b) if a < b else (b, a)
            result.add_side(side, line.feature, line.name_en, line.name_fr, line.provenance, line.source)


def _legs(result: Draft, course: Course) -> list[tuple[Axial, Axial, list[XY]]]:
    """A course cut at the hexes that it must pass through."""
    frame = result.frame
    stations = list(course.stations)

    def landing(points: list[XY], last: bool) -> Station:
        clipped = snap.clip(frame, points)
        xy = clipped[-1] if last else clipped[0]
        hex_ = frame.hex_at(xy)
        if hex_ not in frame.on_map or result.is_water(hex_):
            hex_ = frame.nearest(xy, [land for land in frame.hexes if not result.is_water(land)])
        return Station(xy, hex=hex_)

    # Guide points before the first fixed hex and after the last may lie off the map.
    points = course.points
    if stations[0].hex is None:
        stations[0] = landing(points, last=False)
    if stations[-1].hex is None:
        stations[-1] = landing(points, last=True)
    legs = []
    start, pending = stations[0], [stations[0].xy]
    for station in stations[1:]:
        pending.append(station.xy)
        if station.hex is not None:
            assert start.hex is not None
            if start.hex != station.hex:
                legs.append((start.hex, station.hex, pending))
            start, pending = station, [station.xy]
    return legs


def _check_vocabulary(result: Draft, settings: Mapping[str, Any]) -> None:
    """Everything used must be in the legend, and of the right kind."""
    kinds = {name: table["kind"] for name, table in settings["features"].items()}
    for hex_, entry in result.hexes.items():
        number = result.frame.number(hex_)
        if entry.terrain not in settings["terrains"]:
            raise AtlasError(f"{number}: the terrain {entry.terrain!r} is not in [terrains]")
        for feature in sorted(entry.features):
            if kinds.get(feature) != "hex":
                raise AtlasError(f"{number}: {feature!r} is not a hex feature of [features]")
    for side, feature in result.sides:
        if kinds.get(feature) != "side":
            a, b = (result.frame.number(hex_) for hex_ in side)
            raise AtlasError(f"{a}/{b}: {feature!r} is not a side feature of [features]")
