"""Questions to the side whose turn it is, and questions that ask for one thing out of several.

Most questions of a rulebook name a unit, a hex, or a unit and its hex, and many may be declined. A game says
what can be named, why something else cannot, and what follows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from grognard.kernel import Action, Decision, Flow, Refusal
from grognard.kernel.agenda import G, S


class TurnDecision(Decision[G, S]):
    """A question to the side whose turn it is (`active`), or always to the same one."""

    asked: ClassVar[int | None] = None
    """The side, where it is always the same."""

    def actor(self, game: G, state: S) -> int:
        active: int = state.active if self.asked is None else self.asked  # type: ignore[attr-defined]
        return active


class Choose(TurnDecision[G, S]):
    """One thing is named with the first verb, or the question is declined with the second, if there is one. A
    thing is a number, or several where the verb takes several. Nobody is asked where nothing can be named."""

    always = False
    """Whether there is something to name whenever it is asked: then that is not worked out twice."""

    def able(self, game: G, state: S) -> Sequence[Any]:
        """What can be named, in a fixed order."""
        raise NotImplementedError

    def why_not(self, game: G, state: S, thing: Any) -> Refusal | None:
        """Why something cannot be named; asked about what is not `able`."""
        raise NotImplementedError

    def why_not_decline(self, game: G, state: S) -> Refusal | None:
        return None

    def take(self, game: G, state: S, thing: Any) -> Flow:
        """What follows when something has been named."""
        raise NotImplementedError

    def decline(self, game: G, state: S) -> Flow:
        return None

    def pending(self, game: G, state: S) -> bool:
        return self.always or bool(self.able(game, state))

    def options(self, game: G, state: S, side: int) -> list[Action]:
        word, *others = self.verbs
        things = self.able(game, state)
        several = len(self.verbs[word].kinds) > 1
        found: list[Action] = [(word, *thing) for thing in things] if several else [(word, t) for t in things]
        if others and self.why_not_decline(game, state) is None:
            found.append((others[0],))
        return found

    def refuse(self, game: G, state: S, side: int, action: Action) -> Refusal | None:
        if len(action) == 1:
            return self.why_not_decline(game, state)
        thing = _named(action)
        return None if thing in self.able(game, state) else self.why_not(game, state, thing)

    def apply(self, game: G, state: S, side: int, action: Action) -> Flow:
        return self.decline(game, state) if len(action) == 1 else self.take(game, state, _named(action))


class OwnersChoice(Choose[G, S]):
    """A choice of whoever owns the units (`units`) that the procedure in progress is about."""

    def actor(self, game: G, state: S) -> int:
        side: int = game.side(state.local.units[0])  # type: ignore[attr-defined]
        return side


def _named(action: Action) -> Any:
    return action[1] if len(action) == 2 else action[1:]
