"""A table for tests: any position on the real map, and actions written as players write them.

Positions are built in a scenario of their own, `whole`, which plays the whole map without special rules: a
test about a rule does not depend on a set-up.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import grognard.games.stalingrad_roads as roads
from grognard.board.board import bits, each
from grognard.files import Folder
from grognard.games.stalingrad_roads.game import StalingradRoads
from grognard.games.stalingrad_roads.game import load as load_roads
from grognard.games.stalingrad_roads.rules.combat import Battle
from grognard.games.stalingrad_roads.rules.command import command_area, led_areas, supplied_units
from grognard.games.stalingrad_roads.rules.odds import work_out_odds
from grognard.games.stalingrad_roads.state import (
    ALARM_BOX,
    AVAILABLE,
    AXIS,
    BOX_NAMES,
    DEAD,
    HQ_BOX,
    KG_BOX,
    SOVIET,
    STAVKA_RESERVE,
    TO_COME,
    WITHDRAWN,
    Marker,
    RoadsState,
)
from grognard.kernel.agenda import advance
from grognard.mechanics.odds import Odds
from tests.games.table_base import TableBase

GAME_FOLDER = Path(roads.__file__).parent

WHOLE = """
order = 9
names = { en = "The whole map", fr = "Toute la carte" }
about = { en = "For tests.", fr = "Pour les tests." }
from = 1
to = 17
minutes = 1
difficulty = 1
options = ["sensible_airlift"]
weather = { turn = 1, condition = "snow", clouds = "overcast", rivers = "open" }
zone_28 = false
approval = 7
manstein = 5
axis_rail = [4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4]
superiority = 4
provenance = "reconstructed"
source = "for tests"
"""

NAMES = {
    TO_COME: "to come",
    DEAD: "dead",
    STAVKA_RESERVE: "reserve",
    WITHDRAWN: "withdrawn",
    HQ_BOX: "hq box",
    KG_BOX: "kg box",
    ALARM_BOX: "alarm box",
}


@cache
def real_game() -> StalingradRoads:
    """The game as it is played."""
    return load_roads()


@cache
def whole_game() -> StalingradRoads:
    """The game with the scenario of the tests."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "stalingrad_roads"
        shutil.copytree(GAME_FOLDER, folder, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
        scenarios = folder / "scenarios"
        (scenarios / "whole.toml").write_text(WHOLE, encoding="utf-8")
        (scenarios / "whole_setup.csv").write_text("unit,hex,steps,provenance,source\n", encoding="utf-8")
        header = (scenarios / "uranus_arrivals.csv").read_text(encoding="utf-8").splitlines()[0]
        (scenarios / "whole_arrivals.csv").write_text(header + "\n", encoding="utf-8")
        return StalingradRoads(Folder(folder))


class Table(TableBase[StalingradRoads, RoadsState]):
    """A position built by hand. Units not placed are off the table and never arrive."""

    def __init__(
        self,
        phase: str,
        units: Mapping[str, str],
        *,
        turn: int = 3,
        scenario: str = "whole",
        reduced: Iterable[str] = (),
        unsupplied: Iterable[str] = (),
        enclosed: Iterable[str] = (),
        exploiting: Iterable[str] = (),
        reserve: Iterable[str] = (),
        dead: Iterable[str] = (),
        lifted: Iterable[str] = (),
        to_come: Mapping[str, int] | None = None,
        rivers: int = 0,
        clouds: int = 1,
        mud: bool = False,
        pontoons: Mapping[str, str] | None = None,
        attached: Mapping[str, str] | None = None,
        laid: Iterable[tuple[str, str]] = (),
        held: Mapping[str, Iterable[str]] | None = None,
        offensives: Mapping[int, str] | None = None,
        stalingrad_face: int = 0,
        superiority: int = 15,
        fortress: str = "",
        level: int = 0,
        flights: Iterable[tuple[str, str]] = (),
        soviet_hexes: Iterable[str] = (),
        options: Iterable[str] = (),
    ) -> None:
        """`phase` is the label of a step of the turn, at whose beginning the game stands. `units` maps ids to
        hexes; `attached` supports to units; `held` boxes to supports; `lifted` are HQs without a line."""
        self.game = g = whole_game()
        self.state = s = g.set_up(scenario, dict.fromkeys(options, True))
        for unit in range(len(g.units)):
            if s.where[unit] not in (KG_BOX, ALARM_BOX):
                s.place(unit, DEAD)
                s.steps[unit] = 0
        s.lost_major = s.taken_cities = s.successes = 0
        s.soviet_hexes = bits(g.board.cell(number) for number in soviet_hexes)
        for id_, number in units.items():
            unit = g.unit_index(id_)
            s.place(unit, g.board.cell(number))
            s.steps[unit] = g.units[unit].steps
            if unit >= g.axis_units:
                s.soviet_hexes |= 1 << g.board.cell(number)
        for id_ in reserve:
            s.place(g.unit_index(id_), STAVKA_RESERVE)
            s.steps[g.unit_index(id_)] = g.units[g.unit_index(id_)].steps
        for unit in range(len(g.units)):
            # Nobody is left to rebuild unless the test says so.
            if s.where[unit] == DEAD and g.units[unit].id not in dead:
                s.place(unit, WITHDRAWN)
        for id_, when in (to_come or {}).items():
            s.place(g.unit_index(id_), TO_COME)
            s.due[g.unit_index(id_)] = when
        for id_ in lifted:
            s.place(g.unit_index(id_), HQ_BOX)
        for id_ in reduced:
            s.steps[g.unit_index(id_)] = 1
        s.unsupplied = bits(map(g.unit_index, unsupplied))
        s.enclosed = bits(map(g.unit_index, enclosed))
        s.exploiting = bits(map(g.unit_index, exploiting))
        s.turn, s.rivers, s.clouds, s.mud, s.superiority = turn, rivers, clouds, mud, superiority
        s.pontoons = tuple(
            sorted((g.unit_index(hq), g.board.cell(hex_)) for hq, hex_ in (pontoons or {}).items())
        )
        for support, unit_id in (attached or {}).items():
            kind = g.support_index[support.partition("#")[0]]
            s.markers += (Marker(kind, 3, g.unit_index(unit_id), -1),)
        for support, number in laid:
            s.markers += (Marker(g.support_index[support], 3, -1, g.board.cell(number)),)
        for box, supports in (held or {}).items():
            for support in supports:
                g.hold(s, g.support_index[support], BOX_NAMES.index(box), 1)
        for number_, hex_ in (offensives or {}).items():
            s.offensives[number_] = g.board.cell(hex_)
        s.stalingrad_face = stalingrad_face
        if fortress:
            s.fortress, s.level, s.declared, s.airlift_open = g.board.cell(fortress), level, 1, 2
            s.planes = bytearray(plane.copies for plane in g.planes)
        s.flights = tuple(sorted((g.plane_index[plane], g.board.cell(hex_)) for plane, hex_ in flights))
        s.log = []
        s.frames = [("game", "turn", None), ("game-turn", phase, None)]
        advance(g.procedures, g, s)

    def refused(self, text: str) -> tuple[str, str]:
        """As for every game; besides, a refused action is not offered and has words."""
        found = super().refused(text)
        assert text not in self.options, f"{text} is refused and offered"
        reason = self.refusal(text)
        assert reason is not None
        for language in ("en", "fr"):
            assert "{" not in self.game.explain(reason, language)
        return found

    def attack(self, target: str, *units: str) -> Table:
        """Put an attack together and make it."""
        return self.do(f"target {target}", *(f"join {unit}" for unit in units), "fight")

    def move(self, unit: str, *hexes: str) -> Table:
        return self.do(f"pick {unit}", *(f"step {hex_}" for hex_ in hexes))

    # Looking

    def where(self, id_: str) -> str:
        cell = self.state.where[self.unit(id_)]
        return NAMES.get(cell) or self.game.board.number(cell)

    def steps(self, id_: str) -> int:
        return self.state.steps[self.unit(id_)]

    def in_set(self, units: int) -> set[str]:
        return {self.game.units[unit].id for unit in each(units)}

    def hexes(self, cells: int) -> set[str]:
        return {self.game.board.number(cell) for cell in each(cells)}

    def held(self, box: str) -> list[str]:
        number = BOX_NAMES.index(box)
        return [
            support.id
            for kind, support in enumerate(self.game.supports)
            for _ in range(self.game.held(self.state, kind, number))
        ]

    def in_pool(self, support: str) -> int:
        return self.state.pool[self.game.support_index[support]]

    def radius(self, hq: str) -> set[str]:
        return self.hexes(command_area(self.game, self.state, self.unit(hq)))

    def supplied(self, *units: str) -> set[str]:
        side = self.state.side(self.unit(units[0]))
        return self.in_set(supplied_units(self.game, self.state, side, bits(map(self.unit, units))))

    def supplied_hqs(self, side: int) -> set[str]:
        return {self.game.units[hq].id for hq, _ in led_areas(self.game, self.state, side)}

    def battle(self) -> Battle:
        found = next(f[2] for f in reversed(self.state.frames) if f[0] == "battle")
        assert isinstance(found, Battle)
        return found

    def odds(self, target: str, *units: str) -> Odds:
        cells = [self.unit(unit) for unit in units]
        return work_out_odds(self.game, self.state, cells, self.cell(target))

    @property
    def left(self) -> float:
        """Movement points left to those in hand."""
        return float(self.state.local.left) / 2

    def cell(self, number: str) -> int:
        return self.game.board.cell(number)

    def unit(self, id_: str) -> int:
        return self.game.unit_index(id_)


__all__ = ["AVAILABLE", "AXIS", "GAME_FOLDER", "SOVIET", "Table", "real_game", "whole_game"]
