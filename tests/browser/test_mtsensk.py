"""Typhoon!: the first attack of the small scenario by clicks, from supply to the die, in both languages."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Sit
from tests.browser.house import House
from tests.browser.table_page import TablePage

WORDS: dict[str, dict[str, str | re.Pattern[str]]] = {
    "en": {
        "supply": "Bring on a point: all units",
        "move": "On to movement",
        "declare": "Declare the attack",
        "owed": "Still to be attacked",
        "end": "End of movement",
        "done": "No more missions",
        "point": re.compile("^A point of: Supply trucks"),
        "die": "Roll the die",
    },
    "fr": {
        "supply": re.compile("^Faire entrer un point"),
        "move": "Passer au mouvement",
        "declare": "Déclarer l’attaque",
        "owed": "À attaquer encore",
        "end": "Fin du mouvement",
        "done": "Plus de mission",
        "point": re.compile("^Un point de"),
        "die": "Lancer le dé",
    },
}


def press(table: TablePage, name: str | re.Pattern[str]) -> None:
    """Press a button, once more where it asks whether we mean it, and wait for what comes of it."""
    asked = table.sentence.inner_text()
    table.button(name).first.click()
    table.calm()
    armed = table.dock.locator(".armed")
    if armed.is_visible():
        armed.click()
    expect(table.sentence).not_to_have_text(asked, use_inner_text=True)
    table.calm()


@pytest.mark.parametrize(("lang", "width", "height"), [("en", 1440, 900), ("fr", 1024, 768)])
def test_the_first_attack_on_the_way_to_mtsensk(
    house: House, sit: Sit, lang: str, width: int, height: int
) -> None:
    words = WORDS[lang]
    declare = re.compile(f"^{words['declare']}")
    made = house.table(game="typhoon", scenario="learning", seats={"soviet": "random"}, seed="mtsensk")
    table = sit(made, "axis", lang=lang, width=width, height=height)
    press(table, words["supply"])
    press(table, words["move"])
    # All of Orel but its supply goes up to the enemy: the stack stays laid open until it has gone.
    table.click("P4515")
    expect(table.strip.locator(".unit")).to_have_count(6)
    table.strip.locator(".unit").last.click(modifiers=["Shift"])
    table.wait_reach("P4614")
    table.click("P4614")
    expect(table.log).to_contain_text("P4614")
    # Among moves an attack is declared by a click on whom it is made on; its odds are shown before.
    table.click("P4713")
    expect(table.odds).to_contain_text("P4713")
    table.odds.locator(".quick button").last.click()
    expect(table.odds).to_be_hidden()
    table.click("P4713")
    expect(table.odds.locator(".column")).to_be_visible()
    press(table, declare)
    # Whoever must be attacked as well is named, as long as the phase cannot end.
    expect(table.sentence).to_contain_text(words["owed"])
    expect(table.sentence).to_contain_text("P4613")
    expect(table.button(words["end"])).to_have_count(0)
    table.click("P4219")
    table.wait_reach("P4513")
    table.click("P4513")
    expect(table.log).to_contain_text("P4513")
    table.click("P4613")
    expect(table.odds).to_contain_text("P4613")
    press(table, declare)
    press(table, words["end"])
    # Aircraft stay at home; then the combats, one after the other.
    while table.button(words["done"]).is_visible():
        press(table, words["done"])
    expect(table.sentence).to_contain_text("8.4.1")
    table.click("P4713")
    expect(table.button(words["die"])).to_be_visible()
    # Every button stands inside the window, however many there are.
    for box in (button.bounding_box() for button in table.dock.locator(".buttons button").all()):
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
    table.button(words["point"]).first.click()
    expect(table.button(words["point"])).to_have_count(0)
    press(table, words["die"])
    expect(table.news).to_be_visible()
