"""The server as its own process, to be treated as badly as the world treats servers."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import httpx2


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


class ServerProcess:
    """`python -m grognard.server` on a database, on this machine only."""

    def __init__(
        self,
        database: str,
        pictures: Path,
        port: int | None = None,
        *,
        limited: bool = False,
        workers: int = 1,
        games: str = "crossroads",
        **more: str,
    ) -> None:
        """With one small game, which is soon loaded; `games=""`: with all that are installed."""
        self.port = port or free_port()
        self.workers = workers
        self.url = f"http://127.0.0.1:{self.port}"
        environment = {
            **os.environ,
            "GROGNARD_DATABASE": database,
            "GROGNARD_CACHE": str(pictures),
            "GROGNARD_HOME": str(pictures),
            "GROGNARD_DRAW_AHEAD": "no",
            "GROGNARD_GAMES": games,
            # One address stands for everybody here, unless the limits themselves are tried.
            "GROGNARD_LIMITS": "yes" if limited else "no",
            **more,
        }
        self.process = subprocess.Popen(
            [sys.executable, "-m", "grognard.server", "--port", str(self.port), "--workers", str(workers)],
            env=environment,
            stdout=subprocess.DEVNULL,
        )

    def wait_until_ready(self, seconds: float = 60) -> None:
        deadline = time.monotonic() + seconds
        while True:
            try:
                httpx2.get(f"{self.url}/api/tables", timeout=5).raise_for_status()
                return
            except httpx2.TransportError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise
                time.sleep(0.05)

    def kill(self) -> None:
        """At once, with no chance to tidy up: kill -9."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.kill()

    def servers(self) -> list[int]:
        """The processes that answer people: itself or, if there are several, those behind it as well."""
        return [self.process.pid, *self.called("server-")]

    def called(self, *names: str) -> list[int]:
        """Its processes whose names begin so (grognard.server.processes): those that answer people and, for
        them, think, look things up and draw."""
        return [pid for pid, name in _descendants(self.process.pid) if name.startswith(names)]

    def processor_seconds(self) -> float:
        """How much computing they have done."""
        total = 0
        for pid in self.servers():
            fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            total += int(fields[11]) + int(fields[12])
        return total / os.sysconf("SC_CLK_TCK")

    def all_processor_seconds(self) -> float:
        """The same of all its processes that there are."""
        found = 0.0
        for pid in [self.process.pid, *(pid for pid, _ in _descendants(self.process.pid))]:
            with suppress(OSError):
                fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
                found += int(fields[11]) + int(fields[12])
        return found / os.sysconf("SC_CLK_TCK")

    def can_run(self) -> bool:
        """Whether one of its processes computes or waits for a processor."""
        for pid in [self.process.pid, *(pid for pid, _ in _descendants(self.process.pid))]:
            for path in Path(f"/proc/{pid}/task").glob("*/stat"):
                with suppress(OSError):
                    if path.read_text().rsplit(")", 1)[1].split()[0] == "R":
                        return True
        return False

    def memory(self) -> float:
        """Their resident memory in MB."""
        found = 0.0
        for pid in self.servers():
            for line in Path(f"/proc/{pid}/status").read_text().splitlines():
                if line.startswith("VmRSS:"):
                    found += int(line.split()[1]) / 1000
        return found


def _descendants(pid: int) -> list[tuple[int, str]]:
    """Processes that a process has started, and those that they have, with their names."""
    children: dict[int, list[tuple[int, str]]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            head, tail = path.read_text().rsplit(")", 1)
            parent, found = int(tail.split()[1]), (int(path.parent.name), head.split("(", 1)[1])
            children.setdefault(parent, []).append(found)
    told, waiting = [], [pid]
    while waiting:
        for child in children.get(waiting.pop(), []):
            told.append(child)
            waiting.append(child[0])
    return told
