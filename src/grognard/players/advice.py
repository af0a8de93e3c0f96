"""Advice to a person: what a computer player would do in his place, and what for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import takewhile
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from grognard.kernel import Action, Answer, ChanceDecision, Game, Role
from grognard.kernel.doctrine import Intent
from grognard.kernel.text import DoorWords, Words
from grognard.players import Player, seat

ADVISER = "regular"
MOST = 60
"""How many answers a suggestion has at most."""
KEPT = 40
"""How many suggestions are remembered, for people who undo and ask again."""

TAKEN_UP = frozenset({Role.TAKE, Role.GATHER})
AIMED = frozenset({Role.AIM, Role.WIDEN, Role.JOIN})
UNFINISHED = TAKEN_UP | AIMED | {Role.COMMIT, Role.ENTER, Role.RELEASE, Role.STEP}
"""Answers that mean little without the ones that follow."""


class Suggestion(NamedTuple):
    """Answers that belong together, and what they are meant to do."""

    actions: tuple[Action, ...]
    intent: Intent | None


class Suggester:
    """The adviser of one side. He looks at the position as that side may know it, and changes
    nothing. As long as his advice is taken he follows one plan; if it is not, he thinks again."""

    def __init__(self, game: Game[Any], side: int, seed: str) -> None:
        self.game, self.side, self.seed = game, side, seed
        self._player: Player | None = None
        self._last: tuple[int, tuple[Action, ...]] = (0, ())
        self._given: dict[tuple[int, str], Suggestion] = {}

    def suggest(
        self, state: Any, journal: Sequence[Answer], watch: Callable[[float], None] | None = None
    ) -> Suggestion:
        """What to answer to the question on the table, which must be put to this side."""
        own = [answer.action for answer in journal if answer.side == self.side]
        # What others have written in secret is no part of what this side knows.
        shown = state.clone()
        shown.forget_others(self.side)
        here = (len(own), shown.fingerprint())
        if here not in self._given:
            player = self._player if self._followed(own) else None
            # Whoever is interrupted in the middle of a thought is not asked to go on with it.
            self._player = None
            player = player or seat(ADVISER, f"{self.seed}/advice")
            player.watch = watch
            # A person may not learn from advice what the dice or the other side hold: no seed of theirs.
            chance = Random(f"{self.seed}/advice/{len(own)}")
            actions = self._think(player, self.game.imagine(state, self.side, chance))
            self._player, self._last = player, (len(own), actions)
            self._given[here] = Suggestion(actions, player.intent)
            while len(self._given) > KEPT:
                del self._given[next(iter(self._given))]
        return self._given[here]

    def _followed(self, own: Sequence[Action]) -> bool:
        begun, actions = self._last
        return tuple(own[begun : begun + len(actions)]) == actions

    def _think(self, player: Player, imagined: Any) -> tuple[Action, ...]:
        """The next answers, up to where the move or attack that they begin is made."""
        game = self.game
        actions: list[Action] = []
        while len(actions) < MOST:
            action = player.choose(game, imagined.clone(), self.side)
            actions.append(action)
            game.apply(imagined, action, self.side)
            decision = game.decision(imagined)
            if (
                decision is None
                or isinstance(decision, ChanceDecision)
                or self.side not in game.must_act(imagined)
            ):
                break
            ends = any(verb.role is Role.END for verb in decision.verbs.values())
            if ends or game.role(action) not in UNFINISHED:
                break
        return tuple(actions)


# In words


class AdviceWords(DoorWords):
    """What is said of advice, in the reader's language."""

    file = Path(__file__).with_name("advice.toml")


def suggestion_text(game: Game[Any], actions: Sequence[Action], language: str) -> str:
    """Answers that belong together, in a sentence."""
    return _Telling(game, AdviceWords(language)).actions(actions)


class _Telling(NamedTuple):
    """What is needed to name actions: the game, and our own words."""

    game: Game[Any]
    words: Words

    def actions(self, actions: Sequence[Action]) -> str:
        """Answers that belong together, in a sentence."""
        left = list(actions)
        parts: list[str] = []
        while left:
            part, used = self._move(left) or self._attack(left) or (self._one(left[0]), 1)
            if part not in parts:
                parts.append(part)
            del left[:used]
        text = self.words("suggestion", "then").join(parts)
        return f"{text[:1].upper()}{text[1:]}."

    def _move(self, left: Sequence[Action]) -> tuple[str, int] | None:
        """A stack taken up, or in hand already, and walked somewhere."""
        role = self.game.role
        taken = list(takewhile(lambda a: role(a) in TAKEN_UP, left))
        steps = list(takewhile(lambda a: role(a) is Role.STEP, left[len(taken) :]))
        used = len(taken) + len(steps)
        halted = bool(left[used:]) and role(left[used]) is Role.HALT
        if taken and halted and not steps:
            return self.words("suggestion", "stay", units=self._units(taken)), used + 1
        if not steps:
            return None
        used += halted
        goal = self.game.hex_name(steps[-1][1], self.words.language)
        if not taken:
            return self.words("suggestion", "on", hex=goal), used
        # A game that knows several ways of moving has sentences of its own for them.
        texts = self.game.catalogue
        own = Words(texts, self.words.language)
        words, code = (own, taken[0][0]) if texts.has("suggestion", taken[0][0]) else (self.words, "move")
        return words("suggestion", code, units=self._units(taken), hex=goal), used

    def _attack(self, left: Sequence[Action]) -> tuple[str, int] | None:
        """An attack put together from its target on."""
        role = self.game.role
        built = list(takewhile(lambda a: role(a) in AIMED, left))
        joined = self.game.with_role(built, Role.JOIN)
        if not joined or role(built[0]) is not Role.AIM:
            return None
        used = len(built)
        if left[used:] and role(left[used]) is Role.COMMIT:
            used += 1
        hexes = [self.game.hex_name(a[1], self.words.language) for a in built if a not in joined]
        return self.words("suggestion", "attack", hexes=", ".join(hexes), units=self._units(joined)), used

    def _one(self, action: Action) -> str:
        language = self.words.language
        name = self.game.catalogue.template("verbs", action[0], language)
        kinds = self.game.argument_kinds(action[0])
        rest = [self._argument(kind, value) for kind, value in zip(kinds, action[1:], strict=True)]
        return self.words("suggestion", "other", verb=name, rest=", ".join(rest)) if rest else name

    def _argument(self, kind: str, value: int) -> str:
        language = self.words.language
        if kind == "unit":
            return self.game.unit_name(value, language)
        if kind == "hex":
            return self.game.hex_name(value, language)
        return self.game.render_fact("word", self.game.write_argument(kind, value), language)

    def _units(self, actions: Sequence[Action]) -> str:
        return ", ".join(self.game.unit_name(action[1], self.words.language) for action in actions)


def plan_text(game: Game[Any], intent: Intent, language: str) -> str | None:
    """A plan in a sentence; None if the game has no words for it."""
    return game.declare(intent, language) if game.catalogue.has("intents", intent.code) else None
