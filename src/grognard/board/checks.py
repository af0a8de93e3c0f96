"""What a map can get wrong though every line of it can be read: rivers in pieces, roads to nowhere, named
hexes out of place.

Two optional files of a map folder take part. `named.csv` (hex, kind, value, case) holds what the rulebook
says of single hexes and sides; `exceptions.csv` (hex, feature, reason) excuses what looks wrong but is meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from grognard.board.board import OFF_MAP, Board
from grognard.board.loading import SIDE_COLUMNS, WATER, load_board
from grognard.files import DataError, Folder, Row, read_table
from grognard.hexes import UnknownHexError, vertices

RIVERS = frozenset({"river", "major_river"})
WAYS: dict[str, frozenset[str]] = {
    "road": frozenset({"road", "main_road", "ferry"}),
    "rail": frozenset({"rail", "ferry"}),
}
"""Ways that go on from one another: a main road may become a road, and a ferry carries both."""
PLACES = frozenset(
    {
        "town",
        "village",
        "city",
        "major_city",
        "soviet_city",
        "victory_city",
        "victory",
        "airfield",
        "strategic",
    }
)
"""Where a way may end. Supply sources and entry hexes are others, whatever their full names."""

Corner = tuple[int, int]


class _Side(NamedTuple):
    a: int
    b: int
    feature: str
    name: str
    row: Row
    corners: tuple[Corner, Corner]


def check_map(folder: Folder) -> list[DataError]:
    """Everything that is wrong with a map folder; a file that cannot be read is all there is to say."""
    try:
        board = load_board(folder)
        excuses = _Excuses(folder)
        sides = list(_sides(folder, board))
        problems = [
            *_rivers(board, sides, excuses),
            *_ways(board, sides, excuses),
            *_named(folder, board),
        ]
    except DataError as error:
        return [error]
    return sorted([*problems, *excuses.idle()], key=lambda p: (p.file, p.line or 0))


class _Excuses:
    """The lines of exceptions.csv, and which of them served."""

    def __init__(self, folder: Folder) -> None:
        self.rows: dict[tuple[str, str], Row] = {}
        self.used: set[tuple[str, str]] = set()
        if (folder.base / "exceptions.csv").is_file():
            for row in read_table(folder, "exceptions.csv", ("hex", "feature", "reason"), ("hex", "feature")):
                row.text("reason")
                self.rows[row.text("hex"), row.text("feature")] = row

    def cover(self, hexes: Iterable[str], feature: str) -> bool:
        found = [(number, feature) for number in hexes if (number, feature) in self.rows]
        self.used.update(found)
        return bool(found)

    def idle(self) -> Iterator[DataError]:
        """An excuse for nothing hides the next mistake."""
        for key, row in self.rows.items():
            if key not in self.used:
                yield row.error(f"nothing is wrong with the {key[1]} at {key[0]}: the exception can go")


def _sides(folder: Folder, board: Board) -> Iterator[_Side]:
    for row in read_table(folder, "sides.csv", SIDE_COLUMNS):
        a, b = board.cell(row.text("a")), board.cell(row.text("b"))
        direction = board.steps.index(b - a)
        corners = _corners(board, a)
        ends = (corners[direction], corners[(direction + 1) % 6])
        yield _Side(a, b, row.text("feature"), row.text("name_en", ""), row, ends)


def _corners(board: Board, cell: int) -> list[Corner]:
    return [(round(x * 1000), round(y * 1000)) for x, y in vertices(board.axial(cell), board.numbering.flat)]


def _pieces(sides: Iterable[_Side], joined: dict[Corner, Corner]) -> list[list[_Side]]:
    """Sides that hang together by their corners. `joined` maps corners that count as one (a lake's)."""
    at: dict[Corner, list[_Side]] = {}
    waiting = list(sides)
    for side in waiting:
        for corner in side.corners:
            at.setdefault(joined.get(corner, corner), []).append(side)
    seen: set[int] = set()
    pieces = []
    for first in waiting:
        if id(first) in seen:
            continue
        seen.add(id(first))
        piece, edge = [first], [first]
        while edge:
            for corner in edge.pop().corners:
                for side in at[joined.get(corner, corner)]:
                    if id(side) not in seen:
                        seen.add(id(side))
                        piece.append(side)
                        edge.append(side)
        pieces.append(piece)
    return pieces


def _waters(board: Board, sides: Iterable[_Side]) -> dict[Corner, Corner]:
    """Every corner that touches a sheet of water, with one corner that stands for the whole sheet."""
    leader: dict[Corner, Corner] = {}

    def find(corner: Corner) -> Corner:
        while leader.setdefault(corner, corner) != corner:
            corner = leader[corner]
        return corner

    def join(corners: Iterable[Corner]) -> None:
        roots = sorted({find(corner) for corner in corners})
        for root in roots:
            leader[root] = roots[0]

    for cell, info in board.info.items():
        if info.terrain in WATER:
            join(_corners(board, cell))
    for side in sides:
        if side.feature in WATER:
            join(side.corners)
    return {corner: find(corner) for corner in list(leader)}


def _edge_corners(board: Board) -> set[Corner]:
    """Corners on the rim of the map, where a river may come from elsewhere."""
    found: set[Corner] = set()
    for cell in board.cells:
        corners = _corners(board, cell)
        for direction, there in enumerate(board.neighbours[cell]):
            if there == OFF_MAP:
                found |= {corners[direction], corners[(direction + 1) % 6]}
    return found


def _rivers(board: Board, sides: list[_Side], excuses: _Excuses) -> Iterator[DataError]:
    rivers = [side for side in sides if side.feature in RIVERS]
    waters = _waters(board, sides)
    outlets = waters.keys() | _edge_corners(board)
    for piece in _pieces(rivers, {}):
        alone = len(piece) == 1 and outlets.isdisjoint(piece[0].corners)
        if alone and not excuses.cover(_hexes(board, piece), piece[0].feature):
            yield piece[0].row.error(
                f"the {piece[0].feature} between {_label(board, piece[0])} touches no other river, no water"
                " and no edge of the map"
            )
    for name in sorted({side.name for side in rivers if side.name}):
        course = [side for side in rivers if side.name == name]
        pieces = sorted(_pieces(course, waters), key=len, reverse=True)
        for piece in pieces[1:]:
            if not excuses.cover(_hexes(board, piece), piece[0].feature):
                yield piece[0].row.error(
                    f"the {name} is in {len(pieces)} pieces: this one begins between"
                    f" {_label(board, piece[0])} and has {len(piece)} of its {len(course)} sides"
                )


def _ways(board: Board, sides: list[_Side], excuses: _Excuses) -> Iterator[DataError]:
    for way, features in WAYS.items():
        ends: dict[int, list[_Side]] = {}
        for side in sides:
            if side.feature in features:
                ends.setdefault(side.a, []).append(side)
                ends.setdefault(side.b, []).append(side)
        for cell, arriving in sorted(ends.items()):
            if len({(s.a, s.b) for s in arriving}) > 1 or arriving[0].feature == "ferry":
                continue
            if not _may_end(board, cell) and not excuses.cover((board.number(cell),), way):
                yield arriving[0].row.error(
                    f"the {way} ends nowhere: {board.number(cell)} is no place, no edge of the map, no source"
                    " and no entry"
                )


def _may_end(board: Board, cell: int) -> bool:
    info = board.info[cell]
    if info.names or OFF_MAP in board.neighbours[cell] or info.features & PLACES:
        return True
    return any(feature.startswith(("supply", "entry")) for feature in info.features)


def _named(folder: Folder, board: Board) -> Iterator[DataError]:
    if not (folder.base / "named.csv").is_file():
        return
    for row in read_table(folder, "named.csv", ("hex", "kind", "value", "case")):
        row.text("case")
        kind = row.choice("kind", ("terrain", "feature", "name", "land", "side", "no-side"))
        try:
            cells = [board.cell(number) for number in row.text("hex").split("/")]
        except UnknownHexError as error:
            raise row.error(str(error)) from None
        complaint = _contradiction(board, row, kind, cells)
        if complaint:
            yield row.error(f"{row.text('case')}: {complaint}")


def _contradiction(board: Board, row: Row, kind: str, cells: list[int]) -> str:
    """How the map disagrees with one line of named.csv, or nothing."""
    info, where, value = board.info[cells[0]], row.text("hex"), row.text("value", "")
    if kind in ("side", "no-side"):
        if len(cells) != 2 or cells[1] not in board.adjacent[cells[0]]:
            raise row.error("a side is written as two neighbours: 0908/0909")
        if board.side_has(cells[0], cells[1], value) != (kind == "side"):
            return f"there should {'' if kind == 'side' else 'not '}be a {value} between {where}"
    elif kind == "terrain" and info.terrain != value:
        return f"{where} should be {value}, not {info.terrain}"
    elif kind == "land" and info.terrain in WATER:
        return f"{where} should be land, not {info.terrain}"
    elif kind == "feature" and value not in info.features:
        return f"{where} should have {value}"
    elif kind == "name" and value not in info.names.get("en", ""):
        return f"{where} should be {value}, not {info.names.get('en') or 'unnamed'}"
    return ""


def _hexes(board: Board, piece: Iterable[_Side]) -> set[str]:
    return {board.number(cell) for side in piece for cell in (side.a, side.b)}


def _label(board: Board, side: _Side) -> str:
    return f"{board.number(side.a)} and {board.number(side.b)}"
