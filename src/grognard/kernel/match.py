"""A game being played: the referee's seat. Journal, undo, save, load and replay."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from hashlib import blake2b
from typing import Any, Generic, NamedTuple, TypeVar

from grognard.files.dumps import dump, load
from grognard.files.saves import FORMAT, SaveError, read_save
from grognard.kernel.actions import CHANCE, Action, Answer, Event, Refusal, refusal
from grognard.kernel.dice import seed_at
from grognard.kernel.game import Game
from grognard.kernel.sealed import Sealed
from grognard.kernel.state import State
from grognard.kernel.trail import Mark, Trail

CHANCE_WORD = "chance"
"""Who answered, in a journal, when it was the dice."""

S = TypeVar("S", bound=State)


class IllegalActionError(ValueError):
    """An action that the rules refuse."""

    def __init__(self, reason: Refusal) -> None:
        super().__init__(f"{reason.case} {reason.code} {reason.facts}")
        self.reason = reason


class Snapshot(NamedTuple):
    """A match at some length of its journal, without what led to it."""

    length: int
    moment: int
    digest: bytes
    log: int
    state: bytes


class Match(Generic[S]):
    """One game in progress. It alone holds the seed."""

    def __init__(
        self, game: Game[S], scenario: str, options: Mapping[str, Any] | None = None, seed: str = "0"
    ) -> None:
        self._lay_out(game, scenario, options, seed)
        self.state: S = game.start(scenario, options, self.log)
        self._settle()

    def _lay_out(self, game: Game[S], scenario: str, options: Mapping[str, Any] | None, seed: str) -> None:
        self.game = game
        self.scenario = scenario
        self.options = dict(options or {})
        self.seed = seed
        self.before = Snapshot(0, 0, b"", 0, b"")
        """Where journal, moments and log begin: a match need not remember all of its past."""
        self.journal: list[Answer] = []
        """Every answer given, and by whom; chance's included."""
        self.moments: list[int] = [0]
        """The lengths of the journal at which everybody saw something new. What is written in secret makes no
        moment: how much of it there is may not be known, then or later."""
        self.kept = 0
        """How much of the journal has stood unchanged since whoever keeps it last set this to its length."""
        self.log: list[Event] = []
        self.log_kept = 0
        """The same of the log."""
        self._digests = [b""]
        """For each moment, a digest of all that led to it and that everybody saw."""
        self._trail = Trail()
        """What can be taken back."""
        self._undone: list[tuple[Answer, ...]] = []
        """What has been taken back and can be given again, the last first to come."""
        self._unwritten: dict[int, list[Action]] = {}
        """The same of what each side has written in secret."""

    @property
    def over(self) -> bool:
        return self.state.over

    @property
    def length(self) -> int:
        """How many answers have been given."""
        return self.before.length + len(self.journal)

    @property
    def moment(self) -> int:
        """The number of the last moment."""
        return self.before.moment + len(self.moments) - 1

    @property
    def log_length(self) -> int:
        return self.before.log + len(self.log)

    def version(self, sides: Collection[int]) -> str:
        """A word that changes with all these sides may know and tells nothing else; the same in a replay."""
        own = [entry for entry in self.state.sealed if entry[0] in sides]
        mixed = f"version/{seed_at(self.seed, -1)}/{self._digests[-1].hex()}/{own}"
        return f"{self.moment}-{blake2b(mixed.encode(), digest_size=5).hexdigest()}"

    # Answers

    def act(self, side: int, action: Action) -> Refusal | None:
        """Answer a question on the table or what stands open, for a side. What is refused changes nothing."""
        reason = self.game.refuse(self.state, action, side)
        if reason is None:
            self._undone.clear()
            self._unwritten.pop(side, None)
            self._carry_out(Answer(side, action))
        return reason

    def order(self, side: int, order: Any) -> Refusal | None:
        """Carry out a composite order whole, or not at all. It is journalled as the small actions it
        stands for; whatever chance or the other side does in its course ends it there."""
        if not isinstance(order, Mapping):
            return refusal("malformed", "")
        mark = self._mark()
        before = (self._trail.copy(), self._undone.copy(), self._unwritten.copy())
        try:
            for action in self.game.expand(self.state, order):
                reason = self.game.refuse(self.state, action, side)
                if reason is not None:
                    raise IllegalActionError(reason)
                if self._carry_out(Answer(side, action)):
                    break
        except IllegalActionError as error:
            self._restore(mark)
            self._trail, self._undone, self._unwritten = before
            return error.reason
        self._undone.clear()
        self._unwritten.pop(side, None)
        if self._trail.side == side and self._trail.marks:
            # One order, one step to take back.
            self._trail.marks = [*(before[0].marks if before[0].side == side else ()), mark]
        return None

    def _carry_out(self, answer: Answer) -> bool:
        """Give an answer that is legal; whether it ends what can be taken back."""
        game, state = self.game, self.state
        side, action = answer
        decision = game.decision_for(state, side, action)
        assert decision is not None
        mark = None if decision.secret else self._mark()
        asked = game.must_act(state)
        game.apply(state, action, side)
        told = decision.told(game, state, side)
        self.journal.append(answer)
        if told:
            self._make_moment("sealed" if decision.secret else f"{side}{action}")
        rolled = self._settle()
        if not told:
            return False
        # Nothing is taken back across a die or a reveal; a change of hands until another side has answered,
        # unless the question that it is asked may tell what was hidden.
        passed = game.must_act(state) != asked
        revealed = isinstance(game.decision(state), Sealed) or (passed and game.hidden_information)
        if mark is None or rolled or revealed:
            self._trail.begin(None)
            self._undone.clear()
            self._unwritten.clear()
            return True
        if self._trail.side != side:
            self._trail.begin(side)
            self._undone.clear()
        self._trail.marks.append(mark)
        return passed

    def _settle(self) -> bool:
        """Let chance answer; whether it had to."""
        rolled = self.game.settle(self.state, seed_at(self.seed, self.length))
        for action in rolled:
            self.journal.append(Answer(CHANCE, action))
            self._make_moment(str(action))
        return bool(rolled)

    def _make_moment(self, seen: str) -> None:
        self.moments.append(self.length)
        self._digests.append(blake2b(self._digests[-1] + seen.encode(), digest_size=16).digest())

    # Taking back, and giving again

    def can_undo(self, side: int | None = None) -> bool:
        """Whether a side (the first that is asked, if none is named) has something to take back."""
        side = self.game.actor(self.state) if side is None else side
        if side is not None and self._is_writing(side):
            return bool(self.state.written(side))
        return side == self._trail.side and bool(self._trail.marks)

    def undo(self, side: int | None = None) -> bool:
        """Take back a side's last answer; False at a die, a reveal, another side's answer or the beginning.
        What others have written in secret since stays."""
        side = self.game.actor(self.state) if side is None else side
        if side is None or not self.can_undo(side):
            return False
        if self._is_writing(side):
            self._unwrite(side)
            return True
        mark = self._trail.marks.pop()
        undone: list[Answer] = []
        secret: list[Answer] = []
        taken = self.journal[mark.journal - self.before.length :]
        seen = set(self.moments[-len(taken) :])
        for number, answer in enumerate(taken, mark.journal + 1):
            (undone if number in seen else secret).append(answer)
        self._restore(mark)
        self._undone.append(tuple(undone))
        for answer in secret:
            self.game.apply(self.state, answer.action, answer.side)
            self.journal.append(answer)
        return True

    def undo_phase(self, side: int | None = None) -> bool:
        """Take back as much as `undo` may of one phase: the one in progress or, for a side that has handed
        over, the one that it ended."""
        side = self.game.actor(self.state) if side is None else side
        handed_over = side not in self.game.must_act(self.state) and self._trail.marks
        here = self._trail.marks[-1].phase if handed_over else self._phase()
        undone = False
        while self.can_undo(side) and (not self._trail.marks or self._trail.marks[-1].phase == here):
            undone = self.undo(side)
        return undone

    def _phase(self) -> tuple[int, tuple[str, ...]]:
        return self.game.turn(self.state), self.game.phase(self.state).path

    def can_redo(self, side: int | None = None) -> bool:
        """Whether a side has taken something back that it can give again."""
        side = self.game.actor(self.state) if side is None else side
        if side is not None and self._is_writing(side):
            return bool(self._unwritten.get(side))
        return side == self._trail.side and bool(self._undone)

    def redo(self, side: int | None = None) -> bool:
        """Give again what a side took back last, as long as nothing else has happened."""
        side = self.game.actor(self.state) if side is None else side
        if side is None or not self.can_redo(side):
            return False
        if self._is_writing(side):
            self._carry_out(Answer(side, self._unwritten[side].pop()))
            return True
        mark, marks = self._mark(), len(self._trail.marks)
        for answer in self._undone.pop():
            self._carry_out(answer)
        self._trail.marks[marks:] = [mark]
        return True

    def join(self, joined: Collection[int]) -> None:
        """Have these answers taken back only with the ones before them: they were one order."""
        self._trail.marks = [mark for mark in self._trail.marks if mark.journal not in joined]

    def _is_writing(self, side: int) -> bool:
        decision = self.game.decision(self.state)
        return isinstance(decision, Sealed) and side in decision.writers(self.game, self.state)

    def _unwrite(self, side: int) -> None:
        *rest, last = self.state.written(side)
        self.state.write(side, tuple(rest))
        place = max(n for n, answer in enumerate(self.journal) if answer == (side, last))
        del self.journal[place]
        self.kept = min(self.kept, self.before.length + place)
        self._trail.begin(None)
        self._unwritten.setdefault(side, []).append(last)

    def _mark(self) -> Mark:
        self._trail.visit(self.length, self.state)
        return Mark(self.length, self.log_length, self._phase())

    def _restore(self, mark: Mark) -> None:
        length, self.state = self._trail.nearest(mark.journal)
        first = self.before.length
        # No die was rolled on the way: the trail would end there.
        for answer in self.journal[length - first : mark.journal - first]:
            self.game.apply(self.state, answer.action, answer.side)
        self.state.log = self.log
        del self.journal[mark.journal - first :]
        del self.log[mark.log - self.before.log :]
        while self.moments[-1] > mark.journal:
            self.moments.pop()
            self._digests.pop()
        self.kept = min(self.kept, mark.journal)
        self.log_kept = min(self.log_kept, mark.log)

    # Snapshots

    def snapshot(self) -> Snapshot:
        """How things stand, to go on from later."""
        return Snapshot(
            self.length, self.moment, self._digests[-1], self.log_length, dump(self.state.clone())
        )

    @classmethod
    def resume(
        cls, game: Game[S], scenario: str, options: Mapping[str, Any], seed: str, taken: Snapshot
    ) -> Match[S]:
        """A match that goes on from a snapshot, of the same code; it remembers nothing before it."""
        match = cls.__new__(cls)
        match._lay_out(game, scenario, options, seed)
        match.before = taken._replace(state=b"")
        match.moments, match._digests = [taken.length], [taken.digest]
        match.kept, match.log_kept = taken.length, taken.log
        match.state = load(taken.state, State)  # type: ignore[assignment]
        match.state.log = match.log
        return match

    def forget(self, taken: Snapshot) -> None:
        """Remember nothing before a snapshot that was taken of this match."""
        if self._trail.marks and self._trail.copies[0][0] < taken.length:
            return  # it could not be taken back any more
        del self.journal[: taken.length - self.before.length]
        del self.log[: taken.log - self.before.log]
        gone = taken.moment - self.before.moment
        self.moments[:gone], self._digests[:gone] = [], []
        self.before = taken._replace(state=b"")

    # Saves

    def save(self, earlier: Sequence[list[str]] = ()) -> str:
        """The game as a text that can be read, compared and replayed: one answer a line. `earlier`: answers
        that the match does not remember, as they were written."""
        head = {
            "format": FORMAT,
            "game": self.game.id,
            "rules": self.game.rules_version,
            "data": self.game.digest(self.scenario),
            "scenario": self.scenario,
            "options": self.options,
            "seed": self.seed,
            "hash": self.state.fingerprint(),
        }
        lines = [json.dumps(words, ensure_ascii=False) for words in (*earlier, *self.written())]
        body = json.dumps(head, ensure_ascii=False, indent=1)[:-2]
        return body + ',\n "actions": [\n  ' + ",\n  ".join(lines) + "\n ]\n}\n"

    def written(self, start: int = 0) -> list[list[str]]:
        """The journal from an answer on, as it is kept: [side, verb, arguments ...]."""
        names = (*self.game.sides, CHANCE_WORD)  # chance is the last: -1
        answers = self.journal[max(0, start - self.before.length) :]
        return [[names[side], *self.game.encode(action)] for side, action in answers]

    def _read(self, words: Any) -> tuple[int | None, Action | Refusal]:
        """Who answered, if it is said, and what."""
        sides = {name: side for side, name in enumerate(self.game.sides)} | {CHANCE_WORD: CHANCE}
        if isinstance(words, list) and words and isinstance(words[0], str) and words[0] in sides:
            return sides[words[0]], self.game.decode(words[1:])
        return None, self.game.decode(words)

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
        if head["scenario"] in game.scenarios and head["data"] != game.digest(head["scenario"]):
            raise SaveError("saved with other data files (tables, counters or map) than the ones in use")
        try:
            match = Match(game, head["scenario"], head["options"], head["seed"])
        except (KeyError, ValueError) as error:
            raise SaveError(f"the scenario or its options are unknown: {error}") from None
        match.replay(head["actions"])
        if match.state.fingerprint() != head["hash"]:
            raise SaveError("the replayed position is not the saved one")
        return match

    def replay(self, written: list[Any], start: int = 0) -> None:
        """Give again a journal's answers, from number `start` on; chance's are checked against the seed."""
        for position, words in enumerate(written, start):
            side, action = self._read(words)
            if isinstance(action, Refusal):
                raise SaveError(f"answer {position + 1}: {action.code}")
            if position < self.length:
                given = self.journal[position - self.before.length]
                if given.action != action or side not in (None, CHANCE):
                    raise SaveError(f"answer {position + 1}: the dice of this seed say otherwise")
                continue
            if self.over:
                raise SaveError(f"answer {position + 1}: the game was already over")
            if side is None:
                side = self.game.actor(self.state)
            if side is None or side == CHANCE:
                raise SaveError(f"answer {position + 1}: no die is rolled here")
            reason = self.act(side, action)
            if reason is not None:
                raise SaveError(f"answer {position + 1} is refused: {reason.case} {reason.code}")
        if self.length != start + len(written):
            raise SaveError("the save stops in the middle of a roll")
