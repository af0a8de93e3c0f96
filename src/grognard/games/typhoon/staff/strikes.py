"""7.8 Overruns that promise something, before a plan is made: they change the map."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from grognard.board.board import bits, each
from grognard.games.typhoon.data import charts
from grognard.games.typhoon.rules.eligible import allowance, why_not_motor, why_not_move
from grognard.games.typhoon.rules.hand import Move, mode_of
from grognard.games.typhoon.rules.overrun import Overrun, modifier, ratio, why_not_overrun
from grognard.games.typhoon.rules.reach import MOTORISED
from grognard.games.typhoon.rules.stacking import excess
from grognard.games.typhoon.rules.strength import attack_of
from grognard.games.typhoon.staff.outlook import Outlook
from grognard.games.typhoon.state import GONE, TyphoonState
from grognard.kernel import Action, Refusal
from grognard.kernel.doctrine import Plan
from grognard.mechanics.dice import D10
from grognard.mechanics.pieces import members

if TYPE_CHECKING:
    from grognard.games.typhoon.advice import TyphoonAdviser


LOOKS = 2
"""Overruns that are weighed against everything else."""
AROUND = 5
"""Hexes around an overrun whose units are thought of."""

Prospect = Callable[[TyphoonState, int], float]
"""What a side could make of a position, the units in some hexes moving."""


def chances(change: int) -> tuple[float, float]:
    """7.8.3e How likely an overrun drives the enemy away, and how likely it costs him a step too."""
    table = charts()["overrun"]
    results = [str(table.find(max(-2, min(13, die + change)))["result"]) for die in D10.totals]
    moved = sum(result != "fails" for result in results) / len(results)
    return moved, results.count("loss_and_retreat") / len(results)


def stacks(view: Outlook) -> Iterator[tuple[int, ...]]:
    """7.8.1 The motorised units of each hex that could overrun together."""
    game, state = view.game, view.state
    why_not = why_not_motor if mode_of(state) == MOTORISED else why_not_move
    mobile = game.motorised & ~game.guns & ~game.supplies
    near = view.foes
    for _ in range(3):
        near |= game.board.spread(near)
    for cell in each(state.occupied[view.side] & near):
        units = members(state.own(view.side, cell) & mobile & ~state.unsupplied)
        units = [u for u in units if attack_of(game, state, u) and why_not(game, state, u) is None]
        units.sort(key=lambda u: -attack_of(game, state, u))
        while excess([game.units[u] for u in units]):
            units.pop()
        if cell in view.prizes and not state.fighters(view.side, cell) & ~bits(units):
            units = units[:-1]
        if units:
            yield tuple(units)


def strikes(adviser: TyphoonAdviser, view: Outlook, prospect: Prospect) -> Iterator[Plan]:
    """The overruns that promise enough, by those who stand together. Who overruns does nothing else: each of
    the most promising is weighed against what its units would do otherwise."""
    found = sorted(_overruns(adviser, view), key=lambda plan: -plan.gain)
    for plan in found[:LOOKS]:
        gain = _gain_over_all(view, plan, prospect)
        if gain > view.common["strike"]:
            yield plan._replace(gain=gain)


def _overruns(adviser: TyphoonAdviser, view: Outlook) -> Iterator[Plan]:
    """For each stack the overrun that promises most by itself."""
    game, state = view.game, view.state
    odds = game.numbers["overrun_odds"]
    for units in stacks(view):
        best: Plan | None = None
        start, mode = state.where[units[0]], mode_of(state)
        prey = [c for c in each(view.foes & game.disc(start, 4)) if ratio(game, state, units, c) >= odds]
        if not prey:
            continue
        ways = adviser.reach(state, units)
        if isinstance(ways, Refusal):
            continue
        for cell in prey:
            for here in (start, *(c for c in ways if game.contacts[cell] >> c & 1)):
                if not game.contacts[cell] >> here & 1:
                    continue
                path = () if here == start else ways[here].cells
                gain = _gain(view, units, cell, here, mode, ways[here].points_left if path else None)
                if gain > view.common["strike"] and (best is None or gain > best.gain):
                    script: tuple[Action, ...] = (("pick", units[0]), *(("gather", u) for u in units[1:]))
                    best = Plan(gain, (*script, *(("step", c) for c in path), ("overrun", cell)), units)
        if best is not None:
            yield best


def _gain_over_all(view: Outlook, plan: Plan, prospect: Prospect) -> float:
    """What an overrun brings, with what everybody near can do after it, less what they could do without."""
    game, state, units = view.game, view.state, plan.units
    goal, start = plan.actions[-1][1], state.where[units[0]]
    steps = [action[1] for action in plan.actions if action[0] == "step"]
    here = steps[-1] if steps else start
    area = game.disc(start, AROUND) | game.disc(goal, AROUND)
    foes = state.fighters(view.foe, goal)
    moved, hurt = _odds(view, units, goal, here)
    won, failed = state.clone(), state.clone()
    for trial, cell in ((won, goal), (failed, here)):
        trial.log = None
        trial.moved |= bits(units)
        for unit in units:
            trial.place(unit, cell)
    for foe in members(foes):
        won.place(foe, GONE)
    force = view.force(foes)
    driven = 2 * view.numbers["driven"] * force.units
    direct = moved * driven + hurt * force.losses[min(1, len(force.losses) - 1)]
    then = moved * prospect(won, area) + (1 - moved) * prospect(failed, area)
    return float(direct + then - prospect(state, area))


def _odds(view: Outlook, units: tuple[int, ...], cell: int, here: int) -> tuple[float, float]:
    trial = view.state.clone()
    trial.log = None
    for unit in units:
        trial.place(unit, here)
    foes = tuple(members(trial.fighters(view.foe, cell)))
    return chances(modifier(view.game, trial, Overrun(units, cell, foes)))


def _gain(view: Outlook, units: tuple[int, ...], cell: int, here: int, mode: int, left: int | None) -> float:
    """What an overrun from a hex promises; less than nothing if it may not be made."""
    game, trial = view.game, view.state.clone()
    trial.log = None
    for unit in units:
        trial.place(unit, here)
    if excess([game.units[u] for u in members(trial.own(view.side, here))]):
        return -1.0  # who fails there stays there, one too many (3.2.2)
    lefts = tuple(allowance(game, trial, u, mode) if left is None else left for u in units)
    held = left is not None and bool(view.zones >> here & 1)
    if why_not_overrun(game, trial, Move(units, lefts, mode, left is None, held), cell) is not None:
        return -1.0
    foes = trial.fighters(view.foe, cell)
    moved, hurt = _odds(view, units, cell, here)
    force = view.force(foes)
    driven = 2 * view.numbers["driven"] * force.units
    return float(moved * (view.prize(cell) + driven) + hurt * force.losses[min(1, len(force.losses) - 1)])
