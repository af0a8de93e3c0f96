"""Who is there: lobby, seats, accounts, notices, chat and notes."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

from grognard.server.wire.tables import Player


class Health(BaseModel):
    """Games can be read and written here."""

    status: Literal["ok"]
    version: str


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


class OwnLine(LobbyLine):
    """A table that one plays at."""

    asked: list[str]
    """The sides that it waits for, as far as one may know."""
    since: float
    due: dict[str, float]
    """When their time is up, where there is a pace."""
    away: dict[str, float]
    """Until when people are, or were, on leave."""


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
