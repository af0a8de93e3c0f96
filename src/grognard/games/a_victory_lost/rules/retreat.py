"""9.5 Retreat: the fewest enemy zones first, then towards supply, then where there is room."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from grognard.board.board import bits
from grognard.games.a_victory_lost.rules.combat import Battle
from grognard.games.a_victory_lost.rules.headquarters import companions, displace, displace_bereft, overrun_hq
from grognard.games.a_victory_lost.rules.pocket import usable_ground
from grognard.games.a_victory_lost.rules.results import lose_step
from grognard.games.a_victory_lost.rules.stacking import has_room
from grognard.games.a_victory_lost.rules.supply import source_distance
from grognard.games.a_victory_lost.rules.victory import eliminate, enter_hex
from grognard.games.a_victory_lost.state import VictoryState
from grognard.kernel import Flow, Refusal, Role, Verb, refusal
from grognard.mechanics.choices import Choose
from grognard.mechanics.control import in_enemy_zone, zone
from grognard.mechanics.pieces import NOBODY

if TYPE_CHECKING:
    from grognard.games.a_victory_lost.game import AVictoryLost


class Retreat(NamedTuple):
    """The retreat of the units of one hex."""

    to_go: tuple[int, ...]
    """Units that have not begun."""
    hexes: int
    """How far each goes (9.4.1)."""
    hq: int = NOBODY
    """The HQ that goes with them (12.3), until it has."""
    walker: int = NOBODY
    left: int = 0
    """Hexes the walker has still to go."""
    trail: tuple[int, ...] = ()
    """Hexes the walker has left."""
    trails: tuple[tuple[int, tuple[int, ...]], ...] = ()
    """Those who have arrived, with their trails."""


Cost = tuple[int, int, int]
"""9.5.2 Enemy zones entered, hexes that do not lead towards supply, no room at the end: fewer is better,
in this order."""


def begin_retreat(game: AVictoryLost, state: VictoryState) -> Retreat:
    battle: Battle = state.local
    hexes = battle.outcome.retreat
    alive = tuple(u for u in battle.defenders if state.on_map(u))
    going = alive if hexes else ()
    hq = state.hq_at(battle.target)
    return Retreat(going, hexes, hq if companions(state, hq) & bits(going) else NOBODY)


def passable(game: AVictoryLost, state: VictoryState, unit: int, here: int, there: int, start: int) -> bool:
    """9.5.6, 9.5.8 Whether a retreat that began on a hex may go from another to its neighbour at all."""
    side = game.side(unit)
    if not game.data.costs.step(here, there) or not usable_ground(game, state) >> there & 1:
        return False
    foes = state.occupied if game.units[unit].hq else state.fighters  # 9.5.7 lone HQs are overrun
    if foes[1 - side] >> there & 1:
        return False
    bridged = game.data.major.get((here, there))
    if bridged is None:
        return True
    if not bridged and not game.data.on_bank >> start & 1:
        return False
    enemy_zone = zone(game, state, 1 - side)
    return not (enemy_zone >> here & 1 and enemy_zone >> there & 1)


def entering(game: AVictoryLost, state: VictoryState, unit: int, here: int, there: int, then: Cost) -> Cost:
    """9.5.2 The cost of a way that enters a hex and goes on at a known cost."""
    side = game.side(unit)
    distance = source_distance(game, state, side)
    zones = zone(game, state, 1 - side) >> there & 1
    return (then[0] + zones, then[1] + (distance[there] >= distance[here]), then[2])


def best_way(
    game: AVictoryLost, state: VictoryState, unit: int, here: int, left: int, trail: tuple[int, ...]
) -> Cost | None:
    """9.5.2 The cost of the best way on from a hex; None if there is none."""
    if not left:
        return (0, 0, int(not has_room(game, state, unit, here)))
    costs = _ways(game, state, unit, here, left, trail)
    return min(costs.values(), default=None)


def _ways(
    game: AVictoryLost, state: VictoryState, unit: int, here: int, left: int, trail: tuple[int, ...]
) -> dict[int, Cost]:
    found: dict[int, Cost] = {}
    start = trail[0] if trail else here
    for there in game.board.adjacent[here]:
        if there in trail or not passable(game, state, unit, here, there, start):
            continue
        then = best_way(game, state, unit, there, left - 1, (*trail, here))
        if then is not None:
            found[there] = entering(game, state, unit, here, there, then)
    return found


def ways_back(game: AVictoryLost, state: VictoryState, retreat: Retreat) -> dict[int, Cost]:
    """9.5.2 The next hexes that the walker may enter, each with the cost of the best way through it."""
    unit = retreat.walker
    return _ways(game, state, unit, state.where[unit], retreat.left, retreat.trail)


def retreat_hexes(game: AVictoryLost, state: VictoryState, retreat: Retreat) -> list[int]:
    """9.5.2 The next hexes on the best ways only."""
    ways = ways_back(game, state, retreat)
    least = min(ways.values(), default=None)
    return [cell for cell, cost in ways.items() if cost == least]


def lose_the_trapped(game: AVictoryLost, state: VictoryState) -> Flow:
    """9.5.8 Who cannot go the whole way is eliminated; 12.2 an HQ is repositioned instead. Then the next
    question: a step, the HQ, or the end."""
    retreat: Retreat = state.local
    if retreat.walker != NOBODY:
        unit = retreat.walker
        if retreat_hexes(game, state, retreat):
            return "fall-back"
        if game.units[unit].hq:
            displace(game, state, unit, "12.2")
        else:
            _trapped(game, state, unit)
        retreat = retreat._replace(walker=NOBODY, trail=(), left=0)
    going = []
    for unit in retreat.to_go:
        trying = retreat._replace(walker=unit, left=retreat.hexes, trail=())
        if retreat_hexes(game, state, trying):
            going.append(unit)
        else:
            _trapped(game, state, unit)
    state.local = retreat._replace(to_go=tuple(going))
    return "fall-back" if going else "hq"


def _trapped(game: AVictoryLost, state: VictoryState, unit: int) -> None:
    state.emit("trapped", "9.5.8", unit=unit, hex=state.where[unit])
    eliminate(game, state, unit, "9.5.8")


class FallBack(Choose["AVictoryLost", VictoryState]):
    """9.5.1 The owner retreats his units one at a time, in the order he likes, hex by hex."""

    name = "fall-back"
    case = "9.5"
    verbs = {"fall-back": Verb(("unit", "hex"), Role.PLACE)}
    always = True

    def actor(self, game: AVictoryLost, state: VictoryState) -> int:
        retreat: Retreat = state.local
        return game.side(retreat.walker if retreat.walker != NOBODY else retreat.to_go[0])

    def _walks(self, retreat: Retreat) -> list[Retreat]:
        if retreat.walker != NOBODY:
            return [retreat]
        return [retreat._replace(walker=u, left=retreat.hexes, trail=()) for u in retreat.to_go]

    def able(self, game: AVictoryLost, state: VictoryState) -> list[tuple[int, int]]:
        walks = self._walks(state.local)
        return [(walk.walker, cell) for walk in walks for cell in retreat_hexes(game, state, walk)]

    def why_not(self, game: AVictoryLost, state: VictoryState, thing: tuple[int, int]) -> Refusal:
        unit, cell = thing
        walk = next((w for w in self._walks(state.local) if w.walker == unit), None)
        if walk is None:
            return refusal("not-retreating", "9.5.1", unit=unit)
        ways = ways_back(game, state, walk)
        if cell not in ways:
            return refusal("no-way-back", "9.5.8", unit=unit, hex=cell)
        least = min(ways.values())
        for reason, mine, others in zip(
            ("fewer-zones", "towards-supply", "room-first"), ways[cell], least, strict=True
        ):
            if mine > others:
                return refusal(reason, "9.5.2", unit=unit, hex=cell)
        raise AssertionError("a way that is worse is worse in something")

    def take(self, game: AVictoryLost, state: VictoryState, thing: tuple[int, int]) -> Flow:
        unit, there = thing
        retreat = next(w for w in self._walks(state.local) if w.walker == unit)
        here = state.where[unit]
        state.emit("retreated", "9.5", unit=unit, hex_from=here, hex=there)
        retreat = retreat._replace(
            to_go=tuple(u for u in retreat.to_go if u != unit),
            left=retreat.left - 1,
            trail=(*retreat.trail, here),
        )
        hq = game.units[unit].hq
        in_zone = in_enemy_zone(game, state, game.side(unit), there)
        if in_zone and state.steps[unit] == 1:
            # 9.5.3, 9.5.7 it dies on the way in, and overruns nobody; an HQ has no steps
            eliminate(game, state, unit, "9.5.3")
            state.local = retreat._replace(walker=NOBODY, left=0, trail=())
            return "trapped"
        overran = overrun_hq(game, state, unit, there)
        enter_hex(game, state, unit, there)
        if in_zone and not hq:
            lose_step(game, state, unit, "9.5.3")
        if not retreat.left and not has_room(game, state, unit, there):
            # 9.5.4, 9.5.5 no room: one hex more, and again
            state.emit("no-room", "9.5.4", unit=unit, hex=there)
            retreat = retreat._replace(left=1)
        if not retreat.left:
            trails = retreat.trails if hq else (*retreat.trails, (unit, retreat.trail))
            retreat = retreat._replace(walker=NOBODY, trail=(), trails=trails)
        state.local = retreat
        return "overrun" if overran else "trapped"


def _escorts(state: VictoryState, retreat: Retreat) -> list[int]:
    """12.3 Those of an HQ's stack who have retreated."""
    mates = companions(state, retreat.hq)
    return [unit for unit, _ in retreat.trails if mates >> unit & 1]


class HqGoesWith(Choose["AVictoryLost", VictoryState]):
    """12.3 The HQ of the stack retreats with one of its units: the owner says which."""

    name = "hq-goes-with"
    case = "12.3"
    verbs = {"go-with": Verb(("unit",))}

    def actor(self, game: AVictoryLost, state: VictoryState) -> int:
        return game.side(state.local.hq)

    def able(self, game: AVictoryLost, state: VictoryState) -> list[int]:
        return _escorts(state, state.local)

    def why_not(self, game: AVictoryLost, state: VictoryState, unit: int) -> Refusal:
        retreat: Retreat = state.local
        if unit in dict(retreat.trails):
            return refusal("not-its-stack", "12.3", unit=unit, unit_hq=retreat.hq)
        return refusal("not-retreating", "12.3", unit=unit)

    def take(self, game: AVictoryLost, state: VictoryState, unit: int) -> Flow:
        retreat: Retreat = state.local
        hq, trail = retreat.hq, dict(retreat.trails)[unit]
        cell = state.where[unit]
        enter_hex(game, state, hq, cell)
        state.emit("hq-retreated", "12.3", unit=hq, hex=cell)
        if has_room(game, state, hq, cell):
            state.local = retreat._replace(hq=NOBODY)
            return None
        state.local = retreat._replace(hq=NOBODY, walker=hq, left=1, trail=trail)
        return "trapped"


def leave_hqs(game: AVictoryLost, state: VictoryState) -> None:
    """12.3 An HQ goes only with units of its own stack. 12.2 If all of them have died, here and elsewhere,
    it is repositioned."""
    retreat: Retreat = state.local
    if not _escorts(state, retreat):
        state.local = retreat._replace(hq=NOBODY)
    displace_bereft(game, state)
