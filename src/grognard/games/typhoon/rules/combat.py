"""8.4 The combat phase: declared attacks are fought one by one, in the order that the attacker likes."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from grognard.board.board import bits
from grognard.games.typhoon.rules.attack_supply import counters, fed_from, served
from grognard.games.typhoon.rules.command import may_order, order
from grognard.games.typhoon.rules.declaring import drop_void
from grognard.games.typhoon.rules.dogfight import Flight, end_support, support_flight
from grognard.games.typhoon.rules.ground import spend_point
from grognard.games.typhoon.rules.guns import engaged, why_not_support_attack
from grognard.games.typhoon.rules.losses import remove
from grognard.games.typhoon.rules.odds import (
    UNDER,
    Clash,
    Reckoning,
    column_of,
    defenders,
    fires,
    fortified,
    hexes_of,
    is_place,
    reckon,
    result_of,
)
from grognard.games.typhoon.state import ELIMINATED, FLEE, SOVIET, STAND, Declared, TyphoonState
from grognard.kernel import AGAIN, RETURN, Action, Decision, Flow, Refusal, Role, Verb, refusal
from grognard.mechanics.dice import D10, Throw
from grognard.mechanics.pieces import members

if TYPE_CHECKING:
    from grognard.games.typhoon.game import Typhoon


class Battle(NamedTuple):
    """A combat being fought."""

    targets: tuple[int, ...]
    attackers: tuple[int, ...]
    defender_option: int = 0
    defending_guns: tuple[int, ...] = ()
    option: int = 0
    """8.7.1, 8.8.1 The attacker's."""
    guns: tuple[int, ...] = ()
    supply: tuple[int, ...] = ()
    """The counters from which a point is spent."""
    engineer: int = -1
    doubled: tuple[int, ...] = ()
    obligatory: bool = False
    """16.1.1"""
    odds: int = 0
    """The column before reaction."""
    air: int = 0
    """11.5.3"""
    defenders: tuple[int, ...] = ()
    column: int = 0
    result: str = ""
    star: bool = False
    fort: bool = False
    """A fortification helped the defender."""

    trains: bool = False
    """13.3.2 Armoured trains attack alone: they need no supply."""

    @property
    def supplied(self) -> bool:
        return bool(self.supply) or self.trains

    @property
    def clash(self) -> Clash:
        return Clash(
            self.targets,
            self.attackers,
            self.guns,
            self.defending_guns,
            self.supplied,
            self.defender_option,
            self.engineer,
            self.doubled,
            self.air,
        )


def begin_combat(game: Typhoon, state: TyphoonState) -> Flow:
    drop_void(state)
    return None


class ChooseCombat(Decision["Typhoon", TyphoonState]):
    """8.4.1c The attacker says which of his attacks is fought next."""

    name = "choose-combat"
    case = "8.4.1"
    verbs = {"fight": Verb(("hex",))}

    def _open(self, state: TyphoonState) -> list[Declared]:
        foe = 1 - state.active
        return [
            attack
            for attack in state.attacks
            if not attack.fought and any(state.fighters(foe, cell) & ~state.fought for cell in attack.targets)
        ]

    def pending(self, game: Typhoon, state: TyphoonState) -> bool:
        return bool(self._open(state))

    def skip(self, game: Typhoon, state: TyphoonState) -> Flow:
        return "over"

    def actor(self, game: Typhoon, state: TyphoonState) -> int:
        return state.active

    def options(self, game: Typhoon, state: TyphoonState, side: int) -> list[Action]:
        return [("fight", attack.targets[0]) for attack in self._open(state)]

    def refuse(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Refusal | None:
        if any(attack.targets[0] == action[1] for attack in self._open(state)):
            return None
        return refusal("not-declared", "8.1.1", hex=action[1])

    def apply(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Flow:
        attack = next(a for a in self._open(state) if a.targets[0] == action[1])
        state.attacks = tuple(a._replace(fought=True) if a is attack else a for a in state.attacks)
        state.local = Battle(
            tuple(cell for cell in attack.targets if state.fighters(1 - side, cell)),
            tuple(u for u in attack.attackers if state.where[u] >= 0),
            attack.option,
            attack.guns,
            odds=attack.odds,
            trains=all(game.trains >> u & 1 for u in attack.attackers),
        )
        return None


def announce(game: Typhoon, state: TyphoonState) -> Battle:
    """The battle that was chosen, with those who defend. 10.2.3 Guns next to whom an enemy has come since are
    silent."""
    battle: Battle = state.local
    foe = 1 - state.active
    guns = tuple(
        gun
        for gun in battle.defending_guns
        if state.where[gun] >= 0
        and not engaged(game, state, gun)
        and fires(game, state, gun)
        and not state.fought >> gun & 1
    )
    found = tuple(defenders(game, state, battle.targets, foe))
    battle = battle._replace(defending_guns=guns, defenders=found)
    state.emit("attack", "8.4", units=battle.attackers, units_target=found, hex=battle.targets[0])
    return battle


class PrepareAttack(Decision["Typhoon", TyphoonState]):
    """6.5.5, 8.7.1, 8.8.1, 10.1.5, 12.3.1, 13.4.4, 16.1.1 What the attacker adds before the die: points of
    supply, guns, an option of retreat, engineers."""

    name = "prepare-attack"
    case = "8.4.1"
    verbs = {
        "supply": Verb(("unit",)),
        "support": Verb(("unit",)),
        "stand": Verb(()),
        "flee": Verb(()),
        "lead": Verb(("unit",)),
        "double": Verb(("unit",)),
        "obey": Verb(()),
        "resolve": Verb((), Role.COMMIT),
    }

    def actor(self, game: Typhoon, state: TyphoonState) -> int:
        return state.active

    def options(self, game: Typhoon, state: TyphoonState, side: int) -> list[Action]:
        battle: Battle = state.local
        found: list[Action] = [("supply", unit) for unit in counters(game, state, side)]
        found += [("support", gun) for gun in members(game.guns & game.units_of[side])]
        found += [("stand",), ("flee",)]
        found += [("lead", unit) for unit in battle.attackers]
        found += [("double", gun) for gun in battle.guns]
        found += [("obey",)]
        return [*(a for a in found if self.refuse(game, state, side, a) is None), ("resolve",)]

    def refuse(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Refusal | None:
        battle: Battle = state.local
        verb = action[0]
        if verb == "resolve":
            return None
        if verb == "supply":
            return self._why_not_supply(game, state, battle, action[1])
        if verb == "support":
            if not battle.supply:
                return refusal("guns-need-supply", "6.5.7", unit=action[1])
            reason = why_not_support_attack(game, state, action[1], battle.targets, battle.guns)
            if reason is None and not served(game, state, battle.supply, (action[1],)):
                reason = refusal("gun-unserved", "10.1", unit=action[1])
            return reason
        if verb in ("stand", "flee"):
            if battle.option:
                return refusal("option-chosen", "8.8.1")
            if not may_order(game, state, side, hexes_of(state, battle.attackers)):
                return refusal("no-hq-order", "13.1.2")
            return None
        if verb == "lead":
            return self._why_not_lead(game, state, battle, action[1])
        if verb == "double":
            if action[1] not in battle.guns or game.units[action[1]].special != "naval":
                return refusal("no-naval-gun", "13.4.4", unit=action[1])
            return (
                refusal("doubled-already", "13.4.4", unit=action[1]) if action[1] in battle.doubled else None
            )
        return self._why_not_obey(game, state, battle)

    def _why_not_supply(
        self, game: Typhoon, state: TyphoonState, battle: Battle, unit: int
    ) -> Refusal | None:
        """6.5.5, 6.5.8 One counter must serve everybody, or several together: the last one completes it."""
        side = state.active
        if unit not in counters(game, state, side):
            return refusal("no-supply-counter", "6.5.5", unit=unit)
        if battle.supply:
            return refusal("supplied-already", "6.5.5", unit=unit)
        if not served(game, state, self._chosen(game, state, battle, unit), battle.attackers):
            return refusal("supply-too-far", "6.5.5", unit=unit)
        return None

    def _chosen(self, game: Typhoon, state: TyphoonState, battle: Battle, unit: int) -> tuple[int, ...]:
        """6.5.5 The counter named and, if it does not reach everybody, others that reach the rest."""
        chosen = [unit]
        need = bits(state.where[u] for u in battle.attackers if not game.trains >> u & 1)
        need &= ~fed_from(game, state, unit)
        for other in counters(game, state, state.active):
            if need and other != unit and fed_from(game, state, other) & need:
                chosen.append(other)
                need &= ~fed_from(game, state, other)
        return tuple(chosen)

    def _why_not_lead(self, game: Typhoon, state: TyphoonState, battle: Battle, unit: int) -> Refusal | None:
        """12.3.1"""
        if unit not in battle.attackers or not game.engineers >> unit & 1:
            return refusal("no-sapper", "12.3.1", unit=unit)
        if battle.engineer >= 0:
            return refusal("engineer-leads", "12.3.1", unit=unit)
        if not is_place(game, battle.targets) and not fortified(game, state, battle.clash):
            return refusal("nothing-to-storm", "12.3.1", unit=unit)
        return None

    def _why_not_obey(self, game: Typhoon, state: TyphoonState, battle: Battle) -> Refusal | None:
        """16.1.1, 16.1.3"""
        if state.active != SOVIET or not state.obligatory:
            return refusal("nothing-ordered", "16.1.3")
        if battle.obligatory:
            return refusal("obeyed-already", "16.1.1")
        if battle.odds < column_of(Fraction(3), Fraction(2)):
            return refusal("order-odds", "16.1.1")
        return None

    def apply(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Flow:
        battle: Battle = state.local
        verb = action[0]
        if verb == "resolve":
            return None
        if verb == "supply":
            battle = battle._replace(supply=self._chosen(game, state, battle, action[1]))
        elif verb == "support":
            battle = battle._replace(guns=(*battle.guns, action[1]))
        elif verb in ("stand", "flee"):
            order(game, state, side, hexes_of(state, battle.attackers))
            battle = battle._replace(option=STAND if verb == "stand" else FLEE)
        elif verb == "lead":
            battle = battle._replace(engineer=action[1])
        elif verb == "double":
            battle = battle._replace(doubled=(*battle.doubled, action[1]))
        else:
            battle = battle._replace(obligatory=True)
        state.local = battle
        return AGAIN


def settle_odds(game: Typhoon, state: TyphoonState) -> Flow:
    """6.5.6, 8.4.1 Points are spent and the odds announced; 8.4.3 below 1-4 the attackers are lost."""
    battle: Battle = state.local
    found = reckon(game, state, battle.clash)
    for counter in battle.supply:
        spend_point(state, counter)
    if battle.obligatory:
        state.obligatory -= 1
    if game.engineers & bits(battle.attackers):
        state.stormed |= bits(battle.targets)
    fort = fortified(game, state, battle.clash)
    state.local = battle._replace(column=found.column, fort=fort)
    emit_odds(state, found)
    if found.column == UNDER:
        state.local = battle._replace(column=UNDER, result="e/-", fort=fort)
        return "reckoned"
    return None


def emit_odds(state: TyphoonState, found: Reckoning) -> None:
    state.emit(
        "odds",
        "8.4",
        attack=str(found.attack),
        defence=str(found.defence),
        odds=found.column,
        shifts=tuple((m.code, m.value, m.case) for m in found.modifiers),
        n=found.total,
    )


class RollCombat(Throw["Typhoon", TyphoonState]):
    name = "roll-combat"
    case = "8.4.1"
    verbs = {"roll": Verb(("number",))}
    dice = D10

    def apply(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Flow:
        battle: Battle = state.local
        # The points spent are gone: whether there was supply is what the battle remembers.
        total = reckon(game, state, battle.clash).total
        result = result_of(battle.column, action[1] + total)
        state.local = battle._replace(result=result)
        state.emit("result", "8.4.2", die=action[1], n=action[1] + total, odds=battle.column, result=result)
        return None


def send_flight(game: Typhoon, state: TyphoonState) -> Flight:
    """11.5.4 The air units laid for this combat fly now."""
    battle: Battle = state.local
    return support_flight(state, battle.targets)


def note_support(game: Typhoon, state: TyphoonState, value: object) -> Flow:
    """11.5.3 What they do to the die."""
    battle: Battle = state.local
    state.local = battle._replace(air=value if isinstance(value, int) else 0)
    return None


def end_combats(game: Typhoon, state: TyphoonState) -> Flow:
    """11.1.2 Air units of combats that did not come about have flown; the markers are taken up."""
    end_support(game, state)
    state.attacks = ()
    return None


def end_battle(game: Typhoon, state: TyphoonState) -> Flow:
    """13.4.4 Naval guns that fired all they had are gone; 8.1.5 nobody fights twice."""
    battle: Battle = state.local
    everybody = (*battle.attackers, *battle.guns, *battle.defenders, *battle.defending_guns)
    state.fought |= bits(everybody)
    for gun in battle.doubled:
        if state.where[gun] >= 0:
            remove(game, state, gun, ELIMINATED, "13.4.4")
    return RETURN
