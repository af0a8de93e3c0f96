"""The shapes of everything that is sent and received. The description of the doors (OpenAPI) is made from
them, and the page's types from that."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, RootModel, model_validator

from grognard.server.limits import check_depth

_TURNS = r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
"""Characters that turn the direction of what follows them: they make a text look like another."""
_UNSEEN = r"\u00ad\u180e\u200b-\u200d\u2028\u2029\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb"
Line = Annotated[str, Field(pattern=r"^[^\x00-\x1f\x7f]*$")]
"""Words without a line break or any other control."""
Prose = Annotated[str, Field(pattern=rf"^[^\x00-\x08\x0b-\x1f\x7f-\x9f{_TURNS}]*$")]
"""Words on any number of lines."""
Name = Annotated[str, Field(pattern=rf"^[^\x00-\x1f\x7f-\x9f{_TURNS}{_UNSEEN}]*$", max_length=60)]
"""What somebody or something is called: nothing in it that cannot be seen."""
Id = Annotated[Line, Field(max_length=40)]


# What is asked for


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)


class TableWish(Strict):
    """A new table."""

    game: Id
    scenario: Id = ""
    options: dict[Id, bool | int | Id] = Field(default_factory=dict, max_length=40)
    seats: dict[Id, Id] = Field(default_factory=dict, max_length=8)
    name: Name = ""
    owner: Name = ""
    side: Id = ""
    """The side that the maker plays; the first that a person plays, if none is named."""
    listed: bool = False
    hotseat: bool = False
    teacher: bool = False
    """Whether the computer tells its plans while the game is played."""
    pace: int = Field(default=0, ge=0, le=30 * 86_400)
    """How many seconds an answer may take, by correspondence; 0: any. Who is late passes, where one may, and
    can lose the game."""
    leave: int = Field(default=0, ge=0, le=90 * 86_400)
    """How many seconds of leave each player may take, during which his clock stands."""


Passphrase = Annotated[str, Field(min_length=10, max_length=200)]


class AccountWish(Strict):
    """A new account."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=False)

    name: Name = Field(min_length=1)
    passphrase: Passphrase


class EnterWish(Strict):
    model_config = ConfigDict(extra="forbid", str_strip_whitespace=False)

    name: Name
    passphrase: Annotated[str, Field(max_length=200)]


class PassphraseWish(Strict):
    model_config = ConfigDict(extra="forbid", str_strip_whitespace=False)

    old: Annotated[str, Field(max_length=200)]
    new: Passphrase


class LanguageWish(Strict):
    language: Literal["en", "fr"]


class KeepWish(Strict):
    """A seat, by its token, that is to belong to an account."""

    table: Id
    token: Annotated[Line, Field(max_length=80)]


class PushTarget(Strict):
    """Where a browser can be reached, as it says itself."""

    endpoint: Annotated[Line, Field(max_length=1000, pattern=r"^https?://[^\s]+$")]
    p256dh: str = Field(pattern=r"^[\w-]{87,88}=?$")
    auth: str = Field(pattern=r"^[\w-]{22}(==)?$")


class AddressWish(Strict):
    """Where somebody wants to be told that it is his move: a mail address, or a browser."""

    mail: str = Field(default="", max_length=254, pattern=r"^([\w.!#$%&'*+/=?^`{|}~-]+@[\w.-]+\.[\w-]+)?$")
    push: PushTarget | None = None

    @model_validator(mode="after")
    def _one_of_them(self) -> AddressWish:
        if bool(self.mail) == (self.push is not None):
            raise ValueError("a mail address or a browser")
        return self


class JoinWish(Strict):
    side: Id
    name: Name = ""


class SitWish(Strict):
    """The word of an invitation, which is used up."""

    invitation: Annotated[Line, Field(max_length=80)]
    name: Name = ""


class ShareWish(Strict):
    """A player's share of the dice: a random number of 64 to 256 bits, in hexadecimal digits."""

    share: str = Field(pattern=r"^[0-9a-f]{16,64}$")


class SideWish(Strict):
    side: Id


class ActionWish(Strict):
    action: list[Id] = Field(min_length=1, max_length=8)
    version: Id | None = None
    side: Id | None = None
    """For which of the seat's sides, where it has several and more than one is asked."""
    reach: bool = False
    """Whether a short answer (`Prefer: return=minimal`) is to say how far what is in hand then gets."""


class OrderWish(Strict):
    """A whole march or attack: {"order": "move", "units", "path"}, {"order": "attack", "targets", "units",
    "extras"}."""

    order: Annotated[dict[str, Any], BeforeValidator(check_depth)] = Field(max_length=10)
    version: Id | None = None
    side: Id | None = None
    reach: bool = False


class UndoWish(Strict):
    to: Literal["step", "phase"] = "step"
    version: Id | None = None
    """The position that something is to be taken back from: sent twice, it takes back once."""
    reach: bool = False


class RedoWish(Strict):
    to: Literal["step", "all"] = "step"
    reach: bool = False


class BranchWish(Strict):
    """A new table is to go on from a moment of this one."""

    to: int = Field(ge=0, le=1_000_000)
    name: Name = ""


class TakebackWish(Strict):
    to: int = Field(ge=0, le=1_000_000)


class TakebackAnswer(Strict):
    accept: bool
    to: int | None = Field(default=None, ge=0, le=1_000_000)
    """The proposal that is answered: where it goes back to. Needed to accept one."""


class ChatWish(Strict):
    text: Prose = Field(min_length=1, max_length=1000)


class NoteWish(Strict):
    text: Prose = Field(max_length=20_000)


class MarkWish(Strict):
    """Something to draw on the map: from one hex to another, round a hex, or words at a hex."""

    kind: Literal["arrow", "ring", "note"]
    hexes: list[Id] = Field(min_length=1, max_length=2)
    text: Line = Field(default="", max_length=120)
    seen_by: Literal["me", "players", "all"] = "me"
    """Who sees it: whoever draws it, all who play here, or spectators, too."""

    @model_validator(mode="after")
    def fits(self) -> MarkWish:
        if len(set(self.hexes)) != (2 if self.kind == "arrow" else 1) or bool(self.text) != (
            self.kind == "note"
        ):
            raise ValueError("an arrow has two hexes, a ring one, and a note one and words")
        return self


class SaveWish(Strict):
    text: str = Field(min_length=2, max_length=4_000_000)
    seats: dict[Id, Id] = Field(default_factory=dict, max_length=8)
    owner: Name = ""
    name: Name = ""
    hotseat: bool = True


class NameWish(Strict):
    """What somebody at a seat wants to be called."""

    name: Name


class LeaveWish(Strict):
    """Leave from now on; 0: one is back."""

    days: int = Field(ge=0, le=90)


class RematchWish(Strict):
    swap: bool = False
    """Whether the two sides change hands."""


class Question(BaseModel):
    """What is asked (`why`, `go`, `ahead`, `reach`, `forecast`, `what-if`, `strengths`, `supply`, `layer`),
    and what it is about."""

    model_config = ConfigDict(extra="allow")
    ask: Id

    @model_validator(mode="before")
    @classmethod
    def _shallow(cls, value: Any) -> Any:
        return check_depth(value)


# Why nothing was done


class Problem(BaseModel):
    """Why nothing was done."""

    detail: Any


class RefusedAnswer(BaseModel):
    """Why the rules do not allow it: in a code, a case of the rulebook and a sentence."""

    code: str
    case: str
    text: str


class Health(BaseModel):
    """Games can be read and written here."""

    status: Literal["ok"]
    version: str


# Games


class Named(BaseModel):
    id: str
    name: str


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


# Tables


class Phase(BaseModel):
    """Where the sequence of play stands, and whose phase it is."""

    id: str | None
    path: list[str]
    names: list[str]
    side: str | None


class Focus(BaseModel):
    """The units and hexes that the question is about."""

    units: list[str]
    hexes: list[str]


class Aim(BaseModel):
    """What an attack could be made of."""

    may_join: list[str]
    may_widen: list[str]


class AttackInHand(Aim):
    """An attack being put together."""

    targets: list[str]
    units: list[str]


class ExtraInHand(BaseModel):
    """What may be added to an attack, up to how many."""

    id: str
    name: str
    max: int


class Hand(BaseModel):
    """What is in hand: units on the move (how far they get is asked for), or an attack."""

    units: list[str]
    points_left: float | None
    attack: AttackInHand | None
    aims: dict[str, Aim]
    """Hexes that an attack may aim at, if none has been begun."""
    extras: list[ExtraInHand]


class Decision(BaseModel):
    """The question put to this seat."""

    name: str
    case: str
    prompt: str
    offer: list[list[str | list[str]]]
    """Groups of answers: [verb, fixed arguments ..., [what the last one may be]], or [verb]."""
    main: list[str] | None
    """The answer that moves the game on."""
    focus: Focus
    hand: Hand | None


class Unit(BaseModel):
    id: str
    side: str
    kind: str
    nation: str | None = None
    hex: str | None
    place: str | None = None
    status: str
    badges: list[str]
    face: list[str] | None = None
    steps: int | None = None
    attack: int | None = None
    defence: int | None = None
    radius: int | None = None
    turn: int | None = None


class UnitChange(BaseModel):
    """What has changed of a unit. What has not is not there; a unit with an id is a whole one."""

    model_config = ConfigDict(extra="forbid")
    side: str | None = None
    kind: str | None = None
    nation: str | None = None
    hex: str | None = None
    place: str | None = None
    status: str | None = None
    badges: list[str] | None = None
    face: list[str] | None = None
    steps: int | None = None
    attack: int | None = None
    defence: int | None = None
    radius: int | None = None
    turn: int | None = None


class Markers(BaseModel):
    part: Literal["markers"]
    id: str
    hexes: list[str]
    side: str | None = None


class Area(BaseModel):
    part: Literal["area"]
    id: str
    hexes: list[str]
    style: Literal["hatch", "fill", "edge", "dots"]
    side: str | None = None


class Holders(BaseModel):
    part: Literal["holders"]
    id: str
    hexes: dict[str, str]


class Count(BaseModel):
    part: Literal["count"]
    id: str
    value: int
    of: int | None = None
    side: str | None = None


class Flag(BaseModel):
    part: Literal["flag"]
    id: str
    on: bool


class Group(BaseModel):
    id: str
    pieces: list[str]
    more: int


class Pool(BaseModel):
    part: Literal["pool"]
    id: str
    groups: list[Group]
    side: str | None = None


class Track(BaseModel):
    part: Literal["track"]
    id: str
    value: int
    low: int
    high: int
    side: str | None = None


class Slot(BaseModel):
    id: str
    units: list[str]
    pieces: list[str]


class Display(BaseModel):
    part: Literal["display"]
    id: str
    slots: list[Slot]
    side: str | None = None


class Company(BaseModel):
    part: Literal["company"]
    id: str
    units: list[str]
    side: str | None = None


Part = Annotated[
    Markers | Area | Holders | Count | Flag | Pool | Track | Display | Company, Field(discriminator="part")
]


class View(BaseModel):
    """What lies on the table, for the eyes of this seat."""

    units: list[Unit]
    scores: dict[str, int]
    parts: list[Part]


class Outcome(BaseModel):
    winner: str | None
    level: str
    text: str
    points: dict[str, int]
    resigned: str | None = None
    late: str | None = None
    """The side that lost because its time was up."""


class Proposal(BaseModel):
    """A take-back asked for."""

    by: str
    to: int


class Player(BaseModel):
    kind: str
    name: str
    taken: bool


class DiceNotes(BaseModel):
    """What everybody may know of the dice before the end: each player's share, and how often dice that may
    have been seen were taken back; those after them were drawn anew."""

    shares: dict[str, str]
    take_backs: int


class Rights(BaseModel):
    """What a seat may do about the table, beside playing at it."""

    listed: bool
    host: bool
    invite: list[str]
    """Seats for which a new link may be had,"""
    kick: list[str]
    """from which somebody may be sent away."""
    leave: bool
    remove: bool
    abandon: bool


class Clock(BaseModel):
    """The clocks of a game by correspondence. Times are seconds since 1970."""

    pace: int
    """Seconds that the table waits for an answer,"""
    leave: int
    """and of leave that each player has."""
    due: dict[str, float]
    """When the time of those who are asked is up: the others may then claim the game."""
    away: dict[str, float]
    """Until when a player is, or was last, on leave,"""
    taken: dict[str, float]
    """and how many seconds of it he has taken."""


class State(BaseModel):
    """A table as a seat sees it."""

    table: str
    name: str
    game: str
    scenario: str
    options: dict[str, bool | int | str]
    version: str
    you: list[str]
    eyes: str | None
    """In a game with secrets: the side whose secrets are shown, of those that sit here."""
    over: bool
    outcome: Outcome | None
    turn: int
    phase: Phase
    must_act: list[str]
    may_act: list[str]
    decision: Decision | None
    """Null for those who are not asked."""
    standing: list[list[str]]
    """What this seat may do besides answering, whoever is asked."""
    written: list[list[str]]
    """What this seat has written in secret so far, in answer to the question."""
    can_undo: bool
    can_redo: bool
    view: View
    moments: int
    """How often everybody saw something new so far. What is written in secret does not count."""
    log_length: int
    thinking: bool
    teacher: bool
    plans: int | None
    """How many plans the computer has told; null while it keeps them to itself."""
    suggests: bool
    proposal: Proposal | None
    commitment: str
    seed: str | None
    players: dict[str, Player]
    dice: DiceNotes
    here: list[str]
    """The sides of which somebody looks at the table now."""
    clock: Clock | None
    rematch: str | None
    """The table at which the same people play again; told to players only."""
    rights: Rights
    pinned: str | None
    """Why the table cannot be played on in this release; it can be read, downloaded and resigned."""


class Version(BaseModel):
    """What is answered to `Prefer: return=minimal`."""

    version: str
    reach: ReachAnswer | None = None
    """How far what is in hand gets, if that was asked for; none if nothing is."""


class StaleAnswer(RefusedAnswer):
    """The position had changed; how it stands."""

    state: State


class Die(BaseModel):
    sides: int
    value: int


class Roll(BaseModel):
    """Where the dice were looked up."""

    table: str
    column: str
    row: str
    result: str


class LogLine(BaseModel):
    n: int
    turn: int
    kind: str
    family: str
    case: str
    text: str
    units: list[str]
    hexes: list[str]
    dice: list[Die]
    roll: Roll | None = None


class LobbyLine(BaseModel):
    """A table in the list of tables."""

    table: str
    name: str
    game: str
    turn: int | None
    phase: str | None
    actor: str | None
    over: bool
    players: dict[str, Player]
    updated: float
    you: list[str] = []
    """The sides of the seat that asks, where one does."""


class Created(BaseModel):
    """A new table, with the tokens of its maker's seats and of the spectators."""

    table: str
    seats: dict[str, str]
    invitations: dict[str, str]
    """For each seat that is somebody else's, a word that can be exchanged for its token, once."""
    watch: str
    promise: str
    """What is published of the dice before the first roll."""


class Rematch(BaseModel):
    """A seat at another table."""

    table: str
    side: str
    token: str


class NoticeKinds(BaseModel):
    """How a server can tell people that it is their move."""

    mail: bool
    push: str
    """What a browser needs to know of the server before it takes messages from it."""


class AddressLine(BaseModel):
    id: str
    kind: str
    mail: str
    """Empty for a browser."""
    confirmed: bool


class Session(BaseModel):
    """The word by which an account is known from now on, at its own doors and at its tables."""

    session: str


class LeaveTaken(BaseModel):
    """The tables at which the clock stands, and those at which there is not so much leave left."""

    taken: list[str]
    refused: list[str]


class Me(BaseModel):
    name: str
    language: str
    created: float


class SessionLine(BaseModel):
    """A device on which somebody has entered."""

    id: str
    device: str
    created: float
    seen: float
    here: bool


class OwnSeat(BaseModel):
    """A seat that belongs to an account, with the note written there."""

    table: str
    name: str
    game: str
    side: str
    note: str


class OwnAddress(BaseModel):
    kind: str
    target: str
    confirmed: bool
    created: float


class OwnMark(BaseModel):
    """Something that somebody has drawn on the map of a table."""

    table: str
    kind: str
    hexes: list[str]
    text: str
    seen_by: str


class Export(BaseModel):
    """All that is kept about somebody."""

    account: Me
    sessions: list[SessionLine]
    seats: list[OwnSeat]
    marks: list[OwnMark]
    addresses: list[OwnAddress]


class Sat(BaseModel):
    """The seat that somebody has taken."""

    side: str
    token: str


class Invitation(BaseModel):
    """A new link for a seat; the one before it is good no longer."""

    side: str
    invitation: str


class Done(BaseModel):
    done: Literal[True]


class Token(BaseModel):
    token: str


class Moment(BaseModel):
    """The table at a moment of its past: what was to be seen, with nothing to decide."""

    table: str
    game: str
    moment: int
    turn: int
    phase: Phase
    must_act: list[str]
    view: View


class Mark(BaseModel):
    n: int
    turn: int
    phase: str


class Moments(BaseModel):
    length: int
    marks: list[Mark]
    lines: list[int]
    """How many lines of the log there were at each moment."""


class Draw(BaseModel):
    """A random answer with what it was drawn from."""

    draw: int
    after: int
    """How many answers there were before it: so much of what was added to the seed counts."""
    weights: list[tuple[list[str], int]]
    answer: list[str]


class Rolls(BaseModel):
    seed: str
    commitment: str
    rolls: list[Draw]


class Standing(BaseModel):
    """How a side stands at the end of a turn, as a spectator sees it."""

    points: int | None
    units: int
    """On the map."""
    steps: int
    """Of the units on the map."""
    lost: int
    """Units that are out of the game so far."""


class TurnStanding(BaseModel):
    turn: int
    sides: dict[str, Standing]


class BattleLine(BaseModel):
    """A battle of the report. `promised` and `came` are steps that the defender lost less those that the
    attacker lost: on the average of the column, and with the dice as they fell."""

    turn: int
    side: str
    hex: str
    column: str
    dice: list[int]
    result: str
    promised: float
    came: float


class Luck(BaseModel):
    """All battles of a side, as attacker and as defender: steps that the enemy lost less its own."""

    battles: int
    attacks: int
    promised: float
    came: float


class Report(BaseModel):
    """What became of a game that is over."""

    turns: list[TurnStanding]
    battles: list[BattleLine]
    luck: dict[str, Luck]


class ChatLine(BaseModel):
    id: int
    author: str
    text: str
    at: float
    code: str
    """What the table tells about the author; the text is then its facts as JSON. Empty if he said it."""


class Note(BaseModel):
    text: str


class MapMark(BaseModel):
    """Something that a player has drawn on the map."""

    id: str
    side: str
    kind: Literal["arrow", "ring", "note"]
    hexes: list[str]
    text: str
    seen_by: Literal["me", "players", "all"]


# Answers to questions, plans and advice


class WhyAnswer(BaseModel):
    legal: bool
    code: str | None = None
    case: str | None = None
    text: str | None = None


class ReachAnswer(BaseModel):
    hexes: dict[str, tuple[str | None, float | None]]
    why: RefusedAnswer | None = None
    """Why there is no way at all, if there is none."""
    units: list[str] | None = None
    """Which of the units it is about, if as many as can go together were asked for."""


class LossAhead(BaseModel):
    case: str
    text: str
    units: list[str]
    hexes: list[str]
    chosen: bool
    """Whether somebody is to choose what is lost; then this is one of several that are possible."""


class AheadAnswer(BaseModel):
    """What an answer would cost whoever gives it, at once and for certain."""

    losses: list[LossAhead]


class Shift(BaseModel):
    code: str
    columns: int
    case: str
    chance: float
    text: str


class Toll(BaseModel):
    steps: int
    hexes: int
    wiped: bool


class ResultChance(BaseModel):
    """A result of the combat table, how likely it is, and what it does."""

    code: str
    chance: float
    text: str
    tone: Literal["good", "bad", "mixed"]
    defender: Toll
    attacker: Toll


class ShareReason(BaseModel):
    case: str
    text: str


class Share(BaseModel):
    """What units that are counted together bring to a strength; null is one that nobody has seen."""

    units: list[str]
    printed: int | None
    counted: int | None
    reasons: list[ShareReason]


class ForecastAnswer(BaseModel):
    """What an attack promises; spreads are (value, chance)."""

    case: str
    attack: list[tuple[int, float]]
    defence: list[tuple[int, float]]
    columns: list[tuple[str, float]]
    results: list[ResultChance]
    shifts: list[Shift]
    attackers: list[Share]
    defenders: list[Share]


class WhatIfAnswer(BaseModel):
    """Who could attack a hex after a whole move, and what an attack by some of them would promise."""

    model_config = ConfigDict(populate_by_name=True)
    from_: dict[str, str] = Field(alias="from")
    """Units, and the hex from which each would attack."""
    extras: list[ExtraInHand]
    forecast: ForecastAnswer | None
    """Null where nobody was named to attack, or the attack is impossible."""
    why: RefusedAnswer | None = None
    """Why it is."""


class StrengthsAnswer(BaseModel):
    """A unit's strengths: as printed on its full side, and as they count now."""

    attack: Share
    defence: Share


class SupplyAnswer(BaseModel):
    case: str
    supplied: bool
    points: float
    line: list[str]
    road: list[str]


class LayerAnswer(BaseModel):
    hexes: list[str]


class Plan(BaseModel):
    side: str
    turn: int
    phase: str | None
    text: str
    units: list[str]
    hexes: list[str]


class Plans(BaseModel):
    """What the computer's sides are trying to do, and what they tried before."""

    now: dict[str, str]
    plans: list[Plan]


class Suggestion(BaseModel):
    """What the computer would do in one's place: answers that belong together."""

    version: str
    actions: list[list[str]]
    text: str
    plan: str | None
    units: list[str]
    hexes: list[str]
    path: list[str]


# Over the socket


class LogNews(BaseModel):
    """Lines from number `from` on; what was there before is gone."""

    model_config = ConfigDict(populate_by_name=True)
    from_: int = Field(alias="from")
    lines: list[LogLine]


class WholeMessage(BaseModel):
    """The first message, and after a change that cannot be told in differences."""

    type: Literal["state"]
    state: State
    log: LogNews | None = None
    layers: dict[str, list[str]] | None = None
    chat: list[ChatLine] | None = None
    marks: list[MapMark] | None = None
    """All marks on the map that this seat may see, if they are others than before."""


class ChangesMessage(BaseModel):
    """What has changed since the last message. What has not is not there."""

    model_config = ConfigDict(populate_by_name=True)
    type: Literal["changes"]
    from_: str = Field(alias="from")
    to: str
    set: dict[str, Any] | None = None
    """Keys of the state, `view` excepted."""
    units: dict[str, Unit | UnitChange | None] | None = None
    alike: list[tuple[UnitChange, list[str]]] | None = None
    """What many units have in common of their changes, and which units these are."""
    scores: dict[str, int] | None = None
    parts: dict[str, Part | None] | None = None
    """By id, or by `id:side` where the part has a side."""
    log: LogNews | None = None
    layers: dict[str, list[str]] | None = None
    """By id, or by `id:side`."""
    chat: list[ChatLine] | None = None
    marks: list[MapMark] | None = None
    """All marks on the map that this seat may see, if they are others than before."""


class ThoughtMessage(BaseModel):
    """How far the computer's thought has come."""

    type: Literal["thought"]
    what: str
    share: float


class SocketMessage(
    RootModel[Annotated[WholeMessage | ChangesMessage | ThoughtMessage, Field(discriminator="type")]]
):
    """What the socket sends."""


class Greeting(BaseModel):
    """What a client says first."""

    token: str | None
    lang: Literal["en", "fr"]
    log: int = 0
    """How many lines of the log it has already."""
    layers: list[tuple[str, str | None]] = []


class LayersWish(BaseModel):
    """What a client may say later: the layers that it shows, each with its side (null: of nobody)."""

    layers: list[tuple[str, str | None]]
