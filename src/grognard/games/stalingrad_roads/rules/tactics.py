"""8.8 to 8.11, 14.1 What the roll comes to: attrition, superiority, and the results of both sides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from grognard.board.board import bits, each
from grognard.games.stalingrad_roads.data import read_cell
from grognard.games.stalingrad_roads.rules.advance import Advance
from grognard.games.stalingrad_roads.rules.approval import reward_attack
from grognard.games.stalingrad_roads.rules.combat import (
    EXPLOITING,
    Battle,
    attackers_left,
    defenders_left,
)
from grognard.games.stalingrad_roads.rules.ground import water
from grognard.games.stalingrad_roads.rules.losses import Losses
from grognard.games.stalingrad_roads.rules.odds import attached_markers, ground_kind, water_between
from grognard.games.stalingrad_roads.rules.reaction import Reaction
from grognard.games.stalingrad_roads.rules.retreat import Retreat
from grognard.games.stalingrad_roads.state import (
    AXIS,
    HUMAN_WAVES,
    OVERWHELMING,
    PANZERS_TO_THE_RESCUE,
    ROUT,
    SOVIET,
    RoadsState,
)
from grognard.kernel import AGAIN, Action, Decision, Flow, Refusal, Role, Verb, refusal
from grognard.mechanics.dice import TWO_D6, Throw

if TYPE_CHECKING:
    from grognard.games.stalingrad_roads.game import StalingradRoads

LEVELS = {"E": 1, "E2": 2, "E3": 3}
RETREATS = {"DR": 1, "DR2": 2, "DR3": 3}
IN_FORTRESS = {"DR3": "DR", "DR2": "S", "DR": "S"}
"""10.2.3 What the defender's results become for the enclosed."""


def all_over_river(game: StalingradRoads, state: RoadsState, battle: Battle) -> bool:
    """8.10.4 Whether every attacker attacked across an open great river."""
    wet = water(state)
    return all(
        water_between(game, state, here, battle.target) is not None
        and game.data.barrier(here, battle.target, wet)
        for here in battle.origins
    )


class RiverOrHex(Decision["StalingradRoads", RoadsState]):
    """8.10.4 The defender says whether the river or the hex changes the attacker's result."""

    name = "river-or-hex"
    case = "8.10.4"
    verbs = {"by-river": Verb(()), "by-hex": Verb(())}

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return 1 - state.active

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        battle: Battle = state.local
        if battle.tactical not in LEVELS or state.mud or battle.mode == EXPLOITING:
            return False
        kind = ground_kind(game, state, battle.target)
        same = game.data.results[kind][battle.tactical] == game.data.results["major_river"][battle.tactical]
        return all_over_river(game, state, battle) and not same

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        return [("by-river",), ("by-hex",)]

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        return None

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        battle: Battle = state.local
        state.local = battle._replace(by_river=action[0] == "by-river")
        return None


def reckon(game: StalingradRoads, state: RoadsState) -> Flow:
    """8.9, 8.10.2, 8.11, 3.2.2 Results changed by mud, terrain, weak allies, markers and superiority."""
    battle: Battle = state.local
    results = game.data.results
    kind = ground_kind(game, state, battle.target)
    tactical, one_sided = battle.tactical, False
    if state.mud:
        if tactical in LEVELS:
            tactical, one_sided = "Eng", True
        elif tactical == "D1":
            tactical = "-"
    elif tactical in LEVELS:
        tactical = results["major_river" if battle.by_river else kind][tactical]
    level = LEVELS.get(tactical, 0)
    if level:
        tactical = "-"
    if battle.allied and not state.mud:
        level += 1
    if level and any(
        "exploitation_plus_1" in game.supports[state.markers[index].kind].effects
        for index in attached_markers(game, state, battle.attackers, "attack")
    ):
        level += 1
    defensive = results[kind].get(battle.defensive, battle.defensive)
    if bits(battle.defenders) & state.enclosed:
        defensive = IN_FORTRESS.get(defensive, defensive)
    battle = battle._replace(
        tactical=tactical,
        defensive=defensive,
        exploitation=level,
        one_sided=one_sided,
        retreat=RETREATS.get(defensive, 0),
    )
    if not battle.rats:
        battle = with_superiority(game, state, battle)
    if battle.mode == EXPLOITING:
        # 9.3.2 the attacker's results are ignored
        battle = battle._replace(tactical="-", exploitation=0)
    state.local = battle
    return None


def changed_cell(game: StalingradRoads, state: RoadsState, target: int, text: str) -> str:
    """8.10.2, 3.2.2, 10.2.3 A cell of the combat table as the hex, mud and the fortress change it; what sides
    declare or choose is left open."""
    cell, results = read_cell(text), game.data.results[ground_kind(game, state, target)]
    tactical, defensive = cell.tactical, results.get(cell.defensive, cell.defensive)
    if state.mud and tactical in (*LEVELS, "D1"):
        tactical = "-" if tactical == "D1" else "Eng"
    elif tactical in LEVELS:
        tactical = results[tactical]
    if state.at.get(target, 0) & state.enclosed:
        defensive = IN_FORTRESS.get(defensive, defensive)
    return f"{text.split('/')[0]}/{tactical}/{defensive}"


def reasons_of_change(
    game: StalingradRoads, state: RoadsState, attackers: Sequence[int], target: int
) -> list[tuple[str, str]]:
    """8.9 to 8.11, 14.1 What changes or may change the results of an attack: codes with their cases."""
    found: list[tuple[str, str]] = []
    kind, plain = ground_kind(game, state, target), game.data.results["clear"]
    defenders = each(state.at.get(target, 0))
    if state.mud:
        found.append(("mud-results", "3.2.2"))
    if game.data.results[kind] != plain:
        found.append((f"results-{kind}", "8.10.2"))
    origins = {state.where[unit] for unit in attackers}
    if not state.mud and all(
        water_between(game, state, here, target) and game.data.barrier(here, target, water(state))
        for here in origins
    ):
        found.append(("results-river", "8.10.4"))
    if bits(defenders) & state.enclosed:
        found.append(("results-fortress", "10.2.3"))
    attacker, active = state.side(attackers[0]), state.superiority
    troops = [u for u in defenders if not game.hqs >> u & 1]
    steps = sum(state.steps[u] for u in troops)
    if attacker == SOVIET:
        if all(game.units[u].allied for u in defenders) and steps < game.data.numbers["allied_steps"]:
            found.append(("weak-allies", "8.11"))
        if all(game.units[u].nation == "german" for u in defenders):
            effects = (("superiority-rescue", PANZERS_TO_THE_RESCUE), ("superiority-waves", HUMAN_WAVES))
            found += [(code, "14.1") for code, effect in effects if active >> effect & 1]
    elif all(game.units[u].nation == "german" for u in attackers) and any(
        game.units[u].kind == "panzer" for u in attackers
    ):
        effects = (("superiority-overwhelming", OVERWHELMING), ("superiority-rout", ROUT))
        found += [(code, "14.1") for code, effect in effects if active >> effect & 1]
    return found


def with_superiority(game: StalingradRoads, state: RoadsState, battle: Battle) -> Battle:
    """14.1 The four effects of German superiority, each as long as it is active."""
    active = state.superiority
    if state.active == SOVIET:
        worn_out = state.level == 1 and bits(battle.defenders) & state.enclosed
        if not battle.german or battle.exploitation >= 2 or worn_out:
            return battle
        if active >> PANZERS_TO_THE_RESCUE & 1:
            battle = battle._replace(rescue=True)
        if active >> HUMAN_WAVES & 1 and battle.attacker_losses:
            battle = battle._replace(attacker_losses=battle.attacker_losses + 1)
        return battle
    germans = all(game.units[u].nation == "german" for u in battle.attackers)
    panzers = any(game.units[u].kind == "panzer" for u in battle.attackers)
    if not germans or not panzers:
        return battle
    if active >> OVERWHELMING & 1 and battle.tactical != "AR" and not state.mud:
        battle = battle._replace(exploitation=battle.exploitation + 1)
    if active >> ROUT & 1 and battle.exploitation >= 2 and battle.attacker_losses:
        battle = battle._replace(attacker_losses=battle.attacker_losses - 1)
    return battle


# Attrition (8.8)


def attacker_attrition(game: StalingradRoads, state: RoadsState) -> Losses | None:
    """8.8.1 The first step falls on the elite unit or on armour; of both, the defender says on which."""
    battle: Battle = state.local
    owed = battle.attacker_losses
    if owed and any(
        "ignore_first_loss" in game.supports[state.markers[index].kind].effects
        for index in attached_markers(game, state, battle.attackers, "attack")
    ):
        owed -= 1
    if not owed:
        return None
    black = [u for u in battle.attackers if game.units[u].black]
    first: list[int] = []
    if battle.elite >= 0:
        first.append(battle.elite)
    pak = any(
        "first_loss_on_armour" in game.supports[state.markers[index].kind].effects
        for index in attached_markers(game, state, battle.defenders, "defence")
    )
    if battle.armoured or (pak and not first):
        first += [u for u in black if u not in first]
    both = battle.elite >= 0 and battle.armoured
    return Losses(battle.attackers, owed, tuple(first), 1 - state.active if both else -1)


def defender_attrition(game: StalingradRoads, state: RoadsState) -> Losses | None:
    battle: Battle = state.local
    if not battle.defender_losses:
        return None
    first = (battle.elite_defence,) if battle.elite_defence >= 0 else ()
    return Losses(battle.defenders, battle.defender_losses, first)


def advance_if_empty(game: StalingradRoads, state: RoadsState) -> Advance | None:
    """8.8.3 Attackers may enter a hex that attrition has emptied."""
    battle: Battle = state.local
    if state.at.get(battle.target):
        return None
    return Advance(tuple(attackers_left(state, battle)), (battle.target,), battle.mode == EXPLOITING)


# The attacker's result (8.10.1)


class StandOrRetreat(Decision["StalingradRoads", RoadsState]):
    """AR: the attackers retreat one hex, or take two losses."""

    name = "stand-or-retreat"
    case = "8.10.1"
    verbs = {"retreat": Verb(()), "stand": Verb(())}

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return state.active

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        battle: Battle = state.local
        return battle.tactical == "AR" and bool(attackers_left(state, battle))

    def skip(self, game: StalingradRoads, state: RoadsState) -> Flow:
        return "d1"

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        return [("retreat",), ("stand",)]

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        return None

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        return "stand-losses" if action[0] == "stand" else "fall-back"


def standing_losses(game: StalingradRoads, state: RoadsState) -> Losses:
    battle: Battle = state.local
    owed = game.data.numbers["attacker_stands"]
    return Losses(tuple(attackers_left(state, battle)), owed, in_turn=False, case="8.10.5")


def attackers_retreat(game: StalingradRoads, state: RoadsState) -> Retreat | None:
    """AR: those at the edge of the pocket stay (S1.4)."""
    battle: Battle = state.local
    pocket = game.plan(state).pocket
    units = tuple(u for u in attackers_left(state, battle) if not pocket >> state.where[u] & 1)
    return Retreat(units, 1, (battle.target,)) if units else None


def extra_loss(game: StalingradRoads, state: RoadsState) -> Losses | None:
    """D1: the defender loses one step more."""
    battle: Battle = state.local
    if battle.tactical != "D1":
        return None
    return Losses(tuple(defenders_left(state, battle)), 1, in_turn=False, case="8.10.5")


class RollEngaged(Throw["StalingradRoads", RoadsState]):
    """Eng: the dice are thrown again, for attrition alone."""

    name = "roll-engaged"
    case = "8.10.1"
    verbs = {"engaged": Verb(("number", "number"))}
    dice = TWO_D6

    def __init__(self, defensive: bool) -> None:
        self.defensive = defensive

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        battle: Battle = state.local
        return (battle.defensive if self.defensive else battle.tactical) == "Eng"

    def skip(self, game: StalingradRoads, state: RoadsState) -> Flow:
        battle: Battle = state.local
        state.local = battle._replace(attacker_losses=0, defender_losses=0)
        return None

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        battle: Battle = state.local
        cell = read_cell(game.data.crt.result(battle.odds, action[1] + action[2]))
        one_sided = battle.one_sided and not self.defensive
        losses = 0 if one_sided else cell.defender
        state.local = battle._replace(attacker_losses=cell.attacker, defender_losses=losses)
        state.emit("engaged", "8.10.1", dice=(action[1], action[2]), lost_a=cell.attacker, lost_d=losses)
        return None


def engaged_attackers(game: StalingradRoads, state: RoadsState) -> Losses | None:
    battle: Battle = state.local
    units = tuple(attackers_left(state, battle))
    return Losses(units, battle.attacker_losses) if units and battle.attacker_losses else None


def engaged_defenders(game: StalingradRoads, state: RoadsState) -> Losses | None:
    battle: Battle = state.local
    units = tuple(defenders_left(state, battle))
    return Losses(units, battle.defender_losses) if units and battle.defender_losses else None


# The defender's result


class HoldOrRetreat(Decision["StalingradRoads", RoadsState]):
    """S: hold with one loss more, or retreat one hex. F: stay, or retreat one hex with a loss."""

    name = "hold-or-retreat"
    case = "8.10.1"
    verbs = {"retreat": Verb(()), "stand": Verb(())}

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return 1 - state.active

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        battle: Battle = state.local
        return battle.defensive in ("S", "F") and bool(defenders_left(state, battle))

    def skip(self, game: StalingradRoads, state: RoadsState) -> Flow:
        return "retreat"

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        return [("retreat",), ("stand",)]

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        return None

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        battle: Battle = state.local
        stands = action[0] == "stand"
        state.local = battle._replace(
            defender_losses=int(stands == (battle.defensive == "S")), retreat=0 if stands else 1
        )
        return None


def holding_loss(game: StalingradRoads, state: RoadsState) -> Losses | None:
    battle: Battle = state.local
    units = tuple(defenders_left(state, battle))
    if not units or not battle.defender_losses:
        return None
    return Losses(units, battle.defender_losses, in_turn=False, case="8.10.5")


def defenders_retreat(game: StalingradRoads, state: RoadsState) -> Retreat | None:
    battle: Battle = state.local
    units = tuple(defenders_left(state, battle))
    return Retreat(units, battle.retreat, battle.origins) if battle.retreat and units else None


def reaction(game: StalingradRoads, state: RoadsState) -> Reaction | None:
    battle: Battle = state.local
    return Reaction(battle.target) if battle.defensive == "R" else None


def rescue(game: StalingradRoads, state: RoadsState) -> Reaction | None:
    """14.1 Panzers to the rescue: one R more, for German armour only."""
    battle: Battle = state.local
    return Reaction(battle.target, panzers=True) if battle.rescue else None


def counterattack(game: StalingradRoads, state: RoadsState) -> Reaction | None:
    """A counter-attack marker called by the defender is an R result more."""
    battle: Battle = state.local
    called = any("free_reaction" in game.supports[state.markers[i].kind].effects for i in battle.answered)
    return Reaction(battle.target) if called else None


def advance_after(game: StalingradRoads, state: RoadsState) -> Advance | None:
    """8.13 Into the hex that the defender has left; or, if the attackers have left all theirs, into those."""
    battle: Battle = state.local
    exploiting = battle.mode == EXPLOITING
    if not state.at.get(battle.target):
        units = [u for u in attackers_left(state, battle) if state.where[u] in battle.origins]
        return Advance(tuple(units), (battle.target,), exploiting) if units else None
    if battle.tactical == "AR" and not any(state.at.get(cell) for cell in battle.origins):
        units = defenders_left(state, battle)
        troops = tuple(u for u in units if not game.hqs >> u & 1)
        return Advance(troops, battle.origins, exploiting) if troops else None
    return None


# Exploitation markers (8.14)


def exploitation_cost(game: StalingradRoads, state: RoadsState, battle: Battle, unit: int) -> int:
    """8.14.2, 8.14.3 Halves of a unit: armour counts half in an armoured attack."""
    counter = game.units[unit]
    return 1 if battle.armoured and (counter.black or counter.mixed) else 2


def marked_together(game: StalingradRoads, state: RoadsState, battle: Battle, unit: int) -> list[int]:
    """1.1.5 In an armoured attack by all elements of a division on the map, they count as one half unit."""
    division = game.units[unit].division
    if not battle.armoured or not division:
        return [unit]
    on_map = [u for u in game.elements[division] if state.where[u] >= 0]
    return on_map if all(u in battle.attackers for u in on_map) else [unit]


class MarkExploiters(Decision["StalingradRoads", RoadsState]):
    """8.14 The attacker marks units that took part, within the points of the result."""

    name = "mark-exploiters"
    case = "8.14.1"
    verbs = {"exploit": Verb(("unit",)), "finish": Verb((), Role.PASS)}

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return state.active

    def _able(self, game: StalingradRoads, state: RoadsState) -> list[int]:
        battle: Battle = state.local
        left = 2 * battle.exploitation - battle.marked
        return [
            unit
            for unit in attackers_left(state, battle)
            if not state.exploiting >> unit & 1 and exploitation_cost(game, state, battle, unit) <= left
        ]

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        return bool(self._able(game, state))

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        return [*(("exploit", unit) for unit in self._able(game, state)), ("finish",)]

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        battle: Battle = state.local
        if action[0] == "finish" or action[1] in self._able(game, state):
            return None
        if action[1] not in attackers_left(state, battle):
            return refusal("took-no-part", "8.14.1", unit=action[1])
        if state.exploiting >> action[1] & 1:
            return refusal("marked-already", "8.14.1", unit=action[1])
        return refusal("no-exploitation-left", "8.14.2", unit=action[1])

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        if action[0] == "finish":
            return None
        battle: Battle = state.local
        units = marked_together(game, state, battle, action[1])
        state.exploiting |= bits(units)
        spent = battle.marked + exploitation_cost(game, state, battle, action[1])
        state.local = battle._replace(marked=spent)
        state.emit("exploits", "8.14.1", units=tuple(units))
        return AGAIN


def clean_up(game: StalingradRoads, state: RoadsState) -> Flow:
    """Markers of hexes that have been called to this combat are spent; those of the dead go."""
    battle: Battle = state.local
    if state.active == AXIS and battle.armoured:
        lost = battle.steps - sum(state.steps[u] for u in battle.defenders)
        reward_attack(game, state, battle.target, lost, 2 if battle.mode == EXPLOITING else 1)
    called = {*battle.called, *battle.answered}
    state.markers = tuple(
        marker._replace(spent=True) if index in called else marker
        for index, marker in enumerate(state.markers)
        if marker.unit >= 0 or marker.cell >= 0
    )
    return None
