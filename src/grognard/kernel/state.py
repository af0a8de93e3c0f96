"""The position of a game: plain values that are cheap to copy and have a stable fingerprint."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any, ClassVar, TypeVar

from grognard.kernel.actions import EVERYONE, Event
from grognard.kernel.agenda import Frame
from grognard.kernel.fields import Field, compiled_clone, compiled_plain, derived, row, value

S = TypeVar("S", bound="State")


class State:
    """What the kernel needs to know of a position. A game's state adds its own slots and says in a table what
    each of them is: `class MyState(State, fields=(value("turn"), octets("steps")))`. `clone` and `plain` are
    made from the tables of the class and its bases."""

    __slots__ = ("draws", "frames", "log")
    _fields: ClassVar[tuple[Field, ...]] = (row("frames"), value("draws"), derived("log", "None"))

    def __init_subclass__(cls, fields: Sequence[Field] = (), **more: Any) -> None:
        super().__init_subclass__(**more)
        if fields:
            cls._fields = (*cls._fields, *fields)
            made = {"clone": compiled_clone(cls._fields), "plain": compiled_plain(cls._fields)}
            for name, function in made.items():
                setattr(cls, name, function)

    def __init__(self) -> None:
        self.frames: list[Frame] = []
        """The agenda: innermost procedure last."""
        self.draws = 0
        """How many random numbers have been drawn. The seed itself is the referee's, never here."""
        self.log: list[Event] | None = None
        """Where events go; copies made for search have none."""

    def clone(self: S) -> S:
        """A copy that shares nothing that can change. It keeps no log."""
        copy = object.__new__(type(self))
        copy.frames = self.frames.copy()
        copy.draws = self.draws
        copy.log = None
        return copy

    def emit(self, kind: str, case: str, audience: int = EVERYONE, **facts: Any) -> None:
        if self.log is not None:
            self.log.append(Event(kind, case, facts, audience))

    @property
    def local(self) -> Any:
        """The values of the procedure in progress."""
        return self.frames[-1][2]

    @local.setter
    def local(self, value: Any) -> None:
        frame = self.frames[-1]
        self.frames[-1] = (frame[0], frame[1], value)

    def plain(self) -> tuple[Any, ...]:
        """Everything that makes this position what it is, as nested tuples of plain values."""
        return (tuple((f[0], f[1], f[2]) for f in self.frames), self.draws)

    def fingerprint(self) -> str:
        """Equal positions have equal fingerprints, on every machine and in every version of Python."""
        return blake2b(canonical(self.plain()).encode(), digest_size=16).hexdigest()


def canonical(value: Any) -> str:
    """A text that depends on values only, never on types' names or the order of a set."""
    if isinstance(value, bool):
        return "T" if value else "F"
    if value is None or isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        # The length in front, so that no two different values ever read alike.
        return f"{len(value)}'{value}'"
    if isinstance(value, (bytes, bytearray)):
        return f"x{value.hex()}"
    if isinstance(value, (tuple, list)):
        return "(" + ",".join(map(canonical, value)) + ")"
    raise TypeError(f"a state holds plain values only, not {type(value).__name__}")
