"""The end of a game: a save near its end is loaded in the lobby and played by clicking to the verdict."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from grognard.kernel import Game
from grognard.players import seat as computer
from tests.browser.conftest import NewPage
from tests.browser.house import House, Rehearsal
from tests.browser.table_page import TablePage


@pytest.fixture(scope="module")
def twelfth_turn(leningrad: Game[Any]) -> Rehearsal:
    """A game played at random up to the German movement of its last turn."""
    game = Rehearsal(leningrad, "the last turn")
    players = [computer("random", side) for side in leningrad.sides]
    while leningrad.turn(game.match.state) < 12 or game.phase != "german-movement":
        actor = leningrad.actor(game.match.state)
        assert actor is not None
        game.act(*leningrad.encode(players[actor].choose(leningrad, game.match.state, actor)))
    return game


def test_the_last_turn_by_clicking_to_the_verdict(
    house: House, new_page: NewPage, twelfth_turn: Rehearsal, tmp_path: Path
) -> None:
    save = tmp_path / "game.json"
    save.write_text(twelfth_turn.match.save(), encoding="utf-8")
    page = new_page()
    page.goto(house.url)
    page.locator("input[type=file]").set_input_files(save)
    page.get_by_role("dialog").get_by_label("Soviet").select_option("human")
    page.get_by_role("button", name="Load").click()
    table = TablePage(page).ready()
    expect(table.bar).to_contain_text("Turn 12 of 12")
    table.whole_map()

    origin, goal = _some_move(twelfth_turn)
    table.click(origin)
    table.wait_reach(goal)
    table.click(goal)
    expect(table.log).to_contain_text(re.compile(rf"{origin}\b.* to {goal}\b"))

    phases = [table.when]
    while "over" not in table.sentence.inner_text():
        table.end_phase()
        phases.append(table.when)
    assert any("German Combat" in phase for phase in phases)
    assert any("Soviet Movement" in phase for phase in phases)
    expect(table.sentence).to_contain_text("The game is over:")
    expect(table.sentence).to_contain_text(re.compile("victory|draw", re.IGNORECASE))
    expect(table.bar).to_contain_text("The game is over")
    expect(table.dock.get_by_role("button")).to_have_count(0)

    # Anybody can now check the dice.
    table.menu("Check the dice")
    _verified(page)
    _not_verified_when_tampered_with(page)


def _some_move(game: Rehearsal) -> tuple[str, str]:
    """From a hex with one unit that can move to an empty one that it reaches."""
    adviser = game.game.adviser
    assert adviser is not None
    units = game.units("german")
    taken = [unit["hex"] for unit in units if unit["hex"]]
    for words in game.options:
        if words[0] != "pick":
            continue
        hex_number = next(unit["hex"] for unit in units if unit["id"] == words[1])
        reach = adviser.reach(game.match.state, [game.game.unit_index(words[1])])
        if taken.count(hex_number) == 1 and isinstance(reach, dict):
            free = [game.game.board.number(cell) for cell in reach]
            free = [number for number in free if number not in taken]
            if free:
                return hex_number, free[0]
    raise AssertionError("nobody can move")


def _verified(page: Page) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text("The dice, checked")
    # The promise, one's own share in it, and every roll.
    said = page.get_by_role("status")
    expect(said).to_have_count(3)
    for line in said.all():
        expect(line).to_have_class(re.compile(r"\bgood\b"))
    expect(page.get_by_role("row").nth(1)).to_contain_text("✓")


def _not_verified_when_tampered_with(page: Page) -> None:
    def tamper(route: Route) -> None:
        answer = route.fetch()
        body = answer.json()
        roll = next(roll for roll in body["rolls"] if len(roll["weights"]) > 1)
        other = next(words for words, _ in roll["weights"] if words != roll["answer"])
        roll["answer"] = other
        route.fulfill(response=answer, json=body)

    page.route("**/rolls*", tamper)
    page.reload()
    expect(page.get_by_role("cell", name="✗")).to_have_count(1)
    expect(page.get_by_role("status").last).to_have_class(re.compile(r"\bno\b"))
    page.unroute("**/rolls*")

    def another_seed(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json={**answer.json(), "seed": "another"})

    page.route("**/rolls*", another_seed)
    page.reload()
    expect(page.get_by_role("status").first).to_have_class(re.compile(r"\bno\b"))
