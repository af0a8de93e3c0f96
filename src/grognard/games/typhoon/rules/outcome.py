"""8.4.2 to 8.9 What a result does: steps, retreats, options of retreat, advance after combat."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from grognard.board.board import bits
from grognard.games.typhoon.rules.combat import Battle
from grognard.games.typhoon.rules.costs import costs, river_crossings
from grognard.games.typhoon.rules.eligible import why_not_at
from grognard.games.typhoon.rules.ground import enter
from grognard.games.typhoon.rules.losses import Losses, alive, remove
from grognard.games.typhoon.rules.odds import HUNTERS
from grognard.games.typhoon.rules.reach import mover_of
from grognard.games.typhoon.rules.results import Half, read_result
from grognard.games.typhoon.rules.retreat import Retreat
from grognard.games.typhoon.rules.stacking import excess
from grognard.games.typhoon.state import AXIS, ELIMINATED, FLEE, STAND, TyphoonState
from grognard.kernel import AGAIN, RETURN, Action, Decision, Flow, Refusal, Role, Verb, refusal
from grognard.mechanics.pieces import members

if TYPE_CHECKING:
    from grognard.games.typhoon.game import Typhoon

BAD_WEATHER = ("rain", "snow", "arctic")
"""8.8.3a Weather in which a city shelters those who do not retreat."""


def halves(battle: Battle) -> tuple[Half, Half]:
    return read_result(battle.result)


def hit_attackers(game: Typhoon, state: TyphoonState, battle: Battle) -> tuple[int, ...]:
    """10.1.6 Those who suffer: the attackers, and guns that supported them from next to the enemy."""
    near = bits(battle.targets)
    close = tuple(g for g in battle.guns if state.where[g] >= 0 and game.contacts[state.where[g]] & near)
    return alive(state, (*battle.attackers, *close))


def extra_steps(battle: Battle) -> int:
    """8.4.5, 6.5.7c, 16.1.2 More steps on an asterisk: no attack supply, a fortification, Stalin's order."""
    if not halves(battle)[0].star:
        return 0
    return int(not battle.supplied) + int(battle.fort) + int(battle.obligatory)


def sheltered(game: Typhoon, state: TyphoonState, units: tuple[int, ...]) -> bool:
    """8.8.3 Whether standing fast costs one step, not two."""
    if not units:
        return False
    side = state.side(units[0])
    if side == AXIS:
        return True
    good = game.major_cities | game.hills | game.woods | state.forts[side]
    if state.sky.weather in BAD_WEATHER:
        good |= game.cities
    return all(good >> state.where[unit] & 1 for unit in units)


def steps_owed(
    game: Typhoon, state: TyphoonState, half: Half, option: int, units: tuple[int, ...], extra: int = 0
) -> int:
    """8.4.2, 8.7.2, 8.8.3 What a force loses: less one for an extra retreat, more for none."""
    owed = half.steps
    if half.retreat and option == FLEE:
        owed = max(0, owed - 1)
    if half.retreat and option == STAND:
        owed += 1 if sheltered(game, state, units) else 2
    return owed + extra


def reckon_result(game: Typhoon, state: TyphoonState) -> Flow:
    """8.4.2 Result e: everybody is eliminated at once."""
    battle: Battle = state.local
    attacker, defender = halves(battle)
    if defender.wiped:
        for unit in alive(state, battle.defenders):
            remove(game, state, unit, ELIMINATED, "8.4.2")
    if attacker.wiped:
        for unit in hit_attackers(game, state, battle):
            remove(game, state, unit, ELIMINATED, "8.4.2")
    return None


def armour_first(game: Typhoon, battle: Battle) -> bool:
    """9.3.1a Both sides have armour, and the result an asterisk."""
    star = halves(battle)[0].star
    return star and bool(game.armour & bits(battle.attackers)) and bool(game.armour & bits(battle.defenders))


def defender_losses(game: Typhoon, state: TyphoonState) -> Losses:
    battle: Battle = state.local
    units = alive(state, battle.defenders)
    half = halves(battle)[1]
    owed = steps_owed(game, state, half, battle.defender_option, units)
    first: tuple[tuple[int, ...], ...] = ()
    if armour_first(game, battle) and half.steps:
        first = (tuple(u for u in units if game.armour >> u & 1),)
    return Losses(units, owed, first, last=_nkvd_last(game, state, units))


def _nkvd_last(game: Typhoon, state: TyphoonState, units: tuple[int, ...]) -> tuple[int, ...]:
    """13.5.2"""
    towns = game.cities | game.major_cities | game.villages
    return tuple(u for u in units if game.nkvd >> u & 1 and towns >> state.where[u] & 1)


def attacker_losses(game: Typhoon, state: TyphoonState) -> Losses:
    """12.3.1, 9.3 On an asterisk the engineer that led loses first, then armour that met armour or guns made
    against it; 9.3.1 not if the table itself takes no step."""
    battle: Battle = state.local
    units = hit_attackers(game, state, battle)
    half = halves(battle)[0]
    first: list[tuple[int, ...]] = []
    if half.star and battle.engineer in units:
        first.append((battle.engineer,))
    hunted = any(game.units[u].kind in HUNTERS for u in battle.defenders)
    tanks = tuple(u for u in units if game.armour >> u & 1)
    if half.star and half.steps and tanks and (hunted or armour_first(game, battle)):
        first.append(tanks)
    owed = steps_owed(game, state, half, battle.option, units, extra_steps(battle))
    return Losses(units, owed, tuple(first))


def defender_retreat(game: Typhoon, state: TyphoonState) -> Retreat | None:
    """8.6, 8.7.2, 8.8.1 Everybody left in the hexes attacked goes, supply counters too (6.5.3)."""
    battle: Battle = state.local
    side = 1 - state.active
    if not halves(battle)[1].retreat or battle.defender_option == STAND:
        return None
    going = tuple(u for cell in battle.targets for u in members(state.own(side, cell)))
    return _retreat(game, going, side, battle.defender_option)


def attacker_retreat(game: Typhoon, state: TyphoonState) -> Retreat | None:
    battle: Battle = state.local
    if not halves(battle)[0].retreat or battle.option == STAND:
        return None
    return _retreat(game, hit_attackers(game, state, battle), state.active, battle.option)


def _retreat(game: Typhoon, going: tuple[int, ...], side: int, option: int) -> Retreat | None:
    if not going:
        return None
    if option == FLEE:
        return Retreat(going, game.numbers["extra_retreat_hexes"], 1 - side, zones=False)
    return Retreat(going, game.numbers["retreat_hexes"], side)


# 8.9 Advance


class Advance(NamedTuple):
    """Attackers who may go into the hexes that are empty now."""

    units: tuple[int, ...]
    targets: tuple[int, ...]
    moved: tuple[int, ...] = ()


def after_combat(game: Typhoon, state: TyphoonState) -> Advance | None:
    """8.9, 8.9.2 Attackers who are left and no guns; not if they were beaten back."""
    battle: Battle = state.local
    foe = 1 - state.active
    targets = tuple(cell for cell in battle.targets if not state.fighters(foe, cell))
    half = halves(battle)[0]
    if not targets or half.wiped or (half.retreat and battle.option != STAND):
        return None
    units = tuple(u for u in alive(state, battle.attackers) if not game.guns >> u & 1)
    return Advance(units, targets) if units else None


def why_not_advance(
    game: Typhoon, state: TyphoonState, advance: Advance, unit: int, cell: int
) -> Refusal | None:
    """8.9.2 to 8.9.5, 8.3.5"""
    if unit not in advance.units or unit in advance.moved or state.where[unit] < 0:
        return refusal("no-advance", "8.9.2", unit=unit)
    here = state.where[unit]
    if cell not in advance.targets or not game.contacts[here] >> cell & 1:
        return refusal("advance-elsewhere", "8.9.3", unit=unit, hex=cell)
    stack = members(state.own(state.active, cell))
    if excess([game.units[u] for u in (*stack, unit)]):
        return refusal("no-room", "8.9.4", unit=unit, hex=cell)
    if not _may_step(game, state, unit, here, cell):
        return refusal("forbidden-terrain", "8.3.5", unit=unit, hex=cell)
    return why_not_at(game, state, unit, cell)


def _may_step(game: Typhoon, state: TyphoonState, unit: int, here: int, cell: int) -> bool:
    if game.trains >> unit & 1:
        return game.board.side_has(here, cell, "rail")
    mover, artillery = mover_of(game, unit)
    sky = state.sky
    way = costs(game.board, mover, sky, artillery).step(here, cell)
    return bool(way or river_crossings(game.board, mover, sky, artillery).step(here, cell))


class AdvanceUnits(Decision["Typhoon", TyphoonState]):
    """8.9 Victorious attackers may enter the hex at once, or not at all."""

    name = "advance-units"
    case = "8.9"
    verbs = {"advance": Verb(("unit", "hex"), Role.PLACE), "stay": Verb((), Role.PASS)}

    def pending(self, game: Typhoon, state: TyphoonState) -> bool:
        return state.local is not None and bool(self._open(game, state))

    def actor(self, game: Typhoon, state: TyphoonState) -> int:
        return state.active

    def _open(self, game: Typhoon, state: TyphoonState) -> list[Action]:
        advance: Advance = state.local
        return [
            ("advance", unit, cell)
            for unit in advance.units
            for cell in advance.targets
            if why_not_advance(game, state, advance, unit, cell) is None
        ]

    def options(self, game: Typhoon, state: TyphoonState, side: int) -> list[Action]:
        return [*self._open(game, state), ("stay",)]

    def refuse(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Refusal | None:
        if action[0] == "stay":
            return None
        return why_not_advance(game, state, state.local, action[1], action[2])

    def apply(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Flow:
        if action[0] == "stay":
            return RETURN
        advance: Advance = state.local
        here = state.where[action[1]]
        state.local = advance._replace(moved=(*advance.moved, action[1]))
        enter(game, state, action[1], action[2])
        state.emit("advanced", "8.9", unit=action[1], hex_from=here, hex=action[2])
        return AGAIN
