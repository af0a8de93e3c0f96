"""Many games at once over HTTP, on this machine only, for a bounded time.

    python -m bench.load --database sqlite --games 200 --seconds 30
    python -m bench.load --database postgresql --games 200 --seconds 30 --pace 2

Every game is two people at one screen who answer at random, one request at a time. Without --pace they never
stop to think, which measures how much the server can do; with it each answers every so many seconds, which
measures how long people wait.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any

from tests.server.postgres import PostgresServer
from tests.server.process import ServerProcess
from tests.server.table import offered
from websockets.asyncio.client import connect

MOST_GAMES, MOST_SECONDS = 500, 120


class Connection:
    """A connection that is kept open. As little code as will do: the server is to be measured, not this."""

    def __init__(self, port: int) -> None:
        self.port = port

    async def open(self) -> None:
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port, limit=2**20)

    async def request(self, method: str, path: str, body: Any = None, token: str = "") -> tuple[int, Any]:
        content = b"" if body is None else json.dumps(body).encode()
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(content)}\r\n"
        )
        if token:
            head += f"Authorization: Bearer {token}\r\n"
        self.writer.write(head.encode() + b"\r\n" + content)
        answer = (await self.reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = int(answer.split("content-length:")[1].split("\r\n")[0])
        return int(answer.split(" ")[1]), json.loads(await self.reader.readexactly(length))

    def close(self) -> None:
        self.writer.close()


class Load:
    def __init__(self, server: ServerProcess, pace: float, listeners: int) -> None:
        self.server, self.pace, self.listeners = server, pace, listeners
        self.waits: list[float] = []
        self.errors: list[str] = []
        self.finished = self.pushes = 0

    async def game(self, number: int, ready: asyncio.Barrier, until: asyncio.Future[float]) -> None:
        random = Random(number)
        line = Connection(self.server.port)
        await line.open()
        ears: list[asyncio.Task[None]] = []
        status, made = await line.request("POST", "/api/tables", {"game": "leningrad", "hotseat": True})
        assert status == 201, made
        path, token = f"/api/tables/{made['table']}", made["seats"]["german"]
        _, state = await line.request("GET", path, token=token)
        ears = [asyncio.create_task(self.listen(path, token)) for _ in range(self.listeners)]
        await ready.wait()
        end = await until
        await asyncio.sleep(random.random() * self.pace)
        while time.monotonic() < end:
            if state["over"]:
                self.finished += 1
                _, made = await line.request("POST", "/api/tables", {"game": "leningrad", "hotseat": True})
                path, token = f"/api/tables/{made['table']}", made["seats"]["german"]
                _, state = await line.request("GET", path, token=token)
            body = {"action": random.choice(offered(state)), "version": state["version"]}
            began = time.monotonic()
            status, answer = await line.request("POST", f"{path}/actions", body, token)
            self.waits.append(time.monotonic() - began)
            if status != 200:
                self.errors.append(f"{status} {str(answer)[:200]}")
            else:
                state = answer
            if self.pace:
                await asyncio.sleep(max(0.0, began + self.pace - time.monotonic()))
        for ear in ears:
            ear.cancel()
        await asyncio.gather(*ears, return_exceptions=True)
        line.close()

    async def listen(self, path: str, token: str) -> None:
        url = f"{self.server.url.replace('http', 'ws')}{path}/live"
        async with connect(url, max_size=2**22) as socket:
            await socket.send(json.dumps({"token": token, "lang": "en"}))
            async for _ in socket:
                self.pushes += 1

    async def run(self, games: int, seconds: float) -> dict[str, Any]:
        ready = asyncio.Barrier(games + 1)
        until: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        playing = [asyncio.create_task(self.game(n, ready, until)) for n in range(games)]
        await ready.wait()
        memory = self.server.memory()
        busy = self.server.processor_seconds()
        began = time.monotonic()
        until.set_result(began + seconds)
        await asyncio.gather(*playing)
        took = time.monotonic() - began
        busy = self.server.processor_seconds() - busy
        waits = sorted(self.waits)
        return {
            "games": games,
            "listeners": games * self.listeners,
            "pace_s": self.pace,
            "seconds": round(took, 1),
            "actions": len(waits),
            "actions_per_second": round(len(waits) / took, 1),
            "p50_ms": round(1000 * waits[len(waits) // 2], 1),
            "p99_ms": round(1000 * waits[len(waits) * 99 // 100], 1),
            "worst_ms": round(1000 * waits[-1], 1),
            "server_cpu_ms_per_action": round(1000 * busy / len(waits), 2),
            "memory_mb_before": round(memory),
            "memory_mb_after": round(self.server.memory()),
            "games_finished": self.finished,
            "pushes": self.pushes,
            "errors": len(self.errors),
            "first_errors": self.errors[:3],
            "load_average": os.getloadavg()[0],
        }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--pace", type=float, default=0, help="seconds between the answers of a game")
    parser.add_argument("--listeners", type=int, default=0, help="WebSockets a game")
    options = parser.parse_args()
    games, seconds = min(options.games, MOST_GAMES), min(options.seconds, MOST_SECONDS)
    postgres = PostgresServer() if options.database == "postgresql" else None
    try:
        with tempfile.TemporaryDirectory() as folder:
            url = postgres.new_database() if postgres else f"sqlite:///{folder}/games.sqlite"
            server = ServerProcess(url, Path(folder))
            try:
                server.wait_until_ready()
                load = Load(server, options.pace, options.listeners)
                told = asyncio.run(load.run(games, seconds))
            finally:
                server.stop()
            print(json.dumps({"database": options.database, **told}))
    finally:
        if postgres:
            postgres.stop()


if __name__ == "__main__":
    main()
