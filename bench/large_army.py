"""How long the staff room thinks about a large army: a made-up war on the map of Second Front.

    python -m bench.large_army --stacks 100 1000

Stacks stand in a broad band and fight the enemies in front of them; what they are worth is simple, how they
are planned is what every game uses. The cost for each stack must not grow with the army.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from random import Random
from time import process_time

import grognard.games
from grognard.board import Board, load_board
from grognard.board.board import bits, each
from grognard.files import Folder
from grognard.kernel.doctrine import Intent
from grognard.players.commander import LEVELS, Search
from grognard.staff.plan import PlacementPlan, Target
from grognard.staff.threats import Threats

REACH = 4
ROOM = 3


class Campaign(PlacementPlan):
    """Every stack is one unit of strength 1 to 9; the goal lies in the west."""

    friendly = True

    def __init__(self, board: Board, own: dict[int, int], foes: dict[int, int], random: Random) -> None:
        contact = [tuple(each(board.spread(1 << c))) if c in board.info else () for c in range(board.size)]
        units = sum(members.bit_count() for members in own.values())
        starts = [0] * units
        for cell, members in own.items():
            for unit in each(members):
                starts[unit] = cell
        super().__init__(board, contact, own, (1 << units) - 1, [(u,) for u in range(units)], starts, {})
        self.strength = [1 + int(9 * random.random()) for _ in range(units)]
        self.foes = foes
        enemy = bits(foes)
        self.west = [board.axial(c).q if c in board.info else 0 for c in range(board.size)]
        self.threats = Threats(board)
        for cell, strength in foes.items():
            self.threats.add(board.within((cell,), REACH), strength)
        land = bits(board.cells) & ~enemy
        places = [[c, *each(board.within((c,), REACH) & land & ~(1 << c))] for c in starts]
        self.open(places, foes, land, 0)

    def has_room(self, stack: int, there: int) -> bool:
        return there.bit_count() < ROOM

    def fits(self, stack: int, cell: int, there: int) -> bool:
        return self.has_room(stack, there)

    def stand(self, stack: int, cell: int) -> float:
        return -0.1 * self.west[cell]

    def hold(self, cell: int, members: int) -> float:
        if not members:
            return 0.0
        strength = sum(self.strength[u] for u in each(members))
        sides = sum(not self.at[n] for n in self.contact[cell])
        return -0.2 * min(self.threats.total[cell], 6.0 * sides) / (1 + strength)

    def bears(self, stack: int, cell: int, target: Target) -> float:
        return self.strength[stack]

    def defence(self, target: Target) -> float:
        return float(target.face)

    def assault(self, target: Target, attackers: Sequence[int], exits: int) -> float:
        odds = sum(self.strength[s] for s in attackers) / target.face
        return max(0.0, min(odds, 6.0) - 2 + (not exits))

    def intent(self) -> Intent:
        return Intent("march", {})


def army(board: Board, stacks: int, random: Random) -> tuple[dict[int, int], dict[int, int]]:
    """Ours in the east of a line, theirs in the west, as wide as it takes."""
    cells = sorted(board.cells, key=lambda c: (board.axial(c).r, board.axial(c).q))
    band = cells[: 4 * stacks]
    middle = sorted(board.axial(c).q for c in band)[len(band) // 2]
    own: dict[int, int] = {}
    foes: dict[int, int] = {}
    east = [c for c in band if board.axial(c).q >= middle]
    west = [c for c in band if board.axial(c).q < middle]
    for unit in range(stacks):
        cell = east[int(random.random() * len(east))]
        while own.get(cell, 0).bit_count() >= ROOM:
            cell = east[int(random.random() * len(east))]
        own[cell] = own.get(cell, 0) | 1 << unit
    for _ in range(stacks // 2):
        foes[west[int(random.random() * len(west))]] = 2 + int(10 * random.random())
    return own, foes


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--stacks", type=int, nargs="+", default=[100, 1000])
    parser.add_argument("--level", default="regular", choices=list(LEVELS))
    options = parser.parse_args()
    board = load_board(Folder(Path(grognard.games.__path__[0]) / "second_front" / "map"))
    for stacks in options.stacks:
        random = Random("army")
        began = process_time()
        plan = Campaign(board, *army(board, stacks, random), random)
        ready = process_time()
        before = plan.worth()
        Search(random, LEVELS[options.level]).think(plan)
        done = process_time()
        print(
            f"{stacks} stacks in {len(plan.sectors())} sectors: {done - began:.1f} s of processor time "
            f"({ready - began:.1f} s to set out, {1000 * (done - ready) / stacks:.1f} ms a stack); "
            f"worth {before:.0f} -> {plan.worth():.0f}, afresh {plan.afresh():.0f}"
        )


if __name__ == "__main__":
    main()
