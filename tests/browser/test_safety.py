"""No single click ruins a game: what ends something counts once, what it costs is said, everything that is
taken back can be given again, and the past can be played on without losing the present."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Sit
from tests.browser.house import LENINGRAD, House, Rehearsal, Table, answers
from tests.browser.table_page import TablePage

both = pytest.mark.parametrize("lang", ["en", "fr"])
NAMES = {
    "end": {"en": "End phase", "fr": "Terminer la phase"},
    "back": {"en": "Go back", "fr": "Revenir"},
    "cost": {"en": "This would cost you", "fr": "Cela vous coûterait"},
    "undo-phase": {"en": "Back to the start of the phase", "fr": "Revenir au début de la phase"},
    "redo-all": {"en": "Redo everything", "fr": "Tout rétablir"},
    "replay": {"en": "Replay from the start", "fr": "Revoir depuis le début"},
    "from-here": {"en": "Play on from here", "fr": "Reprendre d’ici"},
    "branch": {"en": "As a new table", "fr": "À une nouvelle table"},
}


def marched(house: House, *units: str) -> Table:
    made = house.table(**LENINGRAD, seats={"soviet": "random"})
    for unit in units:
        for words in (["pick", unit], ["step", "0212"], ["halt"]):
            made.act(words, "german")
    return made


@both
def test_d1_a_double_click_does_not_end_a_phase_that_destroys_units(
    house: House, sit: Sit, lang: str
) -> None:
    made = house.table(**LENINGRAD, seats={"soviet": "random"})
    table = sit(made, "german", lang=lang)
    before = made.state("german")["version"]
    table.button(NAMES["end"][lang]).dblclick()
    warning = table.page.get_by_role("dialog")
    expect(warning).to_contain_text(NAMES["cost"][lang])
    # The hexes that hold too many, how many each loses, and the case.
    expect(warning.get_by_role("listitem").filter(has_text="0111")).to_contain_text("SS Totenkopf")
    expect(warning.get_by_role("button", name="4.6").first).to_be_visible()
    expect(warning.get_by_role("button", name=NAMES["back"][lang])).to_be_focused()
    assert made.state("german")["version"] == before
    table.page.keyboard.press("Enter")
    expect(warning).to_be_hidden()
    assert made.state("german")["version"] == before


def test_d1_a_press_that_ends_something_counts_once(house: House, sit: Sit) -> None:
    """With nothing left to do, a double-click ends this phase and not the next one too."""
    made = house.table(game="crossroads", scenario="morning", hotseat=True)
    made.act(["stake", "amber-3"])
    made.act(["stake", "cobalt-1"])
    table = sit(made, "amber")
    before = made.state("amber")["moments"]
    for _ in range(4):
        box = table.dock.locator(".go").bounding_box()
        assert box is not None
        table.page.mouse.dblclick(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        table.calm()
        expect(table.dock.locator(".go")).to_be_enabled()
        after = made.state("amber")["moments"]
        assert after - before <= 1
        before = after


@both
def test_d2_the_past_is_left_only_after_a_question_and_a_branch_keeps_the_present(
    house: House, sit: Sit, lang: str
) -> None:
    made = marched(house, "1-inf", "11-inf")
    table = sit(made, "german", lang=lang)
    page = table.page
    moments = made.state("german")["moments"]
    table.menu(NAMES["replay"][lang])
    page.get_by_role("slider").fill("3")
    page.get_by_role("button", name=NAMES["from-here"][lang]).click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    assert made.state("german")["moments"] == moments
    here = page.url
    dialog.get_by_role("button", name=NAMES["branch"][lang]).click()
    page.wait_for_url(lambda url: url != here)
    other = TablePage(page).ready()
    expect(other.log).to_contain_text(re.compile("1 Inf|1 DI"))
    expect(other.log).not_to_contain_text(re.compile("11 (Inf|DI)"))
    # It says where it comes from, and the first table is as it was.
    assert re.search("from turn 1|à partir du tour 1", page.title())
    assert made.state("german")["moments"] == moments


@both
def test_d3_what_a_click_takes_back_another_gives_again(house: House, sit: Sit, lang: str) -> None:
    made = marched(house, "1-inf", "11-inf")
    table = sit(made, "german", lang=lang)
    version = made.state("german")["version"]
    table.button(NAMES["undo-phase"][lang]).click()
    again = table.dock.get_by_role("button", name=NAMES["redo-all"][lang])
    expect(again).to_be_visible()
    assert made.state("german")["moments"] == 0
    again.click()
    expect(table.log).to_contain_text(re.compile("11 (Inf|DI)"))
    assert made.state("german")["version"] == version


def test_the_end_of_ones_turn_is_taken_back_until_the_other_side_has_answered(
    house: House, sit: Sit, to_combat: Callable[[str], Rehearsal]
) -> None:
    made = house.resume(to_combat("0"), seats={"german": "human", "soviet": "human"})
    german, soviet = sit(made, "german"), sit(made, "soviet")
    while "Air Interdiction" not in german.when:
        german.end_phase()
    german.end_phase()
    expect(soviet.bar).to_contain_text("Your move")
    german.button("Undo").click()
    expect(german.bar).to_contain_text("German Air Interdiction Phase")
    expect(german.bar).to_contain_text("Your move")
    expect(soviet.bar).to_contain_text("German player to move")
    german.button("Redo").click()
    expect(soviet.bar).to_contain_text("Your move")
    # The other side has answered: now it is final.
    unit = next(each for each in answers(made.state("soviet")) if each[0] == "pick")
    made.act(unit, "soviet")
    expect(german.button("Undo")).to_be_disabled()
