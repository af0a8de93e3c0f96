"""People at a table, as the tests play them: over HTTP and WebSockets, never past the doors."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any, cast

from httpx2 import Response
from starlette.testclient import TestClient, WebSocketTestSession

from grognard.server.changes import key

Json = dict[str, Any]

PATIENCE = 60.0
"""Seconds that anything may take: the machine may be busy with other things."""


class Client(TestClient):
    """A server and the way to it. Errors inside are answered as a real server would."""

    kind = ""
    """Which database it stands on."""

    def __init__(self, app: Any) -> None:
        super().__init__(app, raise_server_exceptions=False)

    def table(self, game: str = "crossroads", **wish: Any) -> Table:
        answer = self.post("/api/tables", json={"game": game, **wish})
        assert answer.status_code == 201, answer.text
        return Table(self, answer.json())

    def lobby(self) -> dict[str, Json]:
        return {line["table"]: line for line in self.get("/api/tables").json()}

    def crossroads(self, **wish: Any) -> tuple[Seat, Seat]:
        """Two people at a table of Crossroads, their wagers laid: Amber marches, Cobalt waits."""
        table = lay_wagers(self.table(**wish))
        return table.seat("amber"), table.seat("cobalt")


class Table:
    """A new table: its seats, and the spectators' bench."""

    def __init__(self, client: Client, made: Json) -> None:
        self.client = client
        self.id: str = made["table"]
        self.tokens: dict[str, str] = made["seats"]
        """The maker's; those of the others are there once they have sat down."""
        self.invitations: dict[str, str] = made["invitations"]
        self.promise: str = made["promise"]
        self.watch = Seat(client, self.id, made["watch"])

    def seat(self, side: str) -> Seat:
        """A seat; a friend sits down by his link if he has not yet."""
        if side not in self.tokens and side in self.invitations:
            body = {"invitation": self.invitations[side]}
            self.tokens[side] = good(self.client.post(f"/api/tables/{self.id}/sit", json=body))["token"]
        return Seat(self.client, self.id, self.tokens[side])

    @property
    def nobody(self) -> Seat:
        return Seat(self.client, self.id, None)


def lay_wagers(table: Table) -> Table:
    """A table of Crossroads with both wagers laid: Amber marches first."""
    table.seat("amber").play("stake", "amber-3")
    table.seat("cobalt").play("stake", "cobalt-1")
    return table


class Seat:
    """Somebody with a token (or none) at a table."""

    def __init__(self, client: Client, table: str, token: str | None) -> None:
        self.client, self.table, self.token = client, table, token

    def at(self, client: Client) -> Seat:
        """The same seat at another server."""
        return Seat(client, self.table, self.token)

    @property
    def headers(self) -> dict[str, str]:
        return {} if self.token is None else {"Authorization": f"Bearer {self.token}"}

    def get(self, path: str = "", **query: Any) -> Response:
        return self.client.get(f"/api/tables/{self.table}{path}", params=query, headers=self.headers)

    def post(self, path: str, body: Any = None, **query: Any) -> Response:
        url = f"/api/tables/{self.table}{path}"
        return self.client.post(url, json={} if body is None else body, params=query, headers=self.headers)

    def put(self, path: str, body: Any) -> Response:
        return self.client.put(f"/api/tables/{self.table}{path}", json=body, headers=self.headers)

    def state(self, **query: Any) -> Json:
        return cast(Json, good(self.get(**query)))

    def act(self, *words: str, version: str | None = None) -> Response:
        return self.post("/actions", {"action": list(words), "version": version})

    def play(self, *words: str) -> Json:
        return cast(Json, good(self.act(*words)))

    def log(self, since: int = 0, lang: str = "en") -> list[Json]:
        return cast(list[Json], good(self.get("/log", since=since, lang=lang)))

    @contextmanager
    def live(self, lang: str = "en", **hello: Any) -> Iterator[Live]:
        with self.client.websocket_connect(f"/api/tables/{self.table}/live") as socket:
            socket.send_json({"token": self.token, "lang": lang, **hello})
            yield Live(socket)


class Live:
    """What somebody hears who listens: every message with the whole state as it is after it, the new lines of
    the log from a number on, and what was said."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self.socket = socket
        self.heard: list[Json] = []
        self.sent: list[Json] = []
        """The messages as they came."""
        self.texts: list[str] = []
        """The same, to the letter."""
        self.state: Json = {}
        self.marks: list[Json] = []
        self.lines: list[Json] = []
        """The log, as a page puts it together from what is sent;"""
        self.own: dict[str, list[Json]] = {}
        """at one screen in a game with secrets, the lines that one side alone may read."""

    def next(self) -> Json:
        # Like receive_json, but a test that listens in vain fails instead of waiting for ever.
        waiting = self.socket.portal.start_task_soon(self.socket._send_rx.receive)
        try:
            message = waiting.result(PATIENCE)
        except TimeoutError:
            waiting.cancel()
            raise
        self.socket._raise_on_close(message)
        self.texts.append(message["text"])
        sent: Json = json.loads(message["text"])
        self.sent.append(sent)
        if sent["type"] == "thought":
            self.heard.append(sent)
            return sent
        self.state = take_in(self.state, sent)
        log = sent.get("log") or {"from": self.state["log_length"], "lines": []}
        self._read(log)
        self.marks = sent.get("marks", self.marks)
        whole = {"state": self.state, "log": log["lines"], "log_from": log["from"], "chat": []}
        self.heard.append({**sent, **whole, "chat": sent.get("chat", [])})
        return self.heard[-1]

    def _read(self, piece: Json) -> None:
        self.lines = [*self.lines[: piece["from"]], *piece["lines"]]
        if "own" in piece:
            side, first = piece["own"]["side"], piece["own"]["from"]
            self.own[side] = [*self.own.get(side, [])[:first], *piece["own"]["lines"]]

    @property
    def log(self) -> list[Json]:
        """The log of whoever sits there now."""
        found = self.lines.copy()
        for line in self.own.get(self.state["eyes"], []):
            found.insert(line["n"], line)
        return [{**line, "n": n} for n, line in enumerate(found)]

    def until(self, wanted: Callable[[Json], bool], most: int = 200) -> Json:
        """Listen until a message says it. Pushes may be joined together, so there is no counting them."""
        for _ in range(most):
            message = self.next()
            if wanted(message):
                return message
        raise AssertionError("not heard")


def take_in(state: Json, message: Json) -> Json:
    """The state after a message, as a page works it out."""
    if message["type"] == "state":
        whole: Json = message["state"]
        return whole
    if message["type"] != "changes":
        return state
    assert message["from"] == state["version"]
    units = {unit["id"]: unit for unit in state["view"]["units"]}
    alike = {id_: change for change, ids in message.get("alike", ()) for id_ in ids}
    for id_, change in {**alike, **message.get("units", {})}.items():
        units[id_] = change if change is None or "id" in change else {**units[id_], **change}
    parts = {key(part): part for part in state["view"]["parts"]} | message.get("parts", {})
    return {
        **state,
        **message.get("set", {}),
        "view": {
            "units": [unit for unit in units.values() if unit is not None],
            "scores": message.get("scores", state["view"]["scores"]),
            "parts": [part for part in parts.values() if part is not None],
        },
    }


def offered(state: Json) -> list[list[str]]:
    """The answers that a seat may give, spelled out."""
    decision = state["decision"]
    return [] if decision is None else expand(decision["offer"])


def expand(offer: list[list[Any]]) -> list[list[str]]:
    """Groups of answers spelled out, as a page does it."""
    return [
        answer
        for group in offer
        for answer in ([[*group[:-1], last] for last in group[-1]] if len(group) > 1 else [group])
    ]


def asked(state: Json) -> str | None:
    """The side that is asked; the first, if there are several."""
    return state["must_act"][0] if state["must_act"] else None


def part_of(state: Json, id_: str) -> Json:
    """A part of the table as a seat sees it."""
    found: Json = next(part for part in state["view"]["parts"] if part["id"] == id_)
    return found


def good(answer: Response) -> Any:
    assert answer.status_code in (200, 201), f"{answer.status_code} {answer.text[:500]}"
    return answer.json()


def wait_for_turn(seat: Seat, seconds: float = PATIENCE) -> Json:
    """The state when it is this seat's turn, or when the game is over."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        state = seat.state()
        if state["over"] or set(state["must_act"]) & set(state["you"]):
            return state
        time.sleep(0.05)
    raise AssertionError("the computer never answered")


def hurried(options: list[list[str]], random: Random) -> list[str]:
    """An answer that brings a game to its end: done with this, if one may be done."""
    for words in options:
        if words in (["end"], ["pass"], ["done"], ["dusk"], ["rest"], ["abstain"]):
            return words
    return random.choice(options)


def lingering(options: list[list[str]], random: Random) -> list[str]:
    """An answer that makes a game last: not done with anything yet, if something else may be done."""
    busy = [words for words in options if words not in (["dusk"], ["rest"], ["abstain"])]
    return random.choice(busy or options)


def play_on(seats: list[Seat], random: Random, most: int, linger: bool = False) -> Json:
    """Random legal answers by whoever is asked, so many of them at most; the last state seen."""
    sides = {side: seat for seat in seats for side in seat.state()["you"]}
    state = seats[0].state()
    for _ in range(most):
        if state["over"]:
            break
        side = asked(state)
        assert side is not None
        seat = sides[side]
        if side not in state["you"]:
            state = seat.state()
        words = lingering(offered(state), random) if linger else random.choice(offered(state))
        state = seat.play(*words)
    return state
