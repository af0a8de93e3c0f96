"""The hand: what is selected goes where one clicks, and if it cannot, the answer is about the hex clicked."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import APIResponse, Route, expect

from tests.browser.conftest import Sit
from tests.browser.house import LENINGRAD, House, Rehearsal, Table, answers
from tests.browser.table_page import TablePage
from tests.browser.test_first_turn import _sure_win

PHONE = {"width": 390, "height": 844}


def standing(made: Table, hex_: str, seat: str = "german") -> list[str]:
    return [unit["id"] for unit in made.state(seat)["view"]["units"] if unit["hex"] == hex_]


def chosen(table: TablePage) -> list[str]:
    pressed = table.strip.locator(".unit[aria-pressed=true]")
    return [unit.get_attribute("aria-label") or "" for unit in pressed.all()]


@pytest.fixture
def fresh(house: House) -> Table:
    return house.table(**LENINGRAD, seats={"soviet": "random"})


def test_d8_a_full_hex_is_answered_about(fresh: Table, sit: Sit) -> None:
    """The page took the click for a choice of the units there, and said that they had finished their move."""
    for unit in standing(fresh, "0112")[:3]:
        order = {"order": {"order": "move", "units": [unit], "path": ["0212"]}}
        fresh.house.post(f"/api/tables/{fresh.id}/orders", order, fresh.tokens["german"])
    table = sit(fresh, "german")
    table.whole_map()
    before = fresh.state("german")["version"]
    table.click("0112")
    expect(table.strip.locator(".unit[aria-pressed=true]").first).to_be_visible()
    table.click("0212")
    expect(table.refusal).to_contain_text("0212")
    expect(table.refusal.get_by_role("button", name="4.6")).to_be_visible()
    assert fresh.state("german")["version"] == before


def test_d17_reach_shows_only_hexes_where_all_may_stay(fresh: Table, sit: Sit) -> None:
    """Where two stand already there is room for one more, not for two."""
    for unit in standing(fresh, "0112")[:2]:
        order = {"order": {"order": "move", "units": [unit], "path": ["0212"]}}
        fresh.house.post(f"/api/tables/{fresh.id}/orders", order, fresh.tokens["german"])
    table = sit(fresh, "german")
    table.whole_map()
    table.click("0112")
    table.strip.locator(".unit").first.click()
    table.wait_reach("0212")
    table.strip.locator(".unit").nth(1).click(modifiers=["Shift"])
    expect(table.strip.locator(".unit[aria-pressed=true]")).to_have_count(2)
    table.calm()
    assert not table.reaches("0212")
    table.strip.locator(".unit").nth(1).click(modifiers=["Shift"])
    table.wait_reach("0212")


def test_one_is_left_out_of_a_stack_before_the_server_has_said_who_goes_together(
    fresh: Table, sit: Sit
) -> None:
    table = sit(fresh, "german")
    table.whole_map()
    table.click("0112")
    pressed = table.strip.locator(".unit[aria-pressed=true]")
    expect(pressed.nth(1)).to_be_visible()
    together = chosen(table)
    for _ in range(2):
        table.page.keyboard.press("Escape")
    expect(pressed).to_have_count(0)
    held: list[tuple[Route, APIResponse]] = []

    def hold(route: Route) -> None:
        if held or (route.request.post_data_json or {})["ask"] != "reach":
            route.continue_()
        else:
            held.append((route, route.fetch()))

    table.page.route("**/ask*", hold)
    table.click("0112")
    one = table.strip.get_by_role("button", name=together[0], exact=True)
    one.click(modifiers=["Shift"])
    table.page.wait_for_timeout(500)
    [(route, answer)] = held
    route.fulfill(response=answer)
    expect(pressed).to_have_count(len(together) - 1)
    expect(one).to_have_attribute("aria-pressed", "false")


def test_d8_a_far_hex_is_answered_about(fresh: Table, sit: Sit) -> None:
    table = sit(fresh, "german")
    table.whole_map()
    table.click("0111")
    table.unit("1 Pz").click()
    table.unit("6 Pz").click(modifiers=["Shift"])
    table.wait_reach("0210")
    table.click("0410")
    expect(table.refusal).to_contain_text(re.compile(r"0410 Kelmė|0410 \(Kelmė\)"))
    expect(table.refusal).to_contain_text("out of reach")


def test_a_stack_goes_in_two_clicks(fresh: Table, sit: Sit) -> None:
    table = sit(fresh, "german")
    table.whole_map()
    table.click("0111")
    expect(table.strip.locator(".unit[aria-pressed=true]")).to_have_count(3)
    expect(table.refusal).to_be_hidden()
    table.wait_reach("0210")
    table.click("0210")
    expect(table.log).to_contain_text(re.compile("0111 Tilsit to 0210|0111 \\(Tilsit\\) to 0210"))
    assert len(standing(fresh, "0210")) == 3


def test_what_is_laid_open_covers_no_hex_next_door(fresh: Table, sit: Sit) -> None:
    """Neither the strip below the map nor the counters fanned out on it, at any zoom and place."""
    table = sit(fresh, "german")
    page = table.page
    for hex_, at in (("0111", (400, 500)), ("0113", (300, 700)), ("0113", (300, 760)), ("0111", (640, 200))):
        x, y = table.spot(hex_)
        page.mouse.move(700, 450)
        page.mouse.down()
        page.mouse.move(700 + at[0] - x, 450 + at[1] - y, steps=2)
        page.mouse.up()
        table.click(hex_)
        expect(table.strip.locator(".unit[aria-pressed=true]").first).to_be_visible()
        table.calm()
        near = [near for near in NEIGHBOURS[hex_] if table.reaches(near) and table.in_window(near)]
        assert near
        for goal in near:
            table.bare(goal)
        # Fanned out: a click next door is still a march, not a choice of a counter.
        table.click(hex_)
        for goal in near:
            table.hover(goal)
            assert table.hovered() == goal
        page.keyboard.press("Escape")
        page.keyboard.press("Escape")
        page.keyboard.press("+")


NEIGHBOURS = {
    "0111": ["0110", "0112", "0210", "0211"],
    "0112": ["0111", "0113", "0211", "0212"],
    "0113": ["0112", "0212", "0213"],
}


def test_a_march_that_returns_is_told_as_such(house: House, sit: Sit) -> None:
    made = house.table(game="crossroads", scenario="morning", hotseat=True)
    for words in (["stake", "amber-3"], ["stake", "cobalt-1"], ["lift", "first-amber"]):
        made.act(words)
    home = next(u["hex"] for u in made.state("amber")["view"]["units"] if u["id"] == "first-amber")
    away = next(each[1] for each in answers(made.state("amber")) if each[0] == "tread")
    for words in (["tread", away], ["tread", home], ["rest"]):
        if words in answers(made.state("amber")):
            made.act(words)
    table = sit(made, "amber")
    expect(table.log).to_contain_text(re.compile(rf"from {home}.* to {away}.* and back\."))
    expect(table.log).not_to_contain_text(re.compile(rf"{home}[^.]* to {home}"))


def test_a_place_is_written_in_one_form(fresh: Table, sit: Sit) -> None:
    """In the log a march was told with `0111 Tilsit`, a step with `0111 (Tilsit)`."""
    for words in (["pick", "1-inf"], ["step", "0111"], ["step", "0210"], ["halt"]):
        if words in answers(fresh.state("german")):
            fresh.act(words, "german")
    table = sit(fresh, "german")
    table.whole_map()
    table.hover("0111")
    expect(table.page.locator("aside.card")).to_contain_text("0111 (Tilsit)")
    assert "0111 Tilsit" not in table.page.locator("body").inner_text()


def test_d12_a_finger_chooses_some_units_of_a_stack(fresh: Table, sit: Sit) -> None:
    table = sit(fresh, "german", has_touch=True, **PHONE)
    page = table.page
    page.touchscreen.tap(*table.bare("0111"))
    expect(table.strip.locator(".unit[aria-pressed=true]")).to_have_count(3)
    names = ("1 Pz", "6 Pz", "8 Pz")
    for name in [label.split(", ")[1] for label in chosen(table)]:
        if name not in names:
            table.unit(name).tap()
    for name in names:
        if table.unit(name).get_attribute("aria-pressed") != "true":
            table.unit(name).tap()
    assert sorted(label.split(", ")[1] for label in chosen(table)) == sorted(names)
    expect(table.refusal).to_be_hidden()
    table.wait_reach("0210")


def test_d20_the_map_stays_under_the_pointer(fresh: Table, sit: Sit) -> None:
    table = sit(fresh, "german")
    page = table.page
    for hex_ in ("0111", "0112", "0113"):
        x, y = table.bare(hex_)
        page.mouse.click(x, y)
        expect(table.strip).to_be_visible()
        table.calm()
        assert table.spot(hex_) == pytest.approx((x, y), abs=1)
        page.keyboard.press("Escape")
        page.keyboard.press("Escape")


def test_d22_a_click_on_what_is_in_hand_drops_nobody(fresh: Table, sit: Sit) -> None:
    for words in (["pick", "1-pz"], ["add", "6-pz"], ["step", "0210"]):
        fresh.act(words, "german")
    table = sit(fresh, "german")
    table.whole_map()
    before = fresh.state("german")["decision"]["hand"]["units"]
    table.click("0210")
    expect(table.strip).to_contain_text("0210")
    table.calm()
    assert fresh.state("german")["decision"]["hand"]["units"] == before


def test_next_unit_and_stay(fresh: Table, sit: Sit) -> None:
    table = sit(fresh, "german")
    reminder = table.dock.locator(".reminder")
    number = int(re.findall(r"\d+", reminder.inner_text())[0])
    table.page.keyboard.press("n")
    taken = 3
    expect(table.strip.locator(".unit[aria-pressed=true]")).to_have_count(taken)
    table.page.keyboard.press("s")
    expect(reminder).to_contain_text(f"{number - taken} ")
    # The list of those who have not moved, as counters.
    reminder.click()
    waiting = table.page.get_by_role("region", name="Units that have not moved")
    expect(waiting.locator(".unit")).to_have_count(number - taken)
    waiting.locator(".unit").first.click()
    expect(table.strip.locator(".unit[aria-pressed=true]")).to_have_count(1)


def test_a_box_around_stacks_marches_them_together(fresh: Table, sit: Sit) -> None:
    table = sit(fresh, "german")
    table.whole_map()
    page = table.page
    (x1, y1), (x2, y2) = table.spot("0112"), table.spot("0113")
    page.keyboard.down("Shift")
    page.mouse.move(min(x1, x2) - 12, min(y1, y2) - 12)
    page.mouse.down()
    page.mouse.move(max(x1, x2) + 12, max(y1, y2) + 12, steps=4)
    page.mouse.up()
    page.keyboard.up("Shift")
    before = len(standing(fresh, "0112")) + len(standing(fresh, "0113"))
    table.click("0212")
    expect(table.dock.locator(".note")).to_contain_text("0212")
    assert len(standing(fresh, "0112")) + len(standing(fresh, "0113")) < before


# Advances and retreats


@pytest.fixture
def won(house: House, sit: Sit, to_combat: Callable[[str], Rehearsal]) -> tuple[Table, TablePage, str]:
    """An attack that empties its hex, made; the attackers may advance."""
    seed, target, attackers = _sure_win(to_combat)
    made = house.resume(to_combat(seed), seats={"soviet": "random"})
    order = {"order": "attack", "targets": [target], "units": attackers, "extras": {"air": 0}}
    house.post(f"/api/tables/{made.id}/orders", {"order": order}, made.tokens["german"])
    for _ in range(20):
        state = made.state("german")
        if state["decision"] and any(len(each) == 3 for each in answers(state)):
            break
        only = answers(state)
        if only:
            made.act(only[0], "german")
    table = sit(made, "german")
    table.whole_map()
    return made, table, target


def test_d4_a_second_unit_follows_into_the_hex(won: tuple[Table, TablePage, str]) -> None:
    made, table, target = won
    options = [each for each in answers(made.state("german")) if each[-1] == target and len(each) == 3]
    made.act(options[0], "german")
    expect(table.log).to_contain_text("advances into")
    table.calm(made.state("german")["version"])
    more = [each for each in answers(made.state("german")) if each[-1] == target and len(each) == 3]
    assert more
    unit = next(u for u in made.state("german")["view"]["units"] if u["id"] == more[0][1])
    table.click(unit["hex"])
    name = made.house.get("/api/games/leningrad/kit?lang=en")["counters"][unit["id"]]["name"]
    if table.unit(name).is_visible():
        table.unit(name).click()
    table.click(target)
    table.calm()
    assert len(standing(made, target)) >= 2


def test_d5_all_advance_with_one_click(won: tuple[Table, TablePage, str]) -> None:
    made, table, target = won
    may = {each[1] for each in answers(made.state("german")) if each[-1] == target and len(each) == 3}
    table.dock.get_by_role("button", name=re.compile("all units")).click()
    expect(table.log).to_contain_text("advances into")
    table.calm()
    assert len(standing(made, target)) == min(3, len(may))


def test_d16_every_entry_of_a_menu_can_be_reached(won: tuple[Table, TablePage, str]) -> None:
    _, table, target = won
    # The hex lies just above the dock, under which the menu would run.
    page, dock = table.page, table.dock.bounding_box()
    assert dock is not None
    for _ in range(3):
        page.keyboard.press("+")
    table.calm()
    x, y = table.spot(target)
    page.mouse.move(700, 200)
    page.mouse.down()
    page.mouse.move(700 + 640 - x, 200 + dock["y"] - 40 - y, steps=3)
    page.mouse.up()
    table.click(target)
    menu = table.page.get_by_role("menu")
    expect(menu).to_be_visible()
    top = """(item) => { const b = item.getBoundingClientRect();
        return item.contains(document.elementFromPoint(b.x + b.width / 2, b.y + b.height / 2)); }"""
    for item in menu.get_by_role("menuitem").all():
        item.evaluate("(item) => { item.parentElement.scrollTop = item.offsetTop; }")
        assert item.evaluate(top), item.inner_text()


def test_d10_air_support_is_asked_once(house: House, sit: Sit, to_combat: Callable[[str], Rehearsal]) -> None:
    seed, target, _ = _sure_win(to_combat)
    made = house.resume(to_combat(seed), seats={"soviet": "random"})
    table = sit(made, "german")
    table.whole_map()
    table.click(target)
    table.odds.get_by_role("button", name="All eligible units").click()
    table.odds.get_by_role("group", name="Air support").get_by_role("button", name="1").click()
    table.button("Resolve the combat").click()
    expect(table.log).to_contain_text("Air units in support: 1.")
    expect(table.log).to_contain_text("Die roll")


@pytest.mark.parametrize(("lang", "combat"), [("en", "On to combat"), ("fr", "Passer au combat")])
def test_d23_a_button_says_where_it_leads(house: House, sit: Sit, lang: str, combat: str) -> None:
    made = house.table(game="a_victory_lost", hotseat=True)
    for _ in range(60):
        seat = next(side for side in ("axis", "soviet") if made.state(side)["decision"])
        state = made.state(seat)
        if state["decision"]["name"] == "pick-unit":
            break
        made.act(answers(state)[-1 if ["pass"] in answers(state) else 0], seat)
    table = sit(made, "soviet", lang=lang)
    expect(table.button(combat)).to_be_visible()
