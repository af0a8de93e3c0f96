"""What if (M10): the odds of any attack, in anybody's turn; reach and threat as layers; strengths."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from playwright.sync_api import expect

from grognard.kernel import Game
from grognard.players import seat as computer
from tests.browser.conftest import Sit
from tests.browser.house import LENINGRAD, PATIENCE, House, Rehearsal, Table


@pytest.fixture
def fresh(house: House) -> Table:
    return house.table(**LENINGRAD, seats={"soviet": "random"})


@pytest.fixture(scope="module")
def wounded(leningrad: Game[Any]) -> Rehearsal:
    """A game played by computers until a German unit has lost a step."""
    game = Rehearsal(leningrad, "wounded")
    players = [computer("greedy", side) for side in leningrad.sides]
    while not any("reduced" in unit["badges"] for unit in game.units("german")):
        actor = leningrad.actor(game.match.state)
        assert actor is not None
        game.act(*leningrad.encode(players[actor].choose(leningrad, game.match.state, actor)))
    return game


@pytest.mark.parametrize(
    ("lang", "button", "title", "back", "fight"),
    [
        ("en", "What if: the odds of any attack", "What if: attack on", "Back to the game", "Resolve"),
        (
            "fr",
            "Et si : le rapport de force de n’importe quelle attaque",
            "Et si : attaque contre",
            "Revenir au jeu",
            "Résoudre",
        ),
    ],
)
def test_the_odds_of_an_attack_that_nobody_can_make_yet(
    fresh: Table, sit: Sit, lang: str, button: str, title: str, back: str, fight: str
) -> None:
    """In the movement phase, on a hex that no German stands next to."""
    table = sit(fresh, "german", lang=lang)
    table.whole_map()
    before = fresh.state("german")["version"]
    table.page.get_by_role("button", name=button).click()
    table.click("0312")
    expect(table.odds).to_contain_text(f"{title} 0312")
    # Everybody who could come, at first; each with the hex that he would attack from.
    expect(table.odds.locator(".column b")).not_to_be_empty()
    expect(table.odds).to_contain_text(re.compile(r"→ \d{4}"))
    everybody = table.odds.locator(".column").inner_text()
    table.click("0111")
    chosen = table.strip.locator(".unit[aria-pressed=true]")
    expect(chosen.first).to_be_visible()
    while chosen.count() > 1:
        left = chosen.count() - 1
        chosen.last.click()
        expect(chosen).to_have_count(left)
    expect(table.odds.locator(".column")).not_to_have_text(everybody, use_inner_text=True)
    # Nothing can be decided here, and nothing has been.
    expect(table.dock.get_by_role("button", name=re.compile(fight))).to_be_hidden()
    table.page.keyboard.press("Space")
    # The enemy's attack on one's own stack.
    table.odds.get_by_role("button", name=re.compile("Another hex|Autre hexagone")).click()
    expect(table.odds).to_be_hidden()
    table.click("0113")
    expect(table.odds).to_contain_text(f"{title} 0113")
    table.button(back).click()
    expect(table.odds).to_be_hidden()
    expect(table.dock.locator(".go")).to_be_visible()
    assert fresh.state("german")["version"] == before


def test_it_can_be_asked_while_the_other_side_moves(house: House, sit: Sit) -> None:
    made = house.table(**LENINGRAD, seats={"german": "human", "soviet": "human"})
    soviet = sit(made, "soviet")
    soviet.whole_map()
    expect(soviet.bar).to_contain_text("German player to move")
    soviet.page.keyboard.press("w")
    soviet.click("0312")
    expect(soviet.odds.locator(".column b")).not_to_be_empty()
    # A move of the other side's is taken in, and the answer is worked out anew.
    order = {"order": {"order": "move", "units": ["1-inf"], "path": ["0212"]}}
    house.post(f"/api/tables/{made.id}/orders", order, made.tokens["german"])
    expect(soviet.log).to_contain_text("0112 to 0212")
    expect(soviet.odds.locator(".column b")).not_to_be_empty()
    soviet.page.keyboard.press("Escape")
    soviet.page.keyboard.press("Escape")
    expect(soviet.sentence).to_contain_text("German player to move")


def test_reach_and_threat_of_the_enemy_are_layers(fresh: Table, sit: Sit) -> None:
    table = sit(fresh, "german")
    table.whole_map()
    for name in ("Hexes within reach of a whole move", "Enemies it could attack after moving"):
        layer = table.page.get_by_role("button", name=f"{name}: Soviet")
        before = table.page.locator("canvas").first.screenshot()
        layer.click()
        expect(layer).to_have_attribute("aria-pressed", "true")
        until = time.monotonic() + PATIENCE
        while table.page.locator("canvas").first.screenshot() == before:
            assert time.monotonic() < until, f"{name}: nothing was drawn"


@pytest.mark.parametrize(("lang", "reason"), [("en", "reduced side"), ("fr", "face réduite")])
def test_the_card_says_what_a_strength_counts_and_why(
    house: House, sit: Sit, wounded: Rehearsal, lang: str, reason: str
) -> None:
    """A unit that has lost a step: its printed strength, struck out, what counts, and the case."""
    made = house.resume(wounded, hotseat=True)
    unit = next(u for u in made.state("german")["view"]["units"] if "reduced" in u["badges"] and u["hex"])
    counter = house.get(f"/api/games/leningrad/kit?lang={lang}")["counters"][unit["id"]]
    table = sit(made, "german", lang=lang)
    table.page.keyboard.press("o")
    forces = table.page.get_by_role("tabpanel")
    forces.get_by_role("button", name=re.compile(rf"^{re.escape(counter['name'])}, ")).hover()
    card = table.page.locator("aside.card")
    expect(card.locator(".share").first).to_contain_text(reason)
    expect(card.locator(".share s").first).to_have_text(counter["faces"][0][0])
    expect(card.locator(".share b").first).to_have_text(str(unit["attack"]))
    expect(card.locator(".share").get_by_role("button", name="10.5").first).to_be_visible()


def test_d9_the_odds_say_what_halves_a_unit_and_why(house: House, sit: Sit) -> None:
    """Attacks over the Don: what is printed, what counts, and the case that makes the difference."""
    made = house.table(game="a_victory_lost", scenario="little_saturn", seats={"axis": "random"}, seed="don")
    table = sit(made, "soviet")
    table.button(re.compile("^Special combat with: HQ 1 Gds A")).click()
    table.calm()
    halved = table.odds.locator(".shares li").filter(has=table.page.locator("s"))
    for target in sorted(made.state("soviet")["decision"]["hand"]["aims"]):
        table.whole_map()
        table.click(target)
        expect(table.odds).to_contain_text(target)
        table.calm()
        if halved.count():
            break
        table.odds.locator(".quick button").last.click()
        expect(table.odds).to_be_hidden()
    share = halved.first
    printed = float(share.locator("s").inner_text())
    counted = float(share.locator("b").inner_text().split()[-1].replace("½", ".5"))
    assert counted == printed / 2
    expect(share.get_by_role("button", name="9.3.1")).to_be_visible()
