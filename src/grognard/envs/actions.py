"""A game's actions as the numbers of one fixed, small range.

An action is said in words, and a word is one number. The first word says the verb and its first argument, if
it has any: every verb has a block of numbers, one for each unit, hex or other thing that its first argument
may be. Where a verb has a second argument, a second word says it, out of a block that all such verbs share:
what it belongs to has been said already. So a number always means the same, the range grows with the units
plus the hexes and not with their product, and every action is said in exactly one way.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from grognard.kernel import Action, ChanceDecision, Game

NUMBERS = 32
"""How many numbers (dice, air units, points) a word can say: 0 to 31."""

LATER = ""
"""Stands for the verb in the blocks of second and further words."""


class Block(NamedTuple):
    """The words of one verb: numbers `start` up to, not including, `start + size`."""

    verb: str
    kind: str
    """What the argument is (hex, unit, number, or a kind of the game's own); empty if there is none."""
    start: int
    size: int


class ActionTable:
    """Every word that can be said in a game."""

    def __init__(self, game: Game[Any]) -> None:
        self._game = game
        self.verbs = player_verbs(game)
        kinds = {kind for arguments in self.verbs.values() for kind in arguments}
        self.values = {
            kind: tuple(range(NUMBERS)) if kind == "number" else game.values(kind) for kind in sorted(kinds)
        }
        self._places = {kind: {v: n for n, v in enumerate(values)} for kind, values in self.values.items()}
        wanted = [(verb, arguments[0] if arguments else "") for verb, arguments in sorted(self.verbs.items())]
        later = {kind for arguments in self.verbs.values() for kind in arguments[1:]}
        blocks: list[Block] = []
        self.size = 0
        for verb, kind in [*wanted, *((LATER, kind) for kind in sorted(later))]:
            size = len(self.values[kind]) if kind else 1
            blocks.append(Block(verb, kind, self.size, size))
            self.size += size
        self.blocks = tuple(blocks)
        self._first = {b.verb: b for b in blocks if b.verb != LATER}
        self._later = {b.kind: b for b in blocks if b.verb == LATER}
        self.long_verbs = tuple(verb for verb, arguments in sorted(self.verbs.items()) if len(arguments) > 1)
        """The verbs that take more than one word."""

    def complete(self, said: Action) -> bool:
        """Whether what has been said is a whole action."""
        return bool(said) and len(said) == 1 + len(self.verbs[said[0]])

    def choices(self, options: Iterable[Action], said: Action = ()) -> dict[int, Action]:
        """The words that may be said next, each with what has been said after it. `said` is the beginning of
        an action, () if nothing has been said."""
        already = len(said)
        found: dict[int, Action] = {}
        for option in options:
            if option[:already] == said:
                found[self._word(option, already)] = option[: already + 1] if already else option[:2]
        return found

    def words(self, action: Action) -> tuple[int, ...]:
        """An action as the numbers that say it."""
        return tuple(self._word(action, already) for already in (0, *range(2, len(action))))

    def _word(self, action: Action, already: int) -> int:
        block = self._later[self.verbs[action[0]][already - 1]] if already else self._first[action[0]]
        if not block.kind:
            return block.start
        argument = action[already or 1]
        place = self._places[block.kind].get(argument)
        if place is None:
            raise ValueError(f"{action[0]}: there is no word for the {block.kind} {argument}")
        return block.start + place

    def after(self, said: Action, word: int) -> Action | None:
        """What has been said after one more word, legal or not; None if the word makes no sense there."""
        block = next((b for b in self.blocks if b.start <= word < b.start + b.size), None)
        if block is None or (block.verb == LATER) != bool(said):
            return None
        if said:
            if self.verbs[said[0]][len(said) - 1] != block.kind:
                return None
            return (*said, self.values[block.kind][word - block.start])
        if not block.kind:
            return (block.verb,)
        return (block.verb, self.values[block.kind][word - block.start])

    def spell(self, word: int) -> list[str]:
        """A word for people: ["step", "0908"]; a second word has no verb: ["", "0908"]."""
        block = next(b for b in self.blocks if b.start <= word < b.start + b.size)
        if not block.kind:
            return [block.verb]
        return [
            block.verb,
            self._game.write_argument(block.kind, self.values[block.kind][word - block.start]),
        ]


def player_verbs(game: Game[Any]) -> dict[str, tuple[str, ...]]:
    """The verbs that players use, with the kinds of their arguments. Chance has verbs of its own."""
    return {
        word: verb.kinds
        for decision in game.decisions()
        if not isinstance(decision, ChanceDecision)
        for word, verb in decision.verbs.items()
    }
