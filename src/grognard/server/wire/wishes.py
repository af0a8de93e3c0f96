"""What is asked for."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from grognard.server.limits import check_depth
from grognard.server.wire.common import Id, Line, Name, Prose, Strict


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
