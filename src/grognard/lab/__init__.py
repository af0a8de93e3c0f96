"""Bulk play: many games, on this machine or on a cluster; what they say, and whether a change matters.

Only `batch` is loaded at once: most of the rest needs the `lab` extra.
"""

from grognard.lab.batch import BatchError, GameResult, Played, play_batch, play_game, totals

__all__ = ["BatchError", "GameResult", "Played", "play_batch", "play_game", "totals"]
