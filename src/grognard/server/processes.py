"""How the server makes processes of its own.

They are forked from one that has loaded what they need and does nothing else: so one that has died is
replaced in hundredths of a second, where a fresh interpreter takes more than one to load everything. A server
itself is never forked: it has threads.
"""

from __future__ import annotations

import multiprocessing
from contextlib import suppress
from multiprocessing.context import BaseContext
from pathlib import Path


def nursery(*modules: str) -> BaseContext:
    """Where processes are made in which modules are loaded already."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(modules))
    return context


def be_called(name: str) -> None:
    """What `ps` and `top` call this process, where the system lets a process say so."""
    with suppress(OSError):
        Path("/proc/self/comm").write_text(name[:15], encoding="ascii")
