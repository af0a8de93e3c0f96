"""Typhoon!: the first attack of the small scenario by clicks, from supply to the die, in both languages."""

from __future__ import annotations

import re
from random import Random

import pytest
from playwright.sync_api import APIResponse, Locator, Page, Route, expect

from grognard.kernel.registry import load_game
from tests.browser.conftest import Sit
from tests.browser.house import House, Rehearsal, Table
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
        "aimed": r"Attack declared: \S*\s?\(?P4713\)?, from .*P4614",
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
        "aimed": r"Attaque déclarée.: \S*\s?\(?P4713\)?, depuis .*P4614",
    },
}


PIXEL = """(canvas, [x, y]) => {
    const ratio = canvas.width / canvas.clientWidth, box = canvas.getBoundingClientRect();
    const pen = canvas.getContext("2d");
    return [...pen.getImageData((x - box.left) * ratio, (y - box.top) * ratio, 1, 1).data].slice(0, 3);
}"""
HOLLOW = [255, 246, 234]


def lying(page: Page, made: Table) -> Locator:
    """The text board's list of what lies on the map, in a window beside the table's."""
    beside = page.context.new_page()
    beside.goto(made.page("text"))
    return beside.locator("section[aria-labelledby=lying]")


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
    # It is drawn, hollow, from the hex where it comes from, and told to who cannot see it.
    (x, y), (x2, y2) = table.spot("P4614"), table.spot("P4713")
    middle = [(x + x2) / 2, (y + y2) / 2]
    assert table.map.evaluate(PIXEL, middle) == HOLLOW
    expect(lying(table.page, made)).to_contain_text(re.compile(words["aimed"]))
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
    # Aircraft stay at home, as often as one is asked between the computer's answers; then the combats.
    done, combats = table.button(words["done"]), table.sentence.filter(has_text="8.4.1")
    expect(done.or_(combats)).to_be_visible()
    while done.is_visible():
        press(table, words["done"])
        expect(done.or_(combats)).to_be_visible()
    expect(combats).to_be_visible()
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


def test_all_units_answer_the_question_asked_and_no_other(house: House, sit: Sit) -> None:
    """The computer may have answered, and the next question be here, before the page hears that its own
    answer counts: that question may be about the same hex."""
    made = house.table(game="typhoon", scenario="learning", seats={"soviet": "random"}, seed="mtsensk")
    table = sit(made, "axis")
    sent: list[str] = []
    held: list[tuple[Route, APIResponse]] = []
    table.page.on("request", lambda request: sent.extend([request.url] * ("/actions" in request.url)))
    table.page.route("**/actions*", lambda route: held.append((route, route.fetch())), times=1)
    table.button("Bring on a point: all units").click()
    expect(table.button("On to movement")).to_be_visible()
    table.page.wait_for_timeout(500)
    [(route, answer)] = held
    route.fulfill(response=answer)
    expect(table.button("On to movement")).to_be_enabled()
    table.page.wait_for_timeout(500)
    assert len(sent) == 1
    expect(table.button("On to movement")).to_be_enabled()


def two_half_depots() -> Rehearsal:
    """A game in which two supply counters of the side that moves lie in one hex (6.5.2b)."""
    game = load_game("typhoon")
    for seed in range(20):
        random = Random(seed)
        played = Rehearsal(game, f"half-{seed}", "learning")
        for _ in range(500):
            if played.match.over:
                break
            if any(words[0] == "combine" for words in played.options):
                return played
            played.act(*random.choice(played.options))
    raise AssertionError("nobody has two counters in one hex")


@pytest.mark.parametrize(("lang", "verb"), [("en", "Make a depot"), ("fr", "Faire un dépôt")])
def test_two_supply_counters_become_a_depot_by_clicks(house: House, sit: Sit, lang: str, verb: str) -> None:
    """An answer about two units: the button is there as soon as one is chosen, and names the other."""
    played = two_half_depots()
    mine = played.actor
    _, one, other = next(words for words in played.options if words[0] == "combine")
    units = {unit["id"]: unit for unit in played.units(mine)}
    made = house.resume(played, seats={"axis": "human", "soviet": "human"}, hotseat=True)
    table = sit(made, mine, lang=lang)
    game = played.game
    names = {id_: game.unit_name(game.unit_index(id_), lang) for id_ in (one, other)}
    table.calm()
    table.click(units[one]["hex"])
    expect(table.unit(names[one]).first).to_be_visible()
    table.calm()
    table.unit(names[one]).first.click()
    button = table.button(re.compile(f"^{verb}.*{re.escape(names[other])}$"))
    expect(button).to_have_count(1)
    # With both chosen it need not say which.
    table.unit(names[other]).first.click(modifiers=["Shift"])
    expect(table.button(verb)).to_have_count(1)
    table.button(verb).click()
    table.calm()
    expect(table.button(re.compile(f"^{verb}"))).to_have_count(0)
    after = {unit["id"]: unit for unit in made.state(mine)["view"]["units"]}
    assert sorted(str(after[id_]["hex"]) for id_ in (one, other)) == sorted([units[one]["hex"], "None"])
