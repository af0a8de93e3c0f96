"""A running hash of a journal: equal for two journals only if all of their answers are."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence


def link(before: str, words: Sequence[str]) -> str:
    """The hash of a journal with one answer more."""
    written = before + json.dumps(words, ensure_ascii=False)
    return hashlib.blake2b(written.encode(errors="surrogatepass"), digest_size=16).hexdigest()


class Chain:
    """The hashes of a journal at every length from some answer on."""

    def __init__(self, start: int = 0, first: str = "") -> None:
        self.start = start
        self._hashes = [first]

    @property
    def last(self) -> str:
        return self._hashes[-1]

    def at(self, length: int) -> str:
        return self._hashes[length - self.start]

    def grow(self, kept: int, words: Iterable[Sequence[str]]) -> None:
        """After so many answers the journal goes on with these."""
        del self._hashes[kept - self.start + 1 :]
        for answer in words:
            self._hashes.append(link(self._hashes[-1], answer))

    def forget(self, length: int) -> None:
        """Remember nothing before a length."""
        del self._hashes[: length - self.start]
        self.start = length
