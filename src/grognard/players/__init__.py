"""Opponents. They use the public API of games only."""

from grognard.players.base import Player, RandomPlayer, player_names, seat

__all__ = ["Player", "RandomPlayer", "player_names", "seat"]
