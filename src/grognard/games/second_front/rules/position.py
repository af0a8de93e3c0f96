"""A position as the rules see it: pieces, stacks, zones, lines of supply."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from grognard.board.board import bits, each
from grognard.games.second_front.rules.breakdown import change, lightened, part_sets
from grognard.games.second_front.rules.engineers import builds
from grognard.games.second_front.rules.ground import marked
from grognard.games.second_front.rules.movement import Terrain
from grognard.games.second_front.rules.pools import salvage
from grognard.games.second_front.rules.rail import Track, after_losses
from grognard.games.second_front.rules.retreat import Surroundings
from grognard.games.second_front.rules.stacking import fits
from grognard.games.second_front.rules.strength import FORT, Fortification, Target
from grognard.games.second_front.rules.supply import MAJOR_CITIES, Delivered, Situation, kept, turn_of
from grognard.games.second_front.rules.weather import Sky
from grognard.games.second_front.rules.works import morale
from grognard.games.second_front.rules.zones import Zones, owned, zones
from grognard.games.second_front.state import FALLING, FrontState
from grognard.games.second_front.units import ALLIED, AXIS, Piece
from grognard.mechanics.pieces import DEAD, TO_COME, aboard, members

if TYPE_CHECKING:
    from grognard.games.second_front.game import SecondFront


FEW = 2
"""So many units of any kind may stack in every hex (8A2)."""
IN_COMBAT = frozenset({"9C", "9F1", "9G", "13"})
"""The cases under which losses give back infantry (40B4)."""


def side_of(state: FrontState, unit: int) -> int:
    return AXIS if state.side_units[AXIS] >> unit & 1 else ALLIED


def sky_of(state: FrontState) -> Sky:
    return Sky(*state.sky)


def piece(game: SecondFront, state: FrontState, unit: int) -> Piece:
    hungry = 0 if state.fed >> unit & 1 else turn_of(state.hunger[unit])
    counter, added = game.units[unit], 0
    detached = bool(state.lightened >> unit & 1)
    attached = state.at.get(aboard(unit), 0)
    if detached or attached:
        battalion = game.units[members(attached)[0]] if attached else None
        added = change(battalion, detached)
        counter = lightened(counter.id) if detached else counter
    return Piece(
        counter,
        bool(state.reduced >> unit & 1),
        hungry,
        bool(state.isolated >> unit & 1),
        not counter.flips or bool(state.dotted >> unit & 1),
        added,
        mount(game, state, unit) if state.mounted else "",
        bool(state.governments) and disheartened(state, counter.nation),
    )


def mount(game: SecondFront, state: FrontState, unit: int) -> str:
    """14J: the kind of movement counter that carries a unit in combat."""
    return next((game.units[by].type for by, cargo in state.mounted if cargo == unit), "")


def disheartened(state: FrontState, nation: str) -> bool:
    """37G3: in the turn in which its government falls, and in that of its return."""
    return any(
        morale(each_.fallen, each_.restored, state.turn) < 1
        for each_ in state.governments
        if each_.nation == nation
    )


def pieces(game: SecondFront, state: FrontState, units: Iterable[int]) -> list[Piece]:
    return [piece(game, state, unit) for unit in units]


def stack(game: SecondFront, state: FrontState, cell: int) -> list[Piece]:
    return pieces(game, state, state.stack(cell))


def zone_stacks(game: SecondFront, state: FrontState, side: int, without: int) -> Mapping[int, list[Piece]]:
    """5: the divisions of a side by hex, some left out and those who march."""
    found: dict[int, list[Piece]] = {}
    able = game.divisions & ~(state.reduced | state.marched | without)
    for cell in each(state.occupied[side]):
        here = state.at[cell] & able
        if here:
            found[cell] = pieces(game, state, members(here))
    return found


def zones_of(game: SecondFront, state: FrontState, side: int, without: int = 0) -> Zones:
    """5: those who march have lost theirs (6B)."""
    known = state.known_zones[side]
    if known is None or without:
        known = zones(game.board, zone_stacks(game, state, side, without), sky_of(state))
        if not without:
            state.known_zones[side] = known
    return known


def on_map(state: FrontState, side: int) -> list[int]:
    """A side's units that stand on hexes, in the order of their numbers."""
    found: list[int] = []
    for cell in each(state.occupied[side]):
        found += members(state.at[cell])
    return sorted(found)


def terrain(game: SecondFront, state: FrontState, side: int) -> Terrain:
    return Terrain(
        game.board,
        sky_of(state),
        state.occupied[1 - side],
        zones_of(game, state, 1 - side),
        state.owned[side],
        game.plan(state).ground[side] & ~drowned(state),
        state.flooded | state.marsh,
    )


def drowned(state: FrontState) -> int:
    """37A4: the hexes that nobody enters for now, as a set."""
    return bits(cell for cell, _ in state.drowned)


def has_room(game: SecondFront, state: FrontState, unit: int, cell: int) -> bool:
    if (state.at.get(cell, 0) | 1 << unit).bit_count() <= FEW:
        return True
    others = [other for other in state.stack(cell) if other != unit]
    return fits(game.board.info[cell].terrain, [*pieces(game, state, others), piece(game, state, unit)])


def overfull(game: SecondFront, state: FrontState, side: int) -> list[int]:
    """8B: the hexes where a side has more than may end a phase there."""
    return [
        cell
        for cell in each(state.occupied[side])
        if state.at[cell].bit_count() > FEW
        and not fits(game.board.info[cell].terrain, stack(game, state, cell))
    ]


def target(game: SecondFront, state: FrontState, cell: int) -> Target:
    wet = bool((state.flooded | state.marsh) >> cell & 1)
    return Target(game.board, cell, sky_of(state), fortification(game, state, cell), wet)


def fortification(game: SecondFront, state: FrontState, cell: int) -> Fortification | None:
    """The works of a hex: a port fortification first, then a fortress, then a fort."""
    if any(game.units[unit].type == "port_fortification" for unit in state.stack(cell)):
        return Fortification("port_fortification", "improved")
    features = game.board.info[cell].features
    for kind in ("fortress", "maginot"):
        if kind in features:
            return Fortification(kind, "unimproved")
    if "westwall" in features:
        return Fortification("westwall", "improved" if state.improved >> cell & 1 else "unimproved")
    return FORT if state.forts >> cell & 1 else None


def surroundings(game: SecondFront, state: FrontState, side: int) -> Surroundings:
    board = game.board
    outside = board.everywhere & ~game.plan(state).ground[side] | drowned(state)
    return Surroundings(
        board,
        sky_of(state),
        state.occupied[1 - side] | outside,
        zones_of(game, state, 1 - side).all,
        state.occupied[side],
        lambda cell: stack(game, state, cell),
    )


def situation(game: SecondFront, state: FrontState, side: int) -> Situation:
    plan = game.plan(state)
    return Situation(
        game.board,
        sky_of(state),
        side,
        state.owned[side] & plan.area | plan.sources[side],
        state.occupied[side],
        state.occupied[1 - side] | game.board.everywhere & ~plan.area & ~plan.sources[side],
        zones_of(game, state, 1 - side).all,
        {name: both[side] for name, *both in state.capacity},
        state.spoiled,
        state.wrecked,
        plan.at_sea[side],
    )


def track(game: SecondFront, state: FrontState, side: int) -> Track:
    """7A: a hex is held by a unit with a defence strength that has been there all through the phase, which
    matters in enemy zones."""
    held, zone = 0, zones_of(game, state, 1 - side).all
    for cell in each(state.occupied[side] & zone):
        steady = members(state.at[cell] & state.steady)
        if any(piece(game, state, unit).face.defence for unit in steady):
            held |= 1 << cell
    area = game.plan(state).area
    return Track(game.board, state.owned[side] & area, zone, state.broken, held, state.wrecked)


# What follows from a change


def settle_ownership(game: SecondFront, state: FrontState) -> None:
    """3D and what hangs on it: whose hexes are whose now. A captured fort is removed (37B1), captured
    resource points are destroyed (12E), the last yard lost takes its network with it (7A4c), and a major city
    that has been Allied is no source of the Axis any more (12C1)."""
    if state.works or state.strips:
        drop_unattended(game, state)
    before = state.owned
    controlled = zones_of(game, state, AXIS).all, zones_of(game, state, ALLIED).all
    area = game.plan(state).area
    state.owned = owned(before, (state.occupied[AXIS], state.occupied[ALLIED]), controlled, area)
    taken = before[AXIS] & ~state.owned[AXIS] | before[ALLIED] & ~state.owned[ALLIED]
    if not taken:
        return
    state.forts &= ~taken
    state.improved &= ~taken
    state.wall_held &= state.owned[AXIS]
    if state.governments:
        state.governments = tuple(
            each_._replace(cell=FALLING, fallen=state.turn)
            if each_.cell >= 0 and taken >> each_.cell & 1
            else each_
            for each_ in state.governments
        )
    state.stores = tuple(
        entry for entry in state.stores if kept([Delivered(*entry[1:])], state.owned[entry[0]])
    )
    state.spoiled |= state.owned[ALLIED] & marked(game.board, *MAJOR_CITIES)
    state.resources = tuple(entry for entry in state.resources if state.owned[entry[1]] >> entry[0] & 1)
    left = [
        after_losses(game.board, state.owned[side], {name: both[side] for name, *both in state.capacity})
        for side in (AXIS, ALLIED)
    ]
    state.capacity = tuple((name, left[AXIS][name], left[ALLIED][name]) for name, *_ in state.capacity)


def drop_unattended(game: SecondFront, state: FrontState) -> None:
    """14A1: a work whose builders have left is given up; so is a temporary airfield without engineers."""
    state.works = tuple(
        work for work in state.works if all(state.where[unit] == work.cell for unit in work.units)
    )
    for cell in each(state.strips):
        if not any(builds(piece(game, state, unit), "airfield") for unit in state.stack(cell)):
            state.strips &= ~(1 << cell)


def remove(game: SecondFront, state: FrontState, unit: int, case: str) -> None:
    """What is attached to a unit goes with it (15E), and so does the counter that carries it in combat
    (14J); when the last part of a division is gone, so is the division (ruling on 15)."""
    for lost in (*state.cargo(unit), unit, *carriers(state, unit)):
        if case in IN_COMBAT:
            salvage(game, state, lost, False)
        state.place(lost, DEAD)
    state.mounted = tuple(pair for pair in state.mounted if unit not in pair)
    state.emit("eliminated", case, unit=unit)
    for division, number in state.split:
        if not any(state.where[part] >= 0 for part in parts_of(game, number)):
            state.split = tuple(entry for entry in state.split if entry[0] != division)
            for part in parts_of(game, number):
                state.place(part, TO_COME)
            state.place(division, DEAD)


def carriers(state: FrontState, unit: int) -> list[int]:
    """14J: the movement counter that carries a unit in combat: the two are one unit then."""
    here = state.where[unit]
    return [by for by, cargo in state.mounted if cargo == unit and state.where[by] == here]


def parts_of(game: SecondFront, number: int) -> list[int]:
    """The counters of a set, its headquarters last."""
    found = part_sets()[number]
    return [game.unit_index(id_) for id_ in (*found.parts, found.headquarters) if id_]


def reduce(game: SecondFront, state: FrontState, unit: int, case: str) -> bool:
    """9E: turn a division over to its cadre, or remove the unit. Whether it is still there."""
    if game.units[unit].cadre is None or state.reduced >> unit & 1:
        remove(game, state, unit, case)
        return False
    if case in IN_COMBAT:
        salvage(game, state, unit, True)
    state.reduced |= 1 << unit
    state.forget_zones()
    state.emit("cadre", "9E", unit=unit)
    return True


def move_to(game: SecondFront, state: FrontState, unit: int, cell: int) -> None:
    for one in (*carriers(state, unit), unit):
        state.place(one, cell)
    settle_ownership(game, state)
