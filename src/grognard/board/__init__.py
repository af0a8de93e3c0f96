"""A map: its hexes, hexsides, features and names, loaded, checked and compiled for speed."""

from grognard.board.board import Board, HexInfo, SideInfo
from grognard.board.loading import load_board

__all__ = ["Board", "HexInfo", "SideInfo", "load_board"]
