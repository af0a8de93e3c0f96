"""Seeing the war: the other side's turn is shown, the view goes to what is asked, one learns how to win."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import NewPage, Sit
from tests.browser.house import LENINGRAD, PATIENCE, House, Table, answers
from tests.browser.table_page import TablePage


def in_sight(table: TablePage, hex_: str) -> bool:
    """Whether a hex lies in the window, under no panel."""
    x, y = table.spot(hex_)
    size = table.page.viewport_size
    assert size is not None
    top = "([x, y]) => document.elementFromPoint(x, y)?.getAttribute('role') === 'application'"
    inside = 0 <= x <= size["width"] and 0 <= y <= size["height"]
    return inside and bool(table.page.evaluate(top, [x, y]))


def wait_in_sight(table: TablePage, *hexes: str) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if any(in_sight(table, hex_) for hex_ in hexes):
            return
        table.page.wait_for_timeout(50)
    raise AssertionError(f"none of {hexes} is in sight")


@pytest.mark.parametrize(
    ("lang", "skip", "since"),
    [("en", "Skip", "Since your last move"), ("fr", "Passer", "Depuis votre dernier coup")],
)
def test_d7_the_other_sides_turn_is_shown(house: House, sit: Sit, lang: str, skip: str, since: str) -> None:
    made = house.table(**LENINGRAD, seats={"soviet": "random"})
    table = sit(made, "german", lang=lang, shown=True)
    page = table.page
    for _ in range(3):
        if page.get_by_role("button", name=skip, exact=True).is_visible():
            break
        table.end_phase()
    show = page.get_by_role("button", name=skip, exact=True)
    expect(show).to_be_visible()
    # Meanwhile nothing is asked, and what is shown is told.
    expect(table.sentence).not_to_be_empty()
    expect(table.dock.locator(".go")).to_be_hidden()
    expect(page.locator(".stage canvas").first).to_be_visible()
    show.click()
    expect(show).to_be_hidden()
    # Then a list of what happened, each line of which leads there.
    listed = page.locator("details.since")
    expect(listed).to_contain_text(since)
    line = listed.get_by_role("listitem").get_by_role("button").last
    goal = re.findall(r"\b\d{4}\b", line.inner_text())[-1]
    line.click()
    wait_in_sight(table, goal)
    # Once more, if one likes.
    listed.get_by_role("button").first.click()
    expect(show).to_be_visible()
    show.click()


def test_d7_nothing_is_acted_out_for_who_wants_calm(house: House, sit: Sit) -> None:
    made = house.table(**LENINGRAD, seats={"soviet": "random"})
    table = sit(made, "german", shown=True, reduced_motion="reduce")
    for _ in range(3):
        table.end_phase()
        if table.page.locator("details.since").is_visible():
            break
    expect(table.page.locator("details.since")).to_be_visible()
    expect(table.page.get_by_role("button", name="Skip", exact=True)).to_be_hidden()


@pytest.mark.parametrize(
    ("lang", "movement", "words"),
    [
        ("en", "Soviet Movement Phase.", "must go for the nearest"),
        ("fr", "Phase de Mouvement soviétique.", "doit marcher sur"),
    ],
)
def test_d24_it_is_said_what_binds_the_other_side(
    house: House, sit: Sit, lang: str, movement: str, words: str
) -> None:
    """Turn 1 of Leningrad: at the head of the Soviet phase, and with the case on every line."""
    table = sit(house.table(**LENINGRAD, seats={"soviet": "random"}, seed="bound"), "german", lang=lang)
    for _ in ("movement", "combat", "interdiction"):
        table.end_phase()
    chapter = table.log.locator(".chapter").filter(has_text=movement)
    line = chapter.get_by_role("listitem").filter(has_text=words)
    expect(line.get_by_role("button", name="17.2")).to_be_visible()
    # The Soviets attack (17.3), and are asked for nothing until the German has said what his aircraft do.
    expect(table.sentence).to_contain_text(re.compile("air units|unités aériennes"))
    moves = chapter.locator("li.move")
    assert moves.count() > 0
    for move in moves.all():
        expect(move.get_by_role("button", name="17.2")).to_be_visible()


def test_d6_the_view_goes_to_what_is_asked(house: House, sit: Sit) -> None:
    """A headquarters is activated at the other end of the map."""
    made = house.table(game="a_victory_lost", hotseat=True)
    on_to(made, "pick-unit")
    table = sit(made, "soviet")
    page = table.page
    ready = waiting(made)
    wait_in_sight(table, *ready)
    # The player looks elsewhere, and another chit is drawn.
    for _ in range(3):
        page.keyboard.press("+")
    for _ in range(8):
        page.mouse.move(500, 300)
        page.mouse.down()
        page.mouse.move(900, 700, steps=2)
        page.mouse.up()
    before = made.state("soviet")["view"]["parts"]
    on_to(made, "pick-unit", pieces=before)
    wait_in_sight(table, *waiting(made))


def waiting(made: Table) -> list[str]:
    state = made.state("soviet")
    units = {unit["id"]: unit["hex"] for unit in state["view"]["units"]}
    return [units[each[1]] for each in answers(state) if len(each) == 2 and units.get(each[1])]


def on_to(made: Table, name: str, pieces: object = None) -> None:
    """Play until a question is asked (of another activation, if parts are given)."""
    for _ in range(200):
        state = made.state("soviet")
        found = state["decision"]
        if found["name"] == name and (pieces is None or state["view"]["parts"] != pieces):
            return
        options = answers(state)
        plain = [each for each in options if len(each) == 1]
        made.act((plain or options)[0], "soviet")
    raise AssertionError(name)


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("game", ["leningrad", "a_victory_lost", "crossroads"])
def test_m2_how_one_wins_is_one_click_away(house: House, sit: Sit, game: str, lang: str) -> None:
    made = house.table(game=game, scenario="morning" if game == "crossroads" else "campaign", hotseat=True)
    table = sit(made, next(iter(made.tokens)), lang=lang)
    table.bar.locator(".score").click()
    dialog = table.page.get_by_role("dialog")
    title = {"en": r"How do I win\?", "fr": r"Comment gagner.\?"}[lang]
    expect(dialog.get_by_role("heading").first).to_have_text(re.compile(title))
    if game != "crossroads":
        expect(dialog.get_by_role("row").first).to_be_visible()
        expect(dialog.get_by_role("button", name=re.compile(r"^1[48]\.")).first).to_be_visible()


def test_d13_d14_the_guide_is_for_ones_own_side_and_question(house: House, new_page: NewPage) -> None:
    made = house.table(game="a_victory_lost", seats={"axis": "random"})
    page = new_page(guided=True)
    TablePage(page).open(made.link("soviet"))
    expect(guide(page)).to_contain_text("take the historical five")

    made = house.table(**LENINGRAD, seats={"german": "random"})
    other = TablePage(new_page(guided=True)).open(made.link("soviet"))
    expect(guide(other.page)).to_contain_text(re.compile("You hold the line|Your units have been attacked"))
    expect(guide(other.page)).not_to_contain_text("armoured divisions go farthest")


def guide(page: Page) -> Locator:
    return page.get_by_role("complementary", name="First turn")


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_m4_the_lobby_says_where_to_begin(house: House, new_page: NewPage, lang: str) -> None:
    page = new_page(lang=lang)
    page.goto(house.url)
    start = page.get_by_role("button", name=re.compile("Start here|Pour commencer"))
    start.click()
    chosen = page.get_by_label({"en": "Scenario", "fr": "Scénario"}[lang])
    expect(chosen.locator("option:checked")).to_have_text({"en": "To the Dvina", "fr": "Vers la Dvina"}[lang])
    expect(start).to_be_hidden()
    # Games to come would be one line at the foot: there is none.
    expect(page.get_by_role("radio", name=re.compile("^Second Front"))).to_be_visible()
    expect(page.locator(".coming")).to_have_count(0)
