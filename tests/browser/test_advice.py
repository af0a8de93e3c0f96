"""What a person sees of the computer: that it thinks and how far it is, what it would do in one's place, and
what it is trying to do."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.conftest import NewPage, Sit
from tests.browser.house import LENINGRAD, House, Rehearsal, Table
from tests.browser.table_page import TablePage
from tests.browser.test_barriers import barriers

SIZES = {"phone": (390, 844), "laptop": (1366, 768), "large": (1920, 1080)}


class Whisper:
    """Says things to a page in the server's name, so that a thought lasts as long as the test wants."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._ears: list[WebSocketRoute] = []
        page.route_web_socket(re.compile("/live$"), self._listen)

    def _listen(self, ear: WebSocketRoute) -> None:
        def hand_on(message: str | bytes) -> None:
            ear.send(message)
            self._ears.append(ear)

        ear.connect_to_server().on_message(hand_on)

    def say(self, message: dict[str, Any]) -> None:
        # Not before the server has spoken: its own first word would come after ours.
        while not self._ears:
            self._page.wait_for_timeout(20)
        self._ears[-1].send(json.dumps(message))

    def thinks(self, table: Table, lang: str = "en") -> None:
        state = {**table.state("german", lang), "must_act": ["soviet"], "thinking": True, "decision": None}
        self.say({"type": "state", "state": state, "chat": []})

    def share(self, share: float, what: str = "move") -> None:
        self.say({"type": "thought", "what": what, "share": share})


def suggest(table: TablePage) -> None:
    table.button(re.compile("^(Suggest a move|Suggérer un coup)$")).click()


def card(page: Page) -> Any:
    return page.get_by_role("region", name="Suggestion")


# Levels


def test_the_lobby_offers_levels_and_says_what_they_are(house: House, new_page: NewPage) -> None:
    page = new_page()
    page.goto(house.url)
    opponent = page.get_by_label("Opponent")
    expect(opponent).to_have_value("regular")
    names = opponent.locator("option").all_inner_texts()
    assert [name.removeprefix("Computer: ") for name in names[:5]] == [
        *("Recruit", "Regular", "Veteran"),
        *("Opportunist", "Random"),
    ]
    said = set()
    teacher = page.get_by_label("The computer explains its plan while we play")
    for value in ("recruit", "regular", "veteran", "greedy", "random", "friend", "hotseat"):
        opponent.select_option(value)
        said.add(page.locator("#opponent-about").inner_text())
        expect(teacher).to_have_count(1 if value in ("recruit", "regular", "veteran") else 0)
    assert len(said) == 7 and "" not in said

    # The checkbox makes a table at which plans are told.
    opponent.select_option("recruit")
    teacher.check()
    page.get_by_role("button", name="Play", exact=True).click()
    table = TablePage(page).ready()
    table.tab("Chat")
    expect(page.get_by_role("tabpanel")).to_contain_text("It has not made a plan yet.")


# The progress sign


@pytest.mark.parametrize("size", SIZES)
def test_the_page_shows_how_far_the_thought_is_and_nothing_jumps(
    house: House, new_page: NewPage, size: str
) -> None:
    made = house.table(**LENINGRAD, seats={"soviet": "random"})
    page = new_page(width=SIZES[size][0], height=SIZES[size][1])
    whisper = Whisper(page)
    table = TablePage(page).open(made.link("german"))
    bar = page.get_by_role("progressbar")
    expect(bar).to_have_count(0)

    whisper.thinks(made)
    expect(table.sentence).to_have_text("The Soviet player is thinking.")
    # How far is not known until it is told.
    expect(bar).to_be_visible()
    expect(bar).to_have_accessible_name("The Soviet player is thinking.")
    assert bar.get_attribute("aria-valuenow") is None
    dock = table.dock.bounding_box()
    for share, now in ((0.1, "10"), (0.62, "62")):
        whisper.share(share)
        expect(bar).to_have_attribute("aria-valuenow", now)
        assert table.dock.bounding_box() == dock
    # The number is in the bar alone: a voice would read it out at every step.
    assert "62" not in " ".join(page.locator("[aria-live], [role=status], [role=log]").all_inner_texts())
    assert barriers(page) == ""

    # When it is the person's turn again, the sign is gone.
    whisper.say({"type": "state", "state": made.state("german"), "chat": []})
    expect(bar).to_have_count(0)


def test_a_computer_that_thinks_is_followed_to_its_answer(house: House, sit: Sit) -> None:
    table = sit(house.table(**LENINGRAD, seats={"soviet": "veteran"}), "german")
    for _ in ("movement", "combat", "interdiction"):
        expect(table.bar).to_contain_text("Your move")
        table.end_phase()
    expect(table.log).to_contain_text("Soviet Movement Phase.")
    expect(table.bar).to_contain_text("Your move")
    expect(table.page.get_by_role("progressbar")).to_have_count(0)


# Suggestions


def test_a_suggestion_is_shown_on_the_map_and_played(house: House, sit: Sit) -> None:
    made = house.table(**LENINGRAD, seats={"soviet": "random"})
    table = sit(made, "german")
    page = table.page
    # The page gives its share in the dice by itself.
    page.wait_for_function(
        "() => performance.getEntriesByType('resource').some((one) => /share/.test(one.name))"
    )
    before = made.state("german")
    suggest(table)
    expect(card(page)).to_contain_text(re.compile(r"^Suggestion\s*(Move|Attack|Leave|End)"))
    assert made.state("german") == before

    # Declined, it leaves nothing behind; asked again, it is the same.
    text = card(page).locator(".what").inner_text()
    card(page).get_by_role("button", name="No, thanks").click()
    expect(card(page)).to_have_count(0)
    suggest(table)
    expect(card(page).locator(".what")).to_have_text(text)
    table.speak("Français")
    expect(card(page).locator(".what")).not_to_have_text(text)
    table.speak("English")
    expect(card(page).locator(".what")).to_have_text(text)
    assert barriers(page) == ""

    card(page).get_by_role("button", name="Play it").click()
    expect(card(page)).to_have_count(0)
    expect(table.button("Undo")).to_be_enabled()
    assert made.state("german")["moments"] > before["moments"]


def test_a_suggested_attack_is_fought(house: House, sit: Sit, to_combat: Callable[[str], Rehearsal]) -> None:
    arranged = to_combat("0")
    made = house.table(*arranged.answers, **LENINGRAD, seed="0", seats={"soviet": "random"})
    table = sit(made, "german")
    suggest(table)
    expect(card(table.page)).to_contain_text("Attack")
    card(table.page).get_by_role("button", name="Play it").click()
    expect(table.log).to_contain_text(re.compile(r"Die roll \d at"))


def test_a_suggestion_from_the_keyboard(house: House, sit: Sit) -> None:
    made = house.table(**LENINGRAD, seats={"soviet": "random"})
    table = sit(made, "german")
    page = table.page
    table.map.focus()
    page.keyboard.press("h")
    play = card(page).get_by_role("button", name="Play it")
    expect(play).to_be_focused()
    page.keyboard.press("Escape")
    expect(card(page)).to_have_count(0)
    table.map.focus()
    page.keyboard.press("h")
    expect(play).to_be_focused()
    page.keyboard.press("Enter")
    expect(table.button("Undo")).to_be_enabled()


def test_the_adviser_shows_how_far_he_is(house: House, new_page: NewPage) -> None:
    made = house.table(**LENINGRAD, seats={"soviet": "random"})
    page = new_page()
    whisper = Whisper(page)
    # The answer is held back until the test has seen the waiting.
    held: list[Any] = []
    page.route("**/suggestion*", lambda route: held.append(route))
    table = TablePage(page).open(made.link("german"))
    suggest(table)
    bar = card(page).get_by_role("progressbar")
    expect(bar).to_be_visible()
    assert bar.get_attribute("aria-valuenow") is None
    whisper.share(0.5, "suggestion")
    expect(bar).to_have_attribute("aria-valuenow", "50")
    assert barriers(page) == ""
    held[0].continue_()
    expect(card(page).get_by_role("button", name="Play it")).to_be_focused()


def test_between_two_people_nothing_is_suggested(house: House, sit: Sit) -> None:
    made = house.table(seats={"amber": "human", "cobalt": "human"})
    table = sit(made, "amber")
    expect(table.button("Undo")).to_be_visible()
    expect(table.button("Suggest a move")).to_have_count(0)
    table.page.keyboard.press("h")
    expect(card(table.page)).to_have_count(0)


def test_the_text_board_suggests_too(house: House, new_page: NewPage) -> None:
    made = house.table(**LENINGRAD, seats={"soviet": "random"})
    page = new_page(lang="fr")
    page.goto(made.page("text") + "#" + made.tokens["german"])
    page.get_by_role("button", name="Suggérer un coup").click()
    play = card(page).get_by_role("button", name="Le jouer")
    expect(play).to_be_focused()
    assert barriers(page) == ""
    play.click()
    expect(page.get_by_role("button", name="Annuler", exact=True)).to_be_visible()


# The teacher


PLANS = {
    "now": {"soviet": "Hold Riga."},
    "plans": [
        {
            "side": "soviet",
            "turn": turn,
            "phase": "soviet-movement",
            "text": f"Hold Riga, day {turn}.",
            "hexes": ["0908"],
            "units": [],
        }
        for turn in (1, 2)
    ],
}


def test_where_no_teacher_was_asked_for_that_is_said_and_there_is_no_button(house: House, sit: Sit) -> None:
    made = house.table(**LENINGRAD, seats={"soviet": "recruit"})
    for lang, tab, ask, why in (
        ("en", "Chat", "What are you trying to do?", "keeps its plans to itself"),
        ("fr", "Discussion", "Que cherchez-vous à faire ?", "garde ses plans pour lui"),
    ):
        table = sit(made, "german", lang=lang)
        table.tab(tab)
        panel = table.page.get_by_role("tabpanel")
        expect(panel).to_contain_text(why)
        expect(panel.get_by_role("button", name=ask)).to_have_count(0)
        assert barriers(table.page) == ""


def test_after_the_game_the_computer_tells_what_it_wanted(house: House, sit: Sit) -> None:
    made = house.table(**LENINGRAD, seats={"soviet": "random"})
    table = sit(made, "german")
    page = table.page
    made.resign("german")
    table.tab("Chat")
    panel = page.get_by_role("tabpanel")
    panel.get_by_role("button", name="What were you trying to do?").click()
    expect(panel.get_by_role("status")).to_contain_text("no plan to explain")
    page.route("**/plans*", lambda route: route.fulfill(json=PLANS))
    panel.get_by_role("button", name="What were you trying to do?").click()
    expect(panel.locator(".plans ol > li")).to_have_count(2)
    expect(panel.locator(".plans ol > li").last).to_contain_text("Turn 1")
    panel.get_by_role("button", name="Hold Riga, day 1.").click()
    assert barriers(page) == ""


@pytest.mark.parametrize("size", SIZES)
def test_a_teacher_tells_the_plan_beside_the_map(house: House, new_page: NewPage, size: str) -> None:
    made = house.table(**LENINGRAD, seats={"soviet": "recruit"}, teacher=True)
    page = new_page(width=SIZES[size][0], height=SIZES[size][1])
    whisper = Whisper(page)
    page.route("**/plans*", lambda route: route.fulfill(json=PLANS))
    table = TablePage(page).open(made.link("german"))
    plan = page.get_by_role("complementary", name="The computer’s plan")
    expect(plan).to_have_count(0)
    state = made.state("german")
    whisper.say({"type": "state", "state": {**state, "plans": 2}, "chat": []})
    expect(plan).to_contain_text("Hold Riga, day 2.")
    expect(plan).to_be_in_viewport(ratio=1)
    assert barriers(page) == ""
    plan.get_by_role("button", name="Hold Riga, day 2.").click()
    plan.get_by_role("button", name="All its plans").click()
    expect(page.get_by_role("tabpanel").locator(".plans ol > li")).to_have_count(2)
    plan.get_by_role("button", name="Close").click()
    expect(plan).to_have_count(0)
    expect(table.sentence).not_to_be_empty()
