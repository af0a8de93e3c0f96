"""A small plain map, on which a test says what stands in a hex or on a side."""

from __future__ import annotations

from collections.abc import Mapping

from grognard.board import Board
from grognard.board.board import HexInfo
from grognard.files import Provenance, ProvenanceKind
from grognard.hexes import Axial, Numbering

HERE = Provenance(ProvenanceKind.RECONSTRUCTED, "a map for tests")
GRID = {
    "orientation": "flat",
    "shifted_parity": 1,
    "columns_grow": "right",
    "rows_grow": "down",
    "order": "CCRR",
}


def ground(
    hexes: Mapping[str, str] = {},
    sides: Mapping[str, str] = {},
    columns: tuple[int, int] = (10, 16),
    rows: tuple[int, int] = (1, 7),
) -> Board:
    """`hexes` gives terrains and features of hexes, as in {"1203": "hills woods"}; `sides` those of sides, as
    in {"1202/1203": "river road"}. All the rest is clear."""
    sheet = {"columns": list(columns), "rows": list(rows)}
    numbering = Numbering.from_mapping({**GRID, "sheets": [sheet]})
    infos = {}
    for hex_ in numbering.hexes():
        number = numbering.number(hex_)
        words = hexes.get(number, "").split()
        terrain = next((word for word in words if word in ("hills", "marsh", "pond", "lake")), "clear")
        infos[hex_] = HexInfo(number, terrain, frozenset(words) - {terrain}, {}, HERE)
    found: list[tuple[Axial, Axial, str, Mapping[str, str], Provenance]] = []
    for pair, words_of in sides.items():
        a, b = (numbering.parse(number) for number in pair.split("/"))
        found += [(a, b, word, {}, HERE) for word in words_of.split()]
    return Board(numbering, infos, found, {})
