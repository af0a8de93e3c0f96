"""A learning scenario played to its end page by clicks alone.

The small game and Operation Uranus are played whenever the tests run; with `GROGNARD_LONG=yes` the others
are, too, Second Front on a tablet and on a phone as well, and the first turns of Uranus there.
"""

from __future__ import annotations

import os
import re
import time

import pytest
from playwright.sync_api import Locator, Page, TimeoutError, expect

from tests.browser.conftest import Sit
from tests.browser.house import House, Table, answers
from tests.browser.table_page import CALM, TablePage

LESSONS = {
    "leningrad": ("to_the_dvina", "german", "soviet", "en"),
    "a_victory_lost": ("little_saturn", "soviet", "axis", "fr"),
    "stalingrad_roads": ("wintergewitter", "axis", "soviet", "fr"),
    "typhoon": ("learning", "axis", "soviet", "en"),
    "second_front": ("sicily", "allied", "axis", "en"),
    "crossroads": ("skirmish", "amber", "cobalt", "en"),
}
LONGEST = 1500.0
"""Seconds, on a machine that is busy with other things."""
BACK = re.compile("Put back|Remettre")
"""What only takes an answer back is not pressed: it would be given again for ever."""
ATTACKS = 2
"""So many attacks are made in a phase, where there are more."""


UNEXPLAINED = """(panel) => {
    const changed = [...panel.querySelectorAll(".shares li")].filter((line) => line.querySelector("s"));
    const lines = [...changed, ...panel.querySelectorAll(".shifts li:not(.soft), .column")];
    const numbers = (line) => [...line.querySelectorAll("button")].map((each) => each.textContent);
    const named = (line) => numbers(line).some((text) => /[0-9]/.test(text));
    return lines.filter((line) => !named(line)).map((line) => line.textContent);
}"""
"""Lines of the odds that change a strength, the column or a result and name no case."""


LONG = bool(os.environ.get("GROGNARD_LONG"))
TABLET, PHONE = (820, 1180), (390, 844)
PLAYED = [(game, (1440, 900), lesson[-1]) for game, lesson in LESSONS.items() if LONG or game == "crossroads"]
PLAYED += [("second_front", TABLET, "fr"), ("second_front", PHONE, "fr")] if LONG else []


@pytest.mark.parametrize(("game", "size", "lang"), PLAYED)
def test_a_learning_scenario_to_its_end(
    house: House, sit: Sit, game: str, size: tuple[int, int], lang: str
) -> None:
    scenario, mine, theirs, _ = LESSONS[game]
    options = {"fog": True} if game == "crossroads" else {}
    made = house.table(game=game, scenario=scenario, options=options, seats={theirs: "random"})
    table = sit(made, mine, forced=True, lang=lang, width=size[0], height=size[1])
    play_to_the_end(made, table, mine, LONGEST)


WHOLE = (1440, 900, "en", 0)
PARTS = [(*TABLET, "fr", 2), (*PHONE, "fr", 2), (*PHONE, "en", 1)]


@pytest.mark.parametrize(("width", "height", "lang", "turns"), [WHOLE, *(PARTS if LONG else [])])
def test_uranus_against_the_computer(
    house: House, sit: Sit, width: int, height: int, lang: str, turns: int
) -> None:
    """To its end page, or so many turns of it."""
    made = house.table(game="stalingrad_roads", scenario="uranus", seats={"axis": "greedy"}, seed="u")
    table = sit(made, "soviet", forced=True, width=width, height=height, lang=lang)
    hand = play_to_the_end(made, table, "soviet", LONGEST, turns)
    assert hand.fought
    assert hand.explained >= hand.fought


def play_to_the_end(made: Table, table: TablePage, mine: str, longest: float, turns: int = 0) -> Clicks:
    """Answer by clicks until the game is over, and look at its end page; or until so many turns are over."""
    page, hand = table.page, Clicks(made, table, mine)
    until = time.monotonic() + longest
    clicks = 0
    asked: list[str] = []
    end = table.dock.locator("a[href$='/end']")
    # Before the first question the game may not have come to its first turn.
    while (first := made.state(mine))["decision"] is None and not first["over"]:
        page.wait_for_timeout(100)
    last = first["turn"] + turns if turns else None
    while not end.is_visible():
        if last is not None and made.state(mine)["turn"] >= last:
            return hand
        assert time.monotonic() < until, f"not over after {clicks} clicks: {table.sentence.inner_text()}"
        # What can be laid down and taken up again is not, for ever: after a while the phase is ended.
        enough = asked[-30:].count(asked[-1]) > 12 if asked else False
        clicks += hand.attack() or answer_by_click(made, table, mine, enough or hand.contented)
        asked.append(table.sentence.inner_text())
        # The same question a hundred times in a row: nothing that is clicked answers it.
        assert len(set(asked[-100:])) > 1 or len(asked) < 100, f"stuck: {asked[-1]}"
    assert made.state(mine)["over"]
    assert clicks
    end.click()
    expect(page).to_have_url(re.compile("/end$"))
    expect(page.get_by_role("heading").first).to_be_visible()
    # The game is gone through once more for what stands there.
    expect(page.locator("main section").first).to_be_visible(timeout=300_000)
    expect(page.get_by_role("alert")).to_have_count(0)
    return hand


class Clicks:
    """Who attacks by clicks: a hex, then the button; an attack that the rules refuse is given up."""

    def __init__(self, made: Table, table: TablePage, mine: str) -> None:
        self.made, self.table, self.mine = made, table, mine
        self.fought = 0
        self.refused = 0
        self.explained = 0
        """Attacks whose odds were on the table, with a case beside everything that changed a number."""
        self.contented = False
        """Whether it is asked whom to attack, and no more attacks are to be made."""
        self._phase = ""
        self._tried: list[str] = []

    def attack(self) -> int:
        """One attack, if the question is whom to attack and there are some left to be made."""
        decision = self.made.state(self.mine)["decision"]
        aims = ((decision or {}).get("hand") or {}).get("aims") or {}
        self.contented = False
        if not aims:
            return 0
        if self.table.when != self._phase:
            self._phase, self._tried = self.table.when, []
        left = [hex_ for hex_ in sorted(aims) if hex_ not in self._tried]
        self.contented = len(self._tried) >= ATTACKS or not left
        if self.contented:
            return 0
        self._tried.append(left[0])
        if not in_sight(self.table, left[0]):
            self.table.whole_map()
            self.table.calm()
        self.table.page.mouse.click(*self.table.spot(left[0]))
        self.table.calm()
        if not self.look():
            return 0
        if not press(self.table.page, self.table.dock.locator(".buttons button.main.go")):
            # The panel says why the attack cannot be made, and has a button to give it up.
            self.refused += press(self.table.page, self.table.odds.locator(".quick button").last)
            return 0
        if self.table.dock.get_by_role("alert").is_visible():
            self.refused += 1
            assert press(self.table.page, self.table.button(re.compile("^(Undo|Annuler)$")))
        else:
            self.fought += 1
        return 1

    def look(self) -> bool:
        """Whether there are odds of the attack that is being put together, and what they say of it."""
        try:
            self.table.odds.locator(".column, .no").first.wait_for(timeout=3000)
        except TimeoutError:
            return self.table.odds.is_visible()
        if self.table.odds.locator(".column").is_visible():
            dark: list[str] = self.table.odds.evaluate(UNEXPLAINED)
            assert not dark, f"nothing says why: {dark}"
            self.explained += 1
        return True


def answer_by_click(made: Table, table: TablePage, mine: str, enough: bool = False) -> int:
    """One click that answers the question on the table, if there is one: on a button, else on a counter in
    the strip, else on a hex of the map. With `enough` of it, on the button that ends something, if there is
    one."""
    page = table.page
    if page.get_by_role("dialog").is_visible():
        button = page.get_by_role("dialog").get_by_role("button", name=table.ALL_THE_SAME)
        return press(page, button) if button.is_visible() else 0
    ending = table.dock.locator(".buttons button.go:enabled").filter(has_not_text=BACK).last
    if enough and table.odds.is_visible():
        return press(page, table.odds.locator(".quick button").last)
    if enough and ending.is_visible():
        return press(page, ending)
    resting = table.dock.locator(".buttons button.go").filter(has_not_text=BACK).last
    if enough and resting.is_visible():
        page.wait_for_timeout(100)  # it rests for a moment
        return 0
    if table.strip.locator(".piece").first.is_visible():
        return press(page, table.strip.locator(".piece").first)
    if page.get_by_role("menuitem").first.is_visible():
        return press(page, page.get_by_role("menuitem").first)
    wanted = table.dock.locator(".buttons button.main:enabled, .buttons button.go:enabled")
    wanted = wanted.filter(has_not_text=BACK)
    if wanted.first.is_visible():
        return press(page, wanted.last)
    state = made.state(mine)
    offered = answers(state) if state["decision"] else []
    if not offered:
        page.wait_for_timeout(100)
        return 0
    units = {unit["id"]: unit["hex"] for unit in state["view"]["units"]}
    words = next((each for each in offered if len(each) > 1), None)
    if words is None:  # the one button there is rests for a moment
        page.wait_for_timeout(100)
        return 0
    # Where a unit is to go is answered by the hex: a click on the unit would only choose it again.
    ready = table.strip.locator(".unit.ready").first
    if len(words) == 2 and words[1] in units and ready.is_visible():
        return press(page, ready)
    hex_ = units.get(words[1], words[1]) if len(words) == 2 else words[2]
    if hex_ and not table.on_map(hex_):  # a box, say: its button is about to come
        page.wait_for_timeout(100)
        return 0
    if not in_sight(table, hex_):
        table.whole_map()
    if not in_sight(table, hex_) and table.news.is_visible():  # on a phone it covers half of the map
        press(page, table.news.get_by_role("button").last)
    if hex_:
        page.mouse.click(*table.spot(hex_))
    table.calm()
    return 1


def in_sight(table: TablePage, hex_: str | None) -> bool:
    """Whether a hex can be clicked where it is."""
    if not hex_:
        return True
    try:
        table.bare(hex_)
    except AssertionError:
        return False
    return True


def press(page: Page, button: Locator) -> int:
    """A click, unless the question was answered and its button gone before the hand was there."""
    try:
        button.click(timeout=1000)
    except TimeoutError:
        return 0
    page.wait_for_function(CALM, arg="")
    return 1
