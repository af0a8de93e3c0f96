"""Second Front: western Europe and the Mediterranean, 1943-1945."""

from grognard.games.second_front.game import SecondFront, load

__all__ = ["SecondFront", "load"]
