"""Whatever game is installed, the page draws it and follows it."""

from __future__ import annotations

from random import Random

import pytest
from playwright.sync_api import expect

from grognard.kernel.registry import game_ids
from tests.browser.conftest import Sit
from tests.browser.house import House, answers

ANSWERS = 40


@pytest.mark.parametrize("game", game_ids())
def test_the_page_follows_a_game_played_at_random(house: House, sit: Sit, game: str) -> None:
    made = house.table(game=game, hotseat=True, scenario="")
    side = next(seat for seat in made.tokens if seat != "watch")
    table = sit(made, side)
    table.whole_map()
    chance = Random(game)
    for _ in range(ANSWERS):
        state = made.state(side)
        made.act(chance.choice(answers(state)), state["must_act"][0])
    state = made.state(side)
    expect(table.sentence).to_contain_text(state["decision"]["prompt"][:30])
    # Moves are told as marches, several at a time.
    lines = house.get(f"/api/tables/{made.id}/log", made.tokens[side])
    last = max(n for n, line in enumerate(lines) if line["family"] != "move")
    expect(table.log).to_contain_text(lines[last]["text"])
    table.speak("français")
    french = house.get(f"/api/tables/{made.id}/log?lang=fr", made.tokens[side])[last]
    expect(table.log).to_contain_text(french["text"])
    # A sentence begins large, also where a unit's name stands first that does not.
    said = table.log.locator(".line").all_inner_texts()
    assert not [line for line in said if line[:1].islower()]
    for tab in table.page.get_by_role("tab").all():
        tab.click()
        expect(table.page.get_by_role("tabpanel")).not_to_be_empty()
