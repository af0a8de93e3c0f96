"""Nothing is lost: neither by reloading the page nor by killing the server."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.conftest import Sit
from tests.browser.house import House

PEOPLE = {"amber": "human", "cobalt": "human"}
STAKES = (["stake", "amber-3"], ["stake", "cobalt-1"])
MARCHED = re.compile(r"0102.*, 0202")


def test_reloading_in_the_middle_keeps_seat_and_position(house: House, sit: Sit) -> None:
    made = house.table(*STAKES, seats=PEOPLE)
    table = sit(made, "amber")
    table.whole_map()
    table.click("0102")
    table.wait_reach("0202")
    table.click("0202")
    expect(table.log).to_contain_text(MARCHED)
    table.page.reload()
    table.ready()
    expect(table.bar).to_contain_text("Your move")
    expect(table.log).to_contain_text(MARCHED)
    expect(table.button("Undo")).to_be_enabled()

    # An attack half declared, or a stack half way, is still in hand after a reload.
    table.button("Undo").click()
    expect(table.log).not_to_contain_text(MARCHED)
    made.act(["lift", "first-amber"], "amber")
    table.page.reload()
    table.ready()
    table.whole_map()
    # Where it may go is lit at once, without picking it up again.
    table.wait_reach("0202")
    table.click("0202")
    expect(table.log).to_contain_text(MARCHED)


def test_the_server_is_killed_and_comes_back(page_built: None, maps: Path, sit: Sit, tmp_path: Path) -> None:
    house = House(tmp_path, maps)
    try:
        made = house.table(*STAKES, seats=PEOPLE)
        amber, cobalt = sit(made, "amber"), sit(made, "cobalt")
        amber.whole_map()
        amber.click("0102")
        amber.wait_reach("0202")
        amber.click("0202")
        # Each hears of it by a line of its own: the server is not killed between the two.
        for table in (amber, cobalt):
            expect(table.log).to_contain_text(MARCHED)
        amber.calm()

        house.kill()
        for table in (amber, cobalt):
            expect(table.bar).to_contain_text("Reconnecting")
        # What is tried meanwhile is refused in words and not lost from sight.
        amber.button("Undo").click()
        expect(amber.refusal).to_contain_text("The server cannot be reached.")

        house.start()
        for table in (amber, cobalt):
            expect(table.bar).not_to_contain_text("Reconnecting")
            expect(table.log).to_contain_text(MARCHED)
        # Nothing was lost, and what is done now is seen by both.
        amber.button("Undo").click()
        for table in (amber, cobalt):
            expect(table.log).not_to_contain_text(MARCHED)
        amber.click("0102")
        amber.wait_reach("0202")
        amber.click("0202")
        for table in (amber, cobalt):
            expect(table.log).to_contain_text(MARCHED)
    finally:
        house.kill()
