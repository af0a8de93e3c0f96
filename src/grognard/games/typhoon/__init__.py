"""Typhoon!: the drive on Moscow, autumn 1941."""

from grognard.games.typhoon.game import Typhoon, load

__all__ = ["Typhoon", "load"]
