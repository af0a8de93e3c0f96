"""What people write is text, wherever it is shown."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage, Sit
from tests.browser.house import House

EVIL = "<img src=x onerror=window.pwned=1><b>bold</b>"


def test_names_and_chat_are_shown_as_text(house: House, sit: Sit, new_page: NewPage) -> None:
    made = house.table(seats={"amber": "human", "cobalt": "human"}, name=EVIL, owner=EVIL, listed=True)
    lobby = new_page()
    lobby.goto(house.url)
    expect(lobby.get_by_role("link", name=EVIL)).to_be_visible()
    _harmless(lobby)

    table = sit(made, "amber")
    table.tab("Chat")
    say = table.page.get_by_label("Write a message")
    say.fill(EVIL + "<script>window.pwned=1</script>")
    say.press("Enter")
    expect(table.log).to_contain_text(EVIL + "<script>")
    # The author's name comes from whoever took the seat.
    expect(table.log.get_by_role("listitem").first).to_contain_text(EVIL)
    table.page.get_by_label("Your notes").fill(EVIL)
    _harmless(table.page)

    watcher = sit(made, "watch")
    watcher.tab("Chat")
    expect(watcher.log).to_contain_text(EVIL)
    _harmless(watcher.page)


def _harmless(page: Page) -> None:
    assert page.evaluate("() => window.pwned === undefined")
    expect(page.locator("img[src=x], b:text-is('bold')")).to_have_count(0)
    assert page.evaluate("() => document.querySelectorAll('script:not([src])').length") == 0
