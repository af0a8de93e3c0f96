"""A table as a seat sees it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from grognard.server.wire.common import RefusedAnswer


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
    arrows: list[tuple[str, str]] | None = None
    """From which hexes to which of them what they stand for is aimed."""


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


class ReachAnswer(BaseModel):
    hexes: dict[str, tuple[str | None, float | None]]
    why: RefusedAnswer | None = None
    """Why there is no way at all, if there is none."""
    units: list[str] | None = None
    """Which of the units it is about, if as many as can go together were asked for."""
