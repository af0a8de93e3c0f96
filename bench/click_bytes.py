"""How many bytes a click of a person costs on the wire: the answer of the POST and what the socket pushes to
him, as uncompressed JSON, for whole attacks (orders) and for single answers. Two people play at a seat each,
and then both sides at one screen.

    python bench/click_bytes.py [answers] [game ...]
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import product
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
    """Somebody at a seat of his own: what his clicks bring him."""

    def __init__(self, client: TestClient, url: str, token: str, socket: WebSocketTestSession) -> None:
        self.client, self.url, self.socket = client, url, socket
        self.headers = {"Authorization": f"Bearer {token}", **MINIMAL}
        socket.send_json({"token": token, "lang": "en", "log": 0})
        self.seen: str = json.loads(socket.receive_text())["state"]["version"]
        """The version that was pushed last."""

    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = self.client.get(self.url, headers=self.headers).json()
        return found

    def heard_until(self, version: str) -> int:
        """The bytes pushed until this version."""
        bytes_ = 0
        while self.seen != version:
            text = self.socket.receive_text()
            bytes_ += len(text.encode())
            self.seen = json.loads(text).get("to", self.seen)
        return bytes_

    def click(self, state: dict[str, Any], kit: dict[str, Any], random: Random) -> tuple[str, int]:
        """One answer or one order; its role, and the bytes that came of it."""
        self.heard_until(state["version"])  # what others have done
        whole = order(state, kit, random)
        if whole is not None and random.random() < 0.7:
            what = "attack"
            answer = self.client.post(f"{self.url}/orders", json={"order": whole}, headers=self.headers)
        else:
            words = random.choice(expand(state["decision"]["offer"]))
            what = kit["verbs"][words[0]]["role"]
            answer = self.client.post(f"{self.url}/actions", json={"action": words}, headers=self.headers)
        if answer.status_code != 200:
            return what, 0
        return what, len(answer.content) + self.heard_until(answer.json()["version"])


def clicks(client: TestClient, game: str, answers: int, screens: int) -> Iterator[tuple[str, int]]:
    """A game of two people, each at his own seat or both at one screen."""
    made = client.post("/api/tables", json={"game": game, "hotseat": screens == 1}).json()
    url = f"/api/tables/{made['table']}"
    tokens = list(dict.fromkeys(made["seats"].values()))
    for word in made["invitations"].values():
        tokens.append(client.post(f"{url}/sit", json={"invitation": word}).json()["token"])
    kit = client.get(f"/api/games/{game}/kit").json()
    random = Random(f"clicks/{game}")
    with ExitStack() as open_:
        people = [
            Person(client, url, token, open_.enter_context(client.websocket_connect(f"{url}/live")))
            for token in tokens
        ]
        for _ in range(answers):
            asked = ((person, person.state()) for person in people)
            found = next(((person, state) for person, state in asked if state["decision"]), None)
            if found is None:
                return
            what, size = found[0].click(found[1], kit, random)
            if size:
                yield what, size


def main(answers: int, only: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        games = {id_: load_game(id_) for id_ in only or game_ids()}
        settings = ServerSettings(f"sqlite:///{folder}/games.sqlite", Path(folder), draw_ahead=False)
        with TestClient(create_app(settings, games)) as client:
            for id_, screens in product(games, (2, 1)):
                sizes: dict[str, list[int]] = {}
                for what, size in clicks(client, id_, answers, screens):
                    sizes.setdefault(what, []).append(size)
                report(f"{id_}, {screens} screens", sizes)


def report(which: str, sizes: dict[str, list[int]]) -> None:
    every = [size for found in sizes.values() for size in found]
    high = quantiles(every, n=20)[-1]
    print(
        f"{which}: {len(every)} clicks, median {median(every):.0f} B, 95% {high:.0f} B, most {max(every)} B"
    )
    for what, found in sorted(sizes.items()):
        print(f"  {what:<8} {len(found):>5}  median {median(found):>6.0f} B  most {max(found):>6} B")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 400, sys.argv[2:])
