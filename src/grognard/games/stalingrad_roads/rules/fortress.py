"""10 Fortress Stalingrad: its declaration, its supply, the airlift and the surrender."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from grognard.board.board import bits, each
from grognard.games.stalingrad_roads.data import BLIZZARD, CLEAR_SKY
from grognard.games.stalingrad_roads.rules.approval import approve, prestige
from grognard.games.stalingrad_roads.rules.command import supplied_units
from grognard.games.stalingrad_roads.rules.ground import held_by, stalingrad_units
from grognard.games.stalingrad_roads.rules.losses import eliminate
from grognard.games.stalingrad_roads.rules.mars import lose_one
from grognard.games.stalingrad_roads.rules.pocket import enclose, pocket_closed, use_plane
from grognard.games.stalingrad_roads.state import (
    AVAILABLE,
    AXIS,
    SOVIET,
    STAVKA,
    TO_COME,
    WITHDRAWN,
    RoadsState,
)
from grognard.kernel import (
    AGAIN,
    RETURN,
    Action,
    ChanceDecision,
    Decision,
    Flow,
    Refusal,
    Role,
    Verb,
    refusal,
)
from grognard.mechanics.dice import D6, Throw

if TYPE_CHECKING:
    from grognard.games.stalingrad_roads.game import StalingradRoads

LOWEST, HIGHEST = 1, 11


def change_level(state: RoadsState, by: int, case: str) -> None:
    """10.3.4 The supply of the fortress never leaves 1 to 11."""
    level = max(LOWEST, min(HIGHEST, state.level + by))
    if level != state.level:
        state.level = level
        state.emit("level", case, n=level)


def call_back_planes(game: StalingradRoads, state: RoadsState) -> Flow:
    """10.4.3 Ju 52 markers not played by the beginning of the Axis turn go back to the pool."""
    for plane, _ in state.flights:
        state.planes[plane] += 1
    state.flights = ()
    state.full_power = state.sorties = 0
    state.hube = False
    return None


# Declaration (10.1)


def may_declare(game: StalingradRoads, state: RoadsState) -> bool:
    """10.1.1 Both hexes hold German units, and these are out of supply."""
    if state.fortress >= 0:
        return False
    for cell in each(game.data.stalingrad):
        germans = [
            unit
            for unit in each(state.at.get(cell, 0) & game.units_of[AXIS] & ~game.hqs)
            if game.units[unit].nation == "german"
        ]
        if not germans or any(not state.unsupplied >> unit & 1 for unit in germans):
            return False
    return True


def fortress_hexes(game: StalingradRoads, state: RoadsState) -> int:
    """10.1.2 Within two hexes of Stalingrad, no enemy there."""
    reach = game.board.within(each(game.data.stalingrad), game.data.numbers["fortress_distance"])
    return reach & game.data.land & ~state.occupied[SOVIET]


class DeclareFortress(Decision["StalingradRoads", RoadsState]):
    """10.1 The Axis may declare the fortress and lay its marker."""

    name = "declare-fortress"
    case = "10.1.1"
    verbs = {"declare": Verb(("hex",), Role.PLACE), "pass": Verb((), Role.PASS)}

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        return may_declare(game, state)

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return AXIS

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        return [*(("declare", cell) for cell in each(fortress_hexes(game, state))), ("pass",)]

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        if action[0] == "pass" or fortress_hexes(game, state) >> action[1] & 1:
            return None
        return refusal("not-fortress-hex", "10.1.2", hex=action[1])

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        if action[0] == "declare":
            declare(game, state, action[1])
        return None


def declare(game: StalingradRoads, state: RoadsState, cell: int) -> None:
    """10.1.2, 10.1.3, 10.3.1"""
    numbers = game.data.numbers
    state.fortress = cell
    state.level = numbers["fortress_start" if pocket_closed(game, state) else "fortress_start_open"]
    state.airlift_open = state.turn + 1
    state.emit("fortress-declared", "10.1.2", hex=cell, n=state.level)
    hq = game.index["hq-6a"]
    if state.where[hq] != WITHDRAWN and state.where[hq] != TO_COME:
        state.place(hq, WITHDRAWN)
        state.pontoons = tuple(entry for entry in state.pontoons if entry[0] != hq)
        state.emit("eliminated", "10.1.2", unit=hq, hex=cell)
        approve(game, state, -1, "15.2.1")
    if not state.declared:
        state.declared = state.turn
        state.successes += 1
        state.emit("major-success", "14.2.1", hex=cell)
        prestige(game, state, -1, "14.2.4")
        alarm = game.support_index["a-alarm"]
        game.hold(state, alarm, AVAILABLE, state.pool[alarm])
        state.pool[alarm] = 0
        for kind, plane in enumerate(game.planes):
            state.planes[kind] = plane.copies
    enclose(game, state, state.unsupplied)


# The airlift (10.4)


class Airlift(NamedTuple):
    """Ju 52 markers still to be drawn, and those drawn that wait for a hex."""

    left: int
    drawn: tuple[int, ...] = ()


def airlift_flies(game: StalingradRoads, state: RoadsState) -> bool:
    """10.4, 10.4.1 From the turn after the declaration, while nobody in Stalingrad is supplied."""
    if state.fortress < 0 or state.turn < state.airlift_open:
        return False
    return not supplied_in_stalingrad(game, state)


def supplied_in_stalingrad(game: StalingradRoads, state: RoadsState) -> bool:
    units = bits(u for u in stalingrad_units(game, state, AXIS) if not game.hqs >> u & 1)
    return bool(supplied_units(game, state, AXIS, units))


def airlift_modifiers(game: StalingradRoads, state: RoadsState) -> list[tuple[str, int]]:
    """10.4 What changes the roll, by name."""
    worth = game.data.airlift_modifiers
    found: list[tuple[str, int]] = []

    def add(name: str, times: int = 1) -> None:
        if times:
            found.append((name, worth[name] * times))

    sorts = [game.supports[m.kind].id for m in state.markers if m.cell >= 0]
    vvs, luftwaffe = sorts.count("s-vvs"), sorts.count("a-luftwaffe")
    if game.option(state, "sensible_airlift"):
        vvs, luftwaffe = luftwaffe, vvs
    add("vvs", vvs)
    add("luftwaffe", luftwaffe)
    add("open_pocket", int(not pocket_closed(game, state)))
    add("goering", int("a-goering" in sorts))
    add("relief_attack", int(state.relief))
    add("clear_sky", int(state.clouds == CLEAR_SKY))
    add("aa", int("s-aa" in sorts))
    add("blizzard", int(state.clouds == BLIZZARD))
    pitomnik, gumrak = game.board.cell("1333"), game.board.cell("1433")
    add("pitomnik", int(state.soviet_hexes >> pitomnik & 1))
    lost = [game.board.cell(number) for number in ("1125", "1023")]
    add("airfield", sum(state.soviet_hexes >> cell & 1 for cell in (*lost, gumrak)))
    add("raid", int(state.raided))
    return found


def airlift_modifier(game: StalingradRoads, state: RoadsState) -> int:
    numbers = game.data.numbers
    total = sum(value for _, value in airlift_modifiers(game, state))
    return max(numbers["airlift_low"], min(numbers["airlift_high"], total))


def begin_airlift(game: StalingradRoads, state: RoadsState) -> Flow:
    """10.4.2 With neither airfield of the pocket left the level falls by two and no die is thrown."""
    if not airlift_flies(game, state):
        return "surrender"
    fields = bits((game.board.cell("1333"), game.board.cell("1433")))
    if not held_by(game, state, AXIS, fields):
        change_level(state, game.data.numbers["airlift_lost"], "10.4.2")
        return "surrender"
    return None


class RollAirlift(Throw["StalingradRoads", RoadsState]):
    """10.4.2 One die on the table of the airlift."""

    name = "roll-airlift"
    case = "10.4.2"
    verbs = {"airlift": Verb(("number",))}
    dice = D6

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        change = airlift_modifier(game, state)
        row = max(0, min(8, action[1] + change))
        level, planes = game.data.airlift[row]
        state.emit("airlift", "10.4.2", die=action[1], change=change, n=planes)
        change_level(state, level, "10.4.2")
        state.local = Airlift(planes)
        state.relief = state.raided = False
        return None


class DrawPlane(ChanceDecision["StalingradRoads", RoadsState]):
    """10.4.2 A Ju 52 marker is drawn; only the Axis sees its event."""

    name = "draw-plane"
    case = "10.4.2"
    verbs = {"plane": Verb(("plane",))}

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        airlift: Airlift = state.local
        return airlift.left > 0 and any(state.planes)

    def weights(self, game: StalingradRoads, state: RoadsState) -> list[tuple[Action, int]]:
        return [(("plane", kind), count) for kind, count in enumerate(state.planes) if count]

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        airlift: Airlift = state.local
        state.planes[action[1]] -= 1
        state.local = airlift._replace(left=airlift.left - 1, drawn=(*airlift.drawn, action[1]))
        state.emit("plane-drawn", "10.4.2", audience=AXIS, plane=action[1])
        return AGAIN


def evacuees(game: StalingradRoads, state: RoadsState) -> list[int]:
    """10.4.3 Reduced infantry divisions among the enclosed."""
    return [
        unit
        for unit in each(state.enclosed)
        if game.units[unit].kind == "infantry" and state.steps[unit] < game.units[unit].steps
    ]


class StationPlanes(Decision["StalingradRoads", RoadsState]):
    """10.4.3 The Axis lays the markers face down on stacks of enclosed units; an evacuation is played at
    once."""

    name = "station-planes"
    case = "10.4.3"
    verbs = {
        "station": Verb(("plane", "hex"), Role.PLACE),
        "evacuate": Verb(("unit",)),
        "pass": Verb((), Role.PASS),
    }

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return AXIS

    def _cells(self, game: StalingradRoads, state: RoadsState) -> list[int]:
        """Stacks of enclosed units; each gets one before any gets a second."""
        cells = sorted({state.where[u] for u in each(state.enclosed) if state.where[u] >= 0})
        lying = [cell for _, cell in state.flights]
        least = min((lying.count(cell) for cell in cells), default=0)
        return [cell for cell in cells if lying.count(cell) == least]

    def _evacuation(self, game: StalingradRoads, airlift: Airlift) -> bool:
        return any(game.planes[plane].id == "evacuation" for plane in airlift.drawn)

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        airlift: Airlift = state.local
        return bool(airlift.drawn)

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        airlift: Airlift = state.local
        found: list[Action] = []
        if self._evacuation(game, airlift):
            found += [("evacuate", unit) for unit in evacuees(game, state)]
            return [*found, ("pass",)]
        cells = self._cells(game, state)
        found += [("station", plane, cell) for plane in sorted(set(airlift.drawn)) for cell in cells]
        return found or [("pass",)]

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        if action in self.options(game, state, side):
            return None
        if action[0] == "evacuate":
            return refusal("not-evacuable", "10.4.3", unit=action[1])
        return refusal("station-where", "10.4.3")

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        airlift: Airlift = state.local
        drawn = list(airlift.drawn)
        if self._evacuation(game, airlift):
            plane = next(p for p in drawn if game.planes[p].id == "evacuation")
            drawn.remove(plane)
            if action[0] == "evacuate":
                evacuate(game, state, action[1])
                if 2 <= state.level <= 5:
                    change_level(state, 1, "10.4.3")
            else:
                state.planes[plane] += 1
        elif action[0] == "station":
            drawn.remove(action[1])
            state.flights = tuple(sorted((*state.flights, (action[1], action[2]))))
            state.emit("plane-laid", "10.4.3", hex=action[2])
        else:
            for plane in drawn:
                state.planes[plane] += 1
            drawn = []
        state.local = airlift._replace(drawn=tuple(drawn))
        return AGAIN


def evacuate(game: StalingradRoads, state: RoadsState, unit: int) -> None:
    """10.4.3 A reduced division is flown out and comes back two turns later."""
    cell = state.where[unit]
    state.enclosed &= ~(1 << unit)
    state.place(unit, TO_COME)
    state.due[unit] = state.turn + game.data.numbers["evacuation_delay"]
    state.emit("evacuated", "10.4.3", unit=unit, hex=cell)


# Surrender (10.3.5)


class Surrendering(NamedTuple):
    """Weak units that the fortress still has to give up."""

    owed: int


def weak_units(game: StalingradRoads, state: RoadsState) -> list[int]:
    """Enclosed units that are reduced, or have one step only."""
    return [unit for unit in each(state.enclosed) if state.where[unit] >= 0 and state.steps[unit] == 1]


def begin_surrender(game: StalingradRoads, state: RoadsState) -> Flow:
    """10.3.5 At level 1, with both airfields Soviet."""
    fields = bits((game.board.cell("1333"), game.board.cell("1433")))
    fallen = state.soviet_hexes & fields == fields
    if state.fortress < 0 or state.level > LOWEST or not fallen or not state.enclosed:
        return RETURN
    state.emit("surrender", "10.3.5", hex=state.fortress)
    state.local = Surrendering((len(weak_units(game, state)) + 1) // 2)
    return None


class GiveUp(Decision["StalingradRoads", RoadsState]):
    """10.3.5 The Axis eliminates half of its weak units, rounded up."""

    name = "give-up"
    case = "10.3.5"
    verbs = {"give-up": Verb(("unit",))}

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return AXIS

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        surrendering: Surrendering = state.local
        return surrendering.owed > 0

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        return [("give-up", unit) for unit in weak_units(game, state)]

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        if action[1] in weak_units(game, state):
            return None
        return refusal("not-weak", "10.3.5", unit=action[1])

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        surrendering: Surrendering = state.local
        state.local = Surrendering(surrendering.owed - 1)
        eliminate(game, state, action[1], "10.3.5")
        return AGAIN


def reduce_the_strong(game: StalingradRoads, state: RoadsState) -> Flow:
    """10.3.5 Then those at full strength are reduced."""
    for unit in each(state.enclosed):
        if state.where[unit] >= 0 and state.steps[unit] == 2:
            state.steps[unit] = 1
            state.emit("reduced", "10.3.5", unit=unit, hex=state.where[unit])
    return None


# Ju 52 events in the Axis turn (10.4.3)


class Flying(NamedTuple):
    """Stacks that a sortie may still choose."""

    stacks: int = 0


class FlyEvents(Decision["StalingradRoads", RoadsState]):
    """10.4.3 Events of the Axis' own turn: mobility and sorties when it moves, last reserves when it
    fights."""

    verbs = {"activate": Verb(("plane", "hex")), "pass": Verb((), Role.PASS)}

    def __init__(self, moving: bool) -> None:
        self.moving = moving
        self.name = "fly-to-move" if moving else "fly-to-fight"
        self.case = "10.4.3"

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return AXIS

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        # On what everybody sees: the markers that lie there.
        choosing = isinstance(state.local, Flying) and state.local.stacks > 0
        return state.active == AXIS and (bool(state.flights) or choosing) and bool(state.enclosed)

    def _stacks(self, state: RoadsState) -> list[int]:
        return sorted({state.where[u] for u in each(state.enclosed) if state.where[u] >= 0})

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        found: list[Action] = []
        flying = state.local if isinstance(state.local, Flying) else Flying()
        if flying.stacks:
            second = game.plane_index["sortie_2"]
            chosen = {state.where[u] for u in each(state.sorties)}
            found = [("activate", second, cell) for cell in self._stacks(state) if cell not in chosen]
            return [*found, ("pass",)]
        for plane, cell in sorted(set(state.flights)):
            id_ = game.planes[plane].id
            held = state.at.get(cell, 0) & state.enclosed
            if self.moving and id_ == "mobility" and held:
                found.append(("activate", plane, cell))
            elif self.moving and id_ in ("sortie_1", "sortie_2") and not state.sorties:
                found += [("activate", plane, stack) for stack in self._stacks(state)]
            elif not self.moving and id_ == "last_reserves" and held and not state.sorties:
                found.append(("activate", plane, cell))
        return [*dict.fromkeys(found), ("pass",)]

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        if action in self.options(game, state, side):
            return None
        return refusal("no-such-plane", "10.4.3", plane=action[1])

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        if action[0] == "pass":
            state.local = None
            return None
        plane, cell = action[1], action[2]
        units = state.at.get(cell, 0) & state.enclosed
        id_ = game.planes[plane].id
        flying = state.local if isinstance(state.local, Flying) else Flying()
        state.full_power |= units
        if flying.stacks:
            state.sorties |= units
            state.local = None
            return AGAIN
        use_plane(game, state, plane, cell)
        if id_ in ("sortie_1", "sortie_2"):
            state.sorties = units
            change_level(state, -1, "10.4.3")
            state.local = Flying(1) if id_ == "sortie_2" else None
        elif id_ == "last_reserves":
            change_level(state, -1, "10.4.3")
        return AGAIN


# Ends of player turns


def end_soviet_turn(game: StalingradRoads, state: RoadsState) -> Flow:
    """10.3.3, 10.3.6, 10.3.7, 10.2.6 What the turn has done to the fortress, and the garrison."""
    if state.fortress >= 0:
        if state.fortress_fights.bit_count() >= game.data.numbers["fortress_attacks"]:
            change_level(state, -1, "10.3.3")
        if supplied_in_stalingrad(game, state):
            change_level(state, HIGHEST, "10.3.7")
        elif not pocket_closed(game, state):
            change_level(state, 1, "10.3.6")
        keep_garrison(game, state)
    state.fortress_fights = 0
    if state.stalin and not state.good_attack:
        # Stalin wanted an attack: two markers of the STAVKA box go back.
        for _ in range(2):
            lose_one(game, state, STAVKA)
    state.stalin = state.good_attack = False
    return None


def garrison_wanted(game: StalingradRoads, state: RoadsState) -> int:
    """10.2.6 24 divisions while the Axis holds both hexes of Stalingrad, 15 while it holds one."""
    held = held_by(game, state, AXIS, game.data.stalingrad).bit_count()
    return {2: game.data.numbers["garrison_both"], 1: game.data.numbers["garrison_one"]}.get(held, 0)


def garrison(game: StalingradRoads, state: RoadsState) -> int:
    """Soviet divisions and corps within four hexes of the fortress marker."""
    area = game.board.within((state.fortress,), game.data.numbers["garrison_distance"])
    return sum(
        1
        for unit in each(game.units_of[SOVIET] & ~game.hqs)
        if state.where[unit] >= 0 and area >> state.where[unit] & 1
    )


def keep_garrison(game: StalingradRoads, state: RoadsState) -> None:
    """10.2.6 Too few: every Soviet marker goes back, and the next turn brings none."""
    if state.turn <= state.declared or garrison(game, state) >= garrison_wanted(game, state):
        return
    state.emit("garrison-missing", "10.2.6", n=garrison_wanted(game, state))
    for box in range(AVAILABLE):
        for kind in range(len(game.supports)):
            number = game.held(state, kind, box)
            game.hold(state, kind, box, -number)
            state.pool[kind] += number
    state.no_supports = state.turn + 1


def end_axis_turn(game: StalingradRoads, state: RoadsState) -> Flow:
    """10.3.3, 10.3.6"""
    if state.fortress >= 0:
        if state.fortress_fights:
            change_level(state, -1, "10.3.3")
        if supplied_in_stalingrad(game, state):
            change_level(state, game.data.numbers["relief_rise"], "10.3.6")
    state.fortress_fights = 0
    return None
