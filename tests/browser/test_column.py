"""One column beside the map for what is current; on a phone a sheet. It never lies on what it is about."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Sit
from tests.browser.house import LENINGRAD, House, Rehearsal
from tests.browser.table_page import TablePage
from tests.browser.test_barriers import barriers

SIZES = [(1440, 900), (1024, 768), (390, 844)]


def column_covers(table: TablePage, hex_: str) -> bool:
    """Whether what is current lies on a hex."""
    x, y = table.spot(hex_)
    found: bool = table.page.evaluate(
        """([x, y]) => {
            const box = document.querySelector(".context").getBoundingClientRect();
            return box.left < x && x < box.right && box.top < y && y < box.bottom;
        }""",
        [x, y],
    )
    return found


@pytest.mark.parametrize("size", SIZES)
def test_the_stack_in_hand_and_the_odds_stand_beside_the_map(
    house: House, sit: Sit, to_combat: Callable[[str], Rehearsal], size: tuple[int, int]
) -> None:
    arranged = to_combat("0")
    made = house.table(*arranged.answers, **LENINGRAD, seed="0", seats={"soviet": "random"})
    table = sit(made, "german", width=size[0], height=size[1], has_touch=size[0] < 760)
    target = next(words[1] for words in arranged.options if words[0] == "target")
    table.click(target)
    expect(table.odds).to_be_visible()
    expect(table.odds.get_by_role("button").first).to_be_in_viewport()
    table.odds.get_by_role("button").first.click()
    expect(table.odds.locator(".column b")).not_to_be_empty()
    table.calm()
    assert not column_covers(table, target)
    # Everything in it can be reached, and the table stays one screen wide and high.
    last = table.odds.locator(".expected")
    last.scroll_into_view_if_needed()
    expect(last).to_be_in_viewport()
    root = "document.documentElement"
    assert table.page.evaluate(f"{root}.scrollWidth <= innerWidth && {root}.scrollHeight <= innerHeight")


@pytest.mark.parametrize(("lang", "more"), [("en", "Strengths, shifts"), ("fr", "Forces, décalages")])
def test_on_a_phone_the_odds_leave_most_of_the_window_to_the_map(
    house: House, sit: Sit, to_combat: Callable[[str], Rehearsal], lang: str, more: str
) -> None:
    arranged = to_combat("0")
    made = house.table(*arranged.answers, **LENINGRAD, seed="0", seats={"soviet": "random"})
    table = sit(made, "german", lang=lang, width=390, height=844, has_touch=True)
    target = next(words[1] for words in arranged.options if words[0] == "target")
    table.click(target)
    # Both strengths, the column, and how likely each result is.
    expect(table.odds.locator(".column")).to_contain_text(re.compile(r"\d+ D.f\w+ \d+.* Col\w+ \d+-\d+"))
    chances = table.odds.locator(".chances").get_by_role("listitem")
    expect(chances.last).to_be_in_viewport()
    shares = [int(re.findall(r"(\d+)\s?%", text)[0]) for text in chances.all_inner_texts()]
    assert sum(shares) in range(97, 104)
    sheet = table.page.locator(".context").bounding_box()
    assert sheet and sheet["height"] < 0.4 * 844
    # The reckoning in full is a touch away, and lies open at the next attack as well.
    assert barriers(table.page) == ""
    fold = table.odds.get_by_text(re.compile(more))
    fold.click()
    expect(table.odds.locator(".words").first).to_be_visible()
    assert barriers(table.page) == ""
    expect(chances).to_have_count(0)
    table.odds.get_by_role("button", name=re.compile("Cancel the attack|Annuler l’attaque")).click()
    expect(table.odds).to_be_hidden()
    table.click(target)
    expect(table.odds.locator(".words").first).to_be_visible()


def test_what_is_pointed_at_stays_until_something_else_is(house: House, sit: Sit) -> None:
    """Its links can be reached, and nothing below it moves with the pointer."""
    table = sit(house.table(**LENINGRAD, seats={"soviet": "random"}), "german")
    card, tabs = table.page.locator("aside.card"), table.page.get_by_role("tablist")
    place = tabs.bounding_box()
    table.hover("0209")
    expect(card).to_contain_text("0209")
    assert tabs.bounding_box() == place
    card.hover()
    expect(card).to_contain_text("0209")
    table.hover("0407")
    expect(card).to_contain_text("0407")
    assert tabs.bounding_box() == place


def test_with_the_panel_folded_the_odds_are_still_there(
    house: House, sit: Sit, to_combat: Callable[[str], Rehearsal]
) -> None:
    arranged = to_combat("0")
    made = house.table(*arranged.answers, **LENINGRAD, seed="0", seats={"soviet": "random"})
    table = sit(made, "german")
    table.page.locator(".fold[aria-expanded=true]").first.click()
    expect(table.page.get_by_role("tablist")).to_be_hidden()
    target = next(words[1] for words in arranged.options if words[0] == "target")
    table.click(target)
    expect(table.odds).to_be_visible()
    assert not column_covers(table, target)


@pytest.mark.parametrize(("lang", "label"), [("en", "Width of the column"), ("fr", "Largeur de la colonne")])
def test_d26_each_tab_has_its_own_place_and_the_column_is_drawn_wider(
    house: House, sit: Sit, lang: str, label: str
) -> None:
    table = sit(house.table(**LENINGRAD, seats={"soviet": "random"}), "german", lang=lang)
    page = table.page
    panel = page.get_by_role("tabpanel")
    tabs = page.get_by_role("tab")
    top = "(panel) => Math.round(panel.scrollTop)"

    # What was read in the rules does not scroll the forces, and is found again.
    tabs.nth(1).click()
    panel.evaluate("(panel) => { panel.scrollTop = 1500; }")
    expect(page.locator("article").first).not_to_be_in_viewport()
    page.wait_for_timeout(300)  # until the end of scrolling has been told
    tabs.nth(3).click()
    assert panel.evaluate(top) == 0
    tabs.nth(1).click()
    assert panel.evaluate(top) == 1500

    # The tables can be read without scrolling sideways once the column is wide enough, by mouse or by keys.
    tabs.nth(2).click()
    chart = panel.locator(".wide").first
    grip = page.get_by_role("separator", name=label)
    narrow = panel.bounding_box()
    box = grip.bounding_box()
    assert narrow is not None
    assert box is not None
    page.mouse.move(box["x"] + 5, box["y"] + 200)
    page.mouse.down()
    page.mouse.move(box["x"] - 195, box["y"] + 220, steps=4)
    page.mouse.up()
    drawn = panel.bounding_box()
    assert drawn is not None
    assert abs(drawn["width"] - narrow["width"] - 200) < 8
    assert chart.evaluate("(chart) => chart.scrollWidth <= chart.clientWidth")
    wider = str(int(grip.get_attribute("aria-valuenow") or 0) + 24)
    grip.focus()
    page.keyboard.press("ArrowLeft")
    expect(grip).to_have_attribute("aria-valuenow", wider)
    assert barriers(page) == ""
    page.reload()
    table.ready()
    expect(grip).to_have_attribute("aria-valuenow", wider)
    # However wide it was drawn, the map keeps its part of a smaller window.
    page.set_viewport_size({"width": 820, "height": 1180})
    expect(grip).to_have_attribute("aria-valuenow", "492")
    page.set_viewport_size({"width": 390, "height": 844})
    expect(grip).to_be_hidden()
