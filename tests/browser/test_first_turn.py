"""A fresh game against the computer, by clicking."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.conftest import NewPage, Sit
from tests.browser.house import House, Rehearsal
from tests.browser.table_page import TablePage


def test_from_the_lobby_to_the_computers_answer(house: House, new_page: NewPage) -> None:
    page = new_page(guided=True)
    page.goto(house.url)
    page.get_by_role("radio", name=re.compile("^Leningrad")).check()
    page.get_by_role("radio", name="German").check()
    page.get_by_label("Opponent").select_option(label="Computer: Random")
    page.get_by_label("Your name").fill("Hoepner")
    page.get_by_role("button", name="Play", exact=True).click()

    table = TablePage(page).ready()
    guide = page.get_by_role("complementary", name="First turn")
    expect(guide).to_be_visible()
    guide.get_by_role("button", name="Close the guide, I know the game").click()
    expect(guide).to_be_hidden()
    table.whole_map()

    # A click opens the stack with a unit in hand, and what it could reach is drawn with its cost.
    empty = table.picture("0212")
    table.click("0112")
    table.unit("1 Inf").click()
    expect(table.unit("1 Inf")).to_have_attribute("aria-pressed", "true")
    assert table.wait_reach("0212") < 6
    table.wait_drawn("0212", empty)

    # Pointing shows the way, and another click goes it.
    reach = table.picture("0212")
    table.hover("0212")
    table.wait_drawn("0212", reach)
    table.click("0212")
    expect(table.log).to_contain_text("1 Inf: 0112 to 0212.")

    # One step back; then several at once.
    table.button("Undo").click()
    expect(table.log).not_to_contain_text("1 Inf: 0112 to 0212.")
    table.click("0112")
    table.unit("1 Inf").click()
    expect(table.unit("1 Inf")).to_have_attribute("aria-pressed", "true")
    table.unit("11 Inf").click(modifiers=["Shift"])
    expect(table.unit("11 Inf")).to_have_attribute("aria-pressed", "true")
    table.wait_reach("0212")
    table.click("0212")
    expect(table.log).to_contain_text(re.compile("1 Inf, 11 Inf: 0112 to 0212|11 Inf: 0112 to 0212"))

    # What ending the phase would cost is said before.
    expect(table.dock.locator(".reminder")).to_contain_text("units can still act")
    table.end_phase()
    expect(table.bar).to_contain_text("German Combat Phase")
    table.end_phase()
    expect(table.bar).to_contain_text("German Air Interdiction Phase")
    table.end_phase()

    # The computer answers, line by line, until it is our turn or it wants something of us.
    expect(table.log).to_contain_text("Soviet Movement Phase.")
    expect(table.bar).to_contain_text("Your move")
    expect(table.log.get_by_role("listitem").last).to_be_in_viewport()


def test_an_attack_with_its_odds_and_an_advance(
    house: House, sit: Sit, to_combat: Callable[[str], Rehearsal]
) -> None:
    seed, target, attackers = _sure_win(to_combat)
    arranged = to_combat(seed)
    table = sit(house.resume(arranged, seats={"soviet": "random"}), "german")
    table.whole_map()

    # The enemy is clicked: the odds of everybody who may attack him; then one by one, as they grow.
    table.click(target)
    expect(table.odds).to_contain_text(f"Attack on {target}")
    expect(table.button(re.compile("Resolve the combat: all eligible units"))).to_be_enabled()
    first = next(unit for unit in arranged.units("german") if unit["id"] == attackers[0])
    everybody = table.odds.locator(".column").inner_text()
    table.click(first["hex"])
    expect(table.odds.locator(".column")).not_to_have_text(everybody, use_inner_text=True)
    alone = table.odds.locator(".column").inner_text()
    table.odds.get_by_role("button", name="All eligible units").click()
    expect(table.odds.locator(".column")).not_to_have_text(alone, use_inner_text=True)
    shift = table.odds.get_by_role("listitem").filter(has_text="Panzer corps in attack")
    expect(shift).to_contain_text(re.compile(r"\+[1-9]"))
    expect(shift.get_by_role("button", name="12.1")).to_be_visible()
    chances = table.odds.get_by_role("row").locator(".num").all_inner_texts()
    assert sum(int(chance.rstrip("%")) for chance in chances if "<" not in chance) in range(97, 104)
    # They stand inside the panel, whatever is said of the results.
    panel, number = table.odds.bounding_box(), table.odds.locator(".num").first.bounding_box()
    assert panel and number and number["x"] + number["width"] <= panel["x"] + panel["width"]

    # Changing one's mind costs nothing before the dice.
    table.odds.get_by_role("button", name="Cancel the attack").click()
    expect(table.odds).to_be_hidden()
    expect(table.button("End phase")).to_be_enabled()
    moves = table.log.inner_text()
    table.click(target)
    expect(table.odds).to_be_visible()
    table.button("Undo").click()
    expect(table.odds).to_be_hidden()
    expect(table.log).to_have_text(moves, use_inner_text=True)
    table.click(target)
    table.odds.get_by_role("button", name="All eligible units").click()
    expect(table.button("Resolve the combat")).to_be_enabled()
    table.button("Resolve the combat").click()

    # The die stands where it was rolled, and the ground is taken.
    expect(table.news).to_contain_text("Die")
    expect(table.log).to_contain_text(re.compile(r"Die roll \d at .*: E/-"))
    table.click(first["hex"])
    table.strip.get_by_role("button", name="can act").first.click()
    table.click(target)
    expect(table.log).to_contain_text(f"advances into {target}")
    table.button("Stop advancing").click()
    expect(table.button("End phase")).to_be_visible()


def _sure_win(to_combat: Callable[[str], Rehearsal]) -> tuple[str, str, list[str]]:
    """Dice with which the first attack wipes the defender out, so that only an advance is left to choose."""
    for number in range(40):
        game = to_combat(str(number))
        target = game.options[0][1]
        game.act("target", target)
        attackers = [unit for verb, unit in game.options if verb == "join"]
        for unit in attackers:
            game.act("join", unit)
        game.act("fight")
        game.act("commit", "0")
        if game.options[0][0] == "advance":
            return str(number), target, attackers
    raise AssertionError("no such dice among the first")
