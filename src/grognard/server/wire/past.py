"""What was: the log, moments, dice, and the report after the game."""

from __future__ import annotations

from pydantic import BaseModel

from grognard.server.wire.tables import Phase, View


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
    own: bool = False
    """Whether nobody else may read it."""


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


class Since(BaseModel):
    """Where a seat answered last."""

    line: int
    """How many lines of the log it could read then."""
    moment: int


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


class SideTally(BaseModel):
    """How a side stands at the end of a turn, as a spectator sees it."""

    points: int | None
    units: int
    """On the map."""
    steps: int
    """Of the units on the map."""
    lost: int
    """Units that are out of the game so far."""


class TurnTally(BaseModel):
    turn: int
    sides: dict[str, SideTally]


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

    turns: list[TurnTally]
    battles: list[BattleLine]
    luck: dict[str, Luck]
