"""The server as its own process, to be treated as badly as the world treats servers."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
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
        **more: str,
    ) -> None:
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        environment = {
            **os.environ,
            "GROGNARD_DATABASE": database,
            "GROGNARD_CACHE": str(pictures),
            "GROGNARD_HOME": str(pictures),
            "GROGNARD_DRAW_AHEAD": "no",
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

    def processor_seconds(self) -> float:
        """How much computing it has done."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> float:
        """Resident memory in MB."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1000
        return 0.0
