"""What a stranger may cost the others (findings S1 to S4, X1 to X6, B1, B2, B5)."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from starlette.websockets import WebSocketDisconnect

from grognard.kernel import Game
from grognard.server.api import create_app
from grognard.server.hosts import host_name
from grognard.server.lines import LineLimits, Switchboard, neighbourhood
from grognard.server.quotas import DOORS, USUAL, Bucket, Meter, Quotas, kind_of
from grognard.server.settings import ServerSettings
from tests.server.process import ServerProcess
from tests.server.table import Client, good

STRANGER = "127.0.0.7"
"""Another address of this machine."""


# Connections


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, pictures: Path) -> Iterator[ServerProcess]:
    folder = tmp_path_factory.mktemp("limited")
    server = ServerProcess(f"sqlite:///{folder / 'games.sqlite'}", pictures, limited=True)
    server.wait_until_ready()
    yield server
    server.stop()


def connect(server: ServerProcess, address: str = STRANGER) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), 20, source_address=(address, 0))


def is_closed(line: socket.socket, seconds: float) -> bool:
    line.settimeout(seconds)
    try:
        # What was answered before may come in several pieces.
        while line.recv(1000):
            pass
        return True
    except TimeoutError:
        return False
    except ConnectionError:
        return True


def test_s3_x1_a_header_that_never_ends_is_cut_off(server: ServerProcess) -> None:
    line = connect(server)
    line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ")
    before, sent = server.memory(), 0
    with pytest.raises(ConnectionError):
        while sent < 50_000_000:
            sent += line.send(b"x" * 65_536)
    assert sent < 8_000_000  # what the two systems' buffers hold, and no more
    assert server.memory() < before + 20


def test_s3_many_short_headers_are_one_long_one(server: ServerProcess) -> None:
    line = connect(server)
    with pytest.raises(ConnectionError):
        line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        for number in range(200_000):
            line.sendall(b"X-%d: y\r\n" % number)


def test_s4_x2_who_says_nothing_or_half_a_thing_is_not_waited_for(server: ServerProcess) -> None:
    lines = [connect(server) for _ in range(4)]
    lines[1].sendall(b"GET / HTTP/1.1\r\nHos")
    lines[2].sendall(b"GET /api/tables HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert lines[2].recv(4000).startswith(b"HTTP/1.1 200")
    lines[3].sendall(b"GET /api/tables HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert lines[3].recv(4000).startswith(b"HTTP/1.1 200")
    lines[3].sendall(b"GET ")
    seconds = LineLimits().header_seconds
    assert all(is_closed(lines[n], seconds + 40) for n in (0, 1, 3))
    # Between two requests there is more time.
    assert not is_closed(lines[2], 0.2)


def test_x2_one_address_has_so_many_connections(server: ServerProcess) -> None:
    lines = [connect(server) for _ in range(LineLimits().each + 20)]
    closed = [is_closed(line, 0.05 if n < 200 else 1) for n, line in enumerate(lines[-21:], 200)]
    assert sum(closed) >= 20
    # Others are answered as ever.
    assert httpx2.get(f"{server.url}/api/tables", timeout=5).status_code == 200
    for line in lines:
        line.close()


def test_x2_when_there_is_no_room_the_one_longest_silent_goes() -> None:
    class Line:
        gone = False

        def cut_off(self) -> None:
            self.gone = True
            board.silent.pop(self)

    board = Switchboard(LineLimits(each=10))
    board.most = 3
    old, new = Line(), Line()
    board.silent |= {old: None, new: None}
    assert board.admits("a", 4)
    assert [old.gone, new.gone] == [True, False]
    assert board.admits("a", 4)
    assert [old.gone, new.gone] == [True, True]
    assert not board.admits("a", 4)
    assert board.admits("a", 3)
    board.by_address["a"] = 10
    assert not board.admits("a", 3) and board.admits("b", 3)


def test_an_address_is_a_household() -> None:
    assert (
        neighbourhood("2001:db8::1") == neighbourhood("2001:db8::ffff:1") != neighbourhood("2001:db8:0:1::1")
    )
    assert neighbourhood("::ffff:192.0.2.1") == neighbourhood("192.0.2.1") != neighbourhood("192.0.2.2")
    assert neighbourhood("testclient") == "testclient"


def test_s4_a_half_sent_body_does_not_hold_up_the_end(tmp_path: Path) -> None:
    server = ServerProcess(f"sqlite:///{tmp_path / 'games.sqlite'}", tmp_path, limited=True)
    server.wait_until_ready()
    line = connect(server)
    line.sendall(b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\n{")
    time.sleep(0.3)
    server.process.terminate()
    server.process.wait(15)
    line.close()


# Buckets


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_empties_and_fills_again() -> None:
    clock = Clock()
    meter = Meter(Quotas({"make": Bucket(2, 10.0)}), clock)
    assert [meter.take("make", "a") for _ in range(3)] == [0, 0, 10]
    assert meter.take("make", "b") == 0 == meter.take("other", "a")
    clock.now = 9.0
    assert meter.take("make", "a") == pytest.approx(1)
    clock.now = 10.0
    assert [meter.take("make", "a"), meter.take("make", "a")] == [0, 10]
    assert meter.refused == {"make": 3}


def test_full_buckets_are_not_remembered() -> None:
    clock = Clock()
    meter = Meter(Quotas({"any": Bucket(2, 1.0)}), clock)
    for number in range(10_000):
        clock.now += 0.01
        meter.take("any", str(number))
    assert len(meter._levels) < 5_000


def test_every_limited_door_is_a_door(quick_client: Client) -> None:
    described = quick_client.get("/openapi.json").json()["paths"]
    kinds = {
        kind_of(method.upper(), path.replace("{table}", "x").replace("{moment}", "3"))
        for path, methods in described.items()
        for method in methods
    }
    assert kinds == {kind for _, _, kind in DOORS} | {"any"} == set(USUAL.buckets)


@pytest.fixture
def strict(tmp_path: Path, pictures: Path, crossroads: Game[Any]) -> Iterator[Client]:
    """A server with little patience."""
    often = Quotas({kind: Bucket(3, 1000.0) for kind in USUAL.buckets if kind != "any"}, 2, 1)
    settings = ServerSettings(
        f"sqlite:///{tmp_path / 'games.sqlite'}",
        pictures,
        draw_ahead=False,
        quotas=often,
        hosts=("testserver",),
    )
    with Client(create_app(settings, {"crossroads": crossroads})) as client:
        yield client


def test_b1_b5_x3_tables_and_talk_cannot_be_made_without_end(strict: Client) -> None:
    table = strict.table(hotseat=True)
    for _ in range(2):
        strict.table()
    answer = strict.post("/api/tables?lang=fr", json={"game": "crossroads"})
    assert answer.status_code == 429 and int(answer.headers["Retry-After"]) > 0
    assert answer.json()["code"] == "too-often" and answer.json()["text"].startswith("C’était trop souvent")
    english = strict.post("/api/tables", json={"game": "crossroads"}).json()["text"]
    assert english.startswith("That was too often")
    browser = strict.post("/api/tables", json={}, headers={"Accept-Language": "fr-CA,fr;q=0.9"})
    assert browser.json()["text"].startswith("C’était")
    seat = table.seat("amber")
    statuses = [seat.post("/chat", {"text": "x"}).status_code for _ in range(5)]
    assert statuses == [201, 201, 201, 429, 429]
    ring = {"kind": "ring", "hexes": ["0303"]}
    statuses = [seat.post("/marks", ring).status_code for _ in range(4)]
    assert statuses == [201, 201, 201, 429]
    # Playing goes on.
    assert seat.state()["table"] == table.id


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/join", {"side": "cobalt"}),
        ("POST", "/suggestion", {}),
        ("GET", "/log", None),
        ("GET", "/moments", None),
        ("GET", "/at/0", None),
        ("GET", "/since", None),
        ("POST", "/ask", {"ask": "why"}),
    ],
)
def test_b2_x5_joining_advice_and_the_past_have_limits(
    strict: Client, method: str, path: str, body: Any
) -> None:
    table = strict.table(seats={"cobalt": "random"})
    seat = table.seat("amber")
    answers = [
        strict.request(method, f"/api/tables/{table.id}{path}", json=body, headers=seat.headers)
        for _ in range(5)
    ]
    assert [answer.status_code == 429 for answer in answers] == [False] * 3 + [True] * 2


def test_x6_uploads_have_a_limit(strict: Client) -> None:
    save = json.dumps({"text": "{}"})
    statuses = [strict.post("/api/saves", content=save).status_code for _ in range(4)]
    assert statuses == [422, 422, 422, 429]


def test_x4_one_address_listens_so_often_and_no_more(strict: Client) -> None:
    tables = [strict.table() for _ in range(3)]
    with tables[0].watch.live() as live:
        live.next()
        with pytest.raises(WebSocketDisconnect) as refused, tables[0].watch.live() as second:
            second.next()
        assert refused.value.code == 4429
        with tables[1].watch.live() as other:
            other.next()
            with pytest.raises(WebSocketDisconnect) as full, tables[2].watch.live() as third:
                third.next()
            assert full.value.code == 4429
    # Whoever hangs up makes room.
    deadline = time.monotonic() + 10
    while True:
        try:
            with tables[0].watch.live() as again:
                again.next()
            break
        except WebSocketDisconnect:
            assert time.monotonic() < deadline
            time.sleep(0.05)


def test_x7_computers_alone_do_not_play_to_an_empty_room(quick_client: Client) -> None:
    table = quick_client.table(seats={"amber": "random", "cobalt": "random"})
    time.sleep(0.5)
    assert table.watch.state()["moments"] == 0
    with table.watch.live() as live:
        live.until(lambda message: message.get("state", {}).get("moments", 0) > 0)


# Names


@pytest.mark.parametrize(
    "host", ["localhost", "127.0.0.1:8741", "[::1]:8741", "testserver", "LOCALHOST.", "table.localhost"]
)
def test_a_server_answers_to_its_own_names(strict: Client, host: str) -> None:
    assert strict.get("/api/tables", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "", "1.2.3.4.evil.example"])
def test_a_server_does_not_answer_to_a_strangers_name(strict: Client, host: str) -> None:
    """A name that is made to point here (DNS rebinding) reads nothing."""
    answer = strict.get("/api/tables?lang=fr", headers={"Host": host})
    assert answer.status_code == 421 and "GROGNARD_HOSTS" in answer.json()["text"]
    made = strict.table()
    with (
        pytest.raises(WebSocketDisconnect) as refused,
        strict.websocket_connect(f"/api/tables/{made.id}/live", headers={"Host": host}),
    ):
        pass
    assert refused.value.code == 4421


def test_the_name_in_a_host_header() -> None:
    assert host_name(b"[2001:db8::1]:80") == "2001:db8::1"
    assert host_name(b"Example.ORG:443") == "example.org"


@pytest.mark.parametrize(
    "sign", ["\u202e", "\u200b", "\u2066", "\u200f", "\ufeff", "\x85", "\u2028", "\u00ad"]
)
def test_names_hold_nothing_that_cannot_be_seen(quick_client: Client, sign: str) -> None:
    wish = {"game": "crossroads", "owner": f"Ma{sign}x"}
    assert quick_client.post("/api/tables", json=wish).status_code == 422
    wish = {"game": "crossroads", "name": f"{sign}"}
    # Spaces at the ends are taken away before.
    assert quick_client.post("/api/tables", json=wish).status_code == 422 or not sign.strip()
    fine = {"game": "crossroads", "owner": "Zoë Ångström-Łukasz 山田 é’"}
    good(quick_client.post("/api/tables", json=fine))


def test_nobody_between_keeps_a_copy_of_a_seat(quick_client: Client) -> None:
    table = quick_client.table()
    assert table.seat("amber").get().headers["Cache-Control"] == "no-store"
    assert "no-store" not in quick_client.get("/api/games/crossroads/kit").headers["Cache-Control"]
