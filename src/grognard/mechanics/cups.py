"""Pools from which pieces are drawn without looking: chits in a cup, strengths not yet known, supports.

A draw is a question that chance answers; these are its answers and their weights, in the order of the pieces.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

from grognard.board.board import each
from grognard.kernel import Action


def even_draws(verb: str, pieces: int) -> list[tuple[Action, int]]:
    """One piece of a set, each as likely as the others."""
    return [((verb, piece), 1) for piece in each(pieces)]


def counted_draws(
    counts: Sequence[int], kinds: Iterable[int], verb: str, *about: int
) -> list[tuple[Action, int]]:
    """One piece of some kinds, by how many of each are left. `about`: what stands before the kind in the
    answer, such as the unit for which it is drawn."""
    return [((verb, *about, kind), counts[kind]) for kind in kinds]


def sample(items: Sequence[int], count: int, random: Random) -> list[int]:
    """So many of the items, all choices equally likely, for imagining what another side has drawn."""
    rest = list(items)
    return [rest.pop(int(random.random() * len(rest))) for _ in range(count)]
