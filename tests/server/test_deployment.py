"""Several servers behind one address: our own porter's, and nginx as the deployment page sets it up."""

from __future__ import annotations

import json
import os
import signal
import ssl
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import httpx2
import pytest
from websockets.sync.client import connect

from grognard.server.crew import home
from tests.server.killing import check_rows
from tests.server.process import ServerProcess, free_port
from tests.server.table import offered

ROOT = Path(__file__).parents[2]


class Person:
    """Somebody at one screen, over real connections."""

    def __init__(self, url: str, trusted: ssl.SSLContext | bool = True) -> None:
        self.url, self.trusted = url, trusted
        self.client = httpx2.Client(base_url=url, verify=trusted, timeout=30)
        made = self.client.post("/api/tables", json={"game": "crossroads", "hotseat": True})
        assert made.status_code == 201, made.text
        self.table: str = made.json()["table"]
        self.token: str = next(iter(made.json()["seats"].values()))
        self.headers = {"Authorization": f"Bearer {self.token}"}

    def state(self) -> dict[str, Any]:
        answer = self.client.get(f"/api/tables/{self.table}", headers=self.headers)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def play(self, random: Random) -> str:
        state = self.state()
        wish = {"action": random.choice(offered(state)), "version": state["version"]}
        answer = self.client.post(f"/api/tables/{self.table}/actions", json=wish, headers=self.headers)
        assert answer.status_code == 200, answer.text
        return str(answer.json()["version"])

    def listen(self) -> Any:
        context = self.trusted if isinstance(self.trusted, ssl.SSLContext) else None
        address = f"{self.url.replace('http', 'ws', 1)}/api/tables/{self.table}/live"
        return connect(address, ssl=context, max_size=2**22)


def hears(person: Person, random: Random, answers: int) -> None:
    """What is played comes by the socket."""
    with person.listen() as line:
        line.send(json.dumps({"token": person.token, "lang": "en"}))
        assert json.loads(line.recv(timeout=30))["type"] == "state"
        version = [person.play(random) for _ in range(answers)][-1]
        while True:
            message = json.loads(line.recv(timeout=30))
            if message.get("to") == version:
                return


@pytest.fixture
def database(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/games.sqlite"


def test_two_workers_behind_one_address(database: str, tmp_path: Path) -> None:
    server = ServerProcess(database, tmp_path, workers=2)
    try:
        server.wait_until_ready()
        people = [Person(server.url) for _ in range(6)]
        assert {home(person.table, 2) for person in people} <= {0, 1}
        for number, person in enumerate(people):
            hears(person, Random(number), 2)
        # One that dies is replaced; whoever was at the other does not notice.
        (killed,) = server.called("server-0")
        os.kill(killed, signal.SIGKILL)
        for number, person in enumerate(people):
            if home(person.table, 2) == 1:
                hears(person, Random(number), 1)
        while server.called("server-0") in ([], [killed]):
            assert server.process.poll() is None
            time.sleep(0.05)
        for number, person in enumerate(people):
            person.client.close()
            person.client = httpx2.Client(base_url=server.url, timeout=60)
            # Whoever comes before it is ready is kept waiting, not sent away.
            person.state()
            hears(person, Random(number), 1)
    finally:
        server.stop()
    assert server.process.returncode == 0
    check_rows(database)


@pytest.fixture
def nginx(tmp_path: Path) -> Iterator[tuple[str, ssl.SSLContext, list[int]]]:
    """The file of the deployment page, with ports and a certificate of our own."""
    found = subprocess.run([ROOT / "tools/ensure-nginx.sh"], check=True, text=True, stdout=subprocess.PIPE)
    program = found.stdout.strip()
    if not program:
        pytest.skip("there is no nginx, and we may not install it")
    certificate, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
            *("-keyout", key, "-out", certificate, "-subj", "/CN=localhost"),
            *("-addext", "subjectAltName=DNS:localhost"),
        ],
        check=True,
        stderr=subprocess.DEVNULL,
    )
    plain, secure, one, two = (free_port() for _ in range(4))
    site = (ROOT / "deploy/nginx.conf").read_text(encoding="utf-8")
    changes = {
        "listen 80;": f"listen 127.0.0.1:{plain};",
        "listen 443 ssl": f"listen 127.0.0.1:{secure} ssl",
        "grognard.example.org;": "localhost;",
        "/etc/letsencrypt/live/grognard.example.org/fullchain.pem": str(certificate),
        "/etc/letsencrypt/live/grognard.example.org/privkey.pem": str(key),
        "127.0.0.1:8741": f"127.0.0.1:{one}",
        "127.0.0.1:8742": f"127.0.0.1:{two}",
    }
    for old, new in changes.items():
        assert old in site, old
        site = site.replace(old, new)
    (tmp_path / "site.conf").write_text(site, encoding="utf-8")
    folders = "".join(
        f"{kind}_temp_path {tmp_path}/{kind};"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    user = "user root;" if os.getuid() == 0 else ""
    (tmp_path / "nginx.conf").write_text(
        f"{user} daemon off; pid {tmp_path}/nginx.pid; error_log {tmp_path}/nginx.log; events {{}}\n"
        f"http {{ access_log off; {folders} include {tmp_path}/site.conf; }}\n",
        encoding="utf-8",
    )
    process = subprocess.Popen(
        [program, "-p", tmp_path, "-c", tmp_path / "nginx.conf"], stderr=subprocess.DEVNULL
    )
    yield f"https://localhost:{secure}", ssl.create_default_context(cafile=certificate), [one, two, plain]
    process.terminate()
    process.wait(10)


def test_nginx_as_the_deployment_page_says(
    nginx: tuple[str, ssl.SSLContext, list[int]], database: str, tmp_path: Path
) -> None:
    url, trusted, (one, two, plain) = nginx
    servers = [ServerProcess(database, tmp_path, port) for port in (one, two)]
    try:
        for server in servers:
            server.wait_until_ready()
        people = [Person(url, trusted) for _ in range(4)]
        for number, person in enumerate(people):
            hears(person, Random(number), 2)
        moved = httpx2.get(f"http://127.0.0.1:{plain}/t/x", headers={"Host": "localhost"})
        assert moved.status_code == 301 and moved.headers["location"].startswith("https://")
        assert "max-age" in people[0].client.get("/api/games").headers["strict-transport-security"]
        # One server is taken away, as in an upgrade: its tables go on at the other.
        servers[0].stop()
        time.sleep(0.2)
        for number, person in enumerate(people):
            hears(person, Random(number + 10), 2)
    finally:
        for server in servers:
            server.stop()
    check_rows(database)
