"""Two people at two machines, and people who watch them."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.conftest import NewPage, Sit
from tests.browser.house import House, Rehearsal
from tests.browser.table_page import TablePage

PEOPLE = {"german": "human", "soviet": "human"}


def test_a_retreat_chosen_by_the_other_seat(
    house: House, sit: Sit, to_combat: Callable[[str], Rehearsal]
) -> None:
    seed, target, retreat = _forced_back(to_combat)
    made = house.resume(to_combat(seed), seats=PEOPLE)
    german, soviet = sit(made, "german"), sit(made, "soviet")
    german.whole_map()
    soviet.whole_map()

    # Only who is to move is told what to do, and has the means.
    expect(german.bar).to_contain_text("Your move")
    expect(soviet.bar).to_contain_text("German player to move")
    expect(soviet.sentence).to_have_text("German player to move. The move will appear here.")
    expect(soviet.button("End phase")).to_be_hidden()

    german.click(target)
    german.odds.get_by_role("button", name="All eligible units").click()
    expect(german.odds.locator(".column b")).not_to_be_empty()
    expect(soviet.odds).to_be_hidden()
    german.button("Resolve the combat").click()

    # The lines arrive on both screens; the die stands on both; the question on one.
    for table in (german, soviet):
        expect(table.log).to_contain_text(re.compile(r"Die roll \d at"))
        expect(table.news).to_contain_text(re.compile(r"Die roll \d at"))
    expect(soviet.bar).to_contain_text("Your move")
    expect(german.bar).to_contain_text("Soviet player to move")
    expect(german.button("Retreat all units")).to_be_hidden()

    soviet.button("Retreat all units").click()
    soviet.calm()
    unit, goal = retreat[1], retreat[2]
    name = house.get("/api/games/leningrad/kit")["counters"][unit]["name"]
    soviet.strip.get_by_role("button", name=re.compile(rf"\b{re.escape(name)}(,|$)")).click()
    soviet.click(goal)
    for table in (soviet, german):
        expect(table.log).to_contain_text(re.compile(rf"{re.escape(name)} \S+ .*{goal}"))


def _forced_back(to_combat: Callable[[str], Rehearsal]) -> tuple[str, str, list[str]]:
    """Dice with which the first attack leaves the defender a retreat to choose; and its first step."""
    for number in range(60):
        game = to_combat(str(number))
        for target in [words[1] for words in game.options if words[0] == "target"]:
            game = to_combat(str(number))
            game.act("target", target)
            for unit in [words[1] for words in game.options if words[0] == "join"]:
                game.act("join", unit)
            game.act("fight")
            game.act("commit", "0")
            if game.actor == "soviet" and ["retreat"] in game.options:
                game.act("retreat")
                if game.options[0][0] == "fall-back" and game.actor == "soviet":
                    return str(number), target, game.options[0]
    raise AssertionError("no such dice among the first")


def test_two_spectators_see_everything_happen_and_touch_nothing(
    house: House, sit: Sit, new_page: NewPage
) -> None:
    made = house.table(["stake", "amber-3"], seats={"cobalt": "greedy"}, listed=True, name="Public")
    player = sit(made, "amber")
    by_link = sit(made, "watch")
    stroller = TablePage(new_page(lang="fr")).open(made.page())
    for watcher, name in ((by_link, "1st Amber Foot"), (stroller, "1er d’infanterie ambre")):
        watcher.whole_map()
        expect(watcher.dock.get_by_role("button")).to_have_count(0)
        watcher.click("0102")
        expect(watcher.page.get_by_role("heading", name=name)).to_be_visible()
        watcher.page.keyboard.press("Space")
    phase = made.state("amber")["phase"]
    player.whole_map()
    player.click("0102")
    player.wait_reach("0202")
    player.click("0202")
    expect(by_link.log).to_contain_text(re.compile(r"Foot marches: 0102.*, 0202"))
    expect(stroller.log).to_contain_text(re.compile(r"ambre avance.*0102.*, 0202"))
    assert made.state("amber")["phase"] == phase

    # Words are for players, too.
    by_link.tab("Chat")
    expect(by_link.page.get_by_label("Write a message")).to_be_hidden()


def test_a_table_by_invitation_shows_nothing_to_strangers(house: House, new_page: NewPage) -> None:
    made = house.table(seats={"amber": "human", "cobalt": "human"})
    page = new_page()
    page.goto(made.page())
    expect(page.get_by_role("alert")).to_contain_text("This table is by invitation")
    expect(page.get_by_role("application")).to_have_count(0)


def test_a_friend_is_invited_by_a_link(house: House, new_page: NewPage) -> None:
    mine = new_page()
    mine.goto(house.url)
    mine.get_by_role("radio", name="German").check()
    mine.get_by_label("Opponent").select_option("friend")
    mine.get_by_label("List it in the lobby").uncheck()
    mine.get_by_role("button", name="Play", exact=True).click()
    me = TablePage(mine).ready()
    link = mine.get_by_role("textbox", name="Invitation for the Soviet side").input_value()
    expect(me.bar).to_contain_text("Your move")

    friend = TablePage(new_page(lang="fr")).open(link)
    expect(friend.bar).to_contain_text("À jouer : Allemand")
    # The key to the seat does not stay in the address bar, where it would be copied by accident.
    assert "#" not in friend.page.url
    friend.page.reload()
    friend.ready()
    friend.tab("Discussion")
    friend.page.get_by_placeholder("Écrire un message").fill("Bonjour")
    friend.page.keyboard.press("Enter")
    me.tab("Chat")
    expect(me.log).to_contain_text("Bonjour")


def test_an_open_seat_is_taken_from_the_lobby(house: House, new_page: NewPage) -> None:
    made = house.table(seats={"amber": "human", "cobalt": "human"}, listed=True, name="Waiting for Blue")
    page = new_page()
    page.goto(house.url)
    line = page.get_by_role("listitem").filter(has_text="Waiting for Blue")
    line.get_by_role("button", name="Play the Cobalt side").click()
    table = TablePage(page).ready()
    expect(table.bar).to_contain_text("Your move")
    table.page.get_by_role("link", name="Lobby").first.click()
    expect(page.get_by_role("region", name="Your games")).to_contain_text("Waiting for Blue")
    assert made.state("amber")["players"]["cobalt"]["taken"]
