"""Short ways to bring a table to a battle, a battle to a given result, and a game to a later turn."""

from __future__ import annotations

from itertools import pairwise

from grognard.games.leningrad.rules.battle import Battle
from grognard.mechanics.odds import odds_name
from tests.games.leningrad.table import Table, plain_game


def announce(table: Table, targets: str, units: str) -> Table:
    """Attack these hexes with these units: announce(table, "1511 1611", "1-inf 11-inf")."""
    first, *others = targets.split()
    return table.do(
        f"target {first}",
        *(f"join {unit}" for unit in units.split()),
        *(f"also {cell}" for cell in others),
        "fight",
    )


def give(table: Table, result: str) -> Table:
    """Let the battle that waits for its die end in this result, whatever its odds."""
    assert table.asked == "roll-die", table.asked
    crt = table.game.data.crt
    column, die = next(
        (column, die)
        for column in crt.columns
        for die in crt.rows
        if crt.rows[die][column - crt.columns[0]] == result
    )
    battle: Battle = table.state.local
    table.state.local = battle._replace(final=column)
    return table.do(f"roll {die}")


def attack(table: Table, targets: str, units: str, result: str) -> Table:
    """An attack from its announcement to a chosen result."""
    return give(announce(table, targets, units), result)


def overrun(table: Table, target: str, result: str = "E/-") -> Table:
    """An overrun by the stack in hand, from its announcement to a chosen result."""
    return give(table.do(f"overrun {target}"), result)


def initial_odds(table: Table) -> str:
    return odds_name(table.odds().initial)


def final_odds(table: Table) -> str:
    return odds_name(table.odds().final)


def net_shift(table: Table) -> int:
    return sum(table.shifts().values())


def road(*hexes: str) -> dict[str, str]:
    """The hexsides of a road along these hexes."""
    return {"/".join(sorted(pair)): "road" for pair in pairwise(hexes)}


def water_round(hex_: str, but: str = "") -> dict[str, str]:
    """The hexsides that make an island of a hex, or nearly."""
    board = plain_game().board
    shores = (board.number(c) for c in board.adjacent[board.cell(hex_)])
    return {"/".join(sorted((hex_, other))): "lake" for other in shores if other != but}


def pass_until(table: Table, turn: int, phase: str = "") -> Table:
    """Let everybody end his phases until a turn begins, or until a phase of it."""
    while table.state.turn < turn or (phase and table.turn_phase != phase):
        assert table.state.turn <= turn, f"{phase} of turn {turn} is over"
        table.do("end")
    return table
