"""Stalingrad Roads: the southern front, winter 1942-1943."""

from grognard.games.stalingrad_roads.game import StalingradRoads, load

__all__ = ["StalingradRoads", "load"]
