"""9.0 Combat: which activated units attack which hex, one attack at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from grognard.board.board import bits, each
from grognard.games.a_victory_lost.data import Result, read_result
from grognard.games.a_victory_lost.rules.command import why_not_active
from grognard.games.a_victory_lost.rules.headquarters import note_companions
from grognard.games.a_victory_lost.rules.odds import why_too_low, work_out_odds
from grognard.games.a_victory_lost.state import VictoryState
from grognard.kernel import Action, Refusal, Role, Verb, refusal
from grognard.mechanics.attacks import GatherAttackers, NameTarget, free_units
from grognard.mechanics.control import zone
from grognard.mechanics.dice import Throw

if TYPE_CHECKING:
    from grognard.games.a_victory_lost.game import AVictoryLost


class Attack(NamedTuple):
    """An attack being put together."""

    target: int
    attackers: tuple[int, ...] = ()


class Battle(NamedTuple):
    """A declared attack and what has become of it."""

    target: int
    attackers: tuple[int, ...]
    defenders: tuple[int, ...]
    final: int = 0
    result: str = ""

    @property
    def outcome(self) -> Result:
        return read_result(self.result)


def begin_combat(game: AVictoryLost, state: VictoryState) -> None:
    state.fought = state.attacked = 0
    note_companions(game, state)


def able_to_join(game: AVictoryLost, state: VictoryState, attack: Attack) -> list[int]:
    """9.1.1, 9.1.6 Activated combat units next to the target that have not fought yet."""
    ready = state.activated & ~state.fought & ~state.hqs & ~bits(attack.attackers)
    return free_units(state.at, game.contact[attack.target] & state.fighters[state.active], ready)


class ChooseTarget(NameTarget["AVictoryLost", VictoryState]):
    """9.2 step 1: the active player names a hex to attack, or ends the sequence (9.1.2)."""

    name = "choose-target"
    case = "9.2"
    verbs = {"target": Verb(("hex",), Role.AIM), "end": Verb((), Role.END)}

    def exposed(self, game: AVictoryLost, state: VictoryState, side: int) -> int:
        return state.fighters[1 - side] & zone(game, state, side) & ~state.attacked

    def why_not_target(self, game: AVictoryLost, state: VictoryState, side: int, cell: int) -> Refusal | None:
        """9.0, 9.1.4, 9.3.4 Whether a hex can be attacked at all, by everybody who might join."""
        if not state.fighters[1 - side] >> cell & 1:
            if state.occupied[1 - side] >> cell & 1:
                return refusal("hq-alone", "9.0", hex=cell)
            return refusal("nobody-to-attack", "9.0", hex=cell)
        if state.attacked >> cell & 1:
            return refusal("attacked-already", "9.1.4", hex=cell)
        able = able_to_join(game, state, Attack(cell))
        if not able:
            return refusal("nobody-can-attack", "9.1.1", hex=cell)
        return why_too_low(work_out_odds(game, state, able, cell), cell)

    def attack_on(self, cell: int) -> Attack:
        return Attack(cell)


class BuildAttack(GatherAttackers["AVictoryLost", VictoryState]):
    """9.2 step 1, 9.1.4 Attackers join one by one, then the attack is on."""

    name = "build-attack"
    case = "9.1.4"
    verbs = {"join": Verb(("unit",), Role.JOIN), "fight": Verb((), Role.COMMIT)}

    def joiners(self, game: AVictoryLost, state: VictoryState) -> list[int]:
        return able_to_join(game, state, state.local)

    def why_not_join(self, game: AVictoryLost, state: VictoryState, unit: int) -> Refusal | None:
        return why_not_join(game, state, state.local, unit)

    def why_not_fight(self, game: AVictoryLost, state: VictoryState) -> Refusal | None:
        attack: Attack = state.local
        if not attack.attackers:
            return refusal("no-attackers", "9.2")
        return why_too_low(work_out_odds(game, state, attack.attackers, attack.target), attack.target)


def why_not_join(game: AVictoryLost, state: VictoryState, attack: Attack, unit: int) -> Refusal | None:
    """9.1.1, 9.1.3, 9.1.6 Whether a unit may take part in an attack."""
    if game.side(unit) != state.active or not state.on_map(unit):
        return refusal("not-yours", "9.0", unit=unit)
    if game.units[unit].hq:
        return refusal("hq-does-not-fight", "2.3.1", unit=unit)
    if not state.activated >> unit & 1:
        return why_not_active(game, state, unit, "9.1.1")
    if state.fought >> unit & 1:
        return refusal("fought-already", "9.1.1", unit=unit)
    if unit in attack.attackers:
        return refusal("joined-already", "9.1.3", unit=unit)
    if not game.contact[attack.target] >> state.where[unit] & 1:
        if state.where[unit] in game.board.adjacent[attack.target]:
            return refusal("impassable-between", "9.1.6", unit=unit, hex=attack.target)
        return refusal("not-next-to-target", "9.0", unit=unit, hex=attack.target)
    return None


def announce_attack(game: AVictoryLost, state: VictoryState) -> Battle:
    """9.2 step 1: note who attacks and where."""
    attack: Attack = state.local
    attackers = tuple(sorted(attack.attackers))
    defenders = tuple(each(state.fighters_at(attack.target)))
    state.fought |= bits(attackers)
    state.attacked |= 1 << attack.target
    state.emit("attack", "9.2", units=attackers, hex=attack.target, units_target=defenders)
    return Battle(attack.target, attackers, defenders)


def settle_odds(game: AVictoryLost, state: VictoryState) -> None:
    """9.2 step 2: the odds, before the die."""
    battle: Battle = state.local
    odds = work_out_odds(game, state, battle.attackers, battle.target)
    state.local = battle._replace(final=odds.final)
    state.emit("odds", "9.3", **odds.facts())


class RollDie(Throw["AVictoryLost", VictoryState]):
    """9.2 step 3, 9.4.1 One die against the column."""

    name = "roll-die"
    case = "9.4.1"
    verbs = {"roll": Verb(("number",))}

    def apply(self, game: AVictoryLost, state: VictoryState, side: int, action: Action) -> None:
        state.emit("result", "9.4.1", **game.data.crt.decide(state, action[1]))
