"""The sequence of play as data: procedures made of labelled steps, and the stack that walks them.

A procedure reads like the rulebook: an ordered list of steps, each with its label and case number. A step
does something, calls another procedure, or asks a decision. Frames on the stack hold names, labels and
plain values only, so that a position can be copied, compared and printed. Only the kernel handles frames:
rules push procedures, read and write local values, and return.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeAlias, TypeVar

from grognard.kernel.actions import CHANCE, Action, Refusal
from grognard.kernel.verbs import Verb

if TYPE_CHECKING:
    from grognard.kernel.state import State

Frame: TypeAlias = tuple[str, str, Any]
"""(procedure, label of the step in progress, local values)."""


@dataclass(frozen=True, slots=True)
class Return:
    """The end of a procedure that has something to say to the step that called it."""

    value: Any


Flow: TypeAlias = "str | Return | None"
"""Where to go after a step: None = the next one, a label = that step, one of the two words below, or a
`Return` with a value."""
AGAIN = "<again>"
RETURN = "<return>"

START = "<start>"
"""The label of a frame that has just been pushed: its first step, whatever that is called."""
RETURNED = "<returned>"
"""The label of a finished frame whose local value is what it returns."""

G = TypeVar("G")
S = TypeVar("S", bound="State")


class Decision(Generic[G, S]):
    """A question that the rules put to a player."""

    name: str
    case: str
    verbs: Mapping[str, Verb]
    """Each verb that may answer."""
    secret: ClassVar[bool] = False
    """Whether the other sides may not even learn that it has been answered."""

    def pending(self, game: G, state: S) -> bool:
        """Whether there is anything to decide; if not, the step is passed over."""
        return True

    def skip(self, game: G, state: S) -> Flow:
        """Where to go when there is nothing to decide."""
        return None

    @property
    def prompts(self) -> tuple[str, ...]:
        """The sentences with which it can be put: codes of the game's catalogue."""
        return (self.name,)

    def prompt(self, game: G, state: S, side: int) -> str:
        """With which of them it is put to a side now."""
        return self.name

    def actor(self, game: G, state: S) -> int:
        """The side that is asked; the first, where there are several. A decision says either this or
        `actors`."""
        return self.actors(game, state)[0]

    def actors(self, game: G, state: S) -> tuple[int, ...]:
        """The sides that are asked."""
        return (self.actor(game, state),)

    def options(self, game: G, state: S, side: int) -> list[Action]:
        """Every legal answer of a side that is asked, in a fixed order."""
        raise NotImplementedError

    def refuse(self, game: G, state: S, side: int, action: Action) -> Refusal | None:
        """Why this answer is not legal, or None. Called for a side that is asked, with a verb of this
        decision and arguments that exist (a hex of the map, a unit of the game)."""
        raise NotImplementedError

    def apply(self, game: G, state: S, side: int, action: Action) -> Flow:
        """Carry out a side's legal answer."""
        raise NotImplementedError

    def told(self, game: G, state: S, side: int) -> bool:
        """Whether everybody learns that a side has just answered; asked when it has."""
        return not self.secret

    def default(self, game: G, state: S, side: int) -> Action | None:
        """The answer of a side that does not answer in time, in a game by correspondence; None if it must
        answer itself."""
        return None


class ChanceDecision(Decision[G, S]):
    """A question that only the dice can answer."""

    def actor(self, game: G, state: S) -> int:
        return CHANCE

    def weights(self, game: G, state: S) -> list[tuple[Action, int]]:
        """Every outcome with its weight, in a fixed order."""
        raise NotImplementedError

    def options(self, game: G, state: S, side: int) -> list[Action]:
        return [action for action, weight in self.weights(game, state) if weight]

    def refuse(self, game: G, state: S, side: int, action: Action) -> Refusal | None:
        if action in self.options(game, state, side):
            return None
        return Refusal("impossible-outcome", self.case, {})


class StandingDecision(Decision[G, S]):
    """Something that sides may do as long as a procedure is in progress, whoever is asked meanwhile. It
    blocks nobody and never moves the sequence on: what it begins, it pushes."""

    def apply(self, game: G, state: S, side: int, action: Action) -> None:
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Step:
    """One line of a procedure."""

    label: str = ""
    case: str = ""
    decision: Decision[Any, Any] | None = None
    act: Callable[[Any, Any], Flow] | None = None
    calls: str | None = None
    receive: Callable[[Any, Any, Any], Flow] | None = None
    """What the step does with the value that the called procedure returns."""
    following: str = RETURN
    """The label of the next step; set by the procedure."""


@dataclass(frozen=True, slots=True)
class Procedure:
    """A named part of the sequence of play."""

    name: str
    case: str
    steps: dict[str, Step] = field(default_factory=dict)
    first: str = RETURN
    values: tuple[type, ...] = ()
    """What its local values may be, besides none at all."""
    standing: tuple[StandingDecision[Any, Any], ...] = ()
    """What sides may do as long as it is in progress."""


def ask(decision: Decision[Any, Any]) -> Step:
    """Put a question; its `apply` says where to go."""
    return Step(decision=decision)


def do(act: Callable[[Any, Any], Flow]) -> Step:
    """Carry out something that needs no choice."""
    return Step(act=act)


def call(
    name: str,
    prepare: Callable[[Any, Any], Any] | None = None,
    receive: Callable[[Any, Any, Any], Flow] | None = None,
) -> Step:
    """Walk another procedure, then go on. `prepare` makes its local values; `receive` is given what it
    returned (None if it just ended) and says where to go."""
    return Step(act=prepare, calls=name, receive=receive)


def step(label: str, body: Step, case: str) -> Step:
    """A line of a procedure: what `ask`, `do` or `call` made, with its label and its case."""
    return replace(body, label=label, case=case)


def procedure(
    name: str,
    case: str,
    *steps: Step,
    values: type | tuple[type, ...] = (),
    standing: tuple[StandingDecision[Any, Any], ...] = (),
) -> Procedure:
    """Steps in their order. `values` is the type of the local values, or several; `standing` is open, not
    blocking, as long as the procedure is in progress."""
    labels = [s.label for s in steps]
    if len(set(labels)) != len(labels):
        raise ValueError(f"procedure {name}: two steps have the same label")
    linked = {
        s.label: replace(s, following=following)
        for s, following in zip(steps, [*labels[1:], RETURN], strict=True)
    }
    kinds = values if isinstance(values, tuple) else (values,)
    return Procedure(name, case, linked, labels[0], kinds, standing)


def advance(procedures: dict[str, Procedure], game: Any, state: State) -> Decision[Any, Any] | None:
    """Walk the agenda until a decision is pending; None when the game is over."""
    frames = state.frames
    while frames:
        name, label, local = frames[-1]
        here = procedures[name].steps.get(label)
        if here is None:
            if label == START:
                frames[-1] = (name, procedures[name].first, local)
            else:
                _go_back(procedures, game, state, label)
            continue
        decision, act = here.decision, here.act
        if decision is not None:
            if decision.pending(game, state):
                return decision
            act = decision.skip
        elif here.calls is not None:
            # The caller keeps its place while it waits, so that the stack says where the game stands.
            value = act(game, state) if act is not None else None
            frames.append((here.calls, procedures[here.calls].first, value))
            continue
        assert act is not None
        position = len(frames) - 1
        flow = act(game, state)
        if flow is None:  # as in `turn_to`: most steps simply lead to the next
            frames[position] = (name, here.following, frames[position][2])
        else:
            turn_to(frames, position, here, flow)
    return None


def _go_back(procedures: dict[str, Procedure], game: Any, state: State, label: str) -> None:
    """The uppermost frame has finished: hand its value to the step that called it."""
    frames = state.frames
    name, _, value = frames.pop()
    if state.turn_ended is not None and name == game.turn_procedure:
        state.turn_ended()
    if not frames:
        return
    caller = procedures[frames[-1][0]].steps.get(frames[-1][1])
    # Who was pushed by a step, not called, comes back to a frame that has moved on already.
    if caller is None or caller.calls != name:
        return
    position, flow = len(frames) - 1, None
    if caller.receive is not None:
        flow = caller.receive(game, state, value if label == RETURNED else None)
    turn_to(frames, position, caller, flow)


def turn_to(frames: list[Frame], position: int, here: Step, flow: Flow) -> None:
    """Move one frame on. A step may have pushed frames above its own, hence the position; a finished frame
    stays until it is uppermost."""
    name, _, local = frames[position]
    if isinstance(flow, Return):
        frames[position] = (name, RETURNED, flow.value)
    elif flow != AGAIN:
        frames[position] = (name, here.following if flow is None else flow, local)
