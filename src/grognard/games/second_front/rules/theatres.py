"""3F The theatres: which of a side a hex belongs to. No unit goes where its side controls no theatre."""

from __future__ import annotations

from grognard.board import Board
from grognard.games.second_front.units import ALLIED

GREATER_GERMANY, WEST, SOUTH, SOUTH_EAST = "Greater Germany", "West", "South", "South-East"
ETO, MTO = "ETO", "MTO"
SOUTHERN = ("country_italy", "country_malta", "country_spain", "country_algeria", "country_tunisia")
WESTERN = (
    *("country_great_britain", "country_france", "country_belgium", "country_netherlands"),
    "country_switzerland",
)
EASTERN = ("country_hungary", "country_yugoslavia", "country_albania", "country_greece")


def theatre_of(board: Board, cell: int, side: int) -> str | None:
    """None where a side has no theatre."""
    features = board.info[cell].features
    german = any(f.startswith("district_wk_") for f in features) or bool(
        features & {"country_germany", "district_denmark", "district_bohemia"}
    )
    southern = "district_corsica" in features or bool(features & set(SOUTHERN))
    if side == ALLIED:
        if german or (features & set(WESTERN) and not southern):
            return ETO
        return MTO if southern else None
    if german:
        return GREATER_GERMANY
    if southern:
        return SOUTH
    if features & set(WESTERN):
        return WEST
    return SOUTH_EAST if features & set(EASTERN) else None
