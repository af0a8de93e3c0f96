"""Lines of supply as a planner sees them: whom a unit would cut off from each hex where it could stand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from grognard.board import Board
from grognard.board.board import bits, each
from grognard.mechanics.supply import lifelines, may_sever
from grognard.mechanics.zones import zone
from grognard.staff.terms import Once


class Lines(NamedTuple):
    """The enemy's lines: from `sources` over `links`. A unit of ours closes its hex to them and its zone,
    `contact`, over sides that are `passable`."""

    board: Board
    links: Sequence[int]
    sources: int
    contact: Mapping[int, int]
    passable: Sequence[int]
    supplied: Callable[[int, int], tuple[int, int]]
    """By the hexes where we would stand and our zone: the net that the lines follow, every hex in supply."""


def in_the_net(net: Callable[[int, int], int]) -> Callable[[int, int], tuple[int, int]]:
    """For lines that supply only what they touch: `net` works out the hexes."""

    def supplied(there: int, zone: int) -> tuple[int, int]:
        found = net(there, zone)
        return found, found

    return supplied


def cut_off(lines: Lines, theirs: int, still: int, cells: Iterable[int]) -> dict[int, int]:
    """For each of some hexes, of those that are `theirs` the ones that would be out of supply if one more
    unit of ours stood there, besides those on `still`; only where there are any."""
    board, links, sources, contact, passable, supplied = lines
    covered = zone(board, passable, still)
    net, fed = supplied(still, covered)
    # Who is fed at some distance from the net can be cut off anywhere between.
    vital = net if theirs & fed & ~net else lifelines(board, links, sources, net, theirs & fed)
    found = {}
    for cell in cells:
        around = contact.get(cell, 0)
        gone = (around & ~covered | 1 << cell) & net & ~theirs
        if gone & vital and (gone & sources or may_sever(board, links, net, gone)):
            prey = theirs & fed & ~supplied(still | 1 << cell, covered | around)[1]
            if prey:
                found[cell] = prey
    return found


def severed(
    name: str,
    plan: Any,
    lines: Lines,
    theirs: int,
    things: Callable[[int], Iterable[int]],
    worth: Callable[[int], float],
) -> Once:
    """What the enemy would lose on his hexes to one more unit of ours on his lines, those who move left out:
    each of the `things` on a hex once, whoever cuts it off."""
    state, side = plan.state, plan.view.side
    ours = [c for c in each(state.occupied[side]) if state.at[c] & plan.fighters]
    still = bits(c for c in ours if state.at[c] & plan.fighters & ~plan.moving)
    movers = [n for n, mask in enumerate(plan.masks) if mask & plan.fighters]
    reached = bits(c for n in movers for c in plan.places(n) if c >= 0)
    cuts = cut_off(lines, theirs, still, each(reached & ~still) if theirs else ())
    number = {t: n for n, t in enumerate(sorted({t for c in each(theirs) for t in things(c)}))}
    found = {cell: [number[t] for c in each(prey) for t in things(c)] for cell, prey in cuts.items()}
    lost, weight = {n for some in found.values() for n in some}, plan.weights.get(name, 1.0)
    values = [weight * worth(t) if n in lost else 0.0 for t, n in number.items()]
    return Once(name, found, values, ours, far=True)


def severed_units(
    plan: Any,
    lines: Lines,
    theirs: int,
    units: Callable[[int], Iterable[int]],
    worth: Callable[[int], float] | None = None,
    places: Mapping[int, float] | None = None,
) -> Once:
    """Enemies who would lose their lines to one more zone of ours: those of the `units` on a hex, worth so
    much, as a rule the doctrine's share `sever` of what is left of them; and the `places` that they hold."""
    view, first, prizes = plan.view, len(plan.game.units), places or {}
    held = list(prizes)

    def share(unit: int) -> float:
        return float(view.weight(unit, view.steps_of(unit)) * view.numbers["sever"])

    def things(cell: int) -> list[int]:
        return [*units(cell), *(first + n for n, place in enumerate(held) if place == cell)]

    def value(thing: int) -> float:
        return (worth or share)(thing) if thing < first else prizes[held[thing - first]]

    return severed("severed", plan, lines, theirs, things, value)
