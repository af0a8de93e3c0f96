"""How many bytes a click of a person costs on the wire: the answer of the POST and what the socket pushes, as
uncompressed JSON, for whole marches and attacks (orders) and for single answers.

    python bench/click_bytes.py [answers]
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import Any

from starlette.testclient import TestClient, WebSocketTestSession

from grognard.kernel.registry import game_ids, load_game
from grognard.server.api import create_app
from grognard.server.settings import ServerSettings

MINIMAL = {"Prefer": "return=minimal"}


def expand(offer: list[list[Any]]) -> list[list[str]]:
    return [
        answer
        for group in offer
        for answer in ([[*group[:-1], last] for last in group[-1]] if len(group) > 1 else [group])
    ]


def order(state: dict[str, Any], kit: dict[str, Any], random: Random) -> dict[str, Any] | None:
    """A whole attack, if one may be aimed; None if a single answer has to do."""
    hand = state["decision"]["hand"]
    aims = {hex_: aim for hex_, aim in (hand or {}).get("aims", {}).items() if aim["may_join"]}
    if not aims:
        return None
    target = random.choice(sorted(aims))
    return {"order": "attack", "targets": [target], "units": aims[target]["may_join"], "extras": {}}


class Person:
    """Both sides of a table, played over the wire; what each click brought."""

    def __init__(self, client: TestClient, game: str) -> None:
        self.client = client
        made = client.post("/api/tables", json={"game": game, "hotseat": True}).json()
        self.url = f"/api/tables/{made['table']}"
        self.token = next(iter(made["seats"].values()))
        self.headers = {"Authorization": f"Bearer {self.token}", **MINIMAL}
        self.kit = client.get(f"/api/games/{game}/kit").json()

    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = self.client.get(self.url, headers=self.headers).json()
        return found

    def click(self, socket: WebSocketTestSession, random: Random) -> tuple[str, int] | None:
        """One answer or one order; its role, and the bytes that came of it."""
        state = self.state()
        if state["decision"] is None:
            return None
        whole = order(state, self.kit, random)
        if whole is not None and random.random() < 0.7:
            what = "attack"
            answer = self.client.post(f"{self.url}/orders", json={"order": whole}, headers=self.headers)
        else:
            words = random.choice(expand(state["decision"]["offer"]))
            what = self.kit["verbs"][words[0]]["role"]
            answer = self.client.post(f"{self.url}/actions", json={"action": words}, headers=self.headers)
        if answer.status_code != 200:
            return what, 0
        bytes_ = len(answer.content)
        while True:
            text = socket.receive_text()
            message = json.loads(text)
            bytes_ += len(text.encode())
            if message["type"] == "changes" and message["to"] == answer.json()["version"]:
                return what, bytes_


def clicks(client: TestClient, game: str, answers: int) -> Iterator[tuple[str, int]]:
    person = Person(client, game)
    random = Random(f"clicks/{game}")
    with client.websocket_connect(f"{person.url}/live") as socket:
        socket.send_json({"token": person.token, "lang": "en", "log": 0})
        socket.receive_text()
        for _ in range(answers):
            found = person.click(socket, random)
            if found is None:
                return
            if found[1]:
                yield found


def main(answers: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        games = {id_: load_game(id_) for id_ in game_ids()}
        settings = ServerSettings(f"sqlite:///{folder}/games.sqlite", Path(folder), draw_ahead=False)
        with TestClient(create_app(settings, games)) as client:
            for id_ in games:
                sizes: dict[str, list[int]] = {}
                for what, size in clicks(client, id_, answers):
                    sizes.setdefault(what, []).append(size)
                report(id_, sizes)


def report(game: str, sizes: dict[str, list[int]]) -> None:
    every = [size for found in sizes.values() for size in found]
    high = quantiles(every, n=20)[-1]
    print(f"{game}: {len(every)} clicks, median {median(every):.0f} B, 95% {high:.0f} B, most {max(every)} B")
    for what, found in sorted(sizes.items()):
        print(f"  {what:<8} {len(found):>5}  median {median(found):>6.0f} B  most {max(found):>6} B")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 400)
