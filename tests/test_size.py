"""The kernel stays small, and functions of the rooms that every game passes through stay short."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import grognard

SOURCE = Path(grognard.__file__).parent
MOST_LINES = 60
KERNEL_LINES = 3000
SHORT = sorted(path for room in ("kernel", "mechanics", "server") for path in (SOURCE / room).rglob("*.py"))


@pytest.mark.parametrize("path", SHORT, ids=lambda path: str(path.relative_to(SOURCE)))
def test_functions_are_short(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            lines = node.end_lineno - node.lineno + 1
            assert lines <= MOST_LINES, f"{path.name}:{node.lineno}: {node.name} has {lines} lines"


def test_the_kernel_is_small() -> None:
    lines = sum(
        len(path.read_text(encoding="utf-8").splitlines()) for path in (SOURCE / "kernel").rglob("*.py")
    )
    assert lines < KERNEL_LINES
