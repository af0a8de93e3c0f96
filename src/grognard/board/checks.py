"""What a map can get wrong though every line of it can be read: rivers in pieces, roads to nowhere, bridges
over nothing, named hexes out of place.

Three optional files of a map folder take part. `named.csv` (hex, kind, value, case) holds what the rulebook
says of single hexes and sides; `rivers.csv` (river, mouth, past, source) says where each river ends and what
it passes on its way there; `exceptions.csv` (hex, feature, reason) excuses what looks wrong but is meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from grognard.board import vocabulary
from grognard.board.board import OFF_MAP, Board
from grognard.board.loading import SIDE_COLUMNS, WATER, load_board
from grognard.files import DataError, Folder, Row, read_table
from grognard.hexes import UnknownHexError, vertices

MARKED = frozenset({"victory", "airfield", "strategic"})
"""Where a way may end, besides towns and ports. Supply sources and entry hexes are others, whatever their
full names."""
NAMED = ("terrain", "feature", "no-feature", "name", "land", "side", "no-side", "adjacent", "apart")
"""What a line of named.csv may say of one hex, or of two written 0908/0909."""
PAIRS = ("side", "no-side", "adjacent", "apart")

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
            *_single_sides(board, sides),
            *_rivers(board, sides, excuses),
            *_courses(folder, board, sides),
            *_ways(board, sides, excuses),
            *_named(folder, board),
        ]
    except DataError as error:
        return [error]
    return sorted([*problems, *excuses.idle()], key=lambda p: (p.file, p.line or 0))


def _optional(folder: Folder, name: str, columns: tuple[str, ...], key: tuple[str, ...] = ()) -> list[Row]:
    return read_table(folder, name, columns, key) if (folder.base / name).is_file() else []


class _Excuses:
    """The lines of exceptions.csv, and which of them served."""

    def __init__(self, folder: Folder) -> None:
        self.rows: dict[tuple[str, str], Row] = {}
        self.used: set[tuple[str, str]] = set()
        for row in _optional(folder, "exceptions.csv", ("hex", "feature", "reason"), ("hex", "feature")):
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


# Sides and corners


def _sides(folder: Folder, board: Board) -> Iterator[_Side]:
    for row in read_table(folder, "sides.csv", SIDE_COLUMNS):
        a, b = board.cell(row.text("a")), board.cell(row.text("b"))
        direction = board.steps.index(b - a)
        corners = _corners(board, a)
        ends = (corners[direction], corners[(direction + 1) % 6])
        yield _Side(a, b, row.text("feature"), row.text("name_en", ""), row, ends)


def _corners(board: Board, cell: int) -> list[Corner]:
    return [(round(x * 1000), round(y * 1000)) for x, y in vertices(board.axial(cell), board.numbering.flat)]


def _by_corner(sides: Iterable[_Side], joined: dict[Corner, Corner]) -> dict[Corner, list[_Side]]:
    """The sides that meet at each corner. `joined` maps corners that count as one (a lake's)."""
    found: dict[Corner, list[_Side]] = {}
    for side in sides:
        for corner in side.corners:
            found.setdefault(joined.get(corner, corner), []).append(side)
    return found


def _pieces(sides: list[_Side], joined: dict[Corner, Corner]) -> list[list[_Side]]:
    """Sides that hang together by their corners, the largest piece first."""
    at = _by_corner(sides, joined)
    seen: set[int] = set()
    pieces = []
    for first in sides:
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
    return sorted(pieces, key=len, reverse=True)


def _waters(board: Board, sides: Iterable[_Side]) -> dict[str, set[Corner]]:
    """The corners on each kind of shore."""
    found: dict[str, set[Corner]] = {kind: set() for kind in sorted(WATER)}
    for cell, info in board.info.items():
        if info.terrain in WATER:
            found[info.terrain].update(_corners(board, cell))
    for side in sides:
        if side.feature in WATER:
            found[side.feature].update(side.corners)
    return found


def _sheets(board: Board, sides: Iterable[_Side]) -> dict[Corner, Corner]:
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


# What cannot stand on one side


def _features(board: Board, *kinds: str) -> frozenset[str]:
    return frozenset(vocabulary.of_kind(board.settings, *kinds))


def _single_sides(board: Board, sides: Iterable[_Side]) -> Iterator[DataError]:
    rivers, crossings = _features(board, "river"), _features(board, "bridge", "ferry")
    waters, land_ways = _features(board, *vocabulary.OPEN_WATER), _features(board, "road", "rail")
    together: dict[tuple[int, int], dict[str, _Side]] = {}
    for side in sides:
        together.setdefault((min(side.a, side.b), max(side.a, side.b)), {})[side.feature] = side
    for (a, b), found in together.items():
        features = found.keys()
        ways = features & land_ways
        wet = board.info[a].terrain in WATER or board.info[b].terrain in WATER
        last = max(found.values(), key=lambda side: side.row.line)
        where = _label(board, last)
        if {"road", "main_road"} <= features:
            yield last.row.error(f"the side between {where} is a road and a main_road at once")
        if "impassable" in features and len(features) > 1:
            yield last.row.error(f"the side between {where} is impassable and has {_others(found)} too")
        for feature in sorted(features & crossings):
            over_water = feature != "bridge" and (wet or not features.isdisjoint(waters))
            if features.isdisjoint(rivers) and not over_water:
                yield found[feature].row.error(f"the {feature} between {where} crosses no river")
        if "bridge" in features and not ways:
            yield found["bridge"].row.error(f"the bridge between {where} carries no road and no railway")
        if ways and wet:
            yield last.row.error(f"the {min(ways)} between {where} runs into water")


def _others(found: dict[str, _Side]) -> str:
    return ", ".join(sorted(found.keys() - {"impassable"}))


# Rivers


def _rivers(board: Board, sides: list[_Side], excuses: _Excuses) -> Iterator[DataError]:
    """No river system stands alone in the land, and no river is in pieces."""
    wet = _features(board, "river")
    rivers = [side for side in sides if side.feature in wet]
    sheets = _sheets(board, sides)
    outlets = sheets.keys() | _edge_corners(board)
    for piece in _pieces(rivers, {}):
        closed = all(outlets.isdisjoint(side.corners) for side in piece)
        if closed and not excuses.cover(_hexes(board, piece), piece[0].feature):
            called = f"the {piece[0].name}" if piece[0].name else f"the {piece[0].feature}"
            yield piece[0].row.error(
                f"{called} between {_label(board, piece[0])} leads nowhere: with all that flows into it, it"
                " reaches no water and no edge of the map"
            )
    for name in sorted({side.name for side in rivers if side.name}):
        course = [side for side in rivers if side.name == name]
        pieces = _pieces(course, sheets)
        for piece in pieces[1:]:
            if not excuses.cover(_hexes(board, piece), piece[0].feature):
                yield piece[0].row.error(
                    f"the {name} is in {len(pieces)} pieces: this one begins between"
                    f" {_label(board, piece[0])} and has {len(piece)} of its {len(course)} sides"
                )


def _courses(folder: Folder, board: Board, sides: list[_Side]) -> Iterator[DataError]:
    """Each river of rivers.csv runs past what it should, in order, to its mouth; and none is forgotten."""
    rows = _optional(folder, "rivers.csv", ("river", "mouth", "past", "source"), ("river",))
    by_name: dict[str, list[_Side]] = {}
    rivers = _features(board, "river")
    for side in sides:
        if side.feature in rivers:
            by_name.setdefault(side.name, []).append(side)
    shores = _waters(board, sides)
    shores["edge"] = _edge_corners(board)
    for row in rows:
        row.text("source")
        name, mouth = row.text("river"), row.text("mouth")
        if mouth not in shores and mouth not in by_name:
            raise row.error(f"the mouth {mouth!r} is none of {', '.join(shores)}, and no river of this map")
        past = [_places(board, row, item) for item in row.words("past")]
        goal = shores.get(mouth) or {c for side in by_name.get(mouth, []) for c in side.corners}
        complaint = _course_fault(board, by_name.get(name, []), goal, past, mouth)
        if complaint:
            yield row.error(f"the {name} {complaint}")
    if rows:
        for name in sorted(by_name.keys() - {row.text("river") for row in rows}):
            yield by_name[name][0].row.error(f"the river {name or 'without a name'} is not in rivers.csv")


def _course_fault(
    board: Board, course: list[_Side], goal: set[Corner], past: list[tuple[int, ...]], mouth: str
) -> str:
    """What is wrong with a river walked from its source to its mouth, or nothing."""
    if not course:
        return "is not on the map"
    meeting = _by_corner(course, {})
    fork = next((found for found in meeting.values() if len(found) > 2), None)
    if fork is not None:
        return f"forks near {_label(board, fork[0])}"
    ends = sorted(corner for corner, found in meeting.items() if len(found) == 1)
    if len(ends) != 2 or len(_pieces(course, {})) > 1:
        return "is not one chain of sides"
    mouths = [end for end in ends if end in goal]
    if not mouths:
        return f"does not reach its mouth ({mouth})"
    orders = []
    for end in mouths:
        source = ends[0] if end == ends[1] else ends[1]
        orders.append(_missed(board, _walk(meeting, source), past))
    return "" if "" in orders else orders[0]


def _walk(meeting: dict[Corner, list[_Side]], source: Corner) -> list[_Side]:
    """The sides of a chain in their order from one end."""
    corner, walked, seen = source, list[_Side](), set[int]()
    while True:
        ahead = next((side for side in meeting[corner] if id(side) not in seen), None)
        if ahead is None:
            return walked
        seen.add(id(ahead))
        walked.append(ahead)
        corner = ahead.corners[0] if ahead.corners[1] == corner else ahead.corners[1]


def _missed(board: Board, walked: list[_Side], past: list[tuple[int, ...]]) -> str:
    """The first place that a river does not touch after those before it."""
    position = 0
    for cells in past:
        touching = [k for k, side in enumerate(walked) if side.a in cells or side.b in cells]
        if not touching:
            return f"does not touch {board.number(cells[0])}"
        if touching[-1] < position:
            return f"comes to {board.number(cells[0])} out of order"
        position = max(position, touching[0])
    return ""


def _places(board: Board, row: Row, item: str) -> tuple[int, ...]:
    """The hexes meant by a number or by a place's English name."""
    named = tuple(cell for cell, info in board.info.items() if info.names.get("en") == item)
    return named or (_cell(board, row, item),)


def _cell(board: Board, row: Row, number: str) -> int:
    try:
        return board.cell(number)
    except UnknownHexError as error:
        raise row.error(str(error)) from None


# Roads and railways


def _ways(board: Board, sides: list[_Side], excuses: _Excuses) -> Iterator[DataError]:
    ferries = _features(board, "ferry")
    # Where every railway is a road too, a road may end on one.
    tracks = {f for f in _features(board, "rail") if board.settings["features"][f].get("road")}
    railways = {cell for side in sides if side.feature in tracks for cell in (side.a, side.b)}
    for way in ("road", "rail"):
        # Ways that go on from one another: a main road may become a road, and a ferry carries both.
        features = _features(board, way) | ferries
        ends: dict[int, list[_Side]] = {}
        for side in sides:
            if side.feature in features:
                ends.setdefault(side.a, []).append(side)
                ends.setdefault(side.b, []).append(side)
        for cell, arriving in sorted(ends.items()):
            if len({(s.a, s.b) for s in arriving}) > 1 or arriving[0].feature in ferries:
                continue
            if way == "road" and cell in railways:
                continue
            if not _may_end(board, cell) and not excuses.cover((board.number(cell),), way):
                yield arriving[0].row.error(
                    f"the {way} ends nowhere: {board.number(cell)} is no place, no edge of the map, no source"
                    " and no entry"
                )


def _may_end(board: Board, cell: int) -> bool:
    info = board.info[cell]
    places = _features(board, "town", "port") | MARKED
    if info.names or OFF_MAP in board.neighbours[cell] or info.features & places:
        return True
    return any(feature.startswith(("supply", "entry")) for feature in info.features)


# What the rulebook says


def _named(folder: Folder, board: Board) -> Iterator[DataError]:
    for row in _optional(folder, "named.csv", ("hex", "kind", "value", "case")):
        row.text("case")
        kind = row.choice("kind", NAMED)
        cells = [_cell(board, row, number) for number in row.text("hex").split("/")]
        if len(cells) != (2 if kind in PAIRS else 1):
            raise row.error(f"{kind} speaks of {'two hexes: 0908/0909' if kind in PAIRS else 'one hex'}")
        complaint = _contradiction(board, row, kind, cells)
        if complaint:
            yield row.error(f"{row.text('case')}: {complaint}")


def _contradiction(board: Board, row: Row, kind: str, cells: list[int]) -> str:
    """How the map disagrees with one line of named.csv, or nothing."""
    info, where, value = board.info[cells[0]], row.text("hex"), row.text("value", "")
    near = cells[-1] in board.adjacent[cells[0]]
    wrong = {
        "adjacent": not near,
        "apart": near,
        "side": not board.side_has(cells[0], cells[-1], value),
        "no-side": board.side_has(cells[0], cells[-1], value),
        "terrain": info.terrain != value,
        "land": info.terrain in WATER,
        "feature": value not in info.features,
        "no-feature": value in info.features,
        "name": value != info.names.get("en", ""),
    }
    if kind in ("side", "no-side") and not near:
        return f"{where} should be neighbours"
    should = {
        "adjacent": "be neighbours",
        "apart": "not be neighbours",
        "side": f"have a {value} between them",
        "no-side": f"have no {value} between them",
        "terrain": f"be {value}, not {info.terrain}",
        "land": f"be land, not {info.terrain}",
        "feature": f"have {value}",
        "no-feature": f"not have {value}",
        "name": f"be {value}, not {info.names.get('en') or 'unnamed'}",
    }
    return f"{where} should {should[kind]}" if wrong[kind] else ""


def _hexes(board: Board, piece: Iterable[_Side]) -> set[str]:
    return {board.number(cell) for side in piece for cell in (side.a, side.b)}


def _label(board: Board, side: _Side) -> str:
    return f"{board.number(side.a)} and {board.number(side.b)}"
