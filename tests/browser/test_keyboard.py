"""Without a mouse: on the map, and on the text board, which is a page of its own."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import APIResponse, Page, Route, expect

from tests.browser.conftest import NewPage, Sit
from tests.browser.house import LENINGRAD, House, Rehearsal


def test_a_move_on_the_map(house: House, sit: Sit) -> None:
    table = sit(house.table(**LENINGRAD, seats={"soviet": "random"}), "german")
    press = table.page.keyboard.press

    # Tab walks what can act; what is under the cursor is told.
    press("Tab")
    expect(table.told).to_contain_text("0111")
    press("Tab")
    expect(table.told).to_contain_text("0112")
    expect(table.told).to_contain_text("1 Inf")
    press("Enter")
    expect(table.strip.get_by_role("button", pressed=True)).to_have_count(1)
    table.wait_reach("0212")

    # Arrows walk the hexes; where one may go, the MP left are told.
    press("ArrowRight")
    expect(table.told).to_contain_text(re.compile("02(11|12)"))
    expect(table.told).to_contain_text("MP left")
    press("Enter")
    expect(table.log).to_contain_text(re.compile("0112 to 02(11|12)"))
    press("u")
    expect(table.log).not_to_contain_text(re.compile("0112 to 02(11|12)"))

    # Esc puts down what is in hand.
    press("Enter")
    table.calm()
    press("Escape")
    table.calm()

    # Space ends the phase; what that would cost is said before, and the safe answer is the first.
    press(" ")
    warning = table.page.get_by_role("dialog")
    expect(warning.get_by_role("button", name="Go back")).to_be_focused()
    press("Tab")
    press("Enter")
    expect(table.bar).to_contain_text("German Combat Phase")

    press("?")
    expect(table.page.get_by_role("dialog")).to_be_visible()
    press("Escape")
    expect(table.page.get_by_role("dialog")).to_be_hidden()


def test_an_attack_on_the_map(house: House, sit: Sit, to_combat: Callable[[str], Rehearsal]) -> None:
    arranged = to_combat("0")
    table = sit(house.table(*arranged.answers, **LENINGRAD, seed="0", seats={"soviet": "random"}), "german")
    press = table.page.keyboard.press
    target = arranged.options[0][1]
    press("Tab")
    expect(table.told).to_contain_text(target)
    press("Enter")
    expect(table.odds).to_be_visible()
    beside = next(u["hex"] for u in arranged.units("german") if u["id"] == "1-pz")
    while beside not in table.told.inner_text():
        press("Tab")
    press("a")
    expect(table.odds.locator(".column b")).not_to_be_empty()
    press(" ")
    expect(table.log).to_contain_text(f"on {target}")
    expect(table.log).to_contain_text(re.compile(r"Die roll \d at"))


def test_the_text_board_is_played_by_keyboard_alone(house: House, new_page: NewPage) -> None:
    made = house.table(**LENINGRAD, seats={"soviet": "random"})
    page = new_page()
    page.goto(made.page("text") + "#" + made.tokens["german"])
    expect(page.get_by_role("heading", level=1)).to_contain_text("Leningrad")
    log = page.get_by_role("log")

    tab_to(page, "Select: 1 Inf, 0112")
    page.keyboard.press("Enter")
    tab_to(page, re.compile("^Move to: 0212"))
    page.keyboard.press("Enter")
    tab_to(page, "Halt here")
    page.keyboard.press("Enter")
    expect(log).to_contain_text("1 Inf: 0112 to 0212.")
    expect(page.get_by_role("button", name="Halt here")).to_have_count(0)
    tab_to(page, "Undo")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Halt here")).to_be_visible()
    tab_to(page, "Undo")
    page.keyboard.press("Enter")
    expect(log).not_to_contain_text("1 Inf: 0112 to 0212.")
    tab_to(page, "Undo")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)

    # A whole move at once, with what it would cost.
    tab_to(page, re.compile("^how far"))
    page.keyboard.press("Enter")
    choice = page.get_by_role("region", name="What you can do").get_by_role("combobox")
    expect(choice).to_be_visible()
    expect(choice).to_contain_text("MP left")
    choice.press("End")
    tab_to(page, "Go there")
    page.keyboard.press("Enter")
    expect(log).to_contain_text(re.compile(r"(Pz|Mot|Inf).*: 011\d.* to "))
    tab_to(page, "End phase")
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_contain_text("German Combat Phase")
    tab_to(page, "End phase")
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_contain_text("German Air Interdiction Phase")
    tab_to(page, "End phase")
    page.keyboard.press("Enter")
    expect(log).to_contain_text(re.compile(r"\b(RD|TD): \d{4}"))
    expect(page.get_by_role("heading", name="What you can do")).to_be_visible()


def test_whoever_has_gone_on_is_not_called_back_when_the_server_answers(
    house: House, new_page: NewPage
) -> None:
    """What an answer has changed is often on the page before it is known that it counts."""
    made = house.table(**LENINGRAD, seats={"soviet": "random"})
    page = new_page()
    page.goto(made.page("text") + "#" + made.tokens["german"])
    tab_to(page, "Select: 1 Inf, 0112")
    held: list[tuple[Route, APIResponse]] = []
    page.route("**/actions*", lambda route: held.append((route, route.fetch())), times=1)
    page.keyboard.press("Enter")
    tab_to(page, "Undo")
    wait_until(page, lambda: bool(held))
    [(route, answer)] = held
    with page.expect_response("**/actions*"):
        route.fulfill(response=answer)
    page.wait_for_timeout(300)
    expect(page.get_by_role("button", name="Undo")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)


def wait_until(page: Page, seen: Callable[[], bool]) -> None:
    """While the page goes on."""
    for _ in range(200):
        if seen():
            return
        page.wait_for_timeout(50)
    raise AssertionError("not seen in ten seconds")


def tab_to(page: Page, name: str | re.Pattern[str], limit: int = 400) -> None:
    """Press Tab until a button of this name has the focus."""
    wanted = re.compile(f"^{re.escape(name)}$") if isinstance(name, str) else name
    expect(page.get_by_role("button", name=wanted).first).to_be_visible()
    seen = []
    for _ in range(limit):
        page.keyboard.press("Tab")
        text: str = page.evaluate("() => (document.activeElement?.innerText ?? '').trim()")
        if wanted.search(text):
            return
        seen.append(text)
    raise AssertionError(f"{name} was not reached: {seen[-30:]}")
