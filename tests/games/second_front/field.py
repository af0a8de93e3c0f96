"""A small plain map and counters made to measure, for tests of single rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import count

from grognard.board import Board
from grognard.board.board import HexInfo, each
from grognard.files import Provenance, ProvenanceKind
from grognard.games.second_front.books import charts
from grognard.games.second_front.rules.weather import Sky
from grognard.games.second_front.units import (
    ALLIED,
    ARTILLERY,
    AXIS,
    CM,
    NON_MOTORISED,
    Face,
    Piece,
    Unit,
    ratings_of,
)
from grognard.hexes import Axial, Numbering

HERE = Provenance(ProvenanceKind.RECONSTRUCTED, "a map for tests")
GRID = {
    "orientation": "pointy",
    "shifted_parity": 0,
    "columns_grow": "left",
    "rows_grow": "down",
    "order": "RRCC",
}
TERRAINS = (
    *("clear", "woods", "rough", "forest", "wooded_rough", "swamp", "mountain", "bocage", "intensive_canal"),
    *("sea", "lake", "prohibited"),
)
CLEAR_SKY, MUDDY, WINTRY, SNOWY, FROSTY = (
    Sky(*(word,) * 4) for word in ("clear", "mud", "winter", "snow", "frost")
)
SIZES = {"XX": Fraction(3), "X": Fraction(1), "III": Fraction(1), "II": Fraction(1, 2), "HQ": Fraction(1)}
_numbers = count(1)


def field(hexes: Mapping[str, str] = {}, sides: Mapping[str, str] = {}, zone: str = "d") -> Board:
    """Rows 1 to 9, columns 1 to 9. `hexes` gives terrains and features, as in {"0303": "mountain"}; `sides`
    those of sides, as in {"0303/0304": "river road"}. All the rest is clear, in one zone of weather."""
    numbering = Numbering.from_mapping({**GRID, "sheets": [{"columns": [1, 9], "rows": [1, 9]}]})
    infos = {}
    for hex_ in numbering.hexes():
        number = numbering.number(hex_)
        words = hexes.get(number, "").split()
        terrain = next((word for word in words if word in TERRAINS), "clear")
        features = frozenset(words) - {terrain}
        if not any(word.startswith("weather_") for word in features):
            features |= {f"weather_{zone}"}
        infos[hex_] = HexInfo(number, terrain, features, {}, HERE)
    found: list[tuple[Axial, Axial, str, Mapping[str, str], Provenance]] = []
    for pair, words_of in sides.items():
        a, b = (numbering.parse(number) for number in pair.split("/"))
        found += [(a, b, word, {}, HERE) for word in words_of.split()]
    return Board(numbering, infos, found, {})


def unit(
    rating: str = "8-8",
    type_: str = "infantry",
    size: str = "XX",
    *,
    klass: str = "",
    nation: str = "",
    side: int = AXIS,
    cadre: str = "",
    id_: str = "",
) -> Unit:
    """A counter by its rating: strength and movement (8-8) or attack, defence and movement (3-2-10), with the
    support dot as a star (3-8*)."""
    own = str(charts()["unit_types"].find(type_)["class"])
    klass = klass or (own if own in (CM, ARTILLERY) else NON_MOTORISED)
    return Unit(
        id_ or f"counter-{next(_numbers)}",
        side,
        {"en": rating, "fr": rating},
        nation or ("German" if side == AXIS else "American"),
        type_,
        size,
        _face(rating),
        _face(cadre) if cadre else None,
        SIZES[size],
        klass,
        (rating.endswith("*"), cadre.endswith("*")),
        False,
        ratings_of(type_, klass == CM and own != CM, side),
        "Heer" if side == AXIS and nation in ("", "German") else "",
    )


def _face(rating: str) -> Face:
    numbers = [int(number) for number in rating.rstrip("*").split("-")]
    return Face(*numbers) if len(numbers) == 3 else Face(numbers[0], *numbers)


def piece(rating: str = "8-8", type_: str = "infantry", size: str = "XX", **more: str | int) -> Piece:
    """A counter on the table; `hungry`, `isolated` and `reduced` are of the piece, the rest of its unit."""
    state = {key: more.pop(key) for key in ("hungry", "isolated", "reduced") if key in more}
    return Piece(unit(rating, type_, size, **more), **state)  # type: ignore[arg-type]


def allied(rating: str = "8-8", type_: str = "infantry", size: str = "XX", **more: str | int) -> Piece:
    return piece(rating, type_, size, side=ALLIED, **more)


def cells(board: Board, *numbers: str) -> int:
    total = 0
    for number in numbers:
        total |= 1 << board.cell(number)
    return total


def numbers(board: Board, cells_: int | Iterable[int]) -> set[str]:
    found = each(cells_) if isinstance(cells_, int) else cells_
    return {board.number(cell) for cell in found}


def around(board: Board, number: str) -> set[str]:
    return numbers(board, board.adjacent[board.cell(number)])
