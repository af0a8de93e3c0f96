"""Answers to questions, plans and advice."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from grognard.server.wire.common import RefusedAnswer
from grognard.server.wire.tables import ExtraInHand


class WhyAnswer(BaseModel):
    legal: bool
    code: str | None = None
    case: str | None = None
    text: str | None = None


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
    counted: int | float | None
    reasons: list[ShareReason]


class ForecastAnswer(BaseModel):
    """What an attack promises; spreads are (value, chance)."""

    case: str
    attack: list[tuple[int | float, float]]
    defence: list[tuple[int | float, float]]
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
