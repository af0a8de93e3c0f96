"""Scripted games on a server that is killed again and again.

Every game keeps its own list of what the server said it had done, and compares it with the server's journal
each time the server is back: all of it must be there, and nothing else but the one thing that was under way.
Processes that think, look back and draw are killed like those that answer; nobody may notice.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from threading import Lock
from typing import Any

import httpx2
import sqlalchemy as sa

from grognard import kernel
from grognard.kernel.registry import load_game
from grognard.server.sealing import unseal
from grognard.server.settings import database_url
from grognard.server.store import Store
from tests.server.process import ServerProcess, free_port
from tests.server.table import offered

Json = dict[str, Any]


class LostError(AssertionError):
    """Something that was acknowledged is gone, or something is there that nobody asked for."""


class StuckError(AssertionError):
    """The computer was asked and never answered."""


PATIENCE = 120.0
"""Seconds after the last kill within which a computer has answered, if it gets a processor."""
ENOUGH = 60.0
"""Seconds of processor time, of all of a server's processes, within which it has answered in any case."""
HELP_COMES = 5.0
"""Seconds for which a kill waits for a process of its kind."""
FAREWELL = 60.0
"""Seconds after a kill in which a server that is ending may break off what it has begun."""
COMPUTERS = (None, "random", None, "recruit")
"""Who plays the second side, in turn: a person at the same screen, or a computer."""
HELPERS = {"thinker": "thinker-", "clerk": "errands", "draughtsman": "drawing"}
"""Processes that help the servers, and what they are called (grognard.server.processes)."""
LOOKS = 1.0
"""Seconds between two pieces of the map that somebody looks at."""


class Game:
    """One scripted game: two people at one screen, or one and the computer, answer at random, take back, and
    talk."""

    def __init__(
        self,
        client: httpx2.AsyncClient,
        number: int,
        answers: int,
        rules: kernel.Game[Any],
        computer: str | None = None,
    ) -> None:
        self.client = client
        self.computer = computer
        """Which computer has the second side, if one has."""
        self.last_kill: Callable[[], float] = lambda: 0.0
        """When something was last killed, by the clock that never goes back."""
        self.key: Callable[[], str] = lambda: ""
        """What this database's servers seal saves with."""
        self.stuck: Callable[[], bool] = lambda: True
        """Whether whoever should think does nothing, or has had all the time of a processor that it needs."""
        self.until = float("inf")
        """When it is stopped, by the clock that never goes back."""
        self.random = Random(number)
        self.name = f"game {number}"
        self.answers = answers
        self.rules = rules
        self.table = ""
        self.headers: dict[str, str] = {}
        self.state: Json = {}
        self.done: list[list[str]] = []
        """The answers acknowledged, those taken back left out."""
        self.said: list[str] = []
        self.unsure: set[str] = set()
        """Said when the server was killed: there or not."""
        self.under_way: tuple[str, Any] = ("", None)
        """What the server has not answered yet."""
        self.pending: tuple[str, Any] = ("", None)
        """What was under way when the server was killed and had not been done when the next one looked. A
        database that is a process of its own may carry it out after that."""
        self.given = 0
        self.late = 0
        """How often something was done after the server that was to do it had been killed."""
        self.interrupted = 0

    async def play(self) -> None:
        await self._sit_down()
        while self.given < self.answers and not self.state["over"] and time.monotonic() < self.until:
            if not await self._step():
                self.interrupted += 1
                await self.check()

    async def _sit_down(self) -> None:
        while not self.table:
            wish: Json = {"game": self.rules.id, "hotseat": not self.computer, "name": self.name}
            if self.computer:
                # The shortest scenario: they soon know what to do in it.
                wish["scenario"] = list(self.rules.scenarios)[-1]
                wish["seats"] = {self.rules.sides[1]: self.computer}
            made = await self._try("POST", "/api/tables", wish)
            if made is not None:
                self.table = made["table"]
                self.headers = {"Authorization": f"Bearer {next(iter(made['seats'].values()))}"}
            else:
                await asyncio.sleep(0.1)
        await self.check()

    async def _my_turn(self) -> None:
        """Wait for the computer."""
        began = time.monotonic()
        # What stands open while the computer is asked may be gone before we have answered.
        while self.computer and not self.state["over"] and self.rules.sides[0] not in self.state["must_act"]:
            late = time.monotonic() > max(began, self.last_kill()) + PATIENCE
            if late and await asyncio.to_thread(self.stuck):
                seen = {key: self.state[key] for key in ("thinking", "must_act", "moments", "table")}
                raise StuckError(
                    f"{self.name}: the {self.computer} never answered: {seen}, {os.getloadavg()}"
                )
            await asyncio.sleep(0.05)
            self.state = await self._insist(f"/api/tables/{self.table}")

    async def _step(self) -> bool:
        """Do one thing; False if the server died before it said whether it was done."""
        await self._my_turn()
        if self.state["over"]:
            return True
        url = f"/api/tables/{self.table}"
        chance = self.random.random()
        if chance < 0.08 and self.state["can_undo"]:
            self.under_way = ("undo", None)
            state = await self._try("POST", f"{url}/undo", {"version": self.state["version"]})
            if state is not None:
                await self._taken_back()
        elif chance < 0.16:
            text = f"{len(self.said) + len(self.unsure)} of {self.name}"
            self.under_way = ("chat", text)
            if await self._try("POST", f"{url}/chat", {"text": text}) is None:
                return False
            self.said.append(text)
            self.under_way = ("", None)
            return True
        elif chance < 0.22:
            # Of the past, which other processes look up: it is there whichever of them is killed meanwhile.
            past = await self._insist(f"{url}/at/{self.random.randint(0, self.state['moments'])}")
            if "view" not in past:
                raise LostError(f"{self.name}: nothing is known of the past")
            return True
        else:
            words = self.random.choice(offered(self.state))
            self.under_way = ("act", words)
            body = {"action": words, "version": self.state["version"]}
            state = await self._try("POST", f"{url}/actions", body)
            if state is not None:
                self.done.append(words)
                self.given += 1
        if state is None:
            return False
        self.state = state
        self.under_way = self.pending = ("", None)
        return True

    async def check(self) -> None:
        """Compare what the server has with what it acknowledged."""
        url = f"/api/tables/{self.table}"
        kind, what = self.under_way
        if self.computer:
            # It goes on by itself; what it does is not looked at in the middle of it.
            self.state = await self._insist(url)
            await self._my_turn()
        save, there = await self._journal()
        possible = [self.done, *self._with(self.under_way), *self._with(self.pending)]
        if there not in possible:
            raise LostError(f"{self.name}: {len(there)} answers there, {len(self.done)} acknowledged")
        same = there == self.done
        if not same:
            self.late += there in self._with(self.pending)
            self.pending = ("", None)
        elif kind in ("act", "undo"):
            self.pending = self.under_way
        self.done = there
        if kind == "chat":
            self.unsure.add(what)
        heard = [line["text"] for line in await self._insist(f"{url}/chat")]
        if [text for text in heard if text not in self.unsure] != self.said:
            raise LostError(f"{self.name}: said {self.said}, there is {heard}")
        self.under_way = ("", None)
        state = await self._insist(url)
        if state["moments"] != kernel.Match.load(self.rules, save).moment:
            if not self.pending[0]:
                raise LostError(f"{self.name}: the position is not the journal's")
            # Done between the two looks.
            await self.check()
            return
        # What the page was last shown must be what is there, unless the thing under way was done too.
        own = same and kind not in ("act", "undo") and not self.computer
        if own and self.state and self.state["version"] != state["version"]:
            raise LostError(f"{self.name}: another position than the one acknowledged")
        self.state = state

    async def _journal(self) -> tuple[str, list[list[str]]]:
        """The save of the game, opened if it hides what the computer does, and our answers in it."""
        found = await self._insist(f"/api/tables/{self.table}/save")
        save = json.dumps(found)
        if "actions" not in found:
            save = unseal(save, await asyncio.to_thread(self.key))
        others = ("chance", self.rules.sides[1]) if self.computer else ("chance",)
        return save, [words[1:] for words in json.loads(save)["actions"] if words[0] not in others]

    async def _taken_back(self) -> None:
        """What is left after an answer of ours was taken back and this was acknowledged."""
        if not self.rules.hidden_information:
            self.done.pop()
            return
        # Of what two sides write in secret, each takes back its own last.
        _, there = await self._journal()
        if there not in self._with(("undo", None)):
            raise LostError(f"{self.name}: more or less was taken back than one answer")
        self.done = there

    async def _was_done_late(self) -> None:
        """The position is another than the one shown: it must be what was under way at the kill, and nothing
        else, that has changed it."""
        before, self.under_way = self.done, ("", None)
        await self.check()
        if self.done == before:
            raise LostError(f"{self.name}: out of date, and nothing was done late")

    def _with(self, deed: tuple[str, Any]) -> list[list[list[str]]]:
        """What is there if a deed has been done, if it is one of those that are looked at."""
        kind, what = deed
        if kind == "act":
            return [[*self.done, what]]
        last = len(self.done) - 1
        first = 0 if self.rules.hidden_information else last
        return [self.done[:n] + self.done[n + 1 :] for n in range(first, last + 1) if kind == "undo"]

    async def _insist(self, path: str) -> Any:
        while True:
            found = await self._try("GET", path)
            if found is not None:
                return found
            await asyncio.sleep(0.1)

    async def _try(self, method: str, path: str, body: Json | None = None) -> Any:
        """The answer; None if there was no server to give one."""
        try:
            answer = await self.client.request(method, path, json=body, headers=self.headers)
        except httpx2.TransportError:
            return None
        if answer.status_code in (500, 503) and time.monotonic() - self.last_kill() < FAREWELL:
            # A server whose first process was killed breaks off what it has begun: that is no answer.
            return None
        if answer.status_code == 409 and self.pending[0]:
            await self._was_done_late()
            return None
        if answer.status_code == 409 and "state" in answer.json():
            keys = ("version", "moments", "must_act", "written", "thinking", "can_undo", "log_length")
            seen, there = (
                {key: state[key] for key in keys} for state in (self.state, answer.json()["state"])
            )
            raise LostError(
                f"{self.name}: {path} {body}: {seen} is out of date: {there}; {self.under_way}, {self.done}"
            )
        if answer.status_code not in (200, 201):
            raise LostError(f"{self.name}: {method} {path}: {answer.status_code} {answer.text[:200]}")
        return answer.json()


class Ordeal:
    """Games played together while their server is killed at random moments."""

    def __init__(
        self, database: str, pictures: Path, seed: int, game: str, workers: int = 1, computers: bool = False
    ) -> None:
        self.database, self.pictures = database, pictures
        self.rules = load_game(game)
        self.random = Random(seed)
        self.port = free_port()
        self.workers, self.computers = workers, computers
        """How many servers share the work; whether every other game is played against the computer."""
        self.kills: Counter[str] = Counter()
        self.last_kill = self.busy_at_kill = 0.0
        self.told_to_end = False
        self._sealed_with = ""
        self.drawn = 0
        """Pieces of the map that somebody was shown."""
        self._killing = Lock()
        """Held from a kill until the next server is started: nobody kills one that is still being started."""
        self.server = self._start()

    def _start(self) -> ServerProcess:
        return ServerProcess(
            self.database, self.pictures, self.port, workers=self.workers, games=self.rules.id
        )

    async def _look_at_map(self, client: httpx2.AsyncClient) -> None:
        """Somebody looks at one piece of the map after the other, while those who draw them are killed."""

        async def insist(path: str) -> httpx2.Response:
            while True:
                with suppress(httpx2.TransportError):
                    answer = await client.get(path)
                    if answer.status_code == 200:
                        return answer
                    if answer.status_code != 500 or time.monotonic() - self.last_kill > FAREWELL:
                        raise LostError(f"{path}: {answer.status_code} {answer.text[:200]}")
                await asyncio.sleep(0.1)

        tiles = (await insist(f"/api/games/{self.rules.id}/kit")).json()["map"]["tiles"]
        for level, size in reversed(list(enumerate(tiles["levels"]))):
            for column in range(size["columns"]):
                for row in range(size["rows"]):
                    await insist(tiles["url"].format(level=level, column=column, row=row))
                    self.drawn += 1
                    await asyncio.sleep(LOOKS)

    async def run(
        self,
        games: int,
        answers: int,
        together: int,
        most_kills: int,
        between: tuple[int, int],
        seconds: float = float("inf"),
    ) -> Counter[str]:
        """Play so many games, so many of them together. `between` kills, so many answers are given. After so
        many seconds no more is begun."""
        began = time.monotonic()
        limits = httpx2.Limits(max_connections=together)
        async with httpx2.AsyncClient(base_url=self.server.url, timeout=30, limits=limits) as client:
            played = [
                Game(client, number, answers, self.rules, COMPUTERS[number % 4] if self.computers else None)
                for number in range(games)
            ]
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, self._enough, played)
            for game in played:
                game.until = began + seconds
                game.last_kill = lambda: self.last_kill
                game.stuck, game.key = self._stuck, self._key
            seats = asyncio.Semaphore(together)

            async def one(game: Game) -> None:
                async with seats:
                    if time.monotonic() < game.until:
                        await game.play()

            all_of_them = asyncio.gather(*(one(game) for game in played))
            beside = [asyncio.create_task(self._kill(played, most_kills, between))]
            if self.computers:
                beside.append(asyncio.create_task(self._look_at_map(client)))
            try:
                await all_of_them
            finally:
                for task in beside:
                    task.cancel()
                ended = await asyncio.gather(*beside, return_exceptions=True)
            for error in ended:
                if isinstance(error, Exception):
                    raise error
            await asyncio.to_thread(self._kill_one, "server")
            for game in played:
                if game.table:
                    await game.check()
        self.server.stop()
        check_rows(self.database)
        return Counter(
            games=games,
            answers=sum(game.given for game in played),
            kills=self.kills.total(),
            **{f"kills_of_a_{kind}": number for kind, number in self.kills.items()},
            games_hit=sum(game.interrupted > 0 for game in played),
            interruptions=sum(game.interrupted for game in played),
            done_late=sum(game.late for game in played),
            pictures=self.drawn,
            seconds=round(time.monotonic() - began),
        )

    def _stuck(self) -> bool:
        """On a busy machine a process may wait for a processor for minutes: that is not being stuck. So it is
        looked whether one of ours can run, and how long they have run since the last kill."""
        if self.server.all_processor_seconds() - self.busy_at_kill > ENOUGH:
            return True
        for _ in range(40):
            if self.server.can_run():
                return False
            time.sleep(0.05)
        return True

    def _key(self) -> str:
        if not self._sealed_with:
            store = Store(database_url(self.database), revision=None)
            self._sealed_with = store.key("saves")
            store.close()
        return self._sealed_with

    def _enough(self, played: list[Game]) -> None:
        """Somebody wants it to end: what has been played is compared as always, and no more is begun."""
        self.told_to_end = True
        for game in played:
            game.until = 0.0

    async def _kill(self, played: list[Game], most: int, between: tuple[int, int]) -> None:
        while self.kills.total() < most:
            await asyncio.to_thread(self.server.wait_until_ready, 300)
            enough = sum(game.given for game in played) + self.random.randint(*between)
            while sum(game.given for game in played) < enough:
                await asyncio.sleep(self.random.uniform(0.001, 0.05))
            kinds = ["server"]
            kinds += ["member"] * 3 if self.workers > 1 else []
            kinds += ["thinker"] * 5 + ["clerk"] * 2 + ["draughtsman"] * 2 if self.computers else []
            kind = self.random.choice(kinds)
            if kind in HELPERS:
                await self._until_there(HELPERS[kind])
            await asyncio.to_thread(self._kill_one, kind)

    async def _until_there(self, name: str) -> None:
        """Processes that help are made when they are needed; it is not waited for long."""
        end = time.monotonic() + HELP_COMES
        while not await asyncio.to_thread(self.server.called, name) and time.monotonic() < end:
            await asyncio.sleep(0.5)

    def _kill_one(self, kind: str) -> None:
        """The server with all that belongs to it; one of several behind its address, whom it replaces; or a
        process that helps one of them. Where there is none of that kind, one that there is."""
        with self._killing:
            server = self.server
            prey = [] if kind == "server" else server.called(HELPERS.get(kind, "server-"))
            if not prey and kind in HELPERS:
                # Nobody has needed one yet.
                kind, prey = "member", server.called("server-")
            if prey:
                with suppress(ProcessLookupError):
                    os.kill(self.random.choice(prey), signal.SIGKILL)
            else:
                kind = "server"
                # All of its processes at the same moment: none has time for a farewell.
                for pid in server.called("server-", *HELPERS.values()):
                    with suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
                server.kill()
                self.server = self._start()
            self.kills[kind] += 1
            self.last_kill, self.busy_at_kill = time.monotonic(), self.server.all_processor_seconds()


def check_rows(database: str) -> None:
    """Journals have no gaps, and tables know how long they are."""
    engine = sa.create_engine(database_url(database))
    query = sa.text(
        "SELECT t.id, t.length, count(a.number), min(a.number), max(a.number) "
        "FROM tables t LEFT JOIN answers a ON a.table_id = t.id GROUP BY t.id, t.length"
    )
    with engine.connect() as connection:
        for id_, length, rows, first, last in connection.execute(query):
            if length != rows or (rows and (first, last) != (0, rows - 1)):
                raise LostError(f"table {id_}: {length} answers, {rows} rows from {first} to {last}")
        if engine.dialect.name == "sqlite":
            assert connection.execute(sa.text("PRAGMA integrity_check")).scalar() == "ok"
    engine.dispose()
