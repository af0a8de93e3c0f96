"""9C to 9E, 9J What a result takes from each side, in printed strength."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import NamedTuple

from grognard.games.second_front.units import HALF, Piece

ATTACKER, DEFENDER = 0, 1


class Toll(NamedTuple):
    """What one side has to suffer."""

    loss: Fraction = Fraction(0)
    """At least so much printed strength."""
    everything: bool = False
    """Every unit, even those without strength."""
    retreats: bool = False
    """Who is left falls back."""


NOTHING = Toll()


def printed(pieces: Sequence[Piece], side: int) -> int:
    """9D: attack strength of attackers, defence strength of defenders, as printed."""
    return sum(strength(piece, side) for piece in pieces)


def strength(piece: Piece, side: int) -> int:
    """9E: a division that becomes a cadre counts its full strength."""
    return piece.face.attack if side == ATTACKER else piece.face.defence


def tolls(result: str, attack: int, defence: int) -> tuple[Toll, Toll]:
    """9C: what attacker and defender suffer, by their printed strengths."""
    one = {"A": ATTACKER, "D": DEFENDER}.get(result[0])
    if one is not None and result != "AS":
        whole = Fraction(attack if one == ATTACKER else defence)
        toll = {
            "E": Toll(whole, everything=True, retreats=True),
            "H": Toll(whole * HALF, retreats=True),
            "R": Toll(retreats=True),
        }[result[1]]
        return (toll, NOTHING) if one == ATTACKER else (NOTHING, toll)
    if result in ("EX", "HX"):
        weaker = ATTACKER if attack < defence else DEFENDER
        lost = Fraction(min(attack, defence))
        other = Toll(lost if result == "EX" else lost * HALF)
        beaten = Toll(lost, everything=True, retreats=True)
        return (beaten, other) if weaker == ATTACKER else (other, beaten)
    return NOTHING, NOTHING


class Ledger(NamedTuple):
    """Losses that a side is choosing."""

    side: int
    toll: Toll
    units: tuple[Piece, ...]
    special: tuple[bool, ...]
    """Whose ability was used in the battle (9J)."""
    lost: tuple[int, ...] = ()
    """Places in `units`, in the order chosen."""

    def of(self, places: Collection[int]) -> int:
        return printed([self.units[place] for place in places], self.side)

    @property
    def settled(self) -> bool:
        if self.toll.everything:
            return len(self.lost) == len(self.units)
        return self.of(self.lost) >= self.toll.loss or not self.left

    @property
    def left(self) -> list[int]:
        """Who could be lost. A unit without strength is no loss to choose, unless everything goes."""
        return [
            place
            for place, piece in enumerate(self.units)
            if place not in self.lost and (self.toll.everything or strength(piece, self.side) > 0)
        ]

    @property
    def choices(self) -> list[int]:
        """9J: units whose ability was used bear at least half of the losses, if they can: they go first until
        they do."""
        marked = [place for place in self.left if self.special[place]]
        paid = self.of([place for place in self.lost if self.special[place]])
        if marked and not self.toll.everything and 2 * paid < self.toll.loss:
            return marked
        return self.left

    def losing(self, place: int) -> Ledger:
        return self._replace(lost=(*self.lost, place))
