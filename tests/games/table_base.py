"""What a table for tests can do in every game: act in the words players write, and look."""

from __future__ import annotations

from typing import Any, Generic, Self, TypeVar

from grognard.kernel import Game, Refusal, State
from grognard.kernel.table import Part, UnitView, part_key
from grognard.kernel.text import LANGUAGES

G = TypeVar("G", bound=Game[Any])
S = TypeVar("S", bound=State)


class TableBase(Generic[G, S]):
    """A position built by hand. A game's own table sets it up and adds what is particular to the game."""

    game: G
    state: S

    # Acting

    def do(self, *actions: str) -> Self:
        """Carry out actions such as 'pick 1-pz' or 'roll 3'; one that is refused, or not on offer, fails the
        test."""
        for text in actions:
            reason = self.refusal(text)
            assert reason is None, f"{text}: {reason} (asked: {self.asked})"
            action = self._action(text)
            assert action in self.game.options(self.state), f"{text} is legal and not on offer"
            self.game.apply(self.state, action)
        return self

    def refusal(self, text: str) -> Refusal | None:
        """Why an action is refused; None if it is legal. The position does not change either way."""
        return self.game.refuse(self.state, self._action(text))

    def refused(self, text: str) -> tuple[str, str]:
        """The (code, case) of a refusal that can be told; fails the test if the action is legal or on
        offer."""
        before = self.state.fingerprint()
        reason = self.refusal(text)
        assert reason is not None, f"{text} should be refused"
        assert self._action(text) not in self.game.options(self.state), f"{text} is refused and on offer"
        assert self.state.fingerprint() == before
        for language in LANGUAGES:
            assert "{" not in self.game.explain(reason, language)
        return reason.code, reason.case

    def _action(self, text: str) -> Any:
        action = self.game.decode(text.split())
        assert not isinstance(action, Refusal), f"{text}: {action}"
        return action

    @property
    def options(self) -> set[str]:
        return {" ".join(self.game.encode(a)) for a in self.game.options(self.state)}

    def offered(self, verb: str) -> set[str]:
        """The arguments with which a verb is on offer: {'0908', ...} or {'1-pz 0908', ...}."""
        return {o.partition(" ")[2] for o in self.options if o.partition(" ")[0] == verb}

    @property
    def asked(self) -> str | None:
        """The question on the table; one that is never put by its name, as the first side is asked it."""
        decision = self.game.decision(self.state)
        if decision is None or decision.name in decision.prompts:
            return None if decision is None else decision.name
        return decision.prompt(self.game, self.state, decision.actor(self.game, self.state))

    @property
    def actor(self) -> str:
        actor = self.game.actor(self.state)
        return "chance" if actor == -1 else "nobody" if actor is None else self.game.sides[actor]

    # Looking

    def events(self, kind: str) -> list[dict[str, Any]]:
        return [e.facts for e in self.state.log or [] if e.kind == kind]


def shown_units(game: Game[Any], state: Any, side: int | None = None) -> dict[str, UnitView]:
    """The units as a side sees them, by id."""
    return {unit["id"]: unit for unit in game.table(state, side).units}


def shown_part(game: Game[Any], state: Any, key: str, side: int | None = None) -> Any:
    """A part of the table as a side sees it: by its id, or by `id:side`."""
    parts: dict[str, Part] = {part_key(part): part for part in game.table(state, side).parts}
    return parts[key]


def shown_groups(game: Game[Any], state: Any, key: str, side: int | None = None) -> dict[str, list[str]]:
    """The pieces that a side sees in each group of a pool."""
    return {group.id: list(group.pieces) for group in shown_part(game, state, key, side).groups}
