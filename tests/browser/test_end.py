"""The end of a game has a page of its own: result, points and losses by turn, luck, and what next (D28)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from grognard.kernel import Game
from grognard.players import seat as computer
from grognard.server.rooms import Created
from tests.browser.conftest import NewPage, Sit
from tests.browser.house import House, Rehearsal, Table
from tests.browser.test_barriers import barriers


@pytest.fixture(scope="module")
def fought(leningrad: Game[Any]) -> Rehearsal:
    """Two computers, a whole game."""
    game = Rehearsal(leningrad, "to the end")
    players = [computer("greedy", side) for side in leningrad.sides]
    while (actor := leningrad.actor(game.match.state)) is not None:
        game.act(*leningrad.encode(players[actor].choose(leningrad, game.match.state, actor)))
    return game


@pytest.fixture(scope="module")
def ended(house: House, fought: Rehearsal) -> Table:
    made = house.post("/api/saves", {"text": fought.match.save()})
    return Table(house, Created(made["table"], {**made["seats"], "watch": made["watch"]}))


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("size", [(1440, 900), (820, 1180), (390, 844)])
def test_the_end_page(ended: Table, new_page: NewPage, lang: str, size: tuple[int, int]) -> None:
    page = new_page(lang=lang, width=size[0], height=size[1])
    page.goto(ended.page("end") + "#" + ended.tokens["german"])
    expect(page.get_by_role("heading", level=1)).to_contain_text(
        re.compile("victory|draw|victoire|nul", re.I)
    )
    for heading in {
        "en": ["Victory points by turn", "Units lost by turn", "Luck", "Battles"],
        "fr": ["Points de victoire par tour", "Unités perdues par tour", "Chance", "Combats"],
    }[lang]:
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
    expect(page.get_by_role("img")).to_have_count(2)
    page.get_by_text(re.compile(r"\d+ (battles|combats)")).click()
    report = ended.house.get(f"/api/tables/{ended.id}/report", ended.tokens["watch"])
    expect(page.locator("section[aria-labelledby=end-battles] tbody tr")).to_have_count(
        len(report["battles"])
    )
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert barriers(page) == ""


@pytest.mark.parametrize(
    ("lang", "how", "said", "luck", "again"),
    [
        ("en", "How it ended", "The Amber player resigned: Cobalt victory.", "no battle", "Play again"),
        ("fr", "Bilan de la partie", "Abandon : Ambre. Victoire : Cobalt.", "aucun combat", "Rejouer"),
    ],
)
def test_from_the_table_to_the_end_and_to_another_game(
    house: House, sit: Sit, lang: str, how: str, said: str, luck: str, again: str
) -> None:
    made = house.table(seats={"cobalt": "random"})
    made.resign("amber")
    table = sit(made, "amber", lang=lang)
    expect(table.sentence).to_contain_text(said)
    table.dock.get_by_role("link", name=how).click()
    page = table.page
    expect(page.get_by_role("heading", level=1)).to_have_text(said)
    # Where nobody has fought, no dice were fair either.
    expect(page.locator("section[aria-labelledby=end-luck]")).to_contain_text(luck)
    page.get_by_role("button", name=again).click()
    table.ready()
    assert made.id not in page.url
    expect(table.bar).to_contain_text({"en": "Turn 1 of 3", "fr": "Tour 1 sur 3"}[lang])


def test_no_end_page_before_the_end(house: House, new_page: NewPage) -> None:
    made = house.table(seats={"cobalt": "random"})
    page = new_page()
    page.goto(made.page("end") + "#" + made.tokens["amber"])
    expect(page.get_by_role("alert")).to_contain_text("still on")


def test_a_long_game_is_read_whole_after_a_restart(
    page_built: None, maps: Path, sit: Sit, tmp_path: Path, fought: Rehearsal
) -> None:
    """A server that opens a long table has the end of its log at hand; the page asks for what came before."""
    house = House(tmp_path, maps)
    try:
        made = house.post("/api/saves", {"text": fought.match.save()})
        ended = Table(house, Created(made["table"], {**made["seats"], "watch": made["watch"]}))
        house.kill()
        house.start()
        table = sit(ended, "german")
        expect(table.log).to_contain_text("Turn 12")
        path = f"/api/tables/{ended.id}/log"
        lines = len(house.get(path, ended.tokens["german"]))
        assert lines == ended.state("german")["log_length"] > 300
        earlier = table.page.get_by_role("button", name="Earlier lines")
        expect(earlier).to_be_visible()
        earlier.click()
        expect(table.log).to_contain_text("Turn 1 ")
    finally:
        house.kill()
