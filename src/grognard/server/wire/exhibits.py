"""What a game that is not offered for play shows."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

from grognard.server.wire.common import Named
from grognard.server.wire.games import KitMap, Livery


class ExhibitLayer(BaseModel):
    id: str
    name: str
    kind: Literal["areas", "marks", "lines"]
    """Areas share the map out, marks stand in hexes, lines run from hex to hex."""
    features: list[Named]


class ExhibitTitle(BaseModel):
    """A chart in the list of charts."""

    id: str
    name: str
    group: str
    """The heading under which it stands; empty if there are none."""


class Exhibit(BaseModel):
    """A game to look at: its map, its books and its charts, with or without rules."""

    id: str
    title: str
    about: str
    playable: bool
    notice: str | None
    flat: bool
    map: KitMap
    sides: list[Named]
    liveries: dict[str, Livery]
    layers: list[ExhibitLayer]
    setups: list[Named]
    turns: list[str]
    charts: list[ExhibitTitle]
    rulings: int


class ExhibitGround(BaseModel):
    """The hexes, in lists side by side."""

    hexes: list[str]
    x: list[float]
    y: list[float]
    names: dict[str, str]
    """By the place of the hex in the lists."""
    terrains: list[Named]
    terrain: list[int]
    features: list[Named]
    feature: list[list[int]]
    lines: dict[str, list[int]]
    """For each feature of sides, pairs of hexes that it joins."""


class ExhibitCounter(BaseModel):
    id: str
    side: str
    nation: str | None = None
    name: str
    short: str | None = None
    symbol: str | None = None
    size: str | None = None
    face: str | None = None
    cadre: str | None = None
    count: int = 1


class ExhibitPlace(BaseModel):
    id: str
    hex: str


class ExhibitBox(BaseModel):
    """Counters that are not on the map."""

    side: str
    name: str
    units: list[str]


class ExhibitSetup(BaseModel):
    counters: list[ExhibitCounter]
    units: list[ExhibitPlace]
    boxes: list[ExhibitBox]


class ExhibitEvent(BaseModel):
    turn: int
    side: str
    """Empty if it concerns all."""
    theatre: str
    way: Literal["in", "out", "change", "move", "production", "rule", "history"]
    kind: str
    name: str
    face: str
    size: str
    place: str


class ExhibitOrigin(BaseModel):
    """Where a number comes from: rulebook, found, reconstructed; and the cases or sources that it cites."""

    kind: str
    cited: str


class ExhibitChart(BaseModel):
    id: str
    name: str
    columns: list[str]
    rows: list[list[str]]
    origins: list[list[ExhibitOrigin]]
    """For each row one, or one for each of its cells but the first."""
    sources: list[str]
    """Where its numbers come from: rulebook, found, reconstructed."""
