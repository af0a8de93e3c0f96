"""A game without rules, looked at: map, layers, set-ups, calendar and charts, in both languages."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.house import House
from tests.browser.table_page import ASK
from tests.browser.test_barriers import barriers

WORDS = {
    "en": {
        "layer": "Weather zones",
        "july": "July 1943",
        "find": "Find a place",
        "division": "44th Infantry Division",
        "tabs": ["Place", "Set-up", "Calendar", "Charts", "Rulings"],
        "forms": "243rd Static Infantry Division",
        "chart": "Ground combat",
        "ruling": "In which turn is the third quarter scored?",
    },
    "fr": {
        "layer": "Zones météo",
        "july": "Juillet 1943",
        "find": "Chercher un lieu",
        "division": "44e division d’infanterie",
        "tabs": ["Lieu", "Mise en place", "Calendrier", "Tables", "Décisions"],
        "forms": "243e division d’infanterie statique",
        "chart": "Combat terrestre",
        "ruling": "À quel tour compte-t-on le troisième trimestre",
    },
}


def looked_at(page: Page, house: House) -> None:
    page.goto(f"{house.url}/look/second_front")
    expect(page.get_by_role("tab").first).to_be_visible()


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_books_of_a_game(house: House, new_page: NewPage, lang: str) -> None:
    page, words = new_page(lang), WORDS[lang]
    looked_at(page, house)
    assert page.get_by_role("tab").all_inner_texts() == words["tabs"]

    page.get_by_label(str(words["find"])).fill("Cassino")
    page.get_by_role("button", name="26:2022").click()
    expect(page.get_by_role("tabpanel")).to_contain_text(str(words["division"]))
    expect(page.get_by_role("tabpanel")).to_contain_text("8-6 XX")
    page.get_by_role("banner").get_by_role("combobox").select_option(label=str(words["july"]))
    expect(page.get_by_role("tabpanel")).not_to_contain_text(str(words["division"]))

    page.get_by_role("tab").nth(2).click()
    expect(page.get_by_role("tabpanel")).to_contain_text(str(words["forms"]))
    page.get_by_role("tab").nth(3).click()
    expect(page.get_by_role("table", name=str(words["chart"]))).to_contain_text("9:1")
    page.get_by_role("tab").nth(4).click()
    expect(page.get_by_role("tabpanel")).to_contain_text(str(words["ruling"]))
    page.get_by_label(str(words["layer"])).check()
    assert barriers(page) == ""


def test_a_click_and_the_arrow_keys_tell_what_is_in_a_hex(house: House, new_page: NewPage) -> None:
    page = new_page()
    looked_at(page, house)
    page.get_by_label("Find a place").fill("Anzio")
    page.get_by_role("button", name="26:1825").click()
    canvas = page.locator("canvas[role=application]")
    at = canvas.evaluate(ASK, "26:1725")
    canvas.click(position={"x": at["x"], "y": at["y"]})
    status = page.get_by_role("status")
    expect(status).to_contain_text("26:1725, Velletri")
    canvas.press("ArrowLeft")
    expect(status).to_contain_text("26:1726")


def test_a_picture_of_the_map_is_seen_before_the_hexes_are_known(house: House, new_page: NewPage) -> None:
    """Nobody has drawn this map before: the first time takes longer."""
    page = new_page(width=900, height=700)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{house.url}/look/stalingrad_roads")
    expect(page.get_by_role("application")).to_have_attribute("aria-busy", "false", timeout=150_000)
    tiles = [url for url in asked if "/tiles/" in url]
    assert tiles and all("/0/" in url for url in tiles[:1])


@pytest.mark.parametrize("size", [(390, 844), (820, 1180), (1440, 900)])
def test_nothing_sticks_out_at_any_size(house: House, new_page: NewPage, size: tuple[int, int]) -> None:
    page = new_page("fr", width=size[0], height=size[1])
    looked_at(page, house)
    expect(page.get_by_label("Chercher un lieu")).to_be_visible()
    wide = page.evaluate("document.documentElement.scrollWidth")
    high = page.evaluate("document.documentElement.scrollHeight")
    assert (wide, high) == size
