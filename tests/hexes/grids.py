"""The grids of the five games, as a map file gives them."""

from __future__ import annotations

from functools import cache
from typing import Any

from grognard.hexes import Numbering

GRIDS: dict[str, dict[str, Any]] = {
    "leningrad": {
        "orientation": "flat",
        "shifted_parity": 0,
        "columns_grow": "right",
        "rows_grow": "down",
        "order": "CCRR",
        "sheets": [{"columns": [1, 29], "rows": [1, 13]}],
    },
    "a_victory_lost": {
        "orientation": "flat",
        "shifted_parity": 0,
        "columns_grow": "right",
        "rows_grow": "down",
        "order": "CCRR",
        "sheets": [{"columns": [1, 68], "rows": [1, 44]}],
    },
    "stalingrad_roads": {
        "orientation": "pointy",
        "shifted_parity": 0,
        "columns_grow": "right",
        "rows_grow": "up",
        "order": "RRCC",
        "sheets": [{"columns": [1, 35], "rows": [0, 27]}],
    },
    "typhoon": {
        "orientation": "flat",
        "shifted_parity": 1,
        "columns_grow": "right",
        "rows_grow": "down",
        "order": "CCRR",
        "sheets": [
            {"name": "N", "columns": [10, 48], "rows": [1, 53], "odd_columns_lack_last_row": True},
            {
                "name": "M",
                "columns": [10, 48],
                "rows": [1, 53],
                "column_offset": 38,
                "odd_columns_lack_last_row": True,
            },
            {
                "name": "P",
                "columns": [10, 70],
                "rows": [1, 34],
                "column_offset": 16,
                "row_offset": 52,
                "odd_columns_lack_last_row": True,
            },
        ],
    },
    "second_front": {
        "orientation": "pointy",
        "shifted_parity": 0,
        "columns_grow": "left",
        "rows_grow": "down",
        "order": "RRCC",
        "separator": ":",
        "sheets": [
            {"name": "16A", "columns": [1, 33], "rows": [1, 51]},
            {"name": "17A", "columns": [1, 33], "rows": [1, 51], "column_offset": 32},
            {"name": "26", "columns": [1, 33], "rows": [1, 51], "row_offset": 50},
            {"name": "27", "columns": [1, 33], "rows": [1, 51], "column_offset": 32, "row_offset": 50},
        ],
    },
}

COUNTS = {
    "leningrad": 29 * 13,
    "a_victory_lost": 68 * 44,
    "stalingrad_roads": 35 * 28,
    # Three sheets, less what two of them share: column N48 = M10, and the row 53 of N and M = P01.
    "typhoon": (39 * 53 - 19) * 2 - 53 + 61 * 34 - 30 - 31,
    # Four sheets that overlap by one row and one column.
    "second_front": 65 * 101,
}


@cache
def numbering(game: str) -> Numbering:
    return Numbering.from_mapping(GRIDS[game])
