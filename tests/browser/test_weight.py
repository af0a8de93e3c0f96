"""The first load is small."""

from __future__ import annotations

import gzip
from pathlib import Path

from playwright.sync_api import expect

import grognard.server
from tests.browser.conftest import NewPage
from tests.browser.house import LENINGRAD, House
from tests.browser.table_page import TablePage

LIMIT = 400_000
STATIC = Path(grognard.server.__file__).parent / "static"


def test_everything_the_page_is_made_of_weighs_less_than_the_limit(page_built: None) -> None:
    files = [STATIC / "index.html", *(STATIC / "assets").iterdir()]
    assert sum(len(gzip.compress(file.read_bytes(), 6)) for file in files) < LIMIT


def test_the_first_load_of_a_table_weighs_less_than_the_limit(house: House, new_page: NewPage) -> None:
    """All that goes over the wire until the map is there, what the server says included; the picture of the
    map alone is not counted."""
    made = house.table(**LENINGRAD, seats={"soviet": "random"})
    page = new_page()
    weight: dict[str, int] = {}
    wire = page.context.new_cdp_session(page)
    wire.send("Network.enable")
    urls: dict[str, str] = {}
    wire.on("Network.responseReceived", lambda e: urls.__setitem__(e["requestId"], e["response"]["url"]))
    wire.on("Network.loadingFinished", lambda e: weight.__setitem__(e["requestId"], e["encodedDataLength"]))
    TablePage(page).open(made.link("german"))
    expect(page.get_by_role("log")).to_contain_text("Turn 1 begins.")
    counted = {urls[k]: n for k, n in weight.items() if "/tiles/" not in urls.get(k, "")}
    assert any("/assets/" in url for url in counted)
    assert any("/kit" in url for url in counted)
    assert sum(counted.values()) < LIMIT, counted
