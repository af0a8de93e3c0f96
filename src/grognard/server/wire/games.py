"""The list of games, and all that the page needs to know of one."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from grognard.server.wire.common import Named


class ScenarioOption(BaseModel):
    """A switch that players may set before the game, with its default."""

    id: str
    name: str
    case: str
    default: bool | int | str


class ScenarioLine(BaseModel):
    """A scenario, as players see it before they choose."""

    id: str
    name: str
    about: str
    first_turn: int
    last_turn: int
    first_day: str
    """The first day of its first turn and the last of its last one; empty if the game has no calendar."""
    last_day: str
    minutes: int
    """How long two people play who know the rules; 0 if nobody has said."""
    difficulty: int
    """From 1, to learn the game with, to 3."""
    ours: bool
    """Made by us, not by the publisher."""
    victory: str
    """How it is won, in a few sentences; empty if nobody has said."""
    area: list[str]
    """The hexes that units may enter; none if it is the whole map."""
    options: list[ScenarioOption]


class Livery(BaseModel):
    body: str
    bar: str
    ink: str
    tint: str


class Banner(BaseModel):
    """A small picture of a map: where it is to be had, and how much of it, from the top left, is the map."""

    url: str
    width: float
    height: float


class GameLine(BaseModel):
    """A game in the list of games."""

    id: str
    title: str
    publisher: str
    about: str
    subtitle: str = ""
    state: str
    scenarios: list[ScenarioLine]
    sides: list[Named]
    liveries: dict[str, Livery] = {}
    players: list[str]
    banner: Banner | None = None


class KitVerb(BaseModel):
    kinds: list[str]
    role: str
    label: str
    """What a button says."""
    labels: dict[str, str] = {}
    """What it says where it answers one of these questions."""
    gloss: str
    """What it does."""
    typed: str
    """What a person types for it."""


class KitBadge(BaseModel):
    letter: str
    shape: Literal["disc", "diamond", "square", "triangle", "bar"]
    tone: Literal["warning", "danger", "info", "spent"]
    name: str


class KitPart(BaseModel):
    name: str
    about: str = ""
    part: str = ""
    """Which sort of part it is; empty for the groups of a pool and the slots of a display."""
    glyph: str = ""
    tone: Literal["warning", "danger", "info", "spent"] = "info"


class KitLayer(BaseModel):
    id: str
    name: str
    short: str
    sided: bool
    style: Literal["hatch", "fill", "edge", "dots"]


class KitKind(BaseModel):
    name: str
    symbol: str


class Column(BaseModel):
    id: str
    name: str


class RuleTable(BaseModel):
    id: str
    title: str
    role: Literal["", "combat", "victory"] = ""
    scenario: str = ""
    """The scenario in which it takes the place of the game's table of the same id; empty for all."""
    columns: list[Column]
    rows: list[list[str]]


class KitTurn(BaseModel):
    """A turn of the calendar, with its first and last day."""

    model_config = ConfigDict(populate_by_name=True)
    turn: int
    from_: str = Field(alias="from")
    to: str


class KitPhase(BaseModel):
    id: str
    case: str
    name: str


class KitGuideStep(BaseModel):
    id: str
    text: str
    roles: list[str]
    selected: bool
    after: str | None
    side: str = ""
    """Whom it is for; empty for everybody."""
    decisions: list[str] = []
    """The questions that it is for; none for all."""
    scenarios: list[str] = []
    """The scenarios that it is for; none for all."""


class LegendEntry(BaseModel):
    id: str
    name: str
    swatch: str
    """An SVG picture."""


class Article(BaseModel):
    case: str
    title: str
    body: str


class Ruling(BaseModel):
    """What we decided where the published rules are silent or contradict themselves."""

    cases: list[str]
    title: str
    question: str
    ruling: str
    reason: str


class KitHex(BaseModel):
    centre: tuple[float, float]
    terrain: str
    features: list[str]
    name: str | None


class TileLevel(BaseModel):
    scale: int
    """Pixels a hex."""
    columns: int
    rows: int


class KitTiles(BaseModel):
    """The map in square pictures, from coarse to fine. Tiles begin at the left and upper edge of the box."""

    size: int
    """Pixels of a tile's side."""
    url: str
    """With {level}, {column} and {row} in the place of numbers."""
    levels: list[TileLevel]


class KitMap(BaseModel):
    box: tuple[float, float, float, float]
    frame: tuple[float, float, float, float]
    svg: str
    widths: list[int]
    """Without tiles, the page makes its own pictures of the SVG at these widths."""
    tiles: KitTiles | None
    ground: dict[str, str]
    """Colours of terrains, for as long as no picture of the map has come."""


class Provenance(BaseModel):
    kind: str
    source: str


class Counter(BaseModel):
    """What is printed on a counter."""

    model_config = ConfigDict(extra="allow")
    side: str
    nation: str | None = None
    name: str
    kind: str
    size: str
    movement: str
    faces: list[list[str]]
    elite: bool = False
    """Whether its symbol is printed light on dark."""
    turn: int
    entry: list[str] | str
    provenance: Provenance


class Kit(BaseModel):
    """What a page needs of a game before it shows a table. It never changes while the server runs."""

    id: str
    title: str
    subtitle: str
    credits: str
    rules_version: str
    sides: list[Named]
    verbs: dict[str, KitVerb]
    badges: dict[str, KitBadge]
    parts: dict[str, KitPart]
    layers: list[KitLayer]
    supposes: bool
    """Whether it can be asked what an attack would promise that nobody can make yet."""
    liveries: dict[str, Livery]
    kinds: dict[str, KitKind]
    nations: dict[str, str]
    pieces: dict[str, str]
    tables: list[RuleTable]
    scenarios: list[ScenarioLine]
    turns: list[KitTurn]
    phases: list[KitPhase]
    guide: list[KitGuideStep]
    legend: list[LegendEntry]
    flat: bool
    hexes: dict[str, KitHex]
    map: KitMap
    counters: dict[str, Counter]
    rules: list[Article]
    rulings: list[Ruling]
    words: dict[str, str]
