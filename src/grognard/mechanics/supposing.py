"""What could be after a whole move: who could come next to a hex, and what an attack by them would promise.

An adviser that can say so has these methods besides those of `grognard.kernel.advice.Adviser`. It answers for
either side, in any phase, from how the pieces stand now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from grognard.board import Board
from grognard.board.board import each
from grognard.kernel import Refusal
from grognard.kernel.advice import Adviser, Forecast, Share


@runtime_checkable
class Supposes(Adviser, Protocol):
    """Advice on what could be."""

    def approaches(self, state: Any, target: int) -> dict[int, int]:
        """The units that could attack a hex after a whole move, and the hex from which each would: who is in
        contact stays where it is, the others come as far as there is room."""

    def what_if(
        self, state: Any, target: int, units: Sequence[int], options: Mapping[str, int]
    ) -> Forecast | Refusal:
        """The chances of an attack by some of these units from there."""

    def strengths(self, state: Any, unit: int) -> tuple[Share, Share]:
        """A unit's strength in attack and in defence: as printed on its full side, and as it counts now."""


def approach(
    board: Board,
    doors: int,
    target: int,
    units: Iterable[int],
    where: Sequence[int],
    reach: Mapping[int, int],
    room: Callable[[int], int],
) -> dict[int, int]:
    """Where units would stand to attack a hex, each with a hex of its own or sharing one while there is room.
    `doors`: the hexes from which the target can be attacked; `units`: first those who choose first; `room`:
    how many may stand on a hex."""
    found = {unit: where[unit] for unit in units if where[unit] >= 0 and doors >> where[unit] & 1}
    left = {door: room(door) for door in each(doors)}
    for door in found.values():
        left[door] -= 1
    for unit in units:
        if unit in found:
            continue
        free = [door for door in each(doors & reach.get(unit, 0)) if left[door] > 0]
        if free:
            door = min(free, key=lambda cell: (board.distance(where[unit], cell), cell))
            found[unit] = door
            left[door] -= 1
    return found


def exposed(contact: Callable[[int], int], standing: int, reach: Iterable[int], foes: int) -> int:
    """The enemy hexes that a side could attack after a whole move: next to where it stands or could stand."""
    cells = standing
    for some in reach:
        cells |= some
    found = 0
    for cell in each(cells):
        found |= contact(cell)
    return found & foes
