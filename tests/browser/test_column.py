"""One column beside the map for what is current; on a phone a sheet. It never lies on what it is about."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Sit
from tests.browser.house import LENINGRAD, House, Rehearsal
from tests.browser.table_page import TablePage

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
