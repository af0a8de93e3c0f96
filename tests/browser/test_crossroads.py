"""A game that the page has never heard of, from a package of its own: every part of it is there, and it can
be played by clicking."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewPage, Sit
from tests.browser.house import House, Table

both = pytest.mark.parametrize("lang", ["en", "fr"])


def busy(house: House) -> Table:
    """A redoubt is dug, a unit has marched, the wagers are known to their owners."""
    table = house.table(game="crossroads", scenario="morning", options={"fog": True})
    table.act(["stake", "amber-3"])
    table.act(["stake", "cobalt-1"])
    table.act(["dig", "0102"])
    table.act(["lift", "first-amber"])
    table.act(["tread", "0202"])
    return table


WORDS = {
    "en": ("Redoubts to dig", "Fog", "held", "in the cup", "Nerve", "Reserve", "in the coppice", "on wagons"),
    "fr": (
        *("Redoutes à creuser", "Brouillard", "en main", "dans le gobelet"),
        *("Moral", "Réserve", "dans le taillis", "sur les chariots"),
    ),
}


@both
def test_every_part_is_shown_beside_the_map(house: House, sit: Sit, lang: str) -> None:
    table = sit(busy(house), "amber", lang=lang)
    shown = table.page.locator(".parts")
    # All of it takes more lines than are laid over a map unasked.
    shown.get_by_role("button").first.click()
    for words in WORDS[lang]:
        # What is so or not so stands in the bar.
        expect(table.bar if words == WORDS[lang][1] else shown).to_contain_text(words)
    # One's own tokens by name, the other's by number.
    sides = shown.get_by_role("group")
    expect(sides.first.locator(".piece").first).to_be_visible()
    expect(sides.last.locator(".piece")).to_have_count(0)
    expect(sides.last.locator(".more").first).to_have_text(re.compile(r"^\d"))
    # Layers are buttons: one for each side, one for what is nobody's.
    layers = table.page.locator(".rail .layer:not(.what-if)")
    expect(layers).to_have_count(3)
    for button in layers.all():
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")


@both
def test_the_text_board_tells_what_lies_on_the_map(house: House, new_page: NewPage, lang: str) -> None:
    made = busy(house)
    page = new_page(lang=lang)
    page.goto(made.page("text") + "#" + made.tokens["amber"])
    lying = page.get_by_role("region", name={"en": "On the map", "fr": "Sur la carte"}[lang], exact=True)
    redoubts = lying.get_by_role("listitem").filter(has_text={"en": "Redoubts", "fr": "Redoutes"}[lang])
    expect(redoubts).to_contain_text("0102")
    for words in WORDS[lang][2:]:
        expect(page.get_by_role("main")).to_contain_text(words)


def test_a_march_by_clicking(house: House, sit: Sit) -> None:
    made = house.table(game="crossroads", scenario="morning", options={"fog": True})
    made.act(["stake", "amber-3"])
    made.act(["stake", "cobalt-1"])
    table = sit(made, "amber")
    table.whole_map()
    unit = next(u for u in made.state("amber")["view"]["units"] if u["id"] == "first-amber")
    table.click(unit["hex"])
    taken = {u["hex"] for u in made.state("amber")["view"]["units"]}
    goal = max(
        hex_ for hex_, (_, left) in reach(made, unit["id"]).items() if left is not None and hex_ not in taken
    )
    table.wait_reach(goal)
    table.click(goal)
    expect(table.log).to_contain_text(goal)


def reach(made: Table, unit: str) -> dict[str, tuple[str | None, float | None]]:
    answer: dict[str, tuple[str | None, float | None]] = made.house.post(
        f"/api/tables/{made.id}/ask?protocol=2", {"ask": "reach", "units": [unit]}, made.tokens["amber"]
    )["hexes"]
    return answer
