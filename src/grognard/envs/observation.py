"""What a side sees, as arrays.

Everything here comes out of what the game says to that side (`Game.table`, the agenda, the decision in
progress and, if the side is asked, the facts of its prompt). A fact that is kept from a side in its view can
therefore not be in its arrays.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from grognard.board import Board
from grognard.envs.actions import ActionTable
from grognard.envs.arrangement import Arrangement, Shown
from grognard.kernel import Action, ChanceDecision, Game
from grognard.kernel.table import ON_MAP, STATUSES, Table, UnitView
from grognard.kernel.text import fact_kind

NUMBERS = ("steps", "attack", "defence", "radius", "turn")
"""Numbers that views give of a unit. One that is not known, or does not apply, is 0."""

SUMS = ("units", "steps", "attack", "defence")
"""What is added up over the units of a side on a hex, a plane each, before the units by badge and by kind."""

FACTS = ("points_left", "owed", "number", "left")
"""Numbers in the prompt of the side that is asked."""

Arrays = dict[str, NDArray[Any]]


class Observer:
    """The arrays of one game: their shapes, the names of their rows, and how they are filled."""

    def __init__(self, game: Game[Any], actions: ActionTable) -> None:
        self._game = game
        self._arrangement = arrangement = Arrangement(game)
        self._actions = actions
        self.grid = grid(game.board)
        """The row and column of every hex, by cell."""
        self.rows = 1 + max(row for row, _ in self.grid.values())
        self.columns = 1 + max(column for _, column in self.grid.values())
        self._flat = {
            game.board.number(cell): row * self.columns + column for cell, (row, column) in self.grid.items()
        }
        counters = game.counters("en") if game.unit_count() else {}
        ids = [game.unit_id(unit) for unit in range(game.unit_count())]
        self._unit = {id_: unit for unit, id_ in enumerate(ids)}
        self._kinds = {kind: n for n, kind in enumerate(sorted({c["kind"] for c in counters.values()}))}
        self._sides = {side: n for n, side in enumerate(game.sides)}
        self._side_of = np.array([self._sides[counters[id_]["side"]] for id_ in ids], np.intp)

        self.terrain_names, self._terrain = ground(game.board, self.grid, (self.rows, self.columns))
        self._badges = tuple(badge.id for badge in game.badges)
        self._sums = (*SUMS, *self._badges, *(f"kind:{kind}" for kind in self._kinds))
        self.plane_names = (
            *(f"{side}:{what}" for side in game.sides for what in self._sums),
            "in_hand",
            "asked_about",
            *arrangement.planes,
        )
        self.unit_names = (
            *STATUSES,
            *(f"side:{side}" for side in game.sides),
            *(f"kind:{kind}" for kind in self._kinds),
            "row",
            "column",
            *NUMBERS,
            *self._badges,
            "in_hand",
            "said",
            *arrangement.unit_sets,
        )
        self._column = {name: n for n, name in enumerate(self.unit_names)}
        self._plane = {name: n for n, name in enumerate(self.plane_names)}
        self._seen: tuple[list[UnitView], NDArray[np.int16]] = (
            [],
            np.zeros((len(ids), len(self.unit_names)), np.int16),
        )
        """Units as they were shown last, and their rows."""
        turn = game.procedures.get(game.turn_procedure)
        self._phases = () if turn is None else tuple(turn.steps)
        self.global_names = (
            "turn",
            "turns_left",
            *(f"you:{side}" for side in game.sides),
            *(f"asked:{side}" for side in game.sides),
            *(f"points:{side}" for side in game.sides),
            *(f"phase:{label}" for label in self._phases),
            *(f"phase_of:{side}" for side in game.sides),
            *(f"decision:{name}" for name in decision_names(game)),
            *(f"said:{verb}" for verb in actions.long_verbs),
            *(f"fact:{name}" for name in FACTS),
            *arrangement.numbers,
        )
        self._global = {name: n for n, name in enumerate(self.global_names)}

    def space(self) -> spaces.Dict:
        """The space of everything that an agent receives."""
        hexes = (self.rows, self.columns)
        return spaces.Dict(
            {
                "observation": spaces.Dict(
                    {
                        "terrain": _box(np.uint8, (len(self.terrain_names), *hexes), 0, 1),
                        "planes": _box(np.int16, (len(self.plane_names), *hexes)),
                        "units": _box(np.int16, (len(self._unit), len(self.unit_names))),
                        "globals": _box(np.int16, (len(self.global_names),)),
                    }
                ),
                "action_mask": _box(np.int8, (self._actions.size,), 0, 1),
            }
        )

    def see(self, state: Any, side: int, said: Action = ()) -> Arrays:
        """What a side sees of a position; `said` is the beginning of an action, if it has made one."""
        table = self._game.table(state, side)
        parts = self._arrangement.show(table)
        facts = self._game.prompt_facts(state, side) if side in self._game.must_act(state) else {}
        units = self._units(table, parts, facts, said)
        return {
            "terrain": self._terrain,
            "planes": self._planes(parts, facts, units),
            "units": units,
            "globals": self._globals(state, side, table.scores, parts, facts, said),
        }

    def _units(self, table: Table, parts: Shown, facts: dict[str, Any], said: Action) -> NDArray[np.int16]:
        units = self._counters(table.units)
        column = self._column
        units[_units_in(facts), column["in_hand"]] = 1
        if len(said) > 1 and self._actions.verbs[said[0]][0] == "unit":
            units[said[1], column["said"]] = 1
        for name, ids in parts.units.items():
            units[[self._unit[id_] for id_ in ids], column[name]] = 1
        return units

    def _counters(self, shown: list[UnitView]) -> NDArray[np.int16]:
        """The rows of the units as they are shown; one that is not shown at all has zeros. Few units change
        from one answer to the next, so only those shown otherwise than last time are written anew."""
        before, rows = self._seen
        if before != shown:
            if [unit["id"] for unit in before] != [unit["id"] for unit in shown]:
                changed, rows = shown, np.zeros_like(rows)
            else:
                rows = rows.copy()
                changed = [new for old, new in zip(before, shown, strict=True) if old != new]
            for new in changed:
                rows[self._unit[new["id"]]] = self._row(new)
            # The two belong together: whoever comes in between must find a pair.
            self._seen = (shown, rows)
        return rows.copy()

    def _row(self, shown: UnitView) -> NDArray[np.int16]:
        row = np.zeros(len(self.unit_names), np.int16)
        column = self._column
        row[column[shown["status"]]] = 1
        row[column[f"side:{shown['side']}"]] = 1
        if (kind := column.get(f"kind:{shown['kind']}")) is not None:
            row[kind] = 1
        if shown["hex"] is not None:
            row[column["row"]], row[column["column"]] = divmod(self._flat[shown["hex"]], self.columns)
        numbers: Mapping[str, Any] = shown
        for name in NUMBERS:
            row[column[name]] = numbers.get(name, 0)
        for badge in shown["badges"]:
            row[column[badge]] = 1
        return row

    def _planes(self, parts: Shown, facts: dict[str, Any], units: NDArray[np.int16]) -> NDArray[np.int16]:
        planes = np.zeros((len(self.plane_names), self.rows * self.columns), np.int16)
        column = self._column
        on_map = units[:, column[ON_MAP]] > 0
        here = units[on_map]
        at = here[:, column["row"]].astype(np.intp) * self.columns + here[:, column["column"]]
        base = self._side_of[on_map] * len(self._sums)
        first_kind = len(STATUSES) + len(self._sides)
        values = np.concatenate(
            (
                np.ones((len(here), 1), np.int16),
                here[:, [column[name] for name in (*SUMS[1:], *self._badges)]],
                here[:, first_kind : first_kind + len(self._kinds)],
            ),
            axis=1,
        )
        np.add.at(planes, (base[:, None] + np.arange(len(self._sums)), at[:, None]), values)
        plane = len(self._game.sides) * len(self._sums)
        in_hand = here[:, column["in_hand"]] > 0
        planes[plane, at[in_hand]] = 1
        planes[plane + 1, [self._flat[self._game.board.number(cell)] for cell in _hexes_in(facts)]] = 1
        for name, numbers in parts.planes.items():
            planes[self._plane[name], [self._flat[number] for number in numbers]] = 1
        return planes.reshape(len(self.plane_names), self.rows, self.columns)

    def _globals(
        self,
        state: Any,
        side: int,
        scores: dict[str, int],
        parts: Shown,
        facts: dict[str, Any],
        said: Action,
    ) -> NDArray[np.int16]:
        game, index = self._game, self._global
        found = np.zeros(len(self.global_names), np.int16)
        found[index["turn"]] = game.turn(state)
        found[index["turns_left"]] = game.turns_left(state)
        found[index[f"you:{game.sides[side]}"]] = 1
        decision = game.decision(state)
        if decision is not None and not isinstance(decision, ChanceDecision):
            # Who is asked as this side may know it: who has finished writing in secret is not told.
            for actor in game.shown_actors(state, side):
                found[index[f"asked:{game.sides[actor]}"]] = 1
            found[index[f"decision:{decision.name}"]] = 1
        for name in self._sides:
            found[index[f"points:{name}"]] = scores.get(name, 0)
        if (phase := game.phase(state).id) is not None:
            found[index[f"phase:{phase}"]] = 1
        if (owner := game.phase_side(state)) is not None:
            found[index[f"phase_of:{game.sides[owner]}"]] = 1
        if said:
            found[index[f"said:{said[0]}"]] = 1
        for name in FACTS:
            found[index[f"fact:{name}"]] = facts.get(name, 0)
        for name, number in parts.numbers.items():
            found[index[name]] = number
        return found


def grid(board: Board) -> dict[int, tuple[int, int]]:
    """Hexes as rows and columns of a picture: the half hex by which every second column (or row) is pushed is
    rounded down."""
    hexes = {cell: board.axial(cell) for cell in board.cells}
    if board.numbering.flat:
        places = {cell: (2 * h.r + h.q, 2 * h.q) for cell, h in hexes.items()}
    else:
        places = {cell: (2 * h.r, 2 * h.q + h.r) for cell, h in hexes.items()}
    top = min(y for y, _ in places.values())
    left = min(x for _, x in places.values())
    return {cell: ((y - top) // 2, (x - left) // 2) for cell, (y, x) in places.items()}


def ground(
    board: Board, places: dict[int, tuple[int, int]], shape: tuple[int, int]
) -> tuple[tuple[str, ...], NDArray[np.uint8]]:
    """The map as planes of 0 and 1: a plane for each terrain and each feature of hexes, six for each feature
    of hexsides, one a direction. The array is never changed: all observations share it."""
    terrains = sorted({info.terrain for info in board.info.values()})
    features = sorted({feature for info in board.info.values() for feature in info.features})
    sides = sorted({feature for found in board.sides.values() for feature in found})
    names = (
        "on_map",
        *(f"terrain:{name}" for name in terrains),
        *(f"hex:{name}" for name in features),
        *(f"side:{name}:{direction}" for name in sides for direction in range(6)),
    )
    planes = np.zeros((len(names), *shape), np.uint8)
    for cell, info in board.info.items():
        row, column = places[cell]
        planes[0, row, column] = 1
        planes[1 + terrains.index(info.terrain), row, column] = 1
        for feature in info.features:
            planes[1 + len(terrains) + features.index(feature), row, column] = 1
    first = 1 + len(terrains) + len(features)
    for number, feature in enumerate(sides):
        for direction, mask in enumerate(board.side_masks(feature)):
            for cell, (row, column) in places.items():
                planes[first + 6 * number + direction, row, column] = mask >> cell & 1
    planes.flags.writeable = False
    return names, planes


def decision_names(game: Game[Any]) -> list[str]:
    """The questions that players are asked."""
    return sorted(
        {decision.name for decision in game.decisions() if not isinstance(decision, ChanceDecision)}
    )


def _units_in(facts: dict[str, Any]) -> list[int]:
    return list(_named(facts, "unit", "units"))


def _hexes_in(facts: dict[str, Any]) -> list[int]:
    return [cell for cell in _named(facts, "hex", "hexes") if cell >= 0]


def _named(facts: dict[str, Any], one: str, many: str) -> Iterable[int]:
    for name, value in facts.items():
        kind = fact_kind(name)
        if kind == one:
            yield value
        elif kind == many:
            yield from value


def _box(kind: type[np.integer[Any]], shape: tuple[int, ...], *bounds: int) -> spaces.Box:
    low, high = bounds or (np.iinfo(kind).min, np.iinfo(kind).max)
    return spaces.Box(low, high, shape, kind)
