"""9 The combat phase as questions: attacks one after the other, losses, retreats, advances."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from grognard.games.second_front.rules import armour, losses
from grognard.games.second_front.rules.battle import (
    COLUMNS,
    HIGHEST,
    LOWEST,
    TOO_LOW,
    Battle,
    fight,
    result,
)
from grognard.games.second_front.rules.garrisons import alarm
from grognard.games.second_front.rules.losses import ATTACKER, DEFENDER, Ledger, Toll
from grognard.games.second_front.rules.position import (
    carriers,
    drowned,
    has_room,
    move_to,
    piece,
    pieces,
    reduce,
    remove,
    settle_ownership,
    side_of,
    surroundings,
    target,
    track,
)
from grognard.games.second_front.rules.rail import rides
from grognard.games.second_front.rules.retreat import Grade, by_train, ways
from grognard.games.second_front.rules.special import (
    agents_row,
    agents_surprise,
    fires_far,
    ignores_retreat,
    may_fire_far,
    may_surprise,
    retreats_before_combat,
    slips_through_zones,
    stiffened,
    succeeds,
    surprise,
    with_police,
)
from grognard.games.second_front.rules.stacking import fits
from grognard.games.second_front.rules.stocks import add_points, points_at
from grognard.games.second_front.rules.strength import (
    Attacker,
    helpless,
    is_combat_engineer,
    may_attack,
    may_attack_across,
)
from grognard.games.second_front.rules.works import westwall_ignores
from grognard.games.second_front.state import FrontState
from grognard.games.second_front.units import NO_UNITS
from grognard.kernel import AGAIN, Action, Decision, Flow, Refusal, Role, Verb, Window, refusal
from grognard.mechanics.attacks import GatherAttackers, NameTarget
from grognard.mechanics.dice import Throw
from grognard.mechanics.pieces import NOBODY, NOWHERE, members

if TYPE_CHECKING:
    from grognard.games.second_front.game import SecondFront


class Attack(NamedTuple):
    """A battle, from its announcement to its end."""

    targets: tuple[int, ...]
    attackers: tuple[int, ...] = ()
    defenders: tuple[int, ...] = ()
    """Whom the result concerns."""
    result: str = ""
    lost: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    """The losses chosen by each side."""
    falling_back: tuple[int, ...] = ()
    """Units that still have to retreat."""
    passed: int = 0
    """The hexes where the unit that is retreating has been."""
    special: tuple[int, ...] = ()
    """Units whose losses are mandatory (9J)."""
    trying: int = NOBODY
    """The unit that tries something for which a die is thrown: a surprise attack (14H3), or a retreat through
    an enemy zone (14H1)."""
    bonus: int = 0
    """What a surprise attack adds to the die (14H3)."""
    tried: bool = False
    """A surprise attack has been tried: one in each attack."""
    flood: str = ""
    """What the defender tries, or that the hex has just been flooded (37A3, 37A4)."""
    led_to: int = NOWHERE
    """Where a commando has retreated through an enemy zone: others may follow it (14H1)."""

    @property
    def cell(self) -> int:
        return self.targets[0]


def begin_combat(game: SecondFront, state: FrontState) -> Flow:
    state.fought = state.attacked = state.retreated = 0
    return None


def ready(game: SecondFront, state: FrontState) -> int:
    """9B, 7A2: units that may still attack."""
    return state.side_units[state.active] & ~state.fought & ~state.entrained


class ChooseTarget(NameTarget["SecondFront", FrontState]):
    """9A: one hex after the other, or no more."""

    name = "choose-target"
    case = "9A"
    verbs = {"assault": Verb(("hex",), Role.AIM), "end": Verb((), Role.END)}

    def actor(self, game: SecondFront, state: FrontState) -> int:
        return state.active

    def exposed(self, game: SecondFront, state: FrontState, side: int) -> int:
        return game.board.spread(state.occupied[side]) & state.occupied[1 - side]

    def why_not_target(self, game: SecondFront, state: FrontState, side: int, cell: int) -> Refusal | None:
        if not state.occupied[1 - side] >> cell & 1:
            return refusal("nobody-there", "9A", hex=cell)
        if state.at[cell] & state.attacked and not fresh_defenders(state, cell):
            return refusal("attacked-already", "9B", hex=cell)
        able = candidates(game, state, cell)
        if not able or not may_attack(pieces(game, state, able)):
            return refusal("nobody-can-attack", "9B", hex=cell)
        return None

    def attack_on(self, cell: int) -> Attack:
        return Attack((cell,))


def fresh_defenders(state: FrontState, cell: int) -> list[int]:
    """9B: units that have not been attacked in this phase, those who retreated there left out."""
    return members(state.at[cell] & ~state.attacked & ~state.retreated)


def candidates(game: SecondFront, state: FrontState, cell: int) -> list[int]:
    """The units next to a hex that may attack it."""
    at, able = target(game, state, cell), ready(game, state)
    found = []
    for here in game.board.adjacent[cell]:
        for unit in members(state.at.get(here, 0) & able):
            who = piece(game, state, unit)
            if who.unit.type not in NO_UNITS and may_attack_across(at, Attacker(who, here)):
                found.append(unit)
    if found:
        found += far_guns(game, state, cell, able)
    return found


def far_guns(game: SecondFront, state: FrontState, cell: int, able: int) -> list[int]:
    """14B2: long-range siege artillery two hexes away."""
    return [
        unit
        for unit in game.long_range
        if able >> unit & 1
        and state.where[unit] >= 0
        and fires_far(game.board, piece(game, state, unit), state.where[unit], cell)
    ]


def out_of_reach(game: SecondFront, state: FrontState, attack: Attack, unit: int) -> bool:
    """14B2: who fires from two hexes away suffers nothing and counts for nothing in exchanges."""
    return game.board.distance(state.where[unit], attack.cell) > 1


class BuildAttack(GatherAttackers["SecondFront", FrontState]):
    """9A: who attacks."""

    name = "build-attack"
    case = "9A"
    verbs = {
        "join": Verb(("unit",), Role.JOIN),
        "fight": Verb((), Role.COMMIT),
        "cancel": Verb(()),
    }

    def actor(self, game: SecondFront, state: FrontState) -> int:
        return state.active

    def joiners(self, game: SecondFront, state: FrontState) -> list[int]:
        able = candidates(game, state, state.local.cell)
        return [unit for unit in able if self.why_not_join(game, state, unit) is None]

    def why_not_join(self, game: SecondFront, state: FrontState, unit: int) -> Refusal | None:
        attack: Attack = state.local
        if unit in attack.attackers or unit not in candidates(game, state, attack.cell):
            return refusal("cannot-join", "9B", unit=unit)
        same = [other for other in attack.attackers if state.where[other] == state.where[unit]]
        if not fits(game.board.info[attack.cell].terrain, pieces(game, state, [*same, unit])):
            return refusal("attackers-limit", "8B", hex=attack.cell)
        return None

    def why_not_fight(self, game: SecondFront, state: FrontState) -> Refusal | None:
        attack: Attack = state.local
        placed = [(piece(game, state, unit), state.where[unit]) for unit in attack.attackers]
        if placed and not may_fire_far(game.board, placed, attack.cell):
            return refusal("guns-alone", "14B2", hex=attack.cell)
        if not may_attack(pieces(game, state, attack.attackers)):
            return refusal("no-strength", "9G", hex=attack.cell)
        return None

    def options(self, game: SecondFront, state: FrontState, side: int) -> list[Action]:
        return [*super().options(game, state, side), ("cancel",)]

    def refuse(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Refusal | None:
        return None if action[0] == "cancel" else super().refuse(game, state, side, action)

    def apply(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Flow:
        if action[0] != "cancel":
            return super().apply(game, state, side, action)
        state.local = None
        return "target"


def announce(game: SecondFront, state: FrontState) -> Flow:
    """9A, 9I: the attackers are committed from here on."""
    attack: Attack = state.local
    for unit in attack.attackers:
        state.fought |= 1 << unit
    state.emit("attack", "9A", hex=attack.cell, units=attack.attackers, units_target=state.stack(attack.cell))
    return None


# 9I


def commandos_in(game: SecondFront, state: FrontState, cell: int) -> list[int]:
    """14H2: who may retreat before combat."""
    return [unit for unit in state.stack(cell) if retreats_before_combat(piece(game, state, unit))]


class RetreatBeforeCombat(Window["SecondFront", FrontState]):
    """9I, 14H2: commandos may leave before they are attacked or overrun."""

    occasion = "retreat-before-combat"

    def __init__(self, name: str, case: str) -> None:
        self.name, self.case = name, case

    verbs = {"slip-away": Verb(("unit", "hex"), Role.PLACE), "pass": Verb((), Role.PASS)}

    def actor(self, game: SecondFront, state: FrontState) -> int:
        return 1 - state.active

    def could(self, game: SecondFront, state: FrontState, side: int) -> bool:
        return bool(self.reactions(game, state, side))

    def reactions(self, game: SecondFront, state: FrontState, side: int) -> list[Action]:
        cell = _target_of(state)
        around = surroundings(game, state, side)
        return [
            ("slip-away", unit, way.cell)
            for unit in commandos_in(game, state, cell)
            for way in ways(around, piece(game, state, unit), cell)
            if way.grade == Grade.FREE
        ]

    def why_not(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Refusal | None:
        if action in self.reactions(game, state, side):
            return None
        return refusal("cannot-slip-away", "9I", unit=action[1], hex=action[2])

    def react(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Flow:
        move_to(game, state, action[1], action[2])
        state.retreated |= 1 << action[1]
        state.emit("retreat", "9I", unit=action[1], hex=action[2])
        return AGAIN


def _target_of(state: FrontState) -> int:
    local = state.local
    return int(local.cell)


# Resolution


def battle_of(game: SecondFront, state: FrontState, attack: Attack) -> Battle:
    """Those who retreated into the hex in this phase add nothing to its defence (9F1)."""
    attackers = [Attacker(piece(game, state, unit), state.where[unit]) for unit in attack.attackers]
    defenders = pieces(game, state, defending(state, attack.cell))
    return fight(target(game, state, attack.cell), attackers, defenders, game.turn_name(state))


def defending(state: FrontState, cell: int) -> list[int]:
    return fighting(state, state.stack(cell))


def fighting(state: FrontState, units: Sequence[int]) -> list[int]:
    """9F1, 9I: those who have retreated there add nothing to others; where nobody else stands, who left
    before combat fights (ruling)."""
    steady = [unit for unit in units if not state.retreated >> unit & 1]
    return steady or list(units)


def prepare(game: SecondFront, state: FrontState) -> Flow:
    """9G, 9I: without defenders left the attackers may advance; units without defence are eliminated."""
    attack: Attack = state.local
    present = state.stack(attack.cell)
    if not present:
        return "advance"
    for unit in present:
        state.attacked |= 1 << unit
    state.local = attack._replace(defenders=tuple(present))
    standing = pieces(game, state, defending(state, attack.cell))
    if helpless(standing):
        for unit in present:
            remove(game, state, unit, "9G")
        settle_ownership(game, state)
        return "advance"
    battle = battle_of(game, state, attack)
    state.emit(
        "odds",
        "9A",
        text_attack=str(battle.attack_total),
        text_defence=str(battle.defence_total),
        text_odds="<1:4" if battle.column == TOO_LOW else COLUMNS[battle.column],
        n_modifier=battle.modifier,
    )
    if battle.column == TOO_LOW:
        decide(game, state, battle, "AE", 0)
        return "losses"
    return None


class RollCombat(Throw["SecondFront", FrontState]):
    """9A: one die with its modifiers."""

    name = "roll-combat"
    case = "9A"
    verbs = {"roll": Verb(("number",))}

    def apply(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Flow:
        battle = battle_of(game, state, state.local)
        found = result(battle.column, action[1] + battle.modifier + state.local.bonus)
        decide(game, state, battle, found, action[1])
        return None


def decide(game: SecondFront, state: FrontState, battle: Battle, found: str, die: int) -> None:
    attack: Attack = state.local
    turn = game.turn_name(state)
    special = []
    for unit in attack.attackers:
        who = piece(game, state, unit)
        tank = battle.armour.attacker_pays and armour.at_least_half(who, armour.AECA, turn)
        if tank or (battle.engineers and is_combat_engineer(who)):
            special.append(unit)
    for unit in attack.defenders:
        who = piece(game, state, unit)
        category = battle.armour.defence_category
        if battle.armour.defender_pays and armour.at_least_half(who, category, turn):
            special.append(unit)
    if with_police(pieces(game, state, defending(state, attack.cell))):
        found = stiffened(found, attacking=False)
    state.local = attack._replace(result=found, special=tuple(special))
    if battle.column == TOO_LOW:
        state.emit("hopeless", "9B", hex=attack.cell)
        return
    row = max(LOWEST, min(HIGHEST, die + battle.modifier + attack.bonus))
    state.emit("result", "9C", odds=battle.column, die=die, n=row, result=found)


def ledger(game: SecondFront, state: FrontState, attack: Attack, role: int) -> Ledger:
    """What a side still has to lose. Defenders who came by retreat count for nothing and suffer all the same
    (9F1): they are lost only where everybody is."""
    near = tuple(unit for unit in attack.attackers if not out_of_reach(game, state, attack, unit))
    sides = near, attack.defenders
    standing = fighting(state, attack.defenders)
    totals = (
        losses.printed(pieces(game, state, near), ATTACKER),
        losses.printed(pieces(game, state, standing), DEFENDER),
    )
    toll = losses.tolls(attack.result, *totals)[role]
    units = sides[role] if toll.everything or role == ATTACKER else tuple(standing)
    chosen = tuple(units.index(unit) for unit in attack.lost[role])
    special = tuple(unit in attack.special for unit in units)
    return Ledger(role, toll, tuple(pieces(game, state, units)), special, chosen)


def ledger_units(
    game: SecondFront, state: FrontState, attack: Attack, role: int, toll: Toll
) -> tuple[int, ...]:
    if role == ATTACKER:
        return tuple(unit for unit in attack.attackers if not out_of_reach(game, state, attack, unit))
    if toll.everything:
        return attack.defenders
    return tuple(fighting(state, attack.defenders))


class TakeLosses(Decision["SecondFront", FrontState]):
    """9C, 9J: the owner chooses what he loses."""

    case = "9C"
    verbs = {"lose": Verb(("unit",))}

    def __init__(self, role: int) -> None:
        self.role = role
        self.name = ("attacker-losses", "defender-losses")[role]

    def actor(self, game: SecondFront, state: FrontState) -> int:
        return state.active if self.role == ATTACKER else 1 - state.active

    def _able(self, game: SecondFront, state: FrontState) -> list[int]:
        attack: Attack = state.local
        book = ledger(game, state, attack, self.role)
        units = ledger_units(game, state, attack, self.role, book.toll)
        return [] if book.settled else [units[place] for place in book.choices]

    def pending(self, game: SecondFront, state: FrontState) -> bool:
        """Nothing to choose where everybody is lost."""
        attack: Attack = state.local
        book = ledger(game, state, attack, self.role)
        return not book.toll.everything and not book.settled

    def skip(self, game: SecondFront, state: FrontState) -> Flow:
        attack: Attack = state.local
        if ledger(game, state, attack, self.role).toll.everything:
            toll = ledger(game, state, attack, self.role).toll
            everybody = ledger_units(game, state, attack, self.role, toll)
            state.local = attack._replace(lost=_with(attack.lost, self.role, everybody))
        return None

    def options(self, game: SecondFront, state: FrontState, side: int) -> list[Action]:
        return [("lose", unit) for unit in self._able(game, state)]

    def refuse(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Refusal | None:
        if action[1] in self._able(game, state):
            return None
        attack: Attack = state.local
        case = "9J" if action[1] in (*attack.attackers, *attack.defenders) else "9C"
        return refusal("not-this-loss", case, unit=action[1])

    def apply(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Flow:
        attack: Attack = state.local
        chosen = (*attack.lost[self.role], action[1])
        state.local = attack._replace(lost=_with(attack.lost, self.role, chosen))
        return AGAIN


def _with(
    lost: tuple[tuple[int, ...], tuple[int, ...]], role: int, units: tuple[int, ...]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return (units, lost[1]) if role == ATTACKER else (lost[0], units)


def apply_losses(game: SecondFront, state: FrontState) -> Flow:
    """9C, 9E: lost divisions become cadres; cadres and survivors of a beaten side retreat."""
    attack: Attack = state.local
    falling: list[int] = []
    near = tuple(unit for unit in attack.attackers if not out_of_reach(game, state, attack, unit))
    for role, units in ((DEFENDER, attack.defenders), (ATTACKER, near)):
        toll = ledger(game, state, attack, role).toll
        steady = [unit for unit in units if stands_fast(game, state, attack, role, unit)]
        riding = [by for unit in units for by in carriers(state, unit)]
        for unit in units:
            if unit in riding:
                # It is lost or falls back with its cargo (14J).
                continue
            # A cadre of a side that holds its ground stays with it (9C: only beaten sides retreat).
            lives = unit not in attack.lost[role] or reduce(game, state, unit, "9C")
            if lives and toll.retreats and unit not in steady:
                falling.append(unit)
    state.local = attack._replace(falling_back=tuple(falling))
    settle_ownership(game, state)
    return None


def stands_fast(game: SecondFront, state: FrontState, attack: Attack, role: int, unit: int) -> bool:
    """14G: units that share their hex with political police stay, except after DE; so do defenders of an
    improved hex of the Westwall (37B5)."""
    attacking = role == ATTACKER
    if not attacking and state.improved >> attack.cell & 1 and westwall_ignores(attack.result):
        return True
    with_them = with_police(pieces(game, state, state.stack(state.where[unit])))
    kept = attack.result == "AR" or ignores_retreat(attack.result, attacking)
    return with_them and kept and (attacking or attack.result != "DE")


def carried_off(game: SecondFront, state: FrontState, attack: Attack, unit: int) -> int:
    """12E: where nobody stays, who retreats takes along as many resource points as he can (ruling). They are
    no longer in the hex that he leaves."""
    side, here = side_of(state, unit), state.where[unit]
    if not state.resources or not set(state.stack(here)) <= set(attack.falling_back):
        return 0
    load = min(points_at(state, side, here), int(2 * piece(game, state, unit).re))
    add_points(state, side, here, -load)
    return load


class FallBack(Decision["SecondFront", FrontState]):
    """9F1: the owner retreats his units one by one."""

    name = "fall-back"
    case = "9F1"
    verbs = {"retreat": Verb(("unit", "hex"), Role.PLACE)}

    def actor(self, game: SecondFront, state: FrontState) -> int:
        attack: Attack = state.local
        return side_of(state, attack.falling_back[0])

    def _retreating(self, state: FrontState) -> tuple[int, ...]:
        """Those who may go now: one that is on its way goes on, otherwise any of the side that is asked."""
        attack: Attack = state.local
        first = attack.falling_back[0]
        if attack.passed:
            return (first,)
        return tuple(u for u in attack.falling_back if side_of(state, u) == side_of(state, first))

    def pending(self, game: SecondFront, state: FrontState) -> bool:
        """Units without a way out are eliminated before anybody is asked."""
        while state.local.falling_back:
            attack: Attack = state.local
            trapped = [u for u in self._retreating(state) if not self._ways(game, state, u)]
            if not trapped:
                return True
            for unit in trapped:
                remove(game, state, unit, "9F1")
            settle_ownership(game, state)
            left = tuple(unit for unit in attack.falling_back if unit not in trapped)
            state.local = attack._replace(falling_back=left, passed=0)
        return False

    def _ways(self, game: SecondFront, state: FrontState, unit: int) -> dict[int, Grade]:
        attack: Attack = state.local
        around = surroundings(game, state, side_of(state, unit))
        who, here = piece(game, state, unit), state.where[unit]
        if who.unit.by_rail_only:
            lines = track(game, state, side_of(state, unit))
            # The hex that it is driven out of was held until now.
            lines = lines._replace(held=lines.held | 1 << here)
            found = by_train(around, who, set(rides(lines, here, 1)) - {here}, attack.passed)
        else:
            found = ways(around, who, here, attack.passed)
        return {way.cell: way.grade for way in found}

    def options(self, game: SecondFront, state: FrontState, side: int) -> list[Action]:
        return [
            ("retreat", unit, cell)
            for unit in self._retreating(state)
            for cell in self._ways(game, state, unit)
        ]

    def refuse(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Refusal | None:
        if action[1] not in self._retreating(state):
            return refusal("not-its-turn-to-retreat", "9F1", unit=action[1])
        if action[2] not in self._ways(game, state, action[1]):
            return refusal("cannot-retreat-there", "9F1", unit=action[1], hex=action[2])
        return None

    def apply(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Flow:
        attack: Attack = state.local
        unit, cell = action[1:]
        grade = self._ways(game, state, unit)[cell]
        passed = attack.passed | 1 << state.where[unit]
        others = tuple(other for other in attack.falling_back if other != unit)
        state.retreated |= 1 << unit
        state.emit("retreat", "9F1", unit=unit, hex=cell)
        load = carried_off(game, state, attack, unit)
        move_to(game, state, unit, cell)
        if load:
            add_points(state, side_of(state, unit), cell, load)
        alive = True
        if grade == Grade.ENEMY_ZONE and self._slips(game, state, attack, unit, cell):
            state.local = attack._replace(falling_back=others, passed=0, trying=unit)
            return "slip-through"
        if grade == Grade.ENEMY_ZONE:
            alive = reduce(game, state, unit, "9F1")
            settle_ownership(game, state)
        if alive and not has_room(game, state, unit, cell):
            state.local = attack._replace(falling_back=(unit, *others), passed=passed)
        else:
            state.local = attack._replace(falling_back=others, passed=0)
        return AGAIN

    def _slips(self, game: SecondFront, state: FrontState, attack: Attack, unit: int, cell: int) -> bool:
        """14H1: commandos may try it where friends stand, and others behind one who has succeeded."""
        friends = [other for other in state.stack(cell) if other != unit]
        if not friends:
            return False
        return slips_through_zones(piece(game, state, unit)) or attack.led_to == cell


class SlipThrough(Throw["SecondFront", FrontState]):
    """14H1: a retreat through an enemy zone to friends."""

    name = "slip-through"
    case = "14H1"
    verbs = {"slip": Verb(("number",))}

    def pending(self, game: SecondFront, state: FrontState) -> bool:
        attack: Attack | None = state.local
        return attack is not None and attack.trying != NOBODY

    def apply(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Flow:
        attack: Attack = state.local
        unit = attack.trying
        leads = slips_through_zones(piece(game, state, unit))
        through = succeeds("commando_retreat" if leads else "commando_help", action[1])
        state.emit("slip-through", "14H1", unit=unit, die=action[1])
        alive = through or reduce(game, state, unit, "9F1")
        settle_ownership(game, state)
        cell = state.where[unit]
        led = cell if leads and through else attack.led_to
        attack = attack._replace(trying=NOBODY, led_to=led)
        if alive and not has_room(game, state, unit, cell):
            attack = attack._replace(falling_back=(unit, *attack.falling_back), passed=1 << attack.cell)
        state.local = attack
        return "retreats"


# 14H3, 37D


class SurpriseAttack(Decision["SecondFront", FrontState]):
    """14H3, 37D: after the odds are known, one commando or agent may try a surprise."""

    name = "surprise-attack"
    case = "14H3"
    verbs = {"surprise": Verb(("unit",)), "pass": Verb((), Role.PASS)}

    def actor(self, game: SecondFront, state: FrontState) -> int:
        return state.active

    def _able(self, game: SecondFront, state: FrontState) -> list[int]:
        attack: Attack = state.local
        if attack.tried or attack.result:
            return []
        defenders = pieces(game, state, attack.defenders)
        return [
            unit
            for unit in attack.attackers
            if may_surprise(piece(game, state, unit))
            or agents_surprise(agents_row(game.units[unit].id), defenders)
        ]

    def pending(self, game: SecondFront, state: FrontState) -> bool:
        return bool(self._able(game, state))

    def options(self, game: SecondFront, state: FrontState, side: int) -> list[Action]:
        return [*(("surprise", unit) for unit in self._able(game, state)), ("pass",)]

    def refuse(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Refusal | None:
        if action[0] == "pass" or action[1] in self._able(game, state):
            return None
        return refusal("no-surprise", "14H3", unit=action[1])

    def apply(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Flow:
        unit = action[1] if action[0] == "surprise" else NOBODY
        state.local = state.local._replace(tried=True, trying=unit)
        return None


class RollSurprise(Throw["SecondFront", FrontState]):
    """14H3: success adds to the die; a bad failure costs the commando, and the odds are worked out again."""

    name = "roll-surprise"
    case = "14H3"
    verbs = {"strike": Verb(("number",))}

    def pending(self, game: SecondFront, state: FrontState) -> bool:
        return bool(state.local.trying != NOBODY)

    def apply(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Flow:
        attack: Attack = state.local
        unit = attack.trying
        bonus, lost = surprise(action[1])
        state.emit("surprise", "14H3", unit=unit, die=action[1], n_modifier=bonus)
        attack = attack._replace(trying=NOBODY, bonus=bonus)
        if not lost:
            state.local = attack
            return None
        left = tuple(other for other in attack.attackers if other != unit)
        state.local = attack._replace(attackers=left)
        remove(game, state, unit, "9C")
        settle_ownership(game, state)
        if not may_attack(pieces(game, state, left)):
            return "next"
        return "prepare"


class Advance(Decision["SecondFront", FrontState]):
    """9F2: attackers may enter the hex if it is empty."""

    name = "advance-after-combat"
    case = "9F2"
    verbs = {"advance": Verb(("unit",), Role.PLACE), "end": Verb((), Role.END)}

    def actor(self, game: SecondFront, state: FrontState) -> int:
        return state.active

    def _able(self, game: SecondFront, state: FrontState) -> list[int]:
        attack: Attack = state.local
        if (state.occupied[1 - state.active] | drowned(state)) >> attack.cell & 1:
            return []
        at = target(game, state, attack.cell)
        return [
            unit
            for unit in attack.attackers
            if state.where[unit] in game.board.adjacent[attack.cell]
            and not state.retreated >> unit & 1
            and game.units[unit].face.movement
            and may_attack_across(at, Attacker(piece(game, state, unit), state.where[unit]))
            and has_room(game, state, unit, attack.cell)
        ]

    def pending(self, game: SecondFront, state: FrontState) -> bool:
        return bool(self._able(game, state))

    def options(self, game: SecondFront, state: FrontState, side: int) -> list[Action]:
        return [*(("advance", unit) for unit in self._able(game, state)), ("end",)]

    def refuse(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Refusal | None:
        if action[0] == "end" or action[1] in self._able(game, state):
            return None
        return refusal("cannot-advance", "9F2", unit=action[1])

    def apply(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Flow:
        if action[0] == "end":
            return None
        move_to(game, state, action[1], state.local.cell)
        state.emit("advance", "9F2", unit=action[1], hex=state.local.cell)
        alarm(game, state)
        return AGAIN


def next_attack(game: SecondFront, state: FrontState) -> Flow:
    state.local = None
    return "target"
