"""A position of Crossroads."""

from __future__ import annotations

from grognard.kernel.fields import names, octets, row, value
from grognard.mechanics.pieces import DEAD, Pieces

AMBER, COBALT = 0, 1
TOKENS = 3
"""How many tokens each side has. Those of Amber come first: token n is worth n % 3 + 1."""

FIELDS = (
    value("turn"),
    value("active"),
    value("first"),
    row("hands"),
    value("cup"),
    octets("steps"),
    octets("left"),
    value("moved"),
    value("fought"),
    value("attacked"),
    value("shooters"),
    value("redoubts"),
    row("dug"),
    value("nerve"),
    row("scores"),
    value("fog"),
    value("last_turn"),
)


class CrossroadsState(Pieces, fields=FIELDS):
    """What lies on the table."""

    __slots__ = names(FIELDS)

    def __init__(self, counts: tuple[int, int], last_turn: int, fog: bool) -> None:
        super().__init__(counts)
        self.turn = 0
        self.active = AMBER
        self.first = AMBER
        """The side that won the wager."""
        self.hands = [0b000111, 0b111000]
        """The tokens that each side holds, hidden from the other."""
        self.cup = 0
        """The tokens that were wagered and have not come back."""
        self.steps = bytearray(sum(counts))
        self.left = bytearray(sum(counts))
        self.moved = self.fought = self.attacked = 0
        self.shooters = 0
        """Units that have sniped this turn."""
        self.redoubts = 0
        self.dug = [0, 0]
        self.nerve = 0
        """Above zero Amber is in better heart, below zero Cobalt."""
        self.scores = [0, 0]
        self.fog = fog
        self.last_turn = last_turn

    def lose_step(self, unit: int) -> bool:
        """Whether the unit, and with it whatever it carries, is gone."""
        self.nerve += 1 if unit >= self.side_units[AMBER].bit_length() else -1
        self.steps[unit] -= 1
        if self.steps[unit]:
            return False
        for cargo in self.cargo(unit):
            self.steps[cargo] = 0
            self.place(cargo, DEAD)
        self.place(unit, DEAD)
        return True
