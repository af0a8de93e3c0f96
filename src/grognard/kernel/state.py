"""The position of a game: plain values that are cheap to copy and have a stable fingerprint."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any, TypeVar

from grognard.kernel.actions import EVERYONE, Event
from grognard.kernel.agenda import Frame

S = TypeVar("S", bound="State")


class State:
    """What the kernel needs to know of a position. Games add their own slots and extend `clone`."""

    __slots__ = ("draws", "frames", "log")

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
