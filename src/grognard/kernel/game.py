"""The contract of a game: immutable rules and data that many positions share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from grognard.files import Settings
from grognard.kernel.actions import CHANCE, Action, Event, Refusal, refusal
from grognard.kernel.advice import Adviser
from grognard.kernel.agenda import (
    AGAIN,
    ChanceDecision,
    Decision,
    Procedure,
    StandingDecision,
    advance,
    turn_to,
)
from grognard.kernel.codec import Codec
from grognard.kernel.dice import below
from grognard.kernel.doctrine import Doctrine
from grognard.kernel.observer import Observer
from grognard.kernel.scenario import Scenario, Turn, area_of
from grognard.kernel.sealed import Sealed
from grognard.kernel.state import State
from grognard.kernel.table import plain_table
from grognard.kernel.teller import Teller
from grognard.kernel.text import LANGUAGES
from grognard.kernel.verbs import Role, Verb
from grognard.kernel.windows import Window

S = TypeVar("S", bound=State)


class Outcome(NamedTuple):
    """How a finished game ended."""

    winner: int | None
    level: str
    points: Mapping[str, int]


class Phase(NamedTuple):
    """Where the sequence of play stands."""

    path: tuple[str, ...] = ()
    """The step of the turn, and the steps within it that have names. Empty when no turn is in progress."""
    names: Mapping[str, tuple[str, ...]] = {}
    """What they are called, by language."""

    @property
    def id(self) -> str | None:
        return self.path[0] if self.path else None


class Game(Teller, Codec, Observer[S], Generic[S]):
    """Rules and data; what a game says, writes and shows is in its bases. Positions are made by `start`,
    changed by `apply`, and shown by `view` alone."""

    id: ClassVar[str]
    rules_version: ClassVar[str]
    """Raised whenever the same actions could lead to another position."""
    sides: ClassVar[tuple[str, ...]]
    procedures: ClassVar[dict[str, Procedure]]
    hidden_information: ClassVar[bool] = True
    """Whether a position holds what one of the sides may not know. If not, `imagine` is a mere copy."""
    adviser: Adviser | None = None
    doctrine: Doctrine | None = None

    settings: Settings
    """game.toml: titles, sides, credits, the options that scenarios may offer."""
    data_digest: str
    """A fingerprint of the data that all scenarios share."""
    scenarios: Mapping[str, Scenario]
    turns: Sequence[Turn] = ()
    """The calendar: every turn that some scenario plays, with its days. Not every game has one."""

    turn_procedure: ClassVar[str] = "game-turn"
    """The procedure whose steps are the phases of a turn."""

    _has_standing: bool
    _phases: dict[tuple[str, ...], Phase]

    def __init__(self) -> None:
        self._verbs = {}
        self._phases = {(): Phase()}
        windows = [decision for decision in self.decisions() if isinstance(decision, Window)]
        self.occasions = tuple(sorted({window.occasion for window in windows}))
        for window in windows:
            if window.verbs.get(window.passing) != Verb((), Role.PASS):
                raise ValueError(f"{window.name} cannot be declined: it has no verb {window.passing!r}")
        for decision in self.decisions():
            for word, verb in decision.verbs.items():
                if self._verbs.setdefault(word, verb) != verb:
                    raise ValueError(f"verb {word!r} has two meanings")
        for proc in self.procedures.values():
            for step in proc.steps.values():
                if step.calls is not None and step.calls not in self.procedures:
                    raise ValueError(f"{proc.name}/{step.label} calls {step.calls!r}, which does not exist")
        if not self.hidden_information and any(isinstance(d, Sealed) for d in self.decisions()):
            raise ValueError(f"{self.id} has sealed questions: it hides information")
        self._has_standing = any(proc.standing for proc in self.procedures.values())

    def decisions(self) -> Iterator[Decision[Any, S]]:
        """Every question of the game, and what sides may do meanwhile."""
        for proc in self.procedures.values():
            yield from (step.decision for step in proc.steps.values() if step.decision is not None)
            yield from proc.standing

    # Positions

    def start(
        self, scenario: str, options: Mapping[str, Any] | None = None, log: list[Event] | None = None
    ) -> S:
        """The position at the first decision; what happens before it goes into the log."""
        chosen = self.scenarios[scenario].defaults()
        for key, value in (options or {}).items():
            if key not in chosen or type(value) is not type(chosen[key]):
                raise ValueError(f"scenario {scenario} has no option {key} = {value!r}")
            chosen[key] = value
        state = self.set_up(scenario, chosen)
        state.scenario = scenario
        state.log = log
        state.frames.append(("game", self.procedures["game"].first, None))
        advance(self.procedures, self, state)
        return state

    def set_up(self, scenario: str, options: Mapping[str, Any]) -> S:
        raise NotImplementedError

    # The decision in progress

    def decision(self, state: S) -> Decision[Any, S] | None:
        """The question on the table, or None when the game is over."""
        if not state.frames:
            return None
        name, label, _ = state.frames[-1]
        return self.procedures[name].steps[label].decision

    def actor(self, state: S) -> int | None:
        """The side that is asked; the first, if several are."""
        decision = self.decision(state)
        return None if decision is None else decision.actor(self, state)

    def must_act(self, state: S) -> frozenset[int]:
        """The sides that the game waits for."""
        decision = self.decision(state)
        return frozenset() if decision is None else frozenset(decision.actors(self, state))

    def may_act(self, state: S) -> frozenset[int]:
        """The sides that can do something now: those that must, and those to whom something stands open."""
        standing = (side for side in range(len(self.sides)) if self.standing(state, side))
        return self.must_act(state) | frozenset(standing)

    def shown_actors(self, state: S, viewer: int | None) -> tuple[int, ...]:
        """The sides that a side (None: a spectator) may know to be asked. Who has finished with a sealed
        question is known to himself only, unless the rules announce it."""
        decision = self.decision(state)
        if decision is None:
            return ()
        asked = decision.actors(self, state)
        if not isinstance(decision, Sealed) or decision.announced:
            return asked
        # Who had nothing to choose from the start was never asked.
        others = [w for w in decision.writers(self, state) if not decision.finished(self, state, w, ())]
        return tuple(side for side in others if side in asked or side != viewer)

    def options(self, state: S, side: int | None = None) -> list[Action]:
        """The legal answers of a side to the question on the table; if none is named, of the first side that
        is asked."""
        decision = self.decision(state)
        if decision is None:
            return []
        first = decision.actor(self, state)
        if side is None:
            side = first
        elif side != first and side not in decision.actors(self, state):
            return []
        return decision.options(self, state, side)

    def standing(self, state: S, side: int) -> list[Action]:
        """What a side may do besides answering."""
        found: list[Action] = []
        for decision in self._open(state):
            if side in decision.actors(self, state):
                found += decision.options(self, state, side)
        return found

    def _open(self, state: S) -> Iterator[StandingDecision[Any, S]]:
        """What stands open now. While sides write in secret nothing that shows can be begun."""
        decision = self.decision(state) if self._has_standing else None
        if decision is None or isinstance(decision, ChanceDecision):
            return
        for name, _, _ in state.frames:
            for standing in self.procedures[name].standing:
                if (standing.secret or not decision.secret) and standing.pending(self, state):
                    yield standing

    def decision_for(self, state: S, side: int, action: Action) -> Decision[Any, S] | None:
        """What an action of a side would answer: the question, something that stands open, or nothing."""
        decision = self.decision(state)
        if decision is not None and action[0] in decision.verbs and side in decision.actors(self, state):
            return decision
        for standing in self._open(state):
            if action[0] in standing.verbs and side in standing.actors(self, state):
                return standing
        return None

    def refuse(self, state: S, action: Action, side: int | None = None) -> Refusal | None:
        """Why an action of a side (the first that is asked, if none is named) is not legal here; None if it
        is. Any tuple is a fair question."""
        decision = self.decision(state)
        if decision is None:
            return refusal("game-over", "")
        if not isinstance(action, tuple) or not action or not isinstance(action[0], str):
            return refusal("malformed", decision.case)
        if side is None:
            side = decision.actor(self, state)
        answered = self.decision_for(state, side, action)
        if answered is None:
            if side not in decision.actors(self, state):
                return refusal("not-your-decision", "")
            return refusal("not-now", decision.case, verb=action[0])
        decision, verb = answered, answered.verbs[action[0]]
        if len(action) != len(verb.kinds) + 1:
            return refusal("malformed", decision.case, verb=action[0])
        for kind, argument in zip(verb.kinds, action[1:], strict=True):
            if type(argument) is not int or not self.exists(kind, argument):
                return refusal("malformed", decision.case, verb=action[0])
        return decision.refuse(self, state, side, action)

    def apply(self, state: S, action: Action, side: int | None = None) -> None:
        """Carry out an action known to be legal, and walk on to the next decision."""
        frames = state.frames
        name, label, _ = frames[-1]
        here = self.procedures[name].steps[label]
        position = len(frames) - 1
        decision = here.decision
        assert decision is not None
        if side is None:
            side = decision.actor(self, state)
        if self._has_standing and isinstance(
            standing := self.decision_for(state, side, action), StandingDecision
        ):
            standing.apply(self, state, side, action)
            if len(frames) == position + 1:
                # Nothing was begun. The question stays on the table, even if it would not be put now.
                return
        elif (flow := decision.apply(self, state, side, action)) != AGAIN:
            turn_to(frames, position, here, flow)
        elif len(frames) == position + 1 and decision.pending(self, state):
            return  # the same question again
        advance(self.procedures, self, state)

    def default_answer(self, state: S, side: int) -> Action | None:
        """What a side answers that does not answer in time; None if the rules have no default."""
        decision = self.decision(state)
        if decision is None or side not in decision.actors(self, state):
            return None
        return decision.default(self, state, side)

    def settle(self, state: S, seed: str) -> list[Action]:
        """Let chance answer until a player must; the answers given."""
        answers: list[Action] = []
        while isinstance(decision := self.decision(state), ChanceDecision):
            answer = self.roll(state, decision, seed)
            answers.append(answer)
            self.apply(state, answer)
        return answers

    def roll(self, state: S, decision: ChanceDecision[Any, S], seed: str) -> Action:
        weights = decision.weights(self, state)
        number = below(seed, state.draws, sum(weight for _, weight in weights))
        state.draws += 1
        for answer, weight in weights:
            if number < weight:
                return answer
            number -= weight
        raise AssertionError("weights do not add up")

    # What leaves the game

    def outcome(self, state: S) -> Outcome | None:
        """The result, once the game is over."""
        raise NotImplementedError

    def turn(self, state: S) -> int:
        raise NotImplementedError

    def phase(self, state: S) -> Phase:
        """The phase of the turn in progress, and the part of it. The steps of a turn have their names in the
        section `words` of the catalogue, those within them in `steps`."""
        labels = self.phase_path(state)[1:] if state.within(self.turn_procedure) else ()
        path = (*labels[:1], *(label for label in labels[1:] if self.catalogue.has("steps", label)))
        if path not in self._phases:
            sections = ("words", *("steps" for _ in path[1:]))
            named = [pair for pair in zip(sections, path, strict=True) if self.catalogue.has(*pair)]
            text = self.catalogue.template
            names = {language: tuple(text(*pair, language) for pair in named) for language in LANGUAGES}
            self._phases[path] = Phase(path, names)
        return self._phases[path]

    def phase_path(self, state: S) -> tuple[str, ...]:
        """Where the sequence of play stands: the labels of the steps in progress, outermost first, up to the
        step in the course of which something was begun that the sequence does not name (a unit taken up)."""
        found: list[str] = []
        calls: str | None = None
        for name, label, _ in state.frames:
            step = self.procedures[name].steps.get(label)
            if step is None or (found and name != calls):
                break
            found.append(label)
            calls = step.calls
        return tuple(found)

    def view(self, state: S, side: int | None) -> dict[str, Any]:
        """All that a side (None: a spectator) may know, as plain JSON values."""
        decision = self.decision(state)
        asked = [actor for actor in self.shown_actors(state, side) if actor != CHANCE]
        actor = side if side in asked else next(iter(asked), None)
        return {
            "game": self.id,
            "turn": self.turn(state),
            "agenda": [list(place) for place in state.path()],
            "actor": None if actor is None else self.sides[actor],
            "asked": [self.sides[actor] for actor in asked],
            "decision": None if decision is None else decision.name,
            "case": None if decision is None else decision.case,
            "options": [] if side is None else [self.encode(a) for a in self.options(state, side)],
            "standing": [] if side is None else [self.encode(a) for a in self.standing(state, side)],
            "written": [] if side is None else [self.encode(a) for a in state.written(side)],
            "table": plain_table(self.table(state, side)),
        }

    def counters(self, language: str) -> dict[str, dict[str, Any]]:
        """What is printed on every counter, by unit id: side, name, kind (its symbol), size, the numbers of
        each face in the game's own order, and where they come from."""
        raise NotImplementedError

    def digest(self, scenario: str) -> str:
        """A fingerprint of the data that a game of this scenario is played with."""
        own = self.scenarios[scenario].digest
        return f"{self.data_digest}-{own[:8]}" if own else self.data_digest

    def scenario(self, state: S) -> Scenario:
        return self.scenarios[state.scenario]

    def area(self, scenario: str) -> int:
        """The hexes in play, as a set."""
        return area_of(self.scenarios[scenario], self.board)

    def turns_left(self, state: S) -> int:
        """How many turns come after this one, at most."""
        return self.scenarios[state.scenario].last - self.turn(state)

    def calendar(self, scenario: str) -> list[Turn]:
        """The turns of a scenario, with their days."""
        played = self.scenarios[scenario]
        return [turn for turn in self.turns if played.first <= turn.number <= played.last]

    def phases(self, language: str) -> list[dict[str, str]]:
        """The sequence of play of a turn: the steps that have a name."""
        return [
            {
                "id": step.label,
                "case": step.case,
                "name": self.catalogue.template("words", step.label, language),
            }
            for step in self.procedures[self.turn_procedure].steps.values()
            if self.catalogue.has("words", step.label)
        ]

    def imagine(self, state: S, side: int, random: Random) -> S:
        """A full position consistent with what a side knows, for players who think ahead."""
        copy = state.clone()
        copy.forget_others(side)
        self.guess(copy, side, random)
        return copy

    def guess(self, copy: S, side: int, random: Random) -> None:
        """Replace what a side may not know by something that it holds possible. The kernel has already put
        away what others are writing in secret."""

    def expand(self, state: S, order: Mapping[str, Any]) -> Iterator[Action]:
        """The small actions of a composite order. Yielded one at a time: the caller applies each before
        asking for the next."""
        raise NotImplementedError

    # Questions

    def prompt(self, state: S, language: str, side: int | None = None) -> str:
        """What a side (the first that is asked, if none is named) is asked to do now."""
        decision = self.decision(state)
        if decision is None:
            return ""
        code = decision.prompt(self, state, decision.actor(self, state) if side is None else side)
        return self._sentence("prompts", code, self.prompt_facts(state, side), language)

    def prompt_facts(self, state: S, side: int | None = None) -> dict[str, Any]:
        """Facts that the prompts of the game may mention, to a side that is asked."""
        return {}

    def word_for(self, state: S, role: Role) -> str | None:
        """The first verb of this role that may answer the decision in progress; None if there is none."""
        decision = self.decision(state)
        found = decision.verbs.items() if decision is not None else ()
        return next((word for word, verb in found if verb.role is role), None)

    def piece_name(self, piece: str, language: str) -> str:
        """The name of something that lies in a pool or a display and is no unit, by its written id."""
        for kind in {part.pieces for part in self.parts if part.pieces}:
            try:
                return self.render_fact(kind, self.read_argument(kind, piece), language)
            except (KeyError, ValueError):
                continue
        return self.catalogue.template("words", piece, language)
