"""What one stranger costs everybody else: answers timed in peace and under attack, turn about.

    python -m bench.attack --rounds 3 --seconds 8

Honest people play one answer at a time from addresses of their own; the stranger has one (or, for the silent
connections, four) of this machine's other loopback addresses and a process to himself. Each round is peace
and then each attack, so that a busy machine disturbs both alike. The figure that counts is the ratio of the
99th percentiles; on a machine that others use as well it says little, and then the processor time that the
server spends in a second of peace and of attack says more.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import socket
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any
from urllib.request import urlopen

from bench.load import Connection
from tests.server.process import ServerProcess
from tests.server.table import offered

STRANGER = "127.9.0.1"


def _line(port: int, address: str = STRANGER) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), 10, source_address=(address, 0))


def endless_header(port: int) -> None:
    """A header that never ends, and again when it is cut off."""
    while True:
        with suppress(OSError), _line(port) as line:
            line.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: ")
            while True:
                line.sendall(b"x" * 65_536)


def silent_connections(port: int) -> None:
    """1,100 connections that say nothing, made again as they are closed."""
    lines: list[socket.socket] = []
    while True:
        lines = [line for line in lines if not _closed(line)]
        for number in range(1100 - len(lines)):
            with suppress(OSError):
                lines.append(_line(port, f"127.9.0.{1 + number % 4}"))
        time.sleep(0.5)


def _closed(line: socket.socket) -> bool:
    line.setblocking(False)
    try:
        return line.recv(1) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def unread_pictures(port: int) -> None:
    """60 maps asked for and never read."""
    head = b"GET /api/games/leningrad/map.svg HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    lines: list[socket.socket] = []
    while True:
        while len(lines) < 60:
            with suppress(OSError):
                line = _line(port)
                line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                line.sendall(head)
                lines.append(line)
        time.sleep(5)


def many_tables(port: int) -> None:
    """1,000 tables a minute."""
    body = b'{"game": "leningrad", "listed": true}'
    head = b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    head += b"Content-Length: %d\r\n\r\n"
    while True:
        with suppress(OSError), _line(port) as line:
            while True:
                line.sendall(head % len(body) + body)
                if not line.recv(65_536):
                    break
                time.sleep(0.06)


ATTACKS: dict[str, Callable[[int], None]] = {
    "endless_header": endless_header,
    "silent_connections": silent_connections,
    "unread_pictures": unread_pictures,
    "many_tables": many_tables,
}


class Honest:
    """People who play, each from an address of his own."""

    def __init__(self, port: int, people: int) -> None:
        self.port, self.people = port, people
        self.waits: list[float] = []
        self.failed = 0

    async def play(self, number: int, end: float) -> None:
        random = Random(number)
        line = Connection(self.port)
        line.reader, line.writer = await asyncio.open_connection(
            "127.0.0.1", self.port, limit=2**20, local_addr=(f"127.1.0.{number + 1}", 0)
        )
        status, made = await line.request("POST", "/api/tables", {"game": "leningrad", "hotseat": True})
        assert status == 201, made
        path, token = f"/api/tables/{made['table']}", made["seats"]["german"]
        _, state = await line.request("GET", path, token=token)
        while time.monotonic() < end and not state["over"]:
            body = {"action": random.choice(offered(state)), "version": state["version"]}
            began = time.monotonic()
            status, answer = await line.request("POST", f"{path}/actions", body, token)
            self.waits.append(time.monotonic() - began)
            if status == 200:
                state = answer
            else:
                self.failed += 1
            await asyncio.sleep(0.1)
        line.close()

    async def all(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        played = await asyncio.gather(
            *(self.play(n, end) for n in range(self.people)), return_exceptions=True
        )
        self.failed += sum(isinstance(found, BaseException) for found in played)


def timed(server: ServerProcess, people: int, seconds: float) -> dict[str, Any]:
    honest = Honest(server.port, people)
    began, busy, memory = time.monotonic(), server.processor_seconds(), server.memory()
    asyncio.run(honest.all(seconds))
    busy = (server.processor_seconds() - busy) / (time.monotonic() - began)
    waits = sorted(honest.waits)
    if not waits:
        return {"p50_ms": float("inf"), "p99_ms": float("inf"), "failed": honest.failed}
    return {
        "p50_ms": round(1000 * waits[len(waits) // 2], 2),
        "p99_ms": round(1000 * waits[len(waits) * 99 // 100], 2),
        "worst_ms": round(1000 * waits[-1], 1),
        "answers": len(waits),
        "failed": honest.failed,
        "server_busy": round(busy, 3),
        "server_cpu_ms_per_answer": round(1000 * busy * seconds / len(waits), 2),
        "memory_mb_more": round(server.memory() - memory, 1),
    }


def attacked(
    attack: Callable[[int], None], server: ServerProcess, people: int, seconds: float
) -> dict[str, Any]:
    stranger = multiprocessing.get_context("spawn").Process(target=attack, args=(server.port,), daemon=True)
    stranger.start()
    time.sleep(2)
    try:
        return timed(server, people, seconds)
    finally:
        stranger.kill()
        stranger.join()
        time.sleep(0.5)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--people", type=int, default=10)
    parser.add_argument("--attacks", nargs="*", choices=list(ATTACKS), default=list(ATTACKS))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = ServerProcess(
            f"sqlite:///{folder}/games.sqlite", Path(folder), limited=True, games="leningrad"
        )
        try:
            server.wait_until_ready()
            # A map is drawn once, whoever asks for it first.
            urlopen(f"{server.url}/api/games/leningrad/map.svg", timeout=120).close()
            rounds: list[dict[str, Any]] = []
            for _ in range(options.rounds):
                found = {"peace": timed(server, options.people, options.seconds)}
                for name in options.attacks:
                    found[name] = attacked(ATTACKS[name], server, options.people, options.seconds)
                rounds.append(found)
                print(json.dumps(found), flush=True)
        finally:
            server.stop()
    summary = {}
    for name in options.attacks:
        ratios = sorted(round(found[name]["p99_ms"] / found["peace"]["p99_ms"], 2) for found in rounds)
        extra = [found[name]["server_busy"] - found["peace"]["server_busy"] for found in rounds]
        summary[name] = {
            "p99_ratio": statistics.median(ratios),
            "from": ratios[0],
            "to": ratios[-1],
            "cores_more": round(statistics.median(extra), 3),
            "failed": sum(found[name]["failed"] for found in rounds),
        }
    print(json.dumps({"summary": summary, "load_average": os.getloadavg()[0]}))


if __name__ == "__main__":
    main()
