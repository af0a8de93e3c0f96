"""8.1 to 8.7 Combat: who attacks which hex, what is declared, and the roll."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, NamedTuple

from grognard.board.board import bits, each
from grognard.games.stalingrad_roads.data import read_cell
from grognard.games.stalingrad_roads.rules.command import hqs_on_map, supplied_units
from grognard.games.stalingrad_roads.rules.ground import near
from grognard.games.stalingrad_roads.rules.losses import alive
from grognard.games.stalingrad_roads.rules.odds import (
    WORST,
    attached_markers,
    attack_strength,
    callable_markers,
    why_not_across,
    why_too_low,
    work_out_odds,
)
from grognard.games.stalingrad_roads.rules.pocket import mark_unsupplied, use_plane
from grognard.games.stalingrad_roads.state import AXIS, GOING_ON, SOVIET, RoadsState
from grognard.kernel import AGAIN, RETURN, Action, Decision, Flow, Refusal, Role, Verb, refusal
from grognard.mechanics.dice import D6, TWO_D6, Throw

if TYPE_CHECKING:
    from grognard.games.stalingrad_roads.game import StalingradRoads

COMBAT, EXPLOITING, SURPRISE = range(3)
RELIEF_DISTANCE = 2

BLOCKS = (range(2, 6), range(6, 9), range(9, 13))
"""8.10.3 The blocks of colour of the combat table: the rows of low, middle and high rolls."""


class Attack(NamedTuple):
    """An attack being put together."""

    target: int
    attackers: tuple[int, ...] = ()
    called: tuple[int, ...] = ()
    """Markers on hexes that the attacker calls, by their numbers."""
    mode: int = COMBAT
    cell: int = -1
    """In a surprise attack, the hex of the stack."""


class Battle(NamedTuple):
    """A declared attack and what has become of it."""

    target: int
    attackers: tuple[int, ...]
    defenders: tuple[int, ...]
    mode: int
    origins: tuple[int, ...]
    """The hexes from which it is made."""
    called: tuple[int, ...] = ()
    answered: tuple[int, ...] = ()
    doubled: tuple[int, ...] = ()
    """Defenders whom a Ju 52 event strengthens."""
    rats: bool = False
    """Rattenkrieg has been played, and then whether it cancels the combat."""
    odds: int = 0
    elite: int = -1
    """The attacking unit that uses the elite bonus."""
    elite_defence: int = -1
    armoured: bool = False
    allied: bool = False
    """Allies of the Axis alone with fewer than four steps defend (8.11)."""
    german: bool = False
    """All defenders are German (14.1)."""
    roll: int = 0
    tactical: str = ""
    defensive: str = ""
    by_river: bool = False
    """The defender lets the river change the attacker's result (8.10.4)."""
    exploitation: int = 0
    attacker_losses: int = 0
    defender_losses: int = 0
    one_sided: bool = False
    """An engagement in mud, of which only the attacker's losses count (3.2.2)."""
    rescue: bool = False
    """Panzers to the rescue (14.1)."""
    retreat: int = 0
    """Hexes that the defender retreats."""
    steps: int = 0
    """Steps of the defenders when the attack was declared."""
    marked: int = 0
    """Exploitation points given away already, in halves (8.14)."""


def begin_combat(game: StalingradRoads, state: RoadsState) -> Flow:
    state.fought = state.attacked = state.retreated = state.risen = 0
    return None


def contact(game: StalingradRoads, target: int) -> int:
    """The hexes from which a hex can be attacked: not across a sea or a lake (1.8.4)."""
    return game.contacts[target]


def in_exploitation(state: RoadsState) -> bool:
    return state.within("exploitation")


def ready_to_attack(game: StalingradRoads, state: RoadsState) -> int:
    """8.1.9, 9.1.2, 10.4.3 Those of the phasing side who may still attack somebody, as a set."""
    units = state.afoot & ~game.hqs & ~state.fought
    if in_exploitation(state):
        units &= state.exploiting
    if state.sorties:
        units &= ~(state.enclosed & ~state.sorties)
    return units


def attackers_of(game: StalingradRoads, state: RoadsState, attack: Attack, ready: int) -> int:
    """8.1.1, 8.1.12 Those next to the target, of those who are ready, who may join an attack."""
    cells = game.contacts[attack.target] & state.occupied[state.active]
    if attack.cell >= 0:
        cells &= 1 << attack.cell
        ready &= state.surprised
    units = 0
    for cell in each(cells):
        units |= state.at[cell]
    units &= ready & ~bits(attack.attackers)
    for unit in attack.attackers:
        if game.units[unit].allied:
            mine = game.of_nation[game.units[unit].nation]
            units &= ~(game.allies & ~mine)
    if state.mud or game.plan(state).pocket & cells:
        units = bits(unit for unit in each(units) if why_not_join(game, state, attack, unit) is None)
    return units


def able_to_join(game: StalingradRoads, state: RoadsState, attack: Attack) -> list[int]:
    """8.1.1, 8.1.9 Those next to the target who have not attacked yet; 8.1.12 allies do not mix."""
    return each(attackers_of(game, state, attack, ready_to_attack(game, state)))


def can_harm(game: StalingradRoads, state: RoadsState, units: int, target: int) -> bool:
    """8.5.3 Whether some units have an attack factor between them."""
    if units & ~game.unarmed & ~state.enclosed:
        return True
    return bool(attack_strength(game, state, each(units), target))


def why_not_join(game: StalingradRoads, state: RoadsState, attack: Attack, unit: int) -> Refusal | None:
    side = state.active
    if state.side(unit) != side or state.where[unit] < 0:
        return refusal("not-yours", "8.3.1", unit=unit)
    if game.hqs >> unit & 1:
        return refusal("hq-does-not-attack", "8.3.3", unit=unit)
    if game.plan(state).pocket >> state.where[unit] & 1 and not relief_is_near(game, state, unit):
        return refusal("pocket-waits", "S1.4", unit=unit)
    if unit in attack.attackers:
        return refusal("joined-already", "8.1.9", unit=unit)
    if state.fought >> unit & 1:
        return refusal("fought-already", "8.1.9", unit=unit)
    if in_exploitation(state) and not state.exploiting >> unit & 1:
        return refusal("not-exploiting", "9.1.2", unit=unit)
    if state.enclosed >> unit & 1 and state.sorties and not state.sorties >> unit & 1:
        return refusal("only-the-sortie", "10.4.3", unit=unit)
    if attack.cell >= 0 and not state.surprised >> unit & 1:
        return refusal("not-in-surprise", "5.5.7", unit=unit)
    return why_not_with(game, state, attack, unit)


def why_not_with(game: StalingradRoads, state: RoadsState, attack: Attack, unit: int) -> Refusal | None:
    """Whether a unit could attack a hex together with others from where it stands, whosever turn it is."""
    if not contact(game, attack.target) >> state.where[unit] & 1:
        return refusal("not-next-to-target", "8.1.1", unit=unit, hex=attack.target)
    nations = {game.units[u].nation for u in (*attack.attackers, unit) if game.units[u].allied}
    if len(nations) > 1:
        return refusal("allies-apart", "8.1.12", unit=unit)
    return why_not_across(game, state, unit, attack.target)


def relief_is_near(game: StalingradRoads, state: RoadsState, unit: int) -> bool:
    """S1.4 Whether a supplied German armoured unit from outside is within two hexes."""
    pocket = game.plan(state).pocket
    cells = game.board.within((state.where[unit],), RELIEF_DISTANCE) & state.occupied[AXIS] & ~pocket
    units = bits(u for cell in each(cells) for u in each(state.at[cell]) if game.units[u].kind == "panzer")
    return bool(units & ~state.unsupplied) and bool(supplied_units(game, state, AXIS, units))


def why_not_target(game: StalingradRoads, state: RoadsState, cell: int) -> Refusal | None:
    side = state.active
    if not state.occupied[1 - side] >> cell & 1:
        return refusal("nobody-to-attack", "8.1.1", hex=cell)
    if state.attacked >> cell & 1:
        return refusal("attacked-already", "8.1.8", hex=cell)
    if game.plan(state).pocket >> cell & 1:
        return refusal("pocket-quiet", "S1.4", hex=cell)
    able = able_to_join(game, state, Attack(cell))
    if not able:
        return refusal("nobody-can-attack", "8.1.1", hex=cell)
    if not attack_strength(game, state, able, cell):
        return refusal("no-attack-factor", "8.5.3", hex=cell)
    return None


class ChooseTarget(Decision["StalingradRoads", RoadsState]):
    """8.3.1 The phasing player names a hex to attack, or ends the phase (8.1.3)."""

    name = "choose-target"
    case = "8.3.1"
    verbs = {"target": Verb(("hex",), Role.AIM), "end": Verb((), Role.END)}

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        if state.ending != GOING_ON:
            return False
        return not in_exploitation(state) or bool(state.exploiting & ~state.fought)

    def skip(self, game: StalingradRoads, state: RoadsState) -> Flow:
        return RETURN

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return state.active

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        exposed = state.occupied[1 - side] & near(game, state, side) & ~state.attacked
        exposed &= ~game.plan(state).pocket
        ready, contacts = ready_to_attack(game, state), game.contacts
        strikers = self._strikers(game, state, ready)
        found: list[Action] = []
        for cell in each(exposed):
            if not contacts[cell] & strikers:
                units = attackers_of(game, state, Attack(cell), ready)
                if not units or not can_harm(game, state, units, cell):
                    continue
            found.append(("target", cell))
        found.append(("end",))
        return found

    def _strikers(self, game: StalingradRoads, state: RoadsState, ready: int) -> int:
        """The hexes of units that may attack whoever is next to them, without a closer look."""
        if state.mud or game.plan(state).pocket:
            return 0
        at, harmful = state.at, ready & ~game.unarmed & ~state.enclosed
        return bits(cell for cell in each(state.occupied[state.active]) if at[cell] & harmful)

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        return None if action[0] == "end" else why_not_target(game, state, action[1])

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        if action[0] == "end":
            return "over"
        mode = EXPLOITING if in_exploitation(state) else COMBAT
        state.local = Attack(action[1], mode=mode)
        return None


class BuildAttack(Decision["StalingradRoads", RoadsState]):
    """8.3.1 Attackers join one by one, and air may be called; then the attack is on."""

    name = "build-attack"
    case = "8.3.1"
    verbs = {
        "join": Verb(("unit",), Role.JOIN),
        "call-in": Verb(("support",)),
        "fight": Verb((), Role.COMMIT),
        "cancel": Verb((), Role.PASS),
    }

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return state.active

    def _callable(self, game: StalingradRoads, state: RoadsState, attack: Attack) -> dict[int, int]:
        """Sorts of markers that can be called, each with the number of one."""
        found = callable_markers(game, state, state.active, attack.target, "attack", attack.called)
        return {state.markers[index].kind: index for index in reversed(found)}

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        attack: Attack = state.local
        found: list[Action] = [game.joins[u] for u in able_to_join(game, state, attack)]
        if attack.attackers:
            found += [("call-in", kind) for kind in sorted(self._callable(game, state, attack))]
            if self._why_not_fight(game, state, attack) is None:
                found.append(("fight",))
        found.append(("cancel",))
        return found

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        attack: Attack = state.local
        if action[0] == "cancel":
            return None
        if action[0] == "fight":
            return self._why_not_fight(game, state, attack)
        if action[0] == "call-in":
            if attack.attackers and action[1] in self._callable(game, state, attack):
                return None
            return refusal("not-callable", "5.5.4", support=action[1])
        return why_not_join(game, state, attack, action[1])

    def _why_not_fight(self, game: StalingradRoads, state: RoadsState, attack: Attack) -> Refusal | None:
        if not attack.attackers:
            return refusal("no-attackers", "8.3.1")
        return why_too_low(
            work_out_odds(game, state, attack.attackers, attack.target, attack.called), attack.target
        )

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        attack: Attack = state.local
        if action[0] == "fight":
            return None
        if action[0] == "cancel":
            return "cancelled"
        if action[0] == "call-in":
            index = self._callable(game, state, attack)[action[1]]
            state.local = attack._replace(called=(*attack.called, index))
        else:
            state.local = attack._replace(attackers=(*attack.attackers, action[1]))
        return AGAIN


def announce_attack(game: StalingradRoads, state: RoadsState) -> Battle:
    """8.2.1 step 1."""
    attack: Attack = state.local
    attackers = tuple(sorted(attack.attackers))
    defenders = tuple(each(state.at[attack.target]))
    state.replaced = ()
    if attack.mode != SURPRISE:
        state.fought |= bits(attackers)
        state.attacked |= 1 << attack.target
    state.emit("attack", "8.3.1", units=attackers, hex=attack.target, units_target=defenders)
    allied = all(game.units[u].allied for u in defenders)
    steps = sum(state.steps[u] for u in defenders if not game.hqs >> u & 1)
    return Battle(
        attack.target,
        attackers,
        defenders,
        attack.mode,
        tuple(sorted({state.where[u] for u in attackers})),
        called=attack.called,
        allied=state.active == SOVIET and allied and steps < game.data.numbers["allied_steps"],
        steps=sum(state.steps[u] for u in defenders),
        german=all(game.units[u].nation == "german" for u in defenders),
    )


def check_defender(game: StalingradRoads, state: RoadsState) -> Flow:
    """8.4 Defenders without a marker are judged now; HQs command whether they have a line or not."""
    battle: Battle = state.local
    side = 1 - state.active
    doubtful = bits(battle.defenders) & ~(state.unsupplied | state.enclosed | game.hqs)
    if doubtful:
        fed = supplied_units(game, state, side, doubtful, hqs_on_map(game, state, side))
        for unit in each(doubtful & ~fed):
            mark_unsupplied(game, state, unit, "8.4.3")
    return None


class DefendWith(Decision["StalingradRoads", RoadsState]):
    """5.5, 10.4.3 The defender calls air and plays Ju 52 events for the attacked hex."""

    name = "defend-with"
    case = "8.5.2"
    verbs = {
        "answer": Verb(("support",)),
        "fly": Verb(("plane",)),
        "pass": Verb((), Role.PASS),
    }

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return 1 - state.active

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        # Only on what everybody sees: markers on the map, and Ju 52 lying face down.
        return bool(self._callable(game, state) or self._planes_in_sight(state))

    def _planes_in_sight(self, state: RoadsState) -> bool:
        battle: Battle = state.local
        enclosed = bool(bits(battle.defenders) & state.enclosed)
        return state.active == SOVIET and enclosed and bool(state.flights)

    def _callable(self, game: StalingradRoads, state: RoadsState) -> dict[int, int]:
        battle: Battle = state.local
        side = 1 - state.active
        found = callable_markers(game, state, side, battle.target, "defence", battle.answered)
        if not any(game.supports[state.markers[index].kind].air for index in battle.called):
            # Anti-aircraft guns answer aircraft only.
            found = [i for i in found if "cancel_air" not in game.supports[state.markers[i].kind].effects]
        enclosed = bits(battle.defenders) & state.enclosed
        return {state.markers[i].kind: i for i in reversed(found)} if not enclosed else {}

    def _planes(self, game: StalingradRoads, state: RoadsState) -> list[int]:
        battle: Battle = state.local
        if not self._planes_in_sight(state):
            return []
        here = {kind for kind, cell in state.flights if cell == battle.target}
        found = {
            k for k in here if game.planes[k].id in ("unit_resistance", "stack_resistance", "rattenkrieg")
        }
        found |= {kind for kind, _ in state.flights if game.planes[kind].id == "hube"}
        if battle.doubled:
            found = {k for k in found if game.planes[k].id == "rattenkrieg"}
        if battle.rats:
            found = {k for k in found if game.planes[k].id != "rattenkrieg"}
        return sorted(found)

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        found: list[Action] = [("answer", kind) for kind in sorted(self._callable(game, state))]
        found += [("fly", plane) for plane in self._planes(game, state)]
        return [*found, ("pass",)]

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        if action[0] == "pass":
            return None
        if action[0] == "fly":
            if action[1] in self._planes(game, state):
                return None
            return refusal("no-such-plane", "10.4.3", plane=action[1])
        if action[1] in self._callable(game, state):
            return None
        return refusal("not-callable", "5.5.4", support=action[1])

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        battle: Battle = state.local
        if action[0] == "pass":
            return None
        if action[0] == "answer":
            index = self._callable(game, state)[action[1]]
            state.local = battle._replace(answered=(*battle.answered, index))
            state.emit("answered", "8.5.2", support=action[1], hex=battle.target)
            return AGAIN
        event = game.planes[action[1]].id
        use_plane(game, state, action[1], battle.target)
        troops = [u for u in battle.defenders if state.enclosed >> u & 1]
        if event == "rattenkrieg":
            state.local = battle._replace(rats=True)
        elif event == "unit_resistance":
            best = max(troops, key=lambda u: (game.units[u].defence, state.steps[u], -u))
            state.local = battle._replace(doubled=(best,))
        else:
            state.hube = state.hube or event == "hube"
            state.local = battle._replace(doubled=tuple(troops))
        return AGAIN


def settle_odds(game: StalingradRoads, state: RoadsState) -> Flow:
    """8.2.1 step 3; 8.5.8 an attack below 1/2 is called off."""
    battle: Battle = state.local
    doubled = battle.doubled
    if state.hube and not doubled:
        doubled = tuple(u for u in battle.defenders if state.enclosed >> u & 1)
    odds = work_out_odds(
        game, state, battle.attackers, battle.target, battle.called, battle.answered, doubled
    )
    state.local = battle._replace(odds=odds.final, doubled=doubled)
    state.emit("odds", "8.5", **odds.facts())
    if odds.final < WORST:
        state.emit("called-off", "8.5.8", hex=battle.target)
        return "after"
    state.good_attack = state.good_attack or odds.final >= 0
    if bits(battle.defenders) & state.enclosed and odds.final >= 0:
        state.fortress_fights |= 1 << battle.target
    if state.active == AXIS:
        if bits(battle.attackers) & state.enclosed:
            state.fortress_fights |= 1 << battle.target
        if state.enclosed and any(
            state.where[u] >= 0 and game.board.distance(battle.target, state.where[u]) == 1
            for u in each(state.enclosed)
        ):
            state.ring_broken = True
    return None


# Declarations (8.6)


def elite_units(game: StalingradRoads, state: RoadsState, units: tuple[int, ...]) -> list[int]:
    """8.6.1 Those who may lend the elite bonus: elite units, and those with a leader (5.5)."""
    led = {
        state.markers[index].unit
        for use in ("attack", "defence")
        for index in attached_markers(game, state, units, use)
        if game.supports[state.markers[index].kind].leader
    }
    return [u for u in units if state.where[u] >= 0 and (game.elite(state, u) or u in led)]


def has_brigade(game: StalingradRoads, state: RoadsState, units: tuple[int, ...]) -> int:
    """Tank brigades with the attackers: each counts as a unit on black."""
    return sum(
        "armoured_unit" in game.supports[state.markers[index].kind].effects
        for index in attached_markers(game, state, units, "attack")
    )


def may_attack_armoured(game: StalingradRoads, state: RoadsState, battle: Battle) -> bool:
    """8.6.3 Two factors on black, or one on black and one on black and white; Rudel prevents it."""
    if rudel_there(game, state, battle):
        return False
    black = sum(game.units[u].black for u in battle.attackers) + has_brigade(game, state, battle.attackers)
    mixed = sum(game.units[u].mixed for u in battle.attackers)
    return black >= 2 or (black >= 1 and mixed >= 1)


def rudel_there(game: StalingradRoads, state: RoadsState, battle: Battle) -> bool:
    return any(
        "cancel_armoured_attack" in game.supports[state.markers[index].kind].effects
        for index in battle.answered
    )


class DeclareAttack(Decision["StalingradRoads", RoadsState]):
    """8.6.2, 8.6.3 The attacker declares the elite bonus of a unit, an armoured attack, or neither."""

    name = "declare-attack"
    case = "8.6.2"
    verbs = {"use-elite": Verb(("unit",)), "armoured": Verb(()), "finish": Verb((), Role.PASS)}

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return state.active

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        return len(self.options(game, state, state.active)) > 1

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        battle: Battle = state.local
        found: list[Action] = []
        if battle.elite < 0:
            found += [("use-elite", unit) for unit in elite_units(game, state, battle.attackers)]
        if not battle.armoured and may_attack_armoured(game, state, battle):
            found.append(("armoured",))
        found.append(("finish",))
        return found

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        if action in self.options(game, state, side):
            return None
        if action[0] == "armoured":
            return refusal("not-enough-armour", "8.6.3")
        return refusal("not-elite", "8.6.1", unit=action[1])

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        battle: Battle = state.local
        if action[0] == "use-elite":
            state.local = battle._replace(elite=action[1])
            state.emit("elite-declared", "8.6.2", unit=action[1])
            return AGAIN
        if action[0] == "armoured":
            state.local = battle._replace(armoured=True)
            state.emit("armoured", "8.6.3", hex=battle.target)
            state.armoured_attacks += side == AXIS
            if side == AXIS and _near_pocket(game, state, battle.target):
                state.relief = True
            return AGAIN
        return None


def _near_pocket(game: StalingradRoads, state: RoadsState, cell: int) -> bool:
    """10.4 East of the Don and within four hexes of an enclosed unit."""
    reach = game.data.numbers["airlift_range"]
    return bool(game.data.whole_east >> cell & 1) and any(
        state.where[u] >= 0 and game.board.distance(cell, state.where[u]) <= reach
        for u in each(state.enclosed)
    )


class DeclareDefence(Decision["StalingradRoads", RoadsState]):
    """8.6.2 Then the defender may name a unit of his."""

    name = "declare-defence"
    case = "8.6.2"
    verbs = {"use-elite": Verb(("unit",)), "pass": Verb((), Role.PASS)}

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return 1 - state.active

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        battle: Battle = state.local
        return bool(elite_units(game, state, battle.defenders))

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        battle: Battle = state.local
        return [*(("use-elite", u) for u in elite_units(game, state, battle.defenders)), ("pass",)]

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        if action in self.options(game, state, side):
            return None
        return refusal("not-elite", "8.6.1", unit=action[1])

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        if action[0] == "use-elite":
            battle: Battle = state.local
            state.local = battle._replace(elite_defence=action[1])
            state.emit("elite-declared", "8.6.2", unit=action[1])
        return None


# The roll (8.7)


class RollCombat(Throw["StalingradRoads", RoadsState]):
    """8.7.3 Two dice against the column."""

    name = "roll-combat"
    case = "8.7.3"
    verbs = {"roll": Verb(("number", "number"))}
    dice = TWO_D6

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        battle: Battle = state.local
        roll = action[1] + action[2]
        result = game.data.crt.result(battle.odds, roll)
        cell = read_cell(result)
        state.local = battle._replace(
            roll=roll,
            tactical=cell.tactical,
            defensive=cell.defensive,
            attacker_losses=cell.attacker,
            defender_losses=cell.defender,
        )
        state.emit(
            "result",
            "8.7",
            dice=(action[1], action[2]),
            result=result,
            odds=game.data.crt.column(battle.odds),
        )
        return None


class RollRats(Throw["StalingradRoads", RoadsState]):
    """10.4.3 Rattenkrieg: on 1 to 5 the results are cancelled and each side loses a step."""

    name = "roll-rattenkrieg"
    case = "10.4.3"
    verbs = {"rats": Verb(("number",))}
    dice = D6

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        battle: Battle = state.local
        return battle.rats

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        battle: Battle = state.local
        cancels = action[1] <= game.data.numbers["rattenkrieg"]
        state.emit("rattenkrieg", "10.4.3", die=action[1], hex=battle.target)
        if cancels:
            state.local = battle._replace(
                tactical="-",
                defensive="-",
                attacker_losses=1,
                defender_losses=1,
                elite=-1,
                elite_defence=-1,
                allied=False,
            )
        else:
            state.local = battle._replace(rats=False)
        return None


def block(game: StalingradRoads, battle: Battle, part: int) -> list[str]:
    """8.10.3 The results of a side in the block of colour of the roll, without repetitions."""
    rows = next(rows for rows in BLOCKS if battle.roll in rows)
    found: list[str] = []
    for roll in rows:
        cell = read_cell(game.data.crt.result(battle.odds, roll))
        result = (cell.tactical, cell.defensive)[part]
        if result not in found:
            found.append(result)
    return found


class PickResult(Decision["StalingradRoads", RoadsState]):
    """8.10.3 With the elite bonus a side chooses among the results of the block."""

    case = "8.10.3"
    verbs = {"apply": Verb(("result",))}
    part: ClassVar[int]
    """Whose result: 0 the attacker's, 1 the defender's."""

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return 1 - state.active if self.part else state.active

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        battle: Battle = state.local
        return self.elite(battle) and len(block(game, battle, self.part)) > 1

    def elite(self, battle: Battle) -> bool:
        """Whether the side has declared its bonus, and its result counts."""
        raise NotImplementedError

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        return [("apply", game.result_index(code)) for code in block(game, state.local, self.part)]

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        if action in self.options(game, state, side):
            return None
        return refusal("other-block", "8.10.3")

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        battle: Battle = state.local
        code = game.result_codes[action[1]]
        state.local = battle._replace(defensive=code) if self.part else battle._replace(tactical=code)
        state.emit("result-picked", "8.10.3", word_result=code)
        return None


class PickTactical(PickResult):
    """8.10.3 The attacker; in exploitation his result does not count (9.3.2)."""

    name = "pick-tactical"
    part = 0

    def elite(self, battle: Battle) -> bool:
        return battle.elite >= 0 and battle.mode != EXPLOITING


class PickDefensive(PickResult):
    """8.10.3 The defender."""

    name = "pick-defensive"
    part = 1

    def elite(self, battle: Battle) -> bool:
        return battle.elite_defence >= 0


def attackers_left(state: RoadsState, battle: Battle) -> list[int]:
    return alive(state, battle.attackers)


def defenders_left(state: RoadsState, battle: Battle) -> list[int]:
    return [u for u in alive(state, battle.defenders) if state.where[u] == battle.target]
