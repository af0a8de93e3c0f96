"""How many clicks a turn takes: the same as when the page was first tried, played by mouse alone and without
suggestions. Then it took 44 in Leningrad and 86 in A Victory Lost.

What is clicked is found out beside the page; every press of a button of the mouse is counted in the page.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable
from typing import Any

from grognard.kernel import Game
from grognard.kernel.registry import load_game
from grognard.players import seat as computer
from tests.browser.conftest import Sit
from tests.browser.house import PATIENCE, House, Json, Rehearsal, Table, answers
from tests.browser.table_page import ASK, CALM, TOP, TablePage

COUNT = "window.presses = 0; addEventListener('pointerdown', () => window.presses++, true)"
NEAR = 3.2
"""Stacks within so many hexes of each other go in one box."""


def rehearsed(game: Game[Any], until: Callable[[Rehearsal], bool], seed: str = "two turns") -> Rehearsal:
    """A game that the computer plays for both sides up to some point; the seed decides what is left to do."""
    found = Rehearsal(game, seed)
    players = [computer("greedy", side) for side in game.sides]
    while not until(found):
        side = min(game.must_act(found.match.state))
        assert found.match.act(side, players[side].choose(game, found.match.state, side)) is None
    return found


class Player:
    """Somebody with a mouse, who knows what is possible."""

    def __init__(self, made: Table, table: TablePage, seat: str) -> None:
        self.made, self.table, self.seat = made, table, seat
        self.page = table.page
        self.page.evaluate(COUNT)
        table.whole_map()
        self.marches = self.attacks = 0
        verbs = made.house.get(f"/api/games/{made.state(seat)['game']}/kit")["verbs"]
        self.closes_in = any(verb["role"] == "strike" for verb in verbs.values())
        """Whether a single stack sent at an enemy goes as near as it gets: where it could strike at once."""
        self.tried: set[str] = set()
        """Hexes whose units could not go nearer."""

    @property
    def clicks(self) -> int:
        pressed: int = self.page.evaluate("window.presses")
        return pressed

    def state(self) -> Json:
        """As it stands when everything that was sent has been carried out, and it is this seat's move."""
        while True:
            state = self.made.state(self.seat)
            mine = state["over"] or (state["decision"] and not state["thinking"])
            if mine and self.page.evaluate(CALM, state["version"]):
                return state
            self.page.wait_for_timeout(30)

    def options(self, verb: str) -> list[list[str]]:
        return [each for each in answers(self.state()) if each[0] == verb]

    def asked(self) -> str:
        name: str = self.state()["decision"]["name"]
        return name

    def press(self, name: str | re.Pattern[str]) -> None:
        before = self.made.state(self.seat)["version"]
        self.table.button(name).click()
        self.changed(before)

    def changed(self, before: str) -> None:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            if self.made.state(self.seat)["version"] != before:
                return
            self.page.wait_for_timeout(25)
        raise AssertionError(f"nothing came of it: {self.table.sentence.inner_text()}")

    def end(self) -> None:
        """Press the main button, and once more where it asks."""
        before = self.state()["version"]
        self.table.dock.locator(".go").click()
        armed, dialog = self.table.dock.locator(".armed"), self.page.get_by_role("dialog")
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            if self.made.state(self.seat)["version"] != before:
                return
            if dialog.is_visible():
                dialog.get_by_role("button", name=self.table.ALL_THE_SAME).click()
            elif armed.is_enabled() if armed.is_visible() else False:
                armed.click()
            self.page.wait_for_timeout(25)
        raise AssertionError("it does not end")

    # Marches

    def ready(self, verb: str = "pick") -> dict[str, list[str]]:
        """Who can still move, by hex."""
        state = self.state()
        where = {unit["id"]: unit["hex"] for unit in state["view"]["units"]}
        found: dict[str, list[str]] = {}
        for words in answers(state):
            if words[0] == verb and where[words[1]]:
                found.setdefault(where[words[1]], []).append(words[1])
        return found

    def march(self, most: int = 4) -> int:
        """Draw a box around stacks near each other and send them at the enemy; how many units went, none if
        nobody can go nearer."""
        ready, state = self.ready(), self.state()
        spots = self.spots(state)
        ready = {hex_: units for hex_, units in ready.items() if hex_ in spots}
        if not ready:
            return 0
        scale = min(math.dist(spots[a], spots[b]) for a in ready for b in spots if a != b)
        foes = {u["hex"] for u in state["view"]["units"] if u["hex"] in spots and u["side"] != self.seat}
        at = {hex_: spots[hex_] for hex_ in sorted(foes)}
        # Those who stand next to an enemy already have nowhere nearer to go.
        far = {h: min(math.dist(spots[h], place) for place in at.values()) for h in ready}
        able = [h for h in ready if far[h] > 1.4 * scale and h not in self.tried]
        if not able:
            return 0
        first = max(able, key=lambda h: (min(3, len(ready[h])), -far[h]))
        near = sorted(
            (h for h in able if math.dist(spots[h], spots[first]) < NEAR * scale),
            key=lambda h: (h != first, math.dist(spots[h], spots[first])),
        )[:most]
        if len(near) == 1 and not self.closes_in:
            self.tried |= {*near}
            return self.march(most)
        xs, ys = ([spots[h][k] for h in near] for k in (0, 1))
        goal = min(at, key=lambda h: math.dist(at[h], spots[first]))
        page = self.page
        page.keyboard.down("Shift")
        page.mouse.move(min(xs) - scale / 3, min(ys) - scale / 3)
        page.mouse.down()
        page.mouse.move(max(xs) + scale / 3, max(ys) + scale / 3, steps=3)
        page.mouse.up()
        page.keyboard.up("Shift")
        page.mouse.click(*at[goal])
        after = self.ready()
        went = [h for h in ready if len(after.get(h, [])) < len(ready[h])]
        self.marches += len(went)
        self.tried |= {*near} - {*went}
        return sum(map(len, ready.values())) - sum(map(len, after.values()))

    def spots(self, state: Json) -> dict[str, tuple[float, float]]:
        """Where the hexes with units are in the window, as far as nothing covers them."""
        hexes = sorted({unit["hex"] for unit in state["view"]["units"] if unit["hex"]})
        found = self.table.map.evaluate(f"(map, hexes) => hexes.map((hex) => ({ASK})(map, hex))", hexes)
        bare = self.page.evaluate(f"(all) => all.map((at) => !({TOP})([at.x, at.y]))", found)
        seen = zip(hexes, found, bare, strict=True)
        return {hex_: (at["x"], at["y"]) for hex_, at, clear in seen if clear}

    # Attacks

    def attack(self) -> bool:
        """On whoever everybody is best against, with everybody."""
        targets = [each[1] for each in self.options("target")]
        if not targets:
            return False
        before = self.state()["version"]
        self.table.click(targets[0])
        self.table.dock.locator("button.go:enabled").click()
        self.changed(before)
        self.attacks += 1
        self.settle()
        return True

    def settle(self) -> None:
        """Answer what a battle asks: the first loses a step, nobody advances, whoever must goes."""
        while self.asked() not in ("choose-target", "pick-unit", "interdict"):
            before = self.state()["version"]
            offered = answers(self.state())
            losing = next((each for each in offered if each[0] == "lose"), None)
            passing = next((each for each in offered if len(each) == 1), None)
            if losing is not None:
                self.answer(losing)
            elif passing is not None:
                name = self.made.house.get(f"/api/games/{self.state()['game']}/kit")["verbs"][passing[0]]
                label = name["labels"].get(self.asked(), name["label"])
                self.table.button(label).click()
            else:
                self.answer(offered[0])
            self.changed(before)

    def answer(self, words: list[str]) -> None:
        button = self.table.dock.locator(".buttons button:not(.main):not(.wide)").filter(has_text=": ")
        if words[0] == "lose" and button.first.is_visible():
            button.first.click()
            return
        piece = self.table.strip.locator(".piece:enabled").first
        if piece.is_visible():
            piece.click()
            return
        unit = self.table.strip.locator(".unit.ready").first
        if len(words) == 2 and unit.is_visible():
            unit.click()
            return
        together = self.table.dock.get_by_role("button", name=re.compile(": all units$"))
        if together.is_visible():
            together.click()
            return
        units = {u["id"]: u["hex"] for u in self.state()["view"]["units"]}
        self.page.mouse.click(*self.table.spot(words[-1] if words[-1] not in units else units[words[-1]]))
        # Several may go there: which, or as many as may. Several stand there: which.
        menu = self.page.get_by_role("menuitem")
        self.page.wait_for_timeout(60)
        if menu.first.is_visible():
            menu.first.click()
        elif words[0] == "lose" and unit.is_visible():
            unit.click()


def test_leningrad_turn_2_in_at_most_28_clicks(house: House, sit: Sit, leningrad: Game[Any]) -> None:
    """Nineteen units march, three of them arriving, one march is taken back and made again, two attacks."""
    game = rehearsed(leningrad, lambda g: leningrad.turn(g.match.state) == 2 and g.phase == "german-movement")
    made = house.resume(game, seats={"soviet": "random"})
    player = Player(made, sit(made, "german", forced=True), "german")
    moved = 0
    # Three arrive in one hex, one after the other.
    for k in range(3):
        unit, hex_ = player.options("enter" if not k else "add")[0][1], "0212"
        before = player.state()["version"]
        player.page.get_by_role("group", name="Reinforcements").locator(".unit").first.click()
        if not k:
            hex_ = next(each[2] for each in player.options("enter") if each[1] == unit)
            player.table.page.mouse.click(*player.table.spot(hex_))
        player.changed(before)
        moved += 1
    player.press("Halt here")
    while (moved < 19 or player.marches < 7) and (went := player.march()):
        moved += went
    player.press("Undo")
    player.press("Redo")
    player.end()
    while player.attacks < 2 and player.attack():
        pass
    assert player.attacks == 2
    player.end()
    while made.state("german")["turn"] == 2 and made.state("german")["phase"]["side"] == "german":
        player.end()
    assert moved >= 19
    assert player.marches + 2 >= 8  # those who arrived, and the march made again
    assert player.clicks <= 28, player.clicks


def test_a_victory_lost_turn_2_in_at_most_55_clicks(house: House, sit: Sit) -> None:
    """Chits, every activation of the turn, at least four of them, fifteen marches and eight attacks."""
    game = load_game("a_victory_lost")

    def chits(found: Rehearsal) -> bool:
        return game.turn(found.match.state) == 2 and found.actor == "soviet"

    made = house.resume(rehearsed(game, chits, "c"), seats={"axis": "random"})
    player = Player(made, sit(made, "soviet", forced=True), "soviet")
    activations = 0
    while (state := player.state())["turn"] == 2:
        asked = state["decision"]["name"]
        if asked == "pick-unit":
            activations += 1
            while player.marches < min(15, 4 * activations) and player.march():
                pass
            player.end()
        elif asked == "choose-target":
            while player.attacks < min(8, 4 * activations) and player.attack():
                pass
            player.end()
        else:
            player.settle()
    assert activations >= 4
    assert player.marches >= 15
    assert player.attacks >= 8
    assert player.clicks <= 55, player.clicks
