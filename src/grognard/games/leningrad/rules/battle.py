"""9.0 Resolution: what an attack and an overrun have in common, from the announcement to the die."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from grognard.board.board import bits
from grognard.games.leningrad.rules.armour import armoured, corps_involved
from grognard.games.leningrad.rules.supply import in_supply
from grognard.games.leningrad.state import GERMAN, SOVIET, LeningradState
from grognard.kernel import Action, Flow, Verb
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


def column_shifts(game: Leningrad, state: LeningradState, battle: Battle) -> list[Shift]:
    """9.6 Every shift that applies, in the order of the table. They add up."""
    attacker = attacking_side(game, battle)
    defender = 1 - attacker
    found: list[Shift] = []

    def shift(name: str, times: int = 1) -> None:
        columns, case = game.data.shifts[name]
        if times:
            found.append(Shift(columns * times, case, name))

    any_target = bits(battle.targets)
    if battle.overrun:
        shift("overrun")
    if not all(in_supply(game, state, attacker, state.where[u]) for u in battle.attackers):
        shift("attacker-unsupplied")
    if any_target & game.rough_ground:
        shift("defender-terrain")
    if defender == SOVIET and any_target & state.forts:
        shift("fort")
    if all(game.board.side_has(o, t, "river") for o in battle.origins for t in battle.targets):
        shift("river")
    in_city = bool(any_target & game.soviet_cities)
    shelters_armour = not (defender == GERMAN and in_city)  # 12.3
    if shelters_armour and any(armoured(game, state, u) for u in battle.defenders):
        shift("defender-armour")
    if defender == SOVIET and in_city:
        shift("soviet-city")
    if shelters_armour:
        shift("defender-corps", corps_involved(game, state, battle.defenders))
    if defender == GERMAN:
        shift("defender-air", battle.air)
    open_ground = not any_target & ~(game.open_ground & ~state.forts)
    if open_ground and any(armoured(game, state, u) for u in battle.attackers):
        shift("attacker-armour")
    if attacker == GERMAN:
        shift("attacker-corps", corps_involved(game, state, battle.attackers))
        shift("attacker-air", battle.air)
    if not all(in_supply(game, state, defender, state.where[u]) for u in battle.defenders):
        shift("defender-unsupplied")
    if attacker == SOVIET and state.surprise:
        shift("surprise")
    return found


def settle_odds(game: Leningrad, state: LeningradState) -> Flow:
    """9.1 The odds are announced before the die."""
    battle: Battle = state.local
    odds = work_out_odds(game, state, battle)
    state.local = battle._replace(initial=odds.initial, final=odds.final)
    state.emit("odds", "9.1", **odds.facts(game.data.crt.column(odds.final)))
    return None


class RollDie(Throw["Leningrad", LeningradState]):
    """9.0 One die against the final column."""

    name = "roll-die"
    case = "9.0"
    verbs = {"roll": Verb(("number",))}

    def apply(self, game: Leningrad, state: LeningradState, side: int, action: Action) -> Flow:
        state.emit("result", "9.5", **game.data.crt.decide(state, action[1]))
        return None
