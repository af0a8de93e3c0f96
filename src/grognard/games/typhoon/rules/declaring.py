"""8.1, 8.2 Attacks are declared while moving, and must then be fought."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from grognard.board.board import bits, each, union
from grognard.games.typhoon.rules.calendar import free_attacked
from grognard.games.typhoon.rules.costs import costs, river_crossings
from grognard.games.typhoon.rules.eligible import Bar, declared_units, unbarred, why_barred
from grognard.games.typhoon.rules.ground import lose_supply, release, stack_zone
from grognard.games.typhoon.rules.hand import mode_of
from grognard.games.typhoon.rules.odds import UNDER, Clash, hexes_of, reckon
from grognard.games.typhoon.rules.reach import MOTORISED, ORDINARY, mover_of
from grognard.games.typhoon.rules.strength import attack_of
from grognard.games.typhoon.state import AXIS, SOVIET, Declared, TyphoonState
from grognard.kernel import RETURN, Action, Flow, Refusal, Role, Verb, refusal
from grognard.mechanics.attacks import GatherAttackers, next_to_all
from grognard.mechanics.pieces import members

if TYPE_CHECKING:
    from grognard.games.typhoon.game import Typhoon

THAWED = ("dry", "rain", "frost")
"""8.3.6b by ruling: weather in which nobody need attack across a major river."""


class Attack(NamedTuple):
    """An attack being put together."""

    targets: tuple[int, ...]
    attackers: tuple[int, ...] = ()


def may_declare(state: TyphoonState) -> bool:
    """8.1.1 The Axis declares in its movement phase, the Soviets in their motorised phase."""
    if state.active == AXIS:
        return mode_of(state) == ORDINARY and state.within("movement-phase")
    return mode_of(state) == MOTORISED


def is_target(state: TyphoonState, cell: int) -> bool:
    return any(cell in attack.targets for attack in state.attacks)


def can_reach(game: Typhoon, state: TyphoonState, unit: int, target: int) -> bool:
    """8.1.2, 8.3.5, 13.3.2 Whether a unit may attack a hex next to it: one that it could enter, or from which
    an enemy zone comes."""
    cell, side = state.where[unit], state.side(unit)
    board = game.board
    if game.trains >> unit & 1:
        return board.side_has(cell, target, "rail")
    mover, artillery = mover_of(game, unit)
    if costs(board, mover, state.sky, artillery).step(cell, target):
        return True
    if river_crossings(board, mover, state.sky, artillery).step(cell, target):
        return True
    if board.side_has(cell, target, "lake") and board.side_has(cell, target, "bridge"):
        return True
    return bool(stack_zone(game, state, 1 - side, target) >> cell & 1)


def attack_bars(game: Typhoon, state: TyphoonState, units: int) -> Iterator[Bar]:
    """8.1, 10.1.1, 15.2.1b What keeps units from attacking at all."""
    yield Bar(~(game.units_of[state.active] & state.present), "not-yours", "8.1.1")
    yield Bar(game.guns, "guns-support", "10.1.1")
    yield Bar(bits(u for u in members(units) if not attack_of(game, state, u)), "no-attack", "2.4")
    yield Bar(declared_units(state), "attacks-already", "8.1.5")
    yield Bar(state.refitting, "refitting", "15.2.1")
    yield Bar(state.held, "held", "18.0")


def why_not_attack(game: Typhoon, state: TyphoonState, unit: int) -> Refusal | None:
    """Whether a unit may attack at all."""
    return why_barred(game, state, attack_bars, unit)


def why_not_join(game: Typhoon, state: TyphoonState, attack: Attack, unit: int) -> Refusal | None:
    """8.1.2, 8.1.3, 8.2.1, 8.2.2"""
    reason = why_not_attack(game, state, unit)
    if reason is not None:
        return reason
    if unit in attack.attackers:
        return refusal("in-hand-already", "8.2.1", unit=unit)
    for target in attack.targets:
        if not game.contacts[target] >> state.where[unit] & 1:
            return refusal("not-next-to-target", "8.1.3", unit=unit, hex=target)
        if not can_reach(game, state, unit, target):
            return refusal("target-forbidden", "8.3.5", unit=unit, hex=target)
    return None


def joiners(game: Typhoon, state: TyphoonState, attack: Attack) -> list[int]:
    near = next_to_all(game.contacts, attack.targets) & state.occupied[state.active]
    there = [u for cell in each(near) for u in members(state.fighters(state.active, cell))]
    return [u for u in there if why_not_join(game, state, attack, u) is None]


def _reached(game: Typhoon, state: TyphoonState, cell: int, attackers: int) -> bool:
    """Whether some of these units stands beside a hex and may attack it."""
    near = (state.at.get(there, 0) & attackers for there in game.board.adjacent[cell])
    return any(can_reach(game, state, unit, cell) for units in near for unit in members(units))


def why_not_target(game: Typhoon, state: TyphoonState, cell: int, attackers: int = -1) -> Refusal | None:
    """8.1.1, 8.1.5. Who may attack at all can be said by whoever asks of many hexes."""
    if not may_declare(state):
        return refusal("declare-when", "8.1.1")
    if not state.occupied[1 - state.active] >> cell & 1:
        return refusal("nobody-to-attack", "8.1.2", hex=cell)
    if is_target(state, cell):
        return refusal("attacked-already", "8.1.5", hex=cell)
    if attackers < 0:
        attackers = _attackers(game, state, game.contacts[cell])
    if not _reached(game, state, cell, attackers):
        return refusal("no-attackers", "8.1.3", hex=cell)
    return None


def _attackers(game: Typhoon, state: TyphoonState, cells: int) -> int:
    """Who may attack from some hexes."""
    there = union(state.at[cell] for cell in each(cells & state.occupied[state.active]))
    return unbarred(game, state, attack_bars, there & ~state.others)


def targets_open(game: Typhoon, state: TyphoonState) -> list[int]:
    if not may_declare(state):
        return []
    ours, foes = state.occupied[state.active], state.occupied[1 - state.active]
    attackers = _attackers(game, state, game.board.spread(foes))
    near = each(game.board.spread(ours) & foes)
    return [cell for cell in near if why_not_target(game, state, cell, attackers) is None]


def initial_column(game: Typhoon, state: TyphoonState, attack: Attack) -> int:
    """8.4.3 The odds before the defender reacts, guns from elsewhere not counted."""
    return reckon(game, state, Clash(attack.targets, attack.attackers)).column


# 8.1.2 Who must be attacked


def exposed(game: Typhoon, state: TyphoonState, cells: Iterable[int]) -> int:
    """The hexes of enemies whose zones reach some hexes, those across a major river apart (8.3.6b)."""
    side, found = state.active, 0
    for cell in cells:
        for there in game.board.adjacent[cell]:
            if (
                not state.fighters(1 - side, there)
                or not stack_zone(game, state, 1 - side, there) >> cell & 1
            ):
                continue
            wet = game.board.side_has(cell, there, "major_river")
            if not (wet and state.sky.weather in THAWED):
                found |= 1 << there
    return found


def unmet(game: Typhoon, state: TyphoonState) -> list[int]:
    """8.1.2 The enemy hexes that must still be attacked by somebody."""
    if not state.attacks:
        return []
    hexes = hexes_of(state, (unit for attack in state.attacks for unit in attack.attackers))
    attacked = bits(cell for attack in state.attacks for cell in attack.targets)
    return each(exposed(game, state, hexes) & ~attacked)


def withdrawable(game: Typhoon, state: TyphoonState, owed: list[int]) -> list[int]:
    """By ruling: attacks that leave an enemy unattacked who must be, by their first hexes."""
    found = []
    for attack in state.attacks:
        if exposed(game, state, hexes_of(state, attack.attackers)) & bits(owed):
            found.append(attack.targets[0])
    return found


def why_not_withdraw(game: Typhoon, state: TyphoonState, cell: int) -> Refusal | None:
    owed = unmet(game, state)
    if not any(attack.targets[0] == cell for attack in state.attacks):
        return refusal("not-declared", "8.1.1", hex=cell)
    if cell not in withdrawable(game, state, owed):
        return refusal("must-be-fought", "8.1.1", hex=cell)
    return None


def withdraw(game: Typhoon, state: TyphoonState, cell: int) -> None:
    state.attacks = tuple(attack for attack in state.attacks if attack.targets[0] != cell)
    state.emit("attack-withdrawn", "8.1.2", hex=cell)


def drop_void(state: TyphoonState) -> None:
    """Attacks whose hexes are empty are none: their units are free again."""
    foe = 1 - state.active
    kept = []
    for attack in state.attacks:
        targets = tuple(cell for cell in attack.targets if state.fighters(foe, cell))
        attackers = tuple(unit for unit in attack.attackers if state.where[unit] >= 0)
        if targets and attackers:
            kept.append(attack._replace(targets=targets, attackers=attackers))
    state.attacks = tuple(kept)


class BuildAttack(GatherAttackers["Typhoon", TyphoonState]):
    """8.2 Units join, further hexes are added, and the attack is declared; or it is given up."""

    name = "build-attack"
    case = "8.2"
    verbs = {
        "join": Verb(("unit",), Role.JOIN),
        "widen": Verb(("hex",), Role.WIDEN),
        "declare": Verb((), Role.COMMIT),
        "cancel": Verb((), Role.PASS),
    }

    def actor(self, game: Typhoon, state: TyphoonState) -> int:
        return state.active

    def joiners(self, game: Typhoon, state: TyphoonState) -> list[int]:
        return joiners(game, state, state.local)

    def why_not_join(self, game: Typhoon, state: TyphoonState, unit: int) -> Refusal | None:
        return why_not_join(game, state, state.local, unit)

    def wider(self, game: Typhoon, state: TyphoonState) -> list[int]:
        attack: Attack = state.local
        if not attack.attackers:
            return []
        near = next_to_all(game.contacts, hexes_of(state, attack.attackers))
        found = each(near & state.occupied[1 - state.active])
        return [cell for cell in found if self.why_not_widen(game, state, cell) is None]

    def why_not_widen(self, game: Typhoon, state: TyphoonState, cell: int) -> Refusal | None:
        """8.2.2 All attackers must be next to all hexes."""
        attack: Attack = state.local
        if cell in attack.targets or is_target(state, cell):
            return refusal("attacked-already", "8.1.5", hex=cell)
        if not state.fighters(1 - state.active, cell):
            return refusal("nobody-to-attack", "8.1.2", hex=cell)
        if not attack.attackers:
            return refusal("attackers-first", "8.2.2", hex=cell)
        for unit in attack.attackers:
            reachable = game.contacts[cell] >> state.where[unit] & 1 and can_reach(game, state, unit, cell)
            if not reachable:
                return refusal("not-next-to-target", "8.2.2", unit=unit, hex=cell)
        return None

    def why_not_fight(self, game: Typhoon, state: TyphoonState) -> Refusal | None:
        attack: Attack = state.local
        if not attack.attackers:
            return refusal("no-attackers", "8.1.3", hex=attack.targets[0])
        if not any(state.fighters(1 - state.active, cell) for cell in attack.targets):
            return None  # supply counters alone (6.5.3)
        if initial_column(game, state, attack) == UNDER:
            return refusal("odds-too-low", "8.4.3", hex=attack.targets[0])
        return None

    def options(self, game: Typhoon, state: TyphoonState, side: int) -> list[Action]:
        return [*super().options(game, state, side), ("cancel",)]

    def refuse(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Refusal | None:
        return None if action[0] == "cancel" else super().refuse(game, state, side, action)

    def apply(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Flow:
        if action[0] == "cancel":
            return RETURN
        if action[0] == "declare":
            declare(game, state, state.local)
            return RETURN
        return super().apply(game, state, side, action)


def declare(game: Typhoon, state: TyphoonState, attack: Attack) -> None:
    """8.1.1 A marker is laid. 6.5.3 Supply counters alone in a hex are lost; 13.6.2a a garrison is free."""
    foe = 1 - state.active
    for cell in attack.targets:
        if not state.fighters(foe, cell):
            for unit in members(state.own(foe, cell)):
                lose_supply(state, unit, "6.5.3")
    targets = tuple(sorted(cell for cell in attack.targets if state.fighters(foe, cell)))
    if not targets:
        return
    column = initial_column(game, state, attack._replace(targets=targets))
    state.attacks = (*state.attacks, Declared(targets, attack.attackers, odds=column))
    if foe == SOVIET:
        release(game, state, bits(targets))
    for cell in targets:
        free_attacked(state, state.fighters(foe, cell))
    state.emit("declared", "8.1.1", hexes=targets, units=attack.attackers)
