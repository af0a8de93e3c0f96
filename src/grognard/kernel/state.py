"""The position of a game: plain values that are cheap to copy and have a stable fingerprint."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Any, ClassVar, TypeVar

from grognard.kernel.actions import EVERYONE, Action, Event
from grognard.kernel.agenda import START, Frame
from grognard.kernel.fields import Field, compile_fields, derived, row, seldom, value

S = TypeVar("S", bound="State")
L = TypeVar("L")


class State:
    """What the kernel needs to know of a position. A game's state adds its own slots and says in a table what
    each of them is: `class MyState(State, fields=(value("turn"), octets("steps")))`. `clone` and `plain` are
    made from the tables of the class and its bases."""

    __slots__ = ("draws", "frames", "log", "scenario", "sealed", "turn_ended", "waivers")
    _fields: ClassVar[tuple[Field, ...]] = (
        row("frames"),
        value("draws"),
        value("scenario"),
        seldom("sealed"),
        seldom("waivers"),
        derived("log", "None"),
        derived("turn_ended", "None"),
    )

    def __init_subclass__(cls, fields: Sequence[Field] = (), **more: Any) -> None:
        super().__init_subclass__(**more)
        if fields:
            cls._fields = (*cls._fields, *fields)
            compile_fields(cls, cls._fields)

    def __init__(self) -> None:
        self.frames: list[Frame] = []
        """The agenda: innermost procedure last."""
        self.draws = 0
        """How many random numbers have been drawn. The seed itself is the referee's, never here."""
        self.scenario = ""
        """The id of the scenario that is played."""
        self.sealed: tuple[tuple[int, tuple[Action, ...]], ...] = ()
        """What each side has written so far in answer to the sealed question in progress, in the order of
        the sides: it does not matter who wrote first."""
        self.waivers: tuple[tuple[int, str, int], ...] = ()
        """Standing passes: side, occasion, and the last turn for which it holds (0: until withdrawn)."""
        self.log: list[Event] | None = None
        """Where events go; copies made for search have none."""
        self.turn_ended: Callable[[], None] | None = None
        """Called whenever a turn is over, before anything of the next one; copies have none."""

    def clone(self: S) -> S:
        """A copy that shares nothing that can change. It keeps no log."""
        raise NotImplementedError

    def emit(self, kind: str, case: str, audience: int = EVERYONE, **facts: Any) -> None:
        if self.log is not None:
            self.log.append(Event(kind, case, facts, audience))

    # Where the sequence of play stands

    @property
    def over(self) -> bool:
        """Whether there is nothing left to play."""
        return not self.frames

    def push(self, name: str, local: Any = None, at: str = START) -> None:
        """Begin a procedure in the course of the step in progress: at its first step, or at another. The
        step goes on when it has ended."""
        self.frames.append((name, at, local))

    def path(self) -> tuple[tuple[str, str], ...]:
        """The procedures in progress and the step that each is at, outermost first."""
        return tuple((name, label) for name, label, _ in self.frames)

    def within(self, *names: str) -> bool:
        """Whether one of these procedures is in progress, at whatever depth."""
        return any(frame[0] in names for frame in self.frames)

    def doing(self, *names: str) -> bool:
        """Whether the procedure in progress is one of these."""
        return bool(self.frames) and self.frames[-1][0] in names

    def frame(self, name: str, kind: type[L]) -> L | None:
        """The local values of a procedure in progress, the innermost of this name; None if it is not in
        progress, or has none of this kind."""
        found = next((frame[2] for frame in reversed(self.frames) if frame[0] == name), None)
        return found if isinstance(found, kind) else None

    def top(self, kind: type[L]) -> L | None:
        """The local values of the procedure in progress, if they are of this kind."""
        found = self.frames[-1][2] if self.frames else None
        return found if isinstance(found, kind) else None

    @property
    def local(self) -> Any:
        """The values of the procedure in progress."""
        return self.frames[-1][2]

    @local.setter
    def local(self, value: Any) -> None:
        frame = self.frames[-1]
        self.frames[-1] = (frame[0], frame[1], value)

    # What a side has written in secret

    def written(self, side: int) -> tuple[Action, ...]:
        return next((actions for writer, actions in self.sealed if writer == side), ())

    def write(self, side: int, actions: tuple[Action, ...]) -> None:
        """Replace what a side has written."""
        others = tuple(entry for entry in self.sealed if entry[0] != side)
        self.sealed = tuple(sorted((*others, (side, actions)))) if actions else others

    def forget_others(self, side: int) -> None:
        """Leave only what a side may know of standing passes and of what is being written."""
        self.sealed = tuple(entry for entry in self.sealed if entry[0] == side)
        self.waivers = tuple(waiver for waiver in self.waivers if waiver[0] == side)

    def plain(self) -> tuple[Any, ...]:
        """Everything that makes this position what it is, as nested tuples of plain values."""
        raise NotImplementedError

    def fingerprint(self) -> str:
        """Equal positions have equal fingerprints, on every machine and in every version of Python."""
        return blake2b(canonical(self.plain()).encode(), digest_size=16).hexdigest()


compile_fields(State, State._fields)


def canonical(value: Any) -> str:
    """A text that depends on values only, never on types' names or the order of a set."""
    if type(value) is int or value is None:
        return str(value)
    if isinstance(value, int):
        return "T" if value is True else "F" if value is False else str(int(value))
    if isinstance(value, str):
        # The length in front, so that no two different values ever read alike.
        return f"{len(value)}'{value}'"
    if isinstance(value, (bytes, bytearray)):
        return f"x{value.hex()}"
    if isinstance(value, (tuple, list)):
        return "(" + ",".join(map(canonical, value)) + ")"
    raise TypeError(f"a state holds plain values only, not {type(value).__name__}")
