"""6, 6B, 7A, 13 The movement and exploitation phases as questions: units one by one, trains, overruns."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from grognard.board.board import each
from grognard.games.second_front.rules.building import repair, why_not_repair, work_takes
from grognard.games.second_front.rules.dividing import (
    detach,
    divide,
    why_not_detach,
    why_not_divide,
)
from grognard.games.second_front.rules.engineers import builds
from grognard.games.second_front.rules.garrisons import alarm
from grognard.games.second_front.rules.ground import POINT, administrative_costs, legs
from grognard.games.second_front.rules.movement import (
    Overrun,
    Terrain,
    administrative_ground,
    allowance,
    ground,
    load_penalty,
    may_begin_administrative,
    may_exploit,
    overrun,
)
from grognard.games.second_front.rules.phases import (
    EXPLOITATION,
    MOVEMENT,
    nobody_has_moved,
    phase_of,
    ready_to_move,
)
from grognard.games.second_front.rules.position import (
    has_room,
    move_to,
    on_map,
    overfull,
    piece,
    pieces,
    remove,
    settle_ownership,
    sky_of,
    stack,
    target,
    terrain,
    track,
    zones_of,
)
from grognard.games.second_front.rules.rail import (
    Ride,
    Used,
    charge,
    points_for,
    rail_lines,
    rate,
    rides,
    within,
)
from grognard.games.second_front.rules.special import (
    capacity,
    carries,
    retreats_before_combat,
    slips_through_zones,
    succeeds,
)
from grognard.games.second_front.rules.stacking import fits
from grognard.games.second_front.rules.stocks import (
    add_points,
    buy_trains,
    extra_of,
    points_at,
    stocked,
    why_not_more_trains,
)
from grognard.games.second_front.rules.zones import Zones
from grognard.games.second_front.state import FrontState
from grognard.games.second_front.units import CARRIERS, Piece
from grognard.kernel import AGAIN, RETURN, Action, Decision, Flow, Refusal, Role, Verb, refusal
from grognard.mechanics.dice import Throw
from grognard.mechanics.movement import Ground, reach
from grognard.mechanics.pieces import NOBODY, NOWHERE

if TYPE_CHECKING:
    from grognard.games.second_front.game import SecondFront

OVERRUN_CHANCE = Fraction(8, 10)
"""10:1 is out of reach for an attack that is not this share of the defence, even if attackers are doubled and
defenders quartered."""
BREAKING = 2 * POINT
"""What cutting a railway takes (7A5)."""
CARRIER_CASES = {"truck": "14J1", "lvt": "14J2", "apc": "14J3"}
END: Action = ("end",)
QUARTERS = 4
REPAIRS = {"mend": "rail", "repair-port": "port", "airstrip": "temporary"}
"""The verbs of works that take movement points, and the work."""


class Move(NamedTuple):
    """The unit in hand."""

    unit: int
    march: bool = False
    """It uses administrative movement (6B)."""
    fresh: bool = True
    """It has done nothing yet."""
    stopped: bool = False
    """It has used the one hex that is always possible (6)."""
    load: int = 0
    """Resource points that it carries (12E)."""
    helper: int = NOBODY
    """Another engineer, who shares its work (14A1b)."""
    cargo: tuple[int, ...] = ()
    """Units that a movement counter carries (14J)."""
    sneaking: int = NOWHERE
    """The hex to which a commando tries to go without paying for the zone that it leaves (14H1)."""
    caught: bool = False
    """It has tried that in this hex, in vain."""

    @property
    def crew(self) -> tuple[int, ...]:
        """Who works."""
        return (self.unit,) if self.helper == NOBODY else (self.unit, self.helper)


class Freight(NamedTuple):
    """A resource point that goes by train (12E)."""

    cell: int


class Charge(NamedTuple):
    """An overrun that is being put together (13)."""

    cell: int
    units: tuple[int, ...] = ()


def begin_phase(game: SecondFront, state: FrontState) -> Flow:
    state.moved = state.marched = 0
    state.forget_zones()
    state.steady = state.side_units[state.active]
    if phase_of(state) == MOVEMENT:
        state.rail_used, state.rail_extra, state.entrained = (), (), 0
        own = state.side_units[state.active]
        state.mounted = tuple(pair for pair in state.mounted if not own >> pair[0] & 1)
    for unit in on_map(state, state.active):
        ready_to_move(game, state, unit)
        if state.works:
            state.left[unit] = max(state.left[unit] - work_takes(game, state, unit), 0)
    return None


def end_phase(game: SecondFront, state: FrontState) -> Flow:
    """Zones that were lost for the phase come back (6B). Who cannot leave a hex that is too full is
    eliminated, the last of the list first (8B)."""
    for cell in overfull(game, state, state.active):
        while not fits(game.board.info[cell].terrain, stack(game, state, cell)):
            remove(game, state, state.stack(cell)[-1], "8B")
    state.marched = 0
    state.forget_zones()
    settle_ownership(game, state)
    return None


def why_not_take(game: SecondFront, state: FrontState, unit: int) -> Refusal | None:
    """Whether a unit of the phasing side may move at all."""
    if not state.side_units[state.active] >> unit & 1 or state.where[unit] < 0:
        return refusal("not-yours", "6", unit=unit)
    if state.moved >> unit & 1:
        return refusal("moved-already", "6", unit=unit)
    if phase_of(state) == EXPLOITATION and not may_exploit(piece(game, state, unit)):
        return refusal("no-motors", "6", unit=unit)
    if phase_of(state) == EXPLOITATION and state.entrained >> unit & 1:
        return refusal("came-by-rail", "7A2", unit=unit)
    if game.units[unit].by_rail_only:
        return refusal("rails-only", "14F1", unit=unit)
    if not state.left[unit]:
        return refusal("cannot-move", "6", unit=unit)
    return None


def why_not_march(game: SecondFront, state: FrontState, unit: int) -> Refusal | None:
    reason = why_not_take(game, state, unit)
    if reason is not None:
        return reason
    if phase_of(state) == EXPLOITATION:
        return refusal("march-in-movement", "6B", unit=unit)
    if not may_begin_administrative(terrain(game, state, state.active), state.where[unit]):
        return refusal("march-near-enemy", "6B", unit=unit)
    return None


def trains(game: SecondFront, state: FrontState, unit: int, most: int) -> dict[int, Ride]:
    """7A: where trains take a unit, within the capacity of the networks: by the way that uses least of it."""
    here = piece(game, state, unit)
    if not here.face.movement and not here.unit.by_rail_only:
        return {}
    found = {}
    capacity = rail_capacity(state)
    used = rail_ledger(state)
    for cell, ways in rides(track(game, state, state.active), state.where[unit], most).items():
        for ride in sorted(ways, key=lambda way: (way.low, way.hexes)):
            if ride.hexes and within(charge(used, unit, here, ride), capacity):
                found[cell] = ride
                break
    return found


def rail_capacity(state: FrontState) -> dict[str, int]:
    """7A4, 7A4a: with what has been bought for the player turn."""
    return {name: both[state.active] + extra_of(state, name) for name, *both in state.capacity}


def rail_ledger(state: FrontState) -> tuple[Used, ...]:
    return tuple(Used(name, unit, Fraction(size, QUARTERS)) for name, unit, size in state.rail_used)


def pay_for_train(game: SecondFront, state: FrontState, unit: int, ride: Ride) -> None:
    entries = charge(rail_ledger(state), unit, piece(game, state, unit), ride)
    state.rail_used = tuple((each_.network, each_.unit, int(each_.re * QUARTERS)) for each_ in entries)


class PickUnit(Decision["SecondFront", FrontState]):
    """The phasing side moves its units in any order."""

    name = "pick-unit"
    case = "6"
    verbs = {
        "move": Verb(("unit",), Role.TAKE),
        "march": Verb(("unit",), Role.TAKE),
        "entrain": Verb(("unit",), Role.TAKE),
        "overrun": Verb(("hex",), Role.AIM),
        "divide": Verb(("unit",)),
        "divide-led": Verb(("unit",)),
        "detach": Verb(("unit",)),
        "more-trains": Verb(("network",)),
        "ship": Verb(("hex",)),
        "end": Verb((), Role.END),
    }

    def actor(self, game: SecondFront, state: FrontState) -> int:
        return state.active

    def options(self, game: SecondFront, state: FrontState, side: int) -> list[Action]:
        found: list[Action] = []
        rails = track(game, state, side).usable
        for unit in on_map(state, side):
            if why_not_take(game, state, unit) is not None:
                if game.units[unit].by_rail_only and why_not_entrain(game, state, unit, rails) is None:
                    found.append(("entrain", unit))
                continue
            found.append(("move", unit))
            if why_not_march(game, state, unit) is None:
                found.append(("march", unit))
            if why_not_entrain(game, state, unit, rails) is None:
                found.append(("entrain", unit))
        if nobody_has_moved(state):
            found += [
                (verb, unit)
                for unit in on_map(state, side)
                for verb in ("divide", "divide-led", "detach")
                if self._why_not_break(game, state, verb, unit) is None
            ]
        found += [
            ("more-trains", number)
            for number, network in enumerate(game.networks)
            if state.resources and self._why_not_rail(game, state, network) is None
        ]
        found += [
            ("ship", cell)
            for cell in each(stocked(state, side))
            if why_not_ship(game, state, cell, rails) is None
        ]
        found += [("overrun", cell) for cell in self._prey(game, state)]
        return found if self._why_not_end(game, state) is not None else [*found, END]

    def _why_not_end(self, game: SecondFront, state: FrontState) -> Refusal | None:
        """8B: not while somebody can leave a hex that is too full."""
        for cell in overfull(game, state, state.active):
            for unit in state.stack(cell):
                if why_not_take(game, state, unit) is None and MoveUnit().ways(game, state, Move(unit)):
                    return refusal("too-full", "8B", hex=cell)
        return None

    def _why_not_rail(self, game: SecondFront, state: FrontState, network: str) -> Refusal | None:
        """7A4a: trains run in the movement phase."""
        if phase_of(state) == EXPLOITATION:
            return refusal("trains-in-movement", "7A4a")
        return why_not_more_trains(game, state, network)

    def _why_not_break(self, game: SecondFront, state: FrontState, verb: str, unit: int) -> Refusal | None:
        """15A, 15E: at the beginning of the phase, before anybody has moved."""
        if not nobody_has_moved(state):
            return refusal("too-late-to-divide", "15A", unit=unit)
        if verb == "detach":
            return why_not_detach(game, state, unit)
        return why_not_divide(game, state, unit, verb == "divide-led")

    def _break(self, game: SecondFront, state: FrontState, verb: str, unit: int) -> None:
        here = state.where[unit]
        if verb == "detach":
            detach(game, state, unit)
            state.emit("detached", "15E", unit=unit, hex=here)
        else:
            divide(game, state, unit, verb == "divide-led")
            state.emit("divided", "15A", unit=unit, hex=here, units=tuple(state.stack(here)))

    def _prey(self, game: SecondFront, state: FrontState) -> list[int]:
        """13: hexes that some single hex's units might overrun."""
        near = game.board.spread(state.occupied[state.active]) & state.occupied[1 - state.active]
        return [cell for cell in each(near) if hunting_parties(game, state, cell)]

    def refuse(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Refusal | None:
        if action == END:
            return self._why_not_end(game, state)
        if action[0] == "overrun":
            weak = action[1] not in self._prey(game, state)
            return refusal("no-overrun", "13", hex=action[1]) if weak else None
        if action[0] == "march":
            return why_not_march(game, state, action[1])
        if action[0] == "entrain":
            return why_not_entrain(game, state, action[1], track(game, state, side).usable)
        if action[0] in ("divide", "divide-led", "detach"):
            return self._why_not_break(game, state, action[0], action[1])
        if action[0] == "more-trains":
            return self._why_not_rail(game, state, game.networks[action[1]])
        if action[0] == "ship":
            return why_not_ship(game, state, action[1], track(game, state, side).usable)
        return why_not_take(game, state, action[1])

    def apply(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Flow:
        if action == END:
            return None
        if action[0] == "overrun":
            state.push("overrun", Charge(action[1]))
        elif action[0] in ("divide", "divide-led", "detach"):
            self._break(game, state, action[0], action[1])
        elif action[0] == "more-trains":
            buy_trains(game, state, game.networks[action[1]])
        elif action[0] == "ship":
            state.push("freight", Freight(action[1]))
        elif action[0] == "entrain":
            state.push("train", Move(action[1]))
        else:
            march = action[0] == "march"
            if march:
                state.marched |= 1 << action[1]
                state.forget_zones()
                settle_ownership(game, state)
            state.push("move", Move(action[1], march))
        return AGAIN


def why_not_entrain(game: SecondFront, state: FrontState, unit: int, usable: int) -> Refusal | None:
    """7A2: strategic movement begins on a railway that trains can use, and is all that a unit does."""
    reason = why_not_take(game, state, unit)
    if reason is not None and reason.code != "rails-only":
        return reason
    if phase_of(state) == EXPLOITATION or not state.steady >> unit & 1:
        return refusal("rail-alone", "7A2", unit=unit)
    here = state.where[unit]
    if here not in rail_lines(game.board) or not usable >> here & 1:
        return refusal("no-train-here", "7A", unit=unit, hex=here)
    return None


# 12E


def why_not_ship(game: SecondFront, state: FrontState, cell: int, usable: int) -> Refusal | None:
    """12E: a resource point goes by train alone, like a unit of 1 RE."""
    if phase_of(state) == EXPLOITATION:
        return refusal("trains-in-movement", "12E")
    if not points_at(state, state.active, cell):
        return refusal("no-points", "12E", n_points=1)
    if cell not in rail_lines(game.board) or not usable >> cell & 1:
        return refusal("no-freight", "7A", hex=cell)
    return None


def freight_ends(game: SecondFront, state: FrontState, cell: int) -> dict[int, Ride]:
    found, capacity, used = {}, rail_capacity(state), rail_ledger(state)
    for there, ways in rides(track(game, state, state.active), cell, rate("strategic")).items():
        for ride in sorted(ways, key=lambda way: (way.low, way.hexes)):
            if ride.hexes and within((*used, *freight_charge(state, ride)), capacity):
                found[there] = ride
                break
    return found


def freight_charge(state: FrontState, ride: Ride) -> tuple[Used, ...]:
    """Every point is a train of its own: the entries get numbers below those of units."""
    number = min((unit for _, unit, _ in state.rail_used), default=0)
    size = Fraction(2 if ride.low else 1)
    return tuple(Used(network, min(number, 0) - 1, size) for network in sorted(ride.networks))


class SendFreight(Decision["SecondFront", FrontState]):
    """12E: where a resource point goes by train."""

    name = "send-freight"
    case = "12E"
    verbs = {"send": Verb(("hex",), Role.PLACE), "cancel": Verb(())}

    def actor(self, game: SecondFront, state: FrontState) -> int:
        return state.active

    def options(self, game: SecondFront, state: FrontState, side: int) -> list[Action]:
        ends = freight_ends(game, state, state.local.cell)
        return [*(("send", cell) for cell in ends), ("cancel",)]

    def refuse(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Refusal | None:
        if action[0] == "cancel" or action[1] in freight_ends(game, state, state.local.cell):
            return None
        return refusal("no-freight-train", "12E", hex=action[1])

    def apply(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Flow:
        if action[0] == "send":
            start, end = state.local.cell, action[1]
            entries = freight_charge(state, freight_ends(game, state, start)[end])
            state.rail_used += tuple((e.network, e.unit, int(e.re * QUARTERS)) for e in entries)
            add_points(state, side, start, -1)
            add_points(state, side, end, 1)
            state.emit("freight", "12E", hex_from=start, hex=end)
        return RETURN


class Detrain(Decision["SecondFront", FrontState]):
    """7A2: where a strategic move ends."""

    name = "detrain"
    case = "7A2"
    verbs = {"detrain": Verb(("hex",), Role.PLACE), "cancel": Verb(())}

    def actor(self, game: SecondFront, state: FrontState) -> int:
        return state.active

    def _ends(self, game: SecondFront, state: FrontState) -> dict[int, Ride]:
        unit = state.local.unit
        ends = trains(game, state, unit, rate("strategic"))
        return {cell: ride for cell, ride in ends.items() if has_room(game, state, unit, cell)}

    def options(self, game: SecondFront, state: FrontState, side: int) -> list[Action]:
        return [*(("detrain", cell) for cell in self._ends(game, state)), ("cancel",)]

    def refuse(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Refusal | None:
        if action[0] == "cancel" or action[1] in self._ends(game, state):
            return None
        return refusal("no-train", "7A2", unit=state.local.unit, hex=action[1])

    def apply(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Flow:
        if action[0] == "detrain":
            unit, cell = state.local.unit, action[1]
            pay_for_train(game, state, unit, self._ends(game, state)[cell])
            state.moved |= 1 << unit
            state.entrained |= 1 << unit
            state.steady &= ~(1 << unit)
            state.left[unit] = 0
            move_to(game, state, unit, cell)
            state.emit("rail", "7A2", unit=unit, hex=cell)
        return RETURN


class Paths(NamedTuple):
    """What a unit in hand finds around it."""

    terrain: Terrain
    piece: Piece
    ground: Ground


class MoveUnit(Decision["SecondFront", FrontState]):
    """A unit goes hex by hex, by train, or cuts the line where it stands."""

    name = "move-unit"
    case = "6"
    verbs = {
        "step": Verb(("hex",), Role.STEP),
        "ride": Verb(("hex",)),
        "cut": Verb(()),
        **{verb: Verb(()) for verb in REPAIRS},
        "help": Verb(("unit",)),
        "load": Verb(("number",)),
        "take-aboard": Verb(("unit",)),
        "sneak": Verb(("hex",)),
        "halt": Verb((), Role.HALT),
    }

    def actor(self, game: SecondFront, state: FrontState) -> int:
        return state.active

    def options(self, game: SecondFront, state: FrontState, side: int) -> list[Action]:
        move: Move = state.local
        found: list[Action] = [("step", there) for there in self.ways(game, state, move)]
        found += [("ride", cell) for cell in self._rides(game, state, move)]
        if self._why_not_cut(game, state, move) is None:
            found.append(("cut",))
        if builds(piece(game, state, move.unit), "rail"):
            found += [(verb,) for verb in REPAIRS if self._why_not_mend(game, state, move, verb) is None]
            found += [
                ("help", other)
                for other in state.stack(state.where[move.unit])
                if self._why_not_help(game, state, move, other) is None
            ]
        if move.fresh and state.resources:
            most = points_at(state, side, state.where[move.unit])
            found += [
                ("load", points)
                for points in range(1, most + 1)
                if self._why_not_load(game, state, move, points) is None
            ]
        if game.units[move.unit].type in CARRIERS and move.fresh:
            found += [
                ("take-aboard", other)
                for other in state.stack(state.where[move.unit])
                if self._why_not_carry(game, state, move, other) is None
            ]
        if slips_through_zones(piece(game, state, move.unit)):
            found += [
                ("sneak", there)
                for there in game.board.adjacent[state.where[move.unit]]
                if self._why_not_sneak(game, state, move, there) is None
            ]
        if self._why_not_halt(game, state, move) is None:
            found.append(("halt",))
        return found

    def ways(self, game: SecondFront, state: FrontState, move: Move) -> list[int]:
        """The hexes that a unit may enter next."""
        paths = self.paths(game, state, move)
        return [
            there
            for there in game.board.adjacent[state.where[move.unit]]
            if isinstance(self.step(game, state, move, there, paths), int)
        ]

    def paths(self, game: SecondFront, state: FrontState, move: Move) -> Paths:
        around, who = terrain(game, state, state.active), piece(game, state, move.unit)
        return Paths(around, who, administrative_ground(around, who) if move.march else ground(around, who))

    def step(
        self, game: SecondFront, state: FrontState, move: Move, there: int, paths: Paths
    ) -> int | Refusal:
        """What a step takes, or why it cannot be made."""
        unit, here, left = move.unit, state.where[move.unit], state.left[move.unit]
        if there not in game.board.adjacent[here]:
            return refusal("not-adjacent", "6", hex=there)
        if state.occupied[1 - state.active] >> there & 1:
            return refusal("enemy-there", "6", hex=there)
        plan = game.plan(state)
        if not plan.ground[state.active] >> there & 1:
            code = "other-theatre" if plan.area >> there & 1 else "outside"
            return refusal(code, "3F", hex=there)
        if move.stopped:
            return refusal("one-hex-only", "6", unit=unit)
        price = paths.ground.price(here, there)
        if not price and move.march:
            costs = administrative_costs(game.board, legs(paths.piece), sky_of(state))
            code = "march-enemy-ground" if costs.step(here, there) else "march-terrain"
            return refusal(code, "6B", hex=there)
        if not price:
            return refusal("prohibited", "6", unit=unit, hex=there)
        if price > left and not move.march and move.fresh and left == allowance(paths.piece):
            price = left
        if price > left:
            return refusal("too-dear", "6", unit=unit, hex=there, points_left=left)
        if move.cargo:
            joined = pieces(game, state, (*state.stack(there), *move.cargo))
            if not fits(game.board.info[there].terrain, joined):
                return refusal("no-room", "8B", hex=there)
        elif not has_room(game, state, unit, there):
            # It may pass through a full hex if it can go on to one that has room.
            ends = reach(paths.ground, {there: 0}, left - price, begins=False).cells & ~(1 << there)
            if not any(has_room(game, state, unit, cell) for cell in each(ends)):
                return refusal("no-room", "8B", hex=there)
        return price

    def _rides(self, game: SecondFront, state: FrontState, move: Move) -> dict[int, Ride]:
        """7A1: whole points for so many hexes each."""
        if phase_of(state) == EXPLOITATION or move.stopped:
            return {}
        points = state.left[move.unit] // POINT
        if not points or state.where[move.unit] not in rail_lines(game.board):
            return {}
        ends = trains(game, state, move.unit, points * rate("operational"))
        return {cell: ride for cell, ride in ends.items() if has_room(game, state, move.unit, cell)}

    def _why_not_cut(self, game: SecondFront, state: FrontState, move: Move) -> Refusal | None:
        here = state.where[move.unit]
        if here not in rail_lines(game.board) or state.broken >> here & 1:
            return refusal("no-line", "7A5", hex=here)
        if move.march:
            return refusal("march-does-nothing", "6B", unit=move.unit)
        if move.stopped or state.left[move.unit] < BREAKING:
            return refusal("too-dear", "7A5", unit=move.unit, hex=here, points_left=state.left[move.unit])
        return None

    def _why_not_mend(self, game: SecondFront, state: FrontState, move: Move, verb: str) -> Refusal | None:
        reason = why_not_repair(game, state, move.crew, REPAIRS[verb])
        if reason is not None:
            return reason
        if move.march:
            return refusal("march-does-nothing", "6B", unit=move.unit)
        return refusal("one-hex-only", "6", unit=move.unit) if move.stopped else None

    def _why_not_help(self, game: SecondFront, state: FrontState, move: Move, other: int) -> Refusal | None:
        """14A1b: a second engineer in the same hex that has points left."""
        if move.helper != NOBODY:
            return refusal("two-hands", "14A1b", unit=other)
        if other == move.unit or state.where[other] != state.where[move.unit]:
            return refusal("not-together", "14A1b", unit=move.unit, unit_other=other)
        engineers = all(builds(piece(game, state, unit), "rail") for unit in (move.unit, other))
        if not engineers or not state.left[other] or state.moved >> other & 1 or move.march:
            return refusal("no-engineers", "14A1b", unit=other)
        return None

    def _why_not_carry(self, game: SecondFront, state: FrontState, move: Move, other: int) -> Refusal | None:
        """14J: units that began the phase with the counter, as many RE as it holds."""
        counter = piece(game, state, move.unit)
        if counter.unit.type not in CARRIERS or not move.fresh or move.march:
            return refusal("no-carrier", "14J", unit=move.unit)
        if other in (*move.cargo, move.unit) or state.where[other] != state.where[move.unit]:
            return refusal("not-together", "14J", unit=move.unit, unit_other=other)
        if not state.steady >> other & 1 or state.moved >> other & 1:
            return refusal("moved-already", "14J", unit=other)
        cargo = pieces(game, state, (*move.cargo, other))
        if not carries(counter, cargo, capacity(counter), phase_of(state)):
            return refusal("cannot-carry", CARRIER_CASES[counter.unit.type], unit=other)
        return None

    def _why_not_sneak(self, game: SecondFront, state: FrontState, move: Move, there: int) -> Refusal | None:
        """14H1: out of an enemy zone, a try in each hex."""
        here = state.where[move.unit]
        if not slips_through_zones(piece(game, state, move.unit)):
            return refusal("no-commando", "14H1", unit=move.unit)
        if not zones_of(game, state, 1 - state.active).all >> here & 1 or move.caught or move.march:
            return refusal("nothing-to-slip", "14H1", unit=move.unit)
        price = self.step(game, state, move, there, self._free_paths(game, state, move))
        return None if isinstance(price, int) else price

    def _free_paths(self, game: SecondFront, state: FrontState, move: Move) -> Paths:
        """As if there were no enemy zones."""
        around = terrain(game, state, state.active)._replace(enemy_zones=Zones())
        who = piece(game, state, move.unit)
        return Paths(around, who, ground(around, who))

    def _why_not_load(self, game: SecondFront, state: FrontState, move: Move, points: int) -> Refusal | None:
        """12E: before it moves, up to twice its RE of the points in its hex."""
        who, here = piece(game, state, move.unit), state.where[move.unit]
        if not move.fresh or move.load:
            return refusal("load-first", "12E", unit=move.unit)
        if not 0 < points <= points_at(state, state.active, here):
            return refusal("no-points", "12E", n_points=points)
        if load_penalty(who, points) is None:
            return refusal("load-too-large", "12E", unit=move.unit, n_points=points)
        return None

    def _why_not_halt(self, game: SecondFront, state: FrontState, move: Move) -> Refusal | None:
        here = state.where[move.unit]
        if not has_room(game, state, move.unit, here) and self.ways(game, state, move):
            return refusal("no-room", "8B", hex=here)
        return None

    def refuse(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Refusal | None:
        move: Move = state.local
        if action[0] == "halt":
            return self._why_not_halt(game, state, move)
        if action[0] == "cut":
            return self._why_not_cut(game, state, move)
        if action[0] in REPAIRS:
            return self._why_not_mend(game, state, move, action[0])
        if action[0] == "help":
            return self._why_not_help(game, state, move, action[1])
        if action[0] == "load":
            return self._why_not_load(game, state, move, action[1])
        if action[0] == "take-aboard":
            return self._why_not_carry(game, state, move, action[1])
        if action[0] == "sneak":
            return self._why_not_sneak(game, state, move, action[1])
        if action[0] == "ride":
            found = action[1] in self._rides(game, state, move)
            return None if found else refusal("no-train", "7A1", unit=move.unit, hex=action[1])
        price = self.step(game, state, move, action[1], self.paths(game, state, move))
        return None if isinstance(price, int) else price

    def apply(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Flow:
        move: Move = state.local
        unit = move.unit
        if action[0] == "halt":
            state.moved |= 1 << unit
            self._set_down(game, state, move)
            if move.fresh:
                state.marched &= ~(1 << unit)
                state.forget_zones()
                settle_ownership(game, state)
            return RETURN
        if action[0] == "cut":
            state.left[unit] -= BREAKING
            state.broken |= 1 << state.where[unit]
            state.emit("cut", "7A5", unit=unit, hex=state.where[unit])
            state.local = move._replace(fresh=False)
            return AGAIN
        if action[0] in REPAIRS:
            repair(game, state, move.crew, REPAIRS[action[0]])
            state.steady &= ~(1 << unit)
            state.local = move._replace(fresh=False, helper=NOBODY)
            return AGAIN
        if action[0] == "help":
            state.local = move._replace(helper=action[1])
            return AGAIN
        if action[0] == "take-aboard":
            state.local = move._replace(cargo=(*move.cargo, action[1]))
            state.emit("carried", "14J", unit=unit, unit_other=action[1])
            return AGAIN
        if action[0] == "sneak":
            state.local = move._replace(sneaking=action[1])
            return "sneak"
        if action[0] == "load":
            who = piece(game, state, unit)
            lost = allowance(who) - allowance(who, action[1])
            state.left[unit] = max(state.left[unit] - lost, 0)
            state.emit("loaded", "12E", unit=unit, n_points=action[1])
            state.local = move._replace(load=action[1])
            return AGAIN
        if action[0] == "ride":
            ride = self._rides(game, state, move)[action[1]]
            pay_for_train(game, state, unit, ride)
            state.left[unit] -= points_for(ride.hexes) * POINT
            stopped = False
        else:
            paths = self.paths(game, state, move)
            price = self.step(game, state, move, action[1], paths)
            assert isinstance(price, int)
            stopped = paths.ground.price(state.where[unit], action[1]) > state.left[unit]
            state.left[unit] -= price
        self._go(game, state, move, action[1], stopped)
        alarm(game, state)
        return AGAIN

    def _go(self, game: SecondFront, state: FrontState, move: Move, cell: int, stopped: bool) -> None:
        """The unit, what it carries and who rides with it."""
        side, here = state.active, state.where[move.unit]
        for unit in (move.unit, *move.cargo):
            state.steady &= ~(1 << unit)
            state.place(unit, cell)
        if move.load:
            add_points(state, side, here, -move.load)
        settle_ownership(game, state)
        if move.load:
            add_points(state, side, cell, move.load)
        state.emit("move", "6", unit=move.unit, hex=cell)
        state.local = move._replace(
            fresh=False, stopped=stopped, helper=NOBODY, sneaking=NOWHERE, caught=False
        )

    def _set_down(self, game: SecondFront, state: FrontState, move: Move) -> None:
        """14J: cargo has moved with its counter; LVT and APC carry it in combat too."""
        for cargo in move.cargo:
            state.moved |= 1 << cargo
            state.left[cargo] = 0
            if game.units[move.unit].type != "truck":
                state.mounted = tuple(sorted((*state.mounted, (move.unit, cargo))))


class Sneak(Throw["SecondFront", FrontState]):
    """14H1: a commando leaves an enemy zone without paying for it, or pays, or stays."""

    name = "sneak"
    case = "14H1"
    verbs = {"sneak-die": Verb(("number",))}

    def pending(self, game: SecondFront, state: FrontState) -> bool:
        return bool(state.local.sneaking != NOWHERE)

    def skip(self, game: SecondFront, state: FrontState) -> Flow:
        return "steps"

    def apply(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Flow:
        mover, move = MoveUnit(), state.local
        through = succeeds("commando_zoc", action[1])
        state.emit("sneaked", "14H1", unit=move.unit, die=action[1])
        paths = mover._free_paths(game, state, move) if through else mover.paths(game, state, move)
        price = mover.step(game, state, move, move.sneaking, paths)
        if not isinstance(price, int):
            state.local = move._replace(sneaking=NOWHERE, caught=True, stopped=True, fresh=False)
            return "steps"
        state.left[move.unit] -= price
        mover._go(game, state, move, move.sneaking, False)
        alarm(game, state)
        return "steps"


# 13


def hunting_parties(game: SecondFront, state: FrontState, cell: int) -> dict[int, list[int]]:
    """The hexes from which all units that still can, together, would overrun a hex, with those units."""
    found = {}
    defence = sum(piece(game, state, unit).face.defence for unit in state.stack(cell))
    for here in game.board.adjacent[cell]:
        if not state.occupied[state.active] >> here & 1:
            continue
        party = chargers(game, state, here)
        attack = sum(game.units[unit].face.attack for unit in party)
        while party and OVERRUN_CHANCE * attack >= defence:
            plan = charge_of(game, state, cell, party)
            if plan is None:
                break
            able = [unit for unit, price in zip(party, plan.costs, strict=True) if price <= state.left[unit]]
            if able == party:
                found[here] = party
                break
            party = able
    return found


def chargers(game: SecondFront, state: FrontState, here: int) -> list[int]:
    """Units of a hex with points left that have not used administrative or strategic movement."""
    barred = state.marched | state.entrained
    return [unit for unit in state.stack(here) if state.left[unit] and not barred >> unit & 1]


def charge_of(game: SecondFront, state: FrontState, cell: int, units: list[int]) -> Overrun | None:
    here = state.where[units[0]]
    defenders = state.stack(cell)
    lost = sum(1 << unit for unit in defenders)
    return overrun(
        terrain(game, state, state.active),
        zones_of(game, state, 1 - state.active, lost),
        target(game, state, cell),
        here,
        pieces(game, state, units),
        pieces(game, state, defenders),
        game.turn_name(state),
    )


class GatherCharge(Decision["SecondFront", FrontState]):
    """13: the units of one hex that overrun."""

    name = "gather-charge"
    case = "13"
    verbs = {"join": Verb(("unit",), Role.JOIN), "charge": Verb((), Role.COMMIT), "cancel": Verb(())}

    def actor(self, game: SecondFront, state: FrontState) -> int:
        return state.active

    def _able(self, game: SecondFront, state: FrontState) -> list[int]:
        charge_: Charge = state.local
        parties = hunting_parties(game, state, charge_.cell)
        if charge_.units:
            here = state.where[charge_.units[0]]
            return [unit for unit in parties.get(here, []) if unit not in charge_.units]
        return [unit for party in parties.values() for unit in party]

    def _ready(self, game: SecondFront, state: FrontState) -> bool:
        charge_: Charge = state.local
        if not charge_.units:
            return False
        plan = charge_of(game, state, charge_.cell, list(charge_.units))
        return plan is not None and all(
            price <= state.left[unit] for unit, price in zip(charge_.units, plan.costs, strict=True)
        )

    def options(self, game: SecondFront, state: FrontState, side: int) -> list[Action]:
        found: list[Action] = [("join", unit) for unit in self._able(game, state)]
        if self._ready(game, state):
            found.append(("charge",))
        return [*found, ("cancel",)]

    def refuse(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Refusal | None:
        if action[0] == "join" and action[1] not in self._able(game, state):
            return refusal("cannot-charge", "13", unit=action[1])
        if action[0] == "charge" and not self._ready(game, state):
            return refusal("charge-too-weak", "13", hex=state.local.cell)
        return None

    def apply(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Flow:
        charge_: Charge = state.local
        if action[0] == "cancel":
            return RETURN
        if action[0] == "join":
            state.local = charge_._replace(units=(*charge_.units, action[1]))
            return AGAIN
        return None


def resolve_charge(game: SecondFront, state: FrontState) -> Flow:
    """13: everybody pays; what is left in the hex is eliminated without cadres. If all have retreated, nobody
    pays for the overrun itself."""
    charge_: Charge = state.local
    defenders = state.stack(charge_.cell)
    plan = charge_of(game, state, charge_.cell, list(charge_.units)) if defenders else None
    if defenders and plan is None:
        return RETURN
    for number, unit in enumerate(charge_.units):
        if plan is not None:
            price = plan.costs[number]
        else:
            price = ground(terrain(game, state, state.active), piece(game, state, unit)).price(
                state.where[unit], charge_.cell
            )
        state.left[unit] = max(state.left[unit] - price, 0)
        state.moved |= 1 << unit
    for unit in defenders:
        remove(game, state, unit, "13")
    settle_ownership(game, state)
    state.emit("overrun", "13", hex=charge_.cell, units=charge_.units)
    return None


class FollowCharge(Decision["SecondFront", FrontState]):
    """13: those who have overrun may enter the hex, and move on if they have points left."""

    name = "follow-charge"
    case = "13"
    verbs = {"advance": Verb(("unit",), Role.PLACE), "end": Verb((), Role.END)}

    def actor(self, game: SecondFront, state: FrontState) -> int:
        return state.active

    def _able(self, game: SecondFront, state: FrontState) -> list[int]:
        charge_: Charge = state.local
        return [
            unit
            for unit in charge_.units
            if state.where[unit] != charge_.cell and has_room(game, state, unit, charge_.cell)
        ]

    def pending(self, game: SecondFront, state: FrontState) -> bool:
        return bool(self._able(game, state)) and not state.occupied[1 - state.active] >> state.local.cell & 1

    def options(self, game: SecondFront, state: FrontState, side: int) -> list[Action]:
        return [*(("advance", unit) for unit in self._able(game, state)), END]

    def refuse(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Refusal | None:
        if action == END or action[1] in self._able(game, state):
            return None
        return refusal("cannot-advance", "13", unit=action[1])

    def apply(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Flow:
        if action == END:
            return None
        unit = action[1]
        state.steady &= ~(1 << unit)
        move_to(game, state, unit, state.local.cell)
        state.emit("advance", "13", unit=unit, hex=state.local.cell)
        if state.left[unit]:
            state.moved &= ~(1 << unit)
        alarm(game, state)
        return AGAIN


def commandos_in(game: SecondFront, state: FrontState, cell: int) -> list[int]:
    """14H2: who may retreat before combat."""
    return [unit for unit in state.stack(cell) if retreats_before_combat(piece(game, state, unit))]
