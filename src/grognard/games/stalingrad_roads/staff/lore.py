"""What planners of Stalingrad Roads know that never changes: the map and the tables, made ready for them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from grognard.board.board import bits, each
from grognard.games.stalingrad_roads.data import read_cell
from grognard.games.stalingrad_roads.rules.combat import BLOCKS, contact
from grognard.games.stalingrad_roads.rules.ground import water
from grognard.games.stalingrad_roads.rules.odds import (
    BEST,
    WORST,
    ground_kind,
    shelter_of_hex,
)
from grognard.games.stalingrad_roads.rules.tactics import IN_FORTRESS, LEVELS, RETREATS
from grognard.games.stalingrad_roads.state import RoadsState
from grognard.mechanics.dice import TWO_D6
from grognard.mechanics.movement import costs_to
from grognard.mechanics.odds import whole_odds
from grognard.staff.battles import Blow, Fate, fates, toll

if TYPE_CHECKING:
    from grognard.games.stalingrad_roads.game import StalingradRoads

FAR = 99.0
EASTERNMOST = 35
"""The last column of hexes, beyond which nobody gets round the ring."""
GROUNDS = ("clear", "forest", "marsh", "city", "major_city")
TACTICAL = ("AR", "-", "Eng", "D1", "E", "E2", "E3")
"""The attacker's results, from the worst for him to the best."""
DEFENSIVE = ("DR3", "DR2", "DR", "Eng", "S", "F", "-", "R")
"""The defender's, from the worst for him to the best."""


class Lore:
    """What never changes: the map and the tables, made ready for planners. One for each game."""

    def __init__(self, game: StalingradRoads, numbers: Mapping[str, Any]) -> None:
        self.game, self.numbers = game, numbers
        self._sides = [numbers["plan"][name] for name in game.sides]
        data, board = game.data, game.board
        self.contact = [tuple(each(contact(game, c))) if c in board.info else () for c in range(board.size)]
        self.fates = {
            (kind, enclosed): fates(data.crt, TWO_D6, partial(self._blows, kind, enclosed))
            for kind in GROUNDS
            for enclosed in (False, True)
        }
        self.stormed = {enclosed: self._stormed("major_city", enclosed) for enclosed in (False, True)}
        """A major city attacked by an elite unit, which takes a step where nobody can exploit."""
        self.tolls = {column: toll(results) for column, results in self.fates["clear", False].items()}
        ways, throws = TWO_D6.ways(), sum(TWO_D6.ways().values())
        self.drive = {
            (kind, column): sum(
                count * LEVELS.get(self._tactical(data.crt.result(column, roll), kind), 0)
                for roll, count in ways.items()
            )
            / throws
            for kind in GROUNDS
            for column in data.crt.columns
        }
        """The exploitation that a column promises (8.14)."""
        self._ways: dict[tuple[int, int], list[float]] = {}
        self._terrain: dict[tuple[int, bool], tuple[list[str], list[int]]] = {}
        east = bits(c for c, info in board.info.items() if int(info.number[2:]) == EASTERNMOST)
        north = bits(c for c, info in board.info.items() if int(info.number[:2]) >= 15)
        south = bits(c for c, info in board.info.items() if int(info.number[:2]) <= 12)
        self.shores = (east & north & data.land, east & south & data.land)
        """Where the ring round Stalingrad begins and ends: at the edge of the map north and south of it."""

    def numbers_for(self, side: int, victory: str, last: bool) -> Mapping[str, Any]:
        """The doctrine of a side, with what differs by the conditions of victory and on the last turn."""
        found: Mapping[str, Any] = self._sides[side]
        here = found.get(victory, {})
        return {**found, **here, **(here.get("last", found["last"]) if last else {})}

    def _tactical(self, text: str, kind: str) -> str:
        tactical = read_cell(text).tactical
        return self.game.data.results[kind].get(tactical, tactical)

    def _blows(self, kind: str, enclosed: bool, text: str) -> tuple[Blow, Blow]:
        """What a cell does to attacker and defender; a second roll for attrition counts as one step each."""
        cell, tactical = read_cell(text), self._tactical(text, kind)
        defensive = self.game.data.results[kind].get(cell.defensive, cell.defensive)
        if enclosed:
            defensive = IN_FORTRESS.get(defensive, defensive)
        again = tactical == "Eng" or defensive == "Eng"
        lost = cell.defender + (tactical == "D1") + again
        attacker = Blow(cell.attacker + again + (tactical == "AR"))
        if defensive == "S":  # a step or a hex, as the owner likes; of the enclosed a step (10.2.3)
            return attacker, Blow(lost + 1, 0 if enclosed else 1, either=not enclosed, besides=lost)
        return attacker, Blow(lost, RETREATS.get(defensive, 0))

    def _stormed(self, kind: str, enclosed: bool) -> dict[int, tuple[Fate, ...]]:
        """8.10.3 The results of each column if the attacker picks his own in its block."""
        crt, ways, throws = self.game.data.crt, TWO_D6.ways(), sum(TWO_D6.ways().values())

        def picked(column: int, roll: int) -> str:
            rows = next(rows for rows in BLOCKS if roll in rows)
            found = [read_cell(crt.result(column, row)).tactical for row in rows]
            best = max(found, key=lambda code: TACTICAL.index(self.game.data.results[kind].get(code, code)))
            losses, _, defensive = crt.result(column, roll).split("/")
            return f"{losses}/{best}/{defensive}"

        return {
            column: tuple(
                Fate(*self._blows(kind, enclosed, picked(column, roll)), count / throws)
                for roll, count in ways.items()
            )
            for column in crt.columns
        }

    def terrain(self, state: RoadsState) -> tuple[list[str], list[int]]:
        """What counts in combat of every hex, and the defence points it gives (1.8.1, 8.5.2)."""
        game = self.game
        key = (water(state), game.plan(state).bank_rule)
        found = self._terrain.get(key)
        if found is None:
            size, info = game.board.size, game.board.info
            kinds = [ground_kind(game, state, cell) if cell in info else "" for cell in range(size)]
            land = game.data.land
            shelter = [shelter_of_hex(game, state, c) if land >> c & 1 else 0 for c in range(size)]
            found = self._terrain[key] = (kinds, shelter)
        return found

    def way(self, wet: int, goal: int) -> list[float]:
        """Points that the march to a hex takes from every hex."""
        found = self._ways.get((wet, goal))
        if found is None:
            costs = costs_to(self.game.data.costs[wet], 1 << goal, self.game.data.land)
            found = [costs.get(cell, 2 * FAR) / 2 for cell in range(self.game.board.size)]
            self._ways[wet, goal] = found
        return found

    @staticmethod
    def column(attack: int, defence: int, shift: int) -> int:
        """8.5 The column of a battle; below WORST it cannot be fought."""
        return min(BEST, whole_odds(attack, max(1, defence)) + shift) if attack > 0 else WORST - 1
