"""Nothing is lost: neither by reloading the page nor by killing the server."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from tests.browser.conftest import Sit
from tests.browser.house import House


def test_reloading_in_the_middle_keeps_seat_and_position(house: House, sit: Sit) -> None:
    made = house.table(seats={"german": "human", "soviet": "human"})
    table = sit(made, "german")
    table.whole_map()
    table.click("0112")
    table.wait_reach("0212")
    table.click("0212")
    expect(table.log).to_contain_text("0112 to 0212.")
    table.page.reload()
    table.ready()
    expect(table.bar).to_contain_text("Your move")
    expect(table.log).to_contain_text("0112 to 0212.")
    expect(table.button("Undo")).to_be_enabled()

    # An attack half declared, or a stack half way, is still in hand after a reload.
    table.button("Undo").click()
    expect(table.log).not_to_contain_text("0112 to 0212.")
    made.act(["pick", "1-inf"], "german")
    made.act(["step", "0212"], "german")
    table.page.reload()
    table.ready()
    table.whole_map()
    expect(table.button("Halt here")).to_be_visible()
    table.button("Halt here").click()
    expect(table.log).to_contain_text("1 Inf: 0112 to 0212.")


def test_the_server_is_killed_and_comes_back(page_built: None, maps: Path, sit: Sit, tmp_path: Path) -> None:
    house = House(tmp_path, maps)
    try:
        made = house.table(seats={"german": "human", "soviet": "human"})
        german, soviet = sit(made, "german"), sit(made, "soviet")
        german.whole_map()
        german.click("0112")
        german.wait_reach("0212")
        german.click("0212")
        # Each hears of it by a line of its own: the server is not killed between the two.
        for table in (german, soviet):
            expect(table.log).to_contain_text("0112 to 0212.")
        german.calm()

        house.kill()
        for table in (german, soviet):
            expect(table.bar).to_contain_text("Reconnecting")
        # What is tried meanwhile is refused in words and not lost from sight.
        german.button("Undo").click()
        expect(german.refusal).to_contain_text("The server cannot be reached.")

        house.start()
        for table in (german, soviet):
            expect(table.bar).not_to_contain_text("Reconnecting")
        german.click("0113")
        german.wait_reach("0213")
        german.click("0213")
        for table in (german, soviet):
            expect(table.log).to_contain_text("0112 to 0212.")
            expect(table.log).to_contain_text("0113 to 0213")
    finally:
        house.kill()
