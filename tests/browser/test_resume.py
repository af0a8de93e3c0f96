"""Nothing is lost: neither by reloading the page nor by killing the server."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Sit
from tests.browser.house import House, Table, answers
from tests.browser.test_barriers import barriers

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


def test_a_page_older_than_its_server_is_fetched_anew(house: House, sit: Sit) -> None:
    """A newer server has other files: what an open page had not fetched before is gone."""
    made = house.table(seats=PEOPLE)
    made.resign("cobalt")
    table = sit(made, "amber")
    page = table.page
    loaded: list[Page] = []
    page.on("domcontentloaded", lambda page: loaded.append(page))
    page.route(
        "**/assets/EndPage-*.js", lambda route: route.continue_() if loaded else route.fulfill(status=404)
    )
    table.dock.get_by_role("link", name="How it ended").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("resigned")


@pytest.mark.parametrize(
    ("lang", "show", "since"),
    [
        ("en", "Show what happened", "Since your last move"),
        ("fr", "Voir ce qui s’est passé", "Depuis votre dernier coup"),
    ],
)
def test_who_comes_back_sees_what_happened_meanwhile(
    house: House, sit: Sit, lang: str, show: str, since: str
) -> None:
    """By correspondence a page is seldom open when the other one moves; and it is opened on another
    device."""
    made, marched = until_the_other_has_marched(house)
    table = sit(made, "amber", lang=lang)
    page = table.page
    listed = page.locator("details.since")
    expect(listed).to_contain_text(since)
    # What has gone where, and nothing that was known before.
    lines = listed.get_by_role("listitem")
    for goal in marched:
        expect(lines.filter(has_text=goal).first).to_be_visible()
    # It is not acted out before one asks for it; then the view is that of before, until it has been shown.
    button = table.dock.get_by_role("button", name=show)
    expect(button).to_be_visible()
    button.click()
    expect(page.locator(".stage canvas").first).to_be_visible()
    expect(button).to_be_hidden()
    expect(table.dock.get_by_role("button", name=re.compile("^(Show it again|Revoir)$"))).to_be_visible()
    # On the text board, too.
    page.goto(made.page("text"))
    told = page.get_by_role("region", name=since).get_by_role("listitem")
    for goal in marched:
        expect(told.filter(has_text=goal).first).to_be_visible()
    assert barriers(page) == ""
    # The other one has moved last himself.
    there = sit(made, "cobalt", lang=lang)
    there.calm()
    expect(there.page.locator("details.since")).to_be_hidden()


def until_the_other_has_marched(house: House) -> tuple[Table, list[str]]:
    """A table at which Amber has answered, Cobalt has marched at least twice since, and Amber is asked again;
    and where Cobalt went."""
    random = Random(2)
    while True:
        made = house.table(*STAKES, seats=PEOPLE)
        while not made.state("amber")["over"]:
            read = made.state("amber")["log_length"]
            while offered := answers(made.state("cobalt")):
                made.act(random.choice(offered), "cobalt")
            goals = marches(house.get(f"/api/tables/{made.id}/log?since={read}", made.tokens["amber"]))
            offered = answers(made.state("amber"))
            if len(goals) > 1 and offered:
                return made, goals
            if offered:
                made.act(random.choice(offered), "amber")


def marches(log: list[dict[str, Any]]) -> list[str]:
    """Where units went: steps that follow each other are one march."""
    found: list[tuple[list[str], str]] = []
    for line in log:
        if line["family"] != "move" or len(line["hexes"]) < 2:
            continue
        if found and found[-1] == (line["units"], line["hexes"][0]):
            found.pop()
        found.append((line["units"], line["hexes"][-1]))
    return [goal for _, goal in found]
