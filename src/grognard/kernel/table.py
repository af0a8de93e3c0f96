"""What can lie on a table, in any game: units with badges, and parts (markers, pools, tracks, displays).

A game declares its badges, parts and layers once, so that a door knows what there may be before anything is
played, and shows them in `Game.table`. Names are in the game's texts. Units are written by their ids,
hexes by their numbers, sides by their ids: a table is what a seat is sent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, NotRequired, TypeAlias, TypedDict

from grognard.kernel.events import Family
from grognard.kernel.verbs import Role

Shape: TypeAlias = Literal["disc", "diamond", "square", "triangle", "bar"]
Tone: TypeAlias = Literal["warning", "danger", "info", "spent"]
Style: TypeAlias = Literal["hatch", "fill", "edge", "dots"]

ON_MAP, IN_BOX, TO_COME, DEAD, ABOARD, OFF_MAP = "on-map", "in-box", "to-come", "dead", "aboard", "off-map"
STATUSES = (ON_MAP, IN_BOX, TO_COME, DEAD, ABOARD, OFF_MAP)
"""Where a unit may be."""


class UnitView(TypedDict):
    """A unit as a seat sees it. What is not known, or does not apply, is left out."""

    id: str
    side: str
    kind: str
    hex: str | None
    status: str
    badges: list[str]
    nation: NotRequired[str]
    place: NotRequired[str]
    """Where it is if not on a hex: a box, a carrier."""
    face: NotRequired[list[str]]
    """The numbers to print on the counter, in the game's order, if they are not the printed ones."""
    steps: NotRequired[int]
    attack: NotRequired[int]
    defence: NotRequired[int]
    radius: NotRequired[int]
    turn: NotRequired[int]
    """When it is due."""


# Parts, as they lie on the table


class Markers(NamedTuple):
    """Markers of one kind, each on a hex."""

    id: str
    hexes: Sequence[str]
    side: str | None = None
    arrows: Sequence[tuple[str, str]] | None = None
    """From which hexes to which of them what they stand for is aimed: attacks that are declared, say."""
    part: Literal["markers"] = "markers"


class Area(NamedTuple):
    """A set of hexes that is shown as one."""

    id: str
    hexes: Sequence[str]
    style: Style = "edge"
    side: str | None = None
    part: Literal["area"] = "area"


class Holders(NamedTuple):
    """Hexes and the side that holds each."""

    id: str
    hexes: Mapping[str, str]
    part: Literal["holders"] = "holders"


class Count(NamedTuple):
    """A number of something, out of `of` if there is a limit."""

    id: str
    value: int
    of: int | None = None
    side: str | None = None
    part: Literal["count"] = "count"


class Flag(NamedTuple):
    """Something that is so, or not."""

    id: str
    on: bool
    part: Literal["flag"] = "flag"


class Group(NamedTuple):
    """Some of the pieces of a pool: those one knows, and how many more there are."""

    id: str
    pieces: Sequence[str]
    more: int = 0


class Pool(NamedTuple):
    """Pieces that are neither on the map nor units: chits in a cup, cards in a hand."""

    id: str
    groups: Sequence[Group]
    side: str | None = None
    part: Literal["pool"] = "pool"


class Track(NamedTuple):
    """A number on a track."""

    id: str
    value: int
    low: int
    high: int
    side: str | None = None
    part: Literal["track"] = "track"


class Slot(NamedTuple):
    """A place of a display, with the units or the pieces that lie in it."""

    id: str
    units: Sequence[str] = ()
    pieces: Sequence[str] = ()


class Display(NamedTuple):
    """Boxes beside the map in which units or pieces lie."""

    id: str
    slots: Sequence[Slot]
    side: str | None = None
    part: Literal["display"] = "display"


class Company(NamedTuple):
    """Units that something is said of."""

    id: str
    units: Sequence[str]
    side: str | None = None
    part: Literal["company"] = "company"


Part: TypeAlias = Markers | Area | Holders | Count | Flag | Pool | Track | Display | Company


class Table(NamedTuple):
    """What a seat sees of a position, apart from the sequence of play and the question on the table."""

    units: list[UnitView]
    scores: dict[str, int]
    parts: tuple[Part, ...]


def part_key(part: Part) -> str:
    """What a part is called in a list of changes: its id and, if it is a side's, the side."""
    side = getattr(part, "side", None)
    return part.id if side is None else f"{part.id}:{side}"


def plain_part(part: Part) -> dict[str, Any]:
    """A part as JSON values; what does not apply is left out."""
    found = {name: value for name, value in part._asdict().items() if value is not None}
    if isinstance(part, Pool):
        found["groups"] = [{"id": g.id, "pieces": list(g.pieces), "more": g.more} for g in part.groups]
    elif isinstance(part, Display):
        found["slots"] = [{"id": s.id, "units": list(s.units), "pieces": list(s.pieces)} for s in part.slots]
    return found


def plain_table(table: Table) -> dict[str, Any]:
    """A table as JSON values."""
    return {"units": table.units, "scores": table.scores, "parts": [plain_part(part) for part in table.parts]}


# Declarations


class Badge(NamedTuple):
    """A mark on a counter: what a unit is, or has done, besides its numbers. `spent` dims the counter."""

    id: str
    shape: Shape
    tone: Tone


class PartKind(NamedTuple):
    """A part that a game may show: enough to make room for it before anything is played."""

    part: type[Part]
    id: str
    sides: tuple[str, ...] = ()  # one for each of these; if there are none, one for all
    groups: tuple[str, ...] = ()  # of a pool; the slots of a display
    pieces: str = ""  # their kind, as kinds of arguments are called; empty where it holds units
    glyph: str = ""  # one of the glyphs below
    tone: Tone = "info"
    tones: tuple[tuple[str, Tone], ...] = ()  # of groups that are drawn otherwise: those played are `spent`

    @property
    def kind(self) -> str:
        return str(self.part._field_defaults["part"])


GLYPHS = ("", "fort", "cross", "star", "flag", "plane", "ship", "wheel", "dot")


class Layer(NamedTuple):
    """Hexes that are shown on demand."""

    id: str
    style: Style
    sided: bool = True  # each side has its own
    open: bool = True  # everybody may see each side's: nothing that is kept from anybody has a part in it


class Extra(NamedTuple):
    """What may be added to an attack in a number (aircraft), and the verb that says how many when asked."""

    id: str
    verb: str


class GuideStep(NamedTuple):
    """One piece of advice to a newcomer. It is for the moment when a verb of one of these roles is on offer
    and he has, or has not, taken something up; one without roles is for all other moments."""

    id: str
    roles: tuple[Role, ...] = ()
    selected: bool = False
    after: Family | None = None  # not before something of this family has happened
    side: str = ""  # for whoever plays this side; empty for everybody
    decisions: tuple[str, ...] = ()  # for these questions only; none for all
    scenarios: tuple[str, ...] = ()  # in these scenarios only; none for all


# What is in hand


class Attack(NamedTuple):
    """An attack being put together."""

    targets: tuple[int, ...]
    units: tuple[int, ...]


class Hand(NamedTuple):
    """What the side that is asked has taken up: units on the move, or an attack not yet made."""

    units: tuple[int, ...] = ()
    points_left: int | None = None
    """What the unit with the least has left, in the points of the game (halves)."""
    attack: Attack | None = None
