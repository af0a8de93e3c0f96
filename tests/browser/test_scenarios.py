"""The short scenarios are chosen in the lobby, which says how long and how hard they are."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.house import House

CHOICES = {
    "en": ("A Victory Lost", "Scenario", "Little Saturn", "Play", "75 minutes", "To learn the game with"),
    "fr": ("A Victory Lost", "Scénario", "Petite Saturne", "Jouer", "75 minutes", "Pour apprendre le jeu"),
}


@pytest.mark.parametrize(("lang", "width"), [("en", 1440), ("fr", 1024), ("fr", 390)])
def test_a_short_scenario_is_chosen_in_the_lobby(
    house: House, new_page: NewPage, lang: str, width: int
) -> None:
    title, label, name, play, length, hard = CHOICES[lang]
    page = new_page(lang=lang, width=width, height=900)
    page.goto(house.url)
    page.get_by_role("radio", name=re.compile(f"^{title}")).check()
    chooser = page.get_by_role("combobox", name=re.compile(f"^{label}"))
    about = page.locator("#scenario-about")
    expect(about).not_to_contain_text(hard)
    chooser.select_option(label=name)
    expect(about).to_contain_text(length)
    expect(about).to_contain_text(hard)
    expect(page.locator("body")).to_contain_text("Morozovsk")
    _picture(page, f"lobby-{lang}-{width}")
    page.get_by_role("button", name=play, exact=True).click()
    turn = page.locator("button.turn")
    expect(turn).to_be_visible()
    turn.click()
    expect(page.locator(".dropdown .scenario")).to_contain_text(name)
    expect(page.locator(".dropdown .track li")).to_have_count(3)
    _picture(page, f"table-{lang}-{width}")


def _picture(page: Page, name: str) -> None:
    """For those who want to look."""
    if folder := os.environ.get("GROGNARD_SHOTS", ""):
        page.screenshot(path=Path(folder) / f"scenario-{name}.png", full_page=False)
