"""How the server makes processes of its own.

They are forked from one that has loaded what they need and does nothing else: so one that has died is
replaced in hundredths of a second, where a fresh interpreter takes more than one to load everything. A server
itself is never forked: it has threads.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import platform
from contextlib import suppress
from multiprocessing.context import BaseContext
from pathlib import Path

SET_SCHEDULING = {"x86_64": 314, "aarch64": 274}
"""The number of Linux's call `sched_setattr`, which the C library and Python have no name for, by machine."""
LONGEST_TURN = 100_000_000
"""Nanoseconds: the longest turn at a processor that can be asked for."""


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


class _Scheduling(ctypes.Structure):
    """`struct sched_attr` of Linux, in its first edition."""

    _fields_ = (
        ("size", ctypes.c_uint32),
        ("policy", ctypes.c_uint32),
        ("flags", ctypes.c_uint64),
        ("nice", ctypes.c_int32),
        ("priority", ctypes.c_uint32),
        ("runtime", ctypes.c_uint64),
        ("deadline", ctypes.c_uint64),
        ("period", ctypes.c_uint64),
    )


def give_way(niceness: int) -> None:
    """Let those who answer people come first, from now on.

    To be nicer is a smaller share. But whoever computes is left alone for its turn of some milliseconds,
    however nice, and an answer waits for a processor four or five times on its way. A newer Linux (6.12) lets
    one whose turns are shorter interrupt at once: so our turns are long. The share is the same, and nobody
    starves.
    """
    if hasattr(os, "nice"):
        os.nice(niceness)
    number = SET_SCHEDULING.get(platform.machine())
    if platform.system() != "Linux" or number is None:
        return
    with suppress(OSError, AttributeError):
        wish = _Scheduling(ctypes.sizeof(_Scheduling), 0, 0, os.nice(0), 0, LONGEST_TURN, 0, 0)
        ctypes.CDLL(None).syscall(number, 0, ctypes.byref(wish), 0)
