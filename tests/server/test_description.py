"""Schemathesis reads the description of the doors and tries them all, with good and bad input: no answer may
be an error of ours, an undocumented one, or of another shape than described."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import Case, GenerationMode, checks

from tests.server.process import ServerProcess

checks.load_all_checks()
TRIES = 6
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
        case.call_and_validate(headers=headers, excluded_checks=exempt)

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
