"""A position in letters, as anybody at the table sees it."""

from __future__ import annotations

from typing import Any

from grognard.kernel import CHANCE, Game

WATER = {"sea", "lake"}


def picture(game: Game[Any], state: Any, grid: dict[int, tuple[int, int]]) -> str:
    """Where the game stands and what is asked, then the map: the side's initial and the number of its units,
    two letters a hex. Nothing hidden is in it."""
    table = game.table(state, None)
    points = ", ".join(f"{side} {n}" for side, n in table.scores.items())
    lines = [f"{game.id}, turn {game.turn(state)}" + (f", points: {points}" if points else "")]
    actor = game.actor(state)
    if actor is None:
        outcome = game.outcome(state)
        lines.append(f"The game is over: {outcome.level if outcome else ''}")
    elif actor != CHANCE:
        lines.append(f"{game.sides[actor]}: {game.prompt(state, 'en')}")
    rows = 1 + max(row for row, _ in grid.values())
    columns = 1 + max(column for _, column in grid.values())
    cells = [["  "] * columns for _ in range(rows)]
    for cell, (row, column) in grid.items():
        cells[row][column] = " ~" if game.board.info[cell].terrain in WATER else " ."
    stacks: dict[str, list[str]] = {}
    for unit in table.units:
        if unit["hex"] is not None:
            stacks.setdefault(unit["hex"], []).append(unit["side"][0].upper())
    for number, sides in stacks.items():
        row, column = grid[game.board.cell(number)]
        cells[row][column] = sides[0] + (str(len(sides)) if len(sides) < 10 else "+")
    return "\n".join([*lines, *("".join(line).rstrip() for line in cells)])
