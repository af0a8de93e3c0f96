"""Dice of any kind: one die of six, two added up, a die of ten that counts from 0."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import product
from typing import Any, ClassVar

from grognard.kernel import Action, ChanceDecision
from grognard.kernel.agenda import G, S


@dataclass(frozen=True, slots=True)
class Dice:
    """Some dice of one kind, thrown together and added up."""

    count: int = 1
    sides: int = 6
    lowest: int = 1
    """What the lowest face says: 0 on some dice of ten."""

    @property
    def totals(self) -> range:
        return range(self.count * self.lowest, self.count * (self.lowest + self.sides - 1) + 1)

    def throws(self) -> list[tuple[int, ...]]:
        """Every throw, face by face, all equally likely."""
        return list(product(range(self.lowest, self.lowest + self.sides), repeat=self.count))

    def ways(self) -> dict[int, int]:
        """How many throws add up to each total."""
        counted = Counter(map(sum, self.throws()))
        return {total: counted[total] for total in self.totals}

    def outcomes(self, verb: str) -> tuple[tuple[Action, int], ...]:
        """The answers of chance: the verb and each face, so that a log can show the dice as they fell."""
        return tuple(((verb, *faces), 1) for faces in self.throws())


D6 = Dice()
TWO_D6 = Dice(2)
D10 = Dice(1, 10)


class Throw(ChanceDecision[G, S]):
    """Dice thrown by the rules: every face is an answer of its only verb. A game says what follows."""

    dice: ClassVar[Dice] = D6
    _outcomes: ClassVar[tuple[tuple[Action, int], ...]]

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        (verb,) = cls.verbs
        cls._outcomes = cls.dice.outcomes(verb)

    def weights(self, game: G, state: S) -> list[tuple[Action, int]]:
        return list(self._outcomes)
