"""Word that it is one's move: by mail to a real SMTP server, by push to a real HTTP endpoint."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from grognard.kernel.registry import load_game
from grognard.server import push
from grognard.server.addresses import ASKED_A_DAY, DAY, MOST
from grognard.server.api import create_app
from grognard.server.mail import mail_server
from grognard.server.notices import MAIL_GRACE, PUSH_GRACE
from grognard.server.settings import ServerSettings
from tests.server.conftest import Start
from tests.server.letterbox import Letterbox
from tests.server.table import Client, Seat, Table, good

NOW = 2_000_000_000.0


class Browser:
    """A browser's own end of a push subscription."""

    def __init__(self) -> None:
        self._key, self._auth = ec.generate_private_key(push.CURVE), b"0123456789abcdef"
        self.messages: list[dict[str, Any]] = []
        self.signed: list[str] = []
        self.status = 201
        browser = self

        class Endpoint(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if browser.status == 201:
                    browser.messages.append(json.loads(browser.read(body)))
                    browser.signed.append(self.headers["Authorization"])
                self.send_response(browser.status)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self._server = HTTPServer(("127.0.0.1", 0), Endpoint)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def subscription(self) -> dict[str, str]:
        return {
            "endpoint": f"http://127.0.0.1:{self._server.server_port}/push/1",
            "p256dh": push.encoded(push.point(self._key.public_key())),
            "auth": push.encoded(self._auth),
        }

    def read(self, body: bytes) -> bytes:
        """What RFC 8291 says a browser does with a message."""
        salt, length = body[:16], body[20]
        theirs = body[21 : 21 + length]
        sender = ec.EllipticCurvePublicKey.from_encoded_point(push.CURVE, theirs)
        own = push.point(self._key.public_key())
        seed = push._derived(
            self._key.exchange(ec.ECDH(), sender), self._auth, b"WebPush: info\0" + own + theirs, 32
        )
        cipher = AESGCM(push._derived(seed, salt, b"Content-Encoding: aes128gcm\0", 16))
        nonce = push._derived(seed, salt, b"Content-Encoding: nonce\0", 12)
        return cipher.decrypt(nonce, body[21 + length :], None).rstrip(b"\2")

    def stop(self) -> None:
        self._server.shutdown()


@pytest.fixture(scope="module")
def letterbox() -> Iterator[Letterbox]:
    box = Letterbox()
    yield box
    box.stop()


@pytest.fixture
def browser() -> Iterator[Browser]:
    browser = Browser()
    yield browser
    browser.stop()


@pytest.fixture
def house(letterbox: Letterbox, database: str, tmp_path: Path) -> Iterator[Client]:
    letterbox.letters.clear()
    letterbox.broken = False
    settings = ServerSettings(
        database,
        tmp_path,
        draw_ahead=False,
        mail=mail_server(letterbox.url, "table@grognard.example"),
        url="https://grognard.example",
    )
    games = {"crossroads": load_game("crossroads")}
    with Client(create_app(settings, games)) as client:
        client.app.state.postman.allowed = lambda endpoint: True  # type: ignore[attr-defined]
        yield client


def look(client: Client, now: float) -> int:
    """Let the postman go round at some time."""
    assert client.portal is not None
    sent: int = client.portal.call(client.app.state.postman.look, now)  # type: ignore[attr-defined]
    return sent


def follow(client: Client, letter: str, way: str) -> int:
    """Press the button that a letter's link leads to."""
    found = re.search(r"https://grognard\.example(/api/addresses/\S+)", letter)
    assert found is not None
    assert client.get(found[1]).status_code == 200
    return int(client.post(f"{found[1]}/{way}").status_code)


def with_mail(client: Client, box: Letterbox, table: Table, side: str, mail: str, lang: str = "en") -> Seat:
    """A seat whose owner has confirmed a mail address."""
    seat = table.seat(side)
    good(seat.post("/addresses", {"mail": mail}, lang=lang))
    assert follow(client, box.text(), "confirm") == 200
    box.letters.clear()
    return seat


def go_on(table: Table, side: str) -> None:
    """Everybody answers something until a side has answered, another one too, and it is its move again."""
    answered: list[str] = []
    for _ in range(200):
        asked = table.watch.state()["must_act"]
        if side in asked and side in answered and answered[-1] != side:
            return
        # Who has written in secret is still among those who are asked, to everybody else.
        who, decision = next(
            (name, found) for name in asked if (found := table.seat(name).state()["decision"]) is not None
        )
        *fixed, last = decision["main"] or decision["offer"][0]
        table.seat(who).play(*fixed, last[0] if isinstance(last, list) else last)
        answered.append(who)
    raise AssertionError("never asked again")


def test_no_letter_to_an_address_that_was_not_confirmed(house: Client, letterbox: Letterbox) -> None:
    table = house.table("crossroads")
    amber = table.seat("amber")
    made = good(amber.post("/addresses", {"mail": "amber@players.example"}))
    assert made["confirmed"] is False
    assert [letter["To"] for letter in letterbox.letters] == ["amber@players.example"]
    # To look at the link, as mail programs do, confirms nothing.
    link = re.search(r"(/api/addresses/\S+)", letterbox.text())
    assert link is not None and "Yes, tell me" in house.get(link[1]).text
    assert look(house, NOW) == look(house, NOW + DAY) == 0
    assert follow(house, letterbox.text(), "confirm") == 200
    assert look(house, NOW) == 0
    assert look(house, NOW + MAIL_GRACE) == 1


def test_a_letter_a_day_at_most_and_nothing_secret_in_it(house: Client, letterbox: Letterbox) -> None:
    table = house.table("crossroads", name="Three fords")
    amber = with_mail(house, letterbox, table, "amber", "amber@players.example")
    table.seat("cobalt").play("stake", "cobalt-1")
    look(house, NOW)
    assert look(house, NOW + MAIL_GRACE - 1) == 0
    assert look(house, NOW + MAIL_GRACE) == 1
    letter = letterbox.text()
    assert "Three fords" in letter and f"https://grognard.example/t/{table.id}" in letter
    assert "cobalt-1" not in letter and str(amber.token) not in letter
    assert letterbox.letters[-1]["Subject"] == "Grognard: 1 game is waiting for you"
    # The same wait is not told again: it is still Amber's move.
    assert look(house, NOW + 3 * DAY) == 0
    amber.play("stake", "amber-3")
    look(house, NOW + 3 * DAY)
    assert look(house, NOW + 3 * DAY + MAIL_GRACE) == 0
    # The other side has moved between two looks: this is another one.
    later = NOW + 4 * DAY
    go_on(table, "amber")
    look(house, later)
    assert look(house, later + MAIL_GRACE) == 1
    # Another one again, but not a day later.
    go_on(table, "amber")
    look(house, later + 2 * MAIL_GRACE)
    assert look(house, later + DAY - 1) == 0
    assert look(house, later + DAY + MAIL_GRACE) == 1
    assert len(letterbox.letters) == 3


def test_all_that_waits_stands_in_one_letter_in_the_readers_language(
    house: Client, letterbox: Letterbox
) -> None:
    session = house.post("/api/account", json={"name": "Davout", "passphrase": "un gué, trois ponts"}).json()
    headers = {"Authorization": f"Bearer {session['session']}"}
    for name in ("Premier", "Second"):
        table = house.table("crossroads", name=name)
        body = {"table": table.id, "token": table.seat("amber").token}
        good(house.post("/api/account/seats", json=body, headers=headers))
    wish = {"mail": "davout@players.example"}
    good(house.post("/api/account/addresses", json=wish, headers=headers, params={"lang": "fr"}))
    assert follow(house, letterbox.text(), "confirm") == 200
    look(house, NOW)
    assert look(house, NOW + MAIL_GRACE) == 1
    letter = letterbox.letters[-1]
    assert letter["Subject"] == "Grognard : 2 parties vous attendent"
    assert "Premier" in letterbox.text() and "Second" in letterbox.text()
    kept = good(house.get("/api/account/export", headers=headers))["addresses"]
    assert [(one["kind"], one["target"], one["confirmed"]) for one in kept] == [
        ("mail", "davout@players.example", True)
    ]


def test_whoever_wants_no_more_gets_no_more(house: Client, letterbox: Letterbox) -> None:
    table = house.table("crossroads")
    amber = with_mail(house, letterbox, table, "amber", "amber@players.example")
    look(house, NOW)
    assert look(house, NOW + MAIL_GRACE) == 1
    letter = letterbox.letters[-1]
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    path = str(letter["List-Unsubscribe"]).strip("<>").removeprefix("https://grognard.example")
    wrong = re.sub(r"[0-9a-f](?=/stop$)", lambda found: "0" if found[0] != "0" else "1", path)
    assert house.post(wrong).status_code == 404
    assert house.post(path, data={"List-Unsubscribe": "One-Click"}).status_code == 200
    assert good(amber.get("/addresses")) == []
    amber.play("stake", "amber-3")
    table.seat("cobalt").play("stake", "cobalt-1")
    look(house, NOW + 2 * DAY)
    assert look(house, NOW + 3 * DAY) == 0


def test_a_letter_that_was_not_taken_is_sent_again(house: Client, letterbox: Letterbox) -> None:
    with_mail(house, letterbox, house.table("crossroads"), "amber", "amber@players.example")
    look(house, NOW)
    letterbox.broken = True
    assert look(house, NOW + MAIL_GRACE) == 0
    letterbox.broken = False
    assert look(house, NOW + MAIL_GRACE + 30) == 1


def test_nobody_floods_a_strangers_letterbox(house: Client, letterbox: Letterbox) -> None:
    refused = []
    for _ in range(ASKED_A_DAY + 2):
        seat = house.table("crossroads").seat("amber")
        refused.append(seat.post("/addresses", {"mail": "victim@players.example"}).status_code)
    assert refused == [200] * ASKED_A_DAY + [403] * 2
    assert len(letterbox.letters) == ASKED_A_DAY
    seat = house.table("crossroads").seat("amber")
    codes = [seat.post("/addresses", {"mail": f"a{n}@players.example"}).status_code for n in range(MOST + 1)]
    assert codes == [200] * MOST + [403]
    for wrong in ("nobody", "a@b@c.example", "a b@c.example", "a@c.example\nBcc: d@e.example"):
        assert seat.post("/addresses", {"mail": wrong}).status_code == 422


def test_a_browser_is_told_when_nobody_looks(house: Client, browser: Browser) -> None:
    table = house.table("crossroads", name="Three fords")
    amber = table.seat("amber")
    good(amber.post("/addresses", {"push": browser.subscription}, lang="fr"))
    look(house, NOW)
    assert look(house, NOW + PUSH_GRACE - 1) == 0
    with amber.live() as heard:
        heard.next()
        assert look(house, NOW + PUSH_GRACE) == 0
    assert look(house, NOW + PUSH_GRACE) == 1
    assert look(house, NOW + DAY) == 0
    told = browser.messages[0]
    assert told["title"] == "À vous de jouer" and told["link"] == f"/t/{table.id}"
    assert told["text"].startswith("On vous attend : Three fords")
    # The message is signed with the key that browsers are told.
    key = good(house.get("/api/notices"))["push"]
    assert browser.signed[0].startswith("vapid t=") and browser.signed[0].endswith(f", k={key}")


def test_whoever_looks_at_another_server_is_not_told(
    house: Client, browser: Browser, letterbox: Letterbox, database: str, start: Start
) -> None:
    table = house.table("crossroads")
    amber = with_mail(house, letterbox, table, "amber", "amber@players.example")
    good(amber.post("/addresses", {"push": browser.subscription}))
    look(house, NOW)
    with start(database) as other:
        there = amber.at(other)
        with there.live() as heard:
            heard.next()
            for _ in range(200):
                if amber.state()["here"]:
                    break
                time.sleep(0.05)
            assert look(house, NOW + MAIL_GRACE) == 0
    assert look(house, NOW + MAIL_GRACE) == 2
    assert len(browser.messages) == len(letterbox.letters) == 1


def test_what_another_writes_in_secret_tells_nobody_anything(house: Client, browser: Browser) -> None:
    """Whether, and when, the other side has laid its wager changes neither what is sent nor when."""
    streams = []
    for early in (True, False):
        table = house.table("crossroads", name="Wagers")
        good(table.seat("amber").post("/addresses", {"push": browser.subscription}))
        cobalt = table.seat("cobalt")
        look(house, NOW)
        if early:
            cobalt.play("stake", "cobalt-1")
        counts = [look(house, NOW + PUSH_GRACE / 2), look(house, NOW + PUSH_GRACE)]
        message = browser.messages[-1]
        streams.append((counts, message["title"], message["text"], len(json.dumps(message))))
    assert streams[0] == streams[1]


def test_a_browser_that_is_gone_is_forgotten(house: Client, browser: Browser) -> None:
    amber = house.table("crossroads").seat("amber")
    good(amber.post("/addresses", {"push": browser.subscription}))
    browser.status = 410
    look(house, NOW)
    assert look(house, NOW + PUSH_GRACE) == 0
    assert good(amber.get("/addresses")) == []


def test_one_has_ones_own_addresses_only(house: Client, letterbox: Letterbox) -> None:
    table = house.table("crossroads")
    amber = with_mail(house, letterbox, table, "amber", "amber@players.example")
    mine = good(amber.get("/addresses"))[0]["id"]
    cobalt = table.seat("cobalt")
    assert good(cobalt.get("/addresses")) == []
    for other in (cobalt, table.watch, table.nobody):
        answer = house.delete(f"/api/tables/{table.id}/addresses/{mine}", headers=other.headers)
        assert answer.status_code in (401, 403, 404)
    own = house.delete(f"/api/tables/{table.id}/addresses/{mine}", headers=amber.headers)
    assert own.status_code == 200


def test_without_a_mail_server_there_is_no_mail(quick_client: Client) -> None:
    seat = quick_client.table("crossroads").seat("amber")
    assert good(quick_client.get("/api/notices"))["mail"] is False
    answer = seat.post("/addresses", {"mail": "amber@players.example"}, lang="fr")
    assert (answer.status_code, answer.json()["text"]) == (403, "Ce serveur n’envoie pas de courriels.")


def test_a_message_as_in_the_example_of_rfc_8291() -> None:
    """Section 5 and appendix A: the same keys and salt give the same bytes."""
    to = push.Subscription(
        "https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV",
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "BTBZMqHH6r4Tts7J_aSIgg",
    )
    secret = int.from_bytes(push.decoded("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"), "big")
    sent = push.enciphered(
        b"When I grow up, I want to be a watermelon",
        to,
        ec.derive_private_key(secret, push.CURVE),
        push.decoded("DGv6ra1nlYgDCS1FRnbzlw"),
    )
    assert push.encoded(sent) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml"
        "mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT"
        "pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


@pytest.mark.parametrize(
    "endpoint",
    ["http://push.example/1", "https://127.0.0.1/1", "https://localhost/1", "https://[::1]/1", "ftp://a/1"],
)
def test_nobody_reaches_our_own_network_through_us(endpoint: str) -> None:
    assert not push.is_public(endpoint)


def test_mail_servers_as_people_write_them() -> None:
    found = mail_server("smtp+starttls://me:p%40ss@mail.example", "a@b.example")
    assert found is not None
    assert (found.host, found.port, found.user, found.password) == ("mail.example", 587, "me", "p@ss")
    assert mail_server("", "") is None
    for wrong in ("http://mail.example", "mail.example", "smtp://"):
        with pytest.raises(ValueError, match="mail server"):
            mail_server(wrong, "a@b.example")


def test_what_is_written_in_secret_changes_neither_a_notice_nor_its_time(
    house: Client, letterbox: Letterbox, browser: Browser
) -> None:
    """Cobalt lays one wager, another one, or none yet: Amber is told the same, at the same time."""
    told, times = [], []
    for number, wager in enumerate(("cobalt-1", "cobalt-3", "")):
        table = house.table("crossroads", name="Three fords")
        amber = with_mail(house, letterbox, table, "amber", f"amber{number}@players.example")
        good(amber.post("/addresses", {"push": browser.subscription}))
        if wager:
            table.seat("cobalt").play("stake", wager)
        now = NOW + number * 10 * DAY
        times.append([look(house, now + wait) for wait in (0, PUSH_GRACE - 1, PUSH_GRACE, MAIL_GRACE)])
        link = {letterbox.letters[-1]["List-Unsubscribe"], f"<https://grognard.example/t/{table.id}>"}
        words = letterbox.text() + json.dumps(browser.messages.pop())
        for word in (table.id, *(str(one).strip("<>").removesuffix("/stop") for one in link)):
            words = words.replace(word, "")
        told.append(words)
        letterbox.letters.clear()
        good(amber.post("/resign"))
    assert told[0] == told[1] == told[2]
    assert times == [[0, 0, 1, 1]] * 3
