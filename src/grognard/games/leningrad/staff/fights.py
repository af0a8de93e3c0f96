"""Attacks seen together, and overruns on the way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from grognard.board.board import each
from grognard.games.leningrad.rules.zones import zone
from grognard.games.leningrad.staff.office import Staff
from grognard.games.leningrad.staff.plan import LeningradPlan
from grognard.games.leningrad.state import LeningradState, members
from grognard.kernel import Action
from grognard.kernel.doctrine import Plan

if TYPE_CHECKING:
    from grognard.games.leningrad.game import Leningrad


def best_joint_attack(staff: Staff, state: LeningradState, side: int) -> Plan | None:
    """All attacks seen together: the best one takes whom it needs, the next one of those left, and so on;
    then everybody asks where he does most. The attack to make first is the one that promises most."""
    plan = LeningradPlan(staff, state, side, combat=True)
    plan.share_out()
    attacks = sorted(plan.attacks(), key=lambda a: (-a[0], a[1]))
    if not attacks or attacks[0][0] < plan.numbers["floor"]:
        return None
    gain, cell, on = attacks[0]
    units = tuple(sorted(u for s in on for u in plan.stacks[s]))
    return Plan(gain, (("target", cell), *(("join", u) for u in units), ("fight",)), units)


def best_overrun(staff: Staff, state: LeningradState, side: int) -> Plan | None:
    """7.0 The overrun that promises most, by a panzer corps or a few units from one hex."""
    game = staff.game
    price = 2 * game.data.numbers["overrun_cost"]
    plan = LeningradPlan(staff, state, side, combat=True)
    shifts = game.data.shifts
    best: Plan | None = None
    for cell in each(state.occupied[side]):
        ready = tuple(
            u for u in members(state.at[cell] & ~state.done & ~state.moved) if game.movement[u] >= price
        )
        for units in _overrunners(game, ready):
            reached = _with_points_left(staff, state, units, price)
            attack = int(sum(staff.attack_of(state, u) for u in units))
            value = sum(staff.value_of(state, u) for u in units)
            cheapest = min(staff.worth_of(state, u) for u in units)
            armour = plan.any_armour(units)
            corps = units in game.corps
            farthest = max((_standing(plan, units, c) for c in each(reached)), default=0.0)
            for target in plan.targets.values():
                jump_off = game.contact[target.cell] & reached
                if not jump_off or attack < 3 * target.expected:
                    continue
                dry = jump_off & ~target.rivers
                shift = target.base + shifts["overrun"][0]
                shift += 0 if dry else shifts["river"][0]
                shift += shifts["attacker-corps"][0] if corps else 0
                shift += shifts["attacker-armour"][0] if armour and target.open else 0
                shares = target.shares(attack, shift)
                spot = each(dry or jump_off)[0]
                gain = plan.promise(target, shares, cheapest, value, 1 << spot)
                # Whoever fights here does not march on.
                gain -= plan.numbers["detour"] * max(0.0, farthest - _standing(plan, units, target.cell))
                if gain < plan.numbers["overrun"] or (best is not None and gain <= best.gain):
                    continue
                script = _pick_and_walk(staff, state, units, spot)
                if script is not None:
                    best = Plan(gain, (*script, ("overrun", target.cell)), units)
    return best


def _standing(plan: LeningradPlan, units: tuple[int, ...], cell: int) -> float:
    return sum(plan.stand(u, cell) for u in units)


def _overrunners(game: Leningrad, ready: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Who of a hex might overrun together: a whole corps, or the mobile units there."""
    for corps in game.corps:
        if len(corps) > 1 and all(u in ready for u in corps):
            yield corps
    mobile = tuple(u for u in ready if game.costs[u] is game.mobile_costs)
    if 1 < len(mobile) <= game.stacking and mobile not in game.corps:
        yield mobile


def _with_points_left(staff: Staff, state: LeningradState, units: tuple[int, ...], price: int) -> int:
    """The hexes that a stack reaches with so many points to spare, its own included."""
    budget = staff.budget(state, units)
    here = state.where[units[0]]
    if budget < price:
        return 0
    found = 1 << here
    if zone(staff.game, state, 1 - staff.game.side(units[0])) >> here & 1:
        return found
    for _, paid, layers in staff.flood(state, units, staff.full_hexes(state, units)):
        for layer in layers[: max(0, budget - paid - price + 1)]:
            found |= layer
    return found


def _pick_and_walk(
    staff: Staff, state: LeningradState, units: tuple[int, ...], cell: int
) -> tuple[Action, ...] | None:
    way: tuple[int, ...] | None = ()
    if state.where[units[0]] != cell:
        way = staff.way(state, units, cell)
    if way is None:
        return None
    return (
        ("pick", units[0]),
        *(("add", u) for u in units[1:]),
        *(("step", c) for c in way),
    )
