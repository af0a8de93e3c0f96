"""Stalingrad Roads: the southern front, winter 1942-1943. Not among the installed games yet."""

from grognard.games.stalingrad_roads.game import StalingradRoads, load

__all__ = ["StalingradRoads", "load"]
