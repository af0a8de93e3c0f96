"""The past: a slider over the whole game, a link to a moment, a save down and up again."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.conftest import NewPage, Sit
from tests.browser.house import LENINGRAD, House, Rehearsal
from tests.browser.table_page import TablePage

# With the highest token the first march is ours.
MARCH = (["stake", "amber-3"], ["lift", "first-amber"], ["tread", "0202"])
MARCHED = re.compile(r"0102.*, 0202")


def test_the_slider_walks_through_the_game(
    house: House, sit: Sit, to_combat: Callable[[str], Rehearsal]
) -> None:
    arranged = to_combat("1")
    table = sit(house.table(*arranged.answers, **LENINGRAD, seed="1", seats={"soviet": "random"}), "german")
    page = table.page
    table.whole_map()
    now = table.picture("0210")
    table.menu("Replay from the start")
    replay = page.get_by_role("region", name="Replay")
    slider = replay.get_by_role("slider")
    length = len(arranged.match.journal)
    expect(slider).to_have_attribute("max", str(length))

    # In the past there is nothing to decide, and the map shows what was: the start.
    expect(slider).to_have_value("0")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("German Movement"))
    table.wait_drawn("0210", now)
    expect(table.bar).to_contain_text("Viewing an earlier position")
    expect(table.button("End phase")).to_be_hidden()
    # A whole march is one step, and is told in words; the log goes as far as the slider.
    replay.get_by_role("button", name="Next deed").click()
    expect(replay.locator(".caption")).to_have_text(re.compile(r"^.+: \d{4}.* to \d{4}"))
    expect(slider).not_to_have_value("0")
    expect(table.log.locator("li.move")).to_have_count(1)
    first = slider.input_value()
    replay.get_by_role("button", name="Next phase").click()
    expect(slider).not_to_have_value(first)
    slider.fill("0")
    replay.get_by_label("Speed").select_option("8")
    replay.get_by_role("button", name="Play", exact=True).click()
    expect(slider).to_have_value(str(length))
    replay.get_by_role("button", name="Back to the present").click()
    expect(replay).to_be_hidden()
    expect(table.bar).to_contain_text("Your move")


def test_a_link_to_a_moment(house: House, sit: Sit, new_page: NewPage) -> None:
    made = house.table(*MARCH, seats={"cobalt": "greedy"}, listed=True)
    table = sit(made, "amber", permissions=["clipboard-read", "clipboard-write"])
    table.menu("Replay from the start")
    slider = table.page.get_by_role("slider")
    slider.fill("1")
    expect(table.bar).to_contain_text("Viewing an earlier position")
    table.menu("Copy a link to this moment")
    expect(table.page.get_by_text("Copied.")).to_be_visible()
    link = table.page.evaluate("() => navigator.clipboard.readText()")
    # Whoever gets the link watches: it holds no seat.
    assert link == f"{made.page()}?at=1"

    other = TablePage(new_page()).open(link)
    expect(other.page.get_by_role("slider")).to_have_value("1")
    expect(other.bar).to_contain_text("Viewing an earlier position")
    other.page.get_by_role("button", name="Back to the present").click()
    expect(other.log).to_contain_text(MARCHED)


def test_a_save_goes_down_and_up_again(house: House, sit: Sit, new_page: NewPage, tmp_path: Path) -> None:
    made = house.table(*MARCH, seats={"cobalt": "greedy"})
    table = sit(made, "amber")
    with table.page.expect_download() as waiting:
        table.menu("Download a save file")
    path = tmp_path / waiting.value.suggested_filename
    waiting.value.save_as(path)
    assert json.loads(path.read_text(encoding="utf-8"))["game"] == "crossroads"

    page = new_page()
    page.goto(house.url)
    page.locator("input[type=file]").set_input_files(path)
    page.get_by_role("button", name="Load").click()
    again = TablePage(page).ready()
    assert page.url != table.page.url
    expect(again.log).to_contain_text(MARCHED)
    expect(again.dock.locator(".go")).to_be_visible()

    # Something else is refused in words.
    page.goto(house.url)
    other = tmp_path / "other.json"
    other.write_text("{}", encoding="utf-8")
    page.locator("input[type=file]").set_input_files(other)
    expect(page.get_by_role("alert")).to_be_visible()
