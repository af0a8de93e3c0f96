"""Reactions: "the other side may now ...", and passes that a side has given in advance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from grognard.kernel.actions import Action, Refusal, refusal
from grognard.kernel.agenda import Decision, Flow, G, S, StandingDecision
from grognard.kernel.verbs import Role, Verb

if TYPE_CHECKING:
    from grognard.kernel.game import Game
    from grognard.kernel.state import State


class Window(Decision[G, S]):
    """A side may react, or pass. It is not asked where it could not, nor where it has passed in advance.

    `could` may rest on what everybody knows only: who is not asked shows that he could not."""

    occasion: ClassVar[str]
    """What kind of reaction it is (interception, scramble, retreat before combat); several windows may be of
    one kind. Passes in advance are given by occasion."""
    passing: ClassVar[str] = "pass"
    """The verb that declines; it is one of `verbs`."""

    def could(self, game: G, state: S, side: int) -> bool:
        """Whether a side has anything to react with. Cheap: it is asked on every occasion."""
        raise NotImplementedError

    def reactions(self, game: G, state: S, side: int) -> list[Action]:
        """What a side may do, passing apart, in a fixed order."""
        raise NotImplementedError

    def why_not(self, game: G, state: S, side: int, action: Action) -> Refusal | None:
        """Why a side may not react so."""
        raise NotImplementedError

    def react(self, game: G, state: S, side: int, action: Action) -> Flow:
        raise NotImplementedError

    def decline(self, game: G, state: S, side: int) -> Flow:
        """The side passes, now or in advance."""
        return None

    # What the kernel makes of it

    def pending(self, game: G, state: S) -> bool:
        side = self.actor(game, state)
        return self.could(game, state, side) and not waived(game, state, side, self.occasion)

    def skip(self, game: G, state: S) -> Flow:
        return self.decline(game, state, self.actor(game, state))

    def options(self, game: G, state: S, side: int) -> list[Action]:
        return [*self.reactions(game, state, side), (self.passing,)]

    def refuse(self, game: G, state: S, side: int, action: Action) -> Refusal | None:
        return None if action[0] == self.passing else self.why_not(game, state, side, action)

    def apply(self, game: G, state: S, side: int, action: Action) -> Flow:
        if action[0] == self.passing:
            return self.decline(game, state, side)
        return self.react(game, state, side, action)

    def default(self, game: G, state: S, side: int) -> Action | None:
        return (self.passing,)


def waived(game: Any, state: State, side: int, occasion: str) -> bool:
    """Whether a side has passed in advance on occasions of this kind."""
    return any(
        who == side and what == occasion and (not until or game.turn(state) <= until)
        for who, what, until in state.waivers
    )


class SetWaivers(StandingDecision["Game[Any]", "State"]):
    """A side passes in advance, on all occasions of a kind: until it takes that back, or to the end of the
    turn. Nobody else learns of it."""

    name = "set-waivers"
    verbs = {
        "waive": Verb(("occasion", "number"), Role.WAIVE),
        "recall": Verb(("occasion",), Role.WAIVE),
    }
    secret = True

    def __init__(self, case: str) -> None:
        self.case = case

    def actors(self, game: Game[Any], state: State) -> tuple[int, ...]:
        return tuple(range(len(game.sides)))

    def options(self, game: Game[Any], state: State, side: int) -> list[Action]:
        found: list[Action] = []
        for number, occasion in enumerate(game.occasions):
            if waived(game, state, side, occasion):
                found.append(("recall", number))
            else:
                found += [("waive", number, until) for until in sorted({0, game.turn(state)})]
        return found

    def refuse(self, game: Game[Any], state: State, side: int, action: Action) -> Refusal | None:
        given = waived(game, state, side, game.occasions[action[1]])
        if given == (action[0] == "waive"):
            return refusal("waived-already" if given else "not-waived", self.case)
        if action[0] == "waive" and action[2] not in (0, game.turn(state)):
            return refusal("waive-until", self.case)
        return None

    def apply(self, game: Game[Any], state: State, side: int, action: Action) -> None:
        occasion = game.occasions[action[1]]
        others = [waiver for waiver in state.waivers if waiver[:2] != (side, occasion)]
        if action[0] == "waive":
            others.append((side, occasion, action[2]))
        state.waivers = tuple(sorted(others))
