"""Consoles that behave on a terminal, in a pipe and under a poor encoding."""

from __future__ import annotations

import io
import sys
from typing import TextIO

from rich.console import Console

PIPED_WIDTH = 100
"""How wide a page is when nobody can say how wide the paper is."""


def output() -> Console:
    return _console(sys.stdout)


def errors() -> Console:
    return _console(sys.stderr)


def _console(stream: TextIO) -> Console:
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="replace")
    console = Console(file=stream, highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console = Console(file=stream, highlight=False, markup=False, emoji=False, width=PIPED_WIDTH)
    return console
