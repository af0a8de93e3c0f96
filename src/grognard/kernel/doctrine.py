"""What a game teaches computer players: where units are well placed, which attacks are worth it, how a
position looks. The knowledge is the game's (numbers in its doctrine.toml); the playing is the players'."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, NamedTuple, Protocol

from grognard.kernel.actions import Action

NEVER = float("-inf")
"""The gain of what the rules forbid."""


class Plan(NamedTuple):
    """A few answers that belong together, and what they are thought to gain."""

    gain: float
    actions: tuple[Action, ...]
    units: tuple[int, ...] = ()


class Intent(NamedTuple):
    """What a player is trying to do: a sentence of the game's catalogue (section `intents`) and its facts."""

    code: str
    facts: Mapping[str, Any]


class Joint(NamedTuple):
    """Several stacks against one hex: a move that no stack would make alone."""

    target: int
    moves: tuple[tuple[int, int], ...]
    """(stack, hex) pairs."""


Order = tuple[tuple[int, ...], int]
"""Units that go together, and where to."""


class MovementPlan(Protocol):
    """A movement phase on the planning table. Stacks are put here and there and the whole is weighed; the
    position itself does not change."""

    @property
    def stacks(self) -> Sequence[tuple[int, ...]]:
        """Units that go together, each stack called by its place in this list."""

    def places(self, stack: int) -> Sequence[int]:
        """Where a stack could end its move. The first is where it stands: who arrives stands on -1."""

    def place(self, stack: int) -> int:
        """Where it stands in the plan."""

    def put(self, stack: int, cell: int, target: int | None = None) -> None:
        """Put a stack on a hex, to attack the target, or whatever it had best attack from there."""

    def save(self) -> Any:
        """The plan as it is now, for `restore`."""

    def restore(self, saved: Any) -> None: ...

    def gain(self, stack: int, cell: int) -> float:
        """How much better the whole plan is with this stack there instead; NEVER if it cannot be."""

    def best(self, stack: int, first: int = 0) -> tuple[float, int]:
        """The largest such gain and its place, asked from the `first` on; (0, -1) if no place is better."""

    def concentrations(self) -> Sequence[Joint]:
        """Joint moves worth a try, the most promising first."""

    def sectors(self) -> Sequence[Sequence[int]]:
        """The stacks in groups small enough to be looked at together."""

    def worth(self) -> float:
        """What the whole plan is worth; higher is better. `gain` is a difference of it."""

    def blows(self) -> Sequence[int]:
        """The hexes that the plan, as it is now, attacks, the most promising first."""

    def intent(self) -> Intent:
        """What the plan, as it is now, sets out to do."""


class Doctrine(Protocol):
    """What a game teaches its players; `simple`, if there, is for beginners, `seasoned` for veterans."""

    def worth(self, state: Any, side: int) -> float:
        """How the position looks to a side; the higher the better."""

    def terms(self, state: Any, side: int) -> Mapping[str, float]:
        """What that is made of: each part by its name."""

    def plan_movement(self, state: Any, side: int, crowded: bool = False) -> MovementPlan | None:
        """The planning table for a movement phase, everybody where he stands; of the stack in hand alone, if
        one is in hand. None when there is nothing to plan. At first everybody is thought to make room for
        everybody; `crowded` takes all hexes as full as they are now, for those whose way was shut."""

    def reply(self, state: Any, side: int, plan: MovementPlan) -> MovementPlan | None:
        """The other side's planning table when a side has carried out its plan; None if it has none."""

    def strike(self, state: Any, side: int) -> Plan | None:
        """What is done before the rest moves since it changes the map (an overrun, a train); None if nothing
        is worth it."""

    def march(self, state: Any, units: tuple[int, ...], cell: int) -> tuple[Action, ...] | None:
        """The answers that bring a stack to a hex now; None while the way is shut."""

    def plan_attack(self, state: Any, side: int) -> Plan | None:
        """The attack to make next, seen together with all others; None if none is worth it."""

    def weigh(self, state: Any, side: int, random: Random | None = None) -> Action | None:
        """The answer to a small decision that the doctrine knows by itself; None if it should be tried
        out. With a source of chance, answers that should not be foreseen vary."""
