"""Bulk play: many games, on one machine for now."""

from grognard.lab.batch import BatchError, Result, play_batch, play_game, totals

__all__ = ["BatchError", "Result", "play_batch", "play_game", "totals"]
