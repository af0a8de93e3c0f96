"""Kinds of arguments that are words of a game: works, networks, forces."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.kernel.codec import Codec


class OwnWords(Codec):
    """Actions whose arguments are written with the game's own words, by their places in a list."""

    def words_of(self, kind: str) -> Sequence[str] | None:
        """The words of a kind, in order; None if it is no kind of this game's own."""
        return None

    def exists(self, kind: str, value: int) -> bool:
        known = self.words_of(kind)
        return 0 <= value < len(known) if known is not None else super().exists(kind, value)

    def write_argument(self, kind: str, value: int) -> str:
        known = self.words_of(kind)
        return known[value] if known is not None else super().write_argument(kind, value)

    def read_argument(self, kind: str, word: str) -> int:
        known = self.words_of(kind)
        return list(known).index(word) if known is not None else super().read_argument(kind, word)
