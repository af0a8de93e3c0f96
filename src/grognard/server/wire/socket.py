"""What goes over the socket."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, RootModel

from grognard.server.wire.past import LogLine
from grognard.server.wire.people import ChatLine, MapMark
from grognard.server.wire.tables import Part, State, Unit, UnitChange


class LogPiece(BaseModel):
    """Lines from number `from` on; what was there before is gone."""

    model_config = ConfigDict(populate_by_name=True)
    from_: int = Field(alias="from")
    lines: list[LogLine]


class OwnPiece(LogPiece):
    """The same of the lines that one side alone may read. The number of each is its place in the whole."""

    side: str


class LogNews(LogPiece):
    """At a screen that several sides share in a game with secrets: lines that everybody may read. Those of
    whoever sits there now are told apart, so that nothing is sent again when the other one sits down."""

    own: OwnPiece | None = None


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
