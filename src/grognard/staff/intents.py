"""What a plan is about where armies go for places on the map: a code and its facts, which a game's messages
turn into a sentence."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from grognard.board.board import each
from grognard.kernel.doctrine import Intent
from grognard.staff.plan import Target


def place_taken(
    plan: Any,
    prizes: Mapping[int, float],
    mine: int,
    number: int,
    targets: Sequence[Target] = (),
    takers: int = 0,
) -> Intent | None:
    """The best place that is not ours and that somebody goes to hold, else one among some targets. Besides
    fighters `takers` take it."""
    theirs = [c for c in prizes if not mine >> c & 1]
    taken = [c for c in theirs if plan.at[c] & (plan.fighters | takers)]
    stormed = {t.cell for t in targets}.intersection(theirs)
    code = "take-place" if taken else "assault-place"
    best = max(taken or stormed, key=lambda c: (prizes[c], -c), default=None)
    return Intent(code, {"hex": best, "number": number}) if best is not None else None


def attack_or_march(
    plan: Any,
    targets: Sequence[Target],
    places: Collection[int],
    way: Callable[[int], Sequence[float]],
    ahead: str,
    back: str | None = None,
) -> Intent:
    """The first of some attacks, else where most of those who move are going. `way` gives the points of march
    to a place from every hex; who gets nearer to his supply goes `back`, the others `ahead`."""
    number = len(targets)
    if targets:
        first = targets[0]
        facts = {"hex": first.cell, "number": number, "units": tuple(each(first.face))}
        return Intent("attack" if first.exits else "cut-off", facts)
    moves = [(plan.places(n)[0], plan.place(n)) for n in range(len(plan.stacks)) if not plan.hq[n]]
    moves = [(start, end) for start, end in moves if start != end]
    if not moves or not places:
        return Intent("hold-line", {"number": len(plan.stacks)})
    votes = [min(places, key=lambda c: (way(c)[end], c)) for _, end in moves]
    facts = {"hex": max(sorted(votes), key=votes.count), "number": len(moves)}
    depth = plan.view.depth
    deeper = sum(depth[end] - depth[start] for start, end in moves if start >= 0)
    return Intent(back if back is not None and deeper < 0 else ahead, facts)


def about_a_goal(plan: Any, attacker: bool, goal: int, decisive: Collection[int]) -> Intent:
    """Where one side marches on a goal and the other is in its way: the best three attacks, which are a storm
    if one is on a `decisive` hex; else the march, or the three best hexes held."""
    important = plan.view.important
    hexes = tuple(target.cell for _, target in plan.attacks()[:3])
    if not attacker and hexes:
        return Intent("counterattack", {"hexes": hexes})
    if not attacker:
        posts = {plan.place(n) for n in range(len(plan.stacks)) if plan.place(n) >= 0}
        best = sorted(posts, key=lambda c: (-important.get(c, 0.0), c))
        return Intent("hold-ground", {"hexes": tuple(best[:3])})
    if any(cell in decisive for cell in hexes):
        return Intent("storm-city", {"hexes": hexes})
    return (
        Intent("drive", {"hexes": hexes, "hex_goal": goal}) if hexes else Intent("march", {"hex_goal": goal})
    )
