"""The page in Firefox: the lobby, a table, a march by clicks, and nothing wrong in the console."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from tests.browser.conftest import HOME, SHOTS
from tests.browser.firefox import Firefox
from tests.browser.house import House
from tests.browser.table_page import ASK, CALM
from tests.browser.test_crossroads import reach

QUIET = """
    const wanted = { show: "off", forced: "off", curtain: "off", guided: "yes" };
    const keep = ([name, value]) => localStorage.setItem(`grognard.${name}`, value);
    if (location.protocol === "http:") Object.entries(wanted).forEach(keep);
"""
MAP = "document.querySelector('[role=application]')"


@pytest.fixture
def firefox(tmp_path: Path) -> Iterator[Firefox]:
    found = subprocess.run(
        [HOME / "tools" / "ensure-firefox.sh"], capture_output=True, text=True, check=False
    )
    if found.returncode:
        pytest.skip(f"no Firefox can be had here: {found.stderr.strip()}")
    folder = tmp_path / "firefox"
    folder.mkdir()
    with Firefox(found.stdout.strip(), folder) as browser:
        yield browser


def test_the_lobby_a_table_and_a_march(house: House, firefox: Firefox) -> None:
    firefox.before_every_page(QUIET)
    firefox.open(house.url)
    firefox.wait("document.querySelectorAll('input[type=radio]').length > 1")
    assert "Grognard" in firefox.evaluate("document.title")

    made = house.table(game="crossroads", scenario="morning", options={"fog": True})
    made.act(["stake", "amber-3"])
    made.act(["stake", "cobalt-1"])
    firefox.open(made.link("amber"))
    firefox.wait(f"{MAP} && document.querySelector('footer .sentence')?.innerText.length > 20")

    def where(hex_: str) -> list[float]:
        firefox.wait(f"({CALM})('')")
        at = firefox.evaluate(f"({ASK})({MAP}, {json.dumps(hex_)})")
        return [at["x"], at["y"]]

    units = made.state("amber")["view"]["units"]
    unit = next(each for each in units if each["id"] == "first-amber")
    taken = {each["hex"] for each in units}
    free = [hex_ for hex_, (_, left) in reach(made, unit["id"]).items() if left is not None]
    goal = max(hex_ for hex_ in free if hex_ not in taken)
    firefox.click(where(unit["hex"]))
    firefox.wait(f"({ASK})({MAP}, {json.dumps(goal)}).left !== null")
    firefox.click(where(goal))
    firefox.wait(f"document.querySelector('[role=log]').innerText.includes({json.dumps(goal)})")
    moved = next(each for each in made.state("amber")["view"]["units"] if each["id"] == unit["id"])
    assert moved["hex"] == goal

    # It is drawn: paper, counters of both sides, the column beside the map.
    picture = firefox.picture()
    if SHOTS:
        (Path(SHOTS) / "firefox.png").write_bytes(picture)
    seen = Image.open(BytesIO(picture)).convert("RGB")
    assert seen.size == (1440, 900)
    assert len(seen.crop((60, 60, 1060, 760)).resize((200, 140)).getcolors(30_000) or ()) > 300
    assert firefox.errors == []
