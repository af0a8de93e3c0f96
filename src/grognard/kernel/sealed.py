"""Questions that several sides answer in secret, each for itself; the answers are applied together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from grognard.kernel.actions import Action, Refusal
from grognard.kernel.agenda import AGAIN, Decision, Flow, G, S


class Sealed(Decision[G, S]):
    """Each writer writes one or several actions, and may take back his own until the last has finished.
    Until then the others learn nothing: not what, not how much, not in which order, not whether at all.

    It is also the way to ask one side alone about something that stays hidden: to everybody else a sealed
    question is one answer, however many actions it took."""

    secret = True
    announced: ClassVar[bool] = False
    """Whether the rules let everybody know who has finished."""

    def writers(self, game: G, state: S) -> tuple[int, ...]:
        """The sides that write."""
        raise NotImplementedError

    def choices(self, game: G, state: S, side: int, written: tuple[Action, ...]) -> list[Action]:
        """What a side may write next, in a fixed order."""
        raise NotImplementedError

    def why_not(
        self, game: G, state: S, side: int, written: tuple[Action, ...], action: Action
    ) -> Refusal | None:
        """Why a side may not write this next, or None."""
        raise NotImplementedError

    def finished(self, game: G, state: S, side: int, written: tuple[Action, ...]) -> bool:
        """Whether a side has written all that is wanted of it."""
        raise NotImplementedError

    def reveal(self, game: G, state: S, answers: Mapping[int, tuple[Action, ...]]) -> Flow:
        """Apply what everybody has written. Where nobody had a choice, nobody was asked, and it is empty."""
        raise NotImplementedError

    # What the kernel makes of it

    def pending(self, game: G, state: S) -> bool:
        return next(self._unfinished(game, state), None) is not None

    def skip(self, game: G, state: S) -> Flow:
        return self.reveal(game, state, {})

    def actor(self, game: G, state: S) -> int:
        return next(self._unfinished(game, state))

    def actors(self, game: G, state: S) -> tuple[int, ...]:
        """Those who have not finished."""
        return tuple(self._unfinished(game, state))

    def _unfinished(self, game: G, state: S) -> Iterator[int]:
        for side in self.writers(game, state):
            if not self.finished(game, state, side, state.written(side)):
                yield side

    def options(self, game: G, state: S, side: int) -> list[Action]:
        return self.choices(game, state, side, state.written(side))

    def refuse(self, game: G, state: S, side: int, action: Action) -> Refusal | None:
        return self.why_not(game, state, side, state.written(side), action)

    def apply(self, game: G, state: S, side: int, action: Action) -> Flow:
        state.write(side, (*state.written(side), action))
        if self.pending(game, state):
            return AGAIN
        answers = dict(state.sealed)
        state.sealed = ()
        return self.reveal(game, state, answers)

    def told(self, game: G, state: S, side: int) -> bool:
        return not state.sealed
