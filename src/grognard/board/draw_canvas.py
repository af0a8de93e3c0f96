"""What all steps of drawing share: the board, where its hexes lie, and the layers as they fill."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property

from grognard.board import vocabulary
from grognard.board.board import Board
from grognard.board.draw_curves import Command, Key, Point, key, side
from grognard.board.draw_labels import Rectangle
from grognard.board.draw_symbols import MARKS, SIGNS, TEXTURES, Item, path
from grognard.board.loading import WATER
from grognard.hexes import DIRECTIONS, Axial, Numbering, neighbour, vertices
from grognard.hexes.geometry import centre

LAYERS = (
    "paper",
    "ground",
    "texture",
    "coast",
    "river",
    "water",
    "area",
    "zone",
    "barrier",
    "grid",
    "road-casing",
    "road",
    "rail",
    "veil",
    "crossing",
    "town",
    "number",
    "mark",
    "water-name",
    "name",
    "frame",
    "title",
    "legend",
)
"""In drawing order. Rivers lie between the coast line and the water, so that their mouths stay open."""
UNCLIPPED = frozenset({"paper", "frame", "title", "legend"})
WIDE_AREA = 60
"""Hexes above which an area is not tinted."""

Pair = tuple[Axial, Axial]


@dataclass(frozen=True)
class Options:
    """What the reader wants to see."""

    numbers: bool = True
    names: bool = True
    furniture: bool = True
    """Title, legend, scale and north arrow: wanted on paper, not on the page."""


@dataclass(frozen=True)
class SideFact:
    """A feature of a side, with its name: `ident` is the same in all languages, `name` is to be shown."""

    feature: str
    ident: str
    name: str


@dataclass
class Canvas:
    """The drawing in progress."""

    board: Board
    language: str
    options: Options
    flat: bool
    terrain: dict[Axial, str]
    """The map's own hexes and a margin of guessed ones, so that coasts run out of the frame."""
    here: dict[Axial, int]
    """The map's own hexes and their cells."""
    at_corner: dict[Key, list[Axial]]
    frame: Rectangle
    layers: dict[str, list[Item]] = field(default_factory=lambda: {name: [] for name in LAYERS})
    lines: list[tuple[list[Point], float]] = field(default_factory=list)
    """Points of drawn lines, with the price that a name pays for lying on one of them."""
    signs: list[tuple[Rectangle, float]] = field(default_factory=list)
    """Boxes of drawn signs, with the price that a name pays for a whole unit of their surface."""
    crossings: dict[Pair, Point] = field(default_factory=dict)
    """Where the drawn river passes the middle of each side that it rules."""
    courses: list[tuple[SideFact, list[Point]]] = field(default_factory=list)
    """Named stretches of river, for their names."""

    @cached_property
    def town_ranks(self) -> dict[str, int]:
        settings = self.board.settings
        return {f: vocabulary.rank(settings, f) for f in vocabulary.of_kind(settings, "town")}

    def of_kind(self, *kinds: str) -> tuple[str, ...]:
        return vocabulary.of_kind(self.board.settings, *kinds)

    @property
    def letters(self) -> float:
        """How much larger letters are, in hexes, on a map of many hexes, which are small when printed."""
        return min(1.4, max(1.0, (self.frame.right - self.frame.left) / 36))

    @property
    def pen(self) -> float:
        """Lines grow with the letters, but less: there is more room for them."""
        return 1 + 0.6 * (self.letters - 1)

    def add(self, layer: str, *items: Item) -> None:
        self.layers[layer].extend(items)

    def centre(self, hex_: Axial) -> Point:
        return centre(hex_, self.flat)

    def side(self, a: Axial, b: Axial) -> tuple[Point, Point]:
        """The ends of the side between two neighbours."""
        return side(a, DIRECTIONS.index(Axial(b.q - a.q, b.r - a.r)), self.flat)

    def sides(self, *features: str) -> dict[Pair, SideFact]:
        """The sides that have one of these features."""
        found: dict[Pair, SideFact] = {}
        for (a, b), here in sorted(self.board.sides.items()):
            for feature in features:
                if feature in here:
                    one, two = self.board.axial(a), self.board.axial(b)
                    names = here[feature].names
                    ident = names.get("en") or names.get("fr") or ""
                    shown = names.get(self.language) or ident
                    found[min(one, two), max(one, two)] = SideFact(feature, ident, shown)
        return found

    def features(self, hex_: Axial) -> frozenset[str]:
        cell = self.here.get(hex_)
        return self.board.info[cell].features if cell is not None else frozenset()

    def rank(self, hex_: Axial) -> int:
        """How big a place stands there, from 0 (none) to 5."""
        return max((self.town_ranks.get(f, 0) for f in self.features(hex_)), default=0)

    def is_wet(self, hex_: Axial) -> bool:
        return self.terrain.get(hex_) in WATER

    def drawn_as(self, feature: str) -> str:
        return drawn_as(self.board, feature)


def drawn_as(board: Board, feature: str) -> str:
    """How a hex feature is drawn: town, ground, area, mark, sign or none. map.toml may say so with
    draw = "..."; the usual ones are known, and what is neither (a zone that only rules speak of) is left out.
    """
    declared = vocabulary.kind(board.settings, feature)
    if declared in SIGNS:
        return "sign"
    if declared:
        return declared
    if feature in TEXTURES:
        return "ground"
    return "mark" if feature.startswith(MARKS) else "none"


def area(board: Board, feature: str, shape: list[Command]) -> list[Item]:
    """An outlined area. Areas of one map differ in colour and in the dashes of their line. A wide one is
    shown by its line alone, since a tint over half the map would pass for a terrain."""
    vocabulary = board.settings.get("features", {})
    order = [f for f in vocabulary if drawn_as(board, f) == "area"]
    look = order.index(feature) % 3 + 1
    line = path(f"area-line look{look} {feature}", shape)
    if board.with_feature(feature).bit_count() > WIDE_AREA:
        return [line]
    return [path(f"area look{look} {feature}", shape), line]


def prepare(board: Board, language: str, options: Options) -> Canvas:
    flat = board.numbering.flat
    here = {board.axial(cell): cell for cell in board.cells}
    terrain = {hex_: board.info[cell].terrain for hex_, cell in here.items()}
    frame = frame_of(board.numbering)
    for _ in range(2):
        margin: dict[Axial, Counter[str]] = {}
        for hex_, ground in terrain.items():
            for direction in range(6):
                outer = neighbour(hex_, direction)
                if outer not in terrain:
                    margin.setdefault(outer, Counter())[ground] += 1
        for hex_, votes in sorted(margin.items()):
            terrain[hex_] = _likeliest(votes)
    at_corner: dict[Key, list[Axial]] = {}
    for hex_ in sorted(terrain):
        for corner in vertices(hex_, flat):
            at_corner.setdefault(key(corner), []).append(hex_)
    return Canvas(board, language, options, flat, terrain, here, at_corner, frame)


def frame_of(numbering: Numbering) -> Rectangle:
    """The smallest rectangle that holds every hex."""
    corners = [corner for hex_ in numbering.hexes() for corner in vertices(hex_, numbering.flat)]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return Rectangle(min(xs), min(ys), max(xs), max(ys))


def _likeliest(votes: Counter[str]) -> str:
    return min(votes, key=lambda ground: (-votes[ground], ground))


def straight(points: list[Point], closed: bool = True) -> list[Command]:
    """A path of straight lines."""
    commands: list[Command] = [["M", *points[0]]]
    for p in points[1:]:
        commands.append(["L", *p])
    if closed:
        commands.append(["Z"])
    return commands
