"""14A, 37B5 What engineers build: works that take turns, begun in the initial phase, and works that take
movement points."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from grognard.board.board import each
from grognard.games.second_front.books import charts
from grognard.games.second_front.rules.engineers import (
    AIRFIELD,
    builds,
    civil_labour,
    hands,
    may_have_airfield,
    may_have_fort,
    may_work,
    points_needed,
    share_of_movement,
    share_of_points,
    turns_needed,
)
from grognard.games.second_front.rules.ground import crossings, marked
from grognard.games.second_front.rules.movement import allowance
from grognard.games.second_front.rules.phases import EXPLOITATION, phase_of
from grognard.games.second_front.rules.position import (
    fortification,
    on_map,
    piece,
    pieces,
    situation,
    sky_of,
)
from grognard.games.second_front.rules.stocks import add_points, improve_rail, store_for, why_not_improve
from grognard.games.second_front.rules.supply import FOOT, MAJOR_CITIES
from grognard.games.second_front.rules.theatres import GREATER_GERMANY, theatre_of
from grognard.games.second_front.rules.weather import condition
from grognard.games.second_front.state import FrontState, Work
from grognard.games.second_front.units import ALLIED, AXIS
from grognard.kernel import AGAIN, Action, Decision, Flow, Refusal, Role, Verb, refusal

if TYPE_CHECKING:
    from grognard.games.second_front.game import SecondFront

FORT, AIRFIELD_WORK, REBUILD, WESTWALL = "fort", "airfield", "rebuild", "westwall"
WORKS = (FORT, AIRFIELD_WORK, REBUILD, WESTWALL)
"""The works that take turns, by the numbers of the argument kind `work`."""
PRICES = {FORT: 1, AIRFIELD_WORK: 1, REBUILD: 1, WESTWALL: 2}
"""Resource points (14A1, 14A5, 37B5)."""
WALL_IN_REACH, RESTORED_AFTER = 10, 2
"""37B5: how near an Allied unit must be, and the turns that a restoration takes."""
BASES = {
    "airfield": "permanent airfield",
    "reference_city": "reference city",
    "dot_city": "dot city",
    "major_city_full": "major-city hex, full",
    "major_city_partial": "major-city hex, partial",
    "fortress": "unimproved fortress",
}
"""What gives a hex room for aircraft, and its line in the chart."""
END: Action = ("end",)


# 14A1c


def labour_for(game: SecondFront, state: FrontState, unit: int) -> int | None:
    """The city whose people help a German engineer, if there is one that helps nobody else."""
    if side_is_allied(state, unit) or not game.units[unit].german or restoring(state):
        return None
    at = situation(game, state, AXIS)
    cities = 0
    for cell in each(marked(game.board, *MAJOR_CITIES) & at.owned):
        if theatre_of(game.board, cell, AXIS) == GREATER_GERMANY:
            cities |= 1 << cell
    if not cities:
        return None
    links = crossings(game.board, FOOT, at.sky)
    return civil_labour(at, links, state.where[unit], cities, state.labour)


def side_is_allied(state: FrontState, unit: int) -> bool:
    return not state.side_units[AXIS] >> unit & 1


# Works that take turns


def working(state: FrontState) -> dict[int, Work]:
    """Who is building what."""
    return {unit: work for work in state.works for unit in work.units}


def capacity_here(state: FrontState, game: SecondFront, cell: int) -> int:
    """14A1: what a hex has already: permanent airfields, and what cities and fortresses give (17A)."""
    features = game.board.info[cell].features
    total = sum(capacity for where, capacity in state.airfields if where == cell)
    for feature, line in BASES.items():
        if feature in features:
            found = charts()["airbase_capacity"].find(line)["capacity"]
            total += int(str(found))
    return total


def why_not_build(game: SecondFront, state: FrontState, units: tuple[int, ...], work: str) -> Refusal | None:
    """14A1, 14A5: who may begin a work, and where."""
    first = units[0]
    for unit in units:
        if not state.side_units[state.active] >> unit & 1 or state.where[unit] < 0:
            return refusal("not-yours", "14A1", unit=unit)
        if not builds(piece(game, state, unit), FORT if work == WESTWALL else work):
            return refusal("cannot-build", "14A5" if work == REBUILD else "14A1", unit=unit)
        if unit in working(state):
            return refusal("at-work", "14A1", unit=unit)
        if not state.fed >> unit & 1:
            return refusal("builder-unsupplied", "14A1", unit=unit)
    if len({state.where[unit] for unit in units}) > 1 or len(set(units)) < len(units):
        return refusal("not-together", "14A1b", unit=units[0], unit_other=units[-1])
    cell = state.where[first]
    if any(other.cell == cell and other.kind == work for other in state.works):
        return refusal("work-begun", "14A1", hex=cell)
    reason = why_not_here(game, state, cell, work)
    if reason is not None:
        return reason
    if store_for(game, state, state.active, cell, PRICES[work]) is None:
        return refusal("no-points", "14A1", n_points=PRICES[work])
    return None


def why_not_here(game: SecondFront, state: FrontState, cell: int, work: str) -> Refusal | None:
    if work == FORT:
        works = fortification(game, state, cell)
        port = works is not None and works.kind == "port_fortification"
        if not may_have_fort(game.board, cell, state.forts, port):
            return refusal("no-fort-here", "14A1", hex=cell)
    elif work == AIRFIELD_WORK:
        if not may_have_airfield(game.board, cell, capacity_here(state, game, cell)):
            return refusal("no-airfield-here", "14A1", hex=cell)
    elif work == WESTWALL:
        wall = "westwall" in game.board.info[cell].features
        if state.active != AXIS or not wall or state.improved >> cell & 1:
            return refusal("no-wall-here", "37B5", hex=cell)
    elif not state.ruined >> cell & 1:
        return refusal("no-ruins", "14A5", hex=cell)
    return None


def begin_work(game: SecondFront, state: FrontState, units: tuple[int, ...], work: str) -> None:
    """The point is spent now and never given back; the weather of this turn counts (ruling on 14A1a)."""
    cell = state.where[units[0]]
    store = store_for(game, state, state.active, cell, PRICES[work])
    assert store is not None
    add_points(state, state.active, store, -PRICES[work])
    weather = condition(game.board, cell, sky_of(state))
    turns = turns_needed(work, game.board.info[cell].terrain, weather)
    entry = Work(work, state.active, cell, units, state.turn + turns)
    state.works = tuple(sorted((*state.works, entry)))
    state.emit("work-begun", "14A1", units=units, hex=cell, word_work=work, n_turns=turns)


def finish_works(game: SecondFront, state: FrontState) -> Flow:
    """14A1: in the owner's initial phase, after full game turns."""
    for work in state.works:
        if work.side == state.active and work.due <= state.turn:
            state.works = tuple(other for other in state.works if other != work)
            bit = 1 << work.cell
            if work.kind == FORT:
                state.forts |= bit
            elif work.kind == WESTWALL:
                state.improved |= bit
            elif work.kind == AIRFIELD_WORK:
                known = dict(state.airfields)
                known[work.cell] = known.get(work.cell, 0) + AIRFIELD
                state.airfields = tuple(sorted(known.items()))
                state.strips &= ~bit
            else:
                state.ruined &= ~bit
            state.emit("work-done", "14A1", hex=work.cell, word_work=work.kind)
    state.labour = 0
    state.rail_spent = ()
    if restoring(state) and state.active == AXIS and state.turn >= state.restoration + RESTORED_AFTER:
        state.improved |= state.wall_held
        state.wall_held = 0
        state.emit("wall-restored", "37B5")
    return None


def restoring(state: FrontState) -> bool:
    """37B5: from the declaration until the wall is restored."""
    return bool(state.restoration and state.wall_held)


def why_not_restore_wall(game: SecondFront, state: FrontState) -> Refusal | None:
    """37B5: once, by the Axis, with an Allied unit within 10 hexes of the Westwall."""
    wall = marked(game.board, "westwall") & state.owned[AXIS]
    if state.active != AXIS or state.restoration or not wall:
        return refusal("no-restoration", "37B5")
    near = marked(game.board, "westwall")
    for _ in range(WALL_IN_REACH):
        near |= game.board.spread(near)
    return None if near & state.occupied[ALLIED] else refusal("no-restoration", "37B5")


def work_takes(game: SecondFront, state: FrontState, unit: int) -> int:
    """14A1b: what building takes of a unit's movement in this phase: all of it, or half if two share it, or
    civilians help."""
    work = working(state).get(unit)
    if work is None or phase_of(state) == EXPLOITATION:
        return 0
    crew = pieces(game, state, work.units)
    helped = hands(crew) < 2 and labour_for(game, state, unit) is not None
    share = share_of_movement(piece(game, state, unit), crew, helped)
    return int(-(-share // 1))


def spent(game: SecondFront, state: FrontState, unit: int) -> bool:
    """Whether a unit has used points in this phase: in an overrun (13), or to help at a work (14A1b)."""
    whole = allowance(piece(game, state, unit)) - work_takes(game, state, unit)
    return state.left[unit] < whole


class BeginWork(Decision["SecondFront", FrontState]):
    """14A1, 14A5, 7A4b: works begun in the initial phase."""

    name = "begin-work"
    case = "14A1"
    verbs = {
        "build": Verb(("unit", "work")),
        "build-together": Verb(("unit", "unit", "work")),
        "improve-rail": Verb(("network",)),
        "restore-westwall": Verb(()),
        "end": Verb((), Role.END),
    }

    def actor(self, game: SecondFront, state: FrontState) -> int:
        return state.active

    def pending(self, game: SecondFront, state: FrontState) -> bool:
        mine = any(owner == state.active for _, owner, _ in state.resources)
        mine = mine or why_not_restore_wall(game, state) is None
        return mine and len(self.options(game, state, state.active)) > 1

    def options(self, game: SecondFront, state: FrontState, side: int) -> list[Action]:
        found: list[Action] = []
        for unit in on_map(state, side):
            if not builds(piece(game, state, unit), FORT):
                continue
            for number, work in enumerate(WORKS):
                if why_not_build(game, state, (unit,), work) is None:
                    found.append(("build", unit, number))
                    found += [
                        ("build-together", unit, other, number)
                        for other in state.stack(state.where[unit])
                        if other > unit and why_not_build(game, state, (unit, other), work) is None
                    ]
        found += [
            ("improve-rail", number)
            for number, network in enumerate(game.networks)
            if why_not_improve(game, state, network) is None
        ]
        if why_not_restore_wall(game, state) is None:
            found.append(("restore-westwall",))
        return [*found, END]

    def refuse(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Refusal | None:
        if action == END:
            return None
        if action[0] == "restore-westwall":
            return why_not_restore_wall(game, state)
        if action[0] == "improve-rail":
            return why_not_improve(game, state, game.networks[action[1]])
        if action[0] == "build-together" and action[1] > action[2]:
            return refusal("not-together", "14A1b", unit=action[1], unit_other=action[2])
        return why_not_build(game, state, tuple(action[1:-1]), WORKS[action[-1]])

    def apply(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Flow:
        if action == END:
            return None
        if action[0] == "restore-westwall":
            state.restoration = state.turn
            state.wall_held = marked(game.board, "westwall") & state.owned[AXIS]
            state.emit("wall-declared", "37B5")
        elif action[0] == "improve-rail":
            improve_rail(game, state, game.networks[action[1]])
        else:
            begin_work(game, state, tuple(action[1:-1]), WORKS[action[-1]])
        return AGAIN


# Works that take movement points


def price_of(game: SecondFront, state: FrontState, units: tuple[int, ...], work: str) -> int | None:
    """14A1, 14A1a, 14A1b: what each of the engineers pays, in halves of a point; None if the weather forbids
    it. Civilians help who has nobody else (14A1c)."""
    cell = state.where[units[0]]
    info = game.board.info[cell]
    points = points_needed(work, info.terrain, condition(game.board, cell, sky_of(state)))
    if points is None:
        return None
    crew = pieces(game, state, units)
    share = share_of_points(points, crew, helped_by(game, state, units) is not None)
    return int(-(-share // Fraction(1)))


def helped_by(game: SecondFront, state: FrontState, units: tuple[int, ...]) -> int | None:
    """The city whose people help, where one pair of hands is missing."""
    return labour_for(game, state, units[0]) if hands(pieces(game, state, units)) < 2 else None


def why_not_repair(game: SecondFront, state: FrontState, units: tuple[int, ...], work: str) -> Refusal | None:
    """What has to be there, who can do it, and the points for it."""
    cell = state.where[units[0]]
    exploiting = phase_of(state) == EXPLOITATION
    if work == "rail" and not state.broken >> cell & 1:
        return refusal("nothing-broken", "14A1", hex=cell)
    if work == "port" and (state.ruined >> cell & 1 or cell not in dict(state.hits)):
        return refusal("port-sound", "14A5" if state.ruined >> cell & 1 else "14A1", hex=cell)
    if work == "temporary":
        taken = state.strips >> cell & 1 or cell in dict(state.airfields)
        if taken or not may_have_airfield(game.board, cell, capacity_here(state, game, cell)):
            return refusal("no-airfield-here", "14A1", hex=cell)
    for unit in units:
        ability = "airfield" if work == "temporary" else work
        if not may_work(piece(game, state, unit), ability, exploiting):
            return refusal("no-engineers", "14A1d" if exploiting else "14A1", unit=unit)
        if work == "temporary" and not state.fed >> unit & 1:
            return refusal("builder-unsupplied", "14A1", unit=unit)
    price = price_of(game, state, units, work)
    if price is None:
        return refusal("too-muddy", "14A1a", hex=cell)
    for unit in units:
        if state.left[unit] < price:
            return refusal("too-dear", "14A1", unit=unit, hex=cell, points_left=state.left[unit])
    return None


def repair(game: SecondFront, state: FrontState, units: tuple[int, ...], work: str) -> None:
    cell = state.where[units[0]]
    price, city = price_of(game, state, units, work), helped_by(game, state, units)
    assert price is not None
    for unit in units:
        state.left[unit] -= price
    if city is not None:
        state.labour |= 1 << city
    if work == "rail":
        state.broken &= ~(1 << cell)
        state.emit("mended", "14A1", unit=units[0], hex=cell)
    elif work == "port":
        known = dict(state.hits)
        known[cell] -= 1
        state.hits = tuple(sorted((where, hits) for where, hits in known.items() if hits))
        if not known[cell]:
            state.wrecked &= ~(1 << cell)
        state.emit("port-repaired", "14A1", unit=units[0], hex=cell)
    else:
        state.strips |= 1 << cell
        state.emit("airstrip", "14A1", unit=units[0], hex=cell)
