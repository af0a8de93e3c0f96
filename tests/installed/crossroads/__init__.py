"""Crossroads: a dozen hexes, six units, and one of everything that a table can have.

It is in a package of its own, as a game by somebody else would be, and nothing outside this folder knows its
words. Doors are tested on it, so that a change to a real game breaks that game's tests only.
"""

from crossroads.game import Crossroads, load

__all__ = ["Crossroads", "load"]
