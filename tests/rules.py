"""The mark that ties a test to a numbered case of a rulebook."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import pytest

F = TypeVar("F", bound=Callable[..., object])


def rule(game: str, *cases: str) -> Callable[[F], F]:
    """This test fails when one of these cases is broken. Read by `grognard conformance`."""

    def mark(test: F) -> F:
        for case in cases:
            test = pytest.mark.rule(game, case)(test)
        return test

    return mark
