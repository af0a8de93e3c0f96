"""Schemathesis reads the description of the doors and tries them all, with good and bad input: no answer may
be an error of ours, an undocumented one, or of another shape than described."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import httpx2
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from hypothesis.stateful import run_state_machine_as_test
from schemathesis import Case, GenerationMode, checks

from tests.server.process import ServerProcess
from tests.server.table import offered

checks.load_all_checks()
TRIES = 3
"""At each door, with good and with bad input; what it takes to make up the first of them costs most."""
REJECTION: Any = checks.CHECKS.get_one("negative_data_rejection")
WITHOUT_TOKEN: Any = checks.CHECKS.get_one("ignored_auth")
EXEMPT: list[Any] = [
    # The description cannot say which scenario belongs to which game, or what a save is.
    checks.CHECKS.get_one("positive_data_acceptance"),
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, pictures: Path) -> Iterator[ServerProcess]:
    folder = tmp_path_factory.mktemp("described")
    server = ServerProcess(f"sqlite:///{folder / 'games.sqlite'}", pictures)
    server.wait_until_ready()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def api(server: ServerProcess) -> Any:
    # Made when it is first asked for; schemathesis waits for ten seconds only.
    httpx2.get(f"{server.url}/openapi.json", timeout=120).raise_for_status()
    return schemathesis.openapi.from_url(f"{server.url}/openapi.json")


def knock(cases: Any, table: str, token: str) -> None:
    """Try one door: every other time at a table that exists, by somebody who sits there."""

    @given(case=cases)
    @settings(
        max_examples=TRIES,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        database=None,
        derandomize=True,
    )
    def one(case: Case[Any]) -> None:
        headers = {}
        exempt = EXEMPT
        if "table" in case.path_parameters:
            # The table or the token put right here may have been all that was wrong.
            exempt = [*EXEMPT, REJECTION]
            if sum(map(ord, str(case.path_parameters["table"]))) % 2:
                case.path_parameters["table"] = table
            headers["Authorization"] = f"Bearer {token}"
        if case.method.upper() == "DELETE":
            # Tried again without the token, what was deleted is not there any more. That others may not
            # delete it is tested with the seats.
            exempt = [*exempt, WITHOUT_TOKEN]
        case.call_and_validate(headers=headers, excluded_checks=exempt, timeout=120)

    one()


@pytest.mark.parametrize("mode", list(GenerationMode))
def test_the_doors_do_what_their_description_says(
    api: Any, server: ServerProcess, mode: GenerationMode
) -> None:
    tried = 0
    for found in api.get_all_operations():
        operation = found.ok()
        made = httpx2.post(f"{server.url}/api/tables", json={"game": "crossroads", "hotseat": True}).json()
        try:
            knock(operation.as_strategy(generation_mode=mode), made["table"], made["seats"]["amber"])
            tried += 1
        except Unsatisfiable:  # it takes nothing that could be wrong
            assert mode == GenerationMode.NEGATIVE
    assert tried > 20


# Following the links


class Page:
    """What a page knows that a description cannot say: its token, and which answers are offered to it."""

    def __init__(self, url: str) -> None:
        self.url, self.random = url, Random(1)
        self.tokens: dict[str, str] = {}
        self.statuses: Counter[int] = Counter()
        self.played = 0

    def headers(self, table: Any) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.tokens[table]}"} if table in self.tokens else {}

    def fill_in(self, case: Case[Any]) -> None:
        """Five times out of six, what a page would send; otherwise what was thought up."""
        if self.random.random() < 1 / 6:
            return
        label = case.operation.label
        if label == "POST /api/tables":
            case.body = {"game": "crossroads", "hotseat": self.random.random() < 0.8}
        if label == "POST /api/saves":
            case.body = {"text": self._save(), "hotseat": True}
        if "table" not in case.path_parameters:
            return
        table, state = self._table(case.path_parameters["table"])
        case.path_parameters["table"] = table
        self._prepare(label.rsplit("/", 1)[1], table, state)
        if "moment" in case.path_parameters:
            case.path_parameters["moment"] = self.random.randrange(state["moments"] + 1)
        if "since" in (case.query or {}):
            case.query["since"] = self.random.randrange(state["log_length"] + 1)
        if isinstance(case.body, dict):
            case.body |= self._body(label.rsplit("/", 1)[1], state)

    def _prepare(self, door: str, table: str, state: Any) -> None:
        """What a page does before it offers something: there is something to take back, to give again, to ask
        back for."""
        if door not in ("undo", "redo", "takeback"):
            return
        if not state["can_undo"] and not state["can_redo"]:
            self._post(table, "actions", {"action": self.random.choice(offered(state))})
            state |= self._look(table)
        if door == "redo" and not state["can_redo"] and state["can_undo"]:
            self._post(table, "undo", {})
            state |= self._look(table)

    def _look(self, table: str) -> Any:
        return httpx2.get(f"{self.url}/api/tables/{table}", headers=self.headers(table), timeout=120).json()

    def _post(self, table: str, door: str, body: Any) -> Any:
        url = f"{self.url}/api/tables/{table}/{door}"
        return httpx2.post(url, json=body, headers=self.headers(table), timeout=120).json()

    def _save(self) -> str:
        """A save of a table of its own."""
        table, _ = self._table("")
        url = f"{self.url}/api/tables/{table}/save"
        return httpx2.get(url, headers=self.headers(table), timeout=120).text

    def _table(self, linked: str) -> tuple[str, Any]:
        """The table that a link named or, where none did or its game is over, one of its own."""
        while True:
            linked = linked if linked in self.tokens else next(iter(self.tokens), "")
            if linked:
                looked = httpx2.get(
                    f"{self.url}/api/tables/{linked}", headers=self.headers(linked), timeout=120
                )
                if looked.status_code == 200 and not looked.json()["over"]:
                    return linked, looked.json()
                del self.tokens[linked]
            wish = {"game": "crossroads", "hotseat": True}
            made = httpx2.post(f"{self.url}/api/tables", json=wish, timeout=120).json()
            linked = made["table"]
            self.tokens = {linked: made["seats"]["amber"], **self.tokens}

    def _body(self, door: str, state: Any) -> dict[str, Any]:
        now = {"version": state["version"], "side": None}
        units = [unit["id"] for unit in state["view"]["units"] if unit["hex"]]
        moment = self.random.randrange(max(1, state["moments"]))
        question: dict[str, Any] = self.random.choice(
            [{"ask": "reach", "units": units[:1]}, {"ask": "layer", "layer": "sight", "side": "amber"}]
        )
        found: dict[str, dict[str, Any]] = {
            "actions": {"action": self.random.choice(offered(state) or [["dusk"]]), **now},
            "orders": {"order": self._march(state, units), **now},
            "undo": {"version": state["version"]},
            "takeback": {"to": moment},
            "branch": {"to": moment},
            "ask": question,
            "share": {"share": "ab" * 16},
            "leave-of-absence": {"days": 1},
            "name": {"name": "Anna"},
            "rematch": {"swap": False},
            "addresses": {"mail": "anna@players.example", "push": None},
            "chat": {"text": "Good morning."},
            "marks": {"kind": "note", "hexes": ["0202"], "text": "A ford.", "seen_by": "players"},
        }
        return found.get(door, {})

    def _march(self, state: Any, units: list[str]) -> dict[str, Any]:
        """A march of one step by the first unit that gets anywhere."""
        for unit in units:
            reach = self._post(state["table"], "ask", {"ask": "reach", "units": [unit]}).get("hexes", {})
            near = [hex_ for hex_, (before, left) in reach.items() if before is None and left is not None]
            if near:
                return {"order": "move", "units": [unit], "path": [self.random.choice(near)]}
        return {"order": "move", "units": units[:1], "path": ["0202"]}

    def hear(self, case: Case[Any], status: int, body: Any) -> None:
        self.statuses[status] += 1
        if status == 201 and "seats" in body:
            self.tokens[body["table"]] = next(iter(body["seats"].values()))
        if status == 200 and case.operation.label.endswith("/renew"):
            self.tokens[case.path_parameters["table"]] = body["token"]
        self.played += status == 200 and case.operation.label.endswith(("/actions", "/orders"))


def test_the_links_of_the_description_lead_into_play(api: Any, server: ServerProcess) -> None:
    """Tables are made, and what is answered is followed to every door; most of it is not refused at the
    threshold."""
    page = Page(server.url)

    # Maps and books are tried above; they have no links.
    play = api.include(path_regex="^/api/(tables|saves)")

    class Workflow(play.as_state_machine()):  # type: ignore[misc]
        def before_call(self, case: Case[Any]) -> None:
            page.fill_in(case)

        def get_call_kwargs(self, case: Case[Any]) -> dict[str, Any]:
            # Schemathesis waits for ten seconds by itself: not enough on a busy machine.
            return {"headers": page.headers(case.path_parameters.get("table")), "timeout": 120}

        def validate_response(self, response: Any, case: Case[Any], **more: Any) -> None:
            # What was filled in may have put right all that was wrong; what a link has used up is gone.
            gone = [
                checks.CHECKS.get_one(name) for name in ("use_after_free", "ensure_resource_availability")
            ]
            excluded = [*EXEMPT, REJECTION, WITHOUT_TOKEN, *gone]
            case.validate_response(response, excluded_checks=excluded, headers=page.headers(None))

        def after_call(self, response: Any, case: Case[Any]) -> None:
            kind = response.headers.get("content-type", [""])[0]
            page.hear(case, response.status_code, response.json() if "json" in kind else None)

    run_state_machine_as_test(
        Workflow,
        settings=settings(
            max_examples=7,
            stateful_step_count=16,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            database=None,
            derandomize=True,
            phases=[Phase.generate],
        ),
    )
    tried = page.statuses.total()
    beyond = tried - page.statuses[404] - page.statuses[422]
    assert tried > 60 and page.played and not any(status >= 500 for status in page.statuses)
    assert beyond / tried >= 0.5, page.statuses
