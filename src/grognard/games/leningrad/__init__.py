"""Leningrad: the drive of Army Group North in the summer of 1941."""

from grognard.games.leningrad.game import Leningrad, load

__all__ = ["Leningrad", "load"]
