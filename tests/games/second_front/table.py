"""A table for tests of Second Front: units of the books on hexes of Sicily, at any point of a player turn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from copy import copy

from grognard.board.board import bits
from grognard.games.second_front.game import SecondFront, load
from grognard.games.second_front.rules.ground import dry_land
from grognard.games.second_front.rules.position import settle_ownership
from grognard.games.second_front.state import FrontState
from grognard.games.second_front.units import ALLIED, AXIS
from grognard.kernel.agenda import advance
from grognard.mechanics.pieces import members
from tests.games.table_base import TableBase

PHASES = {
    "initial": "initial-phase",
    "movement": "movement-phase",
    "combat": "combat-phase",
    "exploitation": "exploitation-phase",
}


class Table(TableBase[SecondFront, FrontState]):
    """`Table("movement", ALLIED, {"US-inf-XX-1": "26:4128"})`: one phase of a player turn in July 1943, with
    these units alone. Names of units may be written in any case."""

    def __init__(
        self,
        phase: str,
        side: int,
        units: Mapping[str, str],
        *,
        allied: Iterable[str] | None = None,
        cadres: Iterable[str] = (),
        turn: int = 2,
        districts: Iterable[str] = (),
        before: Callable[[FrontState], None] | None = None,
        **settings: object,
    ) -> None:
        """`allied`: the hexes that are Allied besides those that units give; None: the half of the island
        that the scenario gives them. `districts`: another part of the map, all Axis but for `allied`;
        `settings` replace others of the scenario. `before` changes the position before anybody is asked."""
        self.game = load()
        if districts or settings:
            self.game = copy(self.game)
            plan = self.game.plans["sicily"]
            if districts:
                land = self.game.board.with_feature(*(f"district_{name}" for name in districts))
                area = land & dry_land(self.game.board)
                plan = plan._replace(area=area, ground=(area, area), setup=(), arrivals=(), allied=0)
            self.game.plans = {**self.game.plans, "sicily": plan._replace(**settings)}  # type: ignore[arg-type]
        state = self.game.set_up("sicily", {})
        state.scenario = "sicily"
        for unit in members(state.side_units[AXIS] | state.side_units[ALLIED]):
            if state.where[unit] >= 0:
                state.place(unit, -1)
        plan = self.game.plan(state)
        mine = plan.allied if allied is None else bits(self.game.board.cell(number) for number in allied)
        state.owned = plan.area & ~mine, mine & plan.area
        for id_, number in units.items():
            state.place(self.game.unit_index(id_), self.game.board.cell(number))
        for id_ in cadres:
            state.reduced |= 1 << self.game.unit_index(id_)
        state.forget_zones()
        settle_ownership(self.game, state)
        state.log = []
        state.turn, state.active = turn, side
        state.open_land = state.owned
        state.fed = bits(self.game.unit_index(id_) for id_ in units)
        if before is not None:
            before(state)
        state.push("game", at="turn")
        state.push("game-turn", at=("axis", "allied")[side])
        state.push("player-turn", at=phase)
        state.push(PHASES[phase])
        self.state = state
        advance(self.game.procedures, self.game, state)

    def where(self, id_: str) -> str | None:
        place = self.state.where[self.game.unit_index(id_)]
        return self.game.board.number(place) if place >= 0 else None

    @staticmethod
    def index(id_: str) -> int:
        return load().unit_index(id_)

    @staticmethod
    def box(name: str) -> int:
        return load().box(name)

    def unit(self, id_: str) -> int:
        return self.game.unit_index(id_)

    def cell(self, number: str) -> int:
        return self.game.board.cell(number)

    def here(self, number: str) -> set[str]:
        """Who stands on a hex."""
        return {self.game.units[unit].id for unit in self.state.stack(self.cell(number))}

    def has(self, id_: str, units: int) -> bool:
        """Whether a unit is in a set."""
        return bool(units >> self.game.unit_index(id_) & 1)

    def owner(self, number: str) -> int | None:
        cell = self.game.board.cell(number)
        return next((side for side in (AXIS, ALLIED) if self.state.owned[side] >> cell & 1), None)
