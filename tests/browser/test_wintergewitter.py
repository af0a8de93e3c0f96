"""Stalingrad Roads: the first turn of the small scenario by clicks, in both languages and at two sizes."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Sit
from tests.browser.house import House
from tests.browser.table_page import TablePage

WORDS = {
    "en": {
        "support": "Artillery [1]/+2",
        "move": "On to movement",
        "fight": "On to combat",
        "resolve": "Resolve the combat",
        "all": "All eligible units",
        "shift": "Artillery",
        "box": "Major offensive",
        "weather": "snow, overcast, nothing frozen",
    },
    "fr": {
        "support": "Artillerie [1]/+2",
        "move": "Passer au mouvement",
        "fight": "Passer au combat",
        "resolve": "Résoudre le combat",
        "all": "Toutes les unités possibles",
        "shift": "Artillerie",
        "box": "Offensive Majeure",
        "weather": "neige, ciel couvert, rien de gelé",
    },
}


def answer(table: TablePage, button: Locator) -> None:
    """Press a button, and wait for the next question."""
    asked = table.sentence.inner_text()
    button.click()
    expect(table.sentence).not_to_have_text(asked, use_inner_text=True)


@pytest.mark.parametrize(("lang", "width", "height"), [("en", 1440, 900), ("fr", 1024, 768)])
def test_the_first_turn_of_wintergewitter(house: House, sit: Sit, lang: str, width: int, height: int) -> None:
    words = WORDS[lang]
    made = house.table(
        game="stalingrad_roads", scenario="wintergewitter", seats={"soviet": "random"}, seed="winter"
    )
    table = sit(made, "axis", lang=lang, width=width, height=height)
    page = table.page
    beside = page.locator(".parts")
    # Folded, it says the weather; it would cover much of the map.
    expect(beside).to_contain_text(words["weather"])
    expect(beside).not_to_contain_text(words["box"])
    # It stands beside the arrow, however many lines it takes.
    arrow, told = beside.get_by_role("button").first, beside.locator(".told")
    assert arrow.evaluate("(arrow) => arrow.getBoundingClientRect().top") == told.evaluate(
        "(told) => told.getBoundingClientRect().top"
    )
    arrow.click()
    expect(beside).to_contain_text(words["box"])
    beside.get_by_role("button").first.click()
    # A marker is taken from its box and laid on a stack.
    answer(table, page.get_by_role("button", name=words["support"]).last)
    table.click("0830")
    expect(table.log).to_contain_text("23 Pz")
    answer(table, table.button(words["move"]))
    # A division of three elements goes together.
    table.click("0829")
    table.wait_reach("0930")
    table.click("0930")
    expect(table.log).to_contain_text(re.compile("6 Pz.*0930"))
    table.button(words["fight"]).click()
    answer(table, table.dock.locator(".armed"))  # units could still move: it asks once more
    # The odds say where every shift comes from.
    table.click("0931")
    table.odds.get_by_role("button", name=words["all"]).click()
    shift = table.odds.get_by_role("listitem").filter(has_text=words["shift"])
    expect(shift).to_contain_text("+1")
    expect(shift.get_by_role("button", name="8.5.6")).to_be_visible()
    table.button(words["resolve"]).click()
    expect(table.log).to_contain_text("0931")


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_an_attack_that_the_odds_forbid_is_given_up(house: House, sit: Sit, lang: str) -> None:
    """8.5.8 Nobody is held fast by an attack that can be put together but not made."""
    made = house.table(
        ["end"],
        ["end"],
        game="stalingrad_roads",
        scenario="wintergewitter",
        seats={"soviet": "random"},
        seed="w",
    )
    table = sit(made, "axis", lang=lang)
    asked = table.sentence.inner_text()
    table.click("1130")
    fight = table.dock.locator(".buttons button.main.go")
    expect(table.sentence).not_to_have_text(asked, use_inner_text=True)
    expect(table.odds).to_contain_text("8.5.8")
    expect(fight).to_be_disabled()
    table.button(re.compile("^(Undo|Annuler)$")).click()
    expect(table.sentence).to_have_text(asked, use_inner_text=True)
    assert made.state("axis")["phase"]["id"].startswith("axis-combat")
    end = table.dock.locator(".buttons button.go")
    end.click()
    expect(end).to_have_class(re.compile("armed"))  # others can still be attacked
    end.click()
    expect(table.sentence).not_to_have_text(asked, use_inner_text=True)
