"""What has been worked out once is not worked out again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class Remembered(dict[Key, Value]):
    """Values by what they are worked out from, one thing or several; each when it is first asked for."""

    def __init__(self, work_out: Callable[..., Value]) -> None:
        super().__init__()
        self._work_out = work_out

    def __missing__(self, key: Key) -> Value:
        found = self[key] = self._work_out(*key) if isinstance(key, tuple) else self._work_out(key)
        return found
