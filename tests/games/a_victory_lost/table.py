"""A table for tests: any position on a small plain map, and actions written as players write them.

The map is a clear sheet of 24 by 16 hexes with an Axis source at its left edge, a Soviet one at its right,
the five victory cities in the first column and the two entry boxes at the bottom; a test asks for the
terrain it is about. So a test about woods does not change when the real map does.
"""

from __future__ import annotations

import csv
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import grognard.games.a_victory_lost as victory_lost
from grognard.board.board import bits, each
from grognard.files import Folder
from grognard.games.a_victory_lost import AVictoryLost
from grognard.games.a_victory_lost.rules.combat import Battle
from grognard.games.a_victory_lost.rules.command import Activation
from grognard.games.a_victory_lost.rules.odds import work_out_odds
from grognard.games.a_victory_lost.state import AXIS, DEAD, IN_BOX, LIFTED, SOVIET, TO_COME, VictoryState
from grognard.hexes import Numbering
from grognard.kernel.agenda import advance
from grognard.mechanics.odds import Odds
from tests.games.table_base import TableBase

GAME_FOLDER = Path(victory_lost.__file__).parent

GRID = {
    "orientation": "flat",
    "shifted_parity": 0,
    "columns_grow": "right",
    "rows_grow": "down",
    "order": "CCRR",
    "separator": "",
    "sheets": [{"name": "", "columns": [1, 24], "rows": [1, 16]}],
}

FIXED_FEATURES: dict[str, list[str]] = {
    "0108": ["supply_axis"],
    "2408": ["supply_soviet"],
    "0102": ["victory_city"],
    "0104": ["victory_city"],
    "0106": ["victory_city"],
    "0112": ["victory_city"],
    "0114": ["victory_city"],
    "0716": ["entry_box_1pza"],
    "0816": ["entry_box_1pza"],
    "1716": ["entry_box_28a"],
    "1816": ["entry_box_28a"],
}

Terrain = Mapping[str, str]
"""Hex number -> terrain, or 'terrain+feature', or '+feature'."""
Sides = Mapping[str, str]
"""'0908/0909' -> 'river', 'major_river', 'major_river+bridge', 'road', 'rail', 'road+rail' ..."""
Strengths = Mapping[str, str]
"""Unit id -> 'attack-defence' or 'attack-defence/reduced attack-reduced defence', with any numbers. One
number serves for both. '-' instead of a reduced side takes it away."""

_real: AVictoryLost | None = None


def real_game() -> AVictoryLost:
    """The game as it is played."""
    global _real
    if _real is None:
        _real = victory_lost.load()
    return _real


def plain_game(
    terrain: Terrain | None = None, sides: Sides | None = None, strengths: Strengths | None = None
) -> AVictoryLost:
    """A Victory Lost on the plain sheet with this terrain, these hexsides and these counters."""
    return _plain_game(
        tuple(sorted((terrain or {}).items())),
        tuple(sorted((sides or {}).items())),
        tuple(sorted((strengths or {}).items())),
    )


Pairs = tuple[tuple[str, str], ...]


@cache
def _plain_game(terrain: Pairs, sides: Pairs, strengths: Pairs) -> AVictoryLost:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "a_victory_lost"
        shutil.copytree(GAME_FOLDER, folder, ignore=shutil.ignore_patterns("*.py", "__pycache__", "map"))
        # A scenario of a part of the real map is not for this one.
        for path in (folder / "scenarios").glob("little_saturn.*"):
            path.unlink()
        (folder / "map").mkdir()
        # What is reconstructed may be calibrated: the tests have tables of their own.
        for table in ("crt.csv", "units.csv", "turns.csv"):
            shutil.copy(Path(__file__).with_name(table), folder / "tables" / table)
        _write_map(folder / "map", dict(terrain), dict(sides))
        _write_units(folder / "tables/units.csv", dict(strengths))
        return AVictoryLost(Folder(folder))


def _write_map(folder: Path, terrain: dict[str, str], sides: dict[str, str]) -> None:
    text = (GAME_FOLDER / "map" / "map.toml").read_text(encoding="utf-8")
    text = text.replace("columns = [1, 68]\nrows = [1, 47]", "columns = [1, 24]\nrows = [1, 16]", 1)
    text = text.partition("[[labels]]")[0]
    text += '[features.impassable]\nen = "Impassable side"\nfr = "Côté infranchissable"\nkind = "side"\n'
    (folder / "map.toml").write_text(text, encoding="utf-8")
    numbering = Numbering.from_mapping(GRID)
    lines = ["hex,terrain,features,name_en,name_fr,provenance,source"]
    for number in sorted(numbering.number(h) for h in numbering.hexes()):
        ground, *extra = terrain.get(number, "clear").split("+")
        features = sorted({*FIXED_FEATURES.get(number, []), *(e for e in extra if e)})
        lines.append(f"{number},{ground or 'clear'},{'|'.join(features)},,,reconstructed,test")
    (folder / "hexes.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    lines = ["a,b,feature,name_en,name_fr,provenance,source"]
    for pair, features_text in sorted(sides.items()):
        a, b = sorted(pair.split("/"))
        lines += [f"{a},{b},{f},,,reconstructed,test" for f in sorted(features_text.split("+"))]
    (folder / "sides.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _write_units(path: Path, strengths: dict[str, str]) -> None:
    """The real counters, all of them off the map, some with other numbers."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        if row["setup"]:
            row |= {"setup": "", "turn": "9", "entry": "rail"}
        wanted = strengths.get(row["id"])
        if wanted is not None:
            full, _, reduced = wanted.partition("/")
            row["attack"], row["defence"] = _pair(full)
            if reduced == "-":
                row["reduced_attack"] = row["reduced_defence"] = ""
            elif reduced:
                row["reduced_attack"], row["reduced_defence"] = _pair(reduced)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def _pair(text: str) -> tuple[str, str]:
    attack, dash, defence = text.partition("-")
    return attack, defence if dash else attack


class Table(TableBase[AVictoryLost, VictoryState]):
    """A position built by hand. Units not placed are off the table and never arrive."""

    def __init__(
        self,
        phase: str,
        units: Mapping[str, str],
        *,
        turn: int = 3,
        terrain: Terrain | None = None,
        sides: Sides | None = None,
        strengths: Strengths | None = None,
        game: AVictoryLost | None = None,
        activated: Iterable[str] | None = None,
        reduced: Iterable[str] = (),
        unsupplied: Iterable[str] = (),
        isolated: Iterable[str] = (),
        to_come: Mapping[str, int] | None = None,
        in_box: Iterable[str] = (),
        axis_chits: Iterable[str] = (),
        soviet_chits: Iterable[str] = (),
        cup: Iterable[str] = (),
        soviet_cities: Iterable[str] = (),
        points: tuple[int, int] | None = None,
        options: Iterable[str] = (),
    ) -> None:
        """`phase` says where the game stands:

        - axis-movement, axis-combat, soviet-movement, soviet-combat: an activation in progress, of the
          units `activated` (all of the side by default);
        - command: the beginning of the command phase (turn - 1 is over); draw: chits in the `cup` are drawn;
        - supply, end-of-turn: the beginning of those phases.

        `units` maps unit ids to hex numbers; `to_come` reinforcements to their turns. Chits are named without
        'chit-'.
        """
        self.game = game or plain_game(terrain, sides, strengths)
        g = self.game
        self.state = s = g.set_up("campaign", dict.fromkeys(options, True))
        for unit in range(len(g.units)):
            s.place(unit, TO_COME)
        for id_, number in units.items():
            s.place(g.unit_index(id_), g.board.cell(number))
        for id_ in in_box:
            s.place(g.unit_index(id_), IN_BOX)
        for id_, when in (to_come or {}).items():
            s.due[g.unit_index(id_)] = when
        arriving = {g.unit_index(id_) for id_ in to_come or ()}
        for unit in range(len(g.units)):
            if s.where[unit] == TO_COME and unit not in arriving:
                s.place(unit, DEAD)
                s.steps[unit] = 0
        for id_ in reduced:
            s.steps[g.unit_index(id_)] = 1
        for id_ in unsupplied:
            s.supply[g.unit_index(id_)] = 1
        for id_ in isolated:
            s.supply[g.unit_index(id_)] = 2
        s.turn = turn
        s.pool = [self._chits(axis_chits), self._chits(soviet_chits) | g.stavka]
        s.cup = self._chits(cup)
        s.chosen = [s.cup & g.chits_of[AXIS], s.cup & g.chits_of[SOVIET]]
        s.pool[AXIS] |= s.chosen[AXIS]
        s.pool[SOVIET] |= s.chosen[SOVIET]
        s.soviet_cities = bits(g.board.cell(number) for number in soviet_cities)
        if points is not None:
            s.points = list(points)
        s.log = []
        s.frames = [("game", "turn", None)]
        side, _, sequence = phase.partition("-")
        if sequence in ("movement", "combat"):
            s.active = SOVIET if side == "soviet" else AXIS
            ids = [
                g.units[u].id for u in each(g.units_of[s.active]) if s.where[u] >= 0 or s.where[u] == IN_BOX
            ]
            s.activated = bits(g.unit_index(id_) for id_ in (ids if activated is None else activated))
            hqs = tuple(each(s.activated & s.hqs))
            s.frames += [
                ("game-turn", "command", None),
                ("command-phase", "activation", None),
                ("activation", sequence, Activation(hqs)),
            ]
        elif phase == "command":
            s.turn = turn - 1
            s.frames += [("game-turn", "begin", None)]
        elif phase == "draw":
            s.frames += [("game-turn", "command", None), ("command-phase", "left", None)]
        else:
            s.frames += [("game-turn", phase, None)]
        advance(g.procedures, g, s)

    def _chits(self, names: Iterable[str]) -> int:
        return bits(self.game.chit_index(f"chit-{name}") for name in names)

    # Looking

    def where(self, id_: str) -> str:
        cell = self.state.where[self.game.unit_index(id_)]
        names = {TO_COME: "to come", DEAD: "dead", IN_BOX: "in box", LIFTED: "lifted"}
        return names.get(cell) or self.game.board.number(cell)

    def steps(self, id_: str) -> int:
        return self.state.steps[self.game.unit_index(id_)]

    def supply(self, id_: str) -> str:
        return ("supplied", "unsupplied", "isolated")[self.state.supply[self.game.unit_index(id_)]]

    @property
    def left(self) -> float:
        """Movement points left to the unit in hand."""
        return float(self.state.local.left) / 2

    @property
    def points(self) -> tuple[int, int]:
        return self.state.points[AXIS], self.state.points[SOVIET]

    def activated(self) -> set[str]:
        """Activated combat units."""
        return {self.game.units[u].id for u in each(self.state.activated & ~self.state.hqs)}

    def chits(self, chits: int) -> set[str]:
        return {self.game.chits[c].id.removeprefix("chit-") for c in each(chits)}

    def battle(self) -> Battle:
        found = next(f[2] for f in reversed(self.state.frames) if f[0] == "battle")
        assert isinstance(found, Battle)
        return found

    def odds(self) -> Odds:
        """The odds of the battle in progress, or of the attack being built."""
        local = self.state.local
        return work_out_odds(self.game, self.state, local.attackers, local.target)

    def cell(self, number: str) -> int:
        return self.game.board.cell(number)

    def unit(self, id_: str) -> int:
        return self.game.unit_index(id_)

    def clone(self) -> VictoryState:
        return self.state.clone()
