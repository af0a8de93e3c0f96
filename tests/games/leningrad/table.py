"""A table for tests: any position on a plain map, and actions written as players write them.

The map is the real grid with nothing on it but what the rules need (sources, Leningrad's four hexes as
Soviet cities, East Prussia); a test asks for the terrain it is about. So a test about marshes does not
change when the real map does.
"""

from __future__ import annotations

import csv
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import grognard.games.leningrad as leningrad
from grognard.files import Folder
from grognard.games.leningrad import Leningrad
from grognard.games.leningrad.rules.battle import Battle, work_out_odds
from grognard.games.leningrad.state import GERMAN, SOVIET, TO_COME, LeningradState
from grognard.hexes import Numbering
from grognard.kernel.agenda import advance
from grognard.mechanics.odds import Odds
from tests.games.table_base import TableBase

GAME_FOLDER = Path(leningrad.__file__).parent

FIXED_FEATURES: dict[str, list[str]] = {
    "0111": ["east_prussia", "supply_german"],
    "0112": ["east_prussia", "supply_german"],
    "0113": ["east_prussia", "supply_german"],
    "2505": ["soviet_city", "supply_soviet"],
    "2604": ["soviet_city", "supply_soviet"],
    "2605": ["soviet_city", "supply_soviet"],
    "2705": ["soviet_city", "supply_soviet"],
    "1601": ["supply_soviet"],
    "0908": ["supply_soviet"],
    "2713": ["supply_soviet"],
    "2906": ["supply_soviet"],
    "2908": ["supply_soviet"],
}

EVERYWHERE = 200
"""A supply range that reaches all over the map."""

Terrain = Mapping[str, str]
"""Hex number -> terrain, or 'terrain+feature', or '+feature'."""
Sides = Mapping[str, str]
"""'0908/0909' -> 'river', 'road', 'river+road', 'sea', 'lake'."""


def plain_game(
    terrain: Terrain | None = None, sides: Sides | None = None, supply_range: int = EVERYWHERE
) -> Leningrad:
    """Leningrad on an all-clear map with this terrain and these hexsides. Unless a test is about supply,
    lines are long enough for everybody."""
    return _plain_game(
        tuple(sorted((terrain or {}).items())), tuple(sorted((sides or {}).items())), supply_range
    )


@cache
def _plain_game(
    terrain: tuple[tuple[str, str], ...], sides: tuple[tuple[str, str], ...], supply_range: int
) -> Leningrad:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "leningrad"
        shutil.copytree(GAME_FOLDER, folder, ignore=shutil.ignore_patterns("*.py", "__pycache__", "map"))
        (folder / "map").mkdir()
        shutil.copy(GAME_FOLDER / "map" / "map.toml", folder / "map")
        _write_map(folder / "map", dict(terrain), dict(sides))
        _rate_infantry(folder / "tables/units.csv")
        numbers = folder / "tables/numbers.csv"
        numbers.write_text(numbers.read_text().replace("supply_range,5,", f"supply_range,{supply_range},", 1))
        return Leningrad(Folder(folder))


def _rate_infantry(path: Path) -> None:
    """Ratings are reconstructed and may be calibrated: the German infantry of the tests is 4 strong."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        if row["side"] == "german" and row["kind"] == "infantry" and row["reduced"] == "2":
            row["strength"] = "4"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def _write_map(folder: Path, terrain: dict[str, str], sides: dict[str, str]) -> None:
    numbering = Numbering.from_mapping(
        {
            "orientation": "flat",
            "shifted_parity": 0,
            "columns_grow": "right",
            "rows_grow": "down",
            "order": "CCRR",
            "sheets": [{"columns": [1, 29], "rows": [1, 13]}],
        }
    )
    lines = ["hex,terrain,features,name_en,name_fr,provenance,source"]
    for number in sorted(numbering.number(h) for h in numbering.hexes()):
        ground, *extra = terrain.get(number, "clear").split("+")
        features = sorted({*FIXED_FEATURES.get(number, []), *(e for e in extra if e)})
        lines.append(f"{number},{ground or 'clear'},{'|'.join(features)},,,reconstructed,test")
    (folder / "hexes.csv").write_text("\n".join(lines) + "\n")
    lines = ["a,b,feature,name_en,name_fr,provenance,source"]
    for pair, features_text in sorted(sides.items()):
        a, b = sorted(pair.split("/"))
        lines += [f"{a},{b},{f},,,reconstructed,test" for f in sorted(features_text.split("+"))]
    (folder / "sides.csv").write_text("\n".join(lines) + "\n")


class Table(TableBase[Leningrad, LeningradState]):
    """A position built by hand. Units not placed are off the table and never arrive."""

    def __init__(
        self,
        phase: str,
        units: Mapping[str, str],
        *,
        turn: int = 3,
        terrain: Terrain | None = None,
        sides: Sides | None = None,
        supply_range: int = EVERYWHERE,
        game: Leningrad | None = None,
        reduced: Iterable[str] = (),
        strengths: Mapping[str, str] | None = None,
        air: int = 0,
        forts: Iterable[str] = (),
        forts_ready: int = 0,
        interdicted: Iterable[str] = (),
        to_come: Iterable[str] = (),
        stayed_since: Mapping[str, int] | None = None,
    ) -> None:
        """`phase` is a label of the game turn (german-movement, soviet-combat ...), entered at once.

        `units` maps unit ids to hex numbers. `strengths` maps Soviet unit ids to a line of untried.csv
        ("inf-2-3"): those units are revealed; the others are untried. `to_come` are reinforcements that
        may arrive by their schedule. `stayed_since` is the turn when a unit last moved (default 0).
        """
        self.game = game or plain_game(terrain, sides, supply_range)
        g = self.game
        self.state = s = g.set_up("campaign", {})
        for unit in range(len(g.units)):
            s.place(unit, TO_COME)
        for id_, number in units.items():
            s.place(g.unit_index(id_), g.board.cell(number))
        arriving = {g.unit_index(id_) for id_ in to_come}
        for unit in range(len(g.units)):
            if s.where[unit] == TO_COME and unit not in arriving:
                s.kill(unit)
        for id_ in reduced:
            s.steps[g.unit_index(id_)] = 1
        lines = [line.id for line in g.data.untried]
        for id_, line in (strengths or {}).items():
            s.rating[g.unit_index(id_)] = lines.index(line) + 1
            s.pool[lines.index(line)] -= 1
        s.turn = turn
        s.stay = bytearray(len(s.stay))
        for id_, since in (stayed_since or {}).items():
            s.stay[g.unit_index(id_)] = since
        s.air_ready = air
        s.forts_ready = forts_ready
        for number in forts:
            s.forts |= 1 << g.board.cell(number)
        s.interdicted = tuple(g.board.cell(number) for number in interdicted)
        s.active = SOVIET if phase.startswith("soviet") else GERMAN
        s.log = []
        s.frames = [("game", "turn", None), ("game-turn", phase, None)]
        advance(g.procedures, g, s)

    # Looking

    def where(self, id_: str) -> str:
        cell = self.state.where[self.game.unit_index(id_)]
        return {-1: "to come", -2: "dead"}.get(cell) or self.game.board.number(cell)

    def steps(self, id_: str) -> int:
        return self.state.steps[self.game.unit_index(id_)]

    def left(self, id_: str) -> float:
        """Movement points left."""
        return self.state.left[self.game.unit_index(id_)] / 2

    def battle(self) -> Battle:
        found = next(f[2] for f in reversed(self.state.frames) if f[0] == "battle")
        assert isinstance(found, Battle)
        return found

    def odds(self) -> Odds:
        """The odds of the battle in progress (all its units revealed)."""
        return work_out_odds(self.game, self.state, self.battle())

    def shifts(self) -> dict[str, int]:
        return {s.code: s.columns for s in self.odds().shifts}

    @property
    def turn_phase(self) -> str:
        return next((f[1] for f in self.state.frames if f[0] == "game-turn"), "over")

    def clone(self) -> LeningradState:
        return self.state.clone()
