"""axe-core looks for barriers on every page, in both languages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from grognard.kernel.registry import game_ids
from tests.browser.conftest import HOME, NewPage, Sit
from tests.browser.house import LENINGRAD, House, Rehearsal, answers

AXE = HOME / "web" / "node_modules" / "axe-core" / "axe.min.js"
ANSWERS = 20
both = pytest.mark.parametrize("lang", ["en", "fr"])


def barriers(page: Page) -> str:
    page.evaluate(Path(AXE).read_text(encoding="utf-8"))
    found: dict[str, Any] = page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")
    return "\n".join(
        f"{violation['id']}: {[node['html'][:160] for node in violation['nodes']]}"
        for violation in found["violations"]
    )


@both
def test_the_lobby(house: House, new_page: NewPage, lang: str) -> None:
    house.table(seats={"amber": "human", "cobalt": "human"}, listed=True, name="Open")
    page = new_page(lang=lang)
    page.goto(house.url)
    expect(page.get_by_role("radio").first).to_be_visible()
    expect(page.get_by_role("link", name="Open").first).to_be_visible()
    assert barriers(page) == ""


@both
def test_the_table(house: House, sit: Sit, to_combat: Callable[[str], Rehearsal], lang: str) -> None:
    arranged = to_combat("0")
    made = house.table(*arranged.answers, **LENINGRAD, seed="0", seats={"soviet": "random"})
    table = sit(made, "german", lang=lang, guided=True)
    page = table.page
    for number in range(5):
        page.get_by_role("tab").nth(number).click()
        expect(page.get_by_role("tabpanel")).not_to_be_empty()
        assert barriers(page) == ""
    page.get_by_role("tab").first.click()

    # With everything open that can lie open.
    table.bar.locator(".turn").click()
    table.bar.get_by_role("button").last.click()
    assert barriers(page) == ""
    page.reload()
    table.ready()
    table.whole_map()
    table.click(arranged.options[0][1])
    table.odds.get_by_role("button").first.click()
    expect(table.odds.locator(".column b")).not_to_be_empty()
    assert barriers(page) == ""
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    assert barriers(page) == ""


@pytest.mark.parametrize("game", game_ids())
def test_every_game(house: House, sit: Sit, new_page: NewPage, game: str) -> None:
    """Some answers into a game: its table with every tab, its rulebook, its text board and its end page."""
    made = house.table(game=game, hotseat=True, scenario="")
    side = next(seat for seat in made.tokens if seat != "watch")
    chance = Random(game)
    for _ in range(ANSWERS):
        state = made.state(side)
        made.act(chance.choice(answers(state)), state["must_act"][0])
    table = sit(made, side)
    for tab in table.page.get_by_role("tab").all():
        tab.click()
        expect(table.page.get_by_role("tabpanel")).not_to_be_empty()
        assert barriers(table.page) == "", tab.inner_text()
    page = new_page(lang="fr")
    page.goto(made.page("text") + "#" + made.tokens[side])
    expect(page.get_by_role("log")).not_to_be_empty()
    assert barriers(page) == "", "text board"
    page.goto(f"{house.url}/rules/{game}")
    expect(page.locator("#charts table").first).to_be_visible()
    assert barriers(page) == "", "rulebook"
    made.resign(side)
    page.goto(made.page("end") + "#" + made.tokens[side])
    expect(page.locator("main section").first).to_be_visible()
    assert barriers(page) == "", "end page"


@both
def test_a_move_a_refusal_and_the_past(house: House, sit: Sit, lang: str) -> None:
    table = sit(house.table(**LENINGRAD, seats={"soviet": "random"}), "german", lang=lang)
    table.whole_map()
    table.click("0112")
    table.wait_reach("0212")
    table.hover("0212")
    assert barriers(table.page) == ""
    table.click("0612")
    expect(table.refusal).to_be_visible()
    assert barriers(table.page) == ""
    table.menu("Replay from the start" if lang == "en" else "Revoir depuis le début")
    expect(table.page.get_by_role("slider")).to_be_visible()
    assert barriers(table.page) == ""


@both
def test_the_text_board(house: House, new_page: NewPage, lang: str) -> None:
    made = house.table(seats={"cobalt": "random"})
    page = new_page(lang=lang)
    page.goto(made.page("text") + "#" + made.tokens["amber"])
    expect(page.get_by_role("log")).to_contain_text("1")
    assert barriers(page) == ""


@both
def test_the_check_of_the_dice(house: House, new_page: NewPage, lang: str) -> None:
    made = house.table(seats={"cobalt": "random"})
    made.resign("amber")
    page = new_page(lang=lang)
    page.goto(made.page("verify") + "#" + made.tokens["amber"])
    expect(page.get_by_role("status").first).to_be_visible()
    assert barriers(page) == ""


def test_the_pages_round_the_table_in_a_dark_frame(house: House, new_page: NewPage) -> None:
    """The frame that was chosen at a table is that of every page; what is printed is dark on white."""
    over = house.table(**LENINGRAD, seats={"german": "human", "soviet": "human"})
    over.resign("german")
    end = over.page("end") + "#" + over.tokens["soviet"]
    page = new_page()
    page.add_init_script("localStorage.setItem('grognard.frame', 'dark')")
    paper = "getComputedStyle(document.documentElement).backgroundColor"
    for address in ("/", "/account", "/rules/crossroads", "end", "verify"):
        page.goto({"end": end, "verify": over.page("verify")}.get(address, house.url + address))
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert page.evaluate(paper) == "rgb(33, 31, 26)"
        assert barriers(page) == "", address
    page.emulate_media(media="print")
    assert page.evaluate(paper) == "rgb(239, 230, 208)"


@both
def test_on_a_phone(house: House, sit: Sit, lang: str) -> None:
    made = house.table(seats={"cobalt": "random"})
    table = sit(made, "amber", lang=lang, width=390, height=844, has_touch=True)
    assert barriers(table.page) == ""
    table.page.get_by_role("button", expanded=False).last.tap()
    assert barriers(table.page) == ""


@both
def test_the_dialogs(house: House, sit: Sit, lang: str) -> None:
    """What would be lost, how one wins, the units that wait, the past."""
    made = house.table(**LENINGRAD, seats={"soviet": "random"})
    table = sit(made, "german", lang=lang)
    page = table.page
    dialog = page.get_by_role("dialog")
    table.dock.locator(".go").click()
    expect(dialog).to_be_visible()
    assert barriers(page) == ""
    page.keyboard.press("Escape")
    table.bar.locator(".score").click()
    expect(dialog).to_be_visible()
    assert barriers(page) == ""
    page.keyboard.press("Escape")
    table.dock.locator(".reminder").click()
    expect(page.locator(".waiting")).to_be_visible()
    assert barriers(page) == ""
    table.menu({"en": "Replay from the start", "fr": "Revoir depuis le début"}[lang])
    expect(page.get_by_role("slider")).to_be_visible()
    assert barriers(page) == ""
