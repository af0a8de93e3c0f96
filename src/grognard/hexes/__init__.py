"""Geometry of hexagonal maps and the ways in which rulebooks number them; nothing else."""

from grognard.hexes.geometry import DIRECTIONS, Axial, distance, neighbour, ring, vertices
from grognard.hexes.numbering import Numbering, Sheet, UnknownHexError

__all__ = [
    "DIRECTIONS",
    "Axial",
    "Numbering",
    "Sheet",
    "UnknownHexError",
    "distance",
    "neighbour",
    "ring",
    "vertices",
]
