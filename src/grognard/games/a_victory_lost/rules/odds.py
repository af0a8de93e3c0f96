"""9.3 The odds: strengths halved stack by stack, one column down for each kind of shelter."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from grognard.board.board import each
from grognard.games.a_victory_lost.state import ISOLATED, SUPPLIED, VictoryState
from grognard.kernel import Refusal, refusal
from grognard.mechanics.odds import Odds, halved_odds

if TYPE_CHECKING:
    from grognard.games.a_victory_lost.game import AVictoryLost

IMPOSSIBLE = -1
"""Odds below 1-1: no attack (9.3.4)."""


def attack_strength(game: AVictoryLost, state: VictoryState, unit: int) -> int:
    """2.2.2, 2.2.3 As printed on the face that shows."""
    counter = game.units[unit]
    return counter.attack if state.steps[unit] == counter.steps else counter.reduced_attack


def defence_strength(game: AVictoryLost, state: VictoryState, unit: int) -> int:
    counter = game.units[unit]
    return counter.defence if state.steps[unit] == counter.steps else counter.reduced_defence


def total_attack(game: AVictoryLost, state: VictoryState, units: Iterable[int], target: int) -> int:
    """9.3.1, 1.3 Halved across a river and again without supply: what shares a hex and a divisor is added up
    before it is divided and rounded down."""
    return sum(share.counted for share in attack_shares(game, state, units, target))


class StrengthShare(NamedTuple):
    """Units that share a hex and a divisor."""

    units: tuple[int, ...]
    printed: int
    counted: int
    halved_by: tuple[str, ...]
    """Why they are halved: across a `river`, `unsupplied`, `isolated`."""


def attack_shares(
    game: AVictoryLost, state: VictoryState, units: Iterable[int], target: int
) -> list[StrengthShare]:
    """9.3.1 The attackers, by hex and by what halves them."""
    found: dict[tuple[int, tuple[str, ...]], list[int]] = {}
    for unit in units:
        cell = state.where[unit]
        river = ("river",) if (cell, target) in game.data.rivers else ()
        hungry = ("unsupplied",) if state.supply[unit] != SUPPLIED else ()
        found.setdefault((cell, river + hungry), []).append(unit)
    return [
        _stack(stack, sum(attack_strength(game, state, unit) for unit in stack), halved)
        for (_, halved), stack in found.items()
    ]


def defence_shares(game: AVictoryLost, state: VictoryState, target: int) -> list[StrengthShare]:
    """9.1.5, 9.3.1 The defenders, isolated ones apart."""
    found: dict[tuple[str, ...], list[int]] = {}
    for unit in each(state.fighters_at(target)):
        found.setdefault(("isolated",) if state.supply[unit] == ISOLATED else (), []).append(unit)
    return [
        _stack(stack, sum(defence_strength(game, state, unit) for unit in stack), halved)
        for halved, stack in found.items()
    ]


def _stack(units: list[int], printed: int, halved: tuple[str, ...]) -> StrengthShare:
    return StrengthShare(tuple(units), printed, printed >> len(halved), halved)


def total_defence(game: AVictoryLost, state: VictoryState, target: int) -> int:
    """9.1.5, 9.3.1 Everybody on the hex together; isolated units are halved."""
    return sum(share.counted for share in defence_shares(game, state, target))


def work_out_odds(game: AVictoryLost, state: VictoryState, units: Iterable[int], target: int) -> Odds:
    """9.3 The ratio rounded down, and the shifts of the ground (9.3.3), which a helpless defender does not
    enjoy (9.3.5)."""
    attack = total_attack(game, state, units, target)
    defence = total_defence(game, state, target)
    if not defence:
        top = game.data.crt.columns[-1]
        return Odds(attack, defence, top, (), top)
    initial = halved_odds(attack, defence)
    shifts = game.shelter[target]
    if initial == IMPOSSIBLE:
        return Odds(attack, defence, initial, shifts, IMPOSSIBLE)
    final = max(IMPOSSIBLE, initial + sum(s.columns for s in shifts))
    return Odds(attack, defence, initial, shifts, final)


def why_too_low(odds: Odds, target: int) -> Refusal | None:
    """9.3.4 Whether an attack is impossible: for the strengths, or for the ground (9.3.3)."""
    if odds.final != IMPOSSIBLE:
        return None
    facts = {"hex": target, "attack": odds.attack, "defence": odds.defence}
    if odds.initial == IMPOSSIBLE:
        return refusal("odds-too-low", "9.3.4", **facts)
    columns = -sum(shift.columns for shift in odds.shifts)
    return refusal("shifted-too-low", "9.3.4", **facts, odds_initial=odds.initial, number=columns)
