"""Many games at once over HTTP, on this machine only, for a bounded time.

    python -m bench.load --database sqlite --games 200 --seconds 30
    python -m bench.load --database postgresql --games 200 --seconds 30 --pace 4 --veterans 2 --draw
    python -m bench.load --games 60 --seconds 20 --workers 2
    python -m bench.load --games 200 --pace 4 --veterans 2 --draw --seconds 60 --rounds 3
    python -m bench.load --games 400 --pace 4 --veterans 2 --draw --seconds 60 --rounds 3

Every game is two people at one screen who answer at random, one request at a time, as the page does it: the
answer to a click is short, and what has changed comes by the sockets. Without --pace they never stop to
think, which measures how much the server can do; with it each answers every so many seconds, which measures
how long people wait. Meanwhile --veterans tables of two veterans think, and with --draw a map is drawn. With
--rounds it is done several times, each with a server of its own, and the medians are told with the least and
the most. How long people wait says something on a machine that has nothing else to do; the processor time of
the server for an answer says something on any.

What is timed here has the delays of this program in it, which shares the machine. So the server's own figures
are told beside it: of a thousand answers, how many took longer than 20 ms between the request and its answer
in the server, and of a thousand transactions, how many longer than that until they were on the disk.

With --reach every answer asks how far what is then in hand gets, as a page's own does; without it those who
play do not want to know.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

from tests.server.postgres import PostgresServer
from tests.server.process import ServerProcess
from tests.server.table import offered, take_in
from websockets.asyncio.client import connect

MOST_GAMES, MOST_SECONDS = 500, 120


class Connection:
    """A connection that is kept open. As little code as will do: the server is to be measured, not this."""

    def __init__(self, port: int) -> None:
        self.port = port

    async def open(self) -> None:
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port, limit=2**20)

    async def request(
        self,
        method: str,
        path: str,
        body: Any = None,
        token: str = "",
        minimal: bool = False,
        read: bool = True,
    ) -> tuple[int, Any]:
        content = b"" if body is None else json.dumps(body).encode()
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(content)}\r\n"
        )
        if minimal:
            head += "Prefer: return=minimal\r\n"
        if token:
            head += f"Authorization: Bearer {token}\r\n"
        self.writer.write(head.encode() + b"\r\n" + content)
        answer = (await self.reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = int(answer.split("content-length:")[1].split("\r\n")[0])
        content = await self.reader.readexactly(length)
        return int(answer.split(" ")[1]), json.loads(content) if read else None

    async def text(self, path: str) -> str:
        self.writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = int(head.split("content-length:")[1].split("\r\n")[0])
        return (await self.reader.readexactly(length)).decode()

    def close(self) -> None:
        self.writer.close()


class Game:
    """One game: who plays it, and who listens."""

    def __init__(self, load: Load, number: int) -> None:
        self.load, self.random = load, Random(number)
        self.connection = Connection(load.server.port)
        self.state: dict[str, Any] = {}
        self.ears: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        await self.connection.open()
        wish = {"game": self.load.game, "hotseat": True}
        status, made = await self.connection.request("POST", "/api/tables", wish)
        assert status == 201, made
        self.path, self.token = f"/api/tables/{made['table']}", next(iter(made["seats"].values()))
        await self.reopen()
        first = asyncio.Event()
        self.ears = [asyncio.create_task(self.listen(n, first)) for n in range(self.load.listeners)]
        await first.wait()

    async def reopen(self) -> None:
        """A connection that says where it goes with its first request, as a page's own does."""
        self.connection.close()
        await self.connection.open()
        _, self.state = await self.connection.request("GET", self.path, token=self.token)

    async def listen(self, number: int, first: asyncio.Event) -> None:
        url = f"{self.load.server.url.replace('http', 'ws')}{self.path}/live"
        async with connect(url, max_size=2**22, compression=None) as socket:
            await socket.send(json.dumps({"token": self.token, "lang": "en"}))
            async for text in socket:
                self.load.pushes += 1
                if number == 0:
                    self.state = take_in(self.state, json.loads(text))
                    first.set()

    async def play(self, until: asyncio.Future[float]) -> None:
        end, load = await until, self.load
        await asyncio.sleep(self.random.random() * load.pace)
        while time.monotonic() < end and not self.state["over"]:
            body = {"action": self.random.choice(offered(self.state)), "version": self.state["version"]}
            if load.reach:
                body["reach"] = True
            began = time.monotonic()
            asked = ("POST", f"{self.path}/actions?lang=en&protocol=2", body, self.token)
            status, answer = await self.connection.request(*asked, minimal=True)
            load.waits.append(time.monotonic() - began)
            if status != 200:
                load.errors.append(f"{status} {str(answer)[:200]}")
            # The next click comes when the page shows what came of this one.
            while self.state["version"] != answer["version"] and time.monotonic() < end:
                await asyncio.sleep(0.002)
            load.heard.append(time.monotonic() - began)
            if load.pace:
                await asyncio.sleep(max(0.0, began + load.pace - time.monotonic()))

    async def close(self) -> None:
        for ear in self.ears:
            ear.cancel()
        await asyncio.gather(*self.ears, return_exceptions=True)
        self.connection.close()


def slower(before: Mapping[str, float], after: Mapping[str, float]) -> dict[str, float]:
    """Of a thousand answers and transactions in between, how many took longer than 20 ms in the server."""
    kinds = {
        "answers": 'grognard_request_seconds_bucket{door="/api/tables/{table}/actions",',
        "writes": "grognard_write_seconds_bucket{",
    }
    found = {}
    for what, name in kinds.items():
        within, all_ = (
            after.get(f'{name}le="{end}"}}', 0) - before.get(f'{name}le="{end}"}}', 0)
            for end in ("0.02", "+Inf")
        )
        found[f"slow_{what}_in_1000"] = round(1000 * (1 - within / all_), 1) if all_ else 0.0
    return found


class Load:
    def __init__(
        self, server: ServerProcess, game: str, pace: float, listeners: int, reach: bool = False
    ) -> None:
        self.server, self.game, self.pace, self.listeners = server, game, pace, listeners
        self.reach = reach
        self.waits: list[float] = []
        self.heard: list[float] = []
        self.errors: list[str] = []
        self.pushes = 0

    async def veterans(self) -> None:
        """A table of two veterans, watched so that they play."""
        line = Connection(self.server.port)
        await line.open()
        while True:
            wish = {"game": self.game, "seats": {"german": "veteran", "soviet": "veteran"}}
            _, made = await line.request("POST", "/api/tables", wish)
            url = f"{self.server.url.replace('http', 'ws')}/api/tables/{made['table']}/live"
            async with connect(url, max_size=2**22) as socket:
                await socket.send(json.dumps({"token": made["watch"], "lang": "en"}))
                over = False
                async for text in socket:
                    over = over or '"over":true' in text
                    if over:
                        break

    async def draw(self) -> None:
        """A reader who looks at a large map that nobody has looked at yet."""
        line = Connection(self.server.port)
        await line.open()
        _, kit = await line.request("GET", "/api/games/a_victory_lost/kit")
        tiles = kit["map"]["tiles"]
        for level, size in reversed(list(enumerate(tiles["levels"]))):
            for column in range(size["columns"]):
                for row in range(size["rows"]):
                    path = tiles["url"].format(level=level, column=column, row=row)
                    await line.request("GET", path, read=False)

    async def figures(self) -> dict[str, float]:
        """What the server says of itself; of several, one."""
        line = Connection(self.server.port)
        await line.open()
        text = await line.text("/metrics")
        line.close()
        pairs = (each.rsplit(" ", 1) for each in text.splitlines() if not each.startswith("#"))
        return {name: float(value) for name, value in pairs}

    async def run(self, games: int, seconds: float, veterans: int, draws: bool) -> dict[str, Any]:
        until: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        tables = [Game(self, number) for number in range(games)]
        for table in tables:
            await table.open()
        beside = [asyncio.create_task(self.veterans()) for _ in range(veterans)]
        beside += [asyncio.create_task(self.draw())] if draws else []
        await asyncio.sleep(5.0 if beside else 0.2)
        memory, busy, figures = self.server.memory(), self.server.processor_seconds(), await self.figures()
        began = time.monotonic()
        until.set_result(began + seconds)
        await asyncio.gather(*(table.play(until) for table in tables))
        took = time.monotonic() - began
        busy = self.server.processor_seconds() - busy
        slow = slower(figures, await self.figures())
        for task in beside:
            task.cancel()
        failed = [
            r for r in await asyncio.gather(*beside, return_exceptions=True) if isinstance(r, Exception)
        ]
        self.errors += [repr(error)[:200] for error in failed]
        for table in tables:
            await table.close()
        waits, heard = sorted(self.waits), sorted(self.heard)
        return {
            "games": games,
            "listeners": games * self.listeners,
            "veterans": veterans,
            "draws": draws,
            "pace_s": self.pace,
            "reach": self.reach,
            "seconds": round(took, 1),
            "answers": len(waits),
            "answers_per_second": round(len(waits) / took, 1),
            "p50_ms": round(1000 * waits[len(waits) // 2], 1),
            "p99_ms": round(1000 * waits[len(waits) * 99 // 100], 1),
            "worst_ms": round(1000 * waits[-1], 1),
            "heard_p50_ms": round(1000 * heard[len(heard) // 2], 1),
            "heard_p99_ms": round(1000 * heard[len(heard) * 99 // 100], 1),
            **slow,
            "server_cpu_ms_per_answer": round(1000 * busy / len(waits), 2),
            "answers_per_second_of_a_core": round(len(waits) / busy),
            "memory_mb_before": round(memory),
            "memory_mb_after": round(self.server.memory()),
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
    parser.add_argument("--game", default="leningrad")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--pace", type=float, default=0, help="seconds between the answers of a game")
    parser.add_argument("--listeners", type=int, default=2, help="WebSockets a game")
    parser.add_argument("--veterans", type=int, default=0, help="tables of two veterans meanwhile")
    parser.add_argument("--draw", action="store_true", help="a map is drawn meanwhile")
    parser.add_argument("--reach", action="store_true", help="ask how far what is in hand gets")
    parser.add_argument("--workers", type=int, default=1, help="servers behind one address")
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args()
    postgres = PostgresServer() if options.database == "postgresql" else None
    try:
        rounds = [one_round(options, postgres) for _ in range(options.rounds)]
    finally:
        if postgres:
            postgres.stop()
    if len(rounds) > 1:
        print(json.dumps({name: spread([told[name] for told in rounds]) for name in TOLD}))


def one_round(options: argparse.Namespace, postgres: PostgresServer | None) -> dict[str, Any]:
    games, seconds = min(options.games, MOST_GAMES), min(options.seconds, MOST_SECONDS)
    with tempfile.TemporaryDirectory() as folder:
        url = postgres.new_database() if postgres else f"sqlite:///{folder}/games.sqlite"
        server = ServerProcess(url, Path(folder), workers=options.workers, games="")
        try:
            server.wait_until_ready()
            load = Load(server, options.game, options.pace, max(1, options.listeners), options.reach)
            told = asyncio.run(load.run(games, seconds, options.veterans, options.draw))
        finally:
            server.stop()
    print(json.dumps({"database": options.database, "workers": options.workers, **told}), flush=True)
    return told


TOLD = (
    *("p50_ms", "p99_ms", "heard_p99_ms", "slow_answers_in_1000", "slow_writes_in_1000"),
    *("server_cpu_ms_per_answer", "errors", "load_average"),
)


def spread(values: list[float]) -> list[float]:
    """The median, the least and the most."""
    return [round(value, 2) for value in (statistics.median(values), min(values), max(values))]


if __name__ == "__main__":
    main()
