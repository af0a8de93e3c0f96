"""37E Garrisons that wait beside the map until the enemy comes; 37E1 those that the Allies owe."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from grognard.board.board import each
from grognard.games.second_front.books import charts
from grognard.games.second_front.rules.ground import marked
from grognard.games.second_front.rules.pools import PARTS, with_points
from grognard.games.second_front.rules.position import on_map, piece, pieces, settle_ownership
from grognard.games.second_front.rules.rebuilding import appear
from grognard.games.second_front.rules.supply import CITIES
from grognard.games.second_front.rules.works import at_once, may_activate, penalty
from grognard.games.second_front.state import FrontState
from grognard.games.second_front.units import ALLIED, AXIS
from grognard.kernel import AGAIN, Action, Decision, Flow, Refusal, Role, Verb, Window, refusal
from grognard.mechanics.pieces import DEAD

if TYPE_CHECKING:
    from grognard.games.second_front.game import SecondFront

QUARTERS = 4


class Garrison(NamedTuple):
    """A box beside the map and the districts that its units guard."""

    name: str
    side: int
    districts: tuple[str, ...]


class Alarm(NamedTuple):
    """A garrison that musters because the enemy has just come."""

    name: str
    room: int
    """Quarters of RE that may still come at once."""


def garrisons(game: SecondFront, state: FrontState, side: int) -> list[Garrison]:
    """Those of a side that still have units."""
    return [each_ for each_ in game.garrisons if each_.side == side and state.at.get(game.box(each_.name), 0)]


def towns(game: SecondFront, state: FrontState, garrison: Garrison) -> int:
    """37E: friendly cities and fortresses of the districts, as a set."""
    own = marked(game.board, *(f"district_{name}" for name in garrison.districts))
    here = own & state.owned[garrison.side] & game.plan(state).area
    return here & marked(game.board, *CITIES, "fortress") & ~state.occupied[1 - garrison.side]


def alarm(game: SecondFront, state: FrontState) -> None:
    """37E: an enemy unit has entered a district: its garrison may muster at once."""
    for garrison in garrisons(game, state, 1 - state.active):
        enemies = state.occupied[state.active]
        known = garrison.name in state.alarmed
        if not known and may_activate(game.board, garrison.districts, enemies, initial=False):
            units = state.stack(game.box(garrison.name))
            room = at_once(pieces(game, state, units)) * QUARTERS
            state.alarmed = (*state.alarmed, garrison.name)
            if room and towns(game, state, garrison):
                state.push("alarm", Alarm(garrison.name, room))


def muster(game: SecondFront, state: FrontState, unit: int, cell: int) -> None:
    appear(game, state, unit, cell)
    state.emit("mustered", "37E", unit=unit, hex=cell)


class MusterAtOnce(Window["SecondFront", FrontState]):
    """37E: up to half of a garrison, where the enemy has come into its district."""

    name = "muster-at-once"
    case = "37E"
    occasion = "garrison"
    verbs = {"muster": Verb(("unit", "hex"), Role.PLACE), "pass": Verb((), Role.PASS)}

    def actor(self, game: SecondFront, state: FrontState) -> int:
        return 1 - state.active

    def could(self, game: SecondFront, state: FrontState, side: int) -> bool:
        return bool(self.reactions(game, state, side))

    def reactions(self, game: SecondFront, state: FrontState, side: int) -> list[Action]:
        garrison = next(each_ for each_ in game.garrisons if each_.name == state.local.name)
        cells = list(each(towns(game, state, garrison)))
        return [
            ("muster", unit, cell)
            for unit in state.stack(game.box(garrison.name))
            if piece(game, state, unit).re * QUARTERS <= state.local.room
            for cell in cells
        ]

    def why_not(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Refusal | None:
        if action in self.reactions(game, state, side):
            return None
        return refusal("cannot-muster", "37E", unit=action[1], hex=action[2])

    def react(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Flow:
        size = int(piece(game, state, action[1]).re * QUARTERS)
        state.local = state.local._replace(room=state.local.room - size)
        muster(game, state, action[1], action[2])
        return AGAIN


class Muster(Decision["SecondFront", FrontState]):
    """37E: in the initial phase, all of a garrison if the enemy is in its district or in one next to it."""

    name = "muster"
    case = "37E"
    verbs = {"muster": Verb(("unit", "hex"), Role.PLACE), "end": Verb((), Role.END)}

    def actor(self, game: SecondFront, state: FrontState) -> int:
        return state.active

    def pending(self, game: SecondFront, state: FrontState) -> bool:
        """Garrisons of districts without a city left are lost."""
        for garrison in garrisons(game, state, state.active):
            if not towns(game, state, garrison):
                for unit in state.stack(game.box(garrison.name)):
                    state.place(unit, DEAD)
                    state.emit("eliminated", "37E", unit=unit)
        return len(self.options(game, state, state.active)) > 1

    def options(self, game: SecondFront, state: FrontState, side: int) -> list[Action]:
        found: list[Action] = []
        for garrison in garrisons(game, state, side):
            if may_activate(game.board, garrison.districts, state.occupied[1 - side], initial=True):
                found += [
                    ("muster", unit, cell)
                    for unit in state.stack(game.box(garrison.name))
                    for cell in each(towns(game, state, garrison))
                ]
        return [*found, ("end",)]

    def refuse(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Refusal | None:
        if action in self.options(game, state, side):
            return None
        return refusal("cannot-muster", "37E", unit=action[1], hex=action[2])

    def apply(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Flow:
        if action[0] == "end":
            return None
        muster(game, state, action[1], action[2])
        settle_ownership(game, state)
        return AGAIN


# 37E1


def check_duties(game: SecondFront, state: FrontState) -> Flow:
    """37E1: in the Allied initial phase, for each district that the Allies have to guard."""
    if state.active != ALLIED:
        return None
    plan = game.plan(state)
    for row in charts()["allied_garrisons"].records:
        cells = marked(game.board, f"district_{str(row['district']).lower()}") & plan.area
        if not cells or row["event"] not in plan.duties or excused(game, state, cells):
            continue
        for nation, column in (("American", "us"), ("British", "british"), ("French", "french")):
            required = Fraction(str(row[f"land_re_{column}"]))
            own = others = Fraction(0)
            for unit in on_map(state, ALLIED):
                if cells >> state.where[unit] & 1:
                    size = piece(game, state, unit).re
                    own, others = (
                        (own + size, others) if game.units[unit].nation == nation else (own, others + size)
                    )
            if points := penalty(required, own, others):
                state.pools = with_points(state.pools, nation, infantry=-points * PARTS)
                state.emit("garrison-missing", "37E1", text_force=nation, n_points=points)
    return None


def excused(game: SecondFront, state: FrontState, cells: int) -> bool:
    """37E1: not while the Axis has a city or a unit there, or a unit next to it."""
    near = game.board.spread(cells) | cells
    cities = marked(game.board, *CITIES) & cells
    return bool(state.occupied[AXIS] & near or state.owned[AXIS] & cities)
