"""What became of a game that is over: points and losses by turn, battles, and how lucky each side was.

Everything is read off what a game shows to anybody: what a spectator sees of the table at the end of each
turn, and events by their families. Luck is counted in steps: what the enemy lost, less what one lost oneself,
against what the table promised on the average in the column that was used. What a result wipes out counts
one step a unit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from grognard.files import Folder
from grognard.kernel import Event, Game
from grognard.kernel.advice import Toll
from grognard.kernel.events import Roll
from grognard.kernel.table import DEAD, ON_MAP
from grognard.mechanics.battles import Fought, ResultTables, battles_of, sides_of_units
from grognard.server.archive import Walk
from grognard.server.store import Store, TableRow


def report(store: Store, game: Game[Any], row: TableRow, folder: Folder) -> dict[str, Any]:
    """The report of a game that is over; `folder` holds its tables."""
    walk = Walk(store, game, row)
    state = walk.state
    # Units that a scenario begins without are no losses of this game.
    before = _dead(game, state)
    turns = [_standing(game, state, game.scenario(state).first - 1, before)]
    state.turn_ended = lambda: turns.append(_standing(game, state, game.turn(state), before))
    while walk.step():
        pass
    if turns[-1]["turn"] == game.turn(state):
        turns.pop()  # what happens after the last turn (a final count) belongs to it
    turns.append(_standing(game, state, game.turn(state), before))
    battles = list(_battles(game, folder, walk.log, sides_of_units(game)))
    return {"turns": turns, "battles": battles, "luck": _luck(game, battles)}


def _dead(game: Game[Any], state: Any) -> frozenset[str]:
    return frozenset(unit["id"] for unit in game.table(state, None).units if unit["status"] == DEAD)


def _standing(game: Game[Any], state: Any, turn: int, before: frozenset[str]) -> dict[str, Any]:
    table = game.table(state, None)
    sides = {}
    for side in game.sides:
        units = [unit for unit in table.units if unit["side"] == side]
        sides[side] = {
            "points": table.scores.get(side),
            "units": sum(unit["status"] == ON_MAP for unit in units),
            "steps": sum(unit.get("steps", 1) for unit in units if unit["status"] == ON_MAP),
            "lost": sum(unit["status"] == DEAD and unit["id"] not in before for unit in units),
        }
    return {"turn": turn, "sides": sides}


def _battles(
    game: Game[Any], folder: Folder, log: Sequence[Event], side_of: Mapping[int, int]
) -> Iterator[dict[str, Any]]:
    tables = ResultTables(folder)
    for fought in battles_of(game, log):
        roll = game.roll_of(fought.result)
        if roll is not None:
            sides = [die.sides for die in game.dice(fought.result)]
            promise = tables.chances(roll.table, roll.column, sides)
            yield _battle(game, fought, roll, promise, side_of)


def _battle(
    game: Game[Any], fought: Fought, roll: Roll, promise: Mapping[str, float], side_of: Mapping[int, int]
) -> dict[str, Any]:
    attack = fought.attack
    units, targets = attack.facts["units"], attack.facts["units_target"]
    cell = attack.facts["hexes"][0] if "hexes" in attack.facts else attack.facts["hex"]

    def net(code: str) -> int:
        effects = game.effects(code)
        return _steps(effects.defender, len(targets)) - _steps(effects.attacker, len(units))

    return {
        "turn": fought.turn,
        "side": game.sides[side_of[units[0]]],
        "hex": game.board.number(cell),
        "column": roll.column,
        "dice": [die.value for die in game.dice(fought.result)],
        "result": roll.result,
        "promised": round(sum(net(code) * chance for code, chance in promise.items()), 3),
        "came": net(roll.result),
    }


def _steps(toll: Toll, units: int) -> int:
    return units if toll.wiped else toll.steps


def _luck(game: Game[Any], battles: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, float]]:
    """By side, from its own point of view: what its dice and the enemy's promised, and what came."""
    found = {side: {"battles": 0, "attacks": 0, "promised": 0.0, "came": 0.0} for side in game.sides}
    for battle in battles:
        for side, sums in found.items():
            sign = 1 if side == battle["side"] else -1
            sums["battles"] += 1
            sums["attacks"] += sign == 1
            sums["promised"] += sign * battle["promised"]
            sums["came"] += sign * battle["came"]
    for sums in found.values():
        sums["promised"] = round(sums["promised"], 2)
    return found
