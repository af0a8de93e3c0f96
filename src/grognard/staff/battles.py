"""What battles promise: every result of a table with its chance, never a single roll."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from grognard.mechanics.dice import Dice
from grognard.mechanics.odds import CombatTable


class Blow(NamedTuple):
    """What a result does to one of the parties."""

    steps: int = 0
    hexes: int = 0
    """How far it retreats."""
    either: bool = False
    """Steps or hexes, as its owner likes."""
    all: bool = False
    """Everybody is eliminated."""
    besides: int = 0
    """Of the steps, those lost whatever is chosen."""


class Fate(NamedTuple):
    """A result of a column and its chance."""

    attacker: Blow
    defender: Blow
    chance: float


class Force(NamedTuple):
    """Units that stand together, as somebody who attacks them sees them."""

    units: int
    strength: float
    losses: tuple[float, ...]
    """What the loss of 0, 1, 2 ... steps costs their owner."""


def fates(
    table: CombatTable, dice: Dice, read: Callable[[str], tuple[Blow, Blow]]
) -> dict[int, tuple[Fate, ...]]:
    """The results of each column; `read` says what a cell does to attacker and defender."""
    found = {}
    for column in table.columns:
        chances = table.chances(column, dice)
        found[column] = tuple(Fate(*read(cell), chance) for cell, chance in sorted(chances.items()))
    return found


def dearest_last(
    units: Sequence[int], steps: Callable[[int], int], worth: Callable[[int, int], float]
) -> tuple[float, ...]:
    """What units lose step by step when their owner gives the cheapest first; `worth` is that of a unit with
    so many steps."""
    left = [[unit, steps(unit)] for unit in units]
    losses = [0.0]
    while any(steps_left for _, steps_left in left):
        price, at = min((worth(u, s) - worth(u, s - 1), i) for i, (u, s) in enumerate(left) if s)
        left[at][1] -= 1
        losses.append(losses[-1] + price)
    return tuple(losses)


def cost(blow: Blow, force: Force, shut: bool, ground: float, driven: Sequence[float]) -> float:
    """What a blow costs those it falls on: steps, `ground` if they leave their hex, `driven` for so many
    hexes of retreat. If every way back is `shut`, each hex of it costs each unit a step; whoever may choose
    then gives steps."""
    most = len(force.losses) - 1
    if blow.all:
        return force.losses[most] + ground
    lost = min(blow.steps, most)
    if blow.either:
        paid = force.losses[lost] + (ground if lost == most else 0.0)
        fixed = force.losses[min(blow.besides, most)]
        return paid if shut else min(paid, fixed + driven[blow.hexes] + ground)
    if blow.hexes and shut:
        lost = min(most, lost + force.units * blow.hexes)
    value = force.losses[lost]
    if blow.hexes or lost == most:
        value += ground
    if blow.hexes and lost < most:
        value += driven[blow.hexes]
    return value


def expected(
    results: Sequence[Fate], force: Force, shut: bool, ground: float, driven: Sequence[float]
) -> float:
    """What an attack in a column is expected to cost the defenders."""
    return sum(fate.chance * cost(fate.defender, force, shut, ground, driven) for fate in results)


def clearing(results: Sequence[Fate]) -> float:
    """How likely the defenders are to leave their hex, if those who may choose fall back."""
    return sum(fate.chance for fate in results if fate.defender.hexes or fate.defender.all)


def toll(results: Sequence[Fate]) -> float:
    """The steps that an attack in a column is expected to cost the attackers."""
    return sum(fate.chance * fate.attacker.steps for fate in results)


def shares(results: Sequence[Fate], attacker: bool) -> tuple[float, float, float]:
    """How likely a party of a battle is to suffer one, two, everything."""
    blows = [(fate.attacker if attacker else fate.defender, fate.chance) for fate in results]
    one, two = (sum(c for blow, c in blows if blow.steps == n and not blow.all) for n in (1, 2))
    return one, two, sum(c for blow, c in blows if blow.all)


def endured(
    suffered: tuple[float, float, float], steps: int, fear: float, give: float
) -> tuple[float, float]:
    """What an attack costs those who lose a step or two, or give way for a share of it (`give`), as they
    like, or lose everything: of what is feared for so many steps; and how likely they leave their hex."""
    one, two, everything = suffered
    lost = fear / steps * (one * give + two * min(2, steps) * 0.8) + fear * everything
    cleared = everything + two * (1.0 if steps <= 2 else 0.5) + one * (1.0 if steps == 1 else 0.25)
    return lost, cleared
