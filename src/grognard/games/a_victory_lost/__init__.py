"""A Victory Lost: crisis in Ukraine, winter 1942-1943."""

from grognard.games.a_victory_lost.game import AVictoryLost, load

__all__ = ["AVictoryLost", "load"]
