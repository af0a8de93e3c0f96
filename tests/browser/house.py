"""A server of our own: the program that players start, on a free port, with a database thrown away after."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Thread
from typing import Any

from grognard.kernel import Game, Match
from grognard.kernel.registry import load_game
from grognard.server.rooms import Created, Rooms
from grognard.server.seating import NewTable
from grognard.server.store import Store
from grognard.server.workbench import Premises
from grognard.server.workshop import Workshop

Json = dict[str, Any]

PATIENCE = float(os.environ.get("GROGNARD_PATIENCE", "30"))
"""Seconds that anything may take: the machine may be busy with other things."""


LENINGRAD: Json = {"game": "leningrad", "scenario": "campaign"}
"""For tests that are about Leningrad, or need more units and ground than the small game has."""


class House:
    """A server that can be killed and started again on the same database and port."""

    def __init__(self, folder: Path, maps: Path, **settings: str) -> None:
        self.database = folder / "games.sqlite"
        self.port = _free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._log = folder / "server.log"
        self._environment = {
            **os.environ,
            "GROGNARD_HOME": str(folder),
            "GROGNARD_DATABASE": f"sqlite:///{self.database}",
            "GROGNARD_CACHE": str(maps),
            "GROGNARD_LIMITS": "no",
            "GROGNARD_DRAW_AHEAD": "no",
            "GROGNARD_URL": self.url,
            **settings,
        }
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "grognard.server", "--port", str(self.port)]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(command, env=self._environment, stdout=log, stderr=log)
        until = time.monotonic() + 4 * PATIENCE  # everything is loaded first
        while True:
            try:
                urllib.request.urlopen(f"{self.url}/api/tables", timeout=PATIENCE).close()
                return
            except OSError:
                if self._process.poll() is not None or time.monotonic() > until:
                    raise RuntimeError(f"the server did not start:\n{self._log.read_text()}") from None
                time.sleep(0.05)

    def kill(self) -> None:
        """As a power cut would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def put(self, path: str, body: Any, token: str = "") -> Any:
        return self.post(path, body, token, "PUT")

    def post(self, path: str, body: Any, token: str = "", method: str = "POST") -> Any:
        headers = {"content-type": "application/json"}
        if token:
            headers["authorization"] = f"Bearer {token}"
        request = urllib.request.Request(self.url + path, json.dumps(body).encode(), headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{path} {body}: {error.code} {error.read().decode()}") from None

    def get(self, path: str, token: str = "") -> Any:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        request = urllib.request.Request(self.url + path, headers=headers)
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)

    def fetch(self, path: str) -> bytes:
        with urllib.request.urlopen(self.url + path, timeout=20 * PATIENCE) as answer:
            found: bytes = answer.read()
        return found

    def table(self, *answers: Sequence[str], seed: str = "", **wish: Any) -> Table:
        """A new table, of the small game that tests bring along unless another is named. With a seed its dice
        are known beforehand, which the doors do not allow; answers of a rehearsal with the same seed are
        then given through the doors."""
        scenario = "campaign" if "game" in wish else "morning"
        wish = {"game": "crossroads", "scenario": scenario, "options": {}, "seats": {}, **wish}
        made = self._with_seed(NewTable(**wish, seed=seed)) if seed else self._by_wish(wish)
        table = Table(self, made, known_dice=bool(seed))
        for answer in answers:
            table.act(answer)
        return table

    def resume(self, game: Rehearsal, **wish: Any) -> Table:
        """A table that goes on from where a rehearsal ended; its dice are known. Between two people
        the doors take no save: the answers are given again behind them."""
        match = game.match
        if not wish.get("hotseat") and set(wish["seats"].values()) == {"human"}:
            new = NewTable(match.game.id, match.scenario, match.options, seed=match.seed, **wish)
            return Table(self, self._with_seed(new, match.written()), known_dice=True)
        made = self.post("/api/saves", {"text": match.save(), "hotseat": False, **wish})
        seats = {**made["seats"], "watch": made["watch"]}
        return Table(self, Created(made["table"], seats, made["invitations"]), known_dice=True)

    def _by_wish(self, wish: Mapping[str, Any]) -> Created:
        made = self.post("/api/tables", wish)
        return Created(made["table"], {**made["seats"], "watch": made["watch"]}, made["invitations"])

    def _with_seed(self, wish: NewTable, answers: Sequence[list[str]] = ()) -> Created:
        made: list[Created] = []

        async def create() -> None:
            store = Store(f"sqlite:///{self.database}")
            games = {wish.game: load_game(wish.game)}
            rooms = Rooms(store, games, Workshop(Premises(store.url, self.database.parent, None), 0, games))
            made.append(await rooms.create(wish))
            if answers:
                room = await rooms.room(made[0].table)
                sides = list(range(len(room.game.sides)))
                for side, *words in answers:
                    if side in room.game.sides:
                        assert await rooms.act(room, sides, None, words, side) is None
            await rooms.close()
            store.close()

        # In a thread of its own: the browser's driver keeps an event loop in this one.
        thread = Thread(target=lambda: asyncio.run(create()))
        thread.start()
        thread.join()
        return made[0]


class Table:
    """A table at the server: its links, and hands that act without a page."""

    def __init__(self, house: House, made: Created, known_dice: bool = False) -> None:
        self.house = house
        self.id = made.table
        self.known_dice = known_dice
        self.tokens = dict(made.tokens)
        for side, invitation in made.invitations.items():
            sat = house.post(f"/api/tables/{self.id}/sit", {"invitation": invitation})
            self.tokens[side] = sat["token"]

    def link(self, seat: str) -> str:
        return f"{self.house.url}/t/{self.id}#{self.tokens[seat]}"

    def page(self, kind: str = "") -> str:
        """The address without a seat: of the table, of its text board (`text`), of its dice (`verify`)."""
        if kind == "verify":
            return f"{self.house.url}/verify/{self.id}"
        return f"{self.house.url}/t/{self.id}" + (f"/{kind}" if kind else "")

    def state(self, seat: str, lang: str = "en") -> Json:
        found: Json = self.house.get(f"/api/tables/{self.id}?lang={lang}&protocol=2", self.tokens[seat])
        return found

    def act(self, words: Sequence[str], seat: str | None = None) -> None:
        """Answer for whoever is offered this, once he is: the computer may have to move before. Each sees of
        a secret choice only whether he is to make his."""
        until = time.monotonic() + PATIENCE
        who = seat
        while who is None:
            who = next((side for side in self.tokens if list(words) in answers(self.state(side))), None)
            assert who or time.monotonic() < until, f"{words} is offered to nobody"
            time.sleep(0 if who else 0.05)
        self.house.post(f"/api/tables/{self.id}/actions", {"action": list(words)}, self.tokens[who])

    def resign(self, seat: str) -> None:
        self.house.post(f"/api/tables/{self.id}/resign", {}, self.tokens[seat])

    def say(self, seat: str, text: str) -> None:
        self.house.post(f"/api/tables/{self.id}/chat", {"text": text}, self.tokens[seat])


def answers(state: Json) -> list[list[str]]:
    """Every answer that a state offers."""
    groups: list[list[Any]] = state["decision"]["offer"] if state["decision"] else []
    return [
        answer
        for group in groups
        for answer in ([[*group[:-1], last] for last in group[-1]] if len(group) > 1 else [group])
    ]


class Rehearsal:
    """A game played in memory beforehand, to know what answers lead to the position that a test wants."""

    def __init__(self, game: Game[Any], seed: str, scenario: str = "campaign") -> None:
        self.game = game
        self.match = Match(game, scenario, {}, seed)
        self.answers: list[list[str]] = []

    @property
    def phase(self) -> str:
        frames = self.match.state.frames
        return str(frames[1][1]) if len(frames) > 1 else ""

    @property
    def actor(self) -> str:
        actor = self.game.actor(self.match.state)
        return "" if actor is None else self.game.sides[actor]

    @property
    def options(self) -> list[list[str]]:
        actor = self.game.actor(self.match.state)
        options: list[list[str]] = self.game.view(self.match.state, actor)["options"]
        return options

    def units(self, side: str) -> list[Json]:
        actor = self.game.sides.index(side)
        units: list[Json] = self.game.view(self.match.state, actor)["table"]["units"]
        return units

    def act(self, *words: str) -> None:
        actor = self.game.actor(self.match.state)
        action = self.game.decode(list(words))
        assert actor is not None
        assert isinstance(action, tuple), action
        refused = self.match.act(actor, action)
        assert refused is None, refused
        self.answers.append(list(words))


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
