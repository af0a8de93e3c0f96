"""Both languages: chosen by the browser, changed at will; refusals with their case in each."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewPage, Sit
from tests.browser.house import LENINGRAD, House


@pytest.mark.parametrize(
    ("lang", "why"), [("en", "0312 is occupied by enemy units"), ("fr", "0312 est occupé par l’ennemi")]
)
def test_a_refused_move_is_explained_with_its_case(house: House, sit: Sit, lang: str, why: str) -> None:
    table = sit(house.table(**LENINGRAD, seats={"soviet": "random"}), "german", lang=lang)
    table.whole_map()
    table.click("0112")
    table.wait_reach("0212")
    table.click("0612")
    expect(table.refusal).to_contain_text(re.compile(r"^\s*\d+\.\d+"))
    expect(table.refusal).to_contain_text(why)

    # The case opens the rulebook there.
    case = table.refusal.get_by_role("button").first
    number = case.inner_text()
    case.click()
    article = table.page.locator(".lit")
    expect(article).to_be_in_viewport()
    expect(article).to_contain_text(number.split(".")[0])


def test_the_language_is_the_browsers_and_changes_at_will(house: House, sit: Sit) -> None:
    table = sit(house.table(**LENINGRAD, seats={"soviet": "random"}), "german", lang="fr")
    page = table.page
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    expect(table.sentence).to_contain_text("Mouvement allemand")
    table.whole_map()
    table.click("0112")
    table.wait_reach("0212")
    table.click("0212")
    expect(table.log).to_contain_text("à 0212")
    table.click("0112")
    table.wait_reach("0211")
    table.click("0612")
    expect(table.refusal).to_be_visible()

    table.speak("English")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(table.log).to_contain_text("to 0212")
    expect(table.log).not_to_contain_text("à 0212")
    expect(table.sentence).to_contain_text("German movement")
    expect(table.bar).to_contain_text("German Movement Phase")
    expect(table.button("End phase")).to_be_visible()
    for name in ("Log", "Rules", "Tables", "Forces", "Chat"):
        table.tab(name)
        expect(page.get_by_role("tabpanel")).not_to_be_empty()
    table.tab("Rules")
    expect(page.get_by_role("tabpanel")).to_contain_text("Movement")

    # The choice stays with the browser.
    page.reload()
    table.ready()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    table.speak("Français")
    table.tab("Règles")
    expect(page.get_by_role("tabpanel")).to_contain_text("Mouvement")
    # What follows comes in the new language, too, over the new line to the server.
    table.tab("Journal")
    table.whole_map()
    table.click("0113")
    table.wait_reach("0213")
    table.click("0213")
    expect(table.log).to_contain_text("à 0213")


def test_the_lobby_in_both_languages(house: House, new_page: NewPage) -> None:
    page = new_page(lang="fr")
    page.goto(house.url)
    expect(page.get_by_role("heading", name="Nouvelle partie")).to_be_visible()
    page.get_by_role("button", name="EN: English").click()
    expect(page.get_by_role("heading", name="New game")).to_be_visible()
    expect(page.get_by_role("radio", name="German")).to_be_visible()
