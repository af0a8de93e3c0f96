"""Walking on a map: along rivers corner by corner, along ways and over open ground hex by hex."""

from __future__ import annotations

import csv
import itertools
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache
from pathlib import Path

from grognard.board import Board, load_board
from grognard.files import Folder
from grognard.hexes import Axial, neighbour

GAMES = Path(__file__).parents[2] / "src" / "grognard" / "games"
WATER = frozenset({"sea", "lake"})
RIVERS = ("river", "major_river")
RAILS = ("rail", "rail_high", "rail_low")
WAYS = ("road", "main_road", "motorway", *RAILS)

Corner = frozenset[Axial]
"""The three hexes that meet there; some may lie off the map."""
Side = tuple[int, int]
"""Two neighbouring cells, the lesser first."""
Steps = Callable[[int], Iterable[int]]


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


@cache
def board_of(game: str) -> Board:
    return load_board(Folder(GAMES / game / "map"))


# What stands where


def is_land(board: Board, cell: int) -> bool:
    return board.info[cell].terrain not in WATER


def on_edge(board: Board, cell: int) -> bool:
    return len(board.adjacent[cell]) < 6


def with_feature(board: Board, feature: str) -> set[int]:
    return {cell for cell, info in board.info.items() if feature in info.features}


def places(board: Board) -> dict[str, int]:
    """Places by English name. One that fills several hexes stands in the first of them."""
    return {info.names["en"]: cell for cell, info in reversed(board.info.items()) if "en" in info.names}


def on_side(board: Board, a: int, b: int) -> set[str]:
    return set(board.sides.get((min(a, b), max(a, b)), {}))


def sides_of(board: Board, features: Collection[str], name: str | None = None) -> list[Side]:
    return [
        side
        for side, found in board.sides.items()
        if any(f in found and (name is None or found[f].names.get("en") == name) for f in features)
    ]


def river_names(board: Board) -> set[str]:
    return {
        found[feature].names.get("en", "")
        for found in board.sides.values()
        for feature in RIVERS
        if feature in found
    }


# Over land


def dry_steps(board: Board) -> Steps:
    """To any neighbour that a land link joins."""
    return lambda cell: [
        other
        for other in board.adjacent[cell]
        if is_land(board, other) and not on_side(board, cell, other) & WATER
    ]


def way_steps(board: Board, features: Collection[str]) -> Steps:
    """To the next hex along a road or railway."""
    links: dict[int, set[int]] = defaultdict(set)
    for a, b in sides_of(board, features):
        links[a].add(b)
        links[b].add(a)
    return lambda cell: links.get(cell, ())


def distances(starts: Iterable[int], steps: Steps, closed: Collection[int] = ()) -> dict[int, int]:
    """How many hexes to each that can be reached."""
    found = dict.fromkeys(starts, 0)
    queue = deque(found)
    while queue:
        here = queue.popleft()
        for other in steps(here):
            if other not in found and other not in closed:
                found[other] = found[here] + 1
                queue.append(other)
    return found


def walk_way(board: Board, features: Collection[str], stops: Iterable[int]) -> None:
    """From each stop to the next along the way, with no detour of more than half as far again."""
    steps = way_steps(board, features)
    for start, end in itertools.pairwise(stops):
        length = distances([start], steps)
        label = f"{board.number(start)} and {board.number(end)}"
        assert end in length, f"{label} are not joined"
        assert length[end] <= board.distance(start, end) * 1.5 + 1, f"the way between {label} is a detour"


def loose_ends(board: Board, features: Collection[str]) -> Iterator[int]:
    """Hexes where a way stops."""
    steps = way_steps(board, features)
    for cell in {cell for side in sides_of(board, features) for cell in side}:
        if len(set(steps(cell))) == 1:
            yield cell


# Along the water


def corners(board: Board, a: int, b: int) -> tuple[Corner, Corner]:
    """The two ends of a side: each lies between its two hexes and one of the two next to both."""
    one, other = board.axial(a), board.axial(b)
    first, second = sorted({neighbour(one, d) for d in range(6)} & {neighbour(other, d) for d in range(6)})
    return frozenset((one, other, first)), frozenset((one, other, second))


def corners_of(board: Board, sides: Iterable[Side]) -> set[Corner]:
    return {corner for side in sides for corner in corners(board, *side)}


def river_ends(board: Board, name: str) -> list[Corner]:
    met: dict[Corner, int] = defaultdict(int)
    for side in sides_of(board, RIVERS, name):
        for corner in corners(board, *side):
            met[corner] += 1
    return [corner for corner, count in met.items() if count == 1]


def walk_river(board: Board, name: str, mouth: str, past: Iterable[int] = ()) -> list[Side]:
    """Every side of a river from source to mouth; it must form one chain and pass each hex in its turn."""
    sides = sides_of(board, RIVERS, name)
    assert sides, "the river is not on the map"
    meeting: dict[Corner, set[Side]] = defaultdict(set)
    for side in sides:
        for corner in corners(board, *side):
            meeting[corner].add(side)
    assert max(len(found) for found in meeting.values()) == 2, "the river forks"
    ends = river_ends(board, name)
    assert len(ends) == 2, "the river is broken"
    goals = [corner for corner in ends if is_mouth(board, corner, mouth)]
    assert goals, f"no end on {mouth}"
    complaints = []
    for goal in goals:
        source = next(corner for corner in ends if corner != goal)
        walked = _follow(board, meeting, source)
        assert len(walked) == len(sides), "the river is in pieces"
        complaint = _first_missed(board, walked, past)
        if not complaint:
            return walked
        complaints.append(complaint)
    raise AssertionError(complaints[0])


def _follow(board: Board, meeting: dict[Corner, set[Side]], source: Corner) -> list[Side]:
    walked: list[Side] = []
    here = source
    while ahead := meeting[here] - set(walked):
        (side,) = ahead
        walked.append(side)
        one, other = corners(board, *side)
        here = other if here == one else one
    return walked


def _first_missed(board: Board, walked: list[Side], past: Iterable[int]) -> str:
    position = 0
    for cell in past:
        touched = [k for k, side in enumerate(walked) if cell in side]
        if not touched or touched[-1] < position:
            return f"{board.number(cell)} is not on the way, or not in its turn"
        position = max(position, touched[0])
    return ""


def is_mouth(board: Board, corner: Corner, mouth: str) -> bool:
    on_map = [hex_ for hex_ in corner if hex_ in board.numbering]
    if mouth == "edge":
        return len(on_map) < 3
    if mouth not in WATER:
        return corner in corners_of(board, sides_of(board, RIVERS, mouth))
    cells = [board.cell(board.numbering.number(hex_)) for hex_ in on_map]
    return any(board.info[cell].terrain == mouth for cell in cells) or any(
        board.side_has(a, b, mouth) for a, b in itertools.combinations(cells, 2)
    )
