"""8.0 Combat: which units attack which, one attack at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from grognard.board.board import bits, each, union
from grognard.games.leningrad.rules import surprise
from grognard.games.leningrad.rules.battle import Battle, engage
from grognard.games.leningrad.state import LeningradState, members
from grognard.kernel import Refusal, Role, Verb, refusal
from grognard.mechanics.attacks import GatherAttackers, NameTarget, free_units, next_to_all
from grognard.mechanics.control import in_contact, zone

if TYPE_CHECKING:
    from grognard.games.leningrad.game import Leningrad


class Attack(NamedTuple):
    """An attack being put together."""

    targets: tuple[int, ...] = ()
    attackers: tuple[int, ...] = ()


def may_be_attacked(state: LeningradState, cell: int) -> bool:
    """8.2 Somebody there has not been attacked yet in this phase."""
    return bool(state.at[cell] & ~state.attacked)


def why_not_join(game: Leningrad, state: LeningradState, attack: Attack, unit: int) -> Refusal | None:
    """8.1, 8.2, 8.5 Whether a unit may take part in an attack on these hexes."""
    if game.side(unit) != state.active or not state.on_map(unit):
        return refusal("not-yours", "8.0", unit=unit)
    if state.fought >> unit & 1:
        return refusal("fought-already", "8.2", unit=unit)
    if unit in attack.attackers:
        return refusal("joined-already", "8.6", unit=unit)
    for cell in attack.targets:
        if not in_contact(game, state.where[unit], cell):
            case = "8.1" if len(attack.targets) == 1 else "8.5"
            return refusal("not-next-to-target", case, unit=unit, hex=cell)
    return None


def able_to_join(game: Leningrad, state: LeningradState, attack: Attack) -> list[int]:
    """8.3 Every unit that may still join."""
    near = next_to_all(game.contact, attack.targets) & state.occupied[state.active]
    return free_units(state.at, near, ~state.fought & ~bits(attack.attackers))


class ChooseTarget(NameTarget["Leningrad", LeningradState]):
    """8.0 The phasing player names a hex to attack, or ends the phase."""

    name = "choose-target"
    case = "8.0"
    verbs = {"target": Verb(("hex",), Role.AIM), "end": Verb((), Role.END)}
    prompts = ("choose-target", "choose-target-bound", "choose-target-bound-done")

    def prompt(self, game: Leningrad, state: LeningradState, side: int) -> str:
        """17.3 Before the surprised have attacked as they must, the phase cannot be ended."""
        if not game.soviets_surprised(state, side):
            return self.name
        done = self.why_not_end(game, state, side) is None
        return "choose-target-bound-done" if done else "choose-target-bound"

    def exposed(self, game: Leningrad, state: LeningradState, side: int) -> int:
        return state.occupied[1 - side] & zone(game, state, side)

    def why_not_target(self, game: Leningrad, state: LeningradState, side: int, cell: int) -> Refusal | None:
        if not state.occupied[1 - side] >> cell & 1:
            return refusal("nobody-to-attack", "8.0", hex=cell)
        if not may_be_attacked(state, cell):
            return refusal("attacked-already", "8.2", hex=cell)
        if not able_to_join(game, state, Attack((cell,))):
            return refusal("nobody-can-attack", "8.1", hex=cell)
        return None

    def why_not_end(self, game: Leningrad, state: LeningradState, side: int) -> Refusal | None:
        return surprise.why_not_end_combat(game, state) if game.soviets_surprised(state, side) else None

    def attack_on(self, cell: int) -> Attack:
        return Attack((cell,))


class BuildAttack(GatherAttackers["Leningrad", LeningradState]):
    """8.3, 8.5, 9.1 Attackers join one by one, further hexes may be added, then the attack is on."""

    name = "build-attack"
    case = "8.3"
    verbs = {
        "join": Verb(("unit",), Role.JOIN),
        "also": Verb(("hex",), Role.WIDEN),
        "fight": Verb((), Role.COMMIT),
    }

    def joiners(self, game: Leningrad, state: LeningradState) -> list[int]:
        return able_to_join(game, state, state.local)

    def wider(self, game: Leningrad, state: LeningradState) -> list[int]:
        near = state.occupied[1 - state.active] & zone(game, state, state.active)
        return [c for c in each(near) if self.why_not_widen(game, state, c) is None]

    def why_not_join(self, game: Leningrad, state: LeningradState, unit: int) -> Refusal | None:
        return why_not_join(game, state, state.local, unit)

    def why_not_widen(self, game: Leningrad, state: LeningradState, cell: int) -> Refusal | None:
        attack: Attack = state.local
        side = state.active
        if cell in attack.targets:
            return refusal("target-already", "8.5", hex=cell)
        if not state.occupied[1 - side] >> cell & 1:
            return refusal("nobody-to-attack", "8.5", hex=cell)
        if not may_be_attacked(state, cell):
            return refusal("attacked-already", "8.2", hex=cell)
        for unit in attack.attackers:
            if not in_contact(game, state.where[unit], cell):
                return refusal("not-next-to-target", "8.5", unit=unit, hex=cell)
        wider = Attack((*attack.targets, cell), attack.attackers)
        able = able_to_join(game, state, wider)
        if not attack.attackers and not able:
            return refusal("nobody-can-attack", "8.5", hex=cell)
        if game.soviets_surprised(state, side):
            return surprise.why_stranding(game, state, bits(wider.targets), (*attack.attackers, *able))
        return None

    def why_not_fight(self, game: Leningrad, state: LeningradState) -> Refusal | None:
        attack: Attack = state.local
        if not attack.attackers:
            return refusal("no-attackers", "9.1")
        if game.soviets_surprised(state, state.active):
            return surprise.why_stranding(game, state, bits(attack.targets), attack.attackers)
        return None


def announce_attack(game: Leningrad, state: LeningradState) -> Battle:
    """8.2, 8.4 Note who attacks and who is attacked; who fell back here earlier only stands by."""
    attack: Attack = state.local
    attackers = tuple(sorted(attack.attackers))
    there = union(state.at[cell] for cell in attack.targets)
    defenders = there & ~state.attacked
    state.fought |= bits(attackers)
    state.attacked |= there
    case = "17.3" if game.soviets_surprised(state, state.active) else "8.0"
    state.emit("attack", case, units=attackers, hexes=attack.targets, units_target=tuple(members(there)))
    return engage(state, attackers, attack.targets, members(defenders), members(there & ~defenders))


def begin_combat(game: Leningrad, state: LeningradState) -> None:
    state.emit("phase", "8.0", word_phase=game.phase(state).id)
    if game.soviets_surprised(state, state.active):
        state.emit("bound-to-attack", "17.3")
    state.fought = state.attacked = 0
