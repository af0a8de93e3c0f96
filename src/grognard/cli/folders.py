"""Where each game keeps its files: the shelf, under the name that the commands know."""

from grognard.games.shelf import GAMES, Entry, catalogue, game_folder

__all__ = ["GAMES", "Entry", "catalogue", "game_folder"]
