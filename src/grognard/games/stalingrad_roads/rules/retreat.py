"""8.12 Retreats after combat, hex by hex, by seven priorities in strict order."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from grognard.board.board import each
from grognard.games.stalingrad_roads.rules.command import hqs_on_map, sources
from grognard.games.stalingrad_roads.rules.ground import enter_hex, near
from grognard.games.stalingrad_roads.rules.losses import eliminate
from grognard.games.stalingrad_roads.rules.pocket import enclose
from grognard.games.stalingrad_roads.rules.shortage import note_hq_move
from grognard.games.stalingrad_roads.rules.stacking import has_room, too_many
from grognard.games.stalingrad_roads.state import SOVIET, RoadsState
from grognard.kernel import RETURN, Action, Decision, Flow, Refusal, Role, Verb, refusal

if TYPE_CHECKING:
    from grognard.games.stalingrad_roads.game import StalingradRoads


class Retreat(NamedTuple):
    """Units that fall back."""

    to_go: tuple[int, ...]
    hexes: int
    foes: tuple[int, ...]
    """The hexes of the attackers, or the defender's hex if attackers fall back (priority 2)."""
    walker: int = -1
    left: int = 0
    origin: int = -1
    extra: bool = False
    """It has gone far enough and may go on, because the stack is too large (8.12.8)."""


def goals(game: StalingradRoads, state: RoadsState, unit: int) -> list[int]:
    """8.12.5, third priority: the HQs; for the enclosed the fortress; for an HQ the sources."""
    side = state.side(unit)
    if game.hqs >> unit & 1:
        return each(sources(game, state, side))
    if state.enclosed >> unit & 1:
        fortress = [state.fortress] if state.fortress >= 0 else []
        return fortress + each(game.data.stalingrad)
    return [state.where[hq] for hq in hqs_on_map(game, state, side) if hq != unit]


def open_hexes(game: StalingradRoads, state: RoadsState, retreat: Retreat, unit: int) -> list[int]:
    """8.12.5, first priority: hexes farther from where the retreat began; 8.12.7 no water."""
    here, side = state.where[unit], state.side(unit)
    origin = retreat.origin if retreat.origin >= 0 else here
    plan, data, distance = game.plan(state), game.data, game.board.distance
    away = distance(here, origin)
    return [
        there
        for there in game.board.adjacent[here]
        if data.passable[data.direction[there - here]] >> here & 1
        and not state.occupied[1 - side] >> there & 1
        and plan.area >> there & 1
        and not (plan.zone_28 and data.zone_28 >> there & 1)
        and distance(there, origin) > away
    ]


def retreat_stages(
    game: StalingradRoads, state: RoadsState, retreat: Retreat, unit: int
) -> list[tuple[int, list[int]]]:
    """8.12.5 The hexes left after each priority, with its number; a priority that no hex meets is passed
    over."""
    here, side = state.where[unit], state.side(unit)
    distance = game.board.distance
    cells = open_hexes(game, state, retreat, unit)
    stages = [(1, cells)]

    def narrow(number: int, kept: list[int]) -> None:
        nonlocal cells
        cells = kept or cells
        stages.append((number, cells))

    if retreat.origin in (-1, here):
        foes = retreat.foes
        narrow(2, [c for c in cells if all(distance(c, f) > distance(here, f) for f in foes)])
    places = goals(game, state, unit)
    if places:
        least = min(distance(here, goal) for goal in places)
        nearest = [goal for goal in places if distance(here, goal) == least]
        narrow(3, [c for c in cells if any(distance(c, goal) < least for goal in nearest)])
    watched = near(game, state, 1 - side)
    narrow(4, [c for c in cells if not watched >> c & 1])
    narrow(5, [c for c in cells if not watched >> c & 1 or state.occupied[side] >> c & 1])
    narrow(6, [c for c in cells if has_room(game, state, unit, c)])
    return stages


def retreat_hexes(game: StalingradRoads, state: RoadsState, retreat: Retreat, unit: int) -> list[int]:
    return retreat_stages(game, state, retreat, unit)[-1][1]


def begin_retreat(game: StalingradRoads, state: RoadsState) -> Flow:
    return RETURN if state.local is None else None


def lose_the_trapped(game: StalingradRoads, state: RoadsState) -> Flow:
    """8.12.5 Who cannot move away is eliminated; 8.12.10 so is who cannot move at all."""
    retreat: Retreat = state.local
    if retreat.walker >= 0:
        if retreat_hexes(game, state, retreat, retreat.walker):
            return None
        unit, extra = retreat.walker, retreat.extra
        retreat = retreat._replace(walker=-1, left=0, origin=-1, extra=False)
        state.local = retreat
        if not extra:
            state.emit("trapped", "8.12.5", unit=unit, hex=state.where[unit])
            eliminate(game, state, unit, "8.12.5")
    going = []
    for unit in retreat.to_go:
        if state.where[unit] < 0:
            continue
        if state.pontoon(unit) >= 0:
            eliminate(game, state, unit, "8.12.10")
        elif retreat_hexes(game, state, retreat, unit):
            going.append(unit)
        else:
            state.emit("trapped", "8.12.5", unit=unit, hex=state.where[unit])
            eliminate(game, state, unit, "8.12.5")
    state.local = retreat._replace(to_go=tuple(going))
    return None if going else RETURN


class FallBack(Decision["StalingradRoads", RoadsState]):
    """8.12.2, 8.12.4 The owner takes his units back one by one, hex by hex."""

    name = "fall-back"
    case = "8.12.5"
    verbs = {"fall-back": Verb(("unit", "hex"), Role.PLACE), "stay": Verb((), Role.PASS)}

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        retreat: Retreat = state.local
        return state.side(retreat.walker if retreat.walker >= 0 else retreat.to_go[0])

    def _walkers(self, retreat: Retreat) -> tuple[int, ...]:
        return (retreat.walker,) if retreat.walker >= 0 else retreat.to_go

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        retreat: Retreat = state.local
        found: list[Action] = [
            ("fall-back", unit, cell)
            for unit in self._walkers(retreat)
            for cell in retreat_hexes(game, state, retreat, unit)
        ]
        if retreat.extra:
            found.append(("stay",))
        return found

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        retreat: Retreat = state.local
        if action[0] == "stay":
            return None if retreat.extra else refusal("must-retreat", "8.12.3")
        unit, cell = action[1], action[2]
        if unit not in self._walkers(retreat):
            return refusal("not-retreating", "8.12.3", unit=unit)
        for number, cells in retreat_stages(game, state, retreat, unit):
            if cell not in cells:
                return refusal(f"priority-{number}", "8.12.5", unit=unit, hex=cell)
        return None

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        retreat: Retreat = state.local
        done = retreat._replace(walker=-1, left=0, origin=-1, extra=False)
        if action[0] == "stay":
            state.local = done
            return "trapped"
        unit, there = action[1], action[2]
        here = state.where[unit]
        if retreat.walker < 0:
            to_go = tuple(u for u in retreat.to_go if u != unit)
            retreat = retreat._replace(walker=unit, left=retreat.hexes, origin=here, to_go=to_go)
            done = done._replace(to_go=to_go)
        retreat = retreat._replace(left=retreat.left - 1)
        if game.hqs >> unit & 1 and retreat.left == retreat.hexes - 1 and side == SOVIET:
            note_hq_move(game, state)
        state.retreated |= 1 << unit
        enter_hex(game, state, unit, there)
        state.emit("retreated", "8.12", unit=unit, hex_from=here, hex=there)
        if retreat.left > 0:
            state.local = retreat
        elif too_many(game, state.at[there]):
            state.local = retreat._replace(extra=True, left=0)
        else:
            state.local = done
        enclose(game, state, 1 << unit)
        return "trapped"
