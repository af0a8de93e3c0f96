"""9.0 Resolution: what an attack and an overrun have in common, from the announcement to the die; 12.0 armour
in both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from grognard.board.board import bits
from grognard.games.leningrad.rules.supply import in_supply
from grognard.games.leningrad.state import GERMAN, SOVIET, LeningradState
from grognard.kernel import Action, Verb
from grognard.mechanics.dice import Throw
from grognard.mechanics.odds import Odds, Shift, whole_odds

if TYPE_CHECKING:
    from grognard.games.leningrad.game import Leningrad


class Battle(NamedTuple):
    """An announced attack or overrun and what has become of it."""

    overrun: bool
    attackers: tuple[int, ...]
    defenders: tuple[int, ...]
    bystanders: tuple[int, ...]
    """8.4 Units that retreated into a target hex earlier in the phase: they do not fight."""
    targets: tuple[int, ...]
    origins: tuple[int, ...]
    """The hexes the attackers fight from."""
    air: int = 0
    initial: int = 0
    final: int = 0
    result: str = ""
    defender_hurt: bool = False
    """The defender lost a step or retreated."""
    retreated: tuple[int, ...] = ()
    """Units of either side that retreated because of this battle."""
    passed: tuple[tuple[int, int], ...] = ()
    """Hexes that retreating units entered and left again, or were caught in, each behind the hex they came
    from (10.9)."""
    advanced: tuple[int, ...] = ()


def engage(
    state: LeningradState,
    attackers: Sequence[int],
    targets: tuple[int, ...],
    defenders: Sequence[int],
    bystanders: Sequence[int] = (),
    overrun: bool = False,
) -> Battle:
    """The battle of some units, from the hexes where they stand."""
    origins = tuple(sorted({state.where[u] for u in attackers}))
    return Battle(overrun, tuple(attackers), tuple(defenders), tuple(bystanders), targets, origins)


def attacking_side(game: Leningrad, battle: Battle) -> int:
    return game.side(battle.attackers[0])


def work_out_odds(game: Leningrad, state: LeningradState, battle: Battle) -> Odds:
    """9.0 The initial odds, every shift with its case, and the final column."""
    attack = sum(attack_strength(game, state, u) for u in battle.attackers)
    defence = sum(defence_strength(game, state, u) for u in battle.defenders)
    return odds_from(game, attack, defence, tuple(column_shifts(game, state, battle)))


def odds_from(game: Leningrad, attack: int, defence: int, shifts: tuple[Shift, ...]) -> Odds:
    """9.0, 9.2, 9.4 The column that two totals and their shifts come to."""
    columns = game.data.crt.columns
    if attack == 0:
        return Odds(attack, defence, columns[0], shifts, columns[0])
    if defence == 0:
        return Odds(attack, defence, columns[-1], shifts, columns[-1])
    initial = whole_odds(attack, defence)
    return Odds(attack, defence, initial, shifts, initial + sum(s.columns for s in shifts))


def attack_strength(game: Leningrad, state: LeningradState, unit: int) -> int:
    """2.5 a German's combat strength, 2.6 a Soviet's attack strength."""
    if unit < state.germans:
        counter = game.units[unit]
        return counter.strength if state.steps[unit] == 2 else counter.reduced
    return game.data.untried[state.rating[unit] - 1].attack


def defence_strength(game: Leningrad, state: LeningradState, unit: int) -> int:
    if unit < state.germans:
        return attack_strength(game, state, unit)
    return game.data.untried[state.rating[unit] - 1].defence


def shelter(game: Leningrad, state: LeningradState, side: int, cells: int) -> dict[str, int]:
    """9.6 What the ground of some hexes does for a side that is attacked there."""
    return {
        "defender-terrain": bool(cells & game.rough_ground),
        "fort": side == SOVIET and bool(cells & state.forts),
        "soviet-city": side == SOVIET and bool(cells & game.soviet_cities),
    }


def corps_involved(game: Leningrad, state: LeningradState, units: Sequence[int]) -> int:
    """12.1 How many panzer corps have all their units here, alive, in one hex and in the fight."""
    whole = [corps for corps in game.corps if set(corps) <= set(units)]
    return sum(len({state.where[u] for u in corps}) == 1 for corps in whole)


def armoured(game: Leningrad, state: LeningradState, unit: int) -> bool:
    """12.2 Armoured, not mechanised. A Soviet unit is what its revealed side says (14.2)."""
    if game.side(unit) == GERMAN:
        return game.units[unit].kind == "armour"
    return game.data.untried[state.rating[unit] - 1].kind == "armour"


def armour_helps(game: Leningrad, side: int, cells: int) -> bool:
    """12.3 Whether armour and whole corps help a side that is attacked there."""
    return side == SOVIET or not cells & game.soviet_cities


def column_shifts(game: Leningrad, state: LeningradState, battle: Battle) -> list[Shift]:
    """9.6 Every shift that applies, in the order of the table. They add up."""
    attacker = attacking_side(game, battle)
    defender, cells = 1 - attacker, bits(battle.targets)

    def fed(side: int, units: tuple[int, ...]) -> bool:
        return all(in_supply(game, state, side, state.where[u]) for u in units)

    def tanks(units: tuple[int, ...]) -> bool:
        return any(armoured(game, state, u) for u in units)

    sides = [(here, there) for here in battle.origins for there in battle.targets]
    in_the_open = not cells & ~(game.open_ground & ~state.forts)
    times = shelter(game, state, defender, cells) | {
        "overrun": battle.overrun,
        "attacker-unsupplied": not fed(attacker, battle.attackers),
        "river": all(game.board.side_has(here, there, "river") for here, there in sides),
        "attacker-armour": in_the_open and tanks(battle.attackers),
        "attacker-corps": corps_involved(game, state, battle.attackers),
        "attacker-air" if attacker == GERMAN else "defender-air": battle.air,
        "defender-unsupplied": not fed(defender, battle.defenders),
        "surprise": attacker == SOVIET and state.surprise,
    }
    if armour_helps(game, defender, cells):
        times["defender-armour"] = tanks(battle.defenders)
        times["defender-corps"] = corps_involved(game, state, battle.defenders)
    listed = game.data.shifts.items()
    return [Shift(columns * times[n], case, n) for n, (columns, case) in listed if times.get(n)]


def settle_odds(game: Leningrad, state: LeningradState) -> None:
    """9.1 The odds are announced before the die."""
    battle: Battle = state.local
    odds = work_out_odds(game, state, battle)
    state.local = battle._replace(initial=odds.initial, final=odds.final)
    state.emit("odds", "9.1", **odds.facts(game.data.crt.column(odds.final)))


class RollDie(Throw["Leningrad", LeningradState]):
    """9.0 One die against the final column."""

    name = "roll-die"
    case = "9.0"
    verbs = {"roll": Verb(("number",))}

    def apply(self, game: Leningrad, state: LeningradState, side: int, action: Action) -> None:
        state.emit("result", "9.5", **game.data.crt.decide(state, action[1]))
