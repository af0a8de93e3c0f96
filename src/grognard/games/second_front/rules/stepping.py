"""6, 6B, 7A, 12E, 14 A unit in hand: it goes hex by hex or by train, works, loads and carries."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from grognard.board.board import each
from grognard.games.second_front.rules.building import repair, why_not_repair
from grognard.games.second_front.rules.engineers import builds
from grognard.games.second_front.rules.garrisons import alarm
from grognard.games.second_front.rules.ground import POINT, administrative_costs, legs
from grognard.games.second_front.rules.movement import (
    Terrain,
    administrative_ground,
    allowance,
    ground,
    load_penalty,
)
from grognard.games.second_front.rules.phases import (
    EXPLOITATION,
    phase_of,
)
from grognard.games.second_front.rules.position import (
    has_room,
    piece,
    pieces,
    settle_ownership,
    sky_of,
    terrain,
    zones_of,
)
from grognard.games.second_front.rules.rail import (
    Ride,
    points_for,
    rail_lines,
    rate,
)
from grognard.games.second_front.rules.special import (
    capacity,
    carries,
    slips_through_zones,
    succeeds,
)
from grognard.games.second_front.rules.stacking import fits
from grognard.games.second_front.rules.stocks import (
    add_points,
    points_at,
)
from grognard.games.second_front.rules.trains import pay_for_train, trains
from grognard.games.second_front.rules.zones import Zones
from grognard.games.second_front.state import FrontState
from grognard.games.second_front.units import CARRIERS, Piece
from grognard.kernel import AGAIN, RETURN, Action, Decision, Flow, Refusal, Role, Verb, refusal
from grognard.mechanics.dice import Throw
from grognard.mechanics.movement import Ground, reach
from grognard.mechanics.pieces import NOBODY, NOWHERE

if TYPE_CHECKING:
    from grognard.games.second_front.game import SecondFront


BREAKING = 2 * POINT
"""What cutting a railway takes (7A5)."""
CARRIER_CASES = {"truck": "14J1", "lvt": "14J2", "apc": "14J3"}
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
        ends = trains(game, state, move.unit, points * rate("operational"), move.march)
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
        state.emit("move", "6", unit=move.unit, hex_from=here, hex=cell)
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
