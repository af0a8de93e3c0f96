"""A game being played: the referee's seat. Journal, undo, save, load and replay."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Generic, NamedTuple, TypeVar

from grognard.kernel.actions import CHANCE, Action, Event, Refusal, refusal
from grognard.kernel.game import Game
from grognard.kernel.state import State

FORMAT = 1

S = TypeVar("S", bound=State)


class IllegalActionError(ValueError):
    """An action that the rules refuse."""

    def __init__(self, reason: Refusal) -> None:
        super().__init__(f"{reason.case} {reason.code} {reason.facts}")
        self.reason = reason


class SaveError(ValueError):
    """A save that cannot be used, with the reason."""


class _Mark(NamedTuple):
    state: Any
    journal: int
    log: int


class Match(Generic[S]):
    """One game in progress. It alone holds the seed."""

    def __init__(
        self, game: Game[S], scenario: str, options: Mapping[str, Any] | None = None, seed: str = "0"
    ) -> None:
        self.game = game
        self.scenario = scenario
        self.options = dict(options or {})
        self.seed = seed
        self.journal: list[Action] = []
        """Every answer given, chance's included."""
        self.log: list[Event] = []
        self.state = game.start(scenario, options, self.log)
        self._marks: list[_Mark] = []
        self.journal += game.settle(self.state, seed)

    @property
    def over(self) -> bool:
        return not self.state.frames

    def act(self, side: int, action: Action) -> Refusal | None:
        """Answer the decision in progress for a side. A refused answer changes nothing."""
        actor = self.game.actor(self.state)
        if actor is not None and actor != side:
            return refusal("not-your-decision", "")
        reason = self.game.refuse(self.state, action)
        if reason is None:
            self._carry_out(action)
        return reason

    def order(self, side: int, order: Any) -> Refusal | None:
        """Carry out a composite order whole, or not at all. It is journalled as the small actions it
        stands for; whatever chance or the other side does in its course ends it there."""
        if not isinstance(order, Mapping):
            return refusal("malformed", "")
        mark = self._mark()
        barrier = len(self._marks)
        try:
            for action in self.game.expand(self.state, order):
                reason = self.act(side, action)
                if reason is not None:
                    self._restore(mark)
                    del self._marks[barrier:]
                    return reason
                if len(self._marks) <= barrier:
                    return None
        except IllegalActionError as error:
            self._restore(mark)
            del self._marks[barrier:]
            return error.reason
        # One order, one step to take back.
        del self._marks[barrier + 1 :]
        return None

    def _carry_out(self, action: Action) -> None:
        mark = self._mark()
        before = self.game.actor(self.state)
        self.game.apply(self.state, action)
        self.journal.append(action)
        rolled = self.game.settle(self.state, self.seed)
        self.journal += rolled
        # Nothing is taken back across a die, a reveal (which is a draw) or a change of hands.
        if rolled or self.game.actor(self.state) != before:
            self._marks.clear()
        else:
            self._marks.append(mark)

    def _mark(self) -> _Mark:
        return _Mark(self.state.clone(), len(self.journal), len(self.log))

    def _restore(self, mark: _Mark) -> None:
        self.state = mark.state
        self.state.log = self.log
        del self.journal[mark.journal :]
        del self.log[mark.log :]

    @property
    def can_undo(self) -> bool:
        return bool(self._marks)

    def undo(self) -> bool:
        """Take back the last answer; False at a die, a reveal, a change of hands or the beginning."""
        if not self._marks:
            return False
        self._restore(self._marks.pop())
        return True

    def undo_phase(self) -> bool:
        """Take back as much as `undo` may without leaving the phase in progress."""
        here = [frame[:2] for frame in self.state.frames[:2]]
        undone = False
        while self._marks and [frame[:2] for frame in self._marks[-1].state.frames[:2]] == here:
            undone = self.undo()
        return undone

    # Saves

    def save(self) -> str:
        """The game as a text that can be read, compared and replayed: one answer a line."""
        head = {
            "format": FORMAT,
            "game": self.game.id,
            "rules": self.game.rules_version,
            "data": self.game.data_digest,
            "scenario": self.scenario,
            "options": self.options,
            "seed": self.seed,
            "hash": self.state.fingerprint(),
        }
        lines = [json.dumps(self.game.encode(a), ensure_ascii=False) for a in self.journal]
        body = json.dumps(head, ensure_ascii=False, indent=1)[:-2]
        return body + ',\n "actions": [\n  ' + ",\n  ".join(lines) + "\n ]\n}\n"

    @staticmethod
    def load(game: Game[S], text: str) -> Match[S]:
        """The game in a save, replayed answer by answer."""
        head = read_save(text)
        if head["game"] != game.id:
            raise SaveError(f"a save of {head['game']}, not of {game.id}")
        if head["rules"] != game.rules_version:
            raise SaveError(
                f"saved with version {head['rules']} of the rules; this is version {game.rules_version}"
            )
        if head["data"] != game.data_digest:
            raise SaveError("saved with other data files (tables, counters or map) than the ones in use")
        try:
            match = Match(game, head["scenario"], head["options"], head["seed"])
        except (KeyError, ValueError) as error:
            raise SaveError(f"the scenario or its options are unknown: {error}") from None
        match.replay(head["actions"])
        if match.state.fingerprint() != head["hash"]:
            raise SaveError("the replayed position is not the saved one")
        return match

    def replay(self, written: list[Any]) -> None:
        """Give again the answers of a journal. Chance's are checked against the seed as they come."""
        expected = len(self.journal)
        for position, words in enumerate(written):
            action = self.game.decode(words)
            if isinstance(action, Refusal):
                raise SaveError(f"answer {position + 1}: {action.code}")
            if position < expected:
                if self.journal[position] != action:
                    raise SaveError(f"answer {position + 1}: the dice of this seed say otherwise")
                continue
            actor = self.game.actor(self.state)
            if actor is None or actor == CHANCE:
                raise SaveError(f"answer {position + 1}: the game was already over")
            reason = self.act(actor, action)
            if reason is not None:
                raise SaveError(f"answer {position + 1} is refused: {reason.case} {reason.code}")
            expected = len(self.journal)
        if expected != len(written):
            raise SaveError("the save stops in the middle of a roll")


def read_save(text: str) -> dict[str, Any]:
    """The parts of a save, checked for shape only."""
    try:
        head = json.loads(text)
    except json.JSONDecodeError as error:
        raise SaveError(f"not a save: {error.msg} on line {error.lineno}") from None
    except (ValueError, RecursionError):  # numbers or nestings that no save has
        raise SaveError("not a save") from None
    shape = {
        "format": int,
        "game": str,
        "rules": str,
        "data": str,
        "scenario": str,
        "options": dict,
        "seed": str,
        "hash": str,
        "actions": list,
    }
    if not isinstance(head, dict):
        raise SaveError("not a save")
    for key, kind in shape.items():
        if not isinstance(head.get(key), kind):
            raise SaveError(f"not a save: {key!r} is missing or of the wrong kind")
    if not _is_text(head["seed"]):
        raise SaveError("not a save: 'seed' is not text")
    if head["format"] != FORMAT:
        raise SaveError(f"save format {head['format']} is not supported (this is format {FORMAT})")
    return head


def _is_text(word: str) -> bool:
    """Whether a string can be written down: JSON lets halves of characters through."""
    try:
        word.encode()
    except UnicodeEncodeError:
        return False
    return True
