"""Positions as bytes, for the same version of the code: with what was worked out from them."""

from __future__ import annotations

import pickle
import sys
from array import _array_reconstructor, array  # type: ignore[attr-defined]
from enum import Enum
from io import BytesIO
from typing import Any

from grognard.kernel.state import State


def dump_state(state: State) -> bytes:
    return pickle.dumps(state.clone(), protocol=5)


def load_state(dumped: bytes) -> Any:
    """A position from `dump_state`; UnpicklingError if it is none."""
    found = _Reader(BytesIO(dumped)).load()
    if not isinstance(found, State):
        raise pickle.UnpicklingError("not a position")
    return found


class _Reader(pickle.Unpickler):
    """Reads states, tuples with names, enumerations and plain values, and nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        found = getattr(sys.modules.get(module), name, None)
        if found is _array_reconstructor or found is array:
            return found
        if isinstance(found, type) and issubclass(found, State | tuple | Enum | set | frozenset):
            return found
        raise pickle.UnpicklingError(f"a position holds no {module}.{name}")
