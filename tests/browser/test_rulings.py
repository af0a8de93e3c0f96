"""The rulings in the rules tab: from the mark in the rules to the ruling, and back by its case."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Sit
from tests.browser.house import LENINGRAD, House

WORDS = {
    "en": ("Rules", "ruling", "Rulings", "Reason:", "Do units that retreated from one overrun"),
    "fr": ("Règles", "décision", "Décisions", "Motif", "Les unités qui ont retraité après un débordement"),
}


@pytest.mark.parametrize("lang", WORDS)
def test_a_mark_in_the_rules_leads_to_the_ruling_and_its_case_back(house: House, sit: Sit, lang: str) -> None:
    tab, mark, part, reason, title = WORDS[lang]
    table = sit(house.table(**LENINGRAD, seats={"soviet": "random"}), "german", lang=lang)
    page = table.page
    table.tab(tab)
    article = page.locator("#case-8\\.4")
    article.get_by_role("button", name=mark, exact=True).first.click()
    ruling = page.locator("article.lit")
    expect(ruling).to_be_in_viewport()
    expect(ruling).to_contain_text(title)
    expect(ruling).to_contain_text(reason)
    expect(page.get_by_role("button", name=part, exact=True)).to_have_attribute("aria-pressed", "true")

    # Back by the number of the case, and forth again by the title under it.
    ruling.get_by_role("heading").get_by_role("button", name="8.4").click()
    expect(article).to_be_in_viewport()
    expect(article).to_be_focused()
    article.get_by_role("button", name=title).click()
    expect(page.locator("article.lit")).to_contain_text(title)

    # A word is looked for among the rulings, too.
    page.get_by_role("searchbox").fill("34")
    expect(page.locator("#panel-body article")).not_to_have_count(0)
    page.get_by_role("searchbox").fill("xyzzy")
    expect(page.locator("#panel-body article")).to_have_count(0)
