"""A table for tests: any position on a map of one's own, and actions written as players write them.

Positions are built in a scenario of their own, `field`, on a plain map of 21 columns and 20 rows where a test
says what stands in a hex or on a side: a test about a rule does not depend on a set-up. All its hexes are
sources of both sides unless the test names some. The scenario `whole` has the real map.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from functools import cache

from grognard.board.board import bits, each
from grognard.games.typhoon.game import Typhoon, load
from grognard.games.typhoon.outlines import Due
from grognard.games.typhoon.rules.weather import Sky
from grognard.games.typhoon.state import (
    ACTIVE,
    AIR_GONE,
    AIR_READY,
    CADRE,
    ELIMINATED,
    GONE,
    SUBSTITUTES,
    SUPPLY_POOL,
    TO_COME,
    Pontoon,
    TyphoonState,
)
from grognard.kernel.agenda import advance
from tests.games.table_base import TableBase
from tests.games.typhoon.ground import ground

NAMES = {
    TO_COME: "to come",
    CADRE: "cadre",
    ELIMINATED: "eliminated",
    ACTIVE: "active",
    GONE: "gone",
    SUPPLY_POOL: "supply pool",
    SUBSTITUTES: "substitutes",
}


@cache
def real_game() -> Typhoon:
    """The game as it is played."""
    return load()


@cache
def whole_game() -> Typhoon:
    """The game with the scenario of the tests."""
    game = load()
    campaign = game.outlines["campaign"]
    game.outlines["whole"] = campaign._replace(
        id="whole", setup=(), due={}, special=frozenset(), weather=(), axis_rail=0, railheads=(), places=()
    )
    game.scenarios = {**game.scenarios, "whole": game.scenarios["campaign"]._replace(id="whole")}
    return game


@cache
def field_game(hexes: tuple[tuple[str, str], ...], sides: tuple[tuple[str, str], ...]) -> Typhoon:
    """The game on a plain map with these hexes and sides."""
    game = copy(whole_game())
    game.board = board = ground(dict(hexes), dict(sides), columns=(10, 30), rows=(1, 20))
    game.discs = {}
    game._derive_ground()
    everywhere = board.everywhere
    game.outlines = {
        **game.outlines,
        "field": game.outlines["whole"]._replace(
            id="field", area=everywhere, sources=(everywhere, everywhere), lgov=-1, soviet_hexes=0
        ),
    }
    game.scenarios = {**game.scenarios, "field": game.scenarios["whole"]._replace(id="field")}
    return game


class Table(TableBase[Typhoon, TyphoonState]):
    """A position built by hand. Units not placed are off the table and never arrive."""

    def __init__(
        self,
        phase: str,
        units: Mapping[str, str],
        *,
        turn: int = 5,
        weather: str | Sky = "dry",
        steps: Mapping[str, int] = {},
        emergency: Iterable[str] = (),
        unsupplied: Iterable[str] = (),
        garrison: Iterable[str] = (),
        refitting: Iterable[str] = (),
        overrun: Iterable[str] = (),
        to_come: Mapping[str, int] = {},
        cadre: Iterable[str] = (),
        forts: Mapping[str, str] = {},
        works: Mapping[str, str] = {},
        pontoons: Iterable[tuple[int, str, str]] = (),
        soviet_hexes: Iterable[str] | None = None,
        axis_rail: Iterable[str] = (),
        interdicted: Iterable[str] = (),
        rail: int = 20,
        obligatory: int = 0,
        plan: int = 0,
        scenario: str = "field",
        hexes: Mapping[str, str] = {},
        sides: Mapping[str, str] = {},
        sources: tuple[Iterable[str], Iterable[str]] | None = None,
        air: Iterable[str] = (),
        prepares: bool = False,
        due: Mapping[str, tuple[int, str, str]] = {},
        special: Iterable[str] = (),
    ) -> None:
        """`phase` is the label of a step of the turn, at whose beginning the game stands. `units` maps ids to
        hexes; `forts` and `works` map hexes to sides; `hexes` and `sides` draw the field. What is done before
        units move (pontoons and such) is passed over unless the test `prepares`. `due` maps units to their
        turn, code and hex of arrival. `special` are special rules of the scenario."""
        if scenario == "field":
            self.game = g = field_game(tuple(sorted(hexes.items())), tuple(sorted(sides.items())))
        else:
            self.game = g = whole_game()
        if sources is not None or due or special:
            self.game = g = copy(g)
            outline = g.outlines[scenario]
            if sources is not None:
                axis, soviet = (bits(g.board.cell(n) for n in numbers) for numbers in sources)
                outline = outline._replace(sources=(axis, soviet))
            outline = outline._replace(special=frozenset(special))
            entries = {self.unit(u): Due(n, code, self.cell(h), "") for u, (n, code, h) in due.items()}
            g.outlines = {**g.outlines, scenario: outline._replace(due={**outline.due, **entries})}
        self.state = s = g.set_up(scenario, {})
        for unit in range(len(g.units)):
            s.place(unit, SUPPLY_POOL if g.supplies >> unit & 1 else GONE)
            s.steps[unit] = s.due[unit] = 0
        s.garrison = s.axis_rail = 0
        s.heads = ()
        s.air[:] = bytes([AIR_GONE]) * len(s.air)
        for flyer in air:
            s.air[g.flyer_index[flyer]] = AIR_READY
        s.plan = plan
        if soviet_hexes is not None:
            s.soviet_hexes = bits(map(self.cell, soviet_hexes))
        for id_, number in units.items():
            unit = self.unit(id_)
            s.place(unit, self.cell(number))
            s.steps[unit] = steps.get(id_, g.units[unit].steps or 1)
            s.soviet_hexes &= ~(1 << self.cell(number))
            if unit >= g.axis_units:
                s.soviet_hexes |= 1 << self.cell(number)
        for id_, when in {**to_come, **{unit: entry[0] for unit, entry in due.items()}}.items():
            s.place(self.unit(id_), TO_COME)
            s.due[self.unit(id_)] = when
            s.steps[self.unit(id_)] = g.units[self.unit(id_)].steps
        for id_ in cadre:
            s.place(self.unit(id_), CADRE)
        s.emergency, s.unsupplied = self._set(emergency), self._set(unsupplied)
        s.garrison, s.refitting, s.overrun = self._set(garrison), self._set(refitting), self._set(overrun)
        for hexes, rows in ((forts, s.forts), (works, s.works)):
            for number, side in hexes.items():
                rows[g.sides.index(side)] |= 1 << self.cell(number)
        s.pontoons = tuple(Pontoon(side, self.cell(a), self.cell(b)) for side, a, b in pontoons)
        s.axis_rail = bits(map(self.cell, axis_rail))
        s.interdicted = tuple(map(self.cell, interdicted))
        s.turn, s.obligatory = turn, obligatory
        s.rail_left = [rail, rail]
        s.set_sky(weather if isinstance(weather, Sky) else Sky(weather))
        s.log = []
        s.frames = [("game", "turn", None), ("game-turn", phase, None)]
        advance(g.procedures, g, s)
        if self.asked == "prepare" and not prepares:
            self.do("end")

    def _set(self, ids: Iterable[str]) -> int:
        return bits(map(self.unit, ids))

    # Acting

    def move(self, unit: str, *hexes: str) -> Table:
        return self.do(f"pick {unit}", *(f"step {hex_}" for hex_ in hexes))

    def attack(self, target: str, *units: str) -> Table:
        """Put an attack together and declare it."""
        return self.do(f"target {target}", *(f"join {unit}" for unit in units), "declare")

    def to_combat(self) -> Table:
        """End the phases up to the combat, nobody doing anything more."""
        while self.asked != "choose-combat":
            self.do("done" if self.asked in AIR else "end")
        return self

    def fight(self, target: str, *extras: str) -> Table:
        """Go to the combat, choose it, add something, and resolve; the die is still to be rolled."""
        return self.to_combat().do(f"fight {target}", *extras, "resolve")

    # Looking

    def where(self, id_: str) -> str:
        cell = self.state.where[self.unit(id_)]
        return NAMES.get(cell) or self.game.board.number(cell)

    def steps(self, id_: str) -> int:
        return self.state.steps[self.unit(id_)]

    def hexes(self, cells: int) -> set[str]:
        return {self.game.board.number(cell) for cell in each(cells)}

    def in_set(self, units: int) -> set[str]:
        return {self.game.units[unit].id for unit in each(units)}

    @property
    def left(self) -> float:
        """Movement points left to those in hand."""
        return float(self.state.local.left) / 6

    def cell(self, number: str) -> int:
        return self.game.board.cell(number)

    def unit(self, id_: str) -> int:
        return self.game.unit_index(id_)


AIR = ("lay-interdiction", "lay-opposition", "lay-support")
