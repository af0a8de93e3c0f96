"""Whatever is sent, the answer is a clear one: malformed, oversized or strange input breaks nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.server.table import Client, Table, asked, good

NASTY: list[Any] = [
    None,
    True,
    -1,
    10**30,
    1.5,
    float("nan"),
    float("inf"),
    "",
    "\x00",
    "\ud800",
    "'; DROP TABLE tables; --",
    "../../etc/passwd",
    "x" * 10_000,
    [],
    [[]],
    [None],
    ["\ud800"],
    ["\x00"],
    {},
    {"a": {"b": {"c": {"d": {"e": {"f": {"g": {}}}}}}}},
    [[[[[[[[[["deep"]]]]]]]]]],
]
BODIES: list[tuple[str, str, dict[str, Any]]] = [
    ("POST", "/actions", {"action": ["dusk"], "version": None}),
    ("POST", "/orders", {"order": {"order": "move", "units": ["a"], "path": ["0101"]}, "version": None}),
    ("POST", "/undo", {"to": "step"}),
    ("POST", "/takeback", {"to": 0}),
    ("POST", "/takeback/answer", {"accept": False}),
    ("POST", "/join", {"side": "cobalt", "name": "x"}),
    ("POST", "/chat", {"text": "x"}),
    ("PUT", "/note", {"text": "x"}),
    ("POST", "/ask", {"ask": "forecast", "units": ["a"], "targets": ["0101"], "air": 0}),
    ("POST", "/ask", {"ask": "reach", "units": ["a"]}),
    ("POST", "/ask", {"ask": "supply", "unit": "a"}),
    ("POST", "/ask", {"ask": "layer", "layer": "sight", "side": "amber"}),
    ("POST", "/ask", {"ask": "why", "action": ["dusk"]}),
]


def send(client: Client, method: str, url: str, body: bytes, token: str | None = None) -> Any:
    headers = {"content-type": "application/json"}
    if token is not None:
        headers["authorization"] = f"Bearer {token}"
    return client.request(method, url, content=body, headers=headers)


def clear(answer: Any, *allowed: int) -> None:
    assert answer.status_code in (allowed or (400, 403, 404, 409, 413, 422)), answer.text[:300]
    assert answer.headers["content-type"].startswith("application/json")
    json.loads(answer.text)


@pytest.fixture
def table(client: Client) -> Table:
    return client.table("crossroads", listed=True)


def test_every_field_of_every_body_may_be_nonsense(client: Client, table: Table) -> None:
    token = table.tokens["amber"]
    for method, path, body in BODIES:
        url = f"/api/tables/{table.id}{path}"
        for field in body:
            for nasty in NASTY:
                answer = send(client, method, url, json.dumps({**body, field: nasty}).encode(), token)
                clear(answer, 200, 201, 400, 403, 409, 413, 422)
        for nasty in NASTY:
            clear(send(client, method, url, json.dumps(nasty).encode(), token), 200, 400, 403, 422)
    assert asked(table.seat("amber").state())


def test_new_tables_may_be_asked_for_in_nonsense(client: Client) -> None:
    wish: dict[str, Any] = {
        "game": "crossroads",
        "scenario": "morning",
        "options": {},
        "seats": {},
        "name": "",
    }
    for field in (*wish, "owner", "listed", "hotseat", "unheard-of"):
        for nasty in NASTY:
            answer = send(client, "POST", "/api/tables", json.dumps({**wish, field: nasty}).encode())
            clear(answer, 201, 422)
    for seats in ({"amber": "deep blue"}, {"purple": "human"}, {"amber": "\ud800"}, {"watch": "human"}):
        clear(send(client, "POST", "/api/tables", json.dumps({**wish, "seats": seats}).encode()), 422)
    for options in ({"weather": True}, {"\ud800": 1}, {"x" * 50: 1}, {"a": [1]}):
        clear(send(client, "POST", "/api/tables", json.dumps({**wish, "options": options}).encode()), 422)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"\xff\xfe\x00",
        b"[" * 90_000,
        b'{"text":' * 20_000,
        b'{"text": ' + b"1" * 5000 + b"}",
        b'{"text": "a", "text": "b", "more": 1}',
        '{"text": "é"}'.encode("latin-1"),
    ],
)
def test_what_is_not_json_is_refused(quick_client: Client, body: bytes) -> None:
    table = quick_client.table("crossroads")
    url = f"/api/tables/{table.id}/chat"
    clear(send(quick_client, "POST", url, body, table.tokens["amber"]), 400, 422)
    assert good(table.seat("amber").get("/chat")) == []


@pytest.mark.parametrize(
    "kind", ["text/plain", "text/html", "application/x-www-form-urlencoded", "", "a/b/c"]
)
def test_bodies_of_another_kind_are_refused(quick_client: Client, kind: str) -> None:
    table = quick_client.table("crossroads")
    answer = quick_client.post(
        f"/api/tables/{table.id}/chat",
        content=b"text=hello",
        headers={"content-type": kind, "authorization": f"Bearer {table.tokens['amber']}"},
    )
    clear(answer, 400, 415, 422)


def test_too_much_is_too_much(quick_client: Client) -> None:
    table = quick_client.table("crossroads")
    token = table.tokens["amber"]
    chat = f"/api/tables/{table.id}/chat"
    long = json.dumps({"text": "x" * 300_000}).encode()
    clear(send(quick_client, "POST", chat, long, token), 413)
    clear(send(quick_client, "POST", chat, json.dumps({"text": "x" * 1001}).encode(), token), 422)
    huge = json.dumps({"text": "x" * 6_000_000}).encode()
    clear(send(quick_client, "POST", "/api/saves", huge), 413)
    # Not declared beforehand, but sent all the same.
    pieces = (b"x" * 50_000 for _ in range(10))
    answer = quick_client.post(chat, content=pieces, headers={"authorization": f"Bearer {token}"})
    clear(answer, 413)
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert quick_client.get(chat, headers={"content-length": "many"}).status_code in (400, 413)


@pytest.mark.parametrize(
    "id_",
    [
        "nowhere",
        "x" * 5000,
        "%00",
        "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
        "..",
        "a%2Fb",
        "%F0%9F%92%A9",
        "%ED%A0%80",
        "'%20OR%201=1--",
        "*",
    ],
)
def test_unknown_tables_are_not_found(client: Client, id_: str) -> None:
    for path in ("", "/log", "/moments", "/rolls", "/at/0", "/chat"):
        answer = client.get(f"/api/tables/{id_}{path}")
        assert answer.status_code == 404, (path, answer.text)


@pytest.mark.parametrize(
    "path",
    [
        "/api/games/../../../etc/passwd",
        "/api/games/%2e%2e/kit",
        "/api/games/..%2f..%2fkernel/map.svg",
        "/api/games/none/kit",
        "/api/games/crossroads%00/tiles/x/0/0/0",
        "/api/nothing",
        "/api",
        "/assets/../../api.py",
        "/assets/%2e%2e/%2e%2e/api.py",
        "/assets/..%2f..%2fapi.py",
        "//etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
    ],
)
def test_no_path_leads_out_of_the_house(quick_client: Client, path: str) -> None:
    answer = quick_client.get(path)
    # The page itself is served for any address of its own; nothing else is.
    page = answer.headers["content-type"].startswith("text/html")
    assert page or answer.status_code in (404, 503)
    assert "import" not in answer.text or page
    assert "root:" not in answer.text


@pytest.mark.parametrize("query", ["lang=de", "lang=", "since=-1", "since=x", "since=" + "9" * 5000])
def test_strange_queries_are_refused(quick_client: Client, query: str) -> None:
    table = quick_client.table("crossroads", listed=True)
    clear(quick_client.get(f"/api/tables/{table.id}/log?{query}"), 422)
    assert quick_client.get("/api/games/crossroads/tiles/x/0/0/zero").status_code == 422
    assert quick_client.get(f"/api/tables/{table.id}/at/{'9' * 5000}").status_code in (404, 422)


# Markup

MARKUP = "<script>alert(1)</script><img src=x onerror=alert(2)>&amp;\"'`"


def test_markup_is_text_and_is_never_served_as_a_page(client: Client) -> None:
    """Names and chat come back letter by letter as JSON; a browser that opens the address runs nothing."""
    table = client.table("crossroads", name=MARKUP[:60], owner=MARKUP[:60], listed=True)
    amber = table.seat("amber")
    good(table.nobody.post("/join", {"side": "cobalt", "name": MARKUP[:60]}))
    good(amber.post("/chat", {"text": MARKUP}))
    good(amber.put("/note", {"text": MARKUP}))
    assert good(amber.get("/chat"))[0]["text"] == MARKUP
    assert amber.state()["players"]["cobalt"]["name"] == MARKUP[:60]
    answers = [amber.get(path) for path in ("", "/chat", "/note", "/log", "/at/0")]
    answers += [client.get("/api/tables"), amber.act(MARKUP[:40]), amber.post("/ask", {"ask": MARKUP[:40]})]
    for answer in answers:
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["x-content-type-options"] == "nosniff"
        policy = answer.headers["content-security-policy"]
        assert "default-src 'self'" in policy and "unsafe-eval" not in policy
        assert (
            "script-src" not in policy or "unsafe-inline" not in policy.split("script-src")[1].split(";")[0]
        )
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["referrer-policy"] == "no-referrer"


def test_names_have_no_line_breaks_and_nothing_has_controls(quick_client: Client) -> None:
    table = quick_client.table("crossroads")
    amber = table.seat("amber")
    for name in ("a\nb", "a\x00b", "a\x1b[31mb", "\x7f"):
        assert quick_client.post("/api/tables", json={"game": "crossroads", "name": name}).status_code == 422
    for text in ("a\x00b", "a\x1b[31mb"):
        assert amber.post("/chat", {"text": text}).status_code == 422
        assert amber.put("/note", {"text": text}).status_code == 422
    assert amber.post("/chat", {"text": " \n "}).status_code == 422


def test_refused_input_is_not_sent_back_whole(quick_client: Client) -> None:
    answer = quick_client.post("/api/tables", json={"game": "crossroads", "seats": {"amber": MARKUP[:40]}})
    assert answer.status_code == 422 and len(answer.text) < 400
    answer = quick_client.post("/api/tables", json={"game": MARKUP * 100})
    assert "script" not in answer.text
